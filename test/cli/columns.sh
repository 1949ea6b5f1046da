#!/usr/bin/env bash
# picus run --columns, --precision and --uncompressed: which columns files have, and how their numbers are stored.
. "$(dirname "$0")/../support/check.sh"
run=(run woodpecker --t-end 0.3 --dt 1e-5)

# take NAME...: columns of whole.csv by their names
take() {
  awk -F, -v want="$*" 'NR == 1 { n = split(want, w, " "); for (i = 1; i <= NF; i++) at[$i] = i }
    { line = $at[w[1]]; for (i = 2; i <= n; i++) line = line "," $at[w[i]]; print line }' whole.csv
}
rows() { "$PICUS" export "$1" --table rows --csv "$2" --quiet; }

check "all columns" "$PICUS" "${run[@]}" --csv whole.csv --out whole.h5 --quiet
check "columns by patterns, in the order of the file" "$PICUS" "${run[@]}" --columns 'beak.* y,phi?' --csv some.csv --out some.h5 --quiet
take t y phiM phiS beak.gap beak.vN beak.PN beak.PF beak.mode >expected.csv
expect "the CSV file has these columns" cmp some.csv expected.csv
rows some.h5 back.csv
expect "the HDF5 file has them as well" cmp back.csv expected.csv
check "the time is always there" "$PICUS" "${run[@]}" --columns E.total --csv one.csv --quiet
take t E.total >expected.csv
expect "time and energy" cmp one.csv expected.csv
check "a star stands for all" "$PICUS" "${run[@]}" --columns '*' --csv star.csv --quiet
expect "all columns" cmp star.csv whole.csv
check "a name that matches nothing" "$PICUS" "${run[@]}" --columns 'y phiN' --csv none.csv
expect_status 2
expect_match stderr "no column of the results matches 'phiN'; did you mean 'phi[MS]'\?"
expect_no_file none.csv
check "an empty list" "$PICUS" "${run[@]}" --columns ' , ' --csv none.csv
expect_status 2
expect_match stderr "the list of columns to record is empty"
check "columns without a file" "$PICUS" "${run[@]}" --columns y
expect_status 2
expect_match stderr "\-\-columns needs --out FILE.h5 or --csv FILE.csv"
check "uncompressed CSV" "$PICUS" "${run[@]}" --uncompressed --csv none.csv
expect_status 2
expect_match stderr "\-\-uncompressed needs --out FILE.h5"

check "without compression" "$PICUS" "${run[@]}" --uncompressed --out plain.h5 --quiet
rows plain.h5 back.csv
expect "the same numbers" cmp back.csv whole.csv
rows whole.h5 back.csv
expect "and with it" cmp back.csv whole.csv
expect "less than 0.75 of the space" test "$(($(stat -c %s whole.h5) * 4))" -lt "$(($(stat -c %s plain.h5) * 3))"

check "single precision" "$PICUS" "${run[@]}" --precision single --csv single.csv --out single.h5 --quiet
expect "times have all digits" cmp <(cut -d, -f1 single.csv) <(cut -d, -f1 whole.csv)
close() { # every number to 24 bits, and the digits of these
  paste -d, whole.csv single.csv | awk -F, 'NR > 1 { for (i = 1; i <= NF / 2; i++) { a = $i; b = $(i + NF / 2); d = a - b
    if (d < 0) d = -d; if (a < 0) a = -a; if (d > 1.2e-7 * a && a > 1e-37) { print NR, i, a, b; exit 1 } } }'
}
expect "other numbers have 24 bits" close
expect "and few digits" test "$(awk -F, 'NR > 1 { for (i = 2; i <= NF; i++) if (length($i) > 15) n++ } END { print n + 0 }' single.csv)" -eq 0
check "single precision, not compressed" "$PICUS" "${run[@]}" --precision single --uncompressed --out single-plain.h5 --quiet
rows single.h5 first.csv
rows single-plain.h5 second.csv
expect "the same numbers" cmp first.csv second.csv
check "a precision that does not exist" "$PICUS" "${run[@]}" --precision half --out none.h5
expect_status 2
expect_match stderr "\-\-precision is double or single, not 'half'"

check "results with other columns differ" "$PICUS" compare some.h5 whole.h5
expect_status 2
expect_match stderr "the column 'v' exists only in the reference"
check "those that both have can be compared" "$PICUS" compare some.h5 whole.h5 --columns y,phiM
expect_match stdout '^ *phiM'

# A run that goes on has the columns and the precision of its first part.
two_parts() { # FILE OPTION...
  "$PICUS" run woodpecker --dt 1e-5 --t-end 0.1 --out "$@" --checkpoint 999steps --quiet &&
    "$PICUS" resume "$1" --t-end 0.2 --quiet && rows "$1" "$1.csv"
}
check "a run in two parts" two_parts double.h5
cp double.h5.csv whole.csv
check "with some columns" two_parts some.h5 --columns 'y phi* lower.P?'
expect "the same rows" cmp some.h5.csv <(take t y phiM phiS lower.PN lower.PF)
check "with single precision" two_parts single.h5 --precision single
cp single.h5.csv whole.csv
check "with both" two_parts both.h5 --precision single --columns 'y phi* lower.P?' --uncompressed
expect "the same rows again" cmp both.h5.csv <(take t y phiM phiS lower.PN lower.PF)
expect "all of them" test "$(wc -l <both.h5.csv)" -gt 20000
