/* The direction of persistent slip in rattle, to second order.
 *
 * In the paper (Breuling et al. 2023, (34)) the friction of a complete step opposes the slip at its end: a
 * right-endpoint rule, of order 1 if the direction turns. Here the total P_F = - mu P_N d of a law in persistent slip
 * opposes the mean slip of the first stage, d = (gamma(q_0, u_h) + gamma(q_1, u_h)) / |...|, a midpoint rule. P_F is
 * then no longer unknown: the columns of such a law in G become one,
 *
 *   xi_i = (G_iN - mu G_iF d) P_N + ...,     0 <= xi_N _|_ P_N >= 0,
 *
 * and the problem has two or three rows less. With P_F = - a d, a friction element has no unknowns.
 *
 * If a law does not slip in this direction at the end of the step, it is close to sticking or has an impact: its own
 * direction counts. An impact, whose percussion does not vanish with dt, needs this for the right limit, so steps with
 * impacts use the laws alone. Slip along a line has no direction that could turn. */
#include "scheme/rattle.h"

#include "base/internal.h"
#include "contact/internal.h"
#include "linalg/internal.h"

#include <math.h>
#include <string.h>

#define MOST_TURN 0.2 /* tan of the angle between the mean slip and that at the end */

picus_status picus_rattle_slip_create(stepper *s) {
  rattle_slip *a = &rattle_of(s)->slip;
  const law_array arrays[] = {picus_scratch(&a->given, sizeof *a->given, picus_by_law),
                              picus_scratch(&a->direction, sizeof(double), picus_by_row),
                              picus_scratch(&a->laws, sizeof *a->laws, picus_by_law),
                              picus_scratch(&a->law_of, sizeof *a->law_of, picus_by_law),
                              picus_scratch(&a->row_of, sizeof *a->row_of, picus_by_row),
                              picus_scratch(&a->number, sizeof *a->number, picus_by_law),
                              picus_scratch(&a->c, sizeof(double), picus_by_row),
                              picus_scratch(&a->P, sizeof(double), picus_by_row),
                              picus_scratch(&a->known, sizeof(double), picus_by_row),
                              picus_scratch(&a->modes, sizeof *a->modes, picus_by_law)};
  picus_status status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  a->possible = s->set->present != NULL; /* laws that appear may slip in a plane */
  for (int i = 0; i < s->set->law_count; i++) a->possible = a->possible || s->set->laws[i].data.slips > 1;
  a->possible = a->possible && s->options.slip_direction != PICUS_SLIP_END;
  return status || !a->possible ? status : picus_law_arrays_add_matrix(&s->arrays, s->set, &a->G);
}

void picus_rattle_slip_release(stepper *s) {
  rattle_slip *a = &rattle_of(s)->slip;
  picus_delassus_release(s->context, &a->G);
  *a = (rattle_slip){0};
}

static int first_slip_row(const picus_system_law *law) { return law->first_row + law->dim - law->slips; }

/* Slip before the step and in its first stage, in two dimensions or more; then its direction. */
static bool has_direction(stepper *s, int i, picus_mode first_stage) {
  const picus_system_law *law = &s->set->laws[i].data;
  rattle_slip *a = &rattle_of(s)->slip;
  if (law->kind == PICUS_ROLLING) return false; /* its direction comes from the law */
  if (law->slips < 2 || s->contacts.modes[i] != PICUS_SLIP || first_stage == PICUS_STICK) return false;
  const int row = first_slip_row(law);
  const double *velocity = rattle_of(s)->slip_velocity + row;
  double length = picus_length(law->slips, velocity);
  if (!(length > 0)) return false;
  for (int k = 0; k < law->slips; k++) a->direction[row + k] = velocity[k] / length;
  return true;
}

static void choose_directions(stepper *s) {
  rattle_slip *a = &rattle_of(s)->slip;
  const step_problem *p = &s->problem, *first_stage = &rattle_of(s)->problem;
  a->given_count = 0;
  for (int k = 0, j = 0; k < p->active_count; k++) {
    const int i = p->active[k];
    while (j < first_stage->active_count && first_stage->active[j] < i) j++;
    bool acted = j < first_stage->active_count && first_stage->active[j] == i;
    a->given[i] = has_direction(s, i, acted ? first_stage->modes[j] : PICUS_OPEN);
    a->given_count += a->given[i];
  }
}

