/* Derivatives at a switching point, where a phase ends at the zero of a trigger. With the reset R, the rates f- and f+
 * before and after, and the gradient n of the trigger e,
 *
 *   dt = -(n^T dx + e_p dp) / e' ,   dx+ = DR (dx + f- dt) + R_t dt + R_p dp - f+ dt
 *
 * (saltation: Aizerman and Gantmacher 1958; Leine and Nijmeijer 2004, section 7). e' is the derivative of e along the
 * motion before. */
#include "flow/conditions.h"

#include "system/switches.h"

#include <math.h>
#include <string.h>

#define GRAZING 1e-9 /* of the terms of a relative velocity: it is zero */

static double largest_share(const flow *f, const double *dx) {
  double largest = 0;
  for (int i = 0; i < f->n; i++) largest = fmax(largest, fabs(dx[i]) / f->size[i]);
  return largest;
}

/* A direction in time and state at a switching point; dx NULL: in time only. time: s, in which the state changes. */
typedef struct direction {
  double t, dt, time;
  const double *dx;
} direction;

/* The state at the share s of the way; the share that is small enough for differences. */
static double find_way(const flow *f, const direction *d) {
  return fmax(d->dx ? largest_share(f, d->dx) : 0, fabs(d->dt) / d->time);
}
static void go_along(flow *f, const direction *d, double s) {
  for (int i = 0; i < f->n; i++) f->shift[i] = f->x_before[i] + (d->dx ? s * d->dx[i] : 0);
}

/* The derivative of a trigger along a direction, by differences. */
static picus_status differentiate_trigger(flow *f, const trigger *g, const direction *d, double *out) {
  const double way = find_way(f, d);
  picus_status status = PICUS_OK;
  *out = 0;
  for (int k = 0; !status && way > 0 && k < DIFFERENCE_POINTS; k++) {
    const double h = PICUS_DIFFERENCE / way, s = picus_difference_places[k] * h;
    double value;
    go_along(f, d, s);
    status = picus_field_evaluate(&f->base, d->t + s * d->dt, f->shift);
    if (!status) status = picus_trigger_value(&f->base, g, &value);
    if (!status) *out += picus_difference_weights[k] / h * value;
  }
  return status;
}

static const picus_system_law *law_of(const flow *f, const trigger *g) { return &f->system->fixed.laws[g->index].data; }

/* The row of gamma of a trigger that is one. */
int picus_flow_row_of(const flow *f, const trigger *g) {
  const picus_system_law *law = law_of(f, g);
  return g->kind == TRIGGER_STICKS ? law->first_row + law->dim - law->slips : law->first_row;
}

static bool is_velocity(const trigger *g) { return g->kind == TRIGGER_STICKS || g->kind == TRIGGER_CLUTCH; }

/* After an evaluation with slopes at the point: e' along the motion. */
static picus_status trigger_rate(flow *f, const trigger *g, double t, double time, double *out) {
  const field *b = &f->base;
  *out = -1;
  if (g->kind <= TRIGGER_TIME) return PICUS_OK;
  if (g->kind == TRIGGER_GAP) {
    *out = b->gamma[picus_flow_row_of(f, g)];
    return PICUS_OK;
  }
  if (!is_velocity(g)) return differentiate_trigger(f, g, &(direction){t, 1, time, f->rate_before}, out);
  const int row = picus_flow_row_of(f, g);
  double sum = b->kappa[row];
  for (int j = 0; j < b->nu; j++) sum += b->W[row * b->nu + j] * b->rate[b->nq + j];
  *out = (g->kind == TRIGGER_STICKS ? g->sign : 1) * sum;
  return PICUS_OK;
}

