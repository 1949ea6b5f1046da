#!/usr/bin/env bash
# Limits and interruption of the derivation of equations.
. "$(dirname "$0")/../support/check.sh"

# model NAME N: a pendulum of N links in absolute angles, whose mass matrix is full
model() {
  cat >"$1" <<END
model("big", "a pendulum of many links")
local n, list, T, V, x, y = $2, {}, 0, 0, 0, 0
for i = 1, n do list[i] = {"x" .. i, velocity = "v" .. i, start = {1, 0}} end
local q, u = coordinates(list)
for i = 1, n do
  x, y = x + cos(q["x" .. i]) * u["v" .. i], y + sin(q["x" .. i]) * u["v" .. i]
  T, V = T + (x^2 + y^2) / 2, V - (n - i + 1) * 9.81 * cos(q["x" .. i])
end
kinetic(T)
potential(V)
simulate {scheme = "moreau", dt = 1e-3, t_end = 1e-2}
END
}
model small.lua 4
model large.lua 30
model huge.lua 120

check "a small model passes within small limits" "$PICUS" run small.lua --derive-memory 10 --derive-nodes 1e6
expect_match stdout '^big: done'

for command in run check show reference; do
  check "$command: too much memory" "$PICUS" $command large.lua --derive-memory 1
  expect_status 2
  expect_lines stderr 1
  expect_match stderr "^picus: deriving the equations of 'big' exceeds the limit of 1 MB of memory \(30 velocities, 0 laws\); increase it \(--derive-memory"
done
check "too many nodes" "$PICUS" run large.lua --derive-nodes 1e5
expect_status 2
expect_lines stderr 1
expect_match stderr 'exceeds the limit of 100000 expression nodes'

# The limit of the file itself: every command that loads a model has its option.
cat >wide.lua <<'END'
model("wide")
local q, u = coordinates { { "x", velocity = "v" } }
kinetic(u.v^2)
local kept = {}
for i = 1, 2e5 do kept[i] = { i } end
simulate {scheme = "moreau", dt = 1e-3, t_end = 1e-2}
END
for command in run check show reference "compare --schemes moreau"; do
  read -ra words <<<"$command"
  check "$command: the model file needs more memory than it may" "$PICUS" "${words[@]}" wide.lua --model-memory 2
  expect_status 2
  expect_lines stderr 1
  expect_match stderr "^picus: wide.lua:5: the model file exceeds its memory limit of 2048 kB; increase it \(--model-memory\), or"
  check "$command: the model file may need so much memory" "$PICUS" "${words[@]}" wide.lua --model-memory 200
  expect_status 0
done
for value in 0 nan inf x; do
  check "a limit of '$value' for the file is refused" "$PICUS" run small.lua --model-memory "$value"
  expect_status 2
  expect_match stderr '^picus: --model-memory '
done
check "a run keeps its limit" "$PICUS" run wide.lua --model-memory 200 --out wide.h5 --checkpoint 1steps
check "its checkpoint has the limit" "$PICUS" resume wide.h5 --t-end 2e-2
expect_status 0

for value in 0 -1 1e13 nan inf x ''; do
  check "a limit of '$value' is refused" "$PICUS" run small.lua --derive-memory "$value"
  expect_status 2
  expect_lines stderr 1
  expect_match stderr '^picus: --derive-memory '
done

# interrupted SIGNAL: the exit code of a derivation that gets the signal; it must end soon
interrupted() {
  local process
  "$PICUS" run huge.lua --out huge.h5 &
  process=$!
  sleep 1
  kill -s "$1" $process
  wait $process
}
for signal in INT TERM; do
  check "SIG$signal ends a derivation" interrupted $signal
  expect_status 1
  expect_match stderr "^picus: interrupted while deriving the equations of 'big'$"
  expect_no_file huge.h5
done
