/* Granular matter of a hundred bodies: what it may spend on factorizations, and that nothing jumps where a law is
 * added. */
#include "contact/internal.h"
#include "solver/plan.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const picus_limits limits = {.others_follow = true};
static const picus_stage sweeping = {.ops = &picus_gs_solver, .limits = &limits};
static const picus_stage path = {.ops = &picus_homotopy_solver};

/* The promise: in the long run factorizations take as much work as the sweeps and the other parts of the steps, the
 * unit being a sweep over one row, and no more than the savings beyond that at any time. */
static void paths_are_paid_by_sweeps(void) {
  enum { LAWS = 200, ROWS = 600, SWEEPS = 100, PATH = 200, STEPS = 20000 };
  picus_budget b = picus_budget_new();
  CHECK(!picus_budget_is_spent(&b));
  picus_budget_settle(&b, LAWS, ROWS);
  const double savings = b.left; /* no more than can be saved up */
  CHECK(isfinite(savings) && savings > 0);
  double earned = 0, spent = 0;
  for (long k = 0; k < STEPS; k++) { /* each step is hard: sweeps, then a path if it may */
    const bool may = !picus_budget_is_spent(&b);
    const double before = b.left;
    picus_budget_note(&b, &sweeping, SWEEPS, ROWS);
    if (may) picus_budget_note(&b, &path, PATH, ROWS);
    picus_budget_settle(&b, LAWS, ROWS);
    earned += (double)ROWS * SWEEPS;
    spent += may ? before - b.left : 0;
    CHECK(may ? b.left < before : b.left >= before + (double)ROWS * SWEEPS);
    CHECK(spent <= savings + 2 * earned + 50.0 * PATH * ROWS); /* one path may be begun with little */
  }
  CHECK(spent > 0.9 * earned);
  for (int k = 0; k < 200; k++) picus_budget_settle(&b, LAWS, ROWS); /* at rest it recovers */
  CHECK(!picus_budget_is_spent(&b));
}

/* The promise for tens of bodies: in the long run what is sought beyond creep takes as much work as the other parts of
 * the steps, 25 sweeps, and no more than the savings of 100 factorizations beyond that at any time. */
static void searches_are_paid_by_steps(void) {
  enum { ROWS = 90, SEARCH = 60, STEPS = 20000 };
  const double step = 25.0 * ROWS, factorization = 25.0 * ROWS;
  picus_budget b = picus_budget_new();
  long searched = 0;
  CHECK(picus_budget_searches(&b));
  picus_budget_settle_search(&b, ROWS);
  for (long k = 1; k <= STEPS; k++) { /* each step is hard */
    if (picus_budget_searches(&b)) {
      picus_budget_note_search(&b, &path, SEARCH, ROWS);
      searched += SEARCH;
    }
    picus_budget_settle_search(&b, ROWS);
    CHECK((double)searched * factorization <= (double)k * step + (100 + SEARCH) * factorization);
  }
  CHECK((double)searched * factorization > 0.9 * STEPS * step);
  static const picus_limits weighing = {.others_follow = true, .rate_seen = 3};
  static const picus_stage first = {.ops = &picus_gs_solver, .limits = &weighing};
  const double before = b.search_left;
  picus_budget_note_search(&b, &first, 1000, ROWS); /* sweeps that every problem begins with take nothing */
  picus_budget_settle_search(&b, ROWS);
  CHECK(b.search_left > before);
}

/* Parts of a problem may be noted in any order, by anyone. */
static void parts_add_up(void) {
  picus_budget one = picus_budget_new(), two = picus_budget_new(), other = picus_budget_new();
  picus_budget_settle(&one, 300, 900);
  picus_budget_settle(&two, 300, 900);
  picus_budget_note(&one, &sweeping, 7, 301);
  picus_budget_note(&one, &path, 31, 599);
  picus_budget_note(&other, &path, 31, 599);
  picus_budget_note(&two, &sweeping, 7, 301);
  picus_budget_take(&two, &other);
  CHECK(other.swept == 0 && other.factored == 0);
  picus_budget_note_search(&one, &path, 31, 99);
  picus_budget_note_search(&other, &path, 31, 99);
  picus_budget_take(&two, &other);
  CHECK(one.searched == two.searched && other.searched == 0);
  picus_budget_settle(&one, 300, 900);
  picus_budget_settle(&two, 300, 900);
  CHECK(one.left == two.left);
}

