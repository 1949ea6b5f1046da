/* Rigid bodies, their joints, force elements, contacts and shapes, and drawings.
 *
 * Bodies are in maximal coordinates. They add coordinates and inertias to a picus_model; joints, force elements and
 * contacts add constraints, forces and gaps as expressions, beside anything else the model contains. Schemes therefore
 * get exact derivatives. Picus finds the contacts between shapes in each step.
 *
 * A body is a value: the expressions of its motion. It owns nothing and stays valid as long as its model. Vector
 * components are in the inertial frame unless stated otherwise; planar bodies move in the plane z = 0 and rotate about
 * z. Functions that fail leave their message on the model's context. Units are SI, angles in rad. */
#ifndef PICUS_BODIES_H
#define PICUS_BODIES_H

#include <picus/base.h>
#include <picus/expr.h>
#include <picus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- bodies and frames ------------------------------------------------------------------------------------------ */

typedef struct picus_vector {
  picus_expr x[3]; /* components x, y, z */
} picus_vector;    /* Lifetime: as long as the model */

typedef enum picus_body_kind {
  PICUS_FRAME,        /* fixed, or moving as a function of time */
  PICUS_PARTICLE,     /* a point mass: no orientation */
  PICUS_PLANAR_BODY,  /* x, y, phi; vx, vy, omega */
  PICUS_SPATIAL_BODY, /* x, y, z, p0, p1, p2, p3; vx, vy, vz (inertial frame), wx, wy, wz (body frame) */
  PICUS_NODE          /* no additional mass: picus_model_make_node, picus_model_make_follower */
} picus_body_kind;

enum { PICUS_BODY_NAME_SIZE = 64 };

typedef struct picus_body {
  picus_model *model;
  picus_body_kind kind;
  bool planar; /* stays in the plane z = 0 and rotates about z only */
  char name[PICUS_BODY_NAME_SIZE];
  double mass;            /* kg; 0 for frames */
  picus_vector position;  /* of the centre of mass, or of the origin of the frame */
  picus_vector velocity;  /* its derivative */
  picus_expr rotation[9]; /* R, row-major: components in the body frame to components in the inertial frame */
  picus_vector spin;      /* angular velocity, body frame */
  picus_expr angle;       /* planar: phi; else invalid */
  double start_position[3], start_rotation[9], start_angle; /* initial values; the angle: planar bodies only */
  /* NODE: the velocities by which it moves, derivative of the rotation, angular velocity in the inertial frame */
  picus_expr rates[6], rotation_rate[9]; /* rotation_rate: row-major, 1/s */
  picus_vector omega;
} picus_body;

typedef struct picus_body_def {
  picus_body_kind kind; /* not PICUS_FRAME */
  const char *name;
  const char *suffix; /* suffix of the names of its coordinates and velocities; NULL: "_" and the name */
  bool planar;        /* PARTICLE: x and y only */
  double mass;        /* kg, > 0 */
  double inertia[9];  /* kg m^2, about the centre of mass, body frame; a planar body uses the last entry. No principal
                         moment may exceed the sum of the other two */
  double position[3]; /* initial position of the centre of mass, m */
  double angle;       /* PLANAR_BODY: initial angle, rad */
  double orientation[4];      /* SPATIAL_BODY: initial orientation, unit quaternion, scalar first */
  double velocity[3];         /* initial velocity of the centre of mass, m/s */
  double angular_velocity[3]; /* initial, body frame, rad/s; a planar body uses the last entry */
} picus_body_def;
PICUS_API picus_body_def picus_default_body_def(picus_body_kind kind);
/* Lifetime: as long as the model. */
PICUS_API picus_status picus_model_add_body(picus_model *model, const picus_body_def *def, picus_body *out);

/* A frame that is fixed or moves as given functions of time. It rotates about an axis fixed in the frame. */
typedef struct picus_frame_def {
  const char *name;
  picus_vector position; /* of its origin; functions of time */
  double orientation[4]; /* at angle = 0: unit quaternion, scalar first */
  double axis[3];        /* unit vector, in the frame */
  picus_expr angle;      /* about the axis, rad; a function of time */
} picus_frame_def;
PICUS_API picus_frame_def picus_default_frame_def(picus_model *model); /* fixed in the inertial frame */
/* Lifetime: as long as the model. */
PICUS_API picus_status picus_model_make_frame(picus_model *model, const picus_frame_def *def, picus_body *out);

