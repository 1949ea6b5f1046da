/* Contacts, friction elements and constraints. That slips and velocity constraints are linear in u is checked by
 * src/system, which differentiates them. */
#include "model/internal.h"

#include <math.h>
#include <stdio.h>

picus_contact_def picus_default_contact_def(void) { return (picus_contact_def){.name = NULL}; }

picus_friction_def picus_default_friction_def(void) { return (picus_friction_def){.name = NULL}; }

picus_constraint_def picus_default_constraint_def(void) { return (picus_constraint_def){.name = NULL}; }

picus_clutch_def picus_default_clutch_def(void) { return (picus_clutch_def){.name = NULL}; }

picus_preload_def picus_default_preload_def(void) { return (picus_preload_def){.name = NULL}; }

/* --- coefficients that vary ------------------------------------------------------------------------------------- */

picus_expr picus_model_slip_speed(picus_model *model) {
  if (picus_expr_given(model->slip_speed)) return model->slip_speed;
  const picus_expr symbol = picus_variable(model->pool, "slip_speed()");
  if (picus_expr_valid(symbol) && picus_model_own_variable(model, symbol, PICUS_VARIABLE_SLIP_SPEED, -1))
    return PICUS_FAILED_EXPR;
  return model->slip_speed = symbol;
}

/* The formula of a coefficient, which may name the slip speed. Time in its place has no other dependencies, and no
 * value that could fail. */
picus_status picus_model_examine_coefficient(picus_model *model, picus_expr formula, const char *what, const char *name,
                                             picus_dependencies *on) {
  picus_expr seen = formula;
  if (picus_expr_valid(formula) && picus_expr_given(model->slip_speed))
    seen =
        picus_substitute(model->pool, formula, picus_expr_variable_index(model->pool, model->slip_speed), model->time);
  picus_status status = picus_model_examine(model, seen, what, name, on);
  if (!status && (on->velocity >= 0 || on->displacement_velocity >= 0))
    status = picus_model_fail(model, PICUS_ERROR_MODEL,
                              "%s '%s' depends on the velocity '%s'; it may depend on time, coordinates, inputs and "
                              "slip_speed()",
                              what, name,
                              on->velocity >= 0 ? model->velocities[on->velocity].name
                                                : model->nodes[on->displacement_velocity].v_name);
  return status;
}

/* Makes the slip speed in the formulas of a law that of this law, which will have the given index. */
static picus_status own_slip_speed(picus_model *model, picus_model_law *law, int index) {
  if (!picus_expr_given(model->slip_speed)) return PICUS_OK;
  const int any = picus_expr_variable_index(model->pool, model->slip_speed);
  bool has = false;
  for (int k = 0; k < PICUS_COEFFICIENTS; k++)
    has = has || (picus_expr_given(law->varying[k]) && picus_expr_depends_on(model->pool, law->varying[k], any));
  if (!has) return PICUS_OK;
  const picus_expr own = picus_variable(model->pool, "slip_speed()");
  picus_status status = picus_pool_status(model->pool);
  if (!status) status = picus_model_own_variable(model, own, PICUS_VARIABLE_SLIP_SPEED, index);
  if (status) return status;
  law->slip_speed = picus_expr_variable_index(model->pool, own);
  for (int k = 0; k < PICUS_COEFFICIENTS; k++)
    if (picus_expr_given(law->varying[k])) law->varying[k] = picus_substitute(model->pool, law->varying[k], any, own);
  return picus_pool_status(model->pool);
}

static picus_status append_law(picus_model *model, picus_model_law law) {
  picus_status status = own_slip_speed(model, &law, model->law_count);
  if (!status)
    status =
        picus_grow(model->context, &model->laws, (size_t)model->law_count, &model->law_capacity, sizeof *model->laws);
  if (!status) status = picus_model_reserve_names(model, 1);
  if (status) return status;
  law.name = picus_model_keep_text(model, law.name);
  if (!law.name) return PICUS_ERROR_MEMORY;
  law.place = model->place;
  picus_model_register_name(model, law.name, PICUS_NAME_LAW, model->law_count);
  model->laws[model->law_count++] = law;
  return PICUS_OK;
}

