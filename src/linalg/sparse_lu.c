/* Sparse LU factorization by KLU (Davis, Palamadai Natarajan, ACM TOMS 907, 2010), the only file that uses it.
 *
 * KLU takes a matrix by columns. Stored by rows, it is the transpose, and KLU also solves with the transpose. The
 * parameters of KLU are the same in every call, so only the factors are kept between calls. */
#include "base/internal.h"
#include "linalg/internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

#define POOR_PIVOTS 1e-7 /* entries that grew by the inverse of this while factoring: other pivots are needed */

static klu_common parameters(void) {
  klu_common common;
  klu_defaults(&common);
  common.scale = 0; /* the systems come scaled */
  return common;
}

static void *replace_block(void *old, size_t old_count, size_t count, size_t size) {
  klu_common common = parameters();
  if (old) klu_free(old, old_count, size, &common);
  return klu_malloc(count, size, &common);
}

bool picus_sparse_reserve(picus_sparse_system *system, int order, size_t entries) {
  size_t rows = (size_t)order + 1;
  system->order = order;
  if (rows > system->row_capacity) {
    system->row_start = replace_block(system->row_start, system->row_capacity, rows, sizeof(int));
    system->row_capacity = system->row_start ? rows : 0;
  }
  if (entries > system->entry_capacity) {
    size_t room = entries + entries / 4; /* the number of entries moves a little from one system to the next */
    system->column = replace_block(system->column, system->entry_capacity, room, sizeof(int));
    system->values = replace_block(system->values, system->entry_capacity, room, sizeof(double));
    system->entry_capacity = system->column && system->values ? room : 0;
  }
  return system->row_start && system->column && system->values;
}

static void forget_factors(picus_sparse_system *system) {
  klu_common common = parameters();
  klu_numeric *numeric = system->numeric;
  klu_symbolic *symbolic = system->symbolic;
  if (numeric) klu_free_numeric(&numeric, &common);
  if (symbolic) klu_free_symbolic(&symbolic, &common);
  system->numeric = system->symbolic = NULL;
}

void picus_sparse_forget_pivots(picus_sparse_system *system) {
  klu_numeric *numeric = system->numeric;
  if (!numeric) return;
  klu_common common = parameters();
  klu_free_numeric(&numeric, &common);
  system->numeric = NULL;
}

static bool has_analysed_pattern(const picus_sparse_system *system) {
  size_t rows = (size_t)system->order + 1, entries = (size_t)system->row_start[system->order];
  const int *analysed = system->analysed;
  return system->symbolic && analysed[0] == system->order &&
         memcmp(analysed + 1, system->row_start, rows * sizeof(int)) == 0 &&
         memcmp(analysed + 1 + rows, system->column, entries * sizeof(int)) == 0;
}

static bool analyse(picus_sparse_system *system) {
  klu_common common = parameters();
  size_t rows = (size_t)system->order + 1, entries = (size_t)system->row_start[system->order];
  forget_factors(system);
  if (1 + rows + entries > system->analysed_capacity) {
    size_t room = 1 + rows + entries + entries / 4;
    system->analysed = replace_block(system->analysed, system->analysed_capacity, room, sizeof(int));
    system->analysed_capacity = system->analysed ? room : 0;
    if (!system->analysed) return false;
  }
  system->analysed[0] = system->order;
  memcpy(system->analysed + 1, system->row_start, rows * sizeof(int));
  memcpy(system->analysed + 1 + rows, system->column, entries * sizeof(int));
  system->symbolic = klu_analyze(system->order, system->row_start, system->column, &common);
  return system->symbolic != NULL;
}

double picus_sparse_operations(int order, const int *row_start, const int *column) {
  klu_common common = parameters();
  klu_symbolic *symbolic = klu_analyze(order, (int *)row_start, (int *)column, &common); /* only reads them */
  const double operations = symbolic ? symbolic->est_flops : -1;
  if (symbolic) klu_free_symbolic(&symbolic, &common);
  return operations;
}

/* New numbers for the pivots of the last time. false: they are not good enough any more. */
static bool factor_again(picus_sparse_system *system) {
  klu_common common = parameters();
  if (!klu_refactor(system->row_start, system->column, system->values, system->symbolic, system->numeric, &common))
    return false;
  if (!klu_rgrowth(system->row_start, system->column, system->values, system->symbolic, system->numeric, &common))
    return false;
  return common.status == KLU_OK && common.rgrowth > POOR_PIVOTS;
}

/* The pivots follow from these values. */
static bool keep_pivoted(picus_sparse_system *system) {
  const size_t entries = (size_t)system->row_start[system->order];
  if (entries > system->pivoted_capacity) {
    const size_t room = entries + entries / 4;
    system->pivoted = replace_block(system->pivoted, system->pivoted_capacity, room, sizeof(double));
    system->pivoted_capacity = system->pivoted ? room : 0;
    if (!system->pivoted) return false;
  }
  memcpy(system->pivoted, system->values, entries * sizeof(double));
  return true;
}

bool picus_sparse_factor(picus_sparse_system *system, double most_operations) {
  if (!has_analysed_pattern(system) && !analyse(system)) return false;
  klu_symbolic *symbolic = system->symbolic;
  if (symbolic->est_flops > most_operations) return false;
  if (system->numeric && factor_again(system)) return true;
  klu_common common = parameters();
  picus_sparse_forget_pivots(system);
  system->numeric = klu_factor(system->row_start, system->column, system->values, symbolic, &common);
  return system->numeric && common.status == KLU_OK && keep_pivoted(system);
}

