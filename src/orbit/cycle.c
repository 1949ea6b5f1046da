/* Cycles: equations of a closed chain of phases, their derivatives, and Newton's method. */
#include "orbit/cycle.h"

#include "base/elementary.h"
#include "system/switches.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CONVERGED 1e-10 /* of the scale of an unknown: change by Newton's method, whose square remains */
#define SMALL 0.1       /* of the largest number: the least scale of a number */
#define NEAR 1e-9       /* of the range of the parameter: the same model for what has no derivatives */
enum { NEWTON_MOST = 12 };

/* --- cycles ------------------------------------------------------------------------------------------------------- */

picus_status picus_cycle_create(picus_context *context, const picus_system *system, int count, cycle *out) {
  const int n = system->nq + system->nu;
  *out = (cycle){.context = context, .system = system, .n = n, .count = count, .size = count * (n + 1) + 2};
  out->phases = picus_allocate(context, (size_t)count, sizeof *out->phases);
  out->z = picus_allocate(context, (size_t)out->size, sizeof *out->z);
  if (!out->phases || !out->z) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < count; k++) {
    out->phases[k].law = out->phases[k].event = -1;
    status = picus_mode_set_create(context, system, &out->phases[k].modes);
    if (!status) status = picus_mode_set_create(context, system, &out->phases[k].struck);
  }
  return status;
}

void picus_cycle_release(cycle *c) {
  for (int k = 0; c->phases && k < c->count; k++) {
    picus_mode_set_release(c->context, &c->phases[k].modes);
    picus_mode_set_release(c->context, &c->phases[k].struck);
  }
  picus_release(c->context, c->phases);
  picus_release(c->context, c->z);
  *c = (cycle){0};
}

void picus_cycle_copy_phase(const cycle *from, int k, cycle *to, int i) {
  const cycle_phase *a = &from->phases[k];
  cycle_phase *b = &to->phases[i];
  picus_mode_set_copy(from->system, &a->modes, &b->modes);
  picus_mode_set_copy(from->system, &a->struck, &b->struck);
  b->ends = a->ends;
  b->jump = a->jump;
  b->law = a->law;
  b->event = a->event;
  memcpy(picus_cycle_state(to, i), picus_cycle_state(from, k), (size_t)(from->n + 1) * sizeof *from->z);
}

picus_status picus_cycle_copy(const cycle *from, cycle *out) {
  const picus_status status = picus_cycle_create(from->context, from->system, from->count, out);
  for (int k = 0; !status && k < from->count; k++) picus_cycle_copy_phase(from, k, out, k);
  if (!status) memcpy(out->z, from->z, (size_t)from->size * sizeof *from->z);
  return status;
}

double picus_cycle_period(const cycle *c) {
  double sum = 0;
  for (int k = 0; k < c->count; k++) sum += *picus_cycle_duration(c, k);
  return sum;
}

/* --- the model at a parameter ------------------------------------------------------------------------------------- */

picus_status picus_cycle_problem_create(picus_context *context, const picus_orbit_def *def, const char *parameter,
                                        cycle_problem *out) {
  const int n = def->system->nq + def->system->nu;
  *out = (cycle_problem){.context = context, .def = def, .parameter = parameter, .n = n, .p = NAN};
  out->size = picus_allocate(context, (size_t)n, sizeof *out->size);
  out->grows = picus_allocate(context, (size_t)n, sizeof *out->grows);
  out->kept = picus_allocate(context, 2 * (size_t)n, sizeof *out->kept);
  out->normal = out->kept ? out->kept + n : NULL;
  out->y = picus_allocate(context, (size_t)n * (size_t)(n + 3), sizeof *out->y);
  out->product = picus_allocate(context, (PICUS_EIGEN_WORK + 3) * (size_t)n * (size_t)n, sizeof *out->product);
  return out->size && out->grows && out->kept && out->y && out->product ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static void unload(cycle_problem *b) {
  if (b->f.context) picus_flow_release(&b->f);
  picus_system_destroy(b->system);
  picus_model_destroy(b->model);
  b->system = NULL;
  b->model = NULL;
  b->p = NAN;
}

static void release_work(cycle_problem *b) {
  void *const blocks[] = {b->blocks, b->block_numbers, b->F,    b->J,      b->scale,
                          b->step,   b->work,          b->lu.A, b->lu.row, b->lu.column};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) picus_release(b->context, blocks[k]);
  b->blocks = NULL;
  b->block_numbers = b->F = b->J = b->scale = b->step = b->work = NULL;
  b->lu = (pivoted){0};
  b->most = b->phases_most = 0;
}

