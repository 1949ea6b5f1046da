/* Gradients: the same expressions as derivatives one by one, exact variables, and long sums in time that grows as their
 * length; and the coefficients of linear expressions. */
#include "expr_random.h"

#include "expr/internal.h"

#include <stdio.h>

typedef struct workshop {
  picus_context *context;
  picus_pool *pool;
  picus_gradient gradient;
  picus_linear linear;
} workshop;

static void open_workshop(workshop *w) {
  *w = (workshop){0};
  picus_context_create(NULL, &w->context);
  picus_pool_create(w->context, &w->pool);
}

static void close_workshop(workshop *w) {
  picus_gradient_release(w->context, &w->gradient);
  picus_linear_release(w->context, &w->linear);
  picus_pool_destroy(w->pool);
  picus_context_destroy(w->context);
}

/* Every derivative, by all variables of the pool, has to be in the gradient with the same id, and nothing else. */
static void check_gradient(workshop *w, picus_expr expr) {
  REQUIRE(picus_gradient_find(w->pool, expr, &w->gradient) == PICUS_OK);
  size_t at = 0;
  for (int k = 0; k < picus_variable_count(w->pool); k++) {
    const int32_t expected = picus_derivative(w->pool, expr, k).id;
    const bool is_there = at < w->gradient.count && w->gradient.slopes[at].variable == k;
    REQUIRE(is_there == (expected != PICUS_ID_ZERO));
    if (is_there) CHECK(w->gradient.slopes[at++].value.id == expected);
  }
  CHECK(w->gradient.count == at);
}

static void random_expressions(void) {
  static random_formulas from;
  workshop w;
  open_workshop(&w);
  random_formulas_open(&from, w.pool, 5);
  int checked = 0;
  for (int i = 0; i < 400; i++) {
    random_forget(&from);
    const int at = i % 2 ? random_formula(&from, 5) : random_algebra(&from, 6);
    if (picus_pool_status(w.pool) != PICUS_OK) break; /* a division by zero that folded: the pool is done */
    check_gradient(&w, random_expr(&from, at));
    checked++;
  }
  CHECK(checked > 20);
  close_workshop(&w);
}

/* Sums of all shapes: to the left, to the right, scaled in between, differences. */
static picus_expr random_sum(workshop *w, test_random *random, const picus_expr *x, int count, int terms) {
  picus_expr sum = picus_number(w->pool, 0);
  for (int i = 0; i < terms; i++) {
    const int a = test_integer(random, 0, count - 1), b = test_integer(random, 0, count - 1);
    picus_expr term = picus_mul(w->pool, x[a], picus_unary(w->pool, PICUS_SIN, x[b]));
    if (test_integer(random, 0, 3) == 0) term = random_sum(w, random, x, count, 3);
    switch (test_integer(random, 0, 4)) {
    case 0:
      sum = picus_sub(w->pool, sum, term);
      break;
    case 1:
      sum = picus_add(w->pool, picus_mul(w->pool, picus_number(w->pool, 0.5), sum), term);
      break;
    case 2:
      sum = picus_sub(w->pool, picus_neg(w->pool, sum), term);
      break;
    case 3:
      sum = picus_add(w->pool, picus_div(w->pool, sum, picus_number(w->pool, 3)), term);
      break;
    default:
      sum = picus_add(w->pool, sum, term);
    }
  }
  return sum;
}

/* More variables than a signature has bits. */
static void sums_of_many_variables(void) {
  enum { VARIABLES = 150 };
  workshop w;
  open_workshop(&w);
  picus_expr x[VARIABLES];
  for (int i = 0; i < VARIABLES; i++) x[i] = picus_variable(w.pool, "x");
  test_random random = {11};
  for (int i = 0; i < 40; i++) check_gradient(&w, random_sum(&w, &random, x, VARIABLES, 12));
  close_workshop(&w);
}

static void variables_are_exact(void) {
  enum { VARIABLES = 200 };
  workshop w;
  open_workshop(&w);
  picus_expr x[VARIABLES];
  for (int i = 0; i < VARIABLES; i++) x[i] = picus_variable(w.pool, "x");
  picus_expr product = picus_mul(w.pool, x[131], picus_add(w.pool, x[3], picus_unary(w.pool, PICUS_COS, x[67])));
  picus_id_stack found = {0};
  CHECK(picus_expr_variables(w.pool, product, &found) == PICUS_OK);
  REQUIRE(found.count == 3);
  CHECK(found.ids[0] == 3 && found.ids[1] == 67 && found.ids[2] == 131); /* 3, 67 and 131 share a bit */
  CHECK(picus_expr_variables(w.pool, picus_number(w.pool, 2), &found) == PICUS_OK && found.count == 0);
  picus_release(w.context, found.ids);
  close_workshop(&w);
}

