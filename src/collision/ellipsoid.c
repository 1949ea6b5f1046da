/* Nearest points of ellipsoids. With h the support function of an ellipsoid about the origin, the signed distance of a
 * feature is the largest value of (least n.x of the feature) - h(n) over all unit vectors n; a stationary value, so
 * that its error is the square of that of the normal.
 *
 *   plane            n is given
 *   point            one equation in one unknown, solved monotonically
 *   line             as a point, seen along the line: the ellipsoid is an ellipse there
 *   rim, ellipsoid   Newton's method on the sphere of directions, in a region of trust */
#include "base/elementary.h"

#include "collision/curved.h"
#include "shape/surface.h"

#include <float.h>

double picus_ellipsoid_support(const picus_shape *e, v3 n) {
  return v3_length((v3){e->radii.x * n.x, e->radii.y * n.y, e->radii.z * n.z});
}

static v3 squared_times(const picus_shape *e, v3 n) {
  const v3 r = e->radii;
  return (v3){r.x * r.x * n.x, r.y * r.y * n.y, r.z * r.z * n.z};
}

v3 picus_ellipsoid_point(const picus_shape *e, v3 n) {
  return v3_scale(1 / picus_ellipsoid_support(e, n), squared_times(e, n));
}

v3 picus_ellipsoid_bend(const picus_shape *e, v3 n, v3 d) {
  const v3 x = picus_ellipsoid_point(e, n);
  return v3_scale(1 / picus_ellipsoid_support(e, n), v3_along(squared_times(e, d), -v3_dot(x, d), x));
}

/* --- points and lines --------------------------------------------------------------------------------------------- */

/* The ellipsoid or ellipse of the radii r and the point y: the nearest point x has r_i x_i / r_i^2 = w_i,
 * w_i = r_i y_i / (r_i^2 - m^2 + s), |w| = 1, with m the least radius. 1 / |w| - 1 is concave in s and almost straight:
 * Newton's method from the left goes up to the root without a step back (More, Sorensen 1983). */
typedef struct secular {
  int count, least;
  double beyond[3]; /* r_i^2 - m^2 */
  const double *r, *y;
} secular;

static secular make_secular(const double *r, const double *y, int count) {
  secular s = {.count = count, .r = r, .y = y};
  for (int i = 1; i < count; i++)
    if (r[i] < r[s.least]) s.least = i;
  for (int i = 0; i < count; i++) s.beyond[i] = (r[i] - r[s.least]) * (r[i] + r[s.least]);
  return s;
}

/* |w|^2, and the sum of w_i^2 / (r_i^2 - m^2 + s). */
static double square_of_w(const secular *e, double s, double *slope) {
  double square = 0;
  *slope = 0;
  for (int i = 0; i < e->count; i++) {
    if (e->y[i] == 0) continue;
    const double w = e->r[i] * e->y[i] / (e->beyond[i] + s);
    square += w * w;
    *slope += w * w / (e->beyond[i] + s);
  }
  return square;
}

static double find_root(const secular *e, double s) {
  for (int k = 0; k < 100; k++) {
    double slope;
    const double square = square_of_w(e, s, &slope), length = sqrt(square);
    const double next = s + (length - 1) * square / slope;
    if (!(next > s * (1 + 2 * DBL_EPSILON))) break;
    s = next;
  }
  return s;
}

/* The root below 0 next to 0; false: there is none. 1 / |w| - 1 is concave here as well. */
static bool find_far_root(const secular *e, double *root) {
  double end = INFINITY, s = -e->r[e->least] * fabs(e->y[e->least]);
  for (int i = 0; i < e->count; i++)
    if (i != e->least) end = fmin(end, e->beyond[i]);
  for (int k = 0; k < 100; k++) {
    double slope;
    if (!(s > -end)) return false;
    const double square = square_of_w(e, s, &slope), length = sqrt(square);
    if (length <= 1 + 2 * DBL_EPSILON) break;
    if (!(slope < 0)) return false;
    const double next = s + (length - 1) * square / slope;
    if (!(next < s * (1 + 2 * DBL_EPSILON))) break;
    s = next;
  }
  *root = s;
  return true;
}

/* The direction of the normal at the nearest point, not normalized. A point inside may have another point where the
 * distance is least among its neighbours, on the other half along the axis of the least radius: the far one. */
