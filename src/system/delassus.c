/* The Delassus matrix of laws, dense or block-sparse. */
#include "system/delassus.h"

#include "base/internal.h"

#include <string.h>

/* --- memory --------------------------------------------------------------------------------------------------- */

/* Memory for a block-sparse matrix, with some in reserve when it grows; its values are lost then. */
static picus_status reserve_storage(picus_context *context, block_sizes need, block_sizes *capacity,
                                    picus_block_storage *out) {
  if (need.laws <= capacity->laws && need.blocks <= capacity->blocks && need.values <= capacity->values)
    return PICUS_OK;
  const block_sizes more = {picus_grown(need.laws, capacity->laws), picus_grown(need.blocks, capacity->blocks),
                            picus_grown(need.values, capacity->values)};
  *capacity = (block_sizes){0}; /* until all of it is there */
  if (out->context) picus_block_storage_destroy(out);
  const picus_status status = picus_block_storage_create(context, (int)more.laws, more.blocks, more.values, out);
  if (!status) *capacity = more;
  return status;
}

static picus_status reserve_blocks(picus_context *context, const law_set *s, delassus_matrix *m) {
  const law_graph *graph = &s->graph;
  const size_t laws = (size_t)s->law_count;
  size_t values = 0;
  for (int i = 0; i < s->law_count; i++)
    for (size_t k = graph->start[i]; k < graph->start[i + 1]; k++)
      values += (size_t)s->laws[i].data.dim * (size_t)s->laws[graph->neighbour[k]].data.dim;
  if (!m->place || laws > m->place_capacity) {
    m->place_capacity = picus_grown(laws, m->place_capacity);
    picus_release(context, m->place);
    m->place = picus_allocate(context, m->place_capacity, sizeof *m->place);
    if (!m->place) m->place_capacity = 0;
    if (!m->place) return PICUS_ERROR_MEMORY;
  }
  const block_sizes need = {laws, graph->start[s->law_count], values};
  return reserve_storage(context, need, &m->block_capacity, &m->blocks);
}

static picus_status reserve_factors(picus_context *context, const law_set *s, delassus_matrix *m) {
  const size_t laws = (size_t)s->law_count;
  size_t columns = 0;
  for (int i = 0; i < s->law_count; i++) columns += (size_t)s->laws[i].width;
  if (m->factor_scratch && laws <= m->factor_laws && columns <= m->factor_columns) return PICUS_OK;
  const size_t more_laws = picus_grown(laws, m->factor_laws), more_columns = picus_grown(columns, m->factor_columns);
  m->factor_laws = m->factor_columns = 0; /* until all of it is there */
  picus_release(context, m->factor_start);
  picus_release(context, m->factor_offset);
  picus_release(context, m->factor_column);
  picus_release(context, m->factor_trace);
  m->factor_start = picus_allocate(context, more_laws + 1, sizeof *m->factor_start);
  m->factor_offset = picus_allocate(context, more_laws, sizeof *m->factor_offset);
  m->factor_column = picus_allocate(context, more_columns, sizeof *m->factor_column);
  m->factor_trace = picus_allocate(context, more_laws, sizeof *m->factor_trace);
  if (!m->factor_scratch) m->factor_scratch = picus_allocate(context, (size_t)s->system->nu, sizeof(double));
  if (!m->factor_start || !m->factor_offset || !m->factor_column || !m->factor_trace || !m->factor_scratch)
    return PICUS_ERROR_MEMORY;
  m->factor_laws = more_laws;
  m->factor_columns = more_columns;
  return PICUS_OK;
}

picus_status picus_delassus_follow(picus_context *context, const law_set *s, delassus_matrix *m) {
  m->G = NULL;
  m->small = picus_law_set_is_dense(s);
  m->is_factored = picus_law_set_is_factored(s);
  if (m->is_factored) return reserve_factors(context, s, m);
  if (!m->small) return reserve_blocks(context, s, m);
  if (!m->dense || s->row_count > m->dense_rows) {
    const int rows = s->present ? PICUS_DENSE_ROWS : s->row_count;
    picus_release(context, m->dense);
    m->dense_rows = 0;
    m->dense = picus_allocate(context, (size_t)rows * (size_t)rows, sizeof(double));
    if (!m->dense) return PICUS_ERROR_MEMORY;
    m->dense_rows = rows;
  }
  m->G = m->dense;
  return PICUS_OK;
}

picus_status picus_delassus_create(picus_context *context, const law_set *s, delassus_matrix *out) {
  *out = (delassus_matrix){0};
  return picus_delassus_follow(context, s, out);
}

