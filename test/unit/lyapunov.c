/* Lyapunov exponents against closed forms: a map with a constant slope, and multipliers of orbits. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <picus/orbit.h>
#include <stdio.h>
#include <string.h>

static void find(simulation *s, double t_end, double skip, int count, picus_lyapunov *out) {
  picus_sim_options o;
  o = picus_model_sim_options(s->model);
  o.adaptive = true;
  o.t_end = t_end;
  const picus_lyapunov_def def = {.model = s->model, .system = s->system, .options = &o, .skip = skip, .count = count};
  double t = 0;
  const picus_status status = picus_lyapunov_find(s->context, &def, out, &t);
  CHECK(status == PICUS_OK && t > 0.99 * t_end);
  if (status) printf("  %s\n", picus_last_error(s->context)->message);
}

/* x := r min(x, 1 - x) after each unit of time: the exponents are ln r, and three times 0. */
static void tent_map(void) {
  static const char text[] =
      "model('tent', 'the tent map')\n"
      "local p = parameters {r = {1.9, '', 'slope'}}\n"
      "local q, u = coordinates {{'x', velocity = 'v', start = {0.3, 0}}, {'c', velocity = 'w', start = {0, 1}}}\n"
      "kinetic((u.v^2 + u.w^2) / 2)\n"
      "on {'turn', when = q.c - 1, direction = 'rises', set = {c = q.c - 1, x = p.r * min(q.x, 1 - q.x)}}\n"
      "simulate {scheme = 'rattle', dt = 1e-2, adaptive = true}\n";
  simulation s = {0};
  picus_lyapunov out[4];
  REQUIRE(picus_context_create(NULL, &s.context) == PICUS_OK);
  REQUIRE(picus_model_load_text(s.context, "tent.lua", text, strlen(text), NULL, &s.model) == PICUS_OK);
  REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
  find(&s, 200, 5, 4, out);
  CHECK_NEAR(out[0].exponent, log(1.9), 0.01);
  CHECK(fabs(out[0].exponent - log(1.9)) < 5 * out[0].error);
  CHECK_NEAR(out[1].exponent, 0, 1e-2);
  CHECK_NEAR(out[2].exponent + out[3].exponent, 0, 1e-2);
  simulation_close(&s);
}

/* A tent whose slopes differ, 1/a and 1/(1 - a): the exponent is -a ln a - (1 - a) ln(1 - a), and the growth of each
 * step is random. Over many starts the error must be as large as the estimate says: mean squares of (error / estimate)
 * near 1. */
static void errors_are_as_estimated(void) {
  static const char text[] =
      "model('skew', 'the skew tent map')\n"
      "local p = parameters {a = 0.3, x = %.6f}\n"
      "local q, u = coordinates {{'x', velocity = 'v', start = {p.x, 0}}, {'c', velocity = 'w', start = {0, 1}}}\n"
      "kinetic((u.v^2 + u.w^2) / 2)\n"
      "on {'turn', when = q.c - 1, direction = 'rises',\n"
      "  set = {c = q.c - 1, x = when(lt(q.x, p.a), q.x / p.a, (1 - q.x) / (1 - p.a)), v = 0}}\n"
      "simulate {scheme = 'rattle', dt = 1e-2, adaptive = true}\n";
  const double exact = -0.3 * log(0.3) - 0.7 * log(0.7);
  const long count = test_study(4, 12, 200);
  double squares = 0, sum = 0;
  test_random random = {7};
  for (long k = 0; k < count; k++) {
    char model[1024];
    simulation s = {0};
    picus_lyapunov out[4];
    snprintf(model, sizeof model, text, test_uniform(&random, 0.05, 0.95));
    REQUIRE(picus_context_create(NULL, &s.context) == PICUS_OK);
    REQUIRE(picus_model_load_text(s.context, "skew.lua", model, strlen(model), NULL, &s.model) == PICUS_OK);
    REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
    find(&s, 100, 2, 1, out);
    squares += pow((out[0].exponent - exact) / out[0].error, 2);
    sum += out[0].exponent - exact;
    simulation_close(&s);
  }
  printf("  %ld starts: rms of error / estimate %.3g, mean %.3g from the closed form\n", count,
         sqrt(squares / (double)count), sum / (double)count);
  CHECK(squares / (double)count > 0.3 && squares / (double)count < 3);
  CHECK(fabs(sum / (double)count) < 0.05);
}

/* On a stable orbit: 0 for each shift that nothing depends on, and ln |multiplier| / period. */
static void orbits_have_their_multipliers(void) {
  static const struct {
    const char *model;
    double t_end, skip, exponent, error;
    int count, place;
  } rows[] = {{"woodpecker", 10, 1, -1.20128644, 2e-4, 4, 2}, /* ln 0.839155653047 / 0.145976065143749 s */
              {"rimless-wheel", 60, 10, -0.66999857, 2e-5, 2, 1}};
  for (size_t k = 0; k < 2; k++) {
    picus_sim_options o;
    picus_lyapunov out[4];
    simulation s;
    REQUIRE(simulation_load(&s, rows[k].model, "", &o));
    find(&s, rows[k].t_end, rows[k].skip, rows[k].count, out);
    CHECK_NEAR(out[rows[k].place].exponent, rows[k].exponent, rows[k].error);
    CHECK(k != 0 || (isinf(out[3].exponent) && out[3].exponent < 0)); /* sticking forgets */
    simulation_close(&s);
  }
}

static void others_are_refused(void) {
  picus_sim_options o;
  picus_lyapunov out[4];
  simulation s;
  REQUIRE(simulation_load(&s, "rimless-wheel", "", &o));
  o.adaptive = true;
  picus_lyapunov_def def = {.model = s.model, .system = s.system, .options = &o, .count = 0};
  CHECK(picus_lyapunov_find(s.context, &def, out, NULL) == PICUS_ERROR_ARGUMENT);
  def.count = 3;
  CHECK(picus_lyapunov_find(s.context, &def, out, NULL) == PICUS_ERROR_ARGUMENT);
  def.count = 1, def.skip = o.t_end;
  CHECK(picus_lyapunov_find(s.context, &def, out, NULL) == PICUS_ERROR_ARGUMENT);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"tent_map", tent_map},
                                    {"errors_are_as_estimated", errors_are_as_estimated},
                                    {"orbits_have_their_multipliers", orbits_have_their_multipliers},
                                    {"others_are_refused", others_are_refused}};
  return test_main(argc, argv, "lyapunov", cases, sizeof cases / sizeof *cases);
}
