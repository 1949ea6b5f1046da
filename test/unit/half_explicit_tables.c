/* Schindler et al. 2015, Tables 2 and 3: the slider-crank mechanism on [0, 0.1 s] with the classic explicit scheme and
 * with the half-explicit one. The error is the spectral norm of the matrix of differences of the three angles, one row
 * for each step, so that orders 1 and 2 show as slopes 1/2 and 3/2.
 *
 * Table 2: the four corners of the slider with no play (1e-16: open at the start) and no friction, against the motion
 * in a bilateral guide, which is integrated here. Table 3: the play and friction of the model, against the
 * half-explicit scheme with dt = 1e-7. The numbers expected are those of an independent implementation; those of the
 * paper agree with them except for the classic scheme at 1e-3 in Table 3 (7.1e-1 printed). */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ANGLES = 3 };
static const char *const angles[ANGLES] = {"theta1", "theta2", "theta3"};
static const double sizes[] = {1e-3, 1e-4, 1e-5};
#define T_END 0.1

/* Angles at k * spacing, k = 0 ... count - 1. */
typedef struct motion {
  int count;
  double *values; /* count x ANGLES */
} motion;

static bool run(const char *scheme, const char *overrides, double dt, double spacing, motion *out) {
  simulation s;
  picus_sim_options options;
  picus_summary summary;
  recorded_rows rows = {0};
  bool done = simulation_load(&s, "slider-crank", overrides, &options);
  if (done) {
    options.scheme = scheme;
    options.dt = dt;
    options.t_end = T_END;
    options.sample = spacing;
    options.every = 0;
    done = simulation_start(&s, &options) && simulation_run(&s, &rows, &summary);
  }
  *out = (motion){(int)rows.row_count, done ? malloc((size_t)rows.row_count * ANGLES * sizeof(double)) : NULL};
  for (int k = 0; out->values && k < out->count; k++)
    for (int i = 0; i < ANGLES; i++) out->values[k * ANGLES + i] = recorded_value(&rows, k, angles[i]);
  recorded_rows_free(&rows);
  simulation_close(&s);
  return out->values;
}

/* --- the bilateral motion ----------------------------------------------------------------------------------------- */

/* One degree of freedom: l1 sin theta1 + l2 sin theta2 = 0 and theta3 = 0. The energy gives the speed of the crank,
 * omega1 = sqrt(2 (E - V) / m(theta1)). */
static const double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, g = 9.81;

static double rod_angle(double theta1) { return -asin(l1 / l2 * sin(theta1)); }

static double crank_speed(double theta1, double energy) {
  const double theta2 = rod_angle(theta1), ratio = -l1 * cos(theta1) / (l2 * cos(theta2));
  const double M11 = J1 + m1 * l1 * l1 / 4 + (m2 + m3) * l1 * l1, M22 = J2 + m2 * l2 * l2 / 4 + m3 * l2 * l2;
  const double M12 = (m2 / 2 + m3) * l1 * l2 * cos(theta1 - theta2);
  const double V = g * ((m1 / 2 + m2 + m3) * l1 * sin(theta1) + (m2 / 2 + m3) * l2 * sin(theta2));
  const double m = M11 + M22 * ratio * ratio + 2 * M12 * ratio;
  return energy < 0 ? m : sqrt(2 * (energy - V) / m); /* energy < 0: asks for the mass */
}

