/* The rows of a branch, and its results. */
#include "base/elementary.h"
#include "orbit/branch.h"
#include "record/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- sequences ---------------------------------------------------------------------------------------------------- */

enum { TOKEN = 80 };

/* "beak:impact" */
static void describe(const cycle *c, int k, char *out) {
  const cycle_phase *p = &c->phases[k], *next = &c->phases[(k + 1) % c->count];
  const picus_system *s = c->system;
  const phase_end e = {.jump = p->jump, .law = p->law, .event = p->event};
  picus_orbit_change change = picus_flow_change_of(&e, &p->ends);
  const char *name = NULL;
  if (p->ends.kind >= TRIGGER_GAP && p->ends.kind != TRIGGER_SIDE) name = s->fixed.laws[p->ends.index].data.name;
  if (p->ends.kind == TRIGGER_STICKS && next->modes.modes[p->ends.index] == PICUS_SLIP) change = PICUS_CHANGE_REVERSES;
  if (p->ends.kind == TRIGGER_SIDE) name = picus_switch_text(s, p->ends.index);
  if (p->event >= 0) name = s->controls->events[p->event].name;
  snprintf(out, TOKEN, "%.60s%s%s", name ? name : "", name ? ":" : "", picus_orbit_change_name((int)change));
}

/* The switching points from the k-th on. */
static void write_from(const cycle *c, const char *tokens, int k, char *out) {
  for (int i = 0; i < c->count; i++) {
    const char *token = tokens + (size_t)((k + i) % c->count) * TOKEN;
    const size_t size = strlen(token);
    if (i) *out++ = ' ';
    memcpy(out, token, size);
    out += size;
  }
  *out = '\0';
}

