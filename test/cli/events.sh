#!/usr/bin/env bash
# picus events, and the switching points that picus run writes.
. "$(dirname "$0")/../support/check.sh"

check "a run keeps its switching points" "$PICUS" run woodpecker --t-end 0.15 --dt 1e-6 --sample 0.01 --out w.h5 --events w.csv
expect_match stdout '^  events +in w.csv$'
expect_lines w.csv 13
expect_match w.csv '^t,dt,law,from,to,from_slip1,to_slip1,PN,PF1,lost,lost_before,bounces,limit,impact$'
expect_match w.csv '^0.077908,1e-06,upper,open,slip,0,-1,'

check "events as Table VII of Studer 2008" "$PICUS" events w.h5
expect_match stdout '^woodpecker: 12 switching points, 5 impacts, scheme moreau; times accurate to one step of 1e-06 s$'
expect_equal "$(awk 'NR > 4 { print $2, $3, $4, $5 (($6 == "->") ? " -> " $7 : "") }' "$STDOUT" | tr '\n' ';')" \
  "lower slip- -> stick;lower stick -> slip-;lower slip- -> open;upper open -> slip- -> open;beak open -> slip+ -> open;upper open -> slip+;upper slip+ -> open;lower open -> slip- -> open;lower open -> slip-;"
check "info counts them" "$PICUS" info w.h5
expect_match stdout "^12 switching points, see 'picus events'\$"
check "one by one" "$PICUS" events w.h5 --raw
expect_lines stdout 16
check "of one law" "$PICUS" events w.h5 --raw --law beak
expect_lines stdout 6
check "as CSV, the same as from the run" "$PICUS" events w.h5 --csv again.csv
expect_empty stdout
expect "equal files" cmp w.csv again.csv
check "as CSV of one law" "$PICUS" events w.h5 --csv beak.csv --law beak
expect_lines beak.csv 3

check "switching points alone need no rows" "$PICUS" run bouncing-ball --dt 1e-3 --events b.csv --quiet
expect_match b.csv '^1.00[0-9]*,0.001,ground,open,closed,3.00'
check "an accumulation point" sh -c "'$PICUS' run bouncing-ball --dt 1e-3 --out b.h5 --quiet && '$PICUS' events b.h5"
expect_match stdout '^1.001 +ground +open -> closed -> open '
expect_match stdout 'accumulation point: 10 impacts in ever shorter intervals, limit t = 2.99'
check "spatial slip has a direction" sh -c "'$PICUS' run sliding-mass --out s.h5 --quiet && '$PICUS' events s.h5"
expect_match stdout '^3.6656[0-9]* +table +slip \(-1.00, -0.10\) -> stick +- '
check "a run without laws that switch" sh -c "'$PICUS' run falling-mass --t-end 0.01 --out f.h5 --quiet && '$PICUS' events f.h5"
expect_match stdout ': 0 switching points'

# Conditions in expressions: only if asked.
cat >relay.lua <<'END'
model("relay","constant force towards the middle, by when")
local q,u = coordinates {{"x",velocity="v",start={1,0}}}
kinetic(u.v^2/2) force {x=when(gt(q.x,0),-1,1)}
contact {"far",gap=q.x+100}
simulate {scheme="moreau",dt=1e-3,t_end=5}
END
check "a run with switches" "$PICUS" run relay.lua --adaptive --tol 1e-10 --out r.h5 --events r.csv --quiet
expect_lines r.csv 1
check "laws do not switch" "$PICUS" events r.h5
expect_match stdout '^relay: 0 switching points'
check "the switches" "$PICUS" events r.h5 --switches
expect_match stdout '^relay: 2 changes of switching functions$'
expect_match stdout '^1.41421356237 +x > 0 -> x < 0$'
expect_match stdout '^4.24264068712 +x < 0 -> x > 0$'
check "as CSV" "$PICUS" events r.h5 --switches --csv switches.csv
expect_match switches.csv '^t,function,from,to$'
expect_match switches.csv '^1.41421356237[0-9]*,x = 0,x > 0,x < 0$'
expect_lines switches.csv 3
check "of fixed steps" sh -c "'$PICUS' run relay.lua --out x.h5 --quiet && '$PICUS' events x.h5 --switches"
expect_match stdout '^relay: 0 changes of switching functions; the steps are fixed: they locate no switches$'
check "they are of no law" "$PICUS" events r.h5 --switches --law far
expect_status 2
expect_match stderr 'leave out --law and --raw$'

