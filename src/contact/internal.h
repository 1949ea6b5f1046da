/* Shared by the solvers: projections, the residual of a candidate P, and the round-off limit of every solver. */
#ifndef PICUS_CONTACT_INTERNAL_H
#define PICUS_CONTACT_INTERNAL_H

#include "base/archive.h"
#include "base/internal.h"
#include "contact/operator.h"
#include "contact/sizes.h"

#include <math.h>
#include <picus/contact.h>

/* Euclidean length of a law's rows. Squares of very small or very large numbers leave the range of a double: then the
 * rows are scaled first. */
double picus_scaled_length(int dim, const double *x);
static inline double picus_length(int dim, const double *x) {
  double largest = fabs(x[0]), sum = x[0] * x[0];
  if (dim == 1) return largest;
  for (int k = 1; k < dim; k++) {
    largest = fabs(x[k]) > largest ? fabs(x[k]) : largest;
    sum += x[k] * x[k];
  }
  if (sum > 1e-280 && sum < 1e280) return sqrt(sum);
  return largest == 0 ? sum : picus_scaled_length(dim, x);
}

/* Rows of a law before its friction rows. */
static inline int picus_normal_rows(picus_law_kind kind) {
  return kind == PICUS_RESERVOIR || kind == PICUS_ROLLING ? 0 : 1;
}

/* A rolling law for a known P_N of its contact: friction in a ball of constant radius. Any other law as it is. */
static inline picus_law picus_law_with_normal(picus_law law, double normal) {
  if (law.kind != PICUS_ROLLING) return law;
  return (picus_law){.kind = PICUS_RESERVOIR, .dim = law.dim, .radius = normal > 0 ? law.radius * normal : 0};
}

/* P_N of the contact of a rolling law; P points to the rows of the rolling law. */
static inline double picus_rolling_normal(const picus_contact_problem *problem, int law, const double *P) {
  return P[-problem->laws[law - 1].dim];
}

/* Whether a rolling law follows a law. */
static inline bool picus_law_is_rolled(const picus_contact_problem *problem, int law) {
  return law + 1 < problem->law_count && problem->laws[law + 1].kind == PICUS_ROLLING;
}
static inline bool picus_contact_has_rolling(const picus_contact_problem *problem) {
  int law = 0;
  while (law < problem->law_count && problem->laws[law].kind != PICUS_ROLLING) law++;
  return law < problem->law_count;
}

/* Projections, in place: on R>=0, on the ball of a radius, and of all of P on the sets of its laws (first P_N, then
 * the friction in the ball that this P_N allows); true: this changed P. */
static inline double picus_prox_positive(double x) { return x > 0 ? x : 0; }
void picus_prox_ball(int dim, double radius, double *x);
bool picus_contact_project(const picus_contact_problem *problem, double *P);

/* Balls of friction rows whose radii grow with one normal percussion: |x| <= slope n. */
typedef struct picus_cone_ball {
  int dim;
  double slope;
  double *x;
} picus_cone_ball;
/* The Euclidean projection of (n, x) on the cone of one or two such balls, n >= 0. */
void picus_prox_cone(double *n, int count, picus_cone_ball *balls);

/* --- many laws -------------------------------------------------------------------------------------------------- */

/* How much a problem with so many laws is granular: 0 up to half of PICUS_MANY_LAWS, 1 from it on. What is different
 * then changes with it, so that nothing jumps where a law is added. */
static inline double picus_granular_share(int law_count) {
  const double share = 2.0 * law_count / PICUS_MANY_LAWS - 1;
  return share < 0 ? 0 : share < 1 ? share : 1;
}
/* For such problems the tolerance, if it is larger than that of the options. For them, and for contacts without joints
 * that are too many to try all solvers, the residual up to which the best P is accepted; > 0: how often other solvers
 * than gs are tried for these depends on what a run has spent on them (solver/plan.h). */
typedef struct picus_many {
  double tolerance, accept_residual;
  double creep; /* for contacts alone that are fewer: the residual up to which it is accepted that they creep */
} picus_many;
void picus_solver_set_many(picus_solver *solver, picus_many many);
/* How much the gaps of so many laws are treated as granular now: 1 also if a run has spent its budget, and after its
 * contacts have crept. */
double picus_solver_granular_share(const picus_solver *solver, int law_count);
/* The problems that it gets have laws and patterns that fit each other, as those that a step assembles do: they are not
 * checked again. */
void picus_solver_trust(picus_solver *solver);
double picus_solver_tolerance(const picus_solver *solver, int law_count); /* of a problem with so many laws */
/* The system has so many constraints, and where all of them hold, so many depend on others. Then the solver leaves out
 * those that do not fit to the others within the tolerance, and shares percussions among all (solver/dependence.h). */
