/* A system of several parts: two models side by side and a law between them, provided by a part that owns no
 * coordinates. What one block can do, many can. */
#include "base/internal.h"
#include "statics/internal.h"
#include "stepper/internal.h"
#include "support/check.h"
#include "system/internal.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

static picus_context *context;

/* A mass m on a line with a wall below: its system has one part. */
static picus_system *mass_on_line(double m, double x0, double v0, picus_model **model) {
  char text[512];
  snprintf(text, sizeof text,
           "local q, u = coordinates { { 'x', velocity = 'v', start = { %g, %g } } }\n"
           "kinetic(%g * u.v^2 / 2)\n"
           "potential(%g * 10 * q.x)\n"
           "contact { 'ground', gap = q.x, eN = 0.5 }\n"
           "simulate { dt = 0.01, t_end = 1 }\n",
           x0, v0, m, m);
  picus_system *system = NULL;
  CHECK(picus_model_load_text(context, "mass.lua", text, strlen(text), NULL, model) == PICUS_OK);
  CHECK(picus_system_create(*model, &system) == PICUS_OK);
  return system;
}

/* --- a part without coordinates: its one law keeps the second mass above the first by a distance of 1 ---------------
 */

static picus_status no_work(const void *self, picus_context *c, void **work) {
  (void)self, (void)c;
  *work = NULL;
  return PICUS_OK;
}
static void no_work_destroy(const void *self, picus_context *c, void *work) { (void)self, (void)c, (void)work; }
static picus_status nothing(const void *self, picus_context *c, const source_point *point, double *out) {
  (void)self, (void)c, (void)point, (void)out;
  return PICUS_OK;
}
static picus_status distance_gap(const void *self, picus_context *c, const source_point *point, double *gap) {
  (void)self, (void)c;
  gap[0] = point->system_q[1] - point->system_q[0] - 1;
  return PICUS_OK;
}
static picus_status distance_directions(const void *self, picus_context *c, const source_point *point, double *W,
                                        double *chi) {
  (void)self, (void)c, (void)point;
  W[0] = -1;
  W[1] = 1;
  chi[0] = 0;
  return PICUS_OK;
}
static picus_status no_energy(const void *self, picus_context *c, const source_point *point, double *T, double *V) {
  (void)self, (void)c, (void)point;
  *T = *V = 0;
  return PICUS_OK;
}
static void no_destroy(void *self, picus_context *c) { (void)self, (void)c; }

static const source_ops distance_ops = {.kind = "distance",
                                        .work_create = no_work,
                                        .work_destroy = no_work_destroy,
                                        .rate = nothing,
                                        .force = nothing,
                                        .gaps = distance_gap,
                                        .directions = distance_directions,
                                        .energy = no_energy,
                                        .destroy = no_destroy};

static void copy_name(system_name *to, const char *prefix, const system_name *from) {
  char name[64];
  snprintf(name, sizeof name, "%s%s", prefix, from->name);
  to->name = picus_copy_text(context, name);
}

/* Takes the source out of each of two systems and puts a third, the law between them, beside. */
static picus_system *join(picus_system *a, picus_system *b, double restitution) {
  static int self_of_distance;
  picus_system *both = NULL, *from[2] = {a, b};
  if (!CHECK(picus_system_allocate(context, 3, 3, &both) == PICUS_OK)) return NULL;
  both->q_names = picus_allocate(context, 2, sizeof *both->q_names);
  both->u_names = picus_allocate(context, 2, sizeof *both->u_names);
  both->observables = picus_allocate(context, 0, sizeof *both->observables);
  both->q_start = picus_allocate(context, 2, sizeof(double));
  both->u_start = picus_allocate(context, 2, sizeof(double));
  for (int i = 0; i < 2; i++) {
    both->sources[i] = from[i]->sources[0];
    from[i]->sources[0].self = NULL; /* it belongs to the joined system now */
    both->fixed.laws[i].data = from[i]->fixed.laws[0].data;
    both->fixed.laws[i].name = picus_copy_text(context, i ? "upper-ground" : "lower-ground");
    both->q_start[i] = from[i]->q_start[0];
    both->u_start[i] = from[i]->u_start[0];
    copy_name(&both->q_names[i], i ? "b." : "a.", &from[i]->q_names[0]);
    copy_name(&both->u_names[i], i ? "b." : "a.", &from[i]->u_names[0]);
  }
  both->sources[2] =
      (system_source){.ops = &distance_ops, .self = &self_of_distance, .law_count = 1, .directions_constant = true};
  CHECK(picus_system_allocate_parts(both) == PICUS_OK);
  for (int i = 0; i < 2; i++) {
    both->parts[i] = from[i]->parts[0];
    both->parts[i].coupled = NULL;
  }
  CHECK(picus_system_layout_parts(both) == PICUS_OK);
  both->fixed.laws[2].data = (picus_system_law){.kind = PICUS_UNILATERAL, .has_gap = true, .eN = restitution};
  both->fixed.laws[2].name = picus_copy_text(context, "between");
  both->fixed.laws[2].parts = picus_allocate(context, 2, sizeof(int));
  both->fixed.laws[2].parts[1] = 1;
  both->fixed.laws[2].part_count = 2;
  CHECK(picus_system_layout_laws(both) == PICUS_OK);
  CHECK(picus_system_check_start(both, NULL) == PICUS_OK);
  return both;
}

