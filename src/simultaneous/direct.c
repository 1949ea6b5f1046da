/* Solver "direct": guess the mode of every law, solve the linear equations of this guess, derive new modes from the
 * arguments of the projections, repeat. If the guesses cycle, one mode at a time is changed, and with few laws all sets
 * are tried.
 *
 * The equations of a set of states: a closed or sticking row has xi = 0, a slipping contact P_T = s mu P_N (its
 * friction joins the normal column), a slipping reservoir P = s a, an open contact P = 0. A rolling law rolls as a
 * contact slips, P = s rho P_N, and is open with its contact. */
#include "simultaneous/scaling.h"

#include <string.h>

enum {
  ENUMERATION_LIMIT = 256, /* sets: four planar contacts with four states each */
  VISITED_LIMIT = 64       /* guesses before the search counts as going round in a circle */
};

typedef enum law_state {
  OPEN = 0,
  STICK = 1,
  SLIP_PLUS = 2,
  SLIP_MINUS = 3
} law_state; /* s = +1, -1: P_T = s mu P_N */

typedef struct search {
  const picus_solver_options *options;
  const picus_contact_problem *problem;
  const double *d; /* scale of each row */
  double *A, *b, *share, *scale, *P, *xi, *argument, *best_P,
      *scratch;    /* share[k]: s mu, friction in the column of unknown k; scale[k]: of that column */
  double *rolling; /* rolling[k]: s rho, rolling friction in the column of unknown k */
  int *row, *order, *state, *best_state, *previous_state, *wish; /* row[k]: the row of unknown k and of its equation */
  picus_mode *modes;
  picus_residual residual, best;
  int unknowns, tried;
  bool singular;     /* of the set solved last */
  bool impressed;    /* P is not zero before it is solved for */
  bool slips;        /* some column has friction of a law that slips or rolls */
  bool best_is_last; /* the modes are those of the best */
} search;

static picus_memory_need direct_need(int law_count, int size) {
  size_t laws = (size_t)law_count, n = (size_t)size;
  return (picus_memory_need){.doubles = n * n + 10 * n, .ints = 2 * n + 4 * laws};
}

/* Divides the memory among the vectors of the search. */
static search prepare(const picus_solver_options *options, const picus_contact_problem *problem,
                      picus_solver_memory memory, picus_mode *modes) {
  size_t n = (size_t)problem->size, laws = (size_t)problem->law_count;
  double *next = memory.doubles;
  search s = {.options = options, .problem = problem, .modes = modes, .best = {INFINITY, INFINITY, -1}};
  picus_scale_factors(problem, next);
  s.d = next;
  s.b = next += n;
  s.share = next += n;
  s.rolling = next += n;
  s.scale = next += n;
  s.P = next += n;
  s.xi = next += n;
  s.argument = next += n;
  s.best_P = next += n;
  s.scratch = next += n;
  s.A = next + n;
  s.row = memory.ints;
  s.order = s.row + n;
  s.state = s.order + n;
  s.best_state = s.state + laws;
  s.previous_state = s.best_state + laws;
  s.wish = s.previous_state + laws;
  memset(s.best_P, 0, n * sizeof *s.best_P);
  return s;
}

/* --- a set of states ------------------------------------------------------------------------------------------ */

/* Friction inside its radius sticks; without friction both directions of slip are one state. */
static law_state friction_state(bool sticks, double radius, double direction) {
  if (sticks) return STICK;
  return direction < 0 && radius > 0 ? SLIP_MINUS : SLIP_PLUS;
}

/* The warm start: the modes of the last solution, and the directions of its friction. */
static void take_states(search *s, const double *P) {
  for (int i = 0, row = 0; i < s->problem->law_count; row += s->problem->laws[i].dim, i++) {
    const picus_law *law = &s->problem->laws[i];
    bool slips = s->modes[i] == PICUS_SLIP, closed = slips || s->modes[i] == PICUS_STICK;
    law_state friction = friction_state(!slips, law->radius, law->kind == PICUS_COULOMB ? P[row + 1] : P[row]);
    switch (law->kind) {
    case PICUS_BILATERAL:
      s->state[i] = STICK;
      break;
    case PICUS_UNILATERAL:
      s->state[i] = closed ? STICK : OPEN;
      break;
    case PICUS_COULOMB:
      s->state[i] = closed ? (int)friction : OPEN;
      break;
    case PICUS_RESERVOIR:
    case PICUS_ROLLING:
      s->state[i] = (int)friction;
      break;
    }
  }
}

