/* Solver "gs": block Gauss-Seidel. A sweep visits the laws in order and gives each the exact percussion for the
 * velocity that the others leave it (local.h); known as NSGS (Jourdan, Alart, Jean 1998).
 *
 * With over-relaxation omega the law gets its old percussion plus omega times the change, projected on its set. Between
 * sweeps, Anderson's mixing (anderson.h) takes the slow directions of redundant contacts out. */
#include "sweep/body_problem.h"
#include "sweep/local.h"
#include "sweep/sweeps.h"

#include <float.h>

enum { FIRST_ROUND = 2, FIRST_ROUND_WARM = 1, STAGNATION_SWEEPS = 200 };

#define NEARLY_SYMMETRIC 0.05 /* |G_kl - G_lk| over the diagonal: below, the symmetric part of G_ii is solved for */

typedef struct gauss_seidel {
  picus_local_law *laws; /* law_count */
  double omega;
} gauss_seidel;

static size_t doubles_of_laws(int law_count) {
  return ((size_t)law_count * sizeof(picus_local_law) + sizeof(double) - 1) / sizeof(double);
}

static picus_memory_need gs_need(int law_count, int size) {
  size_t doubles = picus_sweeps_need(size) + picus_anderson_need(size) + 2 * (size_t)size + doubles_of_laws(law_count);
  return (picus_memory_need){.doubles = doubles, .ints = 0};
}

/* The symmetric part of a block, and how much is left, relative to the diagonal. */
static double split(int dim, const double *block, size_t stride, double *symmetric) {
  double left = 0;
  for (size_t k = 0, n = (size_t)dim; k < n; k++)
    for (size_t l = 0; l < n; l++) {
      double a = block[k * stride + l], b = block[l * stride + k];
      double diagonal = fabs(block[k * (stride + 1)]) + fabs(block[l * (stride + 1)]);
      symmetric[k * n + l] = (a + b) / 2;
      if (fabs(a - b) > left * diagonal) left = fabs(a - b) / diagonal;
    }
  return left;
}

/* The symmetric part S of an almost symmetric block is cheaper to solve for. The rest of the block acts on the
 * percussion of the last sweep, b = xi - S P_old: in the limit nothing is neglected. For a factored G, b = xi - G_ii
 * P_old. */
static void prepare_law(const picus_contact_problem *problem, int number, int row, picus_local_law *law, double *step) {
  const picus_operator *G = picus_operator_of(problem);
  size_t stride, dim = (size_t)problem->laws[number].dim;
  double own[PICUS_OWN_BLOCK] = {0}, symmetric[PICUS_OWN_BLOCK];
  const double *block = G->own_block(problem, number, row, own, &stride);
  double left = split((int)dim, block, stride, symmetric);
  bool remainder = left > DBL_EPSILON && left < NEARLY_SYMMETRIC;
  picus_local_prepare(&problem->laws[number], remainder ? symmetric : block, remainder ? dim : stride, law);
  law->subtracts = remainder || G->by_velocities;
  for (size_t k = 0; k < dim; k++) {
    double diagonal = fabs(block[k * (stride + 1)]);
    step[row + (int)k] = diagonal > DBL_MIN ? 1 / diagonal : 0;
  }
}

/* Velocity of the law's rows without its own percussion, except for the remainder. */
static void velocity_without(const picus_contact_problem *problem, const picus_local_law *own, int law, int row,
                             double *P, double *b) {
  int dim = problem->laws[law].dim;
  double old[PICUS_LAW_ROWS];
  if (own->subtracts) {
    picus_operator_of(problem)->law_velocity(problem, law, row, P, b);
    for (int k = 0; k < dim; k++)
      for (int l = 0; l < dim; l++) b[k] -= own->own[k * dim + l] * P[row + l];
    return;
  }
  for (int k = 0; k < dim; k++) {
    old[k] = P[row + k];
    P[row + k] = 0;
  }
  picus_operator_of(problem)->law_velocity(problem, law, row, P, b);
  for (int k = 0; k < dim; k++) P[row + k] = old[k];
}

