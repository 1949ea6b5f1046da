/* G = W^T (M^-1 W) as an operator, by its factors: velocities instead of couplings. */
#include "base/disjoint_sets.h"
#include "base/internal.h"
#include "contact/internal.h"

#include <string.h>

/* The k-th row of a law, in its columns. */
typedef struct factor_row {
  const int *column;
  const double *values;
  int count;
} factor_row;

static factor_row row_of(const picus_factored_matrix *f, const double *values, int law, int k) {
  int count = f->start[law + 1] - f->start[law];
  return (factor_row){f->column + f->start[law], values + f->offset[law] + (size_t)k * (size_t)count, count};
}

static void row_add(factor_row row, double factor, double *x) {
  for (int k = 0; k < row.count; k++) x[row.column[k]] += factor * row.values[k];
}

/* All rows of a law in one pass over its columns, which has the bits of one pass for each row. dim is an argument so
 * that the compiler can make it a constant. */
static inline void rows_add(factor_row first, int dim, const double *P, double *x) {
  for (int c = 0; c < first.count; c++) {
    double sum = x[first.column[c]];
    for (int k = 0; k < dim; k++) sum += P[k] * first.values[k * first.count + c];
    x[first.column[c]] = sum;
  }
}

static inline void rows_dot(factor_row first, int dim, const double *x, double *out) {
  for (int k = 0; k < dim; k++) out[k] = 0;
  for (int c = 0; c < first.count; c++) {
    const double own = x[first.column[c]];
    for (int k = 0; k < dim; k++) out[k] += first.values[k * first.count + c] * own;
  }
}

/* A row without percussion adds nothing, whatever its numbers are. */
static void load_law(const picus_factored_matrix *f, int law, int dim, const double *P) {
  int acting = 0;
  for (int k = 0; k < dim; k++) acting += P[k] != 0;
  if (acting == 0) return;
  if (acting == dim && dim == 3)
    rows_add(row_of(f, f->change, law, 0), 3, P, f->scratch);
  else if (acting == dim && dim == 2)
    rows_add(row_of(f, f->change, law, 0), 2, P, f->scratch);
  else
    for (int k = 0; k < dim; k++)
      if (P[k] != 0) row_add(row_of(f, f->change, law, k), P[k], f->scratch);
}

static void load(const picus_contact_problem *problem, const double *P) {
  const picus_factored_matrix *f = problem->factors;
  for (int k = 0; k < f->unknowns; k++) f->scratch[k] = 0;
  for (int i = 0, first = 0; i < problem->law_count; first += problem->laws[i++].dim)
    load_law(f, i, problem->laws[i].dim, P + first);
}

static void move(const picus_contact_problem *problem, int law, int row, double percussion_change) {
  const picus_factored_matrix *f = problem->factors;
  row_add(row_of(f, f->change, law, row), percussion_change, f->scratch);
}

void picus_factors_velocities(const picus_contact_problem *problem, int law, double *out) {
  const picus_factored_matrix *f = problem->factors;
  const factor_row first = row_of(f, f->W, law, 0);
  const int dim = problem->laws[law].dim;
  if (dim == 3)
    rows_dot(first, 3, f->scratch, out);
  else if (dim == 2)
    rows_dot(first, 2, f->scratch, out);
  else
    rows_dot(first, dim, f->scratch, out);
}

static void law_velocity(const picus_contact_problem *problem, int law, int first_row, const double *P, double *xi) {
  (void)P; /* is loaded */
  picus_factors_velocities(problem, law, xi);
  for (int k = 0; k < problem->laws[law].dim; k++) xi[k] = problem->c[first_row + k] + xi[k];
}

static double row_velocity(const picus_contact_problem *problem, int law, int first_row, int row, const double *P) {
  const picus_factored_matrix *f = problem->factors;
  const factor_row own = row_of(f, f->W, law, row);
  double sum = 0;
  (void)P;
  for (int k = 0; k < own.count; k++) sum += own.values[k] * f->scratch[own.column[k]];
  return problem->c[first_row + row] + sum;
}

