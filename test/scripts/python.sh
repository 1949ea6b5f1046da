#!/usr/bin/env bash
# The Python package, where what it needs is installed: its tests pass, and its generated code is that of the headers.
. "$(dirname "$0")/../support/check.sh"
package=$PICUS_SOURCE/scripts/python-package

check "without arguments it says what it does" "$package"
expect_status 2
expect_match stderr 'scripts/python-package build'
missing=$("$package" missing | paste -sd, | sed 's/,/, /g')
if [ -n "$missing" ]; then
  skip "the Python package" "missing: $missing"
else
  check "wrappers and stubs are those of the headers; else run scripts/python-api" "$PICUS_SOURCE/scripts/python-api" --check
  check "the library of the package is built" cmake --build "$PICUS_BUILD" --target picus_static picus_page picus_figure
  check "the extension compiles" "$package" build "$PICUS_BUILD"
  check "the tests of the package pass" "$package" test
  if [ -n "${PICUS_TEST_LONG:-}" ]; then
    check "the notebooks run" "$package" notebooks
    check "10^5 random calls, and 10^4 cycles without leaks" "$package" long
  fi
fi
