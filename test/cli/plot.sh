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
check "the two laws of a contact" "$PICUS" plot w.h5 lower.unilateral lower.friction --apart columns --out laws.svg
expect_match laws.svg '<svg'
check "the two laws as bars, with switching points" "$PICUS" plot w.h5 omegaS lower.unilateral lower.friction --bars --switches --to 0.2 --out bars.svg
greys() { grep -c 'fill[=:]"\?rgb(75' bars.svg; }
expect "there are grey bars" [ "$(greys)" -ge 3 ]
expect_match bars.svg 'fill[=:]"?rgb[(]0%, ?0%, ?0%'
"$PICUS" plot w.h5 omegaS lower.unilateral lower.friction --bars --to 0.2 --out plain.svg >/dev/null
check "switching points are marked" cmp -s bars.svg plain.svg
expect_status 1
check "bars of a coordinate" "$PICUS" plot w.h5 omegaS --bars --out bars.svg
expect_status 2
expect_match stderr 'bars needs a column NAME.unilateral or NAME.friction'
check "a law that is not there" "$PICUS" plot w.h5 lower.unilaterol
expect_status 2
expect_match stderr "did you mean 'lower.unilateral'"
check "the same figure has the same bytes" sh -c "'$PICUS' plot w.h5 --out a.png && '$PICUS' plot w.h5 --out b.png && cmp a.png b.png"

# Several results, tables, logarithmic axes, forces.
check "two more results" sh -c "'$PICUS' run bouncing-ball --dt 0.05 --out coarse.h5 --quiet && '$PICUS' run bouncing-ball --dt 0.01 --out fine_1.h5 --csv fine.csv --quiet"
check "two results in one panel, with labels" "$PICUS" plot coarse.h5 fine_1.h5 q --label 'coarse steps' --out two.svg
colours() { grep -oE 'stroke[=:]"?rgb\([^)]*\)' "$1" | sort -u | wc -l; }
check "one result alone" "$PICUS" plot coarse.h5 q --out one.svg
expect "the other one has a colour of its own" [ "$(colours two.svg)" -gt "$(colours one.svg)" ]
check "the model's figure of both" "$PICUS" plot coarse.h5 fine_1.h5 --out both.png
expect "it is a PNG" is_png both.png
check "a panel for each" "$PICUS" plot coarse.h5 fine_1.h5 q v --apart columns --apart results --columns 2 --pixels 800 --out apart.png
expect "it is 800 pixels wide" [ "$(od -An -tu1 -j16 -N4 apart.png | xargs)" = "0 0 3 32" ]
check "a run's CSV as a table draws the same curve" sh -c "'$PICUS' plot fine.csv q --out a.svg && '$PICUS' plot fine.csv q --x t --out b.svg && cmp a.svg b.svg"

# A percussion over its step: ball at rest, f = -2 N, must lie at 2 N. The axis says so.
check "percussions as forces" "$PICUS" plot coarse.h5 ground.PN --forces --from 4 --out forces.svg
check "percussions as they are" "$PICUS" plot coarse.h5 ground.PN --from 4 --out percussions.svg
check "which is another figure" cmp -s forces.svg percussions.svg
expect_status 1

# A ball with six impacts and thirteen switching points: the curve of forces has six gaps, and there are six impulses.
check "forces and impulses apart" "$PICUS" plot fine_1.h5 ground.PN --impacts separate --events ground --from 0.5 --out separate.svg
curves() { grep -o '<path[^>]*stroke[=:]"\?rgb(0%, \?27%, \?53%)[^>]*' "$1" | sed 's/.* d="//' | awk '{print gsub(/M /, "")}' | xargs; }
expect_equal "$(curves separate.svg)" "7 6"
expect_equal "$(grep -c 'dasharray[=:]"\?3,2' separate.svg)" 26
check "impacts joined is the default" sh -c "'$PICUS' plot fine_1.h5 ground.PN --impacts joined --out a.svg && '$PICUS' plot fine_1.h5 ground.PN --out b.svg && cmp a.svg b.svg"
check "a range with one end" "$PICUS" plot fine_1.h5 q ground.PN --range ground.PN=:1 --range 'q=-1/2:2' --out range.svg

check "switching points of a table" "$PICUS" plot fine.csv q --switches
expect_status 2
expect_match stderr 'switches needs a result with an event log'

