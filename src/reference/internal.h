/* Two motions of the same system, from files or from memory, and their differences. */
#ifndef PICUS_REFERENCE_INTERNAL_H
#define PICUS_REFERENCE_INTERNAL_H

#include "record/internal.h"

#include <picus/reference.h>

/* A motion as rows and switching points; views, column by column. */
typedef struct trajectory {
  int column_count; /* the first one is the time */
  const picus_column *columns;
  long row_count;
  const double **values; /* [column][row] */
  picus_result *result;  /* has the values of columns that are not loaded; NULL: all are */
  int law_count;
  const char *const *laws;
  const uint64_t *law_keys; /* of laws that come and go, whose names may be cut off; NULL: names are unique */
  long switching_count;     /* -1: no event log */
  const picus_switching *switchings;
} trajectory;
/* Makes values[column] valid until it is unloaded. */
picus_status picus_trajectory_load(picus_context *context, const trajectory *t, int column);
void picus_trajectory_unload(picus_context *context, const trajectory *t, int column);
int picus_trajectory_find(const trajectory *t, const char *name); /* -1: no such column */
/* The search begins with this column: results of the same model have them in the same order, perhaps a million. */
int picus_trajectory_find_near(const trajectory *t, const char *name, int start);

/* A result file as a trajectory: loads the time; the other columns are loaded when they are needed.
 * The lists are to be released with context, the rest is the result's. */
picus_status picus_trajectory_of_result(picus_context *context, picus_result *result, trajectory *out);
void picus_trajectory_release(picus_context *context, trajectory *t);

/* A motion kept in memory while a run records it. */
typedef struct memory_trajectory {
  picus_context *context;
  picus_column_list columns;
  double **values;
  long row_count, row_capacity;
  picus_switching *switchings;
  size_t switching_count, switching_capacity;
  const char **laws;
  int law_count;
} memory_trajectory;
/* A zeroed one takes the run; the sink belongs to one recorder, the trajectory stays when that is destroyed. */
picus_sink picus_memory_sink(picus_context *context, memory_trajectory *memory);
void picus_memory_release(memory_trajectory *memory); /* a zeroed one is fine */
trajectory picus_memory_view(const memory_trajectory *memory);

/* Times around switching points in which velocities of the two cannot be compared: from the earlier to the later of two
 * that belong together, and two steps on either side. Sorted, apart. */
typedef struct time_window {
  double begin, end;
} time_window;
typedef struct switching_match {
  bool is_known; /* both have an event log */
  int law_count; /* of the laws of either */
  picus_law_match *laws;
  time_window *windows;
  size_t window_count, window_capacity;
} switching_match;
picus_status picus_match_switchings(picus_context *context, const trajectory *of, const trajectory *reference,
                                    switching_match *out);
void picus_switching_match_release(picus_context *context, switching_match *match);
bool picus_windows_hold(const switching_match *match, double begin,
                        double end); /* one of them intersects [begin, end] */

typedef enum compared_kind {
  COMPARE_STATES, /* coordinates and velocities */
  COMPARE_MOTION  /* and gaps, relative velocities, energies, observed values: all except data of a step */
} compared_kind;
/* Which columns are compared. */
typedef struct compared_columns {
  compared_kind kind;
  int name_count;
  const char *const *names; /* NULL: all of the kind */
} compared_columns;
/* interpolate: the largest error that an interpolated value of the reference may have, relative to the range of its
 * column; 0: common times only. */
picus_status picus_trajectories_compare(picus_context *context, const trajectory *of, const trajectory *reference,
                                        compared_columns columns, double interpolate, picus_comparison **out);

#endif
