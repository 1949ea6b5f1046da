/* Painleve paradox: steps with several solutions, or with an impact as the only one.
 *
 * At a contact that slides, friction is a known multiple of the normal percussion, P_F = - mu P_N d with the direction
 * d of the slip, and its normal velocity at the end of the step is
 *
 *   xi_N = c_N + N P_N,     N = G_NN - mu G_NF d.
 *
 * If N <= 0, a normal percussion does not push the bodies apart. For one contact and c_N > 0, both opening (P_N = 0)
 * and continued sliding (P_N = - c_N / N) are solutions; for c_N < 0 neither is, and only a percussion that stops the
 * slip at once, an impact without collision, remains (Painleve 1895; Glocker, Set-Valued Force Laws, 2001, 5.3).
 *
 * Other laws influence a contact. If a contact alone has N <= 0, the test therefore counts the solutions of the
 * complete problem: every set of contacts may be closed, sliding contacts continue to slide, all other closed laws keep
 * their equations. Several: indeterminate; none: inconsistent. */
#include "step_problem/step_problem.h"

#include "contact/internal.h"
#include "linalg/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define STRIKE 4   /* a contact that approaches faster than so many steps of its forces explain is struck */
#define SMALL 1e-9 /* percussions and velocities that are smaller than this share of the largest count as zero */

/* A contact of the problem that may be open or closed. */
typedef struct candidate {
  int law, row;                     /* active law and its first row */
  bool slides;                      /* then its only unknown is P_N, */
  double direction[PICUS_LAW_ROWS]; /* with friction against d */
  double N;
} candidate;

typedef struct unknown {
  int law, first, row;     /* active law, its first row, and the row whose velocity is to vanish */
  const candidate *slider; /* the percussion is one along the cone's edge; NULL: of the row alone */
  bool presses;            /* must not be negative */
} unknown;

typedef struct paradox_test {
  const step_problem *p;
  int candidate_count, fixed_count, suspect; /* suspect: the candidate with the least N */
  candidate candidates[PICUS_PARADOX_CONTACTS];
  unknown unknowns[PICUS_PARADOX_ROWS]; /* rows of laws with fixed mode come first */
  double scale;                         /* largest |c| */
} paradox_test;

bool picus_step_problem_may_jam(const step_problem *p) {
  if (p->G.is_factored) return false; /* too many contacts for the test, see PICUS_PARADOX_CONTACTS */
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const picus_law *law = &p->laws[k];
    if (law->kind != PICUS_COULOMB) continue;
    const double *G = picus_delassus_entries(&p->G, k, at, k, at); /* of the normal row */
    double square = G[1] * G[1];
    for (int r = 2; r < law->dim; r++) square += G[r] * G[r];
    if (G[0] <= 0 || G[0] * G[0] <= law->radius * law->radius * square) return true;
  }
  return false;
}

/* The effect of the forces of the step on a row. */
static double forced(const step_problem *p, int row) { return p->gamma_free[row] - p->gamma_begin[row]; }

/* A row of G, which belongs to an active law, times the percussions of one unit of P_N while sliding. */
static double slider_influence(const step_problem *p, int law, int row, const candidate *x) {
  const double *G = picus_delassus_entries(&p->G, law, row, x->law, x->row);
  return G[0] - p->laws[x->law].radius * picus_dot(p->laws[x->law].dim - 1, G + 1, x->direction);
}

static double influence(const step_problem *p, int law, int row, const unknown *x) {
  if (x->slider) return slider_influence(p, law, row, x->slider);
  return picus_delassus_entries(&p->G, law, row, x->law, x->first)[x->row - x->first];
}

/* One more contact; it slides if the forces of the step do not stop its slip. */
static void add_candidate(paradox_test *test, int law, int row) {
  const step_problem *p = test->p;
  candidate *x = &test->candidates[test->candidate_count];
  const int slips = p->laws[law].dim - 1;
  double change = 0, speed = slips > 0 ? picus_length(slips, p->gamma_begin + row + 1) : 0;
  for (int k = 0; k < slips; k++) change = fmax(change, fabs(forced(p, row + 1 + k)));
  *x = (candidate){.law = law, .row = row, .slides = speed > change, .N = INFINITY};
  for (int k = 0; k < slips && x->slides; k++) x->direction[k] = p->gamma_begin[row + 1 + k] / speed;
  if (x->slides) x->N = slider_influence(p, law, row, x);
  if (x->N < test->candidates[test->suspect].N || test->candidate_count == 0) test->suspect = test->candidate_count;
  test->candidate_count++;
}

