/* Frameworks of beams: checks, numbering, and the sum of the matrices of elements, bodies and springs. */
#include "base/elementary.h"
#include "fe/beam_element.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES_MOST = 10000000, COMPONENTS = 6 };

picus_framework_def picus_default_framework_def(void) {
  return (picus_framework_def){.torsion_damping = -1, .record_count = -1, .table = -1};
}

picus_member picus_default_member(void) { return (picus_member){.elements = 1, .poisson = 0.3}; }

/* The components of a node that are used: all, or those of the plane. */
static int component_count(const picus_framework_def *def) { return def->spatial ? COMPONENTS : 3; }
static int component_at(const picus_framework_def *def, int k) { return def->spatial || k < 2 ? k : PICUS_RZ; }

static picus_status check_positive(picus_model *model, const picus_framework_def *def, int member, const char *what,
                                   double value) {
  if (value > 0 && isfinite(value)) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                          "the %s of member %d of '%s' is %g; it must be greater than 0 and finite", what, member + 1,
                          def->name, value);
}

static picus_status check_node(picus_model *model, const picus_framework_def *def, const char *what, int node) {
  if (node >= 0 && node < def->node_count) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                          "%s of '%s' is at node %d, which is not there; the nodes are %d to %d", what, def->name,
                          node + def->first, def->first, def->first + def->node_count - 1);
}

double picus_framework_length(const picus_framework_def *def, const picus_member *member) {
  double sum = 0;
  for (int i = 0; i < (def->spatial ? 3 : 2); i++) {
    double d = def->positions[3 * member->to + i] - def->positions[3 * member->from + i];
    sum += d * d;
  }
  return sqrt(sum);
}

static picus_status check_spin(picus_model *model, const picus_framework_def *def, int index) {
  const picus_member *member = &def->members[index];
  const double *a = def->positions + 3 * member->from, *b = def->positions + 3 * member->to;
  const double across = picus_hypot(b[1] - a[1], b[2] - a[2]);
  if (!def->spatial)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "'%s' is planar and cannot spin; make it spatial", def->name);
  if (across > 1e-9 * fabs(b[0] - a[0]))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "'%s' spins about the x axis, but its member %d is not parallel to this axis", def->name,
                            index + 1);
  beam_element e = {0};
  picus_section_properties(&member->section, member->poisson, &e);
  if (!def->rotating && fabs(e.Iy - e.Iz) > 1e-9 * (e.Iy + e.Iz))
    return picus_model_fail(
        model, PICUS_ERROR_ARGUMENT,
        "'%s' spins in inertial axes, but the section of its member %d has different moments Iy and "
        "Iz; use rotating axes",
        def->name, index + 1);
  return PICUS_OK;
}

static picus_status check_member(picus_model *model, const picus_framework_def *def, int index) {
  const picus_member *m = &def->members[index];
  picus_status status = check_node(model, def, "an end of a member", m->from);
  if (!status) status = check_node(model, def, "an end of a member", m->to);
  if (status) return status;
  if (m->elements < 1 || m->elements > NODES_MOST)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION, "member %d of '%s' has %d elements; it must have 1 to %d",
                            index + 1, def->name, m->elements, NODES_MOST);
  double value;
  const char *fault = picus_section_fault(&m->section, def->spatial, def->theory, &value);
  if (fault) return check_positive(model, def, index, fault, value);
  if (m->section.kind == PICUS_SECTION_TUBE && m->section.inner_radius >= m->section.radius)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "the inner radius of member %d of '%s' is %g; it must be smaller than the radius %g",
                            index + 1, def->name, m->section.inner_radius, m->section.radius);
  status = check_positive(model, def, index, "length", picus_framework_length(def, m));
  if (!status) status = check_positive(model, def, index, "density", m->density);
  if (!status) status = check_positive(model, def, index, "Young's modulus", m->young);
  if (!status && m->shear != 0) status = check_positive(model, def, index, "shear modulus", m->shear);
  if (!status && !(m->poisson > -1 && m->poisson <= 0.5))
    status = picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                              "Poisson's ratio of member %d of '%s' is %g; it must be above -1 and at most 0.5",
                              index + 1, def->name, m->poisson);
  if (!status && def->spin != 0) status = check_spin(model, def, index);
  return status;
}

