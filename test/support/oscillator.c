#include "support/oscillator.h"

#include <math.h>
#include <string.h>

enum {
  LAWS_MOST = STOPS_MOST + FRICTIONS_MOST,
  TERMS = 40,
  HALVINGS = 60,
};
/* Rebounds slower than this come at the end of an accumulation; left out they displace nothing by more than their
 * square over the acceleration, some 1e-14. */
static const double slow = 1e-7;
static const double march = 0.01;     /* s; frequencies stay below some 15 rad/s */
static const double tolerance = 1e-9; /* of accelerations and forces in a combination of modes; all are of order 1 */

/* --- drawing one -------------------------------------------------------------------------------------------------- */

static void add_spring(oscillator *o, int i, int j, double k, double c) {
  o->K[i][i] += k;
  o->C[i][i] += c;
  if (j < 0) return;
  o->K[j][j] += k;
  o->C[j][j] += c;
  o->K[i][j] -= k;
  o->K[j][i] -= k;
  o->C[i][j] -= c;
  o->C[j][i] -= c;
}

static double draw_sign(test_random *random) { return test_integer(random, 0, 1) ? 1 : -1; }

/* Along mass i against the ground, or between i and i + 1. */
static void draw_direction(test_random *random, int n, double *w) {
  int i = test_integer(random, 0, n - 1);
  double sign = draw_sign(random);
  w[i] = sign;
  if (i + 1 < n && test_integer(random, 0, 2) == 0) w[i + 1] = -sign;
}

/* One number to a statement, so that every compiler draws them in the same order. */
static void draw_mass(test_random *random, oscillator *o, int i) {
  o->m[i] = test_uniform(random, 0.5, 2);
  double k = test_uniform(random, 1, 15), c = test_uniform(random, 0, 0.2);
  add_spring(o, i, -1, k, c);
  if (i + 1 < o->n) {
    k = test_uniform(random, 1, 20);
    c = test_uniform(random, 0, 0.2);
    add_spring(o, i, i + 1, k, c);
  }
  o->force[i] = test_uniform(random, -1, 1);
  o->amplitude[i] = fmax(0, test_uniform(random, -4, 4));
  o->x0[i] = test_uniform(random, -0.05, 0.05);
  o->v0[i] = test_uniform(random, 0.3, 1.5);
  o->v0[i] *= draw_sign(random);
}

oscillator oscillator_random(test_random *random) {
  oscillator o = {.n = test_integer(random, 1, MASSES_MOST)};
  for (int i = 0; i < o.n; i++) draw_mass(random, &o, i);
  o.omega = test_uniform(random, 0.5, 5);
  o.stop_count = test_integer(random, 1, STOPS_MOST);
  for (int k = 0; k < o.stop_count; k++) {
    draw_direction(random, o.n, o.stop[k].w);
    o.stop[k].distance = test_uniform(random, 0.15, 0.5); /* more than |x0| of two masses */
    o.stop[k].e = test_uniform(random, 0, 0.9);
  }
  o.friction_count = test_integer(random, 0, FRICTIONS_MOST);
  for (int k = 0; k < o.friction_count; k++) {
    draw_direction(random, o.n, o.friction[k].w);
    o.friction[k].reservoir = test_uniform(random, 0.1, 1.5);
  }
  return o;
}

/* --- the linear system of a combination of modes --------------------------------------------------------------------
 */

/* z = (x, v, 1, sin, cos) of 2 n + 3 numbers. */
typedef struct modes {
  bool closed[STOPS_MOST];
  int slip[FRICTIONS_MOST]; /* sign; 0: stick */
} modes;

typedef struct linear_system {
  double A[STATE_SIZE][STATE_SIZE];
  double force_of[LAWS_MOST][STATE_SIZE]; /* rows: the force of a closed stop or a sticking friction */
  bool is_singular;
} linear_system;

