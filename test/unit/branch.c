/* Branches of periodic orbits against closed forms. */
#include "support/allocations.h"
#include "support/branches.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/orbit.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct branch_request {
  const char *model, *overrides, *section, *period, *parameter;
  double from, to, t_end;
  int doublings;
} branch_request;

static picus_status follow(simulation *s, const branch_request *r, picus_orbit_branch **out) {
  picus_sim_options o;
  *out = NULL;
  if (!simulation_load(s, r->model, r->overrides, &o)) return PICUS_ERROR_MODEL;
  branch_tighten(&o);
  o.scheme = strcmp(r->model, "woodpecker") == 0 ? "moreau" : "rattle";
  if (r->t_end > 0) o.t_end = r->t_end;
  const picus_orbit_branch_def def = {
      .orbit = {.model = s->model, .system = s->system, .options = &o, .section = r->section, .period_text = r->period},
      .parameter = r->parameter,
      .from = r->from,
      .to = r->to,
      .step = 0.08,
      .doublings = r->doublings};
  return picus_orbit_branch_create(s->context, &def, out);
}

static picus_orbit_branch *require(simulation *s, const branch_request *r) {
  picus_orbit_branch *out;
  const picus_status status = follow(s, r, &out);
  CHECK(status == PICUS_OK);
  if (status) printf("  %s\n", picus_last_error(s->context)->message);
  return out;
}

/* --- the impact oscillator in closed form --------------------------------------------------------------------------
 */

/* x'' + 2 zeta x' + x = cos(omega t + phase), x <= sigma, restitution e: motions with one impact in each period. The
 * free motion h over a period T is linear, with the matrix E. Just after the impact h = sigma - a, h' = -e v - b with
 * the forced motion (a, b); after T it is sigma - a, v - b. Hence sigma - a = alpha v, b = beta v, and with the
 * amplitude A of the forced motion (sigma - alpha v)^2 + (beta v / omega)^2 = A^2. */
typedef struct oscillator {
  double zeta, e, omega, E[4], alpha, beta, A;
} oscillator;

static oscillator solve(double zeta, double e, double omega) {
  const double T = 2 * pi / omega, w = sqrt(1 - zeta * zeta), c = exp(-zeta * T) * cos(w * T),
               s = exp(-zeta * T) * sin(w * T) / w;
  oscillator o = {.zeta = zeta, .e = e, .omega = omega, .E = {c + zeta * s, s, -s, c - zeta * s}};
  /* (E11 - 1) alpha - E12 beta = E12 e,  E21 alpha + (1 - E22) beta = 1 + e E22 */
  const double *E = o.E, det = (E[0] - 1) * (1 - E[3]) + E[1] * E[2];
  o.alpha = (E[1] * e * (1 - E[3]) + E[1] * (1 + e * E[3])) / det;
  o.beta = ((E[0] - 1) * (1 + e * E[3]) - E[2] * E[1] * e) / det;
  const double stiff = 1 - omega * omega;
  o.A = 1 / sqrt(stiff * stiff + 4 * zeta * zeta * omega * omega);
  return o;
}

/* The velocity of the impact; NAN: there is no such motion. */
static double velocity(const oscillator *o, double sigma, bool larger) {
  const double b = o->beta / o->omega, p = o->alpha * o->alpha + b * b, half = sigma * o->alpha / p;
  const double root = half * half - (sigma * sigma - o->A * o->A) / p;
  return root < 0 ? NAN : larger ? half + sqrt(root) : half - sqrt(root);
}

/* 1 + trace + determinant of the return map: 0 at a flip. */
static double flip(const oscillator *o, double sigma, double v) {
  const double force = (1 - o->omega * o->omega) * (sigma - o->alpha * v) + 2 * o->zeta * o->beta * v;
  const double trace = -o->e * (o->E[0] + o->E[3]) + o->E[1] * (1 + o->e) * (force - sigma) / v;
  return 1 + trace + o->e * o->e * exp(-4 * pi * o->zeta / o->omega);
}

static double fold(const oscillator *o) {
  const double ratio = o->alpha * o->omega / o->beta;
  return o->A * sqrt(1 + ratio * ratio);
}

