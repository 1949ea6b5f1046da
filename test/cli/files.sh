#!/usr/bin/env bash
# What is promised about files (docs/reliability.md): inputs stay, old results stay until new ones are complete, runs
# into one name do not mix, what was written is not lost.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

write_ball 1e-3
"$PICUS" run b.lua --out r.h5 --csv r.csv --quiet || exit 1
"$PICUS" run b.lua --out ref.h5 --dt 1e-4 --quiet || exit 1
"$PICUS" run b.lua --dump-worst worst --quiet || exit 1
cp worst/b-worst-1.hdf5 p.hdf5
cp r.h5 keep.h5
cp r.csv keep.csv

# same FILE COPY: the file is as it was
same() { cmp "$1" "$2"; }
keep b.lua r.h5 r.csv ref.h5 p.hdf5

# --- inputs are never overwritten ---------------------------------------------------------------------------------
overwrite='would overwrite|are the same file'
ln b.lua hard.lua
ln -s b.lua soft.lua
ln r.h5 hard.h5
ln -s r.h5 soft.h5
ln r.h5 hard.png
ln -s ./r.h5 soft.png
ln -s no/such/file dangling.h5
refused "results into the model" "$overwrite" run b.lua --out b.lua
refused "a table into the model" "$overwrite" run b.lua --csv b.lua
refused "events into the model" "$overwrite" run b.lua --events b.lua
refused "into the model by a path" "$overwrite" run b.lua --out ./././b.lua
refused "into the model by an absolute path" "$overwrite" run b.lua --out "$PWD/b.lua"
refused "into the model by a hard link" "$overwrite" run b.lua --out hard.lua
refused "into the model by a symbolic link" "$overwrite" run b.lua --csv soft.lua
refused "the model is the link" "$overwrite" run soft.lua --csv b.lua
refused "results into the reference" "$overwrite" run b.lua --out ref.h5 --against ref.h5
refused "into the reference by a path" "$overwrite" run b.lua --out ./ref.h5 --against ref.h5
refused "two outputs" "$overwrite" run b.lua --out r.h5 --csv r.h5
refused "two outputs by a path" "$overwrite" run b.lua --out r.h5 --csv ./r.h5
refused "two outputs by a hard link" "$overwrite" run b.lua --out r.h5 --csv hard.h5
refused "two outputs by a symbolic link" "$overwrite" run b.lua --csv soft.h5 --out r.h5
refused "two outputs that are not there yet" "$overwrite" run b.lua --csv new.csv --events ././new.csv
refused "an output where another grows" "$overwrite" run b.lua --out n.h5 --csv n.h5.part
refused "events into their result" "$overwrite" events r.h5 --csv r.h5
refused "events into their result by a link" "$overwrite" events r.h5 --csv hard.h5
refused "the table of a problem into it" "$overwrite" solve p.hdf5 --csv p.hdf5
refused "the table of a problem into it by a path" "$overwrite" solve p.hdf5 --csv ../"$(basename "$PWD")"/p.hdf5
ln p.hdf5 hard-p.png
refused "the profile of a problem into it" "$overwrite" solve p.hdf5 --plot hard-p.png
refused "table and profile in one" "$overwrite" solve p.hdf5 --csv x.png --plot x.png
refused "a figure into its result" "$overwrite" plot r.h5 --out r.h5
refused "a figure into its result by a hard link" "$overwrite" plot r.h5 --out hard.png
refused "a figure into its result by a symbolic link" "$overwrite" plot r.h5 --out soft.png
refused "a reference into its model" "$overwrite" reference b.lua --out b.lua
refused "hard problems into a result" "$overwrite" run b.lua --dump-worst worst --out worst/b-worst-1.hdf5
mkdir matrices
printf '%%%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2.0\n' >matrices/M.mtx
cp matrices/M.mtx keep.mtx
printf '%%%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 3.0\n' >matrices/K.mtx
cat >matrices/m.lua <<'LUA'
structure { "s", mass = "M.mtx", stiffness = "K.mtx" }
simulate { dt = 1e-3, t_end = 0.01 }
LUA
check "a model from matrices" "$PICUS" run matrices/m.lua --out m.h5 --quiet
refused "results into a matrix of the model" "would overwrite a file of the model" run matrices/m.lua --events matrices/M.mtx
expect "the matrix stays" same matrices/M.mtx keep.mtx