/* A node of a framework (flexible.h) as a body: joints, springs, contacts and forces may act on it, with points in its
 * frame, which has the directions of the global axes without displacements. Rotations are small: a point s is at
 * x + u + s + r x s. In a framework with a spin the frame rotates with the spin, and the rotation rx may grow without
 * bound. The node is numbered as in names. Lifetime: as long as the model. */
PICUS_API picus_status picus_model_make_node(picus_model *model, const char *framework, int node, picus_body *out);

/* A frame whose origin is given by expressions in time, coordinates and displacements, without rotation: a bearing on
 * user-defined coordinates, a carriage. Forces on it act on these coordinates. Each needs its own velocity; there are
 * at most PICUS_FOLLOWER_MOST. */
enum { PICUS_FOLLOWER_MOST = 6 };
/* Lifetime: as long as the model. */
PICUS_API picus_status picus_model_make_follower(picus_model *model, const char *name, picus_vector position,
                                                 picus_body *out);

/* Markers, for user-defined expressions: position and velocity of a point fixed in the body, a direction fixed in the
 * body, and the angular velocity, all in the inertial frame. point and direction are in the body frame. */
PICUS_API picus_vector picus_body_point(const picus_body *body, const double point[3]);
PICUS_API picus_vector picus_body_point_velocity(const picus_body *body, const double point[3]);
PICUS_API picus_vector picus_body_direction(const picus_body *body, const double direction[3]);
/* The same with components in the body frame that are expressions. The velocity is that of the material point that is
 * there at the moment: it lacks the rates of the components. */
PICUS_API picus_vector picus_body_point_of(const picus_body *body, picus_vector point);
PICUS_API picus_vector picus_body_velocity_of(const picus_body *body, picus_vector point);
PICUS_API picus_vector picus_body_direction_of(const picus_body *body, picus_vector direction);
PICUS_API picus_vector picus_body_angular_velocity(const picus_body *body);

/* The frame of the body for drawings; the same number for the same body. */
PICUS_API picus_status picus_body_add_draw_frame(const picus_body *body, int *frame);

/* --- joints ----------------------------------------------------------------------------------------------------- */

/* Joints between two bodies. */
typedef enum picus_joint_kind {
  PICUS_REVOLUTE,    /* one common point; if spatial, also one common axis */
  PICUS_SPHERICAL,   /* one common point */
  PICUS_PRISMATIC,   /* b slides along the axis of a without rotating */
  PICUS_CYLINDRICAL, /* b slides along the axis of a and rotates about it */
  PICUS_UNIVERSAL,   /* one common point; the axes of a and b are perpendicular */
  PICUS_WELD,        /* b moves with a */
  PICUS_DISTANCE,    /* a massless rod between two points */
  PICUS_GEAR,        /* angular velocity of b = ratio * angular velocity of a; planar: on angles, so without drift */
  PICUS_MOTOR,       /* rotates b relative to a about the axis */
  PICUS_LINEAR_MOTOR /* moves b relative to a along the axis of a */
} picus_joint_kind;

