/* The data of a simulation for a recorder: its rows and steps, and mode shapes as rows. */
#include "sim/internal.h"
#include "sim/summary.h"

#include <math.h>
#include <string.h>

/* --- rows and steps ----------------------------------------------------------------------------------------------- */

picus_step_view picus_sim_step_view(const picus_sim *sim) {
  const stepper *s = &sim->stepper;
  return (picus_step_view){.system = sim->system,
                           .set = s->set,
                           .t = s->t,
                           .q = s->q,
                           .u = s->u,
                           .inputs = s->evaluation->inputs,
                           .modes = s->contacts.modes,
                           .dissipated = s->contacts.dissipated,
                           .impacts = s->contacts.history.impacts,
                           .P = s->contacts.P,
                           .P1 = s->scheme->has_stages ? s->law_memory : NULL,
                           .switch_times = sim->driver.onset.times,
                           .ends = sim->driver.ends,
                           .skips_short_flights = s->contacts.restitution == PICUS_RESTITUTION_IMPACTS};
}

picus_status picus_sim_watch(picus_sim *sim, picus_recorder *recorder) {
  picus_step_view step = picus_sim_step_view(sim);
  picus_status status = picus_sim_laws(sim, sim->laws);
  return status ? status : picus_recorder_watch(recorder, &step, sim->laws);
}

/* All laws that are present, and the places of those that come and go. */
static picus_status find_contacts(picus_sim *sim) {
  picus_status status = picus_sim_present_laws(sim, sim->laws); /* leaves the evaluation at the state */
  return status ? status : picus_present_places(sim->stepper.evaluation, sim->places);
}

picus_status picus_sim_view_contacts(picus_sim *sim, const picus_recorder *recorder, picus_step_view *view) {
  if (!sim->system->appears || !picus_recorder_wants_places(recorder)) return PICUS_OK;
  picus_status status = find_contacts(sim);
  view->laws = sim->laws;
  view->places = sim->places;
  return status;
}

/* The laws of a row; where laws come and go, all that are present, and their places. */
static picus_status find_laws(picus_sim *sim, const picus_recorder *recorder, picus_row_view *row) {
  if (!sim->system->appears || !picus_recorder_wants_places(recorder)) return picus_sim_laws(sim, sim->laws);
  picus_status status = find_contacts(sim);
  row->set = sim->stepper.set;
  row->laws = sim->laws;
  row->places = sim->places;
  return status;
}

/* The row of the start: modes, and forces of schemes that have them, from accelerations. If they cannot be found, a
 * step will report why, unless memory has run out. */
static picus_status show_start(picus_sim *sim) {
  const law_set *set = sim->stepper.set;
  if (sim->has_stepped || set->law_count == 0) return PICUS_OK;
  double *force = picus_allocate(sim->context, (size_t)set->row_count, sizeof *force);
  picus_mode *modes = picus_allocate(sim->context, (size_t)set->law_count, sizeof *modes);
  picus_status status = force && modes ? picus_stepper_find_forces(&sim->stepper, &sim->options.solver, force, modes)
                                       : PICUS_ERROR_MEMORY;
  for (int i = 0; !status && i < set->law_count; i++) {
    const picus_system_law *law = &set->laws[i].data;
    sim->laws[i].mode = modes[i];
    for (int k = 0; k < law->dim && sim->stepper.has_forces; k++)
      sim->laws[i].force_begin[k] = sim->laws[i].force_end[k] = force[law->first_row + k];
  }
  picus_release(sim->context, force);
  picus_release(sim->context, modes);
  return status == PICUS_ERROR_MEMORY ? status : PICUS_OK;
}

picus_status picus_sim_record_row(picus_sim *sim, picus_recorder *recorder) {
  const picus_sim_options *o = &sim->options;
  picus_status status = PICUS_OK;
  if (!sim->has_stepped) status = picus_stepper_update_laws(&sim->stepper, o->adaptive ? o->dt_min : o->dt);
  picus_row_view row = {.system = sim->system,
                        .state = picus_sim_state(sim),
                        .laws = sim->laws,
                        .P = sim->stepper.contacts.P,
                        .P1 = sim->stepper.scheme->has_stages ? sim->stepper.law_memory : NULL,
                        .works = sim->stepper.works.work,
                        .dt = sim->step_dt,
                        .order = sim->step_order,
                        .evaluation = sim->stepper.evaluation};
  if (!status) status = find_laws(sim, recorder, &row);
  if (!status) status = show_start(sim);
  if (status) return status;
  /* both leave the evaluation at the state, where the laws of most rows have left it already */
  const bool is_there = sim->has_stepped && !sim->system->appears;
  status = is_there ? picus_evaluate_energy(sim->stepper.evaluation, &row.kinetic, &row.potential)
                    : picus_sim_energy(sim, &row.kinetic, &row.potential);
  return status ? status : picus_recorder_take_row(recorder, &row);
}

picus_status picus_sim_note_energy(picus_sim *sim, picus_status status, double *energy) {
  stepper *s = &sim->stepper;
  double kinetic = NAN, potential = NAN;
  picus_evaluation_set_point(s->evaluation, s->t, s->q, s->u);
  if (!status)
    status = picus_evaluate_energy(s->evaluation, &kinetic, &potential);
  else
    picus_evaluate_energy_unchecked(s->evaluation, &kinetic, &potential);
  *energy = kinetic + potential;
  return status;
}

