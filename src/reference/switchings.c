/* Switching points of two motions, law by law in the order of time.
 *
 * Two that belong together go from the same mode to the same mode. If both motions have the same sequence, the k-th
 * belongs to the k-th, regardless of their distance. If the sequences differ, as after an accumulation of impacts,
 * which finer steps follow further, the nearest in time belong together and the rest is unmatched. */
#include "base/internal.h"
#include "reference/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Unmatched ones within this many steps of a matched one are unresolved: the last impacts before an accumulation point
 * last a few steps, and with the coefficient of restitution e all later ones another e / (1 - e) times that. */
enum { UNRESOLVED_STEPS = 100 };

/* The switching points of one law: indices in the event log. */
typedef struct law_list {
  const picus_switching *switchings;
  const long *places;
  long count;
} law_list;

static const picus_switching *at(const law_list *list, long k) { return &list->switchings[list->places[k]]; }

static bool is_same_kind(const picus_switching *a, const picus_switching *b) {
  return a->from == b->from && a->to == b->to;
}

static bool have_same_sequence(const law_list *a, const law_list *b) {
  if (a->count != b->count) return false;
  for (long k = 0; k < a->count; k++)
    if (!is_same_kind(at(a, k), at(b, k))) return false;
  return true;
}

static double distance(const law_list *a, long i, const law_list *b, long j) { return fabs(at(a, i)->t - at(b, j)->t); }

/* The next switching point of list after i that has the kind of j in the other list, if it is nearer to j; else i. */
static long nearer(const law_list *list, long i, const law_list *other, long j) {
  double best = distance(list, i, other, j);
  for (long k = i + 1; k < list->count && k <= i + 4; k++)
    if (is_same_kind(at(list, k), at(other, j))) return distance(list, k, other, j) < best ? k : i;
  return i;
}

typedef struct matching {
  picus_context *context;
  switching_match *match;
  picus_law_match *law;
  double last_a, last_b, last_dt; /* of the last pair: its times and the longer step */
  bool has_pair;
} matching;

static picus_status add_window(matching *m, double begin, double end, double dt) {
  switching_match *match = m->match;
  picus_status status =
      picus_grow(m->context, &match->windows, match->window_count, &match->window_capacity, sizeof *match->windows);
  if (!status) match->windows[match->window_count++] = (time_window){begin - 2 * dt, end + 2 * dt};
  return status;
}

static picus_status add_pair(matching *m, const picus_switching *a, const picus_switching *b) {
  double difference = fabs(a->t - b->t);
  m->law->matched++;
  if (difference > m->law->time_difference) {
    m->law->time_difference = difference;
    m->law->t_worst = b->t;
  }
  m->last_a = a->t;
  m->last_b = b->t;
  m->last_dt = fmax(a->dt, b->dt);
  m->has_pair = true;
  return add_window(m, fmin(a->t, b->t), fmax(a->t, b->t), m->last_dt);
}

/* next: the switching point of the other list that comes next; NULL: none. */
static picus_status add_single(matching *m, const picus_switching *is, bool is_extra, const picus_switching *next) {
  double last = is_extra ? m->last_a : m->last_b;
  bool follows = m->has_pair && is->t - last <= UNRESOLVED_STEPS * fmax(m->last_dt, is->dt);
  bool precedes = next && fabs(next->t - is->t) <= UNRESOLVED_STEPS * fmax(next->dt, is->dt);
  if (follows || precedes)
    m->law->unresolved++;
  else if (is_extra)
    m->law->extra++;
  else
    m->law->missing++;
  return add_window(m, is->t, is->t, is->dt);
}

static picus_status match_in_order(matching *m, const law_list *a, const law_list *b) {
  picus_status status = PICUS_OK;
  for (long k = 0; !status && k < a->count; k++) status = add_pair(m, at(a, k), at(b, k));
  return status;
}

/* The switching points from k to end of a list are unmatched; next: the next one in the other list. */
static picus_status add_singles(matching *m, const law_list *list, long k, long end, bool is_extra,
                                const picus_switching *next) {
  picus_status status = PICUS_OK;
  for (; !status && k < end; k++) status = add_single(m, at(list, k), is_extra, next);
  return status;
}

