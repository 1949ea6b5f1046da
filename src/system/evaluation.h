/* The evaluation of a system at a point, with its caches. */
#ifndef PICUS_SYSTEM_EVALUATION_H
#define PICUS_SYSTEM_EVALUATION_H

#include "linalg/internal.h"
#include "system/contents.h"

struct picus_evaluation {
  picus_context *context;
  const picus_system *system;
  const law_set *set; /* the laws of gaps, directions and their slopes */
  double t, *q, *u;
  input_value *inputs;  /* input_count */
  double *sides;        /* switch_count */
  source_point *points; /* one for each source */
  system_matrix mass;
  bool mass_ready, mass_factored; /* at this point; stay true if M is constant */
  double *inverse_mass;           /* nu: the diagonal of M^-1, */
  bool mass_is_diagonal;          /* if M is constant and diagonal */
  /* directions: all laws */
  double *W, *chi;
  bool directions_ready;
  unsigned jacobians; /* that have been requested */
  double *law_slopes; /* scratch: dg/dq or dgamma/dq of all laws of the set */
  double *scratch;    /* two blocks of scratch_size, for a Jacobian of one part */
  size_t scratch_size;
  picus_evaluation *follower; /* gets the same inputs; NULL: none */
};

/* All inputs of an evaluation, and of those that follow it: input_count values. */
void picus_evaluation_set_inputs(picus_evaluation *evaluation, const input_value *inputs);
/* The initial ones, for a run that starts at t. */
void picus_evaluation_start_inputs(picus_evaluation *evaluation, double t);
/* From now on the evaluation has the inputs of the leader. It must be destroyed before the leader. */
void picus_evaluation_follow(picus_evaluation *leader, picus_evaluation *follower);

/* From now on the expressions of the evaluation, and of those that follow it, take these sides of the switching
 * functions: > 0: a > b; else a < b; NAN: as a and b are. */
void picus_evaluation_hold(picus_evaluation *evaluation, const double *sides);
/* a and b of all switching functions at the point; they may be any value. */
void picus_evaluate_switches(picus_evaluation *evaluation, double *a, double *b);
/* Values of all actions at the point; they may be any value. */
void picus_evaluate_actions(picus_evaluation *evaluation, double *values);

/* Promises that only rates, gaps, directions and relative velocities will be needed: parts may save work. */
void picus_evaluation_laws_only(picus_evaluation *evaluation);

/* Prepares Jacobians: those of a model are derived and compiled once for all evaluations of the system that request the
 * same ones. Requested ones allocate nothing later; others are prepared when they are used for the first time. */
picus_status picus_evaluation_request(picus_evaluation *evaluation, unsigned jacobians);
/* The same for few evaluations, which native code would not pay for. */
picus_status picus_evaluation_request_few(picus_evaluation *evaluation, unsigned jacobians);
/* Whether a requested dh/dq (JACOBIAN_FORCE_Q) or dh/du (JACOBIAN_FORCE_U) of a part is constant. */
bool picus_evaluation_tangent_constant(const picus_evaluation *evaluation, int part, jacobian_kind kind);
/* Another velocity at the same t and q: M, W and chi stay unchanged. */
void picus_evaluation_set_velocity(picus_evaluation *evaluation, const double *u);
typedef struct moving_point {
  double t;
  const double *q, *u;
} moving_point;
/* The point of all sources, which have not noticed it yet. */
static inline void picus_evaluation_take_point(picus_evaluation *e, double t, const double *q, const double *u) {
  const picus_system *s = e->system;
  e->t = t;
  picus_copy(s->nq, q, e->q);
  picus_copy(s->nu, u, e->u);
  if (!s->constants.mass) e->mass_ready = e->mass_factored = false;
  if (!s->constants.directions) e->directions_ready = false;
}
/* Gaps and h of a source whose ops have no motion. */
picus_status picus_evaluate_source_motion(picus_evaluation *evaluation, int source, double *gap, double *h);
picus_status picus_evaluate_loads(picus_evaluation *evaluation, double *h); /* adds forces of sources on others */
/* Values that are not finite are the error of a source. */
picus_status picus_evaluation_check_gaps(picus_evaluation *evaluation, const double *gap);
picus_status picus_evaluation_check_force(picus_evaluation *evaluation, const double *h);
picus_status picus_present_gaps(picus_evaluation *evaluation, double *gap); /* of laws that come and go */
/* Sets the point; gaps and h there, with the same bits as picus_evaluate_gaps and picus_evaluate_force. Only gaps are
 * checked: h that is not finite shows in the velocity to which it leads. */
