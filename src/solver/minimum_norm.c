/* If contacts are redundant, many percussions give the same velocities. Those that respect the laws with these
 * velocities form a convex set: open contacts carry nothing, slipping friction is tied to its normal percussion,
 * sticking friction lies in its cone or ball, and G P is fixed. Its minimum-norm element, in percussions scaled by
 * sqrt(G_ii) (rows that share a ball: by their mean), is unique:
 *
 *   min |z|^2 / 2   over  z in K,  Q z = Q z_0 ,
 *
 * z the scaled percussions that may change, K their sets, and the orthonormal rows of Q those of G. Its dual has no
 * constraints: z = proj_K(Q^T y) with y a root of F(y) = Q proj_K(Q^T y) - Q z_0, which is the gradient of a convex
 * function, phi = w . z - |z|^2 / 2 - y . Q z_0 with w = Q^T y. A semismooth Newton method with a line search on phi
 * finds it (Qi, Sun 2006, section 3: the dual approach to nearest points in convex sets). If only Q is binding, the
 * first y is the root. */
#include "solver/internal.h"

#include "linalg/internal.h"
#include "simultaneous/scaling.h"

#include <float.h>
#include <string.h>

enum { MOST_STEPS = 200, MOST_HALVINGS = 40 };

/* Accepted defect of Q z = Q z_0, relative to the largest entry of z_0. For every y, z is exactly the minimum-norm
 * element for its own velocities: these have an error of this size, and the residual shows its effect on the laws. */
#define ACCURATE 1e-11

/* The set of a law's unknowns. */
typedef enum set_kind { FIXED, FREE, HALF_LINE, CONE, BALL } set_kind;

typedef struct law_set {
  set_kind kind;
  int row, rows;                    /* of the law */
  int first, count;                 /* unknowns */
  double radius;                    /* CONE: mu, BALL: radius; scaled */
  double direction[PICUS_LAW_ROWS]; /* HALF_LINE: unit vector of the scaled percussion */
} law_set;

typedef struct search {
  const picus_contact_problem *problem;
  law_set *sets; /* law_count */
  double *d;     /* scale of each row: P = d p */
  double *Q;     /* rank x unknowns, from size x unknowns */
  double *Y;     /* rank x unknowns: Q J */
  double *H;     /* rank x rank */
  double *z, *w, *target, *y, *F, *step, *trial;
  int unknowns, rank;
} search;

static size_t doubles_of_sets(int law_count) {
  return ((size_t)law_count * sizeof(law_set) + sizeof(double) - 1) / sizeof(double);
}

picus_memory_need picus_minimum_norm_need(int law_count, int size) {
  size_t n = (size_t)(size < PICUS_MINIMUM_NORM_ROWS ? size : PICUS_MINIMUM_NORM_ROWS);
  return (picus_memory_need){.doubles = 3 * n * n + 8 * n + doubles_of_sets(law_count), .ints = 0};
}

static void carve(search *s, picus_solver_memory memory) {
  size_t n = (size_t)s->problem->size;
  double *next = memory.doubles;
  s->sets = (void *)next;
  s->d = next += doubles_of_sets(s->problem->law_count);
  s->z = next += n;
  s->w = next += n;
  s->target = next += n;
  s->y = next += n;
  s->F = next += n;
  s->step = next += n;
  s->trial = next += n;
  s->Q = next += n;
  s->Y = next += n * n;
  s->H = next + n * n;
}

/* --- what may change ------------------------------------------------------------------------------------------ */

/* Slipping: friction against the slip with all of mu P_N, one unknown. */
static void tie_friction(const search *s, const picus_law *law, law_set *set, const double *xi) {
  double slip = picus_length(law->dim - 1, xi + 1), square = 1;
  const double *d = s->d + set->row;
  set->kind = HALF_LINE;
  set->count = 1;
  set->direction[0] = 1;
  for (int k = 1; k < law->dim; k++) {
    set->direction[k] = slip > 0 ? -law->radius * d[0] / d[k] * (xi[k] / slip) : 0;
    square += set->direction[k] * set->direction[k];
  }
  for (int k = 0; k < law->dim; k++) set->direction[k] /= sqrt(square);
}

/* The set of one law with the velocity xi. A velocity below rest, as a percussion, cannot be distinguished from zero:
 * for every percussion in its set, the residual of the law is then not larger. */
static void choose_set(const search *s, const picus_law *law, law_set *set, const double *xi, double rho, double rest) {
  int normal_rows = picus_normal_rows(law->kind), directions = law->dim - normal_rows;
  bool slips = directions > 0 && rho * picus_length(directions, xi + normal_rows) > rest;
  set->kind = FIXED;
  set->count = 0;
  switch (law->kind) {
  case PICUS_BILATERAL:
    set->kind = FREE;
    set->count = 1;
    break;
  case PICUS_UNILATERAL:
  case PICUS_COULOMB:
    if (rho * xi[0] > rest) break; /* opens */
    if (directions == 0 || slips || law->radius == 0) {
      tie_friction(s, law, set, xi);
      break;
    }
    set->kind = CONE;
    set->count = law->dim;
    set->radius = law->radius * s->d[set->row] / s->d[set->row + 1];
    break;
  case PICUS_ROLLING: /* not reached: rejected before */
    break;
  case PICUS_RESERVOIR:
    if (slips || law->radius == 0) break;
    set->kind = BALL;
    set->count = law->dim;
    set->radius = law->radius / s->d[set->row];
    break;
  }
}

