/* What Breuling et al. (2023) show of the scheme rattle, number by number: section 5.1 with its percussions, the order
 * of percussions (Fig. 8), the iterations of Table 1, bodies with every scheme, and energy over a million steps. */
#include "support/check.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct paper_run {
  recorded_rows rows;
  picus_summary summary;
} paper_run;

typedef struct paper_def {
  const char *model, *overrides, *scheme;
  double dt, t_end, sample, newton_tolerance; /* 0: the model's, every step, the default */
  bool papers_slip;                           /* its direction at the end of the step, as in the paper */
} paper_def;

static bool run(const paper_def *def, paper_run *out) {
  simulation s;
  picus_sim_options options;
  *out = (paper_run){0};
  bool done = simulation_load(&s, def->model, def->overrides, &options);
  if (done) {
    options.scheme = def->scheme ? def->scheme : "rattle";
    options.dt = def->dt;
    if (def->t_end > 0) options.t_end = def->t_end;
    if (def->newton_tolerance > 0) options.implicit.newton_tolerance = def->newton_tolerance;
    if (def->papers_slip) options.implicit.slip_direction = PICUS_SLIP_END;
    options.sample = def->sample;
    options.every = def->sample > 0 ? 0 : 1;
    done = simulation_start(&s, &options) && simulation_run(&s, &out->rows, &out->summary);
  }
  simulation_close(&s);
  return done;
}

/* Sum of a column of percussions over the run. */
static double total(const recorded_rows *rows, const char *column) {
  double sum = 0;
  for (long k = 0; k < rows->row_count; k++) sum += recorded_value(rows, k, column);
  return sum;
}

/* Section 5.1: the percussions of the impact and what the ball does after it, at dt = 1e-2 and without penetration. */
static void ball_percussions(void) {
  const double PN = 4.20214231077435; /* of the impact with eN = 0: m sqrt(2 g 0.9) */
  static const paper_def spinning = {.model = "rotating-ball", .overrides = "omega=50,eN=0", .dt = 1e-2, .t_end = 2};
  paper_run r;
  REQUIRE(run(&spinning, &r));
  CHECK(r.summary.gaps.penetration < 1e-15);
  double largest = 0, friction = 0;
  for (long k = 0; k < r.rows.row_count; k++)
    if (recorded_value(&r.rows, k, "ground.PN") > largest) {
      largest = recorded_value(&r.rows, k, "ground.PN");
      friction = recorded_value(&r.rows, k, "ground.PF");
    }
  printf("  impact: PN %.4f (closed form %.4f), PF / PN %.6f\n", largest, PN, friction / largest);
  CHECK_NEAR(largest, PN, 9.81 * 1e-2); /* the step of the impact holds up to dt of the weight besides */
  CHECK_NEAR(friction / largest, -0.2, 1e-12);
  /* from the start on, momentum: PN in all balances the weight, and the ball rolls with ux = -R uphi = -10/7 */
  CHECK_NEAR(total(&r.rows, "ground.PN"), 9.81 * 2, 1e-9);
  long last = r.rows.row_count - 1;
  CHECK_NEAR(recorded_value(&r.rows, last, "ux"), -10.0 / 7, 1e-9);
  CHECK_NEAR(recorded_value(&r.rows, last, "uphi"), 100.0 / 7, 1e-8);
  recorded_rows_free(&r.rows);
  static const paper_def sticking = {.model = "rotating-ball", .overrides = "omega=10,eN=0", .dt = 1e-2, .t_end = 2};
  REQUIRE(run(&sticking, &r));
  CHECK_NEAR(total(&r.rows, "ground.PF"), -2.0 / 7, 1e-12);
  CHECK_NEAR(recorded_value(&r.rows, r.rows.row_count - 1, "ux"), -2.0 / 7, 1e-12);
  recorded_rows_free(&r.rows);
}

/* Fig. 8: percussions of a step against the integral of the contact force over it, order 1 and better relative to dt.
 */
static void slope_percussions(void) {
  reference_table *table = reference_read("mass_on_slope_case1.csv");
  REQUIRE(table);
  double dt[5], error[5];
  for (int k = 0; k < 5; k++) {
    paper_def def = {.model = "slope", .overrides = "case=1", .dt = 0.0256 / pow(2, k), .t_end = 3.2768};
    long stride = 16 >> k; /* rows of the reference per step */
    paper_run r;
    dt[k] = def.dt;
    error[k] = 0;
    REQUIRE(run(&def, &r));
    for (long row = 1; row < r.rows.row_count; row++) {
      double exact = reference_value(table, row * stride, "PN") - reference_value(table, (row - 1) * stride, "PN");
      error[k] = fmax(error[k], fabs(recorded_value(&r.rows, row, "slope.PN") - exact) / dt[k]);
    }
    recorded_rows_free(&r.rows);
  }
  double order = observed_order(5, dt, error);
  printf("  mean force of a step: error %.2e ... %.2e N, order %.2f\n", error[0], error[4], order);
  CHECK(order > 0.9);
  reference_free(table);
}

