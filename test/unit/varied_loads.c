/* A loader gives the models that a fresh load gives, bit for bit, whatever the file does with the parameters that vary.
 */
#include "base/internal.h"
#include "model_file/loader.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4, STEPS = 4 };

/* What a load came to, and a short motion of the model. */
typedef struct outcome {
  picus_status status;
  int line, nq, nu;
  double t, *numbers; /* q, u, and the parameters */
  size_t count;
  char message[1024];
} outcome;

static void move(picus_context *context, picus_model *model, outcome *out) {
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_sim_options options = picus_model_sim_options(model);
  options.adaptive = false;
  if (!(options.dt > 0)) options.dt = 1e-4;
  out->status = picus_system_create(model, &system);
  if (!out->status) out->status = picus_sim_create(context, system, &options, &sim);
  for (int k = 0; !out->status && k < STEPS && picus_sim_state(sim).t < options.t_end; k++)
    out->status = picus_sim_step(sim, 0, NULL);
  if (sim) {
    const picus_state state = picus_sim_state(sim);
    const int parameters = picus_model_parameter_count(model);
    out->t = state.t, out->nq = state.nq, out->nu = state.nu;
    out->count = (size_t)(state.nq + state.nu + parameters);
    out->numbers = calloc(out->count + 1, sizeof(double));
    if (!out->numbers) abort();
    memcpy(out->numbers, state.q, (size_t)state.nq * sizeof(double));
    memcpy(out->numbers + state.nq, state.u, (size_t)state.nu * sizeof(double));
    for (int k = 0; k < parameters; k++) out->numbers[state.nq + state.nu + k] = picus_model_parameter(model, k).value;
  }
  if (out->status) snprintf(out->message, sizeof out->message, "%s", picus_last_error(context)->message);
  out->line = out->status ? picus_last_error(context)->line : 0;
  picus_sim_destroy(sim);
  picus_system_destroy(system);
}

static outcome after_load(picus_context *context, picus_status status, picus_model *model) {
  outcome out = {.status = status};
  if (!status) move(context, model, &out);
  if (!status) return out;
  out.line = picus_last_error(context)->line;
  snprintf(out.message, sizeof out.message, "%s", picus_last_error(context)->message);
  return out;
}

static outcome load_afresh(const picus_model *of, int count, const char *const *names, const double *values) {
  picus_context *context;
  picus_model *model = NULL;
  picus_override overrides[MOST];
  picus_model_file files[MOST];
  const char *text = picus_model_source(of);
  const picus_load_options options = {.override_count = count,
                                      .overrides = overrides,
                                      .has_files = true,
                                      .file_count = picus_model_file_count(of),
                                      .files = files};
  if (options.file_count > MOST || picus_context_create(NULL, &context)) abort();
  for (int k = 0; k < count; k++) overrides[k] = (picus_override){names[k], values[k]};
  for (int k = 0; k < options.file_count; k++) files[k] = picus_model_file_at(of, k);
  const picus_status status =
      picus_model_load_text(context, picus_model_name(of), text, strlen(text), &options, &model);
  const outcome out = after_load(context, status, model);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return out;
}

static bool same(const outcome *a, const outcome *b) {
  return a->status == b->status && a->line == b->line && strcmp(a->message, b->message) == 0 && a->nq == b->nq &&
         a->nu == b->nu && a->count == b->count && memcmp(&a->t, &b->t, sizeof a->t) == 0 &&
         (!a->count || memcmp(a->numbers, b->numbers, a->count * sizeof(double)) == 0);
}

/* Loads with each row of values, the first ones once more at the end; returns how many were refused. */
static int compare(const picus_model *of, int count, const char *const *names, int rows, const double *values) {
  picus_context *host, *context;
  picus_loader *loader;
  int refused = 0;
  size_t held = 0;
  if (picus_context_create(NULL, &host) || picus_context_create_rewindable(host, NULL, &context)) abort();
  if (!CHECK(picus_loader_create(context, of, count, names, &loader) == PICUS_OK)) return 0;
  for (int i = 0; i <= rows; i++) {
    const double *row = values + (i % rows) * count;
    picus_model *model;
    const picus_status status = picus_loader_load(loader, row, &model);
    outcome repeated = after_load(context, status, model), fresh = load_afresh(of, count, names, row);
    if (!CHECK(same(&repeated, &fresh)))
      printf("    %s, %s = %.17g: '%s' line %d, afresh '%s' line %d\n", picus_model_name(of), names[0], row[0],
             repeated.message, repeated.line, fresh.message, fresh.line);
    refused += fresh.status != PICUS_OK;
    free(repeated.numbers);
    free(fresh.numbers);
    if (i == 0) held = picus_context_memory(context);
    if (i == rows) CHECK(picus_context_memory(context) == held); /* nothing gathers */
  }
  picus_context_destroy(context);
  CHECK(picus_context_memory(host) == 0);
  picus_context_destroy(host);
  return refused;
}

