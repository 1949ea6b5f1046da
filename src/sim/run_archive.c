/* The run in a checkpoint: summary, grid of steps, samples, alarms, event log of its callbacks, recorder. */
#include "sim/run.h"

#include "base/internal.h"
#include "sim/summary.h"

#include <float.h>
#include <limits.h>
#include <math.h>

static void archive_law(int *law, picus_archive *a) { picus_archive_choice(a, law, -1, INT_MAX / 2); }

static void archive_paradoxes(picus_paradox_count *count, picus_archive *a) {
  int branch = (int)count->branch;
  picus_archive_long(a, &count->steps);
  picus_archive_double(a, &count->t);
  archive_law(&count->law, a);
  picus_archive_choice(a, &branch, PICUS_BRANCH_OPENED, PICUS_BRANCH_IMPACT);
  count->branch = (picus_branch)branch;
}

static void archive_accepted(picus_accepted_residual *worst, picus_archive *a) {
  picus_archive_double(a, &worst->t);
  picus_archive_double(a, &worst->relative);
  picus_archive_long(a, &worst->laws);
  picus_archive_doubles(a, worst->of_law, PICUS_WORST_LAWS);
  for (int k = 0; k < PICUS_WORST_LAWS; k++) picus_archive_text(a, worst->name[k], sizeof worst->name[k]);
}

static void archive_warnings(picus_summary *s, picus_archive *a) {
  archive_accepted(&s->solver.worst_accepted, a);
  archive_paradoxes(&s->indeterminate, a);
  archive_paradoxes(&s->inconsistent, a);
  archive_paradoxes(&s->steep, a);
  archive_paradoxes(&s->locked, a);
  picus_archive_long(a, &s->shapes.overlaps.steps);
  picus_archive_double(a, &s->shapes.overlaps.t);
  picus_archive_text(a, s->shapes.overlaps.name, sizeof s->shapes.overlaps.name);
  picus_archive_double(a, &s->shapes.overlaps.depth);
  picus_archive_long(a, &s->gaps.passed.count);
  picus_archive_double(a, &s->gaps.passed.t);
  archive_law(&s->gaps.passed.law, a);
  picus_archive_double(a, &s->gaps.passed.travel);
  picus_archive_double(a, &s->gaps.passed.gap);
  picus_archive_long(a, &s->gaps.unexplained.steps);
  picus_archive_double(a, &s->gaps.unexplained.t);
  archive_law(&s->gaps.unexplained.law, a);
  picus_archive_text(a, s->gaps.unexplained.name, sizeof s->gaps.unexplained.name);
  picus_archive_double(a, &s->gaps.unexplained.depth);
  picus_archive_double(a, &s->gaps.unexplained.explained);
}

/* Without what the end of the run fills in. */
static void archive_summary(picus_summary *s, picus_archive *a) {
  picus_archive_long(a, &s->model_events);
  long *const counts[] = {&s->steps,
                          &s->contact_steps,
                          &s->solver.iterations,
                          &s->solver.iterations_max,
                          &s->solver.fallbacks,
                          &s->solver.accepted,
                          &s->shortened,
                          &s->impacts,
                          &s->impact_energy.gains,
                          &s->impact_energy.limited,
                          &s->chatter,
                          &s->rows,
                          &s->implicit.newton_iterations,
                          &s->implicit.newton_iterations_max,
                          &s->implicit.projection_iterations,
                          &s->implicit.projection_iterations_max,
                          &s->implicit.set_iterations,
                          &s->implicit.set_iterations_max,
                          &s->implicit.prox_first,
                          &s->implicit.prox_first_max,
                          &s->implicit.prox_second,
                          &s->implicit.prox_second_max,
                          &s->implicit.prox_failed,
                          &s->shapes.repeated,
                          &s->shapes.repetitions_max,
                          &s->adaptive.base_steps,
                          &s->adaptive.rejected,
                          &s->adaptive.switching_points,
                          &s->adaptive.order_largest,
                          &s->adaptive.missed,
                          &s->adaptive.rounded,
                          &s->switched};
  double *const numbers[] = {&s->t_start,
                             &s->solver.worst_residual,
                             &s->solver.worst_residual_t,
                             &s->gaps.penetration,
                             &s->gaps.penetration_t,
                             &s->gaps.constraint,
                             &s->gaps.constraint_t,
                             &s->energy.start,
                             &s->energy.dissipated,
                             &s->energy.driven,
                             &s->energy.work,
                             &s->energy.spurious,
                             &s->impact_energy.gained,
                             &s->impact_energy.gained_t,
                             &s->implicit.worst_projection,
                             &s->adaptive.dt_least,
                             &s->adaptive.dt_largest,
                             &s->adaptive.worst_miss,
                             &s->adaptive.worst_miss_t,
                             &s->switched_t};
  picus_archive_mark(a, "summary");
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) picus_archive_long(a, counts[i]);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) picus_archive_double(a, numbers[i]);
  archive_law(&s->gaps.penetration_law, a);
  picus_archive_text(a, s->gaps.penetration_name, sizeof s->gaps.penetration_name);
  archive_law(&s->gaps.constraint_law, a);
  archive_warnings(s, a);
}

