/* Forces and surfaces that switch by a condition, min, max, abs or sign: adaptive runs locate the switches, steps take
 * the value on their own side of a stop time, and what no force describes ends a run with a sentence. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const bases[] = {"rattle", "moreau", "half-explicit", "moreau-jean", "half-explicit-rk"};
enum { BASES = sizeof bases / sizeof *bases };

#define ONE_MASS(x, v, rest)                                                                                           \
  "model('one mass','')\nlocal q,u = coordinates {{'x',velocity='v',start={" #x "," #v                                 \
  "}}}\nkinetic(u.v^2/2)\ncontact {'far',gap=q.x+100}\n" rest

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* x and v at the end; false: a check has failed. */
static bool run_to_end(const char *text, adaptive_run options, double *x, double *v, picus_summary *summary) {
  simulation s;
  recorded_rows rows = {0};
  const bool done = simulation_open_adaptive_text(&s, text, options) && simulation_run(&s, &rows, summary);
  if (done) {
    *x = recorded_value(&rows, rows.row_count - 1, "x");
    *v = recorded_value(&rows, rows.row_count - 1, "v");
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
  return done;
}

static bool run_fixed(const char *text, const char *scheme, double dt, double t_end, double *x, double *v,
                      picus_summary *summary) {
  simulation s;
  recorded_rows rows = {0};
  picus_sim_options options;
  bool done = simulation_load_text(&s, text, &options);
  options.scheme = scheme;
  options.dt = dt;
  options.t_end = t_end;
  done = done && simulation_start(&s, &options) && simulation_run(&s, &rows, summary);
  if (done) {
    *x = recorded_value(&rows, rows.row_count - 1, "x");
    *v = recorded_value(&rows, rows.row_count - 1, "v");
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
  return done;
}

/* --- switches by the state ---------------------------------------------------------------------------------------- */

/* Exact: parabolas and sines. An error of every step as large as the tolerance grows over the run. */
static void errors_fall_with_the_tolerance(void) {
  static const struct {
    const char *name, *text;
    double t_end, exact, growth;
  } models[] = {
      {"relay", ONE_MASS(1, 0, "force {x=when(gt(q.x,0),-1,1)}"), 20, -0.979797464466614, 1},
      {"bump stop", ONE_MASS(0, 6, "potential(10*q.x^2/2+2000*max(0,q.x-0.5)^2/2)"), 20, -0.3627318451374961, 60},
      {"two stiffnesses", ONE_MASS(1, 0, "force {x=when(gt(q.x,0),-100*q.x,-400*q.x)}"), 10, 0.5063656411097555, 10},
  };
  static const double tolerances[] = {1e-6, 1e-8, 1e-10};
  for (size_t m = 0; m < sizeof models / sizeof *models; m++)
    for (int b = 0; b < BASES; b++) {
      double error[3] = {0}, v = NAN;
      for (int k = 0; k < 3; k++) {
        picus_summary summary = {0};
        const adaptive_run options = {
            .dt_min = 1e-9, .tolerance = tolerances[k], .t_end = models[m].t_end, .scheme = bases[b]};
        REQUIRE(run_to_end(models[m].text, options, &error[k], &v, &summary));
        error[k] = fabs(error[k] - models[m].exact);
        CHECK(error[k] <= models[m].growth * tolerances[k]);
        CHECK(summary.adaptive.missed == 0 && summary.adaptive.switching_points > 0);
      }
      printf("  %-16s %-16s errors %.1e, %.1e, %.1e\n", models[m].name, bases[b], error[0], error[1], error[2]);
    }
}

/* A throw whose top is beyond a switch for a short time, between two points of a long step: x = t - t^2 / 2, and 51
 * times the weight above 0.5 - d. */
static void short_excursions_are_seen(void) {
  for (double d = 1e-2; d > 5e-8; d *= 0.1)
    for (int b = 0; b < BASES; b++) {
      char text[300];
      double x = NAN, v = NAN;
      picus_summary summary = {0};
      snprintf(text, sizeof text, ONE_MASS(0, 1, "force {x=-1-when(gt(q.x,%.17g),50,0)}"), 0.5 - d);
      const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-8, .t_end = 2, .scheme = bases[b]};
      REQUIRE(run_to_end(text, options, &x, &v, &summary));
      const double speed = sqrt(2 * d), after = 1 + speed - 2 * speed / 51;
      CHECK_NEAR(x, 0.5 - d - speed * after - 0.5 * after * after, 1e-7);
      if (!CHECK(summary.adaptive.switching_points == 2)) printf("  %s, d = %g\n", bases[b], d);
    }
}

/* Rows inside of steps are of the side of their step. */
static void samples_are_on_the_path(void) {
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary;
  const char *text = ONE_MASS(0, 1, "force {x=-sign(q.x)}");
  const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-8, .t_end = 10, .scheme = "rattle", .sample = 0.01};
  REQUIRE(simulation_open_adaptive_text(&s, text, options));
  if (simulation_run(&s, &rows, &summary))
    for (long i = 0; i < rows.row_count; i++) {
      const double t = recorded_value(&rows, i, "t"), part = fmod(t, 2), side = fmod(t, 4) < 2 ? 1 : -1;
      CHECK_NEAR(recorded_value(&rows, i, "x"), side * (part - 0.5 * part * part), 1e-12);
    }
  recorded_rows_free(&rows);
  simulation_close(&s);
}