/* A gap or position-level constraint: g(t,q) with some q in it. kind and part: "contact", "gap". */
static picus_status check_position(picus_model *model, picus_expr expr, const char *kind, const char *part,
                                   const char *name) {
  char what[64];
  snprintf(what, sizeof what, "the %s of %s", part, kind);
  picus_dependencies dependencies;
  picus_status status = picus_model_examine(model, expr, what, name, &dependencies);
  if (!status) status = picus_model_require_rates(model, &dependencies, what, name);
  if (status) return status;
  if (dependencies.velocity >= 0 || dependencies.displacement_velocity >= 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "%s '%s' depends on the velocity '%s'; it may depend on time and coordinates only", what,
                            name,
                            dependencies.velocity >= 0 ? model->velocities[dependencies.velocity].name
                                                       : model->nodes[dependencies.displacement_velocity].v_name);
  if (dependencies.coordinate < 0 && dependencies.displacement < 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "%s '%s' is not linked to a coordinate, as its %s depends on none", kind, name, part);
  return PICUS_OK;
}

static picus_status check_velocity(picus_model *model, picus_expr expr, const char *what, const char *name) {
  picus_dependencies dependencies;
  picus_status status = picus_model_examine(model, expr, what, name, &dependencies);
  if (!status && dependencies.velocity < 0 && dependencies.displacement_velocity < 0)
    status = picus_model_fail(model, PICUS_ERROR_MODEL, "%s '%s' does not depend on a velocity", what, name);
  return status;
}

/* The rate of a gap, if given. */
static picus_status check_rate(picus_model *model, picus_expr rate, const char *kind, const char *name) {
  char what[64];
  snprintf(what, sizeof what, "the rate of %s", kind);
  return picus_expr_given(rate) ? check_velocity(model, rate, what, name) : PICUS_OK;
}

static picus_status check_slips(picus_model *model, int slips, const picus_expr *slip, const char *what,
                                const char *name) {
  for (int i = 0; i < slips; i++) {
    picus_status status = check_velocity(model, slip[i], what, name);
    if (status) return status;
  }
  return PICUS_OK;
}

static picus_status check_range(picus_model *model, double value, double highest, const char *what, const char *name) {
  picus_status status = picus_model_check_finite(model, value, what, name);
  if (status) return status;
  if (value < 0)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%s '%s' is %g; it must not be negative", what, name, value);
  if (value > highest)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%s '%s' is %g; it must be in [0, %g]", what, name, value,
                            highest);
  return PICUS_OK;
}

/* A coefficient: its formula, if it has one, or else its number. A formula that is a number is one. */
static picus_status check_coefficient(picus_model *model, double *value, picus_expr *formula, double highest,
                                      const char *what, const char *name) {
  picus_dependencies on;
  if (picus_expr_given(*formula) && picus_expr_valid(*formula) && picus_expr_is_number(model->pool, *formula, value))
    *formula = PICUS_NO_EXPR;
  return picus_expr_given(*formula) ? picus_model_examine_coefficient(model, *formula, what, name, &on)
                                    : check_range(model, *value, highest, what, name);
}

picus_status picus_model_check_impact(picus_model *model, picus_impact_law impact, const char *what, const char *name) {
  if ((unsigned)impact <= PICUS_IMPACT_NEWTON) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                          "the impact law of %s '%s' is %d; it must be one of picus_impact_law", what, name,
                          (int)impact);
}

static bool has_rolling(const picus_contact_def *def) {
  return def->rolling > 0 || picus_expr_given(def->rolling_formula);
}

static picus_status check_rolling(picus_model *model, picus_contact_def *def) {
  if (def->rolls < 0 || def->rolls > 2)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION, "contact '%s' has %d rolling velocities; it must have 0 to 2",
                            def->name, def->rolls);
  picus_status status = check_slips(model, def->rolls, def->roll, "the rolling velocity of contact", def->name);
  if (!status)
    status = check_coefficient(model, &def->rolling, &def->rolling_formula, 1e300, "the rolling radius of contact",
                               def->name);
  if (!status && def->rolling > 0 && def->rolls == 0)
    status = picus_model_fail(model, PICUS_ERROR_MODEL,
                              "contact '%s' has the rolling radius %g but no rolling velocity; add roll, or omit "
                              "rolling",
                              def->name, def->rolling);
  if (!status && has_rolling(def) && def->rolls == 0)
    status = picus_model_fail(model, PICUS_ERROR_MODEL,
                              "contact '%s' has a rolling radius but no rolling velocity; add roll, or omit rolling",
                              def->name);
  return status;
}

