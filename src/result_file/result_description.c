/* What a result says about its run, under /picus: texts, numbers, laws, panels, bodies. */
#include "base/internal.h"
#include "result_file/result_internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void picus_result_release_description(picus_result *result) {
  picus_context *context = result->context;
  for (size_t k = 0; k < result->entry_count; k++) {
    picus_release(context, result->entries[k].key);
    picus_release(context, result->entries[k].text);
  }
  picus_release(context, result->entries);
  for (size_t k = 0; k < result->panel_count; k++) {
    picus_release(context, result->panels[k].x);
    picus_names_release(context, &result->panels[k].y);
  }
  picus_release(context, result->panels);
  for (size_t k = 0; k < result->law_count; k++) {
    picus_release(context, result->laws[k].name);
    picus_release(context, result->laws[k].kind);
  }
  picus_release(context, result->laws);
  picus_names_release(context, &result->bodies);
}

/* "a.b.c" of three parts, of which any may be NULL. */
static char *join_key(picus_context *context, const char *a, const char *b, const char *c) {
  const char *parts[3] = {a, b, c};
  size_t size = 1;
  for (int k = 0; k < 3; k++) size += parts[k] ? strlen(parts[k]) + 1 : 0;
  char *key = picus_allocate(context, size, 1), *to = key;
  for (int k = 0; key && k < 3; k++)
    if (parts[k]) to += snprintf(to, size - (size_t)(to - key), to == key ? "%s" : ".%s", parts[k]);
  return key;
}

/* Takes key and text over, also on failure. */
static picus_status add_entry(picus_result *result, char *key, char *text, double number) {
  picus_context *context = result->context;
  picus_status status = key ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status)
    status =
        picus_grow(context, &result->entries, result->entry_count, &result->entry_capacity, sizeof *result->entries);
  if (status) {
    picus_release(context, key);
    picus_release(context, text);
    return status;
  }
  result->entries[result->entry_count++] = (picus_result_entry){key, text, number};
  return PICUS_OK;
}

static picus_status read_scalar(picus_result *result, const char *group, const char *name, hid_t object) {
  picus_hdf5_content content = picus_hdf5_content_of(object);
  char *text = NULL;
  double number = NAN;
  picus_status status = PICUS_OK;
  if (content == PICUS_HDF5_TEXT) status = picus_hdf5_read_text(result->context, object, &text);
  bool found = text || (content == PICUS_HDF5_NUMBER && picus_hdf5_read_number(object, &number));
  if (status || !found) return status;
  return add_entry(result, join_key(result->context, group, name, NULL), text, number);
}

static picus_status read_group(picus_result *result, const char *name, hid_t group) {
  picus_name_list names = {0};
  picus_status status = picus_hdf5_list(result->context, result->path, group, &names);
  for (size_t k = 0; !status && k < names.count; k++) {
    hid_t object = picus_hdf5_open(group, names.names[k]);
    status = read_scalar(result, name, names.names[k], object);
    if (object >= 0) H5Oclose(object);
  }
  picus_names_release(result->context, &names);
  return status;
}

/* The value of a field of a record. */
static picus_status read_value(picus_result *result, const char *record, const char *name, hid_t dataset) {
  picus_context *context = result->context;
  picus_name_list texts = {0};
  size_t count = 0;
  double *numbers = NULL;
  picus_status status = picus_hdf5_read_numbers(context, dataset, name, &count, &numbers);
  if (!status && count == 0) status = picus_hdf5_read_texts(context, dataset, name, &texts);
  if (!status && count == 1) status = add_entry(result, join_key(context, record, name, NULL), NULL, numbers[0]);
  if (!status && texts.count == 1) {
    status = add_entry(result, join_key(context, record, name, NULL), texts.names[0], NAN);
    texts.names[0] = NULL; /* taken over */
  }
  picus_release(context, numbers);
  picus_names_release(context, &texts);
  return status;
}

/* A record becomes keys NAME.FIELD. */
static picus_status read_record(picus_result *result, const char *name, hid_t dataset) {
  picus_name_list fields = {0};
  picus_status status = picus_hdf5_list(result->context, result->path, dataset, &fields);
  for (size_t k = 0; !status && k < fields.count; k++) status = read_value(result, name, fields.names[k], dataset);
  picus_names_release(result->context, &fields);
  return status;
}

