#!/usr/bin/env bash
# The library without HDF5 and cairo: the objects of this build that it consists of link with Lua and KLU only, every public
# function is there, programs write CSV and are told that there is no HDF5, and test programs of the library pass with it.
. "$(dirname "$0")/../support/check.sh"

check "it configures" cmake -S "$PICUS_SOURCE" -B core -DPICUS_WITH_HDF5=OFF -DPICUS_WITH_CAIRO=OFF -DPICUS_WITH_TOOL=OFF -DPICUS_BUILD_EXAMPLES=OFF
check "none of its targets is made by the tool, which it has not" cmake --build core --target help
expect_no_match stdout 'picus_documents'
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
  ar rcs libcore.a "${all[@]}"
  # shellcheck disable=SC2046  # words
  gcc -shared -Wl,--no-undefined -o libcore.so "${all[@]}" $(pkg-config --libs lua5.4) -lklu -lm -lpthread -ldl
}
check "it links with Lua and KLU only" link
needed() { readelf -d libcore.so | sed -nE 's/.*NEEDED.*\[(lib[a-z]+).*/\1/p' | grep -vxE 'libc|libm|libpthread|libdl' | paste -sd ' '; }
check "it needs no other library" needed
expect_match stdout '^liblua libklu$'
stripped_size() { strip --strip-unneeded -o stripped.so libcore.so && stat -c %s stripped.so; }
check "it has less than 3 MB" test "$(stripped_size)" -lt 3000000
public_functions() {
  cat "$PICUS_SOURCE"/include/picus/*.h | tr '\n' ' ' | grep -oE 'PICUS_API [^;(]*[ *]picus_[a-z0-9_]+\(' |
    grep -oE 'picus_[a-z0-9_]+\($' | tr -d '(' | sort -u
}
check "it has every public function" comm -23 <(public_functions) <(nm -D --defined-only libcore.so | awk '{ print $3 }' | sort -u)
expect_empty stdout

libraries="-lklu -lm -lpthread -ldl"
run_program() {
  # shellcheck disable=SC2046,SC2086  # words
  gcc -std=c17 -I "$PICUS_SOURCE/include" -I core/include -o program "$PICUS_SOURCE/test/scripts/without_hdf5.c" libcore.a \
    $(pkg-config --libs lua5.4) $libraries && ./program && wc -l <run.csv
}
check "a program gets rows in memory and in CSV, and a message for HDF5" run_program
expect_match stdout 'without HDF5 and cannot write HDF5 files; use memory or CSV'
expect_match stdout 'without HDF5 and cannot read'
expect_match stdout '^[0-9]+ rows$'

# run_unit NAME: a test program of this build, linked with the library without HDF5.
run_unit() {
  local tests=$PICUS_BUILD/test
  # shellcheck disable=SC2046,SC2086  # words
  gcc -o "unit_$1" "$tests/CMakeFiles/test_$1.dir/unit/$1.c.o" "$tests/libtest_support.a" "$PICUS_BUILD/scenes/libpicus_scenes.a" \
    libcore.a "$tests/libtest_support.a" $(pkg-config --libs lua5.4) $libraries && "./unit_$1"
}
for name in base bodies_motion checkpoint_misuse controls events lua_model lua_shipped record_csv scheme_moreau scheme_theta \
  solver_agreement tables; do
  check "its test $name passes" run_unit "$name"
done
