/* Tableaux of half-explicit Runge-Kutta methods, and their conditions of order.
 *
 * A tableau is given by the rows of A~: the rows 2 ... s of A, then b. Stage l has its laws at the point that row l
 * leads to, so the diagonal of A~ determines its forces. With w = A~^-1 and c~ = (c_2 ... c_s, 1) the conditions for
 * index 2 beyond the classical ones have factors w (...) (Brasey and Hairer 1993; Schindler et al. 2015, Appendix B).
 *
 * They belong to the trees of index 2 (Hairer and Wanner, Solving Ordinary Differential Equations II, VII.5): a vertex
 * y stands for a derivative of the motion, a vertex z for one of the constraint. Accelerations are linear in the
 * forces, so that a vertex y has at most one z above it. Trees in which a z has one branch only, or is the only branch
 * of a y, give products of conditions of lower order, as w A~ = 1. Up to order 4 fourteen trees are left: all of them
 * are here.
 */
#include "base/elementary.h"
#include "scheme/internal.h"

#include "base/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define R 2.44948974278317809819728407470589 /* sqrt(6) */

static const struct {
  const char *name;
  picus_tableau tableau;
} tableaux[] = {{"BH3", {.stages = 3, .rows = {{1.0 / 3}, {-1, 2}, {0, 0.75, 0.25}}}},
                {"BH5",
                 {.stages = 5,
                  .rows = {{0.3},
                           {(1 + R) / 30, (11 - 4 * R) / 30},
                           {(-79 - 31 * R) / 150, (-1 - 4 * R) / 30, (24 + 11 * R) / 25},
                           {(14 + 5 * R) / 6, (-8 + 7 * R) / 6, (-9 - 7 * R) / 4, (9 - R) / 4},
                           {0, 0, (16 - R) / 36, (16 + R) / 36, 1.0 / 9}}}}};
enum { TABLEAU_COUNT = sizeof tableaux / sizeof tableaux[0] };

const char *picus_tableau_name(int k) { return k >= 0 && k < TABLEAU_COUNT ? tableaux[k].name : NULL; }

const picus_tableau *picus_tableau_named(const char *name) {
  for (int k = 0; k < TABLEAU_COUNT; k++)
    if (strcmp(tableaux[k].name, name) == 0) return &tableaux[k].tableau;
  return NULL;
}

const picus_tableau *picus_tableau_of(const picus_half_explicit_options *options) {
  return options->tableau.stages > 0 ? &options->tableau : &tableaux[0].tableau;
}

double picus_tableau_node(const picus_tableau *t, int row) {
  double sum = 0;
  for (int j = 0; j <= row; j++) sum += t->rows[row][j];
  return sum;
}

/* --- conditions of order --------------------------------------------------------------------------------------------
 */

enum { MOST = PICUS_STAGES_MOST };

/* Vectors over the stages. */
typedef struct stage_values {
  double c[MOST], Ac[MOST], Acc[MOST], AAc[MOST]; /* c, A c, A c^2, A A c */
  double wc2[MOST], wc3[MOST], wcAc[MOST];        /* w c~^2, w c~^3, w (c~ A~c) */
  double Acwc2[MOST];                             /* A (c w c~^2) */
} stage_values;

/* y = A x: stage 1 has no row. */
static void multiply(const picus_tableau *t, const double *x, double *y) {
  y[0] = 0;
  for (int i = 1; i < t->stages; i++) {
    y[i] = 0;
    for (int j = 0; j < i; j++) y[i] += t->rows[i - 1][j] * x[j];
  }
}

/* y = w x, by forward substitution. */
static void solve(const picus_tableau *t, const double *x, double *y) {
  for (int i = 0; i < t->stages; i++) {
    y[i] = x[i];
    for (int j = 0; j < i; j++) y[i] -= t->rows[i][j] * y[j];
    y[i] /= t->rows[i][i];
  }
}

/* All products of the coefficients that conditions of order need, computed once: A and A~ multiply or solve. */
static stage_values values_of(const picus_tableau *t) {
  stage_values v = {.c = {0}};
  double ones[MOST] = {0}, squares[MOST] = {0}, powers[3][MOST] = {{0}}; /* c~^2, c~^3, c~ A~c */
  for (int i = 0; i < t->stages; i++) ones[i] = 1;
  multiply(t, ones, v.c);
  for (int i = 0; i < t->stages; i++) squares[i] = v.c[i] * v.c[i];
  multiply(t, v.c, v.Ac);
  multiply(t, squares, v.Acc);
  multiply(t, v.Ac, v.AAc);
  for (int i = 0; i < t->stages; i++) {
    const double c = picus_tableau_node(t, i);
    double Ac = 0;
    for (int j = 0; j <= i; j++) Ac += t->rows[i][j] * v.c[j];
    powers[0][i] = c * c;
    powers[1][i] = c * c * c;
    powers[2][i] = c * Ac;
  }
  solve(t, powers[0], v.wc2);
  solve(t, powers[1], v.wc3);
  solve(t, powers[2], v.wcAc);
  for (int i = 0; i < t->stages; i++) squares[i] = v.c[i] * v.wc2[i];
  multiply(t, squares, v.Acwc2);
  return v;
}

