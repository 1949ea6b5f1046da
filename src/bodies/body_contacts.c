/* Contacts of two bodies as explicit pairs. With n the normal that points from a to b, c the place of contact and v_a,
 * v_b the velocities of the material points there,
 *
 *   gap' = n . (v_b - v_a),   slip_i = t_i . (v_b - v_a),   spin = (3 pi / 16) R n . (Omega_b - Omega_a),
 *   roll_i = t_i . (Omega_b - Omega_a), in the plane roll = Omega_b - Omega_a,
 *
 * the last for a circular contact area of radius R (Breuling et al. 2023, eq. 59). */
#include "bodies/internal.h"

#include <math.h>
#include <stdio.h>

/* Quantities that each kind of pair computes. */
typedef struct contact_site {
  picus_expr gap;
  picus_vector place, normal, tangent[2];
  bool rate_derived; /* gap' is n . (v_b - v_a) in contact only: differentiate the gap */
  int slips;         /* slip velocities that are given; 0: they follow from place and tangents */
  picus_expr slip[2];
} contact_site;

picus_pair_def picus_default_pair_def(picus_pair_kind kind) {
  return (picus_pair_def){.kind = kind, .axis = {{0, 0, 1}, {0, 0, 1}}};
}

static picus_vector away(picus_pool *pool, picus_vector from, picus_expr distance, picus_vector direction) {
  return picus_vector_add(pool, from, picus_vector_scale(pool, distance, direction));
}

/* In the plane the tangent is n turned by -90 degrees: to the right of a normal that points up. */
static void find_tangents(picus_pool *pool, bool planar, contact_site *site) {
  if (!planar) {
    picus_vector_tangents(pool, site->normal, &site->tangent[0], &site->tangent[1]);
    return;
  }
  site->tangent[0] = (picus_vector){{site->normal.x[1], picus_neg(pool, site->normal.x[0]), picus_number(pool, 0)}};
}

static picus_expr height(picus_pool *pool, const picus_pair_def *def, picus_vector normal, picus_vector place) {
  return picus_vector_dot(pool, normal, picus_vector_sub(pool, place, picus_body_point(def->a, def->point[0])));
}

/* Tangents of a plane are fixed in its body. */
static void plane_tangents(picus_pool *pool, bool planar, const picus_pair_def *def, contact_site *site) {
  double first[3], second[3];
  if (planar) {
    find_tangents(pool, true, site);
    return;
  }
  picus_numbers_tangents(def->axis[0], first, second);
  site->tangent[0] = picus_body_direction(def->a, first);
  site->tangent[1] = picus_body_direction(def->a, second);
}

static void ball_on_plane(picus_pool *pool, bool planar, const picus_pair_def *def, contact_site *site) {
  picus_vector centre = picus_body_point(def->b, def->point[1]);
  picus_expr radius = picus_number(pool, def->radius[1]);
  site->normal = picus_body_direction(def->a, def->axis[0]);
  site->gap = picus_sub(pool, height(pool, def, site->normal, centre), radius);
  site->place = away(pool, centre, picus_neg(pool, radius), site->normal);
  plane_tangents(pool, planar, def, site);
}

static void ball_on_ball(picus_pool *pool, bool planar, const picus_pair_def *def, contact_site *site) {
  picus_vector centre = picus_body_point(def->b, def->point[1]);
  picus_vector d = picus_vector_sub(pool, centre, picus_body_point(def->a, def->point[0]));
  picus_expr distance = picus_vector_length(pool, d);
  site->normal = picus_vector_scale(pool, picus_div(pool, picus_number(pool, 1), distance), d);
  site->gap = picus_sub(pool, distance, picus_number(pool, def->radius[0] + def->radius[1]));
  site->place = away(pool, centre, picus_number(pool, -def->radius[1]), site->normal);
  find_tangents(pool, planar, site);
}

