/* The first row of results: modes and forces at the start from accelerations, against closed forms. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Forces and modes at the start of a model. */
typedef struct start {
  simulation s;
  double force[16];
  picus_mode modes[8];
} start;

static bool begin(start *x, const char *text) {
  if (!simulation_open_text(&x->s, text)) return false;
  if (CHECK(picus_sim_find_forces(x->s.sim, x->force, x->modes) == PICUS_OK)) return true;
  printf("  %s\n", picus_last_error(x->s.context)->message);
  return false;
}

/* A block on an incline: m = 2 kg, g = 10 m/s^2, slope alpha; along it with the velocity v, gap h. */
static void say_block(char *text, size_t size, double alpha, double mu, double v, double h) {
  snprintf(
      text, size,
      "local q, u = coordinates { {'x', velocity = 'v', start = {0, %.17g}}, {'y', velocity = 'w', start = %.17g} }\n"
      "kinetic(u.v^2 + u.w^2)\n"
      "potential(20 * (q.y * cos(%.17g) - q.x * sin(%.17g)))\n"
      "contact {'floor', gap = q.y, slip = u.v, mu = %.17g}\n"
      "simulate {dt = 1e-3, t_end = 0.1, scheme = 'half-explicit'}\n",
      v, h, alpha, alpha, mu);
}

static void block_on_an_incline(void) {
  static const struct {
    double alpha, mu, v, h;
    picus_mode mode;
  } cases[] = {{0.3, 0.5, 0, 0, PICUS_STICK},  {0.6, 0.5, 0, 0, PICUS_SLIP},    {0.3, 0.5, 1, 0, PICUS_SLIP},
               {0.3, 0.5, -1, 0, PICUS_SLIP},  {0.3, 0.5, 1e-9, 0, PICUS_SLIP}, {0.3, 0.5, 0, 1e-6, PICUS_OPEN},
               {-0.3, 0.5, 0, 0, PICUS_STICK}, {0.3, 0, 0, 0, PICUS_SLIP},      {2, 0.5, 0, 0, PICUS_OPEN}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double N = cases[k].mode == PICUS_OPEN ? 0 : 20 * cos(cases[k].alpha), along = 20 * sin(cases[k].alpha);
    const double way = cases[k].v != 0 ? cases[k].v : along;
    const double F = cases[k].mode == PICUS_STICK ? -along : -copysign(cases[k].mu * N, way);
    char text[1024];
    start x = {0};
    say_block(text, sizeof text, cases[k].alpha, cases[k].mu, cases[k].v, cases[k].h);
    if (begin(&x, text)) {
      if (!CHECK(x.modes[0] == cases[k].mode)) printf("  case %zu: mode %d\n", k, (int)x.modes[0]);
      CHECK_NEAR(x.force[0], N, 1e-11);
      CHECK_NEAR(x.force[1], F, 1e-11);
    }
    simulation_close(&x.s);
  }
}

/* The row at t = 0 has them; percussions are 0 there, and the second row has those of the first step alone. */
static void first_row_has_them(void) {
  char text[1024];
  simulation s;
  recorded_rows rows = {0};
  picus_summary summary;
  say_block(text, sizeof text, 0.3, 0.5, 0, 0);
  if (simulation_open_text(&s, text) && simulation_run(&s, &rows, &summary)) {
    CHECK(recorded_value(&rows, 0, "floor.mode") == PICUS_STICK);
    CHECK(recorded_value(&rows, 0, "floor.PN") == 0 && recorded_value(&rows, 0, "floor.PF") == 0);
    CHECK_NEAR(recorded_value(&rows, 0, "floor.lambdaN+"), 20 * cos(0.3), 1e-11);
    CHECK_NEAR(recorded_value(&rows, 0, "floor.lambdaF-"), -20 * sin(0.3), 1e-11);
    CHECK(recorded_value(&rows, 0, "floor.LambdaN") == 0);
    CHECK_NEAR(recorded_value(&rows, 1, "floor.PN"), 20 * cos(0.3) * 1e-3, 1e-13);
  }
  recorded_rows_free(&rows);
  simulation_close(&s);
}

