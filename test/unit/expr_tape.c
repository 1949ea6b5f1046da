/* Tapes: same values as the plain evaluation, bit by bit; stages; sharing; no allocation while running; failing
 * allocations; very deep formulas. */
#include "base/elementary.h"
#include "expr_random.h"
#include "expr_support.h"

#include <math.h>

/* ---- closed forms: every operation, at a few arguments, through a tape */

static double run_formula(picus_pool *pool, picus_expr expr, const double *point) {
  picus_tape *tape;
  double registers[64], value = NAN;
  if (!CHECK(picus_tape_create(pool, 1, &(picus_tape_stage){1, &expr}, &tape) == PICUS_OK)) return NAN;
  if (CHECK(picus_tape_register_count(tape) <= 64)) {
    picus_tape_prepare(tape, registers);
    memcpy(registers, point, (size_t)picus_variable_count(pool) * sizeof *point);
    picus_tape_run(tape, 0, registers);
    picus_tape_read(tape, 0, registers, &value);
  }
  picus_tape_destroy(tape);
  return value;
}

static void every_operation(void) {
  const double points[][3] = {{0.3, 0.7, 0.2}, {0.9, 0.1, -2}, {0.5, 0.5, 0}};
  formulas f = formulas_open("x y z");
  for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
    const double *p = points[k], x = p[0], y = p[1], z = p[2];
#define CHECK_VALUE(text, expected) CHECK(run_formula(f.pool, read_formula(f.pool, text), p) == (expected))
    CHECK_VALUE("7", 7);
    CHECK_VALUE("y", y);
    CHECK_VALUE("-x", -x);
    CHECK_VALUE("sqrt(x)", sqrt(x));
    CHECK_VALUE("exp(z)", picus_exp(z));
    CHECK_VALUE("log(x)", picus_ln(x));
    CHECK_VALUE("sin(z)", picus_sin(z));
    CHECK_VALUE("cos(z)", picus_cos(z));
    CHECK_VALUE("tan(z)", picus_tan(z));
    CHECK_VALUE("asin(x)", picus_asin(x));
    CHECK_VALUE("acos(x)", picus_acos(x));
    CHECK_VALUE("atan(z)", picus_atan(z));
    CHECK_VALUE("sinh(z)", picus_sinh(z));
    CHECK_VALUE("cosh(z)", picus_cosh(z));
    CHECK_VALUE("tanh(z)", picus_tanh(z));
    CHECK_VALUE("abs(z)", fabs(z));
    CHECK_VALUE("sign(z)", z > 0 ? 1 : z < 0 ? -1 : 0);
    CHECK_VALUE("not z", z == 0);
    CHECK_VALUE("x + z", x + z);
    CHECK_VALUE("x - z", x - z);
    CHECK_VALUE("x*z", x * z);
    CHECK_VALUE("z/x", z / x);
    CHECK_VALUE("x^y", picus_pow(x, y));
    CHECK_VALUE("x^0.3", picus_pow(x, 0.3));
    CHECK_VALUE("z^2", z * z);
    CHECK_VALUE("z^3", z * (z * z));
    CHECK_VALUE("z^4", (z * z) * (z * z));
    CHECK_VALUE("x^-2", 1 / (x * x));
    CHECK_VALUE("x^1.5", x * sqrt(x));
    CHECK_VALUE("x^-1.5", 1 / (x * sqrt(x)));
    CHECK_VALUE("x^2.5", (x * x) * sqrt(x));
    CHECK_VALUE("x^40", picus_pow(x, 40));
    CHECK_VALUE("atan2(z, x)", picus_atan2(z, x));
    CHECK_VALUE("min(x, y)", fmin(x, y));
    CHECK_VALUE("max(x, y)", fmax(x, y));
    CHECK_VALUE("x < y", x < y);
    CHECK_VALUE("x <= y", x <= y);
    CHECK_VALUE("x == y", x == y);
    CHECK_VALUE("x and z", x != 0 && z != 0);
    CHECK_VALUE("z or x < y", z != 0 || x < y);
    CHECK_VALUE("when(z, x, y)", z != 0 ? x : y);
    CHECK_VALUE("when(x < y, x, z)", x < y ? x : z);
    CHECK_VALUE("when(x <= y, x, z)", x <= y ? x : z);
    CHECK_VALUE("when(0 < z, log(z), 1/z)", z > 0 ? picus_ln(z) : 1 / z);
    CHECK_VALUE("x*y + z", x * y + z);
    CHECK_VALUE("x*y - z", x * y - z);
    CHECK_VALUE("z - x*y", z - x * y);
    CHECK_VALUE("x*y + y*z", x * y + y * z);
    CHECK_VALUE("x*y - y*z", x * y - y * z);
    CHECK_VALUE("3*(x*y)", 3 * (x * y));
    CHECK_VALUE("z*(x + y)", z * (x + y));
    CHECK_VALUE("z*(x - y)", z * (x - y));
    CHECK_VALUE("-(x*y)", -(x * y));
    CHECK_VALUE("x + y + z", x + y + z);
    CHECK_VALUE("x - y + z", x - y + z);
    CHECK_VALUE("x + y - z", x + y - z);
    CHECK_VALUE("x - y - z", x - y - z);
#undef CHECK_VALUE
  }
  formulas_close(f);
}

