/* Rows of W^T, which have numbers for the parts of their law only. */
#include "system/law_rows.h"

/* The next group of the law's parts after one of them; -1: none. Parts of a group follow each other. */
static int next_group(const picus_system *s, const system_law *law, int *b) {
  if (*b == law->part_count) return -1;
  const int group = s->parts[law->parts[*b]].group;
  while (*b < law->part_count && s->parts[law->parts[*b]].group == group) ++*b;
  return group;
}

size_t picus_law_group_size(const picus_system *s, const system_law *law) {
  size_t size = 0;
  for (int b = 0, group; (group = next_group(s, law, &b)) >= 0;) size += (size_t)s->groups[group].nu;
  return size;
}

void picus_law_group_add(const picus_system *s, const system_law *law, const double *solved, double factor, double *u) {
  for (int b = 0, group; (group = next_group(s, law, &b)) >= 0; solved += s->groups[group].nu) {
    double *block = u + s->groups[group].u0;
    for (int i = 0; i < s->groups[group].nu; i++) block[i] += factor * solved[i];
  }
}

double picus_law_group_dot(const picus_system *s, const system_law *law, const double *solved, const system_law *other,
                           const double *row) {
  double sum = 0;
  for (int b = 0, group; (group = next_group(s, law, &b)) >= 0; solved += s->groups[group].nu) {
    const double *own = row;
    for (int c = 0; c < other->part_count; c++) {
      const system_part *part = &s->parts[other->parts[c]];
      if (part->group == group) sum += picus_dot(part->nu, solved + (part->u0 - s->groups[group].u0), own);
      own += part->nu;
    }
  }
  return sum;
}

static void solve_groups(const system_matrix *matrix, const system_law *law, const double *row, double *out) {
  const picus_system *s = matrix->system;
  for (int b = 0, first = 0, group; (group = next_group(s, law, &b)) >= 0; first = b) {
    const system_group *g = &s->groups[group];
    picus_clear(g->nu, out);
    for (; first < b; first++) {
      const system_part *part = &s->parts[law->parts[first]];
      picus_copy(part->nu, row, out + (part->u0 - g->u0));
      row += part->nu;
    }
    picus_part_matrix_solve(&matrix->blocks[group], out);
    out += g->nu;
  }
}

void picus_law_rows_solve(const system_matrix *matrix, const system_law *law, int count, const double *rows,
                          double *out) {
  const size_t size = picus_law_solved_size(matrix, law);
  for (int k = 0; matrix->by_group && k < count; k++)
    solve_groups(matrix, law, rows + (size_t)k * (size_t)law->width, out + (size_t)k * size);
  for (int b = 0, at = 0; !matrix->by_group && b < law->part_count; b++) {
    const part_matrix *block = &matrix->blocks[law->parts[b]];
    const int order = block->order;
    const bool is_diagonal = block->factored == FACTOR_INVERSE && block->is_diagonal;
    for (int k = 0; k < count; k++) {
      const double *row = rows + (k * law->width + at);
      double *solved = out + (k * law->width + at);
      if (is_diagonal) { /* spheres and disks: without a copy */
        for (int i = 0; i < order; i++) solved[i] = row[i] * block->diagonal[i];
      } else {
        picus_copy(order, row, solved);
        picus_part_matrix_solve(block, solved);
      }
    }
    at += order;
  }
}

double picus_law_parts_dot(const picus_system *s, const system_law *a, const double *row_a, const system_law *b,
                           const double *row_b) {
  const system_part *parts = s->parts;
  const int *i = a->parts, *j = b->parts, *end_i = i + a->part_count, *end_j = j + b->part_count;
  double sum = 0;
  while (i < end_i && j < end_j) { /* both lists are sorted: walk them together */
    if (*i < *j) {
      row_a += parts[*i++].nu;
    } else if (*i > *j) {
      row_b += parts[*j++].nu;
    } else {
      const int n = parts[*i++].nu;
      j++;
      sum += picus_part_dot(n, row_a, row_b);
      row_a += n;
      row_b += n;
    }
  }
  return sum;
}

double picus_law_row_terms(const picus_system *system, const system_law *law, const double *row, const double *u) {
  double sum = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    for (int i = 0; i < part->nu; i++) sum += fabs(row[i] * u[part->u0 + i]);
    row += part->nu;
  }
  return sum;
}

double picus_law_row_most_change(const picus_system *system, const system_law *law, const double *row, const double *u,
                                 const double *v) {
  double sum = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    double row_square = 0, square = 0;
    for (int i = 0; i < part->nu; i++) {
      const double change = v[part->u0 + i] - u[part->u0 + i];
      row_square += row[i] * row[i];
      square += change * change;
    }
    sum += sqrt(row_square) * sqrt(square);
    row += part->nu;
  }
  return sum;
}

double picus_law_row_change(const picus_system *system, const system_law *law, const double *row, const double *u,
                            const double *v) {
  double sum = 0;
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &system->parts[law->parts[b]];
    for (int i = 0; i < part->nu; i++) sum += fabs(row[i] * (v[part->u0 + i] - u[part->u0 + i]));
    row += part->nu;
  }
  return sum;
}
