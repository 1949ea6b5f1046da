#!/usr/bin/env bash
# What the tool says about options, names and tables.
. "$(dirname "$0")/../support/check.sh"

# A figure with --points has a dot for every row: in an SVG a stroke of no length, or a shape.
table() {
  echo "t,x"
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%d,%.9g\n", i, sin(i / 9) }'
}
marks() {
  grep -oE 'M [-0-9.]+ [-0-9.]+ L [-0-9.]+ [-0-9.]+' "$1" | awk '$2 == $5 && $3 == $6' | wc -l
}
for rows in 201 1000 9000; do
  table $rows >table.csv
  check "--points marks all of $rows rows" "$PICUS" plot table.csv x --points --out table.svg
  expect_equal "$(marks table.svg)" $rows
done
table 30000 >table.csv
check "--points marks 30000 rows in a picture" "$PICUS" plot table.csv x --points --out table.svg
expect_match table.svg '<image '

check "a column of names in 'list'" sh -c "'$PICUS' list | sed -nE 's/^([a-z0-9-]+ +).*/\1/p' | awk '{ print length(\$0) }' | sort -u"
expect_lines stdout 1
# 'list' reads descriptions without running the models, 'show' runs them
for name in $("$PICUS" list --names); do "$PICUS" show "$name" | sed -nE '1s/^[a-z0-9-]+: //p'; done >described
check "descriptions in 'list'" sh -c "'$PICUS' list | sed -E 's/^[a-z0-9-]+ +//'"
expect_equal "$(cat "$STDOUT")" "$(cat described)"
check "columns in 'help'" "$PICUS" help
expect_match stdout '^  moreau-projected +[A-Z]'
check "columns of options" "$PICUS" run --help
expect_equal "$(sed -nE 's/^(  --[^ ]+( [^ ]+)?  +)[^ ].*/\1/p' "$STDOUT" | awk '{ print length($0) }' | sort -u | wc -l)" 1

for command in run reference compare solve plot events list show check info help; do
  check "$command: nothing is repeatable twice" "$PICUS" $command --help
  expect_no_match stdout '\(repeatable\).*\(repeatable\)'
done
check "docs: nothing is repeatable twice" "$PICUS" help --markdown
expect_no_match stdout '\(repeatable\).*\(repeatable\)'

for name in a.txt a.csv a.png run-1.5 a.h5.txt 'A.H5'; do
  check "--out $name is refused" "$PICUS" run woodpecker --out "$name"
  expect_status 2
  expect_lines stderr 1
  expect_match stderr "^picus: --out writes HDF5, so '$name' must end in .h5 or .hdf5; use --csv FILE.csv for CSV$"
  expect_no_file "$name"
done
for name in a.h5 a.hdf5 a .hidden; do
  check "--out $name is written" "$PICUS" run woodpecker --t-end 0.01 --out "$name"
  expect_file "$name"
done
check "reference --out a.txt is refused" "$PICUS" reference woodpecker --out a.txt
expect_status 2
expect_no_file a.txt

cat >option.lua <<'END'
local q = coordinates {{"x", velocity = "v"}}
simulate {stop_when = q.x, dt = 1e-3}
END
check "an unknown run option is told as such" "$PICUS" check option.lua
expect_status 2
expect_lines stderr 1
expect_match stderr "^picus: option.lua:2: there is no run option 'stop_when'"

# glibc fills what is freed with these bytes: whoever still reads it, HDF5 included, goes astray
check "memory that is freed is not read" env MALLOC_PERTURB_=165 "$PICUS" run bouncing-ball --out freed.h5 --quiet
expect_status 0
check "nor by those that read results" env MALLOC_PERTURB_=165 "$PICUS" info freed.h5
expect_status 0

# blocks of a run with few columns have 8192 rows: the first one is not whole here
check "a result for info" "$PICUS" run woodpecker --fixed --dt 1e-5 --t-end 0.2 --out whole.h5
head -c 150000 whole.h5 >cut.h5
check "info of a result without a complete block" "$PICUS" info cut.h5
expect_match stdout '^0 rows: rows are written in blocks, and none is complete$'
expect_match stdout '^E.total +J +- +-$'
expect_no_match stdout 'nan'

# a table to standard output: what the tool says goes to standard error
check "--csv - is standard output" "$PICUS" run bouncing-ball --csv -
expect_equal "$(head -1 "$STDOUT" | cut -c1-4)" "t,q,"
expect_lines stdout 102
expect_match stderr '^bouncing-ball: done'
expect_match stderr 'results  *101 rows in standard output$'
"$PICUS" run bouncing-ball --out b.h5 --csv b.csv --quiet
expect_equal "$("$PICUS" export b.h5 --table rows --csv - | cmp - b.csv && echo same)" same
echo before >appended.csv
check "standard output that is appended" sh -c "'$PICUS' run bouncing-ball --csv - --quiet >>appended.csv"
expect_equal "$(head -1 appended.csv)" before
expect_lines appended.csv 103
check "two tables on one output" "$PICUS" run bouncing-ball --csv - --events -
expect_status 2
expect_match stderr 'only one table can be written to standard output'
expect_empty stdout
check "a table that cannot be continued" "$PICUS" run bouncing-ball --csv - --out c.h5 --checkpoint 1steps
expect_status 2
expect_no_file c.h5
check "a full standard output" sh -c "'$PICUS' run bouncing-ball --csv - --quiet >/dev/full"
expect_status 2

check "columns come first, and what is 0 is left out" "$PICUS" info b.h5
expect_match stdout 'entries that are 0 or empty are not shown; --all shows them$'
expect_no_match stdout '^(options|statistics)[^ ]* +0$'
expect_equal "$(head -1 "$STDOUT")" "101 rows"
check "--all" "$PICUS" info b.h5 --all
expect_match stdout '^statistics.[a-z_]+ +0$'

cat >names.lua <<'END'
local q, u = coordinates {{"x", velocity = "v", start = {1, -1}}}
kinetic(u.v^2 / 2)
contact {"a-contact-with-a-very-long-name", gap = q.x, eN = 0.5}
contact {"b", gap = 2 + q.x}
simulate {dt = 0.01, t_end = 3}
END
"$PICUS" run names.lua --out names.h5 --quiet
for raw in '' --raw; do
  # shellcheck disable=SC2086
  check "long names in the table of events $raw" "$PICUS" events names.h5 $raw
  expect_equal "$(awk '/->/ { print match($0, /(open|closed|from) ->/) }' "$STDOUT" | sort -u | wc -l)" 1
done

cat >step.lua <<'END'
local q, u = coordinates {{"x", velocity = "v"}}
kinetic(u.v^2 / 2)
potential(1e4 * q.x^2 / 2)
simulate {scheme = "moreau", dt = 1e-3, t_end = 0.1}
END
check "a stability limit that is far away" "$PICUS" run step.lua
expect_no_match stdout 'stability'
check "and one that is near" "$PICUS" run step.lua --dt 5e-3
expect_match stdout 'stability limit about dt = 0.02 s'
check "contacts between shapes" "$PICUS" check tower
expect_match stdout 'directions W of contacts between shapes'
