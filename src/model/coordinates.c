/* Coordinates, velocities, and the rates of general kinematics. */
#include "model/internal.h"

#include <stdio.h>
#include <string.h>

picus_coordinate_def picus_default_coordinate_def(void) { return (picus_coordinate_def){.name = NULL}; }

int picus_model_coordinate_count(const picus_model *model) { return model->coordinate_count; }
int picus_model_velocity_count(const picus_model *model) { return model->velocity_count; }

/* The unit of a coordinate's velocity: the one given, else "m" becomes "m/s". */
static const char *velocity_unit(picus_model *model, const picus_coordinate_def *def) {
  if (def->velocity_unit) return picus_model_keep_text(model, def->velocity_unit);
  if (!def->unit || !*def->unit) return "";
  char unit[64];
  snprintf(unit, sizeof unit, strpbrk(def->unit, "/ ") ? "(%.50s)/s" : "%.50s/s", def->unit);
  return picus_model_keep_text(model, unit);
}

static picus_status reserve(picus_model *model) {
  picus_status status = picus_grow(model->context, &model->coordinates, (size_t)model->coordinate_count,
                                   &model->coordinate_capacity, sizeof *model->coordinates);
  if (!status)
    status = picus_grow(model->context, &model->velocities, (size_t)model->velocity_count, &model->velocity_capacity,
                        sizeof *model->velocities);
  if (!status) status = picus_model_reserve_names(model, 2);
  return status;
}

/* Stores the caller's entry in the container; memory is already reserved for everything except the symbol. */
static picus_status append_velocity(picus_model *model, picus_model_velocity velocity) {
  velocity.symbol = picus_variable(model->pool, velocity.name);
  picus_status status =
      picus_model_own_variable(model, velocity.symbol, PICUS_VARIABLE_VELOCITY, model->velocity_count);
  if (status) return status;
  velocity.variable = picus_expr_variable_index(model->pool, velocity.symbol);
  picus_model_register_name(model, velocity.name, PICUS_NAME_VELOCITY, model->velocity_count);
  model->velocities[model->velocity_count++] = velocity;
  return PICUS_OK;
}

static picus_status append_coordinate(picus_model *model, picus_model_coordinate coordinate) {
  coordinate.symbol = picus_variable(model->pool, coordinate.name);
  picus_status status =
      picus_model_own_variable(model, coordinate.symbol, PICUS_VARIABLE_COORDINATE, model->coordinate_count);
  if (status) return status;
  coordinate.variable = picus_expr_variable_index(model->pool, coordinate.symbol);
  picus_model_register_name(model, coordinate.name, PICUS_NAME_COORDINATE, model->coordinate_count);
  model->coordinates[model->coordinate_count++] = coordinate;
  return PICUS_OK;
}

static picus_status check_coordinate(picus_model *model, const picus_coordinate_def *def) {
  picus_status status = picus_model_check_name(model, "coordinate", def->name);
  if (!status) status = picus_model_check_finite(model, def->start, "the initial value of coordinate", def->name);
  if (status || !def->velocity) return status;
  status = picus_model_check_name(model, "velocity", def->velocity);
  if (!status)
    status = picus_model_check_finite(model, def->velocity_start, "the initial value of velocity", def->velocity);
  if (!status && strcmp(def->name, def->velocity) == 0)
    status =
        picus_model_fail(model, PICUS_ERROR_NAME, "coordinate '%s' and its velocity need different names", def->name);
  return status;
}

picus_status picus_model_add_coordinate(picus_model *model, const picus_coordinate_def *def, picus_expr *q,
                                        picus_expr *u) {
  if (q) *q = PICUS_FAILED_EXPR;
  if (u) *u = def->velocity ? PICUS_FAILED_EXPR : PICUS_NO_EXPR;
  picus_status status = check_coordinate(model, def);
  if (!status) status = reserve(model);
  if (status) return status;
  const char *label = def->label && *def->label ? def->label : def->name;
  picus_model_coordinate coordinate = {.name = picus_model_keep_text(model, def->name),
                                       .unit = picus_model_keep_text(model, def->unit),
                                       .label = picus_model_keep_text(model, label),
                                       .start = def->start,
                                       .velocity = def->velocity ? model->velocity_count : -1,
                                       .place = model->place};
  if (!coordinate.name || !coordinate.unit || !coordinate.label) return PICUS_ERROR_MEMORY;
  picus_model_velocity velocity = {
      .start = def->velocity_start, .coordinate = model->coordinate_count, .place = model->place};
  if (def->velocity) {
    velocity.name = velocity.label = picus_model_keep_text(model, def->velocity);
    velocity.unit = velocity_unit(model, def);
    if (!velocity.name || !velocity.unit) return PICUS_ERROR_MEMORY;
  }
  status = append_coordinate(model, coordinate);
  if (!status && def->velocity) {
    status = append_velocity(model, velocity);
    if (status) return status;
    if (u) *u = model->velocities[model->velocity_count - 1].symbol;
  }
  if (!status && q) *q = model->coordinates[model->coordinate_count - 1].symbol;
  return status;
}

