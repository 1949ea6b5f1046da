/* The smooth motion in a set of modes, as x' = f(t, x) with x = (q, u), and its linearization.
 *
 *   M a = h + W lambda ,   W_i^T a + kappa_i = 0 in the rows i that hold ,   lambda given in the others ,
 *
 * with gamma' = W^T a + kappa. Friction that slips has lambda = -mu lambda_N d with the direction d of slip, so that
 * the direction of the force of a normal row contains its friction. A tangent (dq, du) obeys, with lambda and a fixed
 * in the first brackets,
 *
 *   M da = [d(h + W lambda - M a)] + W dlambda ,   W_i^T da + [d(W^T a) + dkappa]_i = 0 .
 *
 * These derivatives are the Jacobians of the equations, but for those of kappa, which are second derivatives of
 * velocities, and of coefficients of friction: differences of order six of exact values. */
#include "flow/internal.h"

#include "contact/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

const double picus_difference_places[DIFFERENCE_POINTS] = {1, 2, 3, -1, -2, -3};
const double picus_difference_weights[DIFFERENCE_POINTS] = {45. / 60, -9. / 60, 1. / 60, -45. / 60, 9. / 60, -1. / 60};
const double picus_forward_places[DIFFERENCE_POINTS] = {0, 1, 2, 3, 4, 5};
const double picus_forward_weights[DIFFERENCE_POINTS] = {-137. / 60, 5, -5, 10. / 3, -1.25, 0.2};

#define REDUNDANT 1e-11 /* rows whose accelerations depend on each other to this share do not determine forces */

/* --- creation ----------------------------------------------------------------------------------------------------- */

picus_status picus_mode_set_create(picus_context *context, const picus_system *system, mode_set *out) {
  const size_t laws = (size_t)system->fixed.law_count;
  out->modes = picus_allocate(context, laws, sizeof *out->modes);
  out->signs = picus_allocate(context, laws, sizeof *out->signs);
  out->sides = picus_allocate(context, (size_t)system->switch_count, sizeof *out->sides);
  return out->modes && out->signs && out->sides ? PICUS_OK : PICUS_ERROR_MEMORY;
}

void picus_mode_set_release(picus_context *context, mode_set *m) {
  picus_release(context, m->modes);
  picus_release(context, m->signs);
  picus_release(context, m->sides);
  *m = (mode_set){0};
}

void picus_mode_set_copy(const picus_system *system, const mode_set *from, mode_set *to) {
  const size_t laws = (size_t)system->fixed.law_count;
  memcpy(to->modes, from->modes, laws * sizeof *to->modes);
  memcpy(to->signs, from->signs, laws * sizeof *to->signs);
  memcpy(to->sides, from->sides, (size_t)system->switch_count * sizeof *to->sides);
}

bool picus_mode_set_equals(const picus_system *system, const mode_set *a, const mode_set *b) {
  for (int i = 0; i < system->fixed.law_count; i++)
    if (a->modes[i] != b->modes[i] || (a->modes[i] == PICUS_SLIP && a->signs[i] != b->signs[i])) return false;
  return true;
}

int picus_law_of_row(const picus_system *system, int row) {
  int i = 0;
  while (system->fixed.laws[i].data.first_row + system->fixed.laws[i].data.dim <= row) i++;
  return i;
}

typedef struct field_array {
  double **place;
  size_t count;
} field_array;

