/* Percussions and projection from one coupled problem (Acary 2012 (53)) instead of two in sequence.
 *
 * The problem has the rows of the active laws, then one row of each gap that is projected. Its matrix is dense, or has
 * blocks as a delassus_matrix; each block between percussions and gaps goes through the factors of the step's tangent
 * matrix. */
#include "scheme/theta/theta_step.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

/* --- memory ------------------------------------------------------------------------------------------------------ */

enum { MOST_COLUMNS = 48 }; /* velocities of a part up to which A^-1 S B is computed by its columns */

static bool is_sparse(const stepper *s) { return !picus_law_set_is_dense(s->set) && !theta_of(s)->tangent.by_group; }

/* Memory for at least `count` numbers, with some in reserve when it grows; their values are lost then. */
static picus_status reserve_numbers(stepper *s, size_t count, double **numbers, size_t *capacity) {
  if (*numbers && count <= *capacity) return PICUS_OK;
  const size_t more = *numbers ? count + count / 2 : count;
  *capacity = 0;
  picus_status status = picus_law_arrays_renew(&s->arrays, sizeof **numbers, more, numbers);
  if (!status) *capacity = more;
  return status;
}

/* Blocks for all laws of the set, each with its percussions and its tau. */
static picus_status reserve_blocks(stepper *s) {
  coupled_matrix *m = &theta_of(s)->projection.coupled;
  const law_set *set = s->set;
  const law_graph *graph = &set->graph;
  const size_t laws = 2 * (size_t)set->law_count, blocks = 4 * graph->start[set->law_count];
  size_t values = 0;
  for (int i = 0; i < set->law_count; i++)
    for (size_t k = graph->start[i]; k < graph->start[i + 1]; k++)
      values += (size_t)(set->laws[i].data.dim + 1) * (size_t)(set->laws[graph->neighbour[k]].data.dim + 1);
  return picus_block_sizes_reserve(s->context, (block_sizes){laws, blocks, values}, &m->capacity, &m->blocks);
}

static picus_status reserve_columns(stepper *s) {
  coupled_matrix *m = &theta_of(s)->projection.coupled;
  if (m->by_part || m->widest > MOST_COLUMNS) return PICUS_OK;
  size_t size = 0;
  picus_status status =
      picus_law_arrays_renew(&s->arrays, sizeof *m->part_start, (size_t)s->system->part_count, &m->part_start);
  if (status) return status;
  for (int p = 0; p < s->system->part_count; p++) {
    m->part_start[p] = size;
    size += (size_t)s->system->parts[p].nu * (size_t)s->system->parts[p].nu;
  }
  return PICUS_FIXED(&s->arrays, sizeof *m->by_part, size, &m->by_part);
}

/* For so many rows and members; a block-sparse one for all laws. */
static picus_status reserve(stepper *s, size_t rows, size_t members) {
  coupled_matrix *m = &theta_of(s)->projection.coupled;
  if (is_sparse(s)) {
    picus_status status = reserve_blocks(s);
    if (!status) status = reserve_columns(s);
    return status ? status : reserve_numbers(s, s->set->W_size, &m->slopes, &m->slopes_capacity);
  }
  const size_t n = rows + members;
  picus_status status = reserve_numbers(s, n * n, &m->G, &m->G_capacity);
  if (status) return status;
  return reserve_numbers(s, members * (size_t)s->system->nu, &m->slopes, &m->slopes_capacity);
}

picus_status picus_projection_create_coupled(stepper *s) {
  coupled_matrix *m = &theta_of(s)->projection.coupled;
  for (int p = 0; p < s->system->part_count; p++)
    if (s->system->parts[p].nu > m->widest) m->widest = s->system->parts[p].nu;
  const bool grows = !picus_law_set_is_dense(s->set) && theta_of(s)->tangent.by_group;
  return grows ? PICUS_OK : reserve(s, (size_t)s->set->row_count, (size_t)s->set->law_count);
}

/* --- reactions of the velocities --------------------------------------------------------------------------------- */

/* A^-1 S B d, the change of w that keeps the balance when positions are displaced, with the opposite sign. */
static picus_status slope_of(stepper *s, double *d, double *out) {
  theta_step *t = theta_of(s);
  picus_status status = picus_projection_displace(s, d, t->projection.moved);
  memset(out, 0, (size_t)s->system->nu * sizeof *out);
  picus_theta_add_slope(s, t->projection.moved, out);
  picus_system_matrix_solve(&t->tangent, out);
  return status;
}

