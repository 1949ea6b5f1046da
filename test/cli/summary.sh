#!/usr/bin/env bash
# What the summary of a run says of impacts, chatter and energies, and that no row is lost at the end of a run.
. "$(dirname "$0")/../support/check.sh"

# Feet of 1e-4 kg below a hip of 1 kg: five heel strikes in 20 s, whatever the step size
for dt in 2e-3 1e-3 5e-4; do
  check "impacts of light feet, dt = $dt" "$PICUS" run "$TEST_DATA/cases/walker.lua" --scheme rattle --dt $dt
  expect_match stdout '^  impacts         5$'
done

# a box between two motors: contacts between shapes have one sum, joints at rest dissipate nothing
check "laws with shapes" "$PICUS" run "$TEST_DATA/cases/pusher.lua"
expect_match stdout '^  chatter         [0-9]+ closings? within four steps after opening, [1-9][0-9]* of them at contacts between shapes$'
expect_match stdout '^    of which      drive [-0-9.e]+, wrist [-0-9.e]+, contacts between shapes 11\.[0-9]+$'
check "joints at rest are the error of the scheme" "$PICUS" run slider-crank-bodies --scheme moreau --dt 1e-4 --out joints.h5
expect_match stdout '^  dissipated      0\.37[0-9]+ J by contacts, friction and constraints$'
expect_match stdout '^    of which      corner1 [0-9.e-]+, corner2 [0-9.e-]+, corner3 [0-9.e-]+, corner4 [0-9.e-]+$'
expect_match stdout '^  balance         -1\.44 J, the error of the scheme, -1\.44 J of it at constraints$'
check "the file has it, too" "$PICUS" info joints.h5
expect_match stdout '^statistics.spurious +1\.43[0-9]+$'

# 100 samples of a little more than a hundredth of the run: the last one is at the end, as in a run with fixed steps
for how in '--adaptive --dt-min 1e-11 --atol 1e-12 --rtol 1e-12' '--adaptive' '--fixed' '--fixed --dt 0.00037'; do
  # shellcheck disable=SC2086 # several options
  check "the last row: $how" "$PICUS" run "$TEST_DATA/cases/wedge.lua" $how --t-end 0.45 --sample 0.0045000000000000005 --csv rows.csv --quiet
  [ "$(wc -l <rows.csv)" = 102 ] || complain "$(wc -l <rows.csv) lines"
  [ "$(tail -n 1 rows.csv | cut -d, -f1)" = 0.45 ] || complain "the last row is at $(tail -n 1 rows.csv | cut -d, -f1)"
done

cat >both.lua <<'END'
local q, u = coordinates {{"x", velocity = "v"}}
kinetic(u.v^2 / 2)
simulate {dt = 1e-2, t_end = 1, every = 30, sample = 0.25}
END
check "every and sample in a model" "$PICUS" run both.lua
expect_status 2
expect_match stderr '^picus: both.lua:3: every = 30 and sample = 0.25 exclude each other; give the one by which rows are recorded$'
