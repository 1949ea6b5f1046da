/* Section forces and stresses of beams, as expressions of the displacements of the two nodes of an element. With the
 * shape functions of beam_element.c they are N = E A u', Mx = G J rx', Mz = E Iz rz', My = E Iy ry', and by equilibrium
 * Qy = -Mz', Qz = My'. At the ends of an element they are its nodal forces K d (docs/theory/beams.md). */
#include "fe/beam_element.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORCES = 6, QY = 1, QZ = 2, MX = 3, MY = 4, MZ = 5 };

static bool same_section(const picus_section *a, const picus_section *b) {
  return a->kind == b->kind && a->radius == b->radius && a->inner_radius == b->inner_radius && a->size_y == b->size_y &&
         a->size_z == b->size_z && a->area == b->area && a->Iy == b->Iy && a->Iz == b->Iz && a->torsion == b->torsion &&
         a->shear_y == b->shear_y && a->shear_z == b->shear_z && a->fibre_y == b->fibre_y && a->fibre_z == b->fibre_z &&
         a->torsion_modulus == b->torsion_modulus;
}

static bool same_kind(const picus_member *a, const picus_member *b) {
  return same_section(&a->section, &b->section) && a->density == b->density && a->young == b->young &&
         a->poisson == b->poisson && a->shear == b->shear && a->up[0] == b->up[0] && a->up[1] == b->up[1] &&
         a->up[2] == b->up[2];
}

picus_status picus_framework_keep_shape(picus_model *model, const picus_framework_def *def,
                                        picus_framework_shape *out) {
  picus_context *context = model->context;
  *out = (picus_framework_shape){.theory = def->theory, .beta = def->beta, .member_count = def->member_count};
  const size_t numbers = 3 * (size_t)def->node_count;
  out->positions = picus_allocate(context, numbers, sizeof *out->positions);
  out->members = picus_allocate(context, (size_t)def->member_count, sizeof *out->members);
  if (!out->positions || !out->members) return PICUS_ERROR_MEMORY;
  memcpy(out->positions, def->positions, numbers * sizeof *out->positions);
  double begin = 0;
  int inner = def->node_count;
  for (int i = 0; i < def->member_count; i++) {
    const picus_member *m = &def->members[i];
    if (out->kind_count == 0 || !same_kind(m, &out->kinds[out->kind_count - 1])) {
      picus_status status =
          picus_grow(context, &out->kinds, (size_t)out->kind_count, &out->kind_capacity, sizeof *out->kinds);
      if (status) return status;
      out->kinds[out->kind_count++] = *m;
    }
    out->members[i] = (picus_framework_member){m->from, m->to, m->elements, inner, out->kind_count - 1, begin};
    begin += picus_framework_length(def, m);
    inner += m->elements - 1;
  }
  return PICUS_OK;
}

/* An element and a place in it. */
typedef struct spot {
  picus_model *model;
  int structure;
  const picus_member *kind;
  beam_element element;
  int node[2]; /* from 0 */
  double xi;   /* 0 to 1 */
} spot;

static double length_of(const picus_framework_shape *shape, const picus_framework_member *m, bool spatial) {
  const picus_framework_def def = {.positions = shape->positions, .spatial = spatial};
  const picus_member member = {.from = m->from, .to = m->to};
  return picus_framework_length(&def, &member);
}

/* The member at x along all members, and x from its first node. A joint belongs to the member that begins there, or to
 * the one before it; round-off of x does not decide. */
static int member_along(const picus_framework_shape *shape, double slack, bool before, double *x) {
  int low = 0, high = shape->member_count - 1;
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    const double begin = shape->members[middle].begin;
    if (before ? *x > begin + slack : *x >= begin - slack)
      low = middle;
    else
      high = middle - 1;
  }
  *x -= shape->members[low].begin;
  return low;
}

/* The element of a member at x from its first node. */
static void place_in_member(spot *p, const picus_framework_member *m, double x, double slack, bool before) {
  const double l = p->element.length;
  const double nearest = floor(x / l + 0.5);
  double i = floor(x / l);
  if (fabs(x - nearest * l) <= slack) i = before ? nearest - 1 : nearest, x = nearest * l;
  i = fmax(0, fmin(i, m->elements - 1));
  const int k = (int)i;
  p->node[0] = k == 0 ? m->from : m->inner + k - 1;
  p->node[1] = k == m->elements - 1 ? m->to : m->inner + k;
  p->xi = fmax(0, fmin(1, x / l - i));
}

static picus_status check_station(picus_model *model, const picus_model_structure *s, const picus_station *at,
                                  double *length) {
  const picus_framework_shape *shape = &s->shape;
  const bool spatial = s->map.component_count == FORCES;
  if (at->member < -1 || at->member >= shape->member_count)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION, "'%s' has no member %d; its members are 1 to %d", s->name,
                            at->member + 1, shape->member_count);
  const int last = at->member < 0 ? shape->member_count - 1 : at->member;
  *length = length_of(shape, &shape->members[last], spatial);
  if (at->member < 0) *length += shape->members[last].begin;
  if (at->x >= -1e-9 * *length && at->x <= (1 + 1e-9) * *length) return PICUS_OK;
  char where[48] = "";
  if (at->member >= 0) snprintf(where, sizeof where, "member %d of ", at->member + 1);
  return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "x = %g is not a place of %s'%s'; x must be from 0 to %.9g",
                          at->x, where, s->name, *length);
}

