/* A number for the equations of a system: bits of masses, forces, rates, gaps, directions and energies at its initial
 * state and at another one near it. A model with another parameter has another number, unless the parameter has no
 * effect at both; so has the same model where a function of the C library differs by a bit. Shapes have an effect where
 * they are near each other at these states. */
#include "sim/internal.h"

#include "base/internal.h"

#include <string.h>

typedef struct printer {
  uint64_t sum;
  double *scratch;
} printer;

static void add_word(printer *p, uint64_t word) {
  const uint64_t pair[2] = {p->sum, word};
  p->sum = picus_check_sum(pair, sizeof pair);
}

static void add_numbers(printer *p, picus_status status, const double *values, size_t count) {
  add_word(p, status ? 1 : picus_check_sum(values, count * sizeof *values));
}

static void add_text(printer *p, const char *text) { add_word(p, picus_check_sum(text, strlen(text))); }

static void add_point(printer *p, picus_evaluation *e) {
  const picus_system *s = e->system;
  const size_t nq = (size_t)s->nq, nu = (size_t)s->nu;
  double energies[2] = {0, 0};
  add_numbers(p, picus_evaluate_rate(e, p->scratch), p->scratch, nq);
  add_numbers(p, picus_evaluate_force(e, p->scratch), p->scratch, nu);
  add_numbers(p, picus_evaluate_gaps(e, p->scratch), p->scratch, (size_t)s->fixed.law_count);
  picus_status status = picus_evaluation_update_directions(e);
  add_numbers(p, status, e->W, s->fixed.W_size);
  add_numbers(p, status, e->chi, (size_t)s->fixed.row_count);
  status = picus_evaluation_update_mass(e);
  for (int i = 0; i < e->mass.block_count; i++)
    add_numbers(p, status, e->mass.blocks[i].values, e->mass.blocks[i].count);
  add_numbers(p, picus_evaluate_energy(e, &energies[0], &energies[1]), energies, 2);
}

/* Names and numbers of the system itself. */
static void add_system(printer *p, const picus_system *s) {
  for (int i = 0; i < s->nq; i++) add_text(p, s->q_names[i].name);
  for (int i = 0; i < s->nu; i++) add_text(p, s->u_names[i].name);
  for (int i = 0; i < s->fixed.law_count; i++) {
    const picus_system_law *law = &s->fixed.laws[i].data;
    const double numbers[] = {(double)law->kind, law->slips, law->mu,      law->reservoir,
                              law->eN,           law->eF,    law->rolling, law->displaced};
    add_text(p, law->name);
    add_numbers(p, PICUS_OK, numbers, sizeof numbers / sizeof numbers[0]);
  }
  add_numbers(p, PICUS_OK, s->stop_times, (size_t)s->stop_count);
  add_word(p, (uint64_t)s->input_count);
  add_word(p, (uint64_t)s->work_count);
}

static void print(printer *p, picus_evaluation *e, double t, double *q) {
  const picus_system *s = e->system;
  double *u = q + s->nq;
  add_system(p, s);
  picus_evaluation_start_inputs(e, t);
  picus_system_start(s, q, u);
  picus_evaluation_set_point(e, t, q, u);
  add_point(p, e);
  for (int i = 0; i < s->nq; i++) q[i] += 1e-3 / (1 + i % 7);
  for (int i = 0; i < s->nu; i++) u[i] += 0.1 / (1 + i % 5);
  picus_evaluation_set_point(e, t + 1e-3, q, u);
  add_point(p, e);
}

uint64_t picus_sim_fingerprint(picus_sim *sim) {
  const picus_system *s = sim->system;
  const size_t numbers = (size_t)s->nq + (size_t)s->nu;
  printer p = {0};
  picus_evaluation *e = NULL;
  if (sim->fingerprint) return sim->fingerprint;
  double *q = picus_allocate(sim->context, numbers, sizeof *q);
  p.scratch = picus_allocate(sim->context, numbers + (size_t)s->fixed.law_count, sizeof *p.scratch);
  if (q && p.scratch && !picus_evaluation_create(sim->context, s, &e)) {
    print(&p, e, sim->options.t_start, q);
    sim->fingerprint = p.sum ? p.sum : 1;
  }
  picus_evaluation_destroy(e);
  picus_release(sim->context, p.scratch);
  picus_release(sim->context, q);
  return sim->fingerprint;
}
