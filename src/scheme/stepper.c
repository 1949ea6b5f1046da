/* Memory of a stepper: everything a step needs is allocated here, nothing later. */
#include "scheme/internal.h"

#include "base/internal.h"

static picus_status allocate_problem(picus_context *context, const picus_system *system, step_problem *p) {
  size_t laws = (size_t)system->law_count, rows = (size_t)system->row_count;
  p->active = picus_allocate(context, laws, sizeof *p->active);
  p->laws = picus_allocate(context, laws, sizeof *p->laws);
  p->modes = picus_allocate(context, laws, sizeof *p->modes);
  p->G = picus_allocate(context, rows * rows, sizeof(double));
  p->c = picus_allocate(context, rows, sizeof(double));
  p->P = picus_allocate(context, rows, sizeof(double));
  p->start = picus_allocate(context, rows, sizeof(double));
  p->begin = picus_allocate(context, rows, sizeof(double));
  p->free = picus_allocate(context, rows, sizeof(double));
  p->inverse_mass_W = picus_allocate(context, system->W_size, sizeof(double));
  p->solved = picus_allocate(context, rows, sizeof *p->solved);
  bool all = p->active && p->laws && p->modes && p->G && p->c && p->P && p->start && p->begin && p->free &&
             p->inverse_mass_W && p->solved;
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status allocate_state(stepper *s) {
  size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  size_t laws = (size_t)s->system->law_count, rows = (size_t)s->system->row_count;
  double **arrays[] = {&s->q,      &s->q_next, &s->rate, &s->u,   &s->u_next,
                       &s->u_free, &s->h,      &s->P,    &s->gap, &s->dissipated};
  size_t sizes[] = {nq, nq, nq, nu, nu, nu, nu, rows, laws, laws};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    *arrays[i] = picus_allocate(s->context, sizes[i], sizeof(double));
    if (!*arrays[i]) return PICUS_ERROR_MEMORY;
  }
  s->modes = picus_allocate(s->context, laws, sizeof *s->modes);
  return s->modes ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_stepper_create(picus_context *context, const picus_system *system,
                                  const picus_solver_options *solver, stepper *s) {
  *s = (stepper){.context = context, .system = system};
  picus_status status = allocate_state(s);
  if (status == PICUS_OK) status = allocate_problem(context, system, &s->problem);
  if (status == PICUS_OK) status = picus_evaluation_create(context, system, &s->evaluation);
  if (status == PICUS_OK) status = picus_solver_create(context, solver, &s->solver);
  if (status == PICUS_OK) status = picus_solver_reserve(s->solver, system->law_count, system->row_count);
  if (status != PICUS_OK) return status;
  s->t = system->t_start;
  picus_system_start(system, s->q, s->u);
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  return picus_evaluation_constant_delassus(s->evaluation);
}

void picus_stepper_release(stepper *s) {
  picus_context *context = s->context;
  if (!context) return;
  step_problem *p = &s->problem;
  void *blocks[] = {s->q,     s->q_next,         s->rate,   s->u,    s->u_next, s->u_free, s->h, s->P, s->gap,
                    s->modes, s->dissipated,     p->active, p->laws, p->modes,  p->G,      p->c, p->P, p->begin,
                    p->free,  p->inverse_mass_W, p->solved, p->start};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(context, blocks[i]);
  picus_evaluation_destroy(s->evaluation);
  picus_solver_destroy(s->solver);
  *s = (stepper){0};
}
