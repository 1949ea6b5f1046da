/* picus_collision_bench: times of the broad phase and of all of collision detection, for heaps of 1000, 5000 and 50 000
 * spheres or boxes on a floor. The list of pairs is made anew, kept, or kept with the contacts found. Then the time of
 * one pair that almost touches, for polyhedra of 8 to 20 000 corners and for cylinders. Best of many runs; processor
 * time. */
#include "clock.h"
#include "collision/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct heap {
  picus_context *context;
  int count;
  picus_shape body, floor;
  picus_collider *colliders;
  picus_pose *poses;
  double *margins;
  picus_bounds *bounds;
} heap;

static double next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* Bodies of size 1 on a cubic grid with distance 0.99, each shifted a little: every one touches about six others. */
static bool make(heap *h, int count, picus_shape_kind kind) {
  *h = (heap){.count = count};
  picus_shape_def body = {.kind = kind, .radius = kind == PICUS_SHAPE_SPHERE ? 0.5 : 0, .size = {1, 1, 1}};
  picus_shape_def ground = {.kind = PICUS_SHAPE_HALF_SPACE};
  if (picus_context_create(NULL, &h->context) || picus_shape_create(h->context, &body, &h->body) ||
      picus_shape_create(h->context, &ground, &h->floor))
    return false;
  h->colliders = calloc((size_t)count + 1, sizeof *h->colliders);
  h->poses = calloc((size_t)count, sizeof *h->poses);
  h->margins = calloc((size_t)count, sizeof *h->margins);
  h->bounds = calloc((size_t)count + 1, sizeof *h->bounds);
  if (!h->colliders || !h->poses || !h->margins || !h->bounds) return false;
  const int side = (int)ceil(cbrt(count));
  uint64_t state = 1;
  for (int k = 0; k < count; k++) {
    double x = 0.99 * (k % side), y = 0.99 * (k / side % side), z = 0.49 + 0.99 * (k / side / side);
    h->poses[k] = picus_pose_identity();
    h->poses[k].origin = (v3){x + 0.02 * next_random(&state), y + 0.02 * next_random(&state), z};
    h->margins[k] = 0.005;
    h->colliders[k] = (picus_collider){&h->body, k, (uint32_t)k + 1, picus_pose_identity(), 1, 1};
  }
  h->colliders[count] = (picus_collider){&h->floor, PICUS_STATIC_BODY, 0, picus_pose_identity(), 1, 1};
  return true;
}

static void release(heap *h) {
  picus_shape_release(h->context, &h->body);
  picus_shape_release(h->context, &h->floor);
  picus_context_destroy(h->context);
  free(h->colliders);
  free(h->poses);
  free(h->margins);
  free(h->bounds);
}

static void find_bounds(heap *h, double shift) {
  for (int k = 0; k <= h->count; k++) {
    picus_pose pose = k < h->count ? h->poses[k] : h->colliders[k].frame;
    pose.origin.x += shift;
    h->bounds[k] = picus_shape_bounds(h->colliders[k].shape, &pose);
    for (int d = 0; d < 3; d++) {
      h->bounds[k].low[d] -= 0.005;
      h->bounds[k].high[d] += 0.005;
    }
  }
}

/* Seconds of one search; moving: every search makes a new list. */
static double time_broad(heap *h, bool moving, int *pair_count) {
  picus_collision_def def = {.colliders = h->colliders, .collider_count = h->count + 1, .body_count = h->count};
  broad_phase *broad;
  picus_pairs pairs;
  double best = INFINITY;
  if (picus_broad_create(h->context, &def, &broad)) return NAN;
  for (int run = 0; run < 20; run++) {
    find_bounds(h, moving ? 0.5 * run : 0);
    stop_watch watch = stop_watch_start();
    if (picus_broad_find(broad, h->bounds, &pairs)) return NAN;
    if (run > 1) best = fmin(best, stop_watch_read(watch));
    *pair_count = pairs.count;
  }
  picus_broad_destroy(broad);
  return best;
}

