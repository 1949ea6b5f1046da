#!/usr/bin/env bash
# What the documents say is so: names exist, links lead somewhere, program text equals its files, commands run.
#
# In README.md and docs/**/*.md these fenced blocks are acted on, in the order of a document, in one directory for each:
#   a block after <!-- file: NAME -->   is written to the file NAME
#   ```sh                               is run and must succeed
#   ```console                          each "$ COMMAND" is run; each line below it must be a line of its output, where
#                                       "..." stands for anything
#   ```python                           is run where Python has what it imports
# A block after <!-- long --> takes seconds, and is left to make test-long (PICUS_TEST_LONG); no block that follows needs it. So
# are the blocks of docs/papers but for the first of each page: `picus reproduce` is tested by itself.
# Shell text that needs the network or another machine belongs into a block without a word. DOCS_KEEP=DIRECTORY keeps
# what the commands made; scripts/docs-figures renews the pictures by it.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

cd "$PICUS_SOURCE" || exit 1
documents=(README.md CHANGELOG.md CONTRIBUTING.md examples/README.md bench/README.md scenes/README.md)
while read -r file; do documents+=("$file"); done < <(find docs bench/notes -name '*.md' | sort)

# --- names ----------------------------------------------------------------------------------------------------------

public_functions() {
  cat include/picus/*.h | tr '\n' ' ' | grep -oE 'PICUS_API [^;(]*[ *]picus_[a-z0-9_]+\(' | grep -oE 'picus_[a-z0-9_]+\($' |
    tr -d '(' | sort -u
}
names_in() { grep -ohE "\\b$1" "${@:2}" | sort -u; }

check "docs/c-api.md has every public function" comm -23 <(public_functions) <(names_in 'picus_[a-z0-9_]+\b' docs/c-api.md)
expect_empty stdout
check "docs/c-api.md has every status" comm -23 <(grep -ohE '\bX\(PICUS_[A-Z_]+' include/picus/base.h | cut -c3- | sort -u) \
  <(names_in 'PICUS_[A-Z_]+\b' docs/c-api.md)
expect_empty stdout

# The report of the papers is the one of these items: every item and every value.
items_of_report() {
  sed -nE -e 's/^item [^|]*\| *([^|]*[^| ]) *\| *(.*[^ ]) *$/### \1: \2/p' -e 's/^value *([^|]*[^| ]) *\|.*$/| \1/p' tool/reproduce/*.items |
    sed 's/_/\\_/g' | sort -u
}
check "docs/papers/report.md has every item and value" \
  comm -23 <(items_of_report) <(sed -nE -e 's/^(### .*)$/\1/p' -e 's/^(\| [^|]*[^| ]) \|.*$/\1/p' docs/papers/report.md | sort -u)
expect_empty stdout

# Names may be shortened to a prefix: picus_default_...
unknown_names() {
  local name known=$check_scratch/known
  grep -rohE --exclude='*.md' '\b(picus|PICUS)_[A-Za-z0-9_]+' include src tool CMakeLists.txt bench cmake scripts test/support |
    sort -u >"$known"
  names_in '(picus|PICUS)_[A-Za-z0-9_]+' "${documents[@]}" | comm -23 - "$known" | while read -r name; do
    case $name in
    picus_noun_verb) ;; # the pattern of names, in CONTRIBUTING.md
    *_) grep -q -e "^$name" "$known" || echo "$name" ;;
    *) echo "$name" ;;
    esac
  done
}
check "no document names what does not exist" unknown_names
expect_empty stdout

# Tests are named as build/test/test_PROGRAM, and single cases as build/test/test_PROGRAM CASE.
unknown_tests() {
  local program name
  grep -ohE 'build/test/test_[a-z0-9_]+( [a-z][a-z0-9_]*)?' "${documents[@]}" | sed 's,^build/test/test_,,' | sort -u |
    while read -r program name; do
      [ -f "test/unit/$program.c" ] || echo "there is no test/unit/$program.c"
      [[ $name != *_* ]] || grep -qF "\"$name\"" "test/unit/$program.c" || echo "test/unit/$program.c has no case $name"
    done
}
check "the tests that documents name exist" unknown_tests
expect_empty stdout

# --- links ----------------------------------------------------------------------------------------------------------

# Anchors of a document's headings, as GitHub makes them.
anchors() {
  awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print }' "$1" | tr '[:upper:]' '[:lower:]' |
    sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'
}
declare -A anchors_of=()
has_anchor() {
  [ -n "${anchors_of[$1]:-}" ] || anchors_of[$1]=$'\n'$(anchors "$1")$'\n'
  [[ ${anchors_of[$1]} == *$'\n'"$2"$'\n'* ]]
}
links_of() { awk '/^```/ { code = !code } !code' "$1" | grep -oE '\]\([^)]+\)|(src|href)="[^"]+"' | sed -E 's/^\]\(//; s/\)$//; s/^(src|href)="//; s/"$//'; }
broken_links() {
  local document link path anchor folder
  for document in "${documents[@]}"; do
    while read -r link; do
      case $link in http://* | https://* | mailto:*) continue ;; esac
      path=${link%%#*}
      anchor=
      [[ $link != *#* ]] || anchor=${link#*#}
      folder=.
      [[ $document != */* ]] || folder=${document%/*}
      if [ -n "$path" ]; then path=$folder/$path; else path=$document; fi
      if [ ! -e "$path" ]; then
        echo "$document: $link leads nowhere"
      elif [ -n "$anchor" ] && ! has_anchor "$path" "$anchor"; then
        echo "$document: $link: no such heading"
      fi
    done < <(links_of "$document")
  done
}
check "every link leads somewhere" broken_links
expect_empty stdout

# --- the manual -----------------------------------------------------------------------------------------------------

pages_not_listed() {
  comm -23 <(find docs -name '*.md' ! -path docs/README.md | sed 's,^docs/,,' | sort) <(links_of docs/README.md | sed 's/#.*//' | sort)
}
check "docs/README.md lists every page" pages_not_listed
expect_empty stdout
notes_not_listed() { comm -23 <(find bench/notes -name '*.md' | sed 's,^bench/,,' | sort) <(links_of bench/README.md | sed 's/#.*//' | sort); }
check "bench/README.md lists every note" notes_not_listed
expect_empty stdout

