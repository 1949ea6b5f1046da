/* Sweeps over bodies: heaps of spheres and disks, mixed with other laws, against a dense G that is multiplied out here.
 */
#include "support/check.h"

#include "contact/internal.h"
#include "simultaneous/coupled.h"
#include "sweep/anderson.h"
#include "sweep/body_problem.h"

#include <picus/contact.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static picus_context *context;

enum { MOST_LAWS = 260, MOST_BODIES = 70, MOST_ROWS = 4 * MOST_LAWS, MOST_UNKNOWNS = 6 * MOST_BODIES };

typedef struct heap {
  test_random random;
  bool planar;
  int bodies, nu, law_count, size, columns, numbers;
  double centre[MOST_BODIES][3], radius[MOST_BODIES], per_mass[MOST_BODIES], per_inertia[MOST_BODIES][3];
  double axes[MOST_BODIES][9]; /* of the angular velocity; rows */
  picus_law laws[MOST_LAWS];
  int start[MOST_LAWS + 1], column[MOST_LAWS * 12];
  size_t offset[MOST_LAWS];
  double W[MOST_LAWS * 48], change[MOST_LAWS * 48], c[MOST_ROWS], scratch[MOST_UNKNOWNS], P[MOST_ROWS];
  picus_mode modes[MOST_LAWS];
  picus_factored_matrix factors;
  picus_contact_problem problem;
} heap;

static double draw(heap *h) { return test_uniform(&h->random, 0, 1); }

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void scale3(double *a) {
  const double length = sqrt(dot3(a, a));
  for (int i = 0; i < 3; i++) a[i] /= length;
}

