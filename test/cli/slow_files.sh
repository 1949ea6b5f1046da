#!/usr/bin/env bash
# Runs that go on, that meet in one name, that are killed, or whose disk is full (docs/reliability.md).
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

"$PICUS" run woodpecker --t-end 0.01 --out r.h5 --csv r.csv --quiet || exit 1
cp r.h5 keep.h5
cp r.csv keep.csv
same() { cmp "$1" "$2"; }

# --- old results stay until new ones are complete ------------------------------------------------------------------------
# Some seconds of steps, a block of rows every few hundredths of a second.
slow=(run woodpecker --dt 1e-7 --every 100 --quiet)
runs=()
start() { # OPTION...: a slow run in the background; its process is the last of $runs
  "$PICUS" "${slow[@]}" "$@" >/dev/null 2>"run-${#runs[@]}.err" </dev/null &
  runs+=($!)
}
# wait_rows FILE: until an unfinished result has rows, a minute at most
wait_rows() {
  local k
  for k in $(seq 600); do
    ! "$PICUS" info "$1" 2>&1 | grep -q 'has [1-9][0-9]* rows so far' || return 0
    sleep 0.1
  done
  return 1
}
finish() { # SIGNAL: ends the last run by it; its exit code
  kill "-$1" "${runs[-1]}"
  wait "${runs[-1]}" 2>/dev/null
}

cp keep.h5 o.h5
cp keep.csv o.csv
start --out o.h5 --csv o.csv
wait_rows o.h5.part
check "an old result stays while a run goes on" same o.h5 keep.h5
expect "the old table stays" same o.csv keep.csv
expect_file o.csv.part
check "a run that goes on can be looked at" "$PICUS" info o.h5.part
expect_match stderr "note: the run is unfinished: 'o.h5.part' has [0-9]+ rows so far"
expect_match stdout '^status +running'
check "its events" "$PICUS" events o.h5.part
expect_match stderr 'the run is unfinished'
check "its figure" "$PICUS" plot o.h5.part
expect_match stderr 'the run is unfinished'
expect_match stdout '^o.png$'
check "the figure of its table" "$PICUS" plot o.csv.part phiS
expect_match stderr 'the run is unfinished'
check "comparing it" "$PICUS" compare o.h5.part o.h5.part
expect_match stderr 'the run is unfinished'

check "the older result can be looked at, and that it is older is said" "$PICUS" info o.h5
expect_match stderr "note: a newer run is writing 'o.h5.part'; 'o.h5' is outdated"
expect_match stdout '^status +done'

# --- one name, one run -----------------------------------------------------------------------------------------------
check "a second run into the same name is refused" "$PICUS" "${slow[@]}" --out o.h5
expect_status 2
expect_match stderr "another run is writing 'o.h5', in 'o.h5.part'"
expect_lines stderr 1
check "also for its table alone" "$PICUS" "${slow[@]}" --csv ./o.csv
expect_status 2
expect_match stderr "another run is writing"
ln -s o.h5 o-link.h5
check "also by a link" "$PICUS" "${slow[@]}" --out o-link.h5 --csv other.csv
expect_status 2
expect_match stderr "another run is writing"
expect_no_file other.csv
expect_no_file other.csv.part

# --- the end of a run, however it comes -------------------------------------------------------------------------------
check "SIGHUP ends a run like SIGTERM" finish HUP
expect_status 1
expect_match "run-0.err" 'interrupted at t = '
expect_no_file o.h5.part
expect_no_file o.csv.part
check "the result has its name then" "$PICUS" info o.h5
expect_match stdout '^status +interrupted'
rows=$(sed -nE 's/.*are kept: ([0-9]+) rows in o.h5/\1/p' run-0.err)
expect_match stdout "^$rows rows"
expect_equal "$(($(wc -l <o.csv) - 1))" "$(sed -nE 's/.*are kept: ([0-9]+) rows in o.csv/\1/p' run-0.err)"
check "nohup is respected" sh -c "trap '' HUP; '$PICUS' run woodpecker --t-end 3 --out n.h5 --quiet & sleep 0.2; kill -HUP \$!; wait \$!"
check "the run has reached its end" "$PICUS" info n.h5
expect_match stdout '^status +done'

start --out k.h5 --csv k.csv
wait_rows k.h5.part
check "a killed run" finish KILL
expect_status 137
expect_no_file k.h5
check "its rows are found by its name" "$PICUS" info k.h5
expect_match stderr "note: the run was killed: 'k.h5.part' has the [0-9]+ rows written before"
check "its figure" "$PICUS" plot k.h5
expect_match stderr 'was killed'
check "the figure of its table" "$PICUS" plot k.csv phiS --out k-table.png
expect_match stderr 'was killed'
cp k.h5.part keep-killed.h5
check "the next run keeps its rows" "$PICUS" run woodpecker --t-end 0.01 --out k.h5
expect_match stderr "warning: 'k.h5.part' belongs to a run that was killed; it is kept as 'k.h5.part.1'"
expect "all of them" same k.h5.part.1 keep-killed.h5
expect_no_file k.h5.part
check "they can be read" "$PICUS" info k.h5.part.1
expect_match stderr 'was killed'

# A search for a reference makes several runs: the old reference stays until the search has ended.
cp keep.h5 ref.h5
"$PICUS" reference woodpecker --accuracy 1e-11 --sample 0.01 --out ref.h5 >search.txt 2>&1 </dev/null &
search=$!
for _ in $(seq 1000); do
  if grep -qE '^ +[0-9]+ ' search.txt 2>/dev/null; then break; fi # an attempt has ended
  sleep 0.02
