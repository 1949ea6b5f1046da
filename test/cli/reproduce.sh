#!/usr/bin/env bash
# picus reproduce: items, verdicts, resumption, hostile item files.
. "$(dirname "$0")/../support/check.sh"

check "the shipped items" "$PICUS" reproduce --list
for paper in G05 S08 A12 H15 R23 CL; do expect_match stdout "^$paper  "; done
check "every item of a paper" "$PICUS" reproduce R23 --list
expect_match stdout '^R23  table1 +Table 1 '
expect_status 0

check "classics agree" "$PICUS" reproduce CL --item wheel --item woodpecker --item stick-slip --item compass --item cradle --out classics
expect_match stdout '^5 items: 5 agree, 0 differ with a reason, 0 cannot be reproduced, 0 disagree, 0 failed$'
check "two figures agree" "$PICUS" reproduce --item fig4 --item fig2 G05 R23 --out shipped
expect_match stdout '^2 items: 2 agree, 0 differ with a reason, 0 cannot be reproduced, 0 disagree, 0 failed$'
check "the report has both figures" grep -c '<img alt="" src="data:image/svg+xml;base64,' shipped/report.html
expect_match stdout '^2$'
check "ids are unique in the page" sh -c "grep -o ' id=\"[^\"]*\"' shipped/report.html | sort | uniq -d | wc -l"
expect_match stdout '^0$'
check "nothing comes from a network" sh -c "grep -oE '(src|href)=\"[^\"#]*\"' shipped/report.html | grep -vc '^src=\"data:image/svg+xml;base64,[A-Za-z0-9+/=]*\"$' || true"
expect_match stdout '^0$'
check "the digest" grep -c '^| first impact of the beak (s) | independent reference |' shipped/report.md
expect_match stdout '^1$'
check "what is complete is kept" "$PICUS" reproduce --item fig4 --item fig2 G05 R23 --out shipped
expect_match stdout '^G05  fig4 +kept '
expect_match stdout '^R23  fig2 +kept '

# items LINE...: writes items.txt
items() { printf '%s\n' 'paper X | a title' "$@" >items.txt; }
# shellcheck disable=SC2016 # items have loops of their own
items 'item a | Fig. 1 | <script>alert(1)</script> & more' 'assumed nothing' \
  'for e in 0.5 1: picus run bouncing-ball --set e=$e --out ball-$e.h5 --csv ball-$e.csv' \
  'for e in 0.5 1: row both.csv | e = number $e | height (m) = max ball-$e.h5 q 2 5 | rest (m) = last ball-$e.csv q' \
  'table both.csv | a table' 'output 1 | what it printed' \
  "value \"height\" | max ball-{1,}.h5 q | shown" \
  'value height | max ball-1.h5 q | 1 within 1% | number | 1' 'value rows | row both.csv e 2 | 1 within 0 | number | 1' \
  'value impacts | printed 1 impacts 1 | above 2 | statement | many' 'value twice | last ball-1.h5 t + last ball-1.h5 t | 10 within 1e-9' \
  'item b | Fig. 2 | no' 'cannot <b>no data</b>'
check "braces without a second part" "$PICUS" reproduce --items items.txt --out own
expect_status 2
expect_match stderr "^picus: items.txt:8: the quantity has the wrong number of arguments 'max ball-\{1,\}.h5 q'$"
sed -i '/^value "height"/d' items.txt
check "loops, rows, tables, cannot" "$PICUS" reproduce --items items.txt --out own
expect_match stdout '^2 items: 1 agree, 0 differ with a reason, 1 cannot be reproduced, 0 disagree, 0 failed$'
check "texts are escaped" sh -c 'grep -c "<script>\|<b>no data" own/report.html || true'
expect_match stdout '^0$'
check "and shown" grep -c '&lt;script&gt;alert(1)&lt;/script&gt; &amp; more' own/report.html
expect_match stdout '^2$'
check "the table is shown" grep -c '<th>height (m)</th>' own/report.html
expect_match stdout '^1$'
# shellcheck disable=SC2016 # a loop of the items
sed -i 's/set e=\$e/set e=$e --dt 1e-2/' items.txt
check "a changed command runs again" "$PICUS" reproduce --items items.txt --out own
expect_match stdout '^X    a +run '
rm own/X/a/both.csv
check "a missing output is made again" "$PICUS" reproduce --items items.txt --out own
expect_match stdout '^X    a +run '

