/* The contact problem of one step, the same for every scheme:
 *
 *   xi = G P + c,   G = W^T A^-1 W,   c = W^T u_free + offset,
 *
 * solved for P; then u = u_free + A^-1 W P. On velocity level offset = chi + e (W^T u_begin + chi) (Glocker and Studer
 * 2005 (18), (33); Studer 2008 (16)). A is M, or the iteration matrix of an implicit scheme (Acary 2012 (47)). */
#include "scheme/internal.h"

#include "base/internal.h"
#include "contact/internal.h"
#include "linalg/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

picus_status picus_step_problem_create(picus_context *context, const picus_system *system, step_problem *p) {
  size_t laws = (size_t)system->law_count, rows = (size_t)system->row_count;
  *p = (step_problem){.active = picus_allocate(context, laws, sizeof *p->active),
                      .laws = picus_allocate(context, laws, sizeof *p->laws),
                      .modes = picus_allocate(context, laws, sizeof *p->modes),
                      .c = picus_allocate(context, rows, sizeof(double)),
                      .P = picus_allocate(context, rows, sizeof(double)),
                      .start = picus_allocate(context, rows, sizeof(double)),
                      .gamma_begin = picus_allocate(context, rows, sizeof(double)),
                      .gamma_free = picus_allocate(context, rows, sizeof(double)),
                      .inverse_W = picus_allocate(context, system->W_size, sizeof(double)),
                      .solved = picus_allocate(context, rows, sizeof *p->solved),
                      .doubtful = picus_allocate(context, laws, sizeof *p->doubtful),
                      .xi = picus_allocate(context, rows, sizeof(double)),
                      .argument = picus_allocate(context, rows, sizeof(double)),
                      .struck = picus_allocate(context, laws, sizeof *p->struck)};
  bool all = p->active && p->laws && p->modes && p->c && p->P && p->start && p->gamma_begin && p->gamma_free &&
             p->inverse_W && p->solved && p->doubtful && p->xi && p->argument && p->struck;
  if (!all) return PICUS_ERROR_MEMORY;
  picus_status status = picus_delassus_create(context, system, &p->G);
  return status ? status : picus_constant_delassus_create(context, system, &p->constant);
}

void picus_step_problem_release(picus_context *context, step_problem *p) {
  void *blocks[] = {p->active,     p->laws,      p->modes,  p->c,        p->P,  p->start,    p->gamma_begin,
                    p->gamma_free, p->inverse_W, p->solved, p->doubtful, p->xi, p->argument, p->struck};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(context, blocks[i]);
  picus_delassus_release(context, &p->G);
  picus_constant_delassus_release(context, &p->constant);
  *p = (step_problem){0};
}

void picus_step_problem_forget(step_problem *p) {
  p->active_count = p->size = 0;
  p->changed = p->filled = p->started = p->may_jam = false;
  p->dt = 0;
}

#define ROUNDINGS 32 /* of a sum of products, as far as modes are concerned */
#define GROWN 8      /* a percussion this many times larger than in the last step may be an impact */

#define FLIGHT_STEPS 2     /* of dt_min: shorter flights after an impact cannot be resolved */
#define FLIGHT_ROUNDINGS 8 /* of the gap: lower flights cannot be seen */

/* An impact whose rebound cannot be resolved: with the acceleration a at which the gap closes, e v leads to a flight of
 * 2 e v / a and of the height (e v)^2 / (2 a). */
static bool rebound_is_lost(const stepper *s, int law, double e, double v) {
  double a = s->closing[law], rebound = e * v;
  return 2 * rebound <= FLIGHT_STEPS * a * s->restitution_dt ||
         rebound * rebound <= 2 * FLIGHT_ROUNDINGS * a * s->gap_rounding[law];
}

