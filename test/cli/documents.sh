#!/usr/bin/env bash
# Help, man page, reference and completion come from one table; docs/cli.md is a copy that must agree.
. "$(dirname "$0")/../support/check.sh"

check "no command is a mistake that shows the usage" "$PICUS"
expect_status 2
expect_match stderr '^usage: picus COMMAND'
check "usage" "$PICUS" --help
expect_match stdout 'picus run woodpecker --out woodpecker.h5'
check "version" "$PICUS" --version
expect_match stdout '^picus [0-9]+\.[0-9]+\.[0-9]+ \((commit [0-9a-f]+|no commit), [A-Za-z]+, [A-Za-z]+ [0-9.]+\)$'
for command in run plot events list show check info help; do
  check "picus $command --help" "$PICUS" $command --help
  expect_match stdout "^usage: picus $command"
done
check "help lists schemes and solvers" "$PICUS" help
expect_match stdout '^  moreau '
expect_match stdout '^  psor '
check "help of a command" "$PICUS" help run
expect_match stdout '--sample X'
check "help of run options" "$PICUS" help options
expect_match stdout '^  theta +--theta +in \[0, 1\]; default 0.5$'
expect_match stdout '^  forecast +--forecast +explicit, free or mixed; default mixed$'
expect_match stdout '^  dt +--dt +greater than 0, in s$'
check "help of no command" "$PICUS" help rnu
expect_status 2
check "docs/cli.md is what the tool writes" sh -c "'$PICUS' help --markdown | diff '$PICUS_SOURCE/docs/cli.md' -"
if command -v man >/dev/null; then
  check "the man page formats without warnings" sh -c "'$PICUS' help --man >picus.1 && man --warnings -l picus.1 2>&1 >/dev/null | grep . && exit 1 || exit 0"
else
  skip "the man page formats without warnings" "man is not installed"
fi
check "help of solvers" "$PICUS" help solvers
expect_match stdout '^auto '
# Every word of model files, from the table of the manual; the table has every word that the sources define.
words=$(sed -n '/^## Keywords/,/^An unknown/p' "$PICUS_SOURCE/docs/model-format.md" | sed -nE 's/^\| \[([^]]*)\].*/\1/p' | tr -d '`' | tr ',' ' ')
for word in $words; do
  check "help of the word $word" "$PICUS" help "$word"
  expect_match stdout '^[A-Za-z ]+ \(docs/[a-z-]+\.md\)$'
  expect_match stdout "(^|[^a-z_])$word([^a-z_]|$)"
done
check "entries of a contact" "$PICUS" help contact
expect_match stdout '^  gap  -  g\(t,q\) >= 0'
expect_no_match stdout '[`|]|\*\*'
defined=$(find "$PICUS_SOURCE/src/lua" "$PICUS_SOURCE/src/model_file" -name '*.c' ! -name study_file.c -exec \
  sed -nE 's/.*lua_register\(L, "([a-z_]+)".*/\1/p; s/.*\{"([a-z_]+)", (say_[a-z_]+|PICUS_[A-Z_]+)\}.*/\1/p' {} +)
for word in $defined; do
  case $word in __* | print | pairs | next | tostring) continue ;; esac # of Lua itself
  case " ${words//$'\n'/ } " in *" $word "*) ;; *) complain "'$word' is missing in the table of keywords" ;; esac
done

# completed LINE: what may end it, in one line
completed() { "$PICUS" completion --line "$1" | tr '\n' ' '; }
check "a command is completed" true
expect_equal "$(completed 'picus ch')" "check "
expect_equal "$(completed 'picus run wood')" "woodpecker "
expect_equal "$(completed 'picus run woodpecker --solv')" "--solver "
expect_equal "$(completed 'picus run woodpecker --solver ps')" "psor "
expect_equal "$(completed 'picus run woodpecker --scheme half-explicit-r')" "half-explicit-rk "
expect_equal "$(completed 'picus run woodpecker --set hM')" "hM= "
expect_equal "$(completed 'picus help solv')" "solve solvers "
"$PICUS" run woodpecker --t-end 0.01 --out w.h5 --quiet
touch w.lua "two words.h5"
expect_equal "$(completed 'picus info w')" "w.h5 "
expect_equal "$(completed 'picus plot w.h5 beak.')" "beak.gap beak.vN beak.PN beak.PF beak.mode "
expect_equal "$(completed 'picus plot w.h5 y --x omegaS')" "omegaS "
expect_equal "$(completed 'picus events w.h5 --law be')" "beak "
expect_equal "$(completed 'picus run')" "run "
for line in '' ' ' picus 'picus nonsense ' 'picus run no-such-model --set ' 'picus plot no.h5 ' "picus run 'unfinished"; do
  expect "nothing goes wrong with '$line'" "$PICUS" completion --line "$line"
done
check "the completion of bash" bash -c "
  eval \"\$('$PICUS' completion bash)\"
  picus() { '$PICUS' \"\$@\"; }
  COMP_LINE='picus run woodp and more' COMP_POINT=15 && _picus && echo \"\${COMPREPLY[@]}\""
expect_equal "$(cat "$STDOUT")" "woodpecker"
for shell in zsh fish; do
  check "the completion of $shell" "$PICUS" completion $shell
  expect_match stdout 'picus completion --line'
  if command -v $shell >/dev/null; then expect "it is a script" $shell -n "$STDOUT"; fi
done
check "no completion" "$PICUS" completion ksh
expect_status 2
expect_match stderr 'it takes bash, zsh or fish$'
