/* picus export MODEL --fmu: the model with the options of its run. */
#include "fmu_export.h"
#include "base/file_names.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "cli/paths.h"
#include "cli/run_options.h"
#include "fmu/export.h"
#include "platform/files.h"
#include "platform/processes.h"

#include <stdlib.h>
#include <string.h>

/* Where the library is, from the folder of the tool: in the build, and where `cmake --install` puts it. */
#ifndef PICUS_FMU_FOLDER
#define PICUS_FMU_FOLDER "../lib/picus/fmu"
#endif

static bool has_library(const char *folder) {
  char path[PICUS_PATH_SIZE];
  return snprintf(path, sizeof path, "%s/picus_fmu.so", folder) < (int)sizeof path && picus_path_exists(path);
}

/* false, already reported: there is no library. */
static bool find_folder(const cli_arguments *a, char folder[PICUS_PATH_SIZE]) {
  static const char *const places[] = {"fmu", PICUS_FMU_FOLDER};
  char self[PICUS_PATH_SIZE], home[PICUS_PATH_SIZE];
  const char *given = cli_value(a, "fmu-library", 0);
  if (given) {
    snprintf(folder, PICUS_PATH_SIZE, "%s", given);
    if (has_library(given)) return true;
    cli_complain("there is no picus_fmu.so in the folder '%s' of --fmu-library", given);
    return false;
  }
  const bool is_known = picus_own_program(self, sizeof self) == 0;
  if (is_known) picus_folder_name(self, home);
  for (size_t k = 0; is_known && k < sizeof places / sizeof *places; k++)
    if (snprintf(folder, PICUS_PATH_SIZE, "%s/%s", home, places[k]) < PICUS_PATH_SIZE && has_library(folder))
      return true;
  cli_complain(
      "this picus comes without the library of FMUs, picus_fmu.so; a build of the sources makes it in its folder "
      "fmu: give that folder with --fmu-library");
  return false;
}

typedef struct fmu_file {
  picus_context *context;
  const char *path;
  size_t size;
} fmu_file;

static picus_status save(void *user, const void *bytes, size_t size) {
  fmu_file *file = user;
  file->size = size;
  return picus_output_save(file->context, file->path, bytes, size);
}

/* The options as picus run has them; simulations that could not start are not exported. */
static picus_status choose_options(picus_context *context, const cli_arguments *a, const cli_model *loaded,
                                   picus_sim_options *o) {
  if (o->adaptive) cli_choose_base(context, a, loaded, o);
  cli_keep_heeded(context, a, loaded->model, o);
  picus_sim *sim;
  picus_status status = picus_sim_create(context, loaded->system, o, &sim);
  if (!status) picus_sim_destroy(sim);
  return status;
}

static int write_fmu(picus_context *context, const cli_arguments *a, const char *folder, long version) {
  cli_model loaded;
  int code = cli_load(context, a, &loaded);
  if (code) return code;
  picus_sim_options o = picus_model_sim_options(loaded.model);
  fmu_file file = {.context = context, .path = cli_value(a, "fmu", 0)};
  if (!cli_choose_adaptive(a, &o) || !cli_read_run_options(a, &o) || !cli_paths_check_model(a, loaded.model, context)) {
    cli_unload(&loaded);
    return EXIT_WRONG_INPUT;
  }
  const fmu_export job = {.version = (int)version,
                          .folder = folder,
                          .model_file = picus_last_name(cli_operand(a, 0)),
                          .model = loaded.model,
                          .system = loaded.system,
                          .options = &o};
  picus_status status = choose_options(context, a, &loaded, &o);
  if (!status) status = fmu_export_write(context, &job, save, &file);
  if (status)
    code = cli_report_error(context, EXIT_WRONG_INPUT);
  else if (!cli_given(a, "quiet"))
    cli_print("%s: FMI %ld.0, co-simulation, %.2f MB\n", file.path, version, (double)file.size / 1e6);
  cli_unload(&loaded);
  return code;
}

int cli_export_fmu(const cli_arguments *a) {
  char folder[PICUS_PATH_SIZE];
  long version = 2;
  if (!cli_integer(a, "fmi", &version) || !find_folder(a, folder)) return EXIT_WRONG_INPUT;
  if (version != 2 && version != 3) {
    cli_complain("--fmi is 2 or 3, the version of the standard, not %s", cli_value(a, "fmi", 0));
    return EXIT_WRONG_INPUT;
  }
  picus_context *context = cli_context(cli_given(a, "quiet"));
  if (!context) return EXIT_RUN_FAILED;
  const int code = write_fmu(context, a, folder, version);
  picus_context_destroy(context);
  return code;
}
