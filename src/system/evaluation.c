/* Values of a system at a point, put together from its parts; factors of M and constant quantities are kept. */
#include "system/law_rows.h"
#include "system/law_set.h"

#include "base/internal.h"
#include "base/tasks.h"
#include "linalg/internal.h"
#include "system/internal.h"

#include <math.h>
#include <string.h>

static size_t square(int n) { return (size_t)n * (size_t)n; }

/* Numbers in the largest Jacobian of a part or of a source; those of a part with a pattern over its
 * velocities are lists of values. */
static size_t largest_jacobian(const picus_system *s) {
  size_t size = (size_t)s->nq;
  for (int p = 0; p < s->part_count; p++) {
    const system_part *part = &s->parts[p];
    const size_t forces = (size_t)part->nu * (size_t)picus_larger_int(part->q_width, part->u_width);
    size = picus_larger_size(size, part->pattern
                                       ? (size_t)part->pattern->row_start[part->nu]
                                       : picus_larger_size(forces, square(picus_larger_int(part->nq, part->nu))));
  }
  return size;
}

static picus_status allocate_arrays(picus_evaluation *e) {
  const picus_system *s = e->system;
  picus_context *context = e->context;
  e->q = picus_allocate(context, (size_t)s->nq, sizeof(double));
  e->u = picus_allocate(context, (size_t)s->nu, sizeof(double));
  e->inputs = picus_allocate(context, (size_t)s->input_count, sizeof *e->inputs);
  e->sides = picus_allocate(context, (size_t)s->switch_count, sizeof *e->sides);
  e->points = picus_allocate(context, (size_t)s->source_count, sizeof *e->points);
  e->W = picus_allocate(context, e->set->W_size, sizeof(double));
  e->chi = picus_allocate(context, (size_t)e->set->row_count, sizeof(double));
  e->law_slopes = picus_allocate(context, picus_larger_size(e->set->gap_q_size, e->set->Q_size), sizeof(double));
  e->scratch_size = largest_jacobian(s);
  e->scratch = picus_allocate(context, 2 * e->scratch_size, sizeof(double));
  e->inverse_mass = picus_allocate(context, s->constants.mass ? (size_t)s->nu : 0, sizeof(double));
  bool all = e->inverse_mass && e->scratch && e->law_slopes && e->q && e->u && e->inputs && e->sides && e->points &&
             e->W && e->chi;
  return all ? picus_system_matrix_create(context, s, MATRIX_BY_PARTS, &e->mass) : PICUS_ERROR_MEMORY;
}

picus_status picus_evaluation_create(picus_context *context, const picus_system *system, picus_evaluation **out) {
  *out = NULL;
  picus_evaluation *e = picus_allocate(context, 1, sizeof *e);
  if (!e) return PICUS_ERROR_MEMORY;
  e->context = context;
  e->system = system;
  e->set = &system->fixed;
  picus_status status = allocate_arrays(e);
  for (int k = 0; !status && k < system->switch_count; k++) e->sides[k] = NAN;
  for (int i = 0; !status && i < system->source_count; i++) {
    const system_source *source = &system->sources[i];
    e->points[i].q = e->q + source->q0;
    e->points[i].u = e->u + source->u0;
    e->points[i].system_q = e->q;
    e->points[i].system_u = e->u;
    e->points[i].inputs = e->inputs;
    e->points[i].sides = e->sides;
    status = source->ops->work_create(source->self, context, &e->points[i].work);
  }
  if (status) {
    picus_evaluation_destroy(e);
    return status;
  }
  picus_evaluation_start_inputs(e, system->t_start);
  *out = e;
  return PICUS_OK;
}

void picus_evaluation_destroy(picus_evaluation *e) {
  if (!e) return;
  picus_context *context = e->context;
  for (int i = 0; e->points && i < e->system->source_count; i++) {
    const system_source *source = &e->system->sources[i];
    if (e->points[i].work) source->ops->work_destroy(source->self, context, e->points[i].work);
  }
  picus_release(context, e->q);
  picus_release(context, e->u);
  picus_release(context, e->inputs);
  picus_release(context, e->sides);
  picus_release(context, e->points);
  if (e->mass.blocks) picus_system_matrix_release(context, &e->mass);
  picus_release(context, e->inverse_mass);
  picus_release(context, e->W);
  picus_release(context, e->chi);
  picus_release(context, e->law_slopes);
  picus_release(context, e->scratch);
  picus_release(context, e);
}