static picus_status trigger_change(flow *f, const trigger *g, double t, const double *dx, double time, double *out) {
  const field *b = &f->base;
  *out = 0;
  if (g->kind <= TRIGGER_TIME) return PICUS_OK;
  if (g->kind == TRIGGER_GAP) {
    for (int i = 0; i < b->nq; i++) *out += f->gap_q[g->index * b->nq + i] * dx[i];
    return PICUS_OK;
  }
  if (!is_velocity(g)) return differentiate_trigger(f, g, &(direction){t, 0, time, dx}, out);
  const int row = picus_flow_row_of(f, g);
  for (int j = 0; j < b->nu; j++) *out += b->W[row * b->nu + j] * dx[b->nq + j];
  for (int i = 0; !f->system->constants.directions && i < b->nq; i++)
    *out += b->slopes.gamma_q[row * b->nq + i] * dx[i];
  if (g->kind == TRIGGER_STICKS) *out *= g->sign;
  return PICUS_OK;
}

/* The time of a trigger in a system with another parameter: the zero of a function of time, or the time at which the
 * argument of a table reaches the kink that it reaches in this one. */
static double time_of(const picus_system *system, const picus_system *other, const trigger *g) {
  const system_switch *w = &system->switches[g->index], *to = &other->switches[g->index];
  if (!w->table) return to->t_zero;
  const double x = w->x_zero + w->x_rate * g->t;
  int nearest = 0;
  for (int k = 1; k < picus_table_kink_count(w->table); k++)
    if (fabs(picus_table_kink(w->table, k) - x) < fabs(picus_table_kink(w->table, nearest) - x)) nearest = k;
  return (picus_table_kink(to->table, nearest) - to->x_zero) / to->x_rate;
}

/* Its derivative by a parameter at a fixed state. */
static picus_status trigger_by_parameter(flow *f, variants *v, const trigger *g, double t, double *out) {
  picus_status status = PICUS_OK;
  *out = 0;
  for (int k = 0; !status && k < DIFFERENCE_POINTS; k++) {
    double value = 0;
    trigger there = *g;
    if (g->kind == TRIGGER_TIME && g->index >= 0) there.t = time_of(f->system, v->systems[k], g);
    for (int i = 0; g->kind == TRIGGER_TIME && g->index < 0 && i < f->system->stop_count; i++)
      if (f->system->stop_times[i] == g->t) there.t = v->systems[k]->stop_times[i];
    status = picus_field_evaluate(&v->fields[k], t, f->x_before);
    if (!status) status = picus_trigger_value(&v->fields[k], &there, &value);
    *out += v->weights[k] / v->h * value;
  }
  return status;
}

/* The reset of a field at a state; modes of an impact are known. */
picus_status picus_flow_reset(flow *f, field *b, const phase_end *e, double t, const double *x, double *x_after) {
  if (e->jump == FLOW_IMPACT) return picus_jump_impact(b, t, x, &f->struck, false, x_after);
  if (e->jump == FLOW_EVENT) return picus_jump_event(b, e->event, t, x, x_after);
  memmove(x_after, x, (size_t)f->n * sizeof *x);
  return PICUS_OK;
}

/* Adds the derivative of the reset along a direction, by differences. */
static picus_status differentiate_reset(flow *f, const phase_end *e, const direction *d, double *sum) {
  const double way = find_way(f, d);
  picus_status status = PICUS_OK;
  for (int k = 0; !status && way > 0 && k < DIFFERENCE_POINTS; k++) {
    const double h = PICUS_DIFFERENCE / way, s = picus_difference_places[k] * h;
    go_along(f, d, s);
    status = picus_flow_reset(f, &f->base, e, d->t + s * d->dt, f->shift, f->y_next);
    for (int i = 0; i < f->n; i++) sum[i] += picus_difference_weights[k] / h * f->y_next[i];
  }
  return status;
}

static picus_status reset_by_parameter(flow *f, variants *v, const phase_end *e, double t, double *sum) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < DIFFERENCE_POINTS; k++) {
    status = picus_flow_reset(f, &v->fields[k], e, t, f->x_before, f->y_next);
    for (int i = 0; i < f->n; i++) sum[i] += v->weights[k] / v->h * f->y_next[i];
  }
  return status;
}

