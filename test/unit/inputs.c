/* Inputs from outside: against parameters, against functions of time, against runs that are put together; for every
 * scheme and for adaptive runs. */
#define _POSIX_C_SOURCE 200809L /* ThreadSanitizer knows POSIX threads, not those of C11 */
#include "support/allocations.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 4096 };

typedef struct method {
  const char *scheme;
  bool adaptive;
} method;
/* All schemes with fixed steps, then those that adaptive runs can use. */
enum { METHODS_MOST = 32 };
static method methods[METHODS_MOST];
static int method_count, fixed_count;

static bool is_schatzman_paoli(method by) { return strcmp(by.scheme, "schatzman-paoli") == 0; }

static void list_methods(void) {
  for (int k = 0; picus_scheme_at(k); k++) /* the counterexample has neither joints nor a velocity in contact */
    if (strcmp(picus_scheme_at(k)->name, "trapezoidal-position") != 0)
      methods[method_count++] = (method){picus_scheme_at(k)->name, false};
  fixed_count = method_count;
  for (int k = 0; k < fixed_count; k++)
    if (!is_schatzman_paoli(methods[k])) methods[method_count++] = (method){methods[k].scheme, true};
}

static method by_name(const char *scheme) { return (method){scheme, false}; }

static bool open_text(simulation *s, const char *text, method by, double dt, double t_end) {
  picus_sim_options options;
  if (!simulation_load_text(s, text, &options)) return false;
  options.scheme = by.scheme;
  options.adaptive = by.adaptive;
  options.dt = dt;
  options.dt_min = by.adaptive ? 1e-3 * dt : 0;
  options.t_end = t_end;
  options.atol = options.rtol = 1e-9;
  return simulation_start(s, &options);
}

/* A ball on a spring above a floor: `given` makes the table i with F, k and z. */
static const char ball[] = "%s\n"
                           "local q, u = coordinates { { 'x', velocity = 'v', start = { 1, 0.5 } } }\n"
                           "kinetic(u.v^2)\n"
                           "potential(0.5 * i.k * q.x^2)\n"
                           "force { x = i.F }\n"
                           "contact { 'floor', gap = q.x - i.z, eN = 0.5 }\n";
static const char ball_parameters[] = "local i = parameters { F = -9.5, k = 3, z = 0.25 }";
static const char ball_inputs[] = "local i = inputs { { 'F', start = -9.5, unit = 'N' }, { 'k', start = 3 },\n"
                                  "                   { 'z', start = 0.25, rate = 0, unit = 'm' } }";

/* F only: with a stiffness or a floor that may change, tangents or W and chi are not constant, and sums have another
 * order. */
static const char ball_force[] = "local p = parameters { k = 3, z = 0.25 }\n"
                                 "local f = inputs { { 'F', start = -9.5 } }\n"
                                 "local i = { F = f.F, k = p.k, z = p.z }";

static bool open_ball(simulation *s, const char *given, method by, double dt, double t_end) {
  char text[TEXT_SIZE];
  snprintf(text, sizeof text, ball, given);
  return open_text(s, text, by, dt, t_end);
}

static bool same_states(const simulation *a, const simulation *b) {
  const picus_state x = picus_sim_state(a->sim), y = picus_sim_state(b->sim);
  return x.t == y.t && memcmp(x.q, y.q, (size_t)x.nq * sizeof *x.q) == 0 &&
         memcmp(x.u, y.u, (size_t)x.nu * sizeof *x.u) == 0;
}

static double distance(const simulation *a, const simulation *b) {
  const picus_state x = picus_sim_state(a->sim), y = picus_sim_state(b->sim);
  double most = fabs(x.t - y.t);
  for (int i = 0; i < x.nq; i++) most = fmax(most, fabs(x.q[i] - y.q[i]));
  for (int i = 0; i < x.nu; i++) most = fmax(most, fabs(x.u[i] - y.u[i]));
  return most;
}