/* In a persistent contact the approach velocity is an error of O(dt), which restitution must not return. */
double picus_step_restitution_at(const stepper *s, int law, int row, double dt, double gamma) {
  const picus_system_law *data = &s->system->laws[law].data;
  double e = picus_law_restitution(data, row);
  if (s->restitution == PICUS_RESTITUTION_MODIFIED) return e > 0 ? pow(e, dt / s->restitution_dt) : e;
  if (row != 0 || !picus_law_can_open(data)) return e;
  return s->modes[law] != PICUS_OPEN || rebound_is_lost(s, law, e, -gamma) ? 0 : e;
}

static const double *rows_of(const contact_request *request, const system_law *law) {
  return picus_law_row(law, request->rows ? request->rows : request->directions->W, 0);
}

static picus_law law_of_problem(const picus_system_law *law, double dt) {
  double radius = law->kind == PICUS_COULOMB ? law->mu : law->kind == PICUS_RESERVOIR ? law->reservoir * dt : 0;
  return (picus_law){.kind = law->kind, .dim = law->dim, .radius = radius};
}

void picus_step_problem_activate(stepper *s, step_problem *p, const double *gap, picus_step_info *info) {
  const picus_system *system = s->system;
  int active = 0, size = 0;
  bool changed = false;
  for (int i = 0; i < system->law_count; i++) {
    const picus_system_law *law = &system->laws[i].data;
    if (picus_law_can_open(law) && gap[i] > picus_step_largest_closed_gap(s, i)) continue;
    changed = changed || active >= p->active_count || p->active[active] != i;
    p->active[active++] = i;
    size += law->dim;
  }
  changed = changed || active != p->active_count;
  p->changed = p->changed || changed;
  p->filled = p->filled && !changed;
  p->started = false;
  p->active_count = active;
  p->size = size;
  info->active = active;
}

void picus_step_note_gaps(stepper *s, const double *gap, picus_step_info *info) {
  s->looked = gap;
  for (int i = 0; i < s->system->law_count; i++) {
    const picus_system_law *law = &s->system->laws[i].data;
    if (picus_law_can_open(law) && gap[i] < info->lowest_gap) {
      info->lowest_gap = gap[i];
      info->lowest_gap_law = i;
    }
    if (law->kind == PICUS_BILATERAL && law->has_gap && fabs(gap[i]) > info->constraint_error) {
      info->constraint_error = fabs(gap[i]);
      info->constraint_error_law = i;
    }
  }
}

static void fill_laws(stepper *s, step_problem *p, double dt) {
  for (int k = 0; k < p->active_count; k++) p->laws[k] = law_of_problem(&s->system->laws[p->active[k]].data, dt);
  p->dt = dt;
}

/* Newton's law gamma_E = -e gamma_B, as gamma_free + e gamma_begin + G P = 0: with the directions of the request, or
 * with those of the ends of the step. */
static double newtons_law(const stepper *s, int law, int r, double dt, double gamma_begin, double gamma_free) {
  double e = picus_step_restitution(s, law, r, dt, gamma_begin);
  double turning = s->laws_at_end ? s->turning[s->system->laws[law].data.first_row + r] : 0;
  return gamma_free + turning + e * (gamma_begin - turning);
}

/* Relative velocities of the active rows and c. */
static void fill_right_side(stepper *s, step_problem *p, const contact_request *request) {
  const picus_evaluation *e = request->directions;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    const double *row = rows_of(request, law);
    for (int r = 0; r < law->data.dim; r++, at++, row += picus_law_row_size(law)) {
      int global = law->data.first_row + r;
      const row_products gamma = picus_law_row_dots(s->system, law, row, request->u_begin, request->u_free);
      p->gamma_begin[at] = gamma.u + e->chi[global];
      p->gamma_free[at] = gamma.v + e->chi[global];
      p->c[at] = request->offset ? gamma.v + request->offset[global]
                                 : newtons_law(s, p->active[k], r, request->dt, p->gamma_begin[at], p->gamma_free[at]);
    }
  }
}

/* The warm start: the result of the last step, or of an earlier solve of this step. */
static void fill_start(stepper *s, step_problem *p) {
  if (p->started) return;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const picus_system_law *law = &s->system->laws[p->active[k]].data;
    p->modes[k] = s->modes[p->active[k]];
    for (int r = 0; r < law->dim; r++, at++) p->P[at] = s->P[law->first_row + r];
  }
  p->started = true;
}

