/* Jacobians are derived when they are needed, once, and whatever was derived before them. */
#include "expr/internal.h"
#include "support/allocations.h"
#include "support/check.h"
#include "system/internal.h"

#include <picus/picus.h>
#include <string.h>

/* A spinning body in a joint above a plane: rates, M, W and forces that all depend on q. */
static const char BODY[] =
    "gravity {0, 0, -9.81}\n"
    "local a = spatial_body {'a', mass = 1, inertia = {1, 2, 3}, position = {0.3, 0, 0.5}, omega = {1, 2, 0}}\n"
    "spherical {'tip', ground, a, points = {{0, 0, 0}, {-0.3, 0, -0.5}}}\n"
    "spring {ground, a, stiffness = 1, damping = 1, length = 0.1}\n"
    "plane_contact {'floor', ground, a, normal = {0, 0, 1}, radius = 0.45, mu = 0.3}\n"
    "simulate {dt = 0.001, t_end = 0.05}\n";
/* M and W constant, q' = u. */
static const char MASS[] = "local q, u = coordinates {{'x', velocity = 'v', start = {1, -1}}}\n"
                           "kinetic(u.v^2)\npotential(q.x^2)\ncontact {'floor', gap = q.x}\n"
                           "simulate {dt = 0.01, t_end = 0.5}\n";
/* A pendulum with a mass that moves along it: M depends on q. */
static const char PENDULUM[] = "local q, u = coordinates {{'a', velocity = 'w', start = {1, -1}},\n"
                               "  {'r', velocity = 'v', start = {1, 0}}}\n"
                               "kinetic((u.v^2 + (q.r * u.w)^2) / 2)\npotential(-q.r * cos(q.a) + 10 * (q.r - 1)^2)\n"
                               "contact {'stop', gap = 1.1 - q.r}\nsimulate {dt = 0.01, t_end = 0.5}\n";

typedef struct trial {
  picus_context *context;
  picus_system *system;
  picus_sim_options options;
} trial;

static bool begin(trial *t, const picus_context_def *def, const char *text) {
  picus_model *model = NULL;
  *t = (trial){0};
  bool good = CHECK(picus_context_create(def, &t->context) == PICUS_OK) &&
              CHECK(picus_model_load_text(t->context, "text", text, strlen(text), NULL, &model) == PICUS_OK) &&
              CHECK(picus_system_create(model, &t->system) == PICUS_OK);
  if (good) t->options = picus_model_sim_options(model);
  picus_model_destroy(model);
  return good;
}

static void end(trial *t) {
  picus_system_destroy(t->system);
  CHECK(picus_context_memory(t->context) == 0);
  picus_context_destroy(t->context);
}

/* Bytes that stay with the system after a simulation with a scheme has come and gone. */
static size_t left_by(trial *t, const char *scheme, bool adaptive) {
  const size_t before = picus_context_memory(t->context);
  picus_sim *sim = NULL;
  t->options.scheme = scheme;
  t->options.adaptive = adaptive;
  t->options.dt_min = 1e-9;
  CHECK(picus_sim_create(t->context, t->system, &t->options, &sim) == PICUS_OK);
  CHECK(!sim || picus_sim_run(sim, NULL, NULL, NULL) == PICUS_OK);
  picus_sim_destroy(sim);
  return picus_context_memory(t->context) - before;
}

static void only_what_a_scheme_needs_is_derived(void) {
  trial t;
  if (!begin(&t, NULL, BODY)) return;
  CHECK(left_by(&t, "moreau", false) == 0 && left_by(&t, "moreau", true) == 0);
  CHECK(left_by(&t, "moreau-jean", false) > 1000);
  CHECK(left_by(&t, "moreau-jean", false) == 0 && left_by(&t, "moreau-jean", true) == 0);
  CHECK(left_by(&t, "moreau-projected", false) == 0); /* the same ones */
  CHECK(left_by(&t, "moreau-combined", false) == 0);
  CHECK(left_by(&t, "rattle", false) > 1000);
  CHECK(left_by(&t, "rattle", true) == 0);
  end(&t);
  if (!begin(&t, NULL, MASS)) return;
  const size_t forces = left_by(&t, "moreau-jean", false); /* M and rates have no Jacobians */
  CHECK(forces > 0);
  CHECK(left_by(&t, "schatzman-paoli", false) == 0);
  end(&t);
}

static void steps_allocate_nothing(void) {
  static const char *const schemes[] = {"moreau",          "moreau-jean", "moreau-projected",
                                        "moreau-combined", "rattle",      "schatzman-paoli"};
  static const char *const texts[] = {BODY, MASS, PENDULUM};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < (i == 0 ? 5 : 6); k++) { /* schatzman-paoli has no friction */
      test_allocations a = test_grant_all();
      picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
      trial t;
      picus_sim *sim = NULL;
      if (!begin(&t, &def, texts[i])) return;
      t.options.scheme = schemes[k];
      REQUIRE(picus_sim_create(t.context, t.system, &t.options, &sim) == PICUS_OK);
      const long before = a.calls;
      for (int n = 0; n < 100; n++) CHECK(picus_sim_step(sim, 0, NULL) == PICUS_OK);
      CHECK(a.calls == before);
      picus_sim_destroy(sim);
      end(&t);
    }
}

enum { NQ = 7, NU = 6, ROWS = 6, JACOBIANS = 4 * NU * NQ + NU * NU + NQ * NQ + NQ * NU + 2 * ROWS * NQ };

