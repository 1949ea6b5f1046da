#define _POSIX_C_SOURCE 200809L
#include "checkpoint_history.h"
#include "checkpoint_file.h"

#include "base/file_names.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "base/output_file.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static void for_each(const char *path, number_fn visit, void *user) {
  char folder[PICUS_PATH_SIZE];
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  picus_folder_name(path, folder);
  DIR *open = opendir(folder);
  for (struct dirent *one; open && (one = readdir(open));) {
    const long number = number_of(base, one->d_name);
    if (number > 0) visit(user, number);
  }
  if (open) closedir(open);
}

typedef struct number_range {
  const char *path;
  long from, to; /* that go */
} number_range;

static void drop(void *user, long number) {
  const number_range *range = user;
  char name[PICUS_PATH_SIZE];
  if (number >= range->from && number <= range->to && name_number(range->path, number, name)) remove(name);
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
  if (name_number(paths->from, number, from) && name_number(paths->to, number, to)) (void)rename(from, to);
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
  remove(name);
  if (link(path, name) == 0) return true;
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
  if (!cli_checkpoint_peek(s->context, path, &t, &number)) return;
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
