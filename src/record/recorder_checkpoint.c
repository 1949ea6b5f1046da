/* A recorder in a checkpoint: what is kept of the rows that no file has yet, and how it continues with them. */
#include "record/recorder_state.h"

#include <limits.h>
#include <string.h>

/* Rows that are in the file with their contacts are forgotten. */
static void trim_tail(picus_recorder *recorder) {
  contact_tail *tail = &recorder->tail;
  const long stored = tail->safe_rows(tail->self), written = recorder->rows - recorder->buffered;
  const long safe = stored < written ? stored : written;
  size_t rows = 0, contacts = 0;
  while (rows < tail->row_count && tail->first_row + (long)rows < safe) contacts += (size_t)tail->counts[rows++];
  if (rows == 0) return;
  memmove(tail->counts, tail->counts + rows, (tail->row_count - rows) * sizeof *tail->counts);
  if (tail->count > contacts)
    memmove(tail->contacts, tail->contacts + contacts, (tail->count - contacts) * sizeof *tail->contacts);
  tail->row_count -= rows;
  tail->count -= contacts;
  tail->first_row += (long)rows;
}

picus_status picus_recorder_extend_tail(picus_recorder *recorder, int count, const picus_contact_point *contacts) {
  contact_tail *tail = &recorder->tail;
  if (!tail->is_on || !tail->safe_rows) return PICUS_OK;
  trim_tail(recorder);
  if (tail->row_count == 0) tail->first_row = recorder->rows;
  picus_status status =
      picus_grow(recorder->context, &tail->counts, tail->row_count, &tail->row_capacity, sizeof *tail->counts);
  while (!status && tail->count + (size_t)count > tail->capacity)
    status = picus_grow(recorder->context, &tail->contacts, tail->capacity, &tail->capacity, sizeof *tail->contacts);
  if (status) return status;
  tail->counts[tail->row_count++] = count;
  if (count > 0) memcpy(tail->contacts + tail->count, contacts, (size_t)count * sizeof *contacts);
  tail->count += (size_t)count;
  return PICUS_OK;
}

static void archive_sums(percussion_sums *s, picus_archive *a) {
  picus_archive_same(a, s->count, "the rows of the laws are others");
  picus_archive_doubles(a, s->before, s->count);
  picus_archive_doubles(a, s->last, s->count);
  picus_archive_double(a, &s->begin);
  picus_archive_double(a, &s->end);
  picus_archive_double(a, &s->told);
  picus_archive_bool(a, &s->is_on);
  picus_archive_bool(a, &s->is_bare);
}

static void read_tail(contact_tail *tail, picus_archive *a) {
  size_t count = 0;
  while (!a->status && tail->row_capacity < tail->row_count)
    a->status = picus_grow(a->context, &tail->counts, tail->row_capacity, &tail->row_capacity, sizeof *tail->counts);
  while (!a->status && tail->capacity < tail->count)
    a->status = picus_grow(a->context, &tail->contacts, tail->capacity, &tail->capacity, sizeof *tail->contacts);
  for (size_t i = 0; !a->status && i < tail->row_count; i++) {
    picus_archive_choice(a, &tail->counts[i], 0, INT_MAX / 2);
    count += a->status ? 0 : (size_t)tail->counts[i];
  }
  if (!a->status && count != tail->count) picus_archive_reject(a, "contacts of rows are missing");
  for (size_t i = 0; !a->status && i < tail->count; i++) picus_contact_point_archive(&tail->contacts[i], a);
  if (a->status) tail->row_count = tail->count = 0;
}

static void archive_tail(picus_recorder *recorder, picus_archive *a) {
  contact_tail *tail = &recorder->tail;
  if (a->direction != ARCHIVE_READS && tail->safe_rows) trim_tail(recorder);
  picus_archive_long(a, &tail->first_row);
  picus_archive_count(a, &tail->row_count, sizeof(int64_t));
  picus_archive_count(a, &tail->count, sizeof(uint64_t));
  if (a->direction == ARCHIVE_READS) {
    if (a->status) tail->row_count = tail->count = 0;
    read_tail(tail, a);
    return;
  }
  for (size_t i = 0; i < tail->row_count; i++) picus_archive_int(a, &tail->counts[i]);
  for (size_t i = 0; i < tail->count; i++) picus_contact_point_archive(&tail->contacts[i], a);
}

/* The rows in the buffer, with which the run continues. */
static void archive_rows(picus_recorder *recorder, picus_archive *a) {
  const size_t width = recorder->columns.count;
  if (a->direction != ARCHIVE_READS) {
    size_t count = (size_t)recorder->buffered;
    picus_archive_count(a, &count, width * sizeof(double));
    picus_archive_doubles(a, recorder->buffer, count * width);
    return;
  }
  kept_rows *kept = &recorder->kept;
  picus_archive_count(a, &kept->count, width * sizeof(double));
  if (!a->status && (kept->count >= (size_t)recorder->capacity || kept->count > (size_t)recorder->rows))
    picus_archive_reject(a, "it has more rows than there can be");
  if (!a->status && kept->count > 0) {
    kept->rows = picus_allocate(recorder->context, kept->count * width, sizeof *kept->rows);
    if (!kept->rows) a->status = PICUS_ERROR_MEMORY;
  }
  if (a->status) kept->count = 0;
  picus_archive_doubles(a, kept->rows, kept->count * width);
}