/* A law that opens does so at once: on the way to zero by a factor it would never arrive. */
static void relax(const picus_sweeps *x, int number, int row, double *value) {
  const double *old = x->P + row, omega = ((const gauss_seidel *)x->method)->omega;
  const picus_law *own = &x->problem->laws[number];
  const double normal = own->kind == PICUS_ROLLING ? picus_rolling_normal(x->problem, number, old) : 0;
  const picus_law fixed = picus_law_with_normal(*own, normal), *law = &fixed;
  const picus_contact_problem alone = {.law_count = 1, .laws = law, .size = law->dim};
  bool opens = law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB ? value[0] == 0 : false;
  if (opens) return;
  for (int k = 0; k < law->dim; k++) value[k] = old[k] + omega * (value[k] - old[k]);
  picus_contact_project(&alone, value);
}

static inline void visit(picus_sweeps *x, int i, int row) {
  gauss_seidel *gs = x->method;
  const picus_law *law = &x->problem->laws[i];
  double value[PICUS_LAW_ROWS], b[PICUS_LAW_ROWS];
  velocity_without(x->problem, &gs->laws[i], i, row, x->P, b);
  picus_local_solve(&gs->laws[i], b, value);
  if (gs->omega != 1) relax(x, i, row, value);
  for (int k = 0; k < law->dim; k++) picus_sweeps_set_row(x, i, row, k, value[k]);
}

/* A rolling law has the radius of the P_N that its contact has now. Solving both together would take no sweep less. */
static void sweep(picus_sweeps *x) {
  const gauss_seidel *gs = x->method;
  const picus_law *laws = x->problem->laws;
  picus_contact_load(x->problem, x->P);
  for (int i = 0, row = 0; i < x->problem->law_count; row += laws[i++].dim) {
    if (laws[i].kind == PICUS_ROLLING)
      gs->laws[i].radius = laws[i].radius * picus_rolling_normal(x->problem, i, x->P + row);
    visit(x, i, row);
  }
}

static void halve_omega(picus_sweeps *x) {
  gauss_seidel *gs = x->method;
  gs->omega /= 2;
}

/* Over bodies where G is given by its factors and there are many laws; else over the rows of G, with mixing. */
static picus_status gs_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                             picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  const picus_limits *limits = memory.limits;
  (void)modes;
  if (picus_operator_of(problem)->by_velocities && problem->law_count >= PICUS_BODY_SWEEP_LAWS &&
      options->relaxation == 1) {
    const picus_gs_task task = {options, problem, memory.bodies, limits};
    picus_status status;
    if (picus_gs_bodies(&task, P, iterations, &status)) return status;
  }
  size_t size = (size_t)problem->size;
  double *step = memory.doubles + doubles_of_laws(problem->law_count), *weight = step + size;
  double *of_mixing = weight + size, *of_sweeps = of_mixing + picus_anderson_need(problem->size);
  gauss_seidel gs = {.laws = (void *)memory.doubles, .omega = options->relaxation};
  picus_anderson mixing;
  picus_sweeps x = {.options = options,
                    .problem = problem,
                    .P = P,
                    .sweep = sweep,
                    .shorten = halve_omega,
                    .method = &gs,
                    .step = step,
                    .mixing = &mixing,
                    .patience = limits->patience > 0 ? limits->patience : STAGNATION_SWEEPS,
                    .first_round = limits->is_warm ? FIRST_ROUND_WARM : FIRST_ROUND,
                    .residual_suffices = true,
                    .limits = limits};
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) /* the step is 1 / G_ii */
    prepare_law(problem, i, row, &gs.laws[i], step);
  for (size_t k = 0; k < size; k++) weight[k] = step[k] > 0 ? 1 / step[k] : 0; /* squares of percussions: energies */
  picus_anderson_start(&mixing, problem->size, weight, of_mixing);
  return picus_sweeps_run(&x, of_sweeps, iterations);
}

const picus_solver_ops picus_gs_solver = {
    .description = {"gs", "block Gauss-Seidel with the exact solution of each law; any law, any number of contacts",
                    "Jourdan, Alart, Jean 1998, section 4; More, Sorensen 1983, section 3 (one contact)"},
    .takes_factors = true,
    .need = gs_need,
    .solve = gs_solve,
};
