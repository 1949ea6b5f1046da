/* Options of a run on the command line, by the table of run options. */
#ifndef PICUS_CLI_RUN_OPTIONS_H
#define PICUS_CLI_RUN_OPTIONS_H

#include "cli.h"
#include "options/table.h"

/* A row of the table as an option of a command; PICUS_RUN_OPTIONS(CLI_RUN_OPTION) has all. */
#define CLI_RUN_OPTION(name, field, kind, flag, argument, by_default, form, numbers, unit, runs, help)                 \
  {flag, argument, runs help, false},

/* Reads one of them, if it is given; false: already reported. */
bool cli_read_run_option(const cli_arguments *arguments, int option, picus_sim_options *out);
/* Any option of adaptive runs selects an adaptive run; --dt alone, and --fixed, select fixed steps. false: already
 * reported. */
bool cli_choose_adaptive(const cli_arguments *arguments, picus_sim_options *out);
/* All that are given, and what follows from them. */
bool cli_read_run_options(const cli_arguments *arguments, picus_sim_options *out);
bool cli_run_option_given(const cli_arguments *arguments, int option);
/* "explicit, free or mixed", of words ended by NULL */
enum { CLI_CHOICES_TEXT = 200 };
void cli_join_choices(const char *const *words, char text[CLI_CHOICES_TEXT]);
/* One of some words, ended by NULL, by its number; if it is not given, *number stays. */
bool cli_read_word(const cli_arguments *arguments, const char *option, const char *const *words, int *number);
/* Options of the model that its own run heeds and this one does not get their defaults. Options of the command line
 * that the run ignores get a warning, here if they have their defaults, else from picus_sim_create. */
void cli_keep_heeded(picus_context *context, const cli_arguments *arguments, const picus_model *model,
                     picus_sim_options *out);
/* Those of a command whose runs are adaptive whatever the model says. false: already reported. */
bool cli_read_adaptive_options(picus_context *context, const cli_arguments *arguments, const cli_model *loaded,
                               picus_sim_options *out);
/* The options that must be known before the equations are derived. */
picus_status cli_set_early_options(const cli_arguments *arguments, picus_model *model);

#endif
