/* States of controllers, signals of laws, and events.
 *
 * A continuous state is a coordinate without a velocity: steps integrate it, its error counts in adaptive runs, and
 * checkpoints and results have it as they have all coordinates. A sampled or held state is an input that the simulation
 * sets itself, between two steps, so that a step and everything that repeats it see one value. */
#include "model/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int picus_model_find_law(const picus_model *model, const char *name) {
  const picus_name_entry found = picus_model_find_name(model, name ? name : "");
  return found.kind == PICUS_NAME_LAW ? found.index : -1;
}

picus_status picus_model_examine_control(picus_model *model, picus_expr expr, const char *what, const char *name) {
  picus_dependencies unread;
  model->takes_signals = true;
  const picus_status status = picus_model_examine(model, expr, what, name, &unread);
  model->takes_signals = false;
  return status;
}

/* --- states ------------------------------------------------------------------------------------------------------- */

static picus_status add_continuous(picus_model *model, const picus_state_def *def, picus_expr *value) {
  picus_coordinate_def coordinate = picus_default_coordinate_def();
  coordinate.name = def->name;
  coordinate.start = def->start;
  coordinate.unit = def->unit;
  coordinate.label = def->label;
  picus_status status = picus_model_add_coordinate(model, &coordinate, value, NULL);
  if (!status) model->coordinates[model->coordinate_count - 1].is_state = true;
  return status;
}

picus_status picus_model_add_state(picus_model *model, const picus_state_def *def, picus_expr *value) {
  if (value) *value = PICUS_FAILED_EXPR;
  if (def->kind == PICUS_STATE_CONTINUOUS) return add_continuous(model, def, value);
  const bool is_sampled = def->kind == PICUS_STATE_SAMPLED;
  if (is_sampled && !(def->every > 0 && isfinite(def->every)))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "state '%s' is sampled every %g s; give a positive number of seconds",
                            def->name ? def->name : "", def->every);
  picus_status status = picus_grow(model->context, &model->sampled, (size_t)model->sampled_count,
                                   &model->sampled_capacity, sizeof *model->sampled);
  if (status) return status;
  picus_input_def input = picus_default_input_def();
  input.name = def->name;
  input.start = def->start;
  input.unit = def->unit;
  input.label = def->label;
  status = picus_model_add_input(model, &input, value);
  if (status) return status;
  model->sampled[model->sampled_count++] = (picus_model_sampled){
      .input = model->input_count - 1, .every = is_sampled ? def->every : 0, .place = model->place};
  return PICUS_OK;
}

static picus_model_sampled *find_sampled(const picus_model *model, const char *name) {
  const picus_name_entry found = picus_model_find_name(model, name ? name : "");
  for (int k = 0; found.kind == PICUS_NAME_INPUT && k < model->sampled_count; k++)
    if (model->sampled[k].input == found.index) return &model->sampled[k];
  return NULL;
}

static const char *next_sampled(const void *user, int k) {
  const picus_model *model = user;
  return k < model->sampled_count ? model->inputs[model->sampled[k].input].def.name : NULL;
}

picus_status picus_model_set_next(picus_model *model, const char *state, picus_expr next) {
  picus_model_sampled *sampled = find_sampled(model, state);
  if (!sampled)
    return picus_model_fail_unknown(model, model->place, "sampled state", state ? state : "", next_sampled, model);
  if (!(sampled->every > 0))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "state '%s' has no 'every', so that it has no next value; events set it", state);
  if (picus_expr_valid(sampled->next))
    return picus_model_fail(model, PICUS_ERROR_NAME, "the next value of state '%s' is defined twice", state);
  picus_status status = picus_model_examine_control(model, next, "the next value of state", state);
  if (!status) sampled->next = next;
  return status;
}

/* --- signals ------------------------------------------------------------------------------------------------------ */

