/* Laws that come and go: a ball that bounces and rolls over rollers has contacts only with those that are near, and
 * moves as it does with all contacts known, in every scheme. */
#define _POSIX_C_SOURCE 200809L /* ThreadSanitizer knows POSIX threads, not those of C11 */
#include "sim/internal.h"
#include "stepper/internal.h"
#include "support/allocations.h"
#include "support/check.h"
#include "support/rollers.h"
#include "system/law_rows.h"

#include <math.h>
#include <picus/picus.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const SCHEMES[] = {"moreau",           "moreau-jean",      "moreau-projected", "moreau-combined",
                                      "schatzman-paoli",  "rattle",           "half-explicit",    "moreau-explicit",
                                      "half-explicit-rk", "half-explicit-acc"};
enum { SCHEME_COUNT = sizeof SCHEMES / sizeof SCHEMES[0] };

/* --- models ------------------------------------------------------------------------------------------------------- */

/* A ball that falls on a row of rollers, bounces a few times and rolls on, to a wall at x = 2.5. */
static rollers one_ball(void) {
  rollers r = {.balls = 1,
               .count = 12,
               .ball_radius = 0.2,
               .ball_x = {0.03},
               .ball_y = {0.45},
               .ball_vx = {1.5},
               .mu = 0.3,
               .eN = 0.4,
               .appear = true,
               .margin = 0.02,
               .speed = 8,
               .wall = true};
  for (int j = 0; j < r.count; j++) {
    r.x[j] = 0.25 * j;
    r.y[j] = j % 3 == 1 ? -0.01 : 0;
    r.radius[j] = 0.1;
  }
  return r;
}

/* Several balls side by side and above each other. */
static rollers many_balls(int balls) {
  rollers r = one_ball();
  r.balls = balls;
  r.count = 2 * balls + 2 < ROLLERS_MOST ? 2 * balls + 2 : ROLLERS_MOST;
  r.wall = false;
  for (int j = 0; j < r.count; j++) {
    r.x[j] = 0.25 * (j - 1);
    r.y[j] = j % 3 == 1 ? -0.01 : 0;
    r.radius[j] = 0.1;
  }
  for (int i = 0; i < balls; i++) {
    r.ball_x[i] = 0.06 + 0.45 * i;
    r.ball_y[i] = 0.33 + 0.01 * (i % 4);
    r.ball_vx[i] = 0.2 - 0.1 * (i % 5);
    r.ball_vy[i] = -0.3;
  }
  return r;
}

static rollers all_of(rollers r) {
  r.margin = INFINITY;
  return r;
}

static rollers named(rollers r) {
  r.appear = false;
  return r;
}

typedef struct bench {
  rollers of;
  ball_parts parts;
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
} bench;

/* PICUS_OK, or the message. */
static bool fine(const bench *b, picus_status status) {
  if (status) printf("  %s\n", picus_last_error(b->context)->message);
  return status == PICUS_OK;
}

static bool advance(bench *b) { return fine(b, picus_sim_step(b->sim, 0, NULL)); }

static bool open_with(bench *b, const rollers *r, const picus_sim_options *options, const picus_context_def *def) {
  *b = (bench){.of = *r};
  b->of.parts = &b->parts;
  return CHECK(picus_context_create(def, &b->context) == PICUS_OK) &&
         CHECK(fine(b, rollers_system(b->context, &b->of, &b->model, &b->system))) &&
         CHECK(fine(b, picus_sim_create(b->context, b->system, options, &b->sim)));
}

static picus_sim_options fixed_steps(const char *scheme) {
  picus_sim_options o = picus_default_sim_options();
  o.scheme = scheme;
  o.dt = 1e-3;
  o.t_end = 1.5;
  return o;
}

static picus_sim_options adaptive_steps(const char *scheme) {
  picus_sim_options o = fixed_steps(scheme);
  o.adaptive = true;
  o.dt_min = 1e-5;
  o.dt_max = 1e-2;
  o.atol = o.rtol = 1e-7;
  o.t_end = 0.8;
  return o;
}

static bool open_bench(bench *b, rollers r, picus_sim_options options) { return open_with(b, &r, &options, NULL); }

static void close_bench(bench *b) {
  picus_sim_destroy(b->sim);
  picus_system_destroy(b->system);
  picus_model_destroy(b->model);
  picus_context_destroy(b->context);
}

/* --- comparison --------------------------------------------------------------------------------------------------- */

static bool same_state(const picus_sim *a, const picus_sim *b) {
  const picus_state x = picus_sim_state(a), y = picus_sim_state(b);
  return x.t == y.t && memcmp(x.q, y.q, (size_t)x.nq * sizeof(double)) == 0 &&
         memcmp(x.u, y.u, (size_t)x.nu * sizeof(double)) == 0;
}

