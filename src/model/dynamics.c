/* Energies, forces, mass matrix and force vector; and the works of forces by name: the energy audit of a run needs the
 * power of everything that is neither a potential nor a law. */
#include "model/internal.h"

#include <stdio.h>
#include <string.h>

/* --- works by name ------------------------------------------------------------------------------------------------ */

/* The account of a name; once there are many, the rest share one, so that rows and steps stay small. */
static picus_model_work *find_account(picus_model *model, const char *name) {
  for (int i = 0; i < model->work_count; i++)
    if (strcmp(model->works[i].name, name) == 0) return &model->works[i];
  if (model->work_count == PICUS_WORKS_MOST) return &model->works[PICUS_WORKS_MOST - 1];
  if (model->work_count == PICUS_WORKS_MOST - 1) name = PICUS_WORK_OTHER;
  picus_model_work *account = &model->works[model->work_count];
  account->name = picus_model_keep_text(model, name);
  account->power = picus_number(model->pool, 0);
  if (!account->name) return NULL;
  model->work_count++;
  return account;
}

picus_status picus_model_book(picus_model *model, const char *name, picus_expr power) {
  picus_model_work *account = find_account(model, name);
  if (!account) return PICUS_ERROR_MEMORY;
  picus_expr sum = picus_add(model->pool, account->power, power);
  if (!picus_expr_valid(sum)) return picus_pool_status(model->pool);
  account->power = sum;
  return PICUS_OK;
}

static picus_status book_force(picus_model *model, const char *name, picus_expr force, picus_expr velocity) {
  if (model->books_itself) return PICUS_OK;
  char own[PICUS_WORK_NAME];
  snprintf(own, sizeof own, "force.%s", name);
  return picus_model_book(model, model->account ? model->account : own, picus_mul(model->pool, force, velocity));
}

/* --- energies, forces and rates ----------------------------------------------------------------------------------- */

static picus_status add_to(picus_model *model, picus_model_sum *sum, picus_expr term) {
  bool first = !picus_expr_valid(sum->expr);
  picus_expr total = first ? term : picus_add(model->pool, sum->expr, term);
  if (!picus_expr_valid(total)) return picus_pool_status(model->pool);
  sum->expr = total;
  if (first) sum->place = model->place;
  return PICUS_OK;
}

/* A model without velocities of its own may have such terms. */
static void note_coupling(picus_model *model, const picus_dependencies *on) {
  if (on->displacement >= 0 || on->displacement_velocity >= 0) model->coupled = true;
}

picus_status picus_model_add_kinetic(picus_model *model, picus_expr energy) {
  if (model->mass_count)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "a kinetic energy and a mass matrix exclude each other; use one of the two");
  picus_dependencies dependencies;
  picus_status status = picus_model_examine_rigid(model, energy, "the kinetic energy", NULL, &dependencies);
  if (!status) status = picus_model_refuse_inputs(model, &dependencies, "the kinetic energy");
  return status ? status : add_to(model, &model->kinetic, energy);
}

picus_status picus_model_add_potential(picus_model *model, picus_expr energy) {
  picus_dependencies dependencies;
  picus_status status = picus_model_examine(model, energy, "the potential energy", NULL, &dependencies);
  if (status) return status;
  if (dependencies.velocity >= 0 || dependencies.displacement_velocity >= 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "the potential energy depends on the velocity '%s'; it may depend on time and coordinates "
                            "only",
                            dependencies.velocity >= 0 ? model->velocities[dependencies.velocity].name
                                                       : model->nodes[dependencies.displacement_velocity].v_name);
  note_coupling(model, &dependencies);
  return add_to(model, &model->potential, energy);
}

picus_status picus_model_add_dissipation(picus_model *model, picus_expr power) {
  picus_dependencies dependencies;
  picus_status status = picus_model_examine(model, power, "the dissipation", NULL, &dependencies);
  if (status) return status;
  note_coupling(model, &dependencies);
  if (dependencies.velocity < 0 && dependencies.displacement_velocity < 0 &&
      !picus_expr_is_number(model->pool, power, NULL))
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "the dissipation does not depend on a velocity and has no effect");
  return add_to(model, &model->dissipation, power);
}

/* A given force on a displacement of a flexible component. */
static picus_status add_load(picus_model *model, const char *name, int structure, int index, picus_expr force) {
  picus_dependencies on;
  picus_status status = picus_model_examine(model, force, "the force on", name, &on);
  if (on.coordinate >= 0 || on.velocity >= 0) model->coupled = true;
  note_coupling(model, &on);
  const picus_model_structure *s = &model->structures[structure];
  if (!status) status = picus_model_displacement_symbols(model, structure, index, NULL, NULL);
  if (status) return status;
  picus_model_displacement *node = &model->nodes[s->node[index] - 1];
  picus_model_sum sum = {node->force, model->place};
  status = add_to(model, &sum, force);
  if (status) return status;
  node->force = sum.expr;
  return book_force(model, name, force, node->v);
}

