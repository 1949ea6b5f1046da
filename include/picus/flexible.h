/* Flexible components of a model: linear structures M q'' + (C + G) q' + K (q - q_ref) = f with constant sparse
 * matrices, from built-in finite elements (bars, beams) or from matrices of another program (Matrix Market files).
 *
 * A component has its own displacements NAME.x0, NAME.x1, ... and velocities NAME.v0, NAME.v1, ...; beams have
 * NAME.ux0, NAME.rz0 and so on. Their symbols (picus_model_node, picus_model_beam_node) may appear in gaps, slip
 * velocities, constraints and observed values, together with the coordinates of the model: laws connect components with
 * each other and with the rest. Potential energies, dissipation and forces may contain them as well. */
#ifndef PICUS_FLEXIBLE_H
#define PICUS_FLEXIBLE_H

#include <picus/base.h>
#include <picus/expr.h>
#include <picus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Components with up to this number of nodes have a table of their nodes in results, unless `table` is set. */
enum { PICUS_TABLE_NODES = 1000 };

/* A square matrix by its entries, both triangles; entries at the same position add up. The arrays belong to the code
 * that filled them; picus_matrix_release frees the arrays of picus_matrix_read. */
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
  picus_matrix mass;       /* symmetric, positive definite */
  picus_matrix stiffness;  /* symmetric, of the same order */
  picus_matrix damping;    /* symmetric; order 0: none */
  picus_matrix gyroscopic; /* G, skew-symmetric: forces -G u without power; order 0: none */
  double alpha, beta;      /* Rayleigh damping alpha M + beta K (1/s, s), added to damping; >= 0 */
  /* order values each, or NULL: zeros */
  const double *load;           /* constant force f */
  const double *reference;      /* q_ref, the stress-free configuration */
  const double *start;          /* initial q */
  const double *velocity_start; /* initial u */
  int first;                    /* number of the first displacement in names and in picus_model_node: 0 or 1 */
  const char *unit;             /* of the displacements; NULL: unknown */
  int record_count;             /* result columns; -1: all displacements and velocities, otherwise those in record */
  const int *record;            /* numbers as in names */
  int table; /* all displacements as a table of HDF5 results: 1, or 0: no; -1: if they are at most PICUS_TABLE_NODES */
} picus_structure_def;
PICUS_API picus_structure_def picus_default_structure_def(void); /* first = 0, record_count = table = -1 */
PICUS_API picus_status picus_model_add_structure(picus_model *model, const picus_structure_def *def);

/* A straight bar that moves along its axis: linear elements with consistent mass (Acary 2012, eq. 71). Node i, 0 to
 * elements, is at i length/elements; its displacement along the axis is NAME.xi. */
typedef struct picus_bar_def {
  const char *name;
  int elements;          /* at least 1 */
  double length;         /* m */
  double area;           /* cross section, m^2 */
  double density;        /* kg/m^3 */
  double young;          /* Young's modulus, N/m^2 */
  double alpha, beta;    /* Rayleigh damping, 1/s and s */
  double gravity;        /* acceleration along the axis towards the last node, m/s^2 */
  double start;          /* initial displacement of all nodes, m */
  double velocity_start; /* initial velocity of all nodes, m/s */
  int record_count;      /* as in picus_structure_def */
  const int *record;     /* record_count numbers of nodes */
  int table;             /* as in picus_structure_def */
} picus_bar_def;
PICUS_API picus_bar_def picus_default_bar_def(void); /* record_count = table = -1, all other fields 0 */
PICUS_API picus_status picus_model_add_bar(picus_model *model, const picus_bar_def *def);

/* Beams: straight members of equal elements between nodes, rigidly joined there at any angle. A node of a planar
 * framework has the displacements ux, uy and the rotation rz, a node of a spatial one ux, uy, uz, rx, ry, rz, along and
 * about the global axes. Deflections and rotations are small; with a spin, rx may grow without bound.
 * docs/theory/beams.md derives the matrices.
 *
 * The local x axis of a member points from its first to its second node. In the plane, local y is 90 degrees to the
 * left of x, and z is normal to the plane. In space, local z is the part of `up` normal to x; by default up is the
 * global z axis, and local y is the global y axis for members along the global z axis. */
