/* The tables of the fields of switching points and contacts, and their values in a record. */
#include "table/record_fields.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define FIELD(name, unit, kind, member, slips)                                                                         \
  { name, unit, PICUS_FIELD_##kind, offsetof(picus_switching, member), slips, false }
#define LATER_FIELD(name, unit, kind, member)                                                                          \
  { name, unit, PICUS_FIELD_##kind, offsetof(picus_switching, member), 0, true }

const picus_record_field picus_switching_fields[PICUS_SWITCHING_FIELDS] = {
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

#undef FIELD
#define FIELD(name, unit, kind, member)                                                                                \
  { name, unit, PICUS_FIELD_##kind, offsetof(picus_contact_point, member), 0, false }

const picus_record_field picus_contact_fields[PICUS_CONTACT_FIELDS] = {
    FIELD("key", "", KEY, key),
    FIELD("source", "", COUNT, source),
    FIELD("body1", "", BODY, body[0]),
    FIELD("body2", "", BODY, body[1]),
    FIELD("x", "m", NUMBER, point[0]),
    FIELD("y", "m", NUMBER, point[1]),
    FIELD("z", "m", NUMBER, point[2]),
    FIELD("nx", "", NUMBER, normal[0]),
    FIELD("ny", "", NUMBER, normal[1]),
    FIELD("nz", "", NUMBER, normal[2]),
    FIELD("tx", "", NUMBER, tangent[0]),
    FIELD("ty", "", NUMBER, tangent[1]),
    FIELD("tz", "", NUMBER, tangent[2]),
    FIELD("gap", "m", NUMBER, gap),
    FIELD("vN", "m/s", NUMBER, vN),
    FIELD("slip1", "m/s", NUMBER, slip[0]),
    FIELD("slip2", "m/s", NUMBER, slip[1]),
    FIELD("slip3", "", NUMBER, slip[2]),
    FIELD("PN", "N s", NUMBER, PN),
    FIELD("PF1", "N s", NUMBER, PF[0]),
    FIELD("PF2", "N s", NUMBER, PF[1]),
    FIELD("PF3", "", NUMBER, PF[2]),
    FIELD("PR1", "N m s", NUMBER, PR[0]),
    FIELD("PR2", "N m s", NUMBER, PR[1]),
    FIELD("mu", "", NUMBER, mu),
    FIELD("mode", "", MODE, mode),
};

double picus_record_value(const void *record, const picus_record_field *field) {
  const char *at = (const char *)record + field->offset;
  switch (field->kind) {
  case PICUS_FIELD_NUMBER:
    return *(const double *)(const void *)at;
  case PICUS_FIELD_MODE:
    return (double)*(const picus_mode *)(const void *)at;
  case PICUS_FIELD_KEY:
    return NAN;
  case PICUS_FIELD_LAW:
  case PICUS_FIELD_COUNT:
  case PICUS_FIELD_BODY:
    break;
  }
  return (double)*(const int *)(const void *)at;
}

/* A number that is not an int, as in damaged files, becomes 0. */
static int whole(double value) { return value >= -2147483648.0 && value <= 2147483647.0 ? (int)value : 0; }

void picus_record_set(void *record, const picus_record_field *field, double value) {
  char *at = (char *)record + field->offset;
  switch (field->kind) {
  case PICUS_FIELD_NUMBER:
    *(double *)(void *)at = value;
    return;
  case PICUS_FIELD_MODE:
    *(picus_mode *)(void *)at = value == 1 ? PICUS_STICK : value == 2 ? PICUS_SLIP : PICUS_OPEN;
    return;
  case PICUS_FIELD_KEY:
    return;
  case PICUS_FIELD_LAW:
  case PICUS_FIELD_COUNT:
  case PICUS_FIELD_BODY:
    *(int *)(void *)at = whole(value);
    return;
  }
}

void picus_contact_law_name(const picus_switching *first, char name[PICUS_LAW_NAME]) {
  if (first->name)
    snprintf(name, PICUS_LAW_NAME, "%s", first->name);
  else
    snprintf(name, PICUS_LAW_NAME, "contact %llx", (unsigned long long)first->key);
}

int picus_switching_slips(const picus_system *system) {
  if (!system || system->appears) return 3;
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
