/* Sensitivities: against closed forms, against differences of adaptive runs, and what is refused. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/orbit.h>
#include <stdio.h>
#include <string.h>

/* The adaptive options of tests: tight, with rows at multiples of sample. */
static void tighten(picus_sim_options *o, double t_end, double sample) {
  o->adaptive = true;
  o->dt_min = 1e-9;
  o->atol = o->rtol = 1e-10;
  o->t_end = t_end;
  o->sample = sample;
}

static picus_sensitivity *open_sensitivity(simulation *s, const picus_sim_options *o, int count,
                                           const char *const *names) {
  picus_sensitivity *out = NULL;
  const picus_sensitivity_def def = {s->model, s->system, o, count, names};
  const picus_status status = picus_sensitivity_create(s->context, &def, &out);
  CHECK(status == PICUS_OK);
  if (status) printf("  %s\n", picus_last_error(s->context)->message);
  return out;
}

static double value_of(const picus_sensitivity *s, int name, int state) {
  const size_t n = (size_t)picus_sensitivity_state_count(s), count = (size_t)picus_sensitivity_count(s);
  const size_t row = (size_t)picus_sensitivity_rows(s) - 1;
  return picus_sensitivity_values(s)[(row * count + (size_t)name) * n + (size_t)state];
}
static double state_of(const picus_sensitivity *s, int state) {
  const size_t n = (size_t)picus_sensitivity_state_count(s), row = (size_t)picus_sensitivity_rows(s) - 1;
  return picus_sensitivity_states(s)[row * n + (size_t)state];
}

/* --- against differences -------------------------------------------------------------------------------------------
 */

typedef struct difference_case {
  const char *model, *overrides, *scheme;
  double t_end;
  int count; /* of parameters */
  const char *names[6];
} difference_case;

/* The state at t_end for another value of a parameter: of an adaptive run, or of the motion along its sequence. */
static bool find_state(const difference_case *c, const char *name, double value, bool is_run, double *x) {
  char overrides[80];
  picus_sim_options o;
  simulation s;
  snprintf(overrides, sizeof overrides, "%s%s%s=%.17g", c->overrides, *c->overrides ? "," : "", name, value);
  if (!simulation_load(&s, c->model, overrides, &o)) return false;
  tighten(&o, c->t_end, 0);
  o.scheme = c->scheme;
  bool done = false;
  if (is_run) {
    o.dt_min = 1e-11;
    o.atol = o.rtol = 1e-12;
    o.order_max = 8;
    done = simulation_start(&s, &o) && picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK;
    const picus_state end = done ? picus_sim_state(s.sim) : (picus_state){0};
    for (int i = 0; i < end.nq; i++) x[i] = end.q[i];
    for (int i = 0; i < end.nu; i++) x[end.nq + i] = end.u[i];
  } else {
    const char *const nothing[] = {name};
    picus_sensitivity *d = open_sensitivity(&s, &o, 1, nothing);
    done = d != NULL;
    for (int i = 0; d && i < picus_sensitivity_state_count(d); i++) x[i] = state_of(d, i);
    picus_sensitivity_destroy(d);
  }
  simulation_close(&s);
  return done;
}

enum { STATES = 32 };

/* dx/dp by differences of order four, with the relative step h. */
static bool find_difference(const difference_case *c, const char *name, double value, double h, bool is_run,
                            double *slope) {
  static const double places[] = {1, -1, 2, -2}, weights[] = {8. / 12, -8. / 12, -1. / 12, 1. / 12};
  const double size = h * (value != 0 ? fabs(value) : 1);
  double x[STATES];
  for (int i = 0; i < STATES; i++) slope[i] = 0;
  for (int k = 0; k < 4; k++) {
    if (!find_state(c, name, value + places[k] * size, is_run, x)) return false;
    for (int i = 0; i < STATES; i++) slope[i] += weights[k] / size * x[i];
  }
  return true;
}

