/* Lists of numbers and the motion in the page. */
#include "base/internal.h"
#include "view/page_parts.h"

#include <math.h>
#include <stdint.h>

static void find_range(size_t count, const double *values, double *low, double *high) {
  *low = INFINITY, *high = -INFINITY;
  for (size_t k = 0; k < count; k++)
    if (isfinite(values[k])) *low = fmin(*low, values[k]), *high = fmax(*high, values[k]);
  if (!(*high > *low)) *high = *low = isfinite(*low) ? *low : 0;
}

static void put_bytes(picus_json *out, const void *bytes, size_t size) {
  picus_page_key(out, "b");
  picus_json_base64(out, bytes, size);
  picus_json_put(out, "}");
}

picus_status picus_page_list(picus_json *out, picus_context *context, long count, const double *values, int bits) {
  const size_t n = (size_t)count;
  void *bytes = picus_allocate(context, n, (size_t)bits / 8);
  if (!bytes) return PICUS_ERROR_MEMORY;
  double low, high;
  find_range(n, values, &low, &high);
  const double step = high > low ? (high - low) / 65534 : 1;
  for (size_t k = 0; k < n; k++) {
    if (bits == 64)
      ((double *)bytes)[k] = values[k];
    else if (bits == 32)
      ((float *)bytes)[k] = (float)values[k];
    else
      ((uint16_t *)bytes)[k] = isfinite(values[k]) ? (uint16_t)lround((values[k] - low) / step) : 65535;
  }
  picus_json_format(out, "{\"e\":\"%s\",", bits == 64 ? "f64" : bits == 32 ? "f32" : "u16");
  if (bits == 16) {
    picus_page_number(out, "a", low);
    picus_page_number(out, "s", step);
  }
  put_bytes(out, bytes, n * (size_t)bits / 8);
  picus_release(context, bytes);
  return out->status;
}

picus_status picus_page_integers(picus_json *out, picus_context *context, long count, const long *values, long most) {
  const size_t n = (size_t)count, size = most <= UINT16_MAX ? sizeof(uint16_t) : sizeof(uint32_t);
  void *bytes = picus_allocate(context, n, size);
  if (!bytes) return PICUS_ERROR_MEMORY;
  for (size_t k = 0; k < n; k++)
    if (size == sizeof(uint16_t))
      ((uint16_t *)bytes)[k] = (uint16_t)values[k];
    else
      ((uint32_t *)bytes)[k] = (uint32_t)values[k];
  picus_json_format(out, "{\"e\":\"%s\",", size == sizeof(uint16_t) ? "i16" : "i32");
  put_bytes(out, bytes, n * size);
  picus_release(context, bytes);
  return out->status;
}

/* ---- tracks */

/* Fractions of the range would move a point farther than a tenth of the tolerance, as those of a wheel that turns many
 * times: such a track keeps 32 bits. */
static int track_bits(const page *p, int track, size_t count, const double *values) {
  double low, high;
  if (p->bits > 16) return p->bits;
  find_range(count, values, &low, &high);
  return (high - low) / (2 * 65534) * p->scene->reach[track] > 0.1 * p->thin.tolerance ? 32 : 16;
}

/* Numbers of the rows that some group has, by row; -1: none has it. With their times. */
static picus_status put_times(const page *p, picus_context *context, long *number, long *count) {
  for (long row = 0; row < p->scene->rows; row++) number[row] = -1;
  for (int k = 0; k < p->thin.group_count; k++)
    for (long i = 0; i < p->thin.groups[k].row_count; i++) number[p->thin.groups[k].rows[i]] = 0;
  double *times = picus_allocate(context, (size_t)p->scene->rows, sizeof *times);
  if (!times) return PICUS_ERROR_MEMORY;
  *count = 0;
  for (long row = 0; row < p->scene->rows; row++) {
    if (number[row] < 0) continue;
    times[*count] = p->scene->t[row];
    number[row] = (*count)++;
  }
  picus_page_key(p->out, "times");
  picus_status status = picus_page_list(p->out, context, *count, times, 64);
  picus_json_put(p->out, ",");
  picus_release(context, times);
  return status;
}

static picus_status put_group(const page *p, picus_context *context, const picus_track_group *group, double *values) {
  picus_status status = PICUS_OK;
  picus_page_key(p->out, "values");
  picus_json_put(p->out, "[");
  for (int k = 0; !status && k < group->count; k++) {
    for (long i = 0; i < group->row_count; i++) values[i] = group->values[(size_t)i * (size_t)group->count + (size_t)k];
    if (k > 0) picus_json_put(p->out, ",");
    status = picus_page_list(p->out, context, group->row_count, values,
                             track_bits(p, group->first + k, (size_t)group->row_count, values));
  }
  picus_json_put(p->out, "]}");
  return status;
}

static picus_status put_group_rows(const page *p, picus_context *context, const picus_track_group *group,
                                   const long *number, long count) {
  long *rows = picus_allocate(context, (size_t)group->row_count, sizeof *rows);
  if (!rows) return PICUS_ERROR_MEMORY;
  for (long i = 0; i < group->row_count; i++) rows[i] = number[group->rows[i]];
  picus_page_key(p->out, "rows");
  picus_status status = picus_page_integers(p->out, context, group->row_count, rows, count);
  picus_json_put(p->out, ",");
  picus_release(context, rows);
  return status;
}

/* Groups without rows have those of the columns. */
picus_status picus_page_tracks(const page *p, picus_context *context) {
  const size_t rows = (size_t)p->scene->rows;
  long count = 0;
  double *values = picus_allocate(context, rows, sizeof *values);
  long *number = picus_allocate(context, rows, sizeof *number);
  picus_status status = values && number ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status && p->apart) status = put_times(p, context, number, &count);
  picus_page_key(p->out, "tracks");
  picus_json_put(p->out, "[");
  for (int k = 0; !status && k < p->thin.group_count; k++) {
    picus_json_put(p->out, k > 0 ? ",{" : "{");
    if (p->apart) status = put_group_rows(p, context, &p->thin.groups[k], number, count);
    if (!status) status = put_group(p, context, &p->thin.groups[k], values);
  }
  picus_json_put(p->out, "],");
  picus_release(context, number);
  picus_release(context, values);
  return status;
}
