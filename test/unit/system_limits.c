/* Deriving equations within limits of memory and work, and its interruption: a sentence, nothing lost, and the model
 * can be tried again. */
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
  picus_context *context;
  picus_model *model;
  picus_system *system;
} trial;

static bool begin(trial *t, const char *name) {
  *t = (trial){0};
  return CHECK(picus_context_create(NULL, &t->context) == PICUS_OK) &&
         CHECK(picus_model_load(t->context, name, NULL, &t->model) == PICUS_OK);
}

static void end(trial *t) {
  picus_system_destroy(t->system);
  picus_model_destroy(t->model);
  CHECK(picus_context_memory(t->context) == 0);
  picus_context_destroy(t->context);
}

/* A chain of pendulums in minimal coordinates: M is full, and its derivatives are many. */
static char *chain_of(int links) {
  enum { SIZE = 4096 };
  char *text = malloc(SIZE);
  if (text)
    snprintf(text, SIZE,
             "model('chain')\nlocal n, list = %d, {}\n"
             "for i = 1, n do list[i] = {'a' .. i, velocity = 'w' .. i, start = {0.1 * i, 0}} end\n"
             "local q, u = coordinates(list)\nlocal x, y, V, T = 0, 0, 0, 0\n"
             "for i = 1, n do\n"
             "  local a, w = q['a' .. i], u['w' .. i]\n"
             "  x, y, V = x + cos(a) * w, y + sin(a) * w, V - (n - i + 1) * cos(a)\n"
             "  T = T + (x^2 + y^2) / 2\n"
             "end\nkinetic(T)\npotential(9.81 * V)\ncontact {'wall', gap = 1 - q.a1}\n",
             links);
  return text;
}

/* Values that a derivation must give again. */
static double fingerprint(trial *t) {
  picus_evaluation *evaluation = NULL;
  double h[8] = {0}, q[8], u[8], sum = 0;
  if (!CHECK(picus_evaluation_create(t->context, t->system, &evaluation) == PICUS_OK)) return 0;
  for (int i = 0; i < 8; i++) q[i] = 0.1 * i, u[i] = 1 - 0.2 * i;
  picus_evaluation_set_point(evaluation, 0, q, u);
  CHECK(picus_evaluate_force(evaluation, h) == PICUS_OK);
  for (int i = 0; i < 8; i++) sum += h[i] * (i + 1);
  picus_evaluation_destroy(evaluation);
  return sum;
}

typedef struct patience {
  long calls, most;
} patience;

static int lose_patience(void *user) {
  patience *p = user;
  return ++p->calls > p->most;
}

/* Tries with a limit; false: it sufficed. */
static bool try_once(trial *t, const picus_derivation *derivation, picus_status expected, const char *fragment) {
  picus_status status = picus_system_create_within(t->model, derivation, &t->system);
  if (status == PICUS_OK) return false;
  CHECK(!t->system);
  CHECK(status == expected && picus_last_error(t->context)->status == expected);
  if (!CHECK(strstr(picus_last_error(t->context)->message, fragment))) puts(picus_last_error(t->context)->message);
  return true;
}

static bool begin_chain(trial *t, int links) {
  char *text = chain_of(links);
  *t = (trial){0};
  bool good = CHECK(text != NULL) && CHECK(picus_context_create(NULL, &t->context) == PICUS_OK) &&
              CHECK(picus_model_load_text(t->context, "chain.lua", text, strlen(text), NULL, &t->model) == PICUS_OK);
  free(text);
  return good;
}

/* The limit rises until it suffices; then the system is that of an unlimited derivation. */
static void raise(int which) {
  trial reference, t;
  if (!begin_chain(&reference, 8) || !begin_chain(&t, 8)) return;
  REQUIRE(picus_system_create(reference.model, &reference.system) == PICUS_OK);
  double value = fingerprint(&reference);
  int failures = 0;
  bool failed = true;
  for (double limit = 1; failed && limit < 1e12; limit *= 1.7) {
    patience p = {0, (long)limit};
    picus_derivation derivation = {0};
    if (which == 0) derivation.memory_limit = (size_t)limit;
    if (which == 1) derivation.node_limit = (uint64_t)limit;
    if (which == 2) derivation.interrupt = lose_patience, derivation.user = &p;
    static const char *const fragments[] = {"MB of memory (8 velocities, 1 laws)",
                                            "expression nodes (8 velocities, 1 laws)", "interrupted"};
    failed = try_once(&t, &derivation, which == 2 ? PICUS_INTERRUPTED : PICUS_ERROR_FILE_LIMIT, fragments[which]);
    failures += failed;
  }
  CHECK(!failed && failures > 3);
  if (t.system) CHECK_NEAR(fingerprint(&t), value, 1e-12);
  end(&reference);
  end(&t);
}

static void memory(void) { raise(0); }
static void nodes(void) { raise(1); }
static void interruption(void) { raise(2); }

/* A simulation whose scheme needs Jacobians, on a context of its own. */
static picus_status simulate(const trial *t, picus_context *context) {
  picus_sim_options options = picus_default_sim_options();
  options.scheme = "moreau-jean";
  options.dt = 1e-3;
  options.t_end = 1;
  picus_sim *sim = NULL;
  picus_status status = picus_sim_create(context, t->system, &options, &sim);
  CHECK((status == PICUS_OK) == (sim != NULL));
  picus_sim_destroy(sim);
  return status;
}

