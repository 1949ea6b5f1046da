/* Percussions of contacts that come and go, summed from row to row: recorder_state.h describes the sums. */
#include "record/recorder_state.h"

#include "base/internal.h"

#include <limits.h>
#include <string.h>

void picus_contact_sums_release(picus_context *context, contact_sums *sums) {
  picus_release(context, sums->sums);
  picus_release(context, sums->next);
  *sums = (contact_sums){0};
}

static int compare(const picus_contact_point *a, const picus_contact_point *b) {
  if (a->source != b->source) return a->source < b->source ? -1 : 1;
  return (a->key > b->key) - (a->key < b->key);
}

static bool is_contact(const law_set *set, int law) { return set->laws[law].data.kind != PICUS_ROLLING; }

/* The rolling law of a contact stands behind it. */
static bool rolls(const law_set *set, int law) { return law + 1 < set->law_count && !is_contact(set, law + 1); }

/* Percussions of a law that comes and goes, and of its rolling law. P: rows of the set. */
static void percussions_of(const law_set *set, int law, const double *P, double out[PICUS_CONTACT_PERCUSSIONS]) {
  const picus_system_law *data = &set->laws[law].data;
  memset(out, 0, PICUS_CONTACT_PERCUSSIONS * sizeof *out);
  for (int k = 0; k < data->dim; k++) out[k] = P[data->first_row + k];
  if (!rolls(set, law)) return;
  const picus_system_law *rolling = &set->laws[law + 1].data;
  for (int k = 0; k < rolling->dim && k < 2; k++) out[4 + k] = P[rolling->first_row + k];
}

static bool acts(const double P[PICUS_CONTACT_PERCUSSIONS]) {
  for (int k = 0; k < PICUS_CONTACT_PERCUSSIONS; k++)
    if (P[k] != 0) return true;
  return false;
}

static picus_contact_point identity_of(const law_set *set, int law) {
  return (picus_contact_point){.key = set->laws[law].key, .source = set->laws[law].source};
}

static void describe(const law_set *set, int law, const picus_law_state *state, const law_place *place,
                     picus_contact_point *point) {
  point->body[0] = place->body[0];
  point->body[1] = place->body[1];
  point->gap = state->gap;
  point->vN = state->normal_velocity;
  point->mu = set->laws[law].data.mu;
  point->mode = state->mode;
  for (int k = 0; k < 3; k++) {
    point->point[k] = place->point[k];
    point->normal[k] = place->normal[k];
    point->tangent[k] = place->tangent[k];
    point->slip[k] = state->slip[k];
  }
}

/* --- steps ---------------------------------------------------------------------------------------------------- */

/* The last step becomes one of those before. */
static void age(contact_sum *s, double left) {
  for (int k = 0; k < PICUS_CONTACT_PERCUSSIONS; k++) {
    if (left > 0) s->before[k] += left * s->last[k];
    s->last[k] = 0;
  }
}

static picus_status reserve(picus_context *context, contact_sums *sums, size_t count) {
  picus_status status = PICUS_OK;
  while (!status && sums->next_capacity < count)
    status = picus_grow(context, &sums->next, sums->next_capacity, &sums->next_capacity, sizeof *sums->next);
  return status;
}

static void swap(contact_sums *sums, size_t count) {
  contact_sum *list = sums->sums;
  const size_t capacity = sums->capacity;
  sums->sums = sums->next;
  sums->capacity = sums->next_capacity;
  sums->next = list;
  sums->next_capacity = capacity;
  sums->count = count;
}

/* The sums of contacts before the law, and that of the law itself if there is one, go to the new list unless they are
 * empty. Returns the number of sums that are done. */
static size_t carry(contact_sums *sums, size_t at, const picus_contact_point *until, size_t *count) {
  while (at < sums->count && (!until || compare(&sums->sums[at].point, until) < 0)) {
    if (acts(sums->sums[at].before)) sums->next[(*count)++] = sums->sums[at];
    at++;
  }
  return at;
}

picus_status picus_contact_sums_add(picus_context *context, contact_sums *sums, const picus_step_view *step,
                                    double left) {
  const law_set *set = step->set;
  size_t at = 0, count = 0;
  picus_status status = reserve(context, sums, sums->count + (size_t)(set->law_count - set->fixed_count));
  if (status) return status;
  for (size_t i = 0; i < sums->count; i++) age(&sums->sums[i], left);
  for (int i = set->fixed_count; i < set->law_count; i++) {
    contact_sum now = {.point = {0}};
    if (!is_contact(set, i)) continue;
    percussions_of(set, i, step->P, now.last);
    if (!acts(now.last)) continue;
    now.point = identity_of(set, i);
    at = carry(sums, at, &now.point, &count);
    if (at < sums->count && compare(&sums->sums[at].point, &now.point) == 0)
      memcpy(now.before, sums->sums[at++].before, sizeof now.before);
    if (step->places) describe(set, i, &step->laws[i], &step->places[i - set->fixed_count], &now.point);
    sums->next[count++] = now;
  }
  carry(sums, at, NULL, &count);
  swap(sums, count);
  return PICUS_OK;
}

