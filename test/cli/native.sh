#!/usr/bin/env bash
# --native: formulas as native code. The numbers are those of the interpreter, also across a checkpoint; without a
# compiler or a cache there is a note.
. "$(dirname "$0")/../support/check.sh"
. "$PICUS_SOURCE/test/support/results.sh"
export XDG_CACHE_HOME=$PWD/cache
unset CC

"$PICUS" run slider-crank --t-end 0.02 --out plain.h5 --quiet
check "a run with native code" "$PICUS" run slider-crank --t-end 0.02 --out native.h5 --native
expect_match stdout '^  native code     [0-9]+ operations in 2 objects, 2 compiled now$'
expect_empty stderr
same plain.h5 native.h5 || complain "the results differ"
check "objects are in the cache of the user" sh -c 'ls cache/picus | grep -vxE "[0-9a-f]{64}[.]so"'
expect_status 1
check "the next run finds them" "$PICUS" run slider-crank --t-end 0.02 --native --set mu=0.02
expect_match stdout '^  native code     [0-9]+ operations in 2 objects, 0 compiled now$'
[ "$(stat -c %a cache/picus)" = 700 ] || complain "others may look into the cache"

check "without a compiler there is a note" env CC=/nowhere/cc "$PICUS" run slider-crank --t-end 0.02 --out other.h5 --native
expect_match stderr "^note: expressions are interpreted, not compiled: the C compiler '/nowhere/cc' does not run$"
expect_match stdout '^  interpreted     [0-9]+ operations: the C compiler'
same plain.h5 other.h5 || complain "the results differ"
check "without a cache, too" env XDG_CACHE_HOME=/dev/null "$PICUS" run slider-crank --t-end 0.02 --native
expect_match stderr '^note: expressions are interpreted, not compiled: /dev/null/picus cannot be created'
for case in "XDG_CACHE_HOME=/$(printf '%05000d' 0)|XDG_CACHE_HOME is too long" "HOME=relative|HOME is not an absolute path" "HOME=|HOME is not set"; do
  check "no cache: ${case#*|}" env -u XDG_CACHE_HOME "${case%|*}" "$PICUS" run slider-crank --t-end 0.001 --native
  expect_match stderr "^note: expressions are interpreted, not compiled: there is no folder for the cache: ${case#*|}$"
done
# Root may write everywhere but in the folders of the system itself.
home=$PWD/locked
mkdir -m 500 "$home"
[ "$(id -u)" -ne 0 ] || home=/sys
check "a home that cannot be written" env -u XDG_CACHE_HOME HOME="$home/nowhere" "$PICUS" run slider-crank --t-end 0.001 --native
expect_match stderr '/nowhere/.cache/picus cannot be created: (Permission denied|Operation not permitted|Read-only file system)$'
check "--quiet hides it" env CC=/nowhere/cc "$PICUS" run slider-crank --t-end 0.02 --native --quiet
expect_empty stderr

"$PICUS" run slider-crank --t-end 0.01 --out a.h5 --checkpoint 1h --quiet
check "an interpreted run goes on with native code" "$PICUS" resume a.h5 --t-end 0.02 --native
expect_match stdout '^  native code '
same plain.h5 a.h5 || complain "the results differ"
"$PICUS" run slider-crank --t-end 0.01 --out b.h5 --checkpoint 1h --native --quiet
check "a run with native code goes on without" env CC=/nowhere/cc "$PICUS" resume b.h5 --t-end 0.02
expect_match stderr '^note: expressions are interpreted'
same plain.h5 b.h5 || complain "the results differ"
check "and with it" "$PICUS" resume b.h5 --t-end 0.021 --native --quiet

check "a reference with native code" "$PICUS" reference slope --accuracy 1e-5 --native --out ref.h5 --quiet
"$PICUS" reference slope --accuracy 1e-5 --out plain-ref.h5 --quiet
same plain-ref.h5 ref.h5 || complain "the references differ"
check "schemes with native code" "$PICUS" compare slope --schemes moreau,rattle --dt 1e-2 --native --accuracy 1e-4 --quiet
check "a command that makes no steps has no such option" "$PICUS" check slope --native
expect_status 2