items 'item a | F | w' 'picus run bouncing-ball --out b.h5' 'value h | max b.h5 q | 2 within 0.5 | number | 2'
check "a value that disagrees" "$PICUS" reproduce --items items.txt --out wrong
expect_status 1
expect_match stdout '^ +h: 1, expected 2 within 0.5$'
items 'item a | F | w' 'picus run bouncing-ball --out b.h5' 'value h | max b.h5 q | 2 within 0.5 | number | 2 | the ball starts at 1'
check "a value that differs with a reason" "$PICUS" reproduce --items items.txt --out wrong
expect_match stdout '^1 items: 0 agree, 1 differ'
items 'item a | F | w' 'picus run bouncing-ball --out b.h5' 'value h | max b.h5 q | 1 within 0.5 | number | 1 | no reason at all'
check "a reason without a difference" "$PICUS" reproduce --items items.txt --out wrong
expect_status 1
expect_match stdout '^ +h: 1, expected not 1 within 0.5$'
items 'item a | F | w' 'picus run bouncing-ball --dt x --out b.h5' 'value h | max b.h5 q | 1 within 0.5' \
  'item b | F | w' 'picus run bouncing-ball --out b.h5' 'value h | max b.h5 nothing | 1 within 0.5'
check "a command and a value that fail" "$PICUS" reproduce --items items.txt --out failing
expect_status 1
expect_match stdout "^X    a +failed: command 1 ended with code 2: picus: --dt"
expect_match stdout '2 failed$'
check "its standard error is kept" grep -c -- --dt failing/X/a/command-1.err
check "and why the value has none" grep -c "the file 'b.h5' has no column 'nothing'" failing/report.html

# What values are compared with is counted at the top of both reports.
items 'item a | F | w' 'picus run bouncing-ball --out b.h5' 'value h | max b.h5 q | 1 within 0.5 | number | 1' \
  'value s | max b.h5 q | above 0.5 | statement | high' 'limit half of its height' 'value r | max b.h5 q | 1 within 0.5 | reference' \
  'value o | max b.h5 q | 1 within 0.5 | own' 'value b | max b.h5 q | above 2 | bound' 'value n | max b.h5 q | shown' \
  'value climb | climb b.h5 q | between 0.2 and 0.3 | own' 'value both | together b.h5 q,v above 0 | 2 within 0 | own' \
  'value fell | together b.h5 q,v above 0 0 0.9 | 1 within 0 | own' \
  'picus run bouncing-ball --dt 0.1 --out c.h5' 'value modes | distinct b.h5 ground.mode | 2 within 0 | own' \
  'value fall | distinct b.h5 ground.mode 0.1 0.9 | 1 within 0 | own' \
  'value same | norm uniform c.h5 c.h5 q,v | 0 within 0 | own' 'value l1 | norm l1 c.h5 b.h5 q | between 1e-3 and 1 | own' \
  'value half | norm uniform c.h5 b.h5 ground.PN - norm uniform c.h5 b.h5 ground.PN | 0 within 0 | own'
check "kinds of comparisons" "$PICUS" reproduce --items items.txt --out kinds
expect_status 1
for row in 'printed number | 1 | 1' 'printed statement | 1 | 1' 'independent reference | 1 | 1' 'own reference | 9 | 9' 'bound | 1 | 0'; do
  check "count: $row" grep -cxF "| $row |" kinds/report.md
  expect_match stdout '^1$'
done
check "limits at one side" grep -c '^2 of these values have a limit at one side only. Of the 2 limits' kinds/report.md
expect_match stdout '^1$'
check "limits with a reason" grep -c '^paper prints, 1 say where they come from. 1 more values are shown' kinds/report.md
expect_match stdout '^1$'
check "the reason of a limit" grep -cF '| high | above 0.5: half of its height | 1 | agrees |' kinds/report.md
expect_match stdout '^1$'
check "counts in the page" grep -c '<td>printed number</td><td>1</td><td>1</td>' kinds/report.html
expect_match stdout '^1$'

# CPU time of commands, kept with them.
items 'item a | F | w' 'picus run woodpecker --dt 1e-5 --every 1000 --out w.h5' 'picus list' \
  'value p | cpu 1 - cpu 2 | between 1e-3 and 100 | own' 'value n | cpu 3 | shown'
