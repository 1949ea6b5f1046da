/* The defaults of a model's run, set by name, and laid over Picus' own. The model keeps them; which schemes, solvers
 * and other choices there are is known here. */
#include "sim/model_options.h"
#include "model/internal.h"
#include "scheme/tableau.h"

#include <math.h>
#include <picus/sim.h>
#include <stdio.h>
#include <string.h>

static const char *const option_names[] = {"scheme",
                                           "solver",
                                           "dt",
                                           "t_start",
                                           "t_end",
                                           "tolerance",
                                           "accept_residual",
                                           "max_iterations",
                                           "theta",
                                           "forecast",
                                           "forecast_factor",
                                           "metric",
                                           "projection",
                                           "newton_tolerance",
                                           "projection_tolerance",
                                           "newton_max",
                                           "slip_direction",
                                           "gap_term",
                                           "start_impact",
                                           "predicted",
                                           "impact_substeps",
                                           "tableau",
                                           "every",
                                           "sample",
                                           "assemble",
                                           "adaptive",
                                           "dt_min",
                                           "dt_max",
                                           "atol",
                                           "rtol",
                                           "order_max",
                                           "order",
                                           "substeps",
                                           "restitution",
                                           "accept_inaccurate",
                                           NULL};

static const char *next_option(const void *user, int k) {
  (void)user;
  return option_names[k];
}

static const char *next_scheme(const void *user, int k) {
  (void)user;
  const picus_scheme_description *scheme = picus_scheme_at(k);
  return scheme ? scheme->name : NULL;
}

static const char *next_solver(const void *user, int k) {
  (void)user;
  const picus_solver_description *solver = picus_solver_at(k);
  return solver ? solver->name : NULL;
}

picus_status picus_model_check_run_option(picus_model *model, const char *option) {
  for (int k = 0; option_names[k]; k++)
    if (strcmp(option_names[k], option) == 0) return PICUS_OK;
  return picus_model_fail_unknown(model, model->place, "run option", option, next_option, NULL);
}

static picus_status fail_option(picus_model *model, const char *option, const char *expected) {
  picus_status status = picus_model_check_run_option(model, option ? option : "");
  if (status) return status;
  return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "the run option '%s' takes %s", option, expected);
}

static picus_status fail_range(picus_model *model, const char *option, double value, const char *range) {
  return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "the run option '%s' is %g; it must be %s", option, value,
                          range);
}

/* Those of the model, complete from now on. */
static picus_implicit_options *implicit_options(picus_model_run *run) {
  if (!run->implicit_given) run->implicit = picus_default_sim_options().implicit;
  run->implicit_given = true;
  return &run->implicit;
}

/* Numbers of the implicit schemes. *known: it was one of them. */
static picus_status set_implicit_number(picus_model *model, const char *option, double value, bool *known) {
  picus_implicit_options *o = implicit_options(&model->run);
  double newton_max = o->newton_max; /* an integer in a table of doubles */
  struct {
    const char *name;
    double *value;
    bool valid;
    const char *range;
  } const table[] = {
      {"forecast_factor", &o->forecast_factor, value >= 0 && value <= 2, "in [0, 2]"},
      {"newton_tolerance", &o->newton_tolerance, value > 0 && value < 1, "between 0 and 1"},
      {"projection_tolerance", &o->projection_tolerance, value > 0, "greater than 0"},
      {"newton_max", &newton_max, value >= 1 && value <= 1e6 && value == floor(value), "an integer from 1 to 1e6"},
  };
  for (size_t i = 0; option && i < sizeof table / sizeof *table; i++) {
    if (strcmp(option, table[i].name) != 0) continue;
    *known = true;
    picus_status status = picus_model_check_finite(model, value, "the run option", option);
    if (status) return status;
    if (!table[i].valid) return fail_range(model, option, value, table[i].range);
    *table[i].value = value;
    o->newton_max = (int)newton_max;
    return PICUS_OK;
  }
  return PICUS_OK;
}

static bool is_integer(double value, double low, double high) {
  return value >= low && value <= high && value == floor(value);
}

#define ORDER_RANGE "an integer from 1 to 12"
_Static_assert(PICUS_ORDER_MOST == 12, "the message states 12");

