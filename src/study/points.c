/* The points of a study: grids, lists, random samples, Latin hypercubes and Sobol's sequence.
 *
 * Sobol's sequence has the direction numbers of S. Joe and F. Y. Kuo, Constructing Sobol sequences with better
 * two-dimensional projections, SIAM J. Sci. Comput. 30 (2008) 2635-2654, from its point 0 on. */
#include "study/internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char *const names[] = {"grid", "list", "random", "latin", "sobol"};
enum { SAMPLINGS = sizeof names / sizeof *names, SOBOL_BITS = 32 };
static const long MOST_POINTS = 1000000000;

const char *picus_sampling_name(int sampling) { return sampling >= 0 && sampling < SAMPLINGS ? names[sampling] : NULL; }

static const char *const continuations[] = {"none", "forth", "forth-and-back"};
enum { CONTINUATIONS = sizeof continuations / sizeof *continuations };

const char *picus_continuation_name(int continuation) {
  return continuation >= 0 && continuation < CONTINUATIONS ? continuations[continuation] : NULL;
}

/* --- random numbers --------------------------------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood 2014): each number follows from seed, axis and index alone. */
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static uint64_t random_bits(uint64_t seed, int axis, long index) {
  const uint64_t step = 0x9e3779b97f4a7c15u;
  return mix(mix(seed + step * (uint64_t)(axis + 1)) + step * (uint64_t)(index + 1));
}
/* In [0, 1). */
static double random_share(uint64_t seed, int axis, long index) {
  return (double)(random_bits(seed, axis, index) >> 11) * 0x1p-53;
}

/* A permutation of 0 .. count - 1 (Fisher and Yates). */
static void shuffle(uint64_t seed, int axis, long count, long *order) {
  for (long k = 0; k < count; k++) order[k] = k;
  for (long k = count - 1; k > 0; k--) {
    const long other = (long)(random_bits(~seed, axis, k) % (uint64_t)(k + 1)), kept = order[k];
    order[k] = order[other];
    order[other] = kept;
  }
}

/* --- Sobol's sequence ------------------------------------------------------------------------------------------- */

/* Primitive polynomial (degree, inner coefficients) and first direction numbers of the second axis and on. */
static const struct {
  int degree;
  unsigned coefficients, first[6];
} polynomials[PICUS_SOBOL_AXES - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
};

static void find_directions(int axis, uint32_t v[SOBOL_BITS]) {
  if (axis == 0) {
    for (int k = 0; k < SOBOL_BITS; k++) v[k] = 1u << (31 - k);
    return;
  }
  const int s = polynomials[axis - 1].degree;
  const unsigned a = polynomials[axis - 1].coefficients;
  for (int k = 0; k < s; k++) v[k] = polynomials[axis - 1].first[k] << (31 - k);
  for (int k = s; k < SOBOL_BITS; k++) {
    v[k] = v[k - s] ^ (v[k - s] >> s);
    for (int i = 1; i < s; i++)
      if ((a >> (s - 1 - i)) & 1) v[k] ^= v[k - i];
  }
}

/* Of all points on one axis, in the order of the Gray code, as usual; stride: distance of successive values. */
static void fill_sobol(int axis, long count, int stride, double *shares) {
  uint32_t v[SOBOL_BITS] = {0}, x = 0;
  find_directions(axis, v);
  for (long k = 0; k < count; k++) {
    shares[k * stride] = (double)x * 0x1p-32;
    int bit = 0;
    for (long rest = k; rest & 1; rest >>= 1) bit++;
    x ^= v[bit];
  }
}

/* --- points ----------------------------------------------------------------------------------------------------- */

static picus_status check_axis(picus_context *context, const picus_study_def *def, const picus_study_axis *axis) {
  const bool is_sampled = def->sampling >= PICUS_SAMPLING_RANDOM;
  if (!axis->name || !*axis->name || axis->count < 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "an axis of a study needs a name and values");
  if (axis->count == 0 && !is_sampled)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "'%s' has a range without the number of values; a %s needs values, samples have another sampling",
                      axis->name, names[def->sampling]);
  if (axis->count > 1 && is_sampled)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "'%s' has %ld values; %s samples need a range", axis->name,
                      axis->count, names[def->sampling]);
  if (axis->count > 0 && !axis->values)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the values of '%s' are missing", axis->name);
  if (!picus_all_finite(axis->values, (size_t)axis->count) || !isfinite(axis->low) || !isfinite(axis->high))
    return picus_fail(context, PICUS_ERROR_NUMBER, "a value of '%s' is not finite", axis->name);
  if (axis->count == 0 && !(axis->low < axis->high))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the range of '%s' is from %g to %g; its start must be smaller",
                      axis->name, axis->low, axis->high);
  return PICUS_OK;
}

/* The last axis with several values; -1: there is none. */
static int last_axis(const picus_study_def *def) {
  int last = -1;
  for (int k = 0; k < def->axis_count; k++)
    if (def->axes[k].count > 1) last = k;
  return last;
}

