/* The command line tool: commands, options and shared functions. */
#ifndef PICUS_CLI_H
#define PICUS_CLI_H

#include <picus/picus.h>
#include <stdio.h>

/* Exit codes. */
enum { EXIT_DONE = 0, EXIT_RUN_FAILED = 1, EXIT_WRONG_INPUT = 2, EXIT_TRY_AGAIN = 75 }; /* 75: EX_TEMPFAIL of queues */

typedef struct cli_option {
  const char *name;     /* without the dashes */
  const char *argument; /* placeholder of the value; NULL: a flag */
  const char *help;     /* one line */
  bool repeatable;
} cli_option;

typedef struct cli_arguments cli_arguments;

typedef struct cli_command {
  const char *name;
  const char *operands;     /* as in the usage line: "MODEL" */
  int operands_least;       /* number of operands */
  int operands_most;        /* -1: any number */
  const char *operand_kind; /* completion: "model", "result", "problem" or "" */
  const char *summary;      /* one line */
  const char *description;  /* paragraphs for help and manual page */
  const cli_option *options;
  int option_count;
  const char *const *examples; /* pairs of command and explanation, ended by NULL */
  int (*run)(const cli_arguments *arguments);
  const char *default_what;                              /* without --out it writes "the figure" or "the page", */
  char *(*default_path)(const cli_arguments *arguments); /* to this file; to be freed, NULL: out of memory */
  bool continues;                                        /* without --out it continues its operand, a result */
} cli_command;

/* The commands by index (NULL ends the list) and by name. */
const cli_command *cli_command_at(int index);
const cli_command *cli_command_find(const char *name);
/* Runs the command that argv[1] names; returns the exit code. */
int cli_dispatch(int argc, char **argv);

extern const cli_command cli_run, cli_sweep, cli_study, cli_orbit, cli_branch, cli_lyapunov, cli_linearize, cli_resume,
    cli_reference, cli_compare, cli_solve, cli_plot, cli_view, cli_live, cli_render, cli_export, cli_import, cli_events,
    cli_list, cli_show, cli_check, cli_info, cli_reproduce, cli_completion, cli_help;

/* Parses. After an error: a message on standard error, and NULL. */
cli_arguments *cli_parse(const cli_command *command, int argc, char **argv);
void cli_arguments_free(cli_arguments *arguments);
bool cli_wants_help(const cli_arguments *arguments);
const cli_command *cli_command_of(const cli_arguments *arguments);
int cli_operand_count(const cli_arguments *arguments);
const char *cli_operand(const cli_arguments *arguments, int index);
/* The k-th value of an option; NULL if it was given fewer times. For a flag: "" if given. */
const char *cli_value(const cli_arguments *arguments, const char *option, int k);
bool cli_given(const cli_arguments *arguments, const char *option);
/* The value of an option as a number; false, with a message on standard error, if it is not one. If the option is not
 * given, *out stays. */
bool cli_number(const cli_arguments *arguments, const char *option, double *out);
bool cli_integer(const cli_arguments *arguments, const char *option, long *out);
/* The complete command line, stored with the run. */
const char *cli_command_line(const cli_arguments *arguments);

/* The words of a command as one text, as a shell would read it:
 * "picus" and the words from the second on; those with other signs than letters, digits and _-+=.,:/@% are in single
 * quotes. To be freed; NULL: out of memory. */
char *cli_join_words(int count, const char *const *words);
/* The words of such a text, ended by NULL; they and the list are one block, to be freed. NULL: out of memory. */
char **cli_split_words(const char *text, int *count);

/* The length of the longest text; NULL ends the list. */
int cli_widest(const char *(*text)(int index));

void cli_print_version(void);

/* Documents generated from the table of commands, so that they always agree with it. */
void cli_write_usage(FILE *file);
void cli_write_help(FILE *file, const cli_command *command);
void cli_write_man_page(FILE *file);
void cli_write_markdown(FILE *file);
/* The script of a shell: bash, zsh or fish. false: there is none, already reported. */
bool cli_write_completion(FILE *file, const char *shell);
/* Prints the words that can stand at the end of a command line, one in a line. */
void cli_complete(const char *line);
/* The words that 'picus help' explains: commands, schemes, solvers, words of model files; NULL ends the list. */
const char *cli_help_topic(int index);

/* Printing. Text arguments are made printable: none of their escape sequences, control characters or line breaks
 * reaches the terminal. */
