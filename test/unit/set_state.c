/* picus_sim_set_state: the present state changes nothing, any other one begins a new run; bit by bit, for every scheme
 * and for adaptive runs. */
#include "support/check.h"
#include "support/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MOST = 64, LAWS_MOST = 16 };

typedef struct subject {
  const char *model, *scheme;
  double dt;
  bool adaptive;
} subject;

static const char box[] = TEST_DATA "/cases/box3d.lua";
static const subject subjects[] = {
    {"woodpecker", "moreau", 1e-4, false},
    {"woodpecker", "rattle", 1e-4, false},
    {"woodpecker", "moreau-jean", 1e-4, false},
    {"slider-crank", "moreau-projected", 1e-4, false},
    {"slider-crank", "moreau-combined", 1e-4, false},
    {"bouncing-ball", "schatzman-paoli", 1e-3, false},
    {"tippedisk", "rattle", 1e-3, false},
    {box, "moreau", 1e-3, false},
    {box, "rattle", 1e-3, false},
    {"elastic-bar", "moreau-jean", 1e-6, false},
    {"falling-mass", "moreau", 1e-3, true},
    {"woodpecker", "rattle", 1e-4, true},
    {"slider-crank", "moreau-jean", 1e-4, true},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static bool open_subject(const subject *c, simulation *s) {
  picus_sim_options options;
  if (!simulation_load(s, c->model, "", &options)) return false;
  options.scheme = c->scheme;
  options.dt = c->dt;
  options.adaptive = c->adaptive;
  options.dt_min = c->dt / 10;
  options.dt_max = 10 * c->dt;
  options.t_end = 1000 * c->dt;
  return simulation_start(s, &options);
}

typedef struct state_copy {
  double t, q[NUMBERS_MOST], u[NUMBERS_MOST];
  picus_law_state laws[LAWS_MOST];
} state_copy;

/* q and u of large systems are kept in part; laws too. */
static void copy_state(const simulation *s, state_copy *out) {
  picus_state now = picus_sim_state(s->sim);
  memset(out, 0, sizeof *out);
  out->t = now.t;
  memcpy(out->q, now.q, (size_t)(now.nq < NUMBERS_MOST ? now.nq : NUMBERS_MOST) * sizeof(double));
  memcpy(out->u, now.u, (size_t)(now.nu < NUMBERS_MOST ? now.nu : NUMBERS_MOST) * sizeof(double));
  if (picus_system_law_count(s->system) <= LAWS_MOST) CHECK(picus_sim_laws(s->sim, out->laws) == PICUS_OK);
}

static bool agree(const simulation *a, const simulation *b) {
  static state_copy x, y;
  copy_state(a, &x);
  copy_state(b, &y);
  return memcmp(&x, &y, sizeof x) == 0;
}

/* Sets the state of b to that of a; through copies, as a caller has them. */
static picus_status set_from(const simulation *a, simulation *b) {
  picus_state now = picus_sim_state(a->sim);
  double *q = malloc((size_t)now.nq * sizeof *q + 1), *u = malloc((size_t)now.nu * sizeof *u + 1);
  memcpy(q, now.q, (size_t)now.nq * sizeof *q);
  memcpy(u, now.u, (size_t)now.nu * sizeof *u);
  picus_status status = picus_sim_set_state(b->sim, now.t, q, u);
  free(q);
  free(u);
  return status;
}

static void check_made(const subject *c, const simulation *s, picus_status status) {
  if (!test_check(status == PICUS_OK, __FILE__, __LINE__, "the steps are made"))
    printf("  %s %s: %s\n", c->model, c->scheme, picus_last_error(s->context)->message);
}

static void advance(const subject *c, simulation *s, int steps) {
  picus_status status = PICUS_OK;
  for (int k = 0; k < steps && status == PICUS_OK; k++) status = picus_sim_step(s->sim, 0, NULL);
  check_made(c, s, status);
}

/* To the end, with steps of chosen size where the subject is adaptive. */
static void finish(const subject *c, simulation *s) { check_made(c, s, picus_sim_run(s->sim, NULL, NULL, NULL)); }

static void the_present_state_is_no_change(void) {
  for (int k = 0; k < SUBJECTS; k++) {
    const subject *c = &subjects[k];
    simulation plain, touched;
    REQUIRE(open_subject(c, &plain) && open_subject(c, &touched));
    for (int i = 0; i < 400; i++) {
      advance(c, &plain, 1);
      advance(c, &touched, 1);
      CHECK(set_from(&touched, &touched) == PICUS_OK);
    }
    finish(c, &plain);
    finish(c, &touched);
    if (!test_check(agree(&plain, &touched), __FILE__, __LINE__, "the same bits"))
      printf("  %s %s\n", c->model, c->scheme);
    simulation_close(&plain);
    simulation_close(&touched);
  }
}

static void another_state_begins_a_new_run(void) {
  for (int k = 0; k < SUBJECTS; k++) {
    const subject *c = &subjects[k];
    simulation source, fresh, used;
    REQUIRE(open_subject(c, &source) && open_subject(c, &fresh) && open_subject(c, &used));
    advance(c, &source, 50);
    advance(c, &used, 130);
    CHECK(set_from(&source, &fresh) == PICUS_OK && set_from(&source, &used) == PICUS_OK);
    CHECK(agree(&fresh, &used));
    advance(c, &fresh, 100);
    advance(c, &used, 100);
    if (!test_check(agree(&fresh, &used), __FILE__, __LINE__, "the same bits"))
      printf("  %s %s\n", c->model, c->scheme);
    /* away and back again: the state is that of the last step, but the run begins anew */
    state_copy there;
    copy_state(&used, &there);
    simulation_close(&fresh);
    REQUIRE(open_subject(c, &fresh));
    CHECK(set_from(&used, &fresh) == PICUS_OK);
    CHECK(set_from(&used, &source) == PICUS_OK); /* keeps the state while used is elsewhere */
    simulation start;
    REQUIRE(open_subject(c, &start));
    CHECK(set_from(&start, &used) == PICUS_OK && set_from(&source, &used) == PICUS_OK);
    finish(c, &fresh);
    finish(c, &used);
    if (!test_check(agree(&fresh, &used), __FILE__, __LINE__, "the same bits after a detour"))
      printf("  %s %s\n", c->model, c->scheme);
    simulation_close(&start);
    simulation_close(&source);
    simulation_close(&fresh);
    simulation_close(&used);
  }
}

/* The whole box on its corners, set to its own state before each step: nothing changes and nothing fails. */
static void a_box_on_its_corners(void) {
  for (int k = 0; k < 2; k++) {
    subject c = {box, k ? "rattle" : "moreau", 1e-4, false};
    simulation plain, touched;
    REQUIRE(open_subject(&c, &plain) && open_subject(&c, &touched));
    for (int i = 0; i < 9000; i++) {
      advance(&c, &plain, 1);
      CHECK(set_from(&touched, &touched) == PICUS_OK);
      advance(&c, &touched, 1);
    }
    CHECK(agree(&plain, &touched));
    simulation_close(&plain);
    simulation_close(&touched);
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"the_present_state_is_no_change", the_present_state_is_no_change},
                                    {"another_state_begins_a_new_run", another_state_begins_a_new_run},
                                    {"a_box_on_its_corners", a_box_on_its_corners}};
  return test_main(argc, argv, "set_state", cases, (int)(sizeof cases / sizeof *cases));
}
