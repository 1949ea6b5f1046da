#!/usr/bin/env bash
# shellcheck disable=SC2016 # backticks are Markdown here
# Every function of the public headers that takes an index, a kind or a count by value has a case in test/unit/indices.h.
. "$(dirname "$0")/../support/check.sh"

# takers PAGE HEADERS...: the functions with an int, a long or an enumeration among their parameters. docs/c-api.md has
# them in one line each, as test/scripts/docs_api.sh demands.
takers() {
  local page=$1 kinds
  shift
  kinds=$(cat "$@" | grep -oE '^typedef enum picus_[a-z_]+' | awk '{print $3}' | paste -sd '|')
  grep -oE '^\| `[^`]*\bpicus_[a-z0-9_]+\([^`]*\)`' "$page" |
    grep -E "[(,] ?(int|long|$kinds) [A-Za-z_]+[,)]" |
    grep -oE 'picus_[a-z0-9_]+\(' | tr -d '(' | sort
}
cases() { grep -oE '^(CASE|COUNT)\(picus_[a-z0-9_]+' "$PICUS_SOURCE/test/unit/indices.h" | sed 's/.*(//' | sort; }

headers=("$PICUS_SOURCE"/include/picus/*.h)
takers "$PICUS_SOURCE/docs/c-api.md" "${headers[@]}" >takers.txt
cases >cases.txt
check "every function that takes an index has a case in test/unit/indices.h" diff takers.txt cases.txt
check "there are many of them" awk 'END { exit !(NR > 80) }' takers.txt

cp "$PICUS_SOURCE/docs/c-api.md" page.md
echo '| `int picus_new_thing(const picus_sim *sim, int index)` | `int` | a copy |' >>page.md
takers page.md "${headers[@]}" >more.txt
check "a new one is seen" diff takers.txt more.txt
expect_status 1
expect_match stdout '^> picus_new_thing$'
