/* Rows in memory: a sink that keeps the columns of a run one after the other, its switching points, states at events,
 * contacts and nodes. */
#include "base/internal.h"
#include "record/internal.h"
#include "system/internal.h"

#include <string.h>

/* The contacts of a row. */
typedef struct row_contacts {
  size_t first; /* in contacts */
  int count;
} row_contacts;

/* The nodes of a flexible component: displacements and velocities, size numbers of each in a row. */
typedef struct node_rows {
  double *values[2];
  size_t size, rows, capacity;
} node_rows;

/* States at events: the entries of the log, and lists for readers. */
typedef struct kept_states {
  bool is_on;
  picus_column_list columns; /* of an entry */
  char **events;             /* names of those of the model */
  const char **names;        /* of the columns from the time on */
  size_t event_count, count, capacity;
  double *entries;
  picus_state_at_event *list; /* NULL: not asked for since the last entry */
} kept_states;

struct picus_memory {
  picus_context *context;
  bool is_used; /* it belongs to a run */
  picus_column_list columns;
  double **values; /* by column: capacity numbers, of which rows are in use */
  long rows;
  size_t capacity;
  picus_switching *switchings;
  size_t switching_count, switching_capacity;
  char **law_names; /* of detected laws, in the order of their first switching points */
  size_t law_count, law_capacity;
  int fixed_laws; /* the first detected law has this number; -1: none yet */
  row_contacts *contact_rows;
  size_t contact_row_count, contact_row_capacity;
  picus_contact_point *contacts;
  size_t contact_count, contact_capacity;
  kept_states states;
  bool keeps_nodes;
  node_rows *tables;
  int table_count;
};

picus_status picus_memory_create(picus_context *context, picus_memory **out) {
  *out = picus_allocate(context, 1, sizeof **out);
  if (!*out) return PICUS_ERROR_MEMORY;
  (*out)->context = context;
  (*out)->fixed_laws = -1;
  return PICUS_OK;
}

static void release_states(picus_context *context, kept_states *s) {
  for (size_t k = 0; s->events && k < s->event_count; k++) picus_release(context, s->events[k]);
  picus_release(context, s->events);
  picus_release(context, s->names);
  picus_columns_release(context, &s->columns);
  picus_release(context, s->entries);
  picus_release(context, s->list);
}

void picus_memory_destroy(picus_memory *memory) {
  if (!memory) return;
  picus_context *context = memory->context;
  for (size_t k = 0; memory->values && k < memory->columns.count; k++) picus_release(context, memory->values[k]);
  for (size_t k = 0; k < memory->law_count; k++) picus_release(context, memory->law_names[k]);
  picus_release(context, memory->values);
  picus_columns_release(context, &memory->columns);
  picus_release(context, memory->switchings);
  picus_release(context, memory->law_names);
  picus_release(context, memory->contact_rows);
  picus_release(context, memory->contacts);
  for (int k = 0; k < 2 * memory->table_count; k++) picus_release(context, memory->tables[k / 2].values[k % 2]);
  picus_release(context, memory->tables);
  release_states(context, &memory->states);
  picus_release(context, memory);
}

/* --- the sink --------------------------------------------------------------------------------------------------- */

static picus_status open_nodes(picus_memory *memory, const picus_system *system) {
  const int count = memory->keeps_nodes ? picus_system_node_table_count(system) : 0;
  if (count == 0) return PICUS_OK;
  memory->tables = picus_allocate(memory->context, (size_t)count, sizeof *memory->tables);
  if (!memory->tables) return PICUS_ERROR_MEMORY;
  memory->table_count = count;
  for (int k = 0; k < count; k++) {
    const picus_node_table table = picus_system_node_table(system, k);
    memory->tables[k] = (node_rows){.size = (size_t)table.node_count * (size_t)table.component_count};
  }
  return PICUS_OK;
}

/* What the numbers of an entry are, and the names of the events. */
static picus_status open_states(picus_context *context, const picus_system *system, kept_states *s) {
  const size_t count = system && system->controls ? (size_t)system->controls->event_count : 0;
  if (!s->is_on || !system) return PICUS_OK;
  picus_status status = picus_state_log_columns(context, system, &s->columns);
  if (status) return status;
  s->events = picus_allocate(context, count, sizeof *s->events); /* NOLINT(bugprone-sizeof-expression): pointers */
  s->names = picus_allocate(context, s->columns.count, sizeof *s->names);
  if (!s->events || !s->names) return PICUS_ERROR_MEMORY;
  s->event_count = count;
  for (size_t k = STATE_TIME; k < s->columns.count; k++) s->names[k - STATE_TIME] = s->columns.columns[k].name;
  for (size_t k = 0; k < count; k++) {
    s->events[k] = picus_copy_text(context, system->controls->events[k].name);
    if (!s->events[k]) return PICUS_ERROR_MEMORY;
  }
  return PICUS_OK;
}

