/* MJCF, the format of MuJoCo (mujoco.readthedocs.io, XML reference): bodies, joints, geoms, the floor, closed loops,
 * motors, defaults. Bodies that no joint moves stay links of the tree; the writer joins them to what carries them. */
#include "base/elementary.h"
#include "base/internal.h"
#include "text_format/robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INCLUDES_MOST = 100, DEFAULTS_DEEP = 50, BODIES_DEEP = 1000, LINKS_MOST = 20000 };

typedef struct mjcf {
  robot *robot;
  const xml_document *d;
  const robot_source *source;
  int root;
  bool in_degrees, limits_by_range, all_from_geoms, none_from_geoms;
  char sequence[4]; /* of Euler angles */
  const char *mesh_folder;
  double total_mass; /* <= 0: that of the bodies */
  int includes;
} mjcf;

/* Where elements are read: their link, what lies between the link and them, and their class. */
typedef struct mjcf_site {
  int link;
  robot_place place;
  const char *class;
  int depth;
} mjcf_site;

/* --- attributes --------------------------------------------------------------------------------------------------- */

/* The <default> with this class name; NULL: the outermost. -1: there is none. */
static int find_default(const mjcf *m, int element, const char *class) {
  for (int k = m->d->elements[element].first_child; k >= 0; k = m->d->elements[k].next) {
    if (!picus_xml_is(m->d, k, "default")) continue;
    const char *name = picus_xml_value(m->d, k, "class");
    const bool is_outermost = element == m->root;
    if ((class && name && strcmp(name, class) == 0) ||
        (is_outermost && (!class || (!name && strcmp(class, "main") == 0))))
      return k;
    const int inside = class ? find_default(m, k, class) : -1;
    if (inside >= 0) return inside;
  }
  return -1;
}

/* The element of <default> for one of this name. */
static const char *default_of(const char *tag) {
  return strcmp(tag, "fixed") == 0 || strcmp(tag, "spatial") == 0 ? "tendon" : tag;
}

/* An attribute of an element, or that of its class, or of the classes around it. */
static const char *value_of(const mjcf *m, int element, const char *class, const char *name) {
  const char *own = picus_xml_value(m->d, element, name), *own_class = picus_xml_value(m->d, element, "class");
  const char *tag = default_of(m->d->elements[element].name);
  if (own) return own;
  int at = find_default(m, m->root, own_class ? own_class : class);
  for (int deep = 0; at >= 0 && at != m->root && deep < DEFAULTS_DEEP; at = m->d->elements[at].parent, deep++) {
    const int defaults = picus_xml_child(m->d, at, tag);
    const char *value = defaults >= 0 ? picus_xml_value(m->d, defaults, name) : NULL;
    if (value) return value;
  }
  for (int k = m->d->elements[m->root].first_child; k >= 0; k = m->d->elements[k].next) { /* of all classes */
    const int defaults = picus_xml_is(m->d, k, "default") ? picus_xml_child(m->d, k, tag) : -1;
    const char *value = defaults >= 0 ? picus_xml_value(m->d, defaults, name) : NULL;
    if (value) return value;
  }
  return NULL;
}

/* An element, and the class of elements around it. */
typedef struct mjcf_item {
  int element;
  const char *class;
} mjcf_item;
static mjcf_item item(int element, const char *class) { return (mjcf_item){element, class}; }

/* Numbers of an attribute; those that are not given keep their values. *count: how many are. */
static picus_status numbers(const mjcf *m, mjcf_item i, const char *name, int most, double *values, int *count) {
  const char *text = value_of(m, i.element, i.class, name);
  double read[12];
  *count = 0;
  if (!text) return PICUS_OK;
  picus_status status = picus_robot_numbers(m->robot, (robot_attribute){i.element, name, text}, most, read, count);
  if (!status) memcpy(values, read, (size_t)*count * sizeof *read);
  return status;
}

static picus_status number(const mjcf *m, mjcf_item i, const char *name, double *value) {
  int count;
  return numbers(m, i, name, 1, value, &count);
}

static picus_status all_numbers(const mjcf *m, mjcf_item i, const char *name, int wanted, double *values,
                                bool *is_given) {
  int count;
  picus_status status = numbers(m, i, name, wanted, values, &count);
  *is_given = count > 0;
  if (!status && count != 0 && count != wanted)
    return picus_xml_fail(m->d, i.element, "'%s' has %d numbers instead of %d", name, count, wanted);
  return status;
}