static double difference(const picus_sim *a, const picus_sim *b) {
  const picus_state x = picus_sim_state(a), y = picus_sim_state(b);
  double worst = 0;
  for (int i = 0; i < x.nq; i++) worst = fmax(worst, fabs(x.q[i] - y.q[i]));
  for (int i = 0; i < x.nu; i++) worst = fmax(worst, fabs(x.u[i] - y.u[i]));
  return worst;
}

typedef struct sums {
  double dissipated;
  long impacts, chatter;
} sums;

/* Of all laws: those that are present, and those that were. */
static sums sums_of(picus_sim *sim) {
  const picus_vanished_laws gone = picus_sim_vanished_laws(sim);
  sums sum = {gone.dissipated, gone.impacts, gone.chatter};
  picus_law_state *states = calloc((size_t)picus_sim_present_count(sim) + 1, sizeof *states);
  CHECK(picus_sim_present_laws(sim, states) == PICUS_OK);
  for (int i = 0; i < picus_sim_present_count(sim); i++) {
    sum.dissipated += states[i].dissipated;
    sum.impacts += states[i].impacts;
    sum.chatter += states[i].chatter;
  }
  free(states);
  return sum;
}

/* Every law of a that is closed is in b as well, in the same mode with the same percussion. */
static bool same_closed_laws(picus_sim *a, picus_sim *b) {
  const int count = picus_sim_present_count(a), other_count = picus_sim_present_count(b);
  picus_law_state *x = calloc((size_t)count + 1, sizeof *x), *y = calloc((size_t)other_count + 1, sizeof *y);
  bool same = CHECK(picus_sim_present_laws(a, x) == PICUS_OK) && CHECK(picus_sim_present_laws(b, y) == PICUS_OK);
  for (int i = 0; same && i < count; i++) {
    const picus_present_law law = picus_sim_present_law(a, i);
    int j = 0;
    while (j < other_count && strcmp(picus_sim_present_law(b, j).law.name, law.law.name) != 0) j++;
    if (j == other_count) {
      same = x[i].mode == PICUS_OPEN;
      continue;
    }
    same = x[i].mode == y[j].mode && x[i].PN == y[j].PN && x[i].PF[0] == y[j].PF[0] && x[i].gap == y[j].gap;
  }
  free(x);
  free(y);
  return same;
}

/* --- every scheme ------------------------------------------------------------------------------------------------- */

static rollers for_scheme(rollers r, const char *scheme) {
  const bool frictionless = strcmp(scheme, "schatzman-paoli") == 0 || strcmp(scheme, "half-explicit-acc") == 0;
  if (frictionless) r.mu = 0;
  return r;
}

typedef struct changes {
  int least, most; /* laws */
  long count;
} changes;

static void note_laws(const picus_sim *sim, unsigned long *version, changes *c) {
  const int count = picus_sim_present_count(sim);
  if (count > c->most) c->most = count;
  if (count < c->least) c->least = count;
  if (sim->stepper.set->version != *version) c->count++;
  *version = sim->stepper.set->version;
}

static void compare_fixed_steps(const char *scheme, double scale) {
  rollers r = for_scheme(one_ball(), scheme);
  r.scale = scale;
  bench near, all;
  REQUIRE(open_bench(&near, r, fixed_steps(scheme)) && open_bench(&all, all_of(r), fixed_steps(scheme)));
  changes c = {.least = 1000};
  unsigned long version = 0;
  bool same = true;
  for (int k = 0; k < 1500 && same; k++) {
    same = CHECK(advance(&near) && advance(&all)) && CHECK(same_state(near.sim, all.sim)) &&
           CHECK(same_closed_laws(near.sim, all.sim)) && CHECK(same_closed_laws(all.sim, near.sim));
    note_laws(near.sim, &version, &c);
  }
  const sums x = sums_of(near.sim), y = sums_of(all.sim);
  printf("  %-16s %d to %d laws, %ld changes, %ld impacts, %.6g J\n", scheme, c.least, c.most, c.count, x.impacts,
         x.dissipated);
  CHECK(c.most < 6 && c.least < c.most && c.count > 8);
  CHECK(x.impacts == y.impacts && x.chatter == y.chatter && x.impacts > 2);
  CHECK_NEAR(x.dissipated, y.dissipated, 1e-13);
  close_bench(&near);
  close_bench(&all);
}

static void a_ball_rolls_the_same_in_every_scheme(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) compare_fixed_steps(SCHEMES[i], 0);
}

static void rates_need_not_be_velocities(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) compare_fixed_steps(SCHEMES[i], 1.5);
}

