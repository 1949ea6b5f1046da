/* What the files of the narrow phase share: two cores in the frame of the first one, and the list of contacts. */
#ifndef PICUS_COLLISION_NARROW_H
#define PICUS_COLLISION_NARROW_H

#include "collision/internal.h"

/* A core as seen from the frame of a. */
typedef struct placed {
  const polytope *core;
  const v3 *vertices, *normals, *directions;
  const double *offsets;
} placed;

/* One face of a surface, as a core of its own: face 0, and face 1 for its back, where nothing touches. */
typedef struct surface_element {
  const picus_shape *surface;
  bool is_a;
  int vertex[3], edge[3], face; /* numbers in the surface of its own vertices 0, 1, 2, its edges 0, 1, 2 and its face */
  polytope core;
  polytope_edge edges[3];
  polytope_face faces[2];
  v3 vertices[3], normals[2], directions[3];
  double offsets[2];
  int loops[6];
} surface_element;

/* Numbers of vertices, edges and faces of a core. */
typedef struct feature_list {
  int *vertices, *edges, *faces;
  int vertex_count, edge_count, face_count;
} feature_list;

typedef struct narrow_pair {
  const shape_pair *shapes;
  placed a, b;
  const surface_element *element; /* NULL: whole shapes */
  double *heights;                /* room for a number for each face of b */
  int *marks[2];                  /* of large cores: a number for each vertex, all zero; NULL: not available */
  feature_list lists[2];          /* room for their features */
  double scale;                   /* of the pair: lengths below 1e-13 scale are round-off */
  double reach;                   /* largest distance of the cores that gives a contact */
} narrow_pair;

/* Distances that differ by less than this, times the scale, are equal. */
static const double narrow_round_off = 1e-13;
/* Points this close to each other, times the scale, are one contact; points this far outside of a face are inside. */
static const double narrow_same_place = 1e-7;
/* Contacts at one place whose gaps differ by less than this, times the scale, are equal: the first stays. Vertices and
 * faces come before edges, so that bodies at rest keep their features although round-off tilts them. */
static const double narrow_same_height = 1e-9;
/* The gap of the first contact is the signed distance up to this, times the scale. */
static const double narrow_same_depth = 5e-13;
/* Cosine of the angle by which the normal of a further contact may differ from that of the signed distance. */
static const double narrow_aligned = 0.9;

/* Possible contacts of a pair: where its cores lie on each other. */
enum { CANDIDATES_MOST = 64 };
typedef struct candidates {
  double gap, scale;
  v3 normal; /* of the signed distance, in the frame of the poses */
  int count;
  feature_pair feature[CANDIDATES_MOST];
  contact_geometry contact[CANDIDATES_MOST];
} candidates;
/* The contact of two features. */
void picus_pair_gap(const narrow_pair *pair, feature_pair feature, contact_geometry *out);
/* distance: the signed distance of the cores; normal: its direction, in the frame of a. */
void picus_candidates_start(const narrow_pair *pair, double distance, v3 normal, candidates *out);
/* Adds the contact of two features unless its place is there already, or it is too far away or has another direction.
 */
void picus_candidates_add(const narrow_pair *pair, feature_pair feature, candidates *out);
/* At most `most` of them, spread as far as possible, first the one whose gap is the signed distance. */
void picus_candidates_reduce(const candidates *list, int most, manifold *out);
/* How far the nearest candidate is from the signed distance, m; INFINITY: there are none. */
double picus_candidates_distance(const candidates *list);

/* The vertex farthest along a direction, by steps to better neighbours from a first one. */
static inline int placed_climb(const placed *p, v3 n, int from, double *value) {
  const polytope *core = p->core;
  *value = v3_dot(n, p->vertices[from]);
  for (int best = from;; from = best) {
    for (int k = core->star[from]; k < core->star[from + 1]; k++) {
      const polytope_edge *e = &core->edges[core->star_edges[k]];
      const int other = e->vertex[e->vertex[0] == from];
      const double here = v3_dot(n, p->vertices[other]);
      if (here <= *value) continue;
      *value = here;
      best = other;
    }
    if (best == from) return best;
  }
}
/* Cores with more vertices are climbed. */
enum { PLACED_FEW = 40 };
static inline bool placed_is_large(const placed *p) { return p->core->vertex_count > PLACED_FEW && p->core->star; }

