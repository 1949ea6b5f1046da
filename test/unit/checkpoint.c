/* Checkpoints: a run that is saved, loaded by a new simulation and continued has the bits of the run that was never
 * stopped: states, rows, switching points, contacts, summary. For every scheme, with fixed and adaptive steps, and with
 * laws that come and go. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
  const char *model, *scheme;
  double dt, t_end, sample;
  bool adaptive;
  long every;
  const char *overrides, *solver;
} subject;

#define CASES TEST_DATA "/cases/"
static const subject fixed_steps[] = {
    {"woodpecker", "moreau", 1e-4, 0.05, 0, false, 7, "", NULL},
    {"woodpecker", "moreau-explicit", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"woodpecker", "moreau-jean", 1e-4, 0.05, 0.0037, false, 0, "", NULL},
    {"woodpecker", "rattle", 1e-4, 0.05, 0, false, 3, "", NULL},
    {"woodpecker", "half-explicit", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"bouncing-ball", "half-explicit-acc", 1e-3, 2, 0, false, 1, "", NULL},
    {"woodpecker", "half-explicit-rk", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"slider-crank", "moreau-projected", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"slider-crank", "moreau-combined", 1e-4, 0.05, 0, false, 1, "", NULL},
    {"slider-crank", "moreau-jean", 1e-4, 0.05, 0.001, false, 0, "", NULL},
    {"bouncing-ball", "schatzman-paoli", 1e-3, 2, 0, false, 1, "", NULL},
    {"bouncing-ball", "trapezoidal-position", 1e-3, 2, 0, false, 1, "", NULL},
    {"elastic-bar", "moreau-jean", 1e-6, 4e-5, 3.5e-6, false, 0, "", NULL},
    {"elastic-bar", "rattle", 1e-7, 4e-6, 0, false, 1, "", NULL},
    {"cantilever-stop", "moreau-jean", 1e-4, 0.02, 0.00075, false, 0, "", NULL},
    {CASES "box3d.lua", "moreau", 1e-3, 1, 0, false, 1, "", NULL},
    {CASES "box3d.lua", "rattle", 1e-3, 1, 0, false, 1, "", NULL},
    {"tippedisk", "moreau-jean", 1e-3, 0.5, 0, false, 1, "", NULL},
};
static const subject adaptive_steps[] = {
    {"falling-mass", "moreau", 1e-3, 0, 0, true, 1, "", NULL},
    {"woodpecker", "moreau", 1e-4, 0.1, 1e-3, true, 0, "", NULL},
    {"woodpecker", "rattle", 1e-4, 0.1, 0, true, 1, "", NULL},
    {"woodpecker", "moreau-explicit", 1e-4, 0.05, 0, true, 1, "", NULL},
    {"woodpecker", "half-explicit", 1e-4, 0.05, 0, true, 1, "", NULL},
    {"slider-crank", "moreau-jean", 1e-4, 0.02, 0, true, 1, "", NULL},
    {"bouncing-ball", "moreau", 1e-3, 2, 0.01, true, 0, "", NULL},
    {"rocking-block", "rattle", 1e-3, 0.5, 0, true, 1, "", NULL},
};
static const subject shapes[] = {
    {"dominoes", "moreau", 2e-3, 0.3, 0, false, 2, "", NULL},
    {"dominoes", "rattle", 2e-3, 0.1, 0, false, 1, "", NULL},
    {"dominoes", "moreau-jean", 2e-3, 0.1, 0, false, 1, "", NULL},
    {"disks", "moreau", 2e-3, 0.15, 0, false, 3, "", NULL},
    {"chute", "moreau", 2e-3, 0.2, 0, false, 5, "", NULL},
    {"tower", "moreau", 2e-3, 0.1, 0, false, 3, "", "newton"},
    {CASES "domino.lua", "moreau", 1e-3, 0.1, 0, true, 1, "", NULL},
    {"newtons-cradle", "moreau", 1e-3, 0.1, 0, true, 1, "", NULL},
};
#define COUNT(list) ((int)(sizeof list / sizeof list[0]))

/* --- everything that a run tells ---------------------------------------------------------------------------------- */

