/* A run that continues from a checkpoint: the model of the checkpoint, its state, and the rows that the earlier result
 * has. */
#include "run_parts.h"

#include "base/file_names.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "platform/files.h"

#include <string.h>

/* --- model -------------------------------------------------------------------------------------------------------- */

typedef enum file_change { FILE_SAME, FILE_CHANGED, FILE_GONE } file_change;

static file_change compare_file(picus_context *context, const char *path, const void *bytes, size_t size) {
  unsigned char *present = NULL;
  size_t present_size = 0;
  if (picus_file_bytes(context, path, size, &present, &present_size)) {
    const bool is_longer = picus_last_error(context)->status == PICUS_ERROR_FILE_LIMIT;
    picus_clear_error(context);
    return is_longer ? FILE_CHANGED : FILE_GONE;
  }
  const bool is_same = present_size == size && (size == 0 || memcmp(present, bytes, size) == 0);
  picus_release(context, present);
  return is_same ? FILE_SAME : FILE_CHANGED;
}

static file_change compare_model(picus_context *context, const cli_checkpoint_facts *f) {
  size_t length = 0;
  const char *shipped = picus_shipped_model_text(f->model_name, &length);
  if (!shipped) return compare_file(context, f->model_name, f->model_text, strlen(f->model_text));
  return length == strlen(f->model_text) && memcmp(shipped, f->model_text, length) == 0 ? FILE_SAME : FILE_CHANGED;
}

/* Notes each file that is not what it was. */
static void tell_changes(picus_context *context, const cli_checkpoint_facts *f) {
  char folder[PICUS_PATH_SIZE], path[2 * PICUS_PATH_SIZE];
  picus_folder_name(f->model_name, folder);
  for (int k = -1; k < f->file_count; k++) {
    const char *name = k < 0 ? f->model_name : path;
    if (k >= 0) snprintf(path, sizeof path, "%s/%s", folder, f->files[k].name);
    const file_change change =
        k < 0 ? compare_model(context, f) : compare_file(context, path, f->files[k].bytes, f->files[k].size);
    if (change == FILE_SAME) continue;
    picus_log(context, PICUS_LOG_NOTE, "'%s' %s; the run continues with the model of its checkpoint", name,
              change == FILE_GONE ? "cannot be read" : "has changed since the run began");
  }
}

int cli_resumed_load(picus_context *context, const cli_arguments *arguments, const cli_resumed *resumed,
                     cli_model *out) {
  if (!resumed) return cli_load(context, arguments, out);
  const cli_checkpoint_facts *f = &resumed->checkpoint->facts;
  const file_change change = resumed->force_model ? compare_model(context, f) : FILE_GONE;
  if (resumed->from_start && change == FILE_CHANGED)
    picus_log(context, PICUS_LOG_NOTE, "'%s' has changed since the run began; it restarts with the current model",
              f->model_name);
  if (change != FILE_GONE) return cli_load(context, arguments, out);
  tell_changes(context, f);
  return cli_load_given(context, arguments, &(cli_given_model){f->model_name, f->model_text, f->file_count, f->files},
                        out);
}

/* --- results ------------------------------------------------------------------------------------------------------ */

/* Part number k of a result, from 0 on; the last one is the result itself. */
static void name_part(const char *result, int k, char path[PICUS_PATH_SIZE]) {
  if (k == 0)
    snprintf(path, PICUS_PATH_SIZE, "%s.part", result);
  else if (k < PICUS_PARTS_MOST)
    snprintf(path, PICUS_PATH_SIZE, "%s.part.%d", result, k);
  else
    snprintf(path, PICUS_PATH_SIZE, "%s", result);
}

/* A checkpoint may have all rows itself, and then count none of a file: the model says whether a file is of its run. */
static bool is_of_run(picus_result *result, const cli_checkpoint_facts *facts) {
  return strcmp(picus_result_text(result, "model.source"), facts->model_text) == 0 &&
         picus_result_holds(result, facts->mark);
}

bool cli_resumed_is_cut(const char *result) {
  picus_context *silent = cli_context(true);
  char path[PICUS_PATH_SIZE];
  picus_facts found;
  bool is_cut = false;
  for (int k = 0; silent && k <= PICUS_PARTS_MOST && !is_cut; k++) {
    picus_result *part = NULL;
    name_part(result, k, path);
    if (picus_facts_of(path, &found) || picus_result_open(silent, path, &part)) continue;
    is_cut = picus_result_is_cut(part);
    picus_result_close(part);
  }
  picus_context_destroy(silent);
  return is_cut;
}