/* The extent of a core along a direction. */
typedef struct extent {
  double low, high;
} extent;
static inline extent placed_extent(const placed *p, v3 n) {
  if (placed_is_large(p)) {
    extent far;
    placed_climb(p, n, 0, &far.high);
    placed_climb(p, v3_minus(n), 0, &far.low);
    far.low = -far.low;
    return far;
  }
  double first = v3_dot(n, p->vertices[0]);
  extent e = {first, first};
  for (int k = 1; k < p->core->vertex_count; k++) {
    double value = v3_dot(n, p->vertices[k]);
    if (value < e.low) e.low = value;
    if (value > e.high) e.high = value;
  }
  return e;
}
static inline int placed_lowest(const placed *p, v3 n, double *value) {
  if (placed_is_large(p)) {
    const int far = placed_climb(p, v3_minus(n), 0, value);
    *value = -*value;
    return far;
  }
  int lowest = 0;
  *value = v3_dot(n, p->vertices[0]);
  for (int k = 1; k < p->core->vertex_count; k++) {
    double next = v3_dot(n, p->vertices[k]);
    if (next < *value) {
      *value = next;
      lowest = k;
    }
  }
  return lowest;
}
/* The face whose normal is nearest to n; -1 without faces. */
static inline int placed_face_along(const placed *p, v3 n) {
  int best = -1;
  double largest = -2;
  if (placed_is_large(p)) { /* one of those at the extreme vertex */
    const polytope *core = p->core;
    double value;
    const int top = placed_climb(p, n, 0, &value);
    for (int k = core->star[top]; k < core->star[top + 1]; k++)
      for (int side = 0; side < 2; side++) {
        const int f = core->edges[core->star_edges[k]].face[side];
        const double here = v3_dot(n, p->normals[f]);
        if (here > largest) {
          largest = here;
          best = f;
        }
      }
    return best;
  }
  for (int f = 0; f < p->core->face_count; f++) {
    double value = v3_dot(n, p->normals[f]);
    if (value > largest) {
      largest = value;
      best = f;
    }
  }
  return best;
}

static inline feature_pair pair_of(picus_feature a, picus_feature b) { return (feature_pair){a, b}; }
static inline picus_feature a_vertex(int k) { return (picus_feature){FEATURE_VERTEX, k}; }
static inline picus_feature an_edge(int k) { return (picus_feature){FEATURE_EDGE, k}; }
static inline picus_feature a_face(int k) { return (picus_feature){FEATURE_FACE, k}; }

/* Distance, unit vector and nearest points of two features of cores, from the first one to the second one. */
typedef struct nearest_points {
  double distance;
  v3 normal, point[2];
} nearest_points;
/* From a feature f.a of a cylinder, in its frame, to a feature f.b of another shape. */
nearest_points picus_cylinder_nearest(const picus_shape *cylinder, const picus_shape *other, const picus_pose *relative,
                                      feature_pair f);
/* first: a is the cylinder. */
void picus_narrow_cylinder(const narrow_pair *pair, bool first, const narrow_space *space, manifold *out);
/* The other core is given in the frame of the cylinder. */
void picus_narrow_cylinder_with(const narrow_pair *pair, bool first, const placed *other, manifold *out);

/* Of an ellipsoid, likewise. */
void picus_narrow_ellipsoid(const narrow_pair *pair, bool first, const narrow_space *space, manifold *out);
void picus_narrow_ellipsoid_with(const narrow_pair *pair, bool first, const placed *other, manifold *out);

/* Unit vector perpendicular to two unit vectors, exact also where they are almost parallel; zero if they are parallel.
 */
v3 picus_perpendicular_to(v3 a, v3 b);

void picus_narrow_planar(const narrow_pair *pair, manifold *out);
void picus_narrow_spatial(const narrow_pair *pair, manifold *out);
/* is_a: the surface is a. */
void picus_narrow_surface(const shape_pair *shapes, bool is_a, const narrow_space *space, manifold *out);
placed picus_place_core(const polytope *core, const picus_pose *relative, const narrow_space *space);

/* Cores with fewer edges are compared edge by edge, without the memory of a search. */
enum { SEARCH_FEWEST_EDGES = 64 };

/* --- the direction of largest separation -------------------------------------------------------------------------- */

typedef enum axis_kind { AXIS_NONE, AXIS_FACE_A, AXIS_FACE_B, AXIS_EDGES, AXIS_NEAREST } axis_kind;
typedef struct separating_axis {
  axis_kind kind;
  double value;         /* signed distance of the cores; if beyond the reach, a lower bound of it */
  v3 normal;            /* from a to b, in the frame of a */
  feature_pair feature; /* features that it belongs to */
} separating_axis;
separating_axis picus_find_axis(const narrow_pair *pair);

/* How far a point lies outside of a face, seen along the normal of the face; negative inside. */
double picus_outside_face(const placed *p, int face, v3 point);

#endif
