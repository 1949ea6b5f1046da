/* Reference solutions, and how far other results are from them; see docs/theory/reference.md.
 *
 * A reference is an adaptive run that was repeated with smaller dt_min and tolerances until two runs agreed. Results
 * are compared with it, or with each other, column by column and switching point by switching point. */
#ifndef PICUS_REFERENCE_H
#define PICUS_REFERENCE_H

#include <picus/base.h>
#include <picus/recorder.h>
#include <picus/result.h>
#include <picus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Errors e_i of one column at the compared times t_i. */
typedef struct picus_column_error {
  const char *name, *unit;
  double uniform; /* max |e_i| */
  double l1, l2;  /* sum |e_i| dt_i and sqrt(sum e_i^2 dt_i), dt_i = t_i - t_(i-1) */
  double t_worst; /* s, where the largest is */
  double range;   /* largest less smallest value in the reference */
} picus_column_error;

/* Switching points of one law, matched in the order of time. */
typedef struct picus_law_match {
  const char *law;
  long matched;
  long missing, extra;    /* in the reference only, in the result only */
  long unresolved;        /* the same, but so close to a matched one that the longer step cannot tell them apart */
  double time_difference; /* s, largest of the matched ones; 0 without any */
  double t_worst;         /* s, where it is in the reference */
} picus_law_match;

typedef struct picus_comparison {
  long rows;         /* of the result */
  long common;       /* of these at times that the reference has, too */
  long interpolated; /* at times in between, where the samples of the reference are dense enough */
  long at_switching; /* compared rows at switching points of either: there only coordinates and gaps are compared */
  double accuracy;   /* that the reference claims; NAN: none */
  int column_count;
  const picus_column_error *columns;
  int law_count; /* 0: one of the two has no ledger */
  const picus_law_match *laws;
} picus_comparison;

/* columns: names; NULL for all coordinates, velocities, gaps, energies and observed values. A result of another model,
 * of other parameters or without a common time is refused. Names in the comparison belong to the two results. */
PICUS_API picus_status picus_result_compare(picus_context *context, picus_result *result, picus_result *reference,
                                            int column_count, const char *const *columns, picus_comparison **out);
PICUS_API void picus_comparison_destroy(picus_context *context, picus_comparison *comparison); /* NULL is fine */

/* --- searching for a reference ------------------------------------------------------------------------------------ */

enum { PICUS_REFERENCE_ATTEMPTS = 24, PICUS_REFERENCE_NAME = 64 };

/* One run of the search and how it differs from the one before. */
typedef struct picus_reference_attempt {
  double dt_min, dt_max; /* s */
  double tolerance;      /* atol and rtol */
  int order_max;
  picus_summary summary;
  long switchings;        /* entries in the ledger */
  double difference;      /* largest of all columns and of the switching times, relative; NAN: the first run */
  double time_difference; /* s, of the switching times */
  long unlike;            /* switching points that have no counterpart */
  char worst[PICUS_REFERENCE_NAME]; /* the column with the largest difference; "switching times" */
  double accuracy;                  /* estimated error of this attempt; INFINITY: nothing is known */
} picus_reference_attempt;

/* Called during an attempt, counted from 1; non-zero ends the search with PICUS_INTERRUPTED. */
typedef int (*picus_reference_progress_fn)(void *user, int attempt, double t, double t_end, long steps);
/* Called after each attempt. */
typedef void (*picus_reference_attempt_fn)(void *user, int attempt, const picus_reference_attempt *is);

typedef struct picus_reference_options {
  double accuracy;                      /* asked for, > 0 */
  long work_most;                       /* steps of the scheme in all attempts together */
  const char *path;                     /* HDF5 file that keeps the best attempt; NULL: none */
  picus_reference_progress_fn progress; /* may be NULL */
  picus_reference_attempt_fn attempted; /* may be NULL */
  void *user;
} picus_reference_options;
PICUS_API picus_reference_options picus_default_reference_options(void); /* 1e-10, 2e7 steps, nothing else */

typedef struct picus_reference_report {
  bool reached;
  double accuracy; /* estimated error of the best attempt; INFINITY: nothing is known */
  int best;        /* attempt that was kept; -1: none */
  int attempt_count;
  picus_reference_attempt attempts[PICUS_REFERENCE_ATTEMPTS];
  long base_steps; /* of all attempts */
} picus_reference_report;

/* run: model, system and command as for a recorder; its options say scheme, solver, t_end, sample, dt_max and so on,
 * those of adaptive steps are chosen by the search. PICUS_NOT_CONVERGED, with the reason as a sentence, where the
 * accuracy was not reached; the best attempt is in the file nevertheless. */
PICUS_API picus_status picus_reference_search(picus_context *context, const picus_run_description *run,
                                              const picus_reference_options *options, picus_reference_report *report);

#ifdef __cplusplus
}
#endif

#endif
