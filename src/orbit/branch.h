/* What the files of branches share: the continuation (branch.c), where a special orbit is (branch_locate.c), the way
 * over a change of the sequence (branch_cross.c), the neighbouring sequence (branch_change.c), rows (branch_rows.c). */
#ifndef PICUS_ORBIT_BRANCH_H
#define PICUS_ORBIT_BRANCH_H

#include "orbit/cycle.h"

enum { BRANCH_NOTE = 320 };

typedef struct branch_row {
  picus_orbit_branch_row row; /* without pointers */
  double *numbers;            /* n: state; then the multipliers */
  char *note;
} branch_row;

struct picus_orbit_branch {
  picus_context *context;
  const picus_system *system;
  char *parameter;
  int n;
  branch_row *rows;
  size_t count, capacity;
  char **sequences;
  size_t sequence_count, sequence_capacity;
};

/* An orbit on the branch, with what is known of it. */
typedef struct branch_point {
  cycle c;
  double *tangent; /* c.size */
  picus_multiplier *multipliers;
  int multiplier_count;
} branch_point;

typedef struct branch_walk {
  picus_orbit_branch *out;
  const picus_orbit_branch_def *def;
  picus_orbit_def orbit; /* of def, with the turns of doubled orbits */
  cycle_problem b;
  condition_list *margins; /* of the orbit that was checked last */
  branch_point here;
  double step;   /* the next one */
  int doublings; /* still to follow */
  int doubled;
  double amplitude; /* of the last orbit without switching points */
  int multiplied;   /* impacts that were added one after the other */
} branch_walk;

/* branch.c: a point for cycles of as many phases as c. */
picus_status picus_branch_point_create(branch_walk *w, const cycle *c, branch_point *out);
void picus_branch_point_release(branch_walk *w, branch_point *p); /* a zeroed one is fine */
/* Tangent and multipliers of its cycle, which is solved. */
picus_status picus_branch_complete(branch_walk *w, branch_point *p, const double *along);
/* The point at the distance s along the tangent of `from`; guess: where its cycle is expected, or NULL. */
picus_status picus_branch_solve(branch_walk *w, const branch_point *from, double s, const double *guess,
                                branch_point *out, int *iterations);

/* A row of a point whose conditions are checked, and the last row of the branch. */
picus_status picus_branch_add_checked(branch_walk *w, const branch_point *p, picus_orbit_kind kind, int law,
                                      const char *note);
picus_status picus_branch_end(branch_walk *w, const branch_point *p, const char *note);
/* A failure that says something about the orbit, not about the program. */
static inline bool picus_branch_is_answer(picus_status status) {
  return status != PICUS_ERROR_MEMORY && status != PICUS_INTERRUPTED;
}

/* branch_cross.c: where the first of the conditions that no longer hold at `to` is zero. *s: the distance of `to`, then
 * of the place. */
picus_status picus_branch_find_change(branch_walk *w, const branch_point *to, double s_to, branch_point *at, double *s,
                                      condition *which);
/* The branch comes to this change of the sequence. *ends: it does not continue. */
picus_status picus_branch_change_sequence(branch_walk *w, const branch_point *at, const branch_point *beyond,
                                          const condition *c, bool *ends);
/* Phase k becomes 0. *is_lost: the branch is where this happens, and continues without it. */
picus_status picus_branch_lose_phase(branch_walk *w, int k, bool *is_lost);

/* branch_locate.c: the functions whose zeros are special orbits. */
typedef enum branch_test {
  TEST_FOLD,
  TEST_FLIP,
  TEST_NEIMARK,
  TEST_CROSSING,
  BRANCH_TESTS,
  TEST_CONDITION
} branch_test;
double picus_branch_test(const branch_point *p, branch_test test);
/* What is zero: a test, or with TEST_CONDITION a condition. */
typedef struct branch_goal {
  branch_test test;
  const condition *condition;
} branch_goal;
/* Where it changes its sign between two points. *s: the distance from `from` of the other one, then of the place. */
picus_status picus_branch_locate(branch_walk *w, const branch_point *from, const branch_point *to, branch_goal goal,
                                 branch_point *out, double *s);
/* Whether such a zero is what the test says. */
bool picus_branch_is_special(const branch_point *p, branch_test test);

/* branch_change.c: what happens where a condition is zero. */
typedef struct branch_change {
  picus_orbit_kind kind;
  int law;
  bool has_cycle; /* the neighbouring sequence follows from this one */
  char what[BRANCH_NOTE];
} branch_change;
/* at: where the condition is zero; beyond: where it does not hold. out: if has_cycle. */
picus_status picus_branch_neighbour(branch_walk *w, const cycle *at, const cycle *beyond, const condition *c,
                                    branch_change *change, cycle *out);
/* The orbit of twice the period at a flip, with the direction of its branch. */
picus_status picus_branch_double(branch_walk *w, const branch_point *flip, branch_point *out);

/* branch_rows.c */
picus_status picus_branch_add_row(branch_walk *w, const branch_point *p, picus_orbit_kind kind, int law,
                                  const char *note);

#endif
