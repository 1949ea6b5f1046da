/* Closed laws that are approached have an impact before anything else: random systems against Newton's impact law,
 * solved here by trying all modes; every scheme, with fixed steps and adaptively, from the initial state, after
 * picus_sim_set_state and with the states of a loaded checkpoint. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 8192, MOST = 4, ROWS_MOST = 6, LAWS_MOST = 3, SYSTEMS = 200, STEPS = 5 };
#define DT 1e-4
#define T_END (STEPS * DT)

static int systems(void) { return (int)test_study(10, 40, SYSTEMS); }

/* --- Newton's law by all modes ------------------------------------------------------------------------------------ */

typedef enum law_kind { FRICTIONLESS, FRICTION, CLUTCH, JOINT } law_kind;
typedef struct random_law {
  law_kind kind;
  double normal[MOST], tangent[MOST], e, mu;
} random_law;

typedef struct random_system {
  int n, laws;
  double M[MOST][MOST], u[MOST];
  random_law law[LAWS_MOST];
  /* the solution */
  double after[MOST], lost;
  bool slides;  /* along all contacts but the first, which is met later */
  bool presses; /* a contact that parts before the impact has a percussion */
} random_system;

enum { OPEN, CLOSED, STICK, SLIP_UP, SLIP_DOWN, MODES };

/* x := A^-1 x with pivots; false: singular. A: n rows of ROWS_MOST. */
static bool solve(int n, double (*A)[ROWS_MOST], double *x) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
    if (fabs(A[p][k]) < 1e-10) return false;
    for (int j = 0; j < n; j++) {
      const double t = A[k][j];
      A[k][j] = A[p][j];
      A[p][j] = t;
    }
    const double t = x[k];
    x[k] = x[p];
    x[p] = t;
    for (int i = k + 1; i < n; i++) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) A[i][j] -= f * A[k][j];
      x[i] -= f * x[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
  return true;
}

