/* Events: where an expression is 0, or what a law does, they set coordinates, velocities and states, switch contacts
 * and end runs. Against closed forms, with fixed and adaptive steps, over checkpoints; the order of events at the same
 * time; loops, and what is refused with which sentence. */
#include "sim/internal.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ended_run {
  recorded_rows rows;
  picus_summary summary;
} ended_run;

static bool run_fixed(const char *text, const char *scheme, double dt, double t_end, ended_run *r) {
  simulation s;
  picus_sim_options options;
  *r = (ended_run){0};
  bool done = simulation_load_text(&s, text, &options);
  options.scheme = scheme;
  options.dt = dt;
  options.t_end = t_end;
  done = done && simulation_start(&s, &options) && simulation_run(&s, &r->rows, &r->summary);
  simulation_close(&s);
  return done;
}

static bool run_adaptive(const char *text, const char *scheme, double tolerance, double t_end, ended_run *r) {
  simulation s;
  *r = (ended_run){0};
  const adaptive_run options = {.dt_min = 1e-8, .tolerance = tolerance, .t_end = t_end, .scheme = scheme};
  const bool done = simulation_open_adaptive_text(&s, text, options) && simulation_run(&s, &r->rows, &r->summary);
  simulation_close(&s);
  return done;
}

static double last(const ended_run *r, const char *name) {
  return recorded_value(&r->rows, r->rows.row_count - 1, name);
}

static void end(ended_run *r) { recorded_rows_free(&r->rows); }

#define MASS(x, v)                                                                                                     \
  "local q,u = coordinates {{'x',velocity='v',start={" #x "," #v "}}}\nkinetic(u.v^2/2)\ncontact "                     \
  "{'far',gap=q.x+100}\n"

static const char *const bases[] = {"rattle", "moreau", "half-explicit", "moreau-jean", "half-explicit-rk"};
enum { BASES = sizeof bases / sizeof *bases };

/* --- zeros of expressions ----------------------------------------------------------------------------------------- */

/* A ball whose bounces are events: at the time of the fifth one the run ends. */
static void a_ball_bounces(void) {
  static const char *const text = MASS(1, 0) "force {x=-9.81}\nlocal n = state {'n'}\n"
                                             "on {'floor',when=q.x,direction='falls',set={v=-0.8*u.v,n=n+1}}\n"
                                             "stop_when(gt(n,4.5))\n";
  double v = sqrt(2 * 9.81), t = v / 9.81;
  for (int k = 0; k < 4; k++) t += 2 * (v *= 0.8) / 9.81;
  for (int b = 0; b < BASES; b++) {
    ended_run r;
    REQUIRE(run_adaptive(text, bases[b], 1e-10, 5, &r));
    CHECK_NEAR(r.summary.t_end, t, 1e-9);
    CHECK_TEXT(r.summary.stopped_by, "stop-1");
    CHECK(r.summary.model_events == 6 && r.summary.status == PICUS_OK);
    CHECK_NEAR(last(&r, "v"), -v, 1e-8); /* a row at an event has the state before it */
    end(&r);
  }
  double error[2];
  for (int k = 0; k < 2; k++) {
    ended_run r;
    REQUIRE(run_fixed(text, "moreau-jean", k ? 1e-4 : 1e-3, 5, &r));
    error[k] = fabs(r.summary.t_end - t);
    CHECK(r.summary.model_events == 6);
    end(&r);
  }
  printf("  fixed steps: the end is wrong by %.1e and %.1e s\n", error[0], error[1]);
  CHECK(error[0] < 5e-3 && error[1] < 5e-4);
}

/* The last of five impacts makes the event that ends the run, which happens at the same time: each happens once. */
static void events_of_laws_happen_once(void) {
  static const char *const text =
      MASS(1, 0) "force {x=-9.81}\nlocal n = state {'n'}\ncontact {'floor',gap=q.x,eN=0.8}\n"
                 "on {'hit',law='floor',becomes='impact',set={n=n+1}}\n"
                 "stop_when(gt(n,4.5))\n";
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    ended_run r;
    REQUIRE(adaptive ? run_adaptive(text, "rattle", 1e-10, 10, &r) : run_fixed(text, "rattle", 1e-3, 10, &r));
    CHECK(r.summary.model_events == 6 && r.summary.impacts == 5);
    CHECK_TEXT(r.summary.stopped_by, "stop-1");
    end(&r);
  }
}