static void check_difference(const difference_case *c, const picus_sensitivity *d, int name, double value,
                             bool is_run) {
  const int n = picus_sensitivity_state_count(d);
  double slope[STATES], largest = 0, most = 0, size = 0;
  /* motions along a sequence have errors of round-off, runs of 1e-9: these need larger differences */
  REQUIRE(n <= STATES && find_difference(c, c->names[name], value, is_run ? 1e-3 : 1e-4, is_run, slope));
  for (int i = 0; i < n; i++) {
    largest = fmax(largest, fabs(slope[i]));
    size = fmax(size, fabs(state_of(d, i)));
    most = fmax(most, fabs(value_of(d, name, i) - slope[i]));
  }
  /* a difference amplifies round-off of the states by 1e4 */
  const double tolerance = is_run ? 3e-4 * largest : 2e-8 * largest + 3e-9 * size / (value != 0 ? fabs(value) : 1);
  if (most > tolerance) printf("  %s: d/d%s by %s\n", c->model, c->names[name], is_run ? "runs" : "motions");
  CHECK_NEAR(most, 0, tolerance);
}

static void check_model(const difference_case *c) {
  picus_sim_options o;
  simulation s;
  REQUIRE(simulation_load(&s, c->model, c->overrides, &o));
  tighten(&o, c->t_end, 0);
  o.scheme = c->scheme;
  picus_sensitivity *d = open_sensitivity(&s, &o, c->count, c->names);
  for (int k = 0; d && k < c->count; k++) {
    double value = NAN;
    for (int p = 0; p < picus_model_parameter_count(s.model); p++)
      if (strcmp(picus_model_parameter(s.model, p).name, c->names[k]) == 0)
        value = picus_model_parameter(s.model, p).value;
    check_difference(c, d, k, value, false);
    if (k == 0 || test_is_long()) check_difference(c, d, k, value, true);
  }
  picus_sensitivity_destroy(d);
  simulation_close(&s);
}

static void derivatives_are_differences(void) {
  static const difference_case cases[] = {
      {"woodpecker", "", "moreau", 0.3, 6, {"mu", "eN1", "phiS0", "c", "hM", "mS"}},
      {"forced-impact-oscillator", "", "rattle", 20, 4, {"e", "omega", "phase", "zeta"}},
      {"simplest-walker", "", "rattle", 9, 3, {"slope", "theta0", "omega0"}},
      {"compass-walker", "", "rattle", 1.6, 3, {"m_hip", "slope", "psi0"}},
      {"rimless-wheel", "", "rattle", 3.5, 3, {"slope", "w0", "l"}},
      {"stribeck-belt", "", "rattle", 1.6, 4, {"v_b", "mu_s", "v_s", "k"}},
      {"impact-oscillator", "", "rattle", 1.5, 1, {"e"}},
      {"slope", "", "rattle", 1, 1, {"mu"}},
      {"pendulum-in-ring", "", "rattle", 2, 1, {"mu"}},
      {"slider-crank", "theta30=0.017", "rattle", 0.0021, 4, {"e", "mu", "J3", "theta30"}},
      {"sliding-mass", "", "rattle", 3.5, 1, {"a"}},
      {"rocking-block", "", "rattle", 0.4, 2, {"e", "g"}},
      {"tippedisk", "", "rattle", 0.2, 2, {"mu", "m"}},
      {"slider-crank-bodies", "", "rattle", 0.0015, 2, {"mu", "eN"}},
      {"quarter-car", "", "rattle", 0.503, 2, {"k", "v"}},
      {"brake-squeal", "", "rattle", 0.02, 2, {"mu_s", "v_d"}},
  };
  const long count = test_size(2, sizeof cases / sizeof *cases, sizeof cases / sizeof *cases);
  for (long k = 0; k < count; k++) check_model(&cases[k]);
}

/* --- against closed forms ------------------------------------------------------------------------------------------
 */

