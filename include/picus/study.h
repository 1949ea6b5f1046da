/* Studies: many runs of one model over parameters, initial states and options, with a few values of each, kept in one
 * file. Runs that a journal has are not made again, so that a study that was killed continues where it was.
 *
 * The runs are those of a rollout, on the threads of a context. The values and the files do not depend on the number of
 * threads, on interruptions, or on how the points were divided into parts. */
#ifndef PICUS_STUDY_H
#define PICUS_STUDY_H

#include <picus/base.h>
#include <picus/model.h>
#include <picus/sim.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What varies from point to point. */
typedef enum picus_axis_kind {
  PICUS_AXIS_PARAMETER, /* a parameter of the model, or the initial value of an input */
  PICUS_AXIS_START,     /* a coordinate or a velocity of the initial state */
  PICUS_AXIS_OPTION     /* a run option that is a number */
} picus_axis_kind;
typedef struct picus_study_axis {
  picus_axis_kind kind;
  const char *name;
  long count;           /* of values; 1: constant; 0: samples between low and high */
  const double *values; /* count */
  double low, high;     /* low <= x < high */
} picus_study_axis;

/* How the axes make points. Axes with one value are constant in all of them. */
typedef enum picus_sampling {
  PICUS_SAMPLING_GRID,   /* all combinations of the values; the last axis varies first */
  PICUS_SAMPLING_LIST,   /* the k-th values of all axes together */
  PICUS_SAMPLING_RANDOM, /* independent samples */
  PICUS_SAMPLING_LATIN,  /* Latin hypercube: one sample in each of `samples` equal intervals of every axis */
  PICUS_SAMPLING_SOBOL   /* the first points of Sobol's sequence, at most PICUS_SOBOL_AXES axes */
} picus_sampling;
enum { PICUS_SOBOL_AXES = 16 };
PICUS_API const char *picus_sampling_name(int sampling); /* "grid", ...; NULL: no such number. Lifetime: static */

/* Whether a run starts where the one before it ended. Then the runs along the last axis with several values (of a list:
 * all) are a chain: the first starts from the initial state of its point, each other one from the coordinates and
 * velocities at the end of the last run of the chain that did not fail. The time, inputs and states of controllers
 * start as in any run. The last coordinates and velocities are collected in any case. */
typedef enum picus_continuation {
  PICUS_CONTINUATION_NONE,
  PICUS_CONTINUATION_FORTH,
  PICUS_CONTINUATION_FORTH_AND_BACK /* the values once more in reverse order, for hysteresis */
} picus_continuation;
/* "none", "forth", ...; NULL: no such number. Lifetime: static */
PICUS_API const char *picus_continuation_name(int continuation);

/* Values to collect: a column of results by name or pattern, "phiM" or "beak.*", which is its last value; a function of
 * its values after all steps, "max(y)", "min(beak.gap)" or "mean(E.kin)"; or a total of the run, such as "impacts". */
typedef struct picus_study_def {
  picus_model *model;               /* with the parameters of the first point */
  const picus_system *system;       /* of the model */
  const picus_sim_options *options; /* sample and every are not used */
  int axis_count;                   /* in axes */
  const picus_study_axis *axes;
  picus_sampling sampling;
  long samples;                    /* number of points of the last three kinds */
  uint64_t seed;                   /* of random and Latin samples */
  picus_continuation continuation; /* of grids and lists */
  int collect_count;
  const char *const *collect; /* none: all coordinates and velocities */
  /* A Poincare section: the states of each run at an event of the model or at all switching points of a law, "NAME"; at
   * some switching points of a law, "NAME:closes", "NAME:opens", "NAME:sticks", "NAME:slips" or "NAME:impact"; where an
   * expression is 0, by the text of a crossing of the model (picus_model_add_crossing); or at multiples of a period
   * after the start. A state at an event of the model is that before what the event sets, a state at a switching point
   * that at the end of its step. */
  const char *section;   /* NULL: no event or law */
  double section_period; /* s; 0: none */
  long section_last;     /* the last states of each run that are kept */
  /* How to make one of its runs, without what varies: "picus run woodpecker --t-end 0.5". It becomes a text of files,
   * for those who want a run of a point. NULL: none */
  const char *command;
} picus_study_def;
/* A grid without axes; one point; the last 100 states of a section. */
PICUS_API picus_study_def picus_default_study_def(void);

typedef struct picus_study picus_study;
/* Lifetime: `*out` until `picus_study_destroy`, before model, system and options of def; the rest is copied. */
PICUS_API picus_status picus_study_create(picus_context *context, const picus_study_def *def, picus_study **out);
PICUS_API void picus_study_destroy(picus_study *study);
PICUS_API long picus_study_count(const picus_study *study); /* points */
PICUS_API int picus_study_axis_count(const picus_study *study);
/* Lifetime: as long as the study. */
PICUS_API const char *picus_study_axis_name(const picus_study *study, int axis);
PICUS_API int picus_study_value_count(const picus_study *study); /* collected values of a point */
/* "max(y)". Lifetime: as long as the study. */
PICUS_API const char *picus_study_value_name(const picus_study *study, int value);

/* A point and its run. */
typedef struct picus_study_row {
  const double *point;   /* axis_count; those of all points follow each other, and so do the values */
  bool is_done;          /* its run was made */
  picus_status status;   /* of the run */
  const char *message;   /* why it failed; "": it did not */
  const double *values;  /* value_count; NAN if the run failed */
  double seconds;        /* wall-clock time of the run; not in files, which do not depend on it */
  long section_count;    /* states of the section, in the order of time */
  const double *section; /* section_count x picus_study_section_width */
} picus_study_row;
/* Numbers of a state: the time, coordinates, velocities and inputs; 0: the study has no section. */
PICUS_API int picus_study_section_width(const picus_study *study);
PICUS_API const char *picus_study_section_column(const picus_study *study,
                                                 int column); /* Lifetime: as long as the study */
