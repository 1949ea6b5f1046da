/* THE residual: how far P is from solving the problem, in one measure for all solvers.
 *
 * Natural map of law i:  P_i - prox_{C_i(P)}(P_i - rho_i xi_i),  rho_i = 1 / mean diagonal of G_ii. It vanishes exactly
 * at a solution (Studer 2008, eq. 19). Where the projection changes nothing the difference is rho_i xi_i, and it is
 * computed as that: P - (P - rho xi) would lose the digits that matter. */
#include "contact/internal.h"

#include <float.h>

#define LARGEST_GROWTH 1e3 /* of percussions over free percussions, as far as the scale of the residual goes */

static double mean_diagonal_of_all(const picus_contact_problem *problem) {
  double sum = 0;
  for (int k = 0; k < problem->size; k++) sum += fabs(problem->G[(size_t)k * (size_t)(problem->size + 1)]);
  return sum / problem->size;
}

static inline double law_stiffness(const picus_contact_problem *problem, int size, int first_row, int dim) {
  const double *diagonal = problem->G + (size_t)first_row * (size_t)(size + 1);
  double sum = 0;
  for (int k = 0; k < dim; k++) sum += fabs(diagonal[k * (size + 1)]);
  if (sum > DBL_MIN * 4) return sum / dim;
  double mean = mean_diagonal_of_all(problem);
  return mean > DBL_MIN * 4 ? mean : 1;
}

double picus_law_stiffness(const picus_contact_problem *problem, int first_row, int dim) {
  return law_stiffness(problem, problem->size, first_row, dim);
}

/* xi of a law's rows. */
static inline void evaluate_rows(const picus_contact_problem *problem, int size, int first_row, int dim,
                                 const double *P, double *xi) {
  for (int k = 0; k < dim; k++) {
    const double *row = problem->G + (size_t)(first_row + k) * (size_t)size;
    double sum = problem->c[first_row + k];
    for (int j = 0; j < size; j++) sum += row[j] * P[j];
    xi[k] = sum;
  }
}

/* Friction rows in a ball: P - prox_ball(P - rho xi), and whether they stick. */
static inline picus_mode judge_ball(int dim, double radius, double rho, const double *P, const double *xi,
                                    const double *argument, double *defect) {
  double length = picus_length(dim, argument);
  if (length < radius) {
    for (int k = 0; k < dim; k++) defect[k] = rho * xi[k];
    return PICUS_STICK;
  }
  if (dim == 1)
    defect[0] = P[0] - copysign(radius, argument[0]);
  else
    for (int k = 0; k < dim; k++) defect[k] = P[k] - (length > 0 ? radius * (argument[k] / length) : 0);
  return PICUS_SLIP;
}

/* The natural map of one law, and its mode: an argument inside the set means that the law enforces its kinematic
 * equation, one on the boundary or outside that it impresses its force (Studer 2008, section 4). */
static inline picus_mode judge_projection(picus_law_kind kind, int dim, double radius, double rho, const double *P,
                                          const double *xi, const double *argument, double *defect) {
  switch (kind) {
  case PICUS_BILATERAL:
    defect[0] = rho * xi[0];
    return PICUS_STICK;
  case PICUS_UNILATERAL:
  case PICUS_COULOMB: {
    bool closed = argument[0] > 0;
    defect[0] = closed ? rho * xi[0] : P[0];
    if (kind == PICUS_UNILATERAL) return closed ? PICUS_STICK : PICUS_OPEN;
    double friction = radius * picus_prox_positive(P[0]);
    picus_mode mode = judge_ball(dim - 1, friction, rho, P + 1, xi + 1, argument + 1, defect + 1);
    return closed ? mode : PICUS_OPEN;
  }
  case PICUS_RESERVOIR:
    return judge_ball(dim, radius, rho, P, xi, argument, defect);
  }
  return PICUS_OPEN;
}

static picus_residual infinite_residual(int law) { return (picus_residual){INFINITY, INFINITY, law}; }

typedef struct judgement {
  double worst;           /* largest natural map */
  double percussion;      /* largest |P_i| */
  double free_percussion; /* largest rho_i |c_i|: what would stop the free motion of the law */
  int worst_law;
} judgement;

static inline double larger(double a, double b) { return a > b ? a : b; }