static double time_all(heap *h, int *touch_count) {
  picus_collision_def def = {.colliders = h->colliders, .collider_count = h->count + 1, .body_count = h->count};
  picus_collision *collision;
  picus_touches touches;
  double best = INFINITY;
  if (picus_collision_create(h->context, &def, &collision)) return NAN;
  for (int run = 0; run < 20; run++) {
    stop_watch watch = stop_watch_start();
    if (picus_collision_detect(collision, h->poses, h->margins, &touches)) return NAN;
    if (run > 1) best = fmin(best, stop_watch_read(watch));
    *touch_count = touches.count;
  }
  picus_collision_destroy(collision);
  return best;
}

/* --- one pair ----------------------------------------------------------------------------------------------------- */

/* A hull of points on a sphere of radius 1, or another shape of about this size. */
static bool make_shape(picus_context *context, picus_shape_kind kind, int corners, uint64_t *state, picus_shape *out) {
  double *points = calloc(3 * (size_t)(corners + 1), sizeof *points);
  if (!points) return false;
  for (int k = 0; k < corners; k++) {
    v3 d;
    do d = (v3){next_random(state), next_random(state), next_random(state)};
    while (v3_length(d) > 1 || v3_length(d) < 0.1);
    d = v3_unit(d);
    points[3 * k] = d.x;
    points[3 * k + 1] = d.y;
    points[3 * k + 2] = d.z;
  }
  const picus_shape_def def = {
      .kind = kind,
      .size = {1.5, kind == PICUS_SHAPE_ELLIPSOID ? 1 : 1.5, kind == PICUS_SHAPE_ELLIPSOID ? 0.6 : 1.5},
      .radius = kind == PICUS_SHAPE_CYLINDER ? 0.8 : 0,
      .points = points,
      .point_count = corners};
  const bool good = picus_shape_create(context, &def, out) == PICUS_OK;
  free(points);
  return good;
}

static picus_pose any_pose(uint64_t *state) {
  v3 x = v3_unit((v3){next_random(state), next_random(state), 2 + next_random(state)});
  v3 y = v3_perpendicular(x);
  return (picus_pose){{next_random(state), next_random(state), next_random(state)}, {x, y, v3_cross(x, y)}};
}

/* Mean time over 20 poses with a gap, each the best of some runs. */
static double time_pair(const picus_shape *a, const picus_shape *b, const narrow_space *space, double gap) {
  uint64_t state = 5;
  double sum = 0;
  for (int round = 0; round < 20; round++) {
    shape_pair pair = {a, b, {any_pose(&state), any_pose(&state)}, 100};
    manifold m = {0};
    for (int k = 0; k < 3; k++) {
      picus_narrow(&pair, space, &m);
      if (m.count) pair.poses[1].origin = v3_along(pair.poses[1].origin, gap - m.contact[0].gap, m.contact[0].normal);
    }
    pair.margin = 0.01;
    double best = INFINITY;
    for (int run = 0; run < 5; run++) {
      stop_watch watch = stop_watch_start();
      for (int k = 0; k < 20; k++) picus_narrow(&pair, space, &m);
      best = fmin(best, stop_watch_read(watch) / 20);
    }
    sum += best / 20;
  }
  return sum;
}