typedef struct solver {
  const oscillator *o;
  int size;
  double t, z[STATE_SIZE];
  modes modes;
  linear_system system;
  oscillator_solution *solution;
} solver;

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Gauss with pivoting, count right sides; false: singular. */
static bool solve_dense(int n, double G[LAWS_MOST][LAWS_MOST], double B[LAWS_MOST][STATE_SIZE], int count) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(G[i][k]) > fabs(G[pivot][k])) pivot = i;
    if (fabs(G[pivot][k]) < 1e-9) return false;
    for (int j = 0; j < n; j++) {
      double keep = G[k][j];
      G[k][j] = G[pivot][j];
      G[pivot][j] = keep;
    }
    for (int j = 0; j < count; j++) {
      double keep = B[k][j];
      B[k][j] = B[pivot][j];
      B[pivot][j] = keep;
    }
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      double factor = G[i][k] / G[k][k];
      for (int j = 0; j < n; j++) G[i][j] -= factor * G[k][j];
      for (int j = 0; j < count; j++) B[i][j] -= factor * B[k][j];
    }
  }
  for (int k = 0; k < n; k++)
    for (int j = 0; j < count; j++) B[k][j] /= G[k][k];
  return true;
}

static const double *direction(const oscillator *o, int law) {
  return law < o->stop_count ? o->stop[law].w : o->friction[law - o->stop_count].w;
}

static bool is_constraint(const oscillator *o, const modes *m, int law) {
  return law < o->stop_count ? m->closed[law] : m->slip[law - o->stop_count] == 0;
}

/* Forces without those of the constraints, as rows on z. */
static void free_forces(const oscillator *o, const modes *m, double H[MASSES_MOST][STATE_SIZE]) {
  int n = o->n, one = 2 * n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      H[i][j] = -o->K[i][j];
      H[i][n + j] = -o->C[i][j];
    }
    H[i][one] = o->force[i];
    H[i][one + 1] = o->amplitude[i];
    H[i][one + 2] = 0;
    for (int k = 0; k < o->friction_count; k++)
      H[i][one] -= m->slip[k] * o->friction[k].reservoir * o->friction[k].w[i];
  }
}

/* M v' = H z + W lambda with W^T v' = 0 for the constraints. */
static linear_system system_of(const oscillator *o, const modes *m) {
  linear_system s = {.is_singular = false};
  int n = o->n, size = 2 * n + 3, one = 2 * n, count = 0, laws[LAWS_MOST];
  double H[MASSES_MOST][STATE_SIZE] = {{0}}, G[LAWS_MOST][LAWS_MOST] = {{0}}, L[LAWS_MOST][STATE_SIZE] = {{0}};
  free_forces(o, m, H);
  for (int k = 0; k < o->stop_count + o->friction_count; k++)
    if (is_constraint(o, m, k)) laws[count++] = k;
  for (int a = 0; a < count; a++) {
    for (int b = 0; b < count; b++)
      for (int i = 0; i < n; i++) G[a][b] += direction(o, laws[a])[i] * direction(o, laws[b])[i] / o->m[i];
    for (int j = 0; j < size; j++)
      for (int i = 0; i < n; i++) L[a][j] -= direction(o, laws[a])[i] * H[i][j] / o->m[i];
  }
  s.is_singular = !solve_dense(count, G, L, size);
  for (int i = 0; i < n; i++) {
    s.A[i][n + i] = 1;
    for (int j = 0; j < size; j++) {
      s.A[n + i][j] = H[i][j];
      for (int a = 0; a < count; a++) s.A[n + i][j] += direction(o, laws[a])[i] * L[a][j];
      s.A[n + i][j] /= o->m[i];
    }
  }
  for (int a = 0; a < count; a++) memcpy(s.force_of[laws[a]], L[a], sizeof L[a]);
  s.A[one + 1][one + 2] = o->omega;
  s.A[one + 2][one + 1] = -o->omega;
  return s;
}

/* exp(A dt) z by its series; dt is short. */
static void propagate(const solver *s, double dt, double *out) {
  double term[STATE_SIZE], next[STATE_SIZE];
  memcpy(term, s->z, sizeof term);
  memcpy(out, s->z, sizeof term);
  for (int k = 1; k <= TERMS; k++) {
    for (int i = 0; i < s->size; i++) next[i] = dt / k * dot(s->size, s->system.A[i], term);
    memcpy(term, next, (size_t)s->size * sizeof *next);
    for (int i = 0; i < s->size; i++) out[i] += term[i];
  }
}

/* --- what must stay positive
 * ------------------------------------------------------------------------------------------ */

