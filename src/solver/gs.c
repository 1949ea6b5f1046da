/* Solver "gs": block Gauss-Seidel. A sweep visits the laws in order and gives each the exact percussion for the
 * velocity that the others leave it (local.h); known as NSGS (Jourdan, Alart, Jean 1998).
 *
 * With over-relaxation omega the law gets its old percussion plus omega times the change, projected on its set. */
#include "solver/local.h"
#include "solver/sweeps.h"

#include <float.h>

enum { FIRST_ROUND = 2, STAGNATION_SWEEPS = 200 };

typedef struct gauss_seidel {
  picus_local_law *locals; /* law_count */
  double omega;
} gauss_seidel;

static size_t doubles_of_locals(int law_count) {
  return ((size_t)law_count * sizeof(picus_local_law) + sizeof(double) - 1) / sizeof(double);
}

static picus_memory_need gs_need(int law_count, int size) {
  return (picus_memory_need){.doubles = picus_sweeps_need(size) + (size_t)size + doubles_of_locals(law_count),
                             .ints = 0};
}

/* Prepares the laws; the step of a row, 1 / G_ii, is for measuring only. */
static void prepare(const picus_contact_problem *problem, picus_local_law *locals, double *step) {
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    size_t stride;
    const double *block = picus_contact_diagonal_block(problem, i, row, &stride);
    picus_local_prepare(&problem->laws[i], block, stride, &locals[i]);
    for (int k = 0; k < problem->laws[i].dim; k++) {
      double diagonal = fabs(block[(size_t)k * (stride + 1)]);
      step[row + k] = diagonal > DBL_MIN ? 1 / diagonal : 0;
    }
  }
}

/* A law that opens does so at once: on the way to zero by a factor it would never arrive. */
static void relax(const picus_law *law, double omega, const double *old, double *value) {
  picus_contact_problem alone = {.law_count = 1, .laws = law, .size = law->dim};
  bool opens = law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB ? value[0] == 0 : false;
  if (opens) return;
  for (int k = 0; k < law->dim; k++) value[k] = old[k] + omega * (value[k] - old[k]);
  picus_contact_project(&alone, value);
}

static void sweep(picus_sweeps *x) {
  gauss_seidel *gs = x->method;
  for (int i = 0, row = 0; i < x->problem->law_count; row += x->problem->laws[i++].dim) {
    const picus_law *law = &x->problem->laws[i];
    double old[PICUS_LAW_ROWS], value[PICUS_LAW_ROWS], b[PICUS_LAW_ROWS];
    for (int k = 0; k < law->dim; k++) {
      old[k] = x->P[row + k];
      x->P[row + k] = 0; /* b is the velocity without the law's own percussion */
    }
    picus_contact_law_velocity(x->problem, i, row, x->P, b);
    picus_local_solve(&gs->locals[i], b, value);
    for (int k = 0; k < law->dim; k++) x->P[row + k] = old[k];
    if (gs->omega != 1) relax(law, gs->omega, old, value);
    for (int k = 0; k < law->dim; k++) picus_sweeps_set(x, row + k, value[k]);
  }
}

static void halve_omega(picus_sweeps *x) {
  gauss_seidel *gs = x->method;
  gs->omega /= 2;
}

static picus_status gs_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                             picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  double *after_locals = memory.doubles + doubles_of_locals(problem->law_count);
  gauss_seidel gs = {.locals = (void *)memory.doubles, .omega = options->relaxation};
  picus_sweeps x = {.options = options,
                    .problem = problem,
                    .P = P,
                    .sweep = sweep,
                    .shorten = halve_omega,
                    .method = &gs,
                    .step = after_locals,
                    .patience = STAGNATION_SWEEPS,
                    .first_round = FIRST_ROUND};
  (void)modes;
  prepare(problem, gs.locals, x.step);
  return picus_sweeps_run(&x, after_locals + problem->size, iterations);
}

const picus_solver_ops picus_gs_solver = {
    .description = {"gs", "block Gauss-Seidel with the exact solution of each law; any law, any number of contacts",
                    "Jourdan, Alart, Jean 1998, section 4; More, Sorensen 1983, section 3 (one contact)"},
    .refusal = NULL,
    .need = gs_need,
    .solve = gs_solve,
};
