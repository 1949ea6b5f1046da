/* The exact solution for one law; the formulation is in local.h. The scalar equation is solved in the form
 *
 *   h(lambda) = mu P_N(lambda) / |P_T(lambda)| - 1 = 0,
 *
 * almost linear in lambda, as in trust-region methods (More, Sorensen 1983, section 3), by Newton's method inside a
 * bracket, with bisection if Newton leaves it. */
#include "sweep/local.h"

#include "linalg/internal.h"

#include <float.h>

enum { MOST_STEPS = 200, JACOBI_SWEEPS = 12 };

/* --- preparation ---------------------------------------------------------------------------------------------- */

/* A rotation of the axes i, j that makes S_ij vanish (Jacobi). */
static inline void rotate(int m, double *S, double *axes, int i, int j) {
  double off = S[i * m + j];
  if (off == 0) return;
  double tau = (S[j * m + j] - S[i * m + i]) / (2 * off); /* may be infinite: then the axes are already there */
  double t = (tau < 0 ? -1 : 1) / (fabs(tau) + sqrt(1 + tau * tau)), cosine = 1 / sqrt(1 + t * t), sine = t * cosine;
  S[i * m + i] -= t * off;
  S[j * m + j] += t * off;
  S[i * m + j] = S[j * m + i] = 0;
  for (int k = 0; k < m; k++) {
    if (k != i && k != j) {
      double ki = S[k * m + i], kj = S[k * m + j];
      S[k * m + i] = S[i * m + k] = cosine * ki - sine * kj;
      S[k * m + j] = S[j * m + k] = sine * ki + cosine * kj;
    }
    double xi = axes[k * m + i], xj = axes[k * m + j];
    axes[k * m + i] = cosine * xi - sine * xj;
    axes[k * m + j] = sine * xi + cosine * xj;
  }
}

static inline void find_axes(int m, double *S, double *axes, double *stretch) {
  for (int k = 0; k < m * m; k++) axes[k] = 0;
  for (int k = 0; k < m; k++) axes[k * m + k] = 1;
  for (int sweep = 0; sweep < (m < 3 ? 1 : JACOBI_SWEEPS); sweep++) /* one rotation is enough in the plane */
    for (int i = 0; i < m; i++)
      for (int j = i + 1; j < m; j++) rotate(m, S, axes, i, j);
  for (int k = 0; k < m; k++) stretch[k] = S[k * m + k];
}

static inline bool is_symmetric(int dim, const double *block, size_t stride) {
  for (size_t i = 0; i < (size_t)dim; i++)
    for (size_t j = 0; j < i; j++) {
      double size = fabs(block[i * stride + i]) + fabs(block[j * stride + j]);
      if (fabs(block[i * stride + j] - block[j * stride + i]) > 8 * DBL_EPSILON * size) return false;
    }
  return true;
}

/* x := axes^T x, if there are principal axes. Here and below, the number m of friction rows is an argument so that the
 * compiler can make it a constant. */
static inline void to_axes(const picus_local_law *local, int m, double *x) {
  double turned[PICUS_FRICTION_ROWS] = {0};
  if (!local->symmetric || m == 1) return;
  for (int k = 0; k < m; k++)
    for (int l = 0; l < m; l++) turned[l] += local->axes[k * m + l] * x[k];
  for (int k = 0; k < m; k++) x[k] = turned[k];
}

static inline void from_axes(const picus_local_law *local, int m, const double *x, double *turned) {
  if (!local->symmetric || m == 1) {
    for (int k = 0; k < m; k++) turned[k] = x[k];
    return;
  }
  for (int k = 0; k < m; k++) {
    turned[k] = 0;
    for (int l = 0; l < m; l++) turned[k] += local->axes[k * m + l] * x[l];
  }
}

static inline void prepare_sticking(picus_local_law *local, int m) {
  int loose = 0;
  for (int k = 0; k < m; k++) {
    local->compliance[k] = local->stretch[k] == 0 ? 0 : 1 / local->stretch[k];
    loose += local->stretch[k] == 0;
  }
  local->can_jam = local->kind == PICUS_COULOMB && loose > 0 && loose < m;
}

