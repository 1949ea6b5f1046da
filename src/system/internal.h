/* Systems from the inside: parts, laws, and the evaluation with its caches. Their sources: source.h. */
#ifndef PICUS_SYSTEM_INTERNAL_H
#define PICUS_SYSTEM_INTERNAL_H

#include "contact/sizes.h"
#include "linalg/internal.h"
#include "system/part_matrix.h"
#include "system/source.h"

#include <picus/result.h>
#include <picus/system.h>

/* Coordinates and velocities that depend on no others but by laws and forces: the finest blocks in which M and the
 * derivatives of rates fall apart. Parts that forces couple are one group. The derivatives of the forces on a part are
 * as wide as the coupled parts together, which stand side by side in increasing order. */
typedef struct system_part {
  int source;
  int q0, nq; /* block of q */
  int u0, nu; /* block of u, and of M */
  bool mass_constant, identity_rates;
  bool position_forces; /* on it: they do not depend on velocities */
  int straight;         /* of its first coordinates: each is the integral of one velocity, which changes no other one */
  bool linear_rates;    /* the other rates do not contain these, and are linear in q: drate/dq depends on u alone */
  bool tangents_constant; /* dh/dq and dh/du are constant; see source_ops.tangent_constant */
  /* of the fastest motion x of a flexible component: x^T K x / x^T M x in 1/s^2, x^T C x / x^T M x in 1/s; zeros:
   * unknown
   */
  double fastest_stiffness, fastest_damping;
  const part_pattern *pattern; /* of M, dh/dq and dh/du; NULL: dense. Owned by the source */
  int group;
  int coupled_count; /* parts in dh/dq and dh/du, itself among them, in increasing order */
  const int *coupled;
  int q_width, u_width; /* their coordinates and velocities together */
  int q_own, u_own;     /* columns before its own */
  const int *place;     /* of each value of its dh/du in the matrix of a mixed group; NULL: in their order */
} system_part;

/* Derivatives of the force on one velocity beyond dh/dq and dh/du of its part: by one displacement of a part with a
 * pattern, or by all coordinates and velocities of a dense part. They arise from forces that name nodes of flexible
 * components, and are listed by increasing row, then column. */
typedef struct system_coupling {
  int row, row_part;
  int part; /* of the columns */
  int q0, nq, u0, nu;
  size_t by_q, by_u; /* its first values among those of all couplings */
  size_t at;         /* of (row, u0) among the values of the matrix of its group */
} system_coupling;

/* Parts one after the other that forces couple: a block of the iteration matrices of implicit schemes. */
typedef struct system_group {
  int part0, part_count;
  int u0, nu;
  const part_pattern *pattern; /* that of its only part, or ... */
  part_pattern own;            /* ... of these: rows as wide as dh/du of their part, or ... */
  int *row_start, *column;
  bool mixed; /* ... the places of dh/du of its parts, dense or with a pattern, and those of couplings */
  int coupling0, coupling_count;
  int *place; /* of the parts */
} system_group;

enum { PICUS_LAW_LOADS = 6, PICUS_LAW_MEMBERS = 4 }; /* constraints that load a law; numbers of its members */

struct system_law {
  picus_system_law data;
  int source; /* that evaluates it */
  /* of a law that comes and goes: unique in the source and the same in every step that lists the law; numbers by which
   * the source finds what the law belongs to; rows of the rolling law that follows a contact, 0: none */
  uint64_t key;
  int members[PICUS_LAW_MEMBERS], rolls;
  int part_count; /* parts that it acts on, in increasing order */
  int *parts;     /* part_count indices */
  int width;      /* velocities it acts on: sum of the parts' nu */
  size_t W0;      /* offset of its dim x width rows among all W values */
  int from, to;   /* entries of its rows of W before and from there on are always zero; 0, 0: not known */
  int load_count, load[PICUS_LAW_LOADS]; /* of data.loaded: its constraints, fixed laws */
  double load_length;                    /* see picus_friction_def */
  unsigned turned;                       /* bit k: load k counts with the other sign */
  int off_input;                         /* 1 + the input that is 1 while events have switched it off; 0: none */
  double slack;                          /* m: a contact takes part if its gap is not larger, whatever the run says */
  int q_width;                           /* coordinates of these parts */
  size_t gap_q0;                         /* offset of its row among dg/dq of all laws */
  size_t Q0;                             /* offset of its dim x q_width rows among dgamma/dq of all laws */
  char *name;
};