/* Table 1: iterations of the first stage, not more than the paper's. It solves to 1e-8, with dt = 1e-2, 1e-4 and 1e-3,
 * and the slope to 1e-12 absolute; with dt = 5e-5, its reference run, because it does not say which, that is 1.27e-9 of
 * m g dt / 2. */
static void iteration_counts(void) {
  static const struct {
    paper_def def;
    double mean;
    long most;
  } rows[] = {
      {{.model = "rotating-ball", .overrides = "", .dt = 1e-2, .newton_tolerance = 1e-8}, 1.0066, 2},
      {{.model = "rotating-ball", .overrides = "omega=50,eN=0", .dt = 1e-2, .newton_tolerance = 1e-8}, 1.0270, 3},
      {{.model = "rotating-ball", .overrides = "omega=10,eN=0", .dt = 1e-2, .newton_tolerance = 1e-8}, 1.0270, 3},
      {{.model = "slider-crank-bodies", .overrides = "", .dt = 1e-4, .newton_tolerance = 1e-8}, 2.2290, 5},
      {{.model = "slope", .overrides = "case=1", .dt = 5e-5, .newton_tolerance = 1.27e-9}, 1.2774, 2},
      {{.model = "slope", .overrides = "case=2", .dt = 5e-5, .newton_tolerance = 1.27e-9}, 1.1737, 2},
      {{.model = "slope", .overrides = "case=3", .dt = 5e-5, .newton_tolerance = 1.27e-9}, 1.3628, 4},
      {{.model = "slope", .overrides = "case=4", .dt = 5e-5, .newton_tolerance = 1.27e-9}, 1.2469, 5},
      {{.model = "tippedisk", .overrides = "", .dt = 1e-3, .newton_tolerance = 1e-8}, 2.4103, 3},
  };
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    paper_run r;
    paper_def def = rows[k].def;
    def.papers_slip = true;
    REQUIRE(run(&def, &r));
    double mean = (double)r.summary.implicit.newton_iterations / (double)r.summary.steps;
    printf("  %-20s %-14s %.4f on average, %ld at most; paper %.4f, %ld\n", rows[k].def.model, rows[k].def.overrides,
           mean, r.summary.implicit.newton_iterations_max, rows[k].mean, rows[k].most);
    CHECK(mean <= rows[k].mean && r.summary.implicit.newton_iterations_max <= rows[k].most);
    recorded_rows_free(&r.rows);
  }
}

/* Every scheme takes bodies with joints, friction and quaternions; they agree with rattle as far as their order lets
 * them. */
static void bodies_with_every_scheme(void) {
  static const paper_def fine = {.model = "tippedisk", .overrides = "", .dt = 5e-5, .t_end = 0.2, .sample = 0.2};
  paper_run reference;
  REQUIRE(run(&fine, &reference));
  double z = recorded_value(&reference.rows, reference.rows.row_count - 1, "z");
  recorded_rows_free(&reference.rows);
  static const char *const schemes[] = {"moreau", "moreau-jean", "moreau-projected", "moreau-combined", "rattle"};
  for (int k = 0; k < 5; k++) {
    paper_def def = {
        .model = "tippedisk", .overrides = "", .scheme = schemes[k], .dt = 2e-4, .t_end = 0.2, .sample = 0.2};
    paper_run r;
    REQUIRE(run(&def, &r));
    double error = fabs(recorded_value(&r.rows, r.rows.row_count - 1, "z") - z);
    printf("  tippedisk, %-17s z off by %.1e m at dt = 2e-4\n", schemes[k], error);
    CHECK(error < 1e-3);
    recorded_rows_free(&r.rows);
    def = (paper_def){.model = "slider-crank-bodies",
                      .overrides = "",
                      .scheme = schemes[k],
                      .dt = 1e-6,
                      .t_end = 2.5e-3,
                      .sample = 5e-4};
    REQUIRE(run(&def, &r));
    CHECK_NEAR(recorded_value(&r.rows, r.rows.row_count - 1, "t"), 2.5e-3, 1e-12);
    CHECK(r.summary.gaps.penetration < 1e-4);
    CHECK(r.summary.gaps.constraint < 1e-3);
    recorded_rows_free(&r.rows);
  }
}