/* To ask for them changes no bit of what follows. */
static void steps_do_not_notice(void) {
  static const char *const models[] = {"woodpecker", "slider-crank", "slope", "rocking-block",
                                       "slider-crank-clearance"};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    simulation asked, other;
    if (simulation_open(&asked, models[k], "", 0, 0, NULL) && simulation_open(&other, models[k], "", 0, 0, NULL)) {
      double force[64];
      picus_mode modes[32];
      CHECK(picus_sim_find_forces(asked.sim, force, modes) == PICUS_OK);
      for (int i = 0; i < 200; i++)
        CHECK(picus_sim_step(asked.sim, 0, NULL) == PICUS_OK && picus_sim_step(other.sim, 0, NULL) == PICUS_OK);
      const picus_state a = picus_sim_state(asked.sim), b = picus_sim_state(other.sim);
      CHECK(memcmp(a.q, b.q, (size_t)a.nq * sizeof *a.q) == 0 && memcmp(a.u, b.u, (size_t)a.nu * sizeof *a.u) == 0);
    }
    simulation_close(&asked);
    simulation_close(&other);
  }
}

/* Nor do adaptive runs, whose driver has begun when the first row is recorded. */
static void adaptive_runs_do_not_notice(void) {
  static const char *const models[] = {"woodpecker", "slope", "bouncing-ball"};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    const adaptive_run run = {.tolerance = 1e-7, .dt_min = 1e-6, .t_end = 0.1};
    simulation recorded, other;
    recorded_rows rows = {0};
    picus_summary summary;
    if (simulation_open_adaptive(&recorded, models[k], "", run) &&
        simulation_open_adaptive(&other, models[k], "", run)) {
      CHECK(simulation_run(&recorded, &rows, &summary));
      CHECK(picus_sim_run(other.sim, NULL, NULL, &summary) == PICUS_OK);
      const picus_state a = picus_sim_state(recorded.sim), b = picus_sim_state(other.sim);
      CHECK(memcmp(a.q, b.q, (size_t)a.nq * sizeof *a.q) == 0 && memcmp(a.u, b.u, (size_t)a.nu * sizeof *a.u) == 0);
    }
    recorded_rows_free(&rows);
    simulation_close(&recorded);
    simulation_close(&other);
  }
}

/* A mass on a circle, as a joint and as a bowl: m g + m v^2 / l. A rod that turns too fast leaves the top of a hill. */
static void curved_ways(void) {
  start x = {0};
  if (begin(&x,
            "local q, u = coordinates { {'x', velocity = 'v', start = {0, 3}}, {'y', velocity = 'w', start = -2} }\n"
            "kinetic((u.v^2 + u.w^2) / 2)\npotential(10 * q.y)\n"
            "constraint {'rod', position = sqrt(q.x^2 + q.y^2) - 2}\nsimulate {dt = 1e-3, t_end = 1}\n"))
    CHECK_NEAR(x.force[0], -(10 + 4.5), 1e-8);
  simulation_close(&x.s);
  for (int fast = 0; fast < 2; fast++) { /* the hill: m g - m v^2 / l */
    char text[1024];
    snprintf(text, sizeof text,
             "local q, u = coordinates { {'x', velocity = 'v', start = {0, %d}}, {'y', velocity = 'w', start = 2} }\n"
             "kinetic((u.v^2 + u.w^2) / 2)\npotential(10 * q.y)\n"
             "contact {'hill', gap = sqrt(q.x^2 + q.y^2) - 2, slip = (q.y * u.v - q.x * u.w) / 2, mu = 0.5}\n"
             "simulate {dt = 1e-3, t_end = 1}\n",
             fast ? 5 : 3);
    if (begin(&x, text)) {
      CHECK(x.modes[0] == (fast ? PICUS_OPEN : PICUS_SLIP));
      CHECK_NEAR(x.force[0], fast ? 0 : 10 - 4.5, 1e-8);
      CHECK_NEAR(x.force[1], fast ? 0 : -0.5 * (10 - 4.5), 1e-8);
    }
    simulation_close(&x.s);
  }
}