/* The centre of the pin is off the axis of the hole by d; the normal points inwards, opposite to d. */
static void pin_in_hole(picus_pool *pool, bool planar, const picus_pair_def *def, contact_site *site) {
  picus_vector centre = picus_body_point(def->b, def->point[1]);
  picus_vector d = picus_vector_sub(pool, centre, picus_body_point(def->a, def->point[0]));
  picus_vector axis = picus_body_direction(def->a, def->axis[0]);
  if (!planar) d = away(pool, d, picus_neg(pool, picus_vector_dot(pool, axis, d)), axis);
  picus_expr distance = picus_vector_length(pool, d);
  site->normal = picus_vector_scale(pool, picus_div(pool, picus_number(pool, -1), distance), d);
  site->gap = picus_sub(pool, picus_number(pool, def->radius[0] - def->radius[1]), distance);
  site->place = away(pool, centre, picus_number(pool, -def->radius[1]), site->normal);
  if (planar) {
    find_tangents(pool, true, site);
    return;
  }
  site->tangent[0] = axis;
  site->tangent[1] = picus_vector_cross(pool, site->normal, axis);
}

/* Friction of a journal: with d from the axis of the bearing to that of the journal, k the axis and e = d / c the
 * direction to the place of contact, where |d| = c, the material points there move along t = k x e with
 * t . (v_b - v_a) + (R_b Omega_b - R_a Omega_a) . k, and along k with k . (v_b - v_a + (R_b Omega_b - R_a Omega_a) x
 * e). */
static void journal_slips(picus_pool *pool, const picus_pair_def *def, picus_vector axis, picus_vector e,
                          contact_site *site) {
  picus_vector of_a = picus_body_point_velocity(def->a, def->point[0]);
  picus_vector v = picus_vector_sub(pool, picus_body_point_velocity(def->b, def->point[1]), of_a);
  picus_vector turning[2];
  for (int side = 0; side < 2; side++) {
    picus_vector spin = picus_body_angular_velocity(side ? def->b : def->a);
    turning[side] = picus_vector_scale(pool, picus_number(pool, def->radius[side]), spin);
  }
  picus_vector surface = picus_vector_sub(pool, turning[1], turning[0]);
  picus_expr turned = picus_vector_dot(pool, axis, surface);
  site->slip[0] = picus_add(pool, picus_vector_dot(pool, site->tangent[0], v), turned);
  picus_vector all = picus_vector_add(pool, v, picus_vector_cross(pool, surface, e));
  site->slip[1] = picus_vector_dot(pool, axis, all);
}

static void journal_in_bearing(picus_pool *pool, bool planar, const picus_pair_def *def, contact_site *site) {
  const double z[3] = {0, 0, 1}, c = def->radius[0] - def->radius[1];
  picus_vector centre = picus_body_point(def->b, def->point[1]);
  picus_vector d = picus_vector_sub(pool, centre, picus_body_point(def->a, def->point[0]));
  picus_vector axis = planar ? picus_vector_number(pool, z) : picus_body_direction(def->a, def->axis[0]);
  d = away(pool, d, picus_neg(pool, picus_vector_dot(pool, axis, d)), axis);
  picus_vector e = picus_vector_scale(pool, picus_number(pool, 1 / c), d);
  picus_expr distance = picus_vector_dot(pool, d, d), room = picus_sub(pool, picus_number(pool, c * c), distance);
  site->gap = picus_mul(pool, picus_number(pool, 0.5 / c), room);
  site->rate_derived = true;
  site->normal = picus_vector_scale(pool, picus_number(pool, -1), e);
  site->place = away(pool, centre, picus_number(pool, def->radius[1]), e);
  site->tangent[0] = picus_vector_cross(pool, axis, e);
  site->tangent[1] = axis;
  site->slips = planar || def->radial ? 1 : 2;
  journal_slips(pool, def, axis, e, site);
}

/* The lowest point of the rim is on the line of steepest descent in the disk's plane: with k its axis, n - (n . k) k
 * points up there (Breuling et al. 2023, eqs. 57, 58). */
