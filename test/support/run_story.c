#include "support/run_story.h"

#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS, SWITCHINGS, LAWS, CONTACTS, NODES };
static const char *const list_names[STORY_LISTS] = {"rows", "switching points", "laws", "contacts", "nodes"};

static void add(story_bytes *b, const void *from, size_t size) {
  if (b->count + size > b->capacity) {
    b->capacity = 2 * (b->count + size);
    b->at = realloc(b->at, b->capacity);
  }
  if (size > 0) memcpy(b->at + b->count, from, size);
  b->count += size;
}

bool run_story_same_bytes(const story_bytes *a, const story_bytes *b) {
  return a->count == b->count && (a->count == 0 || memcmp(a->at, b->at, a->count) == 0);
}

/* --- sink --------------------------------------------------------------------------------------------------------- */

/* What the sink of one run needs. */
typedef struct teller {
  run_story *story;
  const picus_system *system;
} teller;

static picus_status write_rows(void *self, long count, int columns, const double *rows) {
  const teller *t = self;
  add(&t->story->lists[ROWS], rows, (size_t)count * (size_t)columns * sizeof *rows);
  return PICUS_OK;
}

static picus_status write_switchings(void *self, long count, const picus_switching *list) {
  story_bytes *b = &((teller *)self)->story->lists[SWITCHINGS];
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
    add(b, numbers, sizeof numbers);
    add(b, s->PF, sizeof s->PF);
    add(b, s->from_slip, sizeof s->from_slip);
    add(b, s->to_slip, sizeof s->to_slip);
    add(b, &s->key, sizeof s->key);
  }
  return PICUS_OK;
}

static picus_status write_law(void *self, const picus_switching *first) {
  story_bytes *b = &((teller *)self)->story->lists[LAWS];
  add(b, first->name, strlen(first->name) + 1);
  add(b, &first->law, sizeof first->law);
  return PICUS_OK;
}