/* Against laws that the system was created with. The Newton iterations of rattle take other paths there. */
static void named_contacts_give_the_same_motion(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    const rollers r = for_scheme(one_ball(), SCHEMES[i]);
    const bool is_rattle = strcmp(SCHEMES[i], "rattle") == 0;
    bench near, fixed;
    REQUIRE(open_bench(&near, r, fixed_steps(SCHEMES[i])) && open_bench(&fixed, named(r), fixed_steps(SCHEMES[i])));
    double worst = 0;
    for (int k = 0; k < 1500; k++) {
      if (!CHECK(advance(&near) && advance(&fixed))) break;
      worst = fmax(worst, difference(near.sim, fixed.sim));
    }
    printf("  %-16s differs by %.2g\n", SCHEMES[i], worst);
    CHECK(is_rattle ? worst < 1e-8 : worst == 0);
    const sums x = sums_of(near.sim), y = sums_of(fixed.sim);
    CHECK(x.impacts == y.impacts && x.chatter == y.chatter);
    CHECK_NEAR(x.dissipated, y.dissipated, is_rattle ? 1e-8 : 1e-13);
    close_bench(&near);
    close_bench(&fixed);
  }
}

/* --- adaptive runs ------------------------------------------------------------------------------------------------ */

static void adaptive_runs_are_the_same(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    if (strcmp(SCHEMES[i], "schatzman-paoli") == 0) continue;
    bench near, all;
    picus_summary x, y;
    const rollers r = for_scheme(one_ball(), SCHEMES[i]);
    REQUIRE(open_bench(&near, r, adaptive_steps(SCHEMES[i])) &&
            open_bench(&all, all_of(r), adaptive_steps(SCHEMES[i])));
    CHECK(fine(&near, picus_sim_run(near.sim, NULL, NULL, &x)));
    CHECK(fine(&all, picus_sim_run(all.sim, NULL, NULL, &y)));
    printf(
        "  %-16s %ld and %ld steps, %ld and %ld switching points, %ld and %ld impacts, %lu changes, differs by %.2g\n",
        SCHEMES[i], x.steps, y.steps, x.adaptive.switching_points, y.adaptive.switching_points, x.impacts, y.impacts,
        near.sim->stepper.set->version, difference(near.sim, all.sim));
    CHECK(x.steps == y.steps && x.adaptive.base_steps == y.adaptive.base_steps &&
          x.adaptive.switching_points == y.adaptive.switching_points);
    CHECK(x.impacts == y.impacts && x.impacts > 2 && x.adaptive.rejected == y.adaptive.rejected);
    CHECK(same_state(near.sim, all.sim));
    CHECK_NEAR(x.energy.dissipated, y.energy.dissipated, 1e-13);
    CHECK_NEAR(sums_of(near.sim).dissipated, x.energy.dissipated, 1e-12);
    CHECK(near.sim->stepper.set->version > 5);
    close_bench(&near);
    close_bench(&all);
  }
}

/* --- many balls --------------------------------------------------------------------------------------------------- */

static void the_order_of_keys_does_not_matter(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    rollers r = for_scheme(many_balls(6), SCHEMES[i]), scrambled = r;
    scrambled.scramble = true;
    bench a, b;
    REQUIRE(open_bench(&a, r, fixed_steps(SCHEMES[i])) && open_bench(&b, scrambled, fixed_steps(SCHEMES[i])));
    double worst = 0;
    for (int k = 0; k < 300; k++) {
      if (!CHECK(advance(&a) && advance(&b))) break;
      worst = fmax(worst, difference(a.sim, b.sim));
    }
    printf("  %-16s %d laws, differs by %.2g\n", SCHEMES[i], picus_sim_present_count(a.sim), worst);
    CHECK(worst < 1e-9);
    for (int k = 1; k < picus_sim_present_count(b.sim); k++)
      CHECK(picus_sim_present_law(b.sim, k - 1).key < picus_sim_present_law(b.sim, k).key);
    close_bench(&a);
    close_bench(&b);
  }
}

/* More rows than a dense matrix takes, now and then. */
static void large_sets_change_too(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    rollers r = for_scheme(many_balls(26), SCHEMES[i]);
    for (int k = 0; k < r.balls; k++) r.ball_y[k] += 0.002 * k;
    r.margin = 0.01;
    r.speed = 2;
    rollers wide = r;
    wide.margin = 0.4; /* always more rows */
    bench near, all;
    REQUIRE(open_bench(&near, r, fixed_steps(SCHEMES[i])) && open_bench(&all, wide, fixed_steps(SCHEMES[i])));
    double worst = 0;
    int least = 10000, most = 0;
    for (int k = 0; k < 180; k++) {
      if (!CHECK(advance(&near) && advance(&all))) break;
      worst = fmax(worst, difference(near.sim, all.sim));
      const int rows = near.sim->stepper.set->row_count;
      least = rows < least ? rows : least;
      most = rows > most ? rows : most;
    }
    printf("  %-16s %d to %d rows of %d, differs by %.2g\n", SCHEMES[i], least, most, all.sim->stepper.set->row_count,
           worst);
    CHECK(least < PICUS_DENSE_ROWS && (most > PICUS_DENSE_ROWS || r.mu == 0));
    CHECK(worst < 1e-8);
    close_bench(&near);
    close_bench(&all);
  }
}