static bool normal_towards(const double *r, const double *y, int count, bool far, double *out) {
  const secular e = make_secular(r, y, count);
  double s = 0, slope;
  for (int i = 0; i < count; i++) s = fmax(s, r[i] * fabs(y[i]) - e.beyond[i]);
  const double inner = s > 0 ? 2 : square_of_w(&e, 0, &slope);
  const bool in_middle = inner < 1; /* two points are as near */
  if (!in_middle && !far) s = find_root(&e, s);
  if (!in_middle && far && (y[e.least] == 0 || !find_far_root(&e, &s))) return false;
  for (int i = 0; i < count; i++) out[i] = y[i] == 0 ? 0 : y[i] / (e.beyond[i] + s);
  if (in_middle) out[e.least] = (far ? -1 : 1) * sqrt(1 - inner) / r[e.least];
  return true;
}

static v3 unit_sum(double a, v3 x, double b, v3 y) { return v3_unit(v3_along(v3_scale(a, x), b, y)); }

static nearest_points along_normal(const picus_shape *e, v3 n, double distance) {
  const v3 x = picus_ellipsoid_point(e, n);
  return (nearest_points){distance, n, {x, v3_along(x, distance, n)}};
}

/* Whether a direction from the ellipsoid goes into a corner from its outer side; outward zero: it has no side. */
static bool goes_inwards(v3 n, v3 outward) { return v3_dot(n, outward) <= 0; }

static nearest_points to_point(const picus_shape *e, v3 p, v3 outward) {
  const double r[3] = {e->radii.x, e->radii.y, e->radii.z}, y[3] = {p.x, p.y, p.z};
  double q[3];
  normal_towards(r, y, 3, false, q);
  v3 n = v3_unit((v3){q[0], q[1], q[2]});
  if (!goes_inwards(n, outward) && normal_towards(r, y, 3, true, q)) {
    const v3 other = v3_unit((v3){q[0], q[1], q[2]});
    if (goes_inwards(other, outward)) n = other;
  }
  const double distance = v3_dot(n, p) - picus_ellipsoid_support(e, n);
  return (nearest_points){distance, n, {v3_along(p, -distance, n), p}};
}

/* An ellipsoid seen along a line: half axes of the ellipse. */
typedef struct shadow {
  v3 axis[2];
  double r[2];
} shadow;

static shadow seen_along(const picus_shape *e, v3 along) {
  const v3 u = v3_perpendicular(along), v = v3_cross(along, u), of_u = squared_times(e, u);
  const double angle = 0.5 * picus_atan2(2 * v3_dot(of_u, v), v3_dot(of_u, u) - v3_dot(squared_times(e, v), v));
  shadow s = {.axis = {unit_sum(picus_cos(angle), u, picus_sin(angle), v),
                       unit_sum(-picus_sin(angle), u, picus_cos(angle), v)}};
  for (int k = 0; k < 2; k++) s.r[k] = picus_ellipsoid_support(e, s.axis[k]);
  return s;
}

static v3 lifted(const shadow *s, const double q[2]) {
  const double largest = fmax(fabs(q[0]), fabs(q[1]));
  return unit_sum(q[0] / largest, s->axis[0], q[1] / largest, s->axis[1]);
}

/* radius: around the line. */
static nearest_points to_line(const picus_shape *e, const line *l, double radius, v3 outward) {
  const shadow s = seen_along(e, l->along);
  v3 p = v3_along(l->from, -v3_dot(l->from, l->along), l->along);
  p = v3_along(p, -v3_dot(p, l->along), l->along);
  const double y[2] = {v3_dot(p, s.axis[0]), v3_dot(p, s.axis[1])};
  double q[2];
  normal_towards(s.r, y, 2, false, q);
  v3 n = lifted(&s, q);
  if (!goes_inwards(n, outward) && normal_towards(s.r, y, 2, true, q)) {
    const v3 other = lifted(&s, q);
    if (goes_inwards(other, outward)) n = other;
  }
  return along_normal(e, n, v3_dot(n, p) - picus_ellipsoid_support(e, n) - radius);
}

static nearest_points to_plane(const picus_shape *e, v3 normal, double offset) {
  return along_normal(e, v3_minus(normal), -picus_ellipsoid_support(e, normal) - offset);
}

/* --- two round shapes --------------------------------------------------------------------------------------------- */

/* The other one is an ellipsoid about `centre`; arms: its half axes. A disk has two. */
typedef struct two_round {
  const picus_shape *mine;
  v3 centre, arm[3];
  int arms;
  v3 outward; /* of a rim: away from its cylinder; a way into the disk from behind does not count */
  double scale;
} two_round;