void picus_sim_note_works(const picus_sim *sim, int sign, picus_summary *summary) {
  summary->energy.driven += sign * picus_driven_total(&sim->stepper);
  summary->energy.work += sign * picus_works_total(&sim->stepper);
}

void picus_sim_note_first_step(const picus_sim *sim, picus_summary *summary) {
  summary->energy.spurious = -picus_constraint_losses(&sim->stepper);
}

void picus_sim_note_spurious(const picus_sim *sim, picus_summary *summary) {
  if (summary->steps == 0) return;
  summary->energy.spurious += picus_constraint_losses(&sim->stepper);
  summary->energy.dissipated -= summary->energy.spurious;
}

void picus_sim_note_impulses(const picus_sim *sim, picus_summary *summary) {
  const double *losses = picus_stepper_forces(&sim->stepper).impulse_loss;
  summary->energy.dissipated_by_impulses = 0;
  for (int i = 0; losses && i < sim->stepper.set->law_count; i++) summary->energy.dissipated_by_impulses += losses[i];
}

picus_status picus_sim_record_begin(picus_sim *sim, picus_recorder *recorder, picus_summary *summary) {
  *summary = (picus_summary){.t_start = sim->stepper.t, .gaps.penetration_law = -1, .gaps.constraint_law = -1};
  picus_sim_note_works(sim, -1, summary);
  picus_status status = picus_recorder_begin(recorder);
  if (!status) status = picus_sim_note_energy(sim, PICUS_OK, &summary->energy.start);
  return status ? status : picus_sim_watch(sim, recorder);
}

picus_status picus_sim_record_step(picus_sim *sim, picus_recorder *recorder, const picus_step_info *info,
                                   picus_summary *summary) {
  picus_step_view view = picus_sim_step_view(sim);
  picus_status status = picus_sim_view_contacts(sim, recorder, &view); /* a row need not follow */
  if (status) return status;
  picus_summary_add_step(summary, sim->stepper.set, info);
  if (summary->steps == 1) picus_sim_note_first_step(sim, summary);
  if (sim->options.adaptive) {
    picus_summary_add_driver(summary, &sim->driver);
    picus_summary_add_size(summary, info);
  }
  return picus_recorder_take_step(recorder, &view, info);
}

picus_status picus_sim_record_end(picus_sim *sim, picus_recorder *recorder, picus_status status,
                                  picus_summary *summary) {
  status = picus_sim_note_energy(sim, status, &summary->energy.end);
  picus_sim_note_impulses(sim, summary);
  picus_sim_note_works(sim, 1, summary);
  picus_sim_note_spurious(sim, summary);
  summary->status = status;
  summary->t_end = sim->stepper.t;
  summary->rows = picus_recorder_rows(recorder);
  picus_status closed = picus_recorder_end(recorder, summary);
  return status ? status : closed;
}

/* --- mode shapes as rows ------------------------------------------------------------------------------------------ */

/* q := state + amplitude * shape, the shape scaled to a largest number of 1. Work: nq of rates, nu of velocities. */
static picus_status displace(picus_sim *sim, const picus_modes *modes, int m, double *q, double *rate) {
  const picus_system *system = sim->system;
  const picus_natural_mode mode = picus_modes_at(modes, m);
  double *u = rate + system->nq, largest = 0;
  for (int i = 0; i < system->nu; i++) largest = fmax(largest, fabs(mode.shape[i]));
  for (int i = 0; i < system->nu; i++) u[i] = largest > 0 ? mode.shape[i] / largest : 0;
  memcpy(q, picus_modes_state(modes), (size_t)system->nq * sizeof *q);
  picus_evaluation_set_point(sim->stepper.evaluation, system->t_start, q, u);
  picus_status status = picus_evaluate_rate(sim->stepper.evaluation, rate);
  for (int i = 0; !status && i < system->nq; i++) q[i] += rate[i];
  picus_system_normalise(system, q);
  return status;
}

picus_status picus_sim_record_modes(picus_sim *sim, const picus_modes *modes, picus_recorder *recorder) {
  const size_t nq = (size_t)sim->system->nq, nu = (size_t)sim->system->nu;
  double *q = picus_allocate(sim->context, 2 * nq + 2 * nu, sizeof *q), *rate = q ? q + nq : NULL;
  picus_summary summary = {.gaps.penetration_law = -1, .gaps.constraint_law = -1};
  picus_status status = q ? picus_recorder_begin(recorder) : PICUS_ERROR_MEMORY;
  double *rest = q ? q + 2 * nq + nu : NULL; /* velocities of 0 */
  if (!status) status = picus_sim_set_state(sim, 0, picus_modes_state(modes), rest);
  if (!status) status = picus_sim_record_row(sim, recorder);
  for (int m = 0; !status && m < picus_modes_count(modes); m++) {
    status = displace(sim, modes, m, q, rate);
    if (!status) status = picus_sim_set_state(sim, m + 1, q, rest);
    if (!status) status = picus_sim_record_row(sim, recorder);
  }
  summary.status = status;
  if (q) {
    picus_status closed = picus_recorder_end(recorder, &summary);
    if (!status) status = closed;
  }
  picus_release(sim->context, q);
  return status;
}
