/* Calls an elementary function of Picus or of the C library 100000 times, for bench/elementary, which counts
 * instructions.
 *
 *   elementary_cost NAME own|system */
#include "base/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CALLS = 100000 };

typedef void both(double, double *, double *);
typedef struct row {
  const char *name;
  double low, high; /* arguments */
  double (*one[2])(double);
  double (*two[2])(double, double); /* the second argument is 1.3 */
  both *pair[2];
} row;

static void sin_cos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}

static const row rows[] = {
    {"sin", -3.14, 3.14, {picus_sin, sin}, {NULL}, {NULL}},
    {"cos", -3.14, 3.14, {picus_cos, cos}, {NULL}, {NULL}},
    {"sin-cos", -3.14, 3.14, {NULL}, {NULL}, {picus_sin_cos, sin_cos}},
    {"tan", -3, 3, {picus_tan, tan}, {NULL}, {NULL}},
    {"asin", -0.9, 0.9, {picus_asin, asin}, {NULL}, {NULL}},
    {"acos", -0.9, 0.9, {picus_acos, acos}, {NULL}, {NULL}},
    {"atan", -3, 3, {picus_atan, atan}, {NULL}, {NULL}},
    {"exp", -3, 3, {picus_exp, exp}, {NULL}, {NULL}},
    {"log", 0.1, 9, {picus_ln, log}, {NULL}, {NULL}},
    {"log10", 0.1, 9, {picus_log10, log10}, {NULL}, {NULL}},
    {"sinh", -3, 3, {picus_sinh, sinh}, {NULL}, {NULL}},
    {"cosh", -3, 3, {picus_cosh, cosh}, {NULL}, {NULL}},
    {"tanh", -3, 3, {picus_tanh, tanh}, {NULL}, {NULL}},
    {"cbrt", 0.1, 9, {picus_cbrt, cbrt}, {NULL}, {NULL}},
    {"pow", 0.1, 3, {NULL}, {picus_pow, pow}, {NULL}},
    {"atan2", -3, 3, {NULL}, {picus_atan2, atan2}, {NULL}},
    {"hypot", -3, 3, {NULL}, {picus_hypot, hypot}, {NULL}},
    {"nothing", -3, 3, {fabs, fabs}, {NULL}, {NULL}},
};

/* Not static, and not inlined: callgrind counts what it calls. */
double measure(const row *r, int which);
__attribute__((noinline)) double measure(const row *r, int which) {
  double sum = 0, second;
  for (int k = 0; k < CALLS; k++) {
    const double x = r->low + (r->high - r->low) * k / CALLS;
    if (r->one[which]) {
      sum += r->one[which](x);
    } else if (r->two[which]) {
      sum += r->two[which](x, 1.3);
    } else {
      double first;
      r->pair[which](x, &first, &second);
      sum += first + second;
    }
  }
  return sum;
}

int main(int argc, char **argv) {
  for (size_t k = 0; argc == 3 && k < sizeof rows / sizeof *rows; k++)
    if (strcmp(rows[k].name, argv[1]) == 0)
      return printf("%g\n", measure(&rows[k], strcmp(argv[2], "system") == 0)) < 0;
  fprintf(stderr, "elementary_cost NAME own|system\n");
  return 2;
}
