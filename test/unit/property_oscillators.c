/* Random piecewise-linear oscillators with stops and friction elements against their event-driven solution. */
#include "support/check.h"
#include "support/oscillator.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double T = 4;
enum { SAMPLES = 8, SIZES = 3 };

/* How many oscillators are drawn; sanitizers make steps some ten times slower. */
static int case_count(void) { return (int)test_study(16, 16, 48); }

/* --- the oscillator as a system of Picus ----------------------------------------------------------------------------
 */

static int mass(void *user, double t, const double *q, double *M) {
  (void)t;
  (void)q;
  const oscillator *o = user;
  for (int i = 0; i < o->n; i++) M[i * o->n + i] = o->m[i];
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h) {
  const oscillator *o = user;
  for (int i = 0; i < o->n; i++) {
    h[i] = o->force[i] + o->amplitude[i] * sin(o->omega * t);
    for (int j = 0; j < o->n; j++) h[i] -= o->K[i][j] * q[j] + o->C[i][j] * u[j];
  }
  return 0;
}

static int gaps(void *user, double t, const double *q, double *gap) {
  (void)t;
  const oscillator *o = user;
  for (int k = 0; k < o->stop_count; k++) {
    gap[k] = o->stop[k].distance;
    for (int i = 0; i < o->n; i++) gap[k] += o->stop[k].w[i] * q[i];
  }
  return 0;
}

static int directions(void *user, double t, const double *q, double *W, double *chi) {
  (void)t;
  (void)q;
  (void)chi;
  const oscillator *o = user;
  for (int k = 0; k < o->stop_count + o->friction_count; k++)
    for (int i = 0; i < o->n; i++)
      W[k * o->n + i] = k < o->stop_count ? o->stop[k].w[i] : o->friction[k - o->stop_count].w[i];
  return 0;
}

static picus_status make_system(picus_context *context, oscillator *o, picus_system **out) {
  static const char *const names[] = {"stop1", "stop2", "stop3", "friction1", "friction2"};
  picus_system_law laws[STOPS_MOST + FRICTIONS_MOST] = {{0}};
  for (int k = 0; k < o->stop_count; k++)
    laws[k] = (picus_system_law){names[k], PICUS_UNILATERAL, .has_gap = true, .eN = o->stop[k].e};
  for (int k = 0; k < o->friction_count; k++)
    laws[o->stop_count + k] =
        (picus_system_law){names[STOPS_MOST + k], PICUS_RESERVOIR, .slips = 1, .reservoir = o->friction[k].reservoir};
  picus_system_functions f = {.nq = o->n,
                              .nu = o->n,
                              .q_start = o->x0,
                              .u_start = o->v0,
                              .law_count = o->stop_count + o->friction_count,
                              .laws = laws,
                              .mass_is_constant = true,
                              .directions_are_constant = true,
                              .mass = mass,
                              .force = force,
                              .gaps = gaps,
                              .directions = directions};
  return picus_system_from_functions(context, &f, o, out);
}

/* --- runs -----------------------------------------------------------------------------------------------------------
 */

/* How to integrate: a scheme with its accuracy. */
typedef struct method {
  const char *name;
  double dt;        /* 0: adaptive */
  double dt_min;    /* of adaptive steps */
  double tolerance; /* absolute and relative, of adaptive steps */
} method;

static picus_sim_options options_of(const method *m) {
  picus_sim_options options = picus_default_sim_options();
  options.scheme = m->name;
  options.adaptive = m->dt == 0;
  options.dt = options.adaptive ? 1e-3 : m->dt;
  if (options.adaptive) {
    options.dt_min = m->dt_min;
    options.dt_max = 0.05;
    options.atol = options.rtol = m->tolerance;
    options.order_max = 8;
  }
  options.t_end = T;
  options.sample = T / SAMPLES;
  return options;
}

/* Time and state at the samples, and the switching points. */
typedef struct picus_solution {
  int row;
  double x[SAMPLES + 1][MASSES_MOST], v[SAMPLES + 1][MASSES_MOST];
  int n;
  recorded_switchings switchings;
} picus_solution;

