/* Running shipped models in tests. */
#ifndef PICUS_TEST_SIMULATE_H
#define PICUS_TEST_SIMULATE_H

#include <picus/picus.h>

/* A model by name with its system and simulation on a context of its own. */
typedef struct simulation {
  picus_context *context;
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
} simulation;

/* overrides: "e=0.5,m=2" or "". dt and t_end of 0 keep the model's. solver NULL keeps the model's. A failed check and
 * false on any error. */
bool simulation_open(simulation *s, const char *model, const char *overrides, double dt, double t_end,
                     const char *solver);
void simulation_close(simulation *s);
/* The same in two steps: the model with the options of its runs, but with fixed steps, then the simulation with what
 * became of them. */
bool simulation_load(simulation *s, const char *model, const char *overrides, picus_sim_options *options);
bool simulation_load_text(simulation *s, const char *text, picus_sim_options *options);
bool simulation_start(simulation *s, const picus_sim_options *options);
/* The same, sampled every `sample` s; see simulation_rows. */
bool simulation_open_sampled(simulation *s, const char *model, const char *overrides, double dt, double t_end,
                             double sample);

/* From the text of a model file, with the model's own options. */
bool simulation_open_text(simulation *s, const char *text);

/* An adaptive run; zeros keep the model's options. tolerance is both atol and rtol; odd substeps unless natural. */
typedef struct adaptive_run {
  double dt_min, dt_max, tolerance;
  int order_max, order;
  double t_end, sample;
  bool natural_substeps;
  const char *restitution; /* NULL: impacts */
  const char *scheme;      /* NULL: moreau */
} adaptive_run;
bool simulation_open_adaptive(simulation *s, const char *model, const char *overrides, adaptive_run run);
bool simulation_open_adaptive_text(simulation *s, const char *text, adaptive_run run);

/* All recorded rows of a run, in memory. */
enum { RECORDED_COLUMNS = 192 };
typedef struct recorded_rows {
  int column_count;
  long row_count, capacity;
  char names[RECORDED_COLUMNS][48];
  double *values; /* row_count x column_count */
} recorded_rows;
/* Runs to the end and collects the rows; a failed check and false on any error. */
bool simulation_run(simulation *s, recorded_rows *rows, picus_summary *summary);
picus_sink recorded_rows_sink(recorded_rows *rows); /* rows: zeroed */
void recorded_rows_free(recorded_rows *rows);
int recorded_column(const recorded_rows *rows, const char *name);
double recorded_value(const recorded_rows *rows, long row, const char *name);

/* All switching points of a run, in memory; without rows. A failed check and false on any error but an interrupt. */
typedef struct recorded_switchings {
  long count, capacity;
  picus_switching *list;
} recorded_switchings;
bool simulation_run_event_log(simulation *s, const picus_run_hooks *hooks, recorded_switchings *switchings,
                              picus_summary *summary);
void recorded_switchings_free(recorded_switchings *switchings);
picus_sink recorded_switchings_sink(recorded_switchings *switchings);

/* Slope of log(error) over log(dt) by least squares: the observed order. */
double observed_order(int count, const double *dt, const double *error);

#endif
