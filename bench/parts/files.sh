# Files: rows beside loops that write them by hand; plot, info and compare of a million rows.
# shellcheck shell=bash disable=SC2154 # variables of bench/run
"$build/picus_bench" recording | tee "$lines"
goal "HDF5, uncompressed, ns a row" "$(beside '^HDF5, uncompressed$' 4 <"$lines")" '<=' 468
goal "HDF5, ns a row" "$(beside '^HDF5$' 4 <"$lines")" '<=' 937
goal "CSV / by hand, fprintf" "$(beside '^CSV$' 6 <"$lines")" '<=' 0.5
goal "HDF5 / by hand, deflate 1" "$(beside '^HDF5$' 6 <"$lines")" '<=' 1

million() { # FILE OPTION...: records a million rows
  local file=$1
  shift
  "$tool/picus" run woodpecker --fixed --dt 1e-6 --t-end 1 --every 1 "$@" "$file" --quiet
}
folder=$(mktemp -d "${TMPDIR:-/tmp}/picus-bench.XXXXXX")
if million "$folder/rows.csv" --csv && million "$folder/rows.h5" --out; then
  read -r plot _ <<<"$("$build/command_cost" 3 "$tool/picus" plot "$folder/rows.csv" phiS phiM --out "$folder/plot.png")"
  read -r hand _ <<<"$("$build/command_cost" 3 "$build/read_csv_by_hand" "$folder/rows.csv")"
  read -r _ info <<<"$("$build/command_cost" 1 "$tool/picus" info "$folder/rows.h5")"
  read -r _ both <<<"$("$build/command_cost" 1 "$tool/picus" compare "$folder/rows.h5" "$folder/rows.h5")"
  all=200 # MB: a million rows of 25 numbers
  echo "a million rows of the woodpecker"
  goal "plot of the CSV file, s" "$plot" '<=' 1.5
  goal "plot / reading it by hand with strtod" "$(quotient "$plot" "$hand")" '<=' 1
  goal "info: memory / that of all rows" "$(quotient "$info" "$all")" '<=' 0.5
  goal "compare: memory / that of all rows" "$(quotient "$both" "$all")" '<=' 0.5
fi
rm -rf "$folder"
