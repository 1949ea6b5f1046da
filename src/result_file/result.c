/* Results read back: columns at the root of the file, texts and numbers under /picus, and blocks of values of files
 * that a run may write meanwhile. */
#include "base/input_file.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "hdf5/read.h"
#include "platform/threads.h"
#include "result_file/result_internal.h"
#include "table/description.h"
#include "table/event_table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- blocks of values --------------------------------------------------------------------------------------------- */

/* A run may write to the file meanwhile: a block that changed while it was read is read again. */

static void wait_briefly(void) { picus_clock_wait(0.002); }

/* Clears what HDF5 has cached of the file. */
static picus_status look_again(picus_result *result) {
  if (result->file >= 0) H5Fclose(result->file);
  picus_staged_renew(result->staged);
  result->file = picus_hdf5_open_staged(result->context, result->staged, result->path, H5F_ACC_RDONLY, NULL);
  if (result->file >= 0) return PICUS_OK;
  return picus_fail(result->context, PICUS_ERROR_IO, "'%s' cannot be read while it is written", result->path);
}

/* While a run writes the file, reads until two results agree: the index of a list may change between two reads, and
 * HDF5 treats missing chunks as never written. */
static picus_status read_live(picus_result *result, picus_result_read_fn read, const void *what, size_t size,
                              void *values) {
  void *before = picus_allocate(result->context, size, 1);
  if (!before) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  bool agree = false;
  for (int k = 0, good = 0; k < PICUS_RESULT_TRIES && !agree && status != PICUS_ERROR_MEMORY; k++) {
    status = k > 0 ? look_again(result) : PICUS_OK;
    if (!status) status = read(result, what, values);
    agree = good > 0 && !status && memcmp(values, before, size) == 0;
    good = status ? 0 : 1;
    if (status)
      wait_briefly();
    else
      memcpy(before, values, size);
  }
  picus_release(result->context, before);
  if (agree || status) return status;
  return picus_fail(result->context, PICUS_ERROR_IO, "'%s' changes faster than it can be read; try again",
                    result->path);
}

picus_status picus_result_fill_block(picus_result *result, picus_result_read_fn read, const void *what, size_t size,
                                     void *block) {
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  picus_status status = result->is_live ? read_live(result, read, what, size, block) : read(result, what, block);
  picus_hdf5_quiet_end(quiet);
  return picus_hdf5_read_status(result->context, result->staged, result->path, status);
}

/* A block of values that a function fills from the file; NULL: the status gives the reason. */
void *picus_result_load_block(picus_result *result, picus_result_read_fn read, const void *what, size_t count,
                              size_t size, picus_status *status) {
  void *block = picus_allocate(result->context, count, size);
  *status = block ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!block) return NULL;
  *status = picus_result_fill_block(result, read, what, count * size, block);
  if (!*status) return block;
  picus_release(result->context, block);
  return NULL;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static void release(picus_result *result) {
  picus_context *context = result->context;
  if (result->file >= 0) H5Fclose(result->file);
  picus_staged_close(result->staged);
  picus_result_release_columns(result);
  picus_result_release_description(result);
  picus_release(context, result->switchings);
  picus_release(context, result->switch_changes);
  picus_result_release_states(result);
  for (int k = 0; k < 3; k++) picus_names_release(context, &result->switch_names[k]);
  picus_release(context, result->contact_index.first);
  picus_release(context, result->contacts);
  picus_node_index_release(context, &result->nodes);
  picus_drawing_destroy(result->drawing);
  picus_release(context, result->path);
  picus_release(context, result);
}

/* Contacts of a run that died, or whose disk was full, may end before its rows; nodes may be in two places. */
static picus_status read_tables(picus_result *result) {
  const char *text = picus_result_text(result, "status");
  const picus_file_state state = {strcmp(text, "done") != 0 && strcmp(text, "interrupted") != 0, result->is_cut};
  picus_status status = picus_result_read_contact_laws(result);
  if (!status) status = picus_result_read_bodies(result);
  if (!status)
    status = picus_hdf5_contacts_measure(result->context, result->path, result->file, state.is_partial || state.is_cut,
                                         result->rows, &result->contact_index);
  if (!status)
    status = picus_hdf5_nodes_measure(result->context, result->path, result->file, state, result->rows, &result->nodes);
  return status;
}

/* A switching point of a cut file may be of a law that it lacks: the log ends before it. */
static picus_status end_log(picus_result *result) {
  double *laws = NULL;
  size_t count = 0;
  hid_t group = result->switching_count > 0 ? picus_hdf5_open_group(result->file, "picus/events") : -1;
  if (group < 0) return PICUS_OK;
  picus_status status = picus_hdf5_read_numbers(result->context, group, "law", &count, &laws);
  H5Oclose(group);
  long known = 0;
  while (!status && (size_t)known < count && known < result->switching_count && laws[known] >= 0 &&
         laws[known] < (double)result->law_count)
    known++;
  if (!status) result->switching_count = known;
  picus_release(result->context, laws);
  return status;
}

/* Everything under /picus, then the columns. */
static picus_status read_all(picus_result *result) {
  hid_t picus = picus_hdf5_open(result->file, "picus");
  bool is_group = picus_hdf5_content_of(picus) == PICUS_HDF5_GROUP;
  picus_status status = is_group ? picus_result_read_description(result, picus) : PICUS_OK;
  if (!status && !picus_result_text(result, "version")[0])
    status = picus_fail(result->context, PICUS_ERROR_IO,
                        "'%s' is an HDF5 file but not a result of Picus: it has no picus/version", result->path);
  if (!status) status = picus_result_read_columns(result, picus);
  /* one that is still written to may have lists of which some are a block longer */
  bool is_running = strcmp(picus_result_text(result, "status"), "running") == 0;
  if (!status)
    status = picus_hdf5_event_log_measure(result->context, result->path, result->file, is_running || result->is_cut,
                                          &result->switching_count);
  if (!status) status = read_tables(result);
  if (!status && result->is_cut) status = end_log(result);
  if (picus >= 0) H5Oclose(picus);
  return status;
}

