/* Bodies with shapes in models: the contacts that collision detection finds give the motion of contacts by hand, of
 * closed forms, and the same one in every scheme and in any order of definition. */
#include "sim/internal.h"
#include "stepper/internal.h"
#include "support/allocations.h"
#include "support/check.h"
#include "support/simulate.h"

#include "collision/internal.h"

#include <math.h>
#include <picus/picus.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const SCHEMES[] = {"moreau",           "moreau-jean",      "moreau-projected", "moreau-combined",
                                      "schatzman-paoli",  "rattle",           "half-explicit",    "moreau-explicit",
                                      "half-explicit-rk", "half-explicit-acc"};
enum { SCHEME_COUNT = sizeof SCHEMES / sizeof SCHEMES[0] };

typedef struct text {
  char at[8192];
  size_t length;
} text;

static void say(text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  t->length += (size_t)vsnprintf(t->at + t->length, sizeof t->at - t->length, format, arguments);
  va_end(arguments);
}

/* Those two schemes have none. */
static bool has_friction(const char *scheme) {
  return strcmp(scheme, "schatzman-paoli") != 0 && strcmp(scheme, "half-explicit-acc") != 0;
}

static double value_of(const simulation *s, const char *name) {
  const picus_state state = picus_sim_state(s->sim);
  for (int i = 0; i < state.nq; i++)
    if (strcmp(picus_system_q_name(s->system, i), name) == 0) return state.q[i];
  for (int i = 0; i < state.nu; i++)
    if (strcmp(picus_system_u_name(s->system, i), name) == 0) return state.u[i];
  printf("  there is no %s\n", name);
  CHECK(false);
  return NAN;
}

static bool advance(simulation *s, int steps) {
  for (int k = 0; k < steps; k++)
    if (!CHECK(picus_sim_step(s->sim, 0, NULL) == PICUS_OK)) {
      printf("  %s\n", picus_last_error(s->context)->message);
      return false;
    }
  return true;
}

static bool open_scheme(simulation *s, const text *t, const char *scheme, double dt) {
  picus_sim_options options;
  if (!simulation_load_text(s, t->at, &options)) return false;
  options.scheme = scheme;
  options.dt = dt;
  options.t_end = 1e9;
  return simulation_start(s, &options);
}

/* --- contacts by hand --------------------------------------------------------------------------------------------- */

static const char box_state[] = "position = {0, 0, 0.6}, axis = {0.6, 0.8, 0}, angle = 0.9, velocity = {1.5, 0.3, 0}, "
                                "omega = {3, 6, 2}";

/* The corners of a box in the order in which its contacts with the floor are solved: by key. */
static void order_corners(int order[8], v3 corner[8]) {
  picus_context *context;
  picus_shape box;
  uint64_t key[8];
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const picus_shape_def def = {.kind = PICUS_SHAPE_BOX, .size = {0.3, 0.2, 0.1}};
  REQUIRE(picus_shape_create(context, &def, &box) == PICUS_OK && box.polytope.vertex_count == 8);
  for (int k = 0; k < 8; k++) {
    const feature_pair f = {{FEATURE_VERTEX, k}, {FEATURE_FACE, 0}};
    const picus_touch touch = {.pair = 1, .feature = picus_feature_pack(f)}; /* box: id 0, floor: id 1 */
    key[k] = picus_touch_key(&touch);
    corner[k] = box.polytope.vertices[k];
    int at = k;
    for (; at > 0 && key[order[at - 1]] > key[k]; at--) order[at] = order[at - 1];
    order[at] = k;
  }
  picus_shape_release(context, &box);
  picus_context_destroy(context);
}

static void say_box_by_hand(text *t) {
  int order[8] = {0};
  v3 corner[8];
  order_corners(order, corner);
  say(t,
      "gravity {0, 0, -9.81}\nlocal m, a, b, c = 1, 0.3, 0.2, 0.1\n"
      "local box = spatial_body {'box', mass = m, inertia = {m / 12 * (b^2 + c^2), m / 12 * (a^2 + c^2), m / 12 * "
      "(a^2 + b^2)}, %s}\n",
      box_state);
  for (int k = 0; k < 8; k++)
    say(t,
        "plane_contact {'k%d', ground, box, normal = {0, 0, 1}, point = {%.17g, %.17g, %.17g}, mu = 0.4, eN = 0.2}\n",
        k, corner[order[k]].x, corner[order[k]].y, corner[order[k]].z);
  say(t, "simulate {dt = 1e-4, t_end = 2}\n");
}