static picus_sim *simulate(const picus_system *system, double dt) {
  picus_sim_options options = picus_default_sim_options();
  options.dt = dt;
  options.t_end = 1;
  picus_sim *sim = NULL;
  CHECK(picus_sim_create(context, system, &options, &sim) == PICUS_OK);
  return sim;
}

typedef struct pair {
  picus_model *models[2];
  picus_system *single[2], *both;
} pair;

static pair make_pair(double ma, double mb, double xa, double xb, double va, double vb, double restitution) {
  pair p;
  p.single[0] = mass_on_line(ma, xa, va, &p.models[0]);
  p.single[1] = mass_on_line(mb, xb, vb, &p.models[1]);
  p.both = join(p.single[0], p.single[1], restitution);
  return p;
}

static void release_pair(pair *p) {
  picus_system_destroy(p->both);
  for (int i = 0; i < 2; i++) {
    picus_system_destroy(p->single[i]);
    picus_model_destroy(p->models[i]);
  }
}

static void far_apart_each_part_moves_as_if_alone(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_model *model;
  picus_system *alone = mass_on_line(3, 0.5, 0.2, &model);
  pair p = make_pair(3, 7, 0.5, 90, 0.2, 0.1, 0);
  picus_sim *one = simulate(alone, 0.01), *two = simulate(p.both, 0.01);
  for (int k = 0; k < 200; k++) {
    CHECK(picus_sim_step(one, 0, NULL) == PICUS_OK && picus_sim_step(two, 0, NULL) == PICUS_OK);
    CHECK(picus_sim_state(one).q[0] == picus_sim_state(two).q[0]);
    CHECK(picus_sim_state(one).u[0] == picus_sim_state(two).u[0]);
  }
  CHECK_NEAR(picus_sim_state(two).q[1], 90 + 0.1 * 2 - 5 * 4, 1e-10);
  double kinetic, potential;
  CHECK(picus_sim_energy(two, &kinetic, &potential) == PICUS_OK);
  double u0 = picus_sim_state(two).u[0], u1 = picus_sim_state(two).u[1];
  CHECK_NEAR(kinetic, 0.5 * 3 * u0 * u0 + 0.5 * 7 * u1 * u1, 1e-9);
  picus_sim_destroy(one);
  picus_sim_destroy(two);
  picus_system_destroy(alone);
  picus_model_destroy(model);
  release_pair(&p);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

/* The law between the parts: Newton's impact of two masses, momentum kept, relative velocity times -e. */
static void a_law_between_parts_acts_on_both_blocks(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  pair p = make_pair(3, 7, 50, 51.0005, 2, -1, 0.25);
  picus_sim *sim = simulate(p.both, 1e-3);
  picus_step_info info;
  CHECK(picus_sim_step(sim, 0, &info) == PICUS_OK && info.active == 1 && info.impacts == 1);
  picus_state state = picus_sim_state(sim);
  double fall = 10 * 1e-3; /* both fall alike during the step */
  CHECK_NEAR(3 * (state.u[0] + fall) + 7 * (state.u[1] + fall), 3 * 2 - 7 * 1, 1e-12);
  CHECK_NEAR(state.u[1] - state.u[0], 0.25 * 3, 1e-12);
  picus_sim_destroy(sim);
  release_pair(&p);
  picus_context_destroy(context);
}

/* All three laws closed: a stack of two masses at rest on the ground; the percussions carry the weights. */
static void a_stack_across_parts_rests(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  pair p = make_pair(3, 7, 0, 1, 0, 0, 0);
  picus_sim *sim = simulate(p.both, 1e-2);
  for (int k = 0; k < 100; k++) CHECK(picus_sim_step(sim, 0, NULL) == PICUS_OK);
  picus_law_state laws[3];
  CHECK(picus_sim_laws(sim, laws) == PICUS_OK);
  CHECK(fabs(picus_sim_state(sim).u[0]) < 1e-14 && fabs(picus_sim_state(sim).u[1]) < 1e-14);
  CHECK_NEAR(laws[0].PN, 10 * 10 * 1e-2, 1e-12);
  CHECK_NEAR(laws[2].PN, 7 * 10 * 1e-2, 1e-12);
  CHECK(laws[1].mode == PICUS_OPEN);
  picus_sim_destroy(sim);
  release_pair(&p);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"far_apart_each_part_moves_as_if_alone", far_apart_each_part_moves_as_if_alone},
      {"a_law_between_parts_acts_on_both_blocks", a_law_between_parts_acts_on_both_blocks},
      {"a_stack_across_parts_rests", a_stack_across_parts_rests},
  };
  return test_main(argc, argv, "system_parts", cases, sizeof cases / sizeof cases[0]);
}
