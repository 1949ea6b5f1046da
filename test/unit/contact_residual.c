/* Projections, the residual, the modes and the check of contact problems. */
#include "contact/internal.h"
#include "unit/solver_cases.h"

#include <float.h>
#include <stdio.h>

static picus_context *context;

/* --- projections ---------------------------------------------------------------------------------------------- */

static void ball_of_each_dimension(void) {
  double x[3] = {3, 0, 0};
  picus_prox_ball(1, 2, x);
  CHECK(x[0] == 2);
  x[0] = -3;
  picus_prox_ball(1, 2, x);
  CHECK(x[0] == -2);
  double y[3] = {3, 4, 0};
  picus_prox_ball(2, 10, y);
  CHECK(y[0] == 3 && y[1] == 4);
  picus_prox_ball(2, 1, y);
  CHECK_NEAR(y[0], 0.6, 1e-15);
  CHECK_NEAR(y[1], 0.8, 1e-15);
  double z[3] = {2, -3, 6};
  picus_prox_ball(3, 3.5, z);
  CHECK_NEAR(z[0], 1, 1e-15);
  CHECK_NEAR(z[1], -1.5, 1e-15);
  CHECK_NEAR(z[2], 3, 1e-15);
  picus_prox_ball(3, 0, z);
  CHECK(z[0] == 0 && z[1] == 0 && z[2] == 0);
  CHECK(picus_prox_positive(-1) == 0 && picus_prox_positive(2) == 2);
}

static void lengths_outside_the_range_of_squares(void) {
  for (int power = -1000; power <= 1000; power += 100) {
    double unit = ldexp(1, power), x[3] = {2 * unit, -3 * unit, 6 * unit};
    CHECK(picus_length(3, x) == 7 * unit);
    picus_prox_ball(3, 3.5 * unit, x);
    CHECK_NEAR(x[2] / unit, 3, 1e-14);
  }
  CHECK(picus_length(2, (double[]){0, 0}) == 0);
  CHECK(!(picus_length(2, (double[]){0, NAN}) <= DBL_MAX));
  CHECK(!(picus_length(2, (double[]){NAN, 0}) <= DBL_MAX));
  CHECK(!(picus_length(2, (double[]){INFINITY, 0}) <= DBL_MAX));
}

static void a_projection_is_the_nearest_point(void) {
  test_random random = {3};
  for (int round = 0; round < 1000; round++) {
    int dim = test_integer(&random, 1, 3);
    double radius = test_uniform(&random, 0, 2), x[3], p[3], other[3], distance = 0, other_distance = 0;
    for (int k = 0; k < dim; k++) {
      x[k] = p[k] = test_uniform(&random, -3, 3);
      other[k] = test_uniform(&random, -3, 3);
    }
    picus_prox_ball(dim, radius, p);
    CHECK(picus_length(dim, p) <= radius * (1 + 1e-15));
    double length = picus_length(dim, other);
    for (int k = 0; k < dim; k++) {
      other[k] *= radius * test_uniform(&random, 0, 1) / length; /* any other point of the ball */
      distance += (p[k] - x[k]) * (p[k] - x[k]);
      other_distance += (other[k] - x[k]) * (other[k] - x[k]);
    }
    CHECK(distance <= other_distance * (1 + 1e-12) + 1e-15);
  }
}

/* --- the residual --------------------------------------------------------------------------------------------- */

static void random_case(contact_case *x, test_random *random, int laws) {
  case_clear(x);
  for (int i = 0; i < laws; i++) case_add_random(x, random, 1, true);
  case_random_G(x, random, x->problem.size + 2);
  case_random_c(x, random);
  for (int k = 0; k < x->problem.size; k++) x->P[k] = test_uniform(random, -1, 1);
}

/* The natural map as it stands in the header, in the plainest way. */
static double plain_natural_map(const picus_law *law, double rho, const double *P, const double *xi) {
  double argument[4], sum = 0;
  for (int k = 0; k < law->dim; k++) argument[k] = P[k] - rho * xi[k];
  int normal = law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
  double radius = law->kind == PICUS_COULOMB ? law->radius * fmax(P[0], 0) : law->radius;
  if (normal) argument[0] = fmax(argument[0], 0);
  if (law->kind == PICUS_COULOMB || law->kind == PICUS_RESERVOIR) {
    double length = 0;
    for (int k = normal; k < law->dim; k++) length += argument[k] * argument[k];
    length = sqrt(length);
    for (int k = normal; k < law->dim && length > radius; k++) argument[k] *= radius / length;
  }
  for (int k = 0; k < law->dim; k++) sum += (P[k] - argument[k]) * (P[k] - argument[k]);
  return sqrt(sum);
}