/* Two unit vectors across a third one. */
static void across(const double *n, double *t, double *s) {
  const double other[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
  cross(n, other, t);
  scale3(t);
  cross(n, t, s);
}

static void random_axes(heap *h, double *axes) {
  for (int i = 0; i < 3; i++) axes[i] = draw(h) - 0.5;
  scale3(axes);
  across(axes, axes + 3, axes + 6);
}

/* The rows of a body in a law: directions and where they act, relative to its centre. */
static void add_rows(heap *h, int law, int side, int count, int body, double sign, double d[4][3], const double *arm) {
  const int dim = h->laws[law].dim, nu = h->nu;
  const bool rolling = h->laws[law].kind == PICUS_ROLLING;
  for (int k = 0; k < dim; k++) {
    double *W = h->W + h->offset[law] + k * count + side * nu, *change = h->change + (W - h->W), turn[3], own[3];
    const double force[3] = {rolling ? 0 : sign * d[k][0], rolling ? 0 : sign * d[k][1], rolling ? 0 : sign * d[k][2]};
    cross(arm, force, turn);
    for (int i = 0; rolling && i < 3; i++) turn[i] = sign * d[k + 1][i];
    if (h->planar) {
      const double row[3] = {force[0], force[1], rolling ? sign : turn[2]};
      for (int i = 0; i < 3; i++) {
        W[i] = row[i];
        change[i] = row[i] * (i < 2 ? h->per_mass[body] : h->per_inertia[body][0]);
      }
      continue;
    }
    for (int i = 0; i < 3; i++) own[i] = dot3(h->axes[body] + 3 * i, turn);
    for (int i = 0; i < 3; i++) {
      W[i] = force[i];
      change[i] = force[i] * h->per_mass[body];
      W[3 + i] = own[i];
      change[3 + i] = own[i] * h->per_inertia[body][i];
    }
  }
  for (int i = 0; i < nu; i++) h->column[h->start[law] + side * nu + i] = nu * body + i;
}

/* A contact of body a, with body b or with something fixed (b < 0), whose normal pushes a along n. */
static void add_law(heap *h, picus_law law, int a, int b, const double *n, double slant) {
  double d[4][3] = {{n[0], n[1], n[2]}}, arm[3];
  across(n, d[1], d[2]);
  if (h->planar) {
    d[1][0] = -n[1];
    d[1][1] = n[0];
    d[1][2] = 0;
  }
  const int i = h->law_count++, count = (b < 0 ? 1 : 2) * h->nu;
  h->laws[i] = law;
  h->offset[i] = (size_t)h->numbers;
  for (int side = 0; side < (b < 0 ? 1 : 2); side++) {
    const int body = side ? b : a;
    for (int k = 0; k < 3; k++) arm[k] = h->radius[body] * ((side ? 1 : -1) * n[k] + slant * d[1][k]);
    add_rows(h, i, side, count, body, side ? -1 : 1, d, arm);
  }
  for (int k = 0; k < law.dim; k++)
    h->c[h->size + k] = law.kind == PICUS_ROLLING ? 0.1 * (draw(h) - 0.5) : k == 0 ? -draw(h) : draw(h) - 0.5;
  h->columns += count;
  h->numbers += count * law.dim;
  h->size += law.dim;
  h->start[i + 1] = h->columns;
}

/* Bodies on a grid, each in contact with its neighbours below and beside; the lowest on the ground. others: some of the
 * laws are not round. */
static void build(heap *h, unsigned long long seed, bool planar, bool others) {
  memset(h, 0, sizeof *h);
  h->random.state = seed;
  h->planar = planar;
  h->nu = planar ? 3 : 6;
  const int side = planar ? 8 : 4, dim = planar ? 2 : 3;
  h->bodies = 64;
  for (int i = 0; i < h->bodies; i++) {
    const int place[3] = {i % side, i / side % side, planar ? 0 : i / (side * side)};
    for (int k = 0; k < 3; k++) h->centre[i][k] = place[k] + (planar && k == 2 ? 0 : 0.2 * (draw(h) - 0.5));
    h->radius[i] = 0.3 + 0.2 * draw(h);
    h->per_mass[i] = 0.5 + draw(h);
    const double inertia = (2 + draw(h)) * h->per_mass[i] / (h->radius[i] * h->radius[i]);
    const bool uneven = others && i % 7 == 3;
    for (int k = 0; k < 3; k++) h->per_inertia[i][k] = inertia * (uneven ? 1 + 0.3 * k : 1);
    random_axes(h, h->axes[i]);
  }
  for (int i = 0; i < h->bodies; i++) {
    const int strides[3] = {1, side, side * side}, last = planar ? 2 : 3;
    for (int k = 0; k < last; k++) {
      const bool inside = (i / strides[k]) % side > 0;
      const double slant = others && i % 5 == 2 ? 0.2 : 0;
      const picus_law contact = {PICUS_COULOMB, dim, 0.3 * draw(h)};
      if (!inside && k < last - 1) continue;
      if (h->law_count + 2 > MOST_LAWS) return;
      double n[3] = {0, 0, 0};
      n[last - 1] = 1;
      const int other = inside ? i - strides[k] : -1;
      for (int m = 0; inside && m < 3; m++) n[m] = h->centre[i][m] - h->centre[other][m];
      scale3(n);
      /* velocities of a law are in the order of bodies: the first is the one with the smaller number */
      for (int m = 0; inside && m < 3; m++) n[m] = -n[m];
      if (inside)
        add_law(h, contact, other, i, n, slant);
      else
        add_law(h, contact, i, -1, n, slant);
      if (others && i % 6 == 1)
        add_law(h, (picus_law){PICUS_ROLLING, planar ? 1 : 2, 0.05}, inside ? other : i, inside ? i : -1, n, slant);
      if (others && i % 11 == 4 && h->law_count < MOST_LAWS && inside)
        add_law(h, (picus_law){PICUS_UNILATERAL, 1, 0}, other, i, n, 0.4);
    }
  }
}

static void finish(heap *h) {
  h->factors = (picus_factored_matrix){.unknowns = h->nu * h->bodies,
                                       .start = h->start,
                                       .column = h->column,
                                       .offset = h->offset,
                                       .W = h->W,
                                       .change = h->change,
                                       .scratch = h->scratch};
  h->problem = (picus_contact_problem){
      .law_count = h->law_count, .laws = h->laws, .size = h->size, .c = h->c, .factors = &h->factors};
}

/* G, row-major, from rows that are as wide as the system. */
static double *multiply_out(const heap *h) {
  const size_t unknowns = (size_t)h->factors.unknowns, size = (size_t)h->size;
  double *W = calloc(2 * size * unknowns, sizeof *W), *change = W + size * unknowns,
         *G = calloc(size * size, sizeof *G);
  size_t row = 0;
  for (int i = 0; i < h->law_count; i++)
    for (int k = 0; k < h->laws[i].dim; k++, row++)
      for (int c = h->start[i], m = 0; c < h->start[i + 1]; c++, m++) {
        const size_t at = h->offset[i] + (size_t)(k * (h->start[i + 1] - h->start[i]) + m);
        W[row * unknowns + (size_t)h->column[c]] = h->W[at];
        change[row * unknowns + (size_t)h->column[c]] = h->change[at];
      }
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++)
      for (size_t u = 0; u < unknowns; u++) G[i * size + j] += W[i * unknowns + u] * change[j * unknowns + u];
  free(W);
  return G;
}