static picus_status check_numbers(picus_model *model, const picus_framework_def *def, const char *what, int count,
                                  const double *values) {
  for (int i = 0; i < count; i++) {
    picus_status status = picus_model_check_finite(model, values[i], what, def->name);
    if (status) return status;
  }
  return PICUS_OK;
}

static picus_status check_not_negative(picus_model *model, const picus_framework_def *def, const char *what, int count,
                                       const double *values) {
  for (int i = 0; i < count; i++)
    if (!(values[i] >= 0 && isfinite(values[i])))
      return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%s of '%s' is %g; it must not be negative", what, def->name,
                              values[i]);
  return PICUS_OK;
}

static picus_status check_body(picus_model *model, const picus_framework_def *def, const picus_node_body *body) {
  picus_status status = check_node(model, def, "a body", body->node);
  if (!status) status = check_not_negative(model, def, "the mass of a body", 1, &body->mass);
  if (!status) status = check_not_negative(model, def, "a moment of inertia of a body", 3, body->inertia);
  if (!status) status = check_numbers(model, def, "the offset of a body of", 3, body->offset);
  if (status || def->spin == 0 || def->rotating) return status;
  if (fabs(body->inertia[1] - body->inertia[2]) > 1e-9 * body->inertia[1] || body->offset[1] != 0 ||
      body->offset[2] != 0)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "'%s' spins in inertial axes, but its body at node %d is not symmetric about the x axis; "
                            "use rotating axes",
                            def->name, body->node + def->first);
  return PICUS_OK;
}

static picus_status check_spring(picus_model *model, const picus_framework_def *def, const picus_node_spring *spring) {
  picus_status status = check_node(model, def, "a spring", spring->node);
  if (!status && spring->to != -1) status = check_node(model, def, "a spring", spring->to);
  if (!status) status = check_not_negative(model, def, "the stiffness of a spring", COMPONENTS, spring->stiffness);
  return status ? status : check_not_negative(model, def, "the damping of a spring", COMPONENTS, spring->damping);
}

static picus_status check_attachments(picus_model *model, const picus_framework_def *def) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < def->support_count; i++)
    status = check_node(model, def, "a support", def->supports[i].node);
  for (int i = 0; !status && i < def->body_count; i++) status = check_body(model, def, &def->bodies[i]);
  for (int i = 0; !status && i < def->spring_count; i++) status = check_spring(model, def, &def->springs[i]);
  return status;
}

static picus_status check_def(picus_model *model, const picus_framework_def *def) {
  picus_status status = picus_model_check_name(model, "framework", def->name);
  if (status) return status;
  if (def->member_count < 1 || def->node_count < 2)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                            "'%s' has %d nodes and %d members; it needs at least two nodes and one member", def->name,
                            def->node_count, def->member_count);
  status = check_numbers(model, def, "a node position of", 3 * def->node_count, def->positions);
  if (!status) status = check_numbers(model, def, "the spin of", 1, &def->spin);
  if (!status) status = check_numbers(model, def, "the gravity of", 3, def->gravity);
  if (!status) status = check_numbers(model, def, "the start of", COMPONENTS, def->start);
  if (!status) status = check_numbers(model, def, "the initial velocity of", COMPONENTS, def->velocity_start);
  if (!status) status = check_numbers(model, def, "the torsional damping of", 1, &def->torsion_damping);
  if (!status) status = check_not_negative(model, def, "the mass-proportional damping", 1, &def->alpha);
  if (!status) status = check_not_negative(model, def, "the stiffness-proportional damping", 1, &def->beta);
  if (!status && def->rotating && def->spin != 0 && (def->gravity[1] != 0 || def->gravity[2] != 0))
    status =
        picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                         "'%s' is described in rotating axes, in which gravity across the axis is not constant; use "
                         "inertial axes, or forces as functions of time",
                         def->name);
  size_t nodes = (size_t)def->node_count;
  for (int i = 0; !status && i < def->member_count; i++) {
    status = check_member(model, def, i);
    if (!status) nodes += (size_t)def->members[i].elements - 1;
  }
  if (!status && nodes > NODES_MOST)
    status = picus_model_fail(model, PICUS_ERROR_DIMENSION, "'%s' has more than %d nodes", def->name, NODES_MOST);
  return status ? status : check_attachments(model, def);
}