typedef struct bytes {
  unsigned char *at;
  size_t count, capacity;
} bytes;

static void add(bytes *b, const void *from, size_t size) {
  if (b->count + size > b->capacity) {
    b->capacity = 2 * (b->count + size);
    b->at = realloc(b->at, b->capacity);
  }
  if (size > 0) memcpy(b->at + b->count, from, size);
  b->count += size;
}

typedef struct story {
  bytes rows, switchings, laws, contacts;
} story;

static void story_free(story *s) {
  free(s->rows.at);
  free(s->switchings.at);
  free(s->laws.at);
  free(s->contacts.at);
  *s = (story){0};
}

static bool same_bytes(const bytes *a, const bytes *b) {
  return a->count == b->count && (a->count == 0 || memcmp(a->at, b->at, a->count) == 0);
}

static picus_status write_rows(void *self, long count, int columns, const double *rows) {
  add(&((story *)self)->rows, rows, (size_t)count * (size_t)columns * sizeof *rows);
  return PICUS_OK;
}

static picus_status write_switchings(void *self, long count, const picus_switching *list) {
  for (long k = 0; k < count; k++) {
    const picus_switching *s = &list[k];
    const double numbers[] = {s->t,
                              s->dt,
                              s->law,
                              s->from,
                              s->to,
                              s->PN,
                              s->lost,
                              s->lost_before,
                              s->impact,
                              s->bounces,
                              isnan(s->limit) ? -1 : s->limit,
                              s->source};
    add(&((story *)self)->switchings, numbers, sizeof numbers);
    add(&((story *)self)->switchings, s->PF, sizeof s->PF);
    add(&((story *)self)->switchings, s->from_slip, sizeof s->from_slip);
    add(&((story *)self)->switchings, s->to_slip, sizeof s->to_slip);
    add(&((story *)self)->switchings, &s->key, sizeof s->key);
  }
  return PICUS_OK;
}

static picus_status write_law(void *self, const picus_switching *first) {
  add(&((story *)self)->laws, first->name, strlen(first->name) + 1);
  add(&((story *)self)->laws, &first->law, sizeof first->law);
  return PICUS_OK;
}

