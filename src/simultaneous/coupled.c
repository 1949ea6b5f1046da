/* The system B G' + C in scaled percussions: dense when small, sparse when large. */
#include "simultaneous/coupled.h"

#include <float.h>
#include <string.h>

#define MOST_OPERATIONS 2e10 /* of one sparse factorization: about ten seconds */
#define LARGEST_RADIUS 1e100 /* as good as infinite, and products with it are still numbers */

/* --- scaling -------------------------------------------------------------------------------------------------- */

picus_memory_need picus_scaled_need(int law_count, int size) {
  return (picus_memory_need){.doubles = (size_t)law_count + 2 * (size_t)size, .ints = (size_t)law_count + 1};
}

void picus_scaled_prepare(picus_scaled_problem *scaled, const picus_contact_problem *problem,
                          picus_solver_memory *memory) {
  size_t laws = (size_t)problem->law_count, size = (size_t)problem->size;
  *scaled = (picus_scaled_problem){.problem = problem, .scale = memory->doubles, .first_row = memory->ints};
  scaled->P = scaled->scale + laws;
  scaled->xi = scaled->P + size;
  memory->doubles = scaled->xi + size;
  memory->ints += laws + 1;
  picus_contact_first_rows(problem, scaled->first_row);
  for (int i = 0; i < problem->law_count; i++) {
    int row = scaled->first_row[i];
    scaled->scale[i] = 1 / sqrt(picus_law_stiffness(problem, i, row));
    double load = scaled->scale[i] * picus_length(problem->laws[i].dim, problem->c + row);
    if (load > scaled->load) scaled->load = load;
  }
  if (!(scaled->load > DBL_MIN)) scaled->load = 1; /* nothing moves: nothing to scale */
}

void picus_scaled_from(const picus_scaled_problem *scaled, const double *P, double *p) {
  for (int i = 0; i < scaled->problem->law_count; i++)
    for (int k = scaled->first_row[i]; k < scaled->first_row[i + 1]; k++)
      p[k] = P[k] / (scaled->scale[i] * scaled->load);
}

void picus_scaled_to(const picus_scaled_problem *scaled, const double *p, double *P) {
  for (int i = 0; i < scaled->problem->law_count; i++)
    for (int k = scaled->first_row[i]; k < scaled->first_row[i + 1]; k++)
      P[k] = p[k] * (scaled->scale[i] * scaled->load);
}

void picus_scaled_velocity(picus_scaled_problem *scaled, const double *p, double *x) {
  picus_scaled_to(scaled, p, scaled->P);
  picus_operator_of(scaled->problem)->multiply(scaled->problem, scaled->P, scaled->xi);
  for (int i = 0; i < scaled->problem->law_count; i++)
    for (int k = scaled->first_row[i]; k < scaled->first_row[i + 1]; k++)
      x[k] = scaled->xi[k] * (scaled->scale[i] / scaled->load);
}

double picus_scaled_radius(const picus_scaled_problem *scaled, int law) {
  const picus_law *l = &scaled->problem->laws[law];
  double radius = l->radius;
  if (l->kind == PICUS_RESERVOIR) radius /= scaled->scale[law] * scaled->load;
  if (l->kind == PICUS_ROLLING) radius *= scaled->scale[law - 1] / scaled->scale[law];
  return radius < LARGEST_RADIUS ? radius : LARGEST_RADIUS;
}

double picus_scaled_judge(picus_scaled_problem *scaled, const double *p) {
  picus_scaled_to(scaled, p, scaled->P);
  picus_contact_project(scaled->problem, scaled->P);
  return picus_contact_judge(scaled->problem, scaled->P, NULL, NULL, NULL).relative;
}

/* --- system --------------------------------------------------------------------------------------------------- */

static size_t dense_rows(int size) { return (size_t)(size < PICUS_SPARSE_ROWS ? size : PICUS_SPARSE_ROWS); }

