/* Solver "newton", one law: the defect p - prox(p - r xi) and its generalized Jacobian, in the form that an active-set
 * method uses.
 *
 * The argument of the projection selects the branch, and on the branch the equations are linear in the new values:
 *   closed, sticking  xi_new = 0
 *   open              p_new = 0
 *   slipping          p_T = R n, n = y / |y|, y = p_T - r xi_T, R the radius. With kappa = R / |y| the derivative is
 *                     dp_T = n dR + kappa (I - n n^T)(dp_T - r dxi_T): along n the friction is known, R + dR = mu
 * p_N_new (both forms, if xi_N_new = 0), and across n kappa r t.(xi_new - xi) + (1 - kappa) t.dp_T = -t.p_T. */
#include "solver/newton.h"

/* How a ball of friction sees its argument y. The rows of friction are the last ones of the law. */
typedef struct friction_argument {
  int first_row, dim; /* rows first_row ... dim - 1 of the law */
  double r;
  bool sticks;
  double kappa, n[PICUS_LAW_ROWS];
} friction_argument;

/* p and xi: of all rows of the law. */
static friction_argument look_at_friction(const picus_law *law, double radius, double r, const double *p,
                                          const double *xi) {
  friction_argument a = {.first_row = law->kind == PICUS_COULOMB, .dim = law->dim, .r = r, .sticks = false};
  int dim = a.dim - a.first_row;
  for (int k = 0; k < dim; k++) a.n[k] = p[a.first_row + k] - r * xi[a.first_row + k];
  double length = picus_length(dim, a.n);
  a.sticks = length < radius;
  if (a.sticks) return a;
  for (int k = 0; k < dim; k++) a.n[k] = length > 0 ? a.n[k] / length : k == 0;
  a.kappa = length > 0 ? radius / length : 0;
  return a;
}

static double coulomb_radius(const picus_law *law, picus_newton_form form, double argument, double p_N) {
  return law->radius * picus_prox_positive(form == PICUS_ALART_CURNIER ? argument : p_N);
}

/* --- linear equations ----------------------------------------------------------------------------------------- */

static void set_whole(int dim, picus_law_step *step) {
  step->whole = true;
  step->unknowns = dim;
  for (int k = 0; k < dim; k++) step->own[k] = step->target[k] = step->known[k] = 0;
}

/* The dim - 1 directions that are orthonormal to n and to each other. */
static void directions_across(int dim, const double *n, double across[2][PICUS_LAW_ROWS]) {
  if (dim == 2) {
    across[0][0] = -n[1];
    across[0][1] = n[0];
  }
  if (dim != 3) return;
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(n[k]) < fabs(n[axis])) axis = k;
  double length = sqrt(1 - n[axis] * n[axis]); /* of e_axis - n_axis n, at least sqrt(2/3) */
  for (int k = 0; k < 3; k++) across[0][k] = ((k == axis) - n[axis] * n[k]) / length;
  for (int k = 0; k < 3; k++)
    across[1][k] = n[(k + 1) % 3] * across[0][(k + 2) % 3] - n[(k + 2) % 3] * across[0][(k + 1) % 3];
}

/* The unknowns across the slip, after the existing ones. */
static void add_directions_across(const friction_argument *a, const double *p, const double *xi, picus_law_step *step) {
  double across[2][PICUS_LAW_ROWS] = {{0}};
  int friction_rows = a->dim - a->first_row;
  directions_across(friction_rows, a->n, across);
  for (int k = 0; k < friction_rows - 1; k++) {
    int z = step->unknowns++;
    double along_p = 0, along_xi = 0;
    for (int l = 0; l < a->dim; l++) {
      double t = l < a->first_row ? 0 : across[k][l - a->first_row];
      step->E[l][z] = t;
      step->B[z][l] = a->kappa * a->r * t;
      along_p += t * p[l];
      along_xi += t * xi[l];
    }
    step->own[z] = 1 - a->kappa;
    step->target[z] = a->kappa * a->r * along_xi - along_p;
  }
}

/* Friction on the boundary of its ball: its new value along n is `along`, and it has none across n if the ball is a
 * point. */
