/* Memory of a stepper: everything a step needs is allocated here, nothing later. */
#include "scheme/internal.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

static picus_status allocate_state(stepper *s) {
  size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  size_t laws = (size_t)s->set->law_count, rows = (size_t)s->set->row_count;
  double **arrays[] = {&s->q,
                       &s->q_next,
                       &s->rate,
                       &s->u,
                       &s->u_next,
                       &s->u_free,
                       &s->h,
                       &s->contacts.P,
                       &s->gap,
                       &s->contacts.dissipated,
                       &s->contacts.gap_rounding,
                       &s->q_change,
                       &s->contacts.row_restitution,
                       &s->largest};
  size_t sizes[] = {nq, nq, nq, nu, nu, nu, nu, rows, laws, laws, laws, nq, rows, (size_t)s->system->part_count};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    *arrays[i] = picus_allocate(s->context, sizes[i], sizeof(double));
    if (!*arrays[i]) return PICUS_ERROR_MEMORY;
  }
  for (size_t i = 0; i < laws; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    for (int r = 0; r < law->dim; r++) s->contacts.row_restitution[law->first_row + r] = picus_law_restitution(law, r);
  }
  s->contacts.modes = picus_allocate(s->context, laws, sizeof *s->contacts.modes);
  return s->contacts.modes ? picus_impacts_create(s) : PICUS_ERROR_MEMORY;
}

picus_status picus_stepper_create(picus_context *context, const picus_system *system, const scheme_ops *scheme,
                                  const picus_sim_options *options, stepper *s) {
  *s = (stepper){.context = context,
                 .system = system,
                 .set = &system->fixed,
                 .scheme = scheme,
                 .theta = options->theta,
                 .options = options->implicit,
                 .half_explicit = options->half_explicit};
  s->contacts = (contact_state){.context = context, .set = s->set};
  picus_status status = allocate_state(s);
  if (!status) status = picus_step_problem_create(&s->contacts, &s->problem);
  if (!status) status = picus_evaluation_create(context, system, &s->evaluation);
  if (!status) status = picus_evaluation_request(s->evaluation, scheme->jacobians);
  if (!status) status = picus_solver_create(context, &options->solver, &s->contacts.solver);
  if (!status) status = picus_solver_reserve(s->contacts.solver, s->set->law_count, s->set->row_count);
  if (status) return status;
  s->t = options->t_start;
  picus_system_start(system, s->q, s->u);
  picus_evaluation_start_inputs(s->evaluation, s->t);
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  s->judged.W = s->evaluation->W;
  s->judged.u_begin = s->u;
  s->judged.u_free = s->u_free;
  return scheme->create ? scheme->create(s) : PICUS_OK;
}

picus_status picus_stepper_add_evaluation(stepper *s, picus_evaluation **out) {
  picus_status status = picus_evaluation_create(s->context, s->system, out);
  if (!status) picus_evaluation_follow(s->evaluation, *out);
  return status;
}

void picus_stepper_set_inputs(stepper *s, const input_value *inputs) {
  picus_evaluation_set_inputs(s->evaluation, inputs);
  picus_stepper_forget_guess(s);
}

void picus_stepper_release(stepper *s) {
  picus_context *context = s->context;
  if (!context) return;
  if (s->scheme->release) s->scheme->release(s);
  void *blocks[] = {s->q,
                    s->q_next,
                    s->rate,
                    s->u,
                    s->u_next,
                    s->u_free,
                    s->h,
                    s->contacts.P,
                    s->gap,
                    s->contacts.modes,
                    s->contacts.dissipated,
                    s->memory,
                    s->q_low,
                    s->q_change,
                    s->contacts.gap_rounding,
                    s->contacts.closing,
                    s->contacts.history.values,
                    s->contacts.row_restitution,
                    s->largest,
                    s->contacts.turning};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(context, blocks[i]);
  picus_step_problem_release(context, &s->problem);
  picus_evaluation_destroy(s->evaluation);
  picus_solver_destroy(s->contacts.solver);
  *s = (stepper){0};
}

/* Bit by bit: 0 and -0 differ, and a number that is none equals itself. */
static bool same_bits(const double *a, const double *b, int count) {
  return memcmp((const unsigned char *)a, (const unsigned char *)b, (size_t)count * sizeof *a) == 0;
}

bool picus_stepper_is_at(const stepper *s, double t, const double *q, const double *u) {
  return same_bits(&t, &s->t, 1) && same_bits(q, s->q, s->system->nq) && same_bits(u, s->u, s->system->nu);
}

void picus_stepper_restart(stepper *s, double t, const double *q, const double *u) {
  const size_t nq = (size_t)s->system->nq, laws = (size_t)s->set->law_count, rows = (size_t)s->set->row_count;
  s->t = t;
  memcpy(s->q, q, nq * sizeof *q);
  memcpy(s->u, u, (size_t)s->system->nu * sizeof *u);
  memset(s->contacts.P, 0, rows * sizeof *s->contacts.P);
  memset(s->contacts.dissipated, 0, laws * sizeof *s->contacts.dissipated);
  memset(s->contacts.gap_rounding, 0, laws * sizeof *s->contacts.gap_rounding);
  if (s->q_low) memset(s->q_low, 0, nq * sizeof *s->q_low);
  if (s->contacts.closing) memset(s->contacts.closing, 0, laws * sizeof *s->contacts.closing);
  if (s->memory_size) memset(s->memory, 0, s->memory_size * sizeof *s->memory);
  for (size_t i = 0; i < laws; i++) s->contacts.modes[i] = PICUS_OPEN;
  picus_impacts_forget(s);
  picus_step_problem_forget(&s->problem);
  if (s->scheme->restart) s->scheme->restart(s);
  picus_stepper_forget_guess(s);
}

