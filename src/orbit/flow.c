/* The motion along a sequence of phases, to round-off, with tangents.
 *
 * A phase ends at the zero of a trigger. There, with the reset R, the rates f- and f+ before and after, and the
 * gradient n of the trigger e,
 *
 *   dt = -(n^T dx + e_p dp) / e' ,   dx+ = DR (dx + f- dt) + R_t dt + R_p dp - f+ dt
 *
 * (saltation: Aizerman and Gantmacher 1958; Leine and Nijmeijer 2004, section 7). e' is the derivative of e along the
 * motion before. */
#include "orbit/internal.h"

#include "contact/internal.h"
#include "expr/internal.h"
#include "system/switches.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STATE_TOLERANCE 1e-13   /* of a number, relative to its size */
#define TANGENT_TOLERANCE 1e-12 /* the same */
#define MOVING 1e-6             /* of the terms of a relative velocity: it is not zero */
#define ASTRAY 1e-2             /* of the size of a number: another motion */
#define GRAZING 1e-9            /* of the terms of a relative velocity: it is zero */
enum { STEPS_LEAST = 12, STEPS_MOST = 5000 };

/* --- creation ----------------------------------------------------------------------------------------------------- */

/* The model with another value of a parameter. */
static picus_status load_variant(const flow_def *def, picus_context *context, const picus_override *override,
                                 picus_model **model, picus_system **system) {
  const size_t files = (size_t)picus_model_file_count(def->model);
  picus_model_file *named = picus_allocate(context, files, sizeof *named);
  if (!named) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < files; k++) named[k] = picus_model_file_at(def->model, (int)k);
  picus_override *all = picus_allocate(context, (size_t)picus_model_parameter_count(def->model) + 1, sizeof *all);
  int count = 0;
  for (int k = 0; all && k < picus_model_parameter_count(def->model); k++) {
    const picus_parameter p = picus_model_parameter(def->model, k);
    if (strcmp(p.name, override->name) != 0) all[count++] = (picus_override){p.name, p.value};
  }
  if (all) all[count++] = *override;
  const picus_load_options options = {
      .override_count = count, .overrides = all, .has_files = true, .file_count = (int)files, .files = named};
  const char *text = picus_model_source(def->model);
  picus_status status = all ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status)
    status = picus_model_load_text(context, picus_model_name(def->model), text, strlen(text), &options, model);
  if (!status) status = picus_system_create(*model, system);
  picus_release(context, all);
  picus_release(context, named);
  return status;
}

static picus_status check_variant(const flow *f, const picus_system *other, const char *name) {
  const picus_system *s = f->system;
  if (other->nq == s->nq && other->nu == s->nu && other->fixed.law_count == s->fixed.law_count &&
      other->fixed.row_count == s->fixed.row_count && other->switch_count == s->switch_count &&
      other->stop_count == s->stop_count)
    return PICUS_OK;
  return picus_fail(f->context, PICUS_ERROR_UNSUPPORTED,
                    "the parameter '%s' changes the number of coordinates, laws or switches; it has no derivative",
                    name);
}

static bool find_parameter(const picus_model *model, const char *name, double *value) {
  for (int k = 0; k < picus_model_parameter_count(model); k++)
    if (strcmp(picus_model_parameter(model, k).name, name) == 0) {
      *value = picus_model_parameter(model, k).value;
      return true;
    }
  return false;
}

static void destroy_variants(variants *v) {
  for (int i = 0; i < DIFFERENCE_POINTS; i++) {
    if (v->fields[i].context) picus_field_release(&v->fields[i]);
    picus_system_destroy(v->systems[i]);
    picus_model_destroy(v->models[i]);
  }
  *v = (variants){0};
}

typedef struct parameter_value {
  const char *name;
  double value, h;
} parameter_value;

static picus_status load_variants(flow *f, const flow_def *def, const parameter_value *p, bool forward, variants *v) {
  *v = (variants){.h = p->h,
                  .places = forward ? picus_forward_places : picus_difference_places,
                  .weights = forward ? picus_forward_weights : picus_difference_weights};
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < DIFFERENCE_POINTS; k++) {
    const picus_override override = {p->name, p->value + v->places[k] * p->h};
    status = load_variant(def, f->context, &override, &v->models[k], &v->systems[k]);
    if (!status) status = check_variant(f, v->systems[k], p->name);
    if (!status) status = picus_field_create(f->context, v->systems[k], &v->fields[k]);
  }
  return status;
}

