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
expect_match stderr "note: contact 'lower' has the initial gap -8.8e-07"
expect_no_match stderr '#'
expect_lines w.csv 20002

check "columns are named as the models page says" head -n 1 w.csv
expect_match stdout '^t,y,phiM,phiS,v,omegaM,omegaS,beak.gap,beak.vN,beak.PN,beak.PF,beak.mode,lower.gap,.*,E.kin,E.pot,E.total$'

check "threads change nothing" sh -c "'$PICUS' run woodpecker --t-end 0.2 --threads 3 --csv w3.csv --quiet && cmp w.csv w3.csv"
check "no thread is none" "$PICUS" run woodpecker --threads 0
expect_status 2
expect_match stderr '^picus: --threads must be an integer from 1 to 256, not 0$'

check "a near stability limit stands before the run" "$PICUS" run woodpecker --dt 1e-3 --t-end 0.01
expect_equal "$(head -1 "$STDOUT")" "woodpecker: stability limit about dt = 0.00437 s, scheme moreau, 'omegaM': 458 rad/s, damping 0 1/s"
"$PICUS" show woodpecker --source | sed 's/dt = 1e-5/dt = 1e-3/' >near.lua
check "and in a check" "$PICUS" check near.lua
expect_match stdout "^woodpecker: stability limit about dt = 0.00437 s, scheme moreau"
check "a step beyond it gets a warning" "$PICUS" run linear-oscillator --scheme half-explicit --dt 2.5 --t-end 10
expect_status 1
expect_match stderr "^warning: dt = 2.5 s exceeds the stability limit of the scheme half-explicit, about 2 s at the initial state"
expect_no_match stdout 'stability'
check "an implicit scheme has none" "$PICUS" run linear-oscillator --scheme moreau-jean --dt 2.5 --t-end 10
expect_no_match stdout 'stability'
expect_empty stderr
check "the predicted set belongs to one scheme" "$PICUS" run bouncing-ball --scheme half-explicit-rk --predicted
expect_status 2
expect_match stderr "the scheme 'half-explicit-rk' does not support the option 'predicted'"

check "quiet is quiet" "$PICUS" run woodpecker --t-end 0.01 --quiet
expect_empty stdout
expect_empty stderr

check "sampling gives rows at exact times" "$PICUS" run woodpecker --t-end 0.1 --sample 0.03 --csv s.csv --quiet
expect_equal "$(cut -d, -f1 s.csv | tr '\n' ' ')" "t 0 0.03 0.06 0.09 "

check "every n-th step" "$PICUS" run bouncing-ball --every 25 --csv e.csv --quiet
expect_equal "$(cut -d, -f1 e.csv | tr '\n' ' ')" "t 0 1.25 2.5 3.75 5 "

check "parameters are set" "$PICUS" run bouncing-ball --set e=0.9 --set q0=2 --csv p.csv --quiet
expect_match p.csv '^0,2,0,'

check "options of the step" "$PICUS" run bouncing-ball --dt 0.01 --t-end 2 --solver lemke --tol 1e-9 --scheme moreau
expect_match stdout 'dt = 0.01 s, solver lemke'
expect_match stdout 'steps +200 in'

check "options of implicit schemes" "$PICUS" run rocking-block --scheme moreau-projected --theta 0.6 --forecast free \
  --metric identity --projection coupled --newton-tol 1e-8 --newton-max 20 --projection-tol 1e-9 --out i.h5
expect_match stdout 'newton +[0-9.]+ iterations on average, [0-9]+ at most'
expect_match stdout 'projection +[0-9.]+ iterations on average, [0-9]+ at most; largest correction'
check "they are kept with the results" "$PICUS" info i.h5
expect_match stdout 'forecast.*free'
expect_match stdout 'newton_iterations_max'

check "the direction of slip in rattle" "$PICUS" run sliding-mass --scheme rattle --dt 0.01 --slip-direction end --out s.h5
check "it is kept with the results" "$PICUS" info s.h5
expect_match stdout 'slip_direction.*end'

