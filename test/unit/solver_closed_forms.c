/* Every solver against solutions that can be written down. */
#include "solver/internal.h"
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;
static const char *const all[] = {"auto", "direct", "psor", "lemke", "gs", "pjor"};
static const char *const spatial[] = {"auto", "psor", "gs", "pjor"};

/* Solves x cold with each of the named solvers, alone, and compares P and the modes. */
static void expect(contact_case *x, const char *const *names, int count, const double *P, const picus_mode *modes) {
  double scale = 0;
  for (int i = 0; i < x->problem.size; i++) scale = fmax(scale, fabs(P[i]));
  for (int k = 0; k < count; k++) {
    if (!CHECK(case_solve_alone(x, context, names[k]) == PICUS_OK))
      printf("  %s: %s\n", names[k], picus_last_error(context)->message);
    CHECK(x->info.status == PICUS_OK && x->info.fallbacks == 0 && x->info.iterations >= 0);
    CHECK(case_error(x, x->P) < 1e-12);
    bool good = true;
    for (int i = 0; i < x->problem.size; i++) good = CHECK_NEAR(x->P[i], P[i], 1e-12 * scale) && good;
    for (int i = 0; i < x->problem.law_count; i++) good = CHECK(x->modes[i] == modes[i]) && good;
    if (!good) printf("  ... with the solver %s\n", names[k]);
  }
}

static void planar_contact(contact_case *x, double mu, const double G[4], double cN, double cT) {
  case_clear(x);
  case_add(x, PICUS_COULOMB, 2, mu);
  memcpy(x->G, G, 4 * sizeof *G);
  x->c[0] = cN;
  x->c[1] = cT;
}

static void one_contact_opens_sticks_and_slips(void) {
  static contact_case x;
  const double G[4] = {2, 0, 0, 4};
  planar_contact(&x, 0.5, G, 1, 3);
  expect(&x, all, 6, (double[]){0, 0}, (picus_mode[]){PICUS_OPEN});
  planar_contact(&x, 0.5, G, -2, 1); /* P_T = -1/4, limit 1/2 */
  expect(&x, all, 6, (double[]){1, -0.25}, (picus_mode[]){PICUS_STICK});
  planar_contact(&x, 0.5, G, -2, 3);
  expect(&x, all, 6, (double[]){1, -0.5}, (picus_mode[]){PICUS_SLIP});
  planar_contact(&x, 0.5, G, -2, -3);
  expect(&x, all, 6, (double[]){1, 0.5}, (picus_mode[]){PICUS_SLIP});
}

static void coupled_contact(void) {
  static contact_case x;
  const double G[4] = {2, 1, 1, 3};
  planar_contact(&x, 0.4, G, -2, 5); /* P_T = -mu P_N: (2 - mu) P_N = 2 */
  expect(&x, all, 6, (double[]){1.25, -0.5}, (picus_mode[]){PICUS_SLIP});
  planar_contact(&x, 0.4, G, -2, -8); /* (2 + mu) P_N = 2 */
  expect(&x, all, 6, (double[]){2 / 2.4, 0.8 / 2.4}, (picus_mode[]){PICUS_SLIP});
  planar_contact(&x, 0.4, G, -2, -0.5); /* det = 5: P = (6 - 0.5, 1 - 2) / 5 */
  expect(&x, all, 6, (double[]){1.1, -0.2}, (picus_mode[]){PICUS_STICK});
}

static bool closed_form(contact_case *x) {
  const picus_solver_options options = picus_default_solver_options();
  int iterations = 0;
  return !picus_closed_form_solver.solve(&options, &x->problem, (picus_solver_memory){0}, x->P, x->modes,
                                         &iterations) &&
         iterations == 1;
}