void picus_cycle_problem_release(cycle_problem *b) {
  if (!b->context) return;
  unload(b);
  release_work(b);
  void *const blocks[] = {b->size, b->grows, b->kept, b->y, b->product};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) picus_release(b->context, blocks[k]);
  *b = (cycle_problem){0};
}

static picus_status find_force_period(cycle_problem *b, double *out) {
  const double turns = b->def->turns > 0 ? b->def->turns : 1;
  const picus_status status = picus_orbit_period(b->context, b->model, b->def, out);
  *out *= turns;
  return status;
}

/* Its derivative by the parameter, from the models of the differences. */
static picus_status differentiate_force_period(cycle_problem *b) {
  const variants *v = &b->f.variants[0];
  const double turns = b->def->turns > 0 ? b->def->turns : 1;
  picus_status status = find_force_period(b, &b->force_period);
  b->force_period_slope = 0;
  for (int k = 0; !status && b->def->period_text && k < DIFFERENCE_POINTS; k++) {
    double period;
    status = picus_orbit_period(b->context, v->models[k], b->def, &period);
    if (!status) b->force_period_slope += v->weights[k] / v->h * turns * period;
  }
  return status;
}

picus_status picus_cycle_load(cycle_problem *b, double p) {
  if (b->system && b->p == p) return PICUS_OK;
  unload(b);
  const picus_override override = {b->parameter, p};
  const picus_system *s = b->def->system;
  picus_status status = picus_flow_load(b->context, b->def->model, &override, &b->model, &b->system);
  if (!status && (b->system->nq != s->nq || b->system->nu != s->nu ||
                  b->system->fixed.law_count != s->fixed.law_count || b->system->switch_count != s->switch_count))
    status = picus_fail(b->context, PICUS_ERROR_UNSUPPORTED,
                        "the parameter '%s' changes the number of coordinates, laws or switches; its orbits have no "
                        "branch",
                        b->parameter);
  const flow_def of = {
      .model = b->model, .system = b->system, .columns = b->n + 2, .parameter_count = 1, .parameters = &b->parameter};
  if (!status) status = picus_flow_create(b->context, &of, &b->f);
  b->f.size = b->size;
  b->f.interrupt = (flow_interrupt){b->def->interrupt, b->def->user};
  if (!status && b->is_timed) status = differentiate_force_period(b);
  if (!status) b->p = p;
  return status;
}

picus_status picus_cycle_load_near(cycle_problem *b, double p) {
  return b->system && fabs(b->p - p) <= NEAR * b->range ? PICUS_OK : picus_cycle_load(b, p);
}

static picus_status take_numbers(cycle_problem *b, size_t phases, size_t size) {
  const size_t n = (size_t)b->n, each = n * n + 5 * n;
  b->blocks = picus_allocate(b->context, phases, sizeof *b->blocks);
  b->block_numbers = picus_allocate(b->context, phases * each, sizeof *b->block_numbers);
  b->F = picus_allocate(b->context, size, sizeof *b->F);
  b->J = picus_allocate(b->context, size * size, sizeof *b->J);
  b->scale = picus_allocate(b->context, size, sizeof *b->scale);
  b->step = picus_allocate(b->context, size, sizeof *b->step);
  b->work = picus_allocate(b->context, size, sizeof *b->work);
  b->lu.A = picus_allocate(b->context, size * size, sizeof *b->lu.A);
  b->lu.row = picus_allocate(b->context, size, sizeof *b->lu.row);
  b->lu.column = picus_allocate(b->context, size, sizeof *b->lu.column);
  if (!b->blocks || !b->block_numbers || !b->F || !b->J || !b->scale || !b->step || !b->work || !b->lu.A ||
      !b->lu.row || !b->lu.column)
    return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < phases; k++) {
    double *at = b->block_numbers + k * each;
    b->blocks[k] = (cycle_blocks){.S = at,
                                  .by_time = at + n * n,
                                  .by_p = at + n * n + n,
                                  .E = at + n * n + 2 * n,
                                  .rate = at + n * n + 3 * n,
                                  .x_next = at + n * n + 4 * n};
  }
  return PICUS_OK;
}

