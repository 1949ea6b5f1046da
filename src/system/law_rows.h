/* Rows of W^T, or of other arrays that are laid out like W. A row of a law has numbers for the velocities of the law's
 * parts only; no one outside of this folder needs to know how they are stored. */
#ifndef PICUS_SYSTEM_LAW_ROWS_H
#define PICUS_SYSTEM_LAW_ROWS_H

#include "system/internal.h"

#include <math.h>

/* Numbers in a row of the law, and where its k-th row starts in an array laid out like W. */
static inline int picus_law_row_size(const system_law *law) { return law->width; }
static inline size_t picus_law_row_at(const system_law *law, int k) { return law->W0 + (size_t)k * (size_t)law->width; }
static inline const double *picus_law_row(const system_law *law, const double *W, int k) {
  return W + picus_law_row_at(law, k);
}

/* Of the numbers of one part; rows of planar bodies have three: constants for the compiler. */
static inline double picus_part_dot(int n, const double *a, const double *b) {
  return n == 3 ? 0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2] : picus_dot(n, a, b);
}

/* row of W^T times a vector of all velocities: sum over the parts of the law; and times two at once. Each part has a
 * sum of its own, so that laws between two parts do not depend on their order. */
typedef struct row_products {
  double u, v; /* row . u, row . v */
} row_products;
static inline row_products picus_law_row_dots(const picus_system *system, const system_law *law, const double *row,
                                              const double *u, const double *v) {
  row_products sum = {0, 0};
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    const double *block_u = u + part->u0, *block_v = v + part->u0;
    row_products own = {0, 0};
    for (int i = 0; i < part->nu; i++) {
      own.u += row[i] * block_u[i];
      own.v += row[i] * block_v[i];
    }
    sum.u += own.u;
    sum.v += own.v;
    row += part->nu;
  }
  return sum;
}
static inline double picus_law_row_dot(const picus_system *system, const system_law *law, const double *row,
                                       const double *u) {
  double sum = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    sum += picus_part_dot(part->nu, row, u + part->u0);
    row += part->nu;
  }
  return sum;
}
/* The same for rows of W itself: of wide parts, as flexible components are, most entries are zero and not visited. A
 * sum that begins with 0 has the same bits without them. */
static inline row_products picus_law_W_dots(const picus_system *system, const system_law *law, const double *row,
                                            const double *u, const double *v) {
  if (law->part_count != 1 || law->to == 0) return picus_law_row_dots(system, law, row, u, v);
  const int u0 = system->parts[law->parts[0]].u0;
  const double *block_u = u + u0, *block_v = v + u0;
  row_products sum = {0, 0};
  for (int i = law->from; i < law->to; i++) {
    sum.u += row[i] * block_u[i];
    sum.v += row[i] * block_v[i];
  }
  return sum;
}
/* u += factor * row, spread over the parts of the law. */
static inline void picus_law_row_add(const picus_system *system, const system_law *law, const double *row,
                                     double factor, double *u) {
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    double *block = u + part->u0;
    for (int i = 0; i < part->nu; i++) block[i] += factor * row[i];
    row += part->nu;
  }
}
/* A^-1 w of rows that follow each other, with A = M or another matrix over the velocities: as wide as the row or, if A
 * couples parts, as wide as the groups of the law's parts. */
void picus_law_rows_solve(const system_matrix *matrix, const system_law *law, int count, const double *rows,
                          double *out);
size_t picus_law_group_size(const picus_system *system, const system_law *law);
static inline size_t picus_law_solved_size(const system_matrix *matrix, const system_law *law) {
  return matrix->by_group ? picus_law_group_size(matrix->system, law) : (size_t)law->width;
}
/* u += factor A^-1 w, and A^-1 w of one law times a row of another one. */
void picus_law_group_add(const picus_system *system, const system_law *law, const double *solved, double factor,
                         double *u);
static inline void picus_law_solved_add(const system_matrix *matrix, const system_law *law, const double *solved,
                                        double factor, double *u) {
  if (matrix->by_group)
    picus_law_group_add(matrix->system, law, solved, factor, u);
  else
    picus_law_row_add(matrix->system, law, solved, factor, u);
}
double picus_law_group_dot(const picus_system *system, const system_law *law, const double *solved,
                           const system_law *other, const double *row);
/* row_a of law a times row_b of law b over the parts they share. Most laws have one. */
double picus_law_parts_dot(const picus_system *system, const system_law *a, const double *row_a, const system_law *b,
                           const double *row_b);
static inline double picus_law_rows_dot(const picus_system *system, const system_law *a, const double *row_a,
                                        const system_law *b, const double *row_b) {
  if (a->part_count > 1 || b->part_count > 1) return picus_law_parts_dot(system, a, row_a, b, row_b);
  return a->parts[0] == b->parts[0] ? picus_dot(a->width, row_a, row_b) : 0;
}
/* Laws of several parts that have none in common, as their first and last ones show. false: they may have one. */
static inline bool picus_laws_are_separate(const system_law *a, const system_law *b) {
  if (a->part_count + b->part_count < 3 || a->part_count == 0 || b->part_count == 0) return false;
  return a->parts[a->part_count - 1] < b->parts[0] || b->parts[b->part_count - 1] < a->parts[0];
}

static inline double picus_law_solved_dot(const system_matrix *matrix, const system_law *law, const double *solved,
                                          const system_law *other, const double *row) {
  return matrix->by_group ? picus_law_group_dot(matrix->system, law, solved, other, row)
                          : picus_law_rows_dot(matrix->system, law, solved, other, row);
}

/* The relative velocity W^T u + chi of the k-th row, with W and chi of the evaluation. */
static inline double picus_law_velocity(const picus_evaluation *e, const system_law *law, int k, const double *u) {
  return picus_law_W_dots(e->system, law, picus_law_row(law, e->W, k), u, u).u + e->chi[law->data.first_row + k];
}
/* sum |row_i u_i|, the scale of the round-off of a product; and sum |row_i (v_i - u_i)|. */
double picus_law_row_terms(const picus_system *system, const system_law *law, const double *row, const double *u);
double picus_law_row_change(const picus_system *system, const system_law *law, const double *row, const double *u,
                            const double *v);
/* The same if the changes of each part had the direction of the row: |row| |v - u|, summed over the parts. */
double picus_law_row_most_change(const picus_system *system, const system_law *law, const double *row, const double *u,
                                 const double *v);

/* Where a part of the law stands in the k-th row, and in the slopes of its gap and of its k-th velocity over
 * coordinates (picus_evaluation_gap_slopes, picus_evaluation_velocity_slopes): of the first part, then of the next. */
typedef struct law_places {
  size_t row, gap_slope, velocity_slope;
} law_places;
static inline law_places picus_law_places(const system_law *law, int k) {
  return (law_places){picus_law_row_at(law, k), law->gap_q0, law->Q0 + (size_t)k * (size_t)law->q_width};
}
static inline void picus_law_places_pass(law_places *at, const system_part *part) {
  at->row += (size_t)part->nu;
  at->gap_slope += (size_t)part->nq;
  at->velocity_slope += (size_t)part->nq;
}

#endif
