/* Derivatives of the start by the initial values, and their projection on constraints, closed and sticking contacts. */
#include "orbit/flow.h"

#include <string.h>

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

/* One tangent: dq along B M^-1 W until gaps of closed laws stay, then du along M^-1 W until their velocities do. */
static void project(flow *f, const mode_set *modes, double *dx, int *rows, double *right) {
  field *b = &f->base;
  const field_slopes *s = &b->slopes;
  double *impulse = f->shift;
  int count = 0;
  for (int i = 0; i < b->laws; i++) {
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    if (!law->has_gap || law->kind == PICUS_RESERVOIR) continue;
    if (law->kind != PICUS_BILATERAL && modes->modes[i] == PICUS_OPEN) continue;
    right[count] = 0;
    for (int j = 0; j < b->nq; j++) right[count] += f->gap_q[i * b->nq + j] * dx[j];
    rows[count++] = law->first_row;
  }
  solve_rows(f, count, rows, right, impulse);
  for (int i = 0; i < b->nq; i++)
    for (int j = 0; j < b->nu; j++) dx[i] -= s->B[i * b->nu + j] * impulse[j];
  project_quaternions(f, b->x, dx);
  picus_field_choose_rows(b, modes);
  count = b->held_count;
  memcpy(rows, b->held, (size_t)count * sizeof *rows);
  for (int k = 0; k < count; k++) {
    right[k] = 0;
    for (int j = 0; j < b->nu; j++) right[k] += b->W[rows[k] * b->nu + j] * dx[b->nq + j];
    for (int j = 0; !f->system->constants.directions && j < b->nq; j++)
      right[k] += s->gamma_q[rows[k] * b->nq + j] * dx[j];
  }
  solve_rows(f, count, rows, right, impulse);
  for (int j = 0; j < b->nu; j++) dx[b->nq + j] -= impulse[j];
}

picus_status picus_flow_project(flow *f, const flow_path *path, double *y) {
  const mode_set *modes = &path->sequence->phases[path->first].modes;
  int *rows = picus_allocate(f->context, (size_t)f->base.rows, sizeof *rows);
  double *right = picus_allocate(f->context, (size_t)f->base.rows, sizeof *right);
  f->size = path->sequence->size;
  picus_flow_set_modes(f, modes);
  picus_status status = rows && right ? picus_field_evaluate(&f->base, path->t, y) : PICUS_ERROR_MEMORY;
  if (!status) status = picus_field_prepare(&f->base);
  if (!status) status = picus_evaluate_gap_jacobian(f->base.at, f->gap_q);
  for (int c = 0; !status && c < f->columns; c++)
    if (f->variant_of[c] < 0) project(f, modes, y + (size_t)(c + 1) * (size_t)f->n, rows, right);
  picus_release(f->context, rows);
  picus_release(f->context, right);
  return status;
}