static picus_status keep_rows(void *self, long row_count, int column_count, const double *rows) {
  picus_solution *s = self;
  for (long k = 0; k < row_count && s->row <= SAMPLES; k++, s->row++) {
    const double *row = rows + k * column_count;
    memcpy(s->x[s->row], row + 1, (size_t)s->n * sizeof *row);
    memcpy(s->v[s->row], row + 1 + s->n, (size_t)s->n * sizeof *row);
  }
  return PICUS_OK;
}

static bool integrate(oscillator *o, const method *m, picus_solution *solution) {
  *solution = (picus_solution){.n = o->n};
  picus_context *context = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_sim_options options = options_of(m);
  picus_status status = picus_context_create(NULL, &context);
  if (status == PICUS_OK) status = make_system(context, o, &system);
  if (status == PICUS_OK) status = picus_sim_create(context, system, &options, &sim);
  picus_run_description run = {.system = system, .options = &options, .command = ""};
  if (status == PICUS_OK) status = picus_recorder_create(context, &run, &recorder);
  if (status == PICUS_OK)
    status = picus_recorder_add_sink(recorder, (picus_sink){.self = solution, .write = keep_rows});
  if (status == PICUS_OK) status = picus_recorder_add_sink(recorder, recorded_switchings_sink(&solution->switchings));
  if (status == PICUS_OK) status = picus_sim_run(sim, recorder, NULL, NULL);
  if (status != PICUS_OK) printf("  %s\n", picus_last_error(context)->message);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_context_destroy(context);
  return CHECK(status == PICUS_OK && solution->row == SAMPLES + 1);
}

/* --- errors ---------------------------------------------------------------------------------------------------------
 */

static double position_error(const oscillator *o, const oscillator_solution *exact, const picus_solution *found) {
  double worst = 0;
  for (int k = 0; k < SAMPLES; k++)
    for (int i = 0; i < o->n; i++) worst = fmax(worst, fabs(found->x[k + 1][i] - exact->x[k][i]));
  return worst;
}

static bool is_near_event(const oscillator_solution *exact, double t, double distance) {
  for (int k = 0; k < exact->event_count; k++)
    if (fabs(exact->events[k].t - t) < distance) return true;
  return false;
}

/* At the samples that no event is near, since velocities jump at impacts. */
static double velocity_error(const oscillator *o, const oscillator_solution *exact, const picus_solution *found,
                             double distance) {
  double worst = 0;
  for (int k = 0; k < SAMPLES; k++)
    for (int i = 0; i < o->n && !is_near_event(exact, exact->t[k], distance); i++)
      worst = fmax(worst, fabs(found->v[k + 1][i] - exact->v[k][i]));
  return worst;
}

/* --- the event log ---------------------------------------------------------------------------------------------------
 */

/* The closing of this law that is nearest to the time. */
static double nearest_closing(const recorded_switchings *switchings, int law, double t) {
  double nearest = INFINITY;
  for (long k = 0; k < switchings->count; k++) {
    const picus_switching *s = &switchings->list[k];
    if (s->law == law && s->from == PICUS_OPEN && fabs(s->t - t) < fabs(nearest - t)) nearest = s->t;
  }
  return nearest;
}

/* The latest that an impact of the solution shows in the event log; slow impacts of accumulations are left out. */
static double worst_impact_time(const oscillator_solution *exact, const recorded_switchings *switchings) {
  double worst = 0;
  for (int k = 0; k < exact->event_count; k++) {
    const oscillator_event *event = &exact->events[k];
    if (event->speed > 0.1) worst = fmax(worst, fabs(nearest_closing(switchings, event->law, event->t) - event->t));
  }
  return worst;
}

/* --- properties ------------------------------------------------------------------------------------------------------
 */

typedef struct errors {
  double x, v, t;
} errors;

static bool errors_of(oscillator *o, const oscillator_solution *exact, const method *m, errors *out) {
  picus_solution found;
  bool fine = integrate(o, m, &found);
  *out = (errors){position_error(o, exact, &found), velocity_error(o, exact, &found, 0.02),
                  worst_impact_time(exact, &found.switchings)};
  recorded_switchings_free(&found.switchings);
  return fine;
}

