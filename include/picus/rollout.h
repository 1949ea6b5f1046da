/* Rollouts: many runs of one model, with other parameters, initial states and inputs, side by side on the threads of a
 * context. The numbers do not depend on how many threads there are. */
#ifndef PICUS_ROLLOUT_H
#define PICUS_ROLLOUT_H

#include <picus/base.h>
#include <picus/model.h>
#include <picus/sim.h>
#include <picus/system.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called often, from one thread at a time, with the number of runs that are complete; non-zero stops the rollout with
 * PICUS_INTERRUPTED. */
typedef int (*picus_rollout_progress_fn)(void *user, long done, long count);

/* How a run ended. */
enum { PICUS_ROLLOUT_MESSAGE = 256 };
typedef struct picus_rollout_end {
  picus_status status;
  double t;                            /* s, time reached */
  long steps, impacts;                 /* as in picus_summary */
  long rows;                           /* recorded */
  char message[PICUS_ROLLOUT_MESSAGE]; /* "": it reached t_end */
} picus_rollout_end;

/* Called before the first step of a run, from any thread: may set its state and add sinks to its recorder. Another
 * status than PICUS_OK, with its message on the context of the run, ends this run. */
typedef picus_status (*picus_rollout_begin_fn)(void *user, long run, picus_context *context, picus_sim *sim,
                                               picus_recorder *recorder);
/* Called after a run, from one thread at a time, in any order; not for runs that were interrupted. */
typedef void (*picus_rollout_ended_fn)(void *user, long run, const picus_rollout_end *end,
                                       const picus_summary *summary);

/* Arrays have one block for each run, one after the other; NULL: all runs have the values of the model. */
typedef struct picus_rollout_def {
  picus_model *model;               /* runs with parameters are read again from its source */
  const picus_system *system;       /* of the model; shared by all runs without parameters */
  const picus_sim_options *options; /* sample > 0: rows at these times; 0: only the last row of each run */
  const picus_sim_options *of_runs; /* count: options of each run instead; needs `begin` */
  long count;                       /* runs, at least 1 */
  long chain_count;
  const long *chains;            /* chain_count + 1: runs chains[k] to chains[k + 1] - 1 are made in their order by one
                                    worker; NULL: each run on its own */
  int parameter_count;           /* in parameters */
  const char *const *parameters; /* names; inputs have their initial values by name as well */
  const double *values;          /* count x parameter_count */
  const double *q, *u;           /* count x nq and count x nu: initial states */
  int input_count;               /* in inputs */
  const char *const *inputs;     /* names */
  long
      interval_count; /* the time from t_start to t_end has so many equal parts, in each of which inputs are constant */
  const double *input_values;         /* count x interval_count x input_count */
  const char *columns;                /* patterns as for picus_recorder_select; NULL: all columns */
  picus_rollout_progress_fn progress; /* may be NULL */
  picus_rollout_begin_fn begin;       /* may be NULL; with it, the rollout keeps no rows: its sinks get all that the
                                         options record */
  picus_rollout_ended_fn ended;       /* may be NULL */
  void *user;
} picus_rollout_def;
/* 1 run, everything else 0. */
PICUS_API picus_rollout_def picus_default_rollout_def(void);

typedef struct picus_rollout picus_rollout;
/* A run that fails is not an error of the rollout: its end has status and message, its missing rows are NAN. Lifetime:
 * `*out` until `picus_rollout_destroy`; it does not need what def points to. */
PICUS_API picus_status picus_rollout_create(picus_context *context, const picus_rollout_def *def, picus_rollout **out);
PICUS_API void picus_rollout_destroy(picus_rollout *rollout);
PICUS_API long picus_rollout_count(const picus_rollout *rollout);
/* Rows of each run. */
PICUS_API long picus_rollout_rows(const picus_rollout *rollout);
PICUS_API int picus_rollout_column_count(const picus_rollout *rollout);
/* "": no such column. Lifetime: as long as the rollout. */
PICUS_API const char *picus_rollout_column(const picus_rollout *rollout, int column);
/* count x rows x columns. Lifetime: as long as the rollout. */
PICUS_API const double *picus_rollout_values(const picus_rollout *rollout);
/* count. Lifetime: as long as the rollout. */
PICUS_API const picus_rollout_end *picus_rollout_ends(const picus_rollout *rollout);

#ifdef __cplusplus
}
#endif

#endif
