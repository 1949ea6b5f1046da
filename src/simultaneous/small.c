/* Few spatial contacts: sweeps until the modes are plausible, then Newton's method on the equations of these modes. It
 * takes contacts with and without friction and bilateral laws, and gives back P as it was if contacts are redundant or
 * nearly so, or if it needs more than a few steps: the methods after it choose.
 *
 * The step is that of the solver "newton" (newton_step.c), in new values. With y = P_T - rho xi_T, n = y / |y|, t
 * across n and the radius R = mu P_N:
 *
 * - open: P = 0;
 * - closed and sticking: xi = 0;
 * - slipping: xi_N = 0, P_T = mu P_N n + q t and t . xi_T + lambda q = 0, with lambda = (|y| - R) / (R rho).
 *
 * These are linear equations for P_N and q, in which the last P appears in n and lambda only. So a step solves for P
 * from c, and one product with G per step gives velocities, modes and the residual, all from the same numbers. */
#include "sweep/method.h"

#include <float.h>
#include <string.h>

enum {
  FIRST_SWEEPS = 2, /* from a cold start */
  MORE_SWEEPS = 4,  /* after steps that led nowhere */
  MOST_ROUNDS = 4,
  MOST_STEPS = 10, /* of a round */
  PATIENCE = 3     /* steps without gain */
};

#define STRICT 1e-8   /* times the scale of percussions: by so much at least a contact opens or slips, if it does */
#define SINGULAR 1e-6 /* a pivot below, where 1 is regular: contacts are redundant or nearly so, and others choose */
#define FLAT 1e-10    /* the determinant of the block of a law below this, where 1 is regular */
#define LEAST_LENGTH 1e-100 /* of the free percussions: beyond, squares leave the range of a double */
#define LARGEST_LENGTH 1e100
#define LARGEST_SQUARE 1e280

typedef enum end { SOLVED, GOING_ON, SINGULAR_STEP } end; /* of a round of steps */

typedef struct small_law {
  picus_law own;
  int row;
  double rho;
  double inverse[9];   /* of G_ii: the percussion that stops all rows of a contact */
  picus_mode mode;     /* that the last evaluation shows, */
  double n[2];         /* the direction of its friction, */
  double lambda;       /* its stiffness across n, */
  double beyond;       /* and how far the arguments of an open or slipping contact are outside of its set */
  picus_mode tried;    /* the mode whose equations gave the last P */
  int first, unknowns; /* in these equations */
} small_law;

typedef struct small {
  const double *G, *c;
  int law_count, size, unknowns;
  double tolerance, free_percussion; /* largest rho_i |c_i| */
  small_law laws[PICUS_SMALL_LAWS];
  double P[PICUS_SMALL_ROWS], xi[PICUS_SMALL_ROWS];
  picus_residual residual;                       /* of P, */
  double percussion;                             /* and the largest |P_i| */
  double A[PICUS_SMALL_ROWS * PICUS_SMALL_ROWS]; /* of the unknowns, row-major, */
  double z[PICUS_SMALL_ROWS];                    /* and their equations' right side */
  double best_P[PICUS_SMALL_ROWS];
  int iterations;
} small;

/* --- preparation ---------------------------------------------------------------------------------------------- */

static inline bool is_supported(const picus_law *law) {
  switch (law->kind) {
  case PICUS_BILATERAL:
  case PICUS_UNILATERAL:
    return law->dim == 1;
  case PICUS_COULOMB:
    return (law->dim == 2 || law->dim == 3) && law->radius >= 0 && law->radius <= DBL_MAX;
  case PICUS_RESERVOIR:
  case PICUS_ROLLING:
    return false;
  }
  return false;
}