/* The closed forms for one law, without the solver that would take over if they were wrong. */
static void closed_form_of_one_law(void) {
  static contact_case x;
  test_random random = {6};
  int seen[4] = {0}; /* open, stick, slip in either direction */
  for (int round = 0; round < 20000; round++) {
    double a = test_uniform(&random, 0.1, 3), e = test_uniform(&random, 0.1, 3), mu = test_uniform(&random, 0, 1.5);
    double b = test_uniform(&random, -0.99, 0.99) * sqrt(a * e);
    planar_contact(&x, mu, (double[]){a, b, b, e}, test_uniform(&random, -1, 0.3), test_uniform(&random, -2, 2));
    CHECK(closed_form(&x));
    picus_residual residual = picus_contact_judge(&x.problem, x.P, NULL, NULL, x.modes);
    CHECK(residual.relative < 1e-13);
    CHECK(case_error(&x, x.P) < 1e-12);
    seen[x.modes[0] == PICUS_SLIP && x.P[1] < 0 ? 3 : (int)x.modes[0]]++;
  }
  for (int k = 0; k < 4; k++) CHECK(seen[k] > 1000);
  for (int round = 0; round < 2000; round++) {
    static const picus_law_kind kinds[] = {PICUS_UNILATERAL, PICUS_BILATERAL, PICUS_RESERVOIR};
    case_clear(&x);
    case_add(&x, kinds[round % 3], 1, test_uniform(&random, 0, 1));
    x.G[0] = round % 7 ? test_uniform(&random, 0.1, 3) : 0;
    x.c[0] = test_uniform(&random, -1, 1);
    CHECK(closed_form(&x));
    bool solvable = x.G[0] > 0 || round % 3 == 2 || (round % 3 == 0 && x.c[0] >= 0);
    CHECK((case_error(&x, x.P) < 1e-14) == solvable);
  }
  for (int round = 0; round < 1000; round++) { /* friction in two and three directions */
    case_clear(&x);
    bool contact = round % 2;
    case_add(&x, contact ? PICUS_COULOMB : PICUS_RESERVOIR, test_integer(&random, 2, 3) + contact, 0.3);
    case_random_G(&x, &random, 6);
    case_random_c(&x, &random);
    CHECK(closed_form(&x));
    CHECK(case_error(&x, x.P) < 2e-14);
  }
}

/* A ball of mass m that falls with v bounces back with e v, its horizontal velocity ut slowed by friction. */
static void restitution_in_c(void) {
  static contact_case x;
  const double m = 2, e = 0.7, v = 3, ut = 10, mu = 0.2, G[4] = {1 / m, 0, 0, 1 / m};
  planar_contact(&x, mu, G, -(1 + e) * v, ut);
  double PN = m * (1 + e) * v;
  expect(&x, all, 6, (double[]){PN, -mu * PN}, (picus_mode[]){PICUS_SLIP});
  CHECK_NEAR(-v + x.P[0] / m, e * v, 1e-14);
  CHECK_NEAR(ut + x.P[1] / m, ut - mu * (1 + e) * v, 1e-14);
}

static void block_on_an_incline(void) {
  static contact_case x;
  const double m = 3, alpha = 0.4, dt = 1e-3, g = 9.81, G[4] = {1 / m, 0, 0, 1 / m};
  for (int side = -1; side <= 1; side += 2) {
    double mu = tan(alpha) + side * 1e-6;
    planar_contact(&x, mu, G, -g * cos(alpha) * dt, g * sin(alpha) * dt);
    double PN = m * g * cos(alpha) * dt;
    double PT = side > 0 ? -m * g * sin(alpha) * dt : -mu * PN;
    expect(&x, all, 6, (double[]){PN, PT}, (picus_mode[]){side > 0 ? PICUS_STICK : PICUS_SLIP});
  }
}

/* A bar on two supports that carry the same normal row: the load is shared by direct; every solver holds it. */
static void two_redundant_supports(void) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  for (int k = 0; k < 4; k++) x.G[k] = 0.5;
  x.c[0] = x.c[1] = -1;
  for (int k = 0; k < 6; k++) {
    CHECK(case_solve_alone(&x, context, all[k]) == PICUS_OK);
    CHECK_NEAR(x.P[0] + x.P[1], 2, 1e-12);
    CHECK(x.P[0] >= 0 && x.P[1] >= 0);
    if (k < 2) CHECK_NEAR(x.P[0], 1, 1e-12);
  }
}

/* A block of width 2 b with its centre at height h on two feet, pushed sideways below its friction limit: four contact
 * rows for three degrees of freedom. Equilibrium fixes the normal forces and the sum of the friction forces. */
static void block_on_two_feet(void) {
  static contact_case x;
  const double m = 2, J = 0.5, b = 1, h = 0.7, push = 0.3, weight = 1, mu = 0.6;
  case_clear(&x);
  case_add(&x, PICUS_COULOMB, 2, mu);
  case_add(&x, PICUS_COULOMB, 2, mu);
  /* rows in (x, y, phi): normal (0, 1, -+b), tangential (1, 0, h) */
  const double W[4][3] = {{0, 1, -b}, {1, 0, h}, {0, 1, b}, {1, 0, h}}, u[3] = {push / m, -weight / m, 0};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) x.G[4 * i + j] = (W[i][0] * W[j][0] + W[i][1] * W[j][1]) / m + W[i][2] * W[j][2] / J;
    x.c[i] = W[i][0] * u[0] + W[i][1] * u[1] + W[i][2] * u[2];
  }
  for (int k = 0; k < 6; k++) {
    CHECK(case_solve_alone(&x, context, all[k]) == PICUS_OK);
    CHECK_NEAR(x.P[0] + x.P[2], weight, 1e-11);
    CHECK_NEAR(x.P[1] + x.P[3], -push, 1e-11);
    CHECK_NEAR(b * (x.P[2] - x.P[0]), h * push, 1e-11);
    CHECK(case_error(&x, x.P) < 1e-11);
  }
}