/* The modes that the laws should have, from the arguments of their projections. The friction cone is that of the
 * argument, not of P_N: an open contact that should close has no P_N yet. */
static void read_wishes(search *s) {
  for (int i = 0, row = 0; i < s->problem->law_count; row += s->problem->laws[i].dim, i++) {
    const picus_law *law = &s->problem->laws[i];
    const double *argument = s->argument + row;
    switch (law->kind) {
    case PICUS_BILATERAL:
      s->state[i] = STICK;
      break;
    case PICUS_UNILATERAL:
      s->state[i] = argument[0] > 0 ? STICK : OPEN;
      break;
    case PICUS_COULOMB: {
      bool sticks = fabs(argument[1]) < law->radius * argument[0];
      s->state[i] = argument[0] > 0 ? (int)friction_state(sticks, law->radius, argument[1]) : OPEN;
      break;
    }
    case PICUS_RESERVOIR:
      s->state[i] = (int)friction_state(fabs(argument[0]) < law->radius, law->radius, argument[0]);
      break;
    case PICUS_ROLLING: {
      const double radius = law->radius * picus_prox_positive(picus_rolling_normal(s->problem, i, argument));
      s->state[i] = (int)friction_state(fabs(argument[0]) < radius, law->radius, argument[0]);
      break;
    }
    }
  }
}

/* One number for the complete set, exact up to 32 laws. */
static unsigned long long set_key(const search *s) {
  unsigned long long key = 0;
  for (int i = 0; i < s->problem->law_count; i++)
    key = (i < 32 ? key << 2 : key * 0x100000001B3ULL) ^ (unsigned long long)s->state[i];
  return key;
}

static double slip_sign(int state) { return state == SLIP_PLUS ? 1 : state == SLIP_MINUS ? -1 : 0; }

static void add_unknown(search *s, int row, double share) {
  s->row[s->unknowns] = row;
  s->rolling[s->unknowns] = 0;
  s->share[s->unknowns++] = share;
  s->slips = s->slips || share != 0;
}

/* Lists the unknowns of the set and puts the impressed percussions of slipping reservoirs into P. */
static void list_unknowns(search *s) {
  s->unknowns = 0;
  s->impressed = s->slips = false;
  for (int i = 0, row = 0; i < s->problem->law_count; row += s->problem->laws[i].dim, i++) {
    const picus_law *law = &s->problem->laws[i];
    int state = s->state[i];
    for (int k = 0; k < law->dim; k++) s->P[row + k] = 0;
    if (state == OPEN) continue;
    if (law->kind == PICUS_ROLLING && (state != STICK || s->state[i - 1] == OPEN)) continue;
    if (law->kind == PICUS_RESERVOIR && state != STICK) {
      s->P[row] = slip_sign(state) * law->radius;
      s->impressed = true;
      continue;
    }
    add_unknown(s, row, law->kind == PICUS_COULOMB ? slip_sign(state) * law->radius : 0);
    if (picus_law_is_rolled(s->problem, i)) { /* s rho P_N in the column of P_N; 0 if it sticks */
      s->rolling[s->unknowns - 1] = slip_sign(s->state[i + 1]) * law[1].radius;
      s->slips = s->slips || s->rolling[s->unknowns - 1] != 0;
    }
    if (law->kind == PICUS_COULOMB && state == STICK) add_unknown(s, row + 1, 0);
  }
}

/* The row of the rolling law of the contact whose first row is given. */
static int rolling_row(const search *s, int row) {
  int law = 0, first = 0;
  while (first < row) first += s->problem->laws[law++].dim;
  return row + s->problem->laws[law].dim;
}

/* Factor of the scaled unknown k: takes units and a large friction coefficient out of its column. */
static double column_scale(const search *s, int k) {
  int row = s->row[k];
  double sum = 1;
  if (s->share[k] != 0) sum += fabs(s->share[k]) * s->d[row] / s->d[row + 1];
  if (s->rolling[k] != 0) sum += fabs(s->rolling[k]) * s->d[row] / s->d[rolling_row(s, row)];
  return sum == 1 ? s->d[row] : s->d[row] / sum;
}