/* Forces that all depend on all coordinates: simple equations with large Jacobians. */
static bool begin_forces(trial *t) {
  static const char text[] = "local n, list, forces = 40, {}, {}\n"
                             "for i = 1, n do list[i] = {'x' .. i, velocity = 'v' .. i} end\n"
                             "local q, u = coordinates(list)\nlocal all = 1\n"
                             "for i = 1, n do all = all * (2 + sin(q['x' .. i])); kinetic(u['v' .. i]^2 / 2) end\n"
                             "for i = 1, n do forces['x' .. i] = exp(i - all) end\n"
                             "force(forces)\ncontact {'wall', gap = 1 - q.x1}\n";
  *t = (trial){0};
  return CHECK(picus_context_create(NULL, &t->context) == PICUS_OK) &&
         CHECK(picus_model_load_text(t->context, "text", text, sizeof text - 1, NULL, &t->model) == PICUS_OK);
}

/* A system whose Jacobians are beyond the limits of its derivation. */
static void check_late_failure(trial *t, picus_context *context, picus_status status, const char *fragment) {
  CHECK(status == (strcmp(fragment, "interrupted") == 0 ? PICUS_INTERRUPTED : PICUS_ERROR_FILE_LIMIT));
  CHECK(picus_last_error(context)->status == status);
  if (!CHECK(strstr(picus_last_error(context)->message, fragment))) puts(picus_last_error(context)->message);
  CHECK(picus_last_error(t->context)->status == PICUS_OK);
}

/* Jacobians are derived when a simulation needs them, within the same limits and with the same messages. */
static void raise_later(int which) {
  static const char *const fragments[] = {"MB of memory (40 velocities, 1 laws)",
                                          "expression nodes (40 velocities, 1 laws)", "interrupted"};
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  int late = 0;
  bool done = false;
  for (double limit = 1; !done && limit < 1e9; limit = which == 2 ? limit + 1 : 1.2 * limit) {
    trial t;
    patience p = {0, (long)limit};
    picus_derivation derivation = {0};
    if (which == 0) derivation.memory_limit = (size_t)(1000 * limit);
    if (which == 1) derivation.node_limit = (uint64_t)(100 * limit);
    if (which == 2) derivation.interrupt = lose_patience, derivation.user = &p;
    if (!begin_forces(&t)) return;
    if (picus_system_create_within(t.model, &derivation, &t.system) == PICUS_OK) {
      picus_model_destroy(t.model);
      t.model = NULL;
      const size_t memory = picus_context_memory(t.context);
      const picus_status status = simulate(&t, context);
      done = status == PICUS_OK;
      late += !done;
      if (!done) {
        check_late_failure(&t, context, status, fragments[which]);
        CHECK(picus_context_memory(t.context) == memory); /* nothing is left of it */
        p.most = 1000000000;
        if (which == 2) CHECK(simulate(&t, context) == PICUS_OK); /* it can be tried again */
      }
    }
    CHECK(picus_context_memory(context) == 0);
    end(&t);
  }
  CHECK(done && late > 0);
  picus_context_destroy(context);
}

static void memory_later(void) { raise_later(0); }
static void nodes_later(void) { raise_later(1); }
static void interruption_later(void) { raise_later(2); }

/* A limit counts what the derivation itself holds, and holds no longer than the derivation. */
static void other_objects_are_not_limited(void) {
  trial t, other;
  if (!begin(&t, "woodpecker") || !begin_chain(&other, 8)) return;
  picus_derivation derivation = {.memory_limit = 1 << 20};
  CHECK(picus_system_create_within(t.model, &derivation, &t.system) == PICUS_OK);
  size_t held = picus_context_memory(t.context);
  picus_model *more[100] = {NULL};
  for (int k = 0; k < 100; k++) CHECK(picus_model_load(t.context, "woodpecker", NULL, &more[k]) == PICUS_OK);
  CHECK(picus_context_memory(t.context) - held > 1 << 20);
  picus_system *second = NULL; /* what is held already does not count */
  CHECK(picus_system_create_within(more[0], &derivation, &second) == PICUS_OK);
  picus_system_destroy(second);
  for (int k = 0; k < 100; k++) picus_model_destroy(more[k]);
  end(&t);
  end(&other);
}

/* A wrong model is told as such, not as one beyond its limits. */
static void other_failures_stay_what_they_are(void) {
  static const char text[] = "model('wrong')\nlocal q, u = coordinates {{'x', velocity = 'v'}}\nkinetic(u.v^4)\n";
  trial t = {0};
  REQUIRE(picus_context_create(NULL, &t.context) == PICUS_OK);
  REQUIRE(picus_model_load_text(t.context, "wrong.lua", text, sizeof text - 1, NULL, &t.model) == PICUS_OK);
  picus_derivation derivation = {.memory_limit = 1 << 24, .node_limit = 1000000};
  CHECK(picus_system_create_within(t.model, &derivation, &t.system) == PICUS_ERROR_MODEL);
  end(&t);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"memory", memory},
      {"nodes", nodes},
      {"interruption", interruption},
      {"memory_later", memory_later},
      {"nodes_later", nodes_later},
      {"interruption_later", interruption_later},
      {"other_objects_are_not_limited", other_objects_are_not_limited},
      {"other_failures_stay_what_they_are", other_failures_stay_what_they_are},
  };
  return test_main(argc, argv, "system_limits", cases, (int)(sizeof cases / sizeof *cases));
}
