/* Contacts between moving shapes: directions, relative velocities, and how both change with the poses.
 *
 * With n the normal from a to b, c the place of contact, and v_a, v_b the velocities of the material points there, the
 * rows are n . (v_b - v_a), t_i . (v_b - v_a), with spin friction (3 pi / 16) R n . (Omega_b - Omega_a), and with
 * rolling friction t_i . (Omega_b - Omega_a), in the plane about z. */
#ifndef PICUS_SYSTEM_CONTACT_MOTION_H
#define PICUS_SYSTEM_CONTACT_MOTION_H

#include "collision/internal.h"

/* A body or frame: where it is and how it moves, in the inertial frame. */
typedef struct shape_motion {
  picus_pose pose;
  v3 velocity, spin;              /* of its origin; angular */
  v3 acceleration, spin_increase; /* of frames, as functions of time */
} shape_motion;

/* A surface that moves relative to its body: friction feels velocity + spin x (place - origin) besides the motion of
 * the body. In the inertial frame; increase: derivatives by time alone. */
typedef struct touch_surface {
  v3 velocity, spin, origin, increase, spin_increase;
} touch_surface;

/* Two shapes in contact, at a pair of features. */
typedef struct touching {
  const picus_shape *shape[2];
  const picus_pose *frame[2]; /* of the shapes in the frames of their bodies; NULL: the same frames */
  const shape_motion *motion[2];
  feature_pair feature;
  bool driven[2];   /* frames: forces do not move them */
  bool has_surface; /* one of the surfaces moves */
  touch_surface surface[2];
  double spin_factor; /* 0: no spin friction */
} touching;

enum { TOUCH_SPIN = 3, TOUCH_ROLL = 4, TOUCH_ROWS = 6 }; /* normal, two tangents, spin, two rolling velocities */

/* The place is that of the shape that can move. Between two bodies it is in the middle, so that percussions do not
 * change the angular momentum. */
typedef struct touch_site {
  contact_geometry geometry;
  v3 place;
  v3 direction[3]; /* normal, tangents */
} touch_site;
void picus_touch_find(const touching *t, touch_site *out);
void picus_touch_complete(const touching *t, touch_site *out); /* the geometry is known */
/* Gap, normal and points alone. */
void picus_touch_geometry(const touching *t, contact_geometry *out);

/* A row as a linear function of the motions: sum over a and b of linear . velocity + angular . spin. */
typedef struct touch_row {
  v3 linear[2], angular[2];
} touch_row;
void picus_touch_row(const touching *t, const touch_site *site, int row, touch_row *out);
/* The part of the surfaces in the velocity of a row. */
double picus_touch_surface_velocity(const touching *t, const touch_site *site, int row);
double picus_touch_velocity(const touching *t, const touch_row *row, int side);

/* A change of both poses, and of the velocities beside what turning the bodies does to their spins. */
typedef struct touch_change {
  v3 shift[2], turn[2]; /* of the origin; rotation vector */
  v3 velocity[2], spin[2];
  bool by_time; /* the velocities of surfaces change as well */
} touch_change;
/* How the relative velocities of all rows change; velocities in the inertial frame and spins in the frames of the
 * bodies are held. */
void picus_touch_slopes(const touching *t, const touch_site *site, const touch_change *change,
                        double slopes[TOUCH_ROWS]);

#endif
