/* The plan of the active laws: their data and rows, A^-1 W and G, and which of them are decoupled contacts. It is made
 * when an epoch ends: that of the laws, or that of A and W; a step whose laws and matrices persist only executes it. */
#include "step_problem/step_problem.h"

#include "base/internal.h"
#include "base/tasks.h"
#include "linalg/internal.h"
#include "solver/internal.h"

static void fill_rows(step_problem *p, const system_law *law, active_row *rows) {
  const bool alone = law->part_count == 1;
  const system_part *part = alone ? &p->set->system->parts[law->parts[0]] : NULL;
  for (int r = 0; r < law->data.dim; r++)
    rows[r] = (active_row){.global = law->data.first_row + r,
                           .law = (int)(law - p->set->laws),
                           .row = r,
                           .u0 = alone ? part->u0 : 0,
                           .n = alone ? part->nu : 0,
                           .from = law->from,
                           .to = law->to > 0 || !alone ? law->to : part->nu,
                           .W0 = picus_law_row_at(law, r),
                           .restitution = p->contacts->row_restitution[law->data.first_row + r]};
}

void picus_plan_laws(step_problem *p, double dt) {
  const bool same_laws = p->plan.laws == p->laws_now;
  if (same_laws && p->dt == dt) return;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const system_law *law = &p->set->laws[p->active[k]];
    const picus_system_law *data = &law->data;
    double radius = data->kind == PICUS_COULOMB ? data->mu : data->kind == PICUS_RESERVOIR ? data->reservoir * dt : 0;
    if (data->kind == PICUS_ROLLING) radius = data->rolling;
    p->laws[k] = (picus_law){.kind = data->kind, .dim = data->dim, .radius = radius};
    if (!same_laws) fill_rows(p, law, p->rows + at); /* with them, G of decoupled contacts stays */
  }
  p->dt = dt;
}

/* G of the active rows from the matrix of all rows. */
static void gather_delassus(step_problem *p) {
  const constant_delassus *d = &p->constant;
  picus_delassus_gather(&d->matrix, p->set, p->active_count, p->active, &p->G);
  for (int k = 0, at = 0; k < p->active_count; k++) {
    const picus_system_law *law = &p->set->laws[p->active[k]].data;
    for (int r = 0; r < law->dim; r++) p->solved[at++] = d->solved[law->first_row + r];
  }
}

/* Whether the active laws are contacts and decoupled, so that the solver would treat them one by one. Then the first
 * row of a planar one has its G. */
static bool plan_decoupled(step_problem *p, const system_matrix *matrix) {
  p->plan.tolerance = picus_solver_closed_form_tolerance(p->contacts->solver, p->active_count);
  if (matrix->by_group || p->plan.tolerance < 0 || p->contacts->coefficients || p->contacts->impacts || p->pull)
    return false;
  for (int k = 0; k < p->active_count; k++) {
    const picus_law *law = &p->laws[k];
    if (law->kind != PICUS_UNILATERAL && law->kind != PICUS_COULOMB) return false;
  }
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, NULL);
  if (!picus_laws_are_decoupled(&problem)) return false;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim)
    for (int r = 0, dim = p->laws[k].dim; dim < 3 && r < dim; r++)
      picus_copy(dim, picus_delassus_entries(&p->G, k, at + r, k, at), p->rows[at].G + (ptrdiff_t)r * dim);
  return true;
}

/* Memory for A^-1 w of the active rows, which are wider than W where forces couple parts in A. It grows with the number
 * of active laws and is kept. */
static picus_status reserve_coupled(step_problem *p, const contact_request *request) {
  size_t size = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &p->set->laws[p->active[k]];
    size += (size_t)law->data.dim * picus_law_solved_size(request->matrix, law);
  }
  if (size > p->coupled_W_size) {
    p->coupled_W_size = 0;
    picus_status status = picus_law_arrays_renew(p->contacts->arrays, sizeof *p->coupled_W, 2 * size, &p->coupled_W);
    if (status) return status;
    p->coupled_W_size = 2 * size;
  }
  return picus_delassus_reserve(p->contacts->context, &p->G, p->size);
}