static double dot(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static bool solve_mass(const random_system *s, const double *force, double *u) {
  double A[ROWS_MOST][ROWS_MOST];
  for (int i = 0; i < s->n; i++) {
    u[i] = force[i];
    for (int j = 0; j < s->n; j++) A[i][j] = s->M[i][j];
  }
  return solve(s->n, A, u);
}

/* One unknown percussion: it acts along `along`, and the velocity of `row` becomes -e times the one before. */
typedef struct unknown {
  double along[MOST];
  const double *row;
  double e;
  int law;
} unknown;

static int list_unknowns(const random_system *s, const int *mode, unknown *list) {
  int count = 0;
  for (int k = 0; k < s->laws; k++) {
    const random_law *law = &s->law[k];
    if (mode[k] == OPEN) continue;
    unknown *x = &list[count++];
    *x = (unknown){.row = law->normal, .e = law->e, .law = k};
    const double slip = mode[k] == SLIP_UP ? -law->mu : mode[k] == SLIP_DOWN ? law->mu : 0;
    for (int i = 0; i < s->n; i++) x->along[i] = law->normal[i] + slip * law->tangent[i];
    if (mode[k] != STICK) continue;
    list[count] = (unknown){.row = law->tangent, .e = 0, .law = k};
    memcpy(list[count++].along, law->tangent, sizeof law->tangent);
  }
  return count;
}

/* Velocities after the impact in these modes; false: they contradict the modes. */
static bool try_modes(const random_system *s, const int *mode, double *after) {
  unknown list[ROWS_MOST];
  const int count = list_unknowns(s, mode, list);
  double change[ROWS_MOST][MOST], A[ROWS_MOST][ROWS_MOST], P[ROWS_MOST], largest = 0;
  for (int j = 0; j < count; j++)
    if (!solve_mass(s, list[j].along, change[j])) return false;
  for (int i = 0; i < count; i++) {
    P[i] = -(1 + list[i].e) * dot(s->n, list[i].row, s->u);
    for (int j = 0; j < count; j++) A[i][j] = dot(s->n, list[i].row, change[j]);
  }
  if (count > 0 && !solve(count, A, P)) return false;
  memcpy(after, s->u, sizeof s->u);
  for (int j = 0; j < count; j++)
    for (int i = 0; i < s->n; i++) after[i] += P[j] * change[j][i];
  for (int j = 0; j < count; j++) largest = fmax(largest, fabs(P[j]));
  for (int k = 0, j = 0; k < s->laws; k++) {
    const random_law *law = &s->law[k];
    if (law->kind == JOINT) {
      j++;
      continue;
    }
    const double xi = dot(s->n, law->normal, after) + law->e * dot(s->n, law->normal, s->u);
    const double slip = dot(s->n, law->tangent, after);
    if (mode[k] == OPEN && xi < -1e-10) return false;
    if (mode[k] == OPEN) continue;
    if (P[j] < -1e-10 * largest) return false;
    if (mode[k] == STICK && fabs(P[j + 1]) > law->mu * P[j] + 1e-10 * largest) return false;
    if ((mode[k] == SLIP_UP && slip < -1e-10) || (mode[k] == SLIP_DOWN && slip > 1e-10)) return false;
    j += mode[k] == STICK ? 2 : 1;
  }
  return true;
}

static bool is_allowed(const random_law *law, int mode) {
  if (law->kind == JOINT) return mode == CLOSED;
  if (law->kind == FRICTION) return mode != CLOSED;
  return mode <= CLOSED;
}

static double kinetic(const random_system *s, const double *u) {
  double sum = 0;
  for (int i = 0; i < s->n; i++) sum += 0.5 * u[i] * dot(s->n, s->M[i], u);
  return sum;
}

/* Whether a contact of these modes parts before the impact, and is not open in it. */
static bool has_parting(const random_system *s, const int *mode) {
  for (int k = 0; k < s->laws; k++)
    if (mode[k] != OPEN && s->law[k].kind != JOINT && dot(s->n, s->law[k].normal, s->u) > 0) return true;
  return false;
}

/* The impact of the system; false: several solutions or none, or another impact would follow. */
static bool find_impact(random_system *s) {
  int found = 0, most = 1;
  for (int k = 0; k < s->laws; k++) most *= MODES;
  for (int code = 0; code < most; code++) {
    int mode[LAWS_MOST];
    bool allowed = true;
    for (int k = 0, rest = code; k < s->laws; k++, rest /= MODES) {
      mode[k] = rest % MODES;
      allowed = allowed && is_allowed(&s->law[k], mode[k]);
    }
    double after[MOST] = {0}, distance = 0;
    if (!allowed || !try_modes(s, mode, after)) continue;
    for (int i = 0; i < s->n; i++) distance = fmax(distance, fabs(after[i] - s->after[i]));
    if (found > 0 && distance > 1e-6) return false;
    memcpy(s->after, after, sizeof after);
    found++;
    s->presses = found == 1 && has_parting(s, mode); /* with two modes its percussion is 0 */
  }
  for (int k = 0; k < s->laws; k++) {
    const double gamma = dot(s->n, s->law[k].normal, s->after);
    if (s->law[k].kind != JOINT && gamma < -1e-9) return false;
    if (gamma > 1e-9 && gamma < 1e-2) return false; /* too slow to be seen in a few steps */
    if (s->law[k].kind == FRICTION && fabs(dot(s->n, s->law[k].tangent, s->after)) < 1e-2 &&
        fabs(dot(s->n, s->law[k].tangent, s->after)) > 1e-9)
      return false;
  }
  s->lost = kinetic(s, s->u) - kinetic(s, s->after);
  return found > 0;
}

/* --- random systems ----------------------------------------------------------------------------------------------- */

static double pick(test_random *random) { return test_uniform(random, -1, 1); }

/* Which contacts approach: all; the first one and others by chance, also such that contacts that part take part in the
 * impact; or the first one, which is met while the system slides along the others. */
typedef enum approach { ALL, SOME, PRESSED, SLIDING } approach;
#define WAY 37.3 /* in steps, to the contact that is met */

static void draw(test_random *random, law_kind kind, approach by, random_system *s) {
  *s = (random_system){.n = test_integer(random, 2, MOST), .slides = by == SLIDING};
  s->laws = test_integer(random, 1, kind == FRICTION || s->n < 3 ? 2 : LAWS_MOST);
  if (kind == JOINT && s->laws >= s->n) s->laws = s->n - 1;
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j <= i; j++) s->M[i][j] = s->M[j][i] = i == j ? test_uniform(random, 1, 3) : 0.3 * pick(random);
    s->u[i] = pick(random);
  }
  for (int k = 0; k < s->laws; k++) {
    random_law *law = &s->law[k];
    law->kind = kind;
    if (kind != CLUTCH && kind != JOINT) law->e = test_integer(random, 0, 3) ? test_uniform(random, 0, 1) : 0;
    if (kind == FRICTION) law->mu = test_uniform(random, 0.05, 0.6);
    for (int i = 0; i < s->n; i++) {
      law->normal[i] = pick(random);
      law->tangent[i] = kind == FRICTION ? pick(random) : 0;
    }
    const double along = dot(s->n, law->normal, s->u) / dot(s->n, s->u, s->u);
    for (int i = 0; i < s->n && by == SLIDING && k > 0; i++) law->normal[i] -= along * s->u[i];
    const bool turns = (by == ALL || k == 0) && dot(s->n, law->normal, s->u) > 0;
    for (int i = 0; i < s->n && turns; i++) law->normal[i] = -law->normal[i];
  }
}

