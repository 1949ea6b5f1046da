/* Sensitivities and periodic orbits of systems with contacts. An adaptive run finds the sequence of switching points;
 * the motion along this sequence is then followed to round-off, together with its derivatives by the initial state and
 * by parameters. At switching points derivatives jump (saltation).
 *
 * Between switching points derivatives come from the exact Jacobians of the equations. Parameters change the equations:
 * their part is a difference of order six of the equations, with the model read again for other values. */
#ifndef PICUS_ORBIT_H
#define PICUS_ORBIT_H

#include <picus/base.h>
#include <picus/model.h>
#include <picus/result.h>
#include <picus/sim.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What happens at a switching point. */
typedef enum picus_orbit_change {
  PICUS_CHANGE_IMPACT,   /* a contact closes with a velocity */
  PICUS_CHANGE_CLOSES,   /* a one-way clutch closes */
  PICUS_CHANGE_OPENS,    /* a contact or clutch opens */
  PICUS_CHANGE_SLIPS,    /* friction begins to slip */
  PICUS_CHANGE_STICKS,   /* slip ends */
  PICUS_CHANGE_REVERSES, /* slip changes its direction */
  PICUS_CHANGE_EVENT,    /* an event of the model */
  PICUS_CHANGE_SWITCH,   /* a comparison, min, max, abs or sign of an expression changes its branch */
  PICUS_CHANGE_TIME      /* a stop time */
} picus_orbit_change;
/* "impact", "closes", ...; NULL: no such number. Lifetime: static */
PICUS_API const char *picus_orbit_change_name(int change);
typedef struct picus_orbit_point {
  double t; /* s */
  picus_orbit_change change;
  const char *name;    /* of the law or event, or text of the comparison */
  int law;             /* -1: none */
  picus_mode from, to; /* of the law */
  double velocity;     /* m/s or rad/s, of approach in an impact; else NAN */
} picus_orbit_point;   /* Lifetime: its name lives as long as the system */

/* An eigenvalue of the derivative of the return map. */
typedef struct picus_multiplier {
  double re, im;
} picus_multiplier;

/* --- sensitivities ------------------------------------------------------------------------------------------------ */

typedef struct picus_sensitivity_def {
  picus_model *model;               /* with a source, which is read again for other values of parameters */
  const picus_system *system;       /* of the model */
  const picus_sim_options *options; /* adaptive; rows at multiples of sample, or the last one only */
  /* parameters of the model, or coordinates and velocities, whose initial values then count; NULL, with the count 0:
   * all coordinates and velocities */
  int name_count;
  const char *const *names;
} picus_sensitivity_def;

typedef struct picus_sensitivity picus_sensitivity;
/* Derivatives by initial values respect the constraints of the initial state, and its closed and sticking contacts.
 * PICUS_ERROR_UNSUPPORTED: a law, or a switching point, has no derivative, and the message names it: among others
 * accumulation points, impacts of several contacts at once, contacts of shapes. PICUS_NO_SOLUTION: a contact grazes.
 * Lifetime: `*out` until `picus_sensitivity_destroy`, before model and system. */
PICUS_API picus_status picus_sensitivity_create(picus_context *context, const picus_sensitivity_def *def,
                                                picus_sensitivity **out);
PICUS_API void picus_sensitivity_destroy(picus_sensitivity *sensitivity);
PICUS_API int picus_sensitivity_state_count(const picus_sensitivity *sensitivity); /* nq + nu */
PICUS_API int picus_sensitivity_count(const picus_sensitivity *sensitivity);       /* names */
PICUS_API const char *picus_sensitivity_name(const picus_sensitivity *sensitivity,
                                             int index); /* Lifetime: as long as the sensitivity */
PICUS_API long picus_sensitivity_rows(const picus_sensitivity *sensitivity);
/* rows. Lifetime: as long as the sensitivity. */
PICUS_API const double *picus_sensitivity_times(const picus_sensitivity *sensitivity);
/* rows x state_count: coordinates, then velocities. Lifetime: as long as the sensitivity. */
PICUS_API const double *picus_sensitivity_states(const picus_sensitivity *sensitivity);
/* rows x count x state_count: d(q, u)/d(name). Lifetime: as long as the sensitivity. */
PICUS_API const double *picus_sensitivity_values(const picus_sensitivity *sensitivity);
/* Switching points of the motion, in the order of time. */
PICUS_API int picus_sensitivity_point_count(const picus_sensitivity *sensitivity);
PICUS_API picus_orbit_point picus_sensitivity_point(const picus_sensitivity *sensitivity, int index);
/* A recorder of its rows, for sinks such as files: columns "t", coordinates, velocities, and "dx_dmu" for each of them
 * and each name; "dx_dy(0)" if the name is an initial value. Lifetime: `*out` until `picus_recorder_destroy`. */
