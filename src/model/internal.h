/* The model as a plain container. src/system reads it to derive and compile the equations of motion; all other code
 * uses include/picus/model.h. The model owns all text, which is never NULL: "" if not given. */
#ifndef PICUS_MODEL_INTERNAL_H
#define PICUS_MODEL_INTERNAL_H

#include "base/internal.h"
#include "model/collisions.h"
#include "model/drawing.h"
#include "model/names.h"
#include "model/structures.h"
#include "options/table.h"

#include <picus/bodies.h>
#include <picus/flexible.h>
#include <picus/model.h>
#include <picus/options.h>
#include <picus/result.h>

enum { PICUS_EXPR_FAILURE_SIZE = 400 }; /* characters of the reason why an expression cannot be built */
#define PICUS_NO_EXPR ((picus_expr){0})
#define PICUS_FAILED_EXPR ((picus_expr){-1})
/* Whether a field of a definition was given; an invalid one that was given is an error, not a field left out. */
static inline bool picus_expr_given(picus_expr expr) { return expr.id != 0; }

typedef struct picus_model_coordinate {
  const char *name, *unit, *label;
  double start;
  picus_expr symbol;
  int variable;    /* of symbol, in the pool */
  int velocity;    /* index of its own velocity; -1: none */
  picus_expr rate; /* q' as a formula; invalid: q' is its own velocity */
  picus_place place, rate_place;
  bool is_state;     /* of a controller: its rate need not be linear in the velocities, */
  bool is_nonlinear; /* and is not, as the derivation found */
} picus_model_coordinate;

typedef struct picus_model_velocity {
  const char *name, *unit, *label;
  double start;
  picus_expr symbol;
  int variable;     /* of symbol, in the pool */
  int coordinate;   /* index of the coordinate it belongs to; -1: general kinematics */
  picus_expr force; /* sum of the generalized forces on it; invalid: none */
  picus_place place, force_place;
} picus_model_velocity;

typedef struct picus_model_range {
  int parameter;
  double low, high;
} picus_model_range;

/* An input. Formulas see `symbol`: the variable, or value + rate (t - since). */
typedef struct picus_model_input_entry {
  picus_input_def def; /* its texts belong to the model */
  picus_expr symbol;
  int value_variable, rate_variable, since_variable; /* in the pool; the last two are -1 if it has no rate */
  bool is_signal;                                    /* of a law: no column, and not in the equations */
} picus_model_input_entry;

/* controls.c: states that are sampled or held, and signals of laws, all of which are inputs. */
typedef struct picus_model_sampled {
  int input;
  double every;    /* s; 0: it is held */
  picus_expr next; /* invalid: not given yet, or held */
  picus_place place;
} picus_model_sampled;

/* A switch is an input that opens a law at once. */
typedef enum picus_setting_kind {
  SETTING_COORDINATE,
  SETTING_VELOCITY,
  SETTING_INPUT,
  SETTING_SWITCH
} picus_setting_kind;
typedef struct picus_model_setting {
  picus_setting_kind kind;
  int index; /* of the coordinate, velocity or input */
  picus_expr value;
} picus_model_setting;

typedef struct picus_model_event {
  const char *name, *law; /* law: "" if it is an expression */
  picus_expr when;
  picus_event_direction direction;
  picus_event_change change;
  int first_setting, setting_count;
  bool stops;
  int switching; /* the switching function of `when`, as the derivation found, */
  bool reversed; /* and whether it has the opposite sign */
  picus_place place;
} picus_model_event;

typedef struct picus_model_signal {
  int input;
  const char *law;
  picus_signal signal;
  picus_place place;
} picus_model_signal;

typedef enum picus_model_law_kind {
  PICUS_MODEL_CONTACT,
  PICUS_MODEL_FRICTION,
  PICUS_MODEL_CONSTRAINT,
  PICUS_MODEL_ROLLING, /* behind its contact */
  PICUS_MODEL_CLUTCH,
  PICUS_MODEL_PRELOAD
} picus_model_law_kind;

/* Coefficients that may vary: the radius is mu, the reservoir or the rolling radius, as the kind has it. */
enum { PICUS_COEFFICIENT_RADIUS, PICUS_COEFFICIENT_EN, PICUS_COEFFICIENT_EF, PICUS_COEFFICIENTS };

