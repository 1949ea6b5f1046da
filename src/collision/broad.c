/* Broad phase: a list of pairs whose boxes, enlarged by a skin, overlap. The list holds until a box leaves its enlarged
 * one; a uniform grid makes the next. What is handed out are the pairs of the list whose boxes overlap now, so the
 * result does not depend on when the list was made.
 *
 * Inside, colliders are numbered by their ids in increasing order (ranks): pairs come out sorted. Boxes much larger
 * than the others, and unbounded ones, are compared with all; the others go into cells that are at least as large as
 * they are, so that partners are found in neighbouring cells. */
#include "base/internal.h"
#include "collision/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct member {
  int body;
  uint32_t id, groups, mask;
  int collider;
} member;

/* A box in the grid. */
typedef struct inmate {
  int rank;
  int32_t cell[3];
  uint32_t bucket;
} inmate;

struct broad_phase {
  picus_context *context;
  int count;
  member *members; /* by rank */
  int (*apart)[2]; /* smaller index first, sorted */
  int apart_count;
  picus_bounds *fat; /* by rank: the boxes of the list */
  bool has_list;
  picus_pair *list, *found;
  size_t list_capacity, found_capacity;
  int list_count;
  int *big;
  inmate *inmates, *sorted;
  int *bucket_start;
  uint32_t bucket_mask;
  int *rank_start; /* for sorting the list */
  double cell_size;
  int inmate_count, big_count;
};

/* --- creation ------------------------------------------------------------------------------------------------- */

static int by_id(const void *left, const void *right) {
  const member *a = left, *b = right;
  if (a->id != b->id) return a->id < b->id ? -1 : 1;
  return a->collider < b->collider ? -1
                                   : a->collider > b->collider; /* the order of equal ones depends on the C library */
}

static int by_bodies(const void *left, const void *right) {
  const int *a = left, *b = right;
  if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] < b[1] ? -1 : a[1] > b[1];
}

static void copy_def(broad_phase *b, const picus_collision_def *def) {
  for (int k = 0; k < b->count; k++) {
    const picus_collider *c = &def->colliders[k];
    b->members[k] = (member){c->body, c->id, c->groups, c->mask, k};
  }
  qsort(b->members, (size_t)b->count, sizeof *b->members, by_id);
  for (int k = 0; k < b->apart_count; k++) {
    const int *pair = def->apart[k], swap = pair[0] > pair[1];
    b->apart[k][0] = pair[swap];
    b->apart[k][1] = pair[!swap];
  }
  if (b->apart_count) qsort(b->apart, (size_t)b->apart_count, sizeof *b->apart, by_bodies);
}

static picus_status check_ids(picus_context *context, const broad_phase *b) {
  for (int k = 1; k < b->count; k++)
    if (b->members[k].id == b->members[k - 1].id)
      return picus_fail(context, PICUS_ERROR_NAME, "colliders %d and %d have the same id %lu; give each its own",
                        b->members[k - 1].collider, b->members[k].collider, (unsigned long)b->members[k].id);
  return PICUS_OK;
}

/* Arrays sized by the number of colliders, whose ids must differ; the arrays of pairs grow in searches. */
picus_status picus_broad_create(picus_context *context, const picus_collision_def *def, broad_phase **out) {
  *out = NULL;
  broad_phase *b = picus_allocate(context, 1, sizeof *b);
  if (!b) return PICUS_ERROR_MEMORY;
  const size_t count = (size_t)def->collider_count;
  size_t buckets = 16;
  while (buckets < 2 * count) buckets *= 2;
  b->context = context;
  b->count = def->collider_count;
  b->apart_count = def->apart_count;
  b->bucket_mask = (uint32_t)(buckets - 1);
  b->members = picus_allocate(context, count, sizeof *b->members);
  b->apart = picus_allocate(context, (size_t)def->apart_count, sizeof *b->apart);
  b->fat = picus_allocate(context, count, sizeof *b->fat);
  b->big = picus_allocate(context, count, sizeof *b->big);
  b->inmates = picus_allocate(context, count, sizeof *b->inmates);
  b->sorted = picus_allocate(context, count, sizeof *b->sorted);
  b->bucket_start = picus_allocate(context, buckets + 1, sizeof *b->bucket_start);
  b->rank_start = picus_allocate(context, count + 1, sizeof *b->rank_start);
  picus_status status =
      b->members && b->apart && b->fat && b->big && b->inmates && b->sorted && b->bucket_start && b->rank_start
          ? PICUS_OK
          : PICUS_ERROR_MEMORY;
  if (!status) {
    copy_def(b, def);
    status = check_ids(context, b);
  }
  if (status) {
    picus_broad_destroy(b);
    return status;
  }
  *out = b;
  return PICUS_OK;
}