# Each line of the summary begins with two or four spaces, a label and two spaces.
summary_labels() {
  grep -ohE '"  (  )?[a-z]+( [a-z]+)*  +' tool/cli/summary.c | sed -E 's/^" +//; s/ +$//' | sort -u
}
lines_not_explained() {
  local label
  [ "$(summary_labels | wc -l)" -ge 15 ] || echo "too few labels in tool/cli/summary.c"
  while read -r label; do
    grep -qE "^\\|.*\`$label\`.*\\|" docs/running.md || echo "docs/running.md does not explain '$label'"
  done < <(summary_labels)
}
check "docs/running.md explains every line of the summary" lines_not_explained
expect_empty stdout

# --- facts ----------------------------------------------------------------------------------------------------------

# wrong_facts FILE PATTERN VALUE: says so if the file states another number than the value, or none, where the pattern matches.
wrong_facts() {
  local found
  found=$(tr '\n' ' ' <"$1" | sed 's/  */ /g' | grep -oP -e "$2" | sort -u | paste -sd' ')
  [ "$found" = "$3" ] || echo "$1 states '$found' where '$2' matches; it is $3"
}
gib_in() { sed -nE 's/^static const size_t default_memory_limit = .*(\(size_t\)|UINT64_C\()([0-9]+)\)? << 30.*;$/\2/p' "$1"; }
# shellcheck disable=SC2016 # quotes of Markdown
stale_facts() {
  local models examples schemes words=(none one two three four five six seven eight nine ten) papers file_limit derivation_limit
  models=$(find models -name '*.lua' | wc -l)
  examples=$(find examples/c -name '*.c' | wc -l)
  papers=${words[$(find tool/reproduce -name '*.items' ! -name '*-classics.items' | wc -l)]}
  schemes=$("$PICUS" help schemes | sed '/^$/,$d' | wc -l)
  file_limit=$(gib_in src/model_file/load.c)
  derivation_limit=$(gib_in src/derive/equations.c)
  wrong_facts README.md '\[\K[0-9]+(?= models\]\(docs/models.md\))' "$models"
  wrong_facts docs/README.md '\| \K[0-9]+(?= models, many of them)' "$models"
  [ "$(awk '/^\| model \| source/ { table = 1 } /^$/ { table = 0 } table' docs/models.md | tail -n +3 | wc -l)" = "$models" ] ||
    echo "docs/models.md does not list $models models"
  [ "$(grep -c '^| \[c/' examples/README.md)" = "$examples" ] || echo "examples/README.md does not list $examples programs"
  wrong_facts README.md 'one of \K[0-9]+(?= time-stepping schemes)' "$schemes"
  wrong_facts README.md '\[(the )?\K[a-z]+(?= papers\]\(docs/reproduce.md\))' "$papers"
  wrong_facts docs/README.md 'table and figure of \K[a-z]+(?= papers)' "$papers"
  # Two limits with one name: of a model file while it runs, and of the derivation of its equations.
  wrong_facts docs/model-format.md 'A file may hold \K[0-9]+(?= GiB)' "$file_limit"
  wrong_facts docs/model-format.md 'derivation may hold \K[0-9]+(?= GiB)' "$derivation_limit"
  wrong_facts docs/c-api.md '`memory_limit` \(bytes; 0: \K[0-9]+(?= GiB\), `instruction_limit`)' "$file_limit"
  wrong_facts docs/c-api.md '`memory_limit` \(bytes; 0: \K[0-9]+(?= GiB\), `node_limit`)' "$derivation_limit"
  wrong_facts include/picus/model.h 'while it runs; 0: \K[0-9]+(?= GiB)' "$file_limit"
  wrong_facts include/picus/system.h 'earlier allocations; 0: \K[0-9]+(?= GiB)' "$derivation_limit"
}
check "numbers of models, examples, schemes, papers and limits are right" stale_facts
expect_empty stdout

