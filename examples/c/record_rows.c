/* A user-defined sink: rows arrive in blocks during the run. This one keeps a list of impacts and no rows. */
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

enum { IMPACTS_MOST = 5 };

typedef struct impact_list {
  int t, percussion; /* columns */
  double before;     /* percussion of the previous row */
  int count;
  double time[IMPACTS_MOST], strength[IMPACTS_MOST];
} impact_list;

static picus_status open_list(void *self, const picus_run_description *run, int column_count,
                              const picus_column *columns) {
  impact_list *list = self;
  (void)run;
  list->t = list->percussion = -1;
  for (int i = 0; i < column_count; i++) {
    if (strcmp(columns[i].name, "t") == 0) list->t = i;
    if (strcmp(columns[i].name, "ground.PN") == 0) list->percussion = i;
  }
  return list->t >= 0 && list->percussion >= 0 ? PICUS_OK : PICUS_ERROR_NAME;
}

/* The blocks have up to 1024 rows; the list keeps the data of earlier rows. */
static picus_status write_list(void *self, long row_count, int column_count, const double *rows) {
  impact_list *list = self;
  for (long k = 0; k < row_count; k++, rows += column_count) {
    double percussion = rows[list->percussion];
    if (percussion > 0 && list->before == 0 && list->count < IMPACTS_MOST) {
      list->time[list->count] = rows[list->t];
      list->strength[list->count++] = percussion;
    }
    list->before = percussion;
  }
  return PICUS_OK;
}

static picus_status close_list(void *self, const picus_summary *summary) {
  const impact_list *list = self;
  for (int i = 0; i < list->count; i++)
    printf("impact %d at t = %.3f s with %.4f N s\n", i + 1, list->time[i], list->strength[i]);
  printf("%ld rows, %s\n", summary->rows, picus_status_text(summary->status));
  return PICUS_OK;
}

static picus_status run(picus_context *context, picus_model *model, const picus_system *system, picus_sim *sim) {
  impact_list list = {0};
  const picus_sink sink = {.self = &list, .open = open_list, .write = write_list, .close = close_list};
  const picus_run_description description = {
      .model = model, .system = system, .options = picus_sim_options_of(sim), .command = "record_rows"};
  picus_recorder *recorder;
  picus_status status = picus_recorder_create(context, &description, &recorder);
  if (status) return status;
  status = picus_recorder_add_sink(recorder, sink); /* picus_recorder_add_hdf5 and _csv could follow */
  if (!status) status = picus_sim_run(sim, recorder, NULL, NULL);
  picus_recorder_destroy(recorder);
  return status;
}

int main(void) {
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  const picus_override e = {"e", 0.7}; /* as --set e=0.7 */
  const picus_load_options load = {.override_count = 1, .overrides = &e};
  if (picus_context_create(NULL, &context)) return 1;
  picus_status status = picus_model_load(context, "bouncing-ball", &load, &model);
  if (!status) status = picus_system_create(model, &system);
  if (!status) {
    picus_sim_options options = picus_model_sim_options(model);
    options.dt = 1e-3, options.t_end = 5;
    status = picus_sim_create(context, system, &options, &sim);
  }
  if (!status) status = run(context, model, system, sim);
  if (status) fprintf(stderr, "%s\n", picus_last_error(context)->message);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  return status;
}
