/* Steps that go on with a residual above the tolerance: counted, named, and in every recorded row. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A column of disks that one sweep does not solve, and a disk apart from them that it solves exactly. */
#define SCENE                                                                                                          \
  "model 'column'\n"                                                                                                   \
  "gravity {0, -10}\n"                                                                                                 \
  "material {'default', mu = 0.3}\n"                                                                                   \
  "half_space {'floor', normal = {0, 1}}\n"                                                                            \
  "disk {'alone', suffix = 'a', radius = 0.1, mass = 1, position = {-2, 0.1}}\n"                                       \
  "for i = 1, 12 do\n"                                                                                                 \
  "  disk {'disk' .. i, suffix = tostring(i), radius = 0.1, mass = 1, position = {0, 0.2 * i - 0.1}}\n"                \
  "end\n"
static const char COLUMN[] = SCENE "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.03}\n";
static const char STRICT[] = SCENE "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.03, accept_residual = 0}\n";
static const char BALL[] =
    "model 'ball'\nlocal q, u = coordinates {{'y', velocity = 'v', start = {1, 0}}}\nkinetic(u.v^2 / 2)\n"
    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.01}\n";

enum { STEPS = 30, ROWS = 64 };

/* What the steps say, and what the rows have. */
typedef struct seen {
  int steps, rows, accepted, several; /* several: accepted with more laws than are named */
  double of_step[STEPS];              /* residual of the problem, computed again */
  double of_row[ROWS];
  int column;
} seen;

static void watch(void *user, const picus_watched_problem *w) {
  seen *s = user;
  if (s->steps < STEPS) s->of_step[s->steps] = picus_contact_residual(w->problem, w->P, NULL).relative;
}

static int note_step(void *user, picus_sim *sim, const picus_step_info *info) {
  seen *s = user;
  (void)sim;
  if (!info || s->steps >= STEPS) return 0;
  CHECK(info->solver.residual == s->of_step[s->steps]);
  CHECK(info->solver.last.accepted == (info->solver.worst.above > 0));
  s->accepted += info->solver.last.accepted;
  s->several += info->solver.worst.above > PICUS_WORST_LAWS;
  for (int k = 0; k < info->solver.worst.above && k < PICUS_WORST_LAWS; k++) {
    CHECK(info->solver.worst.relative[k] > 1e-12);
    CHECK(k == 0 ? fabs(info->solver.worst.relative[0] - info->solver.residual) <= 1e-12 * info->solver.residual
                 : info->solver.worst.relative[k] <= info->solver.worst.relative[k - 1]);
  }
  s->steps++;
  return 0;
}

static picus_status open_sink(void *self, const picus_run_description *run, int count, const picus_column *columns) {
  seen *s = self;
  (void)run;
  for (int k = 0; k < count; k++)
    if (strcmp(columns[k].name, "solver.residual") == 0) s->column = k;
  return PICUS_OK;
}

static picus_status write_rows(void *self, long rows, int columns, const double *values) {
  seen *s = self;
  for (long k = 0; k < rows && s->rows < ROWS && s->column >= 0; k++)
    s->of_row[s->rows++] = values[k * columns + s->column];
  return PICUS_OK;
}

/* One sweep a step if `sweeps` is 1. */
static picus_status run(const char *text, int sweeps, long every, seen *s, picus_summary *summary) {
  simulation m;
  picus_sim_options options;
  *s = (seen){.column = -1};
  if (!simulation_load_text(&m, text, &options)) return PICUS_ERROR_ARGUMENT;
  options.every = every;
  if (sweeps > 0) {
    options.solver.solver = "gs";
    options.solver.max_iterations = sweeps;
    options.solver.no_fallback = true;
    if (options.solver.accept_residual < 0) options.solver.accept_residual = 0.9;
  }
  picus_status status = PICUS_ERROR_ARGUMENT;
  if (simulation_start(&m, &options)) {
    const picus_run_hooks hooks = {.user = s, .step = note_step};
    const picus_run_description what = {.model = m.model, .system = m.system, .options = picus_sim_options_of(m.sim)};
    picus_recorder *recorder = NULL;
    picus_sim_watch_contacts(m.sim, watch, s);
    if (CHECK(!picus_recorder_create(m.context, &what, &recorder)) &&
        CHECK(!picus_recorder_add_sink(recorder, (picus_sink){.self = s, .open = open_sink, .write = write_rows})))
      status = picus_sim_run(m.sim, recorder, &hooks, summary);
    picus_recorder_destroy(recorder);
  }
  simulation_close(&m);
  return status;
}