/* The wheel without a rim: from step to step, and its limit, in closed form. */
static void rimless_wheel(void) {
  const double a = acos(-1) / 8, gain = 4 * 9.81 * sin(a) * sin(0.08), c = cos(2 * a);
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    simulation s;
    recorded_rows rows = {0};
    picus_summary summary = {0};
    const adaptive_run run = {.dt_min = 1e-7, .tolerance = 1e-10, .t_end = 20, .scheme = "rattle"};
    REQUIRE(adaptive ? simulation_open_adaptive(&s, "rimless-wheel", "", run)
                     : simulation_open(&s, "rimless-wheel", "", 1e-4, 20, NULL));
    REQUIRE(simulation_run(&s, &rows, &summary));
    double w = 1.5, worst = 0;
    long steps = 0;
    for (long r = 1; r < rows.row_count; r++) {
      if (recorded_value(&rows, r, "steps") == recorded_value(&rows, r - 1, "steps")) continue;
      const double before = sqrt(w * w + gain); /* the row before the count changes is the event */
      worst = fmax(worst, fabs(recorded_value(&rows, r - 1, "omega") - before));
      w = before * c;
      steps++;
    }
    printf("  %ld steps, the largest error of the angular velocity %.1e\n", steps, worst);
    CHECK(steps > 15 && worst < (adaptive ? 1e-8 : 2e-3));
    CHECK_NEAR(w, sqrt(c * c * gain / (1 - c * c)), adaptive ? 1e-3 : 2e-3);
    recorded_rows_free(&rows);
    simulation_close(&s);
  }
}

/* One step of the simplest walker from just after a heel strike: the state just after the next one, and its time. */
static bool walk_a_step(const double start[2], double end[2], double *time) {
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary = {0};
  char values[96];
  snprintf(values, sizeof values, "theta0=%.17g,omega0=%.17g", start[0], start[1]);
  const adaptive_run run = {.dt_min = 1e-8, .tolerance = 1e-12, .t_end = 4.2, .scheme = "rattle"};
  bool found = false;
  if (!simulation_open_adaptive(&s, "simplest-walker", values, run)) return false;
  if (simulation_run(&s, &rows, &summary))
    for (long r = 1; !found && r < rows.row_count; r++) {
      if (recorded_value(&rows, r, "steps") == recorded_value(&rows, r - 1, "steps")) continue;
      const double theta = recorded_value(&rows, r - 1, "theta"); /* the row before the count changes is the event */
      end[0] = -theta;
      end[1] = cos(2 * theta) * recorded_value(&rows, r - 1, "omega");
      *time = recorded_value(&rows, r - 1, "t");
      found = true;
    }
  recorded_rows_free(&rows);
  simulation_close(&s);
  return found;
}

/* Both cycles of the simplest walker at a slope of 0.009: periodic, with the step times and multipliers of Taylor
 * series with 30 digits. */
static void simplest_walker(void) {
  static const struct {
    double start[2], time, trace, determinant;
  } cycles[] = {{{0.2003109005442471, -0.1998324730049524},
                 3.882463752851374,
                 2 * -0.190099841065886,
                 0.190099841065886 * 0.190099841065886 + 0.557598776682076 * 0.557598776682076},
                {{0.1939373698101818, -0.2038669274420069},
                 3.096105868078164,
                 4.00386435892974 + 0.459589589797677,
                 4.00386435892974 * 0.459589589797677}};
  const double delta = 1e-5;
  for (int k = 0; k < 2; k++) {
    double end[2], time, slope[2][2];
    REQUIRE(walk_a_step(cycles[k].start, end, &time));
    printf("  cycle %d: returns to %.1e and %.1e, the time of a step is wrong by %.1e\n", k + 1,
           end[0] - cycles[k].start[0], end[1] - cycles[k].start[1], time - cycles[k].time);
    CHECK_NEAR(end[0], cycles[k].start[0], 1e-9);
    CHECK_NEAR(end[1], cycles[k].start[1], 1e-9);
    CHECK_NEAR(time, cycles[k].time, 1e-8);
    for (int i = 0; i < 2; i++) {
      double sides[2][2], start[2];
      for (int side = 0; side < 2; side++) {
        memcpy(start, cycles[k].start, sizeof start);
        start[i] += side ? delta : -delta;
        REQUIRE(walk_a_step(start, sides[side], &time));
      }
      for (int j = 0; j < 2; j++) slope[j][i] = (sides[1][j] - sides[0][j]) / (2 * delta);
    }
    const double trace = slope[0][0] + slope[1][1];
    const double determinant = slope[0][0] * slope[1][1] - slope[0][1] * slope[1][0];
    printf("    trace and determinant of its map are wrong by %.1e and %.1e\n", trace - cycles[k].trace,
           determinant - cycles[k].determinant);
    CHECK_NEAR(trace, cycles[k].trace, 1e-4);
    CHECK_NEAR(determinant, cycles[k].determinant, 1e-4);
  }
}