static void a_constant_input_is_a_parameter(void) {
  for (int m = 0; m < method_count; m++) {
    simulation a, b, c;
    picus_summary summary;
    REQUIRE(open_ball(&a, ball_parameters, methods[m], 1e-3, 2));
    REQUIRE(open_ball(&b, ball_force, methods[m], 1e-3, 2));
    REQUIRE(open_ball(&c, ball_inputs, methods[m], 1e-3, 2));
    CHECK(picus_sim_run(a.sim, NULL, NULL, &summary) == PICUS_OK);
    CHECK(picus_sim_run(b.sim, NULL, NULL, NULL) == PICUS_OK);
    CHECK(picus_sim_run(c.sim, NULL, NULL, NULL) == PICUS_OK);
    CHECK(summary.impacts > 2);
    if (!CHECK(same_states(&a, &b))) printf("  %s: %g\n", methods[m].scheme, distance(&a, &b));
    if (!CHECK(distance(&a, &c) < 1e-12)) printf("  %s: %g\n", methods[m].scheme, distance(&a, &c));
    simulation_close(&a);
    simulation_close(&b);
    simulation_close(&c);
  }
}

/* To the time t, in steps of the run's size or of its own choice. */
static bool go_to(simulation *s, double t) {
  const picus_sim_options *o = picus_sim_options_of(s->sim);
  picus_status status = PICUS_OK;
  if (o->adaptive)
    while (!status && picus_sim_state(s->sim).t < t) status = picus_sim_advance(s->sim, t, NULL);
  else
    for (long k = lround((t - picus_sim_state(s->sim).t) / o->dt); k > 0 && !status; k--)
      status = picus_sim_step(s->sim, 0, NULL);
  if (status) printf("  %s\n", picus_last_error(s->context)->message);
  return CHECK(status == PICUS_OK);
}

/* Springs between bodies: a stiffness that an input sets is that of a potential with the input. */
static void stiffness_of_springs(void) {
  static const char given[] =
      "local i = inputs { { 'k', start = 30 }, { 'c', start = 2 } }\n"
      "local a = planar_body { 'a', mass = 1, inertia = 0.1, position = { 1, 0.5 }, angle = 0.3 }\n";
  static const char springs[] = "%sspring { ground, a, stiffness = i.k, length = 0.4 }\n"
                                "spring { ground, a, point_b = { 0.2, 0 }, stiffness = 2 * i.k + t }\n"
                                "torsion_spring { ground, a, stiffness = i.c, angle = 0.1 }\n";
  static const char potentials[] = "%slocal x, y = a:point { 0, 0 }\n"
                                   "local phi = a:angle()\n"
                                   "local X, Y = x + 0.2 * cos(phi), y + 0.2 * sin(phi)\n"
                                   "potential(i.k / 2 * (sqrt(x^2 + y^2) - 0.4)^2)\n"
                                   "potential((2 * i.k + t) / 2 * (X^2 + Y^2))\n"
                                   "potential(i.c / 2 * (phi - 0.1)^2)\n";
  char text[2][TEXT_SIZE];
  snprintf(text[0], sizeof text[0], springs, given);
  snprintf(text[1], sizeof text[1], potentials, given);
  for (int m = 0; m < fixed_count; m++) {
    simulation s[2];
    for (int k = 0; k < 2; k++) {
      REQUIRE(open_text(&s[k], text[k], methods[m], 1e-3, 1));
      CHECK(go_to(&s[k], 0.1));
      CHECK(picus_sim_set_input(s[k].sim, "k", 80, 0) == PICUS_OK);
      CHECK(picus_sim_set_input(s[k].sim, "c", 0.5, 0) == PICUS_OK);
      CHECK(go_to(&s[k], 0.3));
    }
    if (!CHECK(distance(&s[0], &s[1]) < 1e-11)) printf("  %s: %g\n", methods[m].scheme, distance(&s[0], &s[1]));
    CHECK(fabs(picus_sim_state(s[0].sim).q[0] - 1) > 0.1);
    for (int k = 0; k < 2; k++) simulation_close(&s[k]);
  }
}

/* A step change is two runs put together. A restart loses the guesses for solvers. In schatzman-paoli the force of a
 * step acts from the middle of the step before on, so that a jump of it is accurate to first order. */
