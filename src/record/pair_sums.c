/* Energy and percussions by pair of bodies or of materials. Nothing is added up step by step but the percussions: a law
 * counts its own energy as long as it is there, and leaves it to its pair when it vanishes. So a step costs one pass
 * over its contacts, and the sum over all pairs is that over all laws. */
#include "record/pair_sums.h"
#include "base/elementary.h"

#include "base/internal.h"
#include "system/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS_MOST = 1000 }; /* of bodies; results have three to six columns for each */

/* --- pairs -------------------------------------------------------------------------------------------------------- */

static const system_source *find_source(const picus_system *system) {
  for (int k = 0; k < system->source_count; k++)
    if (system->sources[k].ops->appearing && system->sources[k].ops->appearing->pairings) return &system->sources[k];
  return NULL;
}

static int *place_of(const pair_sums *s, int a, int b) { return &s->pair_of[a * s->members + b]; }

static bool can_meet(const pair_sums *s, int a, int b) { return s->pairing->can_meet(s->source->self, a, b); }

/* The name of a pair: in alphabetical order, as in names of contacts. */
static char *join_names(picus_context *context, const char *a, const char *b) {
  const bool ordered = strcmp(a, b) <= 0;
  const size_t size = strlen(a) + strlen(b) + 2;
  char *name = picus_allocate(context, size, 1);
  if (name) snprintf(name, size, "%s-%s", ordered ? a : b, ordered ? b : a);
  return name;
}

static int count_pairs(const pair_sums *s) {
  int count = 0;
  for (int a = 0; a < s->members; a++)
    for (int b = a; b < s->members && count <= PAIRS_MOST; b++) count += can_meet(s, a, b);
  return count;
}

static picus_status check_count(picus_context *context, const pair_sums *s, int count) {
  if (count <= PAIRS_MOST) return PICUS_OK;
  const bool bodies = s->kind == PICUS_PAIRS_BODIES;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "more than %d pairs of %s can touch, too many for columns of results; %s", PAIRS_MOST,
                    bodies ? "bodies" : "materials",
                    bodies ? "record them by materials, or read the table of contacts" : "use fewer materials");
}

static picus_status name_pairs(picus_context *context, pair_sums *s) {
  const void *self = s->source->self;
  int next = 0;
  for (int a = 0; a < s->members; a++) {
    for (int b = a; b < s->members; b++) {
      const bool meets = can_meet(s, a, b);
      *place_of(s, a, b) = *place_of(s, b, a) = meets ? next : -1;
      if (!meets) continue;
      s->names[next] = join_names(context, s->pairing->name(self, a), s->pairing->name(self, b));
      if (!s->names[next++]) return PICUS_ERROR_MEMORY;
    }
  }
  return PICUS_OK;
}

static picus_status create_pairs(picus_context *context, pair_sums *s) {
  s->pairing = &s->source->ops->appearing->pairings[s->kind];
  s->members = s->pairing->count(s->source->self);
  const int count = count_pairs(s);
  picus_status status = check_count(context, s, count);
  if (status) return status;
  const size_t members = (size_t)s->members, pairs = (size_t)count;
  s->pair_of = picus_allocate(context, members * members, sizeof *s->pair_of);
  s->names = picus_allocate(context, pairs, sizeof *s->names); /* NOLINT(bugprone-sizeof-expression): pointers */
  s->gone = picus_allocate(context, pairs, sizeof *s->gone);
  s->total_PN = picus_allocate(context, pairs, sizeof *s->total_PN);
  if (!s->pair_of || !s->names || !s->gone || !s->total_PN) return PICUS_ERROR_MEMORY;
  s->count = count;
  s->numbers = s->kind == PICUS_PAIRS_BODIES ? PAIR_RESULTANT + s->pairing->axes(s->source->self) : PAIR_RESULTANT;
  return name_pairs(context, s);
}

picus_status picus_pair_sums_create(picus_context *context, const picus_system *system, picus_pair_sum kind,
                                    pair_sums *out) {
  *out = (pair_sums){.kind = kind, .system = system, .source = find_source(system)};
  if (kind == PICUS_PAIRS_NONE || !out->source) return PICUS_OK;
  picus_status status = create_pairs(context, out);
  if (status) picus_pair_sums_release(context, out);
  return status;
}