/* Arrays of the field and its slopes, by their numbers. */
static picus_status allocate(field *f) {
  const size_t n = (size_t)f->n, nq = (size_t)f->nq, nu = (size_t)f->nu, rows = (size_t)f->rows, laws = (size_t)f->laws;
  const size_t switches = (size_t)f->system->switch_count;
  const size_t actions = f->system->controls ? (size_t)f->system->controls->action_count : 0;
  field_slopes *s = &f->slopes;
  const field_array arrays[] = {
      {&f->x, n},
      {&f->rate, n},
      {&f->W, rows * nu},
      {&f->chi, rows},
      {&f->gamma, rows},
      {&f->kappa, rows},
      {&f->lambda, rows},
      {&f->columns, rows * nu},
      {&f->solved, rows * nu},
      {&f->G.A, rows * rows},
      {&f->rhs, rows},
      {&f->work, rows + n},
      {&f->h, nu},
      {&f->speeds, laws},
      {&f->ahead, n},
      {&f->terms, rows},
      {&f->radii, laws},
      {&f->gaps, laws},
      {&f->a, switches},
      {&f->b, switches},
      {&f->actions, actions},
      {&s->M_inverse, nu * nu},
      {&s->force_q, nu * nq},
      {&s->force_u, nu * nu},
      {&s->rate_q, nq * nq},
      {&s->B, nq * nu},
      {&s->gamma_q, rows * nq},
      {&s->acceleration_q, rows * nq},
      {&s->mass_q, nu * nq},
      {&s->scratch_q, (rows > nu ? rows : nu) * nq},
  };
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    if (!(*arrays[k].place = picus_allocate(f->context, arrays[k].count, sizeof(double)))) return PICUS_ERROR_MEMORY;
  f->held = picus_allocate(f->context, rows, sizeof *f->held);
  f->G.row = picus_allocate(f->context, rows, sizeof *f->G.row);
  f->G.column = picus_allocate(f->context, rows, sizeof *f->G.column);
  f->coefficients = picus_allocate(f->context, laws, sizeof *f->coefficients);
  f->elsewhere = picus_allocate(f->context, laws, sizeof *f->elsewhere);
  return f->held && f->G.row && f->G.column && f->coefficients && f->elsewhere ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_field_create(picus_context *context, const picus_system *system, field *out) {
  *out = (field){.context = context,
                 .system = system,
                 .nq = system->nq,
                 .nu = system->nu,
                 .n = system->nq + system->nu,
                 .laws = system->fixed.law_count,
                 .rows = system->fixed.row_count};
  picus_status status = allocate(out);
  if (!status) status = picus_evaluation_create(context, system, &out->at);
  if (!status) status = picus_evaluation_create(context, system, &out->aside);
  if (!status) picus_evaluation_follow(out->at, out->aside);
  for (int i = 0; !status && i < out->laws; i++)
    out->coefficients[i] = picus_law_constants(&system->fixed.laws[i].data);
  return status;
}

void picus_field_release(field *f) {
  field_slopes *s = &f->slopes;
  void *const blocks[] = {f->x,         f->rate,      f->W,
                          f->chi,       f->gamma,     f->kappa,
                          f->lambda,    f->columns,   f->solved,
                          f->G.A,       f->rhs,       f->work,
                          f->h,         f->speeds,    f->ahead,
                          f->terms,     f->radii,     f->gaps,
                          f->a,         f->b,         s->M_inverse,
                          s->force_q,   s->force_u,   s->rate_q,
                          s->B,         s->gamma_q,   s->acceleration_q,
                          s->mass_q,    s->scratch_q, f->held,
                          f->G.row,     f->G.column,  f->coefficients,
                          f->elsewhere, f->actions};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) picus_release(f->context, blocks[k]);
  picus_evaluation_destroy(f->aside);
  picus_evaluation_destroy(f->at);
  *f = (field){0};
}

void picus_field_set_modes(field *f, const mode_set *modes) {
  f->modes = modes;
  if (f->system->has_sides) picus_evaluation_hold(f->at, modes->sides);
}

/* --- rows that hold ----------------------------------------------------------------------------------------------- */

static int first_slip(const picus_system_law *law) { return law->first_row + law->dim - law->slips; }

static bool slips(const field *f, const mode_set *modes, int law) {
  return modes->modes[law] == PICUS_SLIP && f->system->fixed.laws[law].data.slips > 0;
}

/* Component k of the direction of slip. */
static double slip_direction(const field *f, const mode_set *modes, const picus_system_law *law, int index, int k) {
  if (law->slips == 1) return modes->signs[index];
  const double *gamma = f->gamma + first_slip(law);
  double square = 0;
  for (int i = 0; i < law->slips; i++) square += gamma[i] * gamma[i];
  return gamma[k] / sqrt(square);
}

/* The radius of a law that slips, at a speed of 0 or, beyond the end of its slip, below. Static friction counts at 0 if
 * it differs from that of the slowest slip: then the radius continues from there. */
static picus_status continue_slip(field *f, int index, double speed) {
  law_coefficients *all = f->elsewhere;
  memcpy(all, f->coefficients, (size_t)f->laws * sizeof *all);
  f->speeds[index] = 0;
  picus_status status = picus_evaluate_coefficients(f->at, f->speeds, all);
  const double at_rest = all[index].radius;
  f->speeds[index] = DBL_MIN;
  if (!status) status = picus_evaluate_coefficients(f->at, f->speeds, all);
  if (status || all[index].radius == at_rest) {
    f->speeds[index] = speed;
    return status;
  }
  f->coefficients[index] = all[index];
  f->coefficients[index].radius += all[index].slope * speed;
  return status;
}