static double plain_length(int dim, const double *x) {
  double sum = 0;
  for (int k = 0; k < dim; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

static void the_definition(void) {
  static contact_case x;
  test_random random = {17};
  for (int round = 0; round < 500; round++) {
    random_case(&x, &random, test_integer(&random, 1, 6));
    int n = x.problem.size, worst_law = -1;
    double xi[CASE_ROWS], plain_xi[CASE_ROWS], worst = 0, largest_P = 0, scale = 0;
    for (int i = 0; i < n; i++) {
      plain_xi[i] = x.c[i];
      for (int j = 0; j < n; j++) plain_xi[i] += x.G[i * n + j] * x.P[j];
    }
    for (int i = 0, row = 0; i < x.problem.law_count; row += x.laws[i].dim, i++) {
      double trace = 0;
      for (int k = row; k < row + x.laws[i].dim; k++) trace += x.G[k * n + k];
      double rho = x.laws[i].dim / trace;
      double natural = plain_natural_map(&x.laws[i], rho, x.P + row, plain_xi + row);
      if (natural > worst) worst_law = i;
      worst = fmax(worst, natural);
      largest_P = fmax(largest_P, plain_length(x.laws[i].dim, x.P + row));
      scale = fmax(scale, rho * plain_length(x.laws[i].dim, x.c + row));
    }
    picus_residual residual = picus_contact_residual(&x.problem, x.P, xi);
    CHECK_NEAR(residual.natural, worst / fmax(1, largest_P), 1e-13);
    CHECK_NEAR(residual.relative, worst / fmax(fmin(largest_P, 1e3 * scale), scale), 1e-13);
    CHECK(residual.worst_law == worst_law);
    for (int i = 0; i < n; i++) CHECK_NEAR(xi[i], plain_xi[i], 1e-14);
  }
}

static double any_number(test_random *random) {
  static const double special[] = {0,        -0.0,     NAN,    INFINITY, -INFINITY, DBL_MAX,
                                   -DBL_MIN, 4.9e-324, 1e-200, -1e200,   1,         -1};
  const int kind = test_integer(random, 0, 40);
  if (kind < 12) return special[kind];
  return test_uniform(random, -1, 1) * (kind < 16 ? pow(10, test_uniform(random, -300, 300)) : 1);
}

static bool same_bits(double a, double b) {
  return memcmp((const void *)&a, (const void *)&b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* One planar contact is judged apart, but for callers that ask for the arguments: same bits for all numbers. */
static void one_planar_contact(void) {
  test_random random = {17};
  for (int round = 0; round < 20000; round++) {
    double G[4], c[2], P[2], xi[2], argument[2];
    for (int k = 0; k < 4; k++) G[k] = any_number(&random);
    for (int k = 0; k < 2; k++) c[k] = any_number(&random), P[k] = any_number(&random);
    const picus_law law = {
        .kind = PICUS_COULOMB, .dim = 2, .radius = round % 9 ? test_uniform(&random, 0, 1) : any_number(&random)};
    if (round % 2) P[0] = fabs(P[0]), P[1] = round % 4 == 1 ? law.radius * P[0] : P[1];
    const picus_contact_problem problem = {.law_count = 1, .laws = &law, .size = 2, .G = G, .c = c};
    picus_mode mode = PICUS_SLIP, expected = PICUS_SLIP;
    const picus_residual r = picus_contact_judge(&problem, P, NULL, NULL, &mode);
    const picus_residual e = picus_contact_judge(&problem, P, xi, argument, &expected);
    CHECK(same_bits(r.relative, e.relative) && same_bits(r.natural, e.natural) && r.worst_law == e.worst_law);
    CHECK(mode == expected);
  }
}

static void it_vanishes_at_a_solution_only(void) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, PICUS_COULOMB, 2, 0.5);
  x.G[0] = x.G[3] = 2;
  x.c[0] = -2;
  x.c[1] = 3; /* slips: P = (1, -0.5), xi = (0, 2) */
  CHECK(picus_contact_residual(&x.problem, (double[]){1, -0.5}, NULL).relative == 0);
  CHECK(picus_contact_residual(&x.problem, (double[]){1, 0.5}, NULL).relative > 0.1);
  CHECK(picus_contact_residual(&x.problem, (double[]){1, -0.4}, NULL).relative > 0.01);
  CHECK(picus_contact_residual(&x.problem, (double[]){0, 0}, NULL).relative > 0.1);
  CHECK(picus_contact_residual(&x.problem, (double[]){-1, 0}, NULL).relative > 0.1);
  CHECK_NEAR(picus_contact_residual(&x.problem, (double[]){1, -0.5 + 1e-9}, NULL).natural, 1e-9 / hypot(1, 0.5), 1e-15);
}

static void units_do_not_matter(void) {
  static contact_case x;
  test_random random = {5};
  for (int round = 0; round < 100; round++) {
    random_case(&x, &random, 4);
    double before = picus_contact_residual(&x.problem, x.P, NULL).relative;
    int a = test_integer(&random, -300, 300), b = test_integer(&random, -100, 100);
    for (int k = 0; k < x.problem.size * x.problem.size; k++) x.G[k] = ldexp(x.G[k], a);
    for (int k = 0; k < x.problem.size; k++) {
      x.c[k] = ldexp(x.c[k], b);
      x.P[k] = ldexp(x.P[k], b - a);
    }
    for (int i = 0; i < x.problem.law_count; i++)
      if (x.laws[i].kind == PICUS_RESERVOIR) x.laws[i].radius = ldexp(x.laws[i].radius, b - a);
    CHECK_NEAR(picus_contact_residual(&x.problem, x.P, NULL).relative, before, 1e-14 * before);
  }
}

static void a_law_that_acts_on_nothing(void) {
  static contact_case x;
  static const picus_law_kind kinds[] = {PICUS_UNILATERAL, PICUS_COULOMB, PICUS_RESERVOIR, PICUS_BILATERAL};
  for (int k = 0; k < 4; k++)
    for (int sign = -1; sign <= 1; sign++) {
      case_clear(&x);
      case_add(&x, kinds[k], kinds[k] == PICUS_COULOMB ? 2 : 1, 0.5);
      x.c[0] = sign;
      picus_residual residual = picus_contact_residual(&x.problem, x.P, NULL);
      bool opens = sign == 0 || (sign > 0 && (k == 0 || k == 1));
      CHECK(opens ? residual.relative == 0 : residual.relative >= 0.5 && residual.relative <= 1);
    }
  /* beside a law that acts on something, its rho is that of the whole matrix */
  case_clear(&x);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  x.G[0] = 4;
  x.c[0] = -4;
  x.c[1] = -6;
  picus_residual residual = picus_contact_residual(&x.problem, (double[]){1, 0}, NULL);
  CHECK(residual.worst_law == 1);
  CHECK_NEAR(residual.natural, 3, 1e-15);
}

static void no_laws_and_no_numbers(void) {
  static contact_case x;
  case_clear(&x);
  picus_residual residual = picus_contact_residual(&x.problem, x.P, NULL);
  CHECK(residual.relative == 0 && residual.natural == 0 && residual.worst_law == -1);
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  test_random random = {1};
  for (int k = 0; k < 3; k++)
    for (int place = 0; place < 4; place++) {
      random_case(&x, &random, 3);
      double *const places[] = {&x.G[1], &x.c[x.problem.size - 1], &x.P[0], &x.laws[1].radius};
      if (place == 3) x.laws[1].kind = x.laws[1].dim == 1 ? PICUS_RESERVOIR : PICUS_COULOMB;
      if (place == 3 && x.laws[1].dim == 4) continue;
      *places[place] = bad[k];
      residual = picus_contact_residual(&x.problem, x.P, NULL);
      CHECK(isinf(residual.relative) && isinf(residual.natural) && residual.worst_law >= 0);
    }
}

/* --- modes ---------------------------------------------------------------------------------------------------- */

static picus_mode mode_of(picus_law law, const double *P, const double *c) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, law.kind, law.dim, law.radius);
  for (int k = 0; k < law.dim; k++) {
    x.G[k * law.dim + k] = 1;
    x.c[k] = c[k];
  }
  picus_mode mode;
  picus_contact_judge(&x.problem, P, NULL, NULL, &mode);
  return mode;
}

