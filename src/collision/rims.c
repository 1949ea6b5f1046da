/* Nearest points of a circle and a line, and of two circles. */
#include "base/elementary.h"
#include "collision/curved.h"

/* --- a circle and a line ------------------------------------------------------------------------------------------ */

/* The point (b cos, R sin) of the half x >= 0 of an ellipse with b <= R where the distance from the point (x, y), y >=
 * 0, is least: with tau = tan,
 *
 *   K(tau) = x b tau + (R^2 - b^2) tau / sqrt(1 + tau^2) - y R = 0, K rising.
 *
 * K is concave for tau > 0, so that Newton's method approaches the root from below without a step back. For x < 0, K
 * rises only up to `turn`. false: there is no root. */
static bool nearest_on_ellipse(double b, double R, double x, double y, double *cosine, double *sine) {
  const double slope = x * b, bend = (R - b) * (R + b), level = y * R;
  double turn = INFINITY;
  bool found = true;
  if (slope < 0) {
    const double ratio = picus_cbrt(bend / -slope);
    turn = ratio > 1 ? sqrt((ratio - 1) * (ratio + 1)) : 0;
    found = slope * turn + (turn > 0 ? bend * turn / picus_hypot(1, turn) : 0) >= level;
  } else if (slope * 1e300 < 1 && level >= bend) { /* flat, and the point lies beside it */
    *cosine = 0;
    *sine = 1;
    return true;
  }
  double tau = found ? 0 : turn;
  if (found && slope + bend > 0) tau = level / (slope + bend);
  if (found && slope > 0 && level > bend) tau = fmax(tau, (level - bend) / slope);
  for (int k = 0; k < 100 && found; k++) {
    const double root = picus_hypot(1, tau), value = slope * tau + bend * tau / root - level;
    const double rise = slope + bend / (root * root * root);
    const double next = tau - value / rise;
    if (!(next > tau) || !(next <= turn) || !(next < 1e300)) break;
    tau = next;
  }
  const double root = picus_hypot(1, tau);
  *cosine = 1 / root;
  *sine = tau / root;
  return found;
}

/* The line is parallel to the axis: the circle is seen as a circle. */
static bool parallel_line(const circle *rim, const line *l, nearest_points *out) {
  v3 d = v3_sub(l->from, rim->centre);
  d = v3_along(d, -v3_dot(d, rim->axis), rim->axis);
  const v3 n = v3_square(d) > 0 ? v3_unit(d) : v3_perpendicular(rim->axis);
  *out = (nearest_points){v3_length(d) - rim->radius, n, {v3_along(rim->centre, rim->radius, n), {0, 0, 0}}};
  out->point[1] = v3_along(out->point[0], out->distance, n);
  return true;
}

/* The line seen as a point, and the circle as an ellipse about the origin: x along up, y along across. */
typedef struct shadow {
  v3 up, across, lean; /* lean: in the plane of the circle, perpendicular to across, towards up */
  double b, R, x, y;
} shadow;

static shadow make_shadow(const circle *rim, const line *l, v3 across) {
  shadow s = {.across = across, .R = rim->radius};
  s.up = v3_cross(across, l->along);
  if (v3_dot(s.up, rim->axis) < 0) s.up = v3_minus(s.up);
  s.lean = v3_cross(across, rim->axis);
  if (v3_dot(s.lean, s.up) < 0) s.lean = v3_minus(s.lean);
  s.b = fmin(fabs(v3_dot(s.lean, s.up)), 1) * s.R;
  v3 d = v3_sub(l->from, rim->centre);
  d = v3_along(d, -v3_dot(d, l->along), l->along);
  s.x = v3_dot(s.up, d);
  s.y = v3_dot(s.across, d);
  return s;
}

