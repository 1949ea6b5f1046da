/* The schemes, the names of their options, and the contact problems of their steps. */
#ifndef PICUS_SCHEME_H
#define PICUS_SCHEME_H

#include <picus/base.h>
#include <picus/contact.h>
#include <picus/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The schemes by index, from 0; NULL ends the list. */
typedef struct picus_scheme_description {
  const char *name;
  const char *summary;
  const char *reference;
  bool implicit; /* uses theta and picus_implicit_options */
  bool forces; /* contact forces and impulses are reported separately, in more columns; uses picus_half_explicit_options
                */
} picus_scheme_description;
PICUS_API const picus_scheme_description *picus_scheme_at(int index); /* Lifetime: static */

/* Names as in model files and on the command line, by number; NULL: no such number. */
PICUS_API const char *picus_forecast_name(int forecast);        /* Lifetime: static */
PICUS_API const char *picus_metric_name(int metric);            /* Lifetime: static */
PICUS_API const char *picus_slip_direction_name(int direction); /* Lifetime: static */
/* Lifetime: static. */
PICUS_API const char *picus_restitution_name(int restitution); /* by number; NULL: no such number */

/* The tableaux of half-explicit-rk by number, and one by its name; NULL: no such tableau. */
PICUS_API const char *picus_tableau_name(int index);                  /* Lifetime: static */
PICUS_API const picus_tableau *picus_tableau_named(const char *name); /* Lifetime: static */

/* The contact problem of one step, right after the solver ran; valid during the call only. */
typedef struct picus_watched_problem {
  double t; /* s, start of the step */
  const picus_contact_problem *problem;
  const double *start, *P; /* initial guess and result of the solver, size doubles each */
  const picus_solve_info *info;
} picus_watched_problem;
typedef picus_watched_problem picus_contact_event; /* the older name, until 1.0 */
typedef void (*picus_contact_watch_fn)(void *user, const picus_watched_problem *watched);

#ifdef __cplusplus
}
#endif

#endif