static picus_status open_memory(void *self, const picus_run_description *run, int column_count,
                                const picus_column *columns) {
  picus_memory *memory = self;
  picus_status status = open_nodes(memory, run->system);
  if (!status) status = open_states(memory->context, run->system, &memory->states);
  for (int k = 0; !status && k < column_count; k++)
    status = picus_columns_add(memory->context, &memory->columns, columns[k]);
  if (status) return status;
  memory->values = picus_allocate(memory->context, (size_t)column_count, sizeof *memory->values);
  return memory->values ? PICUS_OK : PICUS_ERROR_MEMORY;
}

/* Room for more rows, at least twice that of before: a long run copies each number a few times at most. */
static picus_status reserve(picus_memory *memory, size_t rows) {
  enum { FIRST_ROWS = 256 };
  if (rows <= memory->capacity) return PICUS_OK;
  size_t capacity = memory->capacity ? 2 * memory->capacity : FIRST_ROWS;
  if (capacity < rows) capacity = rows;
  for (size_t k = 0; k < memory->columns.count; k++) {
    double *grown = picus_reallocate(memory->context, memory->values[k], capacity, sizeof *grown);
    if (!grown) return PICUS_ERROR_MEMORY;
    memory->values[k] = grown;
  }
  memory->capacity = capacity;
  return PICUS_OK;
}

static picus_status write_rows(void *self, long row_count, int column_count, const double *rows) {
  picus_memory *memory = self;
  picus_status status = reserve(memory, (size_t)(memory->rows + row_count));
  if (status) return status;
  for (int k = 0; k < column_count; k++) {
    double *to = memory->values[k] + memory->rows;
    for (long i = 0; i < row_count; i++) to[i] = rows[i * column_count + k];
  }
  memory->rows += row_count;
  return PICUS_OK;
}

static picus_status write_law(void *self, const picus_switching *first) {
  picus_memory *memory = self;
  picus_status status = picus_grow(memory->context, &memory->law_names, memory->law_count, &memory->law_capacity,
                                   sizeof *memory->law_names);
  if (status) return status;
  char *name = picus_copy_text(memory->context, first->name ? first->name : "");
  if (!name) return PICUS_ERROR_MEMORY;
  if (memory->law_count == 0) memory->fixed_laws = first->law;
  memory->law_names[memory->law_count++] = name;
  return PICUS_OK;
}

/* The blocks of the recorder have no names of detected laws; those of write_law live with the memory. */
static picus_status write_switchings(void *self, long count, const picus_switching *switchings) {
  picus_memory *memory = self;
  for (long k = 0; k < count; k++) {
    picus_status status = picus_grow(memory->context, &memory->switchings, memory->switching_count,
                                     &memory->switching_capacity, sizeof *memory->switchings);
    if (status) return status;
    picus_switching *kept = &memory->switchings[memory->switching_count++];
    *kept = switchings[k];
    if (kept->source >= 0) kept->name = memory->law_names[kept->law - memory->fixed_laws];
  }
  return PICUS_OK;
}

static picus_status write_states(void *self, long count, int width, const double *entries) {
  picus_memory *memory = self;
  kept_states *s = &memory->states;
  const size_t need = s->count + (size_t)count;
  if (need > s->capacity) {
    const size_t capacity = need > 2 * s->capacity ? need : 2 * s->capacity;
    double *grown = picus_reallocate(memory->context, s->entries, capacity * (size_t)width, sizeof *grown);
    if (!grown) return PICUS_ERROR_MEMORY;
    s->entries = grown;
    s->capacity = capacity;
  }
  memcpy(s->entries + s->count * (size_t)width, entries, (size_t)count * (size_t)width * sizeof *entries);
  s->count = need;
  picus_release(memory->context, s->list);
  s->list = NULL;
  return PICUS_OK;
}

static picus_status write_contacts(void *self, const picus_contact_sample *sample) {
  picus_memory *memory = self;
  picus_status status = picus_grow(memory->context, &memory->contact_rows, memory->contact_row_count,
                                   &memory->contact_row_capacity, sizeof *memory->contact_rows);
  if (status) return status;
  memory->contact_rows[memory->contact_row_count++] = (row_contacts){memory->contact_count, sample->count};
  for (int k = 0; k < sample->count; k++) {
    status = picus_grow(memory->context, &memory->contacts, memory->contact_count, &memory->contact_capacity,
                        sizeof *memory->contacts);
    if (status) return status;
    memory->contacts[memory->contact_count++] = sample->contacts[k];
  }
  return PICUS_OK;
}

