/* The model as a plain container. src/system reads it to derive and compile the equations of motion; all other code
 * uses include/picus/model.h. The model owns all text, which is never NULL: "" if not given. */
#ifndef PICUS_MODEL_INTERNAL_H
#define PICUS_MODEL_INTERNAL_H

#include "base/internal.h"
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

/* The displacements of a framework of beams: several components at each node. node_count 0: not a framework. */
typedef struct picus_framework_map {
  int node_count, component_count; /* components of a node: 3 in the plane, otherwise 6 */
  int *index;                      /* node_count x component_count: index of the displacement; -1: supported */
  int *place;                      /* of each displacement: its position in `index` */
  double *position;                /* 3 for each node: where it is without displacements */
  double spin;                     /* rad/s about x */
  bool rotating;                   /* displacements in axes that turn with the spin */
  picus_expr motion[3];            /* of these axes, functions of time; invalid: none */
} picus_framework_map;

/* What section forces need of a framework: its members, and the few different sections and materials among them. */
typedef struct picus_framework_member {
  int from, to, elements; /* as in picus_member */
  int inner;              /* the first node inside of it */
  int kind;
  double begin; /* sum of the lengths of the members before it */
} picus_framework_member;
typedef struct picus_framework_shape {
  picus_beam_theory theory;
  double beta;
  int member_count, kind_count;
  size_t kind_capacity;
  double *positions; /* 3 for each given node */
  picus_framework_member *members;
  picus_member *kinds; /* sections and materials */
} picus_framework_shape;

/* A flexible component. Its matrices share one symmetric pattern by rows, including the full diagonal: the entries of
 * row i are column[row_start[i]] ... column[row_start[i + 1] - 1], increasing, with the values at the same
 * positions. */
typedef struct picus_model_structure {
  const char *name, *unit, *velocity_unit;
  int size, first; /* displacements; number of the first one in names */
  int *row_start, *column;
  double *mass, *stiffness;
  double *damping; /* C + G; NULL: none */
  double *load, *reference, *start, *velocity_start;
  bool *recorded;     /* size: is it a column of results? */
  bool has_table;     /* all its nodes are a table of results */
  double bar_element; /* m, length of the elements of a bar; 0: not a bar */
  int *node;          /* size: 1 + index among the model's nodes; 0: no formula uses it */
  picus_framework_map map;
  picus_framework_shape shape;
  picus_place place;
} picus_model_structure;

/* A displacement of a structure that formulas use. */
typedef struct picus_model_displacement {
  int structure, index; /* index: among the structure's displacements, from 0 */
  const char *x_name, *v_name;
  picus_expr x, v;
  int x_variable, v_variable;
  picus_expr force; /* sum of the given forces on it; invalid: none */
} picus_model_displacement;

/* An input. Formulas see `symbol`: the variable, or value + rate (t - since). */
typedef struct picus_model_input_entry {
  picus_input_def def; /* its texts belong to the model */
  picus_expr symbol;
  int value_variable, rate_variable, since_variable; /* in the pool; the last two are -1 if it has no rate */
} picus_model_input_entry;

typedef enum picus_model_law_kind {
  PICUS_MODEL_CONTACT,
  PICUS_MODEL_FRICTION,
  PICUS_MODEL_CONSTRAINT,
  PICUS_MODEL_ROLLING, /* behind its contact */
  PICUS_MODEL_CLUTCH,
  PICUS_MODEL_PRELOAD
} picus_model_law_kind;

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
  double reservoir; /* friction, N; preload: half the distance of its limits */
  double rolling;   /* rolling radius, m */
  picus_place place;
} picus_model_law;

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

/* The drawing: shapes, with their points, in frames; and the sites of laws. */
typedef struct picus_model_shape {
  picus_draw_kind kind;
  int frame, first_point, count, first_face, face_count;
  const char *name, *text, *line, *fill;
  double width;
  picus_expr radius;
} picus_model_shape;
typedef struct picus_model_draw_frame {
  const char *name;
  bool planar;
  picus_draw_vector position;
  picus_expr rotation[9];
} picus_model_draw_frame;
typedef struct picus_model_site {
  int law;
  picus_draw_vector place, normal, tangent[2];
} picus_model_site;
typedef struct picus_model_draw {
  int frame_count, shape_count, point_count, face_count, site_count;
  size_t frame_capacity, shape_capacity, point_capacity, face_capacity, site_capacity;
  picus_model_draw_frame *frames; /* frame 0 is not among them: frame k is frames[k - 1] */
  picus_model_shape *shapes;
  picus_draw_vector *points;
  int (*faces)[3];
  picus_model_site *sites;
} picus_model_draw;

