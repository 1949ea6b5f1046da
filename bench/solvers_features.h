/* What a contact problem is like, as far as the choice of a solver may depend on it. */
#ifndef PICUS_BENCH_SOLVERS_FEATURES_H
#define PICUS_BENCH_SOLVERS_FEATURES_H

#include <picus/picus.h>

typedef struct problem_features {
  int laws, rows, dimension; /* dimension: 2 planar, 3 spatial friction in some law */
  double couplings;          /* blocks of G for each law */
  double redundancy;         /* 1 - rank of G / rows; -1: too large to find out */
} problem_features;

problem_features features_of(const picus_contact_problem *problem);

#endif