static picus_status request(picus_evaluation *e, unsigned jacobians, bool often) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < e->system->source_count; i++) {
    const system_source *source = &e->system->sources[i];
    if (source->ops->request) status = source->ops->request(source->self, e->context, &e->points[i], jacobians, often);
  }
  if (!status) e->jacobians |= jacobians;
  return status;
}

picus_status picus_evaluation_request(picus_evaluation *e, unsigned jacobians) { return request(e, jacobians, true); }

picus_status picus_evaluation_request_few(picus_evaluation *e, unsigned jacobians) {
  return request(e, jacobians, false);
}

bool picus_evaluation_tangent_constant(const picus_evaluation *e, int p, jacobian_kind kind) {
  const system_part *part = &e->system->parts[p];
  const system_source *source = &e->system->sources[part->source];
  if (!source->ops->tangent_constant) return part->tangents_constant;
  return source->ops->tangent_constant(source->self, &e->points[part->source], p - source->part0, kind);
}

void picus_evaluation_laws_only(picus_evaluation *e) {
  for (int i = 0; i < e->system->source_count; i++) e->points[i].laws_only = true;
}

void picus_evaluation_set_point(picus_evaluation *e, double t, const double *q, const double *u) {
  const picus_system *s = e->system;
  picus_evaluation_take_point(e, t, q, u);
  for (int i = 0; i < s->source_count; i++) {
    e->points[i].t = t;
    if (s->sources[i].ops->set_point) s->sources[i].ops->set_point(s->sources[i].self, &e->points[i]);
  }
}

void picus_evaluation_set_velocity(picus_evaluation *e, const double *u) {
  const picus_system *s = e->system;
  picus_copy(s->nu, u, e->u);
  for (int i = 0; i < s->source_count; i++)
    if (s->sources[i].ops->set_point) s->sources[i].ops->set_point(s->sources[i].self, &e->points[i]);
}

/* Calls one function of every source with the source's share of an output array. */
#define FOR_EACH_SOURCE(e, call)                                                                                       \
  for (int i = 0; i < (e)->system->source_count; i++) {                                                                \
    const system_source *source = &(e)->system->sources[i];                                                            \
    const source_point *point = &(e)->points[i];                                                                       \
    picus_status status = (call);                                                                                      \
    if (status) return status;                                                                                         \
  }

/* A value that is not finite is an error of the calling function. Its source is searched only in this case. */
static inline picus_status checked(picus_evaluation *e, part_quantity quantity, const double *values, int count) {
  return picus_all_finite(values, (size_t)count) ? PICUS_OK : picus_evaluation_blame_value(e, quantity, values);
}

picus_status picus_evaluate_rate(picus_evaluation *e, double *q_dot) {
  FOR_EACH_SOURCE(e, source->ops->rate(source->self, e->context, point, q_dot + source->q0))
  return checked(e, QUANTITY_RATE, q_dot, e->system->nq);
}

picus_status picus_evaluate_loads(picus_evaluation *e, double *h) {
  FOR_EACH_SOURCE(e, source->has_loads ? source->ops->loads(source->self, e->context, point, h) : PICUS_OK)
  return PICUS_OK;
}

picus_status picus_evaluate_force(picus_evaluation *e, double *h) {
  FOR_EACH_SOURCE(e, source->ops->force(source->self, e->context, point, h + source->u0))
  const picus_status status = e->system->has_loads ? picus_evaluate_loads(e, h) : PICUS_OK;
  return status ? status : checked(e, QUANTITY_FORCE, h, e->system->nu);
}

picus_status picus_evaluate_gaps(picus_evaluation *e, double *gap) {
  FOR_EACH_SOURCE(e, source->ops->gaps(source->self, e->context, point, gap + source->law0))
  picus_status status = checked(e, QUANTITY_GAP, gap, e->set->fixed_count);
  return status || !e->set->present ? status : picus_present_gaps(e, gap);
}

