#!/usr/bin/env bash
# Many bodies and what may go wrong among them: a number that is none, a body that flies away, stacks that cannot be solved, no body.
. "$(dirname "$0")/../support/check.sh"

cat >heap.lua <<'END'
model 'heap'
gravity {0, -9.81}
half_space {'floor', normal = {0, 1}}
local d = {}
for i = 1, 60 do
  d[i] = disk {'d' .. i, suffix = tostring(i), radius = 0.01, density = 1000, position = {0.021 * (i % 10), 0.0101 + 0.0201 * (i // 10)}}
end
simulate {dt = 1e-3, t_end = 0.05}
END
{ cat heap.lua; echo "body_force {d[33], force = {1e-6 / sqrt(0.02 - t), 0}}"; } >nan.lua
check "a force inside a heap that is no number" "$PICUS" run nan.lua
expect_status 1
expect_match stderr "^picus: the force on 'vx33' is not a finite number \(nan\) at t = 0.0205: sqrt"

{ cat heap.lua; echo "disk {'fast', radius = 0.01, density = 1000, position = {1, 1}, velocity = {1e10, 1e10}}"; } >fast.lua
check "a body that flies away at 1e10 m/s" "$PICUS" run fast.lua
expect_match stderr "^warning: 'fast' moved by 1.41e\+07 m in one step"
expect_match stdout '^heap: done at t = 0.05 s'

cat >stacks.lua <<'END'
model 'stacks'
gravity {0, -9.81}
half_space {'floor', normal = {0, 1}}
local b = {}
for i = 1, 20 do
  b[i] = rectangle {'box' .. i, suffix = 'a' .. i, size = {0.2, 0.1}, mass = 1, position = {i, 0.05}}
  rectangle {'lid' .. i, suffix = 'b' .. i, size = {0.1, 0.1}, mass = 1, position = {i, 0.15}}
end
simulate {dt = 1e-3, t_end = 0.1}
END
{ cat stacks.lua; printf "local x = b[7]:velocity {0, 0}\nconstraint {'one', velocity = x - 0.1}\nconstraint {'two', velocity = x + 0.1}\n"; } >torn.lua
check "one stack that cannot be solved" "$PICUS" run torn.lua
expect_status 1
expect_match stderr "the constraint 'two' contradicts the others: if these hold, its velocity is 0.2 instead of 0"

{ cat stacks.lua; printf "local x = b[7]:point {0, 0}\ncontact {'one', gap = x - 7 - 0.1 * t}\ncontact {'two', gap = 7 - x - 0.1 * t}\n"; } >squeezed.lua
check "one stack that is squeezed" "$PICUS" run squeezed.lua --accept-residual 0
expect_status 1
expect_match stderr "active laws was not solved \(worst: '(one|two)'"
check "the same, accepted: how often, how far and where" "$PICUS" run squeezed.lua --t-end 0.01 --accept-residual 0.5 --out squeezed.h5
expect_match stdout '^  warning         10 steps accepted with a residual above the tolerance 1e-12$'
expect_match stdout "^                  at most 0.00[0-9]+, at t = 0.00[0-9]+ s, where [0-9] laws are above: 'one' .*, 'two' "
check "and in the file" "$PICUS" info squeezed.h5
expect_match stdout '^statistics.accepted_law_1 +one$'
expect_match stdout '^solver.residual +0 +0.00[0-9]+'

{ cat stacks.lua; printf 'simulate {max_iterations = 7}\n'; } >limited.lua
check "a limit of iterations in the model" "$PICUS" run limited.lua --t-end 0.01 --out limited.h5 --quiet
check "is in the result" "$PICUS" info limited.h5
expect_match stdout '^options.max_iterations +7$'
check "that of the command line replaces it" "$PICUS" run limited.lua --t-end 0.01 --max-iterations 9 --out limited.h5 --quiet
check "and is in the result" "$PICUS" info limited.h5
expect_match stdout '^options.max_iterations +9$'
check "at least one" "$PICUS" run limited.lua --max-iterations 0
expect_status 2
expect_match stderr '^picus: --max-iterations must be an integer from 1 to 1e9, not 0$'

check "bodies at rest sleep" "$PICUS" run stacks.lua --sleep --csv sleep.csv --sample 0.1 --quiet
check "and stay where they are" "$PICUS" run stacks.lua --csv awake.csv --sample 0.1 --quiet
# shellcheck disable=SC2016 # of awk
expect "the same rows but for round-off" awk -F, '
  FNR == NR { for (k = 1; k <= NF; k++) a[FNR, k] = $k; next }
  FNR > 1 { for (k = 1; k <= NF; k++) if (($k - a[FNR, k]) ^ 2 > 1e-20) exit 1 }' sleep.csv awake.csv
check "not with every scheme" "$PICUS" run stacks.lua --sleep --scheme rattle
expect_status 2
expect_match stderr '^picus: bodies sleep with the schemes moreau and moreau-explicit and fixed steps only; omit sleep$'

check "no body at all" "$PICUS" run spheres --set n=0
expect_status 2
expect_match stderr "model 'spheres' has no velocities"
