/* The runs of a study, and their journal. */
#include "base/input_file.h"
#include "options/table.h"
#include "study/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Points of a rollout, and numbers of their sections, so that memory does not grow with the number of points. */
enum { POINTS_OF_ROLLOUT = 4096, SECTION_NUMBERS = 1 << 22 };

/* A record: this, then the values, the message, and the states of the section. */
typedef struct record_head {
  int64_t point;
  int32_t status, message; /* its length */
  double seconds;
} record_head;

/* Some points, which are one rollout. */
typedef struct batch {
  picus_study *study;
  const picus_study_run_options *options;
  picus_journal *journal; /* NULL: none */
  const long *points;
  long count;
  long *chains, chain_count; /* where those of the next chain begin */
  int parameter_count;
  const char **names;         /* of parameters */
  double *parameters;         /* count x parameter_count */
  picus_sim_options *of_runs; /* count */
  study_fold *folds;          /* count */
  int *columns;               /* count x value_count, of the folds */
  double *values, *last;      /* the same */
  section_fold *sections;     /* count; NULL: no section */
  int *section_columns;       /* count x width */
  double *section_entries;    /* count x last x width */
  study_row *rows;            /* count */
  char (*messages)[PICUS_ROLLOUT_MESSAGE];
  unsigned char *record;
  int error; /* of the journal */
} batch;

/* --- one run ------------------------------------------------------------------------------------------------------ */

/* The values of the last run before this one in its chain that did not fail; NULL: this is the first. The runs of a
 * chain are made one after the other: those of this batch are next to each other, others are rows already. */
static const double *find_former(const batch *b, long run) {
  const picus_study *study = b->study;
  const long first = b->points[run] - b->points[run] % study->chain;
  for (long point = b->points[run] - 1; point >= first; point--) {
    const bool is_row = study->rows[point].is_done;
    if (!is_row && (run == 0 || b->points[run - 1] != point)) return NULL;
    if (!is_row) run--;
    const study_row *row = is_row ? &study->rows[point] : &b->rows[run];
    const double *values = is_row ? study->results + point * study->value_count : b->values + run * study->value_count;
    if (!row->status) return values;
  }
  return NULL;
}

/* The state at the end of another run. */
static void take_state(const picus_study *study, const picus_system *system, const double *values, picus_state state,
                       double *q, double *u) {
  for (int i = 0; i < state.nq; i++) q[i] = values[picus_study_find_last(study, picus_system_q_name(system, i))];
  for (int i = 0; i < state.nu; i++) u[i] = values[picus_study_find_last(study, picus_system_u_name(system, i))];
}

/* The initial values of the point; others follow from its parameters. */
static int take_starts(const picus_study *study, const picus_system *system, const double *point, picus_state state,
                       double *q, double *u) {
  int set = 0;
  for (int k = 0; k < study->axis_count; k++) {
    if (study->axes[k].kind != PICUS_AXIS_START) continue;
    set++;
    for (int i = 0; i < state.nq; i++)
      if (strcmp(picus_system_q_name(system, i), study->axes[k].name) == 0) q[i] = point[k];
    for (int i = 0; i < state.nu; i++)
      if (strcmp(picus_system_u_name(system, i), study->axes[k].name) == 0) u[i] = point[k];
  }
  return set;
}

static picus_status set_start(const batch *b, long run, picus_context *context, picus_sim *sim) {
  const picus_study *study = b->study;
  const picus_system *system = picus_sim_system(sim);
  const picus_state state = picus_sim_state(sim);
  const double *former = find_former(b, run);
  double *q = picus_allocate(context, (size_t)state.nq + (size_t)state.nu, sizeof *q), *u = q + state.nq;
  int set = 1;
  if (!q) return PICUS_ERROR_MEMORY;
  memcpy(q, state.q, (size_t)state.nq * sizeof *q);
  memcpy(u, state.u, (size_t)state.nu * sizeof *u);
  if (former)
    take_state(study, system, former, state, q, u);
  else
    set = take_starts(study, system, study->points + b->points[run] * study->axis_count, state, q, u);
  const picus_status status = set ? picus_sim_set_state(sim, state.t, q, u) : PICUS_OK;
  picus_release(context, q);
  return status;
}