/* A slip speed needs a slip velocity. */
static picus_status check_slip_speed(picus_model *model, const picus_contact_def *def) {
  if (def->slips > 0 || !picus_expr_given(model->slip_speed)) return PICUS_OK;
  const picus_expr formulas[] = {def->mu_formula, def->eN_formula, def->eF_formula};
  const int slip = picus_expr_variable_index(model->pool, model->slip_speed);
  for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++)
    if (picus_expr_given(formulas[k]) && picus_expr_depends_on(model->pool, formulas[k], slip))
      return picus_model_fail(model, PICUS_ERROR_MODEL,
                              "contact '%s' names slip_speed() but has no slip velocity; add slip", def->name);
  return PICUS_OK;
}

static picus_status check_friction(picus_model *model, picus_contact_def *def) {
  picus_status status = check_coefficient(model, &def->mu, &def->mu_formula, 1e300, "mu of contact", def->name);
  if (!status) status = check_coefficient(model, &def->eN, &def->eN_formula, 1, "eN of contact", def->name);
  if (!status) status = check_coefficient(model, &def->eF, &def->eF_formula, 1, "eF of contact", def->name);
  if (!status) status = check_slip_speed(model, def);
  if (!status) status = picus_model_check_impact(model, def->impact, "contact", def->name);
  if (status || def->slips > 0) return status;
  if (picus_expr_given(def->mu_formula))
    return picus_model_fail(model, PICUS_ERROR_MODEL, "contact '%s' has mu but no slip velocity; add slip, or omit mu",
                            def->name);
  if (def->mu > 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "contact '%s' has mu = %g but no slip velocity; add slip, or omit mu", def->name, def->mu);
  return PICUS_OK;
}

/* NAME_rolling, behind the contact. */
static picus_status add_rolling(picus_model *model, const picus_contact_def *def, const char *name) {
  picus_model_law law = {.kind = PICUS_MODEL_ROLLING,
                         .name = name,
                         .slips = def->rolls,
                         .slip = {def->roll[0], def->roll[1]},
                         .rolling = def->rolling,
                         .varying = {[PICUS_COEFFICIENT_RADIUS] = def->rolling_formula}};
  return append_law(model, law);
}

/* Slips relative to a surface that moves. */
static picus_status move_surface(picus_model *model, picus_contact_def *def) {
  if (def->surfaces < 0 || def->surfaces > def->slips)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                            "contact '%s' has %d surface velocities and %d slip velocities; give at most one for each",
                            def->name, def->surfaces, def->slips);
  for (int i = 0; i < def->surfaces; i++) {
    picus_dependencies on;
    picus_status status =
        picus_model_examine(model, def->surface[i], "the surface velocity of contact", def->name, &on);
    if (status) return status;
    def->slip[i] = picus_sub(model->pool, def->slip[i], def->surface[i]);
  }
  return picus_pool_status(model->pool);
}

