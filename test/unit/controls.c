/* States of controllers, continuous and sampled: against closed forms, with fixed and adaptive steps, over checkpoints;
 * signals of laws; what is refused with which sentence. */
#include "sim/internal.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const schemes[] = {"moreau",           "rattle",          "moreau-jean",    "half-explicit",
                                      "half-explicit-rk", "schatzman-paoli", "moreau-explicit"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static bool run_fixed(const char *text, const char *scheme, double dt, double t_end, recorded_rows *rows) {
  simulation s;
  picus_sim_options options;
  picus_summary summary = {0};
  bool done = simulation_load_text(&s, text, &options);
  options.scheme = scheme;
  options.dt = dt;
  options.t_end = t_end;
  done = done && simulation_start(&s, &options) && simulation_run(&s, rows, &summary);
  simulation_close(&s);
  return done;
}

static bool run_adaptive(const char *text, const char *scheme, double tolerance, double t_end, recorded_rows *rows,
                         picus_summary *summary) {
  simulation s;
  const adaptive_run options = {.dt_min = 1e-8, .tolerance = tolerance, .t_end = t_end, .scheme = scheme};
  const bool done = simulation_open_adaptive_text(&s, text, options) && simulation_run(&s, rows, summary);
  simulation_close(&s);
  return done;
}

static double last(const recorded_rows *rows, const char *name) {
  return recorded_value(rows, rows->row_count - 1, name);
}

/* --- continuous states -------------------------------------------------------------------------------------------- */

#define OSCILLATOR                                                                                                     \
  "local q,u = coordinates {{'x',velocity='v',start={1,0}}}\nkinetic(u.v^2/2)\npotential(2*q.x^2)\n"                   \
  "contact {'far',gap=q.x+100}\n"

/* x = cos 2t: the integrals of x and of v^2, which is not linear in the velocity, and a state of the first order that
 * follows x. */
static void states_are_integrated(void) {
  static const char *const text = OSCILLATOR "local I = state {'I',rate=q.x}\nstate {'W',start=1,rate=u.v^2}\n"
                                             "state {'lag',start=1,rate=function(y) return 3*(q.x-y) end}\n";
  const double t = 2.5, I = sin(2 * t) / 2, W = 1 + 2 * t - sin(4 * t) / 2;
  const double lag = (9 * cos(2 * t) + 6 * sin(2 * t)) / 13 + 4.0 / 13 * exp(-3 * t);
  for (int k = 0; k < SCHEMES; k++) {
    double error[2] = {0};
    for (int i = 0; i < 2; i++) {
      recorded_rows rows = {0};
      REQUIRE(run_fixed(text, schemes[k], i ? 2.5e-4 : 1e-3, t, &rows));
      error[i] = fmax(fabs(last(&rows, "I") - I), fmax(fabs(last(&rows, "W") - W), fabs(last(&rows, "lag") - lag)));
      recorded_rows_free(&rows);
    }
    printf("  %-17s errors %.1e %.1e\n", schemes[k], error[0], error[1]);
    const bool is_second = strcmp(schemes[k], "moreau") != 0 && strcmp(schemes[k], "moreau-explicit") != 0;
    CHECK(error[1] < error[0] / (is_second ? 12 : 3.5) && error[0] < 5e-2);
  }
  static const double tolerances[] = {1e-6, 1e-8, 1e-10};
  for (int k = 0; k < 3; k++) {
    recorded_rows rows = {0};
    picus_summary summary = {0};
    REQUIRE(run_adaptive(text, "rattle", tolerances[k], t, &rows, &summary));
    CHECK_NEAR(last(&rows, "I"), I, 3 * tolerances[k]);
    CHECK_NEAR(last(&rows, "W"), W, 10 * tolerances[k]);
    CHECK_NEAR(last(&rows, "lag"), lag, 3 * tolerances[k]);
    CHECK(summary.adaptive.missed == 0);
    recorded_rows_free(&rows);
  }
}

