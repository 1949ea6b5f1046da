/* What ends a smooth phase of the motion, and what happens there: impacts, events of the model. */
#include "flow/internal.h"

#include "contact/internal.h"
#include "model/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- triggers ----------------------------------------------------------------------------------------------------- */

static const picus_system_law *law_of(const field *f, const trigger *g) {
  return &f->system->fixed.laws[g->index].data;
}

static int first_slip(const picus_system_law *law) { return law->first_row + law->dim - law->slips; }

/* The reserve of friction that sticks; with the sign of the slip to come only the bound in its direction counts. */
static double reserve(const field *f, const trigger *g) {
  const picus_system_law *law = law_of(f, g);
  const double *force = f->lambda + first_slip(law);
  const double load = law->kind == PICUS_RESERVOIR ? 1 : f->lambda[law->first_row];
  const double radius = f->coefficients[g->index].radius * load;
  return radius - (law->slips == 1 ? -g->sign * force[0] : picus_length(law->slips, force));
}

static double side_value(field *f, const trigger *g) {
  picus_evaluate_switches(f->at, f->a, f->b);
  return g->sign * (f->a[g->index] - f->b[g->index]);
}

picus_status picus_trigger_value(field *f, const trigger *g, double *value) {
  picus_status status = PICUS_OK;
  switch (g->kind) {
  case TRIGGER_END:
  case TRIGGER_TIME:
    *value = g->t - f->t;
    break;
  case TRIGGER_GAP:
    status = picus_evaluate_gaps(f->at, f->gaps);
    *value = f->gaps[g->index];
    break;
  case TRIGGER_CLUTCH:
    *value = f->gamma[law_of(f, g)->first_row];
    break;
  case TRIGGER_OPENS:
    *value = f->lambda[law_of(f, g)->first_row];
    break;
  case TRIGGER_SLIPS:
    *value = reserve(f, g);
    break;
  case TRIGGER_STICKS:
    *value = g->sign * f->gamma[first_slip(law_of(f, g))];
    break;
  case TRIGGER_SIDE:
    *value = side_value(f, g);
    break;
  }
  return status;
}

/* --- impacts ------------------------------------------------------------------------------------------------------ */

/* Coefficients of restitution by row; friction elements have no percussion. */
static double restitution(const field *f, int index, int k) {
  const picus_system_law *law = &f->system->fixed.laws[index].data;
  const double normal = law->dim - law->slips;
  if (law->kind == PICUS_BILATERAL) return 0;
  return k < normal ? f->coefficients[index].eN : f->coefficients[index].eF;
}

static bool strikes(const field *f, const mode_set *modes, int index) {
  const picus_system_law *law = &f->system->fixed.laws[index].data;
  return law->kind != PICUS_RESERVOIR && (law->kind == PICUS_BILATERAL || modes->modes[index] != PICUS_OPEN);
}

/* The contact problem of an impact: xi = G P + c with c = gamma + e gamma. */
typedef struct impact_problem {
  picus_law *laws;
  int *index; /* of each law in the system */
  int count, size;
  double *G, *c, *P;
  picus_mode *modes;
} impact_problem;

static void release(picus_context *context, impact_problem *p) {
  picus_release(context, p->laws);
  picus_release(context, p->index);
  picus_release(context, p->modes);
  picus_release(context, p->G);
}

/* M^-1 of the row of W is put into solved. */
static void fill_problem(field *f, const mode_set *modes, impact_problem *p) {
  const size_t nu = (size_t)f->nu;
  int *rows = f->held;
  for (int i = 0; i < f->laws; i++) {
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    if (!strikes(f, modes, i)) continue;
    p->index[p->count] = i;
    p->laws[p->count++] = (picus_law){law->kind, law->dim, f->coefficients[i].radius};
    for (int k = 0; k < law->dim; k++) {
      const int row = law->first_row + k;
      memcpy(f->solved + (size_t)p->size * nu, f->W + (size_t)row * nu, nu * sizeof(double));
      picus_evaluation_solve_mass(f->at, f->solved + (size_t)p->size * nu);
      p->c[p->size] = (1 + restitution(f, i, k)) * f->gamma[row];
      rows[p->size++] = row;
    }
  }
  for (int i = 0; i < p->size; i++)
    for (int k = 0; k < p->size; k++) {
      double sum = 0;
      for (int j = 0; j < f->nu; j++)
        sum += f->W[(size_t)rows[i] * nu + (size_t)j] * f->solved[(size_t)k * nu + (size_t)j];
      p->G[i * p->size + k] = sum;
    }
}

