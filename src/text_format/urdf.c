/* URDF (wiki.ros.org/urdf/XML): links with inertia and collision shapes, joints with limits and damping, as a tree. */
#include "base/internal.h"
#include "text_format/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINKS_MOST = 5000 };

typedef struct urdf {
  robot *robot;
  const xml_document *d;
  int root;
  int *link_of; /* of each element of the document that is a link: its number in the robot; -1 */
} urdf;

/* --- places and numbers ------------------------------------------------------------------------------------------- */

static picus_status read_vector(const urdf *u, int element, const char *name, int wanted, double *values) {
  const char *text = picus_xml_value(u->d, element, name);
  int count;
  if (!text) return PICUS_OK;
  picus_status status = picus_robot_numbers(u->robot, (robot_attribute){element, name, text}, wanted, values, &count);
  if (!status && count != wanted)
    return picus_xml_fail(u->d, element, "'%s' has %d numbers instead of %d", name, count, wanted);
  return status;
}

/* <origin xyz rpy>: about the fixed axes x, y, z, one after the other. */
static picus_status read_origin(const urdf *u, int element, robot_place *out) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double angles[3] = {0, 0, 0}, turn[4];
  *out = picus_robot_no_place();
  const int origin = picus_xml_child(u->d, element, "origin");
  if (origin < 0) return PICUS_OK;
  picus_status status = read_vector(u, origin, "xyz", 3, out->at);
  if (!status) status = read_vector(u, origin, "rpy", 3, angles);
  for (int k = 0; k < 3; k++) {
    picus_robot_about(axes[k], angles[k], turn);
    picus_robot_multiply(turn, out->turn, out->turn);
  }
  return status;
}

/* --- links -------------------------------------------------------------------------------------------------------- */

static picus_status read_inertia(const urdf *u, int link, robot_inertia *out) {
  static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const int inertial = picus_xml_child(u->d, link, "inertial");
  if (inertial < 0) return PICUS_OK;
  const int mass_element = picus_xml_child(u->d, inertial, "mass"), tensor = picus_xml_child(u->d, inertial, "inertia");
  double mass = 0, J[6] = {0};
  robot_place place;
  picus_status status = read_origin(u, inertial, &place);
  if (!status && mass_element >= 0) status = read_vector(u, mass_element, "value", 1, &mass);
  for (int k = 0; !status && tensor >= 0 && k < 6; k++) status = read_vector(u, tensor, names[k], 1, &J[k]);
  if (status || mass == 0) return status;
  if (!(mass > 0)) return picus_xml_fail(u->d, inertial, "the mass of a link must not be negative");
  robot_inertia part = {.mass = 1, .about = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) part.about[i][k] /= mass;
  picus_robot_add_inertia(out, &part, &place, mass);
  return PICUS_OK;
}

/* file:///a/b.stl and package://name/a/b.stl become paths; a package is a folder beside the file. */
static const char *plain_path(const char *name) {
  if (strncmp(name, "file://", 7) == 0) return name + 7;
  if (strncmp(name, "package://", 10) == 0) return name + 10;
  return name;
}

static picus_status read_mesh(const urdf *u, int mesh, robot_shape *shape, bool *skips) {
  const char *name = picus_xml_value(u->d, mesh, "filename"), *dot = name ? strrchr(name, '.') : NULL;
  double scale[3] = {1, 1, 1};
  if (!name) return picus_xml_fail(u->d, mesh, "<mesh> needs a filename");
  picus_status status = read_vector(u, mesh, "scale", 3, scale);
  const bool is_read = dot && (strcmp(dot, ".stl") == 0 || strcmp(dot, ".obj") == 0 || strcmp(dot, ".STL") == 0 ||
                               strcmp(dot, ".OBJ") == 0);
  *skips = !is_read || scale[0] != scale[1] || scale[0] != scale[2] || !(scale[0] > 0);
  if (!status && *skips)
    return picus_robot_note(u->robot, "collision meshes that are not STL or OBJ files with one scale");
  shape->kind = ROBOT_MESH;
  shape->size[0] = scale[0];
  shape->file = plain_path(name);
  return status;
}

