# Start-up beside a program that does nothing, without and with HDF5.
# shellcheck shell=bash disable=SC2154 # variables of bench/run
cost() { "$build/command_cost" 30 "$@" | awk '{ print 1000 * $1 }'; }
libraries() { ldd "$1" | grep -c '=>'; }
picus=$(cost "$tool/picus" --help) nothing=$(cost "$build/nothing") hdf5=$(cost "$build/nothing_hdf5")
printf '%-46s %10s %10s\n' "start-up, ms of processor time" ms libraries
printf '  %-44s %10.2f %10d\n' "picus --help" "$picus" "$(libraries "$tool/picus")" \
  "nothing" "$nothing" "$(libraries "$build/nothing")" "nothing, with HDF5" "$hdf5" "$(libraries "$build/nothing_hdf5")"
goal "picus --help, ms" "$picus" '<=' 8
printf '  %-44s %10.3g\n' "picus --help / nothing with HDF5" "$(quotient "$picus" "$hdf5")"
