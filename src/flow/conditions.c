/* Conditions along a motion in one set of modes. Each is the least value of a function: a gap, a force, a reserve of
 * friction, a velocity of slip, a switching function. It is sampled, and low values are found exactly. */
#include "flow/conditions.h"

#include "base/internal.h"
#include "system/switches.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = CONDITION_SAMPLES };
#define NEAR 0.3     /* of its largest value: a least value that is found exactly */
#define ROUNDINGS 64 /* of the terms of a gap: its round-off in a motion */
#define PINNED 1e-10 /* of its largest value: zero */

/* --- lists -------------------------------------------------------------------------------------------------------- */

void picus_conditions_clear(condition_list *out) {
  out->count = 0;
  out->margins = (flow_margins){
      .velocity = INFINITY, .velocity_law = -1, .reserve = INFINITY, .reserve_law = -1, .gap = INFINITY, .gap_law = -1};
}

void picus_conditions_add(condition_list *out, condition c) {
  flow_margins *m = &out->margins;
  if (c.kind == CONDITION_GAP && c.value < m->gap) m->gap = c.value, m->gap_law = c.index;
  if (c.kind == CONDITION_RESERVE && c.value < m->reserve) m->reserve = c.value, m->reserve_law = c.index;
  if (out->count < CONDITIONS_MOST) {
    out->list[out->count++] = c;
    return;
  }
  condition *highest = out->list;
  for (int k = 1; k < out->count; k++)
    if (out->list[k].value > highest->value) highest = &out->list[k];
  if (c.value < highest->value) *highest = c;
}

const condition *picus_conditions_violated(const condition_list *m) {
  const condition *worst = NULL;
  for (int k = 0; k < m->count; k++)
    if (m->list[k].value < -VIOLATED && (!worst || m->list[k].value < worst->value)) worst = &m->list[k];
  return worst;
}

