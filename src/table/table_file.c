/* Tables as HDF5 files: see table_file.h. A file that is read may be anything. */
#include "table/table_file.h"
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/whole_file.h"

#include <string.h>

/* --- writing ------------------------------------------------------------------------------------------------------ */

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

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* While it grows. The content that users get refers to the same memory. */
typedef struct growing {
  picus_context *context;
  const char *path;
  picus_table_list *lists;
  picus_table_text *texts;
  size_t list_count, list_capacity, text_count, text_capacity;
} growing;

static picus_status add_list(growing *g, const char *group, const char *name, size_t count, double *values,
                             char **texts) {
  picus_status status = picus_grow(g->context, &g->lists, g->list_count, &g->list_capacity, sizeof *g->lists);
  if (status) return status;
  picus_table_list *list = &g->lists[g->list_count];
  *list = (picus_table_list){picus_copy_text(g->context, group), picus_copy_text(g->context, name), count, values,
                             (const char *const *)texts};
  if (!list->group || !list->name) {
    picus_release(g->context, (void *)list->group);
    picus_release(g->context, (void *)list->name);
    return PICUS_ERROR_MEMORY;
  }
  g->list_count++;
  return PICUS_OK;
}

static picus_status read_numbers(growing *g, hid_t group, const char *group_name, const char *name) {
  size_t count;
  double *values;
  picus_status status = picus_hdf5_read_numbers(g->context, group, name, &count, &values);
  if (!status) status = add_list(g, group_name, name, count, values, NULL);
  if (status) picus_release(g->context, values);
  return status;
}

static picus_status read_texts(growing *g, hid_t group, const char *group_name, const char *name) {
  picus_name_list list = {0};
  picus_status status = picus_hdf5_read_texts(g->context, group, name, &list);
  if (!status) status = add_list(g, group_name, name, list.count, NULL, list.names);
  if (status) picus_names_release(g->context, &list);
  return status;
}

static picus_status read_group(growing *g, hid_t group, const char *group_name) {
  picus_name_list names = {0};
  picus_status status = picus_hdf5_list(g->context, g->path, group, &names);
  for (size_t k = 0; !status && k < names.count; k++) {
    hid_t object = picus_hdf5_open(group, names.names[k]);
    const picus_hdf5_content kind = object >= 0 ? picus_hdf5_content_of(object) : PICUS_HDF5_NOTHING;
    if (object >= 0) H5Oclose(object);
    if (kind == PICUS_HDF5_NUMBERS) status = read_numbers(g, group, group_name, names.names[k]);
    if (kind == PICUS_HDF5_TEXTS) status = read_texts(g, group, group_name, names.names[k]);
  }
  picus_names_release(g->context, &names);
  return status;
}

static picus_status add_text(growing *g, hid_t object, const char *name) {
  char *text = NULL;
  picus_status status = picus_hdf5_read_text(g->context, object, &text);
  if (status || !text) return status;
  status = picus_grow(g->context, &g->texts, g->text_count, &g->text_capacity, sizeof *g->texts);
  char *copy = status ? NULL : picus_copy_text(g->context, name);
  if (!copy) {
    picus_release(g->context, text);
    return PICUS_ERROR_MEMORY;
  }
  g->texts[g->text_count++] = (picus_table_text){copy, text};
  return PICUS_OK;
}

static picus_status read_file(growing *g, hid_t file) {
  picus_name_list names = {0};
  picus_status status = picus_hdf5_list(g->context, g->path, file, &names);
  for (size_t k = 0; !status && k < names.count; k++) {
    hid_t object = picus_hdf5_open(file, names.names[k]);
    const picus_hdf5_content kind = object >= 0 ? picus_hdf5_content_of(object) : PICUS_HDF5_NOTHING;
    if (kind == PICUS_HDF5_TEXT) status = add_text(g, object, names.names[k]);
    if (kind == PICUS_HDF5_GROUP) status = read_group(g, object, names.names[k]);
    if (object >= 0) H5Oclose(object);
  }
  picus_names_release(g->context, &names);
  return status;
}

/* Before the rest is read, which may be long. */
static picus_status check_format(growing *g, hid_t file, const char *format) {
  char *found = NULL;
  hid_t object = picus_hdf5_open(file, "format");
  picus_status status = object >= 0 ? picus_hdf5_read_text(g->context, object, &found) : PICUS_OK;
  if (object >= 0) H5Oclose(object);
  const bool is_wanted = found && strncmp(found, format, strlen(format)) == 0;
  picus_release(g->context, found);
  if (status || is_wanted) return status;
  return picus_fail(g->context, PICUS_ERROR_ARGUMENT, "'%s' is no file of the format '%s'", g->path, format);
}

typedef struct table_reading {
  growing g;
  const char *format;
} table_reading;

static picus_status read_table(void *user, hid_t file) {
  table_reading *t = user;
  picus_status status = check_format(&t->g, file, t->format);
  return status ? status : read_file(&t->g, file);
}

picus_status picus_table_load(picus_context *context, const char *path, const char *format, picus_table_content *out) {
  table_reading t = {{.context = context, .path = path}, format};
  picus_status status = picus_hdf5_read_whole(context, path, read_table, &t);
  *out = (picus_table_content){(int)t.g.list_count, (int)t.g.text_count, t.g.lists, t.g.texts};
  return status;
}

void picus_table_release(picus_context *context, picus_table_content *content) {
  for (int k = 0; k < content->list_count; k++) {
    const picus_table_list *list = &content->lists[k];
    for (size_t i = 0; list->texts && i < list->count; i++) picus_release(context, (void *)list->texts[i]);
    picus_release(context, (void *)list->texts);
    picus_release(context, (void *)list->values);
    picus_release(context, (void *)list->group);
    picus_release(context, (void *)list->name);
  }
  for (int k = 0; k < content->text_count; k++) {
    picus_release(context, (void *)content->texts[k].name);
    picus_release(context, (void *)content->texts[k].text);
  }
  picus_release(context, (void *)content->lists);
  picus_release(context, (void *)content->texts);
  *content = (picus_table_content){0};
}

const picus_table_list *picus_table_find(const picus_table_content *content, const char *group, const char *name) {
  for (int k = 0; k < content->list_count; k++)
    if (strcmp(content->lists[k].group, group) == 0 && strcmp(content->lists[k].name, name) == 0)
      return &content->lists[k];
  return NULL;
}

const char *picus_table_text_of(const picus_table_content *content, const char *name) {
  for (int k = 0; k < content->text_count; k++)
    if (strcmp(content->texts[k].name, name) == 0) return content->texts[k].text;
  return NULL;
}
