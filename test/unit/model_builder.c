/* The model built from C: what the container keeps, and everything it refuses at once. */
#include "model/internal.h"
#include "support/allocations.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static picus_context *context;
static picus_model *model;
static picus_pool *pool;
static picus_expr x, v, y, w; /* two coordinates with their velocities */

static bool begin(void) {
  if (picus_context_create(NULL, &context) != PICUS_OK) return false;
  if (picus_model_create(context, "test", &model) != PICUS_OK) return false;
  pool = picus_model_pool(model);
  picus_coordinate_def def = picus_default_coordinate_def();
  def = (picus_coordinate_def){.name = "x", .velocity = "v", .start = 1, .velocity_start = 2, .unit = "m"};
  if (picus_model_add_coordinate(model, &def, &x, &v) != PICUS_OK) return false;
  def = (picus_coordinate_def){.name = "phi", .velocity = "omega", .unit = "rad", .label = "angle"};
  return picus_model_add_coordinate(model, &def, &y, &w) == PICUS_OK;
}

static void end(void) {
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static picus_expr number(double value) { return picus_number(pool, value); }
static picus_expr square(picus_expr a) { return picus_mul(pool, a, a); }

/* The call failed with this status and a sentence that contains the fragment. */
#define CHECK_FAILS(call, expected, fragment)                                                                          \
  do {                                                                                                                 \
    CHECK((call) == (expected));                                                                                       \
    if (!CHECK(strstr(picus_last_error(context)->message, fragment) != NULL))                                          \
      CHECK_TEXT(picus_last_error(context)->message, fragment);                                                        \
    CHECK(picus_last_error(context)->status == (expected));                                                            \
  } while (0)

static void coordinates_are_kept(void) {
  REQUIRE(begin());
  CHECK(picus_model_coordinate_count(model) == 2 && picus_model_velocity_count(model) == 2);
  const picus_model_coordinate *first = &model->coordinates[0], *second = &model->coordinates[1];
  CHECK_TEXT(first->name, "x");
  CHECK_TEXT(first->label, "x");
  CHECK_TEXT(second->label, "angle");
  CHECK(first->start == 1 && model->velocities[0].start == 2);
  CHECK_TEXT(model->velocities[0].unit, "m/s");
  CHECK_TEXT(model->velocities[1].unit, "rad/s");
  CHECK(first->velocity == 0 && model->velocities[1].coordinate == 1);
  CHECK(picus_expr_variable_index(pool, picus_model_time(model)) == 0);
  CHECK(first->variable == picus_expr_variable_index(pool, x));
  CHECK(picus_model_symbol(model, "phi").id == y.id && picus_model_symbol(model, "omega").id == w.id);
  CHECK(picus_model_symbol(model, "t").id == picus_model_time(model).id);
  CHECK(!picus_expr_valid(picus_model_symbol(model, "omga")));
  CHECK(strstr(picus_last_error(context)->message, "did you mean 'omega'?") != NULL);
  end();
}

static void general_velocities_and_rates(void) {
  REQUIRE(begin());
  picus_expr z, none, s;
  picus_coordinate_def def = {.name = "z", .unit = "m/s"};
  CHECK(picus_model_add_coordinate(model, &def, &z, &none) == PICUS_OK);
  CHECK(picus_expr_valid(z) && !picus_expr_valid(none));
  CHECK(model->coordinates[2].velocity == -1);
  CHECK(picus_model_add_velocity(model, "s", 3, "1/s", &s) == PICUS_OK);
  CHECK(model->velocities[2].coordinate == -1 && model->velocities[2].start == 3);
  CHECK(picus_model_set_rate(model, "z", picus_mul(pool, x, s)) == PICUS_OK);
  CHECK(picus_expr_valid(model->coordinates[2].rate));
  CHECK_FAILS(picus_model_set_rate(model, "z", s), PICUS_ERROR_NAME, "defined twice");
  CHECK_FAILS(picus_model_set_rate(model, "zz", s), PICUS_ERROR_NAME, "did you mean 'z'?");
  CHECK_FAILS(picus_model_set_rate(model, NULL, s), PICUS_ERROR_NAME, "no coordinate");
  def = (picus_coordinate_def){.name = "a", .velocity = "b", .unit = "kg m/s"};
  CHECK(picus_model_add_coordinate(model, &def, NULL, NULL) == PICUS_OK);
  CHECK_TEXT(model->velocities[3].unit, "(kg m/s)/s");
  end();
}

static void names_are_checked(void) {
  REQUIRE(begin());
  static const char *const wrong[] = {"",   "1a",    "_a", "a b",   "a.b", "\xc3\xa9", "t",
                                      "dt", "order", "E",  "picus", "x",   "omega"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    picus_coordinate_def def = {.name = wrong[i], .velocity = "ok"};
    CHECK(picus_model_add_coordinate(model, &def, NULL, NULL) == PICUS_ERROR_NAME);
    def = (picus_coordinate_def){.name = "ok", .velocity = wrong[i]};
    CHECK(picus_model_add_coordinate(model, &def, NULL, NULL) == PICUS_ERROR_NAME);
    CHECK(picus_model_add_velocity(model, wrong[i], 0, NULL, NULL) == PICUS_ERROR_NAME);
    picus_contact_def contact = picus_default_contact_def();
    contact.name = wrong[i];
    contact.gap = x;
    CHECK(picus_model_add_contact(model, &contact) == PICUS_ERROR_NAME);
    CHECK(picus_model_add_observable(model, wrong[i], x, NULL, NULL) == PICUS_ERROR_NAME);
  }
  CHECK(picus_model_add_velocity(model, NULL, 0, NULL, NULL) == PICUS_ERROR_NAME);
  CHECK(picus_model_coordinate_count(model) == 2 && picus_model_velocity_count(model) == 2 && model->law_count == 0);
  CHECK(picus_model_add_observable(model, "a_b-C9", x, "m", NULL) == PICUS_OK);
  CHECK_FAILS(picus_model_add_velocity(model, "a_b-C9", 0, NULL, NULL), PICUS_ERROR_NAME, "an observed value");
  CHECK_FAILS(picus_model_set_name(model, "", NULL), PICUS_ERROR_NAME, "empty");
  CHECK_FAILS(picus_model_set_name(model, "a\nb", NULL), PICUS_ERROR_NAME, "one line");
  CHECK_TEXT(picus_model_name(model), "test");
  picus_model *other;
  CHECK(picus_model_create(context, NULL, &other) == PICUS_ERROR_NAME && other == NULL);
  end();
}

static void many_names_stay_distinct(void) {
  REQUIRE(begin());
  char name[16];
  for (int i = 0; i < 3000; i++) {
    snprintf(name, sizeof name, "o%d", i);
    CHECK(picus_model_add_observable(model, name, x, NULL, NULL) == PICUS_OK);
  }
  CHECK(picus_model_add_observable(model, "o2999", x, NULL, NULL) == PICUS_ERROR_NAME);
  CHECK(picus_model_find_name(model, "o1234").index == 1234);
  CHECK(picus_model_find_name(model, "o3000").kind == PICUS_NAME_NONE);
  end();
}

static void parameters_and_overrides(void) {
  REQUIRE(begin());
  double value = 0;
  CHECK(picus_model_override(model, "mu", 0.5) == PICUS_OK);
  CHECK(picus_model_override(model, "mu", 0.7) == PICUS_OK); /* the last one counts */
  CHECK(picus_model_add_parameter(model, "mu", 0.3, NULL, "friction", &value) == PICUS_OK);
  CHECK(value == 0.7);
  CHECK(picus_model_add_parameter(model, "m", 2, "kg", NULL, NULL) == PICUS_OK);
  picus_parameter mu = picus_model_parameter(model, 0), m = picus_model_parameter(model, 1);
  CHECK(picus_model_parameter_count(model) == 2 && mu.value == 0.7 && mu.default_value == 0.3 && m.value == 2);
  CHECK_TEXT(mu.unit, "");
  CHECK_TEXT(mu.description, "friction");
  CHECK_TEXT(m.unit, "kg");
  CHECK_TEXT(picus_model_parameter(model, 2).name, "");
  CHECK_TEXT(picus_model_parameter(model, -1).name, "");
  CHECK_FAILS(picus_model_add_parameter(model, "m", 2, NULL, NULL, NULL), PICUS_ERROR_NAME, "twice");
  CHECK_FAILS(picus_model_add_parameter(model, "k", NAN, NULL, NULL, NULL), PICUS_ERROR_NUMBER, "'k'");
  CHECK_FAILS(picus_model_override(model, "m", 1), PICUS_ERROR_ARGUMENT, "already defined");
  CHECK_FAILS(picus_model_override(model, "k", INFINITY), PICUS_ERROR_NUMBER, "'k'");
  CHECK_FAILS(picus_model_override(model, "k = 3", 1), PICUS_ERROR_NAME, "not a valid name");
  CHECK(picus_model_add_kinetic(model, picus_add(pool, square(v), square(w))) == PICUS_OK);
  CHECK(picus_model_check(model) == PICUS_OK);
  CHECK(picus_model_override(model, "mass", 1) == PICUS_OK);
  CHECK_FAILS(picus_model_check(model), PICUS_ERROR_NAME, "no parameter 'mass'");
  end();
}

static void starts_must_be_finite(void) {
  REQUIRE(begin());
  picus_coordinate_def def = {.name = "a", .velocity = "b", .start = NAN};
  CHECK_FAILS(picus_model_add_coordinate(model, &def, NULL, NULL), PICUS_ERROR_NUMBER, "coordinate 'a'");
  def = (picus_coordinate_def){.name = "a", .velocity = "b", .velocity_start = -INFINITY};
  CHECK_FAILS(picus_model_add_coordinate(model, &def, NULL, NULL), PICUS_ERROR_NUMBER, "velocity 'b'");
  CHECK_FAILS(picus_model_add_velocity(model, "b", NAN, NULL, NULL), PICUS_ERROR_NUMBER, "velocity 'b'");
  CHECK_FAILS(picus_model_add_stop_time(model, NAN), PICUS_ERROR_NUMBER, "stop time");
  CHECK(picus_model_add_stop_time(model, 2.5) == PICUS_OK && model->stop_times[0] == 2.5);
  end();
}

static void energies_add_up(void) {
  REQUIRE(begin());
  double values[5] = {0, 0.5, 2, 0.25, 3}, sum; /* t, x, v, phi, omega */
  CHECK(picus_model_add_kinetic(model, square(v)) == PICUS_OK);
  CHECK(picus_model_add_kinetic(model, square(w)) == PICUS_OK);
  CHECK(picus_expr_evaluate(pool, model->kinetic.expr, values, &sum) == PICUS_OK);
  CHECK_NEAR(sum, 13, 0);
  CHECK(picus_model_add_potential(model, x) == PICUS_OK && picus_model_add_potential(model, y) == PICUS_OK);
  CHECK(picus_expr_evaluate(pool, model->potential.expr, values, &sum) == PICUS_OK);
  CHECK_NEAR(sum, 0.75, 0);
  CHECK_FAILS(picus_model_add_potential(model, picus_mul(pool, x, w)), PICUS_ERROR_MODEL, "velocity 'omega'");
  CHECK(!picus_expr_valid(model->dissipation.expr));
  CHECK(picus_model_add_dissipation(model, number(0)) == PICUS_OK); /* a damping coefficient of 0 */
  CHECK_FAILS(picus_model_add_dissipation(model, x), PICUS_ERROR_MODEL, "does not depend on a velocity");
  CHECK(picus_model_add_dissipation(model, square(v)) == PICUS_OK);
  CHECK(picus_model_add_force(model, "x", number(1)) == PICUS_OK);
  CHECK(picus_model_add_force(model, "v", y) == PICUS_OK); /* the same velocity by its own name */
  CHECK(picus_expr_evaluate(pool, model->velocities[0].force, values, &sum) == PICUS_OK);
  CHECK_NEAR(sum, 1.25, 0);
  CHECK(!picus_expr_valid(model->velocities[1].force));
  CHECK_FAILS(picus_model_add_force(model, "phy", x), PICUS_ERROR_NAME, "did you mean 'phi'?");
  CHECK_FAILS(picus_model_add_force(model, NULL, x), PICUS_ERROR_NAME, "no coordinate or velocity");
  end();
}

static void mass_matrix_and_force_vector(void) {
  REQUIRE(begin());
  picus_expr M[4] = {number(2), x, x, number(3)}, h[2] = {v, number(1)};
  CHECK_FAILS(picus_model_set_mass_matrix(model, 1, M), PICUS_ERROR_DIMENSION, "1 x 1");
  CHECK_FAILS(picus_model_set_force_vector(model, 1, h), PICUS_ERROR_DIMENSION, "1 entries");
  M[1] = v;
  CHECK_FAILS(picus_model_set_mass_matrix(model, 2, M), PICUS_ERROR_MODEL, "(1,2)");
  M[1] = number(1), M[2] = number(2);
  CHECK_FAILS(picus_model_set_mass_matrix(model, 2, M), PICUS_ERROR_MODEL, "not symmetric");
  M[1] = M[2] = x;
  CHECK(picus_model_set_mass_matrix(model, 2, M) == PICUS_OK);
  CHECK(model->mass_count == 2 && model->mass[2].id == x.id);
  CHECK_FAILS(picus_model_set_mass_matrix(model, 2, M), PICUS_ERROR_MODEL, "twice");
  CHECK_FAILS(picus_model_add_kinetic(model, square(v)), PICUS_ERROR_MODEL, "exclude");
  CHECK(picus_model_set_force_vector(model, 2, h) == PICUS_OK && model->force_vector[0].id == v.id);
  CHECK_FAILS(picus_model_set_force_vector(model, 2, h), PICUS_ERROR_MODEL, "twice");
  CHECK(picus_model_check(model) == PICUS_OK);
  CHECK(picus_model_add_velocity(model, "late", 0, NULL, NULL) == PICUS_OK);
  CHECK_FAILS(picus_model_check(model), PICUS_ERROR_DIMENSION, "2 x 2");
  end();
}

static void kinetic_excludes_mass(void) {
  REQUIRE(begin());
  picus_expr M[4] = {number(1), number(0), number(0), number(1)};
  CHECK(picus_model_add_kinetic(model, square(v)) == PICUS_OK);
  CHECK_FAILS(picus_model_set_mass_matrix(model, 2, M), PICUS_ERROR_MODEL, "exclude");
  CHECK(picus_model_set_rate(model, "x", picus_mul(pool, number(2), v)) == PICUS_OK);
  CHECK_FAILS(picus_model_check(model), PICUS_ERROR_MODEL, "velocity 'v' is not the derivative");
  end();
}

static picus_contact_def good_contact(void) {
  picus_contact_def def = picus_default_contact_def();
  def.name = "c";
  def.gap = x;
  def.slips = 1;
  def.slip[0] = w;
  def.mu = 0.3;
  def.eN = 0.5;
  return def;
}

static void contacts(void) {
  REQUIRE(begin());
  picus_contact_def def = picus_default_contact_def();
  CHECK(!picus_expr_valid(def.gap) && def.slips == 0 && def.mu == 0 && def.eN == 0 && def.eF == 0);
  def = good_contact(), def.gap = (picus_expr){0};
  CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_MODEL, "'c' has no gap");
  def = good_contact(), def.gap = picus_model_time(model);
  CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_MODEL, "is not linked to a coordinate");
  def = good_contact(), def.gap = picus_add(pool, x, v);
  CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_MODEL, "velocity 'v'");
  def = good_contact(), def.slip[0] = x;
  CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_MODEL, "does not depend on a velocity");
  def = good_contact(), def.slip[0] = (picus_expr){0};
  CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_ARGUMENT, "the slip of contact 'c' is missing");
  def = good_contact(), def.slips = 4;
  CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_DIMENSION, "0 to 3");
  def = good_contact(), def.slips = 0;
  CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_MODEL, "no slip velocity");
  static const double outside[] = {-1e-9, 1 + 1e-9, 2, -5};
  for (size_t i = 0; i < 4; i++) {
    def = good_contact(), def.eN = outside[i];
    CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_ARGUMENT, "eN of contact 'c'");
    def = good_contact(), def.eF = outside[i];
    CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_ARGUMENT, "eF of contact 'c'");
  }
  def = good_contact(), def.mu = -0.1;
  CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_ARGUMENT, "mu of contact 'c'");
  def = good_contact(), def.mu = NAN;
  CHECK_FAILS(picus_model_add_contact(model, &def), PICUS_ERROR_NUMBER, "mu of contact 'c'");
  CHECK(model->law_count == 0);
  def = good_contact(), def.eN = 1, def.eF = 0, def.mu = 17;
  CHECK(picus_model_add_contact(model, &def) == PICUS_OK);
  const picus_model_law *law = &model->laws[0];
  CHECK(law->kind == PICUS_MODEL_CONTACT && law->gap.id == x.id && law->slip[0].id == w.id && law->mu == 17);
  CHECK(!picus_expr_valid(law->position) && !picus_expr_valid(law->velocity) && law->eN == 1);
  end();
}