static void a_changed_input_is_another_run(void) {
  for (int m = 0; m < method_count; m++) {
    const double dt = 1.0 / 1024;
    simulation whole, first, second;
    REQUIRE(open_ball(&whole, ball_force, methods[m], dt, 2));
    REQUIRE(open_ball(&first, ball_parameters, methods[m], dt, 2));
    REQUIRE(open_ball(&second, "local i = parameters { F = 4, k = 3, z = 0.25 }", methods[m], dt, 2));
    CHECK(go_to(&whole, 0.125) && go_to(&first, 0.125) && same_states(&whole, &first));
    CHECK(picus_sim_set_input(whole.sim, "F", 4, 0) == PICUS_OK);
    const picus_state at = picus_sim_state(first.sim);
    CHECK(picus_sim_set_state(second.sim, at.t, at.q, at.u) == PICUS_OK);
    const bool restarts = is_schatzman_paoli(methods[m]);
    const double end = restarts ? 0.5 : 1.5;
    CHECK(go_to(&whole, end) && go_to(&second, end));
    const double tolerance = methods[m].adaptive ? 1e-7 : restarts ? 0.5 * dt * (4 + 9.5) / 2 : 1e-9;
    if (!CHECK(distance(&whole, &second) <= tolerance))
      printf("  %s %d: %g\n", methods[m].scheme, methods[m].adaptive, distance(&whole, &second));
    if (strcmp(methods[m].scheme, "moreau") == 0 && !methods[m].adaptive) CHECK(same_states(&whole, &second));
    simulation_close(&whole);
    simulation_close(&first);
    simulation_close(&second);
  }
}

/* Two simulations in lockstep: a has an input that is set before every step to the chord of f over the step, b has f as
 * a function of time. */
typedef double (*time_function)(double t);

static double follow(const char *with_input, const char *with_time, method by, double dt, time_function f) {
  simulation a, b;
  double most = INFINITY;
  if (!CHECK(open_text(&a, with_input, by, dt, 1)) || !CHECK(open_text(&b, with_time, by, dt, 1))) return most;
  bool fine = true;
  for (long k = 0; fine && (double)(k + 1) * dt <= 1 + 1e-9; k++) {
    const double t = (double)k * dt, end = (double)(k + 1) * dt;
    fine = picus_sim_set_input_at(a.sim, 0, f(t), (f(end) - f(t)) / dt) == PICUS_OK && go_to(&a, end) && go_to(&b, end);
  }
  if (CHECK(fine)) most = distance(&a, &b);
  simulation_close(&a);
  simulation_close(&b);
  return most;
}

/* without_schatzman_paoli: schatzman-paoli has no joints and no friction. */
static void check_follows(const char *with_input, const char *with_time, bool without_schatzman_paoli,
                          time_function f) {
  for (int m = 0; m < method_count; m += test_is_reduced() ? 3 : 1) {
    if (without_schatzman_paoli && is_schatzman_paoli(methods[m])) continue;
    if (strcmp(methods[m].scheme, "half-explicit-acc") == 0) continue; /* chords of an input have no acceleration */
    const double sizes[] = {1.0 / 128, 1.0 / 256, 1.0 / 512};
    double errors[3];
    for (int k = 0; k < 3; k++) errors[k] = follow(with_input, with_time, methods[m], sizes[k], f);
    const bool is_exact = errors[0] < 1e-12; /* a scheme that sees gaps at the ends of steps only */
    if (!CHECK(is_exact || (observed_order(3, sizes, errors) > 0.9 && errors[2] < 0.05)))
      printf("  %s %d: %g %g %g\n", methods[m].scheme, methods[m].adaptive, errors[0], errors[1], errors[2]);
  }
}

static double swing(double t) { return 0.3 * sin(5 * t); }

static const char arm[] = "%s gravity { 0, -9.81 }\n"
                          "local arm = planar_body { 'arm', mass = 2, inertia = 0.1, position = { 0.5, 0 } }\n"
                          "revolute { 'hinge', ground, arm, at = { 0, 0 } }\n"
                          "motor { 'drive', ground, arm, %s }\n";

static void a_motor_follows_an_input(void) {
  char with_input[TEXT_SIZE], with_time[TEXT_SIZE];
  snprintf(with_input, sizeof with_input, arm, "local i = inputs { { 'a', rate = 1.5 } }", "position = i.a");
  snprintf(with_time, sizeof with_time, arm, "", "position = 0.3 * sin(5 * t)");
  check_follows(with_input, with_time, true, swing);
  snprintf(with_input, sizeof with_input, arm, "local i = inputs { { 'w' } }", "speed = i.w");
  picus_sim_options options;
  simulation s;
  REQUIRE(simulation_load_text(&s, with_input, &options)); /* a speed needs no rate */
  simulation_close(&s);
}

