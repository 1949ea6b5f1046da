/* Shapes of bodies and frames: checks, mass, and the drawing that they give. */
#include "bodies/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char default_name[] = "default";

picus_body_shape_def picus_default_body_shape_def(picus_shape_kind kind) {
  return (picus_body_shape_def){.shape = {.kind = kind}, .orientation = {1, 0, 0, 0}};
}

/* --- checks --------------------------------------------------------------------------------------------------- */

/* The message of the last failure, after more words and with the place in the model file. */
static picus_status fail_again(picus_model *model, picus_status status, const char *before) {
  char sentence[1024];
  if (status == PICUS_ERROR_MEMORY) return status;
  snprintf(sentence, sizeof sentence, "%s", picus_last_error(model->context)->message);
  return picus_model_fail(model, status, "%s%s", before, sentence);
}

static picus_status check_frame(picus_model *model, const picus_body_shape_def *def, const char *name, bool planar) {
  double square = 0;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < 3; i++)
    status = picus_model_check_finite(model, def->position[i], "the position of a shape of", name);
  for (int i = 0; i < 4; i++) square += def->orientation[i] * def->orientation[i];
  if (status) return status;
  if (!(fabs(square - 1) <= 1e-9))
    return picus_model_fail(model, PICUS_ERROR_MODEL,
                            "the orientation of a shape of '%s' has the length %.6g; it must be a unit quaternion",
                            name, sqrt(square));
  const bool leaves = def->position[2] != 0 || def->orientation[1] != 0 || def->orientation[2] != 0;
  return planar && leaves
             ? picus_model_fail(
                   model, PICUS_ERROR_MODEL,
                   "a planar shape of '%s' leaves the plane z = 0; it may move in the plane and rotate about z", name)
             : PICUS_OK;
}

/* Planar shapes belong to planar bodies; the plane of a frame is z = 0. */
static picus_status check_body(const picus_body *body, const picus_shape *shape) {
  const char *kind = picus_shape_kind_name(shape->kind);
  if (body->kind == PICUS_NODE)
    return picus_model_fail(body->model, PICUS_ERROR_UNSUPPORTED,
                            "the node '%s' cannot have a shape; use plane_contact and other contacts by pairs",
                            body->name);
  if (body->kind != PICUS_FRAME && body->planar != shape->planar)
    return picus_model_fail(body->model, PICUS_ERROR_MODEL,
                            body->planar ? "'%s' moves in the plane, but its %s is spatial; use a planar shape"
                                         : "'%s' moves in space, but its %s is planar; use a spatial shape",
                            body->name, kind);
  if (body->kind == PICUS_FRAME && shape->planar && !body->planar)
    return picus_model_fail(body->model, PICUS_ERROR_MODEL,
                            "the frame '%s' leaves the plane z = 0, but its %s is planar", body->name, kind);
  if (body->kind != PICUS_FRAME && shape->core == CORE_SURFACE)
    return picus_model_fail(body->model, PICUS_ERROR_MODEL,
                            "'%s' cannot carry a %s, which belongs to frames; use convex shapes", body->name, kind);
  return PICUS_OK;
}

/* --- shapes --------------------------------------------------------------------------------------------------- */

static picus_status carrier_of(const picus_body *body, int *index) {
  picus_model *model = body->model;
  picus_model_carrier carrier = {.name = body->name, .body = -1};
  if (body->kind != PICUS_FRAME) {
    const picus_model_body *own = picus_body_own_data(body);
    if (!own) return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "'%s' is not a body of this model", body->name);
    carrier.body = (int)(own - model->bodies);
  }
  memcpy(carrier.position, body->position.x, sizeof carrier.position);
  memcpy(carrier.rotation, body->rotation, sizeof carrier.rotation);
  memcpy(carrier.velocity, body->velocity.x, sizeof carrier.velocity);
  memcpy(carrier.spin, body->spin.x, sizeof carrier.spin);
  return picus_model_find_carrier(model, &carrier, index);
}

