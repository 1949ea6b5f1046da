/* Simulation: a scheme that steps a system, and the driver that runs it to t_end. */
#ifndef PICUS_SIM_H
#define PICUS_SIM_H

#include <picus/base.h>
#include <picus/contact.h>
#include <picus/modes.h>
#include <picus/options.h>
#include <picus/scheme.h>
#include <picus/step.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct picus_sim picus_sim;
typedef struct picus_recorder picus_recorder;

/* Options of a run: the defaults of Picus; values of simulate { ... } in the model replace them. */
PICUS_API picus_sim_options picus_default_sim_options(void);
/* Lifetime: its texts live as long as the model. */
PICUS_API picus_sim_options picus_model_sim_options(const picus_model *model);

/* The base scheme for adaptive runs and references: rattle; moreau-jean for systems with flexible components, whose
 * stiffness rattle treats explicitly; moreau if a contact starts with a negative gap, because rattle would push the
 * bodies apart. Lifetime: static. */
PICUS_API const char *picus_adaptive_scheme(picus_context *context, const picus_system *system, double t_start);

/* All messages of the simulation go to this context. The system must outlive the simulation. Lifetime: `*out` until
 * `picus_sim_destroy`, before the system. */
PICUS_API picus_status picus_sim_create(picus_context *context, const picus_system *system,
                                        const picus_sim_options *options, picus_sim **out);
PICUS_API void picus_sim_destroy(picus_sim *sim);
PICUS_API const picus_sim_options *picus_sim_options_of(const picus_sim *sim); /* Lifetime: as long as the simulation */
PICUS_API const picus_system *picus_sim_system(const picus_sim *sim);          /* Lifetime: as long as the system */
/* Restarts from another state, bit for bit like a new simulation that starts there; dissipated energies start at 0.
 * Setting the current state, equal bit for bit including time, changes nothing. PICUS_ERROR_ARGUMENT: dt (or dt_min)
 * of the options would not change so large a time. */
PICUS_API picus_status picus_sim_set_state(picus_sim *sim, double t, const double *q, const double *u);

PICUS_API picus_state picus_sim_state(const picus_sim *sim); /* Lifetime: until the next step */

/* Sets an input from the current time t, by its name or its index: it is value + rate (time - t) until it is set again.
 * It acts in the next step, during all of it, and in later steps. An input in a gap, in the motion of a frame or in the
 * position of a motor should not jump: set its rate, and the value that it has reached. rate must be 0 for an input
 * without a rate. Values must be finite. picus_sim_set_state keeps the current values. */
PICUS_API picus_status picus_sim_set_input(picus_sim *sim, const char *name, double value, double rate);
PICUS_API picus_status picus_sim_set_input_at(picus_sim *sim, int index, double value, double rate);
/* The input as set last, at the current time; zeros: no such index. */
PICUS_API picus_input picus_sim_input(const picus_sim *sim, int index);

/* The laws that the system was created with. states: law_count. */
PICUS_API picus_status picus_sim_laws(picus_sim *sim, picus_law_state *states);

/* Detected laws: contacts that exist while bodies are close to each other. A simulation finds them before each step.
 * They follow the laws of the system; a step, with all its attempts, has one set of laws. Laws are renumbered in each
 * set: source and key identify them. */
typedef struct picus_present_law {
  picus_system_law law; /* first_row: among the rows of the present laws */
  bool is_fixed;        /* a law of the system; then its key is its number */
  int source;           /* which source of the system has the law; -1: fixed */
  uint64_t key;         /* unique in its source */
} picus_present_law;
/* Lifetime: its texts live until the next step. */
PICUS_API picus_present_law picus_sim_present_law(const picus_sim *sim, int law);
/* Number of present laws, the laws of the system among them; before the first step only these. */
PICUS_API int picus_sim_present_count(const picus_sim *sim);
/* states: picus_sim_present_count. */
PICUS_API picus_status picus_sim_present_laws(picus_sim *sim, picus_law_state *states);
/* Finds the laws that may act within dt from the current state (0: dt of the options), as a step would. */
PICUS_API picus_status picus_sim_find_laws(picus_sim *sim, double dt);
/* Forces and modes of the laws at the start, from accelerations: closed contacts that neither part nor strike, with
 * friction opposite to their slip, friction elements, constraints. force: rows of the present laws, N; modes:
 * picus_sim_present_count. With contacts of shapes call picus_sim_find_laws before; without it, and without shapes,
 * these are the laws of the system: picus_system_row_count and picus_system_law_count. Not after a step. Results have
 * the modes, and the forces of schemes with forces, in their first row. */
