# Does the time of a step per row jump where a model grows? Up to 1000 rows; make bench-cliffs goes on to 10000.
# shellcheck shell=bash disable=SC2154 # variables of bench/run
"$build/picus_cliffs" "$source/scenes/many" --most "${PICUS_BENCH_ROWS:-1000}" >"$lines"
echo "time per contact row, largest jump from one size to the next"
awk "$goals"' $2 == "largest" { goal($1 ", " $5 " at " $7 " rows", $4, "<=", 1.3) }' FS='[ ,]+' "$lines"