picus_status picus_evaluate_source_motion(picus_evaluation *e, int i, double *gap, double *h) {
  const system_source *source = &e->system->sources[i];
  const source_point *point = &e->points[i];
  if (source->ops->set_point) source->ops->set_point(source->self, point);
  picus_status status = source->ops->gaps(source->self, e->context, point, gap + source->law0);
  return status ? status : source->ops->force(source->self, e->context, point, h + source->u0);
}

picus_status picus_evaluation_check_gaps(picus_evaluation *e, const double *gap) {
  return checked(e, QUANTITY_GAP, gap, e->set->fixed_count);
}

picus_status picus_evaluation_check_force(picus_evaluation *e, const double *h) {
  return checked(e, QUANTITY_FORCE, h, e->system->nu);
}

picus_status picus_system_observe(picus_evaluation *e, double *values) {
  FOR_EACH_SOURCE(e, source->observable_count == 0
                         ? PICUS_OK
                         : source->ops->observe(source->self, e->context, point, values + source->observable0))
  return checked(e, QUANTITY_OBSERVABLE, values, e->system->observable_count);
}

void picus_evaluate_powers(picus_evaluation *e, double *power, double *stored) {
  for (int i = 0; i < e->system->source_count; i++) {
    const system_source *source = &e->system->sources[i];
    if (source->work_count > 0)
      source->ops->powers(source->self, &e->points[i], power + source->work0, stored + source->work0);
  }
}

law_coefficients picus_law_constants(const picus_system_law *law) {
  const double radius = law->kind == PICUS_COULOMB     ? law->mu
                        : law->kind == PICUS_RESERVOIR ? (law->loaded ? law->mu : law->reservoir)
                        : law->kind == PICUS_ROLLING   ? law->rolling
                                                       : 0;
  return (law_coefficients){.radius = radius, .eN = law->eN, .eF = law->eF};
}

static picus_status check_coefficients(const picus_evaluation *e, const system_law *law, const law_coefficients *c) {
  const picus_law_kind kind = law->data.kind;
  const char *radius = kind == PICUS_RESERVOIR && !law->data.loaded ? "the reservoir"
                       : kind == PICUS_ROLLING                      ? "the rolling radius"
                                                                    : "mu";
  const struct {
    const char *name;
    double value, most;
  } list[] = {{radius, c->radius, 1e300}, {"eN", c->eN, 1}, {"eF", c->eF, 1}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    if (list[k].value >= 0 && list[k].value <= list[k].most) continue;
    const bool is_e = k > 0;
    return picus_fail(e->context, PICUS_ERROR_NUMBER, "%s of '%s' is %.6g at t = %.9g; it must %s", list[k].name,
                      law->data.name, list[k].value, e->t, is_e ? "be in [0, 1]" : "be finite and not negative");
  }
  return PICUS_OK;
}

picus_status picus_evaluate_coefficients(const picus_evaluation *e, const double *speed, law_coefficients *out) {
  const law_set *set = e->set;
  for (int i = 0; i < e->system->source_count; i++) {
    const system_source *source = &e->system->sources[i];
    if (source->ops->coefficients)
      source->ops->coefficients(source->self, &e->points[i], speed + source->law0, out + source->law0);
    if (!set->present || !source->ops->appearing || !source->ops->appearing->coefficients) continue;
    const law_range range = set->present[i];
    const present_laws laws = {range.count, set->laws + range.first};
    source->ops->appearing->coefficients(source->self, &e->points[i], &laws, speed + range.first, out + range.first);
  }
  for (int i = 0; i < set->law_count; i++) {
    picus_status status = set->laws[i].data.varies ? check_coefficients(e, &set->laws[i], &out[i]) : PICUS_OK;
    if (status) return status;
  }
  return PICUS_OK;
}

void picus_evaluate_actions(picus_evaluation *e, double *values) {
  const system_source *source = &e->system->sources[0];
  source->ops->actions(source->self, &e->points[0], values);
}