picus_memory_need picus_coupled_need(int law_count, int size) {
  size_t law_matrices = 2 * (size_t)law_count * (sizeof(picus_law_matrix) + sizeof(picus_law_vector)) / sizeof(double);
  return (picus_memory_need){.doubles = law_matrices + dense_rows(size) * dense_rows(size), .ints = dense_rows(size)};
}

void picus_coupled_prepare(picus_coupled_system *system, const picus_scaled_problem *scaled,
                           picus_solver_memory *memory) {
  size_t laws = (size_t)scaled->problem->law_count, rows = dense_rows(scaled->problem->size);
  *system = (picus_coupled_system){.scaled = scaled,
                                   .B = (picus_law_matrix *)memory->doubles,
                                   .pivots = memory->ints,
                                   .sparse = memory->coupled,
                                   .graph = memory->graph};
  system->C = system->B + laws;
  system->B_N = (picus_law_vector *)(system->C + laws);
  system->C_N = system->B_N + laws;
  system->dense = (double *)(system->C_N + laws);
  memory->doubles = system->dense + rows * rows;
  memory->ints += rows;
}

static bool is_large(const picus_coupled_system *system) { return system->scaled->problem->size > PICUS_SPARSE_ROWS; }

/* B_i G'_ij, and C_i on the diagonal; dim x block.dim values. */
static void couple_block(const picus_coupled_system *system, int law, picus_block block, double *values) {
  int dim = system->scaled->problem->laws[law].dim;
  double scale = system->scaled->scale[law] * system->scaled->scale[block.law];
  for (int k = 0; k < dim; k++)
    for (int l = 0; l < block.dim; l++) {
      double sum = 0;
      for (int m = 0; m < dim; m++) sum += system->B[law][k][m] * block.values[(size_t)m * block.stride + (size_t)l];
      values[k * block.dim + l] = scale * sum + (block.law == law ? system->C[law][k][l] : 0);
    }
}

/* The same for the rows of a rolling law, which also depend on the normal row of its contact. That row has the same
 * blocks; number: of this one. */
static void couple_rolling(const picus_coupled_system *system, int law, int number, picus_block block, double *values) {
  const picus_scaled_problem *scaled = system->scaled;
  const picus_block normal =
      picus_operator_of(scaled->problem)->block_at(scaled->problem, scaled->first_row, law - 1, number);
  const double scale = scaled->scale[law - 1] * scaled->scale[block.law];
  for (int k = 0; k < scaled->problem->laws[law].dim; k++) {
    for (int l = 0; l < block.dim; l++) values[k * block.dim + l] += system->B_N[law][k] * scale * normal.values[l];
    if (block.law == law - 1) values[k * block.dim] += system->C_N[law][k];
  }
}

static void couple(const picus_coupled_system *system, int law, int number, picus_block block, double *values) {
  couple_block(system, law, block, values);
  if (system->scaled->problem->laws[law].kind == PICUS_ROLLING) couple_rolling(system, law, number, block, values);
}

static void fill_dense(picus_coupled_system *system) {
  const picus_contact_problem *problem = system->scaled->problem;
  const int *first_row = system->scaled->first_row;
  size_t size = (size_t)problem->size;
  double values[PICUS_LAW_ROWS * PICUS_LAW_ROWS] = {0};
  memset(system->dense, 0, size * size * sizeof *system->dense);
  for (int i = 0; i < problem->law_count; i++) {
    int blocks = picus_operator_of(problem)->block_count(problem, i);
    for (int b = 0; b < blocks; b++) {
      picus_block block = picus_operator_of(problem)->block_at(problem, first_row, i, b);
      couple(system, i, b, block, values);
      for (int k = 0; k < problem->laws[i].dim; k++)
        memcpy(system->dense + (size_t)(first_row[i] + k) * size + (size_t)block.first_row, values + k * block.dim,
               (size_t)block.dim * sizeof *values);
    }
  }
}

/* A dense G also stores zero blocks; they need no entries. */
static bool is_nonzero(const picus_contact_problem *problem, int law, picus_block block) {
  for (int k = 0; k < problem->laws[law].dim; k++)
    for (int l = 0; l < block.dim; l++)
      if (block.values[(size_t)k * block.stride + (size_t)l] != 0) return true;
  return false;
}

