/* The sequence of smooth phases that an adaptive run finds: which laws hold, which slip, and what ends each phase.
 *
 * The driver resolves a switching point in a few steps of dt_min. A phase that is not longer is no phase, but part of
 * the switching point before it: a contact that strikes and opens at once has slipped for one step. */
#include "flow/internal.h"
#include "model/internal.h"
#include "sim/internal.h"
#include "system/switches.h"

#include <math.h>
#include <string.h>

#define YOUNG 5.5  /* times dt_min: shorter phases belong to a switching point */
#define DENSE 1e-6 /* of the run: impacts of a contact in shorter intervals accumulate */
#define HELD 1e-2  /* of what forces do in a step from rest; the tolerance of a state is then 5 round-offs of it */

enum { SEVERAL_CONTACTS = -1, SEVERAL_EVENTS = -2 }; /* in place of the number of triggers */

/* What a step shows besides its modes. */
typedef struct step_signs {
  double t_begin, t_end;
  const double *sides; /* NULL: there are none */
  int struck;          /* open contact that struck; -1: none */
  int struck_count;    /* contacts and constraints that struck */
  int closing;         /* open contacts among them */
  int event;           /* of the model, at the start of the step; -1: none */
  int events;          /* their number */
  bool is_stop;        /* the step before ended at a stop time */
} step_signs;

typedef struct recording {
  sequence *s;
  picus_sim *sim;
  field forces; /* the motion without its laws */
  double dt_min;
  picus_law_state *laws;
  double *impacts; /* laws: counted so far */
  long *event_counts;
  bool stop_before;
  int event_before, events_before;
} recording;

/* --- messages ----------------------------------------------------------------------------------------------------- */

static const char *law_name(const sequence *s, int law) { return s->system->fixed.laws[law].data.name; }

static picus_status refuse(const sequence *s, int law, double t, const char *why) {
  return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED, "'%s' %s at t = %.9g", law_name(s, law), why, t);
}

/* --- what a flow can follow ----------------------------------------------------------------------------------------
 */

static picus_status check_law(const sequence *s, int index, const picus_sim_options *options) {
  const picus_system_law *law = &s->system->fixed.laws[index].data;
  const picus_impact_law impact = law->impact ? law->impact : options->impact;
  const char *what = NULL;
  if (law->kind == PICUS_ROLLING) what = "rolling friction";
  if (law->loaded) what = "friction of a joint";
  if (law->displaced) what = "a preload";
  if (law->adhesion > 0) what = "adhesion";
  if ((law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB) && impact && impact != PICUS_IMPACT_NEWTON)
    what = "another impact law than Newton's";
  if (!what) return PICUS_OK;
  return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                    "law '%s' has %s; sensitivities and orbits have no derivatives of it yet", law->name, what);
}

static picus_status check_system(const sequence *s, const picus_sim_options *options) {
  const picus_system *system = s->system;
  if (system->appears)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "contacts of shapes have no derivatives yet: sensitivities and orbits need declared contacts");
  if (!options->adaptive)
    return picus_fail(s->context, PICUS_ERROR_ARGUMENT,
                      "sensitivities and orbits need an adaptive run, which finds the switching points; set adaptive");
  if (system->switch_count > 0 && !system->has_sides)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "the functions of this system switch in a way that sensitivities cannot follow");
  for (int k = 0; system->controls && k < system->controls->sampled_count; k++)
    if (system->controls->sampled[k].every > 0)
      return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                        "state '%s' is sampled; sensitivities and orbits have no derivatives of sampled states",
                        system->input_names[system->controls->sampled[k].input].name);
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < system->fixed.law_count; i++) status = check_law(s, i, options);
  return status;
}

/* --- phases ------------------------------------------------------------------------------------------------------- */

static picus_status open_phase(recording *r, double t) {
  sequence *s = r->s;
  const size_t n = (size_t)s->system->nq + (size_t)s->system->nu;
  const picus_state state = picus_sim_state(r->sim);
  if (picus_grow(s->context, &s->phases, (size_t)s->count, &s->capacity, sizeof *s->phases)) return PICUS_ERROR_MEMORY;
  phase *p = &s->phases[s->count++];
  *p = (phase){.t_begin = t, .t_end = t, .end = {.law = -1, .event = -1}};
  picus_status status = picus_mode_set_create(s->context, s->system, &p->modes);
  p->x = picus_allocate(s->context, n, sizeof *p->x);
  if (status || !p->x) return PICUS_ERROR_MEMORY;
  memcpy(p->x, state.q, (size_t)state.nq * sizeof *p->x);
  memcpy(p->x + state.nq, state.u, (size_t)state.nu * sizeof *p->x);
  return PICUS_OK;
}

