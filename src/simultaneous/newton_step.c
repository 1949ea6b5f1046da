/* Solver "newton", a step: the equations of each law, and the linear system of all of them.
 *
 * One law: the defect p - prox(p - r xi) and its generalized Jacobian, in the form that an active-set
 * method uses.
 *
 * The argument of the projection selects the branch, and on the branch the equations are linear in the new values:
 *   closed, sticking  xi_new = 0
 *   open              p_new = 0
 *   slipping          p_T = R n, n = y / |y|, y = p_T - r xi_T, R the radius. With kappa = R / |y| the derivative is
 *                     dp_T = n dR + kappa (I - n n^T)(dp_T - r dxi_T): along n the friction is known, R + dR = mu
 * p_N_new (both forms, if xi_N_new = 0), and across n kappa r t.(xi_new - xi) + (1 - kappa) t.dp_T = -t.p_T. */
#include "simultaneous/newton.h"

#include <stdlib.h>
#include <string.h>

/* How a ball of friction sees its argument y. The rows of friction are the last ones of the law. */
typedef struct friction_argument {
  int first_row, dim; /* rows first_row ... dim - 1 of the law */
  double r;
  bool sticks;
  double kappa, n[PICUS_LAW_ROWS];
} friction_argument;

/* p and xi: of all rows of the law. */
static friction_argument look_at_friction(const picus_law *law, double radius, double r, const double *p,
                                          const double *xi) {
  friction_argument a = {.first_row = law->kind == PICUS_COULOMB, .dim = law->dim, .r = r, .sticks = false};
  int dim = a.dim - a.first_row;
  for (int k = 0; k < dim; k++) a.n[k] = p[a.first_row + k] - r * xi[a.first_row + k];
  double length = picus_length(dim, a.n);
  a.sticks = length < radius;
  if (a.sticks) return a;
  for (int k = 0; k < dim; k++) a.n[k] = length > 0 ? a.n[k] / length : k == 0;
  a.kappa = length > 0 ? radius / length : 0;
  return a;
}

static double coulomb_radius(const picus_law *law, picus_newton_form form, double argument, double p_N) {
  return law->radius * picus_prox_positive(form == PICUS_ALART_CURNIER ? argument : p_N);
}

/* --- linear equations ----------------------------------------------------------------------------------------- */

static void set_whole(int dim, picus_law_step *step) {
  step->whole = true;
  step->unknowns = dim;
  for (int k = 0; k < dim; k++) step->own[k] = step->target[k] = step->known[k] = 0;
}

/* The dim - 1 directions that are orthonormal to n and to each other. */
static void directions_across(int dim, const double *n, double across[2][PICUS_LAW_ROWS]) {
  if (dim == 2) {
    across[0][0] = -n[1];
    across[0][1] = n[0];
  }
  if (dim != 3) return;
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(n[k]) < fabs(n[axis])) axis = k;
  double length = sqrt(1 - n[axis] * n[axis]); /* of e_axis - n_axis n, at least sqrt(2/3) */
  for (int k = 0; k < 3; k++) across[0][k] = ((k == axis) - n[axis] * n[k]) / length;
  for (int k = 0; k < 3; k++)
    across[1][k] = n[(k + 1) % 3] * across[0][(k + 2) % 3] - n[(k + 2) % 3] * across[0][(k + 1) % 3];
}

/* The unknowns across the slip, after the existing ones. */
static void add_directions_across(const friction_argument *a, const double *p, const double *xi, picus_law_step *step) {
  double across[2][PICUS_LAW_ROWS] = {{0}};
  int friction_rows = a->dim - a->first_row;
  directions_across(friction_rows, a->n, across);
  for (int k = 0; k < friction_rows - 1; k++) {
    int z = step->unknowns++;
    double along_p = 0, along_xi = 0;
    for (int l = 0; l < a->dim; l++) {
      double t = l < a->first_row ? 0 : across[k][l - a->first_row];
      step->E[l][z] = t;
      step->B[z][l] = a->kappa * a->r * t;
      along_p += t * p[l];
      along_xi += t * xi[l];
    }
    step->own[z] = 1 - a->kappa;
    step->target[z] = a->kappa * a->r * along_xi - along_p;
  }
}

/* Friction on the boundary of its ball: its new value along n is `along`, and it has none across n if the ball is a
 * point. */
