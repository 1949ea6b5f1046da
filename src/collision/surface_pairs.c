/* Contacts of a surface with a convex shape. Faces that continue each other in one plane count as one. A vertex of the
 * shape touches each face over which it lies; behind the
 * surface, those faces that are about as near as the nearest one. Edges and corners of the
 * surface that stick out touch as those of polytopes do, face by face. */
#include "shape/surface.h"

#include "collision/curved.h"
#include "collision/narrow.h"

typedef struct search {
  const shape_pair *shapes;
  const picus_shape *surface;
  bool is_a;           /* the surface is a */
  picus_pose relative; /* of b as seen from a */
  bool moved;          /* everything is in the frame of the convex shape: relative is the pose of the surface in it */
  placed other;        /* the convex core in this frame, if it has corners */
  const picus_shape *round; /* or a cylinder or an ellipsoid; NULL: it has corners */
  narrow_pair pair;
  picus_feature mine; /* the vertex or point of a rim whose faces are searched, and its place */
  v3 place;
  double nearest; /* its distance from the surface */
  bool behind;    /* it lies behind the surface */
  const picus_bounds *box;
  manifold *out;
} search;

/* --- list of contacts ------------------------------------------------------------------------------------------- */

/* The smallest gaps stay; equal features count once. */
static void keep(search *s, feature_pair feature, const contact_geometry *contact) {
  manifold *m = s->out;
  const uint64_t key = picus_feature_pack(feature);
  int worst = 0;
  for (int k = 0; k < m->count; k++) {
    if (picus_feature_pack(m->feature[k]) == key) return;
    if (m->contact[k].gap > m->contact[worst].gap) worst = k;
  }
  int at = m->count;
  if (m->count < MANIFOLD_SURFACE)
    m->count++;
  else if (contact->gap < m->contact[worst].gap)
    at = worst;
  else
    return;
  m->feature[at] = feature;
  m->contact[at] = *contact;
}

static void put_smallest_first(manifold *m) {
  int best = 0;
  for (int k = 1; k < m->count; k++)
    if (m->contact[k].gap < m->contact[best].gap) best = k;
  if (!best) return;
  const feature_pair feature = m->feature[0];
  const contact_geometry contact = m->contact[0];
  m->feature[0] = m->feature[best];
  m->contact[0] = m->contact[best];
  m->feature[best] = feature;
  m->contact[best] = contact;
}

/* --- faces ------------------------------------------------------------------------------------------------------ */

static v3 surface_point(const search *s, int vertex) {
  v3 x = s->surface->polytope.vertices[vertex];
  return s->moved ? pose_point(&s->relative, x) : x;
}
static v3 surface_direction(const search *s, v3 d) { return s->moved ? pose_direction(&s->relative, d) : d; }

/* Distance of the vertex from a face, if it lies before or behind the face and not beside it. */
static bool face_distance(const search *s, int face, double *distance) {
  const polytope *p = &s->surface->polytope;
  const int *loop = p->loops + p->faces[face].first, count = p->faces[face].count;
  const v3 n = surface_direction(s, p->normals[face]), v = s->place;
  const double same = narrow_same_place * s->pair.scale;
  *distance = v3_dot(n, v3_sub(v, surface_point(s, loop[0])));
  if (*distance > s->pair.reach) return false;
  for (int k = 0; k < count; k++) {
    const v3 from = surface_point(s, loop[k]), along = v3_unit(v3_sub(surface_point(s, loop[(k + 1) % count]), from));
    /* planar faces run from right to left: beyond the end in the direction of `along` is outside */
    const v3 out = count == 2 ? v3_minus(along) : v3_cross(along, n);
    if (v3_dot(out, v3_sub(v, from)) > same) return false;
  }
  return true;
}