check "CPU times" "$PICUS" reproduce --items items.txt --out cpu
expect_status 1
expect_match stdout '1 failed$'
check "there is no third command" grep -c 'there is no command 3' cpu/report.html
sed -i '/cpu 3/d' items.txt
check "of a kept item" "$PICUS" reproduce --items items.txt --out cpu
expect_match stdout '^X    a +kept '
expect_match stdout '^1 items: 1 agree'

# Controls: one that must disagree and does, one that does not, one that fails, an item without.
v='value h | max b.h5 q | 1 within 0.1 | number | 1'
items 'item a | F | w' 'picus run bouncing-ball --out b.h5' "$v" 'control a higher start | --out b.h5 | --set q0=1.5 --out b.h5'
check "a control that disagrees" "$PICUS" reproduce --items items.txt --controls --out controls
expect_status 0
expect_match stdout '^1 controls: 1 disagree as they must, 0 do not, 0 failed; 0 items have none; 1 of 1 values were made to disagree, 0 of the others say why not$'
check "what it changes and what disagrees" grep -cF '| X a-1 | a higher start | h: 1.5 |' controls/controls.md
expect_match stdout '^1$'
check "the item itself is not run" test ! -e controls/X/a
check "without --controls it agrees" "$PICUS" reproduce --items items.txt --out controls
expect_match stdout '^1 items: 1 agree'
items 'item a | F | w' 'picus run bouncing-ball --out b.h5' "$v" 'control the end | --out b.h5 | --t-end 4 --out b.h5'
check "a control that changes no verdict" "$PICUS" reproduce --items items.txt --controls --out controls
expect_status 1
expect_match stdout '^1 controls: 0 disagree as they must, 1 do not, 0 failed; 0 items have none; 0 of 1 values were made to disagree, 0 of the others say why not$'
check "values that no control reaches" grep -cF '| X a | h | **not said** |' controls/controls.md
expect_match stdout '^1$'
w='value w | last b.h5 t | 5 within 1e-9 | number | 5'
items 'item a | F | w' 'picus run bouncing-ball --out b.h5' "$v" "$w" 'control a higher start | --out b.h5 | --set q0=1.5 --out b.h5'
check "a value that no control reaches needs a reason" "$PICUS" reproduce --items items.txt --controls --out controls
expect_status 1
expect_match stdout '1 disagree as they must, .* 1 of 2 values were made to disagree, 0 of the others say why not$'
items 'item a | F | w' 'picus run bouncing-ball --out b.h5' "$v" "$w" 'unmoved time <ends> there' \
  'control a higher start | --out b.h5 | --set q0=1.5 --out b.h5'
check "and has one" "$PICUS" reproduce --items items.txt --controls --out controls
expect_status 0
expect_match stdout '1 disagree as they must, .* 1 of 2 values were made to disagree, 1 of the others say why not$'
check "the reason is in the table" grep -cF '| X a | w | time \<ends> there |' controls/controls.md
expect_match stdout '^1$'
items 'item a | F | w' 'picus run bouncing-ball --out b.h5' "$v" 'control broken | --out b.h5 | --dt x --out b.h5' \
  'item b | F | w' "$v" 'item c | F | w' 'value n | number 1 | shown' 'item d | F | w' 'cannot no data'
check "a control that fails does not count" "$PICUS" reproduce --items items.txt --controls --out controls
expect_status 1
expect_match stdout '^1 controls: 0 disagree as they must, 0 do not, 1 failed; 1 items have none; 0 of 1 values were made to disagree, 0 of the others say why not$'
# A value is judged unless it is shown only, or differs for a reason (its sixth field).
without_control() {
  awk -F '|' '/^item/ { if (judged && !control) print name; name = $1; judged = control = 0 }
    /^value/ && !/\| shown/ && NF < 6 { judged = 1 }
    /^control/ { control = 1 }
    END { if (judged && !control) print name }' "$PICUS_SOURCE"/tool/reproduce/*.items
}
check "every shipped item that can disagree has a control" without_control
expect_empty stdout