picus_status picus_field_coefficients(field *f, const mode_set *modes) {
  if (!f->system->varies) return PICUS_OK;
  picus_status status = PICUS_OK;
  for (int i = 0; i < f->laws; i++) {
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    double speed = 0;
    for (int k = 0; slips(f, modes, i) && k < law->slips; k++)
      speed += slip_direction(f, modes, law, i, k) * f->gamma[first_slip(law) + k];
    f->speeds[i] = speed;
  }
  status = picus_evaluate_coefficients(f->at, f->speeds, f->coefficients);
  for (int i = 0; !status && i < f->laws; i++)
    if (f->speeds[i] <= 0 && slips(f, modes, i) && f->system->fixed.laws[i].data.varies)
      status = continue_slip(f, i, f->speeds[i]);
  return status;
}

static void add_row(field *f, int row) {
  const size_t nu = (size_t)f->nu;
  memcpy(f->columns + (size_t)f->held_count * nu, f->W + (size_t)row * nu, nu * sizeof(double));
  f->held[f->held_count++] = row;
}

/* The normal row of a contact that slips: its force brings friction along. */
static void add_friction(field *f, const mode_set *modes, const picus_system_law *law, int index) {
  double *column = f->columns + (size_t)(f->held_count - 1) * (size_t)f->nu;
  for (int k = 0; k < law->slips; k++) {
    const double share = f->coefficients[index].radius * slip_direction(f, modes, law, index, k);
    const double *W = f->W + (size_t)(first_slip(law) + k) * (size_t)f->nu;
    for (int j = 0; j < f->nu; j++) column[j] -= share * W[j];
  }
}

static void choose_law(field *f, const mode_set *modes, int index) {
  const picus_system_law *law = &f->system->fixed.laws[index].data;
  const picus_mode mode = law->kind == PICUS_BILATERAL ? PICUS_STICK : modes->modes[index];
  if (mode == PICUS_OPEN) return;
  if (law->kind != PICUS_RESERVOIR) add_row(f, law->first_row);
  if (law->kind == PICUS_COULOMB && mode == PICUS_SLIP) add_friction(f, modes, law, index);
  for (int k = 0; mode == PICUS_STICK && k < law->slips; k++) add_row(f, first_slip(law) + k);
}

