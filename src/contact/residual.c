/* The residual of P, one measure for all solvers.
 *
 * Natural map of law i:  P_i - prox_{C_i(P)}(P_i - rho_i xi_i),  rho_i = 1 / mean diagonal of G_ii. It vanishes exactly
 * at a solution (Studer 2008, eq. 19). If the projection changes nothing, the difference is rho_i xi_i and is computed
 * as such: P - (P - rho xi) would lose significant digits. */
#include "contact/internal.h"

#include <float.h>

#define LARGEST_GROWTH 1e3 /* of percussions over free percussions, as far as the scale of the residual goes */

double picus_mean_stiffness(const picus_contact_problem *problem) {
  double sum = 0;
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    size_t stride;
    double own[PICUS_OWN_BLOCK] = {0};
    const double *block = picus_operator_of(problem)->own_block(problem, i, row, own, &stride);
    for (size_t k = 0; k < (size_t)problem->laws[i].dim; k++) sum += fabs(block[k * (stride + 1)]);
  }
  double mean = sum / problem->size;
  return mean > DBL_MIN * 4 ? mean : 1;
}

/* The mean diagonal of G_ii from its trace; that of the whole problem if it is zero. */
static inline double stiffness_of(const picus_contact_problem *problem, int dim, double trace) {
  return trace > DBL_MIN * 4 ? trace / dim : picus_mean_stiffness(problem);
}

double picus_law_stiffness(const picus_contact_problem *problem, int law, int first_row) {
  return stiffness_of(problem, problem->laws[law].dim, picus_operator_of(problem)->trace(problem, law, first_row));
}

/* A law at its rows. Kind and dim stay arguments beside it, so that the compiler can make them constants. */
typedef struct law_rows {
  int law, first_row; /* in the problem */
  double radius, rho;
  double normal;   /* P_N of the contact of a rolling law */
  picus_mode last; /* of the law before */
  const double *P, *c;
  double *xi, *argument; /* of the projection: P - rho xi */
  picus_mode *mode;
} law_rows;

/* Friction rows, dim of them from `first` on, in a ball: P - prox_ball(P - rho xi), and whether they stick. */
static inline picus_mode judge_ball(int first, int dim, double radius, const law_rows *at, double *defect) {
  const double *P = at->P + first, *xi = at->xi + first, *argument = at->argument + first;
  double length = picus_length(dim, argument);
  if (length < radius) {
    for (int k = 0; k < dim; k++) defect[k] = at->rho * xi[k];
    return PICUS_STICK;
  }
  if (dim == 1)
    defect[0] = P[0] - copysign(radius, argument[0]);
  else
    for (int k = 0; k < dim; k++) defect[k] = P[k] - (length > 0 ? radius * (argument[k] / length) : 0);
  return PICUS_SLIP;
}

/* The natural map of one law, and its mode: an argument inside the set means that the law enforces its kinematic
 * equation, one on the boundary or outside means that its force is prescribed (Studer 2008, section 4). */
static inline picus_mode judge_projection(picus_law_kind kind, int dim, const law_rows *at, double *defect) {
  switch (kind) {
  case PICUS_BILATERAL:
    defect[0] = at->rho * at->xi[0];
    return PICUS_STICK;
  case PICUS_UNILATERAL:
  case PICUS_COULOMB: {
    bool closed = at->argument[0] > 0;
    defect[0] = closed ? at->rho * at->xi[0] : at->P[0];
    if (kind == PICUS_UNILATERAL) return closed ? PICUS_STICK : PICUS_OPEN;
    picus_mode mode = judge_ball(1, dim - 1, at->radius * picus_prox_positive(at->P[0]), at, defect + 1);
    return closed ? mode : PICUS_OPEN;
  }
  case PICUS_RESERVOIR:
    return judge_ball(0, dim, at->radius, at, defect);
  case PICUS_ROLLING: {
    picus_mode mode = judge_ball(0, dim, at->radius * picus_prox_positive(at->normal), at, defect);
    return at->last == PICUS_OPEN ? PICUS_OPEN : mode;
  }
  }
  return PICUS_OPEN;
}