static double angle_of(const mjcf *m, double value) {
  return m->in_degrees ? value * (3.14159265358979323846 / 180) : value;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static void from_euler(const mjcf *m, const double angles[3], double turn[4]) {
  robot_place sum = picus_robot_no_place();
  for (int k = 0; k < 3; k++) {
    const char letter = m->sequence[k];
    const bool is_fixed = letter < 'a'; /* capital letters: about the axes of the parent */
    double axis[3] = {0, 0, 0}, part[4];
    axis[(is_fixed ? letter - 'X' : letter - 'x')] = 1;
    picus_robot_about(axis, angle_of(m, angles[k]), part);
    if (is_fixed)
      picus_robot_multiply(part, sum.turn, sum.turn);
    else
      picus_robot_multiply(sum.turn, part, sum.turn);
  }
  memcpy(turn, sum.turn, sizeof sum.turn);
}

static bool from_axes(const double xy[6], double turn[4]) {
  double x[3] = {xy[0], xy[1], xy[2]}, y[3] = {xy[3], xy[4], xy[5]};
  if (!picus_robot_normalise(x, 3)) return false;
  const double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  for (int i = 0; i < 3; i++) y[i] -= along * x[i];
  if (!picus_robot_normalise(y, 3)) return false;
  const double z[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
  picus_robot_from_columns(x, y, z, turn);
  return true;
}

/* By one of quat, axisangle, euler, xyaxes, zaxis. */
static picus_status read_turn(const mjcf *m, int element, const char *class, double turn[4]) {
  double v[6];
  bool given[5];
  picus_status status = all_numbers(m, item(element, class), "quat", 4, v, &given[0]);
  bool fine = true;
  if (!status && given[0]) {
    memcpy(turn, v, 4 * sizeof *v);
    fine = picus_robot_normalise(turn, 4);
  }
  if (!status) status = all_numbers(m, item(element, class), "axisangle", 4, v, &given[1]);
  if (!status && given[1]) {
    fine = picus_robot_normalise(v, 3);
    picus_robot_about(v, angle_of(m, v[3]), turn);
  }
  if (!status) status = all_numbers(m, item(element, class), "euler", 3, v, &given[2]);
  if (!status && given[2]) from_euler(m, v, turn);
  if (!status) status = all_numbers(m, item(element, class), "xyaxes", 6, v, &given[3]);
  if (!status && given[3]) fine = from_axes(v, turn);
  if (!status) status = all_numbers(m, item(element, class), "zaxis", 3, v, &given[4]);
  if (!status && given[4]) {
    fine = picus_robot_normalise(v, 3);
    if (fine) picus_robot_from_z(v, turn);
  }
  if (!status && given[0] + given[1] + given[2] + given[3] + given[4] > 1)
    return picus_xml_fail(m->d, element, "<%s> has two orientations", m->d->elements[element].name);
  return status || fine
             ? status
             : picus_xml_fail(m->d, element, "an orientation of <%s> has no direction", m->d->elements[element].name);
}

static picus_status read_place(const mjcf *m, int element, const char *class, robot_place *out) {
  bool is_given;
  *out = picus_robot_no_place();
  picus_status status = all_numbers(m, item(element, class), "pos", 3, out->at, &is_given);
  return status ? status : read_turn(m, element, class, out->turn);
}

/* --- files that are included -------------------------------------------------------------------------------------- */

static picus_status expand(mjcf *m, int element);

static picus_status include(mjcf *m, int element) {
  const char *file = picus_xml_value(m->d, element, "file");
  unsigned char *bytes = NULL;
  size_t size = 0;
  int root;
  if (!file) return picus_xml_fail(m->d, element, "<include> needs a file");
  if (++m->includes > INCLUDES_MOST)
    return picus_xml_fail(m->d, element, "more than %d files are included: does one include itself?", INCLUDES_MOST);
  picus_status status = m->source->read ? m->source->read(m->source->user, file, &bytes, &size)
                                        : picus_xml_fail(m->d, element, "included files are not read here");
  if (!status) status = picus_xml_read(&m->robot->document, file, bytes, size, &root);
  picus_release(m->robot->context, bytes);
  if (!status) status = expand(m, root);
  if (!status) picus_xml_splice(&m->robot->document, element, root);
  return status;
}

static picus_status expand(mjcf *m, int element) {
  picus_status status = PICUS_OK;
  for (int k = m->d->elements[element].first_child, next; !status && k >= 0; k = next) {
    next = m->d->elements[k].next;
    status = picus_xml_is(m->d, k, "include") ? include(m, k) : expand(m, k);
  }
  return status;
}

/* --- geoms -------------------------------------------------------------------------------------------------------- */

/* The <mesh> of this name, or with this file's name; -1: there is none. */
static int find_mesh(const mjcf *m, const char *name) {
  for (int k = m->d->elements[m->root].first_child; k >= 0; k = m->d->elements[k].next) {
    if (!picus_xml_is(m->d, k, "asset")) continue;
    for (int i = m->d->elements[k].first_child; i >= 0; i = m->d->elements[i].next) {
      if (!picus_xml_is(m->d, i, "mesh")) continue;
      const char *own = picus_xml_value(m->d, i, "name"), *file = picus_xml_value(m->d, i, "file");
      const char *slash = file ? strrchr(file, '/') : NULL, *stem = slash ? slash + 1 : file;
      if (own ? strcmp(own, name) == 0 : stem && strncmp(stem, name, strlen(name)) == 0 && stem[strlen(name)] == '.')
        return i;
    }
  }
  return -1;
}

/* The file with its folder, which lives as an attribute of the document does. */
static picus_status mesh_file(mjcf *m, int mesh, const char *file, const char **out) {
  char path[600];
  int root;
  const char *folder = *file == '/' ? NULL : m->mesh_folder;
  if (!folder || !*folder) {
    *out = file;
    return PICUS_OK;
  }
  /* the text of the path becomes a file of the document, which releases it */
  const size_t length = strlen(folder);
  const char *between = folder[length - 1] == '/' ? "" : "/";
  if (snprintf(path, sizeof path, "<p f='%s%s%s'/>", folder, between, file) >= (int)sizeof path ||
      strpbrk(path + 6, "<&"))
    return picus_xml_fail(m->d, mesh, "the path of the mesh is too long, or has signs of XML");
  picus_status status = picus_xml_read(&m->robot->document, "a path", path, strlen(path), &root);
  if (!status) *out = picus_xml_value(m->d, root, "f");
  return status;
}

/* *skips: it is no mesh that Picus reads; noted. */
static picus_status read_mesh(mjcf *m, int geom, const char *class, robot_shape *shape, bool *skips) {
  const char *name = value_of(m, geom, class, "mesh");
  const int mesh = name ? find_mesh(m, name) : -1;
  const char *file = mesh >= 0 ? picus_xml_value(m->d, mesh, "file") : NULL, *dot = file ? strrchr(file, '.') : NULL;
  double scale[3] = {1, 1, 1};
  int count;
  if (!name || mesh < 0) return picus_xml_fail(m->d, geom, "there is no mesh '%.40s'", name ? name : "");
  picus_status status = numbers(m, item(mesh, NULL), "scale", 3, scale, &count);
  if (status) return status;
  const bool is_read = dot && (strcmp(dot, ".stl") == 0 || strcmp(dot, ".obj") == 0 || strcmp(dot, ".STL") == 0 ||
                               strcmp(dot, ".OBJ") == 0);
  *skips = !is_read || scale[0] != scale[1] || scale[0] != scale[2] || !(scale[0] > 0);
  if (*skips)
    return picus_robot_note(m->robot, "meshes that are not STL or OBJ files with one scale, such as '%.40s'", name);
  shape->kind = ROBOT_MESH;
  shape->size[0] = scale[0];
  return mesh_file(m, mesh, file, &shape->file);
}

/* From half lengths to lengths; fromto: the ends of a long shape. */
static picus_status read_size(mjcf *m, int geom, const char *class, robot_shape *shape) {
  double size[3] = {0, 0, 0}, ends[6], *s = shape->size;
  int count;
  bool has_ends, is_valid = true;
  picus_status status = numbers(m, item(geom, class), "size", 3, size, &count);
  if (!status) status = all_numbers(m, item(geom, class), "fromto", 6, ends, &has_ends);
  if (status) return status;
  if (has_ends) {
    double along[3], length = 0;
    for (int i = 0; i < 3; i++) {
      along[i] =
          ends[3 + i] - ends[i]; /* MuJoCo's z axis points from the second end to the first; shapes have two ends */
      shape->place.at[i] = (ends[3 + i] + ends[i]) / 2;
      length += along[i] * along[i];
    }
    length = sqrt(length);
    if (!(length > 1e-12)) return picus_xml_fail(m->d, geom, "the two ends of 'fromto' are one point");
    picus_robot_from_z(along, shape->place.turn);
    if (shape->kind == ROBOT_BOX || shape->kind == ROBOT_ELLIPSOID)
      size[1] = size[0], size[2] = length / 2;
    else
      size[1] = length / 2;
  }
  for (int i = 0; i < 3; i++) s[i] = size[i];
  if (shape->kind == ROBOT_CAPSULE || shape->kind == ROBOT_CYLINDER) s[1] = 2 * size[1];
  if (shape->kind == ROBOT_BOX)
    for (int i = 0; i < 3; i++) s[i] = 2 * size[i];
  const int wanted = shape->kind == ROBOT_SPHERE                                     ? 1
                     : shape->kind == ROBOT_CAPSULE || shape->kind == ROBOT_CYLINDER ? 2
                                                                                     : 3;
  for (int i = 0; shape->kind != ROBOT_HALF_SPACE && i < wanted; i++) is_valid = is_valid && s[i] > 0;
  return is_valid ? PICUS_OK : picus_xml_fail(m->d, geom, "the sizes of the geom must be positive");
}

static const struct {
  const char *name;
  robot_shape_kind kind;
} geom_kinds[] = {{"plane", ROBOT_HALF_SPACE},  {"sphere", ROBOT_SPHERE}, {"capsule", ROBOT_CAPSULE},
                  {"cylinder", ROBOT_CYLINDER}, {"box", ROBOT_BOX},       {"ellipsoid", ROBOT_ELLIPSOID},
                  {"mesh", ROBOT_MESH}};

/* false: of a kind that Picus has not. */
static bool find_kind(const char *type, robot_shape_kind *kind) {
  for (size_t k = 0; k < sizeof geom_kinds / sizeof *geom_kinds; k++)
    if (strcmp(geom_kinds[k].name, type) == 0) {
      *kind = geom_kinds[k].kind;
      return true;
    }
  return false;
}

static picus_status read_contact(mjcf *m, int geom, const char *class, robot_shape *shape) {
  double friction[3] = {1, 0.005, 0.0001}, type = 1, affinity = 1, condim = 3;
  int count;
  picus_status status = numbers(m, item(geom, class), "friction", 3, friction, &count);
  if (!status) status = number(m, item(geom, class), "contype", &type);
  if (!status) status = number(m, item(geom, class), "conaffinity", &affinity);
  if (!status) status = number(m, item(geom, class), "condim", &condim);
  if (status) return status;
  if (!(type >= 0 && type < 4294967296.0 && affinity >= 0 && affinity < 4294967296.0))
    return picus_xml_fail(m->d, geom, "'contype' and 'conaffinity' are numbers of 32 bits");
  if (!(friction[0] >= 0)) return picus_xml_fail(m->d, geom, "friction must not be negative");
  shape->mu = condim == 1 ? 0 : friction[0];
  shape->type = (unsigned)type;
  shape->affinity = (unsigned)affinity;
  return condim > 3 ? picus_robot_note(m->robot, "torsional and rolling friction of geoms (condim 4 and 6)") : PICUS_OK;
}

/* Mass by density or as given, unless the body has an inertia of its own. */
static picus_status add_mass(mjcf *m, int geom, const char *class, const robot_shape *shape, int link) {
  double density = 1000, mass = -1;
  robot_inertia own;
  picus_status status = number(m, item(geom, class), "density", &density);
  if (!status) status = number(m, item(geom, class), "mass", &mass);
  if (status || link < 0 || shape->kind == ROBOT_HALF_SPACE) return status;
  if (!picus_robot_shape_inertia(shape, &own))
    return picus_robot_note(m->robot, "masses of meshes: bodies need <inertial>, or other geoms");
  picus_robot_add_inertia(&m->robot->links[link].inertia, &own, &shape->place, mass >= 0 ? mass : density * own.mass);
  return PICUS_OK;
}

static picus_status read_geom(mjcf *m, int geom, const mjcf_site *site, bool counts_mass) {
  const char *type = value_of(m, geom, site->class, "type");
  robot_shape shape = {0};
  bool skips = false;
  if (!type) type = value_of(m, geom, site->class, "mesh") ? "mesh" : "sphere";
  if (strcmp(type, "hfield") == 0) {
    const char *field = value_of(m, geom, site->class, "hfield");
    return picus_robot_note(m->robot, "the heightfield '%.60s': nothing touches it", field ? field : "");
  }
  if (!find_kind(type, &shape.kind)) return picus_robot_note(m->robot, "geoms of the type '%.30s'", type);
  if (shape.kind != ROBOT_MESH && value_of(m, geom, site->class, "mesh"))
    return picus_robot_note(m->robot, "simple geoms that are fitted to meshes");
  picus_status status = read_place(m, geom, site->class, &shape.place);
  if (!status) status = read_contact(m, geom, site->class, &shape);
  if (!status && shape.kind == ROBOT_MESH)
    status = read_mesh(m, geom, site->class, &shape, &skips);
  else if (!status)
    status = read_size(m, geom, site->class, &shape);
  if (status || skips) return status;
  shape.place = picus_robot_then(&site->place, &shape.place);
  if (counts_mass) status = add_mass(m, geom, site->class, &shape, site->link);
  return status ? status : picus_robot_add_shape(m->robot, site->link, &shape);
}

/* --- joints ------------------------------------------------------------------------------------------------------- */

static picus_status read_limits(mjcf *m, int element, const char *class, robot_joint *joint) {
  double range[2] = {0, 0};
  bool has_range;
  const char *limited = value_of(m, element, class, "limited");
  picus_status status = all_numbers(m, item(element, class), "range", 2, range, &has_range);
  const bool is_limited =
      limited && strcmp(limited, "auto") != 0 ? strcmp(limited, "true") == 0 : has_range && m->limits_by_range;
  if (status || !is_limited) return status;
  if (joint->kind == ROBOT_BALL) return picus_robot_note(m->robot, "limits of ball joints");
  if (!(range[0] < range[1])) return picus_xml_fail(m->d, element, "the range of the joint is empty");
  const bool is_angle = joint->kind == ROBOT_HINGE;
  joint->low = is_angle ? angle_of(m, range[0]) : range[0];
  joint->high = is_angle ? angle_of(m, range[1]) : range[1];
  return PICUS_OK;
}

static picus_status read_dynamics(mjcf *m, int element, const char *class, robot_joint *joint) {
  picus_status status = number(m, item(element, class), "damping", &joint->damping);
  if (!status) status = number(m, item(element, class), "stiffness", &joint->stiffness);
  if (!status) status = number(m, item(element, class), "springref", &joint->rest);
  if (!status) status = number(m, item(element, class), "ref", &joint->start);
  if (!status) status = number(m, item(element, class), "frictionloss", &joint->friction);
  if (!status) status = number(m, item(element, class), "armature", &joint->armature);
  if (status) return status;
  if (joint->kind == ROBOT_HINGE) {
    joint->rest = angle_of(m, joint->rest);
    joint->start = angle_of(m, joint->start);
  }
  if (!(joint->damping >= 0 && joint->stiffness >= 0 && joint->friction >= 0 && joint->armature >= 0))
    return picus_xml_fail(m->d, element, "damping, stiffness, frictionloss and armature must not be negative");
  return PICUS_OK;
}

static picus_status read_joint(mjcf *m, int element, const mjcf_site *site) {
  const bool is_free = picus_xml_is(m->d, element, "freejoint");
  const char *type = is_free ? "free" : value_of(m, element, site->class, "type");
  robot_joint joint = {.kind = ROBOT_HINGE, .link = site->link, .axis = {0, 0, 1}, .low = -INFINITY, .high = INFINITY};
  char otherwise[ROBOT_NAME];
  bool is_given;
  if (site->link < 0) return picus_xml_fail(m->d, element, "the world cannot have a joint");
  if (type && strcmp(type, "free") == 0) joint.kind = ROBOT_FREE;
  if (type && strcmp(type, "slide") == 0) joint.kind = ROBOT_SLIDE;
  if (type && strcmp(type, "ball") == 0) joint.kind = ROBOT_BALL;
  if (type && joint.kind == ROBOT_HINGE && strcmp(type, "hinge") != 0)
    return picus_xml_fail(m->d, element, "there is no joint of the type '%.30s'", type);
  snprintf(otherwise, sizeof otherwise, "%.40s_joint", m->robot->links[site->link].name);
  joint.given = picus_xml_value(m->d, element, "name");
  picus_robot_choose_name(m->robot, ROBOT_LAWS, joint.given, otherwise, joint.name);
  picus_status status = PICUS_OK;
  if (joint.kind != ROBOT_FREE) {
    status = all_numbers(m, item(element, site->class), "pos", 3, joint.at, &is_given);
    if (!status) status = all_numbers(m, item(element, site->class), "axis", 3, joint.axis, &is_given);
    if (!status && !picus_robot_normalise(joint.axis, 3))
      status = picus_xml_fail(m->d, element, "the axis of the joint has no direction");
    if (!status) status = read_limits(m, element, site->class, &joint);
    if (!status) status = read_dynamics(m, element, site->class, &joint);
  }
  return status ? status : picus_robot_add_joint(m->robot, &joint);
}

/* --- bodies ------------------------------------------------------------------------------------------------------- */

static picus_status read_inertial(mjcf *m, int element, robot_inertia *out) {
  robot_place place;
  double mass = 0, J[6] = {0}, diagonal[3];
  bool has_mass, has_diagonal, has_full;
  picus_status status = read_place(m, element, NULL, &place);
  if (!status) status = all_numbers(m, item(element, NULL), "mass", 1, &mass, &has_mass);
  if (!status) status = all_numbers(m, item(element, NULL), "diaginertia", 3, diagonal, &has_diagonal);
  if (!status) status = all_numbers(m, item(element, NULL), "fullinertia", 6, J, &has_full);
  if (status) return status;
  if (!has_mass || !(mass >= 0) || (!has_diagonal && !has_full))
    return picus_xml_fail(m->d, element,
                          "<inertial> needs a mass that is not negative, and 'diaginertia' or 'fullinertia'");
  if (has_diagonal && !has_full) memcpy(J, diagonal, sizeof diagonal);
  const robot_inertia own = {.mass = 1, .about = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}};
  robot_inertia scaled = own;
  *out = (robot_inertia){0};
  if (mass > 0)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) scaled.about[i][k] /= mass;
  picus_robot_add_inertia(out, &scaled, &place, mass);
  return PICUS_OK;
}

