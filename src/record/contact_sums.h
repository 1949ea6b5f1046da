/* Percussions of contacts that come and go since the last row. A contact is found again by source and key, also if it
 * has vanished in the meantime: none loses its percussion. */
#ifndef PICUS_RECORD_CONTACT_SUMS_H
#define PICUS_RECORD_CONTACT_SUMS_H

#include "record/internal.h"

enum { PICUS_CONTACT_PERCUSSIONS = 6 }; /* PN, PF and PR */

typedef struct contact_sum {
  picus_contact_point point;                /* at the end of the last step in which it acted */
  double before[PICUS_CONTACT_PERCUSSIONS]; /* of complete steps since the last row */
  double last[PICUS_CONTACT_PERCUSSIONS];   /* of the last step */
} contact_sum;

typedef struct contact_sums {
  size_t count, capacity, next_capacity;
  contact_sum *sums, *next; /* in increasing order of source and key; next: memory for the list after a step */
} contact_sums;

void picus_contact_sums_release(picus_context *context, contact_sums *sums);
/* After a step. left: the share of the step before it that no row has yet. */
picus_status picus_contact_sums_add(picus_context *context, contact_sums *sums, const picus_step_view *step,
                                    double left);
/* The contacts of a row: those that touch, and all that acted since the row before, in increasing order. NULL sums:
 * with the percussions of the last step. share: of the last step in this row. The sums begin anew. */
typedef struct contact_points {
  picus_contact_point *points;
  size_t count, capacity;
} contact_points;
picus_status picus_contact_sums_take(picus_context *context, contact_sums *sums, const picus_row_view *row,
                                     double share, contact_points *out);
void picus_contact_sums_archive(contact_sums *sums, picus_archive *archive);
void picus_contact_point_archive(picus_contact_point *point, picus_archive *archive);

#endif
