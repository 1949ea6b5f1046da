/* Switching points as CSV, from a run or from a result file. */
#include "result_file/csv_switchings.h"
#include "base/internal.h"
#include "record/internal.h"
#include "result_file/csv_file.h"
#include "result_file/record_fields.h"

#include <string.h>

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

static picus_status open_csv(switching_csv *csv) {
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

static picus_status sink_open(void *self, const picus_run_description *run, int column_count,
                              const picus_column *columns) {
  (void)column_count;
  (void)columns;
  switching_csv *csv = self;
  csv->laws = (law_source){.system = run->system};
  return open_csv(csv);
}

static picus_status sink_write(void *self, long count, const picus_switching *switchings) {
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

static picus_status sink_close(void *self, const picus_summary *summary) {
  switching_csv *csv = self;
  return picus_csv_close(&csv->file, picus_run_left_nothing(summary));
}

static void sink_destroy(void *self) {
  switching_csv *csv = self;
  picus_context *context = csv->file.context;
  picus_csv_release(&csv->file);
  picus_release(context, csv->laws.appeared);
  picus_release(context, csv);
}

static picus_status sink_create(picus_context *context, const char *path, picus_sink *out) {
  switching_csv *csv = picus_allocate(context, 1, sizeof *csv);
  if (!csv) return PICUS_ERROR_MEMORY;
  picus_status status = picus_csv_name(&csv->file, context, path);
  if (status) sink_destroy(csv);
  *out = (picus_sink){.self = csv,
                      .open = sink_open,
                      .close = sink_close,
                      .destroy = sink_destroy,
                      .write_switchings = sink_write,
                      .write_law = sink_write_law};
  return status;
}

picus_status picus_recorder_add_switching_csv(picus_recorder *recorder, const char *path) {
  return picus_recorder_add_file(recorder, path, sink_create);
}

/* --- from a result ---------------------------------------------------------------------------------------------- */

picus_status picus_csv_export_switchings(picus_context *context, const picus_result *result, int law, long count,
                                         const picus_switching *switchings, const char *path) {
  switching_csv *csv = picus_allocate(context, 1, sizeof *csv); /* the powers of ten are too many for the stack */
  if (!csv) return PICUS_ERROR_MEMORY;
  csv->laws = (law_source){.result = result};
  picus_status status = picus_csv_name(&csv->file, context, path);
  if (!status) status = open_csv(csv);
  if (!status) status = write_lines(csv, law, count, switchings);
  if (!status)
    status = picus_csv_close(&csv->file, false);
  else if (csv->file.path)
    picus_output_discard(&csv->file.output); /* an incomplete copy of data stored elsewhere is useless */
  sink_destroy(csv);
  return status;
}