static picus_status find_spot(picus_model *model, const char *framework, const picus_station *at, spot *p) {
  double length = 0;
  *p = (spot){.model = model};
  picus_status status = picus_model_find_framework(model, framework, &p->structure);
  if (status) return status;
  const picus_model_structure *s = &model->structures[p->structure];
  status = check_station(model, s, at, &length);
  if (status) return status;
  const picus_framework_shape *shape = &s->shape;
  const double slack = 1e-9 * length / s->map.node_count;
  double x = at->x;
  const int index = at->member < 0 ? member_along(shape, slack, at->before, &x) : at->member;
  const picus_framework_member *m = &shape->members[index];
  p->kind = &shape->kinds[m->kind];
  picus_member member = *p->kind;
  member.from = m->from, member.to = m->to, member.elements = m->elements;
  const picus_framework_def def = {.name = s->name,
                                   .spatial = s->map.component_count == FORCES,
                                   .positions = shape->positions,
                                   .members = &member,
                                   .theory = shape->theory,
                                   .beta = shape->beta};
  status = picus_framework_element(model, &def, 0, &p->element);
  if (!status) place_in_member(p, m, x, slack, at->before);
  return status;
}

/* Rows of the forces over the local components of both nodes, in one bending plane: moment and shear force for the
 * components (v1, s1, v2, s2) at `place`, with the sign of s. */
static void add_plane(const spot *p, bool is_xy, double rows[FORCES][BEAM_ORDER]) {
  const beam_element *e = &p->element;
  const double l = e->length, xi = p->xi, phi = picus_beam_element_shear(e, is_xy),
               EI = e->young * (is_xy ? e->Iz : e->Iy);
  const double sign = is_xy ? 1 : -1, scale = EI / (l * (1 + phi));
  const int v = is_xy ? 1 : 2, s = is_xy ? 5 : 4;
  double *moment = rows[is_xy ? MZ : MY], *shear = rows[is_xy ? QY : QZ];
  moment[v] = sign * scale * 6 * (2 * xi - 1) / l;
  moment[v + 6] = -moment[v];
  moment[s] = scale * (6 * xi - 4 - phi);
  moment[s + 6] = scale * (6 * xi - 2 + phi);
  shear[v] = -scale * 12 / (l * l);
  shear[v + 6] = -shear[v];
  shear[s] = shear[s + 6] = -sign * scale * 6 / l;
}

static void fill_rows(const spot *p, double rows[FORCES][BEAM_ORDER]) {
  const beam_element *e = &p->element;
  memset(rows, 0, FORCES * sizeof rows[0]);
  rows[0][6] = e->young * e->area / e->length;
  rows[0][0] = -rows[0][6];
  rows[MX][MX + 6] = e->shear * e->torsion / e->length;
  rows[MX][MX] = -rows[MX][MX + 6];
  add_plane(p, true, rows);
  add_plane(p, false, rows);
}

/* The twelve components d + beta v of both nodes along the local axes. */
static picus_status read_components(const spot *p, picus_expr local[BEAM_ORDER]) {
  picus_model *model = p->model;
  picus_pool *pool = model->pool;
  const picus_model_structure *s = &model->structures[p->structure];
  const double beta = s->shape.beta;
  const bool spatial = s->map.component_count == FORCES;
  const char *name = s->name;
  const int first = s->first;
  picus_expr global[BEAM_ORDER];
  for (int i = 0; i < BEAM_ORDER; i++) {
    picus_expr v;
    global[i] = picus_number(pool, 0);
    if (!spatial && i % 6 > 1 && i % 6 < 5) continue;
    picus_status status =
        picus_model_beam_node(model, name, p->node[i / 6] + first, (picus_component)(i % 6), &global[i], &v);
    if (status) return status;
    if (beta > 0) global[i] = picus_add(pool, global[i], picus_mul(pool, picus_number(pool, beta), v));
  }
  for (int i = 0; i < BEAM_ORDER; i++) {
    local[i] = picus_number(pool, 0);
    for (int k = 0; k < 3; k++) {
      const double cosine = p->element.axes[3 * (i % 3) + k];
      if (cosine != 0)
        local[i] = picus_add(pool, local[i], picus_mul(pool, picus_number(pool, cosine), global[3 * (i / 3) + k]));
    }
  }
  return picus_pool_status(pool);
}