typedef struct picus_joint_def {
  picus_joint_kind kind;
  const char *name;
  const picus_body *a, *b;
  /* Points and axes: in the inertial frame, in the initial configuration (point[0], axis[0]; UNIVERSAL and GEAR have
   * two axes, DISTANCE two points), or in the frames of a and b. */
  bool in_body_frames;
  double point[2][3];  /* m */
  double axis[2][3];   /* unit vectors; planar bodies: needed for PRISMATIC and LINEAR_MOTOR only */
  double length;       /* DISTANCE, m; 0: initial distance */
  double ratio;        /* GEAR */
  picus_expr speed;    /* MOTOR, LINEAR_MOTOR: this function of time (a constraint at velocity level), or ... */
  picus_expr position; /* ... this one: angle or distance, 0 in the initial configuration (position level) */
  /* REVOLUTE, SPHERICAL, PRISMATIC, CYLINDRICAL: friction mu |F| of the force F in the joint, as the law NAME_friction;
   * UNIVERSAL: of both pins of its cross, NAME_friction_a about the axis of a and NAME_friction_b about that of b */
  double mu;             /* 0: none */
  picus_expr mu_formula; /* instead of mu, where given: as in picus_contact_def */
  double radius;         /* of the pin, m: the torque is at most mu radius |F|; not PRISMATIC */
  double guide;          /* PRISMATIC: distance of the pads of b, m; 0: torques do not load them */
} picus_joint_def;
PICUS_API picus_joint_def picus_default_joint_def(picus_joint_kind kind);
/* Adds the constraints of the joint: NAME, or NAME_x, NAME_y ... if there are several. */
PICUS_API picus_status picus_model_add_joint(picus_model *model, const picus_joint_def *def);

/* --- force elements --------------------------------------------------------------------------------------------- */

/* Force elements. Points are in the frames of their bodies. */
PICUS_API picus_status picus_body_add_gravity(const picus_body *body, const double acceleration[3]); /* m/s^2 */
/* A force at a point of the body: inertial components, expressions in t and the state. */
PICUS_API picus_status picus_body_add_force(const picus_body *body, const double point[3], picus_vector force);
/* A torque, inertial components. */
PICUS_API picus_status picus_body_add_torque(const picus_body *body, picus_vector torque);

typedef struct picus_spring_def {
  const picus_body *a, *b;
  double point[2][3];           /* m, of a and of b */
  double axis[3];               /* TORSION of spatial bodies: unit vector, inertial frame, initial configuration */
  double stiffness;             /* N/m or N m/rad, >= 0 */
  double damping;               /* N s/m or N m s/rad, >= 0 */
  double rest;                  /* free length, m, or angle, rad */
  picus_expr varying_stiffness; /* instead of stiffness: an expression in time and inputs; invalid: none */
  picus_expr actuation;         /* additional force that pushes the points apart, or torque on b; invalid: none */
} picus_spring_def;
PICUS_API picus_spring_def picus_default_spring_def(void);
/* Acts along the line between two points. With free length 0 and no actuation it damps in all directions. */
PICUS_API picus_status picus_model_add_spring(picus_model *model, const picus_spring_def *def);
/* Acts on the rotation of b relative to a: planar, or about the axis. The spatial angle is 0 in the initial
 * configuration and lies within +-pi; the planar angle is phi_b - phi_a. */
PICUS_API picus_status picus_model_add_torsion_spring(picus_model *model, const picus_spring_def *def);

/* --- contacts of pairs of bodies -------------------------------------------------------------------------------- */

/* Contacts between two bodies: a carries the surface, b touches it. Points and axes are in the frames of the bodies. */
typedef enum picus_pair_kind {
  PICUS_BALL_PLANE,  /* point (radius[1] = 0), disk or ball of b on the plane or line of a through point[0] with the
                        outer normal axis[0] */
  PICUS_BALL_BALL,   /* disks or balls around point[0] and point[1] */
  PICUS_PIN_HOLE,    /* pin of b (radius[1]) inside a hole of a (radius[0]); spatial: axis[0] is the axis of the hole */
  PICUS_RIM_PLANE,   /* rim of the disk of b with centre point[1], axis axis[1], radius[1] on a plane of a; spatial */
  PICUS_POINT_LEVEL, /* point[1] of b stays where level(x, y, z) >= 0 in the frame of a */
  /* Round journal of b (radius[1]) in a bearing of a (radius[0]) with the clearance c = radius[0] - radius[1], for
   * small clearances. The gap (c^2 - r^2) / (2 c), with r the distance of the axes at point[1], is smooth in the
   * centre. Slip: along the circumference, with the surface speeds of both, and along the axis unless `radial`. */
  PICUS_JOURNAL
} picus_pair_kind;

