/* Islands of contact problems: each is solved as if it were alone, with the same bits for every form of the order of
 * laws and every number of threads. */
#include "scenes.h"
#include "support/allocations.h"
#include "support/check.h"

#include "contact/internal.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 14, MOST_ROWS = 1200 };
enum form { DENSE, BLOCKS, FACTORS, FORMS };

/* Problems side by side, their laws one from each in turn. */
typedef struct mixture {
  picus_problem *pieces[PIECES];
  double *dense[PIECES]; /* their G */
  int piece_count, law_count, size;
  picus_law laws[MOST_ROWS];
  int piece[MOST_ROWS], law[MOST_ROWS]; /* where a law comes from */
  int row[MOST_ROWS];                   /* its first row; */
  int own_row[MOST_ROWS];               /* in its piece */
  double c[MOST_ROWS], *G;
  picus_block_storage blocks;
  picus_factored_matrix factors;
  int start[MOST_ROWS + 1], *column;
  size_t offset[MOST_ROWS];
  double *W, *change, *scratch;
  picus_contact_problem problem;
} mixture;

static picus_context *context;

static const picus_contact_problem *piece_of(const mixture *m, int k) { return picus_problem_contacts(m->pieces[k]); }

static void free_mixture(mixture *m) {
  for (int k = 0; k < m->piece_count; k++) {
    picus_problem_destroy(m->pieces[k]);
    free(m->dense[k]);
  }
  picus_block_storage_destroy(&m->blocks);
  void *all[] = {m->G, m->column, m->W, m->change, m->scratch, m};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
}

static void deal_laws(mixture *m) {
  int next[PIECES] = {0}, rows[PIECES] = {0};
  for (bool any = true; any;) {
    any = false;
    for (int k = 0; k < m->piece_count; k++) {
      const picus_contact_problem *p = piece_of(m, k);
      if (next[k] == p->law_count) continue;
      const int i = m->law_count++, law = next[k]++;
      m->laws[i] = p->laws[law];
      m->piece[i] = k;
      m->law[i] = law;
      m->row[i] = m->size;
      m->own_row[i] = rows[k];
      memcpy(m->c + m->size, p->c + rows[k], (size_t)m->laws[i].dim * sizeof(double));
      rows[k] += m->laws[i].dim;
      m->size += m->laws[i].dim;
      any = true;
    }
  }
}

/* G from those of the pieces; its factors are unit rows and the columns of G. */
static void fill_matrices(mixture *m) {
  const size_t n = (size_t)m->size;
  int first[PIECES + 1] = {0};
  size_t numbers = 0;
  for (int k = 0; k < m->piece_count; k++) first[k + 1] = first[k] + piece_of(m, k)->size;
  for (int i = 0; i < m->law_count; i++) {
    const int own = piece_of(m, m->piece[i])->size, dim = m->laws[i].dim;
    m->start[i + 1] = m->start[i] + own;
    m->offset[i] = numbers;
    for (int a = 0; a < own; a++) m->column[m->start[i] + a] = first[m->piece[i]] + a;
    for (int r = 0; r < dim; r++)
      for (int a = 0; a < own; a++, numbers++) {
        m->W[numbers] = a == m->own_row[i] + r;
        m->change[numbers] = m->dense[m->piece[i]][(size_t)a * (size_t)own + (size_t)(m->own_row[i] + r)];
      }
    for (int j = 0; j < m->law_count; j++)
      for (int r = 0; m->piece[j] == m->piece[i] && r < dim; r++)
        for (int s = 0; s < m->laws[j].dim; s++)
          m->G[(size_t)(m->row[i] + r) * n + (size_t)(m->row[j] + s)] =
              m->dense[m->piece[i]][(size_t)(m->own_row[i] + r) * (size_t)own + (size_t)(m->own_row[j] + s)];
  }
}

