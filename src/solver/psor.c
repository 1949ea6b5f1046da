/* Solver "psor": projected Gauss-Seidel with over-relaxation (Studer 2008, eq. 23).
 *
 * A sweep visits the laws in order; in a contact first the normal row, then the friction rows with the radius that the
 * new P_N allows. The step r of a row, or of a block of friction rows, is omega over the largest absolute row sum of
 * its diagonal block of G: a bound on the block's spectrum, and omega / G_ii for a single row. */
#include "solver/internal.h"

#include <float.h>
#include <string.h>

enum {
  FIRST_ROUND = 4,
  LONGEST_ROUND = 32,      /* sweeps between two looks at the true residual */
  STAGNATION_SWEEPS = 500, /* without the residual falling by a tenth */
  MOST_SHORTENINGS = 3
};

typedef struct relaxation {
  const picus_solver_options *options;
  const picus_contact_problem *problem;
  double *P;
  double *step; /* r of each row; 0 where the diagonal block is zero: the law acts on nothing */
  double *best_P, *before_last, *before_last_two; /* the best P so far; P before the last one, two sweeps */
  double change, percussion;                      /* of one sweep: largest |P_new - P_old| and |P_new| of a row */
  double rounding;                                /* of percussions that stop the free motion */
  double best, worth_improving, latest;           /* relative residuals */
  int sweeps, improved_at, shortened;
  int looks, stays; /* since the last progress: residuals seen, and how many did not fall */
} relaxation;

static picus_memory_need psor_need(int law_count, int size) {
  (void)law_count;
  return (picus_memory_need){.doubles = 4 * (size_t)size, .ints = 0};
}

/* The step of dim rows of a law, from the row first on; block: that of the law with itself. */
static double block_step(const double *block, size_t stride, double omega, int first, int dim) {
  double bound = 0;
  for (int k = first; k < first + dim; k++) {
    double sum = 0;
    for (int l = first; l < first + dim; l++) sum += fabs(block[(size_t)k * stride + (size_t)l]);
    if (sum > bound) bound = sum;
  }
  return bound > DBL_MIN ? omega / bound : 0;
}

static void choose_steps(const picus_contact_problem *problem, double omega, double *step) {
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i].dim, i++) {
    const picus_law *law = &problem->laws[i];
    int normal_rows = law->kind == PICUS_RESERVOIR ? 0 : 1;
    size_t stride;
    const double *block = picus_contact_diagonal_block(problem, i, row, &stride);
    if (normal_rows) step[row] = block_step(block, stride, omega, 0, 1);
    int friction_rows = law->dim - normal_rows;
    if (!friction_rows) continue;
    double friction_step = block_step(block, stride, omega, normal_rows, friction_rows);
    for (int k = normal_rows; k < law->dim; k++) step[row + k] = friction_step;
  }
}

static void set_percussion(relaxation *x, int row, double value) {
  double change = fabs(value - x->P[row]), size = fabs(value);
  if (!(change <= x->change)) x->change = change; /* also keeps a NaN */
  if (size > x->percussion) x->percussion = size;
  x->P[row] = value;
}

static void relax_normal(relaxation *x, int law, int row, bool unilateral) {
  double value = 0;
  if (x->step[row] > 0) value = x->P[row] - x->step[row] * picus_contact_row_velocity(x->problem, law, row, 0, x->P);
  set_percussion(x, row, unilateral && value < 0 ? 0 : value);
}

/* Rows of friction that share a ball: those of the law after its normal rows. Where the block of G is zero the friction
 * cannot change its own slip: it opposes it with all it has. */
static void relax_friction(relaxation *x, int law, int first_row, int normal_rows, double radius) {
  int row = first_row + normal_rows, dim = x->problem->laws[law].dim - normal_rows;
  double value[PICUS_LAW_ROWS], length_bound = 0;
  for (int k = 0; k < dim; k++) {
    double xi = picus_contact_row_velocity(x->problem, law, first_row, normal_rows + k, x->P);
    value[k] = x->step[row] > 0 ? x->P[row + k] - x->step[row] * xi : -xi;
    length_bound += fabs(xi);
  }
  if (x->step[row] == 0 && length_bound > 0 && length_bound < DBL_MAX) {
    double length = picus_length(dim, value);
    for (int k = 0; k < dim; k++) value[k] *= radius / length;
  }
  picus_prox_ball(dim, radius, value);
  for (int k = 0; k < dim; k++) set_percussion(x, row + k, value[k]);
}

static void sweep(relaxation *x) {
  x->change = x->percussion = 0;
  for (int i = 0, row = 0; i < x->problem->law_count; row += x->problem->laws[i].dim, i++) {
    const picus_law *law = &x->problem->laws[i];
    switch (law->kind) {
    case PICUS_BILATERAL:
      relax_normal(x, i, row, false);
      break;
    case PICUS_UNILATERAL:
      relax_normal(x, i, row, true);
      break;
    case PICUS_COULOMB:
      relax_normal(x, i, row, true);
      relax_friction(x, i, row, 1, law->radius * x->P[row]);
      break;
    case PICUS_RESERVOIR:
      relax_friction(x, i, row, 0, law->radius);
      break;
    }
  }
}

/* --- convergence ---------------------------------------------------------------------------------------------- */

/* How a sweep ended. */
typedef enum sweep_end {
  MOVING, /* P still changes */
  SMALL,  /* the change is small relative to P, or has come down to rounding */
  STILL,  /* P has stopped in all its digits */
  SPOILT  /* not finite any more */
} sweep_end;

/* The change of a sweep is a residual too, with r in place of rho, and costs nothing. It is taken relative to P alone:
 * the true residual is relative to the free percussions as well and would let a small P pass with few digits. */