check "the gap term keeps gaps from becoming negative" "$PICUS" run rocking-block --scheme moreau --gap-term --out g.h5
expect_match stdout 'penetration +[0-9.]+e-[12][0-9] m at most'
expect_match stdout '7.3575 J at the end'
check "it is kept with the results" "$PICUS" info g.h5
expect_match stdout 'gap_term +1'
# A heap: its tolerance is 1e-7 unless one is given, also if that is the default of other problems.
cat >pile.lua <<'END'
model("pile", "disks in the order of a honeycomb")
gravity {0, -9.81}
material {"default", mu = 0.3}
half_space {"floor", normal = {0, 1}}
half_space {"left", normal = {1, 0}, position = {-0.01, 0}}
half_space {"right", normal = {-1, 0}, position = {0.61, 0}}
for k = 0, 17 do
  for i = 0, 30 - k % 2 do
    disk {"d" .. k .. "_" .. i, suffix = k .. "_" .. i, radius = 0.01, density = 1000,
      position = {0.02 * i + 0.01 * (k % 2), 0.01 + 0.02 * math.sqrt(0.75) * k}}
  end
end
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 0.001}
END
check "the tolerance of a heap" "$PICUS" run pile.lua
expect_match stdout 'worst residual [0-9.]+e-0[89] '
check "a given tolerance is that of a heap, too" "$PICUS" run pile.lua --tol 1e-12
expect_match stdout 'worst residual [0-9.]+e-1[3-9] '
sed 's/t_end = 0.001/t_end = 0.001, tolerance = 1e-12/' pile.lua >sharp.lua
check "and so is that of a model" "$PICUS" run sharp.lua
expect_match stdout 'worst residual [0-9.]+e-1[3-9] '
check "the gap term of a model belongs to its scheme" "$PICUS" run disks --set n=4 --set columns=2 --t-end 0.02 --scheme rattle
expect_match stdout '^disks: done at t = 0.02 s, scheme rattle'
check "naming that scheme keeps it" "$PICUS" run disks --set n=4 --set columns=2 --t-end 0.02 --scheme moreau --out d.h5
check "it is kept with the results" "$PICUS" info d.h5
expect_match stdout 'gap_term +1'
check "a scheme without it" "$PICUS" run rocking-block --scheme rattle --gap-term
expect_status 2
expect_match stderr "the scheme 'rattle' keeps gaps at position level, so gap_term does not apply to it"

cat >roll.lua <<'EOF'
gravity {0.6, -9.81}
local disk = planar_body {"disk", mass = 2, inertia = 0.01, position = {0, 0.1}, velocity = {0.4, 0}, omega = -4}
plane_contact {"floor", ground, disk, normal = {0, 1}, radius = 0.1, mu = 0.3, rolling = 0.02}
simulate {dt = 1e-3, t_end = 1}
EOF
check "rolling friction" "$PICUS" check roll.lua
expect_match stdout 'floor_rolling +rolling friction, planar +roll -4 +rolling 0.02'
check "its columns and events" "$PICUS" run roll.lua --out roll.h5 --csv roll.csv --quiet
expect_match roll.csv '^t,.*,floor_rolling.PR,floor_rolling.mode,E.kin'
check "in words" "$PICUS" events roll.h5 --law floor_rolling
expect_match stdout 'floor_rolling +roll. -> stick'

check "active sets are counted" "$PICUS" run rocking-block
expect_match stdout 'scheme moreau-combined'
expect_match stdout 'active sets +1\.[0-9]+ tried on average, 2 at most'

check "a solver that only comes near is replaced, and the summary says so" "$PICUS" run sliding-mass --fixed --solver lemke --facets 16
expect_match stdout 'solver +[1-9][0-9]+ fallbacks'

check "two runs give the same bytes" sh -c "'$PICUS' run slope --csv a.csv --quiet && '$PICUS' run slope --csv b.csv --quiet && cmp a.csv b.csv"

check "an adaptive run" "$PICUS" run woodpecker --adaptive --dt-min 1e-7 --dt-max 5e-3 --order-max 6 --out a.h5 --csv a.csv
expect_match stdout 'scheme moreau, adaptive, dt = 1e-07 ... 0.005 s' # rattle would push apart what starts with a negative gap
expect_match stdout 'sizes +1e-07 to 0.005 s, order 8 at most' # even powers: two more than asked for, for the estimate
expect_match stdout 'work +[0-9]+ base steps; [0-9]+ steps rejected'
expect_match stdout 'switching +84 points'
check "its step size and order are recorded" head -n 1 a.csv
expect_match stdout ',E.total,dt,order$'
check "and its options" "$PICUS" info a.h5
expect_match stdout 'adaptive'
expect_match stdout 'order_max'
expect_match stdout 'base_steps'

