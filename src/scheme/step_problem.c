/* The contact problem of one step, the same for every scheme that works on velocity level:
 *
 *   xi = G P + c,   G = W^T M^-1 W,   c = W^T u_free + chi + e (W^T u_begin + chi)
 *
 * (Glocker and Studer 2005 (18), (33); Studer 2008 (16)), solved for P; then u_end = u_free + M^-1 W P. */
#include "scheme/internal.h"

#include "base/internal.h"
#include "contact/internal.h"
#include "linalg/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DRIFT_ROUNDINGS 1e4 /* of gaps, in a lasting contact */
#define ROUNDINGS 32        /* of a sum of products, as far as modes are concerned */

static picus_law law_of_problem(const picus_system_law *law, double dt) {
  double radius = law->kind == PICUS_COULOMB ? law->mu : law->kind == PICUS_RESERVOIR ? law->reservoir * dt : 0;
  return (picus_law){.kind = law->kind, .dim = law->dim, .radius = radius};
}

/* 0, but for what adaptive runs ask for: a contact that was closed opens by its law, not by the drift of its gap, which
 * is of the size of the tolerance and of the rounding of many steps. */
static double largest_closed_gap(const stepper *s, int law) {
  double rounding = s->gap_rounding[law];
  return s->modes[law] == PICUS_OPEN ? rounding : DRIFT_ROUNDINGS * rounding + s->closed_slack;
}

void picus_step_problem_activate(stepper *s, const double *gap, picus_step_info *info) {
  step_problem *p = &s->problem;
  const picus_system *system = s->system;
  double lowest = INFINITY;
  int lowest_law = -1, active = 0, size = 0;
  bool changed = false;
  for (int i = 0; i < system->law_count; i++) {
    const picus_system_law *law = &system->laws[i].data;
    bool can_open = law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
    if (can_open && gap[i] < lowest) {
      lowest = gap[i];
      lowest_law = i;
    }
    if (can_open && gap[i] > largest_closed_gap(s, i)) continue;
    changed = changed || active >= p->active_count || p->active[active] != i;
    p->active[active++] = i;
    size += law->dim;
  }
  p->stale = p->stale || changed || active != p->active_count;
  p->active_count = active;
  p->size = size;
  info->active = active;
  info->lowest_gap = lowest;
  info->lowest_gap_law = lowest_law;
}

/* Restitution of a row: eN for the normal row of a contact, eF for friction rows, 0 for constraints. */
static double restitution(const stepper *s, const picus_system_law *law, int row, double dt) {
  if (law->kind == PICUS_BILATERAL) return 0;
  double e = row == 0 && law->kind != PICUS_RESERVOIR ? law->eN : law->eF;
  return s->restitution_dt > 0 && e > 0 ? pow(e, dt / s->restitution_dt) : e;
}

static void fill_laws(stepper *s, double dt) {
  step_problem *p = &s->problem;
  for (int k = 0; k < p->active_count; k++) p->laws[k] = law_of_problem(&s->system->laws[p->active[k]].data, dt);
  p->dt = dt;
}

/* Law velocities of the active rows, c, and the warm start from the last step. */
static void fill_right_side(stepper *s, double dt, const double *u_begin, const double *u_free) {
  step_problem *p = &s->problem;
  const picus_evaluation *e = s->evaluation;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    p->modes[k] = s->modes[p->active[k]];
    const double *row = e->W + law->W0;
    for (int r = 0; r < law->data.dim; r++, at++, row += law->width) {
      int global = law->data.first_row + r;
      picus_law_row_dots(s->system, law, row, u_begin, u_free, &p->begin[at], &p->free[at]);
      p->begin[at] += e->chi[global];
      p->free[at] += e->chi[global];
      p->c[at] = p->free[at] + restitution(s, &law->data, r, dt) * p->begin[at];
      p->P[at] = s->P[global];
    }
  }
}

/* G of the active rows from the matrix that was computed once. */
static void gather_delassus(stepper *s) {
  step_problem *p = &s->problem;
  const picus_evaluation *e = s->evaluation;
  const size_t all = (size_t)s->system->row_count, size = (size_t)p->size;
  size_t at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    for (int r = 0; r < law->data.dim; r++, at++) {
      const double *source = e->delassus + (size_t)(law->data.first_row + r) * all;
      double *row = p->G + at * size;
      for (int l = 0; l < p->active_count; l++) {
        const picus_system_law *other = &s->system->laws[p->active[l]].data;
        for (int c = 0; c < other->dim; c++) *row++ = source[other->first_row + c];
      }
      p->solved[at] = e->inverse_mass_W + law->W0 + (size_t)r * (size_t)law->width;
    }
  }
}

