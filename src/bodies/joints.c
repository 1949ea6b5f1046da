/* Joints: bilateral constraints from the positions and orientations of two bodies. No joint has an equation that
 * depends on its others: a common point gives three, a common axis two, a common orientation three. With u a direction
 * fixed in a, w one fixed in b, and Omega the angular velocities,
 *
 *   (u . w)' = (Omega_b - Omega_a) . (w x u),
 *
 * which gives the rows of W^T in short form; that they are the derivatives of the gaps is tested. With nodes, whose
 * rotations are small, gaps are differentiated instead. */
#include "base/elementary.h"
#include "bodies/internal.h"

#include <math.h>
#include <stdio.h>

/* The place of the joint in the frames of both bodies. */
typedef struct joint_site {
  picus_model *model;
  const picus_joint_def *def;
  bool planar;
  double point[2][3];
  double triad[2][3][3]; /* per body: two directions across the axis, then the axis; initially the same */
} joint_site;

static const struct {
  picus_joint_kind kind;
  const char *word;
  bool needs_axis, turns_both, planar, spatial;
} kinds[] = {
    {PICUS_REVOLUTE, "revolute joint", true, true, true, true},
    {PICUS_SPHERICAL, "spherical joint", false, false, true, true},
    {PICUS_PRISMATIC, "prismatic joint", true, true, true, true},
    {PICUS_CYLINDRICAL, "cylindrical joint", true, true, false, true},
    {PICUS_UNIVERSAL, "universal joint", true, true, false, true},
    {PICUS_WELD, "weld", false, true, true, true},
    {PICUS_DISTANCE, "distance", false, false, true, true},
    {PICUS_GEAR, "gear", true, true, true, true},
    {PICUS_MOTOR, "motor", true, true, true, true},
    {PICUS_LINEAR_MOTOR, "linear motor", true, false, true, true},
};

picus_joint_def picus_default_joint_def(picus_joint_kind kind) { return (picus_joint_def){.kind = kind, .ratio = 1}; }

static bool has_two_axes(const picus_joint_def *def) {
  return def->in_body_frames || def->kind == PICUS_UNIVERSAL || def->kind == PICUS_GEAR;
}

/* Planar joints rotate about z; only sliding joints need an axis, in the plane. */
static bool needs_axis(const joint_site *site) {
  picus_joint_kind kind = site->def->kind;
  if (!site->planar) return kinds[kind].needs_axis;
  return kind == PICUS_PRISMATIC || kind == PICUS_LINEAR_MOTOR;
}

static picus_status check_axes(const joint_site *site) {
  const picus_joint_def *def = site->def;
  for (int i = 0; i < (has_two_axes(def) ? 2 : 1); i++) {
    picus_status status =
        picus_body_check_unit(site->model, def->axis[i], has_two_axes(def) && i == 1 ? "second axis" : "axis",
                              kinds[def->kind].word, def->name);
    if (status) return status;
    if (site->planar && def->axis[i][2] != 0)
      return picus_model_fail(site->model, PICUS_ERROR_MODEL,
                              "the axis of %s '%s' leaves the plane in which its bodies move", kinds[def->kind].word,
                              def->name);
  }
  return PICUS_OK;
}

static picus_status check_kind(const joint_site *site) {
  const picus_joint_def *def = site->def;
  picus_model *model = site->model;
  const char *word = kinds[def->kind].word;
  if (site->planar && !kinds[def->kind].planar)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "%s '%s' needs spatial bodies, but '%s' and '%s' are planar",
                            word, def->name, def->a->name, def->b->name);
  const picus_body *particle = def->a->kind == PICUS_PARTICLE ? def->a : def->b;
  bool common_point = site->planar && def->kind == PICUS_REVOLUTE;
  if (kinds[def->kind].turns_both && !common_point && particle->kind == PICUS_PARTICLE)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "%s '%s' needs an orientation, but '%s' is a particle", word,
                            def->name, particle->name);
  if (def->kind == PICUS_LINEAR_MOTOR && def->a->kind == PICUS_PARTICLE)
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "%s '%s' moves along an axis of '%s', but a particle has no axes; exchange the bodies",
                            word, def->name, def->a->name);
  if (!isfinite(def->length) || def->length < 0 || !isfinite(def->ratio))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%s '%s' has a length or ratio out of range", word, def->name);
  if (def->kind == PICUS_GEAR && def->ratio == 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "gear '%s' has the ratio 0", def->name);
  return PICUS_OK;
}

