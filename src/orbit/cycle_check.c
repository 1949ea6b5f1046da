/* Whether a cycle is a motion: the conditions inside its phases, and those of its impacts, reversals and durations. */
#include "orbit/cycle.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

/* A phase of a cycle that is checked. */
typedef struct checking {
  cycle_problem *b;
  const cycle *c;
  condition_work *work;
  condition_list *out;
  int k;
  const cycle_phase *before, *phase;
  double t, d; /* s: its start and duration */
} checking;

static void note(checking *g, condition_kind kind, int index, double value, double t) {
  picus_conditions_add(g->out, (condition){kind, g->k, index, value, t});
}

/* Laws that hold in a phase have no velocity behind the switching point before it, at the state x: a sequence in which
 * they have one is wrong. */
static picus_status check_rest(checking *g, const cycle_phase *next, double t, const double *x) {
  flow *f = &g->b->f;
  const field *at = &f->base;
  picus_flow_set_modes(f, &next->modes);
  const picus_status status = picus_field_evaluate(&f->base, t, x);
  for (int k = 0; !status && k < at->held_count; k++) {
    const int row = at->held[k];
    const double value = -fabs(at->gamma[row]) / picus_velocity_terms(f, row);
    if (value < 0) note(g, CONDITION_REST, picus_law_of_row(at->system, row), value, t);
  }
  return status;
}

/* The impact at the end of a phase: its approach velocity, and whether a solver finds its modes. */
static picus_status check_impact(checking *g) {
  flow *f = &g->b->f;
  const cycle_phase *p = g->phase;
  const double t = g->t + g->d;
  flow_margins *m = &g->out->margins;
  if (p->jump != FLOW_IMPACT || p->ends.kind != TRIGGER_GAP) return PICUS_OK;
  double *x = g->work->x;
  memcpy(x, g->work->states + CONDITION_SAMPLES * g->b->n, (size_t)g->b->n * sizeof *x);
  picus_status status = picus_field_evaluate(&f->base, t, x);
  if (status) return status;
  const int row = picus_flow_row_of(f, &p->ends);
  const double v = -f->base.gamma[row];
  note(g, CONDITION_APPROACH, p->law, v / picus_velocity_terms(f, row), t);
  if (v < m->velocity) m->velocity = v, m->velocity_law = p->law;
  if (!(v > 0)) return PICUS_OK;
  picus_mode_set_copy(g->b->system, &p->modes, &f->struck);
  f->struck.modes[p->law] = PICUS_STICK;
  status = picus_jump_impact(&f->base, t, x, &f->struck, true, f->x_after);
  if (!status && !picus_mode_set_equals(g->b->system, &f->struck, &p->struck)) note(g, CONDITION_IMPACT, p->law, -1, t);
  return status ? status : check_rest(g, &g->c->phases[(g->k + 1) % g->c->count], t, f->x_after);
}

/* After a reversal the slip must grow in its new direction; else it sticks. */
static picus_status check_reversal(checking *g) {
  const trigger *before = &g->before->ends;
  flow *f = &g->b->f;
  if (before->kind != TRIGGER_STICKS || g->phase->modes.modes[before->index] != PICUS_SLIP) return PICUS_OK;
  const int row = picus_flow_row_of(f, before);
  const picus_status status = picus_field_evaluate(&f->base, g->t, picus_cycle_state(g->c, g->k));
  double rate = f->base.kappa[row];
  for (int j = 0; j < f->base.nu; j++) rate += f->base.W[row * f->base.nu + j] * f->base.rate[f->base.nq + j];
  const double value = g->phase->modes.signs[before->index] * rate * g->b->period / picus_velocity_terms(f, row);
  if (!status) note(g, CONDITION_REVERSAL, before->index, value, g->t);
  return status;
}

static picus_status check_phase(checking *g) {
  const bool is_smooth = g->phase->ends.kind == TRIGGER_END;
  const stretch s = {.phase = g->k,
                     .modes = &g->phase->modes,
                     .before = &g->before->ends,
                     .ends = is_smooth ? NULL : &g->phase->ends,
                     .t = g->t,
                     .d = g->d,
                     .x = picus_cycle_state(g->c, g->k)};
  if (g->c->count > 1) note(g, CONDITION_DURATION, -1, g->d / g->b->period, g->t);
  picus_status status = check_rest(g, g->phase, g->t, s.x);
  if (!(g->d > 0)) return status;
  if (!status) status = picus_conditions_check(g->work, &s, g->out);
  if (!status) status = check_reversal(g);
  return status ? status : check_impact(g);
}

picus_status picus_cycle_check(cycle_problem *b, const cycle *c, condition_list *out) {
  condition_work work = {0};
  checking g = {.b = b, .c = c, .work = &work, .out = out, .t = *picus_cycle_time(c)};
  picus_conditions_clear(out);
  picus_status status = picus_cycle_load_near(b, *picus_cycle_parameter(c));
  if (!status) status = picus_conditions_open(&b->f, &work);
  for (; !status && g.k < c->count; g.k++) {
    g.d = *picus_cycle_duration(c, g.k);
    g.phase = &c->phases[g.k];
    g.before = &c->phases[(g.k + c->count - 1) % c->count];
    status = check_phase(&g);
    g.t += g.d;
  }
  picus_conditions_close(&work);
  return status;
}

double picus_cycle_condition(const condition_list *m, const condition *like) {
  double least = INFINITY;
  for (int k = 0; k < m->count; k++) {
    const condition *c = &m->list[k];
    if (c->kind == like->kind && c->phase == like->phase && c->index == like->index) least = fmin(least, c->value);
  }
  return least;
}
