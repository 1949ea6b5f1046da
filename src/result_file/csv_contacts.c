/* Contacts that come and go as CSV, from a run or from a result file: a line for each contact of each row. */
#include "result_file/csv_contacts.h"
#include "base/internal.h"
#include "record/internal.h"
#include "result_file/csv_file.h"
#include "result_file/record_fields.h"

#include <stdio.h>
#include <string.h>

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

static picus_status open_csv(contact_csv *csv) {
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

static picus_status sink_open(void *self, const picus_run_description *run, int column_count,
                              const picus_column *columns) {
  (void)column_count;
  (void)columns;
  contact_csv *csv = self;
  csv->system = run->system;
  return open_csv(csv);
}

static picus_status sink_write(void *self, const picus_contact_sample *sample) { return write_sample(self, sample); }

static picus_status sink_close(void *self, const picus_summary *summary) {
  contact_csv *csv = self;
  picus_status status = csv->file.failed ? PICUS_OK : picus_csv_write(&csv->file, false);
  picus_status closed = picus_csv_close(&csv->file, picus_run_left_nothing(summary));
  return status ? status : closed;
}

static void sink_destroy(void *self) {
  contact_csv *csv = self;
  picus_context *context = csv->file.context;
  picus_csv_release(&csv->file);
  picus_release(context, csv);
}

static picus_status sink_create(picus_context *context, const char *path, picus_sink *out) {
  contact_csv *csv = picus_allocate(context, 1, sizeof *csv);
  if (!csv) return PICUS_ERROR_MEMORY;
  picus_status status = picus_csv_name(&csv->file, context, path);
  if (status) sink_destroy(csv);
  *out = (picus_sink){
      .self = csv, .open = sink_open, .close = sink_close, .destroy = sink_destroy, .write_contacts = sink_write};
  return status;
}

picus_status picus_recorder_add_contact_csv(picus_recorder *recorder, const char *path) {
  return picus_recorder_add_file(recorder, path, sink_create);
}

/* --- from a result ---------------------------------------------------------------------------------------------- */

static picus_status write_rows(contact_csv *csv, picus_result *result) {
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
  if (!status) status = open_csv(csv);
  if (!status) status = write_rows(csv, result);
  if (!status)
    status = picus_csv_close(&csv->file, false);
  else if (csv->file.path)
    picus_output_discard(&csv->file.output); /* an incomplete copy of data stored elsewhere is useless */
  sink_destroy(csv);
  return status;
}
