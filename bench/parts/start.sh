# Start-up beside a program that does nothing, without and with HDF5; short commands; set-up of named contacts.
# shellcheck shell=bash disable=SC2154 # variables of bench/run
cost() { "$build/command_cost" 30 "$@" | awk '{ print 1000 * $1 }'; }
libraries() { ldd "$1" | grep -c '=>'; }
picus=$(cost "$tool/picus" --help) nothing=$(cost "$build/nothing") hdf5=$(cost "$build/nothing_hdf5")
printf '%-46s %10s %10s\n' "start-up, ms of processor time" ms libraries
printf '  %-44s %10.2f %10d\n' "picus --help" "$picus" "$(libraries "$tool/picus")" \
  "nothing" "$nothing" "$(libraries "$build/nothing")" "nothing, with HDF5" "$hdf5" "$(libraries "$build/nothing_hdf5")"
goal "picus --help, ms" "$picus" '<=' 8
printf '  %-44s %10.3g\n' "picus --help / nothing with HDF5" "$(quotient "$picus" "$hdf5")"
file=$(mktemp -d)
trap 'rm -rf "$file"' EXIT
printf '  %-44s %10.2f\n' "picus list" "$(cost "$tool/picus" list)" \
  "a short run with a result file" "$(cost "$tool/picus" run bouncing-ball --quiet --out "$file/run.h5")"
for n in 100 200 400; do
  took=$("$build/command_cost" 3 "$tool/picus" run "$(dirname "${BASH_SOURCE[0]}")/../../scenes/many/named-contacts.lua" --set n=$n \
    --quiet --out "$file/run.h5" | awk -v n=$n '{ print 1000 * $1 / n }')
  printf '  %-44s %10.2f\n' "named contacts of $n balls, ms per ball" "$took"
done
