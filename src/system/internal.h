/* Systems from the inside: parts, laws, and the evaluation with its caches. */
#ifndef PICUS_SYSTEM_INTERNAL_H
#define PICUS_SYSTEM_INTERNAL_H

#include "system/part_matrix.h"

#include <picus/result.h>
#include <picus/system.h>

/* The quantities of a part, for messages about a value that is not finite. */
typedef enum part_quantity {
  QUANTITY_RATE,       /* row: coordinate */
  QUANTITY_GAP,        /* row: law */
  QUANTITY_FORCE,      /* row: velocity */
  QUANTITY_LOAD,       /* row: velocity of the complete system */
  QUANTITY_MASS,       /* row and column: velocities */
  QUANTITY_DIRECTION,  /* row: of W, with chi */
  QUANTITY_ENERGY,     /* row: 0 kinetic, 1 potential */
  QUANTITY_OBSERVABLE, /* row: observable */
  /* Jacobians: row as above, column: coordinate, or velocity */
  QUANTITY_FORCE_Q,
  QUANTITY_FORCE_U,
  QUANTITY_MASS_Q, /* of M v: row: velocity */
  QUANTITY_RATE_Q,
  QUANTITY_RATE_U,
  QUANTITY_GAP_Q,
  QUANTITY_VELOCITY_Q,  /* of W^T u + chi: row of W */
  QUANTITY_DIRECTION_Q, /* of W P: row: velocity */
  QUANTITY_COUNT
} part_quantity;

/* Jacobians, in the order in which an implicit step needs them. A set of them has the bit PICUS_JACOBIAN(kind) of
 * each. */
typedef enum jacobian_kind {
  JACOBIAN_FORCE_U,
  JACOBIAN_FORCE_Q,
  JACOBIAN_MASS_Q,     /* of M v, v given */
  JACOBIAN_COUPLING_U, /* of forces, between parts of different sources; see system_coupling */
  JACOBIAN_COUPLING_Q,
  JACOBIAN_RATE_Q,
  JACOBIAN_RATE_U,
  JACOBIAN_GAP_Q,
  JACOBIAN_VELOCITY_Q,  /* of W^T u + chi */
  JACOBIAN_VELOCITY_T,  /* the same by time: one column */
  JACOBIAN_DIRECTION_Q, /* of W P, P given */
  JACOBIAN_TURNING_Q,   /* the same between parts of different sources; see picus_system.turning */
  JACOBIAN_COUNT
} jacobian_kind;
#define PICUS_JACOBIAN(kind) (1U << (kind))
#define PICUS_JACOBIANS_OF_FORCES (PICUS_JACOBIAN(JACOBIAN_FORCE_U) | PICUS_JACOBIAN(JACOBIAN_FORCE_Q))
#define PICUS_JACOBIANS_OF_RATES (PICUS_JACOBIAN(JACOBIAN_RATE_Q) | PICUS_JACOBIAN(JACOBIAN_RATE_U))

/* A value of a source, or of a system. */
typedef struct value_place {
  part_quantity quantity;
  int row, column;
} value_place;

/* An input as the formulas see it: value + rate (t - since). */
typedef struct input_value {
  double value, rate, since;
} input_value;
static inline double picus_input_at(const input_value *input, double t) {
  return input->value + input->rate * (t - input->since);
}

/* Values of one source at the current point: its work memory and views on its blocks of t, q, u. */
typedef struct source_point {
  double t;
  const double *q, *u;               /* the source's own blocks */
  const double *system_q, *system_u; /* all of them, for a source whose laws act between others */
  void *work;                        /* made by ops->work_create */
  bool laws_only;                    /* a hint: only rates, gaps and directions will be needed */
  const input_value *inputs;         /* of the system */
  const double *sides;               /* of its switching functions; NAN: not held */
} source_point;

typedef struct system_source system_source;
typedef struct system_law system_law;
typedef struct system_switch system_switch;

/* The identity of a law that comes and goes, and numbers by which its source finds what the law belongs to. */
typedef struct law_tag {
  uint64_t key; /* unique in the source; the same in every step that lists the law */
  int data[4];
} law_tag;

/* A contact that a source lists. Its rows are the gap velocity and the slips. With rolling friction a second law
 * follows it among the present laws: of kind PICUS_ROLLING, with the same tag and parts, without a gap, and with
 * `rolls` rows, the relative rolling velocities. */