/* The inverse of the block of a law, by cofactors. false: it is nearly singular. */
static inline bool invert_block(const double *g, size_t stride, small_law *law) {
  double *v = law->inverse;
  if (law->own.dim == 1) {
    v[0] = 1 / g[0];
    return g[0] > 0;
  }
  const double *h = g + stride, *i = h + stride;
  if (law->own.dim == 2) {
    const double determinant = g[0] * h[1] - g[1] * h[0], inverse = 1 / determinant;
    v[0] = h[1] * inverse;
    v[1] = -g[1] * inverse;
    v[2] = -h[0] * inverse;
    v[3] = g[0] * inverse;
    return determinant * law->rho * law->rho > FLAT && g[0] > 0;
  }
  const double a = h[1] * i[2] - h[2] * i[1], b = h[2] * i[0] - h[0] * i[2], c = h[0] * i[1] - h[1] * i[0];
  const double determinant = g[0] * a + g[1] * b + g[2] * c, inverse = 1 / determinant;
  v[0] = a * inverse;
  v[1] = (g[2] * i[1] - g[1] * i[2]) * inverse;
  v[2] = (g[1] * h[2] - g[2] * h[1]) * inverse;
  v[3] = b * inverse;
  v[4] = (g[0] * i[2] - g[2] * i[0]) * inverse;
  v[5] = (g[2] * h[0] - g[0] * h[2]) * inverse;
  v[6] = c * inverse;
  v[7] = (g[1] * i[0] - g[0] * i[1]) * inverse;
  v[8] = (g[0] * h[1] - g[1] * h[0]) * inverse;
  return determinant * law->rho * law->rho * law->rho > FLAT && g[0] > 0;
}

static bool prepare_law(small *x, const picus_contact_problem *problem, int number, int row) {
  const picus_law *from = &problem->laws[number];
  const size_t size = (size_t)problem->size;
  const double *block = problem->G + (size_t)row * (size + 1);
  small_law *law = &x->laws[number];
  double trace = 0, square = 0;
  law->own = *from;
  law->row = row;
  for (int k = 0; k < from->dim; k++) {
    trace += fabs(block[(size_t)k * (size + 1)]);
    square += problem->c[row + k] * problem->c[row + k];
  }
  law->rho = 1 / (trace / from->dim);
  const double free_percussion = law->rho * sqrt(square);
  if (free_percussion > x->free_percussion) x->free_percussion = free_percussion;
  return square < LARGEST_SQUARE && invert_block(block, size, law);
}

static const char *refuse_other_laws(const picus_contact_problem *problem, int *law) {
  bool spatial = false;
  for (*law = 0; *law < problem->law_count; ++*law) {
    if (!is_supported(&problem->laws[*law])) return "a law of another kind";
    spatial = spatial || problem->laws[*law].dim == 3;
  }
  return spatial ? NULL : "planar friction alone";
}

/* false: the block of a law is nearly singular, or velocities are out of range. */
static bool prepare(small *x, const picus_contact_problem *problem) {
  int row = 0;
  x->G = problem->G;
  x->c = problem->c;
  x->law_count = problem->law_count;
  x->size = problem->size;
  x->free_percussion = 0;
  for (int i = 0; i < problem->law_count; i++) {
    if (!prepare_law(x, problem, i, row)) return false;
    row += problem->laws[i].dim;
  }
  return x->free_percussion > LEAST_LENGTH && x->free_percussion < LARGEST_LENGTH;
}

/* --- evaluation ----------------------------------------------------------------------------------------------- */

/* xi = G P + c. Columns of open contacts count too: a number that is not finite must show. Returns the sum of |xi|. */
static inline double evaluate_velocities(small *x) {
  const size_t size = (size_t)x->size;
  double all = 0;
  for (size_t i = 0; i < size; i++) {
    const double *row = x->G + i * size;
    double sum = x->c[i];
    for (size_t j = 0; j < size; j++) sum += row[j] * x->P[j];
    x->xi[i] = sum;
    all += fabs(sum);
  }
  return all;
}