/* The number of its sequence; from which switching point it begins does not matter. */
static picus_status number_sequence(picus_orbit_branch *out, const cycle *c, int *number) {
  const size_t length = (size_t)c->count * (TOKEN + 1) + 1;
  char *tokens = picus_allocate(out->context, 2 * length + (size_t)c->count * TOKEN, 1);
  if (!tokens) return PICUS_ERROR_MEMORY;
  char *best = tokens + (size_t)c->count * TOKEN, *other = best + length;
  for (int k = 0; k < c->count; k++) describe(c, k, tokens + (size_t)k * TOKEN);
  write_from(c, tokens, 0, best);
  if (c->phases[0].ends.kind == TRIGGER_END) *best = '\0';
  for (size_t i = 0; i < out->sequence_count; i++)
    for (int k = 0; k < c->count && *best; k++) {
      write_from(c, tokens, k, other);
      if (strcmp(other, out->sequences[i]) == 0) memcpy(best, other, length);
    }
  picus_status status = PICUS_OK;
  *number = 0;
  while (*number < (int)out->sequence_count && strcmp(out->sequences[*number], best) != 0) (*number)++;
  if (*number == (int)out->sequence_count) {
    status =
        picus_grow(out->context, &out->sequences, out->sequence_count, &out->sequence_capacity, sizeof *out->sequences);
    char *text = status ? NULL : picus_copy_text(out->context, best);
    if (text) out->sequences[out->sequence_count++] = text;
    if (!text) status = PICUS_ERROR_MEMORY;
  }
  picus_release(out->context, tokens);
  return status;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* The state at the start of the period: just after the section, or at a multiple of the period after t_start. */
static picus_status find_state(branch_walk *w, const cycle *c, double *t, double *x) {
  const double start = w->def->orbit.options->t_start, period = picus_cycle_period(c);
  *t = *picus_cycle_time(c);
  memcpy(x, picus_cycle_state(c, 0), (size_t)c->n * sizeof *x);
  if (!w->b.is_timed) return PICUS_OK;
  const double turn = w->b.force_period / (w->orbit.turns > 0 ? w->orbit.turns : 1);
  const double wanted = start + ceil((*t - start) / turn - 1e-12) * turn;
  int k = 0;
  while (k + 1 < c->count && *t + *picus_cycle_duration(c, k) <= wanted) *t += *picus_cycle_duration(c, k++);
  (void)period;
  memcpy(x, picus_cycle_state(c, k), (size_t)c->n * sizeof *x);
  picus_status status = picus_cycle_load_near(&w->b, *picus_cycle_parameter(c));
  if (!status) {
    picus_flow_set_modes(&w->b.f, &c->phases[k].modes);
    status = picus_cycle_carry(&w->b, *t, wanted - *t, x);
  }
  *t = wanted;
  return status;
}

static picus_orbit_branch_row row_of(const picus_orbit_branch *b, size_t k) {
  const branch_row *from = &b->rows[k];
  picus_orbit_branch_row row = from->row;
  row.state = from->numbers;
  row.multipliers = (const picus_multiplier *)(const void *)(from->numbers + b->n);
  row.note = from->note ? from->note : "";
  row.branch = b;
  return row;
}

picus_status picus_branch_add_row(branch_walk *w, const branch_point *p, picus_orbit_kind kind, int law,
                                  const char *note) {
  picus_orbit_branch *out = w->out;
  const int n = out->n, count = p->multiplier_count;
  if (picus_grow(out->context, &out->rows, out->count, &out->capacity, sizeof *out->rows)) return PICUS_ERROR_MEMORY;
  branch_row *to = &out->rows[out->count];
  *to = (branch_row){.row = {.kind = kind,
                             .parameter = *picus_cycle_parameter(&p->c),
                             .period = picus_cycle_period(&p->c),
                             .doublings = w->doubled,
                             .velocity = w->margins->margins.velocity,
                             .velocity_law = w->margins->margins.velocity_law,
                             .reserve = w->margins->margins.reserve,
                             .reserve_law = w->margins->margins.reserve_law,
                             .gap = w->margins->margins.gap,
                             .gap_law = w->margins->margins.gap_law,
                             .law = law,
                             .multiplier_count = count}};
  for (int k = 0; k < count; k++) to->row.unstable += !(picus_hypot(p->multipliers[k].re, p->multipliers[k].im) < 1);
  to->row.is_stable = to->row.unstable == 0;
  to->numbers = picus_allocate(out->context, (size_t)n + 2 * (size_t)count, sizeof *to->numbers);
  to->note = note ? picus_copy_text(out->context, note) : NULL;
  picus_status status = to->numbers && (to->note || !note) ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) memcpy(to->numbers + n, p->multipliers, (size_t)count * sizeof *p->multipliers);
  if (!status) status = number_sequence(out, &p->c, &to->row.sequence);
  if (!status) status = find_state(w, &p->c, &to->row.t, to->numbers);
  if (status) {
    picus_release(out->context, to->numbers);
    picus_release(out->context, to->note);
    return status;
  }
  const picus_orbit_branch_row row = row_of(out, out->count++);
  if (w->def->row && w->def->row(w->def->user, &row) != 0)
    return picus_fail(out->context, PICUS_INTERRUPTED, "the branch was stopped at %s = %.9g", out->parameter,
                      row.parameter);
  return PICUS_OK;
}

/* --- interface ---------------------------------------------------------------------------------------------------- */

const char *picus_orbit_kind_name(int kind) {
  static const char *const names[] = {"",        "start", "end",    "fold",    "flip", "neimark-sacker", "crossing",
                                      "grazing", "touch", "lift",   "land",    "slip", "stick",          "unstick",
                                      "impact",  "order", "switch", "chatter", "hopf"};
  return kind >= 0 && kind < (int)(sizeof names / sizeof *names) ? names[kind] : NULL;
}

void picus_orbit_branch_destroy(picus_orbit_branch *b) {
  if (!b) return;
  for (size_t k = 0; k < b->count; k++) {
    picus_release(b->context, b->rows[k].numbers);
    picus_release(b->context, b->rows[k].note);
  }
  for (size_t k = 0; k < b->sequence_count; k++) picus_release(b->context, b->sequences[k]);
  picus_release(b->context, b->rows);
  picus_release(b->context, b->sequences);
  picus_release(b->context, b->parameter);
  picus_release(b->context, b);
}

long picus_orbit_branch_count(const picus_orbit_branch *b) { return (long)b->count; }
picus_orbit_branch_row picus_orbit_branch_row_at(const picus_orbit_branch *b, long index) {
  if (index >= 0 && index < (long)b->count) return row_of(b, (size_t)index);
  return (picus_orbit_branch_row){.parameter = NAN, .period = NAN, .t = NAN, .law = -1, .note = ""};
}
int picus_orbit_branch_sequence_count(const picus_orbit_branch *b) { return (int)b->sequence_count; }
const char *picus_orbit_branch_sequence(const picus_orbit_branch *b, int number) {
  return number >= 0 && number < (int)b->sequence_count ? b->sequences[number] : "";
}

