/* One contact with friction, spin and rolling friction: up to six rows, two balls whose radii grow with P_N. The
 * solvers against nested bisections that cannot fail.
 *
 * For a given P_N = n the friction minimizes a convex function over the two balls of radii mu n and rho n: it is
 * p = -(T + diag(lambda, eta))^-1 (b + v n), where |p| of each ball decreases with its own multiplier. The velocity
 * xi_N(n) = a n + w . p(n) + b_N of that is negative at n = 0 and positive for large n, so that it has a zero between.
 */
#include "unit/solver_cases.h"

#include <stdio.h>

static picus_context *context;

enum { MOST_FRICTION = 5, BISECTIONS = 58 };

typedef struct one_contact {
  const contact_case *x;
  int rows[2]; /* of the balls: friction with spin, and rolling */
  double slope[2];
  double radius[2], multiplier[2], p[MOST_FRICTION];
} one_contact;

static double length(const one_contact *o, int ball) {
  double sum = 0;
  for (int k = 0; k < o->rows[ball]; k++) sum += o->p[(ball ? o->rows[0] : 0) + k] * o->p[(ball ? o->rows[0] : 0) + k];
  return sqrt(sum);
}

/* p for the multipliers, by elimination; a ball without radius has no percussion. */
static void find_friction(one_contact *o, double n) {
  const int m = o->rows[0] + o->rows[1], size = o->x->problem.size;
  double A[MOST_FRICTION][MOST_FRICTION] = {{0}}, right[MOST_FRICTION] = {0};
  if (m > MOST_FRICTION) return; /* cannot happen; said for the static analysis */
  for (int i = 0; i < m; i++) {
    const int ball = i >= o->rows[0];
    const bool acts = o->radius[ball] > 0;
    right[i] = acts ? -(o->x->c[i + 1] + o->x->G[(i + 1) * size] * n) : 0;
    for (int j = 0; j < m; j++) A[i][j] = acts && o->radius[j >= o->rows[0]] > 0 ? o->x->G[(i + 1) * size + j + 1] : 0;
    A[i][i] += acts ? o->multiplier[ball] : 1;
  }
  for (int k = 0; k < m; k++)
    for (int i = k + 1; i < m; i++) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j < m; j++) A[i][j] -= factor * A[k][j];
      right[i] -= factor * right[k];
    }
  for (int i = m - 1; i >= 0; i--) {
    for (int j = i + 1; j < m; j++) right[i] -= A[i][j] * o->p[j];
    o->p[i] = right[i] / A[i][i];
  }
}

/* The friction of ball `from` and those after it, that of the others having its multiplier. */
static void fit_balls(one_contact *o, double n, int from) {
  if (from == 2) {
    find_friction(o, n);
    return;
  }
  double low = 0, high = 1;
  o->multiplier[from] = 0;
  fit_balls(o, n, from + 1);
  if (o->radius[from] == 0 || length(o, from) <= o->radius[from]) return;
  for (bool inside = false; !inside; high *= inside ? 1 : 16) {
    o->multiplier[from] = high;
    fit_balls(o, n, from + 1);
    inside = length(o, from) <= o->radius[from];
  }
  for (int k = 0; k < BISECTIONS; k++) {
    const double middle = low + (high - low) / 2;
    o->multiplier[from] = middle;
    fit_balls(o, n, from + 1);
    if (length(o, from) > o->radius[from])
      low = middle;
    else
      high = middle;
  }
}

static double normal_velocity(one_contact *o, double n) {
  double sum = o->x->G[0] * n + o->x->c[0];
  for (int k = 0; k < 2; k++) o->radius[k] = o->slope[k] * n;
  fit_balls(o, n, 0);
  for (int k = 0; k < o->rows[0] + o->rows[1]; k++) sum += o->x->G[k + 1] * o->p[k];
  return sum;
}

static void solve_by_bisection(const contact_case *x, double *P) {
  one_contact o = {
      .x = x, .rows = {x->laws[0].dim - 1, x->laws[1].dim}, .slope = {x->laws[0].radius, x->laws[1].radius}};
  double low = 0, high = 1;
  memset(P, 0, (size_t)x->problem.size * sizeof *P);
  if (x->c[0] >= 0) return;
  while (normal_velocity(&o, high) < 0) high *= 4;
  for (int k = 0; k < BISECTIONS; k++) {
    const double middle = low + (high - low) / 2;
    if (normal_velocity(&o, middle) < 0)
      low = middle;
    else
      high = middle;
  }
  P[0] = high;
  memcpy(P + 1, o.p, (size_t)(x->problem.size - 1) * sizeof *P);
}

/* Radii from 0; the rows of spin and rolling in units of their own; stiff: what is left of the last column. */
static void random_contact(contact_case *x, test_random *random, double stiff) {
  case_clear(x);
  const bool slips = test_integer(random, 0, 4) > 0;
  case_add(x, slips ? PICUS_COULOMB : PICUS_UNILATERAL, slips ? test_integer(random, 2, 4) : 1,
           test_integer(random, 0, 4) ? test_uniform(random, 0, 0.3) : 0);
  case_add(x, PICUS_ROLLING, test_integer(random, 1, 2), test_integer(random, 0, 4) ? test_uniform(random, 0, 0.3) : 0);
  const int n = x->problem.size, first = x->laws[0].dim;
  const double unit = pow(10, test_uniform(random, -2, 2));
  case_random_G(x, random, 2 * n);
  case_random_c(x, random);
  for (int k = first; k < n; k++)
    for (int j = 0; j < n; j++) {
      x->G[k * n + j] *= unit;
      x->G[j * n + k] *= unit;
    }
  for (int j = 0; j < n; j++) { /* a direction in which the last row hardly acts */
    x->G[(n - 1) * n + j] *= stiff;
    x->G[j * n + n - 1] *= stiff;
  }
  for (int k = first; k < n; k++) x->c[k] *= unit;
  x->laws[1].radius /= unit;
}

static void compare(double stiff, double bound) {
  static const char *const names[] = {"auto", "gs", "newton", "psor"};
  test_random random = {91};
  static contact_case x;
  double worst = 0;
  int open = 0, most = 0;
  for (long round = 0, rounds = test_study(4, 30, 1000); round < rounds; round++) {
    double P[6];
    random_contact(&x, &random, stiff);
    solve_by_bisection(&x, P);
    open += P[0] == 0;
    CHECK(case_error(&x, P) <= 1e-11);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      if (!CHECK(case_solve_alone(&x, context, names[k]) == PICUS_OK))
        printf("  round %ld, %s: %s\n", round, names[k], picus_last_error(context)->message);
      CHECK(case_error(&x, x.P) <= 1e-11);
      worst = fmax(worst, case_difference(x.problem.size, P, x.P));
      if (k == 1 && x.info.iterations > most) most = x.info.iterations;
    }
  }
  printf("  largest difference %.2g, %d open, at most %d sweeps\n", worst, open, most);
  CHECK(worst <= bound);
}

/* Units of up to 1e2: the diagonal of G differs by 1e4. */
static void random_contacts(void) { compare(1, 1e-9); }
/* Percussions of the last row have 1e6 times the round-off of its velocity. */
static void stiff_contacts(void) { compare(1e-3, 1e-7); }

int main(int argc, char **argv) {
  static const test_case cases[] = {{"random_contacts", random_contacts}, {"stiff_contacts", stiff_contacts}};
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_rolling_contact", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