/* Modes after the step; signs of planar slip from the first step that is long enough to show them. */
static void note_modes(recording *r, phase *p, const step_signs *step, bool renew) {
  const picus_system *system = r->s->system;
  const picus_state state = picus_sim_state(r->sim);
  for (int i = 0; i < system->fixed.law_count; i++) {
    const double slip = r->laws[i].slip[0];
    p->modes.modes[i] = r->laws[i].mode;
    if (renew) p->modes.signs[i] = 0;
    if (r->laws[i].mode == PICUS_SLIP && p->modes.signs[i] == 0) p->modes.signs[i] = (slip > 0) - (slip < 0);
  }
  for (int k = 0; step->sides && k < system->switch_count; k++) p->modes.sides[k] = step->sides[k];
  if (renew) {
    memcpy(p->x, state.q, (size_t)state.nq * sizeof *p->x);
    memcpy(p->x + state.nq, state.u, (size_t)state.nu * sizeof *p->x);
    p->t_x = step->t_end;
  }
  p->t_end = step->t_end;
}

static bool modes_differ(const recording *r, const phase *p) {
  for (int i = 0; i < r->s->system->fixed.law_count; i++) {
    const double slip = r->laws[i].slip[0];
    if (r->laws[i].mode != p->modes.modes[i]) return true;
    if (r->laws[i].mode == PICUS_SLIP && slip * p->modes.signs[i] < 0) return true;
  }
  return false;
}

static bool sides_differ(const sequence *s, const double *a, const double *b) {
  for (int k = 0; a && k < s->system->switch_count; k++)
    if (a[k] != b[k]) return true;
  return false;
}

/* What the switching point behind a phase is, as far as one step shows. */
static void note_end(phase *p, const step_signs *step) {
  if (step->event >= 0) {
    p->end.event = step->event;
    if (step->events > 1) p->end.trigger_count = SEVERAL_EVENTS;
    if (p->end.jump != FLOW_IMPACT) p->end.jump = FLOW_EVENT;
  }
  if (step->struck_count == 0) return;
  const bool is_other =
      p->end.jump == FLOW_IMPACT && step->struck >= 0 && p->end.law >= 0 && p->end.law != step->struck;
  if (step->closing > 1 || is_other) p->end.trigger_count = SEVERAL_CONTACTS;
  p->end.jump = FLOW_IMPACT;
  if (step->struck >= 0) p->end.law = step->struck;
}

static picus_status take_step(recording *r, const step_signs *step) {
  sequence *s = r->s;
  if (s->count == 0 || !s->phases) {
    picus_status status = open_phase(r, step->t_begin);
    if (!status) note_modes(r, &s->phases[0], step, true);
    return status;
  }
  phase *p = &s->phases[s->count - 1];
  const bool switches = step->struck_count > 0 || step->event >= 0 || step->is_stop || modes_differ(r, p) ||
                        sides_differ(s, step->sides, p->modes.sides);
  if (!switches) {
    note_modes(r, p, step, false);
    return PICUS_OK;
  }
  const bool is_young = step->t_begin - p->t_begin <= YOUNG * r->dt_min;
  if (is_young && s->count == 1 && step->struck_count > 0)
    return refuse(s, step->struck >= 0 ? step->struck : 0, step->t_end,
                  "has an impact at the start; start just after it");
  if (is_young) {
    if (s->count > 1) note_end(p - 1, step);
    note_modes(r, p, step, true);
    return PICUS_OK;
  }
  p->t_end = step->t_begin;
  note_end(p, step);
  picus_status status = open_phase(r, step->t_begin);
  if (!status) note_modes(r, &s->phases[s->count - 1], step, true);
  return status;
}

/* --- what ends them -------------------------------------------------------------------------------------------------
 */