/* One input for each signal of a law, however often it is used. */
static const picus_model_signal *find_signal(const picus_model *model, const char *law, picus_signal signal) {
  for (int k = 0; k < model->signal_count; k++)
    if (model->signals[k].signal == signal && strcmp(model->signals[k].law, law) == 0) return &model->signals[k];
  return NULL;
}

picus_status picus_model_add_signal(picus_model *model, const char *law, picus_signal signal, picus_expr *value) {
  static const char *const names[] = {"gap", "force", "mode"};
  char name[200];
  *value = PICUS_FAILED_EXPR;
  if (!law || !*law || (int)signal < 0 || signal > PICUS_SIGNAL_MODE)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "a signal needs the name of a law, and gap, force or mode");
  const picus_model_signal *known = find_signal(model, law, signal);
  if (known) {
    *value = model->inputs[known->input].symbol;
    return PICUS_OK;
  }
  picus_status status = picus_grow(model->context, &model->signals, (size_t)model->signal_count,
                                   &model->signal_capacity, sizeof *model->signals);
  const char *kept = status ? NULL : picus_model_keep_text(model, law);
  if (!status && !kept) status = PICUS_ERROR_MEMORY;
  if (status) return status;
  snprintf(name, sizeof name, "%s-of-%.100s", names[signal], law);
  picus_input_def input = picus_default_input_def();
  input.name = name;
  status = picus_model_add_input(model, &input, value);
  if (status) return status;
  model->inputs[model->input_count - 1].is_signal = true;
  model->signals[model->signal_count++] =
      (picus_model_signal){.input = model->input_count - 1, .law = kept, .signal = signal, .place = model->place};
  return PICUS_OK;
}