typedef struct appearing_law {
  law_tag tag;
  picus_law_kind kind; /* PICUS_UNILATERAL or PICUS_COULOMB */
  int slips;           /* of PICUS_COULOMB */
  double mu, eN, eF;
  double rolling; /* m, rolling radius; 0: no rolling friction */
  int rolls;      /* rolling velocities: 1 in the plane, 2 in space */
  double slack;   /* as in system_law */
  int part_count; /* parts that it acts on, in increasing order; copied */
  const int *parts;
} appearing_law;
typedef struct changing_set appearing_laws;
/* Adds a law; the order is free. */
picus_status picus_appearing_laws_add(appearing_laws *list, const appearing_law *law);

/* The laws of one source that are present, in increasing order of their keys; rolling laws behind their contacts. */
typedef struct present_laws {
  int count;
  const system_law *laws;
  const law_tag *tags;
} present_laws;

/* Where a law acts, for results and pictures; in the inertial frame, m. */
typedef struct law_place {
  double point[3];   /* in the middle of the gap */
  double normal[3];  /* unit vector from the second body to the first: PN > 0 pushes the first one along it */
  double tangent[3]; /* unit vector of the first slip row; the second one is normal x tangent. Zero without friction */
  int body[2];       /* numbers of the source; -1: not a body that moves */
} law_place;

/* Laws that come and go: contacts that exist while bodies are near each other. A source finds them before a step, from
 * the state alone, so that the result does not depend on earlier steps. During the step it evaluates the laws that are
 * present: those it listed and, in adaptive runs, those that a state in use needs, however far their bodies are. Arrays
 * are those of the present laws of the source, laid out like those of its other laws; rows have numbers for all parts
 * of their law, also for parts of other sources. */
typedef struct appearing_ops {
  /* Adds every law that may act within dt from the point: velocities may change in this time. */
  picus_status (*collide)(const void *self, picus_context *context, const source_point *point, double dt,
                          appearing_laws *list);
  /* optional: adds every law whose gap at the point is below zero by more than round-off, whatever features it had
   * before; without it nothing is looked for at the end of a step */
  picus_status (*overlaps)(const void *self, picus_context *context, const source_point *point, appearing_laws *list);
  /* for checkpoints: lists the law of a tag that it listed before, as it would list it now; *known: there can be such a
   * law. The tag may come from anybody. Without it a run with present laws cannot be resumed */
  picus_status (*list_again)(const void *self, const law_tag *tag, appearing_laws *list, bool *known);
  /* optional: a name for messages and results, with the 0 at its end; otherwise it is made from the key */
  void (*name)(const void *self, const law_tag *tag, char *text, size_t size);
  picus_status (*gaps)(const void *self, picus_context *context, const source_point *point, const present_laws *laws,
                       double *gap);
  picus_status (*directions)(const void *self, picus_context *context, const source_point *point,
                             const present_laws *laws, double *W, double *chi);
  /* dg/dq and d(W^T u + chi)/dq; arrays are zeroed before. velocity_jacobian may be NULL where W is constant. */
  picus_status (*gap_jacobian)(const void *self, picus_context *context, const source_point *point,
                               const present_laws *laws, double *dg_dq);
  picus_status (*velocity_jacobian)(const void *self, picus_context *context, const source_point *point,
                                    const present_laws *laws, double *dgamma_dq);
  /* optional: where the laws act, one place for each. Without it results have neither points nor bodies of contacts. */
  picus_status (*place)(const void *self, picus_context *context, const source_point *point, const present_laws *laws,
                        law_place *places);
  /* with place: the bodies that it numbers; the text lives as long as the source */
  int (*body_count)(const void *self);
  const char *(*body_name)(const void *self, int body);
  /* optional: how relative velocities change with time alone; zeroed before */
  picus_status (*velocity_drift)(const void *self, picus_context *context, const source_point *point,
                                 const present_laws *laws, double *dgamma_dt);
} appearing_ops;

/* The functions of a kind of source. Arrays are the blocks of the source, or those of its part with the given index,
 * row-major. Functions marked optional may be NULL. For a part with a sparsity pattern (system_part.pattern) M, dh_dq
 * and dh_du are the values of the pattern instead, nq == nu and q' = u; its mass_jacobian and direction_jacobian must
 * be NULL, that is zero. */