/* Slip in space: friction is opposite to it. A moving floor drags; a belt that accelerates, too. */
static void other_laws(void) {
  start x = {0};
  if (begin(
          &x,
          "local q, u = coordinates { {'x', velocity = 'a', start = {0, 3}}, {'y', velocity = 'b', start = {0, -4}},\n"
          " {'z', velocity = 'c'} }\nkinetic((u.a^2 + u.b^2 + u.c^2) / 2)\npotential(10 * q.z)\n"
          "force {a = 7, b = 2}\ncontact {'floor', gap = q.z, slip = {u.a, u.b}, mu = 0.5}\n"
          "simulate {dt = 1e-3, t_end = 1}\n")) {
    CHECK(x.modes[0] == PICUS_SLIP);
    CHECK_NEAR(x.force[1], -3, 1e-6);
    CHECK_NEAR(x.force[2], 4, 1e-6);
  }
  simulation_close(&x.s);
  if (begin(&x, "local q, u = coordinates { {'x', velocity = 'a'} }\nkinetic(u.a^2 / 2)\n"
                "friction {'belt', slip = u.a - 2 * sin(t), reservoir = 5}\nsimulate {dt = 1e-3, t_end = 1}\n")) {
    CHECK(x.modes[0] == PICUS_STICK);
    CHECK_NEAR(x.force[0], 2, 1e-8);
  }
  simulation_close(&x.s);
  if (begin(&x, "local q, u = coordinates { {'x', velocity = 'a'}, {'y', velocity = 'b', start = {-0.1, 0}} }\n"
                "kinetic((u.a^2 + u.b^2) / 2)\nforce {a = -3, b = 1}\nclutch {'c', velocity = u.a}\n"
                "preload {'p', displacement = q.x, force = 2}\npreload {'r', displacement = q.y, force = 2}\n"
                "simulate {dt = 1e-3, t_end = 1}\n")) {
    CHECK(x.modes[1] != PICUS_OPEN && x.modes[2] == PICUS_SLIP);
    CHECK_NEAR(x.force[0] + x.force[1], 3, 1e-11); /* shared by the two */
    CHECK_NEAR(x.force[2], 2, 1e-11);
  }
  simulation_close(&x.s);
}

/* Of contacts that strike or part there is no force at the start. */
static void moving_contacts_are_open(void) {
  for (int way = -1; way < 2; way += 2) {
    start x = {0};
    char text[512];
    snprintf(text, sizeof text,
             "local q, u = coordinates { {'y', velocity = 'v', start = {0, %d}} }\nkinetic(u.v^2 / 2)\n"
             "potential(10 * q.y)\ncontact {'floor', gap = q.y, eN = 0.5}\nsimulate {dt = 1e-3, t_end = 1}\n",
             way);
    if (begin(&x, text)) CHECK(x.modes[0] == PICUS_OPEN && x.force[0] == 0);
    simulation_close(&x.s);
  }
}

/* Not after a step, and again after another start. */
static void only_at_a_start(void) {
  simulation s;
  double force[64], q[64], u[64];
  picus_mode modes[32];
  if (simulation_open(&s, "woodpecker", "", 0, 0, NULL)) {
    const picus_state state = picus_sim_state(s.sim);
    memcpy(q, state.q, (size_t)state.nq * sizeof *q);
    memcpy(u, state.u, (size_t)state.nu * sizeof *u);
    CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK);
    CHECK(picus_sim_find_forces(s.sim, force, modes) == PICUS_ERROR_UNSUPPORTED);
    CHECK(picus_sim_set_state(s.sim, 0, q, u) == PICUS_OK);
    CHECK(picus_sim_find_forces(s.sim, force, modes) == PICUS_OK);
  }
  simulation_close(&s);
}

/* A box on an incline, 2 kg, as a shape: each corner is a contact, and the sum of their forces is known. */
static void say_box(char *text, size_t size, double alpha, double mu, double v, double h) {
  snprintf(text, size,
           "gravity {%.17g, %.17g}\nmaterial {'default', mu = %.17g}\nhalf_space {'slope', normal = {0, 1}}\n"
           "rectangle {'box', size = {0.4, 0.2}, mass = 2, position = {0.3, %.17g}, velocity = {%.17g, 0}}\n"
           "simulate {dt = 1e-3, t_end = 0.02}\n",
           10 * sin(alpha), -10 * cos(alpha), mu, 0.1 + h, v);
}

static void check_box(simulation *s, picus_mode mode, double N, double F) {
  double force[64], sum[2] = {0};
  picus_mode modes[32];
  CHECK(picus_sim_find_laws(s->sim, 0) == PICUS_OK);
  const int count = picus_sim_present_count(s->sim);
  if (!CHECK(count <= 32) || !CHECK(picus_sim_find_forces(s->sim, force, modes) == PICUS_OK)) return;
  for (int i = 0; i < count; i++) {
    const picus_system_law law = picus_sim_present_law(s->sim, i).law;
    if (mode != PICUS_OPEN || modes[i] != PICUS_OPEN) CHECK(modes[i] == mode);
    for (int k = 0; k < law.dim; k++) sum[k] += force[law.first_row + k];
  }
  CHECK_NEAR(sum[0], N, 1e-10);
  CHECK_NEAR(fabs(sum[1]), F, 1e-10);
}

/* The contacts of the first row: what a sink gets. */
typedef struct first_row {
  int count;
  picus_mode modes[8];
  double PN;
} first_row;
static picus_status keep_first(void *self, const picus_contact_sample *sample) {
  first_row *row = self;
  if (sample->row > 0) return PICUS_OK;
  row->count = sample->count;
  for (int k = 0; k < sample->count && k < 8; k++) {
    row->modes[k] = sample->contacts[k].mode;
    row->PN += fabs(sample->contacts[k].PN);
  }
  return PICUS_OK;
}

