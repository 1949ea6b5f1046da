/* Solvers "newton" and "newton-jm": semismooth Newton on the projection equations of all laws at once.
 *
 * Unknowns are the percussions scaled to energies, equations are P = prox(P - r xi), and a step solves the linear
 * equations of the branches that the arguments select (newton_step.c). Redundant contacts make these singular, which is
 * the normal case: a small multiple of the identity is added to G. Among the solutions of singular equations this
 * selects the nearest one, up to an error that the next step removes (a step of the proximal point method).
 *
 * Full steps find the right branches faster than damped ones, but may cycle. So a round starts with full steps, then
 * shortens them by a larger multiple of the identity (many contacts on few bodies), and then uses a nonmonotone line
 * search (Grippo, Lampariello, Lucidi 1986). The next round starts after some sweeps of a solver that always makes some
 * progress. */
#include "simultaneous/newton.h"

#include "simultaneous/coupled.h"

#include <float.h>
#include <string.h>

#define LEAST_REGULARIZATION 1e-10 /* of scaled G, whose diagonal is 1 */
#define SLOW 1e-4                  /* share of the merit that a step on known branches leaves if it was a poor one */
#define TO_SPARE 1e-3              /* of the tolerance: digits that the next problem of a system at rest needs */
#define AT_MOST 4                  /* times what old factors will probably leave */
#define STILL 0.8                  /* the same if the equations have no solution: then it was not the reason */
#define SUFFICIENT_DECREASE 1e-4   /* of the merit, per step length */
#define NEAR_ROUNDING 4            /* times round-off: the reason if steps make no progress */
#define NEARLY 1e-6                /* a residual at which steps stall because a few laws flip to and fro */
#define GAIN 0.1                   /* of the residual, for which further steps are granted if other solvers follow */
#define LOST 0.25                  /* share of the laws that still change their branch: it leads nowhere */
#define SETTLED 0.02               /* the same: it converges; */
#define UNSETTLED 0.12             /* the same: it does not yet */
#define FEWER 0.75                 /* times the changes before: hardly fewer */
#define ASTRAY 0.115               /* share of the laws whose branch may change after the first step there */
#define WORTH_ASKING 1e-9          /* a residual above this is never due to round-off alone */

enum {
  GLL_WINDOW = 5, /* a damped step has to be better than the worst of so many */
  MOST_HALVINGS = 8,
  MOST_STEPS = 400,
  NEAR_PATIENCE = 2, /* steps that stall, in that case: the next kind mostly gets across */
  ROUNDS = 5,
  FIRST_SWEEPS = 12,        /* before the first round of a cold start; four times as many before each further round */
  FIRST_SWEEPS_SPARSE = 40, /* the same for large problems, whose steps cost more sweeps */
  MOST_UNSETTLED = 2,       /* steps */
  HALVED = 3,               /* times: what may change where a path is short */
  OPENING_STEPS = 64,       /* at most, if other solvers follow */
  STEPS_BEFORE_A_PATH = 3   /* without gain, where it is short: homotopy takes eight factorizations or so there */
};

typedef struct point {
  double *P, *xi;
  double relative, merit;
} point;

/* If other solvers follow, newton ends as soon as it seems to lead nowhere. */
typedef struct opening {
  bool is_one;
  double start;       /* merit there */
  double gained;      /* the best residual from which on steps are counted */
  int gained_at;      /* in steps */
  int most_without;   /* steps without gain */
  int unsettled;      /* steps since then after which as many branches change as before */
  bool path_is_short; /* homotopy follows, and will take ten steps or so */
} opening;

typedef struct search {
  const picus_solver_options *options;
  const picus_contact_problem *problem;
  picus_newton_form form;
  picus_newton_scale *scales;
  picus_newton_system system;
  picus_solver_memory sweep_memory;
  point now, trial, best;
  double *z; /* unknowns of the step */
  int steps, most_steps, sweeps;
  opening opening;
  bool factored;               /* the equations of the present branches are */
  int changes, changes_before; /* laws whose branch the last linearization changed, and the one before it */
} search;

static const picus_solver_ops *const sweeper = &picus_gs_solver;

static size_t doubles_for(size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }

static picus_memory_need newton_need(int law_count, int size) {
  size_t laws = (size_t)law_count, n = (size_t)size, dense = picus_newton_dense_order(size);
  picus_memory_need sweeps = sweeper->need(law_count, size);
  return (picus_memory_need){.doubles = 7 * n + doubles_for(laws * sizeof(picus_newton_scale)) +
                                        doubles_for(laws * sizeof(picus_law_step)) + dense * dense + sweeps.doubles,
                             .ints = laws + 1 + dense + sweeps.ints};
}