/* The table of parameters becomes keys parameters.NAME and, for those with a unit, units.NAME. */
static picus_status read_parameters(picus_result *result, hid_t table) {
  picus_context *context = result->context;
  picus_name_list names = {0}, units = {0};
  size_t count = 0;
  double *values = NULL;
  picus_status status = picus_hdf5_read_texts(context, table, "name", &names);
  if (!status) status = picus_hdf5_read_texts(context, table, "unit", &units);
  if (!status) status = picus_hdf5_read_numbers(context, table, "value", &count, &values);
  for (size_t k = 0; !status && k < names.count && k < count; k++)
    status = add_entry(result, join_key(context, "parameters", names.names[k], NULL), NULL, values[k]);
  for (size_t k = 0; !status && k < names.count && k < units.count; k++) {
    if (!units.names[k][0]) continue;
    status = add_entry(result, join_key(context, "units", names.names[k], NULL), units.names[k], NAN);
    units.names[k] = NULL; /* taken over */
  }
  picus_release(context, values);
  picus_names_release(context, &units);
  picus_names_release(context, &names);
  return status;
}

/* slips: of a file that may be damaged. */
static picus_status add_law(picus_result *result, const char *name, const char *kind, double slips) {
  picus_context *context = result->context;
  picus_status status =
      picus_grow(context, &result->laws, result->law_count, &result->law_capacity, sizeof *result->laws);
  if (status) return status;
  picus_stored_law *law = &result->laws[result->law_count++];
  *law = (picus_stored_law){.name = picus_copy_text(context, name),
                            .kind = picus_copy_text(context, kind),
                            .slips = slips >= 0 && slips <= 3 ? (int)slips : 0,
                            .source = -1};
  return law->name && law->kind ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* The table of laws becomes keys laws.NAME.kind, laws.NAME.mu, ... */
static picus_status read_laws(picus_result *result, hid_t group) {
  enum { SLIPS = 4, NUMBERS = 5 };
  static const char *const titles[NUMBERS] = {"mu", "reservoir", "eN", "eF", "slips"};
  picus_context *context = result->context;
  picus_name_list names = {0}, kinds = {0};
  double *numbers[NUMBERS] = {NULL};
  size_t counts[NUMBERS] = {0};
  picus_status status = picus_hdf5_read_texts(context, group, "name", &names);
  if (!status) status = picus_hdf5_read_texts(context, group, "kind", &kinds);
  for (int i = 0; !status && i < NUMBERS; i++)
    status = picus_hdf5_read_numbers(context, group, titles[i], &counts[i], &numbers[i]);
  for (size_t k = 0; !status && k < names.count; k++) {
    status = add_law(result, names.names[k], k < kinds.count ? kinds.names[k] : "",
                     k < counts[SLIPS] ? numbers[SLIPS][k] : 0);
    if (!status && k < kinds.count) {
      status = add_entry(result, join_key(context, "laws", names.names[k], "kind"), kinds.names[k], NAN);
      kinds.names[k] = NULL; /* taken over */
    }
    for (int i = 0; !status && i < NUMBERS; i++)
      if (k < counts[i])
        status = add_entry(result, join_key(context, "laws", names.names[k], titles[i]), NULL, numbers[i][k]);
  }
  for (int i = 0; i < NUMBERS; i++) picus_release(context, numbers[i]);
  picus_names_release(context, &kinds);
  picus_names_release(context, &names);
  return status;
}

static picus_status read_panel(picus_result *result, hid_t group) {
  picus_context *context = result->context;
  picus_status status =
      picus_grow(context, &result->panels, result->panel_count, &result->panel_capacity, sizeof *result->panels);
  if (status) return status;
  picus_result_panel *p = &result->panels[result->panel_count];
  *p = (picus_result_panel){0};
  hid_t x = picus_hdf5_open(group, "x");
  if (picus_hdf5_content_of(x) == PICUS_HDF5_TEXT) status = picus_hdf5_read_text(context, x, &p->x);
  if (x >= 0) H5Oclose(x);
  if (status || !p->x) return status;
  result->panel_count++;
  return picus_hdf5_read_texts(context, group, "y", &p->y);
}

static picus_status read_panels(picus_result *result, hid_t group) {
  picus_name_list names = {0};
  picus_status status = picus_hdf5_list(result->context, result->path, group, &names);
  for (size_t k = 0; !status && k < names.count; k++) {
    hid_t object = picus_hdf5_open(group, names.names[k]);
    if (picus_hdf5_content_of(object) == PICUS_HDF5_GROUP) status = read_panel(result, object);
    if (object >= 0) H5Oclose(object);
  }
  picus_names_release(result->context, &names);
  return status;
}

/* An object of /picus. Files of earlier versions have groups of lists or of scalars instead of tables and records. */
static picus_status read_part(picus_result *result, const char *name, hid_t object) {
  const picus_hdf5_content content = picus_hdf5_content_of(object);
  if (content != PICUS_HDF5_GROUP && content != PICUS_HDF5_TABLE) return read_scalar(result, NULL, name, object);
  if (strcmp(name, "laws") == 0) return read_laws(result, object);
  if (strcmp(name, "table") == 0 || strcmp(name, "columns") == 0) return PICUS_OK;
  if (content == PICUS_HDF5_TABLE)
    return strcmp(name, "parameters") == 0 ? read_parameters(result, object) : read_record(result, name, object);
  return strcmp(name, "plots") == 0 ? read_panels(result, object) : read_group(result, name, object);
}

picus_status picus_result_read_description(picus_result *result, hid_t picus) {
  picus_name_list names = {0};
  picus_status status = picus_hdf5_list(result->context, result->path, picus, &names);
  for (size_t k = 0; !status && k < names.count; k++) {
    hid_t object = picus_hdf5_open(picus, names.names[k]);
    status = read_part(result, names.names[k], object);
    if (object >= 0) H5Oclose(object);
  }
  picus_names_release(result->context, &names);
  return status;
}

/* The laws that come and go and have switching points: they follow those of the system. */
picus_status picus_result_read_contact_laws(picus_result *result) {
  picus_context *context = result->context;
  picus_name_list names = {0};
  double *slips = NULL, *sources = NULL, *rolls = NULL;
  uint64_t *keys = NULL;
  size_t slip_count = 0, source_count = 0, key_count = 0, roll_count = 0;
  hid_t group = picus_hdf5_open_group(result->file, "picus/contact_laws");
  if (group < 0) return PICUS_OK;
  picus_status status = picus_hdf5_read_texts(context, group, "name", &names);
  if (!status) status = picus_hdf5_read_numbers(context, group, "slips", &slip_count, &slips);
  if (!status) status = picus_hdf5_read_numbers(context, group, "source", &source_count, &sources);
  if (!status) status = picus_hdf5_read_numbers(context, group, "rolls", &roll_count, &rolls);
  if (!status) status = picus_hdf5_read_keys(context, group, "key", &key_count, &keys);
  size_t count = names.count < slip_count ? names.count : slip_count;
  if (source_count < count) count = source_count;
  if (key_count < count) count = key_count;
  if (roll_count < count) count = roll_count;
  for (size_t k = 0; !status && k < count; k++) {
    status = add_law(result, names.names[k],
                     rolls[k] > 0   ? "rolling"
                     : slips[k] > 0 ? "coulomb"
                                    : "unilateral",
                     slips[k]);
    if (status) break;
    picus_stored_law *law = &result->laws[result->law_count - 1];
    law->source = sources[k] >= 0 && sources[k] <= INT_MAX ? (int)sources[k] : 0;
    law->key = keys[k];
  }
  picus_release(context, keys);
  picus_release(context, rolls);
  picus_release(context, sources);
  picus_release(context, slips);
  picus_names_release(context, &names);
  H5Oclose(group);
  return status;
}

picus_status picus_result_read_bodies(picus_result *result) {
  hid_t group = picus_hdf5_open_group(result->file, "picus/bodies");
  if (group < 0) return PICUS_OK;
  picus_status status = picus_hdf5_read_texts(result->context, group, "name", &result->bodies);
  H5Oclose(group);
  return status;
}

static const picus_result_entry *find_entry(const picus_result *result, const char *key) {
  for (size_t k = 0; k < result->entry_count; k++)
    if (strcmp(result->entries[k].key, key) == 0) return &result->entries[k];
  return NULL;
}

const char *picus_result_text(const picus_result *result, const char *key) {
  const picus_result_entry *found = find_entry(result, key);
  return found && found->text ? found->text : "";
}

double picus_result_number(const picus_result *result, const char *key) {
  const picus_result_entry *found = find_entry(result, key);
  return found ? found->number : NAN;
}

const char *picus_result_key(const picus_result *result, int index, bool *is_text) {
  if (index < 0 || (size_t)index >= result->entry_count) return NULL;
  if (is_text) *is_text = result->entries[index].text != NULL;
  return result->entries[index].key;
}

int picus_result_plot_count(const picus_result *result) { return (int)result->panel_count; }

picus_plot_panel picus_result_plot(const picus_result *result, int index) {
  if (index < 0 || (size_t)index >= result->panel_count) return (picus_plot_panel){.x = ""};
  const picus_result_panel *p = &result->panels[index];
  return (picus_plot_panel){p->x, (int)p->y.count, (const char *const *)p->y.names};
}

int picus_result_law_count(const picus_result *result) { return (int)result->law_count; }

picus_result_law picus_result_law_at(const picus_result *result, int index) {
  if (index < 0 || (size_t)index >= result->law_count) return (picus_result_law){.name = "", .kind = "", .source = -1};
  const picus_stored_law *law = &result->laws[index];
  return (picus_result_law){law->name, law->kind, law->slips, law->source, law->key};
}

int picus_result_body_count(const picus_result *result) { return (int)result->bodies.count; }

const char *picus_result_body(const picus_result *result, int body) {
  return body >= 0 && (size_t)body < result->bodies.count ? result->bodies.names[body] : "";
}