bool picus_sparse_order(int order, const int *row_start, const int *column, int *node) {
  klu_common common = parameters();
  common.btf = 0;      /* one block: rows and columns have the same order, */
  common.ordering = 0; /* that of AMD for a symmetric pattern */
  klu_symbolic *symbolic = klu_analyze(order, (int *)row_start, (int *)column, &common);
  if (!symbolic) return false;
  memcpy(node, symbolic->Q, (size_t)order * sizeof *node);
  klu_free_symbolic(&symbolic, &common);
  return true;
}

/* --- checkpoints ---------------------------------------------------------------------------------------------- */

/* Rows that begin where the last one ends, with increasing columns of the matrix. */
static bool is_pattern(int order, size_t entries, const int *row_start, const int *column) {
  if (row_start[0] != 0 || (size_t)row_start[order] != entries) return false;
  for (int i = 0; i < order; i++)
    if (row_start[i + 1] < row_start[i] || (size_t)row_start[i + 1] > entries) return false;
  for (int i = 0; i < order; i++)
    for (int k = row_start[i]; k < row_start[i + 1]; k++)
      if (column[k] < 0 || column[k] >= order || (k > row_start[i] && column[k] <= column[k - 1])) return false;
  return true;
}

static void write_pivots(picus_sparse_system *system, picus_archive *a) {
  size_t order = (size_t)system->analysed[0], entries = (size_t)system->analysed[1 + order];
  picus_archive_count(a, &order, sizeof(int));
  picus_archive_count(a, &entries, sizeof(int) + sizeof(double));
  picus_archive_bytes(a, system->analysed + 1, (order + 1) * sizeof(int));
  picus_archive_bytes(a, system->analysed + 2 + order, entries * sizeof(int));
  picus_archive_doubles(a, system->pivoted, entries);
}

static void read_pivots(picus_sparse_system *system, bool fixed, picus_archive *a) {
  size_t order = 0, entries = 0;
  picus_archive_count(a, &order, sizeof(int));
  picus_archive_count(a, &entries, sizeof(int) + sizeof(double));
  if (a->status) return;
  if (order == 0 || order > INT_MAX - 1 || entries > INT_MAX ||
      (fixed && ((int)order != system->order || (int)entries != system->row_start[order]))) {
    picus_archive_reject(a, "a sparse matrix has another size");
    return;
  }
  if (!fixed && !picus_sparse_reserve(system, (int)order, entries)) {
    a->status = picus_fail(a->context, PICUS_ERROR_MEMORY, "out of memory for a sparse matrix");
    return;
  }
  picus_archive_bytes(a, system->row_start, (order + 1) * sizeof(int));
  picus_archive_bytes(a, system->column, entries * sizeof(int));
  picus_archive_doubles(a, system->values, entries);
  if (a->status) return;
  forget_factors(system);
  if (!is_pattern((int)order, entries, system->row_start, system->column))
    picus_archive_reject(a, "a sparse matrix has no valid pattern");
  else if (!picus_sparse_factor(system, INFINITY))
    picus_archive_reject(a, "a sparse matrix has no pivots");
}

void picus_sparse_archive(picus_sparse_system *system, bool fixed, picus_archive *a) {
  bool has_pivots = system->numeric && system->pivoted;
  picus_archive_bool(a, &has_pivots);
  if (a->status || !has_pivots) return;
  if (a->direction == ARCHIVE_READS)
    read_pivots(system, fixed, a);
  else
    write_pivots(system, a);
}

void picus_sparse_solve(const picus_sparse_system *system, double *x) {
  klu_common common = parameters();
  klu_tsolve(system->symbolic, system->numeric, system->order, 1, x, &common);
}

/* The sign of a permutation: -1 for every cycle of even length. Marks visited places by their complement and restores
 * them. */
static int permutation_sign(int count, int *place) {
  int sign = 1;
  for (int i = 0; i < count; i++) {
    int length = 0;
    for (int k = i; place[k] >= 0; length++) {
      const int next = place[k];
      place[k] = ~next;
      k = next;
    }
    if (length > 0 && length % 2 == 0) sign = -sign;
  }
  for (int i = 0; i < count; i++) place[i] = ~place[i];
  return sign;
}

int picus_sparse_sign(const picus_sparse_system *system) {
  const klu_numeric *numeric = system->numeric;
  const klu_symbolic *symbolic = system->symbolic;
  const double *diagonal = numeric->Udiag;
  int sign = permutation_sign(system->order, numeric->Pnum) * permutation_sign(system->order, symbolic->Q);
  for (int i = 0; i < system->order; i++)
    if (diagonal[i] < 0) sign = -sign;
  return sign;
}

void picus_sparse_release(picus_sparse_system *system) {
  klu_common common = parameters();
  forget_factors(system);
  if (system->row_start) klu_free(system->row_start, system->row_capacity, sizeof(int), &common);
  if (system->column) klu_free(system->column, system->entry_capacity, sizeof(int), &common);
  if (system->values) klu_free(system->values, system->entry_capacity, sizeof(double), &common);
  if (system->analysed) klu_free(system->analysed, system->analysed_capacity, sizeof(int), &common);
  if (system->pivoted) klu_free(system->pivoted, system->pivoted_capacity, sizeof(double), &common);
  *system = (picus_sparse_system){0};
}