static picus_status read_geometry(const urdf *u, int geometry, robot_shape *shape, bool *skips) {
  const int first = u->d->elements[geometry].first_child;
  const char *tag = first >= 0 ? u->d->elements[first].name : "";
  double *s = shape->size;
  picus_status status = PICUS_OK;
  if (strcmp(tag, "mesh") == 0) return read_mesh(u, first, shape, skips);
  if (strcmp(tag, "box") == 0) {
    shape->kind = ROBOT_BOX;
    status = read_vector(u, first, "size", 3, s);
  } else if (strcmp(tag, "sphere") == 0) {
    shape->kind = ROBOT_SPHERE;
    status = read_vector(u, first, "radius", 1, s);
    s[1] = s[2] = 1; /* unused */
  } else if (strcmp(tag, "cylinder") == 0 || strcmp(tag, "capsule") == 0) {
    shape->kind = *tag == 'c' && tag[1] == 'y' ? ROBOT_CYLINDER : ROBOT_CAPSULE;
    status = read_vector(u, first, "radius", 1, s);
    if (!status) status = read_vector(u, first, "length", 1, s + 1);
    s[2] = 1;
  } else {
    *skips = true;
    return picus_robot_note(u->robot, "collision shapes of the kind '%.30s'", tag);
  }
  if (!status && !(s[0] > 0 && s[1] > 0 && s[2] > 0))
    return picus_xml_fail(u->d, first, "the sizes of <%s> must be positive", tag);
  return status;
}

static picus_status read_shapes(const urdf *u, int element, int link) {
  picus_status status = PICUS_OK;
  for (int k = u->d->elements[element].first_child; !status && k >= 0; k = u->d->elements[k].next) {
    if (!picus_xml_is(u->d, k, "collision")) continue;
    const int geometry = picus_xml_child(u->d, k, "geometry");
    robot_shape shape = {.mu = 1, .type = 1, .affinity = 2}; /* parts of one robot do not touch each other */
    bool skips = false;
    if (geometry < 0) return picus_xml_fail(u->d, k, "<collision> needs a <geometry>");
    status = read_origin(u, k, &shape.place);
    if (!status) status = read_geometry(u, geometry, &shape, &skips);
    if (!status && !skips) status = picus_robot_add_shape(u->robot, link, &shape);
  }
  return status;
}

static picus_status add_link(urdf *u, int element, int parent, const robot_place *place) {
  robot_link link = {.parent = parent, .place = *place};
  picus_robot_choose_name(u->robot, ROBOT_LINKS, picus_xml_value(u->d, element, "name"), "link", link.name);
  picus_status status = read_inertia(u, element, &link.inertia);
  if (!status) status = picus_robot_add_link(u->robot, &link, &u->link_of[element]);
  return status ? status : read_shapes(u, element, u->link_of[element]);
}

/* --- joints ------------------------------------------------------------------------------------------------------- */

/* The link of this name; -1: there is none. */
static int find_link(const urdf *u, const char *name) {
  for (int k = u->d->elements[u->root].first_child; name && k >= 0; k = u->d->elements[k].next) {
    const char *own = picus_xml_is(u->d, k, "link") ? picus_xml_value(u->d, k, "name") : NULL;
    if (own && strcmp(own, name) == 0) return k;
  }
  return -1;
}

static picus_status find_end(const urdf *u, int joint, const char *which, int *link) {
  const int element = picus_xml_child(u->d, joint, which);
  const char *name = element >= 0 ? picus_xml_value(u->d, element, "link") : NULL;
  *link = find_link(u, name);
  return *link >= 0
             ? PICUS_OK
             : picus_xml_fail(u->d, joint, "there is no link '%.40s', the %s of a joint", name ? name : "", which);
}

static picus_status read_limits(const urdf *u, int element, const char *type, robot_joint *joint) {
  const int limit = picus_xml_child(u->d, element, "limit"), dynamics = picus_xml_child(u->d, element, "dynamics");
  double low = 0, high = 0;
  picus_status status = PICUS_OK;
  if (limit >= 0 && strcmp(type, "continuous") != 0) {
    status = read_vector(u, limit, "lower", 1, &low);
    if (!status) status = read_vector(u, limit, "upper", 1, &high);
    if (!status && low > high) return picus_xml_fail(u->d, limit, "the limits of the joint are empty");
    if (!status && low < high) joint->low = low, joint->high = high;
    if (!status && (picus_xml_value(u->d, limit, "effort") || picus_xml_value(u->d, limit, "velocity")))
      status = picus_robot_note(u->robot, "limits of effort and velocity");
  }
  if (!status && dynamics >= 0) status = read_vector(u, dynamics, "damping", 1, &joint->damping);
  if (!status && dynamics >= 0) status = read_vector(u, dynamics, "friction", 1, &joint->friction);
  if (!status && !(joint->damping >= 0 && joint->friction >= 0))
    return picus_xml_fail(u->d, dynamics, "damping and friction must not be negative");
  return status;
}

