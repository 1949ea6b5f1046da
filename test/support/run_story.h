/* All that a run tells, as bytes: to compare the bits of runs. */
#ifndef PICUS_TEST_RUN_STORY_H
#define PICUS_TEST_RUN_STORY_H

#include "support/simulate.h"

#include <stddef.h>

typedef struct story_bytes {
  unsigned char *at;
  size_t count, capacity;
} story_bytes;

enum { STORY_LISTS = 5, STORY_WHY = 400 };

typedef struct run_story {
  story_bytes lists[STORY_LISTS]; /* rows, switching points, laws, contacts, nodes */
  story_bytes summary, state;     /* at the end of the run; the time of the clock is not among them */
  picus_status status;
  char message[512];
  long steps;
} run_story;

/* Runs a simulation to its end and adds what it tells; summary and state are those of this run. */
picus_status run_story_tell(simulation *s, const picus_run_hooks *hooks, run_story *story);
/* If not, `why` names all that differs. */
bool run_story_same(const run_story *a, const run_story *b, char why[STORY_WHY]);
void run_story_free(run_story *story);

/* How much of each list there is, and back to it. */
typedef struct story_mark {
  size_t counts[STORY_LISTS];
} story_mark;
story_mark run_story_mark(const run_story *story);
void run_story_rewind(run_story *story, story_mark mark);

/* The bytes of picus_sim_save; at: to be freed. */
story_bytes run_story_save(picus_sim *sim);
bool run_story_same_bytes(const story_bytes *a, const story_bytes *b);

#endif
