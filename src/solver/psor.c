/* Solver "psor": projected Gauss-Seidel with over-relaxation (Studer 2008, eq. 23).
 *
 * A sweep visits the laws in order; in a contact first the normal row, then the friction rows with the radius that the
 * new P_N allows. The step r of a row, or of a block of friction rows, is omega over the largest absolute row sum of
 * its diagonal block of G: a bound on the block's spectrum, and omega / G_ii for a single row. */
#include "solver/internal.h"

#include <float.h>
#include <string.h>

enum { FIRST_LOOK = 4, LOOK_INTERVAL = 256, STAGNATION_SWEEPS = 1000 };

typedef struct relaxation {
  const picus_contact_problem *problem;
  double *P;
  const double *step;        /* r of each row; 0 where the diagonal block is zero: the law acts on nothing */
  double change, percussion; /* of one sweep: largest |P_new - P_old| and largest |P_new| of a row */
} relaxation;

static picus_memory_need psor_need(int law_count, int size) {
  (void)law_count;
  return (picus_memory_need){.doubles = 2 * (size_t)size, .ints = 0};
}

static double block_step(const picus_contact_problem *problem, double omega, int first_row, int dim) {
  double bound = 0;
  for (int k = first_row; k < first_row + dim; k++) {
    const double *row = problem->G + (size_t)k * (size_t)problem->size;
    double sum = 0;
    for (int l = first_row; l < first_row + dim; l++) sum += fabs(row[l]);
    if (sum > bound) bound = sum;
  }
  return bound > DBL_MIN ? omega / bound : 0;
}

static void choose_steps(const picus_contact_problem *problem, double omega, double *step) {
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i].dim, i++) {
    const picus_law *law = &problem->laws[i];
    int normal_rows = law->kind == PICUS_RESERVOIR ? 0 : 1;
    if (normal_rows) step[row] = block_step(problem, omega, row, 1);
    int friction_rows = law->dim - normal_rows;
    if (!friction_rows) continue;
    double friction_step = block_step(problem, omega, row + normal_rows, friction_rows);
    for (int k = normal_rows; k < law->dim; k++) step[row + k] = friction_step;
  }
}

static double velocity(const relaxation *x, int row) {
  int size = x->problem->size;
  const double *G = x->problem->G + (size_t)row * (size_t)size;
  double sum = x->problem->c[row];
  for (int j = 0; j < size; j++) sum += G[j] * x->P[j];
  return sum;
}

static void set_percussion(relaxation *x, int row, double value) {
  double change = fabs(value - x->P[row]), size = fabs(value);
  if (!(change <= x->change)) x->change = change; /* also keeps a NaN */
  if (size > x->percussion) x->percussion = size;
  x->P[row] = value;
}

static void relax_normal(relaxation *x, int row, bool unilateral) {
  double value = x->step[row] > 0 ? x->P[row] - x->step[row] * velocity(x, row) : 0;
  set_percussion(x, row, unilateral && value < 0 ? 0 : value);
}

/* Rows of friction that share a ball. Where the block of G is zero the friction cannot change its own slip: it opposes
 * it with all it has. */
static void relax_friction(relaxation *x, int row, int dim, double radius) {
  double value[PICUS_LAW_ROWS], length_bound = 0;
  for (int k = 0; k < dim; k++) {
    double xi = velocity(x, row + k);
    value[k] = x->step[row] > 0 ? x->P[row + k] - x->step[row] * xi : -xi;
    length_bound += fabs(xi);
  }
  if (x->step[row] == 0 && length_bound > 0 && length_bound < DBL_MAX) {
    double length = picus_length(dim, value);
    for (int k = 0; k < dim; k++) value[k] *= radius / length;
  }
  picus_prox_ball(dim, radius, value);
  for (int k = 0; k < dim; k++) set_percussion(x, row + k, value[k]);
}