/* G of the active rows: M^-1 w for each, then products with the rows before it; G is symmetric. */
static void assemble_delassus(stepper *s) {
  step_problem *p = &s->problem;
  const picus_evaluation *e = s->evaluation;
  const size_t size = (size_t)p->size;
  double *solved = p->inverse_mass_W;
  size_t row = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    for (int r = 0; r < law->data.dim; r++, row++, solved += law->width) {
      picus_law_row_solve(e, law, e->W + law->W0 + (size_t)r * (size_t)law->width, solved);
      p->solved[row] = solved;
      size_t column = 0;
      for (int l = 0; l <= k; l++) {
        const system_law *other = &s->system->laws[p->active[l]];
        for (int c = 0; c < other->data.dim && column <= row; c++, column++)
          p->G[row * size + column] = p->G[column * size + row] =
              picus_law_rows_dot(s->system, law, solved, other, e->W + other->W0 + (size_t)c * (size_t)other->width);
      }
    }
  }
}

/* Energy that law k takes out: - P . (gamma_end + gamma_begin) / 2, exact for the kinetic energy with the M of the
 * step. gamma_end = gamma_free + G P. */
static double dissipated_by(const step_problem *p, int first, int dim) {
  double work = 0;
  for (int r = first; r < first + dim; r++) {
    double end = p->free[r] + picus_dot(p->size, p->G + (size_t)r * (size_t)p->size, p->P);
    work += 0.5 * p->P[r] * (end + p->begin[r]);
  }
  return -work;
}

/* Percussions, modes and dissipation of the active laws; laws that are not active any more are cleared. */
static void note_results(stepper *s, picus_step_info *info) {
  step_problem *p = &s->problem;
  if (p->stale) {
    for (int i = 0, k = 0; i < s->system->law_count; i++) {
      const picus_system_law *law = &s->system->laws[i].data;
      if (k < p->active_count && p->active[k] == i) {
        k++;
        continue;
      }
      s->modes[i] = PICUS_OPEN;
      for (int r = 0; r < law->dim; r++) s->P[law->first_row + r] = 0;
    }
    p->stale = false;
  }
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    int i = p->active[k];
    const picus_system_law *law = &s->system->laws[i].data;
    bool can_open = law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
    if (can_open && s->modes[i] == PICUS_OPEN && p->modes[k] != PICUS_OPEN && p->begin[at] < 0) info->impacts++;
    double energy = dissipated_by(p, at, law->dim);
    s->dissipated[i] += energy;
    info->dissipated += energy;
    s->modes[i] = p->modes[k];
    for (int r = 0; r < law->dim; r++) s->P[law->first_row + r] = p->P[at + r];
    at += law->dim;
  }
}

static picus_status explain_failure(stepper *s, const picus_solve_info *solve) {
  char sentence[512];
  strncpy(sentence, picus_last_error(s->context)->message, sizeof sentence - 1);
  sentence[sizeof sentence - 1] = '\0';
  int worst = solve->residual.worst_law;
  const char *name =
      worst >= 0 && worst < s->problem.active_count ? s->system->laws[s->problem.active[worst]].data.name : "none";
  return picus_fail(s->context, solve->status,
                    "the contact problem at t = %.9g with %d active laws was not solved (worst: '%s'): %s", s->t,
                    s->problem.active_count, name, sentence);
}

static picus_status blame_velocity(const stepper *s, const double *u) {
  int i = 0;
  while (isfinite(u[i])) i++;
  return picus_fail(s->context, PICUS_ERROR_NUMBER,
                    "the velocity '%s' is not a finite number after the step from t = %.9g; check the forces there, or "
                    "take a shorter step",
                    s->system->u_names[i].name, s->t);
}

/* One comparison for all velocities: 0 times a number is 0 unless the number is infinite or none. */
static bool all_finite(int n, const double *u) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0 * u[i];
  return sum == 0;
}

static picus_status solve(stepper *s, picus_solve_info *info) {
  step_problem *p = &s->problem;
  picus_contact_problem problem = {
      .law_count = p->active_count, .laws = p->laws, .size = p->size, .G = p->G, .c = p->c};
  if (s->watch) memcpy(p->start, p->P, (size_t)p->size * sizeof *p->P);
  picus_status status = picus_solver_solve(s->solver, &problem, p->P, p->modes, info);
  if (s->watch) s->watch(s->watch_user, &(picus_contact_event){s->t, &problem, p->start, p->P, info});
  return status;
}