static picus_status write_contacts(void *self, const picus_contact_sample *sample) {
  story_bytes *b = &((teller *)self)->story->lists[CONTACTS];
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

static picus_status write_nodes(void *self, const picus_node_sample *sample) {
  const teller *t = self;
  story_bytes *b = &t->story->lists[NODES];
  const picus_node_table table = picus_system_node_table(t->system, sample->table);
  const size_t size = (size_t)table.node_count * (size_t)table.component_count * sizeof(double);
  add(b, &sample->row, sizeof sample->row);
  add(b, &sample->table, sizeof sample->table);
  if (sample->displacements) add(b, sample->displacements, size);
  if (sample->velocities) add(b, sample->velocities, size);
  return PICUS_OK;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

/* A number of the summary after the other. */
static void add_summary(story_bytes *b, const picus_summary *s) {
  const double numbers[] = {(double)s->status,
                            (double)s->steps,
                            s->t_start,
                            s->t_end,
                            (double)s->contact_steps,
                            (double)s->solver.iterations,
                            (double)s->solver.iterations_max,
                            (double)s->solver.fallbacks,
                            (double)s->solver.accepted,
                            (double)s->shortened,
                            s->solver.worst_residual,
                            s->solver.worst_residual_t,
                            (double)s->impacts,
                            (double)s->chatter,
                            s->gaps.penetration,
                            s->gaps.penetration_t,
                            s->gaps.penetration_law,
                            s->gaps.constraint,
                            s->gaps.constraint_t,
                            s->gaps.constraint_law,
                            s->energy.start,
                            s->energy.end,
                            s->energy.dissipated,
                            s->energy.dissipated_by_impulses,
                            s->energy.driven,
                            s->energy.work,
                            (double)s->rows,
                            (double)s->indeterminate.steps,
                            s->indeterminate.t,
                            (double)s->inconsistent.steps,
                            s->inconsistent.t,
                            (double)s->implicit.newton_iterations,
                            (double)s->implicit.newton_iterations_max,
                            (double)s->implicit.projection_iterations,
                            (double)s->implicit.set_iterations,
                            s->implicit.worst_projection,
                            (double)s->shapes.repeated,
                            (double)s->shapes.repetitions_max,
                            (double)s->shapes.overlaps.steps,
                            s->shapes.overlaps.depth,
                            (double)s->adaptive.base_steps,
                            (double)s->adaptive.rejected,
                            (double)s->adaptive.switching_points,
                            (double)s->adaptive.order_largest,
                            s->adaptive.dt_least,
                            s->adaptive.dt_largest,
                            (double)s->adaptive.missed,
                            (double)s->adaptive.rounded,
                            s->adaptive.worst_miss,
                            (double)s->gaps.passed.count,
                            s->gaps.passed.t,
                            s->gaps.passed.travel,
                            (double)s->gaps.unexplained.steps,
                            s->gaps.unexplained.depth,
                            s->gaps.unexplained.explained,
                            s->gaps.unexplained.t,
                            s->shapes.overlaps.t,
                            (double)s->implicit.projection_iterations_max,
                            (double)s->implicit.set_iterations_max,
                            s->adaptive.worst_miss_t,
                            (double)s->events_cut,
                            s->events_until};
  add(b, numbers, sizeof numbers);
  add(b, s->gaps.penetration_name, strlen(s->gaps.penetration_name));
}

static void add_state(story_bytes *b, const simulation *s) {
  const picus_state state = picus_sim_state(s->sim);
  add(b, &state.t, sizeof state.t);
  add(b, state.q, (size_t)state.nq * sizeof *state.q);
  add(b, state.u, (size_t)state.nu * sizeof *state.u);
}

picus_status run_story_tell(simulation *s, const picus_run_hooks *hooks, run_story *story) {
  picus_run_description description = {s->model, s->system, picus_sim_options_of(s->sim), ""};
  picus_recorder *recorder = NULL;
  picus_summary summary = {0};
  teller told = {story, s->system};
  picus_sink sink = {.self = &told,
                     .write = write_rows,
                     .write_switchings = write_switchings,
                     .write_law = write_law,
                     .write_contacts = write_contacts,
                     .write_nodes = write_nodes};
  picus_status status = picus_recorder_create(s->context, &description, &recorder);
  if (!status) status = picus_recorder_add_sink(recorder, sink);
  if (!status) status = picus_sim_run(s->sim, recorder, hooks, &summary);
  picus_recorder_destroy(recorder);
  story->summary.count = story->state.count = 0;
  add_summary(&story->summary, &summary);
  add_state(&story->state, s);
  story->status = status;
  story->steps = summary.steps;
  snprintf(story->message, sizeof story->message, "%s", status ? picus_last_error(s->context)->message : "");
  return status;
}

static void say(char why[STORY_WHY], const char *what) {
  const size_t used = strlen(why);
  snprintf(why + used, STORY_WHY - used, "%s%s", used ? ", " : "", what);
}

static void compare_summaries(const run_story *a, const run_story *b, char why[STORY_WHY]) {
  char text[100];
  double x, y;
  for (size_t k = 0; (k + 1) * sizeof x <= a->summary.count && (k + 1) * sizeof x <= b->summary.count; k++) {
    memcpy(&x, a->summary.at + k * sizeof x, sizeof x);
    memcpy(&y, b->summary.at + k * sizeof y, sizeof y);
    snprintf(text, sizeof text, "number %d of the summary (%.17g, %.17g)", (int)k, x, y);
    if (memcmp(&x, &y, sizeof x) != 0) say(why, text);
  }
}

bool run_story_same(const run_story *a, const run_story *b, char why[STORY_WHY]) {
  why[0] = 0;
  for (int k = 0; k < STORY_LISTS; k++)
    if (!run_story_same_bytes(&a->lists[k], &b->lists[k])) say(why, list_names[k]);
  if (!run_story_same_bytes(&a->state, &b->state)) say(why, "state");
  if (a->status != b->status) say(why, "status");
  if (strcmp(a->message, b->message) != 0) say(why, "message");
  if (!run_story_same_bytes(&a->summary, &b->summary)) {
    say(why, "summary");
    compare_summaries(a, b, why);
  }
  return why[0] == 0;
}

void run_story_free(run_story *story) {
  for (int k = 0; k < STORY_LISTS; k++) free(story->lists[k].at);
  free(story->summary.at);
  free(story->state.at);
  *story = (run_story){0};
}

/* --- places in a story -------------------------------------------------------------------------------------------- */

story_mark run_story_mark(const run_story *story) {
  story_mark mark;
  for (int k = 0; k < STORY_LISTS; k++) mark.counts[k] = story->lists[k].count;
  return mark;
}

void run_story_rewind(run_story *story, story_mark mark) {
  for (int k = 0; k < STORY_LISTS; k++) story->lists[k].count = mark.counts[k];
}

story_bytes run_story_save(picus_sim *sim) {
  story_bytes saved = {0};
  size_t size = 0;
  CHECK(picus_sim_save(sim, NULL, 0, &size) == PICUS_OK);
  saved.at = malloc(size + 1);
  saved.count = size;
  CHECK(picus_sim_save(sim, saved.at, size, &size) == PICUS_OK && size == saved.count);
  return saved;
}
