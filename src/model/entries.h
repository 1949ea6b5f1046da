/* What a model lists: coordinates, velocities, inputs, controls, laws, bodies, outputs. The model owns all text, which
 * is never NULL: "" if not given. */
#ifndef PICUS_MODEL_ENTRIES_H
#define PICUS_MODEL_ENTRIES_H

#include "options/table.h"

#include <picus/bodies.h>
#include <picus/flexible.h>
#include <picus/model.h>
#include <picus/options.h>

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

#endif
