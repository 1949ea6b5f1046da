#!/usr/bin/env bash
# check-includes, check-calls and check-rules must find what breaks a rule, and let pass what does not.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

includes=$PICUS_SOURCE/scripts/check-includes
calls=$PICUS_SOURCE/scripts/check-calls
rules=$PICUS_SOURCE/scripts/check-rules

# with FILE LINE...: a tree that has this one file
with() {
  rm -rf tree
  mkdir -p "tree/$(dirname "$1")" tree/include tree/src tree/cli
  printf '%s\n' "${@:2}" >"tree/$1"
}

while IFS='|' read -r file line; do
  with "$file" "$line"
  check "allowed: $file has $line" "$includes" tree
done <<'END'
src/base/a.c|#include "base/internal.h"
src/base/a.c|#include <stdlib.h>
src/solver/a.c|#include "linalg/dense.h"
src/solver/a.c|#include "contact/internal.h"
src/solver/a.c|#include "internal.h"
src/scheme/a.c|#include <picus/system.h>
src/sim/a.c|#include "record/internal.h"
src/record/a.c|#include <picus/sim.h>
src/model_file/a.c|#include "sim/model_options.h"
src/linalg/a.c|#include <suitesparse/klu.h>
src/source/a.c|#include "derive/equations.h"
tool/reproduce/a.c|#include "cli/paths.h"
tool/runs/a.c|#include "charts/pictures.h"
tool/commands/a.c|#include "reproduce/reproduce.h"
src/model_file/a.c|#include <lauxlib.h>
src/platform/a.c|#include <sys/stat.h>
src/platform/a.c|#include <windows.h>
src/base/a.c|#include "platform/files.h"
tool/commands/main.c|#include "platform/console.h"
src/hdf5/a.h|#include <hdf5.h>
src/result_file/a.c|#include <hdf5.h>
tool/plot/a.c|#include <cairo/cairo-pdf.h>
tool/view/a.c|#include <zlib.h>
src/hdf5/a.c|#include <zlib.h>
src/model/a.c|#include <picus/options.h>
tool/commands/main.c|#include <picus/picus.h>
include/picus/sim.h|#include <picus/system.h>
include/picus/picus.h|#include <picus/reference.h>
END

while IFS='|' read -r file line; do
  with "$file" "$line"
  check "found: $file has $line" "$includes" tree
  expect_status 1
  expect_match stdout "^$file:1: "
done <<'END'
src/base/a.c|#include "linalg/dense.h"
src/record/a.c|#include "sim/internal.h"
src/expr/a.c|#include <picus/sim.h>
src/system/a.c|#include <picus/reference.h>
src/sim/a.c|#include <picus/picus.h>
src/sim/a.c|#include <picus/unheard.h>
include/picus/system.h|#include <picus/sim.h>
include/picus/model.h|#include <picus/bodies.h>
include/picus/options.h|#include <picus/system.h>
include/picus/unheard.h|#include <picus/base.h>
src/solver/a.c|#include <picus/system.h>
src/solver/a.c|#include "model/internal.h"
src/solver/a.c|#  include <picus/picus.h>
src/scheme/a.c|#include <picus/model.h>
src/scheme/a.c|#include "model/internal.h"
src/expr/a.c|#include "system/internal.h"
src/system/a.c|#include "formulas/formulas.h"
src/system/a.c|#include "model/internal.h"
src/derive/a.c|#include "formulas/formulas.h"
src/model/a.c|#include "model_file/shipped.h"
src/model/lua_a.c|#include <lua.h>
src/result_file/a.c|#include <lua.h>
src/model_file/a.c|#include <hdf5.h>
src/record/a.c|#include <H5public.h>
src/linalg/a.c|#include <lapacke.h>
src/system/a.c|#include <suitesparse/klu.h>
tool/commands/main.c|#include <cairo.h>
tool/plot/a.c|#include <zlib.h>
src/base/a.c|#include <unistd.h>
src/native/a.c|#include <dlfcn.h>
src/sim/a.c|#include <pthread.h>
src/base/a.c|#include <windows.h>
tool/commands/main.c|#include <sys/stat.h>
tool/plot/a.c|#include <strings.h>
src/platform/a.c|#include "base/internal.h"
tool/commands/main.c|#include "sim/internal.h"
tool/cli/a.c|#include "runs/trials.h"
tool/charts/a.c|#include "runs/checkpoints.h"
tool/runs/a.c|#include "reproduce/reproduce.h"
src/sim/a.c|#include "../scheme/internal.h"
src/sim/a.c|#include <gsl/gsl_math.h>
src/unheard/a.c|#include <math.h>
include/picus/sim.h|#include "base/internal.h"
END