/* Draws the next one that has a unique solution; false: the reference solver failed. */
static bool draw(test_random *random, oscillator *o, oscillator_solution *exact, int *redundant) {
  for (;;) {
    *o = oscillator_random(random);
    oscillator_outcome outcome = oscillator_solve(o, T, SAMPLES, exact);
    if (outcome != OSCILLATOR_REDUNDANT) return CHECK(outcome == OSCILLATOR_SOLVED);
    ++*redundant;
  }
}

/* Order 1 in positions, velocities away from events, and the times of impacts. The constant of a single case depends on
 * where in its steps the events lie, so for each case it may only not grow: 8 times shorter steps without convergence
 * would let it grow by 8. The order is that of the mean over all cases; orders of single cases scatter by 0.3, so that
 * the bound is three standard errors of the mean. */
static void converge_with_order_1(const char *scheme, int cases, const double *dt) {
  static oscillator_solution exact;
  test_random random = {20081103};
  const bool frictionless = strcmp(scheme, "schatzman-paoli") == 0;
  double sum_x[SIZES] = {0}, mean_x[SIZES], worst_growth = 0, worst_t = 0, worst_v = 0;
  int redundant = 0;
  long events = 0, impacts = 0;
  for (int c = 0; c < cases; c++) {
    oscillator o;
    errors e[SIZES];
    do REQUIRE(draw(&random, &o, &exact, &redundant));
    while (frictionless && o.friction_count > 0);
    events += exact.event_count;
    impacts += exact.impacts;
    for (int k = 0; k < SIZES; k++) {
      const method m = {.name = scheme, .dt = dt[k]};
      REQUIRE(errors_of(&o, &exact, &m, &e[k]));
      sum_x[k] += log(e[k].x);
    }
    double growth = (e[2].x / dt[2]) / fmax(e[0].x / dt[0], e[1].x / dt[1]);
    if (growth > 3.5)
      printf("  case %d: x %.1e %.1e %.1e, v %.1e %.1e %.1e, t %.1e %.1e %.1e\n", c, e[0].x, e[1].x, e[2].x, e[0].v,
             e[1].v, e[2].v, e[0].t, e[1].t, e[2].t);
    worst_growth = fmax(worst_growth, growth);
    worst_t = fmax(worst_t, e[2].t / dt[2]);
    worst_v = fmax(worst_v, e[2].v / dt[2]);
  }
  for (int k = 0; k < SIZES; k++) mean_x[k] = exp(sum_x[k] / cases);
  double order = observed_order(SIZES, dt, mean_x);
  printf("  %s: %d oscillators (%d redundant ones left out), %ld events, %ld impacts; mean error of x %.2e %.2e %.2e, "
         "order "
         "%.3f\n",
         scheme, cases, redundant, events, impacts, mean_x[0], mean_x[1], mean_x[2], order);
  printf("  largest growth of the constant %.2f; at dt = %.1e v within %.0f dt, impacts within %.0f dt\n", worst_growth,
         dt[2], worst_v, worst_t);
  CHECK(fabs(order - 1) < 1 / sqrt(cases));
  CHECK(worst_growth < 5);
  CHECK(redundant < cases);
}

static void moreau_converges_with_order_1(void) {
  const double dt[SIZES] = {2e-3, 2.5e-4, 3.125e-5};
  converge_with_order_1("moreau", case_count(), dt);
}

/* Their steps cost several times as much: fewer cases, and larger steps. */
static void the_other_schemes_converge_with_order_1(void) {
  static const char *const schemes[] = {"moreau-jean",     "moreau-projected", "moreau-combined", "rattle",
                                        "schatzman-paoli", "half-explicit",    "moreau-explicit", "half-explicit-rk"};
  const double dt[SIZES] = {4e-3, 5e-4, 6.25e-5};
  for (int k = 0; k < 8; k++) converge_with_order_1(schemes[k], (case_count() + 7) / 8 + 2, dt);
}

/* Impacts of the event log within a time of an event of the solution at the same stop. */
static int impacts_near(const recorded_switchings *switchings, int law, double t, double within) {
  int count = 0;
  for (long k = 0; k < switchings->count; k++) {
    const picus_switching *s = &switchings->list[k];
    count += s->law == law && s->impact && fabs(s->t - t) < within;
  }
  return count;
}

