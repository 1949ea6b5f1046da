/* Mass, centre and moments of inertia of shapes of constant density. A rounded shape is its core, a slab over each
 * face, a wedge of a cylinder along each edge and a sector of a sphere at each vertex; all of them have closed forms.
 * Sectors: by the divergence theorem on the cone, only the arcs between normals of faces count (Gauss and Bonnet for
 * the angle). */
#include "base/elementary.h"
#include "shape/internal.h"

#include "base/internal.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Integrals of 1, x and x x^T, row-major. */
typedef struct moments {
  double measure;
  v3 first;
  double second[9];
} moments;

/* second += factor (a b^T + b a^T) / 2 */
static void add_product(moments *m, double factor, v3 a, v3 b) {
  const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m->second[3 * i + j] += factor * (p[i] * q[j] + q[i] * p[j]) / 2;
}

static void add(moments *m, double factor, const moments *part) {
  m->measure += factor * part->measure;
  m->first = v3_along(m->first, factor, part->first);
  for (int k = 0; k < 9; k++) m->second[k] += factor * part->second[k];
}

/* A segment, triangle or tetrahedron of the given measure (Strang, Fix: polynomials over simplices). */
static void add_simplex(moments *m, double measure, const v3 *corners, int count) {
  v3 sum = {0, 0, 0};
  const double factor = measure / (count * (count + 1));
  for (int k = 0; k < count; k++) {
    sum = v3_add(sum, corners[k]);
    add_product(m, factor, corners[k], corners[k]);
  }
  add_product(m, factor, sum, sum);
  m->measure += measure;
  m->first = v3_along(m->first, measure / count, sum);
}

/* What a segment or a polygon sweeps on its way r along its normal. */
static void add_slab(moments *m, const moments *base, v3 n, double r) {
  add(m, r, base);
  m->first = v3_along(m->first, base->measure * r * r / 2, n);
  add_product(m, r * r, base->first, n);
  add_product(m, base->measure * r * r * r / 3, n, n);
}

/* A sector of a disk of radius r about the origin: half-angle, bisector b, and c perpendicular to it in its plane. */
static moments sector(double half, v3 b, v3 c, double r) {
  moments m = {half * r * r, v3_scale(2 * r * r * r / 3 * picus_sin(half), b), {0}};
  const double quarter = r * r * r * r / 4;
  add_product(&m, quarter * (half + picus_sin(half) * picus_cos(half)), b, b);
  add_product(&m, quarter * (half - picus_sin(half) * picus_cos(half)), c, c);
  return m;
}

static void shift(moments *m, v3 by) {
  add_product(m, 2, m->first, by);
  add_product(m, m->measure, by, by);
  m->first = v3_along(m->first, m->measure, by);
}

/* --- planar ----------------------------------------------------------------------------------------------------- */

static void add_polygon(moments *m, const polytope *p, double r) {
  for (int k = 0; k < p->vertex_count; k++) {
    const v3 from = p->vertices[k], to = p->vertices[(k + 1) % p->vertex_count], n = p->normals[k];
    const v3 last = p->normals[(k + p->vertex_count - 1) % p->vertex_count];
    const v3 corners[3] = {p->vertices[0], from, to}, side[2] = {from, to};
    moments segment = {0};
    add_simplex(m, v3_cross(v3_sub(from, corners[0]), v3_sub(to, corners[0])).z / 2, corners, 3);
    add_simplex(&segment, v3_length(v3_sub(to, from)), side, 2);
    add_slab(m, &segment, n, r);
    double half = picus_atan2(v3_cross(last, n).z, v3_dot(last, n)) / 2;
    if (half < 0) half += pi; /* two sides back to back */
    v3 b = {picus_cos(half) * last.x - picus_sin(half) * last.y, picus_sin(half) * last.x + picus_cos(half) * last.y,
            0};
    moments corner = sector(half, b, (v3){-b.y, b.x, 0}, r);
    shift(&corner, from);
    add(m, 1, &corner);
  }
}

/* --- spatial ---------------------------------------------------------------------------------------------------- */

