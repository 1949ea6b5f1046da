/* The smooth motion in a set of modes as a field, small dense matrices for it, and what ends a phase: triggers and
 * jumps. */
#ifndef PICUS_FLOW_FIELD_H
#define PICUS_FLOW_FIELD_H

#include "base/internal.h"
#include "system/internal.h"

#include <picus/orbit.h>
#include <picus/sim.h>

/* --- dense.c: small dense matrices, row-major --------------------------------------------------------------------- */

/* A = P L U Q by complete pivoting: solves consistent systems whose rows depend on each other as well. */
typedef struct pivoted {
  int size, rank;
  double *A; /* size x size: factors */
  int *row, *column;
} pivoted;
/* Pivots below `smallest` times the largest one count as zero. */
void picus_pivoted_factor(pivoted *p, int size, double smallest);
/* x := A^-1 x; components of dependent columns are 0. work: size. */
void picus_pivoted_solve(const pivoted *p, double *x, double *work);
/* Eigenvalues of A (n x n, destroyed) in decreasing order of their absolute values; those that its rank makes zero are
 * exactly 0, for a matrix whose round-off is far below 1. false: no convergence. work: PICUS_EIGEN_WORK n^2 numbers. */
enum { PICUS_EIGEN_WORK = 4 };
bool picus_eigenvalues(int n, double *A, picus_multiplier *values, double *work);

/* --- field.c: the smooth motion in a set of modes ----------------------------------------------------------------- */

/* What is fixed between two switching points. */
typedef struct mode_set {
  picus_mode *modes; /* laws */
  double *signs;     /* laws: of planar slip, 1 or -1; 0: there is none */
  double *sides;     /* switch_count: of switching functions */
} mode_set;
picus_status picus_mode_set_create(picus_context *context, const picus_system *system, mode_set *out);
void picus_mode_set_release(picus_context *context, mode_set *m);
void picus_mode_set_copy(const picus_system *system, const mode_set *from, mode_set *to);
/* Whether the laws have the same modes and directions of slip. */
bool picus_mode_set_equals(const picus_system *system, const mode_set *a, const mode_set *b);
/* The law that a row of relative velocities belongs to. */
int picus_law_of_row(const picus_system *system, int row);

/* The derivatives of a field at its point; prepared on request. */
typedef struct field_slopes {
  double *M_inverse;          /* nu x nu */
  double *force_q;            /* nu x nq: d(h + W lambda - M a)/dq with lambda and a fixed */
  double *force_u;            /* nu x nu */
  double *rate_q, *B;         /* nq x nq, nq x nu */
  double *gamma_q;            /* rows x nq: dgamma/dq at u */
  double *acceleration_q;     /* rows x nq: d(W^T a)/dq */
  double *mass_q, *scratch_q; /* nu x nq */
} field_slopes;

/* The field of a system at a point, with the modes that were set; each system and each thread has its own. */
typedef struct field {
  picus_context *context;
  const picus_system *system;
  picus_evaluation *at, *aside; /* at the point; at displaced points */
  int nq, nu, n, laws, rows;
  const mode_set *modes;
  double t, *x;                    /* n: the point, q and u */
  double *rate;                    /* n: its derivative by time, q' and the accelerations a */
  double *W, *chi, *gamma, *kappa; /* rows x nu; rows */
  double *lambda;                  /* rows: forces of laws, N */
  int held_count, *held;           /* rows whose relative velocity is kept */
  double *columns, *solved; /* held x nu: the direction of the force of each, with its sliding friction; M^-1 of it */
  pivoted G;
  double *rhs, *work, *h;         /* rows; rows; nu */
  law_coefficients *coefficients; /* laws */
  law_coefficients *elsewhere;    /* the same at displaced points */
  double *speeds;                 /* laws: of slip */
  field_slopes slopes;
  double *ahead, *terms, *radii; /* n; rows: kappa; laws: radii, at displaced points */
  double *gaps, *a, *b;          /* laws; switch_count */
  double *actions;               /* of controls */
} field;

picus_status picus_field_create(picus_context *context, const picus_system *system, field *out);
void picus_field_release(field *f); /* a zeroed one is fine */
/* From now on these modes hold; they must stay. */
void picus_field_set_modes(field *f, const mode_set *modes);
/* The rate, forces and accelerations at a point. */
picus_status picus_field_evaluate(field *f, double t, const double *x);
/* Derivatives at the point of the last evaluation. */
picus_status picus_field_prepare(field *f);
/* dx' of a tangent dx (n), size: of each coordinate and velocity, n. */
picus_status picus_field_tangent(field *f, const double *size, const double *dx, double *dx_rate);
/* The rows that hold in a set of modes, with the directions of their forces, for W and gamma of the field. */
void picus_field_choose_rows(field *f, const mode_set *modes);
/* s := G^-1 s, numbers of the held rows. */
void picus_field_solve_held(field *f, double *s);
/* Radii of friction of all laws at the point. */
picus_status picus_field_coefficients(field *f, const mode_set *modes);

/* Differences of order six: f(k h) for k = 1, 2, 3 and -1, -2, -3; forward differences of order five. */
enum { DIFFERENCE_POINTS = 6 };
extern const double picus_forward_places[DIFFERENCE_POINTS], picus_forward_weights[DIFFERENCE_POINTS];
extern const double picus_difference_places[DIFFERENCE_POINTS], picus_difference_weights[DIFFERENCE_POINTS];
#define PICUS_DIFFERENCE 1e-3 /* h, relative to the size of a variable */

/* --- jump.c: what ends a phase, and what happens there ---------------------------------------------------------------
 */

/* The first zero of one of these functions ends a phase; they are positive before. */
typedef enum trigger_kind {
  TRIGGER_END,    /* of the motion: at a time */
  TRIGGER_TIME,   /* a stop time, or the zero of a function of time */
  TRIGGER_GAP,    /* a contact closes */
  TRIGGER_CLUTCH, /* a one-way clutch closes */
  TRIGGER_OPENS,  /* a contact or clutch opens: lambda_N */
  TRIGGER_SLIPS,  /* friction reaches its bound: mu lambda_N - |lambda_F| */
  TRIGGER_STICKS, /* slip ends or reverses */
  TRIGGER_SIDE    /* a switching function of expressions */
} trigger_kind;
typedef struct trigger {
  trigger_kind kind;
  int index;   /* of the law, or of the switching function; of a stop time: its number in the system, or -1 */
  double sign; /* of slip before (STICKS) or after (SLIPS); of a side before */
  double t;    /* of TIME and END */
} trigger;
/* At the point of the last evaluation. */
picus_status picus_trigger_value(field *f, const trigger *g, double *value);

typedef enum flow_jump { FLOW_CONTINUES, FLOW_IMPACT, FLOW_EVENT } flow_jump;

/* The state behind an impact of the closed laws. modes: on entry those before it, with the contacts that strike closed;
 * on return those in the impact. find: by a solver; else they are known. */
picus_status picus_jump_impact(field *f, double t, const double *x, mode_set *modes, bool find, double *x_after);
/* Then, at the same point: its derivative in the modes of the impact. dx (n) becomes that behind it, at a fixed time.
 */
picus_status picus_jump_impact_prepare(field *f, const double *x, const double *x_after);
void picus_jump_impact_tangent(field *f, double *dx);
/* The state behind an event of the model, which sets coordinates and velocities. */
picus_status picus_jump_event(field *f, int event, double t, const double *x, double *x_after);

#endif