/* The separation along n, its gradient, and the points of both. */
typedef struct separation {
  v3 n, gradient, x, y;
  double value, support[2];
} separation;

static separation separate(const two_round *t, v3 n) {
  separation s = {.n = n, .x = picus_ellipsoid_point(t->mine, n), .y = {0, 0, 0}};
  double square = 0;
  for (int k = 0; k < t->arms; k++) square += v3_dot(t->arm[k], n) * v3_dot(t->arm[k], n);
  s.support[0] = picus_ellipsoid_support(t->mine, n);
  s.support[1] = sqrt(square);
  for (int k = 0; k < t->arms && square > 0; k++) s.y = v3_along(s.y, v3_dot(t->arm[k], n) / s.support[1], t->arm[k]);
  s.value = v3_dot(n, t->centre) - s.support[0] - s.support[1];
  s.gradient = v3_sub(v3_sub(t->centre, s.x), s.y);
  return s;
}

/* How the gradient changes along a tangent d, with the opposite sign. */
static v3 curvature(const two_round *t, const separation *s, v3 d) {
  v3 sum = v3_along(picus_ellipsoid_bend(t->mine, s->n, d), s->value, d);
  if (!(s->support[1] > 0)) return sum;
  v3 other = v3_scale(-v3_dot(s->y, d), s->y);
  for (int k = 0; k < t->arms; k++) other = v3_along(other, v3_dot(t->arm[k], d), t->arm[k]);
  return v3_along(sum, 1 / s->support[1], other);
}

/* A step by Newton's method in the two directions in which the curvature is stationary; of at most `trust` in each of
 * them, and of that length where the curvature is that of a valley. gain: what the model of second order promises. */
static v3 step_uphill(const two_round *t, const separation *s, double trust, double *gain) {
  const v3 u = v3_perpendicular(s->n), v = v3_cross(s->n, u), of_u = curvature(t, s, u), of_v = curvature(t, s, v);
  const double uu = v3_dot(u, of_u), uv = v3_dot(v, of_u), vv = v3_dot(v, of_v);
  const double angle = 0.5 * picus_atan2(2 * uv, uu - vv);
  const v3 axis[2] = {v3_along(v3_scale(picus_cos(angle), u), picus_sin(angle), v),
                      v3_along(v3_scale(-picus_sin(angle), u), picus_cos(angle), v)};
  v3 step = {0, 0, 0};
  *gain = 0;
  for (int k = 0; k < 2; k++) {
    const double c = picus_cos(angle), d = k ? -picus_sin(angle) : picus_sin(angle);
    const double bend = k ? vv * c * c + 2 * uv * c * d + uu * d * d : uu * c * c + 2 * uv * c * d + vv * d * d;
    const double rise = v3_dot(s->gradient, axis[k]);
    double length = bend > 0 ? rise / bend : copysign(trust, rise);
    if (!(fabs(length) <= trust)) length = copysign(trust, rise);
    step = v3_along(step, length, axis[k]);
    *gain += length * rise - 0.5 * bend * length * length;
  }
  return step;
}

/* On the axis of a disk the separation has a ridge or a tip, where steps are of no use: beside it. */
static v3 beside_axis(const two_round *t, const separation *s, double way) {
  const v3 rest = v3_sub(t->centre, s->x), aside = v3_along(rest, -v3_dot(rest, s->n), s->n);
  return v3_square(aside) > 0 ? v3_unit(v3_along(s->n, way, v3_unit(aside))) : s->n;
}

static separation climb(const two_round *t, v3 start) {
  separation here = separate(t, start);
  double trust = 0.5, beside = 0.1;
  for (int k = 0; k < 200 && trust > 1e-18; k++) {
    double gain;
    if (t->arms < 3 && here.support[1] < 1e-7 * t->scale && beside > 1e-6) {
      here = separate(t, beside_axis(t, &here, beside));
      beside /= 10;
    }
    const v3 step = step_uphill(t, &here, trust, &gain);
    const separation there = separate(t, v3_unit(v3_add(here.n, step)));
    const bool last = gain <= 4 * DBL_EPSILON * t->scale;
    if (there.value > here.value || (last && there.value >= here.value - 4 * DBL_EPSILON * t->scale)) {
      if (v3_length(step) > 0.9 * trust) trust = fmin(2 * trust, 0.7);
      here = there;
    } else {
      trust = fmin(trust, v3_length(step)) / 4;
    }
    if (last) break;
  }
  return here;
}

