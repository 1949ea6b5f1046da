/* Systems from the inside: parts, laws, and the evaluation with its caches. */
#ifndef PICUS_SYSTEM_INTERNAL_H
#define PICUS_SYSTEM_INTERNAL_H

#include <picus/record.h>
#include <picus/system.h>

/* Values of one part at the current point: its work memory and views on its blocks of t, q, u. */
typedef struct part_point {
  double t;
  const double *q, *u;               /* the part's own blocks */
  const double *system_q, *system_u; /* all of them, for a part whose laws act between others */
  void *work;                        /* made by ops->work_create */
} part_point;

/* What a kind of part must be able to do. All arrays are the part's own blocks, row-major. Functions marked optional
 * may be NULL. */
typedef struct part_ops {
  const char *kind;
  picus_status (*work_create)(const void *self, picus_context *context, void **work);
  void (*work_destroy)(const void *self, picus_context *context, void *work);
  void (*set_point)(const void *self, const part_point *point); /* optional: told when the point changes */
  picus_status (*rate)(const void *self, picus_context *context, const part_point *point, double *q_dot);
  picus_status (*force)(const void *self, picus_context *context, const part_point *point, double *h);
  picus_status (*gaps)(const void *self, picus_context *context, const part_point *point, double *gap);
  picus_status (*mass)(const void *self, picus_context *context, const part_point *point, double *M);
  /* W: for each of the part's laws its dim x width rows, one after the other */
  picus_status (*directions)(const void *self, picus_context *context, const part_point *point, double *W, double *chi);
  picus_status (*energy)(const void *self, picus_context *context, const part_point *point, double *kinetic,
                         double *potential);
  picus_status (*observe)(const void *self, picus_context *context, const part_point *point, double *values); /* opt. */
  /* Jacobians with respect to the part's own q (and u). */
  picus_status (*force_jacobian)(const void *self, picus_context *context, const part_point *point, double *dh_dq,
                                 double *dh_du);
  picus_status (*gap_jacobian)(const void *self, picus_context *context, const part_point *point, double *dg_dq);
  picus_status (*rate_jacobian)(const void *self, picus_context *context, const part_point *point, double *drate_dq,
                                double *B);
  picus_status (*mass_jacobian)(const void *self, picus_context *context, const part_point *point, const double *v,
                                double *dMv_dq);
  picus_status (*velocity_jacobian)(const void *self, picus_context *context, const part_point *point,
                                    double *dgamma_dq);
  picus_status (*direction_jacobian)(const void *self, picus_context *context, const part_point *point, const double *P,
                                     double *dWP_dq);
  void (*destroy)(void *self, picus_context *context);
} part_ops;

typedef struct system_part {
  const part_ops *ops;
  void *self;
  int q0, nq; /* block of q */
  int u0, nu; /* block of u, and of M */
  int law0, law_count;
  int row0, row_count;
  int observable0, observable_count;
  bool mass_constant, directions_constant, identity_rates;
} system_part;

typedef struct system_law {
  picus_system_law data;
  int part;        /* that evaluates it */
  int block_count; /* parts whose velocities it acts on, in increasing order */
  int *blocks;     /* block_count part indices */
  int width;       /* velocities it acts on: sum of the blocks' nu */
  size_t W0;       /* offset of its dim x width rows among all W values */
  char *name;
} system_law;

typedef struct system_name {
  char *name, *unit, *label;
} system_name;

struct picus_system {
  picus_context *context;
  int nq, nu, law_count, row_count, part_count, observable_count;
  size_t W_size; /* values in W, all laws */
  system_part *parts;
  system_law *laws;
  system_name *q_names, *u_names, *observables;
  double *q_start, *u_start;
  int quaternion_count;
  int *quaternions; /* the first of four coordinates each */
  double t_start; /* the time at which the start is checked */
  double *event_times;
  int event_count;
  picus_system_constants constants;
};

