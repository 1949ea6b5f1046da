/* Contact problems between file and memory: sparse matrices as lists of entries, and the contents of a file. */
#ifndef PICUS_PROBLEM_FILE_INTERNAL_H
#define PICUS_PROBLEM_FILE_INTERNAL_H

#include <picus/contact.h>

/* A sparse matrix in any order; entries at the same place add up. */
typedef struct picus_entry {
  int row, column;
  double value;
} picus_entry;
typedef struct picus_entries {
  int rows, columns;
  picus_entry *entries;
  size_t count, capacity;
} picus_entries;
picus_status picus_entries_add(picus_context *context, picus_entries *matrix, int row, int column, double value);
/* Adds the entries of another matrix, shifted by rows and columns, and transposed first if requested. */
picus_status picus_entries_append(picus_context *context, picus_entries *matrix, const picus_entries *other, int rows,
                                  int columns, bool transposed);
void picus_entries_release(picus_context *context, picus_entries *matrix);
/* Entries ordered by column, and the start of each column (columns + 1): the caller releases start. */
picus_status picus_entries_by_column(picus_context *context, picus_entries *matrix, size_t **start);

/* A problem in the form of files; it owns its memory. */
typedef struct picus_problem_content {
  int law_count, size;
  picus_law *laws;
  double *c;
  picus_entries G;
  bool keeps_factors;      /* set before reading: a global form leaves G empty and gives its factors instead */
  bool has_factors;        /* it did */
  int unknowns;            /* velocities of the global form */
  picus_entries W, change; /* rows of (D^T) and (M^-1 D)^T by contact rows; entry by entry at the same places */
  char *title, *description, *math_info;
  double *guess, *solution; /* size doubles, or NULL */
} picus_problem_content;

/* The entries of a matrix by the law of their row. */
typedef struct picus_entries_of_laws {
  int *law_of_row;      /* size */
  int *first_row;       /* law_count + 1 */
  size_t *start, *list; /* numbers of the entries, law by law: law_count + 2, count */
} picus_entries_of_laws;
/* For G or W of the content. To be released, even after a failure. */
picus_status picus_entries_by_law(picus_context *context, const picus_problem_content *content,
                                  const picus_entries *matrix, picus_entries_of_laws *out);
void picus_entries_of_laws_release(picus_context *context, picus_entries_of_laws *by_law);
/* For qsort. */
int picus_compare_integers(const void *a, const void *b);

/* The global form M v = D P + f, xi = D^T v + w: G = D^T M^-1 D, or its factors, and w, which is in c, becomes c =
 * D^T M^-1 f + w. Dense elimination in each connected part of M. name: of the file, for messages. */
picus_status picus_problem_condense(picus_context *context, const char *name, const picus_entries *M, picus_entries *D,
                                    const double *f, picus_problem_content *out);

/* Factors that own their numbers, from the entries of a content. destroy takes a structure of zeros too. */
typedef struct picus_factor_storage {
  picus_context *context;
  picus_factored_matrix matrix; /* points to the arrays below */
  int *start, *column;
  size_t *offset;
  double *W, *change, *scratch;
} picus_factor_storage;
picus_status picus_factor_storage_from_content(picus_context *context, const picus_problem_content *content,
                                               picus_factor_storage *out);
void picus_factor_storage_destroy(picus_factor_storage *storage);

/* The two sides of the HDF5 layout. */
picus_status picus_hdf5_read_problem(picus_context *context, const char *path, picus_problem_content *out);
picus_status picus_hdf5_write_problem(picus_context *context, const char *path, picus_problem_content *content);

#endif
