/* Solver "newton", the linear system of a step: it contains only the unknown rows. Open contacts and slipping friction
 * are known, so that most systems are much smaller than the problem. */
#include "solver/newton.h"

#include <string.h>

enum { FEW_ZEROS = 4 }; /* one entry of so many: the factors will be full anyway */

#define MOST_OPERATIONS 2e10 /* of one sparse factorization: about ten seconds */

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

/* -------------------------------------------------------------------------------------------------------------- */

bool picus_newton_factor(picus_newton_system *system, double regularization) {
  system->unknowns = 0;
  for (int i = 0; i < system->problem->law_count; i++) {
    system->steps[i].first = system->unknowns;
    system->unknowns += system->steps[i].unknowns;
  }
  if (system->unknowns == 0) return true;
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
  if (!system->is_dense)
    picus_sparse_solve(system->sparse, z);
  else
    picus_lu_solve(system->unknowns, system->dense, system->pivots, z);
}