PICUS_API picus_status picus_sensitivity_recorder(const picus_sensitivity *sensitivity,
                                                  const picus_run_description *run, picus_recorder **out);
/* Writes the rows to the sinks of such a recorder. */
PICUS_API picus_status picus_sensitivity_record(const picus_sensitivity *sensitivity, picus_recorder *recorder);

/* --- periodic orbits ---------------------------------------------------------------------------------------------- */

/* A periodic orbit by Newton's method on a section (shooting), stable or not. An adaptive run from the initial state of
 * the model shows the sequence of switching points and gives the first guess.
 *
 * The section is an event of the model, "NAME"; the switching points of a law, "NAME", or some of them, "NAME:impact",
 * "NAME:closes", "NAME:opens", "NAME:slips" or "NAME:sticks"; or, for systems that depend on time, a period.
 * Coordinates that nothing depends on may grow from period to period: the orbit is then periodic but for their shift.
 */
typedef struct picus_orbit_def {
  picus_model *model;
  const picus_system *system;       /* of the model */
  const picus_sim_options *options; /* adaptive; t_end: of the run that shows the sequence */
  const char *section;              /* NULL: the first switching points that occur again */
  double period;                    /* s, after which forces repeat; 0: the section counts */
  const char *period_text;          /* the same as an expression of numbers and parameters, "2*pi/omega"; may be NULL */
  int skip;                         /* passages of the section, or periods, before the first guess */
  int turns;                        /* passages of the section, or periods, in one period of the orbit; 0: 1 */
  int (*interrupt)(void *user);     /* called many times; non-zero ends with PICUS_INTERRUPTED; may be NULL */
  void *user;                       /* of interrupt */
} picus_orbit_def;

typedef struct picus_orbit picus_orbit;
/* PICUS_NO_SOLUTION: Newton's method does not converge, or the orbit grazes. PICUS_ERROR_UNSUPPORTED: as for
 * sensitivities. Lifetime: `*out` until `picus_orbit_destroy`, before model and system. */
PICUS_API picus_status picus_orbit_create(picus_context *context, const picus_orbit_def *def, picus_orbit **out);
PICUS_API void picus_orbit_destroy(picus_orbit *orbit);
/* What is known of an orbit. Indices of laws are those of the system; -1: none. */
typedef struct picus_orbit_data {
  double t, period; /* s: of its state, and until it repeats */
  double residual;  /* largest difference of the states after a period, relative to their largest values */
  int iterations;   /* of Newton's method */
  bool is_stable;   /* all multipliers are inside the unit circle */
  double velocity;  /* m/s or rad/s, smallest approach velocity of an impact: distance from grazing; INFINITY: none */
  int velocity_law;
  double reserve; /* smallest 1 - |force| / bound of sticking friction: distance from slip; INFINITY: none sticks */
  int reserve_law;
  double gap; /* smallest gap inside a flight, relative to the largest: distance from an impact; INFINITY: none */
  int gap_law;
  /* by how much the state differs after a period of an adaptive run from the orbit, relative to its largest values; */
  /* errors of the run grow by the multipliers. NAN: the run failed */
  double recheck;
  bool recheck_agrees; /* that run passes the same switching points */
} picus_orbit_data;
PICUS_API picus_orbit_data picus_orbit_data_of(const picus_orbit *orbit);
PICUS_API const char *picus_orbit_section(const picus_orbit *orbit); /* "": a period. Lifetime: as the orbit */
PICUS_API int picus_orbit_state_count(const picus_orbit *orbit);     /* nq + nu */
/* Coordinates, then velocities, just after the section. Lifetime: as long as the orbit. */
PICUS_API const double *picus_orbit_state(const picus_orbit *orbit);
/* state_count: by how much each coordinate grows in a period; 0: it repeats. Lifetime: as long as the orbit. */
PICUS_API const double *picus_orbit_shift(const picus_orbit *orbit);
/* d(state after a period)/d(state), state_count x state_count, row-major. Lifetime: as long as the orbit. */
PICUS_API const double *picus_orbit_monodromy(const picus_orbit *orbit);
/* Its eigenvalues without coordinates that grow, larger ones first; those that the section and sticking make zero are
 * exactly 0. */
PICUS_API int picus_orbit_multiplier_count(const picus_orbit *orbit);
/* NAN: no such index. */
PICUS_API picus_multiplier picus_orbit_multiplier(const picus_orbit *orbit, int index);
/* The switching points of a period, in the order of time. */
PICUS_API int picus_orbit_point_count(const picus_orbit *orbit);
/* Name "": no such index. */
PICUS_API picus_orbit_point picus_orbit_point_at(const picus_orbit *orbit, int index);

/* --- branches of orbits ------------------------------------------------------------------------------------------- */

