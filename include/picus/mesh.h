/* Triangle meshes from STL files (text and binary) and OBJ files: terrain, or points of a convex polyhedron. */
#ifndef PICUS_MESH_H
#define PICUS_MESH_H

#include <picus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Triangles by their corners, counterclockwise seen from outside. No two points are at the same place, and no triangle
 * names a point twice. Normals of the file are not used: the order of the corners determines the outside. */
typedef struct picus_mesh {
  double *points; /* three numbers each, in the unit of the file */
  int point_count;
  int (*triangles)[3]; /* numbers of points, from 0 */
  int triangle_count;
  int dropped_count; /* omitted triangles of the file, with two corners at one place */
} picus_mesh;

enum { PICUS_MESH_MOST_POINTS = 1 << 20, PICUS_MESH_MOST_TRIANGLES = 1 << 21 };

/* Reads a file whose name ends in .stl or .obj. Faces of an OBJ file with more than three corners are divided into
 * triangles from their first corner. A file without triangles is read if it has points. On failure the context has a
 * message with the place, and out holds nothing.
 * Lifetime: until picus_mesh_release. */
PICUS_API picus_status picus_mesh_read(picus_context *context, const char *path, picus_mesh *out);
/* As above, from memory; the ending of name determines the format.
 * Lifetime: until picus_mesh_release. */
PICUS_API picus_status picus_mesh_parse(picus_context *context, const char *name, const void *bytes, size_t size,
                                        picus_mesh *out);
PICUS_API void picus_mesh_release(picus_context *context, picus_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
