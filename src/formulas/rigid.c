/* Rigid bodies in code instead of formulas. */
#include "formulas/rigid.h"

#include "base/internal.h"

#include <string.h>

/* --- creation ---------------------------------------------------------------------------------------------------- */

static picus_status allocate(picus_context *context, rigid_bodies *b, size_t axes, size_t rotations) {
  b->axes.q = picus_allocate(context, axes, sizeof(int));
  b->axes.u = picus_allocate(context, axes, sizeof(int));
  b->axes.inertia = picus_allocate(context, axes, sizeof(double));
  b->axes.weight = picus_allocate(context, axes, sizeof(double));
  b->rotations.q = picus_allocate(context, rotations, sizeof(int));
  b->rotations.u = picus_allocate(context, rotations, sizeof(int));
  b->rotations.J = picus_allocate(context, 9 * rotations, sizeof(double));
  b->rotations.gyroscopic = picus_allocate(context, rotations, sizeof(bool));
  bool all = b->axes.q && b->axes.u && b->axes.inertia && b->axes.weight && b->rotations.q && b->rotations.u &&
             b->rotations.J && b->rotations.gyroscopic;
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

void picus_rigid_release(picus_context *context, rigid_bodies *b) {
  void *const arrays[] = {
      b->axes.q,      b->axes.u,      b->axes.inertia,         b->axes.weight, b->axes.part_start,
      b->rotations.q, b->rotations.u, b->rotations.gyroscopic, b->rotations.J, b->rotations.part_start};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) picus_release(context, arrays[i]);
  *b = (rigid_bodies){0};
}

static void add_axis(rigid_axes *axes, int q, int u, double inertia, double weight) {
  const int k = axes->count++;
  axes->q[k] = q;
  axes->u[k] = u;
  axes->inertia[k] = inertia;
  axes->weight[k] = weight;
}

/* Symmetric, as formulas take it: the lower triangle counts. Of a multiple of the identity J omega x omega = 0. */
static void add_rotation(rigid_rotations *rotations, const picus_model_body *body) {
  const int k = rotations->count++;
  double *J = rotations->J + 9 * (size_t)k;
  rotations->q[k] = body->q0 + body->axes;
  rotations->u[k] = body->u0 + body->axes;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) J[3 * i + j] = body->inertia[3 * (i > j ? i : j) + (i > j ? j : i)];
  rotations->gyroscopic[k] = J[0] != J[4] || J[0] != J[8] || J[3] != 0 || J[6] != 0 || J[7] != 0;
}

static void add_body(rigid_bodies *b, const picus_model_body *body) {
  for (int i = 0; i < body->axes; i++)
    add_axis(&b->axes, body->q0 + i, body->u0 + i, body->mass, body->mass * body->gravity[i]);
  if (picus_model_body_is_spatial(body))
    add_rotation(&b->rotations, body);
  else if (body->nu > body->axes)
    add_axis(&b->axes, body->q0 + body->axes, body->u0 + body->axes, body->inertia[8], 0);
}

picus_status picus_rigid_create(const picus_model *model, const equations *eq, rigid_bodies *out) {
  size_t axes = 0, rotations = 0;
  *out = (rigid_bodies){0};
  for (int i = 0; i < model->body_count; i++) {
    if (!eq->native[i]) continue;
    const bool spatial = picus_model_body_is_spatial(&model->bodies[i]);
    axes += (size_t)model->bodies[i].nu - (spatial ? 3 : 0);
    rotations += spatial;
  }
  if (axes == 0) return PICUS_OK;
  picus_status status = allocate(model->context, out, axes, rotations);
  for (int i = 0; !status && i < model->body_count; i++)
    if (eq->native[i]) add_body(out, &model->bodies[i]);
  return status;
}

/* The first of the increasing velocities u of each part; NULL: out of memory. */
static int *find_starts(picus_context *context, const system_part *parts, int part_count, const int *u, int count) {
  int *start = picus_allocate(context, (size_t)part_count + 1, sizeof *start);
  for (int p = 0, k = 0; start && p <= part_count; p++) {
    while (k < count && (p == part_count || u[k] < parts[p].u0)) k++;
    start[p] = k;
  }
  return start;
}

picus_status picus_rigid_set_parts(picus_context *context, system_part *parts, int part_count, rigid_bodies *b) {
  if (!picus_rigid_any(b)) return PICUS_OK;
  b->axes.part_start = find_starts(context, parts, part_count, b->axes.u, b->axes.count);
  b->rotations.part_start = find_starts(context, parts, part_count, b->rotations.u, b->rotations.count);
  if (!b->axes.part_start || !b->rotations.part_start) return PICUS_ERROR_MEMORY;
  for (int p = 0; p < part_count; p++) {
    const int rotations = b->rotations.part_start[p + 1] - b->rotations.part_start[p];
    parts[p].linear_rates = rotations > 0 && parts[p].straight + 4 * rotations == parts[p].nq;
    parts[p].position_forces = parts[p].position_forces && !picus_rigid_part_turns(b, p);
  }
  return PICUS_OK;
}

/* --- evaluation -------------------------------------------------------------------------------------------------- */

void picus_rigid_rates(const rigid_bodies *b, const double *q, const double *u, double *q_dot) {
  for (int k = 0; k < b->rotations.count; k++) {
    const double *p = q + b->rotations.q[k], *w = u + b->rotations.u[k];
    double *rate = q_dot + b->rotations.q[k];
    rate[0] = -0.5 * (p[1] * w[0] + p[2] * w[1] + p[3] * w[2]);
    rate[1] = 0.5 * (p[0] * w[0] + (p[2] * w[2] - p[3] * w[1]));
    rate[2] = 0.5 * (p[0] * w[1] + (p[3] * w[0] - p[1] * w[2]));
    rate[3] = 0.5 * (p[0] * w[2] + (p[1] * w[1] - p[2] * w[0]));
  }
}

