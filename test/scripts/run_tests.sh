#!/usr/bin/env bash
# The test runner must count what goes wrong: here are test programs that go wrong in every way.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

run_tests=$PICUS_SOURCE/scripts/run-tests
unset PICUS_TEST_REDUCED
mkdir -p build/test

# program NAME: a test program made of the lines of standard input
program() {
  {
    echo '#!/usr/bin/env bash'
    cat
  } >"build/test/$1"
  chmod +x "build/test/$1"
}
# list NAME...: the programs of the build
list() {
  local name
  for name in "$@"; do echo "$name $PWD/build/test/$name"; done >build/test/programs
}

program good <<<'echo "ok good/a"; echo "ok good/b"; echo "good: 2 passed, 0 failed, 0 skipped"'
program partly <<<'echo "skipped partly/a: why"; echo "ok partly/b"; echo "partly: 1 passed, 0 failed, 1 skipped"'
program slow_good <<<'echo "ok slow/a"; echo "slow: 1 passed, 0 failed, 0 skipped"'
program bad <<'END'
echo "ok bad/a"
echo "  bad.c:7: not true: 1 > 2"
echo "FAILED bad/b: 1 checks"
echo "bad: 1 passed, 1 failed, 0 skipped"
exit 1
END
program crash <<<'echo "ok crash/a"; kill -SEGV $$'
program silent <<<'exit 0'
program hang <<<'echo "ok hang/a"; sleep 60'
program leak <<<'echo "ok leak/a"; echo "leak: 1 passed, 0 failed, 0 skipped"; echo "leaked 8 bytes" >&2; exit 23'
program cut <<<'echo "ok cut/a"; exit 0'
program liar <<<'echo "ok liar/a"; echo "liar: 2 passed, 0 failed, 0 skipped"'
program coward <<<'echo "FAILED coward/a"; echo "coward: 0 passed, 1 failed, 0 skipped"; exit 0'
program environment <<'END'
[ "${PICUS_TEST_REDUCED:-}" = 1 ] && echo "ok environment/reduced" || echo "ok environment/whole"
[ "$PICUS" = "$PICUS_BUILD/picus" ] && echo "ok environment/tool"
echo "environment: 2 passed, 0 failed, 0 skipped"
END

list good partly slow_good
check "sums of programs that pass" "$run_tests" build
expect_equal "$(tail -n 1 "$STDOUT")" "4 passed, 0 failed, 1 skipped"

list good slow_good
check "no word of skipping where nothing was skipped" "$run_tests" build
expect_equal "$(tail -n 1 "$STDOUT")" "3 passed, 0 failed"

program base <<<'echo "ok base/a"; echo "base: 1 passed, 0 failed, 0 skipped"'
list good base slow_good
check "the quick tier is the one of test/quick" "$run_tests" --quick build
expect_equal "$(tail -n 1 "$STDOUT")" "1 passed, 0 failed"
unknown_quick_programs() {
  comm -23 <(sed '/^#/d' "$PICUS_SOURCE/test/quick" | tr ' ' '\n' | sort) <(cut -d' ' -f1 "$PICUS_BUILD/test/programs" | sort)
}
check "the quick tier names programs that exist" unknown_quick_programs
expect_empty stdout
list good slow_good

check "a named run has its name in the sum line" "$run_tests" --name release build
expect_match stdout '^release: 3 passed, 0 failed, 0 skipped, [0-9]+ s, [0-9]+ s CPU$'
expect_no_match stdout '^[0-9]+ passed'

check "only the programs asked for" "$run_tests" build 'slow*'
expect_equal "$(tail -n 1 "$STDOUT")" "1 passed, 0 failed"

check "asking for a program that does not exist fails" "$run_tests" build nonsense
expect_status 1
expect_equal "$(tail -n 1 "$STDOUT")" "0 passed, 1 failed"

list good bad
check "a failed case is counted and shown" "$run_tests" build
expect_status 1
expect_equal "$(tail -n 1 "$STDOUT")" "3 passed, 1 failed"
expect_match stdout 'bad.c:7: not true: 1 > 2'
expect_match stdout 'FAILED bad/b'
expect_no_match stdout 'ok bad/a'

list good crash
check "a crash is one more failure" "$run_tests" build
expect_status 1
expect_equal "$(tail -n 1 "$STDOUT")" "3 passed, 1 failed"
expect_match stdout 'crash was ended by signal 11'
expect_empty stderr

list good silent
check "a program that says nothing failed" "$run_tests" build
expect_status 1
expect_equal "$(tail -n 1 "$STDOUT")" "2 passed, 1 failed"

list good leak
check "a bad exit code is a failure, whatever was printed" "$run_tests" build
expect_status 1
expect_equal "$(tail -n 1 "$STDOUT")" "3 passed, 1 failed"
expect_match stdout 'leaked 8 bytes'

list good cut
check "a program without its sum line failed" "$run_tests" build
expect_status 1
expect_equal "$(tail -n 1 "$STDOUT")" "3 passed, 1 failed"

list good liar
check "sums that do not fit are a failure" "$run_tests" build
expect_status 1
expect_equal "$(tail -n 1 "$STDOUT")" "3 passed, 1 failed"

list coward
check "a failed case with exit code 0 is a failure" "$run_tests" build
expect_status 1
expect_match stdout '^0 passed, 1 failed$'

list good missing
check "a program that was not built failed" "$run_tests" build
expect_status 1
expect_equal "$(tail -n 1 "$STDOUT")" "2 passed, 1 failed"
expect_match stdout 'missing is not built'

list hang
check "a program that hangs is ended" env PICUS_TEST_LIMIT=3 "$run_tests" build
expect_status 1
expect_equal "$(tail -n 1 "$STDOUT")" "1 passed, 1 failed"
expect_match stdout 'hang did not end within 3 s'

list environment
check "programs know the tool, and run whole in a plain build" "$run_tests" build
expect_match build/test-results/environment.log 'ok environment/whole'
expect_match build/test-results/environment.log 'ok environment/tool'

echo 'PICUS_SANITIZE:STRING=address' >build/CMakeCache.txt
check "long tests are shortened under sanitizers" "$run_tests" build
expect_match build/test-results/environment.log 'ok environment/reduced'

check "a directory without tests is refused" "$run_tests" .
expect_status 2

# The harness of the shell itself, on a script with one case of each kind.
cp "$PICUS_SOURCE/test/support/check.sh" .
cat >cases.sh <<'END'
. ./check.sh
check "passes" true
check "fails" false
check "fails as expected" false
expect_status 1
check "says the wrong thing" echo hello
expect_match stdout goodbye
skip "elsewhere" "not here"
END
check "cases of a shell script are counted" bash cases.sh
expect_status 1
expect_match stdout '^ok cases/passes$'
expect_match stdout '^FAILED cases/fails$'
expect_match stdout '^ok cases/fails as expected$'
expect_match stdout '^FAILED cases/says the wrong thing$'
expect_match stdout '^skipped cases/elsewhere: not here$'
expect_match stdout '^cases: 2 passed, 2 failed, 1 skipped$'

cat >stops.sh <<'END'
. ./check.sh
check "passes" true
echo "$undefined"
check "is never reached" true
END
check "a shell script that stops early has a bad exit code" bash stops.sh
expect_status 1
expect_match stdout '^stops: 1 passed, 0 failed, 0 skipped$'
