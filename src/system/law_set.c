/* Sets of laws that change: appended from the lists of their sources, in increasing order of source and key. */
#include "system/law_set.h"

#include "base/internal.h"

#include <stdio.h>
#include <string.h>

/* --- memory --------------------------------------------------------------------------------------------------- */

picus_status picus_changing_set_create(picus_context *context, const picus_system *system, changing_set *out) {
  const size_t fixed = (size_t)system->fixed.law_count;
  *out = (changing_set){.context = context, .law_capacity = fixed, .set = system->fixed};
  out->set.graph = (law_graph){0};
  out->set.laws = picus_allocate(context, fixed, sizeof *out->set.laws);
  out->present = picus_allocate(context, (size_t)system->source_count, sizeof *out->present);
  if (!out->set.laws || !out->present) return PICUS_ERROR_MEMORY;
  if (fixed > 0) memcpy(out->set.laws, system->fixed.laws, fixed * sizeof *out->set.laws);
  out->set.present = out->present;
  picus_changing_set_clear(out);
  return picus_law_set_connect(context, &out->set);
}

void picus_changing_set_release(changing_set *c) {
  if (!c->context) return;
  void *blocks[] = {c->set.laws, c->parts, c->present, c->names, c->order, c->listed};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(c->context, blocks[i]);
  picus_law_graph_release(c->context, &c->set.graph);
  *c = (changing_set){0};
}

void picus_changing_set_clear(changing_set *c) {
  const law_set *fixed = &c->set.system->fixed;
  c->set.law_count = fixed->law_count;
  c->set.row_count = fixed->row_count;
  c->set.W_size = fixed->W_size;
  c->set.gap_q_size = fixed->gap_q_size;
  c->set.Q_size = fixed->Q_size;
  c->part_count = c->listed_count = 0;
  for (int k = 0; k < c->set.system->source_count; k++) c->present[k] = (law_range){fixed->law_count, 0};
}

/* --- lists ---------------------------------------------------------------------------------------------------- */

static picus_status reserve_law(changing_set *c, size_t parts) {
  const size_t laws = (size_t)c->set.law_count;
  picus_status status = picus_grow(c->context, &c->set.laws, laws, &c->law_capacity, sizeof *c->set.laws);
  while (!status && c->part_count + parts > c->part_capacity)
    status = picus_grow(c->context, &c->parts, c->part_capacity, &c->part_capacity, sizeof *c->parts);
  return status;
}

/* Until the list is complete, W0 is where the parts of the law are among all. */
static picus_status append(changing_set *c, const picus_system_law *data, const system_law *law) {
  picus_status status = reserve_law(c, (size_t)law->part_count);
  if (status) return status;
  if (law->part_count > 0) memcpy(c->parts + c->part_count, law->parts, (size_t)law->part_count * sizeof *law->parts);
  system_law *own = &c->set.laws[c->set.law_count++];
  *own = (system_law){.data = *data,
                      .source = c->source,
                      .key = law->key,
                      .part_count = law->part_count,
                      .slack = law->slack,
                      .W0 = c->part_count};
  memcpy(own->members, law->members, sizeof own->members);
  c->part_count += (size_t)law->part_count;
  return PICUS_OK;
}

picus_status picus_appearing_laws_add(appearing_laws *list, const system_law *law) {
  picus_system_law contact = law->data;
  contact.has_gap = true;
  contact.rolling = 0;
  if (contact.kind != PICUS_COULOMB) contact.slips = 0;
  picus_status status = append(list, &contact, law);
  if (status || law->rolls == 0) return status;
  const picus_system_law rolling = {
      .kind = PICUS_ROLLING, .slips = law->rolls, .rolling = law->data.rolling, .varies = law->data.varies};
  return append(list, &rolling, law);
}

/* Whether a law of the same source comes before another. */
static bool precedes(const changing_set *c, int a, int b) {
  return picus_law_identity_compare(picus_law_identity(&c->set, a), picus_law_identity(&c->set, b)) < 0;
}

/* A law and where it stands before it is sorted. */
typedef struct law_order {
  law_identity own;
  int law;
} law_order;

/* The end of the laws from k on that are in order. */
static int end_of_run(const law_order *laws, int k, int count) {
  for (k++; k < count && picus_law_identity_compare(laws[k - 1].own, laws[k].own) <= 0;) k++;
  return k;
}

/* Joins every two neighbouring runs. true: one is left. */
static bool merge_runs(const law_order *from, int count, law_order *to) {
  int begin = 0;
  for (int at = 0; begin < count;) {
    const int middle = end_of_run(from, begin, count), end = middle < count ? end_of_run(from, middle, count) : middle;
    for (int i = begin, j = middle; i < middle || j < end;) {
      const bool first = j == end || (i < middle && picus_law_identity_compare(from[i].own, from[j].own) <= 0);
      to[at++] = first ? from[i++] : from[j++];
    }
    if (begin == 0 && end == count) return true;
    begin = end;
  }
  return false;
}