/* The compass gait: just before and after the first heel strike, and its time, of the cycle that a program of its own
 * found with the classical method of order 4, the impact by the angular momenta of the four masses, and Newton's method
 * on the map of a step (steps of 1e-3 and 5e-4 s agree to 1e-12). */
static void compass_walker(void) {
  static const struct {
    const char *column;
    double before, after;
  } states[] = {{"theta", -0.32338855805865, 0.21866880293899},
                {"phi", 0.21866880293899, -0.32338855805865},
                {"omega", -1.49344313059799, -1.0918266774895},
                {"psi", -1.8047583087092, -0.3771815584032}};
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary = {0};
  const adaptive_run run = {.dt_min = 1e-8, .tolerance = 1e-12, .t_end = 2, .scheme = "rattle"};
  REQUIRE(simulation_open_adaptive(&s, "compass-walker", "", run) && simulation_run(&s, &rows, &summary));
  int strikes = 0;
  for (long r = 1; r < rows.row_count; r++) {
    if (recorded_value(&rows, r, "steps") == recorded_value(&rows, r - 1, "steps")) continue;
    CHECK_NEAR(recorded_value(&rows, r - 1, "t"), ++strikes * 0.734720962155482, 1e-9);
    for (int k = 0; k < 4; k++) CHECK_NEAR(recorded_value(&rows, r - 1, states[k].column), states[k].before, 1e-9);
    if (recorded_value(&rows, r, "t") == recorded_value(&rows, r - 1, "t"))
      for (int k = 0; k < 4; k++) CHECK_NEAR(recorded_value(&rows, r, states[k].column), states[k].after, 1e-9);
  }
  CHECK(strikes == 2);
  recorded_rows_free(&rows);
  simulation_close(&s);
}

/* Directions, and known times: exact with fixed steps as well. */
static void directions_and_times(void) {
  static const char *const text = MASS(
      1, 0) "potential(2*q.x^2)\nlocal a,b,c = state {'a'},state {'b'},state {'c'}\n"
            "on {'up',when=q.x,direction='rises',set={a=a+1}}\non {'down',when=q.x,direction='falls',set={b=b+1}}\n"
            "on {'both',when=q.x,set={c=c+1}}\n"
            "local d = state {'d',start=0}\non {'time',when=t-0.777,set={d=t,v=u.v+1}}\n"
            "on {'back',when=lt(q.x,-0.5),set={a=a+100}}\n";
  /* x = cos 2t to 0.777, then another amplitude; zeros every pi / 2, falling first */
  const double x = cos(2 * 0.777), v = -2 * sin(2 * 0.777) + 1, amplitude = hypot(x, v / 2);
  const double phase = atan2(-v / 2, x), t_end = 6;
  ended_run r;
  for (int k = 0; k < 2; k++) {
    if (k == 0)
      REQUIRE(run_adaptive(text, "rattle", 1e-10, t_end, &r));
    else
      REQUIRE(run_fixed(text, "half-explicit-rk", 1e-3, t_end, &r));
    CHECK_NEAR(last(&r, "d"), 0.777, 1e-15);
    CHECK_NEAR(last(&r, "x"), amplitude * cos(2 * (t_end - 0.777) + phase), k ? 1e-5 : 1e-8);
    const double a = last(&r, "a"), b = last(&r, "b");
    CHECK(fmod(a, 100) == 2 && b == 2 && last(&r, "c") == 4 && floor(a / 100) == 2);
    end(&r);
  }
}

