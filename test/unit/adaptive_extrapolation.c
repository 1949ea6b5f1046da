/* The extrapolation step alone: its weights, its order on smooth motion for schemes of order 1 and 2, what it says
 * about modes, and that snapshots bring a stepper back. */
#include "sim/internal.h"
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Neville's recursion (Studer 2008, (42)), for powers of dt^power. */
static double neville(int count, const int *n, int power, const double *values) {
  double T[PICUS_ORDER_MOST][PICUS_ORDER_MOST] = {{0}};
  for (int i = 0; i < count; i++) {
    T[i][0] = values[i];
    for (int j = 0; j < i; j++)
      T[i][j + 1] = T[i][j] + (T[i][j] - T[i - 1][j]) / (pow((double)n[i] / n[i - j - 1], power) - 1);
  }
  return T[count - 1][count - 1];
}

static double weighted(int count, const int *n, int order, int power, const double *values) {
  double weights[PICUS_ORDER_MOST] = {0}, sum = 0;
  picus_extrapolation_weights(count - 1, n, order, power, weights);
  for (int i = 0; i < count; i++) sum += weights[i] * values[i];
  return sum;
}

static void weights_are_nevilles(void) {
  test_random random = {1};
  const int odd[] = {1, 3, 5, 7, 9, 11, 13, 15}, natural[] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int count = 1; count <= 8; count++)
    for (int power = 1; power <= 2; power++)
      for (int sequence = 0; sequence < 2; sequence++) {
        const int *n = sequence ? natural : odd;
        double values[8] = {0};
        for (int i = 0; i < count; i++) values[i] = test_uniform(&random, -1, 1);
        double should = neville(count, n, power, values);
        CHECK_NEAR(weighted(count, n, power, power, values), should, 1e-10 * fmax(1, fabs(should)));
      }
}

/* Studer 2008, (44): y' = 3 x^2 by Euler steps, 1, 2 and 4 of them. */
static void the_example_of_the_paper(void) {
  const int n[] = {1, 2, 4};
  const double values[] = {0, 3.0 / 8, 21.0 / 32};
  CHECK_NEAR(weighted(2, n, 1, 1, values), 0.75, 1e-15);
  CHECK_NEAR(weighted(3, n, 1, 1, values), 1, 1e-15);
}

/* Studer 2008, (47) and Fig. 5(b): a lasting contact with restitution 0.7, (-e)^n after n substeps. */
static void odd_substeps_keep_restitution_down(void) {
  const int natural[] = {1, 2, 3, 4}, odd[] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23};
  const double table[] = {-0.7, 1.68, -3.8535, 9.2682};
  for (int count = 1; count <= 4; count++) {
    double values[4] = {0};
    for (int i = 0; i < count; i++) values[i] = pow(-0.7, natural[i]);
    CHECK_NEAR(weighted(count, natural, 1, 1, values), table[count - 1], 1e-4);
  }
  for (int count = 1; count <= PICUS_ORDER_MOST; count++)
    for (double e = 0.05; e < 1; e += 0.05) {
      double values[PICUS_ORDER_MOST] = {0};
      for (int i = 0; i < count; i++) values[i] = pow(-e, odd[i]);
      CHECK(fabs(weighted(count, odd, 1, 1, values)) < 1);
    }
}

/* A scheme of order 2 with all powers: the first error is dt^2, then dt^3, ... */
static void a_shifted_expansion_loses_its_terms(void) {
  const int n[] = {1, 3, 5, 7, 9};
  for (int count = 1; count <= 5; count++)
    for (int term = 0; term < count - 1; term++) {
      double values[5] = {0};
      for (int i = 0; i < count; i++) values[i] = 3 + pow(n[i], -(2 + term));
      CHECK_NEAR(weighted(count, n, 2, 1, values), 3, 1e-11);
    }
}

/* --- order on smooth motion --------------------------------------------------------------------------------------- */

/* Kick, drift, kick (Stoermer, Verlet): its own inverse, so its error has even powers of dt only. */
static picus_status verlet_step(stepper *s, double dt, picus_step_info *info) {
  picus_evaluation *e = s->evaluation;
  (void)info;
  for (int half = 0; half < 2; half++) {
    picus_evaluation_set_point(e, s->t + half * dt, s->q, s->u);
    picus_status status = picus_evaluate_force(e, s->h);
    if (status == PICUS_OK) status = picus_evaluation_factor_mass(e);
    if (status != PICUS_OK) return status;
    picus_evaluation_solve_mass(e, s->h);
    for (int i = 0; i < s->system->nu; i++) s->u[i] += 0.5 * dt * s->h[i];
    for (int i = 0; half == 0 && i < s->system->nq; i++) s->q[i] += dt * s->u[i];
  }
  return PICUS_OK;
}
static const scheme_ops verlet = {.order = 2, .power = 2, .step = verlet_step};

