/* Performance profiles (Dolan, More 2002): for each solver, the fraction of problems that it solves within a factor of
 * the time of the fastest solver. */
#ifndef PICUS_CLI_PROFILE_H
#define PICUS_CLI_PROFILE_H

#include <picus/base.h>

/* seconds: problems x solvers, row-major; INFINITY: not solved. Solvers that solve nothing are omitted. */
picus_status cli_plot_profile(picus_context *context, const char *path, int problems, int solvers,
                              const char *const *names, const double *seconds);

#endif
