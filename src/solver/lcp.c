/* Solver "lcp": planar friction as one standard linear complementarity problem (Glocker, Studer 2005, eq. 27, 33).
 *
 * Everything happens in scaled variables, P_i = d_i s p_i and xi_i = (s / d_i) v_i, in which G has a unit diagonal and
 * the largest entry of c is 1. Bilateral rows are eliminated first. What is left is written in pairs (x, y):
 *
 *   unilateral  (p, v)
 *   Coulomb     (p_N, v_N), (p_R, v_R), (v_L, p_L)  with  p_T = p_R - mu p_N,  p_L = 2 mu p_N - p_R,  v_T = v_R - v_L
 *   reservoir               (p_R, v_R), (v_L, p_L)  with  p   = p_R - a,       p_L = 2 a - p_R,       v   = v_R - v_L
 *
 * The reservoir's constant a enters b only: every row gets -G a, and the row of p_L gets 2 a. To keep the entries of
 * order 1 for any mu, the unknown of the first Coulomb pair is (1 + mu) p_N. */
#include "solver/internal.h"
#include "solver/lemke.h"

#include <float.h>
#include <string.h>

/* What the k-th pair stands for. */
typedef enum pair_kind { NORMAL, RIGHT, LEFT, RESERVOIR_RIGHT, RESERVOIR_LEFT } pair_kind;

typedef struct lcp {
  const picus_contact_problem *problem;
  int size; /* pairs */
  double *d, s;
  double *T;                      /* rows x (rows + 1): [D G D, D c / s], bilateral rows eliminated in place */
  double *p, *A, *b, *share;      /* share: of pair k: mu, or a, in scaled variables */
  int *pivot_column, *kind, *row; /* of row i: the bilateral unknown it gives, or -1; of pair k: kind and row */
  picus_lemke lemke;
} lcp;

/* A row brings at most two pairs (a reservoir). */
static picus_memory_need lcp_need(int law_count, int size) {
  (void)law_count;
  size_t rows = (size_t)size, pairs = 2 * rows;
  return (picus_memory_need){.doubles = rows * (rows + 1) + 2 * rows + pairs * pairs + pairs * (pairs + 2) + 3 * pairs,
                             .ints = rows + 2 * pairs + pairs + (pairs + 1) + (2 * pairs + 1)};
}

static void carve(lcp *l, picus_solver_memory memory) {
  size_t rows = (size_t)l->problem->size, pairs = 2 * rows;
  double *next = memory.doubles;
  l->d = next;
  l->p = next += rows;
  l->b = next += rows;
  l->lemke.defect = next += pairs;
  l->share = next += pairs;
  l->T = next += pairs;
  l->A = next += rows * (rows + 1);
  l->lemke.table = next + pairs * pairs;
  int *ints = memory.ints;
  l->pivot_column = ints;
  l->kind = ints += rows;
  l->row = ints += pairs;
  l->lemke.basic = ints += pairs;
  l->lemke.nonbasic = ints += pairs;
  l->lemke.place = ints + pairs + 1;
}

static double *scaled_row(const lcp *l, int i) { return l->T + (size_t)i * (size_t)(l->problem->size + 1); }

/* T = [D G D, D c / s]. */
static void scale(lcp *l) {
  const picus_contact_problem *problem = l->problem;
  int size = problem->size;
  picus_scale_factors(problem, l->d);
  l->s = 0;
  for (int i = 0; i < size; i++) l->s = fmax(l->s, fabs(l->d[i] * problem->c[i]));
  if (!(l->s > DBL_MIN)) l->s = 1;
  for (int i = 0; i < size; i++) {
    double *T = scaled_row(l, i);
    const double *G = problem->G + (size_t)i * (size_t)size;
    for (int j = 0; j < size; j++) T[j] = l->d[i] * G[j] * l->d[j];
    T[size] = l->d[i] * problem->c[i] / l->s;
  }
}

/* --- bilateral rows ------------------------------------------------------------------------------------------- */

enum { NOT_BILATERAL = -2, NO_PIVOT = -1 }; /* of a row; otherwise the column of its pivot */

static int mark_bilateral(lcp *l) {
  int count = 0;
  for (int i = 0, row = 0; i < l->problem->law_count; row += l->problem->laws[i].dim, i++)
    for (int k = 0; k < l->problem->laws[i].dim; k++) {
      bool bilateral = l->problem->laws[i].kind == PICUS_BILATERAL;
      l->pivot_column[row + k] = bilateral ? NO_PIVOT : NOT_BILATERAL;
      count += bilateral;
    }
  return count;
}