picus_status picus_model_add_velocity(picus_model *model, const char *name, double start, const char *unit,
                                      picus_expr *u) {
  if (u) *u = PICUS_FAILED_EXPR;
  picus_status status = picus_model_check_name(model, "velocity", name);
  if (!status) status = picus_model_check_finite(model, start, "the initial value of velocity", name);
  if (!status) status = reserve(model);
  if (status) return status;
  picus_model_velocity velocity = {.name = picus_model_keep_text(model, name),
                                   .unit = picus_model_keep_text(model, unit),
                                   .start = start,
                                   .coordinate = -1,
                                   .place = model->place};
  velocity.label = velocity.name;
  if (!velocity.name || !velocity.unit) return PICUS_ERROR_MEMORY;
  status = append_velocity(model, velocity);
  if (!status && u) *u = model->velocities[model->velocity_count - 1].symbol;
  return status;
}

picus_status picus_model_mark_quaternion(picus_model *model, const char *name) {
  picus_name_entry found = picus_model_find_name(model, name ? name : "");
  if (found.kind != PICUS_NAME_COORDINATE)
    return picus_model_fail_unknown(model, model->place, "coordinate", name ? name : "", picus_model_next_coordinate,
                                    model);
  if (found.index + 4 > model->coordinate_count)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                            "a quaternion has four coordinates, but fewer than three follow '%s'", name);
  double square = 0;
  for (int i = 0; i < 4; i++)
    square += model->coordinates[found.index + i].start * model->coordinates[found.index + i].start;
  if (!(square > 0))
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "the quaternion at '%s' is zero in the initial state; use a unit quaternion", name);
  picus_status status = picus_grow(model->context, &model->quaternions, (size_t)model->quaternion_count,
                                   &model->quaternion_capacity, sizeof *model->quaternions);
  if (status) return status;
  model->quaternions[model->quaternion_count++] = found.index;
  return PICUS_OK;
}

picus_status picus_model_set_rate(picus_model *model, const char *name, picus_expr rate) {
  picus_name_entry found = picus_model_find_name(model, name ? name : "");
  if (found.kind != PICUS_NAME_COORDINATE)
    return picus_model_fail_unknown(model, model->place, "coordinate", name ? name : "", picus_model_next_coordinate,
                                    model);
  picus_model_coordinate *coordinate = &model->coordinates[found.index];
  if (picus_expr_valid(coordinate->rate) || picus_model_in_quaternion_of_body(model, found.index))
    return picus_model_fail(model, PICUS_ERROR_NAME, "the rate of coordinate '%s' is defined twice", name);
  picus_dependencies dependencies;
  picus_status status = picus_model_examine_rigid(model, rate, "the rate of coordinate", name, &dependencies);
  if (status) return status;
  coordinate->rate = rate;
  coordinate->rate_place = model->place;
  return PICUS_OK;
}

picus_expr picus_model_symbol(picus_model *model, const char *name) {
  picus_name_entry found = picus_model_find_name(model, name ? name : "");
  if (found.kind == PICUS_NAME_COORDINATE) return model->coordinates[found.index].symbol;
  if (found.kind == PICUS_NAME_VELOCITY) return model->velocities[found.index].symbol;
  if (found.kind == PICUS_NAME_INPUT) return model->inputs[found.index].symbol;
  if (name && strcmp(name, "t") == 0) return model->time;
  int structure;
  bool is_velocity;
  int index = picus_model_find_displacement(model, name ? name : "", &structure, &is_velocity);
  if (index >= 0) {
    picus_expr x = PICUS_FAILED_EXPR, v = PICUS_FAILED_EXPR;
    picus_status status = picus_model_displacement_symbols(model, structure, index, &x, &v);
    return status ? PICUS_FAILED_EXPR : (is_velocity ? v : x);
  }
  model->failed_status = picus_model_fail_unknown(model, model->place, "coordinate or velocity", name ? name : "",
                                                  picus_model_next_symbol, model);
  snprintf(model->failed_text, sizeof model->failed_text, "%s", picus_last_error(model->context)->message);
  return PICUS_FAILED_EXPR;
}

picus_status picus_model_mark_body(picus_model *model, picus_model_body body) {
  picus_status status = picus_grow(model->context, &model->bodies, (size_t)model->body_count, &model->body_capacity,
                                   sizeof *model->bodies);
  if (status) return status;
  body.nq = model->coordinate_count - body.q0;
  body.nu = model->velocity_count - body.u0;
  model->bodies[model->body_count++] = body;
  return PICUS_OK;
}

picus_model_body *picus_model_body_of(const picus_model *model, int coordinate) {
  int low = 0, high = model->body_count; /* they are in the order of their coordinates */
  while (low < high) {
    const int middle = low + (high - low) / 2;
    picus_model_body *body = &model->bodies[middle];
    if (coordinate >= body->q0 && coordinate < body->q0 + body->nq) return body;
    if (coordinate < body->q0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

bool picus_model_in_quaternion_of_body(const picus_model *model, int coordinate) {
  const picus_model_body *body = picus_model_body_of(model, coordinate);
  return body && picus_model_body_is_spatial(body) && coordinate >= body->q0 + body->axes;
}
