/* STL and OBJ files: the same body from all formats, and messages for what is wrong. */
#define _POSIX_C_SOURCE 200809L
#include "shape/internal.h"
#include "support/check.h"

#include <locale.h>
#include <math.h>
#include <picus/bodies.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A buffer that grows. */
typedef struct text {
  char *at;
  size_t size, capacity;
} text;

static void put(text *t, const void *bytes, size_t size) {
  if (t->size + size + 1 > t->capacity) {
    t->capacity = 2 * (t->size + size + 1);
    t->at = realloc(t->at, t->capacity);
    if (!t->at) abort();
  }
  memcpy(t->at + t->size, bytes, size);
  t->size += size;
  t->at[t->size] = '\0';
}
static void say(text *t, const char *word) { put(t, word, strlen(word)); }

static const double corners[4][3] = {{0, 0, 0}, {1.5, 0, 0}, {0, 2, 0}, {0, 0, 0.25}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static text stl_text(void) {
  text t = {0};
  say(&t, "solid a name of words\r\n");
  for (int f = 0; f < 4; f++) {
    char line[128];
    say(&t, "facet normal nan 0 0\nouter loop\n");
    for (int k = 0; k < 3; k++) {
      const double *x = corners[faces[f][k]];
      snprintf(line, sizeof line, "  VERTEX %.9e %g\t%g\r\n", x[0], x[1], x[2]);
      say(&t, line);
    }
    say(&t, "endloop endfacet\n");
  }
  say(&t, "endsolid");
  return t;
}

static void put_number(text *t, uint32_t bits) {
  const unsigned char b[4] = {(unsigned char)bits, (unsigned char)(bits >> 8), (unsigned char)(bits >> 16),
                              (unsigned char)(bits >> 24)};
  put(t, b, 4);
}
static void put_float(text *t, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_number(t, bits);
}

static void put_triangle(text *t, const double x[3][3]) {
  for (int k = 0; k < 3; k++) put_float(t, NAN);
  for (int k = 0; k < 9; k++) put_float(t, (float)x[k / 3][k % 3]);
  put(t, "\0\0", 2);
}

static text stl_bytes(uint32_t announced) {
  text t = {0};
  char header[80] = "solid that is none";
  put(&t, header, sizeof header);
  put_number(&t, announced);
  for (int f = 0; f < 4; f++) {
    double x[3][3];
    for (int k = 0; k < 3; k++) memcpy(x[k], corners[faces[f][k]], sizeof x[k]);
    put_triangle(&t, (const double(*)[3])x);
  }
  return t;
}

static text obj_text(void) {
  text t = {0};
  say(&t, "# tetrahedron\nmtllib none.mtl\no thing\nv 0 0 0\nv 1.5 0 0 1\nvt 0.5 0.5\nv 0 2 0\nv 0 0 0.25\nvn 0 0 1\n"
          "f 1 3 2\nf 1//1 2//1 4//1\nf -3/1/1 -2/1/1 -1/1/1\n\tf 3/1 1/1 4/1");
  return t;
}

static void check_tetrahedron(picus_context *context, const char *name, text t) {
  picus_mesh m;
  if (CHECK(picus_mesh_parse(context, name, t.at, t.size, &m) == PICUS_OK)) {
    CHECK(m.point_count == 4 && m.triangle_count == 4 && m.dropped_count == 0);
    for (int f = 0; f < m.triangle_count && f < 4; f++)
      for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) CHECK(m.points[3 * m.triangles[f][k] + i] == corners[faces[f][k]][i]);
    const picus_shape_def def = {.kind = PICUS_SHAPE_MESH,
                                 .points = m.points,
                                 .point_count = m.point_count,
                                 .triangles = (const int(*)[3])m.triangles,
                                 .triangle_count = m.triangle_count,
                                 .closed = true};
    picus_shape shape;
    CHECK(picus_shape_create(context, &def, &shape) == PICUS_OK);
    picus_shape_release(context, &shape);
  }
  picus_mesh_release(context, &m);
  free(t.at);
}

