/* The tangent of a system as one sparse matrix. */
#include "statics/saddle.h"

#include "base/internal.h"
#include "contact/internal.h"
#include "system/law_rows.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { DENSE_SOURCE = 600 }; /* velocities of a source for which changes of W with q are taken along */

void picus_saddle_release(saddle *s) {
  void *const blocks[] = {s->row_law, s->row_of_law, s->holds, s->row_start, s->column,    s->K,
                          s->M,       s->C,          s->scale, s->x,         s->correction};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) picus_release(s->context, blocks[i]);
  picus_sparse_release(&s->factor);
  picus_evaluation_destroy(s->evaluation);
  *s = (saddle){0};
}

/* Does d(W P)/dq of a source take part? */
static bool turns(const saddle *s, const system_source *source) {
  return s->turning && source->ops->direction_jacobian && !source->directions_constant && source->nu <= DENSE_SOURCE;
}

/* Where the columns of a part stand in the rows of velocities of `part`: those of a pattern, those of its complete
 * source if directions turn, otherwise the coupled parts side by side. */
static int columns_before(const saddle *s, const system_part *part, int other) {
  const picus_system *system = s->system;
  const system_source *source = &system->sources[part->source];
  if (turns(s, source)) return system->parts[other].u0 - source->u0;
  int before = 0;
  for (int k = 0; k < part->coupled_count && part->coupled[k] != other; k++)
    before += system->parts[part->coupled[k]].nu;
  return before;
}

/* Lists the columns of row i without those of couplings, or only counts them if columns is NULL. */
static int list_own_columns(const saddle *s, const system_part *part, int i, int *columns) {
  const picus_system *system = s->system;
  const system_source *source = &system->sources[part->source];
  if (turns(s, source)) {
    for (int k = 0; columns && k < source->nu; k++) columns[k] = source->u0 + k;
    return source->nu;
  }
  if (part->pattern) {
    const int *entries = part->pattern->column + part->pattern->row_start[i];
    const int count = part->pattern->row_start[i + 1] - part->pattern->row_start[i];
    for (int k = 0; columns && k < count; k++) columns[k] = part->u0 + entries[k];
    return count;
  }
  int count = 0;
  for (int k = 0; k < part->coupled_count; k++) {
    const system_part *other = &system->parts[part->coupled[k]];
    for (int j = 0; columns && j < other->nu; j++) columns[count + j] = other->u0 + j;
    count += other->nu;
  }
  return count;
}

/* Couplings of the rows so far. */
typedef struct coupling_list {
  const system_coupling *list;
  int count, next;
} coupling_list;

/* Adds the columns of the couplings of a row, or counts them if columns is NULL: then perhaps too many. */
static int add_coupled_columns(coupling_list *all, int row, int count, int *columns) {
  for (; all->next < all->count && all->list[all->next].row == row; all->next++) {
    const system_coupling *c = &all->list[all->next];
    for (int j = c->u0; j < c->u0 + c->nu; j++) {
      bool listed = false;
      for (int k = 0; columns && !listed && k < count; k++) listed = columns[k] == j;
      if (listed) continue;
      if (columns) columns[count] = j;
      count++;
    }
  }
  return count;
}

static picus_status make_pattern(saddle *s) {
  const picus_system *system = s->system;
  size_t count = 0;
  for (int pass = 0; pass < 2; pass++) {
    count = 0;
    coupling_list forces = {system->couplings, system->coupling_count, 0};
    coupling_list laws = {system->turning, s->turning ? system->turning_count : 0, 0};
    for (int p = 0; p < system->part_count; p++) {
      const system_part *part = &system->parts[p];
      for (int i = 0; i < part->nu; i++) {
        s->row_start[part->u0 + i] = (int)count;
        int *columns = pass ? s->column + count : NULL, row = list_own_columns(s, part, i, columns);
        row = add_coupled_columns(&forces, part->u0 + i, row, columns);
        count += (size_t)add_coupled_columns(&laws, part->u0 + i, row, columns);
        if (count > INT_MAX / 4)
          return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED, "the system is too large for its modes");
      }
    }
    s->row_start[s->nu] = (int)count;
    if (pass) break;
    s->column = picus_allocate(s->context, count, sizeof(int));
    s->K = picus_allocate(s->context, count, sizeof(double));
    s->M = picus_allocate(s->context, count, sizeof(double));
    s->C = picus_allocate(s->context, count, sizeof(double));
    if (!s->column || !s->K || !s->M || !s->C) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

static bool can_hold(const system_law *law) { return picus_normal_rows(law->data.kind) > 0; }

static picus_status list_rows(saddle *s) {
  const law_set *set = &s->system->fixed;
  s->row_law = picus_allocate(s->context, (size_t)set->row_count + 1, sizeof(int));
  s->row_of_law = picus_allocate(s->context, (size_t)set->row_count + 1, sizeof(int));
  s->holds = picus_allocate(s->context, (size_t)set->row_count + 1, sizeof *s->holds);
  if (!s->row_law || !s->row_of_law || !s->holds) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < set->law_count; i++)
    for (int k = 0; can_hold(&set->laws[i]) && k < set->laws[i].data.dim; k++) {
      s->row_law[s->rows] = i;
      s->row_of_law[s->rows] = k;
      s->holds[s->rows++] = set->laws[i].data.kind == PICUS_BILATERAL;
    }
  return PICUS_OK;
}