/* A pendulum whose support shakes: nonlinear and dependent on time. */
static int unit_mass(void *user, double t, const double *q, double *M) {
  (void)user, (void)t, (void)q;
  M[0] = 1;
  return 0;
}
static int pendulum_force(void *user, double t, const double *q, const double *u, double *h) {
  const double *damping = user; /* without damping Moreau's rule is its own inverse, too */
  h[0] = -4 * sin(q[0]) + 0.5 * cos(3 * t) - *damping * u[0];
  return 0;
}

/* In each step all rows of a fixed order, or those of a tolerance that none meets. */
typedef struct row_choice {
  int order; /* of the steps */
  bool by_error;
} row_choice;

static void swing(const scheme_ops *scheme, row_choice rows, double dt, double damping, double *state) {
  static const double q_start[] = {1}, u_start[] = {0.5};
  picus_system_functions functions = {.nq = 1,
                                      .nu = 1,
                                      .q_start = q_start,
                                      .u_start = u_start,
                                      .mass_is_constant = true,
                                      .force_ignores_velocities = damping == 0,
                                      .mass = unit_mass,
                                      .force = pendulum_force};
  picus_context *context = NULL;
  picus_system *system = NULL;
  picus_sim_options run = picus_default_sim_options();
  stepper s = {0};
  extrapolation e = {0};
  stepper_snapshot at = {0};
  extrapolation_options options = {.dt_min = 1e-12, .order = rows.by_error ? 0 : rows.order};
  options.order_max = rows.order - 2; /* and one more row, for the estimate */
  options.atol = 1e-30;
  bool fine = CHECK(picus_context_create(NULL, &context) == PICUS_OK) &&
              CHECK(picus_system_from_functions(context, &functions, &damping, &system) == PICUS_OK) &&
              CHECK(picus_stepper_create(context, system, scheme, &run, &s) == PICUS_OK) &&
              CHECK(picus_stepper_keep_rounding(&s) == PICUS_OK) &&
              CHECK(picus_extrapolation_create(&s, &options, &e) == PICUS_OK) &&
              CHECK(picus_snapshot_create(&s, &at) == PICUS_OK);
  if (fine) {
    picus_snapshot_save(&s, &at);
    int steps = (int)lround(2 / dt);
    for (int k = 1; k <= steps && fine; k++) {
      extrapolated_step step;
      fine = CHECK(picus_extrapolation_step(&e, &at, dt, k * dt, &at, &step) == PICUS_OK) &&
             CHECK(step.outcome == (rows.by_error ? STEP_INACCURATE : STEP_SMOOTH) && step.order == rows.order);
    }
    state[0] = at.q[0];
    state[1] = at.u[0];
  }
  picus_snapshot_release(&s, &at);
  picus_extrapolation_release(&e);
  picus_stepper_release(&s);
  picus_system_destroy(system);
  picus_context_destroy(context);
}

/* Sizes from `largest` on, each 1.25 times smaller, down to where rounding is near. */
static void check_order(const scheme_ops *scheme, row_choice rows, double largest, double damping) {
  enum { SIZES = 6 };
  double dt[SIZES] = {0}, error[SIZES] = {0}, exact[2] = {0}, state[2] = {0};
  const int order = rows.order;
  swing(scheme, (row_choice){.order = 8}, 0.02, damping, exact);
  int count = 0, steps = (int)(2 / largest);
  for (; count < SIZES; count++, steps += (steps + 3) / 4) {
    dt[count] = 2.0 / steps;
    swing(scheme, rows, dt[count], damping, state);
    error[count] = hypot(state[0] - exact[0], state[1] - exact[1]);
    if (error[count] < 2e-12) break;
  }
  REQUIRE(count >= 3);
  double found = observed_order(count, dt, error);
  printf("  order %2d: dt = %.4g ... %.4g, error %.1e ... %.1e, observed %.2f\n", order, dt[0], dt[count - 1], error[0],
         error[count - 1], found);
  CHECK(found > order - 0.3 && found < order + 0.7);
}

static void moreau_reaches_every_order(void) {
  for (int order = 1; order <= 6; order++)
    check_order(&picus_moreau_scheme, (row_choice){.order = order}, order < 4 ? 0.05 : 0.35, 0.6);
}

static void a_symmetric_scheme_gains_two_orders_by_row(void) {
  for (int order = 2; order <= 8; order += 2)
    check_order(&verlet, (row_choice){.order = order}, order < 4 ? 0.05 : 0.25, 0);
}

static void rattle_gains_two_orders_by_row(void) {
  for (int order = 2; order <= 6; order += 2)
    check_order(&picus_rattle_scheme, (row_choice){.order = order}, order < 4 ? 0.05 : 0.25, 0.6);
}

/* Without forces that depend on velocities, half the rows are enough. */
static void explicit_schemes_gain_two_orders_by_row_without_damping(void) {
  for (int order = 4; order <= 6; order += 2) check_order(&picus_moreau_scheme, (row_choice){order, true}, 0.25, 0);
  for (int order = 6; order <= 8; order += 2)
    check_order(&picus_half_explicit_scheme, (row_choice){order, true}, 0.25, 0);
}

