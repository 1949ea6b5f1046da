/* Siconos' side of the benchmark: its numerics library (4.4), local formulation. Each solver is taken with the storage
 * and the settings that suit it best; several settings of one solver take part as contenders of their own. */
#include "clock.h"
#include "solvers_benchmark.h"

#ifdef PICUS_WITH_SICONOS

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <stdlib.h>
#include <string.h>

typedef struct siconos_solver {
  const char *name;
  int dimension, id, local; /* local: solver of one contact; 0: the default */
  bool blocks;              /* sparse blocks; otherwise sparse (spatial) or dense (planar) */
  int integers[3][2];       /* index and value of further settings; index 0 ends */
} siconos_solver;

static const siconos_solver solvers[] = {
    {"NSGS hybrid", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID, true, {{0}}},
    {"NSGS newton", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, true, {{0}}},
    {"NSGS projection",
     3,
     SICONOS_FRICTION_3D_NSGS,
     SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
     true,
     {{0}}},
    {"NSGS quartic", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, true, {{0}}},
    {"NSGS light",
     3,
     SICONOS_FRICTION_3D_NSGS,
     SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID,
     true,
     {{SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION, SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT_WITH_FULL_FINAL}}},
    {"NSN_AC", 3, SICONOS_FRICTION_3D_NSN_AC, 0, false, {{0}}},
    {"NSN_AC eg",
     3,
     SICONOS_FRICTION_3D_NSN_AC,
     0,
     false,
     {{SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY, SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN}}},
    {"NSN_AC jean-moreau",
     3,
     SICONOS_FRICTION_3D_NSN_AC,
     0,
     false,
     {{SICONOS_FRICTION_3D_NSN_FORMULATION, SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_GENERATED}}},
    {"NSN_FB", 3, SICONOS_FRICTION_3D_NSN_FB, 0, false, {{0}}},
    {"PROX", 3, SICONOS_FRICTION_3D_PROX, 0, false, {{0}}},
    {"ADMM", 3, SICONOS_FRICTION_3D_ADMM, 0, false, {{0}}},
    {"TFP", 3, SICONOS_FRICTION_3D_TFP, 0, true, {{0}}},
    {"ACLMFP", 3, SICONOS_FRICTION_3D_ACLMFP, 0, true, {{0}}},
    {"VI_FPP", 3, SICONOS_FRICTION_3D_VI_FPP, 0, true, {{0}}},
    {"VI_EG", 3, SICONOS_FRICTION_3D_VI_EG, 0, true, {{0}}},
    {"NSGS", 2, SICONOS_FRICTION_2D_NSGS, 0, true, {{0}}},
    {"NSGS dense", 2, SICONOS_FRICTION_2D_NSGS, 0, false, {{0}}},
    {"CPG", 2, SICONOS_FRICTION_2D_CPG, 0, false, {{0}}},
    {"LEMKE", 2, SICONOS_FRICTION_2D_LEMKE, 0, false, {{0}}},
};
enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0], DENSE_LIMIT = 3000 /* rows of a dense matrix */ };

typedef struct siconos_state {
  const siconos_solver *solver;
  FrictionContactProblem *problem;
  SolverOptions *options;
  double tolerance, *velocity;
  size_t size;
  bool from_start; /* P is the initial guess; else zero */
} siconos_state;

const char *siconos_solver_name(int number) {
  return number >= 0 && number < SOLVER_COUNT ? solvers[number].name : NULL;
}

bool siconos_takes(int number, const picus_contact_problem *problem) {
  const siconos_solver *solver = &solvers[number];
  for (int i = 0; i < problem->law_count; i++)
    if (problem->laws[i].kind != PICUS_COULOMB || problem->laws[i].dim != solver->dimension) return false;
  return solver->blocks || solver->dimension == 3 || problem->size <= DENSE_LIMIT;
}

/* Calls put for each number of G that is not zero. */
static void visit(const picus_contact_problem *p, NumericsMatrix *M, void (*put)(NumericsMatrix *, int, int, double)) {
  const picus_block_matrix *b = p->blocks;
  for (int i = 0; i < p->law_count; i++)
    for (int n = b->row_start[i]; n < b->row_start[i + 1]; n++) {
      int j = b->column[n], dim = p->laws[j].dim;
      for (int k = 0; k < p->laws[i].dim; k++)
        for (int l = 0; l < dim; l++) {
          double value = b->values[b->offset[n] + (size_t)(k * dim + l)];
          if (value != 0) put(M, b->first_row[i] + k, b->first_row[j] + l, value);
        }
    }
}