static void friction_elements_and_constraints(void) {
  REQUIRE(begin());
  picus_friction_def friction = picus_default_friction_def();
  friction.name = "f";
  CHECK_FAILS(picus_model_add_friction(model, &friction), PICUS_ERROR_DIMENSION, "must have 1 to 3");
  friction.slips = 2, friction.slip[0] = v, friction.slip[1] = w, friction.reservoir = -2;
  CHECK_FAILS(picus_model_add_friction(model, &friction), PICUS_ERROR_ARGUMENT, "reservoir of friction element 'f'");
  friction.reservoir = 2, friction.eF = 1.5;
  CHECK_FAILS(picus_model_add_friction(model, &friction), PICUS_ERROR_ARGUMENT, "eF of friction element 'f'");
  friction.eF = 0;
  CHECK(picus_model_add_friction(model, &friction) == PICUS_OK);
  picus_constraint_def constraint = picus_default_constraint_def();
  constraint.name = "c";
  CHECK_FAILS(picus_model_add_constraint(model, &constraint), PICUS_ERROR_MODEL, "none");
  constraint.position = x, constraint.velocity = v;
  CHECK_FAILS(picus_model_add_constraint(model, &constraint), PICUS_ERROR_MODEL, "both");
  constraint.velocity = (picus_expr){0}, constraint.position = picus_add(pool, x, w);
  CHECK_FAILS(picus_model_add_constraint(model, &constraint), PICUS_ERROR_MODEL, "velocity 'omega'");
  constraint.position = number(1);
  CHECK_FAILS(picus_model_add_constraint(model, &constraint), PICUS_ERROR_MODEL, "is not linked to a coordinate");
  constraint.position = (picus_expr){0}, constraint.velocity = x;
  CHECK_FAILS(picus_model_add_constraint(model, &constraint), PICUS_ERROR_MODEL, "does not depend on a velocity");
  constraint.velocity = picus_add(pool, v, x);
  CHECK(picus_model_add_constraint(model, &constraint) == PICUS_OK);
  CHECK(model->law_count == 2 && model->laws[0].kind == PICUS_MODEL_FRICTION && model->laws[0].reservoir == 2);
  CHECK(model->laws[1].kind == PICUS_MODEL_CONSTRAINT && picus_expr_valid(model->laws[1].velocity));
  end();
}

