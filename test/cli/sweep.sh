#!/usr/bin/env bash
# picus sweep: points, files, kills, parts, failed runs, and messages.
. "$(dirname "$0")/../support/check.sh"

ball=(sweep bouncing-ball --set 'e=0.3,0.5,0.7' --start q=0.5:2:4 --dt 1e-3 --t-end 0.5 --collect 'max(q) q,impacts')
check "a sweep" "$PICUS" "${ball[@]}" --out ball.h5 --csv ball.csv --threads 1
expect_lines stdout 3
expect_match stdout '^bouncing-ball: 12 of 12 runs$'
expect_lines ball.csv 13
expect_match ball.csv '^point,e,q,max\(q\),q,impacts,status,message$'
expect_match ball.csv '^0,0.3,0.5,0.5,[-0-9.e]+,[0-9]+,PICUS_OK,$'
expect_match ball.csv '^11,0.7,2,2,'
expect_no_file ball.h5.journal
check "the value of a run" "$PICUS" run bouncing-ball --set e=0.7 --dt 1e-3 --t-end 0.5 --sample 0 --csv - --columns q --quiet
expect_equal "$(tail -1 "$STDOUT" | cut -d, -f2)" "$("$PICUS" sweep bouncing-ball --set e=0.7 --dt 1e-3 --t-end 0.5 --collect q --csv - --quiet | tail -1 | cut -d, -f3)"

# A killed sweep continues: nothing that the journal has is made again, and the files are the same.
points=$(test_size 60 60 600)
long=(sweep woodpecker --set "mu=0.1:0.5:$points" --t-end 0.3 --dt 4e-6 --collect 'y impacts max(beak.gap)')
check "without a kill" "$PICUS" "${long[@]}" --out whole.h5 --threads 1 --quiet
records() { echo $((($(stat -c %s killed.h5.journal 2>/dev/null || echo 40) - 40) / 56)); }
kills=$(test_size 2 4 50)
lost=0
for ((k = 0; k < kills; k++)); do
  before=$(records)
  "$PICUS" "${long[@]}" --out killed.h5 --threads 2 --quiet &
  process=$!
  for ((wait = 0; wait < 400; wait++)); do
    [ "$(records)" -lt $((before + points / kills / 2 + 1)) ] || break
    sleep 0.02
  done
  kill -9 $process
  wait $process 2>/dev/null
  [ "$(records)" -ge "$before" ] || lost=1
done
made=$(records)
check "after kills" "$PICUS" "${long[@]}" --out killed.h5 --threads 2
expect_equal "$lost" 0
expect_match stdout "^woodpecker: $points of $points runs, $made of them from the journal$"
expect "the file is the same" cmp whole.h5 killed.h5
expect_no_file killed.h5.journal

check "a file with the name of the journal" sh -c "echo no > other.h5.journal; '$PICUS' sweep bouncing-ball --set e=0:1:3 --out other.h5"
expect_status 2
expect_match stderr "^picus: 'other.h5.journal' is not a journal of a study"
expect_equal "$(cat other.h5.journal)" no

# Parts, in any order, and what is missing.
for part in 3 1; do
  check "part $part" "$PICUS" "${long[@]}" --out parts.h5 --part $part/3
  expect_match stdout "^part $part of 3 is in parts.h5.journal.$part-of-3$"
  expect_no_file parts.h5
done
check "a part is missing" "$PICUS" "${long[@]}" --out parts.h5 --merge 3
expect_status 1
expect_match stderr "^picus: $((points / 3)) of $points runs are missing; complete --part 2/3 first$"
check "the last part" "$PICUS" "${long[@]}" --out parts.h5 --part 2/3 --quiet
check "the parts together" "$PICUS" "${long[@]}" --out parts.h5 --merge 3
expect "the file is the same" cmp whole.h5 parts.h5

