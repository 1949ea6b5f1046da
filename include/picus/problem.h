/* Contact problems in files: reading and writing the HDF5 layout of FCLIB, the collection of friction contact problems
 * (Acary, Bremond, Koziara, Perignon 2014). See docs/problem-files.md.
 *
 * FCLIB's W is G, q is c and r is P; the normal row is the first of each contact. Bilateral rows (V, R, s) become
 * bilateral laws and come first. The global form (M, H, G, f, w, b) is brought to the local one, or to factors, when it
 * is read. */
#ifndef PICUS_PROBLEM_H
#define PICUS_PROBLEM_H

#include <picus/base.h>
#include <picus/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A contact problem that owns its numbers, by blocks unless it says otherwise. */
typedef struct picus_problem picus_problem;

/* What else a file says about a problem. Texts are never NULL when read; NULL when written means: leave it out. */
typedef struct picus_problem_notes {
  const char *title;
  const char *description;
  const char *math_info;  /* what is known of it: existence, uniqueness */
  const double *guess;    /* P to start from, size doubles; NULL: none */
  const double *solution; /* P that solves it; NULL: none */
} picus_problem_notes;

/* A file that cannot be read, that is no contact problem or whose parts do not fit together gives PICUS_ERROR_IO, one
 * with impossible mechanics (a negative friction coefficient) PICUS_ERROR_MODEL, a global form whose M has no inverse
 * PICUS_ERROR_SINGULAR; the sentence names the file and what in it is wrong. */
PICUS_API picus_status picus_problem_read(picus_context *context, const char *path, picus_problem **out);
/* The same, but of a global form G is kept by its factors (picus_factored_matrix), with the columns of M's connected
 * parts; the local form is read as above. Such a problem has a scratch: one thread at a time. */
PICUS_API picus_status picus_problem_read_factored(picus_context *context, const char *path, picus_problem **out);
/* A copy of a problem, by blocks; notes may be NULL. */
PICUS_API picus_status picus_problem_copy(picus_context *context, const picus_contact_problem *source,
                                          const picus_problem_notes *notes, picus_problem **out);
PICUS_API void picus_problem_destroy(picus_problem *problem);

/* Views. Lifetime: that of the problem. */
PICUS_API const picus_contact_problem *picus_problem_contacts(const picus_problem *problem);
/* Lifetime: that of the problem. */
PICUS_API const picus_problem_notes *picus_problem_notes_of(const picus_problem *problem);

/* Writes the local form, which FCLIB reads; notes may be NULL. Reading it gives the same numbers bit for bit, with the
 * bilateral laws first. Problems that FCLIB has no words for (unilateral laws without friction rows, reservoirs, planar
 * and spatial contacts in one problem, bilateral rows that are not symmetric) are written in the same layout under
 * another name, which FCLIB refuses and Picus reads. */
PICUS_API picus_status picus_problem_write(picus_context *context, const char *path,
                                           const picus_contact_problem *problem, const picus_problem_notes *notes);

#ifdef __cplusplus
}
#endif

#endif
