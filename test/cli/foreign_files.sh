#!/usr/bin/env bash
# What files of somebody else can do at most (docs/reliability.md): checkpoints and item files.
. "$(dirname "$0")/../support/check.sh"

# --- checkpoints: picus resume writes below the folder of the result -----------------------------------------------------
mkdir mine theirs
echo precious >mine/important.csv
echo precious >mine/.hidden
ln -s important.csv mine/link.csv
mkdir mine/sub outside
ln -s ../outside mine/out
cp -r mine keep
# killed WORDS...: a checkpoint of a run with these outputs, and what it left, as mine/w.h5
killed() {
  rm -f mine/w.h5*
  (cd mine && "$PICUS" run bouncing-ball --t-end 5 --out w.h5 --checkpoint 100steps --quiet "$@") || exit 1
  rm -rf outside keep/w.h5*
  mkdir outside
  cp mine/w.h5 mine/w.h5.checkpoint theirs
  rm -rf mine
  cp -rP keep mine
  cp theirs/w.h5 theirs/w.h5.checkpoint mine
}
stays() { for file in important.csv .hidden; do cmp mine/$file keep/$file || return; done; [ -z "$(ls outside)" ]; }
here=$PWD
# foreign NAME WORDS...: outputs that are not accepted without --allow-paths
foreign() {
  local name=$1
  shift
  killed "$@"
  check "a checkpoint that names $name" sh -c "cd mine && '$PICUS' resume w.h5 --t-end 6 --quiet"
  expect_status 2
  expect_match stderr "the run of 'w.h5' would write to files that are not below its folder, or that no part of it has written: $1 .*; if the run is yours, allow them with --allow-paths"
  expect "the files stay" stays
  expect "the result stays" cmp mine/w.h5 theirs/w.h5
  [ "$name" != "an absolute path" ] || check "$name, allowed" sh -c "cd mine && '$PICUS' resume w.h5 --t-end 6 --quiet --allow-paths"
}
foreign "an absolute path" --csv "$here/outside/x.csv"
foreign "a path that leads up" --csv ../outside/x.csv
foreign "another file of the folder" --csv important.csv
foreign "a hidden file" --progress-file .hidden
foreign "a hidden file that is missing" --progress-file .missing
foreign "a link" --csv link.csv
foreign "a folder behind a link" --csv out/x.csv
foreign "a page" --view important.csv
foreign "events" --events important.csv
foreign "decisions" --decisions important.csv --adaptive
foreign "a folder for hard problems" --dump-worst ../outside/w
foreign "the first of two" --progress-file .hidden --csv fine.csv
killed
cp mine/w.h5 outside/w.h5
ln -sf ../outside/w.h5 mine/w.h5
check "a result that is a link" sh -c "cd mine && '$PICUS' resume w.h5 --t-end 6 --quiet"
expect_status 2
expect_match stderr 'written: a link to ./../outside/w.h5; if|written: a link to ../outside/w.h5; if'
expect "the target stays" cmp outside/w.h5 theirs/w.h5
check "a link, with another result" sh -c "cd mine && '$PICUS' resume w.h5 --t-end 6 --quiet --out other.h5"
check "a link, allowed" sh -c "cd mine && '$PICUS' resume w.h5 --t-end 6 --quiet --allow-paths"
expect "the link stays" test -L mine/w.h5
killed --csv table.csv --events sub/events.csv --progress-file progress --view page.html --dump-worst hard
check "files beside the result and below" sh -c "cd mine && '$PICUS' resume w.h5 --t-end 6 --quiet"
for file in table.csv sub/events.csv progress page.html hard/bouncing-ball-worst-1.hdf5; do expect_file mine/$file; done
check "they are replaced by the next part of the run" sh -c "cd mine && '$PICUS' resume w.h5 --t-end 7 --quiet"
expect_match mine/table.csv '^7,'
check "also from another folder" sh -c "cp mine/w.h5* . && '$PICUS' resume w.h5 --t-end 8 --quiet && rm w.h5*"
expect_status 2 # sub/ is not there
killed --csv /dev/null
check "to nowhere" sh -c "cd mine && '$PICUS' resume w.h5 --t-end 6 --quiet"
killed --progress-file .hidden
check "given again" sh -c "cd mine && '$PICUS' resume w.h5 --t-end 6 --quiet --progress-file progress"
expect "the files stay" stays
expect_file mine/progress

killed
check "nothing is asked of a complete run" sh -c "cd mine && chmod a-w . && '$PICUS' resume w.h5"
expect_match stdout '^w.h5 is complete'
chmod u+w mine
check "no such folder" "$PICUS" resume nowhere/w.h5
expect_status 2
expect_match stderr 'checkpoint'

# --- item files: pictures and text ----------------------------------------------------------------------------------------
items() { printf '%s\n' 'paper X | <script>1</script>' 'item a | <i>p | "w' "$@" 'value <b>v | number 1 | 1 within 1 | number | <u>' >it.items; }
items "row x.svg | <svg xmlns='http://www.w3.org/2000/svg'><script>document.title='PWNED'</script><image href='http://127.0.0.1:9/x.png'/></svg> = number 1" \
  'figure x.svg | <script>2</script>' 'table x.svg | "><img src=x onerror=1>' 'note <script>3</script>'