static picus_status read_body(mjcf *m, int element, const mjcf_site *outer);

/* Elements that only draw or measure. */
static bool is_harmless(const char *tag) {
  static const char *const tags[] = {"site", "camera", "light", "inertial", "plugin"};
  for (size_t k = 0; k < sizeof tags / sizeof *tags; k++)
    if (strcmp(tags[k], tag) == 0) return true;
  return false;
}

static picus_status read_children(mjcf *m, int element, const mjcf_site *site, bool counts_mass) {
  picus_status status = PICUS_OK;
  for (int k = m->d->elements[element].first_child; !status && k >= 0; k = m->d->elements[k].next) {
    if (picus_xml_is(m->d, k, "geom"))
      status = read_geom(m, k, site, counts_mass);
    else if (picus_xml_is(m->d, k, "joint") || picus_xml_is(m->d, k, "freejoint"))
      status = read_joint(m, k, site);
    else if (picus_xml_is(m->d, k, "body"))
      status = read_body(m, k, site);
    else if (picus_xml_is(m->d, k, "frame")) {
      robot_place place;
      mjcf_site inner = *site;
      if (++inner.depth > BODIES_DEEP)
        return picus_xml_fail(m->d, k, "frames are nested more than %d deep", BODIES_DEEP);
      const char *class = picus_xml_value(m->d, k, "childclass");
      status = read_place(m, k, NULL, &place);
      inner.place = picus_robot_then(&site->place, &place);
      if (class) inner.class = class;
      if (!status) status = read_children(m, k, &inner, counts_mass);
    } else if (!is_harmless(m->d->elements[k].name))
      status = picus_robot_note(m->robot, "<%.30s> in bodies", m->d->elements[k].name);
  }
  return status;
}

