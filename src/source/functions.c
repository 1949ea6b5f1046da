/* A user-defined system: one part that calls its functions, with central differences for missing derivatives. */
#include "base/elementary.h"
#include "system/internal.h"

#include "base/internal.h"
#include "contact/internal.h"
#include "statics/internal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct functions_part {
  picus_system_functions f;
  void *user;
  int row_count;
} functions_part;

/* Scratch of one evaluation: a displaced q and u, and two result vectors for the differences. */
typedef struct functions_work {
  double *q, *u, *v, *minus, *plus, *W, *chi;
} functions_work;

static picus_status refused(picus_context *context, const char *what, double t) {
  return picus_fail(context, PICUS_ERROR_STEP, "the user-defined function for %s failed at t = %.9g", what, t);
}

static void work_destroy(const void *self, picus_context *context, void *memory) {
  (void)self;
  functions_work *work = memory;
  picus_release(context, work->q);
  picus_release(context, work->u);
  picus_release(context, work->v);
  picus_release(context, work->minus);
  picus_release(context, work->plus);
  picus_release(context, work->W);
  picus_release(context, work->chi);
  picus_release(context, work);
}

static picus_status work_create(const void *self, picus_context *context, void **out) {
  const functions_part *part = self;
  size_t nq = (size_t)part->f.nq, nu = (size_t)part->f.nu, rows = (size_t)part->row_count;
  size_t longest =
      picus_larger_size(picus_larger_size(nq, nu * nu), picus_larger_size(rows, (size_t)part->f.law_count));
  functions_work *work = picus_allocate(context, 1, sizeof *work);
  if (!work) return PICUS_ERROR_MEMORY;
  work->q = picus_allocate(context, nq, sizeof(double));
  work->u = picus_allocate(context, nu, sizeof(double));
  work->v = picus_allocate(context, nu, sizeof(double));
  work->minus = picus_allocate(context, longest, sizeof(double));
  work->plus = picus_allocate(context, longest, sizeof(double));
  work->W = picus_allocate(context, rows * nu, sizeof(double));
  work->chi = picus_allocate(context, rows, sizeof(double));
  if (!work->q || !work->u || !work->v || !work->minus || !work->plus || !work->W || !work->chi) {
    work_destroy(self, context, work);
    return PICUS_ERROR_MEMORY;
  }
  *out = work;
  return PICUS_OK;
}

static picus_status rate(const void *self, picus_context *context, const source_point *point, double *q_dot) {
  const functions_part *part = self;
  if (!part->f.rate) {
    memcpy(q_dot, point->u, (size_t)part->f.nu * sizeof *q_dot);
    return PICUS_OK;
  }
  memset(q_dot, 0, (size_t)part->f.nq * sizeof *q_dot);
  int failed = part->f.rate(part->user, point->t, point->q, point->u, q_dot);
  return failed ? refused(context, "the rates q'", point->t) : PICUS_OK;
}

static picus_status force(const void *self, picus_context *context, const source_point *point, double *h) {
  const functions_part *part = self;
  memset(h, 0, (size_t)part->f.nu * sizeof *h);
  int failed = part->f.force(part->user, point->t, point->q, point->u, h);
  return failed ? refused(context, "the force h", point->t) : PICUS_OK;
}

static picus_status gaps(const void *self, picus_context *context, const source_point *point, double *gap) {
  const functions_part *part = self;
  memset(gap, 0, (size_t)part->f.law_count * sizeof *gap);
  if (!part->f.gaps) return PICUS_OK;
  return part->f.gaps(part->user, point->t, point->q, gap) ? refused(context, "the gaps", point->t) : PICUS_OK;
}

static picus_status mass(const void *self, picus_context *context, const source_point *point, int index, double *M) {
  const functions_part *part = self;
  (void)index;
  memset(M, 0, (size_t)part->f.nu * (size_t)part->f.nu * sizeof *M);
  return part->f.mass(part->user, point->t, point->q, M) ? refused(context, "the mass matrix", point->t) : PICUS_OK;
}

