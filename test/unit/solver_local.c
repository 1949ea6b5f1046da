/* The exact solver of one law: thousands of random laws, near every edge, in every unit. The residual is recomputed
 * here, and for contacts in space the slip direction is found by brute force as well. */
#include "solver_cases.h"
#include "sweep/local.h"

#define TOLERANCE 2e-14 /* of the error over max(|P|, free percussion) */

static double worst_error; /* of the case that runs, for the report when a check fails */

/* G = V^T V with dof rows of V, and stiff: a factor between its rows that makes it nearly singular. */
static void random_law(contact_case *x, test_random *random, picus_law_kind kind, int dim, double stiff) {
  double V[6][4];
  case_clear(x);
  case_add(x, kind, dim, 0);
  for (int k = 0; k < 6; k++)
    for (int j = 0; j < dim; j++) V[k][j] = test_uniform(random, -1, 1) * (k < dim - 1 ? 1 : stiff);
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++)
      for (int k = 0; k < 6; k++) x->G[i * dim + j] += V[k][i] * V[k][j];
  case_random_c(x, random);
}

static double solve_and_judge(contact_case *x) {
  picus_local_law local;
  picus_local_prepare(x->laws, x->G, (size_t)x->problem.size, &local);
  picus_local_solve(&local, x->c, x->P);
  double error = case_error(x, x->P);
  double again[4]; /* from the lambda of the first solve */
  picus_local_solve(&local, x->c, again);
  error = fmax(error, case_error(x, again));
  worst_error = fmax(worst_error, error);
  return error;
}

static void set_units(contact_case *x, double G_unit, double c_unit) {
  int n = x->problem.size;
  for (int k = 0; k < n * n; k++) x->G[k] *= G_unit;
  for (int k = 0; k < n; k++) x->c[k] *= c_unit;
  if (x->laws[0].kind == PICUS_RESERVOIR) x->laws[0].radius *= c_unit / G_unit;
}

static double random_mu(test_random *random) {
  int choice = test_integer(random, 0, 5);
  if (choice == 0) return 0;
  if (choice == 1) return pow(10, test_uniform(random, -12, 0));
  if (choice == 2) return pow(10, test_uniform(random, 0, 8));
  return test_uniform(random, 0, 1.5);
}

static void contacts_are_solved(void) {
  test_random random = {1};
  static contact_case x;
  worst_error = 0;
  for (int run = 0; run < 30000; run++) {
    random_law(&x, &random, PICUS_COULOMB, test_integer(&random, 2, 4), 1);
    x.laws[0].radius = random_mu(&random);
    CHECK(solve_and_judge(&x) <= TOLERANCE);
  }
  CHECK_NEAR(worst_error, 0, TOLERANCE);
}

static void reservoirs_are_solved(void) {
  test_random random = {2};
  static contact_case x;
  worst_error = 0;
  for (int run = 0; run < 30000; run++) {
    random_law(&x, &random, PICUS_RESERVOIR, test_integer(&random, 1, 3), 1);
    x.laws[0].radius = random_mu(&random);
    CHECK(solve_and_judge(&x) <= TOLERANCE);
  }
  CHECK_NEAR(worst_error, 0, TOLERANCE);
}

/* The first solution in other units is the solution there, in every digit that matters. */
static void units_do_not_matter(void) {
  test_random random = {3};
  static contact_case x;
  for (int run = 0; run < 5000; run++) {
    bool contact = run % 2;
    random_law(&x, &random, contact ? PICUS_COULOMB : PICUS_RESERVOIR, contact ? test_integer(&random, 2, 4) : 2, 1);
    x.laws[0].radius = test_uniform(&random, 0, 1);
    solve_and_judge(&x);
    double first[4], unit_G = pow(10, test_integer(&random, -12, 12)), unit_c = pow(10, test_integer(&random, -12, 12));
    for (int k = 0; k < x.problem.size; k++) first[k] = x.P[k] * unit_c / unit_G;
    set_units(&x, unit_G, unit_c);
    CHECK(solve_and_judge(&x) <= TOLERANCE);
    CHECK(case_difference(x.problem.size, first, x.P) < 1e-10);
  }
}