static void add_face(moments *m, const polytope *p, int f, double r) {
  const int *loop = p->loops + p->faces[f].first;
  const v3 origin = p->vertices[0], first = p->vertices[loop[0]];
  moments area = {0};
  for (int k = 1; k + 1 < p->faces[f].count; k++) {
    const v3 b = p->vertices[loop[k]], c = p->vertices[loop[k + 1]];
    const v3 twice = v3_cross(v3_sub(b, first), v3_sub(c, first));
    add_simplex(&area, v3_length(twice) / 2, (v3[3]){first, b, c}, 3);
    add_simplex(m, v3_dot(v3_sub(first, origin), twice) / 6, (v3[4]){origin, first, b, c}, 4);
  }
  add_slab(m, &area, p->normals[f], r);
}

/* Half of the angle between the normals of the faces of an edge. */
static double half_angle(const polytope *p, const polytope_edge *e) {
  v3 a = p->normals[e->face[0]], b = p->normals[e->face[1]];
  return picus_atan2(v3_length(v3_cross(a, b)), v3_dot(a, b)) / 2;
}

static void add_wedge(moments *m, const polytope *p, const polytope_edge *e, double r) {
  const v3 ends[2] = {p->vertices[e->vertex[0]], p->vertices[e->vertex[1]]};
  const double length = v3_length(v3_sub(ends[1], ends[0]));
  const moments cut = sector(half_angle(p, e), e->outward, v3_cross(p->directions[e->direction], e->outward), r);
  moments line = {0};
  add_simplex(&line, length, ends, 2);
  add(m, length, &(moments){.first = cut.first}); /* the sector, moved along the line */
  for (int k = 0; k < 9; k++) m->second[k] += length * cut.second[k];
  add_product(m, 2, line.first, cut.first);
  add(m, cut.measure, &line);
}

/* The angle of a face at one of its corners; 0: it is no corner. */
static double angle_at(const polytope *p, int f, int vertex) {
  const int *loop = p->loops + p->faces[f].first, count = p->faces[f].count;
  for (int k = 0; k < count; k++) {
    if (loop[k] != vertex) continue;
    v3 a = v3_sub(p->vertices[loop[(k + 1) % count]], p->vertices[vertex]);
    v3 b = v3_sub(p->vertices[loop[(k + count - 1) % count]], p->vertices[vertex]);
    return picus_atan2(v3_length(v3_cross(a, b)), v3_dot(a, b));
  }
  return 0;
}

static void add_sphere_sector(moments *m, const polytope *p, int vertex, double r) {
  double angle = 2 * pi;
  for (int f = 0; f < p->face_count; f++) angle -= angle_at(p, f, vertex);
  moments s = {.measure = angle * r * r * r / 3};
  for (int k = 0; k < 3; k++) s.second[4 * k] = angle / 3 * picus_pow(r, 5) / 5;
  for (int k = 0; k < p->edge_count; k++) {
    const polytope_edge *e = &p->edges[k];
    if (e->vertex[0] != vertex && e->vertex[1] != vertex) continue;
    const v3 other = p->vertices[e->vertex[e->vertex[0] == vertex]];
    const v3 inwards = v3_unit(v3_sub(p->vertices[vertex], other));
    const double half = half_angle(p, e);
    s.first = v3_along(s.first, half * picus_pow(r, 4) / 4, inwards);
    add_product(&s, 2 * picus_sin(half) / 3 * picus_pow(r, 5) / 5, e->outward, inwards);
  }
  shift(&s, p->vertices[vertex]);
  add(m, 1, &s);
}

static void add_polyhedron(moments *m, const polytope *p, double r) {
  for (int f = 0; f < p->face_count; f++) add_face(m, p, f, r);
  for (int k = 0; k < p->edge_count && r > 0; k++) add_wedge(m, p, &p->edges[k], r);
  for (int k = 0; k < p->vertex_count && r > 0; k++) add_sphere_sector(m, p, k, r);
}

/* A sphere, cut at its equator, with a cylinder of length l between the halves. */
static void add_capsule(moments *m, double l, double r) {
  const double ball = 4 * pi / 3 * r * r * r, tube = pi * r * r * l;
  m->measure = ball + tube;
  m->second[0] = m->second[4] = ball * r * r / 5 + tube * r * r / 4;
  m->second[8] = ball * (r * r / 5 + l * l / 4 + 3 * r * l / 8) + tube * l * l / 12;
}

