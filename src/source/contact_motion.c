/* Contacts between moving shapes: the exact change of normal, place and relative velocity with the poses. */
#include "source/contact_motion.h"
#include "base/elementary.h"

#include "collision/curved.h"

#include <math.h>

/* Distances of cores below this have no direction that could turn smoothly: sharp edges and corners. */
static const double sharp = 1e-10;

/* --- values --------------------------------------------------------------------------------------------------- */

static v3 choose_place(const touching *t, const v3 point[2]) {
  if (t->driven[0]) return point[1];
  return t->driven[1] ? point[0] : v3_middle(point[0], point[1]);
}

/* A shape whose body has this pose. */
static picus_pose shape_pose(const touching *t, int side, const picus_pose *body) {
  return t->frame[side] ? pose_compose(body, t->frame[side]) : *body;
}

void picus_touch_geometry(const touching *t, contact_geometry *out) {
  const picus_pose poses[2] = {shape_pose(t, 0, &t->motion[0]->pose), shape_pose(t, 1, &t->motion[1]->pose)};
  picus_contact_gap(t->shape[0], t->shape[1], poses, t->feature, out);
}

void picus_touch_find(const touching *t, touch_site *out) {
  picus_touch_geometry(t, &out->geometry);
  picus_touch_complete(t, out);
}

void picus_touch_complete(const touching *t, touch_site *out) {
  out->place = choose_place(t, out->geometry.point);
  out->direction[0] = out->geometry.normal;
  picus_contact_tangents(t->shape[0]->planar, out->geometry.normal, out->direction + 1);
}

/* The direction of a rolling velocity: z in the plane, which is the second tangent there. */
static int roll_direction(const touching *t, int row) { return t->shape[0]->planar ? 2 : row - TOUCH_ROLL + 1; }

void picus_touch_row(const touching *t, const touch_site *site, int row, touch_row *out) {
  for (int side = 0; side < 2; side++) {
    const double sign = side ? 1 : -1;
    if (row >= TOUCH_SPIN) {
      const bool spins = row == TOUCH_SPIN;
      out->linear[side] = (v3){0, 0, 0};
      out->angular[side] =
          v3_scale(spins ? sign * t->spin_factor : sign, site->direction[spins ? 0 : roll_direction(t, row)]);
      continue;
    }
    const v3 arm = v3_sub(site->place, t->motion[side]->pose.origin), d = v3_scale(sign, site->direction[row]);
    out->linear[side] = d;
    out->angular[side] = v3_cross(arm, d);
  }
}

/* At a place. */
static v3 of_surface(const touch_surface *s, v3 place) {
  return v3_add(s->velocity, v3_cross(s->spin, v3_sub(place, s->origin)));
}

double picus_touch_surface_velocity(const touching *t, const touch_site *site, int row) {
  if (row < 1 || row > 2) return 0; /* friction alone */
  const v3 speed = v3_sub(of_surface(&t->surface[1], site->place), of_surface(&t->surface[0], site->place));
  return v3_dot(site->direction[row], speed);
}

double picus_touch_velocity(const touching *t, const touch_row *row, int side) {
  return v3_dot(row->linear[side], t->motion[side]->velocity) + v3_dot(row->angular[side], t->motion[side]->spin);
}

/* --- changes -------------------------------------------------------------------------------------------------- */

/* Of the normal and of the contact points of the cores. */
typedef struct core_change {
  v3 normal, point[2];
} core_change;

/* A contact of cores: nearest points, and the distance between them. */
typedef struct core_contact {
  v3 normal, point[2];
  double distance;
} core_contact;

static v3 material(const touching *t, const touch_change *c, int side, v3 place) {
  return v3_add(c->shift[side], v3_cross(c->turn[side], v3_sub(place, t->motion[side]->pose.origin)));
}

static v3 edge_direction(const touching *t, int side, int number) {
  const polytope *p = &t->shape[side]->polytope;
  const int *ends = p->edges[number].vertex;
  const picus_pose pose = shape_pose(t, side, &t->motion[side]->pose);
  return pose_direction(&pose, v3_unit(v3_sub(p->vertices[ends[1]], p->vertices[ends[0]])));
}