static bool is_well_posed(const random_system *s) {
  for (int k = 0; k < s->laws; k++) {
    const random_law *law = &s->law[k];
    double by_normal[MOST], by_tangent[MOST];
    if (!solve_mass(s, law->normal, by_normal) || !solve_mass(s, law->tangent, by_tangent)) return false;
    const double G_NN = dot(s->n, law->normal, by_normal), G_NT = dot(s->n, law->normal, by_tangent);
    if (G_NN < 0.05 || law->mu * fabs(G_NT) > 0.5 * G_NN) return false;
    if (fabs(dot(s->n, law->normal, s->u)) < 0.05 && !(s->slides && k > 0)) return false;
  }
  return true;
}

static int add(char *text, int used, const char *format, double value, int index) {
  return used + snprintf(text + used, (size_t)(TEXT_SIZE - used), format, value, index);
}

static int add_sum(char *text, int used, const double *row, int n, const char *format) {
  used = add(text, used, "0", 0, 0);
  for (int i = 0; i < n; i++) used = add(text, used, format, row[i], i);
  return used;
}

static void write_law(const random_system *s, int k, char *text, int *used) {
  static const char *const begins[] = {"contact {'c%d', gap = ", "contact {'c%d', gap = ", "clutch {'c%d', velocity = ",
                                       "constraint {'c%d', position = "};
  const random_law *law = &s->law[k];
  *used += snprintf(text + *used, (size_t)(TEXT_SIZE - *used), begins[law->kind], k);
  *used = add_sum(text, *used, law->normal, s->n, law->kind == CLUTCH ? " + (%.17g) * u.v%d" : " + (%.17g) * q.x%d");
  if (s->slides && k == 0) *used = add(text, *used, " + (%.17g)", -WAY * DT * dot(s->n, law->normal, s->u), 0);
  if (law->kind <= FRICTION) *used = add(text, *used, ", eN = %.17g", law->e, 0);
  if (law->kind == FRICTION) {
    *used = add(text, *used, ", mu = %.17g, slip = ", law->mu, 0);
    *used = add_sum(text, *used, law->tangent, s->n, " + (%.17g) * u.v%d");
  }
  *used = add(text, *used, "}\n", 0, 0);
}