static void cross_numbers(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Two directions across the axis n, then n. In the plane: the one across n in the plane, then z. */
static void complete_triad(bool planar, const double n[3], double triad[3][3]) {
  const double z[3] = {0, 0, 1};
  for (int i = 0; i < 3; i++) triad[2][i] = n[i];
  if (!planar) {
    picus_numbers_tangents(n, triad[0], triad[1]);
    return;
  }
  cross_numbers(z, n, triad[0]);
  for (int i = 0; i < 3; i++) triad[1][i] = z[i];
}

/* Points and directions in the frames of the bodies, given in these frames or in the inertial frame in the initial
 * configuration. */
static void locate(joint_site *site) {
  const picus_joint_def *def = site->def;
  const picus_body *bodies[2] = {def->a, def->b};
  const double z[3] = {0, 0, 1}, x[3] = {1, 0, 0};
  bool axis_given = needs_axis(site);
  for (int side = 0; side < 2; side++) {
    const picus_body *body = bodies[side];
    const double *axis = axis_given ? def->axis[has_two_axes(def) ? side : 0] : (site->planar ? x : z);
    const double *place = def->point[def->in_body_frames || def->kind == PICUS_DISTANCE ? side : 0];
    double triad[3][3];
    complete_triad(site->planar, axis, triad);
    for (int i = 0; i < 3; i++) site->point[side][i] = place[i];
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++) site->triad[side][k][i] = triad[k][i];
    if (def->in_body_frames) continue;
    double arm[3]; /* into the frame of the body: R^T (place - r), initial configuration */
    for (int i = 0; i < 3; i++) arm[i] = place[i] - body->start_position[i];
    picus_body_to_local(body, arm, site->point[side]);
    for (int k = 0; k < 3; k++) picus_body_to_local(body, triad[k], site->triad[side][k]);
  }
}

/* Adds one constraint; suffix NULL: the joint has no other. */
static picus_status add_row(const joint_site *site, const char *suffix, picus_expr position, picus_expr rate) {
  char name[160];
  snprintf(name, sizeof name, "%.100s%s%s", site->def->name, suffix ? "_" : "", suffix ? suffix : "");
  picus_constraint_def def = picus_default_constraint_def();
  def.name = name;
  def.position = position;
  if (!picus_body_is_small(site->def->a) && !picus_body_is_small(site->def->b)) def.rate = rate;
  return picus_model_add_constraint(site->model, &def);
}

static picus_status add_velocity_row(const joint_site *site, picus_expr velocity) {
  picus_constraint_def def = picus_default_constraint_def();
  def.name = site->def->name;
  def.velocity = velocity;
  return picus_model_add_constraint(site->model, &def);
}

/* From the joint's point on a to that on b, and its derivative. */
static picus_vector connection(const joint_site *site) {
  picus_vector from = picus_body_point(site->def->a, site->point[0]);
  return picus_vector_sub(site->model->pool, picus_body_point(site->def->b, site->point[1]), from);
}

static picus_vector connection_rate(const joint_site *site) {
  picus_vector of_a = picus_body_point_velocity(site->def->a, site->point[0]);
  return picus_vector_sub(site->model->pool, picus_body_point_velocity(site->def->b, site->point[1]), of_a);
}

static picus_vector relative_spin(const joint_site *site) {
  picus_vector of_a = picus_body_angular_velocity(site->def->a);
  return picus_vector_sub(site->model->pool, picus_body_angular_velocity(site->def->b), of_a);
}

/* The two points coincide. */
static picus_status add_common_point(const joint_site *site) {
  static const char *const names[] = {"x", "y", "z"};
  picus_vector d = connection(site), rate = connection_rate(site);
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < (site->planar ? 2 : 3); i++) status = add_row(site, names[i], d.x[i], rate.x[i]);
  return status;
}

/* Direction i of a's triad and direction j of b's are at right angles. */
static picus_status add_right_angle(const joint_site *site, const char *suffix, int i, int j) {
  picus_pool *pool = site->model->pool;
  picus_vector u = picus_body_direction(site->def->a, site->triad[0][i]);
  picus_vector w = picus_body_direction(site->def->b, site->triad[1][j]);
  picus_vector across = picus_vector_cross(pool, w, u);
  picus_expr rate = picus_vector_dot(pool, relative_spin(site), across);
  return add_row(site, suffix, picus_vector_dot(pool, u, w), rate);
}

