/* Bilateral constraints at one state: how many are independent, how far they are from being met, and the nearest state
 * that meets them. All of it in the metric of M: rows of W^T are compared as a_i = L^-1 w_i with M = L L^T, each scaled
 * to length 1, so that units and masses do not matter. Few constraints are treated as dense rows, many by a sparse
 * factor. */
#include "statics/constraint_factor.h"

#include "base/internal.h"
#include "linalg/internal.h"
#include "statics/internal.h"

#include <math.h>
#include <string.h>

/* A row whose part across all rows before it is shorter than this depends on them. */
static const double dependent_below = 1e-7;

typedef struct constraint_rows {
  picus_context *context;
  picus_evaluation *evaluation;
  int count;      /* bilateral laws */
  int *law;       /* count */
  double *length; /* count: sqrt(w_i^T M^-1 w_i) */
  /* few constraints: */
  double *solved;    /* count x nu: M^-1 w_i */
  double *direction; /* count x nu: w_i */
  double *G;         /* count x count, scaled to a diagonal of 1 */
  /* many: */
  bool sparse;
  constraint_factor factor;
  double *scale, *diagonal; /* count */
  double *row;              /* the widest row of W^T */
  bool *dropped;            /* count */
  double *value, *gap;      /* count; law_count */
  double *gamma;            /* rows */
  double *step, *q_step;    /* nu; nq */
} constraint_rows;

static void release_rows(constraint_rows *r) {
  void *blocks[] = {r->law,   r->solved, r->direction, r->length, r->G,    r->scale,  r->diagonal,
                    r->value, r->gap,    r->gamma,     r->row,    r->step, r->q_step, r->dropped};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(r->context, blocks[i]);
  picus_constraint_factor_release(r->context, &r->factor);
}

static size_t widest_row(const law_set *set) {
  size_t width = 0;
  for (int i = 0; i < set->law_count; i++)
    if ((size_t)picus_law_row_size(&set->laws[i]) > width) width = (size_t)picus_law_row_size(&set->laws[i]);
  return width;
}

static bool allocate_arrays(constraint_rows *r, const picus_system *s) {
  const size_t n = (size_t)r->count, nu = (size_t)s->nu, laws = (size_t)s->fixed.law_count;
  const size_t few = r->sparse ? 0 : n, many = r->sparse ? n : 0;
  double **arrays[] = {&r->solved, &r->direction, &r->G,   &r->scale, &r->diagonal, &r->row,
                       &r->length, &r->value,     &r->gap, &r->gamma, &r->step,     &r->q_step};
  const size_t sizes[] = {few * nu,  few * nu,
                          few * few, many,
                          many,      r->sparse ? widest_row(&s->fixed) : 0,
                          n,         n,
                          laws,      (size_t)s->fixed.row_count,
                          nu,        (size_t)s->nq};
  r->law = picus_allocate(r->context, n, sizeof *r->law);
  r->dropped = picus_allocate(r->context, many, sizeof *r->dropped);
  bool all = r->law && r->dropped;
  for (size_t i = 0; all && i < sizeof arrays / sizeof arrays[0]; i++) {
    *arrays[i] = picus_allocate(r->context, sizes[i], sizeof(double));
    all = *arrays[i] != NULL;
  }
  return all;
}

static picus_status allocate_rows(picus_evaluation *e, constraint_rows *r) {
  const picus_system *s = e->system;
  *r = (constraint_rows){.context = e->context, .evaluation = e};
  for (int i = 0; i < s->fixed.law_count; i++) r->count += s->fixed.laws[i].data.kind == PICUS_BILATERAL;
  r->sparse = r->count > PICUS_DENSE_ROWS;
  picus_status status = allocate_arrays(r, s) ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int i = 0, k = 0; !status && i < s->fixed.law_count; i++)
    if (s->fixed.laws[i].data.kind == PICUS_BILATERAL) r->law[k++] = i;
  if (!status && r->sparse) status = picus_constraint_factor_create(r->context, s, r->count, r->law, &r->factor);
  if (status) release_rows(r);
  return status;
}

/* M^-1 w of a constraint into r->row, of many. */
static const system_law *solve_row(constraint_rows *r, int k) {
  const picus_evaluation *e = r->evaluation;
  const system_law *law = &e->system->fixed.laws[r->law[k]];
  picus_law_rows_solve(&e->mass, law, 1, picus_law_row(law, e->W, 0), r->row);
  return law;
}

