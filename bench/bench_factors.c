/* When G by factors pays: a sweep of gs with factors and with blocks, for bodies in a row with few or many contacts
 * between neighbours. */
#include "bench.h"
#include "clock.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODY = 6, WIDTH = 2 * BODY, ROWS = 3, SWEEPS = 64, ROUNDS = 5 };

/* Spatial bodies of unit inertia in a row on the ground; contacts between neighbours, at random points. */
typedef struct row_of_bodies {
  picus_law *laws;
  int *start, *column;
  size_t *offset;
  double *W, *scratch, *c, *P;
  picus_mode *modes;
  picus_factored_matrix factors;
  picus_contact_problem problem;
} row_of_bodies;

static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* Rows of W^T of one body: the directions n, t, b of a contact at the point r, and r x them. */
static void fill_rows(double *W, int first, const double *r, double sign) {
  for (int k = 0; k < ROWS; k++) {
    double e[3] = {k == 0, k == 1, k == 2}, *row = W + (size_t)k * WIDTH + first;
    for (int j = 0; j < 3; j++) {
      row[j] = sign * e[j];
      row[3 + j] = sign * (r[(j + 1) % 3] * e[(j + 2) % 3] - r[(j + 2) % 3] * e[(j + 1) % 3]);
    }
  }
}

static void destroy(row_of_bodies *b) {
  free(b->laws);
  free(b->start);
  free(b->column);
  free(b->offset);
  free(b->W);
  free(b->scratch);
  free(b->c);
  free(b->P);
  free(b->modes);
}

static bool create(row_of_bodies *b, int bodies, int contacts_of_pair) {
  size_t laws = (size_t)bodies * (size_t)contacts_of_pair;
  uint64_t state = 42;
  *b = (row_of_bodies){.laws = calloc(laws, sizeof *b->laws),
                       .start = calloc(laws + 1, sizeof(int)),
                       .column = calloc(laws * WIDTH, sizeof(int)),
                       .offset = calloc(laws, sizeof(size_t)),
                       .W = calloc(laws * ROWS * WIDTH, sizeof(double)),
                       .scratch = calloc((size_t)(bodies + 1) * BODY, sizeof(double)),
                       .c = calloc(laws * ROWS, sizeof(double)),
                       .P = calloc(laws * ROWS, sizeof(double)),
                       .modes = calloc(laws, sizeof *b->modes)};
  if (!(b->laws && b->start && b->column && b->offset && b->W && b->scratch && b->c && b->P && b->modes)) return false;
  for (size_t i = 0; i < laws; i++) {
    int body = (int)i / contacts_of_pair;
    double r[3] = {-1, uniform(&state), uniform(&state)}, s[3] = {1, r[1], r[2]};
    b->laws[i] = (picus_law){PICUS_COULOMB, ROWS, 0.3};
    b->start[i + 1] = (int)(i + 1) * WIDTH;
    b->offset[i] = i * ROWS * WIDTH;
    for (int k = 0; k < WIDTH; k++) b->column[i * WIDTH + (size_t)k] = body * BODY + k; /* this one and the next */
    fill_rows(b->W + b->offset[i], 0, s, -1);
    fill_rows(b->W + b->offset[i], BODY, r, 1);
    b->c[i * ROWS] = -1 + 0.1 * uniform(&state);
    b->c[i * ROWS + 1] = 0.1 * uniform(&state);
  }
  b->factors = (picus_factored_matrix){.unknowns = (bodies + 1) * BODY,
                                       .start = b->start,
                                       .column = b->column,
                                       .offset = b->offset,
                                       .W = b->W,
                                       .change = b->W, /* unit inertia */
                                       .scratch = b->scratch};
  b->problem = (picus_contact_problem){
      .law_count = (int)laws, .laws = b->laws, .size = (int)laws * ROWS, .c = b->c, .factors = &b->factors};
  return true;
}

/* Seconds of a sweep; all of them, whatever the residual. */
static double time_sweep(picus_context *context, const picus_contact_problem *problem, row_of_bodies *b) {
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  picus_solve_info info;
  options.solver = "gs";
  options.no_fallback = true;
  options.tolerance = 1e-300;
  options.max_iterations = SWEEPS;
  double best = INFINITY;
  if (picus_solver_create(context, &options, &solver) != PICUS_OK) return best;
  if (picus_solver_reserve(solver, problem->law_count, problem->size) == PICUS_OK)
    for (int round = 0; round < ROUNDS; round++) {
      for (int k = 0; k < problem->size; k++) b->P[k] = 0;
      double begin = seconds_now();
      picus_solver_solve(solver, problem, b->P, b->modes, &info);
      best = fmin(best, (seconds_now() - begin) / info.iterations);
    }
  picus_solver_destroy(solver);
  return best;
}

static bool measure(picus_context *context, int bodies, int contacts_of_pair) {
  row_of_bodies b;
  picus_problem *blocks = NULL;
  bool good = create(&b, bodies, contacts_of_pair);
  if (good) good = picus_problem_copy(context, &b.problem, NULL, &blocks) == PICUS_OK; /* multiplies out */
  if (good) {
    double by_factors = time_sweep(context, &b.problem, &b);
    double by_blocks = time_sweep(context, picus_problem_contacts(blocks), &b);
    int count = b.problem.law_count;
    printf("  %4d contacts, %3d between two bodies %9.2f %9.2f %9.2f\n", count, contacts_of_pair,
           1e9 * by_blocks / count, 1e9 * by_factors / count, by_blocks / by_factors);
  }
  picus_problem_destroy(blocks);
  destroy(&b);
  return good;
}

bool bench_factors(void) {
  picus_context *context = NULL;
  bool good = picus_context_create(NULL, &context) == PICUS_OK;
  printf("gs, ns for each contact and sweep           by blocks by factors    ratio\n");
  for (int per_pair = 1; good && per_pair <= 256; per_pair *= 2) good = measure(context, 256 / per_pair, per_pair);
  if (!good) (void)bench_failed("factors", context);
  picus_context_destroy(context);
  return good;
}