/* What is summed: entries of four matrices at common places, and a load. */
typedef struct sum {
  picus_model *model;
  const picus_framework_def *def;
  picus_framework_map map;
  picus_framework_shape shape;
  int order; /* displacements */
  int *row, *column;
  double *values[4]; /* M, K, C, G */
  bool used[4];      /* has an entry that is not 0 */
  size_t count, capacity;
  double *load;
  double
      *unit_load; /* 3 x order, for a moving axis: M a for unit accelerations along the axes; NULL: it does not move */
} sum;
enum { MASS, STIFFNESS, DAMPING, GYROSCOPIC };

static bool axis_moves(const picus_framework_def *def) {
  return picus_expr_given(def->motion[0]) || picus_expr_given(def->motion[1]) || picus_expr_given(def->motion[2]);
}

static void release_sum(sum *s) {
  picus_context *context = s->model->context;
  picus_release(context, s->map.index);
  picus_release(context, s->map.place);
  picus_release(context, s->map.position);
  picus_release(context, s->unit_load);
  picus_release(context, s->row);
  picus_release(context, s->column);
  for (int m = 0; m < 4; m++) picus_release(context, s->values[m]);
  picus_release(context, s->load);
  picus_release(context, s->shape.positions);
  picus_release(context, s->shape.members);
  picus_release(context, s->shape.kinds);
}

/* Numbers the displacements of a node if that has not been done. */
static void number_node(sum *s, int node) {
  const int count = s->map.component_count;
  int *index = s->map.index + (size_t)node * (size_t)count;
  for (int k = 0; k < count; k++)
    if (index[k] == -2) {
      s->map.place[s->order] = node * count + k;
      index[k] = s->order++;
    }
}

/* Node i of a member, 0 to its elements; `inner` is the first one inside of it. */
static int member_node(const picus_member *member, int inner, int i) {
  if (i == 0) return member->from;
  return i == member->elements ? member->to : inner + i - 1;
}

/* Along the members, one after the other, so that chains have narrow bands. */
static picus_status number_displacements(sum *s) {
  const picus_framework_def *def = s->def;
  const int count = s->map.component_count;
  const size_t all = (size_t)s->map.node_count * (size_t)count;
  s->map.index = picus_allocate(s->model->context, all, sizeof(int));
  s->map.place = picus_allocate(s->model->context, all, sizeof(int));
  if (!s->map.index || !s->map.place) return PICUS_ERROR_MEMORY;
  for (size_t i = 0; i < all; i++) s->map.index[i] = -2;
  for (int i = 0; i < def->support_count; i++)
    for (int k = 0; k < count; k++)
      if (def->supports[i].fixed >> component_at(def, k) & 1) s->map.index[def->supports[i].node * count + k] = -1;
  int inner = def->node_count;
  for (int i = 0; i < def->member_count; i++) {
    const picus_member *member = &def->members[i];
    for (int j = 0; j <= member->elements; j++) number_node(s, member_node(member, inner, j));
    inner += member->elements - 1;
  }
  for (size_t i = 0; i < all; i++)
    if (s->map.index[i] == -2)
      return picus_model_fail(s->model, PICUS_ERROR_MODEL, "node %d of '%s' does not belong to a member",
                              (int)(i / (size_t)count) + def->first, def->name);
  if (s->order == 0)
    return picus_model_fail(s->model, PICUS_ERROR_MODEL, "the supports of '%s' hold every displacement", def->name);
  return PICUS_OK;
}