static picus_status begin_run(void *user, long run, picus_context *context, picus_sim *sim, picus_recorder *recorder) {
  batch *b = user;
  const size_t first = (size_t)run * (size_t)b->study->value_count;
  study_fold *fold = &b->folds[run];
  *fold = (study_fold){.study = b->study,
                       .context = context,
                       .columns = b->columns + first,
                       .values = b->values + first,
                       .last = b->last + first};
  picus_status status = set_start(b, run, context, sim);
  if (!status) status = picus_recorder_add_sink(recorder, picus_study_fold_sink(fold));
  if (status || !b->sections) return status;
  const study_section *section = &b->study->section;
  b->sections[run] = (section_fold){.study = b->study,
                                    .context = context,
                                    .t_start = picus_sim_state(sim).t,
                                    .columns = b->section_columns + run * section->width,
                                    .entries = b->section_entries + run * section->last * section->width};
  return picus_recorder_add_sink(recorder, picus_study_section_sink(&b->sections[run]));
}

static study_record record_of(const batch *b, long run) {
  return (study_record){.message = b->messages[run],
                        .values = b->values + (size_t)run * (size_t)b->study->value_count,
                        .section = b->sections ? b->sections[run].entries : NULL,
                        .section_count = b->rows[run].section_count};
}

static void write_record(batch *b, long run) {
  const study_record record = record_of(b, run);
  const size_t length = strlen(record.message);
  const record_head head = {b->points[run], (int32_t)b->rows[run].status, (int32_t)length, b->rows[run].seconds};
  const void *const parts[] = {&head, record.values, record.message, record.section};
  const size_t sizes[] = {sizeof head, (size_t)b->study->value_count * sizeof(double), length,
                          (size_t)(record.section_count * b->study->section.width) * sizeof(double)};
  size_t size = 0;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; size += sizes[k++])
    if (sizes[k]) memcpy(b->record + size, parts[k], sizes[k]);
  const int error = picus_journal_add(b->journal, b->record, size);
  if (error && !b->error) b->error = error;
}

/* From any thread, one at a time: allocates nothing. */
static void end_run(void *user, long run, const picus_rollout_end *end, const picus_summary *summary) {
  batch *b = user;
  b->rows[run] = (study_row){.is_done = true, .status = end->status, .seconds = summary->seconds};
  snprintf(b->messages[run], PICUS_ROLLOUT_MESSAGE, "%s", end->message);
  double *values = b->values + (size_t)run * (size_t)b->study->value_count;
  if (!end->status) picus_study_fold_end(&b->folds[run], summary);
  if (!end->status && b->sections) b->rows[run].section_count = picus_study_section_end(&b->sections[run]);
  if (end->status)
    for (int k = 0; k < b->study->value_count; k++) values[k] = NAN;
  if (b->journal) write_record(b, run);
}

static int tell(void *user, long done, long count) {
  batch *b = user;
  (void)count;
  if (b->error) return 1;
  return b->options && b->options->progress
             ? b->options->progress(b->options->user, b->study->done + done, b->study->count)
             : 0;
}

/* --- a batch ------------------------------------------------------------------------------------------------------ */

static void set_options(batch *b, long run) {
  const picus_study *study = b->study;
  picus_run_options options = {.sim = study->options};
  for (int k = 0; k < study->axis_count; k++)
    if (study->axes[k].kind == PICUS_AXIS_OPTION)
      picus_option_set_number(&options, study->axes[k].option, study->points[b->points[run] * study->axis_count + k]);
  b->of_runs[run] = options.sim;
}

