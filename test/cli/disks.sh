#!/usr/bin/env bash
# Disks that are full or cannot be written, in runs with checkpoints: the run goes on when there is room again, from a
# disk that cannot be written too, and ends with the results of the run that was never stopped.
. "$(dirname "$0")/../support/check.sh"
. "$PICUS_SOURCE/test/support/results.sh"

# how many rows there will be is not known before, so the run begins
run=(run woodpecker --adaptive --dt-min 1e-7 --dt-max 2e-5 --t-end 0.12 --quiet)
"$PICUS" "${run[@]}" --out whole.h5

check "a table on a full device" "$PICUS" "${run[@]}" --out d.h5 --csv /dev/full --checkpoint 500steps
expect_status 2
expect_no_file d.h5
expect_match stderr "cannot write '/dev/full': No space left on device"

small() { # SIZE: a file system of its own
  mkdir -p disk && mount -t tmpfs -o "size=$1" tmpfs disk 2>/dev/null
}
if small 520k; then
  check "a full disk" "$PICUS" "${run[@]}" --out disk/a.h5 --checkpoint 200steps --progress-file disk/progress.json
  expect_status 1
  expect_match stderr 'No space left on device'
  expect_file disk/a.h5.checkpoint
  check "is still full" "$PICUS" resume disk/a.h5 --quiet
  expect_status 1
  expect_match stderr 'No space left on device'
  expect_file disk/a.h5.checkpoint
  mount -o remount,size=16m disk
  check "with more room the run goes on" "$PICUS" resume disk/a.h5 --quiet
  same whole.h5 disk/a.h5 || complain "the results differ"

  "$PICUS" "${run[@]}" --out disk/b.h5 --checkpoint 500steps --nice-exit-after 0.001s 2>/dev/null
  mount -o remount,ro disk
  before=$(md5sum disk/*)
  check "a disk that cannot be written" "$PICUS" resume disk/b.h5 --quiet
  expect_status 2
  expect_match stderr 'Read-only file system'
  check "another run into it" "$PICUS" "${run[@]}" --out disk/b.h5 --checkpoint 500steps
  expect_status 2
  expect_match stderr 'Read-only file system'
  expect_equal "$(md5sum disk/*)" "$before"
  check "its run goes on elsewhere" "$PICUS" resume disk/b.h5 --out there.h5 --quiet
  same whole.h5 there.h5 || complain "the results differ"
  umount disk

  # 30001 rows of 73 bytes, or 41 in single precision
  small 1500k
  check "compressed rows may fit" "$PICUS" run bouncing-ball --t-end 1500 --out disk/c.h5
  expect_match stderr "3e\+04 rows take 2.19e\+06 bytes in 'disk/c.h5' unless they can be compressed, and 1.54e\+06 bytes are free"
  rm disk/c.h5
  check "rows that are not compressed" "$PICUS" run bouncing-ball --t-end 1500 --uncompressed --out disk/c.h5
  expect_status 2
  expect_match stderr "3e\+04 rows take at least 2.19e\+06 bytes and do not fit into 'disk/c.h5'"
  expect_no_file disk/c.h5
  check "single precision takes less" "$PICUS" run bouncing-ball --t-end 1500 --uncompressed --precision single --out disk/c.h5
  expect_no_match stderr 'rows take'
  umount disk
else
  skip "a full disk" "no file system can be mounted here"
  skip "a disk that cannot be written" "no file system can be mounted here"
fi