void picus_condition_format(const picus_system *system, const condition *c, char *text, size_t size) {
  static const char *const what[] = {[CONDITION_DURATION] = "a phase would have a negative duration%.0s",
                                     [CONDITION_APPROACH] = "the contact '%s' would not be reached",
                                     [CONDITION_IMPACT] = "the impact at '%s' would have other modes",
                                     [CONDITION_REST] = "'%s' would move where it holds",
                                     [CONDITION_GAP] = "the open contact '%s' would be penetrated",
                                     [CONDITION_CLUTCH] = "the open clutch '%s' would turn back",
                                     [CONDITION_FORCE] = "the closed contact '%s' would pull",
                                     [CONDITION_RESERVE] = "the friction of '%s' would exceed its bound",
                                     [CONDITION_SLIP] = "the slip of '%s' would reverse",
                                     [CONDITION_REVERSAL] = "the slip of '%s' would not reverse",
                                     [CONDITION_SIDE] = "'%s' would change its side"};
  const char *name = c->kind == CONDITION_SIDE ? picus_switch_text(system, c->index)
                     : c->index >= 0           ? system->fixed.laws[c->index].data.name
                                               : "";
  const char *format = what[c->kind], *place = strstr(format, "%");
  snprintf(text, size, "%.*s%.100s%s", (int)(place - format), format, place[1] == 's' ? name : "",
           place + (place[1] == 's' ? 2 : 4));
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static bool can_open(const picus_system_law *law) {
  return law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
}

static int first_slip(const picus_system_law *law) { return law->first_row + law->dim - law->slips; }

/* Functions of a stretch: two of each law, then the switching functions. */
enum { FUNCTIONS_OF_LAW = 2 };

picus_status picus_conditions_open(flow *f, condition_work *out) {
  *out = (condition_work){.f = f, .count = FUNCTIONS_OF_LAW * f->system->fixed.law_count + f->system->switch_count};
  const size_t count = (size_t)out->count;
  out->kinds = picus_allocate(f->context, count, sizeof *out->kinds);
  out->values = picus_allocate(f->context, (SAMPLES + 2) * count, sizeof *out->values);
  out->states = picus_allocate(f->context, (SAMPLES + 2) * (size_t)f->n, sizeof *out->states);
  if (!out->kinds || !out->values || !out->states) return PICUS_ERROR_MEMORY;
  out->now = out->values + (SAMPLES + 1) * count;
  out->x = out->states + (SAMPLES + 1) * f->n;
  return PICUS_OK;
}

void picus_conditions_close(condition_work *w) {
  if (!w->f) return;
  picus_release(w->f->context, w->kinds);
  picus_release(w->f->context, w->values);
  picus_release(w->f->context, w->states);
  *w = (condition_work){0};
}

/* The first function of a law: what keeps it open or closed. The second: what keeps it sticking or slipping. */
static void choose_functions(condition_work *w, const mode_set *modes) {
  const picus_system *s = w->f->system;
  for (int i = 0; i < s->fixed.law_count; i++) {
    const picus_system_law *law = &s->fixed.laws[i].data;
    const picus_mode mode = modes->modes[i];
    condition_kind *kinds = w->kinds + FUNCTIONS_OF_LAW * i;
    kinds[0] = kinds[1] = CONDITION_NONE;
    if (can_open(law))
      kinds[0] = mode != PICUS_OPEN ? CONDITION_FORCE : law->has_gap ? CONDITION_GAP : CONDITION_CLUTCH;
    if (law->slips == 0 || law->kind == PICUS_BILATERAL) continue;
    if (mode == PICUS_STICK) kinds[1] = CONDITION_RESERVE;
    if (mode == PICUS_SLIP && law->slips == 1 && modes->signs[i] != 0) kinds[1] = CONDITION_SLIP;
  }
  for (int k = 0; k < s->switch_count; k++) {
    const system_switch *to = &s->switches[k];
    const bool is_one = s->has_sides && !to->is_timed && !to->table && modes->sides[k] != 0;
    w->kinds[FUNCTIONS_OF_LAW * s->fixed.law_count + k] = is_one ? CONDITION_SIDE : CONDITION_NONE;
  }
}

/* 1 - force / bound; a contact that pulls violates another condition. */
static double reserve_of(const field *f, const picus_system_law *law, int i) {
  const double load = law->kind == PICUS_RESERVOIR ? 1 : f->lambda[law->first_row];
  const double bound = f->coefficients[i].radius * load;
  const double force = picus_length(law->slips, f->lambda + first_slip(law));
  if (load <= 0) return 0;
  return bound > 0 ? 1 - force / bound : force > 0 ? -1 : 0;
}

static double law_value(const field *f, condition_kind kind, int i) {
  const picus_system_law *law = &f->system->fixed.laws[i].data;
  switch (kind) {
  case CONDITION_GAP:
    return f->gaps[i];
  case CONDITION_CLUTCH:
    return f->gamma[law->first_row];
  case CONDITION_FORCE:
    return f->lambda[law->first_row];
  case CONDITION_RESERVE:
    return reserve_of(f, law, i);
  case CONDITION_SLIP:
    return f->modes->signs[i] * f->gamma[first_slip(law)];
  default:
    return 0;
  }
}

/* Their values at a state, into w->now or a row of values. */
static picus_status evaluate(condition_work *w, double t, const double *x, double *out) {
  field *f = &w->f->base;
  const int laws = FUNCTIONS_OF_LAW * f->system->fixed.law_count;
  picus_status status = picus_field_evaluate(f, t, x);
  if (!status) status = picus_evaluate_gaps(f->at, f->gaps);
  if (status) return status;
  if (f->system->switch_count > 0) picus_evaluate_switches(f->at, f->a, f->b);
  for (int k = 0; k < w->count; k++) {
    out[k] = 0;
    if (w->kinds[k] == CONDITION_NONE) continue;
    out[k] = k < laws ? law_value(f, w->kinds[k], k / FUNCTIONS_OF_LAW)
                      : (f->modes->sides[k - laws] > 0 ? 1 : -1) * (f->a[k - laws] - f->b[k - laws]);
  }
  return status;
}

/* Samples go beyond the end if no switching point is there. */
static double sample_size(const stretch *s) { return s->d / (s->ends ? SAMPLES : SAMPLES - 2); }

static picus_status sample(condition_work *w, const stretch *s) {
  const size_t n = (size_t)w->f->n;
  const double d = sample_size(s);
  memcpy(w->states, s->x, n * sizeof(double));
  picus_status status = evaluate(w, s->t, w->states, w->values);
  for (int i = 1; !status && i <= SAMPLES; i++) {
    double *x = w->states + (size_t)i * n;
    memcpy(x, x - n, n * sizeof *x);
    status = picus_flow_carry(w->f, false, s->t + (i - 1) * d, d, d, x);
    if (!status) status = evaluate(w, s->t + i * d, x, w->values + i * w->count);
  }
  return status;
}

/* --- least values ------------------------------------------------------------------------------------------------- */

/* Three places of a function, of which the middle one has the least value. */
typedef struct valley {
  double s[3], v[3];
} valley;

/* The bottom of the parabola through them; false: it has none inside. */
static bool find_bottom(const valley *y, double *next) {
  const double a = (y->v[1] - y->v[0]) / (y->s[1] - y->s[0]), e = (y->v[2] - y->v[1]) / (y->s[2] - y->s[1]);
  const double bend = (e - a) / (y->s[2] - y->s[0]);
  *next = 0.5 * (y->s[0] + y->s[1]) - 0.5 * a / bend;
  return bend > 0 && *next > y->s[0] && *next < y->s[2];
}

/* A new place becomes the middle or an end. */
static void take_place(valley *y, double s, double v) {
  const bool is_right = s > y->s[1], is_lower = v < y->v[1];
  const int leaves = is_lower == is_right ? 0 : 2;
  y->s[leaves] = is_lower ? y->s[1] : s;
  y->v[leaves] = is_lower ? y->v[1] : v;
  if (!is_lower) return;
  y->s[1] = s;
  y->v[1] = v;
}

/* The least value near sample i of function k, by parabolas. */
static picus_status refine(condition_work *w, const stretch *s, int k, int i, double *value, double *at) {
  const double d = sample_size(s), t = s->t + (i - 1) * d;
  const size_t n = (size_t)w->f->n;
  const double *row = w->values + (i - 1) * w->count + k;
  valley y = {{0, d, 2 * d}, {row[0], row[w->count], row[2 * w->count]}};
  picus_status status = PICUS_OK;
  for (int step = 0; !status && step < 8; step++) {
    double next;
    if (!find_bottom(&y, &next) || fabs(next - y.s[1]) < 1e-7 * d) break;
    memcpy(w->x, w->states + (size_t)(i - 1) * n, n * sizeof(double));
    status = picus_flow_carry(w->f, false, t, next, next, w->x);
    if (!status) status = evaluate(w, t + next, w->x, w->now);
    if (!status) take_place(&y, next, w->now[k]);
  }
  *value = y.v[1];
  *at = t + y.s[1];
  return status;
}

/* What a value of function k is compared with: its largest one. A gap of a short hop is not larger than its round-off.
 */
static picus_status find_scale(const condition_work *w, int k, double *scale) {
  *scale = 0;
  for (int i = 0; i <= SAMPLES; i++) *scale = picus_larger(*scale, fabs(w->values[i * w->count + k]));
  if (w->kinds[k] == CONDITION_RESERVE) *scale = 1;
  if (w->kinds[k] != CONDITION_GAP) return PICUS_OK;
  const flow *f = w->f;
  const picus_status status = picus_evaluate_gap_jacobian(f->base.at, f->gap_q);
  double terms = 0;
  for (int j = 0; j < f->base.nq; j++) terms += fabs(f->gap_q[k / FUNCTIONS_OF_LAW * f->base.nq + j]) * f->size[j];
  *scale = fmax(*scale, DBL_EPSILON / VIOLATED * terms);
  return status;
}

/* Whether the function of a law is zero where this switching point is. */
static bool is_about(const trigger *g, condition_kind kind, int index) {
  if (!g || g->index != index) return false;
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

/* The least values of a function inside a stretch; at an end where it is zero by its switching point it does not count,
 * but it must rise from there. */
static picus_status check_function(condition_work *w, const stretch *s, condition_list *out, int k) {
  const int laws = FUNCTIONS_OF_LAW * w->f->system->fixed.law_count;
  const int index = k < laws ? k / FUNCTIONS_OF_LAW : k - laws;
  const bool opens = w->kinds[k] == CONDITION_GAP && is_about(s->before, CONDITION_GAP, index);
  const double zero =
      opens ? fmin(0, w->values[k]) : 0; /* a start that overlaps by a little keeps its gap while closed */
  double scale;
  picus_status status = find_scale(w, k, &scale);
  if (!(scale > 0)) return status;
  for (int i = 0; !status && i <= SAMPLES; i++) {
    const double *v = w->values + i * w->count + k;
    const bool is_end = i == 0 || i == SAMPLES;
    const bool is_least = (i == 0 || *v <= *(v - w->count)) && (i == SAMPLES || *v < *(v + w->count));
    if (is_end && (!s->ends || fabs(*v) < PINNED * scale)) continue;
    if (i == 0 && is_about(s->before, w->kinds[k], index)) continue;
    if (i == SAMPLES && is_about(s->ends, w->kinds[k], index)) continue;
    if (!is_least && *v > zero) continue;
    condition c = {w->kinds[k], s->phase, index, *v, s->t + i * sample_size(s)};
    if (!is_end && is_least && *v < NEAR * scale) status = refine(w, s, k, i, &c.value, &c.t);
    c.value = (c.value - zero) / scale;
    picus_conditions_add(out, c);
  }
  return status;
}

picus_status picus_conditions_check(condition_work *w, const stretch *s, condition_list *out) {
  picus_flow_set_modes(w->f, s->modes);
  choose_functions(w, s->modes);
  picus_status status = sample(w, s);
  for (int k = 0; !status && k < w->count; k++)
    if (w->kinds[k] != CONDITION_NONE) status = check_function(w, s, out, k);
  return status;
}

double picus_velocity_terms(const flow *f, int row) {
  const field *b = &f->base;
  double terms = fabs(b->chi[row]);
  for (int j = 0; j < b->nu; j++) terms += fabs(b->W[row * b->nu + j]) * f->size[b->nq + j];
  return terms > 0 ? terms : 1;
}

double picus_gap_terms(const flow *f, int law) {
  double terms = 0;
  for (int j = 0; j < f->base.nq; j++) terms += fabs(f->gap_q[law * f->base.nq + j]) * f->size[j];
  return terms;
}
