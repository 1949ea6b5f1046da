/* Rounds of sweeps until the residual is small, or does not fall any more. */
#include "sweep/sweeps.h"
#include "base/elementary.h"

#include <float.h>
#include <string.h>

enum {
  LONGEST_ROUND = 32, /* sweeps between two evaluations of the true residual */
  RATE_KNOWN = 24,    /* sweeps after which the rate is known well */
  NEARLY_THERE = 4,   /* times the sweeps to come are no more than those done */
  EXPENSIVE = 320,    /* sweeps: where the others take more, one more round of sweeps costs little */
  MOST_SHORTENINGS = 3,
  MOST_CAUTION = 4
};

#define WORTH_CONTINUING 0.9  /* the residual must fall by this factor */
#define STALLED 0.06          /* of the mean rate: sweeps that stall recover sooner or later */
#define FIRST_STEPS 1.3       /* of newton, */
#define FIRST_STEPS_LARGE 2.0 /* the same for problems with sparse factors, */
#define STEPS_PER_DIGIT 0.2   /* and in addition, for each digit that is missing */

const picus_limits picus_no_limits = {0};

/* --- work ----------------------------------------------------------------------------------------------------------
 *
 * The work of a sweep and of a factorization. The coefficients are fitted to measured times of gs and newton
 * (bench/README.md, "Profile"): within a factor of 1.5 for 6 to 4000 rows. */

#define NUMBER_SWEPT 0.7   /* for each number of G */
#define LAW_SWEPT 50.0     /* for each law: its own problem, and its share of the mixing */
#define ROW_FACTORED 300.0 /* for each row: assembly, and the other parts of a step; */
#define ROW_ANALYSED 500.0 /* the same with an elimination order, where zeros are skipped */
#define NUMBER_FACTORED 4.0
#define DENSE_CUBE 0.04       /* for the cube of the rows: elimination without zeros */
#define SPARSE_OPERATION 0.75 /* elimination that skips zeros */

static double numbers_of(const picus_contact_problem *problem) {
  const picus_block_matrix *b = picus_contact_pattern(problem);
  double numbers = 0;
  if (!b) return (double)problem->size * problem->size;
  for (int i = 0; i < problem->law_count; i++) {
    int width = 0;
    for (int k = b->row_start[i]; k < b->row_start[i + 1]; k++) width += problem->laws[b->column[k]].dim;
    numbers += (double)width * problem->laws[i].dim;
  }
  return numbers;
}

double picus_sweep_work(const picus_contact_problem *problem) {
  return NUMBER_SWEPT * numbers_of(problem) + LAW_SWEPT * problem->law_count;
}

double picus_factor_work(const picus_contact_problem *problem, double share) {
  const double rows = share * problem->size, dense = DENSE_CUBE * rows * rows * rows + ROW_FACTORED * rows;
  const picus_block_matrix *pattern = picus_contact_pattern(problem);
  if (problem->size <= PICUS_SPARSE_ROWS || !pattern) return dense;
  /* each block as one number, with the mean of the rows of a law */
  const double operations = picus_sparse_operations(problem->law_count, pattern->row_start, pattern->column);
  const double dim = rows / problem->law_count;
  if (operations < 0) return dense;
  return SPARSE_OPERATION * operations * dim * dim * dim + ROW_ANALYSED * rows +
         NUMBER_FACTORED * share * share * numbers_of(problem);
}

/* --- rounds of sweeps ------------------------------------------------------------------------------------------------
 */

/* How a sweep ended. */
typedef enum sweep_end {
  MOVING, /* P still changes */
  SMALL,  /* the change is small relative to P, or has come down to round-off */
  STILL,  /* P has stopped in all its digits */
  SPOILT  /* not finite any more */
} sweep_end;

/* The change of a sweep is a residual too, with r in place of rho, and costs nothing. It is taken relative to P alone:
 * the true residual is relative to the free percussions as well and would let a small P pass with few digits. */
