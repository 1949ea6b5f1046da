/* The hardest contact problems of a run, collected during the run and written at its end. */
#include "cli.h"
#include "platform/files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct cli_worst_entry {
  picus_problem *problem;
  picus_solve_info info;
  double t;
} entry;

bool cli_worst_make_folder(const cli_arguments *a) {
  const char *path = cli_value(a, "dump-worst", 0);
  picus_facts facts;
  if (!path) return true;
  const int error = picus_folder_make(path);
  if (!error || (error == EEXIST && !picus_facts_of(path, &facts) && facts.kind == PICUS_FOLDER)) return true;
  cli_complain("cannot create the folder '%s': %s", path, strerror(error));
  return false;
}

bool cli_worst_begin(cli_worst *worst, const cli_arguments *a) {
  long wanted = 3;
  if (!cli_integer(a, "worst", &wanted)) return false;
  if (wanted < 1 || wanted > CLI_WORST_MOST) {
    cli_complain("--worst takes an integer from 1 to %d, not %ld", CLI_WORST_MOST, wanted);
    return false;
  }
  if (cli_given(a, "worst") && !cli_given(a, "dump-worst")) {
    cli_complain("--worst needs --dump-worst DIR");
    return false;
  }
  if (!cli_given(a, "dump-worst")) return true;
  worst->wanted = (int)wanted;
  worst->entries = calloc((size_t)wanted + 1, sizeof *worst->entries);
  if (!worst->entries || picus_context_create(NULL, &worst->context)) {
    cli_complain("out of memory");
    return false;
  }
  return true;
}

static bool is_harder(const picus_solve_info *a, const picus_solve_info *b) {
  bool a_failed = a->status, b_failed = b->status;
  if (a_failed != b_failed) return a_failed;
  if (a->iterations != b->iterations) return a->iterations > b->iterations;
  return a->residual.relative > b->residual.relative;
}

void cli_worst_watch(void *user, const picus_watched_problem *watched) {
  cli_worst *worst = user;
  int place = worst->count;
  while (place > 0 && is_harder(watched->info, &worst->entries[place - 1].info)) place--;
  if (place == worst->wanted) return;
  picus_problem_notes notes = {.guess = watched->start, .solution = !watched->info->status ? watched->P : NULL};
  picus_problem *copy = NULL;
  if (picus_problem_copy(worst->context, watched->problem, &notes, &copy)) {
    worst->failed = true;
    return;
  }
  memmove(worst->entries + place + 1, worst->entries + place, (size_t)(worst->count - place) * sizeof *worst->entries);
  worst->entries[place] = (entry){copy, *watched->info, watched->t};
  if (worst->count < worst->wanted)
    worst->count++;
  else
    picus_problem_destroy(worst->entries[worst->wanted].problem);
}

/* May a byte of a model name appear in a file name? Letters beyond ASCII may. */
static bool is_safe(unsigned char byte) { return isalnum(byte) || byte >= 0x80 || (byte && strchr("-_+.", byte)); }

char *cli_worst_path(const char *folder, const char *name, int k) {
  enum { MOST = 200 }; /* bytes of a name; file systems allow 255 in total */
  size_t length = strlen(name) < MOST ? strlen(name) : MOST, size = strlen(folder) + length + 32;
  char *path = malloc(size);
  if (!path) return NULL;
  char *to = path + snprintf(path, size, "%s/", folder);
  for (size_t i = 0; i < length; i++) {
    bool hides = i == 0 && name[i] == '.';
    *to++ = is_safe((unsigned char)name[i]) && !hides ? name[i] : '_';
  }
  snprintf(to, size - (size_t)(to - path), "-worst-%d.hdf5", k);
  return path;
}

static bool write_entry(const entry *e, picus_context *context, const char *path, const cli_worst_origin *origin,
                        FILE *file) {
  char title[256], tolerance[32], description[4096];
  snprintf(title, sizeof title, "%s at t = %.9g s", origin->model, e->t);
  snprintf(tolerance, sizeof tolerance, "%g", origin->solver->tolerance);
  const char *const words[] = {"picus", "solve",   path,      "--solver", origin->solver->solver,
                               "--tol", tolerance, "--start", "guess"};
  char *again = cli_join_words(sizeof words / sizeof words[0], words);
  if (!again) {
    cli_complain("out of memory");
    return false;
  }
  snprintf(description, sizeof description,
           "Contact problem of '%s': %s after %d iterations, relative residual %g. Solve it again: %s",
           origin->command_line, !e->info.status ? "solved" : "not solved", e->info.iterations,
           e->info.residual.relative, again);
  picus_problem_notes notes = *picus_problem_notes_of(e->problem);
  notes.title = title;
  notes.description = description;
  notes.math_info = NULL;
  const bool done = !picus_problem_write(context, path, picus_problem_contacts(e->problem), &notes);
  if (!done)
    cli_report_error(context, EXIT_WRONG_INPUT);
  else if (file)
    cli_fprint(file, "  hard            t = %.9g s, %d iterations, residual %.2g%s\n                  %s\n", e->t,
               e->info.iterations, e->info.residual.relative, !e->info.status ? "" : ", not solved", again);
  free(again);
  return done;
}

bool cli_worst_write(cli_worst *worst, picus_context *context, const char *folder, const cli_worst_origin *origin,
                     FILE *file) {
  bool done = true;
  if (worst->failed) cli_complain("some of the hardest contact problems could not be stored: out of memory");
  for (int k = 0; done && k < worst->count; k++) { /* one message: the others will not fit either */
    char *path = cli_worst_path(folder, origin->model, k + 1);
    if (!path) cli_complain("out of memory");
    done = path && write_entry(&worst->entries[k], context, path, origin, file);
    free(path);
  }
  if (worst->count == 0 && file) cli_fprint(file, "  hard            no contact problem occurred\n");
  return done && !worst->failed;
}

void cli_worst_release(cli_worst *worst) {
  for (int k = 0; k < worst->count; k++) picus_problem_destroy(worst->entries[k].problem);
  free(worst->entries);
  picus_context_destroy(worst->context);
  *worst = (cli_worst){0};
}
