/* Which constraints depend on others, and the problem without them; see dependence.h. */
#include "solver/dependence.h"

#include "base/internal.h"
#include "simultaneous/scaling.h"

#include <float.h>
#include <string.h>

#define ALIKE 0.3    /* share of the largest pivot that is as good */
#define LOOSE 1e-6   /* the square of a distance: farther constraints of a part of the system are independent */
#define SAFETY 0.1   /* of the tolerance: elimination may increase what is left */
#define ROUNDINGS 64 /* of an entry of G, for each row: as in picus_solve_dense */

void picus_dependence_release(picus_dependence *d) {
  if (!d->context) return;
  void *blocks[] = {d->row,  d->law,     d->B,   d->b,    d->scale, d->p, d->null, d->whole, d->full,  d->offset,
                    d->laws, d->numbers, d->own, d->from, d->out,   d->G, d->c,    d->P,     d->modes, d->terms};
  for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++) picus_release(d->context, blocks[k]);
  *d = (picus_dependence){
      .context = d->context, .constraints = d->constraints, .most = d->most, .prescribed = d->prescribed};
}

/* Memory for the constraints of a problem of this size. */
picus_status picus_dependence_reserve(picus_dependence *d, int size) {
  if (d->most == 0 || size > PICUS_RANK_ROWS || size <= d->capacity) return PICUS_OK;
  picus_dependence_release(d);
  const size_t n = (size_t)size, laws = n; /* each has a row at least */
  struct {
    double **array;
    size_t count;
  } const numbers[] = {{&d->B, n * n},    {&d->b, n},         {&d->scale, n},  {&d->p, n},
                       {&d->null, n * n}, {&d->whole, n * n}, {&d->full, n},   {&d->G, n * n},
                       {&d->c, n},        {&d->P, n},         {&d->offset, n}, {&d->terms, n}};
  bool all = true;
  for (size_t k = 0; all && k < sizeof numbers / sizeof numbers[0]; k++)
    all = (*numbers[k].array = picus_allocate(d->context, numbers[k].count, sizeof(double))) != NULL;
  if (all) all = (d->row = picus_allocate(d->context, n, sizeof *d->row)) != NULL;
  if (all) all = (d->law = picus_allocate(d->context, n, sizeof *d->law)) != NULL;
  if (all) all = (d->from = picus_allocate(d->context, n, sizeof *d->from)) != NULL;
  if (all) all = (d->laws = picus_allocate(d->context, laws, sizeof *d->laws)) != NULL;
  if (all) all = (d->numbers = picus_allocate(d->context, laws, sizeof *d->numbers)) != NULL;
  if (all) all = (d->own = picus_allocate(d->context, laws, sizeof *d->own)) != NULL;
  if (all) all = (d->out = picus_allocate(d->context, laws, sizeof *d->out)) != NULL;
  if (all) all = (d->modes = picus_allocate(d->context, laws, sizeof *d->modes)) != NULL;
  if (!all) {
    picus_dependence_release(d);
    return PICUS_ERROR_MEMORY;
  }
  d->capacity = size;
  return PICUS_OK;
}

/* --- the constraints of a problem --------------------------------------------------------------------------------- */

static double *entry(const picus_dependence *d, int i, int j) { return d->B + (ptrdiff_t)i * d->count + j; }

static void list_constraints(picus_dependence *d, const picus_contact_problem *problem) {
  d->count = 0;
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    if (problem->laws[i].kind != PICUS_BILATERAL) continue;
    d->row[d->count] = row;
    d->law[d->count++] = i;
  }
}

/* The number of the law of a constraint in the whole problem. */
static int number_of(const picus_dependence *d, const int *numbers, int i) {
  return numbers ? numbers[d->law[i]] : d->law[i];
}

/* G, c and prescribed velocities of the constraints, with a diagonal of 1. */
static void fill(picus_dependence *d, const picus_contact_problem *dense, const int *numbers) {
  picus_scale_factors(dense, d->scale);
  for (int i = 0; i < d->count; i++) {
    const double *G = dense->G + (size_t)d->row[i] * (size_t)dense->size, own = d->scale[d->row[i]];
    for (int j = 0; j < d->count; j++) *entry(d, i, j) = own * G[d->row[j]] * d->scale[d->row[j]];
    d->b[i] = own * dense->c[d->row[i]];
    d->offset[i] = d->prescribed.velocity ? own * d->prescribed.velocity[number_of(d, numbers, i)] : 0;
    d->terms[i] = fabs(d->offset[i]);
  }
}

static void swap_numbers(double *a, double *b) {
  const double t = *a;
  *a = *b;
  *b = t;
}
static void swap_places(int *a, int *b) {
  const int t = *a;
  *a = *b;
  *b = t;
}