static void say_box(text *t) {
  say(t,
      "gravity {0, 0, -9.81}\nmaterial {'default', mu = 0.4, eN = 0.2}\nfloor {'floor'}\n"
      "box {'box', size = {0.3, 0.2, 0.1}, mass = 1, %s}\nsimulate {dt = 1e-4, t_end = 2}\n",
      box_state);
}

static double largest_difference(const simulation *a, const simulation *b) {
  const picus_state x = picus_sim_state(a->sim), y = picus_sim_state(b->sim);
  double worst = 0;
  for (int i = 0; i < x.nq; i++) worst = fmax(worst, fabs(x.q[i] - y.q[i]));
  for (int i = 0; i < x.nu; i++) worst = fmax(worst, fabs(x.u[i] - y.u[i]));
  return worst;
}

/* The box tumbles, comes down on one corner, then on an edge, and slides to rest. */
static void a_box_moves_as_with_contacts_by_hand(void) {
  text by_hand = {.length = 0}, by_shape = {.length = 0};
  say_box_by_hand(&by_hand);
  say_box(&by_shape);
  simulation a, b;
  REQUIRE(open_scheme(&a, &by_hand, "moreau", 1e-4));
  REQUIRE(open_scheme(&b, &by_shape, "moreau", 1e-4));
  for (int i = 0; i < a.system->fixed.law_count; i++) a.system->fixed.laws[i].slack = 1e-9;
  for (int i = 0; i < a.sim->stepper.set->law_count; i++) a.sim->stepper.set->laws[i].slack = 1e-9;
  double worst = 0;
  for (int k = 0; k < 20000 && advance(&a, 1) && advance(&b, 1); k++) {
    const double now = largest_difference(&a, &b);
    if (now > 10 * worst && now > 1e-12) printf("  t = %g: differs by %.3g\n", picus_sim_state(a.sim).t, now);
    worst = fmax(worst, now);
  }
  printf("  box: differs by %.2g after 2 s\n", worst);
  CHECK(worst < 1e-9);
  simulation_close(&a);
  simulation_close(&b);
}

/* --- closed forms ------------------------------------------------------------------------------------------------- */

static const double degree = 3.14159265358979323846 / 180;

/* A block on a slope of 30 degrees: tan 30 degrees = 0.5774. */
static void say_slope(text *t, double mu) {
  const double s = sin(30 * degree), c = cos(30 * degree);
  say(t,
      "gravity {0, 0, -9.81}\nmaterial {'default', mu = %.17g}\n"
      "half_space {'slope', normal = {%.17g, 0, %.17g}}\n"
      "box {'block', size = {0.2, 0.15, 0.1}, density = 500, position = {%.17g, 0, %.17g}, axis = {0, 1, 0}, angle = "
      "%.17g}\nsimulate {dt = 1e-3, t_end = 1}\n",
      mu, s, c, 0.05 * s, 0.05 * c, 30 * degree);
}

static void a_block_rests_on_a_slope_or_slides(void) {
  const double g = 9.81, s = sin(30 * degree), c = cos(30 * degree);
  for (int i = 0; i < SCHEME_COUNT; i++) {
    if (!has_friction(SCHEMES[i])) continue;
    text rests = {.length = 0}, slides = {.length = 0};
    simulation a, b;
    say_slope(&rests, 0.58);
    say_slope(&slides, 0.55);
    REQUIRE(open_scheme(&a, &rests, SCHEMES[i], 1e-3) && open_scheme(&b, &slides, SCHEMES[i], 1e-3));
    REQUIRE(advance(&a, 1000) && advance(&b, 1000));
    double creep = 0;
    const picus_state state = picus_sim_state(a.sim);
    for (int k = 0; k < state.nu; k++) creep = fmax(creep, fabs(state.u[k]));
    const double down = value_of(&b, "vx_block") * c - value_of(&b, "vz_block") * s, expected = g * (s - 0.55 * c);
    printf("  %-17s creep %.2g, acceleration wrong by %.2g\n", SCHEMES[i], creep, fabs(down / expected - 1));
    CHECK(creep < 1e-14);
    CHECK_NEAR(down, expected, 1e-10 * expected);
    CHECK_NEAR(value_of(&b, "vx_block") * s + value_of(&b, "vz_block") * c, 0, 1e-12);
    simulation_close(&a);
    simulation_close(&b);
  }
}