/* --- several events ----------------------------------------------------------------------------------------------- */

/* At the same time they happen in the order of the file, and what one sets, the next one sees; those that this causes
 * follow, and states are sampled after the first ones. */
static void events_have_an_order(void) {
  static const char *const text =
      MASS(0, 1) "local a = state {'a',start=1}\non {'second',when=q.x-0.5,set={a=10*a+2}}\n"
                 "on {'third',when=2*q.x-1,set={a=10*a+3}}\non {'caused',when=a-100,direction='rises',set={a=10*a+4}}\n"
                 "state {'seen',every=0.5,next=a}\n";
  for (int k = 0; k < 2; k++) {
    ended_run r;
    if (k == 0)
      REQUIRE(run_adaptive(text, "rattle", 1e-9, 0.75, &r));
    else
      REQUIRE(run_fixed(text, "moreau", 1e-2, 0.75, &r));
    CHECK(last(&r, "a") == 1234);
    CHECK(last(&r, "seen") == 123 || k == 1); /* round-off decides whether fixed steps see 0.5 m at 0.5 s */
    end(&r);
  }
}

/* Fails with a sentence. */
static void check_failure(const char *text, bool adaptive, const char *sentence) {
  simulation s;
  picus_summary summary;
  picus_sim_options options;
  REQUIRE(simulation_load_text(&s, text, &options));
  options.adaptive = adaptive;
  options.scheme = adaptive ? "rattle" : "moreau";
  options.dt = 1e-2;
  options.dt_min = 1e-7;
  options.t_end = 10;
  REQUIRE(simulation_start(&s, &options));
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) != PICUS_OK);
  const char *message = picus_last_error(s.context)->message;
  if (!CHECK(strstr(message, sentence))) printf("  %s\n", message);
  simulation_close(&s);
}

static void loops_end_in_sentences(void) {
  static const char *const loop =
      MASS(0, 1) "local a,b = state {'a',start=-1},state {'b',start=-1}\non {'start',when=q.x-0.5,set={a=1}}\n"
                 "on {'ping',when=a,set={a=-a,b=-b}}\non {'pong',when=b,set={b=-b,a=-a}}\n";
  check_failure(loop, true, "events cause each other without end at t = 0.5");
  check_failure(loop, false, "events cause each other without end at t = 0.5");
  check_failure(MASS(0.1, 0) "force {x=-10}\non {'floor',when=q.x,direction='falls',set={v=-0.5*u.v}}\n", true,
                "event 'floor' happens again and again at t = 0.42");
  check_failure(MASS(0, 1) "on {'bad',when=q.x-0.5,set={v=log(q.x-1)}}\n", true,
                "a value that is set by event 'bad' is");
}

/* --- laws --------------------------------------------------------------------------------------------------------- */

/* A mass that falls on a floor, slides, sticks, and is thrown up again by an event of its own. */
static void laws_make_events(void) {
  static const char *const text =
      "local q,u = coordinates {{'x',velocity='vx',start={0,1}},{'y',velocity='vy',start=0.2}}\n"
      "kinetic((u.vx^2+u.vy^2)/2)\npotential(10*q.y)\ncontact {'floor',gap=q.y,slip=u.vx,mu=0.3}\n"
      "local closed,open,stick,hit = state {'closed'},state {'open'},state {'stick'},state {'hit'}\n"
      "on {'closes',law='floor',becomes='closed',set={closed=closed+1}}\n"
      "on {'opens',law='floor',becomes='open',set={open=open+1}}\n"
      "on {'sticks',law='floor',becomes='stick',set={stick=stick+1,vy=1}}\n"
      "on {'hits',law='floor',becomes='impact',set={hit=hit+1}}\n";
  for (int k = 0; k < 2; k++) {
    ended_run r;
    if (k == 0)
      REQUIRE(run_adaptive(text, "rattle", 1e-8, 0.45, &r));
    else
      REQUIRE(run_fixed(text, "moreau", 1e-3, 0.45, &r));
    /* 0.2 s until the floor, where friction takes 0.3 * 2 m/s; 0.4 / 3 s of sliding, and the throw of 0.1 m or less */
    CHECK(last(&r, "closed") == 1 && last(&r, "open") == 1 && last(&r, "stick") == 1 && last(&r, "hit") == 1);
    const double t = 0.45 - 0.2 - 0.4 / 3;
    CHECK_NEAR(last(&r, "y"), t - 5 * t * t, k ? 5e-3 : 1e-5);
    end(&r);
  }
}