/* A contact: its definition is checked before anything of it is kept; a rolling radius adds a law behind it. */
picus_status picus_model_add_contact(picus_model *model, const picus_contact_def *given) {
  char rolling[200];
  picus_contact_def checked = *given, *def = &checked;
  picus_status status = picus_model_check_name(model, "contact", def->name);
  if (status) return status;
  if (!picus_expr_given(def->gap))
    return picus_model_fail(model, PICUS_ERROR_MODEL, "contact '%s' has no gap; give gap, an expression", def->name);
  status = check_position(model, def->gap, "contact", "gap", def->name);
  if (status) return status;
  if (def->slips < 0 || def->slips > 3)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION, "contact '%s' has %d slip velocities; it must have 0 to 3",
                            def->name, def->slips);
  status = check_slips(model, def->slips, def->slip, "the slip of contact", def->name);
  if (!status) status = move_surface(model, def);
  if (!status) status = check_range(model, def->adhesion, 1e300, "the adhesion of contact", def->name);
  if (!status) status = check_friction(model, def);
  if (!status) status = check_rate(model, def->rate, "contact", def->name);
  if (!status) status = check_rolling(model, def);
  snprintf(rolling, sizeof rolling, "%.180s_rolling", def->name);
  if (!status && has_rolling(def)) status = picus_model_check_name(model, "rolling law", rolling);
  if (status) return status;
  picus_model_law law = {.kind = PICUS_MODEL_CONTACT,
                         .name = def->name,
                         .gap = def->gap,
                         .rate = def->rate,
                         .slips = def->slips,
                         .slip = {def->slip[0], def->slip[1], def->slip[2]},
                         .mu = def->mu,
                         .eN = def->eN,
                         .eF = def->eF,
                         .impact = def->impact,
                         .adhesion = def->adhesion,
                         .varying = {[PICUS_COEFFICIENT_RADIUS] = def->mu_formula,
                                     [PICUS_COEFFICIENT_EN] = def->eN_formula,
                                     [PICUS_COEFFICIENT_EF] = def->eF_formula}};
  status = append_law(model, law);
  return status || !has_rolling(def) ? status : add_rolling(model, def, rolling);
}

/* The constraints that load a guide. */
static picus_status find_loads(picus_model *model, const picus_friction_def *def, picus_model_law *law) {
  if (def->load_count < 0 || def->load_count > PICUS_LOADS_MOST)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION, "friction element '%s' has %d loads; it must have at most %d",
                            def->name, def->load_count, PICUS_LOADS_MOST);
  for (int k = 0; k < def->load_count; k++) {
    const bool turns = def->loads[k] && def->loads[k][0] == '-';
    const picus_name_entry found = picus_model_find_name(model, def->loads[k] + turns);
    if (turns) law->turned |= 1u << k;
    if (found.kind != PICUS_NAME_LAW || model->laws[found.index].kind != PICUS_MODEL_CONSTRAINT)
      return picus_model_fail(model, PICUS_ERROR_NAME,
                              "the load '%s' of friction element '%s' is not a constraint; name a constraint or an "
                              "equation of a joint that is defined before it",
                              def->loads[k], def->name);
    law->load[law->load_count++] = found.index;
  }
  law->load_length = def->length;
  const bool has_pairs = def->load_count == 2 || def->load_count == 4;
  if (def->length != 0 && (!(def->length > 0) || !(def->length < INFINITY) || !has_pairs))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "friction element '%s' has the length %g with %d loads; a positive length needs two loads, "
                            "a force and a torque, or four, two forces and two torques",
                            def->name, def->length, def->load_count);
  return PICUS_OK;
}

/* A friction element has either a reservoir or loads. */
static picus_status check_guide(picus_model *model, picus_friction_def *def) {
  const bool has_mu = def->mu != 0 || picus_expr_given(def->mu_formula);
  const bool has_reservoir = def->reservoir != 0 || picus_expr_given(def->reservoir_formula);
  if (def->load_count == 0 && has_mu)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "friction element '%s' has mu but no load; name its constraints in load, or give reservoir",
                            def->name);
  if (def->load_count != 0 && has_reservoir)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "friction element '%s' has a load and a reservoir; give mu instead of reservoir",
                            def->name);
  return check_coefficient(model, &def->mu, &def->mu_formula, 1e300, "mu of friction element", def->name);
}

