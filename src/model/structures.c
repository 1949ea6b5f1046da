/* Flexible components: linear structures by constant sparse matrices, and the symbols of their displacements. */
#include "model/internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

picus_structure_def picus_default_structure_def(void) { return (picus_structure_def){.record_count = -1, .table = -1}; }

void picus_model_release_structure(picus_context *context, picus_model_structure *s) {
  void *const arrays[] = {s->row_start,   s->column,      s->mass,      s->stiffness,       s->damping,
                          s->load,        s->reference,   s->start,     s->velocity_start,  s->recorded,
                          s->node,        s->map.index,   s->map.place, s->shape.positions, s->shape.members,
                          s->shape.kinds, s->map.position};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) picus_release(context, arrays[i]);
}

static picus_status check_matrix(picus_model *model, const char *name, const char *what, const picus_matrix *matrix,
                                 int order) {
  if (matrix->order != order)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                            "the %s matrix of '%s' is %d x %d, but its mass matrix is %d x %d", what, name,
                            matrix->order, matrix->order, order, order);
  for (size_t k = 0; k < matrix->count; k++) {
    int i = matrix->row[k], j = matrix->column[k];
    if (i < 0 || j < 0 || i >= order || j >= order)
      return picus_model_fail(model, PICUS_ERROR_DIMENSION,
                              "entry (%d, %d) of the %s matrix of '%s' is outside its %d rows and columns", i, j, what,
                              name, order);
    if (!isfinite(matrix->value[k]))
      return picus_model_fail(model, PICUS_ERROR_NUMBER,
                              "entry (%d, %d) of the %s matrix of '%s' is not a finite number", i, j, what, name);
  }
  return PICUS_OK;
}

static picus_status check_values(picus_model *model, const char *name, const char *what, const double *values, int n) {
  char text[128];
  snprintf(text, sizeof text, "a value of the %s of", what);
  for (int i = 0; values && i < n; i++) {
    picus_status status = picus_model_check_finite(model, values[i], text, name);
    if (status) return status;
  }
  return PICUS_OK;
}

static picus_status check_factor(picus_model *model, const char *name, const char *what, double value) {
  picus_status status = picus_model_check_finite(model, value, what, name);
  if (!status && value < 0)
    status = picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%s '%s' is %g; it must not be negative", what, name, value);
  return status;
}

static picus_status check_def(picus_model *model, const picus_structure_def *def) {
  picus_status status = picus_model_check_name(model, "flexible component", def->name);
  if (status) return status;
  const int n = def->mass.order;
  if (n < 1)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION, "the flexible component '%s' needs a mass matrix", def->name);
  status = check_matrix(model, def->name, "mass", &def->mass, n);
  if (!status) status = check_matrix(model, def->name, "stiffness", &def->stiffness, n);
  if (!status && def->damping.order) status = check_matrix(model, def->name, "damping", &def->damping, n);
  if (!status && def->gyroscopic.order) status = check_matrix(model, def->name, "gyroscopic", &def->gyroscopic, n);
  if (!status) status = check_factor(model, def->name, "the mass-proportional damping of", def->alpha);
  if (!status) status = check_factor(model, def->name, "the stiffness-proportional damping of", def->beta);
  if (!status) status = check_values(model, def->name, "load", def->load, n);
  if (!status) status = check_values(model, def->name, "reference", def->reference, n);
  if (!status) status = check_values(model, def->name, "start", def->start, n);
  if (!status) status = check_values(model, def->name, "initial velocities", def->velocity_start, n);
  for (int i = 0; !status && i < def->record_count; i++)
    if (def->record[i] < def->first || def->record[i] - def->first >= n)
      status =
          picus_model_fail(model, PICUS_ERROR_DIMENSION, "'%s' cannot record number %d; its displacements are %d to %d",
                           def->name, def->record[i], def->first, def->first + n - 1);
  return status;
}

/* The places of several matrices and of their transposes, and the diagonal, each once and in increasing order of the
 * columns. First they are collected by rows in any order; transferring them row by row to the transpose, which has the
 * same pattern, sorts them. */
