/* Fuzz target: contact problems whose laws and numbers the input chooses. Bytes of an HDF5 file do not get beyond
 * HDF5; so the file is built by Picus' own writer. What it writes is read back as the same numbers, is solved by the
 * solver that the input names, or not, with a sentence; what counts as solved has the residual that it claims. The rest
 * of the input edits the file, which is then read like any other. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"
#include "hdf5_edits.h"

#include "contact/internal.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { LAWS_MOST = 6, ROWS_MOST = 4 * LAWS_MOST };

typedef struct input {
  const uint8_t *bytes;
  size_t left;
} input;

static uint8_t next(input *in) {
  if (in->left == 0) return 0;
  in->left--;
  return *in->bytes++;
}

/* Small and large numbers, zeros, and numbers that are none. */
static double next_number(input *in) {
  static const double rare[] = {0, 1e-300, 1e300, -1e300, INFINITY, NAN, 1e-8, 1e8};
  const int byte = next(in);
  return byte >= 248 ? rare[byte - 248] : (byte - 124) / 16.0;
}

typedef struct problem {
  int law_count, size;
  picus_law laws[LAWS_MOST];
  double G[ROWS_MOST * ROWS_MOST], c[ROWS_MOST], guess[ROWS_MOST];
} problem;

/* Bilateral laws come first, as in files. */
static void choose_laws(input *in, problem *p) {
  p->law_count = 1 + next(in) % LAWS_MOST;
  for (int k = 0, bilateral = 0; k < p->law_count; k++) {
    const int kind = next(in) % 5, most = kind < 2 ? 1 : 3, least = kind == PICUS_COULOMB ? 2 : 1;
    const int dim = kind < 2 ? 1 : least + next(in) % most;
    const picus_law law = {(picus_law_kind)kind, dim, kind < 2 ? 0 : fabs(next_number(in))};
    const int place = kind == PICUS_BILATERAL ? bilateral++ : k;
    memmove(p->laws + place + 1, p->laws + place, (size_t)(k - place) * sizeof *p->laws);
    p->laws[place] = law;
    p->size += dim;
  }
}

/* A A' with a small diagonal, and as an exception anything at one place: G of a scheme need not be symmetric. */
static void choose_matrix(input *in, problem *p) {
  double A[ROWS_MOST * ROWS_MOST];
  const int n = p->size;
  const double shift = next(in) % 2 ? 0.1 : 0;
  for (int i = 0; i < n * n; i++) A[i] = in->left > 0 ? next_number(in) : (i % (n + 1) == 0);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? shift : 0;
      for (int k = 0; k < n; k++) sum += A[i * n + k] * A[j * n + k];
      p->G[i * n + j] = sum;
    }
  if (next(in) % 4 == 1) p->G[next(in) % (n * n)] = next_number(in);
  for (int i = 0; i < n; i++) p->c[i] = in->left > 0 ? next_number(in) : -1;
  for (int i = 0; i < n; i++) p->guess[i] = next_number(in);
}

static void solve(picus_context *context, const picus_contact_problem *p, const char *name) {
  double P[ROWS_MOST] = {0};
  picus_mode modes[LAWS_MOST] = {PICUS_OPEN};
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  picus_solve_info info;
  options.solver = name;
  options.max_iterations = 50;
  if (!fuzz_accepted(context, picus_solver_create(context, &options, &solver))) return;
  const bool solved = fuzz_accepted(context, picus_solver_solve(solver, p, P, modes, &info));
  const double relative = picus_contact_residual(p, P, NULL).relative;
  if (solved && !info.accepted && !(relative <= 10 * options.tolerance))
    fuzz_demand(relative <= picus_contact_rounding_floor(p, P)); /* round-off permits no less */
  picus_solver_destroy(solver);
}

/* The numbers of a problem as they were written. */
static void compare(const picus_contact_problem *read, const problem *p) {
  fuzz_demand(read->size == p->size && read->law_count == p->law_count);
  fuzz_demand(memcmp(read->c, p->c, (size_t)p->size * sizeof *p->c) == 0);
  for (int k = 0; k < p->law_count; k++)
    fuzz_demand(read->laws[k].kind == p->laws[k].kind && read->laws[k].dim == p->laws[k].dim &&
                memcmp(&read->laws[k].radius, &p->laws[k].radius, sizeof(double)) == 0);
  if (read->G) fuzz_demand(memcmp(read->G, p->G, (size_t)(p->size * p->size) * sizeof *p->G) == 0);
}

static void read_back(picus_context *context, const char *path, const problem *expected, const char *solver) {
  picus_problem *problem = NULL;
  const picus_status status = picus_problem_read(context, path, &problem);
  if (expected) fuzz_demand(status == PICUS_OK);
  if (fuzz_accepted(context, status)) {
    const picus_contact_problem *read = picus_problem_contacts(problem);
    if (expected) compare(read, expected);
    if (read->size <= ROWS_MOST && read->law_count <= LAWS_MOST) solve(context, read, solver);
  }
  picus_problem_destroy(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  input in = {bytes, size};
  problem p = {0};
  char path[64];
  picus_context *context = NULL;
  static bool begun;
  if (!begun) fuzz_begin_hdf5();
  begun = true;
  snprintf(path, sizeof path, "fuzz-contacts-%ld.hdf5", (long)getpid());
  if (picus_context_create(NULL, &context)) return 0;
  int solver_count = 0;
  while (picus_solver_at(solver_count)) solver_count++;
  const int which = next(&in) % (solver_count + 1);
  const char *solver = which == solver_count ? "auto" : picus_solver_at(which)->name;
  choose_laws(&in, &p);
  choose_matrix(&in, &p);
  const picus_contact_problem problem = {.law_count = p.law_count, .laws = p.laws, .size = p.size, .G = p.G, .c = p.c};
  const picus_problem_notes notes = {.title = "fuzz", .guess = p.guess};
  if (fuzz_accepted(context, picus_problem_write(context, path, &problem, &notes))) {
    read_back(context, path, &p, solver);
    if (in.left > 0) fuzz_edit_hdf5(path, in.bytes, in.left);
    const long before = fuzz_open_objects();
    read_back(context, path, NULL, solver);
    fuzz_demand(fuzz_open_objects() == before);
  } else
    solve(context, &problem, solver); /* not a problem that can be stored: the solver rejects it as well, or copes */
  fuzz_end(context);
  remove(path);
  return 0;
}
