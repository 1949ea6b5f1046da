/* What a system consists of: parts, laws, names, controls, and what is known of all of them. */
#ifndef PICUS_SYSTEM_CONTENTS_H
#define PICUS_SYSTEM_CONTENTS_H

#include "system/laws.h"
#include "system/parts.h"
#include "system/source.h"

#include <picus/result.h>

typedef struct system_name {
  char *name, *unit, *label;
  bool unrecorded; /* no column of results */
} system_name;

typedef struct system_node_table system_node_table;

typedef struct system_input {
  double start, rate; /* initial values */
  bool has_rate;
} system_input;

/* What the simulation does itself between two steps. Actions are expressions that are evaluated together then. */
typedef struct system_sampled {
  int input;
  double every; /* s; 0: it is held, and events set it */
  int action;   /* its next value; -1: it is held */
} system_sampled;
typedef struct system_signal { /* an input that follows a law */
  int input, law;
  int signal; /* picus_signal */
} system_signal;
typedef struct system_setting { /* by an event */
  int kind;                     /* picus_setting_kind */
  int index, action;
} system_setting;
typedef struct system_event {
  char *name;
  int switching; /* that has its zeros; -1: it is a change of a law */
  bool reversed;
  int direction, law, change; /* picus_event_direction, picus_event_change */
  int first_setting, setting_count;
  bool stops;
} system_event;
typedef struct system_controls {
  int setting_count, event_count;
  system_setting *settings;
  system_event *events;
  int sampled_count, signal_count, action_count;
  system_sampled *sampled;
  system_signal *signals;
} system_controls;

struct picus_system {
  picus_context *context;
  int nq, nu, part_count, source_count, observable_count;
  system_source *sources;
  system_part *parts;
  int group_count;
  system_group *groups;
  int *alone; /* 0, 1, 2 ...: the list of each part that no other is coupled to */
  int coupling_count;
  system_coupling *couplings;
  size_t coupling_q, coupling_u; /* values of dh/dq and dh/du of all couplings */
  int turning_count;             /* the same for W P: laws whose directions depend on displacements, or the other way */
  system_coupling *turning;
  bool turns; /* relative velocities depend on displacements in some other way than by velocities */
  size_t turning_q;
  law_set fixed; /* the laws that the system was created with */
  system_name *q_names, *u_names, *observables;
  int input_count;
  system_name *input_names;
  int work_count; /* works that are booked by name: everything that changes the energy and is no law */
  char **work_names;
  bool stores;    /* one of them stores energy */
  int input_work; /* that of inputs which are set; -1: none */
  int event_work; /* that of events which set coordinates or velocities; -1: none */
  system_input *inputs;
  double *q_start, *u_start;
  int quaternion_count;
  int *quaternions; /* the first of four coordinates each */
  double t_start;   /* the time at which the initial state is checked */
  uint64_t data;    /* a number for the data of its tables; 0: it has none */
  double *stop_times;
  int stop_count;
  bool has_sides;         /* its expressions switch by switching functions only */
  bool has_rest_friction; /* friction at rest may differ from that of the slowest slip */
  int switch_count;
  system_switch *switches;   /* see switches.h */
  system_controls *controls; /* NULL: none */
  picus_system_constants constants;
  bool has_loads;                    /* of any source */
  bool appears;                      /* a source has laws that come and go */
  bool knows_moves;                  /* of each law: picus_system_law.moves; not of user-defined systems */
  picus_impact_law impact_of_shapes; /* a law that a pair of materials names, not Newton's; 0: none does */
  bool adheres;                      /* some contacts hold against an adhesive force */
  bool varies;                       /* coefficients of some laws do: picus_evaluate_coefficients */
  bool at_rest;                      /* no law has a surface that moves or is a motor: chi = 0 */
  int node_table_count;
  system_node_table *node_tables; /* flexible components whose nodes are a table of results */
};

#endif