done
check "a second search into the same name is refused" "$PICUS" reference woodpecker --out ref.h5
expect_status 2
expect_match stderr "another run is writing"
check "the old reference stays while a search goes on" same ref.h5 keep.h5
check "the best attempt so far can be read" "$PICUS" info ref.h5.part
expect_match stderr 'the run is unfinished'
expect_match stdout 'reference.accuracy'
kill -9 $search
wait $search 2>/dev/null
check "a search that was killed" same ref.h5 keep.h5
check "the next search keeps its best attempt" "$PICUS" reference woodpecker --accuracy 1e-2 --t-end 0.05 --out ref.h5
expect_match stderr "kept as 'ref.h5.part.1'"
expect_equal "$(find . -name 'ref.h5*' | sort | tr '\n' ' ')" "./ref.h5 ./ref.h5.part.1 "
expect "the new reference" "$PICUS" info ref.h5

# Killed at any moment, over an old result: that stays, or the new one is complete.
survivors() {
  local k good=0
  for k in $(seq 12); do
    cp keep.h5 any.h5
    "$PICUS" run woodpecker --t-end 0.02 --out any.h5 --quiet &
    sleep "0.0$((RANDOM % 90 + 10))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    if cmp -s any.h5 keep.h5 || "$PICUS" info any.h5 2>&1 | grep -q '^status  *done'; then good=$((good + 1)); fi
  done
  rm -f any.h5.part*
  echo "$good"
} 2>/dev/null
check "killed at any moment" survivors
expect_equal "$(cat "$STDOUT")" 12

# Three at once: those that were let in have written a whole file, the others a sentence.
three() {
  local k pids=() code passed=0
  for k in 1 2 3; do
    "$PICUS" run woodpecker --t-end "0.$k" --out three.h5 --csv three.csv --quiet 2>"three-$k.err" &
    pids+=($!)
  done
  for k in 1 2 3; do
    wait "${pids[k - 1]}"
    code=$?
    if [ $code = 0 ]; then passed=$((passed + 1)); elif ! grep -q 'another run is writing' "three-$k.err"; then return 1; fi
  done
  [ $passed -ge 1 ] && "$PICUS" info three.h5 | grep -q '^status  *done'
}
check "three runs at once into one name" three
expect_equal "$("$PICUS" info three.h5 | sed -nE 's/^([0-9]+) rows/\1/p')" "$(($(wc -l <three.csv) - 1))"

# --- a full disk -----------------------------------------------------------------------------------------------------
full() { # BLOCKS OPTION...: a run whose files have at most so many kilobytes
  local blocks=$1
  shift
  (
    ulimit -f "$blocks"
    exec "$PICUS" run woodpecker --t-end 0.5 "$@"
  )
}
check "no room for a block: the old result stays, and that is said" full 200 --out r.h5
expect_status 1
expect_match stderr "cannot write 'r.h5': File too large; it contains no rows"
expect_match stderr "r.h5 contains nothing of this run; it is unchanged"
expect_no_match stdout 'rows in'
expect "the old result stays" same r.h5 keep.h5
expect_no_file r.h5.part
"$PICUS" run woodpecker --t-end 0.5 --out size.h5 --csv size.csv --quiet
for share in 45 65 90; do
  blocks=$(($(stat -c %s size.h5) * share / 102400))
  check "room for $share %: what is said is there" full $blocks --out full.h5
  expect_status 1
  rows=$(sed -nE 's/.*are kept: ([0-9]+) rows in full.h5$/\1/p' "$STDERR")
  expect_match stderr "its first ${rows:-none} rows are safe"
  expect_equal "$("$PICUS" info full.h5 | sed -nE 's/^([0-9]+) rows$/\1/p')" "$rows"
  expect_match <("$PICUS" info full.h5) "^status +failed: cannot write"
  blocks=$(($(stat -c %s size.csv) * share / 102400))
  check "room for $share %: what is said is in the table" full $blocks --csv full.csv
  expect_status 1
  rows=$(sed -nE 's/.*are kept: ([0-9]+) rows in full.csv$/\1/p' "$STDERR")
  expect_match stderr "its first ${rows:-none} rows are safe"
  expect_equal "$(($(wc -l <full.csv) - 1))" "$rows"
  rm -f full.h5 full.csv
done
if mkdir small && mount -t tmpfs -o size=3m tmpfs small 2>/dev/null; then
  # adaptive, with small steps: how many rows there will be is not known before
  many=(run woodpecker --adaptive --dt-min 1e-7 --dt-max 2e-5)
  check "a full file system" "$PICUS" "${many[@]}" --out small/a.h5
  expect_status 1
  expect_match stderr "No space left on device; its first [0-9]+ rows are safe"
  rows=$(sed -nE 's/.*are kept: ([0-9]+) rows in .*$/\1/p' "$STDERR")
  expect_equal "$("$PICUS" info small/a.h5 | sed -nE 's/^([0-9]+) rows$/\1/p')" "$rows"
  cp small/a.h5 full-fs.h5
  check "a run over the result on a full file system" "$PICUS" "${many[@]}" --out small/a.h5
  expect_status 1
  expect_match stderr "small/a.h5 contains nothing of this run; it is unchanged"
  expect "the old result stays" same small/a.h5 full-fs.h5
  umount small
else
  skip "a full file system" "no file system can be mounted here"
fi
if touch fixed.h5 && chattr +i fixed.h5 2>/dev/null; then
  check "a file that must not be changed" "$PICUS" run woodpecker --out fixed.h5
  expect_status 2
  expect_match stderr "cannot create 'fixed.h5': Operation not permitted"
  chattr -i fixed.h5
else
  skip "a file that must not be changed" "chattr does not work here"
fi