/* x'' = -g from x0 with v0 on a table with restitution e, after one impact at t1: v1 = e sqrt(v0^2 + 2 g x0). */
static void bounce_has_its_derivatives(void) {
  static const char text[] = "model('ball', 'a ball')\n"
                             "local p = parameters {e = {0.8, ''}, g = {10, ''}, x0 = {1, ''}}\n"
                             "local q, u = coordinates {{'x', velocity = 'v', start = {p.x0, 0}}}\n"
                             "kinetic(u.v^2 / 2)\npotential(p.g * q.x)\ncontact {'table', gap = q.x, eN = p.e}\n"
                             "simulate {adaptive = true, dt = 1e-3, t_end = 0.8}\n";
  static const char *const names[] = {"e", "g", "x0", "x", "v"};
  picus_sim_options o;
  simulation s;
  REQUIRE(simulation_load_text(&s, text, &o));
  tighten(&o, 0.8, 0.1);
  picus_sensitivity *d = open_sensitivity(&s, &o, 5, names);
  REQUIRE(d != NULL);
  const double e = 0.8, g = 10, x0 = 1, t1 = sqrt(2 * x0 / g), w = sqrt(2 * g * x0), r = 0.8 - t1;
  CHECK(picus_sensitivity_rows(d) == 9 && picus_sensitivity_point_count(d) == 1);
  CHECK_NEAR(picus_sensitivity_point(d, 0).t, t1, 1e-14);
  CHECK_NEAR(picus_sensitivity_point(d, 0).velocity, w, 1e-13);
  CHECK_NEAR(state_of(d, 0), e * w * r - g * r * r / 2, 1e-13);
  CHECK_NEAR(value_of(d, 0, 0), w * r, 1e-11); /* by e */
  CHECK_NEAR(value_of(d, 0, 1), w, 1e-11);
  const double w_g = x0 / w, w_x = g / w, r_g = t1 / (2 * g), r_x = -t1 / (2 * x0);
  CHECK_NEAR(value_of(d, 1, 0), e * (w_g * r + w * r_g) - r * r / 2 - g * r * r_g, 1e-11); /* by g */
  CHECK_NEAR(value_of(d, 1, 1), e * w_g - r - g * r_g, 1e-11);
  CHECK_NEAR(value_of(d, 2, 0), e * (w_x * r + w * r_x) - g * r * r_x, 1e-11); /* by x0 */
  CHECK_NEAR(value_of(d, 2, 1), e * w_x - g * r_x, 1e-11);
  CHECK_NEAR(value_of(d, 3, 0), value_of(d, 2, 0), 1e-11);
  CHECK_NEAR(value_of(d, 3, 1), value_of(d, 2, 1), 1e-11);
  CHECK_NEAR(value_of(d, 4, 1), -e * 0 - g * (-1 / g), 1e-11); /* dw/dv0 = 0 and dt1/dv0 = 1/g at v0 = 0 */
  const double *first = picus_sensitivity_values(d);
  static const double start[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1};
  for (int k = 0; k < 10; k++) CHECK_NEAR(first[k], start[k], 1e-12);
  picus_sensitivity_destroy(d);
  simulation_close(&s);
}

/* Entry into sticking: nothing of the velocity is left (a matrix of rank n - 1), and constraints stay. */
static void sticking_forgets(void) {
  static const char *const names[] = {"ux0", "mu"};
  static const char text[] =
      "model('block', 'a block')\n"
      "local p = parameters {mu = {0.5, ''}, ux0 = {2, ''}}\n"
      "local q, u = coordinates {{'x', velocity = 'ux', start = {0, p.ux0}}, {'y', velocity = 'uy'}}\n"
      "kinetic((u.ux^2 + u.uy^2) / 2)\npotential(10 * q.y)\n"
      "contact {'floor', gap = q.y, slip = u.ux, mu = p.mu}\n"
      "simulate {adaptive = true, dt = 1e-3, t_end = 1}\n";
  picus_sim_options o;
  simulation s;
  REQUIRE(simulation_load_text(&s, text, &o));
  tighten(&o, 1, 0);
  picus_sensitivity *d = open_sensitivity(&s, &o, 2, names);
  REQUIRE(d != NULL);
  CHECK_NEAR(state_of(d, 0), 0.4, 1e-13); /* ux0^2 / (2 mu g) */
  CHECK_NEAR(value_of(d, 0, 0), 0.4, 1e-12);
  CHECK_NEAR(value_of(d, 1, 0), -0.8, 1e-11);
  for (int i = 1; i < 4; i++) CHECK_NEAR(value_of(d, 0, i), 0, 1e-13);
  picus_sensitivity_destroy(d);
  d = open_sensitivity(&s, &o, 0, NULL);
  REQUIRE(d && picus_sensitivity_count(d) == 4);
  for (int i = 0; i < 4; i++) { /* by y and uy at the start: the contact is closed */
    CHECK_NEAR(value_of(d, 1, i), 0, 1e-15);
    CHECK_NEAR(value_of(d, 3, i), 0, 1e-15);
  }
  CHECK_NEAR(value_of(d, 0, 0), 1, 1e-15);
  picus_sensitivity_destroy(d);
  simulation_close(&s);
}