void picus_recorder_archive(picus_recorder *recorder, const law_set *set, picus_archive *a) {
  bool has_log = recorder->event_log != NULL;
  const bool keeps_log = has_log;
  picus_archive_mark(a, "recorder");
  picus_archive_same(a, recorder->columns.count, "the columns of the results are others");
  picus_archive_long(a, &recorder->rows);
  picus_archive_choice(a, &recorder->told_laws, 0, INT_MAX / 2);
  picus_archive_long(a, &recorder->switching_count);
  picus_archive_long(a, &recorder->event_limit);
  picus_archive_long(a, &recorder->changing_events);
  picus_archive_bool(a, &recorder->events_cut);
  picus_archive_double(a, &recorder->events_until);
  picus_archive_word(a, &recorder->last_row);
  archive_rows(recorder, a);
  archive_tail(recorder, a);
  archive_sums(&recorder->sums, a);
  picus_archive_double(a, &recorder->residual.before);
  picus_archive_double(a, &recorder->residual.last);
  picus_contact_sums_archive(&recorder->contact_sums, a);
  picus_pair_sums_archive(&recorder->pairs, a);
  if (recorder->pairs.count > 0) archive_sums(&recorder->pair_percussions, a);
  picus_archive_bool(a, &has_log);
  if (has_log != keeps_log)
    picus_archive_reject(a, "it was written with an event log and the run has none, or vice versa");
  if (!a->status && has_log) picus_event_log_archive(recorder->event_log, set, a);
  if (!a->status && has_log) picus_switch_log_archive(&recorder->switch_log, a);
  picus_archive_long(a, &recorder->state_log.all);
}

picus_row_mark picus_recorder_mark(const picus_recorder *recorder) {
  const contact_tail *tail = &recorder->tail;
  const bool keeps_contacts = tail->is_on && tail->safe_rows && picus_recorder_wants_contacts(recorder);
  return (picus_row_mark){.rows = recorder->rows - recorder->buffered,
                          .last_row = recorder->last_row,
                          .switchings = recorder->switching_count,
                          .states = recorder->state_log.all,
                          .contact_rows = keeps_contacts ? tail->first_row : 0};
}

void picus_recorder_keep_contacts(picus_recorder *recorder) {
  recorder->tail.is_on = recorder->storage.is_saved = true;
}

void picus_recorder_set_replay(picus_recorder *recorder, picus_replay_fn replay, void *user) {
  recorder->replay = replay;
  recorder->replay_user = user;
}

static void release_kept(picus_recorder *recorder) {
  picus_release(recorder->context, recorder->kept.rows);
  recorder->kept = (kept_rows){0};
}

/* Without the earlier rows: those that nobody has written come first. */
static void take_kept(picus_recorder *recorder) {
  const kept_rows *kept = &recorder->kept;
  if (kept->count > 0) memcpy(recorder->buffer, kept->rows, kept->count * recorder->columns.count * sizeof *kept->rows);
  recorder->buffered = (long)kept->count;
  release_kept(recorder);
}

/* Everything is counted again. */
picus_status picus_recorder_replay(picus_recorder *recorder) {
  if (!recorder->replay) {
    take_kept(recorder);
    return PICUS_OK;
  }
  contact_tail tail = recorder->tail; /* of the earlier recorder */
  const picus_told told = {.rows = recorder->rows,
                           .switchings = recorder->switching_count,
                           .states = recorder->state_log.all,
                           .last_row = recorder->last_row,
                           .written = recorder->rows - (long)recorder->kept.count,
                           .kept = recorder->kept.rows,
                           .first_row = tail.first_row,
                           .row_count = tail.row_count,
                           .counts = tail.counts,
                           .contacts = tail.contacts};
  const int told_laws = recorder->told_laws;
  recorder->tail = (contact_tail){.is_on = tail.is_on, .safe_rows = tail.safe_rows, .self = tail.self};
  recorder->rows = recorder->switching_count = recorder->told_laws = 0;
  recorder->state_log.all = 0;
  recorder->last_row = 0;
  picus_status status = recorder->replay(recorder->replay_user, recorder, &told);
  if (!status) status = picus_recorder_flush(recorder);
  if (!status && (recorder->rows != told.rows || recorder->switching_count != told.switchings ||
                  recorder->state_log.all != told.states || recorder->told_laws != told_laws ||
                  recorder->last_row != told.last_row))
    status = picus_fail(recorder->context, PICUS_ERROR_IO, "the results do not belong to the run of the checkpoint");
  picus_release(recorder->context, tail.counts);
  picus_release(recorder->context, tail.contacts);
  release_kept(recorder);
  return status;
}
