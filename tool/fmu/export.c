/* An FMU is a zip archive:
 *
 *   modelDescription.xml
 *   binaries/PLATFORM/NAME.so            picus_fmu.so, and the libraries that it needs
 *   resources/picus.txt, model.lua, ...  the model and the options of its run (package.h)
 *   documentation/index.html             where it comes from, and the licences
 *
 * The library is the same for all models, so the export needs no compiler.
 */
#include "fmu/export.h"
#include "base/checksums.h"
#include "base/file_names.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "fmu/model_description.h"
#include "fmu/package.h"
#include "fmu/zip.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 64 };
static const size_t library_most = (size_t)1 << 30;

typedef struct archive {
  picus_context *context;
  const fmu_export *job;
  fmu_zip zip;
  char identifier[NAME_ROOM];
  char token[PICUS_SHA256_TEXT_SIZE];
  char *settings; /* picus.txt */
} archive;

/* The name of the model as an identifier of C. */
static void choose_identifier(archive *a) {
  size_t length = 0;
  for (const char *c = picus_model_name(a->job->model); *c && length < NAME_ROOM - 1; c++)
    a->identifier[length++] = isalnum((unsigned char)*c) ? *c : '_';
  a->identifier[length] = '\0';
  if (!isalpha((unsigned char)a->identifier[0])) snprintf(a->identifier, NAME_ROOM, "model");
}

/* --- resources ---------------------------------------------------------------------------------------------------- */

/* The token follows from all that the resources hold, so the same export has the same one. */
static void choose_token(archive *a) {
  const picus_model *model = a->job->model;
  picus_sha256 hash;
  unsigned char digest[PICUS_SHA256_SIZE];
  picus_sha256_begin(&hash);
  picus_sha256_add(&hash, a->settings, strlen(a->settings));
  picus_sha256_add(&hash, picus_model_source(model), strlen(picus_model_source(model)));
  for (int k = 0; k < picus_model_file_count(model); k++) {
    const picus_model_file file = picus_model_file_at(model, k);
    picus_sha256_add(&hash, file.bytes, file.size);
  }
  picus_sha256_end(&hash, digest);
  picus_sha256_text(digest, a->token);
}

static picus_status add_resources(archive *a) {
  const picus_model *model = a->job->model;
  picus_json text;
  picus_status status = picus_json_begin(a->context, &text);
  picus_json_put(&text, "picus-fmu 1\ntoken ");
  picus_json_put(&text, a->token);
  picus_json_put(&text, "\n");
  picus_json_put(&text, a->settings);
  if (!status) status = text.status;
  if (!status) fmu_zip_add(&a->zip, "resources/" FMU_SETTINGS_FILE, text.bytes, text.size, false);
  picus_json_release(&text);
  const char *source = picus_model_source(model);
  fmu_zip_add(&a->zip, "resources/" FMU_MODEL_FILE, source, strlen(source), false);
  for (int k = 0; k < picus_model_file_count(model); k++) {
    const picus_model_file file = picus_model_file_at(model, k);
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "resources/" FMU_DATA_FILE, k + 1);
    fmu_zip_add(&a->zip, name, file.bytes, file.size, false);
  }
  return status ? status : a->zip.status;
}

/* --- binaries ----------------------------------------------------------------------------------------------------- */

/* The folder of the platform that a library is for, by the head of its file (ELF); NULL: another one. */
static const char *platform_of(const unsigned char *bytes, size_t size, int version) {
  enum { MACHINE = 18, X86_64 = 62, AARCH64 = 183 };
  if (size < 64 || memcmp(bytes, "\177ELF\2\1", 6) != 0) return NULL;
  if (bytes[MACHINE] == X86_64) return version == 2 ? "linux64" : "x86_64-linux";
  return bytes[MACHINE] == AARCH64 ? "aarch64-linux" : NULL;
}

/* A library of the folder of the platform; is_own: the FMU's, which gets the name of the model. */
static picus_status add_library(archive *a, const char *path, bool is_own) {
  unsigned char *bytes = NULL;
  size_t size = 0;
  char name[PICUS_PATH_SIZE];
  picus_status status = picus_file_bytes(a->context, path, library_most, &bytes, &size);
  const char *platform = status ? NULL : platform_of(bytes, size, a->job->version);
  if (!status && !platform)
    status = picus_fail(a->context, PICUS_ERROR_UNSUPPORTED,
                        "'%s' is not a library for Linux on x86-64 or arm64, the platforms of an FMU of Picus", path);
  if (!status) {
    const char *file = is_own ? a->identifier : picus_last_name(path);
    snprintf(name, sizeof name, "binaries/%s/%.1000s%s", platform, file, is_own ? ".so" : "");
    fmu_zip_add(&a->zip, name, bytes, size, true);
    status = a->zip.status;
  }
  picus_release(a->context, bytes);
  return status;
}

