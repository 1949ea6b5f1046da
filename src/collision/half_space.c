/* Contacts of a half-space: with the lowest vertices of the other core. */
#include "collision/narrow.h"

void picus_narrow_half_space(const narrow_pair *pair, bool first, manifold *out) {
  const placed *plane = first ? &pair->a : &pair->b, *on = first ? &pair->b : &pair->a;
  const v3 normal = plane->normals[0];
  double lowest;
  int deepest = placed_lowest(on, normal, &lowest);
  const double distance = lowest - plane->offsets[0];
  if (distance > pair->reach) return;
  candidates list;
  picus_candidates_start(pair, distance, first ? normal : v3_minus(normal), &list);
  for (int k = 0; k < on->core->vertex_count; k++) {
    if (k != deepest && v3_dot(normal, on->vertices[k]) - plane->offsets[0] > pair->reach) continue;
    picus_feature face = a_face(0), point = a_vertex(k);
    picus_candidates_add(pair, first ? pair_of(face, point) : pair_of(point, face), &list);
  }
  picus_candidates_reduce(&list, pair->shapes->a->planar ? MANIFOLD_PLANAR : MANIFOLD_MOST, out);
}
