/* The model as a plain container. src/system reads it to derive and compile the equations of motion; all other code
 * uses include/picus/model.h. The model owns all text, which is never NULL: "" if not given. */
#ifndef PICUS_MODEL_INTERNAL_H
#define PICUS_MODEL_INTERNAL_H

#include "base/internal.h"
#include "model/collisions.h"
#include "model/drawing.h"
#include "model/entries.h"
#include "model/names.h"
#include "model/structures.h"

#include <picus/result.h>

enum { PICUS_EXPR_FAILURE_SIZE = 400 }; /* characters of the reason why an expression cannot be built */

struct picus_model {
  picus_context *context;
  picus_pool *pool;
  const char *name, *description, *source;
  const char *file;  /* the last one a place was given in; NULL: built in C */
  picus_place place; /* place of the next definition */
  size_t file_count, file_capacity;
  const char **files;           /* that the model was read from: nothing may overwrite them */
  picus_model_file *kept_files; /* contents of files that it names */
  size_t kept_file_count, kept_file_capacity;
  picus_expr time;            /* variable 0 of the pool */
  picus_expr slip_speed;      /* of the law that is being defined; not given: no formula has asked for it */
  picus_status failed_status; /* why an expression by text or name could not be built last */
  char failed_text[PICUS_EXPR_FAILURE_SIZE];

  int parameter_count;
  size_t parameter_capacity;
  picus_parameter *parameters;
  int range_count;
  size_t range_capacity;
  picus_model_range *ranges;
  int override_count;
  size_t override_capacity;
  picus_model_override_entry *overrides;

  int input_count;
  size_t input_capacity;
  picus_model_input_entry *inputs;

  int sampled_count;
  size_t sampled_capacity;
  picus_model_sampled *sampled;
  int signal_count;
  size_t signal_capacity;
  picus_model_signal *signals;
  int setting_count, event_count;
  size_t setting_capacity, event_capacity;
  picus_model_setting *settings; /* of all events */
  picus_model_event *events;     /* in the order of their definition */
  size_t crossing_count, crossing_capacity;
  const char **crossings; /* texts of events that were added to the file */
  bool takes_signals;     /* the expression that is being examined may contain signals of laws */

  int coordinate_count;
  size_t coordinate_capacity;
  picus_model_coordinate *coordinates;
  int velocity_count;
  size_t velocity_capacity;
  picus_model_velocity *velocities;

  int structure_count;
  size_t structure_capacity;
  picus_model_structure *structures;
  int node_count;
  size_t node_capacity;
  picus_model_displacement *nodes;
  bool coupled; /* energies or forces contain displacements, or forces on displacements depend on the state */

  picus_model_sum kinetic, potential, dissipation;
  int mass_count;   /* rows; 0: no mass matrix was given */
  picus_expr *mass; /* mass_count x mass_count, row-major */
  picus_place mass_place;
  int inertia_count;
  size_t inertia_capacity;
  picus_model_inertia *inertias;
  int body_count;
  size_t body_capacity;
  picus_model_body *bodies;
  int quaternion_count;
  size_t quaternion_capacity;
  int *quaternions;       /* the first of four coordinates each */
  int force_vector_count; /* 0: no force vector was given */
  picus_expr *force_vector;
  picus_place force_vector_place;

  int work_count;
  picus_model_work works[PICUS_WORKS_MOST];
  const char *account; /* of the forces that are being added; NULL: "force." and the name that they act on */
  bool books_itself;   /* whoever adds forces books their power */

  int law_count;
  size_t law_capacity;
  picus_model_law *laws; /* in the order of their definition */
  int observable_count;
  size_t observable_capacity;
  picus_model_observable *observables;
  int stop_time_count;
  size_t stop_time_capacity;
  double *stop_times;
  int plot_count;
  size_t plot_capacity;
  picus_model_plot_entry *plots;
  picus_model_draw draw;
  int handle_count;
  size_t handle_capacity;
  picus_handle *handles;
  picus_model_collisions collisions;
  picus_model_run run;

  /* bookkeeping */
  size_t text_count, text_capacity;
  char **texts; /* all text the model owns */
  size_t name_count, name_capacity;
  picus_name_entry *names; /* hash table with open addressing, capacity a power of 2 */
  size_t variable_count;
  picus_model_variable *variables; /* by variable index of the pool */
  size_t mark_count;
  uint32_t *marks; /* by node of the pool: the walk that saw it last */
  int32_t *walk;   /* nodes still to be visited */
  uint32_t mark;
};

/* Completes the validation once everything is defined: overrides that met no parameter, the order of the run's times,
 * coordinates without a rate, missing dynamics, sizes, columns of plots. picus_system_create calls it first. */
picus_status picus_model_check(picus_model *model);

/* Shared by the files of this folder. */

/* Notes why an expression cannot be built, for the definition that uses it, and fails. */
picus_status picus_model_note_failed_expr(picus_model *model, picus_status status, const char *format, ...)
    PICUS_PRINTF(3, 4);
/* picus_fail_at the place of the definition that is being made. */
picus_status picus_model_fail(picus_model *model, picus_status status, const char *format, ...) PICUS_PRINTF(3, 4);
/* "there is no WHAT 'name'; did you mean 'other'?", or with a list of the defined names; candidates as for
 * picus_nearest_name. */
picus_status picus_model_fail_unknown(picus_model *model, picus_place place, const char *what, const char *name,
                                      const char *(*next)(const void *user, int k), const void *user);
/* A copy owned by the model ("" for NULL); NULL: out of memory. */
const char *picus_model_keep_text(picus_model *model, const char *text);
picus_status picus_model_note_file(picus_model *model, const char *path);
/* Takes the bytes over, also on failure. */
picus_status picus_model_keep_file(picus_model *model, const char *name, unsigned char *bytes, size_t size);

/* controls.c: a value of `next` or of what events set, which may contain signals. */
picus_status picus_model_examine_control(picus_model *model, picus_expr expr, const char *what, const char *name);
picus_status picus_model_check_controls(picus_model *model);
int picus_model_find_law(const picus_model *model, const char *name); /* -1: none */
/* For a model that is loaded again: the crossings of the one that was loaded first. */
picus_status picus_model_repeat_crossings(picus_model *model, const picus_model *first);

/* Adds the power to an account. */
picus_status picus_model_book(picus_model *model, const char *name, picus_expr power);

int picus_model_find_parameter(const picus_model *model, const char *name); /* -1: none */
/* Gives an overridden parameter another value, defined or not; nothing has read it yet. */
picus_status picus_model_vary(picus_model *model, const char *name, double value);

/* The initial values of the inputs, into the values of all variables of the pool. */
void picus_model_fill_inputs(const picus_model *model, double *variables);
/* All coordinates and velocities from q0 and u0 on are those of one body; nq and nu follow from that. */
picus_status picus_model_mark_body(picus_model *model, picus_model_body body);
/* The body to which a coordinate belongs; NULL: none. */
picus_model_body *picus_model_body_of(const picus_model *model, int coordinate);
/* Whether a coordinate is one of the four of a body's quaternion: its rate is known. */
bool picus_model_in_quaternion_of_body(const picus_model *model, int coordinate);
/* PICUS_ERROR_NUMBER unless value is finite. */
picus_status picus_model_check_finite(picus_model *model, double value, const char *what, const char *name);

#endif