/* Distance from a side of a face, and whether the vertex lies behind it or behind its end. */
static double side_distance(const search *s, int face, int k, bool *behind) {
  const polytope *p = &s->surface->polytope;
  const int *loop = p->loops + p->faces[face].first, count = p->faces[face].count, next = (k + 1) % count;
  const v3 from = surface_point(s, loop[k]), along = v3_sub(surface_point(s, loop[next]), from);
  const v3 d = v3_sub(s->place, from);
  const double place = v3_dot(d, along) / v3_square(along);
  const v3 rest = v3_along(d, place <= 0 ? 0 : place >= 1 ? -1 : -place, along);
  v3 outward = p->normals[face];
  if (place <= 0 || place >= 1)
    outward = s->surface->surface->vertex_normal[loop[place <= 0 ? k : next]];
  else if (count == 3)
    outward = p->edges[s->surface->surface->face_edges[3 * face + k]].outward;
  *behind = v3_dot(surface_direction(s, outward), rest) < 0;
  return v3_length(rest);
}

/* Whether the vertex lies before or behind the surface is told by its nearest point. */
static void find_nearest(void *user, int face) {
  search *s = user;
  double distance;
  if (face_distance(s, face, &distance)) {
    if (!(fabs(distance) < s->nearest)) return;
    s->nearest = fabs(distance);
    s->behind = distance < 0;
    return;
  }
  const int sides = s->surface->planar ? 1 : 3;
  for (int k = 0; k < sides; k++) {
    bool behind;
    distance = side_distance(s, face, k, &behind);
    if (!(distance < s->nearest)) continue;
    s->nearest = distance;
    s->behind = behind;
  }
}

static void add_face(void *user, int face) {
  search *s = user;
  double distance;
  if (!face_distance(s, face, &distance)) return;
  /* a vertex before the surface is not behind any face; one behind it came in through the nearest faces */
  if (distance < 0 && !(s->behind && -distance <= 4 * s->nearest + s->shapes->margin)) return;
  const picus_feature mine = s->mine, theirs = a_face(s->surface->surface->plane[face]);
  const feature_pair feature = s->is_a ? pair_of(theirs, mine) : pair_of(mine, theirs);
  contact_geometry contact;
  picus_contact_gap(s->shapes->a, s->shapes->b, s->shapes->poses, feature, &contact);
  if (contact.gap <= s->shapes->margin) keep(s, feature, &contact);
}

static void search_faces(search *s, picus_feature mine, v3 place) {
  s->mine = mine;
  s->place = place;
  s->nearest = INFINITY;
  s->behind = false;
  picus_surface_visit(s->surface, s->box, find_nearest, s);
  picus_surface_visit(s->surface, s->box, add_face, s);
}

/* The lowest points of the rims, or of an ellipsoid, over a face. */
static void add_lowest(void *user, int face) {
  search *s = user;
  const v3 down = v3_minus(surface_direction(s, s->surface->polytope.normals[face]));
  const bool has_rims = s->round->core == CORE_CYLINDER;
  for (int end = 0; end < (has_rims ? 2 : 1); end++) {
    double distance;
    s->mine = has_rims ? picus_lowest_of_rim(end, down) : a_side();
    s->place = has_rims ? picus_rim_point(s->round, s->mine.index, down) : picus_ellipsoid_point(s->round, down);
    if (!face_distance(s, face, &distance)) continue;
    s->nearest = INFINITY;
    s->behind = false;
    picus_surface_visit(s->surface, s->box, find_nearest, s);
    add_face(s, face);
  }
}

/* --- edges and corners ------------------------------------------------------------------------------------------ */