/* --- rolling friction --------------------------------------------------------------------------------------------- */

static double compare_benches(rollers first, rollers second, picus_sim_options options, int steps, int *laws) {
  bench a, b;
  double worst = INFINITY;
  if (CHECK(open_bench(&a, first, options)) && CHECK(open_bench(&b, second, options))) {
    worst = 0;
    for (int k = 0; k < steps; k++) {
      if (!CHECK(advance(&a) && advance(&b))) break;
      worst = fmax(worst, difference(a.sim, b.sim));
      *laws = picus_sim_present_count(a.sim) > *laws ? picus_sim_present_count(a.sim) : *laws;
    }
    CHECK_NEAR(sums_of(a.sim).dissipated, sums_of(b.sim).dissipated, 1e-8);
    CHECK(sums_of(a.sim).impacts == sums_of(b.sim).impacts);
  }
  close_bench(&a);
  close_bench(&b);
  return worst;
}

/* A rolling law comes and goes with its contact: the same motion as with all contacts, with named ones, with other keys
 * and with more rows than a dense matrix takes. Without it the motion is another one. */
static void rolling_laws_follow_their_contacts(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    rollers r = for_scheme(one_ball(), SCHEMES[i]), without = r, scrambled, many, wide;
    if (r.mu == 0) continue; /* schemes without friction */
    r.rolling = 0.01;
    scrambled = r;
    scrambled.scramble = true;
    many = many_balls(26);
    many.rolling = 0.01;
    for (int k = 0; k < many.balls; k++) many.ball_y[k] += 0.002 * k;
    many.margin = 0.01;
    many.speed = 2;
    wide = many;
    wide.margin = 0.4;
    const picus_sim_options options = fixed_steps(SCHEMES[i]);
    const bool is_rattle = strcmp(SCHEMES[i], "rattle") == 0;
    int laws = 0, many_laws = 0, unread = 0;
    const double all = compare_benches(r, all_of(r), options, 1500, &laws);
    const double fixed = compare_benches(r, named(r), options, 1500, &unread);
    const double keys = compare_benches(r, scrambled, options, 1500, &unread);
    const double large = compare_benches(many, wide, options, 120, &many_laws);
    printf("  %-16s %d laws: %.2g, %.2g, %.2g; %d laws: %.2g\n", SCHEMES[i], laws, all, fixed, keys, many_laws, large);
    CHECK(all == 0 && (is_rattle ? fixed < 1e-8 : fixed == 0) && keys < 1e-9 && large < 1e-8);
    bench a, b;
    if (CHECK(open_bench(&a, r, options) && open_bench(&b, without, options))) {
      for (int k = 0; k < 1500; k++) CHECK(advance(&a) && advance(&b));
      CHECK(difference(a.sim, b.sim) > 1e-3);
    }
    close_bench(&a);
    close_bench(&b);
  }
}

static void rolling_laws_in_adaptive_runs(void) {
  static const char *const names[] = {"moreau", "rattle", "moreau-combined"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    rollers r = one_ball();
    r.rolling = 0.01;
    bench near, all;
    picus_summary x, y;
    REQUIRE(open_bench(&near, r, adaptive_steps(names[i])) && open_bench(&all, all_of(r), adaptive_steps(names[i])));
    CHECK(fine(&near, picus_sim_run(near.sim, NULL, NULL, &x)));
    CHECK(fine(&all, picus_sim_run(all.sim, NULL, NULL, &y)));
    CHECK(x.steps == y.steps && x.adaptive.switching_points == y.adaptive.switching_points && x.impacts == y.impacts);
    CHECK(same_state(near.sim, all.sim));
    close_bench(&near);
    close_bench(&all);
  }
}

/* --- the gap term ------------------------------------------------------------------------------------------------- */

/* Contacts act that the next step would cross: they are listed early enough, without a margin but that of speeds. */
static void contacts_of_the_gap_term_are_listed(void) {
  static const char *const names[] = {"moreau", "moreau-explicit", "moreau-jean"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    rollers r = one_ball();
    r.rolling = 0.01;
    r.margin = 0;
    r.speed = 4;
    picus_sim_options options = fixed_steps(names[i]);
    options.dt = 4e-3;
    options.gap_term = true;
    int laws = 0;
    CHECK(compare_benches(r, all_of(r), options, 375, &laws) == 0);
    bench b;
    double lowest = 0;
    if (CHECK(open_bench(&b, r, options)))
      for (int k = 0; k < 375; k++) {
        picus_step_info info = {0};
        CHECK(fine(&b, picus_sim_step(b.sim, 0, &info)));
        lowest = fmin(lowest, info.gaps.lowest);
      }
    printf("  %-16s up to %d laws, lowest gap %.2g m\n", names[i], laws, lowest);
    CHECK(lowest > -2e-4); /* of round surfaces, O(dt^2) */
    close_bench(&b);
  }
}