static picus_residual infinite_residual(int law) { return (picus_residual){INFINITY, INFINITY, law}; }

typedef struct judgement {
  double worst;           /* largest natural map */
  double percussion;      /* largest |P_i| */
  double free_percussion; /* largest rho_i |c_i|: the percussion that would stop the free motion of the law */
  int worst_law;
} judgement;

/* The length of the natural map of a law with rho and xi known, and its mode. false: xi is not finite. */
static inline bool natural_map(picus_law_kind kind, int dim, const law_rows *at, double *natural) {
  double defect[PICUS_LAW_ROWS] = {0};
  for (int k = 0; k < dim; k++) {
    if (!(fabs(at->xi[k]) <= DBL_MAX)) return false; /* every entry of the row is in it */
    at->argument[k] = at->P[k] - at->rho * at->xi[k];
  }
  *at->mode = judge_projection(kind, dim, at, defect);
  *natural = picus_length(dim, defect);
  return true;
}

/* One law with rho and xi known. false: a number is not finite. */
static inline bool judge_law(picus_law_kind kind, int dim, const law_rows *at, judgement *law) {
  if (!natural_map(kind, dim, at, &law->worst)) return false;
  law->percussion = picus_length(dim, at->P);
  law->free_percussion = at->rho * picus_length(dim, at->c);
  law->worst_law = at->law;
  return law->worst <= DBL_MAX && law->percussion <= DBL_MAX && law->free_percussion <= DBL_MAX;
}

static inline bool add_law(picus_law_kind kind, int dim, const law_rows *at, judgement *sum) {
  judgement law;
  if (!judge_law(kind, dim, at, &law)) return false;
  sum->percussion = picus_larger(sum->percussion, law.percussion);
  sum->free_percussion = picus_larger(sum->free_percussion, law.free_percussion);
  if (law.worst > sum->worst || sum->worst_law < 0) {
    sum->worst = law.worst;
    sum->worst_law = law.worst_law;
  }
  return true;
}

/* The percussion scale of the problem. Percussions far above those that would stop the free motion usually diverge, in
 * a problem without solution: they must not make the residual look small. */
static inline double percussion_scale(double percussion, double free_percussion) {
  double limit = LARGEST_GROWTH * free_percussion;
  if (percussion > limit && limit > 0) return limit;
  return picus_larger(percussion, free_percussion);
}

/* If percussions are far above the free ones, xi is the round-off of their sum and may be zero by chance: the round-off
 * counts as part of the residual. */
static inline picus_residual residual_of(const judgement *sum) {
  double limit = LARGEST_GROWTH * sum->free_percussion, worst = sum->worst;
  if (sum->percussion > limit && limit > 0) worst += DBL_EPSILON * sum->percussion;
  if (worst == 0) return (picus_residual){0, 0, sum->worst_law};
  return (picus_residual){.relative = worst / percussion_scale(sum->percussion, sum->free_percussion),
                          .natural = worst / picus_larger(1, sum->percussion),
                          .worst_law = sum->worst_law};
}

picus_natural picus_law_natural(const picus_law *law, double rho, double normal, const double *P, double *xi) {
  picus_natural out = {.length = INFINITY};
  const law_rows at = {.radius = law->radius,
                       .rho = rho,
                       .normal = normal,
                       .P = P,
                       .xi = xi,
                       .argument = out.argument,
                       .mode = &out.mode};
  const bool finite = law->kind == PICUS_COULOMB && law->dim == 3 /* with constants, as in judge_laws */
                          ? natural_map(PICUS_COULOMB, 3, &at, &out.length)
                          : natural_map(law->kind, law->dim, &at, &out.length);
  if (!finite) out.length = INFINITY;
  return out;
}

picus_residual picus_residual_from(double natural, double percussion, double free_percussion, int worst_law) {
  return residual_of(&(judgement){natural, percussion, free_percussion, worst_law});
}