/* side: 1: the half towards up, -1: the other one. outwards: the normal is the outer one of the ellipse. */
static bool solve_half(const circle *rim, const shadow *s, int side, bool outwards, nearest_points *out) {
  double cosine, sine;
  const bool found = nearest_on_ellipse(s->b, s->R, side * s->x, fabs(s->y), &cosine, &sine);
  cosine *= side;
  if (s->y < 0) sine = -sine;
  const v3 p = v3_along(v3_scale(s->R * cosine, s->lean), s->R * sine, s->across);
  const double px = s->b * cosine, py = s->R * sine;
  double nx = s->R * cosine, ny = s->b * sine;
  if (picus_hypot(nx, ny) < 1e-150 * s->R) { /* at the end of a flat ellipse: towards the point */
    nx = s->x - px;
    ny = s->y - py;
    if (!(picus_hypot(nx, ny) > 0)) nx = 1;
  } else if (!outwards && side < 0) {
    nx = -nx;
    ny = -ny;
  }
  const double length = picus_hypot(nx, ny);
  nx /= length;
  ny /= length;
  out->normal = v3_unit(v3_along(v3_scale(nx, s->up), ny, s->across));
  out->distance = nx * (s->x - px) + ny * (s->y - py);
  out->point[0] = v3_add(rim->centre, p);
  out->point[1] = v3_along(out->point[0], out->distance, out->normal);
  return found;
}

/* The nearest point of a half. Where it has left the half across the end of the ellipse, it goes on along the other
 * one: there the line lies beside the rim, and the distance from the ellipse is smooth. If the line has passed through
 * the disk, that distance is below the one along the direction in which the distance changes least. */
static bool follow_half(const circle *rim, const shadow *s, int side, nearest_points *out) {
  if (solve_half(rim, s, side, false, out)) return true;
  nearest_points beyond;
  if (solve_half(rim, s, -side, true, &beyond) && beyond.distance > out->distance) *out = beyond;
  return false;
}

/* Whether the front point lies ahead, in the direction of the line. */
static bool is_ahead(const shadow *s, const line *l) { return v3_dot(s->lean, l->along) > 0; }

int picus_rim_name(const circle *rim, const line *l, int which) {
  if (which != RIM_FRONT && which != RIM_BACK) return which;
  const v3 across = picus_perpendicular_to(rim->axis, l->along);
  if (v3_square(across) == 0) return which;
  const shadow s = make_shadow(rim, l, across);
  if (fabs(v3_dot(s.lean, l->along)) < 0.7) return which;
  return (which == RIM_FRONT) == is_ahead(&s, l) ? RIM_AHEAD : RIM_BEHIND;
}

bool picus_rim_line(const circle *rim, const line *l, int which, nearest_points *out) {
  const v3 across = picus_perpendicular_to(rim->axis, l->along);
  if (v3_square(across) == 0) return parallel_line(rim, l, out);
  const shadow s = make_shadow(rim, l, across);
  if (which == RIM_FRONT) return follow_half(rim, &s, 1, out);
  if (which == RIM_BACK) return follow_half(rim, &s, -1, out);
  if (which != RIM_NEAREST) return follow_half(rim, &s, (which == RIM_AHEAD) == is_ahead(&s, l) ? 1 : -1, out);
  nearest_points other; /* outside of the ellipse: the nearest point is in the half of the point */
  const bool front = solve_half(rim, &s, 1, true, out), back = solve_half(rim, &s, -1, true, &other);
  if (back && (!front || fabs(other.distance) < fabs(out->distance))) *out = other;
  return front || back;
}

/* --- two circles -------------------------------------------------------------------------------------------------- */

/* The separation of two disks along n, and what its derivatives need: the points of the rims, their tangents, and how
 * fast the points turn with n. */
typedef struct disks {
  const circle *a, *b;
} disks;
typedef struct separation {
  double value;
  v3 point[2], tangent[2];
  double turn[2];
} separation;

/* The point of a rim farthest along n. */
static v3 farthest(const circle *c, v3 n, v3 *tangent, double *turn) {
  v3 d = v3_along(n, -v3_dot(n, c->axis), c->axis);
  d = v3_along(d, -v3_dot(d, c->axis), c->axis);
  const double across = v3_length(d);
  const v3 out = across > 1e-150 ? v3_unit(d) : v3_perpendicular(c->axis);
  *tangent = v3_cross(c->axis, out);
  *turn = c->radius / fmax(across, 1e-12);
  return v3_along(c->centre, c->radius, out);
}

