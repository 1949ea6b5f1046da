/* The system B G' + C of a factored problem, without G: on the graph of the bodies.
 *
 * With the changes of velocities dv = M^-1 W S dp, G' dp = S W^T dv, and dp follows from dv law by law,
 *
 *   dp = C^-1 (r - B S W^T dv),     (1 + M^-1 W S C^-1 B S W^T) dv = M^-1 W S C^-1 r.
 *
 * A law couples the velocities of its bodies only, so that the matrix for dv has a block for each pair of bodies in
 * contact, where G has one for each pair of contacts at a body. Both matrices have determinants of the same sign if C
 * has a positive one, and C = 1 - S' of smoothed projections does. */
#include "simultaneous/coupled.h"

#include "base/internal.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT_ROWS = 2 * PICUS_LAW_ROWS }; /* of a contact with its rolling law */

/* A law, or a contact with its rolling law. */
typedef struct unit {
  int law, laws, rows, columns;
  const int *column;
  double *C;   /* rows x rows, factored */
  int *pivots; /* rows */
} unit;

static unit unit_at(const picus_coupled_system *system, int law) {
  const picus_contact_problem *problem = system->scaled->problem;
  const picus_factored_matrix *f = problem->factors;
  const picus_body_graph *graph = system->graph;
  unit u = {.law = law,
            .laws = picus_law_is_rolled(problem, law) ? 2 : 1,
            .columns = f->start[law + 1] - f->start[law],
            .column = f->column + f->start[law]};
  for (int k = 0; k < u.laws; k++) u.rows += problem->laws[law + k].dim;
  u.C = graph->C + (size_t)system->scaled->first_row[law] * UNIT_ROWS;
  u.pivots = graph->pivots + system->scaled->first_row[law];
  return u;
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static bool reserve(picus_context *context, void *array, size_t count, size_t size) {
  void **place = array;
  picus_release(context, *place);
  *place = picus_allocate(context, count, size);
  return *place != NULL;
}

/* Memory for the laws and for velocities. */
static bool reserve_laws(picus_body_graph *g, const picus_contact_problem *problem) {
  const picus_factored_matrix *f = problem->factors;
  const size_t unknowns = (size_t)f->unknowns, rows = (size_t)problem->size;
  bool done = true;
  if (unknowns > g->unknown_capacity) {
    done = reserve(g->context, &g->laws_of, unknowns, sizeof *g->laws_of) &&
           reserve(g->context, &g->node_of, unknowns, sizeof *g->node_of) &&
           reserve(g->context, &g->place_of, unknowns, sizeof *g->place_of) &&
           reserve(g->context, &g->first, unknowns + 1, sizeof *g->first) &&
           reserve(g->context, &g->row_start, unknowns + 2, sizeof *g->row_start) &&
           reserve(g->context, &g->dv, unknowns, sizeof *g->dv);
    g->unknown_capacity = done ? unknowns : 0;
  }
  if (done && rows > g->row_capacity) {
    done = reserve(g->context, &g->C, rows * UNIT_ROWS, sizeof *g->C) &&
           reserve(g->context, &g->pivots, rows, sizeof *g->pivots);
    g->row_capacity = done ? rows : 0;
  }
  return done;
}

/* Neighbouring velocities that all laws have together, or none of them, are one node: a body, as a rule. The laws of a
 * velocity are compared by a hash, and the list of every law afterwards. */
static void find_nodes(picus_body_graph *g, const picus_contact_problem *problem, bool single) {
  const picus_factored_matrix *f = problem->factors;
  for (int k = 0; k < f->unknowns; k++) {
    g->laws_of[k] = 0;
    g->node_of[k] = -1;
  }
  for (int i = 0; i < problem->law_count; i++)
    for (int c = f->start[i]; c < f->start[i + 1]; c++)
      g->laws_of[f->column[c]] = (g->laws_of[f->column[c]] ^ (uint64_t)(i + 1)) * UINT64_C(0x9E3779B97F4A7C15) + 1;
  int nodes = 0, places = 0;
  for (int k = 0; k < f->unknowns; k++) {
    if (!g->laws_of[k]) continue;
    const bool joins = !single && k > 0 && g->node_of[k - 1] == nodes - 1 && nodes > 0 &&
                       g->laws_of[k] == g->laws_of[k - 1] && places - g->first[nodes - 1] < PICUS_BLOCK_MOST;
    if (!joins) g->first[nodes++] = places;
    g->node_of[k] = nodes - 1;
    g->place_of[k] = places++;
  }
  g->first[nodes] = places;
  g->nodes = nodes;
}

static int node_size(const picus_body_graph *g, int node) { return g->first[node + 1] - g->first[node]; }

/* Whether every law has whole nodes. */
static bool nodes_are_whole(const picus_body_graph *g, const picus_contact_problem *problem) {
  const picus_factored_matrix *f = problem->factors;
  for (int i = 0; i < problem->law_count; i++)
    for (int c = f->start[i]; c < f->start[i + 1];) {
      const int node = g->node_of[f->column[c]], size = node_size(g, node);
      if (g->place_of[f->column[c]] != g->first[node] || c + size > f->start[i + 1]) return false;
      for (int k = 0; k < size; k++)
        if (f->column[c + k] != f->column[c] + k) return false;
      c += size;
    }
  return true;
}

static int compare_pairs(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* All pairs of nodes that a law couples, by rows. */
static bool find_pairs(picus_body_graph *g, const picus_contact_problem *problem) {
  const picus_factored_matrix *f = problem->factors;
  size_t count = 0;
  for (int i = 0; i < problem->law_count; i++) {
    for (int c = f->start[i]; c < f->start[i + 1]; c += node_size(g, g->node_of[f->column[c]]))
      for (int d = f->start[i]; d < f->start[i + 1]; d += node_size(g, g->node_of[f->column[d]])) {
        if (count == g->pair_capacity && picus_grow(g->context, &g->pairs, count, &g->pair_capacity, sizeof *g->pairs))
          return false;
        g->pairs[count++] = (uint64_t)g->node_of[f->column[c]] << 32 | (uint64_t)g->node_of[f->column[d]];
      }
  }
  qsort(g->pairs, count, sizeof *g->pairs, compare_pairs);
  if (count > g->column_capacity) {
    if (!reserve(g->context, &g->column, count, sizeof *g->column)) return false;
    g->column_capacity = count;
  }
  int entries = 0, node = 0;
  g->row_start[0] = 0;
  for (size_t k = 0; k < count; k++) {
    if (k > 0 && g->pairs[k] == g->pairs[k - 1]) continue;
    for (const int row = (int)(g->pairs[k] >> 32); node < row;) g->row_start[++node] = entries;
    g->column[entries++] = (int)(g->pairs[k] & UINT32_MAX);
  }
  while (node < g->nodes) g->row_start[++node] = entries;
  return true;
}

bool picus_coupled_bodies_prepare(picus_coupled_system *system) {
  picus_body_graph *g = system->graph;
  const picus_contact_problem *problem = system->scaled->problem;
  g->lu.context = g->context;
  if (!reserve_laws(g, problem)) return false;
  find_nodes(g, problem, false);
  if (!nodes_are_whole(g, problem)) find_nodes(g, problem, true);
  if (!find_pairs(g, problem)) return false;
  const picus_block_pattern pattern = {
      .count = g->nodes, .first = g->first, .row_start = g->row_start, .column = g->column};
  return picus_block_lu_analyse(&g->lu, &pattern);
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* C of a unit and, unless NULL, B: those of its laws, and what ties the rolling law to its contact. */
static void join_laws(const picus_coupled_system *system, const unit *u, double *C, double *B) {
  const picus_law *laws = system->scaled->problem->laws + u->law;
  const int n = u->rows;
  memset(C, 0, (size_t)(n * n) * sizeof *C);
  if (B) memset(B, 0, (size_t)(n * n) * sizeof *B);
  for (int l = 0, first = 0; l < u->laws; first += laws[l++].dim)
    for (int i = 0; i < laws[l].dim; i++) {
      for (int j = 0; j < laws[l].dim; j++) {
        C[(first + i) * n + first + j] = system->C[u->law + l][i][j];
        if (B) B[(first + i) * n + first + j] = system->B[u->law + l][i][j];
      }
      if (l == 0) continue;
      C[(first + i) * n] = system->C_N[u->law + l][i];
      if (B) B[(first + i) * n] = system->B_N[u->law + l][i];
    }
}

static double scale_of_row(const picus_coupled_system *system, const unit *u, int row) {
  const int dim = system->scaled->problem->laws[u->law].dim;
  return system->scaled->scale[u->law + (row >= dim)];
}

/* A row of W^T or, if changes, of (M^-1 W)^T. */
static const double *row_at(const picus_coupled_system *system, const unit *u, int row, bool changes) {
  const picus_contact_problem *problem = system->scaled->problem;
  const picus_factored_matrix *f = problem->factors;
  const int dim = problem->laws[u->law].dim, law = u->law + (row >= dim), own = row >= dim ? row - dim : row;
  return (changes ? f->change : f->W) + f->offset[law] + (size_t)own * (size_t)u->columns;
}

/* (M^-1 W) S C^-1 B S W^T of a unit, for the columns of two nodes. */
static void add_unit(picus_coupled_system *system, const unit *u, const double *CB) {
  picus_body_graph *g = system->graph;
  const int n = u->rows;
  for (int d = 0; d < u->columns;) {
    const int to = g->node_of[u->column[d]], width = node_size(g, to);
    double right[UNIT_ROWS][PICUS_BLOCK_MOST]; /* S C^-1 B S W^T */
    for (int i = 0; i < n; i++)
      for (int k = 0; k < width; k++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
          sum += CB[i * n + j] * scale_of_row(system, u, j) * row_at(system, u, j, false)[d + k];
        right[i][k] = scale_of_row(system, u, i) * sum;
      }
    for (int c = 0; c < u->columns;) {
      const int from = g->node_of[u->column[c]], height = node_size(g, from);
      double block[PICUS_BLOCK_MOST * PICUS_BLOCK_MOST];
      for (int i = 0; i < height; i++)
        for (int k = 0; k < width; k++) {
          double sum = 0;
          for (int j = 0; j < n; j++) sum += row_at(system, u, j, true)[c + i] * right[j][k];
          block[i * width + k] = sum;
        }
      picus_block_lu_add(&g->lu, from, to, block, width);
      c += height;
    }
    d += width;
  }
}

/* The matrix for dv, assembled contact by contact, and its factors. */
bool picus_coupled_bodies_factor(picus_coupled_system *system, double most_operations) {
  picus_body_graph *g = system->graph;
  const picus_contact_problem *problem = system->scaled->problem;
  double one[PICUS_BLOCK_MOST * PICUS_BLOCK_MOST] = {0};
  if (picus_block_lu_operations(&g->lu) > most_operations) return false;
  picus_block_lu_clear(&g->lu);
  for (int k = 0; k < PICUS_BLOCK_MOST; k++) one[k * (PICUS_BLOCK_MOST + 1)] = 1;
  for (int node = 0; node < g->nodes; node++) picus_block_lu_add(&g->lu, node, node, one, PICUS_BLOCK_MOST);
  for (int i = 0; i < problem->law_count;) {
    const unit u = unit_at(system, i);
    double B[UNIT_ROWS * UNIT_ROWS], column[UNIT_ROWS];
    join_laws(system, &u, u.C, B);
    if (!picus_lu_factor(u.rows, u.C, u.pivots)) return false;
    for (int j = 0; j < u.rows; j++) {
      for (int k = 0; k < u.rows; k++) column[k] = B[k * u.rows + j];
      picus_lu_solve(u.rows, u.C, u.pivots, column);
      for (int k = 0; k < u.rows; k++) B[k * u.rows + j] = column[k];
    }
    add_unit(system, &u, B);
    i += u.laws;
  }
  return picus_block_lu_factor(&g->lu);
}

int picus_coupled_bodies_sign(const picus_coupled_system *system) { return system->graph->lu.sign; }

/* x := C^-1 (x - B S W^T dv) of a unit; without dv: x := C^-1 x. */
static void solve_unit(const picus_coupled_system *system, const unit *u, const double *dv, double *x) {
  const picus_body_graph *g = system->graph;
  if (dv) {
    double C[UNIT_ROWS * UNIT_ROWS], B[UNIT_ROWS * UNIT_ROWS], velocity[UNIT_ROWS];
    join_laws(system, u, C, B);
    for (int j = 0; j < u->rows; j++) {
      const double *W = row_at(system, u, j, false);
      velocity[j] = 0;
      for (int c = 0; c < u->columns; c++) velocity[j] += W[c] * dv[g->place_of[u->column[c]]];
      velocity[j] *= scale_of_row(system, u, j);
    }
    for (int i = 0; i < u->rows; i++)
      for (int j = 0; j < u->rows; j++) x[i] -= B[i * u->rows + j] * velocity[j];
  }
  picus_lu_solve(u->rows, u->C, u->pivots, x);
}

/* Three passes: the right side for dv from C^-1 r, dv by the factors, and dp of each contact from dv. */
void picus_coupled_bodies_solve(const picus_coupled_system *system, double *x) {
  const picus_body_graph *g = system->graph;
  const picus_scaled_problem *scaled = system->scaled;
  memset(g->dv, 0, (size_t)g->lu.order * sizeof *g->dv);
  for (int i = 0; i < scaled->problem->law_count;) {
    const unit u = unit_at(system, i);
    double dp[UNIT_ROWS];
    memcpy(dp, x + scaled->first_row[i], (size_t)u.rows * sizeof *dp);
    solve_unit(system, &u, NULL, dp);
    for (int j = 0; j < u.rows; j++) {
      const double *change = row_at(system, &u, j, true), share = scale_of_row(system, &u, j) * dp[j];
      for (int c = 0; c < u.columns; c++) g->dv[g->place_of[u.column[c]]] += change[c] * share;
    }
    i += u.laws;
  }
  picus_block_lu_solve(&g->lu, g->dv);
  for (int i = 0; i < scaled->problem->law_count;) {
    const unit u = unit_at(system, i);
    solve_unit(system, &u, g->dv, x + scaled->first_row[i]);
    i += u.laws;
  }
}

void picus_body_graph_release(picus_body_graph *g) {
  if (!g->context) return;
  void *const arrays[] = {g->laws_of, g->node_of, g->place_of, g->first, g->row_start,
                          g->column,  g->pairs,   g->dv,       g->C,     g->pivots};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(g->context, arrays[k]);
  picus_block_lu_release(&g->lu);
  *g = (picus_body_graph){.context = g->context};
}
