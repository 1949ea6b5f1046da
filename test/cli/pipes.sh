#!/usr/bin/env bash
# Pipes in the place of files that must be regular: each is an error, and nothing waits for somebody at the other end.
# Names that leave no room for checkpoints are errors before the run.
. "$(dirname "$0")/../support/check.sh"
mkfifo out.h5 pipe.json pipe.checkpoint a.h5.checkpoint
soon=(timeout 20 "$PICUS")
refused() { # TITLE MESSAGE WORD...
  check "$1" "${soon[@]}" "${@:3}"
  expect_status 2
  expect_match stderr "$2"
}

refused "a result" "cannot create 'out.h5': an HDF5 file must be a regular file" run bouncing-ball --out out.h5
refused "a reference" "cannot create 'out.h5': a reference must be a regular file" reference bouncing-ball --out out.h5
refused "a progress file" "cannot create 'pipe.json': a progress file must be a regular file" \
  run bouncing-ball --out b.h5 --progress-file pipe.json
expect_no_file b.h5
refused "a progress file without a result" "a progress file must be a regular file" run bouncing-ball --progress-file pipe.json
refused "a checkpoint" "cannot create 'a.h5.checkpoint': a checkpoint must be a regular file" \
  run bouncing-ball --out a.h5 --checkpoint 1steps
expect_no_file a.h5
refused "a result that is read" "cannot read 'out.h5': it is not a regular file" info out.h5
refused "a result that goes on" "there is no checkpoint that can be read" resume out.h5
if ! [ -p out.h5 ] || ! [ -p pipe.json ] || ! [ -p a.h5.checkpoint ]; then complain "a pipe was replaced"; fi

"$PICUS" run woodpecker --dt 1e-6 --t-end 30 --progress-file changed.json --quiet 2>told &
pid=$!
until [ -e changed.json ]; do sleep 0.01; done
rm -f changed.json
mkfifo changed.json
for ((k = 0; k < 1000; k++)); do
  grep -q 'the progress cannot be written' told && break
  sleep 0.02
done
kill -TERM "$pid" 2>/dev/null
check "a progress file that becomes a pipe" wait "$pid"
expect_status 1
check "is told" cat told
expect_match stdout "the progress cannot be written: cannot create 'changed.json': a progress file must be a regular file"

name() { printf 'n%.0s' $(seq "$1"); }
check "a name with room for a checkpoint" "${soon[@]}" run bouncing-ball --out "$(name 239)" --checkpoint 1steps --quiet
expect_empty stderr
expect_file "$(name 239).checkpoint"
rm -f nnn*
refused "a name without" "the name of --out is too long for checkpoints; it may have 239 bytes" \
  run bouncing-ball --out "$(name 240)" --checkpoint 1steps
refused "nor with numbers" "the name of --out is too long for checkpoints; it may have 224 bytes" \
  run bouncing-ball --out "$(name 225)" --checkpoint 1steps --checkpoint-keep 2
expect "no file is left" sh -c '! ls nnn* 2>/dev/null'
check "without checkpoints it may be longer" "${soon[@]}" run bouncing-ball --out "$(name 250)" --quiet
mkdir folder.h5.checkpoint
refused "a folder" "cannot create 'folder.h5.checkpoint': Is a directory" run bouncing-ball --out folder.h5 --checkpoint 1steps
expect_no_file folder.h5