# Models of items; controls vary them as they vary commands.
# shellcheck disable=SC2016 # items have loops of their own
items 'item a | Fig. 1 | w' \
  'for g in 2 3: model fall-$g.lua | model("fall", "|g|") local q, u = coordinates {{"q", velocity = "v", start = {0, 0}}} kinetic(u.v^2 / 2) potential($g * q.q) simulate {dt = 0.5, t_end = 1}' \
  'picus run fall-2.lua --out a.h5' 'picus run fall-3.lua --out b.h5' 'output 1 | summary' \
  'value v | last a.h5 v | -2 within 1e-12 | number | 2' 'unmoved it is of the other model' 'value w | last b.h5 v | -3 within 1e-12 | number | 3' \
  'control less gravity | potential(3 * q.q) | potential(2.5 * q.q)'
check "models of an item" "$PICUS" reproduce --items items.txt --out models
expect_match stdout '^1 items: 1 agree'
expect_match models/X/a/fall-3.lua 'potential\(3 [*] q.q\)'
check "a control of a model" "$PICUS" reproduce --items items.txt --controls --out models-controls
expect_match stdout '^1 controls: 1 disagree as they must, .* 1 of 2 values were made to disagree, 1 of the others say why not$'
sed -i 's/"|g|"/"another"/' items.txt
check "another model is run again" "$PICUS" reproduce --items items.txt --out models
expect_match stdout '^X +a +run '

# wrong LINE MESSAGE ITEM-LINE...: an item file that is rejected with its line
wrong() {
  local line=$1 message=$2
  shift 2
  items "$@"
  check "rejected: $message" "$PICUS" reproduce --items items.txt --out rejected
  expect_status 2
  expect_match stderr "^picus: items.txt:$line: $message"
}
v='value h | max b.h5 q | 1 within 1'
wrong 2 'an item must come before the line' "$v"
wrong 3 "'limit' comes after a value" 'item a | F | w' 'limit chosen' "$v"
wrong 4 "'limit' says where the limit of the value comes from" 'item a | F | w' "$v" 'limit'
wrong 5 "a value has one line 'limit'" 'item a | F | w' "$v" 'limit a' 'limit b'
wrong 3 "'unmoved' comes after a value" 'item a | F | w' 'unmoved x' "$v"
wrong 4 "'unmoved' says why no control makes the value disagree" 'item a | F | w' "$v" 'unmoved'
wrong 5 "a value has one line 'unmoved'" 'item a | F | w' "$v" 'unmoved a' 'unmoved b'
wrong 4 "a value that is only shown has no line 'unmoved'" 'item a | F | w' 'value h | max b.h5 q | shown' 'unmoved a'
wrong 2 "an id has letters, digits and dashes only, not '../x'" 'item ../x | F | w' "$v"
wrong 3 "an id has letters, digits and dashes only, not '../y'" 'paper ../y | P' 'item a | F | w' "$v"
wrong 2 'an item needs: item ID' 'item a' "$v"
wrong 2 "the item 'a' has neither a value nor 'cannot'" 'item a | F | w'
wrong 4 "there is already an item 'a'" 'item a | F | w' "$v" 'item a | F | w' "$v"
wrong 3 "there is no command 'fly'" 'item a | F | w' 'picus fly' "$v"
wrong 3 'an item cannot call picus reproduce' 'item a | F | w' 'picus reproduce' "$v"
wrong 3 'a heading has neither a comma nor a quotation mark, unlike .h, m.' 'item a | F | w' 'row t.csv | h, m = number 1' "$v"
wrong 3 'a quotation mark is not closed' 'item a | F | w' "picus run 'ball" "$v"
wrong 3 'the kind of the quantity is unknown' 'item a | F | w' 'value h | largest b.h5 q | 1 within 1'
wrong 3 'the quantity has the wrong number of arguments' 'item a | F | w' 'value h | max b.h5 q 1 | 1 within 1'
wrong 3 'an argument of the quantity is not of its kind' 'item a | F | w' 'value h | at b.h5 q x | 1 within 1'
wrong 3 'a quantity is missing' 'item a | F | w' 'value h | max b.h5 q / | 1 within 1'
wrong 3 'expected is ' 'item a | F | w' 'value h | max b.h5 q | 1 within nan'
wrong 3 'expected is ' 'item a | F | w' 'value h | max b.h5 q | about 1'
wrong 3 'not the name of a file in the folder of the item' 'item a | F | w' 'figure ../../x.svg | c' "$v"
wrong 3 'not the name of a file in the folder of the item' 'item a | F | w' 'row /etc/x | a = number 1' "$v"
wrong 3 'not the name of a .lua file in the folder of the item' 'item a | F | w' 'model ../x.lua | x = 1' "$v"
wrong 3 'not the name of a .lua file in the folder of the item' 'item a | F | w' 'model complete | x = 1' "$v"
wrong 3 'a model needs: model FILE.lua' 'item a | F | w' 'model x.lua' "$v"
wrong 3 'a loop needs' 'item a | F | w' 'for x in: picus list' "$v"
wrong 3 'loops are nested too deep' 'item a | F | w' \
  'for a in 1: for b in 1: for c in 1: for d in 1: for e in 1: picus list' "$v"
