# Beside the first version, which is built from the history.
# shellcheck shell=bash disable=SC2154 # variables of bench/run
first=3f47303
if git -C "$source" rev-parse --verify --quiet "$first^{commit}" >/dev/null 2>&1; then
  "$source/bench/against" "$first" --goals || echo "the first version ($first) cannot be measured here: not compared"
else
  echo "the first version ($first) is not in the history here: not compared"
fi