/* Law k: the gap of an open stop, the force of a closed one, slip in its direction, what the friction has left above
 * (or below, side 1) while it sticks. Its time derivative too. */
static double margin(const solver *s, int law, int side, const double *z, double *rate) {
  const oscillator *o = s->o;
  const int n = o->n;
  double row[STATE_SIZE] = {0}, value;
  if (law < o->stop_count && !s->modes.closed[law]) {
    memcpy(row, o->stop[law].w, (size_t)n * sizeof *row);
    row[2 * n] = o->stop[law].distance;
  } else if (law < o->stop_count) {
    memcpy(row, s->system.force_of[law], sizeof row);
  } else {
    int k = law - o->stop_count, sign = s->modes.slip[k];
    for (int i = 0; i < n && sign != 0; i++) row[n + i] = sign * o->friction[k].w[i];
    for (int j = 0; j < s->size && sign == 0; j++) row[j] = (side ? 1 : -1) * s->system.force_of[law][j];
    if (sign == 0) row[2 * n] += o->friction[k].reservoir;
  }
  value = dot(s->size, row, z);
  *rate = 0;
  for (int i = 0; i < s->size; i++) *rate += row[i] * dot(s->size, s->system.A[i], z);
  return value;
}

static double margin_after(const solver *s, int law, int side, double dt, double *rate) {
  double z[STATE_SIZE];
  propagate(s, dt, z);
  return margin(s, law, side, z, rate);
}

