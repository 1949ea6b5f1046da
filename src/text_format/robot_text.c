/* A robot as the text of a model file. Links that joints move become bodies, with all links that they carry; a link
 * with several joints gets a light body between each two of them. */
#include "base/elementary.h"
#include "base/growing_text.h"
#include "base/internal.h"
#include "text_format/robot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { PART_NAME = ROBOT_NAME + 32 }; /* b.NAME_part2 */
static const double share = 1e-4;     /* of mass and inertia, of each body between two joints of a link */

typedef struct writer {
  const robot *r;
  robot *notes; /* the same, for notes */
  picus_growing_text text;
  picus_status status;
  robot_place *world;  /* of each link, in the initial position */
  int *carrier;        /* the link with joints that carries it, or itself; -1: the world */
  int *joints;         /* of each link: how many */
  robot_inertia *mass; /* of each carrier, with what it carries, in its axes */
  double *shift;       /* of each joint: how far the initial position moves it into its limits */
  double *mu;          /* friction coefficients that differ */
  unsigned (*groups)[2];
  int mu_count, group_count;
} writer;

/* --- text --------------------------------------------------------------------------------------------------------- */

static void put(writer *w, const char *format, ...) PICUS_PRINTF(2, 3);
static void put(writer *w, const char *format, ...) {
  va_list list;
  va_start(list, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the line above initializes it
  if (!w->status) picus_growing_format_list(&w->text, format, list);
  va_end(list);
  if (!w->status) w->status = w->text.status;
}

/* Twelve digits: what places are computed from has hardly more, and 0.1 + 0.2 is 0.3 again. */
static void put_number(writer *w, double value) { put(w, "%.12g", fabs(value) < 1e-14 ? 0 : value); }

static void put_list(writer *w, const double *values, int count) {
  put(w, "{");
  for (int k = 0; k < count; k++) {
    put(w, "%s", k ? ", " : "");
    put_number(w, values[k]);
  }
  put(w, "}");
}

static void put_key(writer *w, const char *key, const double *values, int count) {
  put(w, ", %s = ", key);
  if (count == 1)
    put_number(w, values[0]);
  else
    put_list(w, values, count);
}

static bool is_turned(const double turn[4]) {
  return fabs(turn[1]) > 1e-14 || fabs(turn[2]) > 1e-14 || fabs(turn[3]) > 1e-14;
}

/* --- the initial position ----------------------------------------------------------------------------------------- */

/* How a joint moves the frame of its link, as seen in the frame before it. */
static robot_place joint_motion(const robot_joint *j, double value) {
  robot_place out = picus_robot_no_place();
  if (j->kind == ROBOT_SLIDE)
    for (int i = 0; i < 3; i++) out.at[i] = value * j->axis[i];
  if (j->kind != ROBOT_HINGE) return out;
  double turned[3];
  picus_robot_about(j->axis, value, out.turn);
  picus_robot_turn(out.turn, j->at, turned);
  for (int i = 0; i < 3; i++) out.at[i] = j->at[i] - turned[i];
  return out;
}

/* Where a joint that follows another one is, if the other one is at `value`. */
static double followed(const robot *r, const robot_tie *tie, double value) {
  const double x = tie->b < 0 ? 0 : value - r->joints[tie->b].start;
  double sum = 0;
  for (int k = ROBOT_POWERS - 1; k >= 0; k--) sum = sum * x + tie->power[k];
  return r->joints[tie->a].start + sum;
}

/* Joints start within their limits, and where those that they follow take them. */
static void choose_shifts(writer *w) {
  for (size_t k = 0; k < w->r->joint_count; k++) {
    const robot_joint *j = &w->r->joints[k];
    double shift = 0;
    if (j->kind == ROBOT_SUM) continue;
    if (j->start < j->low) shift = j->low - j->start;
    if (j->start > j->high) shift = j->high - j->start;
    w->shift[k] = shift;
    if (shift != 0 && !w->status)
      w->status = picus_robot_note(w->notes, "the initial position, where joint '%s' is at %.6g: it starts at %.6g",
                                   j->name, j->start, j->start + shift);
  }
  for (size_t k = 0; k < w->r->tie_count; k++) {
    const robot_tie *tie = &w->r->ties[k];
    if (tie->kind != ROBOT_COUPLE || w->r->joints[tie->a].kind == ROBOT_SUM) continue;
    const double other = tie->b < 0 ? 0 : w->r->joints[tie->b].start + w->shift[tie->b];
    w->shift[tie->a] = followed(w->r, tie, other) - w->r->joints[tie->a].start;
  }
}

static void place_links(writer *w) {
  const robot *r = w->r;
  for (size_t k = 0; k < r->link_count; k++) {
    const robot_link *link = &r->links[k];
    w->world[k] = link->parent < 0 ? link->place : picus_robot_then(&w->world[link->parent], &link->place);
    for (size_t i = 0; i < r->joint_count; i++) {
      if (r->joints[i].link != (int)k) continue;
      const robot_place motion = joint_motion(&r->joints[i], w->shift[i]);
      w->world[k] = picus_robot_then(&w->world[k], &motion);
      w->joints[k]++;
    }
    w->carrier[k] = w->joints[k] ? (int)k : link->parent < 0 ? -1 : w->carrier[link->parent];
  }
}

/* Where `inner` is, seen from `outer`; both in space. */
static robot_place seen_from(const robot_place *outer, const robot_place *inner) {
  robot_place back = {.turn = {outer->turn[0], -outer->turn[1], -outer->turn[2], -outer->turn[3]}};
  double at[3];
  picus_robot_turn(back.turn, outer->at, at);
  for (int i = 0; i < 3; i++) back.at[i] = -at[i];
  return picus_robot_then(&back, inner);
}

static void gather_masses(writer *w) {
  const robot *r = w->r;
  for (size_t k = 0; k < r->link_count; k++) {
    const int carrier = w->carrier[k];
    if (carrier < 0) continue;
    const robot_place place = seen_from(&w->world[carrier], &w->world[k]);
    picus_robot_add_inertia(&w->mass[carrier], &r->links[k].inertia, &place, r->links[k].inertia.mass);
  }
  for (size_t k = 0; k < r->link_count && !w->status; k++) {
    const robot_joint *free_one = NULL;
    for (size_t i = 0; i < r->joint_count; i++)
      if (r->joints[i].link == (int)k && r->joints[i].kind == ROBOT_FREE) free_one = &r->joints[i];
    if (w->joints[k] && !(w->mass[k].mass > 0))
      w->status = picus_fail(r->context, PICUS_ERROR_MODEL,
                             "'%s': the link '%s' moves and has no mass; give it an inertia, or shapes with a density",
                             r->source, r->links[k].name);
    else if (free_one && (w->joints[k] > 1 || r->links[k].parent >= 0))
      w->status = picus_fail(r->context, PICUS_ERROR_MODEL,
                             "'%s': the free joint '%s' must be the only one of its link, a child of the world",
                             r->source, free_one->name);
  }
}

/* --- materials and groups ----------------------------------------------------------------------------------------- */

static bool touches(const robot_shape *s) { return s->type || s->affinity; }

static int find_mu(const writer *w, double mu) {
  int k = 0;
  while (k < w->mu_count && w->mu[k] != mu) k++;
  return k;
}

static int find_group(const writer *w, const robot_shape *s) {
  int k = 0;
  while (k < w->group_count && (w->groups[k][0] != s->type || w->groups[k][1] != s->affinity)) k++;
  return k;
}

static void sort_shapes(writer *w) {
  for (size_t k = 0; k < w->r->shape_count; k++) {
    const robot_shape *s = &w->r->shapes[k];
    if (!touches(s)) continue;
    if (find_mu(w, s->mu) == w->mu_count) w->mu[w->mu_count++] = s->mu;
    const int group = find_group(w, s);
    if (group < w->group_count) continue;
    w->groups[w->group_count][0] = s->type;
    w->groups[w->group_count++][1] = s->affinity;
  }
}

/* MuJoCo takes the larger coefficient of a pair. */
static void put_materials(writer *w) {
  if (w->mu_count == 0) return;
  put(w, "\n");
  if (w->mu_count == 1) put(w, "material {\"default\", mu = %.12g}\n", w->mu[0]);
  for (int a = 0; w->mu_count > 1 && a < w->mu_count; a++) {
    put(w, "material {\"material%d\", mu = %.12g}\n", a + 1, w->mu[a]);
    for (int b = 0; b < a; b++)
      put(w, "material {\"material%d\", \"material%d\", mu = %.12g}\n", b + 1, a + 1, fmax(w->mu[a], w->mu[b]));
  }
}

static void put_groups(writer *w) {
  for (int a = 0; a < w->group_count; a++)
    for (int b = 0; b <= a; b++)
      if (!(w->groups[a][0] & w->groups[b][1]) && !(w->groups[b][0] & w->groups[a][1]))
        put(w, "collide {groups = {\"group%d\", \"group%d\"}, on = false}\n", b + 1, a + 1);
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

/* Whether there are shapes that do not touch each other. */
static bool has_groups(const writer *w) {
  return w->group_count > 1 || (w->group_count == 1 && !(w->groups[0][0] & w->groups[0][1]));
}

static void put_marks(writer *w, const robot_shape *s) {
  if (w->mu_count > 1) put(w, ", material = \"material%d\"", find_mu(w, s->mu) + 1);
  if (has_groups(w)) put(w, ", group = \"group%d\"", find_group(w, s) + 1);
}

/* A text as Lua reads it. */
static void put_quoted(writer *w, const char *text) {
  put(w, "\"");
  for (const char *c = text; *c; c++) put(w, strchr("\"\\", *c) ? "\\%c" : "%c", *c);
  put(w, "\"");
}

static void put_shape(writer *w, const robot_shape *s, const robot_place *place) {
  static const char *const names[] = {
      [ROBOT_SPHERE] = "sphere", [ROBOT_CAPSULE] = "capsule",     [ROBOT_CYLINDER] = "cylinder",
      [ROBOT_BOX] = "box",       [ROBOT_ELLIPSOID] = "ellipsoid", [ROBOT_MESH] = "polyhedron"};
  put(w, "    {\"%s\"", names[s->kind]);
  switch (s->kind) {
  case ROBOT_BOX:
    put_key(w, "size", s->size, 3);
    break;
  case ROBOT_ELLIPSOID:
    put_key(w, "radii", s->size, 3);
    break;
  case ROBOT_MESH:
    put(w, ", file = ");
    put_quoted(w, s->file);
    if (s->size[0] != 1) put_key(w, "scale", s->size, 1);
    break;
  default:
    put_key(w, "radius", s->size, 1);
    if (s->kind != ROBOT_SPHERE) put_key(w, "length", s->size + 1, 1);
  }
  put_key(w, "at", place->at, 3);
  if (is_turned(place->turn) && s->kind != ROBOT_SPHERE) put_key(w, "orientation", place->turn, 4);
  put_marks(w, s);
  put(w, "},\n");
}

/* The shapes of a carrier, from its centre of mass; -1: those of one link that does not move, or of the world. Returns
 * how many. */
static int put_shapes(writer *w, int carrier, int fixed_link, bool counts) {
  const robot *r = w->r;
  int count = 0;
  for (size_t k = 0; k < r->shape_count; k++) {
    const robot_shape *s = &r->shapes[k];
    const int link = r->shape_link[k], own = link < 0 ? -1 : w->carrier[link];
    if (own != carrier || !touches(s) || s->kind == ROBOT_HALF_SPACE) continue;
    if (carrier < 0 && link != fixed_link) continue;
    count++;
    if (counts) continue;
    const robot_place in_space = link < 0 ? s->place : picus_robot_then(&w->world[link], &s->place);
    robot_place place = carrier < 0 ? in_space : seen_from(&w->world[carrier], &in_space);
    for (int i = 0; carrier >= 0 && i < 3; i++) place.at[i] -= w->mass[carrier].centre[i];
    put_shape(w, s, &place);
  }
  return count;
}

static void put_world(writer *w) {
  const robot *r = w->r;
  int planes = 0;
  for (size_t k = 0; k < r->shape_count; k++) {
    const robot_shape *s = &r->shapes[k];
    const int link = r->shape_link[k];
    static const double up[3] = {0, 0, 1};
    double normal[3];
    if (s->kind != ROBOT_HALF_SPACE || !touches(s)) continue;
    if (link >= 0 && w->carrier[link] >= 0) {
      if (!w->status) w->status = picus_robot_note(w->notes, "planes of bodies that move");
      continue;
    }
    const robot_place place = link < 0 ? s->place : picus_robot_then(&w->world[link], &s->place);
    picus_robot_turn(place.turn, up, normal);
    put(w, "\nhalf_space {\"floor%.0d\"", planes ? planes + 1 : 0);
    put_key(w, "normal", normal, 3);
    put_key(w, "position", place.at, 3);
    put_marks(w, s);
    put(w, ", extent = 3}\n");
    planes++;
  }
}

/* Shapes of the world, and of links that nothing moves, as frames. */
static void put_frames(writer *w) {
  for (int link = -1; link < (int)w->r->link_count; link++) {
    if ((link >= 0 && w->carrier[link] >= 0) || put_shapes(w, -1, link, true) == 0) continue;
    const char *name = link < 0 ? "world" : w->r->links[link].name;
    put(w, "b.%s = frame {\"%s\", shape = {\n", name, name);
    put_shapes(w, -1, link, false);
    put(w, "}}\n");
  }
}

/* --- bodies ------------------------------------------------------------------------------------------------------- */

static void put_inertia(writer *w, const double J[3][3], double scale) {
  const double diagonal[3] = {scale * J[0][0], scale * J[1][1], scale * J[2][2]};
  const double off = fabs(J[0][1]) + fabs(J[0][2]) + fabs(J[1][2]);
  put(w, ", inertia = ");
  if (off <= 1e-12 * (J[0][0] + J[1][1] + J[2][2])) {
    put_list(w, diagonal, 3);
    return;
  }
  put(w, "{");
  for (int i = 0; i < 3; i++) {
    const double row[3] = {scale * J[i][0], scale * J[i][1], scale * J[i][2]};
    put(w, "%s", i ? ", " : "");
    put_list(w, row, 3);
  }
  put(w, "}");
}

/* One body; part: from 1, of those between joints, 0: the link itself, with its shapes. */
static void put_body(writer *w, int link, int part) {
  const robot_link *l = &w->r->links[link];
  const robot_inertia *m = &w->mass[link];
  double centre[3];
  const double rest = 1 - share * (w->joints[link] - 1), mass = m->mass * (part ? share : rest);
  picus_robot_turn(w->world[link].turn, m->centre, centre);
  for (int i = 0; i < 3; i++) centre[i] += w->world[link].at[i];
  char name[PART_NAME];
  snprintf(name, sizeof name, part ? "%s_part%d" : "%s", l->name, part);
  put(w, "b.%s = spatial_body {\"%s\"", name, name);
  put_key(w, "mass", &mass, 1);
  put_inertia(w, m->about, part ? share : rest);
  put_key(w, "position", centre, 3);
  if (is_turned(w->world[link].turn)) put_key(w, "orientation", w->world[link].turn, 4);
  if (!part && put_shapes(w, link, -1, true) > 0) {
    put(w, ", shape = {\n");
    put_shapes(w, link, -1, false);
    put(w, "}");
  }
  put(w, "}\n");
}

static void put_bodies(writer *w) {
  put(w, "\n-- Bodies: mass and inertia about the centre of mass, in axes of the link.\nlocal b = {}\n");
  put_frames(w);
  for (int k = 0; k < (int)w->r->link_count; k++) {
    for (int part = 1; part < w->joints[k]; part++) put_body(w, k, part);
    if (w->joints[k]) put_body(w, k, 0);
  }
}

/* --- joints ------------------------------------------------------------------------------------------------------- */

/* What a joint connects, and where, in the initial position. */
typedef struct joint_ends {
  char a[PART_NAME], b[PART_NAME]; /* expressions of Lua */
  robot_place of_a, of_b;          /* their frames, in space */
  double centre_a[3], centre_b[3]; /* their centres of mass, in space */
  double at[3], axis[3];
} joint_ends;

static void centre_of(const writer *w, int carrier, double out[3]) {
  if (carrier < 0) {
    memset(out, 0, 3 * sizeof *out);
    return;
  }
  picus_robot_turn(w->world[carrier].turn, w->mass[carrier].centre, out);
  for (int i = 0; i < 3; i++) out[i] += w->world[carrier].at[i];
}

static void name_carrier(const writer *w, int carrier, char name[PART_NAME]) {
  if (carrier < 0)
    snprintf(name, PART_NAME, "ground");
  else
    snprintf(name, PART_NAME, "b.%s", w->r->links[carrier].name);
}

/* joint: the number `order` of its link, from 0 */
static joint_ends ends_of(const writer *w, const robot_joint *j, int order) {
  const robot_link *link = &w->r->links[j->link];
  const int outer = link->parent < 0 ? -1 : w->carrier[link->parent], last = w->joints[j->link] - 1;
  joint_ends e = {.of_a = picus_robot_no_place(), .of_b = w->world[j->link]};
  if (order == 0) {
    name_carrier(w, outer, e.a);
    if (outer >= 0) e.of_a = w->world[outer];
    centre_of(w, outer, e.centre_a);
  } else {
    snprintf(e.a, sizeof e.a, "b.%s_part%d", link->name, order);
    e.of_a = e.of_b;
    centre_of(w, j->link, e.centre_a);
  }
  if (order == last)
    name_carrier(w, j->link, e.b);
  else
    snprintf(e.b, sizeof e.b, "b.%s_part%d", link->name, order + 1);
  centre_of(w, j->link, e.centre_b);
  picus_robot_turn(e.of_b.turn, j->at, e.at);
  picus_robot_turn(e.of_b.turn, j->axis, e.axis);
  for (int i = 0; i < 3; i++) e.at[i] += e.of_b.at[i];
  return e;
}

/* A direction or a point of space in the frame of a body, which begins at its centre of mass. */
static void put_in_frame(writer *w, const robot_place *frame, const double *centre, const double v[3]) {
  const double back[4] = {frame->turn[0], -frame->turn[1], -frame->turn[2], -frame->turn[3]};
  double relative[3] = {v[0], v[1], v[2]}, out[3];
  for (int i = 0; centre && i < 3; i++) relative[i] -= centre[i];
  picus_robot_turn(back, relative, out);
  put_list(w, out, 3);
}

/* A direction across the axis. */
static void side_of(const double axis[3], double out[3]) {
  const int least = fabs(axis[0]) < 0.6 ? 0 : 1;
  double e[3] = {0, 0, 0};
  e[least] = 1;
  out[0] = axis[1] * e[2] - axis[2] * e[1];
  out[1] = axis[2] * e[0] - axis[0] * e[2];
  out[2] = axis[0] * e[1] - axis[1] * e[0];
  (void)picus_robot_normalise(out, 3);
}

/* The middle of the turn in which the angle of a hinge is known: that of its limits, or the start. */
static bool has_middle(const robot_joint *j) {
  return isfinite(j->low) && isfinite(j->high) && j->high - j->low < 1.98 * PI;
}

/* Whether its value is known, however far it turns. */
static bool is_known(const robot *r, const robot_joint *j) {
  if (j->kind != ROBOT_SUM) return j->kind != ROBOT_HINGE || has_middle(j);
  for (size_t k = 0; k < r->term_count; k++)
    if (&r->joints[r->terms[k].sum] == j && !is_known(r, &r->joints[r->terms[k].joint])) return false;
  return true;
}

/* joint.NAME: its value and rate as expressions. */
static void put_value(writer *w, const robot_joint *j, const joint_ends *e, double start) {
  const double middle = j->kind == ROBOT_HINGE && has_middle(j) ? (j->low + j->high) / 2 : start;
  double side[3], side_b[3], turn[4];
  side_of(e->axis, side);
  picus_robot_about(e->axis, start - middle, turn);
  picus_robot_turn(turn, side, side_b);
  put(w, "joint.%s = %s {%s, %s, axis = ", j->name, j->kind == ROBOT_HINGE ? "hinge" : "slide", e->a, e->b);
  put_in_frame(w, &e->of_a, NULL, e->axis);
  if (j->kind == ROBOT_HINGE) {
    put(w, ", axis_b = ");
    put_in_frame(w, &e->of_b, NULL, e->axis);
    put(w, ", sides = {");
    put_in_frame(w, &e->of_a, NULL, side);
    put(w, ", ");
    put_in_frame(w, &e->of_b, NULL, side_b);
  } else {
    put(w, ", points = {");
    put_in_frame(w, &e->of_a, e->centre_a, e->at);
    put(w, ", ");
    put_in_frame(w, &e->of_b, e->centre_b, e->at);
  }
  put(w, "}, middle = ");
  put_number(w, middle);
  put(w, "}\n");
}

static void put_limits(writer *w, const robot_joint *j) {
  if ((isfinite(j->low) || isfinite(j->high)) && !is_known(w->r, j)) {
    if (!w->status)
      w->status = j->kind == ROBOT_SUM
                      ? picus_robot_note(w->notes, "limits of '%s', a tendon of hinges that turn without end", j->name)
                      : picus_robot_note(w->notes, "limits of hinges that allow a complete turn");
    return;
  }
  if (isfinite(j->low)) put(w, "contact {\"%s_low\", gap = joint.%s.value - %.12g}\n", j->name, j->name, j->low);
  if (isfinite(j->high)) put(w, "contact {\"%s_high\", gap = %.12g - joint.%s.value}\n", j->name, j->high, j->name);
}

static void put_springs(writer *w, const robot_joint *j) {
  if (j->stiffness > 0 || j->damping > 0) {
    put(w, "drive(joint.%s, ", j->name);
    if (j->stiffness > 0) put(w, "-%.12g * (joint.%s.value - %.12g)", j->stiffness, j->name, j->rest);
    if (j->damping > 0) put(w, "%s%.12g * joint.%s.rate", j->stiffness > 0 ? " - " : "-", j->damping, j->name);
    put(w, ")\n");
  }
  if (j->friction > 0)
    put(w, "friction {\"%s_friction\", slip = joint.%s.rate, reservoir = %.12g}\n", j->name, j->name, j->friction);
}

static void put_armature(writer *w, const robot_joint *j) {
  if (j->armature > 0) put(w, "rotor(\"%s\", joint.%s, %.12g)\n", j->name, j->name, j->armature);
}

static void put_joint(writer *w, const robot_joint *j, int order, double shift) {
  static const char *const names[] = {
      [ROBOT_HINGE] = "revolute", [ROBOT_SLIDE] = "prismatic", [ROBOT_BALL] = "spherical"};
  if (j->kind == ROBOT_FREE) return;
  const joint_ends e = ends_of(w, j, order);
  put(w, "%s {\"%s\", %s, %s", names[j->kind], j->name, e.a, e.b);
  put_key(w, "at", e.at, 3);
  if (j->kind != ROBOT_BALL) put_key(w, "axis", e.axis, 3);
  put(w, "}\n");
  if (j->kind == ROBOT_BALL) {
    if ((j->damping > 0 || j->stiffness > 0 || j->friction > 0 || j->armature > 0) && !w->status)
      w->status = picus_robot_note(w->notes, "damping, stiffness, friction and armature of ball joints");
    return;
  }
  put_value(w, j, &e, j->start + shift);
  put_limits(w, j);
  put_springs(w, j);
  put_armature(w, j);
}

/* Functions of the model file, for the values of joints: those that it needs. */
static const char hinge_function[] =
    "\n"
    "-- The angle of a hinge, within half a turn of its middle, and its rate.\n"
    "local function hinge(h)\n"
    "  local a, b = h[1], h[2]\n"
    "  local x, y, z = a:direction(h.axis)\n"
    "  local ax, ay, az = a:direction(h.sides[1])\n"
    "  local bx, by, bz = b:direction(h.sides[2])\n"
    "  local across = x * (ay * bz - az * by) + y * (az * bx - ax * bz) + z * (ax * by - ay * bx)\n"
    "  local function spin(body, axis)\n"
    "    if body == ground then return 0 end\n"
    "    local wx, wy, wz = body:omega()\n"
    "    return axis[1] * wx + axis[2] * wy + axis[3] * wz\n"
    "  end\n"
    "  return {a = a, b = b, axis = {x, y, z}, is_hinge = true, rate = spin(b, h.axis_b) - spin(a, h.axis),\n"
    "    value = atan2(across, ax * bx + ay * by + az * bz) + h.middle}\n"
    "end\n";
static const char slide_function[] = "\n"
                                     "-- The distance of two points along the axis of a slide, and its rate.\n"
                                     "local function slide(s)\n"
                                     "  local a, b, pa, pb = s[1], s[2], s.points[1], s.points[2]\n"
                                     "  local x, y, z = a:direction(s.axis)\n"
                                     "  local ax, ay, az = a:point(pa)\n"
                                     "  local bx, by, bz = b:point(pb)\n"
                                     "  local ux, uy, uz = a:velocity(pa)\n"
                                     "  local vx, vy, vz = b:velocity(pb)\n"
                                     "  return {a = a, b = b, axis = {x, y, z}, points = s.points,\n"
                                     "    value = x * (bx - ax) + y * (by - ay) + z * (bz - az) + s.middle,\n"
                                     "    rate = x * (vx - ux) + y * (vy - uy) + z * (vz - uz)}\n"
                                     "end\n";
static const char sum_function[] =
    "\n"
    "-- A tendon: the sum of joints with factors, and its rate.\n"
    "local function sum(terms)\n"
    "  local out = {terms = terms, value = 0, rate = 0}\n"
    "  for _, term in ipairs(terms) do\n"
    "    local joint, factor = table.unpack(term)\n"
    "    out.value, out.rate = out.value + factor * joint.value, out.rate + factor * joint.rate\n"
    "  end\n"
    "  return out\n"
    "end\n";
static const char drive_head[] = "\n"
                                 "-- A torque about a hinge, or a force along a slide, from a to b.\n"
                                 "local function drive(joint, load)\n";
static const char drive_sum[] = "  for _, term in ipairs(joint.terms or {}) do drive(term[1], term[2] * load) end -- a "
                                "tendon pulls all its joints\n"
                                "  if joint.terms then return end\n";
static const char drive_body[] =
    "  local x, y, z = table.unpack(joint.axis)\n"
    "  for k, body in ipairs {joint.a, joint.b} do\n"
    "    local f = k == 1 and -load or load\n"
    "    if body == ground then\n"
    "    elseif joint.is_hinge then body_force {body, torque = {f * x, f * y, f * z}}\n"
    "    else body_force {body, point = joint.points[k], force = {f * x, f * y, f * z}} end\n"
    "  end\n"
    "end\n";

static const char rotor_function[] =
    "\n"
    "-- The inertia of a rotor that moves with a joint: a coordinate of its own, with the rate of the joint.\n"
    "local function rotor(name, joint, inertia)\n"
    "  local coordinate, rate = name .. \"_rotor\", name .. \"_rotor_rate\"\n"
    "  local _, u = coordinates {{coordinate, velocity = rate}}\n"
    "  kinetic(inertia / 2 * u[rate]^2)\n"
    "  constraint {name .. \"_armature\", velocity = u[rate] - joint.rate}\n"
    "end\n";

static bool has_joint(const robot *r, robot_joint_kind kind) {
  for (size_t k = 0; k < r->joint_count; k++)
    if (r->joints[k].kind == kind) return true;
  return false;
}

static void put_functions(writer *w) {
  const robot *r = w->r;
  bool drives = r->drive_count > 0, rotors = false;
  for (size_t k = 0; k < r->joint_count; k++) {
    drives = drives || r->joints[k].damping > 0 || r->joints[k].stiffness > 0;
    rotors = rotors || r->joints[k].armature > 0;
  }
  if (has_joint(r, ROBOT_HINGE)) put(w, "%s", hinge_function);
  if (has_joint(r, ROBOT_SLIDE)) put(w, "%s", slide_function);
  if (has_joint(r, ROBOT_SUM)) put(w, "%s", sum_function);
  if (drives && (has_joint(r, ROBOT_HINGE) || has_joint(r, ROBOT_SLIDE)))
    put(w, "%s%s%s", drive_head, has_joint(r, ROBOT_SUM) ? drive_sum : "", drive_body);
  if (rotors) put(w, "%s", rotor_function);
}

/* A tendon, with what acts on it. */
static void put_sum(writer *w, int number) {
  const robot_joint *j = &w->r->joints[number];
  const char *between = "";
  double start = 0;
  put(w, "joint.%s = sum {", j->name);
  for (size_t k = 0; k < w->r->term_count; k++) {
    const robot_term *term = &w->r->terms[k];
    if (term->sum != number) continue;
    start += term->factor * (w->r->joints[term->joint].start + w->shift[term->joint]);
    put(w, "%s{joint.%s, ", between, w->r->joints[term->joint].name);
    put_number(w, term->factor);
    put(w, "}");
    between = ", ";
  }
  put(w, "}\n");
  put_limits(w, j);
  put_springs(w, j);
  if (!w->status && (start < j->low || start > j->high))
    w->status = picus_robot_note(w->notes,
                                 "the initial position, where the tendon '%s' is at %.6g: correct it, its limits "
                                 "are %.6g and %.6g",
                                 j->name, start, j->low, j->high);
}

static const char *unit_of(const robot_joint *j) { return j->kind == ROBOT_HINGE ? "rad" : "m"; }

static void put_joints(writer *w) {
  const robot *r = w->r;
  put(w, "\n-- Joints, with their limits as contacts.\nlocal joint = {}\n");
  for (int link = 0; link < (int)r->link_count; link++) {
    int order = 0;
    for (size_t k = 0; w->joints[link] && k < r->joint_count; k++)
      if (r->joints[k].link == link) put_joint(w, &r->joints[k], order++, w->shift[k]);
  }
  for (size_t k = 0; k < r->joint_count; k++)
    if (r->joints[k].kind == ROBOT_SUM) put_sum(w, (int)k);
  for (size_t k = 0; k < r->joint_count; k++) {
    const robot_joint *j = &r->joints[k];
    if (j->kind == ROBOT_HINGE || j->kind == ROBOT_SLIDE)
      put(w, "observe {\"%s_value\", joint.%s.value, unit = \"%s\"}\n", j->name, j->name, unit_of(j));
    if (j->kind == ROBOT_SUM) put(w, "observe {\"%s_value\", joint.%s.value}\n", j->name, j->name);
  }
}

/* --- ties and drives ---------------------------------------------------------------------------------------------- */

/* What collides for a link: its carrier, or the frame with its shapes. false: nothing. */
static bool name_toucher(writer *w, int link, char name[PART_NAME]) {
  const int carrier = link < 0 ? -1 : w->carrier[link];
  if (carrier >= 0)
    name_carrier(w, carrier, name);
  else
    snprintf(name, PART_NAME, "b.%s", link < 0 ? "world" : w->r->links[link].name);
  return put_shapes(w, carrier, carrier < 0 ? link : -1, true) > 0;
}

static void put_term(writer *w, double value, const char *times) {
  if (value != 0) put(w, " %c %.12g%s", value < 0 ? '-' : '+', fabs(value), times);
}

static void put_power(writer *w, const robot_joint *j, int power) {
  put(w, j->start != 0 ? "(joint.%s.value" : "joint.%s.value", j->name);
  put_term(w, -j->start, "");
  if (j->start != 0) put(w, ")");
  if (power > 1) put(w, "^%d", power);
}

/* By positions; hinges that turn without end, whose angle is known within a turn only, by rates. */
static void put_coupling(writer *w, const robot_tie *tie) {
  const robot_joint *j = &w->r->joints[tie->a], *other = tie->b < 0 ? NULL : &w->r->joints[tie->b];
  const bool turns = !is_known(w->r, j) || (other && !is_known(w->r, other));
  const bool is_linear = tie->power[2] == 0 && tie->power[3] == 0 && tie->power[4] == 0;
  if (turns && is_linear && other) {
    put(w, "constraint {\"%s\", velocity = joint.%s.rate - %.12g * joint.%s.rate}\n", tie->name, j->name, tie->power[1],
        other->name);
    return;
  }
  put(w, "constraint {\"%s\", position = joint.%s.value", tie->name, j->name);
  put_term(w, -(j->start + tie->power[0]), "");
  for (int k = 1; other && k < ROBOT_POWERS; k++) {
    put_term(w, -tie->power[k], " * ");
    if (tie->power[k] != 0) put_power(w, other, k);
  }
  put(w, "}\n");
}

static void put_tie(writer *w, const robot_tie *tie) {
  if (tie->kind == ROBOT_COUPLE) {
    put_coupling(w, tie);
    return;
  }
  const int a = tie->a < 0 ? -1 : w->carrier[tie->a], b = tie->b < 0 ? -1 : w->carrier[tie->b];
  char first[PART_NAME], second[PART_NAME];
  double at[3] = {tie->at[0], tie->at[1], tie->at[2]};
  if (a == b && (a >= 0 || tie->kind != ROBOT_EXCLUDE)) return; /* two parts of one body */
  name_carrier(w, a, first);
  name_carrier(w, b, second);
  if (tie->a >= 0) {
    picus_robot_turn(w->world[tie->a].turn, tie->at, at);
    for (int i = 0; i < 3; i++) at[i] += w->world[tie->a].at[i];
  }
  if (tie->kind == ROBOT_EXCLUDE) {
    const bool has_both = name_toucher(w, tie->a, first) && name_toucher(w, tie->b, second);
    if (has_both && (a >= 0 || b >= 0)) put(w, "collide {bodies = {%s, %s}, on = false}\n", first, second);
    return;
  }
  put(w, "%s {\"%s\", %s, %s", tie->kind == ROBOT_WELD ? "weld" : "spherical", tie->name, first, second);
  put_key(w, "at", at, 3);
  put(w, "}\n");
}

/* Links that bodies of several joints connect: those that one joint connects do not touch anyway. */
static void put_neighbours(writer *w) {
  const robot *r = w->r;
  for (int k = 0; k < (int)r->link_count; k++) {
    const int outer = r->links[k].parent < 0 ? -1 : w->carrier[r->links[k].parent];
    if (w->joints[k] < 2 || outer < 0 || put_shapes(w, k, -1, true) == 0 || put_shapes(w, outer, -1, true) == 0)
      continue;
    put(w, "collide {bodies = {b.%s, b.%s}, on = false}\n", r->links[outer].name, r->links[k].name);
  }
}

static void put_drives(writer *w) {
  const robot *r = w->r;
  if (r->drive_count == 0) return;
  put(w, "\n-- Drives: inputs, which programs set.\nlocal i = inputs {\n");
  for (size_t k = 0; k < r->drive_count; k++) put(w, "  {\"%s\"},\n", r->drives[k].name);
  put(w, "}\n");
  for (size_t k = 0; k < r->drive_count; k++) {
    const robot_drive *d = &r->drives[k];
    const char *joint = r->joints[d->joint].name;
    char input[2 * ROBOT_NAME + 80];
    if (isfinite(d->low) && isfinite(d->high))
      snprintf(input, sizeof input, "max(%.12g, min(%.12g, i.%s))", d->low, d->high, d->name);
    else
      snprintf(input, sizeof input, "i.%s", d->name);
    put(w, "drive(joint.%s, %.12g * ", joint, d->gear);
    if (d->kind == ROBOT_MOTOR)
      put(w, "%.12g * %s)\n", d->gain, input);
    else if (d->kind == ROBOT_SERVO)
      put(w, "(%.12g * (%s - %.12g * joint.%s.value) - %.12g * joint.%s.rate))\n", d->gain, input, d->gear, joint,
          d->damping * d->gear, joint);
    else
      put(w, "%.12g * (%s - %.12g * joint.%s.rate))\n", d->gain, input, d->gear, joint);
  }
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void put_head(writer *w) {
  const robot *r = w->r;
  char source[ROBOT_NAME];
  snprintf(source, sizeof source, "%s", r->source);
  for (char *c = source; *c; c++)
    if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\') *c = ' ';
  put(w, "-- %s, as picus import has read it.\n", source);
  if (r->note_count > 0) put(w, "-- Left out or changed:\n");
  for (size_t k = 0; k < r->note_count; k++) put(w, "-- - %s\n", r->notes[k]);
  put(w, "model(\"%s\", \"from %s\")\n\ngravity ", r->name, source);
  put_list(w, r->gravity, 3);
  put(w, "\n");
}

static void put_all(writer *w) {
  const robot *r = w->r;
  put_materials(w);
  put_world(w);
  put_bodies(w);
  put_functions(w);
  if (r->joint_count > 0) put_joints(w);
  if (r->tie_count > 0) put(w, "\n-- Closed loops, joints that follow others, and bodies that do not touch.\n");
  for (size_t k = 0; k < r->tie_count; k++) put_tie(w, &r->ties[k]);
  put_neighbours(w);
  if (w->group_count > 0) put_groups(w);
  put_drives(w);
  put(w, "\nsimulate {scheme = \"rattle\", dt = %.12g, t_end = 2}\n", r->dt);
}

static picus_status prepare(writer *w) {
  const robot *r = w->r;
  picus_context *c = r->context;
  bool draws = false;
  w->world = picus_allocate(c, r->link_count, sizeof *w->world);
  w->carrier = picus_allocate(c, r->link_count, sizeof *w->carrier);
  w->joints = picus_allocate(c, r->link_count, sizeof *w->joints);
  w->mass = picus_allocate(c, r->link_count, sizeof *w->mass);
  w->shift = picus_allocate(c, r->joint_count, sizeof *w->shift);
  w->mu = picus_allocate(c, r->shape_count, sizeof *w->mu);
  w->groups = picus_allocate(c, r->shape_count, sizeof *w->groups);
  if (!w->world || !w->carrier || !w->joints || !w->mass || !w->shift || !w->mu || !w->groups)
    return PICUS_ERROR_MEMORY;
  choose_shifts(w);
  if (w->status) return w->status;
  place_links(w);
  gather_masses(w);
  sort_shapes(w);
  for (size_t k = 0; k < r->shape_count; k++) draws = draws || !touches(&r->shapes[k]);
  if (!w->status && draws) w->status = picus_robot_note(w->notes, "shapes that touch nothing and are only drawn");
  for (size_t k = 0; k < r->link_count && !w->status; k++) {
    if (w->joints[k] < 2) continue;
    w->status = picus_robot_note(
        w->notes, "links with several joints, as '%s': between two of them is a body with %g of the mass",
        r->links[k].name, share);
    break;
  }
  return w->status;
}

static void release_parts(writer *w) {
  picus_context *c = w->r->context;
  picus_release(c, w->world);
  picus_release(c, w->carrier);
  picus_release(c, w->joints);
  picus_release(c, w->mass);
  picus_release(c, w->shift);
  picus_release(c, w->mu);
  picus_release(c, w->groups);
}

static picus_status join_notes(const robot *r, char **out) {
  *out = picus_allocate(r->context, r->note_count * (ROBOT_NOTE + 2) + 1, 1);
  if (!*out) return PICUS_ERROR_MEMORY;
  char *to = *out;
  for (size_t k = 0; k < r->note_count; k++) to += sprintf(to, "%s\n", r->notes[k]);
  return PICUS_OK;
}

/* The body of the text comes first, because notes arise in it. */
picus_status picus_robot_write(robot *r, char **text, char **notes) {
  writer w = {.r = r, .notes = r, .text = {.context = r->context}}, head = {.r = r, .text = {.context = r->context}};
  picus_status status = prepare(&w);
  if (!status) put_all(&w);
  if (!status) status = w.status;
  if (!status) put_head(&head);
  if (!status) picus_growing_add(&head.text, w.text.bytes, w.text.size);
  if (!status) status = head.text.status;
  if (!status && notes) status = join_notes(r, notes);
  picus_release(r->context, w.text.bytes);
  release_parts(&w);
  if (status)
    picus_release(r->context, head.text.bytes);
  else
    *text = head.text.bytes;
  return status;
}