/* What rounding may have done to xi of a row: the terms of W^T u at both ends, of chi, and of G P. */
static double rounding_of_row(const stepper *s, const system_law *law, int r, int at, const double *u_begin,
                              const double *u_free) {
  const step_problem *p = &s->problem;
  const picus_evaluation *e = s->evaluation;
  const double *row = e->W + law->W0 + (size_t)r * (size_t)law->width;
  double terms = 2 * fabs(e->chi[law->data.first_row + r]);
  for (int b = 0; b < law->block_count; b++) {
    const system_part *part = &s->system->parts[law->blocks[b]];
    for (int i = 0; i < part->nu; i++)
      terms += fabs(row[i]) * (fabs(u_begin[part->u0 + i]) + fabs(u_free[part->u0 + i]));
    row += part->nu;
  }
  for (int j = 0; j < p->size; j++) terms += fabs(p->G[(size_t)at * (size_t)p->size + (size_t)j] * p->P[j]);
  return ROUNDINGS * DBL_EPSILON * terms;
}

/* Whether the argument P - rho xi of a law's projection is nearer to the boundary between its last mode and the new one
 * than rounding lets us see. The boundary between open and closed is argument_N = 0, that between stick and slip the
 * sphere |argument_F| = radius. */
static bool is_doubtful(const stepper *s, int k, int at, picus_mode last, const double *u_begin, const double *u_free) {
  const step_problem *p = &s->problem;
  const system_law *law = &s->system->laws[p->active[k]];
  const picus_law *data = &p->laws[k];
  const int dim = data->dim, normal = data->kind == PICUS_RESERVOIR ? 0 : 1;
  picus_contact_problem problem = {
      .law_count = p->active_count, .laws = p->laws, .size = p->size, .G = p->G, .c = p->c};
  double rho = 1 / picus_law_stiffness(&problem, k, at), rounding[PICUS_LAW_ROWS] = {0};
  for (int r = 0; r < dim; r++) rounding[r] = rho * rounding_of_row(s, law, r, at + r, u_begin, u_free);
  if (normal && (last == PICUS_OPEN || p->modes[k] == PICUS_OPEN)) return fabs(p->argument[at]) <= rounding[0];
  double radius = data->kind == PICUS_COULOMB ? data->radius * picus_prox_positive(p->P[at]) : data->radius;
  double distance = fabs(picus_length(dim - normal, p->argument + at + normal) - radius);
  double doubt = picus_length(dim - normal, rounding + normal);
  return distance <= doubt + (data->kind == PICUS_COULOMB ? data->radius * rounding[0] : 0);
}

static void keep_doubtful_modes(stepper *s, const double *u_begin, const double *u_free) {
  step_problem *p = &s->problem;
  bool judged = false;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    picus_mode last = s->modes[p->active[k]];
    if (last == p->modes[k]) continue;
    if (!judged) {
      picus_contact_problem problem = {
          .law_count = p->active_count, .laws = p->laws, .size = p->size, .G = p->G, .c = p->c};
      picus_contact_judge(&problem, p->P, p->xi, p->argument, NULL);
      judged = true;
    }
    if (is_doubtful(s, k, at, last, u_begin, u_free)) p->modes[k] = last;
  }
}

picus_status picus_step_problem_solve(stepper *s, double dt, const double *u_begin, const double *u_free, double *u_end,
                                      picus_step_info *info) {
  step_problem *p = &s->problem;
  const int nu = s->system->nu;
  if (!all_finite(nu, u_free)) return blame_velocity(s, u_free);
  for (int i = 0; i < nu; i++) u_end[i] = u_free[i];
  if (p->active_count == 0) {
    note_results(s, info);
    return PICUS_OK;
  }
  picus_status status = picus_evaluation_update_directions(s->evaluation);
  if (status != PICUS_OK) return status;
  if (p->stale || p->dt != dt) fill_laws(s, dt);
  fill_right_side(s, dt, u_begin, u_free);
  if (!s->evaluation->delassus)
    assemble_delassus(s);
  else if (p->stale)
    gather_delassus(s);
  status = solve(s, &info->solve);
  if (status != PICUS_OK) return explain_failure(s, &info->solve);
  size_t row = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->system->laws[p->active[k]];
    for (int r = 0; r < law->data.dim; r++, row++) picus_law_row_add(s->system, law, p->solved[row], p->P[row], u_end);
  }
  if (!all_finite(nu, u_end)) return blame_velocity(s, u_end);
  if (s->keep_doubtful_modes) keep_doubtful_modes(s, u_begin, u_free);
  note_results(s, info);
  return PICUS_OK;
}
