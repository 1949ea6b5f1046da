/* G as an operator: everything that solvers, islands and residuals ask of it, whatever its form.
 *
 * The public picus_contact_problem has G in one of three forms. Each form has one implementation: dense
 * (dense_operator.c), block-sparse (blocks.c) and factored (factors.c). picus_operator_of is the only place that looks
 * at the form. Rows are named by their law, the first row of the law in the problem, and the number of the row in the
 * law. */
#ifndef PICUS_CONTACT_OPERATOR_H
#define PICUS_CONTACT_OPERATOR_H

#include <math.h>
#include <picus/contact.h>

enum { PICUS_LAW_ROWS = 4 }; /* the most rows a law can have */
enum { PICUS_OWN_BLOCK = PICUS_LAW_ROWS * PICUS_LAW_ROWS };

/* The rows of a law in the columns of another: values[k * stride + l], k < rows of the one, l < dim of the other. */
typedef struct picus_block {
  const double *values;
  size_t stride;
  int law, first_row, dim; /* of the columns */
} picus_block;

/* Blocks that own their numbers. create: all arrays allocated, uninitialized; from_dense: the nonzero and the diagonal
 * blocks of a dense problem. destroy also accepts a structure of zeros. */
typedef struct picus_block_storage {
  picus_context *context;
  picus_block_matrix matrix; /* points to the arrays below */
  int *first_row, *row_start, *column;
  size_t *offset;
  double *values;
} picus_block_storage;
picus_status picus_block_storage_create(picus_context *context, int law_count, size_t block_count, size_t value_count,
                                        picus_block_storage *out);
void picus_block_storage_destroy(picus_block_storage *storage);
picus_status picus_block_storage_from_dense(picus_context *context, const picus_contact_problem *problem,
                                            picus_block_storage *out);
picus_status picus_block_storage_from_factors(picus_context *context, const picus_contact_problem *problem,
                                              picus_block_storage *out);

/* Numbers that the islands of a problem need for G. */
typedef struct picus_island_sizes {
  size_t columns, unknowns, traces, numbers;
} picus_island_sizes;

/* The laws of a problem by islands, which G does not couple: the islands in the order of their first laws, the laws of
 * each in their own (solver/islands.h). All arrays point into one block of memory, which grows between problems and is
 * kept. Starts as zeros. */
typedef struct picus_islands {
  picus_context *context;
  int count;                /* islands */
  int most_laws, most_rows; /* of an island */
  int *first_law;           /* count + 1: laws of island k are law[first_law[k]] ... law[first_law[k + 1] - 1] */
  int *first_row;           /* count + 1: the same for rows of P and c */
  int *law;                 /* their numbers in the problem */
  picus_law *laws;
  double *c, *P;
  picus_mode *modes;
  /* private to islands.c and the operators */
  const picus_contact_problem *problem;
  int *island, *place;     /* by laws of the problem: island, and number in it */
  int *problem_row;        /* first row of each law of the problem; then the size */
  int *row_of;             /* block-sparse: first row of each law within its island; count ends */
  int *start, *column;     /* block-sparse or factored: as in the problem, count ends */
  size_t *offset;          /* the same */
  int *velocity, *unknown; /* factored: first velocity of each island; number of each velocity within its island */
  double *scratch, *trace; /* factored */
  size_t *begin;           /* where the columns, or dense G, of each island begin */
  double *G;
  char *block;
  size_t size;
  size_t law_count, row_count; /* for which it was divided, with sizes */
  picus_island_sizes sizes;
} picus_islands;

/* One of them as a problem. It points to itself and to the islands. */
typedef struct picus_island {
  picus_contact_problem problem;
  picus_block_matrix blocks;
  picus_factored_matrix factors;
  const int *law; /* numbers of its laws in the whole problem */
  double *P;
  picus_mode *modes;
} picus_island;

