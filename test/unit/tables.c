/* Tables: values, derivatives and bits of their expressions; motions with tables against closed forms, with fixed and
 * adaptive steps; points from files; what is refused with which sentence. */
#include "expr/internal.h"
#include "expr/tape.h"
#include "model/internal.h"
#include "support/check.h"
#include "support/simulate.h"
#include "text_format/internal.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- values ------------------------------------------------------------------------------------------------------- */

typedef struct fixture {
  picus_context *context;
  picus_pool *pool;
  picus_expr x;
} fixture;

static bool open_fixture(fixture *f) {
  *f = (fixture){0};
  if (!CHECK(picus_context_create(NULL, &f->context) == PICUS_OK)) return false;
  if (!CHECK(picus_pool_create(f->context, &f->pool) == PICUS_OK)) return false;
  f->x = picus_variable(f->pool, "x");
  return true;
}

static void close_fixture(fixture *f) {
  picus_pool_destroy(f->pool);
  CHECK(picus_context_memory(f->context) == 0);
  picus_context_destroy(f->context);
}

static double value_at(fixture *f, picus_expr expr, double x) {
  double value = NAN;
  CHECK(picus_expr_evaluate(f->pool, expr, &x, &value) == PICUS_OK);
  return value;
}

static double line_at(int n, const double *x, const double *y, double at) {
  if (at <= x[0]) return y[0];
  for (int i = 1; i < n; i++)
    if (at < x[i]) return y[i - 1] + (at - x[i - 1]) * ((y[i] - y[i - 1]) / (x[i] - x[i - 1]));
  return y[n - 1];
}

/* Points with widths over twelve decades, so that bins of the search are empty, or have many knots. */
static void random_points(test_random *random, int n, double *x, double *y) {
  x[0] = test_uniform(random, -5, 5);
  for (int i = 0; i < n; i++) {
    if (i > 0) x[i] = fmax(x[i - 1] + pow(10, test_uniform(random, -9, 3)), nextafter(x[i - 1], INFINITY));
    y[i] = test_uniform(random, -2, 2);
  }
}

/* The linear table against a search from knot to knot, bit for bit; at the knots and around them, too. */
static void lines_are_found(void) {
  test_random random = {1};
  enum { MOST = 200 };
  for (int run = 0; run < 60; run++) {
    fixture f;
    double x[MOST], y[MOST];
    const int n = test_integer(&random, 2, MOST);
    REQUIRE(open_fixture(&f));
    random_points(&random, n, x, y);
    const picus_table_def def = {.count = n, .x = x, .y = y};
    const picus_expr table = picus_expr_table(f.pool, &def, f.x);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
      const double places[] = {x[i], nextafter(x[i], -INFINITY), nextafter(x[i], INFINITY),
                               test_uniform(&random, x[0] - 1, x[n - 1] + 1),
                               i + 1 < n ? test_uniform(&random, x[i], x[i + 1]) : 2 * x[i]};
      for (int k = 0; k < 5; k++) {
        /* on a knot both lines have its height, but for round-off */
        const double expected = line_at(n, x, y, places[k]), got = value_at(&f, table, places[k]);
        wrong += !(fabs(got - expected) <= 1e-15 * 4);
      }
    }
    CHECK(wrong == 0);
    CHECK_NEAR(value_at(&f, table, -1e300), y[0], 0);
    CHECK_NEAR(value_at(&f, table, 1e300), y[n - 1], 0);
    CHECK_NEAR(value_at(&f, table, INFINITY), y[n - 1], 0);
    CHECK(isnan(value_at(&f, table, NAN)));
    close_fixture(&f);
  }
}

/* Cubics go through their points, stay between neighbours, and have a continuous derivative, which is that of the
 * values; so have the first and the second derivative. */
