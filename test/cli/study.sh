#!/usr/bin/env bash
# picus study: files, what the command line replaces, hostile files; values collected later, orders, unfinished studies.
. "$(dirname "$0")/../support/check.sh"

cat >mu.lua <<'END'
study { "woodpecker", collect = {"y", "impacts", "max(beak.gap)"} }
set { "mu", from = 0.1, to = 0.5, count = 5 }
vary { "dt", values = {2e-4, 1e-4} }
simulate { t_end = 0.05 }
END
words=(woodpecker --set mu=0.1:0.5:5 --vary 'dt=2e-4,1e-4' --t-end 0.05)
check "a study file" "$PICUS" study mu.lua
expect_match stdout '^woodpecker: 10 of 10 runs$'
expect_match stdout '^results in mu.h5$'
check "is a command line" "$PICUS" sweep "${words[@]}" --collect 'y impacts max(beak.gap)' --out same.h5 --quiet
expect "the file is the same" cmp mu.h5 same.h5
check "what the command line replaces" "$PICUS" study mu.lua --set mu=0.2 --vary dt=1e-4 --collect y --csv -
expect_lines stdout 2
expect_match stdout '^point,mu,dt,y,status,message$'
expect_match stdout '^0,0.2,0.0001,'
check "an estimate" "$PICUS" study mu.lua --dry-run
expect_match stdout '^10 runs, about '
mkdir sub
cp "$PICUS_SOURCE/models/bouncing-ball.lua" sub/ball.lua
echo 'study { "ball.lua", sampling = "sobol", samples = 8, section = "ground:impact", last = 3, section_csv = "s.csv" }
set { "e", from = 0, to = 0.5 } start { "q", 1 } simulate { dt = 2^-7, t_end = 2.5, adaptive = false }' >sub/ball-study.lua
check "samples, a section, a model next to the file" "$PICUS" study sub/ball-study.lua
expect_match stdout '^sub/ball.lua: 8 of 8 runs$'
expect_match s.csv '^point,e,q,t,q,v$'
expect_match s.csv '^1,0.25,1,'

# hostile FILE-TEXT REGEX: exit code 2 and one sentence.
hostile() {
  printf '%b' "$1" >hostile.lua
  check "hostile: ${1:0:60}" timeout 60 "$PICUS" study hostile.lua --csv -
  expect_status 2
  expect_lines stderr 1
  expect_match stderr "$2"
}
hostile '' 'no study \{ "MODEL"'
hostile 'while true do end' 'hostile.lua:1: the study file exceeds its limit of [0-9]+ instructions'
hostile 'local t = {} for i = 1, 1e9 do t[i] = i end' 'hostile.lua:1: the study file exceeds'
hostile 'local function f() return 1 + f() end f()' 'hostile.lua:1: stack overflow'
hostile 'os.execute("ls")' "hostile.lua:1: 'os' is not available"
hostile 'error {}' 'raises an error that is not a string'
hostile '\0\0' 'contains a zero byte'
hostile '\033Lua' 'is compiled Lua'
hostile 'study "woodpecker"' 'study takes one table'
hostile 'study { "woodpecker" } study { "woodpecker" }' 'study is given twice'
hostile 'study { "woodpecker", colect = "y" }' "did you mean 'collect'"
hostile 'study { "woodpecker", seed = -1 }' 'integer of at least 0'
hostile 'study { "woodpeker" }' "did you mean 'woodpecker'"
hostile 'study { "woodpecker" }\nset { "mu" }' "hostile.lua:2: set 'mu' needs a number"
hostile 'study { "woodpecker" } set { "mu", values = {1, "a"} }' 'must be a number, not a string'
hostile 'study { "woodpecker" } set { "mu", values = {} }' 'list of 1 to'
hostile 'study { "woodpecker" } set { "mu", from = 0, to = 1, count = 1e300 }' 'needs an integer'
hostile 'study { "woodpecker" } set { "mu", from = 0/0, to = 1, count = 3 }' 'must be finite'
hostile 'study { "woodpecker" } for i = 1, 2000 do set { "mu", i } end' 'at most 1000 options'
hostile 'study { "woodpecker" } set { "mu", 0.1 } set { "mu", 0.2 }' 'varied twice'
hostile 'study { "woodpecker" } simulate { tt_end = 1 }' "did you mean 't_end'"
hostile 'study { "woodpecker" } simulate { native = false }' "there is no run option 'native'"

# More values of the same runs.
check "values collected later" "$PICUS" study mu.lua --collect 'y impacts max(beak.gap) E.kin' --check mu.h5 --out more.h5
expect_match stdout '^results in more.h5$'
check "what is there must be collected" "$PICUS" study mu.lua --collect y --check mu.h5 --out less.h5
expect_status 2
expect_match stderr "'mu.h5' has the values 'impacts', which this study does not collect"
expect_no_file less.h5
check "other points" "$PICUS" study mu.lua --set mu=0.1:0.4:5 --check mu.h5 --out less.h5
expect_status 2
expect_match stderr "'mu.h5' has other values: mu of point 2 is 0.2.* there and 0.175"
expect_no_file less.h5.journal
check "no study" "$PICUS" study mu.lua --check mu.lua --out less.h5
expect_status 2
expect_match stderr "^picus: 'mu.lua' is not an HDF5 file"

# Convergence.
check "orders" "$PICUS" sweep linear-oscillator --set v0=1 --vary dt=8e-3,4e-3,2e-3,1e-3 --t-end 0.8 --scheme moreau --collect v --csv o.csv --orders
expect_match stdout '^ +0.004 +[0-9.e-]+ +(1.99|2.00)[0-9]$'
expect_match stdout '^ +0.002 +[0-9.e-]+$'
check "no orders across lines" "$PICUS" study mu.lua --csv p.csv --collect y --orders
expect_no_match stdout '^ +0.000[12] .* [0-9.]+ +[0-9.]+$'

# An unfinished study is readable.
long=(sweep woodpecker --set mu=0.1:0.5:400 --t-end 0.3 --dt 1e-5 --collect y --out half.h5)
"$PICUS" "${long[@]}" --threads 1 --quiet 2>/dev/null &
process=$!
for ((wait = 0; wait < 400; wait++)); do
  [ "$(stat -c %s half.h5.journal 2>/dev/null || echo 0)" -lt 1000 ] || break
  sleep 0.02
done
check "so far, while it runs" "$PICUS" "${long[@]}" --csv half.csv --so-far
expect_match stdout '^woodpecker: [0-9]+ of 400 runs$'
expect_match half.csv ',PICUS_OK,$'
expect_match half.csv '^399,0.5,nan,PICUS_INTERRUPTED,$'
expect_file half.h5.journal
kill -9 $process
wait $process 2>/dev/null || true
