/* Adding to the summary of a run what few of its steps have. */
#include "sim/summary.h"

static void add_paradox(picus_summary *sum, const picus_step_info *info) {
  picus_paradox_count *count = info->paradox.kind == PICUS_PARADOX_INCONSISTENT ? &sum->inconsistent
                               : info->paradox.kind == PICUS_PARADOX_STEEP      ? &sum->steep
                               : info->paradox.kind == PICUS_PARADOX_LOCKED     ? &sum->locked
                                                                                : &sum->indeterminate;
  if (count->steps++ > 0) return;
  count->t = info->t;
  count->law = info->paradox.law;
  count->branch = info->paradox.branch;
}

static void add_repetitions(picus_summary *sum, const law_set *set, const picus_step_info *info) {
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

void picus_summary_add_accepted(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  picus_accepted_residual *worst = &sum->solver.worst_accepted;
  sum->solver.accepted++;
  if (!(info->solver.worst.above > 0 && info->solver.residual > worst->relative)) return;
  *worst = (picus_accepted_residual){.t = info->t, .relative = info->solver.residual, .laws = info->solver.worst.above};
  for (int k = 0; k < PICUS_WORST_LAWS && k < info->solver.worst.above; k++) {
    picus_summary_name(set, info->solver.worst.law[k], worst->name[k]);
    worst->of_law[k] = info->solver.worst.relative[k];
  }
}

void picus_summary_add_rare(picus_summary *sum, const law_set *set, const picus_step_info *info) {
  const double gained = info->impacts | info->chatter ? info->gained : 0;
  sum->impacts += info->impacts;
  sum->chatter += info->chatter;
  if (gained > 0 && sum->impact_energy.gains++ == 0) sum->impact_energy.gained_t = info->t;
  sum->impact_energy.gained += gained;
  sum->impact_energy.limited += info->impact_limits;
  if (info->shapes.repetitions > 0) add_repetitions(sum, set, info);
  if (info->switches > 0 && sum->switched++ == 0) sum->switched_t = info->t;
  if (info->paradox.kind != PICUS_PARADOX_NONE) add_paradox(sum, info);
}

void picus_summary_add_implicit(picus_summary_implicit *sum, const picus_step_implicit *info) {
  picus_summary_add_iterations(&sum->newton_iterations, &sum->newton_iterations_max, info->newton_iterations);
  picus_summary_add_iterations(&sum->projection_iterations, &sum->projection_iterations_max,
                               info->projection_iterations);
  picus_summary_add_iterations(&sum->set_iterations, &sum->set_iterations_max, info->set_iterations);
  picus_summary_add_iterations(&sum->prox_first, &sum->prox_first_max, info->prox_first);
  picus_summary_add_iterations(&sum->prox_second, &sum->prox_second_max, info->prox_second);
  sum->prox_failed += info->prox_failed;
  sum->worst_projection = fmax(sum->worst_projection, info->projection);
}