typedef struct place_collection {
  size_t *start; /* order + 1 */
  int *column;
} place_collection;

static size_t count_places(int order, int matrix_count, const picus_matrix *const *matrices, size_t *start) {
  for (int i = 0; i < order; i++) start[i + 1] = 1; /* the diagonal */
  for (int m = 0; m < matrix_count; m++)
    for (size_t k = 0; k < matrices[m]->count; k++) {
      if (matrices[m]->row[k] == matrices[m]->column[k]) continue;
      start[matrices[m]->row[k] + 1]++;
      start[matrices[m]->column[k] + 1]++;
    }
  for (int i = 0; i < order; i++) start[i + 1] += start[i];
  return start[order];
}

static void collect_places(int order, int matrix_count, const picus_matrix *const *matrices, place_collection *places,
                           size_t *next) {
  memcpy(next, places->start, (size_t)order * sizeof *next);
  for (int i = 0; i < order; i++) places->column[next[i]++] = i;
  for (int m = 0; m < matrix_count; m++)
    for (size_t k = 0; k < matrices[m]->count; k++) {
      int i = matrices[m]->row[k], j = matrices[m]->column[k];
      if (i == j) continue;
      places->column[next[i]++] = j;
      places->column[next[j]++] = i;
    }
}

/* Into the structure's row_start and column, repeated places once. */
static void sort_places(int order, const place_collection *places, int *sorted, size_t *next,
                        picus_model_structure *s) {
  memcpy(next, places->start, (size_t)order * sizeof *next);
  for (int i = 0; i < order; i++)
    for (size_t k = places->start[i]; k < places->start[i + 1]; k++) sorted[next[places->column[k]]++] = i;
  int count = 0;
  for (int i = 0; i < order; i++) {
    s->row_start[i] = count;
    for (size_t k = places->start[i]; k < places->start[i + 1]; k++)
      if (count == s->row_start[i] || s->column[count - 1] != sorted[k]) s->column[count++] = sorted[k];
  }
  s->row_start[order] = count;
}

/* The pattern that all matrices of a structure share: each place once, row by row. */
static picus_status make_pattern(picus_model *model, const picus_structure_def *def, picus_model_structure *s) {
  picus_context *context = model->context;
  const picus_matrix *const all[] = {&def->mass, &def->stiffness, &def->damping, &def->gyroscopic};
  const picus_matrix *matrices[4] = {all[0]};
  int matrix_count = 1;
  for (int m = 1; m < 4; m++) /* matrices that share their places need them once */
    if (all[m]->row != def->mass.row || all[m]->column != def->mass.column || all[m]->count != def->mass.count)
      matrices[matrix_count++] = all[m];
  const int n = s->size;
  place_collection places = {.start = picus_allocate(context, (size_t)n + 1, sizeof(size_t))};
  size_t *next = picus_allocate(context, (size_t)n, sizeof *next);
  s->row_start = picus_allocate(context, (size_t)n + 1, sizeof(int));
  int *sorted = NULL;
  picus_status status = places.start && next && s->row_start ? PICUS_OK : PICUS_ERROR_MEMORY;
  /* one pattern for M, K, C and G, symmetric and with the diagonal: the sum of them is factored */
  if (!status) {
    size_t count = count_places(n, matrix_count, matrices, places.start);
    if (count > INT_MAX / 2)
      status = picus_model_fail(model, PICUS_ERROR_UNSUPPORTED, "the matrices of '%s' have more than %d entries",
                                s->name, INT_MAX / 2);
    if (!status) {
      places.column = picus_allocate(context, count, sizeof(int));
      sorted = picus_allocate(context, count, sizeof(int));
      s->column = picus_allocate(context, count, sizeof(int));
      if (!places.column || !sorted || !s->column) status = PICUS_ERROR_MEMORY;
    }
  }
  if (!status) {
    collect_places(n, matrix_count, matrices, &places, next);
    sort_places(n, &places, sorted, next, s);
  }
  picus_release(context, places.start);
  picus_release(context, places.column);
  picus_release(context, next);
  picus_release(context, sorted);
  return status;
}