/* One of the larger diagonal entries that are left becomes that of constraint k: the first by the order of the laws,
 * so that round-off does not choose others in the next iteration of a step. Returns the largest. */
static double bring_pivot(picus_dependence *d, int k) {
  double most = 0;
  int pivot = k;
  for (int i = k; i < d->count; i++) most = picus_larger(most, fabs(*entry(d, i, i)));
  for (int i = k; i < d->count; i++)
    if (fabs(*entry(d, i, i)) >= ALIKE * most &&
        (d->law[i] < d->law[pivot] || fabs(*entry(d, pivot, pivot)) < ALIKE * most))
      pivot = i;
  if (pivot != k) {
    for (int j = 0; j < d->count; j++) swap_numbers(entry(d, k, j), entry(d, pivot, j));
    for (int i = 0; i < d->count; i++) swap_numbers(entry(d, i, k), entry(d, i, pivot));
    swap_numbers(&d->b[k], &d->b[pivot]);
    swap_numbers(&d->offset[k], &d->offset[pivot]);
    swap_numbers(&d->terms[k], &d->terms[pivot]);
    swap_places(&d->row[k], &d->row[pivot]);
    swap_places(&d->law[k], &d->law[pivot]);
  }
  return most;
}

static void eliminate_below(picus_dependence *d, int k) {
  const double *pivot_row = entry(d, k, 0), inverse = 1 / pivot_row[k];
  for (int i = k + 1; i < d->count; i++) {
    double *row = entry(d, i, 0);
    if (row[k] == 0) continue;
    const double factor = row[k] * inverse;
    picus_subtract_row(k + 1, d->count, factor, pivot_row, row);
    d->b[i] -= factor * d->b[k];
    d->offset[i] -= factor * d->offset[k];
    d->terms[i] += fabs(factor) * d->terms[k];
  }
}

static double rounding_of(const picus_dependence *d) { return ROUNDINGS * DBL_EPSILON * d->count; }

/* Elimination of the independent constraints: all but those of which the system has too many. Of a part of its
 * constraints nobody knows how many that are; then the distance decides. */
static void eliminate(picus_dependence *d) {
  const double rounding = rounding_of(d), near = d->count == d->constraints ? INFINITY : LOOSE;
  for (d->rank = 0; d->rank < d->count; d->rank++) {
    const double pivot = bring_pivot(d, d->rank);
    if (!(pivot > rounding) || (d->rank >= d->count - d->most && pivot < near)) break;
    eliminate_below(d, d->rank);
  }
}

/* The first constraint whose prescribed velocity is not the combination that its row is. The numbers by which the rows
 * of others are combined have the error of the row, relative to those above 1. */
static void find_contradiction(picus_dependence *d, const int *numbers) {
  double all = 0;
  for (int i = 0; i < d->rank; i++) all += fabs(d->offset[i]);
  for (int i = d->rank; i < d->count; i++) {
    const double distance = sqrt(fabs(*entry(d, i, i)) + rounding_of(d)) + d->prescribed.accuracy;
    const int law = number_of(d, numbers, i);
    const double velocity = d->offset[i] / d->scale[d->row[i]];
    if (fabs(d->offset[i]) > distance * (all + d->terms[i]) && !(d->found.contradicts && d->found.law < law))
      d->found = (picus_left_out){.contradicts = true, .law = law, .velocity = velocity};
  }
}

/* Whether a solver can solve the problem as it is: the constraints are dependent to round-off, and what no percussions
 * can balance is within the tolerance. */
static bool is_consistent(picus_dependence *d, const picus_contact_problem *problem, double tolerance) {
  double most = 0, left = 0;
  for (int i = d->rank; i < d->count; i++) {
    for (int j = d->rank; j < d->count; j++) most = picus_larger(most, fabs(*entry(d, i, j)));
    left = picus_larger(left, d->scale[d->row[i]] * fabs(d->b[i]));
  }
  return most <= rounding_of(d) && left <= SAFETY * tolerance * picus_contact_scale(problem, NULL);
}

/* --- percussions without effect ----------------------------------------------------------------------------------- */

/* One vector for each dependent constraint, scaled: percussions of the independent ones that undo a unit of its own. */
static void find_null_space(picus_dependence *d) {
  for (int k = d->rank; k < d->count; k++) {
    double *z = d->null + (ptrdiff_t)(k - d->rank) * d->count;
    picus_clear(d->count, z);
    z[k] = 1;
    for (int i = d->rank - 1; i >= 0; i--) {
      const double *row = entry(d, i, 0);
      z[i] = -(row[k] + picus_dot(d->rank - 1 - i, row + i + 1, z + i + 1)) / row[i];
    }
  }
}