static double *slope_of_member(const stepper *s, int k) {
  const theta_projection *x = &theta_of(s)->projection;
  if (is_sparse(s)) return x->coupled.slopes + (x->solved[k] - x->inverse_W); /* laid out as these */
  return x->coupled.slopes + (size_t)k * (size_t)s->system->nu;
}

/* A^-1 S B of all parts, whose i-th columns come from one displacement of all parts. */
static picus_status find_columns(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  double *column = s->h;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < x->coupled.widest; i++) {
    for (int p = 0; p < s->system->part_count; p++) {
      const system_part *part = &s->system->parts[p];
      for (int k = 0; k < part->nu; k++) x->displacement[part->u0 + k] = k == i;
    }
    status = slope_of(s, x->displacement, column);
    for (int p = 0; p < s->system->part_count; p++) {
      const system_part *part = &s->system->parts[p];
      double *to = x->coupled.by_part + x->coupled.part_start[p];
      for (int k = 0; i < part->nu && k < part->nu; k++) to[k * part->nu + i] = column[part->u0 + k];
    }
  }
  return status;
}

/* Out of the columns, member by member. */
static void combine_columns(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  for (int k = 0; k < x->count; k++) {
    const system_law *law = &s->set->laws[x->laws[k]];
    const double *solved = x->solved[k];
    double *out = slope_of_member(s, k);
    for (int b = 0; b < law->part_count; b++) {
      const int p = law->parts[b], nu = s->system->parts[p].nu;
      picus_matrix_vector(nu, nu, x->coupled.by_part + x->coupled.part_start[p], solved, out);
      solved += nu;
      out += nu;
    }
  }
}

static void pick_parts(const stepper *s, const system_law *law, const double *from, double *out) {
  for (int b = 0; b < law->part_count; b++) {
    const system_part *part = &s->system->parts[law->parts[b]];
    memcpy(out, from + part->u0, (size_t)part->nu * sizeof *out);
    out += part->nu;
  }
}

static picus_status find_member_slopes(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  const bool sparse = is_sparse(s);
  const size_t nu = (size_t)s->system->nu;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < x->count; k++) {
    const system_law *law = &s->set->laws[x->laws[k]];
    memset(x->displacement, 0, nu * sizeof(double));
    picus_law_solved_add(picus_projection_matrix(s), law, x->solved[k], 1, x->displacement);
    status = slope_of(s, x->displacement, sparse ? s->h : slope_of_member(s, k));
    if (sparse) pick_parts(s, law, s->h, slope_of_member(s, k));
  }
  return status;
}

/* slopes and slope. */
static picus_status find_slopes(stepper *s) {
  theta_projection *x = &theta_of(s)->projection;
  picus_status status = slope_of(s, x->y, x->slope);
  if (status) return status;
  if (!is_sparse(s) || !x->coupled.by_part || x->count <= x->coupled.widest) return find_member_slopes(s);
  status = find_columns(s);
  if (!status) combine_columns(s);
  return status;
}

/* --- the problem ------------------------------------------------------------------------------------------------- */

/* Where the laws are in the lists, and which of them are coupled. */
static void choose_blocks(stepper *s) {
  const theta_projection *x = &theta_of(s)->projection;
  const step_problem *p = &s->problem;
  const coupled_matrix *m = &x->coupled;
  const law_graph *graph = &s->set->graph;
  for (int i = 0; i < s->set->law_count; i++) m->active_place[i] = m->member_place[i] = -1;
  int row = 0, count = 0;
  for (int k = 0; k < p->active_count; k++) {
    m->active_place[p->active[k]] = k;
    m->blocks.first_row[k] = row;
    row += s->set->laws[p->active[k]].data.dim;
  }
  for (int k = 0; k <= x->count; k++) {
    if (k < x->count) m->member_place[x->laws[k]] = p->active_count + k;
    m->blocks.first_row[p->active_count + k] = row + k;
  }
  size_t offset = 0;
  for (int k = 0; k < p->active_count + x->count; k++) {
    const int law = k < p->active_count ? p->active[k] : x->laws[k - p->active_count];
    const int rows = m->blocks.first_row[k + 1] - m->blocks.first_row[k];
    m->blocks.row_start[k] = count;
    for (int list = 0; list < 2; list++)
      for (size_t n = graph->start[law]; n < graph->start[law + 1]; n++) {
        const int place = (list ? m->member_place : m->active_place)[graph->neighbour[n]];
        if (place < 0) continue;
        m->blocks.column[count] = place;
        m->blocks.offset[count++] = offset;
        offset += (size_t)rows * (size_t)(m->blocks.first_row[place + 1] - m->blocks.first_row[place]);
      }
  }
  m->blocks.row_start[p->active_count + x->count] = count;
}