/* The file `libraries` lists those that picus_fmu.so needs beyond the C library, a path in each line, relative to the
 * folder or absolute. */
static picus_status add_needed(archive *a, char *list) {
  picus_status status = PICUS_OK;
  for (char *line = list, *next; !status && line && *line; line = next) {
    char path[PICUS_PATH_SIZE];
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    if (!*line) continue;
    const int length = *line == '/' ? snprintf(path, sizeof path, "%s", line)
                                    : snprintf(path, sizeof path, "%s/%s", a->job->folder, line);
    if (length >= (int)sizeof path)
      return picus_fail(a->context, PICUS_ERROR_IO, "the path '%.60s...' is too long", line);
    status = add_library(a, path, false);
  }
  return status;
}

static picus_status add_binaries(archive *a) {
  char path[PICUS_PATH_SIZE];
  unsigned char *list = NULL;
  size_t size = 0;
  if (snprintf(path, sizeof path, "%.4000s/picus_fmu.so", a->job->folder) >= (int)sizeof path) return PICUS_ERROR_IO;
  picus_status status = add_library(a, path, true);
  snprintf(path, sizeof path, "%.4000s/libraries", a->job->folder);
  if (!status) status = picus_file_bytes(a->context, path, library_most, &list, &size);
  if (!status) status = add_needed(a, (char *)list);
  picus_release(a->context, list);
  return status;
}

/* --- description -------------------------------------------------------------------------------------------------- */

static picus_status write_description(archive *a, const fmu_variables *variables) {
  const fmu_export *job = a->job;
  fmu_description d = {.version = job->version,
                       .name = picus_model_name(job->model),
                       .text = picus_model_description(job->model),
                       .identifier = a->identifier,
                       .token = a->token,
                       .options = job->options,
                       .variables = variables};
  for (int k = 0; k < picus_system_input_count(job->system); k++)
    d.has_rates = d.has_rates || picus_system_input_at(job->system, k).has_rate;
  picus_json text;
  picus_status status = picus_json_begin(a->context, &text);
  if (!status) fmu_description_write(&d, &text);
  if (!status) status = text.status;
  if (!status) fmu_zip_add(&a->zip, "modelDescription.xml", text.bytes, text.size, false);
  picus_json_release(&text);
  return status ? status : a->zip.status;
}

static picus_status add_description(archive *a) {
  const picus_run_description run = {a->job->model, a->job->system, a->job->options, ""};
  picus_recorder *recorder;
  fmu_variables variables;
  picus_status status = picus_recorder_create(a->context, &run, &recorder);
  if (status) return status;
  status = fmu_variables_create(a->context, a->job->model, a->job->system, recorder, &variables);
  if (!status) {
    status = write_description(a, &variables);
    fmu_variables_release(a->context, &variables);
  }
  picus_recorder_destroy(recorder);
  return status;
}

static void add_documentation(archive *a) {
  static const char text[] =
      "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>An FMU of Picus</title></head><body>\n"
      "<p>This FMU contains a model of Picus, resources/model.lua, and the library that runs it, picus_fmu.so.</p>\n"
      "<p>The library contains Picus (Apache License 2.0). Beside it are Lua (MIT), and of SuiteSparse KLU and BTF "
      "(LGPL 2.1 or later), AMD and COLAMD (BSD 3-clause), as they come with the system that exported the FMU.</p>\n"
      "</body></html>\n";
  fmu_zip_add(&a->zip, "documentation/index.html", text, sizeof text - 1, false);
}

static picus_status fill(archive *a) {
  const fmu_export *job = a->job;
  picus_status status = fmu_package_describe(a->context, job->model_file, job->model, job->options, &a->settings);
  if (status) return status;
  choose_identifier(a);
  choose_token(a);
  status = add_description(a);
  if (!status) status = add_binaries(a);
  if (!status) status = add_resources(a);
  if (!status) add_documentation(a);
  return status ? status : fmu_zip_end(&a->zip);
}

picus_status fmu_export_write(picus_context *context, const fmu_export *job, fmu_save_fn save, void *user) {
  archive a = {.context = context, .job = job};
  fmu_zip_begin(context, &a.zip);
  picus_status status = a.zip.status ? a.zip.status : fill(&a);
  if (!status) status = save(user, a.zip.files.bytes, a.zip.files.size);
  fmu_zip_release(&a.zip);
  picus_release(context, a.settings);
  return status;
}
