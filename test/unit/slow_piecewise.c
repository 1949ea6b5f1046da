/* Forces that switch with the state or with time, in adaptive runs, against exact solutions: random systems of one mass
 * whose motion has closed forms between its switches. The switches of the exact solution are zeros of closed forms,
 * found to round-off. PICUS_TEST_STUDY: how many systems of each kind; a few without it. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef enum kind {
  TWO_STIFFNESSES,
  BACKLASH,
  RELAY,
  RELAY_WITH_DEAD_ZONE,
  SATURATION,
  BUMP_STOPS,
  QUADRATIC_DRAG,
  SHOCK_ABSORBER,
  PULSE,
  SQUARE_WAVE,
  KINDS
} kind;
static const char *const names[KINDS] = {"two stiffnesses", "backlash",   "relay", "relay with dead zone",
                                         "saturation",      "bump stops", "drag",  "shock absorber",
                                         "pulse",           "square wave"};

enum { SWITCHES_MOST = 3 };

/* A switch at x = place, v = place, or t = place. A square wave has one at every multiple of place. */
typedef struct threshold {
  char on;
  double place;
} threshold;

typedef struct sample {
  kind kind;
  double p[6];
  double x, v, t_end;
  int count;
  threshold switches[SWITCHES_MOST];
  char force[400];
} sample;

/* x'' = f - k x - c v - drag v |v|, with drag of one sign of v. */
typedef struct piece {
  double k, c, f, drag;
} piece;

typedef struct motion {
  double x, v;
} motion;

/* --- closed forms ------------------------------------------------------------------------------------------------- */

/* v' = -g - b v^2 for v > 0, and v' = -g + b v^2 for v < 0. */
static motion drag_after(const piece *p, motion from, double t) {
  const double g = -p->f, b = fabs(p->drag), limit = sqrt(g / b), rate = sqrt(g * b);
  if (p->drag > 0) {
    const double angle = atan(from.v / limit);
    return (motion){from.x + log(cos(angle - rate * t) / cos(angle)) / b, limit * tan(angle - rate * t)};
  }
  const double start = atanh(-from.v / limit);
  return (motion){from.x - log(cosh(start + rate * t) / cosh(start)) / b, -limit * tanh(start + rate * t)};
}

static motion after(const piece *p, motion from, double t) {
  if (p->drag != 0) return drag_after(p, from, t);
  if (p->k == 0 && p->c == 0) return (motion){from.x + t * (from.v + 0.5 * p->f * t), from.v + p->f * t};
  if (p->k == 0) {
    const double limit = p->f / p->c, decay = -expm1(-p->c * t);
    return (motion){from.x + limit * t + (from.v - limit) * decay / p->c, from.v - (from.v - limit) * decay};
  }
  const double half = 0.5 * p->c, w = sqrt(p->k - half * half), middle = p->f / p->k, a = from.x - middle;
  const double b = (from.v + half * a) / w, e = exp(-half * t), cw = cos(w * t), sw = sin(w * t);
  return (motion){middle + e * (a * cw + b * sw), e * ((b * w - half * a) * cw - (a * w + half * b) * sw)};
}

static double acceleration(const piece *p, motion m) { return p->f - p->k * m.x - p->c * m.v - p->drag * m.v * m.v; }

/* The piece by the signs of the switches, 1 or -1. */
static piece piece_of(const sample *s, const int *sign) {
  const double *p = s->p;
  const bool up = sign[0] > 0, second = sign[1] > 0;
  switch (s->kind) {
  case TWO_STIFFNESSES:
    return (piece){up ? p[0] : p[1], p[2], (up ? p[0] : p[1]) * p[3], 0};
  case BACKLASH:
    return up       ? (piece){p[0], p[2], p[0] * p[3], 0}
           : second ? (piece){0, p[2], 0, 0}
                    : (piece){p[1], p[2], -p[1] * p[4], 0};
  case RELAY:
    return (piece){0, 0, up ? -p[0] : p[1], 0};
  case RELAY_WITH_DEAD_ZONE:
    return (piece){0, 0, up ? -p[0] : second ? 0 : p[0], 0};
  case SATURATION:
    return up ? (piece){0, p[2], -p[1], 0} : second ? (piece){p[0], p[2], 0, 0} : (piece){0, p[2], p[1], 0};
  case BUMP_STOPS:
    if (up) return (piece){p[0] + p[1], p[2], p[1] * p[3], 0};
    return second ? (piece){p[0], p[2], 0, 0} : (piece){p[0] + p[5], p[2], -p[5] * p[4], 0};
  case QUADRATIC_DRAG:
    return (piece){0, 0, -p[0], up ? p[1] : -p[1]};
  case SHOCK_ABSORBER:
    return (piece){p[0], up ? p[1] : p[2], 0, 0};
  case PULSE:
    return (piece){up ? p[0] : p[1], p[2], second && sign[2] < 0 ? p[3] : 0, 0};
  case SQUARE_WAVE:
    return (piece){p[0], p[1], up ? p[2] : -p[2], 0};
  case KINDS:
    break;
  }
  return (piece){0, 0, 0, 0};
}

