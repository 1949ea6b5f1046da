#include "support/same_results.h"

#include <picus/picus.h>
#include <picus/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
  picus_context *context;
  picus_result *of[2];
  char *why;
} pair;

static bool differ(pair *p, const char *what, const char *name, long at) {
  snprintf(p->why, SAME_RESULTS_WHY, "%s '%s' differs at %ld", what, name, at);
  return false;
}

static bool failed(pair *p) {
  snprintf(p->why, SAME_RESULTS_WHY, "%s", picus_last_error(p->context)->message);
  return false;
}

static bool same_numbers(const double *a, const double *b, long count, long *at) {
  for (long k = 0; k < count; k++) {
    *at = k;
    if (memcmp(&a[k], &b[k], sizeof a[k]) != 0) return false;
  }
  return true;
}

static bool same_columns(pair *p) {
  const int count = picus_result_column_count(p->of[0]);
  const long rows = picus_result_row_count(p->of[0]);
  if (picus_result_column_count(p->of[1]) != count) return differ(p, "number", "columns", 0);
  if (picus_result_row_count(p->of[1]) != rows) return differ(p, "number", "rows", picus_result_row_count(p->of[1]));
  if (rows < 1) return differ(p, "number", "rows", 0);
  for (int k = 0; k < count; k++) {
    const double *values[2];
    const char *name = picus_result_column(p->of[0], k).name;
    long at;
    if (strcmp(name, picus_result_column(p->of[1], k).name) != 0) return differ(p, "name of column", name, k);
    for (int i = 0; i < 2; i++)
      if (picus_result_values(p->of[i], k, &values[i])) return failed(p);
    if (!same_numbers(values[0], values[1], rows, &at)) return differ(p, "column", name, at);
  }
  return true;
}

/* Numbers of a switching point that are of one type, and the others. */
static bool same_switching(const picus_switching *a, const picus_switching *b) {
  const double x[] = {a->t,          a->dt,         a->from_slip[0], a->from_slip[1], a->from_slip[2],
                      a->to_slip[0], a->to_slip[1], a->to_slip[2],   a->PN,           a->PF[0],
                      a->PF[1],      a->PF[2],      a->lost,         a->lost_before,  a->limit};
  const double y[] = {b->t,          b->dt,         b->from_slip[0], b->from_slip[1], b->from_slip[2],
                      b->to_slip[0], b->to_slip[1], b->to_slip[2],   b->PN,           b->PF[0],
                      b->PF[1],      b->PF[2],      b->lost,         b->lost_before,  b->limit};
  return memcmp(x, y, sizeof x) == 0 && a->law == b->law && a->from == b->from && a->to == b->to &&
         a->impact == b->impact && a->bounces == b->bounces && a->source == b->source && a->key == b->key;
}

static bool same_switchings(pair *p) {
  const long count = picus_result_switching_count(p->of[0]);
  const picus_switching *points[2];
  if (picus_result_switching_count(p->of[1]) != count) return differ(p, "number", "switching points", count);
  if (count <= 0) return true;
  for (int i = 0; i < 2; i++)
    if (picus_result_switchings(p->of[i], &points[i])) return failed(p);
  for (long k = 0; k < count; k++)
    if (!same_switching(&points[0][k], &points[1][k])) return differ(p, "table", "switching points", k);
  return true;
}

static bool same_laws(pair *p) {
  const int count = picus_result_law_count(p->of[0]);
  if (picus_result_law_count(p->of[1]) != count) return differ(p, "number", "laws", count);
  for (int k = 0; k < count; k++) {
    const picus_result_law a = picus_result_law_at(p->of[0], k), b = picus_result_law_at(p->of[1], k);
    if (strcmp(a.name, b.name) != 0 || a.key != b.key || a.source != b.source) return differ(p, "law", a.name, k);
  }
  return true;
}