/* A body or frame with shapes. */
typedef struct picus_model_carrier {
  const char *name;
  int body; /* among the bodies of the model; -1: a frame */
  int collider_count;
  /* of a frame: functions of time and inputs. Velocity and spin are the derivatives; spin in the frame itself */
  picus_expr position[3], rotation[9], velocity[3], spin[3];
} picus_model_carrier;
/* A shape of a carrier. Its points and triangles belong to the model. */
typedef struct picus_model_collider {
  int carrier, number; /* number: among the shapes of the carrier, from 1 */
  picus_shape_def def;
  double position[3], rotation[9]; /* of its frame in that of the carrier; row-major */
  int material, group;
  picus_place place;
} picus_model_collider;
typedef struct picus_model_material_pair {
  int a, b; /* materials, a <= b */
  double mu, eN, eF, spin_radius, rolling;
} picus_model_material_pair;
/* Two bodies or frames, by name, that touch or do not. The last entry of a pair counts; joints have the least
 * weight. */
typedef struct picus_model_switch {
  const char *a, *b;
  bool on, by_joint;
} picus_model_switch;
enum { PICUS_MOST_GROUPS = 32 };
typedef struct picus_model_collisions {
  int carrier_count, collider_count, material_count, pair_count, group_count, switch_count;
  size_t carrier_capacity, collider_capacity, material_capacity, pair_capacity, switch_capacity;
  picus_model_carrier *carriers;
  picus_model_collider *colliders;
  const char **materials;
  picus_model_material_pair *pairs;
  const char *groups[PICUS_MOST_GROUPS];
  picus_place group_places[PICUS_MOST_GROUPS]; /* where they were first named */
  uint32_t masks[PICUS_MOST_GROUPS];           /* the groups that a group touches */
  picus_model_switch *switches;
} picus_model_collisions;

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

/* Meaning of a variable of the pool. Variables that a user created without the model stay FOREIGN. */
typedef enum picus_variable_kind {
  PICUS_VARIABLE_FOREIGN,
  PICUS_VARIABLE_TIME,
  PICUS_VARIABLE_COORDINATE,
  PICUS_VARIABLE_VELOCITY,
  PICUS_VARIABLE_DISPLACEMENT, /* of a flexible component, and ... */
  PICUS_VARIABLE_DISPLACEMENT_VELOCITY,
  PICUS_VARIABLE_INPUT
} picus_variable_kind;
typedef struct picus_model_variable {
  picus_variable_kind kind;
  int index; /* among coordinates, velocities, nodes or inputs */
} picus_model_variable;

typedef enum picus_name_kind {
  PICUS_NAME_NONE,
  PICUS_NAME_COORDINATE,
  PICUS_NAME_VELOCITY,
  PICUS_NAME_LAW,
  PICUS_NAME_OBSERVABLE,
  PICUS_NAME_STRUCTURE,
  PICUS_NAME_INPUT
} picus_name_kind;
typedef struct picus_name_entry {
  const char *name; /* NULL: a free slot of the hash table */
  picus_name_kind kind;
  int index;
} picus_name_entry;

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
  picus_status failed_status; /* why an expression by text or name could not be built last */
  char failed_text[PICUS_EXPR_FAILURE_SIZE];

  int parameter_count;
  size_t parameter_capacity;
  picus_parameter *parameters;
  int override_count;
  size_t override_capacity;
  picus_model_override_entry *overrides;

  int input_count;
  size_t input_capacity;
  picus_model_input_entry *inputs;

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

/* Letters, digits, _ and -, starting with a letter; what: the kind of thing in the message. */
picus_status picus_model_check_form(picus_model *model, const char *what, const char *name);
/* The same, and not reserved and not yet taken by a coordinate, velocity, law or observable. */
picus_status picus_model_check_name(picus_model *model, const char *what, const char *name);
picus_status picus_model_reserve_names(picus_model *model, size_t more);
void picus_model_register_name(picus_model *model, const char *name, picus_name_kind kind, int index);
picus_name_entry picus_model_find_name(const picus_model *model, const char *name);
/* For picus_nearest_name; user is the model. */
const char *picus_model_next_coordinate(const void *model, int k);
const char *picus_model_next_velocity(const void *model, int k);
const char *picus_model_next_symbol(const void *model, int k);    /* coordinates, then velocities */
const char *picus_model_next_parameter(const void *model, int k); /* parameters, then inputs */

picus_status picus_model_own_variable(picus_model *model, picus_expr symbol, picus_variable_kind kind, int index);

/* works.c: adds the power to an account; and that of a force on a velocity, unless the caller books it itself. */
picus_status picus_model_book(picus_model *model, const char *name, picus_expr power);

