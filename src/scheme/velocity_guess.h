/* Where Newton's iteration of a step begins: the change of velocity in the last steps is continued as a polynomial in
 * time. Its order is the one that would have served the last step best, so a jump costs one step, not several. A guess
 * changes the number of iterations, not their tolerance. */
#ifndef PICUS_SCHEME_VELOCITY_GUESS_H
#define PICUS_SCHEME_VELOCITY_GUESS_H

#include "step_problem/law_arrays.h"

enum { PICUS_GUESS_ORDER = 3 };

typedef struct velocity_guess {
  int nu, most;                          /* velocities, and the highest order */
  double *change[PICUS_GUESS_ORDER + 1]; /* of the last steps, the last one first */
  int known;                             /* of these */
  int order;                             /* changes that the next guess continues; 0: none */
  double dt;                             /* of the last step */
} velocity_guess;

picus_status picus_velocity_guess_create(law_arrays *arrays, int nu, int most, velocity_guess *out);
static inline void picus_velocity_guess_forget(velocity_guess *guess) { guess->known = guess->order = 0; }
/* u at the end of a step that begins with u_begin. */
void picus_velocity_guess_find(const velocity_guess *guess, double dt, const double *u_begin, double *u);
/* The step ended with u. The weights make velocities of different units comparable. */
void picus_velocity_guess_note(velocity_guess *guess, double dt, const double *u_begin, const double *u,
                               const double *weight);
void picus_velocity_guess_archive(velocity_guess *guess, picus_archive *archive);

#endif