static void bilateral_rows(void) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, PICUS_BILATERAL, 1, 0);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_BILATERAL, 1, 0);
  const double G[9] = {2, 1, 0, 1, 2, 1, 0, 1, 2};
  memcpy(x.G, G, sizeof G);
  x.c[0] = 1;
  x.c[1] = 4;
  x.c[2] = -1; /* open: P_0 = -1/2, P_2 = 1/2, xi_1 = 4 */
  expect(&x, all, 6, (double[]){-0.5, 0, 0.5}, (picus_mode[]){PICUS_STICK, PICUS_OPEN, PICUS_STICK});
  x.c[1] = -1; /* closed; after elimination xi_1 = P_1 - 1 */
  expect(&x, all, 6, (double[]){-1, 1, 0}, (picus_mode[]){PICUS_STICK, PICUS_STICK, PICUS_STICK});
}

static void redundant_bilateral_rows(void) {
  static contact_case x;
  case_clear(&x);
  for (int k = 0; k < 3; k++) case_add(&x, PICUS_BILATERAL, 1, 0);
  const double w[3] = {1, 2, -1}; /* three rows on one degree of freedom */
  for (int i = 0; i < 3; i++) {
    x.c[i] = 0.5 * w[i];
    for (int j = 0; j < 3; j++) x.G[3 * i + j] = w[i] * w[j];
  }
  for (int k = 0; k < 6; k++) {
    CHECK(case_solve_alone(&x, context, all[k]) == PICUS_OK);
    CHECK_NEAR(w[0] * x.P[0] + w[1] * x.P[1] + w[2] * x.P[2], -0.5, 1e-12);
  }
  x.c[1] += 0.3; /* now they contradict each other */
  for (int k = 0; k < 6; k++) {
    picus_status status = case_solve_alone(&x, context, all[k]);
    CHECK(status == PICUS_NOT_CONVERGED || status == PICUS_NO_SOLUTION);
    if (k == 3) CHECK(status == PICUS_NO_SOLUTION);
  }
}

static void reservoir_in_one_two_and_three_dimensions(void) {
  static contact_case x;
  const double direction[3] = {2. / 7, -3. / 7, 6. / 7};
  for (int dim = 1; dim <= 3; dim++)
    for (int slips = 0; slips <= 1; slips++) {
      double a = 1.5, G = 4, slip = slips ? 10 : 5, P[3], length = 0; /* the percussion that stops it: slip / 4 */
      case_clear(&x);
      case_add(&x, PICUS_RESERVOIR, dim, a);
      for (int k = 0; k < dim; k++) length = hypot(length, direction[k]);
      for (int k = 0; k < dim; k++) {
        x.G[k * (dim + 1)] = G;
        x.c[k] = slip * direction[k] / length;
        P[k] = -(slips ? a : slip / G) * direction[k] / length;
      }
      expect(&x, dim == 1 ? all : spatial, dim == 1 ? 6 : 4, P, (picus_mode[]){slips ? PICUS_SLIP : PICUS_STICK});
    }
}

static void spatial_contact_sticks_and_slips(void) {
  static contact_case x;
  const double direction[3] = {2. / 7, -3. / 7, 6. / 7};
  for (int dim = 3; dim <= 4; dim++)
    for (int slips = 0; slips <= 1; slips++) {
      double mu = 0.6, P[4], length = 0, slip = slips ? 10 : 2; /* P_N = 3, limit 1.8; slip / 2 would stop it */
      case_clear(&x);
      case_add(&x, PICUS_COULOMB, dim, mu);
      for (int k = 1; k < dim; k++) length = hypot(length, direction[k - 1]);
      x.G[0] = 1;
      x.c[0] = -3;
      P[0] = 3;
      for (int k = 1; k < dim; k++) {
        x.G[k * (dim + 1)] = 2;
        x.c[k] = slip * direction[k - 1] / length;
        P[k] = -(slips ? 1.8 : slip / 2) * direction[k - 1] / length;
      }
      expect(&x, spatial, 4, P, (picus_mode[]){slips ? PICUS_SLIP : PICUS_STICK});
    }
}