static picus_status directions(const void *self, picus_context *context, const source_point *point, double *W,
                               double *chi) {
  const functions_part *part = self;
  memset(W, 0, (size_t)part->row_count * (size_t)part->f.nu * sizeof *W);
  memset(chi, 0, (size_t)part->row_count * sizeof *chi);
  if (!part->f.directions) return PICUS_OK;
  int failed = part->f.directions(part->user, point->t, point->q, W, chi);
  return failed ? refused(context, "the directions W and chi", point->t) : PICUS_OK;
}

static picus_status energy(const void *self, picus_context *context, const source_point *point, double *kinetic,
                           double *potential) {
  const functions_part *part = self;
  functions_work *work = point->work;
  *kinetic = *potential = 0;
  if (part->f.energy) {
    int failed = part->f.energy(part->user, point->t, point->q, point->u, kinetic, potential);
    return failed ? refused(context, "the energy", point->t) : PICUS_OK;
  }
  picus_status status = mass(self, context, point, 0, work->plus); /* T = u^T M u / 2; V is unknown and counts as 0 */
  if (status) return status;
  for (int i = 0; i < part->f.nu; i++)
    for (int j = 0; j < part->f.nu; j++)
      *kinetic += 0.5 * point->u[i] * work->plus[(size_t)i * (size_t)part->f.nu + (size_t)j] * point->u[j];
  return PICUS_OK;
}

/* A vector function of the point, with a given vector that it may need. */
typedef struct vector_function {
  picus_status (*value)(const void *self, picus_context *context, const source_point *point, const double *given,
                        double *value);
  int rows;
  const double *given;
} vector_function;

/* Central differences: column j of `matrix` (rows x columns) gets (f(x + d e_j) - f(x - d e_j)) / 2d, with x either q
 * or u. The best d for a function known to round-off balances round-off against the cubic term:
 * d = eps^(1/3) (1 + |x_j|). */
static picus_status differentiate(const functions_part *part, picus_context *context, const source_point *point,
                                  vector_function f, bool by_velocity, double *matrix) {
  functions_work *work = point->work;
  int columns = by_velocity ? part->f.nu : part->f.nq;
  memcpy(work->q, point->q, (size_t)part->f.nq * sizeof(double));
  memcpy(work->u, point->u, (size_t)part->f.nu * sizeof(double));
  source_point displaced = *point;
  displaced.q = work->q;
  displaced.u = work->u;
  double *x = by_velocity ? work->u : work->q;
  const double step = picus_cbrt(DBL_EPSILON);
  for (int j = 0; j < columns; j++) {
    double x_j = x[j], d = step * (1 + fabs(x_j));
    double high = x_j + d, low = x_j - d; /* round-off in them is known: the quotient takes high - low, not 2d */
    x[j] = high;
    picus_status status = f.value(part, context, &displaced, f.given, work->plus);
    x[j] = low;
    if (!status) status = f.value(part, context, &displaced, f.given, work->minus);
    x[j] = x_j;
    if (status) return status;
    for (int i = 0; i < f.rows; i++)
      matrix[(size_t)i * (size_t)columns + (size_t)j] = (work->plus[i] - work->minus[i]) / (high - low);
  }
  return PICUS_OK;
}

static picus_status force_value(const void *self, picus_context *context, const source_point *point,
                                const double *given, double *value) {
  (void)given;
  return force(self, context, point, value);
}

static picus_status force_jacobian(const void *self, picus_context *context, const source_point *point, int index,
                                   double *dh_dq, double *dh_du) {
  const functions_part *part = self;
  (void)index;
  if (part->f.force_jacobian) {
    int failed = part->f.force_jacobian(part->user, point->t, point->q, point->u, dh_dq, dh_du);
    return failed ? refused(context, "the Jacobian of the force", point->t) : PICUS_OK;
  }
  const vector_function h = {force_value, part->f.nu, NULL};
  picus_status status = differentiate(part, context, point, h, false, dh_dq);
  return status ? status : differentiate(part, context, point, h, true, dh_du);
}