/* A parameter may be at the end of its range, as a coefficient of restitution of 0. */
static picus_status create_variants(flow *f, const flow_def *def, const char *name, variants *v) {
  parameter_value p = {.name = name};
  if (!find_parameter(def->model, name, &p.value))
    return picus_fail(f->context, PICUS_ERROR_NAME, "the model has no parameter '%s'", name);
  p.h = PICUS_DIFFERENCE * (p.value != 0 ? fabs(p.value) : 1);
  picus_status status = load_variants(f, def, &p, false, v);
  if (!status || status == PICUS_ERROR_MEMORY || status == PICUS_INTERRUPTED) return status;
  destroy_variants(v);
  return load_variants(f, def, &p, true, v);
}

static picus_status allocate(flow *f) {
  const size_t n = (size_t)f->n, columns = (size_t)f->columns, laws = (size_t)f->base.laws;
  const struct {
    double **place;
    size_t count;
  } arrays[] = {{&f->tolerance, n * (1 + columns)},
                {&f->y, n * (1 + columns)},
                {&f->y_next, n * (1 + columns)},
                {&f->rate_before, n},
                {&f->rate_after, n},
                {&f->x_before, n},
                {&f->x_after, n},
                {&f->shift, n},
                {&f->dt, columns},
                {&f->value, columns},
                {&f->gap_q, laws * (size_t)f->base.nq},
                {&f->gap_least, laws},
                {&f->gap_most, laws},
                {&f->force_least, laws},
                {&f->force_most, laws},
                {&f->gap_last, laws},
                {&f->gap_rate, laws}};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    if (!(*arrays[k].place = picus_allocate(f->context, arrays[k].count, sizeof(double)))) return PICUS_ERROR_MEMORY;
  f->variant_of = picus_allocate(f->context, columns, sizeof *f->variant_of);
  f->variants = picus_allocate(f->context, (size_t)f->variant_count, sizeof *f->variants);
  return f->variant_of && f->variants ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_flow_create(picus_context *context, const flow_def *def, flow *out) {
  *out = (flow){.context = context,
                .system = def->system,
                .n = def->system->nq + def->system->nu,
                .columns = def->columns,
                .variant_count = def->parameter_count};
  picus_status status = picus_field_create(context, def->system, &out->base);
  if (!status) status = allocate(out);
  if (!status) status = picus_mode_set_create(context, def->system, &out->struck);
  if (!status) status = picus_smooth_create(context, (size_t)out->n, &out->alone);
  if (!status) status = picus_smooth_create(context, (size_t)out->n * (size_t)(1 + out->columns), &out->together);
  for (int c = 0; !status && c < out->columns; c++)
    out->variant_of[c] = c - (out->columns - def->parameter_count) < 0 ? -1 : c - (out->columns - def->parameter_count);
  for (int k = 0; !status && k < def->parameter_count; k++)
    status = create_variants(out, def, def->parameters[k], &out->variants[k]);
  return status;
}

void picus_flow_release(flow *f) {
  for (int k = 0; f->variants && k < f->variant_count; k++) destroy_variants(&f->variants[k]);
  void *const blocks[] = {f->tolerance, f->y,         f->y_next,     f->rate_before, f->rate_after,
                          f->x_before,  f->x_after,   f->shift,      f->dt,          f->value,
                          f->gap_q,     f->gap_least, f->gap_most,   f->force_least, f->force_most,
                          f->gap_last,  f->gap_rate,  f->variant_of, f->variants,    f->points};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) picus_release(f->context, blocks[k]);
  picus_smooth_release(&f->alone);
  picus_smooth_release(&f->together);
  picus_mode_set_release(f->context, &f->struck);
  if (f->base.context) picus_field_release(&f->base);
  *f = (flow){0};
}

/* --- rates ---------------------------------------------------------------------------------------------------------
 */

static picus_status state_rate(void *user, double t, const double *y, double *rate) {
  flow *f = user;
  picus_status status = picus_field_evaluate(&f->base, t, y);
  memcpy(rate, f->base.rate, (size_t)f->n * sizeof *rate);
  return status;
}