static separation separate(const disks *d, v3 n) {
  separation s;
  s.point[0] = farthest(d->a, n, &s.tangent[0], &s.turn[0]);
  s.point[1] = farthest(d->b, v3_minus(n), &s.tangent[1], &s.turn[1]);
  s.value = v3_dot(n, v3_sub(s.point[1], s.point[0]));
  return s;
}

/* The step of Newton's method on the sphere towards the largest separation. Second derivatives: each rim contributes
 * -turn t t^T, the sphere -value I; what would go down is turned into a step upwards. */
static v3 newton_step(const separation *s, v3 n, v3 gradient) {
  const v3 x = v3_perpendicular(n), y = v3_cross(n, x);
  double h[3] = {s->value, 0, s->value}; /* minus the second derivatives: xx, xy, yy */
  for (int k = 0; k < 2; k++) {
    const double tx = v3_dot(s->tangent[k], x), ty = v3_dot(s->tangent[k], y);
    h[0] += s->turn[k] * tx * tx;
    h[1] += s->turn[k] * tx * ty;
    h[2] += s->turn[k] * ty * ty;
  }
  const double middle = (h[0] + h[2]) / 2, size = picus_hypot((h[0] - h[2]) / 2, h[1]), least = middle - size;
  const double floor_value = 1e-13 * (fabs(middle) + size);
  const double shift = least > floor_value ? 0 : floor_value - 2 * least;
  const double a = h[0] + shift, b = h[1], c = h[2] + shift, det = a * c - b * b;
  const double gx = v3_dot(gradient, x), gy = v3_dot(gradient, y);
  if (!(det > 0)) return (v3){0, 0, 0};
  double dx = (c * gx - b * gy) / det, dy = (a * gy - b * gx) / det;
  const double length = picus_hypot(dx, dy);
  if (length > 0.5) {
    dx *= 0.5 / length;
    dy *= 0.5 / length;
  }
  return v3_along(v3_scale(dx, x), dy, y);
}

/* Newton's method for the angles of two points, given by the unit vectors out from the centres, whose distance has no
 * slope. */
static nearest_points meet(const circle *a, const circle *b, v3 out[2]) {
  const circle *both[2] = {a, b};
  const double R = a->radius, S = b->radius;
  v3 point[2], tangent[2];
  for (int round = 0;; round++) {
    for (int k = 0; k < 2; k++) {
      point[k] = v3_along(both[k]->centre, both[k]->radius, out[k]);
      tangent[k] = v3_cross(both[k]->axis, out[k]);
    }
    const v3 r = v3_sub(point[1], point[0]);
    const double f[2] = {-R * v3_dot(r, tangent[0]), S * v3_dot(r, tangent[1])};
    const double xx = R * R + R * v3_dot(r, out[0]), yy = S * S - S * v3_dot(r, out[1]);
    const double xy = -R * S * v3_dot(tangent[0], tangent[1]), det = xx * yy - xy * xy;
    if (round == 30 || !(det > 1e-14 * R * R * S * S)) break;
    const double step[2] = {-(yy * f[0] - xy * f[1]) / det, -(xx * f[1] - xy * f[0]) / det};
    const double size = fmax(fabs(step[0]), fabs(step[1]));
    if (size < 1e-17) break;
    for (int k = 0; k < 2; k++) {
      const double angle = size > 0.3 ? step[k] * 0.3 / size : step[k];
      out[k] = v3_unit(v3_along(v3_scale(picus_cos(angle), out[k]), picus_sin(angle), tangent[k]));
    }
  }
  v3 n = picus_perpendicular_to(tangent[0], tangent[1]);
  if (v3_square(n) == 0) n = a->axis;
  if (v3_dot(n, a->axis) < 0) n = v3_minus(n);
  return (nearest_points){v3_dot(n, v3_sub(point[1], point[0])), n, {point[0], point[1]}};
}