/* Spatial friction whose second direction has nothing to do is planar friction. */
static void spatial_contains_planar(void) {
  static contact_case flat, deep;
  test_random random = {8};
  for (int round = 0; round < 200; round++) {
    double a = test_uniform(&random, 1, 3), e = test_uniform(&random, 1, 3), b = test_uniform(&random, -0.7, 0.7);
    double cN = test_uniform(&random, -2, 1), cT = test_uniform(&random, -2, 2), mu = test_uniform(&random, 0, 1);
    planar_contact(&flat, mu, (double[]){a, b, b, e}, cN, cT);
    case_clear(&deep);
    case_add(&deep, PICUS_COULOMB, 3, mu);
    const double G[9] = {a, b, 0, b, e, 0, 0, 0, e}, c[3] = {cN, cT, 0};
    memcpy(deep.G, G, sizeof G);
    memcpy(deep.c, c, sizeof c);
    CHECK(case_solve_alone(&flat, context, "direct") == PICUS_OK);
    CHECK(case_solve_alone(&deep, context, "psor") == PICUS_OK);
    CHECK(case_difference(2, flat.P, deep.P) < 1e-11 && deep.P[2] == 0);
    CHECK(flat.modes[0] == deep.modes[0]);
  }
}

/* --- no solution, several solutions ---------------------------------------------------------------------------- */

/* Painleve: friction P_T = -mu P_N reduces the normal velocity, G_NN - mu G_NT < 0, and G_TT is too small for sticking.
 * With c_N < 0 nothing is consistent: open needs c_N >= 0, slipping a negative P_N, slipping backwards xi_T <= 0. */
static void painleve_without_solution(void) {
  static contact_case x;
  planar_contact(&x, 1, (double[]){1, 2, 2, 1}, -1, 10);
  for (int k = 0; k < 6; k++) {
    picus_solver_options options = picus_default_solver_options();
    options.solver = all[k];
    for (int alone = 0; alone <= 1; alone++) {
      options.no_fallback = alone == 1;
      case_cold(&x);
      picus_status status = case_solve(&x, context, options);
      bool psor_alone = alone == 1 && (k == 2 || k >= 4);
      CHECK(status == (psor_alone ? PICUS_NOT_CONVERGED : PICUS_NO_SOLUTION));
      CHECK(status == x.info.status && picus_last_error(context)->status == status);
      CHECK(strstr(picus_last_error(context)->message, "law 0") != NULL);
      CHECK(x.info.residual.relative > 1e-3 && isfinite(x.P[0]) && isfinite(x.P[1]));
    }
  }
}

/* Two walls that come closer: whatever pushes one away pushes into the other. G is a true Delassus matrix. */
static void squeezed_between_two_walls(void) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  x.G[0] = x.G[3] = 1;
  x.G[1] = x.G[2] = -1;
  x.c[0] = x.c[1] = -1;
  CHECK(case_solve_alone(&x, context, "lemke") == PICUS_NO_SOLUTION);
  case_cold(&x);
  CHECK(case_solve(&x, context, picus_default_solver_options()) == PICUS_NO_SOLUTION);
  CHECK(x.info.fallbacks == 4);
  CHECK(strstr(picus_last_error(context)->message, "tried: direct, gs, newton, lemke, homotopy") != NULL);
  CHECK(case_solve_alone(&x, context, "psor") == PICUS_NOT_CONVERGED);
  CHECK(case_solve_alone(&x, context, "gs") == PICUS_NOT_CONVERGED);
  CHECK(case_solve_alone(&x, context, "pjor") == PICUS_NOT_CONVERGED);
  /* percussions without bounds hide the velocity that they do not change; they must not pass for a solution */
  CHECK(picus_contact_residual(&x.problem, (double[]){1e14, 1e14}, NULL).relative > 1e-4);
}

/* Painleve with a positive definite G: slipping is inconsistent, but the friction can stop the slip at once. */
static void painleve_that_locks(void) {
  static contact_case x;
  planar_contact(&x, 1, (double[]){1, 2, 2, 5}, -1, 10); /* det = 1: P = (5 + 20, -2 - 10) */
  expect(&x, (const char *const[]){"auto", "direct", "lemke"}, 3, (double[]){25, -12}, (picus_mode[]){PICUS_STICK});
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"one_contact_opens_sticks_and_slips", one_contact_opens_sticks_and_slips},
      {"coupled_contact", coupled_contact},
      {"closed_form_of_one_law", closed_form_of_one_law},
      {"restitution_in_c", restitution_in_c},
      {"block_on_an_incline", block_on_an_incline},
      {"two_redundant_supports", two_redundant_supports},
      {"block_on_two_feet", block_on_two_feet},
      {"bilateral_rows", bilateral_rows},
      {"redundant_bilateral_rows", redundant_bilateral_rows},
      {"reservoir_in_one_two_and_three_dimensions", reservoir_in_one_two_and_three_dimensions},
      {"spatial_contact_sticks_and_slips", spatial_contact_sticks_and_slips},
      {"spatial_contains_planar", spatial_contains_planar},
      {"painleve_without_solution", painleve_without_solution},
      {"squeezed_between_two_walls", squeezed_between_two_walls},
      {"painleve_that_locks", painleve_that_locks},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_closed_forms", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