static picus_status reserve(sum *s, size_t more) {
  picus_context *context = s->model->context;
  if (s->count + more <= s->capacity) return PICUS_OK;
  const size_t capacity = s->count + more + s->capacity / 2;
  int *row = picus_reallocate(context, s->row, capacity, sizeof *row);
  if (row) s->row = row;
  int *column = picus_reallocate(context, s->column, capacity, sizeof *column);
  if (column) s->column = column;
  bool all = row && column;
  for (int m = 0; m < 4; m++) {
    double *values = picus_reallocate(context, s->values[m], capacity, sizeof *values);
    if (values) s->values[m] = values;
    all = all && values;
  }
  if (!all) return PICUS_ERROR_MEMORY;
  s->capacity = capacity;
  return PICUS_OK;
}

/* Adds blocks over the components of some nodes, `nodes` of 6 components each; -1: the ground. */
static picus_status add_blocks(sum *s, int nodes, const int *node, const beam_matrices *matrices, int stride) {
  const double *const blocks[4] = {matrices->M, matrices->K, matrices->C, matrices->G};
  const int count = s->map.component_count;
  picus_status status = reserve(s, (size_t)(nodes * count) * (size_t)(nodes * count));
  for (int a = 0; !status && a < nodes * count; a++)
    for (int b = 0; b < nodes * count; b++) {
      if (node[a / count] < 0 || node[b / count] < 0) continue;
      const int i = s->map.index[node[a / count] * count + a % count];
      const int j = s->map.index[node[b / count] * count + b % count];
      const int k = (COMPONENTS * (a / count) + component_at(s->def, a % count)) * stride + COMPONENTS * (b / count) +
                    component_at(s->def, b % count);
      bool any = false;
      for (int m = 0; m < 4; m++) any = any || blocks[m][k] != 0;
      if (i < 0 || j < 0 || !any) continue;
      s->row[s->count] = i;
      s->column[s->count] = j;
      for (int m = 0; m < 4; m++) {
        s->values[m][s->count] = blocks[m][k];
        s->used[m] = s->used[m] || blocks[m][k] != 0;
      }
      s->count++;
    }
  return status;
}

/* Adds M a for the acceleration of gravity, the same at all nodes, and for `nodes` nodes. */
static void add_weight(sum *s, int nodes, const int *node, const double *M, int stride) {
  const int count = s->map.component_count;
  for (int a = 0; a < nodes * count; a++) {
    const int i = s->map.index[node[a / count] * count + a % count];
    const int row = COMPONENTS * (a / count) + component_at(s->def, a % count);
    if (i < 0) continue;
    for (int n = 0; n < nodes; n++)
      for (int k = 0; k < (s->def->spatial ? 3 : 2); k++)
        s->load[i] += M[row * stride + COMPONENTS * n + k] * s->def->gravity[k];
    for (int n = 0; s->unit_load && n < nodes; n++)
      for (int k = 0; k < 3; k++) s->unit_load[3 * i + k] += M[row * stride + COMPONENTS * n + k];
  }
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(double a[3]) {
  const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  for (int i = 0; i < 3; i++) a[i] /= length;
}

/* Local axes as in flexible.h. */
static picus_status find_axes(picus_model *model, const picus_framework_def *def, int index, double axes[9]) {
  const picus_member *m = &def->members[index];
  double *x = axes, *y = axes + 3, *z = axes + 6, up[3] = {m->up[0], m->up[1], m->up[2]};
  for (int i = 0; i < 3; i++) x[i] = def->positions[3 * m->to + i] - def->positions[3 * m->from + i];
  if (!def->spatial) x[2] = 0, up[0] = 0, up[1] = 0, up[2] = 1;
  normalize(x);
  if (up[0] == 0 && up[1] == 0 && up[2] == 0) {
    const bool vertical = picus_hypot(x[0], x[1]) < 1e-9;
    up[2] = vertical ? 0 : 1;
    up[0] = vertical ? (x[2] > 0 ? -1 : 1) : 0; /* then y is the global y axis */
  }
  cross(up, x, y);
  if (!(fabs(y[0]) + fabs(y[1]) + fabs(y[2]) > 1e-9 * (fabs(up[0]) + fabs(up[1]) + fabs(up[2]))))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "'up' of member %d of '%s' is parallel to the member",
                            index + 1, def->name);
  normalize(y);
  cross(x, y, z);
  return PICUS_OK;
}

