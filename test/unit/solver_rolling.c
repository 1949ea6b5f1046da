/* Rolling friction in contact problems: a ball whose radius is rho P_N of the contact before it. */
#include "unit/solver_cases.h"

#include "contact/internal.h"

#include <stdio.h>
#include <stdlib.h>

static picus_context *context;

static const char *const all_solvers[] = {"gs", "psor", "pjor", "newton", "newton-jm", "admm", "homotopy", "auto"};
enum { SOLVERS = sizeof all_solvers / sizeof *all_solvers };

/* --- one disk on a plane --------------------------------------------------------------------------------------- */

/* Mass m, radius r, inertia J: gap velocity v_y, slip v_x + r w, rolling velocity w. Forces of the step: F dt down, H
 * dt along the plane. */
typedef struct disk {
  double m, r, J, mu, rho, vx, vy, w;
} disk;

static void set_disk(contact_case *x, const disk *d) {
  const double G[9] = {1 / d->m, 0, 0, 0, 1 / d->m + d->r * d->r / d->J, d->r / d->J, 0, d->r / d->J, 1 / d->J};
  case_clear(x);
  case_add(x, PICUS_COULOMB, 2, d->mu);
  case_add(x, PICUS_ROLLING, 1, d->rho);
  memcpy(x->G, G, sizeof G);
  x->c[0] = d->vy;
  x->c[1] = d->vx + d->r * d->w;
  x->c[2] = d->w;
}

/* The disk stops if rho and mu suffice: P_T = -m v_x and P_R = -(J w + r P_T). Else it rolls without slip: v = -r w,
 * and P_R = -+ rho P_N. */
static void disk_in_closed_form(void) {
  static contact_case x;
  const disk heavy = {.m = 2, .r = 0.1, .J = 0.01, .mu = 0.5, .rho = 0.02, .vy = -1};
  for (int fast = 0; fast < 2; fast++) {
    disk d = heavy;
    const double PN = 2, speed = fast ? 1 : 0.05;
    d.vx = speed;
    d.w = -speed / d.r;
    double expected[3] = {PN, -d.m * d.vx, 0};
    expected[2] = -(d.J * d.w + d.r * expected[1]);
    picus_mode mode = PICUS_STICK;
    if (fast) { /* P_R = rho P_N against w < 0; slip stays 0: (1 / m + r^2 / J) P_T + r / J P_R = 0 */
      expected[2] = d.rho * PN;
      expected[1] = -d.r / d.J * expected[2] / (1 / d.m + d.r * d.r / d.J);
      mode = PICUS_SLIP;
    }
    for (int k = 0; k < SOLVERS + 2; k++) {
      const char *name = k < SOLVERS ? all_solvers[k] : k == SOLVERS ? "direct" : "lemke";
      set_disk(&x, &d);
      CHECK(case_solve_alone(&x, context, name) == PICUS_OK);
      if (!CHECK(case_difference(3, x.P, expected) < 1e-12))
        printf("  %s: %g %g %g, not %g %g %g\n", name, x.P[0], x.P[1], x.P[2], expected[0], expected[1], expected[2]);
      CHECK(x.modes[0] == PICUS_STICK && x.modes[1] == mode);
    }
  }
}

/* Without a normal percussion there is no rolling friction, and its mode is open. */
static void open_contact_rolls_freely(void) {
  static contact_case x;
  const disk d = {.m = 2, .r = 0.1, .J = 0.01, .mu = 0.5, .rho = 0.02, .vx = 1, .vy = 0.3, .w = -4};
  for (int k = 0; k < SOLVERS + 2; k++) {
    const char *name = k < SOLVERS ? all_solvers[k] : k == SOLVERS ? "direct" : "lemke";
    set_disk(&x, &d);
    CHECK(case_solve_alone(&x, context, name) == PICUS_OK);
    CHECK(x.P[0] == 0 && x.P[1] == 0 && x.P[2] == 0);
    CHECK(x.modes[0] == PICUS_OPEN && x.modes[1] == PICUS_OPEN);
  }
}

/* --- random problems --------------------------------------------------------------------------------------------- */

