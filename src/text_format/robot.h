/* Robots from descriptions of others, as the text of a model file. Readers of MJCF (mjcf.c) and URDF (urdf.c) fill a
 * robot: a tree of links with joints, shapes and drives. robot_text.c writes it. */
#ifndef PICUS_TEXT_FORMAT_ROBOT_H
#define PICUS_TEXT_FORMAT_ROBOT_H

#include "text_format/xml.h"

enum { ROBOT_NAME = 64, ROBOT_NOTE = 200 };

/* A place: position, and rotation as a unit quaternion, scalar first. */
typedef struct robot_place {
  double at[3], turn[4];
} robot_place;

typedef enum robot_shape_kind {
  ROBOT_HALF_SPACE, /* z up; size unused */
  ROBOT_SPHERE,     /* size: radius */
  ROBOT_CAPSULE,    /* radius, length between the centres of its ends; along z */
  ROBOT_CYLINDER,   /* radius, length */
  ROBOT_BOX,        /* edges */
  ROBOT_ELLIPSOID,  /* radii */
  ROBOT_MESH        /* size: scale; the convex hull */
} robot_shape_kind;

typedef struct robot_shape {
  robot_shape_kind kind;
  robot_place place; /* in its link */
  double size[3];
  double mu;
  unsigned type, affinity; /* MJCF: two shapes touch if type & affinity is not 0, either way round; 0, 0: never */
  const char *file;        /* of a mesh; it lives in the document */
} robot_shape;

/* Mass, centre and inertia about the centre, in the axes of the link. */
typedef struct robot_inertia {
  double mass, centre[3], about[3][3];
} robot_inertia;

/* ROBOT_SUM: the values of joints with factors, a tendon of MJCF; it has a value, a rate and loads as a joint has, and
 * no link. */
typedef enum robot_joint_kind { ROBOT_FREE, ROBOT_HINGE, ROBOT_SLIDE, ROBOT_BALL, ROBOT_SUM } robot_joint_kind;

typedef struct robot_joint {
  robot_joint_kind kind;
  char name[ROBOT_NAME];
  const char *given;     /* its name in the description; NULL: none */
  int link;              /* -1: a sum */
  double at[3], axis[3]; /* in the link */
  double low, high;      /* rad or m; -inf, inf: none */
  double damping, stiffness, rest, friction;
  double armature; /* inertia of a rotor that moves with the joint */
  double start;    /* the value in the initial position */
} robot_joint;

/* A part of a sum. */
typedef struct robot_term {
  int sum, joint;
  double factor;
} robot_term;

typedef struct robot_link {
  char name[ROBOT_NAME];
  const char *given; /* its name in the description; NULL: none */
  int parent;        /* -1: the world */
  robot_place place; /* in its parent */
  robot_inertia inertia;
} robot_link;

typedef enum robot_drive_kind { ROBOT_MOTOR, ROBOT_SERVO, ROBOT_SPEED } robot_drive_kind;
typedef struct robot_drive {
  robot_drive_kind kind;
  char name[ROBOT_NAME];
  int joint;
  double gear, gain, damping; /* of a servo: gain (u - q) - damping q', of a speed drive: gain (u - q') */
  double low, high;           /* of the input */
} robot_drive;

/* Closed loops, pairs that do not touch, and joints that follow others. */
enum { ROBOT_POWERS = 5 };
typedef enum robot_tie_kind { ROBOT_CONNECT, ROBOT_WELD, ROBOT_EXCLUDE, ROBOT_COUPLE } robot_tie_kind;
typedef struct robot_tie {
  robot_tie_kind kind;
  char name[ROBOT_NAME];
  int a, b;                   /* links, -1: the world; of ROBOT_COUPLE: joints, b = -1: none */
  double at[3];               /* in link a */
  double power[ROBOT_POWERS]; /* a - its start = sum of power[k] (b - its start)^k */
} robot_tie;

