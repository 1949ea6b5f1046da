/* Programs that control a simulation: functions that a run calls, steps of one's own with a record, adaptive steps. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ball[] = "local i = inputs { { 'F', unit = 'N', label = 'force' }, { 'z', rate = 0, unit = 'm' } }\n"
                           "local q, u = coordinates { { 'x', velocity = 'v', start = { 1, 0 }, unit = 'm' } }\n"
                           "kinetic(0.5 * u.v^2)\n"
                           "potential(9.81 * q.x)\n"
                           "force { x = i.F }\n"
                           "contact { 'floor', gap = q.x - i.z, eN = 0.5 }\n"
                           "stop_time(0.3)\n";

typedef struct setup {
  const char *scheme;
  bool adaptive;
  double sample;
} setup;

static bool open_ball(simulation *s, setup by) {
  picus_sim_options options;
  if (!simulation_load_text(s, ball, &options)) return false;
  options.scheme = by.scheme;
  options.adaptive = by.adaptive;
  options.dt = 1.0 / 256;
  options.dt_min = by.adaptive ? 1e-6 : 0;
  options.t_end = 1.5;
  options.sample = by.sample;
  return simulation_start(s, &options);
}

/* --- functions that a run calls ------------------------------------------------------------------------------------
 */

typedef struct controller {
  long steps, events, closings;
  double last_t;    /* of the last call */
  double force;     /* that it sets after a closing */
  long stop_at;     /* so many steps, or events, end the run; 0: none */
  long stop_events; /* the same */
  bool forbidden;   /* tries what it must not do */
} controller;

static int on_step(void *user, picus_sim *sim, const picus_step_info *info) {
  controller *c = user;
  CHECK((info == NULL) == (c->steps == 0));
  if (info) CHECK(info->t == picus_sim_state(sim).t && info->t > c->last_t);
  c->last_t = picus_sim_state(sim).t;
  c->steps++;
  if (c->forbidden && info) {
    const double q = 1, u = 0;
    CHECK(picus_sim_step(sim, 0, NULL) == PICUS_ERROR_ARGUMENT);
    CHECK(picus_sim_advance(sim, 9, NULL) == PICUS_ERROR_ARGUMENT);
    CHECK(picus_sim_set_state(sim, 0, &q, &u) == PICUS_ERROR_ARGUMENT);
    CHECK(picus_sim_run(sim, NULL, NULL, NULL) == PICUS_ERROR_ARGUMENT);
  }
  return c->stop_at > 0 && c->steps > c->stop_at;
}

static int on_event(void *user, picus_sim *sim, const picus_switching *event) {
  controller *c = user;
  c->events++;
  CHECK(event->law == 0);
  if (event->from == PICUS_OPEN && event->to != PICUS_OPEN) {
    c->closings++;
    CHECK(picus_sim_set_input(sim, "F", c->force, 0) == PICUS_OK);
    CHECK(picus_sim_input(sim, 0).value == c->force);
  }
  return c->stop_events > 0 && c->events >= c->stop_events;
}

static const setup setups[] = {{"moreau", false, 0}, {"rattle", false, 0}, {"moreau-jean", false, 0.01},
                               {"moreau", true, 0},  {"rattle", true, 0},  {"rattle", true, 0.01}};
enum { SETUPS = sizeof setups / sizeof setups[0] };

static void a_run_calls_for_steps_and_events(void) {
  for (int k = 0; k < SETUPS; k++) {
    simulation a, b;
    controller c = {.last_t = -1}, idle = {.last_t = -1};
    recorded_switchings events;
    picus_summary with, without;
    REQUIRE(open_ball(&a, setups[k]) && open_ball(&b, setups[k]));
    const picus_run_hooks hooks = {.user = &c, .step = on_step, .event = on_event};
    CHECK(simulation_run_event_log(&a, &hooks, &events, &with));
    CHECK(picus_sim_run(b.sim, NULL, &(picus_run_hooks){.user = &idle, .step = on_step}, &without) == PICUS_OK);
    CHECK(c.steps == with.steps + 1 && c.events == events.count && c.closings > 1);
    CHECK(idle.steps == without.steps + 1);
    /* the force that is set is 0, as before: the same bits */
    CHECK(memcmp(picus_sim_state(a.sim).q, picus_sim_state(b.sim).q, sizeof(double)) == 0 &&
          with.steps == without.steps);
    recorded_switchings_free(&events);
    simulation_close(&a);
    simulation_close(&b);
  }
}

