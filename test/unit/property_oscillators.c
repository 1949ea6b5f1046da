/* Random piecewise-linear oscillators with stops and friction elements against their event-driven solution. */
#include "support/check.h"
#include "support/oscillator.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double T = 4;
enum { SAMPLES = 8, CASES = 150, SIZES = 3 };

/* --- the oscillator as a system of Picus ---------------------------------------------------------------------------- */

static int mass(void *user, double t, const double *q, double *M) {
  (void)t;
  (void)q;
  const oscillator *o = user;
  for (int i = 0; i < o->n; i++) M[i * o->n + i] = o->m[i];
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h) {
  const oscillator *o = user;
  for (int i = 0; i < o->n; i++) {
    h[i] = o->force[i] + o->amplitude[i] * sin(o->omega * t);
    for (int j = 0; j < o->n; j++) h[i] -= o->K[i][j] * q[j] + o->C[i][j] * u[j];
  }
  return 0;
}

static int gaps(void *user, double t, const double *q, double *gap) {
  (void)t;
  const oscillator *o = user;
  for (int k = 0; k < o->stop_count; k++) {
    gap[k] = o->stop[k].distance;
    for (int i = 0; i < o->n; i++) gap[k] += o->stop[k].w[i] * q[i];
  }
  return 0;
}

static int directions(void *user, double t, const double *q, double *W, double *chi) {
  (void)t;
  (void)q;
  (void)chi;
  const oscillator *o = user;
  for (int k = 0; k < o->stop_count + o->friction_count; k++)
    for (int i = 0; i < o->n; i++)
      W[k * o->n + i] = k < o->stop_count ? o->stop[k].w[i] : o->friction[k - o->stop_count].w[i];
  return 0;
}

static picus_status make_system(picus_context *context, oscillator *o, picus_system **out) {
  static const char *const names[] = {"stop1", "stop2", "stop3", "friction1", "friction2"};
  picus_system_law laws[STOPS_MOST + FRICTIONS_MOST] = {{0}};
  for (int k = 0; k < o->stop_count; k++)
    laws[k] = (picus_system_law){names[k], PICUS_UNILATERAL, .has_gap = true, .eN = o->stop[k].e};
  for (int k = 0; k < o->friction_count; k++)
    laws[o->stop_count + k] = (picus_system_law){
        names[STOPS_MOST + k], PICUS_RESERVOIR, .slips = 1, .reservoir = o->friction[k].reservoir};
  picus_system_functions f = {.nq = o->n,
                              .nu = o->n,
                              .q_start = o->x0,
                              .u_start = o->v0,
                              .law_count = o->stop_count + o->friction_count,
                              .laws = laws,
                              .mass_is_constant = true,
                              .directions_are_constant = true,
                              .mass = mass,
                              .force = force,
                              .gaps = gaps,
                              .directions = directions};
  return picus_system_from_functions(context, &f, o, out);
}

/* --- runs ----------------------------------------------------------------------------------------------------------- */

/* How to integrate: a scheme with its accuracy. */
typedef struct method {
  const char *name;
  double dt;
} method;

static picus_sim_options options_of(const method *m) {
  picus_sim_options options = picus_default_sim_options();
  options.scheme = m->name;
  options.dt = m->dt;
  options.t_end = T;
  options.sample = T / SAMPLES;
  return options;
}

/* Time and state at the samples, and the switching points. */
typedef struct picus_solution {
  int row;
  double x[SAMPLES + 1][MASSES_MOST], v[SAMPLES + 1][MASSES_MOST];
  int n;
  recorded_switchings switchings;
} picus_solution;

static picus_status keep_rows(void *self, long row_count, int column_count, const double *rows) {
  picus_solution *s = self;
  for (long k = 0; k < row_count && s->row <= SAMPLES; k++, s->row++) {
    const double *row = rows + k * column_count;
    memcpy(s->x[s->row], row + 1, (size_t)s->n * sizeof *row);
    memcpy(s->v[s->row], row + 1 + s->n, (size_t)s->n * sizeof *row);
  }
  return PICUS_OK;
}