/* How many of the problems sweeps try in vain, if from a warm start they would solve every n-th one (0: none), and
 * newton solves what they leave. */
static int vain_sweeps(int every, int problems) {
  static const picus_stage first = {.ops = &picus_gs_solver, .tells_pause = true};
  static const picus_stage second = {.ops = &picus_newton_solver, .tells_pause = true};
  enum { ROWS = 240 };
  picus_budget b = picus_budget_new();
  int vain = 0, tries = 0;
  for (int k = 0; k < problems; k++) {
    bool solved = false;
    if (!picus_budget_steps_first(&b)) {
      solved = every > 0 && tries++ % every == 0;
      vain += !solved;
      picus_budget_note_warm(&b, &first, solved, ROWS);
    }
    if (!solved) picus_budget_note_warm(&b, &second, true, ROWS);
    picus_budget_settle_warm(&b);
  }
  return vain;
}

/* Sweeps that always succeed never wait; those that fail hardly cost anything, also if they succeed now and then. */
static void sweeps_wait_after_failures(void) {
  CHECK(vain_sweeps(1, 10000) == 0);
  CHECK(vain_sweeps(0, 100) <= 4 && vain_sweeps(0, 10000) <= 45);
  CHECK(vain_sweeps(2, 10000) <= 100 && vain_sweeps(3, 10000) <= 100);
}

/* If newton fails, the next problem begins with sweeps. Small problems tell nothing. */
static void sweeps_return_if_newton_fails(void) {
  static const picus_stage stepping = {.ops = &picus_newton_solver, .tells_pause = true};
  picus_budget b = picus_budget_new();
  picus_budget_note_warm(&b, &stepping, true, PICUS_GUESSES_ROWS);
  picus_budget_settle_warm(&b);
  CHECK(!picus_budget_steps_first(&b));
  picus_budget_note_warm(&b, &stepping, true, PICUS_GUESSES_ROWS + 1);
  picus_budget_settle_warm(&b);
  CHECK(picus_budget_steps_first(&b));
  picus_budget_settle_warm(&b); /* a problem without a warm start */
  CHECK(picus_budget_steps_first(&b));
  picus_budget_note_warm(&b, &stepping, false, PICUS_GUESSES_ROWS + 1);
  picus_budget_settle_warm(&b);
  CHECK(!picus_budget_steps_first(&b));
}

static void large_problems_earn_nothing(void) {
  picus_budget b = picus_budget_new();
  picus_budget_settle(&b, PICUS_MANY_LAWS, 3 * PICUS_MANY_LAWS);
  picus_budget_note(&b, &path, 1000, 3 * PICUS_MANY_LAWS);
  for (int k = 0; k < 100000; k++) picus_budget_settle(&b, PICUS_MANY_LAWS, 3 * PICUS_MANY_LAWS);
  CHECK(picus_budget_is_spent(&b));
}

/* From a small problem to granular matter, law by law. */
static void nothing_jumps(void) {
  picus_context *context;
  picus_solver *solver;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_solver_create(context, NULL, &solver) == PICUS_OK);
  picus_solver_set_many(solver, (picus_many){.tolerance = 5e-11, .accept_residual = 0.1});
  double before = picus_solver_tolerance(solver, 1);
  CHECK(before == picus_default_solver_options().tolerance);
  for (int laws = 2; laws < 3000; laws++) {
    const double now = picus_solver_tolerance(solver, laws);
    CHECK(now >= before && now <= 1.01 * before);
    CHECK(fabs(picus_granular_share(laws) - picus_granular_share(laws - 1)) < 0.003);
    before = now;
  }
  CHECK(before == 5e-11);
  picus_solver_destroy(solver);
  picus_context_destroy(context);
}