/* Whether both disks look at each other along n: elsewhere other features of the cylinders lie between them. */
static bool is_between(const disks *d, v3 n) {
  return v3_dot(n, d->a->axis) >= -1e-14 && v3_dot(n, d->b->axis) <= 1e-14;
}
/* The direction of the border nearest to one beyond it. With almost equal axes, the directions between the disks are a
 * thin sector: what leaves it on both sides goes to the edge where its borders meet. */
static v3 put_between(const disks *d, v3 n) {
  const double a = v3_dot(n, d->a->axis);
  v3 moved = a < 0 ? v3_along(n, -a, d->a->axis) : n;
  const double b = v3_dot(moved, d->b->axis);
  if (b > 0) moved = v3_along(moved, -b, d->b->axis);
  if (!(v3_square(moved) > 1e-12)) return n;
  moved = v3_unit(moved);
  if (is_between(d, moved)) return moved;
  const v3 edge = picus_perpendicular_to(d->a->axis, d->b->axis);
  if (v3_square(edge) == 0) return n;
  return v3_dot(n, edge) < 0 ? v3_minus(edge) : edge;
}

/* Uphill from n, until round-off or the border ends it. */
static separation climb(const disks *d, v3 *n) {
  separation s = separate(d, *n);
  const double round_off = 1e-15 * (d->a->radius + d->b->radius + v3_length(v3_sub(d->b->centre, d->a->centre)));
  for (int round = 0; round < 30; round++) {
    const v3 w = v3_sub(s.point[1], s.point[0]), gradient = v3_along(w, -v3_dot(*n, w), *n);
    v3 step = newton_step(&s, *n, gradient);
    bool better = false;
    for (int half = 0; half < 8 && !better; half++, step = v3_scale(0.5, step)) {
      const v3 next = put_between(d, v3_unit(v3_add(*n, step)));
      const separation t = separate(d, next);
      const v3 v = v3_sub(t.point[1], t.point[0]);
      const double slope = v3_length(v3_along(v, -v3_dot(next, v), next));
      const bool steeper = slope >= 0.5 * v3_length(gradient);
      better = t.value > s.value + round_off || (t.value >= s.value - round_off && !steeper);
      if (!better) continue;
      s = t;
      *n = next;
    }
    if (!better) break;
  }
  return s;
}

static bool is_top(const disks *d, const separation *s, v3 n) {
  const v3 w = v3_sub(s->point[1], s->point[0]);
  return v3_length(v3_along(w, -v3_dot(n, w), n)) <= 1e-10 * (d->a->radius + d->b->radius + v3_length(w));
}

/* Near the axis of a disk the separation has a sharp top beside which Newton's method for directions creeps; that for
 * angles does not. Returns whether it arrives. */
static bool polish(const disks *d, v3 *n, separation *s) {
  v3 out[2] = {v3_unit(v3_sub(s->point[0], d->a->centre)), v3_unit(v3_sub(s->point[1], d->b->centre))};
  const nearest_points found = meet(d->a, d->b, out);
  if (!is_between(d, found.normal)) return false;
  const separation t = separate(d, found.normal);
  if (!is_top(d, &t, found.normal) || t.value < s->value) return false;
  *n = found.normal;
  *s = t;
  return true;
}

/* A start of the search, the same one for both orders of the disks. */
static v3 combine(const disks *d, const int part[4]) {
  const v3 between = v3_sub(d->b->centre, d->a->centre), cross = v3_cross(d->a->axis, d->b->axis);
  const v3 beside = v3_along(between, -v3_dot(between, d->a->axis), d->a->axis);
  v3 sum = v3_along(v3_scale(part[0], d->a->axis), -part[1], d->b->axis);
  /* not at the axes, where the separation has a sharp top */
  if (v3_square(beside) > 0)
    sum = v3_along(sum, 0.03, v3_unit(beside));
  else
    sum = v3_along(sum, 0.03, v3_perpendicular(d->a->axis));
  if (v3_square(between) > 0) sum = v3_along(sum, part[2], v3_unit(between));
  if (v3_square(cross) > 1e-20) sum = v3_along(sum, part[3] + 0.02, v3_unit(cross));
  return sum;
}

