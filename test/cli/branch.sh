#!/usr/bin/env bash
# picus branch, lyapunov, linearize and basins of a sweep: what they print and write, and messages.
. "$(dirname "$0")/../support/check.sh"

oscillator=(forced-impact-oscillator --parameter sigma --period '2*pi/omega')
check "a branch through a fold and grazing" "$PICUS" branch "${oscillator[@]}" --from 1 --to 11 --longest 0.1 --csv b.csv --out b.h5 --quiet
expect_match stdout '^ +10\.00292549[0-9]* .* fold: the branch turns back'
expect_match stdout '^ +(9\.9999999|10\.000000)[0-9]* .* grazing: the impact of .stop. grazes'
expect_match stdout '^ +11 .* end: the end of the range$'
expect_match stdout '^ +0  stop:impact$'
expect_match b.csv '^point,sigma,period,x,v,kind,stable,unstable,sequence,.*,re1,im1,re2,im2$'
check "its columns can be drawn" "$PICUS" plot b.h5 --x sigma v --out b.svg
check "a doubled branch" "$PICUS" branch simplest-walker --parameter slope --from 0.009 --to 0.0155 --section heel_strike --at flip --longest 0.2 --quiet
expect_match stdout '^ +0\.01508843794[0-9]* .* flip: a multiplier is -1'
expect_match stdout '^ +0\.0155 +7\.8[0-9]+ '
check "no such parameter" "$PICUS" branch "${oscillator[@]}" --from 1 --to 2 --parameter gravity
expect_status 2
check "one value" "$PICUS" branch "${oscillator[@]}" --from 1 --to 1
expect_status 2
expect_match stderr 'two different values'
check "not a number" "$PICUS" branch "${oscillator[@]}" --from nan --to 1
expect_status 2
check "a step that is too long" "$PICUS" branch "${oscillator[@]}" --from 1 --to 2 --longest 7
expect_status 2
check "without a parameter" "$PICUS" branch forced-impact-oscillator --from 1 --to 2
expect_status 2
expect_match stderr 'needs --parameter'

check "eigenvalues of a sliding equilibrium" "$PICUS" linearize stribeck-belt --set x0=0.0231 --equilibrium
expect_match stdout '^stribeck-belt: unstable'
expect_match stdout '^ +1\.2533528[0-9]* +9\.921144[0-9]* '
check "no equilibrium" "$PICUS" linearize bouncing-ball --equilibrium
expect_status 1
expect_match stderr 'no equilibrium'

check "exponents of an orbit" "$PICUS" lyapunov rimless-wheel --exponents 2 --t-end 30
expect_match stdout '^ +-0\.6[67][0-9]* '
check "too many of them" "$PICUS" lyapunov rimless-wheel --exponents 3
expect_status 2
expect_match stderr '1 to 2 Lyapunov exponents'

check "basins of the rocking block" "$PICUS" sweep rocking-block --start theta=-1.2:1.2:8 --start omega=-4:4:8 --set e=0 \
  --set y0=1.2 --t-end 6 --collect 'theta y' --basins basins.csv --basins-tol 0.05
expect_match stdout '^3 attractors$'
expect_lines basins.csv 65
check "they are symmetric" sh -c "test \$(grep -c ',0\$' basins.csv) = \$(grep -c ',2\$' basins.csv)"

cat > saddle.lua <<'EOF'
model("saddle", "a pencil between two walls")
local q, u = coordinates { {"x", velocity = "v"} }
kinetic(u.v^2 / 2)
potential(-q.x^2 / 2)
contact { "left", gap = q.x + 1, eN = 0 }
contact { "right", gap = 1 - q.x, eN = 0 }
simulate { scheme = "rattle", adaptive = true, dt = 1e-3, t_end = 20 }
EOF
check "basins of a saddle" "$PICUS" sweep saddle.lua --start x=-0.5:0.5:13 --start v=-0.9:0.9:12 --collect x --basins saddle.csv \
  --basins-tol 0.05
expect_match stdout '^2 attractors$'
# shellcheck disable=SC2016 # fields of awk
check "their border is the stable direction of the saddle, x + v = 0" awk -F, \
  'NR == 2 {left = $4} NR > 1 && ($2 + $3 < 0) != ($4 == left) {exit 1} END {exit NR != 157}' saddle.csv