picus_status picus_framework_element(picus_model *model, const picus_framework_def *def, int index, beam_element *out) {
  const picus_member *m = &def->members[index];
  beam_element e = {.length = picus_framework_length(def, m) / m->elements,
                    .density = m->density,
                    .young = m->young,
                    .shear = m->shear > 0 ? m->shear : m->young / (2 * (1 + m->poisson)),
                    .theory = def->theory,
                    .lumped = def->lumped,
                    .spin = def->spin,
                    .rotating = def->rotating,
                    .alpha = def->alpha,
                    .beta = def->beta,
                    .torsion_damping = -1};
  if (def->torsion_damping >= 0) e.torsion_damping = def->torsion_damping * e.length;
  picus_section_properties(&m->section, m->poisson, &e);
  if (!def->spatial) e.Iy = e.torsion = 0, e.shear_z = 1; /* not used in the plane */
  *out = e;
  return find_axes(model, def, index, out->axes);
}

static picus_status add_member(sum *s, int index, int inner) {
  const picus_member *m = &s->def->members[index];
  beam_element e;
  picus_status status = picus_framework_element(s->model, s->def, index, &e);
  if (status) return status;
  beam_matrices matrices;
  picus_beam_element_matrices(&e, &matrices);
  for (int i = 0; !status && i < m->elements; i++) {
    const int node[2] = {member_node(m, inner, i), member_node(m, inner, i + 1)};
    status = add_blocks(s, 2, node, &matrices, BEAM_ORDER);
    if (!status) add_weight(s, 2, node, matrices.M, BEAM_ORDER);
  }
  return status;
}

/* T^T A T for the shift from the node to the centre of mass: velocity of the centre u + theta x offset. */
static void shift(const double offset[3], double A[36]) {
  const double o[3] = {offset[0], offset[1], offset[2]};
  const double S[9] = {0, o[2], -o[1], -o[2], 0, o[0], o[1], -o[0], 0}; /* theta x offset = S theta */
  double T[36] = {0}, B[36];
  for (int i = 0; i < COMPONENTS; i++) T[7 * i] = 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) T[COMPONENTS * i + 3 + j] = S[3 * i + j];
  for (int i = 0; i < COMPONENTS; i++)
    for (int j = 0; j < COMPONENTS; j++) {
      B[COMPONENTS * i + j] = 0;
      for (int k = 0; k < COMPONENTS; k++) B[COMPONENTS * i + j] += A[COMPONENTS * i + k] * T[COMPONENTS * k + j];
    }
  for (int i = 0; i < COMPONENTS; i++)
    for (int j = 0; j < COMPONENTS; j++) {
      A[COMPONENTS * i + j] = 0;
      for (int k = 0; k < COMPONENTS; k++) A[COMPONENTS * i + j] += T[COMPONENTS * k + i] * B[COMPONENTS * k + j];
    }
}

/* Spin about x of a body with moments J: in inertial axes its angular momentum turns with it; in rotating axes Euler's
 * equations linearized about the spin, and Coriolis and centrifugal forces at the centre of mass. */