picus_status picus_cycle_reserve(cycle_problem *b, int phases) {
  if (phases <= b->phases_most) return PICUS_OK;
  release_work(b);
  b->phases_most = phases + 4;
  b->most = b->phases_most * (b->n + 1) + 2;
  return take_numbers(b, (size_t)b->phases_most, (size_t)b->most);
}

/* --- one phase ---------------------------------------------------------------------------------------------------- */

picus_status picus_cycle_carry(cycle_problem *b, double t, double d, double *x) {
  return picus_flow_carry(&b->f, false, t, d, fabs(d) / 2, x);
}

static phase_end end_of(const cycle_phase *p) {
  phase_end e = {.trigger_count = 1, .jump = p->jump, .law = p->law, .event = p->event};
  e.triggers[0] = p->ends;
  return e;
}

/* The start of a phase with its tangents: of all states, none of the duration, none of the parameter. */
static picus_status start_phase(cycle_problem *b, const cycle *c, int k, double t, double *y) {
  const size_t n = (size_t)b->n;
  memset(y, 0, n * (n + 3) * sizeof *y);
  memcpy(y, picus_cycle_state(c, k), n * sizeof *y);
  for (size_t i = 0; i < n; i++) y[(i + 1) * n + i] = 1;
  picus_flow_set_modes(&b->f, &c->phases[k].modes);
  const picus_status status = picus_field_evaluate(&b->f.base, t, y);
  memcpy(b->blocks[k].rate, b->f.base.rate, n * sizeof *y);
  return status;
}

/* The function of the switching point with its derivatives. */
static picus_status find_end(cycle_problem *b, const cycle_phase *p, int k, double t, double time, const double *y) {
  flow *f = &b->f;
  cycle_blocks *o = &b->blocks[k];
  picus_status status = picus_trigger_value(&f->base, &p->ends, &o->e);
  if (!status) status = picus_flow_differentiate_trigger(f, &p->ends, t, time, y, &o->e_time);
  if (status) return status;
  memcpy(o->E, f->dt, (size_t)b->n * sizeof *o->E);
  o->e_p = f->dt[b->n + 1];
  return status;
}

/* Laws that hold in all phases, others open: no switching point brings the motion onto them. false: there are none. */
static bool find_lasting(const cycle *c, mode_set *out) {
  bool has_some = false;
  picus_mode_set_copy(c->system, &c->phases[0].modes, out);
  for (int i = 0; i < c->system->fixed.law_count; i++) {
    bool holds = true, sticks = true;
    for (int k = 0; k < c->count; k++) {
      holds = holds && c->phases[k].modes.modes[i] != PICUS_OPEN;
      sticks = sticks && c->phases[k].modes.modes[i] == PICUS_STICK;
    }
    out->modes[i] = sticks ? PICUS_STICK : holds ? PICUS_SLIP : PICUS_OPEN;
    has_some = has_some || holds || c->system->fixed.laws[i].data.kind == PICUS_BILATERAL;
  }
  return has_some;
}

/* The cycle closes on the constraints that hold all the time. */
static picus_status close_on_constraints(cycle_problem *b, const cycle *c, double t, double *y, double *x_next) {
  flow *f = &b->f;
  if (!find_lasting(c, &f->struck)) return PICUS_OK;
  memcpy(y, x_next, (size_t)b->n * sizeof *y);
  const picus_status status = picus_flow_project_all(f, &f->struck, t, b->n, y);
  memcpy(x_next, y, (size_t)b->n * sizeof *y);
  return status;
}