typedef struct picus_pair_def {
  picus_pair_kind kind;
  const char *name;
  const picus_body *a, *b;
  double point[2][3];         /* m, of a and of b */
  double axis[2][3];          /* unit vectors, of a and of b */
  double radius[2];           /* m, of a and of b */
  picus_expr level, local[3]; /* POINT_LEVEL: an expression in three variables of the pool (picus_variable) that stand
                                 for the coordinates in the frame of a; planar: two */
  bool frictionless;          /* no friction rows */
  bool radial;                /* JOURNAL: no friction along the axis */
  double mu, eN, eF;          /* friction coefficient >= 0, restitution in [0,1] */
  double spin_radius;         /* m; > 0: spatial contact with spin friction (Contensou), contact area of this radius */
  double rolling;             /* m; > 0: rolling friction, a torque of at most so much times the normal force */
  /* instead of the numbers, where given: expressions, as in picus_contact_def */
  picus_expr mu_formula, eN_formula, eF_formula, spin_radius_formula, rolling_formula;
  picus_impact_law impact; /* 0: that of the run */
  picus_expr surface[3];   /* m/s, of the surface of a relative to a, in its frame; friction feels it. Not given: 0 */
  double adhesion;         /* N, as in picus_contact_def */
} picus_pair_def;
PICUS_API picus_pair_def picus_default_pair_def(picus_pair_kind kind);
PICUS_API picus_status picus_model_add_pair(picus_model *model, const picus_pair_def *def);

/* --- shapes: kinds and sizes ------------------------------------------------------------------------------------ */

/* Shapes for collision detection. Lengths are in m. */
typedef enum picus_shape_kind {
  PICUS_SHAPE_DISK,       /* planar; radius */
  PICUS_SHAPE_SPHERE,     /* radius */
  PICUS_SHAPE_HALF_SPACE, /* z <= 0; planar: y <= 0. A plane is the half-space below it */
  PICUS_SHAPE_SEGMENT,    /* size[0] along z; planar: along x */
  PICUS_SHAPE_CAPSULE,    /* size[0] between the centres of its ends, along z; planar: along x; radius */
  PICUS_SHAPE_RECTANGLE,  /* planar; size[0] along x, size[1] along y */
  PICUS_SHAPE_BOX,        /* size along x, y, z */
  PICUS_SHAPE_POLYGON,    /* planar; the convex hull of the points */
  PICUS_SHAPE_POLYHEDRON, /* the convex hull of the points */
  PICUS_SHAPE_CYLINDER,   /* size[0] along z; radius; its rims rounded outwards by rounding */
  PICUS_SHAPE_POLYLINE,   /* planar, static; the points in order; outside is on the left */
  PICUS_SHAPE_MESH,       /* static; triangles counterclockwise seen from outside */
  PICUS_SHAPE_ELLIPSOID,  /* size: its radii along x, y, z */
  PICUS_SHAPE_KINDS
} picus_shape_kind;

typedef struct picus_shape_def {
  picus_shape_kind kind;
  bool planar;     /* of half-spaces, segments and capsules; the other kinds determine it */
  double radius;   /* of disk, sphere, capsule, cylinder; of the other kinds: by which the shape is rounded outwards */
  double rounding; /* of a cylinder: by which it is rounded outwards */
  double size[3];  /* full lengths; of an ellipsoid: half of them */
  const double *points;      /* three numbers each; planar: the third is 0 */
  int point_count;           /* points holds 3 point_count numbers, m */
  const int (*triangles)[3]; /* of a mesh: numbers of points, from 0 */
  int triangle_count;        /* rows of triangles */
  bool closed;               /* of a mesh: it must have no holes and no border */
} picus_shape_def;

/* --- triangle meshes of files ----------------------------------------------------------------------------------- */

/* Triangle meshes from STL files (text and binary) and OBJ files: terrain, or points of a convex polyhedron. */
/* Triangles by their corners, counterclockwise seen from outside. No two points are at the same place, and no triangle
 * names a point twice. Normals of the file are not used: the order of the corners determines the outside. */
