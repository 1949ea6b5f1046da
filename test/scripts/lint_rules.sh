#!/usr/bin/env bash
# check-includes and check-rules must find what breaks a rule, and let pass what does not.
# shellcheck source=../support/check.sh
. "$(dirname "$0")/../support/check.sh"

includes=$PICUS_SOURCE/scripts/check-includes
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
src/contact/a.c|#include "linalg/dense.h"
src/solver/a.c|#include "contact/internal.h"
src/solver/a.c|#include "internal.h"
src/scheme/a.c|#include <picus/system.h>
src/sim/a.c|#include "record/internal.h"
src/record/a.c|#include "sim/internal.h"
src/linalg/a.c|#include <suitesparse/klu.h>
src/model_file/a.c|#include <lauxlib.h>
src/hdf5/a.h|#include <hdf5.h>
src/plot/a.c|#include <cairo/cairo-pdf.h>
src/model/a.c|#include <picus/sim.h>
cli/main.c|#include <picus/picus.h>
include/picus/a.h|#include <picus/base.h>
END

while IFS='|' read -r file line; do
  with "$file" "$line"
  check "found: $file has $line" "$includes" tree
  expect_status 1
  expect_match stdout "^$file:1: "
done <<'END'
src/base/a.c|#include "linalg/dense.h"
src/solver/a.c|#include <picus/system.h>
src/solver/a.c|#include "model/internal.h"
src/solver/a.c|#  include <picus/picus.h>
src/scheme/a.c|#include <picus/model.h>
src/scheme/a.c|#include "model/internal.h"
src/expr/a.c|#include "system/internal.h"
src/model/a.c|#include "model_file/shipped.h"
src/model/lua_a.c|#include <lua.h>
src/result_file/a.c|#include <lua.h>
src/model_file/a.c|#include <hdf5.h>
src/record/a.c|#include <H5public.h>
src/linalg/a.c|#include <lapacke.h>
src/system/a.c|#include <suitesparse/klu.h>
cli/main.c|#include <cairo.h>
cli/main.c|#include "sim/internal.h"
src/sim/a.c|#include "../scheme/internal.h"
src/sim/a.c|#include <gsl/gsl_math.h>
src/unheard/a.c|#include <math.h>
include/picus/a.h|#include "base/internal.h"
END

# A % stands for a slash, so that this file breaks no rule itself.
while IFS='|' read -r file line; do
  with "$file" "${line//%//}"
  check "found: $file has $line" "$rules" tree
  expect_status 1
  expect_match stdout "$file:1:"
done <<'END'
src/sim/a.c|  printf("done\n");
src/sim/a.c|  fprintf(stderr, "done\n");
cli/main.c|  return printf("%s", text) < 0;
cli/main.c|  fprintf(stderr, "done\n");
cli/main.c|  fputs(text, stdout);
src/sim/a.c|  exit(1);
src/sim/a.c|  abort();
src/sim/a.c|  assert(n > 0);
src/sim/a.c|  double *x = malloc(8);
src/sim/a.c|  free(x);
src/sim/a.c|  /* TODO: think */
cli/a.c|/* FIXME */
docs/a.md|see %home/someone/notes
scripts/a|cd %root/picus
END

while IFS='|' read -r file line; do
  with "$file" "$line"
  check "allowed: $file has $line" "$rules" tree
done <<'END'
src/sim/a.c|  snprintf(text, sizeof text, "%d", n);
src/result_file/csv.c|  fprintf(file, "%.17g", x);
src/sim/a.c|  picus_free(x); picus_exit(1); /* the solver may printf nothing */
src/base/context.c|  free(old);
cli/print.c|  return printf("%s", text) < 0;
cli/main.c|  cli_print("%s", text); cli_fprint(stderr, "%s", text); fflush(stdout);
src/sim/a.c|  /* TODO(#12): think */
test/a.c|  char folder[] = "/tmp/picus-XXXXXX";
docs/a.md|see homework/x and /usr/share/picus and network/root/x
END