/* The floor moves so fast that the ball flies. */
static double shake(double t) { return 0.05 * sin(20 * t); }

static const char floor_text[] = "%s local q, u = coordinates { { 'x', velocity = 'v', start = { 0, 1 } } }\n"
                                 "kinetic(0.5 * u.v^2) potential(%g * q.x)\n"
                                 "contact { 'floor', gap = q.x - %s, eN = 0 }\n";

static void a_floor_follows_an_input(void) {
  char with_input[TEXT_SIZE], with_time[TEXT_SIZE];
  snprintf(with_input, sizeof with_input, floor_text, "local i = inputs { { 'z', rate = 1 } }", 60.0, "i.z");
  snprintf(with_time, sizeof with_time, floor_text, "", 60.0, "0.05 * sin(20 * t)");
  check_follows(with_input, with_time, false, shake);
}

/* The same floor as a frame, under a ball and a body that slides on it sideways. */
static const char frame_text[] = "%s gravity { 0, -60 }\n"
                                 "local plate = frame { 'plate', position = { %s, 0.5 * %s, 0 } }\n"
                                 "local box = planar_body { 'box', mass = 2, inertia = 0.1, velocity = { 0.5, 1 } }\n"
                                 "plane_contact { 'top', plate, box, normal = { 0, 1 }, mu = %g }\n";

static void a_frame_follows_an_input(void) {
  for (int with_friction = 0; with_friction < 2; with_friction++) {
    char with_input[TEXT_SIZE], with_time[TEXT_SIZE];
    const char *const f = "0.05 * sin(20 * t)";
    const double mu = with_friction ? 0.3 : 0;
    snprintf(with_input, sizeof with_input, frame_text, "local i = inputs { { 'z', rate = 1 } }", "i.z", "i.z", mu);
    snprintf(with_time, sizeof with_time, frame_text, "", f, f, mu);
    check_follows(with_input, with_time, with_friction == 1, shake);
  }
}

/* A floor that moves evenly needs no further setting: exact but for the round-off of another formula. */
static void a_rate_is_the_velocity_of_a_surface(void) {
  char with_input[TEXT_SIZE], with_time[TEXT_SIZE];
  snprintf(with_input, sizeof with_input, floor_text, "local i = inputs { { 'z', start = -0.5, rate = 0.75 } }", 9.81,
           "i.z");
  snprintf(with_time, sizeof with_time, floor_text, "", 9.81, "(-0.5 + 0.75 * t)");
  for (int m = 0; m < method_count; m++) {
    simulation a, b;
    picus_law_state law;
    REQUIRE(open_text(&a, with_input, methods[m], 1.0 / 256, 1));
    REQUIRE(open_text(&b, with_time, methods[m], 1.0 / 256, 1));
    CHECK(go_to(&a, 1) && go_to(&b, 1));
    if (!CHECK(distance(&a, &b) < 1e-9)) printf("  %s: %g\n", methods[m].scheme, distance(&a, &b));
    CHECK(picus_sim_laws(a.sim, &law) == PICUS_OK);
    CHECK_NEAR(law.normal_velocity, picus_sim_state(a.sim).u[0] - 0.75, 1e-12);
    CHECK_NEAR(picus_sim_input(a.sim, 0).value, 0.25, 1e-15);
    simulation_close(&a);
    simulation_close(&b);
  }
}

/* A jump of the floor is seen by the next step, although the gap of the last one was another. schatzman-paoli, whose
 * force acts from the middle of the step before on, falls by up to half a step more. */
static void a_floor_that_jumps_is_seen_at_once(void) {
  char text[TEXT_SIZE];
  snprintf(text, sizeof text, floor_text, "local i = inputs { { 'z', rate = 0 } }", 9.81, "i.z");
  for (int m = 0; m < fixed_count; m++) {
    const double dt = 1.0 / 256, zero = 0;
    simulation s;
    REQUIRE(open_text(&s, text, methods[m], dt, 1));
    CHECK(picus_sim_set_state(s.sim, 0, &zero, &zero) == PICUS_OK);
    CHECK(go_to(&s, 0.125));
    CHECK_NEAR(picus_sim_state(s.sim).u[0], 0, 1e-9);
    CHECK(picus_sim_set_input(s.sim, "z", -1, 0) == PICUS_OK);
    CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    const double v = picus_sim_state(s.sim).u[0];
    if (!CHECK(is_schatzman_paoli(methods[m]) ? v < -9.81 * dt && v > -15 * dt : fabs(v + 9.81 * dt) < 1e-9))
      printf("  %s: %g dt\n", methods[m].scheme, v / dt);
    simulation_close(&s);
  }
}