typedef struct source_ops {
  const char *kind;
  picus_status (*work_create)(const void *self, picus_context *context, void **work);
  void (*work_destroy)(const void *self, picus_context *context, void *work);
  void (*set_point)(const void *self, const source_point *point); /* optional: called when the point changes */
  /* optional: called when inputs or sides change, before set_point. They stay until the next call. */
  void (*set_inputs)(const void *self, const source_point *point);
  /* optional: prepares the work memory for Jacobians beyond those of earlier requests, which may take long and needs
   * memory; often: a scheme evaluates them in its steps */
  picus_status (*request)(const void *self, picus_context *context, const source_point *point, unsigned jacobians,
                          bool often);
  /* optional, after a request: whether dh/dq, or dh/du, of a part is constant; NULL: as system_part says */
  bool (*tangent_constant)(const void *self, const source_point *point, int part, jacobian_kind kind);
  picus_status (*rate)(const void *self, picus_context *context, const source_point *point, double *q_dot);
  picus_status (*force)(const void *self, picus_context *context, const source_point *point, double *h);
  /* optional: adds forces on other sources to h of the complete system, if the source has such forces (has_loads) */
  picus_status (*loads)(const void *self, picus_context *context, const source_point *point, double *system_h);
  picus_status (*gaps)(const void *self, picus_context *context, const source_point *point, double *gap);
  /* optional: set_point, gaps and force at once, for sources that find both in one pass */
  picus_status (*motion)(const void *self, const source_point *point, double *gap, double *h);
  /* M of a part. Structural zeros need not be written: they are already zero. */
  picus_status (*mass)(const void *self, picus_context *context, const source_point *point, int part, double *M);
  /* W: for each of the source's laws its dim x width rows, one after the other; zeros as for M */
  picus_status (*directions)(const void *self, picus_context *context, const source_point *point, double *W,
                             double *chi);
  picus_status (*energy)(const void *self, picus_context *context, const source_point *point, double *kinetic,
                         double *potential);
  /* of the works that the source books: power in W, and what they store in J; required if work_count > 0 */
  void (*powers)(const void *self, const source_point *point, double *power, double *stored);
  picus_status (*observe)(const void *self, picus_context *context, const source_point *point,
                          double *values); /* opt. */
  /* of the first source, if the system has switching functions: a and b of all of them */
  void (*switches)(const void *self, const source_point *point, double *a, double *b);
  /* Jacobians of a part with respect to its own q (and u); those of forces with respect to q and u of all coupled
   * parts. Arrays are zeroed before the call. mass_jacobian may be NULL
   * if M does not depend on q; set_momentum gives v, nu of the source, before. rate_jacobian is not needed if q' =
   * u. */
  picus_status (*force_jacobian)(const void *self, picus_context *context, const source_point *point, int part,
                                 double *dh_dq, double *dh_du);
  /* optional, not for parts with a pattern: dh_du alone, where that is less work */
  picus_status (*damping_jacobian)(const void *self, picus_context *context, const source_point *point, int part,
                                   double *dh_du);
  /* optional: the values of all couplings of the system; dh_dq may be NULL. Zeroed before the call. */
  picus_status (*couplings)(const void *self, picus_context *context, const source_point *point, double *dh_dq,
                            double *dh_du);
  picus_status (*rate_jacobian)(const void *self, picus_context *context, const source_point *point, int part,
                                double *drate_dq, double *B);
  void (*set_momentum)(const void *self, const source_point *point, const double *v);
  picus_status (*mass_jacobian)(const void *self, picus_context *context, const source_point *point, int part,
                                double *dMv_dq);
  /* Jacobians of laws: each row is as wide as the coordinates of the parts that the law acts on (system_law.q_width).
   * velocity_jacobian may be NULL where relative velocities do not depend on q. Arrays are zeroed before the call. */
  picus_status (*gap_jacobian)(const void *self, picus_context *context, const source_point *point, double *dg_dq);
  picus_status (*velocity_jacobian)(const void *self, picus_context *context, const source_point *point,
                                    double *dgamma_dq);
  /* optional, as velocity_jacobian: how relative velocities change with time alone, a value for each row */
  picus_status (*velocity_drift)(const void *self, picus_context *context, const source_point *point,
                                 double *dgamma_dt);
  /* d(W P)/dq, nu x nq of the source; NULL where W does not depend on q */
  picus_status (*direction_jacobian)(const void *self, picus_context *context, const source_point *point,
                                     const double *P, double *dWP_dq);
  /* optional: the values of picus_system.turning; zeroed before the call */
  picus_status (*turning)(const void *self, picus_context *context, const source_point *point, const double *P,
                          double *dWP_dq);
  /* Optional: writes the expression of a value that is not finite, and the operation that caused it. Rows and columns
   * are those of the source. Writes nothing if there is no such expression. */
  void (*explain)(const system_source *source, const source_point *point, const picus_system *system, value_place place,
                  char *text, size_t size);
  const appearing_ops *appearing; /* NULL: all its laws are fixed */
  void (*destroy)(void *self, picus_context *context);
} source_ops;

/* The evaluator of a range of parts and of laws: expressions, a flexible component, or user-defined functions. */
struct system_source {
  const source_ops *ops;
  void *self;
  int part0, part_count;
  int q0, nq, u0, nu; /* of its parts together */
  int law0, law_count;
  int row0, row_count;
  int observable0, observable_count;
  int work0, work_count;
  bool directions_constant;
  bool has_loads;
};

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

