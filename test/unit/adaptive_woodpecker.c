/* Adaptive runs of the woodpecker toy against its event-driven reference (Studer, Leine and Glocker 2008, 10.4). */
#include "support/check.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool run(adaptive_run options, recorded_rows *rows, picus_summary *summary) {
  simulation s;
  *rows = (recorded_rows){0};
  bool fine = simulation_open_adaptive(&s, "woodpecker", "", options) && simulation_run(&s, rows, summary);
  simulation_close(&s);
  return fine;
}

/* --- switching points ------------------------------------------------------------------------------------------------
 */

/* The reference's text columns are not numbers: its laws in the order of time, as in Studer 2008, Table VII, from where
 * on the toy repeats itself. U unilateral (open 0, closed 1), F friction (stick 1, slip 2). */
typedef struct event {
  char law;
  int contact, from, to;
} event;
static const event table_VII[] = {
    {'F', 2, 2, 1}, {'F', 2, 1, 2}, {'U', 2, 1, 0}, {'U', 3, 0, 1}, {'U', 3, 1, 0}, {'U', 1, 0, 1},
    {'U', 1, 1, 0}, {'U', 3, 0, 1}, {'U', 3, 1, 0}, {'U', 2, 0, 1}, {'U', 2, 1, 0}, {'U', 2, 0, 1},
};
enum { EVENTS = sizeof table_VII / sizeof table_VII[0], FOUND_MOST = 256 };

static int list_events(const recorded_rows *rows, event *found, double *times) {
  static const char *const columns[] = {"beak.mode", "lower.mode", "upper.mode"};
  int count = 0;
  for (long i = 2; i < rows->row_count; i++)
    for (int c = 0; c < 3 && count < FOUND_MOST; c++) {
      int was = (int)recorded_value(rows, i - 1, columns[c]), is = (int)recorded_value(rows, i, columns[c]);
      if (was == is) continue;
      times[count] = recorded_value(rows, i, "t");
      if ((was == PICUS_OPEN) != (is == PICUS_OPEN))
        found[count++] = (event){'U', c + 1, was != PICUS_OPEN, is != PICUS_OPEN};
      else
        found[count++] = (event){'F', c + 1, was, is};
    }
  return count;
}

/* All events of the first second, seven periods, in the order of Table VII, each `within` s of the reference. */
static void check_events(adaptive_run options, double within) {
  reference_table *table = reference_read("woodpecker_A_switching.csv");
  REQUIRE(table);
  recorded_rows rows;
  picus_summary summary = {0};
  event found[FOUND_MOST] = {0};
  double times[FOUND_MOST] = {0}, latest = 0;
  REQUIRE(run(options, &rows, &summary));
  int count = list_events(&rows, found, times);
  CHECK(count == table->row_count && count == 84 && summary.adaptive.switching_points == 84);
  for (int i = 0; i < count && i < table->row_count; i++) {
    const event *is = &found[i], *should = &table_VII[i % EVENTS];
    bool same =
        is->law == should->law && is->contact == should->contact && is->from == should->from && is->to == should->to;
    if (!CHECK(same)) printf("  %d: %c%d %d -> %d at %.9f\n", i, is->law, is->contact, is->from, is->to, times[i]);
    latest = fmax(latest, fabs(times[i] - reference_value(table, i, "t")));
  }
  printf("  dt_min = %.0e: %d events within %.1e s; %ld steps of order %ld at most, %ld base steps\n", options.dt_min,
         count, latest, summary.steps, summary.adaptive.order_largest, summary.adaptive.base_steps);
  CHECK(latest < within);
  reference_free(table);
  recorded_rows_free(&rows);
}

static void events_are_those_of_table_VII(void) {
  check_events((adaptive_run){.dt_min = 1e-7, .dt_max = 5e-3, .order_max = 6}, 2e-5);
  check_events((adaptive_run){.dt_min = 1e-12, .dt_max = 5e-3, .order_max = 8, .tolerance = 1e-11}, 1e-8);
}

/* --- accuracy
 * --------------------------------------------------------------------------------------------------------- */

/* Largest error of the angles (rad) and of y (m) over all multiples of 1 ms up to t_end. */
static double worst_error(adaptive_run options, const reference_table *table, picus_summary *summary) {
  recorded_rows rows;
  options.sample = 1e-3;
  if (!run(options, &rows, summary)) return NAN;
  double worst = 0;
  static const char *const columns[] = {"y", "phiM", "phiS"};
  CHECK(rows.row_count > 10);
  for (long i = 0; i < rows.row_count; i++)
    for (int c = 0; c < 3; c++)
      worst = fmax(worst, fabs(recorded_value(&rows, i, columns[c]) - reference_value(table, i, columns[c])));
  recorded_rows_free(&rows);
  return worst;
}

static void one_second_to_1e_8(void) {
  reference_table *table = reference_read("woodpecker_A_1ms.csv");
  REQUIRE(table);
  static const double dt_min[] = {1e-7, 1e-9, 1e-11, 1e-13};
  static const double bounds[] = {2e-4, 5e-6, 1e-8, 2e-10};
  for (int i = 0; i < 4; i++) {
    picus_summary summary = {0};
    adaptive_run options = {.dt_min = dt_min[i], .dt_max = 5e-3, .order_max = 8, .tolerance = 1e-11};
    double worst = worst_error(options, table, &summary);
    printf("  dt_min = %.0e: error %.1e, %ld steps, %ld base steps\n", dt_min[i], worst, summary.steps,
           summary.adaptive.base_steps);
    CHECK(worst < bounds[i]);
  }
  reference_free(table);
}

/* Fig. 14: order p with the same dt_min throughout, here 1e-13 s, over the first period, against the event-driven
 * reference. No force of the toy depends on velocities, and M is constant: then Moreau's rule is its own inverse, its
 * error has even powers only, and odd orders gain one. */
static void convergence_with_the_order(void) {
  reference_table *table = reference_read("woodpecker_A_1ms.csv");
  REQUIRE(table);
  enum { SIZES = 6 };
  for (int order = 1; order <= 6; order++) {
    double dt[SIZES] = {0}, error[SIZES] = {0};
    int count = 0;
    picus_summary summary = {0};
    printf("  order %d:", order);
    for (int i = 0; i < SIZES; i++) {
      double size = (order == 1 ? 1.5e-3 : 2.5e-3) * pow(0.65, i);
      adaptive_run options = {.dt_min = 1e-13, .dt_max = size, .order = order, .t_end = 0.14};
      double worst = worst_error(options, table, &summary);
      printf(" %.1e", worst);
      if (!(worst > 2e-11)) continue; /* the switching steps: dt_min times velocities, amplified */
      dt[count] = size;
      error[count++] = worst;
    }
    double slope = count > 2 ? observed_order(count, dt, error) : NAN;
    printf("  slope %.2f, %ld base steps at last\n", slope, summary.adaptive.base_steps);
    CHECK(slope > order - 0.4 && slope < order + 1.4);
  }
  reference_free(table);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"events_are_those_of_table_VII", events_are_those_of_table_VII},
      {"one_second_to_1e_8", one_second_to_1e_8},
      {"convergence_with_the_order", convergence_with_the_order},
  };
  return test_main(argc, argv, "adaptive_woodpecker", cases, sizeof cases / sizeof cases[0]);
}
