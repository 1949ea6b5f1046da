/* One instance of an FMU: a model that an importer steps. The functions of FMI 2.0 and 3.0 (fmi2.c, fmi3.c) translate
 * their calls to these. All functions leave a message on the context of the instance when they fail. */
#ifndef PICUS_FMU_INSTANCE_H
#define PICUS_FMU_INSTANCE_H

#include "fmu/variables.h"

/* Where an instance is; the numbers are bits, for lists of where a call is allowed. */
typedef enum fmu_phase {
  FMU_INSTANTIATED = 1,
  FMU_INITIALIZING = 2,
  FMU_EVENT = 4, /* 3.0: at an event */
  FMU_STEPPING = 8,
  FMU_TERMINATED = 16
} fmu_phase;
enum { FMU_ANYWHERE = 31, FMU_RUNNING = FMU_EVENT | FMU_STEPPING | FMU_TERMINATED };

typedef struct fmu_instance fmu_instance;

/* log may be NULL: notes and warnings of the library. *out exists also after a failure, with its message, unless memory
 * ran out; it must then be destroyed. token: of modelDescription.xml; folder: the resources. */
picus_status fmu_instance_create(const char *token, const char *folder, picus_log_fn log, void *user,
                                 fmu_instance **out);
void fmu_instance_destroy(fmu_instance *instance);
/* The last message. Lifetime: until the next failure. */
const char *fmu_instance_message(const fmu_instance *instance);
/* Fails with a message that names the call unless the instance is in one of these phases. */
picus_status fmu_allow(fmu_instance *instance, const char *call, int phases);
picus_status fmu_refuse(fmu_instance *instance, const char *format, ...) PICUS_PRINTF(2, 3);
void fmu_enter(fmu_instance *instance, fmu_phase phase);

/* Before the initialization. tolerance: of adaptive runs; NAN: that of the model. */
picus_status fmu_set_experiment(fmu_instance *instance, double t_start, double tolerance);
/* The same, and the model is built for it; a failure changes nothing. */
picus_status fmu_begin_experiment(fmu_instance *instance, double t_start, double tolerance);
/* The model with the values that were set; it is built again only after a change. */
picus_status fmu_build(fmu_instance *instance);
/* Back to where it was when it was created. */
void fmu_reset(fmu_instance *instance);

picus_status fmu_get(fmu_instance *instance, const unsigned *refs, size_t count, double *values);
/* All values, or none after a failure. */
picus_status fmu_set(fmu_instance *instance, const unsigned *refs, size_t count, const double *values);
/* The rate of inputs from now on. */
picus_status fmu_set_rates(fmu_instance *instance, const unsigned *refs, size_t count, const int *orders,
                           const double *rates);

typedef struct fmu_step {
  double t;   /* s, where it ended */
  bool event; /* an impact or an event of the model */
} fmu_step;
/* From t, which must be the current time, to t + h; stops: it ends after the first step with an event. */
picus_status fmu_make_step(fmu_instance *instance, double t, double h, bool stops, fmu_step *out);
double fmu_time(const fmu_instance *instance);
/* An event of the model has ended the run: there are no more steps. */
bool fmu_has_ended(const fmu_instance *instance);

/* The complete state as bytes. A block of them is allocated by malloc; *state is NULL, or a block that is replaced. */
picus_status fmu_state_get(fmu_instance *instance, void **state);
/* A failure changes nothing. */
picus_status fmu_state_set(fmu_instance *instance, const void *state);
picus_status fmu_state_size(fmu_instance *instance, const void *state, size_t *size);
picus_status fmu_state_write(fmu_instance *instance, const void *state, void *bytes, size_t size);
/* The bytes may come from anybody: they are checked when the state is set. */
picus_status fmu_state_read(fmu_instance *instance, const void *bytes, size_t size, void **state);
void fmu_state_release(void **state);

#endif