/* The error of a state alone makes steps shorter: the mass does not move. */
static void states_count_in_the_error(void) {
  static const char *const text = "local q,u = coordinates {{'x',velocity='v'}}\nkinetic(u.v^2/2)\n"
                                  "contact {'far',gap=q.x+100}\nstate {'s',rate=100*cos(50*t)}\n";
  recorded_rows rows = {0};
  picus_summary summary = {0};
  REQUIRE(run_adaptive(text, "rattle", 1e-9, 1, &rows, &summary));
  CHECK_NEAR(last(&rows, "s"), 2 * sin(50), 1e-8);
  CHECK(summary.steps > 20);
  recorded_rows_free(&rows);
}

/* Many bodies, whose equations fall into parts: states that depend on one of them, on none, and on each other. */
static void states_among_many_bodies(void) {
  static const char *const text =
      "for i = 1, 40 do coordinates {{'x'..i,velocity='v'..i,start={0,i}}}\n"
      " if i == 20 then state {'clock',start=5,rate=1} end end\nlocal q,u = coordinates {}\n"
      "for i = 1, 40 do kinetic(u['v'..i]^2/2) end\nlocal a = state {'a',rate=q.x7}\nstate {'b',rate=a+u.v30^2}\n"
      "contact {'far',gap=q.x1+100}\nforce {x3 = 2*a}\n";
  for (int k = 0; k < SCHEMES; k++) {
    recorded_rows rows = {0};
    REQUIRE(run_fixed(text, schemes[k], 1e-3, 1, &rows));
    CHECK_NEAR(last(&rows, "clock"), 6, 1e-12);
    CHECK_NEAR(last(&rows, "a"), 3.5, 1e-2);
    CHECK_NEAR(last(&rows, "b"), 900 + 7.0 / 6, 1e-2);
    CHECK_NEAR(last(&rows, "v3"), 3 + 2 * 7.0 / 6, 1e-2);
    recorded_rows_free(&rows);
  }
}

/* --- sampled states ----------------------------------------------------------------------------------------------- */

/* A mass under a sampled force, -k x - d v of the last sample: parabolas from sample to sample. The count of samples is
 * a state as well, and another state has another period. */
#define SAMPLED                                                                                                        \
  "local q,u = coordinates {{'x',velocity='v',start={1,0}}}\nkinetic(u.v^2/2)\ncontact {'far',gap=q.x+100}\n"          \
  "local F = state {'F',start=-9,every=0.01,next=-9*q.x-2*u.v}\nforce {x=F}\n"                                         \
  "state {'n',every=0.01,next=function(n) return n+1 end}\nstate {'m',every=0.025,next=function(m) return m+F end}\n"

static void exact_sampled(double t_end, double *x, double *v, double *m) {
  double F = -9;
  const double h = 0.005; /* divides both periods */
  *x = 1;
  *v = *m = 0;
  for (int k = 1; k * h <= t_end + 1e-9; k++) {
    const double before = F;
    *x += h * *v + h * h * F / 2;
    *v += h * F;
    if (k % 2 == 0) F = -9 * *x - 2 * *v;
    if (k % 5 == 0) *m += before; /* both see the values before */
  }
}

static void states_are_sampled(void) {
  double x, v, m;
  exact_sampled(1.001, &x, &v, &m);
  static const struct {
    const char *scheme;
    double dt, error;
  } runs[] = {{"half-explicit-rk", 1e-3, 1e-12}, {"rattle", 1e-3, 1e-12},     {"moreau-jean", 3e-4, 1e-12},
              {"half-explicit", 7e-3, 1e-12},    {"moreau-jean", 0.1, 1e-12}, {"moreau", 1e-3, 5e-3}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    recorded_rows rows = {0};
    REQUIRE(run_fixed(SAMPLED, runs[k].scheme, runs[k].dt, 1.005, &rows));
    /* the state at 1.005 s follows from that at 1 s and its force */
    const double F = -9 * x - 2 * v, h = 0.005;
    CHECK_NEAR(last(&rows, "x"), x + h * v + h * h * F / 2, runs[k].error);
    CHECK_NEAR(last(&rows, "v"), v + h * F, 10 * runs[k].error);
    CHECK_NEAR(last(&rows, "m"), m, 1e3 * runs[k].error);
    CHECK(last(&rows, "n") == 100);
    recorded_rows_free(&rows);
  }
  for (int k = 0; k < 2; k++) {
    recorded_rows rows = {0};
    picus_summary summary = {0};
    REQUIRE(run_adaptive(SAMPLED, k ? "moreau" : "rattle", 1e-10, 1.005, &rows, &summary));
    const double F = -9 * x - 2 * v, h = 0.005;
    CHECK_NEAR(last(&rows, "x"), x + h * v + h * h * F / 2, 1e-9);
    CHECK_NEAR(last(&rows, "v"), v + h * F, 1e-9);
    CHECK(last(&rows, "n") == 100 && summary.adaptive.missed == 0);
    recorded_rows_free(&rows);
  }
}

