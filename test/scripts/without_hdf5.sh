#!/usr/bin/env bash
# The library without HDF5: the objects of this build that it consists of link without HDF5, and every public function is
# there.
. "$(dirname "$0")/../support/check.sh"

check "it configures" cmake -S "$PICUS_SOURCE" -B core -DPICUS_WITH_HDF5=OFF -DPICUS_WITH_CAIRO=OFF -DPICUS_BUILD_EXAMPLES=OFF
check "its own file compiles" gcc -std=c17 -Wall -Wextra -Werror -fPIC -I "$PICUS_SOURCE/include" -I "$PICUS_SOURCE/src" \
  -I core/include -c "$PICUS_SOURCE/src/without_hdf5/files.c" -o files.o

# Objects of the build for the sources of the library without HDF5.
objects() {
  local file object
  sed -nE 's,.*"file": "([^"]*)".*,\1,p' core/compile_commands.json | sort -u | while read -r file; do
    case $file in
    "$PICUS_SOURCE"/src/*) object=$PICUS_BUILD/CMakeFiles/picus_objects.dir/${file#"$PICUS_SOURCE"/}.o ;;
    *) object=$PICUS_BUILD/CMakeFiles/picus_objects.dir/${file##*/}.o ;;
    esac
    case $file in */src/without_hdf5/*) object=files.o ;; esac
    echo "$object"
  done
}
link() {
  local all
  mapfile -t all < <(objects)
  # shellcheck disable=SC2046  # words
  gcc -shared -Wl,--no-undefined -o libcore.so "${all[@]}" $(pkg-config --libs lua5.4) -lklu -lm -lpthread -ldl
}
check "it links with Lua and KLU only" link
public_functions() {
  cat "$PICUS_SOURCE"/include/picus/*.h | tr '\n' ' ' | grep -oE 'PICUS_API [^;(]*[ *]picus_[a-z0-9_]+\(' |
    grep -oE 'picus_[a-z0-9_]+\($' | tr -d '(' | sort -u
}
check "it has every public function" comm -23 <(public_functions) <(nm -D --defined-only libcore.so | awk '{ print $3 }' | sort -u)
expect_empty stdout
