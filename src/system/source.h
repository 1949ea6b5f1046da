/* Sources of equations: what a system asks of formulas, linear components, functions in C, rigid bodies and shapes, and
 * of laws that come and go. */
#ifndef PICUS_SYSTEM_SOURCE_H
#define PICUS_SYSTEM_SOURCE_H

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

typedef struct changing_set appearing_laws;
/* Adds a contact that a source lists, PICUS_UNILATERAL or PICUS_COULOMB, in any order: data, key, members, rolls, slack
 * and parts, which are copied. Its rows are the gap velocity and the slips. If it has `rolls`, a second law follows it
 * among the present laws: of kind PICUS_ROLLING, with the same key, members and parts and the radius data.rolling,
 * without a gap, and with as many rows, the relative rolling velocities. */
picus_status picus_appearing_laws_add(appearing_laws *list, const system_law *law);

/* The laws of one source that are present, in increasing order of their keys; rolling laws behind their contacts. */
typedef struct present_laws {
  int count;
  const system_law *laws;
} present_laws;

/* Where a law acts, for results and pictures; in the inertial frame, m. */
typedef struct law_place {
  double point[3];   /* in the middle of the gap */
  double normal[3];  /* unit vector from the second body to the first: PN > 0 pushes the first one along it */
  double tangent[3]; /* unit vector of the first slip row; the second one is normal x tangent. Zero without friction */
  int body[2];       /* numbers of the source; -1: not a body that moves */
} law_place;

/* Coefficients of a law at a point: the radius is mu, the reservoir or the rolling radius, as its kind has it; slope:
 * its derivative by the slip speed. */
typedef struct law_coefficients {
  double radius, slope, eN, eF;
} law_coefficients;

/* How laws that come and go belong to pairs: of bodies and frames, or of materials. */
typedef struct law_pairing {
  int (*count)(const void *self); /* bodies and frames, or materials */
  const char *(*name)(const void *self, int member);
  bool (*can_meet)(const void *self, int a, int b); /* symmetric; a and b may be the same */
  /* of a law; its normal points from the first to the second */
  void (*members)(const void *self, const system_law *law, int members[2]);
  int (*axes)(const void *self); /* of their percussions: 2 in the plane, 3 in space */
} law_pairing;

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
  /* for checkpoints: lists a law with this key and these members as it would list it now; *known: there can be such a
   * law. Both may come from anybody. Without it a run with present laws cannot be resumed */
  picus_status (*list_again)(const void *self, const system_law *law, appearing_laws *list, bool *known);
  /* optional: a name for messages and results, with the 0 at its end; otherwise it is made from the key */
  void (*name)(const void *self, const system_law *law, char *text, size_t size);
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
  const law_pairing *pairings; /* optional: by picus_pair_sum */
  /* optional: how relative velocities change with time alone; zeroed before */
  picus_status (*velocity_drift)(const void *self, picus_context *context, const source_point *point,
                                 const present_laws *laws, double *dgamma_dt);
  /* optional: as source_ops.coefficients, of the present laws */
  void (*coefficients)(const void *self, const source_point *point, const present_laws *laws, const double *speed,
                       law_coefficients *out);
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
  /* optional: coefficients of its laws that vary, at the point and at the slip speed of each; the others stay */
  void (*coefficients)(const void *self, const source_point *point, const double *speed, law_coefficients *out);
  /* of the first source, if the system has switching functions: a and b of all of them */
  void (*switches)(const void *self, const source_point *point, double *a, double *b);
  /* of the first source, if the system has controls: the values of all actions */
  void (*actions)(const void *self, const source_point *point, double *values);
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

#endif