/* Kind, dim and size are arguments so that the compiler can make them constants. false: a number is not finite. */
static inline bool judge_law(const picus_contact_problem *problem, picus_law_kind kind, int dim, int size,
                             int law_index, int first_row, const double *P, double *xi, double *argument,
                             picus_mode *mode, judgement *sum) {
  double defect[PICUS_LAW_ROWS];
  const double *P_i = P + first_row, *c_i = problem->c + first_row;
  double rho = 1 / law_stiffness(problem, size, first_row, dim);
  evaluate_rows(problem, size, first_row, dim, P, xi);
  for (int k = 0; k < dim; k++) {
    if (!(fabs(xi[k]) <= DBL_MAX)) return false; /* every entry of the row is in it */
    argument[k] = P_i[k] - rho * xi[k];
  }
  *mode = judge_projection(kind, dim, problem->laws[law_index].radius, rho, P_i, xi, argument, defect);
  double natural = picus_length(dim, defect);
  double percussion = picus_length(dim, P_i), free_percussion = rho * picus_length(dim, c_i);
  if (!(natural <= DBL_MAX && percussion <= DBL_MAX && free_percussion <= DBL_MAX)) return false;
  sum->percussion = larger(sum->percussion, percussion);
  sum->free_percussion = larger(sum->free_percussion, free_percussion);
  if (natural > sum->worst || sum->worst_law < 0) {
    sum->worst = natural;
    sum->worst_law = law_index;
  }
  return true;
}

/* The problem's own scale of percussions. Percussions that dwarf those that would stop the free motion are mostly on
 * their way to infinity, in a problem without solution: they must not make the residual look small. */
static inline double percussion_scale(double percussion, double free_percussion) {
  double limit = LARGEST_GROWTH * free_percussion;
  if (percussion > limit && limit > 0) return limit;
  return larger(percussion, free_percussion);
}

static inline picus_residual residual_of(const judgement *sum) {
  if (sum->worst == 0) return (picus_residual){0, 0, sum->worst_law};
  return (picus_residual){.relative = sum->worst / percussion_scale(sum->percussion, sum->free_percussion),
                          .natural = sum->worst / larger(1, sum->percussion),
                          .worst_law = sum->worst_law};
}

picus_residual picus_contact_judge(const picus_contact_problem *problem, const double *P, double *xi, double *argument,
                                   picus_mode *modes) {
  judgement sum = {0, 0, 0, -1};
  double law_xi[PICUS_LAW_ROWS] = {0}, law_argument[PICUS_LAW_ROWS] = {0};
  const picus_law *laws = problem->laws;
  picus_mode unread = PICUS_OPEN;
  int size = problem->size;
  for (int i = 0, row = 0; i < problem->law_count; row += laws[i].dim, i++) {
    double *xi_i = xi ? xi + row : law_xi, *argument_i = argument ? argument + row : law_argument;
    picus_mode *mode = modes ? &modes[i] : &unread;
    bool planar = laws[i].kind == PICUS_COULOMB && laws[i].dim == 2, finite; /* by far the most frequent: constants */
    if (planar && size == 2)
      finite = judge_law(problem, PICUS_COULOMB, 2, 2, i, row, P, xi_i, argument_i, mode, &sum);
    else if (planar)
      finite = judge_law(problem, PICUS_COULOMB, 2, size, i, row, P, xi_i, argument_i, mode, &sum);
    else
      finite = judge_law(problem, laws[i].kind, laws[i].dim, size, i, row, P, xi_i, argument_i, mode, &sum);
    if (!finite) return infinite_residual(i);
  }
  return residual_of(&sum);
}

picus_residual picus_contact_residual(const picus_contact_problem *problem, const double *P, double *xi) {
  if (!picus_contact_problem_fits(problem)) return infinite_residual(problem->law_count > 0 ? 0 : -1);
  if (xi) /* all of it, also when the judge stops at the first number that is not finite */
    evaluate_rows(problem, problem->size, 0, problem->size, P, xi);
  int spoilt = picus_contact_first_not_finite(problem);
  return spoilt >= 0 ? infinite_residual(spoilt) : picus_contact_judge(problem, P, NULL, NULL, NULL);
}

double picus_contact_rounding_floor(const picus_contact_problem *problem, const double *P) {
  double worst = 0, percussion = 0, free_percussion = 0;
  int size = problem->size;
  for (int i = 0, first_row = 0; i < problem->law_count; first_row += problem->laws[i].dim, i++) {
    int dim = problem->laws[i].dim;
    double rho = 1 / picus_law_stiffness(problem, first_row, dim);
    for (int r = first_row; r < first_row + dim; r++) {
      double terms = fabs(problem->c[r]);
      for (int j = 0; j < size; j++) terms += fabs(problem->G[(size_t)r * (size_t)size + (size_t)j] * P[j]);
      worst = larger(worst, rho * terms);
    }
    percussion = larger(percussion, picus_length(dim, P + first_row));
    free_percussion = larger(free_percussion, rho * picus_length(dim, problem->c + first_row));
  }
  double scale = percussion_scale(percussion, free_percussion);
  return scale > 0 && isfinite(worst / scale) ? 4 * DBL_EPSILON * worst / scale : 0;
}