void cli_print(const char *format, ...) PICUS_PRINTF(1, 2); /* to standard output */
void cli_fprint(FILE *file, const char *format, ...) PICUS_PRINTF(2, 3);
/* The text of a model, unchanged; on a terminal made printable. */
void cli_print_source(const char *source);
/* "picus: MESSAGE" on standard error. */
void cli_complain(const char *format, ...) PICUS_PRINTF(1, 2);
/* Prints the last error of the context, with file and line if known. Returns the code. */
int cli_report_error(const picus_context *context, int exit_code);
/* The last message of the context, or the text of its status if memory ran out. Lifetime: until its next error. */
const char *cli_error_text(const picus_context *context);
/* A context whose notes and warnings go to standard error unless quiet. NULL: out of memory, already reported. */
picus_context *cli_context(bool quiet);

/* A model and its system, loaded with the options below. cli_load returns an exit code; errors are already reported. */
typedef struct cli_model {
  picus_model *model;
  picus_system *system;
} cli_model;
int cli_load(picus_context *context, const cli_arguments *arguments, cli_model *out);
/* The same from a text, with the files that it names; NULL: from the operand. */
typedef struct cli_given_model {
  const char *name, *text;
  int file_count;
  const picus_model_file *files;
} cli_given_model;
int cli_load_given(picus_context *context, const cli_arguments *arguments, const cli_given_model *given,
                   cli_model *out);
/* The same with these values of parameters instead of --set. */
int cli_load_with(picus_context *context, const cli_arguments *arguments, const cli_given_model *given, int count,
                  const picus_override *overrides, cli_model *out);
/* A number, or an expression of numbers, such as 2*pi/6; NAN: neither. */
double cli_number_of(picus_context *context, const char *text);
/* The base scheme of an adaptive run or a reference: --scheme, or the scheme of a model with adaptive runs, or the
 * default of the library. */
void cli_choose_base(picus_context *context, const cli_arguments *arguments, const cli_model *loaded,
                     picus_sim_options *out);
void cli_unload(cli_model *loaded);

/* The hardest contact problems of a run: unsolved ones first, then by iterations, then by residual; the earlier one of
 * equals. */
enum { CLI_WORST_MOST = 100 };
typedef struct cli_worst {
  picus_context *context; /* separate, so that the context of the run keeps only errors of the run */
  int wanted, count;
  struct cli_worst_entry *entries; /* hardest first */
  bool failed;                     /* out of memory: some may be missing */
} cli_worst;
/* Reads --worst and --dump-worst; then, once all files are checked, creates the folder. false on any error, already
 * reported. */
bool cli_worst_begin(cli_worst *worst, const cli_arguments *arguments);
bool cli_worst_make_folder(const cli_arguments *arguments);
void cli_worst_watch(void *worst, const picus_watched_problem *watched); /* a picus_contact_watch_fn */
/* DIR/NAME-worst-K.hdf5, where NAME is the model's name without characters unsuitable for file names; NULL: out of
 * memory. */
char *cli_worst_path(const char *folder, const char *name, int k);
/* The run that they come from. */
typedef struct cli_worst_origin {
  const char *model, *command_line;
  const picus_solver_options *solver;
} cli_worst_origin;
/* Writes them to these paths and, unless file is NULL, prints the commands that solve them again. */
bool cli_worst_write(cli_worst *worst, picus_context *context, const char *folder, const cli_worst_origin *origin,
                     FILE *file);
void cli_worst_release(cli_worst *worst);

/* Progress on a terminal. */
typedef struct cli_progress {
  const char *name;
  bool shown; /* standard error is a terminal, and not quiet */
  double begin, last, t_begin;
  bool drawn;
} cli_progress;
void cli_progress_begin(cli_progress *progress, const char *name, bool quiet, double t_begin);
/* The share of the work that is done, a text, and an estimate of the time left; at most ten times a second. */
void cli_progress_show(cli_progress *progress, double share, const char *text);
int cli_progress_update(void *progress, double t, double t_end, long steps); /* a picus_progress_fn; 1 after Ctrl-C */
void cli_progress_end(cli_progress *progress); /* clears the line; it may be shown again */
void cli_catch_ends(void);                     /* Ctrl-C and similar signals set a flag instead of ending the program */
void cli_catch_interrupts(void);               /* the same, and a broken pipe is an error instead of a signal */
int cli_interrupted(void *unused);             /* 1 after Ctrl-C; for the interrupt of picus_derivation */