/* --- exact solution ----------------------------------------------------------------------------------------------- */

typedef struct watched {
  const piece *p;
  motion from;
  const threshold *at;
  int sign;
} watched;

static double value(const watched *w, double t) {
  const motion m = after(w->p, w->from, t);
  return w->sign * ((w->at->on == 'x' ? m.x : m.v) - w->at->place);
}

static double slope(const watched *w, double t) {
  const motion m = after(w->p, w->from, t);
  return w->sign * (w->at->on == 'x' ? m.v : acceleration(w->p, m));
}

/* A zero of a function between two times with different signs. */
static double zero(double (*function)(const watched *, double), const watched *w, double a, double b) {
  const bool positive = function(w, a) > 0;
  for (int i = 0; i < 200; i++) {
    const double middle = 0.5 * (a + b);
    if (middle <= a || middle >= b) break;
    if ((function(w, middle) > 0) == positive)
      a = middle;
    else
      b = middle;
  }
  return b;
}

/* The first time in (0, most] at which the value falls below 0; most: none. */
static double leaves(const watched *w, double most) {
  const double fastest = fmax(sqrt(w->p->k), 1), step = fmin(0.02 / fastest, most);
  for (double t = 0; t < most; t += step) {
    const double next = fmin(t + step, most);
    double high = next;
    bool found = value(w, next) < 0;
    if (!found && slope(w, t) < 0 && slope(w, next) > 0) { /* a minimum in between */
      high = zero(slope, w, t, next);
      found = value(w, high) < 0;
    }
    if (!found) continue;
    double low = t;
    if (!(value(w, low) > 0)) low = slope(w, low) > 0 ? zero(slope, w, low, high) : low; /* it starts at 0 and rises */
    if (value(w, low) > 0) return zero(value, w, low, high);
    if (t > 0) return low;
  }
  return most;
}

static double next_time(const threshold *at, kind k, double t) {
  if (k == SQUARE_WAVE) return at->place * (floor(t / at->place + 1e-9) + 1);
  return at->place > t ? at->place : INFINITY;
}

static motion solve(const sample *s, motion m) {
  int sign[SWITCHES_MOST] = {1, 1, 1};
  double t = 0;
  for (int i = 0; i < s->count; i++) {
    const threshold *at = &s->switches[i];
    if (at->on == 't') sign[i] = s->kind == SQUARE_WAVE ? 1 : -1;
    if (at->on != 't') sign[i] = (at->on == 'x' ? m.x : m.v) > at->place ? 1 : -1;
  }
  for (int guard = 0; t < s->t_end && guard < 100000; guard++) {
    const piece p = piece_of(s, sign);
    double step = s->t_end - t;
    int first = -1;
    for (int i = 0; i < s->count; i++) {
      const watched w = {&p, m, &s->switches[i], sign[i]};
      const double time = w.at->on == 't' ? next_time(w.at, s->kind, t) - t : leaves(&w, step);
      if (time >= step) continue;
      step = time;
      first = i;
    }
    m = after(&p, m, step);
    if (first < 0) break;
    t = s->switches[first].on == 't' ? next_time(&s->switches[first], s->kind, t) : t + step;
    if (s->switches[first].on == 'x') m.x = s->switches[first].place;
    if (s->switches[first].on == 'v') m.v = s->switches[first].place;
    sign[first] = -sign[first];
  }
  return m;
}

/* --- random systems ----------------------------------------------------------------------------------------------- */

static void set_two(sample *s, threshold a, threshold b) {
  s->count = 2;
  s->switches[0] = a;
  s->switches[1] = b;
}

#define SAY(...) snprintf(s->force, sizeof s->force, __VA_ARGS__)