picus_status picus_model_add_friction(picus_model *model, const picus_friction_def *given) {
  picus_friction_def checked = *given, *def = &checked;
  picus_status status = picus_model_check_name(model, "friction element", def->name);
  if (status) return status;
  if (def->slips < 1 || def->slips > 3)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                            "friction element '%s' has %d slip velocities; it must have 1 to 3", def->name, def->slips);
  status = check_slips(model, def->slips, def->slip, "the slip of friction element", def->name);
  if (!status)
    status = check_coefficient(model, &def->reservoir, &def->reservoir_formula, 1e300,
                               "the reservoir of friction element", def->name);
  if (!status) status = check_coefficient(model, &def->eF, &def->eF_formula, 1, "eF of friction element", def->name);
  if (!status) status = check_guide(model, def);
  if (status) return status;
  picus_model_law law = {
      .kind = PICUS_MODEL_FRICTION,
      .name = def->name,
      .slips = def->slips,
      .slip = {def->slip[0], def->slip[1], def->slip[2]},
      .reservoir = def->reservoir,
      .eF = def->eF,
      .mu = def->mu,
      .varying = {[PICUS_COEFFICIENT_RADIUS] = def->load_count > 0 ? def->mu_formula : def->reservoir_formula,
                  [PICUS_COEFFICIENT_EF] = def->eF_formula}};
  status = find_loads(model, def, &law);
  return status ? status : append_law(model, law);
}

picus_status picus_model_add_constraint(picus_model *model, const picus_constraint_def *def) {
  picus_status status = picus_model_check_name(model, "constraint", def->name);
  if (status) return status;
  bool position = picus_expr_given(def->position), velocity = picus_expr_given(def->velocity);
  if (position == velocity)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "constraint '%s' needs either a position or a velocity; it has %s", def->name,
                            position ? "both" : "none");
  status = position ? check_position(model, def->position, "constraint", "position", def->name)
                    : check_velocity(model, def->velocity, "the velocity of constraint", def->name);
  if (!status && position) status = check_rate(model, def->rate, "constraint", def->name);
  if (status) return status;
  picus_model_law law = {.kind = PICUS_MODEL_CONSTRAINT,
                         .name = def->name,
                         .position = def->position,
                         .rate = position ? def->rate : PICUS_NO_EXPR,
                         .velocity = def->velocity};
  return append_law(model, law);
}

picus_status picus_model_add_clutch(picus_model *model, const picus_clutch_def *def) {
  picus_status status = picus_model_check_name(model, "clutch", def->name);
  if (status) return status;
  if (!picus_expr_given(def->velocity))
    return picus_model_fail(model, PICUS_ERROR_MODEL, "clutch '%s' has no velocity; give velocity, an expression",
                            def->name);
  status = check_velocity(model, def->velocity, "the velocity of clutch", def->name);
  if (status) return status;
  picus_model_law law = {.kind = PICUS_MODEL_CLUTCH, .name = def->name, .velocity = def->velocity};
  return append_law(model, law);
}

static picus_status check_limits(picus_model *model, const picus_preload_def *def) {
  picus_status status = picus_model_check_finite(model, def->lower, "the lower limit of preload", def->name);
  if (!status) status = picus_model_check_finite(model, def->upper, "the upper limit of preload", def->name);
  if (!status && !(def->lower <= def->upper))
    status = picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                              "preload '%s' has the lower limit %g and the upper limit %g; the lower one must not be "
                              "greater",
                              def->name, def->lower, def->upper);
  return status;
}

/* The force in the middle between the limits is constant and belongs to the potential energy. So the relay is
 * symmetric, and solvers need no sets of another shape. */
static picus_status add_mean_force(picus_model *model, const picus_preload_def *def) {
  const double mean = 0.5 * def->lower + 0.5 * def->upper;
  if (mean == 0) return PICUS_OK;
  picus_expr energy = picus_mul(model->pool, picus_number(model->pool, -mean), def->displacement);
  return picus_model_add_potential(model, energy);
}

picus_status picus_model_add_preload(picus_model *model, const picus_preload_def *def) {
  picus_status status = picus_model_check_name(model, "preload", def->name);
  if (status) return status;
  if (!picus_expr_given(def->displacement))
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "preload '%s' has no displacement; give displacement, an expression", def->name);
  status = check_position(model, def->displacement, "preload", "displacement", def->name);
  if (!status) status = check_limits(model, def);
  if (!status) status = add_mean_force(model, def);
  if (status) return status;
  picus_model_law law = {.kind = PICUS_MODEL_PRELOAD,
                         .name = def->name,
                         .gap = def->displacement,
                         .slips = 1,
                         .reservoir = 0.5 * def->upper - 0.5 * def->lower};
  return append_law(model, law);
}