static void multiply(const picus_contact_problem *problem, const double *P, double *xi) {
  load(problem, P);
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim)
    law_velocity(problem, i, row, P, xi + row);
}

/* --- blocks --------------------------------------------------------------------------------------------------- */

/* Block (i, j) of G: columns that both laws have. */
static void couple(const picus_contact_problem *problem, int i, int j, double *block, size_t stride) {
  const picus_factored_matrix *f = problem->factors;
  for (int k = 0; k < problem->laws[i].dim; k++)
    for (int l = 0; l < problem->laws[j].dim; l++) {
      factor_row a = row_of(f, f->W, i, k), b = row_of(f, f->change, j, l);
      double sum = 0;
      for (int m = 0, n = 0; m < a.count && n < b.count;) {
        if (a.column[m] == b.column[n])
          sum += a.values[m++] * b.values[n++];
        else if (a.column[m] < b.column[n])
          m++;
        else
          n++;
      }
      block[(size_t)k * stride + (size_t)l] = sum;
    }
}

static const double *own_block(const picus_contact_problem *problem, int law, int first_row,
                               double own[PICUS_OWN_BLOCK], size_t *stride) {
  (void)first_row;
  *stride = (size_t)problem->laws[law].dim;
  couple(problem, law, law, own, *stride);
  return own;
}

static double trace(const picus_contact_problem *problem, int law, int first_row) {
  const picus_factored_matrix *f = problem->factors;
  (void)first_row;
  if (f->trace) return f->trace[law];
  return picus_trace_of_rows(problem->laws[law].dim, f->start[law + 1] - f->start[law], f->W + f->offset[law],
                             f->change + f->offset[law]);
}

/* --- other forms ---------------------------------------------------------------------------------------------- */

static void expand(const picus_contact_problem *problem, double *G) {
  const size_t size = (size_t)problem->size;
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim)
    for (int j = 0, column = 0; j < problem->law_count; column += problem->laws[j++].dim)
      couple(problem, i, j, G + (size_t)row * size + (size_t)column, size);
}

/* The laws that act on each velocity: their lists one after the other. */
typedef struct laws_by_unknown {
  int *start, *law; /* unknowns + 1; number of columns of all laws */
  int *seen;        /* law_count: the law that has listed it last, + 1 */
} laws_by_unknown;

static void list_laws(const picus_contact_problem *problem, laws_by_unknown *lists) {
  const picus_factored_matrix *f = problem->factors;
  int columns = f->start[problem->law_count];
  for (int c = 0; c < columns; c++) lists->start[f->column[c] + 1]++;
  for (int k = 0; k < f->unknowns; k++) lists->start[k + 1] += lists->start[k];
  for (int i = problem->law_count - 1; i >= 0; i--) /* backwards: start gets its final values, laws increase */
    for (int c = f->start[i]; c < f->start[i + 1]; c++) lists->law[--lists->start[f->column[c] + 1]] = i;
  for (int k = 0; k < f->unknowns; k++) lists->start[k] = lists->start[k + 1];
  lists->start[f->unknowns] = columns;
}

static void sort(int count, int *list) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int i = gap; i < count; i++)
      for (int k = i; k >= gap && list[k - gap] > list[k]; k -= gap) {
        int swap = list[k];
        list[k] = list[k - gap];
        list[k - gap] = swap;
      }
}

/* The laws that share a velocity with law i, including itself; stored in order if there is storage. Adds the sizes of
 * their blocks to *numbers. */
static int find_neighbours(const picus_contact_problem *problem, laws_by_unknown *lists, int i, int *neighbours,
                           size_t *numbers) {
  const picus_factored_matrix *f = problem->factors;
  int count = 1;
  size_t dim = (size_t)problem->laws[i].dim;
  *numbers += dim * dim;
  lists->seen[i] = i + 1;
  if (neighbours) neighbours[0] = i;
  for (int c = f->start[i]; c < f->start[i + 1]; c++)
    for (int k = lists->start[f->column[c]]; k < lists->start[f->column[c] + 1]; k++) {
      int j = lists->law[k];
      if (lists->seen[j] == i + 1) continue;
      lists->seen[j] = i + 1;
      if (neighbours) neighbours[count] = j;
      *numbers += dim * (size_t)problem->laws[j].dim;
      count++;
    }
  if (neighbours) sort(count, neighbours);
  return count;
}