static void add_body_spin(const picus_framework_def *def, const picus_node_body *body, beam_matrices *m) {
  const double *J = body->inertia, w = def->spin;
  const double turning = def->rotating ? -(J[1] + J[2] - J[0]) * w : J[0] * w;
  m->G[COMPONENTS * PICUS_RY + PICUS_RZ] = turning;
  m->G[COMPONENTS * PICUS_RZ + PICUS_RY] = -turning;
  if (!def->rotating) return;
  m->G[COMPONENTS * PICUS_UY + PICUS_UZ] = -2 * w * body->mass;
  m->G[COMPONENTS * PICUS_UZ + PICUS_UY] = 2 * w * body->mass;
  m->K[COMPONENTS * PICUS_UY + PICUS_UY] = m->K[COMPONENTS * PICUS_UZ + PICUS_UZ] = -w * w * body->mass;
  m->K[COMPONENTS * PICUS_RY + PICUS_RY] = (J[0] - J[2]) * w * w;
  m->K[COMPONENTS * PICUS_RZ + PICUS_RZ] = (J[0] - J[1]) * w * w;
}

/* Of the second order in the rotations, the work of the centrifugal force m w^2 a at the centre, a = (0, y, z) of the
 * offset o, is m w^2 a . (theta x (theta x o)) / 2 = m w^2 ((theta . a)(theta . o) - |a|^2 |theta|^2) / 2. */
static void add_turned_offset(const picus_framework_def *def, const picus_node_body *body, double K[36]) {
  const double *o = body->offset, a[3] = {0, o[1], o[2]}, factor = body->mass * def->spin * def->spin;
  const double square = a[1] * a[1] + a[2] * a[2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      K[COMPONENTS * (3 + i) + 3 + j] -= factor * (0.5 * (a[i] * o[j] + a[j] * o[i]) - (i == j ? square : 0));
}

static picus_status add_body(sum *s, const picus_node_body *body) {
  const picus_framework_def *def = s->def;
  beam_matrices m = {{0}, {0}, {0}, {0}};
  for (int i = 0; i < 3; i++) {
    m.M[(COMPONENTS + 1) * i] = body->mass;
    m.M[(COMPONENTS + 1) * (3 + i)] = body->inertia[i];
  }
  if (def->spin != 0) add_body_spin(def, body, &m);
  shift(body->offset, m.M);
  shift(body->offset, m.K);
  shift(body->offset, m.G);
  picus_mirror(COMPONENTS, 1, m.M);
  picus_mirror(COMPONENTS, 1, m.K);
  picus_mirror(COMPONENTS, -1, m.G);
  if (def->rotating) {
    add_turned_offset(def, body, m.K);
    const double *o = body->offset, factor = body->mass * def->spin * def->spin;
    const double force[3] = {0, factor * o[1], factor * o[2]};
    double wrench[COMPONENTS] = {force[0], force[1], force[2]};
    cross(o, force, wrench + 3);
    for (int k = 0; k < s->map.component_count; k++) {
      const int i = s->map.index[body->node * s->map.component_count + k];
      if (i >= 0) s->load[i] += wrench[component_at(def, k)];
    }
  }
  picus_status status = add_blocks(s, 1, &body->node, &m, COMPONENTS);
  if (!status) add_weight(s, 1, &body->node, m.M, COMPONENTS);
  return status;
}

static picus_status add_spring(sum *s, const picus_node_spring *spring) {
  beam_matrices m = {{0}, {0}, {0}, {0}};
  const int node[2] = {spring->node, spring->to};
  for (int c = 0; c < COMPONENTS; c++)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        const int k = (COMPONENTS * i + c) * BEAM_ORDER + COMPONENTS * j + c;
        m.K[k] = i == j ? spring->stiffness[c] : -spring->stiffness[c];
        m.C[k] = i == j ? spring->damping[c] : -spring->damping[c];
      }
  return add_blocks(s, 2, node, &m, BEAM_ORDER);
}