/* Position of the entry (i, j) among the values. It is there. */
static int position_of(const picus_model_structure *s, int i, int j) {
  int low = s->row_start[i], high = s->row_start[i + 1];
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (s->column[middle] <= j)
      low = middle;
    else
      high = middle;
  }
  return low;
}

typedef struct filling {
  const char *what;
  double sign; /* of the transpose: 1 or -1 */
} filling;

/* Adds a matrix to the values of the pattern, exactly symmetric or skew-symmetric: round-off differences of the two
 * triangles are averaged. The values are zero before. */
static picus_status fill_values(picus_model *model, filling how, const picus_matrix *matrix,
                                const picus_model_structure *s, double *values) {
  for (size_t k = 0; k < matrix->count; k++)
    values[position_of(s, matrix->row[k], matrix->column[k])] += matrix->value[k];
  for (int i = 0; i < s->size; i++)
    for (int k = s->row_start[i]; k < s->row_start[i + 1] && s->column[k] < i + (how.sign < 0); k++) {
      int mirrored = position_of(s, s->column[k], i);
      double a = values[k], b = how.sign * values[mirrored];
      if (!(fabs(a - b) <= 1e-10 * (fabs(a) + fabs(b))))
        return picus_model_fail(model, PICUS_ERROR_MODEL,
                                "the %s matrix of '%s' is not %s: entry (%d, %d) is %.9g and entry (%d, %d) is "
                                "%.9g, counted from 1",
                                how.what, s->name, how.sign < 0 ? "skew-symmetric" : "symmetric", i + 1,
                                s->column[k] + 1, a, s->column[k] + 1, i + 1, values[mirrored]);
      values[k] = 0.5 * (a + b);
      values[mirrored] = how.sign * values[k];
    }
  return PICUS_OK;
}

static picus_status add_gyroscopic(picus_model *model, const picus_structure_def *def, picus_model_structure *s) {
  const size_t count = (size_t)s->row_start[s->size];
  double *G = picus_allocate(model->context, count, sizeof *G);
  if (!G) return PICUS_ERROR_MEMORY;
  picus_status status = fill_values(model, (filling){"gyroscopic", -1}, &def->gyroscopic, s, G);
  for (size_t k = 0; k < count; k++) s->damping[k] += G[k];
  picus_release(model->context, G);
  return status;
}

static picus_status fill_matrices(picus_model *model, const picus_structure_def *def, picus_model_structure *s) {
  const size_t count = (size_t)s->row_start[s->size];
  s->mass = picus_allocate(model->context, count, sizeof(double));
  s->stiffness = picus_allocate(model->context, count, sizeof(double));
  if (!s->mass || !s->stiffness) return PICUS_ERROR_MEMORY;
  picus_status status = fill_values(model, (filling){"mass", 1}, &def->mass, s, s->mass);
  if (!status) status = fill_values(model, (filling){"stiffness", 1}, &def->stiffness, s, s->stiffness);
  const bool damped = def->damping.order || def->alpha != 0 || def->beta != 0;
  if (status || (!damped && !def->gyroscopic.order)) return status;
  s->damping = picus_allocate(model->context, count, sizeof(double));
  if (!s->damping) return PICUS_ERROR_MEMORY;
  status = fill_values(model, (filling){"damping", 1}, &def->damping, s, s->damping);
  for (size_t k = 0; k < count; k++) s->damping[k] += def->alpha * s->mass[k] + def->beta * s->stiffness[k];
  return status || !def->gyroscopic.order ? status : add_gyroscopic(model, def, s);
}

static picus_status copy_values(picus_context *context, int n, const double *source, double **copy) {
  *copy = picus_allocate(context, (size_t)n, sizeof **copy);
  if (!*copy) return PICUS_ERROR_MEMORY;
  if (source) memcpy(*copy, source, (size_t)n * sizeof **copy);
  return PICUS_OK;
}