/* A row of the coupled problem: the row w of a law against all percussions and all tau / scale. */
typedef struct coupled_row {
  const system_law *law;
  const double *w;
  double scale;
  double share;    /* 1 in rows of gaps, whose displacement is N w; 0 in rows of velocities */
  int number, row; /* of the law in the problem, and of the row among those of the law */
} coupled_row;

static double by_tau(const stepper *s, const coupled_row *r, int k) {
  const theta_projection *x = &theta_of(s)->projection;
  const system_law *other = &s->set->laws[x->laws[k]];
  const double slope = is_sparse(s) ? picus_law_rows_dot(s->system, other, slope_of_member(s, k), r->law, r->w)
                                    : picus_law_row_dot(s->system, r->law, r->w, slope_of_member(s, k));
  return r->share * picus_law_solved_dot(picus_projection_matrix(s), other, x->solved[k], r->law, r->w) -
         r->scale * slope;
}

/* Against law k of the active ones, whose rows begin with `first`. */
static void by_percussions(const stepper *s, const coupled_row *r, int k, int first, double *out) {
  const system_law *other = &s->set->laws[s->problem.active[k]];
  for (int c = 0; c < other->data.dim; c++)
    out[c] = picus_law_solved_dot(&theta_of(s)->tangent, other, s->problem.solved[first + c], r->law, r->w);
}

static void fill_blocks(const stepper *s, const coupled_row *r) {
  const picus_block_storage *blocks = &theta_of(s)->projection.coupled.blocks;
  const int active = s->problem.active_count;
  for (int n = blocks->row_start[r->number]; n < blocks->row_start[r->number + 1]; n++) {
    const int other = blocks->column[n], columns = blocks->first_row[other + 1] - blocks->first_row[other];
    double *values = blocks->values + blocks->offset[n] + r->row * columns;
    if (other < active)
      by_percussions(s, r, other, blocks->first_row[other], values);
    else
      *values = by_tau(s, r, other - active);
  }
}

static void fill_dense(const stepper *s, const coupled_row *r, double *row) {
  const step_problem *p = &s->problem;
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    by_percussions(s, r, k, at, row + at);
    at += s->set->laws[p->active[k]].data.dim;
  }
  for (int k = 0; k < theta_of(s)->projection.count; k++) row[at++] = by_tau(s, r, k);
}

/* at: number of the row in the problem. */
static void fill_row(const stepper *s, const coupled_row *r, size_t at) {
  const theta_projection *x = &theta_of(s)->projection;
  if (is_sparse(s))
    fill_blocks(s, r);
  else
    fill_dense(s, r, x->coupled.G + at * (size_t)(s->problem.size + x->count));
}

/* With scale = dq/dw the rows of the gaps are divided by it and tau is counted in units of it, so that all rows are
 * velocities and all unknowns percussions:
 *
 *   [ W^T A^-1 W    - scale W^T Z          ] [ P           ]   Z = A^-1 S B N W, the reaction of the velocities
 *   [ W^T A^-1 W    W^T N W - scale W^T Z  ] [ tau / scale ]
 *
 * in place of (54), whose terms with K have the wrong sign. */
static void fill_coupled(stepper *s, double scale) {
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  step_problem *p = &s->problem;
  size_t at = 0;
  for (int k = 0; k < p->active_count; k++) { /* the laws at velocity level, for P */
    const system_law *law = &s->set->laws[p->active[k]];
    x->kinds[k] = p->laws[k];
    x->modes[k] = p->modes[k];
    for (int r = 0; r < law->data.dim; r++, at++) {
      const double *w = picus_law_row(law, t->end->W, r);
      fill_row(s, &(coupled_row){.law = law, .w = w, .scale = scale, .share = 0, .number = k, .row = r}, at);
      x->c[at] = p->c[at] + picus_law_row_dot(s->system, law, w, x->slope);
      x->x[at] = p->P[at];
    }
  }
  for (int k = 0; k < x->count; k++, at++) { /* the gaps, for tau */
    const int i = x->laws[k];
    const system_law *law = &s->set->laws[i];
    const double *w = picus_projection_row(s, i);
    fill_row(s, &(coupled_row){.law = law, .w = w, .scale = scale, .share = 1, .number = p->active_count + k}, at);
    const row_products velocity = picus_law_row_dots(s->system, law, w, t->w_free, t->w);
    x->c[at] = (t->gap[i] - picus_law_row_dot(s->system, law, w, x->y)) / scale + velocity.u - velocity.v +
               picus_law_row_dot(s->system, law, w, x->slope);
    x->x[at] = (x->equality[i] ? x->tau[i] : fmax(x->tau[i], 0)) / scale;
    x->kinds[p->active_count + k] = picus_projection_law(x, i);
    x->modes[p->active_count + k] = x->equality[i] || x->tau[i] > 0 ? PICUS_STICK : PICUS_OPEN;
  }
}