/* Every law moves once. order: for each place the law that belongs there; it is lost. */
static void move_laws(changing_set *c, int first, int count, law_order *order) {
  system_law *laws = c->set.laws + first;
  for (int i = 0; i < count; i++) {
    if (order[i].law == i) continue;
    const system_law law = laws[i];
    int to = i;
    for (int from; (from = order[to].law) != i; to = from) {
      laws[to] = laws[from];
      order[to].law = to;
    }
    laws[to] = law;
    order[to].law = to;
  }
}

/* Keeps where the laws of a list went. order: for each place the law that belongs there. */
static picus_status note_places(changing_set *c, int count, const law_order *order) {
  picus_status status = PICUS_OK;
  while (!status && c->listed_capacity < (size_t)count)
    status = picus_grow(c->context, &c->listed, c->listed_capacity, &c->listed_capacity, sizeof *c->listed);
  if (status) return status;
  for (int i = 0; i < count; i++) c->listed[order[i].law] = i;
  c->listed_count = (size_t)count;
  return PICUS_OK;
}

/* Lists consist of a few runs that are in order, as a rule: these are merged. */
static picus_status sort_range(changing_set *c, int first, int count) {
  int sorted = 1;
  while (sorted < count && !precedes(c, first + sorted, first + sorted - 1)) sorted++;
  if (sorted >= count) return PICUS_OK;
  picus_status status = PICUS_OK;
  while (!status && c->order_capacity < 2 * (size_t)count)
    status = picus_grow(c->context, &c->order, c->order_capacity, &c->order_capacity, sizeof *c->order);
  if (status) return status;
  law_order *from = c->order, *to = c->order + count;
  for (int i = 0; i < count; i++) from[i] = (law_order){picus_law_identity(&c->set, first + i), i};
  while (!merge_runs(from, count, to)) {
    law_order *last = from;
    from = to;
    to = last;
  }
  status = note_places(c, count, to);
  if (!status) move_laws(c, first, count, to);
  return status;
}