/* <mimic joint multiplier offset>, when all joints are there. */
static picus_status read_mimic(const urdf *u, int element) {
  const int mimic = picus_xml_child(u->d, element, "mimic");
  const char *own = picus_xml_value(u->d, element, "name");
  const char *other = mimic >= 0 ? picus_xml_value(u->d, mimic, "joint") : NULL;
  robot_tie tie = {.kind = ROBOT_COUPLE, .power = {0, 1}};
  if (mimic < 0) return PICUS_OK;
  tie.a = own ? picus_robot_find_joint(u->robot, own) : -1;
  tie.b = other ? picus_robot_find_joint(u->robot, other) : -1;
  if (tie.a < 0 || tie.b < 0 || tie.a == tie.b)
    return picus_xml_fail(u->d, mimic, "<mimic> needs the name of another joint that turns or slides, as its own does");
  picus_status status = read_vector(u, mimic, "multiplier", 1, &tie.power[1]);
  if (!status) status = read_vector(u, mimic, "offset", 1, &tie.power[0]);
  picus_robot_choose_name(u->robot, ROBOT_LAWS, NULL, "mimic", tie.name);
  return status ? status : picus_robot_add_tie(u->robot, &tie);
}

static picus_status read_mimics(const urdf *u) {
  picus_status status = PICUS_OK;
  for (int k = u->d->elements[u->root].first_child; !status && k >= 0; k = u->d->elements[k].next)
    if (picus_xml_is(u->d, k, "joint")) status = read_mimic(u, k);
  return status;
}

static picus_status add_joint(urdf *u, int element, const char *type, int link) {
  robot_joint joint = {.link = link, .axis = {1, 0, 0}, .low = -INFINITY, .high = INFINITY};
  const int axis = picus_xml_child(u->d, element, "axis");
  if (strcmp(type, "fixed") == 0) return PICUS_OK;
  if (strcmp(type, "floating") == 0)
    joint.kind = ROBOT_FREE;
  else if (strcmp(type, "prismatic") == 0)
    joint.kind = ROBOT_SLIDE;
  else if (strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0)
    joint.kind = ROBOT_HINGE;
  else
    return picus_xml_fail(u->d, element, "joints of the type '%.30s' are not read", type);
  joint.given = picus_xml_value(u->d, element, "name");
  picus_robot_choose_name(u->robot, ROBOT_LAWS, joint.given, "joint", joint.name);
  picus_status status = axis >= 0 ? read_vector(u, axis, "xyz", 3, joint.axis) : PICUS_OK;
  if (!status && !picus_robot_normalise(joint.axis, 3))
    status = picus_xml_fail(u->d, axis, "the axis of the joint has no direction");
  if (!status && joint.kind != ROBOT_FREE) status = read_limits(u, element, type, &joint);
  return status ? status : picus_robot_add_joint(u->robot, &joint);
}

/* The joint and its child, if its parent is there already and its child is not. */
static picus_status follow_joint(urdf *u, int element, bool *grows) {
  int parent, child;
  robot_place place;
  const char *type = picus_xml_value(u->d, element, "type");
  picus_status status = find_end(u, element, "parent", &parent);
  if (!status) status = find_end(u, element, "child", &child);
  if (status || u->link_of[parent] < 0) return status;
  if (u->link_of[child] >= 0) return PICUS_OK;
  if (!type) return picus_xml_fail(u->d, element, "the joint has no type");
  status = read_origin(u, element, &place);
  if (!status) status = add_link(u, child, u->link_of[parent], &place);
  if (!status) status = add_joint(u, element, type, u->link_of[child]);
  *grows = true;
  return status;
}

/* --- the tree ----------------------------------------------------------------------------------------------------- */

