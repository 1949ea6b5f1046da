/* Fuzz target: contact problem files. What is read must be a well-formed problem that can be judged and given to a
 * solver; what is refused must be refused with a sentence. An input that begins like an HDF5 file is one, as in the
 * test problem_file_mutations; all others say how a good file is damaged. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"
#include "hdf5_edits.h"

#include <string.h>
#include <unistd.h>

static void use(picus_context *context, const picus_contact_problem *p) {
  fuzz_demand(picus_contact_problem_check(context, p) == PICUS_OK);
  double *P = calloc((size_t)p->size + 1, sizeof *P);
  picus_mode *modes = calloc((size_t)p->law_count + 1, sizeof *modes);
  picus_solver_options options = picus_default_solver_options();
  picus_solver *solver = NULL;
  picus_solve_info info;
  options.solver = "psor";
  options.max_iterations = 20;
  options.no_fallback = true;
  if (P && modes && p->size < 1000 && picus_solver_create(context, &options, &solver) == PICUS_OK)
    (void)picus_solver_solve(solver, p, P, modes, &info);
  picus_solver_destroy(solver);
  free(P);
  free(modes);
}

static void read_and_use(picus_context *context, const char *path, int factored) {
  picus_problem *problem = NULL;
  picus_status status =
      factored ? picus_problem_read_factored(context, path, &problem) : picus_problem_read(context, path, &problem);
  if (fuzz_accepted(context, status)) use(context, picus_problem_contacts(problem));
  picus_problem_destroy(problem);
}

/* Two planar contacts and a bilateral constraint, with a guess. */
static void make_problem(const char *path) {
  const picus_law laws[3] = {{PICUS_BILATERAL, 1, 0}, {PICUS_COULOMB, 2, 0.3}, {PICUS_COULOMB, 2, 0.5}};
  const double G[25] = {2, 0.1, 0, 0.1, 0, 0.1, 3, 0.2, 0, 0, 0, 0.2, 2, 0, 0.1, 0.1, 0, 0, 4, 0.3, 0, 0, 0.1, 0.3, 3};
  const double c[5] = {0.1, -1, 0.5, -2, 0.2}, guess[5] = {0, 1, 0, 1, 0};
  const picus_contact_problem problem = {.law_count = 3, .laws = laws, .size = 5, .G = G, .c = c};
  const picus_problem_notes notes = {.title = "two contacts", .guess = guess};
  picus_context *context = NULL;
  fuzz_demand(picus_context_create(NULL, &context) == PICUS_OK);
  fuzz_demand(picus_problem_write(context, path, &problem, &notes) == PICUS_OK);
  fuzz_end(context);
}

static int prepare(const char *path, const uint8_t *bytes, size_t size) {
  static fuzz_original original;
  if (size > 1000 && memcmp(bytes, "\x89HDF", 4) == 0) return fuzz_write_file(path, bytes, size);
  if (!original.bytes) {
    fuzz_begin_hdf5();
    make_problem(path);
    fuzz_demand(fuzz_original_read(&original, path));
  }
  if (!fuzz_original_write(&original, path)) return 0;
  fuzz_edit_hdf5(path, bytes, size);
  return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char path[64];
  picus_context *context = NULL;
  snprintf(path, sizeof path, "fuzz-problem-%ld.hdf5", (long)getpid());
  if (!prepare(path, bytes, size) || picus_context_create(NULL, &context)) return 0;
  long before = fuzz_open_objects();
  for (int factored = 0; factored < 2; factored++) read_and_use(context, path, factored);
  fuzz_demand(fuzz_open_objects() == before);
  fuzz_end(context);
  remove(path);
  return 0;
}