void picus_delassus_release(picus_context *context, delassus_matrix *m) {
  picus_release(context, m->dense);
  picus_release(context, m->coupled);
  picus_release(context, m->place);
  void *of_factors[] = {m->factor_start, m->factor_offset, m->factor_column, m->factor_trace, m->factor_scratch};
  for (size_t i = 0; i < sizeof of_factors / sizeof of_factors[0]; i++) picus_release(context, of_factors[i]);
  if (m->blocks.context) picus_block_storage_destroy(&m->blocks);
  *m = (delassus_matrix){0};
}

/* --- values --------------------------------------------------------------------------------------------------- */

static int rows_of(const delassus_matrix *m, const system_law *law) { return m->first_rows ? 1 : law->data.dim; }

static void choose(delassus_matrix *m, const law_set *s, int law_count, const int *laws) {
  m->law_count = law_count;
  m->size = 0;
  for (int k = 0; k < law_count; k++) m->size += rows_of(m, &s->laws[laws[k]]);
}

/* The pattern of the chosen laws. */
static void choose_blocks(delassus_matrix *m, const law_set *s, int law_count, const int *laws) {
  const law_graph *graph = &s->graph;
  size_t offset = 0;
  int count = 0, row = 0;
  choose(m, s, law_count, laws);
  for (int i = 0; i < s->law_count; i++) m->place[i] = -1;
  for (int k = 0; k < law_count; k++) m->place[laws[k]] = k;
  for (int k = 0; k < law_count; k++) {
    const int rows = rows_of(m, &s->laws[laws[k]]);
    m->blocks.first_row[k] = row;
    m->blocks.row_start[k] = count;
    row += rows;
    for (size_t n = graph->start[laws[k]]; n < graph->start[laws[k] + 1]; n++) {
      const int other = graph->neighbour[n];
      if (m->place[other] < 0) continue;
      m->blocks.column[count] = m->place[other];
      m->blocks.offset[count++] = offset;
      offset += (size_t)rows * (size_t)rows_of(m, &s->laws[other]);
    }
  }
  m->blocks.first_row[law_count] = row;
  m->blocks.row_start[law_count] = count;
}

/* Column `row` of G from A^-1 w of that row. */
typedef struct dense_column {
  const system_matrix *matrix;
  const system_law *law; /* of w */
  const double *solved;
  double *G; /* the column's first number */
  size_t size;
} dense_column;

/* Products with rows of a law, which are those of G from `first` on. */
static void fill_column(const dense_column *to, const system_law *other, const double *V, size_t first, int count) {
  double *G = to->G + first * to->size;
  if (!to->matrix->by_group && picus_laws_are_separate(to->law, other)) {
    for (int c = 0; c < count; c++, G += to->size) *G = 0;
    return;
  }
  for (int c = 0; c < count; c++, V += other->width, G += to->size)
    *G = picus_law_solved_dot(to->matrix, to->law, to->solved, other, V);
}

/* Where A is symmetric, G is, and only products with the rows before are needed. */
static void assemble_dense(delassus_matrix *m, const delassus_request *request) {
  const system_law *laws = request->set->laws;
  choose(m, request->set, request->law_count, request->laws);
  const size_t size = (size_t)m->size;
  size_t row = 0;
  for (int k = 0; k < request->law_count; k++) {
    const system_law *law = &laws[request->laws[k]];
    const int last = request->symmetric ? k : request->law_count - 1;
    for (int r = 0; r < rows_of(m, law); r++, row++) {
      const dense_column column = {request->matrix, law, request->solved[row], m->G + row, size};
      size_t first = 0;
      for (int l = 0; l <= last; l++) {
        const system_law *other = &laws[request->laws[l]];
        const int count = l == k && request->symmetric ? r + 1 : rows_of(m, other);
        fill_column(&column, other, request->V + other->W0, first, count);
        first += (size_t)count;
      }
      for (size_t j = 0; request->symmetric && j < row; j++) m->G[row * size + j] = m->G[j * size + row];
    }
  }
}

/* A block of G: rows of one law times A^-1 w of another one. */
typedef struct block_factors {
  const system_law *a, *b;
  const double *V;             /* rows of a */
  const double *const *solved; /* of b */
  int rows, columns;
} block_factors;

/* Where a common part stands in the rows of both laws. */
typedef struct part_places {
  int a, b;
} part_places;

/* Adds the products of the n velocities of a part. */
static inline void add_part(const block_factors *f, int n, part_places at, int rows, int columns, double *values) {
  const double *row = f->V + at.a;
  for (int r = 0; r < rows; r++, row += f->a->width)
    for (int c = 0; c < columns; c++) values[r * columns + c] += picus_part_dot(n, row, f->solved[c] + at.b);
}

