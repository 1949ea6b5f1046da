/* What both readers and the writer of robots share: lists, numbers, rotations, inertia. */
#include "text_format/robot.h"
#include "base/elementary.h"
#include "base/internal.h"
#include "platform/texts.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lists -------------------------------------------------------------------------------------------------------- */

picus_status picus_robot_add_link(robot *r, const robot_link *link, int *out) {
  picus_status status = picus_grow(r->context, &r->links, r->link_count, &r->link_room, sizeof *r->links);
  if (status) return status;
  *out = (int)r->link_count;
  r->links[r->link_count++] = *link;
  return PICUS_OK;
}

picus_status picus_robot_add_shape(robot *r, int link, const robot_shape *shape) {
  picus_status status = picus_grow(r->context, &r->shapes, r->shape_count, &r->shape_room, sizeof *r->shapes);
  if (!status)
    status = picus_grow(r->context, &r->shape_link, r->shape_count, &r->shape_link_room, sizeof *r->shape_link);
  if (status) return status;
  r->shape_link[r->shape_count] = link;
  r->shapes[r->shape_count++] = *shape;
  return PICUS_OK;
}

picus_status picus_robot_add_joint(robot *r, const robot_joint *joint) {
  picus_status status = picus_grow(r->context, &r->joints, r->joint_count, &r->joint_room, sizeof *r->joints);
  if (!status) r->joints[r->joint_count++] = *joint;
  return status;
}

picus_status picus_robot_add_drive(robot *r, const robot_drive *drive) {
  picus_status status = picus_grow(r->context, &r->drives, r->drive_count, &r->drive_room, sizeof *r->drives);
  if (!status) r->drives[r->drive_count++] = *drive;
  return status;
}

static int find_named(const robot *r, const char *given, bool is_sum) {
  for (size_t k = 0; k < r->joint_count; k++) {
    const robot_joint *j = &r->joints[k];
    const bool is_wanted = is_sum ? j->kind == ROBOT_SUM : j->kind == ROBOT_HINGE || j->kind == ROBOT_SLIDE;
    if (is_wanted && j->given && strcmp(j->given, given) == 0) return (int)k;
  }
  return -1;
}

int picus_robot_find_joint(const robot *r, const char *given) { return find_named(r, given, false); }
int picus_robot_find_sum(const robot *r, const char *given) { return find_named(r, given, true); }

picus_status picus_robot_add_term(robot *r, const robot_term *term) {
  picus_status status = picus_grow(r->context, &r->terms, r->term_count, &r->term_room, sizeof *r->terms);
  if (!status) r->terms[r->term_count++] = *term;
  return status;
}

picus_status picus_robot_add_tie(robot *r, const robot_tie *tie) {
  picus_status status = picus_grow(r->context, &r->ties, r->tie_count, &r->tie_room, sizeof *r->ties);
  if (!status) r->ties[r->tie_count++] = *tie;
  return status;
}