static picus_status gaps_value(const void *self, picus_context *context, const source_point *point, const double *given,
                               double *value) {
  (void)given;
  return gaps(self, context, point, value);
}

static picus_status gap_jacobian(const void *self, picus_context *context, const source_point *point, double *dg_dq) {
  const functions_part *part = self;
  if (part->f.gap_jacobian) {
    int failed = part->f.gap_jacobian(part->user, point->t, point->q, dg_dq);
    return failed ? refused(context, "the Jacobian of the gaps", point->t) : PICUS_OK;
  }
  return differentiate(part, context, point, (vector_function){gaps_value, part->f.law_count, NULL}, false, dg_dq);
}

static picus_status rate_value(const void *self, picus_context *context, const source_point *point, const double *given,
                               double *value) {
  (void)given;
  return rate(self, context, point, value);
}

static picus_status rate_jacobian(const void *self, picus_context *context, const source_point *point, int index,
                                  double *drate_dq, double *B) {
  const functions_part *part = self;
  (void)index;
  const vector_function q_dot = {rate_value, part->f.nq, NULL};
  picus_status status = differentiate(part, context, point, q_dot, false, drate_dq);
  return status ? status : differentiate(part, context, point, q_dot, true, B);
}

/* M(q) v. The buffers of the differences hold nu x nu values: M is written there and reduced in place. */
static picus_status mass_product(const void *self, picus_context *context, const source_point *point, const double *v,
                                 double *value) {
  const functions_part *part = self;
  picus_status status = mass(self, context, point, 0, value);
  if (status) return status;
  int n = part->f.nu;
  for (int i = 0; i < n; i++) { /* row i comes after entry i, so writing value[i] overwrites no row still needed */
    double sum = 0;
    for (int j = 0; j < n; j++) sum += value[(size_t)i * (size_t)n + (size_t)j] * v[j];
    value[i] = sum;
  }
  return PICUS_OK;
}

static void set_momentum(const void *self, const source_point *point, const double *v) {
  const functions_part *part = self;
  functions_work *work = point->work;
  memcpy(work->v, v, (size_t)part->f.nu * sizeof *v);
}

static picus_status mass_jacobian(const void *self, picus_context *context, const source_point *point, int index,
                                  double *dMv_dq) {
  const functions_part *part = self;
  const functions_work *work = point->work;
  (void)index;
  return differentiate(part, context, point, (vector_function){mass_product, part->f.nu, work->v}, false, dMv_dq);
}

static picus_status law_velocities(const void *self, picus_context *context, const source_point *point,
                                   const double *given, double *value) {
  (void)given;
  const functions_part *part = self;
  functions_work *work = point->work;
  picus_status status = directions(self, context, point, work->W, work->chi);
  if (status) return status;
  for (int r = 0; r < part->row_count; r++) {
    value[r] = work->chi[r];
    for (int i = 0; i < part->f.nu; i++) value[r] += work->W[(size_t)r * (size_t)part->f.nu + (size_t)i] * point->u[i];
  }
  return PICUS_OK;
}

static picus_status velocity_jacobian(const void *self, picus_context *context, const source_point *point,
                                      double *dgamma_dq) {
  const functions_part *part = self;
  const vector_function gamma = {law_velocities, part->row_count, NULL};
  return differentiate(part, context, point, gamma, false, dgamma_dq);
}

static picus_status velocity_drift(const void *self, picus_context *context, const source_point *point,
                                   double *dgamma_dt) {
  const functions_part *part = self;
  functions_work *work = point->work;
  const double d = picus_cbrt(DBL_EPSILON) * (1 + fabs(point->t));
  source_point after = *point, before = *point;
  after.t += d;
  before.t -= d;
  picus_status status = law_velocities(self, context, &after, NULL, work->plus);
  if (!status) status = law_velocities(self, context, &before, NULL, work->minus);
  for (int r = 0; !status && r < part->row_count; r++)
    dgamma_dt[r] = (work->plus[r] - work->minus[r]) / (after.t - before.t);
  return status;
}

