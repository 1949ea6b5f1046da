/* Rows of W^T and the Delassus matrix W^T A^-1 W, A being M or the iteration matrix of an implicit scheme. */
#include "base/internal.h"
#include "system/internal.h"

#include <string.h>

enum { DELASSUS_LARGEST = 256 }; /* rows up to which all of G is kept */

void picus_law_row_solve(const system_matrix *matrix, const system_law *law, const double *row, double *out) {
  memcpy(out, row, (size_t)law->width * sizeof *out);
  for (int b = 0; b < law->part_count; b++) {
    const part_matrix *block = &matrix->blocks[law->parts[b]];
    picus_part_matrix_solve(block, out);
    out += block->order;
  }
}

double picus_law_rows_dot(const picus_system *s, const system_law *a, const double *row_a, const system_law *b,
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

picus_status picus_delassus_create(picus_context *context, const picus_system *s, delassus_matrix *out) {
  *out = (delassus_matrix){0};
  if (s->row_count > DELASSUS_LARGEST) return PICUS_OK;
  out->inverse_W = picus_allocate(context, s->W_size, sizeof(double));
  out->G = picus_allocate(context, (size_t)s->row_count * (size_t)s->row_count, sizeof(double));
  return out->inverse_W && out->G ? PICUS_OK : PICUS_ERROR_MEMORY;
}

void picus_delassus_release(picus_context *context, delassus_matrix *delassus) {
  picus_release(context, delassus->inverse_W);
  picus_release(context, delassus->G);
  *delassus = (delassus_matrix){0};
}

void picus_delassus_fill(delassus_matrix *delassus, const picus_evaluation *e, const system_matrix *A) {
  const picus_system *s = e->system;
  if (!delassus->inverse_W) return;
  for (int j = 0; j < s->law_count; j++) {
    const system_law *b = &s->laws[j];
    for (int k = 0; k < b->data.dim; k++) {
      double *solved = delassus->inverse_W + b->W0 + (size_t)k * (size_t)b->width;
      picus_law_row_solve(A, b, e->W + b->W0 + (size_t)k * (size_t)b->width, solved);
      double *column = delassus->G + b->data.first_row + k;
      for (int i = 0; i < s->law_count; i++) {
        const system_law *a = &s->laws[i];
        for (int r = 0; r < a->data.dim; r++)
          column[(size_t)(a->data.first_row + r) * (size_t)s->row_count] =
              picus_law_rows_dot(s, b, solved, a, e->W + a->W0 + (size_t)r * (size_t)a->width);
      }
    }
  }
  delassus->ready = true;
}