/* A contact that is switched off and on again: the mass falls from one floor to the next, and a gate closes above it.
 */
static void contacts_are_switched(void) {
  static const char *const text =
      "local q,u = coordinates {{'y',velocity='v',start=1}}\nkinetic(u.v^2/2)\npotential(10*q.y)\n"
      "contact {'upper',gap=q.y-1}\ncontact {'lower',gap=q.y}\ncontact {'gate',gap=0.3-q.y}\n"
      "on {'begin',when=t-0.1,set={},switch={gate='off'}}\n"
      "on {'release',when=t-0.5,switch={upper='off'}}\non {'landed',law='lower',becomes='closed',switch={gate='on'}}\n"
      "on {'kick',when=t-2,set={v=5}}\n";
  char fixed[900];
  snprintf(fixed, sizeof fixed, "%s", text);
  /* the gate would be closed at the start: it begins 10 m higher, by its gap */
  char *gate = strstr(fixed, "gap=0.3-q.y");
  REQUIRE(gate != NULL);
  memcpy(gate, "gap=1.3-q.y", 11);
  for (int k = 0; k < 2; k++) {
    ended_run r;
    if (k == 0)
      REQUIRE(run_adaptive(fixed, "rattle", 1e-8, 0.8, &r));
    else
      REQUIRE(run_fixed(fixed, "moreau", 1e-3, 0.8, &r));
    CHECK_NEAR(last(&r, "y"), 1 - 5 * 0.09, k ? 5e-3 : 1e-6);
    CHECK(last(&r, "gate.gap") > 1e5); /* off */
    end(&r);
    if (k == 0)
      REQUIRE(run_adaptive(fixed, "rattle", 1e-8, 2.6, &r));
    else
      REQUIRE(run_fixed(fixed, "moreau", 1e-3, 2.6, &r));
    double highest = 0;
    for (long i = 0; i < r.rows.row_count; i++)
      if (recorded_value(&r.rows, i, "t") > 2) highest = fmax(highest, recorded_value(&r.rows, i, "y"));
    CHECK_NEAR(highest, 1.25, 1e-2); /* at the ends of steps; the upper floor is off, and the gate is not reached */
    CHECK(last(&r, "gate.gap") < 2);
    end(&r);
  }
}

/* Friction is off between 0.5 and 1 s: a mass slides from v = 3, coasts with 2, and stops at t = 2. A friction element,
 * and that of a guide whose constraint holds 10 N. */
static void friction_is_switched(void) {
  static const char *const laws[] = {
      "friction {'brake',slip=u.v,reservoir=2}\n", "friction {'brake',slip=u.v,reservoir=2+0*t+slip_speed()*0}\n",
      "constraint {'rail',velocity=u.w}\nforce {y=-10}\nfriction {'brake',slip=u.v,mu=0.2,load='rail'}\n"};
  for (int k = 0; k < 3; k++)
    for (int b = 0; b < BASES; b++)
      for (int adaptive = 0; adaptive < 2; adaptive++) {
        char text[900];
        ended_run r;
        snprintf(text, sizeof text,
                 "local q,u = coordinates {{'x',velocity='v',start={0,3}},{'y',velocity='w'}}\n"
                 "kinetic(u.v^2/2+u.w^2/2)\ncontact {'far',gap=q.x+100}\n%s"
                 "on {'release',when=t-0.5,switch={brake='off'}}\non {'press',when=t-1,switch={brake='on'}}\n",
                 laws[k]);
        if (adaptive)
          REQUIRE(run_adaptive(text, bases[b], 1e-9, 3, &r));
        else
          REQUIRE(run_fixed(text, bases[b], 1e-3, 3, &r));
        CHECK_NEAR(last(&r, "x"), 3.25, 1e-6);
        CHECK_NEAR(last(&r, "v"), 0, 1e-12);
        CHECK_NEAR(r.summary.energy.dissipated, 4.5, 1e-6);
        end(&r);
      }
}