/* Belt speed and damping at velocity level, a coordinate that an input drives, a flexible bar with a load. */
static void inputs_act_on_slip_rates_and_loads(void) {
  static const char text[] = "local i = inputs { { 'belt', start = 0.5 }, { 'd', start = 2 }, { 'w', start = 3 } }\n"
                             "local q, u = coordinates { { 'x', velocity = 'v' }, { 'a' } }\n"
                             "kinetic(0.5 * u.v^2) dissipation(0.5 * i.d * u.v^2) rates { a = i.w }\n"
                             "friction { 'belt-contact', slip = u.v - i.belt, reservoir = 4 }\n"
                             "observe { 'power', i.d * u.v^2 }\n";
  simulation s;
  REQUIRE(open_text(&s, text, by_name("moreau"), 1e-3, 4));
  CHECK(go_to(&s, 1));
  CHECK_NEAR(picus_sim_state(s.sim).u[0], 0.5, 1e-12); /* it sticks to the belt */
  CHECK_NEAR(picus_sim_state(s.sim).q[1], 3, 1e-9);
  CHECK(picus_sim_set_input(s.sim, "belt", 5, 0) == PICUS_OK && picus_sim_set_input(s.sim, "w", -3, 0) == PICUS_OK);
  CHECK(go_to(&s, 2) && go_to(&s, 4));
  CHECK_NEAR(picus_sim_state(s.sim).u[0], 2, 0.02); /* reservoir / d, as the belt is faster: 1 - exp(-6) of the way */
  CHECK_NEAR(picus_sim_state(s.sim).q[1], -6, 1e-9);
  simulation_close(&s);
  static const char bar[] = "local i = inputs { { 'F', start = 1e3 } }\n"
                            "bar { 'rod', elements = 4, length = 1, area = 1e-4, density = 8000, young = 2e11 }\n"
                            "force { ['rod.x4'] = i.F }\n";
  REQUIRE(open_text(&s, bar, by_name("moreau-jean"), 1e-6, 1e-3));
  const double v0 = picus_sim_state(s.sim).u[4];
  CHECK(go_to(&s, 1e-5) && picus_sim_state(s.sim).u[4] > v0);
  const double v1 = picus_sim_state(s.sim).u[4];
  CHECK(picus_sim_set_input(s.sim, "F", -1e4, 0) == PICUS_OK);
  CHECK(go_to(&s, 2e-5) && picus_sim_state(s.sim).u[4] < v1);
  simulation_close(&s);
}

/* --- threads -------------------------------------------------------------------------------------------------------
 */

typedef struct worker {
  const picus_system *system;
  const picus_sim_options *options;
  double force, q;
  picus_status status;
} worker;

static void *run_worker(void *argument) {
  worker *w = argument;
  picus_context *context = NULL;
  picus_sim *sim = NULL;
  w->status = picus_context_create(NULL, &context);
  if (!w->status) w->status = picus_sim_create(context, w->system, w->options, &sim);
  for (int k = 0; !w->status && k < 2000; k++) {
    w->status = picus_sim_set_input(sim, "F", w->force * (1 + k % 3), 0);
    if (!w->status) w->status = picus_sim_step(sim, 0, NULL);
  }
  if (!w->status) w->q = picus_sim_state(sim).q[0];
  picus_sim_destroy(sim);
  picus_context_destroy(context);
  return NULL;
}