/* A ball that slides with v slows down by mu g, and rolls from v = 5/7 of the initial one on; a disk from 2/3 on. */
static void balls_and_disks_slide_and_roll(void) {
  static const char spatial[] =
      "gravity {0, 0, -9.81}\nmaterial {'default', mu = 0.2}\nfloor {'floor'}\n"
      "sphere {'ball', radius = 0.1, mass = 2, position = {0, 0, 0.1}, velocity = {3, 0, 0}}\n"
      "simulate {dt = 1e-3, t_end = 1}\n";
  static const char planar[] = "gravity {0, -9.81}\nmaterial {'default', mu = 0.2}\nfloor {'floor'}\n"
                               "disk {'ball', radius = 0.1, mass = 2, position = {0, 0.1}, velocity = {3, 0}}\n"
                               "simulate {dt = 1e-3, t_end = 1}\n";
  for (int i = 0; i < SCHEME_COUNT; i++) {
    if (!has_friction(SCHEMES[i])) continue;
    for (int k = 0; k < 2; k++) {
      text t = {.length = 0};
      simulation s;
      say(&t, "%s", k ? planar : spatial);
      REQUIRE(open_scheme(&s, &t, SCHEMES[i], 1e-3));
      REQUIRE(advance(&s, 200));
      CHECK_NEAR(value_of(&s, "vx_ball"), 3 - 0.2 * 9.81 * 0.2, 1e-12);
      REQUIRE(advance(&s, 800));
      CHECK_NEAR(value_of(&s, "vx_ball"), k ? 2.0 : 15.0 / 7, 1e-10);
      CHECK_NEAR(fabs(value_of(&s, k ? "omega_ball" : "wy_ball")), (k ? 2.0 : 15.0 / 7) / 0.1, 1e-9);
      CHECK_NEAR(value_of(&s, k ? "y_ball" : "z_ball"), 0.1, 1e-12);
      simulation_close(&s);
    }
  }
}

/* A box on a belt that starts with velocity 2: it slides with mu g and then rests on the belt. */
static void a_belt_takes_a_box_along(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    if (!has_friction(SCHEMES[i])) continue;
    text t = {.length = 0};
    simulation s;
    say(&t,
        "gravity {0, -9.81}\nmaterial {'default', mu = 0.4}\n"
        "frame {'belt', position = {2 * t, 0}, shape = {'half_space', normal = {0, 1}}}\n"
        "rectangle {'crate', size = {0.2, 0.1}, density = 3, position = {0, 0.05}}\nsimulate {dt = 1e-3, t_end = 1}\n");
    REQUIRE(open_scheme(&s, &t, SCHEMES[i], 1e-3));
    REQUIRE(advance(&s, 300));
    CHECK_NEAR(value_of(&s, "vx_crate"), 0.4 * 9.81 * 0.3, 1e-10);
    REQUIRE(advance(&s, 700));
    CHECK_NEAR(value_of(&s, "vx_crate"), 2, 1e-12);
    CHECK_NEAR(value_of(&s, "omega_crate"), 0, 1e-12);
    simulation_close(&s);
  }
}

/* --- slopes ------------------------------------------------------------------------------------------------------- */

/* Pairs of shapes whose features are of all kinds, near each other, moving. */
static const char *const pairs[] = {
    "sphere {'a', radius = 0.3, density = 1, position = {0, 0, 0}, velocity = {1, -2, 3}, omega = {1, 2, 3}}\n"
    "sphere {'b', radius = 0.2, density = 1, position = {0.3, 0.3, 0.3}, velocity = {-1, 1, 2}, omega = {3, -2, 1}}\n",
    "box {'a', size = {0.4, 0.3, 0.2}, density = 1, position = {0, 0, 0.16}, velocity = {1, -2, 3}, omega = {1, 2, "
    "3}}\n"
    "half_space {'b', normal = {0.1, 0.2, 1}}\n",
    "box {'a', size = {0.4, 0.3, 0.2}, density = 1, rounding = 0.02, omega = {1, 2, 3}, velocity = {0.1, 0.2, 0.3}}\n"
    "box {'b', size = {0.4, 0.3, 0.2}, density = 1, rounding = 0.01, position = {0.05, 0.02, 0.335}, axis = {0.6, 0, "
    "0.8}, "
    "angle = 1, omega = {-1, 2, 1}, velocity = {0.5, 0.2, -0.3}}\n",
    "capsule {'a', length = 0.5, radius = 0.1, density = 1, position = {0, 0, 0}, omega = {1, 2, 3}, velocity = {1, 0, "
    "2}}\n"
    "capsule {'b', length = 0.4, radius = 0.1, density = 1, position = {0.21, 0, 0}, axis = {1, 0, 0}, angle = 0.7, "
    "omega = "
    "{3, 2, 1}}\n",
    "capsule {'a', length = 0.5, radius = 0.1, density = 1, position = {0, 0, 0}, omega = {1, 2, 3}, velocity = {1, 0, "
    "2}}\n"
    "sphere {'b', radius = 0.1, density = 1, position = {0.201, 0.01, 0.1}, velocity = {-1, 1, 2}, omega = {3, -2, "
    "1}}\n",
    "cylinder {'a', length = 0.5, radius = 0.1, density = 1, position = {0, 0, 0.28}, axis = {0.6, 0.8, 0}, angle = "
    "0.5, "
    "omega = {1, 2, 3}}\nhalf_space {'b', normal = {0.1, 0.1, 1}, position = {0, 0, 0}}\n",
    "frame {'table', position = {sin(3 * t), t^2, 0.1 * cos(t)}, axis = {0.6, 0, 0.8}, angle = 0.4 * sin(2 * t), shape "
    "= "
    "{'half_space', normal = {0, 0, 1}}}\n"
    "sphere {'b', radius = 0.1, density = 1, position = {0, 0.3, 0.22}, velocity = {-1, 1, 2}, omega = {3, -2, 1}}\n",
    "rectangle {'a', size = {0.4, 0.2}, density = 1, position = {0, 0}, velocity = {1, 2}, omega = 3, angle = 0.3}\n"
    "rectangle {'b', size = {0.4, 0.2}, density = 1, position = {0.01, 0.23}, velocity = {-1, 1}, omega = -2, angle = "
    "0.35}\n",
    "disk {'a', radius = 0.2, density = 1, position = {0, 0}, velocity = {1, 2}, omega = 3}\n"
    "particle {'b', mass = 1, position = {0.2, 0.2}, velocity = {-1, 1}, shape = {'disk', radius = 0.08, at = {0.01, "
    "0.02}}}\n",
};

