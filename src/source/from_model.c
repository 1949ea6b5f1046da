/* From a model to a system: derive, compile, name, check. The first part are the formulas with all laws, the flexible
 * components follow. */
#include "formulas/formulas.h"

#include "base/internal.h"
#include "derive/equations.h"
#include "expr/internal.h"
#include "formulas/switch_formulas.h"
#include "source/model_sources.h"
#include "statics/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static picus_status copy_name(picus_context *context, const char *name, const char *unit, const char *label,
                              system_name *out) {
  out->name = picus_copy_text(context, name);
  out->unit = picus_copy_text(context, unit);
  out->label = picus_copy_text(context, label && label[0] ? label : name);
  return out->name && out->unit && out->label ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status copy_quaternions(const picus_model *model, picus_system *system) {
  const size_t count = (size_t)model->quaternion_count;
  system->quaternions = picus_allocate(system->context, count, sizeof *system->quaternions);
  if (!system->quaternions) return PICUS_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) system->quaternions[i] = model->quaternions[i];
  system->quaternion_count = model->quaternion_count;
  picus_system_normalise(system, system->q_start);
  return PICUS_OK;
}

/* Names and initial state of a flexible component, whose displacements start at index q0 and velocities at u0. */
static picus_status copy_structure(const picus_model_structure *s, picus_system *system, size_t q0, size_t u0) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < s->size; i++) {
    char name[PICUS_DISPLACEMENT_NAME];
    system_name *q = &system->q_names[q0 + (size_t)i], *u = &system->u_names[u0 + (size_t)i];
    picus_model_displacement_name(s, i, false, name);
    status = copy_name(system->context, name, picus_model_displacement_unit(s, i, false), name, q);
    picus_model_displacement_name(s, i, true, name);
    if (!status) status = copy_name(system->context, name, picus_model_displacement_unit(s, i, true), name, u);
    q->unrecorded = u->unrecorded = !s->recorded[i];
    system->q_start[q0 + (size_t)i] = s->start[i];
    system->u_start[u0 + (size_t)i] = s->velocity_start[i];
  }
  return status;
}

