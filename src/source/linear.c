/* A flexible component: M u' = f - K (q - q_ref) - C u, with constant sparse matrices of one pattern. Its laws belong
 * to the part of expressions. */
#include "source/model_sources.h"

#include "base/internal.h"
#include "system/node_tables.h"

#include <math.h>
#include <string.h>

typedef struct linear_part {
  int n;
  int *row_start, *column;
  part_pattern pattern; /* of these */
  double *mass, *stiffness;
  double *damping; /* NULL: none */
  double *load, *reference;
  double fastest_stiffness, fastest_damping; /* as in system_part */
} linear_part;

/* One displacement vector q - q_ref. */
static picus_status work_create(const void *self, picus_context *context, void **work) {
  *work = picus_allocate(context, (size_t)((const linear_part *)self)->n, sizeof(double));
  return *work ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static void work_destroy(const void *self, picus_context *context, void *work) {
  (void)self;
  picus_release(context, work);
}

static picus_status rate(const void *self, picus_context *context, const source_point *point, double *q_dot) {
  (void)context;
  memcpy(q_dot, point->u, (size_t)((const linear_part *)self)->n * sizeof *q_dot);
  return PICUS_OK;
}

static const double *displacement(const linear_part *part, const source_point *point) {
  double *d = point->work;
  for (int i = 0; i < part->n; i++) d[i] = point->q[i] - part->reference[i];
  return d;
}

static double row_product(const linear_part *part, int i, const double *values, const double *x) {
  double sum = 0;
  for (int k = part->row_start[i]; k < part->row_start[i + 1]; k++) sum += values[k] * x[part->column[k]];
  return sum;
}

static picus_status force(const void *self, picus_context *context, const source_point *point, double *h) {
  (void)context;
  const linear_part *part = self;
  const double *d = displacement(part, point);
  picus_pattern_multiply(part->n, &part->pattern, part->stiffness, d, h);
  picus_subtract(part->n, part->load, h, h);
  for (int i = 0; part->damping && i < part->n; i++) h[i] -= row_product(part, i, part->damping, point->u);
  return PICUS_OK;
}

static picus_status gaps(const void *self, picus_context *context, const source_point *point, double *gap) {
  (void)self, (void)context, (void)point, (void)gap;
  return PICUS_OK;
}

static picus_status mass(const void *self, picus_context *context, const source_point *point, int index, double *M) {
  (void)context, (void)point, (void)index;
  const linear_part *part = self;
  memcpy(M, part->mass, (size_t)part->row_start[part->n] * sizeof *M);
  return PICUS_OK;
}

static picus_status directions(const void *self, picus_context *context, const source_point *point, double *W,
                               double *chi) {
  (void)self, (void)context, (void)point, (void)W, (void)chi;
  return PICUS_OK;
}

/* T = u^T M u / 2, V = d^T K d / 2 - f^T q */
static picus_status energy(const void *self, picus_context *context, const source_point *point, double *kinetic,
                           double *potential) {
  (void)context;
  const linear_part *part = self;
  const double *d = displacement(part, point);
  *kinetic = *potential = 0;
  for (int i = 0; i < part->n; i++) {
    *kinetic += 0.5 * point->u[i] * row_product(part, i, part->mass, point->u);
    *potential += 0.5 * d[i] * row_product(part, i, part->stiffness, d) - part->load[i] * point->q[i];
  }
  return PICUS_OK;
}

/* Damping, - u^T C u. */
static void powers(const void *self, const source_point *point, double *power, double *stored) {
  const linear_part *part = self;
  *power = *stored = 0;
  for (int i = 0; i < part->n; i++) *power -= point->u[i] * row_product(part, i, part->damping, point->u);
}

static picus_status force_jacobian(const void *self, picus_context *context, const source_point *point, int index,
                                   double *dh_dq, double *dh_du) {
  (void)context, (void)point, (void)index;
  const linear_part *part = self;
  const int count = part->row_start[part->n];
  for (int k = 0; k < count; k++) dh_dq[k] = -part->stiffness[k];
  for (int k = 0; part->damping && k < count; k++) dh_du[k] = -part->damping[k];
  return PICUS_OK;
}

static void destroy(void *self, picus_context *context) {
  linear_part *part = self;
  void *const arrays[] = {part->row_start, part->column, part->mass,     part->stiffness,
                          part->damping,   part->load,   part->reference};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) picus_release(context, arrays[i]);
  picus_release(context, part);
}

static const source_ops linear_ops = {.kind = "linear",
                                      .work_create = work_create,
                                      .work_destroy = work_destroy,
                                      .rate = rate,
                                      .force = force,
                                      .gaps = gaps,
                                      .mass = mass,
                                      .directions = directions,
                                      .energy = energy,
                                      .powers = powers,
                                      .force_jacobian = force_jacobian,
                                      .destroy = destroy};