static void add_rolling(contact_case *x, test_random *random, bool spatial) {
  if (test_integer(random, 0, 3) == 0)
    case_add(x, PICUS_UNILATERAL, 1, 0);
  else
    case_add(x, PICUS_COULOMB, spatial ? test_integer(random, 3, 4) : 2, test_uniform(random, 0, 0.2));
  case_add(x, PICUS_ROLLING, spatial ? 2 : 1, test_uniform(random, 0, 0.2));
}

/* G of full rank and moderate radii: the solution is unique. Rows of the rolling laws have another size, as angular
 * velocities have. */
static void random_problem(contact_case *x, test_random *random, bool spatial) {
  case_clear(x);
  int laws = test_integer(random, 1, 5);
  for (int i = 0; i < laws; i++) {
    if (test_integer(random, 0, 2) == 0)
      case_add_random(x, random, 0.2, spatial);
    else
      add_rolling(x, random, spatial);
  }
  case_random_G(x, random, 2 * x->problem.size + 2);
  case_random_c(x, random);
}

/* A worst difference of all solvers, to the P of the first. */
static double compare(contact_case *x, int count, const char *const *names, int round) {
  double worst = 0, first[CASE_ROWS];
  for (int k = 0; k < count; k++) {
    picus_status status = case_solve_alone(x, context, names[k]);
    if (!CHECK(status == PICUS_OK))
      printf("  round %d, %s: %g %s\n", round, names[k], x->info.residual.relative, picus_last_error(context)->message);
    CHECK(case_error(x, x->P) <= case_error_bound(fmax(x->info.residual.relative, 1e-13)));
    if (k == 0) memcpy(first, x->P, sizeof first);
    worst = fmax(worst, case_difference(x->problem.size, first, x->P));
  }
  return worst;
}

static void planar_problems(void) {
  static const char *const names[] = {"direct",    "gs",   "psor",     "pjor",  "newton",
                                      "newton-jm", "admm", "homotopy", "lemke", "auto"};
  test_random random = {71};
  static contact_case x;
  double worst = 0;
  for (int round = 0; round < 300; round++) {
    random_problem(&x, &random, false);
    worst = fmax(worst, compare(&x, sizeof names / sizeof *names, names, round));
  }
  printf("  largest difference %.2g\n", worst);
  CHECK(worst < 1e-10);
}

static void spatial_problems(void) {
  test_random random = {72};
  static contact_case x;
  double worst = 0;
  for (int round = 0; round < 300; round++) {
    random_problem(&x, &random, true);
    worst = fmax(worst, compare(&x, SOLVERS, all_solvers, round));
  }
  printf("  largest difference %.2g\n", worst);
  CHECK(worst < 1e-10);
}

/* --- other forms of G ------------------------------------------------------------------------------------------ */

/* A row of many disks, each on the floor with rolling friction and against its neighbours: gap, slip and rolling rows
 * of sparse blocks. */
enum { BODIES = 80, OWN = 3 };
typedef struct row_of_disks {
  picus_law laws[4 * BODIES];
  int start[4 * BODIES + 1], column[4 * BODIES * 2 * OWN];
  size_t offset[4 * BODIES];
  double W[4 * BODIES * 2 * 2 * OWN], change[4 * BODIES * 2 * 2 * OWN], scratch[BODIES * OWN];
  double c[8 * BODIES], P[8 * BODIES], u[BODIES * OWN];
  picus_mode modes[4 * BODIES];
  picus_factored_matrix factors;
  picus_contact_problem problem;
  int columns;
  size_t values;
} row_of_disks;

static void invert_mass(void *user, double *x) {
  (void)user;
  for (int i = 0; i < BODIES; i++) x[OWN * i + 2] /= 0.005; /* m = 1, r = 0.1 */
}

static void add_law(row_of_disks *d, picus_law law, const int *bodies, const double rows[][2][OWN]) {
  const int n = d->problem.law_count++;
  const int count = bodies[1] >= 0 ? 2 : 1;
  d->laws[n] = law;
  d->offset[n] = d->values;
  for (int k = 0; k < law.dim; k++) {
    for (int b = 0; b < count; b++)
      for (int i = 0; i < OWN; i++) {
        d->c[d->problem.size] += rows[k][b][i] * d->u[OWN * bodies[b] + i];
        d->W[d->values++] = rows[k][b][i];
      }
    d->problem.size++;
  }
  for (int b = 0; b < count; b++)
    for (int i = 0; i < OWN; i++) d->column[d->columns++] = OWN * bodies[b] + i;
  d->start[n + 1] = d->columns;
}