/* --- work ------------------------------------------------------------------------------------------------------- */

/* Balls that strike rollers at the same time: the cost of a step for each law must not grow with the number of
 * strokes. */
static void strokes_at_one_time_cost_no_more_for_each_law(void) {
  static const int balls[2] = {3, 30};
  long most[2] = {0, 0};
  for (int n = 0; n < 2; n++) {
    long searches = 0;
    rollers r = many_balls(balls[n]);
    r.count = r.balls; /* each ball falls on a roller of its own */
    r.searches = &searches;
    for (int i = 0; i < r.balls; i++) {
      r.x[i] = r.ball_x[i] = 0.6 * i;
      r.ball_y[i] = 0.35;
      r.ball_vx[i] = 0;
    }
    bench b;
    REQUIRE(open_bench(&b, r, fixed_steps("moreau")));
    long impacts = 0;
    for (int k = 0; k < 300; k++) {
      const long before = searches;
      picus_step_info info;
      CHECK(picus_sim_step(b.sim, 0, &info) == PICUS_OK);
      impacts += info.impacts;
      if (searches - before > most[n]) most[n] = searches - before;
    }
    CHECK(impacts >= r.balls);
    close_bench(&b);
  }
  CHECK(most[0] > 0 && most[1] * balls[0] == most[0] * balls[1]);
}

/* One ball after the other falls on its roller: beside the laws of the step, each stroke evaluates its own one at the
 * start, and W of the step stays as it is. */
static void a_stroke_evaluates_its_own_law(void) {
  long searches = 0, strokes = 0;
  rollers r = many_balls(20);
  r.count = r.balls;
  r.searches = &searches;
  for (int i = 0; i < r.balls; i++) {
    r.x[i] = r.ball_x[i] = 0.6 * i;
    r.ball_y[i] = 0.35 + 4e-3 * i;
    r.ball_vx[i] = 0;
  }
  bench b;
  REQUIRE(open_bench(&b, r, fixed_steps("moreau")));
  for (int k = 0; k < 300; k++) {
    const long before = searches;
    picus_step_info info;
    CHECK(picus_sim_step(b.sim, 0, &info) == PICUS_OK);
    const long present = picus_sim_present_count(b.sim);
    if (info.impacts != 1 || present < 8) continue;
    strokes++;
    CHECK(searches - before <= present + 2);
  }
  printf("  %ld strokes alone\n", strokes);
  CHECK(strokes > 5);
  close_bench(&b);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static void steps_allocate_nothing_once_there_is_room(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    const rollers r = for_scheme(many_balls(6), SCHEMES[i]);
    test_allocations a = test_grant_all();
    const picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    const picus_sim_options options = fixed_steps(SCHEMES[i]);
    bench b;
    REQUIRE(open_with(&b, &r, &options, &def));
    const picus_state start = picus_sim_state(b.sim);
    double q[3 * BALLS_MOST], u[3 * BALLS_MOST];
    memcpy(q, start.q, (size_t)start.nq * sizeof *q);
    memcpy(u, start.u, (size_t)start.nu * sizeof *u);
    for (int k = 0; k < 600; k++) CHECK(advance(&b));
    CHECK(picus_sim_set_state(b.sim, 0, q, u) == PICUS_OK);
    const long before = a.calls;
    const unsigned long version = b.sim->stepper.set->version;
    for (int k = 0; k < 600; k++) CHECK(advance(&b));
    CHECK(a.calls == before && b.sim->stepper.set->version > version + 5);
    close_bench(&b);
  }
}

/* Memory that is not granted when laws appear: the step fails, the state stays, and the next attempt goes on as if
 * nothing had happened. */
static void a_step_without_memory_can_be_repeated(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    const rollers r = for_scheme(many_balls(6), SCHEMES[i]);
    const picus_sim_options options = fixed_steps(SCHEMES[i]);
    bench expected;
    REQUIRE(open_bench(&expected, r, options));
    for (int k = 0; k < 100; k++) CHECK(advance(&expected));
    test_allocations a = test_grant_all();
    const picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    bench b;
    REQUIRE(open_with(&b, &r, &options, &def));
    long refused = 0;
    for (int k = 0; k < 100; k++) {
      for (long n = 0;; n++) {
        a.granted = a.calls + n;
        a.refused = 1;
        const picus_status status = picus_sim_step(b.sim, 0, NULL);
        if (status == PICUS_OK) break;
        if (!CHECK(status == PICUS_ERROR_MEMORY)) break;
        refused++;
      }
      a.refused = 0;
    }
    printf("  %-16s %ld failed allocations\n", SCHEMES[i], refused);
    CHECK(refused > 10 && same_state(b.sim, expected.sim));
    close_bench(&b);
    close_bench(&expected);
  }
}

/* --- states ------------------------------------------------------------------------------------------------------- */

