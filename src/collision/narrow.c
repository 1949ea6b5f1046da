/* Narrow phase: places the core of b in the frame of a, calls the file of the pair, and keeps the list of contacts.
 * Contacts of a half-space, with the lowest vertices of the other core, are found here. */
#include "collision/narrow.h"
#include "base/internal.h"

#include <math.h>

/* First: a is the half-space. */
static void narrow_half_space(const narrow_pair *pair, bool first, manifold *out) {
  const placed *plane = first ? &pair->a : &pair->b, *on = first ? &pair->b : &pair->a;
  const v3 normal = plane->normals[0];
  double lowest;
  int deepest = placed_lowest(on, normal, &lowest);
  const double distance = lowest - plane->offsets[0];
  if (distance > pair->reach) return;
  candidates list;
  picus_candidates_start(pair, distance, first ? normal : v3_minus(normal), &list);
  for (int k = 0; k < on->core->vertex_count; k++) {
    if (k != deepest && v3_dot(normal, on->vertices[k]) - plane->offsets[0] > pair->reach) continue;
    picus_feature face = a_face(0), point = a_vertex(k);
    picus_candidates_add(pair, first ? pair_of(face, point) : pair_of(point, face), &list);
  }
  picus_candidates_reduce(&list, pair->shapes->a->planar ? MANIFOLD_PLANAR : MANIFOLD_MOST, out);
}

void picus_narrow_need(const picus_shape *shape, narrow_size *size) {
  if (shape->core == CORE_SURFACE) return; /* its faces are placed one by one */
  size->vertices = picus_larger_int(size->vertices, shape->polytope.vertex_count);
  size->faces = picus_larger_int(size->faces, shape->polytope.face_count);
  size->directions = picus_larger_int(size->directions, shape->polytope.direction_count);
  size->edges = picus_larger_int(size->edges, shape->polytope.edge_count);
}

picus_status picus_narrow_reserve(picus_context *context, const narrow_size *size, narrow_space *out) {
  *out = (narrow_space){
      .vertices = picus_allocate(context, (size_t)size->vertices, sizeof *out->vertices),
      .normals = picus_allocate(context, (size_t)size->faces, sizeof *out->normals),
      .directions = picus_allocate(context, (size_t)size->directions, sizeof *out->directions),
      .offsets = picus_allocate(context, (size_t)size->faces, sizeof *out->offsets),
      .heights = picus_allocate(context, (size_t)size->faces, sizeof *out->heights),
  };
  bool good = out->vertices && out->normals && out->directions && out->offsets && out->heights;
  for (int k = 0; k < 2 && size->edges >= SEARCH_FEWEST_EDGES; k++) {
    out->marks[k] = picus_allocate(context, (size_t)size->vertices, sizeof **out->marks);
    out->list_vertices[k] = picus_allocate(context, (size_t)size->vertices, sizeof **out->list_vertices);
    out->list_edges[k] = picus_allocate(context, (size_t)size->edges, sizeof **out->list_edges);
    out->list_faces[k] = picus_allocate(context, (size_t)size->faces, sizeof **out->list_faces);
    good = good && out->marks[k] && out->list_vertices[k] && out->list_edges[k] && out->list_faces[k];
  }
  if (good) return PICUS_OK;
  picus_narrow_release(context, out);
  return PICUS_ERROR_MEMORY;
}

void picus_narrow_release(picus_context *context, narrow_space *space) {
  picus_release(context, space->vertices);
  picus_release(context, space->normals);
  picus_release(context, space->directions);
  picus_release(context, space->offsets);
  picus_release(context, space->heights);
  for (int k = 0; k < 2; k++) {
    picus_release(context, space->marks[k]);
    picus_release(context, space->list_vertices[k]);
    picus_release(context, space->list_edges[k]);
    picus_release(context, space->list_faces[k]);
  }
  *space = (narrow_space){0};
}

static placed at_home(const polytope *core) {
  return (placed){core, core->vertices, core->normals, core->directions, core->offsets};
}

placed picus_place_core(const polytope *core, const picus_pose *relative, const narrow_space *space) {
  for (int k = 0; k < core->vertex_count; k++) space->vertices[k] = pose_point(relative, core->vertices[k]);
  for (int k = 0; k < core->face_count; k++) {
    space->normals[k] = pose_direction(relative, core->normals[k]);
    space->offsets[k] = core->offsets[k] + v3_dot(space->normals[k], relative->origin);
  }
  for (int k = 0; k < core->direction_count; k++) space->directions[k] = pose_direction(relative, core->directions[k]);
  return (placed){core, space->vertices, space->normals, space->directions, space->offsets};
}

