/* The tables of a run as CSV: rows, nodes of flexible components, contacts that come and go, switching points. Sinks
 * write them during a run; the exports write the same lines from a result file. */
#include "result_file/csv_tables.h"
#include "base/internal.h"
#include "record/internal.h"
#include "table/csv_file.h"
#include "table/record_fields.h"

#include <stdio.h>
#include <string.h>

/* --- sinks and exports -------------------------------------------------------------------------------------------- */

/* Every sink and every export below begins with its file. */

static void destroy_sink(void *self) {
  picus_csv_file *file = self;
  picus_context *context = file->context;
  picus_csv_release(file);
  picus_release(context, file);
}

static picus_status close_sink(void *self, const picus_summary *summary) {
  picus_csv_file *file = self;
  picus_status status = file->failed ? PICUS_OK : picus_csv_write(file, false);
  picus_status closed = picus_csv_close(file, picus_run_left_nothing(summary));
  return status ? status : closed;
}

/* size: of the sink, which is zeroed but for its file; functions: all but `self`. */
static picus_status create_sink(picus_context *context, const char *path, size_t size, const picus_sink *functions,
                                picus_sink *out) {
  picus_csv_file *file = picus_allocate(context, 1, size);
  if (!file) return PICUS_ERROR_MEMORY;
  picus_status status = picus_csv_name(file, context, path);
  if (status) functions->destroy(file);
  *out = *functions;
  out->self = file;
  return status;
}

/* An incomplete copy of data stored elsewhere is useless. */
static picus_status end_export(picus_csv_file *file, picus_status status) {
  if (!status) return picus_csv_close(file, false);
  if (file->path) picus_output_discard(&file->output);
  return status;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* A line of names, then a line of numbers for each row. */

/* A file of rows, and how their numbers are written. */
typedef struct csv_sink {
  picus_csv_file file;
  const picus_column *columns;
  const picus_storage *storage; /* of the recorder */
} csv_sink;

static picus_status write_header(picus_csv_file *file, int column_count, const picus_column *columns) {
  for (int k = 0; k < column_count; k++) {
    picus_csv_put_text(file, columns[k].name);
    picus_csv_end_cell(file, k + 1 == column_count);
  }
  return picus_csv_write(file, true);
}

static picus_status open_file(picus_csv_file *file, int column_count, const picus_column *columns) {
  size_t line = (size_t)column_count * (PICUS_DECIMAL_SIZE + 1), header = 1;
  for (int k = 0; k < column_count; k++) header += picus_csv_text_size(columns[k].name);
  return picus_csv_open(file, line > header ? line : header);
}

static picus_status rows_sink_open(void *self, const picus_run_description *run, int column_count,
                                   const picus_column *columns) {
  enum { LEAST = 2 }; /* bytes of a number with its separator */
  csv_sink *sink = self;
  picus_csv_file *file = &sink->file;
  sink->columns = columns;
  picus_status status = open_file(file, column_count, columns);
  if (!status)
    status = picus_output_check_room(&file->output, picus_expected_rows(run->options), LEAST * (double)column_count, 0);
  if (!status) status = write_header(file, column_count, columns);
  return status;
}

static picus_status rows_sink_write(void *self, long row_count, int column_count, const double *rows) {
  csv_sink *sink = self;
  picus_csv_file *file = &sink->file;
  for (long row = 0; row < row_count; row++) {
    for (int k = 0; k < column_count; k++) {
      if (picus_storage_is_single(sink->storage, &sink->columns[k]))
        picus_csv_put_single(file, (float)*rows++);
      else
        picus_csv_put_number(file, *rows++);
      picus_csv_end_cell(file, k + 1 == column_count);
    }
    picus_status status = file->used >= PICUS_CSV_BLOCK ? picus_csv_write(file, false) : PICUS_OK;
    if (status) return status;
  }
  return picus_csv_write(file, false);
}

static picus_status rows_sink_create(picus_context *context, const char *path, picus_sink *out) {
  const picus_sink functions = {
      .open = rows_sink_open, .write = rows_sink_write, .close = close_sink, .destroy = destroy_sink};
  return create_sink(context, path, sizeof(csv_sink), &functions, out);
}

picus_status picus_recorder_add_csv(picus_recorder *recorder, const char *path) {
  picus_status status = picus_recorder_add_file(recorder, path, rows_sink_create);
  if (status) return status;
  csv_sink *sink = picus_recorder_last_sink(recorder);
  sink->storage = picus_recorder_storage(recorder);
  return PICUS_OK;
}

/* --- from a result ---------------------------------------------------------------------------------------------- */

/* Columns and their values. */
typedef struct result_columns {
  picus_column *columns;
  const double **values;
  int count;
  long rows;
} result_columns;

static picus_status load_columns(picus_context *context, picus_result *result, result_columns *out) {
  *out = (result_columns){.count = picus_result_column_count(result), .rows = picus_result_row_count(result)};
  out->columns = picus_allocate(context, (size_t)out->count, sizeof *out->columns);
  out->values = picus_allocate(context, (size_t)out->count, sizeof *out->values);
  if (!out->columns || !out->values) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < out->count; k++) {
    out->columns[k] = picus_result_column(result, k);
    status = picus_result_values(result, k, &out->values[k]);
  }
  return status;
}

