/* Changes of switching functions, and states at events, in result files: times against closed forms, sides, and what
 * damages them. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "support/simulate.h"

#include <hdf5.h>
#include <math.h>
#include <picus/result.h>
#include <stdio.h>
#include <string.h>

static const char *const bases[] = {"rattle", "moreau", "half-explicit", "moreau-jean", "half-explicit-rk"};
enum { BASES = sizeof bases / sizeof *bases };

/* An adaptive run into a file, which is open then. NULL: a check has failed. */
static picus_result *run(picus_context *context, const char *text, adaptive_run options) {
  simulation s;
  picus_recorder *recorder = NULL;
  picus_result *result = NULL;
  if (!CHECK(simulation_open_adaptive_text(&s, text, options))) return NULL;
  const picus_run_description run = {.model = s.model, .system = s.system, .options = picus_sim_options_of(s.sim)};
  CHECK(picus_recorder_create(s.context, &run, &recorder) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(recorder, scratch("run.h5")) == PICUS_OK);
  CHECK(picus_sim_run(s.sim, recorder, NULL, NULL) == PICUS_OK);
  picus_recorder_destroy(recorder);
  simulation_close(&s);
  CHECK(picus_result_open(context, scratch("run.h5"), &result) == PICUS_OK);
  return result;
}

typedef struct expected_change {
  double t;
  const char *from, *to;
} expected_change;

static void check_changes(picus_result *result, double tolerance, long count, const expected_change *expected) {
  const picus_switch_change *changes;
  long found;
  REQUIRE(picus_result_switch_changes(result, &found, &changes) == PICUS_OK);
  CHECK(found == count && picus_result_number(result, "switches.changes") == (double)count);
  for (long k = 0; k < count && k < found; k++) {
    CHECK_NEAR(changes[k].t, expected[k].t, tolerance);
    CHECK(strcmp(changes[k].from, expected[k].from) == 0 && strcmp(changes[k].to, expected[k].to) == 0);
    CHECK((changes[k].side == 1) == (strchr(changes[k].to, '>') != NULL));
  }
}

/* Parabolas of a constant force towards the middle: x = 0 at sqrt(2) (2 k + 1). */
static void times_of_a_relay(void) {
  enum { CHANGES = 7 };
  static const char *const forces[] = {"when(gt(q.x,0),-1,1)", "when(lt(0,q.x),-1,1)", "-sign(q.x)"};
  expected_change expected[CHANGES];
  for (int k = 0; k < CHANGES; k++)
    expected[k] = (expected_change){sqrt(2) * (2 * k + 1), k % 2 ? "x < 0" : "x > 0", k % 2 ? "x > 0" : "x < 0"};
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int b = 0; b < BASES; b++)
    for (int f = 0; f < 3; f++) {
      char text[512];
      snprintf(text, sizeof text,
               "model('relay','')\nlocal q,u = coordinates {{'x',velocity='v',start={1,0}}}\nkinetic(u.v^2/2)\n"
               "force {x=%s}\ncontact {'far',gap=q.x+100}\n",
               forces[f]);
      const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-10, .t_end = 20, .scheme = bases[b]};
      picus_result *result = run(context, text, options);
      if (result) check_changes(result, 1e-9, CHANGES, expected);
      picus_result_close(result);
    }
  scratch_remove("run.h5");
  picus_context_destroy(context);
}

/* A ball of g = 8 from 1 m: an impact at 0.5 s with v = -4, then up with 2 m/s until 0.75 s. The impact changes the
 * sides of functions of v; a time is one of its own, and y - 1 = 0 at the start is no change. */
static void impacts_and_times_change_sides(void) {
  const char *text = "model('ball','')\nlocal q,u = coordinates {{'y',velocity='v',start={1,0}}}\nkinetic(u.v^2/2)\n"
                     "force {y=-8+0*max(0,u.v+1)+when(lt(t,0.6),0,1e-30)+1e-30*when(gt(u.v,-1),1,0)"
                     "+1e-30*when(gt(q.y,1),1,0)}\ncontact {'floor',gap=q.y,eN=0.5}\n";
  static const expected_change expected[] = {
      {0.125, "v > -1", "v < -1"}, {0.5, "v < -1", "v > -1"}, {0.6, "t < 0.6", "t > 0.6"}, {0.875, "v > -1", "v < -1"}};
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-10, .t_end = 0.9, .scheme = "rattle"};
  picus_result *result = run(context, text, options);
  if (result) check_changes(result, 1e-8, 4, expected);
  picus_result_close(result);
  scratch_remove("run.h5");
  picus_context_destroy(context);
}

/* --- states at events --------------------------------------------------------------------------------------------- */

/* A ball of g = 8 from 1 m: it closes the floor at 0.5 s, is at the top at 0.75 s and back at 1 s, each time with half
 * of the velocity. The event has the state before what it sets. */
static const char ball[] = "model('ball','')\nlocal q,u = coordinates {{'y',velocity='v',start={1,0}}}\n"
                           "kinetic(u.v^2/2)\nforce {y=-8}\nlocal n = state {'n',start=2}\n"
                           "contact {'floor',gap=q.y,eN=0.5}\n"
                           "on {'top',when=u.v,direction='falls',set={n=n+5}}\n";