static void vertices(const touching *t, const core_contact *k, const touch_change *c, core_change *out) {
  for (int side = 0; side < 2; side++) out->point[side] = material(t, c, side, k->point[side]);
  out->normal = (v3){0, 0, 0};
  if (k->distance < sharp) return;
  const v3 d = v3_sub(out->point[1], out->point[0]);
  out->normal = v3_scale(1 / k->distance, v3_along(d, -v3_dot(k->normal, d), k->normal));
}

/* The point on the other side follows from the distance: its change is that of material points along the normal. */
static void other_point(const touching *t, const core_contact *k, const touch_change *c, int known, core_change *out) {
  const double opening = v3_dot(k->normal, v3_sub(material(t, c, 1, k->point[1]), material(t, c, 0, k->point[0])));
  const double sign = known ? -1 : 1;
  const v3 step = v3_add(v3_scale(opening, k->normal), v3_scale(k->distance, out->normal));
  out->point[!known] = v3_along(out->point[known], sign, step);
}

/* A face of one side and a vertex of the other one: the normal turns with the face. */
static void face_and_vertex(const touching *t, const core_contact *k, const touch_change *c, int face,
                            core_change *out) {
  out->normal = v3_cross(c->turn[face], k->normal);
  out->point[!face] = material(t, c, !face, k->point[!face]);
  other_point(t, k, c, !face, out);
}

/* Seen from the edge e, the normal turns about e if the vertex moves along m = e x n. */
static void edge_and_vertex(const touching *t, const core_contact *k, const touch_change *c, int edge,
                            core_change *out) {
  const int number = edge ? t->feature.b.index : t->feature.a.index;
  const v3 vertex = k->point[!edge], m = v3_cross(edge_direction(t, edge, number), k->normal);
  const v3 seen = v3_sub(material(t, c, !edge, vertex), material(t, c, edge, vertex));
  out->normal = v3_cross(c->turn[edge], k->normal);
  if (k->distance >= sharp) out->normal = v3_along(out->normal, (edge ? -1 : 1) * v3_dot(m, seen) / k->distance, m);
  out->point[!edge] = material(t, c, !edge, vertex);
  other_point(t, k, c, !edge, out);
}

/* n is perpendicular to both edges e and f. With the reciprocal vectors e*, f* in their plane, dn = -(n . de) e* -
 * (n . df) f*, and the point on e slides by e* . (d_b - d_a - distance dn). */
static void two_edges(const touching *t, const core_contact *k, const touch_change *c, core_change *out) {
  const v3 e = edge_direction(t, 0, t->feature.a.index), f = edge_direction(t, 1, t->feature.b.index), n = k->normal;
  const v3 across_f = v3_cross(f, n), across_e = v3_cross(n, e);
  const double sine = v3_dot(e, across_f);
  if (fabs(sine) < 1e-12) { /* parallel: as the vertex of b that defines the distance */
    edge_and_vertex(t, k, c, 0, out);
    return;
  }
  const v3 e_star = v3_scale(1 / sine, across_f), f_star = v3_scale(1 / v3_dot(f, across_e), across_e);
  const v3 de = v3_cross(c->turn[0], e), df = v3_cross(c->turn[1], f);
  out->normal = v3_add(v3_scale(-v3_dot(n, de), e_star), v3_scale(-v3_dot(n, df), f_star));
  const v3 on_a = material(t, c, 0, k->point[0]), on_b = material(t, c, 1, k->point[1]);
  const v3 rest = v3_along(v3_sub(on_b, on_a), -k->distance, out->normal);
  out->point[0] = v3_along(on_a, v3_dot(e_star, rest), e);
  other_point(t, k, c, 0, out);
}

