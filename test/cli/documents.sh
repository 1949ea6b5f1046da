#!/usr/bin/env bash
# Help, man page, reference and completion come from one table; docs/cli.md is a copy that must agree.
. "$(dirname "$0")/../support/check.sh"

check "no command is a mistake that shows the usage" "$PICUS"
expect_status 2
expect_match stderr '^usage: picus COMMAND'
check "usage" "$PICUS" --help
expect_match stdout 'picus run woodpecker --out woodpecker.h5'
check "version" "$PICUS" --version
expect_match stdout '^picus [0-9]+\.[0-9]+\.[0-9]+$'
for command in run plot events list show check info help; do
  check "picus $command --help" "$PICUS" $command --help
  expect_match stdout "^usage: picus $command"
done
check "help lists schemes and solvers" "$PICUS" help
expect_match stdout '^  moreau '
expect_match stdout '^  psor '
check "help of a command" "$PICUS" help run
expect_match stdout '--sample X'
check "help of no command" "$PICUS" help rnu
expect_status 2
check "docs/cli.md is what the tool writes" sh -c "'$PICUS' help --markdown | diff '$PICUS_SOURCE/docs/cli.md' -"
if command -v man >/dev/null; then
  check "the man page formats without warnings" sh -c "'$PICUS' help --man >picus.1 && man --warnings -l picus.1 2>&1 >/dev/null | grep . && exit 1 || exit 0"
else
  skip "the man page formats without warnings" "man is not installed"
fi
check "the completion completes" bash -c "
  eval \"\$('$PICUS' help --completion)\"
  picus() { '$PICUS' \"\$@\"; }
  COMP_WORDS=(picus run wood) COMP_CWORD=2 && _picus && echo \"\${COMPREPLY[@]}\"
  COMP_WORDS=(picus run woodpecker --solv) COMP_CWORD=3 && _picus && echo \"\${COMPREPLY[@]}\"
  COMP_WORDS=(picus run woodpecker --solver ps) COMP_CWORD=4 && _picus && echo \"\${COMPREPLY[@]}\"
  COMP_WORDS=(picus ch) COMP_CWORD=1 && _picus && echo \"\${COMPREPLY[@]}\""
expect_equal "$(tr '\n' ' ' <"$STDOUT")" "woodpecker --solver psor check "
