/* Checks of a complete model. */
#include "model/internal.h"

#include <stdio.h>
#include <string.h>

static picus_status check_overrides(picus_model *model) {
  for (int i = 0; i < model->override_count; i++)
    if (!model->overrides[i].met)
      return picus_model_fail_unknown(model, (picus_place){NULL, 0}, "parameter", model->overrides[i].name,
                                      picus_model_next_parameter, model);
  return PICUS_OK;
}

static picus_status check_times(picus_model *model) {
  const picus_model_run *run = &model->run;
  const double start = run->values.sim.t_start, end = run->values.sim.t_end;
  const picus_place place = run->places[PICUS_OPTION_t_end];
  if (!run->given[PICUS_OPTION_t_end] || end >= start) return PICUS_OK;
  return picus_fail_at(model->context, PICUS_ERROR_ARGUMENT, place.file, place.line,
                       "t_end = %g is before t_start = %g", end, start);
}

/* Rows come from steps or from times. */
static picus_status check_rows(picus_model *model) {
  const picus_model_run *run = &model->run;
  const picus_sim_options *o = &run->values.sim;
  const picus_place *every = &run->places[PICUS_OPTION_every], *sample = &run->places[PICUS_OPTION_sample];
  const picus_place *later = every->line > sample->line ? every : sample;
  if (!run->given[PICUS_OPTION_every] || o->every == 0 || !(o->sample > 0)) return PICUS_OK;
  return picus_fail_at(model->context, PICUS_ERROR_ARGUMENT, later->file, later->line,
                       "every = %ld and sample = %g exclude each other; give the one by which rows are recorded",
                       o->every, o->sample);
}

static bool has_inertias(const picus_model *model) { return model->inertia_count > 0 || model->body_count > 0; }

/* If the kinetic energy depends on a velocity or its coordinate, Lagrange's equations require that the velocity is the
 * derivative of the coordinate. Inertias given by entries do not. */
static picus_status check_kinetic(picus_model *model) {
  for (int i = 0; i < model->velocity_count; i++) {
    const picus_model_velocity *velocity = &model->velocities[i];
    if (velocity->coordinate >= 0 && !picus_expr_valid(model->coordinates[velocity->coordinate].rate)) continue;
    if (has_inertias(model) && !picus_expr_depends_on(model->pool, model->kinetic.expr, velocity->variable)) continue;
    return picus_fail_at(model->context, PICUS_ERROR_MODEL, velocity->place.file, velocity->place.line,
                         "velocity '%s' is not the derivative of a coordinate, as a kinetic energy requires "
                         "(Lagrange's equations); use a mass matrix and a force vector instead",
                         velocity->name);
  }
  for (int i = 0; i < model->coordinate_count; i++) {
    const picus_model_coordinate *coordinate = &model->coordinates[i];
    if (!has_inertias(model) || (coordinate->velocity >= 0 && !picus_expr_valid(coordinate->rate))) continue;
    if (!picus_expr_depends_on(model->pool, model->kinetic.expr, coordinate->variable)) continue;
    return picus_fail_at(model->context, PICUS_ERROR_MODEL, model->kinetic.place.file, model->kinetic.place.line,
                         "the kinetic energy depends on '%s', whose rate is not its own velocity, as Lagrange's "
                         "equations require; use a body for this mass",
                         coordinate->name);
  }
  return PICUS_OK;
}

static picus_status check_kinematics(picus_model *model) {
  for (int i = 0; i < model->coordinate_count; i++) {
    const picus_model_coordinate *coordinate = &model->coordinates[i];
    if (coordinate->velocity < 0 && !picus_expr_valid(coordinate->rate) && !picus_model_in_quaternion_of_body(model, i))
      return picus_fail_at(model->context, PICUS_ERROR_MODEL, coordinate->place.file, coordinate->place.line,
                           "coordinate '%s' has neither a velocity nor a rate; add one of the two", coordinate->name);
  }
  return picus_expr_valid(model->kinetic.expr) ? check_kinetic(model) : PICUS_OK;
}

