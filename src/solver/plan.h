/* The plan of a solve: which methods run on a contact problem, in which order, from which start, how long, and when
 * they stop. solver.c executes plans, and each method sees its own row alone.
 *
 * Granular matter (many contacts without joints) has its own rows. Every size is in contact/sizes.h and every other
 * threshold of a plan in plan.c, with its unit and the place where it was measured. */
#ifndef PICUS_SOLVER_PLAN_H
#define PICUS_SOLVER_PLAN_H

#include "solver/internal.h"

/* What a plan depends on. */
typedef enum picus_feature {
  PICUS_WARM = 1,       /* the initial guess is not zero */
  PICUS_BODIES = 2,     /* G is given by its factors: sweeps go over bodies, and newton would have to form blocks */
  PICUS_FILLS = 4,      /* factors of a large G fill up: a factorization takes very long */
  PICUS_JOINTED = 8,    /* joints in most rows, and factors that do not fill up */
  PICUS_GRANULAR = 16,  /* so many contacts, or so little budget left, that only sweeps are tried */
  PICUS_BUDGETED = 32,  /* contacts alone, whose factorizations are limited by a budget */
  PICUS_CONTACTS = 64,  /* no joints */
  PICUS_CROWDED = 128,  /* so many laws that a poor answer may be accepted */
  PICUS_SEARCHED = 256, /* where contacts creep, other methods than sweeps may come closer */
  PICUS_STEPPED = 512   /* newton has solved the last problems of the run from the warm start, and sweeps have not */
} picus_feature;

/* Where a stage starts: from the best that the ones before it found; from the initial guess as it was before they
 * changed it; or from zero, because a start close to the solution spoils a path. */
typedef enum picus_stage_start { PICUS_FROM_BEST, PICUS_AS_GIVEN, PICUS_FROM_ZERO } picus_stage_start;

/* A method in a plan, and the conditions for running it. 0: no condition. */
typedef struct picus_stage {
  const picus_solver_ops *ops;
  picus_stage_start start;
  const picus_limits *limits; /* NULL: zeros */
  bool is_trial;              /* see run_trial in solver.c; trials come first */
  unsigned needs, excludes;   /* sums of picus_feature */
  int most_laws;              /* of the problem */
  int least_rows, most_rows;  /* the same */
  int max_iterations;         /* iteration limit if another stage follows; the options may allow less */
  bool tells_pause;           /* whether sweeps wait, by what it does from a warm start: see picus_budget */
  bool unless_creeping;       /* not if contacts creep, see solver.c */
  bool unless_sticking;       /* not if nearly all contacts stick, as far as the stages before have found out */
  bool until_creep;           /* it may end there if the plan does not search on */
  double residual_below;      /* the best relative residual so far must be below */
  double least_tolerance;     /* not for tighter tolerances */
} picus_stage;

/* The stages that run one after the other under a name, until one without a method. */
enum { PICUS_PLAN_LENGTH = 24 };
typedef struct picus_plan_table {
  picus_solver_description description;
  picus_stage stages[PICUS_PLAN_LENGTH];
  /* How a problem becomes smaller before its stages run. 0: not at all. */
  int closed_forms;              /* decoupled contacts that a step may solve one by one, without the solver */
  int islands_of, islands_plain; /* larger problems are searched for islands, in rows: with friction, and without */
  int joints_of;                 /* joints are eliminated if at most so many rows of contacts remain */
} picus_plan_table;
const picus_plan_table *picus_plan_table_at(int index); /* NULL after the last */

/* --- the budget of granular matter -------------------------------------------------------------------------------- */

/* What the contact problems of a run may spend on factorizations. The unit is a sweep over one row.
 *
 * newton and homotopy solve nearly every problem of a few hundred rows on which sweeps stagnate, but take 20 to 400
 * times as long as a step. That is acceptable if such problems are rare; but matter that settles has one in every
 * step, and a run would take longer with a hundred bodies than with a thousand. So each problem adds the work of its
 * sweeps to the budget, and factorizations use it up; without budget only sweeps are tried. Work is counted, not timed:
 * the same run decides alike on every machine and with any number of threads. */
