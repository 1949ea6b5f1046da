/* The table of schemes. A scheme uses the system interface and the phases of a step (src/stepper), never a body, a file
 * or the clock. */
#ifndef PICUS_SCHEME_INTERNAL_H
#define PICUS_SCHEME_INTERNAL_H

#include "stepper/internal.h"

extern const scheme_ops picus_moreau_scheme, picus_moreau_jean_scheme, picus_moreau_projected_scheme,
    picus_moreau_combined_scheme, picus_schatzman_paoli_scheme, picus_trapezoidal_position_scheme, picus_rattle_scheme,
    picus_moreau_explicit_scheme, picus_half_explicit_scheme, picus_half_explicit_acc_scheme;
extern const scheme_ops picus_half_explicit_rk_schemes[]; /* by the order of the tableau, from 1 */
const scheme_ops *picus_scheme_find(const char *name);    /* NULL: unknown */
/* The same with the order that the options give it; the scheme is known. */
const scheme_ops *picus_scheme_of(const picus_sim_options *options);

#endif