static void threads_have_their_own_inputs(void) {
  simulation s;
  REQUIRE(open_ball(&s, ball_inputs, by_name("moreau"), 1e-3, 2));
  worker alone[2], together[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    alone[i] = together[i] =
        (worker){.system = s.system, .options = picus_sim_options_of(s.sim), .force = i == 0 ? -8 : 0.5};
    run_worker(&alone[i]);
  }
  for (int i = 0; i < 2; i++) REQUIRE(pthread_create(&threads[i], NULL, run_worker, &together[i]) == 0);
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    CHECK(alone[i].status == PICUS_OK && together[i].status == PICUS_OK && together[i].q == alone[i].q);
  }
  CHECK(alone[0].q != alone[1].q);
  CHECK(picus_sim_input(s.sim, 0).value == -9.5); /* those of others change nothing here */
  simulation_close(&s);
}

/* --- hostile values, states, memory --------------------------------------------------------------------------------
 */

static void check_message(const simulation *s, picus_status status, picus_status expected, const char *fragment) {
  const char *message = picus_last_error(s->context)->message;
  if (!CHECK(status == expected && strstr(message, fragment) != NULL)) printf("  %s\n", message);
}

static void wrong_values_are_refused(void) {
  simulation s, other;
  REQUIRE(open_ball(&s, ball_inputs, by_name("moreau"), 1e-3, 2));
  REQUIRE(open_ball(&other, ball_inputs, by_name("moreau"), 1e-3, 2));
  picus_sim *sim = s.sim;
  check_message(&s, picus_sim_set_input(sim, "F", NAN, 0), PICUS_ERROR_NUMBER,
                "the value of input 'F' must be a finite number, not nan");
  check_message(&s, picus_sim_set_input(sim, "F", -INFINITY, 0), PICUS_ERROR_NUMBER, "not -inf");
  check_message(&s, picus_sim_set_input(sim, "z", 0, INFINITY), PICUS_ERROR_NUMBER,
                "the rate of input 'z' must be a finite number, not inf");
  check_message(&s, picus_sim_set_input(sim, "F", 1, 2), PICUS_ERROR_ARGUMENT, "input 'F' has no rate");
  check_message(&s, picus_sim_set_input(sim, "FF", 1, 0), PICUS_ERROR_NAME,
                "there is no input 'FF'; did you mean 'F'?");
  check_message(&s, picus_sim_set_input(sim, NULL, 1, 0), PICUS_ERROR_NAME, "there is no input ''");
  check_message(&s, picus_sim_set_input_at(sim, 3, 1, 0), PICUS_ERROR_ARGUMENT, "there is no input 3");
  check_message(&s, picus_sim_set_input_at(sim, -1, 1, 0), PICUS_ERROR_ARGUMENT, "there is no input -1");
  CHECK(picus_sim_input(sim, 7).value == 0 && picus_sim_input(sim, -1).rate == 0);
  CHECK(go_to(&s, 0.5) && go_to(&other, 0.5) && same_states(&s, &other)); /* nothing of it acted */
  CHECK(picus_sim_set_input(sim, "F", 1e308, 0) == PICUS_OK);
  picus_status status = PICUS_OK;
  for (int k = 0; k < 10 && !status; k++) status = picus_sim_step(sim, 10, NULL);
  CHECK(status == PICUS_ERROR_NUMBER); /* a message, no nan in the state */
  CHECK(isfinite(picus_sim_state(sim).u[0]));
  simulation_close(&s);
  simulation_close(&other);
}

static void evaluations_take_inputs(void) {
  simulation s;
  picus_evaluation *e;
  REQUIRE(open_ball(&s, ball_inputs, by_name("moreau"), 1e-3, 2));
  REQUIRE(picus_evaluation_create(s.context, s.system, &e) == PICUS_OK);
  const double q = 2, u = 0.5;
  double h, gap, W, chi;
  picus_evaluation_set_point(e, 3, &q, &u);
  CHECK(picus_evaluate_force(e, &h) == PICUS_OK && h == -9.5 - 3 * 2);
  CHECK(picus_evaluation_set_input(e, 0, &(picus_input){.value = 1}) == PICUS_OK);
  CHECK(picus_evaluation_set_input(e, 2, &(picus_input){.value = 0.25, .rate = 0.5, .t = 1}) == PICUS_OK);
  CHECK(picus_evaluate_force(e, &h) == PICUS_OK && h == 1 - 3 * 2); /* the point need not be set again */
  CHECK(picus_evaluate_gaps(e, &gap) == PICUS_OK && gap == 2 - 0.25 - 0.5 * 2);
  CHECK(picus_evaluate_directions(e, &W, &chi) == PICUS_OK && W == 1 && chi == -0.5);
  double K, C;
  CHECK(picus_evaluate_force_jacobian(e, &K, &C) == PICUS_OK && K == -3 && C == 0); /* derived now */
  CHECK(picus_evaluation_set_input(e, 1, &(picus_input){.value = 5}) == PICUS_OK);
  CHECK(picus_evaluate_force_jacobian(e, &K, &C) == PICUS_OK && K == -5);
  check_message(&s, picus_evaluation_set_input(e, 0, &(picus_input){.value = NAN}), PICUS_ERROR_NUMBER, "input 'F'");
  const picus_system_input z = picus_system_input_at(s.system, 2);
  CHECK(picus_system_input_count(s.system) == 3 && z.has_rate && z.start == 0.25);
  CHECK_TEXT(z.name, "z");
  CHECK_TEXT(z.unit, "m");
  CHECK(picus_system_find_input(s.system, "k") == 1 && picus_system_find_input(s.system, "x") == -1);
  picus_evaluation_destroy(e);
  simulation_close(&s);
}