typedef struct picus_operator {
  /* --- properties */
  bool is_whole; /* all entries are stored in problem->G, including the zeros between decoupled laws */
  /* G P is found by way of the velocities of the bodies: there are no blocks, and methods over bodies suit it */
  bool by_velocities;

  /* --- velocities: xi = G P + c. All of it; the rows of one law; one row. The last two after picus_contact_load. */
  void (*multiply)(const picus_contact_problem *problem, const double *P, double *xi);
  void (*law_velocity)(const picus_contact_problem *problem, int law, int first_row, const double *P, double *xi);
  double (*row_velocity)(const picus_contact_problem *problem, int law, int first_row, int row, const double *P);
  /* By way of velocities, M^-1 W P is kept between these calls (in the scratch of the factors). NULL: nothing is. */
  void (*load)(const picus_contact_problem *problem, const double *P);
  void (*move)(const picus_contact_problem *problem, int law, int row, double percussion_change);

  /* --- numbers */
  /* The block of a law with itself; if it is not stored, it is computed into own. *stride: from row to row. */
  const double *(*own_block)(const picus_contact_problem *problem, int law, int first_row, double own[PICUS_OWN_BLOCK],
                             size_t *stride);
  double (*trace)(const picus_contact_problem *problem, int law, int first_row); /* sum of |diagonal| of that block */
  /* start + sum_j |G_row,j weight_j|, or a bound of it (weight NULL: 1); after load_sums, if that is not NULL. */
  double (*row_sum)(const picus_contact_problem *problem, int law, int first_row, int row, const double *weight,
                    double start);
  void (*load_sums)(const picus_contact_problem *problem, const double *weight);
  /* The blocks of the rows of a law, ordered by column; blocks that are not stored are zero. Not by way of velocities.
   * first_row: the table of picus_contact_first_rows. */
  int (*block_count)(const picus_contact_problem *problem, int law);
  picus_block (*block_at)(const picus_contact_problem *problem, const int *first_row, int law, int number);

  double (*neighbours)(const picus_contact_problem *problem); /* blocks for each law, on the average; an estimate */

  /* --- other forms; NULL: it has the form already */
  void (*expand)(const picus_contact_problem *problem, double *G); /* to size x size numbers, row-major */
  picus_status (*store_blocks)(picus_context *context, const picus_contact_problem *problem, picus_block_storage *out);

  /* --- is it well formed? The rows of the laws are. NULL: there is no pattern. */
  picus_status (*check_pattern)(picus_context *context, const picus_contact_problem *problem);
  picus_status (*check_numbers)(picus_context *context, const picus_contact_problem *problem, int law, int first_row);
  int (*first_not_finite)(const picus_contact_problem *problem); /* law with such a number in its rows; or law_count */

  /* --- islands */
  /* No other law is coupled with a law. Not by way of velocities. */
  bool (*is_alone)(const picus_contact_problem *problem, int law, int first_row);
  picus_island_sizes (*island_sizes)(const picus_contact_problem *problem);
  int (*join)(picus_islands *islands);    /* coupled laws, in island; how many sets were joined */
  void (*divide)(picus_islands *islands); /* G, once laws and rows are in order */
  void (*restrict_to)(const picus_islands *islands, int number, picus_island *out);
} picus_operator;

extern const picus_operator picus_dense_operator, picus_block_operator, picus_factored_operator;

static inline const picus_operator *picus_operator_of(const picus_contact_problem *problem) {
  if (problem->G) return &picus_dense_operator;
  return problem->factors ? &picus_factored_operator : &picus_block_operator;
}

/* Before evaluating the velocities of laws; and when a percussion changes between such evaluations. */
static inline void picus_contact_load(const picus_contact_problem *problem, const double *P) {
  const picus_operator *G = picus_operator_of(problem);
  if (G->load) G->load(problem, P);
}
static inline void picus_contact_move(const picus_contact_problem *problem, int law, int row,
                                      double percussion_change) {
  const picus_operator *G = picus_operator_of(problem);
  if (G->move && percussion_change != 0) G->move(problem, law, row, percussion_change);
}
static inline void picus_contact_load_sums(const picus_contact_problem *problem, const double *weight) {
  const picus_operator *G = picus_operator_of(problem);
  if (G->load_sums) G->load_sums(problem, weight);
}

/* The lists of coupled laws; NULL: as far as known, each is coupled with all. */
static inline const picus_block_matrix *picus_contact_pattern(const picus_contact_problem *problem) {
  return problem->blocks;
}

/* The problem with a dense G, for which there are size x size numbers, or with blocks, which storage receives. The
 * problem as it is, if it has this form already; then storage stays empty. */
picus_contact_problem picus_contact_to_dense(const picus_contact_problem *problem, double *G);
picus_status picus_contact_to_blocks(picus_context *context, const picus_contact_problem *problem,
                                     picus_block_storage *storage, picus_contact_problem *out);

/* G P of the rows of a law of a factored problem, without c; after picus_contact_load. */
void picus_factors_velocities(const picus_contact_problem *problem, int law, double *out);

/* The first row of each law, then the size: law_count + 1 ints. */
void picus_contact_first_rows(const picus_contact_problem *problem, int *first_row);

/* The trace of a law's own block from its rows in both factors, each of `count` numbers. */
static inline double picus_trace_of_rows(int dim, int count, const double *W, const double *change) {
  double trace = 0;
  for (int k = 0; k < dim; k++, W += count, change += count) {
    double sum = 0;
    for (int c = 0; c < count; c++) sum += W[c] * change[c];
    trace += fabs(sum);
  }
  return trace;
}

/* xi = G P + c of dim rows of a dense G, from their first numbers on: here, so that the compiler can make size and dim
 * constants. */
static inline void picus_evaluate_rows(const double *G, const double *c, int size, int dim, const double *P,
                                       double *xi) {
  for (int k = 0; k < dim; k++, G += size) {
    double sum = c[k];
    for (int j = 0; j < size; j++) sum += G[j] * P[j];
    xi[k] = sum;
  }
}

/* --- for the implementations ------------------------------------------------------------------------------------ */

/* Whether a rolling law has the list of columns of its contact: solvers eliminate P_N from its rows. */
bool picus_lists_agree(const int *start, const int *column, int law);
/* Renumbers the columns of each law, island after island. start: first column of each law within its island. */
void picus_islands_copy_columns(picus_islands *islands, const int *start, const int *column, const int *number);

#endif
