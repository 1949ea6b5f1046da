/* The columns of a result. Types only. */
#ifndef PICUS_COLUMN_H
#define PICUS_COLUMN_H

typedef enum picus_column_kind {
  PICUS_COLUMN_TIME,
  PICUS_COLUMN_COORDINATE,
  PICUS_COLUMN_VELOCITY,
  PICUS_COLUMN_GAP,
  PICUS_COLUMN_LAW_VELOCITY,
  PICUS_COLUMN_PERCUSSION,
  PICUS_COLUMN_MODE,
  PICUS_COLUMN_ENERGY,
  PICUS_COLUMN_STEP, /* step size and order, in adaptive runs; residual of the contact problems */
  PICUS_COLUMN_OBSERVABLE,
  PICUS_COLUMN_INPUT,
  PICUS_COLUMN_FORCE,   /* contact force at an end of a step, in schemes that have such forces */
  PICUS_COLUMN_IMPULSE, /* contact impulse at the end of a step, in these schemes */
  PICUS_COLUMN_WORK     /* since the start of the run */
} picus_column_kind;

typedef struct picus_column {
  const char *name;  /* "phiS", "beak.gap", "E.kin" */
  const char *unit;  /* "" if unknown */
  const char *label; /* in figures; never NULL */
  picus_column_kind kind;
} picus_column;

#endif