/* A field that is left out is {0}: not given, whatever the way in which the definition was written. */
static void fields_that_are_left_out(void) {
  REQUIRE(begin());
  CHECK(!picus_expr_valid((picus_expr){0}));
  const picus_contact_def plain = {.name = "c", .gap = x, .slips = 1, .slip = {w}, .mu = 0.3};
  CHECK(picus_model_add_contact(model, &plain) == PICUS_OK);
  const picus_constraint_def level = {.name = "l", .position = x}, speed = {.name = "s", .velocity = v};
  CHECK(picus_model_add_constraint(model, &level) == PICUS_OK && picus_model_add_constraint(model, &speed) == PICUS_OK);
  const picus_contact_def no_gap = {.name = "d"}, no_slip = {.name = "d", .gap = x, .slips = 1};
  CHECK_FAILS(picus_model_add_contact(model, &no_gap), PICUS_ERROR_MODEL, "contact 'd' has no gap; give gap");
  CHECK_FAILS(picus_model_add_contact(model, &no_slip), PICUS_ERROR_ARGUMENT,
              "the slip of contact 'd' is missing; give an expression");
  const picus_clutch_def clutch = {.name = "d"};
  const picus_preload_def preload = {.name = "d"};
  CHECK_FAILS(picus_model_add_clutch(model, &clutch), PICUS_ERROR_MODEL, "clutch 'd' has no velocity; give velocity");
  CHECK_FAILS(picus_model_add_preload(model, &preload), PICUS_ERROR_MODEL, "preload 'd' has no displacement; give");
  CHECK_FAILS(picus_model_add_kinetic(model, (picus_expr){0}), PICUS_ERROR_ARGUMENT, "the kinetic energy is missing");
  CHECK_FAILS(picus_model_add_force(model, "v", (picus_expr){0}), PICUS_ERROR_ARGUMENT, "is missing; give");
  end();
}

