/* Sparse LU factorization of a matrix of small dense blocks with a symmetric pattern, such as that of bodies and the
 * contacts between them.
 *
 * Nodes are eliminated in an order with little fill-in. Rows are exchanged inside of the blocks on the diagonal only:
 * the matrices are a positive definite one plus contacts, which act like stiff springs and dampers. The rows and
 * columns of a node beyond its own block are two dense panels, n x width, the one of columns transposed, so that the
 * inner loops run along rows of both. */
#include "base/internal.h"
#include "linalg/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the pattern ------------------------------------------------------------------------------------------------ */

static int compare_ints(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static bool reserve_ints(picus_block_lu *f, int **array, size_t count) {
  picus_release(f->context, *array);
  *array = picus_allocate(f->context, count, sizeof **array);
  return *array != NULL;
}

static bool reserve_nodes(picus_block_lu *f, int count) {
  const size_t nodes = (size_t)count + 1;
  bool done = true;
  if (count > f->node_capacity) {
    int **const arrays[] = {&f->place, &f->node, &f->size, &f->first, &f->width, &f->start, &f->work};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
      done = reserve_ints(f, arrays[k], k + 1 < sizeof arrays / sizeof *arrays ? nodes : 4 * nodes) && done;
    picus_release(f->context, f->panel);
    f->panel = picus_allocate(f->context, nodes, sizeof *f->panel);
    done = done && f->panel;
    f->node_capacity = done ? count : 0;
  }
  f->count = count;
  return done;
}

/* Room for more members of the lists. */
static bool grow_list(picus_block_lu *f, size_t count) {
  while (count > f->list_capacity) {
    size_t room = f->list_capacity;
    if (picus_grow(f->context, &f->list, f->list_capacity, &f->list_capacity, sizeof *f->list)) return false;
    if (picus_grow(f->context, &f->offset, room, &room, sizeof *f->offset)) return false;
  }
  return true;
}

/* The nodes that are coupled with the k-th one when it is eliminated: its neighbours that are left, and those of the
 * nodes whose first neighbour it was. work: marks, then head and next of the lists of such nodes. */
static bool find_members(picus_block_lu *f, int k, const int *row_start, const int *column) {
  int *mark = f->work, *head = mark + f->count, *next = head + f->count, end = f->start[k];
  const int node = f->node[k];
  mark[k] = k + 1;
  if (!grow_list(f, (size_t)(end + row_start[node + 1] - row_start[node]))) return false;
  for (int n = row_start[node]; n < row_start[node + 1]; n++) {
    const int other = f->place[column[n]];
    if (other <= k || mark[other] == k + 1) continue;
    mark[other] = k + 1;
    f->list[end++] = other;
  }
  for (int child = head[k]; child >= 0; child = next[child]) {
    if (!grow_list(f, (size_t)(end + f->start[child + 1] - f->start[child]))) return false;
    for (int n = f->start[child]; n < f->start[child + 1]; n++) {
      const int other = f->list[n];
      if (other <= k || mark[other] == k + 1) continue;
      mark[other] = k + 1;
      f->list[end++] = other;
    }
  }
  const int count = end - f->start[k];
  if (count > 0) {
    qsort(f->list + f->start[k], (size_t)count, sizeof *f->list, compare_ints);
    const int parent = f->list[f->start[k]];
    next[k] = head[parent];
    head[parent] = k;
  }
  f->start[k + 1] = end;
  return true;
}

/* Whether the analysis of a pattern is there. Else the pattern is kept for the next time; *kept: there was memory. */
static bool is_analysed(picus_block_lu *f, const picus_block_pattern *pattern, bool *kept) {
  const size_t nodes = (size_t)pattern->count + 1, neighbours = (size_t)pattern->row_start[pattern->count];
  const size_t count = 2 * nodes + neighbours, of_node = nodes * sizeof(int), of_list = neighbours * sizeof(int);
  *kept = true;
  if (count == f->analysed_count && memcmp(f->analysed, pattern->first, of_node) == 0 &&
      memcmp(f->analysed + nodes, pattern->row_start, of_node) == 0 &&
      memcmp(f->analysed + 2 * nodes, pattern->column, of_list) == 0)
    return true;
  f->analysed_count = 0;
  if (count > f->analysed_capacity) {
    *kept = reserve_ints(f, &f->analysed, count + count / 4);
    f->analysed_capacity = *kept ? count + count / 4 : 0;
  }
  if (!*kept) return false;
  memcpy(f->analysed, pattern->first, of_node);
  memcpy(f->analysed + nodes, pattern->row_start, of_node);
  memcpy(f->analysed + 2 * nodes, pattern->column, of_list);
  return false;
}

bool picus_block_lu_analyse(picus_block_lu *f, const picus_block_pattern *pattern) {
  const int count = pattern->count;
  bool kept;
  if (is_analysed(f, pattern, &kept)) return true;
  if (!kept) return false;
  if (!reserve_nodes(f, count) || !picus_sparse_order(count, pattern->row_start, pattern->column, f->node))
    return false;
  for (int k = 0; k < count; k++) f->place[f->node[k]] = k;
  for (int k = 0; k < count; k++) {
    f->size[k] = pattern->first[f->node[k] + 1] - pattern->first[f->node[k]];
    f->first[k] = pattern->first[f->node[k]];
    f->work[k] = 0;
    f->work[count + k] = f->work[2 * count + k] = -1;
  }
  f->start[0] = 0;
  size_t numbers = 0;
  f->widest = f->order = 0;
  for (int k = 0; k < count; k++) {
    if (!find_members(f, k, pattern->row_start, pattern->column)) return false;
    int width = 0;
    for (int n = f->start[k]; n < f->start[k + 1]; n++) {
      f->offset[n] = width;
      width += f->size[f->list[n]];
    }
    f->width[k] = width;
    f->panel[k] = numbers;
    numbers += (size_t)f->size[k] * (size_t)(f->size[k] + 2 * width);
    f->order += f->size[k];
    if (width > f->widest) f->widest = width;
  }
  f->panel[count] = numbers;
  if (numbers + (size_t)f->widest > f->value_capacity) {
    picus_release(f->context, f->values);
    f->value_capacity = numbers + numbers / 4 + (size_t)f->widest;
    f->values = picus_allocate(f->context, f->value_capacity, sizeof *f->values);
    if (!f->values) f->value_capacity = 0;
  }
  if (!f->values || !reserve_ints(f, &f->pivots, (size_t)f->order + 1)) return false;
  f->analysed_count = 2 * ((size_t)count + 1) + (size_t)pattern->row_start[count];
  return true;
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

static double *diagonal_of(const picus_block_lu *f, int k) { return f->values + f->panel[k]; }
static double *rows_of(const picus_block_lu *f, int k) {
  return diagonal_of(f, k) + (ptrdiff_t)f->size[k] * f->size[k];
}
static double *columns_of(const picus_block_lu *f, int k) {
  return rows_of(f, k) + (ptrdiff_t)f->size[k] * f->width[k];
}

void picus_block_lu_clear(picus_block_lu *f) { memset(f->values, 0, f->panel[f->count] * sizeof *f->values); }

/* Where the panels of the k-th node have a member. */
static int offset_in(const picus_block_lu *f, int k, int member) {
  const int *found =
      bsearch(&member, f->list + f->start[k], (size_t)(f->start[k + 1] - f->start[k]), sizeof member, compare_ints);
  return f->offset[found - f->list];
}

void picus_block_lu_add(picus_block_lu *f, int row_node, int column_node, const double *block, int stride) {
  const int k = f->place[row_node], l = f->place[column_node];
  const int rows = f->size[k], columns = f->size[l];
  if (k > l) { /* into the transposed panel of the column */
    double *to = columns_of(f, l) + offset_in(f, l, k);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) to[(ptrdiff_t)j * f->width[l] + i] += block[i * stride + j];
    return;
  }
  const int width = k == l ? columns : f->width[k];
  double *to = k == l ? diagonal_of(f, k) : rows_of(f, k) + offset_in(f, k, l);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) to[(ptrdiff_t)i * width + j] += block[i * stride + j];
}