static void modes_from_arguments(void) {
  const picus_law planar = {PICUS_COULOMB, 2, 0.5}, spatial = {PICUS_COULOMB, 3, 0.5}, smooth = {PICUS_COULOMB, 2, 0};
  const picus_law reservoir = {PICUS_RESERVOIR, 1, 0.5}, unilateral = {PICUS_UNILATERAL, 1, 0};
  /* with G = 1 the argument of a row is -c */
  CHECK(mode_of(planar, (double[]){0, 0}, (double[]){1, 0}) == PICUS_OPEN);
  CHECK(mode_of(planar, (double[]){0, 0}, (double[]){0, 0}) == PICUS_OPEN);
  CHECK(mode_of(planar, (double[]){1, -0.4}, (double[]){-1, 0.4}) == PICUS_STICK);
  CHECK(mode_of(planar, (double[]){1, -0.5}, (double[]){-1, 0.6}) == PICUS_SLIP);
  CHECK(mode_of(planar, (double[]){1, -0.5}, (double[]){-1, 0.5}) == PICUS_SLIP); /* the boundary impresses */
  CHECK(mode_of(spatial, (double[]){1, -0.3, 0.3}, (double[]){-1, 0.3, -0.3}) == PICUS_STICK);
  CHECK(mode_of(spatial, (double[]){1, -0.3, 0.4}, (double[]){-1, 0.6, -0.8}) == PICUS_SLIP);
  CHECK(mode_of(smooth, (double[]){1, 0}, (double[]){-1, 0}) == PICUS_SLIP);
  CHECK(mode_of(reservoir, (double[]){0.2}, (double[]){-0.2}) == PICUS_STICK);
  CHECK(mode_of(reservoir, (double[]){0.5}, (double[]){-0.7}) == PICUS_SLIP);
  CHECK(mode_of(unilateral, (double[]){0.5}, (double[]){-0.5}) == PICUS_STICK);
  CHECK(mode_of(unilateral, (double[]){0}, (double[]){0.5}) == PICUS_OPEN);
  CHECK(mode_of((picus_law){PICUS_BILATERAL, 1, 0}, (double[]){0}, (double[]){0}) == PICUS_STICK);
}