static bool integrate(oscillator *o, const method *m, picus_solution *solution) {
  *solution = (picus_solution){.n = o->n};
  picus_context *context = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_sim_options options = options_of(m);
  picus_status status = picus_context_create(NULL, &context);
  if (status == PICUS_OK) status = make_system(context, o, &system);
  if (status == PICUS_OK) status = picus_sim_create(context, system, &options, &sim);
  picus_run_description run = {.system = system, .options = &options, .command = ""};
  if (status == PICUS_OK) status = picus_recorder_create(context, &run, &recorder);
  if (status == PICUS_OK)
    status = picus_recorder_add_sink(recorder, (picus_sink){.self = solution, .write = keep_rows});
  if (status == PICUS_OK) status = picus_recorder_add_sink(recorder, recorded_switchings_sink(&solution->switchings));
  if (status == PICUS_OK) status = picus_sim_run(sim, recorder, NULL, NULL);
  if (status != PICUS_OK) printf("  %s\n", picus_last_error(context)->message);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_context_destroy(context);
  return CHECK(status == PICUS_OK && solution->row == SAMPLES + 1);
}

/* --- errors --------------------------------------------------------------------------------------------------------- */

static double position_error(const oscillator *o, const oscillator_solution *exact, const picus_solution *found) {
  double worst = 0;
  for (int k = 0; k < SAMPLES; k++)
    for (int i = 0; i < o->n; i++) worst = fmax(worst, fabs(found->x[k + 1][i] - exact->x[k][i]));
  return worst;
}

static bool is_near_event(const oscillator_solution *exact, double t, double distance) {
  for (int k = 0; k < exact->event_count; k++)
    if (fabs(exact->events[k].t - t) < distance) return true;
  return false;
}

/* At the samples that no event is near, since velocities jump at impacts. */
static double velocity_error(const oscillator *o, const oscillator_solution *exact, const picus_solution *found,
                             double distance) {
  double worst = 0;
  for (int k = 0; k < SAMPLES; k++)
    for (int i = 0; i < o->n && !is_near_event(exact, exact->t[k], distance); i++)
      worst = fmax(worst, fabs(found->v[k + 1][i] - exact->v[k][i]));
  return worst;
}

static void explore(void) {
  test_random random = {20081103};
  int outcomes[3] = {0}, used = 0;
  static oscillator_solution exact;
  long events = 0, impacts = 0;
  for (int c = 0; c < CASES; c++) {
    oscillator o = oscillator_random(&random);
    oscillator_outcome outcome = oscillator_solve(&o, T, SAMPLES, &exact);
    outcomes[outcome]++;
    if (outcome == OSCILLATOR_STUCK) printf("  %d stuck after %d events\n", c, exact.event_count);
    if (outcome != OSCILLATOR_SOLVED) continue;
    events += exact.event_count;
    impacts += exact.impacts;
    const double dt[SIZES] = {1e-3, 2e-4, 4e-5};
    double x[SIZES], v[SIZES];
    for (int k = 0; k < SIZES; k++) {
      picus_solution found;
      method m = {"moreau", dt[k]};
      if (!integrate(&o, &m, &found)) return;
      x[k] = position_error(&o, &exact, &found);
      v[k] = velocity_error(&o, &exact, &found, 0.01);
      recorded_switchings_free(&found.switchings);
    }
    used++;
    printf("%3d n %d stops %d fr %d events %4d impacts %4d slow %.1e miss %.1e | x %.1e %.1e %.1e  v %.1e %.1e %.1e\n", c,
           o.n, o.stop_count, o.friction_count, exact.event_count, exact.impacts, exact.least_impact,
           exact.nearest_miss, x[0], x[1], x[2], v[0], v[1], v[2]);
  }
  printf("solved %d redundant %d stuck %d, events %ld impacts %ld\n", outcomes[0], outcomes[1], outcomes[2], events,
         impacts);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"explore", explore}};
  return test_main(argc, argv, "property_oscillators", cases, sizeof cases / sizeof cases[0]);
}
