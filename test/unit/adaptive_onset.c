/* The times at which sticking contacts begin to slip and closed ones open. Nothing jumps there, and short steps see it
 * late. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>

/* A block on a belt with the speed v, held by a spring: it sticks until k x = mu m g. A friction element of the force a
 * instead of the contact does the same; with a damper the force is k x + d v. */
typedef struct belt {
  double m, k, d, mu, v, x0;
  bool is_element;
} belt;

static double onset(const belt *b) {
  double limit = b->mu * b->m * 9.81;
  return ((limit - b->d * b->v) / b->k - b->x0) / b->v;
}

static bool first_slip(const belt *b, const char *scheme, double dt_min, double tolerance, double *t) {
  char text[900], law[200];
  snprintf(law, sizeof law,
           b->is_element ? "friction {'belt', slip = u.vx - %.17g, reservoir = %.17g}\n"
                         : "contact {'belt', gap = q.y, slip = u.vx - %.17g, mu = %.17g}\n",
           b->v, b->is_element ? b->mu * b->m * 9.81 : b->mu);
  snprintf(text, sizeof text,
           "model('belt', '')\n"
           "local q, u = coordinates {{'x', velocity = 'vx', start = {%.17g, %.17g}},\n"
           "                          {'y', velocity = 'vy', start = {%d, 0}}}\n"
           "kinetic(%.17g * (u.vx^2 + u.vy^2) / 2)\n"
           "potential(%.17g * q.x^2 / 2 + %.17g * q.y)\nforce {x = -%.17g * u.vx}\n%s",
           b->x0, b->v, b->is_element ? 1 : 0, b->m, b->k, b->m * 9.81, b->d, law);
  simulation s;
  recorded_switchings list = {0};
  picus_summary summary = {0};
  adaptive_run run = {
      .scheme = scheme, .dt_min = dt_min, .tolerance = tolerance, .order_max = 8, .t_end = 1.1 * onset(b)};
  bool fine = simulation_open_adaptive_text(&s, text, run) && simulation_run_event_log(&s, NULL, &list, &summary);
  *t = NAN;
  for (long i = 0; fine && i < list.count && isnan(*t); i++)
    if (list.list[i].from == PICUS_STICK && list.list[i].to == PICUS_SLIP) *t = list.list[i].t;
  recorded_switchings_free(&list);
  simulation_close(&s);
  return fine;
}

static const char *const schemes[] = {"moreau", "rattle"};

/* It was 5.5e-8 s late at 6e-9 and 7.6e-7 s at 6e-12. */
static void slip_begins_on_time_at_every_dt_min(void) {
  const belt b = {.m = 1, .k = 10, .mu = 0.4, .v = 0.3, .x0 = 0.01};
  for (int k = 0; k < 2; k++) {
    printf("  %-6s", schemes[k]);
    for (double dt_min = 1e-6; dt_min > 5e-14; dt_min *= 0.1) {
      double t;
      REQUIRE(first_slip(&b, schemes[k], dt_min, 1e-11, &t));
      printf(" %.0e", t - onset(&b));
      CHECK_NEAR(t, onset(&b), 1e-10);
    }
    putchar('\n');
  }
}

static void random_belts(void) {
  enum { CASES = 80 };
  test_random random = {20240916};
  double worst = 0;
  for (int i = 0; i < CASES; i++) {
    belt b = {.m = pow(10, test_uniform(&random, -2, 1)), .mu = test_uniform(&random, 0.1, 0.9)};
    b.v = pow(10, test_uniform(&random, -2, 0.5));
    b.k = b.mu * b.m * 9.81 / (b.v * pow(10, test_uniform(&random, -1, 1)));
    b.x0 = 0.1 * test_uniform(&random, 0, b.mu * b.m * 9.81 / b.k);
    b.d = 0.2 * test_uniform(&random, 0, b.mu * b.m * 9.81 / b.v);
    b.is_element = i % 3 == 2;
    double dt_min = pow(10, test_uniform(&random, -12, -5)), tolerance = pow(10, test_uniform(&random, -12, -8)), t;
    REQUIRE(first_slip(&b, schemes[i % 2], dt_min, tolerance, &t));
    /* the force is known as well as the state: its time to the tolerance over its rate */
    double allowed = 1e-9 + 1e2 * tolerance * fmax(1, b.d / b.k / b.v);
    worst = fmax(worst, fabs(t - onset(&b)));
    if (!CHECK(fabs(t - onset(&b)) < allowed))
      printf("  %s m %g k %g mu %g v %g d %g element %d dt_min %g tolerance %g: %g at %g\n", schemes[i % 2], b.m, b.k,
             b.mu, b.v, b.d, b.is_element, dt_min, tolerance, t - onset(&b), onset(&b));
  }
  printf("  %d belts, at worst %.1e s off\n", CASES, worst);
}

/* A body on a table that moves with A sin(w t) lifts off where A w^2 sin(w t) = g. */
static void openings_are_on_time(void) {
  const double A = 0.02, w = 30, onset_time = asin(9.81 / (A * w * w)) / w;
  for (int k = 0; k < 2; k++)
    for (double dt_min = 1e-6; dt_min > 5e-13; dt_min *= 1e-2) {
      static const char text[] =
          "model('lift', '')\nlocal q, u = coordinates {{'y', velocity = 'v', start = {0, 0.6}}}\n"
          "kinetic(u.v^2 / 2)\npotential(9.81 * q.y)\n"
          "contact {'table', gap = q.y - 0.02 * sin(30 * t)}\n";
      simulation s;
      recorded_switchings list = {0};
      picus_summary summary = {0};
      adaptive_run run = {.scheme = schemes[k], .dt_min = dt_min, .tolerance = 1e-11, .t_end = 0.03};
      REQUIRE(simulation_open_adaptive_text(&s, text, run) && simulation_run_event_log(&s, NULL, &list, &summary));
      double t = NAN;
      for (long i = 0; i < list.count; i++)
        if (list.list[i].to == PICUS_OPEN) t = list.list[i].t;
      printf("  %-6s dt_min %.0e: %ld switching points, %.1e s off\n", schemes[k], dt_min, list.count, t - onset_time);
      CHECK_NEAR(t, onset_time, 1e-9);
      recorded_switchings_free(&list);
      simulation_close(&s);
    }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"slip_begins_on_time_at_every_dt_min", slip_begins_on_time_at_every_dt_min},
                                    {"random_belts", random_belts},
                                    {"openings_are_on_time", openings_are_on_time}};
  return test_main(argc, argv, "adaptive_onset", cases, (int)(sizeof cases / sizeof *cases));
}
