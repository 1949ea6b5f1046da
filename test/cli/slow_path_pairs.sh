#!/usr/bin/env bash
# No output of a command is one of its inputs or another output, by whatever name: every pair of options that name files,
# of every command, as a plain name, as ./NAME, as a hard link and as a symbolic link. Options come from the help.
. "$(dirname "$0")/../support/check.sh"

printf '%%%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2.0\n' >M.mtx
printf '%%%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 3.0\n' >K.mtx
cat >m.lua <<'LUA'
structure { "s", mass = "M.mtx", stiffness = "K.mtx" }
local q, u = coordinates { { "x", velocity = "v", start = { 1, 0 } } }
kinetic(u.v^2 / 2)
potential(9.81 * q.x)
contact { "floor", gap = q.x, eN = 0.5 }
simulate { dt = 1e-2, t_end = 0.05 }
LUA
"$PICUS" run m.lua --out r.h5 --checkpoint 1steps --checkpoint-keep 2 --quiet || exit 1
"$PICUS" run m.lua --out ref.h5 --quiet || exit 1
"$PICUS" run m.lua --dump-worst worst --t-end 0.6 --quiet || exit 1
mv worst/m-worst-1.hdf5 p.hdf5
rm -r worst
cp r.h5 old.h5 # what outputs replace
printf 'paper X | t\nitem a | p | w\nrow x.csv | a = number 1\nvalue v | row x.csv a 1 | 1 within 0\n' >it.items

snapshot() { find . -name '.std*' -o -name '.expect' -o -type f -print0 | sort -z | xargs -0 md5sum; find . ! -name '.*' -printf '%p %y %l\n' | sort; }
snapshot >"$check_scratch/.std-before" # such names take no part
# aliases FILE ENDING: the list `names` of one file, after making the links; a missing file has no hard link
aliases() {
  rm -f alias-*
  ln -s "$1" "alias-soft$2"
  names=("$1" "./$1" "alias-soft$2")
  if [ -e "$1" ]; then ln "$1" "alias-hard$2" && names+=("alias-hard$2"); fi
}

# What has to stand in a message: the paths are compared, or the name cannot be that of such an output.
told='would overwrite|are the same file|are kept for files of runs|cannot create the folder|must end in'
tried=0
# rejects COMMAND...: exit code 2 and one of these messages; prints what went wrong
rejects() {
  local code line
  "$PICUS" "$@" >.std-out 2>.std-err </dev/null
  code=$?
  read -r line <.std-err
  tried=$((tried + 1))
  [ $code -eq 2 ] && [[ $line =~ $told ]] || echo "exit code $code: $*: $line"
}

# options COMMAND KIND: of the help, as NAME and placeholder; KIND is a pattern of placeholders
options() { "$PICUS" "$1" --help | sed -nE "s/^ +--([a-z-]+) ($2) .*/\1 \2/p"; }
writes='F|F\.[a-z0-9]+|DIR' reads='FILE|REF\.[^ ]*'
# what an option needs besides, so that the command gets as far as reading the model
more() {
  case $1:$2 in
  run:view) words=(--out more.h5) ;;
  run:decisions) words=(--adaptive) ;;
  sweep:section-csv) words=(--section-every 0.01) ;;
  *) words=() ;;
  esac
}

# inputs COMMAND OPTION ENDING: the option as an output into each input
try_inputs() {
  local alias input
  more "$1" "$2"
  for input in $inputs; do
    aliases "$input" "$3"
    for alias in "${names[@]}"; do rejects "$1" "${base[@]}" "${words[@]}" "--$2" "$alias"; done
  done
  for input in "${given[@]}"; do # an option that reads a file
    aliases "${input#*=}" "$3"
    for alias in "${names[@]}"; do
      rejects "$1" "${base[@]}" "${words[@]}" "--${input%%=*}" "${input#*=}" "--$2" "$alias"
    done
  done
}
# try_outputs COMMAND OPTION OTHER: both into one file, which is there or not, or one into a file of the other
try_outputs() {
  local alias
  for file in old.h5 new.h5; do
    aliases $file .h5
    for alias in "${names[@]}"; do rejects "$1" "${base[@]}" "--$2" $file "--$3" "$alias"; done
  done
  rejects "$1" "${base[@]}" "--$2" new.h5 "--$3" new.h5.part
  rejects "$1" "${base[@]}" "--$2" new.h5.checkpoint.7 "--$3" new.h5
}

# pairs COMMAND INPUTS OPTION=INPUT... -- WORDS...: all pairs of the command; INPUTS are files that WORDS read
pairs() {
  local command=$1 inputs=$2 given=() base outputs kind k other
  shift 2
  while [ "$1" != -- ]; do
    given+=("$1")
    shift
  done
  shift
  base=("$@")
  mapfile -t outputs < <(options "$command" "$writes")
  [ "${#outputs[@]}" -gt 0 ] || echo "$command writes nothing"
  for ((k = 0; k < ${#outputs[@]}; k++)); do
    kind=${outputs[k]#* }
    [[ $kind == F.* ]] && kind=${kind#F} || kind=
    try_inputs "$command" "${outputs[k]% *}" "$kind"
    for other in "${outputs[@]:k+1}"; do try_outputs "$command" "${outputs[k]% *}" "${other% *}"; done
  done
  for other in $(options "$command" "$reads" | cut -d' ' -f1); do
    [[ " ${given[*]} " == *" $other="* ]] || echo "--$other of $command was not tried"
  done
  rm -f alias-*
}

check_pairs() {
  check "all pairs of picus $1" pairs "$@"
  expect_empty stdout
  snapshot >.std-after
  expect "all files stay" diff .std-before .std-after
}
check_pairs run "m.lua K.mtx M.mtx" against=ref.h5 -- m.lua
check_pairs sweep "m.lua K.mtx M.mtx" -- m.lua
check_pairs resume "r.h5.checkpoint r.h5.checkpoint.6" -- r.h5 --t-end 0.1
check_pairs reference "m.lua K.mtx" -- m.lua
check_pairs compare "m.lua K.mtx" reference=ref.h5 -- m.lua --schemes moreau
check_pairs check "m.lua K.mtx" -- m.lua --modes 1
check_pairs solve "p.hdf5" -- p.hdf5
check_pairs plot "r.h5 ref.h5" -- r.h5 ref.h5
check_pairs view "r.h5 ref.h5" -- r.h5 ref.h5
check_pairs render "r.h5" -- r.h5
check_pairs export "r.h5" -- r.h5
check_pairs events "r.h5" -- r.h5
check_pairs reproduce "" items=it.items --
grep -v structure m.lua >own.lua # a live page has the text of the model only
snapshot >.std-before
if "$PICUS" live own.lua --out page.html >/dev/null 2>.std-err; then
  rm page.html
  check_pairs live "own.lua" -- own.lua
else
  skip "all pairs of picus live" "$(cut -d';' -f1 .std-err)"
fi

commands='run sweep resume reference compare check solve plot view render export events reproduce live'
untried() {
  local command
  for command in $("$PICUS" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
    [[ " $commands " == *" $command "* ]] || options "$command" "$writes|$reads" | sed "s/^/$command --/"
  done
}
check "the other commands write nothing" untried
expect_empty stdout
echo "pairs: $tried commands"
