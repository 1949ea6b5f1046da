/* Flexible components of a model: linear structures M q'' + C q' + K (q - q_ref) = f with constant sparse matrices,
 * from built-in finite elements (a bar) or from matrices of another program (Matrix Market files).
 *
 * A component has its own displacements NAME.x0, NAME.x1, ... and velocities NAME.v0, NAME.v1, .... Their symbols
 * (picus_model_node) may appear in gaps, slip velocities, constraints and observed values, together with the
 * coordinates of the model: laws connect components with each other and with the rest. Energy and force expressions
 * cannot contain them. */
#ifndef PICUS_FLEXIBLE_H
#define PICUS_FLEXIBLE_H

#include <picus/base.h>
#include <picus/expr.h>
#include <picus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A square matrix by its entries, both triangles; entries at the same position add up. The arrays belong to the code
 * that filled them; picus_matrix_release frees those of picus_matrix_read. */
typedef struct picus_matrix {
  int order;         /* rows and columns */
  size_t count;      /* entries */
  int *row, *column; /* count each, from 0 */
  double *value;     /* count */
} picus_matrix;
/* Reads a Matrix Market file: "matrix coordinate" or "matrix array", real or integer, general or symmetric, square. */
PICUS_API picus_status picus_matrix_read(picus_context *context, const char *path, picus_matrix *out);
PICUS_API void picus_matrix_release(picus_context *context, picus_matrix *matrix);

/* A linear structure given by its matrices. Arrays are copied. */
typedef struct picus_structure_def {
  const char *name;
  picus_matrix mass;      /* symmetric, positive definite */
  picus_matrix stiffness; /* symmetric, of the same order */
  picus_matrix damping;   /* symmetric; order 0: none */
  double alpha, beta;     /* Rayleigh damping alpha M + beta K (1/s, s), added to damping; >= 0 */
  /* order values each, or NULL: zeros */
  const double *load;           /* constant force f */
  const double *reference;      /* q_ref, the stress-free configuration */
  const double *start;          /* initial q */
  const double *velocity_start; /* initial u */
  int first;                    /* number of the first displacement in names and in picus_model_node: 0 or 1 */
  const char *unit;             /* of the displacements; NULL: unknown */
  int record_count;             /* result columns; -1: all displacements and velocities, otherwise those in record */
  const int *record;            /* numbers as in names */
} picus_structure_def;
PICUS_API picus_structure_def picus_default_structure_def(void); /* first = 0, record_count = -1 */
PICUS_API picus_status picus_model_add_structure(picus_model *model, const picus_structure_def *def);

/* A straight bar that moves along its axis: linear elements with consistent mass (Acary 2012, eq. 71). Node i, 0 to
 * elements, is at i length/elements; its displacement along the axis is NAME.xi. */
typedef struct picus_bar_def {
  const char *name;
  int elements;
  double length;         /* m */
  double area;           /* cross section, m^2 */
  double density;        /* kg/m^3 */
  double young;          /* Young's modulus, N/m^2 */
  double alpha, beta;    /* Rayleigh damping, 1/s and s */
  double gravity;        /* acceleration along the axis towards the last node, m/s^2 */
  double start;          /* initial displacement of all nodes, m */
  double velocity_start; /* initial velocity of all nodes, m/s */
  int record_count;      /* as in picus_structure_def */
  const int *record;
} picus_bar_def;
PICUS_API picus_bar_def picus_default_bar_def(void); /* record_count = -1, all other fields 0 */
PICUS_API picus_status picus_model_add_bar(picus_model *model, const picus_bar_def *def);

/* Symbols of a displacement and its velocity, for gaps, slip velocities, constraints and observed values. Either
 * pointer may be NULL. */
PICUS_API picus_status picus_model_node(picus_model *model, const char *structure, int number, picus_expr *x,
                                        picus_expr *v);
/* Number of displacements of a structure; 0: no structure of this name. */
PICUS_API int picus_model_structure_size(const picus_model *model, const char *name);

#ifdef __cplusplus
}
#endif

#endif