static picus_status read_body(mjcf *m, int element, const mjcf_site *outer) {
  robot_link link = {.parent = outer->link};
  mjcf_site site = {.place = picus_robot_no_place(), .class = outer->class, .depth = outer->depth + 1};
  const char *class = picus_xml_value(m->d, element, "childclass");
  const int inertial = picus_xml_child(m->d, element, "inertial");
  robot_place place;
  link.given = picus_xml_value(m->d, element, "name");
  picus_robot_choose_name(m->robot, ROBOT_LINKS, link.given, "body", link.name);
  if (class) site.class = class;
  if (site.depth > BODIES_DEEP)
    return picus_xml_fail(m->d, element, "bodies are nested more than %d deep", BODIES_DEEP);
  if (m->robot->link_count >= LINKS_MOST)
    return picus_xml_fail(m->d, element, "there are more than %d bodies", LINKS_MOST);
  picus_status status = read_place(m, element, NULL, &place);
  link.place = picus_robot_then(&outer->place, &place);
  const bool is_given = inertial >= 0 && !m->all_from_geoms;
  if (!status && is_given) status = read_inertial(m, inertial, &link.inertia);
  if (!status && picus_xml_value(m->d, element, "mocap"))
    status = picus_robot_note(m->robot, "mocap: such bodies are fixed");
  if (!status) status = picus_robot_add_link(m->robot, &link, &site.link);
  return status ? status : read_children(m, element, &site, !is_given && !m->none_from_geoms);
}

