/* Components by union and find: paths are halved while they are searched, nothing is allocated. */
#include "system/components.h"

#include "base/disjoint_sets.h"
#include "base/internal.h"

#include <string.h>

void picus_components_clear(velocity_components *c) {
  for (int i = 0; i < c->system->nu; i++) c->parent[i] = i;
  memset(c->marked, 0, (size_t)c->system->nu * sizeof *c->marked);
}

void picus_components_join_matrix(velocity_components *c, const system_matrix *matrix) {
  for (int p = 0; p < c->system->part_count; p++) {
    const part_matrix *block = &matrix->blocks[p];
    const part_pattern *pattern = block->pattern;
    const int u0 = c->system->parts[p].u0, n = block->order;
    for (int i = 0; i < n; i++) {
      if (!pattern)
        for (int j = 0; j < i; j++) {
          if (block->values[(size_t)i * (size_t)n + (size_t)j] != 0) picus_sets_join(c->parent, u0 + i, u0 + j);
        }
      else
        for (int k = pattern->row_start[i]; k < pattern->row_start[i + 1] && pattern->column[k] < i; k++)
          if (block->values[k] != 0) picus_sets_join(c->parent, u0 + i, u0 + pattern->column[k]);
    }
  }
}

/* The velocity of the first entry of the law that is not zero, -1: none; all others are joined to it if `joins`. */
static int first_velocity(velocity_components *c, const system_law *law, const double *W, bool joins) {
  int first = -1;
  for (int k = 0; k < law->data.dim; k++) {
    const double *row = picus_law_row(law, W, k);
    for (int b = 0; b < law->part_count; b++) {
      const system_part *part = &c->system->parts[law->parts[b]];
      for (int i = 0; i < part->nu; i++) {
        if (row[i] == 0) continue;
        if (first < 0) first = part->u0 + i;
        if (!joins) return first;
        picus_sets_join(c->parent, first, part->u0 + i);
      }
      row += part->nu;
    }
  }
  return first;
}

void picus_components_join_law(velocity_components *c, const system_law *law, const double *W) {
  first_velocity(c, law, W, true);
}

void picus_components_mark(velocity_components *c, const system_law *law, const double *W) {
  const int velocity = first_velocity(c, law, W, false);
  if (velocity >= 0) c->marked[picus_set_root(c->parent, velocity)] = true;
}

bool picus_components_is_marked(velocity_components *c, const system_law *law, const double *W) {
  const int velocity = first_velocity(c, law, W, false);
  return velocity >= 0 && c->marked[picus_set_root(c->parent, velocity)];
}