/* (-x)^1.5 has no value for x > 0, so that no step can look beyond the switch. Energy is kept, and both ways to write
 * the force agree. */
static void expressions_without_a_value_beyond(void) {
  const char *texts[] = {ONE_MASS(1, 0, "potential(9.81*q.x+1e4*max(0,-q.x)^2.5/2.5)"),
                         ONE_MASS(1, 0, "force {x=-9.81+when(lt(q.x,0),1e4*(-q.x)^1.5,0)}")};
  for (int b = 0; b < BASES; b++)
    for (int k = 0; k < 2; k++) {
      double x = NAN, v = NAN;
      picus_summary summary = {0};
      const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-8, .t_end = 10, .scheme = bases[b]};
      REQUIRE(run_to_end(texts[k], options, &x, &v, &summary));
      printf("  %-16s x = %.10g, v = %.10g, %ld base steps\n", bases[b], x, v, summary.adaptive.base_steps);
      CHECK_NEAR(x, 0.36651967, 1e-6);
      CHECK(x > 0 && fabs(9.81 * x + 0.5 * v * v - 9.81) < 1e-6);
      CHECK(summary.adaptive.switching_points == 20);
    }
}

/* A surface with an edge: its velocity jumps where a mass passes it. */
static void an_edge_is_an_impact(void) {
  const char *text = "model('ramp','')\nlocal q,u = coordinates {{'x',velocity='v',start={-1,1}},"
                     "{'y',velocity='w',start={0,0}}}\nkinetic(u.v^2/2+u.w^2/2) force {y=-9.81}\n"
                     "contact {'floor',gap=q.y-0.5*max(0,q.x)}\n";
  for (int b = 0; b < BASES; b++) {
    double x = NAN, v = NAN;
    picus_summary summary = {0};
    const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-9, .t_end = 1.1, .scheme = bases[b]};
    REQUIRE(run_to_end(text, options, &x, &v, &summary));
    CHECK_NEAR(x, 0.06038, 1e-8); /* 0.8 t - 3.924 t^2 / 2 from the edge on */
    CHECK_NEAR(v, 0.4076, 1e-8);
  }
}

/* --- where no force acts -------------------------------------------------------------------------------------------
 */

static void sliding_ends_with_a_sentence(void) {
  static const struct {
    const char *text, *place;
    double t;
  } models[] = {{ONE_MASS(0, 1, "force {x=-2*sign(u.v)}"), "v = 0", 0.5},
                {ONE_MASS(0, 0, "force {x=when(gt(q.x,0),-1,1)}"), "x = 0", 0},
                {ONE_MASS(1, 0, "force {x=-4*q.x-when(gt(u.v,0),1,-1)}"), "v = 0", NAN},
                {ONE_MASS(1, 0, "force {x=-sign(q.x)*(1+0.5*sign(q.x*u.v))}"), "= 0", NAN}};
  for (size_t m = 0; m < sizeof models / sizeof *models; m++)
    for (int b = 0; b < BASES; b++) {
      simulation s;
      picus_summary summary = {0};
      const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-8, .t_end = 60, .scheme = bases[b]};
      REQUIRE(simulation_open_adaptive_text(&s, models[m].text, options));
      const picus_status status = picus_sim_run(s.sim, NULL, NULL, &summary);
      const char *message = picus_last_error(s.context)->message;
      if (b == 0) printf("  %ld base steps: %s\n", summary.adaptive.base_steps, message);
      CHECK(status != PICUS_OK && summary.adaptive.base_steps < 200000);
      CHECK(strstr(message, models[m].place) && strstr(message, "friction") && strstr(message, "preload"));
      if (!isnan(models[m].t)) CHECK_NEAR(summary.t_end, models[m].t, 1e-9);
      simulation_close(&s);
    }
}