# States at events, also of a run that goes on.
cat >ball.lua <<'END'
model("ball", "")
local q, u = coordinates {{"y", velocity = "v", start = {1, 0}}}
kinetic(u.v^2 / 2) force {y = -8}
local n = state {"n"}
contact {"floor", gap = q.y, eN = 0.5}
on {"top", when = u.v, direction = "falls", set = {n = n + 1}}
simulate {scheme = "rattle", dt = 1e-5, t_end = 1.2}
END
check "a run with events" "$PICUS" run ball.lua --out ball.h5 --quiet
check "states at events" "$PICUS" events ball.h5 --states
expect_match stdout '^ball: [0-9]+ states at events$'
expect_match stdout '^top +0.750[0-9]* +0.250*[0-9]* +[-0-9.e]+ +0$'
expect_match stdout '^top +1.12[0-9]* +0.062[0-9]* +[-0-9.e]+ +1$'
expect_match stdout '^floor: open -> closed [*] +0.500[0-9]* '
check "of a law, as CSV" "$PICUS" events ball.h5 --states --law floor --csv states.csv
expect_match states.csv '^event,switching,t,y,v,n$'
expect_match states.csv '^floor,0,0.500[0-9]*,[-0-9.e]+,[0-9.]+,0$'
! grep -q '^top' states.csv || complain "the table has other events"
"$PICUS" run ball.lua --out stopped.h5 --nice-exit-after 0.001s --quiet 2>/dev/null
check "the run goes on" "$PICUS" resume stopped.h5 --quiet
"$PICUS" events ball.h5 --states --csv - >whole.csv
"$PICUS" events stopped.h5 --states --csv - >resumed.csv
cmp whole.csv resumed.csv || complain "the states differ"

check "an unknown law" "$PICUS" events w.h5 --law beek
expect_status 2
expect_match stderr "^picus: 'w.h5' has no law 'beek'; did you mean 'beak'\\?$"
check "no result" "$PICUS" events nowhere.h5
expect_status 2
expect_lines stderr 1
check "a CSV file that cannot be made" "$PICUS" events w.h5 --csv no/such/folder.csv
expect_status 2
expect_match stderr "^picus: cannot create 'no/such/folder.csv': No such file"
check "a file twice" "$PICUS" run bouncing-ball --csv x.csv --events x.csv --quiet
expect_status 2
expect_match stderr 'are the same file'

# Heaps have hundreds of switching points a step: the log is cut behind a step, and says so.
heap=(disks --set n=60 --sample 0.05 --quiet --t-end)
check "all events of a heap" "$PICUS" run "${heap[@]}" 0.3 --out all.h5 --events all.csv
check "some of them" "$PICUS" run disks --set n=60 --t-end 0.3 --sample 0.05 --event-limit 500 --out some.h5 --events some.csv
expect_match stdout '^  event log +contains detected contacts up to t = 0.[0-9]+ s; --event-limit -1 keeps all$'
# shellcheck disable=SC2016 # of awk
expect "a beginning of all events, with whole steps" awk -F, '
  FNR == NR { all[FNR] = $0; t[FNR] = $1; next }
  { if ($0 != all[FNR]) exit 1; n = FNR }
  END { exit n < 501 || n > 700 || t[n + 1] == t[n] }' all.csv some.csv
check "the result knows" "$PICUS" info some.h5
expect_match stdout '^statistics.events_cut +1$'
check "none of them" "$PICUS" run "${heap[@]}" 0.3 --event-limit 0 --out none.h5 --events none.csv
expect_lines none.csv 1
check "a limit behind the end" "$PICUS" run "${heap[@]}" 0.3 --event-limit -1 --out full.h5 --events full.csv
expect "equal files" cmp all.csv full.csv
check "cut in a run that was stopped" "$PICUS" run "${heap[@]}" 0.2 --event-limit 500 --out part.h5 --checkpoint 1h
check "and resumed" "$PICUS" resume part.h5 --t-end 0.3 --quiet
check "its events" "$PICUS" events part.h5 --csv part.csv
check "and those of the unbroken run" "$PICUS" events some.h5 --csv some-again.csv
expect "are equal" cmp part.csv some-again.csv
check "a limit that is no number" "$PICUS" run disks --event-limit many
expect_status 2