void picus_evaluate_switches(picus_evaluation *e, double *a, double *b) {
  const system_source *source = &e->system->sources[0]; /* formulas come first */
  if (e->system->switch_count > 0) source->ops->switches(source->self, &e->points[0], a, b);
}

static picus_status blame_energy(picus_evaluation *e) {
  for (int i = 0; i < e->system->source_count; i++) {
    const system_source *source = &e->system->sources[i];
    double energy[2];
    picus_status status = source->ops->energy(source->self, e->context, &e->points[i], &energy[0], &energy[1]);
    if (status) return status;
    for (int k = 0; k < 2; k++)
      if (!isfinite(energy[k])) return picus_evaluation_blame(e, i, (value_place){QUANTITY_ENERGY, k, 0}, energy[k]);
  }
  return picus_fail(e->context, PICUS_ERROR_NUMBER,
                    "the total energy overflows at t = %.9g; check the initial state and the units", e->t);
}

picus_status picus_evaluate_energy(picus_evaluation *e, double *kinetic, double *potential) {
  picus_status status = picus_evaluate_energy_unchecked(e, kinetic, potential);
  if (status) return status;
  return isfinite(*kinetic + *potential) ? PICUS_OK : blame_energy(e);
}

picus_status picus_evaluate_energy_unchecked(picus_evaluation *e, double *kinetic, double *potential) {
  *kinetic = *potential = 0;
  for (int i = 0; i < e->system->source_count; i++) {
    const system_source *source = &e->system->sources[i];
    double T = 0, V = 0;
    picus_status status = source->ops->energy(source->self, e->context, &e->points[i], &T, &V);
    if (status) return status;
    *kinetic += T;
    *potential += V;
  }
  return PICUS_OK;
}

static picus_status check_mass(picus_evaluation *e, int p) {
  const part_matrix *M = &e->mass.blocks[p];
  return picus_all_finite(M->values, M->count)
             ? PICUS_OK
             : picus_evaluation_blame_part(e, p, QUANTITY_MASS, M->values, M->count, M->pattern ? 0 : M->order);
}

picus_status picus_evaluation_update_mass(picus_evaluation *e) {
  if (e->mass_ready) return PICUS_OK;
  for (int p = 0; p < e->system->part_count; p++) {
    const int k = e->system->parts[p].source;
    const system_source *source = &e->system->sources[k];
    picus_status status =
        source->ops->mass(source->self, e->context, &e->points[k], p - source->part0, e->mass.blocks[p].values);
    if (!status) status = check_mass(e, p);
    if (status) return status;
  }
  e->mass_ready = true;
  return PICUS_OK;
}

static picus_status factor_part(picus_evaluation *e, int p) {
  const system_part *part = &e->system->parts[p];
  part_matrix *M = &e->mass.blocks[p];
  int failed = picus_part_matrix_factor_positive(M, part->mass_constant);
  if (failed < 0) return PICUS_OK;
  return picus_fail(e->context, PICUS_ERROR_SINGULAR,
                    "the mass matrix is not positive definite at t = %.6g: the velocity '%s' has no positive inertia "
                    "(diagonal entry %.6g); check the masses and the kinetic energy",
                    e->t, e->system->u_names[part->u0 + failed].name, picus_part_matrix_diagonal(M, failed));
}

/* A constant M is diagonal in point masses, disks and spheres. */
static void note_diagonal_mass(picus_evaluation *e) {
  const part_matrix *block = e->mass.blocks, *end = block + e->mass.block_count;
  e->mass_is_diagonal = true;
  for (double *out = e->inverse_mass; block < end && e->mass_is_diagonal; out += block++->order) {
    e->mass_is_diagonal = block->order == 0 || (block->factored == FACTOR_INVERSE && block->is_diagonal);
    if (e->mass_is_diagonal) picus_copy(block->order, block->diagonal, out);
  }
}

picus_status picus_evaluation_factor_mass_anew(picus_evaluation *e) {
  picus_status status = picus_evaluation_update_mass(e);
  for (int p = 0; !status && p < e->system->part_count; p++) status = factor_part(e, p);
  if (!status && e->system->constants.mass) note_diagonal_mass(e);
  e->mass_factored = !status;
  return status;
}