/* A function that stays 0 up to round-off is no switch: a contact holds the mass. */
static void round_off_is_no_switch(void) {
  static const char *const forces[] = {"x=1-0.1*abs(u.v)*u.v", "x=1-0.1*sign(u.v)", "x=1-10*max(0,u.v)"};
  for (int k = 0; k < 3; k++)
    for (int b = 0; b < BASES; b++) {
      char text[400];
      double x = NAN, v = NAN;
      picus_summary summary = {0};
      snprintf(text, sizeof text,
               "model('held','')\nlocal q,u = coordinates {{'x',velocity='v',start={0,1}},"
               "{'y',velocity='w',start={0,0}}}\nkinetic(u.v^2/2+u.w^2/2) force {%s, y=-9.81}\n"
               "contact {'floor',gap=q.y,slip=u.v,mu=0.5}\n",
               forces[k]);
      const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-8, .t_end = 5, .scheme = bases[b]};
      REQUIRE(run_to_end(text, options, &x, &v, &summary));
      CHECK(fabs(v) < 1e-12 && summary.adaptive.base_steps < 3000);
    }
}

/* --- switches by time -----------------------------------------------------------------------------------------------
 */

/* The force ends at t = 1, whether the model says so or not. */
static void steps_take_their_own_side(void) {
  static const char *const forces[] = {"when(lt(t,1),3,0)", "when(le(t,1),3,0)", "3-3*when(gt(t,1),1,0)",
                                       "1.5-1.5*sign(2*t-2)"};
  static const char *const schemes[] = {"rattle", "moreau-jean", "half-explicit", "half-explicit-rk", "moreau"};
  for (int k = 0; k < 4; k++) {
    char text[300];
    double x = NAN, v = NAN;
    picus_summary summary = {0};
    snprintf(text, sizeof text, ONE_MASS(0, 0, "force {x=%s}"), forces[k]);
    for (int j = 0; j < 5; j++) {
      REQUIRE(run_fixed(text, schemes[j], 0.013, 2, &x, &v, &summary)); /* 1 is no multiple of dt */
      CHECK_NEAR(v, 3, 1e-12);
      CHECK(summary.switched == 0);
      const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-8, .t_end = 2, .scheme = schemes[j]};
      REQUIRE(run_to_end(text, options, &x, &v, &summary));
      CHECK_NEAR(x, 4.5, 1e-12);
      CHECK_NEAR(v, 3, 1e-12);
    }
  }
}

/* A table that starts to move hits the mass on it, with its restitution. */
static void a_surface_that_starts_is_an_impact(void) {
  static const char *const surfaces[] = {"when(lt(t,0.5),0,t-0.5)", "when(le(t,0.5),0,t-0.5)", "max(0,t-0.5)"};
  static const char *const schemes[] = {"rattle", "moreau", "moreau-jean"};
  for (int k = 0; k < 3; k++) {
    char text[300];
    double x = NAN, v = NAN;
    picus_summary summary = {0};
    snprintf(text, sizeof text,
             "model('kick','')\nlocal q,u = coordinates {{'x',velocity='v',start={0,0}}}\n"
             "kinetic(u.v^2/2) potential(9.81*q.x)\ncontact {'table',gap=q.x-%s,eN=0.5}\n",
             surfaces[k]);
    for (int j = 0; j < 3; j++) {
      const adaptive_run options = {.dt_min = 1e-9, .tolerance = 1e-10, .t_end = 0.55, .scheme = schemes[j]};
      REQUIRE(run_to_end(text, options, &x, &v, &summary));
      CHECK_NEAR(x, 0.0627375, 1e-8);
      CHECK_NEAR(v, 1.0095, 1e-7);
      REQUIRE(run_fixed(text, schemes[j], 1e-4, 0.55, &x, &v, &summary));
      CHECK_NEAR(v, 1.0095, 2e-3);
    }
  }
}