/* S, symmetrized if G_ii is symmetric up to round-off. An eigenvalue at round-off level is 0. */
static inline void prepare_friction(const double *block, size_t stride, size_t normal_rows, size_t m,
                                    picus_local_law *local) {
  double S[PICUS_FRICTION_ROWS * PICUS_FRICTION_ROWS], largest = 0;
  local->symmetric = is_symmetric((int)(normal_rows + m), block, stride);
  /* S = T - v w^T / a: the friction rows with P_N eliminated by xi_N = 0 */
  for (size_t k = 0; k < m; k++) {
    const double *row = block + (k + normal_rows) * stride;
    if (normal_rows) local->coupling[k] = row[0] / local->stiffness;
    for (size_t l = 0; l < m; l++) {
      S[k * m + l] = row[l + normal_rows];
      if (normal_rows) S[k * m + l] -= local->coupling[k] * block[l + 1];
      local->axes[k * m + l] = S[k * m + l];
    }
    largest = fmax(largest, fabs(row[k + normal_rows]));
  }
  for (size_t k = 0; normal_rows && k < m; k++) local->normal_rate[k] = -block[k + 1] / local->stiffness;
  if (!local->symmetric) return;
  /* in the principal axes of S the equation for lambda is a sum of simple fractions */
  for (size_t k = 0; k < m; k++)
    for (size_t l = 0; l < k; l++) S[k * m + l] = S[l * m + k] = (S[k * m + l] + S[l * m + k]) / 2;
  find_axes((int)m, S, local->axes, local->stretch);
  for (size_t k = 0; k < m; k++)
    if (fabs(local->stretch[k]) <= 8 * DBL_EPSILON * largest) local->stretch[k] = 0;
  to_axes(local, (int)m, local->coupling);
  to_axes(local, (int)m, local->normal_rate);
  prepare_sticking(local, (int)m);
}

void picus_local_prepare(const picus_law *law, const double *block, size_t stride, picus_local_law *local) {
  int normal_rows = picus_normal_rows(law->kind);
  *local = (picus_local_law){
      .kind = law->kind, .dim = law->dim, .friction_rows = law->dim - normal_rows, .radius = law->radius};
  for (size_t k = 0, n = (size_t)law->dim; k < n; k++)
    for (size_t l = 0; l < n; l++) local->own[k * n + l] = block[k * stride + l];
  if (normal_rows) local->stiffness = block[0] > DBL_MIN || block[0] < -DBL_MIN ? block[0] : 0;
  if (!local->friction_rows || (normal_rows && local->stiffness == 0)) return;
  if (law->kind == PICUS_COULOMB && law->dim == 3) /* the usual spatial contact, with constant loops */
    prepare_friction(block, stride, 1, 2, local);
  else
    prepare_friction(block, stride, (size_t)normal_rows, (size_t)local->friction_rows, local);
  local->rate = picus_length(local->friction_rows, local->normal_rate);
}

/* --- the scalar equation -------------------------------------------------------------------------------------- */

/* Friction in a ball of radius mu n, n = n0 + rate . p; for a reservoir n = 1. */
typedef struct ball {
  const picus_local_law *local;
  double s[PICUS_FRICTION_ROWS];
  double n0;
  double p[PICUS_FRICTION_ROWS], change[PICUS_FRICTION_ROWS]; /* p and dp/dlambda, along the axes */
  double n, length;                                           /* of p */
} ball;

/* x = (S + lambda)^-1 b in the general case. */
static bool solve_shifted(const picus_local_law *local, double lambda, const double *b, double sign, double *x) {
  int m = local->friction_rows;
  double A[PICUS_FRICTION_ROWS * PICUS_FRICTION_ROWS] = {0};
  int pivots[PICUS_FRICTION_ROWS] = {0};
  for (int k = 0; k < m * m; k++) A[k] = local->axes[k];
  for (int k = 0; k < m; k++) {
    A[k * m + k] += lambda;
    x[k] = sign * b[k];
  }
  if (!picus_lu_factor(m, A, pivots)) return false;
  picus_lu_solve(m, A, pivots, x);
  return true;
}

