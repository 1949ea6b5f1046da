/* The step that the implicit schemes share (Acary 2012, sections 3 and 4). With w the unknown velocity,
 *
 *   M(q_th) (w - w_begin) = dt_h h(t_th, q_th, u_th) + W(q_end) P
 *   q_end = q_begin + dt (B u_rate + beta) + B y
 *
 * solved by Newton's method with the tangent matrix A of theta_newton.c. x_th = theta x_end + (1 - theta) x_begin, but
 * in schatzman-paoli. The schemes differ in the meaning of w, the evaluation point of the step, the laws between P and
 * w, the active laws, and y:
 *
 *   moreau-jean       w = u_end, relative velocities, active by a forecast, y = 0
 *   moreau-projected  the same with y = N W tau from the gaps of all laws
 *   moreau-combined   the same, active set and y in one loop
 *   schatzman-paoli   w = u at half steps, gaps instead of relative velocities
 *   trapezoidal-position  w = u_end, gaps instead of relative velocities */
#ifndef PICUS_SCHEME_THETA_STEP_H
#define PICUS_SCHEME_THETA_STEP_H

#include "scheme/implicit.h"

/* For the matrix of Newton's method. */
#define PICUS_THETA_JACOBIANS (PICUS_JACOBIANS_OF_FORCES | PICUS_JACOBIAN(JACOBIAN_MASS_Q) | PICUS_JACOBIANS_OF_RATES)
/* What all of these schemes have in their scheme_ops. */
#define PICUS_THETA_SHARED                                                                                             \
  .forecasts = true, .release = picus_theta_release, .forget_guess = picus_theta_forget,                               \
  .archive = picus_theta_archive, .change_laws = picus_theta_change_laws

/* Linearized kinematics of one part: the dependence of its positions on its velocities, and of its balance on its
 * positions. */
typedef struct theta_part {
  double *balance_slope;  /* S = theta (d(M w)/dq - dt_h dh/dq): nu x nq, or values of the pattern */
  bool acts;              /* S is not zero */
  double *B;              /* dq'/du, nq x nu; NULL if q' = u */
  double *position_slope; /* X = dq/dw, nq x nu; NULL if q' = u: then X = dt times the share of w in u_rate */
  bool has_slope;         /* X is known: it is found for those who need it */
  rate_factors rates;     /* with dt theta; none if q' = u */
  bool constant;          /* its block of A, as long as the step size stays */
} theta_part;

/* The matrix of percussions and tau in one problem, and what it is made of; see projection_coupled.c. */
typedef struct coupled_matrix {
  double *G; /* active laws, then members */
  size_t G_capacity;
  double *slopes; /* A^-1 S B N w of each member, nu numbers */
  size_t slopes_capacity;
} coupled_matrix;

/* Positions moved back to their constraints; see projection.c. */
typedef struct theta_projection {
  bool *member;   /* law_count: laws whose gap is projected in this step */
  bool *equality; /* law_count: to g = 0, not only to g >= 0 */
  double *tau;    /* law_count */
  double *y;      /* nu: N W tau, a displacement per unit of velocity */
  /* the problem: members only */
  int count;
  int *laws;
  picus_law *kinds;
  picus_mode *modes;
  delassus_matrix G;
  double *c, *x;
  double *inverse_W;        /* N w of each member's normal row */
  size_t inverse_W_size;    /* where N couples parts, so that it is wider: numbers there is memory for */
  const double **solved;    /* start of those of each member */
  double *displacement;     /* nu */
  double *by_rates, *moved; /* nq: B y of the step, and scratch */
  coupled_matrix coupled;
  double *slope; /* nu: A^-1 S B y */
} theta_projection;

/* The evaluation point of a step: u_th = u_share w + (1 - u_share) w_begin, q_th = q_share q_end + (1 - q_share)
 * q_begin + shift, t_th = t_begin + t_share dt. */
typedef struct theta_shape {
  double force_dt; /* dt_h */
  double t_share, u_share, q_share;
  const double *shift;   /* nq; NULL: none */
  const double *w_begin; /* nu */
  bool rate_by_w;        /* u_rate = w with B, beta at the middle of the step, instead of u_th with those at q_th */
} theta_shape;

