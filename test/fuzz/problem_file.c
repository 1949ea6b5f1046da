/* Fuzz target: any bytes as a contact problem file. What is read must be a well-formed problem that can be judged and
 * given to a solver; what is refused must be refused with a sentence. Built for libFuzzer by -DPICUS_BUILD_FUZZ=ON with
 * clang; the test problem_file_mutations runs it on damaged files without one. */
#define _POSIX_C_SOURCE 200809L
#include <picus/picus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(int condition) {
  if (!condition) abort();
}

static void use(picus_context *context, const picus_contact_problem *p) {
  demand(picus_contact_problem_check(context, p) == PICUS_OK);
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

static int write_file(const char *path, const uint8_t *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  size_t written = fwrite(bytes, 1, size, file);
  return fclose(file) == 0 && written == size;
}

static void read_and_use(picus_context *context, const char *path, int factored) {
  picus_problem *problem = NULL;
  picus_status status =
      factored ? picus_problem_read_factored(context, path, &problem) : picus_problem_read(context, path, &problem);
  if (status == PICUS_OK)
    use(context, picus_problem_contacts(problem));
  else
    demand(picus_last_error(context)->message[0] != '\0' || picus_last_error(context)->status == PICUS_ERROR_MEMORY);
  picus_problem_destroy(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char path[64];
  picus_context *context = NULL;
  snprintf(path, sizeof path, "fuzz-problem-%ld.hdf5", (long)getpid());
  if (!write_file(path, bytes, size) || picus_context_create(NULL, &context)) return 0;
  for (int factored = 0; factored < 2; factored++) read_and_use(context, path, factored);
  demand(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  remove(path);
  return 0;
}