/* --- the check of problems ------------------------------------------------------------------------------------ */

static void expect(const contact_case *x, picus_status status, const char *part) {
  picus_clear_error(context);
  CHECK(picus_contact_problem_check(context, &x->problem) == status);
  if (!CHECK(strstr(picus_last_error(context)->message, part) != NULL))
    printf("  \"%s\" is not in \"%s\"\n", part, picus_last_error(context)->message);
}

static void good_case(contact_case *x) {
  case_clear(x);
  case_add(x, PICUS_BILATERAL, 1, 0);
  case_add(x, PICUS_COULOMB, 3, 0.3);
  case_add(x, PICUS_RESERVOIR, 2, 1);
  for (int k = 0; k < x->problem.size; k++) x->G[k * (x->problem.size + 1)] = 1;
}

static void wrong_problems_are_named(void) {
  static contact_case x;
  good_case(&x);
  expect(&x, PICUS_OK, "");
  x.laws[1].radius = -0.1;
  expect(&x, PICUS_ERROR_ARGUMENT, "friction coefficient of law 1");
  x.laws[1].radius = NAN;
  expect(&x, PICUS_ERROR_NUMBER, "friction coefficient of law 1");
  good_case(&x);
  x.laws[2].radius = -1;
  expect(&x, PICUS_ERROR_ARGUMENT, "largest percussion of law 2");
  good_case(&x);
  x.laws[1].dim = 5;
  expect(&x, PICUS_ERROR_DIMENSION, "law 1 (Coulomb) has 5 rows");
  x.laws[1].dim = 1;
  expect(&x, PICUS_ERROR_DIMENSION, "law 1 (Coulomb) has 1 rows");
  good_case(&x);
  x.laws[0].dim = 2;
  expect(&x, PICUS_ERROR_DIMENSION, "law 0 (bilateral)");
  good_case(&x);
  x.laws[2].dim = 4;
  expect(&x, PICUS_ERROR_DIMENSION, "law 2 (reservoir)");
  good_case(&x);
  x.laws[2].kind = (picus_law_kind)9;
  expect(&x, PICUS_ERROR_ARGUMENT, "law 2 of the contact problem has the unknown kind 9");
  good_case(&x);
  x.problem.size = 7;
  expect(&x, PICUS_ERROR_DIMENSION, "6 rows in total, but the problem has 7");
  good_case(&x);
  x.c[2] = NAN;
  expect(&x, PICUS_ERROR_NUMBER, "c[2], in the rows of law 1");
  good_case(&x);
  x.G[5 * 6 + 1] = INFINITY;
  expect(&x, PICUS_ERROR_NUMBER, "G[5][1], in the rows of law 2");
  good_case(&x);
  x.problem.law_count = -1;
  expect(&x, PICUS_ERROR_DIMENSION, "cannot have -1 laws");
  good_case(&x);
  x.problem.G = NULL;
  expect(&x, PICUS_ERROR_ARGUMENT, "has no laws, no G or no c");
  case_clear(&x);
  x.problem = (picus_contact_problem){0};
  expect(&x, PICUS_OK, "");
}