static picus_status fill_vectors(picus_model *model, const picus_structure_def *def, picus_model_structure *s) {
  picus_context *context = model->context;
  picus_status status = copy_values(context, s->size, def->load, &s->load);
  if (!status) status = copy_values(context, s->size, def->reference, &s->reference);
  if (!status) status = copy_values(context, s->size, def->start, &s->start);
  if (!status) status = copy_values(context, s->size, def->velocity_start, &s->velocity_start);
  if (status) return status;
  s->recorded = picus_allocate(context, (size_t)s->size, sizeof *s->recorded);
  s->node = picus_allocate(context, (size_t)s->size, sizeof *s->node);
  if (!s->recorded || !s->node) return PICUS_ERROR_MEMORY;
  for (int i = 0; def->record_count < 0 && i < s->size; i++) s->recorded[i] = true;
  for (int i = 0; i < def->record_count; i++) s->recorded[def->record[i] - def->first] = true;
  return PICUS_OK;
}

static picus_status build_structure(picus_model *model, const picus_structure_def *def, picus_model_structure *s) {
  char velocity_unit[64] = "";
  if (def->unit && *def->unit)
    snprintf(velocity_unit, sizeof velocity_unit, strpbrk(def->unit, "/ ") ? "(%.50s)/s" : "%.50s/s", def->unit);
  s->name = picus_model_keep_text(model, def->name);
  s->unit = picus_model_keep_text(model, def->unit);
  s->velocity_unit = picus_model_keep_text(model, velocity_unit);
  s->size = def->mass.order;
  s->first = def->first;
  s->place = model->place;
  const int nodes = s->map.node_count ? s->map.node_count : s->size;
  s->has_table = def->table < 0 ? nodes <= PICUS_TABLE_NODES : def->table > 0;
  picus_status status = s->name && s->unit && s->velocity_unit ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = make_pattern(model, def, s);
  if (!status) status = fill_matrices(model, def, s);
  return status ? status : fill_vectors(model, def, s);
}

picus_status picus_model_add_mapped_structure(picus_model *model, const picus_structure_def *def,
                                              const picus_framework_map *map, const picus_framework_shape *shape) {
  picus_model_structure s = {0};
  if (map) s.map = *map;
  if (shape) s.shape = *shape;
  picus_status status = check_def(model, def);
  if (!status)
    status = picus_grow(model->context, &model->structures, (size_t)model->structure_count, &model->structure_capacity,
                        sizeof *model->structures);
  if (!status) status = picus_model_reserve_names(model, 1);
  if (!status) status = build_structure(model, def, &s);
  if (status) {
    picus_model_release_structure(model->context, &s);
    return status;
  }
  picus_model_register_name(model, s.name, PICUS_NAME_STRUCTURE, model->structure_count);
  model->structures[model->structure_count++] = s;
  return PICUS_OK;
}

picus_status picus_model_add_structure(picus_model *model, const picus_structure_def *def) {
  return picus_model_add_mapped_structure(model, def, NULL, NULL);
}

int picus_model_structure_size(const picus_model *model, const char *name) {
  picus_name_entry found = picus_model_find_name(model, name ? name : "");
  return found.kind == PICUS_NAME_STRUCTURE ? model->structures[found.index].size : 0;
}

int picus_model_framework_nodes(const picus_model *model, const char *name) {
  picus_name_entry found = picus_model_find_name(model, name ? name : "");
  return found.kind == PICUS_NAME_STRUCTURE ? model->structures[found.index].map.node_count : 0;
}

/* The components of a node, as in picus_component, and those of a node in the plane. */
static const char displacement_letters[6][3] = {"ux", "uy", "uz", "rx", "ry", "rz"};
static const char velocity_letters[6][3] = {"vx", "vy", "vz", "wx", "wy", "wz"};
static const int planar_components[3] = {PICUS_UX, PICUS_UY, PICUS_RZ};

/* The component of a displacement of a framework. */
static int component_of(const picus_framework_map *map, int index) {
  const int k = map->place[index] % map->component_count;
  return map->component_count == 3 ? planar_components[k] : k;
}