static picus_status run_phase(cycle_problem *b, const cycle *c, int k, double t) {
  flow *f = &b->f;
  const cycle_phase *p = &c->phases[k];
  cycle_blocks *o = &b->blocks[k];
  const size_t n = (size_t)b->n;
  const double d = *picus_cycle_duration(c, k), time = fmax(fabs(d), 1e-3 * b->period);
  const phase_end end = end_of(p);
  double *y = b->y;
  picus_status status = start_phase(b, c, k, t, y);
  if (!status) status = picus_flow_carry(&b->f, true, t, d, fabs(d) / 2, y);
  if (status) return status;
  memcpy(f->x_before, y, n * sizeof *y);
  status = picus_field_evaluate(&f->base, t + d, f->x_before);
  memcpy(f->rate_before, f->base.rate, n * sizeof *y);
  if (!status) status = picus_field_prepare(&f->base);
  if (!status && p->ends.kind != TRIGGER_END) status = find_end(b, p, k, t + d, time, y);
  if (status) return status;
  memset(f->dt, 0, (size_t)f->columns * sizeof *f->dt);
  f->dt[n] = 1;
  picus_mode_set_copy(b->system, &p->struck, &f->struck);
  status = picus_flow_jump_tangents(f, &end, t + d, time, y);
  if (!status) status = picus_flow_reset(f, &f->base, &end, t + d, f->x_before, o->x_next);
  if (!status && k + 1 == c->count) status = close_on_constraints(b, c, t + d, y, o->x_next);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) o->S[i * n + j] = y[(j + 1) * n + i];
  memcpy(o->by_time, y + (n + 1) * n, n * sizeof *y);
  memcpy(o->by_p, y + (n + 2) * n, n * sizeof *y);
  return status;
}

/* --- all equations ------------------------------------------------------------------------------------------------ */

/* Unknowns count relative to these: states together as much as one time. Numbers that are nearly zero, such as the
 * velocity of a part that sticks, may be set in motion: they count relative to the largest number of their kind. */
void picus_cycle_scale(cycle_problem *b, const cycle *c) {
  const double each = sqrt((double)c->count);
  const int nq = c->system->nq;
  double largest[2] = {0, 0};
  for (int i = 0; i < c->n; i++) largest[i >= nq] = fmax(largest[i >= nq], b->size[i]);
  for (int k = 0; k < c->count; k++) {
    for (int i = 0; i < c->n; i++) b->scale[k * (c->n + 1) + i] = fmax(b->size[i], SMALL * largest[i >= nq]) * each;
    b->scale[k * (c->n + 1) + c->n] = b->period;
  }
  b->scale[c->size - 2] = b->period;
  b->scale[c->size - 1] = b->range;
}

/* The equations that the next phase begins where this one ends. */
static void add_closure(cycle_problem *b, const cycle *c, int k) {
  const int n = c->n, m = c->size, next = (k + 1) % c->count, time = m - 2;
  const cycle_blocks *o = &b->blocks[k];
  for (int i = 0; i < n; i++) {
    double *row = b->J + (size_t)(k * n + i) * (size_t)m, shift = o->by_time[i];
    if (next == 0 && b->grows[i]) { /* it begins anywhere */
      b->F[k * n + i] = picus_cycle_state(c, 0)[i] - b->kept[i];
      row[i] = 1;
      continue;
    }
    b->F[k * n + i] = picus_cycle_state(c, next)[i] - o->x_next[i];
    for (int j = 0; j < n; j++) {
      row[k * (n + 1) + j] -= o->S[i * n + j];
      shift -= o->S[i * n + j] * o->rate[j];
    }
    row[next * (n + 1) + i] += 1;
    row[k * (n + 1) + n] -= o->by_time[i];
    row[m - 1] -= o->by_p[i];
    if (!b->is_timed) continue;
    row[time] -= shift;
    for (int j = 0; j < k; j++) row[j * (n + 1) + n] -= shift;
  }
}