static picus_status request_jacobians(saddle *s) {
  unsigned jacobians = PICUS_JACOBIANS_OF_FORCES | PICUS_JACOBIANS_OF_RATES;
  for (int k = 0; k < s->system->source_count; k++)
    if (turns(s, &s->system->sources[k])) jacobians |= PICUS_JACOBIAN(JACOBIAN_DIRECTION_Q);
  if (s->turning && s->system->turning_count > 0) jacobians |= PICUS_JACOBIAN(JACOBIAN_DIRECTION_Q);
  return picus_evaluation_request_few(s->evaluation, jacobians);
}

static picus_status create(saddle *s) {
  picus_context *context = s->context;
  picus_status status = picus_evaluation_create(context, s->system, &s->evaluation);
  if (!status) status = request_jacobians(s);
  if (!status) status = list_rows(s);
  const size_t order = (size_t)s->nu + (size_t)s->rows;
  if (!status) {
    s->row_start = picus_allocate(context, (size_t)s->nu + 1, sizeof(int));
    s->scale = picus_allocate(context, order, sizeof(double));
    s->x = picus_allocate(context, order, sizeof(double));
    s->correction = picus_allocate(context, order, sizeof(double));
    status = s->row_start && s->scale && s->x && s->correction ? make_pattern(s) : PICUS_ERROR_MEMORY;
  }
  if (status) picus_saddle_release(s);
  return status;
}

picus_status picus_saddle_create(picus_context *context, const picus_system *system, saddle *s) {
  *s = (saddle){.context = context, .system = system, .turning = true, .nu = system->nu};
  return create(s);
}

picus_status picus_saddle_create_plain(picus_context *context, const picus_system *system, saddle *s) {
  *s = (saddle){.context = context, .system = system, .nu = system->nu};
  return create(s);
}

/* B of a part, nq x nu, in memory of its own; NULL in *B: the identity. */
static picus_status read_rates(saddle *s, int p, double **B) {
  const system_part *part = &s->system->parts[p];
  const size_t nu = (size_t)part->nu, nq = (size_t)part->nq;
  *B = NULL;
  if (part->identity_rates) return PICUS_OK;
  double *rate = picus_allocate(s->context, nq * nq, sizeof *rate);
  *B = picus_allocate(s->context, nq * nu, sizeof **B);
  picus_status status = rate && *B ? picus_evaluation_part_rates(s->evaluation, p, rate, *B) : PICUS_ERROR_MEMORY;
  picus_release(s->context, rate);
  return status;
}

/* A block of a matrix by rows: `first` is its first number, rows are `width` apart. */
typedef struct matrix_block {
  const double *first;
  int width;
} matrix_block;

/* K -= A B in the columns of part p, for the rows of velocities u0 ... u0 + rows - 1; `before`: columns before them. */
static picus_status add_stiffness(saddle *s, int u0, int rows, matrix_block A, int p, int before) {
  const system_part *part = &s->system->parts[p];
  double *B;
  picus_status status = read_rates(s, p, &B);
  for (int i = 0; !status && i < rows; i++) {
    const double *row = A.first + (size_t)i * (size_t)A.width;
    double *to = s->K + s->row_start[u0 + i] + before;
    for (int j = 0; j < part->nu; j++) {
      double sum = B ? 0 : row[j];
      for (int m = 0; B && m < part->nq; m++) sum += row[m] * B[(size_t)m * (size_t)part->nu + (size_t)j];
      to[j] -= sum;
    }
  }
  picus_release(s->context, B);
  return status;
}