static void set_slip(const friction_argument *a, double along, const double *p, const double *xi,
                     picus_law_step *step) {
  double present = 0;
  for (int k = a->first_row; k < a->dim; k++) present += a->n[k - a->first_row] * p[k];
  bool point = a->kappa == 0;
  for (int k = a->first_row; k < a->dim; k++)
    step->known[k] = a->n[k - a->first_row] * (point ? along : along - present) - (point ? p[k] : 0);
  if (!point) add_directions_across(a, p, xi, step);
}

static void set_sliding_contact(const picus_law *law, const friction_argument *a, const double *p, const double *xi,
                                picus_law_step *step) {
  step->unknowns = 1;
  step->known[0] = step->own[0] = step->target[0] = 0;
  for (int k = 0; k < law->dim; k++) {
    step->E[k][0] = k == 0 ? 1 : law->radius * a->n[k - 1];
    step->B[0][k] = k == 0;
  }
  set_slip(a, law->radius * p[0], p, xi, step);
}

void picus_newton_linearize(const picus_law *law, picus_newton_form form, picus_newton_scale scale, const double *p,
                            const double *xi, picus_law_step *step) {
  friction_argument a;
  double argument = picus_newton_normal_argument(scale, p, xi);
  step->whole = step->follows = false;
  step->unknowns = 0;
  if (law->kind == PICUS_RESERVOIR) {
    a = look_at_friction(law, law->radius / scale.s, scale.friction_r, p, xi);
    if (a.sticks)
      set_whole(law->dim, step);
    else
      set_slip(&a, law->radius / scale.s, p, xi, step);
  } else if (law->kind != PICUS_BILATERAL && !(argument > 0)) { /* open: p_new = 0 */
    for (int k = 0; k < law->dim; k++) step->known[k] = -p[k];
  } else if (law->kind == PICUS_COULOMB) {
    double radius = coulomb_radius(law, form, argument, p[0]);
    a = look_at_friction(law, radius, scale.friction_r, p, xi);
    if (a.sticks)
      set_whole(law->dim, step);
    else
      set_sliding_contact(law, &a, p, xi, step);
  } else
    set_whole(1, step);
}

/* Outside of its ball the new friction along n is rho p_N_new. */
// NOLINTNEXTLINE(readability-function-size): a law and its contact
void picus_newton_linearize_rolling(int dim, double radius, const picus_newton_contact *contact,
                                    picus_newton_scale scale, const double *p, const double *xi, picus_law_step *step) {
  const picus_law law = {.kind = PICUS_RESERVOIR, .dim = dim};
  step->whole = step->follows = false;
  step->unknowns = 0;
  if (!contact->closed) { /* p_N_new = 0 */
    for (int k = 0; k < dim; k++) step->known[k] = -p[k];
    return;
  }
  friction_argument a = look_at_friction(&law, radius, scale.friction_r, p, xi);
  if (a.sticks) {
    set_whole(dim, step);
    return;
  }
  set_slip(&a, contact->normal, p, xi, step);
  step->follows = true;
  for (int k = 0; k < dim; k++) step->follow[k] = contact->slope * a.n[k];
}

/* --- merit ---------------------------------------------------------------------------------------------------- */

static double friction_defect(const picus_law *law, double radius, double r, const double *p, const double *xi) {
  friction_argument a = look_at_friction(law, radius, r, p, xi);
  double square = 0;
  for (int k = a.first_row; k < a.dim; k++) {
    double defect = a.sticks ? r * xi[k] : p[k] - radius * a.n[k - a.first_row];
    square += defect * defect;
  }
  return square;
}

double picus_newton_rolling_defect(int dim, double radius, picus_newton_scale scale, const double *p,
                                   const double *xi) {
  const picus_law law = {.kind = PICUS_RESERVOIR, .dim = dim};
  return friction_defect(&law, radius, scale.friction_r, p, xi);
}

double picus_newton_defect(const picus_law *law, picus_newton_form form, picus_newton_scale scale, const double *p,
                           const double *xi) {
  if (law->kind == PICUS_RESERVOIR) return friction_defect(law, law->radius / scale.s, scale.friction_r, p, xi);
  double argument = picus_newton_normal_argument(scale, p, xi);
  bool closed = law->kind == PICUS_BILATERAL || argument > 0;
  double defect = closed ? scale.normal_r * xi[0] : p[0], square = defect * defect;
  if (law->kind != PICUS_COULOMB) return square;
  double radius = coulomb_radius(law, form, argument, p[0]);
  return square + friction_defect(law, radius, scale.friction_r, p, xi);
}

/* --- the linear system -----------------------------------------------------------------------------------------------
 *
 * It contains only the unknown rows. Open contacts and slipping friction
 * are known, so that most systems are much smaller than the problem. */

