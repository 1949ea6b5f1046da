/* The language of model files: what each word builds. */
#include "model/internal.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

static picus_context *context;
static char noted[4096]; /* what print said */

static void note(void *user, picus_log_level level, const char *message) {
  (void)user;
  (void)level;
  size_t length = strlen(noted);
  snprintf(noted + length, sizeof noted - length, "%s\n", message);
}

static picus_model *load_with(const char *text, const picus_load_options *options) {
  picus_context_def def = picus_default_context_def();
  def.log = note;
  noted[0] = '\0';
  if (!CHECK(picus_context_create(&def, &context) == PICUS_OK)) return NULL;
  picus_model *model;
  picus_status status = picus_model_load_text(context, "dir/test.lua", text, strlen(text), options, &model);
  const picus_error *error = picus_last_error(context);
  if (status) printf("  %s:%d: %s\n", error->file, error->line, error->message);
  CHECK(status == PICUS_OK);
  return model;
}

static picus_model *load(const char *text) { return load_with(text, NULL); }

static void end(picus_model *model) {
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* The value of an observed formula where all variables have the given values. */
static double observed(picus_model *model, int index, const double *variables) {
  double value = NAN;
  CHECK(picus_expr_evaluate(model->pool, model->observables[index].value, variables, &value) == PICUS_OK);
  return value;
}

static void names_and_source(void) {
  const char *text = "model(\"toy\", \"a toy\")\n";
  picus_model *model = load(text);
  REQUIRE(model);
  CHECK_TEXT(picus_model_name(model), "toy");
  CHECK_TEXT(picus_model_description(model), "a toy");
  CHECK_TEXT(picus_model_source(model), text);
  end(model);
  model = load("local a = 1\n");
  REQUIRE(model);
  CHECK_TEXT(picus_model_name(model), "test"); /* from the file */
  end(model);
  model = load("model 'short'");
  REQUIRE(model);
  CHECK_TEXT(picus_model_name(model), "short");
  end(model);
}

static void unusual_texts(void) {
  static const char *const texts[] = {"", "#!/usr/bin/env picus\nmodel 'a'", "\xEF\xBB\xBFmodel 'a'",
                                      "model 'a'\r\nlocal b = 2\r\n", "-- only a comment"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    picus_model *model = load(texts[i]);
    REQUIRE(model);
    end(model);
  }
}

static void parameters_in_the_order_of_the_file(void) {
  picus_model *model = load("local zz = 1 -- mu = 3 stands here, too, but before the definition\n"
                            "local p = parameters {\n"
                            "  zeta = {0.0025, \"m\", \"radius\"}, mu = 0.3,\n"
                            "  alpha = {2, \"kg\"}, [\"beta\"] = 1, m = 4,\n"
                            "}\n"
                            "p = parameters { double = 2 * p.mu, a = p.alpha }\n"
                            "assert(p.zeta == 0.0025 and p.double == 0.6)\n");
  REQUIRE(model);
  static const char *const order[] = {"zeta", "mu", "alpha", "beta", "m", "double", "a"};
  REQUIRE(picus_model_parameter_count(model) == 7);
  for (int i = 0; i < 7; i++) CHECK_TEXT(picus_model_parameter(model, i).name, order[i]);
  CHECK_TEXT(picus_model_parameter(model, 0).unit, "m");
  CHECK_TEXT(picus_model_parameter(model, 0).description, "radius");
  CHECK_TEXT(picus_model_parameter(model, 2).unit, "kg");
  CHECK_TEXT(picus_model_parameter(model, 1).unit, "");
  end(model);
}

static void overrides_reach_the_file(void) {
  picus_override overrides[] = {{"mu", 0.5}, {"n", 3}, {"r", 2.5}};
  picus_load_options options = {.override_count = 3, .overrides = overrides};
  picus_model *model = load_with("local p = parameters { mu = 0.3, n = 2, r = 1, k = 1 }\n"
                                 "p = parameters { twice = 2 * p.mu }\n"
                                 "print(p.mu, p.n, p.r, p.twice, 'ball' .. p.n)\n",
                                 &options);
  REQUIRE(model);
  CHECK_TEXT(noted, "0.5\t3\t2.5\t1.0\tball3\n"); /* counts stay integers */
  picus_parameter mu = picus_model_parameter(model, 0);
  CHECK(mu.value == 0.5 && mu.default_value == 0.3);
  CHECK(picus_model_parameter(model, 4).value == 1);
  end(model);
}

static void coordinates_and_velocities(void) {
  picus_model *model = load("local q, u = coordinates {\n"
                            "  {\"x\", velocity = \"vx\", start = {1, 2}, unit = \"m\", label = \"place\"},\n"
                            "  {\"phi\", velocity = \"w\", start = 3, unit = \"rad\", velocity_unit = \"1/s\"},\n"
                            "  {\"z\"},\n"
                            "}\n"
                            "local u2 = velocities { {\"s\", start = 4, unit = \"kg\"} }\n"
                            "rates { z = q.x * u.s }\n"
                            "print(#q, #u, q[1], u[3], q[4], u2.s)\n"
                            "for name, formula in pairs(q) do print(name, formula) end\n"
                            "for i, formula in ipairs(u) do print(i, formula) end\n");
  REQUIRE(model);
  CHECK_TEXT(noted, "3\t3\tx\ts\tnil\ts\nx\tx\nphi\tphi\nz\tz\n1\tvx\n2\tw\n3\ts\n");
  REQUIRE(model->coordinate_count == 3 && model->velocity_count == 3);
  CHECK(model->coordinates[0].start == 1 && model->velocities[0].start == 2 && model->coordinates[1].start == 3);
  CHECK_TEXT(model->coordinates[0].label, "place");
  CHECK_TEXT(model->velocities[0].unit, "m/s");
  CHECK_TEXT(model->velocities[1].unit, "1/s");
  CHECK(model->coordinates[2].velocity == -1 && picus_expr_valid(model->coordinates[2].rate));
  CHECK(model->coordinates[2].rate_place.line == 7);
  CHECK(model->velocities[2].start == 4 && model->velocities[2].coordinate == -1);
  end(model);
}

/* For each function: the formula of q.x at x equals what the function gives for the number. */
static void functions_of_numbers_and_formulas_agree(void) {
  static const char *const calls[] = {"sqrt(X)",
                                      "exp(X)",
                                      "log(X)",
                                      "log(X, 3)",
                                      "log(X, 10)",
                                      "sin(X)",
                                      "cos(X)",
                                      "tan(X)",
                                      "asin(X)",
                                      "acos(X)",
                                      "atan(X)",
                                      "atan(X, -2)",
                                      "atan2(-1, X)",
                                      "sinh(X)",
                                      "cosh(X)",
                                      "tanh(X)",
                                      "abs(-X)",
                                      "sign(X - 1)",
                                      "min(X, 1, 2)",
                                      "max(X, 0, -3)",
                                      "max(X)",
                                      "X + 2",
                                      "2 - X",
                                      "X * X",
                                      "3 / X",
                                      "X ^ 2.5",
                                      "2 ^ X",
                                      "-X",
                                      "math.sin(X)",
                                      "math.max(X, 2)",
                                      "math.abs(X)",
                                      "math.exp(-X)",
                                      "sign(0 * X)",
                                      "min(2, X) - max(1, X)",
                                      "when(lt(X, 1), X, 7)",
                                      "when(ge(X, 1), X, 7)",
                                      "when(all(gt(X, 0), le(X, 0.7)), 1, 0)",
                                      "when(any(lt(X, 0), eq(X, 0.7)), 1, 0)",
                                      "when(no(ne(X, 0.7)), 1, 0)",
                                      "when(all(), X, 0)",
                                      "when(any(), X, 0)",
                                      "when(all(lt(X, 1), true), 4, 5)",
                                      "when(any(lt(X, 0), true), 4, 5)",
                                      "when(all(lt(X, 1), false), 4, 5)"};
  enum { COUNT = sizeof calls / sizeof *calls };
  char text[8192] = "local q = coordinates { {\"x\", velocity = \"v\"} }\n";
  for (int i = 0; i < COUNT; i++) {
    char line[256];
    snprintf(line, sizeof line, "do local X = q.x observe { \"o%d\", %s } X = 0.7 parameters { p%d = %s } end\n", i,
             calls[i], i, calls[i]);
    REQUIRE(strlen(text) + strlen(line) < sizeof text);
    strcat(text, line);
  }
  picus_model *model = load(text);
  REQUIRE(model);
  REQUIRE(model->observable_count == COUNT && picus_model_parameter_count(model) == COUNT);
  double variables[3] = {0, 0.7, 0}; /* t, x, v */
  for (int i = 0; i < COUNT; i++) {
    double number = picus_model_parameter(model, i).value, formula = observed(model, i, variables);
    if (!CHECK_NEAR(formula, number, 1e-15 * fmax(1, fabs(number)))) printf("  in %s\n", calls[i]);
  }
  end(model);
}

static void conditions_choose_by_the_state(void) {
  picus_model *model = load("local q, u = coordinates { {\"x\", velocity = \"v\"} }\n"
                            "observe { \"a\", when(lt(q.x, 1), q.x^2, 5) }\n"
                            "observe { \"b\", when(all(ge(t, 1), no(gt(t, 2))), 1, 0) }\n"
                            "observe { \"c\", when(true, q.x, 3) + when(1 > 2, 100, pi) }\n"
                            "observe { \"d\", when(any(eq(q.x, 2), ne(u.v, 0)), sign(u.v), 9) }\n");
  REQUIRE(model);
  static const double points[][3] = {{0, 0.5, 0}, {1, 1, -2}, {1.5, 2, 0}, {2.5, 3, 4}};
  for (int i = 0; i < 4; i++) {
    double t = points[i][0], x = points[i][1], v = points[i][2];
    CHECK_NEAR(observed(model, 0, points[i]), x < 1 ? x * x : 5, 0);
    CHECK_NEAR(observed(model, 1, points[i]), t >= 1 && t <= 2 ? 1 : 0, 0);
    CHECK_NEAR(observed(model, 2, points[i]), x + 3.14159265358979323846, 1e-15);
    CHECK_NEAR(observed(model, 3, points[i]), x == 2 || v != 0 ? (v > 0) - (v < 0) : 9, 0);
  }
  end(model);
}

static void energies_forces_and_laws(void) {
  picus_model *model = load("local q, u = coordinates { {\"x\", velocity = \"vx\"}, {\"y\", velocity = \"vy\"} }\n"
                            "kinetic(u.vx^2 / 2)\n"
                            "kinetic(u.vy^2)\n"
                            "potential(9.81 * q.y)\n"
                            "dissipation(u.vx^2 * 3)\n"
                            "force { x = t, vy = -u.vy }\n"
                            "force { vx = 2 }\n"
                            "contact { \"floor\", gap = q.y, slip = u.vx, mu = 0.3, eN = 0.5, eF = 0.1 }\n"
                            "contact { \"wall\", gap = 1 - q.x }\n"
                            "friction { \"guide\", slip = {u.vx, u.vy}, reservoir = 2, eF = 1 }\n"
                            "constraint { \"rod\", position = q.x^2 + q.y^2 - 0 }\n"
                            "constraint { \"gear\", velocity = u.vx - 2 * u.vy + t }\n"
                            "stop_time(1, 2.5)\n"
                            "plot { x = \"x\", y = {\"y\", \"vy\"} }\n"
                            "plot { y = \"floor.gap\" }\n"
                            "simulate { scheme = \"moreau\", solver = \"lemke\", dt = 1e-3, t_start = 1, t_end = 2,\n"
                            "           tolerance = 1e-8, theta = 0.75, every = 0, sample = 0.5,\n"
                            "           forecast = \"free\", forecast_factor = 1.5, metric = \"identity\",\n"
                            "           projection = \"coupled\", newton_tolerance = 1e-7, newton_max = 9,\n"
                            "           projection_tolerance = 1e-6, slip_direction = \"end\",\n"
                            "           predicted = true, impact_substeps = 10, gap_term = true,\n"
                            "           tableau = { {1/3}, {-1, 2}, {0, 3/4, 1/4}, order = 3 } }\n");
  REQUIRE(model);
  double values[5] = {2, 0.5, 3, 0.25, 4}, value; /* t, x, vx, y, vy */
  CHECK(picus_expr_evaluate(model->pool, model->kinetic.expr, values, &value) == PICUS_OK);
  CHECK_NEAR(value, 4.5 + 16, 0);
  CHECK(model->kinetic.place.line == 2);
  CHECK(picus_expr_evaluate(model->pool, model->velocities[0].force, values, &value) == PICUS_OK);
  CHECK_NEAR(value, 4, 0);
  CHECK(picus_expr_evaluate(model->pool, model->velocities[1].force, values, &value) == PICUS_OK);
  CHECK_NEAR(value, -4, 0);
  REQUIRE(model->law_count == 5);
  const picus_model_law *laws = model->laws;
  CHECK(laws[0].slips == 1 && laws[0].mu == 0.3 && laws[0].eN == 0.5 && laws[0].eF == 0.1 && laws[0].place.line == 8);
  CHECK(laws[1].slips == 0 && laws[1].mu == 0 && laws[1].kind == PICUS_MODEL_CONTACT);
  CHECK(laws[2].slips == 2 && laws[2].reservoir == 2 && laws[2].eF == 1 && laws[2].kind == PICUS_MODEL_FRICTION);
  CHECK(picus_expr_valid(laws[3].position) && picus_expr_valid(laws[4].velocity) && laws[4].place.line == 12);
  CHECK_TEXT(laws[4].place.file, "dir/test.lua");
  CHECK(model->stop_time_count == 2 && model->stop_times[1] == 2.5);
  CHECK(model->plot_count == 2 && model->plots[0].count == 2);
  CHECK_TEXT(model->plots[1].x, "t");
  picus_sim_options options = picus_model_sim_options(model);
  CHECK(options.dt == 1e-3 && options.t_start == 1 && options.t_end == 2 && options.theta == 0.75);
  CHECK(options.every == 0 && options.sample == 0.5 && options.solver.tolerance == 1e-8);
  CHECK_TEXT(options.solver.solver, "lemke");
  const picus_implicit_options *implicit = &options.implicit;
  CHECK(implicit->forecast == PICUS_FORECAST_FREE && implicit->forecast_factor == 1.5);
  CHECK(implicit->metric == PICUS_METRIC_IDENTITY && implicit->projection == PICUS_PROJECTION_COUPLED &&
        implicit->newton_max == 9);
  CHECK(implicit->newton_tolerance == 1e-7 && implicit->projection_tolerance == 1e-6);
  CHECK(implicit->slip_direction == PICUS_SLIP_END);
  CHECK(options.half_explicit.predicted && options.half_explicit.impact_substeps == 10 && options.gap_term);
  CHECK(options.half_explicit.tableau.stages == 3 && options.half_explicit.tableau.rows[2][1] == 0.75);
  CHECK(picus_model_check(model) == PICUS_OK);
  end(model);
}

static void matrices(void) {
  picus_model *model = load("local q, u = coordinates { {\"x\", velocity = \"v\"}, {\"y\", velocity = \"w\"} }\n"
                            "mass { {2, cos(q.x)}, {cos(q.x), 3} }\n"
                            "force_vector { u.w, -9.81 }\n");
  REQUIRE(model);
  REQUIRE(model->mass_count == 2 && model->force_vector_count == 2);
  double value;
  CHECK(picus_expr_is_number(model->pool, model->mass[3], &value) && value == 3);
  CHECK(model->mass[1].id == model->mass[2].id);
  CHECK(picus_model_check(model) == PICUS_OK);
  end(model);
}

static void loops_and_functions_build_many_parts(void) {
  picus_model *model = load("local p = parameters { n = 4, k = 2 }\n"
                            "for i = 1, p.n do coordinates { {\"x\" .. i, velocity = \"v\" .. i, start = i} } end\n"
                            "local q, u = coordinates {}\n"
                            "local function spring(a, b) potential(p.k / 2 * (a - b)^2) end\n"
                            "for i = 1, p.n do kinetic(u[i]^2 / 2) end\n"
                            "for i = 2, p.n do spring(q[i], q[\"x\" .. i - 1]) end\n"
                            "for i = 2, p.n do contact { \"c\" .. i, gap = q[i] - q[i - 1] } end\n");
  REQUIRE(model);
  CHECK(model->coordinate_count == 4 && model->law_count == 3);
  double values[9] = {0, 1, 10, 2, 20, 4, 30, 8, 40}, value; /* t, x1, v1, x2, v2, ... */
  CHECK(picus_expr_evaluate(model->pool, model->potential.expr, values, &value) == PICUS_OK);
  CHECK_NEAR(value, 1 + 4 + 16, 1e-14);
  CHECK(picus_expr_evaluate(model->pool, model->kinetic.expr, values, &value) == PICUS_OK);
  CHECK_NEAR(value, 50 + 200 + 450 + 800, 1e-12);
  CHECK(picus_model_check(model) == PICUS_OK);
  end(model);
}

static void tables_are_visited_in_a_fixed_order(void) {
  const char *text = "local a = {c = 1, b = 2, [3] = 'x', a = 3, [1] = 'y', [2.5] = 'z', [true] = 1}\n"
                     "local s = ''\n"
                     "for k, v in pairs(a) do s = s .. tostring(k) .. '=' .. v .. ' ' end\n"
                     "print(s)\n"
                     "local k = next(a)\n"
                     "while k ~= nil do print(k) k = next(a, k) end\n"
                     "print(next({}), math.random(1000), math.random(1000), math.random())\n";
  picus_model *model = load(text);
  REQUIRE(model);
  char first[sizeof noted];
  memcpy(first, noted, sizeof noted);
  const char *expected = "1=y 2.5=z 3=x a=3 b=2 c=1 true=1 \n1\n2.5\n3\na\nb\nc\ntrue\nnil\t";
  CHECK(strncmp(noted, expected, strlen(expected)) == 0);
  end(model);
  model = load(text);
  REQUIRE(model);
  CHECK_TEXT(noted, first); /* random numbers, too, are the same in every run */
  end(model);
}

static void what_is_left_of_the_libraries(void) {
  picus_model *model =
      load("assert(string.format('%d %s %.2f', 3, 'a', 1.5) == '3 a 1.50')\n"
           "assert(('ab'):rep(3, '-') == 'ab-ab-ab' and ('abc'):sub(2, 3) == 'bc' and ('a'):upper() == 'A')\n"
           "assert(#'abc' == 3 and ('abc'):reverse() == 'cba' and ('a'):byte() == 97 and string.char(98) == 'b')\n"
           "local a = {3, 1, 2}\n"
           "table.sort(a)\n"
           "assert(table.concat(a, ',') == '1,2,3')\n"
           "table.sort(a, function(x, y) return x > y end)\n"
           "assert(a[1] == 3)\n"
           "table.insert(a, 4) table.insert(a, 1, 9)\n"
           "assert(#a == 5 and table.remove(a) == 4 and table.remove(a, 1) == 9)\n"
           "assert(select('#', table.unpack(a)) == 3 and table.pack(1, nil).n == 2)\n"
           "assert(#table.move(a, 1, 3, 2) == 4)\n"
           "assert(math.floor(2.5) == 2 and math.type(math.max(1, 2)) == 'integer' and math.abs(-3) == 3)\n"
           "assert(tostring(math.abs(-3)) == '3' and math.huge > 1e308 and math.tointeger(3.0) == 3)\n"
           "assert(tonumber('0x10') == 16 and type({}) == 'table' and select(2, 'a', 'b') == 'b')\n"
           "math.randomseed(7) local r = math.random() math.randomseed(7) assert(r == math.random())\n"
           "my_global = 3\n"
           "assert(my_global == 3)\n");
  REQUIRE(model);
  end(model);
}

static void text_of_formulas(void) {
  picus_model *model = load("local q = coordinates { {\"x\", velocity = \"v\"} }\n"
                            "print(2 * q.x + 1, 'x is ' .. q.x, lt(q.x, 2) .. '')\n"
                            "local e = q.x + 1\n"
                            "for i = 1, 200 do e = e * e + q.x end\n"
                            "print(#tostring(e) < 3000)\n");
  REQUIRE(model);
  CHECK_TEXT(noted, "2*x + 1\tx is x\tx < 2\ntrue\n");
  end(model);
}

/* The woodpecker by the builder functions, with the paper's M and h given directly. */
static picus_status build_woodpecker(picus_context *on, picus_model **out) {
  enum { RO, RM, HM, LM, LG, HS, LS, MM, MS, JM, JS, C, G };
  static const double p[] = {0.0025, 0.0031, 0.0058, 0.010,  0.015,  0.02, 0.0201,
                             0.0003, 0.0045, 5.0e-9, 7.0e-7, 0.0056, 9.81};
  picus_status status = picus_model_create(on, "woodpecker", out);
  if (status) return status;
  picus_model *model = *out;
  picus_pool *pool = picus_model_pool(model);
  static const picus_coordinate_def defs[3] = {
      {.name = "y", .velocity = "v", .velocity_start = -0.3411},
      {.name = "phiM", .velocity = "omegaM", .start = -0.1036},
      {.name = "phiS", .velocity = "omegaS", .start = -0.2788, .velocity_start = -7.4583}};
  picus_expr q[3], u[3], M[9], h[3];
  for (int i = 0; i < 3 && !status; i++) status = picus_model_add_coordinate(model, &defs[i], &q[i], &u[i]);
  if (status) return status;
  const double masses[9] = {p[MS] + p[MM],
                            p[MS] * p[LM],
                            p[MS] * p[LG],
                            p[MS] * p[LM],
                            p[JM] + p[MS] * p[LM] * p[LM],
                            p[MS] * p[LM] * p[LG],
                            p[MS] * p[LG],
                            p[MS] * p[LM] * p[LG],
                            p[JS] + p[MS] * p[LG] * p[LG]};
  for (int i = 0; i < 9; i++) M[i] = picus_number(pool, masses[i]);
  picus_expr twist = picus_mul(pool, picus_number(pool, p[C]), picus_sub(pool, q[1], q[2]));
  h[0] = picus_number(pool, -(p[MS] + p[MM]) * p[G]);
  h[1] = picus_sub(pool, picus_neg(pool, twist), picus_number(pool, p[MS] * p[LM] * p[G]));
  h[2] = picus_sub(pool, twist, picus_number(pool, p[MS] * p[LG] * p[G]));
  status = picus_model_set_mass_matrix(model, 3, M);
  if (!status) status = picus_model_set_force_vector(model, 3, h);
  const struct {
    const char *name;
    double gap0, gap1;
    int coordinate;
    double slip1, slip2, eN;
  } contacts[3] = {{"beak", p[LM] + p[LG] - p[LS] - p[RO], -p[HS], 2, p[LM], p[LG] - p[LS], 0.5},
                   {"lower", p[RM] - p[RO], p[HM], 1, p[RM], 0, 0},
                   {"upper", p[RM] - p[RO], -p[HM], 1, p[RM], 0, 0}};
  for (int i = 0; i < 3 && !status; i++) {
    picus_contact_def def = picus_default_contact_def();
    def.name = contacts[i].name;
    def.gap = picus_add(pool, picus_number(pool, contacts[i].gap0),
                        picus_mul(pool, picus_number(pool, contacts[i].gap1), q[contacts[i].coordinate]));
    def.slips = 1;
    def.slip[0] = picus_add(pool, u[0],
                            picus_add(pool, picus_mul(pool, picus_number(pool, contacts[i].slip1), u[1]),
                                      picus_mul(pool, picus_number(pool, contacts[i].slip2), u[2])));
    def.mu = 0.3;
    def.eN = contacts[i].eN;
    status = picus_model_add_contact(model, &def);
  }
  return status;
}

/* From energies in a file or from matrices in C: the same M, h, W, gaps everywhere. */
static void the_same_model_from_c_and_from_a_file(void) {
  picus_model *models[2] = {NULL, NULL};
  picus_system *systems[2] = {NULL, NULL};
  picus_evaluation *evaluations[2] = {NULL, NULL};
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  CHECK(picus_model_load(context, "woodpecker", NULL, &models[0]) == PICUS_OK);
  CHECK(build_woodpecker(context, &models[1]) == PICUS_OK);
  for (int k = 0; k < 2; k++) {
    REQUIRE(picus_system_create(models[k], &systems[k]) == PICUS_OK);
    REQUIRE(picus_evaluation_create(context, systems[k], &evaluations[k]) == PICUS_OK);
  }
  test_random random = {42};
  for (int i = 0; i < 100; i++) {
    double q[3], u[3], M[2][9], h[2][3], W[2][18], chi[2][6], gap[2][3];
    for (int j = 0; j < 3; j++) q[j] = test_uniform(&random, -1, 1), u[j] = test_uniform(&random, -10, 10);
    for (int k = 0; k < 2; k++) {
      picus_evaluation_set_point(evaluations[k], 0.5, q, u);
      CHECK(picus_evaluate_mass(evaluations[k], M[k]) == PICUS_OK);
      CHECK(picus_evaluate_force(evaluations[k], h[k]) == PICUS_OK);
      CHECK(picus_evaluate_directions(evaluations[k], W[k], chi[k]) == PICUS_OK);
      CHECK(picus_evaluate_gaps(evaluations[k], gap[k]) == PICUS_OK);
    }
    for (int j = 0; j < 9; j++) CHECK_NEAR(M[0][j], M[1][j], 1e-18);
    for (int j = 0; j < 3; j++) CHECK_NEAR(h[0][j], h[1][j], 1e-16);
    for (int j = 0; j < 18; j++) CHECK_NEAR(W[0][j], W[1][j], 1e-16);
    for (int j = 0; j < 3; j++) CHECK_NEAR(gap[0][j], gap[1][j], 1e-16);
  }
  for (int k = 0; k < 2; k++) {
    picus_evaluation_destroy(evaluations[k]);
    picus_system_destroy(systems[k]);
    picus_model_destroy(models[k]);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* A model and its files from memory, as a checkpoint has them. */
static void files_given_with_the_model(void) {
  static const char text[] = "structure {'s', mass = 'M.mtx', stiffness = 'K.mtx', start = {1}}\n";
  static const char mass[] = "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2.0\n";
  static const char stiffness[] = "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 3.0\n";
  const picus_model_file files[] = {{"M.mtx", mass, strlen(mass)}, {"K.mtx", stiffness, strlen(stiffness)}};
  picus_model *model = load_with(text, &(picus_load_options){.has_files = true, .file_count = 2, .files = files});
  if (!model) return;
  REQUIRE(picus_model_file_count(model) == 2);
  for (int k = 0; k < 2; k++) {
    const picus_model_file kept = picus_model_file_at(model, k);
    CHECK_TEXT(kept.name, files[k].name);
    CHECK(kept.size == files[k].size && memcmp(kept.bytes, files[k].bytes, kept.size) == 0);
    CHECK(kept.bytes != files[k].bytes);
  }
  CHECK_TEXT(picus_model_file_at(model, 2).name, ""); /* the rule for indices, base.h */
  CHECK(picus_model_file_at(model, -1).bytes == NULL);
  picus_model *other = NULL;
  const picus_load_options one = {.has_files = true, .file_count = 1, .files = files};
  CHECK(picus_model_load_text(context, "test.lua", text, strlen(text), &one, &other) == PICUS_ERROR_IO);
  CHECK_TEXT(picus_last_error(context)->message,
             "structure 's': the file 'K.mtx' is not among those given with the model");
  const picus_model_file empty[] = {{"M.mtx", "", 0}, {"K.mtx", NULL, 0}};
  const picus_load_options nothing = {.has_files = true, .file_count = 2, .files = empty};
  CHECK(picus_model_load_text(context, "test.lua", text, strlen(text), &nothing, &other) == PICUS_ERROR_IO);
  end(model);
}

/* A text that comes statement by statement: a mistake is found in its own piece, and the reader then refuses others. */
static void texts_piece_by_piece(void) {
  picus_context *own = NULL;
  picus_model_reader *reader = NULL;
  REQUIRE(picus_context_create(NULL, &own) == PICUS_OK);
  REQUIRE(picus_model_reader_create(own, "test.lua", NULL, &reader) == PICUS_OK);
  static const char *const pieces[] = {"v = {}", "v.q, v.u = coordinates {{'x', velocity = 'v'}}", "kinetic(v.u.v^2)",
                                       "local w = 1", ""};
  for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
    CHECK(picus_model_reader_add(reader, pieces[k], strlen(pieces[k])) == PICUS_OK);
  CHECK(picus_model_reader_add(reader, "\n\nkinetic(w)", 12) == PICUS_ERROR_NAME); /* locals end with their piece */
  CHECK(picus_last_error(own)->line == 3);
  CHECK_TEXT(picus_last_error(own)->file, "test.lua");
  CHECK(picus_model_reader_add(reader, "v = {}", 6) == PICUS_ERROR_ARGUMENT);
  picus_model_reader_destroy(reader);
  for (int k = 0; k < 3; k++) {
    static const struct {
      const char *text;
      size_t length;
      picus_status status;
    } wrong[] = {{"kinetic(", 8, PICUS_ERROR_FILE_SYNTAX},
                 {"a\0b", 3, PICUS_ERROR_FILE_SYNTAX},
                 {"while true do end", 17, PICUS_ERROR_FILE_LIMIT}};
    const picus_load_options options = {.instruction_limit = 100000};
    REQUIRE(picus_model_reader_create(own, "test.lua", &options, &reader) == PICUS_OK);
    CHECK(picus_model_reader_add(reader, wrong[k].text, wrong[k].length) == wrong[k].status);
    picus_model_reader_destroy(reader);
  }
  picus_model_reader_destroy(NULL);
  CHECK(picus_context_memory(own) == 0);
  picus_context_destroy(own);
}

/* The folder of a text in memory: its files are read from there. */
static void files_of_a_text_in_a_folder(void) {
  static const char text[] = "structure {'s', mass = 'lua_model_M.mtx', stiffness = 'lua_model_M.mtx', start = {1}}\n";
  FILE *file = fopen("lua_model_M.mtx", "w");
  REQUIRE(file != NULL);
  fputs("%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2.0\n", file);
  fclose(file);
  picus_model *model = load_with(text, &(picus_load_options){.folder = "."});
  CHECK(model && picus_model_file_count(model) == 1);
  remove("lua_model_M.mtx");
  if (model) end(model);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"names_and_source", names_and_source},
      {"unusual_texts", unusual_texts},
      {"parameters_in_the_order_of_the_file", parameters_in_the_order_of_the_file},
      {"overrides_reach_the_file", overrides_reach_the_file},
      {"coordinates_and_velocities", coordinates_and_velocities},
      {"functions_of_numbers_and_formulas_agree", functions_of_numbers_and_formulas_agree},
      {"conditions_choose_by_the_state", conditions_choose_by_the_state},
      {"energies_forces_and_laws", energies_forces_and_laws},
      {"matrices", matrices},
      {"loops_and_functions_build_many_parts", loops_and_functions_build_many_parts},
      {"tables_are_visited_in_a_fixed_order", tables_are_visited_in_a_fixed_order},
      {"what_is_left_of_the_libraries", what_is_left_of_the_libraries},
      {"text_of_formulas", text_of_formulas},
      {"the_same_model_from_c_and_from_a_file", the_same_model_from_c_and_from_a_file},
      {"files_given_with_the_model", files_given_with_the_model},
      {"texts_piece_by_piece", texts_piece_by_piece},
      {"files_of_a_text_in_a_folder", files_of_a_text_in_a_folder},
  };
  return test_main(argc, argv, "lua_model", cases, (int)(sizeof cases / sizeof *cases));
}
