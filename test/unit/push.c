/* Handles and pushes: a spring of a program against closed forms and balances, by all schemes; on bodies, objects drawn
 * by coordinates, quaternions and nodes of beams. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

typedef struct pulled {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  int handles;
} pulled;

static void close_pulled(pulled *p) {
  picus_sim_destroy(p->sim);
  picus_system_destroy(p->system);
  picus_model_destroy(p->model);
  picus_context_destroy(p->context);
}

static bool open_named(pulled *p, const char *name, const char *text, const char *scheme, double dt, bool handles) {
  *p = (pulled){0};
  if (picus_context_create(NULL, &p->context)) return false;
  picus_status status = text ? picus_model_load_text(p->context, name, text, strlen(text), NULL, &p->model)
                             : picus_model_load(p->context, name, NULL, &p->model);
  if (!status && handles) status = picus_model_add_handles(p->model, 100);
  if (!status) p->handles = picus_model_handle_count(p->model);
  if (!status) status = picus_system_create(p->model, &p->system);
  if (!status) {
    picus_sim_options options = picus_model_sim_options(p->model);
    if (scheme) options.scheme = scheme;
    if (dt > 0) options.dt = dt;
    options.t_end = 100;
    status = picus_sim_create(p->context, p->system, &options, &p->sim);
  }
  if (status) printf("%s: %s\n", name, picus_last_error(p->context)->message);
  return !status;
}

static bool go(pulled *p, int steps) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < steps; k++) status = picus_sim_step(p->sim, 0, NULL);
  if (status) printf("%s\n", picus_last_error(p->context)->message);
  return !status;
}

static double work_of(const pulled *p, const char *name) {
  for (int k = 0; k < picus_system_work_count(p->system); k++)
    if (strcmp(picus_system_work_name(p->system, k), name) == 0) return picus_sim_work(p->sim, k);
  return NAN;
}

static double energy_of(pulled *p) {
  double kinetic = NAN, potential = NAN;
  picus_sim_energy(p->sim, &kinetic, &potential);
  return kinetic + potential;
}

/* A mass of 2 kg, drawn as a circle, on nothing but the pull: x = X + (x0 - X) e^(-d t) (cos w t + d/w sin w t). */
static const char mass[] = "local q, u = coordinates { {'x', velocity = 'v', start = {1, 0}} }\n"
                           "kinetic(u.v^2)\n"
                           "simulate { dt = 1e-3, t_end = 1 }\n"
                           "draw {'circle', {q.x, 0}, radius = 0.1, name = 'mass'}\n";
static double damped(double t, double x0, double target, double stiffness, double time) {
  const double square = stiffness / 2, d = square * time / 2, w = sqrt(square - d * d);
  return target + (x0 - target) * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
}

static double error_of_mass(const char *scheme, double dt, int steps) {
  pulled p;
  const picus_push push = {.handle = 0, .target = {-0.5, 3, 0}, .stiffness = 18, .time = 0.05};
  double error = NAN;
  if (open_named(&p, "mass", mass, scheme, dt, true) && p.handles == 1 && !picus_sim_push(p.sim, &push) &&
      go(&p, steps))
    error = fabs(picus_sim_state(p.sim).q[0] - damped(dt * steps, 1, -0.5, 18, 0.05));
  close_pulled(&p);
  return error;
}

/* The error falls with dt as the scheme's own, and is small: what is pulled is in no other way special. */
static void a_spring_and_a_mass(void) {
  for (int k = 0; picus_scheme_at(k); k++) {
    const char *scheme = picus_scheme_at(k)->name;
    const double coarse = error_of_mass(scheme, 4e-3, 250), fine = error_of_mass(scheme, 1e-3, 1000);
    if (!CHECK(coarse < 3e-2 && fine < 8e-3 && fine < coarse / 3 + 1e-12)) printf("%s: %g, %g\n", scheme, coarse, fine);
  }
}