static picus_status solve(heap *h, const picus_contact_problem *problem, const char *name, double tolerance,
                          picus_solve_info *info) {
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver;
  options.solver = name;
  options.tolerance = tolerance;
  options.no_fallback = true;
  if (!CHECK(picus_solver_create(context, &options, &solver) == PICUS_OK)) return PICUS_ERROR_MEMORY;
  memset(h->P, 0, sizeof h->P);
  memset(h->modes, 0, sizeof h->modes);
  picus_status status = picus_solver_solve(solver, problem, h->P, h->modes, info);
  picus_solver_destroy(solver);
  return status;
}

/* The answer solves the problem with the dense G, and agrees with that of a solver which knows no bodies. */
static void check_against_dense(heap *h, const char *what) {
  finish(h);
  double *G = multiply_out(h);
  static double by_bodies[MOST_ROWS];
  picus_solve_info info;
  const picus_contact_problem dense = {.law_count = h->law_count, .laws = h->laws, .size = h->size, .c = h->c, .G = G};
  if (!CHECK(solve(h, &h->problem, "gs", 1e-13, &info) == PICUS_OK))
    printf("  %s: %g after %d sweeps\n", what, info.residual.relative, info.iterations);
  memcpy(by_bodies, h->P, sizeof by_bodies);
  const picus_residual residual = picus_contact_residual(&dense, by_bodies, NULL);
  if (!CHECK(residual.relative < 1e-12)) printf("  %s: %g with dense G\n", what, residual.relative);
  CHECK(solve(h, &dense, "gs", 1e-13, &info) == PICUS_OK);
  double worst = 0, largest = 0;
  for (int k = 0; k < h->size; k++) {
    worst = fmax(worst, fabs(h->P[k] - by_bodies[k]));
    largest = fmax(largest, fabs(h->P[k]));
  }
  if (!CHECK(worst < 1e-10 * largest)) printf("  %s: percussions differ by %g\n", what, worst / largest);
  free(G);
}

static heap h;

static void heaps_against_dense(void) {
  for (int seed = 1; seed <= 4; seed++)
    for (int planar = 0; planar < 2; planar++)
      for (int others = 0; others < 2; others++) {
        char what[64];
        (void)snprintf(what, sizeof what, "seed %d, %s, %s", seed, planar ? "planar" : "spatial",
                       others ? "mixed laws" : "round");
        build(&h, (unsigned long long)seed, planar, others);
        check_against_dense(&h, what);
      }
}

/* What the problem is made of: spheres are found in whatever axes their angular velocities have. */
static void spheres_are_found(void) {
  picus_body_memory memory = {.context = context};
  double *vectors;
  build(&h, 5, false, false);
  finish(&h);
  picus_body_problem bodies = {.problem = &h.problem, .is_coloured = true};
  CHECK(picus_body_problem_create(&memory, 1, &bodies, &vectors));
  CHECK(bodies.round_count == h.law_count && bodies.general_count == 0);
  CHECK(bodies.colour_count >= 6 && bodies.colour_count <= 11); /* 6 contacts of a body inside */
  build(&h, 5, false, true);
  finish(&h);
  bodies = (picus_body_problem){.problem = &h.problem, .is_coloured = true};
  CHECK(picus_body_problem_create(&memory, 1, &bodies, &vectors));
  CHECK(bodies.round_count > h.law_count / 5 && bodies.general_count > h.law_count / 5);
  /* no two laws of a colour share a body */
  for (int k = 0; k < bodies.colour_count; k++) {
    const law_colour *c = &bodies.colours[k];
    static int seen[MOST_UNKNOWNS];
    memset(seen, 0, sizeof seen);
    bool apart = true;
    for (int m = 0; m < c->round_count + c->general_count; m++) {
      const int law = m < c->round_count ? bodies.round_law[c->first_round + m]
                                         : bodies.generals[c->first_general + m - c->round_count].law;
      if (h.laws[law].kind == PICUS_ROLLING) continue; /* visited with its contact */
      for (int i = h.start[law]; i < h.start[law + 1]; i++) apart = apart && !seen[h.column[i]]++;
    }
    CHECK(apart);
  }
  picus_body_memory_release(&memory);
}

