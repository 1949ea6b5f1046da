/* A beam element. Bending in the local x-y plane has the four components d = (v1, s1, v2, s2): deflections and slopes.
 * With the shear parameter Phi = 12 E I / (kappa G A l^2), which is 0 without shear deformation, the deflection v = N d
 * and the rotation s = S d of a section are the static solutions without load inside the element. Bending in the x-z
 * plane has the same matrices for (w1, -ry1, w2, -ry2). */
#include "fe/beam_element.h"

#include <math.h>
#include <string.h>

enum { AXIAL = 0, TORSION = 3, SECOND_NODE = 6 };

/* A bending plane: places of its four components among the twelve, with signs, and the properties in it. */
typedef struct plane {
  int place[4];
  double sign[4];
  double I; /* second moment of area */
  double phi;
  double translation[16]; /* integral of N^T N over the length */
  double rotation[16];    /* integral of S^T S */
} plane;

static void shape_functions(double phi, double l, double xi, double N[4], double S[4]) {
  const double scale = 1 / (1 + phi), x2 = xi * xi, x3 = x2 * xi, shear = 0.5 * phi * (xi - x2);
  N[0] = scale * (1 - 3 * x2 + 2 * x3 + phi * (1 - xi));
  N[1] = scale * l * (xi - 2 * x2 + x3 + shear);
  N[2] = scale * (3 * x2 - 2 * x3 + phi * xi);
  N[3] = scale * l * (x3 - x2 - shear);
  S[0] = scale * 6 / l * (x2 - xi);
  S[1] = scale * (1 - 4 * xi + 3 * x2 + phi * (1 - xi));
  S[2] = -S[0];
  S[3] = scale * (3 * x2 - 2 * xi + phi * xi);
}

/* Adds weight a_i b_j to a 4 x 4 matrix. */
static void add_product(double weight, const double a[4], const double b[4], double matrix[16]) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) matrix[4 * i + j] += weight * (a[i] * b[j]);
}

/* Points and weights of Gauss on [0, 1]: four points integrate polynomials up to degree 7 exactly, N^T N has 6. */
enum { GAUSS_POINTS = 4 };
static double gauss_point(int k) {
  const double root = 2.0 / 7.0 * sqrt(6.0 / 5.0), x = sqrt(3.0 / 7.0 + (k == 0 || k == 3 ? root : -root));
  return 0.5 * (1 + (k < 2 ? -x : x));
}
static double gauss_weight(int k) { return (18 + (k == 0 || k == 3 ? -1 : 1) * sqrt(30.0)) / 72; }

static void integrate(const beam_element *e, plane *p) {
  memset(p->translation, 0, sizeof p->translation);
  memset(p->rotation, 0, sizeof p->rotation);
  if (e->lumped) { /* at each node, half of the element as a rigid rod (docs/theory/beams.md) */
    const double half = 0.5 * e->length;
    p->translation[0] = p->translation[10] = half;
    p->translation[5] = p->translation[15] = half * half * half / 3;
    p->rotation[5] = p->rotation[15] = half;
    return;
  }
  for (int k = 0; k < GAUSS_POINTS; k++) {
    double N[4], S[4];
    shape_functions(p->phi, e->length, gauss_point(k), N, S);
    add_product(gauss_weight(k) * e->length, N, N, p->translation);
    add_product(gauss_weight(k) * e->length, S, S, p->rotation);
  }
}

double picus_beam_element_shear(const beam_element *e, bool is_xy) {
  if (e->theory != PICUS_BEAM_TIMOSHENKO) return 0;
  const double I = is_xy ? e->Iz : e->Iy, kappa = is_xy ? e->shear_y : e->shear_z;
  return 12 * e->young * I / (kappa * e->shear * e->area * e->length * e->length);
}

static plane make_plane(const beam_element *e, bool is_xy) {
  static const plane xy = {{1, 5, 7, 11}, {1, 1, 1, 1}, 0, 0, {0}, {0}};
  static const plane xz = {{2, 4, 8, 10}, {1, -1, 1, -1}, 0, 0, {0}, {0}};
  plane p = is_xy ? xy : xz;
  p.I = is_xy ? e->Iz : e->Iy;
  p.phi = picus_beam_element_shear(e, is_xy);
  integrate(e, &p);
  return p;
}

/* Adds factor times a 4 x 4 matrix, rows in plane a and columns in plane b. */
static void add_block(double factor, const double block[16], const plane *a, const plane *b, double *matrix) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      matrix[BEAM_ORDER * a->place[i] + b->place[j]] += factor * a->sign[i] * b->sign[j] * block[4 * i + j];
}

static void add_bending_stiffness(const beam_element *e, const plane *p, double *K) {
  const double l = e->length, phi = p->phi, factor = e->young * p->I / (l * l * l * (1 + phi));
  const double near = (4 + phi) * l * l, far = (2 - phi) * l * l;
  const double block[16] = {12,  6 * l,  -12, 6 * l,  6 * l, near, -6 * l, far,
                            -12, -6 * l, 12,  -6 * l, 6 * l, far,  -6 * l, near};
  add_block(factor, block, p, p, K);
}