static void rim_on_plane(picus_pool *pool, bool planar, const picus_pair_def *def, contact_site *site) {
  picus_vector centre = picus_body_point(def->b, def->point[1]), axis = picus_body_direction(def->b, def->axis[1]);
  site->normal = picus_body_direction(def->a, def->axis[0]);
  picus_expr cosine = picus_vector_dot(pool, site->normal, axis);
  picus_vector up = away(pool, site->normal, picus_neg(pool, cosine), axis);
  picus_expr sine = picus_vector_length(pool, up);
  picus_expr radius = picus_number(pool, def->radius[1]);
  site->place = away(pool, centre, picus_neg(pool, picus_div(pool, radius, sine)), up);
  picus_expr drop = picus_mul(pool, radius, sine);
  site->gap = picus_sub(pool, height(pool, def, site->normal, centre), drop);
  plane_tangents(pool, planar, def, site);
}

/* gap = level / |grad level|, a distance to first order; the normal is grad level / |grad level|. */
static void point_on_level(picus_pool *pool, bool planar, const picus_pair_def *def, contact_site *site) {
  picus_vector point = picus_body_point(def->b, def->point[1]);
  picus_vector local =
      picus_vector_rotate_back(pool, def->a->rotation, picus_vector_sub(pool, point, def->a->position));
  picus_expr values[4] = {def->level, picus_number(pool, 0), picus_number(pool, 0), picus_number(pool, 0)};
  const int dimension = planar ? 2 : 3;
  for (int i = 0; i < dimension; i++)
    values[1 + i] = picus_derivative(pool, def->level, picus_expr_variable_index(pool, def->local[i]));
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < dimension; i++)
      values[k] = picus_substitute(pool, values[k], picus_expr_variable_index(pool, def->local[i]), local.x[i]);
  picus_vector gradient = {{values[1], values[2], values[3]}};
  picus_expr length = picus_vector_length(pool, gradient);
  picus_vector normal = picus_vector_scale(pool, picus_div(pool, picus_number(pool, 1), length), gradient);
  site->normal = picus_vector_rotate(pool, def->a->rotation, normal);
  site->gap = picus_div(pool, values[0], length);
  site->place = point;
  site->rate_derived = true;
  find_tangents(pool, planar, site);
}

static picus_status check_radii(picus_model *model, const picus_pair_def *def) {
  for (int i = 0; i < 2; i++) {
    picus_status status = picus_model_check_finite(model, def->radius[i], "a radius of contact", def->name);
    if (status) return status;
    if (def->radius[i] < 0)
      return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "contact '%s' has the negative radius %g", def->name,
                              def->radius[i]);
  }
  if ((def->kind == PICUS_PIN_HOLE || def->kind == PICUS_JOURNAL) && !(def->radius[0] > def->radius[1]))
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "contact '%s' has a hole of radius %g for a pin of radius %g; the hole must be larger",
                            def->name, def->radius[0], def->radius[1]);
  if (def->kind == PICUS_RIM_PLANE && !(def->radius[1] > 0))
    return picus_model_fail(model, PICUS_ERROR_MODEL, "contact '%s' needs the radius of its disk", def->name);
  if (def->kind == PICUS_BALL_BALL && !(def->radius[0] + def->radius[1] > 0))
    return picus_model_fail(model, PICUS_ERROR_MODEL, "contact '%s' is between two points; at least one needs a radius",
                            def->name);
  return PICUS_OK;
}

static picus_status check_level(picus_model *model, const picus_pair_def *def, bool planar) {
  for (int i = 0; i < (planar ? 2 : 3); i++)
    if (!picus_expr_valid(def->local[i]) || picus_expr_variable_index(model->pool, def->local[i]) < 0)
      return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "contact '%s' needs the variables of its level", def->name);
  if (!picus_expr_given(def->level))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "contact '%s' has no level", def->name);
  return PICUS_OK;
}