enum { NUMBERS = 4096 };
typedef struct laws_at {
  double gap[64], gamma[256], gap_q[NUMBERS], gamma_q[NUMBERS], kappa[256];
} laws_at;

static void evaluate(picus_evaluation *e, double t, const double *q, const double *u, laws_at *out) {
  picus_evaluation_set_point(e, t, q, u);
  CHECK(picus_evaluate_gaps(e, out->gap) == PICUS_OK);
  CHECK(picus_evaluate_velocities(e, out->gamma) == PICUS_OK);
  CHECK(picus_evaluation_gap_slopes(e, out->gap_q) == PICUS_OK);
  CHECK(picus_evaluation_velocity_slopes(e, out->gamma_q) == PICUS_OK);
  CHECK(picus_evaluate_acceleration_terms(e, out->kappa) == PICUS_OK);
}

/* Values at four points along a direction of q and t; differences of fourth order. */
static double slope_of(const double *values, double h) {
  return (8 * (values[1] - values[2]) - (values[0] - values[3])) / (12 * h);
}

static void check_column(const simulation *s, int column, const laws_at *middle, double *worst) {
  stepper *at_work = &s->sim->stepper;
  picus_evaluation *e = at_work->evaluation;
  const law_set *set = at_work->set;
  static laws_at at[4];
  static const double steps[4] = {2, 1, -1, -2};
  double q[16];
  for (int k = 0; k < 4; k++) {
    memcpy(q, at_work->q, (size_t)s->system->nq * sizeof *q);
    q[column] += 1e-3 * steps[k];
    evaluate(e, at_work->t, q, at_work->u, &at[k]);
  }
  for (int i = 0; i < set->law_count; i++) {
    const system_law *law = &set->laws[i];
    int place = -1, offset = 0;
    for (int b = 0; b < law->part_count; b++) {
      const system_part *part = &s->system->parts[law->parts[b]];
      if (column >= part->q0 && column < part->q0 + part->nq) place = offset + column - part->q0;
      offset += part->nq;
    }
    const double gaps[4] = {at[0].gap[i], at[1].gap[i], at[2].gap[i], at[3].gap[i]};
    const double by_gap = place < 0 ? 0 : middle->gap_q[law->gap_q0 + (size_t)place];
    if (law->data.has_gap) worst[0] = fmax(worst[0], fabs(slope_of(gaps, 1e-3) - by_gap));
    for (int r = 0; r < law->data.dim; r++) {
      const int row = law->data.first_row + r;
      const double values[4] = {at[0].gamma[row], at[1].gamma[row], at[2].gamma[row], at[3].gamma[row]};
      const double own = place < 0 ? 0 : middle->gamma_q[law->Q0 + (size_t)(r * law->q_width + place)];
      worst[1] = fmax(worst[1], fabs(slope_of(values, 1e-3) - own));
    }
  }
}

