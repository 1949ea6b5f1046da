/* Rows of W^T, which have numbers for the parts of their law only. */
#include "system/law_rows.h"

void picus_law_row_solve(const system_matrix *matrix, const system_law *law, const double *row, double *out) {
  picus_copy(law->width, row, out);
  for (int b = 0; b < law->part_count; b++) {
    const part_matrix *block = &matrix->blocks[law->parts[b]];
    picus_part_matrix_solve(block, out);
    out += block->order;
  }
}

double picus_law_parts_dot(const picus_system *s, const system_law *a, const double *row_a, const system_law *b,
                           const double *row_b) {
  double sum = 0;
  int i = 0, j = 0;
  while (i < a->part_count && j < b->part_count) { /* both lists are sorted: walk them together */
    int part_a = a->parts[i], part_b = b->parts[j];
    if (part_a == part_b) sum += picus_dot(s->parts[part_a].nu, row_a, row_b);
    if (part_a <= part_b) {
      row_a += s->parts[part_a].nu;
      i++;
    }
    if (part_b <= part_a) {
      row_b += s->parts[part_b].nu;
      j++;
    }
  }
  return sum;
}

double picus_law_row_terms(const picus_system *system, const system_law *law, const double *row, const double *u) {
  double sum = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    for (int i = 0; i < part->nu; i++) sum += fabs(row[i] * u[part->u0 + i]);
    row += part->nu;
  }
  return sum;
}

double picus_law_row_change(const picus_system *system, const system_law *law, const double *row, const double *u,
                            const double *v) {
  double sum = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    for (int i = 0; i < part->nu; i++) sum += fabs(row[i] * (v[part->u0 + i] - u[part->u0 + i]));
    row += part->nu;
  }
  return sum;
}