/* Of time, coordinates and inputs: it becomes a factor of a slip velocity, which is linear in velocities. */
static picus_status check_spin_formula(picus_model *model, const picus_pair_def *def, bool planar) {
  picus_dependencies on;
  if (planar)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "contact '%s' has a spin radius, but its bodies are planar",
                            def->name);
  picus_status status =
      picus_model_examine(model, def->spin_radius_formula, "the spin radius of contact", def->name, &on);
  if (!status && (on.velocity >= 0 || on.displacement_velocity >= 0))
    status = picus_model_fail(model, PICUS_ERROR_MODEL,
                              "the spin radius of contact '%s' depends on a velocity; it may depend on time, "
                              "coordinates and inputs",
                              def->name);
  return status;
}

static bool has_surface(const picus_pair_def *def) {
  return picus_expr_given(def->surface[0]) || picus_expr_given(def->surface[1]) || picus_expr_given(def->surface[2]);
}

/* Whether a contact of two bodies is possible: names, bodies, radii, directions. */
static picus_status check_pair(picus_model *model, const picus_pair_def *def, bool *planar) {
  picus_status status = picus_model_check_name(model, "contact", def->name);
  if (!status) status = picus_body_check_pair(model, def->a, def->b, "contact", def->name, planar);
  if (!status) status = check_radii(model, def);
  if (status) return status;
  bool plane = def->kind == PICUS_BALL_PLANE || def->kind == PICUS_RIM_PLANE;
  if (plane || ((def->kind == PICUS_PIN_HOLE || def->kind == PICUS_JOURNAL) && !*planar))
    status = picus_body_check_unit(model, def->axis[0], plane ? "normal" : "axis", "contact", def->name);
  if (!status && *planar && plane && def->axis[0][2] != 0)
    status = picus_model_fail(model, PICUS_ERROR_MODEL, "the normal of contact '%s' leaves the plane of its bodies",
                              def->name);
  if (!status && def->kind == PICUS_RIM_PLANE) {
    status = picus_body_check_unit(model, def->axis[1], "axis of the disk", "contact", def->name);
    if (!status && (*planar || (def->b->kind != PICUS_SPATIAL_BODY && def->b->kind != PICUS_NODE)))
      status = picus_model_fail(model, PICUS_ERROR_MODEL, "contact '%s' needs a spatial body with a rim, not '%s'",
                                def->name, def->b->name);
  }
  if (!status && def->kind == PICUS_JOURNAL && has_surface(def))
    status =
        picus_model_fail(model, PICUS_ERROR_MODEL,
                         "contact '%s' is a journal, whose surfaces move with their bodies; omit surface", def->name);
  if (!status && def->kind == PICUS_POINT_LEVEL) status = check_level(model, def, *planar);
  if (!status) status = picus_model_check_finite(model, def->spin_radius, "the spin radius of contact", def->name);
  if (!status && def->spin_radius != 0 && (*planar || def->spin_radius < 0))
    status = picus_model_fail(model, PICUS_ERROR_MODEL,
                              *planar ? "contact '%s' has a spin radius, but its bodies are planar"
                                      : "contact '%s' has a negative spin radius",
                              def->name);
  if (!status && picus_expr_given(def->spin_radius_formula)) status = check_spin_formula(model, def, *planar);
  return status;
}

static void add_slips(picus_pool *pool, bool planar, const picus_pair_def *def, const contact_site *site,
                      picus_vector speed, picus_contact_def *contact) {
  contact->slips = site->slips ? site->slips : planar ? 1 : 2;
  for (int i = 0; i < contact->slips; i++)
    contact->slip[i] = site->slips ? site->slip[i] : picus_vector_dot(pool, site->tangent[i], speed);
  const bool varies = picus_expr_given(def->spin_radius_formula);
  if (!(def->spin_radius > 0) && !varies) return;
  const picus_expr radius = varies ? def->spin_radius_formula : picus_number(pool, def->spin_radius);
  picus_vector of_a = picus_body_angular_velocity(def->a);
  picus_vector spin = picus_vector_sub(pool, picus_body_angular_velocity(def->b), of_a);
  const picus_expr factor = picus_mul(pool, picus_number(pool, 3 * 3.14159265358979323846 / 16), radius);
  contact->slip[contact->slips++] = picus_mul(pool, factor, picus_vector_dot(pool, site->normal, spin));
}

