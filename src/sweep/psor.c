/* Solver "psor": projected Gauss-Seidel with over-relaxation (Studer 2008, eq. 23).
 *
 * A sweep visits the laws in order; in a contact first the normal row, then the friction rows with the radius that the
 * new P_N allows. The step r of a row, or of a block of friction rows, is omega over the largest absolute row sum of
 * its diagonal block of G: a bound on the block's spectrum, and omega / G_ii for a single row. */
#include "sweep/sweeps.h"

#include <float.h>

enum { FIRST_ROUND = 4, STAGNATION_SWEEPS = 500 };

static picus_memory_need psor_need(int law_count, int size) {
  (void)law_count;
  return (picus_memory_need){.doubles = picus_sweeps_need(size) + (size_t)size, .ints = 0};
}

/* The step of dim rows of a law, from the row first on; block: that of the law with itself. */
static double block_step(const double *block, size_t stride, double omega, int first, int dim) {
  double bound = 0;
  for (int k = first; k < first + dim; k++) {
    double sum = 0;
    for (int l = first; l < first + dim; l++) sum += fabs(block[(size_t)k * stride + (size_t)l]);
    if (sum > bound) bound = sum;
  }
  return bound > DBL_MIN ? omega / bound : 0;
}

static void choose_steps(const picus_contact_problem *problem, double omega, double *step) {
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i].dim, i++) {
    const picus_law *law = &problem->laws[i];
    int normal_rows = picus_normal_rows(law->kind);
    size_t stride;
    double own[PICUS_OWN_BLOCK] = {0};
    const double *block = picus_operator_of(problem)->own_block(problem, i, row, own, &stride);
    if (normal_rows) step[row] = block_step(block, stride, omega, 0, 1);
    int friction_rows = law->dim - normal_rows;
    if (!friction_rows) continue;
    double friction_step = block_step(block, stride, omega, normal_rows, friction_rows);
    for (int k = normal_rows; k < law->dim; k++) step[row + k] = friction_step;
  }
}

static void relax_normal(picus_sweeps *x, int law, int row, bool unilateral) {
  double value = 0;
  if (x->step[row] > 0)
    value = x->P[row] - x->step[row] * picus_operator_of(x->problem)->row_velocity(x->problem, law, row, 0, x->P);
  picus_sweeps_set_row(x, law, row, 0, unilateral && value < 0 ? 0 : value);
}

/* Rows of friction that share a ball: those of the law after its normal rows. If the block of G is zero, friction
 * cannot change its own slip: it opposes it with its full radius. */
static void relax_friction(picus_sweeps *x, int law, int first_row, int normal_rows, double radius) {
  int row = first_row + normal_rows, dim = x->problem->laws[law].dim - normal_rows;
  double value[PICUS_LAW_ROWS] = {0}, length_bound = 0;
  for (int k = 0; k < dim; k++) {
    double xi = picus_operator_of(x->problem)->row_velocity(x->problem, law, first_row, normal_rows + k, x->P);
    value[k] = x->step[row] > 0 ? x->P[row + k] - x->step[row] * xi : -xi;
    length_bound += fabs(xi);
  }
  if (x->step[row] == 0 && length_bound > 0 && length_bound < DBL_MAX) {
    double length = picus_length(dim, value);
    for (int k = 0; k < dim; k++) value[k] *= radius / length;
  }
  picus_prox_ball(dim, radius, value);
  for (int k = 0; k < dim; k++) picus_sweeps_set_row(x, law, first_row, normal_rows + k, value[k]);
}

/* One sweep: the normal row of each law, then its friction rows, which see the newest P_N. */
static void sweep(picus_sweeps *x) {
  picus_contact_load(x->problem, x->P);
  for (int i = 0, row = 0; i < x->problem->law_count; row += x->problem->laws[i].dim, i++) {
    const picus_law *law = &x->problem->laws[i];
    switch (law->kind) {
    case PICUS_BILATERAL:
      relax_normal(x, i, row, false);
      break;
    case PICUS_UNILATERAL:
      relax_normal(x, i, row, true);
      break;
    case PICUS_COULOMB:
      relax_normal(x, i, row, true);
      relax_friction(x, i, row, 1, law->radius * x->P[row]); /* the radius of the newest P_N */
      break;
    case PICUS_RESERVOIR:
      relax_friction(x, i, row, 0, law->radius);
      break;
    case PICUS_ROLLING:
      relax_friction(x, i, row, 0, law->radius * picus_rolling_normal(x->problem, i, x->P + row));
      break;
    }
  }
}

static picus_status psor_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                               picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  (void)modes;
  picus_sweeps x = {.options = options,
                    .problem = problem,
                    .P = P,
                    .sweep = sweep,
                    .shorten = picus_sweeps_halve_steps,
                    .step = memory.doubles,
                    .patience = STAGNATION_SWEEPS,
                    .first_round = FIRST_ROUND,
                    .residual_suffices = memory.limits->others_follow,
                    .limits = memory.limits};
  choose_steps(problem, options->relaxation, x.step);
  return picus_sweeps_run(&x, memory.doubles + problem->size, iterations);
}

const picus_solver_ops picus_psor_solver = {
    .description = {"psor", "projected Gauss-Seidel with over-relaxation; any law, any number of contacts",
                    "Studer, Leine, Glocker 2008, section 3, eq. (23)"},
    .takes_factors = true,
    .need = psor_need,
    .solve = psor_solve,
};