/* Laws that share a part, for every law, itself among them: neighbour[start[i]] ... neighbour[start[i + 1] - 1],
 * increasing. */
typedef struct law_graph {
  size_t *start;
  int *neighbour;
  size_t law_capacity, part_capacity, neighbour_capacity; /* of the memory, also of that for building it */
  size_t *part_start;
  int *law_of_part, *mark;
} law_graph;

/* Consecutive laws of a set. */
typedef struct law_range {
  int first, count;
} law_range;

/* m: a contact with adhesion is closed up to this gap, so that round-off does not tear it off. */
#define PICUS_ADHESION_SLACK 1e-9

/* Laws that are solved together: those of a system, which stay, or those of a stepper. Evaluations, steppers and
 * contact problems refer to the set they work with; values of laws, rows and W are laid out by it. */
typedef struct law_set {
  const picus_system *system; /* whose parts the laws act on */
  int law_count, row_count;
  size_t W_size;             /* values in W, all laws */
  size_t gap_q_size, Q_size; /* values in dg/dq and dgamma/dq, all laws */
  system_law *laws;
  law_graph graph; /* of sets whose G is neither dense nor factored */
  /* of sets that change (law_set.h); else fixed_count is law_count, and the rest zero */
  bool by_factors;          /* beyond PICUS_FACTORED_ROWS rows G is not formed */
  int fixed_count;          /* laws of the system, which come first */
  const law_range *present; /* for each source: those among them that it evaluates */
  unsigned long version;    /* another one whenever the laws change */
} law_set;

/* Whether G of the laws stays a product of factors: then there is no graph. */
static inline bool picus_law_set_is_factored(const law_set *set) {
  return set->by_factors && set->row_count > PICUS_FACTORED_ROWS;
}

/* Whether G of the laws is a complete matrix: of few rows, and of joints alone only of fewer, because their factors
 * stay sparse. */
bool picus_law_set_is_dense(const law_set *set);

typedef struct system_name {
  char *name, *unit, *label;
  bool unrecorded; /* no column of results */
} system_name;

typedef struct system_node_table system_node_table;

typedef struct system_input {
  double start, rate; /* initial values */
  bool has_rate;
} system_input;

/* What the simulation does itself between two steps. Actions are expressions that are evaluated together then. */
typedef struct system_sampled {
  int input;
  double every; /* s; 0: it is held, and events set it */
  int action;   /* its next value; -1: it is held */
} system_sampled;
typedef struct system_signal { /* an input that follows a law */
  int input, law;
  int signal; /* picus_signal */
} system_signal;
typedef struct system_setting { /* by an event */
  int kind;                     /* picus_setting_kind */
  int index, action;
} system_setting;
typedef struct system_event {
  char *name;
  int switching; /* that has its zeros; -1: it is a change of a law */
  bool reversed;
  int direction, law, change; /* picus_event_direction, picus_event_change */
  int first_setting, setting_count;
  bool stops;
} system_event;
typedef struct system_controls {
  int setting_count, event_count;
  system_setting *settings;
  system_event *events;
  int sampled_count, signal_count, action_count;
  system_sampled *sampled;
  system_signal *signals;
} system_controls;

