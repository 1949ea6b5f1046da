/* A model: named coordinates, energies or matrices as expressions, contacts, friction elements, constraints, and the
 * defaults of its run. These functions build it; picus_model_load builds it from a model file, through the same
 * functions.
 *
 * Units are SI, angles in rad. Sign conventions: M du = h dt + W dP; a positive gap is open; friction opposes slip. */
#ifndef PICUS_MODEL_H
#define PICUS_MODEL_H

#include <picus/base.h>
#include <picus/expr.h>
#include <picus/options.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct picus_model picus_model;

/* Place of a definition in a model file, for messages; {NULL, 0} from C. */
typedef struct picus_place {
  const char *file;
  int line; /* from 1; 0: none */
} picus_place;

PICUS_API picus_status picus_model_create(picus_context *context, const char *name, picus_model **out);
PICUS_API void picus_model_destroy(picus_model *model);
PICUS_API const char *picus_model_name(const picus_model *model); /* Lifetime: as long as the model */
PICUS_API picus_status picus_model_set_name(picus_model *model, const char *name, const char *description);
/* Lifetime: as long as the model. */
PICUS_API const char *picus_model_description(const picus_model *model); /* "" if none was given */
PICUS_API picus_context *picus_model_context(const picus_model *model);  /* Lifetime: as long as the context */
/* Source text of the model, stored with results; "" for models built in C without one. */
PICUS_API picus_status picus_model_set_source(picus_model *model, const char *text);
PICUS_API const char *picus_model_source(const picus_model *model); /* Lifetime: as long as the model */
/* The pool of all expressions of the model. */
PICUS_API picus_pool *picus_model_pool(picus_model *model); /* Lifetime: as long as the model */
/* Place of all later definitions. The file name is copied. */
PICUS_API void picus_model_set_place(picus_model *model, picus_place place);

/* Parameters are plain numbers, recorded by name. An override set before the parameter is defined replaces its default;
 * --set and parameter studies use this. */
PICUS_API picus_status picus_model_override(picus_model *model, const char *name, double value);
PICUS_API picus_status picus_model_add_parameter(picus_model *model, const char *name, double default_value,
                                                 const char *unit, const char *description, double *value);
typedef struct picus_parameter {
  const char *name;
  double value;         /* current value */
  double default_value; /* of the model */
  const char *unit;     /* "" if not given */
  const char *description;
} picus_parameter;
/* The range in which a parameter is varied, as by the sliders of picus live: low < high; its value may lie outside. */
PICUS_API picus_status picus_model_set_parameter_range(picus_model *model, const char *name, double low, double high);
/* false: the parameter has no range. */
PICUS_API bool picus_model_parameter_range(const picus_model *model, int index, double *low, double *high);
PICUS_API int picus_model_parameter_count(const picus_model *model);
/* Lifetime: its texts live as long as the model. */
PICUS_API picus_parameter picus_model_parameter(const picus_model *model, int index);

/* An input: a value that a program sets while a simulation runs (picus_sim_set_input); it starts with this one. It is
 * held over a step. An input with a rate is value + rate (t - time at which it was set): gaps, constraints at position
 * level, motions of frames and positions of motors need the rate. An override of its name replaces its initial value.
 * Kinetic energies and mass matrices must not depend on inputs. */
typedef struct picus_input_def {
  const char *name;
  double start;      /* at t_start */
  double rate;       /* initial rate; 0 if it has none */
  bool has_rate;     /* it may be set with a rate */
  const char *unit;  /* NULL: unknown */
  const char *label; /* in figures; NULL: the name */
} picus_input_def;
PICUS_API picus_input_def picus_default_input_def(void);
PICUS_API picus_status picus_model_add_input(picus_model *model, const picus_input_def *def, picus_expr *value);
PICUS_API int picus_model_input_count(const picus_model *model);
/* Lifetime: its texts live as long as the model. */
PICUS_API picus_input_def picus_model_input(const picus_model *model, int index);