static void draw_springs(test_random *r, sample *s) {
  double *p = s->p;
  p[0] = test_uniform(r, 5, 60);
  p[1] = test_uniform(r, 100, 900);
  p[2] = test_integer(r, 0, 1) ? test_uniform(r, 0, 0.4) : 0;
  p[3] = test_uniform(r, 0.05, 0.4);
  p[4] = test_uniform(r, 0.05, 0.4);
  p[5] = test_uniform(r, 100, 900);
  set_two(s, (threshold){'x', p[3]}, (threshold){'x', -p[4]});
  switch (s->kind) {
  case TWO_STIFFNESSES:
    s->count = 1;
    if (test_integer(r, 0, 1)) p[0] = test_uniform(r, 1000, 4000);
    SAY("when(gt(q.x,%.17g),-%.17g*(q.x-%.17g),-%.17g*(q.x-%.17g))-%.17g*u.v", p[3], p[0], p[3], p[1], p[3], p[2]);
    return;
  case BACKLASH:
    SAY("-%.17g*max(0,q.x-%.17g)-%.17g*min(0,q.x+%.17g)-%.17g*u.v", p[0], p[3], p[1], p[4], p[2]);
    return;
  case BUMP_STOPS:
    SAY("-%.17g*q.x-%.17g*max(0,q.x-%.17g)-%.17g*min(0,q.x+%.17g)-%.17g*u.v", p[0], p[1], p[3], p[5], p[4], p[2]);
    return;
  case SATURATION:
    p[1] = p[0] * p[3];
    s->switches[1].place = -p[1] / p[0];
    s->switches[0].place = p[1] / p[0];
    SAY("-max(-%.17g,min(%.17g,%.17g*q.x))-%.17g*u.v", p[1], p[1], p[0], p[2]);
    return;
  default: /* a pulse */
    s->count = 3;
    s->switches[0] = (threshold){'x', 0};
    s->switches[1] = (threshold){'t', test_uniform(r, 0.2, 1)};
    s->switches[2] = (threshold){'t', test_uniform(r, 1.2, 2)};
    p[3] = test_uniform(r, 5, 30);
    SAY("-when(gt(q.x,0),%.17g,%.17g)*q.x-%.17g*u.v+when(all(ge(t,%.17g),lt(t,%.17g)),%.17g,0)", p[0], p[1], p[2],
        s->switches[1].place, s->switches[2].place, p[3]);
  }
}

static void draw_force(test_random *r, sample *s) {
  double *p = s->p;
  s->count = 1;
  switch (s->kind) {
  case RELAY:
    p[0] = test_uniform(r, 0.5, 5);
    p[1] = test_uniform(r, 0.5, 5);
    s->switches[0] = (threshold){'x', test_uniform(r, -0.3, 0.3)};
    SAY("when(gt(q.x,%.17g),-%.17g,%.17g)", s->switches[0].place, p[0], p[1]);
    return;
  case RELAY_WITH_DEAD_ZONE:
    p[0] = test_uniform(r, 0.5, 5);
    p[3] = test_uniform(r, 0.05, 0.4);
    set_two(s, (threshold){'x', p[3]}, (threshold){'x', -p[3]});
    SAY("-%.17g*(when(gt(q.x,%.17g),1,0)-when(lt(q.x,-%.17g),1,0))", p[0], p[3], p[3]);
    return;
  case QUADRATIC_DRAG:
    p[0] = test_uniform(r, 2, 12);
    p[1] = test_uniform(r, 0.02, 0.5);
    s->switches[0] = (threshold){'v', 0};
    s->v = test_uniform(r, 1, 8);
    s->t_end = 2;
    SAY("-%.17g-%.17g*abs(u.v)*u.v", p[0], p[1]);
    return;
  case SHOCK_ABSORBER:
    p[0] = test_uniform(r, 5, 100);
    p[1] = test_uniform(r, 0, 1);
    p[2] = test_uniform(r, 0, 1);
    s->switches[0] = (threshold){'v', 0};
    SAY("-%.17g*q.x-when(gt(u.v,0),%.17g,%.17g)*u.v", p[0], p[1], p[2]);
    return;
  default: /* a square wave */
    p[0] = test_uniform(r, 5, 100);
    p[1] = test_uniform(r, 0, 0.5);
    p[2] = test_uniform(r, 1, 10);
    p[3] = test_uniform(r, 2, 12);
    s->switches[0] = (threshold){'t', PI / p[3]};
    SAY("-%.17g*q.x-%.17g*u.v+%.17g*sign(sin(%.17g*t))", p[0], p[1], p[2], p[3]);
  }
}

