/* Natural modes of a system: undamped vibrations M x'' + G x' + K x = 0 about a state at rest, found from the sparse
 * matrices of its parts. K and G come from the derivatives of all forces, G being the skew-symmetric part of dh/du;
 * bilateral constraints hold. The lowest frequencies are found by subspace iteration, at a cost that grows linearly
 * with the size of a flexible component. */
#ifndef PICUS_MODES_H
#define PICUS_MODES_H

#include <picus/base.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct picus_modes_options {
  int count;       /* wanted modes, at least 1; there are fewer if the system has fewer degrees of freedom */
  const double *q; /* nq: the state; NULL: the initial state of the system */
  /* first find the static equilibrium near this state: contacts may open and close, without friction;
   * picus_sim_find_equilibrium finds it with friction */
  bool equilibrium;
  bool contacts; /* closed contacts stay closed, and stick if they have friction; otherwise contacts are ignored */
} picus_modes_options;
PICUS_API picus_modes_options picus_default_modes_options(void); /* count 10, everything else 0 */

typedef struct picus_modes picus_modes;
/* One mode. The motion is Re((shape + i shape_imaginary) exp(i omega t)), with shapes of nu velocities and x^T M x = 1.
 */
typedef struct picus_natural_mode {
  double omega;                  /* rad/s; 0: a motion without stiffness. Negative: unstable, grows as exp(|omega| t) */
  double damping;                /* estimated damping ratio, from the symmetric part of dh/du; 0 if omega <= 0 */
  int whirl;                     /* 1: gyroscopic terms raise the frequency, for a shaft in inertial axes forward whirl;
                                    -1: they lower it, backward whirl; 0: neither */
  const double *shape;           /* nu */
  const double *shape_imaginary; /* nu; NULL without gyroscopic terms */
} picus_natural_mode;
/* PICUS_ERROR_MODEL: there is no equilibrium nearby, or the iteration does not converge. Lifetime: `*out` until
 * `picus_modes_destroy`. */
PICUS_API picus_status picus_modes_create(picus_context *context, const picus_system *system,
                                          const picus_modes_options *options, picus_modes **out);
PICUS_API void picus_modes_destroy(picus_modes *modes);
/* rad/s: lower frequencies cannot be distinguished from 0, because of the round-off of the highest frequencies. It
 * grows with the square of the number of elements of a beam. */
PICUS_API double picus_modes_resolution(const picus_modes *modes);
PICUS_API int picus_modes_count(const picus_modes *modes);
/* Sorted by frequency. Lifetime: shapes as long as the modes. */
PICUS_API picus_natural_mode picus_modes_at(const picus_modes *modes, int index);
PICUS_API const double *picus_modes_state(const picus_modes *modes); /* nq. Lifetime: as long as the modes */

#ifdef __cplusplus
}
#endif

#endif