/* What a fixed step resolves of the solution: fast impacts, apart from other events of the same stop. */
static bool is_resolved(const oscillator_solution *exact, int event, double dt) {
  const oscillator_event *e = &exact->events[event];
  bool alone = e->speed > 200 * dt;
  for (int k = 0; k < exact->event_count; k++)
    if (k != event && exact->events[k].law == e->law && fabs(exact->events[k].t - e->t) < 100 * dt) alone = false;
  return alone;
}

/* Each impact of the solution that steps resolve is counted once, and there are no impacts where it has none. */
static void impacts_are_counted_as_the_solution_has_them(void) {
  enum { FIXED = 8 };
  static const char *const schemes[FIXED] = {"moreau", "moreau-jean",   "moreau-projected", "moreau-combined",
                                             "rattle", "half-explicit", "moreau-explicit",  "schatzman-paoli"};
  static oscillator_solution exact;
  for (int n = 0; n < FIXED + 1; n++) {
    test_random random = {20081105};
    const bool adaptive = n == FIXED, frictionless = n == FIXED - 1;
    const method m = {.name = schemes[n % FIXED], .dt = adaptive ? 0 : 2e-4, .dt_min = 1e-7, .tolerance = 1e-9};
    const double dt = adaptive ? m.dt_min * 100 : m.dt;
    long resolved = 0, missed = 0, twice = 0, counted = 0, foreign = 0;
    int redundant = 0;
    for (int c = 0; c < (case_count() + 3) / 4; c++) {
      oscillator o;
      picus_solution found;
      do REQUIRE(draw(&random, &o, &exact, &redundant));
      while (frictionless && o.friction_count > 0);
      REQUIRE(integrate(&o, &m, &found));
      for (int k = 0; k < exact.event_count; k++) {
        if (!is_resolved(&exact, k, dt)) continue;
        int near = impacts_near(&found.switchings, exact.events[k].law, exact.events[k].t, 50 * dt);
        resolved++;
        missed += near == 0;
        twice += near > 1;
      }
      for (long k = 0; k < found.switchings.count; k++) {
        const picus_switching *s = &found.switchings.list[k];
        double nearest = INFINITY;
        for (int j = 0; s->impact && j < exact.event_count; j++)
          if (exact.events[j].law == s->law && exact.events[j].speed > 0)
            nearest = fmin(nearest, fabs(exact.events[j].t - s->t));
        counted += s->impact;
        foreign += s->impact && nearest > 200 * dt;
      }
      recorded_switchings_free(&found.switchings);
    }
    printf("  %s%s: %ld impacts counted, %ld resolved ones, %ld of them missed, %ld counted twice, %ld foreign\n",
           schemes[n % FIXED], adaptive ? ", adaptive" : "", counted, resolved, missed, twice, foreign);
    CHECK(resolved > 3 && missed == 0 && twice == 0 && foreign == 0);
  }
}

/* Adaptive steps find each switching point to dt_min, so the error is of order 1 in dt_min where there are impacts,
 * with a constant that does not grow, and that of the tolerance where nothing switches. Two solutions that share
 * nothing agree to 100 dt_min in every case. */