static sweep_end sweep_once(relaxation *x) {
  sweep(x);
  x->sweeps++;
  if (!isfinite(x->change)) return SPOILT;
  if (x->change <= DBL_EPSILON * x->percussion) return STILL;
  return x->change <= fmax(x->options->tolerance * x->percussion, x->rounding) ? SMALL : MOVING;
}

/* Several sweeps, of which the last two leave what P was before them. */
static sweep_end run_round(relaxation *x, int length) {
  size_t bytes = (size_t)x->problem->size * sizeof *x->P;
  int left = x->options->max_iterations - x->sweeps;
  if (length > left) length = left;
  sweep_end end = MOVING;
  for (int k = length; k > 0 && end == MOVING; k--) {
    if (k == 2) memcpy(x->before_last_two, x->P, bytes);
    if (k == 1) memcpy(x->before_last, x->P, bytes);
    end = sweep_once(x);
  }
  return end;
}

/* From here on: is there progress? */
static void begin_watching(relaxation *x) {
  x->worth_improving = x->best;
  x->improved_at = x->sweeps;
  x->looks = x->stays = 0;
}

/* The true residual of P; keeps P if it is the best so far. */
static double look(relaxation *x) {
  double relative = picus_contact_judge(x->problem, x->P, NULL, NULL, NULL).relative;
  if (relative < x->best) {
    x->best = relative;
    memcpy(x->best_P, x->P, (size_t)x->problem->size * sizeof *x->P);
  }
  x->looks++;
  x->stays += relative > (1 - 1e-4) * x->latest;
  x->latest = relative;
  if (x->best < 0.9 * x->worth_improving) begin_watching(x);
  return relative;
}

/* Where the sweeps converge linearly with the factor lambda, the limit is P + lambda / (1 - lambda) times the last
 * change (Aitken). Taken if the residual agrees. The products are weighed by 1 / r, which makes them energies. */
static void extrapolate(relaxation *x, double relative) {
  double product = 0, square = 0;
  int size = x->problem->size;
  for (int k = 0; k < size; k++) {
    if (x->step[k] == 0) continue;
    double first = x->before_last[k] - x->before_last_two[k], second = x->P[k] - x->before_last[k];
    product += first * second / x->step[k];
    square += first * first / x->step[k];
  }
  double lambda = square > 0 ? product / square : 0;
  if (!(fabs(lambda) < 0.9999 && fabs(lambda) > 0.1)) return;
  double *limit = x->before_last_two;
  for (int k = 0; k < size; k++) limit[k] = x->P[k] + lambda / (1 - lambda) * (x->P[k] - x->before_last[k]);
  picus_contact_project(x->problem, limit);
  if (picus_contact_judge(x->problem, limit, NULL, NULL, NULL).relative < 0.7 * relative)
    memcpy(x->P, limit, (size_t)size * sizeof *limit);
}

/* Sweeps that go round in a circle, or away, get shorter steps from the best point on; not for ever. Sweeps that are
 * merely slow would get slower. */
static bool shorten_steps(relaxation *x, sweep_end end) {
  bool merely_slow = end != SPOILT && 4 * x->stays < x->looks;
  if (merely_slow || x->shortened++ == MOST_SHORTENINGS) return false;
  for (int k = 0; k < x->problem->size; k++) x->step[k] /= 2;
  memcpy(x->P, x->best_P, (size_t)x->problem->size * sizeof *x->P);
  begin_watching(x);
  return true;
}

static relaxation prepare(const picus_solver_options *options, const picus_contact_problem *problem,
                          picus_solver_memory memory, double *P) {
  size_t size = (size_t)problem->size;
  relaxation x = {.options = options,
                  .problem = problem,
                  .P = P,
                  .best = INFINITY,
                  .worth_improving = INFINITY,
                  .latest = INFINITY};
  x.step = memory.doubles;
  x.best_P = x.step + size;
  x.before_last = x.best_P + size;
  x.before_last_two = x.before_last + size;
  choose_steps(problem, options->relaxation, x.step);
  for (int k = 0; k < problem->size; k++) {
    x.rounding = fmax(x.rounding, 4 * DBL_EPSILON * fabs(x.step[k] * problem->c[k]));
    if (!isfinite(P[k])) P[k] = 0;
  }
  if (x.rounding == 0) memset(P, 0, size * sizeof *P); /* nothing moves: nothing to stop */
  picus_contact_project(problem, P);
  memcpy(x.best_P, P, size * sizeof *P);
  return x;
}

static picus_status psor_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                               picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  relaxation x = prepare(options, problem, memory, P);
  bool solved = false;
  (void)modes;
  for (int length = FIRST_ROUND; !solved && x.sweeps < options->max_iterations;) {
    sweep_end end = run_round(&x, length);
    double relative = look(&x);
    solved = relative <= options->tolerance && end != MOVING;
    if (solved || end == STILL) break;
    if (end == SPOILT || x.sweeps - x.improved_at > STAGNATION_SWEEPS) {
      if (!shorten_steps(&x, end)) break;
    } else if (end == MOVING)
      extrapolate(&x, relative);
    if (length < LONGEST_ROUND) length *= 2;
  }
  if (!solved) memcpy(P, x.best_P, (size_t)problem->size * sizeof *P);
  *iterations += x.sweeps;
  return solved || x.best <= options->tolerance ? PICUS_OK : PICUS_NOT_CONVERGED;
}

const picus_solver_ops picus_psor_solver = {
    .description = {"psor", "projected Gauss-Seidel with over-relaxation; any law, any number of contacts",
                    "Studer, Leine, Glocker 2008, section 3, eq. (23)"},
    .refusal = NULL,
    .need = psor_need,
    .solve = psor_solve,
};