static picus_status add_everything(sum *s) {
  const picus_framework_def *def = s->def;
  s->load = picus_allocate(s->model->context, (size_t)s->order, sizeof *s->load);
  if (axis_moves(def)) s->unit_load = picus_allocate(s->model->context, 3 * (size_t)s->order, sizeof(double));
  picus_status status = s->load && (s->unit_load || !axis_moves(def)) ? PICUS_OK : PICUS_ERROR_MEMORY;
  int inner = def->node_count;
  for (int i = 0; !status && i < def->member_count; i++) {
    status = add_member(s, i, inner);
    inner += def->members[i].elements - 1;
  }
  for (int i = 0; !status && i < def->body_count; i++) status = add_body(s, &def->bodies[i]);
  for (int i = 0; !status && i < def->spring_count; i++) status = add_spring(s, &def->springs[i]);
  return status;
}

static picus_matrix matrix_of(const sum *s, int m) {
  return s->used[m] ? (picus_matrix){s->order, s->count, s->row, s->column, s->values[m]} : (picus_matrix){0};
}

/* Displacements of the recorded nodes into `record`; their number, or -1 after an error. */
static int list_recorded(sum *s, int *record) {
  const picus_framework_def *def = s->def;
  const int count = s->map.component_count;
  int recorded = 0;
  for (int i = 0; i < def->record_count; i++) {
    const int node = def->record[i] - def->first;
    if (node < 0 || node >= s->map.node_count) {
      picus_model_fail(s->model, PICUS_ERROR_DIMENSION, "'%s' cannot record node %d; its nodes are %d to %d", def->name,
                       def->record[i], def->first, def->first + s->map.node_count - 1);
      return -1;
    }
    for (int k = 0; k < count; k++)
      if (s->map.index[node * count + k] >= 0) record[recorded++] = s->map.index[node * count + k] + def->first;
  }
  return recorded;
}

/* The framework as a structure of the model: initial values and records of its free displacements, its matrices. */
static picus_status add_structure(sum *s) {
  const picus_framework_def *def = s->def;
  picus_context *context = s->model->context;
  const size_t record_most = def->record_count > 0 ? (size_t)def->record_count * COMPONENTS : 0;
  double *start = picus_allocate(context, 2 * (size_t)s->order, sizeof *start);
  int *record = picus_allocate(context, record_most + 1, sizeof *record);
  picus_status status = start && record ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int i = 0; !status && i < s->order; i++) {
    const int component = component_at(def, s->map.place[i] % s->map.component_count);
    start[i] = def->start[component];
    start[s->order + i] = def->velocity_start[component];
  }
  picus_structure_def structure = picus_default_structure_def();
  if (!status && def->record_count >= 0) {
    structure.record_count = list_recorded(s, record);
    if (structure.record_count < 0) status = PICUS_ERROR_DIMENSION;
  }
  if (!status) {
    structure.name = def->name;
    structure.mass = matrix_of(s, MASS), structure.stiffness = matrix_of(s, STIFFNESS);
    structure.damping = matrix_of(s, DAMPING), structure.gyroscopic = matrix_of(s, GYROSCOPIC);
    structure.load = s->load, structure.start = start, structure.velocity_start = start + s->order;
    structure.first = def->first;
    structure.record = record;
    structure.table = def->table;
    picus_framework_map map = s->map;
    picus_framework_shape shape = s->shape;
    s->map = (picus_framework_map){0};
    s->shape = (picus_framework_shape){0};
    status = picus_model_add_mapped_structure(s->model, &structure, &map, &shape);
  }
  picus_release(context, start);
  picus_release(context, record);
  return status;
}

/* Where the nodes are, those inside of members between the given ones. */
static picus_status place_nodes(sum *s) {
  const picus_framework_def *def = s->def;
  double *position = s->map.position =
      picus_allocate(s->model->context, 3 * (size_t)s->map.node_count, sizeof *position);
  if (!position) return PICUS_ERROR_MEMORY;
  const int dimension = def->spatial ? 3 : 2;
  for (int n = 0; n < def->node_count; n++)
    for (int k = 0; k < dimension; k++) position[3 * n + k] = def->positions[3 * n + k];
  for (int i = 0, node = def->node_count; i < def->member_count; i++) {
    const picus_member *m = &def->members[i];
    for (int e = 1; e < m->elements; e++, node++)
      for (int k = 0; k < dimension; k++) {
        const double from = position[3 * m->from + k], to = position[3 * m->to + k];
        position[3 * node + k] = from + (to - from) * e / m->elements;
      }
  }
  return PICUS_OK;
}

