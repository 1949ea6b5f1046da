/* Contact problem files: the HDF5 layout of FCLIB, the collection of friction contact problems (Acary, Bremond,
 * Koziara, Perignon 2014). See docs/problem-files.md.
 *
 * FCLIB's W is G, q is c and r is P; the normal row is the first of each contact. Bilateral rows (V, R, s) become
 * bilateral laws and come first. Reading the global form (M, H, G, f, w, b) converts it to the local form, or to
 * factors. */
#ifndef PICUS_PROBLEM_H
#define PICUS_PROBLEM_H

#include <picus/base.h>
#include <picus/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A contact problem that owns its numbers; block-sparse unless stated otherwise. */
typedef struct picus_problem picus_problem;

/* Further contents of a problem file. When read, texts are never NULL; when written, NULL means: omit. */
typedef struct picus_problem_notes {
  const char *title;
  const char *description;
  const char *math_info;  /* known properties: existence, uniqueness */
  const double *guess;    /* initial guess of P, size doubles; NULL: none */
  const double *solution; /* P that solves the problem, size doubles; NULL: none */
} picus_problem_notes;

/* PICUS_ERROR_IO: the file cannot be read, is not a contact problem, or has inconsistent parts. PICUS_ERROR_MODEL:
 * impossible mechanics, such as a negative friction coefficient. PICUS_ERROR_SINGULAR: a global form whose M has no
 * inverse. The message names the file and the error. */
PICUS_API picus_status picus_problem_read(picus_context *context, const char *path, picus_problem **out);
/* The same, but G of a global form stays factored (picus_factored_matrix), with the columns of the connected parts of
 * M; the local form is read as above. A factored problem has a scratch: use it in one thread at a time. */
PICUS_API picus_status picus_problem_read_factored(picus_context *context, const char *path, picus_problem **out);
/* A block-sparse copy of a problem; notes may be NULL. */
PICUS_API picus_status picus_problem_copy(picus_context *context, const picus_contact_problem *source,
                                          const picus_problem_notes *notes, picus_problem **out);
PICUS_API void picus_problem_destroy(picus_problem *problem);

/* Views. Lifetime: as long as the problem. */
PICUS_API const picus_contact_problem *picus_problem_contacts(const picus_problem *problem);
/* Lifetime: as long as the problem. */
PICUS_API const picus_problem_notes *picus_problem_notes_of(const picus_problem *problem);

/* Writes the local form, which FCLIB reads; notes may be NULL. Reading it back gives the same numbers bit for bit, with
 * the bilateral laws first. FCLIB does not support unilateral laws without friction rows, reservoirs, planar and
 * spatial contacts in one problem, or unsymmetric bilateral rows. Such problems are written in the same layout under
 * another name, which FCLIB rejects and Picus reads. */
PICUS_API picus_status picus_problem_write(picus_context *context, const char *path,
                                           const picus_contact_problem *problem, const picus_problem_notes *notes);

#ifdef __cplusplus
}
#endif

#endif