static void a_restart_equals_a_new_simulation(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    const rollers r = for_scheme(one_ball(), SCHEMES[i]);
    bench used, fresh;
    REQUIRE(open_bench(&used, r, fixed_steps(SCHEMES[i])) && open_bench(&fresh, r, fixed_steps(SCHEMES[i])));
    for (int k = 0; k < 700; k++) CHECK(advance(&used));
    double q[3] = {0.4, 0.32, 1}, u[3] = {0.3, -0.2, 0.1};
    CHECK(picus_sim_set_state(used.sim, 0.25, q, u) == PICUS_OK);
    CHECK(picus_sim_set_state(fresh.sim, 0.25, q, u) == PICUS_OK);
    CHECK(picus_sim_present_count(used.sim) == 1 && picus_sim_vanished_laws(used.sim).dissipated == 0);
    for (int k = 0; k < 500; k++)
      if (!CHECK(advance(&used) && advance(&fresh) && same_state(used.sim, fresh.sim))) break;
    const sums x = sums_of(used.sim), y = sums_of(fresh.sim);
    CHECK(x.dissipated == y.dissipated && x.impacts == y.impacts && x.chatter == y.chatter);
    close_bench(&used);
    close_bench(&fresh);
  }
}

/* Steps that keep the laws a snapshot needs. */
static bool advance_from(bench *b, const stepper_snapshot *kept, int steps) {
  stepper *s = &b->sim->stepper;
  bool done = true;
  for (int k = 0; done && k < steps; k++) {
    picus_step_info info = {.gaps.lowest = INFINITY};
    const law_search search = {.t = s->t, .q = s->q, .u = s->u, .dt = 1e-3, .kept = &kept, .kept_count = 1};
    done = CHECK(fine(b, picus_stepper_find_laws(s, &search))) && CHECK(fine(b, picus_stepper_step(s, 1e-3, &info)));
    s->t += 1e-3;
  }
  return done;
}

/* A snapshot is taken with some laws and restored with others. */
static void snapshots_follow_the_laws(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    bench b;
    REQUIRE(open_bench(&b, for_scheme(one_ball(), SCHEMES[i]), fixed_steps(SCHEMES[i])));
    stepper *s = &b.sim->stepper;
    stepper_snapshot begin = {0}, first = {0}, second = {0};
    REQUIRE(picus_snapshot_create(s, &begin) == PICUS_OK && picus_snapshot_create(s, &first) == PICUS_OK &&
            picus_snapshot_create(s, &second) == PICUS_OK);
    for (int k = 0; k < 430; k++) CHECK(advance(&b));
    picus_snapshot_save(s, &begin);
    picus_stepper_forget_guess(s);
    const sums at_begin = sums_of(b.sim);
    const unsigned long version = s->set->version;
    REQUIRE(advance_from(&b, &begin, 700));
    CHECK(s->set->version > version + 1);
    picus_snapshot_save(s, &first);
    const sums at_end = sums_of(b.sim);
    picus_snapshot_restore(&begin, s);
    picus_stepper_forget_guess(s);
    CHECK_NEAR(sums_of(b.sim).dissipated, at_begin.dissipated, 1e-14);
    CHECK(sums_of(b.sim).impacts == at_begin.impacts);
    REQUIRE(advance_from(&b, &begin, 700));
    picus_snapshot_save(s, &second);
    CHECK(first.t == second.t && memcmp(first.q, second.q, 3 * sizeof(double)) == 0 &&
          memcmp(first.u, second.u, 3 * sizeof(double)) == 0);
    CHECK_NEAR(sums_of(b.sim).dissipated, at_end.dissipated, 1e-13);
    CHECK(sums_of(b.sim).impacts == at_end.impacts);
    picus_snapshot_release(s, &begin);
    picus_snapshot_release(s, &first);
    picus_snapshot_release(s, &second);
    close_bench(&b);
  }
}

/* --- events ------------------------------------------------------------------------------------------------------- */

enum { EVENTS_MOST = 2000, NAMED_MOST = 64 };

typedef struct event_list {
  int fixed; /* laws of the system */
  int count, law_count;
  picus_switching events[EVENTS_MOST];
  char names[NAMED_MOST][PICUS_LAW_NAME];
} event_list;

static picus_status note_law(void *self, const picus_switching *first) {
  event_list *list = self;
  CHECK(first->law == list->fixed + list->law_count && first->name && first->source == 1);
  if (list->law_count < NAMED_MOST)
    snprintf(list->names[list->law_count++], PICUS_LAW_NAME, "%s", first->name ? first->name : "");
  return PICUS_OK;
}
static picus_status note_events(void *self, long count, const picus_switching *switchings) {
  event_list *list = self;
  for (long k = 0; k < count && list->count < EVENTS_MOST; k++) list->events[list->count++] = switchings[k];
  return PICUS_OK;
}
static picus_status count_fixed(void *self, long count, const picus_switching *switchings) {
  for (long k = 0; k < count; k++) CHECK(switchings[k].law == 0);
  *(long *)self += count;
  return PICUS_OK;
}

