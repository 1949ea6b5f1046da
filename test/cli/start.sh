#!/usr/bin/env bash
# picus run --start RESULT.h5@T: the state of a result as the start of another run, by names.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"
cat >swing.lua <<'END'
local p = parameters {m = 1}
local q, u = coordinates {{"phi", velocity = "omega", start = {1, 0}}, {"x", velocity = "vx", start = {0, 1}}}
local n = state {"n", start = 3, every = 0.25, next = function(n) return n + 1 end}
kinetic(p.m * (u.omega ^ 2 + u.vx ^ 2) / 2) potential(-9.81 * cos(q.phi))
contact {"wall", gap = 0.8 - q.x, eN = 0.5}
simulate {scheme = "rattle", dt = 1e-3, t_end = 2}
END
# The same names in another order, and another parameter.
sed -e 's/{"phi".*0}}, \({"x".*1}}\)}/{"x", velocity = "vx", start = {0.1, 7}}, {"phi", velocity = "omega", start = 7}}/' swing.lua >other.lua
"$PICUS" run swing.lua --out whole.h5 --csv whole.csv --quiet
"$PICUS" run swing.lua --out first.h5 --t-end 1.1 --quiet
last() { tail -1 "$1" | cut -d, -f2-6; }
near() { # FILE, FILE: the last rows up to round-off
  paste -d, <(last "$1") <(last "$2") |
    awk -F, '{for (k = 1; k <= 5; k++) {d = $k - $(k + 5); if (d > 1e-9 || d < -1e-9) exit 1}}'
}
check "from the last row" "$PICUS" run swing.lua --start first.h5 --t-start 1.1 --csv second.csv
expect_match stdout "^  start           state of 'first.h5' at t = 1.1 s$"
near whole.csv second.csv || complain "the motion is another one: $(last whole.csv) and $(last second.csv)"
check "from a time between two rows" "$PICUS" run swing.lua --start whole.h5@1.10049 --t-start 1.1 --csv third.csv
expect_match stdout "^  start           state of 'whole.h5' at t = 1.1 s, its last row before the given time$"
near whole.csv third.csv || complain "the motion is another one"
check "names in another order" "$PICUS" run other.lua --start first.h5 --t-start 1.1 --csv fourth.csv --quiet
[ "$(head -2 fourth.csv | tail -1 | cut -d, -f2-3)" = "$(head -2 second.csv | tail -1 | awk -F, '{print $3 "," $2}')" ] ||
  complain "the state is another one"
check "a state of a controller is taken" sh -c "head -2 second.csv | tail -1 | cut -d, -f6"
expect_match stdout '^7$'

mv first.h5 away.h5
cp away.h5 first.h5
"$PICUS" run swing.lua --start first.h5 --t-start 1.1 --dt 1e-5 --out uncut.h5 --quiet
"$PICUS" run swing.lua --start first.h5 --t-start 1.1 --dt 1e-5 --out cut.h5 --nice-exit-after 0.001s --quiet 2>/dev/null
rm first.h5
check "the run goes on without it" "$PICUS" resume cut.h5 --quiet
# shellcheck source=../support/results.sh
. "$PICUS_SOURCE/test/support/results.sh"
same uncut.h5 cut.h5 || complain "the results differ"
mv away.h5 first.h5

check "initial values" "$PICUS" run swing.lua --start phi=pi/4 --start vx=-2 --csv named.csv --quiet
[ "$(sed -n 2p named.csv | cut -d, -f2-5)" = "0.7853981633974483,0,0,-2" ] || complain "other values: $(sed -n 2p named.csv)"
check "a result, and one value of its own" "$PICUS" run swing.lua --start first.h5 --start omega=0.5 --csv both.csv --quiet
expect_equal "$(sed -n 2p both.csv | cut -d, -f2,3,5,6)" "$(sed -n 2p second.csv | cut -d, -f2,3,5,6)"
expect_equal "$(sed -n 2p both.csv | cut -d, -f4)" 0.5

cannot() { # MODEL, START, SENTENCE
  check "cannot: $1 from $2" "$PICUS" run "$1" --start "$2" --quiet
  expect_status 2
  expect_match stderr "^picus: $3"
}
cannot bouncing-ball first.h5 "'first.h5' has no coordinate .q. of the model; --start needs the same coordinates and velocities$"
sed -e 's/, {"x".*$/}/' -e 's/ + u.vx ^ 2//' -e '/wall/d' swing.lua >less.lua
cannot less.lua first.h5 "the model has no coordinate or velocity 'x' of 'first.h5'; --start needs the same ones$"
cannot swing.lua first.h5@1.2 "'first.h5' has rows from t = 0 to 1.1; 1.2 is not among them$"
cannot swing.lua first.h5@-1 "'first.h5' has rows from t = 0 to 1.1; -1 is not among them$"
for time in nan inf abc '' 1e999 '0.3@0.2x'; do
  cannot swing.lua "first.h5@$time" "--start takes RESULT.h5@T with a time T in s, such as 0.5, not 'first.h5@$time'$"
done
cannot swing.lua phi=nan "--start takes NAME=VALUE with a number, not 'phi=nan'$"
cannot swing.lua x=2 ".*'wall' has the initial gap -1.2"
cannot swing.lua none=2 "cannot read 'none=2': No such file"
cp first.h5 'name@there.h5'
check "an @ in the name" "$PICUS" run swing.lua --start 'name@there.h5' --quiet
check "a formula as time" "$PICUS" run swing.lua --start 'first.h5@2*0.25' --quiet
cannot swing.lua none.h5@1 "cannot read 'none.h5': No such file"
cannot swing.lua swing.lua "'swing.lua' is not an HDF5 file"