static void a_function_stops_a_run(void) {
  for (int k = 0; k < SETUPS; k++) {
    simulation s;
    controller c = {.last_t = -1, .stop_at = 5};
    picus_summary summary;
    picus_run_hooks hooks = {.user = &c, .step = on_step, .event = on_event};
    REQUIRE(open_ball(&s, setups[k]));
    CHECK(picus_sim_run(s.sim, NULL, &hooks, &summary) == PICUS_INTERRUPTED);
    CHECK(summary.status == PICUS_INTERRUPTED && summary.steps == 5);
    CHECK(strstr(picus_last_error(s.context)->message, "the program stopped the run at t = ") != NULL);
    c = (controller){.last_t = -1, .stop_events = 2};
    CHECK(picus_sim_run(s.sim, NULL, &hooks, &summary) == PICUS_INTERRUPTED); /* goes on from there */
    CHECK(c.events >= 2 && summary.steps > 0);
    c = (controller){.last_t = -1, .forbidden = true};
    CHECK(picus_sim_run(s.sim, NULL, &hooks, &summary) == PICUS_OK);
    CHECK_NEAR(picus_sim_state(s.sim).t, 1.5, 0);
    simulation_close(&s);
  }
}

/* A force from the first impact on, as the function sets it, and as steps of one's own with the same stops. The rows
 * show the force that acted until their time. */
static void inputs_of_a_function_act_from_the_next_step_on(void) {
  for (int k = 0; k < SETUPS; k++) {
    simulation a;
    controller c = {.last_t = -1, .force = 30};
    recorded_rows rows;
    picus_summary summary;
    REQUIRE(open_ball(&a, setups[k]));
    picus_run_description description = {a.model, a.system, picus_sim_options_of(a.sim), ""};
    const picus_run_hooks hooks = {.user = &c, .step = on_step, .event = on_event};
    picus_recorder *recorder;
    REQUIRE(picus_recorder_create(a.context, &description, &recorder) == PICUS_OK);
    rows = (recorded_rows){0};
    CHECK(picus_recorder_add_sink(recorder, recorded_rows_sink(&rows)) == PICUS_OK);
    CHECK(picus_sim_run(a.sim, recorder, &hooks, &summary) == PICUS_OK);
    picus_recorder_destroy(recorder);
    CHECK(c.closings == 1); /* it flies away */
    long first = 0;
    while (first < rows.row_count && recorded_value(&rows, first, "F") == 0) first++;
    CHECK(first > 1 && first < rows.row_count);
    for (long i = first; i < rows.row_count; i++) CHECK(recorded_value(&rows, i, "F") == 30);
    if (setups[k].sample == 0) /* the row of the impact still has the force that led to it */
      CHECK(recorded_value(&rows, first - 1, "v") > 0 && recorded_value(&rows, first - 2, "v") < 0);
    /* from the impact on: constant acceleration 30 - 9.81, to the accuracy of the steps */
    const double v0 = recorded_value(&rows, first, "v"), t0 = recorded_value(&rows, first, "t");
    const double v1 = recorded_value(&rows, rows.row_count - 1, "v"),
                 t1 = recorded_value(&rows, rows.row_count - 1, "t");
    CHECK_NEAR(v1 - v0, (30 - 9.81) * (t1 - t0), 1e-9);
    /* before it: without the force. The impact is in the step before the first row with the force. */
    const double tb = recorded_value(&rows, first - 2, "t"), vb = recorded_value(&rows, first - 2, "v");
    CHECK_NEAR(vb, -9.81 * tb, 1e-9);
    recorded_rows_free(&rows);
    simulation_close(&a);
  }
}

