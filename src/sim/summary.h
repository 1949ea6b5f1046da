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

static inline void picus_summary_add_paradox(picus_summary *sum, const picus_step_info *info) {
  picus_paradox_count *count = info->paradox.kind == PICUS_PARADOX_INCONSISTENT ? &sum->inconsistent
                               : info->paradox.kind == PICUS_PARADOX_STEEP      ? &sum->steep
                               : info->paradox.kind == PICUS_PARADOX_LOCKED     ? &sum->locked
                                                                                : &sum->indeterminate;
  if (count->steps++ > 0) return;
  count->t = info->t;
  count->law = info->paradox.law;
  count->branch = info->paradox.branch;
}

/* The name of a law of the present set, cut to its place. */
static inline void picus_summary_name(const law_set *set, int law, char *name) {
  snprintf(name, PICUS_SUMMARY_NAME, "%s", law >= 0 && law < set->law_count ? set->laws[law].data.name : "");
}

static inline void picus_summary_add_repetitions(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  picus_overlap_count *deep = &sum->shapes.overlaps;
  sum->shapes.repeated++;
  if (info->shapes.repetitions > sum->shapes.repetitions_max) sum->shapes.repetitions_max = info->shapes.repetitions;
  if (info->shapes.overlap == 0) return;
  deep->steps++;
  if (info->shapes.overlap <= deep->depth) return;
  deep->depth = info->shapes.overlap;
  deep->t = info->t;
  picus_summary_name(set, info->shapes.overlap_law, deep->name);
}

static inline void picus_summary_add_accepted(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  picus_accepted_residual *worst = &sum->solver.worst_accepted;
  sum->solver.accepted++;
  if (!(info->solver.worst.above > 0 && info->solver.residual > worst->relative)) return;
  *worst = (picus_accepted_residual){.t = info->t, .relative = info->solver.residual, .laws = info->solver.worst.above};
  for (int k = 0; k < PICUS_WORST_LAWS && k < info->solver.worst.above; k++) {
    picus_summary_name(set, info->solver.worst.law[k], worst->name[k]);
    worst->of_law[k] = info->solver.worst.relative[k];
  }
}

/* What few steps have. */
static inline void picus_summary_add_rare(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  const double gained = info->impacts | info->chatter ? info->gained : 0;
  sum->impacts += info->impacts;
  sum->chatter += info->chatter;
  if (gained > 0 && sum->impact_energy.gains++ == 0) sum->impact_energy.gained_t = info->t;
  sum->impact_energy.gained += gained;
  sum->impact_energy.limited += info->impact_limits;
  if (info->shapes.repetitions > 0) picus_summary_add_repetitions(sum, set, info);
  if (info->switches > 0 && sum->switched++ == 0) sum->switched_t = info->t;
  if (info->paradox.kind != PICUS_PARADOX_NONE) picus_summary_add_paradox(sum, info);
}

/* What every step has. */
static inline void picus_summary_add_usual(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  sum->steps++;
  sum->energy.dissipated += info->dissipated;
  if (-info->gaps.lowest > sum->gaps.penetration) {
    sum->gaps.penetration = -info->gaps.lowest;
    sum->gaps.penetration_t = info->t;
    sum->gaps.penetration_law = info->gaps.lowest_law;
    picus_summary_name(set, info->gaps.lowest_law, sum->gaps.penetration_name);
  }
  if (info->active == 0) return;
  sum->contact_steps++;
  picus_summary_add_iterations(&sum->solver.iterations, &sum->solver.iterations_max, info->solver.last.iterations);
  if (info->solver.residual > sum->solver.worst_residual) {
    sum->solver.worst_residual = info->solver.residual;
    sum->solver.worst_residual_t = info->t;
  }
}

static inline void picus_summary_add_step(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  picus_summary_add_usual(sum, set, info);
  if (info->impacts | info->chatter | info->impact_limits | info->shapes.repetitions | info->switches |
      (int)info->paradox.kind)
    picus_summary_add_rare(sum, set, info);
  if (info->gaps.constraint_error > sum->gaps.constraint) {
    sum->gaps.constraint = info->gaps.constraint_error;
    sum->gaps.constraint_t = info->t;
    sum->gaps.constraint_law = info->gaps.constraint_law;
  }
  if (info->implicit.newton_iterations > 0) { /* an implicit scheme */
    picus_summary_add_iterations(&sum->implicit.newton_iterations, &sum->implicit.newton_iterations_max,
                                 info->implicit.newton_iterations);
    picus_summary_add_iterations(&sum->implicit.projection_iterations, &sum->implicit.projection_iterations_max,
                                 info->implicit.projection_iterations);
    picus_summary_add_iterations(&sum->implicit.set_iterations, &sum->implicit.set_iterations_max,
                                 info->implicit.set_iterations);
    picus_summary_add_iterations(&sum->implicit.prox_first, &sum->implicit.prox_first_max, info->implicit.prox_first);
    picus_summary_add_iterations(&sum->implicit.prox_second, &sum->implicit.prox_second_max,
                                 info->implicit.prox_second);
    sum->implicit.prox_failed += info->implicit.prox_failed;
    sum->implicit.worst_projection = fmax(sum->implicit.worst_projection, info->implicit.projection);
  }
  if (info->active == 0) return;
  sum->solver.fallbacks += info->solver.last.fallbacks > 0;
  if (info->solver.last.accepted) picus_summary_add_accepted(sum, set, info);
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
