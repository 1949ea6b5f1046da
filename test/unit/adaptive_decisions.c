/* The decisions of an adaptive run follow tables IV to VI of Studer (2008), and "accept and proceed" of its 9.3. */
#include "support/check.h"

#include <picus/picus.h>

#include <math.h>
#include <stdio.h>

typedef struct decisions {
  double dt_min, dt_max;
  long count, kinds[PICUS_DECISION_FAILED + 1], base_steps, rejected;
  picus_decision last;
} decisions;

/* Each decision against the one before. */
static void follow(void *user, const picus_decision *d) {
  decisions *all = user;
  const picus_decision *before = &all->last;
  const double slack = 1e-9 * all->dt_min + 4e-15; /* and the round-off of t */
  const double t_end = d->t + d->dt;
  const double accepted = all->count ? before->t_accepted : d->t, previous = all->count ? before->t_previous : d->t;
  CHECK(d->kind <= PICUS_DECISION_FAILED && picus_decision_name((int)d->kind) != NULL);
  CHECK_NEAR(d->t, previous, slack); /* the step goes on from the previous one */
  CHECK(d->t_accepted >= accepted && d->t_previous >= d->t_accepted);
  CHECK(d->dt_next >= all->dt_min * (1 - 1e-9) && d->dt_next <= all->dt_max * (1 + 1e-9));
  switch (d->kind) {
  case PICUS_DECISION_SMOOTH: /* table IV */
    CHECK_NEAR(d->t_previous, t_end, slack);
    CHECK(d->t_accepted == d->t_previous || d->t_accepted == previous);
    CHECK(d->dt_next >= d->dt * (1 - 1e-9));
    break;
  case PICUS_DECISION_INACCURATE:
    CHECK(d->t_accepted == accepted && d->t_previous == previous && d->dt_next < d->dt && d->error > 1);
    break;
  case PICUS_DECISION_DETECTED: /* table V: back to the accepted step */
    CHECK(d->t_accepted == accepted && d->t_previous == accepted);
    CHECK(d->dt_next < fmax(d->dt, d->t - accepted)); /* half of it, or less where an impact is predicted */
    all->rejected += previous > accepted ? 2 : 1;
    break;
  case PICUS_DECISION_RESOLVED: /* table VI */
    CHECK(d->order == 1 && d->t_accepted == d->t_previous && d->dt <= all->dt_min * (1 + 1e-9));
    CHECK_NEAR(d->t_accepted, t_end, slack);
    CHECK_NEAR(d->dt_next, fmin(3 * all->dt_min, all->dt_max), 1e-9 * all->dt_min);
    break;
  default:
    break;
  }
  all->kinds[d->kind]++;
  all->rejected += d->kind == PICUS_DECISION_INACCURATE;
  all->base_steps += d->base_steps;
  all->count++;
  all->last = *d;
}

static bool run_watched(const char *model, const picus_sim_options *o, picus_decision_fn watch, void *user,
                        decisions *all, picus_summary *summary) {
  picus_context *context = NULL;
  picus_model *loaded = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  *all = (decisions){.dt_min = o->dt_min, .dt_max = o->dt_max};
  bool fine = CHECK(!picus_context_create(NULL, &context)) && CHECK(!picus_model_load(context, model, NULL, &loaded)) &&
              CHECK(!picus_system_create(loaded, &system)) && CHECK(!picus_sim_create(context, system, o, &sim));
  if (fine) {
    picus_sim_watch_decisions(sim, watch, user);
    fine = CHECK(!picus_sim_run(sim, NULL, NULL, summary));
  }
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(loaded);
  picus_context_destroy(context);
  return fine;
}

static bool run(const char *model, const picus_sim_options *o, decisions *all, picus_summary *summary) {
  return run_watched(model, o, follow, all, all, summary);
}

static picus_sim_options adaptive(double dt_min, double dt_max, double tolerance, int order_max, double t_end) {
  picus_sim_options o = picus_default_sim_options();
  o.scheme = "moreau";
  o.adaptive = true;
  o.dt_min = dt_min;
  o.dt_max = dt_max;
  o.atol = o.rtol = tolerance;
  o.order_max = order_max;
  o.t_end = t_end;
  return o;
}

