/* Adding steps to the summary of a run. */
#ifndef PICUS_SIM_SUMMARY_H
#define PICUS_SIM_SUMMARY_H

#include "adaptive/internal.h"

#include <math.h>
#include <picus/step.h>
#include <stdio.h>

static inline void picus_summary_add_iterations(long *sum, long *most, int iterations) {
  *sum += iterations;
  if (iterations > *most) *most = iterations;
}

static inline void picus_summary_add_paradox(picus_summary *sum, const picus_step_info *info) {
  picus_paradox_count *count = info->paradox == PICUS_PARADOX_INCONSISTENT ? &sum->inconsistent : &sum->indeterminate;
  if (count->steps++ > 0) return;
  count->t = info->t;
  count->law = info->paradox_law;
  count->branch = info->paradox_branch;
}

/* The name of a law of the present set, cut to its place. */
static inline void picus_summary_name(const law_set *set, int law, char *name) {
  snprintf(name, PICUS_SUMMARY_NAME, "%s", law >= 0 && law < set->law_count ? set->laws[law].data.name : "");
}

static inline void picus_summary_add_repetitions(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  picus_overlap_count *deep = &sum->overlaps;
  sum->repeated++;
  if (info->repetitions > sum->repetitions_max) sum->repetitions_max = info->repetitions;
  if (info->overlap == 0) return;
  deep->steps++;
  if (info->overlap <= deep->depth) return;
  deep->depth = info->overlap;
  deep->t = info->t;
  picus_summary_name(set, info->overlap_law, deep->name);
}

static inline void picus_summary_add_accepted(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  picus_accepted_residual *worst = &sum->worst_accepted;
  sum->accepted++;
  if (!(info->left.above > 0 && info->residual > worst->relative)) return;
  *worst = (picus_accepted_residual){.t = info->t, .relative = info->residual, .laws = info->left.above};
  for (int k = 0; k < PICUS_WORST_LAWS && k < info->left.above; k++) {
    picus_summary_name(set, info->left.law[k], worst->name[k]);
    worst->of_law[k] = info->left.relative[k];
  }
}

/* What every step has, those that go on as the last one too. */
static inline void picus_summary_add_usual(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  sum->steps++;
  sum->dissipated += info->dissipated;
  if (-info->lowest_gap > sum->worst_penetration) {
    sum->worst_penetration = -info->lowest_gap;
    sum->worst_penetration_t = info->t;
    sum->worst_penetration_law = info->lowest_gap_law;
    picus_summary_name(set, info->lowest_gap_law, sum->worst_penetration_name);
  }
  if (info->active == 0) return;
  sum->contact_steps++;
  picus_summary_add_iterations(&sum->solver_iterations, &sum->solver_iterations_max, info->solve.iterations);
  if (info->residual > sum->worst_residual) {
    sum->worst_residual = info->residual;
    sum->worst_residual_t = info->t;
  }
}

static inline void picus_summary_add_step(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  picus_summary_add_usual(sum, set, info);
  if (info->impacts | info->chatter) {
    sum->impacts += info->impacts;
    sum->chatter += info->chatter;
  }
  if (info->constraint_error > sum->worst_constraint) {
    sum->worst_constraint = info->constraint_error;
    sum->worst_constraint_t = info->t;
    sum->worst_constraint_law = info->constraint_error_law;
  }
  if (info->newton_iterations > 0) { /* an implicit scheme */
    picus_summary_add_iterations(&sum->newton_iterations, &sum->newton_iterations_max, info->newton_iterations);
    picus_summary_add_iterations(&sum->projection_iterations, &sum->projection_iterations_max,
                                 info->projection_iterations);
    picus_summary_add_iterations(&sum->set_iterations, &sum->set_iterations_max, info->set_iterations);
    sum->worst_projection = fmax(sum->worst_projection, info->projection);
  }
  if (info->repetitions > 0) picus_summary_add_repetitions(sum, set, info);
  if (info->switches > 0 && sum->switched++ == 0) sum->switched_t = info->t;
  if (info->paradox != PICUS_PARADOX_NONE) picus_summary_add_paradox(sum, info);
  if (info->active == 0) return;
  sum->fallbacks += info->solve.fallbacks > 0;
  if (info->solve.accepted) picus_summary_add_accepted(sum, set, info);
}

/* The totals of an adaptive run, and the size of a step in it. */
static inline void picus_summary_add_driver(picus_summary *sum, const driver *d) {
  sum->base_steps = d->extrapolation.base_steps;
  sum->rejected = d->rejected;
  sum->switching_points = d->switching_points;
  sum->shortened = d->shortened;
  sum->missed = d->accuracy.missed;
  sum->rounded = d->accuracy.rounded;
  sum->worst_miss = d->accuracy.worst;
  sum->worst_miss_t = d->accuracy.worst_t;
}

static inline void picus_summary_add_size(picus_summary *sum, const picus_step_info *info) {
  if (info->order > sum->order_largest) sum->order_largest = info->order;
  if (sum->dt_least == 0 || info->dt < sum->dt_least) sum->dt_least = info->dt;
  if (info->dt > sum->dt_largest) sum->dt_largest = info->dt;
}

#endif
