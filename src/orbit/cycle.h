/* A periodic orbit as a closed chain of phases. Unknown are the state at the start of each phase, its duration, the
 * time of the first phase and one parameter; equations are that each phase begins where the one before it ends, and
 * that the function of its switching point is zero there. Unlike the return map, all of them are smooth where an impact
 * velocity or the duration of a phase becomes zero, so that changes of the sequence are regular zeros of functions
 * along a branch.
 */
#ifndef PICUS_ORBIT_CYCLE_H
#define PICUS_ORBIT_CYCLE_H

#include "flow/conditions.h"
#include "flow/flow.h"

/* What fixes a phase and the switching point at its end. */
typedef struct cycle_phase {
  mode_set modes, struck; /* in the phase; in the impact at its end */
  trigger ends;
  flow_jump jump;
  int law, event; /* of an impact; of the model: -1: none */
} cycle_phase;

/* The unknowns z: of each phase its state (n) and duration; then the time of the first one and the parameter. */
typedef struct cycle {
  picus_context *context;
  const picus_system *system;
  int n, count, size; /* of a state; phases; unknowns: count (n + 1) + 2 */
  cycle_phase *phases;
  double *z;
} cycle;
picus_status picus_cycle_create(picus_context *context, const picus_system *system, int count, cycle *out);
void picus_cycle_release(cycle *c); /* a zeroed one is fine */
/* Phases of a cycle become those of another one, with their part of the unknowns. */
void picus_cycle_copy_phase(const cycle *from, int k, cycle *to, int i);
picus_status picus_cycle_copy(const cycle *from, cycle *out);
static inline double *picus_cycle_state(const cycle *c, int k) { return c->z + k * (c->n + 1); }
static inline double *picus_cycle_duration(const cycle *c, int k) { return c->z + k * (c->n + 1) + c->n; }
static inline double *picus_cycle_time(const cycle *c) { return c->z + c->size - 2; }
static inline double *picus_cycle_parameter(const cycle *c) { return c->z + c->size - 1; }
double picus_cycle_period(const cycle *c);

/* What an orbit is found from: the run that showed it. */
typedef struct orbit_source {
  sequence found;
  flow_path path;
  bool *grows; /* n: coordinates that nothing depends on */
} orbit_source;
void picus_orbit_source_release(picus_context *context, orbit_source *s); /* a zeroed one is fine */
/* As picus_orbit_create, from a start other than that of the model, and with its source. */
picus_status picus_orbit_find(picus_context *context, const picus_orbit_def *def, const flow_start *start,
                              picus_orbit **out, orbit_source *source);
/* The period of the forces, by its text or number; 0: there is none. */
picus_status picus_orbit_period(picus_context *context, picus_model *model, const picus_orbit_def *def, double *out);

/* What is computed at a phase of a cycle. */
typedef struct cycle_blocks {
  double *S;       /* n x n: d(start of the next phase)/d(start) */
  double *by_time; /* n: by the duration */
  double *by_p;    /* n */
  double *E;       /* n: of the function of the switching point */
  double *rate;    /* n: x' at the start */
  double *x_next;  /* n */
  double e, e_time, e_p;
} cycle_blocks;

/* The equations of cycles of a model over a parameter, and work for them. */
typedef struct cycle_problem {
  picus_context *context;
  const picus_orbit_def *def;
  const char *parameter;
  int n;
  double *size;                 /* n: of coordinates and velocities */
  bool *grows;                  /* n */
  double *kept;                 /* n: where growing coordinates start, and motions without switching points: */
  double *normal;               /* n: on a plane there, across the motion */
  bool has_normal;              /* else it is that of the next assembly */
  double period, range, t_kept; /* s, scale of times; scale of the parameter; s, time of the first phase */
  bool is_timed;
  /* the model at a parameter */
  double p;
  picus_model *model;
  picus_system *system;
  flow f;                                  /* columns: by the state, by the duration, by the parameter */
  double force_period, force_period_slope; /* s; by the parameter */
  double *y;
  /* for cycles of up to `most` unknowns */
  int most, phases_most;
  cycle_blocks *blocks; /* phases */
  double *block_numbers;
  double *F, *J, *scale, *step, *work, *product; /* size; size x size; size; size; size; 6 n^2 */
  pivoted lu;
} cycle_problem;
picus_status picus_cycle_problem_create(picus_context *context, const picus_orbit_def *def, const char *parameter,
                                        cycle_problem *out);
void picus_cycle_problem_release(cycle_problem *b); /* a zeroed one is fine */
/* The model with another value of the parameter. */
picus_status picus_cycle_load(cycle_problem *b, double p);
/* The same, but for a negligible difference. */
picus_status picus_cycle_load_near(cycle_problem *b, double p);
/* Makes room for cycles of this many phases. */
picus_status picus_cycle_reserve(cycle_problem *b, int phases);

/* Cycles now begin near this one. */
void picus_cycle_keep(cycle_problem *b, const cycle *c);
/* Equations and derivatives at z. */
picus_status picus_cycle_assemble(cycle_problem *b, const cycle *c);
/* With a row (size, in scaled unknowns), the unknowns are on the plane row . (z - at) = 0; NULL: the parameter stays.
 */
typedef struct cycle_plane {
  const double *row, *at;
} cycle_plane;
/* Of motions without switching points, after an assembly: the cosine of the angle between the motion and the normal of
 * the plane where it begins; the length of its way, relative to its size: 0 at an equilibrium, INFINITY for others. */
double picus_cycle_across(const cycle_problem *b);
double picus_cycle_amplitude(const cycle_problem *b, const cycle *c);
/* Newton's method. *iterations may be NULL. After it, equations and derivatives are those of the solution. */
picus_status picus_cycle_correct(cycle_problem *b, cycle *c, cycle_plane plane, int *iterations);
/* The direction of the branch, of length 1 in scaled unknowns, after an assembly. It has a positive product with
 * `along`, if given, else a parameter that grows. across: a direction to which it is perpendicular, where the branch is
 * not unique; may be NULL. */
void picus_cycle_tangent(cycle_problem *b, const cycle *c, const double *along, const double *across, double *tangent);
void picus_cycle_scale(cycle_problem *b, const cycle *c); /* scales of the unknowns, into b->scale */
/* z := at + s direction, direction in scaled unknowns. */
void picus_cycle_move(cycle_problem *b, cycle *c, const double *at, double s, const double *direction);
/* Of the return map, after an assembly, larger ones first; returns how many (at most n); -1: no convergence. */
int picus_cycle_multipliers(cycle_problem *b, const cycle *c, picus_multiplier *out);
/* One phase without tangents, from its start over the time d; x is its state. */
picus_status picus_cycle_carry(cycle_problem *b, double t, double d, double *x);
/* The cycle of an orbit, at the parameter for which the problem is loaded. */
picus_status picus_cycle_from_orbit(cycle_problem *b, const picus_orbit *orbit, const orbit_source *source, cycle *out);

/* Whether a cycle is a motion. */

/* All conditions of a cycle. */
picus_status picus_cycle_check(cycle_problem *b, const cycle *c, condition_list *out);
/* The value of the condition of the same kind; INFINITY: there is none. */
double picus_cycle_condition(const condition_list *m, const condition *like);

#endif