static picus_status check_dynamics(picus_model *model) {
  int nu = model->velocity_count;
  if (nu == 0 && model->structure_count > 0 && !picus_expr_valid(model->kinetic.expr) &&
      (!picus_expr_valid(model->potential.expr) || model->coupled))
    return PICUS_OK; /* flexible components and their laws alone */
  if (nu == 0)
    return picus_fail_at(model->context, PICUS_ERROR_MODEL, model->file, 0,
                         "model '%s' has no velocities; define coordinates", model->name);
  if (!picus_expr_valid(model->kinetic.expr) && !model->mass_count && !has_inertias(model))
    return picus_fail_at(model->context, PICUS_ERROR_MODEL, model->file, 0,
                         "model '%s' has neither a kinetic energy nor a mass matrix; add one of the two", model->name);
  if (model->mass_count && model->mass_count != nu)
    return picus_fail_at(model->context, PICUS_ERROR_DIMENSION, model->mass_place.file, model->mass_place.line,
                         "the mass matrix is %d x %d, but the model has %d velocities", model->mass_count,
                         model->mass_count, nu);
  if (model->force_vector_count && model->force_vector_count != nu)
    return picus_fail_at(
        model->context, PICUS_ERROR_DIMENSION, model->force_vector_place.file, model->force_vector_place.line,
        "the force vector has %d entries, but the model has %d velocities", model->force_vector_count, nu);
  return PICUS_OK;
}

/* Columns by the part of their name before the dot: t, dt, order, E, then the model's own. */
static const char *next_column(const void *user, int k) {
  static const char *const general[] = {"t", "dt", "order", "E"};
  const picus_model *model = user;
  if (k < 4) return general[k];
  k -= 4;
  if (k < model->coordinate_count + model->velocity_count) return picus_model_next_symbol(model, k);
  k -= model->coordinate_count + model->velocity_count;
  if (k < model->law_count) return model->laws[k].name;
  k -= model->law_count;
  if (k < model->structure_count) return model->structures[k].name;
  k -= model->structure_count;
  if (k < model->input_count) return model->inputs[k].def.name;
  k -= model->input_count;
  return k < model->observable_count ? model->observables[k].name : NULL;
}

/* Forces and impulses, in the schemes that have them. */
static const char *next_force_column(const picus_model_law *law, int k) {
  static const char *const contact[] = {"lambdaN+", "lambdaN-", "LambdaN"};
  static const char *const constraint[] = {"lambda+", "lambda-", "Lambda"};
  static const char *const planar[] = {"lambdaF+", "lambdaF-", "LambdaF"};
  static const char *const spatial[] = {"lambdaF1+", "lambdaF1-", "LambdaF1",  "lambdaF2+", "lambdaF2-",
                                        "LambdaF2",  "lambdaF3+", "lambdaF3-", "LambdaF3"};
  static const char *const planar_rolling[] = {"lambdaR+", "lambdaR-", "LambdaR"};
  static const char *const rolling[] = {"lambdaR1+", "lambdaR1-", "LambdaR1", "lambdaR2+", "lambdaR2-", "LambdaR2"};
  const int normal = picus_model_law_has_normal(law) ? 3 : 0;
  if (k < normal) return law->kind == PICUS_MODEL_CONTACT ? contact[k] : constraint[k];
  k -= normal;
  if (law->kind == PICUS_MODEL_PRELOAD) return k < 3 ? constraint[k] : NULL;
  if (k >= 3 * law->slips) return NULL;
  if (law->kind == PICUS_MODEL_ROLLING) return law->slips == 1 ? planar_rolling[k] : rolling[k];
  return law->slips == 1 ? planar[k] : spatial[k];
}

/* The recorded quantities of a law, after its name and a dot. */
static const char *next_law_column(const void *user, int k) {
  static const char *const contact[] = {"gap", "vN", "PN", "mode"};
  static const char *const constraint[] = {"v", "P", "mode", "gap"};
  static const char *const preload[] = {"gap", "P", "mode"};
  static const char *const friction[] = {"PF1", "PF2", "PF3"}, *const rolling[] = {"PR1", "PR2"};
  const picus_model_law *law = user;
  if (law->kind == PICUS_MODEL_PRELOAD) return k < 3 ? preload[k] : next_force_column(law, k - 3);
  int others = picus_model_law_has_normal(law) ? 4 : 1;
  if (picus_model_law_has_normal(law) && picus_expr_valid(law->velocity)) others = 3;
  if (k < others) {
    if (!picus_model_law_has_normal(law)) return "mode";
    return law->kind == PICUS_MODEL_CONTACT ? contact[k] : constraint[k];
  }
  if (k >= others + law->slips) return next_force_column(law, k - others - law->slips);
  if (law->kind == PICUS_MODEL_ROLLING) return law->slips == 1 ? "PR" : rolling[k - others];
  return law->slips == 1 ? "PF" : friction[k - others];
}