/* One displacement at each end: a (1 -1; -1 1), and m (1/3 1/6; 1/6 1/3) or m (1/2 0; 0 1/2). */
static void add_spring(double a, int place, double *matrix) {
  const int first = place * BEAM_ORDER, second = (place + SECOND_NODE) * BEAM_ORDER;
  matrix[first + place] += a;
  matrix[second + place + SECOND_NODE] += a;
  matrix[first + place + SECOND_NODE] -= a;
  matrix[second + place] -= a;
}
static void add_inertia(double m, bool lumped, int place, double *matrix) {
  const int first = place * BEAM_ORDER, second = (place + SECOND_NODE) * BEAM_ORDER;
  const double same = lumped ? m / 2 : m / 3, other = lumped ? 0 : m / 6;
  matrix[first + place] += same;
  matrix[second + place + SECOND_NODE] += same;
  matrix[first + place + SECOND_NODE] += other;
  matrix[second + place] += other;
}

static double rotary_density(const beam_element *e) { return e->theory == PICUS_BEAM_EULER_BERNOULLI ? 0 : e->density; }

static void add_damping(const beam_element *e, beam_matrices *m) {
  for (int k = 0; k < BEAM_SQUARE; k++) m->C[k] = e->alpha * m->M[k] + e->beta * m->K[k];
  if (e->torsion_damping < 0) return;
  const double polar = e->density * (e->Iy + e->Iz) * e->length;
  add_inertia(e->torsion_damping - e->alpha * polar, e->lumped, TORSION, m->C);
}

/* Inertial axes: the angular momentum rho Ip spin of a slice turns with its axis. Rotating axes: Coriolis and
 * centrifugal forces on deflections; those on the rotations of a slice with Ip = Iy + Iz leave a stiffness rho I
 * spin^2. */
static void add_spin(const beam_element *e, const plane *y, const plane *z, beam_matrices *m) {
  const double mass = e->density * e->area, rotary = rotary_density(e);
  if (e->spin == 0) return;
  double slopes[16] = {0}, deflections[16] = {0}, transposed[16];
  if (e->lumped) {
    memcpy(slopes, y->rotation, sizeof slopes);
    memcpy(deflections, y->translation, sizeof deflections);
    deflections[5] = deflections[15] = 0;
  } else {
    for (int k = 0; k < GAUSS_POINTS; k++) {
      double Ny[4], Sy[4], Nz[4], Sz[4];
      shape_functions(y->phi, e->length, gauss_point(k), Ny, Sy);
      shape_functions(z->phi, e->length, gauss_point(k), Nz, Sz);
      add_product(gauss_weight(k) * e->length, Sy, Sz, slopes);
      add_product(gauss_weight(k) * e->length, Ny, Nz, deflections);
    }
  }
  const double *coupling = e->rotating ? deflections : slopes;
  const double factor = e->rotating ? -2 * e->spin * mass : e->spin * rotary * (e->Iy + e->Iz);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) transposed[4 * i + j] = coupling[4 * j + i];
  add_block(factor, coupling, y, z, m->G);
  add_block(-factor, transposed, z, y, m->G);
  if (!e->rotating) return;
  const plane *const planes[] = {y, z};
  for (int k = 0; k < 2; k++) {
    double block[16];
    memcpy(block, planes[k]->translation, sizeof block);
    if (e->lumped) block[5] = block[15] = 0;
    add_block(-e->spin * e->spin * mass, block, planes[k], planes[k], m->K);
    add_block(e->spin * e->spin * rotary * planes[k]->I, planes[k]->rotation, planes[k], planes[k], m->K);
  }
}

/* A := T^T A T, with the 3 x 3 matrix of the axes along the diagonal of T. */
static void turn(const double axes[9], double *A) {
  double B[BEAM_SQUARE];
  for (int i = 0; i < BEAM_ORDER; i++)
    for (int j = 0; j < BEAM_ORDER; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += A[BEAM_ORDER * i + 3 * (j / 3) + k] * axes[3 * k + j % 3];
      B[BEAM_ORDER * i + j] = sum;
    }
  for (int i = 0; i < BEAM_ORDER; i++)
    for (int j = 0; j < BEAM_ORDER; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += axes[3 * k + i % 3] * B[BEAM_ORDER * (3 * (i / 3) + k) + j];
      A[BEAM_ORDER * i + j] = sum;
    }
}

void picus_mirror(int n, double sign, double *A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      A[n * i + j] = 0.5 * (A[n * i + j] + sign * A[n * j + i]);
      A[n * j + i] = sign * A[n * i + j];
    }
}

void picus_beam_element_matrices(const beam_element *e, beam_matrices *m) {
  const plane y = make_plane(e, true), z = make_plane(e, false);
  const double mass = e->density * e->area, l = e->length;
  memset(m, 0, sizeof *m);
  add_spring(e->young * e->area / l, AXIAL, m->K);
  add_spring(e->shear * e->torsion / l, TORSION, m->K);
  add_bending_stiffness(e, &y, m->K);
  add_bending_stiffness(e, &z, m->K);
  add_inertia(mass * l, e->lumped, AXIAL, m->M);
  add_inertia(e->density * (e->Iy + e->Iz) * l, e->lumped, TORSION, m->M);
  add_block(mass, y.translation, &y, &y, m->M);
  add_block(mass, z.translation, &z, &z, m->M);
  add_block(rotary_density(e) * y.I, y.rotation, &y, &y, m->M);
  add_block(rotary_density(e) * z.I, z.rotation, &z, &z, m->M);
  add_damping(e, m);
  add_spin(e, &y, &z, m);
  if (e->axes[0] == 1 && e->axes[4] == 1 && e->axes[8] == 1) return; /* local axes are the global ones */
  double *const matrices[] = {m->M, m->K, m->C, m->G};
  for (int k = 0; k < 4; k++) {
    turn(e->axes, matrices[k]);
    picus_mirror(BEAM_ORDER, k == 3 ? -1 : 1, matrices[k]);
  }
}
