/* Joints of which some follow from others, against the same mechanisms without them: random linkages in the plane and
 * in space, with every scheme and adaptively. Also pendulums whose constraint forces are round-off: constraints are
 * closed at all times. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 1e-3 /* s: of runs with fixed steps */

enum { TEXT = 4096, STATES = 64 };

/* PICUS_TEST_STUDY: mechanisms of each kind; default: few, for a second or two. */
static int study_size(int few) {
  const char *text = getenv("PICUS_TEST_STUDY");
  const long given = text ? strtol(text, NULL, 10) : 0;
  return given > 0 && given < 100000 ? (int)given : test_is_reduced() ? 1 : few;
}

/* --- pairs of models: with redundant joints, and without -------------------------------------------------------- */

typedef struct pair {
  const char *kind;
  char redundant[TEXT], plain[TEXT];
  double t_end;
} pair;

/* A Hooke's joint between two shafts in bearings. */
static void make_hooke(test_random *r, pair *p) {
  const double be = test_uniform(r, 0.2, 0.9), wa = test_uniform(r, 1, 6), J = test_uniform(r, 0.01, 0.05);
  char shafts[TEXT / 2];
  snprintf(shafts, sizeof shafts,
           "local be=%.17g\n"
           "local a=spatial_body {'a',mass=%.3g,inertia={0.01,0.02,0.02},position={-0.2,0,0},omega={%.17g,0,0}}\n"
           "local b=spatial_body {'b',mass=1,inertia={%.3g,%.3g,%.3g},position={0.2*cos(be),0.2*sin(be),0},\n"
           "  omega={%.17g,%.17g,0}}\n"
           "revolute {'ba',ground,a,at={-0.2,0,0},axis={1,0,0}}\n"
           "revolute {'bb',ground,b,at={0.2*cos(be),0.2*sin(be),0},axis={cos(be),sin(be),0}}\n",
           be, test_uniform(r, 0.3, 3), wa, J, J, J, wa * cos(be) * cos(be), wa * cos(be) * sin(be));
  p->kind = "Hooke's joint";
  p->t_end = 0.2;
  snprintf(p->redundant, TEXT, "%suniversal {'u',a,b,at={0,0,0},axes={{0,0,1},{-sin(be),cos(be),0}}}\n", shafts);
  snprintf(p->plain, TEXT,
           "%slocal ax,ay,az=a:direction {0,0,1}\nlocal bx,by,bz=b:direction {-sin(be),cos(be),0}\n"
           "constraint {'u',position=ax*bx+ay*by+az*bz}\n",
           shafts);
}

static void normalise(double v[3]) {
  const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3; i++) v[i] /= length;
}

/* A pendulum of several bodies in space, each on one hinge, or on two of one axis. */
static void make_doubled(test_random *r, pair *p) {
  const int links = test_integer(r, 1, 3);
  p->kind = "doubled hinges";
  p->t_end = 0.2;
  snprintf(p->plain, TEXT, "gravity {%.3g,-9.81,%.3g}\nlocal last=ground\n", test_uniform(r, -3, 3),
           test_uniform(r, -3, 3));
  double at[3] = {0, 0, 0};
  strcpy(p->redundant, p->plain);
  for (int k = 0; k < links; k++) {
    double axis[3], to[3];
    for (int i = 0; i < 3; i++) axis[i] = test_uniform(r, -1, 1), to[i] = at[i] + test_uniform(r, 0.2, 0.5);
    normalise(axis);
    char text[TEXT / 4], second[TEXT / 8];
    snprintf(text, sizeof text,
             "local b%d=spatial_body {'b%d',mass=%.3g,inertia={0.02,0.03,0.025},position={%.17g,%.17g,%.17g}}\n"
             "revolute {'h%d',last,b%d,at={%.17g,%.17g,%.17g},axis={%.17g,%.17g,%.17g}}\n",
             k, k, test_uniform(r, 0.5, 2), (at[0] + to[0]) / 2, (at[1] + to[1]) / 2, (at[2] + to[2]) / 2, k, k, at[0],
             at[1], at[2], axis[0], axis[1], axis[2]);
    snprintf(second, sizeof second, "revolute {'g%d',last,b%d,at={%.17g,%.17g,%.17g},axis={%.17g,%.17g,%.17g}}\n", k, k,
             at[0] + 0.3 * axis[0], at[1] + 0.3 * axis[1], at[2] + 0.3 * axis[2], axis[0], axis[1], axis[2]);
    char next[32];
    snprintf(next, sizeof next, "last=b%d\n", k);
    strcat(strcat(p->plain, text), next);
    strcat(strcat(strcat(p->redundant, text), second), next);
    memcpy(at, to, sizeof at);
  }
}