static mixture *mix(int count, const scene_def *defs, enum form form) {
  mixture *m = calloc(1, sizeof *m);
  m->piece_count = count;
  for (int k = 0; k < count; k++) {
    CHECK(scene_create(context, &defs[k], &m->pieces[k]) == PICUS_OK);
    const size_t n = (size_t)piece_of(m, k)->size;
    m->dense[k] = calloc(n * n, sizeof(double));
    const picus_contact_problem whole = picus_contact_to_dense(piece_of(m, k), m->dense[k]);
    if (whole.G != m->dense[k]) memcpy(m->dense[k], whole.G, n * n * sizeof(double));
  }
  deal_laws(m);
  const size_t n = (size_t)m->size;
  CHECK(n <= MOST_ROWS);
  m->G = calloc(n * n, sizeof(double));
  m->W = calloc(n * n, sizeof(double));
  m->change = calloc(n * n, sizeof(double));
  m->column = calloc(n * n, sizeof(int));
  m->scratch = calloc(n, sizeof(double));
  fill_matrices(m);
  m->problem =
      (picus_contact_problem){.law_count = m->law_count, .laws = m->laws, .size = m->size, .c = m->c, .G = m->G};
  if (form == BLOCKS) {
    CHECK(picus_block_storage_from_dense(context, &m->problem, &m->blocks) == PICUS_OK);
    m->problem.blocks = &m->blocks.matrix;
  }
  m->factors = (picus_factored_matrix){m->size, m->start, m->column, m->offset, m->W, m->change, m->scratch, NULL};
  if (form == FACTORS) m->problem.factors = &m->factors;
  if (form != DENSE) m->problem.G = NULL;
  return m;
}

static const scene_def scattered[PIECES] = {
    {"stack", 3, 2, 1}, {"stack", 4, 3, 2}, {"tower", 3, 3, 3}, {"arch", 5, 2, 4},  {"chain", 6, 2, 5},
    {"chain", 3, 3, 6}, {"box", 6, 2, 7},   {"box", 4, 3, 8},   {"stack", 1, 2, 9}, {"stack", 2, 3, 1},
    {"tower", 4, 2, 2}, {"arch", 4, 3, 3},  {"stack", 3, 2, 4}, {"chute", 5, 2, 5}};

static const scene_def easy[PIECES] = {{"stack", 2, 2, 1}, {"stack", 2, 2, 2}, {"stack", 1, 3, 3}, {"stack", 2, 2, 4},
                                       {"stack", 1, 2, 5}, {"stack", 1, 3, 6}, {"stack", 2, 2, 7}, {"stack", 1, 3, 8},
                                       {"stack", 1, 2, 9}, {"stack", 2, 2, 1}, {"stack", 1, 2, 2}, {"stack", 1, 3, 3},
                                       {"stack", 2, 2, 4}, {"stack", 1, 2, 5}};

static picus_status solve(picus_context *own, const picus_contact_problem *problem, double *P, picus_mode *modes,
                          picus_solve_info *info) {
  picus_solver *solver;
  picus_status status = picus_solver_create(own, NULL, &solver);
  if (!status) status = picus_solver_solve(solver, problem, P, modes, info);
  picus_solver_destroy(solver);
  return status;
}

/* The percussions of a piece that is solved alone, in the form that the mixture has. */
static void solve_piece(const mixture *m, int k, enum form form, double *P) {
  const picus_contact_problem *p = piece_of(m, k);
  picus_mode *modes = calloc((size_t)p->law_count, sizeof *modes);
  picus_contact_problem dense = *p;
  dense.blocks = NULL;
  dense.G = m->dense[k];
  memset(P, 0, (size_t)p->size * sizeof *P);
  CHECK(solve(context, form == DENSE ? &dense : p, P, modes, NULL) == PICUS_OK);
  free(modes);
}