/* The percussions of rows as vectors of space, and back. */
static void percussions_return(void) {
  picus_body_memory memory = {.context = context};
  double *vectors;
  static double P[MOST_ROWS], back[MOST_ROWS];
  for (int planar = 0; planar < 2; planar++) {
    build(&h, 9, planar, true);
    finish(&h);
    for (int k = 0; k < h.size; k++) P[k] = draw(&h) - 0.5;
    picus_body_problem bodies = {.problem = &h.problem, .is_coloured = planar == 0};
    if (!CHECK(picus_body_problem_create(&memory, 1, &bodies, &vectors))) break;
    picus_body_problem_put(&bodies, P);
    picus_body_problem_get(&bodies, bodies.x, back);
    double worst = 0;
    for (int k = 0; k < h.size; k++) worst = fmax(worst, fabs(P[k] - back[k]));
    CHECK(worst < 1e-14);
  }
  picus_body_memory_release(&memory);
}

/* The residual by bodies is that of the problem, for any percussions: open, sticking, slipping, not in their sets. */
static void residuals_agree(void) {
  picus_body_memory memory = {.context = context};
  double *vectors;
  static double P[MOST_ROWS];
  for (int seed = 0; seed < 20; seed++) {
    build(&h, 50 + (unsigned long long)seed, seed % 2, seed % 4 > 1);
    finish(&h);
    const double size = pow(10, seed % 5 - 2);
    for (int k = 0; k < h.size; k++) P[k] = size * (draw(&h) - 0.3);
    picus_body_problem bodies = {.problem = &h.problem, .is_coloured = seed % 3 == 0};
    if (!CHECK(picus_body_problem_create(&memory, 1, &bodies, &vectors))) break;
    picus_body_problem_put(&bodies, P);
    picus_body_problem_load(&bodies); /* puts them into their sets */
    for (int sweep = 0; sweep < 4; sweep++) {
      picus_body_problem_get(&bodies, bodies.x, P);
      const double mine = picus_body_problem_residual(&bodies),
                   judged = picus_contact_residual(&h.problem, P, NULL).relative;
      if (!CHECK(judged > 0 && fabs(mine - judged) < 1e-10 * judged)) printf("  %d: %g, not %g\n", seed, mine, judged);
      picus_body_problem_sweep(&bodies);
    }
  }
  picus_body_memory_release(&memory);
}

/* A solver that has solved other problems before gives the same bits. */
static void same_bits_after_others(void) {
  static double first[MOST_ROWS];
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver;
  options.solver = "gs";
  if (!CHECK(picus_solver_create(context, &options, &solver) == PICUS_OK)) return;
  for (int round = 0; round < 3; round++) {
    build(&h, round == 1 ? 21 : 20, round == 1, round != 1);
    finish(&h);
    CHECK(picus_solver_solve(solver, &h.problem, h.P, h.modes, NULL) == PICUS_OK);
    if (round == 0) memcpy(first, h.P, sizeof first);
  }
  CHECK(memcmp(first, h.P, sizeof first) == 0);
  picus_solver_destroy(solver);
}

/* --- threads -------------------------------------------------------------------------------------------------- */

/* Twenty sweeps with a load after each, the colours divided among threads. */
static void sweep_on(int threads, double *x) {
  picus_context *own;
  double *vectors;
  REQUIRE(picus_context_create(NULL, &own) == PICUS_OK && picus_context_set_threads(own, threads) == PICUS_OK);
  picus_body_memory memory = {.context = own};
  picus_body_problem b = {.problem = &h.problem, .is_coloured = true, .context = own, .task_laws = 2};
  if (CHECK(picus_body_problem_create(&memory, 1, &b, &vectors))) {
    picus_body_problem_put(&b, h.P);
    body_pass pass = {0, 0};
    for (int k = 0; k < 20; k++) {
      picus_body_problem_load(&b);
      pass = picus_body_problem_sweep(&b);
    }
    memcpy(x, b.x, (size_t)b.x_count * sizeof *x);
    x[b.x_count] = pass.change;
    x[b.x_count + 1] = pass.percussion;
  }
  picus_body_memory_release(&memory);
  picus_context_destroy(own);
}