/* One more law of the problem that is left, with these rows of the active laws. */
static void keep_law(stepper *s, int k, int first_row, picus_law law) {
  rattle_slip *a = &rattle_of(s)->slip;
  a->laws[a->law_count] = law;
  a->law_of[a->law_count] = k;
  a->number[k] = a->law_count;
  a->modes[a->law_count++] = s->problem.modes[k];
  for (int r = 0; r < law.dim; r++) {
    a->P[a->size] = s->problem.P[first_row + r];
    a->row_of[a->size++] = first_row + r;
  }
}

/* The laws that are left, the rows they have, and the percussions that are known. */
static void choose_unknowns(stepper *s) {
  rattle_slip *a = &rattle_of(s)->slip;
  const step_problem *p = &s->problem;
  a->law_count = a->size = 0;
  memset(a->known, 0, (size_t)p->size * sizeof *a->known);
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const picus_system_law *law = &s->set->laws[p->active[k]].data;
    const double *direction = a->direction + first_slip_row(law);
    a->number[k] = -1;
    if (!a->given[p->active[k]])
      keep_law(s, k, at, p->laws[k]);
    else if (law->kind == PICUS_COULOMB)
      keep_law(s, k, at, (picus_law){.kind = PICUS_UNILATERAL, .dim = 1});
    else
      for (int r = 0; r < law->slips; r++) a->known[at + r] = -p->laws[k].radius * direction[r];
  }
}

/* The percussions represented by an unknown of a law, times the entries of this law in a row of G. */
static double column_of(const stepper *s, const double *entries, int law, int row) {
  const rattle_slip *a = &rattle_of(s)->slip;
  const step_problem *p = &s->problem;
  const picus_system_law *data = &s->set->laws[p->active[law]].data;
  if (!a->given[p->active[law]]) return entries[row];
  return entries[0] - p->laws[law].radius * picus_dot(data->slips, entries + 1, a->direction + first_slip_row(data));
}

/* Row i of the problem that is left, law l, dense. */
static void fill_row(stepper *s, int i) {
  rattle_slip *a = &rattle_of(s)->slip;
  const double *G = s->problem.G.G + (size_t)a->row_of[i] * (size_t)s->problem.size;
  double *to = a->G.G + (size_t)i * (size_t)a->size;
  for (int l = 0, j = 0; l < a->law_count; l++) {
    const int first = a->row_of[j];
    for (int r = 0; r < a->laws[l].dim; r++, j++) *to++ = column_of(s, G + first, a->law_of[l], r);
  }
}

/* The blocks of law l of the reduced problem, whose rows start at `at`: those of the complete problem whose columns
 * belong to laws of the reduced problem. */
static void fill_blocks(stepper *s, int l, int at, int *count, size_t *offset) {
  rattle_slip *a = &rattle_of(s)->slip;
  const picus_block_storage *from = &s->problem.G.blocks;
  picus_block_storage *to = &a->G.blocks;
  const int law = a->law_of[l];
  to->first_row[l] = at;
  to->row_start[l] = *count;
  for (int n = from->row_start[law]; n < from->row_start[law + 1]; n++) {
    const int other = from->column[n], number = a->number[other];
    if (number < 0) continue;
    const int width = s->problem.laws[other].dim, columns = a->laws[number].dim;
    double *values = to->values + *offset;
    for (int r = 0; r < a->laws[l].dim; r++)
      for (int c = 0; c < columns; c++)
        *values++ = column_of(s, from->values + from->offset[n] + (size_t)r * (size_t)width, other, c);
    to->column[*count] = number;
    to->offset[(*count)++] = *offset;
    *offset += (size_t)a->laws[l].dim * (size_t)columns;
  }
}

/* The rows that are left are the first ones of their laws. */
static void fill_problem(stepper *s) {
  rattle_slip *a = &rattle_of(s)->slip;
  const step_problem *p = &s->problem;
  int blocks = 0;
  size_t values = 0;
  a->G.law_count = a->law_count;
  a->G.size = a->size;
  for (int l = 0, i = 0; l < a->law_count; l++) {
    if (!a->G.G) fill_blocks(s, l, i, &blocks, &values);
    for (int r = 0; r < a->laws[l].dim; r++, i++) {
      a->c[i] = p->c[a->row_of[i]] + picus_delassus_row(&p->G, a->law_of[l], a->row_of[i], a->known);
      if (a->G.G) fill_row(s, i);
    }
  }
  if (a->G.G) return;
  a->G.blocks.first_row[a->law_count] = a->size;
  a->G.blocks.row_start[a->law_count] = blocks;
}

