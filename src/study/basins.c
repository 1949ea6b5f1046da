/* Basins of attraction: which points of a study end on the same attractor. */
#include "study/internal.h"

#include <math.h>
#include <string.h>

/* What is compared of a point: the states of its section without their times, else its values. */
typedef struct basin_states {
  const double *numbers;
  long count; /* states */
  int width, first;
} basin_states;

static basin_states states_of(const picus_study *study, long point) {
  const picus_study_row row = picus_study_row_at(study, point);
  const int width = picus_study_section_width(study);
  if (width > 0) return (basin_states){row.section, row.section_count, width, 1};
  return (basin_states){row.values, 1, picus_study_value_count(study), 0};
}

static bool has_states(const picus_study *study, long point) {
  const picus_study_row row = picus_study_row_at(study, point);
  const basin_states s = states_of(study, point);
  return row.is_done && !row.status && s.count > 0;
}

/* The range of each number over the last states of all points. */
static void find_ranges(const picus_study *study, int width, double *low, double *high) {
  for (int i = 0; i < width; i++) low[i] = INFINITY, high[i] = -INFINITY;
  for (long k = 0; k < picus_study_count(study); k++) {
    if (!has_states(study, k)) continue;
    const basin_states s = states_of(study, k);
    const double *last = s.numbers + (s.count - 1) * width;
    for (int i = s.first; i < width; i++) {
      low[i] = fmin(low[i], last[i]);
      high[i] = fmax(high[i], last[i]);
    }
  }
}

/* Whether the last state of a point is one of those that another one keeps. */
static bool is_on(const basin_states *of, const basin_states *other, double tolerance, const double *low,
                  const double *high) {
  const double *last = of->numbers + (of->count - 1) * of->width;
  for (long k = 0; k < other->count; k++) {
    const double *state = other->numbers + k * other->width;
    bool is_same = true;
    for (int i = of->first; is_same && i < of->width; i++)
      is_same = fabs(state[i] - last[i]) <= tolerance * (high[i] - low[i]) || state[i] == last[i];
    if (is_same) return true;
  }
  return false;
}

picus_status picus_study_basins(const picus_study *study, double tolerance, int *basins, int *count) {
  const long points = picus_study_count(study);
  const int section = picus_study_section_width(study), width = section > 0 ? section : picus_study_value_count(study);
  *count = 0;
  if (!(tolerance >= 0 && tolerance < 1))
    return picus_fail(study->context, PICUS_ERROR_ARGUMENT,
                      "the tolerance of basins is a part of a range, from 0 to 1");
  double *low = picus_allocate(study->context, 2 * (size_t)width, sizeof *low), *high = low + width;
  long *first = picus_allocate(study->context, (size_t)points, sizeof *first);
  const picus_status status = low && first ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) find_ranges(study, width, low, high);
  for (long k = 0; !status && k < points; k++) {
    basins[k] = -1;
    if (!has_states(study, k)) continue;
    const basin_states here = states_of(study, k);
    for (int i = 0; i < *count && basins[k] < 0; i++) {
      const basin_states other = states_of(study, first[i]);
      if (is_on(&here, &other, tolerance, low, high)) basins[k] = i;
    }
    if (basins[k] >= 0) continue;
    first[*count] = k;
    basins[k] = (*count)++;
  }
  picus_release(study->context, low);
  picus_release(study->context, first);
  return status;
}
