#!/usr/bin/env bash
# Numbers that are not finite end a run of any scheme with a name, a time and the formula; so does growth that halved
# steps do not confirm. Contacts that were passed through, and penetrations that a scheme does not explain, are named.
. "$(dirname "$0")/../support/check.sh"

cases=$TEST_DATA/cases
schemes="moreau moreau-jean moreau-projected moreau-combined schatzman-paoli rattle moreau-explicit half-explicit"

# --- what is not finite ---------------------------------------------------------------------------------------------
for scheme in $schemes; do
  check "a gap that is no number, $scheme" "$PICUS" run "$cases/nangap.lua" --scheme "$scheme"
  expect_status 1
  expect_match stderr "^picus: the gap (of|velocity of) 'c' is not a finite number .* at t = 0.2"
  expect_match stderr '\(0.2 - t\) = |/\(t - 0.2\) = '
  expect_match stdout 'failed at t = 0\.(19|2)'
  check "a potential that is no number, $scheme" "$PICUS" run "$cases/nanpot.lua" --scheme "$scheme" --csv "$scheme.csv"
  expect_status 1
  expect_match stderr "^picus: the potential energy is not a finite number .* at t = 0.2: log\(0.2 - t\) = log\(.*\) in x \+ log\(0.2 - t\)"
  expect_lines "$scheme.csv" 21
done
for scheme in moreau moreau-jean rattle moreau-explicit half-explicit; do
  check "a constraint that is no number, $scheme" "$PICUS" run "$cases/nancon.lua" --scheme "$scheme"
  expect_status 1
  expect_match stderr "^picus: the (constraint|gap velocity of) 'c' is not a finite number .* at t = 0.2"
done
for scheme in moreau moreau-jean moreau-projected moreau-combined rattle moreau-explicit half-explicit; do
  for case in nangap nancon nanpot; do
    check "$case in an adaptive run, $scheme" "$PICUS" run "$cases/$case.lua" --adaptive --scheme "$scheme"
    expect_status 1
    expect_match stderr "^picus: "
    expect_no_match stdout 'done'
  done
done

check "energy at the end, without rows" "$PICUS" run "$cases/nanpot.lua"
expect_status 1
expect_match stderr "^picus: the potential energy is not a finite number \(nan\) at t = 0.5"

# --- growth that halved steps do not confirm ------------------------------------------------------------------------
for scheme in moreau rattle half-explicit; do
  check "a spring beyond the explicit limit, $scheme" "$PICUS" run "$cases/stiff.lua" --scheme "$scheme" --csv stiff.csv
  expect_status 1
  expect_match stderr "^picus: the motion grows from t = 0.00. on, but smaller steps do not confirm this: .* differ by [0-9]+ % at 'vz'"
  expect_match stderr "correspond to 1e\+04 rad/s, and $scheme is stable only for dt < 0.0002 s; use a smaller step"
  expect_match stdout 'failed at t = 0.008 s'
  expect_lines stiff.csv 10
done
check "an implicit scheme takes the same spring" "$PICUS" run "$cases/stiff.lua" --scheme moreau-jean

printf 'local q, u = coordinates { { "z", velocity = "v", start = { 1e300, 0 } } }\nkinetic(u.v^2 / 2)\nsimulate { dt = 1, t_end = 1 }\n' >huge.lua
check "a start beyond all numbers" "$PICUS" run huge.lua
expect_status 2
expect_match stderr "the initial value 1e\+300 of the coordinate 'z' exceeds 1e\+100"

# --- contacts -------------------------------------------------------------------------------------------------------
check "a contact that was passed through is named" "$PICUS" run "$cases/tunnel.lua" --out tunnel.h5
expect_match stdout "warning +contact 'f' was passed through at t = 0.01 s: it moved 1 m in one step and was never open by more than 0.6 m"
check "and it is kept with the results" "$PICUS" info tunnel.h5
expect_match stdout 'passed +1'
check "a thin obstacle is named" "$PICUS" run pendulum-in-ring --scheme rattle --dt 5e-3 --t-end 0.2
expect_match stdout "warning +contact 'ring' was passed through at t = 0.047[0-9]* s: its gap was -0.000985 m between two steps"
check "no warning where nothing is wrong" "$PICUS" run pendulum-in-ring --scheme rattle --t-end 0.2
expect_no_match stdout 'warning'

# Options that are longer than the run, or have no end.
check "an infinite smallest step is refused" "$PICUS" run bouncing-ball --adaptive --dt-min inf
expect_status 2
expect_match stderr '^picus: .*dt.min.* inf'
check "a step longer than the run has the length of the run" "$PICUS" run bouncing-ball --dt 2 --t-end 0.5
expect_match stdout '^bouncing-ball: done at t = 0.5 s, scheme [a-z-]+, dt = 0.5 s,'
expect_match stderr '^note: dt = 2 s exceeds the duration of the run: its only step has 0.5 s$'
check "a sample that the run does not reach" "$PICUS" run bouncing-ball --sample 5 --t-end 0.5 --csv s.csv
expect_match stderr '^note: sample = 5 s exceeds the duration of the run, 0.5 s: only the first row is recorded$'
check "steps and samples as long as the run need no note" "$PICUS" run bouncing-ball --dt 0.5 --sample 0.5 --t-end 0.5 --csv s.csv
expect_empty stderr
