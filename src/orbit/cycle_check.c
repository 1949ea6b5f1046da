/* Whether a cycle is a motion: conditions that hold along its phases, each a number that is positive where it holds and
 * zero where the sequence of switching points changes. */
#include "orbit/cycle_check.h"

#include "base/elementary.h"
#include "system/switches.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 24 }; /* of a phase */
#define NEAR 0.3       /* of its largest value: a least value that is found exactly */
#define PINNED 1e-10   /* of its largest value: zero */

static bool can_open(const picus_system_law *law) {
  return law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
}

static int first_slip(const picus_system_law *law) { return law->first_row + law->dim - law->slips; }

/* Functions of a phase: two of each law, then the switching functions. */
enum { FUNCTIONS_OF_LAW = 2 };
typedef struct phase_functions {
  cycle_problem *b;
  const cycle_phase *before, *phase;
  bool is_smooth; /* no switching point ends it: samples go beyond its end */
  int count;
  condition_kind *kinds; /* count; CONDITION_NONE: no function */
  double *values;        /* (SAMPLES + 1) x count */
  double *states;        /* (SAMPLES + 1) x n */
  double *x, *now;       /* n; count */
} phase_functions;

static picus_status open_functions(cycle_problem *b, phase_functions *g) {
  const int count = FUNCTIONS_OF_LAW * b->system->fixed.law_count + b->system->switch_count;
  *g = (phase_functions){.b = b, .count = count};
  g->kinds = picus_allocate(b->context, (size_t)count, sizeof *g->kinds);
  g->values = picus_allocate(b->context, (size_t)(SAMPLES + 2) * (size_t)count, sizeof *g->values);
  g->states = picus_allocate(b->context, (size_t)(SAMPLES + 2) * (size_t)b->n, sizeof *g->states);
  if (!g->kinds || !g->values || !g->states) return PICUS_ERROR_MEMORY;
  g->now = g->values + (SAMPLES + 1) * count;
  g->x = g->states + (SAMPLES + 1) * b->n;
  return PICUS_OK;
}

static void close_functions(cycle_problem *b, phase_functions *g) {
  picus_release(b->context, g->kinds);
  picus_release(b->context, g->values);
  picus_release(b->context, g->states);
}

/* The first function of a law: what keeps it open or closed. The second: what keeps it sticking or slipping. */
static void choose_functions(phase_functions *g) {
  const picus_system *s = g->b->system;
  for (int i = 0; i < s->fixed.law_count; i++) {
    const picus_system_law *law = &s->fixed.laws[i].data;
    const picus_mode mode = g->phase->modes.modes[i];
    condition_kind *kinds = g->kinds + FUNCTIONS_OF_LAW * i;
    kinds[0] = kinds[1] = CONDITION_NONE;
    if (can_open(law))
      kinds[0] = mode != PICUS_OPEN ? CONDITION_FORCE : law->has_gap ? CONDITION_GAP : CONDITION_CLUTCH;
    if (law->slips == 0 || law->kind == PICUS_BILATERAL) continue;
    if (mode == PICUS_STICK) kinds[1] = CONDITION_RESERVE;
    if (mode == PICUS_SLIP && law->slips == 1) kinds[1] = CONDITION_SLIP;
  }
  for (int k = 0; k < s->switch_count; k++) {
    const system_switch *w = &s->switches[k];
    const bool is_one = s->has_sides && !w->is_timed && !w->table && g->phase->modes.sides[k] != 0;
    g->kinds[FUNCTIONS_OF_LAW * s->fixed.law_count + k] = is_one ? CONDITION_SIDE : CONDITION_NONE;
  }
}

static double law_value(const phase_functions *g, condition_kind kind, int i) {
  const field *f = &g->b->f.base;
  const picus_system_law *law = &f->system->fixed.laws[i].data;
  const double *slip = f->lambda + first_slip(law);
  const double load = law->kind == PICUS_RESERVOIR ? 1 : f->lambda[law->first_row];
  switch (kind) {
  case CONDITION_GAP:
    return f->gaps[i];
  case CONDITION_CLUTCH:
    return f->gamma[law->first_row];
  case CONDITION_FORCE:
    return f->lambda[law->first_row];
  case CONDITION_RESERVE:
    return f->coefficients[i].radius * load - picus_length(law->slips, slip);
  case CONDITION_SLIP:
    return g->phase->modes.signs[i] * f->gamma[first_slip(law)];
  default:
    return 0;
  }
}