/* Whether the percussion that does nothing (the null vector of a 3 x 3 block, nearly) lies in the friction cone: then
 * the contact can jam, and some velocities c leave it without solution. */
static bool can_jam(const contact_case *x) {
  const double *G = x->G;
  double null[3] = {0}, largest = 0;
  for (int i = 0; i < 3; i++) { /* the longest product of two rows */
    const double *a = G + 3 * i, *b = G + 3 * ((i + 1) % 3);
    double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length <= largest) continue;
    largest = length;
    memcpy(null, n, sizeof n);
  }
  return hypot(null[1], null[2]) < (1 + 1e-6) * x->laws[0].radius * fabs(null[0]);
}

/* Singular blocks, and nearly singular ones: percussions may be large, and the error is small relative to them. */
static void nearly_singular_blocks(void) {
  test_random random = {4};
  static contact_case x;
  int solved = 0;
  for (int run = 0; run < 20000; run++) {
    bool contact = run % 2;
    double stiff = run % 5 ? pow(10, test_uniform(&random, -9, 0)) : 0;
    random_law(&x, &random, contact ? PICUS_COULOMB : PICUS_RESERVOIR, contact ? 3 : 2, stiff);
    x.laws[0].radius = random_mu(&random);
    double error = solve_and_judge(&x);
    solved += error <= 1e-12;
    if (error <= 1e-12) continue;
    CHECK(stiff < 1e-7 && contact && can_jam(&x));
    CHECK(error < 10 && fabs(x.P[0]) < 1e9);
  }
  CHECK(solved > 19500);
}

/* Friction at the very edge of its cone: the sticking solution scaled to it, and a little beside it. */
static void edges_of_the_cone(void) {
  test_random random = {5};
  static contact_case x;
  for (int run = 0; run < 20000; run++) {
    int dim = test_integer(&random, 2, 4);
    random_law(&x, &random, PICUS_COULOMB, dim, 1);
    double P[4], beside = run % 3 ? 1 + test_uniform(&random, -1, 1) * pow(10, -test_integer(&random, 2, 16)) : 1;
    P[0] = test_uniform(&random, 0.1, 1);
    double mu = x.laws[0].radius = test_uniform(&random, 0.01, 2), length = 0;
    for (int k = 1; k < dim; k++) {
      P[k] = test_uniform(&random, -1, 1);
      length += P[k] * P[k];
    }
    for (int k = 1; k < dim; k++) P[k] *= beside * mu * P[0] / sqrt(length);
    for (int i = 0; i < dim; i++) {
      x.c[i] = 0;
      for (int j = 0; j < dim; j++) x.c[i] -= x.G[i * dim + j] * P[j];
    }
    CHECK(solve_and_judge(&x) <= TOLERANCE);
  }
}

/* Slip in the direction theta: how far the slip velocity is off the line against it. */
static double off_line(const contact_case *x, double theta, double *P) {
  const double *G = x->G, *c = x->c;
  double mu = x->laws[0].radius, ex = cos(theta), ey = sin(theta);
  P[0] = -c[0] / (G[0] + mu * (G[1] * ex + G[2] * ey));
  P[1] = mu * P[0] * ex;
  P[2] = mu * P[0] * ey;
  double u = G[3] * P[0] + G[4] * P[1] + G[5] * P[2] + c[1], v = G[6] * P[0] + G[7] * P[1] + G[8] * P[2] + c[2];
  return u * ey - v * ex;
}

