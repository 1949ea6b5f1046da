/* Shapes: what each kind needs, what is wrong with a definition, the core with its radius, and the box around it. */
#include "base/elementary.h"
#include "base/internal.h"
#include "shape/polytope.h"
#include "shape/surface.h"

#include <math.h>

typedef enum needed { NEEDS_RADIUS = 1, NEEDS_POINTS = 2 } needed;

static const struct {
  const char *name;
  int sizes; /* how many entries of size count */
  unsigned needs;
  int space; /* 2: planar, 3: spatial, 0: as the definition says */
} kinds[PICUS_SHAPE_KINDS] = {
    [PICUS_SHAPE_DISK] = {"disk", 0, NEEDS_RADIUS, 2},
    [PICUS_SHAPE_SPHERE] = {"sphere", 0, NEEDS_RADIUS, 3},
    [PICUS_SHAPE_HALF_SPACE] = {"half-space", 0, 0, 0},
    [PICUS_SHAPE_SEGMENT] = {"segment", 1, 0, 0},
    [PICUS_SHAPE_CAPSULE] = {"capsule", 1, NEEDS_RADIUS, 0},
    [PICUS_SHAPE_RECTANGLE] = {"rectangle", 2, 0, 2},
    [PICUS_SHAPE_BOX] = {"box", 3, 0, 3},
    [PICUS_SHAPE_POLYGON] = {"polygon", 0, NEEDS_POINTS, 2},
    [PICUS_SHAPE_POLYHEDRON] = {"polyhedron", 0, NEEDS_POINTS, 3},
    [PICUS_SHAPE_CYLINDER] = {"cylinder", 1, NEEDS_RADIUS, 3},
    [PICUS_SHAPE_POLYLINE] = {"polyline", 0, NEEDS_POINTS, 2},
    [PICUS_SHAPE_MESH] = {"mesh", 0, NEEDS_POINTS, 3},
    [PICUS_SHAPE_ELLIPSOID] = {"ellipsoid", 3, 0, 3},
};

/* Lengths beyond these have squares that overflow or underflow. */
static const double shortest = 1e-100, longest = 1e100;
/* Radii of an ellipsoid that differ by more leave its curvature to round-off. */
static const double widest = 1e4;
/* A hull thinner than this part of its length is flat: its normals would be round-off. */
static const double flatness = 1e-10;
enum { MOST_POINTS = 1 << 20 };

const char *picus_shape_kind_name(picus_shape_kind kind) { return kinds[kind].name; }
const char *picus_shape_kind_article(picus_shape_kind kind) { return kind == PICUS_SHAPE_ELLIPSOID ? "an" : "a"; }

static picus_status check_length(picus_context *context, const picus_shape_def *def, const char *what, double value) {
  if (value >= shortest && value <= longest) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT, "%s %s needs a %s between %g and %g, not %g",
                    picus_shape_kind_article(def->kind), kinds[def->kind].name, what, shortest, longest, value);
}

static picus_status check_points(picus_context *context, const picus_shape_def *def, bool planar) {
  const char *name = kinds[def->kind].name;
  const int fewest = def->kind == PICUS_SHAPE_POLYLINE ? 2 : def->kind == PICUS_SHAPE_POLYHEDRON ? 4 : 3;
  if (!def->points || def->point_count < fewest || def->point_count > MOST_POINTS)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a %s needs %d to %d points, not %d", name, fewest, MOST_POINTS,
                      def->points ? def->point_count : 0);
  for (int k = 0; k < def->point_count; k++) {
    const double *p = def->points + 3 * (size_t)k;
    if (!(fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) <= longest) || !picus_all_finite(p, 3))
      return picus_fail(context, PICUS_ERROR_NUMBER, "point %d of the %s is (%g, %g, %g); give numbers below %g", k + 1,
                        name, p[0], p[1], p[2], longest);
    if (planar && p[2] != 0)
      return picus_fail(context, PICUS_ERROR_ARGUMENT, "point %d of the %s has z = %g; planar points have z = 0", k + 1,
                        name, p[2]);
  }
  return PICUS_OK;
}

static picus_status check_radii(picus_context *context, const picus_shape_def *def) {
  const double *r = def->size, least = fmin(r[0], fmin(r[1], r[2])), largest = fmax(r[0], fmax(r[1], r[2]));
  if (def->radius != 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "an ellipsoid cannot be rounded; leave out the radius %g",
                      def->radius);
  if (largest <= widest * least) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the radii of an ellipsoid are %g, %g and %g; they may differ by a factor of at most %g", r[0],
                    r[1], r[2], widest);
}

