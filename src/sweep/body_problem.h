/* A factored contact problem on the level of bodies, for sweeps over many contacts: no G, but the velocities of bodies,
 * to which a contact adds what its percussion changes.
 *
 * Contacts of spheres and disks are round: the normal passes through the centre, inertia is the same about all axes,
 * and the block G_ii is diagonal. With the normal n of the first body, v and w the velocities and angular velocities in
 * the inertial frame, and arms r from the centres to the contact,
 *
 *   xi = v_1 - v_2 - (r_1 w_1 + r_2 w_2) x n + c,     v_1 += p / m_1,   w_1 -= (r_1 / J_1) n x p,   ...
 *
 * with p, xi and c as vectors of space, so that a contact needs its normal, two arms and c. All other laws keep their
 * rows of W^T and (M^-1 W)^T.
 *
 * Many laws are visited in colours: those of one colour share no body that moves, and may run side by side. Fewer are
 * visited in their own order, round contacts first: there colours would take up to twice the sweeps. The order follows
 * from the problem alone, and so do the bits of the result. */
#ifndef PICUS_SWEEP_BODY_PROBLEM_H
#define PICUS_SWEEP_BODY_PROBLEM_H

#include "sweep/local.h"
#include "sweep/method.h"

enum { PICUS_MOST_COLOURS = 64 };

/* The numbers of a body that has round contacts: change of velocity, 1 / m, change of angular velocity, 1 / J. */
enum { BODY_V = 0, BODY_PER_MASS = 3, BODY_SPIN = 4, BODY_PER_INERTIA = 7, BODY_NUMBERS = 8 };

typedef struct round_contact {
  double normal[3], arm[2], c[3];
  double mu, normal_step, slip_step; /* 1 / G_NN, 1 / G_TT */
  int body[2];                       /* place of their numbers; second -1: it does not move */
} round_contact;

typedef struct general_law {
  picus_local_law local;
  double c[PICUS_LAW_ROWS];
  size_t rows;    /* first number of its rows of W^T; those of (M^-1 W)^T follow */
  int columns;    /* numbers in a row */
  int place;      /* first of as many places of velocities */
  int x;          /* first of its percussions */
  int law;        /* of the problem */
  bool is_rolled; /* the next one is its rolling law, and is visited with it */
} general_law;

/* Laws of one colour. */
typedef struct law_colour {
  int first_round, round_count;
  int first_general, general_count; /* with rolling laws */
} law_colour;

typedef struct picus_body_problem {
  const picus_contact_problem *problem;
  bool is_coloured;
  picus_context *context; /* with the threads among which the laws of a colour are divided; NULL: none */
  int task_laws;          /* so many for each thread at least; 0: as many as are worth it */
  int round_count, general_count, colour_count, body_count, velocity_count, x_count;
  round_contact *rounds; /* by colours; the percussion of contact k is x[3 k], x[3 k + 1], x[3 k + 2] */
  int *round_law;        /* their numbers in the problem */
  int *first_row;        /* of each law of the problem */
  general_law *generals; /* by colours */
  double *rows;
  int *places;
  double *velocity; /* bodies of round contacts, BODY_NUMBERS each, then all other velocities */
  double *x;        /* percussions in the order of visits */
  double *weight;   /* of a percussion in sums of squares, which makes them energies: a mean diagonal of G_ii */
  law_colour colours[PICUS_MOST_COLOURS];
  double free_percussion; /* largest rho |c| of a law */
} picus_body_problem;

/* Memory that grows between problems and is kept; starts as zeros. */
typedef struct picus_body_memory {
  picus_context *context;
  char *block;
  size_t size;
} picus_body_memory;
void picus_body_memory_release(picus_body_memory *memory);

/* false: out of memory, or the problem is not of this kind, which gs can sweep in another way. out: zeros but for
 * problem, is_coloured, context and task_laws. vectors: arrays of x_count doubles that the caller wants, from
 * *vectors_start on. */
bool picus_body_problem_create(picus_body_memory *memory, int vectors, picus_body_problem *out, double **vectors_start);

/* Percussions of the rows of the problem to x, and back. */
void picus_body_problem_put(picus_body_problem *b, const double *P);
void picus_body_problem_get(const picus_body_problem *b, const double *x, double *P);

/* What a pass over laws has seen. */
typedef struct body_pass {
  double change, percussion; /* largest change and size of a percussion of a law in one direction */
} body_pass;

/* One sweep over all laws; x has been loaded. */
body_pass picus_body_problem_sweep(picus_body_problem *b);
/* Puts x into the sets of the laws and computes the velocities that it gives. */
void picus_body_problem_load(picus_body_problem *b);
/* The relative residual of x, whose velocities are known from a sweep or a load, up to their round-off. NaN: not known
 * in this way. */
double picus_body_problem_residual(picus_body_problem *b);
/* The multiple of x, not negative, whose velocities have the least energy; x has been loaded. 1: there is none. */
double picus_body_problem_best_multiple(const picus_body_problem *b);

/* --- sweeps until the residual is small (gs_bodies.c) ----------------------------------------------------------------
 */

/* Sweeps a factored problem. false: it cannot be treated in this way, and nothing has happened. */
typedef struct picus_gs_task {
  const picus_solver_options *options;
  const picus_contact_problem *problem;
  picus_body_memory *memory;
  const picus_limits *limits;
} picus_gs_task;
bool picus_gs_bodies(const picus_gs_task *task, double *P, int *iterations, picus_status *status);

#endif