static sweep_end sweep_once(picus_sweeps *x) {
  x->change = x->percussion = 0;
  x->sweep(x);
  x->sweeps++;
  if (!isfinite(x->change)) return SPOILT;
  if (x->change <= DBL_EPSILON * x->percussion) return STILL;
  if (x->residual_suffices && x->residual_per_change > 0) {
    const double least = x->options->tolerance / x->caution;
    return x->sweeps > x->looked_at + 1 && x->change * x->residual_per_change <= least ? SMALL : MOVING;
  }
  return x->change <= fmax(x->options->tolerance * x->percussion, x->rounding) ? SMALL : MOVING;
}

/* Several sweeps; the last two store P before them, and the last is not mixed: the residual of its P is evaluated. */
static sweep_end run_round(picus_sweeps *x, int length) {
  size_t bytes = (size_t)x->problem->size * sizeof *x->P;
  int left = x->options->max_iterations - x->sweeps;
  if (length > left) length = left;
  sweep_end end = MOVING;
  for (int k = length; k > 0 && end == MOVING; k--) {
    if (k == 2) memcpy(x->before_last_two, x->P, bytes);
    if (k == 1 || x->mixing) memcpy(x->before_last, x->P, bytes);
    end = sweep_once(x);
    if (!x->mixing || k == 1 || end != MOVING) continue;
    picus_anderson_mix(x->mixing, x->before_last, x->P);
    picus_contact_project(x->problem, x->P);
  }
  return end;
}

/* From here on: is there progress? */
static void begin_watching(picus_sweeps *x) {
  x->worth_improving = x->best;
  x->improved_at = x->sweeps;
  x->looks = x->stays = 0;
}

/* The true residual of P; keeps P if it is the best so far. */
static double look(picus_sweeps *x) {
  double relative = picus_contact_judge(x->problem, x->P, NULL, NULL, NULL).relative;
  if (relative < x->best) {
    x->best = relative;
    memcpy(x->best_P, x->P, (size_t)x->problem->size * sizeof *x->P);
  }
  if (x->first_at == 0) {
    x->first = relative;
    x->first_at = x->sweeps;
  }
  x->looks++;
  x->previous = x->latest;
  x->previous_sweeps = x->looked_at;
  x->looked_at = x->sweeps;
  x->residual_per_change = x->change > 0 ? relative / x->change : 0;
  x->stays += relative > (1 - 1e-4) * x->latest;
  x->latest = relative;
  if (x->best < (x->limits->gain > 0 ? x->limits->gain : WORTH_CONTINUING) * x->worth_improving) begin_watching(x);
  return relative;
}

/* The sweeps to come, from the rate since the last evaluation and the rate since the first one: sweeps begin fast,
 * stall now and then, and recover. The truth lies between the two, as a rule near their geometric mean. */
static double sweeps_to_come(const picus_sweeps *x) {
  const double all = picus_ln(x->first / x->latest) / (x->sweeps - x->first_at);
  const double last = picus_ln(x->previous / x->latest) / (x->sweeps - x->previous_sweeps);
  return all > 0 ? picus_ln(x->latest / x->options->tolerance) / sqrt(all * fmax(last, all * STALLED)) : INFINITY;
}

/* Rows of the laws that act, as a share: open contacts are no unknowns. */
static double share_of_unknowns(const picus_contact_problem *problem, const double *P) {
  int rows = 0;
  for (int i = 0, row = 0; i < problem->law_count; row += problem->laws[i++].dim)
    if (P[row] != 0 || !picus_normal_rows(problem->laws[i].kind)) rows += problem->laws[i].dim;
  return (double)rows / problem->size;
}

/* The work of the others, in sweeps: each step of newton gains some digits. */
static double work_of_others(const picus_sweeps *x) {
  const double from = x->limits->is_warm ? x->latest : 1;
  const double first = x->problem->size > PICUS_SPARSE_ROWS ? FIRST_STEPS_LARGE : FIRST_STEPS;
  const double steps = first + STEPS_PER_DIGIT * picus_log10(fmax(from / x->options->tolerance, 1));
  return steps * picus_factor_work(x->problem, share_of_unknowns(x->problem, x->P)) / picus_sweep_work(x->problem);
}