struct system_law {
  picus_system_law data;
  int source;     /* that evaluates it */
  int part_count; /* parts that it acts on, in increasing order */
  int *parts;     /* part_count indices */
  int width;      /* velocities it acts on: sum of the parts' nu */
  size_t W0;      /* offset of its dim x width rows among all W values */
  int from, to;   /* entries of its rows of W before and from there on are always zero; 0, 0: not known */
  double slack;   /* m: a contact takes part if its gap is not larger, whatever the run says */
  int q_width;    /* coordinates of these parts */
  size_t gap_q0;  /* offset of its row among dg/dq of all laws */
  size_t Q0;      /* offset of its dim x q_width rows among dgamma/dq of all laws */
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
enum {
  PICUS_DENSE_ROWS = 48,    /* rows of a set beyond which matrices over them are block-sparse */
  PICUS_FACTORED_ROWS = 600 /* and beyond which schemes that allow it leave G as the product of its factors */
};

/* Consecutive laws of a set. */
typedef struct law_range {
  int first, count;
} law_range;

/* Laws that are solved together: those of a system, which stay, or those of a stepper. Evaluations, steppers and
 * contact problems refer to the set they work with; values of laws, rows and W are laid out by it. */
typedef struct law_set {
  const picus_system *system; /* whose parts the laws act on */
  int law_count, row_count;
  size_t W_size;             /* values in W, all laws */
  size_t gap_q_size, Q_size; /* values in dg/dq and dgamma/dq, all laws */
  system_law *laws;
  law_graph graph; /* of sets with more than PICUS_DENSE_ROWS rows whose G is not factored */
  /* of sets that change (law_set.h); else fixed_count is law_count, and the rest zero */
  bool by_factors;          /* beyond PICUS_FACTORED_ROWS rows G is not formed */
  int fixed_count;          /* laws of the system, which come first */
  const law_tag *tags;      /* of the other laws */
  const law_range *present; /* for each source: those among them that it evaluates */
  unsigned long version;    /* another one whenever the laws change */
} law_set;

/* Whether G of the laws stays a product of factors: then there is no graph. */
static inline bool picus_law_set_is_factored(const law_set *set) {
  return set->by_factors && set->row_count > PICUS_FACTORED_ROWS;
}

typedef struct system_name {
  char *name, *unit, *label;
  bool unrecorded; /* no column of results */
} system_name;

typedef struct system_node_table system_node_table;

typedef struct system_input {
  double start, rate; /* initial values */
  bool has_rate;
} system_input;

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
  system_input *inputs;
  double *q_start, *u_start;
  int quaternion_count;
  int *quaternions; /* the first of four coordinates each */
  double t_start;   /* the time at which the initial state is checked */
  double *stop_times;
  int stop_count;
  bool has_sides; /* its expressions switch by switching functions only */
  int switch_count;
  system_switch *switches; /* see switches.h */
  picus_system_constants constants;
  bool has_loads;   /* of any source */
  bool appears;     /* a source has laws that come and go */
  bool knows_moves; /* of each law: picus_system_law.moves; not of user-defined systems */
  bool at_rest;     /* no law has a surface that moves or is a motor: chi = 0 */
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
/* Of a switching function c (t - t_zero): its side in a time interval around t; NAN: it is none. */
bool picus_switch_is_near(const picus_system *system, int index, double t, double slack); /* |t - t_zero| <= slack */
double picus_switch_side_after(const picus_system *system, int index, double t); /* just after t; NAN likewise */
double picus_switch_side_at(const picus_system *system, int index, double t);
const char *picus_switch_text(const picus_system *system, int index); /* "x = 0.5" */
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
/* Sets the point; gaps and h there, with the same bits as picus_evaluate_gaps and picus_evaluate_force. */
picus_status picus_evaluate_motion(picus_evaluation *evaluation, const moving_point *at, double *gap, double *h);
/* The values of M at the point, into evaluation->mass (no work if constant). */
picus_status picus_evaluation_update_mass(picus_evaluation *evaluation);
/* Also factors M at the point. PICUS_ERROR_SINGULAR names the velocity without mass. */
picus_status picus_evaluation_factor_mass_anew(picus_evaluation *evaluation);
static inline picus_status picus_evaluation_factor_mass(picus_evaluation *evaluation) {
  return evaluation->mass_factored ? PICUS_OK : picus_evaluation_factor_mass_anew(evaluation);
}
/* x := M^-1 x, all parts. */
void picus_evaluation_solve_mass(const picus_evaluation *evaluation, double *x);
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
