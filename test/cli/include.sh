#!/usr/bin/env bash
# include: parts of models in other files, in the folder of the model only; places of errors; runs that go on elsewhere.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"
# shellcheck source=../support/results.sh
. "$PICUS_SOURCE/test/support/results.sh"
mkdir -p model/deep
cat >model/parts.lua <<'END'
local parts = {}
function parts.mass(name, m, start)
  parameters {["m_" .. name] = m}
  local q, u = coordinates {{name, velocity = "v" .. name, start = start}}
  kinetic(m * u["v" .. name] ^ 2 / 2)
  return q[name]
end
function parts.fails() error("no such part") end
function parts.knows(t) coordinates {t} end
return parts, 7
END
cat >model/a.lua <<'END'
local parts, seven = include "parts.lua"
include "deep/more.lua"
local x = parts.mass("x", seven - 5, {1, -3})
contact {"floor", gap = x, eN = 0.5}
simulate {scheme = "moreau", dt = 1e-5, t_end = 2}
END
echo 'include("./parts.lua").mass("y", 1, {0, 1})' >model/deep/more.lua
cat >flat.lua <<'END'
local q, u = coordinates {{"y", velocity = "vy", start = {0, 1}}, {"x", velocity = "vx", start = {1, -3}}}
kinetic(u.vy ^ 2 / 2) kinetic(2 * u.vx ^ 2 / 2)
contact {"floor", gap = q.x, eN = 0.5}
simulate {scheme = "moreau", dt = 1e-5, t_end = 2}
END
check "a model of parts" "$PICUS" run model/a.lua --out a.h5 --csv a.csv --quiet
"$PICUS" run flat.lua --csv flat.csv --quiet
cmp a.csv flat.csv || complain "it is not the model in one file"
"$PICUS" run model/a.lua --out b.h5 --nice-exit-after 0.001s --quiet 2>/dev/null
mkdir -p elsewhere
mv b.h5* elsewhere
mv model away
check "a result that has moved goes on without the files" "$PICUS" resume elsewhere/b.h5 --quiet
same a.h5 elsewhere/b.h5 || complain "the results differ"
mv away model

cannot() { # TEXT OF MODEL, PLACE, SENTENCE
  echo "$1" >model/wrong.lua
  check "cannot: $1" "$PICUS" check model/wrong.lua
  expect_status 2
  expect_match stderr "^picus: $2: $3"
}
cannot 'include("parts.lua").fails()' parts.lua:8 'no such part$'
cannot 'include("parts.lua").knows {"x", velocty = "v"}' parts.lua:9 "coordinate 'x' has no entry 'velocty'; did you mean 'velocity'[?]$"
cannot 'include "../flat.lua"' '.*wrong.lua:1' "include: '../flat.lua' is outside the folder of the model file"
cannot 'include "/etc/passwd"' '.*wrong.lua:1' "include: '/etc/passwd' must be a path relative"
ln -sf ../../flat.lua model/deep/link.lua
cannot 'include "deep/link.lua"' '.*wrong.lua:1' "include: 'deep/link.lua' is outside the folder"
cannot 'include "deep"' '.*wrong.lua:1' ".*'model/deep'|.*deep"
cannot 'include "none.lua"' '.*wrong.lua:1' "include: cannot read 'none.lua': No such file"
cannot 'include {}' '.*wrong.lua:1' 'the file of include must be a string, not a table'
echo 'x = = 1' >model/syntax.lua
cannot 'include "syntax.lua"' syntax.lua:1 "unexpected symbol near '='$"
printf 'x = 1\n\0' >model/zero.lua
cannot 'include "zero.lua"' zero.lua:2 'the file contains a zero byte: it is not text$'
printf '\033Lua' >model/code.lua
cannot 'include "code.lua"' code.lua:0 'the file is compiled Lua; use its source text$'
echo 'include "two.lua"' >model/one.lua
echo 'include "one.lua"' >model/two.lua
cannot 'include "one.lua"' two.lua:1 "'one.lua' includes itself, directly or by the files that it includes$"
for i in $(seq 20); do echo "include 'd$((i + 1)).lua'" >"model/d$i.lua"; done
cannot 'include "d1.lua"' d16.lua:1 'files include each other to a depth of more than 16$'
echo 'while true do end' >model/endless.lua
cannot 'include "endless.lua"' endless.lua:1 'the model file exceeds its limit of 200000000 instructions; is there an endless loop[?]$'
head -c 2000000 /dev/zero | tr '\0' ' ' >model/blank.lua
echo 'include "blank.lua"' >model/wrong.lua
check "a large file and little memory" "$PICUS" check model/wrong.lua --model-memory 1
expect_status 2
expect_match stderr "^picus: .*limit"
truncate -s 20G model/huge.lua
cannot 'include "huge.lua"' '.*wrong.lua:1' ".*/model/huge.lua' is larger than the limit of 1024 MB"
echo 'for i = 1, 1e9 do include "parts.lua" end' >model/wrong.lua
check "a file included again and again" "$PICUS" check model/wrong.lua
expect_status 2
expect_match stderr "exceeds its limit of 200000000 instructions"
mkfifo model/pipe.lua
cannot 'include "pipe.lua"' '.*wrong.lua:1' '.*pipe.lua'
check "a text has no folder" sh -c "echo 'include \"parts.lua\"' | '$PICUS' check /dev/stdin"
expect_status 2
