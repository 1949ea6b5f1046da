/* picus solve: contact problems from files, with one solver or all. */
#include "cli/cli.h"

#include "base/internal.h"
#include "cli/run_options.h"
#include "cli/saved_text.h"
#include "platform/threads.h"
#include "plot/figure.h"
#include "profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"solver", "NAME", "contact solver, or 'all'; default auto", false},
    {"tol", "X", "tolerance, relative to the scale of the problem; default 1e-12", false},
    {"max-iterations", "N", "iteration limit of one solver; default 10000", false},
    {"accept-residual", "X", "count a residual up to X as solved if no solver reaches the tolerance; default 0", false},
    {"omega", "X", "gs, psor, pjor: relaxation factor in (0, 2); default 1", false},
    {"facets", "N", "lemke: facets of the friction pyramids, an even number; default 8", false},
    {"minimum-norm", NULL, "minimum-norm percussions for redundant contacts", false},
    {"repeat", "N", "solve N times; report the shortest time; default 1", false},
    {"start", "WHAT", "initial P: zero (default), or the guess or solution in the file", false},
    {"csv", "F.csv", "write the table as CSV, with full precision; - is standard output", false},
    {"plot", "F.png", "draw the performance profile of the solvers as PNG, SVG or PDF", false},
    CLI_THREADS_OPTION,
    {"quiet", NULL, "no table, no notes", false},
};

static const char *const examples[] = {"picus solve problem.hdf5",
                                       "default solver, default tolerance",
                                       "picus solve *.hdf5 --solver all --tol 1e-8 --csv solvers.csv",
                                       "a table of all solvers",
                                       "picus solve *.hdf5 --solver all --repeat 5 --plot profile.png",
                                       "performance profile of all solvers",
                                       NULL};

typedef struct solve_options {
  picus_solver_options solver;
  const char *solver_name; /* "all", or a name */
  const char *start;
  long repeat;
} solve_options;

/* One solver on one problem. */
typedef struct attempt {
  const char *file, *solver;
  int contacts, rows;
  picus_solve_info info;
  picus_residuals residuals;
  double seconds;
} attempt;

typedef struct attempts {
  attempt *list;
  int count, capacity;
} attempts;

/* --- options --------------------------------------------------------------------------------------------------- */

static bool read_options(const cli_arguments *a, solve_options *o) {
  picus_sim_options all = picus_default_sim_options();
  *o = (solve_options){.solver_name = "auto", .start = "zero", .repeat = 1};
  if (cli_given(a, "solver")) o->solver_name = cli_value(a, "solver", 0);
  if (cli_given(a, "start")) o->start = cli_value(a, "start", 0);
  if (!cli_read_run_options(a, &all) || !cli_integer(a, "repeat", &o->repeat)) return false;
  o->solver = all.solver;
  if (o->repeat < 1) {
    cli_complain("--repeat takes a positive integer, not %ld", o->repeat);
    return false;
  }
  if (strcmp(o->start, "zero") != 0 && strcmp(o->start, "guess") != 0 && strcmp(o->start, "solution") != 0) {
    cli_complain("--start takes zero, guess or solution, not '%s'", o->start);
    return false;
  }
  return true;
}

/* --- solving --------------------------------------------------------------------------------------------------- */

static const double *start_of(const picus_problem *problem, const char *what) {
  const picus_problem_notes *notes = picus_problem_notes_of(problem);
  if (strcmp(what, "guess") == 0) return notes->guess;
  return strcmp(what, "solution") == 0 ? notes->solution : NULL;
}

static picus_status solve_repeatedly(picus_solver *solver, const picus_problem *stored, const solve_options *o,
                                     double *P, picus_mode *modes, attempt *out) {
  const picus_contact_problem *problem = picus_problem_contacts(stored);
  const double *start = start_of(stored, o->start);
  size_t bytes = (size_t)problem->size * sizeof *P;
  picus_status status = picus_solver_reserve(solver, problem->law_count, problem->size);
  if (status) return status;
  out->seconds = INFINITY;
  for (long k = 0; k < o->repeat; k++) {
    if (start)
      memcpy(P, start, bytes);
    else
      memset(P, 0, bytes);
    for (int i = 0; i < problem->law_count; i++) modes[i] = PICUS_OPEN;
    double begin = picus_clock_steady();
    status = picus_solver_solve(solver, problem, P, modes, &out->info);
    double took = picus_clock_steady() - begin;
    if (took < out->seconds) out->seconds = took;
    if (status < 0) return status; /* an error, not a lack of convergence */
  }
  return status;
}

