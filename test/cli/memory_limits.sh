#!/usr/bin/env bash
# The tool where memory is short: it ends soon, with its results or with a sentence and an exit code; and it loads no
# library that takes threads and memory for what most runs do not need.
. "$(dirname "$0")/../support/check.sh"

check "no BLAS is loaded" ldd "$PICUS"
expect_no_match stdout '(blas|lapack|gfortran|gomp)'

if grep -qE '^PICUS_SANITIZE:STRING=.+' "$PICUS_BUILD/CMakeCache.txt"; then
  skip "memory is short" "sanitizers need more address space than any limit gives"
  exit
fi

limits() {
  seq 30 "$(test_size 4 4 1)" 49
  seq 50 "$(test_size 50 50 25)" 400
}

# within MB COMMAND...: runs it in that much address space
within() {
  local megabytes=$1
  shift
  (
    ulimit -c 0 -v $((megabytes * 1000))
    exec timeout --kill-after=1 20 "$@"
  )
}

# sweep COMMAND...: for all limits in which the tool can be loaded at all, which is the loader's business
sweep() {
  local megabytes status done=0
  for megabytes in $(limits); do
    within "$megabytes" "$PICUS" --version >/dev/null 2>&1 || continue
    within "$megabytes" "$@" >out.txt 2>err.txt
    status=$?
    case $status in
    0) done=$((done + 1)) ;;
    1 | 2) grep -q '^picus: ' err.txt || echo "$megabytes MB: exit code $status without a sentence" ;;
    *) echo "$megabytes MB: exit code $status" ;;
    esac
  done
  [ $status -eq 0 ] || echo "not even $megabytes MB suffice"
  [ $done -ge "$(test_size 5 5 10)" ] || echo "done in $done cases only"
}

check "a run ends under every limit" sweep "$PICUS" run woodpecker
expect_empty stdout
check "a run with results ends under every limit" sweep "$PICUS" run woodpecker --quiet --out w.h5
expect_empty stdout
check "the results are read under every limit" sweep "$PICUS" events w.h5
expect_empty stdout
