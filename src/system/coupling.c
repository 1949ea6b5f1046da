/* Forces that name nodes of flexible components couple parts of different sources. The groups that they connect become
 * one group, whose pattern has the places of dh/du of its parts, dense or sparse, and those of the couplings. */
#include "base/internal.h"
#include "system/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- groups ------------------------------------------------------------------------------------------------------ */

static void release_pattern(picus_context *context, system_group *group) {
  picus_release(context, group->row_start);
  picus_release(context, group->column);
  group->row_start = group->column = NULL;
}

/* last: for each group the last one with which it is coupled. Groups in between belong to the sequence as well. */
static void join_groups(picus_system *system, const int *last, const bool *coupled) {
  int count = 0;
  for (int g = 0; g < system->group_count;) {
    system_group joined = system->groups[g];
    int end = last[g];
    bool mixed = coupled[g];
    for (int k = g + 1; k <= end; k++) {
      if (last[k] > end) end = last[k];
      mixed = mixed || coupled[k];
      joined.part_count += system->groups[k].part_count;
      joined.nu += system->groups[k].nu;
      release_pattern(system->context, &system->groups[k]);
    }
    if (mixed) release_pattern(system->context, &joined);
    joined.mixed = mixed;
    for (int p = joined.part0; p < joined.part0 + joined.part_count; p++) system->parts[p].group = count;
    system->groups[count] = joined;
    if (!mixed && joined.pattern == &system->groups[g].own) system->groups[count].pattern = &system->groups[count].own;
    count++;
    g = end + 1;
  }
  system->group_count = count;
}

static picus_status find_groups(picus_system *system) {
  const size_t groups = (size_t)system->group_count;
  int *last = picus_allocate(system->context, groups, sizeof *last);
  bool *coupled = picus_allocate(system->context, groups, sizeof *coupled);
  if (last && coupled) {
    for (int g = 0; g < system->group_count; g++) last[g] = g;
    for (int k = 0; k < system->coupling_count; k++) {
      const int a = system->parts[system->couplings[k].row_part].group,
                b = system->parts[system->couplings[k].part].group;
      const int first = a < b ? a : b, second = a < b ? b : a;
      coupled[first] = true;
      if (second > last[first]) last[first] = second;
    }
    join_groups(system, last, coupled);
  }
  picus_status status = last && coupled ? PICUS_OK : PICUS_ERROR_MEMORY;
  picus_release(system->context, last);
  picus_release(system->context, coupled);
  return status;
}

/* --- patterns ---------------------------------------------------------------------------------------------------- */

typedef struct entry_place {
  int row, column; /* from the first velocity of the group */
} entry_place;

static int compare_places(const void *a, const void *b) {
  const entry_place *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
}

/* The places of the couplings of a group and their mirrored ones, sorted. */
static picus_status list_places(picus_system *system, const system_group *group, entry_place **out, size_t *count) {
  size_t total = 0, at = 0;
  for (int k = 0; k < group->coupling_count; k++) total += 2 * (size_t)system->couplings[group->coupling0 + k].nu;
  entry_place *places = picus_allocate(system->context, total, sizeof *places);
  *out = places;
  if (!places) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < group->coupling_count; k++) {
    const system_coupling *c = &system->couplings[group->coupling0 + k];
    for (int j = 0; j < c->nu; j++) {
      const entry_place place = {c->row - group->u0, c->u0 + j - group->u0};
      places[at++] = place;
      places[at++] = (entry_place){place.column, place.row};
    }
  }
  if (total > 0) qsort(places, total, sizeof *places, compare_places);
  *count = total;
  return PICUS_OK;
}

/* The columns of row i of dh/du of a part, from the first velocity of its group; returns their number. */
static int own_columns(const picus_system *system, const system_part *part, int i, int *columns) {
  const int u0 = system->groups[part->group].u0;
  int count = 0;
  if (part->pattern) {
    for (int k = part->pattern->row_start[i]; k < part->pattern->row_start[i + 1]; k++)
      columns[count++] = part->u0 - u0 + part->pattern->column[k];
    return count;
  }
  for (int c = 0; c < part->coupled_count; c++) {
    const system_part *other = &system->parts[part->coupled[c]];
    for (int j = 0; j < other->nu; j++) columns[count++] = other->u0 - u0 + j;
  }
  return count;
}