typedef struct theta_step {
  picus_evaluation
      *end; /* gaps, W and chi at the evaluation point of the laws; that of the stepper has M and h at q_th */
  bool end_ready;
  system_matrix tangent; /* A */
  theta_part *parts;     /* one for each */
  bool tangent_constant; /* for all parts, as long as the three numbers below are the same */
  bool keeps_tangent;    /* A of one step may serve the next ones: see picus_theta_iterate */
  bool tangent_serves;   /* it does so far; valid while the state is the end state of the last step */
  bool as_printed;       /* the iteration of Acary 2012, (42) to (45): see theta_newton.c */
  bool behind;           /* as printed: the positions are still those of the state, rate_change is missing */
  bool is_linear;        /* forces are linear, M and W constant: one iteration solves a step with laws on velocity */
  double factored_dt, factored_force, factored_share; /* dt, dt_h, du_th/dw of the factor; 0: none */
  double *dh_dq, *dh_du, *dMw_dq, *drate_dq;          /* of one part */
  double *stiffness, *damping;                        /* nu: row sums of |dh/dq| and |dh/du| */
  double *coupling_q, *coupling_u; /* dh/dq and dh/du of the couplings of the system, at the last tangent */
  bool couplings_constant;

  /* the step */
  double dt, t_theta, t_end;
  theta_shape shape;
  double *gap_begin, *gamma_begin; /* of all laws and rows, at the start of the step */
  double *ahead;                   /* law_count: displacements of preloads before w acts */
  /* the iterate */
  double *w, *w_free, *q, *u_theta, *q_theta;
  double *gap, *offset; /* at the end, of all laws and rows */
  double *rounding;     /* row_count: round-off of offset beyond that of its size; NULL: laws are at velocity level */
  double *gap_noise;    /* law_count, and scratch: round-off of gaps, 0 until the iteration does not settle; or NULL */
  double *W_aside;      /* W_size, of schatzman-paoli: W of laws with other restitution; products with A^-1 stay */
  bool solved;          /* P belongs to this step */
  /* data of the last step, valid while the state is its end state */
  bool kept, kept_laws; /* the state; gaps and relative velocities at it */
  velocity_guess guess; /* of w - w_begin, with dt_h as its dt; none after an impact */
  double *u_end;        /* nu: the velocity that it ended with */
  /* of the last evaluation */
  double *h_begin;                /* nu: h at the start of the step, with mean forces; else NULL */
  double *h, *momentum, *balance; /* h, M (w - w_begin), and M (w - w_begin) - dt_h h */
  double *rate, *rate_change;     /* q' at the midpoint; residual of the positions, if q' is not u */
  double *forecast;               /* law_count */
  newton_residual residual;       /* of the iteration */
  theta_projection projection;
} theta_step;
/* Of a stepper whose scheme is one of these. */
static inline theta_step *theta_of(const stepper *s) { return s->own; }

typedef enum projection_kind { PROJECT_NOTHING, PROJECT_ALL, PROJECT_ACTIVE } projection_kind;

/* The part of a scheme in the Newton loop. */
typedef struct theta_rules {
  projection_kind projection;
  /* Optional: chooses the active laws once w_free is known, in every iteration. NULL: they are chosen before. */
  picus_status (*activate)(stepper *s, bool first, picus_step_info *info);
  /* Gaps, W and the offset of xi = W^T w + offset, at the evaluation point of the laws. */
  picus_status (*look)(stepper *s);
} theta_rules;

picus_status picus_theta_create(stepper *s, bool projects);
void picus_theta_release(stepper *s);

/* The state is another one: nothing of the last step is a guess for the next. */
void picus_theta_forget(stepper *s);
/* The guess for the next step, and the pivots of its matrix, in a checkpoint. */
void picus_theta_archive(stepper *s, picus_archive *archive);
/* The laws are others: only gaps and relative velocities of the last step do not serve. */
void picus_theta_change_laws(stepper *s);
/* The shape of a step of the theta method: w is the velocity at the end. */
theta_shape picus_theta_shape(const stepper *s, double dt);
/* Starts a step from w = w_begin. */
picus_status picus_theta_begin(stepper *s, double dt, const theta_shape *shape);
/* The usual point: gaps and W at (t_end, q_end), offset = chi + e gamma_begin. */
picus_status picus_theta_look(stepper *s);
/* Newton's loop for the active set, to the tolerances of the options. */
picus_status picus_theta_iterate(stepper *s, const theta_rules *rules, picus_step_info *info);
/* The step is done: percussions, modes and gaps are noted. */
void picus_theta_accept(stepper *s, picus_step_info *info);
/* The state moves on, to the velocity u. */
void picus_theta_advance(stepper *s, const double *u);
/* A complete step at velocity level, active laws by the forecast of the options (Acary 2012 (61), (62)). */
picus_status picus_theta_step(stepper *s, double dt, projection_kind projection, picus_step_info *info);
/* A step of moreau-jean with the gap term. */
picus_status picus_theta_gap_step(stepper *s, double dt, picus_step_info *info);