typedef struct picus_mesh {
  double *points;      /* three numbers each, in the unit of the file */
  int point_count;     /* points holds 3 point_count numbers */
  int (*triangles)[3]; /* numbers of points, from 0 */
  int triangle_count;  /* rows of triangles */
  int dropped_count;   /* triangles of the file with two corners at one place, which are left out */
} picus_mesh;

enum { PICUS_MESH_MOST_POINTS = 1 << 20, PICUS_MESH_MOST_TRIANGLES = 1 << 21 };

/* Reads a file whose name ends in .stl or .obj. Faces of an OBJ file with more than three corners are divided into
 * triangles from their first corner. A file without triangles is read if it has points. On failure the context has a
 * message with the place, and out holds nothing.
 * Lifetime: until picus_mesh_release. */
PICUS_API picus_status picus_mesh_read(picus_context *context, const char *path, picus_mesh *out);
/* As above, from memory; the ending of name determines the format.
 * Lifetime: until picus_mesh_release. */
PICUS_API picus_status picus_mesh_parse(picus_context *context, const char *name, const void *bytes, size_t size,
                                        picus_mesh *out);
PICUS_API void picus_mesh_release(picus_context *context, picus_mesh *mesh);

/* --- bodies with shapes ----------------------------------------------------------------------------------------- */

/* Bodies with shapes. Picus finds the contacts between them in each step: signed distances with exact gradients. Shapes
 * belong to bodies or to frames, fixed or moving; several may belong to one. All shapes of a model are planar, or all
 * are spatial.
 *
 * Functions that fail leave their message on the model's context. Texts and points are copied. Units are SI. */
typedef struct picus_body_shape_def {
  picus_shape_def shape;
  double position[3];    /* of the frame of the shape, in the frame of the body */
  double orientation[4]; /* of the frame of the shape: unit quaternion, scalar first */
  const char *material;  /* NULL: "default" */
  const char *group;     /* NULL: "default" */
  bool hidden;           /* not part of the drawing of the model */
  const char *fill;      /* colour in the drawing, as in picus_draw_def; NULL: blue for bodies, light for frames */
  double extent;         /* HALF_SPACE: how far drawings show it around its origin, m; 0: 1 m */
  /* its surface moves relative to the body, as a belt or a turntable: velocity in the frame of the body, m/s, and spin
   * about the z axis of the shape, rad/s; functions of time and inputs. Not given: 0 */
  picus_expr surface[3], surface_spin;
} picus_body_shape_def;
PICUS_API picus_body_shape_def picus_default_body_shape_def(picus_shape_kind kind);
/* Polylines and meshes belong to frames only. */
PICUS_API picus_status picus_body_add_shape(const picus_body *body, const picus_body_shape_def *def);

/* Mass, centre of mass and inertia of shapes of one density, kg/m^3 (planar: kg/m^2), in the frame of the body. Where
 * shapes overlap, mass counts twice. */
typedef struct picus_shape_inertia {
  double mass, centre[3]; /* kg; m */
  double inertia[9];      /* about the centre, row-major; planar: the last entry counts */
} picus_shape_inertia;
PICUS_API picus_status picus_shapes_inertia(picus_model *model, int count, const picus_body_shape_def *defs,
                                            double density, picus_shape_inertia *out);

/* Laws of contacts between shapes of two materials. Contacts of the material "default" with itself have no friction and
 * no restitution unless they are defined. All other pairs of materials that can meet must be defined. */
typedef struct picus_material_def {
  const char *a, *b;  /* names of materials; b NULL: a with itself */
  double mu;          /* 0: no friction */
  double eN, eF;      /* coefficients of restitution, in [0,1] */
  double spin_radius; /* m; > 0: spatial contacts with spin friction (Contensou), contact area of this radius */
  double rolling;     /* m; > 0: rolling friction: a torque of at most rolling times the normal force */
  /* instead of the numbers, where given: expressions of time, inputs and picus_model_slip_speed */
  picus_expr mu_formula, eN_formula, eF_formula, rolling_formula;
  picus_impact_law impact; /* 0: that of the run */
  double adhesion;         /* N, at each point of contact; as in picus_contact_def */
} picus_material_def;
PICUS_API picus_status picus_model_add_material(picus_model *model, const picus_material_def *def);

