/* States of a stepper to return to: copies of its numbers, which follow its laws when these change. And the stepper in
 * a checkpoint. */
#include "base/internal.h"
#include "statics/internal.h"
#include "stepper/internal.h"

#include <string.h>

enum { TOTALS = 5 }; /* watch_until, and four numbers of vanished laws */

static size_t laws_of(const stepper *s) { return (size_t)s->set->law_count; }
static size_t rows_of(const stepper *s) { return (size_t)s->set->row_count; }
static size_t remembered_of(const stepper *s, const law_set *set) {
  return (size_t)(s->remembered_per_row * set->row_count) + (size_t)(s->remembered_per_law * set->law_count);
}

static size_t most_numbers(const law_sizes *n) {
  return 2 * n->nq + n->nu + n->rows + 7 * n->laws + n->works + TOTALS + n->memory + n->memory_per_row * n->rows +
         n->memory_per_law * n->laws;
}

/* Where the pieces are, for the laws of a set. */
static void lay_out(const stepper *s, const law_set *set, stepper_snapshot *x) {
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu, laws = (size_t)set->law_count;
  double *next = x->values;
  struct {
    double **place;
    size_t count;
  } const pieces[] = {{&x->q, nq},
                      {&x->u, nu},
                      {&x->q_low, nq},
                      {&x->P, (size_t)set->row_count},
                      {&x->dissipated, laws},
                      {&x->driven, laws},
                      {&x->work, (size_t)s->works.count},
                      {&x->totals, TOTALS},
                      {&x->opened, laws},
                      {&x->closed, laws},
                      {&x->struck, laws},
                      {&x->impacts, laws},
                      {&x->chatter, laws},
                      {&x->memory, s->memory_size},
                      {&x->sides, s->side_numbers},
                      {&x->law_memory, remembered_of(s, set)}};
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
    *pieces[i].place = next;
    next += pieces[i].count;
  }
  x->count = (size_t)(next - x->values);
}

picus_status picus_snapshot_create(stepper *s, stepper_snapshot *out) {
  *out = (stepper_snapshot){0};
  if (s->snapshot_count == PICUS_SNAPSHOTS_MOST)
    return picus_fail(s->context, PICUS_ERROR_ARGUMENT, "a stepper has at most %d snapshots", PICUS_SNAPSHOTS_MOST);
  s->snapshots[s->snapshot_count++] = out;
  s->arrays.sizes.memory = s->memory_size + s->side_numbers;
  s->arrays.sizes.memory_per_row = (size_t)s->remembered_per_row;
  s->arrays.sizes.memory_per_law = (size_t)s->remembered_per_law;
  const law_array arrays[] = {picus_scratch(&out->values, sizeof(double), most_numbers),
                              picus_scratch(&out->modes, sizeof *out->modes, picus_by_law)};
  picus_status status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  if (!status) lay_out(s, s->set, out);
  return status;
}

void picus_snapshot_release(stepper *s, stepper_snapshot *snapshot) {
  picus_law_arrays_drop(&s->arrays, &snapshot->values);
  picus_law_arrays_drop(&s->arrays, &snapshot->modes);
  for (size_t i = 0; i < s->snapshot_count; i++)
    if (s->snapshots[i] == snapshot) s->snapshots[i] = s->snapshots[--s->snapshot_count];
  *snapshot = (stepper_snapshot){0};
}

static void copy_numbers(double *to, const double *from, size_t count) {
  if (count > 0) memcpy(to, from, count * sizeof *to);
}

void picus_snapshot_save(const stepper *s, stepper_snapshot *out) {
  const contact_history *h = &s->contacts.history;
  const size_t laws = laws_of(s);
  out->t = s->t;
  copy_numbers(out->q, s->q, (size_t)s->system->nq);
  copy_numbers(out->u, s->u, (size_t)s->system->nu);
  copy_numbers(out->P, s->contacts.P, rows_of(s));
  copy_numbers(out->dissipated, s->contacts.dissipated, laws);
  copy_numbers(out->driven, s->contacts.driven, laws);
  copy_numbers(out->work, s->works.work, (size_t)s->works.count);
  if (s->q_low) copy_numbers(out->q_low, s->q_low, (size_t)s->system->nq);
  const law_totals *gone = &h->gone;
  copy_numbers(out->totals,
               (double[TOTALS]){h->watch_until, gone->dissipated, gone->driven, gone->impacts, gone->chatter}, TOTALS);
  copy_numbers(out->opened, h->opened, laws);
  copy_numbers(out->closed, h->closed, laws);
  copy_numbers(out->struck, h->struck, laws);
  copy_numbers(out->impacts, h->impacts, laws);
  copy_numbers(out->chatter, h->chatter, laws);
  copy_numbers(out->memory, s->memory, s->memory_size);
  copy_numbers(out->sides, s->sides, s->side_numbers);
  copy_numbers(out->law_memory, s->law_memory, remembered_of(s, s->set));
  if (laws > 0) memcpy(out->modes, s->contacts.modes, laws * sizeof *out->modes);
}

