/* Reading triangle meshes: STL as text,
 *
 *   solid NAME   facet normal x y z   outer loop   vertex x y z (three times)   endloop   endfacet   endsolid NAME
 *
 * STL as bytes (80 of any content, the number of triangles, 50 for each triangle; little-endian), and OBJ (v x y z;
 * f i j k ..., also i/t/n, numbers from 1 or, negative, from the end). Files are untrusted: every number is checked,
 * and memory grows with the data read, not with numbers in the file. */
#include "base/input_file.h"
#include "base/internal.h"
#include "base/printable.h"
#include "platform/texts.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <picus/bodies.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SIZE = 64, STL_HEADER = 84, STL_TRIANGLE = 50, MOST_BYTES = 1 << 29, MOST_CORNERS = 1 << 22 };
static const double largest = 1e100; /* squares of larger coordinates overflow */

typedef struct mesh_reader {
  picus_context *context;
  const char *name;
  const unsigned char *at, *end;
  long line;
  picus_plain_locale plain; /* decimal points, regardless of the user's locale */
  picus_mesh mesh;
  size_t point_capacity, triangle_capacity;
  int *table; /* of places: number of the point + 1, or 0 */
  size_t table_size;
  int *places; /* of an OBJ file: the point of each v */
  int place_count;
  size_t place_capacity;
} mesh_reader;

static picus_status fail(mesh_reader *r, const char *format, ...) PICUS_PRINTF(2, 3);
static picus_status fail(mesh_reader *r, const char *format, ...) {
  char sentence[512], place[48] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  if (r->line) snprintf(place, sizeof place, ", line %ld", r->line);
  return picus_fail(r->context, PICUS_ERROR_IO, "'%s'%s: %s", r->name, place, sentence);
}

/* --- points and triangles ----------------------------------------------------------------------------------------- */

static size_t hash_of(const double x[3]) {
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (int k = 0; k < 3; k++) {
    uint64_t bits;
    memcpy(&bits, &x[k], sizeof bits);
    h = (h ^ bits) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
  }
  return (size_t)h;
}

static size_t find_slot(const mesh_reader *r, const double x[3]) {
  size_t slot = hash_of(x) & (r->table_size - 1);
  while (r->table[slot]) {
    const double *p = r->mesh.points + 3 * (size_t)(r->table[slot] - 1);
    if (p[0] == x[0] && p[1] == x[1] && p[2] == x[2]) break;
    slot = (slot + 1) & (r->table_size - 1);
  }
  return slot;
}

static picus_status grow_table(mesh_reader *r) {
  int *table = picus_allocate(r->context, r->table_size ? 2 * r->table_size : 64, sizeof *table);
  if (!table) return PICUS_ERROR_MEMORY;
  picus_release(r->context, r->table);
  r->table = table;
  r->table_size = r->table_size ? 2 * r->table_size : 64;
  for (int k = 0; k < r->mesh.point_count; k++) r->table[find_slot(r, r->mesh.points + 3 * (size_t)k)] = k + 1;
  return PICUS_OK;
}

/* The number of the point at a place. */
static picus_status add_point(mesh_reader *r, const double place[3], int *number) {
  double x[3] = {0};
  for (int k = 0; k < 3; k++) {
    if (!(fabs(place[k]) <= largest))
      return fail(r, "a corner has the coordinate %g; give numbers below %g", place[k], largest);
    x[k] = place[k] + 0.0; /* no -0: equal places have equal bits */
  }
  picus_status status = PICUS_OK;
  if (2 * ((size_t)r->mesh.point_count + 1) > r->table_size) status = grow_table(r);
  if (status) return status;
  const size_t slot = find_slot(r, x);
  if (r->table[slot]) {
    *number = r->table[slot] - 1;
    return PICUS_OK;
  }
  if (r->mesh.point_count == PICUS_MESH_MOST_POINTS)
    return picus_fail(r->context, PICUS_ERROR_FILE_LIMIT, "'%s' has more than %d points; simplify the mesh", r->name,
                      PICUS_MESH_MOST_POINTS);
  if ((size_t)r->mesh.point_count >= r->point_capacity)
    status = picus_grow(r->context, &r->mesh.points, (size_t)r->mesh.point_count, &r->point_capacity, 3 * sizeof *x);
  if (status) return status;
  memcpy(r->mesh.points + 3 * (size_t)r->mesh.point_count, x, sizeof x);
  *number = r->mesh.point_count++;
  r->table[slot] = *number + 1;
  return PICUS_OK;
}

