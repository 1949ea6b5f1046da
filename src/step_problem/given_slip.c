/* Contact problems with given directions of slip; see given_slip.h. */
#include "step_problem/given_slip.h"

#include "base/internal.h"
#include "contact/internal.h"
#include "linalg/internal.h"

#include <math.h>
#include <string.h>

#define MOST_CHANGE 0.2 /* of the slip, by friction in explicit directions */
#define MOST_TURN 0.2   /* tan of the angle between the given direction and the slip that the problem leads to */

picus_status picus_given_slip_create(const contact_state *contacts, given_slip *a) {
  const law_set *set = contacts->set;
  a->contacts = contacts;
  law_arrays *arrays = contacts->arrays;
  picus_status status = PICUS_SCRATCH(arrays, sizeof(double), picus_by_row, &a->direction, &a->c, &a->P, &a->known);
  if (!status) status = PICUS_SCRATCH(arrays, sizeof *a->given, picus_by_law, &a->given);
  if (!status) status = PICUS_SCRATCH(arrays, sizeof *a->laws, picus_by_law, &a->laws);
  if (!status) status = PICUS_SCRATCH(arrays, sizeof *a->modes, picus_by_law, &a->modes);
  if (!status) status = PICUS_SCRATCH(arrays, sizeof(int), picus_by_law, &a->law_of, &a->number);
  if (!status) status = PICUS_SCRATCH(arrays, sizeof(int), picus_by_row, &a->row_of);
  a->possible = set->present != NULL; /* laws that appear may slip in a plane */
  for (int i = 0; i < set->law_count; i++) a->possible = a->possible || set->laws[i].data.slips > 1;
  return status || !a->possible ? status : picus_law_arrays_add_matrix(arrays, set, &a->G);
}

static int first_slip_row(const picus_system_law *law) { return law->first_row + law->dim - law->slips; }

bool picus_given_slip_set(given_slip *a, int i, const double *velocity) {
  const picus_system_law *law = &a->contacts->set->laws[i].data;
  if (law->slips < 2 || law->kind == PICUS_ROLLING) return false; /* whose direction comes from the law */
  const double length = picus_length(law->slips, velocity);
  if (!(length > 0)) return false;
  double *direction = a->direction + first_slip_row(law);
  for (int k = 0; k < law->slips; k++) direction[k] = velocity[k] / length;
  return true;
}

/* One more law of the problem that is left, with these rows of the active laws. */
static void keep_law(given_slip *a, int k, int first_row, picus_law law) {
  a->laws[a->law_count] = law;
  a->law_of[a->law_count] = k;
  a->number[k] = a->law_count;
  a->modes[a->law_count++] = a->problem->modes[k];
  for (int r = 0; r < law.dim; r++) {
    a->P[a->size] = a->problem->P[first_row + r];
    a->row_of[a->size++] = first_row + r;
  }
}

/* The laws that are left, the rows they have, and the percussions that are known. */
static void choose_unknowns(given_slip *a) {
  const step_problem *p = a->problem;
  a->law_count = a->size = 0;
  memset(a->known, 0, (size_t)p->size * sizeof *a->known);
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const picus_system_law *law = &a->contacts->set->laws[p->active[k]].data;
    const double *direction = a->direction + first_slip_row(law);
    a->number[k] = -1;
    if (!a->given[p->active[k]])
      keep_law(a, k, at, p->laws[k]);
    else if (law->kind == PICUS_COULOMB)
      keep_law(a, k, at, (picus_law){.kind = PICUS_UNILATERAL, .dim = 1});
    else
      for (int r = 0; r < law->slips; r++) a->known[at + r] = -p->laws[k].radius * direction[r];
  }
}

/* The percussions represented by an unknown of a law, times the entries of this law in a row of G. */
static double column_of(const given_slip *a, const double *entries, int law, int row) {
  const step_problem *p = a->problem;
  const picus_system_law *data = &a->contacts->set->laws[p->active[law]].data;
  if (!a->given[p->active[law]]) return entries[row];
  return entries[0] - p->laws[law].radius * picus_dot(data->slips, entries + 1, a->direction + first_slip_row(data));
}

/* Row i of the problem that is left, law l, dense. */
static void fill_row(given_slip *a, int i) {
  const double *G = a->problem->G.G + (size_t)a->row_of[i] * (size_t)a->problem->size;
  double *to = a->G.G + (size_t)i * (size_t)a->size;
  for (int l = 0, j = 0; l < a->law_count; l++) {
    const int first = a->row_of[j];
    for (int r = 0; r < a->laws[l].dim; r++, j++) *to++ = column_of(a, G + first, a->law_of[l], r);
  }
}

/* The blocks of law l of the reduced problem, whose rows start at `at`: those of the complete problem whose columns
 * belong to laws of the reduced problem. */
static void fill_blocks(given_slip *a, int l, int at, int *count, size_t *offset) {
  const picus_block_storage *from = &a->problem->G.blocks;
  picus_block_storage *to = &a->G.blocks;
  const int law = a->law_of[l];
  to->first_row[l] = at;
  to->row_start[l] = *count;
  for (int n = from->row_start[law]; n < from->row_start[law + 1]; n++) {
    const int other = from->column[n], number = a->number[other];
    if (number < 0) continue;
    const int width = a->problem->laws[other].dim, columns = a->laws[number].dim;
    double *values = to->values + *offset;
    for (int r = 0; r < a->laws[l].dim; r++)
      for (int c = 0; c < columns; c++)
        *values++ = column_of(a, from->values + from->offset[n] + (size_t)r * (size_t)width, other, c);
    to->column[*count] = number;
    to->offset[(*count)++] = *offset;
    *offset += (size_t)a->laws[l].dim * (size_t)columns;
  }
}

