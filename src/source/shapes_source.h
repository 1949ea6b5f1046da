/* What the files of the source of shapes share. */
#ifndef PICUS_SYSTEM_SHAPES_SOURCE_H
#define PICUS_SYSTEM_SHAPES_SOURCE_H

#include "formulas/formulas.h"
#include "source/contact_motion.h"

#include <picus/expr.h>

typedef enum carrier_turns { CARRIER_STRAIGHT, CARRIER_TURNS_IN_PLANE, CARRIER_TURNS_IN_SPACE } carrier_turns;
enum {
  CARRIER_PARTS = 6,   /* that the velocities of a body can be spread over */
  CARRIER_NUMBERS = 24 /* of the motion of a frame: position, rotation, velocity, spin, their derivatives */
};

/* A body or frame with shapes. */
typedef struct shape_carrier {
  char *name;
  int frame;  /* of a frame: its place among the outputs of the tape, 0 if fixed; -1: a body */
  bool fixed; /* a frame that stays at rest */
  shape_motion rest;
  int moving; /* index of its pose in the detection; -1: static */
  int q0, u0, axes;
  carrier_turns turns;
  int part0, part_count; /* parts of its velocities */
  int collider_count;
  uint32_t groups, mask; /* bits of the groups of its shapes, and of those that they meet */
  double size;           /* smallest thickness of its shapes, m; 0: unknown */
  double reach;          /* largest distance of a point from its origin, m; INFINITY: a half-space; 0: unknown */
  double gravity;        /* acceleration */
} shape_carrier;

/* A surface that moves: velocity, spin, and their derivatives by time. */
enum { SURFACE_NUMBERS = 8 };

typedef struct shape_material {
  double mu, eN, eF, spin_factor, rolling;
  bool has_friction, can_roll;
  picus_impact_law impact;
  double adhesion;
  int varying; /* its number among those that vary, from 1; 0: it does not */
} shape_material;

typedef struct shapes_source {
  const picus_system *system;
  bool planar;
  int carrier_count, moving_count, frame_count; /* frame_count: of moving frames */
  shape_carrier *carriers;
  int collider_count, shape_count;
  picus_shape *shapes;       /* one for each collider */
  picus_collider *colliders; /* static ones with their place in space */
  picus_pose *frames;        /* of the shapes in the frames of their carriers */
  bool *is_home;             /* such a frame is that of the carrier, as of spheres and disks */
  int *carrier_of, *number_of, *material_of;
  int surface_count, *surface_of; /* of colliders: from 1; 0: its surface does not move. Outputs behind the frames */
  int material_count;
  char **material_names;
  shape_material *materials; /* material_count x material_count */
  int varying_count, speed_variable;
  picus_tape *
      *varying; /* of pairs that vary: mu, its derivative by the speed, eN, eF, rolling radius, its derivative */
  int (*apart)[2];
  int apart_count;
  picus_tape *tape; /* of moving frames; NULL: none */
  int input_count;
  formula_input *inputs;
} shapes_source;

/* Data of the source in an evaluation. */
/* A contact that was measured at the point. */
typedef struct known_touch {
  uint64_t key;
  contact_geometry geometry;
} known_touch;

/* Where bodies were at the last detection, and what touched. */
typedef struct last_detection {
  bool known;
  double dt, *q, *u; /* the step of its margins, and all coordinates and velocities of the system */
  picus_touches found;
} last_detection;

typedef struct shapes_work {
  bool placed;           /* motions are those of the point */
  shape_motion *motions; /* of the carriers */
  double *registers, *frames;
  double *material_registers; /* of the longest of the tapes of materials */
  picus_collision *collision; /* made by the first detection */
  picus_pose *poses;          /* of those that move, and their margins */
  double *margins;
  last_detection detected;
  /* where bodies were at the last detection, and how long its list was to serve */
  v3 *last;
  double last_t, last_dt;
  bool looks_inside; /* of steps, whoever asks: bodies cannot pass through others unseen */
  bool *warned;
  uint64_t *pairs; /* of shapes with contacts in the last detection, increasing */
  size_t pair_count, pair_capacity;
  bool warned_of_pair;
  known_touch *known; /* by the gaps of the point, for its directions */
  size_t known_count, known_capacity;
} shapes_work;

/* Numbers of a row for consecutive velocities or coordinates of a carrier. */
typedef struct carrier_numbers {
  int first, count;
  double value[7];
} carrier_numbers;

/* The registers of inputs, for tapes; shapes_create.c. */
picus_status picus_shapes_note_inputs(const picus_model *model, shapes_source *s);
/* shapes_pairs.c: materials whose coefficients vary. */
picus_status picus_shapes_add_varying(picus_model *model, shapes_source *s, const picus_model_material_pair *pair,
                                      shape_material *material);
size_t picus_shapes_material_registers(const shapes_source *s);
/* appearing_ops.pairings */
extern const law_pairing picus_shapes_pairings[];
/* appearing_ops.coefficients */
void picus_shapes_coefficients(const void *self, const source_point *point, const present_laws *laws,
                               const double *speed, law_coefficients *out);

#endif
