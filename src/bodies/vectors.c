/* Vectors and rotations: of formulas, and of numbers. */
#include "bodies/internal.h"

#include <math.h>

picus_vector picus_vector_number(picus_pool *pool, const double v[3]) {
  return (picus_vector){{picus_number(pool, v[0]), picus_number(pool, v[1]), picus_number(pool, v[2])}};
}

picus_vector picus_vector_add(picus_pool *pool, picus_vector a, picus_vector b) {
  picus_vector sum;
  for (int i = 0; i < 3; i++) sum.x[i] = picus_add(pool, a.x[i], b.x[i]);
  return sum;
}

picus_vector picus_vector_sub(picus_pool *pool, picus_vector a, picus_vector b) {
  picus_vector difference;
  for (int i = 0; i < 3; i++) difference.x[i] = picus_sub(pool, a.x[i], b.x[i]);
  return difference;
}

picus_vector picus_vector_scale(picus_pool *pool, picus_expr factor, picus_vector v) {
  for (int i = 0; i < 3; i++) v.x[i] = picus_mul(pool, factor, v.x[i]);
  return v;
}

picus_expr picus_vector_dot(picus_pool *pool, picus_vector a, picus_vector b) {
  picus_expr sum = picus_mul(pool, a.x[0], b.x[0]);
  for (int i = 1; i < 3; i++) sum = picus_add(pool, sum, picus_mul(pool, a.x[i], b.x[i]));
  return sum;
}

picus_vector picus_vector_cross(picus_pool *pool, picus_vector a, picus_vector b) {
  picus_vector product;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    picus_expr less = picus_mul(pool, a.x[k], b.x[j]);
    product.x[i] = picus_sub(pool, picus_mul(pool, a.x[j], b.x[k]), less);
  }
  return product;
}

static picus_vector rotate(picus_pool *pool, const picus_expr R[9], picus_vector v, int row_stride, int column_stride) {
  picus_vector out;
  for (int i = 0; i < 3; i++) {
    const picus_expr *row = R + i * row_stride;
    out.x[i] = picus_vector_dot(pool, (picus_vector){{row[0], row[column_stride], row[2 * column_stride]}}, v);
  }
  return out;
}

picus_vector picus_vector_rotate(picus_pool *pool, const picus_expr R[9], picus_vector v) {
  return rotate(pool, R, v, 3, 1);
}

picus_vector picus_vector_rotate_back(picus_pool *pool, const picus_expr R[9], picus_vector v) {
  return rotate(pool, R, v, 1, 3);
}

/* sqrt(s) for s >= eps^2, (s / eps + eps) / 2 below: value and derivative fit together at s = eps^2. */
picus_expr picus_vector_length(picus_pool *pool, picus_vector v) {
  const double eps = 1e-12;
  picus_expr square = picus_vector_dot(pool, v, v);
  double value;
  if (picus_expr_is_number(pool, square, &value)) return picus_number(pool, sqrt(value));
  picus_expr near_zero = picus_binary(pool, PICUS_LESS, square, picus_number(pool, eps * eps));
  picus_expr end = picus_number(pool, 0.5 * eps);
  picus_expr parabola = picus_add(pool, picus_mul(pool, picus_number(pool, 0.5 / eps), square), end);
  return picus_when(pool, near_zero, parabola, picus_unary(pool, PICUS_SQRT, square));
}

/* T. Duff et al.: Building an orthonormal basis, revisited. Journal of Computer Graphics Techniques 6 (2017). */
void picus_vector_tangents(picus_pool *pool, picus_vector n, picus_vector *first, picus_vector *second) {
  picus_expr one = picus_number(pool, 1), x = n.x[0], y = n.x[1], z = n.x[2];
  picus_expr below = picus_binary(pool, PICUS_LESS, z, picus_number(pool, 0));
  picus_expr sign = picus_when(pool, below, picus_number(pool, -1), one);
  picus_expr a = picus_neg(pool, picus_div(pool, one, picus_add(pool, sign, z)));
  picus_expr b = picus_mul(pool, picus_mul(pool, x, y), a);
  picus_expr square = picus_mul(pool, x, x);
  first->x[0] = picus_add(pool, one, picus_mul(pool, picus_mul(pool, sign, a), square));
  first->x[1] = picus_mul(pool, sign, b);
  first->x[2] = picus_neg(pool, picus_mul(pool, sign, x));
  second->x[0] = b;
  second->x[1] = picus_add(pool, sign, picus_mul(pool, a, picus_mul(pool, y, y)));
  second->x[2] = picus_neg(pool, y);
}

void picus_numbers_rotate(const double R[9], const double v[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

void picus_numbers_rotate_back(const double R[9], const double v[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
}

double picus_numbers_length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

void picus_numbers_tangents(const double n[3], double first[3], double second[3]) {
  double sign = n[2] < 0 ? -1 : 1, a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
  first[0] = 1 + sign * a * n[0] * n[0], first[1] = sign * b, first[2] = -sign * n[0];
  second[0] = b, second[1] = sign + a * n[1] * n[1], second[2] = -n[1];
}

void picus_numbers_rotation(const double p[4], double R[9]) {
  const double cross[9] = {0, -p[3], p[2], p[3], 0, -p[1], -p[2], p[1], 0};
  const double rest = p[0] * p[0] - (p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      R[3 * i + j] = (i == j ? rest : 0) + 2 * (p[1 + i] * p[1 + j] + p[0] * cross[3 * i + j]);
}