static double dot(int count, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

void picus_field_choose_rows(field *f, const mode_set *modes) {
  const size_t nu = (size_t)f->nu;
  f->held_count = 0;
  for (int i = 0; i < f->laws; i++) choose_law(f, modes, i);
  memcpy(f->solved, f->columns, (size_t)f->held_count * nu * sizeof(double));
  for (int k = 0; k < f->held_count; k++) picus_evaluation_solve_mass(f->at, f->solved + (size_t)k * nu);
  for (int i = 0; i < f->held_count; i++)
    for (int k = 0; k < f->held_count; k++)
      f->G.A[i * f->held_count + k] = dot(f->nu, f->W + (size_t)f->held[i] * nu, f->solved + (size_t)k * nu);
  picus_pivoted_factor(&f->G, f->held_count, REDUNDANT);
}

void picus_field_solve_held(field *f, double *s) { picus_pivoted_solve(&f->G, s, f->work); }

/* --- the field ---------------------------------------------------------------------------------------------------- */

/* Friction elements that slip have a given force. */
static void add_given_forces(field *f) {
  for (int i = 0; i < f->laws; i++) {
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    if (law->kind != PICUS_RESERVOIR || !slips(f, f->modes, i)) continue;
    for (int k = 0; k < law->slips; k++) {
      const int row = first_slip(law) + k;
      f->lambda[row] = -f->coefficients[i].radius * slip_direction(f, f->modes, law, i, k);
      for (int j = 0; j < f->nu; j++) f->h[j] += f->W[(size_t)row * (size_t)f->nu + (size_t)j] * f->lambda[row];
    }
  }
}

/* The forces of friction that follow from normal forces. */
static void note_friction(field *f) {
  for (int i = 0; i < f->laws; i++) {
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    if (law->kind != PICUS_COULOMB || !slips(f, f->modes, i)) continue;
    for (int k = 0; k < law->slips; k++)
      f->lambda[first_slip(law) + k] =
          -f->coefficients[i].radius * slip_direction(f, f->modes, law, i, k) * f->lambda[law->first_row];
  }
}

static picus_status evaluate_laws(field *f) {
  const double *u = f->x + f->nq;
  picus_status status = picus_evaluate_directions(f->at, f->W, f->chi);
  for (int r = 0; r < f->rows; r++) f->gamma[r] = f->chi[r] + dot(f->nu, f->W + (size_t)r * (size_t)f->nu, u);
  if (!status && !f->system->constants.directions) status = picus_evaluate_acceleration_terms(f->at, f->kappa);
  if (!status) status = picus_field_coefficients(f, f->modes);
  return status;
}

picus_status picus_field_evaluate(field *f, double t, const double *x) {
  f->t = t;
  if (x != f->x) memcpy(f->x, x, (size_t)f->n * sizeof *x);
  double *a = f->rate + f->nq;
  picus_evaluation_set_point(f->at, t, f->x, f->x + f->nq);
  picus_status status = picus_evaluate_rate(f->at, f->rate);
  if (!status) status = picus_evaluate_force(f->at, f->h);
  if (!status) status = picus_evaluation_factor_mass(f->at);
  if (!status && f->rows > 0) status = evaluate_laws(f);
  if (status) return status;
  memset(f->lambda, 0, (size_t)f->rows * sizeof *f->lambda);
  picus_field_choose_rows(f, f->modes);
  add_given_forces(f);
  memcpy(a, f->h, (size_t)f->nu * sizeof *a);
  picus_evaluation_solve_mass(f->at, a);
  for (int k = 0; k < f->held_count; k++)
    f->rhs[k] = -f->kappa[f->held[k]] - dot(f->nu, f->W + (size_t)f->held[k] * (size_t)f->nu, a);
  picus_field_solve_held(f, f->rhs);
  for (int k = 0; k < f->held_count; k++) {
    f->lambda[f->held[k]] = f->rhs[k];
    for (int j = 0; j < f->nu; j++) a[j] += f->rhs[k] * f->solved[k * f->nu + j];
  }
  note_friction(f);
  return status;
}

/* --- the linearization -------------------------------------------------------------------------------------------- */

/* d(W^T v)/dq: that of the relative velocities at v less that at rest. */
static picus_status prepare_accelerations(field *f) {
  const size_t count = (size_t)f->rows * (size_t)f->nq;
  field_slopes *s = &f->slopes;
  memset(f->ahead, 0, (size_t)f->nu * sizeof *f->ahead);
  picus_evaluation_set_velocity(f->at, f->rate + f->nq);
  picus_status status = picus_evaluate_velocity_jacobian(f->at, s->acceleration_q);
  picus_evaluation_set_velocity(f->at, f->ahead);
  if (!status) status = picus_evaluate_velocity_jacobian(f->at, s->scratch_q);
  for (size_t i = 0; !status && i < count; i++) s->acceleration_q[i] -= s->scratch_q[i];
  picus_evaluation_set_velocity(f->at, f->x + f->nq);
  return status;
}

picus_status picus_field_prepare(field *f) {
  const size_t count = (size_t)f->nu * (size_t)f->nq;
  field_slopes *s = &f->slopes;
  picus_status status = picus_evaluate_force_jacobian(f->at, s->force_q, s->force_u);
  if (!status) status = picus_evaluate_rate_jacobian(f->at, s->rate_q, s->B);
  if (!status && !f->system->constants.mass) {
    status = picus_evaluate_mass_jacobian(f->at, f->rate + f->nq, s->mass_q);
    for (size_t i = 0; !status && i < count; i++) s->force_q[i] -= s->mass_q[i];
  }
  if (!status && f->rows > 0 && !f->system->constants.directions) {
    status = picus_evaluate_direction_jacobian(f->at, f->lambda, s->scratch_q);
    for (size_t i = 0; !status && i < count; i++) s->force_q[i] += s->scratch_q[i];
    if (!status) status = picus_evaluate_velocity_jacobian(f->at, s->gamma_q);
    if (!status) status = prepare_accelerations(f);
  }
  if (status) return status;
  memset(s->M_inverse, 0, (size_t)f->nu * (size_t)f->nu * sizeof(double));
  for (int i = 0; i < f->nu; i++) {
    s->M_inverse[i * f->nu + i] = 1;
    picus_evaluation_solve_mass(f->at, s->M_inverse + (size_t)i * (size_t)f->nu);
  }
  return PICUS_OK;
}

/* d kappa, and the change of radii with the point at fixed slip, along dx. */
static picus_status differentiate_aside(field *f, const double *size, const double *dx, double *kappa, double *radii) {
  const bool turns = !f->system->constants.directions;
  double largest = 0;
  memset(kappa, 0, (size_t)f->rows * sizeof *kappa);
  memset(radii, 0, (size_t)f->laws * sizeof *radii);
  for (int i = 0; i < f->n; i++) largest = fmax(largest, fabs(dx[i]) / size[i]);
  if (f->rows == 0 || largest == 0 || (!turns && !f->system->varies)) return PICUS_OK;
  const double h = PICUS_DIFFERENCE / largest;
  picus_status status = PICUS_OK;
  for (int p = 0; !status && p < DIFFERENCE_POINTS; p++) {
    for (int i = 0; i < f->n; i++) f->ahead[i] = f->x[i] + picus_difference_places[p] * h * dx[i];
    picus_evaluation_set_point(f->aside, f->t, f->ahead, f->ahead + f->nq);
    if (turns) status = picus_evaluate_acceleration_terms(f->aside, f->terms);
    for (int r = 0; turns && r < f->rows; r++) kappa[r] += picus_difference_weights[p] / h * f->terms[r];
    if (status || !f->system->varies) continue;
    memcpy(f->elsewhere, f->coefficients, (size_t)f->laws * sizeof *f->elsewhere);
    status = picus_evaluate_coefficients(f->aside, f->speeds, f->elsewhere);
    for (int i = 0; i < f->laws; i++) radii[i] += picus_difference_weights[p] / h * f->elsewhere[i].radius;
  }
  return status;
}

/* dgamma of a friction row. */
static double slip_change(const field *f, int row, const double *dx) {
  double sum = dot(f->nu, f->W + (size_t)row * (size_t)f->nu, dx + f->nq);
  if (!f->system->constants.directions) sum += dot(f->nq, f->slopes.gamma_q + (size_t)row * (size_t)f->nq, dx);
  return sum;
}

/* The force of sliding friction changes with its coefficient and, in space, with its direction: its part at a fixed
 * normal force, into r (nu). */
static void add_friction_change(field *f, const picus_system_law *law, int index, const double *dx, double *r) {
  const bool is_bounded = law->kind == PICUS_RESERVOIR;
  const double load = is_bounded ? 1 : f->lambda[law->first_row], radius = f->coefficients[index].radius;
  const double speed = picus_length(law->slips, f->gamma + first_slip(law));
  double change[3] = {0}, along = 0;
  for (int k = 0; k < law->slips; k++) {
    change[k] = slip_change(f, first_slip(law) + k, dx);
    along += change[k] * slip_direction(f, f->modes, law, index, k);
  }
  const double by_radius = f->radii[index] + f->coefficients[index].slope * along;
  for (int k = 0; k < law->slips; k++) {
    const double d = slip_direction(f, f->modes, law, index, k);
    const double turn = law->slips > 1 ? radius * (change[k] - along * d) / speed : 0;
    const double *W = f->W + (size_t)(first_slip(law) + k) * (size_t)f->nu;
    for (int j = 0; j < f->nu; j++) r[j] -= W[j] * load * ((law->varies ? by_radius * d : 0) + turn);
  }
}

static void multiply(int rows, int columns, const double *A, const double *x, double *y) {
  for (int i = 0; i < rows; i++) y[i] = dot(columns, A + (size_t)i * (size_t)columns, x);
}

picus_status picus_field_tangent(field *f, const double *size, const double *dx, double *dx_rate) {
  const field_slopes *s = &f->slopes;
  const int nq = f->nq, nu = f->nu;
  const double *dq = dx, *du = dx + nq;
  double *da = dx_rate + nq, *r = f->h; /* h of the field is not needed any more */
  picus_status status = differentiate_aside(f, size, dx, f->rhs, f->radii);
  for (int i = 0; i < nq; i++) dx_rate[i] = dot(nq, s->rate_q + i * nq, dq) + dot(nu, s->B + i * nu, du);
  for (int i = 0; i < nu; i++) r[i] = dot(nq, s->force_q + i * nq, dq) + dot(nu, s->force_u + i * nu, du);
  for (int i = 0; i < f->laws; i++)
    if (slips(f, f->modes, i)) add_friction_change(f, &f->system->fixed.laws[i].data, i, dx, r);
  multiply(nu, nu, s->M_inverse, r, da);
  for (int k = 0; k < f->held_count; k++) {
    const size_t row = (size_t)f->held[k];
    double sum = f->rhs[row] + dot(nu, f->W + row * (size_t)nu, da);
    if (!f->system->constants.directions) sum += dot(nq, s->acceleration_q + row * (size_t)nq, dq);
    f->terms[k] = -sum;
  }
  picus_field_solve_held(f, f->terms);
  for (int k = 0; k < f->held_count; k++)
    for (int j = 0; j < nu; j++) da[j] += f->terms[k] * f->solved[k * nu + j];
  return status;
}
