#!/usr/bin/env bash
# Every program and library of the build and of an installation: where the loader looks for libraries, and hardening.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

# The ELF programs and shared libraries below a directory.
binaries() {
  find "$1" -type f \( -perm /111 -o -name '*.so*' \) -print0 | while IFS= read -r -d '' file; do
    [ "$(head -c 4 "$file" | tr -d '\0')" != $'\x7fELF' ] || echo "$file"
  done
}

# An empty entry of RPATH or RUNPATH is the current folder, a relative one lies below it: whoever writes there has their
# code run. $ORIGIN is the folder of the file itself.
bad_entries() {
  local file entries entry
  binaries "$1" | while IFS= read -r file; do
    readelf -dW "$file" | sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\]$/\2/p' | while IFS= read -r entries; do
      while IFS= read -r -d: entry; do
        # shellcheck disable=SC2016 # the loader's word
        case $entry in /* | '$ORIGIN' | '$ORIGIN/'*) ;; *) echo "$file looks for libraries in '$entry' ($entries)" ;; esac
      done <<<"$entries:"
    done
  done
}

check "binaries of the build look in absolute folders only" bad_entries "$PICUS_BUILD"
expect_empty stdout
expect "there are many" test "$(binaries "$PICUS_BUILD" | wc -l)" -gt 50

check "installs into a prefix" cmake --install "$PICUS_BUILD" --prefix "$PWD/tree"
check "binaries of the installation look in absolute folders only" bad_entries tree
expect_empty stdout
expect "there are the tool and the library" test "$(binaries tree | wc -l)" -ge 2

# Code planted beside the user must not run: a library with the name of one that the tool needs.
cat >planted.c <<'C'
#include <unistd.h>
__attribute__((constructor)) static void planted(void) { _exit(77); }
C
plant() {
  local library
  for library in $(readelf -dW "$PICUS" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]$/\1/p'); do
    "${CC:-cc}" -shared -fPIC planted.c -o "$library" || return 1
  done
}
check "libraries in the current folder are not loaded" plant
expect "the tool runs" env -C "$PWD" "$PICUS" --version
rm -f ./*.so*

if grep -qE '^CMAKE_BUILD_TYPE:[A-Z]+=(Release|RelWithDebInfo)$' "$PICUS_BUILD/CMakeCache.txt"; then
  for binary in "$PICUS" "$(find "$PICUS_BUILD" -maxdepth 1 -name 'libpicus.so.*.*')"; do
    check "$(basename "$binary"): relocations are read-only before it starts" readelf -lWd "$binary"
    expect_match stdout 'GNU_RELRO'
    expect_match stdout 'BIND_NOW|FLAGS.*NOW'
    expect_match stdout 'GNU_STACK .* RW '
    check "$(basename "$binary"): the stack and the C library's calls are checked" readelf -sW --dyn-syms "$binary"
    expect_match stdout '__stack_chk_fail'
    expect_match stdout '__[a-z]+_chk'
  done
  check "the tool is loaded at any address" readelf -hW "$PICUS"
  expect_match stdout 'Type: +DYN'
  if [ "$(uname -m)" = x86_64 ]; then # the C library's own start code may not have it, so look at the objects
    check "jumps and returns are checked" readelf -nW "$PICUS_BUILD/libpicus.a"
    expect_equal "$(grep -c 'x86 feature:.*IBT, SHSTK' "$STDOUT")" "$(ar t "$PICUS_BUILD/libpicus.a" | wc -l)"
  fi
else
  skip "hardening" "this is not a release build"
fi
