#!/usr/bin/env bash
# Files that a command finds itself take part in the comparison of paths: those in output folders, checkpoints, parts,
# and files of other runs.
. "$(dirname "$0")/../support/check.sh"

write_ball 1e-2
"$PICUS" run bouncing-ball --out q.h5 --quiet || exit 1
keep q.h5

# --- folders -----------------------------------------------------------------------------------------------------------
# in_folder NAME FILE WORDS...: a link, a second name and a folder at FILE
in_folder() {
  local name=$1 file=$2
  shift 2
  mkdir -p "$(dirname "$file")"
  ln -s "$PWD/q.h5" "$file"
  refused "$name: a link to the result" 'would overwrite the result|is a symbolic link' "$@"
  ln -sf /nowhere/x "$file"
  refused "$name: a link to nowhere" 'is a symbolic link; files in the folder of --[a-z-]+ replace regular files only' "$@"
  rm "$file"
  mkdir "$file"
  refused "$name: a folder" 'is a folder' "$@"
  rmdir "$file"
  expect_equal "$(find "$(dirname "$file")" -type f)" ""
  mkfifo "$file"
  refused "$name: a pipe" 'is not a regular file' "$@"
  rm "$file"
  rmdir "$(dirname "$file")"
}
in_folder "files of VTK" v/shapes-00000.vtp export q.h5 --vtk v
in_folder "the list of files of VTK" v/motion.pvd export q.h5 --vtk v
in_folder "the last file of VTK" v/contacts-00003.vtp export q.h5 --vtk v --frames 4
in_folder "pictures" fr/frame-0003.png render q.h5 --out fr/ --frames 3
in_folder "hard problems" worst/b-worst-2.hdf5 run b.lua --dump-worst worst
for words in "export q.h5 --vtk d:motion.pvd" "render q.h5 --out d/:frame-0001.png" "run b.lua --against q.h5 --out x.h5 --dump-worst d:b-worst-1.hdf5"; do
  mkdir d
  ln q.h5 "d/${words#*:}"
  # shellcheck disable=SC2086 # words
  refused "a hard link to the result: ${words%:*}" "would overwrite" ${words%:*}
  rm -r d
done
refused "an output in the folder of another" "are the same file" run b.lua --dump-worst . --csv b-worst-1.hdf5
check "a folder of one's own" sh -c "'$PICUS' export q.h5 --vtk v --frames 2 --quiet && '$PICUS' export q.h5 --vtk v --frames 2 --quiet"
ln -s v w
check "a link to a folder" "$PICUS" export q.h5 --vtk w --frames 2 --quiet

printf 'paper X | t\nitem a | p | w\nrow x.csv | a = number 1\npicus run bouncing-ball --csv b.csv --quiet\nvalue v | row x.csv a 1 | 1 within 0\n' >it.items
cp it.items keep.items
for file in report.md report.html X/a/complete X/a/x.csv X/a/b.csv X/a/command-1.out; do
  mkdir -p ro/X/a
  cp it.items "ro/$file"
  refused "the item file is $file" "would overwrite --items" reproduce --items "ro/$file" --out ro
  expect "it stays" cmp "ro/$file" keep.items
  rm "ro/$file"
  ln -s "$PWD/it.items" "ro/$file"
  refused "the item file behind $file" "is a symbolic link|would overwrite" reproduce --items it.items --out ro
  expect "it stays" cmp it.items keep.items
  rm -r ro
done
mkdir ro elsewhere
ln -s ../elsewhere ro/X
refused "a folder of items elsewhere" "is not a folder, or a link to one" reproduce --items it.items --out ro
expect_equal "$(ls elsewhere)" ""
rm -r ro elsewhere

# --- checkpoints and parts ------------------------------------------------------------------------------------------------
for option in progress-file view csv events decisions; do
  for ending in checkpoint checkpoint.1 checkpoint.before part part.1; do
    refused "--$option into .$ending" 'kept for files of the other|are kept for files of runs' \
      run b.lua --adaptive --out a.h5 --checkpoint 1steps --checkpoint-keep 3 --$option a.h5.$ending
  done
done
refused "an output of another run" 'names that end with .part, .checkpoint or .attempt' run b.lua --csv other.h5.checkpoint
cp b.lua a.h5.checkpoint
refused "the model has the name of the checkpoint" "would overwrite the model" run a.h5.checkpoint --out a.h5
expect "it stays" cmp a.h5.checkpoint b.lua
rm a.h5.checkpoint
"$PICUS" run b.lua --out a.h5 --checkpoint 10steps --checkpoint-keep 3 --quiet || exit 1
mkdir saved
cp a.h5* saved
for file in a.h5 a.h5.checkpoint a.h5.checkpoint.9; do
  ln -s $file soft
  ln $file hard
  for alias in $file ./$file soft hard; do
    refused "resume: the progress into $alias, $file" "would overwrite|are the same file|kept for files of" resume a.h5 --t-end 2 --out c.h5 --progress-file "$alias"
    refused "resume into itself: the progress into $alias, $file" "would overwrite|are the same file|kept for files of" resume a.h5 --t-end 2 --progress-file "$alias"
  done
  rm soft hard
  # shellcheck disable=SC2016 # of sh
  expect "all files stay" sh -c 'for f in saved/*; do cmp $f ${f#saved/} || exit 1; done'
done

# --- a run that is under way ------------------------------------------------------------------------------------------------
"$PICUS" run woodpecker --dt 1e-6 --t-end 60 --every 100 --out x.h5 --quiet 2>first.err &
first=$!
for _ in $(seq 200); do [ -s x.h5.part ] && break; sleep 0.05; done
ln x.h5.part second.csv
ln -s x.h5.part third.csv
inode=$(stat -c %i x.h5.part)
for option in csv progress-file events out; do
  for name in x.h5.part second.csv third.csv; do
    check "--$option $name of a run under way" "$PICUS" run b.lua --$option $name --quiet
    expect_status 2
    expect_match stderr 'are kept for files of runs|another run is writing|must end in'
    expect_equal "$(stat -c %i x.h5.part)" "$inode"
  done
done
# by hand: another program takes the part, and writes the result
mv x.h5.part mine.part
cp q.h5 x.h5
kill -TERM $first
wait $first
check "rows of another program are not counted" cat first.err
expect_match stdout '^picus: x.h5 contains nothing of this run: another program has written it$'
expect_no_match stdout 'are kept'
expect "they stay" cmp x.h5 q.h5