static void sweeps_have_the_same_bits_on_threads(void) {
  static double alone[2 * MOST_ROWS], together[2 * MOST_ROWS];
  for (int planar = 0; planar < 2; planar++)
    for (int threads = 2; threads <= 5; threads++) {
      build(&h, 40, planar, true);
      finish(&h);
      for (int k = 0; k < h.size; k++) h.P[k] = draw(&h);
      sweep_on(1, alone);
      sweep_on(threads, together);
      CHECK(alone[0] != 0 && memcmp(alone, together, sizeof alone) == 0);
    }
}

enum { LONG = 20011 };

/* A linear iteration with factors between 0 and 1, mixed. */
static void mix_on(int threads, bool wide, double *P) {
  static double weight[LONG], before[LONG];
  picus_context *own;
  picus_anderson mixing;
  test_random random = {.state = 3};
  double *memory = calloc(picus_anderson_need(LONG), sizeof *memory);
  REQUIRE(picus_context_create(NULL, &own) == PICUS_OK && picus_context_set_threads(own, threads) == PICUS_OK);
  for (int k = 0; k < LONG; k++) {
    weight[k] = test_uniform(&random, 0.5, 2);
    P[k] = test_uniform(&random, -1, 1);
  }
  picus_anderson_start(&mixing, LONG, weight, memory);
  mixing.context = own;
  mixing.wide = mixing.wide && wide;
  for (int sweep = 0; sweep < 30; sweep++) {
    memcpy(before, P, sizeof before);
    for (int k = 0; k < LONG; k++) P[k] = 1 + 0.9 * (k % 7) / 7.0 * (P[k] - 1);
    picus_anderson_mix(&mixing, before, P);
  }
  free(memory);
  picus_context_destroy(own);
}

/* On threads, and with the vectors that every processor has. Seven different factors are gone after eight sweeps: the
 * limit is 1. */
static void mixing_has_the_same_bits(void) {
  static double alone[LONG], together[LONG];
  mix_on(1, true, alone);
  double worst = 0;
  for (int k = 0; k < LONG; k++) worst = fmax(worst, fabs(alone[k] - 1));
  if (!CHECK(worst < 1e-9)) printf("  %g from the limit\n", worst);
  for (int threads = 2; threads <= 5; threads++) {
    mix_on(threads, threads % 2 == 0, together);
    CHECK(memcmp(alone, together, sizeof alone) == 0);
  }
}

/* Against the quadratic form of a dense G. */
static void best_multiple(void) {
  for (int planar = 0; planar < 2; planar++) {
    build(&h, 50, planar, true);
    finish(&h);
    for (int k = 0; k < h.size; k++) h.P[k] = draw(&h);
    picus_contact_project(&h.problem, h.P);
    double *G = multiply_out(&h), square = 0, along = 0;
    for (int i = 0; i < h.size; i++) {
      along += h.c[i] * h.P[i];
      for (int j = 0; j < h.size; j++) square += h.P[i] * G[i * h.size + j] * h.P[j];
    }
    free(G);
    for (int sign = -1; sign <= 1; sign += 2) {
      picus_body_memory memory = {.context = context};
      picus_body_problem b = {.problem = &h.problem};
      double *vectors;
      REQUIRE(picus_body_problem_create(&memory, 1, &b, &vectors));
      picus_body_problem_put(&b, h.P);
      picus_body_problem_load(&b);
      const double expected = fmax(-along / square, 0), found = picus_body_problem_best_multiple(&b);
      CHECK_NEAR(found, expected, 1e-10 * fmax(1, expected));
      picus_body_memory_release(&memory);
      for (int k = 0; k < h.size; k++) h.c[k] = -h.c[k];
      along = -along;
    }
  }
}

/* Numbers that are not finite, directly at the sweeps: they end, and P stays finite. */
static void hostile_numbers(void) {
  const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
  for (int k = 0; k < 4; k++) {
    picus_solve_info info;
    build(&h, 30, false, true);
    finish(&h);
    h.c[17] = bad[k];
    picus_status status = solve(&h, &h.problem, "gs", 1e-12, &info);
    CHECK(status == PICUS_NOT_CONVERGED || (k == 3 && !status));
    bool finite = true;
    for (int i = 0; i < h.size; i++) finite = finite && isfinite(h.P[i]);
    CHECK(finite);
  }
}