/* PICUS_OK even if the problem was not solved: that is a result. Lack of memory is none of the solver's. */
static picus_status try_solver(picus_context *context, const char *name, const picus_problem *stored,
                               const solve_options *o, attempt *out) {
  const picus_contact_problem *problem = picus_problem_contacts(stored);
  picus_solver_options options_of_solver = o->solver;
  options_of_solver.solver = name;
  options_of_solver.no_fallback = strcmp(name, "auto") != 0; /* the comparison is about this solver */
  picus_solver *solver = NULL;
  picus_status status = picus_solver_create(context, &options_of_solver, &solver);
  if (status) return status;
  double *P = calloc((size_t)problem->size + 1, sizeof *P);
  picus_mode *modes = calloc((size_t)problem->law_count + 1, sizeof *modes);
  out->contacts = problem->law_count;
  out->rows = problem->size;
  out->solver = name;
  if (P && modes) {
    status = solve_repeatedly(solver, stored, o, P, modes, out);
    out->residuals = picus_contact_residuals(problem, P);
    out->info.status = status;
  }
  if (!P || !modes) status = picus_fail(context, PICUS_ERROR_MEMORY, "out of memory");
  free(P);
  free(modes);
  picus_solver_destroy(solver);
  return status == PICUS_ERROR_MEMORY ? status : PICUS_OK;
}

static attempt *add_attempt(attempts *all) {
  if (all->count == all->capacity) {
    int capacity = all->capacity ? 2 * all->capacity : 64;
    attempt *list = realloc(all->list, (size_t)capacity * sizeof *list);
    if (!list) {
      cli_complain("out of memory");
      return NULL;
    }
    all->list = list;
    all->capacity = capacity;
  }
  all->list[all->count] = (attempt){0};
  return &all->list[all->count++];
}

/* --- output ---------------------------------------------------------------------------------------------------- */

static const char *outcome(const picus_solve_info *info) {
  picus_status status = info->status;
  if (!status) return info->accepted ? "accepted" : "solved";
  if (info->facets) return "solved with pyramids only";
  if (status == PICUS_NOT_CONVERGED) return "not converged";
  if (status == PICUS_NO_SOLUTION) return "no solution";
  return status == PICUS_ERROR_UNSUPPORTED ? "not supported" : picus_status_name(status);
}

static const char *short_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void print_head(void) {
  cli_print("%-38s %-8s %8s %6s %10s %10s %9s %9s %6s  %s\n", "file", "solver", "contacts", "rows", "iterations",
            "seconds", "residual", "fclib", "worst", "status");
}

static void print_attempt(const attempt *t) {
  cli_print("%-38s %-8s %8d %6d %10d %10.3g %9.2g %9.2g %6d  %s\n", short_name(t->file), t->solver, t->contacts,
            t->rows, t->info.iterations, t->seconds, t->info.residual.relative, t->residuals.fclib,
            t->info.residual.worst_law, outcome(&t->info));
  (void)fflush(stdout);
}