/* The best of several ways uphill: if the disks overlap, there may be several tops. */
static nearest_points between_disks(const disks *d) {
  enum { STARTS = 6 };
  v3 start[STARTS];
  double value[STARTS];
  int count = 0;
  for (int k = 0; k < 36; k++) {
    const int part[4] = {k & 1, k >> 1 & 1, k / 4 % 3 - 1, k / 12 - 1};
    const v3 sum = combine(d, part);
    if (!(v3_length(sum) > 1e-3)) continue;
    const v3 n = put_between(d, v3_unit(sum));
    bool known = !is_between(d, n);
    for (int i = 0; i < count; i++) known = known || v3_dot(n, start[i]) > 0.99;
    if (known) continue;
    const double here = separate(d, n).value;
    int at = count < STARTS ? count++ : STARTS;
    for (; at > 0 && value[at - 1] < here; at--)
      if (at < STARTS) {
        start[at] = start[at - 1];
        value[at] = value[at - 1];
      }
    if (at == STARTS) continue;
    start[at] = n;
    value[at] = here;
  }
  v3 best_n = d->a->axis;
  separation best = separate(d, best_n);
  bool best_is_top = false;
  for (int k = 0; k < count; k++) {
    v3 n = start[k];
    separation s = climb(d, &n);
    bool top = is_top(d, &s, n);
    if (!top) top = polish(d, &n, &s);
    if (k && (best_is_top > top || (best_is_top == top && s.value <= best.value))) continue;
    best = s;
    best_n = n;
    best_is_top = top;
    if (top && s.value > 0) break; /* apart there is one top only */
  }
  return (nearest_points){best.value, best_n, {best.point[0], best.point[1]}};
}

/* Where two circles in almost parallel planes cross, seen along the axis. */
static nearest_points at_crossing(const circle *a, const circle *b, int side) {
  const v3 between = v3_sub(b->centre, a->centre), d = v3_along(between, -v3_dot(between, a->axis), a->axis);
  const double length = v3_length(d), R = a->radius, S = b->radius;
  const v3 to = length > 0 ? v3_unit(d) : v3_perpendicular(a->axis), beside = v3_cross(a->axis, to);
  double cosine = length > 0 ? (length * length + R * R - S * S) / (2 * length * R) : 1;
  cosine = fmin(fmax(cosine, -1), 1);
  v3 out[2];
  out[0] = v3_along(v3_scale(cosine, to), side * sqrt(1 - cosine * cosine), beside);
  v3 guess = v3_sub(v3_along(a->centre, R, out[0]), b->centre);
  guess = v3_along(guess, -v3_dot(guess, b->axis), b->axis);
  out[1] = v3_square(guess) > 0 ? v3_unit(guess) : v3_perpendicular(b->axis);
  return meet(a, b, out);
}

static bool has_arrived(const disks *d, const nearest_points *n) {
  const v3 w = v3_sub(n->point[1], n->point[0]);
  return v3_length(v3_along(w, -n->distance, n->normal)) <= 1e-10 * (d->a->radius + d->b->radius + v3_length(w));
}

nearest_points picus_rim_rim(const circle *a, const circle *b, int which) {
  if (which == RIM_FRONT || which == RIM_BACK) return at_crossing(a, b, which == RIM_FRONT ? 1 : -1);
  const disks there = {a, b}, back = {b, a};
  const nearest_points found = between_disks(&there);
  const bool arrived = has_arrived(&there, &found);
  if (arrived && found.distance >= 0) return found;
  /* each order of the disks may miss a top that the other one finds: the answer is that of both */
  const nearest_points other = between_disks(&back);
  const bool other_arrived = has_arrived(&back, &other);
  if (arrived > other_arrived || (arrived == other_arrived && other.distance <= found.distance)) return found;
  return (nearest_points){other.distance, v3_minus(other.normal), {other.point[1], other.point[0]}};
}