/* --- at any end time ------------------------------------------------------------------------------------------------
 */

/* The toy starts with its sleeve jammed until t = 0.065: its angular velocity is held at zero by large forces. A motion
 * that ends before it moves has the values of a longer one at the same time. */
static void held_velocities_are_followed(void) {
  static const char *const names[] = {"mu", "phiS"};
  static const double ends[] = {0.001, 0.003, 0.01, 0.02, 0.05, 0.06};
  const size_t n = 6, count = 2, jammed = 4;
  picus_sim_options o;
  simulation s;
  REQUIRE(simulation_load(&s, "woodpecker", "", &o));
  tighten(&o, 0.08, 0.001);
  picus_sensitivity *all = open_sensitivity(&s, &o, (int)count, names);
  REQUIRE(all && (size_t)picus_sensitivity_state_count(all) == n);
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    const size_t row = (size_t)lround(ends[k] / 0.001);
    tighten(&o, ends[k], 0);
    picus_sensitivity *d = open_sensitivity(&s, &o, (int)count, names);
    CHECK(d != NULL);
    for (size_t i = 0; d && i < n; i++) {
      const double x = picus_sensitivity_states(all)[row * n + i];
      CHECK_NEAR(state_of(d, (int)i), x, 1e-11 * (1 + fabs(x)));
      for (size_t c = 0; c < count; c++) {
        const double slope = picus_sensitivity_values(all)[(row * count + c) * n + i];
        CHECK_NEAR(value_of(d, (int)c, (int)i), slope, 1e-8 * (1 + fabs(slope)));
      }
    }
    if (d) CHECK_NEAR(state_of(d, (int)jammed), 0, 1e-10);
    picus_sensitivity_destroy(d);
  }
  picus_sensitivity_destroy(all);
  simulation_close(&s);
}

/* The wheel of the car is pressed by a table of heights: the run takes a step from point to point, in which the rates
 * change much. A motion to any time follows it. */
static void long_steps_are_followed(void) {
  static const char *const names[] = {"k"};
  static const double ends[] = {0.055, 0.06, 0.08, 0.1};
  double before = NAN;
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    picus_sim_options o;
    simulation s;
    REQUIRE(simulation_load(&s, "quarter-car", "", &o));
    o.adaptive = true;
    o.t_end = ends[k];
    o.sample = 0.055;
    picus_sensitivity *d = open_sensitivity(&s, &o, 1, names);
    REQUIRE(d != NULL);
    const long row = picus_sensitivity_rows(d) > 1 ? 1 : 0;
    CHECK_NEAR(picus_sensitivity_times(d)[row], 0.055, 1e-15);
    const double slope = picus_sensitivity_values(d)[row * picus_sensitivity_state_count(d)];
    if (k > 0) CHECK_NEAR(slope, before, 1e-9 * fabs(before));
    before = slope;
    picus_sensitivity_destroy(d);
    simulation_close(&s);
  }
}

/* --- what is refused ------------------------------------------------------------------------------------------------
 */

