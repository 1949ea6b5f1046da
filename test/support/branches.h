/* Branches of periodic orbits in tests: how they are followed, and orbits of them. */
#ifndef PICUS_TEST_BRANCHES_H
#define PICUS_TEST_BRANCHES_H

#include "support/simulate.h"

#include <picus/orbit.h>

/* The options of the runs from which branches start: tight enough for twelve digits. */
void branch_tighten(picus_sim_options *o);
/* The branch from a definition whose options are tight; PICUS_OK is checked. */
picus_orbit_branch *branch_require(simulation *s, const picus_orbit_branch_def *def);
/* The k-th special orbit of a kind. */
picus_orbit_branch_row branch_special(const picus_orbit_branch *b, picus_orbit_kind kind, int index);
picus_orbit_branch_row branch_last(const picus_orbit_branch *b);

#endif
