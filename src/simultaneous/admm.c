/* Solver "admm": operator splitting.
 *
 * With De Saxce's correction a Coulomb law is a complementarity between cones,
 *   K 3 p  _|_  x + mu |x_F| e_N  in K*,
 * and with the correction held fixed the problem is  min p^T G' p / 2 + q^T p  over p in the sets of the laws (Acary,
 * Cadoux, Lemarechal, Malick 2011). The splitting (Boyd et al. 2011, section 3; as Douglas-Rachford also for a G that
 * is not symmetric) alternates a linear solve with  G' + rho 1,  whose factors stay while rho stays, and the projection
 * of every law alone: (G' + rho) p = rho (z - w) - c' - correction,   z = proj(p + w),   w += p - z. Then  -rho w  is
 * the corrected velocity, and its friction rows give the next correction.
 *
 * Redundant contacts give G' small eigenvalues lambda, along which an error shrinks by rho / (rho + lambda): so rho
 * starts small, and balancing makes it larger where percussions and sets do not agree. Steps are not over-relaxed: the
 * correction moves with the iterates, and longer steps let it swing, so that the iterations of hard problems become a
 * matter of chance. */
#include "simultaneous/coupled.h"

#include <string.h>

#define FIRST_RHO 0.01 /* G' has blocks with a mean diagonal of 1 */
#define SMALLEST_RHO 1e-6
#define LARGEST_RHO 1e6
#define IMBALANCE 5.0     /* of the two residuals, beyond which rho is changed */
#define LARGEST_START 1e6 /* scaled initial percussions beyond this are meaningless */

enum {
  VECTORS = 6,
  FIRST_ROUND = 2,         /* iterations before the first residual; twice as many before each further one, */
  BALANCED_ROUND = 8,      /* from here on rho is balanced, */
  LONGEST_ROUND = 16,      /* up to this */
  MOST_FACTORIZATIONS = 30 /* then rho stays */
};

typedef struct splitting {
  const picus_solver_options *options;
  picus_scaled_problem scaled;
  picus_coupled_system system;
  double *c;          /* c' */
  double *p, *z, *w;  /* percussions of the linear solve and of the projections; scaled multipliers */
  double *projection; /* of the arguments of an iteration */
  double *best_z;
  double rho, best;
  double distance, change; /* largest |p - z|, largest rho |z - z_old| of an iteration */
  int iterations, factorizations;
} splitting;

static picus_memory_need admm_need(int law_count, int size) {
  picus_memory_need scaled = picus_scaled_need(law_count, size), system = picus_coupled_need(law_count, size);
  return (picus_memory_need){.doubles = scaled.doubles + system.doubles + VECTORS * (size_t)size,
                             .ints = scaled.ints + system.ints};
}

static bool factor(splitting *s) {
  const picus_contact_problem *problem = s->scaled.problem;
  for (int i = 0; i < problem->law_count; i++)
    for (int k = 0; k < problem->laws[i].dim; k++)
      for (int l = 0; l < problem->laws[i].dim; l++) {
        s->system.B[i][k][l] = k == l;
        s->system.C[i][k][l] = k == l ? s->rho : 0;
        s->system.B_N[i][k] = s->system.C_N[i][k] = 0;
      }
  s->factorizations++;
  return picus_coupled_factor(&s->system);
}

/* Euclidean projection on the friction cone |p_F| <= mu p_N. */
static void project_on_cone(int dim, double mu, double *p) {
  double friction = picus_length(dim - 1, p + 1);
  if (friction <= mu * p[0]) return;
  double along = mu <= 1 ? (p[0] + mu * friction) / (1 + mu * mu) : (p[0] / mu + friction) / (mu + 1 / mu);
  double normal = along > 0 ? along : 0;
  for (int k = 1; k < dim; k++) p[k] = friction > 0 ? mu * normal * (p[k] / friction) : 0;
  p[0] = normal;
}

