/* picus_collision_bench: times of the broad phase and of all of collision detection, for heaps of 1000, 5000 and 50 000
 * spheres or boxes on a floor. The list of pairs is made anew, kept, or kept with the contacts found. Best of many
 * runs; processor time. */
#include "clock.h"
#include "collision/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

int main(void) {
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
  return 0;
}
