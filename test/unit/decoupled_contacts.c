/* Decoupled contacts of constant M and W, in the plane and in space, are solved one by one. A run whose contact
 * problems are watched gives them to the solver: both have the same bits, on random systems with contacts of all modes;
 * one or several toys in a model, which do not feel each other. */
#include "support/check.h"
#include "support/simulate.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = 300, TEXT = 65536, MANY_TOYS = 60 };

typedef struct writer {
  char text[TEXT];
  size_t used;
} writer;

static void advance(writer *w, int count) {
  if (CHECK(count >= 0 && w->used + (size_t)count < TEXT)) w->used += (size_t)count;
}
#define ADD(w, ...) advance(w, snprintf((w)->text + (w)->used, TEXT - (w)->used, __VA_ARGS__))

/* One toy of a model. It may begin at rest in its contacts: then penetration is round-off, which grows in any step. */
typedef struct toy {
  int number, n; /* of coordinates */
  bool rests;
} toy;

/* A sum over the coordinates or velocities of a toy with random factors. */
static void add_sum(writer *w, test_random *random, const toy *of, const char *vector, const char *names) {
  for (int i = 0; i < of->n; i++)
    ADD(w, "%s%.3f * %s.%c%d", i ? " + " : "", i == 0 || test_integer(random, 0, 3) ? test_uniform(random, 0.1, 1) : 0,
        vector, names[i], of->number);
}

static void add_contact(writer *w, test_random *random, const toy *of, int number) {
  static const double mus[] = {0, 0.2, 0.5, 1.5}, restitutions[] = {0, 0, 0.5, 1};
  const int kind = test_integer(random, 0, 7);
  const int slips = kind > 5 ? kind - 4 : 1; /* in space two; three with drilling friction, as of a disk */
  const double offset = !of->rests && test_integer(random, 0, 2) ? test_uniform(random, 0, 0.02) : 0;
  ADD(w, "contact {'c%d_%d', gap = %.4f + ", of->number, number, offset);
  add_sum(w, random, of, "q", "xyz");
  if (kind > 0) {
    ADD(w, ", slip = %s", slips > 1 ? "{" : "");
    add_sum(w, random, of, "u", "uvw");
    if (kind == 1 && !of->rests) ADD(w, " + 0.1"); /* a moving surface */
    if (slips > 1) {
      ADD(w, ", ");
      add_sum(w, random, of, "u", "uvw");
    }
    if (slips > 2) ADD(w, ", 0.4 * u.u%d", of->number);
    if (slips > 1) ADD(w, "}");
    ADD(w, ", mu = %g", mus[test_integer(random, 0, 3)]);
  }
  ADD(w, ", eN = %g%s}\n", restitutions[test_integer(random, 0, 3)], kind == 2 ? ", eF = 0.3" : "");
}

static void add_dynamics(writer *w, test_random *random, const toy *of) {
  for (int i = 0; i < of->n; i++)
    ADD(w, "kinetic(%.3f * u.%c%d^2)\n", test_uniform(random, 0.2, 2), "uvw"[i], of -> number);
  ADD(w, "kinetic((");
  add_sum(w, random, of, "u", "uvw");
  ADD(w, ")^2)\npotential(%.3f * (", test_uniform(random, 0, 200));
  add_sum(w, random, of, "q", "xyz");
  ADD(w, ")^2 + 9.81 * (");
  add_sum(w, random, of, "q", "xyz");
  ADD(w, "))\n");
  if (test_integer(random, 0, 3) == 0) ADD(w, "force {u%d = sin(30 * t)}\n", of->number);
}

static void write_model(writer *w, test_random *random, int toys) {
  const bool all_rest = test_integer(random, 0, 2) == 0;
  toy list[MANY_TOYS] = {{0}};
  *w = (writer){.used = 0};
  ADD(w, "local q, u = coordinates {");
  for (int k = 0; k < toys; k++) {
    list[k] = (toy){.number = k, .n = test_integer(random, 1, 3), .rests = all_rest};
    for (int i = 0; i < list[k].n; i++)
      ADD(w, "{'%c%d', velocity = '%c%d', start = {0, %.4f}}, ", "xyz"[i], k, "uvw"[i], k,
          list[k].rests ? 0 : test_uniform(random, -1, 1));
  }
  ADD(w, "}\n");
  for (int k = 0; k < toys; k++) {
    add_dynamics(w, random, &list[k]);
    for (int c = 0, contacts = test_integer(random, 1, 3); c < contacts; c++) add_contact(w, random, &list[k], c);
  }
  ADD(w, "simulate {scheme = 'moreau', dt = 1e-3, t_start = %g, t_end = 1.5}\n",
      test_integer(random, 0, 1) ? 0 : test_uniform(random, 0.3, 0.6));
}

static void count_problem(void *user, const picus_watched_problem *watched) {
  (void)watched;
  ++*(long *)user;
}

/* A random system twice; the contact problems of one of them are watched and counted. */
static bool open_both(writer *w, test_random *random, int toys, simulation *plain, simulation *watched,
                      long *problems) {
  write_model(w, random, toys);
  if (!simulation_open_text(plain, w->text) || !simulation_open_text(watched, w->text)) return false;
  picus_sim_watch_contacts(watched->sim, count_problem, problems);
  return true;
}

static bool same(double a, double b) { return memcmp((const void *)&a, (const void *)&b, sizeof a) == 0; }

