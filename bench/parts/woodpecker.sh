# The woodpecker beside loops by hand and Siconos. They take turns, and the best of each counts.
# shellcheck shell=bash disable=SC2154 # variables of bench/run
"$build/woodpecker_by_hand_check" >"$lines" || {
  cat "$lines"
  exit 1
}
: >"$lines"
siconos="nsgs lemke enum"
for ((round = 0; round < rounds; round++)); do
  "$build/picus_bench" woodpecker >>"$lines"
  [ -x "$build/siconos_woodpecker" ] || continue
  for solver in $siconos; do
    "$build/siconos_woodpecker" "$solver" blocks 1e-6 1000000 1e-12 >>"$lines"
  done
  # The others have had their turn: from now on only its fastest solver runs.
  siconos=$(awk '/^siconos/ && $2 > best { best = $2; split($1, part, "-"); name = part[2] } END { print name }' "$lines")
done
awk "$goals$rates"'
  $1 ~ /^siconos/ && $2 > siconos { siconos = $2 }
  END {
    head("woodpecker, dt=1e-6, t=0..1 s")
    row("Picus", "picus", "picus")
    row("by hand, Gauss-Seidel", "by-hand", "picus")
    row("by hand, single contact by cases", "by-hand-cases", "picus")
    row("Siconos, NSGS", "siconos-nsgs-blocks", "picus")
    row("Siconos, Lemke", "siconos-lemke-blocks", "picus")
    row("Siconos, enumeration", "siconos-enum-blocks", "picus")
    goal("Picus / by hand, Gauss-Seidel", best["picus"] / best["by-hand"], ">=", 1.5)
    if (siconos > 0) goal("Picus / best of Siconos", best["picus"] / siconos, ">=", 8)
    else print "  Siconos is not installed here: not compared"
  }' "$lines"