/* p: of all rows, from those of the law on. The cones of a contact and of its rolling law share p_N: they are projected
 * together. */
static void project_law(const splitting *s, int law, double *p) {
  const picus_law *l = &s->scaled.problem->laws[law];
  double radius = picus_scaled_radius(&s->scaled, law);
  if (picus_law_is_rolled(s->scaled.problem, law)) {
    picus_cone_ball balls[2] = {{l[1].dim, picus_scaled_radius(&s->scaled, law + 1), p + l->dim},
                                {l->dim - 1, radius, p + 1}};
    picus_prox_cone(p, l->kind == PICUS_COULOMB ? 2 : 1, balls);
    return;
  }
  switch (l->kind) {
  case PICUS_BILATERAL:
    break;
  case PICUS_UNILATERAL:
    p[0] = picus_prox_positive(p[0]);
    break;
  case PICUS_COULOMB:
    project_on_cone(l->dim, radius, p);
    break;
  case PICUS_RESERVOIR:
    picus_prox_ball(l->dim, radius, p);
    break;
  case PICUS_ROLLING: /* done with its contact */
    break;
  }
}

/* The normal row that the ball of a law grows with; -1: there is none. */
static int normal_of_ball(const splitting *s, int law) {
  if (s->scaled.problem->laws[law].kind == PICUS_COULOMB) return s->scaled.first_row[law];
  return s->scaled.problem->laws[law].kind == PICUS_ROLLING ? s->scaled.first_row[law - 1] : -1;
}

/* p := (G' + rho)^-1 (rho (z - w) - c' - mu |x_F| e_N),  x_F = -rho w_F. */
static void solve_linear(splitting *s) {
  const picus_contact_problem *problem = s->scaled.problem;
  for (int k = 0; k < problem->size; k++) s->p[k] = s->rho * (s->z[k] - s->w[k]) - s->c[k];
  for (int i = 0; i < problem->law_count; i++) {
    const int row = s->scaled.first_row[i], normal = normal_of_ball(s, i), dim = s->scaled.first_row[i + 1] - row;
    if (normal < 0) continue;
    double slip = s->rho * picus_length(dim - (normal == row), s->w + row + (normal == row));
    s->p[normal] -= picus_scaled_radius(&s->scaled, i) * slip;
  }
  picus_coupled_solve(&s->system, s->p);
}

/* z and w of a law with its argument in w: the projection is already there. */
static void take_projection(splitting *s, int row) {
  const double projection = s->projection[row], argument = s->w[row];
  s->distance = fmax(s->distance, fabs(s->p[row] - projection));
  s->change = fmax(s->change, s->rho * fabs(projection - s->z[row]));
  s->w[row] = argument - projection;
  s->z[row] = projection;
}

static void iterate(splitting *s) {
  const picus_contact_problem *problem = s->scaled.problem;
  s->distance = s->change = 0;
  solve_linear(s);
  for (int row = 0; row < problem->size; row++) {
    s->w[row] += s->p[row];
    s->projection[row] = s->w[row];
  }
  for (int i = 0; i < problem->law_count; i++) project_law(s, i, s->projection + s->scaled.first_row[i]);
  for (int row = 0; row < problem->size; row++) take_projection(s, row);
  s->iterations++;
}

/* The true residual of z; keeps z if it is the best so far. true: solved. */
static bool look(splitting *s) {
  double relative = picus_scaled_judge(&s->scaled, s->z);
  if (relative < s->best) {
    s->best = relative;
    memcpy(s->best_z, s->z, (size_t)s->scaled.problem->size * sizeof *s->z);
  }
  return relative <= s->options->tolerance;
}

/* Residual balancing (He, Yang, Wang 2000): percussions that differ need a larger rho, velocities that still change
 * a smaller one. Each change needs a new factorization, so it must pay off. w keeps the velocity -rho w. */