/* Both lists of parts are sorted, and are walked together, once. Inline, so that the compiler can make the sizes
 * constants. */
static inline void walk_parts(const system_part *parts, const block_factors *f, int rows, int columns, double *values) {
  const int *i = f->a->parts, *j = f->b->parts, *end_i = i + f->a->part_count, *end_j = j + f->b->part_count;
  part_places at = {0, 0};
  while (i < end_i && j < end_j) {
    const int n_a = parts[*i].nu, n_b = parts[*j].nu, order = *i - *j;
    if (order == 0 && n_a == 6)
      add_part(f, 6, at, rows, columns, values);
    else if (order == 0)
      add_part(f, n_a, at, rows, columns, values);
    if (order <= 0) at.a += n_a, i++;
    if (order >= 0) at.b += n_b, j++;
  }
}

/* Most blocks are of joints, with single rows, or of contacts in space. */
static inline void multiply_rows(const picus_system *system, const block_factors *f, double *values) {
  const system_part *parts = system->parts;
  const int rows = f->rows, columns = f->columns;
  if (rows == 1 && columns == 1) {
    *values = picus_law_rows_dot(system, f->a, f->V, f->b, *f->solved);
    return;
  }
  for (int k = 0; k < rows * columns; k++) values[k] = 0;
  if (rows == 3 && columns == 3)
    walk_parts(parts, f, 3, 3, values);
  else
    walk_parts(parts, f, rows, columns, values);
}

/* Block (i, j) of the chosen laws. */
static void assemble_block(const delassus_matrix *m, const delassus_request *request, int i, int j, double *values) {
  const law_set *s = request->set;
  const system_law *a = &s->laws[request->laws[i]], *b = &s->laws[request->laws[j]];
  const block_factors f = {
      a, b, request->V + a->W0, request->solved + m->blocks.first_row[j], rows_of(m, a), rows_of(m, b)};
  multiply_rows(s->system, &f, values);
}

static void transpose_block(int rows, int columns, const double *block, double *out) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) out[c * rows + r] = block[r * columns + c];
}

/* Where A is symmetric, G is: the blocks below the diagonal are those above it, which come in the order of the rows, so
 * that each one of a row follows the last. */
static void assemble_blocks(delassus_matrix *m, const delassus_request *request) {
  const picus_block_storage *b = &m->blocks;
  choose_blocks(m, request->set, request->law_count, request->laws);
  int *next = m->place; /* of the blocks of each row below the diagonal; free until the next choice */
  for (int i = 0; i < m->law_count; i++) next[i] = b->row_start[i];
  for (int i = 0; i < m->law_count; i++)
    for (int n = request->symmetric ? next[i] : b->row_start[i]; n < b->row_start[i + 1]; n++) {
      const int j = b->column[n];
      double *values = b->values + b->offset[n];
      assemble_block(m, request, i, j, values);
      if (!request->symmetric || i == j) continue;
      transpose_block(b->first_row[i + 1] - b->first_row[i], b->first_row[j + 1] - b->first_row[j], values,
                      b->values + b->offset[next[j]++]);
    }
}

picus_status picus_delassus_reserve(picus_context *context, delassus_matrix *m, int rows) {
  const size_t size = (size_t)rows * (size_t)rows;
  if (m->small || size <= m->capacity) return PICUS_OK;
  picus_release(context, m->coupled);
  m->capacity = 0;
  m->coupled = picus_allocate(context, 4 * size, sizeof *m->coupled); /* for twice the rows */
  if (!m->coupled) return PICUS_ERROR_MEMORY;
  m->capacity = 4 * size;
  return PICUS_OK;
}

/* The columns of the laws; the numbers stay where they are. */
static void assemble_factors(delassus_matrix *m, const delassus_request *request) {
  const law_set *s = request->set;
  int columns = 0;
  m->law_count = request->law_count;
  m->size = 0;
  for (int k = 0; k < request->law_count; k++) {
    const system_law *law = &s->laws[request->laws[k]];
    m->factor_start[k] = columns;
    m->factor_offset[k] = law->W0;
    m->size += law->data.dim;
    for (int b = 0; b < law->part_count; b++) {
      const system_part *part = &s->system->parts[law->parts[b]];
      for (int i = 0; i < part->nu; i++) m->factor_column[columns++] = part->u0 + i;
    }
  }
  m->factor_start[request->law_count] = columns;
  m->factors = (picus_factored_matrix){.unknowns = s->system->nu,
                                       .start = m->factor_start,
                                       .column = m->factor_column,
                                       .offset = m->factor_offset,
                                       .W = request->V,
                                       .change = request->inverse_W,
                                       .scratch = m->factor_scratch,
                                       .trace = request->has_trace ? m->factor_trace : NULL};
}