static bool same_step(const simulation *a, const simulation *b, const picus_step_info *x, const picus_step_info *y) {
  const picus_state p = picus_sim_state(a->sim), r = picus_sim_state(b->sim);
  bool equal = same(p.t, r.t) && same(x->dissipated, y->dissipated) && same(x->gaps.lowest, y->gaps.lowest) &&
               x->active == y->active && x->impacts == y->impacts &&
               x->solver.last.iterations == y->solver.last.iterations &&
               same(x->solver.last.residual.relative, y->solver.last.residual.relative) &&
               same(x->solver.last.residual.natural, y->solver.last.residual.natural) &&
               x->solver.last.islands == y->solver.last.islands &&
               x->solver.last.residual.worst_law == y->solver.last.residual.worst_law &&
               same(x->solver.residual, y->solver.residual);
  for (int i = 0; i < picus_system_nq(a->system); i++) equal = equal && same(p.q[i], r.q[i]) && same(p.u[i], r.u[i]);
  return equal;
}

typedef struct counts {
  long problems, closed, several, steps;
} counts;

static void step_both_ways(test_random *random, int toys, counts *sum) {
  static writer w;
  simulation plain, watched;
  if (!open_both(&w, random, toys, &plain, &watched, &sum->problems)) return;
  for (int k = 0; k < STEPS; k++) {
    picus_step_info x = {0}, y = {0};
    const double dt = k % 50 == 49 ? 0.5e-3 : 0; /* 0: that of the model */
    const picus_status status = picus_sim_step(plain.sim, dt, &x);
    if (!CHECK(status == picus_sim_step(watched.sim, dt, &y)) || status) break;
    if (!CHECK(same_step(&plain, &watched, &x, &y))) {
      printf("%s", w.text);
      break;
    }
    sum->steps++;
    sum->closed += x.active > 0;
    sum->several += x.solver.last.islands > 1;
  }
  simulation_close(&plain);
  simulation_close(&watched);
}

static void both_ways_have_the_same_bits(void) {
  test_random random = {2026};
  counts sum = {0};
  for (int round = 0; round < 250; round++) step_both_ways(&random, round % 4 ? 1 : test_integer(&random, 2, 5), &sum);
  step_both_ways(&random, MANY_TOYS, &sum); /* so many that G has blocks */
  CHECK(sum.problems >= sum.closed && sum.closed > 10000 && sum.steps > 2 * sum.closed / 3 && sum.several > 2000);
}

static bool same_summary(const picus_summary *x, const picus_summary *y) {
  return x->status == y->status && x->steps == y->steps && x->impacts == y->impacts && x->chatter == y->chatter &&
         x->contact_steps == y->contact_steps && x->solver.iterations == y->solver.iterations &&
         x->solver.iterations_max == y->solver.iterations_max && same(x->energy.dissipated, y->energy.dissipated) &&
         same(x->solver.worst_residual, y->solver.worst_residual) &&
         same(x->solver.worst_residual_t, y->solver.worst_residual_t) &&
         same(x->gaps.penetration, y->gaps.penetration) && same(x->gaps.penetration_t, y->gaps.penetration_t) &&
         x->gaps.penetration_law == y->gaps.penetration_law && same(x->energy.end, y->energy.end) &&
         same(x->t_end, y->t_end) && x->gaps.passed.count == y->gaps.passed.count &&
         x->gaps.unexplained.steps == y->gaps.unexplained.steps &&
         same(x->gaps.unexplained.depth, y->gaps.unexplained.depth);
}

/* A penetration of round-off is deepest in one step: its time is that of the grid, to the last digit. */
static void whole_runs_have_the_same_bits(void) {
  static writer w;
  test_random random = {1117};
  long problems = 0, closed = 0, penetrating = 0, drifting = 0;
  for (int round = 0; round < 150; round++) {
    simulation plain, watched;
    if (!open_both(&w, &random, round % 3 ? 1 : test_integer(&random, 2, 5), &plain, &watched, &problems)) return;
    picus_summary x = {0}, y = {0};
    const picus_status status = picus_sim_run(plain.sim, NULL, NULL, &x);
    const picus_step_info nothing = {0};
    CHECK(status == picus_sim_run(watched.sim, NULL, NULL, &y));
    if (!CHECK(same_summary(&x, &y)) || !CHECK(same_step(&plain, &watched, &nothing, &nothing))) printf("%s", w.text);
    closed += x.contact_steps;
    penetrating += x.gaps.penetration > 0;
    drifting += x.gaps.penetration > 0 && x.gaps.penetration < 1e-12 && x.gaps.penetration_t > x.t_start + 0.1;
    simulation_close(&plain);
    simulation_close(&watched);
  }
  printf("  %ld problems, %ld closed, %ld penetrating, %ld drifting\n", problems, closed, penetrating, drifting);
  CHECK(problems >= closed && closed > 20000 && penetrating > 20 && drifting > 2);
}

/* What is not finite is named as before. */
static void numbers_that_are_not_finite(void) {
  simulation s;
  if (!simulation_open_text(&s,
                            "local q, u = coordinates {{'x', velocity = 'v', start = {0, 0}}}\nkinetic(u.v^2)\n"
                            "force {v = 1e308 * exp(700 * t)}\n"
                            "contact {'c', gap = q.x + 1, slip = u.v, mu = 0.3}\nsimulate {dt = 1e-2, t_end = 3}\n"))
    return;
  const picus_status status = picus_sim_run(s.sim, NULL, NULL, NULL);
  CHECK(status == PICUS_ERROR_NUMBER);
  CHECK(strstr(picus_last_error(s.context)->message, "'v'") != NULL);
  simulation_close(&s);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"both_ways_have_the_same_bits", both_ways_have_the_same_bits},
      {"whole_runs_have_the_same_bits", whole_runs_have_the_same_bits},
      {"numbers_that_are_not_finite", numbers_that_are_not_finite},
  };
  return test_main(argc, argv, "decoupled_contacts", cases, sizeof cases / sizeof cases[0]);
}