static picus_status write_columns(picus_csv_file *file, const result_columns *from) {
  picus_status status = write_header(file, from->count, from->columns);
  for (long row = 0; !status && row < from->rows; row++) {
    for (int k = 0; k < from->count; k++) {
      picus_csv_put_number(file, from->values[k][row]);
      picus_csv_end_cell(file, k + 1 == from->count);
    }
    if (file->used >= PICUS_CSV_BLOCK) status = picus_csv_write(file, false);
  }
  return status ? status : picus_csv_write(file, false);
}

picus_status picus_csv_export_rows(picus_context *context, picus_result *result, const char *path) {
  result_columns from = {0};
  picus_csv_file *file = picus_allocate(context, 1, sizeof *file); /* the powers of ten are too many for the stack */
  if (!file) return PICUS_ERROR_MEMORY;
  picus_status status = picus_csv_name(file, context, path);
  if (!status) status = load_columns(context, result, &from);
  if (!status) status = open_file(file, from.count, from.columns);
  if (!status) status = write_columns(file, &from);
  status = end_export(file, status);
  picus_release(context, from.values);
  picus_release(context, from.columns);
  destroy_sink(file);
  return status;
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

/* The nodes of a flexible component: a line for each node of each row. */

static const char *const place_names[] = {"x", "y", "z"};

typedef struct node_csv {
  picus_csv_file file;
  picus_node_table table;
  long block;        /* rows that are read at once: opening and uncompressing lists for each row would take too long */
  double *values[2]; /* displacements and velocities of so many rows */
} node_csv;

static void put_name(node_csv *csv, const char *name) {
  picus_csv_end_cell(&csv->file, false);
  picus_csv_put_text(&csv->file, name);
}

static void put_value(node_csv *csv, double value) {
  picus_csv_end_cell(&csv->file, false);
  picus_csv_put_number(&csv->file, value);
}

/* t, row, node, x, y, z, ux, ..., vx, ...; the position only if it is known, the one without displacements. */
static picus_status open_nodes(node_csv *csv) {
  const picus_node_table *t = &csv->table;
  size_t line = 64 + 6 * PICUS_DECIMAL_SIZE;
  for (int k = 0; k < t->component_count; k++)
    line += picus_csv_text_size(t->displacements[k]) + picus_csv_text_size(t->velocities[k]) + 2 * PICUS_DECIMAL_SIZE;
  picus_status status = picus_csv_open(&csv->file, line);
  if (status) return status;
  picus_csv_put_text(&csv->file, "t");
  put_name(csv, "row");
  put_name(csv, "node");
  for (int k = 0; t->positions && k < 3; k++) put_name(csv, place_names[k]);
  for (int k = 0; k < t->component_count; k++) put_name(csv, t->displacements[k]);
  for (int k = 0; k < t->component_count; k++) put_name(csv, t->velocities[k]);
  picus_csv_end_cell(&csv->file, true);
  return picus_csv_write(&csv->file, true);
}

/* at: its number in the block */
static picus_status write_row(node_csv *csv, long row, size_t at, double time) {
  const picus_node_table *t = &csv->table;
  const size_t components = (size_t)t->component_count, first = at * (size_t)t->node_count;
  picus_status status = PICUS_OK;
  for (size_t i = 0; !status && i < (size_t)t->node_count; i++) {
    picus_csv_put_number(&csv->file, time);
    put_value(csv, (double)row);
    put_value(csv, (double)t->first + (double)i);
    for (size_t k = 0; t->positions && k < 3; k++) put_value(csv, t->positions[3 * i + k]);
    for (int part = 0; part < 2; part++)
      for (size_t k = 0; k < components; k++) put_value(csv, csv->values[part][components * (first + i) + k]);
    picus_csv_end_cell(&csv->file, true);
    if (csv->file.used >= PICUS_CSV_BLOCK) status = picus_csv_write(&csv->file, false);
  }
  return status;
}

static picus_status write_nodes(node_csv *csv, picus_result *result, int table) {
  const double *t = NULL;
  const long rows = picus_result_node_table_rows(result, table);
  picus_status status = picus_result_values(result, 0, &t);
  for (long row = 0; !status && row < rows; row += csv->block) {
    const long count = rows - row < csv->block ? rows - row : csv->block;
    status = picus_result_node_table_read(result, table, row, count, csv->values);
    for (long k = 0; !status && k < count; k++) status = write_row(csv, row + k, (size_t)k, t[row + k]);
  }
  return status ? status : picus_csv_write(&csv->file, false);
}

static picus_status reserve(picus_context *context, node_csv *csv) {
  const size_t width = (size_t)csv->table.node_count * (size_t)csv->table.component_count;
  enum { BLOCK_VALUES = 65536 };
  csv->block = 1 + (long)(BLOCK_VALUES / width);
  for (int k = 0; k < 2; k++) csv->values[k] = picus_allocate(context, (size_t)csv->block * width, sizeof(double));
  return csv->values[0] && csv->values[1] ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_csv_export_nodes(picus_context *context, picus_result *result, int table, const char *path) {
  node_csv *csv = picus_allocate(context, 1, sizeof *csv); /* the powers of ten are too many for the stack */
  if (!csv) return PICUS_ERROR_MEMORY;
  csv->table = picus_result_node_table_at(result, table);
  picus_status status = reserve(context, csv);
  if (!status) status = picus_csv_name(&csv->file, context, path);
  if (!status) status = open_nodes(csv);
  if (!status) status = write_nodes(csv, result, table);
  status = end_export(&csv->file, status);
  if (csv->file.context) picus_csv_release(&csv->file);
  for (int k = 0; k < 2; k++) picus_release(context, csv->values[k]);
  picus_release(context, csv);
  return status;
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* Contacts that come and go: a line for each contact of each row. */

/* The source of the names of bodies: a system, or a result. */
typedef struct contact_csv {
  picus_csv_file file;
  const picus_system *system; /* NULL: the result */
  const picus_result *result;
} contact_csv;

enum { KEY_SIZE = 24 };

static int body_count(const contact_csv *csv) {
  if (csv->system) return picus_system_body_count(csv->system);
  return csv->result ? picus_result_body_count(csv->result) : 0;
}

static const char *body_name(const contact_csv *csv, int body) {
  if (body < 0 || body >= body_count(csv)) return "";
  return csv->system ? picus_system_body_name(csv->system, body) : picus_result_body(csv->result, body);
}

static picus_status open_contacts(contact_csv *csv) {
  size_t name = 0, line = 64;
  for (int i = 0; i < body_count(csv); i++) {
    const size_t size = picus_csv_text_size(body_name(csv, i));
    if (size > name) name = size;
  }
  for (int k = 0; k < PICUS_CONTACT_FIELDS; k++)
    line += picus_csv_text_size(picus_contact_fields[k].name) + PICUS_DECIMAL_SIZE + KEY_SIZE;
  picus_status status = picus_csv_open(&csv->file, line + 2 * name);
  if (status) return status;
  picus_csv_put_text(&csv->file, "t");
  picus_csv_end_cell(&csv->file, false);
  picus_csv_put_text(&csv->file, "row");
  for (int k = 0; k < PICUS_CONTACT_FIELDS; k++) {
    picus_csv_end_cell(&csv->file, false);
    picus_csv_put_text(&csv->file, picus_contact_fields[k].name);
  }
  picus_csv_end_cell(&csv->file, true);
  return picus_csv_write(&csv->file, true);
}

/* A contact without friction has no tangent. */
static int slips_of(const picus_contact_point *contact) {
  return contact->tangent[0] == 0 && contact->tangent[1] == 0 && contact->tangent[2] == 0 ? 0 : 1;
}

static void put_field(contact_csv *csv, const picus_contact_point *contact, const picus_record_field *field) {
  char key[KEY_SIZE];
  const double value = picus_record_value(contact, field);
  if (field->kind == PICUS_FIELD_KEY) {
    snprintf(key, sizeof key, "%llu", (unsigned long long)contact->key);
    picus_csv_put_text(&csv->file, key);
  } else if (field->kind == PICUS_FIELD_BODY)
    picus_csv_put_text(&csv->file, body_name(csv, (int)value));
  else if (field->kind == PICUS_FIELD_MODE)
    picus_csv_put_text(&csv->file, picus_mode_text(contact->mode, slips_of(contact)));
  else
    picus_csv_put_number(&csv->file, value);
}

static picus_status write_sample(contact_csv *csv, const picus_contact_sample *sample) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < sample->count; i++) {
    picus_csv_put_number(&csv->file, sample->t);
    picus_csv_end_cell(&csv->file, false);
    picus_csv_put_number(&csv->file, (double)sample->row);
    for (int k = 0; k < PICUS_CONTACT_FIELDS; k++) {
      picus_csv_end_cell(&csv->file, false);
      put_field(csv, &sample->contacts[i], &picus_contact_fields[k]);
    }
    picus_csv_end_cell(&csv->file, true);
    if (csv->file.used >= PICUS_CSV_BLOCK) status = picus_csv_write(&csv->file, false);
  }
  return status;
}

/* --- from a run ------------------------------------------------------------------------------------------------- */

static picus_status contacts_sink_open(void *self, const picus_run_description *run, int column_count,
                                       const picus_column *columns) {
  (void)column_count;
  (void)columns;
  contact_csv *csv = self;
  csv->system = run->system;
  return open_contacts(csv);
}

static picus_status contacts_sink_write(void *self, const picus_contact_sample *sample) {
  return write_sample(self, sample);
}

static picus_status contacts_sink_create(picus_context *context, const char *path, picus_sink *out) {
  const picus_sink functions = {
      .open = contacts_sink_open, .close = close_sink, .destroy = destroy_sink, .write_contacts = contacts_sink_write};
  return create_sink(context, path, sizeof(contact_csv), &functions, out);
}

picus_status picus_recorder_add_contact_csv(picus_recorder *recorder, const char *path) {
  return picus_recorder_add_file(recorder, path, contacts_sink_create);
}

/* --- from a result ---------------------------------------------------------------------------------------------- */

static picus_status write_contacts(contact_csv *csv, picus_result *result) {
  const double *t = NULL;
  picus_status status = picus_result_values(result, 0, &t);
  for (long row = 0; !status && row < picus_result_contact_rows(result); row++) {
    picus_contact_sample sample = {.row = row, .t = t[row], .count = picus_result_contact_count(result, row)};
    status = picus_result_contacts(result, row, &sample.contacts);
    if (!status) status = write_sample(csv, &sample);
  }
  return status ? status : picus_csv_write(&csv->file, false);
}

picus_status picus_csv_export_contacts(picus_context *context, picus_result *result, const char *path) {
  contact_csv *csv = picus_allocate(context, 1, sizeof *csv); /* the powers of ten are too many for the stack */
  if (!csv) return PICUS_ERROR_MEMORY;
  csv->result = result;
  picus_status status = picus_csv_name(&csv->file, context, path);
  if (!status) status = open_contacts(csv);
  if (!status) status = write_contacts(csv, result);
  status = end_export(&csv->file, status);
  destroy_sink(csv);
  return status;
}

/* --- switching points --------------------------------------------------------------------------------------------- */

/* A law that comes and goes. */
typedef struct appeared_law {
  char name[PICUS_LAW_NAME];
  int slips;
} appeared_law;

/* The source of the laws: a system and the laws that appeared since, or a result. */
typedef struct law_source {
  const picus_system *system; /* NULL: the result */
  const picus_result *result;
  appeared_law *appeared;
  size_t appeared_count, appeared_capacity;
} law_source;

typedef struct switching_csv {
  picus_csv_file file;
  law_source laws;
  int slips; /* most of any law */
} switching_csv;

static int law_count(const law_source *s) {
  if (s->system) return picus_system_law_count(s->system);
  return s->result ? picus_result_law_count(s->result) : 0;
}

static picus_result_law law_at(const law_source *s, int index) {
  const int after = index - law_count(s);
  if (after >= 0 && (size_t)after < s->appeared_count)
    return (picus_result_law){.name = s->appeared[after].name, .slips = s->appeared[after].slips};
  if (index < 0 || after >= 0) return (picus_result_law){.name = ""};
  if (!s->system) return picus_result_law_at(s->result, index);
  picus_system_law law = picus_system_law_at(s->system, index);
  return (picus_result_law){.name = law.name, .slips = law.slips};
}

static int last_field(const switching_csv *csv) {
  int last = 0;
  for (int k = 0; k < PICUS_SWITCHING_FIELDS; k++)
    if (picus_switching_fields[k].slips <= csv->slips) last = k;
  return last;
}

static picus_status open_switchings(switching_csv *csv) {
  size_t name = 0, line = 0;
  csv->slips = 0;
  for (int i = 0; i < law_count(&csv->laws); i++) {
    picus_result_law law = law_at(&csv->laws, i);
    if (picus_csv_text_size(law.name) > name) name = picus_csv_text_size(law.name);
    if (law.slips > csv->slips) csv->slips = law.slips;
  }
  if (csv->laws.system && csv->laws.system->appears) {
    csv->slips = picus_switching_slips(csv->laws.system);
    if (name < 2 * PICUS_LAW_NAME) name = 2 * PICUS_LAW_NAME; /* with every character doubled */
  }
  for (int k = 0; k < PICUS_SWITCHING_FIELDS; k++)
    line += picus_csv_text_size(picus_switching_fields[k].name) + PICUS_DECIMAL_SIZE;
  picus_status status = picus_csv_open(&csv->file, line + name);
  if (status) return status;
  for (int k = 0, last = last_field(csv); k <= last; k++) {
    if (picus_switching_fields[k].slips > csv->slips) continue;
    picus_csv_put_text(&csv->file, picus_switching_fields[k].name);
    picus_csv_end_cell(&csv->file, k == last);
  }
  return picus_csv_write(&csv->file, true);
}

static void put_line(switching_csv *csv, const picus_switching *switching) {
  picus_result_law law = law_at(&csv->laws, switching->law);
  for (int k = 0, last = last_field(csv); k <= last; k++) {
    const picus_record_field *field = &picus_switching_fields[k];
    if (field->slips > csv->slips) continue;
    double value = picus_record_value(switching, field);
    if (field->kind == PICUS_FIELD_LAW)
      picus_csv_put_text(&csv->file, law.name);
    else if (field->kind == PICUS_FIELD_MODE)
      picus_csv_put_text(&csv->file, picus_mode_text((picus_mode)value, law.slips));
    else
      picus_csv_put_number(&csv->file, value);
    picus_csv_end_cell(&csv->file, k == last);
  }
}

/* law: of which; -1: of all. */
static picus_status write_lines(switching_csv *csv, int law, long count, const picus_switching *switchings) {
  for (long k = 0; k < count; k++) {
    if (law < 0 || switchings[k].law == law) put_line(csv, &switchings[k]);
    picus_status status = csv->file.used >= PICUS_CSV_BLOCK ? picus_csv_write(&csv->file, false) : PICUS_OK;
    if (status) return status;
  }
  return picus_csv_write(&csv->file, false);
}

/* --- from a run ------------------------------------------------------------------------------------------------- */

static picus_status switchings_sink_open(void *self, const picus_run_description *run, int column_count,
                                         const picus_column *columns) {
  (void)column_count;
  (void)columns;
  switching_csv *csv = self;
  csv->laws = (law_source){.system = run->system};
  return open_switchings(csv);
}

static picus_status switchings_sink_write(void *self, long count, const picus_switching *switchings) {
  return write_lines(self, -1, count, switchings);
}

static picus_status sink_write_law(void *self, const picus_switching *first) {
  law_source *laws = &((switching_csv *)self)->laws;
  picus_context *context = ((switching_csv *)self)->file.context;
  picus_status status =
      picus_grow(context, &laws->appeared, laws->appeared_count, &laws->appeared_capacity, sizeof *laws->appeared);
  if (status) return status;
  appeared_law *law = &laws->appeared[laws->appeared_count++];
  picus_contact_law_name(first, law->name);
  law->slips = first->slips;
  return PICUS_OK;
}

static void switchings_sink_destroy(void *self) {
  switching_csv *csv = self;
  picus_release(csv->file.context, csv->laws.appeared);
  destroy_sink(csv);
}

static picus_status switchings_sink_create(picus_context *context, const char *path, picus_sink *out) {
  const picus_sink functions = {.open = switchings_sink_open,
                                .close = close_sink,
                                .destroy = switchings_sink_destroy,
                                .write_switchings = switchings_sink_write,
                                .write_law = sink_write_law};
  return create_sink(context, path, sizeof(switching_csv), &functions, out);
}

picus_status picus_recorder_add_switching_csv(picus_recorder *recorder, const char *path) {
  return picus_recorder_add_file(recorder, path, switchings_sink_create);
}

/* --- from a result ---------------------------------------------------------------------------------------------- */

picus_status picus_csv_export_switchings(picus_context *context, const picus_result *result, int law, long count,
                                         const picus_switching *switchings, const char *path) {
  switching_csv *csv = picus_allocate(context, 1, sizeof *csv); /* the powers of ten are too many for the stack */
  if (!csv) return PICUS_ERROR_MEMORY;
  csv->laws = (law_source){.result = result};
  picus_status status = picus_csv_name(&csv->file, context, path);
  if (!status) status = open_switchings(csv);
  if (!status) status = write_lines(csv, law, count, switchings);
  status = end_export(&csv->file, status);
  switchings_sink_destroy(csv);
  return status;
}
