#include "support/shaken_table.h"

#include <math.h>
#include <stdio.h>

static const double gravity = 9.81;

static double table_at(const shaken_table *p, double t) { return p->A * sin(p->w * t); }
static double table_speed(const shaken_table *p, double t) { return p->A * p->w * cos(p->w * t); }

/* The first time at which a ball in flight meets the table, or t_end. From a gap g with the rate s nothing can happen
 * before g + s tau - K tau^2 / 2 = 0, with the bound K on the acceleration of the gap. */
static double next_meeting(const shaken_table *p, const ball *b) {
  const double K = gravity + p->A * p->w * p->w;
  double tau = 0;
  for (int k = 0; k < 100000 && b->t + tau < p->t_end; k++) {
    double t = b->t + tau;
    double gap = b->y + b->v * tau - 0.5 * gravity * tau * tau - table_at(p, t);
    double rate = b->v - gravity * tau - table_speed(p, t);
    if (k == 0) gap = fmax(gap, 0);
    double root = sqrt(rate * rate + 2 * K * fmax(gap, 0));
    double ahead = rate < 0 ? 2 * fmax(gap, 0) / (root - rate) : (rate + root) / K;
    if (k > 0 && rate < 0 && ahead < 1e-15 * fmax(t, 1)) return t;
    tau += fmax(ahead, 1e-17);
  }
  return p->t_end;
}

static void fly(const shaken_table *p, ball *b, double t) {
  double tau = t - b->t;
  (void)p;
  b->y += b->v * tau - 0.5 * gravity * tau * tau;
  b->v -= gravity * tau;
  b->t = t;
}

/* On the table until it falls away faster than g. */
static void ride(const shaken_table *p, ball *b) {
  double limit = gravity / (p->A * p->w * p->w), t = p->t_end;
  if (limit < 1) {
    double phase = asin(limit), turns = floor((p->w * b->t - phase) / (2 * acos(-1.0)));
    double lift_off = (phase + 2 * acos(-1.0) * (turns + 1)) / p->w;
    if (p->A * p->w * p->w * sin(p->w * b->t) < gravity) t = fmin(t, lift_off);
  }
  b->t = t;
  b->y = table_at(p, t);
  b->v = table_speed(p, t);
}

ball shaken_table_solve(const shaken_table *p) {
  ball b = {.y = p->y0, .v = p->v0};
  while (b.t < p->t_end) {
    double t = next_meeting(p, &b);
    fly(p, &b, t);
    if (t >= p->t_end) break;
    double approach = table_speed(p, t) - b.v;
    b.impacts++;
    b.v = table_speed(p, t) + p->e * approach;
    bool rests = p->e * approach < 1e-7 && p->A * p->w * p->w * sin(p->w * t) < gravity;
    b.y = table_at(p, t);
    if (!rests) continue;
    ride(p, &b);
    if (b.t < p->t_end) fly(p, &b, fmin(b.t + 1e-5, p->t_end)); /* the gap grows with the third power of time */
  }
  return b;
}

shaken_table shaken_table_random(test_random *random) {
  shaken_table p = {.A = pow(10, test_uniform(random, -3.5, -1.5)), .w = pow(10, test_uniform(random, 1, 2.5))};
  p.e = test_uniform(random, 0, 0.9);
  p.y0 = p.A * test_uniform(random, 1, 6);
  p.v0 = test_uniform(random, -0.25, 0.25);
  p.t_end = test_uniform(random, 0.1, 0.5);
  return p;
}

double shaken_table_amplification(const shaken_table *p) {
  const double small = 1e-8;
  const ball truth = shaken_table_solve(p);
  double worst = 1;
  for (int k = 0; k < 6; k++) {
    shaken_table other = *p;
    double sign = k % 2 ? -1 : 1;
    if (k / 2 == 0) other.y0 += sign * small;
    if (k / 2 == 1) other.v0 += sign * small;
    if (k / 2 == 2) other.t_end += sign * small;
    ball b = shaken_table_solve(&other);
    worst = fmax(worst, fmax(fabs(b.y - truth.y), fabs(b.v - truth.v)) / small);
  }
  return worst;
}

void shaken_table_overrides(const shaken_table *p, char *out, size_t size) {
  snprintf(out, size, "A=%.17g,w=%.17g,e=%.17g,y0=%.17g,v0=%.17g", p->A, p->w, p->e, p->y0, p->v0);
}