check "samples of an adaptive run" "$PICUS" run woodpecker --adaptive --t-end 0.1 --sample 0.03 --csv s.csv --quiet
expect_equal "$(cut -d, -f1 s.csv | tr '\n' ' ')" "t 0 0.03 0.06 0.09 "

check "a model that asks for adaptive steps" "$PICUS" run falling-mass
expect_match stdout 'adaptive, dt = 1e-05 ... 0.05 s'
check "and gets fixed ones on request" "$PICUS" run falling-mass --fixed
expect_match stdout 'steps +15000 in'
check "or by a step size" "$PICUS" run falling-mass --dt 1e-3
expect_match stdout 'steps +1500 in'
check "a fixed order" "$PICUS" run impact-oscillator --order 4 --dt-max 0.01
expect_match stdout 'order 4 at most \(fixed\)'
check "two adaptive runs give the same bytes" sh -c "'$PICUS' run falling-mass --csv a.csv --quiet && '$PICUS' run falling-mass --csv b.csv --quiet && cmp a.csv b.csv"

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
check "an ignored option gets a warning, also with its default" "$PICUS" run bouncing-ball --scheme moreau --theta 0.5 --t-end 0.1
expect_match stderr '^warning: theta has no effect in this run: it is for moreau-jean, moreau-projected, moreau-combined, schatzman-paoli; leave it out$'
check "options of the model for its own scheme only are dropped" "$PICUS" run falling-mass --fixed --t-end 0.1
expect_empty stderr
cat >gap-term.lua <<'EOF'
local q, u = coordinates { {"y", velocity = "v", start = 1} }
kinetic(u.v^2 / 2)
force { v = -9.81 }
contact { "ground", gap = q.y, eN = 0.5 }
simulate {scheme = "moreau", dt = 1e-3, adaptive = true, gap_term = true}
EOF
wrong "a gap term of an adaptive model" "an adaptive run .* has no gap term" run gap-term.lua --t-end 0.1
check "its run with fixed steps has none" "$PICUS" run gap-term.lua --fixed --t-end 0.1
expect_empty stderr
wrong "two models" "unexpected argument 'slope'" run woodpecker slope
wrong "unknown model" "woodpeker.*woodpecker" run woodpeker
wrong "missing file" "nowhere.lua" run nowhere.lua
wrong "a directory as a model" "\\." run ./
wrong "unknown option" "no option '--tend'.*--t-end" run woodpecker --tend 3
wrong "unknown short option" "no option" run woodpecker -x
wrong "fixed and adaptive" "exclude each other" run slope --fixed --adaptive
wrong "two orders" "exclude each other" run slope --order 3 --order-max 4
wrong "order too high" "from 1 to 12" run slope --order 13
wrong "largest order too high" "--order-max must be an integer from 1 to 12" run slope --order-max 13
wrong "unknown substeps" "odd or natural" run slope --substeps even
wrong "steps the wrong way round" "dt_min <= dt_max" run slope --dt-min 1 --dt-max 0.1
wrong "no atol" "--atol must be greater than 0, not 0" run slope --atol 0
wrong "dt_min lost in rounding" "below round-off" run slope --dt-min 1e-18
wrong "option without value" "--dt needs a value" run woodpecker --dt
wrong "option twice" "--dt is given twice" run woodpecker --dt 1e-5 --dt 1e-6
wrong "flag with value" "--quiet takes no value" run woodpecker --quiet=yes
wrong "dt is no number" "--dt takes a number, not 'small'" run woodpecker --quiet --dt small
wrong "dt zero" "--dt must be greater than 0" run woodpecker --quiet --dt 0
wrong "dt negative" "--dt must be greater than 0" run woodpecker --quiet --dt -1e-5
wrong "dt NaN" "--dt takes a number" run woodpecker --quiet --dt nan
wrong "dt infinite" "--dt must be finite, not inf" run woodpecker --quiet --dt inf
wrong "dt lost in rounding" "below round-off" run woodpecker --quiet --dt 1e-30
wrong "end before start" "t_end = -1 is before" run woodpecker --quiet --t-end -1
wrong "end infinite" "--t-end must be finite" run woodpecker --quiet --t-end inf
wrong "tolerance zero" "--tol must be greater than 0" run woodpecker --quiet --tol 0
wrong "every negative" "--every must be an integer from 0 to 1e9" run woodpecker --quiet --every -1
wrong "every is not an integer" "--every takes an integer" run woodpecker --quiet --every 1.5
wrong "sample negative" "--sample must be 0 or greater" run woodpecker --quiet --sample -1
wrong "every and sample" "exclude each other" run woodpecker --quiet --every 2 --sample 0.1
wrong "unknown scheme" "no scheme 'moro'; did you mean 'moreau'" run woodpecker --quiet --scheme moro
wrong "unknown forecast" "--forecast is explicit, free or mixed, not 'fre'" run bouncing-ball --quiet --forecast fre
wrong "forecast out of range" "--forecast-factor must be in" run bouncing-ball --quiet --forecast-factor 3
wrong "unknown slip direction" "--slip-direction is mean or end" run sliding-mass --quiet --slip-direction middle
wrong "unknown metric" "--metric is identity or inertia" run bouncing-ball --quiet --metric mass
wrong "unknown projection" "--projection is decoupled, coupled or after" run bouncing-ball --quiet --projection both
wrong "no iterations" "--newton-max must be an integer from 1" run bouncing-ball --quiet --newton-max 0
wrong "Newton's tolerance" "--newton-tol must be between" run bouncing-ball --quiet --newton-tol 2
wrong "tolerance of gaps" "--projection-tol must be" run bouncing-ball --quiet --projection-tol 0
wrong "theta" "--theta must be in" run bouncing-ball --quiet --theta -1
wrong "friction with schatzman-paoli" "does not support friction, but 'slope'" run slope --quiet --scheme schatzman-paoli
wrong "unknown solver" "no solver .*psr.*psor" run woodpecker --quiet --solver psr
check "set with an expression of numbers" "$PICUS" run bouncing-ball --quiet --set 'f=-2*cos(pi/3)^2*4' --t-end 0.1
wrong "set with a name" "--set takes NAME=VALUE with a number" run woodpecker --quiet --set mu=2*t
wrong "set without value" "--set takes NAME=VALUE" run woodpecker --quiet --set mu
wrong "set with text" "--set takes NAME=VALUE with a number" run woodpecker --quiet --set mu=high
wrong "set NaN" "--set takes NAME=VALUE" run woodpecker --quiet --set mu=nan
wrong "unknown parameter" "'um'.*'mu'" run woodpecker --quiet --set um=0.3
wrong "friction below zero" "mu" run woodpecker --quiet --set mu=-0.1
wrong "restitution above one" "eN" run woodpecker --quiet --set eN1=2
wrong "negative mass" "positive definite" run bouncing-ball --quiet --set m=-1
wrong "no mass" "positive definite" run bouncing-ball --quiet --set m=0
wrong "start inside the ground" "has the initial gap -1" run bouncing-ball --quiet --set q0=-1
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
expect_match stderr "^picus: the force on 'v' is not a finite number .nan. at t = .*: log.x. = log.-"
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
expect_lines stdout "$(find "$PICUS_SOURCE/models" -name '*.lua' | wc -l)"
expect_match stdout '^woodpecker .*Glocker'
check "show prints parameters and source" "$PICUS" show woodpecker
expect_match stdout '^rO +0.0025 +m +radius of the pole'
expect_match stdout '^contact \{"beak"'
check "show --source is the file" sh -c "'$PICUS' show woodpecker --source | cmp - '$PICUS_SOURCE/models/woodpecker.lua'"
check "check describes the system" "$PICUS" check woodpecker
expect_match stdout 'the model is valid'
expect_match stdout 'mass matrix  constant, computed once'
expect_match stdout 'directions W constant, computed once'
expect_match stdout 'lower +contact, planar friction +gap -8.8e-07'
check "check of a model with changing directions" "$PICUS" check slope
expect_match stdout 'directions W depend on the state'
check "check counts degrees of freedom" "$PICUS" check slider-crank-bodies
expect_match stdout 'constraints  6 of rank 6: 9 velocities, 3 degrees of freedom'
expect_match stdout 'start        largest constraint error 0, velocity error 0'
cat >loop.lua <<'LUA'
local a = spatial_body { "a", mass = 1, inertia = { 1, 1, 1 }, position = { 1, 0, 0.001 }, omega = { 0, 0, 2 } }
revolute { "A", ground, a, points = { { 0, 0, 0 }, { -1, 0, 0 } }, axes = { { 0, 0, 1 }, { 0, 0, 1 } } }
revolute { "B", ground, a, points = { { 0, 0, 1 }, { -1, 0, 1 } }, axes = { { 0, 0, 1 }, { 0, 0, 1 } } }
LUA
check "a start off the constraints is refused, with an offer" "$PICUS" check loop.lua
expect_status 2
expect_match stderr "loop.lua:2: the initial state violates the constraint 'A_z'.*assemble"
check "check --assemble closes the joints" "$PICUS" check loop.lua --assemble
expect_match stdout 'constraints  10 of rank 5: 6 velocities, 1 degrees of freedom'
expect_match stdout 'redundant    5 constraints that follow from the others: B_x B_y B_z B_r1 B_r2'
expect_match stdout 'wz_a = [01]'
expect_match stdout 'z_a = [-0-9.e]*'
check "run --assemble starts there" "$PICUS" run loop.lua --assemble --dt 1e-3 --t-end 0.01 --csv loop.csv
expect_status 0
cat >strike.lua <<'LUA'
local q, u = coordinates { { "y", velocity = "v", start = { 0, -1 } } }
kinetic(u.v ^ 2 / 2)
contact { "floor", gap = q.y, eN = 0.5 }
LUA
check "--assemble also has the impact of contacts that approach" "$PICUS" run strike.lua --assemble --dt 1e-3 --t-end 0.01 --csv strike.csv
expect_status 0
expect_match stderr 'an impact makes the initial state consistent.*0.375 J'
check "check --assemble shows it" "$PICUS" check strike.lua --assemble
expect_match stdout 'v = 0.5'
sed -i 's/0.001/0/' loop.lua
check "velocities off the constraints are told" "$PICUS" check loop.lua
expect_match stdout "initial velocities violate '[AB]_y'"
check "check refuses a wrong model" "$PICUS" check bouncing-ball --set e=7
expect_status 2