static bool same_contact(const picus_contact_point *a, const picus_contact_point *b) {
  return a->key == b->key && a->source == b->source && a->body[0] == b->body[0] && a->body[1] == b->body[1] &&
         a->mode == b->mode && memcmp(a->point, b->point, sizeof a->point) == 0 &&
         memcmp(a->normal, b->normal, sizeof a->normal) == 0 &&
         memcmp(a->tangent, b->tangent, sizeof a->tangent) == 0 && memcmp(&a->gap, &b->gap, sizeof a->gap) == 0 &&
         memcmp(&a->vN, &b->vN, sizeof a->vN) == 0 && memcmp(a->slip, b->slip, sizeof a->slip) == 0 &&
         memcmp(&a->PN, &b->PN, sizeof a->PN) == 0 && memcmp(a->PF, b->PF, sizeof a->PF) == 0 &&
         memcmp(a->PR, b->PR, sizeof a->PR) == 0;
}

static bool same_contacts(pair *p) {
  const long rows = picus_result_contact_rows(p->of[0]);
  if (picus_result_contact_rows(p->of[1]) != rows) return differ(p, "number", "rows of contacts", rows);
  for (long row = 0; row < rows; row++) {
    const int count = picus_result_contact_count(p->of[0], row);
    const picus_contact_point *contacts[2];
    if (picus_result_contact_count(p->of[1], row) != count) return differ(p, "number", "contacts", row);
    for (int i = 0; count > 0 && i < 2; i++)
      if (picus_result_contacts(p->of[i], row, &contacts[i])) return failed(p);
    for (int k = 0; k < count; k++)
      if (!same_contact(&contacts[0][k], &contacts[1][k])) return differ(p, "table", "contacts", row);
  }
  return true;
}

static bool same_nodes(pair *p) {
  const int count = picus_result_node_table_count(p->of[0]);
  if (picus_result_node_table_count(p->of[1]) != count) return differ(p, "number", "tables of nodes", count);
  for (int k = 0; k < count; k++) {
    const picus_node_table table = picus_result_node_table_at(p->of[0], k);
    const long rows = picus_result_node_table_rows(p->of[0], k);
    if (picus_result_node_table_rows(p->of[1], k) != rows) return differ(p, "nodes", table.name, rows);
    const size_t size = (size_t)rows * (size_t)table.node_count * (size_t)table.component_count;
    double *all = calloc(4 * size + 1, sizeof *all);
    long at = 0;
    bool read = all != NULL;
    for (size_t i = 0; read && i < 2; i++) {
      double *const values[2] = {all + 2 * i * size, all + (2 * i + 1) * size};
      read = rows == 0 || picus_result_node_table_read(p->of[i], k, 0, rows, values) == PICUS_OK;
    }
    const bool same = read && same_numbers(all, all + 2 * size, 2 * (long)size, &at);
    free(all);
    if (!read) return failed(p);
    if (!same) return differ(p, "nodes", table.name, at);
  }
  return true;
}

/* Of the clock, and of the way to the file. */
static bool may_differ(const char *key) {
  return strcmp(key, "command") == 0 || strcmp(key, "statistics.seconds") == 0;
}

static bool same_texts(pair *p) {
  for (int k = 0;; k++) {
    bool is_text[2];
    const char *key = picus_result_key(p->of[0], k, &is_text[0]), *other = picus_result_key(p->of[1], k, &is_text[1]);
    if (!key && !other) return k > 10;
    if (!key || !other || strcmp(key, other) != 0 || is_text[0] != is_text[1])
      return differ(p, "key", key ? key : other, k);
    if (may_differ(key)) continue;
    const double a = picus_result_number(p->of[0], key), b = picus_result_number(p->of[1], key);
    const bool same = is_text[0] ? strcmp(picus_result_text(p->of[0], key), picus_result_text(p->of[1], key)) == 0
                                 : memcmp(&a, &b, sizeof a) == 0;
    if (!same) return differ(p, "value", key, k);
  }
}

bool same_results(const char *path, const char *other, char why[SAME_RESULTS_WHY]) {
  pair p = {.why = why};
  snprintf(why, SAME_RESULTS_WHY, "out of memory");
  if (picus_context_create(NULL, &p.context)) return false;
  bool same = !picus_result_open(p.context, path, &p.of[0]) && !picus_result_open(p.context, other, &p.of[1]);
  if (!same)
    failed(&p);
  else
    same = same_columns(&p) && same_laws(&p) && same_switchings(&p) && same_contacts(&p) && same_nodes(&p) &&
           same_texts(&p);
  picus_result_close(p.of[0]);
  picus_result_close(p.of[1]);
  picus_context_destroy(p.context);
  return same;
}
