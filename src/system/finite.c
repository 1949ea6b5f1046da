/* Messages about values that are not finite: the quantity, the time and the expression. */
#include "system/internal.h"

#include "base/internal.h"

#include <math.h>
#include <stdio.h>

enum { WHAT_SIZE = 400, WHY_SIZE = 400 };

static const system_law *law_of_row(const picus_system *system, int row) {
  for (int i = 0; i < system->law_count; i++) {
    const picus_system_law *law = &system->laws[i].data;
    if (row >= law->first_row && row < law->first_row + law->dim) return &system->laws[i];
  }
  return &system->laws[0];
}

/* A row of W^T u + chi in words. */
static void name_velocity(const picus_system *system, int row, char *out, size_t size) {
  const picus_system_law *law = &law_of_row(system, row)->data;
  const bool first = law->kind != PICUS_RESERVOIR && row == law->first_row;
  const char *what = !first ? "slip velocity" : law->has_gap ? "gap velocity" : "constrained velocity";
  snprintf(out, size, "the %s of '%.100s'", what, law->name);
}

static void name_gap(const picus_system_law *law, char *out, size_t size) {
  snprintf(out, size, "%s'%.100s'", law->kind == PICUS_BILATERAL ? "the constraint " : "the gap of ", law->name);
}

/* The value itself. */
static void name_value(const picus_system *system, part_entry entry, char *out, size_t size) {
  const system_part *part = &system->parts[entry.part];
  const int row = entry.row;
  switch (entry.quantity) {
  case QUANTITY_RATE:
    snprintf(out, size, "the rate of the coordinate '%.100s'", system->q_names[part->q0 + row].name);
    return;
  case QUANTITY_GAP:
    name_gap(&system->laws[part->law0 + row].data, out, size);
    return;
  case QUANTITY_MASS:
    snprintf(out, size, "the entry of the mass matrix for '%.100s' and '%.100s'", system->u_names[part->u0 + row].name,
             system->u_names[part->u0 + entry.column].name);
    return;
  case QUANTITY_DIRECTION:
    name_velocity(system, part->row0 + row, out, size);
    return;
  case QUANTITY_ENERGY:
    snprintf(out, size, "the %s energy", row == 0 ? "kinetic" : "potential");
    return;
  case QUANTITY_OBSERVABLE:
    snprintf(out, size, "the output '%.100s'", system->observables[part->observable0 + row].name);
    return;
  default:
    snprintf(out, size, "the force on '%.100s'", system->u_names[part->u0 + row].name);
  }
}

/* The quantity that a Jacobian is one of. */
static part_quantity differentiated(part_quantity quantity) {
  switch (quantity) {
  case QUANTITY_RATE_Q:
  case QUANTITY_RATE_U:
    return QUANTITY_RATE;
  case QUANTITY_GAP_Q:
    return QUANTITY_GAP;
  case QUANTITY_VELOCITY_Q:
    return QUANTITY_DIRECTION;
  default:
    return QUANTITY_FORCE;
  }
}

static void name_it(const picus_system *system, part_entry entry, char *out, size_t size) {
  const system_part *part = &system->parts[entry.part];
  const part_quantity quantity = entry.quantity;
  if (quantity < QUANTITY_FORCE_Q) {
    name_value(system, entry, out, size);
    return;
  }
  const bool by_u = quantity == QUANTITY_FORCE_U || quantity == QUANTITY_RATE_U;
  const char *by = by_u ? system->u_names[part->u0 + entry.column].name : system->q_names[part->q0 + entry.column].name;
  char what[WHAT_SIZE];
  if (quantity == QUANTITY_MASS_Q || quantity == QUANTITY_DIRECTION_Q)
    snprintf(what, sizeof what, "the %s of '%.100s'", quantity == QUANTITY_MASS_Q ? "momentum" : "contact force",
             system->u_names[part->u0 + entry.row].name);
  else {
    entry.quantity = differentiated(quantity);
    name_value(system, entry, what, sizeof what);
  }
  snprintf(out, size, "the derivative of %.200s with respect to '%.90s'", what, by);
}

/* By the part that the entry belongs to, if it has formulas. */
static void explain_by(const picus_evaluation *e, part_entry entry, char *text, size_t size) {
  const system_part *part = &e->system->parts[entry.part];
  if (part->ops->explain) part->ops->explain(part->self, &e->points[entry.part], e->system, entry, text, size);
}

static void explain(const picus_evaluation *e, part_entry entry, char *text, size_t size) {
  const picus_system *system = e->system;
  explain_by(e, entry, text, size);
  if (text[0] || entry.quantity != QUANTITY_FORCE) return;
  const int velocity = system->parts[entry.part].u0 + entry.row;
  for (int k = 0; k < system->part_count && !text[0]; k++) /* a load of another part */
    if (k != entry.part && system->parts[k].has_loads)
      explain_by(e, (part_entry){k, QUANTITY_LOAD, velocity, 0}, text, size);
}

picus_status picus_evaluation_blame(picus_evaluation *e, part_entry entry, double value) {
  char what[WHAT_SIZE], why[WHY_SIZE] = "";
  name_it(e->system, entry, what, sizeof what);
  explain(e, entry, why, sizeof why);
  return picus_fail(e->context, PICUS_ERROR_NUMBER, "%s is not a finite number (%s) at t = %.9g%s%s; %s", what,
                    isnan(value) ? "nan"
                    : value > 0  ? "inf"
                                 : "-inf",
                    e->t, why[0] ? ": " : "", why,
                    why[0] ? "check the expression, or end the run earlier" : "check the function that computes it");
}

static void range_of(const system_part *part, part_quantity quantity, int *first, int *count) {
  *first = quantity == QUANTITY_RATE    ? part->q0
           : quantity == QUANTITY_GAP   ? part->law0
           : quantity == QUANTITY_FORCE ? part->u0
                                        : part->observable0;
  *count = quantity == QUANTITY_RATE    ? part->nq
           : quantity == QUANTITY_GAP   ? part->law_count
           : quantity == QUANTITY_FORCE ? part->nu
                                        : part->observable_count;
}

picus_status picus_evaluation_blame_value(picus_evaluation *e, part_quantity quantity, const double *values) {
  for (int p = 0; p < e->system->part_count; p++) {
    int first, count;
    range_of(&e->system->parts[p], quantity, &first, &count);
    for (int i = 0; i < count; i++)
      if (!isfinite(values[first + i]))
        return picus_evaluation_blame(e, (part_entry){p, quantity, i, 0}, values[first + i]);
  }
  return PICUS_OK;
}

picus_status picus_evaluation_blame_block(picus_evaluation *e, int p, part_quantity quantity, const double *values,
                                          size_t count, int columns) {
  const part_pattern *pattern = e->system->parts[p].pattern;
  for (size_t i = 0; i < count; i++) {
    if (isfinite(values[i])) continue;
    int row = 0, column = 0;
    if (columns > 0) {
      row = (int)(i / (size_t)columns);
      column = (int)(i % (size_t)columns);
    } else {
      while (pattern->row_start[row + 1] <= (int)i) row++;
      column = pattern->column[i];
    }
    return picus_evaluation_blame(e, (part_entry){p, quantity, row, column}, values[i]);
  }
  return PICUS_OK;
}