/* --- files that read parameters in many ways ---------------------------------------------------------------------- */

#define BODY                                                                                                           \
  "local q, u = coordinates {{\"x\", velocity = \"v\", start = {p.b, 0.5}}}\n"                                         \
  "kinetic(u.v^2 / 2)\nforce {x = -c * q.x}\nsimulate {dt = 1e-3, t_end = 1}\n"
#define HEAD "local p = parameters {a = {2, \"m\", \"varies\", range = {0, 3}}, b = 3}\n"

static const char *const readings[] = {
    HEAD "local c = tonumber(tostring(p.a))\n" BODY,
    HEAD "local c = #string.format('%g', p.a)\n" BODY,
    HEAD "local c = ({1, 2, 3})[p.a] or 7\n" BODY,
    HEAD "local c = p.a == 2 and 5 or 6\n" BODY,
    HEAD "local c = p[1]\n" BODY,
    HEAD "local c = #p\n" BODY,
    HEAD "local c = 0\nfor i = 1, p.a do c = c + i end\n" BODY,
    HEAD "local c = 0\nfor _, value in pairs(p) do c = 10 * c + value end\n" BODY,
    HEAD "local c = 0\nfor _, name in ipairs {'b', 'a'} do c = 10 * c + p[name] end\n" BODY,
    HEAD "local t = {}\nfor i = 1, 3 do t['k' .. p.a] = i end\nlocal c = next(t) == 'k2' and 1 or 2\n" BODY,
    HEAD "local function f(x) return x * p.a end\nlocal c = f(f(p.b))\n" BODY,
    HEAD "local t = {3, 1, 2}\ntable.sort(t, function(x, y) return x * p.a < y * p.a end)\nlocal c = t[1]\n" BODY,
    HEAD "local c = math.random() + p.a + math.random()\n" BODY,
    HEAD "seen = 1\nmath.huge = 5\nlocal c = p.a + seen + math.huge\nseen = c\nmath.pi = c\n" BODY,
    HEAD "if p.a > 2 then error 'too large' end\nlocal c = 1\n" BODY,
    HEAD "local c = math.type(p.a) == 'integer' and 1 or 2\n" BODY,
    HEAD "local c = p.a // 1 + p.a % 1 + p.a^2 + (p.a ~= 2 and 1 or 0)\n" BODY,
    HEAD "local c = sqrt(p.a) / p.a\n" BODY,
    HEAD "local c = p.b\n" BODY,
    HEAD "local c = p.a > 2.9 and p.A or 1\n" BODY,
    HEAD "local more = parameters {d = {p.a * 2, \"\", \"follows\"}}\nlocal c = more.d + p.d\n" BODY,
    "local function f() return parameters {a = 2, b = 3} end\nlocal p = f()\nlocal c = p.a\n" BODY,
    "local p = parameters {b = 3}\nlocal c = 1\n" BODY "local later = parameters {a = 2}\nforce {x = later.a}\n",
    "local p = parameters {b = 3}\nlocal i = inputs {{\"a\", start = 2}}\nlocal c = i.a\n" BODY,
    HEAD "local c = include 'part.lua'(p)\n" BODY,
    HEAD "local c = include 'read.lua'\n" BODY,
    HEAD "local function f(n) return n < 1 and p.a or f(n - 1) + f(0) end\nlocal c = f(3)\n" BODY,
    HEAD "local function f(n) if n < 1 then return p.a end return 1 + f(n - 1) end\nlocal c = f(100)\n" BODY,
    HEAD "local function f(n) return n < 1 and 1 or 1 + f(p.a > 2.9 and n or n - 1) end\nlocal c = f(3)\n" BODY,
    HEAD "local c = #string.rep('x', p.a)\n" BODY,
    HEAD "local c = ('%d'):format(p.a)\n" BODY,
    HEAD "local c = 1\n" BODY "contact {\"wall\", gap = 9 - q.x, mu = 0, eN = p.a / 4}\n",
    HEAD "local c = 1\n" BODY "stop_time(p.a / 2)\nobserve {\"o\", p.a * q.x}\n",
    HEAD "local c = 1\n" BODY "if p.a > 2 then contact {\"wall\", gap = 9 - q.x} end\n",
};

