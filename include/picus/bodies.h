/* Rigid bodies in maximal coordinates. Bodies add coordinates and inertias to a picus_model; joints, force elements and
 * contacts add constraints, forces and gaps as expressions, in addition to anything else the model contains. Schemes
 * therefore get exact derivatives.
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

typedef struct picus_vector {
  picus_expr x[3];
} picus_vector; /* Lifetime: as long as the model */

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
  picus_expr rates[6], rotation_rate[9];
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
PICUS_API picus_vector picus_body_angular_velocity(const picus_body *body);

/* The frame of the body for shapes (drawing.h); the same number for the same body. */
PICUS_API picus_status picus_body_add_draw_frame(const picus_body *body, int *frame);

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
  double point[2][3];
  double axis[2][3];   /* unit vectors; planar bodies: needed for PRISMATIC and LINEAR_MOTOR only */
  double length;       /* DISTANCE, m; 0: initial distance */
  double ratio;        /* GEAR */
  picus_expr speed;    /* MOTOR, LINEAR_MOTOR: this function of time (a constraint at velocity level), or ... */
  picus_expr position; /* ... this one: angle or distance, 0 in the initial configuration (position level) */
} picus_joint_def;
PICUS_API picus_joint_def picus_default_joint_def(picus_joint_kind kind);
/* Adds the constraints of the joint: NAME, or NAME_x, NAME_y ... if there are several. */
PICUS_API picus_status picus_model_add_joint(picus_model *model, const picus_joint_def *def);

/* Force elements. Points are in the frames of their bodies. */
PICUS_API picus_status picus_body_add_gravity(const picus_body *body, const double acceleration[3]); /* m/s^2 */
/* A force at a point of the body: inertial components, expressions in t and the state. */
PICUS_API picus_status picus_body_add_force(const picus_body *body, const double point[3], picus_vector force);
/* A torque, inertial components. */
PICUS_API picus_status picus_body_add_torque(const picus_body *body, picus_vector torque);

typedef struct picus_spring_def {
  const picus_body *a, *b;
  double point[2][3];
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
  double point[2][3];
  double axis[2][3];
  double radius[2];
  picus_expr level, local[3]; /* POINT_LEVEL: an expression in three variables of the pool (picus_variable) that stand
                                 for the coordinates in the frame of a; planar: two */
  bool frictionless;          /* no friction rows */
  bool radial;                /* JOURNAL: no friction along the axis */
  double mu, eN, eF;
  double spin_radius; /* m; > 0: spatial contact with spin friction (Contensou), contact area of this radius */
  double rolling;     /* m; > 0: rolling friction: a torque of at most rolling times the normal force */
} picus_pair_def;
PICUS_API picus_pair_def picus_default_pair_def(picus_pair_kind kind);
PICUS_API picus_status picus_model_add_pair(picus_model *model, const picus_pair_def *def);

#ifdef __cplusplus
}
#endif

#endif