/* G of the active rows from the matrix of all rows. */
static void gather_delassus(stepper *s, step_problem *p) {
  const constant_delassus *d = &p->constant;
  picus_delassus_gather(&d->matrix, s->system, p->active_count, p->active, &p->G);
  for (int k = 0, at = 0; k < p->active_count; k++) {
    const picus_system_law *law = &s->system->laws[p->active[k]].data;
    for (int r = 0; r < law->dim; r++) p->solved[at++] = d->solved[law->first_row + r];
  }
}

/* G of the active rows: A^-1 w for each, then products with the rows. */
static void assemble_delassus(stepper *s, step_problem *p, const contact_request *request) {
  const picus_evaluation *e = request->directions;
  double *solved = p->inverse_W;
  for (int k = 0, at = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    for (int r = 0; r < law->data.dim; r++, solved += picus_law_row_size(law)) {
      picus_law_row_solve(request->matrix, law, picus_law_row(law, e->W, r), solved);
      p->solved[at++] = solved;
    }
  }
  picus_delassus_assemble(&p->G, &(delassus_request){.system = s->system,
                                                     .law_count = p->active_count,
                                                     .laws = p->active,
                                                     .V = request->rows ? request->rows : e->W,
                                                     .solved = p->solved,
                                                     .symmetric = request->symmetric});
}

/* Energy that law k dissipates: - P . (gamma_end + gamma_begin) / 2, exact for the kinetic energy with the M of the
 * step. gamma_end = gamma_free + G P. */
static double dissipated_by(const step_problem *p, int k, int first, int dim) {
  double work = 0;
  for (int r = first; r < first + dim; r++) {
    double end = p->gamma_free[r] + picus_delassus_row(&p->G, k, r, p->P);
    work += 0.5 * p->P[r] * (end + p->gamma_begin[r]);
  }
  return -work;
}

/* Laws that are not active any more are cleared. */
static void clear_inactive(stepper *s, step_problem *p) {
  for (int i = 0, k = 0; i < s->system->law_count; i++) {
    const picus_system_law *law = &s->system->laws[i].data;
    if (k < p->active_count && p->active[k] == i) {
      k++;
      continue;
    }
    if (s->modes[i] != PICUS_OPEN) s->history.opened[i] = s->t;
    s->modes[i] = PICUS_OPEN;
    for (int r = 0; r < law->dim; r++) s->P[law->first_row + r] = 0;
  }
}

static double sum_of(const double *values, int first, int count) {
  double sum = 0;
  for (int r = first; r < first + count; r++) sum += values[r];
  return sum;
}

void picus_step_problem_accept(stepper *s, const double *losses, picus_step_info *info) {
  step_problem *p = &s->problem;
  if (p->may_jam && p->active_count > 0) picus_step_note_paradox(s, info);
  if (p->changed) clear_inactive(s, p);
  p->changed = false;
  impact_count count = {0};
  const bool watched = s->watched;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    int i = p->active[k];
    const picus_system_law *law = &s->system->laws[i].data;
    /* a mode that round-off alone may have changed stays as it was, so that no switching point is seen there */
    const picus_mode mode = s->keep_doubtful_modes && p->doubtful[k] ? s->modes[i] : p->modes[k];
    /* an impact shows as another mode, or as a percussion that grows: all other contacts are spared the look */
    if (watched || mode != s->modes[i] || (p->P[at] > GROWN * s->P[law->first_row] && picus_law_can_open(law)))
      picus_impacts_look(s, k, at, mode, &count);
    double energy = losses ? sum_of(losses, law->first_row, law->dim) : dissipated_by(p, k, at, law->dim);
    s->dissipated[i] += energy;
    info->dissipated += energy;
    s->modes[i] = mode;
    for (int r = 0; r < law->dim; r++) s->P[law->first_row + r] = p->P[at + r];
    at += law->dim;
  }
  if (count.struck | count.chatter) picus_impacts_note(s, &count, info);
}

