#!/usr/bin/env bash
# picus plot and info on a real result.
. "$(dirname "$0")/../support/check.sh"

check "a result to draw" "$PICUS" run woodpecker --every 10 --out w.h5 --quiet
expect_file w.h5

is_png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }
check "the model's figure, beside the result" "$PICUS" plot w.h5
expect_match stdout '^w.png$'
expect "it is a PNG" is_png w.png
check "a phase portrait as SVG" "$PICUS" plot w.h5 omegaS --x phiS --out cycle.svg
expect_match cycle.svg '<svg'
check "time series as PDF" "$PICUS" plot w.h5 y phiM phiS beak.gap lower.mode --from 0.1 --to 0.4 --out series.pdf
expect_match series.pdf '^%PDF'
check "the same figure has the same bytes" sh -c "'$PICUS' plot w.h5 --out a.png && '$PICUS' plot w.h5 --out b.png && cmp a.png b.png"

wrong() { # NAME REGEX ARGUMENTS...
  local name=$1 regex=$2
  shift 2
  check "$name" "$PICUS" "$@"
  expect_status 2
  expect_match stderr "^picus: .*$regex"
  expect_lines stderr 1
}
wrong "no result" "plot needs RESULT.h5" plot
wrong "missing result" "nowhere.h5" plot nowhere.h5
wrong "unknown column" "no column 'omegas'; did you mean 'omegaS'" plot w.h5 omegas
wrong "unknown x" "no column 'phi'; did you mean" plot w.h5 omegaS --x phi
wrong "x without y" "--x needs at least one column" plot w.h5 --x phiS
wrong "unknown format" "gif" plot w.h5 --out w.gif
wrong "unwritable figure" "no/folder" plot w.h5 --out no/folder/w.png
wrong "not a result" "series.pdf" plot series.pdf
wrong "info of no result" "cycle.svg" info cycle.svg

check "info says how the run was made" "$PICUS" info w.h5
expect_match stdout '^command +picus run woodpecker --every 10'
expect_match stdout '^options.scheme +moreau'
expect_match stdout '^statistics.steps +100000'
expect_match stdout '^parameters.mu +0.3$'
expect_match stdout '^parameters.rO +0.0025 m$'
expect_match stdout '^10001 rows'
expect_match stdout '^lower.gap +m '
check "info gives the model's text back" sh -c "'$PICUS' info w.h5 --source | cmp - '$PICUS_SOURCE/models/woodpecker.lua'"