/* z_0 of a law; fixed percussions are determined by the velocity. */
static void read_start(const search *s, const picus_law *law, const law_set *set, const double *xi, double *P) {
  double *z = s->z + set->first, length;
  switch (set->kind) {
  case FIXED:
    length = law->kind == PICUS_RESERVOIR ? picus_length(law->dim, xi) : 0;
    for (int k = 0; k < law->dim; k++) P[k] = length > 0 ? -law->radius * (xi[k] / length) : 0;
    break;
  case HALF_LINE:
    z[0] = picus_prox_positive(P[0]) / (s->d[set->row] * set->direction[0]);
    break;
  case FREE:
  case CONE:
  case BALL:
    for (int k = 0; k < set->count; k++) z[k] = P[k] / s->d[set->row + k];
    break;
  }
}

static void list_sets(search *s, double tolerance, double *P) {
  const picus_contact_problem *problem = s->problem;
  double rest = tolerance * picus_contact_scale(problem, P) / 2;
  picus_operator_of(problem)->multiply(problem, P, s->w);
  s->unknowns = 0;
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim) {
    law_set *set = &s->sets[i];
    *set = (law_set){.row = row, .rows = problem->laws[i].dim, .first = s->unknowns};
    choose_set(s, &problem->laws[i], set, s->w + row, 1 / picus_law_stiffness(problem, i, row), rest);
    read_start(s, &problem->laws[i], set, s->w + row, P + row);
    s->unknowns += set->count;
  }
}

/* --- Q -------------------------------------------------------------------------------------------------------- */

static double *row_of(const search *s, double *matrix, int i) { return matrix + (size_t)i * (size_t)s->unknowns; }

/* The scaled rows of G, as functions of z. */
static void fill_rows(search *s) {
  size_t n = (size_t)s->problem->size;
  for (int r = 0; r < s->problem->size; r++) {
    const double *G = s->problem->G + (size_t)r * n;
    double *Q = row_of(s, s->Q, r);
    for (int i = 0; i < s->problem->law_count; i++) {
      const law_set *set = &s->sets[i];
      for (int k = 0; k < set->count; k++) {
        if (set->kind != HALF_LINE) {
          Q[set->first + k] = s->d[r] * G[set->row + k] * s->d[set->row + k];
          continue;
        }
        double sum = 0;
        for (int l = 0; l < set->rows; l++) sum += G[set->row + l] * s->d[set->row + l] * set->direction[l];
        Q[set->first] = s->d[r] * sum;
      }
    }
  }
}

/* --- projections ---------------------------------------------------------------------------------------------- */

static void project_cone(const law_set *set, double *z) {
  double mu = set->radius, slip = picus_length(set->count - 1, z + 1);
  if (slip <= mu * z[0]) return;
  double normal = picus_prox_positive((mu * slip + z[0]) / (1 + mu * mu));
  z[0] = normal;
  for (int k = 1; k < set->count; k++) z[k] *= mu * normal / slip;
}

static void project(const law_set *set, double *z) {
  if (set->kind == HALF_LINE) z[0] = picus_prox_positive(z[0]);
  if (set->kind == CONE) project_cone(set, z);
  if (set->kind == BALL) picus_prox_ball(set->count, set->radius, z);
}

/* x := J x with the derivative J of the projection at w; symmetric. */
static void differentiate(const law_set *set, const double *w, double *x) {
  int friction = set->kind == CONE, count = set->count - friction;
  if (set->kind == HALF_LINE && !(w[0] > 0)) x[0] = 0;
  if (set->kind != CONE && set->kind != BALL) return;
  double length = picus_length(count, w + friction), mu = set->radius, normal_change = 0;
  if (length <= (friction ? mu * w[0] : set->radius)) return; /* inside */
  double along = picus_dot(count, w + friction, x + friction) / length, stretch = set->radius / length;
  if (friction) {
    double normal = (mu * length + w[0]) / (1 + mu * mu);
    if (normal <= 0) {
      memset(x, 0, (size_t)set->count * sizeof *x);
      return;
    }
    normal_change = (x[0] + mu * along) / (1 + mu * mu);
    x[0] = normal_change;
    stretch = mu * normal / length;
  }
  for (int k = friction; k < set->count; k++) {
    double n = w[k] / length;
    x[k] = stretch * (x[k] - along * n) + mu * normal_change * n;
  }
}

/* --- the dual ------------------------------------------------------------------------------------------------- */