/* A^-1 w of the rows of a law, each behind the other. Returns the end. */
static double *solve_rows(const step_problem *p, const contact_request *request, int k, int at, double *solved) {
  const system_law *law = &p->set->laws[p->active[k]];
  const size_t size = picus_law_solved_size(request->matrix, law);
  picus_law_rows_solve(request->matrix, law, law->data.dim, picus_law_row(law, request->directions->W, 0), solved);
  for (int r = 0; r < law->data.dim; r++, solved += size) p->solved[at + r] = solved;
  return solved;
}

/* The rows of laws that stand before law k. */
int picus_rows_before(const step_problem *p, int k) {
  int rows = 0;
  for (int i = 0; i < k; i++) rows += p->laws[i].dim;
  return rows;
}

/* Sparse factors have scratch of their own. */
static bool can_solve_side_by_side(const system_matrix *matrix) {
  for (int k = 0; k < matrix->system->part_count; k++)
    if (matrix->by_group || matrix->blocks[k].factored == FACTOR_SPARSE) return false;
  return true;
}

static void solve_rows_of_factors(void *user, int first, int end) {
  const row_work *work = user;
  const step_problem *p = work->p;
  for (int k = first, at = picus_rows_before(p, first); k < end; at += p->laws[k++].dim) {
    const system_law *law = &p->set->laws[p->active[k]];
    double *solved = p->inverse_W + picus_law_row_at(law, 0);
    solve_rows(p, work->request, k, at, solved);
    p->G.factor_trace[k] = picus_trace_of_rows(law->data.dim, picus_law_row_size(law),
                                               picus_law_row(law, work->request->directions->W, 0), solved);
  }
}

/* A^-1 w of the active rows. */
static picus_status solve_active_rows(step_problem *p, const contact_request *request) {
  picus_status status = request->matrix->by_group ? reserve_coupled(p, request) : PICUS_OK;
  if (status) return status;
  double *solved = request->matrix->by_group ? p->coupled_W : p->inverse_W;
  if (p->G.is_factored) {
    row_work work = {.p = p, .request = request};
    const int least = can_solve_side_by_side(request->matrix) ? PICUS_TASK_OF_PAIRS : p->active_count;
    return picus_tasks_over(p->contacts->context, p->active_count, least, solve_rows_of_factors, &work);
  }
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) solved = solve_rows(p, request, k, at, solved);
  return PICUS_OK;
}

/* G of the active rows: A^-1 w for each, then products with the rows; what has not changed since the last problem is
 * kept. */
static picus_status assemble_delassus(step_problem *p, const contact_request *request) {
  const bool kept = p->plan.laws == p->laws_now && p->plan.matrices == p->matrices;
  picus_status status = kept ? PICUS_OK : solve_active_rows(p, request);
  if (status || (kept && !request->rows)) return status;
  picus_delassus_assemble(&p->G, &(delassus_request){.set = p->set,
                                                     .law_count = p->active_count,
                                                     .laws = p->active,
                                                     .V = request->rows ? request->rows : request->directions->W,
                                                     .matrix = request->matrix,
                                                     .solved = p->solved,
                                                     .inverse_W = p->inverse_W,
                                                     .has_trace = !kept && !request->rows,
                                                     .symmetric = request->symmetric});
  return PICUS_OK;
}

picus_status picus_plan_matrices(step_problem *p, const contact_request *request) {
  picus_status status = PICUS_OK;
  if (!p->constant.ready || p->plan.laws != p->laws_now) {
    if (p->constant.ready)
      gather_delassus(p);
    else
      status = assemble_delassus(p, request);
    if (status) return status;
    p->plan.may_jam = picus_step_problem_may_jam(p);
    p->plan.decoupled = (p->constant.ready || p->active_count == 1) && plan_decoupled(p, request->matrix);
  }
  p->plan.laws = p->laws_now;
  p->plan.matrices = request->stays ? p->matrices : 0;
  return PICUS_OK;
}