static void cubics_are_monotone(void) {
  test_random random = {2};
  enum { N = 12 };
  for (int run = 0; run < 40; run++) {
    fixture f;
    double x[N], y[N];
    REQUIRE(open_fixture(&f));
    x[0] = 0;
    for (int i = 0; i < N; i++) {
      if (i > 0) x[i] = x[i - 1] + test_uniform(&random, 0.2, 2);
      y[i] = test_uniform(&random, -1, 1);
    }
    const picus_table_def def = {.count = N, .x = x, .y = y, .kind = PICUS_TABLE_CUBIC};
    picus_expr order[4] = {picus_expr_table(f.pool, &def, f.x)};
    for (int k = 1; k < 4; k++) order[k] = picus_derivative(f.pool, order[k - 1], 0);
    double number;
    const picus_expr fourth = picus_derivative(f.pool, order[3], 0);
    CHECK(picus_expr_is_number(f.pool, fourth, &number) && number == 0);
    for (int i = 0; i < N - 1; i++) {
      const double h = 1e-5, low = fmin(y[i], y[i + 1]), high = fmax(y[i], y[i + 1]);
      CHECK_NEAR(value_at(&f, order[0], x[i]), y[i], 0);
      if (i > 0) CHECK_NEAR(value_at(&f, order[1], nextafter(x[i], -INFINITY)), value_at(&f, order[1], x[i]), 1e-12);
      for (int k = 1; k < 10; k++) {
        const double at = x[i] + k * (x[i + 1] - x[i]) / 10;
        CHECK(value_at(&f, order[0], at) >= low - 1e-14 && value_at(&f, order[0], at) <= high + 1e-14);
        for (int d = 0; d < 3; d++) {
          const double slope = (value_at(&f, order[d], at + h) - value_at(&f, order[d], at - h)) / (2 * h);
          CHECK_NEAR(value_at(&f, order[d + 1], at), slope, 1e-6 * (1 + fabs(slope)));
        }
      }
    }
    close_fixture(&f);
  }
}

/* A cubic reproduces straight lines; and converges to a smooth monotone function with order 3 at least. */
static void cubics_converge(void) {
  double error[3] = {0};
  for (int k = 0; k < 3; k++) {
    fixture f;
    const int n = 10 << (2 * k);
    double *x = calloc(2 * (size_t)n, sizeof *x), *y = x + n;
    REQUIRE(x && open_fixture(&f));
    for (int i = 0; i < n; i++) {
      x[i] = 1.4 * i / (n - 1);
      y[i] = sin(x[i]);
    }
    const picus_table_def def = {.count = n, .x = x, .y = y, .kind = PICUS_TABLE_CUBIC};
    const picus_expr table = picus_expr_table(f.pool, &def, f.x);
    for (int i = 0; i <= 1000; i++) {
      const double at = 1.4 * i / 1000;
      error[k] = fmax(error[k], fabs(value_at(&f, table, at) - sin(at)));
    }
    free(x);
    close_fixture(&f);
  }
  printf("  errors %.1e %.1e %.1e\n", error[0], error[1], error[2]);
  CHECK(error[1] < error[0] / 16 && error[2] < error[1] / 16); /* four times the points */
}

/* Tapes, packed pools and pools that are gone: the same bits. Equal tables are stored once. */
static void tapes_have_the_same_bits(void) {
  fixture f;
  const double x[] = {0, 1, 3, 3.5}, y[] = {1, -1, 2, 2};
  REQUIRE(open_fixture(&f));
  const picus_table_def lines = {.count = 4, .x = x, .y = y}, cubics = {.count = 4, .x = x, .y = y, .kind = 1};
  const picus_expr inner = picus_expr_table(f.pool, &lines, picus_mul(f.pool, f.x, f.x));
  const picus_expr both = picus_add(f.pool, inner, picus_expr_table(f.pool, &cubics, f.x));
  const picus_expr outputs[2] = {both, picus_derivative(f.pool, both, 0)};
  CHECK(inner.id == picus_expr_table(f.pool, &lines, picus_mul(f.pool, f.x, f.x)).id && f.pool->table_count == 2);
  picus_packed_pool *packed = NULL;
  picus_pool *other = NULL;
  picus_tape *tapes[2] = {NULL, NULL};
  const picus_tape_stage stage = {2, outputs};
  REQUIRE(picus_pool_pack(f.context, f.pool, &packed) == PICUS_OK);
  REQUIRE(picus_pool_unpack(f.context, packed, &other) == PICUS_OK);
  picus_packed_pool_destroy(packed);
  REQUIRE(picus_tape_create(f.pool, 1, &stage, &tapes[0]) == PICUS_OK);
  REQUIRE(picus_tape_create(other, 1, &stage, &tapes[1]) == PICUS_OK);
  picus_pool_destroy(other);
  for (double at = -1; at < 3; at += 0.013)
    for (int k = 0; k < 2; k++) {
      double registers[64] = {at}, values[2];
      picus_tape_prepare(tapes[k], registers);
      picus_tape_run(tapes[k], 0, registers);
      picus_tape_read(tapes[k], 0, registers, values);
      CHECK(values[0] == value_at(&f, outputs[0], at) && values[1] == value_at(&f, outputs[1], at));
    }
  char text[100];
  picus_expr_format(f.pool, outputs[1], text, sizeof text);
  CHECK_TEXT(text, "table'(x) + 2*x*table'(x*x)");
  picus_tape_destroy(tapes[0]);
  picus_tape_destroy(tapes[1]);
  close_fixture(&f);
}