/* The equation of its switching point. */
static void add_end(cycle_problem *b, const cycle *c, int k) {
  const int n = c->n, m = c->size, at = c->count * n + k;
  const cycle_blocks *o = &b->blocks[k];
  double *row = b->J + (size_t)at * (size_t)m, shift = o->e_time;
  b->F[at] = o->e;
  for (int j = 0; j < n; j++) {
    row[k * (n + 1) + j] = o->E[j];
    shift -= o->E[j] * o->rate[j];
  }
  row[k * (n + 1) + n] = o->e_time;
  row[m - 1] = o->e_p;
  if (!b->is_timed) return;
  row[m - 2] = shift;
  for (int j = 0; j < k; j++) row[j * (n + 1) + n] += shift;
}

/* The time of the first phase, or what determines it. */
static void add_time(cycle_problem *b, const cycle *c) {
  const int m = c->size, at = c->count * (c->n + 1);
  double *row = b->J + (size_t)at * (size_t)m;
  const bool is_smooth = c->phases[0].ends.kind == TRIGGER_END;
  if (!b->is_timed || is_smooth) { /* as it was */
    const int here = is_smooth ? c->count * c->n : at;
    b->F[here] = *picus_cycle_time(c) - b->t_kept;
    b->J[(size_t)here * (size_t)m + (size_t)(m - 2)] = 1;
  }
  if (!b->is_timed && is_smooth) { /* it begins where the motion crosses a plane */
    b->F[at] = 0;
    if (!b->has_normal) memcpy(b->normal, b->blocks[0].rate, (size_t)c->n * sizeof *b->normal);
    b->has_normal = true;
    for (int i = 0; i < c->n; i++) {
      row[i] = b->normal[i] / (b->size[i] * b->size[i]);
      b->F[at] += row[i] * (picus_cycle_state(c, 0)[i] - b->kept[i]);
    }
  }
  if (!b->is_timed) return;
  b->F[at] = picus_cycle_period(c) - b->force_period;
  for (int k = 0; k < c->count; k++) row[k * (c->n + 1) + c->n] = 1;
  row[m - 1] = -b->force_period_slope;
}

void picus_cycle_keep(cycle_problem *b, const cycle *c) {
  memcpy(b->kept, picus_cycle_state(c, 0), (size_t)c->n * sizeof *b->kept);
  b->t_kept = *picus_cycle_time(c);
  b->has_normal = false;
}

static double product(const cycle_problem *b, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < b->n; i++) sum += x[i] * y[i] / (b->size[i] * b->size[i]);
  return sum;
}

double picus_cycle_across(const cycle_problem *b) {
  if (!b->has_normal) return 1;
  const double *rate = b->blocks[0].rate, *normal = b->normal;
  return product(b, rate, normal) / sqrt(product(b, rate, rate) * product(b, normal, normal));
}

double picus_cycle_amplitude(const cycle_problem *b, const cycle *c) {
  if (b->is_timed || c->phases[0].ends.kind != TRIGGER_END) return INFINITY;
  return sqrt(product(b, b->blocks[0].rate, b->blocks[0].rate)) * picus_cycle_period(c);
}

picus_status picus_cycle_assemble(cycle_problem *b, const cycle *c) {
  const size_t m = (size_t)c->size;
  double t = *picus_cycle_time(c);
  picus_status status = picus_cycle_reserve(b, c->count);
  if (!status) status = picus_cycle_load(b, *picus_cycle_parameter(c));
  if (status) return status;
  memset(b->F, 0, m * sizeof *b->F);
  memset(b->J, 0, m * m * sizeof *b->J);
  for (int k = 0; !status && k < c->count; k++) {
    status = run_phase(b, c, k, t);
    t += *picus_cycle_duration(c, k);
    if (status) break;
    add_closure(b, c, k);
    if (c->phases[k].ends.kind != TRIGGER_END) add_end(b, c, k);
  }
  if (!status) add_time(b, c);
  return status;
}