static const char *next_energy_column(const void *user, int k) {
  static const char *const energies[] = {"kin", "pot", "total", NULL};
  (void)user;
  return energies[k];
}

/* Columns of works have names that only the derived system knows. */
static bool is_work_column(const picus_model_law *law, const char *suffix) {
  return law ? strcmp(suffix, "work") == 0 : strncmp(suffix, "work.", 5) == 0;
}

/* A column "NAME.suffix" of a law, or "E.suffix" if law is NULL. */
static picus_status check_group_column(picus_model *model, picus_place place, const char *group,
                                       const picus_model_law *law, const char *suffix) {
  const char *(*next)(const void *user, int k) = law ? next_law_column : next_energy_column;
  const char *name;
  for (int k = 0; (name = next(law, k)) != NULL; k++)
    if (strcmp(name, suffix) == 0) return PICUS_OK;
  if (is_work_column(law, suffix)) return PICUS_OK;
  char what[160];
  snprintf(what, sizeof what, "column of '%s' with the name", group);
  return picus_model_fail_unknown(model, place, what, suffix, next, law);
}

/* A column "rod.x12" or "rod.v12" of a flexible component. */
static picus_status check_displacement_column(picus_model *model, picus_place place, const picus_model_structure *s,
                                              const char *column) {
  int structure;
  bool velocity;
  int index = picus_model_find_displacement(model, column, &structure, &velocity);
  if (index < 0 && s->map.node_count)
    return picus_fail_at(model->context, PICUS_ERROR_NAME, place.file, place.line,
                         "there is no column '%.60s'; '%s' has columns such as %s.uy%d and %s.vy%d for nodes %d to %d, "
                         "without those that supports hold",
                         column, s->name, s->name, s->first, s->name, s->first, s->first,
                         s->first + s->map.node_count - 1);
  if (index < 0)
    return picus_fail_at(model->context, PICUS_ERROR_NAME, place.file, place.line,
                         "there is no column '%.60s'; '%s' has %s.x%d to %s.x%d and %s.v%d to %s.v%d", column, s->name,
                         s->name, s->first, s->name, s->first + s->size - 1, s->name, s->first, s->name,
                         s->first + s->size - 1);
  if (!s->recorded[index])
    return picus_fail_at(model->context, PICUS_ERROR_NAME, place.file, place.line,
                         "the column '%.60s' is not recorded; add %d to 'record' of '%s'", column,
                         s->first + (s->map.node_count ? s->map.place[index] / s->map.component_count : index),
                         s->name);
  return PICUS_OK;
}

static picus_status check_column(picus_model *model, picus_place place, const char *column) {
  char group[128];
  const char *dot = strchr(column, '.');
  size_t length = dot ? (size_t)(dot - column) : strlen(column);
  if (length < sizeof group) {
    memcpy(group, column, length);
    group[length] = '\0';
    picus_name_entry found = picus_model_find_name(model, group);
    bool energies = strcmp(group, "E") == 0, is_law = found.kind == PICUS_NAME_LAW;
    if (energies || is_law)
      return check_group_column(model, place, group, is_law ? &model->laws[found.index] : NULL, dot ? dot + 1 : "");
    if (found.kind == PICUS_NAME_STRUCTURE)
      return check_displacement_column(model, place, &model->structures[found.index], column);
    bool general = strcmp(group, "t") == 0 || strcmp(group, "dt") == 0 || strcmp(group, "order") == 0;
    if (!dot && (general || found.kind != PICUS_NAME_NONE)) return PICUS_OK;
  }
  return picus_model_fail_unknown(model, place, "column", column, next_column, model);
}

static picus_status check_plots(picus_model *model) {
  for (int i = 0; i < model->plot_count; i++) {
    const picus_model_plot_entry *plot = &model->plots[i];
    picus_status status = check_column(model, plot->place, plot->x);
    for (int j = 0; !status && j < plot->count; j++) status = check_column(model, plot->place, plot->y[j]);
    if (status) return status;
  }
  return PICUS_OK;
}

picus_status picus_model_check(picus_model *model) {
  picus_status status = check_overrides(model);
  if (!status) status = check_times(model);
  if (!status) status = check_rows(model);
  if (!status) status = check_kinematics(model);
  if (!status) status = check_dynamics(model);
  if (!status) status = picus_model_check_controls(model);
  if (!status) status = check_plots(model);
  return status;
}