static picus_newton_scale scale_of_law(const picus_contact_problem *problem, int law, int first_row) {
  size_t stride;
  double own[PICUS_OWN_BLOCK] = {0};
  const double *block = picus_operator_of(problem)->own_block(problem, law, first_row, own, &stride);
  int normal_rows = picus_normal_rows(problem->laws[law].kind);
  double stiffness = picus_law_stiffness(problem, law, first_row), friction = 0;
  for (int k = normal_rows; k < problem->laws[law].dim; k++)
    friction = fmax(friction, fabs(block[(size_t)k * (stride + 1)]));
  double normal = normal_rows ? fabs(block[0]) : 0;
  return (picus_newton_scale){.s = 1 / sqrt(stiffness),
                              .normal_r = normal > DBL_EPSILON * stiffness ? stiffness / normal : 1,
                              .friction_r = friction > DBL_EPSILON * stiffness ? stiffness / friction : 1};
}

static double *take(double **next, size_t count) {
  double *taken = *next;
  *next += count;
  return taken;
}

/* Divides the memory among the points of the search, the system of a step, and the sweeps that may follow it. */
static search prepare(const picus_solver_options *options, const picus_contact_problem *problem, picus_newton_form form,
                      picus_solver_memory memory) {
  size_t n = (size_t)problem->size, laws = (size_t)problem->law_count, dense = picus_newton_dense_order(problem->size);
  double *next = memory.doubles;
  search x = {.options = options, .problem = problem, .form = form};
  x.now.P = take(&next, n);
  x.now.xi = take(&next, n);
  x.trial.P = take(&next, n);
  x.trial.xi = take(&next, n);
  x.best.P = take(&next, n);
  x.best.xi = take(&next, n);
  x.z = take(&next, n);
  x.scales = (picus_newton_scale *)(void *)take(&next, doubles_for(laws * sizeof(picus_newton_scale)));
  x.system.steps = (picus_law_step *)(void *)take(&next, doubles_for(laws * sizeof(picus_law_step)));
  x.system.dense = take(&next, dense * dense);
  x.system.problem = problem;
  x.system.sparse = memory.reduced;
  x.system.blocks = memory.blocks;
  x.system.scales = x.scales;
  x.system.first_row = memory.ints;
  x.system.pivots = memory.ints + laws + 1;
  x.sweep_memory = (picus_solver_memory){.doubles = next, .ints = x.system.pivots + dense, .limits = &picus_no_limits};
  picus_contact_first_rows(problem, memory.ints);
  for (int i = 0; i < problem->law_count; i++) {
    x.scales[i] = scale_of_law(problem, i, x.system.first_row[i]);
    x.system.steps[i].unknowns = -1; /* no branch yet */
  }
  x.most_steps = options->max_iterations < MOST_STEPS ? options->max_iterations : MOST_STEPS;
  return x;
}

/* --- points --------------------------------------------------------------------------------------------------- */

/* The rows of a law in scaled variables. */
static void scaled_rows(const search *x, const point *at, int law, double *p, double *xi) {
  int row = x->system.first_row[law];
  double s = x->scales[law].s;
  for (int k = 0; k < x->problem->laws[law].dim; k++) {
    p[k] = at->P[row + k] / s;
    xi[k] = at->xi[row + k] * s;
  }
}

/* How the contact of a rolling law looks to it at a point. */
static picus_newton_contact contact_of(const search *x, const point *at, int law) {
  double p[PICUS_LAW_ROWS] = {0}, xi[PICUS_LAW_ROWS] = {0};
  const double slope = x->problem->laws[law].radius * x->scales[law - 1].s / x->scales[law].s;
  scaled_rows(x, at, law - 1, p, xi);
  const double argument = picus_newton_normal_argument(x->scales[law - 1], p, xi);
  return (picus_newton_contact){.argument = slope * picus_prox_positive(argument),
                                .normal = slope * p[0],
                                .slope = slope,
                                .closed = argument > 0};
}

static double rolling_radius(const search *x, const picus_newton_contact *contact) {
  return x->form == PICUS_ALART_CURNIER ? contact->argument : picus_prox_positive(contact->normal);
}

static void copy_point(const search *x, const point *from, point *to) {
  size_t bytes = (size_t)x->problem->size * sizeof *from->P;
  memcpy(to->P, from->P, bytes);
  memcpy(to->xi, from->xi, bytes);
  to->relative = from->relative;
  to->merit = from->merit;
}