/* d(rate)/dp at a fixed state, added. here: the rate without a change, so that parameters without effect give 0. */
static picus_status add_variant_rates(variants *v, double t, const double *x, const double *here, double *rate) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < DIFFERENCE_POINTS; k++) {
    status = picus_field_evaluate(&v->fields[k], t, x);
    for (int i = 0; i < v->fields[k].n; i++) rate[i] += v->weights[k] / v->h * (v->fields[k].rate[i] - here[i]);
  }
  return status;
}

static picus_status tangent_rate(void *user, double t, const double *y, double *rate) {
  flow *f = user;
  const size_t n = (size_t)f->n;
  picus_status status = state_rate(user, t, y, rate);
  if (!status) status = picus_field_prepare(&f->base);
  for (size_t c = 0; !status && c < (size_t)f->columns; c++) {
    status = picus_field_tangent(&f->base, f->size, y + (c + 1) * n, rate + (c + 1) * n);
    if (!status && f->variant_of[c] >= 0)
      status = add_variant_rates(&f->variants[f->variant_of[c]], t, y, rate, rate + (c + 1) * n);
  }
  return status;
}

static void set_modes(flow *f, const mode_set *modes) {
  picus_field_set_modes(&f->base, modes);
  for (int k = 0; k < f->variant_count; k++)
    for (int i = 0; i < DIFFERENCE_POINTS; i++) picus_field_set_modes(&f->variants[k].fields[i], modes);
}

static void set_tolerances(flow *f, const double *y) {
  const size_t n = (size_t)f->n;
  for (size_t i = 0; i < n; i++) f->tolerance[i] = STATE_TOLERANCE * f->size[i];
  for (size_t c = 1; y && c <= (size_t)f->columns; c++) {
    const int variant = f->variant_of[c - 1];
    double largest = variant >= 0 ? PICUS_DIFFERENCE / f->variants[variant].h : 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(y[c * n + i]) / f->size[i]);
    if (largest == 0) largest = 1;
    for (size_t i = 0; i < n; i++) f->tolerance[c * n + i] = TANGENT_TOLERANCE * f->size[i] * largest;
  }
}

static picus_status fail_steps(const flow *f, double t) {
  return picus_fail(f->context, PICUS_ERROR_STEP,
                    "the motion cannot be followed beyond t = %.9g: it is not smooth there, or too stiff", t);
}

/* A step that leaves the range of expressions was too long: it is as one that is not accurate, unless it is the
 * shortest.
 */
static picus_status try_step(flow *f, bool together, smooth_interval over, const double *y, double *end, int *columns) {
  smooth_step *s = together ? &f->together : &f->alone;
  const smooth_problem p = {together ? tangent_rate : state_rate, f, f->tolerance};
  const picus_status status = picus_smooth_step(s, &p, over, y, end, columns);
  const bool is_shortest = over.h <= 64 * DBL_EPSILON * fmax(fabs(over.t), over.h);
  if (status == PICUS_ERROR_MEMORY || status == PICUS_INTERRUPTED || is_shortest) return status;
  if (status) *columns = 0;
  return PICUS_OK;
}

/* From t to t_end, in steps of at most `longest`. y is replaced. */
static picus_status integrate(flow *f, bool together, double *t, double t_end, double longest, double *y) {
  const size_t count = together ? f->together.size : f->alone.size;
  double h = longest;
  for (long steps = 0; *t < t_end; steps++) {
    const bool is_last = *t + h >= t_end;
    const double size = is_last ? t_end - *t : h;
    int columns;
    if (together) set_tolerances(f, y);
    picus_status status = try_step(f, together, (smooth_interval){*t, size}, y, f->y_next, &columns);
    if (status) return status;
    if (steps > STEPS_MOST || (columns == 0 && size <= 8 * DBL_EPSILON * fmax(fabs(*t), longest)))
      return fail_steps(f, *t);
    if (columns > 0) {
      memcpy(y, f->y_next, count * sizeof *y);
      *t = is_last ? t_end : *t + size;
    }
    if (columns == 0 || !is_last) h = fmin(picus_smooth_next(size, columns), longest);
  }
  return PICUS_OK;
}

/* --- margins --------------------------------------------------------------------------------------------------------
 */

static bool can_open(const picus_system_law *law) {
  return law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
}

static void begin_margins(flow *f) {
  f->margins = (flow_margins){.velocity = INFINITY,
                              .velocity_law = -1,
                              .reserve = INFINITY,
                              .reserve_law = -1,
                              .gap = INFINITY,
                              .gap_law = -1,
                              .force = INFINITY,
                              .force_law = -1,
                              .side = -1};
  for (int i = 0; i < f->base.laws; i++) {
    f->gap_least[i] = f->force_least[i] = INFINITY;
    f->gap_most[i] = f->force_most[i] = 0;
  }
}

