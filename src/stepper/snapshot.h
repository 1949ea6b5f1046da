/* Snapshots of a stepper, to return to, and the stepper in a checkpoint. */
#ifndef PICUS_STEPPER_SNAPSHOT_H
#define PICUS_STEPPER_SNAPSHOT_H

#include "step_problem/step_problem.h"

typedef struct stepper stepper;
typedef struct stepper_snapshot stepper_snapshot;

/* All data that a stepper carries from step to step, for returning to it: time, state, results of the last step at the
 * laws, dissipated energy, impacts, memory of the scheme. The numbers are in one block, in the order of the pointers.
 * When the laws change, all snapshots of a stepper follow. */
struct stepper_snapshot {
  double t;
  size_t count; /* numbers in values */
  double *values;
  double *q, *u, *q_low;                                /* into values */
  double *P, *dissipated, *driven, *work;               /* rows; laws; laws; works */
  double *totals;                                       /* watch_until and what is gone */
  double *opened, *closed, *struck, *impacts, *chatter; /* laws */
  double *memory, *law_memory;
  double *sides; /* of a stepper that holds them */
  picus_mode *modes;
};

picus_status picus_snapshot_create(stepper *s, stepper_snapshot *out);
void picus_snapshot_release(stepper *s, stepper_snapshot *snapshot);                         /* a zeroed one is fine */
void picus_snapshot_find(const stepper *s, stepper_snapshot *snapshot);                      /* its memory has moved */
void picus_snapshot_carry(stepper *s, const law_change *change, stepper_snapshot *snapshot); /* to the laws of s */
void picus_snapshot_save(const stepper *s, stepper_snapshot *out);
void picus_snapshot_restore(const stepper_snapshot *snapshot, stepper *s);

/* --- The stepper in a checkpoint. A reader has been created with the same system and options, and has the
 * laws, the state and all that steps depend on afterwards. Inputs included. --- */
void picus_stepper_archive(stepper *s, picus_archive *archive);
/* A snapshot of the laws that the stepper has. */
void picus_snapshot_archive(const stepper *s, stepper_snapshot *snapshot, picus_archive *archive);
/* Laws read from a checkpoint, in s->next, become those of the stepper (present_laws.c). */
picus_status picus_stepper_adopt_laws(stepper *s);

#endif