/* Rejected and repeated steps leave no trace: a ball that bounces, whose impacts reject steps, and samples between. The
 * count is exact, and what was sampled is the state at these times. */
static void rejected_steps_sample_nothing(void) {
  static const char *const text =
      "local q,u = coordinates {{'y',velocity='v',start={1,0}}}\nkinetic(u.v^2/2)\npotential(9.81*q.y)\n"
      "contact {'floor',gap=q.y,eN=0.8}\nstate {'n',every=1e-3,next=function(n) return n+1 end}\n"
      "state {'seen',start=1,every=1e-3,next=q.y}\nstate {'at',every=1e-3,next=t}\n";
  recorded_rows rows = {0};
  picus_summary summary = {0};
  REQUIRE(run_adaptive(text, "rattle", 1e-8, 2.0005, &rows, &summary));
  CHECK(summary.adaptive.rejected > 0 && summary.impacts > 2);
  CHECK(last(&rows, "n") == 2000);
  CHECK_NEAR(last(&rows, "at"), 2, 1e-14);
  long wrong = 0;
  for (long r = 1; r < rows.row_count; r++) {
    const double n = floor(recorded_value(&rows, r, "t") * 1000 - 1e-6); /* a row at a sample is before it */
    wrong += recorded_value(&rows, r, "n") != n;
  }
  CHECK(wrong == 0);
  recorded_rows_free(&rows);
}

/* A program that makes the steps itself. */
static void programs_sample_too(void) {
  simulation s;
  picus_sim_options options;
  REQUIRE(simulation_load_text(&s, SAMPLED, &options));
  options.scheme = "moreau";
  options.dt = 1e-3;
  options.t_end = 1;
  REQUIRE(simulation_start(&s, &options));
  for (int k = 0; k < 95; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  const int n = picus_system_find_input(s.system, "n");
  CHECK(picus_sim_input(s.sim, n).value == 9);
  CHECK(picus_sim_step(s.sim, 0.1, NULL) == PICUS_OK); /* several samples in a step: all at its end */
  CHECK(picus_sim_input(s.sim, n).value == 19);
  simulation_close(&s);
}

/* --- signals ------------------------------------------------------------------------------------------------------ */

/* A mass of 2 kg on a floor that slides on a guide, and lifts off at 0.5 s. */
static void laws_give_signals(void) {
  static const char *const text =
      "local q,u = coordinates {{'x',velocity='vx',start={0,1}},{'y',velocity='vy'}}\nkinetic(u.vx^2+u.vy^2)\n"
      "force {y=-20+when(gt(t,0.5),30,0)}\ncontact {'floor',gap=q.y}\nfriction {'guide',slip=u.vx,reservoir=0.5}\n"
      "state {'N',every=0.1,next=force('floor')}\nstate {'G',every=0.1,next=force 'guide'}\n"
      "state {'gap',every=0.1,next=gap('floor')}\nstate {'mode',every=0.1,next=mode('floor')}\n"
      "state {'sum',every=0.1,next=function(s) return s+force('floor')/100 end}\n";
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    recorded_rows rows = {0};
    picus_summary summary = {0};
    if (adaptive)
      REQUIRE(run_adaptive(text, "rattle", 1e-9, 0.45, &rows, &summary));
    else
      REQUIRE(run_fixed(text, "moreau", 1e-3, 0.45, &rows));
    CHECK_NEAR(last(&rows, "N"), 20, 1e-6);
    CHECK_NEAR(last(&rows, "G"), -0.5, 1e-6);
    CHECK_NEAR(last(&rows, "sum"), 0.8, 1e-6);
    CHECK(last(&rows, "mode") == (double)PICUS_STICK && last(&rows, "gap") <= 1e-9);
    recorded_rows_free(&rows);
    if (adaptive)
      REQUIRE(run_adaptive(text, "rattle", 1e-9, 0.95, &rows, &summary));
    else
      REQUIRE(run_fixed(text, "moreau", 1e-3, 0.95, &rows));
    CHECK(last(&rows, "N") == 0 && last(&rows, "mode") == (double)PICUS_OPEN);
    CHECK_NEAR(last(&rows, "gap"), 5.0 * 0.4 * 0.4 / 2, 2e-3);
    CHECK(recorded_column(&rows, "force-of-floor") < 0);
    recorded_rows_free(&rows);
  }
}