/* The energy of a row of springs: 10^5 terms would take 10^10 visits variable by variable. */
static void long_sums(void) {
  enum { LONG = 100000 };
  workshop w;
  open_workshop(&w);
  picus_expr sum = picus_number(w.pool, 0), last = sum;
  for (int i = 0; i < LONG; i++) {
    picus_expr x = picus_variable(w.pool, "x"), stretch = picus_sub(w.pool, x, last);
    sum = picus_add(w.pool, sum, picus_mul(w.pool, stretch, stretch));
    last = x;
  }
  CHECK(picus_gradient_find(w.pool, sum, &w.gradient) == PICUS_OK);
  CHECK(w.gradient.count == LONG);
  picus_expr middle = w.gradient.slopes[LONG / 2].value;
  picus_id_stack found = {0};
  CHECK(picus_expr_variables(w.pool, middle, &found) == PICUS_OK && found.count == 3);
  picus_release(w.context, found.ids);
  close_workshop(&w);
}

/* All variables at once: the same as one after the other. */
static void many_are_replaced_at_once(void) {
  workshop w;
  open_workshop(&w);
  picus_expr x = picus_variable(w.pool, "x"), y = picus_variable(w.pool, "y"), z = picus_variable(w.pool, "z");
  picus_expr expr = picus_add(w.pool, picus_mul(w.pool, x, y), picus_div(w.pool, z, picus_add(w.pool, y, z)));
  const int32_t swapped[] = {y.id, x.id, -1};
  const picus_replacements all = picus_replacements_of(w.pool, swapped);
  picus_expr result = picus_substitute_all(w.pool, expr, &all);
  double point[] = {2, 3, 5}, value, expected;
  CHECK(picus_expr_evaluate(w.pool, result, point, &value) == PICUS_OK);
  expected = 3.0 * 2 + 5.0 / (2 + 5);
  CHECK_NEAR(value, expected, 1e-15);
  close_workshop(&w);
}

/* --- linear expressions */

/* 200 variables, of which signatures coincide in threes and fours; the velocities are 0, 2, 4, ... */
enum { SCENE_VARIABLES = 200, SCENE_VELOCITIES = SCENE_VARIABLES / 2 };
typedef struct linear_scene {
  workshop w;
  picus_expr x[SCENE_VARIABLES];
  int32_t zeros[SCENE_VARIABLES];
  double point[SCENE_VARIABLES];
  picus_replacements velocities;
} linear_scene;

static void open_linear_scene(linear_scene *s, test_random *random) {
  open_workshop(&s->w);
  for (int i = 0; i < SCENE_VARIABLES; i++) {
    s->x[i] = picus_variable(s->w.pool, "x");
    s->zeros[i] = i % 2 ? PICUS_ID_INVALID : PICUS_ID_ZERO;
    s->point[i] = test_uniform(random, 0.5, 2);
  }
  s->velocities = picus_replacements_of(s->w.pool, s->zeros);
}

/* A factor without velocities, with all kinds of operations. */
static picus_expr random_factor(linear_scene *s, test_random *random) {
  picus_pool *pool = s->w.pool;
  const picus_expr a = s->x[2 * test_integer(random, 0, SCENE_VELOCITIES - 1) + 1];
  const picus_expr b = s->x[2 * test_integer(random, 0, SCENE_VELOCITIES - 1) + 1];
  switch (test_integer(random, 0, 4)) {
  case 0:
    return picus_unary(pool, PICUS_SIN, picus_mul(pool, a, b));
  case 1:
    return picus_when(pool, picus_binary(pool, PICUS_LESS, a, b), a, picus_neg(pool, b));
  case 2:
    return picus_number(pool, test_integer(random, -2, 2));
  default:
    return picus_sub(pool, a, picus_div(pool, b, a));
  }
}

/* Nested sums of velocities: scaled, divided, subtracted, with and without other terms. */
static picus_expr random_linear(linear_scene *s, test_random *random, int depth) {
  picus_pool *pool = s->w.pool;
  if (depth == 0) return s->x[2 * test_integer(random, 0, SCENE_VELOCITIES - 1)];
  const picus_expr a = random_linear(s, random, depth - 1);
  switch (test_integer(random, 0, 5)) {
  case 0:
    return picus_mul(pool, random_factor(s, random), a);
  case 1:
    return picus_mul(pool, a, random_factor(s, random));
  case 2:
    return picus_div(pool, a, picus_add(pool, picus_number(pool, 4), random_factor(s, random)));
  case 3:
    return picus_neg(pool, a);
  default:
    return picus_sub(pool, a, random_linear(s, random, depth - 1));
  }
}

static double value_at(linear_scene *s, picus_expr expr) {
  double value = NAN;
  CHECK(picus_expr_evaluate(s->w.pool, expr, s->point, &value) == PICUS_OK);
  return value;
}

/* Slopes by increasing variable, of velocities alone, equal to the derivatives up to round-off, and free of velocities:
 * they are the same where all velocities are other ones. */