/* The velocity of the surface: functions of time and inputs. */
static picus_status note_surface(const picus_body *body, const picus_body_shape_def *def,
                                 picus_model_collider *collider) {
  picus_model *model = body->model;
  const picus_expr given[4] = {def->surface[0], def->surface[1], def->surface[2], def->surface_spin};
  picus_expr *const own[4] = {&collider->surface[0], &collider->surface[1], &collider->surface[2],
                              &collider->surface_spin};
  picus_status status = PICUS_OK;
  for (int i = 0; i < 4 && !status; i++) {
    picus_dependencies on;
    *own[i] = picus_expr_given(given[i]) ? given[i] : picus_number(model->pool, 0);
    if (!picus_expr_given(given[i])) continue;
    collider->has_surface = true;
    status = picus_model_examine(model, given[i], "the surface velocity of a shape of", body->name, &on);
    if (!status && (on.coordinate >= 0 || on.velocity >= 0 || on.displacement >= 0 || on.displacement_velocity >= 0))
      status = picus_model_fail(model, PICUS_ERROR_MODEL,
                                "the surface velocity of a shape of '%s' depends on the state; it may depend on time "
                                "and inputs",
                                body->name);
  }
  return status ? status : picus_pool_status(model->pool);
}

static picus_status add_collider(const picus_body *body, const picus_body_shape_def *def, const picus_shape *shape) {
  picus_model *model = body->model;
  picus_model_collider collider = {.def = def->shape};
  collider.def.planar = shape->planar;
  memcpy(collider.position, def->position, sizeof collider.position);
  picus_numbers_rotation(def->orientation, collider.rotation);
  picus_status status = check_body(body, shape);
  if (!status) status = note_surface(body, def, &collider);
  if (!status) status = check_frame(model, def, body->name, shape->planar);
  if (!status)
    status = picus_model_find_material(model, def->material ? def->material : default_name, &collider.material);
  if (!status) status = picus_model_find_group(model, def->group ? def->group : default_name, &collider.group);
  if (!status) status = carrier_of(body, &collider.carrier);
  return status ? status : picus_model_add_collider(model, &collider);
}

picus_status picus_body_add_shape(const picus_body *body, const picus_body_shape_def *def) {
  picus_model *model = body->model;
  picus_shape shape;
  picus_status status = picus_shape_create(model->context, &def->shape, &shape);
  if (status) {
    char before[PICUS_BODY_NAME_SIZE + 32];
    snprintf(before, sizeof before, "the shape of '%s' is wrong: ", body->name);
    return fail_again(model, status, before);
  }
  status = add_collider(body, def, &shape);
  if (!status && !def->hidden) status = picus_bodies_draw_shape(body, def, &shape);
  picus_shape_release(model->context, &shape);
  return status;
}

/* --- mass ----------------------------------------------------------------------------------------------------- */

/* J += R J' R^T + m (|d|^2 1 - d d^T). */
static void add_inertia(const double R[9], const double own[9], double mass, const double d[3], double J[9]) {
  const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = mass * ((i == j ? square : 0) - d[i] * d[j]);
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) sum += R[3 * i + k] * own[3 * k + l] * R[3 * j + l];
      J[3 * i + j] += sum;
    }
}

typedef struct mass_piece {
  double R[9], centre[3];
  picus_mass mass;
} mass_piece;

static picus_status weigh(picus_model *model, const picus_body_shape_def *def, double density, mass_piece *out) {
  picus_shape shape;
  picus_status status = picus_shape_create(model->context, &def->shape, &shape);
  if (!status) {
    status = picus_shape_mass(model->context, &shape, density, &out->mass);
    picus_shape_release(model->context, &shape);
  }
  if (status) return status;
  const double centre[3] = {out->mass.centre.x, out->mass.centre.y, out->mass.centre.z};
  picus_numbers_rotation(def->orientation, out->R);
  picus_numbers_rotate(out->R, centre, out->centre);
  for (int i = 0; i < 3; i++) out->centre[i] += def->position[i];
  return PICUS_OK;
}

static picus_status add_pieces(picus_model *model, int count, const picus_body_shape_def *defs, double density,
                               picus_shape_inertia *out) {
  picus_status status = PICUS_OK;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; !status && k < count; k++) {
      mass_piece piece;
      status = weigh(model, &defs[k], density, &piece);
      if (status) break;
      const double m = piece.mass.mass;
      double d[3];
      for (int i = 0; i < 3; i++) d[i] = piece.centre[i] - out->centre[i];
      if (pass == 1) add_inertia(piece.R, piece.mass.inertia, m, d, out->inertia);
      if (pass == 1) continue;
      out->mass += m;
      for (int i = 0; i < 3; i++) out->centre[i] += m / out->mass * d[i];
    }
  }
  return status;
}