enum { FEW_ZEROS = 4 }; /* one entry of so many: the factors will be full anyway */

#define MOST_OPERATIONS 2e10 /* of one sparse factorization: about ten seconds */
#define BLOCK_SHARE 0.2      /* of the unknowns^3: up to it blocks take less than dense factors [auto, creep] */

/* B_i (s_i G_ij s_j) E_j; an identity needs no multiplication. */
static void reduce_block(const picus_newton_system *system, int i, picus_block block, double *reduced) {
  const picus_law_step *row = &system->steps[i], *column = &system->steps[block.law];
  double scale = system->scales[i].s * system->scales[block.law].s, half[PICUS_LAW_ROWS][PICUS_LAW_ROWS] = {{0}};
  int dim = system->problem->laws[i].dim;
  for (int k = 0; k < dim; k++) /* half = s_i G_ij s_j E_j */
    for (int z = 0; z < column->unknowns; z++) {
      const double *G = block.values + (size_t)k * block.stride;
      double sum = 0;
      if (column->whole)
        sum = G[z];
      else
        for (int l = 0; l < block.dim; l++) sum += G[l] * column->E[l][z];
      half[k][z] = scale * sum;
    }
  for (int k = 0; k < row->unknowns; k++) /* B_i half */
    for (int z = 0; z < column->unknowns; z++) {
      double sum = 0;
      if (row->whole)
        sum = half[k][z];
      else
        for (int l = 0; l < dim; l++) sum += row->B[k][l] * half[l][z];
      reduced[k * column->unknowns + z] = sum;
    }
}

/* B_i (s_i G_ij s_j) follow_j: the share of a rolling law j in the column of p_N of its contact. */
static void reduce_follower(const picus_newton_system *system, int i, picus_block block, double *reduced) {
  const picus_law_step *row = &system->steps[i], *column = &system->steps[block.law];
  const double scale = system->scales[i].s * system->scales[block.law].s;
  const int dim = system->problem->laws[i].dim;
  double half[PICUS_LAW_ROWS] = {0};
  for (int k = 0; k < dim; k++)
    for (int l = 0; l < block.dim; l++)
      half[k] += scale * block.values[(size_t)k * block.stride + (size_t)l] * column->follow[l];
  for (int k = 0; k < row->unknowns; k++) {
    reduced[k] = row->whole ? half[k] : 0;
    for (int l = 0; !row->whole && l < dim; l++) reduced[k] += row->B[k][l] * half[l];
  }
}

static bool is_zero(picus_block block, int rows) {
  for (int k = 0; k < rows; k++)
    for (int l = 0; l < block.dim; l++)
      if (block.values[(size_t)k * block.stride + (size_t)l] != 0) return false;
  return true;
}

/* Whether a block has a place in the system; blocks that are stored but zero need none, except on the diagonal. */
static bool is_coupled(const picus_newton_system *system, int i, picus_block block) {
  const picus_contact_problem *problem = system->problem;
  if (!system->steps[block.law].unknowns) return false;
  if (block.law == i || !picus_operator_of(problem)->is_whole || !is_zero(block, problem->laws[i].dim)) return true;
  /* the column of p_N has the share of its rolling law */
  return picus_law_is_rolled(problem, block.law) && system->steps[block.law + 1].follows &&
         !is_zero(picus_operator_of(problem)->block_at(problem, system->first_row, i, block.law + 1),
                  problem->laws[i].dim);
}

/* --- dense ---------------------------------------------------------------------------------------------------- */

/* The equations of the unknowns of all laws as a dense matrix: blocks of G between the directions that are free. */
static void fill_dense(picus_newton_system *system, double regularization) {
  const picus_contact_problem *problem = system->problem;
  int n = system->unknowns;
  double reduced[PICUS_LAW_ROWS * PICUS_LAW_ROWS];
  memset(system->dense, 0, (size_t)n * (size_t)n * sizeof *system->dense);
  for (int i = 0; i < problem->law_count; i++) {
    const picus_law_step *row = &system->steps[i];
    if (!row->unknowns) continue;
    int blocks = picus_operator_of(problem)->block_count(problem, i);
    for (int b = 0; b < blocks; b++) {
      picus_block block = picus_operator_of(problem)->block_at(problem, system->first_row, i, b);
      const picus_law_step *column = &system->steps[block.law];
      if (column->follows) { /* after the block of its contact, which is there */
        reduce_follower(system, i, block, reduced);
        for (int k = 0; k < row->unknowns; k++)
          system->dense[(size_t)(row->first + k) * (size_t)n + (size_t)column[-1].first] += reduced[k];
      }
      if (!column->unknowns) continue;
      reduce_block(system, i, block, reduced);
      for (int k = 0; k < row->unknowns; k++)
        memcpy(system->dense + (size_t)(row->first + k) * (size_t)n + (size_t)column->first,
               reduced + k * column->unknowns, (size_t)column->unknowns * sizeof *reduced);
    }
    for (int k = 0; k < row->unknowns; k++) /* own z of the law, and the regularization of G */
      system->dense[(size_t)(row->first + k) * (size_t)(n + 1)] += row->own[k] + regularization;
  }
}

