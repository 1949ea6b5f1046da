/* G = W^T M^-1 W and c = W^T u of bodies that touch. Two laws couple where they act on the same body. */
#include "assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 */
double scene_uniform(scene *s, double low, double high) {
  unsigned long long z = s->random += 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  z ^= z >> 31;
  return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

static bool make_room(scene *s, void *array_pointer, int count, int *capacity, size_t size) {
  void **array = array_pointer;
  if (s->failed || count < *capacity) return !s->failed;
  int more = *capacity ? 2 * *capacity : 64;
  void *grown = realloc(*array, (size_t)more * size);
  if (!grown) {
    s->failed = true;
    return false;
  }
  *array = grown;
  *capacity = more;
  return true;
}

int scene_add_body(scene *s, double x, double y, double z, double mass, const double inertia[3]) {
  if (!make_room(s, &s->bodies, s->body_count, &s->body_capacity, sizeof *s->bodies)) return 0;
  s->bodies[s->body_count] =
      (scene_body){.position = {x, y, z}, .mass = mass, .inertia = {inertia[0], inertia[1], inertia[2]}};
  return s->body_count++;
}

static scene_law *add_law(scene *s, picus_law law, int a, int b, const double point[3]) {
  if (!make_room(s, &s->laws, s->law_count, &s->law_capacity, sizeof *s->laws)) return NULL;
  scene_law *l = &s->laws[s->law_count++];
  *l = (scene_law){.law = law, .a = a, .b = b};
  for (int k = 0; k < 3; k++) {
    if (a >= 0) l->arm_a[k] = point[k] - s->bodies[a].position[k];
    if (b >= 0) l->arm_b[k] = point[k] - s->bodies[b].position[k];
  }
  return l;
}

static void cross(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void scene_add_contact(scene *s, int a, int b, const double point[3], const double normal[3], double mu) {
  scene_law *l = add_law(s, (picus_law){PICUS_COULOMB, s->dimension, mu}, a, b, point);
  if (!l) return;
  static const double out_of_plane[3] = {0, 0, 1}, upward[3] = {0, 1, 0};
  memcpy(l->direction[0], normal, sizeof l->direction[0]);
  cross(s->dimension == 2 || fabs(normal[2]) < 0.9 ? out_of_plane : upward, normal, l->direction[1]);
  double length = sqrt(dot(l->direction[1], l->direction[1]));
  for (int k = 0; k < 3; k++) l->direction[1][k] /= length;
  cross(normal, l->direction[1], l->direction[2]);
}

void scene_add_joint(scene *s, int a, int b, const double point[3]) {
  for (int k = 0; k < s->dimension; k++) {
    scene_law *l = add_law(s, (picus_law){PICUS_BILATERAL, 1, 0}, a, b, point);
    if (l) l->direction[0][k] = 1;
  }
}

void scene_add_gravity(scene *s, const double percussion_per_mass[3]) {
  for (int i = 0; i < s->body_count; i++)
    for (int k = 0; k < 3; k++) s->bodies[i].velocity[k] += percussion_per_mass[k];
}

void scene_release(scene *s) {
  free(s->bodies);
  free(s->laws);
  *s = (scene){0};
}

/* --- G and c --------------------------------------------------------------------------------------------------- */

/* Block (i, j): sum over the bodies both act on of  w_i^T M^-1 w_j. */
static void add_body_to_block(const scene_body *body, const scene_law *i, const double arm_i[3], double sign_i,
                              const scene_law *j, const double arm_j[3], double sign_j, double *block) {
  for (int k = 0; k < i->law.dim; k++)
    for (int l = 0; l < j->law.dim; l++) {
      double turn_i[3], turn_j[3], sum = dot(i->direction[k], j->direction[l]) / body->mass;
      cross(arm_i, i->direction[k], turn_i);
      cross(arm_j, j->direction[l], turn_j);
      for (int c = 0; c < 3; c++) sum += turn_i[c] * turn_j[c] / body->inertia[c];
      block[k * j->law.dim + l] += sign_i * sign_j * sum;
    }
}

static void fill_block(const scene *s, const scene_law *i, const scene_law *j, double *block) {
  const scene_body *bodies = s->bodies;
  if (i->a >= 0 && i->a == j->a) add_body_to_block(&bodies[i->a], i, i->arm_a, -1, j, j->arm_a, -1, block);
  if (i->a >= 0 && i->a == j->b) add_body_to_block(&bodies[i->a], i, i->arm_a, -1, j, j->arm_b, 1, block);
  if (i->b >= 0 && i->b == j->a) add_body_to_block(&bodies[i->b], i, i->arm_b, 1, j, j->arm_a, -1, block);
  if (i->b >= 0 && i->b == j->b) add_body_to_block(&bodies[i->b], i, i->arm_b, 1, j, j->arm_b, 1, block);
}

typedef struct assembly {
  const scene *s;
  int *touch_start, *touch; /* laws of each body */
  int *columns;             /* laws that couple with the one at hand */
  picus_law *laws;
  double *c, *values;
  int *first_row, *row_start, *column;
  size_t *offset;
  size_t block_count, value_count;
} assembly;

static void list_touches(assembly *m) {
  const scene *s = m->s;
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < s->law_count; i++) {
      int on[2] = {s->laws[i].a, s->laws[i].b};
      for (int k = 0; k < 2; k++) {
        if (on[k] < 0) continue;
        if (turn == 0)
          m->touch_start[on[k] + 2]++;
        else
          m->touch[m->touch_start[on[k] + 1]++] = i;
      }
    }
    for (int b = 0; turn == 0 && b < s->body_count; b++) m->touch_start[b + 2] += m->touch_start[b + 1];
  }
}

