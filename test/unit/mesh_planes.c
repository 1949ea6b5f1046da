/* Bodies that move over flat meshes and straight polylines, whose faces continue each other in one plane: adaptive runs
 * are those on a half-space, without switching points at inner edges. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct ending {
  double q[12];
  int nq;
  picus_summary summary;
} ending;

static bool run_on(const char *ground, const char *body, bool planar, const char *scheme, ending *out) {
  char text[1600];
  snprintf(text, sizeof text,
           "local n, ax, ay = {sin(0.2), 0, cos(0.2)}, {cos(0.2), 0, -sin(0.2)}, {0, 1, 0}\n"
           "gravity %s\nmaterial {'default', mu = 0.15}\n%s\n%s\nsimulate {dt = 1e-3, t_end = 0.6}\n",
           planar ? "{1.5, -9.81}" : "{0, 0, -9.81}", ground, body);
  simulation s;
  if (!simulation_open_adaptive_text(
          &s, text,
          (adaptive_run){.dt_min = 1e-7, .dt_max = 0.05, .tolerance = 1e-8, .order_max = 6, .scheme = scheme}))
    return false;
  const bool fine = picus_sim_run(s.sim, NULL, NULL, &out->summary) == PICUS_OK;
  if (!CHECK(fine)) printf("  %s\n", picus_last_error(s.context)->message);
  const picus_state at = picus_sim_state(s.sim);
  out->nq = at.nq;
  memcpy(out->q, at.q, (size_t)at.nq * sizeof *at.q);
  simulation_close(&s);
  return fine;
}

static void compare(const char *name, const char *mesh, const char *plane, const char *body, bool planar) {
  static const char *const schemes[] = {"rattle", "moreau", "half-explicit"};
  for (int k = 0; k < 3; k++) {
    ending on_mesh = {.nq = 0}, on_plane = {.nq = 0};
    if (!run_on(mesh, body, planar, schemes[k], &on_mesh) || !run_on(plane, body, planar, schemes[k], &on_plane))
      continue;
    double difference = 0;
    for (int i = 0; i < on_mesh.nq; i++) difference = fmax(difference, fabs(on_mesh.q[i] - on_plane.q[i]));
    const bool same =
        difference <= 1e-7 &&
        on_mesh.summary.adaptive.switching_points <= on_plane.summary.adaptive.switching_points + 2 &&
        (double)on_mesh.summary.adaptive.base_steps <= 1.2 * (double)on_plane.summary.adaptive.base_steps + 500;
    if (!CHECK(same))
      printf("  %s, %s: differs by %.2g, switching points %ld and %ld, base steps %ld and %ld\n", name, schemes[k],
             difference, on_mesh.summary.adaptive.switching_points, on_plane.summary.adaptive.switching_points,
             on_mesh.summary.adaptive.base_steps, on_plane.summary.adaptive.base_steps);
  }
}

/* A grid of triangles with irregular points on an incline: its faces lie in one plane up to round-off. */
static void flat_meshes_are_planes(void) {
  test_random r = {11};
  static const char *const bodies[] = {
      "sphere {'b', radius = 0.1, mass = 1, position = {0.1*n[1], 0, 0.1*n[3]}, velocity = {%.6g, %.6g, %.6g}, "
      "omega = {-2, 13, 3}}",
      "box {'b', size = {0.2, 0.3, 0.1}, mass = 1, position = {0.05*n[1], 0, 0.05*n[3]}, axis = {0, 1, 0}, "
      "angle = 0.2, velocity = {%.6g, %.6g, %.6g}}"};
  for (int c = 0; c < 6; c++) {
    char mesh[900], body[400];
    const double speed = test_uniform(&r, 0.8, 1.5), across = test_uniform(&r, -0.5, 0.5);
    snprintf(mesh, sizeof mesh,
             "local pts, tri, m = {}, {}, 8\nfor i = 0, m do for j = 0, m do\n"
             "  local x, y = -1 + %.6g * i + 0.05 * sin(3 * i + 5 * j), -1.5 + %.6g * j + 0.03 * cos(2 * i + j)\n"
             "  pts[#pts + 1] = {x * ax[1] + y * ay[1], x * ax[2] + y * ay[2], x * ax[3] + y * ay[3]}\nend end\n"
             "for i = 0, m - 1 do for j = 0, m - 1 do local a = i * (m + 1) + j + 1\n"
             "  tri[#tri + 1] = {a, a + m + 1, a + m + 2}\n  tri[#tri + 1] = {a, a + m + 2, a + 1}\nend end\n"
             "mesh {'hill', points = pts, triangles = tri}",
             test_uniform(&r, 0.35, 0.5), test_uniform(&r, 0.3, 0.45));
    snprintf(body, sizeof body, bodies[c % 2], speed * cos(0.2), across, -speed * sin(0.2));
    compare(c % 2 ? "box" : "sphere", mesh, "half_space {'hill', normal = n}", body, false);
  }
}

static void straight_polylines_are_lines(void) {
  static const char line[] = "local pts = {}\nfor i = 0, 20 do pts[#pts + 1] = {-2 + 0.23 * i + 0.03 * sin(i), 0} end\n"
                             "polyline {'hill', points = pts}";
  compare("disk", line, "half_space {'hill', normal = {0, 1}}",
          "disk {'b', radius = 0.1, mass = 1, position = {0, 0.1}, velocity = {1, 0}}", true);
  compare("rectangle", line, "half_space {'hill', normal = {0, 1}}",
          "rectangle {'b', size = {0.2, 0.1}, mass = 1, position = {0, 0.05}, velocity = {2, 0}}", true);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"flat_meshes_are_planes", flat_meshes_are_planes},
      {"straight_polylines_are_lines", straight_polylines_are_lines},
  };
  return test_main(argc, argv, "mesh_planes", cases, (int)(sizeof cases / sizeof *cases));
}