/* --- tendons ------------------------------------------------------------------------------------------------------ */

/* Whether a tendon of this name is one that runs through space. */
static bool is_spatial(const mjcf *m, const char *name) {
  for (int k = m->d->elements[m->root].first_child; k >= 0; k = m->d->elements[k].next) {
    if (!picus_xml_is(m->d, k, "tendon")) continue;
    for (int i = m->d->elements[k].first_child; i >= 0; i = m->d->elements[i].next) {
      const char *own = picus_xml_is(m->d, i, "spatial") ? picus_xml_value(m->d, i, "name") : NULL;
      if (own && strcmp(own, name) == 0) return true;
    }
  }
  return false;
}

/* The joints of a tendon, with their factors. *start: its length where all joints start. */
static picus_status read_terms(mjcf *m, int element, double *start) {
  int count = 0;
  *start = 0;
  for (int k = m->d->elements[element].first_child; k >= 0; k = m->d->elements[k].next, count++) {
    const char *name = picus_xml_value(m->d, k, "joint");
    robot_term term = {.sum = (int)m->robot->joint_count, .joint = name ? picus_robot_find_joint(m->robot, name) : -1};
    bool is_given;
    if (!picus_xml_is(m->d, k, "joint") || term.joint < 0)
      return picus_xml_fail(m->d, k, "a fixed tendon has <joint joint='...' coef='...'/>, of hinges and slides");
    picus_status status = all_numbers(m, item(k, NULL), "coef", 1, &term.factor, &is_given);
    if (!status) status = picus_robot_add_term(m->robot, &term);
    if (status) return status;
    *start += term.factor * m->robot->joints[term.joint].start;
  }
  return count > 0 ? PICUS_OK : picus_xml_fail(m->d, element, "the tendon has no joints");
}