/* The scaled matrix into the factors; the last row is left to the caller. Rows have their largest value 1. */
static void scale_equations(cycle_problem *b, const cycle *c) {
  const size_t m = (size_t)c->size;
  picus_cycle_scale(b, c);
  for (size_t i = 0; i + 1 < m; i++) {
    double largest = 0;
    for (size_t j = 0; j < m; j++) {
      b->lu.A[i * m + j] = b->J[i * m + j] * b->scale[j];
      largest = fmax(largest, fabs(b->lu.A[i * m + j]));
    }
    for (size_t j = 0; largest > 0 && j < m; j++) b->lu.A[i * m + j] /= largest;
    b->step[i] = largest > 0 ? -b->F[i] / largest : 0;
  }
  memset(b->lu.A + (m - 1) * m, 0, m * sizeof(double));
}

void picus_cycle_move(cycle_problem *b, cycle *c, const double *at, double s, const double *direction) {
  picus_cycle_scale(b, c);
  for (int i = 0; i < c->size; i++) c->z[i] = at[i] + s * direction[i] * b->scale[i];
}

/* A step of Newton's method; returns its size in scaled unknowns. */
static double improve(cycle_problem *b, cycle *c, cycle_plane plane) {
  const size_t m = (size_t)c->size;
  scale_equations(b, c);
  double *last = b->lu.A + (m - 1) * m, off = 0;
  for (size_t j = 0; plane.row && j < m; j++) {
    last[j] = plane.row[j];
    off += plane.row[j] * (c->z[j] - plane.at[j]) / b->scale[j];
  }
  if (!plane.row) last[m - 1] = 1;
  b->step[m - 1] = -off;
  picus_pivoted_factor(&b->lu, (int)m, 1e-15);
  picus_pivoted_solve(&b->lu, b->step, b->work);
  double largest = 0;
  for (size_t j = 0; j < m; j++) {
    c->z[j] += b->step[j] * b->scale[j];
    largest = fmax(largest, fabs(b->step[j]));
  }
  return isfinite(largest) ? largest : INFINITY;
}

picus_status picus_cycle_correct(cycle_problem *b, cycle *c, cycle_plane plane, int *iterations) {
  double before = INFINITY;
  for (int k = 0; k < NEWTON_MOST; k++) {
    const picus_status status = picus_cycle_assemble(b, c);
    if (status) return status;
    const double size = improve(b, c, plane);
    if (iterations) *iterations = k + 1;
    if (!(size < 1)) break;
    if (size <= CONVERGED || (size <= 100 * CONVERGED && size > 0.1 * before)) return PICUS_OK;
    before = size;
  }
  return picus_fail(b->context, PICUS_NO_SOLUTION, "Newton's method does not converge at %s = %.9g", b->parameter,
                    *picus_cycle_parameter(c));
}

/* --- directions and multipliers ----------------------------------------------------------------------------------- */

/* The vector that a matrix makes zero, when its last pivot is left out. */
static void find_null(const pivoted *p, double *x) {
  const int n = p->size, rank = n - 1;
  for (int i = 0; i < n; i++) x[i] = 0;
  x[p->column[rank]] = 1;
  for (int i = rank - 1; i >= 0; i--) {
    double sum = 0;
    for (int j = i + 1; j < n; j++) sum -= p->A[p->row[i] * n + p->column[j]] * x[p->column[j]];
    const double pivot = p->A[p->row[i] * n + p->column[i]];
    x[p->column[i]] = pivot != 0 ? sum / pivot : 0;
  }
}

