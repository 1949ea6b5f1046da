/* The file of a checkpoint of picus run, written and read back, and its history: earlier checkpoints under their
 * numbers. checkpoint_file.h describes both. */
#define _POSIX_C_SOURCE 200809L
#include "base/archive.h"
#include "base/file_names.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "checkpoints.h"
#include "cli/cli.h"
#include "platform/files.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the file ----------------------------------------------------------------------------------------------------- */

enum { WORDS_MOST = 4096, WORD_LONGEST = 1 << 20, FILES_MOST = 1 << 20 };
static const char head[16] = "picus run ck 3\n";

char *cli_checkpoint_path(const char *result) {
  const size_t size = strlen(result) + sizeof ".checkpoint";
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s.checkpoint", result);
  else
    cli_complain("out of memory");
  return path;
}

char *cli_option_word(const char *name, const char *value) {
  const size_t room = strlen(name) + strlen(value) + sizeof "--=";
  char *word = malloc(room);
  if (word) snprintf(word, room, *value ? "--%s=%s" : "--%s", name, value);
  return word;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void write_block(picus_archive *a, const void *bytes, size_t size) {
  picus_archive_count(a, &size, 1);
  if (size > 0) picus_archive_bytes(a, (void *)bytes, size);
}

static void write_word(picus_archive *a, const char *word) { write_block(a, word, strlen(word) + 1); }

static void write_option(picus_archive *a, const char *name, const char *value) {
  char *word = cli_option_word(name, value);
  if (word)
    write_word(a, word);
  else
    a->status = picus_fail(a->context, PICUS_ERROR_MEMORY, "out of memory");
  free(word);
}

/* Options with their values, then operands. */
static void write_words(const cli_arguments *arguments, picus_archive *a) {
  size_t count = 3 + (size_t)cli_operand_count(arguments);
  for (int i = 0; i < cli_run.option_count; i++)
    for (int k = 0; cli_value(arguments, cli_run.options[i].name, k); k++) count++;
  picus_archive_count(a, &count, 1);
  write_word(a, "picus");
  write_word(a, "run");
  for (int i = 0; i < cli_run.option_count; i++)
    for (int k = 0; cli_value(arguments, cli_run.options[i].name, k); k++)
      write_option(a, cli_run.options[i].name, cli_value(arguments, cli_run.options[i].name, k));
  write_word(a, "--");
  for (int i = 0; i < cli_operand_count(arguments); i++) write_word(a, cli_operand(arguments, i));
}

static void write_model(const cli_checkpoint_facts *f, picus_archive *a) {
  size_t count = (size_t)f->file_count;
  write_word(a, f->model_name);
  write_word(a, f->model_text);
  picus_archive_count(a, &count, 1);
  for (int k = 0; k < f->file_count; k++) {
    write_word(a, f->files[k].name);
    write_block(a, f->files[k].bytes, f->files[k].size);
  }
}

static void archive_time(cli_checkpoint_facts *f, picus_archive *a) {
  picus_archive_double(a, &f->t);
  picus_archive_long(a, &f->number);
  picus_archive_bool(a, &f->is_end);
}

static void archive_mark(picus_row_mark *mark, picus_archive *a) {
  picus_archive_long(a, &mark->rows);
  picus_archive_word(a, &mark->last_row);
  picus_archive_long(a, &mark->switchings);
  picus_archive_long(a, &mark->states);
  picus_archive_long(a, &mark->contact_rows);
}

/* What stands before the simulation. */
static void write_front(const cli_arguments *arguments, const cli_checkpoint_facts *facts, picus_archive *a) {
  cli_checkpoint_facts copy = *facts;
  picus_archive_bytes(a, (void *)head, sizeof head);
  archive_time(&copy, a);
  write_words(arguments, a);
  write_model(&copy, a);
  archive_mark(&copy.mark, a);
}

picus_status cli_checkpoint_write(picus_context *context, const char *path, const cli_arguments *arguments,
                                  const cli_checkpoint_facts *facts, picus_sim *sim, size_t sim_size) {
  picus_archive measured = {.context = context, .direction = ARCHIVE_MEASURES};
  write_front(arguments, facts, &measured);
  if (measured.status) return measured.status;
  const size_t all = measured.at + sim_size + sizeof(uint64_t);
  picus_archive a = {
      .context = context, .direction = ARCHIVE_WRITES, .to = picus_allocate(context, all, 1), .size = all};
  if (!a.to) return PICUS_ERROR_MEMORY;
  write_front(arguments, facts, &a);
  if (!a.status) a.status = picus_sim_save(sim, a.to + a.at, sim_size, &sim_size);
  a.at += sim_size;
  uint64_t sum = a.status ? 0 : picus_check_sum(a.to, a.at);
  picus_archive_word(&a, &sum);
  if (!a.status) a.status = picus_output_save(context, path, a.to, all);
  picus_release(context, a.to);
  return a.status;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Bytes in their place; NULL: the archive has failed. */
static char *read_block(const cli_checkpoint *c, picus_archive *a, size_t *size) {
  picus_archive_count(a, size, 1);
  if (a->status) return NULL;
  char *block = (char *)c->all + a->at;
  a->at += *size;
  return block;
}

static char *read_word(const cli_checkpoint *c, picus_archive *a, size_t longest) {
  size_t length = 0;
  char *word = read_block(c, a, &length);
  if (!a->status && (length < 1 || length > longest || word[length - 1] != 0))
    picus_archive_reject(a, "one of its texts has no end");
  return a->status ? NULL : word;
}

static void read_words(cli_checkpoint *c, picus_archive *a) {
  size_t count = 0;
  picus_archive_count(a, &count, 2);
  if (!a->status && (count < 3 || count > WORDS_MOST)) picus_archive_reject(a, "its command is too long");
  c->words = a->status ? NULL : calloc(count + 1, sizeof *c->words);
  if (!a->status && !c->words) a->status = picus_fail(a->context, PICUS_ERROR_MEMORY, "out of memory");
  for (size_t k = 0; c->words && !a->status && k < count; k++) {
    c->words[k] = read_word(c, a, WORD_LONGEST);
    if (!a->status) c->word_count = (int)k + 1;
  }
}

static void read_model(cli_checkpoint *c, picus_archive *a) {
  size_t count = 0;
  c->facts.model_name = read_word(c, a, WORD_LONGEST);
  c->facts.model_text = read_word(c, a, SIZE_MAX);
  picus_archive_count(a, &count, 2);
  if (!a->status && count > FILES_MOST) picus_archive_reject(a, "its model has too many files");
  c->files = a->status ? NULL : calloc(count + 1, sizeof *c->files);
  if (!a->status && !c->files) a->status = picus_fail(a->context, PICUS_ERROR_MEMORY, "out of memory");
  for (size_t k = 0; c->files && !a->status && k < count; k++) {
    c->files[k].name = read_word(c, a, WORD_LONGEST);
    c->files[k].bytes = read_block(c, a, &c->files[k].size);
  }
  c->facts.files = c->files;
  c->facts.file_count = a->status ? 0 : (int)count;
}

static picus_status take_apart(picus_context *context, cli_checkpoint *c, size_t size) {
  picus_archive a = {.context = context, .direction = ARCHIVE_READS, .from = c->all, .size = size, .part = "command"};
  char found[sizeof head];
  uint64_t sum;
  if (size < sizeof head + sizeof sum || memcmp(c->all, head, sizeof head - 3) != 0)
    return picus_fail(context, PICUS_ERROR_IO, "it is not a checkpoint of picus run");
  if (memcmp(c->all, head, sizeof head) != 0)
    return picus_fail(context, PICUS_ERROR_IO, "another version of Picus made it; use that version");
  a.size -= sizeof sum;
  memcpy(&sum, c->all + a.size, sizeof sum);
  if (sum != picus_check_sum(c->all, a.size)) return picus_fail(context, PICUS_ERROR_IO, "its checksum is wrong");
  picus_archive_bytes(&a, found, sizeof found);
  archive_time(&c->facts, &a);
  read_words(c, &a);
  read_model(c, &a);
  archive_mark(&c->facts.mark, &a);
  c->bytes = c->all + a.at;
  c->size = a.size - a.at;
  return a.status;
}

picus_status cli_checkpoint_open(picus_context *context, const char *path, cli_checkpoint *out) {
  size_t size;
  *out = (cli_checkpoint){.context = context};
  const picus_status status = picus_file_bytes(context, path, SIZE_MAX / 4, &out->all, &size);
  return status ? status : take_apart(context, out, size);
}

bool cli_checkpoint_read(picus_context *context, const char *path, cli_checkpoint *out) {
  if (!cli_checkpoint_open(context, path, out)) return true;
  if (out->all)
    cli_complain("the checkpoint '%s' cannot be used: %s", path, cli_error_text(context));
  else
    cli_complain("there is no checkpoint that can be read: %s; 'picus run ... --checkpoint 60' saves one",
                 cli_error_text(context));
  return false;
}

/* Without a simulation. */
static picus_status make_start(picus_context *context, const cli_arguments *arguments,
                               const cli_checkpoint_facts *facts, cli_checkpoint *out) {
  picus_archive measured = {.context = context, .direction = ARCHIVE_MEASURES};
  write_front(arguments, facts, &measured);
  if (measured.status) return measured.status;
  const size_t size = measured.at + sizeof(uint64_t);
  *out = (cli_checkpoint){.context = context, .all = picus_allocate(context, size, 1)};
  if (!out->all) return PICUS_ERROR_MEMORY;
  picus_archive a = {.context = context, .direction = ARCHIVE_WRITES, .to = out->all, .size = size};
  write_front(arguments, facts, &a);
  uint64_t sum = picus_check_sum(out->all, a.at);
  picus_archive_word(&a, &sum);
  return a.status ? a.status : take_apart(context, out, size);
}

bool cli_checkpoint_of_part(picus_context *context, const char *result, cli_checkpoint *out) {
  char part[PICUS_PATH_SIZE];
  picus_context *silent = cli_context(true);
  picus_result *rows = NULL;
  int count = 0;
  bool found = silent && picus_part_name(result, part) == 0 && !picus_result_open(silent, part, &rows);
  char **words = found ? cli_split_words(picus_result_text(rows, "command"), &count) : NULL;
  found = words && count > 2 && strcmp(words[1], "run") == 0;
  cli_arguments *arguments = found ? cli_parse(&cli_run, count, words) : NULL;
  found = arguments && (cli_given(arguments, "checkpoint") || cli_given(arguments, "nice-exit-after"));
  const cli_checkpoint_facts facts = {.model_name = found ? cli_operand(arguments, 0) : "",
                                      .model_text = found ? picus_result_text(rows, "model.source") : ""};
  *out = (cli_checkpoint){0};
  found = found && facts.model_name && !make_start(context, arguments, &facts, out);
  cli_arguments_free(arguments);
  free(words);
  picus_result_close(rows);
  picus_context_destroy(silent);
  return found;
}

void cli_checkpoint_free(cli_checkpoint *c) {
  free(c->words);
  free(c->files);
  if (c->context) picus_release(c->context, c->all);
  *c = (cli_checkpoint){0};
}

/* The time and number of a checkpoint, without reading it all; false: it is none. */
static bool checkpoint_peek(picus_context *context, const char *path, double *t, long *number) {
  unsigned char front[sizeof head + 64];
  FILE *file = picus_stream_read(path);
  const size_t size = file ? fread(front, 1, sizeof front, file) : 0;
  if (file) fclose(file);
  picus_archive a = {.context = context, .direction = ARCHIVE_READS, .from = front, .size = size};
  char found[sizeof head];
  cli_checkpoint_facts facts = {0};
  if (size < sizeof front || memcmp(front, head, sizeof head) != 0) return false;
  picus_archive_bytes(&a, found, sizeof found);
  archive_time(&facts, &a);
  *t = facts.t;
  *number = facts.number;
  return !a.status && isfinite(facts.t) && facts.number >= 1;
}

/* --- earlier checkpoints ------------------------------------------------------------------------------------------ */

/* RESULT.h5.checkpoint.NUMBER; false: too long. */
static bool name_number(const char *path, long number, char name[PICUS_PATH_SIZE]) {
  const int length = snprintf(name, PICUS_PATH_SIZE, "%s.%ld", path, number);
  return length > 0 && length < PICUS_PATH_SIZE;
}

/* The number behind the name of a checkpoint; 0: it is another file. */
static long number_of(const char *base, const char *name) {
  const size_t length = strlen(base);
  char *end;
  if (strncmp(name, base, length) != 0 || name[length] != '.' || name[length + 1] < '1' || name[length + 1] > '9')
    return 0;
  const long number = strtol(name + length + 1, &end, 10);
  return *end ? 0 : number;
}

/* Calls a function with the number of each checkpoint of the history. */
typedef void (*number_fn)(void *user, long number);
typedef struct number_visit {
  const char *base;
  number_fn visit;
  void *user;
} number_visit;

static bool visit_name(void *user, const char *name) {
  const number_visit *v = user;
  const long number = number_of(v->base, name);
  if (number > 0) v->visit(v->user, number);
  return true;
}

static void for_each(const char *path, number_fn visit, void *user) {
  char folder[PICUS_PATH_SIZE];
  picus_folder_name(path, folder);
  (void)picus_folder_list(folder, visit_name, &(number_visit){picus_last_name(path), visit, user});
}

typedef struct number_range {
  const char *path;
  long from, to; /* that go */
} number_range;

static void drop(void *user, long number) {
  const number_range *range = user;
  char name[PICUS_PATH_SIZE];
  if (number >= range->from && number <= range->to && name_number(range->path, number, name)) (void)picus_remove(name);
}

void cli_history_drop_after(const char *path, long number) {
  for_each(path, drop, &(number_range){path, number + 1, LONG_MAX});
}

typedef struct two_paths {
  const char *from, *to;
} two_paths;

static void rename_number(void *user, long number) {
  const two_paths *paths = user;
  char from[PICUS_PATH_SIZE], to[PICUS_PATH_SIZE];
  if (name_number(paths->from, number, from) && name_number(paths->to, number, to)) (void)picus_rename(from, to);
}

void cli_history_rename(const char *path, const char *other) {
  for_each(path, rename_number, &(two_paths){path, other});
}

static void note_one(void *user, long number) {
  (void)number;
  *(bool *)user = true;
}

bool cli_history_exists(const char *path) {
  bool found = false;
  for_each(path, note_one, &found);
  return found;
}

/* A second name of the file; where there is none, a copy. */
static bool give_name(picus_context *context, const char *path, const char *name) {
  unsigned char *bytes = NULL;
  size_t size = 0;
  (void)picus_remove(name);
  if (!picus_second_name(path, name)) return true;
  bool done =
      !picus_file_bytes(context, path, SIZE_MAX / 4, &bytes, &size) && !picus_output_save(context, name, bytes, size);
  picus_release(context, bytes);
  return done;
}

bool cli_history_add(picus_context *context, const char *path, long number, long keep) {
  char name[PICUS_PATH_SIZE];
  if (keep <= 1) return true;
  if (!name_number(path, number, name) || !give_name(context, path, name)) return false;
  for_each(path, drop, &(number_range){path, 1, number - keep});
  return true;
}

/* --- finding ------------------------------------------------------------------------------------------------------ */

typedef struct history_search {
  picus_context *context;
  const char *path;
  double t;                    /* at or before */
  double best, earliest;       /* of those found; INFINITY: none */
  char found[PICUS_PATH_SIZE]; /* "": none */
} history_search;

/* Times of steps differ from a given time by round-off. */
static void look_at(history_search *s, const char *path) {
  const double slack = 1e-9 * fmax(fabs(s->t), 1e-300);
  double t;
  long number;
  if (!checkpoint_peek(s->context, path, &t, &number)) return;
  s->earliest = fmin(s->earliest, t);
  if (t > s->t + slack || (s->found[0] && t <= s->best)) return;
  s->best = t;
  snprintf(s->found, sizeof s->found, "%s", path);
}

static void look_at_number(void *user, long number) {
  history_search *s = user;
  char name[PICUS_PATH_SIZE];
  if (name_number(s->path, number, name)) look_at(s, name);
}

static char *search(history_search *s) {
  look_at(s, s->path);
  for_each(s->path, look_at_number, s);
  char *copy = s->found[0] ? strdup(s->found) : NULL;
  if (s->found[0] && !copy) cli_complain("out of memory");
  return copy;
}

char *cli_history_find_before(picus_context *context, const char *path, double t) {
  history_search s = {.context = context, .path = path, .t = t - 1e-8 * fabs(t), .earliest = INFINITY};
  return search(&s);
}

char *cli_history_find(picus_context *context, const char *path, double t) {
  history_search s = {.context = context, .path = path, .t = t, .earliest = INFINITY};
  char *found = search(&s);
  if (s.found[0]) return found;
  if (isfinite(s.earliest))
    cli_complain("there is no checkpoint at or before t = %.9g: the earliest one is of t = %.9g; 'picus run ... "
                 "--checkpoint-keep N' keeps the last N",
                 t, s.earliest);
  else
    cli_complain("there is no checkpoint '%s' that can be read; 'picus run ... --checkpoint 60' saves one", path);
  return NULL;
}