static void read_sparse(constraint_rows *r) {
  for (int k = 0; k < r->count; k++) {
    const system_law *law = solve_row(r, k);
    const double *w = picus_law_row(law, r->evaluation->W, 0);
    r->length[k] = sqrt(fmax(0, picus_dot(picus_law_row_size(law), w, r->row)));
  }
}

/* Directions, their lengths, gaps and velocities at the evaluation's point. */
static picus_status read_rows(constraint_rows *r) {
  picus_evaluation *e = r->evaluation;
  const picus_system *s = e->system;
  const size_t nu = (size_t)s->nu;
  picus_status status = picus_evaluation_factor_mass(e);
  if (!status) status = picus_evaluate_gaps(e, r->gap);
  if (!status) status = picus_evaluation_update_directions(e);
  if (!status) status = picus_evaluate_velocities(e, r->gamma);
  if (!status && r->sparse) read_sparse(r);
  for (int k = 0; !status && !r->sparse && k < r->count; k++) {
    const system_law *law = &s->fixed.laws[r->law[k]];
    double *w = r->direction + (size_t)k * nu, *x = r->solved + (size_t)k * nu;
    memset(w, 0, nu * sizeof *w);
    picus_law_row_add(s, law, e->W + law->W0, 1, w);
    memcpy(x, w, nu * sizeof *x);
    picus_evaluation_solve_mass(e, x);
    r->length[k] = sqrt(fmax(0, picus_dot(s->nu, w, x)));
  }
  return status;
}

/* Gram-Schmidt in the metric of M, twice for safety: solved becomes an orthonormal basis M^-1 w of the independent
 * rows; direction is kept. Returns the rank. */
static int orthonormalise(constraint_rows *r, bool *redundant) {
  const int nu = r->evaluation->system->nu;
  const size_t n = (size_t)nu;
  int rank = 0;
  for (int k = 0; k < r->count; k++) {
    double *x = r->solved + (size_t)k * n, *w = r->direction + (size_t)k * n;
    const picus_dual_rows before = {nu, rank, r->direction, r->solved};
    for (int pass = 0; pass < 2; pass++) picus_remove_dual_rows(&before, w, x, NULL, 0);
    double left = sqrt(fmax(0, picus_dot(nu, w, x)));
    bool depends = !(left > dependent_below * r->length[k]);
    if (redundant) redundant[r->law[k]] = depends;
    if (depends) continue;
    double *to_x = r->solved + (size_t)rank * n, *to_w = r->direction + (size_t)rank * n;
    for (size_t i = 0; i < n; i++) to_x[i] = x[i] / left, to_w[i] = w[i] / left;
    rank++;
  }
  return rank;
}

static int find_rank(constraint_rows *r, bool *redundant) {
  if (!r->sparse) return orthonormalise(r, redundant);
  for (int k = 0; k < r->count; k++) r->scale[k] = r->length[k] > 0 ? 1 / r->length[k] : 0;
  picus_constraint_factor_fill(&r->factor, r->evaluation, r->scale, NULL);
  const int rank = picus_row_factor_drop(&r->factor.R, dependent_below, r->dropped);
  for (int k = 0; redundant && k < r->count; k++) redundant[r->law[k]] = r->dropped[k];
  return rank;
}

static void note_worst(const constraint_rows *r, picus_constraint_report *report) {
  const picus_system *s = r->evaluation->system;
  for (int k = 0; k < r->count; k++) {
    const picus_system_law *law = &s->fixed.laws[r->law[k]].data;
    double position = law->has_gap ? fabs(r->gap[r->law[k]]) : 0, velocity = fabs(r->gamma[law->first_row]);
    if (law->has_gap && !(position <= report->worst_position)) {
      report->worst_position = position;
      report->worst_position_law = r->law[k];
    }
    if (!(velocity <= report->worst_velocity)) {
      report->worst_velocity = velocity;
      report->worst_velocity_law = r->law[k];
    }
  }
}