/* One face of a surface as a core of its own, with the numbers that its features have in the surface. */
static void make_element(const search *s, int face, surface_element *e) {
  const polytope *p = &s->surface->polytope;
  const int *loop = p->loops + p->faces[face].first, count = p->faces[face].count;
  e->surface = s->surface;
  e->is_a = s->is_a;
  e->face = s->surface->surface->plane[face];
  for (int k = 0; k < count; k++) {
    e->vertex[k] = loop[k];
    e->vertices[k] = surface_point(s, loop[k]);
    e->loops[k] = k;
    e->loops[2 * count - 1 - k] = k;
    if (s->surface->planar) continue;
    e->edge[k] = s->surface->surface->face_edges[3 * face + k];
    e->edges[k] = (polytope_edge){{k, (k + 1) % 3}, {0, -1}, k, surface_direction(s, p->edges[e->edge[k]].outward)};
    e->directions[k] = surface_direction(s, p->directions[e->edge[k]]);
  }
  for (int side = 0; side < 2; side++) {
    const v3 n = surface_direction(s, p->normals[face]);
    e->faces[side] = (polytope_face){side * count, count};
    e->normals[side] = side ? v3_minus(n) : n;
    e->offsets[side] = v3_dot(e->normals[side], e->vertices[0]);
  }
  const int edges = s->surface->planar ? 0 : 3;
  e->core = (polytope){.vertex_count = count,
                       .edge_count = edges,
                       .face_count = 2,
                       .direction_count = edges,
                       .loop_count = 2 * count,
                       .vertices = e->vertices,
                       .normals = e->normals,
                       .offsets = e->offsets,
                       .edges = e->edges,
                       .faces = e->faces,
                       .loops = e->loops,
                       .directions = e->directions};
}

static void add_rims(void *user, int face) {
  search *s = user;
  surface_element e;
  make_element(s, face, &e);
  const placed element = {&e.core, e.vertices, e.normals, e.directions, e.offsets};
  narrow_pair pair = s->pair;
  manifold found;
  found.count = 0;
  pair.element = &e;
  pair.a = s->is_a ? element : s->other;
  pair.b = s->is_a ? s->other : element;
  if (s->round && s->round->core == CORE_CYLINDER)
    picus_narrow_cylinder_with(&pair, !s->is_a, &element, &found);
  else if (s->round)
    picus_narrow_ellipsoid_with(&pair, !s->is_a, &element, &found);
  else if (s->surface->planar)
    picus_narrow_planar(&pair, &found);
  else
    picus_narrow_spatial(&pair, &found);
  for (int k = 0; k < found.count; k++) keep(s, found.feature[k], &found.contact[k]);
}

/* --- search ------------------------------------------------------------------------------------------------------ */

static placed place_core(const search *s, const polytope *core, const narrow_space *space) {
  if (s->is_a) return picus_place_core(core, &s->relative, space);
  return (placed){core, core->vertices, core->normals, core->directions, core->offsets};
}

void picus_narrow_surface(const shape_pair *shapes, bool is_a, const narrow_space *space, manifold *out) {
  search s = {.shapes = shapes, .is_a = is_a, .surface = is_a ? shapes->a : shapes->b, .out = out};
  const picus_shape *convex = is_a ? shapes->b : shapes->a;
  if (convex->core == CORE_HALF_SPACE) return;
  s.round = convex->core == CORE_CYLINDER || convex->core == CORE_ELLIPSOID ? convex : NULL;
  s.moved = s.round || !is_a;
  s.relative = pose_relative(&shapes->poses[s.round ? is_a : 0], &shapes->poses[s.round ? !is_a : 1]);
  if (!s.round) s.other = place_core(&s, &convex->polytope, space);
  s.pair.shapes = shapes;
  s.pair.scale = s.surface->bound + convex->bound + convex->radius;
  s.pair.reach = shapes->margin + shapes->a->radius + shapes->b->radius;
  const picus_pose inside = pose_relative(&shapes->poses[is_a ? 0 : 1], &shapes->poses[is_a ? 1 : 0]);
  picus_bounds box = picus_shape_bounds(convex, &inside);
  for (int d = 0; d < 3; d++) {
    box.low[d] -= shapes->margin + s.surface->radius;
    box.high[d] += shapes->margin + s.surface->radius;
  }
  s.box = &box;
  for (int k = 0; !s.round && k < convex->polytope.vertex_count; k++)
    search_faces(&s, a_vertex(k), s.other.vertices[k]);
  for (int k = RIM_FIXED; k <= RIM_FIXED_LAST && convex->core == CORE_CYLINDER; k++)
    for (int end = 0; end < 2; end++)
      search_faces(&s, a_rim(end, k), picus_rim_point(s.round, a_rim(end, k).index, (v3){0, 0, 0}));
  if (s.round) picus_surface_visit(s.surface, &box, add_lowest, &s);
  picus_surface_visit(s.surface, &box, add_rims, &s);
  put_smallest_first(out);
}