static void draw(test_random *r, kind k, sample *s) {
  *s = (sample){.kind = k, .t_end = 4};
  s->x = test_uniform(r, -0.5, 0.5);
  s->v = test_uniform(r, 0.5, 4) * (test_integer(r, 0, 1) ? 1 : -1);
  const bool is_spring = k == TWO_STIFFNESSES || k == BACKLASH || k == BUMP_STOPS || k == SATURATION || k == PULSE;
  if (is_spring)
    draw_springs(r, s);
  else
    draw_force(r, s);
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static const char *const schemes[] = {"rattle", "moreau", "half-explicit", "moreau-jean", "half-explicit-rk"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* How much the solution depends on its start: errors of steps grow as much. */
static double sensitivity(const sample *s, motion exact) {
  const double small = 1e-7;
  const motion x = solve(s, (motion){s->x + small, s->v}), v = solve(s, (motion){s->x, s->v + small});
  const double by_x = hypot(x.x - exact.x, x.v - exact.v), by_v = hypot(v.x - exact.x, v.v - exact.v);
  return 1 + fmax(by_x, by_v) / small;
}

/* The largest error of x and v at the end; INFINITY: the run failed. */
static double run_error(const sample *s, const char *scheme, double tolerance, motion exact, long *base_steps) {
  char text[800];
  simulation run;
  recorded_rows rows = {0};
  picus_summary summary = {0};
  snprintf(text, sizeof text,
           "model('piecewise','')\nlocal q,u = coordinates {{'x',velocity='v',start={%.17g,%.17g}}}\n"
           "kinetic(u.v^2/2) force {x=%s}\ncontact {'far',gap=q.x+1000}\n",
           s->x, s->v, s->force);
  const adaptive_run options = {
      .dt_min = 1e-9, .tolerance = tolerance, .t_end = s->t_end, .scheme = scheme, .order_max = 6};
  double error = INFINITY;
  if (simulation_open_adaptive_text(&run, text, options) && simulation_run(&run, &rows, &summary)) {
    const double x = recorded_value(&rows, rows.row_count - 1, "x"), v = recorded_value(&rows, rows.row_count - 1, "v");
    error = fmax(fabs(x - exact.x), fabs(v - exact.v));
  }
  *base_steps += summary.adaptive.base_steps;
  recorded_rows_free(&rows);
  simulation_close(&run);
  return error;
}

static int system_count(void) { return (int)test_study(1, 4, 4); }

/* Errors are below what errors of the size of the tolerance, one for each step, may grow to. */
static void kind_is_exact(kind k) {
  static const double tolerances[] = {1e-6, 1e-8, 1e-10};
  const int count = system_count();
  test_random r = {4711 + (unsigned long long)k};
  double worst[3] = {0};
  long base_steps[3] = {0};
  for (int i = 0; i < count; i++) {
    sample s;
    draw(&r, k, &s);
    const motion exact = solve(&s, (motion){s.x, s.v});
    const double allowed = 300 * sensitivity(&s, exact);
    for (int j = 0; j < SCHEMES; j++)
      for (int m = 0; m < 3; m++) {
        const double error = run_error(&s, schemes[j], tolerances[m], exact, &base_steps[m]);
        worst[m] = fmax(worst[m], error / allowed * 300);
        if (!(error <= allowed * tolerances[m] + 1e-12 * allowed))
          printf("  system %d, %s, %.0e: error %.3g, allowed %.3g: %s; start %.17g %.17g\n", i, schemes[j],
                 tolerances[m], error, allowed * tolerances[m], s.force, s.x, s.v);
        CHECK(error <= allowed * tolerances[m] + 1e-12 * allowed);
      }
  }
  printf("  %-22s %d systems: worst error over sensitivity %.2g, %.2g, %.2g; base steps %ld, %ld, %ld\n", names[k],
         count, worst[0], worst[1], worst[2], base_steps[0], base_steps[1], base_steps[2]);
}

static void two_stiffnesses(void) { kind_is_exact(TWO_STIFFNESSES); }
static void backlash(void) { kind_is_exact(BACKLASH); }
static void relay(void) { kind_is_exact(RELAY); }
static void relay_with_dead_zone(void) { kind_is_exact(RELAY_WITH_DEAD_ZONE); }
static void saturation(void) { kind_is_exact(SATURATION); }
static void bump_stops(void) { kind_is_exact(BUMP_STOPS); }
static void quadratic_drag(void) { kind_is_exact(QUADRATIC_DRAG); }
static void shock_absorber(void) { kind_is_exact(SHOCK_ABSORBER); }
static void pulse(void) { kind_is_exact(PULSE); }
static void square_wave(void) { kind_is_exact(SQUARE_WAVE); }

int main(int argc, char **argv) {
  static const test_case cases[] = {{"two_stiffnesses", two_stiffnesses},
                                    {"backlash", backlash},
                                    {"relay", relay},
                                    {"relay_with_dead_zone", relay_with_dead_zone},
                                    {"saturation", saturation},
                                    {"bump_stops", bump_stops},
                                    {"quadratic_drag", quadratic_drag},
                                    {"shock_absorber", shock_absorber},
                                    {"pulse", pulse},
                                    {"square_wave", square_wave}};
  return test_main(argc, argv, "slow_piecewise", cases, sizeof cases / sizeof cases[0]);
}
