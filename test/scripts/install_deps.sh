#!/usr/bin/env bash
# scripts/install-deps on machines that lack this and that, made of a PATH with few commands and a make-believe apt-get.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

script=$PICUS_SOURCE/scripts/install-deps

# command NAME: a command of the make-believe machine, made of the lines of standard input
command_named() {
  {
    echo "#!$(command -v bash)"
    cat
  } >"machine/$1"
  chmod +x "machine/$1"
}
# machine: a compiler and no more, used by root; apt-get notes what it is asked and provides commands of these names
machine() {
  rm -rf machine asked
  mkdir machine
  local tool
  for tool in bash env cat tail rm mktemp find grep; do ln -s "$(command -v $tool)" machine/$tool; done
  touch asked
  command_named id <<<'echo 0'
  command_named gcc <<<'exit 0'
  command_named dpkg-query <<<'exit 1'
  command_named apt-get <<END
asked='$PWD/asked' machine='$PWD/machine'
END
  cat >>machine/apt-get <<'END'
echo "$@" >>"$asked"
[[ " $* " != *" --simulate "* ]] || [ ! -e "$machine/no-lists" ] || exit 100
[[ " $* " != *" update "* ]] || rm -f "$machine/no-lists" "$machine/old-lists"
[[ " $* " != *" install "* ]] || [ ! -e "$machine/old-lists" ] || { echo "404 Not Found" && exit 100; }
[[ " $* " == *" --simulate "* ]] || for word; do
  if [[ $word == [a-z]* ]] && [ "$word" != install ] && [ "$word" != update ]; then
    echo 'exit 0' >"$machine/$word" && /bin/chmod +x "$machine/$word"
  fi
done
END
}
on_machine() { env -i PATH="$PWD/machine" HOME=/nonexistent "$@"; }

machine
check "names what is missing, and installs nothing" on_machine "$script" --missing build
expect_match stdout '^cmake$'
expect_match stdout '^liblua5.4-dev$'
expect_no_match stdout '^gcc$'
expect_no_match stdout '^clang$'
expect_empty asked

check "names what the tests need, too" on_machine "$script" --missing build test
expect_match stdout '^cmake$'
expect_match stdout '^clang-tidy$'

machine
check "installs what is missing, in one go, with reasons" on_machine "$script" build
expect_match stdout 'liblua5.4-dev +model files are written in Lua'
expect_match stdout '^Installed\.$'
expect_match asked '^-qq -y .*install --no-install-recommends cmake pkg-config liblua5.4-dev libhdf5-dev libcairo2-dev'
expect_no_match asked 'update'
expect_no_match asked 'gcc'

: >asked
check "is silent where nothing is missing" on_machine "$script" build
expect_empty stdout
expect_empty asked

machine
touch machine/no-lists
check "fetches package lists where there are none" on_machine "$script" build
expect_match asked ' update$'

machine
touch machine/old-lists
check "fetches package lists where a download fails" on_machine "$script" build
expect_match asked ' update$'
expect_match stdout '^Installed\.$'

machine
rm machine/gcc
check "a compiler is installed where there is none" on_machine "$script" build
expect_match asked ' gcc libc6-dev cmake'

machine
command_named id <<<'echo 1000'
check "without root and sudo it says so and names the packages" on_machine "$script" build
expect_status 1
expect_match stderr 'needs root or sudo'
expect_match stderr 'cmake pkg-config liblua5.4-dev'
expect_empty asked

command_named sudo <<'END'
echo sudo >"${0%/*}/sudo-was-used"
exec "$@"
END
check "uses sudo" on_machine "$script" build
expect_file machine/sudo-was-used
expect_match stdout '^Installed\.$'

machine
rm machine/apt-get
check "on another system it says so and names the packages" on_machine "$script" build
expect_status 1
expect_match stderr 'no Debian'
expect_match stderr 'cmake pkg-config liblua5.4-dev'

machine
command_named apt-get <<<'echo "E: no space left"; exit 100'
check "a failure of apt-get is shown" on_machine "$script" build
expect_status 1
expect_match stderr 'no space left'
expect_match stderr 'could not'

machine
command_named apt-get <<<'exit 0'
check "what is still missing after installing is named" on_machine "$script" build
expect_status 1
expect_match stderr 'still not found'

check "an unknown group is refused" on_machine "$script" nonsense
expect_status 2
expect_match stderr 'build, test, python, web, package, windows, bench'
check "every group of the table is known" on_machine "$script" --missing build test python web package bench