static void adaptive_steps_find_every_switching_point(void) {
  const double dt_min[SIZES] = {1e-5, 1e-7, 1e-9};
  static oscillator_solution exact;
  test_random random = {20081104};
  double sum_x[SIZES] = {0}, mean_x[SIZES];
  errors worst = {0}, worst_smooth = {0};
  double worst_growth = 0;
  int redundant = 0, cases = case_count(), with_impacts = 0;
  for (int c = 0; c < cases; c++) {
    oscillator o;
    errors e[SIZES];
    REQUIRE(draw(&random, &o, &exact, &redundant));
    for (int k = 0; k < SIZES; k++) {
      const method m = {.name = "moreau", .dt_min = dt_min[k], .tolerance = 1e-12};
      REQUIRE(errors_of(&o, &exact, &m, &e[k]));
      if (exact.impacts > 0) sum_x[k] += log(e[k].x);
    }
    with_impacts += exact.impacts > 0;
    errors *to = exact.event_count > 0 ? &worst : &worst_smooth;
    *to = (errors){fmax(to->x, e[2].x), fmax(to->v, e[2].v), fmax(to->t, e[2].t)};
    if (exact.impacts == 0) continue;
    double growth = (e[2].x / dt_min[2]) / fmax(e[0].x / dt_min[0], e[1].x / dt_min[1]);
    worst_growth = fmax(worst_growth, growth);
    if (growth > 5) printf("  case %d: x %.1e %.1e %.1e, v %.1e, t %.1e\n", c, e[0].x, e[1].x, e[2].x, e[2].v, e[2].t);
  }
  for (int k = 0; k < SIZES; k++) mean_x[k] = exp(sum_x[k] / with_impacts);
  double order = observed_order(SIZES, dt_min, mean_x);
  printf("  %d oscillators, %d with impacts: mean error of x %.1e %.1e %.1e, order %.3f in dt_min\n", cases,
         with_impacts, mean_x[0], mean_x[1], mean_x[2], order);
  printf("  at dt_min = 1e-9 at most x %.1e m, v %.1e m/s, times of impacts %.1e s; without events x %.1e, v %.1e; "
         "largest growth of the constant %.1f\n",
         worst.x, worst.v, worst.t, worst_smooth.x, worst_smooth.v, worst_growth);
  CHECK(with_impacts > cases / 3);
  CHECK(order > 0.9 && order < 1.1);
  CHECK(worst_growth < 10); /* 100 times shorter steps without convergence would be 100 */
  CHECK(worst.x < 1e-7 && worst.v < 1e-6 && worst.t < 1e-7);
  CHECK(worst_smooth.x < 1e-11 && worst_smooth.v < 1e-10);
}

/* The reference against itself in closed form: a mass on a spring between events. */
static void the_reference_knows_closed_forms(void) {
  static oscillator_solution s;
  /* falls onto a stop, bounces with e = 1/2: Ballard's ball, which comes to rest at t = 3 */
  oscillator ball = {.n = 1, .m = {1}, .force = {-2}, .omega = 1, .x0 = {0.5}, .stop_count = 1};
  ball.stop[0].w[0] = 1;
  ball.stop[0].distance = 0.5;
  ball.stop[0].e = 0.5;
  REQUIRE(oscillator_solve(&ball, 3.5, 7, &s) == OSCILLATOR_SOLVED);
  for (int k = 0; k < 5; k++) CHECK_NEAR(s.events[k].t, 3 - 2 * pow(0.5, k), 1e-12);
  CHECK_NEAR(s.x[6][0], -0.5, 1e-12);
  CHECK_NEAR(s.v[6][0], 0, 1e-12);
  /* dry friction on an oscillator: x = -1/4 + (x0 + 1/4) cos 2t while it moves to the left, and so on by half periods
   */
  oscillator dry = {.n = 1, .m = {1}, .K = {{4}}, .omega = 1, .x0 = {3}, .v0 = {-1e-12}, .friction_count = 1};
  dry.friction[0].w[0] = 1;
  dry.friction[0].reservoir = 1;
  const double half = 1.5707963267948966;
  REQUIRE(oscillator_solve(&dry, 8 * half, 8, &s) == OSCILLATOR_SOLVED);
  static const double turning[8] = {-2.5, 2, -1.5, 1, -0.5, 0, 0, 0}; /* at 0 the spring does not move it any more */
  for (int k = 0; k < 8; k++) CHECK_NEAR(s.x[k][0], turning[k], 1e-11);
  CHECK(s.event_count == 6);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"the_reference_knows_closed_forms", the_reference_knows_closed_forms},
      {"moreau_converges_with_order_1", moreau_converges_with_order_1},
      {"the_other_schemes_converge_with_order_1", the_other_schemes_converge_with_order_1},
      {"impacts_are_counted_as_the_solution_has_them", impacts_are_counted_as_the_solution_has_them},
      {"adaptive_steps_find_every_switching_point", adaptive_steps_find_every_switching_point},
  };
  return test_main(argc, argv, "property_oscillators", cases, sizeof cases / sizeof cases[0]);
}