static void check_linear(linear_scene *s, picus_expr expr) {
  size_t at = 0;
  REQUIRE(picus_linear_find(s->w.pool, expr, &s->velocities, &s->w.linear, &s->w.gradient) == PICUS_OK);
  REQUIRE(s->w.linear.is_linear);
  for (int k = 0; k < SCENE_VARIABLES; k += 2) {
    const bool is_there = at < s->w.gradient.count && s->w.gradient.slopes[at].variable == k;
    const double expected = value_at(s, picus_derivative(s->w.pool, expr, k));
    const double found = is_there ? value_at(s, s->w.gradient.slopes[at++].value) : 0;
    CHECK_NEAR(found, expected, 1e-11 * (1 + fabs(expected)));
  }
  CHECK(at == s->w.gradient.count);
  for (size_t k = 0; k < s->w.gradient.count; k++) {
    const picus_expr slope = s->w.gradient.slopes[k].value;
    CHECK(picus_substitute_all(s->w.pool, slope, &s->velocities).id == slope.id);
  }
}

static void linear_expressions(void) {
  static linear_scene s;
  test_random random = {12};
  for (int i = 0; i < 200; i++) {
    open_linear_scene(&s, &random);
    const picus_expr expr = random_linear(&s, &random, test_integer(&random, 0, 6));
    check_linear(&s, expr);
    CHECK(!s.w.linear.has_rest);
    const picus_expr rest = random_factor(&s, &random);
    check_linear(&s, picus_mul(s.w.pool, picus_number(s.w.pool, 3), picus_add(s.w.pool, rest, expr)));
    CHECK(s.w.linear.has_rest == (rest.id != PICUS_ID_ZERO));
    close_workshop(&s.w);
  }
}

/* Forms that are left to derivatives, and expressions without any velocity. */
static void other_expressions_are_not_linear(void) {
  static linear_scene s;
  test_random random = {13};
  open_linear_scene(&s, &random);
  picus_pool *pool = s.w.pool;
  const picus_expr u = s.x[2], v = s.x[66], q = s.x[3]; /* u, v: the same signature */
  const picus_expr others[] = {picus_mul(pool, u, v),
                               picus_mul(pool, u, u),
                               picus_div(pool, q, u),
                               picus_unary(pool, PICUS_SIN, u),
                               picus_binary(pool, PICUS_POWER, u, q),
                               picus_when(pool, q, u, v),
                               picus_when(pool, picus_binary(pool, PICUS_LESS, u, q), u, v),
                               picus_add(pool, u, picus_mul(pool, q, picus_unary(pool, PICUS_ABS, v)))};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    CHECK(picus_linear_find(pool, others[k], &s.velocities, &s.w.linear, &s.w.gradient) == PICUS_OK);
    CHECK(!s.w.linear.is_linear);
  }
  const picus_expr still[] = {picus_number(pool, 0), picus_number(pool, 2), q, s.x[67]};
  for (size_t k = 0; k < sizeof still / sizeof *still; k++) {
    CHECK(picus_linear_find(pool, still[k], &s.velocities, &s.w.linear, &s.w.gradient) == PICUS_OK);
    CHECK(s.w.linear.is_linear && s.w.gradient.count == 0 && s.w.linear.has_rest == (k > 0));
  }
  CHECK(picus_linear_find(pool, (picus_expr){-1}, &s.velocities, &s.w.linear, &s.w.gradient) != PICUS_OK);
  close_workshop(&s.w);
}

/* n . (v + omega x r) of many bodies in one sum: in time that grows as its length, up to the sort. */
static void long_linear_sums(void) {
  enum { LONG = 100000 };
  workshop w;
  open_workshop(&w);
  static int32_t zeros[2 * LONG];
  picus_expr sum = picus_number(w.pool, 0);
  for (int i = 0; i < LONG; i++) {
    const picus_expr u = picus_variable(w.pool, "u"), q = picus_variable(w.pool, "q");
    zeros[2 * i + 1] = PICUS_ID_INVALID;
    zeros[2 * i] = PICUS_ID_ZERO;
    sum = picus_add(w.pool, sum, picus_mul(w.pool, q, u));
  }
  const picus_replacements velocities = picus_replacements_of(w.pool, zeros);
  CHECK(picus_linear_find(w.pool, sum, &velocities, &w.linear, &w.gradient) == PICUS_OK);
  CHECK(w.linear.is_linear && w.gradient.count == LONG);
  close_workshop(&w);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"random_expressions", random_expressions},
      {"sums_of_many_variables", sums_of_many_variables},
      {"variables_are_exact", variables_are_exact},
      {"long_sums", long_sums},
      {"many_are_replaced_at_once", many_are_replaced_at_once},
      {"linear_expressions", linear_expressions},
      {"other_expressions_are_not_linear", other_expressions_are_not_linear},
      {"long_linear_sums", long_linear_sums},
  };
  return test_main(argc, argv, "expr_gradient", cases, sizeof cases / sizeof *cases);
}
