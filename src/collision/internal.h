/* Collision detection: a pure function from poses and shapes to contacts.
 *
 * A shape is a core with a radius around it. The core of a disk or sphere is a point, that of a capsule a segment; a
 * box, polygon or polyhedron has itself as core and radius 0 unless it is rounded. For convex shapes the signed
 * distance is
 *
 *   gap = max over unit vectors n of (min of n.b over B - max of n.a over A) - radii,
 *
 * positive apart, minus the depth where they overlap. The maximum is attained at one of finitely many directions, which
 * a pair of features determines: vertex and face, two edges, vertex and edge, two vertices. A contact is such a pair.
 * Its gap is a smooth function of the poses whose gradient follows from the normal and the points, exactly.
 *
 * Lengths have one unit. Vectors of contacts are in the frame in which the poses are given. */
#ifndef PICUS_COLLISION_INTERNAL_H
#define PICUS_COLLISION_INTERNAL_H

#include "shape/internal.h"

/* --- features and contacts ------------------------------------------------------------------------------------ */

typedef struct feature_pair {
  picus_feature a, b;
} feature_pair;

/* A pair of features as one number, and back. */
uint64_t picus_feature_pack(feature_pair pair);
feature_pair picus_feature_unpack(uint64_t packed);

/* Whether both shapes have these features, and picus_contact_gap is defined for them; for pairs that anybody made. */
bool picus_features_can_touch(const picus_shape *a, const picus_shape *b, feature_pair pair);

typedef struct contact_geometry {
  double gap;
  v3 normal;   /* unit, from a to b */
  v3 point[2]; /* on a and on b; point[1] - point[0] = gap normal */
  double
      radius[2]; /* around the cores: the feature of a has the distance radius[0] from point[0], against the normal */
} contact_geometry;

/* The gap between a pair of features at any pose near the one where the pair was found: the features are continued as
 * lines and planes. Smooth, as long as features of positive distance do not pass through each other. The velocity of
 * the gap is normal . (velocity of point[1] on b - velocity of point[0] on a). */
void picus_contact_gap(const picus_shape *a, const picus_shape *b, const picus_pose poses[2], feature_pair pair,
                       contact_geometry *out);

/* Two unit vectors that form a right-handed frame with the normal: normal, out[0], out[1]. Planar: out[0] = z x normal.
 * Spatial: a smooth function of the normal except at -(2, 3, 6) / 7. */
void picus_contact_tangents(bool planar, v3 normal, v3 out[2]);
/* How the tangents change with the normal; frame: normal and tangents. */
void picus_contact_turn_tangents(bool planar, const v3 frame[3], v3 change, v3 out[2]);

/* Contacts of one pair of shapes: the nearest or deepest pair of features, and others where faces or edges rest on each
 * other. */
enum { MANIFOLD_MOST = 4, MANIFOLD_PLANAR = 2, MANIFOLD_SURFACE = 32 };
typedef struct manifold {
  int count;
  feature_pair feature[MANIFOLD_SURFACE];
  contact_geometry contact[MANIFOLD_SURFACE];
} manifold;

/* Memory of the narrow phase, for the shapes of one collision. */
typedef struct narrow_space {
  v3 *vertices, *normals, *directions;
  double *offsets, *heights;
  int *marks[2], *list_vertices[2], *list_edges[2], *list_faces[2]; /* if there are large polyhedra */
} narrow_space;
typedef struct narrow_size {
  int vertices, faces, directions, edges;
} narrow_size; /* begins with zeros */
void picus_narrow_need(const picus_shape *shape, narrow_size *size);
picus_status picus_narrow_reserve(picus_context *context, const narrow_size *size, narrow_space *out);
void picus_narrow_release(picus_context *context, narrow_space *space);

typedef struct shape_pair {
  const picus_shape *a, *b;
  picus_pose poses[2];
  double margin; /* contacts with gap <= margin */
} shape_pair;
/* At most 2 contacts in the plane, 4 in space. The gap of the first one is the signed distance of the shapes. With a
 * surface: at most 32, the smallest gap first; those at the same place count once only if their features are the same.
 * Both shapes planar, or both spatial. Two half-spaces or surfaces, or one of each, have no contacts. */
void picus_narrow(const shape_pair *pair, const narrow_space *space, manifold *out);

/* --- bodies with shapes --------------------------------------------------------------------------------------- */

typedef struct picus_collider {
  const picus_shape *shape; /* shared by any number of colliders, alive as long as the collision */
  int body;                 /* index of its pose; PICUS_STATIC_BODY: at rest, frame is its pose */
  uint32_t id;              /* its name in keys and in the order of contacts; all different */
  picus_pose frame;         /* of the shape in the frame of the body */
  uint32_t groups, mask;    /* a and b may touch if a.groups & b.mask and b.groups & a.mask */
} picus_collider;
enum { PICUS_STATIC_BODY = -1 };

typedef struct picus_collision_def {
  const picus_collider *colliders;
  int collider_count, body_count;
  const int (*apart)[2]; /* pairs of bodies that never touch each other */
  int apart_count;
} picus_collision_def;

typedef struct picus_touch {
  uint64_t pair;    /* id of a, id of b; a is the smaller one */
  uint64_t feature; /* picus_feature_pack */
  int a, b;         /* colliders */
  contact_geometry geometry;
} picus_touch;
/* One number for a touch, different for different touches up to chance (1 in 1e19 per pair of touches). */
uint64_t picus_touch_key(const picus_touch *touch);
/* The number of a pair of colliders in its touches. */
static inline uint64_t picus_touch_pair(const picus_collider *a, const picus_collider *b) {
  return (uint64_t)a->id << 32 | b->id;
}

typedef struct picus_collision picus_collision;
picus_status picus_collision_create(picus_context *context, const picus_collision_def *def, picus_collision **out);
void picus_collision_destroy(picus_collision *collision);

typedef struct picus_touches {
  const picus_touch *at; /* sorted by pair, then by feature */
  int count;
  int pair_count; /* pairs whose boxes overlap, which the narrow phase looked at */
} picus_touches;  /* Lifetime: until the next detection */
/* All contacts with gap <= margin of a + margin of b of pairs whose boxes, with margins, overlap. margins has one
 * number for each body, static ones have 0. The result depends on the arguments only, to the last bit, and not on the
 * order of bodies and colliders except that touches name them by index. Allocates only when there are more pairs or
 * contacts than ever before. */
picus_status picus_collision_detect(picus_collision *collision, const picus_pose *poses, const double *margins,
                                    picus_touches *out);

/* --- broad phase ---------------------------------------------------------------------------------------------- */

typedef struct picus_pair {
  uint64_t ids; /* of the smaller id, of the larger id */
  int a, b;     /* the colliders in this order */
} picus_pair;

typedef struct broad_phase broad_phase;
picus_status picus_broad_create(picus_context *context, const picus_collision_def *def, broad_phase **out);
void picus_broad_destroy(broad_phase *broad);
typedef struct picus_pairs {
  const picus_pair *at; /* sorted by ids */
  int count;
} picus_pairs;
/* The pairs that may touch and whose bounds overlap. bounds: of each collider, with its margin. */
picus_status picus_broad_find(broad_phase *broad, const picus_bounds *bounds, picus_pairs *out);

#endif