/* A coordinate q and its velocity u = q'. */
typedef struct picus_coordinate_def {
  const char *name;
  const char *velocity;      /* NULL: no corresponding velocity; the coordinate then needs a rate */
  double start;              /* q at t_start */
  double velocity_start;     /* u at t_start */
  const char *unit;          /* of q, e.g. "m" or "rad"; NULL: unknown */
  const char *velocity_unit; /* NULL: unit/s */
  const char *label;         /* in figures; NULL: the name */
} picus_coordinate_def;
PICUS_API picus_coordinate_def picus_default_coordinate_def(void);
PICUS_API picus_status picus_model_add_coordinate(picus_model *model, const picus_coordinate_def *def, picus_expr *q,
                                                  picus_expr *u); /* u: invalid if there is no velocity */
/* A velocity that is not the derivative of a coordinate (general kinematics q' = B(t,q) u + beta(t,q)). */
PICUS_API picus_status picus_model_add_velocity(picus_model *model, const char *name, double start, const char *unit,
                                                picus_expr *u);
/* q' of a coordinate as an expression, linear in the velocities; replaces q' = its own velocity. */
PICUS_API picus_status picus_model_set_rate(picus_model *model, const char *coordinate, picus_expr rate);
/* A state of a controller: a number that the equations may contain, and that is a column of results.
 *
 *   continuous   a coordinate without a velocity. picus_model_set_rate gives its rate, which may be any expression of
 *                time, coordinates, velocities and inputs. If it is not linear in the velocities, gaps, constraints and
 *                potential energies must not depend on the state.
 *   sampled      an input that the simulation itself sets, at t_start + k `every`, k = 1, 2, ..., to `next` as given by
 *                picus_model_set_next. It is held between. Steps end exactly at these times.
 *   held         an input that events set, and nothing else.
 */
typedef enum picus_state_kind { PICUS_STATE_CONTINUOUS, PICUS_STATE_SAMPLED, PICUS_STATE_HELD } picus_state_kind;
typedef struct picus_state_def {
  const char *name;
  picus_state_kind kind;
  double start;      /* at t_start */
  double every;      /* s, of a sampled state, > 0 */
  const char *unit;  /* NULL: unknown */
  const char *label; /* in figures; NULL: the name */
} picus_state_def;
PICUS_API picus_status picus_model_add_state(picus_model *model, const picus_state_def *def, picus_expr *value);
/* The next value of a sampled state, from the values at the time of sampling: all states that are sampled at a time see
 * the values before it. */
PICUS_API picus_status picus_model_set_next(picus_model *model, const char *state, picus_expr next);
/* What a law did in the last complete step, for `next` of sampled states and for what events set: its gap at the end of
 * the step, m; its mean force, N, normal if it has one, else the first friction force; its mode, as picus_mode. */
typedef enum picus_signal { PICUS_SIGNAL_GAP, PICUS_SIGNAL_FORCE, PICUS_SIGNAL_MODE } picus_signal;
PICUS_API picus_status picus_model_add_signal(picus_model *model, const char *law, picus_signal signal,
                                              picus_expr *value);
/* An event: where an expression is 0, or what a law does. It may set coordinates, velocities, sampled and held states,
 * switch laws off and on, and end the run. Adaptive steps end where the expression is 0; with fixed steps an event
 * happens at the end of the step in which it is seen. Several events at the same time happen in the order in which they
 * were added; what one sets, the next one sees. */
typedef enum picus_event_direction {
  PICUS_EVENT_CROSSES, /* either way */
  PICUS_EVENT_RISES,   /* from negative to positive */
  PICUS_EVENT_FALLS
} picus_event_direction;
typedef enum picus_event_change {
  PICUS_EVENT_OPENS,
  PICUS_EVENT_CLOSES,
  PICUS_EVENT_STICKS,
  PICUS_EVENT_SLIPS,
  PICUS_EVENT_IMPACT
} picus_event_change;
typedef struct picus_event_setting {
  const char *name; /* of a coordinate, a velocity, or a sampled or held state */
  picus_expr value; /* all values of an event are evaluated before one of them is set */
} picus_event_setting;
typedef struct picus_event_switch {
  const char *law; /* a contact, friction, constraint or clutch; or a joint: all its constraints and its friction */
  bool on;
} picus_event_switch;
typedef struct picus_event_def {
  const char *name;
  picus_expr when; /* this expression, or ... */
  picus_event_direction direction;
  const char *law; /* ... this law */
  picus_event_change change;
  int setting_count, switch_count;
  const picus_event_setting *settings;
  const picus_event_switch *switches;
  bool stops; /* the run ends */
} picus_event_def;
PICUS_API picus_status picus_model_add_event(picus_model *model, const picus_event_def *def);
/* An event where an expression, as for picus_expr_parse, is 0: "phiS - 0.1", or one way, "phiS - 0.1:rises" or
 * ":falls". The text is its name, for sections of studies and orbits. Those load a model again to vary its parameters;
 * the loaded models have the crossings as well. At most 200 characters. */