/* w of the next iterate, with the new percussions and the new tau. */
static void coupled_velocity(const stepper *s, double *w) {
  const theta_projection *x = &theta_of(s)->projection;
  const step_problem *p = &s->problem;
  const int nu = s->system->nu;
  for (int i = 0; i < nu; i++) w[i] = theta_of(s)->w_free[i] + x->slope[i];
  int at = 0;
  for (int k = 0; k < p->active_count; k++) {
    const system_law *law = &s->set->laws[p->active[k]];
    for (int r = 0; r < law->data.dim; r++, at++)
      picus_law_solved_add(&theta_of(s)->tangent, law, p->solved[at], p->P[at], w);
  }
  for (int k = 0; k < x->count; k++) {
    const double *slope = slope_of_member(s, k), tau = x->tau[x->laws[k]];
    if (is_sparse(s))
      picus_law_row_add(s->system, &s->set->laws[x->laws[k]], slope, -tau, w);
    else
      for (int i = 0; i < nu; i++) w[i] -= slope[i] * tau;
  }
}

/* The products of row r of active law k, which is row `at` of the problem, with tau. */
static double velocity_by_tau(const stepper *s, int k, int r, int at) {
  const theta_projection *x = &theta_of(s)->projection;
  const int size = s->problem.size;
  if (!is_sparse(s))
    return picus_dot(x->count, x->coupled.G + (size_t)at * (size_t)(size + x->count) + size, x->x + size);
  const picus_block_storage *blocks = &x->coupled.blocks;
  double sum = 0;
  for (int n = blocks->row_start[k]; n < blocks->row_start[k + 1]; n++)
    if (blocks->column[n] >= s->problem.active_count)
      sum += blocks->values[blocks->offset[n] + (size_t)r] * x->x[blocks->first_row[blocks->column[n]]];
  return sum;
}

/* The part of the relative velocities that tau causes goes into the right-hand side of the contact problem, whose
 * residual then covers all effects on its rows. */
static void read_solution(stepper *s, double scale) {
  theta_projection *x = &theta_of(s)->projection;
  step_problem *p = &s->problem;
  int at = 0;
  for (int k = 0; k < p->active_count; k++)
    for (int r = 0; r < p->laws[k].dim; r++, at++) {
      const double change = x->c[at] - p->c[at] + velocity_by_tau(s, k, r, at);
      p->c[at] += change;
      p->gamma_free[at] += change;
    }
  memcpy(p->P, x->x, (size_t)p->size * sizeof *p->P);
  memcpy(p->modes, x->modes, (size_t)p->active_count * sizeof *p->modes);
  for (int k = 0; k < x->count; k++) x->tau[x->laws[k]] = scale * x->x[p->size + k];
}

picus_status picus_projection_find_both(stepper *s, const contact_request *request, double scale, double *w,
                                        picus_step_info *info) {
  theta_step *t = theta_of(s);
  theta_projection *x = &t->projection;
  step_problem *p = &s->problem;
  picus_status status = picus_step_problem_prepare(&s->problem, request);
  if (status) return status;
  status = picus_projection_list(s);
  if (!status) status = reserve(s, (size_t)p->size, (size_t)x->count);
  if (!status) status = find_slopes(s);
  if (!status) status = picus_theta_look(s); /* B was evaluated with other velocities */
  if (status) return status;
  const bool sparse = is_sparse(s);
  if (sparse) choose_blocks(s);
  fill_coupled(s, scale);
  const picus_contact_problem problem = {.law_count = p->active_count + x->count,
                                         .laws = x->kinds,
                                         .size = p->size + x->count,
                                         .G = sparse ? NULL : x->coupled.G,
                                         .c = x->c,
                                         .blocks = sparse ? &x->coupled.blocks.matrix : NULL};
  const int iterations = info->solver.last.iterations;
  const bool accepted = info->solver.last.accepted;
  status = picus_projection_call_solver(s, &problem, p->active_count, &info->solver.last, info);
  info->solver.last.iterations += iterations;
  info->solver.last.accepted |= accepted;
  if (status) return status;
  read_solution(s, scale);
  coupled_velocity(s, w);
  info->implicit.projection_iterations += x->count > 0;
  picus_projection_note(s, info);
  return picus_step_check_finite(&s->contacts, s->t, w);
}
