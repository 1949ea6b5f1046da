/* The elastic bar that hits a wall: Acary (2012), section 6.2. The continuum is in contact for 2 L / c0 with the force
 * E S v0 / c0; the bar of N elements has exact modal solutions (test/data/elastic_bar_N*.csv, t = 0 at the impact). */
#include "support/check.h"
#include "support/reference.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double contact_time = 3.854496446637726e-4, contact_force = 1271.47206060473;
static const double bar_impulse = 0.4900884539600077; /* 2 m v0, N s */

typedef struct wanted_options {
  const char *scheme;
  double theta, dt, t_end;
} wanted_options;

/* What the figures of the paper show. */
typedef struct bar_run {
  recorded_rows rows;
  picus_summary summary;
  double dt;
  double first;    /* percussion of the first step with contact, N s */
  double impulse;  /* of all steps, N s */
  double release;  /* end of the last step with contact, s */
  double velocity; /* largest |velocity| of the tip from the first to the last step with contact, m/s */
} bar_run;

static bool run(const char *overrides, wanted_options wanted, bar_run *r) {
  simulation s;
  *r = (bar_run){.dt = wanted.dt};
  picus_sim_options options;
  bool fine = simulation_load(&s, "elastic-bar", overrides, &options);
  options.scheme = wanted.scheme;
  options.theta = wanted.theta;
  options.dt = wanted.dt;
  options.t_end = wanted.t_end;
  fine = fine && simulation_start(&s, &options) && simulation_run(&s, &r->rows, &r->summary);
  simulation_close(&s);
  if (!fine) return false;
  for (long k = 1; k < r->rows.row_count; k++) {
    double P = recorded_value(&r->rows, k, "wall.PN");
    if (P <= 0) continue;
    if (r->first == 0) r->first = P;
    r->impulse += P;
    r->release = recorded_value(&r->rows, k, "t");
  }
  bool touched = false;
  for (long k = 1; k < r->rows.row_count && recorded_value(&r->rows, k, "t") < r->release + 0.5 * r->dt; k++) {
    touched = touched || recorded_value(&r->rows, k, "wall.PN") > 0;
    if (touched) r->velocity = fmax(r->velocity, fabs(recorded_value(&r->rows, k, "bar.v0")));
  }
  return true;
}

/* Fig. 12: contact time and mean force, and a contact velocity that stays zero as long as the contact is closed. A
 * scheme sees begin and end of the contact to a step or two, which bounds the error of impulse and mean force. */
static void contact_of_the_continuum(void) {
  static const wanted_options schemes[] = {{"moreau-jean", 0.5, 2e-6, 6e-4},
                                           {"moreau-projected", 0.5, 2e-6, 6e-4},
                                           {"moreau-combined", 0.5, 2e-6, 6e-4},
                                           {"moreau", 0.5, 1e-7, 6e-4},
                                           {"rattle", 0.5, 1e-7, 6e-4}};
  for (int i = 0; i < 5; i++) {
    bar_run r;
    REQUIRE(run("", schemes[i], &r));
    double force = r.impulse / r.release;
    printf("  N = 1000, %-16s dt = %.0e: contact %.4e s, mean force %.2f N, tip velocity at most %.1e m/s\n",
           schemes[i].scheme, r.dt, r.release, force, r.velocity);
    CHECK_NEAR(r.release, contact_time, 3 * r.dt + 2e-3 * contact_time); /* N = 1000 itself: 1.3e-3 early */
    CHECK_NEAR(force, contact_force, contact_force * 6 * r.dt / contact_time);
    CHECK_NEAR(r.impulse, bar_impulse, 4 * r.dt * contact_force + 1.3e-3 * bar_impulse);
    CHECK(r.velocity < 1e-12);
    recorded_rows_free(&r.rows);
  }
}

