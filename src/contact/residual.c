/* THE residual: how far P is from solving the problem, in one measure for all solvers.
 *
 * Natural map of law i:  P_i - prox_{C_i(P)}(P_i - rho_i xi_i),  rho_i = 1 / mean diagonal of G_ii. It vanishes exactly
 * at a solution (Studer 2008, eq. 19). Where the projection changes nothing the difference is rho_i xi_i, and it is
 * computed as that: P - (P - rho xi) would lose the digits that matter. */
#include "contact/internal.h"

#include <float.h>

static double mean_diagonal(const double *diagonal, int stride, int dim) {
  double sum = 0;
  for (int k = 0; k < dim; k++) sum += fabs(diagonal[k * stride]);
  return sum / dim;
}

double picus_law_stiffness(const picus_contact_problem *problem, int first_row, int dim) {
  int stride = problem->size + 1;
  double mean = mean_diagonal(problem->G + (size_t)first_row * (size_t)stride, stride, dim);
  if (mean > DBL_MIN) return mean;
  mean = mean_diagonal(problem->G, stride, problem->size);
  return mean > DBL_MIN ? mean : 1;
}

/* xi of a law's rows. */
static inline void evaluate_rows(const picus_contact_problem *problem, int first_row, int dim, const double *P,
                                 double *xi) {
  int size = problem->size;
  for (int k = 0; k < dim; k++) {
    const double *row = problem->G + (size_t)(first_row + k) * (size_t)size;
    double sum = problem->c[first_row + k];
    for (int j = 0; j < size; j++) sum += row[j] * P[j];
    xi[k] = sum;
  }
}

/* P - prox_ball(P - rho xi) for rows that lie in a ball. */
static inline void ball_defect(int dim, double radius, double rho, const double *P, const double *xi,
                               const double *argument, double *defect) {
  double length = picus_length(dim, argument);
  if (length < radius) {
    for (int k = 0; k < dim; k++) defect[k] = rho * xi[k];
  } else if (length > 0) {
    for (int k = 0; k < dim; k++) defect[k] = P[k] - radius * (argument[k] / length);
  } else {
    for (int k = 0; k < dim; k++) defect[k] = P[k];
  }
}

/* The natural map of one law. */
static inline void law_defect(const picus_law *law, double rho, const double *P, const double *xi,
                              const double *argument, double *defect) {
  switch (law->kind) {
  case PICUS_BILATERAL:
    defect[0] = rho * xi[0];
    break;
  case PICUS_UNILATERAL:
    defect[0] = argument[0] > 0 ? rho * xi[0] : P[0];
    break;
  case PICUS_COULOMB:
    defect[0] = argument[0] > 0 ? rho * xi[0] : P[0];
    ball_defect(law->dim - 1, law->radius * picus_prox_positive(P[0]), rho, P + 1, xi + 1, argument + 1, defect + 1);
    break;
  case PICUS_RESERVOIR:
    ball_defect(law->dim, law->radius, rho, P, xi, argument, defect);
    break;
  }
}

static picus_residual infinite_residual(int law) { return (picus_residual){INFINITY, INFINITY, law}; }

typedef struct judgement {
  double worst;           /* largest natural map */
  double percussion;      /* largest |P_i| */
  double free_percussion; /* largest rho_i |c_i|: what would stop the free motion of the law */
  int worst_law;
} judgement;

static inline double larger(double a, double b) { return a > b ? a : b; }

/* false: a number is not finite. */
static inline bool judge_law(const picus_contact_problem *problem, int law_index, int first_row, const double *P,
                             double *xi, double *argument, judgement *sum) {
  const picus_law *law = &problem->laws[law_index];
  double defect[PICUS_LAW_ROWS];
  int dim = law->dim;
  double rho = 1 / picus_law_stiffness(problem, first_row, dim);
  evaluate_rows(problem, first_row, dim, P, xi);
  for (int k = 0; k < dim; k++) argument[k] = P[first_row + k] - rho * xi[k];
  law_defect(law, rho, P + first_row, xi, argument, defect);
  double natural = picus_length(dim, defect);
  double percussion = picus_length(dim, P + first_row),
         free_percussion = rho * picus_length(dim, problem->c + first_row);
  if (!(natural <= DBL_MAX && percussion <= DBL_MAX && free_percussion <= DBL_MAX)) return false;
  sum->percussion = larger(sum->percussion, percussion);
  sum->free_percussion = larger(sum->free_percussion, free_percussion);
  if (natural > sum->worst || sum->worst_law < 0) {
    sum->worst = natural;
    sum->worst_law = law_index;
  }
  return true;
}

picus_residual picus_contact_judge(const picus_contact_problem *problem, const double *P, double *xi, double *argument,
                                   picus_mode *modes) {
  judgement sum = {0, 0, 0, -1};
  double law_xi[PICUS_LAW_ROWS], law_argument[PICUS_LAW_ROWS];
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i].dim, i++) {
    double *xi_i = xi ? xi + row : law_xi, *argument_i = argument ? argument + row : law_argument;
    if (!judge_law(problem, i, row, P, xi_i, argument_i, &sum)) return infinite_residual(i);
    if (modes) modes[i] = picus_law_mode(&problem->laws[i], P + row, argument_i);
  }
  if (sum.worst == 0) return (picus_residual){0, 0, sum.worst_law};
  return (picus_residual){.relative = sum.worst / larger(sum.percussion, sum.free_percussion),
                          .natural = sum.worst / larger(1, sum.percussion),
                          .worst_law = sum.worst_law};
}

picus_residual picus_contact_residual(const picus_contact_problem *problem, const double *P, double *xi) {
  if (!picus_contact_problem_fits(problem)) return infinite_residual(problem->law_count > 0 ? 0 : -1);
  if (xi) /* all of it, also when the judge stops at the first number that is not finite */
    evaluate_rows(problem, 0, problem->size, P, xi);
  int spoilt = picus_contact_first_not_finite(problem);
  return spoilt >= 0 ? infinite_residual(spoilt) : picus_contact_judge(problem, P, NULL, NULL, NULL);
}

double picus_contact_rounding_floor(const picus_contact_problem *problem, const double *P) {
  double worst = 0, scale = 0;
  int size = problem->size;
  for (int i = 0, first_row = 0; i < problem->law_count; first_row += problem->laws[i].dim, i++) {
    int dim = problem->laws[i].dim;
    double rho = 1 / picus_law_stiffness(problem, first_row, dim);
    for (int r = first_row; r < first_row + dim; r++) {
      double terms = fabs(problem->c[r]);
      for (int j = 0; j < size; j++) terms += fabs(problem->G[(size_t)r * (size_t)size + (size_t)j] * P[j]);
      worst = larger(worst, rho * terms);
    }
    scale = larger(scale, larger(picus_length(dim, P + first_row), rho * picus_length(dim, problem->c + first_row)));
  }
  return scale > 0 && isfinite(worst / scale) ? 4 * DBL_EPSILON * worst / scale : 0;
}