static picus_status check(picus_context *context, const picus_shape_def *def, bool planar) {
  static const char *const sizes[4][3] = {{"length"},
                                          {"width", "height"},
                                          {"size in x", "size in y", "size in z"},
                                          {"radius along x", "radius along y", "radius along z"}};
  const bool by_radii = def->kind == PICUS_SHAPE_ELLIPSOID;
  picus_status status = PICUS_OK;
  int count = kinds[def->kind].sizes;
  for (int k = 0; k < count && !status; k++)
    status = check_length(context, def, sizes[by_radii ? 3 : count - 1][k], def->size[k]);
  if (!status && by_radii) status = check_radii(context, def);
  if (!status && kinds[def->kind].needs & NEEDS_RADIUS) status = check_length(context, def, "radius", def->radius);
  if (!status && kinds[def->kind].needs & NEEDS_POINTS) status = check_points(context, def, planar);
  const double rounding = def->kind == PICUS_SHAPE_CYLINDER ? def->rounding : def->radius;
  if (!status && !(rounding >= 0 && rounding <= longest))
    status = picus_fail(context, PICUS_ERROR_ARGUMENT, "a %s cannot be rounded by the radius %g; 0 leaves it sharp",
                        kinds[def->kind].name, rounding);
  return status;
}

static picus_status hull_of(picus_context *context, v3 *points, int count, polytope *out) {
  double length = 0;
  for (int k = 0; k < count; k++) length = fmax(length, v3_length(v3_sub(points[k], points[0])));
  int corners = picus_hull_planar(points, count, flatness * length, points + count);
  if (corners >= 3) return picus_polytope_polygon(context, points + count, corners, out);
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the %d points of the polygon lie on one line; a segment or capsule has that shape", count);
}

static picus_status build_hull(picus_context *context, const picus_shape_def *def, bool planar, polytope *out) {
  const size_t count = (size_t)def->point_count;
  v3 *points = picus_allocate(context, 2 * count + 1, sizeof *points);
  if (!points) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++)
    points[k] = (v3){def->points[3 * k], def->points[3 * k + 1], def->points[3 * k + 2]};
  picus_status status = planar ? hull_of(context, points, def->point_count, out)
                               : picus_polytope_hull(context, points, def->point_count, flatness, out);
  picus_release(context, points);
  return status;
}

/* The core of each kind of shape, from its sizes and points. */
static picus_status build_core(picus_context *context, const picus_shape_def *def, picus_shape *shape) {
  polytope *core = &shape->polytope;
  const double x = def->size[0] / 2, y = def->size[1] / 2, z = def->size[2] / 2;
  const v3 ends[2] = {shape->planar ? (v3){-x, 0, 0} : (v3){0, 0, -x}, shape->planar ? (v3){x, 0, 0} : (v3){0, 0, x}};
  switch (def->kind) {
  case PICUS_SHAPE_HALF_SPACE:
    return picus_polytope_half_space(context, shape->planar ? (v3){0, 1, 0} : (v3){0, 0, 1}, core);
  case PICUS_SHAPE_SEGMENT:
  case PICUS_SHAPE_CAPSULE:
    return shape->planar ? picus_polytope_polygon(context, ends, 2, core)
                         : picus_polytope_points(context, ends, 2, core);
  case PICUS_SHAPE_RECTANGLE:
    return picus_polytope_polygon(context, (v3[4]){{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}}, 4, core);
  case PICUS_SHAPE_BOX:
    return picus_polytope_box(context, (v3){x, y, z}, core);
  case PICUS_SHAPE_POLYGON:
  case PICUS_SHAPE_POLYHEDRON:
    return build_hull(context, def, shape->planar, core);
  case PICUS_SHAPE_CYLINDER:
    shape->half_length = x;
    shape->core_radius = def->radius;
    shape->radius = def->rounding;
    return PICUS_OK;
  case PICUS_SHAPE_ELLIPSOID:
    shape->radii = (v3){def->size[0], def->size[1], def->size[2]};
    return PICUS_OK;
  case PICUS_SHAPE_POLYLINE:
  case PICUS_SHAPE_MESH:
    return picus_surface_create(context, def, shape);
  default:
    return picus_polytope_points(context, &(v3){0, 0, 0}, 1, core);
  }
}