/* Their values at a state, into g->now or a row of values. */
static picus_status evaluate(phase_functions *g, double t, const double *x, double *out) {
  field *f = &g->b->f.base;
  const picus_system *s = g->b->system;
  const int laws = FUNCTIONS_OF_LAW * s->fixed.law_count;
  picus_status status = picus_field_evaluate(f, t, x);
  if (!status) status = picus_evaluate_gaps(f->at, f->gaps);
  if (status) return status;
  if (s->switch_count > 0) picus_evaluate_switches(f->at, f->a, f->b);
  for (int k = 0; k < g->count; k++) {
    out[k] = 0;
    if (g->kinds[k] == CONDITION_NONE) continue;
    out[k] = k < laws ? law_value(g, g->kinds[k], k / FUNCTIONS_OF_LAW)
                      : (g->phase->modes.sides[k - laws] > 0 ? 1 : -1) * (f->a[k - laws] - f->b[k - laws]);
  }
  return status;
}

static double sample_size(const phase_functions *g, const cycle *c, int k) {
  return *picus_cycle_duration(c, k) / (g->is_smooth ? SAMPLES - 2 : SAMPLES);
}

static picus_status sample(phase_functions *g, const cycle *c, int k, double t) {
  cycle_problem *b = g->b;
  const size_t n = (size_t)b->n;
  const double d = sample_size(g, c, k);
  memcpy(g->states, picus_cycle_state(c, k), n * sizeof(double));
  picus_flow_set_modes(&b->f, &g->phase->modes);
  picus_status status = evaluate(g, t, g->states, g->values);
  for (int i = 1; !status && i <= SAMPLES; i++) {
    double *x = g->states + (size_t)i * n;
    memcpy(x, x - n, n * sizeof *x);
    status = picus_cycle_carry(b, t + (i - 1) * d, d, x);
    if (!status) status = evaluate(g, t + i * d, x, g->values + i * g->count);
  }
  return status;
}

/* The least value near sample i of function k, by parabolas. */
static picus_status refine(phase_functions *g, int k, int i, double t, double d, double *value, double *at) {
  const size_t n = (size_t)g->b->n;
  const double *row = g->values + (i - 1) * g->count + k;
  double s[3] = {0, d, 2 * d}, v[3] = {row[0], row[g->count], row[2 * g->count]};
  picus_status status = PICUS_OK;
  for (int step = 0; !status && step < 8; step++) {
    const double a = (v[1] - v[0]) / (s[1] - s[0]), e = (v[2] - v[1]) / (s[2] - s[1]);
    const double bend = (e - a) / (s[2] - s[0]);
    double next = 0.5 * (s[0] + s[1]) - 0.5 * a / bend;
    if (!(bend > 0) || !(next > s[0] && next < s[2]) || fabs(next - s[1]) < 1e-7 * d) break;
    memcpy(g->x, g->states + (size_t)(i - 1) * n, n * sizeof(double));
    status = picus_cycle_carry(g->b, t, next, g->x);
    if (!status) status = evaluate(g, t + next, g->x, g->now);
    const int side = next > s[1];
    const double new = g->now[k];
    if (status) break;
    const int out = new < v[1] ? (side ? 0 : 2) : (side ? 2 : 0); /* the end that leaves */
    if (new < v[1]) {
      s[out] = s[1], v[out] = v[1];
      s[1] = next, v[1] = new;
    } else {
      s[out] = next, v[out] = new;
    }
  }
  *value = v[1];
  *at = t + s[1];
  return status;
}

static void note(cycle_margins *m, condition_kind kind, int at_phase, int index, double value, double t) {
  const condition c = {kind, at_phase, index, value, t};
  if (kind == CONDITION_GAP && value < m->gap) m->gap = value, m->gap_law = index;
  if (kind == CONDITION_RESERVE && value < m->reserve) m->reserve = value, m->reserve_law = index;
  if (m->count < CONDITIONS_MOST) m->conditions[m->count++] = c;
}