/* By adaptive steps to their tolerance; letting go leaves a mass that moves on by itself. */
static void adaptive_runs_and_letting_go(void) {
  pulled p;
  REQUIRE(open_named(&p, "mass", mass, NULL, 0, true));
  picus_sim_options options = *picus_sim_options_of(p.sim);
  options.scheme = "rattle", options.adaptive = true, options.dt = 1e-2, options.atol = options.rtol = 1e-10;
  picus_sim_destroy(p.sim);
  p.sim = NULL;
  CHECK(!picus_sim_create(p.context, p.system, &options, &p.sim));
  const picus_push push = {.target = {-0.5}, .stiffness = 18, .time = 0.05};
  CHECK(!picus_sim_push(p.sim, &push));
  while (picus_sim_state(p.sim).t < 0.7 && CHECK(!picus_sim_advance(p.sim, 0.7, NULL))) {
  }
  const double x = picus_sim_state(p.sim).q[0], v = picus_sim_state(p.sim).u[0];
  CHECK_NEAR(x, damped(0.7, 1, -0.5, 18, 0.05), 1e-8);
  CHECK_NEAR(work_of(&p, "push"), v * v, 1e-6); /* the kinetic energy is all that the pull did */
  CHECK(!picus_sim_push(p.sim, NULL));
  while (picus_sim_state(p.sim).t < 1 && CHECK(!picus_sim_advance(p.sim, 1, NULL))) {
  }
  CHECK_NEAR(picus_sim_state(p.sim).q[0], x + 0.3 * v, 1e-12);
  CHECK(picus_sim_state(p.sim).u[0] == v);
  close_pulled(&p);
}

/* A model with handles that nobody pulls has the bits of the model without; pulled the same way twice, the same bits.
 */
static bool same_states(const pulled *a, const pulled *b) {
  const picus_state x = picus_sim_state(a->sim), y = picus_sim_state(b->sim);
  return memcmp(x.q, y.q, (size_t)x.nq * sizeof *x.q) == 0 && memcmp(x.u, y.u, (size_t)x.nu * sizeof *x.u) == 0;
}
static double distance(const pulled *a, const pulled *b) {
  const picus_state x = picus_sim_state(a->sim), y = picus_sim_state(b->sim);
  double most = 0;
  for (int i = 0; i < x.nq; i++) most = fmax(most, fabs(x.q[i] - y.q[i]));
  return most;
}
static void idle_handles_change_no_bit(void) {
  static const char *const names[] = {"woodpecker", "slider-crank", "tippedisk", "slider-crank-bodies", "disks"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    pulled plain, with, again;
    const int steps = k < 3 ? 2000 : 50;
    const bool opened = open_named(&plain, names[k], NULL, NULL, 0, false) &&
                        open_named(&with, names[k], NULL, NULL, 0, true) &&
                        open_named(&again, names[k], NULL, NULL, 0, true);
    REQUIRE(opened);
    CHECK(with.handles > 0);
    CHECK(go(&plain, steps) && go(&with, steps) && go(&again, steps));
    /* a body that forces act on has sums of another order: round-off */
    if (!CHECK(same_states(&plain, &with) || (k == 3 && distance(&plain, &with) < 1e-12))) printf("%s\n", names[k]);
    const picus_push push = {.handle = with.handles - 1, .place = {0.1, 0.2, 0}, .stiffness = 0.3, .time = 0.1};
    CHECK(!picus_sim_push(with.sim, &push) && !picus_sim_push(again.sim, &push));
    CHECK(go(&with, 50) && go(&again, 50));
    CHECK(same_states(&with, &again) && !same_states(&with, &plain));
    close_pulled(&plain);
    close_pulled(&with);
    close_pulled(&again);
  }
}

/* What a pull does to a body is what it is known to do: a place beside the centre turns it. The change of energy is the
 * work, to the order of the scheme. */
static const char in_space[] =
    "local b = spatial_body {'top', mass = 2, inertia = {0.03, 0.05, 0.04}, position = {0.1, 0.2, 0.3},\n"
    "                orientation = {0.5, 0.5, 0.5, 0.5}, omega = {1, 2, 3}}\n"
    "draw {'sphere', {0, 0, 0}, radius = 0.1, body = b}\n"
    "simulate { dt = 1e-3, t_end = 1 }\n";
static void bodies_in_space(void) {
  double error[2];
  for (int k = 0; k < 2; k++) {
    pulled p;
    REQUIRE(open_named(&p, "top", in_space, "rattle", 2e-3 / (1 + 3 * k), true));
    CHECK(p.handles == 1 && picus_model_handle(p.model, 0).frame == 1);
    const double before = energy_of(&p);
    const picus_push push = {.place = {0.1, 0.05, -0.02}, .target = {0.5, 0.1, 0}, .stiffness = 40, .time = 0.02};
    CHECK(!picus_sim_push(p.sim, &push));
    CHECK(go(&p, 100 * (1 + 3 * k)));
    CHECK(fabs(work_of(&p, "push")) > 0.1);
    error[k] = fabs(energy_of(&p) - before - work_of(&p, "push"));
    close_pulled(&p);
  }
  CHECK(error[0] < 1e-3);
  CHECK(error[1] < error[0] / 8);
}