/* All slip directions are tried; the solver's P must be among the solutions, or stick where it should. */
static void brute_force_agrees(void) {
  test_random random = {6};
  static contact_case x;
  int slipping = 0;
  for (int run = 0; run < 2000; run++) {
    random_law(&x, &random, PICUS_COULOMB, 3, 1);
    x.laws[0].radius = test_uniform(&random, 0.05, 0.5);
    x.c[0] = -fabs(x.c[0]) - 0.01;
    solve_and_judge(&x);
    if (hypot(x.P[1], x.P[2]) < 0.999 * x.laws[0].radius * x.P[0]) continue; /* sticks: checked by its residual */
    double nearest = INFINITY, P[3];
    enum { DIRECTIONS = 720 };
    for (int k = 0; k < DIRECTIONS; k++) {
      double low = 6.283185307179586 * k / DIRECTIONS, high = 6.283185307179586 * (k + 1) / DIRECTIONS;
      bool sign = off_line(&x, low, P) < 0;
      if ((off_line(&x, high, P) < 0) == sign) continue;
      for (int halving = 0; halving < 60; halving++) {
        double middle = (low + high) / 2;
        if ((off_line(&x, middle, P) < 0) == sign)
          low = middle;
        else
          high = middle;
      }
      off_line(&x, low, P);
      nearest = fmin(nearest, case_difference(3, P, x.P));
    }
    slipping++;
    CHECK(nearest < 1e-9);
  }
  CHECK(slipping > 300);
}

/* G need not be symmetric. */
static void unsymmetric_blocks(void) {
  test_random random = {7};
  static contact_case x;
  for (int run = 0; run < 10000; run++) {
    bool contact = run % 2;
    random_law(&x, &random, contact ? PICUS_COULOMB : PICUS_RESERVOIR, contact ? test_integer(&random, 2, 4) : 3, 1);
    for (int k = 0, n = x.problem.size; k < n * n; k++)
      x.G[k] = x.G[k] * (1 + test_uniform(&random, -0.05, 0.05)) + (k % (n + 1) ? 0 : 0.5);
    x.laws[0].radius = test_uniform(&random, 0, 0.6);
    CHECK(solve_and_judge(&x) <= TOLERANCE);
  }
}

/* Laws that act on nothing, or in some directions only, and numbers at the ends of their range: finite, and in the set.
 */
static void degenerate_blocks(void) {
  static contact_case x;
  static const double c_values[][3] = {{-1, 1, 2}, {0, 0, 0}, {1, -1, 0}, {-1, 0, 0}, {-1e-300, 1, 1}, {-1e200, 1, 1}};
  static const double G_values[][9] = {{0}, {1}, {1, 0, 0, 0, 1}, {0, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 1, 0, 1, 1}, {-1}};
  static const double radii[] = {0, 1e-300, 0.5, 1e8, 1e300};
  for (int g = 0; g < 6; g++)
    for (int c = 0; c < 6; c++)
      for (int r = 0; r < 5; r++)
        for (int kind = 0; kind < 4; kind++) {
          case_clear(&x);
          case_add(&x, (picus_law_kind)kind, kind < 2 ? 1 : 3, radii[r]);
          memcpy(x.G, G_values[g], sizeof G_values[g]);
          memcpy(x.c, c_values[c], sizeof c_values[c]);
          solve_and_judge(&x);
          for (int k = 0; k < x.problem.size; k++) CHECK(isfinite(x.P[k]));
          double projected[3];
          memcpy(projected, x.P, sizeof projected);
          picus_contact_project(&x.problem, projected);
          CHECK(case_difference(x.problem.size, projected, x.P) < 1e-15);
        }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"contacts_are_solved", contacts_are_solved}, {"reservoirs_are_solved", reservoirs_are_solved},
      {"units_do_not_matter", units_do_not_matter}, {"nearly_singular_blocks", nearly_singular_blocks},
      {"edges_of_the_cone", edges_of_the_cone},     {"brute_force_agrees", brute_force_agrees},
      {"unsymmetric_blocks", unsymmetric_blocks},   {"degenerate_blocks", degenerate_blocks},
  };
  return test_main(argc, argv, "solver_local", cases, (int)(sizeof cases / sizeof *cases));
}