/* NaN and infinity of a branch that is not taken must not show, in values nor in derivatives. */
static void branches_do_not_leak(void) {
  formulas f = formulas_open("x");
  const double points[] = {-1, 0, 1};
  static const char *const texts[] = {"when(0 < x, log(x), 3)", "when(x == 0, 1, sin(x)/x)",
                                      "when(0 < x, sqrt(x), -x)^2 + when(x < 1, x, 1/(x - 1)*0.5)"};
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
    for (size_t k = 0; k + (t == 2) < sizeof points / sizeof *points; k++) {
      picus_expr expr = read_formula(f.pool, texts[t]);
      for (int order = 0; order < 3; order++, expr = picus_derivative(f.pool, expr, 0))
        CHECK(isfinite(run_formula(f.pool, expr, &points[k])));
    }
  formulas_close(f);
}

/* ---- stages */

static void stages_share_what_they_have_in_common(void) {
  formulas f = formulas_open("x y");
  picus_expr first[] = {read_formula(f.pool, "sin(x)*y"), read_formula(f.pool, "3"), read_formula(f.pool, "y")};
  picus_expr second[] = {read_formula(f.pool, "sin(x) + cos(y)"), read_formula(f.pool, "sin(x)*y")};
  picus_tape_stage stages[] = {{3, first}, {2, second}};
  picus_tape *tape;
  REQUIRE(picus_tape_create(f.pool, 2, stages, &tape) == PICUS_OK);
  CHECK(picus_tape_operation_count(tape, 0) == 2);
  CHECK(picus_tape_operation_count(tape, 1) == 2);
  CHECK(picus_tape_operation_count(tape, 2) == 0 && picus_tape_operation_count(tape, -1) == 0);
  double registers[16], values[3];
  REQUIRE(picus_tape_register_count(tape) == 2 + 1 + 4);
  picus_pool_destroy(f.pool); /* the tape does not need it any more */
  picus_tape_prepare(tape, registers);
  registers[0] = 0.3;
  registers[1] = 0.7;
  picus_tape_run(tape, 0, registers);
  picus_tape_read(tape, 0, registers, values);
  CHECK(values[0] == sin(0.3) * 0.7 && values[1] == 3 && values[2] == 0.7);
  picus_tape_run(tape, 1, registers);
  picus_tape_read(tape, 1, registers, values);
  CHECK(values[0] == sin(0.3) + cos(0.7) && values[1] == sin(0.3) * 0.7);
  picus_tape_destroy(tape);
  f.pool = NULL;
  formulas_close(f);
}

static void empty_and_wrong_stages(void) {
  formulas f = formulas_open("x");
  picus_expr constant = picus_number(f.pool, 4), foreign = {4000};
  picus_tape *tape;
  REQUIRE(picus_tape_create(f.pool, 0, NULL, &tape) == PICUS_OK);
  CHECK(picus_tape_register_count(tape) == 1);
  picus_tape_destroy(tape);
  picus_tape_stage stages[] = {{0, NULL}, {1, &constant}};
  REQUIRE(picus_tape_create(f.pool, 2, stages, &tape) == PICUS_OK);
  CHECK(picus_tape_operation_count(tape, 0) == 0 && picus_tape_operation_count(tape, 1) == 0);
  picus_tape_destroy(tape);
  CHECK(picus_tape_create(f.pool, -1, NULL, &tape) == PICUS_ERROR_ARGUMENT && !tape);
  CHECK(picus_tape_create(f.pool, 1, &(picus_tape_stage){-1, NULL}, &tape) == PICUS_ERROR_ARGUMENT && !tape);
  CHECK(picus_tape_create(f.pool, 1, &(picus_tape_stage){1, &foreign}, &tape) == PICUS_ERROR_ARGUMENT && !tape);
  picus_tape_destroy(NULL);
  formulas_close(f);
}