PICUS_API picus_status picus_sim_find_forces(picus_sim *sim, double *force, picus_mode *modes);
/* Totals of laws that have disappeared. */
typedef struct picus_vanished_laws {
  double dissipated;     /* J, since t_start */
  double driven;         /* J, since t_start */
  long impacts, chatter; /* since t_start, as in picus_summary */
} picus_vanished_laws;
PICUS_API picus_vanished_laws picus_sim_vanished_laws(const picus_sim *sim);

/* Work since t_start of one of the names of the system, J. Change of kinetic + potential energy = all work terms +
 * picus_law_state.driven of all laws - their dissipated energy + error of the scheme. */
PICUS_API double picus_sim_work(const picus_sim *sim, int index);
PICUS_API picus_status picus_sim_energy(picus_sim *sim, double *kinetic, double *potential);

/* The stability limit of a scheme that takes forces at known states: moreau, moreau-explicit, the half-explicit schemes
 * and, for position-dependent forces, rattle. It is estimated at the current state, without contacts, from the fastest
 * motions of the system; of a system with few velocities it is exact. Derives and allocates, as picus_modes_create. */
typedef struct picus_stability {
  double dt_limit; /* s: larger steps grow; INFINITY: no limit is known or there is none; NAN: too large a system */
  int velocity;    /* velocity that dominates the motion which limits dt; -1: none */
  double omega, damping; /* rad/s and 1/s of this motion: x^T K x / x^T M x = omega^2, x^T C x / x^T M x = damping */
} picus_stability;
PICUS_API picus_status picus_sim_stability(picus_sim *sim, picus_stability *out);

/* One step of size dt (0: dt of the options). On failure the state is that before the step. info may be NULL. */
PICUS_API picus_status picus_sim_step(picus_sim *sim, double dt, picus_step_info *info);

/* One step of an adaptive simulation, of the size that it chooses; it ends at t_stop or earlier, and exactly at stop
 * times of the model. The driver computes steps ahead and uses later steps to check earlier ones. Pass the same t_stop
 * until it is reached: a new t_stop or a changed input discards the steps computed ahead. On failure the state before
 * the step is kept. info may be NULL. */
PICUS_API picus_status picus_sim_advance(picus_sim *sim, double t_stop, picus_step_info *info);

/* For a program that takes the steps itself and records them as a run does. begin opens the sinks, before the first
 * step; it fills the summary. step follows each step: switching points, and the totals of the summary. row adds a row
 * of the current state, whenever one is wanted. end must be called in any case: it closes the sinks with the summary;
 * status is the status of the last step. */
PICUS_API picus_status picus_sim_record_begin(picus_sim *sim, picus_recorder *recorder, picus_summary *summary);
PICUS_API picus_status picus_sim_record_step(picus_sim *sim, picus_recorder *recorder, const picus_step_info *info,
                                             picus_summary *summary);
PICUS_API picus_status picus_sim_record_row(picus_sim *sim, picus_recorder *recorder);
PICUS_API picus_status picus_sim_record_end(picus_sim *sim, picus_recorder *recorder, picus_status status,
                                            picus_summary *summary);

/* Called occasionally during a run; non-zero stops the run with PICUS_INTERRUPTED. */
typedef int (*picus_progress_fn)(void *user, double t, double t_end, long steps);
/* Called before the first step, without info, and after every step, when its row has been recorded. It may set inputs,
 * which act in the next step: an adaptive run recomputes the steps computed ahead. It must not change the state.
 * Non-zero stops the run with PICUS_INTERRUPTED. info: of the step; if the step was subdivided, of its last part. */
typedef int (*picus_step_fn)(void *user, picus_sim *sim, const picus_step_info *info);
/* The same at every switching point, as the event log has it, before the row is recorded and before the function above
 * is called for this step. */
typedef int (*picus_event_fn)(void *user, picus_sim *sim, const picus_switching *event);
/* Called as often as the progress, between two steps, for programs that save checkpoints with picus_sim_save; and once
 * more after the last step, with is_end, so that the run can be extended. Another status than PICUS_OK ends the run. */