static void judge(const search *x, point *at) {
  at->relative = picus_contact_judge(x->problem, at->P, at->xi, NULL, NULL).relative;
}

/* xi, residual and merit of at->P; keeps the best point. A candidate solution is checked as it will be returned, in the
 * sets of its laws. */
static void evaluate(search *x, point *at) {
  double p[PICUS_LAW_ROWS], xi[PICUS_LAW_ROWS];
  at->merit = INFINITY;
  judge(x, at);
  if (at->relative <= x->options->tolerance) {
    picus_contact_project(x->problem, at->P);
    judge(x, at);
  }
  if (!isfinite(at->relative)) return;
  at->merit = 0;
  for (int i = 0; i < x->problem->law_count; i++) {
    scaled_rows(x, at, i, p, xi);
    if (x->problem->laws[i].kind == PICUS_ROLLING) {
      const picus_newton_contact contact = contact_of(x, at, i);
      at->merit +=
          picus_newton_rolling_defect(x->problem->laws[i].dim, rolling_radius(x, &contact), x->scales[i], p, xi);
      continue;
    }
    at->merit += picus_newton_defect(&x->problem->laws[i], x->form, x->scales[i], p, xi);
  }
  if (at->relative < x->best.relative) copy_point(x, at, &x->best);
}

/* --- one step ------------------------------------------------------------------------------------------------- */

/* The equations of the branches that `now` chooses. Returns whether they are the branches of the last time. */
static bool linearize(search *x) {
  double p[PICUS_LAW_ROWS], xi[PICUS_LAW_ROWS];
  x->changes_before = x->changes;
  x->changes = 0;
  for (int i = 0; i < x->problem->law_count; i++) {
    scaled_rows(x, &x->now, i, p, xi);
    picus_law_step *step = &x->system.steps[i];
    const int unknowns = step->unknowns;
    if (x->problem->laws[i].kind == PICUS_ROLLING) {
      const picus_newton_contact contact = contact_of(x, &x->now, i);
      picus_newton_linearize_rolling(x->problem->laws[i].dim, rolling_radius(x, &contact), &contact, x->scales[i], p,
                                     xi, step);
    } else
      picus_newton_linearize(&x->problem->laws[i], x->form, x->scales[i], p, xi, step);
    x->changes += unknowns != step->unknowns;
  }
  if (x->changes > 0) x->factored = false;
  return x->changes == 0;
}

/* trial P = P + s (known + E z). */
static void place_trial(search *x) {
  for (int i = 0; i < x->problem->law_count; i++) {
    const picus_law_step *step = &x->system.steps[i];
    const int row = x->system.first_row[i];
    for (int k = 0; k < x->problem->laws[i].dim; k++)
      x->trial.P[row + k] = x->now.P[row + k] + x->scales[i].s * picus_newton_change(step, k, x->z);
  }
}

/* z = target - B xi at the trial point with z = 0: the right-hand side of the equations. */
static void right_hand_side(search *x) {
  for (int i = 0; i < x->problem->law_count; i++) {
    const picus_law_step *step = &x->system.steps[i];
    const double *xi = x->trial.xi + x->system.first_row[i];
    double s = x->scales[i].s;
    for (int k = step->unknowns; x->system.by_blocks && k < x->problem->laws[i].dim; k++) x->z[step->first + k] = 0;
    for (int k = 0; k < step->unknowns; k++) {
      double velocity = 0;
      if (step->whole)
        velocity = xi[k];
      else
        for (int l = 0; l < x->problem->laws[i].dim; l++) velocity += step->B[k][l] * xi[l];
      x->z[step->first + k] = step->target[k] - s * velocity;
    }
  }
}

/* The full step from now to trial, with factored equations. */
static void take_factored_step(search *x) {
  memset(x->z, 0, (size_t)x->system.unknowns * sizeof *x->z);
  place_trial(x);
  picus_operator_of(x->problem)->multiply(x->problem, x->trial.P, x->trial.xi);
  right_hand_side(x);
  picus_newton_solve(&x->system, x->z);
  place_trial(x);
  evaluate(x, &x->trial);
}

/* Shortens the step until the merit is sufficiently below the reference. false: it does not come there. */
static bool shorten_step(search *x, double reference) {
  double length = 1;
  for (int k = 0; k < MOST_HALVINGS; k++) {
    if (x->trial.merit <= (1 - SUFFICIENT_DECREASE * length) * reference) return true;
    length /= 2;
    for (int r = 0; r < x->problem->size; r++) x->trial.P[r] = (x->now.P[r] + x->trial.P[r]) / 2;
    evaluate(x, &x->trial);
  }
  return false;
}