static bool has_place(const picus_scaled_problem *scaled, int law, picus_block block) {
  const picus_contact_problem *problem = scaled->problem;
  if (block.law == law || !picus_operator_of(problem)->is_whole || is_nonzero(problem, law, block)) return true;
  if (problem->laws[law].kind != PICUS_ROLLING) return false;
  return block.law == law - 1 ||
         is_nonzero(problem, law - 1,
                    picus_operator_of(problem)->block_at(problem, scaled->first_row, law - 1, block.law));
}

/* Columns of a law's rows that have a place. */
static int row_width(const picus_scaled_problem *scaled, int law) {
  int width = 0, blocks = picus_operator_of(scaled->problem)->block_count(scaled->problem, law);
  for (int b = 0; b < blocks; b++) {
    picus_block block = picus_operator_of(scaled->problem)->block_at(scaled->problem, scaled->first_row, law, b);
    if (has_place(scaled, law, block)) width += block.dim;
  }
  return width;
}

static void fill_sparse_law(picus_coupled_system *system, int law, int *entries) {
  const picus_contact_problem *problem = system->scaled->problem;
  picus_sparse_system *sparse = system->sparse;
  double values[PICUS_LAW_ROWS * PICUS_LAW_ROWS] = {0};
  int dim = problem->laws[law].dim, width = row_width(system->scaled, law), filled = 0;
  int blocks = picus_operator_of(problem)->block_count(problem, law);
  for (int k = 0; k < dim; k++) sparse->row_start[system->scaled->first_row[law] + k] = *entries + k * width;
  for (int b = 0; b < blocks; b++) {
    picus_block block = picus_operator_of(problem)->block_at(problem, system->scaled->first_row, law, b);
    if (!has_place(system->scaled, law, block)) continue;
    couple(system, law, b, block, values);
    for (int k = 0; k < dim; k++)
      for (int l = 0; l < block.dim; l++) {
        sparse->column[*entries + k * width + filled + l] = block.first_row + l;
        sparse->values[*entries + k * width + filled + l] = values[k * block.dim + l];
      }
    filled += block.dim;
  }
  *entries += dim * width;
}

static bool fill_sparse(picus_coupled_system *system) {
  const picus_contact_problem *problem = system->scaled->problem;
  size_t most = 0;
  int entries = 0;
  for (int i = 0; i < problem->law_count; i++)
    most += (size_t)problem->laws[i].dim * (size_t)row_width(system->scaled, i);
  if (!picus_sparse_reserve(system->sparse, problem->size, most)) return false;
  for (int i = 0; i < problem->law_count; i++) fill_sparse_law(system, i, &entries);
  system->sparse->row_start[problem->size] = entries;
  return true;
}

static bool is_over_bodies(const picus_coupled_system *system) {
  return picus_operator_of(system->scaled->problem)->by_velocities;
}

bool picus_coupled_factor(picus_coupled_system *system) {
  if (is_over_bodies(system)) {
    if (!system->has_graph && !picus_coupled_bodies_prepare(system)) return false;
    system->has_graph = true;
    return picus_coupled_bodies_factor(system, MOST_OPERATIONS);
  }
  if (is_large(system)) return fill_sparse(system) && picus_sparse_factor(system->sparse, MOST_OPERATIONS);
  fill_dense(system);
  return picus_lu_factor(system->scaled->problem->size, system->dense, system->pivots);
}

int picus_coupled_sign(const picus_coupled_system *system) {
  if (is_over_bodies(system)) return picus_coupled_bodies_sign(system);
  return is_large(system) ? picus_sparse_sign(system->sparse)
                          : picus_lu_sign(system->scaled->problem->size, system->dense, system->pivots);
}

void picus_coupled_solve(const picus_coupled_system *system, double *x) {
  if (is_over_bodies(system))
    picus_coupled_bodies_solve(system, x);
  else if (is_large(system))
    picus_sparse_solve(system->sparse, x);
  else
    picus_lu_solve(system->scaled->problem->size, system->dense, system->pivots, x);
}