static void islands_are_solved_as_if_alone(void) {
  static double P[MOST_ROWS], own[MOST_ROWS];
  static picus_mode modes[MOST_ROWS];
  for (enum form form = DENSE; form < FORMS; form++) {
    mixture *m = mix(PIECES, scattered, form);
    picus_solve_info info;
    memset(P, 0, sizeof P);
    memset(modes, 0, sizeof modes);
    CHECK(picus_contact_problem_check(context, &m->problem) == PICUS_OK);
    CHECK(solve(context, &m->problem, P, modes, &info) == PICUS_OK);
    CHECK(info.islands >= PIECES);
    CHECK(info.residual.relative <= 1e-12 && picus_contact_residual(&m->problem, P, NULL).relative <= 1e-12);
    int most = 0;
    double worst = 0;
    for (int k = 0; k < PIECES && form != FACTORS; k++) { /* factors of a piece have other forms, and other bits */
      solve_piece(m, k, form, own);
      for (int i = 0; i < m->law_count; i++)
        for (int r = 0; m->piece[i] == k && r < m->laws[i].dim; r++) {
          const double difference = fabs(P[m->row[i] + r] - own[m->own_row[i] + r]);
          worst = fmax(worst, difference);
          most += difference != 0;
        }
    }
    printf("  %d laws, %d islands: %d numbers differ from those of the pieces alone\n", m->law_count, info.islands,
           most);
    CHECK(most == 0 && worst == 0);
    free_mixture(m);
  }
}

/* With any number of threads, and on those of a host, which run backwards. */
static void run_backwards(void *user, int count, picus_task_fn task, void *work) {
  (void)user;
  for (int i = count; i-- > 0;) task(work, i);
}

static void threads_give_the_same_bits(void) {
  static double P[MOST_ROWS], first[MOST_ROWS];
  static picus_mode modes[MOST_ROWS], first_modes[MOST_ROWS];
  for (enum form form = DENSE; form < FORMS; form++) {
    mixture *m = mix(PIECES, scattered, form);
    for (int k = 0; k < 5; k++) {
      static const int threads[] = {1, 2, 3, 8, 4};
      picus_context *own;
      REQUIRE(picus_context_create(NULL, &own) == PICUS_OK);
      CHECK(k < 4 ? !picus_context_set_threads(own, threads[k])
                  : !picus_context_set_tasks(own, threads[k], run_backwards, NULL));
      memset(P, 0, sizeof P);
      memset(modes, 0, sizeof modes);
      CHECK(solve(own, &m->problem, P, modes, NULL) == PICUS_OK);
      CHECK(k == 0 || (memcmp(P, first, sizeof P) == 0 && memcmp(modes, first_modes, sizeof modes) == 0));
      memcpy(first, P, sizeof P);
      memcpy(first_modes, modes, sizeof modes);
      picus_context_destroy(own);
    }
    free_mixture(m);
  }
}

/* A law with a velocity that nothing can stop, and one with a number that is none: the others are solved. */
static void one_island_cannot_be_solved(void) {
  static double P[MOST_ROWS];
  static picus_mode modes[MOST_ROWS];
  for (int spoil = 0; spoil < 2; spoil++)
    for (int threads = 1; threads < 4; threads += 2) {
      mixture *m = mix(PIECES, scattered, BLOCKS);
      picus_context *own;
      picus_solve_info info;
      picus_solver *solver;
      int count;
      const int bad = PIECES + 5;
      const int island = m->piece[bad];
      REQUIRE(picus_context_create(NULL, &own) == PICUS_OK && !picus_context_set_threads(own, threads));
      picus_solver_options options = picus_default_solver_options();
      options.max_iterations = 200;
      REQUIRE(picus_solver_create(own, &options, &solver) == PICUS_OK);
      if (spoil)
        m->c[m->row[bad]] = NAN;
      else { /* no inertia, but an approach */
        for (int b = m->blocks.row_start[bad]; b < m->blocks.row_start[bad + 1]; b++)
          memset(m->blocks.values + m->blocks.offset[b], 0,
                 (size_t)(m->laws[bad].dim * m->laws[m->blocks.column[b]].dim) * sizeof(double));
        m->c[m->row[bad]] = -1;
      }
      memset(P, 0, sizeof P);
      picus_status status = picus_solver_solve(solver, &m->problem, P, modes, &info);
      CHECK(status > 0 && info.status == status);
      CHECK(m->piece[info.residual.worst_law] == island);
      char name[32];
      (void)snprintf(name, sizeof name, "law %d", info.residual.worst_law);
      if (!CHECK(strstr(picus_last_error(own)->message, name))) printf("  %s\n", picus_last_error(own)->message);
      if (threads == 1) printf("  %s\n", picus_last_error(own)->message);
      const int *laws = picus_solver_island(solver, info.residual.worst_law, &count);
      CHECK(count == piece_of(m, island)->law_count);
      for (int k = 0; k < count; k++) CHECK(m->piece[laws[k]] == island);
      const int *conflict = picus_solver_conflict(solver, &count);
      for (int k = 0; k < count; k++) CHECK(m->piece[conflict[k]] == island);
      CHECK((status == PICUS_NO_SOLUTION) == (count > 0));
      if (spoil) m->c[m->row[bad]] = 0;
      static double xi[MOST_ROWS];
      picus_contact_residual(&m->problem, P, xi);
      for (int i = 0; i < m->law_count; i++) {
        const int row = m->row[i];
        if (m->piece[i] != island && m->laws[i].kind != PICUS_BILATERAL)
          CHECK(P[row] >= 0 && xi[row] >= -1e-9 && P[row] * xi[row] < 1e-9);
      }
      picus_solver_destroy(solver);
      picus_context_destroy(own);
      free_mixture(m);
    }
}

