/* Adaptive runs of stiff and strongly damped systems: right within their tolerance, or what the summary states, or
 * ended with an error; against closed forms of all motions. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODES_MOST = 4 };

/* x'' + d x' + k x = 0 in each mode; coordinates are an orthogonal mixture of them, with equal masses. */
typedef struct stiff_system {
  int n;
  double mass;
  double k[MODES_MOST], d[MODES_MOST], x[MODES_MOST], v[MODES_MOST];
  double Q[MODES_MOST][MODES_MOST]; /* q = Q x */
  bool bounces;                     /* and a mass of its own that falls on a floor */
} stiff_system;

/* The mode at time t. */
static void mode_at(const stiff_system *s, int i, double t, double *x, double *v) {
  const double half = 0.5 * s->d[i], k = s->k[i], x0 = s->x[i], v0 = s->v[i];
  if (half * half > k) {
    const double fast = -half * (1 + sqrt(1 - k / half / half)), slow = k / fast;
    const double a = (v0 - fast * x0) / (slow - fast), b = (v0 - slow * x0) / (fast - slow);
    *x = a * exp(slow * t) + b * exp(fast * t);
    *v = a * slow * exp(slow * t) + b * fast * exp(fast * t);
    return;
  }
  const double w = sqrt(k - half * half), decay = exp(-half * t);
  if (w == 0) {
    *x = decay * (x0 + (v0 + half * x0) * t);
    *v = decay * (v0 - half * (v0 + half * x0) * t);
    return;
  }
  *x = decay * (x0 * cos(w * t) + (v0 + half * x0) / w * sin(w * t));
  *v = decay * (v0 * cos(w * t) - (k * x0 + half * v0) / w * sin(w * t));
}

static double any_rate(test_random *r, double most) {
  return test_uniform(r, 0, 1) < 0.25 ? 0 : pow(10, test_uniform(r, 0, most));
}

/* Rotations in all planes, one after the other. */
static void turn(test_random *r, stiff_system *s) {
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++) s->Q[i][j] = i == j;
  for (int a = 0; a < s->n; a++)
    for (int b = a + 1; b < s->n; b++) {
      const double angle = test_uniform(r, 0, 6.28), c = cos(angle), e = sin(angle);
      for (int i = 0; i < s->n; i++) {
        const double p = s->Q[i][a], q = s->Q[i][b];
        s->Q[i][a] = c * p - e * q;
        s->Q[i][b] = e * p + c * q;
      }
    }
}

static stiff_system any_system(test_random *r) {
  stiff_system s = {.n = test_integer(r, 1, MODES_MOST), .mass = pow(10, test_uniform(r, -3, 3))};
  s.bounces = test_integer(r, 0, 2) == 0;
  const double most[] = {4, 8, 16}, d_most = most[test_integer(r, 0, 2)], k_most = most[test_integer(r, 0, 2)];
  for (int i = 0; i < s.n; i++) {
    s.d[i] = any_rate(r, d_most);
    s.k[i] = any_rate(r, fmin(k_most, 4 + test_integer(r, 0, 1) * 12));
    s.x[i] = test_integer(r, 0, 2) ? test_uniform(r, -1, 1) : 0;
    s.v[i] = test_uniform(r, -1, 1);
  }
  turn(r, &s);
  if (test_integer(r, 0, 1)) /* without a mixture, whose round-off excites everything */
    for (int i = 0; i < s.n; i++)
      for (int j = 0; j < s.n; j++) s.Q[i][j] = i == j;
  return s;
}

/* Q diag(values) Q^T as the terms of a quadratic form or of a force. */
static double mixed(const stiff_system *s, const double *values, int i, int j) {
  double sum = 0;
  for (int m = 0; m < s->n; m++) sum += s->Q[i][m] * values[m] * s->Q[j][m];
  return sum;
}

static void write_text(const stiff_system *s, char *text, size_t size) {
  size_t at = (size_t)snprintf(text, size, "local q, u = coordinates {");
  for (int i = 0; i < s->n; i++) {
    double q = 0, u = 0;
    for (int m = 0; m < s->n; m++) {
      q += s->Q[i][m] * s->x[m];
      u += s->Q[i][m] * s->v[m];
    }
    at += (size_t)snprintf(text + at, size - at, "{'x%d', velocity = 'v%d', start = {%.17g, %.17g}}, ", i, i, q, u);
  }
  if (s->bounces) at += (size_t)snprintf(text + at, size - at, "{'z', velocity = 'w', start = {0.3, 0}}");
  at += (size_t)snprintf(text + at, size - at, "}\n");
  for (int i = 0; i < s->n; i++)
    at += (size_t)snprintf(text + at, size - at, "kinetic(%.17g * u.v%d^2 / 2)\n", s->mass, i);
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++)
      at += (size_t)snprintf(text + at, size - at, "potential(%.17g * q.x%d * q.x%d)\nforce {x%d = %.17g * u.v%d}\n",
                             0.5 * s->mass * mixed(s, s->k, i, j), i, j, i, -s->mass * mixed(s, s->d, i, j), j);
  if (s->bounces)
    at += (size_t)snprintf(text + at, size - at,
                           "kinetic(u.w^2 / 2)\npotential(9.81 * q.z)\ncontact {'floor', gap = q.z, eN = 0.5}\n");
  snprintf(text + at, size - at, "simulate {dt = 1e-2, t_end = 1}\n");
}