static picus_status add_trigger(const sequence *s, phase *p, trigger g) {
  if (p->end.trigger_count == TRIGGERS_MOST)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED, "more than %d laws switch together at t = %.9g",
                      TRIGGERS_MOST, p->t_end);
  p->end.triggers[p->end.trigger_count++] = g;
  return PICUS_OK;
}

/* Friction that begins, ends or reverses its slip. */
static picus_status add_friction(const sequence *s, phase *p, const phase *next, int law) {
  const picus_mode from = p->modes.modes[law], to = next->modes.modes[law];
  if (from == PICUS_SLIP && to == PICUS_SLIP && p->modes.signs[law] == next->modes.signs[law]) return PICUS_OK;
  if (s->system->fixed.laws[law].data.slips > 1 && from != to)
    return refuse(s, law, p->t_end,
                  "changes between stick and slip in space, where the direction of slip has no derivative");
  if (from == PICUS_STICK)
    return add_trigger(s, p, (trigger){.kind = TRIGGER_SLIPS, .index = law, .sign = next->modes.signs[law]});
  return add_trigger(s, p, (trigger){.kind = TRIGGER_STICKS, .index = law, .sign = p->modes.signs[law]});
}

static picus_status add_law(const sequence *s, phase *p, const phase *next, int law) {
  const picus_mode from = p->modes.modes[law], to = next->modes.modes[law];
  const picus_system_law *data = &s->system->fixed.laws[law].data;
  if (from == PICUS_OPEN && to == PICUS_OPEN) return PICUS_OK;
  if (to == PICUS_OPEN) return add_trigger(s, p, (trigger){.kind = TRIGGER_OPENS, .index = law});
  if (from != PICUS_OPEN) return data->slips > 0 ? add_friction(s, p, next, law) : PICUS_OK;
  if (data->has_gap) { /* slowly: the run has not counted its impact */
    p->end.jump = FLOW_IMPACT;
    p->end.law = law;
    return add_trigger(s, p, (trigger){.kind = TRIGGER_GAP, .index = law});
  }
  return add_trigger(s, p, (trigger){.kind = TRIGGER_CLUTCH, .index = law});
}

static picus_status add_side(const sequence *s, phase *p, int k) {
  const system_switch *w = &s->system->switches[k];
  if (w->is_timed) return add_trigger(s, p, (trigger){.kind = TRIGGER_TIME, .index = k, .t = w->t_zero});
  if (w->table && !w->runs_with_time)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "the table of '%s' changes its zone at t = %.9g; sensitivities and orbits cannot follow it yet",
                      picus_switch_text(s->system, k), p->t_end);
  if (w->table) return add_trigger(s, p, (trigger){.kind = TRIGGER_TIME, .index = k, .t = p->t_end});
  return add_trigger(s, p, (trigger){.kind = TRIGGER_SIDE, .index = k, .sign = p->modes.sides[k] > 0 ? 1 : -1});
}

static bool sets_state(const picus_system *system, int event) {
  const system_event *e = &system->controls->events[event];
  for (int i = e->first_setting; i < e->first_setting + e->setting_count; i++)
    if (system->controls->settings[i].kind != SETTING_INPUT) return true;
  return false;
}

/* The trigger of an event, unless it follows a law and sets nothing that moves. */
static picus_status add_event(const sequence *s, phase *p) {
  const system_event *e = &s->system->controls->events[p->end.event];
  if (e->switching >= 0 && p->end.jump == FLOW_EVENT) {
    p->end.jump = sets_state(s->system, p->end.event) ? FLOW_EVENT : FLOW_CONTINUES;
    return add_side(s, p, e->switching);
  }
  if (sets_state(s->system, p->end.event))
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "event '%s' sets coordinates or velocities when a law changes, at t = %.9g; sensitivities and "
                      "orbits cannot follow it",
                      e->name, p->t_end);
  if (p->end.jump == FLOW_EVENT) p->end.jump = FLOW_CONTINUES;
  return PICUS_OK;
}

