/* Options of a run, read from the command line by the table of run options (src/options). */
#include "run_options.h"

#include <string.h>

bool cli_run_option_given(const cli_arguments *a, int option) { return cli_given(a, picus_option_table[option].flag); }

void cli_join_choices(const char *const *words, char text[CLI_CHOICES_TEXT]) {
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; words[k] && used < CLI_CHOICES_TEXT; k++) {
    const char *between = words[k + 1] ? ", " : " or ";
    used += (size_t)snprintf(text + used, CLI_CHOICES_TEXT - used, "%s%s", k ? between : "", words[k]);
  }
}

bool cli_read_word(const cli_arguments *a, const char *option, const char *const *words, int *number) {
  const char *value = cli_value(a, option, 0);
  char all[CLI_CHOICES_TEXT];
  if (!value) return true;
  for (int k = 0; words[k]; k++)
    if (strcmp(words[k], value) == 0) {
      *number = k;
      return true;
    }
  cli_join_choices(words, all);
  cli_complain("--%s is %s, not '%s'", option, all, value);
  return false;
}

static bool read_tableau(const cli_arguments *a, picus_tableau *out) {
  enum { MOST = 8 };
  const char *names[MOST + 1] = {NULL};
  int k = -1;
  for (int i = 0; i < MOST && picus_tableau_name(i); i++) names[i] = picus_tableau_name(i);
  if (!cli_read_word(a, picus_option_table[PICUS_OPTION_tableau].flag, names, &k)) return false;
  *out = *picus_tableau_named(names[k]);
  return true;
}

static bool read_number(const cli_arguments *a, int option, picus_run_options *out) {
  const picus_option *o = &picus_option_table[option];
  double value = 0;
  long whole = 0;
  if (o->kind == PICUS_OPTION_NUMBER ? !cli_number(a, o->flag, &value) : !cli_integer(a, o->flag, &whole)) return false;
  if (o->kind != PICUS_OPTION_NUMBER) value = (double)whole;
  if (!picus_option_allows(option, value)) {
    char range[PICUS_RANGE_TEXT];
    picus_option_range(option, value, range);
    cli_complain("--%s must be %s, not %s", o->flag, range, cli_value(a, o->flag, 0));
    return false;
  }
  picus_option_set_number(out, option, value);
  return true;
}

static bool read_option(const cli_arguments *a, int option, picus_run_options *out) {
  const picus_option *o = &picus_option_table[option];
  int word = 0;
  if (!cli_given(a, o->flag)) return true;
  if (o->kind == PICUS_OPTION_OF_TABLEAU) return read_tableau(a, &out->sim.half_explicit.tableau);
  if (o->words && !cli_read_word(a, o->flag, o->words, &word)) return false;
  const picus_solver_description *solver =
      option == PICUS_OPTION_solver ? picus_solver_find(cli_value(a, o->flag, 0)) : NULL;
  if (o->kind == PICUS_OPTION_NAME)
    picus_option_set_name(out, option, solver ? solver->name : cli_value(a, o->flag, 0)); /* not an alias */
  else if (o->words)
    picus_option_set_number(out, option, word);
  else if (o->kind == PICUS_OPTION_FLAG)
    picus_option_set_number(out, option, 1);
  else
    return read_number(a, option, out);
  return true;
}

bool cli_read_run_option(const cli_arguments *a, int option, picus_sim_options *out) {
  picus_run_options all = {.sim = *out};
  const bool fine = read_option(a, option, &all);
  *out = all.sim;
  return fine;
}

bool cli_read_run_options(const cli_arguments *a, picus_sim_options *out) {
  picus_run_options all = {.sim = *out};
  bool given[PICUS_OPTION_TOTAL], fine = true;
  for (int k = 0; fine && k < PICUS_OPTION_TOTAL; k++) {
    given[k] = cli_run_option_given(a, k);
    fine = read_option(a, k, &all);
  }
  if (fine) picus_options_follow(&all, given);
  *out = all.sim;
  return fine;
}

void cli_keep_heeded(picus_context *context, const cli_arguments *a, const picus_model *model, picus_sim_options *out) {
  const picus_sim_options own = picus_model_sim_options(model);
  bool dropped[PICUS_OPTION_TOTAL];
  /* the gap term of a model belongs to its own scheme and kind of steps */
  const bool is_own = out->adaptive == own.adaptive && strcmp(out->scheme, own.scheme) == 0;
  if (!is_own && !cli_run_option_given(a, PICUS_OPTION_gap_term)) out->gap_term = false;
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    const bool is_given = cli_run_option_given(a, k);
    dropped[k] = !is_given && picus_option_applies(k, &own);
    if (is_given && !picus_option_applies(k, out) && picus_option_is_default(&(picus_run_options){.sim = *out}, k))
      picus_option_tell_ignored(context, k);
  }
  picus_options_drop(out, dropped);
}

bool cli_read_adaptive_options(picus_context *context, const cli_arguments *a, const cli_model *loaded,
                               picus_sim_options *out) {
  *out = picus_model_sim_options(loaded->model);
  out->adaptive = true;
  if (!cli_read_run_options(a, out)) return false;
  out->adaptive = true;
  cli_choose_base(context, a, loaded, out);
  cli_keep_heeded(context, a, loaded->model, out);
  return true;
}

picus_status cli_set_early_options(const cli_arguments *a, picus_model *model) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < PICUS_OPTION_TOTAL; k++) {
    const picus_option *o = &picus_option_table[k];
    double value = 1; /* of a flag */
    if (!picus_option_is_early(k) || !cli_given(a, o->flag)) continue;
    if (o->argument) (void)cli_number(a, o->flag, &value); /* checked before */
    status = picus_model_set_run_number(model, o->name, value);
  }
  return status;
}

bool cli_choose_adaptive(const cli_arguments *a, picus_sim_options *o) {
  bool asked = false;
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    const picus_option *option = &picus_option_table[k];
    const bool is_adaptive = k == PICUS_OPTION_adaptive || strcmp(option->runs, PICUS_FOR_ADAPTIVE) == 0;
    if (!is_adaptive || !cli_given(a, option->flag)) continue;
    if (cli_given(a, "fixed")) {
      cli_complain("--fixed and --%s exclude each other", option->flag);
      return false;
    }
    o->adaptive = asked = true;
  }
  if (cli_given(a, "fixed") || (cli_given(a, "dt") && !asked)) o->adaptive = false;
  return true;
}
