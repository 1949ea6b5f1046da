/* The container: sizes, names, parts and laws of a system. Constant after creation. */
#include "system/internal.h"

#include "base/internal.h"

picus_status picus_system_allocate(picus_context *context, int part_count, int law_count, picus_system **out) {
  *out = NULL;
  picus_system *system = picus_allocate(context, 1, sizeof *system);
  if (!system) return PICUS_ERROR_MEMORY;
  system->context = context;
  system->part_count = part_count;
  system->law_count = law_count;
  system->parts = picus_allocate(context, (size_t)part_count, sizeof *system->parts);
  system->laws = picus_allocate(context, (size_t)law_count, sizeof *system->laws);
  if (!system->parts || !system->laws) {
    picus_system_destroy(system);
    return PICUS_ERROR_MEMORY;
  }
  *out = system;
  return PICUS_OK;
}

static void release_names(picus_context *context, system_name *names, int count) {
  for (int i = 0; names && i < count; i++) {
    picus_release(context, names[i].name);
    picus_release(context, names[i].unit);
    picus_release(context, names[i].label);
  }
  picus_release(context, names);
}

void picus_system_destroy(picus_system *system) {
  if (!system) return;
  picus_context *context = system->context;
  for (int i = 0; system->parts && i < system->part_count; i++)
    if (system->parts[i].self) system->parts[i].ops->destroy(system->parts[i].self, context);
  for (int i = 0; system->laws && i < system->law_count; i++) {
    picus_release(context, system->laws[i].blocks);
    picus_release(context, system->laws[i].name);
  }
  picus_release(context, system->parts);
  picus_release(context, system->laws);
  release_names(context, system->q_names, system->nq);
  release_names(context, system->u_names, system->nu);
  release_names(context, system->observables, system->observable_count);
  picus_release(context, system->q_start);
  picus_release(context, system->u_start);
  picus_release(context, system->stop_times);
  picus_release(context, system->quaternions);
  picus_release(context, system);
}

static void layout_parts(picus_system *system) {
  picus_system_constants all = {true, true, true};
  int q = 0, u = 0, law = 0, observable = 0;
  for (int i = 0; i < system->part_count; i++) {
    system_part *part = &system->parts[i];
    part->q0 = q;
    part->u0 = u;
    part->law0 = law;
    part->observable0 = observable;
    q += part->nq;
    u += part->nu;
    law += part->law_count;
    observable += part->observable_count;
    all.mass = all.mass && part->mass_constant;
    all.directions = all.directions && (part->directions_constant || part->law_count == 0);
    all.identity_rates = all.identity_rates && part->identity_rates;
    system->has_loads = system->has_loads || part->has_loads;
  }
  system->nq = q;
  system->nu = u;
  system->observable_count = observable;
  system->constants = all;
}

static picus_status layout_laws(picus_system *system) {
  int row = 0;
  size_t W = 0;
  for (int p = 0; p < system->part_count; p++) {
    system_part *part = &system->parts[p];
    part->row0 = row;
    for (int i = part->law0; i < part->law0 + part->law_count; i++) {
      system_law *law = &system->laws[i];
      law->part = p;
      if (!law->blocks) { /* the usual case: the law acts on the part that evaluates it */
        law->blocks = picus_allocate(system->context, 1, sizeof *law->blocks);
        if (!law->blocks) return PICUS_ERROR_MEMORY;
        law->blocks[0] = p;
        law->block_count = 1;
      }
      law->width = 0;
      for (int b = 0; b < law->block_count; b++) law->width += system->parts[law->blocks[b]].nu;
      bool has_first_row = law->data.kind != PICUS_RESERVOIR;
      law->data.dim = law->data.slips + (has_first_row ? 1 : 0);
      law->data.first_row = row;
      law->data.name = law->name;
      law->W0 = W;
      row += law->data.dim;
      W += (size_t)law->data.dim * (size_t)law->width;
    }
    part->row_count = row - part->row0;
  }
  system->row_count = row;
  system->W_size = W;
  return PICUS_OK;
}

picus_status picus_system_layout(picus_system *system) {
  layout_parts(system);
  return layout_laws(system);
}

int picus_system_nq(const picus_system *system) { return system->nq; }
int picus_system_nu(const picus_system *system) { return system->nu; }
int picus_system_law_count(const picus_system *system) { return system->law_count; }
int picus_system_row_count(const picus_system *system) { return system->row_count; }
picus_system_law picus_system_law_at(const picus_system *system, int law) { return system->laws[law].data; }
const char *picus_system_q_name(const picus_system *system, int index) { return system->q_names[index].name; }
const char *picus_system_u_name(const picus_system *system, int index) { return system->u_names[index].name; }
picus_system_constants picus_system_constant_parts(const picus_system *system) { return system->constants; }

void picus_system_start(const picus_system *system, double *q, double *u) {
  for (int i = 0; i < system->nq; i++) q[i] = system->q_start[i];
  for (int i = 0; i < system->nu; i++) u[i] = system->u_start[i];
}

static picus_column column_of(const system_name *name, picus_column_kind kind) {
  return (picus_column){.name = name->name,
                        .unit = name->unit ? name->unit : "",
                        .label = name->label ? name->label : name->name,
                        .kind = kind};
}

int picus_system_observable_count(const picus_system *system) { return system->observable_count; }
picus_column picus_system_observable(const picus_system *system, int index) {
  return column_of(&system->observables[index], PICUS_COLUMN_OBSERVABLE);
}
picus_column picus_system_q_column(const picus_system *system, int index) {
  return column_of(&system->q_names[index], PICUS_COLUMN_COORDINATE);
}
picus_column picus_system_u_column(const picus_system *system, int index) {
  return column_of(&system->u_names[index], PICUS_COLUMN_VELOCITY);
}
bool picus_system_q_recorded(const picus_system *system, int index) { return !system->q_names[index].unrecorded; }
bool picus_system_u_recorded(const picus_system *system, int index) { return !system->u_names[index].unrecorded; }