struct picus_evaluation {
  picus_context *context;
  const picus_system *system;
  double t, *q, *u;
  part_point *points; /* one for each part */
  /* mass: per part its M, factor and (small constant M only) inverse, at the offsets mass0[part] */
  size_t *mass0;
  double *mass, *factor, *inverse;
  bool *has_inverse;
  bool mass_ready; /* factored at this point; stays true where M is constant */
  /* directions: all laws */
  double *W, *chi;
  bool directions_ready;
  /* M^-1 w for every row, as W, and G for all rows: computed once where M and W are constant, else NULL */
  double *inverse_mass_W, *delassus;
  double *scratch; /* two blocks of scratch_size, for the Jacobian of one part */
  size_t scratch_size;
};

/* For builders of systems. Adds up sizes and offsets from parts and laws that were filled in, and checks them. */
picus_status picus_system_allocate(picus_context *context, int part_count, int law_count, picus_system **out);
picus_status picus_system_layout(picus_system *system);
picus_status picus_system_check_start(picus_system *system, const picus_place *law_places);

/* Factors M at the point (no work where constant). PICUS_ERROR_SINGULAR names the velocity without mass. */
picus_status picus_evaluation_factor_mass(picus_evaluation *evaluation);
/* x := M^-1 x, all parts. */
void picus_evaluation_solve_mass(const picus_evaluation *evaluation, double *x);
/* x := M_part^-1 x for one part's block. */
void picus_evaluation_solve_part(const picus_evaluation *evaluation, int part, double *x);
/* W and chi at the point, into the evaluation. */
picus_status picus_evaluation_update_directions(picus_evaluation *evaluation);
/* Where M and W are constant: M^-1 W and the whole Delassus matrix, once. */
picus_status picus_evaluation_constant_delassus(picus_evaluation *evaluation);
/* row of W^T times a vector of all velocities: sum over the blocks of the law; and times two at once. */
static inline void picus_law_row_dots(const picus_system *system, const system_law *law, const double *row,
                                      const double *u, const double *v, double *row_u, double *row_v) {
  double sum_u = 0, sum_v = 0;
  for (int b = 0; b < law->block_count; b++) {
    const system_part *part = &system->parts[law->blocks[b]];
    const double *block_u = u + part->u0, *block_v = v + part->u0;
    for (int i = 0; i < part->nu; i++) {
      sum_u += row[i] * block_u[i];
      sum_v += row[i] * block_v[i];
    }
    row += part->nu;
  }
  *row_u = sum_u;
  *row_v = sum_v;
}
static inline double picus_law_row_dot(const picus_system *system, const system_law *law, const double *row,
                                       const double *u) {
  double product, same;
  picus_law_row_dots(system, law, row, u, u, &product, &same);
  return product;
}
/* u += factor * row, spread over the blocks of the law. */
static inline void picus_law_row_add(const picus_system *system, const system_law *law, const double *row,
                                     double factor, double *u) {
  for (int b = 0; b < law->block_count; b++) {
    const system_part *part = &system->parts[law->blocks[b]];
    double *block = u + part->u0;
    for (int i = 0; i < part->nu; i++) block[i] += factor * row[i];
    row += part->nu;
  }
}
/* M^-1 w of one row (width values in and out). */
void picus_law_row_solve(const picus_evaluation *evaluation, const system_law *law, const double *row, double *out);
/* row_a of law a times row_b of law b over the blocks they share. */
double picus_law_rows_dot(const picus_system *system, const system_law *a, const double *row_a, const system_law *b,
                          const double *row_b);

/* Columns for the recorder. */
int picus_system_observable_count(const picus_system *system);
picus_column picus_system_observable(const picus_system *system, int index);
picus_column picus_system_q_column(const picus_system *system, int index);
picus_column picus_system_u_column(const picus_system *system, int index);
picus_status picus_system_observe(picus_evaluation *evaluation, double *values);

#endif
