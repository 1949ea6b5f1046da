/* Adaptive runs with half-explicit schemes as base: fixed orders of smooth motion show their order and power, and a
 * tighter tolerance is never worse, with impacts, friction and accumulation points. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

static const char *const bases[] = {"half-explicit", "half-explicit-rk"};

/* --- fixed order ---------------------------------------------------------------------------------------------------
 */

/* A bead slides in the bowl y = x^2 / 2 with friction; it starts on the surface and never stops. */
static const char bowl[] = "local q, u = coordinates { { 'x', velocity = 'vx', start = { 1, -0.5 } },\n"
                           "  { 'y', velocity = 'vy', start = { 0.5, -0.5 } } }\n"
                           "kinetic((u.vx^2 + u.vy^2) / 2)\npotential(9.81 * q.y)\n"
                           "contact { 'rod', gap = q.y - q.x^2 / 2, slip = u.vx + q.x * u.vy, mu = 0.1 }\n"
                           "simulate { dt = 1e-2, t_end = 0.8 }\n";
static const char free_motion[] = "local q, u = coordinates { { 'x', velocity = 'v', start = { 1, 0.3 } } }\n"
                                  "kinetic(u.v^2 / 2)\npotential(-3 * cos(q.x))\nforce { x = -0.4 * u.v }\n"
                                  "simulate { dt = 1e-2, t_end = 0.8 }\n";

/* q and u at the end, of one or two coordinates. */
static void end_of(const char *text, const char *base, int order, double dt, double *state) {
  simulation s;
  picus_sim_options options;
  if (simulation_load_text(&s, text, &options)) {
    options.scheme = base;
    options.adaptive = true;
    options.dt_min = 1e-7; /* the first steps are short; then dt_max holds */
    options.dt_max = dt;
    options.order = order;
    options.atol = options.rtol = 1e-3; /* a drift of the gap that they explain is no opening */
    if (simulation_start(&s, &options) && CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK))
      for (int i = 0; i < picus_sim_state(s.sim).nq; i++) {
        state[i] = picus_sim_state(s.sim).q[i];
        state[2 + i] = picus_sim_state(s.sim).u[i];
      }
  }
  simulation_close(&s);
}

/* Every row of the extrapolation removes one power of dt: order 2, 3, 4, ... from half-explicit, 3, 4, ... from BH3. */
static void fixed_orders(void) {
  static const char *const texts[] = {free_motion, bowl};
  for (int m = 0; m < 2; m++)
    for (int b = 0; b < 2; b++) {
      double exact[4] = {0};
      end_of(texts[m], "half-explicit-rk", 8, 0.8 / 160, exact);
      for (int order = 2 + b; order <= 5; order++) {
        double dt[3], error[3];
        for (int k = 0; k < 3; k++) {
          dt[k] = 0.8 / (10 << k);
          double state[4] = {0};
          end_of(texts[m], bases[b], order, dt[k], state);
          error[k] =
              hypot(hypot(state[0] - exact[0], state[1] - exact[1]), hypot(state[2] - exact[2], state[3] - exact[3]));
        }
        const double observed = observed_order(3, dt, error);
        printf("  %s, %s, order %d: %.1e ... %.1e, observed %.2f\n", m ? "bowl" : "free", bases[b], order, error[0],
               error[2], observed);
        CHECK(observed > order - 0.35 && observed < order + 0.6);
      }
    }
}

/* --- tolerances ----------------------------------------------------------------------------------------------------
 */

typedef struct tolerance_case {
  const char *model, *overrides;
  double t_end, dt_min;
  const char *reference; /* base scheme of the exact motion */
  const char *text;      /* in place of a model */
} tolerance_case;

static bool end_state(const tolerance_case *c, const char *base, double tolerance, double *q, picus_summary *summary) {
  simulation s;
  const adaptive_run run = {
      .scheme = base, .dt_min = c->dt_min, .dt_max = c->t_end / 20, .tolerance = tolerance, .t_end = c->t_end};
  bool done = (c->text ? simulation_open_adaptive_text(&s, c->text, run)
                       : simulation_open_adaptive(&s, c->model, c->overrides, run)) &&
              CHECK(picus_sim_run(s.sim, NULL, NULL, summary) == PICUS_OK);
  if (done)
    for (int i = 0; i < picus_sim_state(s.sim).nq && i < 3; i++) q[i] = picus_sim_state(s.sim).q[i];
  simulation_close(&s);
  return done;
}

static double difference(const double *a, const double *b) {
  return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

/* Against another scheme with a tight tolerance. Impacts are resolved to dt_min: no error is
 * below its effect. */
static void check_tolerances(const tolerance_case *c, double reached) {
  double exact[3] = {0};
  picus_summary summary;
  if (!end_state(c, c->reference, 1e-11, exact, &summary)) return;
  for (int b = 0; b < 2; b++) {
    double before = INFINITY, error = INFINITY;
    for (double tolerance = 1e-4; tolerance > 5e-11; tolerance *= 1e-2) {
      double q[3] = {0};
      if (!end_state(c, bases[b], tolerance, q, &summary)) return;
      error = difference(q, exact);
      printf("  %s, %s, tolerance %.0e: error %.1e, %ld base steps\n", c->model, bases[b], tolerance, error,
             summary.adaptive.base_steps);
      CHECK(error < fmax(1.5 * before, reached));
      before = fmin(before, error);
    }
    CHECK(error < reached);
  }
}

static void bouncing_ball(void) {
  check_tolerances(&(tolerance_case){"bouncing-ball", "", 2.9, 1e-11, "rattle", NULL}, 1e-8);
}
static void woodpecker(void) {
  check_tolerances(&(tolerance_case){"woodpecker", "", 0.15, 1e-10, "moreau", NULL}, 1e-7);
}
static void slider_crank(void) {
  check_tolerances(&(tolerance_case){"slider-crank", "", 0.03, 1e-10, "rattle", NULL}, 1e-6);
}

/* Two masses with springs and a damper between walls, one of which rubs: random parameters. */
static void random_systems(void) {
  unsigned long long state = 15;
  for (int trial = 0; trial < 8; trial++) {
    double r[8];
    char text[900];
    for (int k = 0; k < 8; k++) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      r[k] = (double)(state >> 11) / 9007199254740992.0;
    }
    snprintf(text, sizeof text,
             "local q, u = coordinates { {'x', velocity = 'v', start = {%.6f, %.6f}},\n"
             "  {'y', velocity = 'w', start = {0.2, %.6f}} }\n"
             "kinetic(%.6f * u.v^2 + u.w^2)\npotential(%.6f * q.x^2 + 20 * (q.x - q.y)^2)\n"
             "force {x = 5 * sin(3 * t) - 0.3 * u.v}\n"
             "contact {'stop', gap = q.x + %.6f, eN = %.6f}\n"
             "friction {'rub', slip = u.w, reservoir = %.6f}\nsimulate {dt = 1e-4, t_end = 1.5}\n",
             r[0] + 0.3, r[1] - 0.5, 4 * r[2] - 2, 0.3 + r[3], 10 + 40 * r[4], 0.05 + 0.1 * r[5], 0.9 * r[6],
             0.1 + r[7]);
    check_tolerances(&(tolerance_case){"random", "", 1.5, 1e-10, "moreau", text}, 1e-7);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"fixed_orders", fixed_orders},
                                    {"bouncing_ball", bouncing_ball},
                                    {"woodpecker", woodpecker},
                                    {"slider_crank", slider_crank},
                                    {"random_systems", random_systems}};
  return test_main(argc, argv, "half_explicit_adaptive", cases, sizeof cases / sizeof cases[0]);
}