/* The rows that are left are the first ones of their laws. */
static void fill_problem(given_slip *a) {
  const step_problem *p = a->problem;
  int blocks = 0;
  size_t values = 0;
  a->G.law_count = a->law_count;
  a->G.size = a->size;
  for (int l = 0, i = 0; l < a->law_count; l++) {
    if (!a->G.G) fill_blocks(a, l, i, &blocks, &values);
    for (int r = 0; r < a->laws[l].dim; r++, i++) {
      a->c[i] = p->c[a->row_of[i]] + picus_delassus_row(&p->G, a->law_of[l], a->row_of[i], a->known);
      if (a->G.G) fill_row(a, i);
    }
  }
  if (a->G.G) return;
  a->G.blocks.first_row[a->law_count] = a->size;
  a->G.blocks.row_start[a->law_count] = blocks;
}

void picus_given_slip_expand(given_slip *a) {
  step_problem *p = a->problem;
  memcpy(p->P, a->known, (size_t)p->size * sizeof *p->P);
  for (int k = 0; k < p->active_count; k++) p->modes[k] = PICUS_SLIP;
  for (int l = 0, j = 0; l < a->law_count; l++) {
    const int k = a->law_of[l], i = p->active[k];
    const picus_system_law *law = &a->contacts->set->laws[i].data;
    const double *direction = a->direction + first_slip_row(law);
    const int at = a->row_of[j];
    for (int r = 0; r < a->laws[l].dim; r++, j++) p->P[a->row_of[j]] = a->P[j];
    if (!a->given[i] || a->modes[l] == PICUS_OPEN) p->modes[k] = a->modes[l];
    for (int r = 0; a->given[i] && r < law->slips; r++) p->P[at + 1 + r] = -p->laws[k].radius * p->P[at] * direction[r];
  }
}

solver_call picus_given_slip_condense(given_slip *a) {
  choose_unknowns(a);
  fill_problem(a);
  return (solver_call){picus_delassus_problem(&a->G, a->laws, a->c), a->law_of, a->P, a->modes};
}

bool picus_given_slip_was_struck(const given_slip *a) {
  const contact_state *state = a->contacts;
  const step_problem *p = a->problem;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const int i = p->active[k];
    if (!picus_law_can_open(&state->set->laws[i].data) || state->modes[i] != PICUS_OPEN || p->modes[k] == PICUS_OPEN)
      continue;
    if (-p->gamma_begin[at] > fabs(p->gamma_free[at] - p->gamma_begin[at])) return true;
  }
  return false;
}

/* Whether friction in given directions changes the slip of the k-th active law, whose rows start at `at`, by a small
 * part. Friction turns a slow slip fast, with the rate mu P_N G / (dt |slip|) of a damper; a direction that does not
 * depend on the solution treats this damper explicitly, and is unstable where it is stiff. */
static bool changes_little(const given_slip *a, int k, int at, double slip) {
  const step_problem *p = a->problem;
  const int rows = a->contacts->set->laws[p->active[k]].data.slips, end = at + p->laws[k].dim;
  double change = 0;
  for (int l = 0, column = 0; l < p->active_count; column += p->laws[l++].dim) {
    const int slips = a->contacts->set->laws[p->active[l]].data.slips, last = column + p->laws[l].dim;
    if (!a->given[p->active[l]]) continue;
    for (int r = end - rows; r < end; r++)
      for (int c = last - slips; c < last; c++)
        change += fabs(p->G.G[(size_t)r * (size_t)p->size + (size_t)c] * p->P[c]);
  }
  return change <= MOST_CHANGE * slip;
}

static bool slips_along(const given_slip *a, const picus_evaluation *laws, int i, const double *u, double *slip_size) {
  const law_set *set = a->contacts->set;
  const system_law *law = &set->laws[i];
  const int row = first_slip_row(&law->data);
  double slip[PICUS_LAW_ROWS] = {0}, along;
  for (int k = 0; k < law->data.slips; k++) {
    const size_t at = picus_law_row_at(law, row - law->data.first_row + k);
    slip[k] = picus_law_row_dot(set->system, law, laws->W + at, u) + laws->chi[row + k];
  }
  along = picus_dot(law->data.slips, slip, a->direction + row);
  for (int k = 0; k < law->data.slips; k++) slip[k] -= along * a->direction[row + k];
  *slip_size = along;
  return along > 0 && picus_length(law->data.slips, slip) <= MOST_TURN * along;
}

bool picus_given_slip_holds(given_slip *a, const contact_request *request, const double *u, bool *some) {
  const step_problem *p = a->problem;
  bool hold = true;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const int i = p->active[k];
    double slip;
    if (!a->given[i] || p->modes[k] == PICUS_OPEN) continue;
    if (slips_along(a, request->slip.laws, i, u, &slip) &&
        (!request->slip.is_explicit || changes_little(a, k, at, slip)))
      continue;
    a->given[i] = hold = false;
    a->given_count--;
  }
  *some = a->given_count > 0;
  return hold;
}

bool picus_given_slip_begin(given_slip *a, step_problem *problem) {
  a->problem = problem;
  a->given_count = 0;
  if (a->contacts->has_loaded || a->contacts->adheres) return false; /* whose radii are found with the laws alone */
  for (int k = 0; k < problem->active_count; k++) a->given_count += a->given[problem->active[k]];
  return a->given_count > 0;
}