/* The command of the run, for messages. */
static void write_command(const cli_checkpoint *c, char text[PICUS_PATH_SIZE]) {
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k < c->word_count && used < PICUS_PATH_SIZE; k++) {
    const int more = snprintf(text + used, PICUS_PATH_SIZE - used, "%s%s", k > 0 ? " " : "", c->words[k]);
    used += more > 0 ? (size_t)more : 0;
  }
}

/* The file that the run of the checkpoint left: what it wrote, or, if it was killed while it went on, what it began
 * with. NULL: there is none, and the last error is that of a part that cannot be read. */
static picus_result *search_result(picus_context *context, const cli_resumed *resumed, picus_facts *source) {
  char path[PICUS_PATH_SIZE];
  picus_clear_error(context);
  for (int k = 0; k <= PICUS_PARTS_MOST; k++) {
    picus_result *result = NULL;
    name_part(resumed->result, k, path);
    if (picus_facts_of(path, source)) continue; /* that name itself, not its part */
    if (!picus_result_open(context, path, &result) && is_of_run(result, &resumed->checkpoint->facts)) return result;
    picus_result_close(result);
  }
  return NULL;
}

bool cli_resumed_fits(picus_context *context, const cli_resumed *resumed) {
  picus_facts source;
  picus_result *result = search_result(context, resumed, &source);
  picus_result_close(result);
  return result != NULL;
}

/* NULL: already reported. */
static picus_result *find_result(picus_context *context, const cli_resumed *resumed, picus_facts *source) {
  const picus_row_mark *mark = &resumed->checkpoint->facts.mark;
  char command[PICUS_PATH_SIZE];
  picus_result *result = search_result(context, resumed, source);
  if (result) return result;
  const bool has_reason = picus_last_error(context)->message[0] || picus_last_error(context)->status;
  char counted[128] = " is of the run of its checkpoint";
  if (mark->rows > 0 || mark->switchings > 0)
    snprintf(counted, sizeof counted, " has the %ld rows and %ld switching points that its checkpoint has counted",
             mark->rows, mark->switchings);
  write_command(resumed->checkpoint, command);
  cli_complain("no readable part of '%s'%s%s%s; '%s' begins the run again", resumed->result, counted,
               has_reason ? "; " : "", has_reason ? cli_error_text(context) : "", command);
  return NULL;
}

bool cli_resumed_begin(picus_context *context, const cli_resumed *resumed, picus_sim *sim, picus_recorder *recorder,
                       picus_result **result, picus_facts *source) {
  const cli_checkpoint *c = resumed->checkpoint;
  const picus_load load = resumed->force_model ? PICUS_LOAD_CHANGED_MODEL : PICUS_LOAD_SAME_MODEL;
  if (picus_sim_load(sim, c->bytes, c->size, load)) {
    cli_report_error(context, EXIT_WRONG_INPUT);
    return false;
  }
  *result = find_result(context, resumed, source);
  if (*result) picus_recorder_continue(recorder, *result);
  return *result != NULL;
}

void cli_resumed_remove_part(const char *out, const picus_facts *part) {
  char path[PICUS_PATH_SIZE];
  picus_facts found;
  for (int k = 1; k < PICUS_PARTS_MOST; k++) {
    name_part(out, k, path);
    if (!picus_facts_of(path, &found) && picus_same_facts(&found, part)) (void)picus_remove(path);
  }
}

bool cli_resumed_is_complete(picus_context *context, const cli_resumed *resumed) {
  const cli_checkpoint_facts *facts = &resumed->checkpoint->facts;
  picus_result *result = NULL;
  picus_facts found;
  char part[PICUS_PATH_SIZE];
  name_part(resumed->result, 0, part); /* if it is there, the file is that of an older run */
  if (!facts->is_end || picus_facts_of(resumed->result, &found) || !picus_facts_of(part, &found)) return false;
  const bool is_open = !picus_result_open(context, resumed->result, &result);
  const bool is_complete = is_open && !picus_result_is_cut(result) &&
                           strcmp(picus_result_text(result, "status"), "done") == 0 &&
                           picus_result_number(result, "statistics.t_end") == facts->t && is_of_run(result, facts);
  picus_result_close(result);
  picus_clear_error(context);
  return is_complete;
}
