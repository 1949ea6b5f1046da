#!/usr/bin/env bash
# picus compare MODEL --schemes.
. "$(dirname "$0")/../support/check.sh"

# order_of SCHEME LINE: the observed order of the coordinates in the LINE-th row of a scheme in the last table.
order_of() {
  awk -v scheme="$1" -v line="$2" '$1 == scheme && ++n == line { print $4 }' "$STDOUT"
}
between() { awk -v value="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(value >= low && value <= high) }'; }

check "every scheme on the slope" "$PICUS" compare slope --schemes all --csv slope.csv --figure slope.svg
expect_match stdout '^slope to t = 3.2768 s, errors against an adaptive run with rattle, estimated error [0-9.]*e-(09|1[0-9]) of each range$'
expect_match stdout '^schatzman-paoli +0.001  the scheme schatzman-paoli does not support friction'
expect_match stdout '^adaptive rattle +1e-09 +[0-9.]*e-(0[89]|1[0-9]) '
expect_match stdout '^rattle .*  (x|y), u[xy]$'
cp "$STDOUT" table.txt
for scheme in moreau moreau-jean moreau-combined moreau-explicit rattle half-explicit; do
  STDOUT=table.txt order_of $scheme 3 >order-$scheme
done
check "orders with a contact that stays closed" true
for scheme in moreau moreau-jean moreau-combined moreau-explicit; do
  between "$(cat order-$scheme)" 0.9 1.1 || complain "order of $scheme: $(cat order-$scheme)"
done
for scheme in rattle half-explicit; do
  between "$(cat order-$scheme)" 1.9 2.1 || complain "order of $scheme: $(cat order-$scheme)"
done
check "the table as CSV" awk -F, 'NR > 1 { n++; if (NF != 17) bad++ } END { print n, bad + 0 }' slope.csv
expect_match stdout '^36 0$'
check "the figure" grep -c '<svg' slope.svg
mkdir left
check "nothing is left behind" sh -c "TMPDIR=left '$PICUS' compare slope --schemes rattle --dt 1e-2 >/dev/null && ls left | wc -l"
expect_match stdout '^0$'

"$PICUS" reference slope --accuracy 1e-9 --out ref.h5 --sample 0.1 --quiet
check "against a given reference" "$PICUS" compare slope --schemes rattle,adaptive:moreau --dt 1e-2,1e-3 --tolerances 1e-6 --reference ref.h5 --sample 0.1
expect_match stdout 'errors against ref.h5$'
expect_match stdout '^rattle +0.001 '
expect_match stdout '^adaptive moreau +1e-06 '
check "a reference of another model" "$PICUS" compare falling-mass --schemes moreau --reference ref.h5
expect_status 1
expect_match stdout "the result belongs to the model 'falling-mass', the reference to 'slope'"
expect_match stderr '^picus: no scheme completed the run$'
check "parameters reach the runs" "$PICUS" compare slope --schemes moreau --set mu=0.2 --reference ref.h5 --sample 0.1
expect_status 1
expect_match stdout "the parameter 'mu' is 0.2 in the result and 0.3 in the reference"

# closed form: q = cos t - sin t until the ground at pi / 4
awk 'BEGIN { print "t (s),q (m),v"; for (k = 0; k <= 7; k++) { t = k / 10; printf "%.17g,%.17g,%.17g\n", t, cos(t) - sin(t), -sin(t) - cos(t) } }' >exact.csv
check "against a closed form in a table" "$PICUS" compare linear-oscillator --schemes moreau,rattle --dt 1e-2,5e-3 --t-end 0.7 --sample 0.1 --reference exact.csv --csv exact-errors.csv
expect_status 0
expect_match stdout 'errors against exact.csv$'
# shellcheck disable=SC2016 # of awk
check "both have order 2" awk -F, '$6 != "" && $6 > 1.9 && $6 < 2.1 { n++ } END { exit n != 2 }' exact-errors.csv
expect_status 0
check "a table without common times" "$PICUS" compare linear-oscillator --schemes rattle --dt 1e-2 --t-end 0.7 --sample 0.011 --reference exact.csv
expect_status 1
expect_match stdout "have no two times in common"
echo 'x,y' >empty.csv
check "a table without times" "$PICUS" compare linear-oscillator --schemes rattle --dt 1e-2 --t-end 0.7 --reference empty.csv
expect_status 1

check "an unknown scheme" "$PICUS" compare slope --schemes moreau,ratle
expect_status 2
expect_match stderr "there is no scheme 'ratle'"
check "an empty list" "$PICUS" compare slope --schemes ''
expect_status 2
check "a step size that is none" "$PICUS" compare slope --schemes rattle --dt 1e-3,0
expect_status 2
expect_match stderr "^picus: --dt takes positive numbers with commas, not '1e-3,0'$"
check "errors of chosen coordinates" "$PICUS" compare slope --schemes rattle --dt 1e-2 --columns x,ux --reference ref.h5 --sample 0.1 --csv two.csv
expect_status 0
check "are not larger than those of all" sh -c "'$PICUS' compare slope --schemes rattle --dt 1e-2 --reference ref.h5 --sample 0.1 --csv all.csv >all.txt &&
  awk -F, 'FNR == 2 { error[FILENAME] = \$5 } END { exit !(error[\"two.csv\"] > 0 && error[\"two.csv\"] <= error[\"all.csv\"]) }' two.csv all.csv"
expect_status 0
check "columns that are none" "$PICUS" compare slope --schemes rattle --columns x,nothing
expect_status 2
expect_match stderr "^picus: --columns: the model has no coordinate or velocity 'nothing'$"
check "two results with --schemes" "$PICUS" compare a.h5 b.h5 --schemes all
expect_status 2
expect_match stderr '^picus: with --schemes, compare takes one model$'
check "options of --schemes without it" "$PICUS" compare a.h5 b.h5 --dt 1e-3
expect_status 2
expect_match stderr '^picus: --dt needs --schemes LIST and a model$'
check "a figure of an unknown kind" "$PICUS" compare slope --schemes rattle --figure slope.gif
expect_status 2
check "no place for results" env TMPDIR=/nowhere "$PICUS" compare slope --schemes rattle
expect_status 1
expect_match stderr "^picus: cannot create a folder for results in '/nowhere'; set TMPDIR to one that can be written$"
check "the reference is not overwritten" "$PICUS" compare slope --schemes rattle --reference ref.h5 --csv ref.h5
expect_status 2

# a mass that slides along x in a groove: y and vy are round-off, the errors are those of x
cat >groove.lua <<'END'
model("groove", "a mass slides along an oblique line, a column of round-off beside it")
local q, u = coordinates {{"x", velocity = "vx", start = {1, 0}}, {"y", velocity = "vy", start = {0, 0}}}
kinetic(u.vx^2 / 2 + u.vy^2 / 2)
potential(5 * q.x^2 + 1e-16 * q.x + 20 * q.y^2)
contact {"floor", gap = q.x + 0.5, eN = 0.5}
simulate {scheme = "moreau", dt = 1e-3, t_end = 1}
END
awk 'BEGIN { print "t,x,y"; w = sqrt(10); for (k = 0; k <= 6; k++) { t = k / 10; printf "%.17g,%.17g,%.17g\n", t, cos(w * t), 1e-17 * (k % 2) } }' >groove.csv
check "a column of round-off" "$PICUS" compare groove.lua --schemes rattle --dt 1e-3 --t-end 0.6 --sample 0.1 --accuracy 1e-6 --quiet
expect_match stdout '^rattle +0.001 +[0-9.]*e-0[67] .*  x, vx$'
check "in a table, too" "$PICUS" compare groove.lua --schemes rattle --dt 1e-3 --t-end 0.6 --sample 0.1 --reference groove.csv --quiet
expect_match stdout '^rattle +0.001 +[0-9.]*e-0[67] .*  x, -$'

"$PICUS" run bouncing-ball --sample 0.1 --t-end 1 --quiet --csv ball.csv
check "an adaptive row" "$PICUS" compare bouncing-ball --schemes adaptive --tolerances 1e-6 --t-end 3 --sample 0.1 --reference ball.csv --quiet --csv row.csv
check "has the steps of the run with these options" sh -c "'$PICUS' run bouncing-ball --adaptive --atol 1e-6 --rtol 1e-6 --t-end 3 --sample 0.1 >run.txt &&
  grep -q \" $(awk -F, 'NR == 2 { print $14 }' row.csv) base steps\" run.txt"
check "its dt_min is an option" sh -c "'$PICUS' compare bouncing-ball --schemes adaptive --tolerances 1e-6 --t-end 3 --sample 0.1 --dt-min 1e-9 --reference ball.csv --quiet --csv other.csv >/dev/null && ! cmp -s row.csv other.csv"

check "a reference that is not reached" "$PICUS" compare sliding-mass --schemes rattle --dt 1e-3,5e-4 --accuracy 1e-17 --quiet
expect_status 1
expect_match stdout '^NOT REACHED: the accuracy 1e-17 was not reached: '
expect_match stderr '^picus: the reference did not reach its accuracy, so errors below its estimated error have no meaning; '

# contacts that come and go differ from run to run
"$PICUS" run chain-over-edge --t-end 0.1 --dt 1e-3 --sample 0.01 --quiet --out c1.h5
"$PICUS" run chain-over-edge --t-end 0.1 --dt 5e-4 --sample 0.01 --quiet --out c2.h5
check "two runs with other contacts" "$PICUS" compare c1.h5 c2.h5
expect_match stdout '^x1 +m +[0-9.]+e-[0-9]+ '
expect_match stdout '^link[0-9]+/table:v[12]f3 +[1-9][0-9]* '