/* The least value inside an interval of the cubic with these values and slopes at its ends; INFINITY: it has none.
 */
static double lowest(double h, double a, double slope_a, double b, double slope_b) {
  double least = b < 0 ? b : INFINITY;
  if (!(slope_a < 0 && slope_b > 0)) return least;
  for (int k = 1; k < 32; k++) {
    const double s = k / 32., r = 1 - s;
    const double value = r * r * (1 + 2 * s) * a + s * s * (3 - 2 * s) * b + h * s * r * (r * slope_a - s * slope_b);
    least = fmin(least, value);
  }
  return least;
}

/* The force of a law that ends the phase comes to its bound there: that is no margin. */
static bool ends_phase(const phase *p, trigger_kind kind, int law) {
  for (int k = 0; k < p->end.trigger_count; k++)
    if (p->end.triggers[k].kind == kind && p->end.triggers[k].index == law) return true;
  return false;
}

/* At the end of a step of size h of a phase; 0: at its start. is_end: the trigger ends it there. */
static picus_status note_margins(flow *f, const phase *p, double h, bool is_end) {
  field *b = &f->base;
  picus_status status = picus_evaluate_gaps(b->at, b->gaps);
  for (int i = 0; !status && i < b->laws; i++) {
    const picus_system_law *law = &f->system->fixed.laws[i].data;
    const double rate = b->gamma[law->first_row], gap = b->gaps[i];
    if (can_open(law) && law->has_gap && p->modes.modes[i] == PICUS_OPEN) {
      f->gap_most[i] = fmax(f->gap_most[i], fabs(gap));
      if (h > 0 && !is_end)
        f->gap_least[i] = fmin(f->gap_least[i], lowest(h, f->gap_last[i], f->gap_rate[i], gap, rate));
    }
    f->gap_last[i] = gap;
    f->gap_rate[i] = rate;
    if (is_end || h == 0) continue;
    if (can_open(law) && p->modes.modes[i] != PICUS_OPEN && !ends_phase(p, TRIGGER_OPENS, i)) {
      f->force_least[i] = fmin(f->force_least[i], b->lambda[law->first_row]);
      f->force_most[i] = fmax(f->force_most[i], fabs(b->lambda[law->first_row]));
    }
    if (law->slips == 0 || p->modes.modes[i] != PICUS_STICK || law->kind == PICUS_BILATERAL ||
        ends_phase(p, TRIGGER_SLIPS, i))
      continue;
    const double *force = b->lambda + law->first_row + law->dim - law->slips;
    const double bound = b->coefficients[i].radius * (law->kind == PICUS_RESERVOIR ? 1 : b->lambda[law->first_row]);
    const double reserve = 1 - picus_length(law->slips, force) / bound;
    if (!(reserve >= f->margins.reserve)) {
      f->margins.reserve = reserve;
      f->margins.reserve_law = i;
    }
  }
  return status;
}

static void end_margins(flow *f) {
  for (int i = 0; i < f->base.laws; i++) {
    if (f->gap_most[i] > 0 && f->gap_least[i] / f->gap_most[i] < f->margins.gap) {
      f->margins.gap = f->gap_least[i] / f->gap_most[i];
      f->margins.gap_law = i;
    }
    if (f->force_most[i] > 0 && f->force_least[i] / f->force_most[i] < f->margins.force) {
      f->margins.force = f->force_least[i] / f->force_most[i];
      f->margins.force_law = i;
    }
  }
}

/* --- the end of a phase ----------------------------------------------------------------------------------------------
 */

/* The values of the triggers at a state. */
static picus_status evaluate_triggers(flow *f, const phase_end *e, double t, const double *x, double *values) {
  picus_status status = picus_field_evaluate(&f->base, t, x);
  for (int k = 0; !status && k < e->trigger_count; k++)
    status = picus_trigger_value(&f->base, &e->triggers[k], &values[k]);
  return status;
}

/* A step in which a trigger changes its sign. */
typedef struct bracket {
  int trigger;
  double t, h;     /* of the step */
  const double *x; /* at its start */
  double from, to; /* values of the trigger at both ends */
} bracket;