/* Whether a bilateral unknown has been eliminated; p marks it while the elimination runs. */
static bool is_eliminated(const lcp *l, int column) { return l->p[column] != 0; }

static double find_pivot(const lcp *l, int *row, int *column) {
  double largest = 0;
  int size = l->problem->size;
  for (int i = 0; i < size; i++) {
    if (l->pivot_column[i] != NO_PIVOT) continue;
    for (int j = 0; j < size; j++)
      if (l->pivot_column[j] != NOT_BILATERAL && !is_eliminated(l, j) && fabs(scaled_row(l, i)[j]) > largest) {
        largest = fabs(scaled_row(l, i)[j]);
        *row = i;
        *column = j;
      }
  }
  return largest;
}

static void eliminate_column(lcp *l, int row, int column) {
  int size = l->problem->size;
  double *pivot_row = scaled_row(l, row), inverse = 1 / pivot_row[column];
  for (int j = 0; j <= size; j++) pivot_row[j] *= inverse;
  pivot_row[column] = 1;
  for (int i = 0; i < size; i++) {
    double *other = scaled_row(l, i), factor = other[column];
    if (i == row || factor == 0) continue;
    for (int j = 0; j <= size; j++) other[j] -= factor * pivot_row[j];
    other[column] = 0;
  }
  l->pivot_column[row] = column;
  l->p[column] = 1;
}

/* Gauss-Jordan with full pivoting among the bilateral rows and unknowns. Rows without a pivot are redundant; if they
 * ask for what the others do not give, there is no solution. */
static picus_status eliminate_bilateral(lcp *l) {
  int count = mark_bilateral(l), size = l->problem->size, row = 0, column = 0;
  memset(l->p, 0, (size_t)size * sizeof *l->p);
  for (int k = 0; k < count; k++) {
    if (!(find_pivot(l, &row, &column) > 64 * DBL_EPSILON * size)) break;
    eliminate_column(l, row, column);
  }
  for (int i = 0; i < size; i++) {
    if (l->pivot_column[i] != NO_PIVOT) continue;
    double largest = 0;
    for (int j = 0; j < size; j++)
      if (l->pivot_column[j] == NOT_BILATERAL) largest = fmax(largest, fabs(scaled_row(l, i)[j]));
    if (largest > 1e-9) return PICUS_NOT_CONVERGED; /* G is not a Delassus matrix */
    if (fabs(scaled_row(l, i)[size]) > 1e-9) return PICUS_NO_SOLUTION;
  }
  return PICUS_OK;
}

/* --- pairs ---------------------------------------------------------------------------------------------------- */

static void add_pair(lcp *l, pair_kind kind, int row, double share) {
  l->kind[l->size] = (int)kind;
  l->row[l->size] = row;
  l->share[l->size++] = share;
}

static void list_pairs(lcp *l) {
  l->size = 0;
  for (int i = 0, row = 0; i < l->problem->law_count; row += l->problem->laws[i].dim, i++) {
    const picus_law *law = &l->problem->laws[i];
    double mu, a;
    switch (law->kind) {
    case PICUS_BILATERAL:
      break;
    case PICUS_UNILATERAL:
      add_pair(l, NORMAL, row, 0);
      break;
    case PICUS_COULOMB:
      mu = law->radius * l->d[row] / l->d[row + 1];
      add_pair(l, NORMAL, row, mu);
      add_pair(l, RIGHT, row + 1, mu);
      add_pair(l, LEFT, row + 1, mu);
      break;
    case PICUS_RESERVOIR:
      a = law->radius / (l->d[row] * l->s);
      add_pair(l, RESERVOIR_RIGHT, row, a);
      add_pair(l, RESERVOIR_LEFT, row, a);
      break;
    }
  }
}

/* Coefficient of the unknown of a pair in the velocity v of a row of percussions. */
static double velocity_coefficient(const lcp *l, int row, int pair) {
  const double *T = scaled_row(l, row);
  int column = l->row[pair];
  double mu = l->share[pair];
  switch ((pair_kind)l->kind[pair]) {
  case NORMAL:
    return mu > 0 ? (T[column] - mu * T[column + 1]) / (1 + mu) : T[column];
  case RIGHT:
  case RESERVOIR_RIGHT:
    return T[column];
  case LEFT:
  case RESERVOIR_LEFT:
    break;
  }
  return 0;
}