picus_status picus_evaluate_mass(picus_evaluation *e, double *M) {
  picus_status factored = picus_evaluation_factor_mass(e);
  if (factored) return factored;
  const int nu = e->system->nu;
  memset(M, 0, square(nu) * sizeof *M);
  for (int p = 0; p < e->system->part_count; p++) {
    const system_part *part = &e->system->parts[p];
    picus_part_matrix_place(e->mass.blocks[p].values, part->nu, part->pattern,
                            picus_dense_place(M, nu, part->u0, part->u0));
  }
  return PICUS_OK;
}

static picus_status blame_direction(picus_evaluation *e) {
  for (int i = 0; i < e->set->fixed_count; i++) {
    const system_law *law = &e->set->laws[i];
    const int row0 = e->system->sources[law->source].row0;
    for (int r = 0; r < law->data.dim; r++) {
      const int row = law->data.first_row + r;
      const double *W = e->W + law->W0 + (size_t)r * (size_t)law->width;
      for (int k = 0; k < law->width; k++)
        if (!isfinite(W[k]))
          return picus_evaluation_blame(e, law->source, (value_place){QUANTITY_DIRECTION, row - row0, 0}, W[k]);
      if (!isfinite(e->chi[row]))
        return picus_evaluation_blame(e, law->source, (value_place){QUANTITY_DIRECTION, row - row0, 0}, e->chi[row]);
    }
  }
  return PICUS_OK;
}

picus_status picus_evaluation_update_directions_anew(picus_evaluation *e) {
  for (int i = 0; i < e->system->source_count; i++) {
    const system_source *source = &e->system->sources[i];
    if (source->law_count == 0) continue;
    picus_status status = source->ops->directions(source->self, e->context, &e->points[i],
                                                  e->W + e->set->laws[source->law0].W0, e->chi + source->row0);
    if (status) return status;
  }
  const law_set *fixed = &e->system->fixed;
  if (!picus_all_finite(e->W, fixed->W_size) || !picus_all_finite(e->chi, (size_t)fixed->row_count))
    return blame_direction(e);
  if (e->set->present) {
    picus_status status = picus_present_directions(e);
    if (status) return status;
  }
  e->directions_ready = true;
  return PICUS_OK;
}

picus_status picus_evaluate_directions(picus_evaluation *e, double *W, double *chi) {
  picus_status status = picus_evaluation_update_directions(e);
  if (status) return status;
  const picus_system *s = e->system;
  memset(W, 0, (size_t)e->set->row_count * (size_t)s->nu * sizeof *W);
  for (int i = 0; i < e->set->law_count; i++) {
    const system_law *law = &e->set->laws[i];
    for (int r = 0; r < law->data.dim; r++)
      picus_law_row_add(s, law, e->W + law->W0 + (size_t)r * (size_t)law->width, 1,
                        W + (size_t)(law->data.first_row + r) * (size_t)s->nu);
  }
  memcpy(chi, e->chi, (size_t)e->set->row_count * sizeof *chi);
  return PICUS_OK;
}

typedef struct velocity_work {
  const picus_evaluation *e;
  double *gamma;
} velocity_work;

static void find_velocities(void *user, int first, int end) {
  const velocity_work *work = user;
  const picus_evaluation *e = work->e;
  for (int i = first; i < end; i++) {
    const system_law *law = &e->set->laws[i];
    for (int r = 0; r < law->data.dim; r++) work->gamma[law->data.first_row + r] = picus_law_velocity(e, law, r, e->u);
  }
}

picus_status picus_evaluate_velocities(picus_evaluation *e, double *gamma) {
  picus_status status = picus_evaluation_update_directions(e);
  velocity_work work = {.e = e, .gamma = gamma};
  return status ? status : picus_tasks_over(e->context, e->set->law_count, PICUS_TASK_OF_ROWS, find_velocities, &work);
}

/* --- inputs ----------------------------------------------------------------------------------------------------------
 *
 * Their description, and their values in an evaluation. The system itself stays constant. */

int picus_system_input_count(const picus_system *system) { return system->input_count; }

