/* Detection again at the end of a step, for schemes that keep gaps at position level. The laws of a step are found at
 * its start. While bodies turn, other features of them may come closer within the step, or bodies may meet that were
 * too far apart. So contacts are searched again at the end of the step; if there are some that overlap and had no law,
 * the step is repeated with them as well. A law that a step began with stays: its features did not overlap at the
 * start, and bodies that are apart in the direction of one pair of features are apart. If no repetition succeeds, the
 * step fails while shorter ones are possible (`may_leave` false): in these the features move less. */
#include "scheme/internal.h"

enum { REPETITIONS_MOST = 10 };

static bool looks_for_overlaps(const picus_system *system) {
  for (int k = 0; k < system->source_count; k++) {
    const appearing_ops *ops = system->sources[k].ops->appearing;
    if (ops && ops->overlaps) return true;
  }
  return false;
}

picus_status picus_redetection_create(stepper *s) {
  if (s->scheme->penetrates != PENETRATES_NOT || !looks_for_overlaps(s->system)) return PICUS_OK;
  s->redetection.on = s->redetection.may_leave = true;
  return picus_snapshot_create(s, &s->redetection.begin);
}

/* The deepest of the laws that have just been added, at the end of the step. */
static picus_status note_overlap(stepper *s, double t, picus_step_info *info) {
  picus_evaluation_set_point(s->evaluation, t, s->q, s->u);
  picus_status status = picus_evaluate_gaps(s->evaluation, s->gap);
  info->shapes.overlap = 0;
  for (int i = 0; !status && i < s->set->law_count; i++) {
    if (s->law_from[i] >= 0 || !picus_law_can_open(&s->set->laws[i].data) || -s->gap[i] <= info->shapes.overlap)
      continue;
    info->shapes.overlap = -s->gap[i];
    info->shapes.overlap_law = i;
  }
  return status;
}

/* All attempts are work of the step. */
static void add_work(const picus_step_info *attempt, picus_step_info *info) {
  info->implicit.newton_iterations += attempt->implicit.newton_iterations;
  info->implicit.projection_iterations += attempt->implicit.projection_iterations;
  info->implicit.set_iterations += attempt->implicit.set_iterations;
  info->implicit.prox_first += attempt->implicit.prox_first;
  info->implicit.prox_second += attempt->implicit.prox_second;
  info->implicit.prox_failed += attempt->implicit.prox_failed;
  info->solver.last.iterations += attempt->solver.last.iterations;
}

static picus_status repeat(const scheme_ops *scheme, stepper *s, double dt, const picus_step_info *before,
                           picus_step_info *info) {
  const picus_step_info last = *info;
  *info = *before;
  picus_snapshot_restore(&s->redetection.begin, s);
  picus_stepper_forget_guess(s);
  picus_status status = picus_stepper_step(scheme, s, dt, info);
  add_work(&last, info);
  info->shapes.repetitions = last.shapes.repetitions + 1;
  return status;
}

static picus_status fail_with_overlap(const stepper *s, double t, const picus_step_info *info) {
  return picus_fail(s->context, PICUS_NOT_CONVERGED,
                    "'%s' overlaps by %.3g m at t = %.9g, and no repetition of the step with this contact was solved",
                    s->set->laws[info->shapes.overlap_law].data.name, info->shapes.overlap, t);
}

/* The laws of the start alone, as if nothing had been looked for; what then overlaps is noted. */
static picus_status step_as_before(const scheme_ops *scheme, stepper *s, double dt, const picus_step_info *before,
                                   picus_step_info *info) {
  const double t = s->redetection.begin.t + dt;
  int added;
  picus_snapshot_restore(&s->redetection.begin, s);
  picus_status status = picus_stepper_update_laws(s, dt);
  if (!status) status = repeat(scheme, s, dt, before, info);
  if (!status) status = picus_stepper_add_overlaps(s, t, &added);
  return !status && added > 0 ? note_overlap(s, t, info) : status;
}

/* Failures of a repetition that the step without it need not have. */
static bool may_do_without(picus_status status) {
  return status > 0 || status == PICUS_ERROR_NUMBER || status == PICUS_ERROR_SINGULAR;
}

/* After a step: until no contact overlaps that had no law. */
static picus_status repeat_with_overlaps(const scheme_ops *scheme, stepper *s, double dt, const picus_step_info *before,
                                         picus_step_info *info) {
  const double t = s->t + dt;
  for (int k = 0;; k++) {
    int added;
    picus_status status = picus_stepper_add_overlaps(s, t, &added);
    if (!status && added > 0) status = note_overlap(s, t, info);
    if (status || added == 0) return status;
    if (k == REPETITIONS_MOST) return s->redetection.may_leave ? status : fail_with_overlap(s, t, info);
    const picus_step_info last = *info;
    status = repeat(scheme, s, dt, before, info);
    if (status && !may_do_without(status)) return status;
    if (status && !s->redetection.may_leave) return fail_with_overlap(s, t, &last);
    if (status) return step_as_before(scheme, s, dt, before, info);
  }
}

picus_status picus_stepper_step_with_detection(const scheme_ops *scheme, stepper *s, double dt, picus_step_info *info) {
  const picus_step_info before = *info;
  picus_snapshot_save(s, &s->redetection.begin);
  picus_status status = picus_stepper_step(scheme, s, dt, info);
  if (status) return status;
  status = repeat_with_overlaps(scheme, s, dt, &before, info);
  if (status) picus_snapshot_restore(&s->redetection.begin, s);
  return status;
}