/* A field that was given but could not be built is an error: it is not taken for one that was left out. */
static void fields_that_failed(void) {
  REQUIRE(begin());
  const picus_contact_def misspelt = {.name = "c", .gap = x, .rate = picus_model_symbol(model, "omga")};
  CHECK_FAILS(picus_model_add_contact(model, &misspelt), PICUS_ERROR_NAME,
              "the rate of contact 'c' is not a valid expression: there is no coordinate or velocity 'omga'");
  const picus_contact_def missing = {.name = "c", .gap = picus_add(pool, x, (picus_expr){0})};
  CHECK_FAILS(picus_model_add_contact(model, &missing), PICUS_ERROR_ARGUMENT,
              "the gap of contact 'c' is not a valid expression: an operand is no expression");
  CHECK(model->law_count == 0);
  end();
}

static void invalid_and_foreign_formulas(void) {
  REQUIRE(begin());
  picus_expr foreign = picus_variable(pool, "mine");
  CHECK_FAILS(picus_model_add_potential(model, picus_add(pool, x, foreign)), PICUS_ERROR_NAME, "'mine'");
  CHECK_FAILS(picus_model_add_kinetic(model, (picus_expr){-1}), PICUS_ERROR_ARGUMENT, "the kinetic energy");
  CHECK_FAILS(picus_model_add_observable(model, "o", (picus_expr){1 << 30}, NULL, NULL), PICUS_ERROR_ARGUMENT, "'o'");
  picus_expr bad = picus_number(pool, NAN);
  CHECK_FAILS(picus_model_add_kinetic(model, bad), PICUS_ERROR_NUMBER, "not a valid expression");
  end();
}