/* springlength: where the spring has no force; two numbers: anywhere between them. Without it: where the joints start.
 */
static picus_status read_spring(mjcf *m, int element, robot_joint *tendon) {
  double length[2] = {-1, -1};
  int count;
  picus_status status = number(m, item(element, NULL), "stiffness", &tendon->stiffness);
  if (!status) status = numbers(m, item(element, NULL), "springlength", 2, length, &count);
  tendon->rest = length[0] == -1 ? tendon->start : length[0];
  if (status || !(tendon->stiffness > 0) || length[0] == -1 || count < 2 || length[0] == length[1]) return status;
  tendon->stiffness = 0;
  return picus_robot_note(m->robot, "the spring of the tendon '%.40s', which has a range without force", tendon->name);
}

/* <fixed>: the sum of the values of joints. It becomes a law as they have. */
static picus_status read_tendon(mjcf *m, int element) {
  const char *tag = m->d->elements[element].name;
  robot_joint tendon = {.kind = ROBOT_SUM, .link = -1, .low = -INFINITY, .high = INFINITY};
  tendon.given = picus_xml_value(m->d, element, "name");
  if (strcmp(tag, "fixed") != 0)
    return picus_robot_note(m->robot, "the tendon '%.60s', which is <%.20s>: only fixed ones are read",
                            tendon.given ? tendon.given : "", tag);
  picus_robot_choose_name(m->robot, ROBOT_LAWS, tendon.given, "tendon", tendon.name);
  picus_status status = read_terms(m, element, &tendon.start);
  if (!status) status = read_spring(m, element, &tendon);
  if (!status) status = read_limits(m, element, NULL, &tendon);
  if (!status) status = number(m, item(element, NULL), "damping", &tendon.damping);
  if (!status) status = number(m, item(element, NULL), "frictionloss", &tendon.friction);
  if (!status && value_of(m, element, NULL, "armature"))
    status = picus_robot_note(m->robot, "the armature of the tendon '%.40s'", tendon.name);
  if (!status && !(tendon.damping >= 0 && tendon.stiffness >= 0 && tendon.friction >= 0))
    return picus_xml_fail(m->d, element, "damping, stiffness and frictionloss must not be negative");
  return status ? status : picus_robot_add_joint(m->robot, &tendon);
}

/* --- closed loops, exclusions ------------------------------------------------------------------------------------- */

/* The number of a body; -1: the world, or none is named. false: there is none, told already. */
static picus_status find_body(const mjcf *m, int element, const char *attribute, int *link) {
  const char *name = picus_xml_value(m->d, element, attribute);
  *link = -1;
  if (!name || strcmp(name, "world") == 0) return PICUS_OK;
  for (size_t k = 0; k < m->robot->link_count; k++)
    if (m->robot->links[k].given && strcmp(m->robot->links[k].given, name) == 0) {
      *link = (int)k;
      return PICUS_OK;
    }
  return picus_xml_fail(m->d, element, "there is no body '%.40s'", name);
}

typedef int (*find_fn)(const robot *robot, const char *given);

/* <joint joint1 joint2 polycoef>: a joint that follows another one, or that stays where it is; the same for tendons. */
static picus_status read_coupling(mjcf *m, int element, bool of_tendons) {
  const find_fn find = of_tendons ? picus_robot_find_sum : picus_robot_find_joint;
  const char *one = picus_xml_value(m->d, element, of_tendons ? "tendon1" : "joint1");
  const char *other = picus_xml_value(m->d, element, of_tendons ? "tendon2" : "joint2");
  robot_tie tie = {.kind = ROBOT_COUPLE, .b = -1, .power = {0, 1}};
  int count;
  tie.a = one ? find(m->robot, one) : -1;
  if (other) tie.b = find(m->robot, other);
  if (tie.a < 0 || (other && tie.b < 0) || tie.a == tie.b)
    return of_tendons
               ? picus_xml_fail(m->d, element, "<tendon> needs 'tendon1', and may have 'tendon2': two <fixed> ones")
               : picus_xml_fail(m->d, element, "<joint> needs 'joint1', and may have 'joint2': two hinges or slides");
  picus_status status = numbers(m, item(element, NULL), "polycoef", ROBOT_POWERS, tie.power, &count);
  picus_robot_choose_name(m->robot, ROBOT_LAWS, picus_xml_value(m->d, element, "name"), "coupling", tie.name);
  return status ? status : picus_robot_add_tie(m->robot, &tie);
}

/* Equality between tendons that are not read is left out with them. */
static bool couples_unread(const mjcf *m, int element) {
  static const char *const names[] = {"tendon1", "tendon2"};
  for (int k = 0; k < 2; k++) {
    const char *name = picus_xml_value(m->d, element, names[k]);
    if (name && picus_robot_find_sum(m->robot, name) < 0 && is_spatial(m, name)) return true;
  }
  return false;
}