picus_status picus_model_set_run_number(picus_model *model, const char *option, double value) {
  picus_model_run *run = &model->run;
  bool known = false;
  picus_status implicit = set_implicit_number(model, option, value, &known);
  if (known) return implicit;
  struct {
    const char *name;
    double *value;
    bool *given;
    bool valid;
    const char *range;
  } const table[] = {
      {"dt", &run->dt, &run->dt_given, value > 0, "greater than 0"},
      {"t_start", &run->t_start, &run->t_start_given, true, ""},
      {"t_end", &run->t_end, &run->t_end_given, true, ""},
      {"tolerance", &run->tolerance, &run->tolerance_given, value > 0, "greater than 0"},
      {"accept_residual", &run->accept_residual, &run->accept_residual_given, value >= 0 && value < 1, "in [0, 1)"},
      {"max_iterations", &run->max_iterations, &run->max_iterations_given, is_integer(value, 1, 1e9),
       "an integer from 1 to 1e9"},
      {"theta", &run->theta, &run->theta_given, value >= 0 && value <= 1, "in [0, 1]"},
      {"sample", &run->sample, &run->sample_given, value >= 0, "0 or greater"},
      {"every", &run->every, &run->every_given, is_integer(value, 0, 1e9), "an integer from 0 to 1e9"},
      {"assemble", &run->assemble, &run->assemble_given, is_integer(value, 0, 1), "true or false"},
      {"predicted", &run->predicted, &run->predicted_given, is_integer(value, 0, 1), "true or false"},
      {"gap_term", &run->gap_term, &run->gap_term_given, is_integer(value, 0, 1), "true or false"},
      {"start_impact", &run->start_impact, &run->start_impact_given, is_integer(value, 0, 1), "true or false"},
      {"impact_substeps", &run->impact_substeps, &run->impact_substeps_given, is_integer(value, 1, 1000),
       "an integer from 1 to 1000"},
      {"adaptive", &run->adaptive, &run->adaptive_given, is_integer(value, 0, 1), "true or false"},
      {"accept_inaccurate", &run->accept_inaccurate, &run->accept_inaccurate_given, is_integer(value, 0, 1),
       "true or false"},
      {"dt_min", &run->dt_min, &run->dt_min_given, value > 0, "greater than 0"},
      {"dt_max", &run->dt_max, &run->dt_max_given, value > 0, "greater than 0"},
      {"atol", &run->atol, &run->atol_given, value > 0, "greater than 0"},
      {"rtol", &run->rtol, &run->rtol_given, value >= 0, "0 or greater"},
      {"order_max", &run->order_max, &run->order_max_given, is_integer(value, 1, PICUS_ORDER_MOST), ORDER_RANGE},
      {"order", &run->order, &run->order_given, is_integer(value, 1, PICUS_ORDER_MOST), ORDER_RANGE},
  };
  for (size_t i = 0; option && i < sizeof table / sizeof *table; i++) {
    if (strcmp(option, table[i].name) != 0) continue;
    picus_status status = picus_model_check_finite(model, value, "the run option", option);
    if (status) return status;
    if (!table[i].valid) return fail_range(model, option, value, table[i].range);
    *table[i].value = value;
    *table[i].given = true;
    if (table[i].value == &run->t_start) run->t_start_place = model->place;
    if (table[i].value == &run->t_end) run->t_end_place = model->place;
    if (table[i].value == &run->every || table[i].value == &run->sample) run->rows_place = model->place;
    return PICUS_OK;
  }
  return fail_option(model, option, "a text");
}

static const char *next_forecast(const void *user, int k) {
  (void)user;
  return picus_forecast_name(k);
}

static const char *next_metric(const void *user, int k) {
  (void)user;
  return picus_metric_name(k);
}

static const char *next_slip_direction(const void *user, int k) {
  (void)user;
  return picus_slip_direction_name(k);
}

static const char *next_projection(const void *user, int k) {
  static const char *const names[] = {"decoupled", "coupled", NULL};
  (void)user;
  return names[k];
}

/* Texts of the implicit schemes. *known: it was one of them. */
static picus_status set_implicit_text(picus_model *model, const char *option, const char *value, bool *known) {
  static const struct {
    const char *name;
    const char *(*next)(const void *user, int k);
  } table[] = {{"forecast", next_forecast},
               {"metric", next_metric},
               {"projection", next_projection},
               {"slip_direction", next_slip_direction}};
  for (size_t i = 0; option && i < sizeof table / sizeof *table; i++) {
    if (strcmp(option, table[i].name) != 0) continue;
    *known = true;
    int k = 0;
    while (table[i].next(NULL, k) && strcmp(table[i].next(NULL, k), value) != 0) k++;
    if (!table[i].next(NULL, k))
      return picus_model_fail_unknown(model, model->place, option, value, table[i].next, NULL);
    picus_implicit_options *o = implicit_options(&model->run);
    if (i == 0) o->forecast = (picus_forecast)k;
    if (i == 1) o->metric = (picus_metric)k;
    if (i == 2) o->coupled = k == 1;
    if (i == 3) o->slip_direction = (picus_slip_direction)k;
    return PICUS_OK;
  }
  return PICUS_OK;
}

static const char *next_substeps(const void *user, int k) {
  static const char *const names[] = {"odd", "natural", NULL};
  (void)user;
  return names[k];
}

static picus_status set_substeps(picus_model *model, const char *value) {
  bool natural = strcmp(value, "natural") == 0;
  if (!natural && strcmp(value, "odd") != 0)
    return picus_model_fail_unknown(model, model->place, "sequence of substeps", value, next_substeps, NULL);
  model->run.natural_substeps = natural;
  return PICUS_OK;
}

