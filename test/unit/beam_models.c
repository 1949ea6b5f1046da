/* The shipped models of beams: balances of momentum and energy, closed forms, convergence, whirl of the rotor. */
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct run {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
} run;

static bool open_run(run *r, const char *name, int count, const picus_override *overrides, double dt) {
  *r = (run){0};
  picus_load_options load = {.override_count = count, .overrides = overrides};
  bool opened = CHECK(picus_context_create(NULL, &r->context) == PICUS_OK) &&
                CHECK(picus_model_load(r->context, name, &load, &r->model) == PICUS_OK) &&
                CHECK(picus_system_create(r->model, &r->system) == PICUS_OK);
  if (opened) {
    picus_sim_options options = picus_model_sim_options(r->model);
    if (dt > 0) options.dt = dt;
    opened = CHECK(picus_sim_create(r->context, r->system, &options, &r->sim) == PICUS_OK);
  }
  if (!opened) printf("  %s\n", picus_last_error(r->context)->message);
  return opened;
}

static void close_run(run *r) {
  picus_sim_destroy(r->sim);
  picus_system_destroy(r->system);
  picus_model_destroy(r->model);
  CHECK(picus_context_memory(r->context) == 0);
  picus_context_destroy(r->context);
}

static int find(const run *r, const char *name) {
  for (int i = 0; i < picus_system_nu(r->system); i++)
    if (strcmp(picus_system_u_name(r->system, i), name) == 0) return i;
  CHECK(false);
  return 0;
}

/* The rod falls freely, then the change of its vertical momentum is that of weight and percussions, and of its
 * horizontal momentum that of friction: with M 1 for a translation. The energy never grows. */
static void bouncing_rod(void) {
  run r;
  if (open_run(&r, "bouncing-rod", 0, NULL, 0)) {
    const int nu = picus_system_nu(r.system), end = find(&r, "rod.vy0");
    const double mass = 2700 * pi * 1e-4, dt = picus_sim_options_of(r.sim)->dt;
    double *M = calloc((size_t)nu * (size_t)nu, sizeof *M), *zero = calloc((size_t)nu, sizeof *zero);
    double T, V, before = 1e9, impulse[2] = {mass * 0.2, 0};
    picus_evaluation *e = NULL;
    picus_law_state laws[2];
    REQUIRE(M && zero && picus_evaluation_create(r.context, r.system, &e) == PICUS_OK);
    picus_evaluation_set_point(e, 0, zero, zero);
    REQUIRE(picus_evaluate_mass(e, M) == PICUS_OK);
    bool hit = false, fell = false;
    for (int n = 0; n < 15000; n++) {
      REQUIRE(picus_sim_step(r.sim, 0, NULL) == PICUS_OK && picus_sim_laws(r.sim, laws) == PICUS_OK);
      const picus_state state = picus_sim_state(r.sim);
      double momentum[2] = {0, 0};
      for (int i = 0; i < nu; i++)
        for (int j = 0; j < nu; j++)
          for (int k = 0; k < 2; k++) /* names in the order ux, uy, rz */
            if (j % 3 == k && n % 100 == 0) momentum[k] += M[j * nu + i] * state.u[i];
      for (int i = 0; i < 2; i++) impulse[0] += laws[i].PF[0], impulse[1] += laws[i].PN;
      impulse[1] -= mass * 9.81 * dt;
      hit = hit || laws[0].PN > 0 || laws[1].PN > 0;
      if (n % 100 == 0) {
        CHECK_NEAR(momentum[0], impulse[0], 1e-8); /* round-off of the stiff forces adds about 1e-13 N s in a step */
        CHECK_NEAR(momentum[1], impulse[1], 1e-8);
      }
      if (!hit) {
        CHECK_NEAR(state.u[end], -9.81 * state.t, 1e-9);
        fell = true;
      }
      REQUIRE(picus_sim_energy(r.sim, &T, &V) == PICUS_OK);
      CHECK(T + V <= before + 1e-9);
      before = T + V;
    }
    CHECK(hit && fell);
    picus_evaluation_destroy(e);
    free(M), free(zero);
  }
  close_run(&r);
}

/* Without the stop and damping, a slow force bends the cantilever statically: F L^3 / (3 E I) sin. With the stop, the
 * tip at t = 0.15 s, after several impacts, converges with dt. */