/* Fixed steps of order 2 or more say that a switch cost their order. */
static void fixed_steps_count_switches(void) {
  static const char *const schemes[] = {"rattle", "half-explicit-rk", "moreau"};
  for (int j = 0; j < 3; j++) {
    double x = NAN, v = NAN;
    picus_summary summary = {0};
    REQUIRE(run_fixed(ONE_MASS(1, 0, "force {x=when(gt(q.x,0),-1,1)}"), schemes[j], 1e-3, 20, &x, &v, &summary));
    CHECK(summary.switched == (j < 2 ? 7 : 0));
    REQUIRE(run_fixed(ONE_MASS(1, 0, "force {x=-q.x}"), schemes[j], 1e-3, 20, &x, &v, &summary));
    CHECK(summary.switched == 0);
  }
}

/* An angle between -pi and pi jumps, and with it all points of a table of it. The search for the jump must end, and the
 * motion is that of the same table without a jump. */
static void angles_may_jump(void) {
#define MESH                                                                                                           \
  "local q,u=coordinates {{'x',velocity='v',start={0.1,0.5}},{'phi',velocity='w',start={0.3,7}}}\n"                    \
  "kinetic(u.v^2/2+u.w^2/2)\nlocal list={{-pi,1},{-0.5,1},{0.5,1.4},{2.5,1.4},{pi,1}}\n"
  static const char
      *const jumps = MESH "force {x=-40*q.x*table(atan2(sin(q.phi),cos(q.phi)),list),phi=-0.1*q.x}\n",
             *const runs_on = MESH
             "local long={{-pi,1}}\nfor k=0,6 do for i=2,5 do long[#long+1]={list[i][1]+2*pi*k,list[i][2]} end end\n"
             "force {x=-40*q.x*table(q.phi,long),phi=-0.1*q.x}\n";
#undef MESH
  for (int b = 0; b < BASES - 1; b++) { /* half-explicit-rk takes ten times as many steps */
    const adaptive_run options = {.dt_min = 1e-6, .tolerance = 1e-8, .t_end = 5, .scheme = bases[b]};
    double x = NAN, v = NAN, x_long = NAN, v_long = NAN;
    picus_summary summary = {0};
    REQUIRE(run_to_end(jumps, options, &x, &v, &summary));
    CHECK(summary.steps < 30000);
    REQUIRE(run_to_end(runs_on, options, &x_long, &v_long, &summary));
    CHECK_NEAR(x, x_long, 1e-6);
    CHECK_NEAR(v, v_long, 1e-5);
  }
  /* a stiff mesh, whose steps at the jump are as short as they may be: this search did not end */
  const adaptive_run stiff = {.dt_min = 1e-7, .tolerance = 1e-8, .t_end = 0.05, .scheme = "rattle"};
  double x = NAN, v = NAN;
  picus_summary summary = {0};
  REQUIRE(run_to_end("local q,u=coordinates {{'x',velocity='v',start=1e-4},{'phi',velocity='w',start={0,10}}}\n"
                     "kinetic(u.v^2/2+u.w^2/2)\nconstraint {'speed',velocity=u.w-10}\nlocal a=20*q.phi\n"
                     "local k=1e6*table(atan2(sin(a),cos(a)),{{-pi,1},{-0.5,1},{0.5,1.4},{2.5,1.4},{pi,1}})\n"
                     "force {x=200+150*sin(300*t)-k*max(0,q.x-5e-5)+k*max(0,-5e-5-q.x)-60*u.v}\n",
                     stiff, &x, &v, &summary));
  CHECK(summary.steps < 20000);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"errors_fall_with_the_tolerance", errors_fall_with_the_tolerance},
                                    {"short_excursions_are_seen", short_excursions_are_seen},
                                    {"samples_are_on_the_path", samples_are_on_the_path},
                                    {"expressions_without_a_value_beyond", expressions_without_a_value_beyond},
                                    {"an_edge_is_an_impact", an_edge_is_an_impact},
                                    {"sliding_ends_with_a_sentence", sliding_ends_with_a_sentence},
                                    {"round_off_is_no_switch", round_off_is_no_switch},
                                    {"steps_take_their_own_side", steps_take_their_own_side},
                                    {"a_surface_that_starts_is_an_impact", a_surface_that_starts_is_an_impact},
                                    {"fixed_steps_count_switches", fixed_steps_count_switches},
                                    {"angles_may_jump", angles_may_jump}};
  return test_main(argc, argv, "adaptive_switches", cases, sizeof cases / sizeof cases[0]);
}