/* v = A x + b for a row of velocities: c, and the share -G a of the reservoirs. */
static void fill_velocity_row(lcp *l, int pair) {
  const double *T = scaled_row(l, l->row[pair]);
  double *A = l->A + (size_t)pair * (size_t)l->size;
  l->b[pair] = T[l->problem->size];
  for (int k = 0; k < l->size; k++) {
    A[k] = velocity_coefficient(l, l->row[pair], k);
    if (l->kind[k] == RESERVOIR_RIGHT) l->b[pair] -= T[l->row[k]] * l->share[k];
  }
}

static void fill_row(lcp *l, int pair) {
  double *A = l->A + (size_t)pair * (size_t)l->size, share = l->share[pair];
  switch ((pair_kind)l->kind[pair]) {
  case NORMAL: /* y = v_N */
    fill_velocity_row(l, pair);
    break;
  case RIGHT: /* y = v_R = v_T + v_L */
  case RESERVOIR_RIGHT:
    fill_velocity_row(l, pair);
    A[pair + 1] += 1;
    break;
  case LEFT: /* y = p_L = 2 mu p_N - p_R */
    memset(A, 0, (size_t)l->size * sizeof *A);
    A[pair - 2] = 2 * share / (1 + share);
    A[pair - 1] = -1;
    l->b[pair] = 0;
    break;
  case RESERVOIR_LEFT: /* y = p_L = 2 a - p_R */
    memset(A, 0, (size_t)l->size * sizeof *A);
    A[pair - 1] = -1;
    l->b[pair] = 2 * share;
    break;
  }
}

/* --- solution ------------------------------------------------------------------------------------------------- */

/* The percussions of the laws that are not bilateral, scaled. */
static void read_pairs(lcp *l) {
  for (int k = 0; k < l->size; k++) {
    double x = picus_prox_positive(picus_lemke_value(&l->lemke, k)), share = l->share[k];
    switch ((pair_kind)l->kind[k]) {
    case NORMAL:
      l->p[l->row[k]] = x / (1 + share);
      break;
    case RIGHT:
      l->p[l->row[k]] = x - share * l->p[l->row[k] - 1];
      break;
    case RESERVOIR_RIGHT:
      l->p[l->row[k]] = x - share;
      break;
    case LEFT:
    case RESERVOIR_LEFT:
      break;
    }
  }
}

/* The bilateral unknowns from the rows that gave their pivots; redundant ones stay zero. */
static void read_bilateral(lcp *l) {
  int size = l->problem->size;
  for (int i = 0; i < size; i++) {
    if (l->pivot_column[i] < 0) continue;
    const double *T = scaled_row(l, i);
    double sum = T[size];
    for (int j = 0; j < size; j++)
      if (l->pivot_column[j] == NOT_BILATERAL) sum += T[j] * l->p[j];
    l->p[l->pivot_column[i]] = -sum;
  }
}

static picus_status lcp_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                              picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  lcp l = {.problem = problem};
  (void)modes;
  carve(&l, memory);
  scale(&l);
  for (int k = 0; k < problem->size; k++) P[k] = 0;
  picus_status status = eliminate_bilateral(&l);
  if (status != PICUS_OK) return status;
  list_pairs(&l);
  for (int k = 0; k < l.size; k++) fill_row(&l, k);
  l.lemke.size = l.size;
  l.lemke.A = l.A;
  l.lemke.b = l.b;
  picus_lemke_start(&l.lemke);
  status = picus_lemke_run(&l.lemke, options->max_iterations, iterations);
  memset(l.p, 0, (size_t)problem->size * sizeof *l.p);
  read_pairs(&l);
  read_bilateral(&l);
  for (int k = 0; k < problem->size; k++) P[k] = l.d[k] * l.s * l.p[k];
  return status;
}

const picus_solver_ops picus_lcp_solver = {
    .description = {"lcp", "planar friction as one linear complementarity problem, by Lemke's pivoting",
                    "Glocker, Studer 2005, section 6, eq. (33); Murty 1988, chapter 2"},
    .refusal = picus_refuse_spatial_friction,
    .need = lcp_need,
    .needs_whole_G = true,
    .solve = lcp_solve,
};
