#!/usr/bin/env bash
# The example programs print what is stored next to them, examples/c/NAME.out: words exactly, numbers to 1e-6.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

examples=$PICUS_SOURCE/examples/c

# same_output EXPECTED PRINTED: numbers may differ by 1e-6 (1 + |number|).
same_output() {
  awk '
    function fail(why) { print FILENAME ":" FNR ": " why; bad = 1 }
    BEGIN { number = "[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?" }
    FNR == NR { expected[FNR] = $0; lines = FNR; next }
    {
      printed = $0
      stored = expected[FNR]
      seen = FNR
      while (match(stored, number)) {
        a = substr(stored, RSTART, RLENGTH) + 0
        before = substr(stored, 1, RSTART - 1)
        stored = substr(stored, RSTART + RLENGTH)
        if (!match(printed, number)) { fail("a number is missing: " $0); next }
        b = substr(printed, RSTART, RLENGTH) + 0
        if (substr(printed, 1, RSTART - 1) != before) { fail("other words: " $0); next }
        printed = substr(printed, RSTART + RLENGTH)
        size = a < 0 ? -a : a
        difference = a < b ? b - a : a - b
        if (!(difference <= 1e-6 * (1 + size))) fail(b " instead of " a)
      }
      if (printed != stored) fail("other words: " $0)
    }
    END { if (seen != lines) { print "not " lines " lines but " seen + 0; bad = 1 } exit bad }' "$1" "$2"
}

check "the comparison sees a wrong number" same_output <(echo "x = 1.0 m") <(echo "x = 1.00001 m")
expect_status 1
check "the comparison sees a wrong word" same_output <(echo "x = 1.0 m") <(echo "x = 1.0 s")
expect_status 1
check "the comparison sees a missing line" same_output <(printf 'a\nb\n') <(echo a)
expect_status 1
check "the comparison lets rounding pass" same_output <(echo "x = 0.362208, r = 2.2e-18") <(echo "x = 0.362209, r = 0.0e+00")

for source in "$examples"/*.c; do
  name=$(basename "$source" .c)
  if [ ! -x "$PICUS_BUILD/examples/$name" ]; then
    skip "$name" "this build has no examples"
    continue
  fi
  check "$name runs" "$PICUS_BUILD/examples/$name"
  expect_empty stderr
  expect "it prints what examples/c/$name.out says" same_output "$examples/$name.out" "$STDOUT"
  expect "it is shorter than 100 lines" test "$(wc -l <"$source")" -lt 100
done
