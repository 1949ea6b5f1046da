/* Factors of the rates of a part: their matrix is compared with the last one, because comparing takes less than
 * factoring. */
#include "scheme/rate_factors.h"

#include "linalg/internal.h"

#include <string.h>

picus_status picus_rate_factors_create(stepper *s, int p, rate_factors *out) {
  const system_part *part = &s->system->parts[p];
  *out = (rate_factors){.first = part->linear_rates ? part->straight : 0};
  out->size = part->nq - out->first;
  const size_t size = (size_t)out->size;
  const picus_status status = PICUS_FIXED(&s->arrays, sizeof(double), size * size, &out->matrix, &out->factor);
  return status ? status : PICUS_FIXED(&s->arrays, sizeof(int), size, &out->pivots);
}

picus_status picus_rate_factors_renew(stepper *s, int p, double share, double *drate_dq, rate_factors *x) {
  const size_t nq = (size_t)s->system->parts[p].nq, first = (size_t)x->first, size = (size_t)x->size;
  double *matrix = drate_dq; /* becomes the matrix in place */
  for (size_t i = 0, at = 0; i < size; i++)
    for (size_t j = 0; j < size; j++, at++)
      matrix[at] = (i == j ? 1 : 0) - share * matrix[(first + i) * nq + first + j];
  const size_t bytes = size * size * sizeof(double);
  if (x->is_factored && memcmp((const void *)matrix, (const void *)x->matrix, bytes) == 0) return PICUS_OK;
  memcpy(x->matrix, matrix, bytes);
  memcpy(x->factor, matrix, bytes);
  x->is_factored = picus_lu_factor(x->size, x->factor, x->pivots);
  if (x->is_factored) return PICUS_OK;
  return picus_fail(s->context, PICUS_NOT_CONVERGED,
                    "the iteration for the positions of the step from t = %.9g did not converge: the step is too "
                    "large for the rates q'",
                    s->t);
}

void picus_rate_factors_solve(const rate_factors *x, double *b) {
  picus_lu_solve(x->size, x->factor, x->pivots, b + x->first);
}
