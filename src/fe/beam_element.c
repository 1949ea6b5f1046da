/* A beam element: the properties of its cross-section, and its matrices (docs/theory/beams.md derives them).
 *
 * Bending in the local x-y plane has the four components d = (v1, s1, v2, s2): deflections and slopes.
 * With the shear parameter Phi = 12 E I / (kappa G A l^2), which is 0 without shear deformation, the deflection v = N d
 * and the rotation s = S d of a section are the static solutions without load inside the element. Bending in the x-z
 * plane has the same matrices for (w1, -ry1, w2, -ry2). */
#include "fe/beam_element.h"
#include "base/elementary.h"

#include <math.h>
#include <string.h>

/* --- cross-sections ----------------------------------------------------------------------------------------------- */

/* Circles, tubes, rectangles and given sections. Shear factors after Cowper 1966. */

static const double pi = 3.14159265358979323846;

static void set_ring(double outer, double inner, double nu, beam_element *e) {
  const double a2 = outer * outer, b2 = inner * inner, m2 = b2 / a2;
  e->area = pi * (a2 - b2);
  e->Iy = e->Iz = pi / 4 * (a2 * a2 - b2 * b2);
  e->torsion = 2 * e->Iy;
  const double sum = (1 + m2) * (1 + m2);
  e->shear_y = e->shear_z = 6 * (1 + nu) * sum / ((7 + 6 * nu) * sum + (20 + 12 * nu) * m2);
}

/* Saint-Venant's torsion of a rectangle a x b, b <= a: a b^3 / 3 (1 - 192 b / (pi^5 a) sum_n tanh(n pi a / 2 b) / n^5),
 * n odd. */
static double rectangle_torsion(double y, double z) {
  const double a = fmax(y, z), b = fmin(y, z);
  double sum = 0;
  for (int n = 199; n > 0; n -= 2) sum += picus_tanh(n * pi * a / (2 * b)) / picus_pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 * b / (picus_pow(pi, 5) * a) * sum);
}

static void set_rectangle(double y, double z, double nu, beam_element *e) {
  e->area = y * z;
  e->Iz = z * y * y * y / 12;
  e->Iy = y * z * z * z / 12;
  e->torsion = rectangle_torsion(y, z);
  e->shear_y = e->shear_z = 10 * (1 + nu) / (12 + 11 * nu);
}

void picus_section_properties(const picus_section *section, double poisson, beam_element *e) {
  switch (section->kind) {
  case PICUS_SECTION_CIRCLE:
    set_ring(section->radius, 0, poisson, e);
    return;
  case PICUS_SECTION_TUBE:
    set_ring(section->radius, section->inner_radius, poisson, e);
    return;
  case PICUS_SECTION_RECTANGLE:
    set_rectangle(section->size_y, section->size_z, poisson, e);
    return;
  case PICUS_SECTION_GIVEN:
    break;
  }
  e->area = section->area, e->Iy = section->Iy, e->Iz = section->Iz, e->torsion = section->torsion;
  e->shear_y = section->shear_y, e->shear_z = section->shear_z;
}

typedef struct size {
  const char *name;
  double value;
  bool needed;
} size;

static const char *find_fault(int count, const size *sizes, double *value) {
  for (int i = 0; i < count; i++)
    if (sizes[i].needed && !(sizes[i].value > 0 && isfinite(sizes[i].value))) {
      *value = sizes[i].value;
      return sizes[i].name;
    }
  return NULL;
}

const char *picus_section_fault(const picus_section *s, bool spatial, picus_beam_theory theory, double *value) {
  const bool shear = theory == PICUS_BEAM_TIMOSHENKO;
  const size ring[] = {{"radius", s->radius, true}, {"inner radius", s->inner_radius, s->kind == PICUS_SECTION_TUBE}};
  const size rectangle[] = {{"size along y", s->size_y, true}, {"size along z", s->size_z, true}};
  const size given[] = {{"area", s->area, true},
                        {"second moment of area Iz", s->Iz, true},
                        {"second moment of area Iy", s->Iy, spatial},
                        {"torsion constant", s->torsion, spatial},
                        {"shear factor for y", s->shear_y, shear},
                        {"shear factor for z", s->shear_z, shear && spatial}};
  switch (s->kind) {
  case PICUS_SECTION_CIRCLE:
  case PICUS_SECTION_TUBE:
    return find_fault(2, ring, value);
  case PICUS_SECTION_RECTANGLE:
    return find_fault(2, rectangle, value);
  case PICUS_SECTION_GIVEN:
    break;
  }
  return find_fault(6, given, value);
}

/* Saint-Venant's torsion: the largest stress, in the middle of the longer sides, is G times the twist times
 * b (1 - 8 / pi^2 sum_n 1 / (n^2 cosh(n pi a / 2 b))), n odd, for a x b, b <= a. */
static double rectangle_twist_stress(double y, double z) {
  const double a = fmax(y, z), b = fmin(y, z);
  double sum = 0;
  for (int n = 199; n > 0; n -= 2) sum += 1 / (picus_cosh(n * pi * a / (2 * b)) * n * n);
  return b * (1 - 8 / (pi * pi) * sum);
}

/* Shear forces: Q S / (I b) at the neutral axis, with the first moment S of half of the section and the width b there.
 */
static void set_ring_stress(double outer, double inner, const beam_element *e, section_stress *out) {
  const double squares = outer * outer + inner * inner;
  out->round = true;
  out->bending_y = out->bending_z = outer / e->Iy;
  out->shear_y = out->shear_z = 4.0 / 3 * (squares + outer * inner) / (squares * e->area);
  out->torsion = outer / e->torsion;
}

void picus_section_stress(const picus_section *s, double poisson, section_stress *out) {
  beam_element e = {0};
  picus_section_properties(s, poisson, &e);
  *out = (section_stress){.tension = 1 / e.area};
  switch (s->kind) {
  case PICUS_SECTION_CIRCLE:
  case PICUS_SECTION_TUBE:
    set_ring_stress(s->radius, s->kind == PICUS_SECTION_TUBE ? s->inner_radius : 0, &e, out);
    return;
  case PICUS_SECTION_RECTANGLE:
    out->bending_y = 0.5 * s->size_z / e.Iy;
    out->bending_z = 0.5 * s->size_y / e.Iz;
    out->shear_y = out->shear_z = 1.5 / e.area;
    out->torsion = rectangle_twist_stress(s->size_y, s->size_z) / e.torsion;
    return;
  case PICUS_SECTION_GIVEN:
    break;
  }
  out->bending_y = s->Iy > 0 ? s->fibre_z / s->Iy : 0;
  out->bending_z = s->fibre_y / s->Iz;
  out->shear_y = out->shear_z = 1 / s->area; /* the mean: the shape is not known */
  out->torsion = s->torsion_modulus > 0 ? 1 / s->torsion_modulus : 0;
}

const char *picus_section_stress_fault(const picus_section *s, bool spatial) {
  double value;
  const size sizes[] = {{"fibre_y", s->fibre_y, true},
                        {"fibre_z", s->fibre_z, spatial},
                        {"torsion_modulus", s->torsion_modulus, spatial}};
  return s->kind == PICUS_SECTION_GIVEN ? find_fault(3, sizes, &value) : NULL;
}

/* --- matrices ----------------------------------------------------------------------------------------------------- */

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