static void write_model(const random_system *s, bool at_rest, char *text) {
  int used = add(text, 0, "local q, u = coordinates {", 0, 0);
  for (int i = 0; i < s->n; i++) {
    used += snprintf(text + used, (size_t)(TEXT_SIZE - used), "{'x%d', velocity = 'v%d', start = {0, %.17g}},", i, i,
                     at_rest ? 0 : s->u[i]);
  }
  used = add(text, used, "}\nkinetic(0", 0, 0);
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++)
      used += snprintf(text + used, (size_t)(TEXT_SIZE - used), " + (%.17g) * u.v%d * u.v%d", 0.5 * s->M[i][j], i, j);
  used = add(text, used, ")\n", 0, 0);
  for (int k = 0; k < s->laws; k++) write_law(s, k, text, &used);
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

typedef enum start_kind { FROM_START, FROM_SET_STATE, FROM_CHECKPOINT, STARTS } start_kind;
typedef struct method {
  const char *scheme;
  bool adaptive;
  start_kind start;
} method;

static bool supports(const char *scheme, law_kind kind) {
  if (strcmp(scheme, "trapezoidal-position") == 0) return false;
  /* two steps of its rule are an impact; of several contacts with different e they are another law */
  if (strcmp(scheme, "schatzman-paoli") == 0) return kind == JOINT;
  return strcmp(scheme, "half-explicit-acc") != 0 || kind == FRICTIONLESS || kind == JOINT;
}

static bool go_to(simulation *s, double t_end) {
  const picus_sim_options *o = picus_sim_options_of(s->sim);
  picus_step_info info;
  while (picus_sim_state(s->sim).t < t_end - 1e-12) {
    const picus_status status =
        o->adaptive ? picus_sim_advance(s->sim, t_end, &info) : picus_sim_step(s->sim, DT, &info);
    if (!CHECK(status == PICUS_OK)) {
      printf("  %s\n", picus_last_error(s->context)->message);
      return false;
    }
  }
  return true;
}

static bool open_model(simulation *s, const char *text, method by) {
  picus_sim_options options;
  if (!simulation_load_text(s, text, &options)) return false;
  options.scheme = by.scheme;
  options.adaptive = by.adaptive;
  options.dt = DT;
  options.dt_min = by.adaptive ? 1e-9 : 0;
  options.dt_max = by.adaptive ? DT : 0;
  options.atol = options.rtol = 1e-10;
  options.t_end = 1;
  return simulation_start(s, &options);
}

