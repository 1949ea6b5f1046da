#include "bench.h"
#include "clock.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* Random friction problems, planar and spatial, with G = W^T W, W of one row more than columns: regular, with opening,
 * sticking and slipping contacts among them. */
enum { most_contacts = 4, most_rows = 3 * most_contacts, problem_count = 64, rounds = 10, repetitions = 20 };

typedef struct random_problem {
  picus_law laws[most_contacts];
  double G[most_rows * most_rows], c[most_rows];
  picus_contact_problem problem;
  double P_near[most_rows]; /* solution of a problem with slightly different c: a warm start */
  picus_mode modes_near[most_contacts];
} random_problem;

/* splitmix64, as a number in [-1, 1) */
static double uniform(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

static void make_problem(random_problem *out, int contacts, int dim, uint64_t *state) {
  const int rows = dim * contacts, dofs = rows + 1;
  double W[(most_rows + 1) * most_rows];
  for (int i = 0; i < dofs * rows; i++) W[i] = uniform(state);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      double sum = 0;
      for (int k = 0; k < dofs; k++) sum += W[k * rows + i] * W[k * rows + j];
      out->G[i * rows + j] = sum;
    }
    out->c[i] = uniform(state) - (i % dim == 0 ? 0.5 : 0);
  }
  for (int k = 0; k < contacts; k++) out->laws[k] = (picus_law){PICUS_COULOMB, dim, 0.3};
  out->problem =
      (picus_contact_problem){.law_count = contacts, .laws = out->laws, .size = rows, .G = out->G, .c = out->c};
}

typedef struct solver_times {
  double cold, warm; /* best time per solve, s */
  double iterations; /* per solve from cold */
  long failures;     /* problems not solved, from cold */
  long solves;       /* from cold */
} solver_times;

/* Solves every problem from a cold or a warm start; the time per solve. */
static double time_solves(picus_solver *solver, const random_problem *problems, bool warm, solver_times *times) {
  const double start = seconds_now();
  for (int round = 0; round < rounds; round++) {
    for (int p = 0; p < problem_count; p++) {
      double P[most_rows] = {0};
      picus_mode modes[most_contacts] = {PICUS_OPEN};
      picus_solve_info info;
      for (int i = 0; warm && i < problems[p].problem.size; i++) P[i] = problems[p].P_near[i];
      for (int k = 0; warm && k < problems[p].problem.law_count; k++) modes[k] = problems[p].modes_near[k];
      const picus_status status = picus_solver_solve(solver, &problems[p].problem, P, modes, &info);
      if (warm) continue;
      times->failures += status != PICUS_OK;
      times->iterations += info.iterations;
      times->solves++;
    }
  }
  return (seconds_now() - start) / (rounds * problem_count);
}

static bool prepare_warm_starts(picus_solver *solver, random_problem *problems, uint64_t *state) {
  for (int p = 0; p < problem_count; p++) {
    random_problem near = problems[p];
    picus_solve_info info;
    near.problem.c = near.c;
    for (int i = 0; i < near.problem.size; i++) near.c[i] *= 1 + 1e-3 * uniform(state);
    if (picus_solver_solve(solver, &near.problem, problems[p].P_near, problems[p].modes_near, &info) != PICUS_OK)
      return false;
  }
  return true;
}

static picus_solver *make_solver(picus_context *context, const char *name, bool alone) {
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  options.solver = name;
  options.no_fallback = alone;
  if (picus_solver_create(context, &options, &solver) != PICUS_OK) return NULL;
  if (picus_solver_reserve(solver, most_contacts, most_rows) != PICUS_OK) {
    picus_solver_destroy(solver);
    return NULL;
  }
  return solver;
}

enum { most_solvers = 8 };

static bool measure(picus_context *context, int dim, solver_times times[most_contacts][most_solvers]) {
  static random_problem problems[problem_count];
  uint64_t state = 2005;
  for (int contacts = 1; contacts <= most_contacts; contacts++) {
    picus_solver *any = make_solver(context, "auto", false);
    if (!any) return false;
    for (int p = 0; p < problem_count; p++) {
      problems[p] = (random_problem){0};
      make_problem(&problems[p], contacts, dim, &state);
    }
    if (!prepare_warm_starts(any, problems, &state)) {
      fprintf(stderr, "bench: a random problem of %d contacts has no warm start\n", contacts);
    }
    picus_solver_destroy(any);
    for (int repetition = 0; repetition < repetitions; repetition++) {
      for (int s = 0; s < most_solvers && picus_solver_at(s); s++) {
        solver_times *here = &times[contacts - 1][s];
        picus_solver *solver = make_solver(context, picus_solver_at(s)->name, true);
        if (!solver) return false;
        here->cold = fmin(here->cold, time_solves(solver, problems, false, here));
        here->warm = fmin(here->warm, time_solves(solver, problems, true, here));
        picus_solver_destroy(solver);
      }
    }
  }
  return true;
}

static void print_row(const char *solver, const char *start, solver_times times[most_contacts][most_solvers], int s) {
  char name[64];
  const bool warm = start[0] == 'w';
  (void)snprintf(name, sizeof name, "%s, %s start", solver, start);
  printf("  %-34s", name);
  for (int k = 0; k < most_contacts; k++) printf(" %10.1f", 1e9 * (warm ? times[k][s].warm : times[k][s].cold));
  printf("\n");
}

static bool print_table(int dim) {
  solver_times times[most_contacts][most_solvers];
  picus_context *context = NULL;
  for (int k = 0; k < most_contacts; k++) {
    for (int s = 0; s < most_solvers; s++) times[k][s] = (solver_times){INFINITY, INFINITY, 0, 0, 0};
  }
  if (picus_context_create(NULL, &context) != PICUS_OK) return bench_failed("solvers", NULL);
  const bool good = measure(context, dim, times) || bench_failed("solvers", context);
  printf("%-36s", dim == 2 ? "planar contacts, ns per solve" : "spatial contacts, ns per solve");
  for (int k = 0; k < most_contacts; k++) printf(" %d contact%s", k + 1, k == 0 ? " " : "s");
  printf("\n");
  for (int s = 0; good && s < most_solvers && picus_solver_at(s); s++) {
    print_row(picus_solver_at(s)->name, "cold", times, s);
    print_row(picus_solver_at(s)->name, "warm", times, s);
    printf("  %-34s", "  iterations, cold start");
    for (int k = 0; k < most_contacts; k++) printf(" %10.1f", times[k][s].iterations / (double)times[k][s].solves);
    printf("\n");
    for (int k = 0; k < most_contacts; k++) {
      if (times[k][s].failures > 0) {
        printf("  %s alone left %ld of %ld problems of %d contacts unsolved\n", picus_solver_at(s)->name,
               times[k][s].failures, times[k][s].solves, k + 1);
      }
    }
  }
  picus_context_destroy(context);
  return good;
}

bool bench_solvers(void) {
  const bool planar = print_table(2);
  return print_table(3) && planar;
}