/* When cranks of angle phi first lie flat, phi'' = -k cos phi by the classical Runge-Kutta method with steps h; t_end
 * if they do not until then. */
static double flat_time(double k, double phi, double w, double h, double t_end) {
  const double side = sin(phi);
  double t = 0;
  for (; t < t_end && sin(phi) * side > 0; t += h) {
    const double a1 = -k * cos(phi), b1 = w;
    const double a2 = -k * cos(phi + h / 2 * b1), b2 = w + h / 2 * a1;
    const double a3 = -k * cos(phi + h / 2 * b2), b3 = w + h / 2 * a2;
    const double a4 = -k * cos(phi + h * b3), b4 = w + h * a3;
    phi += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return t;
}

/* A parallelogram with more cranks than it needs. Without redundancy the further cranks are kept parallel by one
 * constraint each. The run ends ten steps before the mechanism lies flat: from there it may also move on folded, with
 * or without the further cranks, so that round-off and the error of the scheme choose its motion. */
static void make_parallelogram(test_random *r, pair *p) {
  const int cranks = test_integer(r, 3, 5);
  const double L = test_uniform(r, 0.5, 1.5), phi = test_uniform(r, 0.3, 2.5), w = test_uniform(r, -3, 3);
  const double x = L * cos(phi), y = L * sin(phi), mass = test_uniform(r, 0.5, 3);
  double inertia = mass * L * L, weight = 9.81 * mass * L;
  p->kind = "parallelogram";
  snprintf(p->plain, TEXT,
           "gravity {0,-9.81}\nlocal c=planar_body {'c',mass=%.17g,inertia=0.1,position={%.17g,%.17g},"
           "velocity={%.17g,%.17g}}\n",
           mass, x + 0.4, y, -w * y, w * x);
  strcpy(p->redundant, p->plain);
  for (int k = 0; k < cranks; k++) {
    const double at = (double)k + test_uniform(r, -0.3, 0.3), m = test_uniform(r, 0.5, 2);
    const double J = test_uniform(r, 0.01, 0.1);
    char text[TEXT / 4], closed[TEXT / 8], parallel[TEXT / 8];
    snprintf(text, sizeof text,
             "local b%d=planar_body {'b%d',mass=%.17g,inertia=%.17g,position={%.17g,%.17g},angle=%.17g,"
             "velocity={%.17g,%.17g},omega=%.17g}\nrevolute {'g%d',ground,b%d,at={%.17g,0}}\n",
             k, k, m, J, at + x / 2, y / 2, phi, -w * y / 2, w * x / 2, w, k, k, at);
    snprintf(closed, sizeof closed, "revolute {'j%d',b%d,c,at={%.17g,%.17g}}\n", k, k, at + x, y);
    snprintf(parallel, sizeof parallel,
             "do local ax,ay=b0:direction {1,0}\nlocal bx,by=b%d:direction {1,0}\n"
             "constraint {'j%d',position=ax*by-ay*bx} end\n",
             k, k);
    strcat(strcat(p->redundant, text), closed);
    strcat(strcat(p->plain, text), k < 2 ? closed : parallel);
    inertia += J + m * L * L / 4;
    weight += 9.81 * m * L / 2;
  }
  p->t_end = STEP * floor(flat_time(weight / inertia, phi, w, STEP, 0.21) / STEP - 10);
}

typedef void (*maker)(test_random *r, pair *p);
static const maker makers[] = {make_hooke, make_doubled, make_parallelogram};

/* So many mechanisms of each kind. is_last: of its kind. */
typedef void (*mechanism_test)(const pair *p, bool is_last);
static void try_mechanisms(unsigned seed, mechanism_test test) {
  const int count = study_size(1);
  for (size_t m = 0; m < sizeof makers / sizeof makers[0]; m++) {
    test_random r = {seed + m};
    for (int k = 0; k < count; k++) {
      pair p;
      makers[m](&r, &p);
      test(&p, k == count - 1);
    }
  }
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

typedef struct result {
  int count;
  double q[STATES];
  picus_summary summary;
} result;

static bool run_one(const char *text, const char *options, double t_end, result *out) {
  char whole[TEXT + 256];
  simulation s;
  memset(out, 0, sizeof *out);
  snprintf(whole, sizeof whole, "%s\nsimulate {t_end=%.17g,%s}\n", text, t_end, options);
  bool good = simulation_open_text(&s, whole) && CHECK(picus_sim_run(s.sim, NULL, NULL, &out->summary) == PICUS_OK);
  if (good) {
    const picus_state state = picus_sim_state(s.sim);
    out->count = state.nq < STATES ? state.nq : STATES;
    memcpy(out->q, state.q, (size_t)out->count * sizeof *out->q);
  } else if (s.context)
    printf("    %s: %s\n", options, picus_last_error(s.context)->message);
  simulation_close(&s);
  return good;
}

static void write_adaptive(const char *base, double tolerance, char *options, size_t size) {
  snprintf(options, size, "scheme='%s',adaptive=true,dt_min=%.3g,atol=%.3g,rtol=%.3g", base, 10 * tolerance, tolerance,
           tolerance);
}

static double distance(const result *a, const result *b) {
  double most = 0;
  CHECK(a->count == b->count);
  for (int i = 0; i < a->count; i++) most = fmax(most, fabs(a->q[i] - b->q[i]));
  return most;
}

static const struct scheme {
  const char *name;
  bool closes; /* gaps of joints: then the motion does not depend on the redundant ones at all */
} schemes[] = {{"moreau", false},          {"moreau-explicit", false}, {"moreau-jean", false},
               {"moreau-projected", true}, {"moreau-combined", true},  {"rattle", true},
               {"schatzman-paoli", true},  {"half-explicit", false},   {"half-explicit-acc", false},
               {"half-explicit-rk", false}};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

static void compare_fixed(const pair *p, const struct scheme *scheme, double *worst, double *work) {
  char options[64], finer[64];
  result with, without, half;
  snprintf(options, sizeof options, "scheme='%s',dt=%g", scheme->name, STEP);
  snprintf(finer, sizeof finer, "scheme='%s',dt=%g", scheme->name, STEP / 2);
  if (!run_one(p->redundant, options, p->t_end, &with) || !run_one(p->plain, options, p->t_end, &without)) return;
  if (!run_one(p->plain, finer, p->t_end, &half)) return;
  const double apart = distance(&with, &without), error = distance(&without, &half);
  const double allowed = scheme->closes ? 1e-9 : 1e-9 + 4 * error;
  if (!CHECK(apart <= allowed))
    printf("    %s, %s: %.2e apart, error %.2e\n%s\n", p->kind, scheme->name, apart, error, p->redundant);
  *worst = fmax(*worst, apart);
  *work = fmax(*work, (double)with.summary.solver.iterations / (double)without.summary.solver.iterations);
  CHECK(with.summary.solver.fallbacks == 0);
  CHECK(with.summary.shortened == 0);
  CHECK(with.summary.implicit.newton_iterations <= 2 * without.summary.implicit.newton_iterations + 10);
}

static void compare_all_schemes(const pair *p, bool is_last) {
  static double worst[SCHEMES], work[SCHEMES]; /* of one kind */
  for (int i = 0; i < SCHEMES; i++) {
    compare_fixed(p, &schemes[i], &worst[i], &work[i]);
    if (!is_last) continue;
    printf("    %-15s %-18s %.1e apart at most, solver iterations %.2f times at most\n", p->kind, schemes[i].name,
           worst[i], work[i]);
    worst[i] = work[i] = 0;
  }
}

static void random_mechanisms_move_as_without_redundant_joints(void) { try_mechanisms(1000, compare_all_schemes); }

static void compare_adaptive(const pair *p, bool is_last) {
  static const char *const bases[] = {"rattle", "moreau", "half-explicit"};
  static const double tolerances[] = {1e-6, 1e-8, 1e-10};
  result exact, with, without;
  char options[160];
  (void)is_last;
  write_adaptive("half-explicit-rk", 1e-12, options, sizeof options);
  if (!run_one(p->plain, options, p->t_end, &exact)) return;
  for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
    for (size_t j = 0; j < sizeof tolerances / sizeof tolerances[0]; j++) {
      const double tolerance = tolerances[j];
      write_adaptive(bases[i], tolerance, options, sizeof options);
      if (!run_one(p->redundant, options, p->t_end, &with) || !run_one(p->plain, options, p->t_end, &without)) continue;
      const double error = distance(&with, &exact), usual = distance(&without, &exact);
      CHECK(with.summary.adaptive.switching_points == 0);
      if (!CHECK(error <= 50 * tolerance + 2 * usual) ||
          !CHECK(with.summary.adaptive.base_steps <= 2 * without.summary.adaptive.base_steps + 100))
        printf("    %s, %s, %.0e: error %.2e and %.2e, %ld and %ld base steps\n%s\n", p->kind, bases[i], tolerance,
               error, usual, with.summary.adaptive.base_steps, without.summary.adaptive.base_steps, p->redundant);
    }
}

static void adaptive_runs_agree_to_the_tolerance(void) { try_mechanisms(2000, compare_adaptive); }

/* Two bodies on doubled hinges, also driven by a motor: in long steps the forecast of positions leaves velocities that
 * belong to its drift. No step fails for that. */
static void drift_of_a_forecast_is_no_contradiction(void) {
  static const struct {
    const char *base, *motor;
  } runs[] = {{"half-explicit", ""},
              {"half-explicit-rk", ""},
              {"half-explicit-rk", "motor {'m',ground,b0,axis={-0.2558/n,0.0631/n,0.9647/n},position=20*t^2}\n"}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    long base_steps[2] = {0, 0};
    for (int hinges = 1; hinges <= 2; hinges++) {
      char text[TEXT], options[160];
      result found;
      snprintf(text, sizeof text,
               "gravity {2.29,-9.81,-1.12}\n"
               "local n,m=sqrt(0.2558^2+0.0631^2+0.9647^2),sqrt(0.81^2+0.2889^2+0.5104^2)\n"
               "local b0=spatial_body {'b0',mass=1.76,inertia={0.02,0.03,0.025},position={0.1618,0.17,0.2428}}\n"
               "local b1=spatial_body {'b1',mass=1.14,inertia={0.02,0.03,0.025},position={0.4933,0.5693,0.6163}}\n"
               "local x,y={-0.2558/n,0.0631/n,0.9647/n},{0.81/m,0.2889/m,-0.5104/m}\n"
               "for k=0,%d do\n"
               "revolute {'h'..k,ground,b0,at={0.3*k*x[1],0.3*k*x[2],0.3*k*x[3]},axis=x}\n"
               "revolute {'g'..k,b0,b1,at={0.3236+0.3*k*y[1],0.3401+0.3*k*y[2],0.4857+0.3*k*y[3]},axis=y}\n"
               "end\n%s",
               hinges - 1, runs[i].motor);
      write_adaptive(runs[i].base, 1e-8, options, sizeof options);
      if (!run_one(text, options, 0.2, &found)) return;
      CHECK(found.summary.adaptive.rejected == 0);
      base_steps[hinges - 1] = found.summary.adaptive.base_steps;
    }
    if (!CHECK(10 * base_steps[1] <= 11 * base_steps[0]))
      printf("    %s: %ld base steps, %ld without redundant hinges\n", runs[i].base, base_steps[1], base_steps[0]);
  }
}

/* --- constraints whose force is round-off ------------------------------------------------------------------------- */

/* phi'' = -k sin phi from rest, by the classical Runge-Kutta method. */
static double swing(double k, double phi, double t_end) {
  enum { STEPS = 20000 };
  const double h = t_end / STEPS;
  double w = 0;
  for (int i = 0; i < STEPS; i++) {
    const double a1 = -k * sin(phi), b1 = w;
    const double a2 = -k * sin(phi + h / 2 * b1), b2 = w + h / 2 * a1;
    const double a3 = -k * sin(phi + h / 2 * b2), b3 = w + h / 2 * a2;
    const double a4 = -k * sin(phi + h * b3), b4 = w + h * a3;
    phi += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return phi;
}

/* A pendulum on a hinge with an oblique axis: gravity acts across it, and two of its five constraint forces are
 * round-off. */
static void try_pendulum(test_random *r, const char *base, double tolerance, long *most) {
  double n[3], e1[3], e2[3], up = 0;
  const double m = test_uniform(r, 0.1, 5), J = test_uniform(r, 0.005, 0.05), l = test_uniform(r, 0.2, 1);
  const double phi = test_uniform(r, 0.3, 2.5), t_end = 1;
  for (int i = 0; i < 3; i++) n[i] = test_uniform(r, -1, 1), e1[i] = test_uniform(r, -1, 1);
  normalise(n);
  for (int i = 0; i < 3; i++) up += n[i] * e1[i];
  for (int i = 0; i < 3; i++) e1[i] -= up * n[i];
  normalise(e1);
  for (int i = 0; i < 3; i++) e2[i] = n[(i + 1) % 3] * e1[(i + 2) % 3] - n[(i + 2) % 3] * e1[(i + 1) % 3];
  char text[TEXT], options[160];
  double at[3], down[3];
  for (int i = 0; i < 3; i++) at[i] = l * (cos(phi) * e1[i] + sin(phi) * e2[i]), down[i] = 9.81 * e1[i];
  snprintf(text, sizeof text,
           "gravity {%.17g,%.17g,%.17g}\n"
           "local b=spatial_body {'b',mass=%.17g,inertia={%.17g,%.17g,%.17g},position={%.17g,%.17g,%.17g}}\n"
           "revolute {'h',ground,b,at={0,0,0},axis={%.17g,%.17g,%.17g}}\n",
           down[0], down[1], down[2], m, J, J, J, at[0], at[1], at[2], n[0], n[1], n[2]);
  write_adaptive(base, tolerance, options, sizeof options);
  result found;
  if (!run_one(text, options, t_end, &found)) return;
  const double end = swing(m * 9.81 * l / (J + m * l * l), phi, t_end);
  double error = 0;
  for (int i = 0; i < 3; i++) error = fmax(error, fabs(found.q[i] - l * (cos(end) * e1[i] + sin(end) * e2[i])));
  CHECK(found.summary.adaptive.switching_points == 0);
  if (!CHECK(error <= 200 * tolerance + 1e-12)) printf("    %s at %.0e: error %.2e\n%s", base, tolerance, error, text);
  if (found.summary.adaptive.base_steps > *most) *most = found.summary.adaptive.base_steps;
}

static void hinges_of_pendulums_are_closed_at_all_times(void) {
  static const char *const bases[] = {"rattle", "moreau", "half-explicit", "moreau-jean"};
  static const double tolerances[] = {1e-6, 1e-8, 1e-10, 1e-12};
  test_random r = {7};
  const int count = study_size(1);
  for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
    for (size_t j = 0; j < sizeof tolerances / sizeof tolerances[0]; j++) {
      long most = 0;
      for (int k = 0; k < count; k++) try_pendulum(&r, bases[i], tolerances[j], &most);
      printf("    %s at %.0e: %ld base steps at most\n", bases[i], tolerances[j], most);
      CHECK(most < 200000);
    }
}

/* Also before the first step, of a run and of a new state. */
static void constraints_start_closed(void) {
  simulation s;
  picus_law_state laws[5];
  REQUIRE(simulation_open_text(&s, "local b=spatial_body {'b',mass=1,inertia={0.1,0.1,0.1},position={0.5,0,0}}\n"
                                   "revolute {'h',ground,b,at={0,0,0},axis={0,0,1}}\n"
                                   "simulate {scheme='rattle',dt=1e-3,t_end=0.01}\n"));
  const picus_state start = picus_sim_state(s.sim);
  for (int again = 0; again < 2; again++) {
    CHECK(picus_sim_laws(s.sim, laws) == PICUS_OK);
    for (int i = 0; i < 5; i++) CHECK(laws[i].mode == PICUS_STICK);
    CHECK(picus_sim_set_state(s.sim, 0, start.q, start.u) == PICUS_OK);
  }
  simulation_close(&s);
}

/* --- forces --------------------------------------------------------------------------------------------------------
 */

/* A pendulum on one hinge, and on two of the same axis that stand apart by a hair: their forces have the same sum. */
static void forces_of_two_hinges_add_up(void) {
  static const char *const names[] = {"moreau", "moreau-jean", "moreau-projected", "rattle", "half-explicit"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    double sum[2][3] = {{0}};
    for (int hinges = 1; hinges <= 2; hinges++) {
      char text[TEXT];
      simulation s;
      picus_summary summary = {0};
      picus_law_state laws[16] = {0};
      snprintf(text, sizeof text,
               "gravity {1,-9.81,2}\nlocal n=sqrt(14)\nlocal ax={1/n,2/n,3/n}\n"
               "local b=spatial_body {'b',mass=2,inertia={0.02,0.03,0.025},position={0.5,0.1,-0.2}}\n"
               "for k=1,%d do revolute {'h'..k,ground,b,at={0.1*(k-1)/n,0.2*(k-1)/n,0.3*(k-1)/n},axis=ax} end\n"
               "simulate {scheme='%s',dt=1e-3,t_end=0.3}\n",
               hinges, names[i]);
      if (simulation_open_text(&s, text) && CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
        CHECK(picus_sim_laws(s.sim, laws) == PICUS_OK);
        for (int k = 0; k < hinges; k++)
          for (int j = 0; j < 3; j++) sum[hinges - 1][j] += laws[5 * k + j].PN;
      }
      simulation_close(&s);
    }
    for (int j = 0; j < 3; j++) CHECK_NEAR(sum[1][j], sum[0][j], 1e-6 * fabs(sum[0][1]));
  }
}

/* --- constraints that contradict each other ------------------------------------------------------------------------
 */

/* Two motors of which the second follows from the first, but for a factor. */
typedef void (*motor_maker)(test_random *r, double factor, char *text);

/* On a shaft on two hinges: the motors agree in all positions. */
static void make_doubled_motor(test_random *r, double factor, char *text) {
  double n[3];
  const double w = test_uniform(r, 1, 6), a = test_uniform(r, 0, 1), b = test_uniform(r, 1, 10), speed = w + a * b;
  for (int i = 0; i < 3; i++) n[i] = test_uniform(r, -1, 1);
  normalise(n);
  snprintf(text, TEXT,
           "gravity {1,-9.81,2}\nlocal x={%.17g,%.17g,%.17g}\nlocal p=%.17g*t+%.17g*sin(%.17g*t)\n"
           "local b=spatial_body {'b',mass=2,inertia={0.02,0.03,0.025},position={0,0,0},omega={%.17g,%.17g,%.17g}}\n"
           "for k=0,1 do revolute {'h'..k,ground,b,at={0.2*k*x[1],0.2*k*x[2],0.2*k*x[3]},axis=x} end\n"
           "motor {'m1',ground,b,axis=x,position=p}\nmotor {'m2',ground,b,axis=x,position=%.17g*p}\n",
           n[0], n[1], n[2], w, a, b, speed * n[0], speed * n[1], speed * n[2], factor);
}

/* On both shafts of a Hooke's joint, tan b = cos beta tan a: how the motors agree depends on the position. */
static void make_hooke_motors(test_random *r, double factor, char *text) {
  pair p;
  char motors[TEXT / 8];
  make_hooke(r, &p);
  snprintf(motors, sizeof motors,
           "local x,c=%.17g*t,cos(be)\nmotor {'m1',ground,a,axis={1,0,0},position=x}\n"
           "motor {'m2',ground,b,axis={c,sin(be),0},\n"
           "  position=%.17g*(x-atan2((1-c)*sin(x)*cos(x),cos(x)^2+c*sin(x)^2))}\n",
           test_uniform(r, 1, 6), factor);
  strcat(strcpy(text, p.redundant), motors);
}

/* Whether a run ends with an error that names a motor. */
static bool is_named(const char *text, const char *options) {
  char whole[TEXT + 256];
  simulation s;
  bool named = false;
  snprintf(whole, sizeof whole, "%s\nsimulate {t_end=0.1,%s}\n", text, options);
  if (simulation_open_text(&s, whole)) {
    const picus_status status = picus_sim_run(s.sim, NULL, NULL, NULL);
    const char *message = picus_last_error(s.context)->message;
    named = status == PICUS_NO_SOLUTION && strstr(message, "the constraint 'm") && strstr(message, "contradicts");
    if (status && !named) printf("    %s: %s\n", options, message);
    CHECK(named || !status);
  }
  simulation_close(&s);
  return named;
}

/* The difference shows in the first state, whatever the scheme: there all constraints hold. */
static void motors_that_contradict_each_other_are_named(void) {
  static const motor_maker kinds[] = {make_doubled_motor, make_hooke_motors};
  static const double differences[] = {0, 0.2, 2.5e-4, -1e-5};
  test_random r = {11};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i <= SCHEMES; i++) { /* the last: an adaptive run */
      char text[TEXT], options[160];
      write_adaptive("rattle", 1e-8, options, sizeof options);
      if (i < SCHEMES) snprintf(options, sizeof options, "scheme='%s',dt=%g", schemes[i].name, STEP);
      for (size_t j = 0; j < sizeof differences / sizeof differences[0]; j++) {
        kinds[k](&r, 1 + differences[j], text);
        if (!CHECK(is_named(text, options) == (differences[j] != 0)))
          printf("    kind %d, %s, difference %g\n", k, options, differences[j]);
      }
    }
}

/* A motor that begins to differ in the run, by more than the drift of a step. */
static void contradictions_that_begin_later_are_named(void) {
  for (int i = 0; i <= SCHEMES; i++) {
    char text[TEXT], options[160];
    snprintf(text, sizeof text,
             "local a=spatial_body {'a',mass=1,inertia={0.01,0.02,0.02},position={-0.2,0,0},omega={4,0,0}}\n"
             "for k=0,1 do revolute {'h'..k,ground,a,at={0.1*k,0,0},axis={1,0,0}} end\n"
             "motor {'m1',ground,a,axis={1,0,0},position=4*t}\n"
             "motor {'m2',ground,a,axis={1,0,0},position=4*t+50*max(0,t-0.02)^3}\n");
    write_adaptive("rattle", 1e-8, options, sizeof options);
    if (i < SCHEMES) snprintf(options, sizeof options, "scheme='%s',dt=%g", schemes[i].name, STEP);
    if (schemes[i % SCHEMES].closes || i == SCHEMES) continue; /* their iterations end where gaps do not close */
    CHECK(is_named(text, options));
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"random_mechanisms_move_as_without_redundant_joints", random_mechanisms_move_as_without_redundant_joints},
      {"adaptive_runs_agree_to_the_tolerance", adaptive_runs_agree_to_the_tolerance},
      {"drift_of_a_forecast_is_no_contradiction", drift_of_a_forecast_is_no_contradiction},
      {"hinges_of_pendulums_are_closed_at_all_times", hinges_of_pendulums_are_closed_at_all_times},
      {"constraints_start_closed", constraints_start_closed},
      {"forces_of_two_hinges_add_up", forces_of_two_hinges_add_up},
      {"motors_that_contradict_each_other_are_named", motors_that_contradict_each_other_are_named},
      {"contradictions_that_begin_later_are_named", contradictions_that_begin_later_are_named},
  };
  return test_main(argc, argv, "redundant_joints", cases, sizeof cases / sizeof cases[0]);
}