/* The bar of N elements against its exact solution: the free end, the impulse of the impact, the release. */
static void discrete_solutions(void) {
  static const struct {
    int N;
    const char *reference;
    double impulse, release;
  } cases[] = {{10, "elastic_bar_N10.csv", 7.0738175205e-3, 3.737220953e-4},
               {25, "elastic_bar_N25.csv", 2.8295270082e-3, 3.799033167e-4},
               {100, "elastic_bar_N100.csv", 7.0738175205e-4, 3.831060407e-4}};
  static const char *const schemes[] = {"moreau-jean", "moreau"};
  for (int i = 0; i < 6; i++) {
    int c = i / 2;
    reference_table *table = reference_read(cases[c].reference);
    REQUIRE(table);
    double error[2] = {0}, velocity_error[2] = {0}, release_error[2], first_error[2];
    for (int fine = 0; fine < 2; fine++) {
      bar_run r;
      const double dt = fine ? 2.5e-8 : 1e-7;
      const long stride = fine ? 40 : 10;
      char exact_area[64];
      snprintf(exact_area, sizeof exact_area, "N=%d,S=3.1415926535897931e-4", cases[c].N);
      REQUIRE(run(exact_area, (wanted_options){schemes[i % 2], 0.5, dt, 3.6e-4}, &r));
      char tip[16], speed[16];
      snprintf(tip, sizeof tip, "bar.x%d", cases[c].N);
      snprintf(speed, sizeof speed, "bar.v%d", cases[c].N);
      for (long k = 0; k * stride < r.rows.row_count && k < table->row_count; k++) {
        error[fine] =
            fmax(error[fine], fabs(recorded_value(&r.rows, k * stride, tip) - reference_value(table, k, "q_free_end")));
        velocity_error[fine] = fmax(velocity_error[fine], fabs(recorded_value(&r.rows, k * stride, speed) -
                                                               reference_value(table, k, "v_free_end")));
      }
      first_error[fine] = fabs(r.first - cases[c].impulse) / cases[c].impulse;
      recorded_rows_free(&r.rows);
      REQUIRE(run(exact_area, (wanted_options){schemes[i % 2], 0.5, dt, 4.2e-4}, &r));
      release_error[fine] = fabs(r.release - cases[c].release);
      recorded_rows_free(&r.rows);
    }
    printf("  N = %-4d %-11s dt = 1e-7 / 2.5e-8: end %.1e / %.1e m, its velocity %.1e / %.1e m/s, first impulse %.1f / "
           "%.1f %%, release %.1e / %.1e s\n",
           cases[c].N, schemes[i % 2], error[0], error[1], velocity_error[0], velocity_error[1], 100 * first_error[0],
           100 * first_error[1], release_error[0], release_error[1]);
    CHECK(error[1] < 0.35 * error[0] && error[1] < 1.2 * 0.1 * 2.5e-8); /* order 1; v0 dt: a step early or late */
    CHECK(first_error[1] < 1e-3);
    CHECK(release_error[1] < 2 * 2.5e-8);
    reference_free(table);
  }
}

/* The violation is v0 dt / 2 at the impact and stays; projected schemes leave none. (The paper prints 2.5e-5 m for
 * h = 5e-5 s; v0 h / 2 is 2.5e-6 m, and its other end of the range, 2.5e-8 m for 5e-7 s, agrees.) */
static void penetration(void) {
  for (int i = 0; i < 3; i++) {
    bar_run r;
    const double dt = 5e-5 * pow(10, -i);
    REQUIRE(run("N=1000", (wanted_options){"moreau-jean", 0.5, dt, 2e-4}, &r));
    printf("  N = 1000, moreau-jean, dt = %.0e: penetration %.3e m\n", dt, r.summary.gaps.penetration);
    CHECK_NEAR(r.summary.gaps.penetration, 0.1 * dt / 2, 1e-3 * dt);
    recorded_rows_free(&r.rows);
    for (int k = 0; k < 2; k++) {
      REQUIRE(run("N=1000", (wanted_options){k ? "moreau-combined" : "moreau-projected", 0.5, dt, 2e-4}, &r));
      double lowest = 0;
      for (long row = 0; row < r.rows.row_count; row++) lowest = fmin(lowest, recorded_value(&r.rows, row, "wall.gap"));
      CHECK(lowest > -1e-12);
      recorded_rows_free(&r.rows);
    }
  }
}

/* Figs. 16 and 17: the jump in position by the projection shows in the force of the first steps, the less the shorter
 * the step as long as waves do not resolve the elements; then the force is that of the continuum until the contact
 * ends. */
