#!/usr/bin/env bash
# Installs the build into a temporary tree and uses it as a user would: with pkg-config, with CMake, shared and static.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

user=$PICUS_SOURCE/test/install
compiler=${CC:-cc}
version=$(sed -nE 's/^project\(picus VERSION ([0-9.]+) .*/\1/p' "$PICUS_SOURCE/CMakeLists.txt")
unset DESTDIR PKG_CONFIG_PATH

check "installs into a prefix" cmake --install "$PICUS_BUILD" --prefix "$PWD/tree"
lib=$(dirname "$(find "$PWD/tree" -name libpicus.a)")
for file in tree/include/picus/{picus,version}.h "$lib"/libpicus.{a,so} "$lib/pkgconfig/picus.pc" \
  "$lib"/cmake/picus/picus-{config,config-version,shared,static}.cmake; do
  expect_file "$file"
done
expect "the licence comes along" find tree/share/doc -name LICENSE -size +0
expect_equal "$(find tree/include -name '*.in')" ""

check "the shared library has a soname" readelf -d "$lib/libpicus.so"
expect_match stdout "SONAME.*\[libpicus\.so\.${version%%.*}\]"
expect_file "$lib/libpicus.so.${version%%.*}"

# The names of the functions that the headers promise.
promised() {
  cat tree/include/picus/*.h | tr '\n' ' ' | grep -oE 'PICUS_API [^;(]*[ *](picus_[a-z0-9_]+)\(' | grep -oE 'picus_[a-z0-9_]+\($' |
    tr -d '(' | sort -u
}
exported() { nm -D --defined-only "$lib/libpicus.so" | awk '{ print $3 }' | sort -u; }
only_own_names() { ! exported | grep -v '^picus_'; }
check "exports names of its own only" only_own_names
exported >exported.txt
promised >promised.txt
check "exports what the headers promise, all of it" comm -13 exported.txt promised.txt
expect_empty stdout
expect "there are promises" test -s promised.txt
check "exports nothing that the headers do not promise" comm -23 exported.txt promised.txt
expect_empty stdout

# Variables that can be written to; constants with addresses in them are in .data.rel.ro, which the loader protects.
variables() {
  objdump -t "$lib/libpicus.a" | awk '
    /^[0-9a-f]+ / && ($(NF-2) ~ /^\.(data|bss|tdata|tbss)$/ && $NF !~ /^\./ || $(NF-2) == "*COM*")'
}
check "holds no state of its own" variables
expect_empty stdout

headers_alone() {
  local header status=0
  for header in tree/include/picus/*.h; do
    printf '#include <picus/%s>\nextern int nothing_else;\n' "$(basename "$header")" |
      "$@" -Wall -Wextra -Werror -pedantic -fsyntax-only -Itree/include - || status=1
  done
  return $status
}
check "each header stands alone in C17" headers_alone "$compiler" -x c -std=c17
if command -v g++ >/dev/null; then
  check "each header is C++, too" headers_alone g++ -x c++ -std=c++11
elif command -v clang++ >/dev/null; then
  check "each header is C++, too" headers_alone clang++ -x c++ -std=c++11
else
  skip "each header is C++, too" "there is no C++ compiler"
fi

export PKG_CONFIG_PATH=$lib/pkgconfig
build_shared() {
  # pkg-config escapes blanks in names for a shell
  eval '"$compiler" -std=c17 "$user/main.c" -o shared' "$(pkg-config --cflags --libs picus) -lm"
}
# --static lists what the archive is built on; -l:libpicus.a takes the archive though the shared library is next to it.
build_static() {
  eval '"$compiler" -std=c17 "$user/main.c" -o static' "$(pkg-config --static --cflags --libs picus |
    sed 's/-lpicus/-l:libpicus.a/')"
}
needs_library() { readelf -d "$1" | grep -q 'NEEDED.*libpicus'; }
needs_no_library() { ! needs_library "$1"; }

check "pkg-config knows the version" pkg-config --modversion picus
expect_equal "$(cat "$STDOUT")" "$version"
check "a program builds with pkg-config, shared" build_shared
check "and runs" env LD_LIBRARY_PATH="$lib" ./shared
expect_match stdout "^picus $version: rises to 0.2[45]"
expect "it takes the shared library" needs_library shared
check "a program builds with pkg-config, static" build_static
check "and runs without the shared library" ./static
expect_match stdout "^picus $version: rises to 0.2[45]"
expect "it does not take the shared library" needs_no_library static
unset PKG_CONFIG_PATH

for kind in shared static; do
  check "find_package gives picus::$kind" cmake -S "$user" -B "cmake-$kind" -DKIND=$kind -DCMAKE_PREFIX_PATH="$PWD/tree"
  check "a program builds with picus::$kind" cmake --build "cmake-$kind"
  check "and runs with picus::$kind" "cmake-$kind/user"
  expect_match stdout "^picus $version: rises to 0.2[45]"
done
expect "it does not take the shared library" needs_no_library cmake-static/user

user_project() { cmake -S "$user" -B "cmake-$1" -DKIND="$1" -DRANGE="$2" -DCMAKE_PREFIX_PATH="$PWD/tree"; }
if [ -x tree/bin/picus ]; then
  check "find_package gives picus::tool" user_project tool ''
  check "a project runs picus::tool" cmake --build cmake-tool
  expect_file cmake-tool/table.csv
  mv tree/bin/picus .
  rm -r cmake-tool
  check "picus::tool where there is none" user_project tool ''
  expect_status 1
  expect_match stderr 'picus::tool is not installed'
  mv picus tree/bin
fi
for range in "$version" "${version%.*}" "${version%.*}...${version%.*}.9" "$version...<${version%.*}.99"; do
  rm -rf cmake-shared
  check "a user of the versions $range" user_project shared "$range"
done
for range in 0.0.1 9.9 "${version%.*}.90...${version%.*}.99"; do
  rm -rf cmake-shared
  check "a user of the versions $range, which this is not" user_project shared "$range"
  expect_status 1
  expect_match stderr 'version'
done

# Users of the shared library need none of the libraries below it.
check "picus::shared needs no other library" \
  env PKG_CONFIG_LIBDIR=/nonexistent cmake -S "$user" -B cmake-alone -DKIND=shared -DCMAKE_PREFIX_PATH="$PWD/tree"
check "picus::static says what it misses" \
  env PKG_CONFIG_LIBDIR=/nonexistent cmake -S "$user" -B cmake-missing -DKIND=static -DCMAKE_PREFIX_PATH="$PWD/tree"
expect_status 1
expect_match stderr 'missing: lua5.4 hdf5 zlib'

check "installs below DESTDIR" env DESTDIR="$PWD/stage" cmake --install "$PICUS_BUILD" --prefix /opt/picus
expect_file stage/opt/picus/include/picus/picus.h

if [ -x "$PICUS" ]; then
  check "the tool is installed and runs" env -C / "$PWD/tree/bin/picus" list
  expect_match stdout woodpecker
  expect_file tree/share/picus/models/woodpecker.lua
  expect_file tree/share/man/man1/picus.1
  expect_file tree/share/bash-completion/completions/picus
  expect_file tree/share/zsh/site-functions/_picus
  expect_file tree/share/fish/vendor_completions.d/picus.fish
else
  skip "the tool is installed and runs" "this build has no tool"
fi
