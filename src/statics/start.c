/* Is the initial state admissible? Finite values, a regular mass matrix, no clearly negative gap. */
#include "statics/internal.h"

#include "base/internal.h"

#include <math.h>
#include <stdio.h>

/* An initial gap below this is rejected; between this and zero it is accepted with a note, because published data are
 * rounded: the woodpecker has an initial gap of -8.8e-7 m (Glocker and Studer 2005, Table I). */
static const double deepest_start_gap = -1e-5;
/* Round-off of the initial state of a mechanism needs no note. */
static const double worth_a_note = -1e-12;

static picus_status check_number(picus_context *context, const char *what, const char *name, double value) {
  if (!isfinite(value))
    return picus_fail(context, PICUS_ERROR_NUMBER, "the initial value of the %s '%s' is not a finite number", what,
                      name);
  if (fabs(value) > PICUS_LARGEST_STATE)
    return picus_fail(
        context, PICUS_ERROR_NUMBER,
        "the initial value %g of the %s '%s' exceeds %g, so products of states may overflow; check its unit", value,
        what, name, PICUS_LARGEST_STATE);
  return PICUS_OK;
}

picus_status picus_system_check_state(picus_context *context, const picus_system *system, const double *q,
                                      const double *u) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < system->nq; i++)
    status = check_number(context, "coordinate", system->q_names[i].name, q[i]);
  for (int i = 0; !status && i < system->nu; i++)
    status = check_number(context, "velocity", system->u_names[i].name, u[i]);
  return status;
}

/* An initial gap that is not finite is an error in a line of the model file: the message has its place. */
static picus_status place_error(picus_evaluation *evaluation, const picus_place *places, const double *gap) {
  char sentence[1024];
  snprintf(sentence, sizeof sentence, "%s", picus_last_error(evaluation->context)->message);
  for (int i = 0; places && i < evaluation->set->law_count; i++)
    if (!isfinite(gap[i]))
      return picus_fail_at(evaluation->context, PICUS_ERROR_NUMBER, places[i].file, places[i].line, "%s", sentence);
  return PICUS_ERROR_NUMBER;
}

static picus_status check_gaps(picus_evaluation *evaluation, const picus_place *places, double *gap) {
  const picus_system *system = evaluation->system;
  picus_status status = picus_evaluate_gaps(evaluation, gap);
  if (status == PICUS_ERROR_NUMBER) return place_error(evaluation, places, gap);
  for (int i = 0; !status && i < system->fixed.law_count; i++) {
    const picus_system_law *law = &system->fixed.laws[i].data;
    if (!law->has_gap) continue;
    const char *file = places ? places[i].file : NULL;
    int line = places ? places[i].line : 0;
    bool bilateral = law->kind == PICUS_BILATERAL;
    double error = bilateral ? -fabs(gap[i]) : gap[i];
    if (error < deepest_start_gap)
      return picus_fail_at(
          evaluation->context, PICUS_ERROR_MODEL, file, line,
          bilateral
              ? "the initial state violates the constraint '%s': its value is %.6g instead of 0; correct the initial "
                "state, or set assemble = true in simulate { ... } (picus check --assemble shows the result)"
              : "the contact '%s' has the initial gap %.6g, which is penetration; correct the initial state",
          law->name, gap[i]);
    if (error < worth_a_note)
      picus_log(evaluation->context, PICUS_LOG_NOTE, "%s '%s' has the initial gap %.3g; it is treated as closed",
                bilateral ? "constraint" : "contact", law->name, gap[i]);
  }
  return status;
}

/* A mass matrix of numbers that are not finite is as bad as a singular one. */
static picus_status check_mass(picus_evaluation *evaluation) {
  picus_status status = picus_evaluation_factor_mass(evaluation);
  if (status != PICUS_ERROR_NUMBER) return status;
  char sentence[1024];
  snprintf(sentence, sizeof sentence, "%s", picus_last_error(evaluation->context)->message);
  return picus_fail(evaluation->context, PICUS_ERROR_SINGULAR, "%s", sentence);
}

picus_status picus_system_check_start(picus_system *system, const picus_place *law_places) {
  picus_status status = picus_system_check_state(system->context, system, system->q_start, system->u_start);
  if (status) return status;
  picus_evaluation *evaluation;
  status = picus_evaluation_create(system->context, system, &evaluation);
  if (status) return status;
  double *values =
      picus_allocate(system->context, (size_t)system->nu + (size_t)system->fixed.law_count, sizeof *values);
  status = values ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    picus_evaluation_set_point(evaluation, system->t_start, system->q_start, system->u_start);
    status = check_mass(evaluation);
  }
  if (!status) status = picus_evaluate_force(evaluation, values);
  if (!status) status = check_gaps(evaluation, law_places, values);
  picus_release(system->context, values);
  picus_evaluation_destroy(evaluation);
  return status;
}