/* An input that is set in every step of an adaptive run, by its function: the steps behind it are made again. */
static int on_step_wave(void *user, picus_sim *sim, const picus_step_info *info) {
  (void)user;
  (void)info;
  const double t = picus_sim_state(sim).t;
  CHECK(picus_sim_set_input(sim, "F", 5 * sin(40 * t), 0) == PICUS_OK);
  return 0;
}

static void adaptive_steps_are_made_again(void) {
  simulation a, b;
  picus_summary summary;
  REQUIRE(open_ball(&a, setups[4]) && open_ball(&b, setups[4]));
  const double stops[] = {0.1, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8};
  const picus_run_hooks hooks = {.step = on_step_wave, .stop_count = 7, .stop_times = stops};
  CHECK(picus_sim_run(a.sim, NULL, &hooks, &summary) == PICUS_OK);
  CHECK(summary.adaptive.rejected > 0 && summary.adaptive.switching_points > 0);
  /* the same inputs at the same times, each step begun anew: inputs do not leak into steps that were rejected */
  picus_status status = PICUS_OK;
  int next = 0;
  const double all[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.5};
  while (!status && picus_sim_state(b.sim).t < 1.5) {
    on_step_wave(NULL, b.sim, NULL);
    while (all[next] <= picus_sim_state(b.sim).t) next++;
    status = picus_sim_advance(b.sim, all[next], NULL);
  }
  CHECK(status == PICUS_OK);
  CHECK(memcmp(picus_sim_state(a.sim).q, picus_sim_state(b.sim).q, sizeof(double)) == 0);
  simulation_close(&a);
  simulation_close(&b);
}

/* --- steps of one's own ---------------------------------------------------------------------------------------------
 */

typedef struct record {
  recorded_rows rows;
  recorded_switchings events;
  picus_summary summary;
} record;

static void release_record(record *r) {
  recorded_rows_free(&r->rows);
  recorded_switchings_free(&r->events);
}

static picus_recorder *recorder_of(const simulation *s, record *r) {
  picus_run_description description = {s->model, s->system, picus_sim_options_of(s->sim), ""};
  picus_recorder *recorder = NULL;
  *r = (record){0};
  CHECK(picus_recorder_create(s->context, &description, &recorder) == PICUS_OK);
  CHECK(picus_recorder_add_sink(recorder, recorded_rows_sink(&r->rows)) == PICUS_OK);
  CHECK(picus_recorder_add_sink(recorder, recorded_switchings_sink(&r->events)) == PICUS_OK);
  return recorder;
}

static picus_status step_and_record(const simulation *s, picus_recorder *recorder, picus_summary *summary) {
  const picus_sim_options *o = picus_sim_options_of(s->sim);
  picus_status status = picus_sim_record_begin(s->sim, recorder, summary);
  if (!status) status = picus_sim_record_row(s->sim, recorder);
  for (long k = 0; !status && picus_sim_state(s->sim).t < o->t_end; k++) {
    picus_step_info info;
    status = o->adaptive ? picus_sim_advance(s->sim, o->t_end, &info) : picus_sim_step(s->sim, 0, &info);
    if (!status) status = picus_sim_record_step(s->sim, recorder, &info, summary);
    if (!status) status = picus_sim_record_row(s->sim, recorder);
  }
  picus_status ended = picus_sim_record_end(s->sim, recorder, status, summary);
  return status ? status : ended;
}

static void check_same_summaries(const picus_summary *a, const picus_summary *b) {
  CHECK(a->status == b->status && a->steps == b->steps && a->rows == b->rows && a->impacts == b->impacts);
  CHECK(a->energy.dissipated == b->energy.dissipated && a->energy.start == b->energy.start &&
        a->energy.end == b->energy.end);
  CHECK(a->adaptive.rejected == b->adaptive.rejected && a->adaptive.base_steps == b->adaptive.base_steps &&
        a->adaptive.switching_points == b->adaptive.switching_points);
  CHECK(a->adaptive.dt_least == b->adaptive.dt_least && a->adaptive.dt_largest == b->adaptive.dt_largest &&
        a->adaptive.order_largest == b->adaptive.order_largest);
}