void picus_cycle_tangent(cycle_problem *b, const cycle *c, const double *along, const double *across, double *tangent) {
  const int m = c->size;
  double square = 0, product = 0;
  scale_equations(b, c);
  if (across) memcpy(b->lu.A + (size_t)(m - 1) * (size_t)m, across, (size_t)m * sizeof *across);
  picus_pivoted_factor(&b->lu, m, 0);
  find_null(&b->lu, tangent);
  for (int i = 0; i < m; i++) {
    square += tangent[i] * tangent[i];
    product += along ? along[i] * tangent[i] : 0;
  }
  if (!along) product = tangent[m - 1];
  const double factor = (product < 0 ? -1 : 1) / sqrt(square);
  for (int i = 0; i < m; i++) tangent[i] *= factor;
}

/* A motion without switching points returns to the plane across its start: A := (1 - f n^T / (n^T f)) A, where n has
 * the components f / size^2. */
static void find_plane_map(const cycle_problem *b, int n, double *A) {
  const double *f = b->blocks[0].rate;
  double square = 0;
  for (int i = 0; i < n; i++) square += f[i] * f[i] / (b->size[i] * b->size[i]);
  for (int j = 0; j < n; j++) {
    double along = 0;
    for (int i = 0; i < n; i++) along += f[i] / (b->size[i] * b->size[i]) * A[i * n + j];
    for (int i = 0; i < n; i++) A[i * n + j] -= f[i] * along / square;
  }
}

/* The change of the time of a switching point, and with it that of the state behind it at a fixed time, or on the
 * section of the last one. */
static void find_saltation(const cycle_problem *b, const cycle *c, int k, double *A) {
  const int n = c->n;
  const cycle_blocks *o = &b->blocks[k], *next = &b->blocks[(k + 1) % c->count];
  const bool is_section = k + 1 == c->count && !b->is_timed;
  memcpy(A, o->S, (size_t)n * (size_t)n * sizeof *A);
  if (c->phases[k].ends.kind == TRIGGER_END) {
    if (!b->is_timed) find_plane_map(b, n, A);
    return;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i * n + j] -= (o->by_time[i] - (is_section ? 0 : next->rate[i])) * o->E[j] / o->e_time;
}

int picus_cycle_multipliers(cycle_problem *b, const cycle *c, picus_multiplier *out) {
  const int n = c->n;
  double *M = b->product, *A = M + n * n, *next = A + n * n, *work = next + n * n;
  for (int i = 0; i < n * n; i++) M[i] = i % (n + 1) == 0;
  for (int k = 0; k < c->count; k++) {
    find_saltation(b, c, k, A);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int l = 0; l < n; l++) sum += A[i * n + l] * M[l * n + j];
        next[i * n + j] = sum;
      }
    memcpy(M, next, (size_t)(n * n) * sizeof *M);
  }
  int m = 0, kept = 0;
  for (int i = 0; i < n; i++) kept += !b->grows[i];
  for (int i = 0; i < n; i++) {
    if (b->grows[i]) continue;
    int at = 0;
    for (int j = 0; j < n; j++)
      if (!b->grows[j]) A[m * kept + at++] = M[i * n + j] * b->size[j] / b->size[i];
    m++;
  }
  if (!picus_all_finite(A, (size_t)kept * (size_t)kept) || !picus_eigenvalues(kept, A, out, work)) return -1;
  return kept;
}

/* --- from an orbit ------------------------------------------------------------------------------------------------ */

/* The phases of a motion, one after the other: state, duration, switching point and impact of each. */
typedef struct walk {
  cycle_problem *b;
  const orbit_source *source;
  cycle *out;
  double t, *x;
} walk;

static picus_status fail_closed(const cycle_problem *b) {
  return picus_fail(b->context, PICUS_ERROR_UNSUPPORTED,
                    "the phases at both ends of the period have different modes; another section may help");
}