typedef enum picus_beam_theory {
  PICUS_BEAM_EULER_BERNOULLI, /* no shear deformation, no rotary inertia of the sections */
  PICUS_BEAM_RAYLEIGH,        /* rotary inertia */
  PICUS_BEAM_TIMOSHENKO       /* rotary inertia and shear deformation */
} picus_beam_theory;
typedef enum picus_section_kind {
  PICUS_SECTION_GIVEN,    /* by area, Iy, Iz, torsion, shear_y, shear_z */
  PICUS_SECTION_CIRCLE,   /* radius */
  PICUS_SECTION_TUBE,     /* radius, inner_radius */
  PICUS_SECTION_RECTANGLE /* size_y, size_z */
} picus_section_kind;
typedef struct picus_section {
  picus_section_kind kind;
  double radius, inner_radius; /* m */
  double size_y, size_z;       /* extent along local y and z, m */
  double area;                 /* m^2 */
  double Iy, Iz;               /* second moments of area about local y and z, m^4; in the plane only Iz is used */
  double torsion;              /* torsion constant, m^4; not used in the plane */
  double shear_y, shear_z;     /* shear factors kappa for forces along y and z; only Timoshenko uses them */
  /* of a given section, for stresses only; 0: unknown */
  double fibre_y, fibre_z; /* largest distances of a fibre along y and z, m */
  double torsion_modulus;  /* torsion moment divided by the largest shear stress, m^3 */
} picus_section;
typedef struct picus_member {
  int from, to; /* nodes, from 0 */
  int elements; /* nodes inside the member are numbered after the given ones, member by member */
  picus_section section;
  double density; /* kg/m^3 */
  double young;   /* Young's modulus, N/m^2 */
  double poisson; /* Poisson's ratio, for the shear modulus and the shear factors */
  double shear;   /* shear modulus, N/m^2; 0: from young and poisson */
  double up[3];   /* zeros: the default above */
} picus_member;
/* Components of displacement; in a support, bits 1 << component. */
typedef enum picus_component { PICUS_UX, PICUS_UY, PICUS_UZ, PICUS_RX, PICUS_RY, PICUS_RZ } picus_component;
typedef struct picus_support {
  int node;       /* its number */
  unsigned fixed; /* bits of the components that stay 0 */
} picus_support;
/* A rigid body at a node: small rotations with the node. */
typedef struct picus_node_body {
  int node;          /* its number */
  double mass;       /* kg */
  double inertia[3]; /* moments about axes through the centre of mass, parallel to the global axes, kg m^2; the plane
                        uses the last */
  double offset[3];  /* centre of mass from the node, m */
} picus_node_body;
/* A linear spring and damper between two nodes, or a node and the ground (to = -1), for each component. */
typedef struct picus_node_spring {
  int node, to;        /* numbers of nodes */
  double stiffness[6]; /* N/m, N m/rad */
  double damping[6];   /* N s/m, N m s/rad */
} picus_node_spring;
typedef struct picus_framework_def {
  const char *name;
  bool spatial;
  int node_count, member_count, support_count, body_count, spring_count;
  const double *positions; /* 3 for each node, m; the plane uses the first two */
  const picus_member *members;
  const picus_support *supports;
  const picus_node_body *bodies;
  const picus_node_spring *springs;
  picus_beam_theory theory;
  bool lumped;            /* diagonal mass matrix of the elements; otherwise consistent */
  double alpha, beta;     /* damping alpha M + beta K of the elements, 1/s and s */
  double torsion_damping; /* N s: torque against the rotation about the axis, for each unit of length and angular
                             velocity, instead of alpha M; < 0: alpha M acts on torsion as well */
  /* rad/s: everything spins about the global x axis, to which all members must be parallel; spatial only. */
  double spin;
  bool rotating; /* displacements in axes that spin with it; otherwise in inertial axes */
  /* m: prescribed translation of all of it, supports included, as functions of time; invalid: none. Displacements are
   * relative to it. */
  picus_expr motion[3];
  double gravity[3];        /* m/s^2 */
  double start[6];          /* initial components of all nodes */
  double velocity_start[6]; /* and their rates */
  int first;                /* number of the first node in names: 0 or 1 */
  int record_count;         /* nodes that become result columns; -1: all */
  const int *record;        /* numbers as in names */
  int table;                /* all nodes as a table of HDF5 results, as in picus_structure_def */
} picus_framework_def;
/* torsion_damping, record_count and table -1, no motion, everything else 0. */
PICUS_API picus_framework_def picus_default_framework_def(void);
PICUS_API picus_member picus_default_member(void); /* elements 1, poisson 0.3, everything else 0 */
PICUS_API picus_status picus_model_add_framework(picus_model *model, const picus_framework_def *def);

/* Symbols of a component of a node of beams; the constant 0 for a supported one. The node is numbered as in names.
 * Either pointer may be NULL. */
PICUS_API picus_status picus_model_beam_node(picus_model *model, const char *framework, int node,
                                             picus_component component, picus_expr *x, picus_expr *v);
/* Number of nodes of a framework; 0: no framework of this name. */
PICUS_API int picus_model_framework_nodes(const picus_model *model, const char *name);

/* A cross-section of a framework, at the distance x from the first node of a member. At a node between two elements,
 * both have their own section forces; the difference is the force on the node, its inertia included. */
typedef struct picus_station {
  int member;  /* from 0; -1: x runs along all members, one after the other, as in a beam of several members */
  double x;    /* m */
  bool before; /* where two elements meet: the one that ends there; otherwise the one that begins */
} picus_station;
/* Section forces on the face whose normal is the local x axis, along and about the local axes of the member: from the
 * element's strain, with the viscous part of beta. In the plane Qz, Mx and My are 0. */
typedef struct picus_section_forces {
  picus_expr N, Qy, Qz;  /* tension and shear forces, N */
  picus_expr Mx, My, Mz; /* torsion and bending moments, N m */
} picus_section_forces;
/* Largest stresses of a cross-section, N/m^2, as docs/theory/beams.md defines them. */
typedef struct picus_section_stresses {
  picus_expr normal; /* size of the largest normal stress: |N| / A and bending */
  picus_expr shear;  /* of the largest shear stress: shear forces and torsion */
  picus_expr mises;  /* sqrt(normal^2 + 3 shear^2): the equivalent stress is nowhere larger */
} picus_section_stresses;
/* Expressions of displacements and velocities of nodes. */
PICUS_API picus_status picus_model_section_forces(picus_model *model, const char *framework, const picus_station *at,
                                                  picus_section_forces *out);
PICUS_API picus_status picus_model_section_stresses(picus_model *model, const char *framework, const picus_station *at,
                                                    picus_section_stresses *out);
/* The normal stress N / A - Mz y / Iz + My z / Iy of the fibre at the local (y, z), positive in tension, N/m^2. */
PICUS_API picus_status picus_model_fibre_stress(picus_model *model, const char *framework, const picus_station *at,
                                                double y, double z, picus_expr *out);

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