/* p, its change, n and |p| at lambda. false: p is not bounded there. A row on which friction does not act and which
 * does not move either needs no friction. */
static inline bool evaluate(ball *x, int m, double lambda) {
  const picus_local_law *local = x->local;
  if (local->symmetric) {
    for (int k = 0; k < m; k++) {
      double stiffness = local->stretch[k] + lambda;
      if (stiffness == 0 && x->s[k] != 0) return false;
      double inverse = stiffness == 0 ? 0 : 1 / stiffness;
      x->p[k] = -x->s[k] * inverse;
      x->change[k] = -x->p[k] * inverse;
    }
  } else if (!solve_shifted(local, lambda, x->s, -1, x->p) || !solve_shifted(local, lambda, x->p, -1, x->change))
    return false;
  x->n = x->n0 + picus_dot(m, local->normal_rate, x->p);
  x->length = picus_length(m, x->p);
  return isfinite(x->length);
}

/* Bounds of the root from |s| / (largest stretch + lambda) <= |p| <= |s| / (smallest stretch + lambda) and from
 * mu n0 / (1 + mu |rate|) <= |p| <= mu n0 / (1 - mu |rate|), the latter if mu |rate| < 1. */
static inline void bracket(const ball *x, int m, double *low, double *high) {
  const picus_local_law *local = x->local;
  double smallest = INFINITY, largest = -INFINITY, mu = local->radius;
  for (int k = 0; k < m; k++) {
    smallest = fmin(smallest, local->stretch[k]);
    largest = fmax(largest, local->stretch[k]);
  }
  if (!local->symmetric) {
    largest = 0;
    for (int k = 0; k < m * m; k++) largest += fabs(local->axes[k]);
    smallest = -largest;
  }
  double rate = local->rate, s = picus_length(m, x->s);
  double slack = 1 + 64 * DBL_EPSILON; /* the bounds are meant for exact numbers */
  *high = (s / (mu * x->n0) + s * rate / x->n0) * slack - (local->symmetric ? smallest / slack : smallest);
  *low = (s / (mu * x->n0) - s * rate / x->n0) / slack - largest * slack;
  *low = fmax(*low, local->symmetric ? -smallest : 0);
  *low = fmax(*low, 0);
  if (!(*high > *low)) *high = *low + fmax(fabs(*low), fabs(largest));
}

/* Newton inside the bracket; p at the root is left in x. */
static inline double find_root(ball *x, int m, double start) {
  const picus_local_law *local = x->local;
  double low, high, mu = local->radius;
  bracket(x, m, &low, &high);
  double lambda = start > low && start < high ? start : low > 0 ? low : 0;
  for (int step = 0; step < MOST_STEPS; step++) {
    double next = -1;
    if (evaluate(x, m, lambda)) {
      double h = mu * (x->n / x->length) - 1;
      if (fabs(h) <= 4 * DBL_EPSILON) break;
      if (h < 0)
        low = lambda;
      else
        high = lambda;
      double length_rate = picus_dot(m, x->p, x->change) / x->length;
      double slope = mu * (picus_dot(m, local->normal_rate, x->change) - x->n / x->length * length_rate) / x->length;
      next = lambda - h / slope;
    }
    if (!(next > low && next < high)) next = low > 0 && high > 4 * low ? sqrt(low * high) : low + (high - low) / 2;
    if (next == lambda || !(next > low && next < high)) break; /* neighbours: no number is nearer */
    lambda = next;
  }
  return lambda;
}

/* A contact can jam if friction does not act in some direction in which it slips: a percussion that changes no velocity
 * is in the cone, and |P_T| = mu P_N has a solution only at infinity. Such a slip is then ignored. */
static inline void unjam(ball *x, int m) {
  const picus_local_law *local = x->local;
  double largest = 0;
  if (!local->can_jam) return;
  for (int k = 0; k < m; k++) largest = fmax(largest, local->stretch[k]);
  if (!evaluate(x, m, DBL_EPSILON * largest) || x->length > local->radius * x->n) return;
  for (int k = 0; k < m; k++)
    if (local->stretch[k] == 0) x->s[k] = 0;
}