/* Along the motion with u held: the gap changes with the normal row, and each row by its acceleration term. */
static void check_motion(const simulation *s, const laws_at *middle, double *worst) {
  stepper *at_work = &s->sim->stepper;
  const law_set *set = at_work->set;
  static laws_at at[4];
  static const double steps[4] = {2, 1, -1, -2};
  double rate[16], q[16];
  picus_evaluation_set_point(at_work->evaluation, at_work->t, at_work->q, at_work->u);
  CHECK(picus_evaluate_rate(at_work->evaluation, rate) == PICUS_OK);
  for (int k = 0; k < 4; k++) {
    const double h = 1e-4 * steps[k];
    for (int i = 0; i < s->system->nq; i++) q[i] = at_work->q[i] + h * rate[i];
    evaluate(at_work->evaluation, at_work->t + h, q, at_work->u, &at[k]);
  }
  for (int i = 0; i < set->law_count; i++) {
    const system_law *law = &set->laws[i];
    const double gaps[4] = {at[0].gap[i], at[1].gap[i], at[2].gap[i], at[3].gap[i]};
    if (law->data.has_gap) worst[2] = fmax(worst[2], fabs(slope_of(gaps, 1e-4) - middle->gamma[law->data.first_row]));
    for (int r = 0; r < law->data.dim; r++) {
      const int row = law->data.first_row + r;
      const double values[4] = {at[0].gamma[row], at[1].gamma[row], at[2].gamma[row], at[3].gamma[row]};
      worst[3] = fmax(worst[3], fabs(slope_of(values, 1e-4) - middle->kappa[row]));
    }
  }
}

static void slopes_are_those_of_the_values(void) {
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    text t = {.length = 0};
    simulation s;
    static laws_at middle;
    const bool planar = strstr(pairs[k], "rectangle") || strstr(pairs[k], "disk");
    say(&t, "material {'default', mu = 0.3%s}\n%ssimulate {dt = 1e-3, t_end = 1, t_start = 0.1}\n",
        planar ? ", rolling = 0.01" : ", rolling = 0.01, spin_radius = 0.05", pairs[k]);
    picus_sim_options options;
    if (!simulation_load_text(&s, t.at, &options) || !simulation_start(&s, &options)) continue;
    stepper *at_work = &s.sim->stepper;
    const law_search search = {.t = at_work->t, .q = at_work->q, .u = at_work->u, .dt = 0.1};
    REQUIRE(picus_stepper_find_laws(at_work, &search) == PICUS_OK);
    const law_set *set = at_work->set;
    REQUIRE(set->law_count > 0 && set->gap_q_size < NUMBERS && set->Q_size < NUMBERS);
    double worst[4] = {0};
    evaluate(at_work->evaluation, at_work->t, at_work->q, at_work->u, &middle);
    for (int i = 0; i < s.system->nq; i++) check_column(&s, i, &middle, worst);
    check_motion(&s, &middle, worst);
    printf("  %-28s %d laws, %s: gap %.1g, velocity %.1g, rate %.1g, acceleration %.1g\n", set->laws[0].name,
           set->law_count, planar ? "planar" : "spatial", worst[0], worst[1], worst[2], worst[3]);
    CHECK(worst[0] < 1e-8 && worst[1] < 1e-6 && worst[2] < 1e-8 && worst[3] < 1e-6);
    simulation_close(&s);
  }
}

/* --- which shapes touch ------------------------------------------------------------------------------------------- */

static int count_contacts(const char *more) {
  text t = {.length = 0};
  simulation s;
  say(&t,
      "material {'default', mu = 0.3}\n"
      "local a = rectangle {'a', size = {1, 1}, density = 1, group = 'left'}\n"
      "local b = rectangle {'b', size = {1, 1}, density = 1, position = {1, 0}, group = 'right'}\n%s\n"
      "simulate {dt = 1e-3, t_end = 1}\n",
      more);
  picus_sim_options options;
  if (!simulation_load_text(&s, t.at, &options) || !simulation_start(&s, &options)) {
    printf("  %s\n", more);
    return -1;
  }
  int count = -1;
  if (advance(&s, 1)) count = picus_sim_present_count(s.sim) - picus_system_law_count(s.system);
  simulation_close(&s);
  return count;
}

static void pairs_are_switched_on_and_off(void) {
  CHECK(count_contacts("") == 2);
  CHECK(count_contacts("collide {bodies = {a, b}, on = false}") == 0);
  CHECK(count_contacts("collide {bodies = {a, 'b'}, on = false} collide {bodies = {b, a}, on = true}") == 2);
  CHECK(count_contacts("collide {groups = {'left', 'right'}, on = false}") == 0);
  CHECK(count_contacts("collide {groups = {'left', 'left'}, on = false}") == 2);
  CHECK(count_contacts("revolute {'pin', a, b, at = {0.5, 0}}") == 0);
  CHECK(count_contacts("revolute {'pin', a, b, at = {0.5, 0}} collide {bodies = {a, b}, on = true}") == 2);
  CHECK(count_contacts("collide {bodies = {a, ground}, on = false}") == 2);
  CHECK(count_contacts("rectangle {'c', size = {1, 1}, position = {-0.2, -1}, fixed = true}") == 4);
  CHECK(count_contacts("local c = rectangle {'c', size = {1, 1}, position = {-0.2, -1}, fixed = true} "
                       "collide {bodies = {c, a}, on = false}") == 2);
}