/* Blocks of G for all pairs of laws that share a velocity: counted first, because the storage is one piece, then
 * filled. */
static picus_status store_blocks(picus_context *context, const picus_contact_problem *problem, laws_by_unknown *lists,
                                 picus_block_storage *out) {
  size_t blocks = 0, numbers = 0, values = 0;
  /* count first: the storage is allocated in one piece */
  for (int i = 0; i < problem->law_count; i++) blocks += (size_t)find_neighbours(problem, lists, i, NULL, &numbers);
  memset(lists->seen, 0, (size_t)problem->law_count * sizeof *lists->seen);
  if (blocks > (size_t)1 << 30)
    return picus_fail(context, PICUS_ERROR_MEMORY,
                      "the factors couple too many laws with each other for a block-sparse G");
  picus_status status = picus_block_storage_create(context, problem->law_count, blocks, numbers, out);
  if (status) return status;
  picus_contact_first_rows(problem, out->first_row);
  out->row_start[0] = 0;
  for (int i = 0; i < problem->law_count; i++) {
    int begin = out->row_start[i], count = find_neighbours(problem, lists, i, out->column + begin, &numbers);
    for (int b = begin; b < begin + count; b++) {
      int j = out->column[b]; /* G_ij = W_i^T M^-1 W_j */
      out->offset[b] = values;
      couple(problem, i, j, out->values + values, (size_t)problem->laws[j].dim);
      values += (size_t)problem->laws[i].dim * (size_t)problem->laws[j].dim;
    }
    out->row_start[i + 1] = begin + count;
  }
  return PICUS_OK;
}

picus_status picus_block_storage_from_factors(picus_context *context, const picus_contact_problem *problem,
                                              picus_block_storage *out) {
  const picus_factored_matrix *f = problem->factors;
  laws_by_unknown lists = {.start = picus_allocate(context, (size_t)f->unknowns + 1, sizeof(int)),
                           .law = picus_allocate(context, (size_t)f->start[problem->law_count], sizeof(int)),
                           .seen = picus_allocate(context, (size_t)problem->law_count, sizeof(int))};
  *out = (picus_block_storage){.context = context};
  picus_status status = PICUS_ERROR_MEMORY;
  if (lists.start && lists.law && lists.seen) {
    list_laws(problem, &lists);
    status = store_blocks(context, problem, &lists, out);
  }
  picus_release(context, lists.start);
  picus_release(context, lists.law);
  picus_release(context, lists.seen);
  return status;
}

/* --- bounds --------------------------------------------------------------------------------------------------- */

static void load_sums(const picus_contact_problem *problem, const double *weight) {
  const picus_factored_matrix *f = problem->factors;
  for (int k = 0; k < f->unknowns; k++) f->scratch[k] = 0;
  for (int i = 0, first = 0; i < problem->law_count; first += problem->laws[i++].dim)
    for (int k = 0; k < problem->laws[i].dim; k++) {
      factor_row row = row_of(f, f->change, i, k);
      double factor = weight ? weight[first + k] : 1;
      for (int c = 0; c < row.count; c++) f->scratch[row.column[c]] += fabs(row.values[c] * factor);
    }
}

static double row_sum(const picus_contact_problem *problem, int law, int first_row, int row, const double *weight,
                      double start) {
  const picus_factored_matrix *f = problem->factors;
  factor_row W = row_of(f, f->W, law, row);
  double sum = 0;
  (void)first_row;
  (void)weight; /* is loaded */
  for (int c = 0; c < W.count; c++) sum += fabs(W.values[c]) * f->scratch[W.column[c]];
  return start + sum;
}

/* --- M^-1 W --------------------------------------------------------------------------------------------------- */

