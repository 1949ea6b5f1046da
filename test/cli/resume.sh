#!/usr/bin/env bash
# picus run --checkpoint and picus resume: a run that was stopped goes on to the very results of the run that was never
# stopped. The test faults_kills kills runs.
. "$(dirname "$0")/../support/check.sh"
. "$PICUS_SOURCE/test/support/results.sh"
"$PICUS" run woodpecker --t-end 0.4 --dt 1e-5 --out whole.h5 --quiet
check "a run that a queue ends returns 75 and goes on" "$PICUS" run woodpecker --t-end 0.4 --dt 1e-5 --out nice.h5 --nice-exit-after 0.001s --quiet
expect_status 75
expect_match stderr 'picus resume nice.h5'
check "and has the same results" "$PICUS" resume nice.h5 --quiet
same whole.h5 nice.h5 || complain "the results differ"

mkdir -p there
(cd there && "$PICUS" run woodpecker --t-end 0.4 --dt 1e-5 --out far.h5 --nice-exit-after 0.001s --quiet 2>/dev/null)
check "a run goes on from another folder" "$PICUS" resume there/far.h5 --quiet
[ ! -e far.h5 ] || complain "the results went to the present folder"
same whole.h5 there/far.h5 || complain "the results differ"

"$PICUS" run woodpecker --t-end 0.4 --dt 1e-5 --out term.h5 --checkpoint 1h --quiet 2>/dev/null &
pid=$!
until [ -e term.h5.part ] || [ -e term.h5 ]; do sleep 0.005; done
kill -TERM "$pid" 2>/dev/null
wait "$pid"
check "SIGTERM leaves a checkpoint" "$PICUS" resume term.h5 --quiet
same whole.h5 term.h5 || complain "the results differ"

check "a run can be extended" "$PICUS" resume term.h5 --t-end 0.5
expect_match stdout '50000'
"$PICUS" run woodpecker --t-end 0.5 --dt 1e-5 --out longer.h5 --quiet
same longer.h5 term.h5 || complain "the results differ from those of the longer run"
check "a branch leaves the first file" "$PICUS" resume nice.h5 --t-end 0.42 --out branch.h5 --quiet
same whole.h5 nice.h5 || complain "the first file has changed"

"$PICUS" run woodpecker --t-end 0.4 --dt 1e-5 --out early.h5 --nice-exit-after 0.001s --quiet 2>/dev/null
check "an end before the checkpoint is rejected" "$PICUS" resume early.h5 --t-end 1e-9 --quiet
expect_status 2
expect_match stderr '^picus: --t-end 1e-09 is before the checkpoint at t = [0-9.e-]+; give a later end, or go back to an earlier checkpoint by --from T'
check "and the run still has its end" "$PICUS" resume early.h5 --quiet
same whole.h5 early.h5 || complain "the results differ"

check "another parameter is not the same run" "$PICUS" resume nice.h5 --set mM=0.0004
expect_status 2
expect_match stderr 'force-model'
check "it goes on if that is wanted" "$PICUS" resume nice.h5 --set mM=0.0004 --force-model --t-end 0.41 --out other.h5 --quiet
check "there must be a checkpoint" "$PICUS" resume whole.h5
expect_status 2
expect_match stderr 'no checkpoint'
cp branch.h5 x.h5
cp term.h5.checkpoint x.h5.checkpoint
check "results of another run are noticed" "$PICUS" resume x.h5
expect_status 2
expect_match stderr 'rows and .* that its checkpoint has counted'
head -c 1000 nice.h5.checkpoint >cut.h5.checkpoint
check "a checkpoint that is cut is not used" "$PICUS" resume cut.h5
expect_status 2
expect_match stderr 'checksum is wrong'
check "the progress of a run is in a file" "$PICUS" run woodpecker --t-end 0.1 --out p.h5 --progress-file p.json --checkpoint 0.04t --quiet
check "which is one object of JSON" cat p.json
expect_match stdout '^[{]"model": "woodpecker", "status": "done", "t": 0.1, "t_end": 0.1, "fraction": 1, "steps": [0-9]+, "elapsed_s": [0-9.e-]+, "left_s": 0, "t_per_s": [0-9.e-]+, "checkpoint_t": 0.1[}]$'
printf 'model("a\\xff\\xc3\\xa4 \\"b\\" \\\\")\nlocal q, u = coordinates { { "x", velocity = "v" } }\nkinetic(u.v^2)\nsimulate {scheme = "moreau", dt = 1e-3, t_end = 2e-3}\n' >odd.lua
check "a name of any bytes" "$PICUS" run odd.lua --progress-file odd.json --quiet
check "is a string of JSON" cat odd.json
expect_match stdout '^[{]"model": "a\\\\xffä \\"b\\" \\\\", "status": "done", '
"$PICUS" run woodpecker --t-end 0.01 --out none.h5 --checkpoint 10steps --quiet
rm none.h5
check "no result at all" "$PICUS" resume none.h5
expect_status 2
expect_match stderr "^picus: no readable part of 'none.h5' is of the run of its checkpoint; 'picus run .*woodpecker' begins the run again$"
check "the progress of a run that is stopped" "$PICUS" run woodpecker --t-end 0.4 --dt 1e-5 --out q.h5 --progress-file q.json --nice-exit-after 0.001s --quiet
expect_status 75
check "has its checkpoint" cat q.json
expect_match stdout '"status": "interrupted", "t": ([0-9.e-]+), .*"steps": [1-9].*"checkpoint_t": \1[}]'
check "a run that goes on has it" "$PICUS" resume q.h5 --quiet
check "and ends with all steps" cat q.json
expect_match stdout '"status": "done", "t": 0.4, .*"steps": 40000'
check "a place that cannot be written is noticed at once" "$PICUS" run woodpecker --out y.h5 --progress-file no/where.json
expect_status 2
check "checkpoints need a file" "$PICUS" run woodpecker --checkpoint 60
expect_status 2
expect_match stderr 'needs --out'
check "an interval must be one" "$PICUS" run woodpecker --out y.h5 --checkpoint often
expect_status 2

# a run of more than 3000 columns, whose first rows are in its checkpoint only, and a resume that was killed as it began
wide=(disks --set n=501)
"$PICUS" run "${wide[@]}" --t-end 0.02 --out whole.h5 --quiet
"$PICUS" run "${wide[@]}" --t-end 0.012 --out half.h5 --checkpoint 1h --quiet
mv half.h5 half.h5.part.1
"$PICUS" run "${wide[@]}" --t-end 0.001 --out begun.h5 --quiet
mv begun.h5 half.h5.part
check "a file that was only begun is not taken for the results" "$PICUS" resume half.h5 --t-end 0.02 --quiet
same whole.h5 half.h5 || complain "the results differ"

# another run into the same file: its results are never taken for those of the older checkpoint
"$PICUS" run woodpecker --t-end 0.4 --dt 1e-5 --out X.h5 --nice-exit-after 0.001s --quiet 2>/dev/null
check "another run into a file with a checkpoint" "$PICUS" run bouncing-ball --out X.h5
expect_match stderr "the checkpoint of an earlier run is now 'X.h5.checkpoint.before'"
expect_no_file X.h5.checkpoint
expect_no_file X.h5.checkpoint.before
cp X.h5 before.h5
check "has no checkpoint" "$PICUS" resume X.h5
expect_status 2
cmp -s X.h5 before.h5 || complain "the file has changed"