static void long_sums_need_no_recursion(void) {
  REQUIRE(begin());
  picus_expr sum = v;
  for (int i = 0; i < 200000; i++) sum = picus_unary(pool, PICUS_SIN, picus_add(pool, sum, number(i)));
  CHECK(picus_model_add_observable(model, "deep", sum, NULL, NULL) == PICUS_OK);
  CHECK_FAILS(picus_model_add_potential(model, sum), PICUS_ERROR_MODEL, "velocity 'v'");
  end();
}

static void run_options(void) {
  REQUIRE(begin());
  picus_sim_options general = picus_default_sim_options(), options = picus_model_sim_options(model);
  CHECK(options.dt == general.dt && options.theta == general.theta && options.every == general.every);
  CHECK_TEXT(options.scheme, general.scheme);
  static const struct {
    const char *option;
    double value;
    picus_status status;
  } tries[] = {{"dt", 0, PICUS_ERROR_ARGUMENT},
               {"dt", -1, PICUS_ERROR_ARGUMENT},
               {"dt", NAN, PICUS_ERROR_NUMBER},
               {"dt", INFINITY, PICUS_ERROR_NUMBER},
               {"theta", -0.1, PICUS_ERROR_ARGUMENT},
               {"theta", 1.1, PICUS_ERROR_ARGUMENT},
               {"tolerance", 0, PICUS_ERROR_ARGUMENT},
               {"sample", -1, PICUS_ERROR_ARGUMENT},
               {"every", -1, PICUS_ERROR_ARGUMENT},
               {"every", 0.5, PICUS_ERROR_ARGUMENT},
               {"t_end", NAN, PICUS_ERROR_NUMBER},
               {"t_start", -INFINITY, PICUS_ERROR_NUMBER},
               {"scheme", 1, PICUS_ERROR_ARGUMENT},
               {"dT_end", 1, PICUS_ERROR_NAME},
               {"adaptive", 2, PICUS_ERROR_ARGUMENT},
               {"dt_min", 0, PICUS_ERROR_ARGUMENT},
               {"dt_max", -1, PICUS_ERROR_ARGUMENT},
               {"atol", 0, PICUS_ERROR_ARGUMENT},
               {"rtol", -1, PICUS_ERROR_ARGUMENT},
               {"order_max", 13, PICUS_ERROR_ARGUMENT},
               {"order", 0, PICUS_ERROR_ARGUMENT},
               {"order", 2.5, PICUS_ERROR_ARGUMENT},
               {"substeps", 1, PICUS_ERROR_ARGUMENT},
               {"adaptive", 1, PICUS_OK},
               {"dt_min", 1e-7, PICUS_OK},
               {"dt_max", 1e-2, PICUS_OK},
               {"atol", 1e-9, PICUS_OK},
               {"rtol", 0, PICUS_OK},
               {"order_max", 5, PICUS_OK},
               {"order", 4, PICUS_OK},
               {"dt", 1e-3, PICUS_OK},
               {"theta", 1, PICUS_OK},
               {"tolerance", 1e-9, PICUS_OK},
               {"every", 10, PICUS_OK},
               {"t_start", 1, PICUS_OK},
               {"t_end", 2, PICUS_OK}};
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
    CHECK(picus_model_set_run_number(model, tries[i].option, tries[i].value) == tries[i].status);
  CHECK_FAILS(picus_model_set_run_number(model, NULL, 1), PICUS_ERROR_NAME, "no run option");
  CHECK_FAILS(picus_model_set_run_text(model, "scheme", "Moreau2"), PICUS_ERROR_NAME, "did you mean 'moreau'?");
  CHECK_FAILS(picus_model_set_run_text(model, "solver", "bisection"), PICUS_ERROR_NAME, "no solver 'bisection'");
  CHECK_FAILS(picus_model_set_run_text(model, "dt", "1"), PICUS_ERROR_ARGUMENT, "takes a number");
  CHECK_FAILS(picus_model_set_run_text(model, "shceme", "moreau"), PICUS_ERROR_NAME, "did you mean 'scheme'?");
  CHECK_FAILS(picus_model_set_run_text(model, "substeps", "even"), PICUS_ERROR_NAME, "no substeps 'even'");
  CHECK(picus_model_set_run_text(model, "substeps", "natural") == PICUS_OK);
  CHECK_FAILS(picus_model_set_run_text(model, "restitution", "never"), PICUS_ERROR_NAME, "no restitution 'never'");
  CHECK(picus_model_set_run_text(model, "restitution", "modified") == PICUS_OK);
  CHECK(picus_model_set_run_text(model, "scheme", "moreau") == PICUS_OK);
  CHECK(picus_model_set_run_text(model, "solver", "psor") == PICUS_OK);
  options = picus_model_sim_options(model);
  CHECK(options.dt == 1e-3 && options.theta == 1 && options.every == 10 && options.t_start == 1 && options.t_end == 2);
  CHECK(options.solver.tolerance == 1e-9);
  CHECK(options.adaptive && options.dt_min == 1e-7 && options.dt_max == 1e-2);
  CHECK(options.restitution == PICUS_RESTITUTION_MODIFIED);
  CHECK(options.atol == 1e-9 && options.rtol == 0 && options.order_max == 5 && options.order == 4);
  CHECK(options.substeps == PICUS_SUBSTEPS_NATURAL);
  CHECK_TEXT(options.solver.solver, "psor");
  end();
}

