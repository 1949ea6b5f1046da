/* The simulation object. */
#ifndef PICUS_SIM_INTERNAL_H
#define PICUS_SIM_INTERNAL_H

#include "adaptive/internal.h"
#include "record/internal.h"
#include "scheme/internal.h"
#include "stepper/impacts.h"

#include <picus/sim.h>

typedef struct event_memory event_memory;

struct picus_sim {
  picus_context *context;
  const picus_system *system;
  picus_sim_options options; /* scheme and solver names are those of the tables, not of the caller */
  stepper stepper;
  double *velocities, *gaps; /* relative velocities and gaps for picus_sim_laws */
  picus_law_state *laws;     /* for rows */
  law_place *places;         /* the same, where laws come and go */
  input_value *inputs;       /* as set last */
  bool inputs_wait;          /* they act after the step that is being made */
  double *actions;           /* of the controls of the system: scratch, */
  double *event_values, *jump;
  event_memory *events;  /* what is known of its events */
  bool is_running;       /* picus_sim_run is stepping */
  struct run *run;       /* that it makes; NULL: none */
  bool is_between_steps; /* of the run: it can be saved */
  uint64_t fingerprint;  /* of the system, for checkpoints; 0: not needed yet */
  /* the run of a checkpoint that was loaded, until it continues */
  unsigned char *saved_run;
  size_t saved_size;
  bool was_loaded;  /* the driver continues from a checkpoint */
  bool has_stepped; /* since the start, or since the state was set */
  /* adaptive runs: zeroed in others */
  driver driver;
  interpolation interpolation;
  double *stops;               /* of picus_sim_advance: those of the model, and the one given */
  double *q_inside, *u_inside; /* a state inside of a step */
  double step_dt;              /* of the last step, for the record */
  int step_order;
};

/* sim.c: the times after the state at which steps must end, sorted, the latest `last`: `given` times, with which *stops
 * begins, those of the model, of samples and, in adaptive runs, the kinks of tables. *stops has memory for the first
 * two and one more. */
picus_status picus_sim_collect_stops(const picus_sim *sim, double last, double **stops, int given, int *count);

/* sim_controls.c: what the simulation does itself, if the system has controls. */
enum { PICUS_SAMPLES_MOST = 50000000 };
picus_status picus_controls_create(picus_sim *sim);
void picus_controls_release_sim(picus_sim *sim);
/* From the present state on, which no step has led to. */
void picus_controls_begin(picus_sim *sim);
/* The last step that was made, which may be a part of a longer one. */
typedef struct controls_step {
  double dt;
  bool is_driven; /* by the driver of adaptive steps */
} controls_step;
typedef struct controls_result {
  int happened;           /* events */
  bool jumps;             /* they have set coordinates or velocities */
  bool switches;          /* they have switched laws */
  const char *stopped_by; /* the event that ends the run; NULL: none */
} controls_result;
/* After each complete step from t_before on. */
picus_status picus_controls_act(picus_sim *sim, double t_before, const controls_step *step, controls_result *result);
void picus_controls_archive(picus_sim *sim, picus_archive *archive);
/* Times between two others at which steps end because states are sampled; returns their number. times may be NULL. */
int picus_controls_times(const picus_sim *sim, double after, double before, double *times);
/* inputs.c: inputs that wait act from now on; *changed: there were some. */
void picus_sim_apply_inputs(picus_sim *sim, bool *changed);
/* The state has been set to another time: inputs keep their present values. */
void picus_sim_move_inputs(picus_sim *sim, double t_before);
/* checkpoint.c: the run of a checkpoint, for a run that begins; it is forgotten when the state changes. */
void picus_sim_take_saved_run(picus_sim *sim, struct run *run);
void picus_sim_drop_saved_run(picus_sim *sim);
/* For functions that a run calls, if they would change the state. */
picus_status picus_sim_fail_running(picus_sim *sim);
/* The same as picus_sim_step, of a size that is known to be valid. */
static inline picus_status picus_sim_make_step(picus_sim *sim, double dt, picus_step_info *info) {
  picus_step_info_begin(info, sim->stepper.t, dt);
  picus_status status = picus_stepper_update_laws(&sim->stepper, dt);
  if (!status)
    status = sim->stepper.redetection.on ? picus_stepper_step_with_detection(&sim->stepper, dt, info)
                                         : picus_stepper_step(&sim->stepper, dt, info);
  if (status) return status;
  info->t = sim->stepper.t += dt;
  sim->has_stepped = true;
  return PICUS_OK;
}

/* views.c: the data for the recorder, at the start of a run, after a step, and as a row. */
picus_status picus_sim_watch(picus_sim *sim, picus_recorder *recorder);
picus_step_view picus_sim_step_view(const picus_sim *sim);
/* Adds the contacts that come and go, if the recorder wants them: for a step that no row follows. */
picus_status picus_sim_view_contacts(picus_sim *sim, const picus_recorder *recorder, picus_step_view *view);
/* The energy at the current state. If the run has failed, its error is not replaced by another one. */
picus_status picus_sim_note_energy(picus_sim *sim, picus_status status, double *energy);
/* Works before a run, which the summary does not count; then, with the sign 1, those until now. At the end also the
 * energy that impulses dissipated since the start, in schemes that have them. */
void picus_sim_note_works(const picus_sim *sim, int sign, picus_summary *summary);
/* After the first step of a run, whose losses at constraints may come from initial velocities that violate them, and at
 * its end: what constraints at rest took since then is the error of the scheme. */
void picus_sim_note_first_step(const picus_sim *sim, picus_summary *summary);
void picus_sim_note_spurious(const picus_sim *sim, picus_summary *summary);
void picus_sim_note_impulses(const picus_sim *sim, picus_summary *summary);

#endif