static void wrong_points_are_refused(void) {
  static const double rising[] = {0, 1, 2}, equal[] = {0, 1, 1}, nan_at[] = {0, NAN, 2}, huge[] = {-1e308, 1e308, 0},
                      close_by[] = {0, 4e-324, 1};
  static const struct {
    picus_table_def def;
    const char *sentence;
  } wrong[] = {
      {{.count = 1, .x = rising, .y = rising}, "has 1 points; it must have at least 2"},
      {{.count = -3, .x = rising, .y = rising}, "has -3 points"},
      {{.count = 3, .x = equal, .y = rising},
       "x must increase from point to point, but x = 1 of point 3 follows x = 1"},
      {{.count = 3, .x = rising, .y = nan_at}, "point 2 of 3, (1, nan), is not finite"},
      {{.count = 3, .x = rising, .y = huge}, "the slope at point 1, (0, -1e+308), is too large"},
      {{.count = 3, .x = close_by, .y = rising}, "the slope at point 1"},
      {{.count = 3, .x = rising, .y = rising, .kind = 7}, "unknown kind 7"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    fixture f;
    REQUIRE(open_fixture(&f));
    CHECK(!picus_expr_valid(picus_expr_table(f.pool, &wrong[k].def, f.x)));
    if (!CHECK(strstr(picus_last_error(f.context)->message, wrong[k].sentence)))
      printf("  %s\n", picus_last_error(f.context)->message);
    close_fixture(&f);
  }
}

/* --- motions ------------------------------------------------------------------------------------------------------ */

#define ONE_MASS(x, v, rest)                                                                                           \
  "model('one mass','')\nlocal q,u = coordinates {{'x',velocity='v',start={" #x "," #v                                 \
  "}}}\nkinetic(u.v^2/2)\ncontact {'far',gap=q.x+100}\n" rest

typedef struct end_state {
  double x, v;
  picus_summary summary;
} end_state;

static bool run_adaptive(const char *text, const char *scheme, double tolerance, double t_end, end_state *end) {
  simulation s;
  recorded_rows rows = {0};
  const adaptive_run options = {.dt_min = 1e-9, .tolerance = tolerance, .t_end = t_end, .scheme = scheme};
  const bool done = simulation_open_adaptive_text(&s, text, options) && simulation_run(&s, &rows, &end->summary);
  if (done) {
    end->x = recorded_value(&rows, rows.row_count - 1, "x");
    end->v = recorded_value(&rows, rows.row_count - 1, "v");
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
  return done;
}

static bool run_fixed(const char *text, const char *scheme, double dt, double t_end, end_state *end) {
  simulation s;
  recorded_rows rows = {0};
  picus_sim_options options;
  bool done = simulation_load_text(&s, text, &options);
  options.scheme = scheme;
  options.dt = dt;
  options.t_end = t_end;
  done = done && simulation_start(&s, &options) && simulation_run(&s, &rows, &end->summary);
  if (done) {
    end->x = recorded_value(&rows, rows.row_count - 1, "x");
    end->v = recorded_value(&rows, rows.row_count - 1, "v");
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
  return done;
}

static const char *const bases[] = {"rattle", "moreau", "half-explicit", "moreau-jean", "half-explicit-rk"};
enum { BASES = sizeof bases / sizeof *bases };

/* The same force as a table, and as a tree of conditions, whose switching points are known to be right: the zeros are
 * the same, and so is the motion. Exact: two stiffnesses, from adaptive_switches. */
static void springs_of_lines(void) {
  static const char *const text = ONE_MASS(1, 0, "force {x=-table(q.x,{{-2,-800},{0,0},{2,200}})}");
  static const double tolerances[] = {1e-6, 1e-8, 1e-10};
  for (int b = 0; b < BASES; b++)
    for (int k = 0; k < 3; k++) {
      end_state end = {0};
      REQUIRE(run_adaptive(text, bases[b], tolerances[k], 10, &end));
      CHECK_NEAR(end.x, 0.5063656411097555, 10 * tolerances[k]);
      CHECK(end.summary.adaptive.missed == 0 && end.summary.adaptive.switching_points == 42);
      if (end.summary.adaptive.switching_points != 42)
        printf("  %s %g: %ld points\n", bases[b], tolerances[k], end.summary.adaptive.switching_points);
    }
}

/* A spring with twenty knots, which the mass runs through forwards and backwards; energy is the integral of the table,
 * and the knots of one function are all found. */
static void springs_of_many_lines(void) {
  char text[4000];
  int at = snprintf(text, sizeof text, ONE_MASS(0.9, 0, "force {x=-table(q.x,{"));
  double y[21];
  for (int i = 0; i <= 20; i++) {
    const double x = -1 + 0.1 * i;
    y[i] = 40 * x * (1 + 0.5 * cos(9 * x)) + (i % 2 ? 3 : -3) * x * x;
    at += snprintf(text + at, sizeof text - (size_t)at, "{%.17g,%.17g},", x, y[i]);
  }
  snprintf(text + at, sizeof text - (size_t)at, "})}");
  double least = INFINITY;
  for (int k = 0; k < 3; k++) {
    end_state ends[2] = {{0}};
    const double tolerance = k == 0 ? 1e-6 : k == 1 ? 1e-8 : 1e-10;
    REQUIRE(run_adaptive(text, "rattle", tolerance, 3, &ends[0]) &&
            run_adaptive(text, "moreau", tolerance, 3, &ends[1]));
    const double difference = fabs(ends[0].x - ends[1].x);
    printf("  tolerance %g: x = %.12g, difference %.1e, %ld switching points\n", tolerance, ends[0].x, difference,
           ends[0].summary.adaptive.switching_points);
    CHECK(difference <= 100 * tolerance && difference < least && ends[0].summary.adaptive.missed == 0);
    CHECK(ends[0].summary.adaptive.switching_points > 60);
    least = difference;
    end_state fixed = {0};
    REQUIRE(k < 2 || run_fixed(text, "half-explicit-rk", 1e-4, 3, &fixed));
    if (k == 2) CHECK_NEAR(fixed.x, ends[0].x, 1e-6);
  }
}

/* A force that is a table of time: v and x are the integrals of lines and of cubics, exact in each piece. The table
 * begins and ends inside of the run, and its argument may run backwards. */
static void tables_of_time(void) {
  static const struct {
    const char *text;
    double x, v;
  } models[] = {
      /* a = 2 t to 0.5, then 2 - 2 t to 1.5, then -1 */
      {ONE_MASS(0, 0, "force {x=table(t,{{0,0},{0.5,1},{1.5,-1}})}"), 1.0 / 24 + 1.0 / 4 + 1.0 / 6 + 0.125 - 0.125,
       -0.25},
      {ONE_MASS(0, 0, "force {x=table(3-2*t,{{0,-1},{2,1},{3,0}})}"), 1.0 / 24 + 1.0 / 4 + 1.0 / 6 + 0.125 - 0.125,
       -0.25},
  };
  for (size_t m = 0; m < 2; m++)
    for (int b = 0; b < BASES; b++) {
      end_state end = {0};
      REQUIRE(run_adaptive(models[m].text, bases[b], 1e-10, 2, &end));
      CHECK_NEAR(end.v, models[m].v, 1e-9);
      CHECK_NEAR(end.x, models[m].x, 1e-9);
      CHECK(end.summary.adaptive.missed == 0 && end.summary.adaptive.switching_points == 0);
    }
}

/* A support whose height is a table of time: its velocity jumps at the knots, so that a mass that rests on it is
 * pushed, or left behind and falls. */
static void supports_of_lines(void) {
  static const char *const text =
      "local q,u = coordinates {{'x',velocity='v',start={0,0}}}\nkinetic(u.v^2/2)\npotential(10*q.x)\n"
      "contact {'floor',gap=q.x-table(t,{{0.5,0},{1,0.5},{1.5,0.5}})}\n";
  /* from 1 s on a throw with 1 m/s, which is back at 1.2 s */
  static const struct { double t, x, v; } at[] = {{0.75, 0.25, 1}, {1.1, 0.55, 0}, {1.4, 0.5, 0}};
  for (int b = 0; b < 4; b += 3)
    for (size_t k = 0; k < 3; k++) {
      end_state end = {0};
      REQUIRE(run_adaptive(text, bases[b], 1e-9, at[k].t, &end));
      CHECK_NEAR(end.x, at[k].x, 1e-7);
      CHECK_NEAR(end.v, at[k].v, 1e-7);
    }
}

/* Fixed steps do not stop at knots: half-explicit-rk keeps its order 2 at kinks. */
static void fixed_steps_keep_their_order(void) {
  static const char *const text = ONE_MASS(0, 0, "force {x=table(t,{{0,0},{0.3141592,1},{1.2718281,-1}})-q.x}");
  double error[3];
  end_state exact = {0};
  REQUIRE(run_adaptive(text, "rattle", 1e-12, 2, &exact));
  for (int k = 0; k < 3; k++) {
    end_state end = {0};
    REQUIRE(run_fixed(text, "half-explicit-rk", 0.01 / (1 << (2 * k)), 2, &end));
    error[k] = fabs(end.x - exact.x);
    CHECK(end.summary.steps == (200 << (2 * k)));
  }
  printf("  errors %.1e %.1e %.1e\n", error[0], error[1], error[2]);
  CHECK(error[1] < error[0] / 8 && error[2] < error[1] / 8);
}

/* The derivatives of z, zw and their velocities on a road of height h, as long as the tyre presses and the stop is
 * open.
 */
static void car_rates(const double s[4], double h, double rate[4]) {
  const double spring = 18000 * (s[1] - s[0]) + 1200 * (s[3] - s[2]);
  rate[0] = s[2];
  rate[1] = s[3];
  rate[2] = spring / 300;
  rate[3] = (180000 * (h - s[1]) - spring) / 40;
}

static void car_step(double s[4], double dt, const double h[3]) {
  double k[4][4], at[4];
  static const double part[4] = {0, 0.5, 0.5, 1};
  static const int place[4] = {0, 1, 1, 2};
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < 4; i++) at[i] = s[i] + (stage > 0 ? part[stage] * dt * k[stage - 1][i] : 0);
    car_rates(at, h[place[stage]], k[stage]);
  }
  for (int i = 0; i < 4; i++) s[i] += dt / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* quarter-car without bump and pothole: a linear system, integrated from knot to knot by the classical Runge-Kutta
 * method, with the road of the model. */
static void quarter_car(void) {
  enum { KNOTS = 300, PARTS = 40 };
  double s[4] = {0}, road[KNOTS + 1];
  for (int i = 0; i <= KNOTS; i++) {
    const double place = 0.1 * i;
    road[i] = 0;
    for (int n = 1; n <= 8; n++) road[i] += 0.004 / n * sin(0.37 * n * n * place + n);
    road[i] *= fmin(1, place / 5);
  }
  for (int k = 0; k < KNOTS * PARTS; k++) {
    const double *h = &road[k / PARTS], x = (double)(k % PARTS) / PARTS, half = 0.5 / PARTS;
    const double heights[3] = {h[0] + x * (h[1] - h[0]), h[0] + (x + half) * (h[1] - h[0]),
                               h[0] + (x + 2 * half) * (h[1] - h[0])};
    car_step(s, 0.1 / 15 / PARTS, heights);
  }
  static const double tolerances[] = {1e-6, 1e-8, 1e-10};
  for (int k = 0; k < 3; k++) {
    simulation car;
    recorded_rows rows = {0};
    picus_summary summary = {0};
    const adaptive_run run = {
        .dt_min = 1e-9, .tolerance = tolerances[k], .t_end = KNOTS * 0.1 / 15, .scheme = "rattle", .sample = 0.5};
    REQUIRE(simulation_open_adaptive(&car, "quarter-car", "bump=0,hole=0", run) &&
            simulation_run(&car, &rows, &summary));
    const double error = fabs(recorded_value(&rows, rows.row_count - 1, "v_wheel") - s[3]);
    printf("  tolerance %g: error of the velocity %.1e m/s\n", tolerances[k], error);
    CHECK(error <= 100 * tolerances[k] && summary.adaptive.missed == 0 && summary.adaptive.switching_points == 0);
    CHECK_NEAR(recorded_value(&rows, rows.row_count - 1, "z"), s[0], 10 * tolerances[k]);
    recorded_rows_free(&rows);
    simulation_close(&car);
  }
}

/* A drawing has no tables, but shows the same. */
static void drawings_show_tables(void) {
  static const char *const text =
      "local q,u = coordinates {{'x',velocity='v'}}\nkinetic(u.v^2/2)\n"
      "local points = {{-1,0.5},{0,0},{0.4,0.2},{0.5,-0.1}}\n"
      "draw {'circle', {table(q.x,points), table(2*q.x+t,points,{kind='cubic'})}, radius=0.1}\n";
  simulation s;
  picus_sim_options options;
  picus_drawing *drawing = NULL;
  const double x[] = {-1, 0, 0.4, 0.5}, y[] = {0.5, 0, 0.2, -0.1};
  REQUIRE(simulation_load_text(&s, text, &options));
  REQUIRE(picus_model_make_drawing(s.model, &drawing) == PICUS_OK && drawing);
  double *values = calloc((size_t)drawing->step_count, sizeof *values);
  for (double at = -2; at < 1; at += 0.01) {
    double variables[2] = {0, 0};
    for (int k = 0; k < drawing->variable_count; k++) variables[k] = strcmp(drawing->variables[k], "x") == 0 ? at : 0.1;
    picus_drawing_evaluate(drawing, variables, values);
    CHECK_NEAR(values[drawing->points[0][0]], line_at(4, x, y, at), 1e-14);
    CHECK_NEAR(values[drawing->points[0][1]], line_at(4, x, y, 2 * at + 0.1), 0.2);
  }
  for (int k = 0; k < drawing->step_count; k++) CHECK(drawing->steps[k].op != PICUS_TABLE);
  free(values);
  picus_drawing_destroy(drawing);
  simulation_close(&s);
}

/* Beyond the ends: constant, or a sentence that names the place. */
static void ends_of_tables(void) {
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary;
  picus_sim_options options;
  static const char *const text = ONE_MASS(0, 1, "force {x=table(q.x,{{-1,0},{0.5,0}},{outside='fail'})}");
  REQUIRE(simulation_load_text(&s, text, &options));
  options.scheme = "moreau";
  options.dt = 1e-2;
  options.t_end = 1;
  REQUIRE(simulation_start(&s, &options));
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_ERROR_NUMBER);
  const char *message = picus_last_error(s.context)->message;
  if (!CHECK(strstr(message, "table(0.505"))) printf("  %s\n", message);
  recorded_rows_free(&rows);
  simulation_close(&s);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static picus_status parse(picus_context *context, const char *text, size_t size, const data_column columns[2],
                          data_points *points) {
  unsigned char *bytes = malloc(size + 1); /* of exactly this size, for the sanitizers */
  if (size) memcpy(bytes, text, size);
  unsigned char *exact = malloc(size ? size : 1);
  if (size) memcpy(exact, bytes, size);
  free(bytes);
  const picus_model_file file = {.name = "road.csv", .bytes = exact, .size = size};
  const picus_status status = picus_points_parse(context, "road.csv", &file, columns, 1000, points);
  free(exact);
  return status;
}

static void files_are_read(void) {
  static const char *const texts[] = {
      "0,1\n1,3\n2.5,-4e-1\n",
      "# comment\nt, y\n 0 , 1\n1,3\n\n2.5,-.4",
      "\xEF\xBB\xBFt;z;y\r\n0;9;1\r\n1;9;3\r\n2.5;9;-0.4\r\n",
      "% matlab\n0 1\n1\t3\n  2.5   -0.4  7\n",
      "\"t\",\"y\"\n\"0\",\"1\"\n1,3,\n2.5,-0.4,,,\n",
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    picus_context *context;
    data_points p;
    const data_column columns[2] = {{k == 2 ? "t" : NULL, 1}, {k == 1 || k == 2 || k == 4 ? "y" : NULL, 2}};
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    if (!CHECK(parse(context, texts[k], strlen(texts[k]), columns, &p) == PICUS_OK))
      printf("  %zu: %s\n", k, picus_last_error(context)->message);
    CHECK(p.count == 3 && p.x[2] == 2.5 && p.y[1] == 3 && p.y[2] == -0.4);
    picus_points_release(context, &p);
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
  }
}

static void hostile_files_end_in_sentences(void) {
  static const struct {
    const char *text, *name;
    int number;
    const char *sentence;
  } wrong[] = {
      {"", NULL, 2, "'road.csv' has no points"},
      {"# only\n\n  \n", NULL, 2, "'road.csv' has no points"},
      {"0,1\n", NULL, 2, "'road.csv' has 1 point; a table needs at least 2"},
      {"t,y\n0,1\n", NULL, 2, "has 1 point"},
      {"0,1\n1,nan\n", NULL, 2, "'road.csv', line 2: 'nan' in column 2 is not a number, such as 1.5 or -2e-3"},
      {"0,1\n1,inf\n", NULL, 2, "line 2: 'inf' in column 2 is not a number"},
      {"0,1\n1,1e999\n", NULL, 2, "line 2: a number in column 2 is too large"},
      {"0,1\n1,0x10\n", NULL, 2, "line 2: '0x10' in column 2 is not a number"},
      {"0,1\n1\n", NULL, 2, "line 2: there is 1 column, but column 2 is needed"},
      {"0,1\n1,,3\n", NULL, 2, "line 2: column 2 is empty; every line needs a number there"},
      {"0,1\n1,2\n1,3\n", NULL, 2, "line 3: x must increase from line to line, but 1 follows 1"},
      {"0;1,5\n1;2,5\n", NULL, 2, "line 1: '1,5' in column 2 is not a number"},
      {"nan,1\n1,2\n2,3\n", NULL, 2, "line 1: 'nan' in column 1 is not a number"},
      {"O,1\n1,2\n2,3\n", NULL, 2, "line 1: 'O' in column 1 is not a number"},
      {"-inf,nan\n1,2\n2,3\n", NULL, 2, "line 1: '-inf' in column 1 is not a number"},
      {"0,x\n1,2\n2,3\n", NULL, 2, "line 1: 'x' in column 2 is not a number"},
      {"x,y\r0,1\r1,2\r", NULL, 2, "'road.csv' ends its lines with a carriage return alone; save it with line feeds"},
      {"\xFF\xFE"
       "0\n",
       NULL, 2, "'road.csv' is text of 16 bits a character (UTF-16); save it as UTF-8"},
      {"\xFE\xFF"
       "0\n",
       NULL, 2, "(UTF-16)"},
      {"t,y\n0,1\n1,2\n", "z", 0, "line 1: there is no column 'z' among 't,y'"},
      {"0,1\n1,2\n", "z", 0, "line 1: the file has no line with names, so there is no column 'z'"},
      {"0,1\n1,2\n", NULL, 3, "line 1: there are 2 columns, but column 3 is needed"},
      {"0,1\n1,2\n", NULL, 0, "there is no column 0; columns count from 1"},
      {"0,1\n1,2\n", NULL, 2000000000, "there is no column 2000000000"},
      {"\x1b[31m,\x01\n0,\x1b]0;x\n", NULL, 2, "is not a number"},
      {"0,1\n1,11111111111111111111111111111111111111111111111111111111111111111111111111\n", NULL, 2,
       "line 2: column 2 has 74 characters and is no number"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    picus_context *context;
    data_points p;
    const data_column columns[2] = {{NULL, 1}, {wrong[k].name, wrong[k].number}};
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    CHECK(parse(context, wrong[k].text, strlen(wrong[k].text), columns, &p) != PICUS_OK && p.count == 0);
    const char *message = picus_last_error(context)->message;
    if (!CHECK(strstr(message, wrong[k].sentence))) printf("  %s\n", message);
    CHECK(!strchr(message, '\x1b'));
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
  }
  picus_context *context;
  data_points p;
  const data_column columns[2] = {{NULL, 1}, {NULL, 2}};
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  CHECK(parse(context, "0,1\n\0,2\n3,4\n", 12, columns, &p) != PICUS_OK);
  CHECK_TEXT(picus_last_error(context)->message, "'road.csv' contains a zero byte: it is not text");
  char many[20000];
  size_t at = 0;
  for (int i = 0; i < 1100; i++) at += (size_t)snprintf(many + at, sizeof many - at, "%d,0\n", i);
  CHECK(parse(context, many, at, columns, &p) == PICUS_ERROR_FILE_LIMIT);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* --- checkpoints -------------------------------------------------------------------------------------------------- */

/* A checkpoint of a model with other data, far from the state, is another model's. */
static void checkpoints_know_the_data(void) {
  static const char *const texts[2] = {ONE_MASS(0, 1, "force {x=table(q.x,{{0,0},{1,1},{2,2}})}"),
                                       ONE_MASS(0, 1, "force {x=table(q.x,{{0,0},{1,1},{2,2.5}})}")};
  void *bytes = NULL;
  size_t size = 0;
  for (int k = 0; k < 2; k++) {
    simulation s;
    picus_sim_options options;
    REQUIRE(simulation_load_text(&s, texts[k], &options));
    options.scheme = "moreau";
    options.dt = 1e-2;
    options.t_end = 1;
    REQUIRE(simulation_start(&s, &options));
    if (k == 0) {
      REQUIRE(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
      REQUIRE(picus_sim_save(s.sim, NULL, 0, &size) == PICUS_OK && (bytes = malloc(size)));
      CHECK(picus_sim_save(s.sim, bytes, size, &size) == PICUS_OK);
      CHECK(picus_sim_load(s.sim, bytes, size, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
    } else
      CHECK(picus_sim_load(s.sim, bytes, size, PICUS_LOAD_SAME_MODEL) != PICUS_OK);
    simulation_close(&s);
  }
  free(bytes);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"lines_are_found", lines_are_found},
      {"cubics_are_monotone", cubics_are_monotone},
      {"cubics_converge", cubics_converge},
      {"tapes_have_the_same_bits", tapes_have_the_same_bits},
      {"wrong_points_are_refused", wrong_points_are_refused},
      {"springs_of_lines", springs_of_lines},
      {"springs_of_many_lines", springs_of_many_lines},
      {"tables_of_time", tables_of_time},
      {"supports_of_lines", supports_of_lines},
      {"fixed_steps_keep_their_order", fixed_steps_keep_their_order},
      {"quarter_car", quarter_car},
      {"drawings_show_tables", drawings_show_tables},
      {"ends_of_tables", ends_of_tables},
      {"files_are_read", files_are_read},
      {"hostile_files_end_in_sentences", hostile_files_end_in_sentences},
      {"checkpoints_know_the_data", checkpoints_know_the_data},
  };
  return test_main(argc, argv, "tables", cases, sizeof cases / sizeof *cases);
}