static void cantilever_stop(void) {
  const picus_override far[] = {{"gap0", 1}, {"f", 0.05}, {"alpha", 20}};
  run r;
  if (open_run(&r, "cantilever-stop", 3, far, 1e-3)) {
    const int tip = find(&r, "beam.vy16");
    for (int n = 0; n < 5000; n++) REQUIRE(picus_sim_step(r.sim, 0, NULL) == PICUS_OK);
    const double EI = 2.1e11 * 0.02 * 8e-9 / 12;
    CHECK_NEAR(picus_sim_state(r.sim).q[tip], 0.2 * 0.064 / (3 * EI), 2e-5); /* sin(pi / 2) */
  }
  close_run(&r);
  double tips[3] = {0};
  for (int level = 0; level < 3; level++) {
    const double dt = 4e-5 / (1 << (2 * level));
    if (open_run(&r, "cantilever-stop", 0, NULL, dt)) {
      const int tip = find(&r, "beam.vy16");
      double least = 0;
      while (picus_sim_state(r.sim).t < 0.3 - 0.5 * dt) {
        REQUIRE(picus_sim_step(r.sim, 0, NULL) == PICUS_OK);
        least = fmin(least, picus_sim_state(r.sim).q[tip]);
      }
      tips[level] = picus_sim_state(r.sim).q[tip];
      CHECK(least < -0.0019 && least > -0.0022); /* it reaches the stop and stays above it but for O(dt) */
    }
    close_run(&r);
  }
  printf("  tip at 0.3 s: %.6e %.6e %.6e m\n", tips[0], tips[1], tips[2]);
  CHECK(fabs(tips[0] - tips[2]) < 2e-5); /* of a travel of 7e-3 */
  CHECK(fabs(tips[1] - tips[2]) < 0.5 * fabs(tips[0] - tips[2]));
}

/* The rotor: the driving torque gives the spin TD tD / J; then the journal whirls forward along the bearing, without
 * sinking into it. */
static void rotor(void) {
  run r;
  if (open_run(&r, "rotor", 0, NULL, 0)) {
    const int spin = find(&r, "A.wx2");
    const double axle = 7850 * pi / 2 * pow(12.5e-3, 4) * 0.59, dt = picus_sim_options_of(r.sim)->dt;
    const int uy = find(&r, "A.vy0"), uz = find(&r, "A.vz0"), ry = find(&r, "A.wy0"), rz = find(&r, "A.wz0");
    double angle = 0, last = 0, worst = 0;
    long closed = 0, steps = 0;
    picus_law_state law;
    while (picus_sim_state(r.sim).t < 0.15 - 0.5 * dt) {
      REQUIRE(picus_sim_step(r.sim, 0, NULL) == PICUS_OK && picus_sim_laws(r.sim, &law) == PICUS_OK);
      const picus_state s = picus_sim_state(r.sim);
      worst = fmin(worst, law.gap);
      if (fabs(s.t - 0.05) < 0.5 * dt) CHECK_NEAR(s.u[spin] / (100 * 0.05 / (0.01 + axle)), 1, 0.01);
      if (s.t < 0.05) continue;
      const double y = s.q[uy] + 9.5e-3 * s.q[rz] - s.q[0], z = s.q[uz] - 9.5e-3 * s.q[ry] - s.q[1];
      const double now = atan2(z, y);
      if (steps) angle += remainder(now - last, 2 * pi);
      last = now;
      closed += law.PN > 0;
      steps++;
    }
    const double whirl = angle / ((double)(steps - 1) * dt);
    printf("  whirl %.1f rad/s at a spin of %.1f rad/s, contact in %.1f %% of the steps, penetration %.2e m\n", whirl,
           picus_sim_state(r.sim).u[spin], 100.0 * (double)closed / (double)steps, -worst);
    CHECK(whirl > 260 && whirl < 340);
    CHECK(worst > -1e-6);
  }
  close_run(&r);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"bouncing_rod", bouncing_rod}, {"cantilever_stop", cantilever_stop}, {"rotor", rotor}};
  return test_main(argc, argv, "beam_models", cases, sizeof cases / sizeof *cases);
}
