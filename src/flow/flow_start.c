/* Derivatives of the start by the initial values, and their projection on constraints, closed and sticking contacts. */
#include "flow/flow.h"

#include <string.h>

enum { PROJECTIONS = 3 }; /* of a state that is near its constraints */

void picus_flow_differentiate_start(flow *f, double *y) {
  const size_t n = (size_t)f->n;
  for (size_t c = 0; c < (size_t)f->columns; c++) {
    if (f->variant_of[c] < 0) continue;
    const variants *v = &f->variants[f->variant_of[c]];
    double *dx = y + (c + 1) * n;
    memset(dx, 0, n * sizeof *dx);
    for (int k = 0; k < DIFFERENCE_POINTS; k++) {
      const picus_system *s = v->systems[k];
      for (int i = 0; i < s->nq; i++) dx[i] += v->weights[k] / v->h * (s->q_start[i] - f->system->q_start[i]);
      for (int i = 0; i < s->nu; i++) dx[s->nq + i] += v->weights[k] / v->h * (s->u_start[i] - f->system->u_start[i]);
    }
  }
}

/* Rows of the laws that hold: gamma = 0 of those by M^-1 W; parts of W alone, without friction that slips. */
static void solve_rows(flow *f, int count, const int *rows, const double *right, double *impulse) {
  field *b = &f->base;
  const size_t nu = (size_t)b->nu;
  for (int k = 0; k < count; k++) {
    memcpy(b->solved + (size_t)k * nu, b->W + (size_t)rows[k] * nu, nu * sizeof(double));
    picus_evaluation_solve_mass(b->at, b->solved + (size_t)k * nu);
  }
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++) {
      double sum = 0;
      for (size_t j = 0; j < nu; j++) sum += b->W[(size_t)rows[i] * nu + j] * b->solved[(size_t)k * nu + j];
      b->G.A[i * count + k] = sum;
    }
  picus_pivoted_factor(&b->G, count, 1e-11);
  memcpy(b->rhs, right, (size_t)count * sizeof *right);
  picus_field_solve_held(b, b->rhs);
  for (size_t j = 0; j < nu; j++) {
    impulse[j] = 0;
    for (int k = 0; k < count; k++) impulse[j] += b->solved[(size_t)k * nu + j] * b->rhs[k];
  }
}

static void project_quaternions(const flow *f, const double *x, double *dx) {
  for (int k = 0; k < f->system->quaternion_count; k++) {
    const int i = f->system->quaternions[k];
    double along = 0, square = 0;
    for (int j = i; j < i + 4; j++) {
      along += x[j] * dx[j];
      square += x[j] * x[j];
    }
    for (int j = i; j < i + 4; j++) dx[j] -= along / square * x[j];
  }
}

/* Rows of the laws with a gap that hold; returns how many. */
static int list_closed(const flow *f, const mode_set *modes, int *rows, int *laws) {
  int count = 0;
  for (int i = 0; i < f->base.laws; i++) {
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    if (!law->has_gap || law->kind == PICUS_RESERVOIR) continue;
    if (law->kind != PICUS_BILATERAL && modes->modes[i] == PICUS_OPEN) continue;
    laws[count] = i;
    rows[count++] = law->first_row;
  }
  return count;
}

/* Rows of the laws whose velocities are kept; returns how many. */
static int list_held(flow *f, const mode_set *modes, int *rows) {
  picus_field_choose_rows(&f->base, modes);
  memcpy(rows, f->base.held, (size_t)f->base.held_count * sizeof *rows);
  return f->base.held_count;
}

/* Work of a projection: rows, laws (rows); right-hand sides; of the parameter: changes of gaps and velocities. */
typedef struct projection {
  int *rows, *laws;
  double *right, *gap_p, *gamma_p;
} projection;

static picus_status begin_projection(flow *f, projection *p) {
  const size_t rows = (size_t)f->base.rows;
  *p = (projection){.rows = picus_allocate(f->context, 2 * rows, sizeof *p->rows),
                    .right = picus_allocate(f->context, 3 * rows, sizeof *p->right)};
  if (!p->rows || !p->right) return PICUS_ERROR_MEMORY;
  p->laws = p->rows + rows;
  p->gap_p = p->right + rows;
  p->gamma_p = p->gap_p + rows;
  return PICUS_OK;
}

static void end_projection(flow *f, projection *p) {
  picus_release(f->context, p->rows);
  picus_release(f->context, p->right);
}