/* Smooth motion with joints: the energy oscillates with dt^2 and does not drift in a million steps. */
static void energy_over_a_million_steps(void) {
  static const paper_def def = {
      .model = "slider-crank", .overrides = "c=0,g=0", .dt = 1e-4, .t_end = 100, .sample = 0.05};
  paper_run r;
  REQUIRE(run(&def, &r));
  CHECK(r.summary.steps >= 1000000);
  double first = recorded_value(&r.rows, 0, "E.total"), early = 0, late = 0;
  for (long k = 0; k < r.rows.row_count; k++) {
    double error = fabs(recorded_value(&r.rows, k, "E.total") - first) / first;
    if (k < r.rows.row_count / 10) early = fmax(early, error);
    if (k > r.rows.row_count * 9 / 10) late = fmax(late, error);
  }
  printf("  relative error of the energy: %.3e in the first tenth, %.3e in the last\n", early, late);
  CHECK(late < 1.05 * early);
  CHECK(r.summary.gaps.constraint < 1e-11); /* the crank has turned by 1e4 rad: eps times that times its length */
  recorded_rows_free(&r.rows);
}

/* A chain of four rods on revolute joints, let go from the horizontal: order 2 against a run with smaller steps, joints
 * closed, and no drift of the energy in 10^5 steps of chaotic motion. */
static const char chain_text[] = "model('chain', 'rods on hinges')\n"
                                 "gravity {0, -9.81}\n"
                                 "local last, x = ground, 0\n"
                                 "for k = 1, 4 do\n"
                                 "  local rod = planar_body {'rod' .. k, mass = 1, inertia = 1 / 12,\n"
                                 "                           position = {x + 0.5, 0}, suffix = tostring(k)}\n"
                                 "  revolute {'hinge' .. k, last, rod, at = {x, 0}}\n"
                                 "  last, x = rod, x + 1\n"
                                 "end\n"
                                 "simulate {scheme = 'rattle', dt = 1e-3, t_end = 1}\n";

static bool run_chain(double dt, double t_end, double sample, paper_run *out) {
  simulation s;
  picus_sim_options options;
  *out = (paper_run){0};
  bool done = simulation_load_text(&s, chain_text, &options);
  if (done) {
    options.scheme = "rattle";
    options.dt = dt;
    options.t_end = t_end;
    options.sample = sample;
    options.every = 0;
    done = simulation_start(&s, &options) && simulation_run(&s, &out->rows, &out->summary);
  }
  simulation_close(&s);
  return done;
}

static void pendulum_chain(void) {
  double angle[5], dt[3], error[3];
  paper_run r;
  for (int k = 0; k < 5; k++) {
    REQUIRE(run_chain(4e-3 / pow(2, k), 0.8, 0.8, &r));
    angle[k] = recorded_value(&r.rows, r.rows.row_count - 1, "phi4");
    CHECK(r.summary.gaps.constraint < 1e-13);
    recorded_rows_free(&r.rows);
  }
  double limit = angle[4] + (angle[4] - angle[3]) / 3; /* of an error c dt^2 */
  for (int k = 0; k < 3; k++) {
    dt[k] = 4e-3 / pow(2, k);
    error[k] = fabs(angle[k] - limit);
  }
  double order = observed_order(3, dt, error);
  printf("  chain: error of the last angle %.1e ... %.1e, order %.2f\n", error[0], error[2], order);
  CHECK(order > 1.8 && order < 2.2);
  REQUIRE(run_chain(1e-3, 100, 0.05, &r));
  /* means, and the largest: peaks of chaotic motion differ by a factor of four if masses change by 1e-13 */
  double early = 0, late = 0, most = 0;
  for (long k = 0; k < r.rows.row_count; k++) {
    double energy = fabs(recorded_value(&r.rows, k, "E.total") - recorded_value(&r.rows, 0, "E.total"));
    most = fmax(most, energy);
    *(k < r.rows.row_count / 2 ? &early : &late) += 2 * energy / (double)r.rows.row_count;
  }
  printf("  chain: energy off by %.1e J in the first half of 10^5 steps, %.1e J in the second, at most %.1e J\n", early,
         late, most);
  CHECK(late < 2 * early && most < 0.1);
  recorded_rows_free(&r.rows);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"ball_percussions", ball_percussions},
      {"slope_percussions", slope_percussions},
      {"iteration_counts", iteration_counts},
      {"bodies_with_every_scheme", bodies_with_every_scheme},
      {"energy_over_a_million_steps", energy_over_a_million_steps},
      {"pendulum_chain", pendulum_chain},
  };
  return test_main(argc, argv, "slow_rattle_paper", cases, (int)(sizeof cases / sizeof *cases));
}
