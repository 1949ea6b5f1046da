/* Impact laws beyond Newton's: the velocity that contacts have after an impact; see impact_laws.c. */
#ifndef PICUS_STEP_PROBLEM_IMPACT_LAWS_H
#define PICUS_STEP_PROBLEM_IMPACT_LAWS_H

#include <picus/options.h>
#include <picus/sim.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct step_problem step_problem;
typedef struct contact_request contact_request;
typedef struct contact_state contact_state;

/* Scratch of an impact; it grows with the number of active laws and is kept. */
typedef struct impact_scratch {
  void *block;
  size_t size;
  double *G;                           /* of the active rows, dense */
  double *gamma, *begin;               /* rows: now, and before the impact */
  double *P, *once, *plastic;          /* rows: percussions so far, of a collision, and of its compression */
  double *c, *given;                   /* rows: right side of a collision, and percussions that it starts with */
  double *least, *virtual_gap, *extra; /* laws: approach that is none; gap; friction radius besides that of the cone */
  bool *takes;                         /* laws: whether each is part of a collision */
  double *some_G, *some_c, *some_P;    /* of the laws that take part: up to twice the rows */
  int *row_of, *law_of;
  picus_law *laws;
  picus_mode *modes;
} impact_scratch;

/* Of a stepper some of whose contacts have such a law. Then contacts with Newton's law have theirs here as well, so
 * that all of them meet in one impact, and none of them has restitution in the equations of a step. */
typedef struct impact_laws {
  picus_impact_law of_run; /* of contacts that name none */
  double *e;               /* row_count: eN and eF of contacts */
  impact_scratch scratch;
} impact_laws;

/* Whether a contact of the system has another law than Newton's; then the memory for it. scheme: the name of one that
 * cannot have it, for the error; NULL: it can. */
picus_status picus_impact_laws_create(contact_state *state, const picus_sim_options *options, const char *scheme);
/* The coefficients of a law: what acts in its rows in a step. */
void picus_impact_set_restitution(const contact_state *state, int law, double eN, double eF);
/* Of a problem that is prepared: if a contact is approached, the velocities after the impact take the place of -e
 * gamma_begin in c. */
/* Whether a contact of it is approached, so that there is an impact. */
bool picus_impact_strikes(step_problem *p, const contact_request *request, picus_status *status);
picus_status picus_impact_find(step_problem *p, const contact_request *request, picus_step_info *info);

#endif