static void misfits_get_an_infinite_residual(void) {
  static contact_case x;
  good_case(&x);
  x.laws[1].dim = 4; /* one row too many */
  CHECK(isinf(picus_contact_residual(&x.problem, x.P, NULL).relative));
  good_case(&x);
  x.laws[1].dim = 2000000000;
  CHECK(isinf(picus_contact_residual(&x.problem, x.P, NULL).relative));
}

/* One contact in space with numbers that can be worked out by hand. */
static void residuals_one_by_one(void) {
  picus_law law = {PICUS_COULOMB, 3, 0.5};
  double G[9] = {2, 0, 0, 0, 4, 0, 0, 0, 4}, P[3] = {1, 0.3, 0},
         c[3] = {0.1 - 2, 0.2 - 1.2, 0}; /* xi = (0.1, 0.2, 0) */
  picus_contact_problem problem = {.law_count = 1, .laws = &law, .size = 3, .G = G, .c = c};
  double rho = 0.3, length = hypot(c[0], c[1]), scale = fmax(hypot(1, 0.3), rho * length);
  picus_residuals r = picus_contact_residuals(&problem, P);
  CHECK_NEAR(r.signorini, rho * 0.1 / scale, 1e-15);
  CHECK_NEAR(r.cone, 0, 0);
  CHECK_NEAR(r.dissipation, 0.8 * (rho * 0.2 / 0.5) / scale, 1e-15);
  CHECK(r.worst_signorini == 0 && r.worst_cone == 0 && r.worst_dissipation == 0);
  CHECK_NEAR(r.de_saxce, hypot(0.2, 0.2) / length, 1e-15); /* P - u lies in the cone: the defect is u */
  CHECK_NEAR(r.fclib, hypot(0.2, 0.2) / (1 + sqrt(length)), 1e-15);
  P[1] = 0.8; /* outside the cone */
  CHECK_NEAR(picus_contact_residuals(&problem, P).cone, 0.3 / fmax(hypot(1, 0.8), rho * length), 1e-15);
  P[0] = -1;
  CHECK(picus_contact_residuals(&problem, P).cone > 0.5);
  P[2] = NAN;
  CHECK(isinf(picus_contact_residuals(&problem, P).fclib));
  law.kind = PICUS_RESERVOIR; /* no normal rows */
  P[0] = P[1] = P[2] = 0;
  r = picus_contact_residuals(&problem, P);
  CHECK(r.worst_signorini == -1 && r.signorini == 0 && r.worst_cone == 0);
}

/* At a solution all of them vanish. */
static void all_residuals_vanish_at_a_solution(void) {
  test_random random = {31};
  static contact_case x;
  for (int round = 0; round < 300; round++) {
    case_clear(&x);
    for (int i = 0; i < 6; i++) {
      picus_law_kind kind = (picus_law_kind)test_integer(&random, 0, 3);
      case_add(&x, kind, kind == PICUS_COULOMB ? test_integer(&random, 2, 4) : kind == PICUS_RESERVOIR ? 2 : 1, 0.2);
    }
    case_random_G(&x, &random, 2 * x.problem.size);
    case_random_c(&x, &random);
    REQUIRE(case_solve_alone(&x, context, "gs") == PICUS_OK);
    picus_residuals r = picus_contact_residuals(&x.problem, x.P);
    CHECK(r.signorini < 1e-12 && r.cone < 1e-15 && r.dissipation < 1e-12);
    CHECK(r.de_saxce < 1e-11 && r.fclib < 1e-11);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"ball_of_each_dimension", ball_of_each_dimension},
      {"lengths_outside_the_range_of_squares", lengths_outside_the_range_of_squares},
      {"a_projection_is_the_nearest_point", a_projection_is_the_nearest_point},
      {"the_definition", the_definition},
      {"one_planar_contact", one_planar_contact},
      {"it_vanishes_at_a_solution_only", it_vanishes_at_a_solution_only},
      {"units_do_not_matter", units_do_not_matter},
      {"a_law_that_acts_on_nothing", a_law_that_acts_on_nothing},
      {"no_laws_and_no_numbers", no_laws_and_no_numbers},
      {"modes_from_arguments", modes_from_arguments},
      {"wrong_problems_are_named", wrong_problems_are_named},
      {"misfits_get_an_infinite_residual", misfits_get_an_infinite_residual},
      {"residuals_one_by_one", residuals_one_by_one},
      {"all_residuals_vanish_at_a_solution", all_residuals_vanish_at_a_solution},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "contact_residual", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
