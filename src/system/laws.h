/* Laws of a system, and sets of them. */
#ifndef PICUS_SYSTEM_LAWS_H
#define PICUS_SYSTEM_LAWS_H

#include "contact/sizes.h"
#include "system/source.h"

#include <picus/system.h>

enum { PICUS_LAW_LOADS = 6, PICUS_LAW_MEMBERS = 4 }; /* constraints that load a law; numbers of its members */

struct system_law {
  picus_system_law data;
  int source; /* that evaluates it */
  /* of a law that comes and goes: unique in the source and the same in every step that lists the law; numbers by which
   * the source finds what the law belongs to; rows of the rolling law that follows a contact, 0: none */
  uint64_t key;
  int members[PICUS_LAW_MEMBERS], rolls;
  int part_count; /* parts that it acts on, in increasing order */
  int *parts;     /* part_count indices */
  int width;      /* velocities it acts on: sum of the parts' nu */
  size_t W0;      /* offset of its dim x width rows among all W values */
  int from, to;   /* entries of its rows of W before and from there on are always zero; 0, 0: not known */
  int load_count, load[PICUS_LAW_LOADS]; /* of data.loaded: its constraints, fixed laws */
  double load_length;                    /* see picus_friction_def */
  unsigned turned;                       /* bit k: load k counts with the other sign */
  int off_input;                         /* 1 + the input that is 1 while events have switched it off; 0: none */
  double slack;                          /* m: a contact takes part if its gap is not larger, whatever the run says */
  int q_width;                           /* coordinates of these parts */
  size_t gap_q0;                         /* offset of its row among dg/dq of all laws */
  size_t Q0;                             /* offset of its dim x q_width rows among dgamma/dq of all laws */
  char *name;
};

/* Laws that share a part, for every law, itself among them: neighbour[start[i]] ... neighbour[start[i + 1] - 1],
 * increasing. */
typedef struct law_graph {
  size_t *start;
  int *neighbour;
  size_t law_capacity, part_capacity, neighbour_capacity; /* of the memory, also of that for building it */
  size_t *part_start;
  int *law_of_part, *mark;
} law_graph;

/* Consecutive laws of a set. */
typedef struct law_range {
  int first, count;
} law_range;

/* m: a contact with adhesion is closed up to this gap, so that round-off does not tear it off. */
#define PICUS_ADHESION_SLACK 1e-9

/* Laws that are solved together: those of a system, which stay, or those of a stepper. Evaluations, steppers and
 * contact problems refer to the set they work with; values of laws, rows and W are laid out by it. */
typedef struct law_set {
  const picus_system *system; /* whose parts the laws act on */
  int law_count, row_count;
  size_t W_size;             /* values in W, all laws */
  size_t gap_q_size, Q_size; /* values in dg/dq and dgamma/dq, all laws */
  system_law *laws;
  law_graph graph; /* of sets whose G is neither dense nor factored */
  /* of sets that change (law_set.h); else fixed_count is law_count, and the rest zero */
  bool by_factors;          /* beyond PICUS_FACTORED_ROWS rows G is not formed */
  int fixed_count;          /* laws of the system, which come first */
  const law_range *present; /* for each source: those among them that it evaluates */
  unsigned long version;    /* another one whenever the laws change */
} law_set;

/* Whether G of the laws stays a product of factors: then there is no graph. */
static inline bool picus_law_set_is_factored(const law_set *set) {
  return set->by_factors && set->row_count > PICUS_FACTORED_ROWS;
}

/* Whether G of the laws is a complete matrix: of few rows, and of joints alone only of fewer, because their factors
 * stay sparse. */
bool picus_law_set_is_dense(const law_set *set);

#endif