/* M^-1 w of every row, by the caller's solve. It is stored in the columns of w only, so that other columns must be
 * zero. */
// NOLINTNEXTLINE(readability-function-size): public, as it has been
picus_status picus_factored_matrix_fill(picus_context *context, const picus_factored_matrix *matrix, int law_count,
                                        const picus_law *laws, void (*solve)(void *user, double *x), void *user,
                                        double *change) {
  if (law_count < 0) return picus_fail(context, PICUS_ERROR_ARGUMENT, "a problem cannot have %d laws", law_count);
  for (int i = 0; i < law_count; i++)
    for (int k = 0; k < laws[i].dim; k++) {
      factor_row W = row_of(matrix, matrix->W, i, k);
      double *out = change + (W.values - matrix->W), *x = matrix->scratch;
      memset(x, 0, (size_t)matrix->unknowns * sizeof *x);
      row_add(W, 1, x);
      solve(user, x);
      /* M^-1 w is stored in the columns of w only: nonzeros in other columns would be lost */
      for (int c = 0; c < W.count; c++) {
        out[c] = x[W.column[c]];
        x[W.column[c]] = 0;
      }
      for (int u = 0; u < matrix->unknowns; u++)
        if (x[u] != 0)
          return picus_fail(
              context, PICUS_ERROR_ARGUMENT,
              "law %d changes velocity %d, which is not among its columns; list all velocities that M couples", i, u);
    }
  return PICUS_OK;
}

/* --- pattern --------------------------------------------------------------------------------------------------- */

/* If laws act on two bodies: the mean number of laws on each of its velocities counts twice. Uses scratch. */
static double neighbours(const picus_contact_problem *problem) {
  const picus_factored_matrix *f = problem->factors;
  const int columns = f->start[problem->law_count];
  double sum = 0;
  for (int k = 0; k < f->unknowns; k++) f->scratch[k] = 0;
  for (int c = 0; c < columns; c++) f->scratch[f->column[c]]++;
  for (int k = 0; k < f->unknowns; k++) sum += f->scratch[k] * f->scratch[k];
  return columns > 0 ? 2 * sum / columns - 1 : 0;
}

/* --- well formed? --------------------------------------------------------------------------------------------- */

/* The columns of one law: increasing, within the velocities. */
static bool columns_fit(const picus_factored_matrix *f, int law) {
  int previous = -1;
  if (f->start[law] > f->start[law + 1]) return false;
  for (int c = f->start[law]; c < f->start[law + 1]; c++) {
    if (f->column[c] <= previous || f->column[c] >= f->unknowns) return false;
    previous = f->column[c];
  }
  return true;
}

static picus_status check_pattern(picus_context *context, const picus_contact_problem *problem) {
  const picus_factored_matrix *f = problem->factors;
  if (!(f->start && f->column && f->offset && f->W && f->change && f->scratch))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "an array of the factors of G is missing");
  if (f->unknowns < 0 || f->start[0] != 0)
    return picus_fail(context, PICUS_ERROR_DIMENSION,
                      "the factors of G have %d velocities, and the columns of law 0 start at %d instead of 0",
                      f->unknowns, f->start[0]);
  for (int i = 0; i < problem->law_count; i++)
    if (!columns_fit(f, i))
      return picus_fail(context, PICUS_ERROR_DIMENSION,
                        "the columns of law %d in the factors of G must increase, from 0 to %d", i, f->unknowns - 1);
  for (int i = 0; i < problem->law_count; i++)
    if (problem->laws[i].kind == PICUS_ROLLING && !picus_lists_agree(f->start, f->column, i))
      return picus_fail(context, PICUS_ERROR_DIMENSION,
                        "the rolling law %d has other columns in the factors of G than its contact, law %d; give both "
                        "the same ones",
                        i, i - 1);
  return PICUS_OK;
}