/* A contact alone, whose G has dim rows. */
static inline bool judge_alone(picus_law_kind kind, int dim, const double *G, law_rows at, picus_residual *residual) {
  double xi[PICUS_LAW_ROWS] = {0}, argument[PICUS_LAW_ROWS] = {0}, trace = 0;
  judgement sum;
  for (int k = 0; k < dim; k++) trace += fabs(G[k * (dim + 1)]);
  if (!(trace > DBL_MIN * 4)) return false;
  at.rho = 1 / (trace / dim);
  at.xi = xi;
  at.argument = argument;
  picus_evaluate_rows(G, at.c, dim, dim, at.P, xi);
  if (!judge_law(kind, dim, &at, &sum)) return false;
  *residual = residual_of(&sum);
  return true;
}

bool picus_judge_planar_contact(const double *G, const double *c, double mu, const double *P, picus_mode *mode,
                                picus_residual *residual) {
  const law_rows at = {.radius = mu, .P = P, .c = c, .mode = mode};
  return judge_alone(PICUS_COULOMB, 2, G, at, residual);
}

bool picus_judge_spatial_contact(const picus_law *law, const double *G, const double *c, const double *P,
                                 picus_mode *mode, picus_residual *residual) {
  const law_rows at = {.radius = law->radius, .P = P, .c = c, .mode = mode};
  return law->dim == 3 ? judge_alone(PICUS_COULOMB, 3, G, at, residual)
                       : judge_alone(PICUS_COULOMB, law->dim, G, at, residual);
}

bool picus_judge_plain_contact(double G, double c, double P, picus_mode *mode, picus_residual *residual) {
  const law_rows at = {.P = &P, .c = &c, .mode = mode};
  return judge_alone(PICUS_UNILATERAL, 1, &G, at, residual);
}

/* The residual of P from the natural maps of all laws, with what the caller asks for on the way: velocities xi,
 * arguments of the projections, modes. Every answer of every solver passes here. */
static picus_residual judge_laws(const picus_contact_problem *problem, const double *P, double *xi, double *argument,
                                 picus_mode *modes) {
  judgement sum = {0, 0, 0, -1};
  double law_xi[PICUS_LAW_ROWS] = {0}, law_argument[PICUS_LAW_ROWS] = {0};
  const picus_law *laws = problem->laws;
  picus_mode unread = PICUS_OPEN, last = PICUS_OPEN;
  const picus_operator *G = picus_operator_of(problem);
  picus_contact_load(problem, P);
  for (int i = 0, row = 0; i < problem->law_count; row += laws[i].dim, i++) {
    law_rows at = {.law = i,
                   .first_row = row,
                   .radius = laws[i].radius,
                   .normal = laws[i].kind == PICUS_ROLLING ? picus_rolling_normal(problem, i, P + row) : 0,
                   .last = last,
                   .P = P + row,
                   .c = problem->c + row,
                   .xi = xi ? xi + row : law_xi,
                   .argument = argument ? argument + row : law_argument,
                   .mode = modes ? &modes[i] : &unread};
    const bool contact = laws[i].kind == PICUS_COULOMB; /* with constants: by far the most frequent laws */
    bool finite;
    G->law_velocity(problem, i, row, P, at.xi);
    at.rho = 1 / stiffness_of(problem, laws[i].dim, G->trace(problem, i, row));
    if (contact && laws[i].dim == 2)
      finite = add_law(PICUS_COULOMB, 2, &at, &sum);
    else if (contact && laws[i].dim == 3)
      finite = add_law(PICUS_COULOMB, 3, &at, &sum);
    else
      finite = add_law(laws[i].kind, laws[i].dim, &at, &sum);
    if (!finite) return infinite_residual(i);
    last = *at.mode;
  }
  return residual_of(&sum);
}

picus_residual picus_contact_judge(const picus_contact_problem *problem, const double *P, double *xi, double *argument,
                                   picus_mode *modes) {
  const picus_law *law = problem->laws;
  picus_residual residual;
  if (problem->size == 2 && picus_operator_of(problem)->is_whole && modes && !xi && !argument &&
      law->kind == PICUS_COULOMB &&
      picus_judge_planar_contact(problem->G, problem->c, law->radius, P, modes, &residual))
    return residual;
  return judge_laws(problem, P, xi, argument, modes);
}

