/* Switching points of two motions, law by law in the order of time. A law that comes and goes may have switching points
 * in one of the two only; these have no counterpart.
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

/* A law of one of the two, or of both: its index there; -1: it has no switching points there. */
typedef struct law_pair {
  int of, reference;
} law_pair;

/* A law and its index in a trajectory. */
typedef struct known_law {
  const char *name;
  uint64_t key;
  int index;
} known_law;

static int compare_laws(const void *a, const void *b) {
  const known_law *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : (x->key > y->key) - (x->key < y->key);
}

static void list_laws(const trajectory *t, known_law *laws) {
  for (int k = 0; k < t->law_count; k++) laws[k] = (known_law){t->laws[k], t->law_keys ? t->law_keys[k] : 0, k};
  if (t->law_count > 0) qsort(laws, (size_t)t->law_count, sizeof *laws, compare_laws);
}

/* The laws of the reference in its order, then those of the other one that the reference has not; returns their number.
 * laws: memory for those of both. */
static int pair_laws(const trajectory *of, const trajectory *reference, known_law *laws, law_pair *pairs) {
  known_law *a = laws, *b = laws + of->law_count;
  int count = reference->law_count;
  list_laws(of, a);
  list_laws(reference, b);
  for (int k = 0; k < count; k++) pairs[k] = (law_pair){-1, k};
  for (int i = 0, j = 0; i < of->law_count; i++) {
    while (j < reference->law_count && compare_laws(&b[j], &a[i]) < 0) j++;
    if (j < reference->law_count && compare_laws(&b[j], &a[i]) == 0)
      pairs[b[j++].index].of = a[i].index;
    else
      pairs[count++] = (law_pair){a[i].index, -1};
  }
  return count;
}

/* Memory for the matching of two event logs. */
typedef struct match_memory {
  known_law *laws;
  law_pair *pairs;
  long *first_of, *first_reference, *places_of, *places_reference;
} match_memory;

static law_list switchings_of(const trajectory *t, const long *first, const long *places, int law) {
  if (law < 0) return (law_list){t->switchings, places, 0};
  return (law_list){t->switchings, places + first[law], first[law + 1] - first[law]};
}

static picus_status match_laws(picus_context *context, const trajectory *of, const trajectory *reference,
                               const match_memory *memory, switching_match *out) {
  sort_by_law(of, memory->first_of, memory->places_of);
  sort_by_law(reference, memory->first_reference, memory->places_reference);
  out->law_count = pair_laws(of, reference, memory->laws, memory->pairs);
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < out->law_count; k++) {
    const law_pair pair = memory->pairs[k];
    const law_list a = switchings_of(of, memory->first_of, memory->places_of, pair.of);
    const law_list b = switchings_of(reference, memory->first_reference, memory->places_reference, pair.reference);
    matching m = {.context = context, .match = out, .law = &out->laws[k]};
    m.law->law = pair.reference < 0 ? of->laws[pair.of] : reference->laws[pair.reference];
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
  const size_t laws_of = (size_t)of->law_count, laws = laws_of + (size_t)reference->law_count;
  const size_t points = (size_t)of->switching_count + (size_t)reference->switching_count;
  out->is_known = true;
  out->laws = picus_allocate(context, laws, sizeof *out->laws);
  match_memory memory = {.laws = picus_allocate(context, laws, sizeof *memory.laws),
                         .pairs = picus_allocate(context, laws, sizeof *memory.pairs),
                         .first_of = picus_allocate(context, laws + 2, sizeof *memory.first_of),
                         .places_of = picus_allocate(context, points, sizeof *memory.places_of)};
  picus_status status = PICUS_ERROR_MEMORY;
  if (out->laws && memory.laws && memory.pairs && memory.first_of && memory.places_of) {
    memory.first_reference = memory.first_of + laws_of + 1;
    memory.places_reference = memory.places_of + of->switching_count;
    status = match_laws(context, of, reference, &memory, out);
  }
  picus_release(context, memory.laws);
  picus_release(context, memory.pairs);
  picus_release(context, memory.first_of);
  picus_release(context, memory.places_of);
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