/* The stepper as it was when the snapshot was taken, with the same laws. */
void picus_snapshot_restore(const stepper_snapshot *x, stepper *s) {
  contact_history *h = &s->contacts.history;
  const size_t laws = laws_of(s);
  s->t = x->t;
  copy_numbers(s->q, x->q, (size_t)s->system->nq);
  copy_numbers(s->u, x->u, (size_t)s->system->nu);
  copy_numbers(s->contacts.P, x->P, rows_of(s));
  copy_numbers(s->contacts.dissipated, x->dissipated, laws);
  copy_numbers(s->contacts.driven, x->driven, laws);
  copy_numbers(s->works.work, x->work, (size_t)s->works.count);
  if (s->q_low) copy_numbers(s->q_low, x->q_low, (size_t)s->system->nq);
  h->watch_until = x->totals[0];
  h->gone = (law_totals){x->totals[1], x->totals[2], x->totals[3], x->totals[4]};
  copy_numbers(h->opened, x->opened, laws);
  copy_numbers(h->closed, x->closed, laws);
  copy_numbers(h->struck, x->struck, laws);
  copy_numbers(h->impacts, x->impacts, laws);
  copy_numbers(h->chatter, x->chatter, laws);
  copy_numbers(s->memory, x->memory, s->memory_size);
  copy_numbers(s->sides, x->sides, s->side_numbers);
  if (s->holds_sides) picus_evaluation_hold(s->evaluation, s->sides);
  copy_numbers(s->law_memory, x->law_memory, remembered_of(s, s->set));
  if (laws > 0) memcpy(s->contacts.modes, x->modes, laws * sizeof *x->modes);
  s->contacts.watched = s->t < h->watch_until;
  picus_step_problem_disown(
      &s->problem); /* the active set of the last step need not be the one that these results belong to */
}

/* The numbers of a vanished law stay in the totals. */
static void add_gone(const law_change *change, stepper_snapshot *x) {
  for (int i = 0, next = 0; i < change->before->law_count; i++) {
    if (!picus_law_vanishes(change, i, &next)) continue;
    x->totals[1] += x->dissipated[i];
    x->totals[2] += x->driven[i];
    x->totals[3] += x->impacts[i];
    x->totals[4] += x->chatter[i];
  }
}

void picus_snapshot_find(const stepper *s, stepper_snapshot *x) { lay_out(s, s->set, x); }

void picus_snapshot_carry(stepper *s, const law_change *change, stepper_snapshot *x) {
  stepper_snapshot old = {.values = s->arrays.scratch};
  add_gone(change, x);
  memcpy(old.values, x->values, x->count * sizeof *x->values);
  lay_out(s, change->before, &old);
  lay_out(s, change->now, x); /* q, u and q_low stay in their places */
  struct {
    const double *from;
    double *to, missing;
  } const of_laws[] = {{old.dissipated, x->dissipated, 0}, {old.driven, x->driven, 0},
                       {old.opened, x->opened, -INFINITY}, {old.closed, x->closed, -INFINITY},
                       {old.struck, x->struck, -INFINITY}, {old.impacts, x->impacts, 0},
                       {old.chatter, x->chatter, 0}};
  for (size_t i = 0; i < sizeof of_laws / sizeof of_laws[0]; i++)
    picus_carry_by_law(change, of_laws[i].from, of_laws[i].to, sizeof(double), of_laws[i].missing);
  picus_carry_by_row(change, old.P, x->P);
  copy_numbers(x->work, old.work, (size_t)s->works.count);
  copy_numbers(x->totals, old.totals, TOTALS);
  copy_numbers(x->memory, old.memory, s->memory_size);
  copy_numbers(x->sides, old.sides, s->side_numbers);
  const double *from = old.law_memory;
  double *to = x->law_memory;
  for (int k = 0; k < s->remembered_per_row; k++, from += change->before->row_count, to += change->now->row_count)
    picus_carry_by_row(change, from, to);
  for (int k = 0; k < s->remembered_per_law; k++, from += change->before->law_count, to += change->now->law_count)
    picus_carry_by_law(change, from, to, sizeof(double), 0);
  memcpy(s->arrays.scratch, x->modes, (size_t)change->before->law_count * sizeof *x->modes);
  picus_carry_by_law(change, s->arrays.scratch, x->modes, sizeof *x->modes, 0);
}

/* The stepper in a checkpoint: everything that a step leaves for the next one. Arrays of laws are those that follow the
 * laws when they change, so an array that is registered there is saved. What is not here is computed anew by every step
 * from the state alone; `checkpoint` in test/unit compares the bits. */

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

static void archive_contacts(stepper *s, picus_archive *a) {
  contact_state *state = &s->contacts;
  law_totals *gone = &state->history.gone;
  picus_law_arrays_archive(&s->arrays, s->set, a);
  picus_archive_mark(a, "contact state");
  picus_archive_double(a, &state->history.watch_until);
  picus_archive_double(a, &gone->dissipated);
  picus_archive_double(a, &gone->driven);
  picus_archive_double(a, &gone->impacts);
  picus_archive_double(a, &gone->chatter);
  picus_archive_bool(a, &state->watched);
  picus_archive_bool(a, &state->laws_at_end);
  if (state->laws_at_end && !state->turning) picus_archive_reject(a, "its laws hold elsewhere in a step");
  check_modes(a, s->set, state->modes);
  check_counts(a, count_of(s->set->law_count), state->history.impacts);
  check_counts(a, count_of(s->set->law_count), state->history.chatter);
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
  if (s->system->appears) {
    picus_changing_set_archive(a->direction == ARCHIVE_READS ? &s->next : &s->laws, &s->laws, a);
    if (picus_archive_reads(a)) a->status = picus_stepper_adopt_laws(s);
  }
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