/* --- order of definition ------------------------------------------------------------------------------------------ */

static void say_heap(text *t, bool reversed, bool boxes) {
  say(t, "gravity {0, 0, -9.81}\nmaterial {'default', mu = 0.3, eN = 0.1}\n");
  if (!reversed) say(t, "floor {'floor'}\n");
  for (int k = 0; k < 6; k++) {
    const int i = reversed ? 5 - k : k;
    if (boxes)
      say(t, "box {'b%d', size = {0.2, 0.2, 0.1}, density = 100, position = {%g, %g, %g}, omega = {0.1, 0.2, 0.%d}}\n",
          i, 0.01 * (i % 3), 0.02 * (i % 2), 0.06 + 0.12 * i, i);
    else
      say(t, "sphere {'b%d', radius = 0.1, density = 100, position = {%g, %g, %g}, velocity = {0, 0.1, -%g}}\n", i,
          0.05 * (i % 3), 0.04 * (i % 2), 0.11 + 0.21 * i, 0.1 * i);
  }
  if (reversed) say(t, "floor {'floor'}\n");
  say(t, "simulate {dt = 1e-3, t_end = 1, tolerance = 1e-10}\n");
}

static void the_order_of_definition_does_not_matter(void) {
  static const char *const names[] = {"x", "y", "z", "p0", "p1", "p2", "p3", "vx", "vy", "vz", "wx", "wy", "wz"};
  for (int boxes = 0; boxes < 2; boxes++) {
    text t = {.length = 0}, u = {.length = 0};
    simulation a, b;
    double worst = 0;
    say_heap(&t, false, boxes);
    say_heap(&u, true, boxes);
    REQUIRE(open_scheme(&a, &t, "moreau", 1e-3) && open_scheme(&b, &u, "moreau", 1e-3));
    for (int round = 0; round < 10 && advance(&a, 50) && advance(&b, 50); round++) {
      for (int i = 0; i < 6; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
          char name[16];
          snprintf(name, sizeof name, "%s_b%d", names[k], i);
          worst = fmax(worst, fabs(value_of(&a, name) - value_of(&b, name)));
        }
    }
    printf("  %s: %d contacts, differs by %.2g\n", boxes ? "boxes" : "spheres", picus_sim_present_count(a.sim), worst);
    CHECK(worst == 0 && picus_sim_state(a.sim).t > 0.499 && picus_sim_present_count(a.sim) > 5);
    simulation_close(&a);
    simulation_close(&b);
  }
}

/* --- every scheme ------------------------------------------------------------------------------------------------- */

/* Balls fall into a corner and onto each other, without friction, which two schemes do not have. Gaps stay above what a
 * scheme promises. */
static void say_balls(text *t, double mu) {
  say(t,
      "gravity {0, 0, -9.81}\nmaterial {'default', mu = %g}\nfloor {'floor'}\n"
      "half_space {'wall', normal = {1, 0, 0.2}, position = {-0.3, 0, 0}}\n",
      mu);
  for (int k = 0; k < 5; k++)
    say(t, "sphere {'s%d', radius = 0.1, density = 500, position = {%g, %g, %g}, velocity = {-0.5, 0, 0}}\n", k,
        0.03 * k, 0.05 * (k % 3), 0.11 + 0.23 * k);
  say(t, "simulate {dt = 1e-3, t_end = 1, tolerance = 1e-11}\n");
}

/* The smallest distance of two balls, of balls and the floor. */
static double lowest_gap(const simulation *s) {
  double x[5][3], lowest = 1;
  static const char *const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < 3; i++) {
      char name[8];
      snprintf(name, sizeof name, "%s_s%d", axes[i], k);
      x[k][i] = value_of(s, name);
    }
  for (int k = 0; k < 5; k++) {
    lowest = fmin(lowest, x[k][2] - 0.1);
    for (int j = 0; j < k; j++)
      lowest = fmin(lowest, hypot(hypot(x[k][0] - x[j][0], x[k][1] - x[j][1]), x[k][2] - x[j][2]) - 0.2);
  }
  return lowest;
}