/* Whether shapes of two groups touch, by default yes. a and b may be the same group. At most 32 groups. */
PICUS_API picus_status picus_model_collide_groups(picus_model *model, const char *a, const char *b, bool on);
/* Whether two bodies or frames touch, by default yes, unless a joint connects them. */
PICUS_API picus_status picus_model_collide_bodies(picus_model *model, const picus_body *a, const picus_body *b,
                                                  bool on);

/* --- drawings --------------------------------------------------------------------------------------------------- */

/* Drawings of a model: shapes for the viewer, for pictures and for ParaView. A drawing never changes the motion.
 *
 * Shapes are given by points. The coordinates of a point are expressions in t, coordinates and velocities, in the
 * inertial frame or in a frame that moves with a body. A result file contains the drawing once, as the steps that
 * compute its points from the columns. Lengths are in m, line widths in pixels. */
typedef enum picus_draw_kind {
  PICUS_DRAW_LINE,     /* through 2 points or more */
  PICUS_DRAW_POLYGON,  /* of 3 points or more */
  PICUS_DRAW_CIRCLE,   /* 1 point, radius; in the x-y plane of its frame */
  PICUS_DRAW_SPRING,   /* between 2 points, radius: half of its width */
  PICUS_DRAW_ARROW,    /* from the first to the second point */
  PICUS_DRAW_TEXT,     /* 1 point */
  PICUS_DRAW_GROUND,   /* a line through 2 points or more, hatched on its right side; in space with fill: an area, seen
                           from the side on which its points run counterclockwise */
  PICUS_DRAW_SPHERE,   /* 1 point, radius */
  PICUS_DRAW_BOX,      /* 2 opposite corners, edges along the axes of its frame */
  PICUS_DRAW_CYLINDER, /* between 2 points, radius */
  PICUS_DRAW_MESH,     /* triangles between its points */
  PICUS_DRAW_KINDS
} picus_draw_kind;
/* "line", "polygon", ...; NULL: there is no such kind. Lifetime: static. */
PICUS_API const char *picus_draw_kind_name(int kind);

/* A point or direction; the third component may be invalid: in the plane, 0. */
typedef struct picus_draw_vector {
  picus_expr x[3];   /* m */
} picus_draw_vector; /* Lifetime: as long as the model */

/* A frame for shapes. Frame 0 is the inertial frame. rotation: row-major, from the frame to the inertial frame.
 * picus_body_add_draw_frame of bodies.h makes the frame of a body. */
typedef struct picus_draw_frame_def {
  const char *name;
  bool planar; /* its motion stays in the plane z = 0 */
  picus_draw_vector position;
  picus_expr rotation[9]; /* row-major */
} picus_draw_frame_def;
PICUS_API picus_status picus_model_add_draw_frame(picus_model *model, const picus_draw_frame_def *def, int *frame);

typedef struct picus_draw_def {
  picus_draw_kind kind;
  int frame;        /* of picus_model_add_draw_frame; 0: inertial */
  const char *name; /* shapes with the same name are one object; NULL: the name of the frame */
  int count;        /* points */
  const picus_draw_vector *points;
  picus_expr radius;       /* invalid: not given */
  const char *text;        /* TEXT */
  const char *line, *fill; /* colours: a name of picus_draw_colour, "#rrggbb" or "none"; NULL: the default */
  double width;            /* of lines, pixels; 0: the default */
  int face_count;          /* MESH */
  const int *faces;        /* face_count x 3 numbers of points, from 0 */
} picus_draw_def;
PICUS_API picus_draw_def picus_default_draw_def(picus_draw_kind kind);
/* The arrays and texts are copied. */
PICUS_API picus_status picus_model_add_draw(picus_model *model, const picus_draw_def *def);
/* The names of colours, which follow the light or dark theme of the viewer; NULL ends. Lifetime: as long as the
 * program. */
PICUS_API const char *picus_draw_colour(int index);

