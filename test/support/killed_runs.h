/* Runs of the tool that are killed (SIGKILL) and go on from their checkpoints, compared with runs that never stopped.
 *
 * A run dies at its n-th call that changes a file: before it, after it, or after half of its bytes; or when its n-th
 * checkpoint has its name, as if it were killed while it computes. n is random over all calls that the run makes. So
 * kills hit every place of the protocol, whatever the load of the machine. What goes on is killed again. */
#ifndef PICUS_TEST_KILLED_RUNS_H
#define PICUS_TEST_KILLED_RUNS_H

#include <stdbool.h>

typedef struct killed_command {
  const char *words;      /* "run MODEL ...", without --out and --checkpoint */
  const char *checkpoint; /* of --checkpoint */
} killed_command;

enum { KILLED_MOST = 64 };

/* Results are in pieces.h5, without kills in whole-K.h5. */
typedef struct killed_runs {
  const killed_command *commands;
  int count;   /* at most KILLED_MOST */
  long wanted; /* killed runs that go on, at least; RESUME_KILLS is more important */
  int each;    /* kills of a run, at most; with RESUME_KILLS four */
  /* Whether a run without kills is what it should be; NULL: not asked. */
  bool (*is_fine)(const char *path);
} killed_runs;

/* Each command at least once; the seed is RESUME_SEED. */
void killed_runs_try(const killed_runs *runs);

void killed_runs_clear(void); /* removes all that a run into pieces.h5 leaves */
void killed_runs_save(const char *path, const char *text);

#endif