static picus_status add_common_axis(const joint_site *site) {
  picus_status status = add_right_angle(site, "r1", 0, 2);
  return status ? status : add_right_angle(site, "r2", 1, 2);
}

/* phi_b - phi_a - offset; the offset is the initial one, or that of the axes if they are given in the frames of the
 * bodies. */
static picus_expr planar_angle(const joint_site *site) {
  const picus_joint_def *def = site->def;
  picus_pool *pool = site->model->pool;
  double offset = def->b->start_angle - def->a->start_angle;
  const double *na = site->triad[0][2], *nb = site->triad[1][2];
  if (def->in_body_frames) offset = needs_axis(site) ? picus_atan2(na[1], na[0]) - picus_atan2(nb[1], nb[0]) : 0;
  picus_expr angle = picus_sub(pool, def->b->angle, def->a->angle);
  return picus_sub(pool, angle, picus_number(pool, offset));
}

static picus_expr planar_spin(const joint_site *site) {
  return picus_sub(site->model->pool, site->def->b->spin.x[2], site->def->a->spin.x[2]);
}

/* b does not turn against a. */
static picus_status add_common_orientation(const joint_site *site) {
  if (site->planar) {
    picus_expr spin = planar_spin(site);
    return add_row(site, "r", planar_angle(site), spin);
  }
  picus_status status = add_right_angle(site, "r1", 0, 1);
  if (!status) status = add_right_angle(site, "r2", 1, 2);
  return status ? status : add_right_angle(site, "r3", 2, 0);
}

/* Component of the connection along direction k of a's triad, and its rate u . (v_b - v_a) at the point of b. */
static void along(const joint_site *site, int k, picus_expr *position, picus_expr *rate) {
  picus_pool *pool = site->model->pool;
  picus_vector u = picus_body_direction(site->def->a, site->triad[0][k]);
  picus_vector place = picus_body_point(site->def->b, site->point[1]);
  picus_vector of_a = picus_body_velocity_at(site->def->a, place);
  picus_vector speed = picus_vector_sub(pool, picus_body_point_velocity(site->def->b, site->point[1]), of_a);
  *position = picus_vector_dot(pool, u, connection(site));
  *rate = picus_vector_dot(pool, u, speed);
}

/* The point of b stays on the axis of a. */
static picus_status add_point_on_axis(const joint_site *site) {
  static const char *const names[] = {"t1", "t2"};
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < (site->planar ? 1 : 2); k++) {
    picus_expr position, rate;
    along(site, k, &position, &rate);
    status = add_row(site, site->planar ? "t" : names[k], position, rate);
  }
  return status;
}

static picus_status add_distance(const joint_site *site) {
  picus_pool *pool = site->model->pool;
  const picus_body *const bodies[2] = {site->def->a, site->def->b};
  double length = site->def->length;
  if (length == 0) { /* not given: that of the start */
    double place[2][3], d[3];
    for (int side = 0; side < 2; side++)
      picus_numbers_rotate(bodies[side]->start_rotation, site->point[side], place[side]);
    for (int i = 0; i < 3; i++)
      d[i] = place[1][i] + bodies[1]->start_position[i] - place[0][i] - bodies[0]->start_position[i];
    length = picus_numbers_length(d);
    if (!(length > 0))
      return picus_model_fail(site->model, PICUS_ERROR_MODEL,
                              "distance '%s' is between coincident points; use a spherical or revolute joint",
                              site->def->name);
  }
  picus_vector d = connection(site);
  picus_expr distance = picus_vector_length(pool, d);
  picus_expr rate = picus_div(pool, picus_vector_dot(pool, d, connection_rate(site)), distance);
  picus_status status = picus_bodies_draw_link(bodies, site->point, site->planar, PICUS_NO_EXPR);
  return status ? status : add_row(site, NULL, picus_sub(pool, distance, picus_number(pool, length)), rate);
}

static picus_expr spin_about(picus_pool *pool, const picus_body *body, const double axis[3]) {
  return picus_vector_dot(pool, picus_vector_number(pool, axis), body->spin);
}

