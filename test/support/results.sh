# shellcheck shell=bash
# Comparison of results, for scripts that have sourced check.sh.

# tables FILE PREFIX: everything that a result has, as text with all digits; times of the clock are left out
tables() {
  local name
  for name in rows events contacts; do
    "$PICUS" export "$1" --table "$name" --csv "$2.$name" --quiet 2>/dev/null || echo none >"$2.$name"
  done
  "$PICUS" info "$1" 2>/dev/null | grep -vE 'seconds|wall|command|date|checkpoint|file|bytes' | sed "s|$1||g" >"$2.info"
}
# same FILE OTHER: both have the same tables
same() {
  tables "$1" first
  tables "$2" second
  local name
  for name in rows events contacts info; do cmp "first.$name" "second.$name" || return 1; done
  [ "$(wc -l <first.rows)" -gt 5 ] && [ "$(wc -l <first.info)" -gt 5 ]
}