void picus_solver_set_dependent(picus_solver *solver, int constraints, int dependent);
/* Velocities that the constraints of a problem prescribe. Those that follow from others must prescribe what follows
 * from the velocities of these. */
typedef struct picus_prescribed {
  const double *velocity; /* of each law, which is read if the law is a constraint; NULL: not known */
  double accuracy; /* to which the rows of the problem belong to a state in which all constraints hold, relative */
} picus_prescribed;
void picus_solver_set_prescribed(picus_solver *solver, picus_prescribed prescribed); /* of the next problem */
/* What became of the constraints of the last problem. */
typedef struct picus_left_out {
  bool any;         /* was left out */
  bool contradicts; /* prescribed velocities do: */
  int law;          /* the first one that does not agree with others */
  double velocity;  /* of this law, in place of 0, if the others hold */
} picus_left_out;
picus_left_out picus_solver_left_out(const picus_solver *solver);
/* Whether prescribed velocities contradict each other, for picus_solver_left_out, without a solve. */
picus_status picus_solver_judge_prescribed(picus_solver *solver, const picus_contact_problem *problem,
                                           picus_prescribed prescribed);
void picus_solver_copy_many(picus_solver *solver, const picus_solver *other); /* what set_many and set_dependent set */
void picus_solver_restart(picus_solver *solver);                              /* with the budget of a new one */
/* From now on, initial guesses that solve a problem or an island to the tolerance are returned as they are. */
void picus_solver_keep_solutions(picus_solver *solver, bool keep);
/* After a solve by islands (info.islands > 0): the laws of the problem that belong to the island of a law. */
const int *picus_solver_island(const picus_solver *solver, int law, int *count);
/* What a solve leaves for the next one: pivots of sparse factors. */
void picus_solver_archive(picus_solver *solver, picus_archive *archive);

/* --- judging ---------------------------------------------------------------------------------------------------- */

/* Mean of the absolute diagonal of a law's block G_ii; for a law that acts on nothing (zero block) the mean over all of
 * G, and 1 if that is zero too. Its inverse is the rho_i of the residual. */
double picus_law_stiffness(const picus_contact_problem *problem, int law, int first_row);
/* The last resort of it: the mean over all of G, or 1. */
double picus_mean_stiffness(const picus_contact_problem *problem);

/* The residual of P and the modes it shows, from one evaluation of xi = G P + c. xi and argument (size doubles each;
 * the arguments P - rho xi of the projections) and modes may be NULL. */
picus_residual picus_contact_judge(const picus_contact_problem *problem, const double *P, double *xi, double *argument,
                                   picus_mode *modes);
/* The same for one planar contact alone, the problem of most steps of small models, without arrays in memory. false: a
 * number is not finite, or the law acts on nothing: the general judge decides. */
bool picus_judge_planar_contact(const double *G, const double *c, double mu, const double *P, picus_mode *mode,
                                picus_residual *residual);
/* The same for one contact in space, with any number of friction rows. */
bool picus_judge_spatial_contact(const picus_law *law, const double *G, const double *c, const double *P,
                                 picus_mode *mode, picus_residual *residual);
/* The same for one contact without friction. */
bool picus_judge_plain_contact(double G, double c, double P, picus_mode *mode, picus_residual *residual);
/* The natural map of one law, for solvers that know xi (normal: P_N of the contact of a rolling law); and the residual
 * from the longest one with its law, the largest |P_i| and rho_i |c_i|. */
typedef struct picus_natural {
  double length; /* infinite: xi is not finite */
  picus_mode mode;
  double argument[PICUS_LAW_ROWS]; /* of the projections: P - rho xi */
} picus_natural;
picus_natural picus_law_natural(const picus_law *law, double rho, double normal, const double *P, double *xi);
picus_residual picus_residual_from(double natural, double percussion, double free_percussion, int worst_law);

/* The part of picus_residual.relative that round-off alone can cause when xi is evaluated in double precision. */
double picus_contact_rounding_floor(const picus_contact_problem *problem, const double *P);

/* The scale of picus_residual.relative. */
double picus_contact_scale(const picus_contact_problem *problem, const double *P);

/* The laws whose share of picus_residual.relative is above a tolerance: how many, and the first `most` of them, the
 * largest first. GP: NULL, or G P if it is known. */
typedef struct picus_law_shares {
  double tolerance;
  int most, *law;
  double *relative;
} picus_law_shares;
int picus_contact_worst_laws(const picus_contact_problem *problem, const double *P, const double *GP,
                             const picus_law_shares *out);

/* -1 or the first law with a number that is not finite in its rows or its radius. */
int picus_contact_first_not_finite(const picus_contact_problem *problem);
/* Whether dimensions, row counts and the pattern of the blocks fit together, without a message. */
bool picus_contact_problem_fits(const picus_contact_problem *problem);

#endif