static bool bench_pairs(void) {
  static const struct {
    picus_shape_kind kind[2];
    int corners;
  } pairs[] = {{{PICUS_SHAPE_BOX, PICUS_SHAPE_BOX}, 0},
               {{PICUS_SHAPE_POLYHEDRON, PICUS_SHAPE_POLYHEDRON}, 16},
               {{PICUS_SHAPE_POLYHEDRON, PICUS_SHAPE_POLYHEDRON}, 48},
               {{PICUS_SHAPE_POLYHEDRON, PICUS_SHAPE_POLYHEDRON}, 500},
               {{PICUS_SHAPE_POLYHEDRON, PICUS_SHAPE_POLYHEDRON}, 5000},
               {{PICUS_SHAPE_POLYHEDRON, PICUS_SHAPE_POLYHEDRON}, 20000},
               {{PICUS_SHAPE_CYLINDER, PICUS_SHAPE_BOX}, 0},
               {{PICUS_SHAPE_CYLINDER, PICUS_SHAPE_POLYHEDRON}, 48},
               {{PICUS_SHAPE_CYLINDER, PICUS_SHAPE_CYLINDER}, 0},
               {{PICUS_SHAPE_ELLIPSOID, PICUS_SHAPE_BOX}, 0},
               {{PICUS_SHAPE_ELLIPSOID, PICUS_SHAPE_POLYHEDRON}, 48},
               {{PICUS_SHAPE_ELLIPSOID, PICUS_SHAPE_CYLINDER}, 0},
               {{PICUS_SHAPE_ELLIPSOID, PICUS_SHAPE_ELLIPSOID}, 0}};
  printf("\n  %-24s %8s %16s %16s\n", "pair", "corners", "gap 1e-3, us", "depth 1e-3, us");
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    picus_context *context;
    picus_shape shape[2];
    narrow_size need = {0};
    narrow_space space, plain;
    uint64_t state = 7;
    if (picus_context_create(NULL, &context)) return false;
    for (int i = 0; i < 2; i++) {
      if (!make_shape(context, pairs[k].kind[i], pairs[k].corners, &state, &shape[i])) return false;
      picus_narrow_need(&shape[i], &need);
    }
    if (picus_narrow_reserve(context, &need, &space)) return false;
    plain = space;
    plain.marks[0] = NULL; /* all pairs of features are compared */
    char name[64];
    snprintf(name, sizeof name, "%s, %s", picus_shape_kind_name(pairs[k].kind[0]),
             picus_shape_kind_name(pairs[k].kind[1]));
    printf("  %-24s %8d %16.2f %16.2f", name, pairs[k].corners, 1e6 * time_pair(&shape[0], &shape[1], &space, 1e-3),
           1e6 * time_pair(&shape[0], &shape[1], &space, -1e-3));
    if (pairs[k].corners && pairs[k].corners <= 500)
      printf("   all features: %.2f, %.2f", 1e6 * time_pair(&shape[0], &shape[1], &plain, 1e-3),
             1e6 * time_pair(&shape[0], &shape[1], &plain, -1e-3));
    printf("\n");
    for (int i = 0; i < 2; i++) picus_shape_release(context, &shape[i]);
    picus_narrow_release(context, &space);
    picus_context_destroy(context);
  }
  return true;
}

int main(int count_of_words, char **words) {
  if (count_of_words > 1 && strcmp(words[1], "pairs") == 0) return !bench_pairs();
  static const int counts[] = {1000, 5000, 50000};
  static const picus_shape_kind kinds[] = {PICUS_SHAPE_SPHERE, PICUS_SHAPE_BOX};
  printf("  %-7s %8s %8s %9s %13s %14s %13s\n", "shape", "bodies", "pairs", "contacts", "new list, ms", "kept list, ms",
         "detect, ms");
  for (int kind = 0; kind < 2; kind++)
    for (int k = 0; k < 3; k++) {
      heap h;
      int pairs = 0, touches = 0;
      if (!make(&h, counts[k], kinds[kind])) return 1;
      double fresh = time_broad(&h, true, &pairs), kept = time_broad(&h, false, &pairs), all = time_all(&h, &touches);
      printf("  %-7s %8d %8d %9d %13.3f %14.3f %13.3f\n", picus_shape_kind_name(kinds[kind]), counts[k], pairs, touches,
             1e3 * fresh, 1e3 * kept, 1e3 * all);
      release(&h);
    }
  return !bench_pairs();
}
