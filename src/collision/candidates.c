/* From all pairs of features where two cores lie on each other to at most four that span the same area. */
#include "collision/narrow.h"
#include "shape/surface.h"

#include <math.h>

void picus_candidates_start(const narrow_pair *pair, double distance, v3 normal, candidates *out) {
  out->count = 0;
  out->scale = pair->scale;
  out->gap = distance - pair->shapes->a->radius - pair->shapes->b->radius;
  out->normal = pose_direction(&pair->shapes->poses[0], normal);
}

/* How far a contact is from the signed distance, in its gap and in its direction. */
static double height(const candidates *list, const contact_geometry *contact) {
  return fabs(contact->gap - list->gap) + list->scale * v3_length(v3_sub(contact->normal, list->normal));
}

/* The candidate at the place of a contact, seen along the normal; -1: none. */
static int find_place(const candidates *list, const contact_geometry *contact) {
  const double tolerance = narrow_same_place * list->scale;
  for (int k = 0; k < list->count; k++) {
    v3 d = v3_sub(contact->point[0], list->contact[k].point[0]);
    d = v3_along(d, -v3_dot(d, list->normal), list->normal);
    if (v3_square(d) <= tolerance * tolerance) return k;
  }
  return -1;
}

/* The candidate whose gap is the signed distance; of equal ones the first. */
static int deepest(const candidates *list) {
  int best = 0;
  for (int k = 1; k < list->count; k++)
    if (height(list, &list->contact[k]) < height(list, &list->contact[best]) - narrow_round_off * list->scale) best = k;
  return best;
}

/* Where the choice begins: of those about as deep as the deepest the one farthest from their centre, so that the choice
 * among the corners of two faces does not change with round-off. */
static int beginning(const candidates *list) {
  const double depth = list->gap + 1e-6 * list->scale;
  v3 sum = {0, 0, 0};
  int count = 0, best = deepest(list);
  for (int k = 0; k < list->count; k++)
    if (list->contact[k].gap <= depth) {
      sum = v3_add(sum, list->contact[k].point[0]);
      count++;
    }
  double largest = 0;
  for (int k = 0; k < list->count && count; k++) {
    double square = v3_square(v3_along(list->contact[k].point[0], -1.0 / count, sum));
    if (list->contact[k].gap <= depth && square > largest * (1 + 1e-6)) {
      largest = square;
      best = k;
    }
  }
  return best;
}

/* The candidate farthest from the first chosen one, from the line through the first two, or beyond this line, opposite
 * to the third. -1: all others are there already. */
static int farthest(const candidates *list, const int *chosen, int count) {
  v3 origin = list->contact[chosen[0]].point[0], across = {0, 0, 0};
  if (count > 1) across = v3_cross(list->normal, v3_sub(list->contact[chosen[1]].point[0], origin));
  double sign = 1;
  if (count > 2) sign = v3_dot(across, v3_sub(list->contact[chosen[2]].point[0], origin)) > 0 ? -1 : 1;
  double largest = count == 1 ? 0 : narrow_same_place * list->scale * v3_length(across);
  int best = -1;
  for (int k = 0; k < list->count; k++) {
    v3 d = v3_sub(list->contact[k].point[0], origin);
    double side = v3_dot(across, d), value = count == 1 ? v3_square(d) : count == 2 ? fabs(side) : sign * side;
    if (value > largest * (1 + 1e-6)) { /* equal ones: the first, whatever round-off says */
      largest = value;
      best = k;
    }
  }
  return best;
}

/* The first contact is one whose gap is the signed distance. If none of the chosen ones is, the deepest takes the place
 * of the chosen one next to it. */
static void place_first(const candidates *list, int *chosen, int count) {
  const int wanted = deepest(list);
  const double depth = height(list, &list->contact[wanted]) + narrow_same_depth * list->scale;
  int at = 0;
  double least = INFINITY;
  for (int k = 0; k < count; k++) {
    const contact_geometry *contact = &list->contact[chosen[k]];
    double square = v3_square(v3_sub(contact->point[0], list->contact[wanted].point[0]));
    if (height(list, contact) <= depth) square = -1;
    if (square < least) {
      least = square;
      at = k;
    }
  }
  const int first = least < 0 ? chosen[at] : wanted;
  chosen[at] = chosen[0];
  chosen[0] = first;
}

void picus_candidates_reduce(const candidates *list, int most, manifold *out) {
  int chosen[MANIFOLD_MOST], count = 0;
  out->count = 0;
  if (!list->count) return;
  for (chosen[count++] = beginning(list); count < most; count++) {
    chosen[count] = farthest(list, chosen, count);
    if (chosen[count] < 0) break;
  }
  place_first(list, chosen, count);
  for (int k = 0; k < count; k++) {
    out->feature[k] = list->feature[chosen[k]];
    out->contact[k] = list->contact[chosen[k]];
  }
  out->count = count;
}

/* Faces of very many corners: those that span the area so far stay. */
static void make_room(candidates *list) {
  manifold few;
  picus_candidates_reduce(list, MANIFOLD_MOST, &few);
  for (int k = 0; k < few.count; k++) {
    list->feature[k] = few.feature[k];
    list->contact[k] = few.contact[k];
  }
  list->count = few.count;
}

static picus_feature in_surface(const surface_element *e, picus_feature f) {
  if (f.kind == FEATURE_FACE) return a_face(e->face);
  return f.kind == FEATURE_EDGE ? an_edge(e->edge[f.index]) : a_vertex(e->vertex[f.index]);
}

static feature_pair in_shapes(const narrow_pair *pair, feature_pair f) {
  if (!pair->element) return f;
  return pair->element->is_a ? pair_of(in_surface(pair->element, f.a), f.b)
                             : pair_of(f.a, in_surface(pair->element, f.b));
}

void picus_pair_gap(const narrow_pair *pair, feature_pair feature, contact_geometry *out) {
  picus_contact_gap(pair->shapes->a, pair->shapes->b, pair->shapes->poses, in_shapes(pair, feature), out);
}

/* Contacts with faces of a surface are found elsewhere; vertices and edges touch in some directions only. */
static bool surface_touches(const narrow_pair *pair, feature_pair feature, v3 normal) {
  const surface_element *e = pair->element;
  if (!e) return true;
  const picus_feature mine = e->is_a ? feature.a : feature.b;
  if (mine.kind == FEATURE_FACE) return false;
  v3 away = pose_direction_back(&pair->shapes->poses[e->is_a ? 0 : 1], e->is_a ? normal : v3_minus(normal));
  return picus_surface_touches(e->surface, mine, away);
}

void picus_candidates_add(const narrow_pair *pair, feature_pair feature, candidates *out) {
  if (out->count == CANDIDATES_MOST) make_room(out);
  contact_geometry *contact = &out->contact[out->count];
  picus_pair_gap(pair, feature, contact);
  feature = in_shapes(pair, feature);
  if (!(contact->gap <= pair->shapes->margin)) return;
  if (v3_dot(contact->normal, out->normal) < narrow_aligned || !surface_touches(pair, feature, contact->normal)) return;
  int there = find_place(out, contact);
  if (there < 0) {
    out->feature[out->count++] = feature;
  } else if (height(out, contact) < height(out, &out->contact[there]) - narrow_same_height * out->scale) {
    out->feature[there] = feature;
    out->contact[there] = *contact;
  }
}

double picus_candidates_distance(const candidates *list) {
  return list->count > 0 ? height(list, &list->contact[deepest(list)]) : INFINITY;
}
