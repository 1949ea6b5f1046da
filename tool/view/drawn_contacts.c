#include "view/drawn_contacts.h"
#include "base/internal.h"

#include <stdio.h>

/* A column LAW.END at a row; 0 if there is none. */
static double law_value(const picus_scene *s, const char *law, const char *end, long row) {
  char name[300];
  const double *values;
  if (snprintf(name, sizeof name, "%s.%s", law, end) >= (int)sizeof name) return 0;
  int column = picus_result_find(s->result, name);
  return column >= 0 && !picus_result_values(s->result, column, &values) ? values[row] : 0;
}

static double step_size(const picus_scene *s, long row) {
  const double *values;
  int column = picus_result_find(s->result, "dt");
  if (column >= 0 && !picus_result_values(s->result, column, &values) && values[row] > 0) return values[row];
  double dt = picus_result_number(s->result, "options.dt");
  return dt > 0 ? dt : 1;
}

/* The time in which percussions acted: since the row before, and in files of earlier versions in the
 * last step. */
double picus_scene_row_time(const picus_scene *s, long row) {
  const double *t;
  int column = picus_result_find(s->result, "t");
  if (row == 0 || column < 0 || picus_result_number(s->result, "options.summed_percussions") != 1)
    return step_size(s, row);
  const bool is_known = !picus_result_values(s->result, column, &t) && t[row] > t[row - 1];
  return is_known ? t[row] - t[row - 1] : step_size(s, row);
}

/* A number of a file as a mode. */
static picus_mode mode_of(double value) { return value == 1 ? PICUS_STICK : value == 2 ? PICUS_SLIP : PICUS_OPEN; }

static picus_scene_contact at_site(const picus_scene *s, const picus_draw_site *site, double dt, long row) {
  const double PN = law_value(s, site->law, "PN", row), planar = law_value(s, site->law, "PF", row);
  const double PF[2] = {planar != 0 ? planar : law_value(s, site->law, "PF1", row),
                        law_value(s, site->law, "PF2", row)};
  picus_scene_contact c = {.gap = law_value(s, site->law, "gap", row),
                           .mode = mode_of(law_value(s, site->law, "mode", row))};
  double t[2][3];
  for (int i = 0; i < 3; i++) {
    c.place[i] = picus_scene_value(s, site->place[i]);
    c.normal[i] = picus_scene_value(s, site->normal[i]);
    for (int k = 0; k < 2; k++) t[k][i] = picus_scene_value(s, site->tangent[k][i]);
  }
  const bool has_tangent = site->tangent[0][0] >= 0 || site->tangent[0][1] >= 0;
  if (!has_tangent && s->drawing->planar) t[0][0] = c.normal[1], t[0][1] = -c.normal[0];
  for (int i = 0; i < 3; i++) c.force[i] = (PN * c.normal[i] + PF[0] * t[0][i] + PF[1] * t[1][i]) / dt;
  return c;
}

static picus_scene_contact in_table(const picus_contact_point *from, double since) {
  const double *n = from->normal, *t = from->tangent;
  const double second[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
  picus_scene_contact c = {.gap = from->gap, .mu = from->mu, .mode = from->mode};
  const double side = from->body[0] < 0 && from->body[1] >= 0 ? -1 : 1; /* forces act on what moves */
  for (int i = 0; i < 3; i++) {
    c.place[i] = from->point[i];
    c.normal[i] = side * n[i];
    c.force[i] = side * (from->PN * n[i] + from->PF[0] * t[i] + from->PF[1] * second[i]) / since;
  }
  return c;
}

static picus_status add(picus_context *context, picus_contact_list *list, const picus_scene_contact *contact) {
  picus_status status = picus_grow(context, &list->contacts, list->count, &list->capacity, sizeof *list->contacts);
  if (!status) list->contacts[list->count++] = *contact;
  return status;
}

picus_status picus_scene_contacts(picus_scene *s, long row, picus_contact_list *list) {
  const double since = picus_scene_row_time(s, row);
  const picus_contact_point *points = NULL;
  const int count = picus_result_contact_count(s->result, row);
  list->count = 0;
  picus_scene_evaluate(s, row);
  picus_status status = count > 0 ? picus_result_contacts(s->result, row, &points) : PICUS_OK;
  for (int k = 0; !status && k < s->drawing->site_count; k++) {
    const picus_scene_contact contact = at_site(s, &s->drawing->sites[k], since, row);
    status = add(s->context, list, &contact);
  }
  for (int k = 0; !status && k < count; k++) {
    const picus_scene_contact contact = in_table(&points[k], since);
    status = add(s->context, list, &contact);
  }
  return status;
}

void picus_contact_list_release(picus_context *context, picus_contact_list *list) {
  picus_release(context, list->contacts);
  *list = (picus_contact_list){0};
}