/* B G + C of the laws, with random B and C that have a positive determinant, solved on the graph of the bodies and with
 * the dense G. */
static void body_graph_solves_like_dense(void) {
  static double x[2][MOST_ROWS];
  for (int seed = 1; seed <= 12; seed++) {
    build(&h, 40 + (unsigned long long)seed, seed % 2 == 0, seed % 4 > 1);
    finish(&h);
    double *G = multiply_out(&h), *memory = calloc(8000000, sizeof *memory);
    int *ints = calloc(100000, sizeof *ints), sign[2] = {0, 0};
    const picus_contact_problem dense = {.law_count = h.law_count, .laws = h.laws, .size = h.size, .c = h.c, .G = G};
    picus_sparse_system sparse = {0};
    picus_body_graph graph = {.context = context};
    for (int k = 0; k < 2; k++) {
      picus_solver_memory own = {.doubles = memory, .ints = ints, .coupled = &sparse, .graph = &graph};
      picus_scaled_problem scaled;
      picus_coupled_system system;
      test_random random = {(unsigned long long)seed};
      picus_scaled_prepare(&scaled, k ? &dense : &h.problem, &own);
      picus_coupled_prepare(&system, &scaled, &own);
      for (int i = 0; i < h.law_count; i++)
        for (int r = 0; r < PICUS_LAW_ROWS; r++) {
          for (int c = 0; c < PICUS_LAW_ROWS; c++) {
            system.B[i][r][c] = test_uniform(&random, -1, 1) + (r == c ? 0.2 * seed - 1 : 0);
            system.C[i][r][c] = r == c ? 1 + test_uniform(&random, 0, 1) : test_uniform(&random, -0.3, 0.3);
          }
          system.B_N[i][r] = test_uniform(&random, -1, 1);
          system.C_N[i][r] = test_uniform(&random, -1, 1);
        }
      for (int i = 0; i < h.size; i++) x[k][i] = test_uniform(&random, -1, 1);
      REQUIRE(picus_coupled_factor(&system));
      picus_coupled_solve(&system, x[k]);
      sign[k] = picus_coupled_sign(&system);
    }
    double worst = 0, largest = 0;
    for (int i = 0; i < h.size; i++) {
      worst = fmax(worst, fabs(x[0][i] - x[1][i]));
      largest = fmax(largest, fabs(x[1][i]));
    }
    if (!CHECK(worst < 1e-8 * largest)) printf("  seed %d: differs by %g of %g\n", seed, worst, largest);
    CHECK(sign[0] == sign[1]);
    picus_sparse_release(&sparse);
    picus_body_graph_release(&graph);
    free(G);
    free(memory);
    free(ints);
  }
}

/* Homotopy takes the factors of heaps with many contacts on each body, and finds solutions of the dense problem. */
static void homotopy_on_bodies(void) {
  int with_factors = 0;
  for (int seed = 1; seed <= 6; seed++) {
    picus_solve_info info;
    build(&h, 60 + (unsigned long long)seed, seed % 2 == 0, seed % 3 > 0);
    finish(&h);
    double *G = multiply_out(&h);
    const picus_contact_problem dense = {.law_count = h.law_count, .laws = h.laws, .size = h.size, .c = h.c, .G = G};
    with_factors += picus_homotopy_solver.prefers_factors(&h.problem);
    CHECK(solve(&h, &h.problem, "homotopy", 1e-11, &info) == PICUS_OK);
    CHECK(picus_contact_residual(&dense, h.P, NULL).relative < 2e-11);
    free(G);
  }
  CHECK(with_factors > 0 && with_factors < 6);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"heaps_against_dense", heaps_against_dense},
      {"spheres_are_found", spheres_are_found},
      {"percussions_return", percussions_return},
      {"same_bits_after_others", same_bits_after_others},
      {"residuals_agree", residuals_agree},
      {"sweeps_have_the_same_bits_on_threads", sweeps_have_the_same_bits_on_threads},
      {"mixing_has_the_same_bits", mixing_has_the_same_bits},
      {"best_multiple", best_multiple},
      {"hostile_numbers", hostile_numbers},
      {"body_graph_solves_like_dense", body_graph_solves_like_dense},
      {"homotopy_on_bodies", homotopy_on_bodies},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_bodies", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