static void run_with_events(rollers r, picus_sim_options options, event_list *list, picus_summary *summary) {
  bench b;
  picus_recorder *recorder = NULL;
  long of_wall = 0, expected = 0;
  REQUIRE(open_bench(&b, r, options));
  *list = (event_list){.fixed = picus_system_law_count(b.system)};
  const picus_run_description run = {.model = b.model, .system = b.system, .options = &options, .command = ""};
  REQUIRE(fine(&b, picus_recorder_create(b.context, &run, &recorder)));
  const picus_sink sink = {.self = list, .write_switchings = note_events, .write_law = note_law};
  const picus_sink simple = {.self = &of_wall, .write_switchings = count_fixed};
  CHECK(picus_recorder_add_sink(recorder, sink) == PICUS_OK);
  CHECK(picus_recorder_add_sink(recorder, simple) == PICUS_OK);
  CHECK(fine(&b, picus_sim_run(b.sim, recorder, NULL, summary)));
  for (int k = 0; k < list->count; k++) expected += list->events[k].law == 0;
  CHECK(of_wall == expected);
  picus_recorder_destroy(recorder);
  close_bench(&b);
}

static const char *name_of(const event_list *list, int law) {
  return law < list->fixed ? "wall" : list->names[law - list->fixed];
}

static void compare_events(const char *scheme, picus_sim_options options) {
  static event_list near, all;
  picus_summary x, y;
  const rollers r = for_scheme(one_ball(), scheme);
  run_with_events(r, options, &near, &x);
  run_with_events(all_of(r), options, &all, &y);
  CHECK(near.count == all.count && near.count > 10 && near.law_count >= 3);
  long impacts = 0;
  double lost = 0;
  for (int k = 0; k < near.count && k < all.count; k++) {
    const picus_switching *a = &near.events[k], *b = &all.events[k];
    CHECK_TEXT(name_of(&near, a->law), name_of(&all, b->law));
    CHECK(a->t == b->t && a->from == b->from && a->to == b->to && a->PN == b->PN && a->impact == b->impact);
    CHECK_NEAR(a->lost, b->lost, 1e-13);
    CHECK_NEAR(a->lost_before, b->lost_before, 1e-13);
    impacts += a->impact;
    lost += a->lost + a->lost_before;
  }
  printf("  %-16s %d events of %d laws, %ld impacts, %.6g J of %.6g J\n", scheme, near.count, near.law_count, impacts,
         lost, x.energy.dissipated);
  CHECK(impacts == x.impacts && x.impacts == y.impacts);
  CHECK_NEAR(lost, x.energy.dissipated, 1e-3 * x.energy.dissipated); /* but for the time after the last event */
}

static void the_event_log_follows_the_laws(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) compare_events(SCHEMES[i], fixed_steps(SCHEMES[i]));
  compare_events("moreau", adaptive_steps("moreau"));
  compare_events("rattle", adaptive_steps("rattle"));
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

enum { THREADS = 4 };

typedef struct worker {
  const picus_system *system;
  picus_status status;
  double q[3], u[3];
} worker;

static void *run_worker(void *argument) {
  worker *w = argument;
  picus_context *context = NULL;
  picus_sim *sim = NULL;
  const picus_sim_options options = fixed_steps("rattle");
  w->status = picus_context_create(NULL, &context);
  if (!w->status) w->status = picus_sim_create(context, w->system, &options, &sim);
  if (!w->status) w->status = picus_sim_run(sim, NULL, NULL, NULL);
  if (!w->status) {
    memcpy(w->q, picus_sim_state(sim).q, sizeof w->q);
    memcpy(w->u, picus_sim_state(sim).u, sizeof w->u);
  }
  picus_sim_destroy(sim);
  picus_context_destroy(context);
  return NULL;
}

static void threads_share_a_system(void) {
  bench b;
  REQUIRE(open_bench(&b, one_ball(), fixed_steps("rattle")));
  worker alone = {.system = b.system}, workers[THREADS];
  pthread_t threads[THREADS];
  run_worker(&alone);
  CHECK(alone.status == PICUS_OK);
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.system = b.system};
    REQUIRE(pthread_create(&threads[i], NULL, run_worker, &workers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0 && workers[i].status == PICUS_OK);
    CHECK(memcmp(workers[i].q, alone.q, sizeof alone.q) == 0 && memcmp(workers[i].u, alone.u, sizeof alone.u) == 0);
  }
  close_bench(&b);
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

