/* Siconos' side of the benchmark: its numerics library (4.4), local formulation. Each solver is taken with the storage
 * and the settings that suit it best; several settings of one solver take part as contenders of their own. Solvers for
 * spatial friction take planar problems too: each contact gets a second direction of friction, in which nothing moves
 * and which is coupled to nothing. */
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
    {"FPP", 3, SICONOS_FRICTION_3D_FPP, 0, true, {{0}}},
    {"EG", 3, SICONOS_FRICTION_3D_EG, 0, true, {{0}}},
    {"NSGS freezing",
     3,
     SICONOS_FRICTION_3D_NSGS,
     SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID,
     true,
     {{SICONOS_FRICTION_3D_NSGS_FREEZING_CONTACT, 10}}},
    {"NSN_NM", 3, SICONOS_FRICTION_3D_NSN_NM, 0, false, {{0}}},
    {"DSFP", 3, SICONOS_FRICTION_3D_DSFP, 0, true, {{0}}},
    {"HP", 3, SICONOS_FRICTION_3D_HP, 0, true, {{0}}},
    {"PFP", 3, SICONOS_FRICTION_3D_PFP, 0, true, {{0}}},
    {"NSGS", 2, SICONOS_FRICTION_2D_NSGS, 0, true, {{0}}},
    {"NSGS dense", 2, SICONOS_FRICTION_2D_NSGS, 0, false, {{0}}},
    {"CPG", 2, SICONOS_FRICTION_2D_CPG, 0, false, {{0}}},
    {"LEMKE", 2, SICONOS_FRICTION_2D_LEMKE, 0, false, {{0}}},
};
enum {
  SOLVER_COUNT = sizeof solvers / sizeof solvers[0],
  DENSE_LIMIT = 6000, /* rows of a dense matrix: 300 MB */
  LEMKE_LIMIT = 3000  /* LEMKE makes it larger */
};

typedef struct siconos_state {
  const siconos_solver *solver;
  FrictionContactProblem *problem;
  SolverOptions *options;
  double tolerance, *velocity;
  double *reaction; /* with the directions that a planar problem does not have; NULL: P itself */
  size_t laws;
  bool from_start; /* P is the initial guess; else zero */
} siconos_state;

const char *siconos_solver_name(int number) {
  return number >= 0 && number < SOLVER_COUNT ? solvers[number].name : NULL;
}

static bool is_all_coulomb(const picus_contact_problem *problem, int dim) {
  for (int i = 0; i < problem->law_count; i++)
    if (problem->laws[i].kind != PICUS_COULOMB || problem->laws[i].dim != dim) return false;
  return true;
}

bool siconos_takes(int number, const picus_contact_problem *problem) {
  const siconos_solver *solver = &solvers[number];
  if (solver->dimension == 3) return is_all_coulomb(problem, 3) || is_all_coulomb(problem, 2);
  const int most = solver->id == SICONOS_FRICTION_2D_LEMKE ? LEMKE_LIMIT : DENSE_LIMIT;
  return is_all_coulomb(problem, 2) && (solver->blocks || problem->size <= most);
}

/* Calls put for each number of G that is not zero, in rows of a problem with `rows` for each contact. */
static void visit(const picus_contact_problem *p, int rows, NumericsMatrix *M,
                  void (*put)(NumericsMatrix *, int, int, double)) {
  const picus_block_matrix *b = p->blocks;
  for (int i = 0; i < p->law_count; i++)
    for (int n = b->row_start[i]; n < b->row_start[i + 1]; n++) {
      int j = b->column[n], dim = p->laws[j].dim;
      const double *values = b->values + b->offset[n];
      for (int k = 0; k < p->laws[i].dim; k++)
        for (int l = 0; l < dim; l++)
          if (values[k * dim + l] != 0) put(M, rows * i + k, rows * j + l, values[k * dim + l]);
      if (j == i && dim < rows) put(M, rows * i + dim, rows * i + dim, values[dim * dim - 1]);
    }
}