# Papers have the years of docs/citing.md; "Breuling et al. 2023" is the preprint, which only code and options name.
wrong_years() { grep -nE 'Breuling( et al\.)? \(?2023' "${documents[@]}" models/*.lua | grep -vE '^docs/(citing|cli)\.md:'; }
check "no document has another year of Breuling et al. 2024" wrong_years
expect_status 1
expect_empty stdout

# Pictures have a palette (scripts/docs-figures), and tables in test/data only what tests compare.
large_files() {
  find docs/images -name '*.png' -size +128k
  find test/data -name '*.csv' -size +256k
  find docs -name '*.html'
}
check "documents and test data are small, and no page is generated" large_files
expect_empty stdout

# --- program text ---------------------------------------------------------------------------------------------------

stale_code() {
  local document
  for document in "${documents[@]}"; do
    scripts/docs-code --print "$document" | cmp -s - "$document" || echo "$document: run scripts/docs-code"
  done
}
check "program text in documents equals its files" stale_code
expect_empty stdout

# Blocks after <!-- excerpt: PATH --> are lines of the file that follow each other.
stale_excerpts() {
  awk '
    /^<!-- excerpt: .* -->$/ { path = $3 }
    path != "" && /^```/ {
      if (!inside) { inside = 1; block = ""; next }
      text = ""
      while ((getline line < path) > 0) text = text line "\n"
      close(path)
      if (!index(text, block)) print FILENAME ": an excerpt is not in " path
      inside = 0
      path = ""
    }
    inside { block = block $0 "\n" }' "${documents[@]}"
}
check "excerpts in documents are in their files" stale_excerpts
expect_empty stdout

# --- rooms ----------------------------------------------------------------------------------------------------------

for document in docs/architecture.md CONTRIBUTING.md; do
  check "$document shows the arrows of check-includes" diff <(scripts/check-includes --arrows) \
    <(sed -nE '/^    commands +->/,/^    platform +->/s/^    //p' "$document")
  expect_empty stdout
done

# Arrows of the picture that are no arrows of check-includes, and arrows of check-includes that do not follow from it.
wrong_picture() {
  {
    scripts/check-includes --arrows
    echo END
    sed -nE 's,.*<title>([a-z0-9_]+) -&gt; ([a-z0-9_]+)</title>.*,\1 \2,p' docs/images/architecture.svg
  } | awk '
    $0 == "END" { drawn = 1; next }
    !drawn { room[++count] = $1; for (k = 3; k <= NF; k++) arrow[$1, $k] = 1; next }
    { reach[$1, $2] = 1; pictures++; if (!(($1, $2) in arrow)) print "drawn, but no arrow: " $1 " -> " $2 }
    END {
      for (m = 1; m <= count; m++) for (a = 1; a <= count; a++) for (b = 1; b <= count; b++)
        if ((room[a], room[m]) in reach && (room[m], room[b]) in reach) reach[room[a], room[b]] = 1
      for (pair in arrow) {
        split(pair, end, SUBSEP)
        if (end[2] !~ /^(base|platform|[*])$/ && !(pair in reach)) print "not drawn: " end[1] " -> " end[2]
      }
      if (pictures < 10) print "the picture has " pictures + 0 " arrows"
    }'
  while read -r room _; do
    grep -q ">$room<" docs/images/architecture.svg || echo "not drawn: $room"
  done < <(scripts/check-includes --arrows)
}
check "the picture of the rooms shows the arrows of check-includes" wrong_picture
expect_empty stdout

# The walk of a number: each row is "| # | `user -> used` | `FILE` `FUNCTION` | `FILE` `FUNCTION` | text |".
walk() { sed -n '/^<!-- walk -->$/,/^<!-- end of walk -->$/p' docs/architecture.md | grep -E '^\| [0-9]+ \|' | tr -d '`'; }
room_of() {
  case $1 in src/*/* | tool/*/*) cut -d/ -f2 <<<"$1" ;; esac
}
defines() { grep -qE "^[a-z].*[ *]$2\(" "$1" 2>/dev/null; }
wrong_walk() {
  local number=0 row user used from caller to callee rooms
  while IFS='|' read -r _ row crossing from to _; do
    number=$((number + 1))
    read -r user _ used <<<"$crossing"
    read -r from caller <<<"$from"
    read -r to callee <<<"$to"
    [ "$row" -eq $number ] || echo "row $number has the number $row"
    defines "$from" "$caller" || echo "row $number: there is no $caller in $from"
    defines "$to" "$callee" || echo "row $number: there is no $callee in $to"
    scripts/check-includes --arrows | grep -qE "^$user +-> (.* )?($used|\*)( |$)" || echo "row $number: no arrow $user -> $used"
    rooms="$(room_of "$from") $(room_of "$to")"
    if [ "$rooms" = "$user $used" ]; then
      grep -qE "[^a-z_]$callee\(" "$from" || echo "row $number: $from does not call $callee"
    elif [ "$rooms" = "$used $user" ]; then # through a function pointer that the user has given away
      grep -qE "= ${callee}[,;}]" "$to" || echo "row $number: $to gives no pointer to $callee"
    else
      echo "row $number: from $from to $to is not the crossing $user -> $used"
    fi
  done < <(walk)
  [ $number -ge 10 ] && [ $number -le 25 ] || echo "the walk has $number crossings"
}
check "the walk of a number goes through the source" wrong_walk
expect_empty stdout

# --- measured numbers -----------------------------------------------------------------------------------------------

# The rows of the table of orders, from what a test program prints; with a column for the scheme where it names one.
order_rows() {
  "$PICUS_BUILD/test/$1" | awk '
    function flush() { if (model != "") printf "| %s%s | %s | %s | %s | %s | %s |\n", scheme, model, dt, order["uniform"], order["l1"], order["l2"], error; model = "" }
    /^  with / { flush(); scheme = $0; sub(/^  with /, "", scheme); scheme = scheme " | " }
    /, dt = / { flush(); split($0, half, / ?, dt = /); model = half[1]; sub(/^ +/, "", model); dt = half[2]; order["l2"] = "-" }
    / order / { order[$1] = $NF; if ($1 == "uniform") error = $4 }
    END { flush() }'
}
missing_orders() {
  local count=0 row
  while read -r row; do
    grep -qxF -e "$row" "$2" || echo "$2 lacks: $row"
    count=$((count + 1))
  done < <(order_rows "$1")
  [ $count -ge 14 ] || echo "$1 printed $count studies"
}
for program in test_order_models test_order_implicit; do
  if [ -x "$PICUS_BUILD/test/$program" ] && [ "$(test_size 0 0 1)" = 1 ]; then # the tests themselves check the orders
    check "bench/notes/schemes.md has the orders of $program" missing_orders "$program" bench/notes/schemes.md
    expect_empty stdout
  else
    skip "bench/notes/schemes.md has the orders of $program" "make test-long compares them"
  fi
done

# --- commands -------------------------------------------------------------------------------------------------------

# blocks DOCUMENT DIRECTORY: writes each block that is acted on to DIRECTORY/NNN.KIND; a file's name to NNN.name.
blocks() {
  local first_only=0
  [[ $1 != */docs/papers/* ]] || first_only=$(test_size 1 1 0)
  awk -v into="$2" -v all="$(test_size 0 0 1)" -v first_only="$first_only" '
    function path(kind) { return sprintf("%s/%03d.%s", into, number, kind) }
    /^<!-- file: .* -->$/ { name = $3; next }
    /^<!-- long -->$/ { left = !all; next }
    /^```/ && inside { close(target); inside = 0; target = ""; next }
    /^```/ {
      inside = 1
      number++
      kind = substr($0, 4)
      if (name != "") { print name >path("name"); close(path("name")); target = path("file") }
      else if (!left && (kind == "sh" || kind == "console" || kind == "python") && !(first_only && acted++)) target = path(kind)
      name = ""
      left = 0
      next
    }
    inside && target != "" { print >target }' "$1"
}

# run_console FILE: runs the commands of a console block and compares their output.
run_console() {
  local line command='' output='' pattern status=0
  while IFS= read -r line; do
    if [[ $line == '$ '* ]]; then
      command=${line#'$ '}
      output=$(bash -c "$command" 2>&1 </dev/null)
      continue
    fi
    [ -n "$line" ] || continue
    # shellcheck disable=SC2016 # a dollar sign, not a variable
    pattern=$(sed -E 's/[][\\.*^$(){}?+|]/\\&/g; s/\\\.\\\.\\\./.*/g' <<<"$line")
    if ! grep -qxE -e "$pattern" <<<"$output"; then
      printf '%s\n' "\$ $command" "does not print: $line" "but:" "$output"
      status=1
    fi
  done <"$1"
  return $status
}