/* The equation of unknown k, scaled: the change of the unknowns that makes xi of its row vanish. */
static void fill_equation(search *s, int k) {
  int row = s->row[k], n = s->unknowns;
  const double *G = s->problem->G + (size_t)row * (size_t)s->problem->size;
  double *A = s->A + (size_t)k * (size_t)n, scale = s->d[row];
  /* xi of the row from the percussions in P: in the first pass those of slipping reservoirs only */
  double xi = s->problem->c[row];
  for (int j = 0; s->impressed && j < s->problem->size; j++) xi += G[j] * s->P[j];
  s->b[k] = -scale * xi;
  if (!s->slips) {
    for (int l = 0; l < n; l++) A[l] = scale * G[s->row[l]] * s->scale[l];
    return;
  }
  for (int l = 0; l < n; l++) {
    double column = G[s->row[l]];
    if (s->share[l] != 0) column += s->share[l] * G[s->row[l] + 1];
    if (s->rolling[l] != 0) column += s->rolling[l] * G[rolling_row(s, s->row[l])];
    A[l] = scale * column * s->scale[l];
  }
}

/* Solves for that change, and adds it to P. */
static void solve_for_unknowns(search *s) {
  int n = s->unknowns;
  for (int k = 0; k < n; k++) s->scale[k] = column_scale(s, k);
  for (int k = 0; k < n; k++) fill_equation(s, k);
  s->singular = n && picus_solve_dense(n, s->A, s->b, s->scratch, s->order) < n;
  for (int k = 0; k < n; k++) {
    double change = s->scale[k] * s->b[k];
    s->P[s->row[k]] += change;
    if (s->share[k] != 0) s->P[s->row[k] + 1] += s->share[k] * change;
    if (s->rolling[k] != 0) s->P[rolling_row(s, s->row[k])] += s->rolling[k] * change;
  }
}

static void judge(search *s) {
  s->residual = picus_contact_judge(s->problem, s->P, s->xi, s->argument, s->modes);
  s->best_is_last = s->residual.relative < s->best.relative;
  if (!s->best_is_last) return;
  s->best = s->residual;
  memcpy(s->best_P, s->P, (size_t)s->problem->size * sizeof *s->P);
  memcpy(s->best_state, s->state, (size_t)s->problem->law_count * sizeof *s->state);
}

/* P, residual and modes of the set in s->state. true: it is a solution. */
static bool try_set(search *s) {
  s->tried++;
  list_unknowns(s);
  solve_for_unknowns(s);
  judge(s);
  return s->residual.relative <= s->options->tolerance;
}

/* Solves the best set once more and removes the round-off of xi. */
static bool refine_best(search *s) {
  memcpy(s->state, s->best_state, (size_t)s->problem->law_count * sizeof *s->state);
  list_unknowns(s);
  memcpy(s->P, s->best_P, (size_t)s->problem->size * sizeof *s->P);
  s->impressed = true;
  solve_for_unknowns(s);
  judge(s);
  return s->best.relative <= s->options->tolerance;
}

/* --- the search ----------------------------------------------------------------------------------------------- */

static bool was_visited(const unsigned long long *visited, int count, unsigned long long key) {
  for (int k = 0; k < count; k++)
    if (visited[k] == key) return true;
  return false;
}

/* How far P is from the law, as the residual measures it. */
static double defect(const search *s, int law, int row) {
  const picus_contact_problem *problem = s->problem;
  const picus_law *own = &problem->laws[law];
  const double normal = own->kind == PICUS_ROLLING ? picus_rolling_normal(problem, law, s->P + row) : 0;
  return picus_law_natural(own, 1 / picus_law_stiffness(problem, law, row), normal, s->P + row, s->xi + row).length;
}

/* Grants the wish of one law and keeps the others: the law farthest from its set for which this makes a set of states
 * that was not tried yet. false: there is none. */
static bool grant_one_wish(search *s, const unsigned long long *visited, int count) {
  const int *previous = s->previous_state;
  const int laws = s->problem->law_count;
  int *wish = s->wish, chosen = -1;
  double largest = -1;
  memcpy(wish, s->state, (size_t)laws * sizeof *wish);
  memcpy(s->state, previous, (size_t)laws * sizeof *previous);
  for (int i = 0, row = 0; i < laws; row += s->problem->laws[i++].dim) {
    if (wish[i] == previous[i]) continue;
    const double here = defect(s, i, row);
    if (here <= largest) continue;
    s->state[i] = wish[i];
    if (!was_visited(visited, count, set_key(s))) {
      chosen = i;
      largest = here;
    }
    s->state[i] = previous[i];
  }
  if (chosen < 0) return false;
  s->state[chosen] = wish[chosen];
  return true;
}