# --- places where nothing can be written: the other file stays ---------------------------------------------------------
refused "a bad second path" "nodir/x.csv" run b.lua --out r.h5 --csv nodir/x.csv
refused "a bad first path" "nodir/x.h5" run b.lua --out nodir/x.h5 --csv r.csv
refused "a folder" "[Dd]irectory" run b.lua --out r.h5 --csv .
refused "a link to nowhere" "dangling" run b.lua --csv r.csv --out dangling.h5
refused "below a file" "Not a directory" run b.lua --csv r.csv --out r.h5/x.h5
refused "a place that takes no files" "/proc/x.h5" run b.lua --csv r.csv --out /proc/x.h5
refused "a name too long for its part" "too long" run b.lua --csv r.csv --out "$(printf 'n%.0s' $(seq 252)).h5"
refused "a name too long" "too long" run b.lua --csv r.csv --out "$(printf 'n%.0s' $(seq 300)).h5"
refused "a bad path of solve" "nodir" solve p.hdf5 --csv nodir/x.csv
refused "a bad path of plot" "nodir" plot r.h5 --out nodir/x.png
refused "a bad path of events" "nodir" events r.h5 --csv nodir/x.csv
refused "a bad path of reference" "nodir" reference b.lua --out nodir/x.h5
mkdir d.h5.part
check "a folder where the file grows" "$PICUS" run b.lua --csv r.csv --out d.h5
expect_status 2
expect_match stderr "'d.h5.part': Is a directory"
expect "the table stays" same r.csv keep.csv
expect_no_file r.csv.part
rmdir d.h5.part

# --- no room: a sentence of every command, and no part ------------------------------------------------------------------
for words in "events r.h5 --csv full.csv" "plot r.h5 --out full.png" "solve p.hdf5 --csv full.csv" "reference b.lua --accuracy 1e-4 --out full.h5"; do
  # through a pipe, since messages in a file would have no room either
  check "no room: $words" sh -c "{ (ulimit -f 0; exec '$PICUS' $words); echo code \$?; } 2>&1 | cat"
  expect_match stdout '^picus: cannot .*full.*: File too large'
  expect_match stdout '^code [12]$'
  expect_equal "$(find . -name 'full*')" ""
done

# --- pipes and devices -------------------------------------------------------------------------------------------------
check "a table to standard output" sh -c "'$PICUS' run b.lua --csv /dev/stdout --quiet | cmp - keep.csv"
check "a table to standard output in a file" sh -c "'$PICUS' run b.lua --csv /dev/stdout --quiet >out.csv && cmp out.csv keep.csv"
check "behind what is in the file" sh -c "echo head >log.csv; '$PICUS' run b.lua --csv /dev/stdout --quiet >>log.csv && tail -n +2 log.csv | cmp - keep.csv"
# a force that is not a number once the ball is below the ground
sed -e '/^contact/d' -e 's/potential(9.81 \* q.x)/force { x = log(q.x) - 9 }/' b.lua >breaks.lua
check "a failed run to standard output" sh -c "'$PICUS' run breaks.lua --csv /dev/stdout --quiet >some.csv"
expect_status 1
expect_lines stderr 1
expect "there are rows" test "$(wc -l <some.csv)" -gt 100
check "a table to nowhere" "$PICUS" run b.lua --csv /dev/null --quiet
mkfifo fifo
check "a table to a pipe with a name" sh -c "cat fifo >piped.csv & '$PICUS' run b.lua --csv fifo --quiet && wait && cmp piped.csv keep.csv"
check "no HDF5 to a pipe" "$PICUS" run b.lua --out /dev/stdout
expect_status 2
expect_match stderr "must be a regular file"
check "a link stays a link" "$PICUS" run b.lua --out soft.h5 --quiet
expect "the link" test -L soft.h5
expect "the file behind it" "$PICUS" info r.h5

# --- standard output ---------------------------------------------------------------------------------------------------
cp keep.h5 r.h5
for words in "--help" "--version" "help" "help run" "list" "show b.lua" "check b.lua" "info r.h5" "events r.h5" "events r.h5 --raw" \
  "compare r.h5 r.h5" "solve p.hdf5" "solve p.hdf5 --solver all" "run b.lua" "run b.lua --csv /dev/stdout" "plot r.h5 --out x.svg" \
  "reference b.lua --accuracy 1e-4"; do
  # shellcheck disable=SC2086 # words
  check "a full standard output: $words" sh -c "'$PICUS' $words >/dev/full"
  expect_status "$((STATUS == 2 ? 2 : 1))" # 2: nothing could be begun
  expect_match stderr '^picus: .*(standard output could not be written|cannot write)'
done
check "a closed standard output does not get into files" sh -c "'$PICUS' run b.lua --out closed.h5 >&-"
expect_status 1
expect_match stderr 'standard output could not be written'
expect "the result can be read" "$PICUS" info closed.h5
check "closed standard streams" sh -c "'$PICUS' run b.lua --csv closed.csv <&- >&- 2>&-; cmp closed.csv keep.csv"

# --- names and texts that mean harm ------------------------------------------------------------------------------------
sed 's,model("b",model("../../x",' b.lua >climb.lua
mkdir -p deep/er
check "a model's name does not lead out of a folder" "$PICUS" run climb.lua --dump-worst deep/er --quiet
expect_equal "$(find . -name '*x-worst*' | sort | tr '\n' ' ')" "./deep/er/_._.._x-worst-1.hdf5 ./deep/er/_._.._x-worst-2.hdf5 ./deep/er/_._.._x-worst-3.hdf5 "
sed "s,model(\"b\",model(\"$(printf 'm%.0s' $(seq 255))\"," b.lua >long.lua
check "a long name is cut" "$PICUS" run long.lua --dump-worst deep --worst 1 --quiet
expect_equal "$(find deep -name 'm*-worst-1.hdf5' | wc -l)" 1