static picus_status complete_end(const sequence *s, phase *p, const phase *next) {
  picus_status status = PICUS_OK;
  if (p->end.trigger_count == SEVERAL_EVENTS)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "several events happen at once at t = %.9g; sensitivities and orbits follow one at a time",
                      p->t_end);
  if (p->end.trigger_count < 0) return refuse(s, p->end.law, p->t_end, "and another contact strike at the same time");
  if (p->end.event >= 0) status = add_event(s, p);
  if (status || p->end.trigger_count > 0) return status;
  if (p->end.jump == FLOW_IMPACT && p->end.law >= 0)
    return add_trigger(s, p, (trigger){.kind = TRIGGER_GAP, .index = p->end.law});
  for (int k = 0; !status && k < s->system->switch_count; k++)
    if (p->modes.sides[k] != next->modes.sides[k]) status = add_side(s, p, k);
  for (int i = 0; !status && p->end.trigger_count == 0 && i < s->system->fixed.law_count; i++)
    status = add_law(s, p, next, i);
  if (!status && p->end.trigger_count > 0 && p->end.jump == FLOW_IMPACT && p->end.law < 0)
    return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                      "closed contacts have an impact without a new one at t = %.9g; sensitivities and orbits cannot "
                      "follow it",
                      p->t_end);
  return status;
}

/* A phase and the next one without a difference are one. */
static void join(sequence *s, int k) {
  phase *p = &s->phases[k], *next = p + 1;
  p->t_end = next->t_end;
  p->end = next->end;
  picus_mode_set_release(s->context, &next->modes);
  picus_release(s->context, next->x);
  memmove(next, next + 1, (size_t)(s->count - k - 2) * sizeof *next);
  s->count--;
}

/* A flow cannot follow the switching point behind this phase; it fails only if it comes there. */
static picus_status keep_refusal(const sequence *s, phase *p, picus_status why) {
  p->end.status = why;
  p->end.refusal = picus_copy_text(s->context, picus_last_error(s->context)->message);
  return p->end.refusal ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status complete(sequence *s) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k + 1 < s->count; k++) {
    phase *p = &s->phases[k];
    status = complete_end(s, p, p + 1);
    if (status && status != PICUS_ERROR_MEMORY) {
      status = keep_refusal(s, p, status);
      continue;
    }
    if (!status && p->end.trigger_count == 0) {
      if (picus_system_stops_at(s->system, p->t_end))
        status = add_trigger(s, p, (trigger){.kind = TRIGGER_TIME, .index = -1, .t = p->t_end});
      else
        join(s, k--);
    }
  }
  const double all = s->count ? s->phases[s->count - 1].t_end - s->phases[0].t_begin : 0;
  for (int k = 0; !status && k + 2 < s->count; k++) {
    const phase *p = &s->phases[k], *next = p + 1;
    if (p->end.jump == FLOW_IMPACT && next->end.jump == FLOW_IMPACT && p->end.law == next->end.law &&
        next->t_end - next->t_begin < DENSE * all && !p->end.refusal)
      status =
          keep_refusal(s, &s->phases[k],
                       refuse(s, p->end.law, p->t_end,
                              "has impacts that accumulate, which derivatives cannot pass; end before they do: here"));
  }
  return status;
}

/* --- the run --------------------------------------------------------------------------------------------------------
 */

/* Of a number: the largest in the run, or a share of what the forces alone would make of it in one step. A velocity
 * that contacts or constraints hold at zero has its round-off from these forces, which balance there, and not from
 * itself: a size without them would ask a flow for more digits than its rates have. */
static picus_status note_size(recording *r, double dt) {
  const picus_system *system = r->s->system;
  const picus_state state = picus_sim_state(r->sim);
  field *f = &r->forces;
  double *size = r->s->size, *a = f->h, *B = f->slopes.B;
  picus_evaluation_set_point(f->at, state.t, state.q, state.u);
  picus_status status = picus_evaluate_force(f->at, a);
  if (!status) status = picus_evaluation_factor_mass(f->at);
  if (!status) status = picus_evaluate_rate_jacobian(f->at, f->slopes.rate_q, B);
  if (status) return status;
  picus_evaluation_solve_mass(f->at, a);
  for (int i = 0; i < system->nq; i++) {
    double rate = 0;
    for (int j = 0; j < system->nu; j++) rate += fabs(B[i * system->nu + j] * a[j]) * dt;
    size[i] = fmax(size[i], fmax(fabs(state.q[i]), HELD * rate * dt));
  }
  for (int j = 0; j < system->nu; j++)
    size[system->nq + j] = fmax(size[system->nq + j], fmax(fabs(state.u[j]), HELD * fabs(a[j]) * dt));
  return PICUS_OK;
}

