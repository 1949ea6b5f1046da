/* Sets of laws that change between steps: the first laws are those of the system, the others appear while bodies are
 * near each other, and vanish again. A source with appearing_ops lists them, each with a key; values that belong to a
 * law find it again by source and key. */
#ifndef PICUS_SYSTEM_LAW_SET_H
#define PICUS_SYSTEM_LAW_SET_H

#include "base/archive.h"
#include "system/internal.h"

/* The identity of a law: for fixed laws source -1 and their number. A rolling law has the key of its contact. Laws of a
 * set are in increasing order of it. */
typedef struct law_identity {
  int source;
  bool rolls;
  uint64_t key;
} law_identity;
static inline law_identity picus_law_identity(const law_set *set, int law) {
  const system_law *own = &set->laws[law];
  if (law < set->fixed_count) return (law_identity){.source = -1, .key = (uint64_t)law};
  return (law_identity){own->source, own->data.kind == PICUS_ROLLING, own->key};
}
static inline int picus_law_identity_compare(law_identity a, law_identity b) {
  if (a.source != b.source) return a.source < b.source ? -1 : 1;
  if (a.key != b.key) return a.key < b.key ? -1 : 1;
  return (a.rolls > b.rolls) - (a.rolls < b.rolls);
}
/* For each law of the set the index of the same law among `count` others, in increasing order; -1: it is not there. */
void picus_law_set_match(const law_set *set, int count, const law_identity *others, int *from);
/* The same between two sets. */
void picus_law_set_match_set(const law_set *set, const law_set *other, int *from);

enum { PICUS_LAW_NAME = 64 }; /* characters of the name of an appearing law, with the 0 at its end */

/* The memory of such a set. It grows by factors, so that it seldom does. */
typedef struct changing_set {
  picus_context *context;
  law_set set;
  size_t law_capacity, part_count, part_capacity;
  int *parts; /* of all laws that come and go */
  law_range *present;
  char (*names)[PICUS_LAW_NAME];
  size_t name_capacity;
  struct law_order *order; /* while laws are sorted: twice as many places as laws */
  size_t order_capacity;
  int *listed; /* for each law of the only source that listed some, in the order of its list: its place in the set */
  size_t listed_count, listed_capacity; /* listed_count 0: not known */
  int source;                           /* that is being asked for its laws */
  bool
      looks_inside; /* the gaps of its laws are looked at inside of steps, as in adaptive runs: none is passed unseen */
} changing_set;

/* With the laws of the system alone. On failure the set must still be released. */
picus_status picus_changing_set_create(picus_context *context, const picus_system *system, changing_set *out);
void picus_changing_set_release(changing_set *set); /* a zeroed one is fine */
/* Only the laws of the system are left. */
void picus_changing_set_clear(changing_set *set);

/* Which laws of the last set stay although no source lists them: those that a state in use needs. NULL: none. */
typedef struct kept_laws {
  bool (*keeps)(const void *user, int law); /* law: in the last set */
  const void *user;
} kept_laws;
/* The laws that may act within dt from the point of the evaluation, into `out`, whose earlier content is lost. last:
 * the set before, for names and kept laws. A source that lists a law twice is an error. *same: `last` has these laws
 * already, and `out` is empty; NULL: it is to be filled in any case. */
picus_status picus_changing_set_search(changing_set *out, picus_evaluation *evaluation, double dt,
                                       const changing_set *last, const kept_laws *kept, bool *same);
/* The same for the laws that overlap at the point, and all laws of the last set. */
picus_status picus_changing_set_add_overlaps(changing_set *out, picus_evaluation *evaluation, const changing_set *last);
/* The laws that come and go, by source, key and members; a reader gets all else of them from their sources, into a set
 * that is not in use. last: for names. */
void picus_changing_set_archive(changing_set *set, const changing_set *last, picus_archive *archive);
/* Whether rows, W and slopes of both sets have the same layout: the same laws, of the same kinds. */
bool picus_law_sets_agree(const law_set *a, const law_set *b);

/* Gaps, directions and slopes of the laws that come and go, into arrays of all laws of the set. */
picus_status picus_present_directions(picus_evaluation *evaluation);
/* The relative velocities of one law that comes and goes, at the point of the evaluation, without those of the others.
 * Its rows of W may change. */
picus_status picus_present_velocity(picus_evaluation *evaluation, int law, double *gamma);
picus_status picus_present_gap_slopes(picus_evaluation *evaluation, double *dg_dq);
picus_status picus_present_velocity_slopes(picus_evaluation *evaluation, double *dgamma_dq);
/* Where they act: a place for each of them, the first one for the law fixed_count. Bodies are those of the system
 * below. A source that does not know places leaves NANs, and bodies -1. */
picus_status picus_present_places(picus_evaluation *evaluation, law_place *places);
/* The bodies between which laws come and go: those of all sources, one after the other. */
int picus_system_body_count(const picus_system *system);
const char *picus_system_body_name(const picus_system *system, int body);
picus_status picus_present_velocity_drift(picus_evaluation *evaluation, double *dgamma_dt);

#endif