static picus_status add_gear(const joint_site *site) {
  picus_pool *pool = site->model->pool;
  const picus_body *a = site->def->a, *b = site->def->b;
  picus_expr ratio = picus_number(pool, site->def->ratio);
  if (site->planar) {
    double offset = site->def->in_body_frames ? 0 : b->start_angle - site->def->ratio * a->start_angle;
    picus_expr position = picus_sub(pool, b->angle, picus_mul(pool, ratio, a->angle));
    picus_expr rate = picus_sub(pool, b->spin.x[2], picus_mul(pool, ratio, a->spin.x[2]));
    return add_row(site, NULL, picus_sub(pool, position, picus_number(pool, offset)), rate);
  }
  picus_expr driven = spin_about(pool, b, site->triad[1][2]), driving = spin_about(pool, a, site->triad[0][2]);
  return add_velocity_row(site, picus_sub(pool, driven, picus_mul(pool, ratio, driving)));
}

static picus_status check_drive(const joint_site *site) {
  const picus_joint_def *def = site->def;
  picus_model *model = site->model;
  bool by_speed = picus_expr_given(def->speed), by_position = picus_expr_given(def->position);
  if (by_speed == by_position)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "%s '%s' needs either a speed or a position",
                            kinds[def->kind].word, def->name);
  picus_dependencies dependencies;
  picus_status status =
      picus_model_examine(model, by_speed ? def->speed : def->position, "the drive of motor", def->name, &dependencies);
  if (!status && by_position)
    status = picus_model_require_rates(model, &dependencies, "the position of motor", def->name);
  if (!status && (dependencies.coordinate >= 0 || dependencies.velocity >= 0))
    status = picus_model_fail(model, PICUS_ERROR_MODEL,
                              "the drive of %s '%s' depends on the state; it may depend on time and inputs only",
                              kinds[def->kind].word, def->name);
  return status;
}

/* The rate of turning or sliding that the motor prescribes. */
static picus_expr driven_rate(const joint_site *site) {
  picus_pool *pool = site->model->pool;
  if (site->def->kind == PICUS_LINEAR_MOTOR) {
    picus_expr position, rate;
    along(site, 2, &position, &rate);
    return rate;
  }
  if (site->planar) return planar_spin(site);
  picus_vector spin = relative_spin(site);
  return picus_vector_dot(pool, picus_body_direction(site->def->a, site->triad[0][2]), spin);
}

static picus_status add_driven_position(const joint_site *site) {
  picus_pool *pool = site->model->pool;
  const picus_joint_def *def = site->def;
  picus_expr drive = def->position, position, rate;
  if (def->kind == PICUS_MOTOR && !site->planar) { /* sin(angle - drive) = 0, by the directions across the axis */
    picus_vector across[2];
    for (int k = 0; k < 2; k++) across[k] = picus_body_direction(def->a, site->triad[0][k]);
    picus_vector beside = picus_vector_scale(pool, picus_unary(pool, PICUS_SIN, drive), across[0]);
    picus_vector ahead = picus_vector_scale(pool, picus_unary(pool, PICUS_COS, drive), across[1]);
    ahead = picus_vector_sub(pool, ahead, beside);
    picus_vector turned = picus_body_direction(def->b, site->triad[1][0]);
    return add_row(site, NULL, picus_vector_dot(pool, turned, ahead), PICUS_NO_EXPR);
  }
  if (def->kind == PICUS_MOTOR) {
    position = planar_angle(site);
    rate = planar_spin(site);
  } else {
    along(site, 2, &position, &rate);
  }
  picus_expr drive_rate = picus_derivative(pool, drive, picus_expr_variable_index(pool, site->model->time));
  picus_expr speed = picus_sub(pool, rate, drive_rate);
  return add_row(site, NULL, picus_sub(pool, position, drive), speed);
}

static picus_status add_motor(const joint_site *site) {
  picus_status status = check_drive(site);
  if (status) return status;
  if (!picus_expr_given(site->def->speed)) return add_driven_position(site);
  return add_velocity_row(site, picus_sub(site->model->pool, driven_rate(site), site->def->speed));
}