/* Apart, the separation has one top, and any start finds it. Overlapping, each local top is a way out; one that goes
 * inwards comes before others. */
static bool is_above(const two_round *t, const separation *s, const separation *best) {
  const bool inwards = goes_inwards(s->n, t->outward), best_inwards = goes_inwards(best->n, t->outward);
  if (inwards != best_inwards) return inwards;
  return s->value > best->value + 4 * DBL_EPSILON * t->scale;
}

static nearest_points climb_from_all(const two_round *t, const v3 *starts, int count) {
  int first = 0;
  double highest = -INFINITY;
  for (int k = 0; k < count; k++) {
    const double value = separate(t, starts[k]).value;
    if (value <= highest) continue;
    highest = value;
    first = k;
  }
  separation best = climb(t, starts[first]);
  for (int k = 0; k < count && best.value <= 0; k++) {
    const separation other = k == first ? best : climb(t, starts[k]);
    if (is_above(t, &other, &best)) best = other;
  }
  return along_normal(t->mine, best.n, best.value);
}

enum { STARTS_MOST = 32 };

/* Towards the other one, along the axes of both, and between the axes. */
static int list_starts(const two_round *t, const v3 axis[3], v3 *out) {
  int count = 0;
  if (v3_square(t->centre) > 0) out[count++] = v3_unit(t->centre);
  for (int k = 0; k < 6; k++) {
    const double sign = k % 2 ? 1 : -1;
    out[count++] = (v3){k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0};
    out[count++] = v3_scale(sign, axis[k / 2]);
  }
  for (int k = 0; k < 8; k++) {
    const v3 d = {k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1};
    out[count++] = v3_unit(d);
    out[count++] = v3_unit(v3_add(v3_add(v3_scale(d.x, axis[0]), v3_scale(d.y, axis[1])), v3_scale(d.z, axis[2])));
  }
  return count;
}

static double largest(v3 r) { return fmax(r.x, fmax(r.y, r.z)); }

static nearest_points to_ellipsoid(const picus_shape *mine, const picus_shape *other, const picus_pose *relative) {
  const v3 r = other->radii, *axis = relative->axis;
  const two_round t = {.mine = mine,
                       .centre = relative->origin,
                       .arm = {v3_scale(r.x, axis[0]), v3_scale(r.y, axis[1]), v3_scale(r.z, axis[2])},
                       .arms = 3,
                       .scale = largest(mine->radii) + largest(r) + v3_length(relative->origin)};
  v3 starts[STARTS_MOST];
  return climb_from_all(&t, starts, list_starts(&t, axis, starts));
}

/* The separation of the disk inside of a rim may have a tip along its axis: there the end is nearer than the rim. */
static bool is_tip(const two_round *t, const separation *s, v3 axis, double radius) {
  const v3 rest = v3_sub(t->centre, s->x);
  return v3_length(v3_along(rest, -v3_dot(rest, axis), axis)) <= radius;
}

static nearest_points to_rim(const picus_shape *mine, const circle *rim) {
  const v3 u = v3_perpendicular(rim->axis), v = v3_cross(rim->axis, u);
  const two_round t = {.mine = mine,
                       .centre = rim->centre,
                       .arm = {v3_scale(rim->radius, u), v3_scale(rim->radius, v)},
                       .arms = 2,
                       .outward = rim->axis,
                       .scale = largest(mine->radii) + rim->radius + v3_length(rim->centre)};
  const separation below = separate(&t, rim->axis), above = separate(&t, v3_minus(rim->axis));
  if (below.value > 0 && is_tip(&t, &below, rim->axis, rim->radius)) return along_normal(mine, below.n, below.value);
  const bool has_tip = is_tip(&t, &above, rim->axis, rim->radius);
  if (has_tip && above.value > 0) return along_normal(mine, above.n, above.value);
  v3 starts[STARTS_MOST];
  const v3 axis[3] = {u, v, v3_unit(v3_along(rim->axis, 0.5, u))};
  const nearest_points found = climb_from_all(&t, starts, list_starts(&t, axis, starts));
  const bool is_best = has_tip && (above.value >= found.distance || !goes_inwards(found.normal, rim->axis));
  return is_best ? along_normal(mine, above.n, above.value) : found;
}

/* --- features ------------------------------------------------------------------------------------------------------
 */