static void every_scheme_works(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    text t = {.length = 0};
    simulation s;
    say_balls(&t, has_friction(SCHEMES[i]) ? 0.3 : 0);
    REQUIRE(open_scheme(&s, &t, SCHEMES[i], 1e-3));
    double lowest = 1;
    for (int k = 0; k < 100 && advance(&s, 10); k++) lowest = fmin(lowest, lowest_gap(&s));
    const bool exact = strcmp(SCHEMES[i], "rattle") == 0 || strcmp(SCHEMES[i], "moreau-projected") == 0 ||
                       strcmp(SCHEMES[i], "moreau-combined") == 0;
    printf("  %-17s lowest gap %.2g, %d contacts\n", SCHEMES[i], lowest, picus_sim_present_count(s.sim));
    CHECK(lowest > (exact ? -1e-10 : -5e-3));
    CHECK(lowest < 1e-3 && picus_sim_state(s.sim).t > 0.999);
    simulation_close(&s);
  }
}

/* A ball that bounces and rolls, in adaptive runs, against the same contact by hand. */
static void adaptive_runs_are_as_with_contacts_by_hand(void) {
  static const char *const schemes[] = {"moreau", "moreau-jean", "rattle", "half-explicit"};
  static const char by_shape[] = "gravity {0, -9.81}\nmaterial {'default', mu = 0.2, eN = 0.5}\nfloor {'floor'}\n"
                                 "disk {'ball', radius = 0.1, mass = 2, position = {0, 0.6}, velocity = {1, 0}}\n"
                                 "simulate {dt = 1e-3, t_end = 1.3}\n";
  static const char by_hand[] = "gravity {0, -9.81}\nlocal b = planar_body {'ball', mass = 2, inertia = 0.01, "
                                "position = {0, 0.6}, velocity = {1, 0}}\n"
                                "plane_contact {'c', ground, b, normal = {0, 1}, radius = 0.1, mu = 0.2, eN = 0.5}\n"
                                "simulate {dt = 1e-3, t_end = 1.3}\n";
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    const adaptive_run run = {.dt_min = 1e-6, .dt_max = 0.02, .tolerance = 1e-8, .t_end = 1.3, .scheme = schemes[i]};
    simulation a, b;
    picus_summary x, y;
    REQUIRE(simulation_open_adaptive_text(&a, by_shape, run) && simulation_open_adaptive_text(&b, by_hand, run));
    CHECK(picus_sim_run(a.sim, NULL, NULL, &x) == PICUS_OK && picus_sim_run(b.sim, NULL, NULL, &y) == PICUS_OK);
    printf("  %-14s %ld and %ld impacts, differs by %.2g\n", schemes[i], x.impacts, y.impacts,
           largest_difference(&a, &b));
    CHECK(largest_difference(&a, &b) < 1e-6 && x.impacts > 3);
    simulation_close(&a);
    simulation_close(&b);
  }
}

