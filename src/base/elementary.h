/* Elementary functions with the same bits on every machine: plain operations of doubles, each rounded by itself, in one
 * fixed order. The functions of C libraries differ, and glibc's own depend on the processor.
 *
 * The largest errors are in docs/theory/elementary.md; all are below 1 ulp, the distance of neighbouring doubles.
 * Infinite, undefined, zero and subnormal arguments give what C17, annex F states. */
#ifndef PICUS_BASE_ELEMENTARY_H
#define PICUS_BASE_ELEMENTARY_H

double picus_sin(double x);
double picus_cos(double x);
double picus_tan(double x);
void picus_sin_cos(double x, double *sine, double *cosine); /* the bits of both functions */
double picus_asin(double x);
double picus_acos(double x);
double picus_atan(double x);
double picus_atan2(double y, double x);
double picus_exp(double x);
double picus_ln(double x);
double picus_log10(double x);
double picus_pow(double x, double y);
double picus_sinh(double x);
double picus_cosh(double x);
double picus_tanh(double x);
double picus_hypot(double x, double y);
double picus_cbrt(double x);

#endif