picus_residual picus_contact_residual(const picus_contact_problem *problem, const double *P, double *xi) {
  if (!picus_contact_problem_fits(problem)) return infinite_residual(problem->law_count > 0 ? 0 : -1);
  if (xi) /* all of it, also when the judge stops at the first number that is not finite */
    picus_operator_of(problem)->multiply(problem, P, xi);
  int spoilt = picus_contact_first_not_finite(problem);
  return spoilt >= 0 ? infinite_residual(spoilt) : picus_contact_judge(problem, P, NULL, NULL, NULL);
}

/* Largest |c| + |G| |P| of the rows of a law. */
static double largest_terms(const picus_contact_problem *problem, int law, int first_row, const double *P) {
  double largest = 0;
  for (int k = 0; k < problem->laws[law].dim; k++)
    largest = picus_larger(
        largest, picus_operator_of(problem)->row_sum(problem, law, first_row, k, P, fabs(problem->c[first_row + k])));
  return largest;
}

double picus_contact_rounding_floor(const picus_contact_problem *problem, const double *P) {
  double worst = 0, percussion = 0, free_percussion = 0;
  picus_contact_load_sums(problem, P);
  for (int i = 0, first_row = 0; i < problem->law_count; first_row += problem->laws[i].dim, i++) {
    int dim = problem->laws[i].dim;
    double rho = 1 / picus_law_stiffness(problem, i, first_row);
    worst = picus_larger(worst, rho * largest_terms(problem, i, first_row, P));
    percussion = picus_larger(percussion, picus_length(dim, P + first_row));
    free_percussion = picus_larger(free_percussion, rho * picus_length(dim, problem->c + first_row));
  }
  double scale = percussion_scale(percussion, free_percussion);
  return scale > 0 && isfinite(worst / scale) ? 4 * DBL_EPSILON * worst / scale : 0;
}

double picus_contact_scale(const picus_contact_problem *problem, const double *P) {
  double percussion = 0, free_percussion = 0;
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    double rho = 1 / picus_law_stiffness(problem, i, row);
    if (P) percussion = picus_larger(percussion, picus_length(problem->laws[i].dim, P + row));
    free_percussion = picus_larger(free_percussion, rho * picus_length(problem->laws[i].dim, problem->c + row));
  }
  return percussion_scale(percussion, free_percussion);
}

/* Sorts a law into the list by insertion; count: of laws that were found before. */
static void insert_share(const picus_law_shares *list, int count, int law, double share) {
  const int most = list->most;
  int place = count < most ? count : most;
  for (; place > 0 && list->relative[place - 1] < share; place--) {
    if (place == most) continue;
    list->relative[place] = list->relative[place - 1];
    list->law[place] = list->law[place - 1];
  }
  if (place == most) return;
  list->relative[place] = share;
  list->law[place] = law;
}

int picus_contact_worst_laws(const picus_contact_problem *problem, const double *P, const double *GP,
                             const picus_law_shares *out) {
  if (!P) return 0;
  const double scale = picus_contact_scale(problem, P);
  int count = 0;
  if (!(scale > 0)) return 0;
  if (!GP) picus_contact_load(problem, P);
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    const picus_law *law = &problem->laws[i];
    double xi[PICUS_LAW_ROWS] = {0};
    if (!GP) picus_operator_of(problem)->law_velocity(problem, i, row, P, xi);
    for (int k = 0; GP && k < law->dim; k++) xi[k] = problem->c[row + k] + GP[row + k];
    const double normal = law->kind == PICUS_ROLLING ? picus_rolling_normal(problem, i, P + row) : 0;
    const double rho = 1 / picus_law_stiffness(problem, i, row);
    const double share = picus_law_natural(law, rho, normal, P + row, xi).length / scale;
    if (share > out->tolerance) insert_share(out, count++, i, share);
  }
  return count;
}
