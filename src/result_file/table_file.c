/* Tables as HDF5 files: see table_file.h. */
#include "result_file/table_file.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "hdf5/staged.h"
#include "hdf5/support.h"

#include <errno.h>
#include <string.h>

static bool put_list(picus_context *context, hid_t group, const picus_table_list *list) {
  return list->values ? picus_hdf5_put_numbers(group, list->name, list->count, list->values)
                      : picus_hdf5_put_texts(context, group, list->name, list->count, list->texts);
}

static bool put_content(picus_context *context, hid_t file, const picus_table_content *content) {
  bool done = true;
  for (int k = 0; done && k < content->text_count; k++)
    done = picus_hdf5_put_text(context, file, content->texts[k].name, content->texts[k].text, 0);
  for (int k = 0; done && k < content->list_count;) {
    const char *name = content->lists[k].group;
    hid_t group = picus_hdf5_create_group(file, name);
    done = group >= 0;
    for (; done && k < content->list_count && strcmp(content->lists[k].group, name) == 0; k++)
      done = put_list(context, group, &content->lists[k]);
    if (group >= 0) H5Gclose(group);
  }
  return done;
}

/* Writes all of the file that is open; false, with the reason, if it cannot. */
static bool write_content(picus_context *context, picus_staged_file *staged, const char *path,
                          const picus_table_content *content, char reason[PICUS_REASON_SIZE]) {
  picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
  hid_t file = picus_hdf5_create_staged(context, staged, path);
  bool done = file >= 0 && put_content(context, file, content);
  if (!done) picus_hdf5_reason(reason);
  if (file >= 0) done = H5Fclose(file) >= 0 && done;
  done = done && picus_staged_commit(staged);
  if (picus_staged_error(staged)) picus_system_reason(picus_staged_error(staged), reason);
  picus_hdf5_quiet_end(quiet);
  return done;
}

picus_status picus_table_save(picus_context *context, const char *path, const picus_table_content *content) {
  char reason[PICUS_REASON_SIZE] = "";
  int error = 0;
  picus_output_file output;
  picus_clear_error(context); /* the functions below return only true or false; the error slot shows a lack of memory */
  picus_status status = picus_hdf5_check_room(context);
  if (!status) status = picus_output_check_regular(context, path, "an HDF5 file");
  if (!status) status = picus_output_open(context, path, &output);
  if (status) return status;
  picus_staged_file *staged = picus_staged_attach(context, output.descriptor, PICUS_STAGED_CREATE, &error);
  if (error) picus_system_reason(error, reason);
  const bool done = staged && write_content(context, staged, path, content, reason);
  picus_staged_close(staged);
  if (done) return picus_output_publish(&output);
  picus_output_discard(&output);
  if (error == ENOMEM || picus_last_error(context)->status == PICUS_ERROR_MEMORY) return PICUS_ERROR_MEMORY;
  return picus_fail(context, PICUS_ERROR_IO, "cannot write '%s': %s", path, reason);
}