static void fill_batch(batch *b) {
  const picus_study *study = b->study;
  for (int k = 0; k < study->axis_count; k++) {
    if (study->axes[k].kind != PICUS_AXIS_PARAMETER) continue;
    b->names[b->parameter_count++] = study->axes[k].name;
  }
  for (long run = 0; run < b->count; run++) {
    double *to = b->parameters + run * b->parameter_count;
    for (int k = 0; k < study->axis_count; k++)
      if (study->axes[k].kind == PICUS_AXIS_PARAMETER) *to++ = study->points[b->points[run] * study->axis_count + k];
    set_options(b, run);
  }
}

/* Where the chains of the batch begin, and its end. */
static void find_chains(batch *b) {
  for (long run = 0; run < b->count; run++)
    if (run == 0 || b->points[run] / b->study->chain != b->points[run - 1] / b->study->chain)
      b->chains[b->chain_count++] = run;
  b->chains[b->chain_count] = b->count;
}

static picus_status make_batch(batch *b) {
  const picus_study *study = b->study;
  picus_context *context = study->context;
  const size_t count = (size_t)b->count, axes = (size_t)study->axis_count, values = (size_t)study->value_count;
  b->chains = picus_allocate(context, count + 1, sizeof *b->chains);
  b->names = picus_allocate(context, axes, sizeof *b->names);
  b->parameters = picus_allocate(context, count * axes, sizeof *b->parameters);
  b->of_runs = picus_allocate(context, count, sizeof *b->of_runs);
  b->folds = picus_allocate(context, count, sizeof *b->folds);
  b->columns = picus_allocate(context, count * values, sizeof *b->columns);
  b->values = picus_allocate(context, count * values, sizeof *b->values);
  b->last = picus_allocate(context, count * values, sizeof *b->last);
  b->rows = picus_allocate(context, count, sizeof *b->rows);
  b->messages = picus_allocate(context, count, sizeof *b->messages);
  const size_t width = (size_t)study->section.width, states = width * (size_t)study->section.last;
  if (study->section.kind) {
    b->sections = picus_allocate(context, count, sizeof *b->sections);
    b->section_columns = picus_allocate(context, count * width, sizeof *b->section_columns);
    b->section_entries = picus_allocate(context, count * states, sizeof *b->section_entries);
    if (!b->sections || !b->section_columns || !b->section_entries) return PICUS_ERROR_MEMORY;
  }
  b->record =
      picus_allocate(context, sizeof(record_head) + (values + states) * sizeof(double) + PICUS_ROLLOUT_MESSAGE, 1);
  if (!b->chains || !b->names || !b->parameters || !b->of_runs || !b->folds || !b->columns || !b->values || !b->last ||
      !b->rows || !b->messages || !b->record)
    return PICUS_ERROR_MEMORY;
  fill_batch(b);
  find_chains(b);
  return PICUS_OK;
}

static void release_batch(batch *b) {
  picus_context *context = b->study->context;
  picus_release(context, b->chains);
  picus_release(context, b->names);
  picus_release(context, b->parameters);
  picus_release(context, b->of_runs);
  picus_release(context, b->folds);
  picus_release(context, b->columns);
  picus_release(context, b->values);
  picus_release(context, b->last);
  picus_release(context, b->sections);
  picus_release(context, b->section_columns);
  picus_release(context, b->section_entries);
  picus_release(context, b->rows);
  picus_release(context, b->messages);
  picus_release(context, b->record);
}

static picus_status roll_out(batch *b) {
  const picus_study *study = b->study;
  picus_rollout_def def = picus_default_rollout_def();
  picus_rollout *rollout;
  def.model = study->model;
  def.system = study->system;
  def.options = &study->options;
  def.of_runs = b->of_runs;
  def.count = b->count;
  def.chains = b->chains;
  def.chain_count = b->chain_count;
  def.parameter_count = b->parameter_count;
  def.parameters = b->names;
  def.values = b->parameters;
  def.columns = study->columns;
  def.progress = tell;
  def.begin = begin_run;
  def.ended = end_run;
  def.user = b;
  const picus_status status = picus_rollout_create(study->context, &def, &rollout);
  picus_rollout_destroy(rollout);
  return status;
}