static picus_status direction_product(const void *self, picus_context *context, const source_point *point,
                                      const double *P, double *value) {
  const functions_part *part = self;
  functions_work *work = point->work;
  picus_status status = directions(self, context, point, work->W, work->chi);
  if (status) return status;
  for (int i = 0; i < part->f.nu; i++) {
    value[i] = 0;
    for (int r = 0; r < part->row_count; r++) value[i] += work->W[(size_t)r * (size_t)part->f.nu + (size_t)i] * P[r];
  }
  return PICUS_OK;
}

static picus_status direction_jacobian(const void *self, picus_context *context, const source_point *point,
                                       const double *P, double *dWP_dq) {
  const functions_part *part = self;
  return differentiate(part, context, point, (vector_function){direction_product, part->f.nu, P}, false, dWP_dq);
}

static void destroy(void *self, picus_context *context) { picus_release(context, self); }

static const source_ops functions_ops = {.kind = "functions",
                                         .work_create = work_create,
                                         .work_destroy = work_destroy,
                                         .rate = rate,
                                         .force = force,
                                         .gaps = gaps,
                                         .mass = mass,
                                         .directions = directions,
                                         .energy = energy,
                                         .force_jacobian = force_jacobian,
                                         .gap_jacobian = gap_jacobian,
                                         .rate_jacobian = rate_jacobian,
                                         .set_momentum = set_momentum,
                                         .mass_jacobian = mass_jacobian,
                                         .velocity_jacobian = velocity_jacobian,
                                         .velocity_drift = velocity_drift,
                                         .direction_jacobian = direction_jacobian,
                                         .destroy = destroy};

static picus_status check_functions(picus_context *context, const picus_system_functions *f) {
  if (f->nu < 1 || f->nq < 1)
    return picus_fail(context, PICUS_ERROR_DIMENSION,
                      "nq = %d and nu = %d, but a system needs at least one coordinate and one velocity", f->nq, f->nu);
  if (!f->rate && f->nq != f->nu)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "nq = %d and nu = %d differ, so the function 'rate' is required",
                      f->nq, f->nu);
  if (!f->mass || !f->force)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the functions 'mass' and 'force' are required");
  if (f->law_count < 0 || (f->law_count > 0 && !f->laws))
    return picus_fail(context, PICUS_ERROR_DIMENSION, "law_count is %d, but laws is NULL", f->law_count);
  if (f->law_count > 0 && !f->directions)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the system has laws, so the function 'directions' is required");
  return PICUS_OK;
}

static picus_status check_law(picus_context *context, const picus_system_law *law, int index, bool has_gaps) {
  const char *name = law->name ? law->name : "";
  int least = law->kind == PICUS_COULOMB || !picus_normal_rows(law->kind) ? 1 : 0;
  int most = least ? 3 : 0;
  if (law->slips < least || law->slips > most)
    return picus_fail(context, PICUS_ERROR_DIMENSION, "law %d '%s' has %d slips; its kind needs %d to %d", index, name,
                      law->slips, least, most);
  const bool behind_contact =
      index > 0 && law[-1].has_gap && (law[-1].kind == PICUS_UNILATERAL || law[-1].kind == PICUS_COULOMB);
  if (law->kind == PICUS_ROLLING && (!behind_contact || law->has_gap))
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "law %d '%s' is a rolling law; it has no gap and must directly follow its contact", index, name);
  if (law->displaced && (law->kind != PICUS_RESERVOIR || law->slips != 1 || law->has_gap))
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "law %d '%s' is displaced, which is for a reservoir with one slip and without has_gap", index,
                      name);
  if ((law->has_gap || law->displaced) && !has_gaps)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "law %d '%s' has a gap, so the function 'gaps' is required", index,
                      name);
  if (!(law->mu >= 0 && isfinite(law->mu)) || !(law->reservoir >= 0 && isfinite(law->reservoir)))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "law %d '%s': mu and reservoir must be finite and not negative",
                      index, name);
  if (!(law->rolling >= 0 && isfinite(law->rolling)))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "law %d '%s': the rolling radius must be finite and not negative",
                      index, name);
  if (!(law->eN >= 0 && law->eN <= 1) || !(law->eF >= 0 && law->eF <= 1))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "law %d '%s': eN and eF must be in [0, 1]", index, name);
  return PICUS_OK;
}