/* The size of the step that ends at the zero, by the secant method with halving (Illinois). */
static picus_status find_zero(flow *f, const phase_end *e, const bracket *b, double *size) {
  double low = 0, high = b->h, at_low = b->from, at_high = b->to, values[TRIGGERS_MOST];
  picus_status status = PICUS_OK;
  *size = b->h;
  for (int i = 0; !status && i < 200; i++) {
    double next = low + (high - low) * at_low / (at_low - at_high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (high - low <= 2 * DBL_EPSILON * fmax(fabs(b->t), b->h) || next == low || next == high) break;
    int columns;
    status = try_step(f, false, (smooth_interval){b->t, next}, b->x, f->y_next, &columns);
    if (!status && columns == 0) return fail_steps(f, b->t);
    if (!status) status = evaluate_triggers(f, e, b->t + next, f->y_next, values);
    const double value = values[b->trigger];
    *size = next;
    if (status || value == 0) break;
    if (value > 0) {
      if (low > 0 && i > 0) at_high *= 0.5;
      low = next;
      at_low = value;
    } else {
      if (high < b->h && i > 0) at_low *= 0.5;
      high = next;
      at_high = value;
    }
  }
  return status;
}

static const char *trigger_name(const flow *f, const trigger *g) {
  if (g->kind == TRIGGER_SIDE) return picus_switch_text(f->system, g->index);
  return g->kind == TRIGGER_TIME || g->kind == TRIGGER_END ? "a time" : f->system->fixed.laws[g->index].data.name;
}

static picus_status fail_sequence(const flow *f, const trigger *g, double t) {
  static const char *const verbs[] = {"ends", "ends", "closes", "closes", "opens", "slips", "sticks", "changes"};
  if (g->kind == TRIGGER_GAP)
    return picus_fail(f->context, PICUS_NO_SOLUTION,
                      "'%s' grazes, or its impacts accumulate, after t = %.9g: it closes in the adaptive run, but the "
                      "motion along its sequence does "
                      "not reach it",
                      trigger_name(f, g), t);
  return picus_fail(f->context, PICUS_NO_SOLUTION,
                    "the sequence of switching points is another one: '%s' no longer %s after t = %.9g",
                    trigger_name(f, g), verbs[g->kind], t);
}

/* Advances the state x from *t to the end of a phase; *which is its trigger. */
static picus_status find_end(flow *f, const phase *p, const phase_end *e, double *t, double *x, int *which) {
  const double begin = *t, expected = p->t_end - p->t_begin, longest = expected / STEPS_LEAST;
  double values[TRIGGERS_MOST], before[TRIGGERS_MOST], h = longest;
  bool armed[TRIGGERS_MOST] = {false};
  set_tolerances(f, NULL);
  picus_status status = evaluate_triggers(f, e, *t, x, before);
  if (!status) status = note_margins(f, p, 0, false);
  for (long steps = 0; !status; steps++) {
    int columns, first = -1;
    double size = h;
    for (int k = 0; k < e->trigger_count; k++) /* known times are met exactly */
      if (e->triggers[k].kind <= TRIGGER_TIME && *t + size >= e->triggers[k].t) size = e->triggers[k].t - *t;
    status = try_step(f, false, (smooth_interval){*t, size}, x, f->y_next, &columns);
    if (status) break;
    if (steps > STEPS_MOST || (columns == 0 && size < 8 * DBL_EPSILON * fmax(fabs(*t), longest)))
      return fail_steps(f, *t);
    h = fmin(picus_smooth_next(size, columns), longest);
    if (columns == 0) continue;
    memcpy(f->x_after, f->y_next, (size_t)f->n * sizeof *x);
    status = evaluate_triggers(f, e, *t + size, f->x_after, values);
    double zero = size;
    for (int k = 0; !status && k < e->trigger_count; k++) {
      const bool is_time = e->triggers[k].kind <= TRIGGER_TIME;
      double end = size;
      if (values[k] > 0 && !(is_time && *t + size >= e->triggers[k].t)) {
        armed[k] = true;
        continue;
      }
      if (is_time && !(*t + size >= e->triggers[k].t)) continue;
      if (!is_time && !armed[k]) {
        if (e->trigger_count > 1) continue;
        return fail_sequence(f, &e->triggers[k], *t);
      }
      const bracket around = {k, *t, size, x, before[k], values[k]};
      if (!is_time) status = find_zero(f, e, &around, &end);
      if (first < 0 || end < zero) {
        first = k;
        zero = end;
      }
    }
    if (!status && first >= 0 && zero < size) {
      status = try_step(f, false, (smooth_interval){*t, zero}, x, f->x_after, &columns);
      if (!status) status = picus_field_evaluate(&f->base, *t + zero, f->x_after);
    }
    if (!status) status = note_margins(f, p, zero, first >= 0);
    *t = first >= 0 && e->triggers[first].kind <= TRIGGER_TIME ? e->triggers[first].t : *t + zero;
    memcpy(x, f->x_after, (size_t)f->n * sizeof *x);
    memcpy(before, values, sizeof before);
    *which = first;
    if (first >= 0) return status;
    if (*t - begin > 4 * expected + (p->t_end - p->t_begin)) return fail_sequence(f, &e->triggers[0], begin);
  }
  return status;
}

/* --- derivatives at a switching point
 * --------------------------------------------------------------------------------- */

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
static int row_of(const flow *f, const trigger *g) {
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
    *out = b->gamma[row_of(f, g)];
    return PICUS_OK;
  }
  if (!is_velocity(g)) return differentiate_trigger(f, g, &(direction){t, 1, time, f->rate_before}, out);
  const int row = row_of(f, g);
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
  const int row = row_of(f, g);
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
static picus_status reset(flow *f, field *b, const phase_end *e, double t, const double *x, double *x_after) {
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
    status = reset(f, &f->base, e, d->t + s * d->dt, f->shift, f->y_next);
    for (int i = 0; i < f->n; i++) sum[i] += picus_difference_weights[k] / h * f->y_next[i];
  }
  return status;
}

