/* Static equilibria: Newton's method on h(q) + W P = 0 with g(q) = 0 for the laws that hold. Contacts that would be
 * pulled open, and those that would pull, change sides in every iteration. */
#include "statics/saddle.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

static const double closed_below = 1e-10; /* m: a contact with a smaller gap can press */

typedef struct search {
  saddle *s;
  double t, *q, *P; /* P: rows of the system */
  double *gap, *h, *q_dot;
} search;

static const picus_system_law *law_of(const saddle *s, int r) { return &s->system->fixed.laws[s->row_law[r]].data; }

/* The row of the system that row r of the saddle is. */
static int system_row(const saddle *s, int r) { return law_of(s, r)->first_row + s->row_of_law[r]; }

picus_status picus_saddle_find_forces(saddle *s, double t, const double *q, double *P) {
  memset(P, 0, (size_t)s->system->fixed.row_count * sizeof *P);
  picus_status status = picus_saddle_set_state(s, t, q, NULL);
  if (!status) status = picus_saddle_factor(s, 0, 1);
  memset(s->x, 0, (size_t)(s->nu + s->rows) * sizeof *s->x);
  if (!status) status = picus_evaluate_force(s->evaluation, s->x);
  if (status) return status;
  picus_saddle_solve(s);
  for (int r = 0; r < s->rows; r++)
    if (s->holds[r]) P[system_row(s, r)] = -s->x[s->nu + r];
  return PICUS_OK;
}

/* Contacts at the state: those that are closed or would close hold, unless they pull. Friction does not act. */
static bool choose_contacts(search *f, bool first) {
  saddle *s = f->s;
  bool changed = false;
  for (int r = 0; r < s->rows; r++) {
    const picus_system_law *law = law_of(s, r);
    if (law->kind == PICUS_BILATERAL) continue;
    bool holds = false;
    if (s->row_of_law[r] == 0) {
      const double gap = f->gap[s->row_law[r]];
      holds = gap < -closed_below || (gap <= closed_below && (first || (s->holds[r] && f->P[system_row(s, r)] > 0)));
    }
    changed = changed || holds != s->holds[r];
    s->holds[r] = holds;
  }
  return changed;
}

/* One step of Newton's method; its size in the metric of the scaled matrix. */
static picus_status improve(search *f, double shift, double *size) {
  saddle *s = f->s;
  picus_status status = picus_saddle_set_state(s, f->t, f->q, f->P);
  if (!status) status = picus_saddle_factor(s, 1, shift);
  if (!status) status = picus_evaluate_force(s->evaluation, f->h);
  if (status) return status;
  memcpy(s->x, f->h, (size_t)s->nu * sizeof *s->x);
  for (int r = 0; r < s->rows; r++) {
    const bool position = s->holds[r] && s->row_of_law[r] == 0 && law_of(s, r)->has_gap;
    s->x[s->nu + r] = position ? -f->gap[s->row_law[r]] : 0;
  }
  picus_saddle_solve(s);
  memset(f->P, 0, (size_t)s->system->fixed.row_count * sizeof *f->P);
  for (int r = 0; r < s->rows; r++)
    if (s->holds[r]) f->P[system_row(s, r)] = -s->x[s->nu + r];
  *size = 0;
  for (int i = 0; i < s->nu; i++) *size = fmax(*size, fabs(s->x[i]));
  picus_evaluation_set_velocity(s->evaluation, s->x);
  status = picus_evaluate_rate(s->evaluation, f->q_dot);
  for (int i = 0; !status && i < s->system->nq; i++) f->q[i] += f->q_dot[i];
  picus_system_normalise(s->system, f->q);
  return status;
}

static picus_status read_gaps(search *f) {
  saddle *s = f->s;
  memset(s->x, 0, (size_t)s->nu * sizeof *s->x);
  picus_evaluation_set_point(s->evaluation, f->t, f->q, s->x);
  return picus_evaluate_gaps(s->evaluation, f->gap);
}

static picus_status search_equilibrium(search *f) {
  enum { ITERATIONS = 100 };
  double largest = 0, size = INFINITY;
  saddle *s = f->s;
  picus_status status = picus_saddle_set_state(s, f->t, f->q, NULL);
  for (int i = 0; i < s->nu; i++)
    for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++)
      if (s->column[k] == i && s->M[k] > 0) largest = fmax(largest, fabs(s->K[k]) / s->M[k]);
  const double shift = largest > 0 ? 1e-13 * largest : 1; /* motions without stiffness stay where they are */
  for (int k = 0; !status && k < ITERATIONS; k++) {
    status = read_gaps(f);
    if (status) return status;
    const bool changed = choose_contacts(f, k == 0);
    if (!changed && size < 1e-11) return PICUS_OK;
    status = improve(f, shift, &size);
    if (!status && !isfinite(size)) break;
  }
  return status ? status
                : picus_fail(s->context, PICUS_ERROR_MODEL,
                             "no static equilibrium was found near the initial state (last correction %.2g); start "
                             "closer to it, or fix the bodies that can move away",
                             size);
}

picus_status picus_saddle_find_equilibrium(saddle *s, double t, double *q, double *P) {
  const picus_system *system = s->system;
  search f = {.s = s, .t = t, .q = q, .P = P};
  f.gap = picus_allocate(s->context, (size_t)system->fixed.law_count + 1, sizeof(double));
  f.h = picus_allocate(s->context, (size_t)system->nu, sizeof(double));
  f.q_dot = picus_allocate(s->context, (size_t)system->nq, sizeof(double));
  memset(P, 0, (size_t)system->fixed.row_count * sizeof *P);
  picus_status status = f.gap && f.h && f.q_dot ? search_equilibrium(&f) : PICUS_ERROR_MEMORY;
  picus_release(s->context, f.gap);
  picus_release(s->context, f.h);
  picus_release(s->context, f.q_dot);
  return status;
}
