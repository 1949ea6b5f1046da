/* The options of a run: the one list of them. Command line, simulate { ... } of model files, result files, checkpoints,
 * checks and help loop over it, so that an option exists everywhere or nowhere. */
#ifndef PICUS_OPTIONS_TABLE_H
#define PICUS_OPTIONS_TABLE_H

#include <picus/options.h>
#include <stddef.h>

/* All that simulate { ... } sets. */
typedef struct picus_run_options {
  picus_sim_options sim;
  bool assemble; /* of the model: its initial state is made consistent with joints and contacts */
} picus_run_options;

typedef enum picus_option_kind {
  PICUS_OPTION_FLAG,       /* bool */
  PICUS_OPTION_INTEGER,    /* int */
  PICUS_OPTION_COUNT,      /* long */
  PICUS_OPTION_NUMBER,     /* double */
  PICUS_OPTION_WORD,       /* an enum whose values have names */
  PICUS_OPTION_NAME,       /* const char *: of a scheme or a solver */
  PICUS_OPTION_OF_TABLEAU, /* picus_tableau */
} picus_option_kind;

/* The runs that heed an option: one of the names between commas must be that of the scheme, of the solver or of the
 * kind of steps; the same holds for each part between semicolons. Empty: all runs do. They begin the help. */
#define PICUS_FOR_ALL ""
#define PICUS_FOR_THETA "moreau-jean, moreau-projected, moreau-combined, schatzman-paoli: "
#define PICUS_FOR_NEWTON                                                                                               \
  "moreau-jean, moreau-projected, moreau-combined, schatzman-paoli, rattle, trapezoidal-position: "
#define PICUS_FOR_PRINTED "moreau-jean, moreau-projected, moreau-combined: "
#define PICUS_FOR_FORECAST "moreau-jean, moreau-projected: "
#define PICUS_FOR_PROJECTION "moreau-projected, moreau-combined: "
#define PICUS_FOR_GAP_TERM "moreau, moreau-explicit, moreau-jean; fixed steps: "
#define PICUS_FOR_IMPACTS "moreau, moreau-explicit, rattle, half-explicit, half-explicit-acc, half-explicit-rk: "
#define PICUS_FOR_SLEEP "moreau, moreau-explicit; fixed steps: "
#define PICUS_FOR_RATTLE "rattle: "
#define PICUS_FOR_STAGES "rattle; fixed steps: "
#define PICUS_FOR_PREDICTED "half-explicit: "
#define PICUS_FOR_CLOSED_GAP "moreau-jean, moreau-projected, half-explicit, half-explicit-acc, half-explicit-rk: "
#define PICUS_FOR_HALF_EXPLICIT "half-explicit, half-explicit-acc, half-explicit-rk: "
#define PICUS_FOR_TABLEAU "half-explicit-rk: "
#define PICUS_FOR_PYRAMIDS "lemke: "
#define PICUS_FOR_ADAPTIVE "adaptive steps: "

/* X(name in model files and results, field of picus_run_options, kind, name on the command line, its placeholder or
 * NULL, default, form and numbers of the range, unit, runs that heed it, help). Ranges are those of values that
 * somebody sets: a default may be outside, and then says that nothing is given. */