export PATH=${PICUS%/*}:$PATH
# python_for FILE: a Python that has all modules the file imports; nothing if there is none.
python_for() {
  local modules candidate
  modules=$(grep -hE '^import ' "$1" | sed -E 's/ as [a-z]+//g')
  for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c "$modules" 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
}

cd "$check_scratch" || exit 1
for document in "${documents[@]}"; do
  steps=$check_scratch/steps/$document place=$check_scratch/place/$document
  mkdir -p "$steps" "$place"
  blocks "$PICUS_SOURCE/$document" "$steps"
  cd "$place" || exit 1
  if [ "$document" = docs/results.md ]; then # its commands read this result
    check "$document: the result it reads" "$PICUS" run woodpecker --sample 1e-3 --out woodpecker.h5 --csv woodpecker.csv
  fi
  for step in "$steps"/*; do
    number=$(basename "${step%.*}")
    case $step in
    *.file) cp "$step" "$(cat "${step%.file}.name")" ;;
    *.sh)
      check "$document: commands of block $((10#$number))" bash -eu "$step"
      ;;
    *.console)
      check "$document: printed text of block $((10#$number))" run_console "$step"
      ;;
    *.python)
      python=$(python_for "$step")
      if [ -n "$python" ]; then
        check "$document: Python of block $((10#$number))" "$python" "$step"
      else
        skip "$document: Python of block $((10#$number))" "there is no Python with $(sed -nE 's/^import //p' "$step" | xargs)"
      fi
      ;;
    esac
  done
  cd "$check_scratch" || exit 1
done
[ -z "${DOCS_KEEP:-}" ] || cp -r "$check_scratch/place/." "$DOCS_KEEP"