static bool balance(splitting *s) {
  if (s->factorizations >= MOST_FACTORIZATIONS) return true;
  double ratio = s->distance / s->change;
  if (!(ratio > 0 && ratio <= 1e300) || (ratio < IMBALANCE && ratio > 1 / IMBALANCE)) return true;
  double rho = s->rho * fmin(fmax(sqrt(ratio), 0.1), 10);
  rho = fmin(fmax(rho, SMALLEST_RHO), LARGEST_RHO);
  if (rho == s->rho) return true;
  for (int k = 0; k < s->scaled.problem->size; k++) s->w[k] *= s->rho / rho;
  s->rho = rho;
  return factor(s);
}

/* A warm start is a pair: the velocity belongs to the percussion, corrected for De Saxce's cones. */
static void start_from(splitting *s, const double *P) {
  const picus_contact_problem *problem = s->scaled.problem;
  picus_scaled_from(&s->scaled, P, s->z);
  for (int k = 0; k < problem->size; k++)
    if (!(fabs(s->z[k]) < LARGEST_START)) s->z[k] = 0;
  memset(s->w, 0, (size_t)problem->size * sizeof *s->w);
  picus_scaled_velocity(&s->scaled, s->w, s->c);
  bool cold = true;
  for (int i = 0; i < problem->law_count; i++) project_law(s, i, s->z + s->scaled.first_row[i]);
  for (int k = 0; k < problem->size && cold; k++) cold = s->z[k] == 0;
  memcpy(s->best_z, s->z, (size_t)problem->size * sizeof *s->z);
  if (cold) return;
  picus_scaled_velocity(&s->scaled, s->z, s->w);
  for (int i = 0; i < problem->law_count; i++) {
    const int row = s->scaled.first_row[i], normal = normal_of_ball(s, i), dim = problem->laws[i].dim;
    if (normal >= 0)
      s->w[normal] +=
          picus_scaled_radius(&s->scaled, i) * picus_length(dim - (normal == row), s->w + row + (normal == row));
  }
  for (int k = 0; k < problem->size; k++) s->w[k] /= -s->rho;
}

static void prepare(splitting *s, const picus_solver_options *options, const picus_contact_problem *problem,
                    picus_solver_memory memory, const double *P) {
  *s = (splitting){.options = options, .best = INFINITY, .rho = FIRST_RHO};
  picus_scaled_prepare(&s->scaled, problem, &memory);
  picus_coupled_prepare(&s->system, &s->scaled, &memory);
  double **const vectors[VECTORS] = {&s->c, &s->p, &s->z, &s->w, &s->projection, &s->best_z};
  for (int k = 0; k < VECTORS; k++) {
    *vectors[k] = memory.doubles;
    memory.doubles += problem->size;
  }
  start_from(s, P);
}

static picus_status admm_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                               picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  splitting s;
  (void)modes;
  prepare(&s, options, problem, memory, P);
  bool solved = look(&s), usable = solved || factor(&s);
  for (int round = FIRST_ROUND; !solved && usable && s.iterations < options->max_iterations;) {
    for (int k = 0; k < round && s.iterations < options->max_iterations; k++) iterate(&s);
    if (!(s.distance + s.change < INFINITY)) break;
    solved = look(&s);
    usable = solved || round < BALANCED_ROUND || balance(&s);
    if (round < LONGEST_ROUND) round *= 2;
  }
  picus_scaled_to(&s.scaled, s.best_z, P);
  *iterations += s.iterations;
  return solved ? PICUS_OK : PICUS_NOT_CONVERGED;
}

const picus_solver_ops picus_admm_solver = {
    .description = {"admm", "operator splitting with one factorization and an adaptive penalty; any law, any G",
                    "Boyd et al. 2011, section 3; Acary, Cadoux, Lemarechal, Malick 2011; He, Yang, Wang 2000"},
    .refusal = NULL,
    .need = admm_need,
    .solve = admm_solve,
};