PICUS_API picus_status picus_model_add_crossing(picus_model *model, const char *text);
/* Marks four consecutive coordinates, starting with this one, as a unit quaternion (scalar first): schemes keep its
 * length. */
PICUS_API picus_status picus_model_mark_quaternion(picus_model *model, const char *first_coordinate);
PICUS_API picus_expr picus_model_time(picus_model *model);
PICUS_API int picus_model_coordinate_count(const picus_model *model);
PICUS_API int picus_model_velocity_count(const picus_model *model);
/* The symbol of a coordinate, velocity or input. If the name is unknown: invalid, and the error suggests the nearest
 * name. */
PICUS_API picus_expr picus_model_symbol(picus_model *model, const char *name);

/* An expression of the model as text, with the words of model files: numbers, + - * / ^, parentheses; sqrt, exp, log,
 * sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, abs, sign, min, max; when(condition, a, b) with the
 * conditions lt, le, gt, ge, eq, ne, all, any and no; t, pi, and by name the coordinates, velocities, displacements
 * ("rod.x12"), inputs and parameters that are defined so far. A parameter stands for its value. The expression is the
 * one that the same line of a model file gives. If the text is wrong, the result is invalid, and the error names the
 * column and a remedy; the functions below repeat the reason when they are given the result. At most 100000
 * characters, nested 150 deep. */
PICUS_API picus_expr picus_expr_parse(picus_model *model, const char *text);

/* Dynamics by Lagrange's equations of the second kind; several calls add up. A kinetic energy requires that every
 * velocity is the derivative of its coordinate. */
PICUS_API picus_status picus_model_add_kinetic(picus_model *model, picus_expr energy);    /* T(t,q,u) */
PICUS_API picus_status picus_model_add_potential(picus_model *model, picus_expr energy);  /* V(t,q) */
PICUS_API picus_status picus_model_add_dissipation(picus_model *model, picus_expr power); /* D(t,q,u): -dD/du */
/* Generalized force on the velocity of this name, or of the coordinate of this name, or on a displacement of a flexible
 * component, "rod.x12". */
PICUS_API picus_status picus_model_add_force(picus_model *model, const char *name, picus_expr force);
/* Dynamics given directly: M (nu x nu, row-major, symmetric) and h (nu) of M du = h dt + W dP. The terms above add to
 * h; a kinetic energy excludes a mass matrix. count is nu in both; define all velocities first. */
PICUS_API picus_status picus_model_set_mass_matrix(picus_model *model, int count, const picus_expr *M);
PICUS_API picus_status picus_model_set_force_vector(picus_model *model, int count, const picus_expr *h);

/* Adds value (kg, kg m^2, ...) to the entries (a, b) and (b, a) of M, for a == b to the diagonal entry; a and b name
 * velocities. These inertias are constant and add to a kinetic energy or a mass matrix. */
PICUS_API picus_status picus_model_add_inertia(picus_model *model, const char *a, const char *b, double value);

/* The slip speed, in formulas of mu, reservoir, rolling, eN and eF: the length of the slip velocities of the law that
 * they belong to, m/s; of a rolling law that of its rolling velocities, rad/s. */
PICUS_API picus_expr picus_model_slip_speed(picus_model *model);

/* A unilateral contact, with friction if slips > 0. Rolling friction is a separate law, NAME_rolling, which follows it.
 */
