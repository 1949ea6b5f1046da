/* Reference solutions, and the differences of other results from them; see docs/theory/reference.md.
 *
 * A reference is an adaptive run, repeated with smaller dt_min and tolerances until two runs agree. Results are
 * compared with it, or with each other, column by column and switching point by switching point. */
#ifndef PICUS_REFERENCE_H
#define PICUS_REFERENCE_H

#include <picus/base.h>
#include <picus/result.h>
#include <picus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Errors e_i of one column at the compared times t_i. Percussions, if they are named, are compared as mean forces from
 * one common time to the next. */
typedef struct picus_column_error {
  const char *name, *unit;
  double uniform; /* max |e_i| */
  double l1, l2;  /* sum |e_i| dt_i and sqrt(sum e_i^2 dt_i), dt_i = t_i - t_(i-1) */
  double t_worst; /* s, time of the largest error */
  double range;   /* largest minus smallest value in the reference */
  /* The range, but at least a millionth of the largest range among the compared columns of its group: coordinates and
   * gaps, velocities and relative velocities, energies. The largest range itself if the column is smaller than that and
   * its error is round-off (1e-12 of the largest range). 0: all are constant. */
  double scale;
} picus_column_error;

/* Switching points of one law, matched in order of time. */
typedef struct picus_law_match {
  const char *law;
  long matched;           /* switching points of both */
  long missing, extra;    /* in the reference only, in the result only */
  long unresolved;        /* unmatched, but closer to a matched one than the longer step resolves */
  double time_difference; /* s, largest among the matched; 0: none matched */
  double t_worst;         /* s, its time in the reference */
} picus_law_match;

typedef struct picus_comparison {
  long rows;         /* of the result */
  long common;       /* rows at times that the reference contains */
  long interpolated; /* rows at times in between, where the samples of the reference are dense enough */
  long at_switching; /* compared rows at switching points of either; only their coordinates and gaps are compared */
  double accuracy;   /* estimated error of the reference, INFINITY: unknown; NAN: it is not the result of a search */
  double asked;      /* requested accuracy of the reference; NAN: none, or reached */
  int column_count;  /* in columns */
  const picus_column_error *columns;
  int law_count; /* laws of either, including detected contacts; 0: one of the two has no event log */
  const picus_law_match *laws;
} picus_comparison;

/* columns: names; NULL: all coordinates, velocities, gaps, energies and observed values. A result of another model,
 * with other parameters or without a common time is rejected. Names in the comparison belong to the two results. */
PICUS_API picus_status picus_result_compare(picus_context *context, picus_result *result, picus_result *reference,
                                            int column_count, const char *const *columns, picus_comparison **out);
PICUS_API void picus_comparison_destroy(picus_context *context, picus_comparison *comparison); /* NULL is allowed */

/* --- searching for a reference ------------------------------------------------------------------------------------ */

enum { PICUS_REFERENCE_ATTEMPTS = 24, PICUS_REFERENCE_NAME = 64 };

/* One run of the search, and its difference from the run before. */
typedef struct picus_reference_attempt {
  double dt_min, dt_max; /* s */
  double tolerance;      /* atol and rtol */
  int order_max;         /* of the steps */
  picus_summary summary;
  long switchings;                  /* switching points in the event log */
  double difference;                /* largest over all columns and switching times, relative; NAN: first run */
  double time_difference;           /* s, largest of the switching times */
  long unlike;                      /* switching points without counterpart */
  char worst[PICUS_REFERENCE_NAME]; /* column with the largest difference, or "switching times" */
  double accuracy;                  /* estimated error of this attempt; INFINITY: unknown */
} picus_reference_attempt;

/* Called during an attempt, numbered from 1; non-zero ends the search with PICUS_INTERRUPTED. */
typedef int (*picus_reference_progress_fn)(void *user, int attempt, double t, double t_end, long steps);
/* Called after each attempt. */
typedef void (*picus_reference_attempt_fn)(void *user, int attempt, const picus_reference_attempt *is);

typedef struct picus_reference_options {
  double accuracy;                      /* requested, > 0 */
  long work_most;                       /* limit of base steps, all attempts together */
  const char *path;                     /* HDF5 file of the best attempt; NULL: none */
  picus_reference_progress_fn progress; /* may be NULL */
  picus_reference_attempt_fn attempted; /* may be NULL */
  void *user;
} picus_reference_options;
PICUS_API picus_reference_options picus_default_reference_options(void); /* 1e-10, 2e7 steps; the rest NULL */

typedef struct picus_reference_report {
  bool reached;
  double accuracy;   /* estimated error of the best attempt; INFINITY: unknown */
  int best;          /* index of the best attempt; -1: none */
  int attempt_count; /* in attempts */
  picus_reference_attempt attempts[PICUS_REFERENCE_ATTEMPTS];
  long base_steps; /* all attempts together */
} picus_reference_report;

/* run: model, system and command as for a recorder; its options give scheme, solver, t_end, sample, dt_max and so on.
 * The search chooses the options of adaptive steps. PICUS_NOT_CONVERGED, with the reason as message: the accuracy was
 * not reached; the file still holds the best attempt. */
PICUS_API picus_status picus_reference_search(picus_context *context, const picus_run_description *run,
                                              const picus_reference_options *options, picus_reference_report *report);

#ifdef __cplusplus
}
#endif

#endif