static void make_row(row_of_disks *d, test_random *random) {
  memset(d, 0, sizeof *d);
  const double r = 0.1;
  for (int i = 0; i < BODIES; i++) {
    d->u[OWN * i] = test_uniform(random, -1, 1);
    d->u[OWN * i + 1] = -1;
    d->u[OWN * i + 2] = test_uniform(random, -10, 10);
    const double floor_rows[2][2][OWN] = {{{0, 1, 0}}, {{1, 0, r}}}, roll[1][2][OWN] = {{{0, 0, 1}}};
    const int alone[2] = {i, -1};
    add_law(d, (picus_law){.kind = PICUS_COULOMB, .dim = 2, .radius = 0.3}, alone, floor_rows);
    add_law(d, (picus_law){.kind = PICUS_ROLLING, .dim = 1, .radius = 0.02}, alone, roll);
    if (i == 0) continue;
    const double gap[2][2][OWN] = {{{-1, 0, 0}, {1, 0, 0}}, {{0, -1, r}, {0, 1, r}}};
    const double turn[1][2][OWN] = {{{0, 0, -1}, {0, 0, 1}}};
    const int pair[2] = {i - 1, i};
    add_law(d, (picus_law){.kind = PICUS_COULOMB, .dim = 2, .radius = 0.2}, pair, gap);
    add_law(d, (picus_law){.kind = PICUS_ROLLING, .dim = 1, .radius = 0.01}, pair, turn);
  }
  d->factors = (picus_factored_matrix){.unknowns = BODIES * OWN,
                                       .start = d->start,
                                       .column = d->column,
                                       .offset = d->offset,
                                       .W = d->W,
                                       .change = d->change,
                                       .scratch = d->scratch};
  d->problem.laws = d->laws;
  d->problem.c = d->c;
  d->problem.factors = &d->factors;
}

static void forms_of_G(void) {
  static const char *const names[] = {"gs", "newton", "admm", "homotopy", "psor"};
  static row_of_disks d;
  test_random random = {73};
  double worst = 0;
  make_row(&d, &random);
  REQUIRE(picus_factored_matrix_fill(context, &d.factors, d.problem.law_count, d.laws, invert_mass, NULL, d.change) ==
          PICUS_OK);
  REQUIRE(picus_contact_problem_check(context, &d.problem) == PICUS_OK);
  picus_block_storage storage;
  REQUIRE(picus_block_storage_from_factors(context, &d.problem, &storage) == PICUS_OK);
  const size_t n = (size_t)d.problem.size;
  double *G = malloc(n * n * sizeof *G);
  picus_contact_to_dense(&d.problem, G);
  picus_contact_problem forms[3] = {d.problem, d.problem, d.problem};
  forms[1].factors = forms[2].factors = NULL;
  forms[1].blocks = &storage.matrix;
  forms[2].G = G;
  for (int f = 0; f < 3; f++) {
    REQUIRE(picus_contact_problem_check(context, &forms[f]) == PICUS_OK);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      picus_solver_options options = picus_default_solver_options();
      picus_solve_info info;
      picus_solver *solver;
      options.solver = names[k];
      options.no_fallback = true;
      options.max_iterations = 100000;
      memset(d.P, 0, sizeof d.P);
      memset(d.modes, 0, sizeof d.modes);
      REQUIRE(picus_solver_create(context, &options, &solver) == PICUS_OK);
      if (!CHECK(picus_solver_solve(solver, &forms[f], d.P, d.modes, &info) == PICUS_OK))
        printf("  form %d, %s: %g after %d\n", f, names[k], info.residual.relative, info.iterations);
      picus_solver_destroy(solver);
      /* redundant contacts share percussions in many ways: every P must solve the problem in every form */
      for (int g = 0; g < 3; g++) worst = fmax(worst, picus_contact_residual(&forms[g], d.P, NULL).relative);
    }
  }
  printf("  %d rows, largest residual %.2g\n", d.problem.size, worst);
  CHECK(worst < 1e-11);
  picus_block_storage back;
  REQUIRE(picus_block_storage_from_dense(context, &forms[2], &back) == PICUS_OK);
  forms[1].blocks = &back.matrix;
  CHECK(picus_contact_problem_check(context, &forms[1]) == PICUS_OK);
  picus_block_storage_destroy(&back);
  picus_block_storage_destroy(&storage);
  free(G);
}