/* One law; the fields its kind does not have are 0 or invalid. */
typedef struct picus_model_law {
  picus_model_law_kind kind;
  const char *name;
  picus_expr gap;      /* contact; preload: the displacement */
  picus_expr position; /* constraint: this one, or ... */
  picus_expr rate;     /* of gap or position, if given */
  picus_expr velocity; /* ... this one; clutch */
  int slips;           /* contact: 0 to 3, friction: 1 to 3, preload: 1, without an expression */
  picus_expr slip[3];
  double mu, eN, eF;
  double reservoir;                       /* friction, N; preload: half the distance of its limits */
  picus_impact_law impact;                /* contact; 0: that of the run */
  double adhesion;                        /* contact, N */
  double rolling;                         /* rolling radius, m */
  picus_expr varying[PICUS_COEFFICIENTS]; /* in place of these numbers; not given: they are constant */
  int slip_speed;                         /* variable of the pool in `varying`; 0: none */
  int load_count, load[PICUS_LOADS_MOST]; /* friction of a guide: constraints, by index; mu is its coefficient */
  double load_length;
  unsigned turned; /* bit k: load k counts with the other sign */
  int off_input;   /* 1 + the input by which events switch it: 1 if it is off; 0: none */
  picus_place place;
} picus_model_law;
static inline bool picus_model_law_varies(const picus_model_law *law) {
  for (int k = 0; k < PICUS_COEFFICIENTS; k++)
    if (picus_expr_given(law->varying[k])) return true;
  return false;
}

static inline bool picus_model_law_has_normal(const picus_model_law *law) {
  return law->kind == PICUS_MODEL_CONTACT || law->kind == PICUS_MODEL_CONSTRAINT || law->kind == PICUS_MODEL_CLUTCH;
}

/* A constant added to M at (a, b) and (b, a): indices of velocities. */
typedef struct picus_model_inertia {
  int a, b;
  double value;
} picus_model_inertia;

typedef struct picus_model_observable {
  const char *name, *unit, *label;
  picus_expr value;
  picus_place place;
} picus_model_observable;

typedef struct picus_model_plot_entry {
  const char *x;
  int count;
  const char **y;
  picus_place place;
} picus_model_plot_entry;

/* A sum of terms from several calls, or a single term. */
typedef struct picus_model_sum {
  picus_expr expr;   /* invalid: nothing was given */
  picus_place place; /* of the first term */
} picus_model_sum;

/* Defaults of the run: those of the model where given, else those of Picus. */
typedef struct picus_model_run {
  picus_run_options values;
  bool given[PICUS_OPTION_TOTAL];
  picus_place places[PICUS_OPTION_TOTAL]; /* where they were given */
} picus_model_run;

typedef struct picus_model_override_entry {
  const char *name;
  double value;
  bool met; /* a parameter or an input of this name was defined */
} picus_model_override_entry;

/* One rigid body: its coordinates and velocities, which always belong together, and its inertia. It moves along two or
 * three axes, each a coordinate with its velocity; then follow phi with its velocity, or the quaternion p with omega in
 * the body frame, of which p' = p * (0, omega) / 2, or nothing (a particle). */
typedef struct picus_model_body {
  int q0, nq, u0, nu;
  int axes; /* 2 or 3 */
  double mass;
  double inertia[9]; /* about the centre of mass, body frame; planar: the last entry */
  double gravity[3]; /* acceleration; counts in the potential energy */
  int carrier;       /* of shapes: its number, from 1; 0: none */
  int draw_frame;    /* of its drawing, likewise */
} picus_model_body;
static inline bool picus_model_body_is_spatial(const picus_model_body *body) { return body->nq > body->nu; }

/* Work that is booked under a name: its power, W. */
typedef struct picus_model_work {
  const char *name;
  picus_expr power;
} picus_model_work;
enum { PICUS_WORKS_MOST = 32, PICUS_WORK_NAME = 160 }; /* accounts, the last one shared; characters of a name */
#define PICUS_WORK_OTHER "other"

struct picus_model {
  picus_context *context;
  picus_pool *pool;
  const char *name, *description, *source;
  const char *file;  /* the last one a place was given in; NULL: built in C */
  picus_place place; /* place of the next definition */
  size_t file_count, file_capacity;
  const char **files;           /* that the model was read from: nothing may overwrite them */
  picus_model_file *kept_files; /* contents of files that it names */
  size_t kept_file_count, kept_file_capacity;
  picus_expr time;            /* variable 0 of the pool */
  picus_expr slip_speed;      /* of the law that is being defined; not given: no formula has asked for it */
  picus_status failed_status; /* why an expression by text or name could not be built last */
  char failed_text[PICUS_EXPR_FAILURE_SIZE];

  int parameter_count;
  size_t parameter_capacity;
  picus_parameter *parameters;
  int range_count;
  size_t range_capacity;
  picus_model_range *ranges;
  int override_count;
  size_t override_capacity;
  picus_model_override_entry *overrides;

  int input_count;
  size_t input_capacity;
  picus_model_input_entry *inputs;

  int sampled_count;
  size_t sampled_capacity;
  picus_model_sampled *sampled;
  int signal_count;
  size_t signal_capacity;
  picus_model_signal *signals;
  int setting_count, event_count;
  size_t setting_capacity, event_capacity;
  picus_model_setting *settings; /* of all events */
  picus_model_event *events;     /* in the order of their definition */
  size_t crossing_count, crossing_capacity;
  const char **crossings; /* texts of events that were added to the file */
  bool takes_signals;     /* the expression that is being examined may contain signals of laws */

  int coordinate_count;
  size_t coordinate_capacity;
  picus_model_coordinate *coordinates;
  int velocity_count;
  size_t velocity_capacity;
  picus_model_velocity *velocities;

