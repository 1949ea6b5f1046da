/* The motion along a sequence of phases, to round-off, with tangents. */
#include "flow/conditions.h"

#include "model/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STATE_TOLERANCE 1e-13   /* of a number, relative to its size */
#define TANGENT_TOLERANCE 1e-12 /* the same */
#define MOVING 1e-6             /* of the terms of a relative velocity: it is not zero */
#define ASTRAY 1e-2             /* of the size of a number: another motion */

/* --- creation ----------------------------------------------------------------------------------------------------- */

picus_status picus_flow_load(picus_context *context, const picus_model *of, const picus_override *override,
                             picus_model **model, picus_system **system) {
  const size_t files = (size_t)picus_model_file_count(of);
  picus_model_file *named = picus_allocate(context, files, sizeof *named);
  if (!named) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < files; k++) named[k] = picus_model_file_at(of, (int)k);
  picus_override *all = picus_allocate(context, (size_t)picus_model_parameter_count(of) + 1, sizeof *all);
  int count = 0;
  for (int k = 0; all && k < picus_model_parameter_count(of); k++) {
    const picus_parameter p = picus_model_parameter(of, k);
    if (strcmp(p.name, override->name) != 0) all[count++] = (picus_override){p.name, p.value};
  }
  if (all) all[count++] = *override;
  const picus_load_options options = {
      .override_count = count, .overrides = all, .has_files = true, .file_count = (int)files, .files = named};
  const char *text = picus_model_source(of);
  picus_status status = all ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = picus_model_load_text(context, picus_model_name(of), text, strlen(text), &options, model);
  if (!status) status = picus_model_repeat_crossings(*model, of);
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
    status = picus_flow_load(f->context, def->model, &override, &v->models[k], &v->systems[k]);
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
                {&f->gap_q, laws * (size_t)f->base.nq}};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    if (!(*arrays[k].place = picus_allocate(f->context, arrays[k].count, sizeof(double)))) return PICUS_ERROR_MEMORY;
  f->variant_of = picus_allocate(f->context, columns, sizeof *f->variant_of);
  f->variants = picus_allocate(f->context, (size_t)f->variant_count, sizeof *f->variants);
  return f->variant_of && f->variants ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_flow_explain(picus_context *context, picus_status status) {
  char message[400];
  if (status != PICUS_ERROR_NUMBER) return status;
  snprintf(message, sizeof message, "%s", picus_last_error(context)->message);
  return picus_fail(
      context, status,
      "first and second derivatives of the equations are needed, also of open contacts; they do not exist "
      "everywhere, as at the centre of a hole. Begin elsewhere: %s",
      message);
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
  void *const blocks[] = {f->tolerance, f->y,  f->y_next, f->rate_before, f->rate_after, f->x_before, f->x_after,
                          f->shift,     f->dt, f->value,  f->gap_q,       f->variant_of, f->variants, f->points};
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

void picus_flow_set_modes(flow *f, const mode_set *modes) {
  picus_field_set_modes(&f->base, modes);
  for (int k = 0; k < f->variant_count; k++)
    for (int i = 0; i < DIFFERENCE_POINTS; i++) picus_field_set_modes(&f->variants[k].fields[i], modes);
}

void picus_flow_set_tolerances(flow *f, const double *y) {
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

picus_status picus_flow_fail_steps(const flow *f, double t) {
  return picus_fail(f->context, PICUS_ERROR_STEP,
                    "the motion cannot be followed beyond t = %.9g: it is not smooth there, or too stiff", t);
}

/* A step that leaves the range of expressions was too long: it is as one that is not accurate, unless it is the
 * shortest.
 */
picus_status picus_flow_try_step(flow *f, bool together, smooth_interval over, const double *y, double *end,
                                 int *columns) {
  *columns = 0;
  if (picus_flow_is_stopped(f->interrupt))
    return picus_fail(f->context, PICUS_INTERRUPTED, "interrupted while the motion is followed at t = %.9g", over.t);
  smooth_step *s = together ? &f->together : &f->alone;
  const smooth_problem p = {together ? tangent_rate : state_rate, f, f->tolerance};
  const picus_status status = picus_smooth_step(s, &p, over, y, end, columns);
  const bool is_shortest = over.h <= 64 * DBL_EPSILON * fmax(fabs(over.t), over.h);
  if (status == PICUS_ERROR_MEMORY || status == PICUS_INTERRUPTED || is_shortest) return status;
  if (status) *columns = 0;
  return PICUS_OK;
}

picus_status picus_flow_carry(flow *f, bool together, double t, double d, double longest, double *y) {
  const size_t count = together ? f->together.size : f->alone.size;
  double done = 0, h = copysign(longest, d);
  for (long steps = 0; done != d; steps++) {
    const double rest = d - done, size = fabs(rest) <= fabs(h) * (1 + 1e-9) ? rest : h;
    int columns;
    picus_flow_set_tolerances(f, together ? y : NULL);
    const picus_status status =
        picus_flow_try_step(f, together, (smooth_interval){t + done, size}, y, f->y_next, &columns);
    if (status) return status;
    if (steps > STEPS_MOST || (columns == 0 && fabs(size) <= 8 * DBL_EPSILON * fmax(fabs(t), fabs(d))))
      return picus_flow_fail_steps(f, t + done);
    if (columns > 0) {
      memcpy(y, f->y_next, count * sizeof *y);
      done = size == rest ? d : done + size;
    }
    if (columns == 0 || size == h) h = copysign(fmin(fabs(picus_smooth_next(size, columns)), fabs(longest)), d);
  }
  return PICUS_OK;
}

/* --- switching points that are passed
 * ---------------------------------------------------------------------------------- */

picus_orbit_change picus_flow_change_of(const phase_end *e, const trigger *g) {
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
  *to = (picus_orbit_point){.t = t,
                            .change = picus_flow_change_of(&p->end, g),
                            .velocity = NAN,
                            .name = picus_flow_trigger_name(f, g),
                            .law = -1};
  if (p->end.event >= 0) to->name = f->system->controls->events[p->end.event].name;
  if (g->kind >= TRIGGER_GAP && g->kind != TRIGGER_SIDE) {
    to->law = g->index;
    to->from = p->modes.modes[g->index];
    to->to = after ? after->modes[g->index] : to->from;
    if (to->change == PICUS_CHANGE_STICKS && to->to == PICUS_SLIP) to->change = PICUS_CHANGE_REVERSES;
  }
  if (g->kind != TRIGGER_GAP) return PICUS_OK;
  to->velocity = -f->base.gamma[picus_flow_row_of(f, g)];
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
  picus_status status = PICUS_OK;
  for (int *k = &f->next_stop; !status && *k < path->stop_count && path->stops[*k] <= f->t; (*k)++) {
    const double stop = fmax(t, path->stops[*k]);
    status = picus_flow_carry(f, true, t, stop - t, longest, y);
    t = stop;
    if (!status) status = path->stop(path->user, t, y);
  }
  return status ? status : picus_flow_carry(f, true, t, f->t - t, longest, y);
}

/* The modes of a phase hold at its start: laws that hold have no velocity. The driver closes a contact whose bounces
 * become too short to be resolved, but its impacts do not end there. */
static picus_status check_start(flow *f, const double *x) {
  const field *b = &f->base;
  const picus_status status = picus_field_evaluate(&f->base, f->t, x);
  for (int k = 0; !status && k < b->held_count; k++) {
    const int row = b->held[k];
    if (fabs(b->gamma[row]) <= MOVING * picus_velocity_terms(f, row)) continue;
    const int i = picus_law_of_row(b->system, row);
    return picus_fail(
        f->context, PICUS_ERROR_UNSUPPORTED,
        "'%s' is closed from t = %.9g on, but its velocity %.3g there is not 0: its impacts accumulate, or "
        "it does not hold at the start; derivatives cannot pass this",
        b->system->fixed.laws[i].data.name, f->t, b->gamma[row]);
  }
  return status;
}

/* A motion that follows a run is near its states: otherwise something happened that the sequence does not show, such as
 * several events at once. The state of the run is that after a step, which may be long: the motion is followed so far.
 * After check_start, which has the rates. */
static picus_status check_run(flow *f, const phase *p, const double *x) {
  const double dt = p->t_x - f->t;
  double *there = f->x_after;
  for (int i = 0; i < f->n; i++) f->shift[i] = fabs(f->base.rate[i] * dt);
  memcpy(there, x, (size_t)f->n * sizeof *x);
  const picus_status status = picus_flow_carry(f, false, f->t, dt, fabs(dt), there);
  if (status) return status;
  for (int i = 0; i < f->n; i++) {
    if (fabs(there[i] - p->x[i]) <= ASTRAY * f->size[i] + f->shift[i]) continue;
    return picus_fail(
        f->context, PICUS_ERROR_UNSUPPORTED,
        "after the switching point at t = %.9g the motion is not that of the adaptive run: several things "
        "happened at once, or the tolerances are too loose",
        f->t);
  }
  return PICUS_OK;
}

/* After its end: the conditions of a phase that begins with the state x; the field is at its end again. */
static picus_status check_phase(flow *f, const flow_path *path, int k, double begin, const trigger *ends,
                                const double *x) {
  const phase *p = &path->sequence->phases[path->first + k];
  const stretch s = {.phase = path->first + k,
                     .modes = &p->modes,
                     .before = k > 0              ? &f->passed
                               : path->is_section ? &path->sequence->phases[path->first - 1].end.triggers[0]
                                                  : NULL,
                     .ends = ends,
                     .t = begin,
                     .d = f->t - begin,
                     .x = x};
  const picus_status status = picus_flow_check_phase(f, path->check, &s);
  return status ? status : picus_field_evaluate(&f->base, f->t, f->x_before);
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
  picus_flow_set_modes(f, &p->modes);
  memcpy(f->x_before, y, (size_t)f->n * sizeof *y);
  picus_status status = check_start(f, y);
  if (!status && path->is_of_run) status = check_run(f, p, y);
  if (!status) status = picus_flow_find_end(f, p, &end, &f->t, f->x_before, &which);
  if (status) return status;
  const double t = f->t, time = fmax(t - begin, 1e-3 * (p->t_end - p->t_begin));
  const trigger *g = &end.triggers[which];
  if (together) status = carry_tangents(f, path, begin, (p->t_end - p->t_begin) / 4, y);
  if (!status) status = picus_field_evaluate(&f->base, t, f->x_before);
  memcpy(f->rate_before, f->base.rate, (size_t)f->n * sizeof(double));
  if (!status && path->check) status = check_phase(f, path, k, begin, g, y);
  if (!status && g->kind != TRIGGER_END) status = note_point(f, p, after, g, t);
  memset(f->dt, 0, (size_t)f->columns * sizeof *f->dt);
  f->passed = *g;
  if (status || g->kind == TRIGGER_END) {
    memcpy(y, f->x_before, (size_t)f->n * sizeof *y);
    return status;
  }
  if (together) status = picus_field_prepare(&f->base);
  if (!status && together) status = picus_flow_find_time_changes(f, g, t, time, y);
  if (!status) status = strike(f, p, t, f->x_before);
  if (!status && together) status = picus_flow_jump_tangents(f, &end, t, time, y);
  if (!status) status = picus_flow_reset(f, &f->base, &end, t, f->x_before, y);
  if (status || is_last || !together) return status;
  picus_flow_set_modes(f, after);
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
  f->margins = (flow_margins){
      .velocity = INFINITY, .velocity_law = -1, .reserve = INFINITY, .reserve_law = -1, .gap = INFINITY, .gap_law = -1};
  for (int k = 0; !status && k < path->count; k++) status = follow_phase(f, path, k, together, y);
  return status;
}

picus_status picus_flow_follow(flow *f, const flow_path *path, double *y) { return follow(f, path, true, y); }

picus_status picus_flow_follow_state(flow *f, const flow_path *path, double *x) { return follow(f, path, false, x); }