static void put_sparse(NumericsMatrix *M, int i, int j, double value) { NM_entry(M, i, j, value); }
static void put_dense(NumericsMatrix *M, int i, int j, double value) {
  M->matrix0[(size_t)j * (size_t)M->size0 + (size_t)i] = value;
}

static NumericsMatrix *make_matrix(const siconos_solver *solver, const picus_contact_problem *p) {
  size_t last = (size_t)p->blocks->row_start[p->law_count];
  const int rows = solver->dimension, size = rows * p->law_count;
  if (!solver->blocks && rows == 2) {
    NumericsMatrix *dense = NM_create(NM_DENSE, size, size);
    memset(dense->matrix0, 0, (size_t)size * (size_t)size * sizeof *dense->matrix0);
    visit(p, rows, dense, put_dense);
    return dense;
  }
  NumericsMatrix *sparse = NM_create(NM_SPARSE, size, size);
  NM_triplet_alloc(sparse, (CS_INT)(last * 9));
  visit(p, rows, sparse, put_sparse);
  if (!solver->blocks) return sparse;
  SparseBlockStructuredMatrix *blocks = SBM_new();
  SBM_from_csparse(rows, NM_csc(sparse), blocks);
  return NM_new_SBM(size, size, blocks);
}

/* The two rows of each planar contact to and from the three of a spatial one. */
static void spread(size_t laws, const double *planar, double *spatial) {
  for (size_t i = 0; i < laws; i++) {
    memcpy(spatial + 3 * i, planar + 2 * i, 2 * sizeof *planar);
    spatial[3 * i + 2] = 0;
  }
}
static void gather(size_t laws, const double *spatial, double *planar) {
  for (size_t i = 0; i < laws; i++) memcpy(planar + 2 * i, spatial + 3 * i, 2 * sizeof *planar);
}

static bool solve(void *state, double *P, solve_result *out) {
  siconos_state *s = state;
  const size_t size = s->laws * (size_t)s->solver->dimension;
  double *reaction = s->reaction ? s->reaction : P;
  if (s->reaction) spread(s->laws, P, reaction);
  if (!s->from_start) memset(reaction, 0, size * sizeof *P);
  memset(s->velocity, 0, size * sizeof *s->velocity);
  s->options->dparam[SICONOS_DPARAM_TOL] = s->tolerance;
  s->options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  stop_watch begin = stop_watch_start();
  int failed = s->solver->dimension == 3 ? fc3d_driver(s->problem, reaction, s->velocity, s->options)
                                         : fc2d_driver(s->problem, reaction, s->velocity, s->options);
  out->seconds = stop_watch_read(begin);
  out->iterations = s->options->iparam[SICONOS_IPARAM_ITER_DONE];
  out->claimed = failed == 0;
  if (s->reaction) gather(s->laws, reaction, P);
  return true;
}

static void close_state(void *state) { (void)state; } /* the process ends here anyway */

bool siconos_candidate_open(int number, const picus_contact_problem *p, double tolerance, candidate *out) {
  const siconos_solver *solver = &solvers[number];
  siconos_state *s = calloc(1, sizeof *s);
  const size_t laws = (size_t)p->law_count, size = laws * (size_t)solver->dimension;
  const bool embeds = size > (size_t)p->size;
  double *q = malloc(size * sizeof *q), *mu = malloc(laws * sizeof *mu);
  if (!s || !q || !mu) return false;
  numerics_set_verbose(0);
  if (embeds)
    spread(laws, p->c, q);
  else
    memcpy(q, p->c, size * sizeof *q);
  for (int i = 0; i < p->law_count; i++) mu[i] = p->laws[i].radius;
  s->solver = solver;
  s->laws = laws;
  s->tolerance = tolerance;
  s->velocity = calloc(size, sizeof *s->velocity);
  s->reaction = embeds ? calloc(size, sizeof *s->reaction) : NULL;
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
