/* Adding steps to the summary of a run. */
#ifndef PICUS_SIM_SUMMARY_H
#define PICUS_SIM_SUMMARY_H

#include "adaptive/internal.h"

#include <math.h>
#include <picus/sim.h>
#include <stdio.h>

static inline void picus_summary_add_iterations(long *sum, long *most, int iterations) {
  *sum += iterations;
  if (iterations > *most) *most = iterations;
}

/* The name of a law of the present set, cut to its place. */
static inline void picus_summary_name(const law_set *set, int law, char *name) {
  snprintf(name, PICUS_SUMMARY_NAME, "%s", law >= 0 && law < set->law_count ? set->laws[law].data.name : "");
}

/* Parts that few steps have: contacts above the tolerance that were accepted; impacts, paradoxes and the like; and the
 * iterations of implicit schemes. */
void picus_summary_add_accepted(picus_summary *sum, const law_set *set, const picus_step_info *info);
void picus_summary_add_rare(picus_summary *sum, const law_set *set, const picus_step_info *info);
void picus_summary_add_implicit(picus_summary_implicit *sum, const picus_step_implicit *info);

/* Steps with laws that act. */
static inline void picus_summary_add_contacts(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  sum->contact_steps++;
  picus_summary_add_iterations(&sum->solver.iterations, &sum->solver.iterations_max, info->solver.last.iterations);
  sum->solver.fallbacks += info->solver.last.fallbacks > 0;
  if (info->solver.residual > sum->solver.worst_residual) {
    sum->solver.worst_residual = info->solver.residual;
    sum->solver.worst_residual_t = info->t;
  }
  if (info->solver.last.accepted) picus_summary_add_accepted(sum, set, info);
}

static inline void picus_summary_add_step(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  sum->steps++;
  sum->energy.dissipated += info->dissipated;
  if (-info->gaps.lowest > sum->gaps.penetration) {
    sum->gaps.penetration = -info->gaps.lowest;
    sum->gaps.penetration_t = info->t;
    sum->gaps.penetration_law = info->gaps.lowest_law;
    picus_summary_name(set, info->gaps.lowest_law, sum->gaps.penetration_name);
  }
  if (info->gaps.constraint_error > sum->gaps.constraint) {
    sum->gaps.constraint = info->gaps.constraint_error;
    sum->gaps.constraint_t = info->t;
    sum->gaps.constraint_law = info->gaps.constraint_law;
  }
  if (info->impacts | info->chatter | info->impact_limits | info->shapes.repetitions | info->switches |
      (int)info->paradox.kind)
    picus_summary_add_rare(sum, set, info);
  if (info->implicit.newton_iterations > 0) picus_summary_add_implicit(&sum->implicit, &info->implicit);
  if (info->active > 0) picus_summary_add_contacts(sum, set, info);
}

/* The totals of an adaptive run, and the size of a step in it. */
static inline void picus_summary_add_driver(picus_summary *sum, const driver *d) {
  sum->adaptive.base_steps = d->extrapolation.base_steps;
  sum->adaptive.rejected = d->rejected;
  sum->adaptive.switching_points = d->switching_points;
  sum->shortened = d->shortened;
  sum->adaptive.missed = d->accuracy.missed;
  sum->adaptive.rounded = d->accuracy.rounded;
  sum->adaptive.worst_miss = d->accuracy.worst;
  sum->adaptive.worst_miss_t = d->accuracy.worst_t;
}

static inline void picus_summary_add_size(picus_summary *sum, const picus_step_info *info) {
  if (info->order > sum->adaptive.order_largest) sum->adaptive.order_largest = info->order;
  if (sum->adaptive.dt_least == 0 || info->dt < sum->adaptive.dt_least) sum->adaptive.dt_least = info->dt;
  if (info->dt > sum->adaptive.dt_largest) sum->adaptive.dt_largest = info->dt;
}

#endif