double *picus_block_lu_number(picus_block_lu *f, picus_block_place row, picus_block_place column) {
  const int k = f->place[row.node], l = f->place[column.node];
  if (k > l) return columns_of(f, l) + offset_in(f, l, k) + (ptrdiff_t)column.within * f->width[l] + row.within;
  if (k == l) return diagonal_of(f, k) + (ptrdiff_t)row.within * f->size[k] + column.within;
  return rows_of(f, k) + offset_in(f, k, l) + (ptrdiff_t)row.within * f->width[k] + column.within;
}

/* --- factors ---------------------------------------------------------------------------------------------------- */

/* sum := a^T b, a column of numbers `width` apart, b n rows of `width` numbers, `count` of each. */
static inline void combine_rows(int n, int width, const double *restrict a, const double *restrict b, int count,
                                double *restrict sum) {
  if (n == 6) {
    const double a0 = a[0], a1 = a[width], a2 = a[2 * width], a3 = a[3 * width], a4 = a[4 * width], a5 = a[5 * width];
    const double *b1 = b + width, *b2 = b1 + width, *b3 = b2 + width, *b4 = b3 + width, *b5 = b4 + width;
    for (int c = 0; c < count; c++)
      sum[c] = ((a0 * b[c] + a1 * b1[c]) + (a2 * b2[c] + a3 * b3[c])) + (a4 * b4[c] + a5 * b5[c]);
    return;
  }
  if (n == 3) { /* a contact in space */
    const double a0 = a[0], a1 = a[width], a2 = a[2 * width];
    const double *b1 = b + width, *b2 = b1 + width;
    for (int c = 0; c < count; c++) sum[c] = (a0 * b[c] + a1 * b1[c]) + a2 * b2[c];
    return;
  }
  for (int c = 0; c < count; c++) sum[c] = a[0] * b[c];
  for (int m = 1; m < n; m++) {
    const double factor = a[(ptrdiff_t)m * width], *row = b + (ptrdiff_t)m * width;
    for (int c = 0; c < count; c++) sum[c] += factor * row[c];
  }
}

