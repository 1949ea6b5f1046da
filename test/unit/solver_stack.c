/* A column of boxes at rest, each on two frictional contacts: four contact rows for three degrees of freedom, over and
 * over. Redundant and badly conditioned, but what it must carry is known. */
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;

enum { MOST_BOXES = 20 };
static const double half_width = 0.5, half_height = 0.5, mass = 2, mu = 0.5, weight = 1e-2; /* weight: of one step */

/* Row of contact k (box k / 2 on the one below, left or right corner) in the velocities of all boxes. */
static void contact_rows(int contact, double *normal, double *tangential) {
  int box = contact / 2;
  double x = contact % 2 ? half_width : -half_width;
  memset(normal, 0, 3 * MOST_BOXES * sizeof *normal);
  memset(tangential, 0, 3 * MOST_BOXES * sizeof *tangential);
  normal[3 * box + 1] = tangential[3 * box] = 1;
  normal[3 * box + 2] = x;
  tangential[3 * box + 2] = half_height;
  if (box == 0) return;
  normal[3 * box - 2] = tangential[3 * box - 3] = -1;
  normal[3 * box - 1] = -x;
  tangential[3 * box - 1] = half_height;
}

static void build_stack(contact_case *x, int boxes, double push) {
  static double W[4 * MOST_BOXES][3 * MOST_BOXES];
  double inertia = mass * (4 * half_width * half_width + 4 * half_height * half_height) / 12;
  case_clear(x);
  for (int k = 0; k < 2 * boxes; k++) {
    case_add(x, PICUS_COULOMB, 2, mu);
    contact_rows(k, W[2 * k], W[2 * k + 1]);
  }
  int n = x->problem.size;
  for (int i = 0; i < n; i++) {
    for (int b = 0; b < boxes; b++) x->c[i] -= W[i][3 * b + 1] * weight / mass;
    x->c[i] += W[i][3 * (boxes - 1)] * push / mass;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 3 * boxes; k++) x->G[i * n + j] += W[i][k] * W[j][k] / (k % 3 == 2 ? inertia : mass);
  }
}

/* Each level carries the weight above it and the push at the top. */
static void check_levels(const contact_case *x, int boxes, double push, double precision) {
  for (int b = 0; b < boxes; b++) {
    const double *P = x->P + 4 * b;
    double load = (boxes - b) * weight;
    CHECK_NEAR(P[0] + P[2], load, precision * boxes * weight);
    CHECK_NEAR(P[1] + P[3], -push, precision * boxes * weight);
  }
}

/* What a residual r allows. A contact velocity is at most xi = r G_ii |P|, with G_ii = 5 / mass and |P| about
 * boxes weight / 2. The tilt of box b adds up to 2 b xi, its velocity to b^2 xi, and the momentum of all boxes above a
 * level to boxes^3 / 3 mass xi: less than r boxes^3 of the weight. */
static double allowed_by_residual(double residual, int boxes) { return residual * boxes * boxes * boxes; }

static void columns(double push_per_box) {
  static contact_case x;
  for (int boxes = 1; boxes <= MOST_BOXES; boxes++) {
    double push = push_per_box * weight / boxes; /* small enough not to tip the column */
    build_stack(&x, boxes, push);
    picus_solver_options options = picus_default_solver_options();
    CHECK(case_solve(&x, context, options) == PICUS_OK);
    CHECK(case_error(&x, x.P) < 1e-11);
    check_levels(&x, boxes, push, fmax(allowed_by_residual(options.tolerance, boxes), 1e-11));
    case_cold(&x);
    options.solver = "direct";
    if (!CHECK(case_solve(&x, context, options) == PICUS_OK))
      printf("  %d boxes: %s\n", boxes, picus_last_error(context)->message);
    CHECK(case_error(&x, x.P) < 1e-11);
    check_levels(&x, boxes, push, 1e-9);
    for (int i = 0; i < x.problem.law_count; i++) CHECK(x.modes[i] == PICUS_STICK);
    for (int i = 0; i < x.problem.law_count && push == 0; i++) CHECK_NEAR(x.P[2 * i + 1], 0, 1e-12 * weight * boxes);
    int cold = x.info.iterations;
    CHECK(case_solve(&x, context, options) == PICUS_OK);
    CHECK(x.info.iterations <= 1 && cold >= 1); /* the modes of the last step are those of this one */
  }
}

static void column_at_rest(void) { columns(0); }
static void column_pushed_at_the_top(void) { columns(0.2); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"column_at_rest", column_at_rest},
      {"column_pushed_at_the_top", column_pushed_at_the_top},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_stack", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
