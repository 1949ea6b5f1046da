/* The system that schemes integrate: M(t,q) du = h(t,q,u) dt + W dP with q' = B(t,q) u + beta(t,q), and its laws with
 * gaps and relative velocities gamma = W^T u + chi. A system is constant once created, and threads may share it. An
 * evaluation holds all values; each thread has its own.
 *
 * A system consists of parts. Each part owns a block of q, u and M and a range of laws; a law refers to the velocity
 * blocks it acts on. The expressions of a model form one part; user-defined functions form another kind of part. */
#ifndef PICUS_SYSTEM_H
#define PICUS_SYSTEM_H

#include <picus/base.h>
#include <picus/contact.h>
#include <picus/model.h>
#include <picus/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- nodes of flexible components ------------------------------------------------------------------------------- */

enum { PICUS_NODE_COMPONENTS = 6 }; /* of a node, at most */
/* The nodes of a flexible component, which results have as a table. A displacement of a component without nodes counts
 * as a node. */
typedef struct picus_node_table {
  const char *name;                                      /* of the component */
  int first;                                             /* number of the first node in names */
  int node_count, component_count;                       /* rows and columns of the table */
  const char *displacements[PICUS_NODE_COMPONENTS];      /* component_count names: "ux", ... */
  const char *velocities[PICUS_NODE_COMPONENTS];         /* "vx", ... */
  const char *displacement_units[PICUS_NODE_COMPONENTS]; /* "" if unknown */
  const char *velocity_units[PICUS_NODE_COMPONENTS];
  const double *positions; /* 3 for each node, without displacements, m; NULL: unknown */
  int element_count;       /* in elements */
  const int *elements;     /* two nodes each, from 0; NULL: unknown */
} picus_node_table;
/* A row of such a table: node_count x component_count values each, 0 for supported components. */
typedef struct picus_node_sample {
  long row;                                 /* from 0 */
  double t;                                 /* s */
  int table;                                /* index among the tables of the system */
  const double *displacements, *velocities; /* node_count x component_count, row-major */
} picus_node_sample;                        /* Lifetime: its values live until the next step */

/* --- systems ---------------------------------------------------------------------------------------------------- */

typedef struct picus_system picus_system;
typedef struct picus_evaluation picus_evaluation;

/* Differentiates, compiles and checks the model: names, linearity in u, positive mass, admissible initial state. The
 * model may be changed or destroyed afterwards. Jacobians are derived when a simulation or an evaluation first needs
 * them, once for all of them: then memory comes from the allocator of the model's context, in any thread. */
PICUS_API picus_status picus_system_create(picus_model *model, picus_system **out);
/* Limits for deriving the equations of a model, and again for each later derivation of Jacobians, which
 * picus_sim_create reports. Zero: the default. */
typedef struct picus_derivation {
  size_t memory_limit; /* bytes held at once, in addition to earlier allocations; 0: 4 GiB, with 32 bits 1 GiB */
  uint64_t node_limit; /* expression nodes created or looked up; 0: 10^10, about a quarter of an hour */
  int (*interrupt)(void *user); /* called many times per second; non-zero ends with PICUS_INTERRUPTED; may be NULL */
  void *user; /* both live as long as the system; any thread that creates a simulation of it may call interrupt */
  int largest_dense; /* velocities that forces couple: up to this number the matrices are dense, above it sparse; 0: 48
                      */
  bool bodies_as_formulas; /* rigid bodies are derived as expressions too, instead of evaluated by code: to compare */
  /* Expressions are written as C, compiled by the system's compiler into shared objects and loaded: more time to create
   * a system, less per step, identical results. If compilation fails, the expressions are interpreted; this is not an
   * error (see picus_system_native). */
  bool native;
  const char *native_cache;    /* the folder of the objects; NULL: picus in $XDG_CACHE_HOME, or in ~/.cache */
  const char *native_compiler; /* and its first arguments, with blanks between; NULL: $CC, or cc, gcc or clang */
  double native_seconds;       /* limit of one run of the compiler; 0: 300. Both texts live as long as the system */
} picus_derivation;
/* The same with given limits. PICUS_ERROR_FILE_LIMIT: a limit is exceeded; all allocated memory is released, and the
 * model can be used again. derivation may be NULL. */
PICUS_API picus_status picus_system_create_within(picus_model *model, const picus_derivation *derivation,
                                                  picus_system **out);