/* Keeps the runs that ended, also those of a batch that was interrupted. */
static picus_status run_batch(batch *b) {
  picus_study *study = b->study;
  picus_status status = make_batch(b), kept = PICUS_OK;
  if (!status) status = roll_out(b);
  for (long run = 0; b->record && !kept && run < b->count; run++)
    if (b->rows[run].is_done && b->options) {
      const study_record record = record_of(b, run);
      kept = picus_study_keep(study, b->points[run], &b->rows[run], &record);
    }
  if (b->error) {
    char reason[PICUS_REASON_SIZE];
    picus_system_reason(b->error, reason);
    return picus_fail(study->context, PICUS_ERROR_IO, "cannot write the journal of the study: %s", reason);
  }
  return status ? status : kept;
}

/* --- the study ---------------------------------------------------------------------------------------------------- */

static picus_status read_record(void *user, const unsigned char *bytes, size_t size) {
  picus_study *study = user;
  picus_context *context = study->context;
  const size_t values = (size_t)study->value_count * sizeof(double);
  const size_t width = (size_t)study->section.width * sizeof(double);
  char message[PICUS_ROLLOUT_MESSAGE];
  record_head head = {.point = -1};
  if (size >= sizeof head + values) memcpy(&head, bytes, sizeof head);
  const bool is_fine = head.point >= 0 && head.point < study->count && head.message >= 0 &&
                       head.message < PICUS_ROLLOUT_MESSAGE && size >= sizeof head + values + (size_t)head.message;
  const size_t rest = is_fine ? size - sizeof head - values - (size_t)head.message : 0;
  const size_t states = width ? rest / width : 0;
  if (!is_fine || states * width != rest || states > (size_t)study->section.last)
    return picus_fail(context, PICUS_ERROR_IO, "the journal of the study is damaged; remove it");
  memcpy(message, bytes + sizeof head + values, (size_t)head.message);
  message[head.message] = '\0';
  double *numbers = picus_allocate(context, values + rest, 1); /* aligned, as the bytes are not */
  if (!numbers) return PICUS_ERROR_MEMORY;
  memcpy(numbers, bytes + sizeof head, values);
  memcpy(numbers + study->value_count, bytes + size - rest, rest);
  const study_row row = {.status = (picus_status)head.status, .seconds = head.seconds};
  const study_record record = {message, numbers, numbers + study->value_count, (long)states};
  const picus_status status = picus_study_keep(study, (long)head.point, &row, &record);
  picus_release(context, numbers);
  return status;
}

static picus_journal_title title_of(const picus_study *study) {
  return (picus_journal_title){study->title, sizeof study->title};
}

picus_status picus_study_read_journal(picus_study *study, const char *path) {
  return picus_journal_read(study->context, path, title_of(study), read_record, study);
}

picus_status picus_study_remove_journal(picus_study *study, const char *path) {
  picus_journal *journal;
  const picus_status status = picus_journal_open(study->context, path, title_of(study), read_record, study, &journal);
  if (!status) picus_journal_remove(journal);
  return status;
}

int picus_study_part_of(const picus_study *study, long point, int part_count) {
  if (point < 0 || point >= study->count || part_count < 1) return 0;
  return (int)(point / study->chain % part_count) + 1;
}

/* Whether runs of the chain that begins at a point are missing. */
static bool is_missing(const picus_study *study, long first) {
  for (long point = first; point < first + study->chain; point++)
    if (!study->rows[point].is_done) return true;
  return false;
}

long picus_study_missing(const picus_study *study) {
  long count = 0;
  for (long first = 0; first < study->count; first += study->chain) count += is_missing(study, first);
  return count;
}