void picus_stepper_forget_guess(stepper *s) {
  if (s->scheme->forget_guess) s->scheme->forget_guess(s);
}

picus_status picus_stepper_step(const scheme_ops *scheme, stepper *s, double dt, picus_step_info *info) {
  picus_status status = scheme->step(s, dt, info);
  if (!status) picus_system_normalise(s->system, s->q);
  return status;
}

static double one_sided(const stepper *s, double t, double inwards) {
  for (int i = 0; i < s->system->stop_count; i++)
    if (fabs(t - s->system->stop_times[i]) <= fabs(inwards)) return t + inwards;
  return t;
}

void picus_step_times(const stepper *s, double dt, double *begin, double *end) {
  const double inwards = fmax(1e-9 * dt, 4 * DBL_EPSILON * fabs(s->t));
  *begin = one_sided(s, s->t, inwards);
  *end = one_sided(s, s->t + dt, -inwards);
}

void picus_step_advance(stepper *s, double dt, const double *rate) {
  const int nq = s->system->nq;
  if (s->q_low)
    for (int i = 0; i < nq; i++) s->q_next[i] = picus_two_sum(s->q[i], s->q_low[i] + dt * rate[i], &s->q_change[i]);
  else
    picus_add_multiple(nq, s->q, dt, rate, s->q_next);
}

picus_status picus_stepper_keep_rounding(stepper *s) {
  s->q_low = picus_allocate(s->context, (size_t)s->system->nq, sizeof *s->q_low);
  return s->q_low ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_stepper_limit_restitution(stepper *s, picus_restitution restitution, double dt_min) {
  s->contacts.restitution = restitution;
  s->contacts.restitution_dt = dt_min;
  s->contacts.closing = picus_allocate(s->context, (size_t)s->set->law_count, sizeof *s->contacts.closing);
  if (!s->contacts.closing) return PICUS_ERROR_MEMORY;
  if (!s->scheme->laws_in_middle || s->system->constants.directions) return PICUS_OK;
  s->contacts.turning = picus_allocate(s->context, 2 * (size_t)s->set->row_count, sizeof *s->contacts.turning);
  return s->contacts.turning ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_snapshot_create(const stepper *s, stepper_snapshot *out) {
  size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  size_t rows = (size_t)s->set->row_count, laws = (size_t)s->set->law_count;
  *out = (stepper_snapshot){.count = nq + nu + rows + laws + nq + s->contacts.history.size + s->memory_size};
  out->values = picus_allocate(s->context, out->count, sizeof *out->values);
  out->modes = picus_allocate(s->context, laws, sizeof *out->modes);
  if (!out->values || !out->modes) return PICUS_ERROR_MEMORY;
  out->q = out->values;
  out->u = out->q + nq;
  out->P = out->u + nu;
  out->dissipated = out->P + rows;
  out->q_low = out->dissipated + laws;
  out->history = out->q_low + nq;
  out->memory = out->history + s->contacts.history.size;
  return PICUS_OK;
}

void picus_snapshot_release(picus_context *context, stepper_snapshot *snapshot) {
  picus_release(context, snapshot->values);
  picus_release(context, snapshot->modes);
  *snapshot = (stepper_snapshot){0};
}

static void copy_numbers(double *to, const double *from, size_t count) {
  if (count > 0) memcpy(to, from, count * sizeof *to);
}

static size_t laws_of(const stepper *s) { return (size_t)s->set->law_count; }
static size_t rows_of(const stepper *s) { return (size_t)s->set->row_count; }

void picus_snapshot_save(const stepper *s, stepper_snapshot *out) {
  out->t = s->t;
  copy_numbers(out->q, s->q, (size_t)s->system->nq);
  copy_numbers(out->u, s->u, (size_t)s->system->nu);
  copy_numbers(out->P, s->contacts.P, rows_of(s));
  copy_numbers(out->dissipated, s->contacts.dissipated, laws_of(s));
  if (s->q_low) copy_numbers(out->q_low, s->q_low, (size_t)s->system->nq);
  copy_numbers(out->history, s->contacts.history.values, s->contacts.history.size);
  copy_numbers(out->memory, s->memory, s->memory_size);
  if (laws_of(s) > 0) memcpy(out->modes, s->contacts.modes, laws_of(s) * sizeof *out->modes);
}

void picus_snapshot_restore(const stepper_snapshot *snapshot, stepper *s) {
  s->t = snapshot->t;
  copy_numbers(s->q, snapshot->q, (size_t)s->system->nq);
  copy_numbers(s->u, snapshot->u, (size_t)s->system->nu);
  copy_numbers(s->contacts.P, snapshot->P, rows_of(s));
  copy_numbers(s->contacts.dissipated, snapshot->dissipated, laws_of(s));
  if (s->q_low) copy_numbers(s->q_low, snapshot->q_low, (size_t)s->system->nq);
  copy_numbers(s->contacts.history.values, snapshot->history, s->contacts.history.size);
  copy_numbers(s->memory, snapshot->memory, s->memory_size);
  if (laws_of(s) > 0) memcpy(s->contacts.modes, snapshot->modes, laws_of(s) * sizeof *s->contacts.modes);
  s->contacts.watched = s->t < *s->contacts.history.watch_until;
  s->problem.changed = true; /* the active set of the last step need not be the one that these results belong to */
}

void picus_snapshot_copy(const stepper *s, const stepper_snapshot *from, stepper_snapshot *to) {
  to->t = from->t;
  copy_numbers(to->values, from->values, from->count);
  if (laws_of(s) > 0) memcpy(to->modes, from->modes, laws_of(s) * sizeof *to->modes);
}