/* p and n at lambda = 0 along principal axes, without divisions and roots. false: friction beyond its ball. */
static inline bool sticks(ball *x, int m) {
  const picus_local_law *local = x->local;
  double square = 0;
  for (int k = 0; k < m; k++) {
    if (local->stretch[k] == 0 && x->s[k] != 0) return false;
    x->p[k] = -x->s[k] * local->compliance[k];
    square += x->p[k] * x->p[k];
  }
  x->n = x->n0 + picus_dot(m, local->normal_rate, x->p);
  double radius = local->radius * x->n;
  if (square > 1e-280 && square < 1e280) return radius >= 0 && square <= radius * radius;
  return picus_length(m, x->p) <= radius;
}

/* P_T of a ball, sticking if it can. */
static inline void solve_ball(picus_local_law *local, int m, ball *x) {
  double mu = local->radius;
  unjam(x, m);
  if (local->symmetric ? sticks(x, m) : evaluate(x, m, 0) && x->length <= mu * x->n) {
    local->lambda = 0;
    return;
  }
  if (!(mu > 0 && x->n0 > 0)) {
    for (int k = 0; k < m; k++) x->p[k] = 0;
    x->n = x->n0;
    return;
  }
  local->lambda = find_root(x, m, local->lambda);
}

/* Round-off of s must not appear as a slip that nothing resists. */
static inline void forget_rounding(const picus_local_law *local, int m, double size, double *s) {
  for (int k = 0; k < m; k++)
    if (local->symmetric && local->stretch[k] == 0 && fabs(s[k]) <= 16 * DBL_EPSILON * size) s[k] = 0;
}

static inline void solve_contact(picus_local_law *local, int m, const double *b, double *P) {
  ball x = {.local = local, .n0 = -b[0] / local->stiffness};
  double size = 0;
  for (int k = 0; k < m; k++) {
    x.s[k] = b[k + 1];
    size += fabs(b[k + 1]) + fabs(local->coupling[k] * b[0]);
  }
  to_axes(local, m, x.s);
  for (int k = 0; k < m; k++) x.s[k] -= local->coupling[k] * b[0];
  forget_rounding(local, m, size, x.s);
  solve_ball(local, m, &x);
  double mu = local->radius;
  P[0] = local->lambda > 0 && mu * local->rate > 1 ? x.length / mu : x.n; /* the one with less cancellation */
  P[0] = picus_prox_positive(P[0]);
  from_axes(local, m, x.p, P + 1);
  if (local->lambda > 0) picus_prox_ball(m, mu * P[0], P + 1);
}

static inline void solve_reservoir(picus_local_law *local, int m, const double *b, double *P) {
  ball x = {.local = local, .n0 = 1};
  double size = 0;
  for (int k = 0; k < m; k++) {
    x.s[k] = b[k];
    size += fabs(b[k]);
  }
  to_axes(local, m, x.s);
  forget_rounding(local, m, size, x.s);
  solve_ball(local, m, &x);
  from_axes(local, m, x.p, P);
  if (local->lambda > 0) picus_prox_ball(m, local->radius, P);
}

void picus_local_solve(picus_local_law *local, const double *b, double *P) {
  bool acts = local->stiffness > 0;
  for (int k = 0; k < local->dim; k++) P[k] = 0;
  switch (local->kind) {
  case PICUS_BILATERAL:
    if (local->stiffness != 0) P[0] = -b[0] / local->stiffness;
    break;
  case PICUS_UNILATERAL:
    if (acts && b[0] < 0) P[0] = -b[0] / local->stiffness;
    break;
  case PICUS_COULOMB:
    if (!acts || b[0] >= 0) break;
    if (local->friction_rows == 2) /* the usual spatial contact, with constant loops */
      solve_contact(local, 2, b, P);
    else
      solve_contact(local, local->friction_rows, b, P);
    break;
  case PICUS_RESERVOIR:
  case PICUS_ROLLING: /* with the radius that the caller has set */
    solve_reservoir(local, local->friction_rows, b, P);
    break;
  }
}