/* Lifetime: as long as the study; a later run may change it. */
PICUS_API picus_study_row picus_study_row_at(const picus_study *study, long point);
PICUS_API long picus_study_done(const picus_study *study); /* points whose runs were made */

/* Called often, from one thread at a time, with the points that are done; non-zero stops with PICUS_INTERRUPTED. */
typedef int (*picus_study_progress_fn)(void *user, long done, long count);
/* Several processes share the missing runs by one queue: chains of runs that continue each other, or single runs, which
 * were missing when all processes had read all journals, in the order of their points. *first and *count: the next ones
 * for this process; *count = 0: none is left. */
typedef void (*picus_study_claim_fn)(void *user, long *first, long *count);
typedef struct picus_study_run_options {
  const char *journal;              /* path of the journal, which grows with each run; NULL: none */
  int part, part_count;             /* only the points of this part; 0: all */
  picus_study_claim_fn claim;       /* NULL: all are for this process */
  picus_study_progress_fn progress; /* may be NULL */
  void *user;                       /* of claim and progress */
} picus_study_run_options;
/* The entries of such a queue: chains with missing runs. */
PICUS_API long picus_study_missing(const picus_study *study);
/* The part of part_count that has a point, from 1 on; runs that continue each other are in one part. 0: no such point.
 */
PICUS_API int picus_study_part_of(const picus_study *study, long point, int part_count);
/* Makes the runs that are missing. A run that fails is no error: its row has status and message. After
 * PICUS_INTERRUPTED all runs that ended are in the journal. */
PICUS_API picus_status picus_study_run(picus_study *study, const picus_study_run_options *options);
/* Makes the runs of some points only, at most as many as there are, for an estimate; without a journal, and rows stay
 * as they were. seconds: of all, one after the other. */
PICUS_API picus_status picus_study_try(picus_study *study, int count, const long *points, double *seconds);
/* Takes the runs that a journal has, such as that of a part. A missing file has none. */
PICUS_API picus_status picus_study_read_journal(picus_study *study, const char *path);
/* When its results are in a file, the journal that picus_study_run wrote is no longer needed. */
PICUS_API picus_status picus_study_remove_journal(picus_study *study, const char *path);

/* Convergence, along points that follow each other and differ in one value only, such as dt. */
typedef struct picus_study_order {
  int axis;          /* what differs; -1: there is no such next point */
  double x;          /* its value */
  double difference; /* of the collected value, to that of the next point */
  double order;      /* with which the differences decrease; NAN unless the values of x form a geometric sequence */
} picus_study_order;
PICUS_API picus_study_order picus_study_order_at(const picus_study *study, long point, int value);
/* That the values of an HDF5 file of the same runs came out again, bit for bit, in the runs that were made: a study
 * that collects more values replaces the file then. PICUS_ERROR_ARGUMENT: it is of another study, or a value differs;
 * the message names it. */
PICUS_API picus_status picus_study_check(const picus_study *study, const char *path);

/* Which points end on the same attractor: basins (picus_study_count) become its number, from 0 in the order of the
 * points, -1 where a run failed or was not made; *count: of attractors. Two points have the same one if the last state
 * of the section of one is among the states that the other keeps, else if their collected values are the same.
 * tolerance: of each number, relative to its range over all points. */
PICUS_API picus_status picus_study_basins(const picus_study *study, double tolerance, int *basins, int *count);

/* Write all points in their order. Points that are not done have the status PICUS_INTERRUPTED. */
PICUS_API picus_status picus_study_write_csv(const picus_study *study, const char *path);
/* A line for each state of the section, with its point and the varied values. */
PICUS_API picus_status picus_study_write_section_csv(const picus_study *study, const char *path);
PICUS_API picus_status picus_study_write_hdf5(const picus_study *study, const char *path);

/* --- files of studies --------------------------------------------------------------------------------------------- */

/* The HDF5 file of a study as a table: a row for each point with what varies and the collected values, or a row for
 * each state of the section with its point, what varies, and the state. */
typedef struct picus_study_table picus_study_table;
/* PICUS_ERROR_ARGUMENT: it is another kind of file, or has no section. Lifetime: `*out` until
 * `picus_study_table_close`. */
PICUS_API picus_status picus_study_table_open(picus_context *context, const char *path, bool of_section,
                                              picus_study_table **out);
PICUS_API void picus_study_table_close(picus_study_table *table);
PICUS_API long picus_study_table_rows(const picus_study_table *table);
PICUS_API int picus_study_table_column_count(const picus_study_table *table);
/* "mu"; "last q" of a value whose name varies as well. Lifetime: as long as the table. */
PICUS_API const char *picus_study_table_column(const picus_study_table *table, int column);
/* One value for each row; NULL: no such column, or no rows. Lifetime: as long as the table. */
PICUS_API const double *picus_study_table_values(const picus_study_table *table, int column);
/* The command of a run, without what varies. Lifetime: as long as the table. */
PICUS_API const char *picus_study_table_command(const picus_study_table *table);
/* What precedes a value of a column in such a command: "--set mu="; "" if it does not vary. */
PICUS_API void picus_study_table_word(const picus_study_table *table, int column, size_t size, char *text);

#ifdef __cplusplus
}
#endif

#endif