static picus_status read_equality(mjcf *m, int element) {
  const char *active = picus_xml_value(m->d, element, "active"), *tag = m->d->elements[element].name;
  robot_tie tie = {.kind = strcmp(tag, "weld") == 0 ? ROBOT_WELD : ROBOT_CONNECT};
  bool is_given;
  if (active && strcmp(active, "false") == 0)
    return picus_robot_note(m->robot, "equality constraints that are not active");
  if (strcmp(tag, "tendon") == 0 && couples_unread(m, element))
    return picus_robot_note(m->robot, "equality constraints of spatial tendons");
  if (strcmp(tag, "joint") == 0 || strcmp(tag, "tendon") == 0) return read_coupling(m, element, *tag == 't');
  if (tie.kind == ROBOT_CONNECT && strcmp(tag, "connect") != 0)
    return picus_robot_note(m->robot, "equality constraints of the kind '%.30s'", tag);
  if (!picus_xml_value(m->d, element, "body1")) return picus_robot_note(m->robot, "equality constraints between sites");
  if (picus_xml_value(m->d, element, "relpose")) return picus_robot_note(m->robot, "'relpose' of welds");
  picus_robot_choose_name(m->robot, ROBOT_LAWS, picus_xml_value(m->d, element, "name"), tag, tie.name);
  picus_status status = find_body(m, element, "body1", &tie.a);
  if (!status) status = find_body(m, element, "body2", &tie.b);
  if (!status) status = all_numbers(m, item(element, NULL), "anchor", 3, tie.at, &is_given);
  return status ? status : picus_robot_add_tie(m->robot, &tie);
}

static picus_status read_pairs(mjcf *m, int element) {
  robot_tie tie = {.kind = ROBOT_EXCLUDE};
  if (!picus_xml_is(m->d, element, "exclude"))
    return picus_robot_note(m->robot, "<pair> of contacts: shapes touch by their groups");
  picus_robot_choose_name(m->robot, ROBOT_LAWS, NULL, "exclude", tie.name);
  picus_status status = find_body(m, element, "body1", &tie.a);
  if (!status) status = find_body(m, element, "body2", &tie.b);
  return status ? status : picus_robot_add_tie(m->robot, &tie);
}

/* --- drives ------------------------------------------------------------------------------------------------------- */

/* gainprm and biasprm of a general actuator: a motor, a servo, or neither. */
static picus_status read_general(mjcf *m, int element, robot_drive *drive, bool *skips) {
  double gain[10] = {1}, bias[10] = {0};
  int count;
  const char *kind = value_of(m, element, NULL, "biastype"), *gains = value_of(m, element, NULL, "gaintype");
  picus_status status = numbers(m, item(element, NULL), "gainprm", 10, gain, &count);
  if (!status) status = numbers(m, item(element, NULL), "biasprm", 10, bias, &count);
  drive->gain = gain[0];
  *skips = gains && strcmp(gains, "fixed") != 0;
  if (kind && strcmp(kind, "affine") == 0) {
    *skips = *skips || bias[0] != 0 || fabs(bias[1] + gain[0]) > 1e-9 * fabs(gain[0]);
    drive->kind = ROBOT_SERVO;
    drive->damping = -bias[2];
  } else
    *skips = *skips || (kind && strcmp(kind, "none") != 0);
  return status;
}