/* --- schemes with laws at position level --- */
/* As picus_theta_create; rejects laws that the next function rejects, and allocates memory for round-off. */
picus_status picus_theta_create_at_positions(stepper *s);
/* Rejects friction and constraints at velocity level. */
picus_status picus_theta_check_position_law(const stepper *s, const picus_system_law *law);
/* Contacts that the step would cross without percussions; those that were active in this step stay. */
picus_status picus_theta_activate_crossed(stepper *s, bool first, picus_step_info *info);

/* --- theta_newton.c --- */
/* Whether gaps and W decide anything in the loop. */
static inline bool picus_theta_laws_matter(const stepper *s, const theta_rules *rules) {
  return rules->activate || rules->projection == PROJECT_ALL || s->problem.active_count > 0;
}
static inline bool picus_theta_is_coupled(const stepper *s) {
  return s->options.projection == PICUS_PROJECTION_COUPLED;
}
/* True if the iterate solves the step. before: the residual one iteration ago, which shows whether the loop stalls;
 * infinite: it does not. Leaves residual, bound and the place of the worst for a message. */
bool picus_theta_is_settled(stepper *s, const theta_rules *rules, const contact_request *request, double before);
/* Whether the balance without percussions and the positions of the iterate lack no more than the round-off of w and q:
 * this says the same in a run that goes on from a checkpoint, without the matrix of the last step. */
bool picus_theta_is_exact(stepper *s);

picus_status picus_theta_tangent_create(stepper *s);
/* Assembles and factors A at the middle of the step, unless it is constant and known. */
picus_status picus_theta_tangent_update(stepper *s);
/* Whether A was factored for steps of this size and shape. */
static inline bool picus_theta_tangent_is_known(const theta_step *t) {
  return t->factored_dt == t->dt && t->factored_force == t->shape.force_dt && t->factored_share == t->shape.u_share;
}
/* A that serves the next step, in a checkpoint. */
void picus_theta_tangent_archive(stepper *s, picus_archive *archive);
/* The evaluation, with its point set to where the rates q' of the step are evaluated. */
picus_evaluation *picus_theta_rate_point(stepper *s);
/* How the balance changes with displaced positions: out += S dq. */
void picus_theta_add_slope(const stepper *s, const double *dq, double *out);
/* out = X dw. */
void picus_theta_positions(const stepper *s, const double *dw, double *out);

/* --- projection.c, projection_coupled.c --- */
picus_status picus_projection_create(stepper *s);
void picus_projection_begin(stepper *s);
/* Whether the gaps at the end of the step need another displacement; stores the worst in the step. */
bool picus_projection_needed(stepper *s, projection_kind kind);
/* Memory of the coupled problem of all laws; that of groups of parts grows with the members. */
picus_status picus_projection_create_coupled(stepper *s);
/* Finds tau at the end point and moves q. */
picus_status picus_projection_find(stepper *s, picus_step_info *info);
/* P and tau in one problem (Acary 2012 (53)), into the contact problem, the projection, and w of the next iterate; q is
 * moved by the callers: with w, then by picus_projection_move. scale: dq/dw if q' = u, not 0. */
picus_status picus_projection_find_both(stepper *s, const contact_request *request, double scale, double *w,
                                        picus_step_info *info);
picus_status picus_projection_move(stepper *s);
/* Members for a coupled problem, before it is solved. */
void picus_projection_choose(stepper *s, projection_kind kind);
/* For both kinds of problem: the members with N w of each, the normal row of a law, the law of a member's tau, B d of a
 * displacement d per unit of velocity, the largest tau for info, and the solver for a problem whose laws from
 * `first_law` on are the members, behind the active laws. */
picus_status picus_projection_list(stepper *s);
const double *picus_projection_row(const stepper *s, int law);
/* N w is laid out as rows solved with this matrix; it need not be N^-1. */
const system_matrix *picus_projection_matrix(const stepper *s);
picus_law picus_projection_law(const theta_projection *projection, int law);
picus_status picus_projection_displace(stepper *s, double *d, double *out);
void picus_projection_note(const stepper *s, picus_step_info *info);
picus_status picus_projection_call_solver(stepper *s, const picus_contact_problem *problem, int first_law,
                                          picus_solve_info *solve, picus_step_info *info);

#endif