typedef struct base {
  const char *scheme;
  double theta;
} base;

typedef struct outcome {
  picus_status status;
  double error; /* over what tolerance, steps and summary state */
  double q, u;
  picus_summary summary;
  char message[500];
} outcome;

/* Largest errors at the end, relative to the largest value of the run. */
static void compare(const stiff_system *s, picus_sim *sim, outcome *out) {
  const picus_state at = picus_sim_state(sim);
  double q_scale = 0, u_scale = 0, q = 0, u = 0;
  for (int i = 0; i < s->n; i++) {
    double x_right = 0, v_right = 0;
    for (int m = 0; m < s->n; m++) {
      double x, v;
      mode_at(s, m, at.t, &x, &v);
      x_right += s->Q[i][m] * x;
      v_right += s->Q[i][m] * v;
      q_scale = fmax(q_scale, fabs(s->x[m]) + fabs(s->v[m]) / fmax(sqrt(s->k[m]), 1));
      u_scale = fmax(u_scale, fabs(s->v[m]) + fabs(s->x[m]) * fmin(sqrt(s->k[m]), s->k[m] / fmax(s->d[m], 1e-300)));
    }
    q = fmax(q, fabs(at.q[i] - x_right));
    u = fmax(u, fabs(at.u[i] - v_right));
  }
  out->q = q / (1 + q_scale);
  out->u = u / (1 + u_scale);
}

/* The tolerance in every step, times the worst miss that the summary states; a switching point takes one base step of
 * dt_min, which the tolerance does not hold for; and theta > 1/2 damps vibrations that steps do not resolve, whose
 * energy the balance of the summary misses. */
static double allowed_error(const stiff_system *s, double dt_min, double tolerance, const picus_summary *sum) {
  const double balance =
      sum->energy.end - sum->energy.start + sum->energy.dissipated - sum->energy.driven - sum->energy.work;
  double fastest = 1;
  for (int i = 0; i < s->n; i++) fastest = fmax(fastest, sqrt(s->k[i]));
  const double of_base_step = fmin(dt_min + fastest * dt_min * fastest * dt_min, 1);
  return 10 * tolerance * (double)sum->steps * fmax(sum->adaptive.worst_miss, 1) +
         (double)sum->adaptive.switching_points * of_base_step + 3 * sqrt(fabs(balance) / s->mass);
}

/* Runs that resolve a fast motion over its whole time take long and tell nothing new. */
enum { STEPS_MOST = 4000 };
static int give_up(void *user, double t, double t_end, long steps) {
  (void)user;
  (void)t;
  (void)t_end;
  return steps > STEPS_MOST;
}

static bool run(const stiff_system *s, base b, double dt_min, double tolerance, outcome *out) {
  char text[8000];
  simulation sim;
  picus_sim_options o;
  write_text(s, text, sizeof text);
  if (!simulation_load_text(&sim, text, &o)) return false;
  o.scheme = b.scheme;
  o.theta = b.theta;
  o.adaptive = true;
  o.dt_min = dt_min;
  o.atol = o.rtol = tolerance;
  o.order_max = 6;
  bool fine = simulation_start(&sim, &o);
  if (fine) {
    const picus_run_hooks hooks = {.progress = give_up};
    out->status = picus_sim_run(sim.sim, NULL, &hooks, &out->summary);
    snprintf(out->message, sizeof out->message, "%s", out->status ? picus_last_error(sim.context)->message : "");
    compare(s, sim.sim, out);
    const double allowed = allowed_error(s, dt_min, tolerance, &out->summary);
    out->error = fmax(out->q, out->u) / allowed;
  }
  simulation_close(&sim);
  return fine;
}

static const base bases[] = {{"rattle", 0.5},        {"moreau-jean", 0.5}, {"moreau-jean", 1},       {"moreau", 0.5},
                             {"half-explicit", 0.5}, {"moreau-jean", 0.7}, {"half-explicit-rk", 0.5}};
enum { BASES = sizeof bases / sizeof bases[0] };