/* A relative velocity that is zero, compared with its terms, at a contact that closes. */
static bool grazes(const flow *f, const trigger *g, double rate) {
  if (g->kind != TRIGGER_GAP) return rate == 0 || !isfinite(rate);
  return !(fabs(rate) > GRAZING * picus_velocity_terms(f, picus_flow_row_of(f, g)));
}

/* The rate of a trigger along the motion, and its changes along all tangents, into f->dt. x_before, rate_before: there.
 */
picus_status picus_flow_differentiate_trigger(flow *f, const trigger *g, double t, double time, const double *y,
                                              double *rate) {
  const size_t n = (size_t)f->n;
  picus_status status = picus_evaluate_gap_jacobian(f->base.at, f->gap_q);
  if (!status) status = trigger_rate(f, g, t, time, rate);
  if (!status && !(g->kind <= TRIGGER_GAP) && !is_velocity(g)) status = picus_field_evaluate(&f->base, t, f->x_before);
  for (size_t c = 0; !status && c < (size_t)f->columns; c++) {
    status = trigger_change(f, g, t, y + (c + 1) * n, time, &f->dt[c]);
    if (status || f->variant_of[c] < 0) continue;
    status = trigger_by_parameter(f, &f->variants[f->variant_of[c]], g, t, &f->value[c]);
    f->dt[c] += f->value[c];
  }
  return status;
}

/* The changes of the time of the switching point. x_before, rate_before: there. */
picus_status picus_flow_find_time_changes(flow *f, const trigger *g, double t, double time, const double *y) {
  double rate;
  picus_status status = picus_flow_differentiate_trigger(f, g, t, time, y, &rate);
  if (!status && grazes(f, g, rate))
    return picus_fail(
        f->context, PICUS_NO_SOLUTION,
        "'%s' grazes at t = %.9g: it reaches its switching point with the velocity 0, where derivatives are "
        "infinite",
        picus_flow_trigger_name(f, g), t);
  for (int c = 0; !status && c < f->columns; c++) f->dt[c] = -f->dt[c] / rate;
  return status;
}

/* dx + f- dt through the reset. Events, and impacts with coefficients that vary, are differentiated by differences. */
picus_status picus_flow_jump_tangents(flow *f, const phase_end *e, double t, double time, double *y) {
  const size_t n = (size_t)f->n;
  const bool is_exact = e->jump == FLOW_IMPACT && !f->system->varies;
  picus_status status = PICUS_OK;
  for (size_t c = 0; c < (size_t)f->columns; c++)
    for (size_t i = 0; i < n; i++) y[(c + 1) * n + i] += f->rate_before[i] * f->dt[c];
  if (is_exact) status = picus_jump_impact(&f->base, t, f->x_before, &f->struck, false, f->x_after);
  if (!status && is_exact) status = picus_jump_impact_prepare(&f->base, f->x_before, f->x_after);
  for (size_t c = 0; !status && c < (size_t)f->columns; c++) {
    double *dx = y + (c + 1) * n;
    if (is_exact) picus_jump_impact_tangent(&f->base, dx);
    if (is_exact || e->jump == FLOW_CONTINUES) continue;
    memset(f->rate_after, 0, n * sizeof(double));
    status = differentiate_reset(f, e, &(direction){t, f->dt[c], time, dx}, f->rate_after);
    memcpy(dx, f->rate_after, n * sizeof(double));
  }
  for (size_t c = 0; !status && c < (size_t)f->columns; c++) {
    double *dx = y + (c + 1) * n;
    if (is_exact && !f->system->constants.directions)
      status = differentiate_reset(f, e, &(direction){t, f->dt[c], time, NULL}, dx);
    if (!status && f->variant_of[c] >= 0 && e->jump != FLOW_CONTINUES)
      status = reset_by_parameter(f, &f->variants[f->variant_of[c]], e, t, dx);
  }
  return status;
}
