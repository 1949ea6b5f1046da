/* A user-defined system: an elastic pendulum (length r, angle phi) swings against a rough vertical wall. M du = h dt +
 * W dP with all terms written by hand; Picus adds the scheme, the contact problem and the run. */
#include <math.h>
#include <picus/picus.h>
#include <stdio.h>

typedef struct pendulum {
  double m, c, length, g, wall; /* kg, N/m, m, m/s^2, m */
} pendulum;

static int mass(void *user, double t, const double *q, double *M) {
  const pendulum *p = user;
  (void)t;
  M[0] = p->m; /* 2 x 2, row-major; zeroed before the call */
  M[3] = p->m * q[0] * q[0];
  return 0;
}

/* Spring and gravity, and the gyroscopic terms of Lagrange's equations, which belong to h. */
static int force(void *user, double t, const double *q, const double *u, double *h) {
  const pendulum *p = user;
  (void)t;
  h[0] = p->m * q[0] * u[1] * u[1] + p->m * p->g * cos(q[1]) - p->c * (q[0] - p->length);
  h[1] = -2 * p->m * q[0] * u[0] * u[1] - p->m * p->g * q[0] * sin(q[1]);
  return q[0] > 0 ? 0 : 1; /* the equations are singular at zero length: the step fails */
}

static int gaps(void *user, double t, const double *q, double *gap) {
  (void)t;
  gap[0] = ((const pendulum *)user)->wall - q[0] * sin(q[1]);
  return 0;
}

/* Rows of W^T: gap velocity, then slip velocity along the wall; the wall is at rest, so chi stays 0. */
static int directions(void *user, double t, const double *q, double *W, double *chi) {
  (void)user, (void)t, (void)chi;
  W[0] = -sin(q[1]), W[1] = -q[0] * cos(q[1]);
  W[2] = -cos(q[1]), W[3] = q[0] * sin(q[1]);
  return 0;
}

static int energy(void *user, double t, const double *q, const double *u, double *kinetic, double *potential) {
  const pendulum *p = user;
  (void)t;
  *kinetic = 0.5 * p->m * (u[0] * u[0] + q[0] * q[0] * u[1] * u[1]);
  *potential = 0.5 * p->c * (q[0] - p->length) * (q[0] - p->length) - p->m * p->g * q[0] * cos(q[1]);
  return 0;
}

/* No gap_jacobian is given: Picus uses central differences. They must agree with the normal row of W^T, as q' = u. */
static picus_status compare_directions(picus_context *context, const picus_system *system) {
  const double q[2] = {1.1, 0.3}, u[2] = {0, 0};
  double W[4], chi[2], difference[2];
  picus_evaluation *point;
  picus_status status = picus_evaluation_create(context, system, &point);
  if (status) return status;
  picus_evaluation_set_point(point, 0, q, u);
  status = picus_evaluate_directions(point, W, chi);
  if (!status) status = picus_evaluate_gap_jacobian(point, difference);
  if (!status) printf("W by hand %.6f %.6f, differences %.6f %.6f\n", W[0], W[1], difference[0], difference[1]);
  picus_evaluation_destroy(point);
  return status;
}

int main(void) {
  pendulum p = {.m = 1, .c = 400, .length = 1, .g = 9.81, .wall = 0.3};
  const picus_system_law wall = {"wall", PICUS_COULOMB, .has_gap = true, .slips = 1, .mu = 0.2, .eN = 0.6};
  picus_system_functions f = {.nq = 2, .nu = 2, .law_count = 1, .laws = &wall, .mass = mass, .force = force};
  f.gaps = gaps, f.directions = directions, f.energy = energy;
  f.q_names = (const char *[]){"r", "phi"}, f.q_start = (const double[]){1, -0.8};
  picus_sim_options options = picus_default_sim_options();
  options.dt = 1e-4, options.t_end = 3;
  picus_context *context;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_summary s;
  if (picus_context_create(NULL, &context)) return 1;
  picus_status status = picus_system_from_functions(context, &f, &p, &system);
  if (!status) status = compare_directions(context, system);
  if (!status) status = picus_sim_create(context, system, &options, &sim);
  if (!status) status = picus_sim_run(sim, NULL, NULL, &s);
  if (!status) {
    const double *q = picus_sim_state(sim).q;
    printf("t = %g s: r = %.6f m, phi = %.6f rad after %ld impacts\n", s.t_end, q[0], q[1], s.impacts);
    printf("energy %.6f J, then %.6f J; %.6f J dissipated\n", s.energy.start, s.energy.end, s.energy.dissipated);
  } else
    fprintf(stderr, "%s\n", picus_last_error(context)->message);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_context_destroy(context);
  return status;
}