cat >inputs.lua <<'LUA'
local i = inputs { { "F", start = 3, unit = "N", label = "force" }, { "z", start = 0.5, rate = 0.25, unit = "m" } }
local q, u = coordinates { { "x", velocity = "v", start = { 1, 0 }, unit = "m" } }
kinetic(u.v^2 / 2)
force { x = i.F - 9.81 }
contact { "floor", gap = q.x - i.z }
plot { y = { "x", "z" } }
simulate { dt = 1e-3, t_end = 1 }
LUA
check "inputs start with their values, and are columns" "$PICUS" run inputs.lua --set F=2 --out i.h5 --csv i.csv --quiet
expect_equal "$(head -n 1 i.csv | cut -d, -f1-5)" "t,x,v,F,z"
expect_equal "$(tail -n 1 i.csv | cut -d, -f1,4,5)" "1,2,0.75"
check "info names inputs with unit and range" "$PICUS" info i.h5
expect_match stdout '^F +N +2 +2$'
expect_match stdout '^z +m +0.5 +0.75$'
check "inputs are plotted" "$PICUS" plot i.h5 F z --out i.svg
expect_file i.svg
check "show lists inputs" "$PICUS" show inputs.lua
expect_match stdout '^z +0.5 +0.25 +m$'
expect_match stdout '^F +3 +- +N$'
check "an input that is not there is not set" "$PICUS" run inputs.lua --set FF=2
expect_status 2
expect_match stderr "there is no parameter 'FF'; did you mean 'F'"

