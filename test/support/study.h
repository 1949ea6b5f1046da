/* Studies of convergence: a model run with many step sizes against its reference solution, with the errors of the
 * coordinates in the norms of Acary (2012) and Breuling et al. (2023, eq. 56): uniform, l1 = sum |e_i| dt,
 * l2 = sqrt(sum e_i^2 dt). Where an impact falls within its step is a matter of luck, so the errors scatter around a
 * line; the order is the slope of the least squares line over many step sizes. */
#ifndef PICUS_TEST_STUDY_H
#define PICUS_TEST_STUDY_H

#include <picus/sim.h>

enum { STUDY_SIZES = 12, STUDY_PAIRS = 3 };

typedef struct study {
  const char *model, *overrides, *reference;
  double sample; /* spacing of the compared rows; a multiple of the reference's spacing */
  long stride;   /* rows of the reference per sample */
  double t_end;
  const char *pairs[STUDY_PAIRS][2]; /* column of the model, column of the reference */
  int coarsest;                      /* steps per sample of the largest step */
  double largest_error;              /* allowed in the uniform norm at the finest step */
} study;

/* Steps per sample: about a factor 1.4 apart and without common factors, so that impacts fall differently. */
extern const int study_factors[STUDY_SIZES];

/* A scheme, and what else is changed in the options of the model. The label is printed; NULL: nothing. */
typedef struct study_variant {
  const char *scheme, *label;
  void (*prepare)(picus_sim_options *options); /* may be NULL */
} study_variant;

/* Runs the study and checks order 1 in all norms. */
void study_run(const study *study, const study_variant *variant);
/* The same without a check, with the first `sizes` step sizes; reference "": the oscillator below. */
typedef struct study_result {
  double order, error;   /* in the uniform norm, and at the smallest step */
  long impacts, chatter; /* at the smallest step */
} study_result;
study_result study_measure(const study *study, const study_variant *variant, int sizes);
/* Where errors scatter too much for a slope: checks that all of them are below constant * dt, in the uniform norm. */
void study_bound(const study *study, const study_variant *variant, double constant);
/* Prints errors and order, and checks that the order lies between low and high. */
void study_check_order(const char *norm, const double *dt, const double *error, double low, double high);
/* linear-oscillator at time t, with m = k = 1, c = 0, e = 1/2 from (1, -1): it has no file. Between impacts
 * q = A cos t + B sin t; the phase at which q returns to 0 is known in closed form, so the exact motion is a short list
 * of arcs. */
double study_oscillator(double t);
/* The same study for it, against the closed form. */
void study_run_oscillator(const study_variant *variant);

#endif