/* All Jacobians at a point off the initial state. */
static void find_jacobians(trial *t, double *out) {
  picus_evaluation *e = NULL;
  double q[NQ], u[NU], v[NU] = {1, -2, 3, 0.5, -0.25, 2}, P[ROWS] = {1, 0.5, -1, 2, 0.1, -0.3};
  REQUIRE(picus_system_nq(t->system) == NQ && picus_system_nu(t->system) == NU);
  REQUIRE(picus_system_row_count(t->system) == ROWS);
  picus_system_start(t->system, q, u);
  for (int i = 0; i < NQ; i++) q[i] += 0.01 * (i + 1);
  for (int i = 0; i < NU; i++) u[i] += 0.1 * (i - 2);
  REQUIRE(picus_evaluation_create(t->context, t->system, &e) == PICUS_OK);
  picus_evaluation_set_point(e, 0.1, q, u);
  CHECK(picus_evaluate_force_jacobian(e, out, out + NU * NQ) == PICUS_OK);
  out += NU * NQ + NU * NU;
  CHECK(picus_evaluate_mass_jacobian(e, v, out) == PICUS_OK);
  out += NU * NQ;
  CHECK(picus_evaluate_rate_jacobian(e, out, out + NQ * NQ) == PICUS_OK);
  out += NQ * NQ + NQ * NU;
  CHECK(picus_evaluate_gap_jacobian(e, out) == PICUS_OK);
  out += ROWS * NQ;
  CHECK(picus_evaluate_velocity_jacobian(e, out) == PICUS_OK);
  out += ROWS * NQ;
  CHECK(picus_evaluate_direction_jacobian(e, P, out) == PICUS_OK);
  picus_evaluation_destroy(e);
}

static void jacobians_do_not_depend_on_what_was_derived_before(void) {
  trial fresh, used;
  double first[JACOBIANS] = {0}, second[JACOBIANS] = {0};
  if (!begin(&fresh, NULL, BODY) || !begin(&used, NULL, BODY)) return;
  left_by(&used, "rattle", false);
  left_by(&used, "moreau-jean", false);
  find_jacobians(&fresh, first);
  find_jacobians(&used, second);
  CHECK(memcmp((const unsigned char *)first, (const unsigned char *)second, sizeof first) == 0);
  int nonzero = 0;
  for (int i = 0; i < JACOBIANS; i++) nonzero += first[i] != 0;
  CHECK(nonzero > 60);
  end(&fresh);
  end(&used);
}

/* New expressions get the same ids in a copy. */
static void a_copy_of_a_pool_continues_it(void) {
  picus_context *context;
  picus_pool *pool, *copy;
  picus_packed_pool *packed;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_pool_create(context, &pool) == PICUS_OK);
  picus_expr x = picus_variable(pool, "x"), y = picus_variable(pool, "y");
  picus_expr g = picus_mul(pool, picus_unary(pool, PICUS_SIN, x), picus_mul(pool, y, picus_add(pool, x, y))), f = g;
  for (int k = 0; k < 200; k++) { /* more variables than bits of a signature */
    const picus_expr z = picus_variable(pool, "z");
    f = picus_add(pool, f,
                  picus_mul(pool, picus_number(pool, 0.1 * k), picus_div(pool, picus_unary(pool, PICUS_EXP, z), x)));
  }
  f = picus_mul(pool, picus_mul(pool, x, y), f);
  REQUIRE(picus_pool_pack(context, pool, &packed) == PICUS_OK);
  REQUIRE(picus_pool_unpack(context, packed, &copy) == PICUS_OK);
  CHECK(pool->count == copy->count);
  for (int32_t i = 0; i < pool->count; i++) {
    const picus_node *a = &pool->nodes[i], *b = &copy->nodes[i];
    CHECK(a->op == b->op && a->value == b->value && a->variables == b->variables && a->product == b->product);
    CHECK(a->argument[0] == b->argument[0] && a->argument[1] == b->argument[1] && a->argument[2] == b->argument[2]);
  }
  CHECK(picus_pool_size(copy) == picus_pool_size(pool) && picus_variable_count(copy) == 202);
  CHECK_TEXT(picus_variable_name(copy, 1), "y");
  picus_pool *const pools[] = {pool, copy};
  picus_expr derivative[2], again[2], sum[2];
  for (int i = 0; i < 2; i++) {
    derivative[i] = picus_derivative(pools[i], f, 0);
    again[i] =
        picus_mul(pools[i], picus_mul(pools[i], picus_add(pools[i], y, x), picus_unary(pools[i], PICUS_SIN, x)), y);
    sum[i] = picus_add(pools[i], derivative[i], picus_variable(pools[i], "z"));
  }
  CHECK(derivative[0].id == derivative[1].id && sum[0].id == sum[1].id);
  CHECK(again[0].id == g.id && again[1].id == g.id);
  CHECK(picus_pool_size(copy) == picus_pool_size(pool));
  picus_pool_destroy(pool);
  picus_packed_pool_destroy(packed);
  picus_pool_destroy(copy);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"only_what_a_scheme_needs_is_derived", only_what_a_scheme_needs_is_derived},
      {"steps_allocate_nothing", steps_allocate_nothing},
      {"jacobians_do_not_depend_on_what_was_derived_before", jacobians_do_not_depend_on_what_was_derived_before},
      {"a_copy_of_a_pool_continues_it", a_copy_of_a_pool_continues_it}};
  return test_main(argc, argv, "system_request", cases, (int)(sizeof cases / sizeof *cases));
}
