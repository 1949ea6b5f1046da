/* Gradients: the same expressions as derivatives one by one, exact variables, and long sums in time that grows as their
 * length. */
#include "expr_random.h"

#include "expr/internal.h"

#include <stdio.h>

typedef struct workshop {
  picus_context *context;
  picus_pool *pool;
  picus_gradient gradient;
} workshop;

static void open_workshop(workshop *w) {
  *w = (workshop){0};
  picus_context_create(NULL, &w->context);
  picus_pool_create(w->context, &w->pool);
}

static void close_workshop(workshop *w) {
  picus_gradient_release(w->context, &w->gradient);
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

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"random_expressions", random_expressions},
      {"sums_of_many_variables", sums_of_many_variables},
      {"variables_are_exact", variables_are_exact},
      {"long_sums", long_sums},
      {"many_are_replaced_at_once", many_are_replaced_at_once},
  };
  return test_main(argc, argv, "expr_gradient", cases, sizeof cases / sizeof *cases);
}
