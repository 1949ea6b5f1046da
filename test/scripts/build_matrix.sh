#!/usr/bin/env bash
# Options on and off configure, and give the targets that they promise; make test-long builds and runs them all.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

mkdir tree
cp -r "$PICUS_SOURCE"/{CMakeLists.txt,CMakePresets.json,cmake,include,src,tool,models,docs,packaging,scripts,scenes,examples} tree
cp "$PICUS_SOURCE"/{README.md,CHANGELOG.md,CONTRIBUTING.md,LICENSE,CITATION.cff} tree
matrix=tree/scripts/build-matrix
for name in all-off tool-only; do
  check "$name" "$matrix" --configure "$name"
  expect_match stdout "^$name: configures$"
done
check "the names" "$matrix" --list
expect_match stdout '^clang$'
check "no such build" "$matrix" --configure none
expect_status 1
expect_match stderr 'there is no build named none; --list shows all'
sed -i 's/^tool-only picus,-picus_mpi/tool-only picus,picus_mpi/' "$matrix"
check "a target that is missing is found" "$matrix" --configure tool-only
expect_status 1
expect_match stderr 'tool-only lacks the target picus_mpi'