static void sampling_replaces_recording_by_steps(void) {
  REQUIRE(begin());
  CHECK(picus_model_set_run_number(model, "sample", 0.01) == PICUS_OK);
  picus_sim_options options = picus_model_sim_options(model);
  CHECK(options.sample == 0.01 && options.every == 0);
  CHECK(picus_model_set_run_number(model, "every", 5) == PICUS_OK);
  CHECK(picus_model_sim_options(model).every == 5);
  end();
}

static void times_are_checked_in_either_order(void) {
  for (int order = 0; order < 2; order++) {
    REQUIRE(begin());
    CHECK(picus_model_add_kinetic(model, picus_add(pool, square(v), square(w))) == PICUS_OK);
    CHECK(picus_model_set_run_number(model, order ? "t_end" : "t_start", order ? 1 : 2) == PICUS_OK);
    CHECK(picus_model_set_run_number(model, order ? "t_start" : "t_end", order ? 2 : 1) == PICUS_OK);
    CHECK_FAILS(picus_model_check(model), PICUS_ERROR_ARGUMENT, "t_end = 1 is before t_start = 2");
    end();
  }
}

static void plots(void) {
  REQUIRE(begin());
  const char *columns[] = {"phi", "omega", "c.gap", "c.PF", "c.mode", "E.total", "t", "o"};
  CHECK_FAILS(picus_model_add_plot(model, "", 1, columns), PICUS_ERROR_NAME, "for x");
  CHECK_FAILS(picus_model_add_plot(model, "t", 0, columns), PICUS_ERROR_DIMENSION, "at least one");
  CHECK_FAILS(picus_model_add_plot(model, "t", 1, (const char *const[]){""}), PICUS_ERROR_NAME, "empty");
  CHECK(picus_model_add_plot(model, "x", 8, columns) == PICUS_OK);
  picus_plot_panel panel = picus_model_plot(model, 0);
  CHECK(picus_model_plot_count(model) == 1 && panel.count == 8);
  CHECK_TEXT(panel.y[3], "c.PF");
  CHECK_TEXT(picus_model_plot(model, 1).x, "");
  CHECK(picus_model_add_kinetic(model, picus_add(pool, square(v), square(w))) == PICUS_OK);
  CHECK_FAILS(picus_model_check(model), PICUS_ERROR_NAME, "no column 'c.gap'");
  picus_contact_def def = good_contact();
  CHECK(picus_model_add_contact(model, &def) == PICUS_OK);
  CHECK_FAILS(picus_model_check(model), PICUS_ERROR_NAME, "no column 'o'");
  CHECK(picus_model_add_observable(model, "o", x, NULL, NULL) == PICUS_OK);
  CHECK(picus_model_check(model) == PICUS_OK);
  static const char *const wrong[] = {"c", "c.PF1", "E", "E.kinetic", "t.x", "x.gap", "omgea"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK(picus_model_add_plot(model, wrong[i], 1, columns) == PICUS_OK);
    CHECK(picus_model_check(model) == PICUS_ERROR_NAME);
    picus_release(context, model->plots[--model->plot_count].y); /* take it back for the next one */
  }
  end();
}