static void forces_of_the_combined_scheme(void) {
  double overshoot[2] = {0};
  for (int i = 0; i < 2; i++) {
    bar_run r;
    const double dt = i ? 2e-7 : 2e-6;
    REQUIRE(run("N=1000", (wanted_options){"moreau-combined", 0.5, dt, 3.5e-4}, &r));
    double deviation = 0;
    for (long k = 1; k < r.rows.row_count; k++) {
      double force = recorded_value(&r.rows, k, "wall.PN") / dt, t = recorded_value(&r.rows, k, "t");
      overshoot[i] = fmax(overshoot[i], force - contact_force);
      if (t > 2e-5) deviation = fmax(deviation, fabs(force - contact_force));
    }
    printf("  N = 1000, moreau-combined, dt = %.0e: force up to %.0f N above the continuum's, %.1f N after 2e-5 s\n",
           dt, overshoot[i], deviation);
    CHECK(deviation < 0.01 * contact_force && overshoot[i] < 0.3 * contact_force);
    recorded_rows_free(&r.rows);
  }
  CHECK(overshoot[1] < 0.8 * overshoot[0]);
}

/* Figs. 13 and 14: the peak of the force, percussion by step size, in the first step of the contact. It shows the
 * impact of the first node: it grows with the element size and, for given elements, with 1 / dt. */
static void peaks(void) {
  static const int sizes[] = {1000, 100, 25, 10};
  double last = 0;
  for (int i = 0; i < 4; i++) {
    char overrides[16];
    bar_run r;
    snprintf(overrides, sizeof overrides, "N=%d", sizes[i]);
    REQUIRE(run(overrides, (wanted_options){"moreau-jean", 0.5, 2e-6, 2e-5}, &r));
    double peak = r.first / r.dt;
    printf("  dt = 2e-6, N = %-4d: first force %.0f N\n", sizes[i], peak);
    CHECK(peak > last);
    last = peak;
    if (sizes[i] == 1000) CHECK(peak < 1.1 * contact_force);
    if (sizes[i] == 10) CHECK(peak > 2 * contact_force);
    recorded_rows_free(&r.rows);
  }
  last = 0;
  for (int i = 0; i < 4; i++) {
    bar_run r;
    const double dt = 2e-5 * pow(10, -i);
    REQUIRE(run("N=100", (wanted_options){"moreau-jean", 0.5, dt, 10 * dt}, &r));
    double peak = r.first / dt;
    printf("  N = 100, dt = %.0e: first force %.0f N, percussion %.4e N s\n", dt, peak, r.first);
    CHECK(peak > last);
    if (i == 3) CHECK_NEAR(r.first, 7.0738175205e-4, 0.05 * 7.07e-4); /* the impulse of the impact is finite */
    last = peak;
    recorded_rows_free(&r.rows);
  }
}

static int reversals_of_the_tip(const bar_run *r) {
  int count = 0;
  for (long k = 2; k < r->rows.row_count && recorded_value(&r->rows, k, "t") < 3.7e-4; k++)
    count += recorded_value(&r->rows, k, "bar.v0") * recorded_value(&r->rows, k - 1, "bar.v0") < 0;
  return count;
}

/* Fig. 15: with e = 0.95 the tip bounces on the wall as long as e = 0 keeps it there. */
static void elastic_impacts(void) {
  bar_run bouncing, resting;
  REQUIRE(run("N=100,e=0.95", (wanted_options){"moreau-jean", 0.5, 2e-6, 6e-4}, &bouncing));
  REQUIRE(run("N=100", (wanted_options){"moreau-jean", 0.5, 2e-6, 6e-4}, &resting));
  printf("  N = 100: the tip turns %d times with e = 0.95, %d times with e = 0\n", reversals_of_the_tip(&bouncing),
         reversals_of_the_tip(&resting));
  CHECK(reversals_of_the_tip(&bouncing) > 20);
  CHECK(resting.velocity < 1e-12);
  CHECK_NEAR(bouncing.impulse, 0.49, 0.01); /* the bar as a whole bounces back nevertheless */
  recorded_rows_free(&bouncing.rows);
  recorded_rows_free(&resting.rows);
}

/* theta = 1/2 keeps the energy but for what the impact takes; theta = 1 damps all waves (Fig. 18). */
static void energy(void) {
  double left[3];
  for (int i = 0; i < 3; i++) {
    bar_run r;
    REQUIRE(run("N=100", (wanted_options){"moreau-jean", 0.5 + 0.25 * i, 2e-6, 6e-4}, &r));
    const picus_summary *s = &r.summary;
    left[i] = s->energy.end / s->energy.start;
    double balance = s->energy.end - s->energy.start + s->energy.dissipated;
    if (i == 0) CHECK(fabs(balance) < 1e-11 * s->energy.start);
    if (i > 0) CHECK(balance < 0);
    CHECK_NEAR(r.release, contact_time, 0.05 * contact_time);
    recorded_rows_free(&r.rows);
  }
  printf("  N = 100, dt = 2e-6: energy left after the contact %.4f, %.4f, %.4f for theta = 0.5, 0.75, 1\n", left[0],
         left[1], left[2]);
  CHECK(left[0] > left[1] && left[1] > left[2] && left[2] < 0.99);
}