static void add_pattern(saddle *s, int p, const double *dh_dq, const double *dh_du) {
  const system_part *part = &s->system->parts[p];
  const double *M = s->evaluation->mass.blocks[p].values;
  for (int i = 0; i < part->nu; i++) { /* behind those of the pattern, a row may have columns of couplings */
    const int first = part->pattern->row_start[i], count = part->pattern->row_start[i + 1] - first;
    const int at = s->row_start[part->u0 + i];
    for (int k = 0; k < count; k++) {
      s->K[at + k] = -dh_dq[first + k];
      s->C[at + k] = -dh_du[first + k];
      s->M[at + k] = M[first + k];
    }
  }
}

static picus_status add_dense(saddle *s, int p, const double *dh_dq, const double *dh_du) {
  const picus_system *system = s->system;
  const system_part *part = &system->parts[p];
  const double *M = s->evaluation->mass.blocks[p].values;
  picus_status status = PICUS_OK;
  int q = 0, u = 0; /* columns of dh/dq and dh/du before those of the coupled part */
  for (int k = 0; !status && k < part->coupled_count; k++) {
    const system_part *other = &system->parts[part->coupled[k]];
    const int before = columns_before(s, part, part->coupled[k]);
    status = add_stiffness(s, part->u0, part->nu, (matrix_block){dh_dq + q, part->q_width}, part->coupled[k], before);
    for (int i = 0; i < part->nu; i++)
      for (int j = 0; j < other->nu; j++) {
        const int at = s->row_start[part->u0 + i] + before + j;
        s->C[at] = -dh_du[(size_t)i * (size_t)part->u_width + (size_t)(u + j)];
        if (part->coupled[k] == p) s->M[at] = M[(size_t)i * (size_t)part->nu + (size_t)j];
      }
    q += other->nq;
    u += other->nu;
  }
  return status;
}

static picus_status add_part(saddle *s, int p) {
  const system_part *part = &s->system->parts[p];
  const size_t nu = (size_t)part->nu, values = part->pattern ? (size_t)part->pattern->row_start[nu] : 0;
  const size_t by_q = part->pattern ? values : nu * (size_t)part->q_width;
  const size_t by_u = part->pattern ? values : nu * (size_t)part->u_width;
  double *dh_dq = picus_allocate(s->context, by_q, sizeof *dh_dq),
         *dh_du = picus_allocate(s->context, by_u, sizeof *dh_du);
  picus_status status = dh_dq && dh_du ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = picus_evaluation_part_tangents(s->evaluation, p, dh_dq, dh_du);
  if (!status && part->pattern)
    add_pattern(s, p, dh_dq, dh_du);
  else if (!status)
    status = add_dense(s, p, dh_dq, dh_du);
  picus_release(s->context, dh_dq);
  picus_release(s->context, dh_du);
  return status;
}

/* K -= d(W P)/dq B of a source, part by part in its columns. */
static picus_status add_turning(saddle *s, int k, const double *P) {
  const system_source *source = &s->system->sources[k];
  picus_context *context = s->context;
  double *slopes = picus_allocate(context, (size_t)source->nu * (size_t)source->nq, sizeof(double));
  picus_status status = slopes ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status)
    status =
        source->ops->direction_jacobian(source->self, context, &s->evaluation->points[k], P + source->row0, slopes);
  for (int p = source->part0; !status && p < source->part0 + source->part_count; p++) {
    const system_part *part = &s->system->parts[p];
    const matrix_block block = {slopes + (part->q0 - source->q0), source->nq};
    status = add_stiffness(s, source->u0, source->nu, block, p, part->u0 - source->u0);
  }
  picus_release(context, slopes);
  return status;
}

static int find_entry(const saddle *s, int row, int column) {
  int k = s->row_start[row];
  while (s->column[k] != column) k++;
  return k;
}

/* by_u may be NULL: zero */
static picus_status add_coupling(saddle *s, const system_coupling *c, const double *by_q, const double *by_u) {
  double *B;
  picus_status status = read_rates(s, c->part, &B);
  for (int j = 0; !status && j < c->nu; j++) {
    const int at = find_entry(s, c->row, c->u0 + j);
    double sum = B ? 0 : by_q[j];
    for (int m = 0; B && m < c->nq; m++) sum += by_q[m] * B[(size_t)m * (size_t)c->nu + (size_t)j];
    s->K[at] -= sum;
    if (by_u) s->C[at] -= by_u[j];
  }
  picus_release(s->context, B);
  return status;
}