# with_row NEW_ROW: check-includes with another line for a room
with_row() {
  mkdir -p tree/scripts
  sed "s/^${1%% *} .*->.*/$1/" "$includes" >tree/scripts/check-includes
  chmod +x tree/scripts/check-includes
  grep -qxF "$1" tree/scripts/check-includes
}
with src/base/a.c '#include <stdlib.h>'
check "a line as it is" with_row "adaptive     -> scheme system base"
check "changes nothing" tree/scripts/check-includes tree
while IFS='|' read -r row why; do
  check "planted: $row" with_row "$row"
  check "found: $row" tree/scripts/check-includes tree
  expect_status 1
  expect_match stdout "^scripts/check-includes: $why"
done <<'END'
record -> sim system model types base|the arrow record -> sim points upwards: a cycle
contact -> base linalg solver|the arrow contact -> solver points upwards: a cycle
base -> base|the arrow base -> base points upwards: a cycle
sim -> unheard base|the arrow sim -> unheard points to no room
END

check "constants of elementary functions are those of their script" "$PICUS_SOURCE/scripts/elementary-tables" --check
check "calls between files, as they are" "$calls" "$PICUS_BUILD"
mkdir -p tree/scripts tree/src tree/tool
cp -r "$PICUS_SOURCE"/src/* tree/src
cp "$calls" tree/scripts
check "planted: stepper without its arrow to solver" with_row "stepper      -> step_problem statics system contact linalg base"
check "a call without an arrow" tree/scripts/check-calls "$PICUS_BUILD"
expect_status 1
expect_match stdout '^src/stepper/[a-z_]*\.c: stepper must not use picus_solver_[a-z]*, which is defined in solver$'
objects=tree/build/CMakeFiles/picus_objects.dir/src
mkdir -p "$objects/sim" "$objects/base" tree/build/CMakeFiles/picus_tool.dir
compile() { "${CC:-cc}" -fno-builtin -x c -c - -o "$objects/$1.c.o"; }
compile sim/sim <<<'double sin(double), picus_one(void); double two(void) { return sin(picus_one()); }'
compile base/context <<<'double picus_one(void); double picus_one(void) { return 1; }'
check "a sine of the C library" tree/scripts/check-calls tree/build
expect_status 1
expect_match stdout '^src/sim/sim.c: sin of the C library has other bits on other machines; call picus_sin of src/base/elementary.h$'
compile sim/sim <<<'double picus_one(void); double two(void) { return picus_one(); }'
check "no sine" tree/scripts/check-calls tree/build
mkdir -p "$objects/scheme/theta" "$objects/scheme/rattle" tree/src/scheme/theta tree/src/scheme/rattle
touch tree/src/scheme/theta/one.c tree/src/scheme/rattle/two.c
compile scheme/theta/one <<<'int picus_one_step(void); int picus_one_step(void) { return 1; }'
compile scheme/rattle/two <<<'int picus_one_step(void), two(void); int two(void) { return picus_one_step(); }'
check "a family of schemes that calls another one" tree/scripts/check-calls tree/build
expect_status 1
expect_match stdout '^src/scheme/rattle/two.c: a scheme of rattle must not use picus_one_step, which is of theta$'
check "a folder without objects" tree/scripts/check-calls tree
expect_status 1

# clang-tidy counts parameters (its other checks find mistakes, not rules).
tidy=(clang-tidy --quiet --config-file="$PICUS_SOURCE/.clang-tidy")
if command -v clang-tidy >/dev/null; then
  with src/sim/a.c "int sum(int a, int b, int c, int d, int e, int f, int g);" \
    "int sum(int a, int b, int c, int d, int e, int f, int g) { return a + b + c + d + e + f + g; }"
  check "found: seven parameters" "${tidy[@]}" tree/src/sim/a.c -- -std=c17
  expect_status 1
  expect_match stdout "function 'sum' exceeds recommended size"
  with src/sim/a.c "int sum(int a, int b, int c, int d, int e, int f);" \
    "int sum(int a, int b, int c, int d, int e, int f) { return a + b + c + d + e + f; }"
  check "allowed: six parameters" "${tidy[@]}" tree/src/sim/a.c -- -std=c17
else
  skip "seven parameters" "there is no clang-tidy"
fi

# add FILE LINE: a further line of a file of the tree; its number is in the variable number
add() {
  mkdir -p "tree/$(dirname "$1")"
  printf '%s\n' "$2" >>"tree/$1"
  number=$(wc -l <"tree/$1")
}

# One tree has all lines, and check-rules names each. A % stands for a slash, so that this file breaks no rule itself.
rm -rf tree
mkdir -p tree/include tree/src tree/cli
places=() lines=()
while IFS='|' read -r file line; do
  add "$file" "${line//%//}"
  places+=("$file:$number") lines+=("$line")
done <<'END'
CMakeLists.txt|file(GLOB files src%*.c)
src/sim/a.c|  printf("done\n");
src/sim/a.c|  fprintf(stderr, "done\n");
tool/commands/main.c|  return printf("%s", text) < 0;
tool/commands/main.c|  fprintf(stderr, "done\n");
tool/commands/main.c|  fputs(text, stdout);
tool/cli/a.c|  FILE *file = fopen(path, "w");
tool/cli/a.c|  FILE *file = fopen(path, "a");
tool/cli/a.c|  FILE *file = fopen(path, "r+");
tool/cli/a.c|  FILE *file = fopen(path, mode);
src/result_file/a.c|  int file = open(path, O_WRONLY | O_CREAT, 0666);
src/result_file/a.c|  int file = open(path, flags, 0666);
src/result_file/a.c|  const int flags = O_RDWR;
tool/plot/a.c|  cairo_surface_write_to_png(surface, path);
tool/plot/a.c|  surface = cairo_svg_surface_create(path, 1, 1);
src/result_file/a.c|  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, 0, 0);
src/result_file/a.c|  hid_t list = H5Oopen(group, name, H5P_DEFAULT);
src/problem_file/a.c|  hid_t list = H5Dopen2(group, name, H5P_DEFAULT);
src/result_file/a.c|  H5Dread(list, H5T_NATIVE_DOUBLE, memory, source, H5P_DEFAULT, values);
tool/cli/a.c|  remove(path);
tool/cli/a.c|  if (rename(from, to) != 0) return false;
src/sim/a.c|  unlink(path);
src/sim/a.c|  exit(1);
src/sim/a.c|  abort();
src/sim/a.c|  assert(n > 0);
src/sim/a.c|  double *x = malloc(8);
src/sim/a.c|  free(x);
src/sim/a.c|  bool free;
src/sim/a.c|  if (status != PICUS_OK) return status;
tool/cli/a.c|  if (status == PICUS_OK) status = next();
src/scheme/a.c|  const double *row = e->W + law->W0;
src/scheme/a.c|  for (int k = 0; k < law->width; k++) sum += row[k];
src/sim/a.h|  double *begin, *free; /* law velocities */
tool/cli/a.c|static void find(const char *text, bool *free) {
src/sim/a.c|  double begin = 1 / x, free = 0;
test/unit/a.c|  double change = p->free[row] - p->begin[row];
src/sim/a.c|  s = (state){.free = x};
src/sim/a.c|  /* TODO: think */
tool/cli/a.c|/* FIXME */
docs/a.md|see %home/someone/notes
scripts/a|cd %root/picus
docs/a.md|No solver is believed on its word
docs/theory/a.md|The run ends with a sentence
README.md|a ledger of switching points
src/sim/a.c|%* each incident *%
src/sim/a.c|  picus_fail(c, s, "the file was refused"); %* why *%
src/sim/a.c|%% systems of one's own
include/picus/a.h|int n; %* the scheme knows no friction *%
src/sim/a.c|int n; %* law velocities of the step *%
src/sim/a.c|double t; %* begin of the step *%
tool/cli/a.c|  cli_print("G by blocks");
src/sim/a.c|%* In a lasting contact nothing moves. *%
docs/a.md|contacts that flicker
src/sim/a.c|%* takes some 200 steps *%
docs/a.md|energy that contacts take out
include/picus/a.h|picus_expr angle; %* a formula of time *%
docs/a.md|the shortest percussion
docs/a.md|divided steps
src/sim/a.c|  picus_fail(c, s, "dt is lost in rounding");
docs/a.md|open work belongs into an issue
src/sim/a.c|%* normalised before *%
docs/a.md|The run goes on after a checkpoint
README.md|The file is written anew
docs/theory/a.md|53 ms of processor time
docs/a.md|they overlap by the way of one step
docs/a.md|After this page you can run a model
bench/README.md|1 in place of 158 steps
include/picus/a.h|%* states inside of a step *%
docs/a.md|takes some hundred steps
docs/a.md|the check sum is wrong
docs/a.md|It is mostly right
include/picus/a.h|%* contacts that come and go *%
docs/a.md|percussions since the row before
docs/a.md|files from somebody else
docs/a.md|it takes 8 ms a step
docs/a.md|it is kept also if the run fails
docs/a.md|The solver judges its answer
docs/a.md|equal bit by bit
END

check "lines that break a rule" "$rules" tree
expect_status 1
cp "$STDOUT" found
for ((k = 0; k < ${#lines[@]}; k++)); do
  check "found: ${places[k]} has ${lines[k]}" grep -qF "${places[k]}:" found
done

with src/sim/a.c '/* A comment' ' * with a sentence' ' * in its second line. */' 'int n;'
check "found in the second line of a comment" "$rules" tree
expect_status 1
expect_match stdout 'src/sim/a.c:2:'
expect_match stdout '^write "message":$'

# No line of a tree that has all of these is named.
rm -rf tree
mkdir -p tree/include tree/src tree/cli
places=() lines=()
while IFS='|' read -r file line; do
  add "$file" "$line"
  places+=("$file:$number") lines+=("$line")
done <<'END'
src/sim/a.c|  snprintf(text, sizeof text, "%d", n);
src/result_file/csv.c|  fprintf(file, "%.17g", x);
src/sim/a.c|  picus_free(x); picus_exit(1); /* the solver may printf nothing */
tool/cli/c.c|  FILE *file = fopen(path, "rb");
tool/cli/c.c|  FILE *file = fdopen(descriptor, "w"); sink.open(sink.self); picus_output_open(context, path, &file);
src/base/b.c|  int file = open(path, O_RDONLY | O_CLOEXEC);
src/base/output_file.c|  int file = open(path, O_RDWR | O_CREAT, 0666);
tool/runs/checkpoint_file.c|  remove(name);
src/base/context.c|  free(old);
src/base/context.c|  static void (*const release)(void *) = free; /* memory that is free, or free: */
tool/cli/c.c|  char *text = "no room is free, none"; x_free = free_velocity, u->free_end = set_free, free (text);
src/sim/a.c| * the row is free, but for column 0; and the end is free;
tool/cli/print.c|  return printf("%s", text) < 0;
tool/commands/main.c|  cli_print("%s", text); cli_fprint(stderr, "%s", text); fflush(stdout);
src/sim/a.c|  /* TODO(#12): think */
test/a.c|  char folder[] = "/tmp/picus-XXXXXX";
docs/a.md|see homework/x and /usr/share/picus and network/root/x
src/sim/a.c|  char sentence[80]; bool refused = begin > some_3; int ledger; /* an event */
src/sim/a.c|  picus_system_normalise(system, q); /* by picus_system_normalise */
src/record/columns.c|    return "law velocity";
src/sim/a.c|  char quote = '"', other = '\\'; int refuse; /* "quoted" */
docs/a.md|`TimeDiscretisation` of Siconos; sizes change by factors of 2
test/a.c|/* the sentence is refused */
src/sim/a.c|/* it goes on, bit by bit */
bench/notes/a.md|8 ms a step of processor time
docs/cli.md|go on with a residual
docs/a.md|a position change inside, not outside; the summary also states it; the row before the impact
END
check "lines that break no rule" "$rules" tree
cp "$STDOUT" found
for ((k = 0; k < ${#lines[@]}; k++)); do
  check "allowed: ${places[k]} has ${lines[k]}" grep -qF "${places[k]}:" found
  expect_status 1
done

# A version stands in several files.
rm -rf tree
mkdir -p tree/python
echo 'project(picus VERSION 1.2.3 LANGUAGES C)' >tree/CMakeLists.txt
echo 'version = "1.2.3"' >tree/python/pyproject.toml
check "allowed: the same version in all files" "$rules" tree
expect_empty stdout
echo 'version: 1.2.4' >tree/CITATION.cff
check "found: another version" "$rules" tree
expect_status 1
expect_match stdout 'CITATION.cff:1:version: 1.2.4'

# A file name stands once in the rooms.
rm -rf tree
mkdir -p tree/src/sim tree/src/record tree/tool/cli
echo 'int a;' | tee tree/src/sim/twice.c tree/tool/cli/twice.c tree/src/sim/internal.h >tree/src/record/internal.h
check "found: two files of one name" "$rules" tree
expect_status 1
expect_match stdout '^  twice\.c$'
rm tree/tool/cli/twice.c
check "allowed: internal.h in two rooms" "$rules" tree