PICUS_API void picus_system_destroy(picus_system *system);
/* Result of `native` of picus_derivation so far: Jacobians are compiled when they are first needed. */
typedef struct picus_native_report {
  long operations;  /* operations that run as native code */
  long interpreted; /* operations that are interpreted instead, with the reason in note and in the log */
  int objects;      /* loaded objects */
  int compiled;     /* compiled objects: the others were in the cache */
  char note[256];   /* "": all expressions are native */
} picus_native_report;
PICUS_API picus_native_report picus_system_native(const picus_system *system);

/* One law and its material parameters. */
typedef struct picus_system_law {
  const char *name;
  picus_law_kind kind;
  bool has_gap;            /* contacts and position-level constraints; UNILATERAL without: a one-way clutch */
  int slips;               /* friction rows */
  int dim;                 /* rows in W^T: (normal or constraint row) + slips */
  int first_row;           /* first row of the law among all rows of the system */
  double mu;               /* COULOMB */
  double reservoir;        /* RESERVOIR: force, N */
  double eN, eF;           /* coefficients of restitution, in [0,1] */
  picus_impact_law impact; /* of contacts; 0: that of the run */
  double rolling;  /* ROLLING: rolling radius, m. The law stands behind its contact, and acts while that is closed */
  double adhesion; /* N, of contacts */
  bool displaced;  /* RESERVOIR with one row, a preload: a force by the displacement, its gap, not by the slip */
  bool moves;      /* its surface moves, or it is a motor: chi is not 0; or a constraint that events switch. Of models;
                    * results then have its work */
  bool loaded;     /* RESERVOIR of a guide or joint: |P_F| <= mu |P| of its constraints, without a reservoir */
  bool varies;     /* mu, reservoir, rolling, eN and eF are those of the start, without slip; of models */
} picus_system_law;

PICUS_API int picus_system_nq(const picus_system *system);
PICUS_API int picus_system_nu(const picus_system *system);
PICUS_API int picus_system_law_count(const picus_system *system);
PICUS_API int picus_system_row_count(const picus_system *system);
/* Whether the system also has detected laws: contacts that exist while bodies are close to each other. */
PICUS_API bool picus_system_laws_appear(const picus_system *system);
/* Tables of results: the flexible components whose nodes are stored. */
PICUS_API int picus_system_node_table_count(const picus_system *system);
/* Lifetime: its texts and arrays live as long as the system. */
PICUS_API picus_node_table picus_system_node_table(const picus_system *system, int index);
/* Lifetime: its texts live as long as the system. */
PICUS_API picus_system_law picus_system_law_at(const picus_system *system, int law);
PICUS_API const char *picus_system_q_name(const picus_system *system, int index); /* Lifetime: as long as the system */
PICUS_API const char *picus_system_u_name(const picus_system *system, int index); /* Lifetime: as long as the system */
/* An input, by index; one that a program sets has the value at the time t, and changes with its rate from there. */
typedef struct picus_system_input {
  const char *name, *unit, *label;
  double start, rate; /* initial values */
  bool has_rate;      /* false: its rate is always 0 */
} picus_system_input;
typedef struct picus_input {
  double value; /* at the present time */
  double rate;  /* 1/s times the unit of the value */
  double t;     /* s */
} picus_input;
PICUS_API int picus_system_input_count(const picus_system *system);
/* Lifetime: its texts live as long as the system. */
PICUS_API picus_system_input picus_system_input_at(const picus_system *system, int index);
PICUS_API int picus_system_find_input(const picus_system *system, const char *name); /* -1: none has this name */
/* Work terms by name: forces, actuators, dampers, damping, prescribed motions. Only these and its laws change the
 * energy of a system. Systems of functions have none: the work of their forces is not available separately.
 */
PICUS_API int picus_system_work_count(const picus_system *system);
PICUS_API const char *picus_system_work_name(const picus_system *system,
                                             int index); /* Lifetime: as long as the system */
/* Initial state; t_start is an option of the run. */
PICUS_API void picus_system_start(const picus_system *system, double *q, double *u);
/* Unit quaternions, four consecutive coordinates each: their number, and the first coordinate of each. */
PICUS_API int picus_system_quaternion_count(const picus_system *system);
PICUS_API int picus_system_quaternion(const picus_system *system, int index);
/* Normalizes every quaternion in q to length 1; one of length 0 or with a value that is not finite stays unchanged. */
PICUS_API void picus_system_normalise(const picus_system *system, double *q);