/* The natural map of a law, its mode, and the direction and stiffness of friction that slips. */
static inline double look_at(small_law *law, const double *P, double *xi) {
  const picus_natural natural = picus_law_natural(&law->own, law->rho, 0, P, xi);
  const double *slip = natural.argument + 1;
  law->mode = natural.mode;
  law->beyond = law->mode == PICUS_OPEN ? -natural.argument[0] : INFINITY;
  if (law->mode != PICUS_SLIP) return natural.length;
  const double radius = law->own.radius * picus_prox_positive(P[0]);
  const double length = picus_length(law->own.dim - 1, slip);
  for (int k = 0; k < law->own.dim - 1; k++) law->n[k] = length > 0 ? slip[k] / length : k == 0;
  law->lambda = (length - radius) / (radius * law->rho); /* infinite without friction */
  if (law->own.radius > 0) law->beyond = length - radius;
  return natural.length;
}

/* xi, modes and the residual of P. */
static void evaluate(small *x) {
  double worst = 0, percussion = 0, sum = evaluate_velocities(x);
  int worst_law = 0;
  for (int i = 0; i < x->law_count; i++) {
    small_law *law = &x->laws[i];
    const double *P = x->P + law->row, natural = look_at(law, P, x->xi + law->row);
    sum += natural;
    percussion = picus_larger(percussion, picus_length(law->own.dim, P));
    if (natural > worst) {
      worst = natural;
      worst_law = i;
    }
  }
  x->percussion = percussion;
  x->residual = picus_residual_from(worst, percussion, x->free_percussion, worst_law);
  if (!(sum <= DBL_MAX)) x->residual.relative = INFINITY;
}

/* --- sweeps --------------------------------------------------------------------------------------------------- */

/* Velocity of the rows of a law without its own percussion. */
static inline void velocity_without(const small *x, int dim, const small_law *law, double *b) {
  const size_t size = (size_t)x->size;
  for (int k = 0; k < dim; k++) {
    const double *row = x->G + (size_t)(law->row + k) * size;
    double sum = x->c[law->row + k];
    for (size_t j = 0; j < size; j++) sum += row[j] * x->P[j];
    for (int l = 0; l < dim; l++) sum -= row[law->row + l] * x->P[law->row + l];
    b[k] = sum;
  }
}

/* The sticking percussion if it is in the cone; otherwise slip in the direction in which that one leaves the cone: a
 * good guess, as the modes are all that is sought. */
static inline void visit_contact(small *x, int dim, small_law *law) {
  double b[3], *P = x->P + law->row, s[3] = {0};
  velocity_without(x, dim, law, b);
  for (int k = 0; k < dim; k++) P[k] = 0;
  if (b[0] >= 0) return;
  for (int k = 0; k < dim; k++)
    for (int l = 0; l < dim; l++) s[k] -= law->inverse[k * dim + l] * b[l];
  const double square = s[1] * s[1] + (dim == 3 ? s[2] * s[2] : 0), radius = law->own.radius * s[0];
  if (s[0] > 0 && square <= radius * radius) {
    for (int k = 0; k < dim; k++) P[k] = s[k];
    return;
  }
  const double *g = x->G + (size_t)law->row * (size_t)(x->size + 1);
  const double share = square > 0 ? law->own.radius / sqrt(square) : 0;
  const double stiffness = g[0] + share * (g[1] * s[1] + (dim == 3 ? g[2] * s[2] : 0));
  const bool slips = stiffness > SINGULAR * g[0];
  P[0] = -b[0] / (slips ? stiffness : g[0]);
  for (int k = 1; slips && k < dim; k++) P[k] = share * s[k] * P[0];
}

static void sweep(small *x) {
  x->iterations++;
  for (int i = 0; i < x->law_count; i++) {
    small_law *law = &x->laws[i];
    if (law->own.dim == 3) {
      visit_contact(x, 3, law);
    } else if (law->own.dim == 2) {
      visit_contact(x, 2, law);
    } else {
      double b;
      velocity_without(x, 1, law, &b);
      x->P[law->row] = law->own.kind == PICUS_BILATERAL || b < 0 ? -b * law->inverse[0] : 0;
    }
  }
}

/* --- Newton's method ------------------------------------------------------------------------------------------ */