/* Orbits of many coordinates: as cli_interrupted, and a note once it has taken long. */
typedef struct cli_long_work {
  double begin; /* by the clock, s */
  int numbers;  /* coordinates and velocities */
  bool is_quiet;
} cli_long_work;
cli_long_work cli_long_work_begin(const cli_arguments *arguments, const picus_system *system);
int cli_long_work_ends(void *work);

/* Progress in a small file, for batch queues: JSON, replaced as a whole. */
typedef struct cli_progress_file {
  picus_context *context;
  const char *path; /* NULL: none */
  const char *model;
  double t_start, t_begin;   /* of the run, and where this process began, s */
  double begin, last, pause; /* by the clock, s */
  bool told_failure;
} cli_progress_file;

/* How far the run is. */
typedef struct cli_progress_state {
  const char *status;            /* "running", "done", "interrupted", "failed" */
  double t, t_end, checkpoint_t; /* NAN: no checkpoint */
  long steps;                    /* of the run, also those before its checkpoint */
} cli_progress_state;

/* Whether there may be one at the path; NULL: none is wanted. A pipe or a device cannot be replaced as a whole, and
 * would make the run wait. false: already reported. */
bool cli_progress_file_check(picus_context *context, const char *path);
void cli_progress_file_begin(cli_progress_file *f, picus_context *context, const char *path, const char *model);
/* Where the run starts (t_start) or continues (t). */
void cli_progress_file_start(cli_progress_file *f, double t_start, double t);
/* From time to time, or now. A file that cannot be written does not end the run; that is reported once. */
void cli_progress_file_write(cli_progress_file *f, const cli_progress_state *state, bool is_due);

/* --threads: the number of threads of the context; default: one for each core. false: already reported. */
#define CLI_THREADS_OPTION                                                                                             \
  { "threads", "N", "threads for large models; the results do not depend on it; default: all cores", false }
bool cli_use_threads(picus_context *context, const cli_arguments *arguments);

/* Also read by cli_load, for commands that make many steps. */
#define CLI_NATIVE_OPTION                                                                                              \
  {                                                                                                                    \
    "native", NULL, "compile the formulas of the model with the system's C compiler: same numbers, faster steps",      \
        false                                                                                                          \
  }

/* The options that cli_load reads, for the tables of commands. */
#define CLI_LOAD_OPTIONS                                                                                               \
  {"set", "NAME=VALUE", "set a parameter of the model, or the initial value of an input", true}, CLI_LIMIT_OPTIONS
/* The same without parameters. */
#define CLI_LIMIT_OPTIONS                                                                                              \
  {"model-memory", "MB", "memory limit for running the model file, in MiB; default 1024", false},                      \
      {"derive-memory", "MB", "memory limit for deriving the equations, in MiB; default 4096", false}, {               \
    "derive-nodes", "N", "limit of expression nodes created or looked up; default 1e10", false                         \
  }

/* Compares two result files and prints the differences; returns the exit code. columns: names; NULL: all. */
int cli_compare_files(picus_context *context, const char *path, const char *reference, int column_count,
                      const char *const *columns);

/* The estimated stability limit of explicit forces, before a run: a line, or a warning if dt exceeds it. Nothing if it
 * is not known. */
void cli_print_stability(const picus_model *model, const picus_system *system, picus_sim *sim);
/* What the scheme does wrong: the change of the energy, less all work that is booked. */
double cli_energy_error(const picus_summary *summary);
/* The CPU time that this process has used (s), by all of its threads. */
double cli_cpu_seconds(void);
/* The summary of a run as text. recorder: with sums by pair; NULL: none. cpu: CPU time of the steps (s) */
void cli_print_summary(FILE *file, const picus_model *model, picus_sim *sim, const picus_recorder *recorder,
                       const picus_summary *summary, double cpu);

/* A result of very many rows shows some of them, with a note. */
void cli_thin(picus_result *result);
picus_status cli_open_thinned(picus_context *context, const char *path, picus_result **result);
/* The same for two that are compared: only if they have equally many. PICUS_ERROR_ARGUMENT: they have too many. */
picus_status cli_thin_pair(picus_context *context, picus_result *result, picus_result *other);

/* The page of picus view, also for picus run --view. */
/* Writes the page of some results; prints where it is unless quiet. Returns the exit code; errors are reported. */
int cli_write_page(picus_context *context, int count, const char *const *paths, const char *page, bool quiet);

#endif
