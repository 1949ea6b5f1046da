/* What the folder resources of an FMU holds: the text of the model, the files that it names, and picus.txt with the
 * options of the run and the values of parameters. The exporter writes it, instances read it. */
#ifndef PICUS_FMU_PACKAGE_H
#define PICUS_FMU_PACKAGE_H

#include <picus/model.h>
#include <picus/sim.h>
#include <picus/system.h>

/* Names in the folder. */
#define FMU_SETTINGS_FILE "picus.txt"
#define FMU_MODEL_FILE "model.lua"
#define FMU_DATA_FILE "data-%d"

typedef struct fmu_package {
  char *settings; /* picus.txt; the texts below are parts of it */
  const char *token;
  const char *name; /* of the model file, for messages */
  char *text;
  size_t text_size;
  int override_count;
  picus_override *overrides;
  int option_count;
  picus_setting *options;
  int file_count;
  picus_model_file *files;
} fmu_package;

/* picus.txt of a model with these options, without its token; to be released. */
picus_status fmu_package_describe(picus_context *context, const char *name, const picus_model *model,
                                  const picus_sim_options *options, char **out);
/* The folder may come from anybody. PICUS_ERROR_IO, PICUS_ERROR_MODEL: it is not complete, and the message names the
 * file. */
picus_status fmu_package_read(picus_context *context, const char *folder, fmu_package *out);
void fmu_package_release(picus_context *context, fmu_package *package);

/* The model of the package, its system and the options of its run. t_start: NAN for that of the package; extra: values
 * that replace those of the package. */
typedef struct fmu_loaded {
  picus_model *model;
  picus_system *system;
  picus_sim_options options;
} fmu_loaded;
picus_status fmu_package_load(picus_context *context, const fmu_package *package, double t_start, int extra_count,
                              const picus_override *extra, fmu_loaded *out);
void fmu_loaded_release(fmu_loaded *loaded);

#endif