static picus_status allocate_names_and_start(const picus_model *model, picus_system *system) {
  picus_context *context = system->context;
  const size_t all_q = (size_t)system->nq, all_u = (size_t)system->nu;
  system->q_names = picus_allocate(context, all_q, sizeof *system->q_names);
  system->u_names = picus_allocate(context, all_u, sizeof *system->u_names);
  system->observables = picus_allocate(context, (size_t)model->observable_count, sizeof *system->observables);
  system->q_start = picus_allocate(context, all_q, sizeof(double));
  system->u_start = picus_allocate(context, all_u, sizeof(double));
  const size_t stops = (size_t)model->stop_time_count + (size_t)system->switch_count;
  system->stop_times = picus_allocate(context, stops, sizeof(double));
  bool all = system->q_names && system->u_names && system->observables && system->q_start && system->u_start &&
             system->stop_times;
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status copy_inputs(const picus_model *model, picus_system *system) {
  const size_t count = (size_t)model->input_count;
  system->input_names = picus_allocate(system->context, count, sizeof *system->input_names);
  system->inputs = picus_allocate(system->context, count, sizeof *system->inputs);
  if (!system->input_names || !system->inputs) return PICUS_ERROR_MEMORY;
  system->input_count = model->input_count;
  picus_status status = PICUS_OK;
  for (size_t i = 0; !status && i < count; i++) {
    const picus_input_def *def = &model->inputs[i].def;
    system->inputs[i] = (system_input){def->start, def->rate, def->has_rate};
    status = copy_name(system->context, def->name, def->unit, def->label, &system->input_names[i]);
    system->input_names[i].unrecorded = model->inputs[i].is_signal;
  }
  return status;
}

/* What is copied by name: coordinates, velocities, structures, observed values, inputs; and stop times. */
static picus_status copy_names_and_start(picus_model *model, picus_system *system) {
  picus_context *context = system->context;
  size_t nq = (size_t)model->coordinate_count, nu = (size_t)model->velocity_count;
  picus_status status = allocate_names_and_start(model, system);
  if (status) return status;
  for (size_t i = 0; !status && i < nq; i++) {
    const picus_model_coordinate *q = &model->coordinates[i];
    system->q_start[i] = q->start;
    status = copy_name(context, q->name, q->unit, q->label, &system->q_names[i]);
  }
  for (size_t i = 0; !status && i < nu; i++) {
    const picus_model_velocity *u = &model->velocities[i];
    system->u_start[i] = u->start;
    status = copy_name(context, u->name, u->unit, u->label, &system->u_names[i]);
  }
  for (int i = 0; !status && i < model->structure_count; i++) { /* after those of the expressions */
    status = copy_structure(&model->structures[i], system, nq, nu);
    nq += (size_t)model->structures[i].size;
    nu += (size_t)model->structures[i].size;
  }
  for (int i = 0; !status && i < model->observable_count; i++) {
    const picus_model_observable *o = &model->observables[i];
    status = copy_name(context, o->name, o->unit, o->label, &system->observables[i]);
  }
  if (!status) status = copy_inputs(model, system);
  status = status ? status : copy_quaternions(model, system);
  status = status ? status : picus_system_make_node_tables(model, system);
  system->stop_count = model->stop_time_count;
  if (model->stop_time_count)
    memcpy(system->stop_times, model->stop_times, (size_t)model->stop_time_count * sizeof(double));
  picus_switches_add_stops(system);
  system->has_sides = true;
  return status;
}

static picus_law_kind law_kind(const picus_model_law *law) {
  switch (law->kind) {
  case PICUS_MODEL_CONTACT:
    return law->slips ? PICUS_COULOMB : PICUS_UNILATERAL;
  case PICUS_MODEL_FRICTION:
  case PICUS_MODEL_PRELOAD:
    return PICUS_RESERVOIR;
  case PICUS_MODEL_CLUTCH:
    return PICUS_UNILATERAL;
  case PICUS_MODEL_ROLLING:
    return PICUS_ROLLING;
  case PICUS_MODEL_CONSTRAINT:
    break;
  }
  return PICUS_BILATERAL;
}

/* Whether chi of some of its rows is not 0. */
static bool law_moves(const picus_model *model, const equations *eq, int first, int count) {
  for (int r = first; r < first + count; r++) {
    double value;
    if (!picus_expr_is_number(model->pool, eq->chi[r], &value) || value != 0) return true;
  }
  return false;
}

_Static_assert((int)PICUS_LAW_LOADS == (int)PICUS_LOADS_MOST, "all loads have room");

/* Data of the laws of a model, without what depends on parts and rows. */
static picus_status copy_laws(const picus_model *model, const equations *eq, picus_system *system) {
  int row = 0;
  system->at_rest = !picus_model_has_shapes(model);
  system->knows_moves = true;
  for (int i = 0; i < model->law_count; i++) {
    const picus_model_law *law = &model->laws[i];
    bool has_gap =
        law->kind == PICUS_MODEL_CONTACT || (law->kind == PICUS_MODEL_CONSTRAINT && picus_expr_valid(law->position));
    system->fixed.laws[i].data = (picus_system_law){.kind = law_kind(law),
                                                    .has_gap = has_gap,
                                                    .slips = law->slips,
                                                    .mu = law->mu,
                                                    .reservoir = law->reservoir,
                                                    .eN = law->eN,
                                                    .eF = law->eF,
                                                    .impact = law->impact,
                                                    .adhesion = law->adhesion,
                                                    .rolling = law->rolling,
                                                    .displaced = law->kind == PICUS_MODEL_PRELOAD,
                                                    .loaded = law->load_count > 0,
                                                    .moves = law_moves(model, eq, row, picus_model_law_rows(law)) ||
                                                             (law->kind == PICUS_MODEL_CONSTRAINT && law->off_input)};
    row += picus_model_law_rows(law);
    system->fixed.laws[i].load_count = law->load_count;
    system->fixed.laws[i].load_length = law->load_length;
    system->fixed.laws[i].turned = law->turned;
    system->fixed.laws[i].off_input = law->off_input;
    memcpy(system->fixed.laws[i].load, law->load, sizeof law->load);
    system->varies = system->varies || law->load_count > 0;
    if (law->adhesion > 0) {
      system->adheres = true;
      system->fixed.laws[i].slack = PICUS_ADHESION_SLACK;
    }
    system->at_rest = system->at_rest && !system->fixed.laws[i].data.moves;
    system->fixed.laws[i].name = picus_copy_text(system->context, law->name);
    if (!system->fixed.laws[i].name) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

/* A mass matrix given by entries must be symmetric; from an energy it is. */
static picus_status check_symmetry(picus_model *model, const picus_system *system) {
  const size_t n = (size_t)model->mass_count;
  double *x = picus_allocate(model->context, (size_t)picus_variable_count(model->pool), sizeof *x);
  if (!x) return PICUS_ERROR_MEMORY;
  x[0] = system->t_start;
  for (int i = 0; i < model->coordinate_count; i++) x[model->coordinates[i].variable] = model->coordinates[i].start;
  picus_status status = PICUS_OK;
  for (size_t i = 0; !status && i < n; i++) {
    for (size_t j = 0; !status && j < i; j++) {
      double a, b;
      status = picus_expr_evaluate(model->pool, model->mass[i * n + j], x, &a);
      if (!status) status = picus_expr_evaluate(model->pool, model->mass[j * n + i], x, &b);
      if (!status && !(fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b))))
        status =
            picus_fail_at(model->context, PICUS_ERROR_MODEL, model->mass_place.file, model->mass_place.line,
                          "the mass matrix is not symmetric: entry (%zu, %zu) is %.9g and entry (%zu, %zu) is %.9g",
                          i + 1, j + 1, a, j + 1, i + 1, b);
    }
  }
  picus_release(model->context, x);
  return status;
}

static picus_status check_start(picus_model *model, picus_system *system) {
  picus_place *places = picus_allocate(model->context, (size_t)model->law_count, sizeof *places);
  if (!places) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < model->law_count; i++) places[i] = model->laws[i].place;
  picus_status status = model->mass_count ? check_symmetry(model, system) : PICUS_OK;
  if (!status) status = picus_system_check_start(system, places);
  if (!status && picus_model_has_shapes(model)) status = picus_shapes_check_start(model, system);
  picus_release(model->context, places);
  /* A singular initial mass matrix is an error in the model: report the place of its inertia. */
  if (status == PICUS_ERROR_SINGULAR) {
    picus_place place = model->mass_count ? model->mass_place : model->kinetic.place;
    char sentence[1024];
    strncpy(sentence, picus_last_error(model->context)->message, sizeof sentence - 1);
    sentence[sizeof sentence - 1] = '\0';
    status = picus_fail_at(model->context, PICUS_ERROR_MODEL, place.file, place.line, "%s", sentence);
  }
  return status;
}