/* ---- random formulas: values and derivatives, several stages, bit by bit */

enum { OUTPUTS = 12, STAGES = 3 };

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static void compare_tape(random_formulas *from, int *compared) {
  picus_expr output[STAGES][OUTPUTS];
  picus_tape_stage stages[STAGES];
  for (int s = 0; s < STAGES; s++) {
    for (int k = 0; k < OUTPUTS; k++) {
      random_forget(from);
      output[s][k] = random_expr(from, random_formula(from, test_integer(&from->random, 0, 4)));
      int variable = random_dependence(from, output[s][k]);
      if (variable >= 0 && k % 3) output[s][k] = picus_derivative(from->pool, output[s][k], variable);
    }
    stages[s] = (picus_tape_stage){OUTPUTS, output[s]};
  }
  picus_tape *tape;
  REQUIRE(picus_tape_create(from->pool, STAGES, stages, &tape) == PICUS_OK);
  double *registers = calloc((size_t)picus_tape_register_count(tape), sizeof *registers), values[OUTPUTS], expected;
  picus_tape_prepare(tape, registers);
  for (int repeat = 0; repeat < 2; repeat++) {
    random_point(from, registers);
    for (int s = 0; s < STAGES; s++) {
      picus_tape_run(tape, s, registers);
      picus_tape_read(tape, s, registers, values);
      for (int k = 0; k < OUTPUTS; k++, ++*compared) {
        picus_expr_evaluate(from->pool, output[s][k], registers, &expected);
        CHECK(same_bits(values[k], expected));
      }
    }
  }
  free(registers);
  picus_tape_destroy(tape);
}

static void tape_agrees_bit_by_bit(void) {
  static random_formulas from;
  int compared = 0;
  for (unsigned block = 0; block < 60; block++) {
    formulas f = formulas_open("");
    random_formulas_open(&from, f.pool, 4000 + block);
    for (int k = 0; k < 3; k++) compare_tape(&from, &compared);
    formulas_close(f);
  }
  printf("  %d values compared\n", compared);
}

/* ---- memory */

typedef struct counted {
  int calls, refuse_at; /* refuse_at: number of the call that fails; 0: none */
} counted;

static void *allocate_counted(void *user, void *old, size_t old_size, size_t new_size) {
  counted *count = user;
  (void)old_size;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  return ++count->calls == count->refuse_at ? NULL : realloc(old, new_size);
}

static void running_allocates_nothing(void) {
  counted count = {0};
  formulas f = {0};
  REQUIRE(picus_context_create(&(picus_context_def){.allocate = allocate_counted, .allocate_user = &count},
                               &f.context) == PICUS_OK);
  REQUIRE(picus_pool_create(f.context, &f.pool) == PICUS_OK);
  picus_variable(f.pool, "x");
  picus_expr expr = read_formula(f.pool, "when(x < 1, sin(x)^3, exp(x)*x^1.5) + abs(x)");
  picus_tape *tape;
  REQUIRE(picus_tape_create(f.pool, 1, &(picus_tape_stage){1, &expr}, &tape) == PICUS_OK);
  double registers[64], value;
  REQUIRE(picus_tape_register_count(tape) <= 64);
  int before = count.calls;
  picus_tape_prepare(tape, registers);
  for (int k = 0; k < 1000; k++) {
    registers[0] = k * 0.01;
    picus_tape_run(tape, 0, registers);
    picus_tape_read(tape, 0, registers, &value);
  }
  CHECK(count.calls == before);
  picus_tape_destroy(tape);
  formulas_close(f);
}

/* Everything the module does; returns whether all of it worked. */
static bool build_all(picus_context *context) {
  picus_pool *pool = NULL;
  picus_tape *tape = NULL;
  if (picus_pool_create(context, &pool) != PICUS_OK) return false;
  picus_expr x = picus_variable(pool, "x"), y = picus_variable(pool, "y"), sum = picus_number(pool, 0);
  for (int k = 1; k < 40; k++) {
    picus_expr part = picus_unary(pool, PICUS_SIN, picus_mul(pool, picus_number(pool, k), x));
    sum = picus_add(pool, sum, picus_mul(pool, part, picus_binary(pool, PICUS_POWER, y, picus_number(pool, k))));
  }
  picus_expr outputs[] = {sum, picus_derivative(pool, sum, 0), picus_derivative(pool, sum, 1),
                          picus_substitute(pool, sum, 0, y)};
  const double point[] = {0.3, 0.9};
  double value;
  char text[64];
  picus_expr_format(pool, sum, text, sizeof text);
  bool evaluated = picus_expr_evaluate(pool, sum, point, &value) == PICUS_OK;
  bool worked = picus_tape_create(pool, 1, &(picus_tape_stage){4, outputs}, &tape) == PICUS_OK && evaluated;
  CHECK(picus_pool_status(pool) == PICUS_OK || picus_pool_status(pool) == PICUS_ERROR_MEMORY);
  CHECK(worked || picus_last_error(context)->status == PICUS_ERROR_MEMORY);
  picus_tape_destroy(tape);
  picus_pool_destroy(pool);
  return worked;
}