void picus_pair_sums_release(picus_context *context, pair_sums *s) {
  for (int k = 0; s->names && k < s->count; k++) picus_release(context, s->names[k]);
  void *const arrays[] = {s->pair_of, s->names, s->gone, s->total_PN, s->laws, s->next};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(context, arrays[k]);
  *s = (pair_sums){0};
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

/* Constraints at rest dissipate nothing but by the error of the scheme. */
static bool may_dissipate(const picus_system_law *law) { return law->kind != PICUS_BILATERAL || law->moves; }

static picus_status add_energy(picus_context *context, picus_column_list *list, const char *of) {
  const size_t size = strlen(of) + sizeof "E.diss. dissipated energy";
  char *name = picus_allocate(context, 2 * size, 1);
  if (!name) return PICUS_ERROR_MEMORY;
  snprintf(name, size, "E.diss.%s", of);
  snprintf(name + size, size, "%s dissipated energy", of);
  picus_status status = picus_columns_add(context, list, (picus_column){name, "J", name + size, PICUS_COLUMN_WORK});
  picus_release(context, name);
  return status;
}

static picus_status add_percussion(picus_context *context, picus_column_list *list, const char *pair, int number) {
  static const char *const names[] = {"PN", "PF", "Px", "Py", "Pz"}, *const labels[] = {"normal percussions",
                                                                                        "friction percussions",
                                                                                        "percussion x", "percussion y",
                                                                                        "percussion z"};
  const size_t size = strlen(pair) + 32;
  char *name = picus_allocate(context, 2 * size, 1);
  if (!name) return PICUS_ERROR_MEMORY;
  snprintf(name, size, "%s.%s", pair, names[number]);
  snprintf(name + size, size, "%s %s", pair, labels[number]);
  picus_status status =
      picus_columns_add(context, list, (picus_column){name, "N s", name + size, PICUS_COLUMN_PERCUSSION});
  picus_release(context, name);
  return status;
}

picus_status picus_pair_sums_add_columns(picus_context *context, const pair_sums *s, picus_column_list *list) {
  picus_status status = PICUS_OK;
  if (s->kind == PICUS_PAIRS_NONE) return status;
  for (int k = 0; !status && k < s->system->fixed.law_count; k++) {
    const picus_system_law *law = &s->system->fixed.laws[k].data;
    if (may_dissipate(law)) status = add_energy(context, list, law->name);
  }
  for (int k = 0; !status && k < s->count; k++) status = add_energy(context, list, s->names[k]);
  for (int k = 0; !status && k < s->count; k++)
    for (int number = 0; !status && number < s->numbers; number++)
      status = add_percussion(context, list, s->names[k], number);
  return status;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* members: of the law, the second is pushed along the normal; returns the pair, -1: none. */
static int pair_of_law(const pair_sums *s, const law_set *set, int law, int members[2]) {
  if (&s->system->sources[set->laws[law].source] != s->source) return -1;
  s->pairing->members(s->source->self, &set->laws[law], members);
  return *place_of(s, members[0], members[1]);
}

/* The sign of the resultant: on the body whose name comes first, which the normal pushes or not. */
static double sign_of(const pair_sums *s, const int members[2]) {
  const void *self = s->source->self;
  return strcmp(s->pairing->name(self, members[0]), s->pairing->name(self, members[1])) < 0 ? -1 : 1;
}

static void add_resultant(const law_place *place, double sign, const picus_system_law *law, const double *P, int axes,
                          double *out) {
  const double *n = place->normal, *t = place->tangent;
  const double second[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
  for (int k = 0; k < 3 && k < axes; k++) {
    double sum = P[0] * n[k];
    if (law->slips > 0) sum += P[1] * t[k];
    if (law->slips > 1) sum += P[2] * second[k];
    out[k] += sign * sum;
  }
}

/* The percussions of a contact; its rolling law transmits moments. */
static void add_percussions(const pair_sums *s, const picus_step_view *step, int i, int pair, const int members[2],
                            double *out) {
  const picus_system_law *law = &step->set->laws[i].data;
  const double *P = step->P + law->first_row;
  double *numbers = out + (ptrdiff_t)pair * s->numbers;
  const int slips = law->slips < 2 ? law->slips : 2; /* the third one is a spin */
  if (law->kind == PICUS_ROLLING) return;
  numbers[PAIR_PN] += P[0];
  numbers[PAIR_PF] += slips == 2 ? picus_hypot(P[1], P[2]) : slips == 1 ? fabs(P[1]) : 0;
  if (picus_pair_sums_need_places(s) && step->places)
    add_resultant(&step->places[i - step->set->fixed_count], sign_of(s, members), law, P, s->numbers - PAIR_RESULTANT,
                  numbers + PAIR_RESULTANT);
}

/* Laws of the last step that come before the identity, and are not there any more. */
static size_t leave_gone(pair_sums *s, size_t at, const law_identity *until) {
  while (at < s->law_count && (!until || picus_law_identity_compare(s->laws[at].identity, *until) < 0)) {
    if (s->laws[at].pair >= 0) s->gone[s->laws[at].pair] += s->laws[at].dissipated;
    at++;
  }
  return at;
}

static picus_status reserve(picus_context *context, pair_sums *s, size_t count) {
  picus_status status = PICUS_OK;
  while (!status && s->next_capacity < count)
    status = picus_grow(context, &s->next, s->next_capacity, &s->next_capacity, sizeof *s->next);
  return status;
}

static void swap(pair_sums *s, size_t count) {
  pair_law *const list = s->laws;
  const size_t capacity = s->law_capacity;
  s->laws = s->next;
  s->law_capacity = s->next_capacity;
  s->next = list;
  s->next_capacity = capacity;
  s->law_count = count;
}

picus_status picus_pair_sums_follow(picus_context *context, pair_sums *s, const picus_step_view *step, double *P) {
  const law_set *set = step->set;
  size_t at = 0, count = 0;
  picus_status status = reserve(context, s, (size_t)(set->law_count - set->fixed_count));
  if (status) return status;
  if (s->count > 0) memset(P, 0, picus_pair_sums_size(s) * sizeof *P);
  for (int i = set->fixed_count; i < set->law_count; i++) {
    int members[2];
    const law_identity identity = picus_law_identity(set, i);
    const int pair = pair_of_law(s, set, i, members);
    at = leave_gone(s, at, &identity);
    if (at < s->law_count && picus_law_identity_compare(s->laws[at].identity, identity) == 0) at++;
    s->next[count++] = (pair_law){identity, pair, step->dissipated[i]};
    if (pair >= 0) add_percussions(s, step, i, pair, members, P);
  }
  leave_gone(s, at, NULL);
  swap(s, count);
  for (int k = 0; k < s->count; k++) s->total_PN[k] += P[(ptrdiff_t)k * s->numbers + PAIR_PN];
  return PICUS_OK;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

void picus_pair_sums_fill(const pair_sums *s, const picus_row_view *row, const double *P, double *out) {
  const law_set *set = row->set;
  for (int k = 0; k < s->system->fixed.law_count; k++)
    if (may_dissipate(&s->system->fixed.laws[k].data)) *out++ = row->laws[k].dissipated;
  if (s->count == 0) return;
  memcpy(out, s->gone, (size_t)s->count * sizeof *out);
  for (int i = set ? set->fixed_count : 0; set && i < set->law_count; i++) {
    int members[2];
    const int pair = pair_of_law(s, set, i, members);
    if (pair >= 0) out[pair] += row->laws[i].dissipated;
  }
  memcpy(out + s->count, P, picus_pair_sums_size(s) * sizeof *out);
}

double picus_pair_sums_dissipated(const pair_sums *s, int pair) {
  double sum = s->gone[pair];
  for (size_t i = 0; i < s->law_count; i++)
    if (s->laws[i].pair == pair) sum += s->laws[i].dissipated;
  return sum;
}

/* --- checkpoints -------------------------------------------------------------------------------------------------- */

static void archive_law(const pair_sums *s, pair_law *law, picus_archive *a) {
  picus_archive_int(a, &law->identity.source);
  picus_archive_bool(a, &law->identity.rolls);
  picus_archive_word(a, &law->identity.key);
  picus_archive_choice(a, &law->pair, -1, s->count - 1);
  picus_archive_double(a, &law->dissipated);
}

/* Only of runs that record pairs: the files of all others stay as they are. */
void picus_pair_sums_archive(pair_sums *s, picus_archive *a) {
  if (s->kind == PICUS_PAIRS_NONE || s->count == 0) return;
  size_t count = s->law_count;
  picus_archive_mark(a, "pairs");
  picus_archive_doubles(a, s->gone, (size_t)s->count);
  picus_archive_doubles(a, s->total_PN, (size_t)s->count);
  picus_archive_count(a, &count, sizeof(double));
  while (picus_archive_reads(a) && s->law_capacity < count)
    a->status = picus_grow(a->context, &s->laws, s->law_capacity, &s->law_capacity, sizeof *s->laws);
  for (size_t i = 0; i < count && !a->status; i++) {
    archive_law(s, &s->laws[i], a);
    if (i > 0 && !a->status && picus_law_identity_compare(s->laws[i - 1].identity, s->laws[i].identity) >= 0)
      picus_archive_reject(a, "contacts of pairs are not in their order");
  }
  if (!a->status) s->law_count = count;
}
