#include "support/branches.h"

#include "support/check.h"

#include <stdio.h>

void branch_tighten(picus_sim_options *o) {
  o->adaptive = true;
  o->dt_min = 1e-9;
  o->atol = o->rtol = 1e-10;
}

picus_orbit_branch *branch_require(simulation *s, const picus_orbit_branch_def *def) {
  picus_orbit_branch *out = NULL;
  const picus_status status = picus_orbit_branch_create(s->context, def, &out);
  CHECK(status == PICUS_OK);
  if (status) printf("  %s\n", picus_last_error(s->context)->message);
  return out;
}

picus_orbit_branch_row branch_special(const picus_orbit_branch *b, picus_orbit_kind kind, int index) {
  for (long k = 0; k < picus_orbit_branch_count(b); k++) {
    const picus_orbit_branch_row row = picus_orbit_branch_row_at(b, k);
    if (row.kind == kind && index-- == 0) return row;
  }
  return picus_orbit_branch_row_at(b, -1);
}

picus_orbit_branch_row branch_last(const picus_orbit_branch *b) {
  return picus_orbit_branch_row_at(b, picus_orbit_branch_count(b) - 1);
}