static void set_slip(const friction_argument *a, double along, const double *p, const double *xi,
                     picus_law_step *step) {
  double present = 0;
  for (int k = a->first_row; k < a->dim; k++) present += a->n[k - a->first_row] * p[k];
  bool point = a->kappa == 0;
  for (int k = a->first_row; k < a->dim; k++)
    step->known[k] = a->n[k - a->first_row] * (point ? along : along - present) - (point ? p[k] : 0);
  if (!point) add_directions_across(a, p, xi, step);
}

static void set_sliding_contact(const picus_law *law, const friction_argument *a, const double *p, const double *xi,
                                picus_law_step *step) {
  step->unknowns = 1;
  step->known[0] = step->own[0] = step->target[0] = 0;
  for (int k = 0; k < law->dim; k++) {
    step->E[k][0] = k == 0 ? 1 : law->radius * a->n[k - 1];
    step->B[0][k] = k == 0;
  }
  set_slip(a, law->radius * p[0], p, xi, step);
}

void picus_newton_linearize(const picus_law *law, picus_newton_form form, picus_newton_scale scale, const double *p,
                            const double *xi, picus_law_step *step) {
  friction_argument a;
  double argument = picus_newton_normal_argument(scale, p, xi);
  step->whole = step->follows = false;
  step->unknowns = 0;
  if (law->kind == PICUS_RESERVOIR) {
    a = look_at_friction(law, law->radius / scale.s, scale.friction_r, p, xi);
    if (a.sticks)
      set_whole(law->dim, step);
    else
      set_slip(&a, law->radius / scale.s, p, xi, step);
  } else if (law->kind != PICUS_BILATERAL && !(argument > 0)) { /* open: p_new = 0 */
    for (int k = 0; k < law->dim; k++) step->known[k] = -p[k];
  } else if (law->kind == PICUS_COULOMB) {
    double radius = coulomb_radius(law, form, argument, p[0]);
    a = look_at_friction(law, radius, scale.friction_r, p, xi);
    if (a.sticks)
      set_whole(law->dim, step);
    else
      set_sliding_contact(law, &a, p, xi, step);
  } else
    set_whole(1, step);
}

/* Outside of its ball the new friction along n is rho p_N_new. */
// NOLINTNEXTLINE(readability-function-size): a law and its contact
void picus_newton_linearize_rolling(int dim, double radius, const picus_newton_contact *contact,
                                    picus_newton_scale scale, const double *p, const double *xi, picus_law_step *step) {
  const picus_law law = {.kind = PICUS_RESERVOIR, .dim = dim};
  step->whole = step->follows = false;
  step->unknowns = 0;
  if (!contact->closed) { /* p_N_new = 0 */
    for (int k = 0; k < dim; k++) step->known[k] = -p[k];
    return;
  }
  friction_argument a = look_at_friction(&law, radius, scale.friction_r, p, xi);
  if (a.sticks) {
    set_whole(dim, step);
    return;
  }
  set_slip(&a, contact->normal, p, xi, step);
  step->follows = true;
  for (int k = 0; k < dim; k++) step->follow[k] = contact->slope * a.n[k];
}

/* --- merit ---------------------------------------------------------------------------------------------------- */

static double friction_defect(const picus_law *law, double radius, double r, const double *p, const double *xi) {
  friction_argument a = look_at_friction(law, radius, r, p, xi);
  double square = 0;
  for (int k = a.first_row; k < a.dim; k++) {
    double defect = a.sticks ? r * xi[k] : p[k] - radius * a.n[k - a.first_row];
    square += defect * defect;
  }
  return square;
}

double picus_newton_rolling_defect(int dim, double radius, picus_newton_scale scale, const double *p,
                                   const double *xi) {
  const picus_law law = {.kind = PICUS_RESERVOIR, .dim = dim};
  return friction_defect(&law, radius, scale.friction_r, p, xi);
}

double picus_newton_defect(const picus_law *law, picus_newton_form form, picus_newton_scale scale, const double *p,
                           const double *xi) {
  if (law->kind == PICUS_RESERVOIR) return friction_defect(law, law->radius / scale.s, scale.friction_r, p, xi);
  double argument = picus_newton_normal_argument(scale, p, xi);
  bool closed = law->kind == PICUS_BILATERAL || argument > 0;
  double defect = closed ? scale.normal_r * xi[0] : p[0], square = defect * defect;
  if (law->kind != PICUS_COULOMB) return square;
  double radius = coulomb_radius(law, form, argument, p[0]);
  return square + friction_defect(law, radius, scale.friction_r, p, xi);
}
