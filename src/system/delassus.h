/* The Delassus matrix G = V^T A^-1 W of some laws of a set: A is M or the iteration matrix of an implicit scheme, V
 * is W or another set of rows. Up to PICUS_DENSE_ROWS rows of the set it is dense, beyond it block-sparse: laws that
 * share no part are not coupled. Where forces couple the parts in A, all laws on a group are, and G is dense. Of many
 * laws that come and go it is not formed, if the scheme allows it: V and A^-1 W are its factors. */
#ifndef PICUS_SYSTEM_DELASSUS_H
#define PICUS_SYSTEM_DELASSUS_H

#include "contact/internal.h"
#include "system/law_rows.h"

/* The next capacity of memory that is too small: at first what is needed, then half as much again. */
static inline size_t picus_grown(size_t need, size_t capacity) { return capacity > 0 ? need + need / 2 : need; }

typedef struct block_sizes {
  size_t laws, blocks, values;
} block_sizes;

typedef struct delassus_matrix {
  int law_count, size; /* of the chosen laws */
  bool first_rows;     /* it has one row of each */
  double *G;           /* dense: size x size, row-major; NULL: block-sparse */
  bool small;          /* the set is: G is always dense */
  double *dense;       /* memory for that, of so many rows */
  int dense_rows;
  double *coupled;            /* G of a large set where A couples parts: dense, for the chosen laws only */
  size_t capacity;            /* of that */
  block_sizes block_capacity; /* of the memory of a block-sparse one */
  picus_block_storage blocks; /* one for each pair of neighbours */
  int *place;                 /* block-sparse, for each law of the set: which of the chosen ones it is; -1: none */
  size_t place_capacity;
  bool is_factored;
  picus_factored_matrix factors; /* points to V, A^-1 W and the arrays below */
  int *factor_start, *factor_column;
  size_t *factor_offset;
  double *factor_scratch;
  double *factor_trace;               /* of the chosen laws: see picus_factored_matrix */
  size_t factor_laws, factor_columns; /* there is memory for */
} delassus_matrix;

/* Laws of the set, increasing, and the factors of G: V, stored like W, and A^-1 w of all their rows. */
typedef struct delassus_request {
  const law_set *set;
  int law_count;
  const int *laws;
  const double *V;
  const system_matrix *matrix; /* A */
  const double *const *solved;
  const double *inverse_W; /* A^-1 w laid out as V, if the set is factored */
  bool symmetric;          /* V is W and A is symmetric */
  bool has_trace;          /* factor_trace has those of the laws, with V and A^-1 W */
  bool first_rows;         /* only the first row of each law, its normal one; `solved` has one for each law */
} delassus_request;

/* Allocates for all laws of the set; for one that changes, follow does it again. The memory of a set that has changed
 * grows by a factor, so that it seldom has to; no values are kept. */
picus_status picus_delassus_create(picus_context *context, const law_set *set, delassus_matrix *out);
picus_status picus_delassus_follow(picus_context *context, const law_set *set, delassus_matrix *matrix);
void picus_delassus_release(picus_context *context, delassus_matrix *matrix); /* a zeroed one is fine */
/* Before the next one, if A couples parts: memory for so many rows, kept for later. */
picus_status picus_delassus_reserve(picus_context *context, delassus_matrix *matrix, int rows);
void picus_delassus_assemble(delassus_matrix *matrix, const delassus_request *request);
/* The rows and columns of some laws out of the matrix of all laws of the set. */
void picus_delassus_gather(const delassus_matrix *all, const law_set *set, int law_count, const int *laws,
                           delassus_matrix *out);
/* The contact problem of this matrix, with laws and c. */
static inline picus_contact_problem picus_delassus_problem(const delassus_matrix *m, const picus_law *laws,
                                                           const double *c) {
  return (picus_contact_problem){.law_count = m->law_count,
                                 .laws = laws,
                                 .size = m->size,
                                 .G = m->G,
                                 .c = c,
                                 .blocks = m->G || m->is_factored ? NULL : &m->blocks.matrix,
                                 .factors = m->is_factored ? &m->factors : NULL};
}

/* Row `row` of G, which is not factored and belongs to the chosen law `law`, times P. */
double picus_delassus_block_row(const delassus_matrix *matrix, int law, int row, const double *P);
static inline double picus_delassus_row(const delassus_matrix *m, int law, int row, const double *P) {
  return m->G ? picus_dot(m->size, m->G + (size_t)row * (size_t)m->size, P) : picus_delassus_block_row(m, law, row, P);
}
/* The entries of the row that belong to another law, whose first row is other_row; zeros if they are not coupled. */
const double *picus_delassus_block_entries(const delassus_matrix *matrix, int law, int row, int other);
static inline const double *picus_delassus_entries(const delassus_matrix *m, int law, int row, int other,
                                                   int other_row) {
  if (m->G) return m->G + (size_t)row * (size_t)m->size + (size_t)other_row;
  return picus_delassus_block_entries(m, law, row, other);
}
static inline double picus_delassus_diagonal(const delassus_matrix *m, int law, int row) {
  if (m->G) return m->G[(size_t)row * (size_t)(m->size + 1)];
  return picus_delassus_block_entries(m, law, row, law)[row - m->blocks.first_row[law]];
}

/* G and A^-1 W of all laws of a set, for the time that W and A stay as they are. */
typedef struct constant_delassus {
  delassus_matrix matrix;
  double *inverse_W;     /* A^-1 w of every row, laid out as W */
  const double **solved; /* start of those of each row */
  int *laws;             /* 0, 1, 2, ... */
  bool ready;
} constant_delassus;
void picus_constant_delassus_begin(constant_delassus *out, const law_set *set); /* once its memory is there */
/* From the W of the evaluation and the factors of A. */
void picus_constant_delassus_fill(constant_delassus *delassus, const picus_evaluation *evaluation,
                                  const system_matrix *A);

#endif
