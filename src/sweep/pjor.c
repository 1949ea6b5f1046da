/* Solver "pjor": projected Jacobi with over-relaxation (Studer 2008, eq. 22).
 *
 * All laws are projected from the same P: the sweeps do not depend on the order of the laws. The step r of a row is
 * omega over its absolute row sum in all of G, for friction rows that share a ball the largest of their row sums. With
 * R = diag(r) / omega the spectrum of R G then lies in [0, 1] (Gershgorin), so that P - r xi is nonexpansive for any
 * omega below 2 and any coupling; r from the diagonal alone, as in psor, would diverge for a few coupled contacts. */
#include "sweep/sweeps.h"

#include <float.h>
#include <string.h>

enum { FIRST_ROUND = 4, STAGNATION_SWEEPS = 500 };

static picus_memory_need pjor_need(int law_count, int size) {
  (void)law_count;
  return (picus_memory_need){.doubles = picus_sweeps_need(size) + 2 * (size_t)size, .ints = 0};
}

static double step_of(double omega, double sum) { return sum > DBL_MIN ? omega / sum : 0; }

static void choose_steps(const picus_contact_problem *problem, double omega, double *step) {
  const picus_operator *G = picus_operator_of(problem);
  picus_contact_load_sums(problem, NULL);
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    int normal_rows = picus_normal_rows(problem->laws[i].kind);
    if (normal_rows) step[row] = step_of(omega, G->row_sum(problem, i, row, 0, NULL, 0));
    double largest = 0;
    for (int k = normal_rows; k < problem->laws[i].dim; k++)
      largest = fmax(largest, G->row_sum(problem, i, row, k, NULL, 0));
    for (int k = normal_rows; k < problem->laws[i].dim; k++) step[row + k] = step_of(omega, largest);
  }
}

/* The friction radius follows from the new P_N. A normal row that acts on nothing has P = 0; such friction opposes its
 * slip with its full radius, as in psor. */
static void project_law(picus_sweeps *x, int number, int row, const double *xi) {
  const picus_law *law = &x->problem->laws[number];
  int normal_rows = picus_normal_rows(law->kind), friction_rows = law->dim - normal_rows;
  double radius = law->radius, value[PICUS_LAW_ROWS];
  if (law->kind == PICUS_ROLLING) radius *= picus_rolling_normal(x->problem, number, x->P + row);
  if (normal_rows) {
    double normal = x->step[row] > 0 ? x->P[row] - x->step[row] * xi[0] : 0;
    if (law->kind != PICUS_BILATERAL) normal = picus_prox_positive(normal);
    picus_sweeps_set(x, row, normal);
    radius *= normal;
  }
  if (!friction_rows) return;
  row += normal_rows;
  xi += normal_rows;
  double slip = picus_length(friction_rows, xi);
  for (int k = 0; k < friction_rows; k++) {
    value[k] = x->P[row + k] - x->step[row] * xi[k];
    if (x->step[row] == 0) value[k] = slip > 0 ? -radius * (xi[k] / slip) : 0;
  }
  picus_prox_ball(friction_rows, radius, value);
  for (int k = 0; k < friction_rows; k++) picus_sweeps_set(x, row + k, value[k]);
}

static void sweep(picus_sweeps *x) {
  double *xi = x->method;
  picus_operator_of(x->problem)->multiply(x->problem, x->P, xi);
  for (int i = 0, row = 0; i < x->problem->law_count; row += x->problem->laws[i++].dim)
    project_law(x, i, row, xi + row);
}

static picus_status pjor_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                               picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  picus_sweeps x = {.options = options,
                    .problem = problem,
                    .P = P,
                    .sweep = sweep,
                    .shorten = picus_sweeps_halve_steps,
                    .method = memory.doubles + problem->size,
                    .step = memory.doubles,
                    .patience = STAGNATION_SWEEPS,
                    .first_round = FIRST_ROUND,
                    .limits = memory.limits};
  (void)modes;
  choose_steps(problem, options->relaxation, x.step);
  return picus_sweeps_run(&x, memory.doubles + 2 * problem->size, iterations);
}

const picus_solver_ops picus_pjor_solver = {
    .description = {"pjor", "projected Jacobi with over-relaxation; any law, independent of the order of the laws",
                    "Studer, Leine, Glocker 2008, section 3, eq. (22)"},
    .refusal = NULL,
    .takes_factors = true,
    .need = pjor_need,
    .solve = pjor_solve,
};