typedef struct picus_contact_def {
  const char *name;
  picus_expr gap;     /* g_N(t,q) >= 0; required */
  picus_expr rate;    /* a shorter form of d gap/dt, linear in u; invalid: derived from the gap */
  int slips;          /* 0: frictionless, 1: planar, 2: spatial, 3: with spin (Contensou) */
  picus_expr slip[3]; /* slip velocities, linear in u */
  double mu;          /* friction coefficient, >= 0 */
  double eN;          /* normal coefficient of restitution, in [0,1] */
  double eF;          /* tangential coefficient of restitution, in [0,1] */
  int rolls;          /* 0: no rolling friction, 1: planar, 2: spatial */
  picus_expr roll[2]; /* relative rolling velocities (rad/s), linear in u */
  double rolling;     /* rolling radius rho >= 0 (m): a torque of at most rho times the normal force opposes rolling */
  /* instead of the numbers, where given: expressions of time, coordinates, inputs and the slip speed of this law */
  picus_expr mu_formula, eN_formula, eF_formula, rolling_formula;
  picus_impact_law impact; /* 0: that of the run */
  int surfaces;            /* 0, or at most slips: the surface moves, as a belt does, */
  picus_expr surface[3];   /* with these velocities along the slips, which are those relative to it at rest */
  double adhesion;         /* N, >= 0: a closed contact holds against this force */
} picus_contact_def;
PICUS_API picus_contact_def picus_default_contact_def(void);
PICUS_API picus_status picus_model_add_contact(picus_model *model, const picus_contact_def *def);

/* Friction without a normal contact: a force of at most reservoir that opposes slip, or that of a guide or joint. */
typedef struct picus_friction_def {
  const char *name;
  int slips;                                /* 1, 2 or 3 */
  picus_expr slip[3];                       /* slip velocities (m/s or rad/s), linear in u; the first `slips` */
  double reservoir;                         /* N, >= 0 */
  double eF;                                /* tangential coefficient of restitution, in [0,1] */
  picus_expr reservoir_formula, eF_formula; /* instead of the numbers, as for contacts */
  /* friction of a guide or joint: |P_F| <= mu |P| instead of a reservoir, P the percussions of constraints of either
   * sign. With a length L there are two of them, a force N and a torque M: |P| = |N/2 + M/L| + |N/2 - M/L|, as of a
   * carriage with two pads at the distance L; with four, two forces and two torques, each pad has two components. A '-'
   * before a name changes the sign */
  int load_count; /* 0: a reservoir; at most PICUS_LOADS_MOST */
  const char *const *loads;
  double mu, length;
  picus_expr mu_formula;
} picus_friction_def;
enum { PICUS_LOADS_MOST = 6 };
PICUS_API picus_friction_def picus_default_friction_def(void);
PICUS_API picus_status picus_model_add_friction(picus_model *model, const picus_friction_def *def);

/* A one-way clutch (freewheel, sprag clutch): velocity >= 0, a force >= 0 along it, and no force while velocity > 0. A
 * unilateral law between a velocity and a force, without a gap (Glocker and Studer 2005, section 2). */
typedef struct picus_clutch_def {
  const char *name;
  picus_expr velocity; /* linear in u; its negative direction is blocked */
} picus_clutch_def;
PICUS_API picus_clutch_def picus_default_clutch_def(void);
PICUS_API picus_status picus_model_add_clutch(picus_model *model, const picus_clutch_def *def);

/* The preload of a pre-stressed spring: a force along a displacement g(t,q) that is set-valued between two limits, a
 * relay function of g (Glocker and Studer 2005, section 2): lower if g > 0, upper if g < 0, any in between if g = 0. */
typedef struct picus_preload_def {
  const char *name;
  picus_expr displacement; /* g(t,q); its zero is where the spring sits on its seat */
  double lower, upper;     /* limits of the force, N or N m, lower <= upper; -F and F for a preload F to both sides */
} picus_preload_def;
PICUS_API picus_preload_def picus_default_preload_def(void);
PICUS_API picus_status picus_model_add_preload(picus_model *model, const picus_preload_def *def);

/* A bilateral constraint: position(t,q) = 0, or velocity(t,q,u) = 0 with velocity linear in u. Exactly one of the
 * two. */
typedef struct picus_constraint_def {
  const char *name;
  picus_expr position; /* m or rad */
  picus_expr velocity; /* m/s or rad/s, linear in u */
  picus_expr rate;     /* of position, as for contacts */
} picus_constraint_def;
PICUS_API picus_constraint_def picus_default_constraint_def(void);
PICUS_API picus_status picus_model_add_constraint(picus_model *model, const picus_constraint_def *def);