/* The model begins just after an impact. */
static void start(const oscillator *o, double sigma, double v, char *out, size_t size) {
  const double a = sigma - o->alpha * v, b = o->beta * v; /* a = A cos psi, b = -A omega sin psi */
  const double force = (1 - o->omega * o->omega) * a + 2 * o->zeta * b;
  /* the force is cos(phase); its rate is -omega sin(phase) */
  const double rate = (1 - o->omega * o->omega) * b - 2 * o->zeta * o->omega * o->omega * a;
  const double phase = atan2(-rate / o->omega, force);
  snprintf(out, size, "zeta=%.17g,e=%.17g,omega=%.17g,sigma=%.17g,phase=%.17g,x0=%.17g,v0=%.17g", o->zeta, o->e,
           o->omega, sigma, phase, sigma, -o->e * v);
}

/* COCO's oscillator: the stop moves away until the fold; the unstable motion then grazes where the stop is as far as
 * the forced motion goes, and the branch leaves without impacts. */
static void impact_oscillator_folds_and_grazes(void) {
  const oscillator o = solve(0.05, 0.8, 1);
  simulation s;
  picus_orbit_branch *b = require(&s, &(branch_request){.model = "forced-impact-oscillator",
                                                        .overrides = "",
                                                        .period = "2*pi/omega",
                                                        .parameter = "sigma",
                                                        .from = 1,
                                                        .to = 12});
  REQUIRE(b != NULL);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_FOLD, 0).parameter, fold(&o), 1e-9);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_GRAZING, 0).parameter, 10, 1e-9);
  CHECK(picus_orbit_branch_sequence_count(b) == 2);
  CHECK_TEXT(picus_orbit_branch_sequence(b, 0), "stop:impact");
  CHECK_TEXT(picus_orbit_branch_sequence(b, 1), "");
  CHECK(branch_last(b).kind == PICUS_ORBIT_END && branch_last(b).sequence == 1 && branch_last(b).is_stable);
  CHECK_NEAR(branch_last(b).parameter, 12, 0);
  bool is_folded = false;
  for (long k = 0; k < picus_orbit_branch_count(b); k++) {
    const picus_orbit_branch_row row = picus_orbit_branch_row_at(b, k);
    is_folded = is_folded || row.kind == PICUS_ORBIT_FOLD;
    if (row.sequence == 1 || row.kind != PICUS_ORBIT_REGULAR) continue;
    CHECK_NEAR(row.velocity, velocity(&o, row.parameter, !is_folded), 1e-9);
    CHECK(row.is_stable != is_folded);
  }
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* The parameter of a flip of the closed form between two values, by halving. */
static double find_flip(double zeta, double e, double sigma, double low, double high) {
  oscillator o = solve(zeta, e, low);
  const double first = flip(&o, sigma, velocity(&o, sigma, true));
  for (int k = 0; k < 100; k++) {
    const double middle = 0.5 * (low + high);
    o = solve(zeta, e, middle);
    if ((flip(&o, sigma, velocity(&o, sigma, true)) > 0) == (first > 0))
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

/* Over the frequency, whose period changes with it. */
static void impact_oscillator_flips(void) {
  const oscillator o = solve(0.05, 0.8, 2);
  char overrides[256];
  start(&o, 0, velocity(&o, 0, true), overrides, sizeof overrides);
  simulation s;
  picus_orbit_branch *b = require(&s, &(branch_request){.model = "forced-impact-oscillator",
                                                        .overrides = overrides,
                                                        .period = "2*pi/omega",
                                                        .parameter = "omega",
                                                        .from = 2,
                                                        .to = 2.9,
                                                        .doublings = 1});
  REQUIRE(b != NULL);
  const picus_orbit_branch_row row = branch_special(b, PICUS_ORBIT_FLIP, 0);
  CHECK_NEAR(row.parameter, find_flip(0.05, 0.8, 0, 2.2, 2.9), 1e-9);
  CHECK_NEAR(row.period, 2 * pi / row.parameter, 1e-12);
  const picus_orbit_branch_row doubled = branch_last(b);
  CHECK(doubled.doublings == 1);
  CHECK_NEAR(doubled.period, 4 * pi / doubled.parameter, 1e-9);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* Random oscillators: the stop moves away from a random place. What the branch says must be that of the closed form:
 * the motion turns back at the fold, flips where 1 + trace + determinant is zero, and grazes where the stop is as far
 * as the forced motion goes. Motions with more impacts in a period may come before. */
static void random_oscillators(void) {
  const long count = test_study(3, 8, 100);
  long compared = 0;
  uint64_t seed = 20260101;
  for (long i = 0; i < count; i++) {
    double r[4];
    for (int k = 0; k < 4; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      r[k] = (double)(seed >> 11) * 0x1p-53;
    }
    const oscillator o = solve(0.02 + 0.2 * r[0], 0.4 + 0.5 * r[1], 0.75 + 0.5 * r[2]);
    const double sigma = (0.2 + 0.5 * r[3]) * o.A, v = velocity(&o, sigma, true);
    char overrides[256];
    simulation s;
    picus_orbit_branch *b;
    start(&o, sigma, v, overrides, sizeof overrides);
    const picus_status status = follow(&s,
                                       &(branch_request){.model = "forced-impact-oscillator",
                                                         .overrides = overrides,
                                                         .period = "2*pi/omega",
                                                         .parameter = "sigma",
                                                         .from = sigma,
                                                         .to = 1.3 * fold(&o)},
                                       &b);
    if (status) { /* the start is no motion: it passes through the stop */
      simulation_close(&s);
      continue;
    }
    bool is_folded = false;
    for (long k = 0; k < picus_orbit_branch_count(b); k++) {
      const picus_orbit_branch_row row = picus_orbit_branch_row_at(b, k);
      if (strcmp(picus_orbit_branch_sequence(b, row.sequence), "stop:impact") != 0) break;
      compared++;
      if (row.kind == PICUS_ORBIT_FOLD) CHECK_NEAR(row.parameter, fold(&o), 1e-8 * o.A);
      if (row.kind == PICUS_ORBIT_GRAZING) CHECK_NEAR(row.parameter, o.A, 1e-8 * o.A);
      if (row.kind == PICUS_ORBIT_FLIP)
        CHECK_NEAR(flip(&o, row.parameter, velocity(&o, row.parameter, !is_folded)), 0, 1e-7);
      is_folded = is_folded || row.kind == PICUS_ORBIT_FOLD;
      if (row.kind != PICUS_ORBIT_REGULAR) continue;
      const double speed = velocity(&o, row.parameter, !is_folded);
      const double product = o.e * o.e * exp(-4 * pi * o.zeta / o.omega);
      const double trace = flip(&o, row.parameter, speed) - 1 - product;
      const picus_multiplier *m = row.multipliers;
      CHECK_NEAR(row.velocity, speed, 1e-8 * o.A);
      CHECK_NEAR(m[0].re + m[1].re, trace, 1e-8 * (1 + fabs(trace)));
      CHECK_NEAR(m[0].re * m[1].re - m[0].im * m[1].im, product, 1e-8 * (1 + fabs(trace)));
    }
    picus_orbit_branch_destroy(b);
    simulation_close(&s);
  }
  CHECK(compared > 10 * count);
}

/* --- gaits -------------------------------------------------------------------------------------------------------- */

/* Garcia et al. 1998: the long gait is stable up to a slope of 0.0151; the short one is unstable everywhere. */
static void walker_flips(void) {
  simulation s;
  picus_orbit_branch *b = require(&s, &(branch_request){.model = "simplest-walker",
                                                        .overrides = "",
                                                        .section = "heel_strike",
                                                        .parameter = "slope",
                                                        .from = 0.009,
                                                        .to = 0.0155,
                                                        .t_end = 8});
  REQUIRE(b != NULL);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_FLIP, 0).parameter, 0.0151, 5e-5);
  CHECK_NEAR(branch_special(b, PICUS_ORBIT_FLIP, 0).multipliers[0].re, -1, 1e-8);
  CHECK(!branch_last(b).is_stable);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
  b = require(&s, &(branch_request){.model = "simplest-walker",
                                    .overrides = "theta0=0.1939,omega0=-0.2039",
                                    .section = "heel_strike",
                                    .parameter = "slope",
                                    .from = 0.009,
                                    .to = 0.001,
                                    .t_end = 8});
  REQUIRE(b != NULL);
  CHECK_NEAR(picus_orbit_branch_row_at(b, 0).multipliers[0].re, 4.00386435892974, 1e-9);
  for (long k = 0; k < picus_orbit_branch_count(b); k++)
    CHECK(picus_orbit_branch_row_at(b, k).unstable == 1 && picus_orbit_branch_row_at(b, k).sequence == 0);
  CHECK_NEAR(branch_last(b).parameter, 0.001, 0);
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* omega+ = cot(2 a) sqrt(4 g/l sin a sin slope), for all slopes; the period is longer where it only just passes. */
static void rimless_wheel_is_its_closed_form(void) {
  const double a = pi / 8;
  simulation s;
  picus_orbit_branch *b = require(&s, &(branch_request){.model = "rimless-wheel",
                                                        .overrides = "",
                                                        .section = "forwards",
                                                        .parameter = "slope",
                                                        .from = 0.08,
                                                        .to = 0.3,
                                                        .t_end = 4});
  REQUIRE(b != NULL);
  for (long k = 0; k < picus_orbit_branch_count(b); k++) {
    const picus_orbit_branch_row row = picus_orbit_branch_row_at(b, k);
    const double w = cos(2 * a) / sin(2 * a) * sqrt(4 * 9.81 * sin(a) * sin(row.parameter));
    CHECK_NEAR(row.state[1], w, 1e-12);
    CHECK_NEAR(row.multipliers[0].re, 0.5, 1e-10);
  }
  picus_orbit_branch_destroy(b);
  simulation_close(&s);
}

/* --- a hop that ends ------------------------------------------------------------------------------------------------
 */

/* The lower edge of the woodpecker's sleeve hits without bounce and lifts off again at once; its hop becomes 0 at
 * mu = 0.40957, with a velocity of landing that is of second order. Beyond, the edge stays closed. Back from there its
 * force becomes 0 at the same place, and the orbits are the same. */
static void woodpecker_loses_its_hop(void) {
  branch_request r = {
      .model = "woodpecker", .overrides = "", .section = "lower:slips", .parameter = "mu", .from = 0.35, .to = 0.415};
  simulation s, t;
  picus_orbit_branch *up = require(&s, &r);
  r.from = 0.415, r.to = 0.35;
  picus_orbit_branch *down = require(&t, &r);
  REQUIRE(up && down);
  const picus_orbit_branch_row land = branch_special(up, PICUS_ORBIT_LAND, 0),
                               lift = branch_special(down, PICUS_ORBIT_LIFT, 0);
  CHECK_NEAR(lift.parameter, 0.409566564, 1e-8);
  CHECK_NEAR(land.parameter, lift.parameter, 1e-10);
  CHECK(branch_last(up).sequence == 1 && branch_special(up, PICUS_ORBIT_LIFT, 0).note[0] == '\0');
  CHECK_NEAR(branch_last(up).period, picus_orbit_branch_row_at(down, 0).period, 1e-11);
  CHECK_NEAR(branch_last(down).period, picus_orbit_branch_row_at(up, 0).period, 1e-11);
  CHECK_NEAR(branch_last(down).parameter, 0.35, 0);
  picus_orbit_branch_destroy(up);
  picus_orbit_branch_destroy(down);
  simulation_close(&s);
  simulation_close(&t);
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static void check_refused(const branch_request *r, const char *part) {
  simulation s;
  picus_orbit_branch *b;
  CHECK(follow(&s, r, &b) != PICUS_OK && b == NULL);
  const char *message = picus_last_error(s.context)->message;
  if (!strstr(message, part)) printf("  %s\n", message);
  CHECK(strstr(message, part) != NULL);
  simulation_close(&s);
}

static void others_are_refused(void) {
  branch_request r = {.model = "forced-impact-oscillator",
                      .overrides = "",
                      .period = "2*pi/omega",
                      .parameter = "sigma",
                      .from = 1,
                      .to = 2};
  r.parameter = "gravity";
  check_refused(&r, "no parameter 'gravity'");
  r.parameter = "sigma", r.to = 1;
  check_refused(&r, "two different values");
  r.to = NAN;
  check_refused(&r, "two different values");
  r.to = 2, r.period = "2*pi/x";
  check_refused(&r, "the period '2*pi/x'");
  r.period = NULL;
  check_refused(&r, "give the period");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"impact_oscillator_folds_and_grazes", impact_oscillator_folds_and_grazes},
                                    {"impact_oscillator_flips", impact_oscillator_flips},
                                    {"random_oscillators", random_oscillators},
                                    {"walker_flips", walker_flips},
                                    {"rimless_wheel_is_its_closed_form", rimless_wheel_is_its_closed_form},
                                    {"woodpecker_loses_its_hop", woodpecker_loses_its_hop},
                                    {"others_are_refused", others_are_refused}};
  return test_main(argc, argv, "branch", cases, sizeof cases / sizeof *cases);
}