/* A latch connects masses of 1 and 2 kg but from 0.5 to 1 s. A force of 1 N acts on the first, so that they have 1/3 +
 * t/3 m/s until 0.5 s, and when the latch closes again, 1/12 J is lost, beside 1/3 J at the start; by velocity, and by
 * position if the event also sets one. */
static void constraints_are_switched(void) {
  static const char *const laws[] = {"constraint {'latch',velocity=u.va-u.vb}\n",
                                     "constraint {'latch',position=q.a-q.b}\n"};
  static const char *const sets[] = {"{}", "{a=q.b}"};
  for (int k = 0; k < 2; k++)
    for (int b = 0; b < BASES; b++)
      for (int adaptive = 0; adaptive < 2; adaptive++) {
        char text[900];
        ended_run r;
        snprintf(text, sizeof text,
                 "local q,u = coordinates {{'a',velocity='va',start={0,1}},{'b',velocity='vb'}}\n"
                 "kinetic(u.va^2/2+u.vb^2)\nforce {a=1}\ncontact {'far',gap=q.b+100}\n%s"
                 "on {'open',when=t-0.5,switch={latch='off'}}\non {'shut',when=t-1,set=%s,switch={latch='on'}}\n",
                 laws[k], sets[k]);
        if (adaptive)
          REQUIRE(run_adaptive(text, bases[b], 1e-9, 2, &r));
        else
          REQUIRE(run_fixed(text, bases[b], 1e-3, 2, &r));
        CHECK_NEAR(last(&r, "va"), 1, 1e-12);
        CHECK_NEAR(last(&r, "vb"), 1, 1e-12);
        CHECK_NEAR(last(&r, "b"), 0.5 * (1 / 3. + 0.5) / 2 + 0.25 + (2 / 3. + 1) / 2, adaptive ? 1e-5 : 2e-3);
        CHECK_NEAR(r.summary.energy.dissipated, 1 / 3. + 1 / 12., adaptive ? 1e-5 : 1e-3);
        end(&r);
      }
}

/* A pendulum that is cut off flies on as a free body; the name of its joint stands for all of its laws. A latch that is
 * shut while its sides are apart is an error. */
static void joints_are_cut(void) {
  static const char text[] = "gravity {0,-10}\nlocal rod = planar_body {'rod',mass=2,inertia=0.1,position={0.5,0}}\n"
                             "revolute {'hinge',ground,rod,at={0,0},mu=0.1,radius=0.01}\n"
                             "on {'cut',when=t-0.3,switch={hinge='off'}}\n";
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    ended_run r;
    if (adaptive)
      REQUIRE(run_adaptive(text, "rattle", 1e-9, 0.8, &r));
    else
      REQUIRE(run_fixed(text, "rattle", 1e-3, 0.8, &r));
    long cut = 0;
    while (cut < r.rows.row_count - 1 && recorded_value(&r.rows, cut, "t") < 0.3 - 1e-9) cut++;
    const double dt = 0.8 - recorded_value(&r.rows, cut, "t"), vy = recorded_value(&r.rows, cut, "vy_rod");
    CHECK(recorded_value(&r.rows, cut, "hinge_friction.PF") != 0 && last(&r, "hinge_friction.PF") == 0);
    CHECK_NEAR(last(&r, "omega_rod"), recorded_value(&r.rows, cut, "omega_rod"), 1e-9);
    CHECK_NEAR(last(&r, "y_rod"), recorded_value(&r.rows, cut, "y_rod") + vy * dt - 5 * dt * dt, 1e-9);
    end(&r);
  }
  check_failure(MASS(0, 1) "constraint {'latch',position=q.x}\n"
                           "on {'open',when=t-0.1,set={v=1},switch={latch='off'}}\n"
                           "on {'shut',when=t-0.2,switch={latch='on'}}\n",
                true, "event 'shut' switches 'latch' on at t = 0.2, but its gap is 0.1 m");
}

