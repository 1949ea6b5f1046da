/* The container: sizes, names, parts and laws of a system. Constant after creation. */
#include "system/internal.h"
#include "system/node_tables.h"
#include "system/switches.h"

#include "base/internal.h"
#include "contact/internal.h"
#include "expr/internal.h"

#include <limits.h>
#include <math.h>

picus_status picus_system_allocate(picus_context *context, int source_count, int law_count, picus_system **out) {
  *out = NULL;
  picus_system *system = picus_allocate(context, 1, sizeof *system);
  if (!system) return PICUS_ERROR_MEMORY;
  system->context = context;
  system->input_work = system->event_work = -1;
  system->fixed.system = system;
  system->source_count = source_count;
  system->fixed.law_count = law_count;
  system->sources = picus_allocate(context, (size_t)source_count, sizeof *system->sources);
  system->fixed.laws = picus_allocate(context, (size_t)law_count, sizeof *system->fixed.laws);
  if (!system->sources || !system->fixed.laws) {
    picus_system_destroy(system);
    return PICUS_ERROR_MEMORY;
  }
  *out = system;
  return PICUS_OK;
}

picus_status picus_system_allocate_parts(picus_system *system) {
  int count = 0;
  for (int i = 0; i < system->source_count; i++) {
    system->sources[i].part0 = count;
    count += system->sources[i].part_count;
  }
  system->parts = picus_allocate(system->context, (size_t)count, sizeof *system->parts);
  if (!system->parts) return PICUS_ERROR_MEMORY;
  system->part_count = count;
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

/* Groups, and the parts that are coupled to themselves only. */
static void release_groups(picus_system *system) {
  for (int g = 0; system->groups && g < system->group_count; g++) {
    picus_release(system->context, system->groups[g].row_start);
    picus_release(system->context, system->groups[g].column);
    picus_release(system->context, system->groups[g].place);
  }
  for (int p = 0; system->alone && p < system->part_count; p++)
    if (system->parts[p].coupled == system->alone + p) system->parts[p].coupled = NULL;
  picus_release(system->context, system->groups);
  picus_release(system->context, system->alone);
  system->groups = NULL;
  system->alone = NULL;
}

void picus_system_destroy(picus_system *system) {
  if (!system) return;
  picus_context *context = system->context;
  for (int i = 0; system->sources && i < system->source_count; i++)
    if (system->sources[i].self) system->sources[i].ops->destroy(system->sources[i].self, context);
  for (int i = 0; system->fixed.laws && i < system->fixed.law_count; i++) {
    picus_release(context, system->fixed.laws[i].parts);
    picus_release(context, system->fixed.laws[i].name);
  }
  picus_release(context, system->sources);
  release_groups(system);
  picus_release(context, system->parts);
  picus_release(context, system->fixed.laws);
  picus_law_graph_release(context, &system->fixed.graph);
  release_names(context, system->q_names, system->nq);
  release_names(context, system->u_names, system->nu);
  release_names(context, system->observables, system->observable_count);
  release_names(context, system->input_names, system->input_count);
  for (int i = 0; system->work_names && i < system->work_count; i++) picus_release(context, system->work_names[i]);
  picus_release(context, system->work_names);
  picus_release(context, system->inputs);
  picus_release(context, system->turning);
  picus_release(context, system->couplings);
  picus_release(context, system->q_start);
  picus_release(context, system->u_start);
  picus_release(context, system->stop_times);
  picus_switches_release(system);
  picus_controls_release(system);
  picus_release(context, system->quaternions);
  picus_system_release_node_tables(system);
  picus_release(context, system);
}

int picus_system_work_count(const picus_system *system) { return system->work_count; }
const char *picus_system_work_name(const picus_system *system, int index) {
  return index >= 0 && index < system->work_count ? system->work_names[index] : NULL;
}

/* Positions of one source and of its parts, after those of earlier sources. */
static void layout_source(picus_system *system, int index, picus_system_constants *all) {
  system_source *source = &system->sources[index];
  source->q0 = system->nq;
  source->u0 = system->nu;
  for (int p = source->part0; p < source->part0 + source->part_count; p++) {
    system_part *part = &system->parts[p];
    part->source = index;
    part->q0 = system->nq;
    part->u0 = system->nu;
    system->nq += part->nq;
    system->nu += part->nu;
    all->mass = all->mass && part->mass_constant;
    all->identity_rates = all->identity_rates && part->identity_rates;
    all->position_forces = all->position_forces && part->position_forces;
  }
  source->nq = system->nq - source->q0;
  source->nu = system->nu - source->u0;
  source->observable0 = system->observable_count;
  system->observable_count += source->observable_count;
  all->directions = all->directions && (source->directions_constant || source->law_count == 0);
  system->has_loads = system->has_loads || source->has_loads;
  if (!source->ops->appearing) return;
  system->appears = true;
  all->directions = false;
}

/* Columns of dh/dq and dh/du of a part. */
static void measure_coupled(const picus_system *system, int p) {
  system_part *part = &system->parts[p];
  if (!part->coupled) {
    part->coupled = system->alone + p;
    part->coupled_count = 1;
  }
  part->q_width = part->u_width = 0;
  for (int k = 0; k < part->coupled_count; k++) {
    const system_part *other = &system->parts[part->coupled[k]];
    if (other == part) {
      part->q_own = part->q_width;
      part->u_own = part->u_width;
    }
    part->q_width += other->nq;
    part->u_width += other->nu;
  }
}

/* A row of the pattern: the velocities of all parts that are coupled to its own. */
static picus_status create_pattern(picus_system *system, system_group *group) {
  size_t count = 0;
  for (int p = group->part0; p < group->part0 + group->part_count; p++)
    count += (size_t)system->parts[p].nu * (size_t)system->parts[p].u_width;
  if (count > INT_MAX)
    return picus_fail(system->context, PICUS_ERROR_DIMENSION,
                      "the forces couple too many velocities with each other; make the model smaller");
  int *start = group->row_start = picus_allocate(system->context, (size_t)group->nu + 1, sizeof *start);
  int *column = group->column = picus_allocate(system->context, count, sizeof *column);
  group->own = (part_pattern){start, column, false};
  if (!start || !column) return PICUS_ERROR_MEMORY;
  int at = 0, row = 0;
  for (int p = group->part0; p < group->part0 + group->part_count; p++) {
    const system_part *part = &system->parts[p];
    for (int i = 0; i < part->nu; i++) {
      for (int k = 0; k < part->coupled_count; k++) {
        const system_part *other = &system->parts[part->coupled[k]];
        for (int j = 0; j < other->nu; j++) column[at++] = other->u0 - group->u0 + j;
      }
      start[++row] = at;
    }
  }
  group->pattern = &group->own;
  return PICUS_OK;
}

/* Parts of one group follow each other; the numbers of groups become consecutive. */
static picus_status layout_groups(picus_system *system) {
  int last = -1, source = -1;
  system->group_count = 0;
  for (int p = 0; p < system->part_count; p++) {
    system_part *part = &system->parts[p];
    const bool starts = p == 0 || !part->coupled || part->source != source || part->group != last;
    measure_coupled(system, p);
    last = part->group;
    source = part->source;
    if (starts)
      system->groups[system->group_count++] = (system_group){.part0 = p, .u0 = part->u0, .pattern = part->pattern};
    system_group *group = &system->groups[system->group_count - 1];
    part->group = system->group_count - 1;
    group->part_count++;
    group->nu += part->nu;
  }
  picus_status status = PICUS_OK;
  for (int g = 0; !status && g < system->group_count; g++)
    if (system->groups[g].part_count > 1) status = create_pattern(system, &system->groups[g]);
  return status;
}

picus_status picus_system_layout_parts(picus_system *system) {
  picus_system_constants all = {true, true, true, true};
  int law = 0;
  system->nq = system->nu = system->observable_count = 0;
  for (int i = 0; i < system->source_count; i++) {
    system->sources[i].law0 = law;
    law += system->sources[i].law_count;
    layout_source(system, i, &all);
  }
  system->constants = all;
  const size_t parts = (size_t)system->part_count;
  release_groups(system); /* of an earlier layout with fewer sources */
  system->alone = picus_allocate(system->context, parts, sizeof *system->alone);
  system->groups = picus_allocate(system->context, parts, sizeof *system->groups);
  if (!system->alone || !system->groups) return PICUS_ERROR_MEMORY;
  for (int p = 0; p < system->part_count; p++) system->alone[p] = p;
  return layout_groups(system);
}

/* The usual case: a law acts on the part of the source that evaluates it. */
static picus_status choose_part(picus_system *system, system_law *law) {
  if (law->parts) return PICUS_OK;
  law->parts = picus_allocate(system->context, 1, sizeof *law->parts);
  if (!law->parts) return PICUS_ERROR_MEMORY;
  law->part_count = system->sources[law->source].part_count > 0;
  law->parts[0] = system->sources[law->source].part0;
  return PICUS_OK;
}

void picus_law_set_place(law_set *set, system_law *law) {
  const picus_system *system = set->system;
  law->width = law->q_width = 0;
  for (int b = 0; b < law->part_count; b++) {
    law->width += system->parts[law->parts[b]].nu;
    law->q_width += system->parts[law->parts[b]].nq;
  }
  law->data.dim = law->data.slips + picus_normal_rows(law->data.kind);
  law->data.first_row = set->row_count;
  law->data.name = law->name;
  law->W0 = set->W_size;
  law->gap_q0 = set->gap_q_size;
  law->Q0 = set->Q_size;
  set->row_count += law->data.dim;
  set->W_size += (size_t)law->data.dim * (size_t)law->width;
  set->gap_q_size += (size_t)law->q_width;
  set->Q_size += (size_t)law->data.dim * (size_t)law->q_width;
}

picus_status picus_system_layout_laws(picus_system *system) {
  system->fixed.row_count = 0;
  system->fixed.W_size = system->fixed.gap_q_size = system->fixed.Q_size = 0;
  for (int k = 0; k < system->source_count; k++) {
    system_source *source = &system->sources[k];
    source->row0 = system->fixed.row_count;
    for (int i = source->law0; i < source->law0 + source->law_count; i++) {
      system->fixed.laws[i].source = k;
      picus_status status = choose_part(system, &system->fixed.laws[i]);
      if (status) return status;
      picus_law_set_place(&system->fixed, &system->fixed.laws[i]);
    }
    source->row_count = system->fixed.row_count - source->row0;
  }
  system->fixed.fixed_count = system->fixed.law_count;
  return picus_law_set_connect(system->context, &system->fixed);
}

int picus_system_nq(const picus_system *system) { return system->nq; }
int picus_system_nu(const picus_system *system) { return system->nu; }
int picus_system_law_count(const picus_system *system) { return system->fixed.law_count; }
int picus_system_row_count(const picus_system *system) { return system->fixed.row_count; }
picus_system_law picus_system_law_at(const picus_system *system, int law) {
  return law >= 0 && law < system->fixed.law_count ? system->fixed.laws[law].data : (picus_system_law){.name = ""};
}
const char *picus_system_q_name(const picus_system *system, int index) {
  return index >= 0 && index < system->nq ? system->q_names[index].name : NULL;
}
const char *picus_system_u_name(const picus_system *system, int index) {
  return index >= 0 && index < system->nu ? system->u_names[index].name : NULL;
}
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
picus_column picus_system_input_column(const picus_system *system, int index) {
  return column_of(&system->input_names[index], PICUS_COLUMN_INPUT);
}
bool picus_system_q_recorded(const picus_system *system, int index) { return !system->q_names[index].unrecorded; }
bool picus_system_u_recorded(const picus_system *system, int index) { return !system->u_names[index].unrecorded; }

/* --- coordinates that form unit quaternions --------------------------------------------------------------------------
 */

int picus_system_quaternion_count(const picus_system *system) { return system->quaternion_count; }

int picus_system_quaternion(const picus_system *system, int index) {
  return index < 0 || index >= system->quaternion_count ? -1 : system->quaternions[index];
}

void picus_system_normalise(const picus_system *system, double *q) {
  for (int k = 0; k < system->quaternion_count; k++) {
    double *p = q + system->quaternions[k];
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    if (!isfinite(length) || length == 0) continue;
    for (int i = 0; i < 4; i++) p[i] /= length;
  }
}

/* --- switching functions ---------------------------------------------------------------------------------------------
 *
 * Their sides at a time, and their texts. formulas/switch_formulas.c finds them in the equations of a model. */

void picus_switches_release(picus_system *system) {
  for (int k = 0; k < system->switch_count; k++) picus_release(system->context, system->switches[k].text);
  picus_release(system->context, system->switches);
}

double picus_switch_side_at(const picus_system *system, int index, double t) {
  const system_switch *s = &system->switches[index];
  if (!s->is_timed) return NAN;
  return (t > s->t_zero) == s->rises ? 1 : -1;
}

#define SAME_TIME 1e-14 /* times that differ by this part are equal, but for round-off */

static double side_of_zone(int zone) { return zone % 2 == 0 ? 1 + zone : -1 - zone; }
static int zone_of_side(double side) { return (int)fabs(side) - 1; }
static double kink_time(const system_switch *s, int kink) {
  return (picus_table_kink(s->table, kink) - s->x_zero) / s->x_rate;
}

/* Whether x has passed the kink at t or before. */
static bool is_passed(const system_switch *s, int kink, double t) {
  const double at = kink_time(s, kink);
  return at - t <= SAME_TIME * fabs(at);
}

/* The zone of a table just after t: from the zone of x, which has round-off, to the one that the times tell. */
static int zone_after(const system_switch *s, double t) {
  const int count = picus_table_kink_count(s->table);
  const bool rises = s->x_rate > 0;
  int zone = picus_table_zone(s->table, s->x_zero + s->x_rate * t);
  while (zone < count && is_passed(s, zone, t) == rises) zone++;
  while (zone > 0 && is_passed(s, zone - 1, t) != rises) zone--;
  return zone;
}

double picus_switch_side_after(const picus_system *system, int index, double t) {
  const system_switch *s = &system->switches[index];
  if (s->runs_with_time) return side_of_zone(zone_after(s, t));
  if (!s->is_timed) return NAN;
  return (t >= s->t_zero) == s->rises ? 1 : -1;
}

bool picus_switch_is_near(const picus_system *system, int index, double t, double slack) {
  const system_switch *s = &system->switches[index];
  return s->is_timed && fabs(t - s->t_zero) <= slack;
}

double picus_switch_side_of(const picus_system *system, int index, double a, double b, double before) {
  const system_switch *s = &system->switches[index];
  if (s->table) {
    if (isnan(a) || picus_table_touches(s->table, zone_of_side(before), a)) return before;
    return side_of_zone(picus_table_zone(s->table, a));
  }
  if (a - b == 0 || isnan(a - b)) return before;
  return a - b > 0 ? 1 : -1;
}

double picus_switch_other_side(const picus_system *system, int index, double side, double a) {
  const system_switch *s = &system->switches[index];
  return s->table ? side_of_zone(picus_table_zone_beside(s->table, zone_of_side(side), a)) : -side;
}

bool picus_switch_is_table(const picus_system *system, int index) { return system->switches[index].table != NULL; }

int picus_system_kink_times(const picus_system *system, double after, double before, double *times) {
  int found = 0;
  for (int k = 0; k < system->switch_count; k++) {
    const system_switch *s = &system->switches[k];
    if (!s->runs_with_time) continue;
    const int count = picus_table_kink_count(s->table), step = s->x_rate > 0 ? 1 : -1;
    for (int i = step > 0 ? zone_after(s, after) : zone_after(s, after) - 1; i >= 0 && i < count; i += step) {
      const double t = kink_time(s, i) + 0.0;
      if (t >= before) break;
      if (times) times[found] = t;
      found++;
    }
  }
  return found;
}

bool picus_system_stops_at(const picus_system *system, double t) {
  for (int i = 0; i < system->stop_count; i++)
    if (system->stop_times[i] == t) return true;
  for (int k = 0; k < system->switch_count; k++) {
    const system_switch *s = &system->switches[k];
    if (!s->runs_with_time) continue;
    const int zone = zone_after(s, t), passed = s->x_rate > 0 ? zone - 1 : zone;
    if (passed >= 0 && passed < picus_table_kink_count(s->table) && kink_time(s, passed) == t) return true;
  }
  return false;
}

const char *picus_switch_text(const picus_system *system, int index) { return system->switches[index].text; }

int picus_switch_text_side(const picus_system *system, int index, double side) {
  return (side > 0) != system->switches[index].is_swapped ? 1 : -1;
}

void picus_controls_release(picus_system *system) {
  system_controls *c = system->controls;
  if (!c) return;
  for (int k = 0; k < c->event_count; k++) picus_release(system->context, c->events[k].name);
  picus_release(system->context, c->events);
  picus_release(system->context, c->settings);
  picus_release(system->context, c->sampled);
  picus_release(system->context, c->signals);
  picus_release(system->context, c);
}

/* --- nodes of flexible components in a state -------------------------------------------------------------------------
 */

void picus_node_table_release(picus_context *context, const picus_node_table *t) {
  for (int k = 0; k < PICUS_NODE_COMPONENTS; k++) {
    picus_release(context, (void *)t->displacements[k]);
    picus_release(context, (void *)t->velocities[k]);
    picus_release(context, (void *)t->displacement_units[k]);
    picus_release(context, (void *)t->velocity_units[k]);
  }
  picus_release(context, (void *)t->name);
  picus_release(context, (void *)t->positions);
  picus_release(context, (void *)t->elements);
}

void picus_system_release_node_tables(picus_system *system) {
  picus_context *context = system->context;
  for (int i = 0; i < system->node_table_count; i++) {
    picus_node_table_release(context, &system->node_tables[i].shown);
    picus_release(context, system->node_tables[i].index);
  }
  picus_release(context, system->node_tables);
}

int picus_system_node_table_count(const picus_system *system) { return system->node_table_count; }

picus_node_table picus_system_node_table(const picus_system *system, int index) {
  if (index < 0 || index >= system->node_table_count) return (picus_node_table){.name = ""};
  return system->node_tables[index].shown;
}

void picus_system_fill_nodes(const picus_system *system, int table, const picus_state *state, double *displacements,
                             double *velocities) {
  const system_node_table *t = &system->node_tables[table];
  const size_t count = (size_t)t->shown.node_count * (size_t)t->shown.component_count;
  const double *q = state->q + t->q0, *u = state->u + t->u0;
  for (size_t i = 0; i < count; i++) {
    const int at = t->index[i];
    displacements[i] = at < 0 ? 0 : q[at];
    velocities[i] = at < 0 ? 0 : u[at];
  }
}
