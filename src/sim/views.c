/* The data of a simulation for a recorder. */
#include "sim/internal.h"

picus_step_view picus_sim_step_view(const picus_sim *sim) {
  const stepper *s = &sim->stepper;
  return (picus_step_view){.system = sim->system,
                           .t = s->t,
                           .modes = s->contacts.modes,
                           .dissipated = s->contacts.dissipated,
                           .impacts = s->contacts.history.impacts,
                           .P = s->contacts.P,
                           .switch_times = sim->driver.onset.times,
                           .skips_short_flights = s->contacts.restitution == PICUS_RESTITUTION_IMPACTS};
}

picus_status picus_sim_watch(picus_sim *sim, picus_recorder *recorder) {
  picus_step_view step = picus_sim_step_view(sim);
  picus_status status = picus_sim_laws(sim, sim->laws);
  return status ? status : picus_recorder_watch(recorder, &step, sim->laws);
}

picus_status picus_sim_record_row(picus_sim *sim, picus_recorder *recorder) {
  picus_row_view row = {.system = sim->system,
                        .state = picus_sim_state(sim),
                        .laws = sim->laws,
                        .dt = sim->step_dt,
                        .order = sim->step_order,
                        .evaluation = sim->stepper.evaluation};
  picus_status status = picus_sim_laws(sim, sim->laws);
  if (status) return status;
  status = picus_sim_energy(sim, &row.kinetic, &row.potential); /* leaves the evaluation at the state */
  return status ? status : picus_recorder_take_row(recorder, &row);
}
