/* Features of contact problems. The rank is that of G by elimination with full pivoting. */
#include "solvers_features.h"

#include <math.h>
#include <stdlib.h>

enum { RANK_ROWS = 600 };
#define NEGLIGIBLE 1e-9 /* pivot over the first one */

static double *expand(const picus_contact_problem *p) {
  const picus_block_matrix *b = p->blocks;
  const size_t n = (size_t)p->size;
  double *G = calloc(n * n + 1, sizeof *G);
  for (int i = 0; G && i < p->law_count; i++)
    for (int k = b->row_start[i]; k < b->row_start[i + 1]; k++) {
      const int j = b->column[k], dim = p->laws[j].dim;
      for (int r = 0; r < p->laws[i].dim; r++)
        for (int c = 0; c < dim; c++)
          G[(size_t)(b->first_row[i] + r) * n + (size_t)(b->first_row[j] + c)] =
              b->values[b->offset[k] + (size_t)(r * dim + c)];
    }
  return G;
}

/* G is symmetric and semidefinite: the largest pivot is on the diagonal. */
static int rank_of(int size, double *G) {
  const size_t n = (size_t)size;
  double first = 0;
  for (int rank = 0; rank < size; rank++) {
    size_t best = 0;
    for (size_t k = 1; k < n; k++)
      if (G[k * (n + 1)] > G[best * (n + 1)]) best = k;
    const double pivot = G[best * (n + 1)];
    if (rank == 0) first = pivot;
    if (!(pivot > NEGLIGIBLE * first)) return rank;
    for (size_t i = 0; i < n; i++) {
      const double factor = G[i * n + best] / pivot;
      if (i == best || factor == 0) continue;
      for (size_t j = 0; j < n; j++) G[i * n + j] -= factor * G[best * n + j];
    }
    for (size_t j = 0; j < n; j++) G[best * n + j] = G[j * n + best] = 0;
  }
  return size;
}

problem_features features_of(const picus_contact_problem *p) {
  problem_features f = {.laws = p->law_count, .rows = p->size, .dimension = 2, .redundancy = -1};
  for (int i = 0; i < p->law_count; i++)
    if (p->laws[i].kind == PICUS_COULOMB && p->laws[i].dim > 2) f.dimension = 3;
  f.couplings = (double)p->blocks->row_start[p->law_count] / fmax(1, p->law_count);
  double *G = p->size <= RANK_ROWS ? expand(p) : NULL;
  if (G) f.redundancy = 1 - (double)rank_of(p->size, G) / fmax(1, p->size);
  free(G);
  return f;
}