/* z, F and phi at y; returns phi. */
static double evaluate(search *s, const double *y, double *largest_defect) {
  int m = s->unknowns;
  memset(s->w, 0, (size_t)m * sizeof *s->w);
  for (int r = 0; r < s->rank; r++) picus_add_multiple(m, s->w, y[r], row_of(s, s->Q, r), s->w);
  memcpy(s->z, s->w, (size_t)m * sizeof *s->z);
  for (int i = 0; i < s->problem->law_count; i++) project(&s->sets[i], s->z + s->sets[i].first);
  *largest_defect = 0;
  for (int r = 0; r < s->rank; r++) {
    s->F[r] = picus_dot(m, row_of(s, s->Q, r), s->z) - s->target[r];
    *largest_defect = fmax(*largest_defect, fabs(s->F[r]));
  }
  return picus_dot(m, s->w, s->z) - picus_dot(m, s->z, s->z) / 2 - picus_dot(s->rank, y, s->target);
}

/* H = Q J Q^T + damping at the current w, with more damping if it is singular; step = - H^-1 F. */
static bool find_step(search *s, double damping) {
  int rank = s->rank, m = s->unknowns;
  for (int r = 0; r < rank; r++) {
    double *Y = row_of(s, s->Y, r);
    memcpy(Y, row_of(s, s->Q, r), (size_t)m * sizeof *Y);
    for (int i = 0; i < s->problem->law_count; i++)
      differentiate(&s->sets[i], s->w + s->sets[i].first, Y + s->sets[i].first);
  }
  for (int r = 0; r < rank; r++)
    for (int k = 0; k <= r; k++) {
      double sum = picus_dot(m, row_of(s, s->Q, r), row_of(s, s->Y, k));
      s->H[(size_t)r * (size_t)rank + (size_t)k] = s->H[(size_t)k * (size_t)rank + (size_t)r] = sum;
    }
  double *L = s->Y; /* done with */
  for (double added = 0;; added = damping, damping *= 100) {
    for (int r = 0; r < rank; r++) s->H[(size_t)r * (size_t)(rank + 1)] += damping - added;
    if (picus_cholesky_factor(rank, s->H, L) < 0) break;
    if (damping > 1) return false;
  }
  for (int r = 0; r < rank; r++) s->step[r] = -s->F[r];
  picus_cholesky_solve(rank, L, s->step);
  return true;
}

/* Newton's method on the dual function, whose gradient is F, with a line search. */
static bool find_dual_root(search *s) {
  double scale = 0, defect;
  int rank = s->rank;
  for (int k = 0; k < s->unknowns; k++) scale = fmax(scale, fabs(s->z[k]));
  for (int r = 0; r < rank; r++) s->target[r] = picus_dot(s->unknowns, row_of(s, s->Q, r), s->z);
  memcpy(s->y, s->target, (size_t)rank * sizeof *s->y); /* the root if only Q is binding */
  double phi = evaluate(s, s->y, &defect);
  for (int count = 0; count < MOST_STEPS && defect > 8 * DBL_EPSILON * scale; count++) {
    if (!find_step(s, 1e-2 * fmin(1e-2, defect / scale) + 1e-14)) return false;
    /* Armijo's rule on phi; near the root, where phi no longer resolves the decrease, on the defect */
    double slope = picus_dot(rank, s->F, s->step), length = 1, before = defect;
    bool taken = false;
    for (int k = 0; k < MOST_HALVINGS && !taken; k++, length /= 2) {
      for (int r = 0; r < rank; r++) s->trial[r] = s->y[r] + length * s->step[r];
      double trial = evaluate(s, s->trial, &defect);
      taken = trial <= phi + 1e-4 * length * slope || defect <= before / 2;
      if (!taken) continue;
      phi = trial;
      memcpy(s->y, s->trial, (size_t)rank * sizeof *s->y);
    }
    if (!taken) break;
  }
  (void)evaluate(s, s->y, &defect);
  return defect <= ACCURATE * scale;
}

bool picus_minimum_norm(const picus_contact_problem *problem, double tolerance, picus_solver_memory memory, double *P) {
  search s = {.problem = problem};
  carve(&s, memory);
  picus_scale_factors(problem, s.d);
  picus_scale_balls_alike(problem, s.d);
  list_sets(&s, tolerance, P);
  if (s.unknowns == 0) return true;
  fill_rows(&s);
  s.rank = picus_orthonormal_rows(problem->size, s.unknowns, 64 * DBL_EPSILON * problem->size, s.Q);
  if (!find_dual_root(&s)) return false;
  for (int i = 0; i < problem->law_count; i++) {
    const law_set *set = &s.sets[i];
    const double *z = s.z + set->first;
    for (int k = 0; set->kind != FIXED && k < set->rows; k++)
      P[set->row + k] = s.d[set->row + k] * (set->kind == HALF_LINE ? z[0] * set->direction[k] : z[k]);
  }
  return true;
}
