/* The laws of a stepper, where contacts appear and vanish. They change between steps only: a step, with all its
 * iterations, and an adaptive step, with all its attempts, see one set. Every value that belongs to a law is carried to
 * the next set by the identity of the law. */
#include "stepper/internal.h"

typedef struct needs {
  const stepper *stepper;
  const law_search *search;
} needs;

/* Whether one of the kept states has percussions, or a closed contact, at a law of the present set. */
static bool is_needed(const void *user, int law) {
  const needs *of = user;
  const law_search *search = of->search;
  const picus_system_law *data = &of->stepper->set->laws[law].data;
  for (int k = 0; k < search->kept_count; k++) {
    if (search->kept[k]->modes[law] != PICUS_OPEN) return true;
    for (int r = 0; r < data->dim; r++)
      if (search->kept[k]->P[data->first_row + r] != 0) return true;
  }
  return false;
}

static picus_status reserve(stepper *s, const law_set *next) {
  picus_status status = picus_law_arrays_reserve(&s->arrays, next);
  for (size_t i = 0; i < s->snapshot_count; i++) picus_snapshot_find(s, s->snapshots[i]);
  if (status) return status;
  const law_sizes *n = &s->arrays.sizes;
  const bool coupled = s->options.projection == PICUS_PROJECTION_COUPLED;
  const size_t laws = coupled ? 2 * n->laws : n->laws, rows = coupled ? n->rows + n->laws : n->rows;
  return picus_solver_reserve(s->contacts.solver, (int)laws, (int)rows);
}

static void swap_sets(stepper *s) {
  const unsigned long version = s->laws.set.version;
  const changing_set now = s->next;
  s->next = s->laws;
  s->laws = now;
  s->laws.set.version = version;
}

/* The numbers of laws that vanish stay in the totals. */
static void add_gone(stepper *s, const law_change *change) {
  contact_history *h = &s->contacts.history;
  for (int i = 0, next = 0; i < change->before->law_count; i++) {
    if (!picus_law_vanishes(change, i, &next)) continue;
    h->gone.dissipated += s->contacts.dissipated[i];
    h->gone.driven += s->contacts.driven[i];
    h->gone.impacts += h->impacts[i];
    h->gone.chatter += h->chatter[i];
  }
}

/* From the set `next`, which is the former one, to the present one; memory is there. */
static void carry(stepper *s) {
  const law_change change = {.before = &s->next.set, .now = s->set, .from = s->law_from};
  picus_law_set_match_set(change.now, change.before, s->law_from);
  add_gone(s, &change);
  picus_law_arrays_carry(&s->arrays, &change);
  for (size_t i = 0; i < s->snapshot_count; i++) picus_snapshot_carry(s, &change, s->snapshots[i]);
  picus_step_problem_forget(&s->problem);
  picus_step_problem_disown(&s->problem); /* laws that were active need not be */
  s->laws.set.version++;
  if (s->scheme->change_laws) s->scheme->change_laws(s);
}

static void forget_directions(stepper *s) {
  for (int i = 0; i < s->evaluation_count; i++) s->evaluations[i]->directions_ready = false;
}

/* Directions and constants of laws belong to the point of the last step. */
static void renew_laws(stepper *s) {
  picus_step_problem_drop_plan(&s->problem);
  forget_directions(s);
  picus_stepper_fill_laws(s);
}

/* The set `next` becomes the present one. */
static picus_status adopt(stepper *s) {
  const law_set *next = &s->next.set;
  picus_status status = PICUS_OK;
  for (int i = next->fixed_count; s->scheme->check_law && !status && i < next->law_count; i++)
    status = s->scheme->check_law(s, &next->laws[i].data);
  if (status) return status;
  const bool same = picus_law_sets_agree(&s->laws.set, next);
  if (!same || s->laws_are_uncertain) {
    s->laws_are_uncertain = true;
    if ((status = reserve(s, next))) return status;
    s->laws_are_uncertain = false;
  }
  swap_sets(s);
  if (!same) carry(s);
  renew_laws(s);
  return PICUS_OK;
}

picus_status picus_stepper_find_laws(stepper *s, const law_search *search) {
  if (!s->system->appears) return PICUS_OK;
  const needs of = {s, search};
  const kept_laws kept = {is_needed, &of};
  bool same = false;
  picus_evaluation_set_point(s->evaluation, search->t, search->q, search->u);
  picus_status status =
      picus_changing_set_search(&s->next, s->evaluation, search->dt, &s->laws, search->kept_count > 0 ? &kept : NULL,
                                s->laws_are_uncertain ? NULL : &same);
  if (!status && same) renew_laws(s);
  return status || same ? status : adopt(s);
}