static int compare_integers(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Laws that share a body with law i, sorted, without repetition. */
static int find_columns(assembly *m, int i) {
  const scene_law *l = &m->s->laws[i];
  int on[2] = {l->a, l->b}, count = 0, kept = 0;
  for (int k = 0; k < 2; k++)
    for (int n = on[k] < 0 ? 0 : m->touch_start[on[k]]; on[k] >= 0 && n < m->touch_start[on[k] + 1]; n++)
      m->columns[count++] = m->touch[n];
  qsort(m->columns, (size_t)count, sizeof *m->columns, compare_integers);
  for (int n = 0; n < count; n++)
    if (n == 0 || m->columns[n] != m->columns[n - 1]) m->columns[kept++] = m->columns[n];
  return kept;
}

/* Counts the blocks, and fills them where there is room. */
static void visit_blocks(assembly *m) {
  m->block_count = m->value_count = 0;
  for (int i = 0; i < m->s->law_count; i++) {
    int count = find_columns(m, i);
    for (int n = 0; n < count; n++) {
      const scene_law *li = &m->s->laws[i], *lj = &m->s->laws[m->columns[n]];
      if (m->values) {
        m->column[m->block_count] = m->columns[n];
        m->offset[m->block_count] = m->value_count;
        fill_block(m->s, li, lj, m->values + m->value_count);
      }
      m->block_count++;
      m->value_count += (size_t)(li->law.dim * lj->law.dim);
    }
    if (m->values) m->row_start[i + 1] = (int)m->block_count;
  }
}

static void fill_free_velocities(assembly *m) {
  static const double rest[3] = {0, 0, 0};
  for (int i = 0, row = 0; i < m->s->law_count; i++) {
    const scene_law *l = &m->s->laws[i];
    const double *of_a = l->a >= 0 ? m->s->bodies[l->a].velocity : rest;
    const double *of_b = l->b >= 0 ? m->s->bodies[l->b].velocity : rest;
    m->laws[i] = l->law;
    m->first_row[i] = row;
    for (int k = 0; k < l->law.dim; k++, row++) m->c[row] = dot(l->direction[k], of_b) - dot(l->direction[k], of_a);
    m->first_row[i + 1] = row;
  }
}

static bool allocate(assembly *m) {
  size_t laws = (size_t)m->s->law_count, bodies = (size_t)m->s->body_count;
  m->touch_start = calloc(bodies + 2, sizeof *m->touch_start);
  m->touch = calloc(2 * laws + 1, sizeof *m->touch);
  m->columns = calloc(2 * laws + 1, sizeof *m->columns);
  m->laws = calloc(laws + 1, sizeof *m->laws);
  m->c = calloc(3 * laws + 1, sizeof *m->c);
  m->first_row = calloc(laws + 1, sizeof *m->first_row);
  m->row_start = calloc(laws + 1, sizeof *m->row_start);
  return m->touch_start && m->touch && m->columns && m->laws && m->c && m->first_row && m->row_start;
}

static bool assemble(assembly *m) {
  if (!allocate(m)) return false;
  list_touches(m);
  visit_blocks(m);
  m->column = calloc(m->block_count + 1, sizeof *m->column);
  m->offset = calloc(m->block_count + 1, sizeof *m->offset);
  m->values = calloc(m->value_count + 1, sizeof *m->values);
  if (!m->column || !m->offset || !m->values) return false;
  visit_blocks(m);
  fill_free_velocities(m);
  return true;
}

picus_status scene_assemble(picus_context *context, const scene *s, const char *title, picus_problem **out) {
  assembly m = {.s = s};
  *out = NULL;
  picus_status status = PICUS_ERROR_MEMORY;
  if (!s->failed && assemble(&m)) {
    picus_block_matrix blocks = {m.first_row, m.row_start, m.column, m.offset, m.values};
    picus_contact_problem problem = {
        .law_count = s->law_count, .laws = m.laws, .size = m.first_row[s->law_count], .c = m.c, .blocks = &blocks};
    picus_problem_notes notes = {.title = title, .description = "one step of bodies that touch", .math_info = ""};
    status = picus_problem_copy(context, &problem, &notes, out);
  }
  free(m.touch_start);
  free(m.touch);
  free(m.columns);
  free(m.laws);
  free(m.c);
  free(m.values);
  free(m.first_row);
  free(m.row_start);
  free(m.column);
  free(m.offset);
  return status;
}