/* The bilateral constraints at the point of picus_evaluation_set_point. */
typedef struct picus_constraint_report {
  int constraints;        /* bilateral laws, at position and at velocity level */
  int rank;               /* independent constraints, from their generalized force directions W */
  int freedom;            /* remaining degrees of freedom: nu - rank */
  double worst_position;  /* largest |g|, and its law (-1: none) */
  int worst_position_law; /* */
  double worst_velocity;  /* largest |W^T u + chi|, and its law (-1: none) */
  int worst_velocity_law;
} picus_constraint_report;
/* redundant (law_count, may be NULL): true for constraints that depend on earlier ones. */
PICUS_API picus_status picus_system_examine_constraints(picus_evaluation *evaluation, picus_constraint_report *report,
                                                        bool *redundant);
/* Moves q, then u, onto the bilateral constraints at time t: the nearest state in the metric of M, to first order.
 * Quaternions are normalized first. PICUS_ERROR_MODEL: no such state nearby; the message names the worst constraint.
 * For closed contacts that approach see start_impact of picus_sim_options. */
PICUS_API picus_status picus_system_assemble(picus_context *context, const picus_system *system, double t, double *q,
                                             double *u);

/* Quantities found to be constant. */
typedef struct picus_system_constants {
  bool mass;            /* M */
  bool directions;      /* W and chi */
  bool identity_rates;  /* q' = u */
  bool position_forces; /* h does not depend on u; false: it may */
} picus_system_constants;
PICUS_API picus_system_constants picus_system_constant_parts(const picus_system *system);

/* A system given by user-defined functions. Each returns 0, or non-zero if it cannot be evaluated at that point. Arrays
 * are row-major and zeroed before the call. Central differences replace missing derivatives. */
typedef struct picus_system_functions {
  int nq, nu;
  const char *const *q_names; /* nq, or NULL: q1, q2, ... */
  const char *const *u_names; /* nu, or NULL: u1, u2, ... */
  const double *q_start;      /* nq, or NULL: zeros */
  const double *u_start;      /* nu, or NULL: zeros */
  int law_count;
  const picus_system_law *laws; /* Picus computes first_row and dim; may be NULL if law_count is 0 */
  bool mass_is_constant, directions_are_constant;
  bool force_ignores_velocities; /* force does not depend on u: adaptive runs need fewer steps */
  /* required */
  int (*mass)(void *user, double t, const double *q, double *M);                   /* nu x nu, symmetric */
  int (*force)(void *user, double t, const double *q, const double *u, double *h); /* nu */
  /* gaps: required if a law has a gap; directions: required if there are laws */
  int (*gaps)(void *user, double t, const double *q, double *gap); /* law_count; leave 0 for laws without a gap */
  int (*directions)(void *user, double t, const double *q, double *W, double *chi); /* rows x nu: rows of W^T */
  /* optional */
  int (*rate)(void *user, double t, const double *q, const double *u, double *q_dot); /* NULL: q' = u, nq == nu */
  int (*energy)(void *user, double t, const double *q, const double *u, double *kinetic, double *potential);
  int (*force_jacobian)(void *user, double t, const double *q, const double *u, double *dh_dq, double *dh_du);
  int (*gap_jacobian)(void *user, double t, const double *q, double *dg_dq); /* law_count x nq */
} picus_system_functions;
/* The functions must remain callable as long as the system lives; names and laws are copied. Lifetime: `*out` until
 * `picus_system_destroy`, before `user` and the data of the functions. */
PICUS_API picus_status picus_system_from_functions(picus_context *context, const picus_system_functions *functions,
                                                   void *user, picus_system **out);

/* Values of a system at one point (t, q, u). Quantities are computed on request, and only once if constant. Lifetime:
 * `*out` until `picus_evaluation_destroy`, before the system. */
PICUS_API picus_status picus_evaluation_create(picus_context *context, const picus_system *system,
                                               picus_evaluation **out);
PICUS_API void picus_evaluation_destroy(picus_evaluation *evaluation);
PICUS_API void picus_evaluation_set_point(picus_evaluation *evaluation, double t, const double *q, const double *u);

/* Sets the value of an input for all later evaluations; initially it has its initial value, from t_start of the model.
 * Set the point afterwards. */
PICUS_API picus_status picus_evaluation_set_input(picus_evaluation *evaluation, int index, const picus_input *input);

PICUS_API picus_status picus_evaluate_rate(picus_evaluation *evaluation, double *q_dot); /* nq: B u + beta */
PICUS_API picus_status picus_evaluate_force(picus_evaluation *evaluation, double *h);    /* nu */
PICUS_API picus_status picus_evaluate_gaps(picus_evaluation *evaluation, double *gap);   /* law_count */
PICUS_API picus_status picus_evaluate_mass(picus_evaluation *evaluation, double *M);     /* nu x nu */
PICUS_API picus_status picus_evaluate_directions(picus_evaluation *evaluation, double *W, double *chi);
PICUS_API picus_status picus_evaluate_energy(picus_evaluation *evaluation, double *kinetic, double *potential);
/* Relative velocities gamma = W^T u + chi, row_count values. */
PICUS_API picus_status picus_evaluate_velocities(picus_evaluation *evaluation, double *gamma);
/* Their derivatives without the accelerations u': kappa = d(W^T)/dt u + d(chi)/dt along q', so gamma' = W^T u' + kappa;
 * row_count values. The second derivative of a gap is gamma' of its row. Inputs count as constant. */