/* --- sparse --------------------------------------------------------------------------------------------------- */

static size_t count_entries(const picus_newton_system *system) {
  size_t entries = 0;
  for (int i = 0; i < system->problem->law_count; i++) {
    size_t unknowns = (size_t)system->steps[i].unknowns;
    int blocks = unknowns ? picus_operator_of(system->problem)->block_count(system->problem, i) : 0;
    for (int b = 0; b < blocks; b++) {
      picus_block block = picus_operator_of(system->problem)->block_at(system->problem, system->first_row, i, b);
      if (is_coupled(system, i, block)) entries += unknowns * (size_t)system->steps[block.law].unknowns;
    }
  }
  return entries;
}

/* The same equations of law i as rows of a sparse matrix. */
static void fill_sparse_law(picus_newton_system *system, int i, double regularization, int *entries) {
  const picus_law_step *row = &system->steps[i];
  picus_sparse_system *sparse = system->sparse;
  double reduced[PICUS_LAW_ROWS * PICUS_LAW_ROWS];
  int blocks = picus_operator_of(system->problem)->block_count(system->problem, i), width = 0, filled = 0;
  /* all rows of a law have the same columns: the width of one gives the starts of all */
  for (int b = 0; b < blocks; b++) {
    picus_block block = picus_operator_of(system->problem)->block_at(system->problem, system->first_row, i, b);
    if (is_coupled(system, i, block)) width += system->steps[block.law].unknowns;
  }
  for (int k = 0; k < row->unknowns; k++) sparse->row_start[row->first + k] = *entries + k * width;
  for (int b = 0; b < blocks; b++) {
    picus_block block = picus_operator_of(system->problem)->block_at(system->problem, system->first_row, i, b);
    const picus_law_step *column = &system->steps[block.law];
    if (column->follows &&
        (!picus_operator_of(system->problem)->is_whole || !is_zero(block, system->problem->laws[i].dim))) {
      reduce_follower(system, i, block, reduced); /* into the column of p_N, the first of the block before */
      for (int k = 0; k < row->unknowns; k++)
        sparse->values[*entries + k * width + filled - column[-1].unknowns] += reduced[k];
    }
    if (!is_coupled(system, i, block)) continue;
    reduce_block(system, i, block, reduced);
    for (int k = 0; k < row->unknowns; k++) {
      if (block.law == i) reduced[k * column->unknowns + k] += row->own[k] + regularization;
      for (int z = 0; z < column->unknowns; z++) {
        sparse->column[*entries + k * width + filled + z] = column->first + z;
        sparse->values[*entries + k * width + filled + z] = reduced[k * column->unknowns + z];
      }
    }
    filled += column->unknowns;
  }
  *entries += row->unknowns * width;
}

static bool fill_sparse(picus_newton_system *system, size_t room, double regularization) {
  if (!picus_sparse_reserve(system->sparse, system->unknowns, room)) return false;
  int entries = 0;
  for (int i = 0; i < system->problem->law_count; i++)
    if (system->steps[i].unknowns) fill_sparse_law(system, i, regularization, &entries);
  system->sparse->row_start[system->unknowns] = entries;
  return true;
}

/* --- blocks ----------------------------------------------------------------------------------------------------- */

/* The equations of a law in the columns of the laws it is coupled with; rows without an unknown are those of the unit
 * matrix. */