/* Numbers that stay zero have the size of the others. */
static void complete_size(double *size, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++) largest = fmax(largest, size[i]);
  for (int i = 0; i < count; i++) size[i] = largest > 0 ? fmax(size[i], 1e-6 * largest) : 1;
}

static int new_event(recording *r) {
  int found = -1;
  r->events_before = 0;
  for (int k = 0; k < picus_sim_event_count(r->sim); k++) {
    const long count = picus_sim_event(r->sim, k).count;
    if (count > r->event_counts[k]) {
      found = k;
      r->events_before++;
    }
    r->event_counts[k] = count;
  }
  return found;
}

static picus_status observe(recording *r, const picus_step_info *info) {
  const sequence *s = r->s;
  const double t = picus_sim_state(r->sim).t;
  step_signs step = {.t_begin = t - info->dt,
                     .t_end = t,
                     .struck = -1,
                     .event = r->event_before,
                     .events = r->events_before,
                     .is_stop = r->stop_before,
                     .sides = r->sim->driver.ends[0] && s->system->has_sides ? r->sim->driver.ends[0]->sides : NULL};
  picus_status status = picus_sim_laws(r->sim, r->laws);
  const phase *last = s->count ? &s->phases[s->count - 1] : NULL;
  for (int i = 0; !status && i < s->system->fixed.law_count; i++) {
    if ((double)r->laws[i].impacts > r->impacts[i]) {
      step.struck_count++;
      if (last && last->modes.modes[i] == PICUS_OPEN) {
        step.struck = i;
        step.closing++;
      }
    }
    r->impacts[i] = (double)r->laws[i].impacts;
  }
  if (!status) status = take_step(r, &step);
  if (!status) status = note_size(r, info->dt);
  r->event_before = new_event(r);
  r->stop_before = picus_system_stops_at(s->system, t);
  return status;
}

static picus_status run(recording *r, double t_end, flow_interrupt interrupt) {
  picus_status status = PICUS_OK;
  for (double t = picus_sim_state(r->sim).t; !status && t < t_end; t = picus_sim_state(r->sim).t) {
    picus_step_info info;
    if (picus_flow_is_stopped(interrupt))
      return picus_fail(r->s->context, PICUS_INTERRUPTED, "interrupted at t = %.9g of %.9g", t, t_end);
    status = picus_sim_advance(r->sim, t_end, &info);
    if (!status) status = observe(r, &info);
  }
  return status;
}

static void keep_end(recording *r) {
  const picus_state end = picus_sim_state(r->sim);
  memcpy(r->s->x_end, end.q, (size_t)end.nq * sizeof *end.q);
  memcpy(r->s->x_end + end.nq, end.u, (size_t)end.nu * sizeof *end.u);
}

static picus_status begin(recording *r, const flow_start *start) {
  const sequence *s = r->s;
  const size_t laws = (size_t)s->system->fixed.law_count, events = (size_t)picus_sim_event_count(r->sim);
  r->laws = picus_allocate(s->context, laws, sizeof *r->laws);
  r->impacts = picus_allocate(s->context, laws, sizeof *r->impacts);
  r->event_counts = picus_allocate(s->context, events, sizeof *r->event_counts);
  if (!r->laws || !r->impacts || !r->event_counts) return PICUS_ERROR_MEMORY;
  if (!start->x) return PICUS_OK;
  return picus_sim_set_state(r->sim, start->t, start->x, start->x + s->system->nq);
}

