/* Disks and spheres that fall into a box, the same in every engine, and figures of quality that do not depend on the
 * engine. C, and C++ for the engines. The scenes are those of scenes/heaps.h. */
#ifndef PICUS_BENCH_BODIES_H
#define PICUS_BENCH_BODIES_H

#include "heaps.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef heap_scene bodies_scene;

/* Signorini's and Coulomb's law at the end of a step, over g h: with rho = 1 / mean mass,
 *   r_N = |u_N - max(0, u_N - rho p_N)|,  r_T = rho |p_T - proj(p_T - u_T / rho)|, proj onto the disk of radius mu p_N.
 * rms over loaded contacts (p_N > 0), and the largest of all. */
typedef struct bodies_residual {
  double sum[2], largest[2]; /* squares; Signorini, Coulomb */
  long loaded;
} bodies_residual; /* begins with zeros */
/* One contact: u and p with the normal first; tangents: 1 or 2 more. */
void bodies_residual_add(bodies_residual *residual, const bodies_scene *scene, double h, const double *u,
                         const double *p, int tangents);
/* The same from vectors: relative velocity of b against a, impulse on b, normal from a to b. */
void bodies_residual_add_vectors(bodies_residual *residual, const bodies_scene *scene, double h, const double u[3],
                                 const double p[3], const double normal[3]);

/* The deepest overlap over the radius of the body, or of the smaller one of two; x: 3 n. */
double bodies_overlap(const bodies_scene *scene, const double *x);

/* An engine: all functions get `self`. step: one step of h; measure: positions into x, contacts of the last step into
 * residual unless NULL. */
typedef struct bodies_engine {
  const char *name;
  void *self;
  bool (*step)(void *self);
  bool (*step_measured)(void *self, bodies_residual *residual); /* a step, with its residual */
  void (*positions)(void *self, double *x);
} bodies_engine;
/* Runs for t_end in steps of h and prints one row. Times are processor times of the steps, at rest also by the clock;
 * measured steps, twenty of the last quarter, do not count. */
bool bodies_run(const bodies_scene *scene, const bodies_engine *engine, double h, double t_end);

#ifdef __cplusplus
}
#endif

#endif