static picus_status check_numbers(picus_context *context, const picus_contact_problem *problem, int law,
                                  int first_row) {
  const picus_factored_matrix *f = problem->factors;
  const size_t count = (size_t)problem->laws[law].dim * (size_t)(f->start[law + 1] - f->start[law]);
  (void)first_row;
  if (picus_all_finite(f->W + f->offset[law], count) && picus_all_finite(f->change + f->offset[law], count))
    return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_NUMBER,
                    "the factors of G have a number that is not finite in the rows of law %d", law);
}

/* A finite trace is a sum of products with all numbers of the law. */
static int first_not_finite(const picus_contact_problem *problem) {
  const double *traces = problem->factors->trace;
  int law = 0;
  for (; law < problem->law_count; law++)
    if (!(traces && isfinite(traces[law])) && check_numbers(NULL, problem, law, 0)) break;
  return law;
}

/* --- islands -------------------------------------------------------------------------------------------------- */

static picus_island_sizes island_sizes(const picus_contact_problem *problem) {
  const picus_factored_matrix *f = problem->factors;
  return (picus_island_sizes){.columns = (size_t)f->start[problem->law_count],
                              .unknowns = (size_t)f->unknowns,
                              .traces = f->trace ? (size_t)problem->law_count : 0};
}

static int join(picus_islands *x) {
  const picus_factored_matrix *f = x->problem->factors;
  int *owner = x->unknown, joined = 0; /* a law of each velocity */
  for (int k = 0; k < f->unknowns; k++) owner[k] = -1;
  for (int i = 0; i < x->problem->law_count; i++)
    for (int c = f->start[i], last = -1; c < f->start[i + 1];
         c++) { /* last: joined; all velocities of a body have it */
      int *own = &owner[f->column[c]];
      if (*own >= 0 && *own != last) joined += picus_sets_join(x->island, i, *own);
      last = *own;
      *own = i;
    }
  return joined;
}

/* Velocities get numbers within their island, in their own order. */
static void number_velocities(picus_islands *x, const picus_factored_matrix *f) {
  int *first = x->velocity;
  memset(first, 0, ((size_t)x->count + 1) * sizeof *first);
  for (int u = 0; u < f->unknowns; u++) { /* unknown: a law that acts on it */
    const int island = x->unknown[u] >= 0 ? x->island[x->unknown[u]] : -1;
    x->unknown[u] = island >= 0 ? first[island + 1]++ : -1;
  }
  for (int k = 0; k < x->count; k++) first[k + 1] += first[k];
}

static void divide(picus_islands *x) {
  const picus_factored_matrix *f = x->problem->factors;
  number_velocities(x, f);
  picus_islands_copy_columns(x, f->start, f->column, x->unknown);
  for (int i = 0; i < x->problem->law_count; i++) {
    x->offset[i] = f->offset[x->law[i]];
    if (f->trace) x->trace[i] = f->trace[x->law[i]];
  }
}

static void restrict_to(const picus_islands *x, int number, picus_island *out) {
  const picus_factored_matrix *f = x->problem->factors;
  const int first = x->first_law[number], velocity = x->velocity[number];
  out->factors = (picus_factored_matrix){.unknowns = x->velocity[number + 1] - velocity,
                                         .start = x->start + first + number,
                                         .column = x->column + x->begin[number],
                                         .offset = x->offset + first,
                                         .W = f->W,
                                         .change = f->change,
                                         .scratch = x->scratch + velocity,
                                         .trace = f->trace ? x->trace + first : NULL};
  out->problem.factors = &out->factors;
}

const picus_operator picus_factored_operator = {
    .by_velocities = true,
    .multiply = multiply,
    .law_velocity = law_velocity,
    .row_velocity = row_velocity,
    .own_block = own_block,
    .trace = trace,
    .row_sum = row_sum,
    .neighbours = neighbours,
    .expand = expand,
    .store_blocks = picus_block_storage_from_factors,
    .check_pattern = check_pattern,
    .check_numbers = check_numbers,
    .first_not_finite = first_not_finite,
    .island_sizes = island_sizes,
    .join = join,
    .divide = divide,
    .restrict_to = restrict_to,
    .load = load,
    .move = move,
    .load_sums = load_sums,
};