/* States that events set must not act on the motion: their derivatives are not followed. */
static picus_status check_inputs(sequence *s) {
  const picus_system *system = s->system;
  field f[2] = {{0}};
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < 2; i++) status = picus_field_create(s->context, system, &f[i]);
  for (int k = 0; !status && system->controls && k < system->controls->setting_count; k++) {
    const system_setting *to = &system->controls->settings[k];
    if (to->kind != SETTING_INPUT) continue;
    const picus_input other = {.value = system->inputs[to->index].start + 1, .t = s->phases[0].t_begin};
    status = picus_evaluation_set_input(f[1].at, to->index, &other);
    for (int p = 0; !status && p < s->count; p++) {
      const phase *at = &s->phases[p];
      for (int i = 0; !status && i < 2; i++) {
        picus_field_set_modes(&f[i], &at->modes);
        status = picus_field_evaluate(&f[i], at->t_begin, at->x);
        if (!status) status = picus_evaluate_gaps(f[i].at, f[i].gaps);
      }
      if (!status && (memcmp(f[0].rate, f[1].rate, (size_t)f[0].n * sizeof(double)) != 0 ||
                      memcmp(f[0].gaps, f[1].gaps, (size_t)f[0].laws * sizeof(double)) != 0))
        status = picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                            "state '%s' is set by an event and acts on the motion; sensitivities and orbits cannot "
                            "follow it",
                            system->input_names[to->index].name);
    }
  }
  for (int i = 0; i < 2; i++) picus_field_release(&f[i]);
  return status;
}

picus_status picus_sequence_record(picus_context *context, const picus_system *system, const picus_sim_options *options,
                                   const flow_start *start, flow_interrupt interrupt, sequence *out) {
  *out = (sequence){.context = context, .system = system};
  recording r = {.s = out, .dt_min = options->dt_min, .event_before = -1};
  picus_status status = check_system(out, options);
  if (status) return status;
  out->size = picus_allocate(context, (size_t)system->nq + (size_t)system->nu, sizeof *out->size);
  out->x_end = picus_allocate(context, (size_t)system->nq + (size_t)system->nu, sizeof *out->x_end);
  if (!out->size || !out->x_end) return PICUS_ERROR_MEMORY;
  status = picus_sim_create(context, system, options, &r.sim);
  if (!status) status = picus_field_create(context, system, &r.forces);
  if (!status) r.dt_min = picus_sim_options_of(r.sim)->dt_min;
  if (!status) status = begin(&r, start);
  if (!status) status = run(&r, options->t_end, interrupt);
  if (!status) keep_end(&r);
  if (!status) status = complete(out);
  if (!status && out->count > 0) status = check_inputs(out);
  complete_size(out->size, system->nq);
  complete_size(out->size + system->nq, system->nu);
  picus_release(context, r.laws);
  picus_release(context, r.impacts);
  picus_release(context, r.event_counts);
  if (r.forces.context) picus_field_release(&r.forces);
  picus_sim_destroy(r.sim);
  return status;
}

picus_status picus_sequence_add_flight(sequence *s, int k, int law, double d) {
  const size_t n = (size_t)s->system->nq + (size_t)s->system->nu;
  phase flight = {.end = {.trigger_count = 1, .jump = FLOW_IMPACT, .law = law, .event = -1}};
  picus_status status = picus_grow(s->context, &s->phases, (size_t)s->count, &s->capacity, sizeof *s->phases);
  if (!status) status = picus_mode_set_create(s->context, s->system, &flight.modes);
  flight.x = status ? NULL : picus_allocate(s->context, n, sizeof *flight.x);
  if (!flight.x) {
    picus_mode_set_release(s->context, &flight.modes);
    return PICUS_ERROR_MEMORY;
  }
  phase *closed = &s->phases[k];
  flight.end.triggers[0] = (trigger){.kind = TRIGGER_GAP, .index = law};
  flight.t_begin = flight.t_x = closed->t_begin;
  flight.t_end = closed->t_begin + d;
  picus_mode_set_copy(s->system, &closed->modes, &flight.modes);
  flight.modes.modes[law] = PICUS_OPEN;
  flight.modes.signs[law] = 0;
  memcpy(flight.x, closed->x, n * sizeof *flight.x);
  closed->t_begin = flight.t_end;
  closed->t_x = fmax(closed->t_x, closed->t_begin);
  memmove(closed + 1, closed, (size_t)(s->count - k) * sizeof *closed);
  s->phases[k] = flight;
  s->count++;
  return PICUS_OK;
}

void picus_sequence_release(sequence *s) {
  for (int k = 0; k < s->count; k++) {
    picus_mode_set_release(s->context, &s->phases[k].modes);
    picus_release(s->context, s->phases[k].end.refusal);
    picus_release(s->context, s->phases[k].x);
  }
  picus_release(s->context, s->phases);
  picus_release(s->context, s->size);
  picus_release(s->context, s->x_end);
  *s = (sequence){0};
}