/* --- checkpoints -------------------------------------------------------------------------------------------------- */

typedef struct saving {
  double t;
  unsigned char *bytes;
  size_t size;
} saving;

static int save_once(void *user, picus_sim *sim, const picus_step_info *info) {
  saving *s = user;
  if (!info || s->bytes || info->t < s->t) return 0;
  if (CHECK(picus_sim_save(sim, NULL, 0, &s->size) == PICUS_OK) && (s->bytes = malloc(s->size)))
    CHECK(picus_sim_save(sim, s->bytes, s->size, &s->size) == PICUS_OK);
  return 0;
}

/* A run, and one that goes on from a checkpoint of it: the same bits at the end. */
static void check_resumed(const char *text, bool adaptive, double t_end) {
  double ends[2][8] = {{0}};
  saving saved = {.t = 0.4 * t_end};
  for (int k = 0; k < 2; k++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load_text(&s, text, &options));
    options.scheme = adaptive ? "rattle" : "half-explicit-rk";
    options.adaptive = adaptive;
    options.dt = 1.3e-3;
    options.dt_min = 1e-7;
    options.t_end = t_end;
    REQUIRE(simulation_start(&s, &options));
    if (k == 1) REQUIRE(picus_sim_load(s.sim, saved.bytes, saved.size, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
    const picus_run_hooks hooks = {.user = &saved, .step = save_once};
    picus_summary summary;
    REQUIRE(picus_sim_run(s.sim, NULL, &hooks, &summary) == PICUS_OK);
    const picus_state state = picus_sim_state(s.sim);
    for (int i = 0; i < state.nq && i < 3; i++) ends[k][i] = state.q[i];
    for (int i = 0; i < state.nu && i < 2; i++) ends[k][3 + i] = state.u[i];
    for (int i = 0; i < picus_system_input_count(s.system) && i < 3; i++)
      ends[k][5 + i] = picus_sim_input(s.sim, i).value;
    simulation_close(&s);
  }
  CHECK(memcmp(ends[0], ends[1], sizeof ends[0]) == 0);
  free(saved.bytes);
}

static void checkpoints_have_states(void) {
  static const char *const text =
      SAMPLED "state {'I',rate=q.x}\ncontact {'stop',gap=q.x+0.1,eN=0.5}\nstate {'P',every=0.013,next=force('stop')}\n";
  check_resumed(text, false, 1.2);
  check_resumed(text, true, 1.2);
}

/* --- a controller ------------------------------------------------------------------------------------------------- */

static double mean(const recorded_rows *rows, const char *name, double from, double to) {
  double sum = 0;
  long count = 0;
  for (long r = 0; r < rows->row_count; r++) {
    const double t = recorded_value(rows, r, "t");
    if (t < from || t >= to) continue;
    sum += recorded_value(rows, r, name);
    count++;
  }
  return sum / (double)count;
}

/* It runs as it is told, forwards and backwards, and stays upright; with fixed and adaptive steps. */
static void raibert_hopper(void) {
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    simulation s;
    recorded_rows rows = {0};
    picus_summary summary = {0};
    const adaptive_run run = {.dt_min = 1e-6, .tolerance = 1e-6, .t_end = 12, .sample = 0.01, .scheme = "rattle"};
    REQUIRE(adaptive ? simulation_open_adaptive(&s, "raibert-hopper", "", run)
                     : simulation_open(&s, "raibert-hopper", "", 0, 0, NULL));
    REQUIRE(simulation_run(&s, &rows, &summary));
    const double first = mean(&rows, "speed", 4, 6), later = mean(&rows, "speed", 10, 12);
    printf("  speeds %.3f and %.3f m/s, %ld impacts\n", first, later, summary.impacts);
    CHECK_NEAR(first, 1, 0.1);
    CHECK_NEAR(later, -0.5, 0.05);
    double pitch = 0, lowest = INFINITY;
    for (long r = 0; r < rows.row_count; r++) {
      pitch = fmax(pitch, fabs(recorded_value(&rows, r, "phi")));
      lowest = fmin(lowest, recorded_value(&rows, r, "height"));
    }
    CHECK(pitch < 0.1 && lowest > 0.7 && summary.impacts > 10);
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static void wrong_states_are_refused(void) {
  static const struct {
    const char *text, *sentence;
  } wrong[] = {
      {"state {'x',rate=1}", "the name 'x' of a coordinate is already used"},
      {"state {'I',rate=1,every=0.1}", "state 'I' has a rate and is sampled; give one of the two"},
      {"state {'k',next=1}", "state 'k' has 'next' but not 'every'"},
      {"state {'k',every=0.1}", "state 'k' is sampled, but has no next value; add next = expression"},
      {"state {'k',every=0,next=1}", "state 'k' is sampled every 0 s; give a positive number"},
      {"state {'k',every=1/0,next=1}", "state 'k' is sampled every inf s"},
      {"state {'k',every=0.1,nxt=1}", "did you mean 'next'"},
      {"state {'k',every=0.1,next='a'}", "'next' of state 'k' must be an expression or a number, not a string"},
      {"force {x=force('far')}",
       "a value of the last step, which only 'next' of sampled states and what events set may contain; take it into"},
      {"observe {'o',mode('far')}", "depends on 'mode-of-far', a value of the last step"},
      {"state {'k',every=0.1,next=gap('nowhere')}", "there is no law 'nowhere'"},
      {"next_values {z=1}", "there is no sampled state 'z'"},
      {"local W = state {'W',rate=u.v^2}\npotential(W^2)",
       "a potential energy depends on the state 'W', whose rate is not linear in the velocities"},
      {"local W = state {'W',rate=u.v^2}\ncontact {'c',gap=q.x-W+9}",
       "a gap or a constraint depends on the state 'W', whose rate is not linear"},
      {"local k = state {'k',every=0.1,next=1}\ncontact {'c',gap=q.x-k}",
       "depends on the input 'k', which has no rate"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    char text[600];
    snprintf(text, sizeof text, OSCILLATOR "%s\n", wrong[k].text);
    picus_context *context;
    picus_model *model = NULL;
    picus_system *system = NULL;
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    picus_status status = picus_model_load_text(context, "wrong.lua", text, strlen(text), NULL, &model);
    if (!status) status = picus_system_create(model, &system);
    CHECK(status != PICUS_OK);
    const char *message = picus_last_error(context)->message;
    if (!CHECK(strstr(message, wrong[k].sentence))) printf("  %zu: %s\n", k, message);
    picus_system_destroy(system);
    picus_model_destroy(model);
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
  }
}

/* A value that is not finite ends the run with its name and time. */
static void samples_that_are_not_finite(void) {
  simulation s;
  picus_sim_options options;
  picus_summary summary;
  REQUIRE(simulation_load_text(&s, OSCILLATOR "state {'k',every=0.1,next=log(0.25-t)}\n", &options));
  options.dt = 1e-2;
  options.t_end = 1;
  REQUIRE(simulation_start(&s, &options));
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_ERROR_NUMBER);
  CHECK(strstr(picus_last_error(s.context)->message, "the next value of state 'k' is") != NULL);
  CHECK(strstr(picus_last_error(s.context)->message, "at t = 0.3") != NULL);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"states_are_integrated", states_are_integrated},
      {"states_count_in_the_error", states_count_in_the_error},
      {"states_among_many_bodies", states_among_many_bodies},
      {"states_are_sampled", states_are_sampled},
      {"rejected_steps_sample_nothing", rejected_steps_sample_nothing},
      {"programs_sample_too", programs_sample_too},
      {"laws_give_signals", laws_give_signals},
      {"checkpoints_have_states", checkpoints_have_states},
      {"raibert_hopper", raibert_hopper},
      {"wrong_states_are_refused", wrong_states_are_refused},
      {"samples_that_are_not_finite", samples_that_are_not_finite},
  };
  return test_main(argc, argv, "controls", cases, sizeof cases / sizeof *cases);
}