PICUS_API picus_status picus_evaluate_acceleration_terms(picus_evaluation *evaluation, double *kappa);

/* Jacobians at the point, dense and row-major: exact for models, central differences if a user-defined system has
 * none. The first call for one of them derives it, and needs memory. */
PICUS_API picus_status picus_evaluate_force_jacobian(picus_evaluation *evaluation, double *dh_dq, double *dh_du);
PICUS_API picus_status picus_evaluate_gap_jacobian(picus_evaluation *evaluation, double *dg_dq); /* laws x nq */
/* d(B u + beta)/dq (nq x nq) and B (nq x nu). */
PICUS_API picus_status picus_evaluate_rate_jacobian(picus_evaluation *evaluation, double *drate_dq, double *B);
/* d(M v)/dq for a given v (nu): nu x nq. */
PICUS_API picus_status picus_evaluate_mass_jacobian(picus_evaluation *evaluation, const double *v, double *dMv_dq);
/* d(W^T u + chi)/dq (rows x nq), and d(W P)/dq for given P (rows): nu x nq. */
PICUS_API picus_status picus_evaluate_velocity_jacobian(picus_evaluation *evaluation, double *dgamma_dq);
PICUS_API picus_status picus_evaluate_direction_jacobian(picus_evaluation *evaluation, const double *P, double *dWP_dq);

/* --- natural modes ---------------------------------------------------------------------------------------------- */

/* Natural modes of a system: undamped vibrations M x'' + G x' + K x = 0 about a state at rest, found from the sparse
 * matrices of its parts. K and G come from the derivatives of all forces, G being the skew-symmetric part of dh/du;
 * bilateral constraints hold. The lowest frequencies are found by subspace iteration, at a cost that grows linearly
 * with the size of a flexible component. */
typedef struct picus_modes_options {
  int count;       /* wanted modes, at least 1; there are fewer if the system has fewer degrees of freedom */
  const double *q; /* nq: the state; NULL: the initial state of the system */
  /* first find the static equilibrium near this state: contacts may open and close, without friction;
   * picus_sim_find_equilibrium finds it with friction */
  bool equilibrium;
  bool contacts; /* closed contacts stay closed, and stick if they have friction; otherwise contacts are ignored */
} picus_modes_options;
PICUS_API picus_modes_options picus_default_modes_options(void); /* count 10, everything else 0 */

typedef struct picus_modes picus_modes;
/* One mode. The motion is Re((shape + i shape_imaginary) exp(i omega t)), with shapes of nu velocities and x^T M x = 1.
 */
typedef struct picus_natural_mode {
  double omega;                  /* rad/s; 0: a motion without stiffness. Negative: unstable, grows as exp(|omega| t) */
  double damping;                /* estimated damping ratio, from the symmetric part of dh/du; 0 if omega <= 0 */
  int whirl;                     /* 1: gyroscopic terms raise the frequency, for a shaft in inertial axes forward whirl;
                                    -1: they lower it, backward whirl; 0: neither */
  const double *shape;           /* nu */
  const double *shape_imaginary; /* nu; NULL without gyroscopic terms */
} picus_natural_mode;
/* PICUS_ERROR_MODEL: there is no equilibrium nearby, or the iteration does not converge. Lifetime: `*out` until
 * `picus_modes_destroy`. */
PICUS_API picus_status picus_modes_create(picus_context *context, const picus_system *system,
                                          const picus_modes_options *options, picus_modes **out);
PICUS_API void picus_modes_destroy(picus_modes *modes);
/* rad/s: lower frequencies cannot be distinguished from 0, because of the round-off of the highest frequencies. It
 * grows with the square of the number of elements of a beam. */
PICUS_API double picus_modes_resolution(const picus_modes *modes);
PICUS_API int picus_modes_count(const picus_modes *modes);
/* Sorted by frequency. Lifetime: shapes as long as the modes. */
PICUS_API picus_natural_mode picus_modes_at(const picus_modes *modes, int index);
PICUS_API const double *picus_modes_state(const picus_modes *modes); /* nq. Lifetime: as long as the modes */

#ifdef __cplusplus
}
#endif

#endif