/* Another simulation goes on from the bytes of this one. */
static bool reload(simulation *s, const char *text, method by) {
  size_t size = 0;
  simulation other;
  (void)picus_sim_save(s->sim, NULL, 0, &size);
  void *bytes = malloc(size);
  bool fine = CHECK(bytes && picus_sim_save(s->sim, bytes, size, &size) == PICUS_OK) && open_model(&other, text, by);
  if (fine) fine = CHECK(picus_sim_load(other.sim, bytes, size, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
  free(bytes);
  if (!fine) return false;
  simulation_close(s);
  *s = other;
  return true;
}

typedef struct run_result {
  double u[MOST], dissipated;
  long impacts;
} run_result;

static bool run_system(const random_system *x, method by, run_result *out) {
  char text[TEXT_SIZE];
  simulation s;
  write_model(x, by.start != FROM_START, text);
  if (!open_model(&s, text, by)) return false;
  bool fine = true;
  double t = 0;
  if (by.start != FROM_START) {
    const double q[MOST] = {0};
    t = 3 * DT;
    fine = go_to(&s, t) && CHECK(picus_sim_set_state(s.sim, t, q, x->u) == PICUS_OK);
    if (fine && by.start == FROM_CHECKPOINT) fine = reload(&s, text, by);
  }
  fine = fine && go_to(&s, t + (x->slides ? WAY * DT : 0) + T_END);
  picus_law_state laws[LAWS_MOST] = {0};
  if (fine) fine = CHECK(picus_sim_laws(s.sim, laws) == PICUS_OK);
  *out = (run_result){.impacts = 0};
  for (int k = 0; k < x->laws; k++) {
    out->dissipated += laws[k].dissipated;
    out->impacts += laws[k].impacts;
  }
  if (fine) memcpy(out->u, picus_sim_state(s.sim).u, (size_t)x->n * sizeof *out->u);
  simulation_close(&s);
  return fine;
}

static void check_system(const random_system *x, law_kind kind, int number, method by, double *worst) {
  run_result r;
  if (!run_system(x, by, &r)) {
    printf("  system %d, %s%s\n", number, by.scheme, by.adaptive ? ", adaptive" : "");
    return;
  }
  double error = fabs(r.dissipated - x->lost);
  for (int i = 0; i < x->n; i++) error = fmax(error, fabs(r.u[i] - x->after[i]));
  *worst = fmax(*worst, error);
  const bool contacts = kind == FRICTIONLESS || kind == FRICTION;
  const bool right = CHECK(error < 1e-8), counted = !contacts || CHECK(r.impacts >= 1 && r.impacts <= x->laws);
  if (!right || !counted)
    printf("  system %d of %d laws, %s%s, start %d: error %.3g, %ld impacts\n", number, x->laws, by.scheme,
           by.adaptive ? ", adaptive" : "", (int)by.start, error, r.impacts);
}

static void check_kind(law_kind kind, approach by, const char *name, unsigned long long seed) {
  test_random random = {seed};
  double worst = 0;
  const int count = by == ALL ? systems() : by == SOME ? systems() / 2 : systems() / 4;
  for (int number = 0; number < count;) {
    random_system x;
    draw(&random, kind, by, &x);
    if (!is_well_posed(&x) || !find_impact(&x)) continue;
    if (by == PRESSED && (!x.presses || kinetic(&x, x.after) < 1e-6)) continue; /* not at rest: too many laws act */
    for (int k = 0; picus_scheme_at(k); k++) {
      const char *scheme = picus_scheme_at(k)->name;
      if (!supports(scheme, kind)) continue;
      const start_kind start = (start_kind)(number % STARTS);
      check_system(&x, kind, number, (method){scheme, false, start}, &worst);
      if (by != SLIDING && strcmp(scheme, "schatzman-paoli") != 0)
        check_system(&x, kind, number, (method){scheme, true, start}, &worst);
    }
    number++;
  }
  printf("  %d systems, %s: largest error %.2g\n", count, name, worst);
}

/* --- a mass, and what can set it in motion ------------------------------------------------------------------------ */

/* A mass on a table, under gravity. Its own velocity, a table that starts to move or an input that moves it lead to the
 * velocity v into the contact at t = 3 DT; afterwards it flies, or stays on the table. */
typedef enum mass_kind { BY_STATE, BY_TABLE, BY_INPUT } mass_kind;
typedef struct random_mass {
  mass_kind kind;
  double m, g, e, v;
} random_mass;

static random_mass draw_mass(test_random *random, mass_kind kind) {
  random_mass x = {kind, test_uniform(random, 0.1, 10), test_uniform(random, 0, 20), 0, test_uniform(random, 0.1, 2)};
  if (test_integer(random, 0, 3) > 0) x.e = test_uniform(random, 0.05, 1);
  if (x.e * x.v < 40 * x.g * DT) x.e = 0; /* else it comes back within the few steps */
  return x;
}

static void write_mass(const random_mass *x, char *text) {
  static const char *const tables[] = {"", "- (%.17g) * when(le(t, %.17g), 0, t - %.17g)", "- i.z"};
  char table[256];
  snprintf(table, sizeof table, tables[x->kind], x->v, 3 * DT, 3 * DT);
  snprintf(text, TEXT_SIZE,
           "%slocal q, u = coordinates {{'y', velocity = 'w', start = {0, 0}}}\n"
           "kinetic(%.17g * u.w^2)\npotential(%.17g * q.y)\ncontact {'table', gap = q.y %s, eN = %.17g}\n%s",
           x->kind == BY_INPUT ? "local i = inputs {{'z', start = 0, rate = 0}}\n" : "", 0.5 * x->m, x->m * x->g, table,
           x->e, x->kind == BY_TABLE ? "stop_time(3e-4)\n" : "");
}

/* impacts: an impact of fixed steps counts as chatter if round-off opened the resting contact a step before. */
static bool run_mass(const random_mass *x, method by, double *y, double *w, long *impacts) {
  char text[TEXT_SIZE];
  simulation s;
  write_mass(x, text);
  if (!open_model(&s, text, by)) return false;
  bool fine = go_to(&s, 3 * DT);
  const double zero = 0, down = -x->v;
  if (fine && x->kind == BY_STATE) fine = CHECK(picus_sim_set_state(s.sim, 3 * DT, &zero, &down) == PICUS_OK);
  if (fine && x->kind == BY_INPUT) fine = CHECK(picus_sim_set_input(s.sim, "z", 0, x->v) == PICUS_OK);
  if (fine && by.start == FROM_CHECKPOINT) fine = reload(&s, text, by);
  fine = fine && go_to(&s, 3 * DT + T_END);
  picus_law_state law = {0};
  if (fine) fine = CHECK(picus_sim_laws(s.sim, &law) == PICUS_OK);
  *impacts = law.impacts > 0 || by.adaptive ? law.impacts : law.chatter;
  if (fine) *y = picus_sim_state(s.sim).q[0];
  if (fine) *w = picus_sim_state(s.sim).u[0];
  simulation_close(&s);
  return fine;
}

/* Order 1 at an impact: a step of gravity and of the velocities. */
static void check_mass(const random_mass *x, int number, method by, double *worst) {
  double y = 0, w = 0;
  long impacts = 0;
  const double table = x->kind == BY_STATE ? 0 : x->v, flight = x->e > 0 ? x->g * T_END : 0;
  const double end = table + x->e * x->v - flight, way = (table + x->e * x->v) * T_END - 0.5 * flight * T_END;
  if (!run_mass(x, by, &y, &w, &impacts)) return;
  const double error = fmax(fabs(w - end), fabs(y - way) / T_END);
  const double allowed = by.adaptive ? 1e-4 : 4 * (x->g * DT + 2 * x->v / STEPS);
  *worst = fmax(*worst, fabs(w - end));
  if (CHECK(error <= allowed && fabs(w - end) <= (by.adaptive ? 1e-6 : 4 * x->g * DT + 1e-9)) && CHECK(impacts == 1))
    return;
  printf("  mass %d (%d): e = %g, v = %g, g = %g, %s%s: velocity %g for %g, height %g for %g, %ld impacts\n", number,
         (int)x->kind, x->e, x->v, x->g, by.scheme, by.adaptive ? ", adaptive" : "", w, end, y, way, impacts);
}

static void check_masses(mass_kind kind, const char *name, unsigned long long seed) {
  test_random random = {seed};
  double worst = 0;
  for (int number = 0; number < systems(); number++) {
    const random_mass x = draw_mass(&random, kind);
    for (int k = 0; picus_scheme_at(k); k++) {
      const char *scheme = picus_scheme_at(k)->name;
      const start_kind start = number % 2 ? FROM_START : FROM_CHECKPOINT;
      if (strcmp(scheme, "trapezoidal-position") == 0) continue;
      check_mass(&x, number, (method){scheme, false, start}, &worst);
      if (strcmp(scheme, "schatzman-paoli") != 0) check_mass(&x, number, (method){scheme, true, start}, &worst);
    }
  }
  printf("  %d masses, %s: largest error of velocities %.2g m/s\n", systems(), name, worst);
}

static void masses_that_are_set(void) { check_masses(BY_STATE, "set into the floor", 5); }
static void tables_that_start(void) { check_masses(BY_TABLE, "on tables that start", 6); }
static void tables_by_inputs(void) { check_masses(BY_INPUT, "on tables that an input moves", 7); }

/* --- planar bodies: a hinge whose velocity is violated, and rods that jam ------------------------------------------
 */

/* x, y, phi; the point (a, b) of the body's frame is at the origin of space: by a hinge, or on a rough floor. */
typedef struct random_body {
  bool jams;
  double m, J, a, b, phi, mu, u[3];
  double after[3];
} random_body;

static void write_body(const random_body *x, char *text) {
  const double c = cos(x->phi), s = sin(x->phi);
  const int used =
      snprintf(text, TEXT_SIZE,
               "local q, u = coordinates {{'x', velocity = 'v', start = {%.17g, %.17g}},\n"
               "{'y', velocity = 'w', start = {%.17g, %.17g}}, {'phi', velocity = 'omega', start = {%.17g, "
               "%.17g}}}\nkinetic(%.17g * (u.v^2 + u.w^2) + %.17g * u.omega^2)\n"
               "local px = q.x + (%.17g) * cos(q.phi) - (%.17g) * sin(q.phi)\n"
               "local py = q.y + (%.17g) * sin(q.phi) + (%.17g) * cos(q.phi)\n",
               -x->a * c + x->b * s, x->u[0], -x->a * s - x->b * c, x->u[1], x->phi, x->u[2], 0.5 * x->m, 0.5 * x->J,
               x->a, x->b, x->a, x->b);
  if (x->jams)
    snprintf(text + used, (size_t)(TEXT_SIZE - used),
             "potential(%.17g * q.y)\ncontact {'tip', gap = py, mu = %.17g,\n"
             "slip = u.v - (%.17g * sin(q.phi) + %.17g * cos(q.phi)) * u.omega}\n",
             9.81 * x->m, x->mu, x->a, x->b);
  else
    snprintf(text + used, (size_t)(TEXT_SIZE - used),
             "constraint {'hx', position = px}\nconstraint {'hy', position = py}\n");
}

/* The point stops: P from G P = -gamma, with its lever r. */
static void stop_point(random_body *x) {
  const double c = cos(x->phi), s = sin(x->phi), rx = x->a * c - x->b * s, ry = x->a * s + x->b * c;
  const double vx = x->u[0] - ry * x->u[2], vy = x->u[1] + rx * x->u[2];
  const double G11 = 1 / x->m + ry * ry / x->J, G22 = 1 / x->m + rx * rx / x->J, G12 = -rx * ry / x->J;
  const double det = G11 * G22 - G12 * G12, Px = (-G22 * vx + G12 * vy) / det, Py = (-G11 * vy + G12 * vx) / det;
  x->after[0] = x->u[0] + Px / x->m;
  x->after[1] = x->u[1] + Py / x->m;
  x->after[2] = x->u[2] + (rx * Py - ry * Px) / x->J;
}

static random_body draw_body(test_random *random, bool jams) {
  random_body x = {.jams = jams, .m = test_uniform(random, 0.5, 2), .phi = test_uniform(random, -3, 3)};
  x.J = x.m * test_uniform(random, 0.02, 0.2);
  x.a = pick(random);
  x.b = pick(random);
  for (int i = 0; i < 3; i++) x.u[i] = pick(random);
  while (jams) { /* a rod on its tip that slides so that friction presses it into the floor: G_NN < mu |G_NT| */
    const double l = test_uniform(random, 0.3, 1), J = x.m * l * l / 3, v = test_uniform(random, 1, 4);
    const double phi = test_uniform(random, 0.7, 1.3), mu = test_uniform(random, 1, 3);
    x = (random_body){.jams = true, .m = x.m, .J = J, .a = -l, .phi = phi, .mu = mu, .u = {-v, 0, 0}};
    if (3 * mu * sin(phi) * cos(phi) > 1.2 * (1 + 3 * cos(phi) * cos(phi))) break;
  }
  stop_point(&x);
  return x;
}

static double energy_of(const random_body *x, const double *u) {
  return 0.5 * x->m * (u[0] * u[0] + u[1] * u[1]) + 0.5 * x->J * u[2] * u[2];
}

static void check_body(const random_body *x, int number, method by, double *worst) {
  char text[TEXT_SIZE];
  simulation s;
  write_body(x, text);
  if (!open_model(&s, text, by)) return;
  picus_law_state laws[2] = {0};
  if (go_to(&s, T_END) && CHECK(picus_sim_laws(s.sim, laws) == PICUS_OK)) {
    const double *u = picus_sim_state(s.sim).u, lost = laws[0].dissipated + laws[1].dissipated;
    double error = fabs(lost - energy_of(x, x->u) + energy_of(x, x->after)), fastest = 1;
    for (int i = 0; i < 3; i++) fastest = fmax(fastest, fabs(x->u[i]) + fabs(x->after[i]));
    for (int i = 0; i < 3; i++) error = fmax(error, fabs(u[i] - x->after[i]));
    *worst = fmax(*worst, error);
    /* what gravity and the motion itself change in the few steps */
    if (!CHECK(error < T_END * (5 * 9.81 + 10 * fastest * fastest)))
      printf("  body %d, %s%s: error %g\n", number, by.scheme, by.adaptive ? ", adaptive" : "", error);
  }
  simulation_close(&s);
}

static void check_bodies(bool jams, const char *name, unsigned long long seed) {
  test_random random = {seed};
  double worst = 0;
  for (int number = 0; number < systems(); number++) {
    const random_body x = draw_body(&random, jams);
    for (int k = 0; picus_scheme_at(k); k++) {
      const char *scheme = picus_scheme_at(k)->name;
      if (!supports(scheme, jams ? FRICTION : JOINT)) continue;
      check_body(&x, number, (method){scheme, false, FROM_START}, &worst);
      if (strcmp(scheme, "schatzman-paoli") != 0) check_body(&x, number, (method){scheme, true, FROM_START}, &worst);
    }
  }
  printf("  %d bodies, %s: largest error %.2g\n", systems(), name, worst);
}

static void violated_hinges(void) { check_bodies(false, "hinges whose velocity is violated", 8); }
static void rods_that_jam(void) { check_bodies(true, "rods that jam", 9); }

static void contacts_without_friction(void) { check_kind(FRICTIONLESS, ALL, "contacts", 1); }
static void contacts_with_friction(void) { check_kind(FRICTION, ALL, "contacts with friction", 2); }
static void contacts_that_part(void) {
  check_kind(FRICTIONLESS, SOME, "contacts of which some part", 1);
  check_kind(FRICTION, SOME, "contacts with friction of which some part", 2);
  check_kind(FRICTIONLESS, PRESSED, "contacts that part and are pressed", 3);
  check_kind(FRICTION, PRESSED, "contacts with friction that part and are pressed", 4);
}
static void contacts_that_are_slid_along(void) {
  check_kind(FRICTIONLESS, SLIDING, "contacts that are slid along", 5);
  check_kind(FRICTION, SLIDING, "contacts with friction that are slid along", 6);
}
static void freewheels(void) { check_kind(CLUTCH, ALL, "freewheels", 3); }
static void violated_joints(void) { check_kind(JOINT, ALL, "violated constraints", 4); }

int main(int argc, char **argv) {
  static const test_case cases[] = {{"contacts_without_friction", contacts_without_friction},
                                    {"contacts_with_friction", contacts_with_friction},
                                    {"contacts_that_part", contacts_that_part},
                                    {"contacts_that_are_slid_along", contacts_that_are_slid_along},
                                    {"freewheels", freewheels},
                                    {"violated_joints", violated_joints},
                                    {"masses_that_are_set", masses_that_are_set},
                                    {"tables_that_start", tables_that_start},
                                    {"tables_by_inputs", tables_by_inputs},
                                    {"violated_hinges", violated_hinges},
                                    {"rods_that_jam", rods_that_jam}};
  return test_main(argc, argv, "slow_closed_impacts", cases, sizeof cases / sizeof cases[0]);
}