/* --- rounds --------------------------------------------------------------------------------------------------- */

static bool is_solved(const search *x) { return x->best.relative <= x->options->tolerance; }

/* Whether the best residual is at most this many times round-off. */
static bool is_rounding(const search *x, double times) {
  return x->best.relative <= WORTH_ASKING &&
         x->best.relative <= times * picus_contact_rounding_floor(x->problem, x->best.P);
}

static bool is_done(const search *x) { return is_solved(x) || is_rounding(x, 1); }

/* A kind of step. */
typedef struct stepping {
  double regularization;
  bool damped;
  int patience; /* steps without halving the defect before the next kind is tried */
} stepping;

static void look_for_gain(search *x) {
  opening *o = &x->opening;
  const bool settled = x->steps > 0 && x->changes <= SETTLED * x->problem->law_count;
  const bool less = x->best.relative < GAIN * o->gained;
  if (less) o->gained = x->best.relative;
  if (!less && !(settled && x->now.merit < GAIN * x->trial.merit)) return; /* trial: where the last step came from */
  o->gained_at = x->steps;
  o->unsettled = 0;
}

/* Right after a linearization. Steps that converge leave fewer and fewer laws whose branch changes; if many do, no
 * fewer than before, and the merit is worse than at the start, the next steps will be no better. */
static bool leads_nowhere(search *x) {
  opening *o = &x->opening;
  if (!o->is_one) return false;
  look_for_gain(x);
  const bool as_before = x->steps > 1 && x->changes > FEWER * x->changes_before; /* branches that a step changes */
  o->unsettled += as_before && x->changes > UNSETTLED * x->problem->law_count;
  const bool lost = as_before && x->changes > LOST * x->problem->law_count && x->now.merit > o->start;
  const bool waits = x->steps - o->gained_at < o->most_without && o->unsettled < MOST_UNSETTLED;
  /* where a path is short, the branches have to settle from the first step on */
  double most = ASTRAY * x->problem->law_count;
  for (int k = 1; k < x->steps && k < HALVED; k++) most /= 2;
  const bool astray = o->path_is_short && x->steps > 0 && x->steps > o->gained_at && x->changes > most;
  if (!lost && waits && !astray) return false;
  x->most_steps = x->steps;
  return true;
}

/* Whether the factors of the last step lead to the solution as well. It kept all branches; what it left is due to the
 * change of the equations on its way, and of that the old factors leave the same share again, at most twice as much.
 * trial: where the last step came from. */
static bool factors_suffice(const search *x, bool same_branches) {
  if (!same_branches || !x->factored || x->steps < 2) return false;
  return AT_MOST * x->now.relative * x->now.relative <= x->options->tolerance * x->trial.relative;
}

/* Newton steps from `now` until done, no progress, or no steps left. */
static void run_steps(search *x, stepping kind) {
  double window[GLL_WINDOW], lowest = x->now.merit, regularization = kind.regularization;
  for (int k = 0; k < GLL_WINDOW; k++) window[k] = x->now.merit;
  for (int waited = 0; waited < kind.patience && x->steps < x->most_steps; waited++) {
    if (x->best.relative < NEARLY && waited >= NEAR_PATIENCE) return;
    bool same_branches = linearize(x);
    if (leads_nowhere(x)) return;
    x->steps++;
    if (!factors_suffice(x, same_branches)) x->factored = picus_newton_factor(&x->system, regularization);
    if (!x->factored) return;
    take_factored_step(x);
    if (!isfinite(x->trial.merit)) return;
    double worst = 0;
    for (int k = 0; k < GLL_WINDOW; k++) worst = fmax(worst, window[k]);
    if (kind.damped && !shorten_step(x, worst)) return;
    const point before = x->now;
    x->now = x->trial;
    x->trial = before;
    bool circles = fabs(x->now.merit - window[(x->steps + GLL_WINDOW - 2) % GLL_WINDOW]) <= 1e-9 * x->now.merit;
    window[x->steps % GLL_WINDOW] = x->now.merit;
    if (is_done(x) || circles) return;
    bool slow = x->now.merit > SLOW * x->trial.merit && x->now.merit < STILL * x->trial.merit;
    if (same_branches && slow) /* too much for almost singular equations */
      regularization = fmax(regularization * 1e-2, LEAST_REGULARIZATION);
    if (x->now.merit < 0.25 * lowest) {
      lowest = x->now.merit;
      waited = -1;
    }
  }
}