# Runs that continue each other.
chain=(sweep bouncing-ball --set e=0.5:0.7:3 --continue forth-and-back --t-end 3 --dt 1e-3 --csv)
check "forth and back" "$PICUS" "${chain[@]}" chain.csv --threads 2 --quiet
expect_lines chain.csv 7
expect_equal "$(cut -d, -f2 chain.csv | tr '\n' ' ')" "e 0.5 0.6 0.7 0.7 0.6 0.5 "
for part in 2 1; do
  check "part $part of one chain" "$PICUS" "${chain[@]}" parts.csv --part $part/2
done
check "the parts together" "$PICUS" "${chain[@]}" parts.csv --merge 2 --quiet
expect "the file is the same" cmp chain.csv parts.csv
check "no such way" "$PICUS" sweep bouncing-ball --set e=0:1:3 --continue on --csv -
expect_status 2
expect_match stderr "^picus: --continue is forth or forth-and-back, not 'on'$"

# Sections: the same bytes for any threads and parts; the states are those of the event log.
section=(sweep woodpecker --set mu=0.25:0.35:6 --t-end 1 --dt 1e-4 --section beak:impact --last 3)
check "a section" "$PICUS" "${section[@]}" --out section.h5 --section-csv section.csv --threads 1
expect_match stdout '^results in section.csv$'
expect_match section.csv '^point,mu,t,y,phiM,phiS,v,omegaM,omegaS$'
expect_equal "$(cut -d, -f1 section.csv | sort | uniq -c | awk '$2 != "point" && $1 != 3' | wc -l)" 0
check "the event log" sh -c "'$PICUS' run woodpecker --set mu=0.25 --t-end 1 --dt 1e-4 --out event.h5 --quiet && '$PICUS' events event.h5 --law beak --states --csv event.csv"
state=$(sed -n 4p section.csv | cut -d, -f3-)
expect "the last state is in it" grep -qF "$state" event.csv
check "zeros of an expression" "$PICUS" sweep linear-oscillator --set v0=0 --set q0=1,2 --adaptive --t-end 20 \
  --section 'q - 0.5:falls' --section-csv zeros.csv --quiet
expect_equal "$(cut -d, -f1 zeros.csv | tr '\n' ' ')" "point 0 1 1 "
check "of an expression without meaning" "$PICUS" sweep linear-oscillator --section 'q + nothing' --csv -
expect_status 2
expect_match stderr "'q . nothing' is not a valid expression: column 5"
for part in 2 1; do
  check "part $part of a section" "$PICUS" "${section[@]}" --out part.h5 --section-csv part.csv --part $part/2 --threads 2 --quiet
done
check "parts of a section together" "$PICUS" "${section[@]}" --out part.h5 --section-csv part.csv --merge 2 --quiet
expect "the file is the same" cmp section.h5 part.h5
expect "the table is the same" cmp section.csv part.csv
check "a diagram" "$PICUS" plot section.csv --x mu phiS --dots --out diagram.png
expect_file diagram.png
check "points and dots" "$PICUS" plot section.csv --x mu phiS --dots --points --out diagram.png
expect_status 2

check "failed runs are rows" "$PICUS" sweep bouncing-ball --set e=0.5,3 --dt 1e-2 --csv failed.csv
expect_match stdout '^bouncing-ball: 2 of 2 runs, 1 failed: see their messages$'
expect_match failed.csv '^1,3,nan,nan,PICUS_ERROR_ARGUMENT,.*eN of contact .* is 3'
check "samples" "$PICUS" sweep bouncing-ball --set e=0:1 --set f=1 --sampling sobol --samples 4 --dt 1e-2 --csv sobol.csv --quiet
expect_equal "$(cut -d, -f2 sobol.csv | paste -sd' ')" "e 0 0.5 0.75 0.25"
check "a list" "$PICUS" sweep bouncing-ball --set e=0.1,0.2 --vary dt=1e-2,5e-3 --sampling list --csv list.csv --quiet
expect_lines list.csv 3
check "a dry run" "$PICUS" sweep bouncing-ball --set e=0:0.9:1000 --dt 1e-2 --dry-run
expect_match stdout '^1000 runs, about [0-9.e-]+ s of one core each, [0-9.e-]+ s with [0-9]+ threads$'