static double *null_vector(const picus_dependence *d, int k) { return d->null + (ptrdiff_t)(k - d->rank) * d->count; }

/* Makes the null vectors orthonormal, each twice for safety, and takes them out of p. */
static void remove_null_space(picus_dependence *d) {
  const int n = d->count;
  for (int k = d->rank; k < n; k++) {
    double *z = null_vector(d, k);
    for (int pass = 0; pass < 2; pass++)
      for (int l = d->rank; l < k; l++)
        picus_add_multiple(n, z, -picus_dot(n, null_vector(d, l), z), null_vector(d, l), z);
    const double length = sqrt(picus_dot(n, z, z));
    for (int i = 0; i < n; i++) z[i] /= length;
    picus_add_multiple(n, d->p, -picus_dot(n, z, d->p), z, d->p);
  }
}

/* --- the problem without them ------------------------------------------------------------------------------------- */

static void choose_laws(picus_dependence *d, const picus_contact_problem *problem, const int *numbers) {
  memset(d->out, 0, (size_t)problem->law_count * sizeof *d->out);
  for (int k = d->rank; k < d->count; k++) d->out[d->law[k]] = true;
  int laws = 0, size = 0;
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    if (d->out[i]) continue;
    d->laws[laws] = problem->laws[i];
    d->own[laws] = i;
    d->numbers[laws++] = numbers ? numbers[i] : i;
    for (int r = 0; r < problem->laws[i].dim; r++) d->from[size++] = row + r;
  }
  d->kept = (picus_contact_problem){.law_count = laws, .laws = d->laws, .size = size, .G = d->G, .c = d->c};
}

static void gather(picus_dependence *d, const picus_contact_problem *dense) {
  const int size = d->kept.size;
  for (int i = 0; i < size; i++) {
    const double *G = dense->G + (size_t)d->from[i] * (size_t)dense->size;
    for (int j = 0; j < size; j++) d->G[(ptrdiff_t)i * size + j] = G[d->from[j]];
    d->c[i] = dense->c[d->from[i]];
  }
}

static void read_percussions(picus_dependence *d, const double *P) {
  for (int i = 0; i < d->count; i++) d->p[i] = P[d->row[i]] / d->scale[d->row[i]];
}
static void write_percussions(const picus_dependence *d, double *P) {
  for (int i = 0; i < d->count; i++) P[d->row[i]] = d->p[i] * d->scale[d->row[i]];
}

/* The initial guess: percussions of the constraints left out act through the others. */
static void move_guess(picus_dependence *d, int size, const double *P, const picus_mode *modes) {
  memcpy(d->full, P, (size_t)size * sizeof *P);
  read_percussions(d, P);
  for (int k = d->rank; k < d->count; k++) picus_add_multiple(d->rank, d->p, -d->p[k], null_vector(d, k), d->p);
  write_percussions(d, d->full);
  for (int i = 0; i < d->kept.size; i++) d->P[i] = d->full[d->from[i]];
  for (int i = 0; i < d->kept.law_count; i++) d->modes[i] = modes[d->own[i]];
}

/* Whether some constraints follow from others. dense: the problem with a dense G. */
static bool divide(picus_dependence *d, const picus_contact_problem *problem, const int *numbers,
                   picus_contact_problem *dense) {
  list_constraints(d, problem);
  if (d->count < 2) return false;
  *dense = picus_contact_to_dense(problem, d->whole);
  fill(d, dense, numbers);
  eliminate(d);
  if (d->rank == d->count) return false;
  find_contradiction(d, numbers);
  return true;
}

void picus_dependence_judge(picus_dependence *d, const picus_contact_problem *problem) {
  picus_contact_problem dense;
  (void)divide(d, problem, NULL, &dense);
}

bool picus_dependence_find(picus_dependence *d, const picus_contact_problem *problem, double tolerance,
                           const int *numbers, const double *P, const picus_mode *modes) {
  picus_contact_problem dense;
  if (!divide(d, problem, numbers, &dense) || is_consistent(d, problem, tolerance)) return false;
  d->found.any = true;
  find_null_space(d);
  choose_laws(d, problem, numbers);
  gather(d, &dense);
  move_guess(d, problem->size, P, modes);
  return true;
}

void picus_dependence_share(picus_dependence *d, const picus_contact_problem *problem, double *P, picus_mode *modes) {
  picus_clear(problem->size, P);
  for (int i = 0; i < d->kept.size; i++) P[d->from[i]] = d->P[i];
  read_percussions(d, P);
  remove_null_space(d);
  write_percussions(d, P);
  for (int k = d->rank; k < d->count; k++) modes[d->law[k]] = PICUS_STICK;
  for (int i = 0; i < d->kept.law_count; i++) modes[d->own[i]] = d->modes[i];
}
