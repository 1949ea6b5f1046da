/* The interface of a scheme: what it declares about its steps, and its functions. */
#ifndef PICUS_STEPPER_SCHEME_OPS_H
#define PICUS_STEPPER_SCHEME_OPS_H

#include "base/archive.h"

#include <picus/sim.h>
#include <picus/system.h>

typedef struct stepper stepper;
typedef struct scheme_ops scheme_ops;
typedef struct linear_motion linear_motion;

/* How the approach of a contact leads to penetration, for the warnings about contacts. */
typedef enum scheme_penetration {
  PENETRATES_NOT,           /* gaps are enforced at the end of every step */
  PENETRATES_BY_APPROACH,   /* contacts close at velocity level */
  PENETRATES_BY_RESTITUTION /* gaps are enforced between steps, weighted by the coefficient of restitution */
} scheme_penetration;

struct scheme_ops {
  picus_scheme_description description;
  scheme_penetration penetrates;
  bool looks_at_middle; /* gaps are evaluated at the midpoint of a step, reached with its initial velocity; else at its
                           end */
  bool forecasts;       /* contacts are chosen by the forecast of the options, or by one like it */
  bool even_at_rest;    /* symmetric, with errors of even powers of dt alone from dt^2 on, where forces depend on
                           positions and time alone, rates are q' = u, and the closed laws have constant directions */
  /* For extrapolation: the error in smooth motion is c_0 dt^order + c_1 dt^(order + power) + c_2 dt^(order + 2 power) +
   * ..., with power 1 for all powers of dt, 2 for every other one, as in symmetric schemes. If some c are zero, a
   * smaller order or power is also valid, but takes more work. order 0: no adaptive runs, for the reason not_adaptive.
   */
  int order, power;
  const char *not_adaptive;
  /* Forces are explicit, so that large steps are unstable: all forces, or position-dependent forces. */
  bool explicit_forces, explicit_stiffness;
  bool laws_in_middle;  /* laws hold with the directions of the middle of a step; the stepper's laws_at_end is heeded */
  bool velocity_level;  /* nothing but velocities keeps contacts closed: gaps drift within the O(dt) of a step */
  bool has_gap_term;    /* the option gap_term applies */
  bool has_adhesion;    /* contacts may have adhesion */
  bool has_impact_laws; /* other impact laws than Newton's: see impact_laws.c */
  bool has_stages;      /* law_memory starts with the percussions of the first stage of the last step */
  bool has_sleep;       /* the option sleep applies: its memory is free */
  bool by_factors;      /* G of many laws is not formed: A is M, and the step needs no blocks of G */
  unsigned jacobians;   /* that a step takes from the stepper's evaluation, see picus_evaluation_request */
  /* Optional: rejects systems that the scheme does not support, and allocates its memory beyond that of the stepper. */
  picus_status (*create)(stepper *s);
  /* Optional: rejects a law that appears later. */
  picus_status (*check_law)(const stepper *s, const picus_system_law *law);
  void (*release)(stepper *s);
  /* Optional, for own data: the stepper restarts from another state; the next step has no guess from the last one. */
  void (*restart)(stepper *s);
  void (*forget_guess)(stepper *s);
  /* Optional, for own data: the laws have changed; arrays have followed. */
  void (*change_laws)(stepper *s);
  /* Optional, for own data: what the last step leaves for the next one, in a checkpoint. */
  void (*archive)(stepper *s, picus_archive *archive);
  /* For schemes whose steps can be unstable: a step of free linear motion, without laws; see linear_motion.h. NULL: all
   * steps are stable, or it is not known. */
  void (*linear_step)(const linear_motion *motion, double dt, double *x, double *v);
  /* Advances the state by dt and fills info but for t, dt. On failure the state is untouched. */
  picus_status (*step)(stepper *s, double dt, picus_step_info *info);
};

#endif