/* A mass on a spring slides on a table, which a second spring presses it on: the friction depends on the position.
 * x'' = -(c + mu k) x - mu g while it slides to the right. */
static double sliding_error(const char *scheme, int order, double dt, long *base_steps) {
  static const char text[] = "local q, u = coordinates { { 'x', velocity = 'v', start = { 0.2, 2 } },\n"
                             "  { 'z', velocity = 'w', start = { 0, 0 } } }\n"
                             "kinetic((u.v^2 + u.w^2) / 2)\n"
                             "force { v = -4 * q.x, w = -9.81 - 3 * q.x }\n"
                             "contact { 'table', gap = q.z, slip = u.v, mu = 0.2 }\n"
                             "simulate { scheme = 'moreau', adaptive = true, dt_min = 1e-9, t_end = 0.4 }\n";
  const double omega = sqrt(4 + 0.2 * 3), rest = -0.2 * 9.81 / (omega * omega), t = 0.4;
  const double exact = rest + (0.2 - rest) * cos(omega * t) + 2 / omega * sin(omega * t);
  double error = NAN;
  simulation s;
  picus_sim_options options;
  picus_summary summary;
  if (simulation_load_text(&s, text, &options)) {
    options.scheme = scheme;
    options.adaptive = true;
    options.order_max = order - 2; /* and one more row, for the estimate */
    options.atol = 1e-30;
    options.rtol = 0;
    options.accept_inaccurate = true; /* all rows in each step, of this size */
    options.dt_max = dt;
    if (simulation_start(&s, &options) && CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK)) {
      error = fabs(picus_sim_state(s.sim).q[0] - exact);
      *base_steps = summary.adaptive.base_steps;
    }
  }
  simulation_close(&s);
  return error;
}

static void planar_slip_keeps_even_powers(void) {
  static const struct {
    const char *scheme;
    int order;
    double dt;
    long most; /* base steps: rows of 1 and 3, and of 1, 3 and 5 */
  } cases[] = {{"moreau", 4, 0.02, 400}, {"moreau", 6, 0.05, 400}, {"half-explicit", 6, 0.05, 400}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    long work[2] = {0, 0};
    const double coarse = sliding_error(cases[k].scheme, cases[k].order, cases[k].dt, &work[0]),
                 fine = sliding_error(cases[k].scheme, cases[k].order, 0.5 * cases[k].dt, &work[1]),
                 found = log2(coarse / fine);
    printf("  %s, order %d: error %.1e, then %.1e: observed %.2f; %ld base steps\n", cases[k].scheme, cases[k].order,
           coarse, fine, found, work[1]);
    CHECK(found > cases[k].order - 0.7 && found < cases[k].order + 0.7 && work[1] < cases[k].most);
  }
}

/* --- snapshots ---------------------------------------------------------------------------------------------------- */

/* A run that is taken back and repeated makes the same bits. */
static void snapshots_bring_everything_back(void) {
  simulation s;
  REQUIRE(simulation_open(&s, "woodpecker", "", 1e-4, 1, NULL));
  stepper *p = &s.sim->stepper;
  stepper_snapshot begin = {0}, first = {0}, second = {0};
  REQUIRE(picus_snapshot_create(p, &begin) == PICUS_OK && picus_snapshot_create(p, &first) == PICUS_OK &&
          picus_snapshot_create(p, &second) == PICUS_OK);
  for (int k = 0; k < 700; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  picus_snapshot_save(p, &begin);
  for (int k = 0; k < 700; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  picus_snapshot_save(p, &first);
  picus_snapshot_restore(&begin, p);
  for (int k = 0; k < 700; k++) CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
  picus_snapshot_save(p, &second);
  CHECK(first.t == second.t && memcmp(first.values, second.values, first.count * sizeof *first.values) == 0);
  CHECK(memcmp(first.modes, second.modes, 3 * sizeof *first.modes) == 0);
  CHECK(memcmp(begin.values, first.values, first.count * sizeof *first.values) != 0);
  picus_snapshot_release(p, &begin);
  picus_snapshot_release(p, &first);
  picus_snapshot_release(p, &second);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"weights_are_nevilles", weights_are_nevilles},
      {"the_example_of_the_paper", the_example_of_the_paper},
      {"odd_substeps_keep_restitution_down", odd_substeps_keep_restitution_down},
      {"a_shifted_expansion_loses_its_terms", a_shifted_expansion_loses_its_terms},
      {"moreau_reaches_every_order", moreau_reaches_every_order},
      {"a_symmetric_scheme_gains_two_orders_by_row", a_symmetric_scheme_gains_two_orders_by_row},
      {"rattle_gains_two_orders_by_row", rattle_gains_two_orders_by_row},
      {"explicit_schemes_gain_two_orders_by_row_without_damping",
       explicit_schemes_gain_two_orders_by_row_without_damping},
      {"planar_slip_keeps_even_powers", planar_slip_keeps_even_powers},
      {"snapshots_bring_everything_back", snapshots_bring_everything_back},
  };
  return test_main(argc, argv, "adaptive_extrapolation", cases, sizeof cases / sizeof cases[0]);
}