void picus_delassus_assemble(delassus_matrix *m, const delassus_request *request) {
  if (m->is_factored) {
    assemble_factors(m, request);
    return;
  }
  m->first_rows = request->first_rows;
  if (!m->small) m->G = request->matrix->by_group ? m->coupled : NULL;
  if (m->G)
    assemble_dense(m, request);
  else
    assemble_blocks(m, request);
}

static void gather_dense(const delassus_matrix *all, const law_set *s, const int *laws, delassus_matrix *m) {
  double *to = m->G;
  for (int k = 0; k < m->law_count; k++) {
    const picus_system_law *law = &s->laws[laws[k]].data;
    for (int r = 0; r < law->dim; r++) {
      const double *source = all->G + (size_t)(law->first_row + r) * (size_t)all->size;
      for (int l = 0; l < m->law_count; l++) {
        const picus_system_law *other = &s->laws[laws[l]].data;
        for (int c = 0; c < other->dim; c++) *to++ = source[other->first_row + c];
      }
    }
  }
}

/* Both lists of blocks follow the graph: those of `all` are all of it. */
static void gather_blocks(const delassus_matrix *all, const law_set *s, const int *laws, delassus_matrix *m) {
  for (int k = 0; k < m->law_count; k++) {
    int n = m->blocks.row_start[k];
    for (int g = all->blocks.row_start[laws[k]]; g < all->blocks.row_start[laws[k] + 1]; g++) {
      const int other = all->blocks.column[g];
      if (m->place[other] < 0) continue;
      memcpy(m->blocks.values + m->blocks.offset[n++], all->blocks.values + all->blocks.offset[g],
             (size_t)s->laws[laws[k]].data.dim * (size_t)s->laws[other].data.dim * sizeof(double));
    }
  }
}

void picus_delassus_gather(const delassus_matrix *all, const law_set *s, int law_count, const int *laws,
                           delassus_matrix *out) {
  out->first_rows = false;
  if (out->G) {
    choose(out, s, law_count, laws);
    gather_dense(all, s, laws, out);
  } else {
    choose_blocks(out, s, law_count, laws);
    gather_blocks(all, s, laws, out);
  }
}

/* --- rows ----------------------------------------------------------------------------------------------------- */

static int dim_of(const delassus_matrix *m, int law) { return m->blocks.first_row[law + 1] - m->blocks.first_row[law]; }

double picus_delassus_block_row(const delassus_matrix *m, int law, int row, const double *P) {
  double sum = 0;
  for (int n = m->blocks.row_start[law]; n < m->blocks.row_start[law + 1]; n++) {
    const int other = m->blocks.column[n], columns = dim_of(m, other);
    const double *values = m->blocks.values + m->blocks.offset[n] + (row - m->blocks.first_row[law]) * columns;
    sum += picus_dot(columns, values, P + m->blocks.first_row[other]);
  }
  return sum;
}

const double *picus_delassus_block_entries(const delassus_matrix *m, int law, int row, int other) {
  static const double zeros[PICUS_LAW_ROWS];
  for (int n = m->blocks.row_start[law]; n < m->blocks.row_start[law + 1]; n++)
    if (m->blocks.column[n] == other)
      return m->blocks.values + m->blocks.offset[n] + (row - m->blocks.first_row[law]) * dim_of(m, other);
  return zeros;
}

/* --- constant ------------------------------------------------------------------------------------------------- */

void picus_constant_delassus_begin(constant_delassus *out, const law_set *s) {
  for (int i = 0; i < s->law_count; i++) {
    const system_law *law = &s->laws[i];
    out->laws[i] = i;
    for (int r = 0; r < law->data.dim; r++)
      out->solved[law->data.first_row + r] = out->inverse_W + law->W0 + (size_t)r * (size_t)law->width;
  }
}

void picus_constant_delassus_fill(constant_delassus *d, const picus_evaluation *e, const system_matrix *A) {
  const law_set *s = e->set;
  for (int i = 0; i < s->law_count; i++) {
    const system_law *law = &s->laws[i];
    picus_law_rows_solve(A, law, law->data.dim, e->W + law->W0, d->inverse_W + law->W0);
  }
  picus_delassus_assemble(&d->matrix, &(delassus_request){.set = s,
                                                          .law_count = s->law_count,
                                                          .laws = d->laws,
                                                          .V = e->W,
                                                          .matrix = A,
                                                          .solved = d->solved,
                                                          .symmetric = false});
  d->ready = true;
}