/* Rows, events and totals of steps of one's own are those of a run, bit by bit. The stop time of the model divides a
 * step of a run; 0.3 is no multiple of dt, so it is not there in the fixed case. */
static void own_steps_are_recorded_like_a_run(void) {
  for (int k = 0; k < SETUPS; k++) {
    if (setups[k].sample > 0 || !setups[k].adaptive) continue;
    simulation a, b;
    record run, own;
    REQUIRE(open_ball(&a, setups[k]) && open_ball(&b, setups[k]));
    picus_recorder *of_run = recorder_of(&a, &run), *of_own = recorder_of(&b, &own);
    CHECK(picus_sim_run(a.sim, of_run, NULL, &run.summary) == PICUS_OK);
    CHECK(step_and_record(&b, of_own, &own.summary) == PICUS_OK);
    check_same_summaries(&run.summary, &own.summary);
    CHECK(run.rows.row_count == own.rows.row_count && run.rows.row_count > 10);
    if (run.rows.row_count == own.rows.row_count)
      CHECK(memcmp(run.rows.values, own.rows.values,
                   (size_t)run.rows.row_count * (size_t)run.rows.column_count * sizeof(double)) == 0);
    CHECK(run.events.count == own.events.count && run.events.count > 3);
    for (long i = 0; i < run.events.count && i < own.events.count; i++)
      CHECK(run.events.list[i].t == own.events.list[i].t && run.events.list[i].to == own.events.list[i].to);
    picus_recorder_destroy(of_run);
    picus_recorder_destroy(of_own);
    release_record(&run);
    release_record(&own);
    simulation_close(&a);
    simulation_close(&b);
  }
}

static void own_fixed_steps_are_recorded_like_a_run(void) {
  simulation a, b;
  record run, own;
  REQUIRE(simulation_open(&a, "bouncing-ball", "", 1.0 / 512, 2, NULL));
  REQUIRE(simulation_open(&b, "bouncing-ball", "", 1.0 / 512, 2, NULL));
  picus_recorder *of_run = recorder_of(&a, &run), *of_own = recorder_of(&b, &own);
  CHECK(picus_sim_run(a.sim, of_run, NULL, &run.summary) == PICUS_OK);
  CHECK(step_and_record(&b, of_own, &own.summary) == PICUS_OK);
  check_same_summaries(&run.summary, &own.summary);
  CHECK(run.rows.row_count == own.rows.row_count && run.rows.row_count == 1025);
  CHECK(memcmp(run.rows.values, own.rows.values,
               (size_t)run.rows.row_count * (size_t)run.rows.column_count * sizeof(double)) == 0);
  CHECK(run.events.count == own.events.count && run.events.count > 1);
  /* a recorder serves one run */
  CHECK(picus_sim_record_begin(b.sim, of_own, &own.summary) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_sim_record_row(b.sim, of_own) == PICUS_ERROR_ARGUMENT);
  picus_recorder_destroy(of_run);
  picus_recorder_destroy(of_own);
  release_record(&run);
  release_record(&own);
  simulation_close(&a);
  simulation_close(&b);
}

