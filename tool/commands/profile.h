/* Performance profiles (Dolan, More 2002): for each solver, the fraction of problems that it solves within a factor of
 * the time of the fastest solver. */
#ifndef PICUS_CLI_PROFILE_H
#define PICUS_CLI_PROFILE_H

#include <picus/base.h>

typedef struct cli_profile {
  const char *title; /* of the figure; NULL: none */
  int problems, solvers;
  const char *const *names; /* of the solvers; a solver that solves nothing is left out */
  const double *seconds;    /* problems x solvers, row-major; INFINITY: not solved */
} cli_profile;
picus_status cli_plot_profile(picus_context *context, const char *path, const cli_profile *profile);

#endif
