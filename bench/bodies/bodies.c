/* Figures of quality, and the run that all engines share. */
#include "bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- quality ---------------------------------------------------------------------------------------------------- */

void bodies_residual_add(bodies_residual *residual, const bodies_scene *s, double h, const double *u, const double *p,
                         int tangents) {
  const double rho = 1 / s->mean_mass, unit = s->gravity * h;
  const double other = u[0] - rho * p[0], normal = fabs(u[0] - (other > 0 ? other : 0)) / unit;
  double z[2] = {0, 0}, length = 0, friction = 0;
  for (int k = 0; k < tangents; k++) z[k] = p[1 + k] - u[1 + k] / rho;
  length = hypot(z[0], z[1]);
  const double radius = p[0] > 0 ? s->mu * p[0] : 0, factor = length > radius ? radius / length : 1;
  for (int k = 0; k < tangents; k++) friction = hypot(friction, p[1 + k] - factor * z[k]);
  friction *= rho / unit;
  if (normal > residual->largest[0]) residual->largest[0] = normal;
  if (friction > residual->largest[1]) residual->largest[1] = friction;
  if (!(p[0] > 0)) return;
  residual->loaded++;
  residual->sum[0] += normal * normal;
  residual->sum[1] += friction * friction;
}

void bodies_residual_add_vectors(bodies_residual *residual, const bodies_scene *s, double h, const double u[3],
                                 const double p[3], const double n[3]) {
  /* any two tangents */
  const int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
  double a[3] = {0, 0, 0};
  a[least] = 1;
  const double along = n[least];
  for (int k = 0; k < 3; k++) a[k] -= along * n[k];
  const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  for (int k = 0; k < 3; k++) a[k] /= length;
  const double b[3] = {n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2], n[0] * a[1] - n[1] * a[0]};
  const double *const axes[3] = {n, a, b};
  double own_u[3], own_p[3];
  for (int k = 0; k < 3; k++) {
    own_u[k] = axes[k][0] * u[0] + axes[k][1] * u[1] + axes[k][2] * u[2];
    own_p[k] = axes[k][0] * p[0] + axes[k][1] * p[1] + axes[k][2] * p[2];
  }
  bodies_residual_add(residual, s, h, own_u, own_p, 2);
}

static double wall_overlap(const bodies_scene *s, const double *x, int i) {
  const double r = s->radius[i];
  double deepest = 0;
  for (int d = 0; d < (s->planar ? 2 : 3); d++) {
    const bool side = s->planar ? d == 0 : d < 2; /* the last axis has a floor only */
    deepest = fmax(deepest, (r - x[3 * i + d]) / r);
    if (side) deepest = fmax(deepest, (r + x[3 * i + d] - s->width) / r);
  }
  return deepest;
}

typedef struct sorted_body {
  double at;
  int body;
} sorted_body;

static int by_place(const void *left, const void *right) {
  const sorted_body *a = left, *b = right;
  return a->at < b->at ? -1 : a->at > b->at;
}

/* Sorted along the height: only bodies in a layer are compared. */
double bodies_overlap(const bodies_scene *s, const double *x) {
  const int up = s->planar ? 1 : 2;
  sorted_body *order = calloc((size_t)s->n, sizeof *order);
  if (!order) return NAN;
  double deepest = 0;
  for (int i = 0; i < s->n; i++) {
    order[i] = (sorted_body){x[3 * i + up], i};
    deepest = fmax(deepest, wall_overlap(s, x, i));
  }
  qsort(order, (size_t)s->n, sizeof *order, by_place);
  for (int k = 0; k < s->n; k++)
    for (int l = k + 1; l < s->n && order[l].at - order[k].at < s->height_unit; l++) {
      const int i = order[k].body, j = order[l].body;
      const double *a = x + 3 * i, *b = x + 3 * j, r = fmin(s->radius[i], s->radius[j]);
      const double square =
          (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
      deepest = fmax(deepest, (s->radius[i] + s->radius[j] - sqrt(square)) / r);
    }
  free(order);
  return deepest;
}

/* --- run -------------------------------------------------------------------------------------------------------- */

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static double seconds_now(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

static double rms_motion(const bodies_scene *s, const double *from, const double *to) {
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    for (int d = 0; d < 3; d++) {
      const double way = (to[3 * i + d] - from[3 * i + d]) / s->radius[i];
      sum += way * way;
    }
  return sqrt(sum / s->n);
}

static double rms(double sum, long count) { return count ? sqrt(sum / (double)count) : 0; }

bool bodies_run(const bodies_scene *s, const bodies_engine *e, double h, double t_end) {
  const long steps = (long)floor(t_end / h + 0.5), quarter = steps - steps / 4, every = steps / 80 + 1;
  double *x = calloc(6 * (size_t)s->n, sizeof *x), *before = x + 3 * (size_t)s->n, all = 0, rest = 0, wall = 0;
  long counted = 0, counted_at_rest = 0;
  bodies_residual residual = {{0}, {0}, 0};
  bool fine = x != NULL;
  for (long k = 0; fine && k < steps; k++) {
    if (k == quarter) e->positions(e->self, before);
    if (k >= quarter && (k - quarter) % every == every - 1) {
      fine = e->step_measured(e->self, &residual);
      continue;
    }
    const double begin = seconds_now(), begin_wall = seconds_of(CLOCK_MONOTONIC);
    fine = e->step(e->self);
    const double time = seconds_now() - begin;
    all += time;
    counted++;
    if (k < quarter) continue;
    rest += time;
    wall += seconds_of(CLOCK_MONOTONIC) - begin_wall;
    counted_at_rest++;
  }
  if (fine) {
    e->positions(e->self, x);
    printf("%-8s %6d  %-22s %8.3g  %9.3g %9.3g %9.3g  %9.2g  %-9.2g %-9.2g  %-9.2g %-9.2g  %9.2g\n",
           s->planar ? "disks" : "spheres", s->n, e->name, h,
           1e3 * rest / (double)(counted_at_rest ? counted_at_rest : 1),
           1e3 * wall / (double)(counted_at_rest ? counted_at_rest : 1), 1e3 * all / (double)counted,
           bodies_overlap(s, x), rms(residual.sum[0], residual.loaded), residual.largest[0],
           rms(residual.sum[1], residual.loaded), residual.largest[1], rms_motion(s, before, x));
    fflush(stdout);
  }
  free(x);
  return fine;
}