picus_status picus_model_add_force(picus_model *model, const char *name, picus_expr force) {
  picus_name_entry found = picus_model_find_name(model, name ? name : "");
  int structure;
  bool is_velocity;
  int displacement = picus_model_find_displacement(model, name ? name : "", &structure, &is_velocity);
  if (displacement >= 0) return add_load(model, name, structure, displacement, force);
  int index = found.index;
  if (found.kind == PICUS_NAME_COORDINATE) { /* a force on a coordinate acts on its velocity */
    index = model->coordinates[found.index].velocity;
    if (index < 0)
      return picus_model_fail(model, PICUS_ERROR_MODEL,
                              "coordinate '%s' has no corresponding velocity; name a velocity for the force", name);
  } else if (found.kind != PICUS_NAME_VELOCITY) {
    return picus_model_fail_unknown(model, model->place, "coordinate or velocity", name ? name : "",
                                    picus_model_next_symbol, model);
  }
  picus_dependencies dependencies;
  picus_status status = picus_model_examine(model, force, "the force on", name, &dependencies);
  if (status) return status;
  note_coupling(model, &dependencies);
  picus_model_velocity *velocity = &model->velocities[index];
  picus_model_sum sum = {velocity->force, velocity->force_place};
  status = add_to(model, &sum, force);
  if (status) return status;
  velocity->force = sum.expr;
  velocity->force_place = sum.place;
  return book_force(model, name, force, velocity->symbol);
}

static picus_status check_mass_entry(picus_model *model, int count, const picus_expr *M, int i, int j) {
  picus_dependencies dependencies;
  picus_status status =
      picus_model_examine_rigid(model, M[i * count + j], "an entry of the mass matrix", NULL, &dependencies);
  if (!status) status = picus_model_refuse_inputs(model, &dependencies, "an entry of the mass matrix");
  if (status) return status;
  if (dependencies.velocity >= 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "entry (%d,%d) of the mass matrix depends on the velocity '%s'; it may depend on time and "
                            "coordinates only",
                            i + 1, j + 1, model->velocities[dependencies.velocity].name);
  double value, mirrored;
  if (j < i && picus_expr_is_number(model->pool, M[i * count + j], &value) &&
      picus_expr_is_number(model->pool, M[j * count + i], &mirrored) && value != mirrored)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "the mass matrix is not symmetric: entries (%d,%d) and (%d,%d)",
                            i + 1, j + 1, j + 1, i + 1);
  return PICUS_OK;
}

static picus_status keep_exprs(picus_model *model, size_t count, const picus_expr *source, picus_expr **copy) {
  *copy = picus_allocate(model->context, count, sizeof **copy);
  if (!*copy) return PICUS_ERROR_MEMORY;
  memcpy(*copy, source, count * sizeof **copy);
  return PICUS_OK;
}

picus_status picus_model_set_mass_matrix(picus_model *model, int count, const picus_expr *M) {
  if (picus_expr_valid(model->kinetic.expr))
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "a kinetic energy and a mass matrix exclude each other; use one of the two");
  if (model->mass_count) return picus_model_fail(model, PICUS_ERROR_MODEL, "the mass matrix is defined twice");
  if (count != model->velocity_count || count == 0)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                            "the mass matrix is %d x %d, but there are %d velocities; define all velocities before it",
                            count, count, model->velocity_count);
  picus_status status = PICUS_OK;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      status = check_mass_entry(model, count, M, i, j);
      if (status) return status;
    }
  status = keep_exprs(model, (size_t)count * (size_t)count, M, &model->mass);
  if (status) return status;
  model->mass_count = count;
  model->mass_place = model->place;
  return PICUS_OK;
}

static picus_status find_velocity(picus_model *model, const char *name, int *index) {
  picus_name_entry found = picus_model_find_name(model, name ? name : "");
  if (found.kind != PICUS_NAME_VELOCITY)
    return picus_model_fail_unknown(model, model->place, "velocity", name ? name : "", picus_model_next_velocity,
                                    model);
  *index = found.index;
  return PICUS_OK;
}

picus_status picus_model_add_inertia(picus_model *model, const char *a, const char *b, double value) {
  picus_model_inertia inertia = {.value = value};
  picus_status status = find_velocity(model, a, &inertia.a);
  if (!status) status = find_velocity(model, b, &inertia.b);
  if (!status) status = picus_model_check_finite(model, value, "the inertia of", a);
  if (!status)
    status = picus_grow(model->context, &model->inertias, (size_t)model->inertia_count, &model->inertia_capacity,
                        sizeof *model->inertias);
  if (status) return status;
  model->inertias[model->inertia_count++] = inertia;
  return PICUS_OK;
}

picus_status picus_model_set_force_vector(picus_model *model, int count, const picus_expr *h) {
  if (model->force_vector_count) return picus_model_fail(model, PICUS_ERROR_MODEL, "the force vector is defined twice");
  if (count != model->velocity_count || count == 0)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                            "the force vector has %d entries, but there are %d velocities; define all velocities "
                            "before it",
                            count, model->velocity_count);
  for (int i = 0; i < count; i++) {
    picus_dependencies dependencies;
    picus_status status = picus_model_examine_rigid(model, h[i], "an entry of the force vector", NULL, &dependencies);
    if (status) return status;
  }
  picus_status status = keep_exprs(model, (size_t)count, h, &model->force_vector);
  if (status) return status;
  model->force_vector_count = count;
  model->force_vector_place = model->place;
  return PICUS_OK;
}