picus_status picus_system_examine_constraints(picus_evaluation *e, picus_constraint_report *report, bool *redundant) {
  const picus_system *s = e->system;
  *report = (picus_constraint_report){.worst_position_law = -1, .worst_velocity_law = -1};
  for (int i = 0; redundant && i < s->fixed.law_count; i++) redundant[i] = false;
  constraint_rows r;
  picus_status status = allocate_rows(e, &r);
  if (status) return status;
  status = read_rows(&r);
  if (!status) {
    note_worst(&r, report);
    report->constraints = r.count;
    report->rank = find_rank(&r, redundant);
    report->freedom = s->nu - report->rank;
  }
  release_rows(&r);
  return status;
}

/* Whether a constraint takes part in a correction. */
static bool is_used(const constraint_rows *r, int k, bool positions) {
  return r->length[k] > 0 && (r->evaluation->system->fixed.laws[r->law[k]].data.has_gap || !positions);
}

/* The errors of the constraints over their lengths; those that do not take part are zero. Returns the largest. */
static double scale_errors(constraint_rows *r, bool positions) {
  double error = 0;
  for (int k = 0; k < r->count; k++) {
    const picus_system_law *law = &r->evaluation->system->fixed.laws[r->law[k]].data;
    const double value = positions ? r->gap[r->law[k]] : r->gamma[law->first_row];
    r->value[k] = is_used(r, k, positions) ? value / r->length[k] : 0;
    error = fmax(error, fabs(r->value[k]));
  }
  return error;
}

/* The number that is added to the diagonal of G, which is 1, or 0 where the constraint does not take part. */
static double added_to_diagonal(const constraint_rows *r, int k, bool positions, double lambda) {
  if (positions && !r->evaluation->system->fixed.laws[r->law[k]].data.has_gap) return 1; /* at velocity level: stays */
  return lambda + (r->length[k] > 0 ? 0 : 1);
}

static picus_status fail_directions(const constraint_rows *r) {
  return picus_fail(r->context, PICUS_ERROR_SINGULAR, "the constraints have no finite directions");
}

/* Few constraints: value := (G + D)^-1 value and the step. */
static picus_status correct_dense(constraint_rows *r, bool positions, double lambda) {
  const int n = r->count, nu = r->evaluation->system->nu;
  const size_t width = (size_t)n, size = (size_t)nu;
  for (int k = 0; k < n; k++) {
    for (int j = 0; j <= k; j++) {
      const bool both = is_used(r, k, positions) && is_used(r, j, positions);
      const double product = both ? picus_dot(nu, r->direction + (size_t)k * size, r->solved + (size_t)j * size) : 0;
      r->G[(size_t)k * width + (size_t)j] = both ? product / (r->length[k] * r->length[j]) : 0;
    }
    r->G[(size_t)k * (width + 1)] += added_to_diagonal(r, k, positions, lambda);
  }
  if (picus_cholesky_factor(n, r->G, r->G) >= 0) return fail_directions(r);
  picus_cholesky_solve(n, r->G, r->value);
  for (int k = 0; k < n; k++)
    for (int i = 0; r->length[k] > 0 && i < nu; i++)
      r->step[i] -= r->value[k] / r->length[k] * r->solved[(size_t)k * size + (size_t)i];
  return PICUS_OK;
}

/* The same for many. */
static picus_status correct_sparse(constraint_rows *r, bool positions, double lambda) {
  for (int k = 0; k < r->count; k++) {
    r->scale[k] = is_used(r, k, positions) ? 1 / r->length[k] : 0;
    r->diagonal[k] = added_to_diagonal(r, k, positions, lambda);
  }
  picus_constraint_factor_fill(&r->factor, r->evaluation, r->scale, r->diagonal);
  if (!picus_row_factor_solve(&r->factor.R, r->value)) return fail_directions(r);
  for (int k = 0; k < r->count; k++) {
    if (r->scale[k] == 0) continue;
    const system_law *law = solve_row(r, k);
    picus_law_row_add(r->evaluation->system, law, r->row, -r->value[k] * r->scale[k], r->step);
  }
  return PICUS_OK;
}

/* Levenberg-Marquardt: step = -M^-1 W (G + lambda 1)^-1 value with G = W^T M^-1 W scaled to a diagonal of 1. With
 * lambda of the order of the square of the scaled error the steps converge quadratically although constraints may
 * depend on each other (Yamashita and Fukushima 2001). Position-level rows only, or all. */
