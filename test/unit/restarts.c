/* Runs that are stopped after any step and go on: every scheme, with fixed and adaptive steps, on every kind of model.
 * Steps are random, from a fixed seed. All that such a run tells has the bits of the run that was never stopped. Runs
 * that fail, fail in the same way.
 *
 * Each combination is tried in one of several ways, and in make test-long in all of them. */
#include "support/check.h"
#include "support/run_story.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) ((int)(sizeof list / sizeof list[0]))

/* --- models ------------------------------------------------------------------------------------------------------- */

/* Stacks apart from each other, which sleep until a disk hits one of them. */
static const char stacks[] =
    "gravity {0, -10}\n"
    "material {'default', mu = 0.4}\n"
    "for i = 1, 3 do\n"
    "  rectangle {'base' .. i, suffix = 'a' .. i, size = {0.2, 0.1}, mass = 1, position = {i, 0.05}}\n"
    "  rectangle {'top' .. i, suffix = 'b' .. i, size = {0.1, 0.1}, mass = 2, position = {i, 0.15}}\n"
    "end\n"
    "half_space {'floor', normal = {0, 1}}\n"
    "disk {'ball', suffix = 'c', radius = 0.03, mass = 1, position = {0.6, 0.0301}, velocity = {4, 0}}\n"
    "simulate {scheme = 'moreau', dt = 2e-3, t_end = 0.2}\n";

/* Random sizes and places. */
static const char grains[] =
    "gravity {0, -9.81}\n"
    "material {'default', mu = 0.3, eN = 0.3}\n"
    "math.randomseed(5)\n"
    "for i = 1, 6 do\n"
    "  disk {'d' .. i, radius = 0.03 + 0.01 * math.random(), density = 1, velocity = {0, -1},\n"
    "        position = {0.1 * (i % 3) + 0.01 * math.random(), 0.05 + 0.1 * (i // 3)}}\n"
    "end\n"
    "half_space {'floor', normal = {0, 1}}\n"
    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.06}\n";

/* A force and a moving floor, both set by the program, and stop times. */
static const char driven[] = "local i = inputs { { 'F', unit = 'N' }, { 'z', rate = 0, unit = 'm' } }\n"
                             "local q, u = coordinates { { 'x', velocity = 'v', start = { 0.1, 0 }, unit = 'm' } }\n"
                             "kinetic(0.5 * u.v^2)\n"
                             "potential(9.81 * q.x)\n"
                             "force { x = i.F + when(lt(t, 0.15), 0, sin(40 * t)) }\n"
                             "contact { 'floor', gap = q.x - i.z, eN = 0.5 }\n"
                             "stop_time(0.1234)\n"
                             "simulate {scheme = 'moreau', dt = 1.0 / 256, t_end = 0.4}\n";

/* Restitution leads into an accumulation of impacts at 0.45 s, then rest; friction decelerates. */
static const char chattering[] =
    "local q, u = coordinates { {'x', velocity = 'vx', start = {0, 1}}, {'y', velocity = 'vy', start = {0.05, 0}} }\n"
    "kinetic(0.5 * (u.vx^2 + u.vy^2))\n"
    "potential(9.81 * q.y)\n"
    "contact {'floor', gap = q.y, slip = u.vx, mu = 0.2, eN = 0.6}\n"
    "simulate {scheme = 'moreau', dt = 2e-3, t_end = 0.6}\n";

/* A joint of bodies, one of them in contact. */
static const char joints[] =
    "gravity {0, -9.81}\n"
    "local a = rectangle {'a', size = {0.4, 0.05}, mass = 1, position = {0.2, 0.3}}\n"
    "local b = rectangle {'b', size = {0.4, 0.05}, mass = 0.5, position = {0.6, 0.3}, omega = 2}\n"
    "revolute {'r', a, b, at = {0.4, 0.3}}\n"
    "revolute {'s', ground, a, at = {0, 0.3}}\n"
    "half_space {'floor', normal = {0, 1}}\n"
    "simulate {scheme = 'moreau', dt = 1e-3, t_end = 0.25}\n";

typedef struct kind {
  const char *name;
  const char *text, *shipped; /* one of both */
  const char *overrides;
  double dt, t_end, sample; /* 0: those of the model */
  bool sleeps, has_inputs, has_stops;
  int threads;
} kind;