picus_column picus_model_component(const picus_model_structure *s, int component, bool velocity) {
  if (!s->map.node_count)
    return velocity ? (picus_column){.name = "v", .unit = s->velocity_unit, .kind = PICUS_COLUMN_VELOCITY}
                    : (picus_column){.name = "x", .unit = s->unit, .kind = PICUS_COLUMN_COORDINATE};
  const int c = s->map.component_count == 3 ? planar_components[component] : component;
  return velocity ? (picus_column){.name = velocity_letters[c],
                                   .unit = c >= PICUS_RX ? "rad/s" : "m/s",
                                   .kind = PICUS_COLUMN_VELOCITY}
                  : (picus_column){.name = displacement_letters[c],
                                   .unit = c >= PICUS_RX ? "rad" : "m",
                                   .kind = PICUS_COLUMN_COORDINATE};
}

void picus_model_displacement_name(const picus_model_structure *s, int index, bool velocity,
                                   char name[PICUS_DISPLACEMENT_NAME]) {
  const char *letters = velocity ? "v" : "x";
  int number = index;
  if (s->map.node_count) {
    const int component = component_of(&s->map, index);
    letters = velocity ? velocity_letters[component] : displacement_letters[component];
    number = s->map.place[index] / s->map.component_count;
  }
  snprintf(name, PICUS_DISPLACEMENT_NAME, "%.120s.%s%d", s->name, letters, s->first + number);
}

const char *picus_model_displacement_unit(const picus_model_structure *s, int index, bool velocity) {
  if (!s->map.node_count) return velocity ? s->velocity_unit : s->unit;
  const bool rotation = component_of(&s->map, index) >= PICUS_RX;
  if (velocity) return rotation ? "rad/s" : "m/s";
  return rotation ? "rad" : "m";
}

/* A number without leading zeros at the end of a name; -1: there is none. */
static int number_at_end(const char *digits) {
  size_t count = strspn(digits, "0123456789");
  if (count == 0 || count > 9 || digits[count] || (count > 1 && digits[0] == '0')) return -1;
  return (int)strtol(digits, NULL, 10);
}

/* The column of a component in the map; -1: the framework does not have it. */
static int column_of(const picus_framework_map *map, int component) {
  if (map->component_count == 6) return component;
  for (int k = 0; k < 3; k++)
    if (planar_components[k] == component) return k;
  return -1;
}

/* "uy3" or "vy3" of a framework. */
static int find_in_map(const picus_model_structure *s, const char *name, bool *velocity) {
  for (int c = 0; c < 6; c++) {
    *velocity = strncmp(name, velocity_letters[c], 2) == 0;
    if (!*velocity && strncmp(name, displacement_letters[c], 2) != 0) continue;
    const int number = number_at_end(name + 2), column = column_of(&s->map, c);
    if (column < 0 || number < s->first || number - s->first >= s->map.node_count) return -1;
    return s->map.index[(number - s->first) * s->map.component_count + column];
  }
  return -1;
}

int picus_model_find_displacement(const picus_model *model, const char *name, int *structure, bool *velocity) {
  char group[128];
  const char *dot = strchr(name, '.');
  size_t length = dot ? (size_t)(dot - name) : 0;
  if (!dot || length >= sizeof group) return -1;
  memcpy(group, name, length);
  group[length] = '\0';
  picus_name_entry found = picus_model_find_name(model, group);
  if (found.kind != PICUS_NAME_STRUCTURE) return -1;
  const picus_model_structure *s = &model->structures[found.index];
  *structure = found.index;
  if (s->map.node_count) return find_in_map(s, dot + 1, velocity);
  if (dot[1] != 'x' && dot[1] != 'v') return -1;
  *velocity = dot[1] == 'v';
  const int number = number_at_end(dot + 2), index = number - s->first;
  return number < 0 || index < 0 || index >= s->size ? -1 : index;
}

static const char *next_structure(const void *user, int k) {
  const picus_model *model = user;
  return k < model->structure_count ? model->structures[k].name : NULL;
}

