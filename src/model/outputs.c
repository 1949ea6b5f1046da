/* Observed values, stop times, and the panels of the default figure. */
#include "model/internal.h"

picus_status picus_model_add_observable(picus_model *model, const char *name, picus_expr value, const char *unit,
                                        const char *label) {
  picus_dependencies dependencies;
  picus_status status = picus_model_check_name(model, "observed value", name);
  if (!status) status = picus_model_examine(model, value, "observed value", name, &dependencies);
  if (!status)
    status = picus_grow(model->context, &model->observables, (size_t)model->observable_count,
                        &model->observable_capacity, sizeof *model->observables);
  if (!status) status = picus_model_reserve_names(model, 1);
  if (status) return status;
  picus_model_observable observable = {.name = picus_model_keep_text(model, name),
                                       .unit = picus_model_keep_text(model, unit),
                                       .label = picus_model_keep_text(model, label && *label ? label : name),
                                       .value = value,
                                       .place = model->place};
  if (!observable.name || !observable.unit || !observable.label) return PICUS_ERROR_MEMORY;
  picus_model_register_name(model, observable.name, PICUS_NAME_OBSERVABLE, model->observable_count);
  model->observables[model->observable_count++] = observable;
  return PICUS_OK;
}

picus_status picus_model_add_stop_time(picus_model *model, double t) {
  picus_status status = picus_model_check_finite(model, t, "a stop time", NULL);
  if (!status)
    status = picus_grow(model->context, &model->stop_times, (size_t)model->stop_time_count, &model->stop_time_capacity,
                        sizeof *model->stop_times);
  if (status) return status;
  model->stop_times[model->stop_time_count++] = t;
  return PICUS_OK;
}

/* The columns are known only when the model is complete: picus_model_check checks the names. */
picus_status picus_model_add_plot(picus_model *model, const char *x, int count, const char *const *y) {
  if (!x || !*x) return picus_model_fail(model, PICUS_ERROR_NAME, "a plot needs the name of a column for x");
  if (count < 1) return picus_model_fail(model, PICUS_ERROR_DIMENSION, "a plot needs at least one column for y");
  for (int i = 0; i < count; i++)
    if (!y[i] || !*y[i]) return picus_model_fail(model, PICUS_ERROR_NAME, "a column to plot has an empty name");
  picus_status status =
      picus_grow(model->context, &model->plots, (size_t)model->plot_count, &model->plot_capacity, sizeof *model->plots);
  if (status) return status;
  picus_model_plot_entry plot = {.x = picus_model_keep_text(model, x), .count = count, .place = model->place};
  plot.y = picus_allocate(model->context, (size_t)count, sizeof *plot.y);
  bool kept = plot.x && plot.y;
  for (int i = 0; kept && i < count; i++) {
    plot.y[i] = picus_model_keep_text(model, y[i]);
    kept = plot.y[i] != NULL;
  }
  if (!kept) {
    picus_release(model->context, plot.y);
    return PICUS_ERROR_MEMORY;
  }
  model->plots[model->plot_count++] = plot;
  return PICUS_OK;
}

int picus_model_plot_count(const picus_model *model) { return model->plot_count; }

picus_plot_panel picus_model_plot(const picus_model *model, int index) {
  if (index < 0 || index >= model->plot_count) return (picus_plot_panel){.x = ""};
  const picus_model_plot_entry *plot = &model->plots[index];
  return (picus_plot_panel){plot->x, plot->count, plot->y};
}