/* Core, slabs over its ends, shell around its side, and two quarters of a ring: with rho = R + u and z = H + w, u and w
 * run over a quarter of a disk, whose moments are known (Pappus). */
static void add_cylinder(moments *m, double H, double R, double r) {
  const double S = R + r, A = pi * r * r / 4, u = r * r * r / 3, uu = pi * picus_pow(r, 4) / 16,
               uuu = 2 * picus_pow(r, 5) / 15;
  const double uw = picus_pow(r, 4) / 8, uww = picus_pow(r, 5) / 15;
  const double tube = 2 * H * pi * S * S, ends = 2 * r * pi * R * R, middle = H + r / 2;
  m->measure = tube + ends + 4 * pi * (R * A + u);
  const double xx = tube * S * S / 4 + ends * R * R / 4 + 2 * pi * (R * R * R * A + 3 * R * R * u + 3 * R * uu + uuu);
  m->second[0] = m->second[4] = xx;
  m->second[8] = tube * H * H / 3 + ends * (middle * middle + r * r / 12) +
                 4 * pi * (R * (H * H * A + 2 * H * u + uu) + H * H * u + 2 * H * uw + uww);
}

static void add_ellipsoid(moments *m, v3 r) {
  const double square[3] = {r.x * r.x, r.y * r.y, r.z * r.z};
  m->measure = 4 * pi / 3 * r.x * r.y * r.z;
  for (int k = 0; k < 3; k++) m->second[4 * k] = m->measure * square[k] / 5;
}

/* --- result ----------------------------------------------------------------------------------------------------- */

static void integrate(const picus_shape *shape, moments *m) {
  const polytope *p = &shape->polytope;
  const double r = shape->radius;
  if (shape->core == CORE_CYLINDER)
    add_cylinder(m, shape->half_length, shape->core_radius, r);
  else if (shape->core == CORE_ELLIPSOID)
    add_ellipsoid(m, shape->radii);
  else if (shape->planar && p->face_count)
    add_polygon(m, p, r);
  else if (shape->planar)
    *m = sector(pi, (v3){1, 0, 0}, (v3){0, 1, 0}, r);
  else if (p->face_count)
    add_polyhedron(m, p, r);
  else
    add_capsule(m, p->vertex_count > 1 ? v3_length(v3_sub(p->vertices[1], p->vertices[0])) : 0, r);
}

picus_status picus_shape_mass(picus_context *context, const picus_shape *shape, double density, picus_mass *out) {
  *out = (picus_mass){0};
  if (!(density > 0 && density < INFINITY))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the density of %s %s is %g; it must be positive",
                      picus_shape_kind_article(shape->kind), picus_shape_kind_name(shape->kind), density);
  if (shape->core == CORE_HALF_SPACE || shape->core == CORE_SURFACE)
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED, "a %s has no mass; give mass and inertia of the body",
                      picus_shape_kind_name(shape->kind));
  /* about the middle of the shape, so that its place in the frame costs no digits */
  moments m = {0};
  picus_shape here = *shape;
  here.polytope.vertices = picus_allocate(context, (size_t)here.polytope.vertex_count, sizeof *here.polytope.vertices);
  if (!here.polytope.vertices) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < here.polytope.vertex_count; k++)
    here.polytope.vertices[k] = v3_sub(shape->polytope.vertices[k], shape->centre);
  integrate(&here, &m);
  picus_release(context, here.polytope.vertices);
  if (!(m.measure > 0))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a %s without thickness has no mass; give it a radius",
                      picus_shape_kind_name(shape->kind));
  const v3 centre = v3_scale(1 / m.measure, m.first);
  shift(&m, v3_minus(centre));
  out->mass = density * m.measure;
  out->centre = v3_add(shape->centre, centre);
  const double trace = m.second[0] + m.second[4] + m.second[8];
  for (int k = 0; k < 9; k++) out->inertia[k] = density * ((k % 4 ? 0 : trace) - m.second[k]);
  return PICUS_OK;
}