static picus_status copy_names(picus_context *context, const char *const *names, const char *prefix, int count,
                               system_name **out) {
  *out = picus_allocate(context, (size_t)count, sizeof **out);
  if (!*out) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < count; i++) {
    char numbered[32];
    snprintf(numbered, sizeof numbered, "%s%d", prefix, i + 1);
    (*out)[i].name = picus_copy_text(context, names ? names[i] : numbered);
    if (!(*out)[i].name) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

static picus_status copy_start(picus_context *context, const double *start, int count, double **out) {
  *out = picus_allocate(context, (size_t)count, sizeof **out);
  if (!*out) return PICUS_ERROR_MEMORY;
  if (start) memcpy(*out, start, (size_t)count * sizeof **out);
  return PICUS_OK;
}

static picus_status copy_laws(picus_system *system, const picus_system_functions *f) {
  for (int i = 0; i < f->law_count; i++) {
    picus_status status = check_law(system->context, &f->laws[i], i, f->gaps != NULL);
    if (status) return status;
    char numbered[32];
    snprintf(numbered, sizeof numbered, "law%d", i + 1);
    system->fixed.laws[i].data = f->laws[i];
    system->fixed.laws[i].name = picus_copy_text(system->context, f->laws[i].name ? f->laws[i].name : numbered);
    if (!system->fixed.laws[i].name) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

static picus_status build(picus_system *system, const picus_system_functions *f, void *user) {
  picus_context *context = system->context;
  functions_part *self = picus_allocate(context, 1, sizeof *self);
  if (!self) return PICUS_ERROR_MEMORY;
  self->f = *f;
  self->user = user;
  system->sources[0] = (system_source){.ops = &functions_ops,
                                       .self = self,
                                       .part_count = 1,
                                       .law_count = f->law_count,
                                       .directions_constant = f->directions_are_constant};
  picus_status status = picus_system_allocate_parts(system);
  if (status) return status;
  system->parts[0] = (system_part){.nq = f->nq,
                                   .nu = f->nu,
                                   .mass_constant = f->mass_is_constant,
                                   .identity_rates = f->rate == NULL,
                                   .position_forces = f->force_ignores_velocities};
  status = picus_system_layout_parts(system);
  if (!status) status = copy_laws(system, f);
  if (!status) status = copy_names(context, f->q_names, "q", f->nq, &system->q_names);
  if (!status) status = copy_names(context, f->u_names, "u", f->nu, &system->u_names);
  if (!status) status = copy_start(context, f->q_start, f->nq, &system->q_start);
  if (!status) status = copy_start(context, f->u_start, f->nu, &system->u_start);
  if (!status) status = picus_system_layout_laws(system);
  if (status) return status;
  self->row_count = system->fixed.row_count;
  return picus_system_check_start(system, NULL);
}

picus_status picus_system_from_functions(picus_context *context, const picus_system_functions *functions, void *user,
                                         picus_system **out) {
  *out = NULL;
  picus_status status = check_functions(context, functions);
  if (status) return status;
  picus_system *system;
  status = picus_system_allocate(context, 1, functions->law_count, &system);
  if (status) return status;
  status = build(system, functions, user);
  if (status) {
    picus_system_destroy(system);
    return status;
  }
  *out = system;
  return PICUS_OK;
}