  int structure_count;
  size_t structure_capacity;
  picus_model_structure *structures;
  int node_count;
  size_t node_capacity;
  picus_model_displacement *nodes;
  bool coupled; /* energies or forces contain displacements, or forces on displacements depend on the state */

  picus_model_sum kinetic, potential, dissipation;
  int mass_count;   /* rows; 0: no mass matrix was given */
  picus_expr *mass; /* mass_count x mass_count, row-major */
  picus_place mass_place;
  int inertia_count;
  size_t inertia_capacity;
  picus_model_inertia *inertias;
  int body_count;
  size_t body_capacity;
  picus_model_body *bodies;
  int quaternion_count;
  size_t quaternion_capacity;
  int *quaternions;       /* the first of four coordinates each */
  int force_vector_count; /* 0: no force vector was given */
  picus_expr *force_vector;
  picus_place force_vector_place;

  int work_count;
  picus_model_work works[PICUS_WORKS_MOST];
  const char *account; /* of the forces that are being added; NULL: "force." and the name that they act on */
  bool books_itself;   /* whoever adds forces books their power */

  int law_count;
  size_t law_capacity;
  picus_model_law *laws; /* in the order of their definition */
  int observable_count;
  size_t observable_capacity;
  picus_model_observable *observables;
  int stop_time_count;
  size_t stop_time_capacity;
  double *stop_times;
  int plot_count;
  size_t plot_capacity;
  picus_model_plot_entry *plots;
  picus_model_draw draw;
  int handle_count;
  size_t handle_capacity;
  picus_handle *handles;
  picus_model_collisions collisions;
  picus_model_run run;

  /* bookkeeping */
  size_t text_count, text_capacity;
  char **texts; /* all text the model owns */
  size_t name_count, name_capacity;
  picus_name_entry *names; /* hash table with open addressing, capacity a power of 2 */
  size_t variable_count;
  picus_model_variable *variables; /* by variable index of the pool */
  size_t mark_count;
  uint32_t *marks; /* by node of the pool: the walk that saw it last */
  int32_t *walk;   /* nodes still to be visited */
  uint32_t mark;
};

/* Completes the validation once everything is defined: overrides that met no parameter, the order of the run's times,
 * coordinates without a rate, missing dynamics, sizes, columns of plots. picus_system_create calls it first. */
picus_status picus_model_check(picus_model *model);

/* Shared by the files of this folder. */

/* Notes why an expression cannot be built, for the definition that uses it, and fails. */
picus_status picus_model_note_failed_expr(picus_model *model, picus_status status, const char *format, ...)
    PICUS_PRINTF(3, 4);
/* picus_fail_at the place of the definition that is being made. */
picus_status picus_model_fail(picus_model *model, picus_status status, const char *format, ...) PICUS_PRINTF(3, 4);
/* "there is no WHAT 'name'; did you mean 'other'?", or with a list of the defined names; candidates as for
 * picus_nearest_name. */
picus_status picus_model_fail_unknown(picus_model *model, picus_place place, const char *what, const char *name,
                                      const char *(*next)(const void *user, int k), const void *user);
/* A copy owned by the model ("" for NULL); NULL: out of memory. */
const char *picus_model_keep_text(picus_model *model, const char *text);
picus_status picus_model_note_file(picus_model *model, const char *path);
/* Takes the bytes over, also on failure. */
picus_status picus_model_keep_file(picus_model *model, const char *name, unsigned char *bytes, size_t size);

/* controls.c: a value of `next` or of what events set, which may contain signals. */
picus_status picus_model_examine_control(picus_model *model, picus_expr expr, const char *what, const char *name);
picus_status picus_model_check_controls(picus_model *model);
int picus_model_find_law(const picus_model *model, const char *name); /* -1: none */
/* For a model that is loaded again: the crossings of the one that was loaded first. */
picus_status picus_model_repeat_crossings(picus_model *model, const picus_model *first);

/* Adds the power to an account. */
picus_status picus_model_book(picus_model *model, const char *name, picus_expr power);

int picus_model_find_parameter(const picus_model *model, const char *name); /* -1: none */
/* Gives an overridden parameter another value, defined or not; nothing has read it yet. */
picus_status picus_model_vary(picus_model *model, const char *name, double value);

/* The initial values of the inputs, into the values of all variables of the pool. */
void picus_model_fill_inputs(const picus_model *model, double *variables);
/* All coordinates and velocities from q0 and u0 on are those of one body; nq and nu follow from that. */
picus_status picus_model_mark_body(picus_model *model, picus_model_body body);
/* The body to which a coordinate belongs; NULL: none. */
picus_model_body *picus_model_body_of(const picus_model *model, int coordinate);
/* Whether a coordinate is one of the four of a body's quaternion: its rate is known. */
bool picus_model_in_quaternion_of_body(const picus_model *model, int coordinate);
/* PICUS_ERROR_NUMBER unless value is finite. */
picus_status picus_model_check_finite(picus_model *model, double value, const char *what, const char *name);

#endif
