/* Circles, tubes, rectangles and given sections. Shear factors after Cowper 1966. */
#include "fe/section.h"

#include <math.h>

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
  for (int n = 199; n > 0; n -= 2) sum += tanh(n * pi * a / (2 * b)) / pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 * b / (pow(pi, 5) * a) * sum);
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
  for (int n = 199; n > 0; n -= 2) sum += 1 / (cosh(n * pi * a / (2 * b)) * n * n);
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