/* --- errors and reports ---------------------------------------------------------------------------------------- */

static void misplaced_laws_are_rejected(void) {
  static contact_case x;
  case_clear(&x);
  case_add(&x, PICUS_ROLLING, 1, 0.1);
  x.G[0] = 1;
  CHECK(picus_contact_problem_check(context, &x.problem) == PICUS_ERROR_ARGUMENT);
  CHECK(strstr(picus_last_error(context)->message, "the law before it must be its contact"));
  CHECK(case_solve_alone(&x, context, "auto") != PICUS_OK);
  CHECK(picus_contact_residual(&x.problem, x.P, NULL).relative == INFINITY);
  case_clear(&x);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_ROLLING, 4, 0.1);
  CHECK(picus_contact_problem_check(context, &x.problem) == PICUS_ERROR_DIMENSION);
  case_clear(&x);
  case_add(&x, PICUS_UNILATERAL, 1, 0);
  case_add(&x, PICUS_ROLLING, 1, -0.1);
  x.G[0] = x.G[3] = 1;
  CHECK(picus_contact_problem_check(context, &x.problem) == PICUS_ERROR_ARGUMENT);
  CHECK(strstr(picus_last_error(context)->message, "rolling radius"));
  x.laws[1].radius = NAN;
  CHECK(picus_contact_problem_check(context, &x.problem) == PICUS_ERROR_NUMBER);
  CHECK(case_solve_alone(&x, context, "auto") != PICUS_OK);
}

/* The residuals of a report agree with the one that solvers use: small at the solution, large at each kind of defect.
 */
static void residuals_see_every_defect(void) {
  static contact_case x;
  const disk d = {.m = 2, .r = 0.1, .J = 0.01, .mu = 0.5, .rho = 0.02, .vx = 1, .vy = -1, .w = -10};
  set_disk(&x, &d);
  CHECK(case_solve_alone(&x, context, "auto") == PICUS_OK);
  picus_residuals at = picus_contact_residuals(&x.problem, x.P);
  CHECK(at.signorini < 1e-12 && at.cone < 1e-12 && at.dissipation < 1e-12 && at.de_saxce < 1e-12);
  const double right = x.P[2];
  x.P[2] = 1.5 * right; /* beyond rho P_N */
  at = picus_contact_residuals(&x.problem, x.P);
  CHECK(at.cone > 1e-3 && at.worst_cone == 1 && at.de_saxce > 1e-3);
  CHECK(picus_contact_residual(&x.problem, x.P, NULL).relative > 1e-3);
  x.P[2] = -right; /* drives the rolling */
  at = picus_contact_residuals(&x.problem, x.P);
  CHECK(at.cone < 1e-12 && at.dissipation > 1e-3 && at.de_saxce > 1e-3);
  CHECK(picus_contact_residual(&x.problem, x.P, NULL).relative > 1e-3);
}

/* Minimum-norm percussions are not found for rolling friction, and the solution is returned as it is. */
static void minimum_norm_is_declined(void) {
  static contact_case x;
  const disk d = {.m = 2, .r = 0.1, .J = 0.01, .mu = 0.5, .rho = 0.02, .vx = 1, .vy = -1, .w = -10};
  set_disk(&x, &d);
  picus_solver_options options = picus_default_solver_options();
  options.minimum_norm = true;
  CHECK(case_solve(&x, context, options) == PICUS_OK);
  CHECK(!x.info.minimum_norm && x.info.residual.relative < 1e-12);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"disk_in_closed_form", disk_in_closed_form},
      {"open_contact_rolls_freely", open_contact_rolls_freely},
      {"planar_problems", planar_problems},
      {"spatial_problems", spatial_problems},
      {"forms_of_G", forms_of_G},
      {"misplaced_laws_are_rejected", misplaced_laws_are_rejected},
      {"residuals_see_every_defect", residuals_see_every_defect},
      {"minimum_norm_is_declined", minimum_norm_is_declined},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_rolling", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