/* clang-format off */
#define PICUS_RUN_OPTIONS(X)                                                                                           \
  X(scheme, sim.scheme, NAME, "scheme", "NAME", .text = "moreau", ANY, (), "", PICUS_FOR_ALL,                          \
    "time-stepping scheme; default: the model's")                                                                      \
  X(solver, sim.solver.solver, NAME, "solver", "NAME", .text = "auto", ANY, (), "", PICUS_FOR_ALL,                     \
    "contact solver ('picus help' lists them); default: the model's, or auto")                                         \
  X(dt, sim.dt, NUMBER, "dt", "X", .number = 0, ABOVE, (0), "s", PICUS_FOR_ALL,                                        \
    "step size in s; with --adaptive it sets the default of dt-min")                                                   \
  X(t_start, sim.t_start, NUMBER, "t-start", "X", .number = 0, ANY, (), "s", PICUS_FOR_ALL,                            \
    "initial time in s; default: the model's, or 0")                                                                   \
  X(t_end, sim.t_end, NUMBER, "t-end", "X", .number = 0, ANY, (), "s", PICUS_FOR_ALL,                                  \
    "end of the run in s")                                                                                             \
  X(theta, sim.theta, NUMBER, "theta", "X", .number = 0.5, WITHIN, (0, 1), "", PICUS_FOR_THETA,                        \
    "theta in [0, 1]; 0.5: order 2 without contacts and joints, 1: damping; default 0.5")                              \
  X(forecast, sim.implicit.forecast, WORD, "forecast", "NAME", .number = PICUS_FORECAST_MIXED, WORDS, (forecasts), "", \
    PICUS_FOR_FORECAST, "forecast of active contacts, mixed (default), explicit or free")                              \
  X(forecast_factor, sim.implicit.forecast_factor, NUMBER, "forecast-factor", "X", .number = 0.5, WITHIN, (0, 2), "",  \
    PICUS_FOR_FORECAST, "factor s in [0, 2] of the forecast g + s dt U <= 0 of explicit and mixed; default 0.5")       \
  X(metric, sim.implicit.metric, WORD, "metric", "NAME", .number = PICUS_METRIC_INERTIA, WORDS, (metrics), "",         \
    PICUS_FOR_PROJECTION, "metric of the projection, inertia (default) or identity")                                   \
  X(projection, sim.implicit.projection, WORD, "projection", "NAME", .number = 0, WORDS, (projections), "",            \
    PICUS_FOR_PROJECTION,                                                                                              \
    "projection decoupled from the percussions (default), coupled with them, or after the Newton iteration")           \
  X(newton_tolerance, sim.implicit.newton_tolerance, NUMBER, "newton-tol", "X", .number = 1e-10, BETWEEN, (0, 1), "",  \
    PICUS_FOR_NEWTON, "tolerance of the Newton iteration, relative to the terms of the step; default 1e-10")           \
  X(newton_max, sim.implicit.newton_max, INTEGER, "newton-max", "N", .number = 30, WITHIN, (1, 1e6), "",               \
    PICUS_FOR_NEWTON, "Newton iterations before a step is subdivided; default 30")                                     \
  X(mean_forces, sim.implicit.mean_forces, FLAG, "mean-forces", NULL, .number = 0, YES_OR_NO, (), "",                  \
    PICUS_FOR_PRINTED, "M at the end of the step and mean forces of both ends, instead of M and h in between")         \
  X(newton_printed, sim.implicit.newton_printed, FLAG, "newton-printed", NULL, .number = 0, YES_OR_NO, (), "",         \
    PICUS_FOR_PRINTED,                                                                                                 \
    "Newton's iteration as printed in Acary 2012, (42) to (45), from the state and to --newton-tol absolute, for "     \
    "comparison")                                                                                                      \
  X(projection_tolerance, sim.implicit.projection_tolerance, NUMBER, "projection-tol", "X", .number = 1e-12, ABOVE,    \
    (0),                                                                                                               \
    "m", PICUS_FOR_PROJECTION, "gap tolerance in m; default 1e-12")                                                    \
  X(gap_term, sim.gap_term, FLAG, "gap-term", NULL, .number = 0, YES_OR_NO, (), "", PICUS_FOR_GAP_TERM,                \
    "keep gaps from becoming negative")                                                                                \
  X(assemble, assemble, FLAG, "assemble", NULL, .number = 0, YES_OR_NO, (), "", PICUS_FOR_ALL,                         \
    "first make the initial state consistent: joints close, then closed contacts that approach have an impact")        \
  X(sleep, sim.sleep, FLAG, "sleep", NULL, .number = 0, YES_OR_NO, (), "", PICUS_FOR_SLEEP,                            \
    "bodies at rest keep still until something moves them")                                                            \
  X(start_impact, sim.start_impact, FLAG, "start-impact", NULL, .number = 0, YES_OR_NO, (), "", PICUS_FOR_ALL,         \
    "before the first step, an impact of the closed contacts that approach")                                           \
  X(slip_direction, sim.implicit.slip_direction, WORD, "slip-direction", "NAME", .number = PICUS_SLIP_MEAN,            \
    WORDS, (slip_directions), "", PICUS_FOR_RATTLE,                                                                    \
    "direction of slip, mean of the step (default, order 2) or end (Breuling 2023)")                                   \
  X(prox_r, sim.implicit.prox_r, NUMBER, "prox-r", "R", .number = 0, UP_TO, (0, 1e6), "", PICUS_FOR_RATTLE,             \
    "also count the iterations of Breuling 2023 on prox equations with r = R, to --newton-tol absolute")               \
  X(stages, sim.implicit.stages, FLAG, "stages", NULL, .number = 0, YES_OR_NO, (), "", PICUS_FOR_STAGES,               \
    "also record the percussions of both stages, columns P1N, P2N, P1F, P2F and so on")                                \
  X(predicted, sim.half_explicit.predicted, FLAG, "predicted", NULL, .number = 0, YES_OR_NO, (), "",                   \
    PICUS_FOR_PREDICTED,                                                                                               \
    "initial forces of the contacts that q + dt q' closes, eqs. (75) to (77) of Schindler 2015, for comparison")       \
  X(closed_gap, sim.half_explicit.closed_gap, NUMBER, "closed-gap", "X", .number = 0, FROM, (0), "m",                  \
    PICUS_FOR_CLOSED_GAP, "gap in m up to which a contact counts as closed; default 0, up to round-off")               \
  X(impact_substeps, sim.half_explicit.impact_substeps, INTEGER, "impact-substeps", "N", .number = 1, WITHIN, (1,      \
    1000),                                                                                                             \
    "", PICUS_FOR_HALF_EXPLICIT, "make steps with an impact in N equal ones, 1 to 1000; default 1")                    \
  X(tableau, sim.half_explicit.tableau, OF_TABLEAU, "tableau", "NAME", .number = 0, ANY, (), "", PICUS_FOR_TABLEAU,    \
    "the method, BH3 (default, order 3) or BH5 (order 4)")                                                             \
  X(tolerance, sim.solver.tolerance, NUMBER, "tol", "X", .number = 1e-12, ABOVE, (0), "", PICUS_FOR_ALL,               \
    "tolerance of the contact solver, relative to the scale of the problem; default: the model's, or 1e-12")           \
  X(accept_residual, sim.solver.accept_residual, NUMBER, "accept-residual", "X", .number = -1, UP_TO, (0, 1), "",      \
    PICUS_FOR_ALL,                                                                                                     \
    "accept a residual up to X if no solver reaches the tolerance; default: 0.1 in heaps, 1e-8 in other models with "  \
    "shapes (1e-6 where tens of contacts creep), else 0")                                                              \
  X(heap_tolerance, sim.solver.heap_tolerance, NUMBER, "heap-tol", "X", .number = 0, ABOVE, (0), "", PICUS_FOR_ALL,    \
    "tolerance of the contact solver in heaps; default: that of --tol, or 1e-7")                                      \
  X(max_iterations, sim.solver.max_iterations, INTEGER, "max-iterations", "N", .number = 10000, WITHIN, (1, 1e9), "",  \
    PICUS_FOR_ALL, "iteration limit of one contact solver, in heaps of its sweeps; default 10000")                     \
  X(relaxation, sim.solver.relaxation, NUMBER, "omega", "X", .number = 1, BETWEEN, (0, 2), "", PICUS_FOR_ALL,          \
    "relaxation factor in (0, 2) of gs, psor and pjor; default 1")                                                     \
  X(no_fallback, sim.solver.no_fallback, FLAG, "no-fallback", NULL, .number = 0, YES_OR_NO, (), "", PICUS_FOR_ALL,     \
    "a contact solver that fails is not followed by another one")                                                      \
  X(facets, sim.solver.facets, INTEGER, "facets", "N", .number = 8, WITHIN, (4, 512), "", PICUS_FOR_PYRAMIDS,          \
    "facets of the friction pyramids, an even number; default 8")                                                      \
  X(minimum_norm, sim.solver.minimum_norm, FLAG, "minimum-norm", NULL, .number = 0, YES_OR_NO, (), "", PICUS_FOR_ALL,  \
    "minimum-norm percussions for redundant contacts")                                                                 \
  X(every, sim.every, COUNT, "every", "N", .number = 1, WITHIN, (0, 1e9), "", PICUS_FOR_ALL,                           \
    "record every N-th step; 0: no steps; default 1")                                                                  \
  X(sample, sim.sample, NUMBER, "sample", "X", .number = 0, FROM, (0), "s", PICUS_FOR_ALL,                             \
    "record at exactly t = t_start, t_start + X, t_start + 2X, ...")                                                   \
  X(pairs, sim.pairs, WORD, "pairs", "NAME", .number = PICUS_PAIRS_NONE, WORDS, (pairs), "", PICUS_FOR_ALL,             \
    "also record the energy that each law dissipates; of contacts of shapes energy and percussions by pair of "        \
    "bodies or of materials; none (default)")                                                                          \
  X(adaptive, sim.adaptive, FLAG, "adaptive", NULL, .number = 0, YES_OR_NO, (), "", PICUS_FOR_ALL,                     \
    "adaptive step size and order, by extrapolation and a search for switching points; base scheme: rattle")           \
  X(dt_min, sim.dt_min, NUMBER, "dt-min", "X", .number = 0, ABOVE, (0), "s", PICUS_FOR_ADAPTIVE,                       \
    "size in s of steps at switching points; default dt / 100")                                                        \
  X(dt_max, sim.dt_max, NUMBER, "dt-max", "X", .number = 0, ABOVE, (0), "s", PICUS_FOR_ADAPTIVE,                       \
    "largest step size in s; default: from the time scales of the model, at most 1/20 of the run")                     \
  X(atol, sim.atol, NUMBER, "atol", "X", .number = 1e-8, ABOVE, (0), "", PICUS_FOR_ADAPTIVE,                           \
    "absolute tolerance of a step in each coordinate and velocity; default 1e-8")                                      \
  X(rtol, sim.rtol, NUMBER, "rtol", "X", .number = 1e-8, FROM, (0), "", PICUS_FOR_ADAPTIVE,                            \
    "relative tolerance of a step; default 1e-8")                                                                      \
  X(order_max, sim.order_max, INTEGER, "order-max", "N", .number = 6, WITHIN, (1, PICUS_ORDER_MOST), "",               \
    PICUS_FOR_ADAPTIVE, "largest order, 1 to 12; default 6")                                                           \
  X(order, sim.order, INTEGER, "order", "P", .number = 0, WITHIN, (1, PICUS_ORDER_MOST), "", PICUS_FOR_ADAPTIVE,       \
    "fixed order of smooth steps, without error control")                                                              \
  X(substeps, sim.substeps, WORD, "substeps", "NAME", .number = PICUS_SUBSTEPS_ODD, WORDS, (sequences), "",            \
    PICUS_FOR_ADAPTIVE, "substeps of the extrapolation, odd (default) or natural")                                     \
  X(step_control, sim.step_control, WORD, "step-control", "NAME", .number = PICUS_STEP_CONTROL_FORECAST,               \
    WORDS, (step_controls), "", PICUS_FOR_ADAPTIVE,                                                                    \
    "sizes of steps, forecast (default) of impacts and errors, or paper, as printed in Studer 2008")                   \
  X(impact, sim.impact, WORD, "impact", "NAME", .number = PICUS_IMPACT_OF_RUN, WORDS,         \
    (impact_laws), "", PICUS_FOR_IMPACTS,                                                                              \
    "impact law of contacts that name none, newton (default), poisson or sequential")                                  \
  X(restitution, sim.restitution, WORD, "restitution", "NAME", .number = PICUS_RESTITUTION_IMPACTS,                    \
    WORDS, (restitutions), "", PICUS_FOR_ADAPTIVE,                                                                     \
    "when e acts, impacts (default), always, or modified as e^(dt / dt_min)")                                          \
  X(accept_inaccurate, sim.accept_inaccurate, FLAG, "accept-inaccurate", NULL, .number = 0, YES_OR_NO, (), "",         \
    PICUS_FOR_ADAPTIVE, "accept a step that misses its tolerance at the largest order, instead of a smaller one")
