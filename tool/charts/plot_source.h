/* Data of picus plot: results and tables, by columns. */
#ifndef PICUS_CLI_PLOT_SOURCE_H
#define PICUS_CLI_PLOT_SOURCE_H

#include "cli/cli.h"

#include "cli/csv_table.h"

/* One of the two laws of a contact, made from its mode. */
typedef struct plot_state {
  int mode;         /* column of the modes */
  bool of_friction; /* its friction law; else the unilateral one */
  char name[160];
  double *values; /* NULL: none yet */
} plot_state;

/* How a percussion is read. */
typedef enum plot_reading {
  PLOT_PERCUSSION,   /* as recorded */
  PLOT_FORCE,        /* divided by the time since the row before */
  PLOT_SMOOTH_FORCE, /* the same; NAN in rows with an impact */
  PLOT_READINGS
} plot_reading;

/* The percussions of the rows with an impact, as lines from 0: for each row its two ends and a gap (NAN). */
typedef struct plot_stems {
  double *t, *P;
  size_t count;
} plot_stems;

typedef struct plot_source {
  picus_context *context;
  const char *path;
  picus_result *result; /* NULL: a table */
  cli_csv_table table;
  picus_study_table *study;       /* the table is of this file; NULL: it is not */
  char *label;                    /* in the legend, if several files are drawn */
  size_t first, count;            /* rows shown */
  double **forces[PLOT_READINGS]; /* forces of percussions drawn as forces, by column; NULL: none yet */
  plot_stems *stems;              /* percussions of impacts, by column; without t: none yet */
  bool *impacts;                  /* rows with an impact; NULL: none yet */
  double *contacts;               /* columns made from the table of contacts, one after the other; NULL: none yet */
  double **marks;                 /* values at switching points, by column; NULL: none yet */
  size_t mark_count;
  plot_state *states; /* laws of contacts, made from modes */
  int state_count;
} plot_source;

/* Does this operand name a file, not a column? By its extension. */
bool plot_source_is_file(const char *operand);
/* The length of a path without its extension, such as .h5, and .part. */
size_t plot_source_name_length(const char *path);
/* label NULL: the name of the file without folder and extension. of_section: of a study, the states of its section.
 * filter: the columns of a table that are drawn, its first one and t or dt besides; NULL: all. False on any error,
 * already reported. */
bool plot_source_open(picus_context *context, const char *path, const char *label, bool of_section,
                      const cli_csv_filter *filter, plot_source *source);
void plot_source_close(plot_source *source);

/* Shows only rows with from <= t <= to; all rows of a table without t. */
bool plot_source_choose_rows(plot_source *source, double from, double to);

int plot_source_column_count(const plot_source *source);
picus_column plot_source_column(const plot_source *source, int index);
/* The column of this name; false, already reported, if there is none. */
bool plot_source_find(const plot_source *source, const char *name, int *column);
/* The values of the rows shown. reading: of percussions. */
bool plot_source_values(plot_source *source, int column, plot_reading reading, const double **values);
/* The percussions in the rows shown that have an impact of any law. Lifetime: that of the source. */
bool plot_source_stems(plot_source *source, int column, plot_stems *stems);
/* The times between the rows shown at which a law or an event of the model with this name has an entry in the event
 * log ("impacts": at which any law has an impact), ordered. The caller frees *times. False, already reported, if the
 * result has no such law or event, or more than `most` times. */
bool plot_source_event_times(plot_source *source, const char *name, long most, double **times, long *count);
/* The values at the switching points of a result that lie between the rows shown, interpolated between rows. Lifetime:
 * that of the source. False, already reported, if the result has no event log. */
bool plot_source_at_switches(plot_source *source, int column, plot_reading reading, const double **values,
                             size_t *count);

#endif