/* Refuses the first, the second, ... allocation until none is refused any more. */
static void refused_allocations_do_no_harm(void) {
  int refused = 0;
  for (bool worked = false; !worked && refused < 5000;) {
    counted count = {.refuse_at = ++refused + 1}; /* the context itself comes first */
    picus_context *context;
    REQUIRE(picus_context_create(&(picus_context_def){.allocate = allocate_counted, .allocate_user = &count},
                                 &context) == PICUS_OK);
    bool complete = build_all(context);
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
    worked = count.calls < count.refuse_at;
    if (worked) CHECK(complete);
  }
  printf("  %d allocations refused, one at a time\n", refused - 1);
  CHECK(refused > 20 && refused < 5000);
}

/* ---- depth: a chain of a million operations (fewer where a sanitizer makes all of them slow) */

#if defined(__SANITIZE_ADDRESS__)
enum { LENGTH = 100000 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
enum { LENGTH = 100000 };
#else
enum { LENGTH = 500000 };
#endif
#else
enum { LENGTH = 500000 };
#endif

static void very_deep_chain(void) {
  formulas f = formulas_open("x y");
  picus_expr x = read_formula(f.pool, "x"), y = read_formula(f.pool, "y"), chain = x;
  for (int k = 0; k < LENGTH; k++) {
    chain = picus_unary(f.pool, PICUS_SIN, chain);
    chain = picus_add(f.pool, chain, k % 2 ? x : y);
    if (k == LENGTH / 5) CHECK(picus_expr_valid(picus_substitute(f.pool, chain, 1, x)));
  }
  REQUIRE(picus_expr_valid(chain) && picus_pool_size(f.pool) >= 2 * LENGTH);
  CHECK(picus_expr_depends_on(f.pool, chain, 1));
  picus_expr derivative = picus_derivative(f.pool, chain, 0);
  REQUIRE(picus_expr_valid(derivative));
  const double point[] = {0.4, 0.9};
  double expected = 0.4, slope = 1, value = 0, value_slope = 0;
  for (int k = 0; k < LENGTH; k++) {
    slope = cos(expected) * slope + (k % 2 ? 1 : 0);
    expected = sin(expected) + (k % 2 ? point[0] : point[1]);
  }
  REQUIRE(picus_expr_evaluate(f.pool, chain, point, &value) == PICUS_OK);
  REQUIRE(picus_expr_evaluate(f.pool, derivative, point, &value_slope) == PICUS_OK);
  CHECK_NEAR(value, expected, 1e-12);
  CHECK_NEAR(value_slope, slope, 1e-12);
  picus_expr outputs[] = {chain, derivative};
  picus_tape *tape;
  REQUIRE(picus_tape_create(f.pool, 1, &(picus_tape_stage){2, outputs}, &tape) == PICUS_OK);
  double *registers = calloc((size_t)picus_tape_register_count(tape), sizeof *registers), values[2];
  picus_tape_prepare(tape, registers);
  memcpy(registers, point, sizeof point);
  picus_tape_run(tape, 0, registers);
  picus_tape_read(tape, 0, registers, values);
  CHECK(values[0] == value && values[1] == value_slope);
  free(registers);
  picus_tape_destroy(tape);
  char text[40];
  CHECK(picus_expr_format(f.pool, chain, text, sizeof text) > 2 * LENGTH);
  formulas_close(f);
}

/* Shapes that would take for ever, or a deep stack, if a rule followed its own results. */
static void awkward_shapes(void) {
  formulas f = formulas_open("x y");
  picus_expr x = read_formula(f.pool, "x"), y = read_formula(f.pool, "y"), a = x, b = y;
  for (int k = 0; k < LENGTH / 5; k++) { /* factors that cannot be collected, as their product is 0 in floating point */
    a = picus_mul(f.pool, picus_number(f.pool, 1e-300), a);
    b = picus_mul(f.pool, picus_number(f.pool, 1e-300), b);
  }
  CHECK(picus_expr_valid(picus_add(f.pool, a, b)) && picus_expr_valid(picus_sub(f.pool, a, b)));
  CHECK(picus_expr_valid(picus_unary(f.pool, PICUS_ABS, a)) && picus_expr_valid(picus_neg(f.pool, a)));
  CHECK(picus_expr_valid(picus_unary(f.pool, PICUS_SIGN, a)) && picus_expr_valid(picus_div(f.pool, a, b)));
  /* many groupings of one and the same large product: equal in value, too large to be recognised as equal */
  picus_expr factor[40], whole = x;
  for (int k = 0; k < 40; k++) {
    factor[k] = picus_unary(f.pool, PICUS_SIN, picus_mul(f.pool, picus_number(f.pool, k + 1), x));
    whole = picus_mul(f.pool, whole, factor[k]);
  }
  test_random random = {5};
  for (int n = 0; n < 5000; n++) {
    for (int k = 0; k < 40; k++) {
      int other = test_integer(&random, k, 39);
      picus_expr moved = factor[k];
      factor[k] = factor[other];
      factor[other] = moved;
    }
    picus_expr product = factor[0];
    for (int k = 1; k < 40; k++) product = picus_mul(f.pool, product, factor[k]);
    CHECK(picus_expr_valid(product));
  }
  /* powers of powers, quotients of quotients, negations of negations */
  for (int k = 0; k < LENGTH / 5; k++) {
    a = picus_neg(f.pool, picus_div(f.pool, picus_add(f.pool, a, x), picus_div(f.pool, y, picus_add(f.pool, a, y))));
    b = picus_binary(f.pool, PICUS_POWER, b, picus_number(f.pool, k % 2 ? 0.5 : 2));
  }
  CHECK(picus_expr_valid(a) && picus_expr_valid(b));
  formulas_close(f);
}

/* A sine and the cosine of the same argument are one operation, also if different stages need them, with the bits of
 * both functions. */
static void sines_with_their_cosines(void) {
  double (*const sine)(double) = picus_sin, (*const cosine)(double) = picus_cos;
  formulas f = formulas_open("x y");
  const picus_expr first = read_formula(f.pool, "sin(x)"),
                   more[3] = {read_formula(f.pool, "cos(y)"), read_formula(f.pool, "cos(x)"),
                              read_formula(f.pool, "sin(y)")};
  picus_tape *tape;
  double registers[16], values[4];
  test_random random = {11};
  REQUIRE(picus_tape_create(f.pool, 2, (picus_tape_stage[]){{1, &first}, {3, more}}, &tape) == PICUS_OK);
  REQUIRE(picus_tape_register_count(tape) <= 16);
  CHECK(picus_tape_operation_count(tape, 0) == 2 && picus_tape_operation_count(tape, 1) == 2);
  picus_tape_prepare(tape, registers);
  for (int k = 0; k < 100000; k++) {
    for (int i = 0; i < 2; i++) registers[i] = test_uniform(&random, -1, 1) * pow(10, test_uniform(&random, -8, 20));
    if (k < 4) registers[0] = (const double[]){0, -0.0, INFINITY, NAN}[k];
    const double x = registers[0], y = registers[1];
    picus_tape_run(tape, 0, registers);
    picus_tape_read(tape, 0, registers, values);
    picus_tape_run(tape, 1, registers);
    picus_tape_read(tape, 1, registers, values + 1);
    const double expected[4] = {sine(x), cosine(y), cosine(x), sine(y)};
    for (int i = 0; i < 4; i++)
      if (!isnan(expected[i]) || !isnan(values[i]))
        CHECK(memcmp((const void *)&values[i], (const void *)&expected[i], sizeof *values) == 0);
  }
  picus_tape_destroy(tape);
  formulas_close(f);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"every_operation", every_operation},
      {"branches_do_not_leak", branches_do_not_leak},
      {"stages_share_what_they_have_in_common", stages_share_what_they_have_in_common},
      {"empty_and_wrong_stages", empty_and_wrong_stages},
      {"tape_agrees_bit_by_bit", tape_agrees_bit_by_bit},
      {"running_allocates_nothing", running_allocates_nothing},
      {"refused_allocations_do_no_harm", refused_allocations_do_no_harm},
      {"very_deep_chain", very_deep_chain},
      {"awkward_shapes", awkward_shapes},
      {"sines_with_their_cosines", sines_with_their_cosines},
  };
  return test_main(argc, argv, "expr_tape", cases, sizeof cases / sizeof *cases);
}
