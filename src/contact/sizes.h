/* Every size of a contact problem at which a step or a solver changes what it does, in one table: rows of the problem,
 * unless another unit is given. [auto 1] is an item or section of bench/notes/auto.md, which has the measurement. */
#ifndef PICUS_CONTACT_SIZES_H
#define PICUS_CONTACT_SIZES_H

enum {
  /* --- forms of G, by the rows of all laws of a system; no measurement on record */
  PICUS_DENSE_ROWS = 48,     /* beyond, matrices over them are block-sparse; directions of slip are not given */
  PICUS_DENSE_JOINTS = 18,   /* the same of joints alone, whose factors stay sparse: as fast as dense ones [auto] */
  PICUS_FACTORED_ROWS = 600, /* beyond, schemes that allow it leave G as the product of its factors */
  PICUS_SLIDING_ROWS = 48,   /* most unknown forces of half-explicit with friction, whose matrix is dense */

  /* --- larger problems fail, or stay as a step found them: they would need too much memory or time */
  PICUS_LARGEST_ROWS = 1 << 26, /* several vectors of so many rows can still be counted with an int */
  PICUS_IMPACT_ROWS = 4000,     /* impact laws other than Newton's have 5 n^2 numbers: 640 MB */
  PICUS_PARADOX_CONTACTS = 6,   /* contacts that could jam, of which every set is tried: 64 systems of equations */
  PICUS_PARADOX_ROWS = 32,      /* of these, and of all laws that act with them */

  /* --- which methods run */
  PICUS_SMALL_LAWS = 10,        /* laws of small.c: the size of its memory, which is on the stack, */
  PICUS_SMALL_ROWS = 30,        /* and rows [auto 1] */
  PICUS_CASES_ROWS = 8,         /* direct tries all mode sets up to here [auto 1] */
  PICUS_GUESSES_ROWS = 24,      /* and a few of them up to here; beyond, sweeps are cheaper than elimination [auto 1] */
  PICUS_REPEAT_ROWS = 48,       /* the modes of a warm start are almost always right: one elimination, exact [auto 1] */
  PICUS_ROUNDING_ROWS = 48,     /* heavy bodies on light ones: methods may take until round-off stops them [auto 11] */
  PICUS_PATH_ROWS = 128,        /* up to here a path of more than 300 steps means that there is no solution [auto 9] */
  PICUS_PIVOT_ROWS = 160,       /* pivoting takes less than a path up to here [auto 7] */
  PICUS_LONG_PATH_ROWS = 400,   /* beyond, a path takes hundreds of steps where many contacts slip [auto 6] */
  PICUS_FILL_ROWS = 400,        /* beyond, factors can fill up [auto, sweeps or factorizations] */
  PICUS_WHOLE_ROWS = 600,       /* beyond, pivoting takes seconds and tens of megabytes [auto 10] */
  PICUS_CONDENSED_ROWS = 128,   /* of contacts: beyond, their matrix without joints, which is dense, takes too long */
  PICUS_ISLAND_ROWS = 8,        /* up to here elimination takes less than the search for islands, */
  PICUS_PLAIN_ISLAND_ROWS = 48, /* the same without friction; no measurement on record for both */

  /* --- granular matter: many contacts without joints */
  PICUS_MANY_LAWS = 1000,  /* laws: no known method solves all such problems to tight tolerances [auto, work budget] */
  PICUS_BUDGET_ROWS = 256, /* larger problems of contacts alone have a budget [auto, work budget]; up to here where
                              nearly all stick a proximal method takes less than a short path [auto 5] */
  PICUS_GRANULAR_ROWS = 128, /* larger islands of it are granular, too; no measurement on record */
  PICUS_FILLED_ROWS = 2000,  /* a factorization takes twice as long for each row [auto, work budget] */

  /* --- inside of the methods */
  PICUS_SPARSE_ROWS = 160,        /* beyond, elimination that skips zeros is faster [auto, sweeps or factorizations] */
  PICUS_SPARSE_ALWAYS_ROWS = 400, /* between the two, newton counts the zeros; no measurement on record */
  PICUS_RANK_ROWS = 192,          /* dependent rows are searched for up to here: rows^2 times the rank [auto 8] */
  PICUS_WHOLE_JOINTS = 12,        /* joints up to which their factors are dense: as fast as those of blocks */
  PICUS_MINIMUM_NORM_ROWS = 1000, /* largest problem of the minimum-norm percussion: its matrices are dense */
  PICUS_BODY_SWEEP_LAWS = 64,     /* laws from which on sweeps go over bodies [auto, sweeps or factorizations] */
  PICUS_COLOURED_LAWS = 4000      /* laws from which on a step is divided among threads: these sweeps, and loops over
                                     laws and bodies (base/tasks.h) [scale, threads] */
};

#endif