/* Sources and parts: the formulas, then the flexible components. */
static picus_status create_sources(picus_model *model, const equations *eq, picus_system *system) {
  picus_status status = picus_formulas_create(model, eq, &system->sources[0]);
  if (picus_model_has_shapes(model)) system->sources[1 + model->structure_count].ops = &picus_shapes_ops;
  for (int i = 0; !status && i < model->structure_count; i++)
    status = picus_linear_create(model->context, &model->structures[i], &system->sources[1 + i]);
  if (!status) status = picus_system_allocate_parts(system);
  if (status) return status;
  picus_formulas_describe(&system->sources[0], system->parts);
  for (int i = 1; i <= model->structure_count; i++)
    picus_linear_describe(&system->sources[i], &system->parts[system->sources[i].part0]);
  status = picus_system_layout_parts(system);
  if (status) return status;
  picus_formulas_place_nodes(model, system);
  system->turns = eq->turning;
  status = picus_formulas_find_couplings(model, eq, system);
  if (!status) status = picus_system_couple(system);
  if (status || !picus_model_has_shapes(model)) return status;
  return picus_shapes_create(model, system, &system->sources[1 + model->structure_count]);
}

static picus_status keep_work(picus_system *system, const char *name) {
  system->work_names[system->work_count] = picus_copy_text(system->context, name);
  return system->work_names[system->work_count++] ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* Names of the works: those of the expressions, then the damping of the flexible components. */
static picus_status name_works(const picus_model *model, const equations *eq, picus_system *system) {
  const size_t most = (size_t)eq->work_count + (size_t)model->structure_count;
  system->work_names = picus_allocate(system->context, most, sizeof *system->work_names);
  if (!system->work_names) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < eq->work_count; i++) {
    double stored;
    if (!picus_expr_is_number(model->pool, eq->works[i].stored, &stored) || stored != 0) system->stores = true;
    if (strcmp(eq->works[i].name, PICUS_WORK_INPUTS) == 0) system->input_work = i;
    if (strcmp(eq->works[i].name, PICUS_WORK_EVENTS) == 0) system->event_work = i;
    status = keep_work(system, eq->works[i].name);
  }
  for (int i = 0; !status && i < model->structure_count; i++) {
    system_source *source = &system->sources[1 + i];
    source->work0 = system->work_count;
    if (source->work_count == 0) continue;
    char name[PICUS_WORK_NAME];
    snprintf(name, sizeof name, "damping.%s", model->structures[i].name);
    status = keep_work(system, name);
  }
  return status;
}

