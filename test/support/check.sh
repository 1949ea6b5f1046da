# shellcheck shell=bash
# The test harness for the shell, the sister of check.h: a script sources this file, runs commands as cases and prints
# one line for each, "ok SUITE/NAME" or "FAILED SUITE/NAME ...", and its sums at the end.
#
#   . "$(dirname "$0")/../support/check.sh"
#   check "an unknown model is refused" "$PICUS" run nonsense
#   expect_status 2
#   expect_match stderr 'no model .*nonsense'
#
# check starts a case by running a command; the expectations after it belong to that case until the next check. Where
# none asks for another exit code, it must be 0. The script runs in a scratch directory of its own, which is current.
# Set for it: PICUS, the tool to test; TEST_DATA, the folder test/data; PICUS_SOURCE, the top of the sources.
set -u

PICUS_SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
PICUS_BUILD=${PICUS_BUILD:-$PICUS_SOURCE/build}
PICUS=${PICUS:-$PICUS_BUILD/picus}
TEST_DATA=$PICUS_SOURCE/test/data
export PICUS_SOURCE PICUS_BUILD PICUS TEST_DATA

check_suite=$(basename "$0" .sh)
check_passed=0 check_failed=0 check_skipped=0
check_name='' check_complaints='' check_status_expected=0
check_scratch=$(mktemp -d)
cd "$check_scratch" || exit 1
STATUS=0 # exit code of the case's command

# check NAME COMMAND...: ends the case before and starts a new one by running the command. Its output is kept in the
# files that expect_match calls stdout and stderr, "$STDOUT" and "$STDERR".
STDOUT=$check_scratch/.stdout STDERR=$check_scratch/.stderr
check() {
  check_close
  check_name=$1
  check_status_expected=0
  shift
  "$@" >"$STDOUT" 2>"$STDERR" </dev/null
  STATUS=$?
}

complain() { check_complaints+="  $1"$'\n'; }

# The file a name of expect_match stands for.
check_file() {
  case $1 in
  stdout) echo "$STDOUT" ;;
  stderr) echo "$STDERR" ;;
  *) echo "$1" ;;
  esac
}

expect_status() { check_status_expected=$1; }

# expect_match stdout|stderr|FILE REGEX: some line matches the extended regular expression.
expect_match() {
  grep -qE -e "$2" "$(check_file "$1")" 2>/dev/null || complain "no line of $1 matches: $2"
}
expect_no_match() {
  ! grep -qE -e "$2" "$(check_file "$1")" 2>/dev/null || complain "a line of $1 matches: $2"
}
# expect_lines stdout|stderr|FILE N
expect_lines() {
  local count
  count=$(wc -l <"$(check_file "$1")")
  [ "$count" -eq "$2" ] || complain "$1 has $count lines instead of $2"
}
expect_empty() { [ ! -s "$(check_file "$1")" ] || complain "$1 is not empty"; }
# expect_file FILE: it is there and not empty.
expect_file() { [ -s "$1" ] || complain "there is no file $1, or it is empty"; }
expect_no_file() { [ ! -e "$1" ] || complain "there is a file $1"; }
expect_equal() { [ "$1" = "$2" ] || complain "\"$1\" instead of \"$2\""; }
# expect WHAT COMMAND...: a further command that must succeed.
expect() {
  local what=$1
  shift
  "$@" >"$check_scratch/.expect" 2>&1 </dev/null ||
    complain "not so: $what"$'\n'"$(sed 's/^/    /' "$check_scratch/.expect")"
}
# keep FILE...: from now on, refused expects these files to stay as they are.
check_kept='' check_kept_files=()
keep() {
  check_kept_files=("$@")
  check_kept=$(cksum "$@")
}
# refused NAME REGEX ARGUMENTS...: the tool ends with exit code 2 and a sentence, leaves no part of a file, and all files
# that are kept are as they were.
refused() {
  local name=$1 regex=$2
  shift 2
  check "$name" "$PICUS" "$@"
  expect_status 2
  expect_match stderr "$regex"
  expect_equal "$(cksum "${check_kept_files[@]}")" "$check_kept"
  expect_equal "$(find . -name '*.part*')" ""
}
# write_ball DT: the model b.lua, a ball that falls on a floor.
write_ball() {
  cat >b.lua <<LUA
model("b", "a ball")
local q, u = coordinates { { "x", velocity = "v", start = { 1, 0 } } }
kinetic(u.v^2 / 2)
potential(9.81 * q.x)
contact { "floor", gap = q.x, eN = 0.5 }
simulate { dt = $1, t_end = 1 }
LUA
}
# test_size REDUCED USUAL WHOLE: the number for sanitizers, for make test, and for make test-long.
test_size() {
  if [ -n "${PICUS_TEST_REDUCED:-}" ]; then echo "$1"; elif [ -z "${PICUS_TEST_LONG:-}" ]; then echo "$2"; else echo "$3"; fi
}
# skip NAME WHY: a case that cannot run here; counted and said.
skip() {
  check_close
  echo "skipped $check_suite/$1: $2"
  check_skipped=$((check_skipped + 1))
}

# Ends the running case.
check_close() {
  [ -n "$check_name" ] || return 0
  [ "$STATUS" -eq "$check_status_expected" ] || complain "exit code $STATUS instead of $check_status_expected"
  if [ -n "$check_complaints" ]; then
    printf '%s' "$check_complaints"
    sed 's/^/  stdout: /' "$STDOUT" | head -n "${CHECK_SHOW:-20}"
    sed 's/^/  stderr: /' "$STDERR" | head -n "${CHECK_SHOW:-20}"
    echo "FAILED $check_suite/$check_name"
    check_failed=$((check_failed + 1))
  else
    echo "ok $check_suite/$check_name"
    check_passed=$((check_passed + 1))
  fi
  check_name='' check_complaints=''
}

# Sums up when the script ends, however it ends; a script that stops early keeps its exit code.
check_finish() {
  local status=$?
  trap - EXIT
  check_close
  cd / && rm -rf "$check_scratch"
  echo "$check_suite: $check_passed passed, $check_failed failed, $check_skipped skipped"
  [ $check_failed -eq 0 ] || exit 1
  exit $status
}
trap check_finish EXIT