/* The only link that is no child; a child of two joints is an error. */
static picus_status find_root(const urdf *u, int *out) {
  int links = 0;
  *out = -1;
  for (int k = u->d->elements[u->root].first_child; k >= 0; k = u->d->elements[k].next) {
    if (!picus_xml_is(u->d, k, "link")) continue;
    const char *name = picus_xml_value(u->d, k, "name");
    int parents = 0;
    if (!name) return picus_xml_fail(u->d, k, "a link has no name");
    if (find_link(u, name) != k) return picus_xml_fail(u->d, k, "two links have the name '%.40s'", name);
    if (++links > LINKS_MOST) return picus_xml_fail(u->d, k, "there are more than %d links", LINKS_MOST);
    for (int i = u->d->elements[u->root].first_child; i >= 0; i = u->d->elements[i].next) {
      const int child = picus_xml_is(u->d, i, "joint") ? picus_xml_child(u->d, i, "child") : -1;
      const char *link = child >= 0 ? picus_xml_value(u->d, child, "link") : NULL;
      parents += link && strcmp(link, name) == 0;
    }
    if (parents > 1)
      return picus_xml_fail(u->d, k, "the link '%.40s' is the child of two joints; URDF has trees only", name);
    if (parents == 0 && *out >= 0)
      return picus_xml_fail(u->d, k, "'%.40s' and '%.40s' are not connected", name,
                            picus_xml_value(u->d, *out, "name"));
    if (parents == 0) *out = k;
  }
  if (links == 0) return picus_xml_fail(u->d, u->root, "the robot has no links");
  return *out >= 0 ? PICUS_OK
                   : picus_xml_fail(u->d, u->root, "every link is the child of a joint: the joints form a cycle");
}

static picus_status grow_tree(urdf *u) {
  bool grows = true;
  picus_status status = PICUS_OK;
  while (!status && grows) {
    grows = false;
    for (int k = u->d->elements[u->root].first_child; !status && k >= 0; k = u->d->elements[k].next)
      if (picus_xml_is(u->d, k, "joint")) status = follow_joint(u, k, &grows);
  }
  for (int k = u->d->elements[u->root].first_child; !status && k >= 0; k = u->d->elements[k].next)
    if (picus_xml_is(u->d, k, "link") && u->link_of[k] < 0)
      status = picus_xml_fail(u->d, k, "the link '%.40s' hangs on a cycle of joints", picus_xml_value(u->d, k, "name"));
  return status;
}

static picus_status read_tree(urdf *u, const robot_source *source) {
  int base;
  const robot_place nowhere = picus_robot_no_place();
  picus_status status = find_root(u, &base);
  if (!status) status = add_link(u, base, -1, &nowhere);
  if (!status && source->is_floating) {
    robot_joint joint = {.kind = ROBOT_FREE, .link = u->link_of[base], .low = -INFINITY, .high = INFINITY};
    picus_robot_choose_name(u->robot, ROBOT_LAWS, "base_joint", "base_joint", joint.name);
    status = picus_robot_add_joint(u->robot, &joint);
  }
  if (!status) status = grow_tree(u);
  return status ? status : read_mimics(u);
}

static picus_status note_others(urdf *u) {
  static const char *const known[] = {"link", "joint", "material"};
  picus_status status = PICUS_OK;
  for (int k = u->d->elements[u->root].first_child; !status && k >= 0; k = u->d->elements[k].next) {
    bool is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= picus_xml_is(u->d, k, known[i]);
    if (!is_known) status = picus_robot_note(u->robot, "<%.30s>", u->d->elements[k].name);
  }
  return status;
}

picus_status picus_robot_read_urdf(robot *r, int root, const robot_source *source) {
  urdf u = {.robot = r, .d = &r->document, .root = root};
  picus_robot_choose_name(r, ROBOT_ITSELF, picus_xml_value(&r->document, root, "name"), "robot", r->name);
  r->dt = 0.001;
  u.link_of = picus_allocate(r->context, r->document.element_count, sizeof *u.link_of);
  if (!u.link_of) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < r->document.element_count; k++) u.link_of[k] = -1;
  picus_status status = read_tree(&u, source);
  if (!status) status = note_others(&u);
  if (!status && r->shape_count > 0)
    status = picus_robot_note(r, "collisions of the robot with itself, as in other programs for URDF: delete the line "
                                 "'collide {groups = {\"group1\", \"group1\"}, on = false}' to have them");
  picus_release(r->context, u.link_of);
  return status;
}
