/* The command of a run of a sweep, without what varies: files of studies keep it. */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

/* Options that picus run and picus sweep share, but that are of a study, or change no number. */
static bool is_of_study(const char *option) {
  static const char *const others[] = {"set", "start", "out", "csv", "collect", "threads", "quiet", "nice-exit-after"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (strcmp(others[k], option) == 0) return true;
  return false;
}

/* Does the axis of an option vary it? t_end: --t-end */
static bool is_varied(const cli_sweep_job *s, const char *option) {
  for (int k = 0; k < s->count; k++) {
    const char *name = s->axes[k].name;
    if (s->axes[k].kind != PICUS_AXIS_OPTION || strlen(name) != strlen(option)) continue;
    size_t i = 0;
    while (name[i] && (name[i] == option[i] || (name[i] == '_' && option[i] == '-'))) i++;
    if (!name[i]) return true;
  }
  return false;
}

bool cli_sweep_make_command(cli_sweep_job *s) {
  const cli_arguments *a = s->arguments;
  const char **words = calloc(2 * (size_t)cli_run.option_count + 4, sizeof *words);
  char **names = calloc((size_t)cli_run.option_count + 1, sizeof *names);
  int count = 0, named = 0;
  bool fine = words && names;
  if (fine) {
    words[count++] = "picus";
    words[count++] = "run";
    words[count++] = cli_operand(a, 0);
  }
  for (int k = 0; fine && k < cli_run.option_count; k++) {
    const cli_option *option = &cli_run.options[k];
    const char *value = cli_value(a, option->name, 0);
    if (!value || is_of_study(option->name) || is_varied(s, option->name)) continue;
    const size_t size = strlen(option->name) + 3;
    char *name = names[named++] = malloc(size);
    fine = name != NULL;
    if (!fine) break;
    snprintf(name, size, "--%s", option->name);
    words[count++] = name;
    if (option->argument) words[count++] = value;
  }
  s->command = fine ? cli_join_words(count, words) : NULL;
  while (named > 0) free(names[--named]);
  free(names);
  free((void *)words);
  if (!s->command) cli_complain("out of memory");
  return s->command != NULL;
}