/* How rough the velocity of the tip is after the release: sum of its second differences. */
static double roughness(const bar_run *r) {
  double sum = 0;
  for (long k = 1; k + 1 < r->rows.row_count; k++) {
    if (recorded_value(&r->rows, k, "t") < 4.2e-4) continue;
    sum += fabs(recorded_value(&r->rows, k + 1, "bar.v0") - 2 * recorded_value(&r->rows, k, "bar.v0") +
                recorded_value(&r->rows, k - 1, "bar.v0"));
  }
  return sum;
}

/* Schindler et al. (2015), 6.1: damping proportional to the stiffness takes the ringing of the high modes away. */
static void damped(void) {
  bar_run r, undamped;
  REQUIRE(run("N=1000,damping=4.761e-9", (wanted_options){"moreau-jean", 0.5, 2e-7, 6e-4}, &r));
  REQUIRE(run("N=1000", (wanted_options){"moreau-jean", 0.5, 2e-7, 6e-4}, &undamped));
  printf("  N = 1000, damped: contact %.4e s, roughness after it %.1e m/s; undamped %.4e s, %.1e m/s\n", r.release,
         roughness(&r), undamped.release, roughness(&undamped));
  CHECK_NEAR(r.release, contact_time, 0.02 * contact_time);
  CHECK(roughness(&r) < 0.02 * roughness(&undamped));
  CHECK(r.summary.energy.end - r.summary.energy.start + r.summary.energy.dissipated < 0);
  recorded_rows_free(&r.rows);
  recorded_rows_free(&undamped.rows);
}

/* Explicit schemes: beyond the limit of the highest mode, sqrt(12) c0 / l, a step is refused with a reason; just below
 * it the energy stays bounded. */
static void explicit_limit(void) {
  const double c0 = sqrt(2.1e11 / 7800), limit = 2 / (sqrt(12.0) * c0 * 100);
  bar_run r;
  REQUIRE(run("N=100", (wanted_options){"moreau", 0.5, 0.99 * limit, 6e-4}, &r));
  CHECK(r.summary.energy.end < 1.01 * r.summary.energy.start);
  recorded_rows_free(&r.rows);
  REQUIRE(
      run("N=100,damping=4.761e-9", (wanted_options){"rattle", 0.5, 0.99 * limit, 6e-4}, &r)); /* damping is no limit */
  CHECK(r.summary.energy.end < r.summary.energy.start);
  recorded_rows_free(&r.rows);
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_override overrides[] = {{"N", 100}};
  picus_load_options load = {.override_count = 1, .overrides = overrides};
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  REQUIRE(picus_model_load(context, "elastic-bar", &load, &model) == PICUS_OK);
  REQUIRE(picus_system_create(model, &system) == PICUS_OK);
  picus_sim_options options = picus_model_sim_options(model);
  options.scheme = "moreau";
  options.dt = 1.02 * limit;
  CHECK(picus_sim_create(context, system, &options, &sim) == PICUS_ERROR_ARGUMENT && !sim);
  CHECK(strstr(picus_last_error(context)->message, "stability limit") &&
        strstr(picus_last_error(context)->message, "'bar'"));
  options.scheme = "rattle";
  CHECK(picus_sim_create(context, system, &options, &sim) == PICUS_ERROR_ARGUMENT && !sim);
  options.scheme = "moreau-jean";
  CHECK(picus_sim_create(context, system, &options, &sim) == PICUS_OK);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
}

/* Schindler et al. (2015), 6.1, Figs. 13 to 15: half-explicit has one impulse, of the mass at the tip, and forces
 * afterwards. The tip penetrates by v0 dt / 2, as it starts at that gap. With damping the force is that of the
 * continuum, and 0.9 % of the energy is lost. */