wrong 3 'a value is compared with a number, statement, reference, own or bound, not .1.' 'item a | F | w' 'value h | max b.h5 q | 1 within 1 | 1'
wrong 3 "a printed number is compared by 'within' or 'between'" 'item a | F | w' 'value h | max b.h5 q | above 1 | number | 1'
wrong 3 "a bound is 'above X' or 'below X'" 'item a | F | w' 'value h | max b.h5 q | 1 within 1 | bound'
wrong 3 'what the paper prints is missing' 'item a | F | w' 'value h | max b.h5 q | 1 within 1 | number'
wrong 4 'a control needs: control WHAT' 'item a | F | w' "$v" 'control x | y'
wrong 4 'the control changes nothing' 'item a | F | w' "$v" 'control x | y | y'
wrong 5 'a control changes a number by a factor of two at most' 'item a | F | w' 'picus run x --dt 1' "$v" 'control x | --dt 1 | --dt 3'
wrong 5 'a control changes a number by a factor of two at most' 'item a | F | w' 'picus run x --dt 1' "$v" 'control x | --set a=1 | --set a=0.4'
wrong 5 "no command of the item contains the text of the control '--dt 2'" 'item a | F | w' 'picus run x --dt 1' "$v" 'control x | --dt 2 | --dt 3'
wrong 5 'a command of an item writes to the folder of the item only' 'item a | F | w' 'picus run x --out a.h5' "$v" 'control x | a.h5 | ../a.h5'
wrong 5 'an item cannot call picus reproduce' 'item a | F | w' 'picus run x' "$v" 'control x | run | reproduce'
wrong 24 'an item has at most 20 controls' 'item a | F | w' "$v" 'control x | a | b'{1..21}
wrong 3 'unknown keyword in the line' 'item a | F | w' 'valu h' "$v"
head -c 100000 /dev/urandom >items.txt
check "random bytes" "$PICUS" reproduce --items items.txt --out rejected
expect_status 2
check "no file" "$PICUS" reproduce --items none.txt
expect_status 2
expect_match stderr "^picus: cannot read 'none.txt': "
check "an unknown paper" "$PICUS" reproduce G06
expect_status 2
expect_match stderr "^picus: there is no paper 'G06'"
check "an unknown item" "$PICUS" reproduce G05 --item fig99
expect_status 2
expect_match stderr "^picus: there is no item 'fig99' of these papers"
check "no jobs" "$PICUS" reproduce --jobs 0
expect_status 2

# Ctrl-C ends the commands under way; what is complete stays.
items 'item a | F | w' 'picus run bouncing-ball --out b.h5' 'value h | max b.h5 q | 1 within 1e-9' \
  'item b | F | w' 'picus run woodpecker --dt 1e-9 --every 1000000 --out w.h5' 'value h | max w.h5 y | 0 within 1'
"$PICUS" reproduce --items items.txt --jobs 1 --out stopped >stopped.out 2>stopped.err &
process=$!
for _ in $(seq 200); do [ -e stopped/X/b/w.h5.part ] && break; sleep 0.05; done
kill -TERM $process
wait $process
status=$?
check "exit code of the interrupted run" test $status -eq 1
check "an interruption is told" grep -c 'interrupted; the same command continues' stopped.err
expect_match stdout '^1$'
check "the command under way has ended" sh -c 'ls stopped/X/b/ | grep -c part || true'
expect_match stdout '^0$'
sed -i 's/--dt 1e-9 --every 1000000/--dt 1e-4/' items.txt
check "going on" "$PICUS" reproduce --items items.txt --jobs 1 --out stopped
expect_match stdout '^X    a +kept '
expect_match stdout '^2 items: 2 agree'
