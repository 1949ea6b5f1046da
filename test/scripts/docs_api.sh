#!/usr/bin/env bash
# The lists of functions in docs/c-api.md are those of the headers, and the script that makes them knows what is missing.
# shellcheck disable=SC2016 # backticks are Markdown here
. "$(dirname "$0")/../support/check.sh"
api=$PICUS_SOURCE/scripts/docs-api

check "docs/c-api.md lists what the headers declare; else run scripts/docs-api" \
  sh -c "'$api' --print | diff '$PICUS_SOURCE/docs/c-api.md' -"

functions() { cat "$PICUS_SOURCE"/include/picus/*.h | grep -cE '^PICUS_API '; }
check "every function has its row" grep -cE '^\| `[^`]*\bpicus_[a-z0-9_]+\([^`]*\)` \| [^|]+ \| [^|]+ \|$' "$PICUS_SOURCE/docs/c-api.md"
expect_equal "$(cat "$STDOUT")" "$(functions)"

# tree: a copy of headers and page, to be changed
tree() {
  rm -rf tree
  mkdir -p tree/headers
  cp "$PICUS_SOURCE"/include/picus/*.h tree/headers
  cp "$PICUS_SOURCE/docs/c-api.md" tree/page.md
}
again() { "$api" --headers "$PWD/tree/headers" --page "$PWD/tree/page.md" "$@"; }
compare() { again --print | cmp - tree/page.md; }

tree
check "a copy is equal" compare
sed -i 's/picus_context_memory(const picus_context \*context)/picus_context_memory(const picus_context *context, int what)/' tree/headers/base.h
check "another argument is seen" compare
expect_status 1
tree
echo 'PICUS_API int picus_new_thing(void);' >>tree/headers/sim.h
check "a new function is seen" compare
expect_status 1
check "and written" again
check "so that it is equal again" compare
expect_match tree/page.md '^\| `int picus_new_thing\(void\)` \| `int` \| a copy \|$'
tree
sed -i 's/ Lifetime: as long as the context; its/ Lifetime: that of the moon; its/' tree/headers/base.h
check "another lifetime is seen" compare
expect_status 1

for declaration in 'const char *picus_new_text(int k);' 'picus_status picus_new_values(picus_sim *sim, const double **values);' \
  'picus_column picus_new_column(int k);' 'picus_status picus_new_object(picus_unheard **out);'; do
  tree
  printf '\nPICUS_API %s\n' "$declaration" >>tree/headers/sim.h
  check "a lifetime is missing: $declaration" again --print
  expect_status 1
  expect_match stderr '^docs-api: sim.h: say how long what picus_new_[a-z]+ gives lives'
done
tree
echo 'PICUS_API const char *picus_new_text(int k); /* by number. Lifetime: that of
 * the moon */' >>tree/headers/sim.h
check "a lifetime may take two lines" again
expect_match tree/page.md '^\| `const char \*picus_new_text\(int k\)` \| `const char \*` \| that of the moon \|$'
tree
cp tree/headers/sim.h tree/headers/other.h
check "a header without a list on the page" again --print
expect_status 1
expect_match stderr '^docs-api: the page has no list of other.h$'
