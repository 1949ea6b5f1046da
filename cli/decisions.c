/* picus run --decisions: what an adaptive run tried, and what it decided. */
#include "cli.h"

#include <errno.h>
#include <string.h>

static void write_decision(void *user, const picus_decision *d) {
  fprintf(user, "%.17g,%.9g,%d,%s,%d,%.6g,%ld,%.17g,%.17g,%.17g,%.9g\n", d->t, d->dt, (int)d->kind,
          picus_decision_name((int)d->kind), d->order, d->error, d->base_steps, d->t_accepted, d->t_previous,
          d->t_no_increase, d->dt_next);
}

static bool complain(const char *path) {
  cli_complain("cannot write '%s': %s", path, strerror(errno));
  return false;
}

bool cli_decisions_begin(const cli_arguments *arguments, picus_sim *sim, FILE **file) {
  const char *path = cli_value(arguments, "decisions", 0);
  *file = NULL;
  if (!path) return true;
  *file = fopen(path, "w");
  if (!*file) return complain(path);
  fputs("t (s),dt (s),kind,decision,order,error,base_steps,t_accepted (s),t_previous (s),t_no_increase (s),"
        "dt_next (s)\n",
        *file);
  picus_sim_watch_decisions(sim, write_decision, *file);
  return true;
}

bool cli_decisions_end(const cli_arguments *arguments, FILE *file) {
  if (!file) return true;
  const bool failed = ferror(file) != 0;
  if (fclose(file) == 0 && !failed) return true;
  return complain(cli_value(arguments, "decisions", 0));
}