/* Reserves are relative to the bound of friction. */
static double scale_of(const phase_functions *g, int k) {
  double largest = 0;
  for (int i = 0; i <= SAMPLES; i++) largest = fmax(largest, fabs(g->values[i * g->count + k]));
  if (g->kinds[k] != CONDITION_RESERVE || largest == 0) return largest;
  const field *f = &g->b->f.base;
  const picus_system_law *law = &f->system->fixed.laws[k / FUNCTIONS_OF_LAW].data;
  const double load = law->kind == PICUS_RESERVOIR ? 1 : f->lambda[law->first_row];
  const double bound = f->coefficients[k / FUNCTIONS_OF_LAW].radius * load;
  return bound > 0 ? bound : largest;
}

/* Whether the function of a law is zero where this switching point is. */
static bool is_about(const trigger *g, condition_kind kind, int index) {
  if (g->index != index) return false;
  switch (kind) {
  case CONDITION_GAP:
  case CONDITION_CLUTCH:
    return g->kind == TRIGGER_GAP || g->kind == TRIGGER_OPENS || g->kind == TRIGGER_CLUTCH;
  case CONDITION_FORCE:
    return g->kind == TRIGGER_OPENS;
  case CONDITION_RESERVE:
    return g->kind == TRIGGER_SLIPS;
  case CONDITION_SLIP:
    return g->kind == TRIGGER_STICKS || g->kind == TRIGGER_SLIPS;
  case CONDITION_SIDE:
    return g->kind == TRIGGER_SIDE;
  default:
    return false;
  }
}

/* The least values of a function inside a phase; at an end where it is zero by its switching point it does not count,
 * but it must rise from there. */
static picus_status check_function(phase_functions *g, cycle_margins *m, int at_phase, int k, double t, double d) {
  const int laws = FUNCTIONS_OF_LAW * g->b->system->fixed.law_count;
  const int index = k < laws ? k / FUNCTIONS_OF_LAW : k - laws;
  const double scale = scale_of(g, k);
  picus_status status = PICUS_OK;
  if (!(scale > 0)) return status;
  for (int i = 0; !status && i <= SAMPLES; i++) {
    const double *v = g->values + i * g->count + k;
    const bool is_end = i == 0 || i == SAMPLES;
    const bool is_least = (i == 0 || *v <= *(v - g->count)) && (i == SAMPLES || *v < *(v + g->count));
    if (is_end && (g->is_smooth || fabs(*v) < PINNED * scale)) continue;
    if (i == 0 && is_about(&g->before->ends, g->kinds[k], index)) continue;
    if (i == SAMPLES && is_about(&g->phase->ends, g->kinds[k], index)) continue;
    if (!is_least && *v > 0) continue;
    double value = *v, at = t + i * d;
    if (!is_end && is_least && value < NEAR * scale) status = refine(g, k, i, t + (i - 1) * d, d, &value, &at);
    note(m, g->kinds[k], at_phase, index, value / scale, at);
  }
  return status;
}

static double velocity_terms(const cycle_problem *b, int row) {
  const field *f = &b->f.base;
  double terms = fabs(f->chi[row]);
  for (int j = 0; j < f->nu; j++) terms += fabs(f->W[row * f->nu + j]) * b->size[f->nq + j];
  return terms > 0 ? terms : 1;
}