picus_status picus_robot_note(robot *r, const char *format, ...) {
  char text[ROBOT_NOTE];
  va_list list;
  va_start(list, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the line above initializes it
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = ' '; /* a note is one line of a comment */
  for (size_t k = 0; k < r->note_count; k++)
    if (strcmp(r->notes[k], text) == 0) return PICUS_OK;
  picus_status status = picus_grow(r->context, &r->notes, r->note_count, &r->note_room, sizeof *r->notes);
  if (!status) memcpy(r->notes[r->note_count++], text, sizeof text);
  return status;
}

static bool is_taken(const robot *r, robot_named among, const char *name) {
  static const char *const reserved[] = {"t",     "dt",     "order", "E",     "picus",  "ground", "world", "and",
                                         "break", "do",     "else",  "end",   "elseif", "false",  "for",   "function",
                                         "goto",  "if",     "in",    "local", "nil",    "not",    "or",    "repeat",
                                         "then",  "return", "true",  "until", "while"};
  for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
    if (strcmp(reserved[k], name) == 0) return true;
  for (size_t k = 0; among == ROBOT_LINKS && k < r->link_count; k++)
    if (strcmp(r->links[k].name, name) == 0) return true;
  for (size_t k = 0; among == ROBOT_LAWS && k < r->joint_count; k++)
    if (strcmp(r->joints[k].name, name) == 0) return true;
  for (size_t k = 0; among == ROBOT_LAWS && k < r->tie_count; k++)
    if (strcmp(r->ties[k].name, name) == 0) return true;
  for (size_t k = 0; among == ROBOT_INPUTS && k < r->drive_count; k++)
    if (strcmp(r->drives[k].name, name) == 0) return true;
  return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void picus_robot_choose_name(const robot *r, robot_named among, const char *wanted, const char *otherwise,
                             char name[ROBOT_NAME]) {
  enum { ROOM = ROBOT_NAME - 16 };
  size_t length = 0;
  if (!wanted || !*wanted) wanted = otherwise;
  if (!is_letter(*wanted)) name[length++] = 'x';
  for (const char *c = wanted; *c && length < ROOM; c++)
    name[length++] = is_letter(*c) || (*c >= '0' && *c <= '9') ? *c : '_';
  name[length] = '\0';
  for (int k = 2; is_taken(r, among, name); k++) snprintf(name + length, 16, "_%d", k);
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

picus_status picus_robot_numbers(const robot *r, robot_attribute a, int most, double *values, int *count) {
  static const double largest = 1e15; /* squares and products of lengths, masses and gains stay finite */
  picus_status status = PICUS_OK;
  *count = 0;
  for (const char *at = a.text; !status;) {
    while (*at == ' ') at++;
    if (!*at) break;
    char *end;
    const double value = strtod(at, &end);
    if (end == at || (*end && *end != ' '))
      status = picus_xml_fail(&r->document, a.element, "'%.30s' of '%s' is no number", at, a.name);
    else if (!(fabs(value) <= largest))
      status = picus_xml_fail(&r->document, a.element, "%.30s of '%s' is beyond %g, or no number", at, a.name, largest);
    else if (*count == most)
      status = picus_xml_fail(&r->document, a.element, "'%s' has more than %d numbers", a.name, most);
    else
      values[(*count)++] = value;
    at = end;
  }
  return status;
}

/* --- rotations ---------------------------------------------------------------------------------------------------- */

robot_place picus_robot_no_place(void) { return (robot_place){.turn = {1, 0, 0, 0}}; }

void picus_robot_multiply(const double a[4], const double b[4], double out[4]) {
  const double c[4] = {
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  memcpy(out, c, sizeof c);
}

static void matrix_of(const double p[4], double R[3][3]) {
  const double w = p[0], x = p[1], y = p[2], z = p[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(R, rows, sizeof rows);
}

void picus_robot_turn(const double turn[4], const double v[3], double out[3]) {
  double R[3][3], w[3];
  matrix_of(turn, R);
  for (int i = 0; i < 3; i++) w[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
  memcpy(out, w, sizeof w);
}

robot_place picus_robot_then(const robot_place *outer, const robot_place *inner) {
  robot_place out;
  picus_robot_turn(outer->turn, inner->at, out.at);
  for (int i = 0; i < 3; i++) out.at[i] += outer->at[i];
  picus_robot_multiply(outer->turn, inner->turn, out.turn);
  (void)picus_robot_normalise(out.turn, 4);
  return out;
}

bool picus_robot_normalise(double *v, int count) {
  double sum = 0, largest = 0;
  for (int i = 0; i < count; i++) largest = fmax(largest, fabs(v[i]));
  if (!(largest > 1e-12)) return false;
  for (int i = 0; i < count; i++) sum += v[i] / largest * (v[i] / largest);
  const double length = largest * sqrt(sum);
  if (fabs(length - 1) > 1e-15) /* a unit vector stays as it is written */
    for (int i = 0; i < count; i++) v[i] /= length;
  return true;
}

void picus_robot_about(const double axis[3], double angle, double turn[4]) {
  const double s = picus_sin(angle / 2);
  turn[0] = picus_cos(angle / 2);
  for (int i = 0; i < 3; i++) turn[i + 1] = s * axis[i];
}

void picus_robot_from_z(const double direction[3], double turn[4]) {
  double d[3] = {direction[0], direction[1], direction[2]};
  (void)picus_robot_normalise(d, 3);
  const double half[4] = {1 + d[2], -d[1], d[0], 0}; /* 1 + z . d, z x d */
  static const double reversed[4] = {0, 1, 0, 0};
  memcpy(turn, half[0] > 1e-9 ? half : reversed, 4 * sizeof *turn);
  (void)picus_robot_normalise(turn, 4);
}

/* Shepperd (1978): the largest of four numbers is the divisor. */
void picus_robot_from_columns(const double x[3], const double y[3], const double z[3], double turn[4]) {
  const double trace = x[0] + y[1] + z[2];
  const double own[4] = {trace, x[0], y[1], z[2]};
  int most = 0;
  for (int k = 1; k < 4; k++)
    if (own[k] > own[most]) most = k;
  const double candidates[4][4] = {{1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]},
                                   {y[2] - z[1], 1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2]},
                                   {z[0] - x[2], x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1]},
                                   {x[1] - y[0], z[0] + x[2], y[2] + z[1], 1 - x[0] - y[1] + z[2]}};
  memcpy(turn, candidates[most], 4 * sizeof *turn);
  (void)picus_robot_normalise(turn, 4);
}

/* --- inertia ------------------------------------------------------------------------------------------------------ */

#define PI 3.14159265358979323846

static void set_diagonal(robot_inertia *out, double mass, double x, double y, double z) {
  *out = (robot_inertia){.mass = mass, .about = {{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

/* A cylinder with half-spheres at its ends. */
static void capsule_inertia(double r, double l, robot_inertia *out) {
  const double cylinder = PI * r * r * l, ends = 4.0 / 3 * PI * r * r * r;
  const double along = cylinder * r * r / 2 + ends * 2 * r * r / 5;
  const double across = cylinder * (r * r / 4 + l * l / 12) + ends * (2 * r * r / 5 + l * l / 4 + 3 * l * r / 8);
  set_diagonal(out, cylinder + ends, across, across, along);
}

bool picus_robot_shape_inertia(const robot_shape *shape, robot_inertia *out) {
  const double *s = shape->size;
  double m;
  switch (shape->kind) {
  case ROBOT_SPHERE:
    m = 4.0 / 3 * PI * s[0] * s[0] * s[0];
    set_diagonal(out, m, 0.4 * m * s[0] * s[0], 0.4 * m * s[0] * s[0], 0.4 * m * s[0] * s[0]);
    return true;
  case ROBOT_CAPSULE:
    capsule_inertia(s[0], s[1], out);
    return true;
  case ROBOT_CYLINDER:
    m = PI * s[0] * s[0] * s[1];
    set_diagonal(out, m, m * (s[0] * s[0] / 4 + s[1] * s[1] / 12), m * (s[0] * s[0] / 4 + s[1] * s[1] / 12),
                 m * s[0] * s[0] / 2);
    return true;
  case ROBOT_BOX:
    m = s[0] * s[1] * s[2];
    set_diagonal(out, m, m * (s[1] * s[1] + s[2] * s[2]) / 12, m * (s[0] * s[0] + s[2] * s[2]) / 12,
                 m * (s[0] * s[0] + s[1] * s[1]) / 12);
    return true;
  case ROBOT_ELLIPSOID:
    m = 4.0 / 3 * PI * s[0] * s[1] * s[2];
    set_diagonal(out, m, m * (s[1] * s[1] + s[2] * s[2]) / 5, m * (s[0] * s[0] + s[2] * s[2]) / 5,
                 m * (s[0] * s[0] + s[1] * s[1]) / 5);
    return true;
  case ROBOT_HALF_SPACE:
  case ROBOT_MESH:
    break;
  }
  return false;
}

/* R J R^T */
static void rotated(const double turn[4], const double J[3][3], double out[3][3]) {
  double R[3][3];
  matrix_of(turn, R);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      out[i][k] = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) out[i][k] += R[i][a] * J[a][b] * R[k][b];
    }
}

/* The theorem of Steiner: adds mass at d from the centre. */
static void add_distant(double J[3][3], double mass, const double d[3]) {
  const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) J[i][k] += mass * ((i == k ? square : 0) - d[i] * d[k]);
}

void picus_robot_add_inertia(robot_inertia *sum, const robot_inertia *part, const robot_place *place, double mass) {
  if (!(mass > 0)) return;
  const double scale = mass / part->mass, all = sum->mass + mass;
  double J[3][3], centre[3], middle[3], to_sum[3], to_part[3];
  rotated(place->turn, part->about, J);
  picus_robot_turn(place->turn, part->centre, centre);
  for (int i = 0; i < 3; i++) {
    centre[i] += place->at[i];
    middle[i] = (sum->mass * sum->centre[i] + mass * centre[i]) / all;
    to_sum[i] = sum->centre[i] - middle[i];
    to_part[i] = centre[i] - middle[i];
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) sum->about[i][k] += scale * J[i][k];
  add_distant(sum->about, sum->mass, to_sum);
  add_distant(sum->about, mass, to_part);
  memcpy(sum->centre, middle, sizeof middle);
  sum->mass = all;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void release(robot *r) {
  picus_xml_release(&r->document);
  picus_release(r->context, r->links);
  picus_release(r->context, r->shape_link);
  picus_release(r->context, r->shapes);
  picus_release(r->context, r->joints);
  picus_release(r->context, r->terms);
  picus_release(r->context, r->drives);
  picus_release(r->context, r->ties);
  picus_release(r->context, r->notes);
}

static picus_status read_root(robot *r, int root, const robot_source *source) {
  if (picus_xml_is(&r->document, root, "mujoco")) return picus_robot_read_mjcf(r, root, source);
  if (picus_xml_is(&r->document, root, "robot")) return picus_robot_read_urdf(r, root, source);
  return picus_xml_fail(&r->document, root, "<%.40s> is neither <mujoco> (MJCF) nor <robot> (URDF)",
                        r->document.elements[root].name);
}

static picus_status read_source(robot *r, const robot_source *source, char **text, char **notes) {
  int root;
  const char *slash = strrchr(source->name, '/');
  snprintf(r->source, sizeof r->source, "%s", slash ? slash + 1 : source->name);
  picus_status status = picus_xml_read(&r->document, source->name, source->bytes, source->size, &root);
  if (!status) status = read_root(r, root, source);
  return status ? status : picus_robot_write(r, text, notes);
}

picus_status picus_robot_import(picus_context *context, const robot_source *source, char **text, char **notes) {
  robot r = {.context = context, .document = {.context = context}, .gravity = {0, 0, -9.81}, .dt = 0.002};
  picus_plain_locale plain; /* numbers have decimal points */
  if (!picus_locale_create(&plain)) return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory");
  picus_locale_enter(&plain);
  const picus_status status = read_source(&r, source, text, notes);
  picus_locale_leave(&plain);
  picus_locale_destroy(&plain);
  release(&r);
  return status;
}