static void formats(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  setlocale(LC_NUMERIC, "de_DE.UTF-8"); /* a decimal comma, if this locale is installed */
  check_tetrahedron(context, "a.STL", stl_text());
  check_tetrahedron(context, "a.stl", stl_bytes(4));
  check_tetrahedron(context, "folder.stl/a.obj", obj_text());
  setlocale(LC_NUMERIC, "C");
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static void files(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_mesh m;
  text t = stl_bytes(4);
  FILE *file = fopen("tetrahedron.stl", "wb");
  REQUIRE(file);
  CHECK(fwrite(t.at, 1, t.size, file) == t.size);
  fclose(file);
  CHECK(picus_mesh_read(context, "tetrahedron.stl", &m) == PICUS_OK && m.triangle_count == 4);
  picus_mesh_release(context, &m);
  CHECK(picus_mesh_read(context, "there is none.stl", &m) == PICUS_ERROR_IO && !m.points);
  CHECK(picus_mesh_read(context, ".", &m) == PICUS_ERROR_IO);
  remove("tetrahedron.stl");
  free(t.at);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

typedef struct wrong {
  const char *name, *bytes, *message;
} wrong;

static void messages(void) {
  static const wrong all[] = {
      {"a.ply", "ply", "'a.ply': a mesh is a file whose name ends in .stl or .obj"},
      {"a.obj", "", "'a.obj': the file has no points"},
      {"a.obj", "v 1 2\n", "'a.obj', line 1: a vertex needs three numbers"},
      {"a.obj", "v 1 2 nan\n", "'a.obj', line 1: 'nan' is not a finite number"},
      {"a.obj", "v 1 2 1e400\n", "'a.obj', line 1: '1e400' is not a finite number"},
      {"a.obj", "\nv 1 2 1e200\n", "'a.obj', line 2: a corner has the coordinate 1e+200; give numbers below 1e+100"},
      {"a.obj", "v 1 2 3\nf 1 2 3\n", "'a.obj', line 2: the face names vertex 2, but 1 vertices stand before it"},
      {"a.obj", "v 1 2 3\nf 0 1 1\n", "'a.obj', line 2: the face names vertex 0, but 1 vertices stand before it"},
      {"a.obj", "v 1 2 3\nf -2 1 1\n", "'a.obj', line 2: the face names vertex -2, but 1 vertices stand before it"},
      {"a.obj", "v 1 2 3\nf 1 x 1\n", "'a.obj', line 2: 'x' is not the number of a vertex"},
      {"a.obj", "v 1 2 3\nf 1 1\n", "'a.obj', line 2: a face needs three vertices, not 2"},
      {"a.obj", "v 1 2 3\nf 1 1 \\\n1\n",
       "'a.obj', line 2: a face that continues in the next line is not supported; join the lines"},
      {"a.stl", "", "'a.stl': the file is not an STL file: it does not begin with 'solid' and has only 0 bytes"},
      {"a.stl", "solid\n", "'a.stl', line 1: the file ends where 'endsolid' is expected; it is truncated"},
      {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0",
       "'a.stl', line 4: the file ends where a number is expected"},
      {"a.stl", "solid\nface\n", "'a.stl', line 2: 'face' stands where 'facet' is expected"},
      {"a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0 vertex 0 0 \033[2J",
       "'a.stl', line 4: '\\x1b[2J' is not a finite number"},
      {"a.stl", "solid\nendsolid\n", "'a.stl': the file has no points"},
  };
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    picus_mesh m;
    CHECK(picus_mesh_parse(context, all[k].name, all[k].bytes, strlen(all[k].bytes), &m) == PICUS_ERROR_IO);
    CHECK_TEXT(picus_last_error(context)->message, all[k].message);
    CHECK(!m.points && !m.triangles);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* Every beginning of a file, and every file with one byte changed: read or rejected, nothing lost. */
static void damaged(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  test_random random = {1};
  for (int format = 0; format < 3; format++) {
    text t = format == 0 ? stl_text() : format == 1 ? stl_bytes(4) : obj_text();
    const char *name = format < 2 ? "a.stl" : "a.obj";
    picus_mesh m;
    for (size_t size = 0; size < t.size; size++) {
      if (picus_mesh_parse(context, name, t.at, size, &m)) CHECK(picus_last_error(context)->message[0]);
      picus_mesh_release(context, &m);
    }
    for (int round = 0; round < 3000; round++) {
      const int at = test_integer(&random, 0, (int)t.size - 1);
      const char before = t.at[at];
      t.at[at] = (char)test_integer(&random, -128, 127);
      if (picus_mesh_parse(context, name, t.at, t.size, &m)) CHECK(picus_last_error(context)->message[0]);
      for (int k = 0; k < 3 * m.point_count; k++) CHECK(isfinite(m.points[k]));
      picus_mesh_release(context, &m);
      t.at[at] = before;
    }
    free(t.at);
  }
  text t = stl_bytes(0xffffffffu);
  picus_mesh m;
  CHECK(picus_mesh_parse(context, "a.stl", t.at, t.size, &m) == PICUS_ERROR_IO);
  t.at[0] = 'x';
  CHECK(picus_mesh_parse(context, "a.stl", t.at, t.size, &m) == PICUS_ERROR_IO);
  CHECK_TEXT(
      picus_last_error(context)->message,
      "'a.stl': the file announces 4294967295 triangles, which need 214748364834 bytes, but has 284 bytes; it is "
      "truncated");
  free(t.at);
  t = stl_bytes(1); /* of four */
  t.at[0] = 'x';
  CHECK(picus_mesh_parse(context, "a.stl", t.at, t.size, &m) == PICUS_ERROR_IO);
  CHECK_TEXT(picus_last_error(context)->message,
             "'a.stl': the file announces 1 triangles, but its 284 bytes have space for 4; write the file again");
  CHECK(picus_mesh_parse(context, "a.stl", t.at, t.size - 151, &m) == PICUS_ERROR_IO); /* a byte of one is missing */
  CHECK(picus_mesh_parse(context, "a.stl", t.at, t.size - 101, &m) == PICUS_OK);       /* 49 bytes of padding */
  picus_mesh_release(context, &m);
  free(t.at);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* A million triangles of a square with hills; then what is too many. */
static void many_faces(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const int side = 708;
  for (int part = 0; part < 2; part++) {
    text t = {0};
    char header[80] = {0};
    const int repeat = part ? 3 : 1;
    put(&t, header, sizeof header);
    put_number(&t, (uint32_t)(repeat * 2 * side * side));
    for (int k = 0; k < repeat * 2 * side * side; k++) {
      double x[3][3];
      const int cell = k / 2 % (side * side), shift[2][3] = {{0, 1, 3}, {0, 3, 2}};
      for (int c = 0; c < 3; c++) {
        const int at = shift[k % 2][c], i = cell % side + (at & 1), j = cell / side + (at >> 1);
        x[c][0] = i;
        x[c][1] = j;
        x[c][2] = (i * 7 + j * 3) % 5;
      }
      put_triangle(&t, (const double(*)[3])x);
    }
    picus_mesh m;
    const picus_status status = picus_mesh_parse(context, "hills.stl", t.at, t.size, &m);
    if (part) {
      CHECK(status == PICUS_ERROR_FILE_LIMIT);
      CHECK_TEXT(picus_last_error(context)->message, "'hills.stl' has more than 2097152 triangles; simplify the mesh");
    } else if (CHECK(status == PICUS_OK)) {
      CHECK(m.triangle_count == 2 * side * side && m.point_count == (side + 1) * (side + 1));
    }
    picus_mesh_release(context, &m);
    free(t.at);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* Triangles without area, holes, inside-out triangles. */
static void bad_meshes(void) {
  static const char cube[] = "v 0 0 0\nv 0 0 1\nv 0 1 0\nv 0 1 1\nv 1 0 0\nv 1 0 1\nv 1 1 0\nv 1 1 1\n";
  static const struct {
    const char *faces;
    bool closed;
    const char *message;
  } all[] = {
      {"f 1 3 7 5\nf 2 6 8 4\nf 1 5 6 2\nf 3 4 8 7\nf 1 2 4 3\nf 5 7 8 6\nf 1 1 2\n", true, NULL},
      {"f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n", true,
       "the mesh is inside out: all its triangles face inwards; swap two points of each triangle"},
      {"f 1 3 7 5\nf 2 6 8 4\nf 1 5 6 2\nf 3 4 8 7\nf 1 2 4 3\nf 5 7 8\n", true,
       "the mesh has a hole: the edge between points 5 and 6 belongs to triangle 5 alone"},
      {"f 1 3 7 5\nf 2 6 8 4\nf 1 5 6 2\nf 3 4 8 7\nf 1 2 4 3\nf 5 7 8\n", false, NULL},
      {"f 1 3 7\nf 1 7 3\nf 1 5 7\n", false,
       "the edge between points 1 and 7 of the mesh belongs to 3 triangles; at most two may meet"},
      {"f 1 3 7\nf 1 7 5\n", false, NULL},
      {"f 1 3 7\nf 7 1 5\n", false,
       "triangles 1 and 2 of the mesh have opposite orientations; swap two points of one of them"},
  };
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    text t = {0};
    picus_mesh m;
    say(&t, cube);
    say(&t, all[k].faces);
    REQUIRE(picus_mesh_parse(context, "cube.obj", t.at, t.size, &m) == PICUS_OK);
    CHECK(m.dropped_count == (k == 0));
    const picus_shape_def def = {.kind = PICUS_SHAPE_MESH,
                                 .points = m.points,
                                 .point_count = m.point_count,
                                 .triangles = (const int(*)[3])m.triangles,
                                 .triangle_count = m.triangle_count,
                                 .closed = all[k].closed};
    picus_shape shape;
    const picus_status status = picus_shape_create(context, &def, &shape);
    CHECK(status == (all[k].message ? PICUS_ERROR_ARGUMENT : PICUS_OK));
    if (all[k].message && status) CHECK_TEXT(picus_last_error(context)->message, all[k].message);
    picus_shape_release(context, &shape);
    picus_mesh_release(context, &m);
    free(t.at);
  }
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"formats", formats}, {"files", files},           {"messages", messages},
      {"damaged", damaged}, {"many_faces", many_faces}, {"bad_meshes", bad_meshes},
  };
  return test_main(argc, argv, "collision_mesh_files", cases, (int)(sizeof cases / sizeof *cases));
}