static void check_first_row(simulation *s, picus_mode mode) {
  first_row row = {0};
  picus_recorder *recorder = NULL;
  const picus_run_description description = {s->model, s->system, picus_sim_options_of(s->sim), "test"};
  CHECK(!picus_recorder_create(s->context, &description, &recorder));
  CHECK(!picus_recorder_add_sink(recorder, (picus_sink){.self = &row, .write_contacts = keep_first}));
  CHECK(picus_sim_run(s->sim, recorder, NULL, NULL) == PICUS_OK);
  CHECK(row.count == (mode == PICUS_OPEN ? 0 : 2) && row.PN == 0);
  for (int k = 0; k < row.count; k++) CHECK(row.modes[k] == mode);
  picus_recorder_destroy(recorder);
}

static void boxes_on_an_incline(void) {
  static const struct {
    double alpha, mu, v, h;
    picus_mode mode;
  } cases[] = {{0.3, 0.5, 0, 0, PICUS_STICK}, {0.6, 0.5, 0, 0, PICUS_SLIP},     {0.3, 0.5, 1, 0, PICUS_SLIP},
               {0.3, 0.5, -1, 0, PICUS_SLIP}, {0.3, 0.5, 0, 1e-6, PICUS_OPEN},  {0.3, 0.5, 0, 5e-10, PICUS_STICK},
               {2, 0.5, 0, 0, PICUS_OPEN},    {0.3, 0.5, 0, -1e-7, PICUS_STICK}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double N = cases[k].mode == PICUS_OPEN ? 0 : 20 * cos(cases[k].alpha);
    const double F = cases[k].mode == PICUS_STICK ? 20 * sin(cases[k].alpha) : cases[k].mu * N;
    char text[1024];
    simulation s;
    say_box(text, sizeof text, cases[k].alpha, cases[k].mu, cases[k].v, cases[k].h);
    if (simulation_open_text(&s, text)) {
      check_box(&s, cases[k].mode, N, F);
      /* a touching contact that opens at once is there, but open: of the next case only contacts are counted */
      if (cases[k].alpha < 1) check_first_row(&s, cases[k].mode);
    }
    simulation_close(&s);
  }
}

/* A run of shapes that records rows has the bits of one that does not. */
static void runs_of_shapes_do_not_notice(void) {
  static const char *const models[] = {"tower", "dominoes", "card-house", "gripper"};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    simulation recorded, other;
    first_row row = {0};
    picus_recorder *recorder = NULL;
    if (simulation_open(&recorded, models[k], "", 0, 0.02, NULL) &&
        simulation_open(&other, models[k], "", 0, 0.02, NULL)) {
      const picus_run_description description = {recorded.model, recorded.system, picus_sim_options_of(recorded.sim),
                                                 ""};
      CHECK(!picus_recorder_create(recorded.context, &description, &recorder));
      CHECK(!picus_recorder_add_sink(recorder, (picus_sink){.self = &row, .write_contacts = keep_first}));
      CHECK(picus_sim_run(recorded.sim, recorder, NULL, NULL) == PICUS_OK);
      CHECK(picus_sim_run(other.sim, NULL, NULL, NULL) == PICUS_OK);
      const picus_state a = picus_sim_state(recorded.sim), b = picus_sim_state(other.sim);
      CHECK(memcmp(a.q, b.q, (size_t)a.nq * sizeof *a.q) == 0 && memcmp(a.u, b.u, (size_t)a.nu * sizeof *a.u) == 0);
      CHECK(row.count > 0 && row.modes[0] != PICUS_OPEN);
    }
    picus_recorder_destroy(recorder);
    simulation_close(&recorded);
    simulation_close(&other);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"block_on_an_incline", block_on_an_incline},
                                    {"first_row_has_them", first_row_has_them},
                                    {"steps_do_not_notice", steps_do_not_notice},
                                    {"adaptive_runs_do_not_notice", adaptive_runs_do_not_notice},
                                    {"curved_ways", curved_ways},
                                    {"other_laws", other_laws},
                                    {"boxes_on_an_incline", boxes_on_an_incline},
                                    {"runs_of_shapes_do_not_notice", runs_of_shapes_do_not_notice},
                                    {"moving_contacts_are_open", moving_contacts_are_open},
                                    {"only_at_a_start", only_at_a_start}};
  return test_main(argc, argv, "start_forces", cases, sizeof cases / sizeof cases[0]);
}