static picus_status add_couplings(saddle *s) {
  const picus_system *system = s->system;
  if (system->coupling_count == 0) return PICUS_OK;
  double *by_q = picus_allocate(s->context, system->coupling_q + system->coupling_u, sizeof *by_q);
  if (!by_q) return PICUS_ERROR_MEMORY;
  double *by_u = by_q + system->coupling_q;
  picus_status status = picus_evaluation_couplings(s->evaluation, by_q, by_u);
  for (int k = 0; !status && k < system->coupling_count; k++) {
    const system_coupling *c = &system->couplings[k];
    status = add_coupling(s, c, by_q + c->by_q, by_u + c->by_u);
  }
  picus_release(s->context, by_q);
  return status;
}

/* K -= d(W P)/dq B where laws couple components. */
static picus_status add_turning_couplings(saddle *s, const double *P) {
  const picus_system *system = s->system;
  if (system->turning_count == 0) return PICUS_OK;
  double *values = picus_allocate(s->context, system->turning_q, sizeof *values);
  picus_status status = values ? picus_evaluation_turning(s->evaluation, P, values) : PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < system->turning_count; k++)
    status = add_coupling(s, &system->turning[k], values + system->turning[k].by_q, NULL);
  picus_release(s->context, values);
  return status;
}

/* The matrices at the point of the evaluation. */
static picus_status fill(saddle *s, const double *P) {
  const size_t count = (size_t)s->row_start[s->nu];
  memset(s->K, 0, count * sizeof *s->K);
  memset(s->M, 0, count * sizeof *s->M);
  memset(s->C, 0, count * sizeof *s->C);
  picus_status status = picus_evaluation_update_mass(s->evaluation);
  if (!status) status = picus_evaluation_update_directions(s->evaluation);
  for (int p = 0; !status && p < s->system->part_count; p++) status = add_part(s, p);
  if (!status) status = add_couplings(s);
  for (int k = 0; !status && P && k < s->system->source_count; k++)
    if (turns(s, &s->system->sources[k])) status = add_turning(s, k, P);
  if (!status && s->turning && P) status = add_turning_couplings(s, P);
  return status;
}

picus_status picus_saddle_set_state(saddle *s, double t, const double *q, const double *P) {
  memset(s->x, 0, (size_t)s->nu * sizeof *s->x);
  picus_evaluation_set_point(s->evaluation, t, q, s->x);
  return fill(s, P);
}

picus_status picus_saddle_set_motion(saddle *s, double t, const double *q, const double *u) {
  picus_evaluation_set_point(s->evaluation, t, q, u);
  return fill(s, NULL);
}

/* The place of a row of W^T among the velocities: one number after the other, over the parts of the law. */
typedef struct row_walk {
  const picus_system *system;
  const system_law *law;
  const double *value;
  int part, inside;
} row_walk;
static row_walk walk_row(const saddle *s, int r) {
  const system_law *law = &s->system->fixed.laws[s->row_law[r]];
  return (row_walk){s->system, law, picus_law_row(law, s->evaluation->W, s->row_of_law[r]), 0, 0};
}
/* The next velocity with a number that is not 0, -1: none. */
static int next_in_row(row_walk *w, double *value) {
  while (w->part < w->law->part_count) {
    const system_part *part = &w->system->parts[w->law->parts[w->part]];
    if (w->inside == part->nu) {
      w->value += part->nu;
      w->part++;
      w->inside = 0;
      continue;
    }
    const int i = w->inside++;
    *value = w->value[i];
    if (*value != 0) return part->u0 + i;
  }
  return -1;
}

/* Scales so that the diagonal is about 1, and rows of laws as well. */
static void find_scales(saddle *s, double k, double m) {
  for (int i = 0; i < s->nu; i++) {
    double diagonal = 0;
    for (int j = s->row_start[i]; j < s->row_start[i + 1]; j++)
      if (s->column[j] == i) diagonal = fabs(k * s->K[j]) + fabs(m * s->M[j]);
    s->scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
  }
  for (int r = 0; r < s->rows; r++) {
    double sum = 0, value = 0;
    row_walk walk = walk_row(s, r);
    for (int i = next_in_row(&walk, &value); i >= 0; i = next_in_row(&walk, &value))
      sum += value * s->scale[i] * value * s->scale[i];
    s->scale[s->nu + r] = sum > 0 ? 1 / sqrt(sum) : 1;
  }
}