static void find_bound(picus_shape *shape) {
  const polytope *core = &shape->polytope;
  if (shape->core == CORE_HALF_SPACE) {
    shape->bound = INFINITY;
    return;
  }
  if (shape->core == CORE_CYLINDER) {
    shape->bound = picus_hypot(shape->half_length, shape->core_radius);
    return;
  }
  if (shape->core == CORE_ELLIPSOID) {
    shape->bound = fmax(shape->radii.x, fmax(shape->radii.y, shape->radii.z));
    return;
  }
  v3 low = core->vertices[0], high = low;
  shape->is_ball = core->vertex_count == 1 && v3_square(low) == 0;
  for (int k = 1; k < core->vertex_count; k++) {
    v3 v = core->vertices[k];
    low = (v3){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
    high = (v3){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
  }
  shape->centre = v3_middle(low, high);
  for (int k = 0; k < core->vertex_count; k++)
    shape->bound = fmax(shape->bound, v3_length(v3_sub(core->vertices[k], shape->centre)));
}

picus_status picus_shape_create(picus_context *context, const picus_shape_def *def, picus_shape *out) {
  *out = (picus_shape){.kind = def->kind, .radius = def->radius};
  if ((unsigned)def->kind >= PICUS_SHAPE_KINDS)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "there is no shape of kind %d", (int)def->kind);
  const int space = kinds[def->kind].space;
  out->planar = space ? space == 2 : def->planar;
  if (def->kind == PICUS_SHAPE_HALF_SPACE) out->core = CORE_HALF_SPACE;
  if (def->kind == PICUS_SHAPE_CYLINDER) out->core = CORE_CYLINDER;
  if (def->kind == PICUS_SHAPE_ELLIPSOID) out->core = CORE_ELLIPSOID;
  if (def->kind == PICUS_SHAPE_POLYLINE || def->kind == PICUS_SHAPE_MESH) out->core = CORE_SURFACE;
  picus_status status = check(context, def, out->planar);
  if (!status) status = build_core(context, def, out);
  if (status) {
    picus_shape_release(context, out);
    return status;
  }
  find_bound(out);
  return PICUS_OK;
}

void picus_shape_release(picus_context *context, picus_shape *shape) {
  picus_polytope_release(context, &shape->polytope);
  picus_surface_release(context, shape->surface);
  *shape = (picus_shape){0};
}

/* --- bounding boxes ----------------------------------------------------------------------------------------------- */

static picus_bounds everything(void) {
  return (picus_bounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

static picus_bounds around_cylinder(const picus_shape *shape, const picus_pose *pose) {
  const double x[3] = {pose->origin.x, pose->origin.y, pose->origin.z};
  const double axis[3] = {pose->axis[2].x, pose->axis[2].y, pose->axis[2].z};
  picus_bounds b;
  for (int d = 0; d < 3; d++) {
    const double across = 1 - axis[d] * axis[d];
    const double half =
        shape->half_length * fabs(axis[d]) + shape->core_radius * sqrt(across > 0 ? across : 0) + shape->radius;
    b.low[d] = x[d] - half;
    b.high[d] = x[d] + half;
  }
  return b;
}

static picus_bounds around_ellipsoid(const picus_shape *shape, const picus_pose *pose) {
  const double x[3] = {pose->origin.x, pose->origin.y, pose->origin.z};
  picus_bounds b;
  for (int d = 0; d < 3; d++) {
    const v3 out = pose_direction_back(pose, (v3){d == 0, d == 1, d == 2});
    const double half = v3_length((v3){shape->radii.x * out.x, shape->radii.y * out.y, shape->radii.z * out.z});
    b.low[d] = x[d] - half;
    b.high[d] = x[d] + half;
  }
  return b;
}

/* Of a polyhedron with many vertices: by steps to better neighbours. */
enum { MOST_COMPARED = 64 };
static picus_bounds around_many(const picus_shape *shape, const picus_pose *pose) {
  picus_bounds b;
  int at = 0;
  for (int d = 0; d < 3; d++)
    for (int side = 0; side < 2; side++) {
      const double sign = side ? 1 : -1;
      const v3 out = {d == 0 ? sign : 0, d == 1 ? sign : 0, d == 2 ? sign : 0};
      at = picus_polytope_highest(&shape->polytope, pose_direction_back(pose, out), at);
      const double reach = v3_dot(out, pose_point(pose, shape->polytope.vertices[at])) + shape->radius;
      *(side ? &b.high[d] : &b.low[d]) = sign * reach;
    }
  return b;
}

picus_bounds picus_shape_bounds(const picus_shape *shape, const picus_pose *pose) {
  if (shape->core == CORE_HALF_SPACE) return everything();
  if (shape->core == CORE_CYLINDER) return around_cylinder(shape, pose);
  if (shape->core == CORE_ELLIPSOID) return around_ellipsoid(shape, pose);
  const polytope *core = &shape->polytope;
  const double r = shape->radius;
  if (shape->is_ball) {
    const v3 x = pose->origin;
    return (picus_bounds){{x.x - r, x.y - r, x.z - r}, {x.x + r, x.y + r, x.z + r}};
  }
  if (core->star && core->vertex_count > MOST_COMPARED) return around_many(shape, pose);
  v3 first = pose_point(pose, core->vertices[0]), low = first, high = first;
  for (int k = 1; k < core->vertex_count; k++) {
    v3 v = pose_point(pose, core->vertices[k]);
    low = (v3){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
    high = (v3){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
  }
  return (picus_bounds){{low.x - r, low.y - r, low.z - r}, {high.x + r, high.y + r, high.z + r}};
}