/* One tangent: dq along B M^-1 W until gaps of closed laws stay, then du along M^-1 W until their velocities do. */
static void project(flow *f, const mode_set *modes, double *dx, bool is_parameter, projection *p) {
  field *b = &f->base;
  const field_slopes *s = &b->slopes;
  double *impulse = f->shift;
  int count = list_closed(f, modes, p->rows, p->laws);
  for (int k = 0; k < count; k++) {
    p->right[k] = is_parameter ? p->gap_p[p->laws[k]] : 0;
    for (int j = 0; j < b->nq; j++) p->right[k] += f->gap_q[p->laws[k] * b->nq + j] * dx[j];
  }
  solve_rows(f, count, p->rows, p->right, impulse);
  for (int i = 0; i < b->nq; i++)
    for (int j = 0; j < b->nu; j++) dx[i] -= s->B[i * b->nu + j] * impulse[j];
  project_quaternions(f, b->x, dx);
  count = list_held(f, modes, p->rows);
  for (int k = 0; k < count; k++) {
    p->right[k] = is_parameter ? p->gamma_p[p->rows[k]] : 0;
    for (int j = 0; j < b->nu; j++) p->right[k] += b->W[p->rows[k] * b->nu + j] * dx[b->nq + j];
    for (int j = 0; !f->system->constants.directions && j < b->nq; j++)
      p->right[k] += s->gamma_q[p->rows[k] * b->nq + j] * dx[j];
  }
  solve_rows(f, count, p->rows, p->right, impulse);
  for (int j = 0; j < b->nu; j++) dx[b->nq + j] -= impulse[j];
}

picus_status picus_flow_project(flow *f, const mode_set *modes, double t, double *y) {
  projection p;
  picus_status status = begin_projection(f, &p);
  picus_flow_set_modes(f, modes);
  if (!status) status = picus_field_evaluate(&f->base, t, y);
  if (!status) status = picus_field_prepare(&f->base);
  if (!status) status = picus_evaluate_gap_jacobian(f->base.at, f->gap_q);
  for (int c = 0; !status && c < f->columns; c++)
    if (f->variant_of[c] < 0) project(f, modes, y + (size_t)(c + 1) * (size_t)f->n, false, &p);
  end_projection(f, &p);
  return status;
}

/* Gaps and velocities at a fixed state change with the parameter. */
static picus_status differentiate_laws(flow *f, const mode_set *modes, double t, const double *x, projection *p) {
  picus_status status = PICUS_OK;
  for (int i = 0; i < f->base.laws; i++) p->gap_p[i] = 0;
  for (int r = 0; r < f->base.rows; r++) p->gamma_p[r] = 0;
  if (f->variant_count == 0) return PICUS_OK;
  variants *v = &f->variants[0];
  picus_flow_set_modes(f, modes);
  for (int k = 0; !status && k < DIFFERENCE_POINTS; k++) {
    field *b = &v->fields[k];
    status = picus_field_evaluate(b, t, x);
    if (!status) status = picus_evaluate_gaps(b->at, b->gaps);
    for (int i = 0; i < b->laws; i++) p->gap_p[i] += v->weights[k] / v->h * b->gaps[i];
    for (int r = 0; r < b->rows; r++) p->gamma_p[r] += v->weights[k] / v->h * b->gamma[r];
  }
  return status;
}

/* The state until gaps and velocities of the closed laws are zero; f->base is evaluated there. */
static picus_status project_state(flow *f, const mode_set *modes, double t, double *x, projection *p) {
  field *b = &f->base;
  double *impulse = f->shift;
  picus_status status = PICUS_OK;
  for (int step = 0; !status && step < PROJECTIONS; step++) {
    status = picus_field_evaluate(b, t, x);
    if (!status) status = picus_evaluate_gaps(b->at, b->gaps);
    if (!status) status = picus_evaluate_rate_jacobian(b->at, b->slopes.rate_q, b->slopes.B);
    if (status) break;
    int count = list_closed(f, modes, p->rows, p->laws);
    for (int k = 0; k < count; k++) p->right[k] = b->gaps[p->laws[k]];
    solve_rows(f, count, p->rows, p->right, impulse);
    for (int i = 0; i < b->nq; i++)
      for (int j = 0; j < b->nu; j++) x[i] -= b->slopes.B[i * b->nu + j] * impulse[j];
    status = picus_field_evaluate(b, t, x);
    count = list_held(f, modes, p->rows);
    for (int k = 0; k < count; k++) p->right[k] = b->gamma[p->rows[k]];
    solve_rows(f, count, p->rows, p->right, impulse);
    for (int j = 0; j < b->nu; j++) x[b->nq + j] -= impulse[j];
  }
  return status ? status : picus_field_evaluate(b, t, x);
}

picus_status picus_flow_project_all(flow *f, const mode_set *modes, double t, int columns, double *y) {
  projection p;
  picus_status status = begin_projection(f, &p);
  picus_flow_set_modes(f, modes);
  if (!status) status = project_state(f, modes, t, y, &p);
  if (!status) status = picus_field_prepare(&f->base);
  if (!status) status = picus_evaluate_gap_jacobian(f->base.at, f->gap_q);
  if (!status) status = differentiate_laws(f, modes, t, y, &p);
  for (int c = 0; !status && c < f->columns; c++)
    if (c < columns || f->variant_of[c] >= 0)
      project(f, modes, y + (size_t)(c + 1) * (size_t)f->n, f->variant_of[c] >= 0, &p);
  end_projection(f, &p);
  return status;
}