static const char *next_law(const void *user, int k) {
  const picus_model *model = user;
  return k < model->law_count ? model->laws[k].name : NULL;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

#define FAR_AWAY 1e6 /* m, is added to the gap of a contact that is switched off */

static picus_status add_setting(picus_model *model, picus_model_setting setting) {
  picus_status status = picus_grow(model->context, &model->settings, (size_t)model->setting_count,
                                   &model->setting_capacity, sizeof *model->settings);
  if (!status) model->settings[model->setting_count++] = setting;
  return status;
}

static const char *next_target(const void *user, int k) {
  const picus_model *model = user;
  const int symbols = model->coordinate_count + model->velocity_count;
  return k < symbols ? picus_model_next_symbol(model, k) : next_sampled(model, k - symbols);
}

static picus_status set_value(picus_model *model, const char *event, const picus_event_setting *given) {
  const picus_name_entry found = picus_model_find_name(model, given->name ? given->name : "");
  picus_model_setting setting = {.index = found.index, .value = given->value};
  if (found.kind == PICUS_NAME_COORDINATE)
    setting.kind = SETTING_COORDINATE;
  else if (found.kind == PICUS_NAME_VELOCITY)
    setting.kind = SETTING_VELOCITY;
  else if (find_sampled(model, given->name))
    setting.kind = SETTING_INPUT;
  else
    return picus_model_fail_unknown(model, model->place, "coordinate, velocity or sampled state",
                                    given->name ? given->name : "", next_target, model);
  picus_status status = picus_model_examine_control(model, given->value, "a value that is set by event", event);
  return status ? status : add_setting(model, setting);
}

/* `off` is 0 until an event switches the law off. Then a contact is moved away, friction has no force, and the relation
 * of a constraint or of a clutch is 0 = 0, which no solver minds: it depends on the others. */
static void take_switch(picus_model *model, picus_model_law *law, picus_expr off) {
  picus_pool *pool = model->pool;
  if (law->kind == PICUS_MODEL_CONTACT) {
    law->gap = picus_add(pool, law->gap, picus_mul(pool, picus_number(pool, FAR_AWAY), off));
    return;
  }
  const picus_expr on = picus_sub(pool, picus_number(pool, 1), off);
  if (law->kind == PICUS_MODEL_FRICTION) {
    picus_expr *radius = &law->varying[PICUS_COEFFICIENT_RADIUS];
    if (!picus_expr_given(*radius)) *radius = picus_number(pool, law->load_count > 0 ? law->mu : law->reservoir);
    *radius = picus_mul(pool, *radius, on);
    return;
  }
  enum { RELATIONS = 3 };
  picus_expr *const relation[RELATIONS] = {&law->position, &law->rate, &law->velocity};
  for (int k = 0; k < RELATIONS; k++)
    if (picus_expr_valid(*relation[k])) *relation[k] = picus_mul(pool, on, *relation[k]);
}

static picus_status make_switchable(picus_model *model, picus_model_law *law) {
  char name[200];
  picus_expr off;
  if (law->off_input > 0) return PICUS_OK;
  snprintf(name, sizeof name, "off-of-%.100s", law->name);
  picus_input_def input = picus_default_input_def();
  input.name = name;
  picus_status status = picus_model_add_input(model, &input, &off);
  if (status) return status;
  model->inputs[model->input_count - 1].is_signal = true;
  law->off_input = model->input_count;
  take_switch(model, law, off);
  return picus_pool_status(model->pool);
}

static picus_status switch_law(picus_model *model, const char *event, picus_model_law *law, bool on) {
  if (law->kind == PICUS_MODEL_PRELOAD || law->kind == PICUS_MODEL_ROLLING)
    return picus_model_fail(model, PICUS_ERROR_UNSUPPORTED,
                            "event '%s' switches '%s', which is %s; contacts, friction, constraints and clutches can "
                            "be switched",
                            event, law->name,
                            law->kind == PICUS_MODEL_ROLLING ? "the rolling friction of a contact" : "a preload");
  picus_status status = make_switchable(model, law);
  if (status) return status;
  const picus_expr value = picus_number(model->pool, on ? 0 : 1);
  return add_setting(model, (picus_model_setting){SETTING_SWITCH, law->off_input - 1, value});
}

/* Constraints and friction of a joint: their names begin with that of the joint and "_". */
static bool is_of_joint(const picus_model_law *law, const char *joint) {
  const size_t length = strlen(joint);
  return (law->kind == PICUS_MODEL_CONSTRAINT || law->kind == PICUS_MODEL_FRICTION) &&
         strncmp(law->name, joint, length) == 0 && law->name[length] == '_';
}

static picus_status set_switch(picus_model *model, const char *event, const picus_event_switch *given) {
  const char *name = given->law ? given->law : "";
  const int index = picus_model_find_law(model, name);
  if (index >= 0) return switch_law(model, event, &model->laws[index], given->on);
  picus_status status = PICUS_OK;
  bool found = false;
  for (int i = 0; !status && i < model->law_count; i++) {
    if (!is_of_joint(&model->laws[i], name)) continue;
    status = switch_law(model, event, &model->laws[i], given->on);
    found = true;
  }
  return found ? status : picus_model_fail_unknown(model, model->place, "law or joint", name, next_law, model);
}

static picus_status check_event(picus_model *model, const picus_event_def *def) {
  picus_dependencies on;
  picus_status status = PICUS_OK;
  for (int k = 0; k < model->event_count; k++)
    if (strcmp(model->events[k].name, def->name) == 0)
      return picus_model_fail(model, PICUS_ERROR_NAME, "event '%s' is defined twice", def->name);
  if (picus_expr_given(def->when) == (def->law != NULL))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "event '%s' needs either an expression or a law", def->name);
  if (def->law && ((int)def->change < 0 || def->change > PICUS_EVENT_IMPACT))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "event '%s' has the unknown change %d", def->name,
                            (int)def->change);
  if (def->law) return PICUS_OK;
  status = picus_model_examine(model, def->when, "event", def->name, &on);
  if (!status && picus_expr_is_number(model->pool, def->when, NULL))
    status = picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                              "event '%s' is a number, which is never or always 0; give an expression of time, "
                              "coordinates or velocities",
                              def->name);
  return status;
}