static picus_status add_node(picus_model *model, int structure, int index) {
  picus_model_structure *s = &model->structures[structure];
  picus_status status =
      picus_grow(model->context, &model->nodes, (size_t)model->node_count, &model->node_capacity, sizeof *model->nodes);
  if (status) return status;
  char name[PICUS_DISPLACEMENT_NAME];
  picus_model_displacement node = {.structure = structure, .index = index};
  picus_model_displacement_name(s, index, false, name);
  node.x_name = picus_model_keep_text(model, name);
  picus_model_displacement_name(s, index, true, name);
  node.v_name = picus_model_keep_text(model, name);
  if (!node.x_name || !node.v_name) return PICUS_ERROR_MEMORY;
  node.x = picus_variable(model->pool, node.x_name);
  node.v = picus_variable(model->pool, node.v_name);
  status = picus_model_own_variable(model, node.x, PICUS_VARIABLE_DISPLACEMENT, model->node_count);
  if (!status)
    status = picus_model_own_variable(model, node.v, PICUS_VARIABLE_DISPLACEMENT_VELOCITY, model->node_count);
  if (status) return status;
  node.x_variable = picus_expr_variable_index(model->pool, node.x);
  node.v_variable = picus_expr_variable_index(model->pool, node.v);
  model->nodes[model->node_count++] = node;
  s->node[index] = model->node_count;
  return PICUS_OK;
}

picus_status picus_model_displacement_symbols(picus_model *model, int structure, int index, picus_expr *x,
                                              picus_expr *v) {
  const picus_model_structure *s = &model->structures[structure];
  picus_status status = s->node[index] ? PICUS_OK : add_node(model, structure, index);
  if (status) return status;
  const picus_model_displacement *node = &model->nodes[s->node[index] - 1];
  if (x) *x = node->x;
  if (v) *v = node->v;
  return PICUS_OK;
}

static picus_status find_structure(picus_model *model, const char *name, int *structure) {
  picus_name_entry found = picus_model_find_name(model, name ? name : "");
  if (found.kind != PICUS_NAME_STRUCTURE)
    return picus_model_fail_unknown(model, model->place, "flexible component", name ? name : "", next_structure, model);
  *structure = found.index;
  return PICUS_OK;
}

picus_status picus_model_node(picus_model *model, const char *structure, int number, picus_expr *x, picus_expr *v) {
  int found = 0;
  if (x) *x = PICUS_FAILED_EXPR;
  if (v) *v = PICUS_FAILED_EXPR;
  picus_status status = find_structure(model, structure, &found);
  if (status) return status;
  const picus_model_structure *s = &model->structures[found];
  if (s->map.node_count)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "'%s' consists of beams, whose nodes have several displacements; name one of them, such as "
                            "ux (picus_model_beam_node)",
                            s->name);
  if (number < s->first || number - s->first >= s->size)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION, "'%s' has no number %d; its displacements are %d to %d",
                            s->name, number, s->first, s->first + s->size - 1);
  return picus_model_displacement_symbols(model, found, number - s->first, x, v);
}

picus_status picus_model_find_framework(picus_model *model, const char *name, int *structure) {
  picus_status status = find_structure(model, name, structure);
  if (status || model->structures[*structure].map.node_count) return status;
  return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                          "'%s' does not consist of beams; it has x and v (picus_model_node)", name);
}

picus_status picus_model_beam_node(picus_model *model, const char *framework, int node, picus_component component,
                                   picus_expr *x, picus_expr *v) {
  int found = 0;
  if (x) *x = PICUS_FAILED_EXPR;
  if (v) *v = PICUS_FAILED_EXPR;
  picus_status status = picus_model_find_framework(model, framework, &found);
  if (status) return status;
  const picus_model_structure *s = &model->structures[found];
  const picus_framework_map *map = &s->map;
  const int column = component >= PICUS_UX && component <= PICUS_RZ ? column_of(map, (int)component) : -1;
  if (column < 0)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "'%s' is planar; its nodes have ux, uy and rz", s->name);
  if (node < s->first || node - s->first >= map->node_count)
    return picus_model_fail(model, PICUS_ERROR_DIMENSION, "'%s' has no node %d; its nodes are %d to %d", s->name, node,
                            s->first, s->first + map->node_count - 1);
  const int index = map->index[(node - s->first) * map->component_count + column];
  if (index >= 0) return picus_model_displacement_symbols(model, found, index, x, v);
  if (x) *x = picus_number(model->pool, 0);
  if (v) *v = picus_number(model->pool, 0);
  return picus_pool_status(model->pool);
}
