/* What contacts of shapes dissipate and transmit, summed by pair of bodies or of materials. */
#ifndef PICUS_RECORD_PAIR_SUMS_H
#define PICUS_RECORD_PAIR_SUMS_H

#include "record/internal.h"
#include "system/source.h"

/* Numbers of a pair in each step: sum of PN, sum of |PF|, and the resultant on the first body. */
enum { PAIR_PN, PAIR_PF, PAIR_RESULTANT, PICUS_PAIR_NUMBERS = PAIR_RESULTANT + 3 };

/* A law that comes and goes, as the last step left it. */
typedef struct pair_law {
  law_identity identity;
  int pair;          /* -1: none */
  double dissipated; /* J */
} pair_law;

typedef struct pair_sums {
  picus_pair_sum kind; /* PICUS_PAIRS_NONE: nobody asked */
  const picus_system *system;
  const system_source *source; /* of the contacts; NULL: the system has none */
  const law_pairing *pairing;
  int members, count; /* bodies and frames, or materials; pairs */
  int numbers;        /* recorded percussions of a pair: without the resultant 2, else 4 or 5 */
  int *pair_of;       /* members x members; -1: they do not meet */
  char **names;       /* of the pairs: "a-b" */
  double *gone;       /* J, of laws that have vanished */
  double *total_PN;   /* N s, since the start */
  size_t law_count, law_capacity, next_capacity;
  pair_law *laws, *next; /* in increasing order of their identities; next: memory for the list after a step */
} pair_sums;

/* Pairs of a system, in the order of its bodies or materials. An error if there are too many for columns. */
picus_status picus_pair_sums_create(picus_context *context, const picus_system *system, picus_pair_sum kind,
                                    pair_sums *out);
void picus_pair_sums_release(picus_context *context, pair_sums *sums); /* a zeroed one is fine */
/* Whether steps need the places of their contacts. */
static inline bool picus_pair_sums_need_places(const pair_sums *sums) { return sums->numbers > PAIR_RESULTANT; }
/* Percussions of a step in a block of this size. */
static inline size_t picus_pair_sums_size(const pair_sums *sums) { return (size_t)sums->count * (size_t)sums->numbers; }
/* Columns after those of the system. */
picus_status picus_pair_sums_add_columns(picus_context *context, const pair_sums *sums, picus_column_list *list);
/* After a step: laws that have vanished leave their energy to their pairs. P: percussions of the step by pair. */
picus_status picus_pair_sums_follow(picus_context *context, pair_sums *sums, const picus_step_view *step, double *P);
/* Numbers of a row; P: percussions since the last row by pair. */
void picus_pair_sums_fill(const pair_sums *sums, const picus_row_view *row, const double *P, double *out);
/* J, since the start, as the last step left it. */
double picus_pair_sums_dissipated(const pair_sums *sums, int pair);
void picus_pair_sums_archive(pair_sums *sums, picus_archive *archive);

#endif