picus_status picus_shapes_inertia(picus_model *model, int count, const picus_body_shape_def *defs, double density,
                                  picus_shape_inertia *out) {
  *out = (picus_shape_inertia){0};
  picus_status status = PICUS_OK;
  if (count < 0) return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%d shapes cannot have an inertia", count);
  for (int k = 0; !status && k < count; k++) status = check_frame(model, &defs[k], "a body", false);
  if (status) return status;
  status = add_pieces(model, count, defs, density, out);
  return status ? fail_again(model, status, "") : PICUS_OK;
}

/* --- materials and switches ----------------------------------------------------------------------------------- */

static picus_status check_material(picus_model *model, const picus_material_def *def) {
  const struct {
    const char *what;
    double value, most;
  } numbers[] = {{"mu", def->mu, INFINITY},
                 {"eN", def->eN, 1},
                 {"eF", def->eF, 1},
                 {"adhesion", def->adhesion, INFINITY},
                 {"spin radius", def->spin_radius, INFINITY},
                 {"rolling radius", def->rolling, INFINITY}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    if (numbers[k].value >= 0 && numbers[k].value <= numbers[k].most && isfinite(numbers[k].value)) continue;
    return picus_model_fail(model, PICUS_ERROR_MODEL, "the %s of material '%s' is %g; it must be %s", numbers[k].what,
                            def->a, numbers[k].value,
                            numbers[k].most == 1 ? "between 0 and 1" : "finite and not negative");
  }
  return PICUS_OK;
}

/* Contacts of shapes come and go: their formulas know time, inputs and their own slip speed. */
static picus_status check_formulas(picus_model *model, const picus_material_def *def) {
  const struct {
    const char *what;
    picus_expr formula;
  } list[] = {{"mu of material", def->mu_formula},
              {"eN of material", def->eN_formula},
              {"eF of material", def->eF_formula},
              {"the rolling radius of material", def->rolling_formula}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    picus_dependencies on;
    if (!picus_expr_given(list[k].formula)) continue;
    picus_status status = picus_model_examine_coefficient(model, list[k].formula, list[k].what, def->a, &on);
    if (status) return status;
    if (on.coordinate >= 0 || on.displacement >= 0)
      return picus_model_fail(model, PICUS_ERROR_MODEL,
                              "%s '%s' depends on a coordinate; it may depend on time, inputs and slip_speed()",
                              list[k].what, def->a);
  }
  return PICUS_OK;
}

picus_status picus_model_add_material(picus_model *model, const picus_material_def *def) {
  picus_model_material_pair pair = {
      .mu = def->mu, .eN = def->eN, .eF = def->eF, .spin_radius = def->spin_radius, .rolling = def->rolling};
  pair.impact = def->impact;
  pair.adhesion = def->adhesion;
  pair.mu_formula = def->mu_formula;
  pair.eN_formula = def->eN_formula;
  pair.eF_formula = def->eF_formula;
  pair.rolling_formula = def->rolling_formula;
  if (!def->a) return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "a material needs a name");
  picus_status status = check_material(model, def);
  if (!status) status = check_formulas(model, def);
  if (!status) status = picus_model_check_impact(model, def->impact, "material", def->a);
  if (!status) status = picus_model_find_material(model, def->a, &pair.a);
  if (!status) status = picus_model_find_material(model, def->b ? def->b : def->a, &pair.b);
  return status ? status : picus_model_set_material_pair(model, &pair);
}

picus_status picus_model_collide_groups(picus_model *model, const char *a, const char *b, bool on) {
  int i, j;
  picus_status status = picus_model_find_group(model, a, &i);
  if (!status) status = picus_model_find_group(model, b, &j);
  if (status) return status;
  uint32_t *masks = model->collisions.masks;
  const uint32_t of_a = (uint32_t)1 << i, of_b = (uint32_t)1 << j;
  masks[i] = on ? masks[i] | of_b : masks[i] & ~of_b;
  masks[j] = on ? masks[j] | of_a : masks[j] & ~of_a;
  return PICUS_OK;
}

picus_status picus_model_collide_bodies(picus_model *model, const picus_body *a, const picus_body *b, bool on) {
  if (!a || !b || a->model != model || b->model != model)
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "collisions are switched between two bodies of this model");
  if (strcmp(a->name, b->name) == 0)
    return picus_model_fail(model, PICUS_ERROR_MODEL, "'%s' does not collide with itself; name two bodies", a->name);
  return picus_model_add_switch(model, &(picus_model_switch){.a = a->name, .b = b->name, .on = on});
}