# wrong MESSAGE ARGUMENT...: rejected as wrong input.
wrong() {
  check "rejected: ${*:2}" "$PICUS" sweep bouncing-ball "${@:2}"
  expect_status 2
  expect_match stderr "^picus: $1"
}
wrong "a sweep needs --out" --set e=0:1:3
wrong "there is no parameter 'k'" --set k=1 --csv a.csv
wrong "the model has no coordinate or velocity 'z'" --start z=1 --csv a.csv
wrong "there is no option 'dtt'; did you mean 'dt'" --vary dtt=1 --csv a.csv
wrong "--set takes NAME=VALUE" --set e --csv a.csv
wrong "the range '0:1:1.5' needs an integer" --set e=0:1:1.5 --csv a.csv
wrong "'x' in '0,x' is not a number" --set e=0,x --csv a.csv
wrong "'e' has a range without the number" --set e=0:1 --csv a.csv
wrong "--sampling sobol needs --samples" --set e=0:1 --sampling sobol --csv a.csv
wrong "--samples needs --sampling" --set e=0:1:2 --samples 3 --csv a.csv
wrong "--part takes I/N" --set e=0:1:2 --part 4/3 --csv a.csv
wrong "--part, --merge and --so-far need the name of a file" --set e=0:1:2 --part 1/3 --csv -
wrong "--csv a.h5.journal: names with .journal are kept" --set e=0:1:2 --out a.h5 --csv a.h5.journal
wrong "no column of the results matches 'nothing'" --set e=0:1:2 --collect nothing --csv a.csv
wrong "a sweep stores no rows" --set e=0:1:2 --sample 0.1 --csv a.csv
wrong "a section needs a law or an event of the model, not 'grond'; did you mean 'ground'" --section grond --csv a.csv
wrong "'ground:falls': a law closes" --section ground:falls --csv a.csv
wrong "--section-every takes a time above 0, not '0'" --section-every 0 --csv a.csv
wrong "--section-every takes a time above 0, not 'x'" --section-every x --csv a.csv
wrong "--last and --section-csv need --section" --last 3 --csv a.csv
wrong "a section keeps 1 to" --section ground --last 0 --csv a.csv
wrong "a section has states at 'ground' or at multiples" --section ground --section-every 1 --csv a.csv
wrong "'e' is varied twice" --set e=0.5 --set e=0.3 --csv a.csv

# One line for other programs.
check "one line of values" "$PICUS" run bouncing-ball --dt 1e-2 --t-end 0.5 --json --collect 'q max(q),impacts'
expect_lines stdout 1
expect_empty stderr
expect_match stdout '^\{"model":"bouncing-ball","status":"PICUS_OK","message":"","values":\{"q":[-0-9.e]+,"max\(q\)":1,"impacts":[0-9]+\}\}$'
expect_equal "$(sed -E 's/.*"q":([^,]*),.*/\1/' "$STDOUT")" "$("$PICUS" sweep bouncing-ball --dt 1e-2 --vary t_end=0.5 --collect q --csv - --quiet | tail -1 | cut -d, -f3)"
check "a start" "$PICUS" run bouncing-ball --start q=2 --dt 1e-2 --t-end 0 --json
expect_match stdout '"values":\{"q":2,"v":0\}\}$'
check "a run that fails is a line" "$PICUS" run bouncing-ball --start q=1e300 --start v=-1e300 --dt 1e-2 --json
expect_status 1
expect_match stdout '^\{"model":"bouncing-ball","status":"PICUS_[A-Z_]+","message":".+","values":\{"q":null,"v":null\}\}$'
check "no such value" "$PICUS" run bouncing-ball --json --collect nothing
expect_status 2
expect_empty stdout
check "no files" "$PICUS" run bouncing-ball --json --out a.h5
expect_status 2
expect_match stderr '^picus: --json prints one line of values and writes no files: leave out --out$'
check "values need a place" "$PICUS" run bouncing-ball --collect q
expect_status 2
expect_match stderr '^picus: --collect needs --json, or picus sweep$'