typedef struct pattern_builder {
  picus_system *system;
  system_group *group;
  entry_place *extra; /* of couplings */
  size_t extra_count, next;
  int *columns; /* of one row without couplings */
  int at, own;  /* columns of the group, and values of its parts, so far */
} pattern_builder;

/* Merges both sorted lists of columns of a row. */
static void add_row(pattern_builder *b, int row, int count) {
  system_group *group = b->group;
  for (int k = 0;;) {
    const bool more = b->next < b->extra_count && b->extra[b->next].row == row;
    if (k == count && !more) break;
    const int column =
        !more || (k < count && b->columns[k] <= b->extra[b->next].column) ? b->columns[k] : b->extra[b->next].column;
    if (k < count && b->columns[k] == column) {
      group->place[b->own++] = b->at;
      k++;
    }
    group->column[b->at++] = column;
    while (b->next < b->extra_count && b->extra[b->next].row == row && b->extra[b->next].column == column) b->next++;
  }
  group->row_start[row + 1] = b->at;
}

static void find_widths(const picus_system *system, const system_group *group, size_t *values, size_t *widest) {
  *values = *widest = 0;
  for (int p = group->part0; p < group->part0 + group->part_count; p++) {
    const system_part *part = &system->parts[p];
    const size_t width = part->pattern ? (size_t)part->nu : (size_t)part->u_width;
    *values += part->pattern ? (size_t)part->pattern->row_start[part->nu] : (size_t)part->nu * width;
    if (width > *widest) *widest = width;
  }
}

static picus_status allocate_pattern(pattern_builder *b) {
  picus_context *context = b->system->context;
  size_t values, widest;
  find_widths(b->system, b->group, &values, &widest);
  if (values + b->extra_count > INT_MAX)
    return picus_fail(context, PICUS_ERROR_DIMENSION,
                      "the forces couple too many velocities with each other; make the model smaller");
  b->columns = picus_allocate(context, widest, sizeof *b->columns);
  b->group->place = picus_allocate(context, values, sizeof(int));
  b->group->row_start = picus_allocate(context, (size_t)b->group->nu + 1, sizeof(int));
  b->group->column = picus_allocate(context, values + b->extra_count, sizeof(int));
  const bool all = b->columns && b->group->place && b->group->row_start && b->group->column;
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static size_t find_column(const system_group *group, int row, int column) {
  int low = group->row_start[row], high = group->row_start[row + 1];
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (group->column[middle] <= column)
      low = middle;
    else
      high = middle;
  }
  return (size_t)low;
}

static picus_status create_pattern(picus_system *system, system_group *group) {
  pattern_builder b = {.system = system, .group = group};
  picus_status status = list_places(system, group, &b.extra, &b.extra_count);
  if (!status) status = allocate_pattern(&b);
  for (int p = group->part0; !status && b.columns && p < group->part0 + group->part_count; p++) {
    system_part *part = &system->parts[p];
    part->place = group->place + b.own;
    for (int i = 0; i < part->nu; i++) add_row(&b, part->u0 - group->u0 + i, own_columns(system, part, i, b.columns));
  }
  picus_release(system->context, b.extra);
  picus_release(system->context, b.columns);
  if (status) return status;
  for (int k = 0; k < group->coupling_count; k++) {
    system_coupling *c = &system->couplings[group->coupling0 + k];
    c->at = find_column(group, c->row - group->u0, c->u0 - group->u0);
  }
  group->own = (part_pattern){group->row_start, group->column, false};
  group->pattern = &group->own;
  return PICUS_OK;
}

picus_status picus_system_couple(picus_system *system) {
  if (system->coupling_count == 0) return PICUS_OK;
  picus_status status = find_groups(system);
  for (int k = 0; !status && k < system->coupling_count; k++) {
    system_group *group = &system->groups[system->parts[system->couplings[k].row_part].group];
    if (group->coupling_count++ == 0) group->coupling0 = k;
  }
  for (int g = 0; !status && g < system->group_count; g++)
    if (system->groups[g].mixed) status = create_pattern(system, &system->groups[g]);
  return status;
}
