/* Exact values for the runs that bench/run compares with Siconos: an event-driven solution of order 8 of the
 * slider-crank, and the modal solution of the bar of 1000 elements. */
#ifndef PICUS_BENCH_IMPLICIT_REFERENCE_H
#define PICUS_BENCH_IMPLICIT_REFERENCE_H

static const double slider_crank_theta1 = 11.800513391061664;     /* rad, at t = 0.13 s */
static const double elastic_bar_free_end = -2.544945911799346e-6; /* m, at t = 3.6e-4 s */

#endif
