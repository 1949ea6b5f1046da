/* Times of runs with many steps: they do not drift, with fixed and adaptive steps, and in runs that go on from a
 * checkpoint. The exact time is summed up in two numbers. */
#include "support/check.h"
#include "support/run_story.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* No contacts, no events: steps of about one size, which is no sum of powers of two. */
static const char oscillator[] = "local q, u = coordinates { {'x', velocity = 'v', start = {1, 0}, unit = 'm'} }\n"
                                 "kinetic(0.5 * u.v^2)\n"
                                 "potential(0.5 * q.x^2)\n"
                                 "simulate {scheme = 'rattle', dt = 1e-3, t_end = 10, t_start = 0}\n";

static double last_place(double t) { return nextafter(t, INFINITY) - t; }

/* sum + rest, exactly up to 1e-32 of it. */
typedef struct exact_time {
  double sum, rest;
} exact_time;

static void add_exactly(exact_time *t, double dt) {
  const double sum = t->sum + dt, part = sum - t->sum;
  t->rest += (t->sum - (sum - part)) + (dt - part);
  t->sum = sum;
}

static exact_time exact_sum(double a, double b, double c) {
  exact_time sum = {a, 0};
  add_exactly(&sum, b);
  add_exactly(&sum, c);
  return sum;
}

typedef struct time_watch {
  exact_time exact;
  long steps, save_at;
  double worst; /* in units of the last place of t */
  double t_start, dt;
  bool adaptive;
  story_bytes saved;
} time_watch;

static int look(void *user, picus_sim *sim, const picus_step_info *info) {
  time_watch *w = user;
  if (!info) return 0;
  w->steps++;
  add_exactly(&w->exact, info->dt);
  CHECK(info->t == picus_sim_state(sim).t);
  const double travelled = (double)w->steps * w->dt, low = fma((double)w->steps, w->dt, -travelled);
  const exact_time on_grid = exact_sum(w->t_start, travelled, low);
  const exact_time *exact = w->adaptive ? &w->exact : &on_grid;
  const double scale = last_place(fmax(fmax(fabs(info->t), fabs(w->t_start)), w->adaptive ? 0 : travelled));
  w->worst = fmax(w->worst, fabs((info->t - exact->sum) - exact->rest) / scale);
  if (w->steps != w->save_at) return 0;
  w->saved = run_story_save(sim);
  return 1;
}

static bool start(simulation *s, bool adaptive, double t_start, double t_end) {
  picus_sim_options options;
  if (!simulation_load_text(s, oscillator, &options)) return false;
  options.adaptive = adaptive;
  options.dt = adaptive ? 1e-4 : 1e-3;
  options.dt_min = adaptive ? 1e-4 : 0;
  options.dt_max = adaptive ? 1.1e-3 : 0;
  options.t_start = t_start;
  options.t_end = t_end;
  return simulation_start(s, &options);
}

/* A run in two parts; the worst time of all its steps. */
static double worst_time(bool adaptive, double t_start, double t_end, long stop, long *steps) {
  time_watch w = {.exact = {t_start, 0}, .save_at = stop, .t_start = t_start, .dt = 1e-3, .adaptive = adaptive};
  const picus_run_hooks hooks = {.user = &w, .step = look};
  simulation s;
  if (!CHECK(start(&s, adaptive, t_start, t_end))) return INFINITY;
  CHECK(picus_sim_run(s.sim, NULL, &hooks, NULL) == PICUS_INTERRUPTED);
  simulation_close(&s);
  if (!CHECK(start(&s, adaptive, t_start, t_end))) return INFINITY;
  CHECK(picus_sim_load(s.sim, w.saved.at, w.saved.count, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
  CHECK(picus_sim_run(s.sim, NULL, &hooks, NULL) == PICUS_OK);
  CHECK(picus_sim_state(s.sim).t == t_end);
  simulation_close(&s);
  free(w.saved.at);
  *steps = w.steps;
  return w.worst;
}

/* One rounding of n dt, and one of its sum with the start. */
static void fixed_steps(void) {
  static const double starts[] = {0, 0.1, -3.3, 1e4};
  for (int k = 0; k < 4; k++) {
    long steps = 0;
    const double worst = worst_time(false, starts[k], starts[k] + 20, 7777, &steps);
    printf("  from t = %g: %ld steps, t differs by up to %.2f units of its last place\n", starts[k], steps, worst);
    CHECK(steps == 20000);
    CHECK(worst <= 1 + 1e-9);
  }
}

/* Adaptive runs choose their sizes; t is the sum of these, rounded once (and their small parts a second time). Without
 * the part that rounding cuts off, t would differ by more than 700 units here. */
static void adaptive_steps(void) {
  long steps = 0;
  const double worst = worst_time(true, 0, 10, 3333, &steps);
  printf("  %ld steps, t differs by up to %.2f units of its last place\n", steps, worst);
  CHECK(steps > 5000);
  CHECK(worst < 1);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"fixed_steps", fixed_steps}, {"adaptive_steps", adaptive_steps}};
  return test_main(argc, argv, "long_times", cases, sizeof cases / sizeof *cases);
}
