# "auto" beside the other solvers of Picus, and Gauss-Seidel of Siconos if it is installed, on problems from files.
# shellcheck shell=bash disable=SC2154 # variables of bench/run
data=${PICUS_DATA:-}
if [ ! -d "$data/contact" ]; then
  echo "auto on problems from files: set PICUS_DATA to a folder with contact/*.hdf5; not measured"
else
  echo "auto on problems from files, at 1e-8"
  race() { "$build/picus_solver_bench" --data "$data" --files --tol 1e-8 --limit 3 --patience 3 --csv "$lines" "$@" >/dev/null && cat "$lines"; }
  attempts=$(race --no-siconos && race --contender "siconos NSGS")
  awk -F, "$goals"'
    $11 == 1 && $13 > 0 {
      kind = $10 == "picus auto" ? "auto" : $10 ~ /^picus/ ? "own" : "siconos"
      if (!((kind, $1) in least) || $13 < least[kind, $1]) least[kind, $1] = $13
      problem[$1] = 1
    }
    END {
      for (p in problem) {
        count++
        best = ("own", p) in least && least["own", p] < least["auto", p] ? least["own", p] : least["auto", p]
        ratio = ("auto", p) in least ? least["auto", p] / best : 1e9
        if (ratio > worst) worst = ratio
        if (!(("siconos", p) in least) || least["siconos", p] < 2e-6) continue
        raced++
        gain = least["siconos", p] / least["auto", p]
        if (!poorest || gain < poorest) poorest = gain
      }
      goal("auto / the fastest of Picus, worst of " count, worst, "<=", 1.5)
      if (raced) goal("fastest NSGS of Siconos / auto, least of " raced, poorest, ">=", 2)
    }' <<<"$attempts"
  echo "  all solvers of Siconos: make bench-solvers"
fi