static void fill_law_blocks(picus_newton_system *system, int i, double regularization) {
  const picus_contact_problem *problem = system->problem;
  const picus_law_step *row = &system->steps[i];
  double reduced[PICUS_LAW_ROWS * PICUS_LAW_ROWS], values[PICUS_LAW_ROWS * PICUS_LAW_ROWS];
  const int blocks = row->unknowns ? picus_operator_of(problem)->block_count(problem, i) : 0;
  for (int b = 0; b < blocks; b++) {
    const picus_block block = picus_operator_of(problem)->block_at(problem, system->first_row, i, b);
    const picus_law_step *column = &system->steps[block.law];
    if (column->follows) {
      reduce_follower(system, i, block, reduced);
      const int width = problem->laws[block.law - 1].dim;
      memset(values, 0, sizeof values);
      for (int k = 0; k < row->unknowns; k++) values[k * width] = reduced[k];
      picus_block_lu_add(system->blocks, i, block.law - 1, values, width);
    }
    if (!column->unknowns) continue;
    reduce_block(system, i, block, reduced);
    memset(values, 0, sizeof values);
    for (int k = 0; k < row->unknowns; k++)
      for (int z = 0; z < column->unknowns; z++) values[k * block.dim + z] = reduced[k * column->unknowns + z];
    picus_block_lu_add(system->blocks, i, block.law, values, block.dim);
  }
  memset(values, 0, sizeof values);
  const int dim = problem->laws[i].dim;
  for (int k = 0; k < dim; k++) values[k * (dim + 1)] = k < row->unknowns ? row->own[k] + regularization : 1;
  picus_block_lu_add(system->blocks, i, i, values, dim);
}

static int compare_ints(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Whether every block has its counterpart, as in all problems of steps. */
static bool is_symmetric_pattern(const picus_block_matrix *G, int law_count) {
  for (int i = 0; i < law_count; i++)
    for (int b = G->row_start[i]; b < G->row_start[i + 1]; b++) {
      const int j = G->column[b], *row = G->column + G->row_start[j];
      if (!bsearch(&i, row, (size_t)(G->row_start[j + 1] - G->row_start[j]), sizeof i, compare_ints)) return false;
    }
  return true;
}

/* Operations of block-sparse factors, before the first ones of a solve; INFINITY: there are none. */
static double analyse_blocks(picus_newton_system *system) {
  const picus_block_matrix *G = system->problem->blocks;
  const int count = system->problem->law_count;
  if (!G || !system->blocks || 2.0 * G->row_start[count] > (double)count * count) return INFINITY; /* few zeros */
  if (!is_symmetric_pattern(G, count)) return INFINITY;
  const picus_block_pattern pattern = {count, G->first_row, G->row_start, G->column};
  return picus_block_lu_analyse(system->blocks, &pattern) ? picus_block_lu_operations(system->blocks) : INFINITY;
}

static bool factor_blocks(picus_newton_system *system, double regularization) {
  const int count = system->problem->law_count;
  system->unknowns = system->problem->size;
  for (int i = 0; i < count; i++) system->steps[i].first = system->first_row[i];
  picus_block_lu_clear(system->blocks);
  for (int i = 0; i < count; i++) fill_law_blocks(system, i, regularization);
  return picus_block_lu_factor(system->blocks);
}

/* -------------------------------------------------------------------------------------------------------------- */

bool picus_newton_factor(picus_newton_system *system, double regularization) {
  if (system->block_operations == 0) system->block_operations = analyse_blocks(system);
  system->unknowns = 0;
  for (int i = 0; i < system->problem->law_count; i++) {
    system->steps[i].first = system->unknowns;
    system->unknowns += system->steps[i].unknowns;
  }
  if (system->unknowns == 0) return true;
  const double order = system->unknowns;
  system->by_blocks = system->block_operations < fmin(BLOCK_SHARE * order * order * order, MOST_OPERATIONS);
  if (system->by_blocks) return factor_blocks(system, regularization);
  system->is_dense = system->unknowns <= PICUS_SPARSE_ROWS;
  if (!system->is_dense) {
    size_t entries = count_entries(system), n = (size_t)system->unknowns;
    system->is_dense = system->unknowns <= PICUS_SPARSE_ALWAYS_ROWS && entries * FEW_ZEROS >= n * n;
    if (!system->is_dense)
      return fill_sparse(system, entries, regularization) && picus_sparse_factor(system->sparse, MOST_OPERATIONS);
  }
  fill_dense(system, regularization);
  return picus_lu_factor(system->unknowns, system->dense, system->pivots);
}

void picus_newton_solve(const picus_newton_system *system, double *z) {
  if (system->unknowns == 0) return;
  if (system->by_blocks) {
    picus_block_lu_solve(system->blocks, z);
    return;
  }
  if (!system->is_dense)
    picus_sparse_solve(system->sparse, z);
  else
    picus_lu_solve(system->unknowns, system->dense, system->pivots, z);
}