static const kind kinds[] = {
    {.name = "contacts", .shipped = "woodpecker", .dt = 2e-4, .t_end = 0.03},
    {.name = "constraints", .shipped = "slider-crank", .dt = 1e-4, .t_end = 0.01, .has_stops = true},
    {.name = "joints and shapes", .text = joints, .sample = 3.7e-3},
    {.name = "islands that sleep", .text = stacks, .sleeps = true, .threads = 2},
    {.name = "random grains", .text = grains},
    {.name = "inputs", .text = driven, .has_inputs = true, .has_stops = true},
    {.name = "chattering", .text = chattering},
    {.name = "shaken table",
     .shipped = TEST_DATA "/cases/shaken-table.lua",
     .dt = 1e-3,
     .t_end = 0.3,
     .sample = 0.0077},
    {.name = "beam", .shipped = "cantilever-stop", .dt = 1e-4, .t_end = 0.0015},
    {.name = "bar", .shipped = "elastic-bar", .overrides = "N=20", .dt = 1e-6, .t_end = 4e-5, .sample = 3.5e-6},
    {.name = "box in space", .shipped = TEST_DATA "/cases/box3d.lua", .dt = 2e-3, .t_end = 0.3},
    {.name = "rolling", .shipped = "rolling-box", .overrides = "n=2", .dt = 1e-3, .t_end = 0.03},
    {.name = "friction of joints", .shipped = "slider-roller", .dt = 1e-4, .t_end = 0.01},
};
enum { KINDS = COUNT(kinds), SCHEMES_MOST = 32 };

typedef struct combination {
  const kind *kind;
  const char *scheme;
  bool adaptive;
} combination;

