#!/usr/bin/env bash
# picus check --modes: frequencies, mode shapes in a file, wrong numbers.
. "$(dirname "$0")/../support/check.sh"

cat >beam.lua <<'LUA'
local b = beam {"b", length = 1, elements = 10, circle = 0.01, density = 7800, young = 2.1e11,
                supports = {{0, "clamped"}}, gravity = {0, -9.81}, record = {10}}
contact {"stop", gap = b.uy[10]}
LUA
check "frequencies of a clamped beam" "$PICUS" check beam.lua --modes 3
expect_match stdout 'modes about the initial state'
expect_match stdout '^ +1 +91\.218[0-9]* +14\.51[0-9]* +0$'
expect_match stdout '^ +2 +571\.6'
check "frequencies on the stop" "$PICUS" check beam.lua --modes 1 --equilibrium --out shapes.h5
expect_match stdout '^ +1 +400\.0'
check "the shapes are in the file" "$PICUS" info shapes.h5
expect_match stdout '^b\.rz10 +rad '
cat >rough.lua <<'LUA'
local b = beam {"b", length = 1, elements = 10, circle = 0.01, density = 7800, young = 2.1e11,
                supports = {{0, "clamped"}}, gravity = {0, -9.81}, record = {10}}
contact {"stop", gap = b.uy[10], slip = b.vx[10], mu = 0.5}
force {["b.ux10"] = 3}
LUA
check "frequencies at an equilibrium with friction" "$PICUS" check rough.lua --modes 1 --equilibrium --friction
expect_match stdout '^  stop: force 9\.01[0-9]* N, friction 3 N$'
expect_match stdout 'modes about the static equilibrium with friction'
expect_match stdout '^ +1 +400\.0'
check "friction without an equilibrium" "$PICUS" check rough.lua --modes 1 --friction
expect_status 2
expect_match stderr 'friction belongs to --equilibrium'
cat >shaft.lua <<'LUA'
beam {"b", length = 1, elements = 4, circle = 0.02, density = 7800, young = 2.1e11, spatial = true, theory = "rayleigh",
      spin = 300, supports = {{0, "hinged", "rx"}, {4, "hinged"}}, record = {2}}
LUA
check "whirl" "$PICUS" check shaft.lua --modes 2
expect_match stdout '^ +1 .* backward$'
expect_match stdout '^ +2 .* forward$'
check "no modes" "$PICUS" check beam.lua --modes 0
expect_status 2
expect_match stderr 'must be 1 to 1000'
check "half a mode" "$PICUS" check beam.lua --modes 0.5
expect_status 2
check "a file without modes" "$PICUS" check beam.lua --out shapes.h5
expect_status 2
expect_match stderr 'give the number of modes'