/* Rolling velocities: the relative angular velocity without its part along the normal, which is spin. */
static void add_rolls(picus_pool *pool, bool planar, const picus_pair_def *def, const contact_site *site,
                      picus_contact_def *contact) {
  contact->rolling = def->rolling;
  contact->rolling_formula = def->rolling_formula;
  if (!(def->rolling > 0) && !picus_expr_given(def->rolling_formula)) return;
  const picus_vector of_a = picus_body_angular_velocity(def->a);
  const picus_vector turn = picus_vector_sub(pool, picus_body_angular_velocity(def->b), of_a);
  contact->rolls = planar ? 1 : 2;
  for (int i = 0; i < contact->rolls; i++)
    contact->roll[i] = planar ? turn.x[2] : picus_vector_dot(pool, site->tangent[i], turn);
}

/* The velocity of the surface of a, as of a belt, in the inertial frame. */
static picus_vector surface_velocity(const picus_model *model, const picus_pair_def *def) {
  picus_vector own;
  for (int i = 0; i < 3; i++)
    own.x[i] = picus_expr_given(def->surface[i]) ? def->surface[i] : picus_number(model->pool, 0);
  return picus_vector_rotate(model->pool, def->a->rotation, own);
}

picus_status picus_model_add_pair(picus_model *model, const picus_pair_def *def) {
  static void (*const finders[])(picus_pool *, bool, const picus_pair_def *, contact_site *) = {
      [PICUS_BALL_PLANE] = ball_on_plane, [PICUS_BALL_BALL] = ball_on_ball,     [PICUS_PIN_HOLE] = pin_in_hole,
      [PICUS_RIM_PLANE] = rim_on_plane,   [PICUS_POINT_LEVEL] = point_on_level, [PICUS_JOURNAL] = journal_in_bearing};
  picus_pool *pool = model->pool;
  bool planar;
  if ((unsigned)def->kind >= sizeof finders / sizeof *finders)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "there is no contact of kind %d", (int)def->kind);
  picus_status status = check_pair(model, def, &planar);
  if (status) return status;
  contact_site site = {.rate_derived = false};
  finders[def->kind](pool, planar, def, &site);
  /* of the material points that touch: its normal part is g', shorter than the derivative of the gap */
  picus_vector of_a = picus_body_contact_velocity(def->a, def->point[0], site.place);
  picus_vector speed = picus_vector_sub(pool, picus_body_contact_velocity(def->b, def->point[1], site.place), of_a);
  const picus_vector slip = has_surface(def) ? picus_vector_sub(pool, speed, surface_velocity(model, def)) : speed;
  picus_contact_def contact = picus_default_contact_def();
  contact.name = def->name;
  contact.gap = site.gap;
  const bool small = picus_body_is_small(def->a) || picus_body_is_small(def->b);
  if (!site.rate_derived && !small) contact.rate = picus_vector_dot(pool, site.normal, speed);
  contact.mu = def->mu;
  contact.eN = def->eN;
  contact.eF = def->eF;
  contact.impact = def->impact;
  contact.adhesion = def->adhesion;
  contact.mu_formula = def->mu_formula;
  contact.eN_formula = def->eN_formula;
  contact.eF_formula = def->eF_formula;
  if (!def->frictionless) add_slips(pool, planar, def, &site, slip, &contact);
  add_rolls(pool, planar, def, &site, &contact);
  const picus_vector drawn[4] = {site.place, site.normal, site.tangent[0], site.tangent[1]};
  status = picus_model_add_contact(model, &contact);
  return status ? status : picus_bodies_set_site(model, def->name, planar, drawn);
}