/* The unknowns of the modes. */
static void list_unknowns(small *x) {
  x->unknowns = 0;
  for (int i = 0; i < x->law_count; i++) {
    small_law *law = &x->laws[i];
    law->first = x->unknowns;
    law->tried = law->mode;
    law->unknowns = law->mode == PICUS_OPEN ? 0 : law->mode == PICUS_STICK ? law->own.dim : law->own.dim - 1;
    if (law->mode == PICUS_SLIP && !(law->lambda <= DBL_MAX)) law->unknowns = 1; /* no friction */
    x->unknowns += law->unknowns;
  }
}

/* Columns of G in the rows of a law, for the unknowns of another: v[k][l], row k, unknown l. */
static inline void fill_columns(const small *x, const small_law *to, const small_law *from, double v[3][3]) {
  for (int k = 0; k < to->own.dim; k++) {
    const double *g = x->G + (size_t)(to->row + k) * (size_t)x->size + from->row;
    if (from->mode == PICUS_STICK) {
      for (int l = 0; l < from->own.dim; l++) v[k][l] = g[l];
    } else if (from->own.dim == 3) {
      v[k][0] = g[0] + from->own.radius * (from->n[0] * g[1] + from->n[1] * g[2]);
      v[k][1] = from->n[0] * g[2] - from->n[1] * g[1];
    } else
      v[k][0] = g[0] + from->own.radius * from->n[0] * g[1];
  }
}

/* Equations of a law, each scaled by its rho. */
static void fill_equations(small *x, const small_law *to) {
  const double rho = to->rho;
  const bool slips = to->mode == PICUS_SLIP;
  const int n = x->unknowns;
  double *A = x->A + to->first * n;
  for (int j = 0; j < x->law_count; j++) {
    const small_law *from = &x->laws[j];
    double v[3][3] = {{0}}; /* columns beyond the unknowns stay */
    if (from->unknowns == 0) continue;
    fill_columns(x, to, from, v);
    for (int l = 0; l < from->unknowns; l++) {
      const int column = from->first + l;
      A[column] = rho * v[0][l];
      if (slips && to->unknowns == 2) A[n + column] = rho * (to->n[0] * v[2][l] - to->n[1] * v[1][l]);
      for (int k = 1; !slips && k < to->own.dim; k++) A[k * n + column] = rho * v[k][l];
    }
  }
  const double *c = x->c + to->row;
  x->z[to->first] = -rho * c[0];
  if (slips && to->unknowns == 2) {
    A[n + to->first + 1] += rho * to->lambda;
    x->z[to->first + 1] = -rho * (to->n[0] * c[2] - to->n[1] * c[1]);
  }
  for (int k = 1; !slips && k < to->own.dim; k++) x->z[to->first + k] = -rho * c[k];
}

/* z := A^-1 z. false: A is nearly singular. */
static bool eliminate(small *x) {
  const int n = x->unknowns;
  int pivots[PICUS_SMALL_ROWS];
  if (!picus_lu_factor(n, x->A, pivots)) return false;
  for (int k = 0; k < n; k++)
    if (!(fabs(x->A[k * (n + 1)]) > SINGULAR)) return false;
  picus_lu_solve(n, x->A, pivots, x->z);
  return true;
}

/* Friction that slips is brought back to its circle. */
static inline void take_unknowns(small *x) {
  for (int i = 0; i < x->law_count; i++) {
    const small_law *law = &x->laws[i];
    const double *z = x->z + law->first;
    double *P = x->P + law->row;
    for (int k = 0; k < law->own.dim; k++) P[k] = law->mode == PICUS_STICK ? z[k] : 0;
    if (law->mode != PICUS_SLIP) continue;
    const double radius = law->own.radius * z[0], across = law->unknowns == 2 ? z[1] : 0;
    P[0] = z[0];
    P[1] = radius * law->n[0] - across * law->n[1];
    if (law->own.dim == 2) continue;
    P[2] = radius * law->n[1] + across * law->n[0];
    if (radius > 0 && across != 0) {
      const double back = radius / sqrt(radius * radius + across * across);
      P[1] *= back;
      P[2] *= back;
    }
  }
}