static picus_status reset_by_parameter(flow *f, variants *v, const phase_end *e, double t, double *sum) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < DIFFERENCE_POINTS; k++) {
    status = reset(f, &v->fields[k], e, t, f->x_before, f->y_next);
    for (int i = 0; i < f->n; i++) sum[i] += v->weights[k] / v->h * f->y_next[i];
  }
  return status;
}

/* A relative velocity that is zero, compared with its terms, at a contact that closes. */
static bool grazes(const flow *f, const trigger *g, double rate) {
  const field *b = &f->base;
  if (g->kind != TRIGGER_GAP) return rate == 0 || !isfinite(rate);
  const int row = row_of(f, g);
  double terms = fabs(b->chi[row]);
  for (int j = 0; j < b->nu; j++) terms += fabs(b->W[row * b->nu + j]) * f->size[b->nq + j];
  return !(fabs(rate) > GRAZING * terms);
}

/* The changes of the time of the switching point. x_before, rate_before: there. */
static picus_status find_time_changes(flow *f, const trigger *g, double t, double time, const double *y) {
  const size_t n = (size_t)f->n;
  double rate, change;
  picus_status status = picus_evaluate_gap_jacobian(f->base.at, f->gap_q);
  if (!status) status = trigger_rate(f, g, t, time, &rate);
  if (status) return status;
  if (grazes(f, g, rate))
    return picus_fail(
        f->context, PICUS_NO_SOLUTION,
        "'%s' grazes at t = %.9g: it reaches its switching point with the velocity 0, where derivatives are "
        "infinite",
        trigger_name(f, g), t);
  if (!status && !(g->kind <= TRIGGER_GAP) && !is_velocity(g)) status = picus_field_evaluate(&f->base, t, f->x_before);
  for (size_t c = 0; !status && c < (size_t)f->columns; c++) {
    status = trigger_change(f, g, t, y + (c + 1) * n, time, &change);
    if (!status && f->variant_of[c] >= 0) {
      status = trigger_by_parameter(f, &f->variants[f->variant_of[c]], g, t, &f->value[c]);
      change += f->value[c];
    }
    f->dt[c] = -change / rate;
  }
  return status;
}