static void odd_readings(void) {
  static const char *const names[] = {"a"}, *const both[] = {"b", "a"};
  static const double one[] = {2, 1, 2.5, 3, 0, -1, 1e300, NAN, INFINITY, 5e-324, 4};
  static const double two[] = {3, 2, 3, 1, 0.5, 2, 7, 3, 3, NAN, 0, 0};
  static const picus_model_file parts[] = {
      {"part.lua", (const unsigned char *)"return function(p) return p.a + 1 end\n", 38},
      {"read.lua", (const unsigned char *)"local p = parameters {e = 1}\nreturn p.a + p.e\n", 46}};
  int refused = 0;
  for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
    picus_context *context;
    picus_model *model;
    const picus_load_options options = {.has_files = true, .file_count = 2, .files = parts};
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    REQUIRE(picus_model_load_text(context, "odd", readings[k], strlen(readings[k]), &options, &model) == PICUS_OK);
    refused += compare(model, 1, names, sizeof one / sizeof *one, one);
    refused += compare(model, 2, both, sizeof two / sizeof *two / 2, two);
    picus_model_destroy(model);
    picus_context_destroy(context);
  }
  CHECK(refused >= 130);
}

/* --- shipped models ----------------------------------------------------------------------------------------------- */

/* Counts stay counts; other values move a little, change their sign, or vanish. */
static double another(test_random *random, double value) {
  const int kind = test_integer(random, 0, 9);
  if (kind == 0) return 0;
  if (kind == 1) return -value;
  if (value == floor(value) && fabs(value) >= 2) return test_integer(random, 1, value < 6 ? (int)fabs(value) : 6);
  return kind < 4 ? value : (value == 0 ? 1e-3 : value) * test_uniform(random, 0.9, 1.1);
}

static void shipped_models(void) {
  const int sets = (int)test_study(1, 1, 40);
  enum { ROWS = 3 };
  test_random random = {20261119};
  for (int k = 0; k < picus_shipped_model_count(); k++) {
    picus_context *context;
    picus_model *model;
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    REQUIRE(picus_model_load(context, picus_shipped_model_name(k), NULL, &model) == PICUS_OK);
    const int parameters = picus_model_parameter_count(model);
    for (int set = 0; set < sets && parameters > 0; set++) {
      const char *names[MOST];
      double values[ROWS * MOST];
      const int count = test_integer(&random, 1, 3);
      for (int i = 0; i < count; i++) {
        const picus_parameter p = picus_model_parameter(model, test_integer(&random, 0, parameters - 1));
        names[i] = p.name;
        for (int row = 0; row < ROWS; row++) values[row * count + i] = row == 0 ? p.value : another(&random, p.value);
      }
      compare(model, count, names, ROWS, values);
    }
    picus_model_destroy(model);
    picus_context_destroy(context);
  }
}

/* Memory that runs out anywhere is an error, and the next load is whole. */
static void refused_memory(void) {
  static const char *const names[] = {"mu"};
  const double value = 0.25;
  picus_context *host, *context;
  picus_model *of, *model;
  picus_loader *loader;
  picus_sim_options options;
  REQUIRE(picus_context_create(NULL, &host) == PICUS_OK);
  REQUIRE(picus_model_load(host, "woodpecker", NULL, &of) == PICUS_OK);
  REQUIRE(picus_context_create_rewindable(host, NULL, &context) == PICUS_OK);
  REQUIRE(picus_loader_create(context, of, 1, names, &loader) == PICUS_OK);
  int refused = 0;
  for (size_t room = 0; room < 60000; room += 499) {
    picus_context_rewind(context);
    picus_memory_limit(context, room);
    refused += picus_loader_load(loader, &value, &model) == PICUS_ERROR_MEMORY;
    picus_memory_unlimit(context);
  }
  CHECK(refused > 5);
  REQUIRE(picus_loader_load(loader, &value, &model) == PICUS_OK);
  options = picus_model_sim_options(model);
  CHECK(options.dt == 1e-5 && picus_model_parameter(model, 17).value == value);
  picus_context_destroy(context);
  picus_model_destroy(of);
  picus_context_destroy(host);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"odd_readings", odd_readings}, {"shipped_models", shipped_models}, {"refused_memory", refused_memory}};
  return test_main(argc, argv, "varied_loads", cases, (int)(sizeof cases / sizeof *cases));
}