static picus_status correction(constraint_rows *r, bool positions) {
  const double error = scale_errors(r, positions);
  const double lambda = fmin(1e-3, fmax(1e-13, error * error));
  memset(r->step, 0, (size_t)r->evaluation->system->nu * sizeof *r->step);
  return r->sparse ? correct_sparse(r, positions, lambda) : correct_dense(r, positions, lambda);
}

/* q' of a velocity without the part that time moves by itself: B step. */
static picus_status displacement(constraint_rows *r, double t, const double *q, double *at_rest) {
  picus_evaluation *e = r->evaluation;
  const picus_system *s = e->system;
  double *none = picus_allocate(r->context, (size_t)s->nu, sizeof *none);
  if (!none) return PICUS_ERROR_MEMORY;
  picus_evaluation_set_point(e, t, q, none);
  picus_status status = picus_evaluate_rate(e, at_rest);
  picus_evaluation_set_point(e, t, q, r->step);
  if (!status) status = picus_evaluate_rate(e, r->q_step);
  for (int i = 0; !status && i < s->nq; i++) r->q_step[i] -= at_rest[i];
  picus_release(r->context, none);
  return status;
}

static picus_status fail_assembly(const constraint_rows *r, bool positions) {
  const picus_system *s = r->evaluation->system;
  picus_constraint_report report = {.worst_position_law = -1, .worst_velocity_law = -1};
  note_worst(r, &report);
  int law = positions ? report.worst_position_law : report.worst_velocity_law;
  return picus_fail(r->context, PICUS_ERROR_MODEL,
                    "the initial state cannot be moved onto the constraints: '%s' keeps the %s %.3g; check that the "
                    "lengths match and that the initial state is near a consistent position",
                    law >= 0 ? s->fixed.laws[law].name : "", positions ? "value" : "velocity",
                    positions ? report.worst_position : report.worst_velocity);
}

static bool is_met(const constraint_rows *r, bool positions, double tolerance) {
  picus_constraint_report report = {.worst_position_law = -1, .worst_velocity_law = -1};
  note_worst(r, &report);
  return (positions ? report.worst_position : report.worst_velocity) <= tolerance;
}

/* 1 for lengths and speeds of order 1: the tolerance follows the numbers in the state. */
static double scale_of(int n, const double *x) {
  double largest = 1;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

static picus_status assemble_positions(constraint_rows *r, double t, double *q, const double *u, double *at_rest) {
  enum { ITERATIONS = 60 };
  const picus_system *s = r->evaluation->system;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    picus_evaluation_set_point(r->evaluation, t, q, u);
    picus_status status = read_rows(r);
    if (status) return status;
    if (is_met(r, true, 1e-13 * scale_of(s->nq, q))) return PICUS_OK;
    status = correction(r, true);
    if (!status) status = displacement(r, t, q, at_rest);
    if (status) return status;
    for (int i = 0; i < s->nq; i++) q[i] += r->q_step[i];
    picus_system_normalise(s, q);
  }
  picus_evaluation_set_point(r->evaluation, t, q, u);
  picus_status status = read_rows(r);
  if (status) return status;
  return is_met(r, true, 1e-10 * scale_of(s->nq, q)) ? PICUS_OK : fail_assembly(r, true);
}

static picus_status assemble_velocities(constraint_rows *r, double t, const double *q, double *u) {
  enum { ITERATIONS = 20 };
  const picus_system *s = r->evaluation->system;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    picus_evaluation_set_point(r->evaluation, t, q, u);
    picus_status status = read_rows(r);
    if (status) return status;
    if (is_met(r, false, 1e-13 * scale_of(s->nu, u))) return PICUS_OK;
    if ((status = correction(r, false))) return status;
    for (int i = 0; i < s->nu; i++) u[i] += r->step[i];
  }
  picus_evaluation_set_point(r->evaluation, t, q, u);
  picus_status status = read_rows(r);
  if (status) return status;
  return is_met(r, false, 1e-9 * scale_of(s->nu, u)) ? PICUS_OK : fail_assembly(r, false);
}

