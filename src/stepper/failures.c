/* Messages about a step that failed: which contact problem was not solved, and which velocity is not finite. */
#include "stepper/internal.h"

#include "base/internal.h"
#include "solver/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The names of the contacts of an island, without their features: each pair of bodies once, some of them. */
static void name_island(const step_problem *p, int worst, char *text, size_t size) {
  enum { NAMES = 4 };
  int count, named = 0;
  size_t used = 0, before = 0; /* before: length of the last name */
  const int *laws = picus_solver_island(p->contacts->solver, worst, &count);
  used += (size_t)snprintf(text, size, "; %d of the laws are connected:", count);
  for (int k = 0; k < count && named < NAMES && used < size; k++) {
    const char *name = p->set->laws[p->active[laws[k]]].data.name;
    const size_t length = strcspn(name, ":");
    if (before == length && strncmp(text + used - length, name, length) == 0) continue;
    used += (size_t)snprintf(text + used, size - used, "%s %.*s", named ? "," : "", (int)length, name);
    before = length;
    named++;
  }
  if (used < size && named == NAMES) (void)snprintf(text + used, size - used, " ...");
}

picus_status picus_step_problem_explain(const step_problem *p, double t, const picus_solve_info *solve) {
  char sentence[512], island[256] = "";
  strncpy(sentence, picus_last_error(p->contacts->context)->message, sizeof sentence - 1);
  sentence[sizeof sentence - 1] = '\0';
  int worst = solve->residual.worst_law;
  const bool known = worst >= 0 && worst < p->active_count;
  const char *name = known ? p->set->laws[p->active[worst]].data.name : "none";
  if (known && solve->islands > 0) name_island(p, worst, island, sizeof island);
  return picus_fail(p->contacts->context, solve->status,
                    "the contact problem at t = %.9g with %d active laws was not solved (worst: '%s'%s): %s", t,
                    p->active_count, name, island, sentence);
}

picus_status picus_step_blame_velocity(const contact_state *c, double t, const double *u) {
  int i = 0;
  while (isfinite(u[i])) i++;
  return picus_fail(c->context, PICUS_ERROR_NUMBER,
                    "the velocity '%s' is not a finite number after the step from t = %.9g; check the forces there, or "
                    "use a smaller step",
                    c->set->system->u_names[i].name, t);
}