/* clang-format on */

/* Their numbers: PICUS_OPTION_dt, ... */
#define PICUS_OPTION_ID(name, field, kind, flag, argument, by_default, form, numbers, unit, runs, help)                \
  PICUS_OPTION_##name,
typedef enum picus_option_id { PICUS_RUN_OPTIONS(PICUS_OPTION_ID) PICUS_OPTION_TOTAL } picus_option_id;
#undef PICUS_OPTION_ID

typedef struct picus_option {
  const char *name, *flag, *argument, *unit, *runs, *help;
  picus_option_kind kind;
  size_t offset;              /* into picus_run_options */
  const char *text;           /* default of a NAME */
  double number;              /* default of all others; a word by its index */
  double low, high;           /* of values that are set */
  bool above_low, below_high; /* the ends do not belong to the range */
  const char *const *words;   /* ended by NULL; NULL: no words */
} picus_option;
extern const picus_option picus_option_table[PICUS_OPTION_TOTAL];

/* Its number; -1: there is none. */
int picus_option_find(const char *name);
const char *picus_option_name_at(const void *unused, int k); /* NULL ends the list */
const char *picus_option_word(int option, int k);            /* NULL: no such word */
int picus_option_find_word(int option, const char *word);    /* -1: there is none */
bool picus_option_takes_text(int option);
/* Known before the equations are derived. */
bool picus_option_is_early(int option);
/* A run may continue from a checkpoint with another value: all later steps follow from it alone. */
bool picus_option_may_change(int option);