/* Relative to an axis that moves with the acceleration a, the force -M a acts; in rotating axes along their
 * directions. The second derivatives of the motion are taken here. */
static picus_status add_inertial_loads(const sum *s) {
  const picus_framework_def *def = s->def;
  picus_pool *pool = s->model->pool;
  const int time = picus_expr_variable_index(pool, s->model->time);
  picus_expr a[3];
  for (int k = 0; k < 3; k++) {
    const bool given = picus_expr_given(def->motion[k]);
    a[k] = given ? picus_derivative(pool, picus_derivative(pool, def->motion[k], time), time) : picus_number(pool, 0);
  }
  if (def->rotating && def->spin != 0) {
    const picus_expr angle = picus_mul(pool, picus_number(pool, def->spin), s->model->time);
    const picus_expr c = picus_unary(pool, PICUS_COS, angle), d = picus_unary(pool, PICUS_SIN, angle), y = a[1];
    const picus_expr z = a[2], of_z = picus_mul(pool, d, z);
    a[1] = picus_add(pool, picus_mul(pool, c, y), of_z);
    const picus_expr of_y = picus_mul(pool, d, y);
    a[2] = picus_sub(pool, picus_mul(pool, c, z), of_y);
  }
  picus_status status = picus_pool_status(pool);
  const picus_model_structure *structure = &s->model->structures[s->model->structure_count - 1];
  char account[PICUS_WORK_NAME];
  snprintf(account, sizeof account, "motion.%s", structure->name);
  s->model->account = account;
  for (int i = 0; !status && i < s->order; i++) {
    picus_expr force = picus_number(pool, 0);
    for (int k = 0; k < 3; k++)
      force = picus_sub(pool, force, picus_mul(pool, picus_number(pool, s->unit_load[3 * i + k]), a[k]));
    double value;
    if (picus_expr_is_number(pool, force, &value) && value == 0) continue;
    char name[PICUS_DISPLACEMENT_NAME];
    picus_model_displacement_name(structure, i, false, name);
    status = picus_model_add_force(s->model, name, force);
  }
  s->model->account = NULL;
  return status;
}

static picus_status check_motion(picus_model *model, const picus_framework_def *def) {
  for (int k = 0; k < 3; k++) {
    if (!picus_expr_given(def->motion[k])) continue;
    picus_dependencies on;
    picus_status status = picus_model_examine(model, def->motion[k], "the motion of the axis of", def->name, &on);
    if (status) return status;
    if (on.coordinate >= 0 || on.velocity >= 0 || on.displacement >= 0 || on.displacement_velocity >= 0 ||
        on.input >= 0)
      return picus_model_fail(model, PICUS_ERROR_MODEL,
                              "the motion of the axis of '%s' depends on the state or on an input; it may depend on "
                              "time only, a free axis is a beam without supports",
                              def->name);
  }
  return PICUS_OK;
}

picus_status picus_model_add_framework(picus_model *model, const picus_framework_def *def) {
  picus_status status = check_def(model, def);
  if (!status) status = check_motion(model, def);
  if (status) return status;
  sum s = {.model = model,
           .def = def,
           .map = {.component_count = component_count(def),
                   .node_count = def->node_count,
                   .spin = def->spin,
                   .rotating = def->rotating}};
  for (int k = 0; k < 3; k++) s.map.motion[k] = def->motion[k];
  for (int i = 0; i < def->member_count; i++) s.map.node_count += def->members[i].elements - 1;
  status = place_nodes(&s);
  if (!status) status = number_displacements(&s);
  if (!status) status = picus_framework_keep_shape(model, def, &s.shape);
  if (!status) status = add_everything(&s);
  if (!status) status = add_structure(&s);
  if (!status && s.unit_load) status = add_inertial_loads(&s);
  release_sum(&s);
  return status;
}
