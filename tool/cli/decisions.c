/* picus run --decisions: what an adaptive run tried, and what it decided. */
#include "saved_text.h"

static void write_decision(void *user, const picus_decision *d) {
  fprintf(user, "%.17g,%.9g,%d,%s,%d,%.6g,%ld,%.17g,%.17g,%.17g,%.9g\n", d->t, d->dt, (int)d->kind,
          picus_decision_name((int)d->kind), d->order, d->error, d->base_steps, d->t_accepted, d->t_previous,
          d->t_no_increase, d->dt_next);
}

bool cli_decisions_begin(const cli_arguments *arguments, picus_context *context, picus_sim *sim,
                         cli_growing_text *text) {
  const char *path = cli_value(arguments, "decisions", 0);
  *text = (cli_growing_text){.stream = NULL};
  if (!path) return true;
  if (!cli_growing_text_open(context, path, text)) return false;
  fputs("t (s),dt (s),kind,decision,order,error,base_steps,t_accepted (s),t_previous (s),t_no_increase (s),"
        "dt_next (s)\n",
        text->stream);
  picus_sim_watch_decisions(sim, write_decision, text->stream);
  return true;
}