/* Inputs stay; one with a rate has at the new time the value that it had at the old one. */
static void another_state_keeps_the_inputs(void) {
  for (int m = 0; m < method_count; m++) {
    simulation a, b;
    REQUIRE(open_ball(&a, ball_inputs, methods[m], 1.0 / 512, 2));
    REQUIRE(open_ball(&b, ball_inputs, methods[m], 1.0 / 512, 2));
    CHECK(picus_sim_set_input(a.sim, "F", -5, 0) == PICUS_OK);
    CHECK(picus_sim_set_input(a.sim, "z", 0, -0.125) == PICUS_OK);
    CHECK(go_to(&a, 0.5));
    const double q = 1.5, u = -1;
    CHECK(picus_sim_set_state(a.sim, 0.25, &q, &u) == PICUS_OK);
    CHECK(picus_sim_input(a.sim, 0).value == -5 && picus_sim_input(a.sim, 2).value == -0.0625);
    CHECK(picus_sim_set_state(b.sim, 0.25, &q, &u) == PICUS_OK);
    CHECK(picus_sim_set_input(b.sim, "F", -5, 0) == PICUS_OK);
    CHECK(picus_sim_set_input(b.sim, "z", -0.0625, -0.125) == PICUS_OK);
    CHECK(go_to(&a, 1.5) && go_to(&b, 1.5) && same_states(&a, &b));
    simulation_close(&a);
    simulation_close(&b);
  }
}

/* Setting the present value changes nothing: guesses, look-ahead and results stay. */
static void the_same_value_changes_nothing(void) {
  for (int m = 0; m < method_count; m++) {
    simulation a, b;
    REQUIRE(open_ball(&a, ball_inputs, methods[m], 1.0 / 512, 2));
    REQUIRE(open_ball(&b, ball_inputs, methods[m], 1.0 / 512, 2));
    picus_status status = PICUS_OK;
    while (!status && picus_sim_state(a.sim).t < 1.5) {
      const bool adaptive = methods[m].adaptive;
      status = picus_sim_set_input(a.sim, "F", -9.5, 0);
      if (!status) status = adaptive ? picus_sim_advance(a.sim, 1.5, NULL) : picus_sim_step(a.sim, 0, NULL);
      if (!status) status = adaptive ? picus_sim_advance(b.sim, 1.5, NULL) : picus_sim_step(b.sim, 0, NULL);
      if (!same_states(&a, &b)) break;
    }
    CHECK(status == PICUS_OK && same_states(&a, &b) && picus_sim_state(b.sim).t >= 1.5);
    simulation_close(&a);
    simulation_close(&b);
  }
}

