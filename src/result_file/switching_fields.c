#include "result_file/switching_fields.h"

#include <stddef.h>

#define FIELD(name, unit, kind, member, slips)                                                                         \
  { name, unit, PICUS_FIELD_##kind, offsetof(picus_switching, member), slips, false }
#define LATER_FIELD(name, unit, kind, member)                                                                          \
  { name, unit, PICUS_FIELD_##kind, offsetof(picus_switching, member), 0, true }

const picus_switching_field picus_switching_fields[PICUS_SWITCHING_FIELDS] = {
    FIELD("t", "s", NUMBER, t, 0),
    FIELD("dt", "s", NUMBER, dt, 0),
    FIELD("law", "", LAW, law, 0),
    FIELD("from", "", MODE, from, 0),
    FIELD("to", "", MODE, to, 0),
    FIELD("from_slip1", "", NUMBER, from_slip[0], 1),
    FIELD("from_slip2", "", NUMBER, from_slip[1], 2),
    FIELD("from_slip3", "", NUMBER, from_slip[2], 3),
    FIELD("to_slip1", "", NUMBER, to_slip[0], 1),
    FIELD("to_slip2", "", NUMBER, to_slip[1], 2),
    FIELD("to_slip3", "", NUMBER, to_slip[2], 3),
    FIELD("PN", "N s", NUMBER, PN, 0),
    FIELD("PF1", "N s", NUMBER, PF[0], 1),
    FIELD("PF2", "N s", NUMBER, PF[1], 2),
    FIELD("PF3", "N s", NUMBER, PF[2], 3),
    FIELD("lost", "J", NUMBER, lost, 0),
    FIELD("lost_before", "J", NUMBER, lost_before, 0),
    FIELD("bounces", "", COUNT, bounces, 0),
    FIELD("limit", "s", NUMBER, limit, 0),
    LATER_FIELD("impact", "", COUNT, impact),
};

double picus_switching_value(const picus_switching *switching, const picus_switching_field *field) {
  const char *at = (const char *)switching + field->offset;
  switch (field->kind) {
  case PICUS_FIELD_NUMBER:
    return *(const double *)(const void *)at;
  case PICUS_FIELD_MODE:
    return (double)*(const picus_mode *)(const void *)at;
  case PICUS_FIELD_LAW:
  case PICUS_FIELD_COUNT:
    break;
  }
  return (double)*(const int *)(const void *)at;
}

/* A number that is not an int, as in damaged files, becomes 0. */
static int whole(double value) { return value >= -2147483648.0 && value <= 2147483647.0 ? (int)value : 0; }

void picus_switching_set(picus_switching *switching, const picus_switching_field *field, double value) {
  char *at = (char *)switching + field->offset;
  switch (field->kind) {
  case PICUS_FIELD_NUMBER:
    *(double *)(void *)at = value;
    return;
  case PICUS_FIELD_MODE:
    *(picus_mode *)(void *)at = value == 1 ? PICUS_STICK : value == 2 ? PICUS_SLIP : PICUS_OPEN;
    return;
  case PICUS_FIELD_LAW:
  case PICUS_FIELD_COUNT:
    *(int *)(void *)at = whole(value);
    return;
  }
}

int picus_switching_slips(const picus_system *system) {
  if (!system) return 3;
  int most = 0;
  for (int i = 0; i < picus_system_law_count(system); i++) {
    int slips = picus_system_law_at(system, i).slips;
    if (slips > most) most = slips;
  }
  return most;
}

const char *picus_mode_text(picus_mode mode, int slips) {
  if (mode == PICUS_OPEN) return "open";
  if (slips == 0) return "closed";
  return mode == PICUS_SLIP ? "slip" : "stick";
}