static void places_are_remembered(void) {
  REQUIRE(begin());
  char file[16] = "a.lua";
  picus_model_set_place(model, (picus_place){file, 7});
  memcpy(file, "b.lua", 6); /* the name is copied */
  picus_contact_def def = good_contact();
  CHECK(picus_model_add_contact(model, &def) == PICUS_OK);
  CHECK_TEXT(model->laws[0].place.file, "a.lua");
  CHECK(model->laws[0].place.line == 7);
  CHECK(picus_model_add_contact(model, &def) == PICUS_ERROR_NAME);
  CHECK_TEXT(picus_last_error(context)->file, "a.lua");
  CHECK(picus_last_error(context)->line == 7);
  picus_model_set_place(model, (picus_place){file, 9});
  CHECK(picus_model_set_run_number(model, "t_end", -1) == PICUS_OK);
  picus_model_set_place(model, (picus_place){NULL, 0});
  CHECK(picus_model_check(model) == PICUS_ERROR_ARGUMENT);
  CHECK_TEXT(picus_last_error(context)->file, "b.lua");
  CHECK(picus_last_error(context)->line == 9);
  end();
}

static void texts_are_kept(void) {
  REQUIRE(begin());
  CHECK_TEXT(picus_model_source(model), "");
  CHECK_TEXT(picus_model_description(model), "");
  CHECK(picus_model_set_source(model, "model \"x\"") == PICUS_OK);
  CHECK_TEXT(picus_model_source(model), "model \"x\"");
  CHECK(picus_model_set_name(model, "another", "what it is") == PICUS_OK);
  CHECK_TEXT(picus_model_name(model), "another");
  CHECK_TEXT(picus_model_description(model), "what it is");
  CHECK(picus_model_context(model) == context);
  end();
}