picus_run_options picus_option_defaults(void);
/* All but names and tableaux, which are 0; a flag is 0 or 1, a word its index. */
double picus_option_number(const picus_run_options *options, int option);
void picus_option_set_number(picus_run_options *options, int option, double value);
/* A name or a word; NULL: it is a number. The text of a name must outlive the options. */
const char *picus_option_text(const picus_run_options *options, int option);
void picus_option_set_name(picus_run_options *options, int option, const char *name);
bool picus_option_is_default(const picus_run_options *options, int option);

/* Whether a number may be set. */
bool picus_option_allows(int option, double value);
/* What a value that is not allowed must be: "greater than 0", "an integer from 1 to 12", ... */
enum { PICUS_RANGE_TEXT = 128 };
void picus_option_range(int option, double value, char text[PICUS_RANGE_TEXT]);
/* What follows from options that are given for others that are not. */
void picus_options_follow(picus_run_options *options, const bool given[PICUS_OPTION_TOTAL]);
/* PICUS_ERROR_ARGUMENT: a number is neither in its range nor the default. Of contact solvers, or all that are heeded.
 */
picus_status picus_options_check(picus_context *context, const picus_run_options *options, bool of_solver);

/* Whether a run with these options heeds the option; see PICUS_FOR_ALL. */
bool picus_option_applies(int option, const picus_sim_options *options);
/* Options that the run would ignore get their defaults; dropped: those that may be, NULL: all. */
void picus_options_drop(picus_sim_options *options, const bool *dropped);
/* A warning that the run ignores this option. */
void picus_option_tell_ignored(picus_context *context, int option);

#endif
