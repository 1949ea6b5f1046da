/* Messages about values that are not finite: the quantity, the time and the expression. */
#include "system/internal.h"

#include "base/internal.h"
#include "contact/internal.h"

#include <math.h>
#include <stdio.h>

enum { WHAT_SIZE = 400, WHY_SIZE = 400 };

static const system_law *law_of_row(const picus_system *system, int row) {
  for (int i = 0; i < system->fixed.law_count; i++) {
    const picus_system_law *law = &system->fixed.laws[i].data;
    if (row >= law->first_row && row < law->first_row + law->dim) return &system->fixed.laws[i];
  }
  return &system->fixed.laws[0];
}

/* A row of W^T u + chi in words. */
static void name_velocity(const picus_system *system, int row, char *out, size_t size) {
  const picus_system_law *law = &law_of_row(system, row)->data;
  const bool first = picus_normal_rows(law->kind) > 0 && row == law->first_row;
  const char *what = law->kind == PICUS_ROLLING ? "rolling velocity"
                     : law->displaced           ? "rate of the displacement"
                     : !first                   ? "slip velocity"
                     : law->has_gap             ? "gap velocity"
                                                : "constrained velocity";
  snprintf(out, size, "the %s of '%.100s'", what, law->name);
}

static void name_gap(const picus_system_law *law, char *out, size_t size) {
  const char *what = law->kind == PICUS_BILATERAL ? "the constraint "
                     : law->displaced             ? "the displacement of "
                                                  : "the gap of ";
  snprintf(out, size, "%s'%.100s'", what, law->name);
}