/* Whether others will probably solve the problem with less work than the sweeps to come. Sweeps that are almost there,
 * with few to come beside those that are done, may take four times the work of the others: no more, because where
 * contacts creep they can be almost there for a thousand sweeps. */
static bool is_hopeless(picus_sweeps *x) {
  const picus_limits *limits = x->limits;
  const int seen = limits->rate_seen;
  if (seen == 0 || x->sweeps < seen || x->sweeps <= x->previous_sweeps) return false;
  const double to_come = sweeps_to_come(x);
  if (x->others == 0) x->others = work_of_others(x);
  if (NEARLY_THERE * to_come <= x->sweeps && x->sweeps <= NEARLY_THERE * (x->others + seen)) return false;
  if (x->sweeps > x->others + seen) return true;
  x->doubts = to_come > (x->sweeps < RATE_KNOWN ? limits->early : 1) * x->others ? x->doubts + 1 : 0;
  return x->doubts > (x->others > EXPENSIVE); /* one stall does not count where the others are expensive */
}

/* If the sweeps converge linearly with the factor lambda, the limit is P + lambda / (1 - lambda) times the last change
 * (Aitken). Taken if the residual agrees. The products are weighed by 1 / r, which makes them energies. */
static void extrapolate(picus_sweeps *x, double relative) {
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
static bool shorten_steps(picus_sweeps *x, sweep_end end) {
  bool merely_slow = end != SPOILT && 4 * x->stays < x->looks;
  if (merely_slow || x->shortened++ == MOST_SHORTENINGS) return false;
  x->shorten(x);
  memcpy(x->P, x->best_P, (size_t)x->problem->size * sizeof *x->P);
  if (x->mixing) picus_anderson_forget(x->mixing);
  begin_watching(x);
  return true;
}

static void start(picus_sweeps *x, double *memory) {
  const picus_contact_problem *problem = x->problem;
  size_t size = (size_t)problem->size;
  x->best = x->worth_improving = x->latest = INFINITY;
  x->caution = 1;
  x->best_P = memory;
  x->before_last = x->best_P + size;
  x->before_last_two = x->before_last + size;
  for (int k = 0; k < problem->size; k++) {
    x->rounding = fmax(x->rounding, 4 * DBL_EPSILON * fabs(x->step[k] * problem->c[k]));
    if (!isfinite(x->P[k])) x->P[k] = 0;
  }
  if (x->rounding == 0) memset(x->P, 0, size * sizeof *x->P); /* nothing moves: nothing to stop */
  picus_contact_project(problem, x->P);
  memcpy(x->best_P, x->P, size * sizeof *x->P);
}

void picus_sweeps_halve_steps(picus_sweeps *x) {
  for (int k = 0; k < x->problem->size; k++) x->step[k] /= 2;
}

size_t picus_sweeps_need(int size) { return 3 * (size_t)size; }

picus_status picus_sweeps_run(picus_sweeps *x, double *memory, int *iterations) {
  const picus_solver_options *options = x->options;
  bool solved = false;
  start(x, memory);
  for (int length = x->first_round; !solved && x->sweeps < options->max_iterations;) {
    sweep_end end = run_round(x, length);
    double relative = look(x);
    solved = relative <= options->tolerance && (end != MOVING || x->residual_suffices);
    if (solved || end == STILL || is_hopeless(x)) break;
    if (end == SMALL && x->caution < MOST_CAUTION) x->caution *= 2; /* it was not small enough: look later */
    if (end == SPOILT || x->sweeps - x->improved_at > x->patience) {
      if (!shorten_steps(x, end)) break;
    } else if (end == MOVING && !x->mixing)
      extrapolate(x, relative);
    if (length < LONGEST_ROUND) length *= 2;
  }
  if (!solved) memcpy(x->P, x->best_P, (size_t)x->problem->size * sizeof *x->P);
  *iterations += x->sweeps;
  return solved || x->best <= options->tolerance ? PICUS_OK : PICUS_NOT_CONVERGED;
}
