#!/usr/bin/env bash
# The report of the papers: all items run, and the digest in docs/papers is what they give. Numbers are compared by their
# verdicts: their last digits may differ where sin and cos do.
. "$(dirname "$0")/../support/check.sh"

# a digest without the numbers of Picus
without_numbers() { awk -F ' [|] ' 'BEGIN { OFS = " | " } NF > 4 { $(NF - 1) = "" } { print }' "$1"; }

check "no item disagrees or fails" "$PICUS" reproduce all --quiet --out papers
without_numbers papers/report.md >digest
without_numbers "$PICUS_SOURCE/docs/papers/report.md" >shipped
check "docs/papers/report.md is its digest; make report writes it" diff shipped digest
expect_empty stdout