static picus_pose moved(const picus_pose *pose, v3 shift, v3 turn) {
  const double angle = v3_length(turn);
  picus_pose out = {v3_add(pose->origin, shift), {pose->axis[0], pose->axis[1], pose->axis[2]}};
  if (angle == 0) return out;
  const v3 k = v3_scale(1 / angle, turn);
  for (int i = 0; i < 3; i++) {
    const v3 a = pose->axis[i], part = v3_scale(v3_dot(k, a), k);
    const v3 turned = v3_add(v3_scale(picus_cos(angle), v3_sub(a, part)), v3_scale(picus_sin(angle), v3_cross(k, a)));
    out.axis[i] = v3_add(part, turned);
  }
  return out;
}

static void cores_at(const touching *t, const touch_change *c, double step, core_contact *out) {
  picus_pose poses[2];
  for (int side = 0; side < 2; side++) {
    const picus_pose body =
        moved(&t->motion[side]->pose, v3_scale(step, c->shift[side]), v3_scale(step, c->turn[side]));
    poses[side] = shape_pose(t, side, &body);
  }
  contact_geometry g;
  picus_contact_gap(t->shape[0], t->shape[1], poses, t->feature, &g);
  out->normal = g.normal;
  out->point[0] = v3_along(g.point[0], -g.radius[0], g.normal);
  out->point[1] = v3_along(g.point[1], g.radius[1], g.normal);
}

/* Features that curve within themselves: differences of fourth order over a length that is small beside the shape. */
static void by_differences(const touching *t, const touch_change *c, core_change *out) {
  double size = INFINITY, speed = 0;
  for (int side = 0; side < 2; side++) {
    const picus_shape *s = t->shape[side];
    const double own = s->core == CORE_CYLINDER ? fmin(s->half_length, s->core_radius) : s->bound + s->radius;
    if (own > 0) size = fmin(size, own);
    speed = fmax(speed, fmax(v3_length(c->shift[side]), size * v3_length(c->turn[side])));
  }
  *out = (core_change){{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}}};
  if (speed == 0 || size == INFINITY) return;
  const double h = 1e-3 * size / speed, weight[2] = {8 / (12 * h), -1 / (12 * h)};
  for (int k = 0; k < 4; k++) {
    core_contact at;
    const int far = k / 2;
    const double sign = k % 2 ? -1 : 1, w = sign * weight[far];
    cores_at(t, c, sign * h * (1 + far), &at);
    out->normal = v3_along(out->normal, w, at.normal);
    for (int side = 0; side < 2; side++) out->point[side] = v3_along(out->point[side], w, at.point[side]);
  }
}

/* --- ellipsoids ----------------------------------------------------------------------------------------------- */

/* How the point of a feature whose normal is n moves in its shape if the normal turns by d: its curvature. */
static v3 bend(const touching *t, int side, const picus_pose *pose, v3 n, v3 d) {
  const picus_shape *s = t->shape[side];
  const picus_feature f = side ? t->feature.b : t->feature.a;
  const v3 zero = {0, 0, 0};
  if (s->core == CORE_ELLIPSOID)
    return pose_direction(pose, picus_ellipsoid_bend(s, pose_direction_back(pose, n), pose_direction_back(pose, d)));
  if (s->core != CORE_CYLINDER || f.kind == FEATURE_FACE) return zero;
  const v3 across = v3_cross(pose->axis[2], n);
  const double sine = v3_length(across), along = sine > sharp ? v3_dot(across, d) / (sine * sine) : 0;
  return v3_scale(s->core_radius * along / (f.kind == FEATURE_RIM ? fmax(sine, sharp) : 1), across);
}

/* The change of a point of contact within its shape, as the normal turns by d relative to the inertial frame. */
static v3 rolled(const touching *t, const touch_change *c, const picus_pose poses[2], const core_contact *k, int side,
                 v3 d) {
  return bend(t, side, &poses[side], k->normal, v3_sub(d, v3_cross(c->turn[side], k->normal)));
}