static bool step(small *x) {
  x->iterations++;
  list_unknowns(x);
  for (int i = 0; i < x->law_count; i++)
    if (x->laws[i].unknowns > 0) fill_equations(x, &x->laws[i]);
  if (!eliminate(x)) return false;
  take_unknowns(x);
  return true;
}

/* --- the search ----------------------------------------------------------------------------------------------- */

/* A small residual alone does not suffice: next to a hard impact, the wrong mode of a light contact gives one too. */
static bool modes_are_those_tried(const small *x) {
  for (int i = 0; i < x->law_count; i++)
    if (x->laws[i].mode != x->laws[i].tried) return false;
  return true;
}

/* Takes steps from P until it is solved or nothing is gained; leaves the best P. */
static end run_steps(small *x) {
  const size_t bytes = (size_t)x->size * sizeof *x->P;
  double best = INFINITY;
  for (int i = 0; i < x->law_count; i++) x->laws[i].tried = PICUS_OPEN;
  for (int k = 0, idle = 0; k <= MOST_STEPS && idle < PATIENCE; k++) {
    if (k > 0 && !step(x)) return SINGULAR_STEP;
    evaluate(x);
    if (x->residual.relative <= x->tolerance && modes_are_those_tried(x)) return SOLVED;
    if (x->residual.relative < best) {
      best = x->residual.relative;
      memcpy(x->best_P, x->P, bytes);
      idle = 0;
    } else
      idle++;
  }
  memcpy(x->P, x->best_P, bytes);
  return GOING_ON;
}

/* A solution is one of many if a contact slips without velocity, or is open without one, although others could take its
 * percussion over: the other solvers choose among them, from the initial guess. And none is returned outside of its set
 * by more than round-off. */
static bool is_strict(const small *x) {
  const double least = STRICT * fmax(x->percussion, x->free_percussion);
  for (int i = 0; i < x->law_count; i++) {
    const small_law *law = &x->laws[i];
    const double *P = x->P + law->row;
    if (!(law->beyond > least) || (law->own.kind != PICUS_BILATERAL && P[0] < 0)) return false;
    if (law->own.kind != PICUS_COULOMB) continue;
    const double square = P[1] * P[1] + (law->own.dim == 3 ? P[2] * P[2] : 0), radius = law->own.radius * P[0];
    if (square > radius * radius * (1 + 16 * DBL_EPSILON)) return false;
  }
  return true;
}

static bool search(small *x, bool warm, int most_iterations) {
  int sweeps = warm ? 0 : FIRST_SWEEPS;
  for (int round = 0; round < MOST_ROUNDS && x->iterations < most_iterations; round++) {
    for (; sweeps > 0; sweeps--) sweep(x);
    const end reached = run_steps(x);
    if (reached != GOING_ON) return reached == SOLVED && is_strict(x);
    sweeps = MORE_SWEEPS;
  }
  return false;
}

static picus_status small_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                                picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  small x;
  bool warm = false;
  if (!prepare(&x, problem)) return PICUS_NOT_CONVERGED;
  x.tolerance = options->tolerance;
  x.iterations = 0;
  for (int k = 0; k < x.size; k++) {
    x.P[k] = P[k];
    warm = warm || P[k] != 0;
  }
  const bool found = search(&x, warm, options->max_iterations);
  *iterations += x.iterations;
  if (!found) return PICUS_NOT_CONVERGED;
  memcpy(P, x.P, (size_t)x.size * sizeof *P);
  for (int i = 0; i < x.law_count; i++) modes[i] = x.laws[i].mode;
  *memory.judged = x.residual;
  return PICUS_OK;
}

const picus_solver_ops picus_small_solver = {
    .description = {"newton", "newton with few spatial contacts", "Alart, Curnier 1991"},
    .refusal = refuse_other_laws,
    .needs_whole_G = true,
    .solve = small_solve,
};