/* --- controls ----------------------------------------------------------------------------------------------------- */

static picus_status allocate_controls(const picus_model *model, picus_system *system) {
  picus_context *context = system->context;
  system_controls *c = picus_allocate(context, 1, sizeof *c);
  system->controls = c;
  if (!c) return PICUS_ERROR_MEMORY;
  c->sampled = picus_allocate(context, (size_t)model->sampled_count, sizeof *c->sampled);
  c->signals = picus_allocate(context, (size_t)model->signal_count, sizeof *c->signals);
  c->settings = picus_allocate(context, (size_t)model->setting_count, sizeof *c->settings);
  c->events = picus_allocate(context, (size_t)model->event_count, sizeof *c->events);
  return c->sampled && c->signals && c->settings && c->events ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* Next values of sampled states, and what they need. */
static void copy_sampled(const picus_model *model, system_controls *c, picus_expr *actions) {
  for (; c->sampled_count < model->sampled_count; c->sampled_count++) {
    const picus_model_sampled *from = &model->sampled[c->sampled_count];
    const bool is_sampled = from->every > 0;
    if (is_sampled) actions[c->action_count] = from->next;
    c->sampled[c->sampled_count] = (system_sampled){from->input, from->every, is_sampled ? c->action_count++ : -1};
  }
  for (; c->signal_count < model->signal_count; c->signal_count++) {
    const picus_model_signal *from = &model->signals[c->signal_count];
    c->signals[c->signal_count] =
        (system_signal){from->input, picus_model_find_law(model, from->law), (int)from->signal};
  }
}

static picus_status copy_events(const picus_model *model, picus_system *system, picus_expr *actions) {
  system_controls *c = system->controls;
  for (; c->setting_count < model->setting_count; c->setting_count++) {
    const picus_model_setting *from = &model->settings[c->setting_count];
    actions[c->action_count] = from->value;
    c->settings[c->setting_count] = (system_setting){(int)from->kind, from->index, c->action_count++};
  }
  for (; c->event_count < model->event_count; c->event_count++) {
    const picus_model_event *from = &model->events[c->event_count];
    system_event *to = &c->events[c->event_count];
    *to = (system_event){.name = picus_copy_text(system->context, from->name),
                         .switching = from->switching,
                         .reversed = from->reversed,
                         .direction = (int)from->direction,
                         .law = picus_model_find_law(model, from->law),
                         .change = (int)from->change,
                         .first_setting = from->first_setting,
                         .setting_count = from->setting_count,
                         .stops = from->stops};
    if (!to->name) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

static picus_status create_controls(picus_model *model, picus_system *system) {
  if (model->sampled_count == 0 && model->event_count == 0) return PICUS_OK;
  picus_status status = allocate_controls(model, system);
  if (status) return status;
  const size_t most = (size_t)model->sampled_count + (size_t)model->setting_count;
  picus_expr *actions = picus_allocate(model->context, most, sizeof *actions);
  if (!actions) return PICUS_ERROR_MEMORY;
  copy_sampled(model, system->controls, actions);
  status = copy_events(model, system, actions);
  formulas_source *source = system->sources[0].self;
  const picus_tape_stage stage = {system->controls->action_count, actions};
  if (!status) status = picus_tape_create(model->pool, 1, &stage, &source->action_tape);
  picus_release(model->context, actions);
  return status;
}

static uint64_t data_of(const picus_pool *pool) {
  uint64_t sum = 0;
  for (int k = 0; k < pool->table_count; k++) sum = picus_mix(sum + picus_table_sum(pool->tables[k]) + (uint64_t)k + 1);
  return sum;
}

static picus_status build_from(picus_model *model, const equations *eq, picus_system *system) {
  picus_status status = create_sources(model, eq, system);
  if (!status) status = copy_laws(model, eq, system);
  if (!status) status = copy_names_and_start(model, system);
  if (!status) status = picus_formulas_set_law_parts(model, system);
  if (!status) status = picus_system_layout_laws(system);
  if (!status) status = name_works(model, eq, system);
  if (!status) status = create_controls(model, system);
  return status ? status : picus_formulas_compile(model, eq, system);
}

static picus_status build(picus_model *model, picus_system *system, const derivation_limits *limits) {
  equations eq;
  system->t_start = model->run.values.sim.t_start;
  system->data = data_of(model->pool);
  picus_status status = picus_equations_derive(model, &limits->most, &eq);
  if (!status) status = picus_switches_find(model, &eq, system);
  if (!status) status = build_from(model, &eq, system);
  if (!status) status = picus_formulas_keep(model, &eq, limits, system);
  picus_equations_release(model->context, &eq);
  if (!status && model->run.values.assemble)
    status = picus_system_assemble(system->context, system, system->t_start, system->q_start, system->u_start);
  if (!status) status = check_start(model, system);
  return status ? status : picus_formulas_make_native(system, limits);
}

/* As build, but reports an exceeded limit as the cause. */
static picus_status build_within(picus_model *model, picus_system *system, const picus_derivation *derivation) {
  const derivation_limits limits = {picus_derivation_complete(derivation), model->name, model->velocity_count,
                                    model->law_count};
  picus_pool_watch watch;
  picus_limits_begin(model->context, &limits, &watch);
  picus_limits_watch(model->pool, &watch);
  picus_status status = build(model, system, &limits);
  return picus_limits_end(model->context, model->pool, &limits, &watch, status);
}

picus_status picus_system_create(picus_model *model, picus_system **out) {
  return picus_system_create_within(model, NULL, out);
}

picus_status picus_system_create_within(picus_model *model, const picus_derivation *derivation, picus_system **out) {
  *out = NULL;
  picus_status status = picus_model_check(model);
  if (status) return status;
  picus_system *system;
  status = picus_system_allocate(model->context, 1 + model->structure_count + picus_model_has_shapes(model),
                                 model->law_count, &system);
  if (status) return status;
  status = build_within(model, system, derivation);
  if (status) {
    picus_system_destroy(system);
    return status;
  }
  *out = system;
  return PICUS_OK;
}