/* --- rows ----------------------------------------------------------------------------------------------------- */

static void set_percussions(const double P[PICUS_CONTACT_PERCUSSIONS], picus_contact_point *point) {
  point->PN = P[0];
  for (int k = 0; k < 3; k++) point->PF[k] = P[1 + k];
  for (int k = 0; k < 2; k++) point->PR[k] = P[4 + k];
}

/* What a row gets; a row for every step gets the bits of the step. */
static void take(contact_sum *s, double share, double out[PICUS_CONTACT_PERCUSSIONS]) {
  for (int k = 0; k < PICUS_CONTACT_PERCUSSIONS; k++) {
    out[k] = s->before[k] != 0 ? s->before[k] + share * s->last[k] : share * s->last[k];
    s->before[k] = 0;
  }
}

static picus_status add_point(picus_context *context, const picus_contact_point *point, contact_points *out) {
  picus_status status = picus_grow(context, &out->points, out->count, &out->capacity, sizeof *out->points);
  if (!status) out->points[out->count++] = *point;
  return status;
}

/* A contact that has vanished: where it acted last. */
static picus_status add_vanished(picus_context *context, contact_sum *s, double share, contact_points *out) {
  picus_contact_point point = s->point;
  double P[PICUS_CONTACT_PERCUSSIONS];
  take(s, share, P);
  if (!acts(P)) return PICUS_OK;
  point.mode = PICUS_OPEN;
  set_percussions(P, &point);
  return add_point(context, &point, out);
}

/* Laws that are only near are left out: there are many more of them than contacts. */
static picus_status add_present(picus_context *context, const picus_row_view *row, int law,
                                const double P[PICUS_CONTACT_PERCUSSIONS], contact_points *out) {
  const picus_law_state *state = &row->laws[law];
  if (state->mode == PICUS_OPEN && !(state->gap <= 0) && !acts(P)) return PICUS_OK;
  picus_contact_point point = identity_of(row->set, law);
  describe(row->set, law, state, &row->places[law - row->set->fixed_count], &point);
  set_percussions(P, &point);
  return add_point(context, &point, out);
}

picus_status picus_contact_sums_take(picus_context *context, contact_sums *sums, const picus_row_view *row,
                                     double share, contact_points *out) {
  const law_set *set = row->set;
  const size_t count = sums ? sums->count : 0;
  picus_status status = PICUS_OK;
  size_t at = 0;
  out->count = 0;
  for (int i = set->fixed_count; i < set->law_count && !status; i++) {
    double P[PICUS_CONTACT_PERCUSSIONS] = {0};
    if (!is_contact(set, i)) continue;
    const picus_contact_point here = identity_of(set, i);
    for (; !status && at < count && compare(&sums->sums[at].point, &here) < 0; at++)
      status = add_vanished(context, &sums->sums[at], share, out);
    if (!sums) percussions_of(set, i, row->P, P);
    if (at < count && compare(&sums->sums[at].point, &here) == 0) take(&sums->sums[at++], share, P);
    if (!status) status = add_present(context, row, i, P, out);
  }
  for (; !status && at < count; at++) status = add_vanished(context, &sums->sums[at], share, out);
  return status;
}

/* --- checkpoints ---------------------------------------------------------------------------------------------- */

void picus_contact_point_archive(picus_contact_point *c, picus_archive *a) {
  double *const arrays[] = {c->point, c->normal, c->tangent, c->slip, c->PF};
  int mode = (int)c->mode;
  picus_archive_word(a, &c->key);
  picus_archive_int(a, &c->source);
  for (int k = 0; k < 2; k++) picus_archive_choice(a, &c->body[k], -1, INT_MAX / 2);
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) picus_archive_doubles(a, arrays[k], 3);
  double *const numbers[] = {&c->gap, &c->vN, &c->PN, &c->mu, &c->PR[0], &c->PR[1]};
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) picus_archive_double(a, numbers[k]);
  picus_archive_choice(a, &mode, PICUS_OPEN, PICUS_SLIP);
  c->mode = (picus_mode)mode;
}

void picus_contact_sums_archive(contact_sums *sums, picus_archive *a) {
  size_t count = sums->count;
  picus_archive_count(a, &count, 2 * sizeof sums->sums->before);
  if (picus_archive_reads(a)) {
    while (!a->status && sums->capacity < count)
      a->status = picus_grow(a->context, &sums->sums, sums->capacity, &sums->capacity, sizeof *sums->sums);
  }
  if (a->status) return;
  for (size_t i = 0; i < count && !a->status; i++) {
    contact_sum *s = &sums->sums[i];
    picus_contact_point_archive(&s->point, a);
    picus_archive_doubles(a, s->before, PICUS_CONTACT_PERCUSSIONS);
    picus_archive_doubles(a, s->last, PICUS_CONTACT_PERCUSSIONS);
    if (i > 0 && !a->status && compare(&s[-1].point, &s->point) >= 0)
      picus_archive_reject(a, "contacts are not in their order");
  }
  if (!a->status) sums->count = count;
}