/* Where this process is among the points: chains behind it were done, or had runs that were missing. */
typedef struct point_queue {
  const picus_study_run_options *options;
  long point;
  long missing;      /* chains with missing runs so far */
  long first, count; /* claimed: those with these numbers */
  bool is_over;      /* nothing is left to claim */
} point_queue;

/* Whether the next chain, which has missing runs, is for this process. */
static bool is_for_this(const picus_study *study, point_queue *queue) {
  const picus_study_run_options *options = queue->options;
  const long number = queue->missing++;
  if (options->part_count) return picus_study_part_of(study, queue->point, options->part_count) == options->part;
  if (!options->claim) return true;
  if (number >= queue->first + queue->count) {
    options->claim(options->user, &queue->first, &queue->count);
    queue->is_over = queue->count == 0;
  }
  return number >= queue->first && number < queue->first + queue->count;
}

/* The next points that are missing; chains stay together, and claims are made one after the other. */
static long take_points(const picus_study *study, point_queue *queue, long most, long *points) {
  long count = 0;
  while (queue->point < study->count && count < most && !queue->is_over) {
    const long in_chain = queue->point % study->chain, end = queue->point - in_chain + study->chain;
    const bool is_claimed = queue->options->claim && queue->missing >= queue->first + queue->count;
    if (in_chain == 0 && count > 0 && is_claimed) break; /* the runs of this claim first */
    if (in_chain == 0 && (!is_missing(study, queue->point) || !is_for_this(study, queue))) {
      queue->point = end;
      continue;
    }
    for (; queue->point < end && count < most; queue->point++)
      if (!study->rows[queue->point].is_done) points[count++] = queue->point;
  }
  return count;
}

static picus_status run_missing(picus_study *study, const picus_study_run_options *options, picus_journal *journal) {
  const long states = study->section.kind ? SECTION_NUMBERS / (study->section.last * study->section.width) : 0;
  const long most = states > 0 && states < POINTS_OF_ROLLOUT ? states : POINTS_OF_ROLLOUT;
  long *points = picus_allocate(study->context, POINTS_OF_ROLLOUT, sizeof *points);
  point_queue queue = {.options = options};
  picus_status status = points ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (long count; !status && (count = take_points(study, &queue, most, points)) > 0;) {
    batch b = {.study = study, .options = options, .journal = journal, .points = points, .count = count};
    status = run_batch(&b);
    release_batch(&b);
  }
  picus_release(study->context, points);
  return status;
}

picus_status picus_study_run(picus_study *study, const picus_study_run_options *options) {
  picus_journal *journal = NULL;
  if (options->part_count < 0 ||
      (options->part_count > 0 && (options->part < 1 || options->part > options->part_count)))
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT, "part %d of %d: parts are 1 to their number", options->part,
                      options->part_count);
  if (options->part_count > 0 && options->claim)
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT, "a part of a study is not shared by a queue");
  picus_status status = PICUS_OK;
  if (options->journal)
    status = picus_journal_open(study->context, options->journal, title_of(study), read_record, study, &journal);
  if (!status) status = run_missing(study, options, journal);
  picus_journal_close(journal);
  return status;
}

picus_status picus_study_try(picus_study *study, int count, const long *points, double *seconds) {
  *seconds = 0;
  if (count < 1 || count > study->count || !points)
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT, "a study of %ld points cannot try %d", study->count, count);
  for (int k = 0; k < count; k++)
    if (points[k] < 0 || points[k] >= study->count)
      return picus_fail(study->context, PICUS_ERROR_ARGUMENT, "the study has no point %ld", points[k]);
  batch b = {.study = study, .points = points, .count = count};
  const picus_status status = run_batch(&b);
  for (int k = 0; !status && k < count; k++) *seconds += b.rows[k].seconds;
  release_batch(&b);
  return status;
}