static int add_rows(paradox_test *test, int count, int law, int row, bool opens) {
  for (int r = 0; r < test->p->laws[law].dim && count < PICUS_PARADOX_ROWS; r++)
    test->unknowns[count++] = (unknown){.law = law, .first = row, .row = row + r, .presses = opens && r == 0};
  return count;
}

/* False: no contact with N <= 0, or an impact that explains every jump. */
static bool collect(paradox_test *test) {
  const step_problem *p = test->p;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const picus_law *law = &p->laws[k];
    const bool opens = law->kind == PICUS_COULOMB || law->kind == PICUS_UNILATERAL;
    if (opens && -p->gamma_begin[at] > STRIKE * fabs(forced(p, at))) return false;
    test->scale = fmax(test->scale, fabs(p->c[at]));
    if (opens && test->candidate_count < PICUS_PARADOX_CONTACTS)
      add_candidate(test, k, at);
    else if (!(opens && p->modes[k] == PICUS_OPEN) &&
             !(picus_normal_rows(law->kind) == 0 && p->modes[k] != PICUS_STICK))
      test->fixed_count = add_rows(test, test->fixed_count, k, at, opens);
  }
  return test->candidate_count > 0 && test->candidates[test->suspect].N <= 0;
}

/* The unknowns if these candidates, by bits, are closed. */
static int close_candidates(paradox_test *test, int closed) {
  int n = test->fixed_count;
  for (int i = 0; i < test->candidate_count; i++) {
    const candidate *x = &test->candidates[i];
    if (!(closed >> i & 1)) continue;
    if (!x->slides)
      n = add_rows(test, n, x->law, x->row, true);
    else if (n < PICUS_PARADOX_ROWS)
      test->unknowns[n++] = (unknown){.law = x->law, .first = x->row, .row = x->row, .slider = x, .presses = true};
  }
  return n;
}

/* Whether the closed candidates press and the open ones do not approach. A closed contact that does not press is the
 * solution in which it is open. */
static bool is_solution(paradox_test *test, int closed) {
  const step_problem *p = test->p;
  double A[PICUS_PARADOX_ROWS * PICUS_PARADOX_ROWS], x[PICUS_PARADOX_ROWS], largest = 0;
  int pivots[PICUS_PARADOX_ROWS];
  const int n = close_candidates(test, closed);
  for (int i = 0; i < n; i++) { /* xi = 0 in the closed rows */
    const unknown *row = &test->unknowns[i];
    x[i] = -p->c[row->row];
    for (int j = 0; j < n; j++) A[i * n + j] = influence(p, row->law, row->row, &test->unknowns[j]);
  }
  if (n > 0 && !picus_lu_factor(n, A, pivots)) return false;
  if (n > 0) picus_lu_solve(n, A, pivots, x);
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  for (int i = 0; i < n; i++)
    if (test->unknowns[i].presses && x[i] <= SMALL * largest) return false;
  for (int i = 0; i < test->candidate_count; i++) {
    const int row = test->candidates[i].row;
    double velocity = p->c[row];
    for (int j = 0; j < n; j++) velocity += influence(p, test->candidates[i].law, row, &test->unknowns[j]) * x[j];
    if (!(closed >> i & 1) && velocity < -SMALL * test->scale) return false;
  }
  return true;
}

void picus_step_note_paradox(const step_problem *p, picus_step_info *info) {
  paradox_test test = {.p = p};
  if (!collect(&test)) return;
  int solutions = 0;
  for (int closed = 0; closed < 1 << test.candidate_count && solutions < 2; closed++)
    solutions += is_solution(&test, closed);
  if (solutions == 1) return;
  const candidate *suspect = &test.candidates[test.suspect];
  info->paradox.kind = solutions == 0 ? PICUS_PARADOX_INCONSISTENT : PICUS_PARADOX_INDETERMINATE;
  info->paradox.law = p->active[suspect->law];
  /* the suspect opened, continues to slide, or stopped or reversed at once */
  const picus_mode mode = p->modes[suspect->law];
  const bool same_way = picus_dot(p->laws[suspect->law].dim - 1, p->P + suspect->row + 1, suspect->direction) < 0;
  info->paradox.branch = mode == PICUS_OPEN               ? PICUS_BRANCH_OPENED
                         : mode == PICUS_SLIP && same_way ? PICUS_BRANCH_SLID
                                                          : PICUS_BRANCH_IMPACT;
}