picus_status picus_step_problem_explain(stepper *s, step_problem *p, const picus_solve_info *solve) {
  char sentence[512];
  strncpy(sentence, picus_last_error(s->context)->message, sizeof sentence - 1);
  sentence[sizeof sentence - 1] = '\0';
  int worst = solve->residual.worst_law;
  const char *name = worst >= 0 && worst < p->active_count ? s->system->laws[p->active[worst]].data.name : "none";
  return picus_fail(s->context, solve->status,
                    "the contact problem at t = %.9g with %d active laws was not solved (worst: '%s'): %s", s->t,
                    p->active_count, name, sentence);
}

picus_status picus_step_blame_velocity(const stepper *s, const double *u) {
  int i = 0;
  while (isfinite(u[i])) i++;
  return picus_fail(s->context, PICUS_ERROR_NUMBER,
                    "the velocity '%s' is not a finite number after the step from t = %.9g; check the forces there, or "
                    "use a smaller step",
                    s->system->u_names[i].name, s->t);
}

/* Inline: the woodpecker's steps take 165 ns each. */
static inline picus_status call_solver(stepper *s, step_problem *p, const picus_contact_problem *problem, double *P,
                                       picus_mode *modes, picus_solve_info *info) {
  double *start = p->start;
  if (s->watch) memcpy(start, P, (size_t)problem->size * sizeof *P);
  const int iterations = info->iterations, fallbacks = info->fallbacks; /* of earlier problems of this step */
  picus_status status = picus_solver_solve(s->solver, problem, P, modes, info);
  if (s->watch) s->watch(s->watch_user, &(picus_watched_problem){s->t, problem, start, P, info});
  info->iterations += iterations;
  info->fallbacks += fallbacks;
  return status;
}

void picus_step_problem_prepare(stepper *s, step_problem *p, const contact_request *request) {
  if (!p->filled || p->dt != request->dt) fill_laws(s, p, request->dt);
  fill_right_side(s, p, request);
  fill_start(s, p);
  if (!p->constant.ready || !p->filled) {
    if (p->constant.ready)
      gather_delassus(s, p);
    else
      assemble_delassus(s, p, request);
    p->may_jam = picus_step_problem_may_jam(p);
  }
  p->filled = true;
}

/* The possible round-off of xi of a row: from W^T u at both ends, the offset, and G P. */
static double rounding_of_row(const stepper *s, const step_problem *p, const contact_request *request, int k, int r,
                              int at) {
  const system_law *law = &s->system->laws[p->active[k]];
  const int global = law->data.first_row + r;
  const double *row = rows_of(request, law) + r * picus_law_row_size(law);
  double terms = 2 * fabs(request->directions->chi[global]) + fabs(request->offset ? request->offset[global] : 0);
  terms += picus_law_row_terms(s->system, law, row, request->u_begin) +
           picus_law_row_terms(s->system, law, row, request->u_free);
  terms += picus_delassus_row_terms(&p->G, k, at, p->P);
  return ROUNDINGS * DBL_EPSILON * terms + (request->rounding ? request->rounding[global] : 0);
}

/* Whether the argument P - rho xi of the projection of a law is within round-off of the boundary between its last mode
 * and the new one. The boundary between open and closed is argument_N = 0, between stick and slip the sphere
 * |argument_F| = radius. */
static bool is_doubtful(const stepper *s, const step_problem *p, const contact_request *request,
                        const picus_contact_problem *problem, int k, int at) {
  const picus_law *data = &p->laws[k];
  const int dim = data->dim, normal = data->kind == PICUS_RESERVOIR ? 0 : 1;
  double rho = 1 / picus_law_stiffness(problem, k, at), rounding[PICUS_LAW_ROWS] = {0};
  for (int r = 0; r < dim; r++) rounding[r] = rho * rounding_of_row(s, p, request, k, r, at + r);
  if (normal && (s->modes[p->active[k]] == PICUS_OPEN || p->modes[k] == PICUS_OPEN))
    return fabs(p->argument[at]) <= rounding[0];
  double radius = data->kind == PICUS_COULOMB ? data->radius * picus_prox_positive(p->P[at]) : data->radius;
  double distance = fabs(picus_length(dim - normal, p->argument + at + normal) - radius);
  double doubt = picus_length(dim - normal, rounding + normal);
  return distance <= doubt + (data->kind == PICUS_COULOMB ? data->radius * rounding[0] : 0);
}