static picus_status build_everything(picus_context *on) {
  picus_model *built;
  picus_status status = picus_model_create(on, "test", &built);
  if (status) return status;
  picus_pool *formulas = picus_model_pool(built);
  picus_expr q[20], u[20];
  char name[20][16], speed[20][16];
  for (int i = 0; !status && i < 20; i++) {
    snprintf(name[i], 16, "q%d", i);
    snprintf(speed[i], 16, "u%d", i);
    picus_coordinate_def def = {.name = name[i], .velocity = speed[i], .unit = "m", .label = "where"};
    status = picus_model_add_coordinate(built, &def, &q[i], &u[i]);
    if (!status) status = picus_model_add_kinetic(built, picus_mul(formulas, u[i], u[i]));
    if (!status) status = picus_model_add_force(built, name[i], q[i]);
    picus_contact_def contact = picus_default_contact_def();
    char contact_name[16];
    snprintf(contact_name, 16, "c%d", i);
    contact.name = contact_name;
    contact.gap = status ? PICUS_NO_EXPR : q[i];
    if (!status) status = picus_model_add_contact(built, &contact);
  }
  if (!status) status = picus_model_override(built, "p", 1);
  if (!status) status = picus_model_add_parameter(built, "p", 2, "m", "a length", NULL);
  if (!status) status = picus_model_add_observable(built, "o", q[0], "m", "label");
  if (!status) status = picus_model_add_stop_time(built, 1);
  if (!status) status = picus_model_add_plot(built, "t", 2, (const char *const[]){"q0", "q1"});
  if (!status) status = picus_model_set_source(built, "text");
  if (!status) status = picus_model_check(built);
  picus_model_destroy(built);
  return status;
}

/* Memory that refuses its n-th block: every function must fail cleanly, and nothing may leak. */
static void every_refused_allocation_is_survived(void) {
  bool done = false;
  long tries = 0;
  for (long refused = 1; !done && refused < 5000; refused++, tries++) {
    test_allocations memory = test_grant_first(refused);
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &memory};
    picus_context *small;
    picus_status status = picus_context_create(&def, &small);
    REQUIRE(status == PICUS_OK);
    status = build_everything(small);
    done = status == PICUS_OK;
    if (!done) {
      CHECK(status == PICUS_ERROR_MEMORY);
      CHECK(picus_last_error(small)->status == PICUS_ERROR_MEMORY);
    }
    CHECK(picus_context_memory(small) == 0);
    picus_context_destroy(small);
    CHECK(memory.outstanding == 0);
  }
  CHECK(done && tries > 50);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"coordinates_are_kept", coordinates_are_kept},
      {"general_velocities_and_rates", general_velocities_and_rates},
      {"names_are_checked", names_are_checked},
      {"many_names_stay_distinct", many_names_stay_distinct},
      {"parameters_and_overrides", parameters_and_overrides},
      {"starts_must_be_finite", starts_must_be_finite},
      {"energies_add_up", energies_add_up},
      {"mass_matrix_and_force_vector", mass_matrix_and_force_vector},
      {"kinetic_excludes_mass", kinetic_excludes_mass},
      {"contacts", contacts},
      {"friction_elements_and_constraints", friction_elements_and_constraints},
      {"fields_that_are_left_out", fields_that_are_left_out},
      {"fields_that_failed", fields_that_failed},
      {"invalid_and_foreign_formulas", invalid_and_foreign_formulas},
      {"long_sums_need_no_recursion", long_sums_need_no_recursion},
      {"run_options", run_options},
      {"sampling_replaces_recording_by_steps", sampling_replaces_recording_by_steps},
      {"times_are_checked_in_either_order", times_are_checked_in_either_order},
      {"plots", plots},
      {"places_are_remembered", places_are_remembered},
      {"texts_are_kept", texts_are_kept},
      {"every_refused_allocation_is_survived", every_refused_allocation_is_survived},
  };
  return test_main(argc, argv, "model_builder", cases, (int)(sizeof cases / sizeof *cases));
}