static picus_status add_triangle(mesh_reader *r, const int corner[3]) {
  picus_mesh *m = &r->mesh;
  if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) {
    m->dropped_count++;
    return PICUS_OK;
  }
  if (m->triangle_count == PICUS_MESH_MOST_TRIANGLES)
    return picus_fail(r->context, PICUS_ERROR_FILE_LIMIT, "'%s' has more than %d triangles; simplify the mesh", r->name,
                      PICUS_MESH_MOST_TRIANGLES);
  if ((size_t)m->triangle_count >= r->triangle_capacity) {
    picus_status status =
        picus_grow(r->context, &m->triangles, (size_t)m->triangle_count, &r->triangle_capacity, sizeof *m->triangles);
    if (status) return status;
  }
  memcpy(m->triangles[m->triangle_count++], corner, 3 * sizeof *corner);
  return PICUS_OK;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static bool is_blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/* The next word of this line; false at the end of the line. Words that are too long are cut. */
static bool next_word(mesh_reader *r, char word[WORD_SIZE]) {
  while (r->at < r->end && is_blank(*r->at)) r->at++;
  if (r->at == r->end || *r->at == '\n') return false;
  size_t length = 0;
  for (; r->at < r->end && !is_blank(*r->at) && *r->at != '\n'; r->at++)
    if (length + 1 < WORD_SIZE) word[length++] = *r->at ? (char)*r->at : '?';
  word[length] = '\0';
  return true;
}

static void skip_line(mesh_reader *r) {
  while (r->at < r->end && *r->at != '\n') r->at++;
}

/* To the start of the next line; false at the end of the file. */
static bool next_line(mesh_reader *r) {
  skip_line(r);
  if (r->at < r->end) r->at++;
  if (r->at == r->end) return false;
  r->line++;
  return true;
}

/* The next word, on this line or a later one. */
static bool next_word_anywhere(mesh_reader *r, char word[WORD_SIZE]) {
  while (!next_word(r, word))
    if (!next_line(r)) return false;
  return true;
}

static picus_status read_number(mesh_reader *r, const char *word, double *value) {
  char *end;
  picus_locale_enter(&r->plain);
  *value = strtod(word, &end);
  picus_locale_leave(&r->plain);
  if (end != word && !*end && isfinite(*value)) return PICUS_OK;
  char text[4 * WORD_SIZE];
  picus_printable(word, false, text, sizeof text);
  return fail(r, "'%s' is not a finite number", text);
}

static picus_status unexpected(mesh_reader *r, const char *word, const char *expected) {
  char text[4 * WORD_SIZE];
  picus_printable(word, false, text, sizeof text);
  return fail(r, "'%s' stands where '%s' is expected", text, expected);
}

/* --- STL ---------------------------------------------------------------------------------------------------------- */

static picus_status expect(mesh_reader *r, const char *expected) {
  char word[WORD_SIZE];
  if (!next_word_anywhere(r, word)) return fail(r, "the file ends where '%s' is expected", expected);
  return picus_same_word(word, expected) ? PICUS_OK : unexpected(r, word, expected);
}

static picus_status read_three(mesh_reader *r, double x[3]) {
  char word[WORD_SIZE];
  picus_status status = PICUS_OK;
  for (int k = 0; k < 3 && !status; k++)
    status =
        next_word_anywhere(r, word) ? read_number(r, word, &x[k]) : fail(r, "the file ends where a number is expected");
  return status;
}

/* After the word facet. The normal may be anything: some programs write nan for thin triangles. */
static picus_status read_facet(mesh_reader *r) {
  char word[WORD_SIZE];
  int corner[3] = {0};
  picus_status status = expect(r, "normal");
  for (int k = 0; k < 3 && !status; k++)
    if (!next_word_anywhere(r, word)) status = fail(r, "the file ends in the normal of a facet");
  if (!status) status = expect(r, "outer");
  if (!status) status = expect(r, "loop");
  for (int k = 0; k < 3 && !status; k++) {
    double x[3] = {0};
    status = expect(r, "vertex");
    if (!status) status = read_three(r, x);
    if (!status) status = add_point(r, x, &corner[k]);
  }
  if (!status) status = expect(r, "endloop");
  if (!status) status = expect(r, "endfacet");
  return status ? status : add_triangle(r, corner);
}