/* sum b_i c_i^power x_i; x NULL: ones. */
static double weighted(const picus_tableau *t, const stage_values *v, int power, const double *x) {
  double sum = 0;
  for (int i = 0; i < t->stages; i++) sum += t->rows[t->stages - 1][i] * picus_pow(v->c[i], power) * (x ? x[i] : 1);
  return sum;
}

static double weighted_product(const picus_tableau *t, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < t->stages; i++) sum += t->rows[t->stages - 1][i] * x[i] * y[i];
  return sum;
}

int picus_tableau_order(const picus_tableau *t, picus_tableau_violation *violation) {
  const stage_values v = values_of(t);
  const struct {
    int order;
    const char *text;
    double value, expected;
  } conditions[] = {{1, "sum b = 1", weighted(t, &v, 0, NULL), 1},
                    {2, "b c = 1/2", weighted(t, &v, 1, NULL), 0.5},
                    {3, "b c^2 = 1/3", weighted(t, &v, 2, NULL), 1.0 / 3},
                    {3, "b A c = 1/6", weighted(t, &v, 0, v.Ac), 1.0 / 6},
                    {3, "b c (w c~^2) = 2/3", weighted(t, &v, 1, v.wc2), 2.0 / 3},
                    {4, "b c^3 = 1/4", weighted(t, &v, 3, NULL), 0.25},
                    {4, "b c A c = 1/8", weighted(t, &v, 1, v.Ac), 0.125},
                    {4, "b A c^2 = 1/12", weighted(t, &v, 0, v.Acc), 1.0 / 12},
                    {4, "b A A c = 1/24", weighted(t, &v, 0, v.AAc), 1.0 / 24},
                    {4, "b c^2 (w c~^2) = 1/2", weighted(t, &v, 2, v.wc2), 0.5},
                    {4, "b c (w c~^3) = 3/4", weighted(t, &v, 1, v.wc3), 0.75},
                    {4, "b (A c) (w c~^2) = 1/4", weighted_product(t, v.Ac, v.wc2), 0.25},
                    {4, "b c (w (c~ A~c)) = 3/8", weighted(t, &v, 1, v.wcAc), 0.375},
                    {4, "b A (c (w c~^2)) = 1/6", weighted(t, &v, 0, v.Acwc2), 1.0 / 6}};
  for (size_t k = 0; k < sizeof conditions / sizeof conditions[0]; k++) {
    if (fabs(conditions[k].value - conditions[k].expected) <= 1e-12) continue;
    if (violation) *violation = (picus_tableau_violation){conditions[k].order, conditions[k].text, conditions[k].value};
    return conditions[k].order - 1;
  }
  if (violation) *violation = (picus_tableau_violation){5, "", 0};
  return PICUS_TABLEAU_ORDER_MOST;
}

picus_status picus_tableau_check(picus_context *context, const picus_tableau *t) {
  if (t->stages == 0) return PICUS_OK;
  if (t->stages < 1 || t->stages > PICUS_STAGES_MOST)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a tableau has 1 to %d stages, not %d", PICUS_STAGES_MOST,
                      t->stages);
  for (int i = 0; i < t->stages; i++)
    for (int j = 0; j <= i; j++)
      if (!isfinite(t->rows[i][j]) || (i == j && !(t->rows[i][j] > 0)))
        return picus_fail(
            context, PICUS_ERROR_ARGUMENT,
            "entry %d of row %d of the tableau is %g; the last number of each row determines the forces of "
            "a stage and must be positive",
            j + 1, i + 1, t->rows[i][j]);
  picus_tableau_violation violation;
  const int order = picus_tableau_order(t, &violation), wanted = t->order > 0 ? t->order : 1;
  if (wanted > PICUS_TABLEAU_ORDER_MOST)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the order of a tableau can be checked up to %d, not %d",
                      PICUS_TABLEAU_ORDER_MOST, wanted);
  if (order >= wanted) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the tableau has order %d, not %d: it violates the condition %s of order %d, with %.9g on its left "
                    "side; change its rows, or the order",
                    order, wanted, violation.condition, violation.order, violation.value);
}
