/* Is the start admissible? Finite values, a regular mass matrix, no clearly negative gap. */
#include "system/internal.h"

#include "base/internal.h"

#include <math.h>

/* A gap below this is refused at the start; between it and zero it passes with a note, because published data are
 * rounded: the woodpecker's own start has a gap of -8.8e-7 m (Glocker and Studer 2005, Table I). */
static const double deepest_start_gap = -1e-5;
/* Rounding of the start of a mechanism is not worth a word. */
static const double worth_a_note = -1e-12;

static picus_status check_finite(picus_system *system) {
  for (int i = 0; i < system->nq; i++)
    if (!isfinite(system->q_start[i]))
      return picus_fail(system->context, PICUS_ERROR_NUMBER, "the start of the coordinate '%s' is not a finite number",
                        system->q_names[i].name);
  for (int i = 0; i < system->nu; i++)
    if (!isfinite(system->u_start[i]))
      return picus_fail(system->context, PICUS_ERROR_NUMBER, "the start of the velocity '%s' is not a finite number",
                        system->u_names[i].name);
  return PICUS_OK;
}

static picus_status check_force(picus_evaluation *evaluation, double *h) {
  const picus_system *system = evaluation->system;
  picus_status status = picus_evaluate_force(evaluation, h);
  for (int i = 0; status == PICUS_OK && i < system->nu; i++)
    if (!isfinite(h[i]))
      return picus_fail(evaluation->context, PICUS_ERROR_NUMBER,
                        "the force on '%s' is not a finite number at the start; check the formulas of energies and "
                        "forces there",
                        system->u_names[i].name);
  return status;
}

static picus_status check_gaps(picus_evaluation *evaluation, const picus_place *places, double *gap) {
  const picus_system *system = evaluation->system;
  picus_status status = picus_evaluate_gaps(evaluation, gap);
  for (int i = 0; status == PICUS_OK && i < system->law_count; i++) {
    const picus_system_law *law = &system->laws[i].data;
    if (!law->has_gap) continue;
    const char *file = places ? places[i].file : NULL;
    int line = places ? places[i].line : 0;
    bool bilateral = law->kind == PICUS_BILATERAL;
    double error = bilateral ? -fabs(gap[i]) : gap[i];
    if (!isfinite(gap[i]))
      return picus_fail_at(evaluation->context, PICUS_ERROR_NUMBER, file, line,
                           "the gap of '%s' is not a finite number at the start", law->name);
    if (error < deepest_start_gap)
      return picus_fail_at(evaluation->context, PICUS_ERROR_MODEL, file, line,
                           bilateral
                               ? "the constraint '%s' is violated at the start: its value is %.6g instead of 0; "
                                 "move the start, or let assemble = true in simulate { ... } (picus check --assemble "
                                 "shows the result) do so"
                               : "the contact '%s' starts with the gap %.6g, inside the other body; move the start",
                           law->name, gap[i]);
    if (error < worth_a_note)
      picus_log(evaluation->context, PICUS_LOG_NOTE, "%s '%s' starts with the gap %.3g; taken as closed",
                bilateral ? "constraint" : "contact", law->name, gap[i]);
  }
  return status;
}

picus_status picus_system_check_start(picus_system *system, const picus_place *law_places) {
  picus_status status = check_finite(system);
  if (status != PICUS_OK) return status;
  picus_evaluation *evaluation;
  status = picus_evaluation_create(system->context, system, &evaluation);
  if (status != PICUS_OK) return status;
  double *values = picus_allocate(system->context, (size_t)system->nu + (size_t)system->law_count, sizeof *values);
  status = values ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (status == PICUS_OK) {
    picus_evaluation_set_point(evaluation, system->t_start, system->q_start, system->u_start);
    status = picus_evaluation_factor_mass(evaluation);
  }
  if (status == PICUS_OK) status = check_force(evaluation, values);
  if (status == PICUS_OK) status = check_gaps(evaluation, law_places, values);
  picus_release(system->context, values);
  picus_evaluation_destroy(evaluation);
  return status;
}