/* What an orbit of a branch is. */
typedef enum picus_orbit_kind {
  PICUS_ORBIT_REGULAR,  /* between special orbits */
  PICUS_ORBIT_START,    /* the first one */
  PICUS_ORBIT_END,      /* the last one; its note says why */
  PICUS_ORBIT_FOLD,     /* the branch turns back in the parameter */
  PICUS_ORBIT_FLIP,     /* a multiplier is -1: orbits with twice the period begin */
  PICUS_ORBIT_NEIMARK,  /* two complex multipliers are on the unit circle (Neimark-Sacker) */
  PICUS_ORBIT_CROSSING, /* a multiplier is 1 without a fold: another branch crosses */
  PICUS_ORBIT_GRAZING,  /* the approach velocity of an impact becomes 0; the impact is lost */
  PICUS_ORBIT_TOUCH,    /* an open contact touches: a new impact */
  PICUS_ORBIT_LIFT,     /* the force of a closed contact becomes 0: it opens */
  PICUS_ORBIT_LAND,     /* a flight between opening and closing becomes 0: it is lost */
  PICUS_ORBIT_SLIP,     /* sticking friction reaches its bound: it slips */
  PICUS_ORBIT_STICK,    /* slip stops, or its reversal holds: a stick phase is born */
  PICUS_ORBIT_UNSTICK,  /* a stick phase becomes 0: it is lost */
  PICUS_ORBIT_IMPACT,   /* an impact changes between stick, slip and its reversal */
  PICUS_ORBIT_ORDER,    /* two switching points change their order */
  PICUS_ORBIT_SWITCH,   /* a comparison of an expression changes its branch */
  PICUS_ORBIT_CHATTER,  /* impacts multiply until they accumulate */
  PICUS_ORBIT_HOPF      /* the orbit shrinks to an equilibrium */
} picus_orbit_kind;
/* "", "start", "end", "fold", "flip", "neimark-sacker", ...; NULL: no such number. Lifetime: static */
PICUS_API const char *picus_orbit_kind_name(int kind);

/* An orbit of a branch. Indices of laws are those of the system; -1: none. */
typedef struct picus_orbit_branch_row {
  picus_orbit_kind kind;
  double parameter;
  double t, period; /* s: of its state, and until it repeats */
  bool is_stable;   /* all multipliers are inside the unit circle */
  int unstable;     /* number of multipliers outside */
  int sequence;     /* number of its sequence of switching points, see picus_orbit_branch_sequence */
  int doublings;    /* branches of doubled orbits that were entered before */
  double velocity;  /* as of picus_orbit_data */
  int velocity_law;
  double reserve;
  int reserve_law;
  double gap;
  int gap_law;
  int law;                             /* that the special orbit is about; -1: none */
  const double *state;                 /* nq + nu */
  const picus_multiplier *multipliers; /* multiplier_count, larger ones first */
  int multiplier_count;
  const struct picus_orbit_branch
      *branch;            /* with all rows so far; its multipliers have their final number at the end */
  const char *note;       /* message about a special orbit; may be empty */
} picus_orbit_branch_row; /* Lifetime: as long as the branch; in a callback, as long as this runs */

/* Called with each orbit when it is known; non-zero stops with PICUS_INTERRUPTED. */
typedef int (*picus_orbit_branch_row_fn)(void *user, const picus_orbit_branch_row *row);

/* Orbits over a parameter, by continuation in the length of the branch (Keller 1977): stable or not, through folds, and
 * through changes of the sequence of switching points. It begins with the orbit at `from` and ends beyond `from` or
 * `to`, when the orbit ends, or after the most orbits. */
typedef struct picus_orbit_branch_def {
  picus_orbit_def orbit; /* its model may have another value of the parameter */
  const char *parameter;
  double from, to;
  double step, step_least; /* along the branch, of the range from - to: the longest; the shortest. 0: 0.02; 1e-8 */
  long most;               /* orbits; 0: 1000 */
  int doublings;           /* at the first flips the branch of twice the period is followed: so often */
  picus_orbit_branch_row_fn row; /* may be NULL */
  void *user;                    /* of row */
} picus_orbit_branch_def;

typedef struct picus_orbit_branch picus_orbit_branch;
/* As picus_orbit_create. A branch that ends before `to` is no error: its last row says why. After PICUS_INTERRUPTED,
 * and after errors behind the first orbit, *out has what was found. Lifetime: `*out` until
 * `picus_orbit_branch_destroy`, before model and system. */
PICUS_API picus_status picus_orbit_branch_create(picus_context *context, const picus_orbit_branch_def *def,
                                                 picus_orbit_branch **out);
