/* Joints first. Bilateral rows are linear equations: they are eliminated with one sparse factorization of their part of
 * G, and only contacts are left for the methods of a plan. With the rows of joints (j) and of contacts (c),
 *
 *   G_jj P_j + G_jc P_c + c_j = 0,   so   P_j = -(x + Y P_c)   with   x = G_jj^-1 c_j,   Y = G_jj^-1 G_jc,
 *
 * the contacts have the problem (G_cc - G_cj Y) P_c + c_c - G_cj x. Joints of a tree, as of a chain or a robot, take
 * work in proportion to their number. */
#ifndef PICUS_SOLVER_JOINT_ELIMINATION_H
#define PICUS_SOLVER_JOINT_ELIMINATION_H

#include "linalg/internal.h"
#include "solver/internal.h"

/* Numbers of G in the columns of joints, row by row. */
typedef struct picus_joint_entries {
  int *start, *column;
  double *value;
  size_t capacity; /* of the last two */
} picus_joint_entries;

/* Starts as zeros with a context. Memory grows and is kept. Arrays are private. */
typedef struct picus_joints {
  picus_context *context;
  int law_capacity, row_capacity, contact_capacity;
  int count;                     /* joints, each with one row */
  int *first_row;                /* of each law of the problem; then the size */
  int *place;                    /* of each law: which joint it is, or -1 */
  int *row;                      /* of each joint in the problem */
  picus_joint_entries own, over; /* rows of joints; rows of contacts */
  /* joints between the same bodies are one node of the factorization */
  int nodes;
  int *node, *node_first, *node_start;
  picus_joint_entries pattern; /* column: nodes that a node is coupled with */
  int kept;                    /* joints of the last entries `own`, whose places in the factors are known; 0: none */
  int *kept_start, *kept_column;
  double **target;
  size_t kept_capacity; /* of the last two */
  double *scratch;      /* all rows, if the factors are dense */
  size_t scratch_capacity;
  picus_block_lu factor;
  bool whole;    /* the factors are dense, in scratch: of a dense G, and of few joints */
  int *pivots;   /* joints */
  double *least; /* joints: smallest pivot of independent ones */
  double *x;     /* joints */
  double *Y;     /* column after column */
  size_t Y_capacity;
  /* the problem of the contacts, with a dense G */
  picus_contact_problem contacts;
  picus_law *laws;
  int *law, *numbers; /* of its laws: in the problem, in the whole */
  double *G, *c, *P, *rest;
  picus_mode *modes;
  bool yields;        /* some of them, because joints hold them: */
  double *yield;      /* rows of contacts: compliance in addition to G */
  double *c_yielding; /* rows of the problem */
} picus_joints;

bool picus_joints_reserve(picus_joints *joints, int laws, int rows); /* false: out of memory */
void picus_joints_release(picus_joints *joints);

/* Factors the rows of the joints; j->contacts becomes the problem of the contacts, with initial P and modes. numbers:
 * of the laws in a larger problem, or NULL. false: G has no blocks, its joints depend on each other, or out of memory.
 */
bool picus_joints_eliminate(picus_joints *j, const picus_contact_problem *problem, const int *numbers, const double *P,
                            const picus_mode *modes);
/* Percussions of all laws from those of the contacts. */
void picus_joints_expand(const picus_joints *j, double *P);
/* The problem whose solution has been expanded: contacts that yield have (compliance P) in c. Valid until the next
 * call.
 */
picus_contact_problem picus_joints_yielding(const picus_joints *j, const picus_contact_problem *problem);
/* Corrects those of the joints once more, for xi that round-off has left in their rows. */
void picus_joints_refine(const picus_joints *j, const picus_contact_problem *problem, double *P);

#endif