static nearest_points to_cylinder(const picus_shape *e, const picus_shape *cylinder, const picus_pose *relative,
                                  picus_feature theirs) {
  const circle rim = rim_seen(cylinder, relative, theirs.kind == FEATURE_RIM ? rim_end(theirs.index) : theirs.index);
  const line middle = {relative->origin, relative->axis[2]};
  if (theirs.kind == FEATURE_FACE) return to_plane(e, rim.axis, v3_dot(rim.axis, rim.centre));
  return theirs.kind == FEATURE_SIDE ? to_line(e, &middle, cylinder->core_radius, (v3){0, 0, 0}) : to_rim(e, &rim);
}

/* Away from the neighbours of a vertex; zero without edges. */
static v3 outward_of(const polytope *p, const v3 *vertices, int vertex) {
  v3 sum = {0, 0, 0};
  const int first = p->star ? p->star[vertex] : 0, end = p->star ? p->star[vertex + 1] : p->edge_count;
  for (int k = first; k < end; k++) {
    const int *ends = p->edges[p->star ? p->star_edges[k] : k].vertex;
    if (ends[0] != vertex && ends[1] != vertex) continue;
    sum = v3_add(sum, v3_unit(v3_sub(vertices[vertex], vertices[ends[ends[0] == vertex]])));
  }
  return sum;
}

nearest_points picus_ellipsoid_nearest(const picus_shape *e, const picus_shape *other, const picus_pose *relative,
                                       picus_feature theirs) {
  if (other->core == CORE_ELLIPSOID) return to_ellipsoid(e, other, relative);
  if (other->core == CORE_CYLINDER) return to_cylinder(e, other, relative, theirs);
  const polytope *core = &other->polytope;
  if (theirs.kind == FEATURE_FACE) {
    const v3 normal = pose_direction(relative, core->normals[theirs.index]);
    return to_plane(e, normal, core->offsets[theirs.index] + v3_dot(normal, relative->origin));
  }
  if (theirs.kind == FEATURE_VERTEX) {
    const v3 outward =
        other->surface ? other->surface->vertex_normal[theirs.index] : outward_of(core, core->vertices, theirs.index);
    return to_point(e, pose_point(relative, core->vertices[theirs.index]), pose_direction(relative, outward));
  }
  const polytope_edge *edge = &core->edges[theirs.index];
  const v3 from = core->vertices[edge->vertex[0]], along = v3_unit(v3_sub(core->vertices[edge->vertex[1]], from));
  const line l = {pose_point(relative, from), pose_direction(relative, along)};
  return to_line(e, &l, 0, pose_direction(relative, edge->outward));
}

/* --- narrow phase ---------------------------------------------------------------------------------------------------
 */

typedef struct ellipsoid_pair {
  const narrow_pair *pair;
  bool first; /* the ellipsoid is a */
  const picus_shape *mine;
  const placed *other;         /* its core, in the frame of the ellipsoid */
  const picus_shape *cylinder; /* or a cylinder */
  picus_pose relative;         /* of it */
} ellipsoid_pair;

typedef struct best_axis {
  double value;
  picus_feature theirs;
} best_axis;

static bool is_better(const ellipsoid_pair *e, const best_axis *best, double value) {
  return value > best->value + narrow_same_depth * e->pair->scale;
}

static void offer(const ellipsoid_pair *e, best_axis *best, double value, picus_feature theirs) {
  if (is_better(e, best, value)) *best = (best_axis){value, theirs};
}

/* A direction counts with the separation of the whole shapes: a true one, whatever the feature is. */
static void offer_direction(const ellipsoid_pair *e, best_axis *best, const nearest_points *found,
                            picus_feature theirs) {
  double lowest;
  if (!is_better(e, best, found->distance)) return;
  placed_lowest(e->other, found->normal, &lowest);
  offer(e, best, lowest - picus_ellipsoid_support(e->mine, found->normal), theirs);
}

/* Whether no edge at a vertex goes down along n: only then it is the lowest one. */
static bool is_lowest(const ellipsoid_pair *e, int vertex, v3 n) {
  const placed *p = e->other;
  const polytope *core = p->core;
  const double here = v3_dot(n, p->vertices[vertex]);
  for (int k = core->star ? core->star[vertex] : 0; core->star && k < core->star[vertex + 1]; k++) {
    const polytope_edge *edge = &core->edges[core->star_edges[k]];
    const v3 other = p->vertices[edge->vertex[edge->vertex[0] == vertex]];
    if (v3_dot(n, other) < here - narrow_same_height * e->pair->scale) return false;
  }
  return true;
}