typedef struct robot {
  picus_context *context;
  xml_document document;
  char name[ROBOT_NAME], source[ROBOT_NAME];
  double gravity[3], dt;
  robot_link *links;
  int *shape_link; /* of each shape: its link, -1: the world */
  robot_shape *shapes;
  robot_joint *joints;
  robot_term *terms;
  robot_drive *drives;
  robot_tie *ties;
  char (*notes)[ROBOT_NOTE]; /* what is ignored or changed */
  size_t link_count, shape_count, joint_count, term_count, drive_count, tie_count, note_count;
  size_t link_room, shape_room, shape_link_room, joint_room, term_room, drive_room, tie_room, note_room;
} robot;

/* Reads a file that the description names, relative to it; the caller releases the block. */
typedef picus_status (*robot_file_fn)(void *user, const char *name, unsigned char **bytes, size_t *size);
typedef struct robot_source {
  const char *name; /* of the file, for messages */
  const void *bytes;
  size_t size;
  robot_file_fn read;
  void *user;
  bool is_floating; /* URDF: the root moves freely */
} robot_source;

/* The text of the model file; to be released. notes: lines of what it leaves out, as in its head; may be NULL. */
picus_status picus_robot_import(picus_context *context, const robot_source *source, char **text, char **notes);

/* --- inside ------------------------------------------------------------------------------------------------------- */

picus_status picus_robot_read_mjcf(robot *robot, int root, const robot_source *source);
picus_status picus_robot_read_urdf(robot *robot, int root, const robot_source *source);
picus_status picus_robot_write(robot *robot, char **text, char **notes);

picus_status picus_robot_add_link(robot *robot, const robot_link *link, int *out);
picus_status picus_robot_add_shape(robot *robot, int link, const robot_shape *shape);
picus_status picus_robot_add_joint(robot *robot, const robot_joint *joint);
picus_status picus_robot_add_term(robot *robot, const robot_term *term);
picus_status picus_robot_add_drive(robot *robot, const robot_drive *drive);
picus_status picus_robot_add_tie(robot *robot, const robot_tie *tie);
/* The hinge or slide that the description names so; -1: there is none. */
int picus_robot_find_joint(const robot *robot, const char *given);
int picus_robot_find_sum(const robot *robot, const char *given);
/* Adds a note once. */
picus_status picus_robot_note(robot *robot, const char *format, ...) PICUS_PRINTF(2, 3);
/* Letters, digits and _; unique among links, among joints and ties, or among drives. */
typedef enum robot_named { ROBOT_LINKS, ROBOT_LAWS, ROBOT_INPUTS, ROBOT_ITSELF } robot_named;
void picus_robot_choose_name(const robot *robot, robot_named among, const char *wanted, const char *otherwise,
                             char name[ROBOT_NAME]);

typedef struct robot_attribute {
  int element;
  const char *name, *text;
} robot_attribute;
/* The numbers of an attribute, separated by blanks. *count: how many there are, at most `most`. PICUS_ERROR_IO: they
 * are none, not finite, or more. */
picus_status picus_robot_numbers(const robot *robot, robot_attribute attribute, int most, double *values, int *count);

/* Places. */
robot_place picus_robot_no_place(void);
robot_place picus_robot_then(const robot_place *outer, const robot_place *inner); /* inner seen from where outer is */
void picus_robot_turn(const double turn[4], const double v[3], double out[3]);
void picus_robot_multiply(const double a[4], const double b[4], double out[4]);
/* false: the vector or quaternion has no length. */
bool picus_robot_normalise(double *v, int count);
/* By an angle about an axis of length 1. */
void picus_robot_about(const double axis[3], double angle, double turn[4]);
/* The rotation that takes z to the direction. */
void picus_robot_from_z(const double direction[3], double turn[4]);
/* The rotation with these columns. */
void picus_robot_from_columns(const double x[3], const double y[3], const double z[3], double turn[4]);

/* Inertia: of a solid shape of density 1 in its own axes; false: it has none. */
bool picus_robot_shape_inertia(const robot_shape *shape, robot_inertia *out);
/* Adds `part`, whose axes are at `place`, scaled to a mass. */
void picus_robot_add_inertia(robot_inertia *sum, const robot_inertia *part, const robot_place *place, double mass);

#endif