/* The direction of a straight feature: an edge, or the side of a cylinder. */
static bool is_straight(const touching *t, int side, const picus_pose *pose, v3 *along) {
  const picus_feature f = side ? t->feature.b : t->feature.a;
  const bool is_side = f.kind == FEATURE_SIDE && t->shape[side]->core == CORE_CYLINDER;
  if (is_side) *along = pose->axis[2];
  if (f.kind == FEATURE_EDGE) *along = edge_direction(t, side, f.index);
  return is_side || f.kind == FEATURE_EDGE;
}

/* The change dn of the normal: with x_b - x_a = distance n, along each tangent
 *   (H_a + H_b + distance) dn = dx_b - dx_a + H_a (turn_a x n) + H_b (turn_b x n),
 * x moving with the shapes, H their curvatures. Along a straight feature e: e . dn = -n . (turn x e). */
static v3 normal_change(const touching *t, const core_contact *k, const touch_change *c, const picus_pose poses[2]) {
  const v3 n = k->normal;
  v3 e = {0, 0, 0}, pull = v3_sub(material(t, c, 1, k->point[1]), material(t, c, 0, k->point[0]));
  int straight = -1;
  for (int side = 0; side < 2; side++) {
    if (straight < 0 && is_straight(t, side, &poses[side], &e)) straight = side;
    pull = v3_add(pull, bend(t, side, &poses[side], n, v3_cross(c->turn[side], n)));
  }
  const v3 u = straight < 0 ? v3_perpendicular(n) : v3_unit(v3_cross(e, n)), v = v3_cross(n, u);
  const v3 of_u = v3_add(v3_along(bend(t, 0, &poses[0], n, u), k->distance, u), bend(t, 1, &poses[1], n, u));
  const v3 of_v = v3_add(v3_along(bend(t, 0, &poses[0], n, v), k->distance, v), bend(t, 1, &poses[1], n, v));
  const double uu = v3_dot(u, of_u), uv = v3_dot(v, of_u), vv = v3_dot(v, of_v);
  const double to_u = v3_dot(u, pull), to_v = v3_dot(v, pull);
  if (straight >= 0) {
    const double turned = -v3_dot(n, v3_cross(c->turn[straight], v));
    return v3_along(v3_scale(turned, v), fabs(uu) > 0 ? (to_u - uv * turned) / uu : 0, u);
  }
  const double determinant = uu * vv - uv * uv;
  if (!(fabs(determinant) > 0)) return v3_cross(c->turn[0], n);
  return v3_along(v3_scale((vv * to_u - uv * to_v) / determinant, u), (uu * to_v - uv * to_u) / determinant, v);
}

/* One of the shapes is an ellipsoid. */
static void ellipsoid_and_other(const touching *t, const core_contact *k, const touch_change *c, core_change *out) {
  const feature_kind kind[2] = {t->feature.a.kind, t->feature.b.kind};
  const int own = t->shape[0]->core == CORE_ELLIPSOID ? 0 : 1;
  const picus_pose poses[2] = {shape_pose(t, 0, &t->motion[0]->pose), shape_pose(t, 1, &t->motion[1]->pose)};
  out->normal = kind[!own] == FEATURE_FACE ? v3_cross(c->turn[!own], k->normal) : normal_change(t, k, c, poses);
  const v3 step = rolled(t, c, poses, k, own, out->normal);
  out->point[own] = v3_along(material(t, c, own, k->point[own]), own ? -1 : 1, step);
  other_point(t, k, c, own, out);
}

static void change_cores(const touching *t, const touch_site *site, const touch_change *c, core_change *out) {
  const contact_geometry *g = &site->geometry;
  const core_contact k = {
      g->normal,
      {v3_along(g->point[0], -g->radius[0], g->normal), v3_along(g->point[1], g->radius[1], g->normal)},
      g->gap + g->radius[0] + g->radius[1]};
  const feature_kind a = t->feature.a.kind, b = t->feature.b.kind;
  if (t->shape[0]->core == CORE_ELLIPSOID || t->shape[1]->core == CORE_ELLIPSOID)
    ellipsoid_and_other(t, &k, c, out);
  else if (a > FEATURE_FACE || b > FEATURE_FACE)
    by_differences(t, c, out);
  else if (a == FEATURE_FACE || b == FEATURE_FACE)
    face_and_vertex(t, &k, c, a != FEATURE_FACE, out);
  else if (a == FEATURE_EDGE && b == FEATURE_EDGE)
    two_edges(t, &k, c, out);
  else if (a == FEATURE_EDGE || b == FEATURE_EDGE)
    edge_and_vertex(t, &k, c, a != FEATURE_EDGE, out);
  else
    vertices(t, &k, c, out);
}