static void states_of_a_ball(void) {
  static const double tops[][4] = {{0.75, 0.25, 0, 2}, {1.125, 0.0625, 0, 7}};
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-10, .t_end = 1.2};
  for (int b = 0; b < BASES; b++) {
    picus_event_states all;
    const picus_switching *points;
    adaptive_run of_base = options;
    of_base.scheme = bases[b];
    picus_result *result = run(context, ball, of_base);
    REQUIRE(result && picus_result_event_states(result, &all) == PICUS_OK);
    REQUIRE(picus_result_switchings(result, &points) == PICUS_OK);
    static const char *const columns[] = {"t", "y", "v", "n"};
    REQUIRE(all.column_count == 4);
    for (int i = 0; i < 4; i++) CHECK_TEXT(all.columns[i], columns[i]);
    long found = 0, impacts = 0, others = 0;
    for (long k = 0; k < all.count; k++) {
      const picus_state_at_event *s = &all.states[k];
      CHECK(s->t == s->values[0] && (k == 0 || s->t >= all.states[k - 1].t));
      if (s->event) {
        CHECK_TEXT(s->event, "top");
        CHECK(s->switching == -1 && found < 2);
        for (int i = 0; i < 4 && found < 2; i++) CHECK_NEAR(s->values[i], tops[found][i], 1e-7);
        found++;
        continue;
      }
      CHECK(s->switching == others++ && fabs(s->t - points[s->switching].t) <= 2e-9);
      if (!points[s->switching].impact) continue;
      CHECK_NEAR(s->values[0], 0.5 + 0.5 * (double)impacts, 1e-7);
      CHECK_NEAR(s->values[1], 0, 1e-7);
      CHECK_NEAR(s->values[2], impacts == 0 ? 2 : 1, 1e-6);
      CHECK(s->values[3] == 2 + 5 * (double)impacts++);
    }
    CHECK(found == 2 && impacts == 2 && others == picus_result_switching_count(result));
    picus_result_close(result);
  }
  scratch_remove("run.h5");
  picus_context_destroy(context);
}

/* A number of a list that is another one. */
static void damage(const char *name) {
  double values[1024];
  hid_t file = H5Fopen(scratch("run.h5"), H5F_ACC_RDWR, H5P_DEFAULT), list = H5Dopen2(file, name, H5P_DEFAULT);
  REQUIRE(file >= 0 && list >= 0);
  CHECK(H5Dread(list, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  values[0] += 1;
  CHECK(H5Dwrite(list, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(list);
  H5Fclose(file);
}

static void damaged_states_are_found(void) {
  static const char *const lists[] = {"picus/event_states/values", "picus/event_states/sum"};
  const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-6, .t_end = 1.2, .scheme = "rattle"};
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int k = 0; k < 3; k++) {
    picus_event_states all;
    picus_result *result = run(context, ball, options);
    picus_result_close(result);
    if (k < 2) {
      damage(lists[k]);
    } else { /* a list that has another length */
      hid_t file = H5Fopen(scratch("run.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
      hid_t group = H5Gopen2(file, "picus/event_states", H5P_DEFAULT);
      CHECK(H5Ldelete(group, "sum", H5P_DEFAULT) >= 0 &&
            H5Lcopy(file, "v", group, "sum", H5P_DEFAULT, H5P_DEFAULT) >= 0);
      H5Gclose(group);
      H5Fclose(file);
    }
    REQUIRE(picus_result_open(context, scratch("run.h5"), &result) == PICUS_OK);
    CHECK(picus_result_event_states(result, &all) == PICUS_ERROR_IO && all.count == 0 && !all.states);
    CHECK(picus_result_export_event_states(result, -1, scratch("run.csv")) == PICUS_ERROR_IO);
    picus_result_close(result);
  }
  scratch_remove("run.h5");
  picus_context_destroy(context);
}

static void damage_is_found(void) {
  static const char *const lists[] = {"picus/switches/t", "picus/switches/function", "picus/switches/side",
                                      "picus/switches/sum"};
  const char *text = "model('relay','')\nlocal q,u = coordinates {{'x',velocity='v',start={1,0}}}\nkinetic(u.v^2/2)\n"
                     "force {x=-sign(q.x)}\ncontact {'far',gap=q.x+100}\n";
  const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-6, .t_end = 5, .scheme = "rattle"};
  picus_context *context = NULL;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (int k = 0; k < 4; k++) {
    const picus_switch_change *changes;
    long count = -1;
    picus_result *result = run(context, text, options);
    picus_result_close(result);
    damage(lists[k]);
    REQUIRE(picus_result_open(context, scratch("run.h5"), &result) == PICUS_OK);
    CHECK(picus_result_switch_changes(result, &count, &changes) == PICUS_ERROR_IO && count == 0 && !changes);
    CHECK(picus_result_export_switch_changes(result, scratch("run.csv")) == PICUS_ERROR_IO);
    picus_result_close(result);
  }
  scratch_remove("run.h5");
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"times_of_a_relay", times_of_a_relay},
                                    {"impacts_and_times_change_sides", impacts_and_times_change_sides},
                                    {"states_of_a_ball", states_of_a_ball},
                                    {"damage_is_found", damage_is_found},
                                    {"damaged_states_are_found", damaged_states_are_found}};
  int code = test_main(argc, argv, "result_switches", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