static void steps_and_inputs_allocate_nothing(void) {
  char text[TEXT_SIZE];
  snprintf(text, sizeof text, ball, ball_inputs);
  for (int m = 0; m < method_count; m++) {
    simulation s = {0};
    test_allocations a = test_grant_all();
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    REQUIRE(picus_context_create(&def, &s.context) == PICUS_OK);
    REQUIRE(picus_model_load_text(s.context, "ball", text, strlen(text), NULL, &s.model) == PICUS_OK);
    REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
    picus_sim_options options = picus_model_sim_options(s.model);
    options.scheme = methods[m].scheme;
    options.adaptive = methods[m].adaptive;
    options.dt = 1e-3;
    options.t_end = 4;
    REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
    CHECK(go_to(&s, 0.1));
    const long before = a.calls;
    for (int k = 1; k <= 30; k++) {
      CHECK(picus_sim_set_input(s.sim, "F", -9 - k % 2, 0) == PICUS_OK);
      CHECK(picus_sim_set_input(s.sim, "z", picus_sim_input(s.sim, 2).value, 0.01 * (k % 3 - 1)) == PICUS_OK);
      CHECK(go_to(&s, 0.1 * (k + 1)));
    }
    CHECK(a.calls == before);
    simulation_close(&s);
    CHECK(a.outstanding == 0);
  }
}

static void overrides_set_initial_values(void) {
  char text[TEXT_SIZE];
  picus_context *context;
  picus_model *model;
  const picus_override overrides[] = {{"F", 7}, {"z", -1}};
  const picus_load_options load = {.override_count = 2, .overrides = overrides};
  snprintf(text, sizeof text, ball, ball_inputs);
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_model_load_text(context, "ball", text, strlen(text), &load, &model) == PICUS_OK);
  CHECK(picus_model_input_count(model) == 3);
  CHECK(picus_model_input(model, 0).start == 7 && picus_model_input(model, 2).start == -1);
  CHECK(picus_expr_valid(picus_model_symbol(model, "F")));
  CHECK(picus_model_override(model, "F", 1) == PICUS_ERROR_ARGUMENT);
  CHECK_TEXT(picus_model_input(model, 9).name, "");
  picus_model_destroy(model);
  picus_context_destroy(context);
}

static void c_models_have_inputs(void) {
  picus_context *context;
  picus_model *model;
  picus_expr value;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_model_create(context, "m", &model) == PICUS_OK);
  picus_input_def def = picus_default_input_def();
  CHECK(picus_model_add_input(model, &def, &value) == PICUS_ERROR_NAME && !picus_expr_valid(value));
  def.name = "F";
  def.start = NAN;
  CHECK(picus_model_add_input(model, &def, &value) == PICUS_ERROR_NUMBER);
  def.start = 0;
  def.rate = 1;
  CHECK(picus_model_add_input(model, &def, &value) == PICUS_ERROR_ARGUMENT);
  def.has_rate = true;
  CHECK(picus_model_add_input(model, &def, &value) == PICUS_OK && picus_expr_valid(value));
  CHECK(picus_model_add_input(model, &def, NULL) == PICUS_ERROR_NAME);
  CHECK(picus_model_add_parameter(model, "F", 1, NULL, NULL, NULL) == PICUS_ERROR_NAME);
  CHECK(picus_model_add_kinetic(model, value) == PICUS_ERROR_UNSUPPORTED);
  picus_model_destroy(model);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"a_constant_input_is_a_parameter", a_constant_input_is_a_parameter},
      {"stiffness_of_springs", stiffness_of_springs},
      {"a_changed_input_is_another_run", a_changed_input_is_another_run},
      {"a_motor_follows_an_input", a_motor_follows_an_input},
      {"a_floor_follows_an_input", a_floor_follows_an_input},
      {"a_frame_follows_an_input", a_frame_follows_an_input},
      {"a_rate_is_the_velocity_of_a_surface", a_rate_is_the_velocity_of_a_surface},
      {"a_floor_that_jumps_is_seen_at_once", a_floor_that_jumps_is_seen_at_once},
      {"inputs_act_on_slip_rates_and_loads", inputs_act_on_slip_rates_and_loads},
      {"threads_have_their_own_inputs", threads_have_their_own_inputs},
      {"wrong_values_are_refused", wrong_values_are_refused},
      {"evaluations_take_inputs", evaluations_take_inputs},
      {"another_state_keeps_the_inputs", another_state_keeps_the_inputs},
      {"the_same_value_changes_nothing", the_same_value_changes_nothing},
      {"steps_and_inputs_allocate_nothing", steps_and_inputs_allocate_nothing},
      {"overrides_set_initial_values", overrides_set_initial_values},
      {"c_models_have_inputs", c_models_have_inputs},
  };
  list_methods();
  return test_main(argc, argv, "inputs", cases, sizeof cases / sizeof cases[0]);
}
