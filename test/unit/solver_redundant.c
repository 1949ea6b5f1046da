/* Redundant contacts of one body, spatial friction: boxes and prisms on their corners, tilted, heavy or light, with and
 * without spin. G has rank 6, and c a part across its range, from 1e-13 to 1e-5 of c. auto solves them to 1e-12, from
 * nothing and from nearby. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- problems from files ------------------------------------------------------------------------------------------ */

static const char *const names[] = {"box-4-corners",    "box-4-corners-mean", "prism-4-bouncing", "prism-4-sliding",
                                    "prism-5-bouncing", "prism-6-bouncing",   "prism-6-light",    "prism-6-sliding",
                                    "prism-6-tilted",   "prism-8-falling",    "prism-8-moreau",   "prism-8-rest",
                                    "prism-8-sliding",  "prism-8-tilted"};
enum { PROBLEMS = sizeof names / sizeof names[0], ROWS_MOST = 24 };

static void check_solved(picus_solver *solver, const picus_contact_problem *problem, const char *name,
                         const char *start, double *P) {
  picus_mode modes[ROWS_MOST] = {PICUS_OPEN};
  picus_solve_info info;
  picus_status status = picus_solver_solve(solver, problem, P, modes, &info);
  printf("  %-20s %-9s %s, %d iterations, residual %.1e\n", name, start, info.solver, info.iterations,
         info.residual.relative);
  CHECK(status == PICUS_OK && info.residual.relative <= 1e-12);
}

static void problems_in_files(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int k = 0; k < PROBLEMS; k++) {
    char path[256];
    picus_problem *problem;
    picus_solver *solver;
    double P[ROWS_MOST] = {0};
    snprintf(path, sizeof path, "%s/problems/%s.hdf5", TEST_DATA, names[k]);
    REQUIRE(picus_problem_read(context, path, &problem) == PICUS_OK);
    REQUIRE(picus_solver_create(context, NULL, &solver) == PICUS_OK);
    const picus_contact_problem *contacts = picus_problem_contacts(problem);
    REQUIRE(contacts->size <= ROWS_MOST);
    check_solved(solver, contacts, names[k], "cold", P);
    check_solved(solver, contacts, names[k], "warm", P);
    for (int i = 0; i < contacts->size; i++) P[i] *= 1 + 0.01 * sin(3.0 * i);
    check_solved(solver, contacts, names[k], "from near", P);
    picus_solver_destroy(solver);
    picus_problem_destroy(problem);
  }
  picus_context_destroy(context);
}

/* --- every step from nothing -------------------------------------------------------------------------------------- */

static const char prism_text[] =
    "model('prism', 'a prism on its corners')\n"
    "local R, h = 0.15, 0.1\n"
    "gravity {9.81 * sin(%g), 0, -9.81 * cos(%g)}\n"
    "local J = %g * (R^2 / 4 + h^2 / 12)\n"
    "local body = spatial_body {'body', mass = %g, inertia = {J, J, %g * R^2 / 2}, position = {0, 0, h / 2 + %g},\n"
    "  axis = {0.6, 0.8, 0}, angle = %g, velocity = {%g, 0.3, 0}, omega = {0, 0, %g}}\n"
    "for k = 1, %d do\n"
    "  plane_contact {'corner' .. k, ground, body, normal = {0, 0, 1}, mu = %g, eN = %g,\n"
    "    point = {R * cos(2 * pi * k / %d + 0.3), R * sin(2 * pi * k / %d + 0.3), -h / 2}}\n"
    "end\n"
    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 1}\n";

typedef struct prism {
  double slope, mass, height, lean, speed, spin, mu, e;
} prism;

static bool open_prism(const prism *c, int corners, const char *scheme, simulation *s) {
  char text[2048];
  picus_sim_options options;
  snprintf(text, sizeof text, prism_text, c->slope, c->slope, c->mass, c->mass, c->mass, c->height, c->lean, c->speed,
           c->spin, corners, c->mu, c->e, corners, corners);
  if (!simulation_load_text(s, text, &options)) return false;
  options.scheme = scheme;
  return simulation_start(s, &options);
}

enum { NUMBERS_MOST = 16 };

/* A step that knows nothing of the one before: the state is set to another one, and back. */
static picus_status cold_step(simulation *s, picus_step_info *info) {
  picus_state now = picus_sim_state(s->sim);
  double q[NUMBERS_MOST], u[NUMBERS_MOST], t = now.t, x = now.q[0];
  memcpy(q, now.q, (size_t)now.nq * sizeof *q);
  memcpy(u, now.u, (size_t)now.nu * sizeof *u);
  q[0] = x + 1;
  CHECK(picus_sim_set_state(s->sim, t, q, u) == PICUS_OK);
  q[0] = x;
  CHECK(picus_sim_set_state(s->sim, t, q, u) == PICUS_OK);
  return picus_sim_step(s->sim, 0, info);
}

static long run_cold(simulation *s, long steps, const char *name) {
  long fallbacks = 0;
  for (long k = 0; k < steps; k++) {
    picus_step_info info;
    picus_status status = cold_step(s, &info);
    if (!test_check(status == PICUS_OK, __FILE__, __LINE__, "a cold step is solved")) {
      printf("  %s: %s\n", name, picus_last_error(s->context)->message);
      return fallbacks;
    }
    if (info.active == 0) continue;
    fallbacks += info.solver.last.fallbacks > 0;
    CHECK(info.solver.last.residual.relative <= 1e-12);
  }
  return fallbacks;
}

static void prisms_from_nothing(void) {
  static const prism prisms[] = {{.mass = 1, .mu = 0.4, .e = 0.2},
                                 {.mass = 1, .height = 0.1, .lean = 0.2, .speed = 1, .spin = 4, .mu = 0.4, .e = 0.2},
                                 {.mass = 1, .slope = 0.2, .spin = 3, .mu = 0.4, .e = 0.2},
                                 {.mass = 1e-4, .height = 0.1, .lean = 0.3, .speed = 1, .mu = 0.4, .e = 0.2},
                                 {.mass = 1e4, .height = 0.01, .speed = 1, .spin = 1, .mu = 0.8, .e = 0.2},
                                 {.mass = 1, .slope = 0.35, .speed = -0.5, .spin = 1, .mu = 0.4}};
  static const char *const schemes[] = {"moreau", "rattle"};
  for (int c = 0; c < 6; c++)
    for (int corners = 3; corners <= 8; corners += (int)test_size(2, 2, 1))
      for (int k = 0; k < 2; k++) {
        simulation s;
        REQUIRE(open_prism(&prisms[c], corners, schemes[k], &s));
        run_cold(&s, 400, schemes[k]);
        simulation_close(&s);
      }
}

static void boxes_from_nothing(void) {
  for (int k = 0; k < 3; k++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load(&s, TEST_DATA "/cases/box3d.lua", "", &options));
    options.scheme = k ? "rattle" : "moreau";
    options.implicit.slip_direction = k == 2 ? PICUS_SLIP_END : PICUS_SLIP_MEAN;
    REQUIRE(simulation_start(&s, &options));
    long fallbacks = run_cold(&s, 10000, options.scheme);
    printf("  %s, slip %s: %ld fallbacks in 10000 cold steps\n", options.scheme, k == 2 ? "end" : "mean", fallbacks);
    simulation_close(&s);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"problems_in_files", problems_in_files},
                                    {"prisms_from_nothing", prisms_from_nothing},
                                    {"boxes_from_nothing", boxes_from_nothing}};
  return test_main(argc, argv, "solver_redundant", cases, (int)(sizeof cases / sizeof *cases));
}