/* What a law does in its first step is no event: a mass that rests, on a floor and under friction. Its first impact is
 * one. */
static void first_modes_are_no_events(void) {
  static const char text[] =
      "local q,u = coordinates {{'x',velocity='vx'},{'y',velocity='vy'},{'z',velocity='vz',start={0,-1}}}\n"
      "kinetic((u.vx^2+u.vy^2+u.vz^2)/2)\nforce {y=-10,z=-10}\ncontact {'floor',gap=q.y,slip=u.vx,mu=0.3}\n"
      "friction {'guide',slip=u.vx,reservoir=1}\ncontact {'hit',gap=q.z}\n"
      "local n,m = state {'n'},state {'m'}\n"
      "on {'a',law='floor',becomes='closed',set={n=n+1}}\non {'b',law='floor',becomes='stick',set={n=n+1}}\n"
      "on {'c',law='guide',becomes='stick',set={n=n+1}}\non {'d',law='hit',becomes='impact',set={m=m+1}}\n";
  for (int k = 0; k < 2; k++) {
    ended_run r;
    if (k == 0)
      REQUIRE(run_adaptive(text, "rattle", 1e-8, 0.1, &r));
    else
      REQUIRE(run_fixed(text, "moreau", 1e-3, 0.1, &r));
    CHECK(last(&r, "n") == 0 && last(&r, "m") == 1);
    end(&r);
  }
}

/* A log by a program: the state at each event, before it is changed. */
typedef struct event_log {
  int count;
  double t[10], v[10];
  bool is_named;
} event_log;

static void note_event(void *user, const picus_sim *sim, int event) {
  event_log *log = user;
  if (log->count == 10) return;
  log->is_named = strcmp(picus_sim_event(sim, event).name, "floor") == 0;
  log->t[log->count] = picus_sim_event(sim, event).t;
  log->v[log->count++] = picus_sim_state(sim).u[0];
}

