/* Lists of numbers, the motion of objects and contacts in the page of picus view. */
#include "base/internal.h"
#include "view/page_parts.h"
#include "view/scene.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* --- lists and tracks --------------------------------------------------------------------------------------------- */

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

/* The same for integers from 0 to most. */
static picus_status page_integers(picus_json *out, picus_context *context, long count, const long *values, long most) {
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
  picus_status status = page_integers(p->out, context, group->row_count, rows, count);
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

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* Contacts that come and go in the page: a part of the rows, and in each row those with the largest forces. */

/* Contacts in a page, and rows that remain however many contacts they have; point, normal, force, mu, mode. */
enum { MOST_CONTACTS = 100000, FEW_CONTACTS = 20000, LEAST_ROWS = 200, FIELDS = 11, FIRST_FORCE = 6 };

typedef struct touching {
  picus_contact_list row, shown;
  double *sizes;
  size_t size_capacity;
  long row_count;
  long *rows;     /* among those of the page */
  double *counts; /* shown, by row */
  double *modes;  /* 3 x rows: how many of a row are open, stick and slip, shown or not */
  double all;     /* in the rows of the page */
} touching;

static double force_of(const picus_scene_contact *c) {
  return sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1] + c->force[2] * c->force[2]);
}

static int descending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* Keeps those of a row with the largest forces, in their order. */
static picus_status choose_contacts(picus_context *context, touching *t, size_t first, size_t most, double *shown) {
  const size_t count = t->row.count - first, kept = count < most ? count : most;
  picus_status status = PICUS_OK;
  *shown = 0;
  while (!status && t->size_capacity < count)
    status = picus_grow(context, &t->sizes, t->size_capacity, &t->size_capacity, sizeof *t->sizes);
  if (status || count == 0) return status;
  for (size_t k = 0; k < count; k++) {
    const double size = force_of(&t->row.contacts[first + k]);
    t->sizes[k] = isfinite(size) ? size : -1;
  }
  qsort(t->sizes, count, sizeof *t->sizes, descending);
  const double least = kept > 0 ? t->sizes[kept - 1] : INFINITY;
  for (size_t k = 0; !status && k < count && *shown < (double)kept; k++) {
    const picus_scene_contact *contact = &t->row.contacts[first + k];
    const double size = force_of(contact);
    if ((isfinite(size) ? size : -1) < least) continue;
    status = picus_grow(context, &t->shown.contacts, t->shown.count, &t->shown.capacity, sizeof *contact);
    if (status) break;
    t->shown.contacts[t->shown.count++] = *contact;
    (*shown)++;
  }
  return status;
}

static double touch_value(const picus_scene_contact *c, int field) {
  if (field < 3) return c->place[field];
  if (field < FIRST_FORCE) return c->normal[field - 3];
  if (field < 9) return c->force[field - FIRST_FORCE];
  return field == 9 ? c->mu : (double)c->mode;
}

/* IEEE 754 binary16 of a number up to 65504. */
static uint16_t half_of(double value) {
  const double size = fabs(value);
  const unsigned sign = signbit(value) ? 0x8000u : 0;
  int exponent;
  if (!isfinite(value)) return 0x7e00;
  if (size < ldexp(1, -14)) return (uint16_t)(sign | (unsigned)lround(ldexp(size, 24)));
  const double mantissa = frexp(size, &exponent);
  return (uint16_t)(sign | (((unsigned)(exponent + 14) << 10) + (unsigned)lround((2 * mantissa - 1) * 1024)));
}

/* Forces of impacts are far larger than the others: fractions of the largest one with an exponent. */
static picus_status put_halves(const page *p, picus_context *context, size_t count, const double *values) {
  uint16_t *bytes = picus_allocate(context, count, sizeof *bytes);
  if (!bytes) return PICUS_ERROR_MEMORY;
  double most = 0;
  for (size_t k = 0; k < count; k++)
    if (isfinite(values[k])) most = fmax(most, fabs(values[k]));
  const double scale = most > 0 ? most / 65000 : 1;
  for (size_t k = 0; k < count; k++) bytes[k] = half_of(values[k] / scale);
  picus_json_put(p->out, "{\"e\":\"f16\",");
  picus_page_number(p->out, "s", scale);
  picus_page_key(p->out, "b");
  picus_json_base64(p->out, bytes, count * sizeof *bytes);
  picus_json_put(p->out, "}");
  picus_release(context, bytes);
  return p->out->status;
}