static void check_refused(const char *model, const char *overrides, double t_end, const char *name, const char *part) {
  picus_sim_options o;
  simulation s;
  picus_sensitivity *d = NULL;
  REQUIRE(simulation_load(&s, model, overrides, &o));
  tighten(&o, t_end, 0);
  o.dt_min = 1e-7;
  const picus_sensitivity_def def = {s.model, s.system, &o, 1, &name};
  CHECK(picus_sensitivity_create(s.context, &def, &d) != PICUS_OK);
  CHECK(d == NULL);
  const char *message = picus_last_error(s.context)->message;
  if (!strstr(message, part)) printf("  %s: %s\n", model, message);
  CHECK(strstr(message, part) != NULL);
  picus_sensitivity_destroy(d);
  simulation_close(&s);
}

static void others_are_refused(void) {
  check_refused("falling-mass", "", 1, "e", "accumulate");
  check_refused("slider-crank", "", 0.004, "e", "same time");
  check_refused("disks", "", 0.1, "mu", "contacts of shapes");
  check_refused("drawer", "", 0.1, "mu", "friction of a joint");
  check_refused("raibert-hopper", "", 0.1, "m", "sampled");
  check_refused("woodpecker", "", 0.1, "nu", "no parameter, coordinate or velocity 'nu'");
  check_refused("circuit-breaker", "", 1e-4, "mu", "at the centre of a hole");
}

/* Two events at once: one sets what makes the other happen. The sequence has room for one of them. */
static void events_at_once_are_refused(void) {
  static const char text[] = "model('pair', 'events at once')\n"
                             "local q, u = coordinates {{'x', velocity = 'v', start = {0, 1}}}\n"
                             "kinetic(u.v^2 / 2)\n"
                             "on {'first', when = q.x - 1, direction = 'rises', set = {x = q.x - 3}}\n"
                             "on {'second', when = q.x + 1.5, direction = 'falls', set = {v = 0.5 * u.v}}\n"
                             "simulate {adaptive = true, dt = 1e-3, t_end = 2}\n";
  picus_sim_options o;
  simulation s;
  picus_sensitivity *d = NULL;
  REQUIRE(simulation_load_text(&s, text, &o));
  tighten(&o, 2, 0);
  const picus_sensitivity_def def = {.model = s.model, .system = s.system, .options = &o};
  CHECK(picus_sensitivity_create(s.context, &def, &d) == PICUS_ERROR_UNSUPPORTED && d == NULL);
  CHECK(strstr(picus_last_error(s.context)->message, "at once") != NULL);
  picus_sensitivity_destroy(d);
  simulation_close(&s);
}

/* A contact that is only just reached. */
static void grazing_is_reported(void) {
  static const char text[] = "model('graze', 'a ball under a ceiling')\n"
                             "local p = parameters {h = {0.5, ''}}\n"
                             "local q, u = coordinates {{'x', velocity = 'v', start = {0, sqrt(10)}}}\n"
                             "kinetic(u.v^2 / 2)\npotential(10 * q.x)\ncontact {'ceiling', gap = p.h - q.x, eN = 0.5}\n"
                             "simulate {adaptive = true, dt = 1e-3, t_end = 0.5}\n";
  static const char *const names[] = {"v"};
  picus_sim_options o;
  simulation s;
  picus_sensitivity *d = NULL;
  REQUIRE(simulation_load_text(&s, text, &o));
  tighten(&o, 0.5, 0);
  const picus_sensitivity_def def = {s.model, s.system, &o, 1, names};
  const picus_status status = picus_sensitivity_create(s.context, &def, &d);
  CHECK(status == PICUS_NO_SOLUTION && strstr(picus_last_error(s.context)->message, "'ceiling' grazes") != NULL);
  picus_sensitivity_destroy(d);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"derivatives_are_differences", derivatives_are_differences},
                                    {"bounce_has_its_derivatives", bounce_has_its_derivatives},
                                    {"sticking_forgets", sticking_forgets},
                                    {"held_velocities_are_followed", held_velocities_are_followed},
                                    {"long_steps_are_followed", long_steps_are_followed},
                                    {"others_are_refused", others_are_refused},
                                    {"events_at_once_are_refused", events_at_once_are_refused},
                                    {"grazing_is_reported", grazing_is_reported}};
  return test_main(argc, argv, "sensitivity", cases, sizeof cases / sizeof *cases);
}