static picus_status write_nodes(void *self, const picus_node_sample *sample) {
  enum { FIRST_ROWS = 64 };
  picus_memory *memory = self;
  node_rows *table = &memory->tables[sample->table];
  if (table->rows == table->capacity) {
    const size_t capacity = table->capacity ? 2 * table->capacity : FIRST_ROWS;
    for (int k = 0; k < 2; k++) {
      double *grown = picus_reallocate(memory->context, table->values[k], capacity * table->size, sizeof *grown);
      if (!grown) return PICUS_ERROR_MEMORY;
      table->values[k] = grown;
    }
    table->capacity = capacity;
  }
  const size_t at = table->rows++ * table->size;
  memcpy(table->values[0] + at, sample->displacements, table->size * sizeof(double));
  memcpy(table->values[1] + at, sample->velocities, table->size * sizeof(double));
  return PICUS_OK;
}

picus_status picus_recorder_add_memory(picus_recorder *recorder, picus_memory *memory, unsigned parts) {
  if (memory->is_used)
    return picus_fail(picus_recorder_context(recorder), PICUS_ERROR_ARGUMENT,
                      "this memory holds the rows of another run; create another one with picus_memory_create");
  picus_sink sink = {.self = memory, .open = open_memory, .write = write_rows};
  if (parts & PICUS_MEMORY_SWITCHINGS) {
    sink.write_switchings = write_switchings;
    sink.write_law = write_law;
  }
  memory->states.is_on = (parts & PICUS_MEMORY_STATES) != 0;
  if (memory->states.is_on) sink.write_states = write_states;
  if (parts & PICUS_MEMORY_CONTACTS) sink.write_contacts = write_contacts;
  memory->keeps_nodes = (parts & PICUS_MEMORY_NODES) != 0;
  if (memory->keeps_nodes) sink.write_nodes = write_nodes;
  picus_status status = picus_recorder_add_sink(recorder, sink);
  if (!status) memory->is_used = true;
  return status;
}

/* --- reading ---------------------------------------------------------------------------------------------------- */

long picus_memory_row_count(const picus_memory *memory) { return memory->rows; }

int picus_memory_column_count(const picus_memory *memory) { return (int)memory->columns.count; }

static bool has_column(const picus_memory *memory, int column) {
  return column >= 0 && column < (int)memory->columns.count;
}

picus_column picus_memory_column(const picus_memory *memory, int index) {
  return has_column(memory, index) ? memory->columns.columns[index]
                                   : (picus_column){.name = "", .unit = "", .label = ""};
}

int picus_memory_find(const picus_memory *memory, const char *name) {
  for (size_t k = 0; k < memory->columns.count; k++)
    if (strcmp(memory->columns.columns[k].name, name) == 0) return (int)k;
  return -1;
}

const double *picus_memory_values(const picus_memory *memory, int column) {
  return has_column(memory, column) && memory->values ? memory->values[column] : NULL;
}

long picus_memory_switching_count(const picus_memory *memory) { return (long)memory->switching_count; }

const picus_switching *picus_memory_switchings(const picus_memory *memory) { return memory->switchings; }

const picus_contact_point *picus_memory_contacts(const picus_memory *memory, long row, int *count) {
  *count = 0;
  if (row < 0 || row >= (long)memory->contact_row_count) return NULL;
  *count = memory->contact_rows[row].count;
  return *count ? memory->contacts + memory->contact_rows[row].first : NULL;
}

const double *picus_memory_nodes(const picus_memory *memory, int table, bool velocities) {
  return table >= 0 && table < memory->table_count ? memory->tables[table].values[velocities] : NULL;
}

static picus_state_at_event state_of(const kept_states *s, const double *entry) {
  const double event = entry[STATE_EVENT];
  return (picus_state_at_event){.t = entry[STATE_TIME],
                                .event = event < 0 ? NULL : s->events[(size_t)event],
                                .switching = (long)entry[STATE_SWITCHING],
                                .values = entry + STATE_TIME};
}

picus_status picus_memory_event_states(picus_memory *memory, picus_event_states *out) {
  kept_states *s = &memory->states;
  *out = (picus_event_states){0};
  if (s->count == 0) return PICUS_OK;
  if (!s->list) {
    s->list = picus_allocate(memory->context, s->count, sizeof *s->list);
    if (!s->list) return PICUS_ERROR_MEMORY;
    for (size_t k = 0; k < s->count; k++) s->list[k] = state_of(s, s->entries + k * s->columns.count);
  }
  *out = (picus_event_states){.count = (long)s->count,
                              .column_count = (int)s->columns.count - STATE_TIME,
                              .columns = s->names,
                              .states = s->list};
  return PICUS_OK;
}
