/* Bodies that meet in laws only are parts of their own. The same model with a coupling that does nothing, which makes
 * it one part, moves in the same way to round-off and needs as many iterations: spatial bodies with a joint, a spring,
 * contacts with spatial friction on a plane and between bodies, with every scheme. */
#include "support/check.h"
#include "support/simulate.h"
#include "system/internal.h"

#include <math.h>
#include <stdio.h>

static const char text[] =
    "gravity {0, 0, -9.81}\n"
    "local a = spatial_body {'a', mass = 2, inertia = {0.1, 0.2, 0.25}, position = {0, 0, 0.55},\n"
    "  omega = {0.3, -0.2, 1}, velocity = {0.5, 0.1, 0}}\n"
    "local b = spatial_body {'b', mass = 1, inertia = {0.05, 0.06, 0.07}, position = {1, 0, 0.7}, omega = {0, 1, 0}}\n"
    "local c = spatial_body {'c', mass = 1.5, inertia = {0.1, 0.1, 0.1}, position = {1, 1, 0.8}, velocity = {0, -1, "
    "0}}\n"
    "local d = spatial_body {'d', mass = 0.5, inertia = {0.02, 0.02, 0.02}, position = {-2, 0, 0.3},\n"
    "  velocity = {2, 0, 0}}\n"
    "spherical {'ab', a, b, at = {0.5, 0, 0.6}}\n"
    "spring {b, c, stiffness = 200, length = 0.9, damping = 1}\n"
    "for k, of in ipairs {{a, 0.5}, {b, 0.4}, {c, 0.5}, {d, 0.3}} do\n"
    "  plane_contact {'f' .. k, ground, of[1], origin = {0, 0, 0}, normal = {0, 0, 1}, radius = of[2], mu = 0.3,\n"
    "    eN = 0.2}\n"
    "end\n"
    "ball_contact {'ac', a, c, radius_a = 0.5, radius_b = 0.5, mu = 0.2, eN = 0.5}\n"
    "ball_contact {'ad', a, d, radius_a = 0.5, radius_b = 0.3, mu = 0.2, eN = 0.5}\n"
    "local q, u = coordinates {}\n"
    "%s"
    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.6}\n";
static const char coupling[] =
    "dissipation(1e-200 * (u.vx_a + u.vx_b + u.vx_c + u.vx_d + u.wx_a + u.wx_b + u.wx_c + u.wx_d)^2)\n";

/* Coordinates and velocities in another order than the masses, and a coordinate that moves by itself: a floor. */
static const char floor_text[] =
    "local list = {}\n"
    "for i = 1, 6 do list[i] = {'x' .. i, velocity = 'vx' .. i, start = {i, 1}} end\n"
    "for i = 1, 6 do list[6 + i] = {'y' .. i, velocity = 'vy' .. i, start = {1 + 0.1 * i, 0}} end\n"
    "list[13] = {'s', start = 0}\n"
    "local q, u = coordinates(list)\n"
    "rates {s = cos(3 * t) - 0.1 * q.s}\n"
    "local T, V = 0, 0\n"
    "for i = 1, 6 do\n"
    "  T = T + (u['vx' .. i]^2 + u['vy' .. i]^2) / 2 + 0.1 * u['vx' .. i] * u['vy' .. i]\n"
    "  V = V + 9.81 * q['y' .. i] + 50 * (q['x' .. i] - i)^2\n"
    "  contact {'c' .. i, gap = q['y' .. i] - 0.2 * q.s, slip = u['vx' .. i], mu = 0.3, eN = 0.4}\n"
    "end\n"
    "kinetic(T)\npotential(V)\n"
    "%s"
    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.6}\n";
static const char floor_coupling[] = "force {x1 = 1e-200 * q.s}\n";

enum { COORDINATES = 28 };

typedef struct motion {
  int parts;
  picus_summary summary;
  double q[COORDINATES];
} motion;

static bool move(const char *source, const char *extra, const char *scheme, motion *out) {
  char model[4096];
  simulation s;
  picus_sim_options options;
  snprintf(model, sizeof model, source, extra);
  if (!simulation_load_text(&s, model, &options)) return false;
  options.scheme = scheme;
  bool good = simulation_start(&s, &options) && CHECK(picus_sim_run(s.sim, NULL, NULL, &out->summary) == PICUS_OK);
  out->parts = good ? s.system->part_count : 0;
  for (int i = 0; good && i < s.system->nq; i++) out->q[i] = picus_sim_state(s.sim).q[i];
  simulation_close(&s);
  return good;
}

/* A model in parts and as one part, with every scheme. */
static void compare(const char *source, const char *couple, int parts) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "moreau-projected", "moreau-combined", "rattle"};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    motion split = {0}, whole = {0};
    double worst = 0;
    REQUIRE(move(source, "", schemes[k], &split) && move(source, couple, schemes[k], &whole));
    CHECK(split.parts == parts && whole.parts == 1);
    for (int i = 0; i < COORDINATES; i++) worst = fmax(worst, fabs(split.q[i] - whole.q[i]));
    printf("  %-16s differ by %.1e; %ld and %ld iterations\n", schemes[k], worst,
           split.summary.implicit.newton_iterations, whole.summary.implicit.newton_iterations);
    CHECK(worst < 1e-10);
    CHECK(split.summary.impacts == whole.summary.impacts && split.summary.impacts > 0);
    /* impacts enlarge round-off, which changes a few iterations */
    CHECK((double)split.summary.implicit.newton_iterations <= 1.05 * (double)whole.summary.implicit.newton_iterations);
  }
}

static void bodies_move_as_one_part(void) { compare(text, coupling, 3); } /* the spring keeps b and c together */

static void driven_coordinates_move_by_themselves(void) { compare(floor_text, floor_coupling, 2); }

int main(int argc, char **argv) {
  static const test_case cases[] = {{"bodies_move_as_one_part", bodies_move_as_one_part},
                                    {"driven_coordinates_move_by_themselves", driven_coordinates_move_by_themselves}};
  return test_main(argc, argv, "system_split", cases, sizeof cases / sizeof *cases);
}