/* Members n ... of node k, as the panels of node i have them: subtracts the sums from a row of these. */
static inline void subtract_members(const picus_block_lu *f, int k, int n, int i, const double *sum, double *row) {
  int at = f->start[i];
  while (n < f->start[k + 1]) {
    while (f->list[at] != f->list[n]) at++;
    double *to = row + f->offset[at];
    int count = 0; /* of numbers of members that follow each other in both */
    do count += f->size[f->list[n++]];
    while (n < f->start[k + 1] && ++at < f->start[i + 1] && f->list[at] == f->list[n]);
    for (int c = 0; c < count; c++) to[c] -= sum[c];
    sum += count;
  }
}

/* What the elimination of node k changes in the rows and columns of its member n. */
static void update_member(picus_block_lu *f, int k, int n) {
  const int i = f->list[n], own = f->size[k], size = f->size[i], width = f->width[k];
  const int from = f->offset[n], beyond = from + size, count = width - beyond;
  const double *rows = rows_of(f, k), *columns = columns_of(f, k);
  double *sum = f->values + f->panel[f->count];
  for (int r = 0; r < size; r++) {
    double *diagonal = diagonal_of(f, i) + (ptrdiff_t)r * size;
    combine_rows(own, width, columns + from + r, rows + from, size + count, sum);
    for (int c = 0; c < size; c++) diagonal[c] -= sum[c];
    subtract_members(f, k, n + 1, i, sum + size, rows_of(f, i) + (ptrdiff_t)r * f->width[i]);
    combine_rows(own, width, rows + from + r, columns + beyond, count, sum);
    subtract_members(f, k, n + 1, i, sum, columns_of(f, i) + (ptrdiff_t)r * f->width[i]);
  }
}

/* rows := D^-1 rows, with the factors of D. */
static void solve_rows(const picus_block_lu *f, int k) {
  const int size = f->size[k], width = f->width[k];
  double *rows = rows_of(f, k), column[PICUS_BLOCK_MOST];
  for (int c = 0; c < width; c++) {
    for (int r = 0; r < size; r++) column[r] = rows[(ptrdiff_t)r * width + c];
    picus_lu_solve(size, diagonal_of(f, k), f->pivots + f->first[k], column);
    for (int r = 0; r < size; r++) rows[(ptrdiff_t)r * width + c] = column[r];
  }
}

bool picus_block_lu_factor(picus_block_lu *f) {
  f->sign = 1;
  for (int k = 0; k < f->count; k++) {
    int *pivots = f->pivots + f->first[k];
    if (!picus_lu_factor(f->size[k], diagonal_of(f, k), pivots)) return false;
    f->sign *= picus_lu_sign(f->size[k], diagonal_of(f, k), pivots);
    solve_rows(f, k);
    for (int n = f->start[k]; n < f->start[k + 1]; n++) update_member(f, k, n);
  }
  return true;
}

double picus_block_lu_pivot(const picus_block_lu *f, int node, int column) {
  const int k = f->place[node];
  return fabs(diagonal_of(f, k)[(ptrdiff_t)column * (f->size[k] + 1)]);
}

void picus_block_lu_solve(const picus_block_lu *f, double *x) {
  for (int k = 0; k < f->count; k++) {
    double *own = x + f->first[k];
    picus_lu_solve(f->size[k], diagonal_of(f, k), f->pivots + f->first[k], own);
    for (int n = f->start[k]; n < f->start[k + 1]; n++) {
      double *other = x + f->first[f->list[n]];
      for (int r = 0; r < f->size[k]; r++) {
        const double *row = columns_of(f, k) + (ptrdiff_t)r * f->width[k] + f->offset[n];
        for (int c = 0; c < f->size[f->list[n]]; c++) other[c] -= row[c] * own[r];
      }
    }
  }
  for (int k = f->count - 1; k >= 0; k--) {
    double *own = x + f->first[k];
    for (int n = f->start[k]; n < f->start[k + 1]; n++) {
      const double *other = x + f->first[f->list[n]];
      for (int r = 0; r < f->size[k]; r++) {
        const double *row = rows_of(f, k) + (ptrdiff_t)r * f->width[k] + f->offset[n];
        own[r] -= picus_dot(f->size[f->list[n]], row, other);
      }
    }
  }
}

double picus_block_lu_operations(const picus_block_lu *f) {
  double sum = 0;
  for (int k = 0; k < f->count; k++) sum += 2.0 * f->size[k] * f->width[k] * f->width[k];
  return sum;
}

void picus_block_lu_release(picus_block_lu *f) {
  int *const arrays[] = {f->place, f->node, f->size,   f->first,  f->width,   f->start,
                         f->work,  f->list, f->offset, f->pivots, f->analysed};
  if (!f->context) return;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(f->context, arrays[k]);
  picus_release(f->context, f->panel);
  picus_release(f->context, f->values);
  *f = (picus_block_lu){.context = f->context};
}
