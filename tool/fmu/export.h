/* The archive of an FMU: its description, the library that runs it, and the model. */
#ifndef PICUS_FMU_EXPORT_H
#define PICUS_FMU_EXPORT_H

#include "view/json.h"

#include <picus/model.h>
#include <picus/sim.h>
#include <picus/system.h>

typedef struct fmu_export {
  int version;        /* 2 or 3 */
  const char *folder; /* of the library picus_fmu.so and the list of those that it needs */
  const char *model_file;
  const picus_model *model;
  const picus_system *system;
  const picus_sim_options *options;
} fmu_export;

/* Passes the bytes of the archive to `save`. */
typedef picus_status (*fmu_save_fn)(void *user, const void *bytes, size_t size);
picus_status fmu_export_write(picus_context *context, const fmu_export *job, fmu_save_fn save, void *user);

#endif