static void programs_log_events(void) {
  simulation s;
  picus_summary summary;
  event_log log = {0};
  const adaptive_run run = {.dt_min = 1e-8, .tolerance = 1e-10, .t_end = 2, .scheme = "rattle"};
  const picus_run_hooks hooks = {.user = &log, .model_event = note_event};
  REQUIRE(simulation_open_adaptive_text(
      &s, MASS(1, 0) "force {x=-9.81}\non {'floor',when=q.x,direction='falls',set={v=-0.8*u.v}}\n", run));
  CHECK(picus_sim_run(s.sim, NULL, &hooks, &summary) == PICUS_OK);
  double v = sqrt(2 * 9.81), t = v / 9.81;
  for (int k = 0; k < log.count; k++) {
    CHECK_NEAR(log.t[k], t, 1e-9);
    CHECK_NEAR(log.v[k], -v, 1e-8);
    t += 2 * (v *= 0.8) / 9.81;
  }
  CHECK(log.count == summary.model_events && log.count == 3 && log.is_named);
  simulation_close(&s);
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

/* A run, and those that go on from checkpoints of it, just behind events and between them: the same bits at the end. */
static void checkpoints_have_events(void) {
  static const char *const text =
      MASS(1, 0) "force {x=-9.81}\nlocal n = state {'n'}\ncontact {'roof',gap=1.5-q.x,eN=0.5}\n"
                 "on {'floor',when=q.x,direction='falls',set={v=-0.9*u.v,n=n+1}}\n"
                 "on {'roof',law='roof',becomes='impact',set={n=n+10}}\non {'wind',when=t-1.1,set={v=u.v+3}}\n";
  for (int adaptive = 0; adaptive < 2; adaptive++)
    for (int place = 0; place < 6; place++) {
      double ends[2][4] = {{0}};
      saving saved = {.t = 0.2 + 0.3 * place};
      for (int k = 0; k < 2; k++) {
        simulation s;
        picus_sim_options options;
        REQUIRE(simulation_load_text(&s, text, &options));
        options.scheme = adaptive ? "rattle" : "half-explicit-rk";
        options.adaptive = adaptive;
        options.dt = 1.3e-3;
        options.dt_min = 1e-7;
        options.t_end = 2.5;
        REQUIRE(simulation_start(&s, &options));
        if (k == 1) REQUIRE(picus_sim_load(s.sim, saved.bytes, saved.size, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
        const picus_run_hooks hooks = {.user = &saved, .step = save_once};
        picus_summary summary;
        REQUIRE(picus_sim_run(s.sim, NULL, &hooks, &summary) == PICUS_OK);
        const picus_state state = picus_sim_state(s.sim);
        ends[k][0] = state.q[0];
        ends[k][1] = state.u[0];
        ends[k][2] = picus_sim_input(s.sim, 0).value;
        ends[k][3] = (double)(picus_sim_event(s.sim, 0).count + summary.model_events);
        CHECK(picus_sim_event_count(s.sim) == 3 && picus_sim_event(s.sim, 0).count >= 3);
        simulation_close(&s);
      }
      CHECK(memcmp(ends[0], ends[1], sizeof ends[0]) == 0);
      free(saved.bytes);
    }
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static void wrong_events_are_refused(void) {
  static const struct {
    const char *text, *sentence;
  } wrong[] = {
      {"on {'e'}", "on 'e' needs either 'when' or 'law'"},
      {"on {'e',when=q.x,law='far',becomes='open'}", "needs either 'when' or 'law'"},
      {"on {'e',when=3}", "event 'e' is a number, which is never or always 0"},
      {"on {'e',when=q.x}\non {'e',when=q.x}", "event 'e' is defined twice"},
      {"on {'e',when=q.x,direction='up'}",
       "'direction' of on 'e' is \"up\"; it must be \"rises\", \"falls\" or \"both\""},
      {"on {'e',when=lt(q.x,0),direction='rises'}", "has a condition, which becomes true; omit 'direction'"},
      {"on {'e',when=all(lt(q.x,0),lt(q.x,1))}", "one of the conditions lt, le, gt and ge"},
      {"on {'e',when=q.x,set={z=1}}", "there is no coordinate, velocity or sampled state 'z'"},
      {"on {'e',when=q.x,set={x='a'}}", "must be an expression or a number, not a string"},
      {"on {'e',when=q.x,set=3}", "'set' of on 'e' must be { NAME = value, ... }, not a number"},
      {"on {'e',law='fra',becomes='open'}", "there is no law 'fra'; did you mean 'far'?"},
      {"on {'e',law='far',becomes='shut'}", "'becomes' of on 'e' is \"shut\""},
      {"on {'e',law='far'}", "on 'e' has a law and needs 'becomes'"},
      {"on {'e',when=q.x,switch={far='of'}}", "'far' in 'switch' of on 'e' must be \"on\" or \"off\""},
      {"on {'e',when=q.x,switch={nowhere='off'}}", "there is no law or joint 'nowhere'"},
      {"preload {'f',displacement=q.x,force=1}\non {'e',when=q.x,switch={f='off'}}",
       "event 'e' switches 'f', which is a preload"},
      {"on {'e',when=force('far')-3}", "depends on 'force-of-far', a value of the last step"},
      {"stop_when()", "stop_when takes one expression or condition, not 0"},
      {"on {'e',when=q.x,then_=1}", "on 'e' has no entry 'then_'"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    char text[600];
    snprintf(text, sizeof text, MASS(0, 1) "%s\n", wrong[k].text);
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

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"a_ball_bounces", a_ball_bounces},
      {"events_of_laws_happen_once", events_of_laws_happen_once},
      {"rimless_wheel", rimless_wheel},
      {"simplest_walker", simplest_walker},
      {"compass_walker", compass_walker},
      {"directions_and_times", directions_and_times},
      {"events_have_an_order", events_have_an_order},
      {"loops_end_in_sentences", loops_end_in_sentences},
      {"laws_make_events", laws_make_events},
      {"contacts_are_switched", contacts_are_switched},
      {"friction_is_switched", friction_is_switched},
      {"constraints_are_switched", constraints_are_switched},
      {"joints_are_cut", joints_are_cut},
      {"first_modes_are_no_events", first_modes_are_no_events},
      {"programs_log_events", programs_log_events},
      {"checkpoints_have_events", checkpoints_have_events},
      {"wrong_events_are_refused", wrong_events_are_refused},
  };
  return test_main(argc, argv, "events", cases, sizeof cases / sizeof *cases);
}
