/* What runs with fixed steps watch at their contacts: penetrations that the scheme does not explain, and contacts that
 * were passed through between two looks at their gaps. Both are warnings of the summary.
 *
 * A scheme on velocity level closes a contact at the first look with g <= 0 and takes its approach velocity out. By
 * then it has gone no deeper than dt |gamma|, gamma being the gap velocity before the step, and from then on it goes
 * deeper in a step by dt/2 |gamma| at most: gamma would be zero but for the curvature of the gap. This is explained:
 *
 *   dt (|gamma| + |dt a|) when it closes, and dt |gamma| more in every step that takes it deeper,
 *
 * where dt a is what the forces change gamma by; where the gap closed faster in the step before, that counts for gamma.
 * Schatzman and Paoli's rule holds (q_{k+1} + e q_{k-1}) / (1 + e) out of the contact: twice e times the same is
 * explained. The other schemes hold the gaps themselves. */
#ifndef PICUS_SIM_PASSAGE_H
#define PICUS_SIM_PASSAGE_H

#include "scheme/internal.h"

/* One contact. Nothing is to be done at a look as long as 2 gap >= trigger: an open one has not come half way down
 * since the last look, so that it will not close before the next one if it goes on so; a closed one is not deeper than
 * before, or than is explained. */
typedef struct watched_contact {
  int law;
  double trigger;   /* open: the gap at the last look; closed: -2 times a depth that needs no warning */
  double widest;    /* largest gap so far */
  double approach;  /* > 0: at the last look it was about to close, having come so far since the look before */
  double explained; /* penetration since it closed */
} watched_contact;

typedef struct passage_watch {
  int count;
  watched_contact *contacts; /* laws that can open, increasing */
  /* while a gap is about to close: the end of the last step, and the rates there */
  bool about_to_close;
  double t, *q, *rate;    /* nq */
  double *place, *gap;    /* nq, law_count: a place on the way, and the gaps there */
  picus_summary *summary; /* what is found */
} passage_watch;

picus_status picus_passage_create(stepper *s, picus_summary *summary, passage_watch *out);
void picus_passage_release(stepper *s, passage_watch *watch); /* a zeroed one is fine */
/* After a step in which something is to be done. */
picus_status picus_passage_examine(passage_watch *watch, const scheme_ops *scheme, stepper *s,
                                   const picus_step_info *info);
/* Where the run ends, which may be between two looks. */
picus_status picus_passage_at_end(passage_watch *watch, const scheme_ops *scheme, stepper *s, double dt);

/* After every step. A contact that was passed over before another one asks for an examination has nothing to be
 * examined. */
static inline picus_status picus_passage_look(passage_watch *w, const scheme_ops *scheme, stepper *s,
                                              const picus_step_info *info) {
  if (w->about_to_close) return picus_passage_examine(w, scheme, s, info);
  const double *looked = s->looked;
  for (watched_contact *c = w->contacts, *end = c + w->count; c < end; c++) {
    const double gap = looked[c->law];
    if (2 * gap < c->trigger) return picus_passage_examine(w, scheme, s, info);
    if (gap <= 0) continue;
    c->trigger = gap;
    if (gap > c->widest) c->widest = gap;
  }
  return PICUS_OK;
}

#endif