/* The value itself. */
static void name_value(const picus_system *system, const system_source *source, value_place place, char *out,
                       size_t size) {
  const int row = place.row;
  switch (place.quantity) {
  case QUANTITY_RATE:
    snprintf(out, size, "the rate of the coordinate '%.100s'", system->q_names[source->q0 + row].name);
    return;
  case QUANTITY_GAP:
    name_gap(&system->fixed.laws[source->law0 + row].data, out, size);
    return;
  case QUANTITY_MASS:
    snprintf(out, size, "the entry of the mass matrix for '%.100s' and '%.100s'",
             system->u_names[source->u0 + row].name, system->u_names[source->u0 + place.column].name);
    return;
  case QUANTITY_DIRECTION:
    name_velocity(system, source->row0 + row, out, size);
    return;
  case QUANTITY_ENERGY:
    snprintf(out, size, "the %s energy", row == 0 ? "kinetic" : "potential");
    return;
  case QUANTITY_OBSERVABLE:
    snprintf(out, size, "the output '%.100s'", system->observables[source->observable0 + row].name);
    return;
  default:
    snprintf(out, size, "the force on '%.100s'", system->u_names[source->u0 + row].name);
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

static void name_it(const picus_system *system, const system_source *source, value_place place, char *out,
                    size_t size) {
  const part_quantity quantity = place.quantity;
  if (quantity < QUANTITY_FORCE_Q) {
    name_value(system, source, place, out, size);
    return;
  }
  const bool by_u = quantity == QUANTITY_FORCE_U || quantity == QUANTITY_RATE_U;
  const char *by =
      by_u ? system->u_names[source->u0 + place.column].name : system->q_names[source->q0 + place.column].name;
  char what[WHAT_SIZE];
  if (quantity == QUANTITY_MASS_Q || quantity == QUANTITY_DIRECTION_Q)
    snprintf(what, sizeof what, "the %s of '%.100s'", quantity == QUANTITY_MASS_Q ? "momentum" : "contact force",
             system->u_names[source->u0 + place.row].name);
  else
    name_value(system, source, (value_place){differentiated(quantity), place.row, place.column}, what, sizeof what);
  snprintf(out, size, "the derivative of %.200s with respect to '%.90s'", what, by);
}

static void explain(picus_evaluation *e, int index, value_place place, char *text, size_t size) {
  const picus_system *system = e->system;
  const system_source *source = &system->sources[index];
  if (source->ops->explain) source->ops->explain(source, &e->points[index], system, place, text, size);
  if (text[0] || place.quantity != QUANTITY_FORCE) return;
  const value_place load = {QUANTITY_LOAD, source->u0 + place.row, 0};
  for (int k = 0; k < system->source_count && !text[0]; k++) { /* a load of another source */
    const system_source *other = &system->sources[k];
    if (k != index && other->has_loads && other->ops->explain)
      other->ops->explain(other, &e->points[k], system, load, text, size);
  }
}

picus_status picus_evaluation_blame(picus_evaluation *e, int source, value_place place, double value) {
  char what[WHAT_SIZE], why[WHY_SIZE] = "";
  name_it(e->system, &e->system->sources[source], place, what, sizeof what);
  explain(e, source, place, why, sizeof why);
  return picus_fail(e->context, PICUS_ERROR_NUMBER, "%s is not a finite number (%s) at t = %.9g%s%s; %s", what,
                    isnan(value) ? "nan"
                    : value > 0  ? "inf"
                                 : "-inf",
                    e->t, why[0] ? ": " : "", why,
                    why[0] ? "check the expression, or end the run earlier" : "check the function that computes it");
}

static void range_of(const system_source *source, part_quantity quantity, int *first, int *count) {
  *first = quantity == QUANTITY_RATE    ? source->q0
           : quantity == QUANTITY_GAP   ? source->law0
           : quantity == QUANTITY_FORCE ? source->u0
                                        : source->observable0;
  *count = quantity == QUANTITY_RATE    ? source->nq
           : quantity == QUANTITY_GAP   ? source->law_count
           : quantity == QUANTITY_FORCE ? source->nu
                                        : source->observable_count;
}

picus_status picus_evaluation_blame_value(picus_evaluation *e, part_quantity quantity, const double *values) {
  for (int k = 0; k < e->system->source_count; k++) {
    int first, count;
    range_of(&e->system->sources[k], quantity, &first, &count);
    for (int i = 0; i < count; i++)
      if (!isfinite(values[first + i]))
        return picus_evaluation_blame(e, k, (value_place){quantity, i, 0}, values[first + i]);
  }
  return PICUS_OK;
}

/* The place within the source of a place within one of its parts. */
static value_place place_in_source(const picus_system *system, const system_part *part, value_place place) {
  const system_source *source = &system->sources[part->source];
  const bool q_rows = place.quantity == QUANTITY_RATE_Q || place.quantity == QUANTITY_RATE_U;
  const bool q_columns =
      place.quantity == QUANTITY_FORCE_Q || place.quantity == QUANTITY_MASS_Q || place.quantity == QUANTITY_RATE_Q;
  const system_part *other = part; /* whose coordinate or velocity the column is */
  place.row += q_rows ? part->q0 - source->q0 : part->u0 - source->u0;
  if (!part->pattern && (place.quantity == QUANTITY_FORCE_Q || place.quantity == QUANTITY_FORCE_U)) {
    for (int k = 0; k < part->coupled_count; k++) {
      other = &system->parts[part->coupled[k]];
      const int columns = q_columns ? other->nq : other->nu;
      if (place.column < columns) break;
      place.column -= columns;
    }
  }
  place.column += q_columns ? other->q0 - source->q0 : other->u0 - source->u0;
  return place;
}

picus_status picus_evaluation_blame_part(picus_evaluation *e, int p, part_quantity quantity, const double *values,
                                         size_t count, int columns) {
  const system_part *part = &e->system->parts[p];
  for (size_t i = 0; i < count; i++) {
    if (isfinite(values[i])) continue;
    value_place place = {.quantity = quantity};
    if (columns > 0) {
      place.row = (int)(i / (size_t)columns);
      place.column = (int)(i % (size_t)columns);
    } else {
      while (part->pattern->row_start[place.row + 1] <= (int)i) place.row++;
      place.column = part->pattern->column[i];
    }
    return picus_evaluation_blame(e, part->source, place_in_source(e->system, part, place), values[i]);
  }
  return PICUS_OK;
}