static bool has_law(const changing_set *c, int first, int count, law_identity law) {
  int low = first, high = first + count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (picus_law_identity_compare(picus_law_identity(&c->set, middle), law) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < first + count && picus_law_identity_compare(picus_law_identity(&c->set, low), law) == 0;
}

/* Laws of the last set that are in use and not listed. */
static picus_status keep_laws(changing_set *c, const changing_set *last, const kept_laws *kept) {
  const law_range before = last->present[c->source], now = c->present[c->source];
  for (int i = before.first; i < before.first + before.count; i++) {
    const system_law *law = &last->set.laws[i];
    const int contact = law->data.kind == PICUS_ROLLING ? i - 1 : i; /* a rolling law stays with its contact */
    if (has_law(c, now.first, now.count, picus_law_identity(&last->set, i)) || !kept->keeps(kept->user, contact))
      continue;
    picus_status status = append(c, &law->data, law);
    if (status) return status;
  }
  const int count = c->set.law_count - now.first;
  c->present[c->source].count = count;
  return count > now.count ? sort_range(c, now.first, count) : PICUS_OK;
}

static picus_status check_keys(const changing_set *c, law_range range, const char *kind) {
  for (int i = range.first + 1; i < range.first + range.count; i++)
    if (!precedes(c, i - 1, i))
      return picus_fail(c->context, PICUS_ERROR_ARGUMENT,
                        "the source '%s' lists two laws with the key %016llx; give every law a unique key", kind,
                        (unsigned long long)c->set.laws[i].key);
  return PICUS_OK;
}

/* What a source is asked for: laws that may act within dt, or those that overlap. */
typedef struct law_question {
  picus_evaluation *evaluation;
  double dt;
  bool overlaps;
  bool may_be_same; /* the last set may stay as it is */
  const changing_set *last;
  const kept_laws *kept;
} law_question;

static picus_status ask_source(changing_set *c, const law_question *q, const system_source *source) {
  const appearing_ops *ops = source->ops->appearing;
  const source_point *point = &q->evaluation->points[c->source];
  c->looks_inside = q->kept != NULL;
  if (!q->overlaps) return ops->collide(source->self, q->evaluation->context, point, q->dt, c);
  return ops->overlaps ? ops->overlaps(source->self, q->evaluation->context, point, c) : PICUS_OK;
}

static bool is_same_law(const changing_set *c, int i, const changing_set *last, int j) {
  const system_law *law = &c->set.laws[i], *other = &last->set.laws[j];
  const picus_system_law *a = &law->data, *b = &other->data;
  if (law->key != other->key || memcmp(law->members, other->members, sizeof law->members) != 0) return false;
  if (a->kind != b->kind || a->slips != b->slips || a->mu != b->mu || a->eN != b->eN || a->eF != b->eF) return false;
  if (a->impact != b->impact || a->adhesion != b->adhesion) return false;
  if (a->rolling != b->rolling || law->slack != other->slack || law->part_count != other->part_count) return false;
  const size_t bytes = (size_t)law->part_count * sizeof *other->parts;
  return bytes == 0 || memcmp(c->parts + law->W0, other->parts, bytes) == 0;
}

static bool has_one_source_of_laws(const picus_system *system) {
  int count = 0;
  for (int k = 0; k < system->source_count; k++) count += system->sources[k].ops->appearing != NULL;
  return count == 1;
}

/* Whether a list, before it is sorted, has the laws of the last set, at the places where they went then. In granular
 * matter at rest this is so in most steps. */
static bool is_last_list(const changing_set *c, const law_question *q) {
  const changing_set *last = q->last;
  const int fixed = c->set.fixed_count, count = c->set.law_count - fixed;
  if (!q->may_be_same || q->kept || count == 0 || last->listed_count != (size_t)count) return false;
  if (last->set.law_count - fixed != count || !has_one_source_of_laws(c->set.system)) return false;
  for (int i = 0; i < count; i++)
    if (!is_same_law(c, fixed + i, last, fixed + last->listed[i])) return false;
  return true;
}

static picus_status list_source(changing_set *c, const law_question *q, bool *same) {
  const system_source *source = &c->set.system->sources[c->source];
  law_range *range = &c->present[c->source];
  *range = (law_range){c->set.law_count, 0};
  if (!source->ops->appearing) return PICUS_OK;
  picus_status status = ask_source(c, q, source);
  if (status) return status;
  range->count = c->set.law_count - range->first;
  if ((*same = is_last_list(c, q))) return PICUS_OK;
  status = sort_range(c, range->first, range->count);
  if (!status) status = check_keys(c, *range, source->ops->kind);
  return !status && q->kept ? keep_laws(c, q->last, q->kept) : status;
}

/* --- layout --------------------------------------------------------------------------------------------------- */

/* A law that was in the last set keeps its name. */
static void name_laws(changing_set *c, const changing_set *last) {
  const int fixed = c->set.fixed_count;
  for (int i = fixed, j = fixed; i < c->set.law_count; i++) {
    system_law *law = &c->set.laws[i];
    const law_identity own = picus_law_identity(&c->set, i);
    char *name = c->names[i - fixed];
    int order = 1;
    while (j < last->set.law_count && (order = picus_law_identity_compare(picus_law_identity(&last->set, j), own)) < 0)
      j++;
    const appearing_ops *ops = c->set.system->sources[law->source].ops->appearing;
    if (order == 0 && j < last->set.law_count)
      memcpy(name, last->names[j - fixed], PICUS_LAW_NAME);
    else if (ops->name)
      ops->name(c->set.system->sources[law->source].self, law, name, PICUS_LAW_NAME);
    else
      snprintf(name, PICUS_LAW_NAME, "contact-%llx", (unsigned long long)own.key);
    if (own.rolls && !(order == 0 && j < last->set.law_count))
      strncat(name, "_rolling", PICUS_LAW_NAME - 1 - strlen(name));
    law->data.name = law->name = name;
  }
}

static picus_status lay_out(changing_set *c, const changing_set *last) {
  const int count = c->set.law_count;
  const size_t present = (size_t)(count - c->set.fixed_count);
  picus_status status = PICUS_OK;
  while (!status && present > c->name_capacity)
    status = picus_grow(c->context, &c->names, c->name_capacity, &c->name_capacity, sizeof *c->names);
  if (status) return status;
  for (int i = c->set.fixed_count; i < count; i++) {
    system_law *law = &c->set.laws[i];
    law->parts = c->parts + law->W0;
    picus_law_set_place(&c->set, law);
  }
  name_laws(c, last);
  return picus_law_set_connect(c->context, &c->set);
}

static picus_status search(changing_set *c, const law_question *q, bool *same) {
  picus_changing_set_clear(c);
  picus_status status = PICUS_OK;
  *same = false;
  for (c->source = 0; !status && !*same && c->source < c->set.system->source_count; c->source++)
    status = list_source(c, q, same);
  if (!status && !*same) status = lay_out(c, q->last);
  if (status || *same) picus_changing_set_clear(c);
  return status;
}

picus_status picus_changing_set_search(changing_set *c, picus_evaluation *e, double dt, const changing_set *last,
                                       const kept_laws *kept, bool *same) {
  bool unused;
  const law_question q = {.evaluation = e, .dt = dt, .may_be_same = same != NULL, .last = last, .kept = kept};
  return search(c, &q, same ? same : &unused);
}

static bool keeps_all(const void *user, int law) {
  (void)user, (void)law;
  return true;
}

picus_status picus_changing_set_add_overlaps(changing_set *c, picus_evaluation *e, const changing_set *last) {
  const kept_laws all = {keeps_all, NULL};
  bool same;
  return search(c, &(law_question){.evaluation = e, .overlaps = true, .last = last, .kept = &all}, &same);
}

/* --- checkpoints ---------------------------------------------------------------------------------------------- */

enum { ARCHIVED_BYTES = sizeof(uint64_t) + PICUS_LAW_MEMBERS * sizeof(int) }; /* of a law */

static void archive_law(picus_archive *a, system_law *law) {
  picus_archive_word(a, &law->key);
  for (int k = 0; k < PICUS_LAW_MEMBERS; k++) picus_archive_bytes(a, &law->members[k], sizeof law->members[k]);
}

/* Contacts of one source; their rolling laws follow from them. */
static void write_source(const changing_set *c, picus_archive *a) {
  const law_range range = c->present[c->source];
  size_t count = 0;
  for (int i = range.first; i < range.first + range.count; i++) count += c->set.laws[i].data.kind != PICUS_ROLLING;
  picus_archive_count(a, &count, ARCHIVED_BYTES);
  for (int i = range.first; i < range.first + range.count; i++)
    if (c->set.laws[i].data.kind != PICUS_ROLLING) archive_law(a, &c->set.laws[i]);
}

static void read_source(changing_set *c, picus_archive *a) {
  const system_source *source = &c->set.system->sources[c->source];
  const appearing_ops *ops = source->ops->appearing;
  size_t count = 0;
  law_range *range = &c->present[c->source];
  *range = (law_range){c->set.law_count, 0};
  picus_archive_count(a, &count, ARCHIVED_BYTES);
  if (!a->status && count > 0 && !(ops && ops->list_again)) {
    picus_archive_reject(a, "it has contacts that its model cannot find again");
    return;
  }
  for (size_t k = 0; !a->status && k < count; k++) {
    system_law law = {0};
    archive_law(a, &law);
    if (a->status) return;
    bool known = false;
    picus_status status = ops->list_again(source->self, &law, c, &known);
    if (status) a->status = status;
    if (!known) picus_archive_reject(a, "a contact of it cannot exist in the model");
  }
  if (a->status) return;
  range->count = c->set.law_count - range->first;
  for (int i = range->first + 1; i < range->first + range->count; i++)
    if (!precedes(c, i - 1, i)) picus_archive_reject(a, "its contacts are not in order");
}

void picus_changing_set_archive(changing_set *c, const changing_set *last, picus_archive *a) {
  picus_archive_mark(a, "contacts");
  if (a->direction == ARCHIVE_READS) picus_changing_set_clear(c);
  for (c->source = 0; !a->status && c->source < c->set.system->source_count; c->source++)
    if (a->direction == ARCHIVE_READS)
      read_source(c, a);
    else
      write_source(c, a);
  if (a->direction != ARCHIVE_READS) return;
  if (!a->status) a->status = lay_out(c, last);
  if (a->status) picus_changing_set_clear(c);
}

bool picus_law_sets_agree(const law_set *a, const law_set *b) {
  if (a->law_count != b->law_count || a->row_count != b->row_count) return false;
  for (int i = a->fixed_count; i < a->law_count; i++) {
    const system_law *x = &a->laws[i], *y = &b->laws[i];
    if (picus_law_identity_compare(picus_law_identity(a, i), picus_law_identity(b, i)) != 0) return false;
    if (x->data.kind != y->data.kind || x->data.dim != y->data.dim || x->part_count != y->part_count) return false;
    for (int k = 0; k < x->part_count; k++)
      if (x->parts[k] != y->parts[k]) return false;
  }
  return true;
}

/* --- identities ----------------------------------------------------------------------------------------------- */

void picus_law_set_match(const law_set *set, int count, const law_identity *others, int *from) {
  for (int i = 0, j = 0; i < set->law_count; i++) {
    const law_identity own = picus_law_identity(set, i);
    while (j < count && picus_law_identity_compare(others[j], own) < 0) j++;
    from[i] = j < count && picus_law_identity_compare(others[j], own) == 0 ? j : -1;
  }
}

void picus_law_set_match_set(const law_set *set, const law_set *other, int *from) {
  for (int i = 0, j = 0; i < set->law_count; i++) {
    const law_identity own = picus_law_identity(set, i);
    while (j < other->law_count && picus_law_identity_compare(picus_law_identity(other, j), own) < 0) j++;
    const bool found = j < other->law_count && picus_law_identity_compare(picus_law_identity(other, j), own) == 0;
    from[i] = found && other->laws[j].data.dim == set->laws[i].data.dim ? j : -1;
  }
}