static inline picus_status picus_evaluate_motion(picus_evaluation *e, const moving_point *at, double *gap, double *h) {
  const picus_system *s = e->system;
  picus_status status;
  picus_evaluation_take_point(e, at->t, at->q, at->u);
  for (int i = 0; i < s->source_count; i++) {
    const system_source *source = &s->sources[i];
    e->points[i].t = at->t;
    status = source->ops->motion ? source->ops->motion(source->self, &e->points[i], gap + source->law0, h + source->u0)
                                 : picus_evaluate_source_motion(e, i, gap, h);
    if (status) return status;
  }
  if (s->has_loads && (status = picus_evaluate_loads(e, h))) return status;
  if (!picus_all_finite(gap, (size_t)e->set->fixed_count)) return picus_evaluation_check_gaps(e, gap);
  return e->set->present ? picus_present_gaps(e, gap) : PICUS_OK;
}
/* The values of M at the point, into evaluation->mass (no work if constant). */
picus_status picus_evaluation_update_mass(picus_evaluation *evaluation);
/* Also factors M at the point. PICUS_ERROR_SINGULAR names the velocity without mass. */
picus_status picus_evaluation_factor_mass_anew(picus_evaluation *evaluation);
static inline picus_status picus_evaluation_factor_mass(picus_evaluation *evaluation) {
  return evaluation->mass_factored ? PICUS_OK : picus_evaluation_factor_mass_anew(evaluation);
}
/* x := M^-1 x, all parts. */
static inline void picus_evaluation_solve_mass(const picus_evaluation *evaluation, double *x) {
  picus_system_matrix_solve(&evaluation->mass, x);
}
/* out := u + dt M^-1 h, all parts; h is scratch. */
static inline void picus_evaluation_accelerate(const picus_evaluation *evaluation, const double *u, double dt,
                                               double *h, double *out) {
  const int nu = evaluation->system->nu;
  if (evaluation->mass_is_diagonal) { /* the same bits without the zeros */
    picus_add_products(nu, u, dt, evaluation->inverse_mass, h, out);
    return;
  }
  picus_system_matrix_solve(&evaluation->mass, h);
  picus_add_multiple(nu, u, dt, h, out);
}
/* Jacobians of one part at the point, as in source_ops: arrays need not be zeroed, and a value that is not finite is an
 * error. For a part whose rows of M, dh/dq and dh/du have a pattern, dh_dq and dh_du are its values. */
picus_status picus_evaluation_part_tangents(picus_evaluation *evaluation, int part, double *dh_dq, double *dh_du);
/* The same if only dh/du is needed: dh_dq is scratch. */
picus_status picus_evaluation_part_damping(picus_evaluation *evaluation, int part, double *dh_dq, double *dh_du);
/* Values of all couplings: coupling_q and coupling_u numbers. dh_dq may be NULL. */
picus_status picus_evaluation_couplings(picus_evaluation *evaluation, double *dh_dq, double *dh_du);
/* d(W P)/dq in the places of picus_system.turning: turning_q numbers. */
picus_status picus_evaluation_turning(picus_evaluation *evaluation, const double *P, double *dWP_dq);
/* Whether the requested values of a kind, JACOBIAN_COUPLING_Q or JACOBIAN_COUPLING_U, are constant. */
bool picus_evaluation_couplings_constant(const picus_evaluation *evaluation, jacobian_kind kind);
picus_status picus_evaluation_part_rates(picus_evaluation *evaluation, int part, double *drate_dq, double *B);
/* d(M v)/dq of a part, with v of the complete system given before; and whether it can be nonzero. */
void picus_evaluation_set_momentum(picus_evaluation *evaluation, const double *v);
picus_status picus_evaluation_part_mass(picus_evaluation *evaluation, int part, double *dMv_dq);
bool picus_part_mass_varies(const picus_system *system, int part);
/* Jacobians of all laws: gap_q_size and Q_size numbers. */
picus_status picus_evaluation_gap_slopes(picus_evaluation *evaluation, double *dg_dq);
picus_status picus_evaluation_velocity_slopes(picus_evaluation *evaluation, double *dgamma_dq);
/* Coefficients of all laws of the set at the point, for the slip speed of each; those that do not vary stay as they
 * are. One that is out of range is an error. */
picus_status picus_evaluate_coefficients(const picus_evaluation *evaluation, const double *speed,
                                         law_coefficients *out);
law_coefficients picus_law_constants(const picus_system_law *law); /* those of its data */
/* Power and stored energy of all works, work_count each; they may be any value. */
void picus_evaluate_powers(picus_evaluation *evaluation, double *power, double *stored);
/* For sums over all parts without a check: the energy may be any value. */
picus_status picus_evaluate_energy_unchecked(picus_evaluation *evaluation, double *kinetic, double *potential);
/* PICUS_ERROR_NUMBER with a message that names what is not finite, the time and the formula. Rows and columns are
 * those of the source. */
picus_status picus_evaluation_blame(picus_evaluation *evaluation, int source, value_place place, double value);
/* The same for the first of the values of all sources that is not finite: rates, gaps, forces or observables. */
picus_status picus_evaluation_blame_value(picus_evaluation *evaluation, part_quantity quantity, const double *values);
/* The same in a matrix of one part with so many columns; 0: the values of the part's pattern. */
picus_status picus_evaluation_blame_part(picus_evaluation *evaluation, int part, part_quantity quantity,
                                         const double *values, size_t count, int columns);
/* W and chi at the point, into the evaluation. */
picus_status picus_evaluation_update_directions_anew(picus_evaluation *evaluation);
static inline picus_status picus_evaluation_update_directions(picus_evaluation *evaluation) {
  return evaluation->directions_ready ? PICUS_OK : picus_evaluation_update_directions_anew(evaluation);
}

#endif