static picus_status add_equations(const joint_site *site) {
  picus_status status = PICUS_OK;
  switch (site->def->kind) {
  case PICUS_REVOLUTE:
    status = add_common_point(site);
    return status || site->planar ? status : add_common_axis(site);
  case PICUS_SPHERICAL:
    return add_common_point(site);
  case PICUS_PRISMATIC:
    status = add_point_on_axis(site);
    return status ? status : add_common_orientation(site);
  case PICUS_CYLINDRICAL:
    status = add_point_on_axis(site);
    return status ? status : add_common_axis(site);
  case PICUS_UNIVERSAL:
    status = add_common_point(site);
    return status ? status : add_right_angle(site, "r", 2, 2);
  case PICUS_WELD:
    status = add_common_point(site);
    return status ? status : add_common_orientation(site);
  case PICUS_DISTANCE:
    return add_distance(site);
  case PICUS_GEAR:
    return add_gear(site);
  case PICUS_MOTOR:
  case PICUS_LINEAR_MOTOR:
    break;
  }
  return add_motor(site);
}

/* --- friction --------------------------------------------------------------------------------------------------- */

static bool has_friction(const picus_joint_def *def) { return def->mu != 0 || picus_expr_given(def->mu_formula); }

/* Joints whose surface has a radius: pins, balls and shafts that turn. */
static bool has_pin(picus_joint_kind kind) {
  return kind == PICUS_REVOLUTE || kind == PICUS_SPHERICAL || kind == PICUS_CYLINDRICAL || kind == PICUS_UNIVERSAL;
}

static picus_status check_friction(const joint_site *site) {
  const picus_joint_def *def = site->def;
  picus_model *model = site->model;
  const char *word = kinds[def->kind].word;
  if (!has_friction(def)) return PICUS_OK;
  if (!has_pin(def->kind) && def->kind != PICUS_PRISMATIC)
    return picus_model_fail(model, PICUS_ERROR_UNSUPPORTED,
                            "%s '%s' has friction; revolute, spherical, prismatic, cylindrical and universal joints "
                            "can have it",
                            word, def->name);
  if (has_pin(def->kind) && !(def->radius > 0 && isfinite(def->radius)))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                            "%s '%s' has friction and the radius %g; give the radius of its pin, m", word, def->name,
                            def->radius);
  if (has_pin(def->kind) && (def->a->kind == PICUS_PARTICLE || def->b->kind == PICUS_PARTICLE))
    return picus_model_fail(model, PICUS_ERROR_MODEL, "%s '%s' has friction, but a particle does not turn", word,
                            def->name);
  if (def->guide != 0 && (def->kind != PICUS_PRISMATIC || !(def->guide > 0) || !isfinite(def->guide)))
    return picus_model_fail(model, PICUS_ERROR_UNSUPPORTED,
                            "%s '%s' has pads at the distance %g; prismatic joints can have them, at a positive "
                            "distance",
                            word, def->name, def->guide);
  return PICUS_OK;
}

/* A law of friction of a joint: its name, its slip velocities in m/s, and the equations whose forces load it. */
typedef struct joint_friction {
  const char *suffix;
  int slips, loads, turned; /* turned: the load that counts with the other sign */
  picus_expr slip[3];
  const char *const *load;
} joint_friction;

/* The surface speed of a pin that turns about the axis of body `side`. */
static picus_expr pin_speed(const joint_site *site, int side) {
  picus_pool *pool = site->model->pool;
  const picus_body *body = side == 0 ? site->def->a : site->def->b;
  picus_expr turn;
  if (site->planar) {
    turn = planar_spin(site);
  } else {
    picus_vector spin = relative_spin(site);
    turn = picus_vector_dot(pool, picus_body_direction(body, site->triad[side][2]), spin);
  }
  return picus_mul(pool, picus_number(pool, site->def->radius), turn);
}