static picus_status solve_problem(picus_context *context, impact_problem *p) {
  const picus_solver_options options = picus_default_solver_options();
  const picus_contact_problem problem = {.law_count = p->count, .laws = p->laws, .size = p->size, .G = p->G, .c = p->c};
  picus_solver *solver = NULL;
  picus_solve_info info;
  picus_status status = picus_solver_create(context, &options, &solver);
  if (!status) status = picus_solver_solve(solver, &problem, p->P, p->modes, &info);
  picus_solver_destroy(solver);
  return status;
}

/* The modes in the impact, with the signs of planar slip behind it: xi = gamma+ + e gamma-. */
static picus_status note_modes(field *f, const impact_problem *p, mode_set *modes) {
  for (int k = 0, row = 0; k < p->count; row += p->laws[k++].dim) {
    const int index = p->index[k], slips = f->system->fixed.laws[index].data.slips;
    modes->modes[index] = p->modes[k];
    if (p->modes[k] != PICUS_SLIP || slips == 0) continue;
    if (slips > 1 && f->coefficients[index].radius > 0)
      return picus_fail(f->context, PICUS_ERROR_UNSUPPORTED,
                        "contact '%s' slips in space in an impact at t = %.9g; derivatives of such impacts are not "
                        "available",
                        f->system->fixed.laws[index].data.name, f->t);
    const int at = row + p->laws[k].dim - slips;
    double xi = p->c[at];
    for (int j = 0; j < p->size; j++) xi += p->G[at * p->size + j] * p->P[j];
    modes->signs[index] = xi > 0 ? 1 : -1;
  }
  return PICUS_OK;
}

static picus_status find_modes(field *f, mode_set *modes) {
  impact_problem p = {0};
  const size_t laws = (size_t)f->laws, rows = (size_t)f->rows;
  p.laws = picus_allocate(f->context, laws, sizeof *p.laws);
  p.index = picus_allocate(f->context, laws, sizeof *p.index);
  p.modes = picus_allocate(f->context, laws, sizeof *p.modes);
  p.G = picus_allocate(f->context, rows * (rows + 2), sizeof *p.G);
  picus_status status = p.laws && p.index && p.modes && p.G ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    p.c = p.G + rows * rows;
    p.P = p.c + rows;
    fill_problem(f, modes, &p);
    status = solve_problem(f->context, &p);
  }
  if (!status) status = note_modes(f, &p, modes);
  release(f->context, &p);
  return status;
}

/* Coefficients at the slip before the impact. */
static picus_status find_coefficients(field *f) {
  if (!f->system->varies) return PICUS_OK;
  for (int i = 0; i < f->laws; i++) {
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    f->speeds[i] = picus_length(law->slips, f->gamma + first_slip(law));
  }
  return picus_evaluate_coefficients(f->at, f->speeds, f->coefficients);
}

/* Values of the field at the state before. */
static picus_status set_impact_point(field *f, double t, const double *x) {
  const double *u = f->x + f->nq;
  f->t = t;
  if (x != f->x) memcpy(f->x, x, (size_t)f->n * sizeof *x);
  picus_evaluation_set_point(f->at, t, f->x, u);
  picus_status status = picus_evaluation_factor_mass(f->at);
  if (!status) status = picus_evaluate_directions(f->at, f->W, f->chi);
  for (int r = 0; !status && r < f->rows; r++) {
    f->gamma[r] = f->chi[r];
    for (int j = 0; j < f->nu; j++) f->gamma[r] += f->W[(size_t)r * (size_t)f->nu + (size_t)j] * u[j];
  }
  return status ? status : find_coefficients(f);
}

/* In an impact friction elements, which have no percussion, are open. */
picus_status picus_jump_impact(field *f, double t, const double *x, mode_set *modes, bool find, double *x_after) {
  picus_status status = set_impact_point(f, t, x);
  for (int i = 0; i < f->laws; i++)
    if (f->system->fixed.laws[i].data.kind == PICUS_RESERVOIR) modes->modes[i] = PICUS_OPEN;
  if (!status && find) status = find_modes(f, modes);
  if (status) return status;
  picus_field_choose_rows(f, modes);
  memset(f->lambda, 0, (size_t)f->rows * sizeof *f->lambda);
  if (x_after != f->x) memcpy(x_after, f->x, (size_t)f->n * sizeof *x);
  for (int i = 0; i < f->laws; i++)
    for (int k = 0; k < f->system->fixed.laws[i].data.dim; k++)
      f->terms[f->system->fixed.laws[i].data.first_row + k] = restitution(f, i, k);
  for (int k = 0; k < f->held_count; k++) f->rhs[k] = -(1 + f->terms[f->held[k]]) * f->gamma[f->held[k]];
  picus_field_solve_held(f, f->rhs);
  for (int k = 0; k < f->held_count; k++) {
    f->lambda[f->held[k]] = f->rhs[k];
    for (int j = 0; j < f->nu; j++) x_after[f->nq + j] += f->rhs[k] * f->solved[k * f->nu + j];
  }
  for (int i = 0; i < f->laws; i++) { /* friction that follows from normal percussions */
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    if (law->kind != PICUS_COULOMB || modes->modes[i] != PICUS_SLIP || law->slips != 1) continue;
    f->lambda[first_slip(law)] = -f->coefficients[i].radius * modes->signs[i] * f->lambda[law->first_row];
  }
  return PICUS_OK;
}