static void decisions_follow_the_tables(void) {
  static const struct {
    const char *model;
    double dt_min, dt_max, tolerance, t_end;
  } cases[] = {{"falling-mass", 1e-5, 0.05, 1e-8, 1.5},
               {"sliding-mass", 1e-6, 0.1, 1e-9, 6},
               {"impact-oscillator", 1e-7, 0.02, 1e-8, 2},
               {"woodpecker", 1e-7, 5e-3, 1e-6, 0.3}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const picus_sim_options o = adaptive(cases[k].dt_min, cases[k].dt_max, cases[k].tolerance, 6, cases[k].t_end);
    decisions all;
    picus_summary summary;
    REQUIRE(run(cases[k].model, &o, &all, &summary));
    printf("  %-18s %ld decisions: %ld smooth, %ld inaccurate, %ld detected, %ld resolved\n", cases[k].model, all.count,
           all.kinds[PICUS_DECISION_SMOOTH], all.kinds[PICUS_DECISION_INACCURATE], all.kinds[PICUS_DECISION_DETECTED],
           all.kinds[PICUS_DECISION_RESOLVED]);
    CHECK(all.kinds[PICUS_DECISION_SMOOTH] > 0 && all.kinds[PICUS_DECISION_RESOLVED] > 0);
    CHECK(all.kinds[PICUS_DECISION_RESOLVED] >= summary.adaptive.switching_points); /* the first step is none */
    CHECK(all.kinds[PICUS_DECISION_RESOLVED] <= summary.adaptive.switching_points + 1);
    CHECK(all.rejected <= summary.adaptive.rejected && all.base_steps <= summary.adaptive.base_steps);
    CHECK_NEAR(all.last.t_previous, cases[k].t_end, 1e-12);
  }
}

/* The tables as printed, with --step-control paper: every size follows from the decision alone. */
typedef struct printed_search {
  decisions all;
  double t_end;
  long halved, doubled;
} printed_search;

static void follow_printed(void *user, const picus_decision *d) {
  printed_search *s = user;
  const double dt_min = s->all.dt_min, slack = 1e-9 * dt_min;
  const bool is_least = d->dt <= dt_min * (1 + 1e-9);
  follow(&s->all, d);
  CHECK(d->base_steps >= 1 && (d->order < 2 || d->dt / (2 * d->order - 1) >= dt_min * (1 - 1e-9)));
  if (d->kind == PICUS_DECISION_DETECTED || d->kind == PICUS_DECISION_INACCURATE) {
    CHECK_NEAR(d->dt_next, 0.5 * d->dt < 3 * dt_min ? dt_min : 0.5 * d->dt, slack);
    s->halved++;
  }
  if (d->kind == PICUS_DECISION_SMOOTH && d->t + d->dt < s->t_end - slack) { /* not shortened */
    const double larger = fmin(fmax(2 * d->dt, 3 * dt_min), s->all.dt_max);
    CHECK(fabs(d->dt_next - d->dt) <= slack || fabs(d->dt_next - larger) <= slack);
    if (d->t + d->dt <= d->t_no_increase - slack) CHECK_NEAR(d->dt_next, d->dt, slack);
    s->doubled += d->dt_next > 1.5 * d->dt;
    CHECK(!is_least || d->t_accepted == d->t_previous); /* accepted at once */
  }
}

static void printed_decisions_double_and_halve(void) {
  picus_sim_options o = adaptive(1e-5, 0.05, 1e-8, 6, 0.3);
  o.step_control = PICUS_STEP_CONTROL_PAPER;
  o.restitution = PICUS_RESTITUTION_ALWAYS;
  static const char *const models[] = {"falling-mass", "impact-oscillator"};
  for (int k = 0; k < 2; k++) {
    printed_search search = {.t_end = o.t_end};
    picus_summary summary;
    REQUIRE(run_watched(models[k], &o, follow_printed, &search, &search.all, &summary));
    printf("  %s: %ld attempts, %ld halved, %ld doubled, %ld base steps\n", models[k], search.all.count, search.halved,
           search.doubled, summary.adaptive.base_steps);
    CHECK(search.halved > 10 && search.doubled > 10 && search.all.kinds[PICUS_DECISION_RESOLVED] > 1);
  }
}

/* With order 2 and a tight tolerance steps miss it: they are repeated, or accepted and counted. */
static void inaccurate_steps_are_accepted_on_request(void) {
  picus_sim_options o = adaptive(1e-7, 5e-3, 1e-7, 2, 0.1);
  decisions strict, lax;
  picus_summary strict_summary, lax_summary;
  REQUIRE(run("woodpecker", &o, &strict, &strict_summary));
  o.accept_inaccurate = true;
  REQUIRE(run("woodpecker", &o, &lax, &lax_summary));
  printf("  repeated: %ld base steps, %ld missed; accepted: %ld base steps, %ld missed, at most %.3g times\n",
         strict_summary.adaptive.base_steps, strict_summary.adaptive.missed, lax_summary.adaptive.base_steps,
         lax_summary.adaptive.missed, lax_summary.adaptive.worst_miss);
  CHECK(strict.kinds[PICUS_DECISION_INACCURATE] > 10);
  CHECK(lax.kinds[PICUS_DECISION_INACCURATE] == 0 && lax_summary.adaptive.missed > 0 &&
        lax_summary.adaptive.worst_miss > 1);
  CHECK(lax_summary.adaptive.base_steps < strict_summary.adaptive.base_steps);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"decisions_follow_the_tables", decisions_follow_the_tables},
      {"printed_decisions_double_and_halve", printed_decisions_double_and_halve},
      {"inaccurate_steps_are_accepted_on_request", inaccurate_steps_are_accepted_on_request},
  };
  return test_main(argc, argv, "adaptive_decisions", cases, (int)(sizeof cases / sizeof *cases));
}
