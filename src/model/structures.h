/* Flexible components of a model: their matrices, the maps of frameworks of beams, and the displacements that
 * expressions use. */
#ifndef PICUS_MODEL_STRUCTURES_H
#define PICUS_MODEL_STRUCTURES_H

#include <picus/flexible.h>
#include <picus/model.h>
#include <picus/result.h>

/* The displacements of a framework of beams: several components at each node. node_count 0: not a framework. */
typedef struct picus_framework_map {
  int node_count, component_count; /* components of a node: 3 in the plane, otherwise 6 */
  int *index;                      /* node_count x component_count: index of the displacement; -1: supported */
  int *place;                      /* of each displacement: its position in `index` */
  double *position;                /* 3 for each node: where it is without displacements */
  double spin;                     /* rad/s about x */
  bool rotating;                   /* displacements in axes that turn with the spin */
  picus_expr motion[3];            /* of these axes, functions of time; invalid: none */
} picus_framework_map;

/* What section forces need of a framework: its members, and the few different sections and materials among them. */
typedef struct picus_framework_member {
  int from, to, elements; /* as in picus_member */
  int inner;              /* the first node inside of it */
  int kind;
  double begin; /* sum of the lengths of the members before it */
} picus_framework_member;
typedef struct picus_framework_shape {
  picus_beam_theory theory;
  double beta;
  int member_count, kind_count;
  size_t kind_capacity;
  double *positions; /* 3 for each given node */
  picus_framework_member *members;
  picus_member *kinds; /* sections and materials */
} picus_framework_shape;

/* A flexible component. Its matrices share one symmetric pattern by rows, including the full diagonal: the entries of
 * row i are column[row_start[i]] ... column[row_start[i + 1] - 1], increasing, with the values at the same
 * positions. */
typedef struct picus_model_structure {
  const char *name, *unit, *velocity_unit;
  int size, first; /* displacements; number of the first one in names */
  int *row_start, *column;
  double *mass, *stiffness;
  double *damping; /* C + G; NULL: none */
  double *load, *reference, *start, *velocity_start;
  bool *recorded;     /* size: is it a column of results? */
  bool has_table;     /* all its nodes are a table of results */
  double bar_element; /* m, length of the elements of a bar; 0: not a bar */
  int *node;          /* size: 1 + index among the model's nodes; 0: no formula uses it */
  picus_framework_map map;
  picus_framework_shape shape;
  picus_place place;
} picus_model_structure;

/* A displacement of a structure that formulas use. */
typedef struct picus_model_displacement {
  int structure, index; /* index: among the structure's displacements, from 0 */
  const char *x_name, *v_name;
  picus_expr x, v;
  int x_variable, v_variable;
  picus_expr force; /* sum of the given forces on it; invalid: none */
} picus_model_displacement;

void picus_model_release_structure(picus_context *context, picus_model_structure *structure);
/* As picus_model_add_structure for a framework; takes over the arrays of map and shape, also if it fails. */
picus_status picus_model_add_mapped_structure(picus_model *model, const picus_structure_def *def,
                                              const picus_framework_map *map, const picus_framework_shape *shape);
/* The index of a structure that consists of beams. */
picus_status picus_model_find_framework(picus_model *model, const char *name, int *structure);
enum { PICUS_DISPLACEMENT_NAME = 160 };
/* Name and unit of a component of all nodes: "ux", "m"; of a component without nodes "x". */
picus_column picus_model_component(const picus_model_structure *s, int component, bool velocity);
/* "rod.x12" or "rod.v12", "shaft.uy3" or "shaft.vy3". */
void picus_model_displacement_name(const picus_model_structure *structure, int index, bool velocity,
                                   char name[PICUS_DISPLACEMENT_NAME]);
/* Units of a displacement or its velocity. */
const char *picus_model_displacement_unit(const picus_model_structure *structure, int index, bool velocity);
/* The symbols of a displacement by its index, from 0. */
picus_status picus_model_displacement_symbols(picus_model *model, int structure, int index, picus_expr *x,
                                              picus_expr *v);
/* The displacement or velocity "rod.x12" of a structure: its index, and whether it is the velocity; -1: there is none.
 */
int picus_model_find_displacement(const picus_model *model, const char *name, int *structure, bool *velocity);

#endif
