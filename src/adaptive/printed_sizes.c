/* The sizes of steps as Studer, Leine and Glocker 2008 print them (9.3, tables IV to VI): a switching point is found by
 * halving, sizes double in smooth motion, and nothing looks ahead. The extrapolation removes one power of dt per row
 * and makes no substep shorter than dt_min (9.2). For comparison with the paper. */
#include "adaptive/internal.h"

#include <math.h>

/* Table IV. A step of dt_min is accepted at once. The text of 9.3 has the opposite sign in its condition for growth;
 * the table counts. */
static void note_smooth(driver *d, bool was_clipped) {
  const driven_step *step = picus_driver_actual(d);
  const double accepted_begin = picus_driver_previous(d)->t_begin; /* of the step that is accepted now */
  picus_driver_take_smooth(d, picus_driver_is_least(d, step->dt) || step->is_switch);
  if (accepted_begin > d->t_no_increase && !was_clipped) d->dt = picus_driver_longer(d, d->dt, 2);
}

/* "Recalculate it with a diminished step size" (9.3). */
static void note_inaccurate(driver *d, double dt, double t_end) {
  (void)t_end;
  d->dt = picus_driver_shorter(d, dt);
}

/* Table V. */
static void note_detected(driver *d) { d->dt = picus_driver_shorter(d, picus_driver_actual(d)->dt); }

const size_control picus_printed_sizes = {
    .smooth = note_smooth, .inaccurate = note_inaccurate, .detected = note_detected, .as_printed = true};