/* The second solve of the same size finds all memory there; the factorizations of newton have their own. */
static void the_second_solve_allocates_nothing(void) {
  static double P[MOST_ROWS];
  static picus_mode modes[MOST_ROWS];
  for (enum form form = BLOCKS; form < FORMS; form++) {
    mixture *m = mix(PIECES, easy, form);
    test_allocations counted = test_grant_all();
    const picus_context_def hooks = {.allocate = test_allocate, .allocate_user = &counted};
    picus_context *own;
    picus_solver *solver;
    REQUIRE(!picus_context_create(&hooks, &own) && !picus_context_set_threads(own, 3));
    REQUIRE(picus_solver_create(own, NULL, &solver) == PICUS_OK);
    for (int round = 0; round < 3; round++) {
      memset(P, 0, sizeof P);
      const long before = counted.calls;
      CHECK(picus_solver_solve(solver, &m->problem, P, modes, NULL) == PICUS_OK);
      if (round == 2) CHECK(counted.calls == before);
    }
    picus_solver_destroy(solver);
    picus_context_destroy(own);
    CHECK(counted.outstanding == 0);
    free_mixture(m);
  }
}

/* Whatever is refused, there is an error and nothing leaks. */
static void memory_may_be_refused(void) {
  static double P[MOST_ROWS];
  static picus_mode modes[MOST_ROWS];
  mixture *m = mix(PIECES, easy, FACTORS);
  picus_status status = PICUS_ERROR_MEMORY;
  for (long n = 0; status && n < 200; n++) {
    test_allocations counted = test_grant_first(n);
    const picus_context_def hooks = {.allocate = test_allocate, .allocate_user = &counted};
    picus_context *own = NULL;
    memset(P, 0, sizeof P);
    status = picus_context_create(&hooks, &own);
    if (!status) status = picus_context_set_threads(own, 2);
    if (!status) status = solve(own, &m->problem, P, modes, NULL);
    picus_context_destroy(own);
    CHECK(counted.outstanding == 0);
  }
  CHECK(status == PICUS_OK);
  free_mixture(m);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"islands_are_solved_as_if_alone", islands_are_solved_as_if_alone},
      {"threads_give_the_same_bits", threads_give_the_same_bits},
      {"one_island_cannot_be_solved", one_island_cannot_be_solved},
      {"memory_may_be_refused", memory_may_be_refused},
      {"the_second_solve_allocates_nothing", the_second_solve_allocates_nothing},
  };
  if (picus_context_create(NULL, &context)) return 1;
  int result = test_main(argc, argv, "solver_islands", cases, sizeof cases / sizeof *cases);
  picus_context_destroy(context);
  return result;
}