/* false: these do not go together, and the simulation says so. */
static bool open_combination(const combination *c, simulation *s) {
  picus_sim_options options;
  const kind *k = c->kind;
  if (!(k->text ? simulation_load_text(s, k->text, &options)
                : simulation_load(s, k->shipped, k->overrides ? k->overrides : "", &options)))
    return false;
  options.scheme = c->scheme;
  options.adaptive = c->adaptive;
  if (k->dt > 0) options.dt = k->dt;
  options.dt_min = c->adaptive ? options.dt / 10 : 0;
  options.dt_max = 0;
  if (c->adaptive) options.atol = options.rtol = 1e-4;
  options.accept_inaccurate = c->adaptive;
  if (k->t_end > 0) options.t_end = k->t_end;
  options.sample = k->sample;
  options.every = k->sample > 0 ? 0 : 1;
  options.sleep = k->sleeps && !c->adaptive && strncmp(c->scheme, "moreau", 6) == 0 &&
                  (c->scheme[6] == 0 || strcmp(c->scheme, "moreau-explicit") == 0);
  if (k->threads > 0) CHECK(picus_context_set_threads(s->context, k->threads) == PICUS_OK);
  if (!picus_sim_create(s->context, s->system, &options, &s->sim)) return true;
  CHECK(picus_last_error(s->context)->message[0] != 0);
  simulation_close(s);
  return false;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

typedef struct stopper {
  const kind *kind;
  const run_story *story;
  long save_at, stop_at, steps; /* after so many steps; 0: never */
  bool stops_at_end;            /* of saving */
  story_bytes saved;
  story_mark mark; /* of the story then */
} stopper;

/* Inputs follow the time; a run that goes on has those that were set before it was saved. */
static int control(void *user, picus_sim *sim, const picus_step_info *info) {
  stopper *s = user;
  const double t = picus_sim_state(sim).t;
  if (s->kind->has_inputs && (!info || s->steps % 3 == 0)) {
    CHECK(picus_sim_set_input(sim, "F", 3 * cos(50 * t), 0) == PICUS_OK);
    CHECK(picus_sim_set_input(sim, "z", picus_sim_input(sim, 1).value, 0.05 * sin(30 * t)) == PICUS_OK);
  }
  if (!info || ++s->steps != s->save_at) return 0;
  s->saved = run_story_save(sim);
  s->mark = run_story_mark(s->story);
  return s->stops_at_end ? 1 : 0;
}

static picus_status tell(const combination *c, simulation *s, stopper *stop, run_story *story) {
  static const double stops[] = {0.0021, 0.00717, 0.2};
  stop->kind = c->kind;
  stop->story = story;
  const picus_run_hooks hooks = {
      .user = stop, .step = control, .stop_count = c->kind->has_stops ? COUNT(stops) : 0, .stop_times = stops};
  return run_story_tell(s, &hooks, story);
}

static bool load(simulation *s, const story_bytes *saved) {
  return CHECK(picus_sim_load(s->sim, saved->at, saved->count, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
}

/* In parts: after each of `stops` random steps it is stopped, saved, and goes on in another simulation. */
static void in_parts(const combination *c, test_random *random, int stops, const run_story *whole, run_story *out) {
  story_bytes saved = {0};
  long done = 0;
  for (int part = 0; part <= stops; part++) {
    simulation s;
    stopper stop = {.stops_at_end = true, .steps = done};
    if (part < stops && done + 1 < whole->steps)
      stop.save_at = done + test_integer(random, 1, (int)((whole->steps - done - 1) / (stops - part)) + 1);
    REQUIRE(open_combination(c, &s));
    if (part == 0 || load(&s, &saved)) tell(c, &s, &stop, out);
    free(saved.at);
    saved = stop.saved;
    done = stop.save_at;
    simulation_close(&s);
    if (!saved.at) break;
  }
  free(saved.at);
}

/* What a loaded simulation saves are the same bytes; two simulations go on from them; and the first one, which has come
 * to its end meanwhile, goes back. */
static void by_branches(const combination *c, test_random *random, const run_story *whole, run_story *out) {
  simulation first, other;
  char why[STORY_WHY];
  run_story second = {0};
  stopper stop = {.save_at = test_integer(random, 1, (int)whole->steps - 1)}, on = {.steps = stop.save_at}, back = on;
  REQUIRE(open_combination(c, &first) && open_combination(c, &other));
  tell(c, &first, &stop, out);
  REQUIRE(stop.saved.at);
  CHECK(run_story_same(whole, out, why)); /* saving has no effect */
  for (int k = 0; k < STORY_LISTS; k++) {
    second.lists[k] = (story_bytes){malloc(stop.mark.counts[k] + 1), stop.mark.counts[k], stop.mark.counts[k]};
    if (stop.mark.counts[k] > 0) memcpy(second.lists[k].at, out->lists[k].at, stop.mark.counts[k]);
  }
  if (load(&other, &stop.saved)) {
    story_bytes again = run_story_save(other.sim);
    CHECK(run_story_same_bytes(&stop.saved, &again));
    if (load(&other, &again)) tell(c, &other, &on, &second);
    free(again.at);
  }
  if (!CHECK(run_story_same(whole, &second, why))) printf("  the branch has other %s\n", why);
  run_story_rewind(out, stop.mark);
  if (load(&first, &stop.saved)) tell(c, &first, &back, out);
  free(stop.saved.at);
  run_story_free(&second);
  simulation_close(&first);
  simulation_close(&other);
}

enum { WAYS = 3 };

static void check_way(const combination *c, int way, test_random *random, const run_story *whole) {
  static const char *const ways[WAYS] = {"stopped once", "stopped four times", "branched and rewound"};
  run_story broken = {0};
  char why[STORY_WHY] = "";
  if (way == 2)
    by_branches(c, random, whole, &broken);
  else
    in_parts(c, random, way == 0 ? 1 : 4, whole, &broken);
  if (!CHECK(run_story_same(whole, &broken, why)))
    printf("  %s, %s%s, %s, %ld steps: other %s\n", c->kind->name, c->scheme, c->adaptive ? " adaptive" : "", ways[way],
           whole->steps, why);
  run_story_free(&broken);
}

/* Returns whether the combination can run. */
static bool check_combination(const combination *c, int turn, test_random *random) {
  simulation s;
  run_story whole = {0};
  stopper none = {0};
  if (!open_combination(c, &s)) return false;
  tell(c, &s, &none, &whole);
  whole.steps = none.steps; /* those that can be stopped at: a step that was subdivided counts more in the summary */
  simulation_close(&s);
  const bool has_steps = whole.steps > 5;
  for (int way = 0; has_steps && way < WAYS; way++)
    if (way == turn % WAYS || test_is_long()) check_way(c, way, random, &whole);
  if (whole.status)
    printf("  %s, %s%s: ends after %ld steps with '%s'\n", c->kind->name, c->scheme, c->adaptive ? " adaptive" : "",
           whole.steps, whole.message);
  run_story_free(&whole);
  return has_steps;
}

/* All schemes on the kinds first, first + 1, ... */
static void check_kinds(int first, int count) {
  test_random random = {(unsigned long long)(first + 1)};
  const bool reduced = test_is_reduced();
  int tried = 0, refused = 0;
  for (int k = first; k < first + count && k < KINDS; k++)
    for (int i = 0; picus_scheme_at(i); i++)
      for (int adaptive = 0; adaptive < 2; adaptive++) {
        const combination c = {&kinds[k], picus_scheme_at(i)->name, adaptive == 1};
        if (reduced && (k + i + adaptive) % 4 != 0) continue;
        if (check_combination(&c, k + i + adaptive, &random))
          tried++;
        else
          refused++;
      }
  printf("  %d combinations went on, %d cannot run\n", tried, refused);
  CHECK(tried > (reduced ? 1 : 10) * count);
}

static void contacts_and_joints(void) { check_kinds(0, 3); }
static void shapes(void) { check_kinds(3, 2); }
static void inputs_and_chattering(void) { check_kinds(5, 3); }
static void flexible_bodies(void) { check_kinds(8, 2); }
static void space_and_rolling(void) { check_kinds(10, 3); }

int main(int argc, char **argv) {
  static const test_case cases[] = {{"contacts_and_joints", contacts_and_joints},
                                    {"shapes", shapes},
                                    {"inputs_and_chattering", inputs_and_chattering},
                                    {"flexible_bodies", flexible_bodies},
                                    {"space_and_rolling", space_and_rolling}};
  return test_main(argc, argv, "restarts", cases, COUNT(cases));
}