static void sweep(relaxation *x) {
  x->change = x->percussion = 0;
  for (int i = 0, row = 0; i < x->problem->law_count; row += x->problem->laws[i].dim, i++) {
    const picus_law *law = &x->problem->laws[i];
    switch (law->kind) {
    case PICUS_BILATERAL:
      relax_normal(x, row, false);
      break;
    case PICUS_UNILATERAL:
      relax_normal(x, row, true);
      break;
    case PICUS_COULOMB:
      relax_normal(x, row, true);
      relax_friction(x, row + 1, law->dim - 1, law->radius * x->P[row]);
      break;
    case PICUS_RESERVOIR:
      relax_friction(x, row, law->dim, law->radius);
      break;
    }
  }
}

static void start_from_finite(int size, double *P) {
  for (int k = 0; k < size; k++)
    if (!isfinite(P[k])) P[k] = 0;
}

/* Largest r_i |c_i|: the percussion that would stop the free motion of a row. */
static double free_percussion(const picus_contact_problem *problem, const double *step) {
  double largest = 0;
  for (int k = 0; k < problem->size; k++) largest = fmax(largest, fabs(step[k] * problem->c[k]));
  return largest;
}

/* What the sweeps have reached, looked at from time to time. */
typedef struct progress {
  double best, worth_improving; /* relative residuals */
  double *best_P;
  int improved_at; /* sweep */
} progress;

/* The residual of P; keeps P if it is the best so far. */
static double look(progress *p, const picus_contact_problem *problem, const double *P, int sweep_count) {
  double relative = picus_contact_judge(problem, P, NULL, NULL, NULL).relative;
  if (relative < p->best) {
    p->best = relative;
    memcpy(p->best_P, P, (size_t)problem->size * sizeof *P);
  }
  if (p->best < 0.9 * p->worth_improving) {
    p->worth_improving = p->best;
    p->improved_at = sweep_count;
  }
  return relative;
}

/* Sweeps until the residual is small enough. The change of a sweep is a residual too, with r in place of rho, and costs
 * nothing. It must be small relative to P itself or have come down to rounding: the true residual is relative to the
 * free percussions as well and would let a small P pass with few digits. The true one is computed when the change is
 * small, and at sweeps 4, 8, ..., 256, 512, 768, ... to see whether there is progress at all. */
static picus_status psor_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                               picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  size_t bytes = (size_t)problem->size * sizeof *P;
  double *step = memory.doubles;
  progress p = {INFINITY, INFINITY, step + problem->size, 0};
  (void)modes;
  choose_steps(problem, options->relaxation, step);
  double rounding = 4 * DBL_EPSILON * free_percussion(problem, step);
  start_from_finite(problem->size, P);
  if (rounding == 0) memset(P, 0, bytes); /* nothing moves: nothing to stop */
  picus_contact_project(problem, P);
  memcpy(p.best_P, P, bytes);
  relaxation x = {.problem = problem, .P = P, .step = step};
  int next_look = FIRST_LOOK;
  double look_below = INFINITY; /* after a look that was too early: not before the change has halved */
  bool solved = false;
  for (int count = 1; count <= options->max_iterations && !solved; count++) {
    sweep(&x);
    ++*iterations;
    if (!isfinite(x.change)) break;
    bool stands_still = x.change <= DBL_EPSILON * x.percussion;
    bool small = stands_still || x.change <= fmax(options->tolerance * x.percussion, rounding);
    bool scheduled = count == next_look || count == options->max_iterations;
    if (!scheduled && !(small && x.change <= look_below)) continue;
    if (count == next_look) next_look += next_look < LOOK_INTERVAL ? next_look : LOOK_INTERVAL;
    if (small) look_below = x.change / 2;
    solved = look(&p, problem, P, count) <= options->tolerance && small;
    if (stands_still || count - p.improved_at > STAGNATION_SWEEPS) break;
  }
  if (!solved) memcpy(P, p.best_P, bytes);
  return solved || p.best <= options->tolerance ? PICUS_OK : PICUS_NOT_CONVERGED;
}

const picus_solver_ops picus_psor_solver = {
    .description = {"psor", "projected Gauss-Seidel with over-relaxation; any law, any number of contacts",
                    "Studer, Leine, Glocker 2008, section 3, eq. (23)"},
    .refusal = NULL,
    .need = psor_need,
    .solve = psor_solve,
};