static void random_systems(int count, unsigned long long seed) {
  test_random r = {seed};
  int done[BASES] = {0}, wrong[BASES] = {0};
  for (int c = 0; c < count; c++) {
    const stiff_system s = any_system(&r);
    const double dt_min = pow(10, test_uniform(&r, -5, -2)), tolerance = pow(10, -test_integer(&r, 4, 10));
    const int b = c % BASES;
    outcome out = {0};
    if (!run(&s, bases[b], dt_min, tolerance, &out)) continue;
    done[b] += out.status == PICUS_OK;
    if (out.status != PICUS_OK || out.error <= 1) continue;
    wrong[b]++;
    printf("  %d: %s theta %g dt_min %.2g tol %g: errors %.2g %.2g, %ld steps, missed %.2g;", c, bases[b].scheme,
           bases[b].theta, dt_min, tolerance, out.q, out.u, out.summary.steps, out.summary.adaptive.worst_miss);
    for (int i = 0; i < s.n; i++) printf(" [d %.2g k %.2g x %.2g v %.2g]", s.d[i], s.k[i], s.x[i], s.v[i]);
    printf("\n");
  }
  for (int b = 0; b < BASES; b++) {
    printf("  %-16s theta %.1f: %d done, %d of them wrong\n", bases[b].scheme, bases[b].theta, done[b], wrong[b]);
    CHECK(wrong[b] == 0);
  }
}

static void random_stiff_systems(void) { random_systems((int)test_study(105, 105, 105), 7); }

/* One mass with a damper, and with a spring: its velocity decays at once, and its energy within 10 ms. */
static void strong_dampers_are_an_error_or_right(void) {
  const double k[] = {0, 1e16, 0, 1e14, 0}, d[] = {1e14, 1e14, 1e12, 1e12, 1e9};
  for (int c = 0; c < 5; c++)
    for (int b = 0; b < BASES; b++)
      for (double tolerance = 1e-4; tolerance > 5e-11; tolerance /= 100) {
        const stiff_system s = {.n = 1, .mass = 1, .d = {d[c]}, .k = {k[c]}, .v = {0.5}, .Q = {{1}}};
        outcome out = {0};
        if (!CHECK(run(&s, bases[b], 1e-4, tolerance, &out))) continue;
        if (CHECK(out.status != PICUS_OK || fmax(out.q, out.u) <= 100 * tolerance)) continue;
        printf("  %s theta %g, d %g k %g, tolerance %g: done with errors %.2g, %.2g\n", bases[b].scheme, bases[b].theta,
               d[c], k[c], tolerance, out.q, out.u);
      }
}

static void the_message_names_velocity_and_remedy(void) {
  const stiff_system s = {.n = 1, .mass = 1, .d = {1e14}, .v = {0.5}, .Q = {{1}}};
  outcome out = {0};
  CHECK(run(&s, bases[0], 1e-4, 1e-8, &out) && out.status == PICUS_ERROR_STEP);
  CHECK(strstr(out.message, "'v0' alternates") && strstr(out.message, "rattle does not damp it") &&
        strstr(out.message, "moreau-jean with theta = 1"));
  CHECK(run(&s, bases[2], 1e-4, 1e-8, &out) && out.status == PICUS_OK); /* the remedy, also beyond denormal numbers */
}

/* Fixed steps: what alternates without decay is an error as well; a damper that the steps resolve is none, nor is a
 * stiff one that theta = 1 damps, nor a stiff spring. */
static void fixed_steps_that_alternate_are_an_error(void) {
  const struct {
    const char *scheme;
    double theta, d, k;
    bool fails;
  } cases[] = {{"schatzman-paoli", 0.5, 1e14, 1e16, true},
               {"schatzman-paoli", 0.5, 1e5, 1e7, true},
               {"rattle", 0.5, 1e14, 0, true},
               {"moreau-jean", 0.5, 1e8, 0, true},
               {"moreau-jean", 0.5, 0, 1e10, false},
               {"moreau-jean", 1, 1e14, 0, false},
               {"rattle", 0.5, 10, 0, false},
               {"moreau-jean", 0.5, 30, 1e4, false}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    const stiff_system s = {.n = 1, .mass = 1, .d = {cases[c].d}, .k = {cases[c].k}, .v = {0.5}, .Q = {{1}}};
    char text[8000];
    simulation sim;
    picus_sim_options o;
    write_text(&s, text, sizeof text);
    if (!CHECK(simulation_load_text(&sim, text, &o))) continue;
    o.scheme = cases[c].scheme;
    o.theta = cases[c].theta;
    if (CHECK(simulation_start(&sim, &o))) {
      const picus_status status = picus_sim_run(sim.sim, NULL, NULL, NULL);
      const char *message = status ? picus_last_error(sim.context)->message : "";
      CHECK(cases[c].fails ? status == PICUS_ERROR_STEP && strstr(message, "'v0' alternates") : status == PICUS_OK);
      if ((status != PICUS_OK) != cases[c].fails)
        printf("  %s theta %g d %g k %g: %s\n", cases[c].scheme, cases[c].theta, cases[c].d, cases[c].k, message);
    }
    simulation_close(&sim);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"strong_dampers_are_an_error_or_right", strong_dampers_are_an_error_or_right},
      {"the_message_names_velocity_and_remedy", the_message_names_velocity_and_remedy},
      {"fixed_steps_that_alternate_are_an_error", fixed_steps_that_alternate_are_an_error},
      {"random_stiff_systems", random_stiff_systems},
  };
  return test_main(argc, argv, "adaptive_stiff", cases, (int)(sizeof cases / sizeof *cases));
}