static void archive_alarm(growth_alarm *w, const picus_system *system, picus_archive *a) {
  const size_t nq = (size_t)system->nq, nu = (size_t)system->nu;
  picus_archive_mark(a, "growth alarm");
  picus_archive_doubles(a, w->weight, nu);
  picus_archive_doubles(a, w->q, nq);
  picus_archive_doubles(a, w->u, nu);
  double *const numbers[] = {&w->limit,      &w->rate,         &w->level,        &w->t,
                             &w->difference, &w->window.whole, &w->window.halved};
  long *const counts[] = {&w->last, &w->took, &w->stride, &w->wait};
  int *const few[] = {&w->to_compare, &w->growths, &w->window.compared, &w->window.off, &w->window.faster};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) picus_archive_double(a, numbers[i]);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) picus_archive_long(a, counts[i]);
  for (size_t i = 0; i < sizeof few / sizeof few[0]; i++) picus_archive_choice(a, few[i], 0, INT_MAX / 64);
  picus_archive_choice(a, &w->velocity, 0, nu > 0 ? (int)nu - 1 : 0);
}

static void archive_passage(passage_watch *w, const stepper *s, picus_archive *a) {
  const size_t nq = (size_t)s->system->nq;
  const size_t laws = (size_t)s->set->law_count;
  picus_archive_mark(a, "passages");
  picus_archive_doubles(a, w->trigger, laws);
  picus_archive_doubles(a, w->widest, laws);
  picus_archive_doubles(a, w->lowest, laws);
  picus_archive_doubles(a, w->approach, laws);
  picus_archive_doubles(a, w->explained, laws);
  picus_archive_bool(a, &w->about_to_close);
  picus_archive_double(a, &w->t);
  picus_archive_doubles(a, w->q, nq);
  picus_archive_doubles(a, w->rate, nq);
}

static void archive_callbacks(run *r, picus_archive *a) {
  size_t length;
  const size_t place = picus_archive_begin_length(a, &length);
  if (a->direction != ARCHIVE_READS) {
    if (r->callbacks.log) picus_event_log_archive(r->callbacks.log, r->sim->stepper.set, a);
    picus_archive_end_length(a, place);
  } else if (length > 0 && r->callbacks.log)
    picus_event_log_archive(r->callbacks.log, r->sim->stepper.set, a);
  else if (!a->status)
    a->at += length;
}

void picus_run_archive_recorder(run *r, picus_archive *a) {
  size_t length;
  picus_archive_mark(a, "rows");
  const size_t place = picus_archive_begin_length(a, &length);
  if (a->direction != ARCHIVE_READS) {
    if (r->recorder) picus_recorder_archive(r->recorder, r->sim->stepper.set, a);
    picus_archive_end_length(a, place);
  } else if (length > 0 && r->recorder)
    picus_recorder_archive(r->recorder, r->sim->stepper.set, a);
  else if (!a->status) {
    a->at += length;
    if (r->recorder) picus_archive_reject(a, "it was written without a recorder");
  }
}

/* A run that was saved is at the end of a step of its grid, and its next sample follows within one interval. Otherwise
 * it would wait for a step that never comes. */
static void check_times(const run *r, picus_archive *a) {
  const picus_sim_options *o = &r->sim->options;
  const double t = r->sim->stepper.t, round_off = 8 * DBL_EPSILON * fmax(fabs(t), fabs(o->t_start));
  const double grid = r->grid_begin + r->grid_steps * o->dt, sample = o->t_start + (double)r->next_sample * o->sample;
  if (!o->adaptive && !(r->grid_steps >= 0 && fabs(grid - t) <= 1e-6 * o->dt + round_off))
    picus_archive_reject(a, "the grid of its steps does not lead to its time");
  else if (o->sample > 0 &&
           !(sample >= t - 1e-6 * o->sample - round_off && sample <= t + (1 + 1e-6) * o->sample + round_off))
    picus_archive_reject(a, "its next sample does not follow its time");
}

void picus_run_archive(run *r, picus_archive *a) {
  stepper *s = &r->sim->stepper;
  int paradox = (int)r->start_paradox;
  double seconds = r->seconds_before + picus_clock_steady() - r->begin;
  archive_callbacks(r, a);
  archive_summary(r->summary, a);
  picus_archive_mark(a, "run");
  picus_archive_double(a, &seconds);
  picus_archive_long(a, &r->next_sample);
  picus_archive_double(a, &r->grid_begin);
  picus_archive_double(a, &r->grid_steps);
  picus_archive_choice(a, &paradox, PICUS_PARADOX_NONE, PICUS_PARADOX_LOCKED);
  r->start_paradox = (picus_paradox)paradox;
  picus_archive_choice(a, &r->start_law, 0, s->set->law_count > 0 ? s->set->law_count - 1 : 0);
  picus_archive_long(a, &r->next_growth_look);
  if (!r->sim->options.adaptive) {
    archive_alarm(&r->alarm, s->system, a);
    archive_passage(&r->passage, s, a);
  }
  if (!picus_archive_reads(a)) return;
  r->seconds_before = isfinite(seconds) ? seconds : 0;
  check_times(r, a);
}