static void steps_are_counted_and_named(void) {
  seen s;
  picus_summary sum;
  CHECK(run(COLUMN, 1, 1, &s, &sum) == PICUS_OK);
  const picus_accepted_residual *worst = &sum.solver.worst_accepted;
  printf("  %ld of %ld steps accepted, at most %.3g at t = %g: %ld laws, '%s' %.3g, '%s' %.3g, '%s' %.3g\n",
         sum.solver.accepted, sum.steps, worst->relative, worst->t, worst->laws, worst->name[0], worst->of_law[0],
         worst->name[1], worst->of_law[1], worst->name[2], worst->of_law[2]);
  CHECK(s.steps == STEPS && s.accepted > 0 && s.accepted == sum.solver.accepted);
  CHECK(s.several > 0);
  double largest = 0;
  int at = -1;
  for (int k = 0; k < STEPS; k++)
    if (s.of_step[k] > largest) largest = s.of_step[at = k];
  CHECK(worst->relative == sum.solver.worst_residual && sum.solver.worst_residual == largest);
  CHECK_NEAR(worst->t, 1e-3 * (at + 1), 1e-12);
  CHECK(worst->laws >= 1 && worst->laws <= 12);
  for (int k = 0; k < PICUS_WORST_LAWS; k++) {
    CHECK((worst->name[k][0] != 0) == (k < worst->laws));
    CHECK(strstr(worst->name[k], "alone") == NULL);
    if (k < worst->laws) CHECK(strstr(worst->name[k], "disk") != NULL);
  }
}

/* Every row has the largest residual of its steps. */
static void rows_have_residuals(void) {
  seen s;
  picus_summary sum;
  for (int every = 1; every <= 4; every += 3) {
    CHECK(run(COLUMN, 1, every, &s, &sum) == PICUS_OK);
    CHECK(s.column >= 0 && s.rows == 1 + (STEPS + every - 1) / every);
    CHECK(s.of_row[0] == 0);
    for (int row = 1, step = 0; row < s.rows; row++) {
      double largest = 0;
      for (int k = 0; k < every && step < STEPS; k++) largest = fmax(largest, s.of_step[step++]);
      CHECK(s.of_row[row] == largest);
    }
  }
}

/* A run that solves its problems has the column with what is left, and nothing to warn about. */
static void solved_steps_are_not_counted(void) {
  seen s;
  picus_summary sum;
  CHECK(run(COLUMN, 0, 1, &s, &sum) == PICUS_OK);
  CHECK(sum.solver.accepted == 0 && s.accepted == 0 && sum.solver.worst_accepted.laws == 0 &&
        sum.solver.worst_accepted.name[0][0] == 0);
  CHECK(s.column >= 0 && s.rows == STEPS + 1);
  for (int row = 0; row < s.rows; row++) CHECK(s.of_row[row] <= 1e-12);
}

/* Without leave such a step is an error, and there is no column. */
static void without_leave_it_is_an_error(void) {
  seen s;
  picus_summary sum;
  CHECK(run(STRICT, 1, 1, &s, &sum) == PICUS_NOT_CONVERGED);
  CHECK(sum.status == PICUS_NOT_CONVERGED && sum.solver.accepted == 0);
  CHECK(run(STRICT, 0, 1, &s, &sum) == PICUS_OK);
  CHECK(s.column < 0 && sum.solver.accepted == 0);
  CHECK(run(BALL, 0, 1, &s, &sum) == PICUS_OK);
  CHECK(s.column < 0);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"steps_are_counted_and_named", steps_are_counted_and_named},
      {"rows_have_residuals", rows_have_residuals},
      {"solved_steps_are_not_counted", solved_steps_are_not_counted},
      {"without_leave_it_is_an_error", without_leave_it_is_an_error},
  };
  return test_main(argc, argv, "accepted_residual", cases, sizeof cases / sizeof *cases);
}