/* One or several solids, each with a name of any words on its first line. */
static picus_status read_stl_text(mesh_reader *r) {
  char word[WORD_SIZE];
  picus_status status = PICUS_OK;
  r->line = 1;
  while (!status && next_word_anywhere(r, word)) {
    if (!picus_same_word(word, "solid")) return unexpected(r, word, "solid");
    skip_line(r);
    for (bool ended = false; !status && !ended;) {
      if (!next_word_anywhere(r, word)) return fail(r, "the file ends where 'endsolid' is expected; it is truncated");
      ended = picus_same_word(word, "endsolid");
      if (ended)
        skip_line(r);
      else
        status = picus_same_word(word, "facet") ? read_facet(r) : unexpected(r, word, "facet");
    }
  }
  return status;
}

static uint32_t little_endian(const unsigned char *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static picus_status read_stl_bytes(mesh_reader *r) {
  const size_t size = (size_t)(r->end - r->at);
  const uint32_t count = little_endian(r->at + STL_HEADER - 4);
  const uint64_t needed = STL_HEADER + (uint64_t)STL_TRIANGLE * count;
  if (needed > size)
    return fail(r, "the file announces %lu triangles, which need %llu bytes, but has %zu bytes; it is truncated",
                (unsigned long)count, (unsigned long long)needed, size);
  if (size - needed >= STL_TRIANGLE) /* fewer bytes are padding */
    return fail(r, "the file announces %lu triangles, but its %zu bytes have space for %zu; write the file again",
                (unsigned long)count, size, (size - STL_HEADER) / STL_TRIANGLE);
  picus_status status = PICUS_OK;
  for (uint32_t f = 0; f < count && !status; f++) {
    const unsigned char *p = r->at + STL_HEADER + (size_t)STL_TRIANGLE * f + 12; /* after the normal */
    int corner[3] = {0};
    for (int k = 0; k < 3 && !status; k++) {
      double x[3] = {0};
      for (int i = 0; i < 3; i++, p += 4) {
        const uint32_t bits = little_endian(p);
        float value;
        memcpy(&value, &bits, sizeof value);
        x[i] = value;
      }
      if (!picus_all_finite(x, 3))
        status = fail(r, "corner %d of triangle %lu is not finite", k + 1, (unsigned long)f + 1);
      if (!status) status = add_point(r, x, &corner[k]);
    }
    if (!status) status = add_triangle(r, corner);
  }
  return status;
}

/* The word solid at the start does not tell: some programs write it into the header of bytes. The size does. */
static picus_status read_stl(mesh_reader *r) {
  const size_t size = (size_t)(r->end - r->at);
  const bool fits = size >= STL_HEADER &&
                    STL_HEADER + (uint64_t)STL_TRIANGLE * little_endian(r->at + STL_HEADER - 4) == (uint64_t)size;
  size_t blank = 0;
  while (blank < size && (is_blank(r->at[blank]) || r->at[blank] == '\n')) blank++;
  const bool solid = size - blank >= 5 && picus_same_letters((const char *)r->at + blank, "solid", 5);
  if (solid && !fits) return read_stl_text(r);
  if (size >= STL_HEADER) return read_stl_bytes(r);
  return fail(r, "the file is not an STL file: it does not begin with 'solid' and has only %zu bytes", size);
}

/* --- OBJ ---------------------------------------------------------------------------------------------------------- */

static picus_status read_place(mesh_reader *r) {
  char word[WORD_SIZE];
  double x[3] = {0};
  int number;
  picus_status status = PICUS_OK;
  for (int k = 0; k < 3 && !status; k++)
    status = next_word(r, word) ? read_number(r, word, &x[k]) : fail(r, "a vertex needs three numbers");
  if (!status) status = add_point(r, x, &number);
  if (!status && r->place_count == MOST_CORNERS)
    status = picus_fail(r->context, PICUS_ERROR_FILE_LIMIT, "'%s' has more than %d vertices; simplify the mesh",
                        r->name, MOST_CORNERS);
  if (!status && (size_t)r->place_count >= r->place_capacity)
    status = picus_grow(r->context, &r->places, (size_t)r->place_count, &r->place_capacity, sizeof *r->places);
  if (!status) r->places[r->place_count++] = number;
  return status;
}

/* i, i/t, i//n or i/t/n: the point of the vertex i. */
static picus_status read_corner(mesh_reader *r, const char *word, int *point) {
  char *end;
  errno = 0;
  long number = strtol(word, &end, 10);
  if (end == word || (*end && *end != '/') || errno) {
    char text[4 * WORD_SIZE];
    picus_printable(word, false, text, sizeof text);
    return fail(r, "'%s' is not the number of a vertex", text);
  }
  if (number < 0) number += r->place_count + 1L;
  if (number < 1 || number > r->place_count)
    return fail(r, "the face names vertex %s, but %d vertices stand before it", word, r->place_count);
  *point = r->places[number - 1];
  return PICUS_OK;
}

static picus_status read_face(mesh_reader *r) {
  char word[WORD_SIZE];
  int corner[3] = {0}, count = 0;
  picus_status status = PICUS_OK;
  for (; !status && next_word(r, word); count++) {
    int point = 0;
    if (strcmp(word, "\\") == 0)
      return fail(r, "a face that continues in the next line is not supported; join the lines");
    status = read_corner(r, word, &point);
    if (count > 2) corner[1] = corner[2];
    corner[count < 2 ? count : 2] = point;
    if (!status && count >= 2) status = add_triangle(r, corner);
  }
  if (!status && count < 3) status = fail(r, "a face needs three vertices, not %d", count);
  return status;
}

/* Other keywords (texture, normals, groups, materials) do not change the shape. */
static picus_status read_obj(mesh_reader *r) {
  char word[WORD_SIZE];
  picus_status status = PICUS_OK;
  r->line = 1;
  do {
    if (!next_word(r, word)) continue;
    if (strcmp(word, "v") == 0) status = read_place(r);
    if (strcmp(word, "f") == 0) status = read_face(r);
  } while (!status && next_line(r));
  return status;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *ending) {
  const size_t length = strlen(name), own = strlen(ending);
  return length >= own && picus_same_word(name + length - own, ending);
}

static picus_status read_format(mesh_reader *r) {
  picus_status status;
  if (ends_with(r->name, ".stl"))
    status = read_stl(r);
  else if (ends_with(r->name, ".obj"))
    status = read_obj(r);
  else
    status = fail(r, "a mesh is a file whose name ends in .stl or .obj");
  r->line = 0;
  if (!status && !r->mesh.point_count) status = fail(r, "the file has no points");
  return status;
}

picus_status picus_mesh_parse(picus_context *context, const char *name, const void *bytes, size_t size,
                              picus_mesh *out) {
  static const unsigned char nothing[1] = {0};
  const unsigned char *begin = bytes ? bytes : nothing;
  *out = (picus_mesh){0};
  if (!bytes) size = 0;
  mesh_reader r = {.context = context, .name = name, .at = begin, .end = begin + size};
  if (!picus_locale_create(&r.plain))
    return picus_fail(context, PICUS_ERROR_MEMORY, "out of memory while reading '%s'", name);
  picus_status status = read_format(&r);
  picus_locale_destroy(&r.plain);
  picus_release(context, r.table);
  picus_release(context, r.places);
  if (status)
    picus_mesh_release(context, &r.mesh);
  else
    *out = r.mesh;
  return status;
}

picus_status picus_mesh_read(picus_context *context, const char *path, picus_mesh *out) {
  *out = (picus_mesh){0};
  unsigned char *bytes = NULL;
  size_t size = 0;
  picus_status status = picus_file_bytes(context, path, MOST_BYTES, &bytes, &size);
  if (!status) status = picus_mesh_parse(context, path, bytes, size, out);
  picus_release(context, bytes);
  return status;
}

void picus_mesh_release(picus_context *context, picus_mesh *mesh) {
  picus_release(context, mesh->points);
  picus_release(context, mesh->triangles);
  *mesh = (picus_mesh){0};
}
