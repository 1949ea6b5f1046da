/* The tangent of a system as one sparse matrix. */
#include "system/saddle.h"

#include "base/internal.h"
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
static bool turns(const system_source *source) {
  return source->ops->direction_jacobian && !source->directions_constant && source->nu <= DENSE_SOURCE;
}

/* The first and last column, and the number of entries, of a row of velocity i: those of its part, or of its source. */
typedef struct row_shape {
  int first, count;
  const part_pattern *pattern;
  int in_pattern; /* row of the pattern */
} row_shape;
static row_shape shape_of(const picus_system *system, const system_part *part, int i) {
  const system_source *source = &system->sources[part->source];
  if (turns(source)) return (row_shape){source->u0, source->nu, NULL, 0};
  if (!part->pattern) return (row_shape){part->u0, part->nu, NULL, 0};
  const int r = i - part->u0;
  return (row_shape){part->u0, part->pattern->row_start[r + 1] - part->pattern->row_start[r], part->pattern, r};
}

static picus_status make_pattern(saddle *s) {
  const picus_system *system = s->system;
  size_t count = 0;
  for (int pass = 0; pass < 2; pass++) {
    count = 0;
    for (int p = 0; p < system->part_count; p++) {
      const system_part *part = &system->parts[p];
      for (int i = part->u0; i < part->u0 + part->nu; i++) {
        const row_shape shape = shape_of(system, part, i);
        s->row_start[i] = (int)count;
        for (int k = 0; pass && k < shape.count; k++)
          s->column[count + (size_t)k] =
              shape.first + (shape.pattern ? shape.pattern->column[shape.pattern->row_start[shape.in_pattern] + k] : k);
        count += (size_t)shape.count;
      }
    }
    s->row_start[s->nu] = (int)count;
    if (pass) break;
    if (count > INT_MAX / 4)
      return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED, "the system is too large for its modes");
    s->column = picus_allocate(s->context, count, sizeof(int));
    s->K = picus_allocate(s->context, count, sizeof(double));
    s->M = picus_allocate(s->context, count, sizeof(double));
    s->C = picus_allocate(s->context, count, sizeof(double));
    if (!s->column || !s->K || !s->M || !s->C) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

static bool can_hold(const system_law *law) { return law->data.kind != PICUS_RESERVOIR; }

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
    if (turns(&s->system->sources[k])) jacobians |= PICUS_JACOBIAN(JACOBIAN_DIRECTION_Q);
  return picus_evaluation_request(s->evaluation, jacobians);
}

picus_status picus_saddle_create(picus_context *context, const picus_system *system, saddle *s) {
  *s = (saddle){.context = context, .system = system, .nu = system->nu};
  picus_status status = picus_evaluation_create(context, system, &s->evaluation);
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

/* Adds -A B, A nu x nq and B nq x nu (NULL: the identity), to K from row and column u0 on. */
static void add_stiffness(saddle *s, int u0, int nu, int nq, const double *A, const double *B) {
  for (int i = 0; i < nu; i++)
    for (int k = s->row_start[u0 + i]; k < s->row_start[u0 + i + 1]; k++) {
      const int j = s->column[k] - u0;
      if (j < 0 || j >= nu) continue;
      double sum = 0;
      if (!B) sum = A[i * nq + j];
      for (int m = 0; B && m < nq; m++) sum += A[i * nq + m] * B[m * nu + j];
      s->K[k] -= sum;
    }
}

static picus_status add_part(saddle *s, int p) {
  const system_part *part = &s->system->parts[p];
  picus_context *context = s->context;
  const size_t nu = (size_t)part->nu, nq = (size_t)part->nq;
  const size_t values = part->pattern ? (size_t)part->pattern->row_start[nu] : nu * nq;
  const size_t square = part->pattern ? values : nu * nu;
  double *dh_dq = picus_allocate(context, values, sizeof(double)),
         *dh_du = picus_allocate(context, square, sizeof(double));
  double *B = NULL, *rate = NULL;
  picus_status status = dh_dq && dh_du ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = picus_evaluation_part_tangents(s->evaluation, p, dh_dq, dh_du);
  if (!status && !part->identity_rates) {
    B = picus_allocate(context, nq * nu, sizeof(double));
    rate = picus_allocate(context, nq * nq, sizeof(double));
    status = B && rate ? picus_evaluation_part_rates(s->evaluation, p, rate, B) : PICUS_ERROR_MEMORY;
  }
  const double *M = s->evaluation->mass.blocks[p].values;
  if (!status && part->pattern)
    for (size_t k = 0, at = (size_t)s->row_start[part->u0]; k < values; k++, at++)
      s->K[at] = -dh_dq[k], s->C[at] = -dh_du[k], s->M[at] = M[k];
  else if (!status) {
    add_stiffness(s, part->u0, part->nu, part->nq, dh_dq, B);
    for (int i = 0; i < part->nu; i++)
      for (int k = s->row_start[part->u0 + i]; k < s->row_start[part->u0 + i + 1]; k++) {
        const int j = s->column[k] - part->u0;
        if (j < 0 || j >= part->nu) continue;
        s->M[k] = M[(size_t)i * nu + (size_t)j];
        s->C[k] = -dh_du[(size_t)i * nu + (size_t)j];
      }
  }
  picus_release(context, dh_dq);
  picus_release(context, dh_du);
  picus_release(context, B);
  picus_release(context, rate);
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
    const size_t nu = (size_t)part->nu, nq = (size_t)part->nq;
    double *B = picus_allocate(context, nq * nu, sizeof(double)),
           *rate = picus_allocate(context, nq * nq, sizeof(double));
    status = B && rate ? PICUS_OK : PICUS_ERROR_MEMORY;
    if (!status && !part->identity_rates) status = picus_evaluation_part_rates(s->evaluation, p, rate, B);
    for (int i = 0; !status && i < source->nu; i++)
      for (int j = 0; j < part->nu; j++) {
        const double *row = slopes + (size_t)i * (size_t)source->nq + (part->q0 - source->q0);
        double sum = part->identity_rates ? row[j] : 0;
        for (int m = 0; !part->identity_rates && m < part->nq; m++) sum += row[m] * B[(size_t)m * nu + (size_t)j];
        s->K[s->row_start[source->u0 + i] + part->u0 - source->u0 + j] -= sum;
      }
    picus_release(context, B);
    picus_release(context, rate);
  }
  picus_release(context, slopes);
  return status;
}

picus_status picus_saddle_set_state(saddle *s, double t, const double *q, const double *P) {
  const size_t count = (size_t)s->row_start[s->nu];
  memset(s->K, 0, count * sizeof *s->K);
  memset(s->M, 0, count * sizeof *s->M);
  memset(s->C, 0, count * sizeof *s->C);
  memset(s->x, 0, (size_t)s->nu * sizeof *s->x);
  picus_evaluation_set_point(s->evaluation, t, q, s->x);
  picus_status status = picus_evaluation_update_mass(s->evaluation);
  if (!status) status = picus_evaluation_update_directions(s->evaluation);
  for (int p = 0; !status && p < s->system->part_count; p++) status = add_part(s, p);
  for (int k = 0; !status && P && k < s->system->source_count; k++)
    if (turns(&s->system->sources[k])) status = add_turning(s, k, P);
  return status;
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