PICUS_API void picus_orbit_branch_destroy(picus_orbit_branch *branch);
PICUS_API long picus_orbit_branch_count(const picus_orbit_branch *branch); /* rows */
/* NAN: no such index. */
PICUS_API picus_orbit_branch_row picus_orbit_branch_row_at(const picus_orbit_branch *branch, long index);
PICUS_API int picus_orbit_branch_sequence_count(const picus_orbit_branch *branch);
/* "lower:opens upper:impact ..."; "": no such number. Lifetime: as long as the branch */
PICUS_API const char *picus_orbit_branch_sequence(const picus_orbit_branch *branch, int number);
/* A recorder of its rows, for sinks such as files: columns "point", the parameter, "period", coordinates and
 * velocities, "kind", "stable", "unstable", "sequence", "velocity", "reserve", "gap", and "re1", "im1" of the largest
 * multiplier, and so on. Lifetime: `*out` until `picus_recorder_destroy`. */
PICUS_API picus_status picus_orbit_branch_recorder(const picus_orbit_branch *branch, const picus_run_description *run,
                                                   picus_recorder **out);
/* Writes the rows to the sinks of such a recorder. */
PICUS_API picus_status picus_orbit_branch_record(const picus_orbit_branch *branch, picus_recorder *recorder);

/* --- Lyapunov exponents ------------------------------------------------------------------------------------------- */

/* The mean rates at which small differences of a motion grow, from its derivatives with their jumps at switching
 * points. */
typedef struct picus_lyapunov_def {
  picus_model *model;
  const picus_system *system;       /* of the model */
  const picus_sim_options *options; /* adaptive; t_end: of the motion */
  double skip;                      /* s at the start that do not count */
  double interval;                  /* s, the longest between two orthonormalizations; 0: 1/400 of the run */
  int count;                        /* of the largest exponents, up to nq + nu */
  int (*interrupt)(void *user);     /* called many times; non-zero ends with PICUS_INTERRUPTED; may be NULL */
  void *user;                       /* of interrupt */
} picus_lyapunov_def;
typedef struct picus_lyapunov {
  double exponent; /* 1/s; -INFINITY: differences vanish, as in sticking */
  double error;    /* 1/s, standard error of the mean from 8 parts of the motion */
} picus_lyapunov;
/* out: count, the largest first. *t_reached, which may be NULL: until where they were found, even after an error. */
PICUS_API picus_status picus_lyapunov_find(picus_context *context, const picus_lyapunov_def *def, picus_lyapunov *out,
                                           double *t_reached);

/* --- linearization ------------------------------------------------------------------------------------------------ */

/* The linear motion about a state, with the contacts that are closed, stick and slip there: x' = A x for x = (q, u).
 * Forces of sliding friction follow normal forces and slip velocities. picus_modes has natural modes of large systems
 * without sliding. */
typedef struct picus_linearization_def {
  picus_model *model;
  const picus_system *system;       /* of the model */
  const picus_sim_options *options; /* adaptive: of the run that shows the contacts */
  double settle;                    /* s, a motion before; 0: the initial state */
  bool equilibrium;                 /* first find the equilibrium with these contacts near the state */
  int (*interrupt)(void *user);     /* as of picus_orbit_def */
  void *user;
} picus_linearization_def;
typedef struct picus_linearization picus_linearization;
typedef struct picus_linearization_data {
  double t;         /* s */
  double rate;      /* largest rate of the state, in units of this frequency: 0 at an equilibrium */
  double frequency; /* rad/s, by which velocities are compared with coordinates */
  bool is_stable;   /* no eigenvalue has a positive real part */
} picus_linearization_data;
/* PICUS_NO_SOLUTION: there is no equilibrium with these contacts. PICUS_ERROR_UNSUPPORTED: as for sensitivities.
 * Lifetime: `*out` until `picus_linearization_destroy`, before model and system. */
PICUS_API picus_status picus_linearization_create(picus_context *context, const picus_linearization_def *def,
                                                  picus_linearization **out);
PICUS_API void picus_linearization_destroy(picus_linearization *linearization);
PICUS_API picus_linearization_data picus_linearization_data_of(const picus_linearization *linearization);
PICUS_API int picus_linearization_count(const picus_linearization *linearization); /* nq + nu */
/* count: coordinates, then velocities. Lifetime: as long as the linearization. */
PICUS_API const double *picus_linearization_state(const picus_linearization *linearization);
/* count x count, row-major, of admissible differences. Lifetime: as long as the linearization. */
PICUS_API const double *picus_linearization_matrix(const picus_linearization *linearization);
/* Eigenvalues, 1/s, larger ones first; those of constraints and sticking are exactly 0. NAN: no such index. */
PICUS_API picus_multiplier picus_linearization_value(const picus_linearization *linearization, int index);
/* The picus_mode of a law; -1: no such law. */
PICUS_API int picus_linearization_mode(const picus_linearization *linearization, int law);

#ifdef __cplusplus
}
#endif

#endif