printf 'dt (s),error (m),name\n0.1,0.01,a\n0.01,0.001,b\n0.001,0,c\n' >errors.csv
check "a convergence study from a table" "$PICUS" plot errors.csv error --log xy --slope 1 --points --out errors.svg
expect_match stderr '^picus: 1 values are not positive and cannot be drawn'

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
wrong "more labels than results" "more labels" plot coarse.h5 q --label a --label b
wrong "a wrong axis" "--log takes x, y or xy" plot coarse.h5 q --log z
wrong "apart what" "--apart takes columns or results" plot coarse.h5 q --apart runs
wrong "impacts what" "--impacts takes joined or separate, not 'no'" plot coarse.h5 ground.PN --impacts no
wrong "impulses over a coordinate" "separate draws over time" plot coarse.h5 ground.PN --x q --impacts separate
wrong "impulses of a table" "name the columns" plot fine.csv --impacts separate
wrong "an unknown event" "no event 'wall'; --events takes" plot coarse.h5 q --events wall
wrong "events of a table" "a table and has no events" plot fine.csv q --events ground
wrong "a range upside down" "--range takes Y=LOW:HIGH" plot coarse.h5 q --range q=2:1
wrong "a range of nothing" "--range takes Y=LOW:HIGH" plot coarse.h5 q --range q=
wrong "a range of words" "--range takes Y=LOW:HIGH" plot coarse.h5 q --range q=low:high
wrong "a negative range of a logarithmic axis" "both positive" plot coarse.h5 q --log y --range q=-1:1
wrong "a range of a column that is not drawn" "no panel of the figure has a column 'v'" plot coarse.h5 q --range v=0:1
wrong "a slope on linear axes" "--slope needs --log xy" plot coarse.h5 q --slope 1
wrong "a column of texts" "contains text in line 2" plot errors.csv name
wrong "a column that the second result lacks" "'w.h5' has no column 'q'" plot coarse.h5 w.h5 q
mkdir folder.csv
wrong "a folder as a table" "folder.csv" plot folder.csv y
wrong "a table without columns" "name the columns" plot errors.csv
wrong "a missing table" "nowhere.csv" plot nowhere.csv y
wrong "too many panels side by side" "--columns takes" plot coarse.h5 q --columns 99
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

# The scene at a time, with contacts.
"$PICUS" run woodpecker --t-end 0.3 --out scene-run.h5 --quiet
check "a scene at a time" "$PICUS" plot scene-run.h5 --at 0.15 --out scene.svg
expect_match stdout '^scene.svg: t = 0.15 s; contacts: [0-9]* closed or stick [(]green[)], [0-9]* slip [(]orange[)], [0-9]* open [(]grey[)]'
expect_equal "$(grep -c 'r="3.00"' scene.svg)" 3
check "as PNG" "$PICUS" plot scene-run.h5 --at 0.15 --out scene.png --pixels 400
check "a scene as PDF" "$PICUS" plot scene-run.h5 --at 0.15 --out scene.pdf
expect_status 2
expect_match stderr "a scene is drawn as .png or .svg, not 'scene.pdf'"
check "a scene with columns" "$PICUS" plot scene-run.h5 y --at 0.15 --out scene.svg
expect_status 2
expect_match stderr 'at draws the scene of one result, without columns'
check "what to show needs a time" "$PICUS" plot scene-run.h5 --show chains
expect_status 2
expect_match stderr 'show needs --at T'
check "an unknown thing to show" "$PICUS" plot scene-run.h5 --at 0.15 --show all --out scene.svg
expect_status 2
expect_match stderr "show takes arrows, chains, slope or distribution, not 'all'"
check "no loaded contacts" "$PICUS" plot scene-run.h5 --at 0.15 --show distribution --out scene.svg
expect_status 2
expect_match stderr 'there is no loaded contact at t = 0.15 s'
check "no heap" "$PICUS" plot scene-run.h5 --at 0.15 --show slope --out scene.svg
expect_status 2
expect_match stderr 'no disks or spheres that move'

# A heap of disks: chains of forces, their distribution, slopes.
"$PICUS" run disks --set n=12 --set columns=4 --t-end 0.4 --out heap.h5 --quiet
check "chains of forces" "$PICUS" plot heap.h5 --at 0.4 --show chains --out chains.svg
expect_match stdout '^chains.svg: t = 0.4 s; [0-9]+ loaded contacts, mean force [0-9.]+ N, largest [0-9.]+ N$'
expect_match chains.svg 'stroke="#9b1d20"'
check "a distribution of forces" "$PICUS" plot heap.h5 --at 0.4 --show distribution --out distribution.pdf
expect_match distribution.pdf '^%PDF'
check "slopes" "$PICUS" plot heap.h5 --at 0.4 --show slope --out slope.png
expect_match stdout '^slope.png: t = 0.4 s; '
check "no contacts that come and go" "$PICUS" plot scene-run.h5 contacts.overlap
expect_status 2
expect_match stderr "has no column 'contacts.overlap'"
