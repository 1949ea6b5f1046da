/* A study: its points, what it collects, and its rows. */
#ifndef PICUS_STUDY_INTERNAL_H
#define PICUS_STUDY_INTERNAL_H

#include "base/checksums.h"
#include "base/internal.h"
#include "base/journal.h"

#include <picus/result.h>
#include <picus/rollout.h>
#include <picus/study.h>
#include <picus/version.h>

/* What becomes of the values of a column, or a total of the run. */
typedef enum collect_kind {
  COLLECT_LAST,
  COLLECT_MIN,
  COLLECT_MAX,
  COLLECT_MEAN, /* over time, by the trapezoidal rule */
  COLLECT_TOTAL
} collect_kind;
typedef struct collected {
  collect_kind kind;
  char *name;   /* "max(y)" */
  char *column; /* "y", or the name of the total */
} collected;

typedef struct study_axis {
  picus_axis_kind kind;
  char *name;
  int option; /* its number in the table of options */
} study_axis;

typedef struct study_row {
  bool is_done;
  picus_status status;
  double seconds;
  char *message;      /* NULL: none */
  double *section;    /* section_count x width of the section; NULL: none */
  long section_count; /* states */
} study_row;

/* The instants whose states are kept. */
typedef enum section_kind {
  SECTION_NONE,
  SECTION_LAW,   /* switching points of a law */
  SECTION_EVENT, /* an event of the model */
  SECTION_TIMES  /* multiples of a period */
} section_kind;
typedef enum section_change {
  CHANGE_ANY,
  CHANGE_CLOSES,
  CHANGE_OPENS,
  CHANGE_STICKS,
  CHANGE_SLIPS,
  CHANGE_IMPACT
} section_change;
typedef struct study_section {
  section_kind kind;
  section_change change;
  char *name;     /* of the law or event */
  double period;  /* s */
  long last;      /* states of a run that are kept */
  int width;      /* numbers of a state: the time, coordinates, velocities, inputs */
  char **columns; /* their names */
} study_section;

struct picus_study {
  picus_context *context;
  picus_model *model;
  const picus_system *system;
  picus_sim_options options; /* rows after all steps if something else than last values is collected */
  int axis_count, value_count;
  study_axis *axes;
  collected *values;
  char *columns; /* patterns of the columns that runs record */
  study_section section;
  long count, done;
  long chain;      /* points of a chain, in whose order runs continue; 1: none does */
  double *points;  /* count x axis_count */
  double *results; /* count x value_count */
  study_row *rows; /* count */
  char *command;   /* of a run, without what varies */
  unsigned char title[PICUS_SHA256_SIZE];
};

/* points.c: the points of a definition, count x axis_count, and their number. */
picus_status picus_study_make_points(picus_context *context, const picus_study_def *def, long *count, double **points);

/* Points of a chain of runs that continue each other. */
long picus_study_chain(const picus_study_def *def, long count);

/* collect.c */
picus_status picus_study_find_values(picus_study *study, const picus_study_def *def);
void picus_study_release_values(picus_study *study);
/* Where the last value of a column is among the values; -1: it is not collected. */
int picus_study_find_last(const picus_study *study, const char *column);
/* Of one run; its memory belongs to the study. */
typedef struct study_fold {
  const picus_study *study;
  picus_context *context; /* of the run */
  int *columns;           /* value_count: indices in the recorder of the run */
  double *values, *last;  /* value_count: results, and values of the row before */
  double t_first, t_last;
  bool has_rows;
} study_fold;
/* A sink that folds the rows of a run. */
picus_sink picus_study_fold_sink(study_fold *fold);
/* When the run has ended. */
void picus_study_fold_end(study_fold *fold, const picus_summary *summary);

/* section.c */
picus_status picus_study_find_section(picus_study *study, const picus_study_def *def);
void picus_study_release_section(picus_study *study);
/* The states of one run. */
typedef struct section_fold {
  const picus_study *study;
  picus_context *context; /* of the run */
  double t_start;
  int index;       /* of the law or event in the run; else 0 */
  int *columns;    /* width: indices in the recorder of the run, for multiples of a period */
  double *entries; /* last x width: a ring */
  long count;      /* states so far, of which the last ones are kept */
  long switchings; /* of the run so far */
  long *wanted;    /* numbers of switching points whose states are wanted and have not come */
  size_t seen;     /* of wanted, since the last states came */
  size_t wanted_count, wanted_capacity;
} section_fold;
/* A sink that keeps the states of a run. */
picus_sink picus_study_section_sink(section_fold *fold);
/* When the run has ended: brings the states that are kept into their order, and returns their number. */
long picus_study_section_end(section_fold *fold);

/* What is kept of a run besides its row; message: "" if there is none. */
typedef struct study_record {
  const char *message;
  const double *values;  /* value_count */
  const double *section; /* section_count x width */
  long section_count;
} study_record;
/* study.c: keeps a row. */
picus_status picus_study_keep(picus_study *study, long point, const study_row *row, const study_record *record);

/* study_files.c: the group of an HDF5 file that has the values of such axes. */
const char *picus_study_axis_group(picus_axis_kind kind);

#endif