/* --- results ------------------------------------------------------------------------------------------------------ */

enum { COLUMNS_BEFORE = 3, COLUMNS_AFTER = 9 };

static int multipliers_of(const picus_orbit_branch *b) {
  int most = 0;
  for (size_t k = 0; k < b->count; k++)
    most = b->rows[k].row.multiplier_count > most ? b->rows[k].row.multiplier_count : most;
  return most;
}

static picus_status add_column(picus_context *context, picus_column_list *list, const char *name, const char *unit) {
  return picus_columns_add(context, list, (picus_column){.name = name, .unit = unit, .label = name});
}

static picus_status list_columns(const picus_orbit_branch *b, picus_column_list *list) {
  static const char *const after[] = {"kind",     "stable",  "unstable", "sequence", "doublings",
                                      "velocity", "reserve", "gap",      "law"};
  const picus_system *system = b->system;
  picus_status status = add_column(b->context, list, "point", "");
  if (!status) status = add_column(b->context, list, b->parameter, "");
  if (!status) status = add_column(b->context, list, "period", "s");
  for (int i = 0; !status && i < system->nq; i++)
    status = add_column(b->context, list, system->q_names[i].name, system->q_names[i].unit);
  for (int i = 0; !status && i < system->nu; i++)
    status = add_column(b->context, list, system->u_names[i].name, system->u_names[i].unit);
  for (int i = 0; !status && i < COLUMNS_AFTER; i++) status = add_column(b->context, list, after[i], "");
  for (int i = 0; !status && i < 2 * multipliers_of(b); i++) {
    char name[32];
    snprintf(name, sizeof name, "%s%d", i % 2 ? "im" : "re", i / 2 + 1);
    status = add_column(b->context, list, name, "");
  }
  return status;
}

picus_status picus_orbit_branch_recorder(const picus_orbit_branch *b, const picus_run_description *run,
                                         picus_recorder **out) {
  picus_column_list list = {0};
  *out = NULL;
  const picus_status status = list_columns(b, &list);
  if (!status) return picus_recorder_create_core(b->context, run, &list, out);
  picus_columns_release(b->context, &list);
  return status;
}

typedef struct row_source {
  const picus_orbit_branch *b;
  long row;
  int multipliers;
} row_source;

static picus_status fill_row(void *source, double *out) {
  const row_source *from = source;
  const int n = from->b->n;
  const picus_orbit_branch_row r = picus_orbit_branch_row_at(from->b, from->row);
  const double after[COLUMNS_AFTER] = {r.kind,     r.is_stable, r.unstable, r.sequence, r.doublings,
                                       r.velocity, r.reserve,   r.gap,      r.law};
  if (!r.state) return PICUS_ERROR_ARGUMENT; /* no such row */
  out[0] = (double)from->row;
  out[1] = r.parameter;
  out[2] = r.period;
  memcpy(out + COLUMNS_BEFORE, r.state, (size_t)n * sizeof *out);
  memcpy(out + COLUMNS_BEFORE + n, after, sizeof after);
  for (int k = 0; k < from->multipliers; k++) {
    double *to = out + COLUMNS_BEFORE + n + COLUMNS_AFTER + 2 * k;
    to[0] = k < r.multiplier_count ? r.multipliers[k].re : NAN;
    to[1] = k < r.multiplier_count ? r.multipliers[k].im : NAN;
  }
  return PICUS_OK;
}

picus_status picus_orbit_branch_record(const picus_orbit_branch *b, picus_recorder *recorder) {
  picus_summary summary = {.t_end = (double)b->count - 1, .rows = (long)b->count};
  row_source from = {.b = b, .multipliers = multipliers_of(b)};
  picus_status status = picus_recorder_begin(recorder);
  for (; !status && from.row < (long)b->count; from.row++) status = picus_recorder_add_row(recorder, fill_row, &from);
  summary.status = status;
  const picus_status closed = picus_recorder_end(recorder, &summary);
  return status ? status : closed;
}