static picus_status find_forces(const spot *p, picus_expr forces[FORCES]) {
  picus_pool *pool = p->model->pool;
  picus_expr local[BEAM_ORDER];
  double rows[FORCES][BEAM_ORDER];
  picus_status status = read_components(p, local);
  fill_rows(p, rows);
  for (int f = 0; !status && f < FORCES; f++) {
    forces[f] = picus_number(pool, 0);
    for (int i = 0; i < BEAM_ORDER; i++)
      if (rows[f][i] != 0)
        forces[f] = picus_add(pool, forces[f], picus_mul(pool, picus_number(pool, rows[f][i]), local[i]));
  }
  return status ? status : picus_pool_status(pool);
}

picus_status picus_model_section_forces(picus_model *model, const char *framework, const picus_station *at,
                                        picus_section_forces *out) {
  spot p;
  picus_expr f[FORCES];
  *out = (picus_section_forces){PICUS_FAILED_EXPR, PICUS_FAILED_EXPR, PICUS_FAILED_EXPR,
                                PICUS_FAILED_EXPR, PICUS_FAILED_EXPR, PICUS_FAILED_EXPR};
  picus_status status = find_spot(model, framework, at, &p);
  if (!status) status = find_forces(&p, f);
  if (!status) *out = (picus_section_forces){f[0], f[QY], f[QZ], f[MX], f[MY], f[MZ]};
  return status;
}

static picus_expr scaled(picus_pool *pool, double factor, picus_expr a) {
  return picus_mul(pool, picus_number(pool, factor), a);
}

static picus_expr square(picus_pool *pool, picus_expr a) { return picus_mul(pool, a, a); }

/* Stresses of both planes together: as vectors if the section is round, otherwise their sizes. */
static picus_expr both(picus_pool *pool, bool as_vectors, picus_expr a, picus_expr b) {
  double value;
  const bool single = picus_expr_is_number(pool, b, &value) && value == 0;
  const bool squares = as_vectors && !single;
  const picus_expr of_b = squares ? square(pool, b) : picus_unary(pool, PICUS_ABS, b);
  const picus_expr of_a = squares ? square(pool, a) : picus_unary(pool, PICUS_ABS, a),
                   sum = picus_add(pool, of_a, of_b);
  return squares ? picus_unary(pool, PICUS_SQRT, sum) : sum;
}

picus_status picus_model_section_stresses(picus_model *model, const char *framework, const picus_station *at,
                                          picus_section_stresses *out) {
  spot p;
  picus_expr f[FORCES];
  picus_pool *pool = model->pool;
  *out = (picus_section_stresses){PICUS_FAILED_EXPR, PICUS_FAILED_EXPR, PICUS_FAILED_EXPR};
  picus_status status = find_spot(model, framework, at, &p);
  if (status) return status;
  const picus_model_structure *s = &model->structures[p.structure];
  const char *missing = picus_section_stress_fault(&p.kind->section, s->map.component_count == FORCES);
  if (missing)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "stresses of '%s' need '%s' of its given section, greater than 0", s->name, missing);
  section_stress unit;
  picus_section_stress(&p.kind->section, p.kind->poisson, &unit);
  status = find_forces(&p, f);
  if (status) return status;
  const picus_expr tension = picus_unary(pool, PICUS_ABS, scaled(pool, unit.tension, f[0]));
  const picus_expr by_y = scaled(pool, unit.bending_y, f[MY]), by_z = scaled(pool, unit.bending_z, f[MZ]);
  const picus_expr bending = both(pool, unit.round, by_z, by_y);
  const picus_expr along_z = scaled(pool, unit.shear_z, f[QZ]), along_y = scaled(pool, unit.shear_y, f[QY]);
  const picus_expr shear = both(pool, true, along_y, along_z);
  out->normal = picus_add(pool, tension, bending);
  out->shear = picus_add(pool, shear, picus_unary(pool, PICUS_ABS, scaled(pool, unit.torsion, f[MX])));
  const picus_expr of_shear = scaled(pool, 3, square(pool, out->shear));
  out->mises = picus_unary(pool, PICUS_SQRT, picus_add(pool, square(pool, out->normal), of_shear));
  return picus_pool_status(pool);
}

picus_status picus_model_fibre_stress(picus_model *model, const char *framework, const picus_station *at, double y,
                                      double z, picus_expr *out) {
  spot p;
  picus_expr f[FORCES];
  *out = PICUS_FAILED_EXPR;
  picus_status status = find_spot(model, framework, at, &p);
  if (!status && !(isfinite(y) && isfinite(z)))
    status = picus_model_fail(model, PICUS_ERROR_NUMBER,
                              "the fibre of '%s' is at (%g, %g); both must be finite numbers", framework, y, z);
  if (!status) status = find_forces(&p, f);
  if (status) return status;
  picus_pool *pool = model->pool;
  const beam_element *e = &p.element;
  picus_expr sum = scaled(pool, 1 / e->area, f[0]);
  sum = picus_add(pool, sum, scaled(pool, -y / e->Iz, f[MZ]));
  if (e->Iy > 0) sum = picus_add(pool, sum, scaled(pool, z / e->Iy, f[MY]));
  *out = sum;
  return picus_pool_status(pool);
}