/* A text as a cell: quotes in it are doubled (RFC 4180). */
static void put_cell(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; text++) {
    if (*text == '"') fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

static void put_table(FILE *file, const void *user) {
  const attempts *all = user;
  fprintf(file, "file,solver,contacts,rows,iterations,seconds,residual,signorini,cone,dissipation,de_saxce,fclib,"
                "worst_contact,used,status\n");
  for (int k = 0; k < all->count; k++) {
    const attempt *t = &all->list[k];
    put_cell(file, t->file);
    fprintf(file, ",%s,%d,%d,%d,%.9g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d,%s,%s\n", t->solver, t->contacts, t->rows,
            t->info.iterations, t->seconds, t->info.residual.relative, t->residuals.signorini, t->residuals.cone,
            t->residuals.dissipation, t->residuals.de_saxce, t->residuals.fclib, t->info.residual.worst_law,
            t->info.solver ? t->info.solver : "", outcome(&t->info));
  }
}

/* The times of all attempts as a table of problems and solvers; each file has the same solvers. */
static bool plot_attempts(picus_context *context, const char *path, const attempts *all, int files) {
  int solvers = files > 0 ? all->count / files : 0;
  double *seconds = calloc((size_t)all->count + 1, sizeof *seconds);
  const char **names = calloc((size_t)solvers + 1, sizeof *names);
  bool done = seconds && names;
  if (!done) cli_complain("out of memory");
  for (int k = 0; done && k < all->count; k++) seconds[k] = !all->list[k].info.status ? all->list[k].seconds : INFINITY;
  for (int k = 0; done && k < solvers; k++) names[k] = all->list[k].solver;
  const cli_profile profile = {.problems = files, .solvers = solvers, .names = names, .seconds = seconds};
  if (done && cli_plot_profile(context, path, &profile)) {
    cli_report_error(context, EXIT_WRONG_INPUT);
    done = false;
  }
  free(seconds);
  free((void *)names);
  return done;
}

/* --- the command ----------------------------------------------------------------------------------------------- */

/* Every requested solver on one file. */
static int solve_file(picus_context *context, const char *path, const solve_options *o, bool quiet, attempts *all) {
  picus_problem *problem = NULL;
  if (picus_problem_read(context, path, &problem)) return cli_report_error(context, EXIT_WRONG_INPUT);
  bool every = strcmp(o->solver_name, "all") == 0;
  int code = EXIT_DONE;
  if (strcmp(o->start, "zero") != 0 && !start_of(problem, o->start)) {
    cli_complain("'%s' contains no %s; use another --start", path, o->start);
    code = EXIT_WRONG_INPUT;
  }
  for (int k = 0; code != EXIT_WRONG_INPUT && (every ? picus_solver_at(k) != NULL : k == 0); k++) {
    attempt *t = add_attempt(all);
    const char *name = every ? picus_solver_at(k)->name : o->solver_name;
    if (t) t->file = path;
    if (!t)
      code = EXIT_WRONG_INPUT;
    else if (try_solver(context, name, problem, o, t))
      code = cli_report_error(context, EXIT_WRONG_INPUT);
    else {
      if (t->info.status) code = EXIT_RUN_FAILED;
      if (!quiet) print_attempt(t);
      /* the reason; omitted if all solvers run. Of a solver that is not for such problems, the table says it. */
      if (!quiet && !every && t->info.status && t->info.status != PICUS_ERROR_UNSUPPORTED)
        cli_complain("%s: %s", short_name(path), cli_error_text(context));
    }
  }
  picus_problem_destroy(problem);
  return code;
}

static int run(const cli_arguments *a) {
  solve_options o;
  if (!read_options(a, &o)) return EXIT_WRONG_INPUT;
  bool quiet = cli_given(a, "quiet");
  picus_context *context = cli_context(quiet);
  if (!context) return EXIT_RUN_FAILED;
  attempts all = {0};
  int code = cli_use_threads(context, a) ? EXIT_DONE : EXIT_WRONG_INPUT;
  if (code == EXIT_DONE && cli_given(a, "plot") && picus_figure_check_path(context, cli_value(a, "plot", 0)))
    code = cli_report_error(context, EXIT_WRONG_INPUT);
  if (code == EXIT_DONE && !quiet) print_head();
  for (int k = 0; code != EXIT_WRONG_INPUT && k < cli_operand_count(a); k++) {
    int one = solve_file(context, cli_operand(a, k), &o, quiet, &all);
    if (one > code) code = one;
  }
  if (code != EXIT_WRONG_INPUT && cli_given(a, "csv") &&
      !cli_save_text(context, cli_value(a, "csv", 0), put_table, &all))
    code = EXIT_WRONG_INPUT;
  if (code != EXIT_WRONG_INPUT && cli_given(a, "plot") &&
      !plot_attempts(context, cli_value(a, "plot", 0), &all, cli_operand_count(a)))
    code = EXIT_WRONG_INPUT;
  free(all.list);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_solve = {
    .name = "solve",
    .operands = "FILE...",
    .operands_least = 1,
    .operands_most = -1,
    .operand_kind = "problem",
    .summary = "Solve contact problems from files",
    .description =
        "FILE is a contact problem in the HDF5 layout of FCLIB, local or global form (docs/problem-files.md). Each\n"
        "row of the table is one solver on one problem: iterations, solution time in seconds without reading the "
        "file,\n"
        "residual (relative to the scale of the problem), error measure of FCLIB, and the contact with the largest\n"
        "residual, counted from 0. Only auto may fall back to other solvers. If a single solver fails, a message on\n"
        "standard error states the reason. Exit code 0: all solved; 1: some unsolved; 2: wrong input.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