/* What surfaces add to the slopes of friction: they turn with their bodies, and the place moves on them. */
static void add_surface_slopes(const touching *t, const touch_site *site, const touch_change *c, v3 place,
                               const v3 directions[3], double slopes[TOUCH_ROWS]) {
  v3 speed = {0, 0, 0}, change = {0, 0, 0};
  for (int side = 0; side < 2; side++) {
    const touch_surface *s = &t->surface[side];
    const double sign = side ? 1 : -1;
    const v3 arm = v3_sub(site->place, s->origin), turn = c->turn[side];
    const v3 origin = v3_add(c->shift[side], v3_cross(turn, v3_sub(s->origin, t->motion[side]->pose.origin)));
    speed = v3_along(speed, sign, of_surface(s, site->place));
    change = v3_along(change, sign, v3_cross(turn, s->velocity));
    change = v3_along(change, sign, v3_cross(v3_cross(turn, s->spin), arm));
    change = v3_along(change, sign, v3_cross(s->spin, v3_sub(place, origin)));
    if (c->by_time) change = v3_along(change, sign, v3_add(s->increase, v3_cross(s->spin_increase, arm)));
  }
  for (int row = 1; row < 3; row++)
    slopes[row] += v3_dot(directions[row], speed) + v3_dot(site->direction[row], change);
}

void picus_touch_slopes(const touching *t, const touch_site *site, const touch_change *c, double slopes[TOUCH_ROWS]) {
  core_change cores;
  change_cores(t, site, c, &cores);
  const contact_geometry *g = &site->geometry;
  const v3 points[2] = {v3_along(cores.point[0], g->radius[0], cores.normal),
                        v3_along(cores.point[1], -g->radius[1], cores.normal)};
  const v3 place = choose_place(t, points);
  v3 directions[3] = {cores.normal};
  picus_contact_turn_tangents(t->shape[0]->planar, site->direction, cores.normal, directions + 1);
  v3 speed = {0, 0, 0}, change = {0, 0, 0}, spin = {0, 0, 0}, spin_change = {0, 0, 0};
  for (int side = 0; side < 2; side++) {
    const shape_motion *m = t->motion[side];
    const double sign = side ? 1 : -1;
    const v3 arm = v3_sub(site->place, m->pose.origin),
             turned = v3_add(v3_cross(c->turn[side], m->spin), c->spin[side]);
    speed = v3_along(speed, sign, v3_add(m->velocity, v3_cross(m->spin, arm)));
    change = v3_along(change, sign, v3_add(c->velocity[side], v3_cross(turned, arm)));
    change = v3_along(change, sign, v3_cross(m->spin, v3_sub(place, c->shift[side])));
    spin = v3_along(spin, sign, m->spin);
    spin_change = v3_along(spin_change, sign, turned);
  }
  for (int row = 0; row < 3; row++) slopes[row] = v3_dot(directions[row], speed) + v3_dot(site->direction[row], change);
  if (t->has_surface) add_surface_slopes(t, site, c, place, directions, slopes);
  slopes[TOUCH_SPIN] = t->spin_factor * (v3_dot(cores.normal, spin) + v3_dot(g->normal, spin_change));
  for (int row = TOUCH_ROLL; row < TOUCH_ROWS; row++) {
    const int k = roll_direction(t, row);
    slopes[row] = v3_dot(directions[k], spin) + v3_dot(site->direction[k], spin_change);
  }
}