/* A description that is not complete is none: what is missing would count as never written. */
static picus_status read_cut(picus_result *result) {
  picus_status status = result->file >= 0 ? read_all(result) : PICUS_ERROR_IO;
  if (status == PICUS_ERROR_MEMORY || (!status && !picus_staged_take_miss(result->staged))) return status;
  return picus_fail(
      result->context, PICUS_ERROR_IO,
      "'%s' is truncated: it has %llu of %llu bytes, not even its complete description; no rows can be read",
      result->path, (unsigned long long)picus_staged_size(result->staged),
      (unsigned long long)picus_staged_length(result->staged));
}

static void tell_cut(const picus_result *result) {
  const double rows = picus_result_number(result, "statistics.rows");
  char of[64] = "";
  if (rows >= (double)result->rows) snprintf(of, sizeof of, " of %.0f", rows);
  picus_log(result->context, PICUS_LOG_WARNING,
            "'%s' is truncated: it has %llu of %llu bytes; its first %ld%s rows can be read; copy it again if you have "
            "the original",
            result->path, (unsigned long long)picus_staged_size(result->staged),
            (unsigned long long)picus_staged_length(result->staged), result->rows, of);
}

/* With Picus' own driver: it takes no locks, so the file system need not support them and a result can be read while it
 * is written; and it does not aggregate metadata, which crashes HDF5 1.10 for some damaged files. */
static picus_status load(picus_result *result) {
  char reason[PICUS_REASON_SIZE];
  int error;
  result->staged = picus_staged_open(result->context, result->path, PICUS_STAGED_READ, &error);
  if (!result->staged && error == ENOMEM) return PICUS_ERROR_MEMORY;
  if (!result->staged) {
    picus_system_reason(error, reason);
    return picus_fail(result->context, PICUS_ERROR_IO, "cannot read '%s': %s", result->path, reason);
  }
  if (!result->is_live) picus_hdf5_find_cut(result->staged);
  result->is_cut = picus_staged_is_cut(result->staged);
  result->file = picus_hdf5_open_staged(result->context, result->staged, result->path, H5F_ACC_RDONLY, reason);
  if (result->file >= 0 && !result->is_cut) return read_all(result);
  if (picus_staged_error(result->staged) == ENOMEM) return PICUS_ERROR_MEMORY;
  if (result->is_cut) return read_cut(result);
  if (picus_staged_length(result->staged) == 0 && picus_is_being_written(result->path))
    return picus_fail(result->context, PICUS_ERROR_IO, "the run is unfinished: '%s' is still empty", result->path);
  if (picus_staged_length(result->staged) == 0)
    return picus_fail(result->context, PICUS_ERROR_IO, "'%s' is not an HDF5 file, or is damaged: it is empty",
                      result->path);
  return picus_fail(result->context, PICUS_ERROR_IO, "'%s' is not an HDF5 file, or is damaged: %s", result->path,
                    reason);
}

static picus_status open_once(picus_context *context, const char *path, picus_result **out) {
  picus_status status = picus_check_readable(context, path);
  if (status) return status;
  picus_result *result = picus_allocate(context, 1, sizeof *result);
  if (!result) return PICUS_ERROR_MEMORY;
  result->context = context;
  result->file = -1;
  result->switching_count = -1;
  result->contact_index.rows = -1;
  result->path = picus_copy_text(context, path);
  result->is_live = picus_is_being_written(path);
  status = result->path ? load(result) : PICUS_ERROR_MEMORY;
  status = picus_hdf5_read_status(context, result->staged, path, status);
  if (status)
    release(result);
  else
    *out = result;
  return status;
}

/* A file is readable at any moment while a run writes it, but two successive reads may belong to different blocks: then
 * it is read again. */
picus_status picus_result_open(picus_context *context, const char *path, picus_result **out) {
  char found[PICUS_PATH_SIZE];
  *out = NULL;
  picus_status status = picus_hdf5_check_room(context); /* before the first call, which starts HDF5 */
  if (status) return status;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  for (int k = 0; k < PICUS_RESULT_TRIES && !*out; k++) {
    if (k > 0) wait_briefly();
    picus_find_written(path, found);
    status = open_once(context, found, out);
    if (!picus_is_being_written(found)) break;
  }
  picus_hdf5_quiet_end(quiet);
  if (status) return status;
  bool is_running = strcmp(picus_result_text(*out, "status"), "running") == 0;
  if ((*out)->is_cut) tell_cut(*out);
  if (is_running || picus_is_being_written(found))
    picus_tell_incomplete(context, found, (*out)->rows);
  else if (picus_is_part(found))
    picus_log(context, PICUS_LOG_NOTE, "'%s' was not renamed: its run was killed, or could not rename it", found);
  else
    picus_tell_newer(context, found);
  return PICUS_OK;
}

void picus_result_close(picus_result *result) {
  if (!result) return;
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  release(result);
  picus_hdf5_quiet_end(quiet);
}

bool picus_result_is_cut(const picus_result *result) { return result->is_cut; }

void picus_result_skip_exit(void) { H5dont_atexit(); }