/* collisions.c: checked by the callers. The carrier of this body or frame, or a new one, which is then a copy. */
picus_status picus_model_find_carrier(picus_model *model, const picus_model_carrier *carrier, int *index);
/* Numbers of a material or group by name; new ones are added. */
picus_status picus_model_find_material(picus_model *model, const char *name, int *index);
picus_status picus_model_find_group(picus_model *model, const char *name, int *index);
/* Copies the points and triangles. */
picus_status picus_model_add_collider(picus_model *model, const picus_model_collider *collider);
picus_status picus_model_set_material_pair(picus_model *model, const picus_model_material_pair *pair);
/* NULL: the pair is not defined. */
const picus_model_material_pair *picus_model_material_pair_of(const picus_model *model, int a, int b);
picus_status picus_model_add_switch(picus_model *model, const picus_model_switch *entry);
void picus_model_release_collisions(picus_context *context, picus_model_collisions *collisions);

void picus_model_release_drawing(picus_context *context, picus_model_draw *draw);
/* An empty drawing whose arrays picus_drawing_destroy releases; its texts are kept with picus_drawing_keep. */
picus_drawing *picus_drawing_create(picus_context *context);
const char *picus_drawing_keep(picus_drawing *drawing, const char *text); /* NULL: out of memory */

void picus_model_release_structure(picus_context *context, picus_model_structure *structure);
/* As picus_model_add_structure for a framework; takes over the arrays of map and shape, also if it fails. */
picus_status picus_model_add_mapped_structure(picus_model *model, const picus_structure_def *def,
                                              const picus_framework_map *map, const picus_framework_shape *shape);
/* The index of a structure that consists of beams. */
picus_status picus_model_find_framework(picus_model *model, const char *name, int *structure);
enum { PICUS_DISPLACEMENT_NAME = 160 };
/* Name and unit of a component of all nodes: "ux", "m"; of a component without nodes "x". */
picus_column picus_model_component(const picus_model_structure *s, int component, bool velocity);
/* "rod.x12" or "rod.v12", "shaft.uy3" or "shaft.vy3". */
void picus_model_displacement_name(const picus_model_structure *structure, int index, bool velocity,
                                   char name[PICUS_DISPLACEMENT_NAME]);
/* Units of a displacement or its velocity. */
const char *picus_model_displacement_unit(const picus_model_structure *structure, int index, bool velocity);
/* The symbols of a displacement by its index, from 0. */
picus_status picus_model_displacement_symbols(picus_model *model, int structure, int index, picus_expr *x,
                                              picus_expr *v);
/* The displacement or velocity "rod.x12" of a structure: its index, and whether it is the velocity; -1: there is none.
 */
int picus_model_find_displacement(const picus_model *model, const char *name, int *structure, bool *velocity);

int picus_model_find_parameter(const picus_model *model, const char *name); /* -1: none */

/* One coordinate and one velocity an expression depends on, and one node by its displacement and by its velocity, one
 * input, and one input without a rate; -1: none. */
typedef struct picus_dependencies {
  int coordinate, velocity;
  int displacement, displacement_velocity;
  int input, steady_input;
} picus_dependencies;
/* The initial values of the inputs, into the values of all variables of the pool. */
void picus_model_fill_inputs(const picus_model *model, double *variables);
/* Fails if there is an input, or one without a rate. */
picus_status picus_model_refuse_inputs(picus_model *model, const picus_dependencies *on, const char *what);
picus_status picus_model_require_rates(picus_model *model, const picus_dependencies *on, const char *what,
                                       const char *name);
/* Checks that expr is an expression in t, q, u and inputs of this model; what and name appear in the message: "the gap
 * of contact", "beak". name may be NULL. */
picus_status picus_model_examine(picus_model *model, picus_expr expr, const char *what, const char *name,
                                 picus_dependencies *dependencies);
/* The same for kinetic energies, matrices and rates, which must not depend on flexible components. */
picus_status picus_model_examine_rigid(picus_model *model, picus_expr expr, const char *what, const char *name,
                                       picus_dependencies *dependencies);
/* The meaning of a variable of the pool in the model; variables of others, and those that derivations add, are
 * foreign. */
picus_model_variable picus_model_variable_of(const picus_model *model, int index);
/* All coordinates and velocities from q0 and u0 on are those of one body; nq and nu follow from that. */
picus_status picus_model_mark_body(picus_model *model, picus_model_body body);
/* The body to which a coordinate belongs; NULL: none. */
picus_model_body *picus_model_body_of(const picus_model *model, int coordinate);
/* Whether a coordinate is one of the four of a body's quaternion: its rate is known. */
bool picus_model_in_quaternion_of_body(const picus_model *model, int coordinate);
/* PICUS_ERROR_NUMBER unless value is finite. */
picus_status picus_model_check_finite(picus_model *model, double value, const char *what, const char *name);

#endif