static motion bilateral_motion(double spacing) {
  const int count = (int)lround(T_END / spacing) + 1, substeps = (int)lround(spacing / 1e-5) * 4;
  const double energy = 0.5 * crank_speed(0, -1) * 150 * 150, h = spacing / substeps;
  motion m = {count, malloc((size_t)count * ANGLES * sizeof(double))};
  double theta = 0;
  for (int k = 0; m.values && k < count; k++) {
    m.values[k * ANGLES] = theta;
    m.values[k * ANGLES + 1] = rod_angle(theta);
    m.values[k * ANGLES + 2] = 0;
    for (int n = 0; n < substeps; n++) { /* the classical method of Runge and Kutta */
      const double a = crank_speed(theta, energy), b = crank_speed(theta + 0.5 * h * a, energy);
      const double c = crank_speed(theta + 0.5 * h * b, energy), d = crank_speed(theta + h * c, energy);
      theta += h / 6 * (a + 2 * b + 2 * c + d);
    }
  }
  return m;
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

/* The largest singular value of the differences D: of the 3 x 3 matrix D^T D the largest eigenvalue, by powers. */
static double spectral_norm(const motion *a, const motion *b) {
  double G[ANGLES][ANGLES] = {{0}}, x[ANGLES] = {1, 1, 1}, length = 0;
  CHECK(a->count == b->count);
  for (int k = 0; k < a->count && k < b->count; k++)
    for (int i = 0; i < ANGLES; i++)
      for (int j = 0; j < ANGLES; j++)
        G[i][j] += (a->values[k * ANGLES + i] - b->values[k * ANGLES + i]) *
                   (a->values[k * ANGLES + j] - b->values[k * ANGLES + j]);
  for (int n = 0; n < 1000; n++) {
    double y[ANGLES] = {0};
    for (int i = 0; i < ANGLES; i++)
      for (int j = 0; j < ANGLES; j++) y[i] += G[i][j] * x[j];
    length = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    for (int i = 0; i < ANGLES && length > 0; i++) x[i] = y[i] / length;
  }
  return sqrt(length);
}

/* Every stride-th row. */
static motion thinned(const motion *m, int stride) {
  motion out = {(m->count - 1) / stride + 1, NULL};
  out.values = malloc((size_t)out.count * ANGLES * sizeof(double));
  for (int k = 0; out.values && k < out.count; k++)
    for (int i = 0; i < ANGLES; i++) out.values[k * ANGLES + i] = m->values[k * stride * ANGLES + i];
  return out;
}

static void check_row(int table, const char *scheme, const char *overrides, const double *expected) {
  motion finest = {0};
  if (table == 2)
    finest = bilateral_motion(sizes[2]);
  else
    run("half-explicit", "", 1e-7, sizes[2], &finest);
  REQUIRE(finest.values);
  for (int k = 0; k < 3; k++) {
    motion reference = thinned(&finest, (int)lround(sizes[k] / sizes[2])), m = {0};
    if (run(scheme, overrides, sizes[k], sizes[k], &m) && reference.values) {
      const double error = spectral_norm(&m, &reference);
      printf("  Table %d, %s, dt = %.0e: %.3e, expected %.3e\n", table, scheme, sizes[k], error, expected[k]);
      CHECK_NEAR(error, expected[k], 0.005 * expected[k]);
    } else
      CHECK(false);
    free(m.values);
    free(reference.values);
  }
  free(finest.values);
}

static void table_2_explicit(void) {
  check_row(2, "moreau-explicit", "c=1e-16,mu=0", (double[]){6.94e-1, 2.11e-1, 6.55e-2});
}
static void table_2_half_explicit(void) {
  check_row(2, "half-explicit", "c=1e-16,mu=0", (double[]){4.24e-1, 2.48e-2, 8.48e-4});
}
/* The same with constraints instead of corners. */
static void table_2_constraints_explicit(void) {
  check_row(2, "moreau-explicit", "c=0", (double[]){8.01e-1, 1.28e-1, 3.86e-2});
}
static void table_2_constraints_half_explicit(void) {
  check_row(2, "half-explicit", "c=0", (double[]){5.27e-1, 2.63e-2, 8.61e-4});
}
static void table_3_explicit(void) { check_row(3, "moreau-explicit", "", (double[]){7.94e-1, 1.53e-1, 4.53e-2}); }
static void table_3_half_explicit(void) { check_row(3, "half-explicit", "", (double[]){4.72e-1, 1.75e-2, 3.30e-3}); }

int main(int argc, char **argv) {
  static const test_case cases[] = {{"table_2_explicit", table_2_explicit},
                                    {"table_2_half_explicit", table_2_half_explicit},
                                    {"table_2_constraints_explicit", table_2_constraints_explicit},
                                    {"table_2_constraints_half_explicit", table_2_constraints_half_explicit},
                                    {"table_3_explicit", table_3_explicit},
                                    {"table_3_half_explicit", table_3_half_explicit}};
  return test_main(argc, argv, "half_explicit_tables", cases, sizeof cases / sizeof cases[0]);
}
