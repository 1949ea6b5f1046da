#!/usr/bin/env bash
# picus solve, and the contact problems that picus run keeps for it.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

check "a run keeps its hardest contact problems" "$PICUS" run woodpecker --t-end 0.3 --dump-worst hard --worst 2
expect_file hard/woodpecker-worst-1.hdf5
expect_file hard/woodpecker-worst-2.hdf5
expect_no_file hard/woodpecker-worst-3.hdf5
expect_match stdout '^  hard +t = [0-9.]+ s, [0-9]+ iterations, residual [0-9.e-]+$'
expect_match stdout 'picus solve hard/woodpecker-worst-2.hdf5 --solver auto --tol 1e-12 --start guess$'

# shellcheck disable=SC2016 # for the other shell
check "the command that is printed solves them again" sh -c '
  "$PICUS" run woodpecker --t-end 0.3 --dump-worst "hard ones" --worst 1 | sed -n "s/^ *picus \(solve .*\)/\1/p" >again &&
  [ -s again ] && while read -r line; do eval "\"\$PICUS\" $line" || exit 1; done <again'
expect_match stdout '^woodpecker-worst-1.hdf5 +auto +1 +2 +1 .* solved$'

check "watching does not change a run" sh -c "'$PICUS' run slope --csv a.csv --quiet &&
  '$PICUS' run slope --csv b.csv --dump-worst hard --quiet && cmp a.csv b.csv"
expect_empty stdout
expect_file hard/slope-worst-3.hdf5

check "one solver" "$PICUS" solve hard/woodpecker-worst-1.hdf5 --solver psor --tol 1e-9 --max-iterations 500 --repeat 3
expect_lines stdout 2
expect_match stdout '^file +solver +contacts +rows +iterations +seconds +residual +fclib +worst +status$'
expect_match stdout '^woodpecker-worst-1.hdf5 +psor +1 +2 '

check "problems FCLIB has no words for come back too" sh -c "'$PICUS' run bouncing-ball --dump-worst hard --quiet &&
  '$PICUS' solve hard/bouncing-ball-worst-*.hdf5 --csv ball.csv"
expect_lines stdout 4
expect_lines ball.csv 4
expect_match ball.csv '^file,solver,contacts,rows,iterations,seconds,residual,signorini,cone,dissipation,de_saxce,fclib,worst_contact,used,status$'
expect_match ball.csv '^"hard/bouncing-ball-worst-1.hdf5",auto,1,1,.*,solved$'

check "all solvers, of which some may not be able to" "$PICUS" solve hard/slope-worst-1.hdf5 --solver all --csv all.csv --plot all.svg
[ "$STATUS" -eq 1 ] && expect_status 1
expect_match stdout ' auto .* solved$'
expect_file all.svg
expect_equal "$(tail -n +2 all.csv | wc -l)" "$(tail -n +2 "$STDOUT" | wc -l)"

check "quiet is quiet" "$PICUS" solve hard/slope-worst-1.hdf5 --quiet
expect_empty stdout
expect_empty stderr

check "not solved in so few iterations" "$PICUS" solve hard/woodpecker-worst-1.hdf5 --solver psor --max-iterations 1 --tol 1e-15
expect_status 1
expect_match stdout ' psor .* not converged$'

# A block on a slope that is pushed across it: friction in two directions, neither along a corner of the pyramid.
"$PICUS" run sliding-mass --fixed --t-end 1 --dump-worst hard --worst 1 --quiet
check "pyramids are told apart from cones" "$PICUS" solve hard/sliding-mass-worst-1.hdf5 --solver lemke --facets 6 --csv few.csv
expect_status 1
expect_match stdout ' lemke .* solved with pyramids only$'
expect_match stderr '^picus: sliding-mass-worst-1.hdf5: .*pyramids of 6 facets.*residual'
check "more facets come closer" "$PICUS" solve hard/sliding-mass-worst-1.hdf5 --solver lemke --facets 256 --csv many.csv --quiet
expect_status 1
expect_equal "$(paste -d, few.csv many.csv | tail -1 | awk -F, '{ print ($7 > 10 * $22 && $22 > 0) }')" 1

check "the shortest percussion" "$PICUS" solve hard/woodpecker-worst-1.hdf5 --minimum-norm
expect_match stdout ' solved$'

wrong() { # NAME REGEX ARGUMENTS...
  local name=$1 regex=$2
  shift 2
  check "$name" "$PICUS" "$@"
  expect_status 2
  expect_match stderr "^picus: .*$regex"
  expect_lines stderr 1
}
echo text >text.hdf5
"$PICUS" run slope --t-end 0.1 --out slope.h5 --quiet
wrong "no file" "solve needs FILE" solve
wrong "a file that is not there" "nowhere.hdf5" solve nowhere.hdf5
wrong "a text" "text.hdf5' is not an HDF5 file" solve text.hdf5
wrong "a result of a run" "slope.h5' is an HDF5 file but not a contact problem" solve slope.h5
wrong "a good file and a bad one" "nowhere.hdf5" solve hard/slope-worst-1.hdf5 nowhere.hdf5
wrong "an unknown solver" 'no solver .gauss' solve hard/slope-worst-1.hdf5 --solver gauss
wrong "a tolerance that is none" "--tol takes a number" solve hard/slope-worst-1.hdf5 --tol tight
wrong "iterations" "--max-iterations must be an integer from 1 to 1e9" solve hard/slope-worst-1.hdf5 --max-iterations 0
wrong "an odd number of facets" "facets = 7 of a friction pyramid must be an even number" solve hard/slope-worst-1.hdf5 --solver lemke --facets 7
wrong "facets that are no number" "--facets takes" run slope --facets many
wrong "repetitions" "--repeat takes" solve hard/slope-worst-1.hdf5 --repeat 0
wrong "an unknown start" "--start takes" solve hard/slope-worst-1.hdf5 --start here
wrong "a table that cannot be written" "no-folder/a.csv" solve hard/slope-worst-1.hdf5 --csv no-folder/a.csv
wrong "a folder that cannot be made" "cannot create the folder" run slope --dump-worst text.hdf5/hard --quiet
wrong "how many without where" "--worst needs --dump-worst" run slope --worst 2
wrong "a picture of no known kind" "jpeg" solve hard/slope-worst-1.hdf5 --plot a.jpeg
wrong "how many" "--worst takes" run slope --dump-worst hard --worst 0