check "the decisions of an adaptive run" "$PICUS" run falling-mass --decisions decisions.csv
# shellcheck disable=SC2016 # of awk
check "a line for each attempted step" awk -F, 'NR == 1 { print $4 } NR > 1 { n[$4]++ } END { print (n["smooth"] > 50), (n["resolved"] > 20), (n["detected"] > 0) }' decisions.csv
expect_match stdout '^decision$'
expect_match stdout '^1 1 1$'
check "decisions need an adaptive run" "$PICUS" run woodpecker --t-end 0.01 --decisions decisions.csv
expect_status 2
expect_match stderr '^picus: --decisions needs an adaptive run: give --adaptive$'
check "decisions do not replace another output" "$PICUS" run falling-mass --decisions both.csv --csv both.csv
expect_status 2
check "accept and proceed" "$PICUS" run woodpecker --adaptive --t-end 0.1 --order-max 2 --accept-inaccurate
expect_match stdout 'missed +tolerance exceeded in [0-9]+ steps accepted all the same'
check "omega of psor" "$PICUS" run woodpecker --t-end 0.05 --solver psor --omega 1.3
check "omega out of range" "$PICUS" run woodpecker --t-end 0.05 --solver psor --omega 2
expect_status 2
expect_match stderr '--omega must be between 0 and 2, not 2'