/* After picus_jump_impact at the same point: d(W P - M (u+ - u-))/dq into force_q, d(xi)/dq into acceleration_q. */
picus_status picus_jump_impact_prepare(field *f, const double *x, const double *x_after) {
  field_slopes *s = &f->slopes;
  const size_t force = (size_t)f->nu * (size_t)f->nq, rows = (size_t)f->rows * (size_t)f->nq;
  double *jump = f->ahead;
  for (int j = 0; j < f->nu; j++) jump[j] = x_after[f->nq + j] - x[f->nq + j];
  memset(s->force_q, 0, force * sizeof(double));
  memset(s->acceleration_q, 0, rows * sizeof(double));
  picus_status status = PICUS_OK;
  if (!f->system->constants.mass) {
    status = picus_evaluate_mass_jacobian(f->at, jump, s->mass_q);
    for (size_t i = 0; !status && i < force; i++) s->force_q[i] -= s->mass_q[i];
  }
  if (!status && !f->system->constants.directions) {
    status = picus_evaluate_direction_jacobian(f->at, f->lambda, s->scratch_q);
    for (size_t i = 0; !status && i < force; i++) s->force_q[i] += s->scratch_q[i];
    if (!status) status = picus_evaluate_velocity_jacobian(f->at, s->gamma_q);
    picus_evaluation_set_velocity(f->at, x_after + f->nq);
    if (!status) status = picus_evaluate_velocity_jacobian(f->at, s->acceleration_q);
    picus_evaluation_set_velocity(f->at, f->x + f->nq);
    for (size_t i = 0; !status && i < rows; i++) s->acceleration_q[i] += f->terms[i / (size_t)f->nq] * s->gamma_q[i];
  }
  return status;
}

/* After prepare: dx becomes the change behind the impact. f->terms has the coefficients of restitution. */
void picus_jump_impact_tangent(field *f, double *dx) {
  const field_slopes *s = &f->slopes;
  double *r = f->h, *du = dx + f->nq;
  for (int i = 0; i < f->nu; i++) {
    r[i] = 0;
    for (int j = 0; j < f->nq; j++) r[i] += s->force_q[i * f->nq + j] * dx[j];
  }
  picus_evaluation_solve_mass(f->at, r);
  for (int k = 0; k < f->held_count; k++) {
    const int row = f->held[k];
    double sum = 0;
    for (int j = 0; j < f->nq; j++) sum += s->acceleration_q[row * f->nq + j] * dx[j];
    for (int j = 0; j < f->nu; j++) sum += f->W[row * f->nu + j] * ((1 + f->terms[row]) * du[j] + r[j]);
    f->rhs[k] = -sum;
  }
  picus_field_solve_held(f, f->rhs);
  for (int j = 0; j < f->nu; j++) {
    du[j] += r[j];
    for (int k = 0; k < f->held_count; k++) du[j] += f->rhs[k] * f->solved[k * f->nu + j];
  }
}

/* --- events of the model ------------------------------------------------------------------------------------------ */

picus_status picus_jump_event(field *f, int event, double t, const double *x, double *x_after) {
  const system_controls *c = f->system->controls;
  const system_event *e = &c->events[event];
  memmove(f->ahead, x, (size_t)f->n * sizeof *x);
  picus_evaluation_set_point(f->at, t, f->ahead, f->ahead + f->nq);
  picus_evaluate_actions(f->at, f->actions);
  memcpy(x_after, f->ahead, (size_t)f->n * sizeof *x);
  for (int i = e->first_setting; i < e->first_setting + e->setting_count; i++) {
    const system_setting *to = &c->settings[i];
    const double value = f->actions[to->action];
    if (!isfinite(value))
      return picus_fail(f->context, PICUS_ERROR_NUMBER, "a value that is set by event '%s' is %g at t = %.9g", e->name,
                        value, t);
    if (to->kind == SETTING_COORDINATE) x_after[to->index] = value;
    if (to->kind == SETTING_VELOCITY) x_after[f->nq + to->index] = value;
  }
  return PICUS_OK;
}