/* The friction of a joint with one pin or guide. */
static joint_friction friction_of(const joint_site *site) {
  static const char *const point[] = {"x", "y", "z"}, *const planar[] = {"t", "r"}, *const spatial[] = {"t1", "t2"},
                           *const pads[] = {"t1", "t2", "r3", "r2"};
  picus_pool *pool = site->model->pool;
  const bool has_pads = site->def->guide > 0;
  joint_friction f = {.suffix = "friction", .slips = 1, .loads = site->planar ? 2 : 3, .turned = -1, .load = point};
  picus_expr position, sliding;
  if (site->def->kind == PICUS_PRISMATIC || site->def->kind == PICUS_CYLINDRICAL) {
    along(site, 2, &position, &sliding);
    f.slip[0] = sliding;
    f.loads = site->planar ? 1 + has_pads : 2 + 2 * has_pads;
    f.load = site->planar ? planar : has_pads ? pads : spatial;
    if (!site->planar && has_pads)
      f.turned = 2; /* t1 with the torque about the second direction, t2 with that about -first */
    if (site->def->kind == PICUS_CYLINDRICAL) f.slip[f.slips++] = pin_speed(site, 0);
  } else if (site->planar || site->def->kind != PICUS_SPHERICAL)
    f.slip[0] = pin_speed(site, 0);
  else {
    const picus_vector turn = relative_spin(site);
    f.slips = 3;
    for (int i = 0; i < 3; i++) f.slip[i] = picus_mul(pool, picus_number(pool, site->def->radius), turn.x[i]);
  }
  return f;
}

static picus_status add_one_friction(const joint_site *site, const joint_friction *f) {
  const picus_joint_def *def = site->def;
  char name[160], rows[4][160];
  const char *loads[4];
  picus_friction_def friction = picus_default_friction_def();
  for (int k = 0; k < f->loads; k++) {
    snprintf(rows[k], sizeof rows[k], "%s%.100s_%s", k == f->turned ? "-" : "", def->name, f->load[k]);
    loads[k] = rows[k];
  }
  snprintf(name, sizeof name, "%.100s_%s", def->name, f->suffix);
  friction.name = name;
  friction.load_count = f->loads;
  friction.loads = loads;
  friction.length = def->guide;
  friction.mu = def->mu;
  friction.mu_formula = def->mu_formula;
  friction.slips = f->slips;
  for (int k = 0; k < f->slips; k++) friction.slip[k] = f->slip[k];
  return picus_model_add_friction(site->model, &friction);
}

/* NAME_friction: |P_F| <= mu |P| of the force in the joint. The cross of a universal joint has two pins, which both
 * carry this force: NAME_friction_a turns about the axis of a, NAME_friction_b about the axis of b. */
static picus_status add_friction(const joint_site *site) {
  if (!has_friction(site->def)) return PICUS_OK;
  joint_friction f = friction_of(site);
  if (site->def->kind != PICUS_UNIVERSAL) return add_one_friction(site, &f);
  f.suffix = "friction_a";
  picus_status status = add_one_friction(site, &f);
  f.suffix = "friction_b";
  f.slip[0] = pin_speed(site, 1);
  return status ? status : add_one_friction(site, &f);
}

/* Is it at points of its bodies? The line of a distance shows these already. */
static bool has_place(picus_joint_kind kind) {
  return kind != PICUS_DISTANCE && kind != PICUS_GEAR && kind != PICUS_MOTOR && kind != PICUS_LINEAR_MOTOR;
}

picus_status picus_model_add_joint(picus_model *model, const picus_joint_def *def) {
  joint_site site = {.model = model, .def = def};
  if ((unsigned)def->kind >= sizeof kinds / sizeof *kinds)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "there is no joint of kind %d", (int)def->kind);
  const char *word = kinds[def->kind].word;
  picus_status status = picus_model_check_form(model, word, def->name);
  if (!status) status = picus_body_check_pair(model, def->a, def->b, word, def->name, &site.planar);
  if (!status) status = check_kind(&site);
  if (!status && needs_axis(&site)) status = check_axes(&site);
  if (!status) status = check_friction(&site);
  if (status) return status;
  locate(&site);
  if (def->kind == PICUS_UNIVERSAL && !def->in_body_frames) {
    double cosine = 0;
    for (int i = 0; i < 3; i++) cosine += def->axis[0][i] * def->axis[1][i];
    if (fabs(cosine) > 1e-9)
      return picus_model_fail(model, PICUS_ERROR_MODEL,
                              "the two axes of universal joint '%s' are not perpendicular; their cosine is %.6g",
                              def->name, cosine);
  }
  status = add_equations(&site);
  if (!status && has_place(def->kind))
    status = picus_bodies_add_limbs((const picus_body *const[2]){def->a, def->b}, (const double(*)[3])site.point,
                                    site.planar);
  if (!status) status = add_friction(&site);
  const picus_model_switch joined = {.a = def->a->name, .b = def->b->name, .by_joint = true};
  return status ? status : picus_model_add_switch(model, &joined);
}
