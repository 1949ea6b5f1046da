/* Simulation: a scheme that steps a system, and the driver that runs it to t_end. */
#ifndef PICUS_SIM_H
#define PICUS_SIM_H

#include <picus/base.h>
#include <picus/contact.h>
#include <picus/options.h>
#include <picus/scheme.h>
#include <picus/step.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct picus_sim picus_sim;
typedef struct picus_recorder picus_recorder;

/* Options of a run: the defaults of Picus; those of simulate { ... } in the model replace them. */
PICUS_API picus_sim_options picus_default_sim_options(void);
/* Lifetime: its texts live as long as the model. */
PICUS_API picus_sim_options picus_model_sim_options(const picus_model *model);

/* The base scheme for adaptive runs and references: rattle; moreau-jean for systems with flexible components, whose
 * stiffness rattle treats explicitly; moreau if a contact starts with a negative gap, because rattle would push the
 * bodies apart. Lifetime: for ever. */
PICUS_API const char *picus_adaptive_scheme(picus_context *context, const picus_system *system, double t_start);

/* All messages of the simulation go to this context. The system must outlive the simulation. Lifetime: `*out` until
 * `picus_sim_destroy`, before the system. */
PICUS_API picus_status picus_sim_create(picus_context *context, const picus_system *system,
                                        const picus_sim_options *options, picus_sim **out);
PICUS_API void picus_sim_destroy(picus_sim *sim);
PICUS_API const picus_sim_options *picus_sim_options_of(const picus_sim *sim); /* Lifetime: that of the simulation */
PICUS_API const picus_system *picus_sim_system(const picus_sim *sim);          /* Lifetime: that of the system */
/* Restarts from another state, bit for bit like a new simulation that starts there; dissipated energies start at 0.
 * Setting the current state, equal bit for bit including time, changes nothing. */
PICUS_API picus_status picus_sim_set_state(picus_sim *sim, double t, const double *q, const double *u);

PICUS_API picus_state picus_sim_state(const picus_sim *sim); /* Lifetime: until the next step */

/* states: law_count. */
PICUS_API picus_status picus_sim_laws(picus_sim *sim, picus_law_state *states);
PICUS_API picus_status picus_sim_energy(picus_sim *sim, double *kinetic, double *potential);

/* One step of size dt (0: dt of the options). On failure the state is that before the step. info may be NULL. */
PICUS_API picus_status picus_sim_step(picus_sim *sim, double dt, picus_step_info *info);

/* Called occasionally during a run; non-zero stops the run with PICUS_INTERRUPTED. */
typedef int (*picus_progress_fn)(void *user, double t, double t_end, long steps);
typedef struct picus_run_hooks {
  picus_progress_fn progress; /* may be NULL */
  void *user;
  /* Stop times besides those of the model, at which a step must end exactly, in any order. event_count and event_times
   * are the former names, valid until 1.0. */
  union {
    int stop_count;
    int event_count;
  };
  union {
    const double *stop_times;
    const double *event_times;
  };
} picus_run_hooks;
/* Steps to t_end; steps end exactly at stop times and sample times. recorder and hooks may be NULL. However the run
 * ends, the recorder holds all rows up to that time and summary describes the run. PICUS_ERROR_NUMBER: a value is not
 * finite, and the message names it. PICUS_ERROR_STEP: the motion grows in a way that halved steps do not confirm. */
PICUS_API picus_status picus_sim_run(picus_sim *sim, picus_recorder *recorder, const picus_run_hooks *hooks,
                                     picus_summary *summary);

/* Calls watch after each contact problem, solved or not; NULL: stops watching. Lifetime: `user` is needed until the
 * watch is removed or the simulation destroyed. */
PICUS_API void picus_sim_watch_contacts(picus_sim *sim, picus_contact_watch_fn watch, void *user);

#ifdef __cplusplus
}
#endif

#endif