/* Entries of laws in the rows of velocities: how many, then where the next one goes. */
static picus_status count_law_entries(saddle *s, int *counts) {
  size_t total = (size_t)s->row_start[s->nu];
  for (int r = 0; r < s->rows; r++) {
    double value = 0;
    row_walk walk = walk_row(s, r);
    total++;
    for (int i = next_in_row(&walk, &value); s->holds[r] && i >= 0; i = next_in_row(&walk, &value)) {
      counts[i]++;
      total += 2;
    }
  }
  if (total > INT_MAX / 2 || !picus_sparse_reserve(&s->factor, s->nu + s->rows, total))
    return picus_fail(s->context, PICUS_ERROR_MEMORY, "out of memory for the matrix of the modes");
  return PICUS_OK;
}

static void fill_factor(saddle *s, double k, double m, int *next) {
  picus_sparse_system *f = &s->factor;
  int at = 0;
  for (int i = 0; i < s->nu; i++) {
    const int laws = next[i];
    f->row_start[i] = at;
    for (int j = s->row_start[i]; j < s->row_start[i + 1]; j++) {
      f->column[at] = s->column[j];
      f->values[at++] = s->scale[i] * (k * s->K[j] + m * s->M[j]) * s->scale[s->column[j]];
    }
    next[i] = at;
    at += laws;
  }
  for (int r = 0; r < s->rows; r++) {
    const int row = s->nu + r;
    double value = 0;
    row_walk walk = walk_row(s, r);
    f->row_start[row] = at;
    for (int i = next_in_row(&walk, &value); s->holds[r] && i >= 0; i = next_in_row(&walk, &value)) {
      const double scaled = value * s->scale[i] * s->scale[row];
      f->column[next[i]] = row;
      f->values[next[i]++] = scaled;
      f->column[at] = i;
      f->values[at++] = scaled;
    }
    f->column[at] = row; /* a small number keeps redundant rows solvable */
    f->values[at++] = s->holds[r] ? -1e-13 : 1;
  }
  f->row_start[s->nu + s->rows] = at;
}

picus_status picus_saddle_factor(saddle *s, double k, double m) {
  int *counts = picus_allocate(s->context, (size_t)s->nu, sizeof *counts);
  if (!counts) return PICUS_ERROR_MEMORY;
  find_scales(s, k, m);
  picus_status status = count_law_entries(s, counts);
  if (!status) {
    fill_factor(s, k, m, counts);
    if (!picus_sparse_factor(&s->factor, INFINITY))
      status = picus_fail(s->context, PICUS_ERROR_SINGULAR, "the stiffness matrix at this state cannot be factored");
  }
  picus_release(s->context, counts);
  return status;
}

static void solve_scaled(const saddle *s, double *x) {
  for (int i = 0; i < s->nu + s->rows; i++) x[i] *= s->scale[i];
  picus_sparse_solve(&s->factor, x);
  for (int i = 0; i < s->nu + s->rows; i++) x[i] *= s->scale[i];
}

void picus_saddle_solve(saddle *s) {
  double *wanted = s->correction + s->nu; /* of the rows */
  memcpy(wanted, s->x + s->nu, (size_t)s->rows * sizeof *wanted);
  solve_scaled(s, s->x);
  if (s->rows == 0) return;
  memset(s->correction, 0, (size_t)s->nu * sizeof *s->correction);
  for (int r = 0; r < s->rows; r++) { /* what the small numbers on the diagonal have left */
    const system_law *law = &s->system->fixed.laws[s->row_law[r]];
    const double *row = picus_law_row(law, s->evaluation->W, s->row_of_law[r]);
    wanted[r] = s->holds[r] ? wanted[r] - picus_law_row_dot(s->system, law, row, s->x) : 0;
  }
  solve_scaled(s, s->correction);
  for (int i = 0; i < s->nu + s->rows; i++) s->x[i] += s->correction[i];
}

void picus_saddle_multiply(const saddle *s, const double *A, const double *x, double *y) {
  for (int i = 0; i < s->nu; i++) {
    double sum = 0;
    for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++) sum += A[k] * x[s->column[k]];
    y[i] = sum;
  }
}

double picus_saddle_largest_quotient(const saddle *s) {
  double largest = 0;
  for (int i = 0; i < s->nu; i++)
    for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++)
      if (s->column[k] == i && s->M[k] > 0) largest = fmax(largest, fabs(s->K[k]) / s->M[k]);
  return largest;
}