/* Percussions and modes of all active laws from those of the reduced problem. */
static void spread_result(stepper *s) {
  const rattle_slip *a = &rattle_of(s)->slip;
  step_problem *p = &s->problem;
  memcpy(p->P, a->known, (size_t)p->size * sizeof *p->P);
  for (int k = 0; k < p->active_count; k++) p->modes[k] = PICUS_SLIP;
  for (int l = 0, j = 0; l < a->law_count; l++) {
    const int k = a->law_of[l], i = p->active[k];
    const picus_system_law *law = &s->set->laws[i].data;
    const double *direction = a->direction + first_slip_row(law);
    const int at = a->row_of[j];
    for (int r = 0; r < a->laws[l].dim; r++, j++) p->P[a->row_of[j]] = a->P[j];
    if (!a->given[i] || a->modes[l] == PICUS_OPEN) p->modes[k] = a->modes[l];
    for (int r = 0; a->given[i] && r < law->slips; r++) p->P[at + 1 + r] = -p->laws[k].radius * p->P[at] * direction[r];
  }
}

static picus_status solve_for_rest(stepper *s, const contact_request *request, double *u, picus_step_info *info) {
  rattle_slip *a = &rattle_of(s)->slip;
  choose_unknowns(s);
  fill_problem(s);
  const picus_contact_problem problem = picus_delassus_problem(&a->G, a->laws, a->c);
  const solver_call call = {&problem, a->law_of, a->P, a->modes};
  picus_status status = a->size > 0 ? picus_step_problem_call_solver(&s->problem, s->t, &call, info) : PICUS_OK;
  if (status) return status;
  spread_result(s);
  return picus_step_problem_apply(&s->problem, request, u);
}

/* A contact that closed faster than the forces of the step explain. */
static bool was_struck(const stepper *s) {
  const step_problem *p = &s->problem;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const int i = p->active[k];
    if (!picus_law_can_open(&s->set->laws[i].data) || s->contacts.modes[i] != PICUS_OPEN || p->modes[k] == PICUS_OPEN)
      continue;
    if (-p->gamma_begin[at] > fabs(p->gamma_free[at] - p->gamma_begin[at])) return true;
  }
  return false;
}

static bool slips_along(const stepper *s, int i, const double *u) {
  const rattle_step *r = rattle_of(s);
  const system_law *law = &s->set->laws[i];
  const int row = first_slip_row(&law->data);
  double slip[PICUS_LAW_ROWS] = {0}, along;
  for (int k = 0; k < law->data.slips; k++) {
    const size_t at = picus_law_row_at(law, row - law->data.first_row + k);
    slip[k] = picus_law_row_dot(s->system, law, r->end->W + at, u) + r->end->chi[row + k];
  }
  along = picus_dot(law->data.slips, slip, r->slip.direction + row);
  for (int k = 0; k < law->data.slips; k++) slip[k] -= along * r->slip.direction[row + k];
  return along > 0 && picus_length(law->data.slips, slip) <= MOST_TURN * along;
}

/* Takes the direction from laws that do not slip along it; true if there was none. */
static bool directions_hold(stepper *s, const double *u) {
  rattle_slip *a = &rattle_of(s)->slip;
  const step_problem *p = &s->problem;
  bool hold = true;
  for (int k = 0; k < p->active_count; k++) {
    const int i = p->active[k];
    if (!a->given[i] || p->modes[k] == PICUS_OPEN || slips_along(s, i, u)) continue;
    a->given[i] = hold = false;
    a->given_count--;
  }
  return hold;
}

picus_status picus_rattle_slip_solve(stepper *s, const contact_request *request, double *u, picus_step_info *info,
                                     bool *taken) {
  enum { ROUNDS = 2 }; /* with all laws, and once more without the violated ones */
  rattle_slip *a = &rattle_of(s)->slip;
  *taken = false;
  choose_directions(s);
  if (a->given_count == 0) return PICUS_OK;
  picus_status status = picus_step_check_finite(&s->contacts, s->t, request->u_free);
  if (!status) status = picus_step_problem_prepare(&s->problem, request);
  if (status) return status;
  for (int round = 0; round < ROUNDS && a->given_count > 0 && !*taken; round++) {
    status = solve_for_rest(s, request, u, info);
    if (status > 0) return PICUS_OK; /* not solved: the laws themselves decide */
    if (status || was_struck(s)) return status;
    *taken = directions_hold(s, u);
  }
  return PICUS_OK;
}
