/* Tables as HDF5 files: see table_file.h. */
#include "result_file/table_file.h"
#include "base/internal.h"
#include "hdf5/whole_file.h"

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

typedef struct table_writing {
  picus_context *context;
  const picus_table_content *content;
} table_writing;

static bool write_table(void *user, hid_t file) {
  const table_writing *t = user;
  return put_content(t->context, file, t->content);
}

picus_status picus_table_save(picus_context *context, const char *path, const picus_table_content *content) {
  table_writing t = {context, content};
  return picus_hdf5_write_whole(context, path, write_table, &t);
}