/* The energy that contacts dissipate is what the box loses. */
static void the_energy_of_a_tumbling_box_is_balanced(void) {
  double wrong[2];
  for (int k = 0; k < 2; k++) {
    text t = {.length = 0};
    simulation s;
    picus_summary summary;
    picus_sim_options options;
    say_box(&t);
    REQUIRE(simulation_load_text(&s, t.at, &options));
    options.dt = k ? 1e-4 : 4e-4;
    REQUIRE(simulation_start(&s, &options));
    CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
    wrong[k] = summary.energy.start - summary.energy.end - summary.energy.dissipated;
    printf("  dt = %g: %.4g J at the start, %.4g J dissipated, balance %.2g J\n", options.dt, summary.energy.start,
           summary.energy.dissipated, wrong[k]);
    CHECK(summary.impacts > 5 && summary.energy.dissipated > 6);
    const picus_state state = picus_sim_state(s.sim);
    for (int i = 0; i < state.nu; i++) CHECK_NEAR(state.u[i], 0, 1e-14); /* at rest */
    CHECK_NEAR(value_of(&s, "z_box"), 0.05, 1e-5);
    simulation_close(&s);
  }
  CHECK(fabs(wrong[1]) < 2e-4 && fabs(wrong[1]) < 0.5 * fabs(wrong[0]));
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static void steps_allocate_nothing_once_there_is_room(void) {
  for (int i = 0; i < SCHEME_COUNT; i++) {
    text t = {.length = 0};
    test_allocations a = test_grant_all();
    const picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    simulation s = {0};
    say_balls(&t, has_friction(SCHEMES[i]) ? 0.3 : 0);
    REQUIRE(picus_context_create(&def, &s.context) == PICUS_OK);
    REQUIRE(picus_model_load_text(s.context, "balls.lua", t.at, t.length, NULL, &s.model) == PICUS_OK);
    REQUIRE(picus_system_create(s.model, &s.system) == PICUS_OK);
    picus_sim_options options = picus_default_sim_options();
    options.scheme = SCHEMES[i];
    options.dt = 1e-3;
    options.t_end = 1e9;
    REQUIRE(picus_sim_create(s.context, s.system, &options, &s.sim) == PICUS_OK);
    double q[40], u[40];
    const picus_state start = picus_sim_state(s.sim);
    memcpy(q, start.q, (size_t)start.nq * sizeof *q);
    memcpy(u, start.u, (size_t)start.nu * sizeof *u);
    /* the motion after set_state differs from the first one by round-off, which impacts enlarge: it may find more
     * contacts, but again the same ones if it is repeated */
    for (int pass = 0; pass < 2; pass++) CHECK(advance(&s, 500) && picus_sim_set_state(s.sim, 0, q, u) == PICUS_OK);
    const long before = a.calls;
    CHECK(advance(&s, 500));
    CHECK(a.calls == before);
    simulation_close(&s);
    CHECK(a.outstanding == 0);
  }
}

/* The n-th allocation fails, for many n: nothing leaks, and the failure is reported. */
static void refused_memory_is_reported(void) {
  text t = {.length = 0};
  say(&t,
      "gravity {0, 0, -9.81}\nmaterial {'wood', mu = 0.3}\nmaterial {'wood', 'stone', mu = 0.4}\n"
      "frame {'table', position = {0, 0, 0.01 * sin(t)}, shape = {'half_space', normal = {0, 0, 1}, material = "
      "'stone'}}\n"
      "local a = box {'a', size = {1, 1, 1}, density = 1, position = {0, 0, 0.5}, material = 'wood'}\n"
      "local b = polyhedron {'b', points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, density = 1, position = {0, "
      "0, 2}, material = 'wood'}\ncollide {bodies = {a, b}, on = false}\ncollide {bodies = {a, b}, on = true}\n"
      "mesh {'hill', points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, triangles = {{1, 2, 3}}, position = {5, 0, 0}, "
      "material "
      "= 'stone'}\nsimulate {dt = 1e-3, t_end = 1}\n");
  long failures = 0;
  for (long n = 0; n < 100000; n++) {
    test_allocations a = test_refuse_one(n);
    const picus_context_def def = {.allocate = test_allocate, .allocate_user = &a};
    simulation s = {0};
    picus_status status = picus_context_create(&def, &s.context);
    if (!status) status = picus_model_load_text(s.context, "a.lua", t.at, t.length, NULL, &s.model);
    if (!status) status = picus_system_create(s.model, &s.system);
    picus_sim_options options = picus_default_sim_options();
    options.dt = 1e-3;
    options.t_end = 1;
    if (!status) status = picus_sim_create(s.context, s.system, &options, &s.sim);
    for (int k = 0; !status && k < 5; k++) status = picus_sim_step(s.sim, 0, NULL);
    const bool reached = a.calls > n;
    if (reached && status) failures++;
    if (!CHECK(!status || status == PICUS_ERROR_MEMORY)) printf("  %s\n", picus_last_error(s.context)->message);
    if (s.context) simulation_close(&s);
    if (!CHECK(a.outstanding == 0)) return;
    if (!reached) break;
    n += n / 100;
  }
  printf("  %ld failed allocations\n", failures);
  CHECK(failures > 100);
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      {"a_box_moves_as_with_contacts_by_hand", a_box_moves_as_with_contacts_by_hand},
      {"a_block_rests_on_a_slope_or_slides", a_block_rests_on_a_slope_or_slides},
      {"balls_and_disks_slide_and_roll", balls_and_disks_slide_and_roll},
      {"a_belt_takes_a_box_along", a_belt_takes_a_box_along},
      {"slopes_are_those_of_the_values", slopes_are_those_of_the_values},
      {"pairs_are_switched_on_and_off", pairs_are_switched_on_and_off},
      {"the_order_of_definition_does_not_matter", the_order_of_definition_does_not_matter},
      {"every_scheme_works", every_scheme_works},
      {"adaptive_runs_are_as_with_contacts_by_hand", adaptive_runs_are_as_with_contacts_by_hand},
      {"the_energy_of_a_tumbling_box_is_balanced", the_energy_of_a_tumbling_box_is_balanced},
      {"steps_allocate_nothing_once_there_is_room", steps_allocate_nothing_once_there_is_room},
      {"refused_memory_is_reported", refused_memory_is_reported},
  };
  return test_main(argc, argv, "shapes_contacts", cases, sizeof cases / sizeof cases[0]);
}