picus_status picus_system_assemble(picus_context *context, const picus_system *system, double t, double *q, double *u) {
  picus_evaluation *evaluation;
  picus_status status = picus_evaluation_create(context, system, &evaluation);
  if (status) return status;
  constraint_rows r;
  status = allocate_rows(evaluation, &r);
  if (!status) {
    double *at_rest = picus_allocate(context, (size_t)system->nq, sizeof *at_rest);
    status = at_rest ? PICUS_OK : PICUS_ERROR_MEMORY;
    picus_system_normalise(system, q);
    if (!status) status = assemble_positions(&r, t, q, u, at_rest);
    if (!status) status = assemble_velocities(&r, t, q, u);
    picus_release(context, at_rest);
    release_rows(&r);
  }
  picus_evaluation_destroy(evaluation);
  return status;
}

/* --- dependent constraints -------------------------------------------------------------------------------------------
 *
 * How many constraints of a system depend on others wherever all of them hold. The rank in the initial state alone does
 * not tell: it is too large if the state violates constraints, and too small in a singular position, such as a flat
 * parallelogram. So the rank is the largest one on the constraints: in the initial state, and in a state beside it. */

#define HOLDS 1e-9  /* a violation of constraints that does not change their rank */
#define BESIDE 1e-4 /* distance to another state, in the units of its coordinates */

typedef struct trial {
  picus_context *context;
  const picus_system *system;
  picus_evaluation *evaluation;
  double t, *q, *u;
} trial;

static picus_status examine(const trial *x, const double *q, const double *u, picus_constraint_report *report) {
  picus_evaluation_set_point(x->evaluation, x->t, q, u);
  return picus_system_examine_constraints(x->evaluation, report, NULL);
}

/* The rank where the constraints hold, near the state in x; that of the state itself if they do not hold nearby. */
static picus_status examine_nearby(trial *x, picus_constraint_report *report) {
  const picus_status status = picus_system_assemble(x->context, x->system, x->t, x->q, x->u);
  if (status == PICUS_ERROR_MEMORY) return status;
  if (status) return PICUS_OK;
  picus_constraint_report nearby;
  const picus_status examined = examine(x, x->q, x->u, &nearby);
  if (!examined && nearby.worst_position <= HOLDS) *report = nearby;
  return examined == PICUS_ERROR_MEMORY ? examined : PICUS_OK;
}

/* A fixed sequence of pseudo-random numbers between -1 and 1. */
static void move_aside(trial *x) {
  unsigned long long state = 88172645463325252ULL;
  for (int i = 0; i < x->system->nq; i++) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double number = (double)(state >> 11) / 4503599627370496.0 - 1;
    x->q[i] += BESIDE * fmax(1, fabs(x->q[i])) * number;
  }
  picus_system_normalise(x->system, x->q);
}

static picus_status count(trial *x, const double *q, const double *u, int *dependent) {
  const size_t nq = (size_t)x->system->nq, nu = (size_t)x->system->nu;
  picus_constraint_report here, beside;
  picus_status status = examine(x, q, u, &here);
  if (status) return status == PICUS_ERROR_MEMORY ? status : PICUS_OK; /* a state without constraints that are finite */
  memcpy(x->q, q, nq * sizeof *q);
  memcpy(x->u, u, nu * sizeof *u);
  if (here.worst_position > HOLDS && (status = examine_nearby(x, &here))) return status;
  if (here.rank == here.constraints) return PICUS_OK;
  move_aside(x);
  beside = here;
  if ((status = examine_nearby(x, &beside))) return status;
  *dependent = here.constraints - (beside.rank > here.rank ? beside.rank : here.rank);
  return PICUS_OK;
}

picus_status picus_system_count_dependent(picus_context *context, const picus_system *system, double t, const double *q,
                                          const double *u, picus_dependent *out) {
  *out = (picus_dependent){0, 0};
  for (int i = 0; i < system->fixed.law_count; i++)
    out->constraints += system->fixed.laws[i].data.kind == PICUS_BILATERAL;
  if (out->constraints < 2) return PICUS_OK;
  trial x = {.context = context, .system = system, .t = t};
  picus_status status = picus_evaluation_create(context, system, &x.evaluation);
  if (status) return status;
  x.q = picus_allocate(context, (size_t)system->nq, sizeof *x.q);
  x.u = picus_allocate(context, (size_t)system->nu, sizeof *x.u);
  status = x.q && x.u ? count(&x, q, u, &out->dependent) : PICUS_ERROR_MEMORY;
  picus_release(context, x.q);
  picus_release(context, x.u);
  picus_evaluation_destroy(x.evaluation);
  return status;
}