static picus_status write_contacts(void *self, const picus_contact_sample *sample) {
  bytes *b = &((story *)self)->contacts;
  add(b, &sample->row, sizeof sample->row);
  for (int k = 0; k < sample->count; k++) {
    const picus_contact_point *c = &sample->contacts[k];
    add(b, &c->key, sizeof c->key);
    add(b, c->point, sizeof c->point);
    add(b, c->PF, sizeof c->PF);
    add(b, &c->PN, sizeof c->PN);
    add(b, &c->gap, sizeof c->gap);
  }
  return PICUS_OK;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

static bool open_subject(const subject *c, simulation *s) {
  picus_sim_options options;
  if (!simulation_load(s, c->model, c->overrides, &options)) return false;
  options.scheme = c->scheme;
  options.dt = c->dt;
  options.adaptive = c->adaptive;
  options.dt_min = c->adaptive ? c->dt / 10 : 0;
  options.dt_max = 0;
  options.every = c->every;
  options.sample = c->sample;
  if (c->t_end > 0) options.t_end = c->t_end;
  if (c->solver) options.solver.solver = c->solver;
  return simulation_start(s, &options);
}

typedef struct stopper {
  long stop, steps; /* after which the run is saved and stopped; 0: never */
  bytes saved;
} stopper;

static int save_and_stop(void *user, picus_sim *sim, const picus_step_info *info) {
  stopper *s = user;
  size_t size;
  if (!info || ++s->steps != s->stop) return 0;
  CHECK(picus_sim_save(sim, NULL, 0, &size) == PICUS_OK);
  s->saved.at = malloc(size);
  s->saved.count = size;
  CHECK(picus_sim_save(sim, s->saved.at, size, &size) == PICUS_OK && size == s->saved.count);
  return 1;
}

static picus_status tell(simulation *s, story *told, const picus_run_hooks *hooks, picus_summary *summary) {
  picus_run_description description = {s->model, s->system, picus_sim_options_of(s->sim), ""};
  picus_recorder *recorder = NULL;
  picus_sink sink = {.self = told,
                     .write = write_rows,
                     .write_switchings = write_switchings,
                     .write_law = write_law,
                     .write_contacts = write_contacts};
  picus_status status = picus_recorder_create(s->context, &description, &recorder);
  if (!status) status = picus_recorder_add_sink(recorder, sink);
  if (!status) status = picus_sim_run(s->sim, recorder, hooks, summary);
  picus_recorder_destroy(recorder);
  return status;
}

/* A number of the summary after the other; wall-clock time is not among them. */
static void add_summary(bytes *b, const picus_summary *s) {
  const double numbers[] = {(double)s->status,
                            (double)s->steps,
                            s->t_start,
                            s->t_end,
                            (double)s->contact_steps,
                            (double)s->solver_iterations,
                            (double)s->solver_iterations_max,
                            (double)s->fallbacks,
                            (double)s->accepted,
                            (double)s->shortened,
                            s->worst_residual,
                            s->worst_residual_t,
                            (double)s->impacts,
                            (double)s->chatter,
                            s->worst_penetration,
                            s->worst_penetration_t,
                            s->worst_penetration_law,
                            s->worst_constraint,
                            s->worst_constraint_t,
                            s->worst_constraint_law,
                            s->energy_start,
                            s->energy_end,
                            s->dissipated,
                            s->dissipated_by_impulses,
                            s->driven,
                            s->work,
                            (double)s->rows,
                            (double)s->indeterminate.steps,
                            s->indeterminate.t,
                            (double)s->inconsistent.steps,
                            s->inconsistent.t,
                            (double)s->newton_iterations,
                            (double)s->newton_iterations_max,
                            (double)s->projection_iterations,
                            (double)s->set_iterations,
                            s->worst_projection,
                            (double)s->repeated,
                            (double)s->repetitions_max,
                            (double)s->overlaps.steps,
                            s->overlaps.depth,
                            (double)s->base_steps,
                            (double)s->rejected,
                            (double)s->switching_points,
                            (double)s->order_largest,
                            s->dt_least,
                            s->dt_largest,
                            (double)s->missed,
                            s->worst_miss,
                            (double)s->passed.count,
                            s->passed.t,
                            s->passed.travel,
                            (double)s->unexplained.steps,
                            s->unexplained.depth,
                            s->unexplained.explained};
  add(b, numbers, sizeof numbers);
  add(b, s->worst_penetration_name, strlen(s->worst_penetration_name));
}

static void add_state(bytes *b, const simulation *s) {
  const picus_state state = picus_sim_state(s->sim);
  add(b, &state.t, sizeof state.t);
  add(b, state.q, (size_t)state.nq * sizeof *state.q);
  add(b, state.u, (size_t)state.nu * sizeof *state.u);
}

typedef struct outcome {
  story story;
  bytes summary, state;
  long steps;
} outcome;

static void outcome_free(outcome *o) {
  story_free(&o->story);
  free(o->summary.at);
  free(o->state.at);
}

static bool run_unbroken(const subject *c, outcome *out) {
  simulation s;
  picus_summary summary;
  *out = (outcome){0};
  if (!open_subject(c, &s)) return false;
  const picus_status status = tell(&s, &out->story, NULL, &summary);
  if (status) printf("  %s %s: %s\n", c->model, c->scheme, picus_last_error(s.context)->message);
  add_summary(&out->summary, &summary);
  add_state(&out->state, &s);
  out->steps = summary.steps;
  simulation_close(&s);
  return status == PICUS_OK;
}

/* Stopped after so many steps, loaded and continued, as often as the list says. */
static bool run_broken(const subject *c, int stops, const long *stop, outcome *out) {
  bytes saved = {0};
  bool is_fine = true;
  *out = (outcome){0};
  for (int part = 0; is_fine && part <= stops; part++) {
    simulation s;
    picus_summary summary;
    stopper one = {.stop = part < stops ? stop[part] - (part > 0 ? stop[part - 1] : 0) : 0};
    const picus_run_hooks hooks = {.user = &one, .step = save_and_stop};
    if (!open_subject(c, &s)) return false;
    picus_status status = part > 0 ? picus_sim_load(s.sim, saved.at, saved.count, PICUS_LOAD_SAME_MODEL) : PICUS_OK;
    if (!status) status = tell(&s, &out->story, part < stops ? &hooks : NULL, &summary);
    is_fine = status == (part < stops ? PICUS_INTERRUPTED : PICUS_OK);
    if (!is_fine) printf("  %s %s, part %d: %s\n", c->model, c->scheme, part, picus_last_error(s.context)->message);
    free(saved.at);
    saved = one.saved;
    if (is_fine && part == stops) {
      add_summary(&out->summary, &summary);
      add_state(&out->state, &s);
    }
    simulation_close(&s);
  }
  free(saved.at);
  return is_fine;
}

static void say_which(const subject *c, long stop, const outcome *a, const outcome *b) {
  printf("  %s %s%s, stopped after %ld of %ld steps: rows %s, switching points %s, laws %s, contacts %s, summary %s, "
         "state %s\n",
         c->model, c->scheme, c->adaptive ? " adaptive" : "", stop, a->steps,
         same_bytes(&a->story.rows, &b->story.rows) ? "agree" : "DIFFER",
         same_bytes(&a->story.switchings, &b->story.switchings) ? "agree" : "DIFFER",
         same_bytes(&a->story.laws, &b->story.laws) ? "agree" : "DIFFER",
         same_bytes(&a->story.contacts, &b->story.contacts) ? "agree" : "DIFFER",
         same_bytes(&a->summary, &b->summary) ? "agree" : "DIFFER",
         same_bytes(&a->state, &b->state) ? "agree" : "DIFFER");
  const double *x = (const double *)a->summary.at, *y = (const double *)b->summary.at;
  for (int k = 0; k < 54 && b->summary.count >= 54 * sizeof *x; k++)
    if (memcmp(&x[k], &y[k], sizeof *x) != 0) printf("    number %d of the summary: %.17g, %.17g\n", k, x[k], y[k]);
}

static bool agree(const outcome *a, const outcome *b) {
  return same_bytes(&a->story.rows, &b->story.rows) && same_bytes(&a->story.switchings, &b->story.switchings) &&
         same_bytes(&a->story.laws, &b->story.laws) && same_bytes(&a->story.contacts, &b->story.contacts) &&
         same_bytes(&a->summary, &b->summary) && same_bytes(&a->state, &b->state);
}

static void check_subject(const subject *c, test_random *random) {
  outcome whole, broken;
  REQUIRE(run_unbroken(c, &whole));
  CHECK(whole.steps > 10);
  const long places[][3] = {{1, 0, 0},
                            {whole.steps / 2, 0, 0},
                            {test_integer(random, 2, (int)whole.steps - 1), 0, 0},
                            {whole.steps / 5, whole.steps / 2, whole.steps - 1}};
  for (int k = 0; k < COUNT(places); k++) {
    const int stops = k == COUNT(places) - 1 ? 3 : 1;
    if (CHECK(run_broken(c, stops, places[k], &broken)) &&
        !test_check(agree(&whole, &broken), __FILE__, __LINE__, "the same bits"))
      say_which(c, places[k][0], &whole, &broken);
    outcome_free(&broken);
  }
  outcome_free(&whole);
}

static void check_all(const subject *list, int count) {
  test_random random = {20};
  for (int k = 0; k < count; k++) check_subject(&list[k], &random);
}

static void runs_with_fixed_steps_go_on(void) { check_all(fixed_steps, COUNT(fixed_steps)); }
static void adaptive_runs_go_on(void) { check_all(adaptive_steps, COUNT(adaptive_steps)); }
static void runs_with_contacts_that_come_and_go_go_on(void) { check_all(shapes, COUNT(shapes)); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"runs_with_fixed_steps_go_on", runs_with_fixed_steps_go_on},
      {"adaptive_runs_go_on", adaptive_runs_go_on},
      {"runs_with_contacts_that_come_and_go_go_on", runs_with_contacts_that_come_and_go_go_on},
  };
  return test_main(argc, argv, "checkpoint", cases, COUNT(cases));
}