static picus_status match_nearest(matching *m, const law_list *a, const law_list *b) {
  picus_status status = PICUS_OK;
  long i = 0, j = 0;
  while (!status && (i < a->count || j < b->count)) {
    const picus_switching *x = i < a->count ? at(a, i) : NULL, *y = j < b->count ? at(b, j) : NULL;
    long i_next = i, j_next = j;
    if (x && y && is_same_kind(x, y)) { /* a pair, unless one of them has a nearer partner later */
      i_next = nearer(a, i, b, j);
      if (i_next == i) j_next = nearer(b, j, a, i);
    } else if (x && (!y || x->t <= y->t))
      i_next = i + 1;
    else
      j_next = j + 1;
    if (i_next == i && j_next == j)
      status = add_pair(m, at(a, i_next++), at(b, j_next++));
    else if (i_next > i)
      status = add_singles(m, a, i, i_next, true, y);
    else
      status = add_singles(m, b, j, j_next, false, x);
    i = i_next;
    j = j_next;
  }
  return status;
}

/* first: start of the indices of each law, law_count + 1 values. */
static void sort_by_law(const trajectory *t, long *first, long *places) {
  for (long k = 0; k < t->switching_count; k++) first[t->switchings[k].law + 1]++;
  for (int law = 0; law < t->law_count; law++) first[law + 1] += first[law];
  for (long k = 0; k < t->switching_count; k++) places[first[t->switchings[k].law]++] = k;
  for (int law = t->law_count; law > 0; law--) first[law] = first[law - 1];
  first[0] = 0;
}

static int compare_windows(const void *a, const void *b) {
  const time_window *x = a, *y = b;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

static void merge_windows(switching_match *match) {
  if (match->window_count == 0) return;
  qsort(match->windows, match->window_count, sizeof *match->windows, compare_windows);
  size_t last = 0;
  for (size_t k = 1; k < match->window_count; k++) {
    if (match->windows[k].begin <= match->windows[last].end)
      match->windows[last].end = fmax(match->windows[last].end, match->windows[k].end);
    else
      match->windows[++last] = match->windows[k];
  }
  match->window_count = last + 1;
}

static picus_status match_laws(picus_context *context, const trajectory *of, const trajectory *reference, long *first,
                               long *places, switching_match *out) {
  size_t laws = (size_t)of->law_count;
  long *first_of = first, *first_reference = first + laws + 1;
  long *places_of = places, *places_reference = places + of->switching_count;
  sort_by_law(of, first_of, places_of);
  sort_by_law(reference, first_reference, places_reference);
  picus_status status = PICUS_OK;
  for (int law = 0; !status && law < of->law_count; law++) {
    law_list a = {of->switchings, places_of + first_of[law], first_of[law + 1] - first_of[law]};
    law_list b = {reference->switchings, places_reference + first_reference[law],
                  first_reference[law + 1] - first_reference[law]};
    matching m = {.context = context, .match = out, .law = &out->laws[law]};
    m.law->law = reference->laws[law];
    m.law->t_worst = NAN;
    status = have_same_sequence(&a, &b) ? match_in_order(&m, &a, &b) : match_nearest(&m, &a, &b);
  }
  merge_windows(out);
  return status;
}

picus_status picus_match_switchings(picus_context *context, const trajectory *of, const trajectory *reference,
                                    switching_match *out) {
  *out = (switching_match){0};
  if (of->switching_count < 0 || reference->switching_count < 0) return PICUS_OK;
  size_t laws = (size_t)of->law_count;
  out->law_count = of->law_count;
  out->laws = picus_allocate(context, laws, sizeof *out->laws);
  long *first = picus_allocate(context, 2 * (laws + 1), sizeof *first);
  long *places =
      picus_allocate(context, (size_t)of->switching_count + (size_t)reference->switching_count, sizeof *places);
  picus_status status = out->laws && first && places ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = match_laws(context, of, reference, first, places, out);
  picus_release(context, first);
  picus_release(context, places);
  if (status) picus_switching_match_release(context, out);
  return status;
}

void picus_switching_match_release(picus_context *context, switching_match *match) {
  picus_release(context, match->laws);
  picus_release(context, match->windows);
  *match = (switching_match){0};
}

bool picus_windows_hold(const switching_match *match, double begin, double end) {
  size_t low = 0, high = match->window_count; /* the first window that ends at begin or later */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (match->windows[middle].end < begin)
      low = middle + 1;
    else
      high = middle;
  }
  return low < match->window_count && match->windows[low].begin <= end;
}