static v3 edge_outward(const ellipsoid_pair *e, int edge) {
  const polytope_edge *own = &e->other->core->edges[edge];
  if (e->pair->element || own->face[0] < 0) return own->outward;
  return v3_add(e->other->normals[own->face[0]], e->other->normals[own->face[own->face[1] < 0 ? 0 : 1]]);
}

/* Faces first, then edges, then vertices: the simpler one of equal ones. */
static best_axis find_axis_with(const ellipsoid_pair *e) {
  const polytope *core = e->other->core;
  best_axis best = {-INFINITY, {FEATURE_VERTEX, 0}};
  for (int f = 0; f < core->face_count; f++)
    offer(e, &best, -picus_ellipsoid_support(e->mine, e->other->normals[f]) - e->other->offsets[f], a_face(f));
  for (int k = 0; k < core->edge_count; k++) {
    const line l = edge_line(e->other, k);
    const nearest_points found = to_line(e->mine, &l, 0, edge_outward(e, k));
    if (is_lowest(e, core->edges[k].vertex[0], found.normal)) offer_direction(e, &best, &found, an_edge(k));
  }
  for (int k = 0; k < core->vertex_count; k++) {
    const nearest_points found = to_point(e->mine, e->other->vertices[k], outward_of(core, e->other->vertices, k));
    if (is_lowest(e, k, found.normal)) offer_direction(e, &best, &found, a_vertex(k));
  }
  return best;
}

static best_axis find_axis_of_cylinder(const ellipsoid_pair *e) {
  const picus_feature features[] = {a_face(0), a_face(1), a_side(), a_rim(0, RIM_NEAREST), a_rim(1, RIM_NEAREST)};
  best_axis best = {-INFINITY, a_side()};
  for (size_t k = 0; k < sizeof features / sizeof *features; k++) {
    const nearest_points found = to_cylinder(e->mine, e->cylinder, &e->relative, features[k]);
    const v3 n = found.normal, axis = e->relative.axis[2];
    const double reach = cylinder_support(e->cylinder, v3_dot(n, axis), v3_length(v3_cross(n, axis)));
    const double value = v3_dot(n, e->relative.origin) - picus_ellipsoid_support(e->mine, n) - reach;
    if (found.distance <= value + narrow_same_height * e->pair->scale) offer(e, &best, value, features[k]);
  }
  return best;
}

/* One contact: an ellipsoid lies nowhere flat. */
static void touch_at(const ellipsoid_pair *e, picus_feature theirs, manifold *out) {
  const feature_pair feature = e->first ? pair_of(a_side(), theirs) : pair_of(theirs, a_side());
  candidates list;
  contact_geometry nearest;
  picus_pair_gap(e->pair, feature, &nearest);
  picus_candidates_start(e->pair, 0, (v3){0, 0, 0}, &list);
  list.gap = nearest.gap;
  list.normal = nearest.normal;
  picus_candidates_add(e->pair, feature, &list);
  picus_candidates_reduce(&list, 1, out);
}

void picus_narrow_ellipsoid_with(const narrow_pair *pair, bool first, const placed *other, manifold *out) {
  const ellipsoid_pair e = {
      .pair = pair, .first = first, .mine = first ? pair->shapes->a : pair->shapes->b, .other = other};
  touch_at(&e, find_axis_with(&e).theirs, out);
}

void picus_narrow_ellipsoid(const narrow_pair *pair, bool first, const narrow_space *space, manifold *out) {
  const shape_pair *shapes = pair->shapes;
  const picus_shape *other = first ? shapes->b : shapes->a;
  ellipsoid_pair e = {.pair = pair, .first = first, .mine = first ? shapes->a : shapes->b};
  e.relative = pose_relative(&shapes->poses[!first], &shapes->poses[first]);
  if (other->core == CORE_HALF_SPACE || other->core == CORE_ELLIPSOID) {
    touch_at(&e, other->core == CORE_HALF_SPACE ? a_face(0) : a_side(), out);
  } else if (other->core == CORE_CYLINDER) {
    e.cylinder = other;
    touch_at(&e, find_axis_of_cylinder(&e).theirs, out);
  } else {
    const placed there = picus_place_core(&other->polytope, &e.relative, space);
    picus_narrow_ellipsoid_with(pair, first, &there, out);
  }
}