static void momentum(const double *J, const double *w, double *L) {
  for (int i = 0; i < 3; i++) L[i] = J[3 * i] * w[0] + J[3 * i + 1] * w[1] + J[3 * i + 2] * w[2];
}

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

void picus_rigid_add_torques(const rigid_bodies *b, const double *u, double *h) {
  for (int k = 0; k < b->rotations.count; k++) {
    if (!b->rotations.gyroscopic[k]) continue;
    const double *w = u + b->rotations.u[k];
    double *torque = h + b->rotations.u[k], L[3], turn[3];
    momentum(b->rotations.J + 9 * (size_t)k, w, L);
    cross(L, w, turn);
    for (int i = 0; i < 3; i++) torque[i] += turn[i];
  }
}

void picus_rigid_add_energy(const rigid_bodies *b, const double *q, const double *u, double *kinetic,
                            double *potential) {
  double T = 0, V = 0;
  for (int k = 0; k < b->axes.count; k++) {
    const double v = u[b->axes.u[k]];
    T += b->axes.inertia[k] * v * v;
    V -= b->axes.weight[k] * q[b->axes.q[k]];
  }
  for (int k = 0; k < b->rotations.count; k++) {
    const double *w = u + b->rotations.u[k];
    double L[3];
    momentum(b->rotations.J + 9 * (size_t)k, w, L);
    T += L[0] * w[0] + L[1] * w[1] + L[2] * w[2];
  }
  *kinetic += 0.5 * T;
  *potential += V;
}

/* --- of one part ------------------------------------------------------------------------------------------------- */

/* Adds a 3 x 3 matrix to one with so many columns. */
static void add_block(const double block[9], double *first, size_t columns) {
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) first[i * columns + j] += block[3 * i + j];
}

void picus_rigid_mass(const rigid_bodies *b, const system_part *part, int index, double *M) {
  const size_t nu = (size_t)part->nu;
  for (int k = b->axes.part_start[index]; k < b->axes.part_start[index + 1]; k++)
    M[(size_t)(b->axes.u[k] - part->u0) * (nu + 1)] = b->axes.inertia[k];
  for (int k = b->rotations.part_start[index]; k < b->rotations.part_start[index + 1]; k++) {
    double *first = M + (size_t)(b->rotations.u[k] - part->u0) * (nu + 1);
    for (size_t i = 0; i < 3; i++) memcpy(first + i * nu, b->rotations.J + 9 * (size_t)k + 3 * i, 3 * sizeof *first);
  }
}

/* d(J w x w)/dw: column j is J e_j x w + J w x e_j. */
static void gyroscopic_slope(const double *J, const double *w, double out[9]) {
  double L[3];
  momentum(J, w, L);
  for (int j = 0; j < 3; j++) {
    const double unit[3] = {j == 0, j == 1, j == 2}, column[3] = {J[j], J[3 + j], J[6 + j]};
    double by_momentum[3], by_spin[3];
    cross(column, w, by_momentum);
    cross(L, unit, by_spin);
    for (int i = 0; i < 3; i++) out[3 * i + j] = by_momentum[i] + by_spin[i];
  }
}

void picus_rigid_add_damping(const rigid_bodies *b, const system_part *part, int index, const double *u,
                             double *dh_du) {
  const size_t width = (size_t)part->u_width;
  for (int k = b->rotations.part_start[index]; k < b->rotations.part_start[index + 1]; k++) {
    if (!b->rotations.gyroscopic[k]) continue;
    const size_t first = (size_t)(b->rotations.u[k] - part->u0);
    double slope[9];
    gyroscopic_slope(b->rotations.J + 9 * (size_t)k, u + b->rotations.u[k], slope);
    add_block(slope, dh_du + first * (width + 1) + part->u_own, width);
  }
}

void picus_rigid_rate_slopes(const rigid_bodies *b, const system_part *part, int index, const source_point *point,
                             double *drate_dq, double *B) {
  const size_t nq = (size_t)part->nq, nu = (size_t)part->nu;
  for (int k = b->rotations.part_start[index]; k < b->rotations.part_start[index + 1]; k++) {
    const double *p = point->q + b->rotations.q[k], *w = point->u + b->rotations.u[k];
    const size_t row = (size_t)(b->rotations.q[k] - part->q0), column = (size_t)(b->rotations.u[k] - part->u0);
    const double by_p[4][4] = {
        {0, -w[0], -w[1], -w[2]}, {w[0], 0, w[2], -w[1]}, {w[1], -w[2], 0, w[0]}, {w[2], w[1], -w[0], 0}};
    const double by_w[4][3] = {{-p[1], -p[2], -p[3]}, {p[0], -p[3], p[2]}, {p[3], p[0], -p[1]}, {-p[2], p[1], p[0]}};
    for (size_t i = 0; i < 4; i++) {
      for (size_t j = 0; j < 4; j++) drate_dq[(row + i) * nq + row + j] = 0.5 * by_p[i][j];
      for (size_t j = 0; j < 3; j++) B[(row + i) * nu + column + j] = 0.5 * by_w[i][j];
    }
  }
}

bool picus_rigid_part_turns(const rigid_bodies *b, int index) {
  if (!picus_rigid_any(b)) return false;
  for (int k = b->rotations.part_start[index]; k < b->rotations.part_start[index + 1]; k++)
    if (b->rotations.gyroscopic[k]) return true;
  return false;
}