static void find_doubtful_modes(stepper *s, step_problem *p, const contact_request *request) {
  picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->c);
  bool judged = false;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    p->doubtful[k] = false;
    if (s->modes[p->active[k]] == p->modes[k]) continue;
    if (!judged) picus_contact_judge(&problem, p->P, p->xi, p->argument, NULL);
    judged = true;
    p->doubtful[k] = is_doubtful(s, p, request, &problem, k, at);
  }
}

picus_status picus_step_problem_call_solver(stepper *s, step_problem *p, const picus_contact_problem *problem,
                                            double *P, picus_mode *modes, picus_solve_info *info) {
  return call_solver(s, p, problem, P, modes, info);
}

static inline picus_status apply(stepper *s, step_problem *p, const contact_request *request, double *u) {
  picus_copy(s->system->nu, request->u_free, u);
  size_t row = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    for (int r = 0; r < law->data.dim; r++, row++) picus_law_row_add(s->system, law, p->solved[row], p->P[row], u);
  }
  if (s->keep_doubtful_modes) find_doubtful_modes(s, p, request);
  return picus_step_check_finite(s, u);
}

picus_status picus_step_problem_apply(stepper *s, step_problem *p, const contact_request *request, double *u) {
  return apply(s, p, request, u);
}

picus_status picus_step_problem_solve(stepper *s, step_problem *p, const contact_request *request, double *u,
                                      picus_step_info *info) {
  if (p->active_count == 0) {
    picus_copy(s->system->nu, request->u_free, u);
    return picus_step_check_finite(s, u);
  }
  picus_step_problem_prepare(s, p, request);
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->c);
  picus_status status = call_solver(s, p, &problem, p->P, p->modes, &info->solve);
  if (!status) return apply(s, p, request, u);
  picus_status free_status =
      picus_step_check_finite(s, request->u_free); /* more specific than the message of the solver */
  return free_status ? free_status : picus_step_problem_explain(s, p, &info->solve);
}

void picus_step_problem_add_impulse(const stepper *s, const step_problem *p, const picus_evaluation *directions,
                                    double *sum) {
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    const double *row = picus_law_row(law, directions->W, 0);
    for (int r = 0; r < law->data.dim; r++, at++, row += picus_law_row_size(law))
      picus_law_row_add(s->system, law, row, p->P[at], sum);
  }
}

double picus_step_problem_change(const stepper *s, const step_problem *p, const contact_request *request,
                                 const double *u, int *worst_law) {
  double worst = 0;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    const double *row = rows_of(request, law);
    for (int r = 0; r < law->data.dim; r++, at++, row += picus_law_row_size(law)) {
      /* xi of the linear problem against xi at u, over sqrt(G_rr): the root of an energy */
      double solved = p->c[at] + picus_delassus_row(&p->G, k, at, p->P);
      const int global = law->data.first_row + r;
      double offset = request->offset[global];
      double now = picus_law_row_dot(s->system, law, row, u) + offset;
      double rounding = 8 * DBL_EPSILON * (picus_law_row_terms(s->system, law, row, u) + fabs(offset) + fabs(p->c[at]));
      if (request->rounding) rounding += request->rounding[global];
      const double diagonal = picus_delassus_diagonal(&p->G, k, at);
      double change = diagonal > 0 ? (fabs(now - solved) - rounding) / sqrt(diagonal) : 0;
      if (!(change <= worst)) {
        worst = change;
        *worst_law = p->active[k];
      }
    }
  }
  return worst;
}