static bool copy(picus_context *context, const void *source, size_t count, size_t size, void *out) {
  void **block = out;
  *block = picus_allocate(context, count, size);
  if (*block) memcpy(*block, source, count * size);
  return *block != NULL;
}

/* x^T A x */
static double quadratic_form(const linear_part *part, const double *values, const double *x) {
  double sum = 0;
  for (int i = 0; i < part->n; i++) sum += x[i] * row_product(part, i, values, x);
  return sum;
}

/* The highest mode by power iteration with M^-1 K. The initial vector alternates, as high modes do, and is not
 * symmetric. The quotient approaches the square of its frequency from below. */
static void find_highest_mode(const linear_part *part, const part_matrix *M, double *x, double *y) {
  enum { ITERATIONS = 40 };
  for (int i = 0; i < part->n; i++) x[i] = (i % 2 ? -1 : 1) * (1 + fmod(0.6180339887498949 * i, 1.0));
  for (int k = 0; k < ITERATIONS; k++) {
    double largest = 0;
    for (int i = 0; i < part->n; i++) y[i] = row_product(part, i, part->stiffness, x);
    picus_part_matrix_solve(M, y);
    for (int i = 0; i < part->n; i++) largest = fmax(largest, fabs(y[i]));
    if (!(largest > 0) || !isfinite(largest)) return;
    for (int i = 0; i < part->n; i++) x[i] = y[i] / largest;
  }
}

/* Stiffness and damping of the highest mode, which limit the steps of explicit schemes. */
static void find_fastest(linear_part *part, const part_matrix *M, double *x, double *y) {
  find_highest_mode(part, M, x, y);
  double mass = quadratic_form(part, part->mass, x);
  double stiffness = quadratic_form(part, part->stiffness, x) / mass;
  double damping = part->damping ? quadratic_form(part, part->damping, x) / mass : 0;
  if (!(stiffness > 0) || !isfinite(stiffness + damping)) return;
  part->fastest_stiffness = stiffness;
  part->fastest_damping = damping;
}

static picus_status examine_mass(picus_context *context, const picus_model_structure *structure, linear_part *part) {
  part_matrix M = {0};
  double *x = picus_allocate(context, 2 * (size_t)part->n, sizeof *x);
  picus_status status = x ? picus_part_matrix_create(context, part->n, &part->pattern, &M) : PICUS_ERROR_MEMORY;
  if (!status) {
    memcpy(M.values, part->mass, M.count * sizeof *M.values);
    int failed = picus_part_matrix_factor_positive(&M, false);
    if (failed >= 0)
      status = picus_fail_at(context, PICUS_ERROR_MODEL, structure->place.file, structure->place.line,
                             "the mass matrix of '%s' is not positive definite; check '%s.v%d'", structure->name,
                             structure->name, structure->first + failed);
    else
      find_fastest(part, &M, x, x + part->n);
  }
  picus_part_matrix_release(context, &M);
  picus_release(context, x);
  return status;
}

picus_status picus_linear_create(picus_context *context, const picus_model_structure *structure, system_source *out) {
  linear_part *part = picus_allocate(context, 1, sizeof *part);
  if (!part) return PICUS_ERROR_MEMORY;
  const size_t n = (size_t)structure->size, entries = (size_t)structure->row_start[structure->size];
  part->n = structure->size;
  /* on failure the caller destroys the part with its system */
  *out = (system_source){.ops = &linear_ops,
                         .self = part,
                         .part_count = 1,
                         .work_count = structure->damping ? 1 : 0,
                         .directions_constant = true};
  bool all = copy(context, structure->row_start, n + 1, sizeof(int), &part->row_start) &&
             copy(context, structure->column, entries, sizeof(int), &part->column) &&
             copy(context, structure->mass, entries, sizeof(double), &part->mass) &&
             copy(context, structure->stiffness, entries, sizeof(double), &part->stiffness) &&
             copy(context, structure->load, n, sizeof(double), &part->load) &&
             copy(context, structure->reference, n, sizeof(double), &part->reference);
  if (all && structure->damping) all = copy(context, structure->damping, entries, sizeof(double), &part->damping);
  if (!all) return PICUS_ERROR_MEMORY;
  part->pattern = picus_part_pattern(part->n, part->row_start, part->column);
  return examine_mass(context, structure, part);
}