static picus_status add_event(picus_model *model, const picus_event_def *def) {
  picus_status status = check_event(model, def);
  if (!status)
    status = picus_grow(model->context, &model->events, (size_t)model->event_count, &model->event_capacity,
                        sizeof *model->events);
  if (status) return status;
  picus_model_event event = {.name = picus_model_keep_text(model, def->name),
                             .law = picus_model_keep_text(model, def->law),
                             .when = def->when,
                             .direction = def->direction,
                             .change = def->change,
                             .first_setting = model->setting_count,
                             .stops = def->stops,
                             .switching = -1,
                             .place = model->place};
  if (!event.name || !event.law) return PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < def->setting_count; k++) status = set_value(model, def->name, &def->settings[k]);
  for (int k = 0; !status && k < def->switch_count; k++) status = set_switch(model, def->name, &def->switches[k]);
  if (status) return status;
  event.setting_count = model->setting_count - event.first_setting;
  model->events[model->event_count++] = event;
  return PICUS_OK;
}

picus_status picus_model_add_event(picus_model *model, const picus_event_def *def) {
  const picus_status status = picus_model_check_form(model, "event", def->name);
  return status ? status : add_event(model, def);
}

/* "phiS - 0.1:rises": the direction, and the length of the expression before it. */
static picus_event_direction read_direction(const char *text, size_t *length) {
  static const char *const endings[] = {[PICUS_EVENT_RISES] = ":rises", [PICUS_EVENT_FALLS] = ":falls"};
  *length = strlen(text);
  for (int k = PICUS_EVENT_RISES; k <= PICUS_EVENT_FALLS; k++) {
    const size_t ending = strlen(endings[k]);
    if (*length <= ending || strcmp(text + *length - ending, endings[k]) != 0) continue;
    *length -= ending;
    return (picus_event_direction)k;
  }
  return PICUS_EVENT_CROSSES;
}

picus_status picus_model_add_crossing(picus_model *model, const char *text) {
  enum { LONGEST = 200 };
  size_t length;
  char expression[LONGEST + 1];
  if (!text || !*text || strlen(text) > LONGEST)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "a crossing needs an expression of 1 to %d characters",
                            LONGEST);
  const picus_event_direction direction = read_direction(text, &length);
  memcpy(expression, text, length);
  expression[length] = '\0';
  const picus_event_def def = {.name = text, .when = picus_expr_parse(model, expression), .direction = direction};
  picus_status status = add_event(model, &def);
  if (!status)
    status = picus_grow(model->context, &model->crossings, model->crossing_count, &model->crossing_capacity,
                        sizeof *model->crossings);
  if (!status) model->crossings[model->crossing_count++] = model->events[model->event_count - 1].name;
  return status;
}

picus_status picus_model_repeat_crossings(picus_model *model, const picus_model *first) {
  picus_status status = PICUS_OK;
  for (size_t k = 0; !status && k < first->crossing_count; k++)
    status = picus_model_add_crossing(model, first->crossings[k]);
  return status;
}

/* --- the complete model ------------------------------------------------------------------------------------------- */

picus_status picus_model_check_controls(picus_model *model) {
  for (int k = 0; k < model->sampled_count; k++) {
    const picus_model_sampled *s = &model->sampled[k];
    if (s->every > 0 && !picus_expr_valid(s->next))
      return picus_fail_at(model->context, PICUS_ERROR_MODEL, s->place.file, s->place.line,
                           "state '%s' is sampled, but has no next value; add next = expression",
                           model->inputs[s->input].def.name);
  }
  for (int k = 0; k < model->signal_count; k++)
    if (picus_model_find_law(model, model->signals[k].law) < 0)
      return picus_model_fail_unknown(model, model->signals[k].place, "law", model->signals[k].law, next_law, model);
  for (int k = 0; k < model->event_count; k++) {
    const picus_model_event *e = &model->events[k];
    if (*e->law && picus_model_find_law(model, e->law) < 0)
      return picus_model_fail_unknown(model, e->place, "law", e->law, next_law, model);
  }
  return PICUS_OK;
}