/* dx + f- dt through the reset. Events, and impacts with coefficients that vary, are differentiated by differences. */
static picus_status jump_tangents(flow *f, const phase_end *e, double t, double time, double *y) {
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

/* --- switching points that are passed
 * ---------------------------------------------------------------------------------- */

static picus_orbit_change change_of(const phase_end *e, const trigger *g) {
  if (e->event >= 0) return PICUS_CHANGE_EVENT;
  if (e->jump == FLOW_IMPACT) return PICUS_CHANGE_IMPACT;
  switch (g->kind) {
  case TRIGGER_CLUTCH:
    return PICUS_CHANGE_CLOSES;
  case TRIGGER_OPENS:
    return PICUS_CHANGE_OPENS;
  case TRIGGER_SLIPS:
    return PICUS_CHANGE_SLIPS;
  case TRIGGER_STICKS:
    return PICUS_CHANGE_STICKS;
  case TRIGGER_SIDE:
    return PICUS_CHANGE_SWITCH;
  default:
    return PICUS_CHANGE_TIME;
  }
}

static picus_status note_point(flow *f, const phase *p, const mode_set *after, const trigger *g, double t) {
  if (picus_grow(f->context, &f->points, f->point_count, &f->point_capacity, sizeof *f->points))
    return PICUS_ERROR_MEMORY;
  picus_orbit_point *to = &f->points[f->point_count++];
  *to = (picus_orbit_point){
      .t = t, .change = change_of(&p->end, g), .velocity = NAN, .name = trigger_name(f, g), .law = -1};
  if (p->end.event >= 0) to->name = f->system->controls->events[p->end.event].name;
  if (g->kind >= TRIGGER_GAP && g->kind != TRIGGER_SIDE) {
    to->law = g->index;
    to->from = p->modes.modes[g->index];
    to->to = after ? after->modes[g->index] : to->from;
    if (to->change == PICUS_CHANGE_STICKS && to->to == PICUS_SLIP) to->change = PICUS_CHANGE_REVERSES;
  }
  if (g->kind != TRIGGER_GAP) return PICUS_OK;
  to->velocity = -f->base.gamma[row_of(f, g)];
  if (!(to->velocity >= f->margins.velocity)) {
    f->margins.velocity = to->velocity;
    f->margins.velocity_law = g->index;
  }
  return PICUS_OK;
}

/* --- the motion
 * --------------------------------------------------------------------------------------------------------- */

/* The modes that an impact has, from those before it. */
static picus_status strike(flow *f, const phase *p, double t, const double *x) {
  if (p->end.jump != FLOW_IMPACT) return PICUS_OK;
  picus_mode_set_copy(f->system, &p->modes, &f->struck);
  f->struck.modes[p->end.law] = PICUS_STICK;
  return picus_jump_impact(&f->base, t, x, &f->struck, true, f->x_after);
}

/* The tangents of a phase from t to f->t, with stops on the way. */
static picus_status carry_tangents(flow *f, const flow_path *path, double t, double longest, double *y) {
  const double t_end = f->t;
  picus_status status = PICUS_OK;
  for (int *k = &f->next_stop; !status && *k < path->stop_count && path->stops[*k] <= t_end; (*k)++) {
    if (path->stops[*k] > t) status = integrate(f, true, &t, path->stops[*k], longest, y);
    if (!status) status = path->stop(path->user, t, y);
  }
  return status || t >= t_end ? status : integrate(f, true, &t, t_end, longest, y);
}

/* The modes of a phase hold at its start: laws that hold have no velocity. The driver closes a contact whose bounces
 * become too short to be resolved, but its impacts do not end there. */
static picus_status check_start(flow *f, const double *x) {
  const field *b = &f->base;
  const picus_status status = picus_field_evaluate(&f->base, f->t, x);
  for (int k = 0; !status && k < b->held_count; k++) {
    const int row = b->held[k];
    double terms = fabs(b->chi[row]);
    for (int j = 0; j < b->nu; j++) terms += fabs(b->W[row * b->nu + j]) * f->size[b->nq + j];
    if (fabs(b->gamma[row]) <= MOVING * terms) continue;
    int i = 0;
    while (b->system->fixed.laws[i].data.first_row + b->system->fixed.laws[i].data.dim <= row) i++;
    return picus_fail(
        f->context, PICUS_ERROR_UNSUPPORTED,
        "'%s' is closed from t = %.9g on, but its velocity %.3g there is not 0: its impacts accumulate, or "
        "it does not hold at the start; derivatives cannot pass this",
        b->system->fixed.laws[i].data.name, f->t, b->gamma[row]);
  }
  return status;
}

/* A motion that follows a run is near its states: otherwise something happened that the sequence does not show, such as
 * several events at once. After check_start, which has the rates. */
static picus_status check_run(const flow *f, const phase *p, const double *x) {
  const double dt = p->t_x - f->t;
  for (int i = 0; i < f->n; i++) {
    const double way = f->base.rate[i] * dt;
    if (fabs(x[i] + way - p->x[i]) <= ASTRAY * f->size[i] + fabs(way)) continue;
    return picus_fail(
        f->context, PICUS_ERROR_UNSUPPORTED,
        "after the switching point at t = %.9g the motion is not that of the adaptive run: several things "
        "happened at once, or the tolerances are too loose",
        f->t);
  }
  return PICUS_OK;
}

/* One phase with its end. together: with tangents. */
static picus_status follow_phase(flow *f, const flow_path *path, int k, bool together, double *y) {
  const sequence *s = path->sequence;
  const phase *p = &s->phases[path->first + k];
  const bool is_last = k + 1 == path->count;
  const mode_set *after = path->first + k + 1 < s->count ? &s->phases[path->first + k + 1].modes : NULL;
  const double begin = f->t;
  phase_end end = p->end;
  int which = 0;
  if (is_last && !path->is_section) {
    end = (phase_end){.trigger_count = 1, .law = -1, .event = -1};
    end.triggers[0] = (trigger){.kind = TRIGGER_END, .t = path->t_end};
  }
  if (end.refusal) return picus_fail(f->context, end.status, "%s", end.refusal);
  set_modes(f, &p->modes);
  memcpy(f->x_before, y, (size_t)f->n * sizeof *y);
  picus_status status = check_start(f, y);
  if (!status && path->is_of_run) status = check_run(f, p, y);
  if (!status) status = find_end(f, p, &end, &f->t, f->x_before, &which);
  if (status) return status;
  const double t = f->t, time = fmax(t - begin, 1e-3 * (p->t_end - p->t_begin));
  const trigger *g = &end.triggers[which];
  if (together) status = carry_tangents(f, path, begin, (p->t_end - p->t_begin) / 4, y);
  if (!status) status = picus_field_evaluate(&f->base, t, f->x_before);
  memcpy(f->rate_before, f->base.rate, (size_t)f->n * sizeof(double));
  if (!status && g->kind != TRIGGER_END) status = note_point(f, p, after, g, t);
  memset(f->dt, 0, (size_t)f->columns * sizeof *f->dt);
  if (status || g->kind == TRIGGER_END) {
    memcpy(y, f->x_before, (size_t)f->n * sizeof *y);
    return status;
  }
  if (together) status = picus_field_prepare(&f->base);
  if (!status && together) status = find_time_changes(f, g, t, time, y);
  if (!status) status = strike(f, p, t, f->x_before);
  if (!status && together) status = jump_tangents(f, &end, t, time, y);
  if (!status) status = reset(f, &f->base, &end, t, f->x_before, y);
  if (status || is_last || !together) return status;
  set_modes(f, after);
  status = picus_field_evaluate(&f->base, t, y);
  for (int c = 0; !status && c < f->columns; c++)
    for (int i = 0; i < f->n; i++) y[(c + 1) * f->n + i] -= f->base.rate[i] * f->dt[c];
  return status;
}

static picus_status follow(flow *f, const flow_path *path, bool together, double *y) {
  picus_status status = PICUS_OK;
  f->next_stop = 0;
  f->size = path->sequence->size;
  f->t = path->t;
  f->point_count = 0;
  begin_margins(f);
  for (int k = 0; !status && k < path->count; k++) status = follow_phase(f, path, k, together, y);
  end_margins(f);
  return status;
}

picus_status picus_flow_follow(flow *f, const flow_path *path, double *y) { return follow(f, path, true, y); }

picus_status picus_flow_follow_state(flow *f, const flow_path *path, double *x) { return follow(f, path, false, x); }

/* --- the start
 * ----------------------------------------------------------------------------------------------------------- */

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
  set_modes(f, modes);
  picus_status status = rows && right ? picus_field_evaluate(&f->base, path->t, y) : PICUS_ERROR_MEMORY;
  if (!status) status = picus_field_prepare(&f->base);
  if (!status) status = picus_evaluate_gap_jacobian(f->base.at, f->gap_q);
  for (int c = 0; !status && c < f->columns; c++)
    if (f->variant_of[c] < 0) project(f, modes, y + (size_t)(c + 1) * (size_t)f->n, rows, right);
  picus_release(f->context, rows);
  picus_release(f->context, right);
  return status;
}
