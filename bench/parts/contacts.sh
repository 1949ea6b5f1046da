# Few contacts: all solvers, and goals for spatial ones.
# shellcheck shell=bash disable=SC2154 # variables of bench/run
"$build/picus_bench" solvers | tee "$lines"
awk -F '  +' "$goals"'
  /^[^ ]/ { spatial = /^spatial/ }
  spatial && $2 == "auto, cold start" { for (k = 1; k <= 4; k++) cold[k] = $(k + 2) / 1000 }
  spatial && $2 == "auto, warm start" { for (k = 1; k <= 4; k++) warm[k] = $(k + 2) / 1000 }
  spatial && $2 ~ /^(gs|newton), cold start$/ { for (k = 1; k <= 4; k++) if (!alone[k] || $(k + 2) < alone[k]) alone[k] = $(k + 2) / 1000 }
  END {
    split("0.5 1 2 3", most, " ")
    for (k = 1; k <= 4; k++) goal("spatial contacts: " k ", cold, us", cold[k], "<=", most[k])
    for (k = 1; k <= 4; k++) goal("spatial contacts: " k ", warm, us", warm[k], "<=", most[k] / 2)
    for (k = 2; k <= 4; k++) printf "  %-44s %10.3g\n", "spatial contacts: " k ", gs or newton alone / auto", alone[k] / cold[k]
  }' "$lines"