/* Spheres or disks with each other, or with a half-space: nothing to search. */
static picus_feature only_feature(const picus_shape *shape) {
  return shape->core == CORE_HALF_SPACE ? a_face(0) : a_vertex(0);
}

static bool has_only_feature(const picus_shape *shape) { return shape->is_ball || shape->core == CORE_HALF_SPACE; }

static void collide_points(const shape_pair *shapes, manifold *out) {
  const picus_shape *a = shapes->a, *b = shapes->b;
  out->feature[0] = pair_of(only_feature(a), only_feature(b));
  picus_contact_gap(a, b, shapes->poses, out->feature[0], &out->contact[0]);
  out->count = out->contact[0].gap <= shapes->margin;
}

static double size_of(const picus_shape *shape) {
  return shape->core == CORE_HALF_SPACE ? 0 : shape->bound + shape->radius;
}

/* The length whose round-off is that of the pair: small shapes far from each other have the one of their distance. */
static double scale_of(const shape_pair *shapes) {
  const double sizes = size_of(shapes->a) + size_of(shapes->b);
  if (shapes->a->core == CORE_HALF_SPACE || shapes->b->core == CORE_HALF_SPACE) return sizes;
  const v3 here = pose_point(&shapes->poses[0], shapes->a->centre),
           there = pose_point(&shapes->poses[1], shapes->b->centre);
  return fmax(sizes, v3_length(v3_sub(there, here)));
}

static void collide_cores(const shape_pair *shapes, const narrow_space *space, manifold *out) {
  const picus_shape *a = shapes->a, *b = shapes->b;
  const bool ground_a = a->core == CORE_HALF_SPACE, ground_b = b->core == CORE_HALF_SPACE;
  const picus_pose relative = pose_relative(&shapes->poses[0], &shapes->poses[1]);
  const narrow_pair pair = {
      .shapes = shapes,
      .a = at_home(&a->polytope),
      .b = picus_place_core(&b->polytope, &relative, space),
      .heights = space->heights,
      .marks = {space->marks[0], space->marks[1]},
      .lists = {{.vertices = space->list_vertices[0], .edges = space->list_edges[0], .faces = space->list_faces[0]},
                {.vertices = space->list_vertices[1], .edges = space->list_edges[1], .faces = space->list_faces[1]}},
      .scale = scale_of(shapes),
      .reach = shapes->margin + a->radius + b->radius};
  if (ground_a || ground_b)
    narrow_half_space(&pair, ground_a, out);
  else if (a->planar)
    picus_narrow_planar(&pair, out);
  else
    picus_narrow_spatial(&pair, out);
}

static bool is_surface(const picus_shape *shape) { return shape->core == CORE_SURFACE; }
static bool is_ellipsoid(const picus_shape *shape) { return shape->core == CORE_ELLIPSOID; }
static bool is_cylinder(const picus_shape *shape) { return shape->core == CORE_CYLINDER; }
static bool is_open(const picus_shape *shape) { return shape->core == CORE_HALF_SPACE || is_surface(shape); }

void picus_narrow(const shape_pair *shapes, const narrow_space *space, manifold *out) {
  const picus_shape *a = shapes->a, *b = shapes->b;
  out->count = 0;
  if (is_open(a) && is_open(b)) return;
  if (is_surface(a) || is_surface(b)) {
    picus_narrow_surface(shapes, is_surface(a), space, out);
  } else if (is_cylinder(a) || is_cylinder(b) || is_ellipsoid(a) || is_ellipsoid(b)) {
    const narrow_pair pair = {
        .shapes = shapes, .scale = scale_of(shapes), .reach = shapes->margin + a->radius + b->radius};
    if (is_ellipsoid(a) || is_ellipsoid(b))
      picus_narrow_ellipsoid(&pair, is_ellipsoid(a), space, out);
    else
      picus_narrow_cylinder(&pair, is_cylinder(a), space, out);
  } else if (has_only_feature(a) && has_only_feature(b)) {
    collide_points(shapes, out);
  } else {
    collide_cores(shapes, space, out);
  }
}
