#!/usr/bin/env bash
# picus resume --from: runs that go back to an earlier checkpoint, branches, runs that are extended, and models whose
# files have changed or are gone. All results are those of unbroken runs.
. "$(dirname "$0")/../support/check.sh"
. "$PICUS_SOURCE/test/support/results.sh"

rewound() { # NAME OPTION...: a run with a history, from its middle to its end and beyond
  local name=$1
  shift
  "$PICUS" run "$@" --t-end 0.12 --out past.h5 --checkpoint 0.02t --checkpoint-keep 9 --quiet
  "$PICUS" run "$@" --t-end 0.12 --out whole.h5 --quiet
  "$PICUS" run "$@" --t-end 0.2 --out longer.h5 --quiet
  check "$name: a branch from the past" "$PICUS" resume past.h5 --from 0.05 --out branch.h5 --quiet
  same whole.h5 branch.h5 || complain "the results differ from those of the unbroken run"
  check "$name: a second branch, extended" "$PICUS" resume past.h5 --from 0.05 --t-end 0.2 --out other.h5 --quiet
  same longer.h5 other.h5 || complain "the results differ from those of the longer run"
  check "$name: back in its own file, and shorter" "$PICUS" resume past.h5 --from 0.05 --t-end 0.1 --quiet
  check "$name: extended" "$PICUS" resume past.h5 --from 0.09 --t-end 0.12 --quiet
  same whole.h5 past.h5 || complain "the results differ from those of the unbroken run"
  check "$name: extended twice" "$PICUS" resume past.h5 --from 0.11 --t-end 0.2 --quiet
  same longer.h5 past.h5 || complain "the results differ from those of the longer run"
  rm -f ./*.h5*
}
rewound "fixed steps" woodpecker --dt 1e-4
rewound "adaptive steps" woodpecker --adaptive --dt-min 1e-7 --dt-max 2e-3 --sample 1e-3
rewound "shapes" dominoes --set n=4
rewound "a beam" cantilever-stop --every 4

"$PICUS" run woodpecker --dt 1e-4 --t-end 0.1 --out w.h5 --checkpoint 100steps --checkpoint-keep 3 --quiet
check "so many checkpoints are kept" ls w.h5.checkpoint.*
expect_match stdout 'checkpoint.11$'
expect_no_match stdout 'checkpoint.8$'
check "there is none so early" "$PICUS" resume w.h5 --from 0.01
expect_status 2
expect_match stderr 'earliest one is of t = 0.09'
check "a run that is complete is no failure" "$PICUS" resume w.h5
expect_match stdout 'w.h5 is complete: its run ended at t = 0.1'
cp w.h5 before.h5
check "and stays as it is" "$PICUS" resume w.h5 --quiet
cmp -s w.h5 before.h5 || complain "the file has changed"
check "a run that goes back forgets what came later" "$PICUS" resume w.h5 --from 0.09 --t-end 0.095 --quiet
expect_no_file w.h5.checkpoint.12
expect_file w.h5.checkpoint.10
check "how many are kept is a number" "$PICUS" run woodpecker --out x.h5 --checkpoint 60 --checkpoint-keep 0
expect_status 2
check "which needs checkpoints" "$PICUS" run woodpecker --out x.h5 --checkpoint-keep 2
expect_status 2
check "a simulated time is positive" "$PICUS" run woodpecker --out x.h5 --checkpoint -1t
expect_status 2
expect_match stderr '0.5t'

# --- models whose files change ------------------------------------------------------------------------------------------
printf '%%%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2.0\n' >M.mtx
printf '%%%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 3.0\n' >K.mtx
printf 'solid s\nfacet normal 0 0 1\nouter loop\nvertex -9 -9 0\nvertex 9 -9 0\nvertex 0 9 0\nendloop\nendfacet\nendsolid s\n' >plate.stl
printf 'v 20 -9 0\nv 38 -9 0\nv 29 9 0\nf 1 2 3\n' >slab.obj
cat >m.lua <<'LUA'
parameters { v = {1, "m/s", "initial velocity"} }
gravity {0, 0, -9.81}
structure { "s", mass = "M.mtx", stiffness = "K.mtx", start = {0.1} }
mesh {"plate", file = "plate.stl"}
mesh {"slab", file = "slab.obj"}
sphere {"far", suffix = "f", radius = 0.1, density = 100, position = {29, 0, 0.15}}
sphere {"ball", radius = 0.1, density = 100, position = {0, 0, 0.2}}
simulate { dt = 1e-3, t_end = 0.5 }
LUA
mkdir -p kept
cp m.lua ./*.mtx ./*.stl ./*.obj kept
"$PICUS" run m.lua --out whole.h5 --quiet
for change in M.mtx plate.stl slab.obj m.lua; do
  cp kept/* .
  "$PICUS" run m.lua --out m.h5 --nice-exit-after 0.001s --quiet 2>/dev/null
  case $change in
  *.mtx) sed -i 's/2.0/4.0/' M.mtx ;;
  *.obj) sed -i 's/v 20 -9 0/v 20 -9 -1/' slab.obj ;;
  *.stl) sed -i 's/vertex -9 -9 0/vertex -9 -9 -1/' plate.stl ;;
  *) sed -i 's/9.81/1.62/' m.lua ;;
  esac
  check "the model of the checkpoint counts: $change" "$PICUS" resume m.h5 --out n.h5
  expect_match stderr "$change' has changed since the run began; the run continues with the model of its checkpoint"
  same whole.h5 n.h5 || complain "the results differ"
  check "with --force-model the present one: $change" "$PICUS" resume m.h5 --force-model --out n.h5 --quiet
  same whole.h5 n.h5 2>/dev/null >/dev/null && complain "the results are those of the old model"
done
rm -f m.lua ./*.mtx ./*.stl ./*.obj
check "a model that is gone" "$PICUS" resume m.h5 --out n.h5
expect_match stderr "m.lua' cannot be read; the run continues with the model of its checkpoint"
same whole.h5 n.h5 || complain "the results differ"
check "another parameter of a model that is gone" "$PICUS" resume m.h5 --force-model --set v=2 --out n.h5 --quiet
check "another parameter without force" "$PICUS" resume m.h5 --set v=2
expect_status 2
printf 'picus run ck 1\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' >m.h5.checkpoint
check "a checkpoint of another version" "$PICUS" resume m.h5
expect_status 2
expect_match stderr 'another version of Picus'
