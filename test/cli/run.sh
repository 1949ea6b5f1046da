#!/usr/bin/env bash
# picus run, list, show, check: what users type, right and wrong.
. "$(dirname "$0")/../support/check.sh"

check "a run writes both files and a summary" "$PICUS" run woodpecker --t-end 0.2 --out w.h5 --csv w.csv
expect_file w.h5
expect_file w.csv
expect_match stdout '^woodpecker: done at t = 0.2 s, scheme moreau'
expect_match stdout 'steps +20000 in'
expect_match stdout 'worst residual'
expect_match stdout 'penetration +[0-9.e-]+ m at most'
expect_match stdout 'dissipated'
expect_match stderr "note: contact 'lower' starts with the gap -8.8e-07"
expect_no_match stderr '#'
expect_lines w.csv 20002

check "columns are named as the models page says" head -n 1 w.csv
expect_match stdout '^t,y,phiM,phiS,v,omegaM,omegaS,beak.gap,beak.vN,beak.PN,beak.PF,beak.mode,lower.gap,.*,E.kin,E.pot,E.total$'

check "quiet is quiet" "$PICUS" run woodpecker --t-end 0.01 --quiet
expect_empty stdout
expect_empty stderr

check "sampling gives rows at exact times" "$PICUS" run woodpecker --t-end 0.1 --sample 0.03 --csv s.csv --quiet
expect_equal "$(cut -d, -f1 s.csv | tr '\n' ' ')" "t 0 0.03 0.06 0.09 "

check "every n-th step" "$PICUS" run bouncing-ball --every 25 --csv e.csv --quiet
expect_equal "$(cut -d, -f1 e.csv | tr '\n' ' ')" "t 0 1.25 2.5 3.75 5 "

check "parameters are set" "$PICUS" run bouncing-ball --set e=0.9 --set q0=2 --csv p.csv --quiet
expect_match p.csv '^0,2,0,'

check "options of the step" "$PICUS" run bouncing-ball --dt 0.01 --t-end 2 --solver lcp --tol 1e-9 --scheme moreau
expect_match stdout 'dt = 0.01 s, solver lcp'
expect_match stdout 'steps +200 in'

check "a solver that cannot do it is replaced, and the summary says so" "$PICUS" run sliding-mass --solver lcp
expect_match stdout 'solver +6000 fallbacks'

check "two runs give the same bytes" sh -c "'$PICUS' run slope --csv a.csv --quiet && '$PICUS' run slope --csv b.csv --quiet && cmp a.csv b.csv"

# --- wrong input: exit code 2 and one sentence -------------------------------------------------------------------
wrong() { # NAME REGEX ARGUMENTS...
  local name=$1 regex=$2
  shift 2
  check "$name" "$PICUS" "$@"
  expect_status 2
  expect_empty stdout
  expect_match stderr "^picus: .*$regex"
  expect_lines stderr 1
}
wrong "unknown command" "no command 'rnu'" rnu woodpecker
wrong "no model" "run needs MODEL" run
wrong "two models" "one word too many" run woodpecker slope
wrong "unknown model" "woodpeker.*woodpecker" run woodpeker
wrong "missing file" "nowhere.lua" run nowhere.lua
wrong "a directory as a model" "\\." run ./
wrong "unknown option" "no option '--tend'.*--t-end" run woodpecker --tend 3
wrong "unknown short option" "no option" run woodpecker -x
wrong "option without value" "--dt needs a value" run woodpecker --dt
wrong "option twice" "--dt is given twice" run woodpecker --dt 1e-5 --dt 1e-6
wrong "flag with value" "--quiet takes no value" run woodpecker --quiet=yes
wrong "dt is no number" "--dt takes a number, not 'small'" run woodpecker --quiet --dt small
wrong "dt zero" "--dt must be positive" run woodpecker --quiet --dt 0
wrong "dt negative" "--dt must be positive" run woodpecker --quiet --dt -1e-5
wrong "dt NaN" "--dt takes a number" run woodpecker --quiet --dt nan
wrong "dt infinite" "dt = inf" run woodpecker --quiet --dt inf
wrong "dt lost in rounding" "lost in rounding" run woodpecker --quiet --dt 1e-30
wrong "end before start" "t_end = -1 lies before" run woodpecker --quiet --t-end -1
wrong "end infinite" "t_end" run woodpecker --quiet --t-end inf
wrong "tolerance zero" "tolerance" run woodpecker --quiet --tol 0
wrong "every zero" "--every must be at least 1" run woodpecker --quiet --every 0
wrong "every is no whole number" "--every takes a whole number" run woodpecker --quiet --every 1.5
wrong "sample zero" "--sample must be a positive time" run woodpecker --quiet --sample 0
wrong "every and sample" "exclude each other" run woodpecker --quiet --every 2 --sample 0.1
wrong "unknown scheme" "no scheme 'moro'; did you mean 'moreau'" run woodpecker --quiet --scheme moro
wrong "unknown solver" "no solver .*psr.*psor" run woodpecker --quiet --solver psr
wrong "set without value" "--set takes NAME=VALUE" run woodpecker --quiet --set mu
wrong "set with text" "--set takes NAME=VALUE with a number" run woodpecker --quiet --set mu=high
wrong "set NaN" "--set takes NAME=VALUE" run woodpecker --quiet --set mu=nan
wrong "unknown parameter" "'um'.*'mu'" run woodpecker --quiet --set um=0.3
wrong "friction below zero" "mu" run woodpecker --quiet --set mu=-0.1
wrong "restitution above one" "eN" run woodpecker --quiet --set eN1=2
wrong "negative mass" "positive definite" run bouncing-ball --quiet --set m=-1
wrong "no mass" "positive definite" run bouncing-ball --quiet --set m=0
wrong "start inside the ground" "starts with the gap" run bouncing-ball --quiet --set q0=-1
wrong "results into a missing folder" "no/such/folder" run woodpecker --quiet --out no/such/folder/w.h5
wrong "csv into a missing folder" "no/such/folder" run woodpecker --quiet --csv no/such/folder/w.csv

