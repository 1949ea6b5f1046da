/* Renumbers the names inside an SVG file.
 *
 * cairo numbers surfaces and images over the lifetime of the process, so that the second figure would differ from the
 * same figure drawn first. Names of letters and hyphens followed by a number get numbers by their order in the file. */
#include "plot/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

picus_status picus_bytes_append(picus_bytes *bytes, const void *data, size_t length) {
  if (length == 0) return PICUS_OK;
  if (!bytes->data || length > bytes->capacity - bytes->count) {
    size_t larger = 2 * bytes->capacity + length + 4096;
    unsigned char *block = picus_reallocate(bytes->context, bytes->data, larger, 1);
    if (!block) return PICUS_ERROR_MEMORY;
    bytes->data = block;
    bytes->capacity = larger;
  }
  memcpy(bytes->data + bytes->count, data, length);
  bytes->count += length;
  return PICUS_OK;
}

typedef struct name {
  const unsigned char *text;
  size_t prefix, length; /* of its letters, and of the complete name */
} name;

typedef struct name_list {
  name *names;
  size_t count, capacity;
} name_list;

/* The name at text, which ends before end; length 0 if it is not to be numbered. */
static name read_name(const unsigned char *text, const unsigned char *end) {
  const unsigned char *c = text;
  while (c < end && (isalpha(*c) || *c == '-')) c++;
  size_t prefix = (size_t)(c - text);
  while (c < end && isdigit(*c)) c++;
  bool closed = c < end && (*c == '"' || *c == ')');
  size_t length = (size_t)(c - text);
  return (name){text, prefix, prefix > 0 && length > prefix && closed ? length : 0};
}

/* Finds the next name from *at on: after id=" or, if references are included, after #. Moves *at to it. */
static bool next_name(const unsigned char **at, const unsigned char *end, bool references, name *found) {
  for (const unsigned char *c = *at; c < end; c++) {
    const unsigned char *text = NULL;
    if (*c == 'i' && end - c > 4 && memcmp(c, "id=\"", 4) == 0) text = c + 4;
    if (*c == '#' && references) text = c + 1;
    if (!text) continue;
    *found = read_name(text, end);
    if (found->length == 0) continue;
    *at = text;
    return true;
  }
  return false;
}

static size_t find(const name_list *list, const name *wanted) {
  for (size_t i = 0; i < list->count; i++)
    if (list->names[i].length == wanted->length && memcmp(list->names[i].text, wanted->text, wanted->length) == 0)
      return i;
  return list->count;
}

static picus_status collect_names(const picus_bytes *svg, name_list *list) {
  const unsigned char *at = svg->data, *end = svg->data + svg->count;
  name found;
  while (next_name(&at, end, false, &found)) {
    at += found.length;
    if (find(list, &found) < list->count) continue;
    picus_status status = picus_grow(svg->context, &list->names, list->count, &list->capacity, sizeof *list->names);
    if (status) return status;
    list->names[list->count++] = found;
  }
  return PICUS_OK;
}

static picus_status rewrite(const picus_bytes *svg, const name_list *list, picus_bytes *out) {
  const unsigned char *copied = svg->data, *at = svg->data, *end = svg->data + svg->count;
  picus_status status = PICUS_OK;
  name found;
  while (!status && next_name(&at, end, true, &found)) {
    size_t index = find(list, &found);
    at += found.length;
    if (index == list->count) continue;
    char number[24];
    int digits = snprintf(number, sizeof number, "%zu", index);
    status = picus_bytes_append(out, copied, (size_t)(found.text - copied) + found.prefix);
    if (!status) status = picus_bytes_append(out, number, (size_t)digits);
    copied = at;
  }
  return status ? status : picus_bytes_append(out, copied, (size_t)(end - copied));
}

picus_status picus_svg_renumber(picus_bytes *svg) {
  name_list list = {0};
  picus_bytes out = {.context = svg->context};
  picus_status status = collect_names(svg, &list);
  if (!status) status = rewrite(svg, &list, &out);
  picus_release(svg->context, list.names);
  if (status) {
    picus_release(svg->context, out.data);
    return status;
  }
  picus_release(svg->context, svg->data);
  *svg = out;
  return PICUS_OK;
}
