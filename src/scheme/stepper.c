/* Memory of a stepper: everything a step needs is allocated here, nothing later. */
#include "scheme/internal.h"

#include "base/internal.h"

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

picus_status picus_stepper_create(picus_context *context, const picus_system *system, const scheme_ops *scheme,
                                  const picus_sim_options *options, stepper *s) {
  *s = (stepper){
      .context = context, .system = system, .scheme = scheme, .theta = options->theta, .options = options->implicit};
  picus_status status = allocate_state(s);
  if (status == PICUS_OK) status = picus_step_problem_create(context, system, &s->problem);
  if (status == PICUS_OK) status = picus_evaluation_create(context, system, &s->evaluation);
  if (status == PICUS_OK) status = picus_delassus_create(context, system, &s->delassus);
  if (status == PICUS_OK) status = picus_solver_create(context, &options->solver, &s->solver);
  if (status == PICUS_OK) status = picus_solver_reserve(s->solver, system->law_count, system->row_count);
  if (status != PICUS_OK) return status;
  s->t = options->t_start;
  picus_system_start(system, s->q, s->u);
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  return scheme->create ? scheme->create(s) : PICUS_OK;
}

void picus_stepper_release(stepper *s) {
  picus_context *context = s->context;
  if (!context) return;
  if (s->scheme->release) s->scheme->release(s);
  void *blocks[] = {s->q, s->q_next, s->rate, s->u,     s->u_next,     s->u_free,
                    s->h, s->P,      s->gap,  s->modes, s->dissipated, s->memory};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(context, blocks[i]);
  picus_step_problem_release(context, &s->problem);
  picus_delassus_release(context, &s->delassus);
  picus_evaluation_destroy(s->evaluation);
  picus_solver_destroy(s->solver);
  *s = (stepper){0};
}

picus_status picus_stepper_step(const scheme_ops *scheme, stepper *s, double dt, picus_step_info *info) {
  picus_status status = scheme->step(s, dt, info);
  if (status == PICUS_OK) picus_system_normalise(s->system, s->q);
  return status;
}