escape=$(printf '\033')
# shellcheck disable=SC2016
cat >harm.lua <<LUA
-- a comment with ${escape}[31m colour
model("harm\xC2\x9B31m", "moves\27[2J the cursor")
local p = parameters { m = { 1, "\27[1mkg", "mass\27]0;title\7" } }
local q, u = coordinates { { "x", velocity = "v", start = { 1, 0 }, unit = "m\27[5m", label = "x\27[5m\n" } }
kinetic(p.m * u.v^2 / 2)
potential(9.81 * q.x)
contact { "floor", gap = q.x, eN = 0.5 }
simulate { dt = 1e-3, t_end = 1 }
print("note\27[7m", "a\nb")
LUA
quiet_terminal() { # NAME ARGUMENTS...: no control character in what is printed, but tabs and line feeds
  local name=$1
  shift
  check "no escape sequences: $name" "$PICUS" "$@"
  expect_status "$STATUS"
  expect "none on standard output" sh -c "! LC_ALL=C grep -qP '[^\\x20-\\x7E\\t\\xA0-\\xFF]|\\xC2[\\x80-\\x9F]' '$STDOUT'"
  expect "none on standard error" sh -c "! LC_ALL=C grep -qP '[^\\x20-\\x7E\\t\\xA0-\\xFF]|\\xC2[\\x80-\\x9F]' '$STDERR'"
}
bad=$(printf 'no\033[31m\a\b\177file')
quiet_terminal run run harm.lua --out "h${escape}[1m.h5" --csv "h${escape}[1m.csv" --events "e$escape.csv"
expect_file "h${escape}[1m.h5"
expect_match stderr 'note: note.x1b\[7m'
quiet_terminal check check harm.lua
quiet_terminal info info "h${escape}[1m.h5"
expect_match stdout 'moves.x1b\[2J'
quiet_terminal events events "h${escape}[1m.h5" --raw
quiet_terminal plot plot "h${escape}[1m.h5" --out "h${escape}[1m.svg"
quiet_terminal compare compare "h${escape}[1m.h5" "h${escape}[1m.h5"
quiet_terminal worst run harm.lua --dump-worst "w${escape}[1m"
quiet_terminal solve solve "w${escape}[1m"/*.hdf5
quiet_terminal reference reference harm.lua --accuracy 1e-3
for command in run check info events plot solve reference show; do quiet_terminal "$command of nothing" "$command" "$bad"; done
quiet_terminal "a column" plot r.h5 "$bad"
quiet_terminal "an option" run b.lua "--$bad"
quiet_terminal "a command" "$bad"
quiet_terminal "a number" run b.lua --dt "$bad"
quiet_terminal "a setting" run b.lua --set "$bad=1"
quiet_terminal "a solver" run b.lua --solver "$bad"
printf 'error("\\27[31mred\\nline")' >error.lua
quiet_terminal "a model's error" run error.lua
expect_lines stderr 1
printf 'x%s = (' "$escape" >syntax.lua
quiet_terminal "a syntax error" run syntax.lua
printf 't,x%s[31m\n0,1\n' "$escape" >harm.csv
quiet_terminal "a table's heading" plot harm.csv y
if command -v script >/dev/null; then
  check "no escape sequences of a source on a terminal" script -qec "'$PICUS' show harm.lua" /dev/null
  expect_match stdout 'x1b\[31m colour'
  expect "none of them" sh -c "! grep -q '$escape' '$STDOUT'"
fi
check "a source in a file is as it was" sh -c "'$PICUS' show harm.lua --source | cmp - harm.lua"

# --- more rows than anybody has room for ----------------------------------------------------------------------------
refused "samples lost in rounding" "sample = 1e-300 is below round-off" run b.lua --sample 1e-300
refused "samples lost in rounding, with a file" "sample = 1e-300 is below round-off" run b.lua --sample 1e-300 --out r.h5
refused "too many samples" "1e\+14 rows for 'r.h5' exceed the limit" run b.lua --sample 1e-14 --out r.h5
refused "too many rows of a table" "rows for 'r.csv' exceed the limit" run b.lua --dt 1e-14 --csv r.csv
refused "too many samples of an adaptive run" "rows for 'r.h5' exceed the limit" run b.lua --adaptive --sample 1e-14 --out r.h5
refused "too many samples of a reference" "below round-off" reference b.lua --sample 1e-300 --out ref.h5
free=$(($(df -k --output=avail . | tail -1) * 1024))
refused "more bytes than are free" "do not fit into 'r.h5', where [0-9.e+]+ bytes are free" run b.lua --uncompressed --out r.h5 \
  --sample "$(awk -v free="$free" 'BEGIN { printf "%.3g", 20 / free }')"