picus_system_input picus_system_input_at(const picus_system *system, int index) {
  if (index < 0 || index >= system->input_count) return (picus_system_input){.name = "", .unit = "", .label = ""};
  const system_input *input = &system->inputs[index];
  const system_name *name = &system->input_names[index];
  return (picus_system_input){.name = name->name,
                              .unit = name->unit,
                              .label = name->label,
                              .start = input->start,
                              .rate = input->rate,
                              .has_rate = input->has_rate};
}

int picus_system_find_input(const picus_system *system, const char *name) {
  for (int i = 0; name && i < system->input_count; i++)
    if (strcmp(system->input_names[i].name, name) == 0) return i;
  return -1;
}

static picus_status check_number(picus_context *context, const char *name, const char *what, double value) {
  if (isfinite(value)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_NUMBER, "the %s of input '%s' must be a finite number, not %s", what, name,
                    isnan(value) ? "nan" : (value > 0 ? "inf" : "-inf"));
}

picus_status picus_system_check_input(picus_context *context, const picus_system *system, int index,
                                      const picus_input *input) {
  if (index < 0 || index >= system->input_count)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "there is no input %d; the system has %d inputs, counted from 0",
                      index, system->input_count);
  const char *name = system->input_names[index].name;
  picus_status status = check_number(context, name, "value", input->value);
  if (!status) status = check_number(context, name, "rate", input->rate);
  if (!status) status = check_number(context, name, "time", input->t);
  if (!status && input->rate != 0 && !system->inputs[index].has_rate)
    status =
        picus_fail(context, PICUS_ERROR_ARGUMENT,
                   "input '%s' has no rate, but gets the rate %g; give it a rate in the model, or set it with rate "
                   "0",
                   name, input->rate);
  return status;
}

static void note_inputs(picus_evaluation *e) {
  const picus_system *s = e->system;
  for (int i = 0; i < s->source_count; i++) {
    const source_ops *ops = s->sources[i].ops;
    if (ops->set_inputs) ops->set_inputs(s->sources[i].self, &e->points[i]);
    if (ops->set_point) ops->set_point(s->sources[i].self, &e->points[i]);
  }
  if (!s->constants.directions) e->directions_ready = false;
  if (!s->constants.mass) e->mass_ready = e->mass_factored = false; /* by sides: it does not depend on inputs */
}

void picus_evaluation_set_inputs(picus_evaluation *e, const input_value *inputs) {
  if (e->system->input_count == 0) return;
  for (; e; e = e->follower) {
    memcpy(e->inputs, inputs, (size_t)e->system->input_count * sizeof *inputs);
    note_inputs(e);
  }
}

void picus_evaluation_hold(picus_evaluation *e, const double *sides) {
  const size_t size = (size_t)e->system->switch_count * sizeof *sides;
  for (; size > 0 && e; e = e->follower) {
    if (memcmp((const unsigned char *)e->sides, (const unsigned char *)sides, size) == 0) continue;
    memcpy(e->sides, sides, size);
    note_inputs(e);
  }
}

void picus_evaluation_start_inputs(picus_evaluation *e, double t) {
  const picus_system *s = e->system;
  if (s->input_count == 0) return;
  for (int i = 0; i < s->input_count; i++) e->inputs[i] = (input_value){s->inputs[i].start, s->inputs[i].rate, t};
  note_inputs(e);
}

void picus_evaluation_follow(picus_evaluation *leader, picus_evaluation *follower) {
  follower->follower = leader->follower;
  leader->follower = follower;
  const picus_system *s = leader->system;
  if (s->input_count == 0 && s->switch_count == 0) return;
  if (s->input_count > 0) memcpy(follower->inputs, leader->inputs, (size_t)s->input_count * sizeof *leader->inputs);
  if (s->switch_count > 0) memcpy(follower->sides, leader->sides, (size_t)s->switch_count * sizeof *leader->sides);
  note_inputs(follower);
}

picus_status picus_evaluation_set_input(picus_evaluation *e, int index, const picus_input *input) {
  picus_status status = picus_system_check_input(e->context, e->system, index, input);
  if (status) return status;
  e->inputs[index] = (input_value){input->value, input->rate, input->t};
  note_inputs(e);
  return PICUS_OK;
}
