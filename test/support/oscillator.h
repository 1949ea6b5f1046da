/* Piecewise-linear oscillators and their event-driven solution: masses in a row with springs, dampers, forces, stops
 * with restitution and friction elements. Between two events the motion is that of a linear system, z' = A z,
 * propagated by its exponential series; events are roots along it; impacts and the modes after an event are found by
 * trying all combinations. Nothing of this is shared with the library. */
#ifndef PICUS_TEST_OSCILLATOR_H
#define PICUS_TEST_OSCILLATOR_H

#include "support/check.h"

enum { MASSES_MOST = 3, STOPS_MOST = 3, FRICTIONS_MOST = 2, SAMPLES_MOST = 16, STATE_SIZE = 2 * MASSES_MOST + 3 };

typedef struct oscillator {
  int n;
  double m[MASSES_MOST], K[MASSES_MOST][MASSES_MOST], C[MASSES_MOST][MASSES_MOST];
  double force[MASSES_MOST], amplitude[MASSES_MOST], omega; /* force + amplitude sin(omega t) */
  int stop_count;
  struct {
    double w[MASSES_MOST], distance, e; /* gap = distance + w x >= 0 */
  } stop[STOPS_MOST];
  int friction_count;
  struct {
    double w[MASSES_MOST], reservoir; /* |force| <= reservoir against w v */
  } friction[FRICTIONS_MOST];
  double x0[MASSES_MOST], v0[MASSES_MOST];
} oscillator;

/* One drawn at random, at rest nowhere and with all gaps open. */
oscillator oscillator_random(test_random *random);

typedef enum oscillator_outcome {
  OSCILLATOR_SOLVED,
  OSCILLATOR_REDUNDANT, /* a stop and friction, or two frictions, hold the same mass: forces, and modes, are not unique
                         */
  OSCILLATOR_STUCK      /* no combination of modes is consistent, or too many events: the solver itself is wrong */
} oscillator_outcome;

typedef struct oscillator_event {
  double t;
  int law;      /* stops first, then frictions */
  double speed; /* m/s, of an impact before it; 0 for other events */
} oscillator_event;
enum { OSCILLATOR_EVENTS_MOST = 4096 };

typedef struct oscillator_solution {
  int sample_count;
  double t[SAMPLES_MOST], x[SAMPLES_MOST][MASSES_MOST], v[SAMPLES_MOST][MASSES_MOST];
  int event_count, impacts;
  oscillator_event events[OSCILLATOR_EVENTS_MOST];
  double least_impact; /* m/s, of impacts that do not belong to an accumulation: slow ones make the problem ill-posed */
  double nearest_miss; /* m, the lowest gap of a stop that was neared and not touched */
} oscillator_solution;

/* The state at t = T/count, 2T/count, ..., T. */
oscillator_outcome oscillator_solve(const oscillator *o, double T, int sample_count, oscillator_solution *solution);

#endif