/* A motor or a drive of a joint or tendon; other kinds are noted as left out. */
static picus_status read_actuator(mjcf *m, int element) {
  static const char *const tags[] = {"motor", "position", "velocity", "general"};
  const char *joint = picus_xml_value(m->d, element, "joint"), *tag = m->d->elements[element].name;
  const char *tendon = picus_xml_value(m->d, element, "tendon");
  robot_drive drive = {.gear = 1, .gain = 1, .low = -INFINITY, .high = INFINITY};
  double gear[6] = {1}, range[2];
  bool has_range, skips = false;
  int kind = 0, count;
  while (kind < 4 && strcmp(tags[kind], tag) != 0) kind++;
  drive.joint = joint ? picus_robot_find_joint(m->robot, joint) : tendon ? picus_robot_find_sum(m->robot, tendon) : -1;
  if (kind == 4 || drive.joint < 0)
    return picus_robot_note(m->robot, "actuators of the kind '%.30s'%s", tag,
                            kind < 4 ? " that drive no hinge, no slide and no fixed tendon" : "");
  picus_status status = numbers(m, item(element, NULL), "gear", 6, gear, &count);
  drive.gear = gear[0];
  if (!status && kind == 1) {
    drive.kind = ROBOT_SERVO;
    status = number(m, item(element, NULL), "kp", &drive.gain);
    if (!status) status = number(m, item(element, NULL), "kv", &drive.damping);
  }
  if (!status && kind == 2) {
    drive.kind = ROBOT_SPEED;
    status = number(m, item(element, NULL), "kv", &drive.gain);
  }
  if (!status && kind == 3) status = read_general(m, element, &drive, &skips);
  if (!status) status = all_numbers(m, item(element, NULL), "ctrlrange", 2, range, &has_range);
  if (status) return status;
  const char *limited = value_of(m, element, NULL, "ctrllimited");
  if (has_range && !(limited && strcmp(limited, "false") == 0)) drive.low = range[0], drive.high = range[1];
  if (has_range && !(range[0] <= range[1])) return picus_xml_fail(m->d, element, "'ctrlrange' is empty");
  if (value_of(m, element, NULL, "forcerange")) status = picus_robot_note(m->robot, "'forcerange' of actuators");
  if (!status && skips) return picus_robot_note(m->robot, "general actuators that are neither motors nor servos");
  picus_robot_choose_name(m->robot, ROBOT_INPUTS, picus_xml_value(m->d, element, "name"), joint ? joint : tendon,
                          drive.name);
  return status ? status : picus_robot_add_drive(m->robot, &drive);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static bool is_word(const mjcf *m, int element, const char *name, const char *word) {
  const char *value = picus_xml_value(m->d, element, name);
  return value && strcmp(value, word) == 0;
}

static picus_status read_compiler(mjcf *m, int element) {
  const char *sequence = picus_xml_value(m->d, element, "eulerseq"),
             *folder = picus_xml_value(m->d, element, "meshdir");
  if (is_word(m, element, "angle", "radian")) m->in_degrees = false;
  if (is_word(m, element, "angle", "degree")) m->in_degrees = true;
  if (is_word(m, element, "autolimits", "false")) m->limits_by_range = false;
  if (is_word(m, element, "inertiafromgeom", "true")) m->all_from_geoms = true;
  if (is_word(m, element, "inertiafromgeom", "false")) m->none_from_geoms = true;
  if (!folder) folder = picus_xml_value(m->d, element, "assetdir");
  if (folder) m->mesh_folder = folder;
  if (is_word(m, element, "coordinate", "global"))
    return picus_xml_fail(m->d, element, "global coordinates, which newer versions of MuJoCo reject, are not read");
  if (sequence && (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3))
    return picus_xml_fail(m->d, element, "'eulerseq' has three letters of x, y and z");
  if (sequence) memcpy(m->sequence, sequence, 3);
  static const char *const ignored[] = {"boundmass", "boundinertia", "balanceinertia"};
  bool is_given;
  picus_status status = all_numbers(m, item(element, NULL), "settotalmass", 1, &m->total_mass, &is_given);
  for (size_t k = 0; !status && k < sizeof ignored / sizeof *ignored; k++)
    if (picus_xml_value(m->d, element, ignored[k]))
      status = picus_robot_note(m->robot, "'%s' of <compiler>", ignored[k]);
  return status;
}

static picus_status read_option(mjcf *m, int element) {
  bool is_given;
  picus_status status = all_numbers(m, item(element, NULL), "gravity", 3, m->robot->gravity, &is_given);
  if (!status) status = all_numbers(m, item(element, NULL), "timestep", 1, &m->robot->dt, &is_given);
  if (!status && !(m->robot->dt > 0)) status = picus_xml_fail(m->d, element, "the time step must be positive");
  static const char *const ignored[] = {"wind", "magnetic", "density", "viscosity"};
  for (size_t k = 0; !status && k < sizeof ignored / sizeof *ignored; k++)
    if (picus_xml_value(m->d, element, ignored[k])) status = picus_robot_note(m->robot, "'%s' of <option>", ignored[k]);
  return status;
}

typedef picus_status (*section_fn)(mjcf *m, int element);

static picus_status each_child(mjcf *m, int element, section_fn read) {
  picus_status status = PICUS_OK;
  for (int k = m->d->elements[element].first_child; !status && k >= 0; k = m->d->elements[k].next) status = read(m, k);
  return status;
}

static picus_status read_world(mjcf *m, int element) {
  const mjcf_site world = {.link = -1, .place = picus_robot_no_place()};
  return read_children(m, element, &world, false);
}
static picus_status read_tendons(mjcf *m, int element) { return each_child(m, element, read_tendon); }
static picus_status read_equalities(mjcf *m, int element) { return each_child(m, element, read_equality); }
static picus_status read_contacts(mjcf *m, int element) { return each_child(m, element, read_pairs); }
static picus_status read_actuators(mjcf *m, int element) { return each_child(m, element, read_actuator); }
static picus_status skip_section(mjcf *m, int element) {
  return picus_robot_note(m->robot, "<%.30s>", m->d->elements[element].name);
}
static picus_status skip_silently(mjcf *m, int element) {
  (void)m;
  (void)element;
  return PICUS_OK;
}

/* In the order in which they need each other. */
static const struct {
  const char *tag;
  section_fn read;
} sections[] = {{"compiler", read_compiler},  {"option", read_option},       {"worldbody", read_world},
                {"tendon", read_tendons},     {"equality", read_equalities}, {"contact", read_contacts},
                {"actuator", read_actuators}, {"default", skip_silently},    {"asset", skip_silently},
                {"visual", skip_silently},    {"statistic", skip_silently},  {"size", skip_silently},
                {"sensor", skip_section},     {"keyframe", skip_section},    {"deformable", skip_section},
                {"custom", skip_silently},    {"extension", skip_section},   {"skin", skip_silently}};

static picus_status read_sections(mjcf *m) {
  picus_status status = PICUS_OK;
  for (size_t s = 0; !status && s < sizeof sections / sizeof *sections; s++)
    for (int k = m->d->elements[m->root].first_child; !status && k >= 0; k = m->d->elements[k].next)
      if (picus_xml_is(m->d, k, sections[s].tag)) status = sections[s].read(m, k);
  for (int k = m->d->elements[m->root].first_child; !status && k >= 0; k = m->d->elements[k].next) {
    bool is_known = false;
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) is_known |= picus_xml_is(m->d, k, sections[s].tag);
    if (!is_known) status = picus_robot_note(m->robot, "<%.30s>", m->d->elements[k].name);
  }
  return status;
}

static void scale_masses(const mjcf *m) {
  double sum = 0;
  for (size_t k = 0; k < m->robot->link_count; k++) sum += m->robot->links[k].inertia.mass;
  if (!(m->total_mass > 0) || !(sum > 0)) return;
  for (size_t k = 0; k < m->robot->link_count; k++) {
    robot_inertia *inertia = &m->robot->links[k].inertia;
    inertia->mass *= m->total_mass / sum;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) inertia->about[i][j] *= m->total_mass / sum;
  }
}

picus_status picus_robot_read_mjcf(robot *r, int root, const robot_source *source) {
  mjcf m = {.robot = r,
            .d = &r->document,
            .source = source,
            .root = root,
            .in_degrees = true,
            .limits_by_range = true,
            .sequence = "xyz"};
  const char *name = picus_xml_value(&r->document, root, "model");
  picus_robot_choose_name(r, ROBOT_ITSELF, name, "robot", r->name);
  picus_status status = expand(&m, root);
  if (!status) status = read_sections(&m);
  scale_masses(&m);
  if (!status)
    status = picus_robot_note(r, "softness of contacts, limits and constraints (solref, solimp): they are rigid");
  return status;
}