struct picus_system {
  picus_context *context;
  int nq, nu, part_count, source_count, observable_count;
  system_source *sources;
  system_part *parts;
  int group_count;
  system_group *groups;
  int *alone; /* 0, 1, 2 ...: the list of each part that no other is coupled to */
  int coupling_count;
  system_coupling *couplings;
  size_t coupling_q, coupling_u; /* values of dh/dq and dh/du of all couplings */
  int turning_count;             /* the same for W P: laws whose directions depend on displacements, or the other way */
  system_coupling *turning;
  bool turns; /* relative velocities depend on displacements in some other way than by velocities */
  size_t turning_q;
  law_set fixed; /* the laws that the system was created with */
  system_name *q_names, *u_names, *observables;
  int input_count;
  system_name *input_names;
  int work_count; /* works that are booked by name: everything that changes the energy and is no law */
  char **work_names;
  bool stores;    /* one of them stores energy */
  int input_work; /* that of inputs which are set; -1: none */
  int event_work; /* that of events which set coordinates or velocities; -1: none */
  system_input *inputs;
  double *q_start, *u_start;
  int quaternion_count;
  int *quaternions; /* the first of four coordinates each */
  double t_start;   /* the time at which the initial state is checked */
  uint64_t data;    /* a number for the data of its tables; 0: it has none */
  double *stop_times;
  int stop_count;
  bool has_sides;         /* its expressions switch by switching functions only */
  bool has_rest_friction; /* friction at rest may differ from that of the slowest slip */
  int switch_count;
  system_switch *switches;   /* see switches.h */
  system_controls *controls; /* NULL: none */
  picus_system_constants constants;
  bool has_loads;                    /* of any source */
  bool appears;                      /* a source has laws that come and go */
  bool knows_moves;                  /* of each law: picus_system_law.moves; not of user-defined systems */
  picus_impact_law impact_of_shapes; /* a law that a pair of materials names, not Newton's; 0: none does */
  bool adheres;                      /* some contacts hold against an adhesive force */
  bool varies;                       /* coefficients of some laws do: picus_evaluate_coefficients */
  bool at_rest;                      /* no law has a surface that moves or is a motor: chi = 0 */
  int node_table_count;
  system_node_table *node_tables; /* flexible components whose nodes are a table of results */
};

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
void picus_controls_release(picus_system *system);
/* Of a switching function c (t - t_zero): its side in a time interval around t; NAN: it is none. */
bool picus_switch_is_near(const picus_system *system, int index, double t, double slack); /* |t - t_zero| <= slack */
double picus_switch_side_after(const picus_system *system, int index, double t); /* just after t; NAN likewise */
double picus_switch_side_at(const picus_system *system, int index, double t);
const char *picus_switch_text(const picus_system *system, int index); /* "x = 0.5" */
/* The side by values of a and b, `before` if they do not tell; and the one beyond the zero to which a has come. */
double picus_switch_side_of(const picus_system *system, int index, double a, double b, double before);
double picus_switch_other_side(const picus_system *system, int index, double side, double a);
bool picus_switch_is_table(const picus_system *system, int index);
/* Tables whose argument is linear in time switch at known times, where adaptive steps end: those between two times,
 * increasing for each table; returns their number. times may be NULL. */
int picus_system_kink_times(const picus_system *system, double after, double before, double *times);
bool picus_system_stops_at(const picus_system *system, double t); /* a stop time, or such a time of a table */
/* 1: on this side, the left of the text is larger; -1: the right. */
int picus_switch_text_side(const picus_system *system, int index, double side);

/* Promises that only rates, gaps, directions and relative velocities will be needed: parts may save work. */
void picus_evaluation_laws_only(picus_evaluation *evaluation);

/* For builders of systems: sources and laws are to be filled in. Then the parts of each source with their sizes, and
 * the parts of each law (none given: the first one of the source that evaluates it), lead to the layout. */
picus_status picus_system_allocate(picus_context *context, int source_count, int law_count, picus_system **out);
picus_status picus_system_allocate_parts(picus_system *system); /* by part_count of the sources */
picus_status picus_system_layout_parts(picus_system *system);
/* After the layout of the parts: groups that couplings connect become one. The list must be there. */
picus_status picus_system_couple(picus_system *system);
picus_status picus_system_layout_laws(picus_system *system);
/* The place of one more law at the end of a set, whose data and parts are known. */
void picus_law_set_place(law_set *set, system_law *law);
/* The graph of the set, if it needs one. Memory grows by factors. */
picus_status picus_law_set_connect(picus_context *context, law_set *set);
void picus_law_graph_release(picus_context *context, law_graph *graph); /* a zeroed one is fine */

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
/* Fails if there is no such input, a number is not finite, or the input has no rate but gets one. */
picus_status picus_system_check_input(picus_context *context, const picus_system *system, int index,
                                      const picus_input *input);
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
/* Columns for the recorder. */
int picus_system_observable_count(const picus_system *system);
picus_column picus_system_observable(const picus_system *system, int index);
picus_column picus_system_q_column(const picus_system *system, int index);
picus_column picus_system_u_column(const picus_system *system, int index);
picus_column picus_system_input_column(const picus_system *system, int index);
bool picus_system_q_recorded(const picus_system *system, int index);
bool picus_system_u_recorded(const picus_system *system, int index);
picus_status picus_system_observe(picus_evaluation *evaluation, double *values);

#endif
