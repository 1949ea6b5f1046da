/* The defaults of a model's run, set by name, and laid over Picus' own. The model keeps them; which schemes, solvers
 * and tableaux there are is known here. */
#include "sim/model_options.h"
#include "model/internal.h"
#include "options/table.h"
#include "scheme/internal.h"

#include <picus/sim.h>
#include <stdio.h>
#include <string.h>

/* -1: there is none, or it takes the other kind of value; the error is set. */
static int find_option(picus_model *model, const char *option, bool text, picus_status *status) {
  const int k = picus_option_find(option);
  *status = picus_model_check_run_option(model, option ? option : "");
  if (*status || picus_option_takes_text(k) == text) return k;
  *status = picus_model_fail(model, PICUS_ERROR_ARGUMENT, "the run option '%s' takes %s", option,
                             text ? "a number" : "a text");
  return -1;
}

picus_status picus_model_check_run_option(picus_model *model, const char *option) {
  if (picus_option_find(option) >= 0) return PICUS_OK;
  return picus_model_fail_unknown(model, model->place, "run option", option, picus_option_name_at, NULL);
}

static void note_given(picus_model *model, int option) {
  model->run.given[option] = true;
  model->run.places[option] = model->place;
}

picus_status picus_model_set_run_number(picus_model *model, const char *option, double value) {
  picus_status status;
  const int k = find_option(model, option, false, &status);
  if (!status) status = picus_model_check_finite(model, value, "the run option", option);
  if (status) return status;
  if (!picus_option_allows(k, value)) {
    char range[PICUS_RANGE_TEXT];
    picus_option_range(k, value, range);
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "the run option '%s' is %g; it must be %s", option, value,
                            range);
  }
  picus_option_set_number(&model->run.values, k, value);
  note_given(model, k);
  return PICUS_OK;
}

picus_status picus_model_set_run_tableau(picus_model *model, const picus_tableau *tableau) {
  char message[400];
  picus_status status = picus_tableau_check(model->context, tableau);
  if (!status) {
    model->run.values.sim.half_explicit.tableau = *tableau;
    note_given(model, PICUS_OPTION_tableau);
    return PICUS_OK;
  }
  snprintf(message, sizeof message, "%s", picus_last_error(model->context)->message);
  return picus_model_fail(model, status, "%s", message);
}

/* The names that an option can have. */
static const char *next_name(const void *user, int k) {
  const int option = *(const int *)user;
  const picus_scheme_description *scheme = picus_scheme_at(k);
  const picus_solver_description *solver = picus_solver_at(k);
  if (option == PICUS_OPTION_scheme) return scheme ? scheme->name : NULL;
  if (option == PICUS_OPTION_solver) return solver ? solver->name : NULL;
  return option == PICUS_OPTION_tableau ? picus_tableau_name(k) : picus_option_word(option, k);
}

picus_status picus_model_set_run_text(picus_model *model, const char *option, const char *value) {
  picus_status status;
  const int k = find_option(model, option, true, &status);
  if (status) return status;
  if (!value) value = "";
  if (k == PICUS_OPTION_solver && picus_solver_find(value)) value = picus_solver_find(value)->name; /* of an alias */
  int at = 0;
  while (next_name(&k, at) && strcmp(next_name(&k, at), value) != 0) at++;
  if (!next_name(&k, at)) return picus_model_fail_unknown(model, model->place, option, value, next_name, &k);
  if (k == PICUS_OPTION_tableau) return picus_model_set_run_tableau(model, picus_tableau_named(value));
  if (picus_option_table[k].words)
    picus_option_set_number(&model->run.values, k, at);
  else
    picus_option_set_name(&model->run.values, k, next_name(&k, at)); /* outlives the caller's text */
  note_given(model, k);
  return PICUS_OK;
}

picus_sim_options picus_model_sim_options(const picus_model *model) {
  const picus_model_run *run = &model->run;
  picus_run_options options = run->values;
  picus_options_follow(&options, run->given);
  if (options.sim.adaptive && !run->given[PICUS_OPTION_scheme]) options.sim.scheme = "rattle";
  if (!run->given[PICUS_OPTION_start_impact]) options.sim.start_impact = options.assemble;
  return options.sim;
}

/* The kind of steps that the settings ask for, unless one of them states it. */
static picus_status choose_steps(picus_model *model, int count, const picus_setting *settings) {
  bool has_dt = false, is_adaptive = false;
  for (int i = 0; i < count; i++) {
    const int k = picus_option_find(settings[i].name);
    if (k == PICUS_OPTION_adaptive) return PICUS_OK;
    has_dt = has_dt || k == PICUS_OPTION_dt;
    is_adaptive = is_adaptive || strcmp(picus_option_table[k].runs, PICUS_FOR_ADAPTIVE) == 0;
  }
  return has_dt || is_adaptive ? picus_model_set_run_number(model, "adaptive", is_adaptive) : PICUS_OK;
}

static picus_status choose(picus_model *model, int count, const picus_setting *settings) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < count; i++) {
    const picus_setting *s = &settings[i];
    const int k = picus_option_find(s->name ? s->name : "");
    if (k == PICUS_OPTION_assemble || (k == PICUS_OPTION_t_start && model->run.values.assemble))
      return picus_model_fail(model, PICUS_ERROR_ARGUMENT,
                              "the option '%s' acts when the model is derived; set it in simulate { ... } of the model",
                              s->name);
    status = s->text ? picus_model_set_run_text(model, s->name, s->text)
                     : picus_model_set_run_number(model, s->name, s->number);
  }
  return status ? status : choose_steps(model, count, settings);
}

picus_status picus_model_choose_options(picus_model *model, int count, const picus_setting *settings,
                                        picus_sim_options *out) {
  if (count < 0 || (count > 0 && !settings))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%d options are given%s", count,
                            settings ? "" : " without their values");
  const picus_model_run run = model->run;
  const picus_place place = model->place;
  model->place = (picus_place){NULL, 0};
  picus_status status = choose(model, count, settings);
  if (!status) *out = picus_model_sim_options(model);
  model->run = run;
  model->place = place;
  return status;
}