static bool step_to(simulation *s, double t) {
  picus_status status = PICUS_OK;
  while (!status && picus_sim_state(s->sim).t < t) status = picus_sim_step(s->sim, 0, NULL);
  if (status) printf("  %s\n", picus_last_error(s->context)->message);
  return !status;
}

static int differences(const simulation *s, const simulation *other) {
  const picus_state a = picus_sim_state(s->sim), b = picus_sim_state(other->sim);
  int different = 0;
  for (int k = 0; k < picus_system_nq(s->system); k++) different += a.q[k] != b.q[k];
  for (int k = 0; k < picus_system_nu(s->system); k++) different += a.u[k] != b.u[k];
  return different;
}

static bool copy_state(simulation *from, simulation *to) {
  size_t size = 0;
  picus_status status = picus_sim_save(from->sim, NULL, 0, &size);
  void *data = malloc(size);
  if (!status) status = data ? picus_sim_save(from->sim, data, size, &size) : PICUS_ERROR_MEMORY;
  if (!status) status = picus_sim_load(to->sim, data, size, PICUS_LOAD_SAME_MODEL);
  free(data);
  return !status;
}

typedef struct interrupted {
  const char *model, *size;
  double restarted, saved, end; /* s */
} interrupted;

/* What a heap that settles has spent is part of its state: a run that is saved meanwhile continues with the same bits,
 * and one that starts again has the bits of a new one. */
static void check_interrupted(const interrupted *run) {
  simulation s, other;
  picus_sim_options options;
  enum { MOST = 600 };
  double q[MOST], u[MOST];
  REQUIRE(simulation_load(&s, run->model, run->size, &options) && simulation_start(&s, &options));
  REQUIRE(simulation_load(&other, run->model, run->size, &options) && simulation_start(&other, &options));
  REQUIRE(step_to(&other, run->restarted) && step_to(&s, run->end));
  REQUIRE(picus_system_nq(s.system) <= MOST && picus_system_nu(s.system) <= MOST);
  picus_system_start(s.system, q, u);
  REQUIRE(picus_sim_set_state(s.sim, 0, q, u) == PICUS_OK && step_to(&s, run->restarted));
  CHECK(differences(&s, &other) == 0);
  REQUIRE(step_to(&s, run->saved) && copy_state(&s, &other));
  REQUIRE(step_to(&s, run->end) && step_to(&other, run->end));
  CHECK(differences(&s, &other) == 0);
  simulation_close(&s);
  simulation_close(&other);
}

static void what_is_spent_belongs_to_the_state(void) {
  const bool reduced = test_is_reduced();
  check_interrupted(reduced ? &(interrupted){"disks", "n=150", 0.06, 0.1, 0.11}
                            : &(interrupted){"disks", "n=150", 0.12, 0.16, 0.2});
  check_interrupted(&(interrupted){"spheres", "n=15", 0.14, 0.2, 0.24});
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"paths_are_paid_by_sweeps", paths_are_paid_by_sweeps},
                                    {"searches_are_paid_by_steps", searches_are_paid_by_steps},
                                    {"parts_add_up", parts_add_up},
                                    {"sweeps_wait_after_failures", sweeps_wait_after_failures},
                                    {"sweeps_return_if_newton_fails", sweeps_return_if_newton_fails},
                                    {"large_problems_earn_nothing", large_problems_earn_nothing},
                                    {"nothing_jumps", nothing_jumps},
                                    {"what_is_spent_belongs_to_the_state", what_is_spent_belongs_to_the_state}};
  return test_main(argc, argv, "solver_budget", cases, sizeof cases / sizeof cases[0]);
}