# --- what happens in a run ------------------------------------------------------------------------------------------
cat >breaks.lua <<'LUA'
local q, u = coordinates { { "x", velocity = "v", start = { 1, -1 } } }
kinetic(u.v^2 / 2)
force { x = log(q.x) }
simulate { dt = 0.001, t_end = 3 }
LUA
check "a run that breaks keeps what it has" "$PICUS" run breaks.lua --csv breaks.csv --out breaks.h5
expect_status 1
expect_match stderr "^picus: the velocity 'v' is not a finite number"
expect_match stderr 'results up to t = .* are kept'
expect_match stdout ': failed at t = '
expect "many rows are there" test "$(wc -l <breaks.csv)" -gt 100
expect "the result can be read" "$PICUS" info breaks.h5

check "a full disk is an error that loses nothing before it" sh -c "ulimit -f 200; exec '$PICUS' run woodpecker --csv full.csv --quiet"
expect_status 1
expect_match stderr 'full.csv'
expect "rows were written" test "$(wc -l <full.csv)" -gt 100

check "Ctrl-C ends the run and closes the files" sh -c "'$PICUS' run woodpecker --dt 1e-7 --every 1000 --out c.h5 & sleep 0.7; kill -INT \$!; wait \$!"
expect_status 1
expect_match stderr '^picus: interrupted at t = '
expect_match stdout ': interrupted at t = '
expect "the result can be read" "$PICUS" info c.h5

# --- list, show, check ------------------------------------------------------------------------------------------------
check "all models are listed" "$PICUS" list
expect_lines stdout "$(ls "$PICUS_SOURCE"/models/*.lua | wc -l)"
expect_match stdout '^woodpecker .*Glocker'
check "show prints parameters and source" "$PICUS" show woodpecker
expect_match stdout '^rO +0.0025 +m +radius of the pole'
expect_match stdout '^contact \{"beak"'
check "show --source is the file" sh -c "'$PICUS' show woodpecker --source | cmp - '$PICUS_SOURCE/models/woodpecker.lua'"
check "check describes the system" "$PICUS" check woodpecker
expect_match stdout 'the model is well formed'
expect_match stdout 'mass matrix  constant, computed once'
expect_match stdout 'directions W constant, computed once'
expect_match stdout 'lower +contact, planar friction +gap -8.8e-07'
check "check of a model with changing directions" "$PICUS" check slope
expect_match stdout 'directions W depend on the state'
check "check refuses a wrong model" "$PICUS" check bouncing-ball --set e=7
expect_status 2