static void forces_of_the_half_explicit_scheme(void) {
  static const struct {
    const char *overrides;
    double impulse, loss;
  } cases[] = {{"N=50,gap0=5e-9", 1.4148e-3, 0}, {"N=1000,gap0=5e-9,damping=4.761e-9", 7.0738e-5, 0.009}};
  for (int i = 0; i < 2; i++) {
    bar_run r;
    REQUIRE(run(cases[i].overrides, (wanted_options){"half-explicit", 0.5, 1e-7, 6e-4}, &r));
    double impulse = 0, mean = 0, square = 0;
    long impulses = 0, count = 0;
    for (long k = 1; k < r.rows.row_count; k++) {
      const double Lambda = recorded_value(&r.rows, k, "wall.LambdaN"), t = recorded_value(&r.rows, k, "t");
      const double force =
          0.5 * (recorded_value(&r.rows, k, "wall.lambdaN+") + recorded_value(&r.rows, k, "wall.lambdaN-"));
      impulse += Lambda;
      impulses += Lambda != 0;
      if (t < 0.5e-4 || t > 3.5e-4) continue;
      count++;
      mean += force;
      square += force * force;
    }
    mean /= (double)count;
    const double scatter = sqrt(fmax(0, square / (double)count - mean * mean));
    const double loss = 1 - r.summary.energy.end / r.summary.energy.start;
    printf("  %s: %ld impulse of %.5g N s, contact %.4e s, penetration %.1e m, force %.3f N with a scatter of %.1g N, "
           "loss %.2f %%\n",
           cases[i].overrides, impulses, impulse, r.release, r.summary.gaps.penetration, mean, scatter, 100 * loss);
    CHECK(impulses == 1);
    CHECK_NEAR(impulse, cases[i].impulse, 1e-4 * cases[i].impulse);
    CHECK_NEAR(r.summary.gaps.penetration, 5e-9, 1e-11);
    if (i == 1) CHECK_NEAR(mean, contact_force, 1e-4 * contact_force);
    if (i == 1) CHECK(scatter < 0.01);
    if (i == 1) CHECK_NEAR(loss, cases[i].loss, 5e-4);
    recorded_rows_free(&r.rows);
  }
}

/* A linear step is not judged, because one iteration solves it. Beside a force that is zero at all times, which makes
 * the system general, every iterate is: the numbers are the same, and no step takes a second iteration. */
static void one_iteration_solves_a_linear_step(void) {
  static const char *const general[] = {"", "force {['b.x7'] = when(lt(t, 0), 1, 0)}\n"};
  double q[2][41], u[2][41];
  for (int theta = 0; theta < 2; theta++) {
    for (int k = 0; k < 2; k++) {
      char text[1024];
      snprintf(
          text, sizeof text,
          "local b = bar {'b', elements = 40, length = 1, area = 1e-4, density = 7800, young = 2e11, damping = 1e-7, "
          "start = {0, -0.3}}\n%s"
          "contact {'wall', gap = b.x[0] + 1e-6, eN = 0.3}\ncontact {'other', gap = 3e-6 - b.x[40], eN = 0.8}\n"
          "simulate {scheme = 'moreau-jean', theta = %g, dt = 2e-6, t_end = 4e-4}\n",
          general[k], theta ? 0.8 : 0.5);
      simulation s;
      picus_summary summary;
      if (!simulation_open_text(&s, text)) return;
      CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
      CHECK(summary.implicit.newton_iterations_max == 1 && summary.steps >= 200 && summary.impacts > 0);
      memcpy(q[k], picus_sim_state(s.sim).q, sizeof q[k]);
      memcpy(u[k], picus_sim_state(s.sim).u, sizeof u[k]);
      simulation_close(&s);
    }
    for (int i = 0; i < 41; i++) CHECK(q[0][i] == q[1][i] && u[0][i] == u[1][i]);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"contact_of_the_continuum", contact_of_the_continuum},
      {"discrete_solutions", discrete_solutions},
      {"penetration", penetration},
      {"forces_of_the_combined_scheme", forces_of_the_combined_scheme},
      {"peaks", peaks},
      {"elastic_impacts", elastic_impacts},
      {"energy", energy},
      {"damped", damped},
      {"explicit_limit", explicit_limit},
      {"forces_of_the_half_explicit_scheme", forces_of_the_half_explicit_scheme},
      {"one_iteration_solves_a_linear_step", one_iteration_solves_a_linear_step},
  };
  return test_main(argc, argv, "elastic_bar", cases, sizeof cases / sizeof cases[0]);
}