static void sweep_from_best(search *x, int count) {
  picus_solver_options options = *x->options;
  if (count < options.max_iterations) options.max_iterations = count;
  memcpy(x->now.P, x->best.P, (size_t)x->problem->size * sizeof *x->now.P);
  sweeper->solve(&options, x->problem, x->sweep_memory, x->now.P, NULL, &x->sweeps);
  evaluate(x, &x->now);
}

static bool is_cold(int size, const double *P) {
  for (int k = 0; k < size; k++)
    if (P[k] != 0) return false;
  return true;
}

static void start_from(search *x, const double *P) {
  for (int k = 0; k < x->problem->size; k++) x->now.P[k] = isfinite(P[k]) ? P[k] : 0;
  picus_contact_project(x->problem, x->now.P);
  x->best.relative = INFINITY;
  evaluate(x, &x->now);
  if (isfinite(x->now.merit)) return;
  memset(x->now.P, 0, (size_t)x->problem->size * sizeof *P);
  evaluate(x, &x->now);
}

static void run_rounds(search *x) {
  static const stepping kinds[] = {{1e-6, false, 8}, {1e-3, false, 8}, {1e-6, true, 12}};
  int sweeps = x->problem->size > PICUS_SPARSE_ALWAYS_ROWS ? FIRST_SWEEPS_SPARSE : FIRST_SWEEPS;
  for (int round = 0; round < ROUNDS && !is_done(x) && x->steps < x->most_steps; round++) {
    if (round > 0 || is_cold(x->problem->size, x->now.P)) {
      sweep_from_best(x, sweeps);
      sweeps *= 4;
    }
    if (!isfinite(x->now.merit)) return;
    for (int k = 0; k < (int)(sizeof kinds / sizeof *kinds) && !is_done(x); k++) {
      run_steps(x, kinds[k]);
      if (is_rounding(x, NEAR_ROUNDING)) return; /* without progress */
      copy_point(x, &x->best, &x->now);
    }
  }
}

/* options->max_iterations limits the steps without gain. */
static void begin_opening(search *x, const picus_mode *modes) {
  x->opening = (opening){.is_one = true, .start = x->now.merit, .gained = x->best.relative};
  x->opening.most_without = x->most_steps;
  x->opening.path_is_short = x->problem->size > PICUS_SPARSE_ROWS && picus_nearly_all_stick(x->problem, modes);
  if (x->opening.path_is_short && x->most_steps > STEPS_BEFORE_A_PATH) x->opening.most_without = STEPS_BEFORE_A_PATH;
  if (x->most_steps < OPENING_STEPS) x->most_steps = OPENING_STEPS;
}

/* At the end one more step with the factors of the last one, if that led to the solution on its own branches: it takes
 * no factorization, and the next problem of a system at rest starts with digits to spare. */
static picus_status newton_solve(search *x, bool opens, double *P, const picus_mode *modes, int *iterations) {
  start_from(x, P);
  if (opens) begin_opening(x, modes);
  if (isfinite(x->now.merit)) run_rounds(x);
  if (is_solved(x) && x->steps > 0 && x->best.relative > TO_SPARE * x->options->tolerance) {
    copy_point(x, &x->best, &x->now);
    if (linearize(x) && x->factored) take_factored_step(x);
  }
  if (isfinite(x->best.relative)) memcpy(P, x->best.P, (size_t)x->problem->size * sizeof *P);
  *iterations += x->steps + x->sweeps;
  return is_solved(x) ? PICUS_OK : PICUS_NOT_CONVERGED;
}

static picus_status solve_alart_curnier(const picus_solver_options *options, const picus_contact_problem *problem,
                                        picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  search x = prepare(options, problem, PICUS_ALART_CURNIER, memory);
  return newton_solve(&x, memory.limits->others_follow, P, modes, iterations);
}

static picus_status solve_jean_moreau(const picus_solver_options *options, const picus_contact_problem *problem,
                                      picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  search x = prepare(options, problem, PICUS_JEAN_MOREAU, memory);
  return newton_solve(&x, memory.limits->others_follow, P, modes, iterations);
}

const picus_solver_ops picus_newton_solver = {
    .description = {"newton",
                    "semismooth Newton on the projections (Alart-Curnier); tight tolerances, redundant contacts",
                    "Alart, Curnier 1991; Grippo, Lampariello, Lucidi 1986 (line search)"},
    .factorizes = true,
    .need = newton_need,
    .solve = solve_alart_curnier,
};

const picus_solver_ops picus_newton_jm_solver = {
    .description = {"newton-jm", "newton with the friction radius from P_N itself (Jean-Moreau)",
                    "Jean, Moreau 1987; Alart, Curnier 1991"},
    .refusal = NULL,
    .need = newton_need,
    .solve = solve_jean_moreau,
};