/* Phase k of the source becomes phase i; from its start, or from where the walk is. */
static picus_status walk_phase(walk *w, int k, int i, bool is_begun) {
  cycle_problem *b = w->b;
  flow *f = &b->f;
  const phase *from = &w->source->found.phases[k];
  cycle_phase *to = &w->out->phases[i];
  int which = 0;
  if (from->end.refusal) return picus_fail(b->context, from->end.status, "%s", from->end.refusal);
  picus_mode_set_copy(b->system, &from->modes, &to->modes);
  if (!is_begun) memcpy(picus_cycle_state(w->out, i), w->x, (size_t)b->n * sizeof *w->x);
  const double begin = w->t;
  picus_flow_set_modes(f, &to->modes);
  picus_status status = picus_flow_find_end(f, from, &from->end, &w->t, w->x, &which);
  if (status) return status;
  *picus_cycle_duration(w->out, i) += w->t - begin;
  to->ends = from->end.triggers[which];
  to->jump = from->end.jump;
  to->law = from->end.law;
  to->event = from->end.event;
  picus_mode_set_copy(b->system, &to->modes, &to->struck);
  const phase_end end = end_of(to);
  if (to->jump == FLOW_IMPACT) {
    to->struck.modes[to->law] = PICUS_STICK;
    status = picus_jump_impact(&f->base, w->t, w->x, &to->struck, true, f->x_after);
  }
  picus_mode_set_copy(b->system, &to->struck, &f->struck);
  memcpy(f->x_before, w->x, (size_t)b->n * sizeof *w->x);
  return status ? status : picus_flow_reset(f, &f->base, &end, w->t, f->x_before, w->x);
}

static bool same_modes(const picus_system *s, const mode_set *a, const mode_set *b) {
  if (!picus_mode_set_equals(s, a, b)) return false;
  for (int i = 0; i < s->switch_count; i++)
    if (!s->switches[i].is_timed && a->sides[i] != b->sides[i]) return false;
  return true;
}

/* A period of the forces begins inside a phase: this phase is the first of the cycle, and begins before. */
static picus_status walk_period(walk *w) {
  const flow_path *path = &w->source->path;
  const sequence *found = &w->source->found;
  cycle *out = w->out;
  const int last = path->first + path->count - 1;
  const double end = path->t_end, period = path->t_end - path->t;
  picus_status status = PICUS_OK;
  if (path->count == 1) {
    picus_mode_set_copy(w->b->system, &found->phases[path->first].modes, &out->phases[0].modes);
    out->phases[0].ends = (trigger){.kind = TRIGGER_END, .t = end};
    *picus_cycle_time(out) = w->t;
    *picus_cycle_duration(out, 0) = period;
    memcpy(picus_cycle_state(out, 0), w->x, (size_t)w->b->n * sizeof *w->x);
    return PICUS_OK;
  }
  if (!same_modes(w->b->system, &found->phases[path->first].modes, &found->phases[last].modes))
    return fail_closed(w->b);
  for (int k = path->first; !status && k < last; k++) status = walk_phase(w, k, k - path->first, false);
  if (status) return status;
  *picus_cycle_duration(out, 0) += end - w->t;
  *picus_cycle_time(out) = w->t - period;
  for (int i = 0; i < w->b->n; i++) picus_cycle_state(out, 0)[i] = w->x[i]; /* growing ones: their new start */
  return PICUS_OK;
}

picus_status picus_cycle_from_orbit(cycle_problem *b, const picus_orbit *orbit, const orbit_source *source,
                                    cycle *out) {
  const flow_path *path = &source->path;
  const int count = path->is_section || path->count == 1 ? path->count : path->count - 1;
  picus_status status = picus_cycle_create(b->context, b->def->system, count, out);
  double *x = picus_allocate(b->context, (size_t)b->n, sizeof *x);
  if (!status && !x) status = PICUS_ERROR_MEMORY;
  walk w = {.b = b, .source = source, .out = out, .t = path->t, .x = x};
  if (x) memcpy(x, picus_orbit_state(orbit), (size_t)b->n * sizeof *x);
  b->period = picus_orbit_data_of(orbit).period;
  if (!status) *picus_cycle_parameter(out) = b->p;
  if (!status && !path->is_section) status = walk_period(&w);
  if (!status && path->is_section) *picus_cycle_time(out) = path->t;
  for (int k = 0; !status && path->is_section && k < count; k++) status = walk_phase(&w, path->first + k, k, false);
  picus_release(b->context, x);
  return status;
}
