/* The stepper in a checkpoint: everything that a step leaves for the next one. Arrays of laws are those that follow the
 * laws when they change, so an array that is registered there is saved. What is not here is computed anew by every step
 * from the state alone; `checkpoint` in test/unit compares the bits. */
#include "stepper/internal.h"

#include "base/internal.h"
#include "statics/internal.h"

static size_t count_of(int count) { return (size_t)count; }

/* Constraints are closed, also in files in which they were open before the first step. */
static void check_modes(picus_archive *a, const law_set *set, picus_mode *modes) {
  if (!picus_archive_reads(a)) return;
  for (int i = 0; i < set->law_count; i++) {
    if (modes[i] != PICUS_OPEN && modes[i] != PICUS_STICK && modes[i] != PICUS_SLIP) {
      picus_archive_reject(a, "a law has no valid mode");
      return;
    }
    if (set->laws[i].data.kind == PICUS_BILATERAL) modes[i] = PICUS_STICK;
  }
}

/* Numbers of events are stored as doubles and become integers in results. */
static void check_counts(picus_archive *a, size_t count, const double *values) {
  for (size_t i = 0; picus_archive_reads(a) && i < count; i++)
    if (!(values[i] >= 0 && values[i] < 9e15)) picus_archive_reject(a, "a number of impacts is out of range");
}

static void archive_state(stepper *s, picus_archive *a) {
  picus_archive_mark(a, "state");
  picus_archive_double(a, &s->t);
  picus_archive_doubles(a, s->q, count_of(s->system->nq));
  picus_archive_doubles(a, s->u, count_of(s->system->nu));
  if (s->q_low) picus_archive_doubles(a, s->q_low, count_of(s->system->nq));
  picus_archive_doubles(a, s->memory, s->memory_size);
  picus_archive_doubles(a, s->sides, s->side_numbers);
  if (s->counts_switches) {
    picus_archive_doubles(a, s->sides + s->system->switch_count, count_of(s->system->switch_count));
    picus_archive_int(a, &s->steps_unseen);
  }
  picus_archive_doubles(a, s->works.work, count_of(s->works.count));
  if (!picus_archive_reads(a)) return;
  if (!isfinite(s->t))
    picus_archive_reject(a, "its time is not finite");
  else if (picus_system_check_state(a->context, s->system, s->q, s->u))
    picus_archive_reject(a, "its state is not finite");
}

static void archive_laws(stepper *s, picus_archive *a) {
  changing_set *set = a->direction == ARCHIVE_READS ? &s->next : &s->laws;
  if (!s->system->appears) return;
  picus_changing_set_archive(set, &s->laws, a);
  if (picus_archive_reads(a)) a->status = picus_stepper_adopt_laws(s);
}

static void archive_contacts(stepper *s, picus_archive *a) {
  contact_state *c = &s->contacts;
  law_totals *gone = &c->history.gone;
  picus_law_arrays_archive(&s->arrays, s->set, a);
  picus_archive_mark(a, "contact state");
  picus_archive_double(a, &c->history.watch_until);
  picus_archive_double(a, &gone->dissipated);
  picus_archive_double(a, &gone->driven);
  picus_archive_double(a, &gone->impacts);
  picus_archive_double(a, &gone->chatter);
  picus_archive_bool(a, &c->watched);
  picus_archive_bool(a, &c->laws_at_end);
  if (c->laws_at_end && !c->turning) picus_archive_reject(a, "its laws hold elsewhere in a step");
  check_modes(a, s->set, c->modes);
  check_counts(a, count_of(s->set->law_count), c->history.impacts);
  check_counts(a, count_of(s->set->law_count), c->history.chatter);
  check_counts(a, 2, (double[]){gone->impacts, gone->chatter});
}

static void archive_inputs(stepper *s, picus_archive *a) {
  input_value *inputs = s->evaluation->inputs;
  picus_archive_mark(a, "inputs");
  for (int i = 0; i < s->system->input_count; i++) {
    picus_archive_double(a, &inputs[i].value);
    picus_archive_double(a, &inputs[i].rate);
    picus_archive_double(a, &inputs[i].since);
    if (picus_archive_reads(a) && !picus_all_finite((double[]){inputs[i].value, inputs[i].rate, inputs[i].since}, 3))
      picus_archive_reject(a, "an input is not finite");
  }
  if (!picus_archive_reads(a)) return;
  picus_evaluation_set_inputs(s->evaluation, inputs);
  if (s->holds_sides) picus_evaluation_hold(s->evaluation, s->sides);
}

void picus_stepper_archive(stepper *s, picus_archive *a) {
  if (a->direction == ARCHIVE_READS) picus_stepper_restart(s, s->t, s->q, s->u);
  archive_laws(s, a);
  archive_state(s, a);
  archive_contacts(s, a);
  archive_inputs(s, a);
  picus_solver_archive(s->contacts.solver, a);
  if (s->scheme->archive) s->scheme->archive(s, a);
  if (!picus_archive_reads(a)) return;
  picus_step_problem_disown(&s->problem); /* the first step finds its active laws anew */
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
}

void picus_snapshot_archive(const stepper *s, stepper_snapshot *x, picus_archive *a) {
  picus_archive_mark(a, "snapshot");
  picus_archive_double(a, &x->t);
  picus_archive_same(a, x->count, "a state to return to has another size");
  picus_archive_doubles(a, x->values, x->count);
  for (int i = 0; i < s->set->law_count; i++) {
    int mode = (int)x->modes[i];
    picus_archive_choice(a, &mode, PICUS_OPEN, PICUS_SLIP);
    x->modes[i] = (picus_mode)mode;
  }
  check_modes(a, s->set, x->modes);
  check_counts(a, count_of(s->set->law_count), x->impacts);
  check_counts(a, count_of(s->set->law_count), x->chatter);
  check_counts(a, 2, x->totals + 3);
}
