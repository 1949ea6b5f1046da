# The slider-crank and the bar, Moreau-Jean's scheme, theta = 1/2, beside Siconos and a loop by hand.
# shellcheck shell=bash disable=SC2154 # variables of bench/run
: >"$lines"
crank="nsgs lemke enum"
bar="sparse dense"
fastest() { awk -v who="^$1-siconos" '$1 ~ who && $2 > best { best = $2; split($1, part, "-"); name = part[3] } END { print name }' "$lines"; }
for ((round = 0; round < rounds; round++)); do
  "$build/picus_bench" implicit >>"$lines"
  [ -x "$build/siconos_slider_crank" ] || continue
  for solver in $crank; do "$build/siconos_slider_crank" "$solver" 1e-5 13000 1e-12 >>"$lines"; done
  for storage in $bar; do "$build/siconos_bar" "$storage" 1000 2e-6 180 >>"$lines"; done
  crank=$(fastest crank)
  bar=$(fastest bar)
done
awk "$goals$rates"'
  { split($1, part, "-") }
  part[2] == "siconos" && $2 > siconos[part[1]] { siconos[part[1]] = $2 }
  function beside_siconos(which, least) {
    if (which in siconos) goal("Picus / best of Siconos", best[which "-picus"] / siconos[which], ">=", least)
    else print "  Siconos is not installed here: not compared"
  }
  END {
    head("slider-crank, dt=1e-5, t=0..0.13 s")
    row("Picus", "crank-picus", "crank-picus")
    row("Siconos, NSGS", "crank-siconos-nsgs", "crank-picus")
    row("Siconos, Lemke", "crank-siconos-lemke", "crank-picus")
    row("Siconos, enumeration", "crank-siconos-enum", "crank-picus")
    beside_siconos("crank", 10)
    head("elastic bar, 1000 elements, dt=2e-6")
    row("Picus", "bar-picus", "bar-picus")
    row("Siconos, sparse", "bar-siconos-sparse", "bar-picus")
    row("Siconos, dense", "bar-siconos-dense", "bar-picus")
    row("by hand, tridiagonal", "bar-by-hand", "bar-picus")
    goal("by hand / Picus", best["bar-by-hand"] / best["bar-picus"], "<=", 2.5)
    beside_siconos("bar", 50)
  }' "$lines"