/* From guess to guess, until one is a solution. Granting the wishes of all laws at once takes few steps but can go
 * round in a circle; granting one at a time (after Murty's rule for pivots), and none that leads back, takes more steps
 * and gets out of it. */
static bool follow_projections(search *s, bool one_by_one) {
  unsigned long long visited[VISITED_LIMIT];
  for (int count = 0; count < VISITED_LIMIT && s->tried < s->options->max_iterations; count++) {
    visited[count] = set_key(s);
    bool solved = try_set(s);
    if (!isfinite(s->residual.relative)) break;
    memcpy(s->previous_state, s->state, (size_t)s->problem->law_count * sizeof *s->state);
    read_wishes(s);
    unsigned long long wish = set_key(s);
    if (wish == visited[count]) return solved || refine_best(s); /* if not solved, then because of round-off */
    if (one_by_one ? !grant_one_wish(s, visited, count + 1) : was_visited(visited, count, wish)) break;
    /* a small residual alone does not suffice: next to a hard impact, the wrong mode of a light contact also gives a
     * small one */
  }
  return s->best.relative <= s->options->tolerance;
}

static int state_count(const picus_law *law) {
  switch (law->kind) {
  case PICUS_BILATERAL:
    return 1;
  case PICUS_UNILATERAL:
    return 2;
  case PICUS_COULOMB:
    return law->radius > 0 ? 4 : 2;
  case PICUS_RESERVOIR:
  case PICUS_ROLLING:
    return 3;
  }
  return 1;
}

/* The digit-th state of a law. */
static law_state state_at(const picus_law *law, int digit) {
  switch (law->kind) {
  case PICUS_BILATERAL:
    return STICK;
  case PICUS_UNILATERAL:
    return digit ? STICK : OPEN;
  case PICUS_COULOMB:
    if (law->radius > 0) return (law_state)digit;
    return digit ? SLIP_PLUS : OPEN;
  case PICUS_RESERVOIR:
  case PICUS_ROLLING:
    return (law_state)(digit + 1);
  }
  return STICK;
}

/* All sets, those with open contacts first. PICUS_NO_SOLUTION: every set was regular and none is near a solution. */
static picus_status enumerate(search *s) {
  const picus_contact_problem *problem = s->problem;
  int sets = 1;
  for (int i = 0; i < problem->law_count; i++)
    if ((sets *= state_count(&problem->laws[i])) > ENUMERATION_LIMIT) return PICUS_NOT_CONVERGED;
  bool singular = false;
  for (int set = 0; set < sets && s->tried < s->options->max_iterations; set++) {
    for (int i = 0, rest = set; i < problem->law_count; i++) {
      int states = state_count(&problem->laws[i]);
      s->state[i] = (int)state_at(&problem->laws[i], rest % states);
      rest /= states;
    }
    if (try_set(s)) return PICUS_OK;
    singular = singular || s->singular;
  }
  if (s->best.relative < 1e-6) return refine_best(s) ? PICUS_OK : PICUS_NOT_CONVERGED;
  return singular || s->tried >= s->options->max_iterations ? PICUS_NOT_CONVERGED : PICUS_NO_SOLUTION;
}

static picus_status direct_solve(const picus_solver_options *options, const picus_contact_problem *problem,
                                 picus_solver_memory memory, double *P, picus_mode *modes, int *iterations) {
  search s = prepare(options, problem, memory, modes);
  take_states(&s, P);
  bool solved = follow_projections(&s, false);
  if (!solved && isfinite(s.best.relative)) memcpy(s.state, s.best_state, (size_t)problem->law_count * sizeof *s.state);
  picus_status status = solved || follow_projections(&s, true) ? PICUS_OK : enumerate(&s);
  memcpy(P, s.best_P, (size_t)problem->size * sizeof *P);
  *iterations += s.tried;
  if (s.best_is_last && memory.judged) *memory.judged = s.best;
  if (status == PICUS_NO_SOLUTION) memset(memory.ints, 0, (size_t)problem->law_count * sizeof *memory.ints);
  return status; /* no set of states fits; the pivoting of lemke finds the conflicting laws */
}

const picus_solver_ops picus_direct_solver = {
    .description = {"direct", "guesses the modes of all contacts and solves linear equations; exact, for few contacts",
                    "Studer, Leine, Glocker 2008, section 4 (modes); Glocker, Studer 2005, section 4 (the cases)"},
    .refusal = picus_refuse_spatial_friction,
    .need = direct_need,
    .needs_whole_G = true,
    .solve = direct_solve,
};