/* Where a contact or friction element acts: percussions appear there as PN normal + PF1 tangent[0] + PF2 tangent[1], on
 * the body that the normal points to. Contacts of bodies have a default site; another site replaces it. In the plane,
 * an invalid tangent is the normal rotated by -90 degrees. */
typedef struct picus_contact_site_def {
  const char *law;
  picus_draw_vector place, normal, tangent[2];
} picus_contact_site_def;
PICUS_API picus_contact_site_def picus_default_contact_site_def(void);
PICUS_API picus_status picus_model_set_contact_site(picus_model *model, const picus_contact_site_def *def);

/* A complete drawing, of a model or read from a result. All values are computed by steps: step k applies op to the
 * values of earlier steps. -1 stands for no step. */
typedef struct picus_draw_step {
  picus_op op;     /* NUMBER: value; VARIABLE: argument[0] is an index of variables */
  int argument[3]; /* earlier steps */
  double value;    /* of a number */
} picus_draw_step;
typedef struct picus_draw_frame {
  const char *name;
  bool planar;
  int position[3], rotation[9]; /* steps */
} picus_draw_frame;
typedef struct picus_draw_shape {
  picus_draw_kind kind;
  int frame;                             /* in frames */
  const char *name, *text, *line, *fill; /* never NULL */
  double width;                          /* pixels; 0: the default */
  int radius;                            /* step */
  int first_point, count;                /* in points */
  int first_face, face_count;            /* in faces */
} picus_draw_shape;
typedef struct picus_draw_site {
  const char *law;
  int place[3], normal[3], tangent[2][3]; /* steps */
} picus_draw_site;
typedef struct picus_drawing {
  bool planar;
  int variable_count; /* names of columns */
  const char *const *variables;
  int step_count; /* in steps */
  const picus_draw_step *steps;
  int frame_count; /* at least 1, the inertial frame */
  const picus_draw_frame *frames;
  int shape_count; /* in shapes */
  const picus_draw_shape *shapes;
  int point_count;        /* in points */
  const int (*points)[3]; /* steps */
  int face_count;         /* in faces */
  const int (*faces)[3];  /* points, counted from the first one of the shape */
  int site_count;         /* in sites */
  const picus_draw_site *sites;
} picus_drawing;

/* A new drawing with all shapes of a complete model; NULL: it has none. */
PICUS_API picus_status picus_model_make_drawing(const picus_model *model, picus_drawing **out);
PICUS_API void picus_drawing_destroy(picus_drawing *drawing);
/* The values of all steps from the values of the variables: variable_count numbers in, step_count numbers out. */
PICUS_API void picus_drawing_evaluate(const picus_drawing *drawing, const double *variables, double *values);

/* --- handles ---------------------------------------------------------------------------------------------------- */

/* What a program can pull while a simulation runs (picus_sim_push): frames of the drawing that move with coordinates or
 * displacements, and objects of the inertial frame whose points do. A place on it is origin + a e1 + b e2 + c e3. Of a
 * frame, a, b, c are the coordinates in the frame, m. Of an object the origin is its first point, and e1, e2, e3 are
 * the vectors from there to the others; then a, b, c are dimensionless. */
typedef struct picus_handle {
  int frame;    /* of the drawing; 0: an object, by its points */
  int count;    /* 1 + number of vectors: 1 to 4 */
  int point[4]; /* of an object: in picus_drawing.points; the first is the origin */
} picus_handle;
enum { PICUS_HANDLE_NAME = 24 };
#define PICUS_HANDLE_INPUT "push" /* its stiffness is the input push1, push2, ... */
/* Adds handles, at most so many, to a complete model with a drawing, before picus_system_create: the inputs push_x,
 * push_y, push_z, push_a, push_b, push_c, push_time and one for each handle, and forces that are 0 until
 * picus_sim_push. Once only. PICUS_ERROR_NAME: the model has such a name. */
PICUS_API picus_status picus_model_add_handles(picus_model *model, int most);
PICUS_API int picus_model_handle_count(const picus_model *model);
PICUS_API picus_handle picus_model_handle(const picus_model *model, int index); /* zeros: no such index */

#ifdef __cplusplus
}
#endif

#endif