/* The place in the frame comes to rest at the target: the frame's own axes are used, and the damper acts. */
static void places_come_to_the_target(void) {
  pulled p;
  REQUIRE(open_named(&p, "top", in_space, "rattle", 1e-3, true));
  const double place[3] = {0.1, 0.05, -0.02};
  const picus_push push = {.place = {0.1, 0.05, -0.02}, .target = {0.5, 0.1, 0}, .stiffness = 200, .time = 0.1};
  CHECK(!picus_sim_push(p.sim, &push));
  CHECK(go(&p, 20000));
  const double *q = picus_sim_state(p.sim).q, w = q[3], x = q[4], y = q[5], z = q[6];
  const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(q[i] + R[3 * i] * place[0] + R[3 * i + 1] * place[1] + R[3 * i + 2] * place[2], push.target[i], 2e-2);
  close_pulled(&p);
}

/* Objects drawn by coordinates: the place is a combination of their points, (a, b) = (1, 0) the second one. */
static void objects_by_their_points(void) {
  static const char rod[] = "local q, u = coordinates { {'phi', velocity = 'om', start = {0.3, 0}} }\n"
                            "kinetic(u.om^2 / 2)\n"
                            "draw {'polygon', {0, 0}, {cos(q.phi), sin(q.phi)}, {cos(q.phi + 1), sin(q.phi + 1)}, name "
                            "= 'fan'}\n";
  pulled p;
  REQUIRE(open_named(&p, "fan", rod, "moreau", 1e-4, true));
  const picus_handle handle = picus_model_handle(p.model, 0);
  CHECK(p.handles == 1 && handle.frame == 0 && handle.count == 2); /* the first point does not move */
  const picus_push push = {.place = {1, 0, 0}, .target = {0, 2, 0}, .stiffness = 4, .time = 0.4};
  CHECK(!picus_sim_push(p.sim, &push));
  CHECK(go(&p, 200000));
  CHECK_NEAR(picus_sim_state(p.sim).q[0] + 1, acos(-1.0) / 2, 1e-3); /* the third point looks at the target */
  close_pulled(&p);
}

static void mistakes_have_messages(void) {
  pulled p;
  REQUIRE(open_named(&p, "mass", mass, NULL, 0, true));
  const picus_push none = {.handle = 1, .stiffness = 1}, negative = {.stiffness = -1},
                   odd = {.stiffness = 1, .target = {NAN}};
  CHECK(picus_sim_push(p.sim, &none) == PICUS_ERROR_ARGUMENT);
  CHECK_TEXT(picus_last_error(p.context)->message,
             "there is no handle 1 to pull at; picus_model_add_handles adds those of the drawing, counted from 0");
  CHECK(picus_sim_push(p.sim, &negative) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_sim_push(p.sim, &odd) == PICUS_ERROR_NUMBER);
  CHECK(picus_model_add_handles(p.model, 1) == PICUS_ERROR_ARGUMENT);
  CHECK(!picus_sim_push(p.sim, NULL));
  close_pulled(&p);
  REQUIRE(open_named(&p, "mass", mass, NULL, 0, false));
  CHECK(!picus_sim_push(p.sim, NULL));
  CHECK(picus_sim_push(p.sim, &none) == PICUS_ERROR_ARGUMENT);
  close_pulled(&p);
}

static const test_case cases[] = {
    {"a_spring_and_a_mass", a_spring_and_a_mass},
    {"adaptive_runs_and_letting_go", adaptive_runs_and_letting_go},
    {"idle_handles_change_no_bit", idle_handles_change_no_bit},
    {"bodies_in_space", bodies_in_space},
    {"places_come_to_the_target", places_come_to_the_target},
    {"objects_by_their_points", objects_by_their_points},
    {"mistakes_have_messages", mistakes_have_messages},
};

int main(int argc, char **argv) { return test_main(argc, argv, "push", cases, (int)(sizeof cases / sizeof *cases)); }