/* First time in (0, dt] at which the margin is negative, known to rounding; INFINITY: none. */
static double first_root(solver *s, int law, int side, double dt) {
  double rate_begin, rate_end, rate, low = 0, high = dt;
  double begin = margin(s, law, side, s->z, &rate_begin), end = margin_after(s, law, side, dt, &rate_end);
  if (end >= 0) { /* down and up again? */
    if (rate_begin >= 0 || rate_end <= 0) return INFINITY;
    for (int k = 0; k < HALVINGS; k++) {
      double middle = 0.5 * (low + high);
      (void)margin_after(s, law, side, middle, &rate);
      *(rate < 0 ? &low : &high) = middle;
    }
    double lowest = margin_after(s, law, side, high, &rate);
    bool is_gap = law < s->o->stop_count && !s->modes.closed[law];
    if (lowest >= 0 && is_gap && begin > slow) s->solution->nearest_miss = fmin(s->solution->nearest_miss, lowest);
    if (lowest >= 0) return INFINITY;
    low = 0;
  }
  if (begin <= 0) /* it starts at an event: find where it has been positive since */
    for (low = 0.5 * high; low > 1e-15 && margin_after(s, law, side, low, &rate) <= 0; low *= 0.5) high = low;
  for (int k = 0; k < HALVINGS; k++) {
    double middle = 0.5 * (low + high);
    *(margin_after(s, law, side, middle, &rate) >= 0 ? &low : &high) = middle;
  }
  return high;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* What is undecided after an event: stops that touch without speed, frictions without slip; -1: decided. */
typedef struct choices {
  int laws[LAWS_MOST], count;
  int excluded; /* the law whose present mode has just ended, or -1 */
} choices;

static void set_choice(const oscillator *o, modes *m, int law, int choice) {
  if (law < o->stop_count)
    m->closed[law] = choice == 0;
  else
    m->slip[law - o->stop_count] = choice == 0 ? 0 : choice == 1 ? 1 : -1;
}

/* Closed stops push, open ones accelerate apart, sticking friction stays below its reservoir, slip grows in its
 * direction. */
static bool is_consistent(const solver *s, const choices *c, const modes *m, const linear_system *system,
                          bool *is_unclear) {
  const oscillator *o = s->o;
  double acceleration[MASSES_MOST];
  for (int i = 0; i < o->n; i++) acceleration[i] = dot(s->size, system->A[o->n + i], s->z);
  *is_unclear = false;
  for (int k = 0; k < c->count; k++) {
    int law = c->laws[k];
    double force = dot(s->size, system->force_of[law], s->z), rate = dot(o->n, direction(o, law), acceleration);
    double value;
    if (law < o->stop_count)
      value = m->closed[law] ? force : rate;
    else {
      int sign = m->slip[law - o->stop_count];
      value = sign == 0 ? o->friction[law - o->stop_count].reservoir - fabs(force) : sign * rate;
    }
    if (value < -tolerance) return false;
    if (law != c->excluded && value < tolerance) *is_unclear = true;
  }
  return true;
}

static oscillator_outcome choose_modes(solver *s, const choices *c) {
  const oscillator *o = s->o;
  const modes before = s->modes;
  int combinations = 1;
  for (int k = 0; k < c->count; k++) combinations *= c->laws[k] < o->stop_count ? 2 : 3;
  bool some_singular = false;
  for (int number = 0; number < combinations; number++) {
    modes m = before;
    bool is_excluded = false;
    for (int k = 0, rest = number; k < c->count; k++) {
      int radix = c->laws[k] < o->stop_count ? 2 : 3;
      set_choice(o, &m, c->laws[k], rest % radix);
      rest /= radix;
      is_excluded = is_excluded || (c->laws[k] == c->excluded && is_constraint(o, &m, c->laws[k]));
    }
    if (is_excluded) continue;
    linear_system system = system_of(o, &m);
    some_singular = some_singular || system.is_singular;
    bool is_unclear;
    if (system.is_singular || !is_consistent(s, c, &m, &system, &is_unclear)) continue;
    if (is_unclear) return OSCILLATOR_REDUNDANT;
    s->modes = m;
    s->system = system;
    return OSCILLATOR_SOLVED;
  }
  return some_singular ? OSCILLATOR_REDUNDANT : OSCILLATOR_STUCK;
}

static double restitution(const oscillator *o, int stop, double approach) {
  return o->stop[stop].e * fabs(approach) < slow ? 0 : o->stop[stop].e;
}

/* Newton's law on all stops that touch; tries which of them get an impulse. */
static bool impact(solver *s, const bool *touches) {
  const oscillator *o = s->o;
  const int n = o->n;
  double *v = s->z + n;
  for (int set = 0; set < 1 << o->stop_count; set++) {
    double G[LAWS_MOST][LAWS_MOST] = {{0}}, P[LAWS_MOST][STATE_SIZE] = {{0}}, after[MASSES_MOST];
    int count = 0, laws[STOPS_MOST];
    bool fits = true;
    for (int k = 0; k < o->stop_count; k++)
      if (set >> k & 1) {
        fits = fits && touches[k];
        laws[count++] = k;
      }
    if (!fits) continue;
    for (int a = 0; a < count; a++) {
      double approach = dot(n, o->stop[laws[a]].w, v);
      P[a][0] = -(1 + restitution(o, laws[a], approach)) * approach;
      for (int b = 0; b < count; b++)
        for (int i = 0; i < n; i++) G[a][b] += o->stop[laws[a]].w[i] * o->stop[laws[b]].w[i] / o->m[i];
    }
    if (!solve_dense(count, G, P, 1)) continue;
    memcpy(after, v, (size_t)n * sizeof *v);
    for (int a = 0; a < count; a++) {
      fits = fits && P[a][0] >= 0;
      for (int i = 0; i < n; i++) after[i] += o->stop[laws[a]].w[i] * P[a][0] / o->m[i];
    }
    for (int k = 0; k < o->stop_count; k++) {
      double approach = dot(n, o->stop[k].w, v),
             xi = dot(n, o->stop[k].w, after) + restitution(o, k, approach) * approach;
      if (touches[k] && !(set >> k & 1)) fits = fits && xi >= -1e-13;
    }
    if (!fits) continue;
    memcpy(v, after, (size_t)n * sizeof *v);
    return true;
  }
  return false;
}

static void note_event(solver *s, int law, double speed) {
  oscillator_solution *to = s->solution;
  if (to->event_count < OSCILLATOR_EVENTS_MOST) to->events[to->event_count] = (oscillator_event){s->t, law, speed};
  to->event_count++;
  to->impacts += speed > 0;
}

/* After the velocities have jumped: which stops stay, which frictions slip where. */
static oscillator_outcome modes_after_impact(solver *s, const bool *touches) {
  const oscillator *o = s->o;
  const double *v = s->z + o->n;
  choices c = {.excluded = -1};
  for (int k = 0; k < o->stop_count; k++) {
    s->modes.closed[k] = false;
    if (touches[k] && dot(o->n, o->stop[k].w, v) < 0.1 * slow) c.laws[c.count++] = k;
  }
  for (int k = 0; k < o->friction_count; k++) {
    double slip = dot(o->n, o->friction[k].w, v);
    if (fabs(slip) < 0.1 * slow)
      c.laws[c.count++] = o->stop_count + k;
    else
      s->modes.slip[k] = slip > 0 ? 1 : -1;
  }
  return choose_modes(s, &c);
}

static oscillator_outcome hit(solver *s, int law) {
  const oscillator *o = s->o;
  bool touches[STOPS_MOST] = {false};
  double speed = -dot(o->n, o->stop[law].w, s->z + o->n);
  note_event(s, law, speed);
  if (speed > 1e-3 || o->stop[law].e == 0) s->solution->least_impact = fmin(s->solution->least_impact, speed);
  for (int k = 0; k < o->stop_count; k++) touches[k] = s->modes.closed[k] || k == law;
  return impact(s, touches) ? modes_after_impact(s, touches) : OSCILLATOR_STUCK;
}

/* A law has left its mode without an impact: everything that has no speed is decided anew. */
static oscillator_outcome switch_mode(solver *s, int law) {
  const oscillator *o = s->o;
  bool was_constraint = is_constraint(o, &s->modes, law);
  choices c = {.excluded = was_constraint ? law : -1};
  note_event(s, law, 0);
  for (int k = 0; k < o->stop_count + o->friction_count; k++)
    if (k == law || is_constraint(o, &s->modes, k)) c.laws[c.count++] = k;
  return choose_modes(s, &c);
}

/* --- the whole ------------------------------------------------------------------------------------------------------
 */

static oscillator_outcome advance_to(solver *s, double end) {
  const oscillator *o = s->o;
  while (s->t < end) {
    double dt = fmin(march, end - s->t), first = INFINITY;
    int law = -1;
    for (int k = 0; k < o->stop_count + o->friction_count; k++)
      for (int side = 0; side < 2; side++) {
        if (side == 1 && !(k >= o->stop_count && s->modes.slip[k - o->stop_count] == 0)) continue;
        double root = first_root(s, k, side, dt);
        if (root < first) {
          first = root;
          law = k;
        }
      }
    double z[STATE_SIZE], step = fmin(first, dt);
    propagate(s, step, z);
    memcpy(s->z, z, (size_t)s->size * sizeof *z);
    s->t = law < 0 && dt == end - s->t ? end : s->t + step;
    if (law < 0) continue;
    bool is_impact = law < o->stop_count && !s->modes.closed[law];
    oscillator_outcome outcome = is_impact ? hit(s, law) : switch_mode(s, law);
    if (outcome != OSCILLATOR_SOLVED) return outcome;
    if (s->solution->event_count >= OSCILLATOR_EVENTS_MOST) return OSCILLATOR_STUCK;
  }
  return OSCILLATOR_SOLVED;
}

oscillator_outcome oscillator_solve(const oscillator *o, double T, int sample_count, oscillator_solution *solution) {
  *solution = (oscillator_solution){.sample_count = sample_count, .least_impact = INFINITY, .nearest_miss = INFINITY};
  solver s = {.o = o, .size = 2 * o->n + 3, .solution = solution};
  memcpy(s.z, o->x0, (size_t)o->n * sizeof *s.z);
  memcpy(s.z + o->n, o->v0, (size_t)o->n * sizeof *s.z);
  s.z[2 * o->n] = 1;
  s.z[2 * o->n + 2] = 1; /* cos 0 */
  for (int k = 0; k < o->friction_count; k++) s.modes.slip[k] = dot(o->n, o->friction[k].w, o->v0) > 0 ? 1 : -1;
  s.system = system_of(o, &s.modes);
  for (int k = 0; k < sample_count; k++) {
    oscillator_outcome outcome = advance_to(&s, T * (k + 1) / sample_count);
    if (outcome != OSCILLATOR_SOLVED) return outcome;
    solution->t[k] = s.t;
    memcpy(solution->x[k], s.z, (size_t)o->n * sizeof *s.z);
    memcpy(solution->v[k], s.z + o->n, (size_t)o->n * sizeof *s.z);
  }
  return OSCILLATOR_SOLVED;
}