/* The rows of W^T of the ball are normal and tangent, and the point lies between the two surfaces. */
static void places_agree_with_directions(void) {
  bench b;
  const rollers many = many_balls(6);
  if (!open_bench(&b, many, fixed_steps("moreau"))) return;
  int seen = 0, between_balls = 0;
  for (int k = 0; k < 400 && CHECK(advance(&b)); k++) {
    const stepper *s = &b.sim->stepper;
    law_place places[256];
    if (!CHECK(s->set->law_count <= 256)) break;
    picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
    if (!CHECK(fine(&b, picus_present_places(s->evaluation, places))) ||
        !CHECK(fine(&b, picus_evaluation_update_directions(s->evaluation))))
      break;
    for (int i = 0; i < s->set->law_count; i++) {
      const law_place *place = &places[i];
      const double *own = s->q + 3 * place->body[0];
      double u[3 * BALLS_MOST] = {0}, gamma[2];
      u[3 * place->body[0]] = 0.3;
      u[3 * place->body[0] + 1] = -0.7;
      for (int r = 0; r < 2; r++) {
        const system_law *law = &s->set->laws[i];
        gamma[r] = picus_law_row_dot(b.system, law, picus_law_row(law, s->evaluation->W, r), u);
      }
      CHECK_NEAR(gamma[0], 0.3 * place->normal[0] - 0.7 * place->normal[1], 1e-15);
      CHECK_NEAR(gamma[1], 0.3 * place->tangent[0] - 0.7 * place->tangent[1], 1e-15);
      const double reach = hypot(own[0] - place->point[0], own[1] - place->point[1]);
      CHECK(reach > 0.2 - 0.05 && reach < 0.2 + 0.05);
      seen++;
      if (place->body[1] < 0) continue;
      between_balls++;
      const double *other = s->q + 3 * place->body[1];
      CHECK_NEAR(hypot(other[0] - place->point[0], other[1] - place->point[1]), reach, 1e-14);
    }
  }
  CHECK(seen > 1000 && between_balls > 10);
  CHECK(picus_system_body_count(b.system) == 6);
  CHECK(strcmp(picus_system_body_name(b.system, 5), "ball5") == 0);
  close_bench(&b);
}

static void a_key_belongs_to_one_law(void) {
  rollers r = one_ball();
  r.margin = 1;
  r.repeat_key = true;
  bench b;
  REQUIRE(open_bench(&b, r, fixed_steps("moreau")));
  CHECK(picus_sim_step(b.sim, 0, NULL) == PICUS_ERROR_ARGUMENT);
  CHECK_TEXT(picus_last_error(b.context)->message,
             "the source 'rollers' lists two laws with the key 0000000000000001; give every law a unique key");
  CHECK(picus_sim_present_count(b.sim) == 1 && picus_sim_state(b.sim).t == 0);
  close_bench(&b);
}

static void friction_that_appears_is_rejected_like_any_other(void) {
  bench b;
  REQUIRE(open_bench(&b, one_ball(), fixed_steps("schatzman-paoli")));
  picus_status status = PICUS_OK;
  for (int k = 0; k < 600 && !status; k++) status = picus_sim_step(b.sim, 0, NULL);
  CHECK(status == PICUS_ERROR_UNSUPPORTED);
  CHECK(strstr(picus_last_error(b.context)->message, "does not support friction, but 'ball0-roller") != NULL);
  close_bench(&b);
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      {"a_ball_rolls_the_same_in_every_scheme", a_ball_rolls_the_same_in_every_scheme},
      {"rates_need_not_be_velocities", rates_need_not_be_velocities},
      {"named_contacts_give_the_same_motion", named_contacts_give_the_same_motion},
      {"adaptive_runs_are_the_same", adaptive_runs_are_the_same},
      {"the_order_of_keys_does_not_matter", the_order_of_keys_does_not_matter},
      {"large_sets_change_too", large_sets_change_too},
      {"rolling_laws_follow_their_contacts", rolling_laws_follow_their_contacts},
      {"rolling_laws_in_adaptive_runs", rolling_laws_in_adaptive_runs},
      {"contacts_of_the_gap_term_are_listed", contacts_of_the_gap_term_are_listed},
      {"strokes_at_one_time_cost_no_more_for_each_law", strokes_at_one_time_cost_no_more_for_each_law},
      {"a_stroke_evaluates_its_own_law", a_stroke_evaluates_its_own_law},
      {"steps_allocate_nothing_once_there_is_room", steps_allocate_nothing_once_there_is_room},
      {"a_step_without_memory_can_be_repeated", a_step_without_memory_can_be_repeated},
      {"a_restart_equals_a_new_simulation", a_restart_equals_a_new_simulation},
      {"snapshots_follow_the_laws", snapshots_follow_the_laws},
      {"the_event_log_follows_the_laws", the_event_log_follows_the_laws},
      {"threads_share_a_system", threads_share_a_system},
      {"places_agree_with_directions", places_agree_with_directions},
      {"a_key_belongs_to_one_law", a_key_belongs_to_one_law},
      {"friction_that_appears_is_rejected_like_any_other", friction_that_appears_is_rejected_like_any_other},
  };
  return test_main(argc, argv, "laws_appear", cases, sizeof cases / sizeof cases[0]);
}