static void advance_checks_its_arguments(void) {
  simulation s, fixed;
  picus_step_info info;
  REQUIRE(open_ball(&s, setups[4]) && open_ball(&fixed, setups[0]));
  CHECK(picus_sim_advance(fixed.sim, 1, NULL) == PICUS_ERROR_ARGUMENT);
  CHECK(strstr(picus_last_error(fixed.context)->message, "needs an adaptive simulation") != NULL);
  CHECK(picus_sim_advance(s.sim, 0, NULL) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_sim_advance(s.sim, -1, NULL) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_sim_advance(s.sim, NAN, NULL) == PICUS_ERROR_ARGUMENT);
  CHECK(picus_sim_advance(s.sim, INFINITY, NULL) == PICUS_ERROR_ARGUMENT);
  /* steps end at the stops of the model and at those given; beyond t_end as well */
  bool at_model_stop = false;
  double stop = 0.5, t = 0;
  for (int k = 0; k < 3000 && t < 2; k++) {
    if (t >= stop) stop += 0.5;
    REQUIRE(picus_sim_advance(s.sim, stop, &info) == PICUS_OK);
    CHECK(info.t == picus_sim_state(s.sim).t && info.t > t && info.t <= stop);
    t = info.t;
    at_model_stop = at_model_stop || t == 0.3;
  }
  CHECK(at_model_stop && t == 2);
  /* a step of the scheme and another state in between: the next adaptive step begins there */
  CHECK(picus_sim_step(s.sim, 0.01, NULL) == PICUS_OK && picus_sim_advance(s.sim, 3, &info) == PICUS_OK);
  CHECK(info.t > 2.01);
  const double q = 1, u = 0;
  CHECK(picus_sim_set_state(s.sim, 0, &q, &u) == PICUS_OK && picus_sim_advance(s.sim, 0.25, &info) == PICUS_OK);
  while (info.t < 0.25) REQUIRE(picus_sim_advance(s.sim, 0.25, &info) == PICUS_OK);
  CHECK_NEAR(picus_sim_state(s.sim).q[0], 1 - 0.5 * 9.81 * 0.0625, 1e-9);
  CHECK(picus_sim_run(s.sim, NULL, NULL, NULL) == PICUS_OK); /* and a run goes on, too */
  CHECK_NEAR(picus_sim_state(s.sim).t, 1.5, 0);
  CHECK(picus_sim_advance(s.sim, 1.6, &info) == PICUS_OK && info.t > 1.5);
  simulation_close(&s);
  simulation_close(&fixed);
}

/* The step of a resting body whose support is pulled away: an input changes what the steps ahead had found. */
static void a_change_discards_what_was_made_ahead(void) {
  simulation s;
  picus_step_info info;
  REQUIRE(open_ball(&s, setups[4]));
  const double q = 0, u = 0;
  CHECK(picus_sim_set_state(s.sim, 0, &q, &u) == PICUS_OK);
  double t = 0;
  while (t < 0.2) { /* at rest on the floor, in long steps */
    REQUIRE(picus_sim_advance(s.sim, 1.5, &info) == PICUS_OK);
    t = info.t;
  }
  CHECK_NEAR(picus_sim_state(s.sim).q[0], 0, 1e-12);
  CHECK(picus_sim_set_input(s.sim, "F", 19.81, 0) == PICUS_OK); /* 10 m/s^2 upwards */
  const double begin = t;
  while (t < 1) {
    REQUIRE(picus_sim_advance(s.sim, 1.0, &info) == PICUS_OK);
    t = info.t;
    CHECK_NEAR(picus_sim_state(s.sim).q[0], 5 * (t - begin) * (t - begin), 2e-5);
  }
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"a_run_calls_for_steps_and_events", a_run_calls_for_steps_and_events},
      {"a_function_stops_a_run", a_function_stops_a_run},
      {"inputs_of_a_function_act_from_the_next_step_on", inputs_of_a_function_act_from_the_next_step_on},
      {"adaptive_steps_are_made_again", adaptive_steps_are_made_again},
      {"own_steps_are_recorded_like_a_run", own_steps_are_recorded_like_a_run},
      {"own_fixed_steps_are_recorded_like_a_run", own_fixed_steps_are_recorded_like_a_run},
      {"advance_checks_its_arguments", advance_checks_its_arguments},
      {"a_change_discards_what_was_made_ahead", a_change_discards_what_was_made_ahead},
  };
  return test_main(argc, argv, "inputs_runs", cases, sizeof cases / sizeof cases[0]);
}