/* An observed value, recorded as a column. */
PICUS_API picus_status picus_model_add_observable(picus_model *model, const char *name, picus_expr value,
                                                  const char *unit, const char *label);

/* A stop time, at which a step must end exactly: a force switches there. */
PICUS_API picus_status picus_model_add_stop_time(picus_model *model, double t);

/* Defaults of the run, by name, as in simulate { ... } of a model file: names and words as text, numbers and flags (0
 * or 1) as numbers; docs/model-format.md lists them. */
PICUS_API picus_status picus_model_set_run_number(picus_model *model, const char *option, double value);
PICUS_API picus_status picus_model_set_run_text(picus_model *model, const char *option, const char *value);
/* The tableau of half-explicit-rk; "tableau" as a text is one that has a name. */
PICUS_API picus_status picus_model_set_run_tableau(picus_model *model, const picus_tableau *tableau);

/* One panel of the default figure: columns y against column x ("t" for time series). */
PICUS_API picus_status picus_model_add_plot(picus_model *model, const char *x, int count, const char *const *y);
typedef struct picus_plot_panel {
  const char *x;
  int count; /* names in y */
  const char *const *y;
} picus_plot_panel;
PICUS_API int picus_model_plot_count(const picus_model *model);
/* Lifetime: until the model changes. */
PICUS_API picus_plot_panel picus_model_plot(const picus_model *model, int index);

/* Model files (Lua 5.4, run once in a sandbox) and shipped models. */
typedef struct picus_override {
  const char *name;
  double value; /* in the unit of the parameter */
} picus_override;
/* A file that a model file names: a mesh or a matrix. */
typedef struct picus_model_file {
  const char *name; /* as the model file has it */
  const void *bytes;
  size_t size;
} picus_model_file;
typedef struct picus_load_options {
  int override_count; /* in overrides */
  const picus_override *overrides;
  size_t memory_limit;        /* bytes that the file may hold while it runs; 0: 1 GiB */
  uint64_t instruction_limit; /* Lua instructions; 0: 200 million */
  bool has_files;             /* files that the model file names are these; false: they are read from its folder */
  int file_count;             /* in files */
  const picus_model_file *files;
  const char *folder; /* of a text in memory: folder of the files that it names; NULL: it may name none */
} picus_load_options;
/* path: a file, or the name of a shipped model. options may be NULL. While the file runs, the calling thread has the
 * "C" locale, including functions of the host that Picus calls (log, allocate). */
PICUS_API picus_status picus_model_load(picus_context *context, const char *path, const picus_load_options *options,
                                        picus_model **out);
/* The same from text in memory; messages use name as the file name. */
PICUS_API picus_status picus_model_load_text(picus_context *context, const char *name, const char *text, size_t length,
                                             const picus_load_options *options, picus_model **out);
/* Reads the text of a model file that a program writes piece by piece, such as statement by statement. Each piece runs
 * at once, so that a mistake is found where it is made; then the reader has failed. Globals live from piece to piece,
 * locals do not. The model itself comes from picus_model_load_text with the complete text. options, if not NULL, must
 * stay as they are until the reader is destroyed. */
typedef struct picus_model_reader picus_model_reader;
PICUS_API picus_status picus_model_reader_create(picus_context *context, const char *name,
                                                 const picus_load_options *options, picus_model_reader **out);
PICUS_API picus_status picus_model_reader_add(picus_model_reader *reader, const char *text, size_t length);
PICUS_API void picus_model_reader_destroy(picus_model_reader *reader);
/* The files that the model file names; together with picus_model_source, the complete input of the model. */
PICUS_API int picus_model_file_count(const picus_model *model);
/* Lifetime: as long as the model. */
PICUS_API picus_model_file picus_model_file_at(const picus_model *model, int index);
PICUS_API int picus_shipped_model_count(void);
/* Lifetime: static. */
PICUS_API const char *picus_shipped_model_name(int index); /* sorted; NULL: no such index */
/* Lifetime: static. */
PICUS_API const char *picus_shipped_model_text(const char *name, size_t *length); /* NULL: no such model */

#ifdef __cplusplus
}
#endif

#endif