/* Values of an axis; back and forth: each twice. */
static long count_values(const picus_study_def *def, int k) {
  const long count = def->axes[k].count;
  const bool is_chain = def->sampling == PICUS_SAMPLING_LIST ? count > 1 : k == last_axis(def);
  return is_chain && def->continuation == PICUS_CONTINUATION_FORTH_AND_BACK ? 2 * count : count;
}

/* The number of points; 0: a failure. */
static long count_points(picus_context *context, const picus_study_def *def) {
  double grid = 1;
  long list = 1;
  for (int k = 0; k < def->axis_count; k++) {
    const long count = count_values(def, k);
    grid *= (double)count;
    if (count == 1) continue;
    if (def->sampling == PICUS_SAMPLING_LIST && list > 1 && count != list) {
      picus_fail(context, PICUS_ERROR_DIMENSION,
                 "a list needs equally many values on each axis, but '%s' has %ld of %ld", def->axes[k].name, count,
                 list);
      return 0;
    }
    list = count;
  }
  const double count = def->sampling == PICUS_SAMPLING_GRID   ? grid
                       : def->sampling == PICUS_SAMPLING_LIST ? (double)list
                                                              : (double)def->samples;
  if (count >= 1 && count <= (double)MOST_POINTS) return (long)count;
  picus_fail(context, PICUS_ERROR_ARGUMENT, "a study has 1 to %ld points, not %g", MOST_POINTS, count);
  return 0;
}

static void fill_values(const picus_study_def *def, int k, long repeat, long count, double *points) {
  const picus_study_axis *axis = &def->axes[k];
  const long number = count ? count_values(def, k) : 1;
  for (long i = 0; i < count; i++) {
    const long place = def->sampling == PICUS_SAMPLING_GRID ? i / repeat % number : i;
    const long index = place < axis->count ? place : number - 1 - place; /* on the way back */
    points[i * def->axis_count + k] = axis->values[axis->count == 1 ? 0 : index];
  }
}

/* sampled: how many axes with a range are before this one. */
static picus_status fill_samples(picus_context *context, const picus_study_def *def, int k, int sampled, long count,
                                 double *points) {
  const picus_study_axis *axis = &def->axes[k];
  const int stride = def->axis_count;
  double *shares = points + k;
  long *order = def->sampling == PICUS_SAMPLING_LATIN ? picus_allocate(context, (size_t)count, sizeof *order) : NULL;
  if (def->sampling == PICUS_SAMPLING_LATIN && !order) return PICUS_ERROR_MEMORY;
  if (order) shuffle(def->seed, sampled, count, order);
  if (def->sampling == PICUS_SAMPLING_SOBOL)
    fill_sobol(sampled, count, stride, shares);
  else
    for (long i = 0; i < count; i++) shares[i * stride] = random_share(def->seed, sampled, i);
  for (long i = 0; i < count; i++) {
    double share = shares[i * stride];
    if (order) share = ((double)order[i] + share) / (double)count;
    shares[i * stride] = axis->low + (axis->high - axis->low) * share;
  }
  picus_release(context, order);
  return PICUS_OK;
}

static picus_status check_continuation(picus_context *context, const picus_study_def *def) {
  if (!picus_continuation_name((int)def->continuation))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a study has no such continuation");
  if (def->continuation && def->sampling >= PICUS_SAMPLING_RANDOM)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "%s samples have no order in which runs could continue; use a grid or a list",
                      names[def->sampling]);
  return PICUS_OK;
}

long picus_study_chain(const picus_study_def *def, long count) {
  const int last = last_axis(def);
  if (!def->continuation) return 1;
  if (def->sampling == PICUS_SAMPLING_LIST) return count;
  return last >= 0 ? count_values(def, last) : 1;
}

picus_status picus_study_make_points(picus_context *context, const picus_study_def *def, long *count, double **points) {
  *points = NULL;
  if (!picus_sampling_name((int)def->sampling) || def->axis_count < 0 || (def->axis_count > 0 && !def->axes))
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a study has no such sampling, or no axes");
  picus_status status = check_continuation(context, def);
  int sampled = 0;
  for (int k = 0; !status && k < def->axis_count; k++) {
    status = check_axis(context, def, &def->axes[k]);
    sampled += def->axes[k].count == 0;
  }
  if (status) return status;
  if (def->sampling == PICUS_SAMPLING_SOBOL && sampled > PICUS_SOBOL_AXES)
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED, "Sobol's sequence has at most %d axes here, not %d; use latin",
                      PICUS_SOBOL_AXES, sampled);
  *count = count_points(context, def);
  if (*count == 0) return picus_last_error(context)->status;
  *points = picus_allocate(context, (size_t)*count * (size_t)def->axis_count, sizeof **points);
  if (!*points) return PICUS_ERROR_MEMORY;
  long repeat = 1;
  for (int k = def->axis_count - 1; k >= 0; k--) {
    fill_values(def, k, repeat, def->axes[k].count ? *count : 0, *points);
    if (def->axes[k].count) repeat *= count_values(def, k);
  }
  sampled = 0;
  for (int k = 0; !status && k < def->axis_count; k++)
    if (def->axes[k].count == 0) status = fill_samples(context, def, k, sampled++, *count, *points);
  return status;
}
