#!/usr/bin/env bash
# picus orbit and picus run --sensitivity: what they print and write, and messages.
. "$(dirname "$0")/../support/check.sh"

check "the orbit of the woodpecker" "$PICUS" orbit woodpecker --section lower:slips --quiet
expect_match stdout '^woodpecker: a stable periodic orbit, section lower:slips$'
expect_match stdout '^  period +0\.1459760651437[0-9]+ s$'
expect_match stdout '^ +-0\.83915565304[0-9]* +0 '
expect_match stdout '^  4 exactly 0:'
expect_match stdout '^  y +-[0-9.]+ +grows by -0\.01944537928[0-9]+ in each period$'
expect_match stdout '^ +0\.0602625359[0-9]+ +impact +lower, approach velocity 0\.0088962067[0-9]*$'
check "its orbit from another section" "$PICUS" orbit woodpecker --section phiS:rises --skip 10 --t-end 3 --quiet
expect_match stdout '^  period  *0.14597606514'
check "an unstable orbit" "$PICUS" orbit simplest-walker --set theta0=0.1939 --set omega0=-0.2039 --t-end 8 --section heel_strike
expect_match stdout 'an unstable periodic orbit'
expect_match stdout '^ +4\.0038643589'
check "a period of the forces" "$PICUS" orbit forced-impact-oscillator --period 6.283185307179586
expect_match stdout '^ +-0\.584295314342 +0\.00560035149'
check "without the period" "$PICUS" orbit forced-impact-oscillator
expect_status 2
expect_match stderr 'depend on time; give the period'
check "an unknown section" "$PICUS" orbit woodpecker --section bird:impact
expect_status 2
expect_match stderr "no event or law 'bird'"
check "two sections" "$PICUS" orbit woodpecker --section beak --period 1
expect_status 2
expect_match stderr 'exclude each other'
check "too short a run" "$PICUS" orbit woodpecker --t-end 0.1 --section beak:impact
expect_status 1
expect_match stderr "passes the section 'beak:impact' 1 times, and 2 are needed"

check "sensitivities" "$PICUS" run woodpecker --sensitivity mu,phiS --t-end 0.1 --sample 0.01 --csv d.csv --out d.h5
expect_match stdout '^woodpecker: 7 switching points; derivatives at t = 0.1 s$'
expect_lines d.csv 12
expect_match d.csv '^t,y,phiM,phiS,v,omegaM,omegaS,dy_dmu,dphiM_dmu,dphiS_dmu,.*,dphiS_dphiS\(0\),'
check "they are columns" "$PICUS" plot d.h5 dphiS_dmu --out d.svg
check "some of them" "$PICUS" run woodpecker --sensitivity mu --t-end 0.1 --csv - --columns dphiS_dmu --quiet
expect_lines stdout 2
check "an unknown name" "$PICUS" run woodpecker --sensitivity nu --t-end 0.1
expect_status 2
expect_match stderr "no parameter, coordinate or velocity 'nu'"
check "no checkpoints" "$PICUS" run woodpecker --sensitivity mu --start woodpecker.h5
expect_status 2
expect_match stderr 'exclude each other'
check "an accumulation point" "$PICUS" run falling-mass --sensitivity e --t-end 1
expect_status 1
expect_match stderr "'table' .* accumulate"
expect_no_file falling-mass.csv

# The search takes a minute of CPU time, and is interrupted after the note.
if [ "$(test_size 0 0 1)" = 1 ]; then
  check "what takes long is told" timeout --preserve-status -s INT 30 "$PICUS" orbit bouncing-rod
  expect_status 1
  expect_match stderr '^note: 126 coordinates and velocities, and as many derivatives of each, are followed'
  expect_match stderr 'interrupted .*at t = 0\.'
fi