static void put_sparse(NumericsMatrix *M, int i, int j, double value) { NM_entry(M, i, j, value); }
static void put_dense(NumericsMatrix *M, int i, int j, double value) {
  M->matrix0[(size_t)j * (size_t)M->size0 + (size_t)i] = value;
}

static NumericsMatrix *make_matrix(const siconos_solver *solver, const picus_contact_problem *p) {
  size_t last = (size_t)p->blocks->row_start[p->law_count];
  if (!solver->blocks && solver->dimension == 2) {
    NumericsMatrix *dense = NM_create(NM_DENSE, p->size, p->size);
    memset(dense->matrix0, 0, (size_t)p->size * (size_t)p->size * sizeof *dense->matrix0);
    visit(p, dense, put_dense);
    return dense;
  }
  NumericsMatrix *sparse = NM_create(NM_SPARSE, p->size, p->size);
  NM_triplet_alloc(sparse, (CS_INT)(last * 9));
  visit(p, sparse, put_sparse);
  if (!solver->blocks) return sparse;
  SparseBlockStructuredMatrix *blocks = SBM_new();
  SBM_from_csparse(solver->dimension, NM_csc(sparse), blocks);
  return NM_new_SBM(p->size, p->size, blocks);
}

static bool solve(void *state, double *P, solve_result *out) {
  siconos_state *s = state;
  if (!s->from_start) memset(P, 0, s->size * sizeof *P);
  memset(s->velocity, 0, s->size * sizeof *s->velocity);
  s->options->dparam[SICONOS_DPARAM_TOL] = s->tolerance;
  s->options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  stop_watch begin = stop_watch_start();
  int failed = s->solver->dimension == 3 ? fc3d_driver(s->problem, P, s->velocity, s->options)
                                         : fc2d_driver(s->problem, P, s->velocity, s->options);
  out->seconds = stop_watch_read(begin);
  out->iterations = s->options->iparam[SICONOS_IPARAM_ITER_DONE];
  out->claimed = failed == 0;
  return true;
}

static void close_state(void *state) { (void)state; } /* the process ends here anyway */

bool siconos_candidate_open(int number, const picus_contact_problem *p, double tolerance, candidate *out) {
  const siconos_solver *solver = &solvers[number];
  siconos_state *s = calloc(1, sizeof *s);
  double *q = malloc((size_t)p->size * sizeof *q), *mu = malloc((size_t)p->law_count * sizeof *mu);
  if (!s || !q || !mu) return false;
  numerics_set_verbose(0);
  memcpy(q, p->c, (size_t)p->size * sizeof *q);
  for (int i = 0; i < p->law_count; i++) mu[i] = p->laws[i].radius;
  s->solver = solver;
  s->size = (size_t)p->size;
  s->tolerance = tolerance;
  s->velocity = calloc(s->size, sizeof *s->velocity);
  s->problem = frictionContactProblem_new_with_data(solver->dimension, p->law_count, make_matrix(solver, p), q, mu);
  s->options = solver_options_create(solver->id);
  if (solver->local) solver_options_update_internal(s->options, 0, solver->local);
  for (int k = 0; k < 3 && solver->integers[k][0]; k++)
    s->options->iparam[solver->integers[k][0]] = solver->integers[k][1];
  *out = (candidate){s, solve, close_state};
  return true;
}

void siconos_candidate_keep_start(candidate *c) { ((siconos_state *)c->state)->from_start = true; }

#else

const char *siconos_solver_name(int number) {
  (void)number;
  return NULL;
}
bool siconos_takes(int number, const picus_contact_problem *problem) {
  (void)number;
  (void)problem;
  return false;
}
bool siconos_candidate_open(int number, const picus_contact_problem *problem, double tolerance, candidate *out) {
  (void)number;
  (void)problem;
  (void)tolerance;
  (void)out;
  return false;
}
void siconos_candidate_keep_start(candidate *c) { (void)c; }

#endif
