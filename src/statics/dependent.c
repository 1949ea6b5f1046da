/* How many constraints of a system depend on others wherever all of them hold. The rank in the initial state alone does
 * not tell: it is too large if the state violates constraints, and too small in a singular position, such as a flat
 * parallelogram. So the rank is the largest one on the constraints: in the initial state, and in a state beside it. */
#include "statics/internal.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

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