typedef struct picus_budget {
  double left;
  long long swept, factored; /* rows times iterations, those of large factors times more, in the present problem */
  double search_left;        /* where contacts creep, for more than sweeps; */
  double searched;           /* so much of it went without success in the present problem */
  bool crept;                /* the present problem was accepted because they creep */
  int creeping;              /* problems in which they count as creeping from now on */
  /* Which of two methods is the first one from a warm start: problems until sweeps are tried again, and how many they
   * waited for the last time; rows that sweeps or newton solved in the present problem, and those on which newton
   * failed */
  int wait, pause;
  long long warm_swept, warm_stepped, warm_failed;
} picus_budget;
picus_budget picus_budget_new(void); /* with as much as can be saved up */
/* The work of a stage on a problem of so many rows. */
void picus_budget_note(picus_budget *budget, const picus_stage *stage, int iterations, int rows);
/* Whether a stage solved a problem that had a warm start, for problems of any size in a run. */
void picus_budget_note_warm(picus_budget *budget, const picus_stage *stage, bool solved, int rows);
/* Adds what another budget has noted of the same problem; that one forgets it. */
void picus_budget_take(picus_budget *budget, picus_budget *other);
/* After each problem: what it took is paid, and the budget grows by what such a problem may take. */
void picus_budget_settle(picus_budget *budget, int law_count, int rows);
static inline bool picus_budget_is_spent(const picus_budget *budget) { return budget->left < 0; }
/* After each problem of a run. Sweeps that have not solved it wait for 3 problems, the next time for 15, at most for
 * 255. They are tried at once if newton fails; and a success halves the next pause, so that sweeps which solve every
 * other problem of a system at rest do not fail in the others for ever. */
void picus_budget_settle_warm(picus_budget *budget);
static inline bool picus_budget_steps_first(const picus_budget *budget) { return budget->wait > 0; }
/* The budget of searches where contacts creep (solver.c): what a stage took that did not solve such a problem; and
 * after each problem. */
void picus_budget_note_search(picus_budget *budget, const picus_stage *stage, int iterations, int rows);
void picus_budget_settle_search(picus_budget *budget, int rows);
static inline bool picus_budget_creeps(const picus_budget *budget) { return budget->creeping > 0; }
static inline bool picus_budget_searches(const picus_budget *budget) { return budget->search_left >= 0; }

/* --- plans -------------------------------------------------------------------------------------------------------- */

/* The tolerances of a run: those of the options, and those of picus_solver_set_many (0: as in the options). */
typedef struct picus_goal {
  double tolerance, accept_residual;
  picus_many many;
} picus_goal;

/* The tolerance of a problem with so many laws. */
double picus_goal_tolerance(const picus_goal *goal, int law_count);

typedef struct picus_plan {
  const picus_plan_table *table;
  unsigned features;
  bool starts_warm;        /* stages note whether they solved it, for the pauses of sweeps */
  double tolerance;        /* of the present problem */
  double accept_residual;  /* up to which the best P is accepted if no stage reaches the tolerance */
  double creep;            /* and also up to this where contacts all but stick, see solver.c; */
  double creep_tolerance;  /* to which the stages search that may end there */
  double enough;           /* a residual that ends a problem with PICUS_BUDGETED after its first methods */
  int most_factorizations; /* of one method; 0: no limit */
} picus_plan;

/* Whether the stages of a table end before this one. */
static inline bool picus_plan_ends(const picus_plan_table *table, const picus_stage *stage) {
  return stage == table->stages + PICUS_PLAN_LENGTH || !stage->ops;
}

/* What a plan needs to know of the problem of which the present one may be a part. */
typedef struct picus_whole {
  int laws;
  bool runs;     /* it belongs to a run, whose budget limits factorizations: */
  bool spent;    /* nothing of it is left; */
  bool searches; /* contacts that creep are worth more than sweeps; */
  bool stepped;  /* PICUS_STEPPED */
} picus_whole;

/* The plan of a problem that fits. P: the initial guess. */
void picus_plan_make(const picus_plan_table *table, const picus_goal *goal, const picus_whole *whole,
                     const picus_contact_problem *problem, const double *P, picus_plan *plan);

/* What the stages before have found. */
typedef struct picus_findings {
  double residual; /* the best one, relative */
  bool creeping;   /* contacts cannot all stick, and the best P would be accepted */
  const picus_mode *modes;
} picus_findings;
/* Whether a stage runs now: it is for problems of this size and these features, and suits what others have found; NULL:
 * it is a trial, before all others. */
bool picus_plan_runs(const picus_plan *plan, const picus_stage *stage, const picus_contact_problem *problem,
                     const picus_findings *found);
/* The tolerance of a stage. */
double picus_plan_tolerance(const picus_plan *plan, const picus_stage *stage);
/* The limit of iterations of a stage; given: that of the options. */
int picus_plan_limit(const picus_plan *plan, const picus_stage *stage, bool no_fallback, int given);

/* Whether a problem is searched for islands before it is solved as a whole. */
bool picus_plan_searches_islands(const picus_plan_table *table, const picus_contact_problem *problem);
/* Whether its joints are eliminated first, so that only contacts are solved. */
bool picus_plan_eliminates_joints(const picus_plan_table *table, const picus_contact_problem *problem);
/* Rows for which memory of islands is reserved before they are found; 0: none. */
int picus_plan_island_rows(const picus_plan_table *table, int law_count, int rows);

#endif