void picus_broad_destroy(broad_phase *b) {
  if (!b) return;
  picus_context *context = b->context;
  picus_release(context, b->members);
  picus_release(context, b->apart);
  picus_release(context, b->fat);
  picus_release(context, b->big);
  picus_release(context, b->inmates);
  picus_release(context, b->sorted);
  picus_release(context, b->bucket_start);
  picus_release(context, b->rank_start);
  picus_release(context, b->list);
  picus_release(context, b->found);
  picus_release(context, b);
}

/* --- pairs ---------------------------------------------------------------------------------------------------- */

static bool overlap(const picus_bounds *a, const picus_bounds *b) {
  return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
         a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

static bool may_touch(const broad_phase *b, const member *m, const member *n) {
  if (m->body == n->body || !(m->groups & n->mask) || !(n->groups & m->mask)) return false;
  if (!b->apart_count) return true;
  const int bodies[2] = {m->body < n->body ? m->body : n->body, m->body < n->body ? n->body : m->body};
  return !bsearch(bodies, b->apart, (size_t)b->apart_count, sizeof *b->apart, by_bodies);
}

static picus_status add_pair(broad_phase *b, int i, int j) {
  const int low = i < j ? i : j, high = i < j ? j : i;
  if (!overlap(&b->fat[low], &b->fat[high]) || !may_touch(b, &b->members[low], &b->members[high])) return PICUS_OK;
  if ((size_t)b->list_count >= b->list_capacity) {
    picus_status status = picus_grow(b->context, &b->list, (size_t)b->list_count, &b->list_capacity, sizeof *b->list);
    if (status) return status;
  }
  b->list[b->list_count++] = (picus_pair){0, low, high}; /* ranks, until the list is sorted */
  return PICUS_OK;
}

/* --- grid ----------------------------------------------------------------------------------------------------- */

static double side_of(const picus_bounds *box) {
  double side = 0;
  for (int k = 0; k < 3; k++)
    if (box->high[k] - box->low[k] > side) side = box->high[k] - box->low[k];
  return side;
}

/* Who is big, and the size of the cells. */
static void choose_cells(broad_phase *b) {
  double sum = 0;
  int finite = 0;
  for (int k = 0; k < b->count; k++) {
    double side = side_of(&b->fat[k]);
    if (!isfinite(side)) continue;
    sum += side;
    finite++;
  }
  const double limit = finite ? 4 * sum / finite : 0;
  b->cell_size = 0;
  b->big_count = b->inmate_count = 0;
  for (int k = 0; k < b->count; k++) {
    double side = side_of(&b->fat[k]);
    if (side <= limit) {
      b->inmates[b->inmate_count++].rank = k;
      if (side > b->cell_size) b->cell_size = side;
    } else {
      b->big[b->big_count++] = k;
    }
  }
}

static uint32_t bucket_of(const broad_phase *b, const int32_t cell[3]) {
  uint32_t hash = (uint32_t)cell[0] * 73856093u ^ (uint32_t)cell[1] * 19349663u ^ (uint32_t)cell[2] * 83492791u;
  return (hash ^ hash >> 15) & b->bucket_mask;
}

static void put_into_cells(broad_phase *b) {
  const double most = 1 << 30; /* cells; far away, neighbouring cells become one */
  memset(b->bucket_start, 0, ((size_t)b->bucket_mask + 2) * sizeof *b->bucket_start);
  for (int k = 0; k < b->inmate_count; k++) {
    inmate *m = &b->inmates[k];
    const picus_bounds *box = &b->fat[m->rank];
    for (int d = 0; d < 3; d++) {
      double place = b->cell_size > 0 ? floor((box->low[d] + box->high[d]) / 2 / b->cell_size) : 0;
      m->cell[d] = (int32_t)(place < -most ? -most : place > most ? most : place);
    }
    m->bucket = bucket_of(b, m->cell);
    b->bucket_start[m->bucket + 1]++;
  }
  for (uint32_t k = 0; k <= b->bucket_mask; k++) b->bucket_start[k + 1] += b->bucket_start[k];
  for (int k = 0; k < b->inmate_count; k++) b->sorted[b->bucket_start[b->inmates[k].bucket]++] = b->inmates[k];
  for (uint32_t k = b->bucket_mask + 1; k > 0; k--) b->bucket_start[k] = b->bucket_start[k - 1];
  b->bucket_start[0] = 0;
}

static picus_status search_cell(broad_phase *b, const inmate *m, const int32_t cell[3], int from) {
  const uint32_t bucket = bucket_of(b, cell);
  if (from < b->bucket_start[bucket]) from = b->bucket_start[bucket];
  for (int k = from; k < b->bucket_start[bucket + 1]; k++) {
    const inmate *n = &b->sorted[k];
    if (n->cell[0] != cell[0] || n->cell[1] != cell[1] || n->cell[2] != cell[2]) continue;
    picus_status status = add_pair(b, m->rank, n->rank);
    if (status) return status;
  }
  return PICUS_OK;
}

/* Each inmate against those behind it in its own cell, and those in the half of the neighbouring cells that is ahead.
 */
static picus_status search_cells(broad_phase *b) {
  static const int ahead[13][3] = {{1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
                                   {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1}};
  bool flat = true; /* planar: only cells of one layer */
  for (int k = 1; k < b->inmate_count && flat; k++) flat = b->sorted[k].cell[2] == b->sorted[0].cell[2];
  for (int k = 0; k < b->inmate_count; k++) {
    const inmate *m = &b->sorted[k];
    picus_status status = search_cell(b, m, m->cell, k + 1);
    for (int n = 0; n < (flat ? 4 : 13) && !status; n++) {
      const int32_t cell[3] = {m->cell[0] + ahead[n][0], m->cell[1] + ahead[n][1], m->cell[2] + ahead[n][2]};
      status = search_cell(b, m, cell, 0);
    }
    if (status) return status;
  }
  return PICUS_OK;
}

/* --- list ----------------------------------------------------------------------------------------------------- */

static picus_status compare_big(broad_phase *b) {
  for (int k = 0; k < b->big_count; k++) {
    for (int l = k + 1; l < b->big_count; l++) {
      picus_status status = add_pair(b, b->big[k], b->big[l]);
      if (status) return status;
    }
    for (int i = 0; i < b->inmate_count; i++) {
      picus_status status = add_pair(b, b->big[k], b->inmates[i].rank);
      if (status) return status;
    }
  }
  return PICUS_OK;
}

/* By the first rank, by counting; then by the second one, by insertion: a collider has few partners, or, if it is big,
 * they come in order. */
static picus_status sort_list(broad_phase *b) {
  if ((size_t)b->list_count > b->found_capacity) {
    picus_pair *found = picus_reallocate(b->context, b->found, b->list_capacity, sizeof *found);
    if (!found) return PICUS_ERROR_MEMORY;
    b->found = found;
    b->found_capacity = b->list_capacity;
  }
  memset(b->rank_start, 0, ((size_t)b->count + 1) * sizeof *b->rank_start);
  for (int k = 0; k < b->list_count; k++) b->rank_start[b->list[k].a + 1]++;
  for (int k = 0; k < b->count; k++) b->rank_start[k + 1] += b->rank_start[k];
  for (int k = 0; k < b->list_count; k++) b->found[b->rank_start[b->list[k].a]++] = b->list[k];
  for (int k = 1; k < b->list_count; k++) {
    const picus_pair pair = b->found[k];
    int at = k;
    for (; at > 0 && b->found[at - 1].a == pair.a && b->found[at - 1].b > pair.b; at--) b->found[at] = b->found[at - 1];
    b->found[at] = pair;
  }
  for (int k = 0; k < b->list_count; k++) {
    const picus_pair pair = b->found[k];
    b->list[k] = (picus_pair){(uint64_t)b->members[pair.a].id << 32 | b->members[pair.b].id, pair.a, pair.b};
  }
  return PICUS_OK;
}

static picus_status make_list(broad_phase *b, const picus_bounds *bounds) {
  b->has_list = false;
  b->list_count = 0;
  for (int k = 0; k < b->count; k++) {
    const picus_bounds *box = &bounds[b->members[k].collider];
    const double skin = b->members[k].body < 0 ? 0 : 0.1 * side_of(box);
    for (int d = 0; d < 3; d++) {
      b->fat[k].low[d] = box->low[d] - skin;
      b->fat[k].high[d] = box->high[d] + skin;
    }
  }
  choose_cells(b);
  put_into_cells(b);
  picus_status status = search_cells(b);
  if (!status) status = compare_big(b);
  if (!status) status = sort_list(b);
  b->has_list = !status;
  return status;
}

static bool list_holds(const broad_phase *b, const picus_bounds *bounds) {
  if (!b->has_list) return false;
  for (int k = 0; k < b->count; k++) {
    const picus_bounds *box = &bounds[b->members[k].collider], *fat = &b->fat[k];
    for (int d = 0; d < 3; d++)
      if (!(box->low[d] >= fat->low[d] && box->high[d] <= fat->high[d])) return false;
  }
  return true;
}

picus_status picus_broad_find(broad_phase *b, const picus_bounds *bounds, picus_pairs *out) {
  if (!list_holds(b, bounds)) {
    picus_status status = make_list(b, bounds);
    if (status) return status;
  }
  int count = 0;
  for (int k = 0; k < b->list_count; k++) {
    const picus_pair *pair = &b->list[k];
    const int first = b->members[pair->a].collider, second = b->members[pair->b].collider;
    if (overlap(&bounds[first], &bounds[second])) b->found[count++] = (picus_pair){pair->ids, first, second};
  }
  *out = (picus_pairs){b->found, count};
  return PICUS_OK;
}