void picus_linear_describe(const system_source *source, system_part *out) {
  const linear_part *part = source->self;
  *out = (system_part){.nq = part->n,
                       .nu = part->n,
                       .mass_constant = true,
                       .identity_rates = true,
                       .position_forces = !part->damping,
                       .tangents_constant = true,
                       .fastest_stiffness = part->fastest_stiffness,
                       .fastest_damping = part->fastest_damping,
                       .pattern = &part->pattern};
}

/* --- tables of nodes ---------------------------------------------------------------------------------------------- */

/* Tables of the nodes of flexible components, made from a model; system/node_tables.c fills them. */

static picus_status copy_components(picus_context *context, const picus_model_structure *s, picus_node_table *out) {
  for (int k = 0; k < out->component_count; k++) {
    const picus_column x = picus_model_component(s, k, false), v = picus_model_component(s, k, true);
    out->displacements[k] = picus_copy_text(context, x.name);
    out->velocities[k] = picus_copy_text(context, v.name);
    out->displacement_units[k] = picus_copy_text(context, x.unit);
    out->velocity_units[k] = picus_copy_text(context, v.unit);
    if (!out->displacements[k] || !out->velocities[k] || !out->displacement_units[k] || !out->velocity_units[k])
      return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

/* The elements of a member are a chain over the nodes inside of it. */
static int *put_member(const picus_framework_member *m, int *to) {
  for (int e = 0; e < m->elements; e++) {
    *to++ = e == 0 ? m->from : m->inner + e - 1;
    *to++ = e == m->elements - 1 ? m->to : m->inner + e;
  }
  return to;
}

static picus_status copy_elements(picus_context *context, const picus_model_structure *s, picus_node_table *out) {
  size_t count = s->bar_element > 0 ? (size_t)s->size - 1 : 0;
  for (int i = 0; i < s->shape.member_count; i++) count += (size_t)s->shape.members[i].elements;
  if (count == 0) return PICUS_OK;
  int *elements = picus_allocate(context, 2 * count, sizeof *elements), *to = elements;
  if (!elements) return PICUS_ERROR_MEMORY;
  out->elements = elements;
  out->element_count = (int)count;
  const picus_framework_member bar = {.to = s->size - 1, .elements = s->size - 1, .inner = 1};
  if (s->bar_element > 0) to = put_member(&bar, to);
  for (int i = 0; i < s->shape.member_count; i++) to = put_member(&s->shape.members[i], to);
  return PICUS_OK;
}

static picus_status copy_positions(picus_context *context, const picus_model_structure *s, picus_node_table *out) {
  if (!s->map.position && !(s->bar_element > 0)) return PICUS_OK;
  double *positions = picus_allocate(context, 3 * (size_t)out->node_count, sizeof *positions);
  if (!positions) return PICUS_ERROR_MEMORY;
  out->positions = positions;
  for (size_t i = 0; i < (size_t)out->node_count; i++)
    if (!s->map.position)
      positions[3 * i] = (double)i * s->bar_element;
    else
      for (size_t k = 0; k < 3; k++) positions[3 * i + k] = s->map.position[3 * i + k];
  return PICUS_OK;
}

static picus_status make_table(picus_context *context, const picus_model_structure *s, system_node_table *table) {
  picus_node_table *out = &table->shown;
  const bool has_nodes = s->map.node_count > 0;
  out->first = s->first;
  out->node_count = has_nodes ? s->map.node_count : s->size;
  out->component_count = has_nodes ? s->map.component_count : 1;
  out->name = picus_copy_text(context, s->name);
  const size_t count = (size_t)out->node_count * (size_t)out->component_count;
  table->index = picus_allocate(context, count, sizeof *table->index);
  if (!out->name || !table->index) return PICUS_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) table->index[i] = has_nodes ? s->map.index[i] : (int)i;
  picus_status status = copy_components(context, s, out);
  if (!status) status = copy_positions(context, s, out);
  return status ? status : copy_elements(context, s, out);
}

picus_status picus_system_make_node_tables(const picus_model *model, picus_system *system) {
  size_t q = (size_t)model->coordinate_count, u = (size_t)model->velocity_count;
  int count = 0;
  for (int i = 0; i < model->structure_count; i++) count += model->structures[i].has_table;
  if (count == 0) return PICUS_OK;
  system->node_tables = picus_allocate(system->context, (size_t)count, sizeof *system->node_tables);
  if (!system->node_tables) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < model->structure_count; i++) {
    const picus_model_structure *s = &model->structures[i];
    if (s->has_table) {
      system_node_table *table = &system->node_tables[system->node_table_count++];
      table->q0 = q, table->u0 = u;
      status = make_table(system->context, s, table);
    }
    q += (size_t)s->size;
    u += (size_t)s->size;
  }
  return status;
}