picus_status picus_stepper_add_overlaps(stepper *s, double t, int *added) {
  const int before = s->set->law_count;
  picus_evaluation_set_point(s->evaluation, t, s->q, s->u);
  picus_status status = picus_changing_set_add_overlaps(&s->next, s->evaluation, &s->laws);
  *added = status ? 0 : s->next.set.law_count - before;
  return status || *added == 0 ? status : adopt(s);
}

void picus_stepper_forget_laws(stepper *s) {
  if (!s->system->appears || s->set->law_count == s->set->fixed_count) return;
  picus_changing_set_clear(&s->next);
  swap_sets(s);
  carry(s);
  s->laws_are_uncertain = true; /* memory of matrices has the form of the former set */
  forget_directions(s);
}

picus_status picus_stepper_adopt_laws(stepper *s) { return adopt(s); }

/* Detection again at the end of a step, for schemes that keep gaps at position level. The laws of a step are found at
 * its start. While bodies turn, other features of them may come closer within the step, or bodies may meet that were
 * too far apart. So contacts are searched again at the end of the step; if there are some that overlap and had no law,
 * the step is repeated with them as well. A law that a step began with stays: its features did not overlap at the
 * start, and bodies that are separated along one pair of features are separated. If no repetition succeeds, the
 * step fails while shorter ones are possible (`may_leave` false): in these the features move less. */

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

static picus_status repeat(stepper *s, double dt, const picus_step_info *before, picus_step_info *info) {
  const picus_step_info last = *info;
  *info = *before;
  picus_snapshot_restore(&s->redetection.begin, s);
  picus_stepper_forget_guess(s);
  picus_status status = picus_stepper_step(s, dt, info);
  info->implicit.newton_iterations += last.implicit.newton_iterations; /* all attempts are work of the step */
  info->implicit.projection_iterations += last.implicit.projection_iterations;
  info->implicit.prox_first += last.implicit.prox_first;
  info->implicit.prox_second += last.implicit.prox_second;
  info->implicit.prox_failed += last.implicit.prox_failed;
  info->implicit.set_iterations += last.implicit.set_iterations;
  info->solver.last.iterations += last.solver.last.iterations;
  info->shapes.repetitions = last.shapes.repetitions + 1;
  return status;
}

static picus_status fail_with_overlap(const stepper *s, double t, const picus_step_info *info) {
  return picus_fail(s->context, PICUS_NOT_CONVERGED,
                    "'%s' overlaps by %.3g m at t = %.9g, and no repetition of the step with this contact was solved",
                    s->set->laws[info->shapes.overlap_law].data.name, info->shapes.overlap, t);
}

/* The laws of the start alone, as if none had been searched for; what then overlaps is noted. */
static picus_status step_as_before(stepper *s, double dt, const picus_step_info *before, picus_step_info *info) {
  const double t = s->redetection.begin.t + dt;
  int added;
  picus_snapshot_restore(&s->redetection.begin, s);
  picus_status status = picus_stepper_update_laws(s, dt);
  if (!status) status = repeat(s, dt, before, info);
  if (!status) status = picus_stepper_add_overlaps(s, t, &added);
  return !status && added > 0 ? note_overlap(s, t, info) : status;
}

/* Repeats a step that was made until no contact overlaps at its end that had no law in it. */
static picus_status repeat_with_overlaps(stepper *s, double dt, const picus_step_info *before, picus_step_info *info) {
  const double t = s->t + dt;
  for (int k = 0;; k++) {
    int added;
    picus_status status = picus_stepper_add_overlaps(s, t, &added);
    if (!status && added > 0) status = note_overlap(s, t, info);
    if (status || added == 0) return status;
    if (k == REPETITIONS_MOST) return s->redetection.may_leave ? status : fail_with_overlap(s, t, info);
    const picus_step_info last = *info;
    status = repeat(s, dt, before, info);
    /* failures that the step without the repetition need not have */
    const bool may_do_without = status > 0 || status == PICUS_ERROR_NUMBER || status == PICUS_ERROR_SINGULAR;
    if (status && !may_do_without) return status;
    if (status && !s->redetection.may_leave) return fail_with_overlap(s, t, &last);
    if (status) return step_as_before(s, dt, before, info);
  }
}

picus_status picus_stepper_step_with_detection(stepper *s, double dt, picus_step_info *info) {
  const picus_step_info before = *info;
  picus_snapshot_save(s, &s->redetection.begin);
  picus_status status = picus_stepper_step(s, dt, info);
  if (status) return status;
  status = repeat_with_overlaps(s, dt, &before, info);
  if (status) picus_snapshot_restore(&s->redetection.begin, s);
  return status;
}