check "a script in a figure" "$PICUS" reproduce --items it.items --out o
check "no script in the page" grep -ciE '<script|<svg|<image|onerror=1>|<i>|<u>|<b>v' o/report.html
expect_status 1
expect_match stdout '^0$'
check "a policy in the page" grep -c "Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"" o/report.html
check "the figure is a picture" sh -c "sed -nE 's/.*src=\"data:image.svg.xml;base64,([^\"]*)\".*/\\1/p' o/report.html | base64 -d | grep -c PWNED"
check "no markup in the digest" grep -cE '(^|[^\\])<' o/report.md
expect_status 1
# --- item files: limits -----------------------------------------------------------------------------------------------------
# limited NAME MESSAGE: it.items is rejected within seconds, with little memory and stack; sanitizers need more address space than
# any limit gives
limited() {
  local limits='ulimit -v 500000; ulimit -s 1024;'
  [ -z "${PICUS_TEST_REDUCED:-}" ] || limits=
  check "$1" sh -c "$limits exec timeout 60 '$PICUS' reproduce --items it.items --list"
  expect_status 2
  expect_match stderr "^picus: it.items:3: $2"
}
repeat() { local text='' k; for ((k = 0; k < $2; k++)); do text+=$1; done; printf '%s' "$text"; }
items "picus run woodpecker --out $(repeat '{a,b}' 30)"
limited "many words" 'the line expands to more than 10000 words'
items "picus run woodpecker --out $(repeat '{,}' 20000)"
limited "many braces" 'a word has more than 100 pairs of braces'
# shellcheck disable=SC2016 # loops of items
items "for a in $(seq -s ' ' 1000): for b in $(seq -s ' ' 1000): for c in $(seq -s ' ' 1000): picus run woodpecker --dt "'$a$b$c'
limited "nested loops" 'the file expands to more than 64 MiB'
items "for a in $(repeat x 100000): for b in $(repeat "\$a" 1000): for c in $(repeat "\$b" 100): picus list"
limited "long words" 'the file expands to more than 64 MiB'
check "many items" sh -c "{ echo 'paper X | t'; seq 10001 | sed 's/.*/item a& | p | w\\ncannot x/'; } >it.items; exec '$PICUS' reproduce --items it.items --list"
expect_status 2
expect_match stderr 'a file has at most 10000 items'

# --- item files: commands write below their folder ---------------------------------------------------------------------------
escapes() {
  items "$2"
  check "a command that writes to $1" "$PICUS" reproduce --items it.items --out escape
  expect_status 2
  expect_match stderr "^picus: it.items:3: a command of an item (writes to the folder of the item only, not to|has no option --allow-paths)"
  expect_no_file escape
}
escapes "a folder above" 'picus run bouncing-ball --csv ../../../x.csv'
escapes "a folder above, later" 'picus run bouncing-ball --csv a/../../x.csv'
escapes "an absolute path" "picus run bouncing-ball --progress-file '$here/x'"
escapes "a hidden file" 'picus run bouncing-ball --out .x.h5'
escapes "a folder elsewhere" 'picus run bouncing-ball --dump-worst ../x'
escapes "a folder of pictures" 'picus render b.h5 --out ../x/'
escapes "the page of a result elsewhere" 'picus view ../../b.h5'
escapes "the figure of a result elsewhere" 'picus plot ../../b.h5'
escapes "a run elsewhere" 'picus resume ../../b.h5'
escapes "what a checkpoint names" 'picus resume b.h5 --allow-paths'
# shellcheck disable=SC2016 # a loop of items
escapes "a loop" 'for f in x ../x: picus run bouncing-ball --csv $f.csv'
items 'picus run bouncing-ball --csv b.csv --quiet' 'picus run bouncing-ball --out b.h5 --quiet' 'picus plot b.h5' 'picus view b.h5' 'picus plot b.h5 --out b.svg' 'figure b.svg | c'
check "names in the folder" "$PICUS" reproduce --items it.items --out inside
for file in b.csv b.png b.html; do expect_file inside/X/a/$file; done
for file in b.csv b.h5 b.svg; do
  rm -rf inside
  mkdir -p inside/X/a
  echo precious >precious
  ln -s ../../../precious inside/X/a/$file
  check "a link in the folder: $file" "$PICUS" reproduce --items it.items --out inside
  expect_status 2
  expect_match stderr "inside/X/a/$file' is a symbolic link"
  expect_match precious '^precious$'
done
items 'picus run bouncing-ball --csv sub/b.csv --quiet'
rm -rf inside
mkdir -p inside/X/a
ln -s "$here" inside/X/a/sub
check "a folder behind a link" "$PICUS" reproduce --items it.items --out inside
expect_status 1
expect_match stdout "failed: 'sub/b.csv' is not in the folder of the item, or is a link"
expect_no_file b.csv