typedef picus_status (*picus_checkpoint_fn)(void *user, picus_sim *sim, bool is_end);
typedef struct picus_run_hooks {
  picus_progress_fn progress; /* may be NULL, as the others */
  void *user;
  /* Stop times in addition to the model's, at which a step must end exactly, in any order, each a number. event_count
   * and event_times are the former names, valid until 1.0. */
  union {
    int stop_count;
    int event_count;
  };
  union {
    const double *stop_times;
    const double *event_times;
  };
  picus_step_fn step;
  picus_event_fn event;
  picus_checkpoint_fn checkpoint;
} picus_run_hooks;
/* Steps to t_end; steps end exactly at stop times and sample times. recorder and hooks may be NULL. However the run
 * ends, the recorder holds all rows up to that time and summary describes the run. PICUS_ERROR_NUMBER: a value is not
 * finite, and the message names it. PICUS_ERROR_STEP: the motion grows in a way that halved steps do not confirm. */
PICUS_API picus_status picus_sim_run(picus_sim *sim, picus_recorder *recorder, const picus_run_hooks *hooks,
                                     picus_summary *summary);

/* Checkpoints: everything that the later steps of a simulation depend on, as bytes. A simulation that loads them takes
 * the steps that the original simulation would have taken, bit for bit. Saved between two steps of a program, or from
 * the functions `checkpoint` and `step` of a run; then the run is saved as well, with its recorder, and picus_sim_run
 * of the simulation that loads it continues it: rows, switching points and summary equal those of an uninterrupted run.
 * In such a run `step` is not called before the first step, and the recorder receives only data after the checkpoint.
 *
 * The simulation that loads must have been created with the same system and options; t_end may differ, which extends
 * the run. PICUS_ERROR_ARGUMENT: it has others, and the message names them. PICUS_ERROR_IO: the bytes are damaged, or
 * of another version of Picus. The bytes may come from untrusted sources. After a failure the simulation is at its
 * start. */
typedef enum picus_load {
  PICUS_LOAD_SAME_MODEL,   /* fails if the equations differ */
  PICUS_LOAD_CHANGED_MODEL /* continues with a model whose parameters were changed on purpose */
} picus_load;
/* size receives the number of bytes. data may be NULL: then it only does that. It is a failure if capacity is less. */
PICUS_API picus_status picus_sim_save(picus_sim *sim, void *data, size_t capacity, size_t *size);
PICUS_API picus_status picus_sim_load(picus_sim *sim, const void *data, size_t size, picus_load load);
/* As above, with a file, which is replaced atomically. */
PICUS_API picus_status picus_sim_save_file(picus_sim *sim, const char *path);
PICUS_API picus_status picus_sim_load_file(picus_sim *sim, const char *path, picus_load load);

/* The static equilibrium that the system reaches from the current state of the simulation if its loads act in one
 * increment, with all contacts and friction: a contact sticks where it is, or has slipped against its friction force.
 * q (nq) receives it, force (rows of all laws) the forces of the laws in N; the simulation does not change.
 * PICUS_ERROR_MODEL: there is none nearby. Gives the state for picus_modes_options.q. */
PICUS_API picus_status picus_sim_find_equilibrium(picus_sim *sim, double *q, double *force);

/* Records mode shapes instead of a run: the first row is the state of the modes, row k the state displaced by the shape
 * of mode k with a largest velocity component of 1. The column t has the number of the mode. Changes the state of the
 * simulation. */
PICUS_API picus_status picus_sim_record_modes(picus_sim *sim, const picus_modes *modes, picus_recorder *recorder);

/* Calls watch after each contact problem, solved or not; NULL: stops watching. Lifetime: `user` is needed until the
 * watch is removed or the simulation destroyed. */
PICUS_API void picus_sim_watch_contacts(picus_sim *sim, picus_contact_watch_fn watch, void *user);
/* "smooth", "inaccurate", "detected", "resolved", "failed"; NULL: no such kind. Lifetime: static. */
PICUS_API const char *picus_decision_name(int kind);
/* Calls watch after each decision of an adaptive run; with fixed steps there are none. NULL: stops watching. Lifetime:
 * `user` is needed until the watch is removed or the simulation destroyed. */
PICUS_API void picus_sim_watch_decisions(picus_sim *sim, picus_decision_fn watch, void *user);

#ifdef __cplusplus
}
#endif

#endif