static picus_status put_fields(const page *p, picus_context *context, const touching *t) {
  double *values = picus_allocate(context, t->shown.count, sizeof *values);
  if (!values) return PICUS_ERROR_MEMORY;
  const bool few = t->shown.count <= FEW_CONTACTS;
  picus_status status = PICUS_OK;
  picus_json_put(p->out, ",\"fields\":[");
  for (int field = 0; !status && field < FIELDS; field++) {
    for (size_t k = 0; k < t->shown.count; k++) values[k] = touch_value(&t->shown.contacts[k], field);
    if (field > 0) picus_json_put(p->out, ",");
    status = !few && field >= FIRST_FORCE && field < FIRST_FORCE + 3
                 ? put_halves(p, context, t->shown.count, values)
                 : picus_page_list(p->out, context, (long)t->shown.count, values, few ? 32 : 16);
  }
  picus_json_put(p->out, "]},");
  picus_release(context, values);
  return status;
}

static picus_status put_lists(const page *p, picus_context *context, const touching *t) {
  picus_page_key(p->out, "touch");
  picus_json_put(p->out, "{");
  picus_page_number(p->out, "all", t->all);
  picus_page_key(p->out, "rows");
  picus_status status = page_integers(p->out, context, t->row_count, t->rows, p->thin.count);
  picus_json_put(p->out, ",");
  picus_page_key(p->out, "counts");
  if (!status) status = picus_page_list(p->out, context, t->row_count, t->counts, 32);
  picus_json_put(p->out, ",\"modes\":[");
  for (size_t mode = 0; !status && mode < 3; mode++) {
    if (mode > 0) picus_json_put(p->out, ",");
    status = picus_page_list(p->out, context, t->row_count, t->modes + mode * (size_t)p->thin.count, 32);
  }
  picus_json_put(p->out, "]");
  return status ? status : put_fields(p, context, t);
}

/* A file may have other numbers as modes. */
static void count_mode(touching *t, long rows, picus_mode mode) {
  const size_t known = mode == PICUS_STICK || mode == PICUS_SLIP ? (size_t)mode : 0;
  t->modes[known * (size_t)rows + (size_t)t->row_count]++;
}

/* Every so many rows, so that many of the contacts of a row fit. */
static long choose_stride(const page *p, double all) {
  const double wanted = ceil(all / ((double)MOST_CONTACTS / (double)p->share));
  const long most = p->thin.count / LEAST_ROWS;
  return wanted > (double)most ? (most > 1 ? most : 1) : (wanted > 1 ? (long)wanted : 1);
}

picus_status picus_page_touching(const page *p, picus_context *context) {
  const long rows = p->thin.count;
  touching t = {.counts = picus_allocate(context, (size_t)rows, sizeof(double)),
                .modes = picus_allocate(context, 3 * (size_t)rows, sizeof(double)),
                .rows = picus_allocate(context, (size_t)rows, sizeof(long))};
  picus_status status = t.counts && t.modes && t.rows ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (long k = 0; k < rows; k++) t.all += picus_result_contact_count(p->result, p->thin.rows[k]);
  const long stride = choose_stride(p, t.all), used = (rows + stride - 1) / stride;
  const size_t most = MOST_CONTACTS / p->share / (size_t)(used > 0 ? used : 1) + 1;
  for (long k = 0; !status && k < rows; k += stride) {
    status = picus_scene_contacts(p->scene, p->thin.rows[k], &t.row);
    if (status) break;
    t.rows[t.row_count] = k;
    for (size_t i = (size_t)p->scene->drawing->site_count; i < t.row.count; i++)
      count_mode(&t, rows, t.row.contacts[i].mode);
    status = choose_contacts(context, &t, (size_t)p->scene->drawing->site_count, most, &t.counts[t.row_count++]);
  }
  if (!status) status = put_lists(p, context, &t);
  picus_contact_list_release(context, &t.row);
  picus_contact_list_release(context, &t.shown);
  picus_release(context, t.sizes);
  picus_release(context, t.counts);
  picus_release(context, t.modes);
  picus_release(context, t.rows);
  return status;
}