/* The impact at the end of a phase: its approach velocity, and whether a solver finds its modes. */
static picus_status check_impact(phase_functions *g, cycle_margins *m, int at_phase, double t) {
  flow *f = &g->b->f;
  const cycle_phase *p = g->phase;
  if (p->jump != FLOW_IMPACT || p->ends.kind != TRIGGER_GAP) return PICUS_OK;
  memcpy(g->x, g->states + SAMPLES * g->b->n, (size_t)g->b->n * sizeof *g->x);
  picus_status status = picus_field_evaluate(&f->base, t, g->x);
  if (status) return status;
  const int row = picus_flow_row_of(f, &p->ends);
  const double v = -f->base.gamma[row];
  note(m, CONDITION_APPROACH, at_phase, p->law, v / velocity_terms(g->b, row), t);
  if (v < m->velocity) m->velocity = v, m->velocity_law = p->law;
  if (!(v > 0)) return PICUS_OK;
  picus_mode_set_copy(g->b->system, &p->modes, &f->struck);
  f->struck.modes[p->law] = PICUS_STICK;
  status = picus_jump_impact(&f->base, t, g->x, &f->struck, true, f->x_after);
  for (int i = 0; !status && i < g->b->system->fixed.law_count; i++) {
    const bool differs = f->struck.modes[i] != p->struck.modes[i] ||
                         (f->struck.modes[i] == PICUS_SLIP && f->struck.signs[i] != p->struck.signs[i]);
    if (!differs) continue;
    note(m, CONDITION_IMPACT, at_phase, i, -1, t);
    break;
  }
  return status;
}

/* After a reversal the slip must grow in its new direction; else it sticks. */
static picus_status check_reversal(phase_functions *g, const cycle *c, cycle_margins *m, int k, double t) {
  const cycle_phase *before = &c->phases[(k + c->count - 1) % c->count];
  field *f = &g->b->f.base;
  if (before->ends.kind != TRIGGER_STICKS || g->phase->modes.modes[before->ends.index] != PICUS_SLIP) return PICUS_OK;
  const picus_system_law *law = &g->b->system->fixed.laws[before->ends.index].data;
  const int row = first_slip(law);
  picus_status status = picus_field_evaluate(f, t, picus_cycle_state(c, k));
  double rate = f->kappa[row];
  for (int j = 0; j < f->nu; j++) rate += f->W[row * f->nu + j] * f->rate[f->nq + j];
  const double value = g->phase->modes.signs[before->ends.index] * rate * g->b->period / velocity_terms(g->b, row);
  if (!status) note(m, CONDITION_REVERSAL, k, before->ends.index, value, t);
  return status;
}

picus_status picus_cycle_check(cycle_problem *b, const cycle *c, cycle_margins *out) {
  phase_functions g;
  double t = *picus_cycle_time(c);
  *out = (cycle_margins){
      .velocity = INFINITY, .velocity_law = -1, .reserve = INFINITY, .reserve_law = -1, .gap = INFINITY, .gap_law = -1};
  picus_status status = picus_cycle_load_near(b, *picus_cycle_parameter(c));
  if (!status)
    status = open_functions(b, &g);
  else
    return status;
  for (int k = 0; !status && k < c->count; k++) {
    const double d = *picus_cycle_duration(c, k);
    g.phase = &c->phases[k];
    g.before = &c->phases[(k + c->count - 1) % c->count];
    g.is_smooth = g.phase->ends.kind == TRIGGER_END;
    if (c->count > 1) note(out, CONDITION_DURATION, k, -1, d / b->period, t);
    if (d > 0) {
      choose_functions(&g);
      status = sample(&g, c, k, t);
      for (int i = 0; !status && i < g.count; i++)
        if (g.kinds[i] != CONDITION_NONE) status = check_function(&g, out, k, i, t, sample_size(&g, c, k));
      if (!status) status = check_reversal(&g, c, out, k, t);
      if (!status) status = check_impact(&g, out, k, t + d);
    }
    t += d;
  }
  close_functions(b, &g);
  return status;
}

const condition *picus_cycle_violation(const cycle_margins *m) {
  const condition *worst = NULL;
  for (int k = 0; k < m->count; k++)
    if (m->conditions[k].value < -VIOLATED && (!worst || m->conditions[k].value < worst->value))
      worst = &m->conditions[k];
  return worst;
}

double picus_cycle_condition(const cycle_margins *m, const condition *like) {
  double least = INFINITY;
  for (int k = 0; k < m->count; k++) {
    const condition *c = &m->conditions[k];
    if (c->kind == like->kind && c->phase == like->phase && c->index == like->index) least = fmin(least, c->value);
  }
  return least;
}