static const char *next_restitution(const void *user, int k) {
  (void)user;
  return picus_restitution_name(k);
}

static picus_status set_restitution(picus_model *model, const char *value) {
  int k = 0;
  while (picus_restitution_name(k) && strcmp(picus_restitution_name(k), value) != 0) k++;
  if (!picus_restitution_name(k))
    return picus_model_fail_unknown(model, model->place, "restitution", value, next_restitution, NULL);
  model->run.restitution = (picus_restitution)k;
  model->run.restitution_given = true;
  return PICUS_OK;
}

static const char *next_tableau(const void *user, int k) {
  (void)user;
  return picus_tableau_name(k);
}

picus_status picus_model_set_run_tableau(picus_model *model, const picus_tableau *tableau) {
  char message[400];
  picus_status status = picus_tableau_check(model->context, tableau);
  if (!status) {
    model->run.tableau = *tableau;
    return PICUS_OK;
  }
  snprintf(message, sizeof message, "%s", picus_last_error(model->context)->message);
  return picus_model_fail(model, status, "%s", message);
}

static picus_status set_named_tableau(picus_model *model, const char *value) {
  const picus_tableau *tableau = picus_tableau_named(value);
  if (!tableau) return picus_model_fail_unknown(model, model->place, "tableau", value, next_tableau, NULL);
  return picus_model_set_run_tableau(model, tableau);
}

picus_status picus_model_set_run_text(picus_model *model, const char *option, const char *value) {
  bool known = false;
  picus_status implicit = set_implicit_text(model, option, value ? value : "", &known);
  if (known) return implicit;
  if (option && strcmp(option, "tableau") == 0) return set_named_tableau(model, value ? value : "");
  if (option && strcmp(option, "substeps") == 0) return set_substeps(model, value ? value : "");
  if (option && strcmp(option, "restitution") == 0) return set_restitution(model, value ? value : "");
  bool scheme = option && strcmp(option, "scheme") == 0;
  if (!scheme && !(option && strcmp(option, "solver") == 0)) return fail_option(model, option, "a number");
  const char *(*next)(const void *, int) = scheme ? next_scheme : next_solver;
  if (!value) value = "";
  if (!scheme && picus_solver_find(value)) value = picus_solver_find(value)->name;
  for (int k = 0; next(NULL, k); k++) {
    if (strcmp(next(NULL, k), value) != 0) continue;
    *(scheme ? &model->run.scheme : &model->run.solver) = next(NULL, k);
    return PICUS_OK;
  }
  return picus_model_fail_unknown(model, model->place, option, value, next, NULL);
}

picus_sim_options picus_model_sim_options(const picus_model *model) {
  picus_sim_options options = picus_default_sim_options();
  const picus_model_run *run = &model->run;
  if (run->adaptive_given && run->adaptive != 0) options.scheme = "rattle";
  if (run->scheme) options.scheme = run->scheme;
  if (run->solver) options.solver.solver = run->solver;
  if (run->dt_given) options.dt = run->dt;
  if (run->t_start_given) options.t_start = run->t_start;
  if (run->t_end_given) options.t_end = run->t_end;
  if (run->tolerance_given) options.solver.tolerance = options.solver.heap_tolerance = run->tolerance;
  if (run->accept_residual_given) options.solver.accept_residual = run->accept_residual;
  if (run->max_iterations_given) options.solver.max_iterations = (int)run->max_iterations;
  if (run->theta_given) options.theta = run->theta;
  if (run->implicit_given) options.implicit = run->implicit;
  if (run->predicted_given) options.half_explicit.predicted = run->predicted != 0;
  if (run->gap_term_given) options.gap_term = run->gap_term != 0;
  options.start_impact = run->start_impact_given ? run->start_impact != 0 : run->assemble != 0;
  if (run->impact_substeps_given) options.half_explicit.impact_substeps = (int)run->impact_substeps;
  options.half_explicit.tableau = run->tableau;
  if (run->sample_given) options.sample = run->sample;
  if (run->sample_given && run->sample > 0) options.every = 0; /* one or the other */
  if (run->every_given) options.every = (long)run->every;
  if (run->adaptive_given) options.adaptive = run->adaptive != 0;
  if (run->accept_inaccurate_given) options.accept_inaccurate = run->accept_inaccurate != 0;
  if (run->dt_min_given) options.dt_min = run->dt_min;
  if (run->dt_max_given) options.dt_max = run->dt_max;
  if (run->atol_given) options.atol = run->atol;
  if (run->rtol_given) options.rtol = run->rtol;
  if (run->order_max_given) options.order_max = (int)run->order_max;
  if (run->order_given) options.order = (int)run->order;
  if (run->natural_substeps) options.substeps = PICUS_SUBSTEPS_NATURAL;
  if (run->restitution_given) options.restitution = run->restitution;
  return options;
}
