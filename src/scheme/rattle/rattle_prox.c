/* The iteration of Breuling et al. (2023), to count its iterations: both stages of rattle by a semismooth Newton method
 * on their prox equations (41) and (43), in the active-set form of the paper. An iteration chooses the set of each law
 * from the argument of its prox function, r xi - P, and solves one linear system. The scheme itself solves contact
 * problems in its place, and nothing here changes its results.
 *
 * The paper prints no initial guess. Each stage starts here from its own solution in the last step: the first from q_n,
 * u_(n-1/2) and P1, the second from u_n and P2. In the first step P1 are the percussions of the forces at the start,
 * which the paper computes (54), (55), and P2 is zero. With these starts its Table 1 is met. A start that satisfies the
 * equations takes no iteration. Velocities and positions are eliminated: the unknowns are the percussions of all laws.
 */
#include "scheme/rattle/rattle.h"

#include "base/internal.h"
#include "linalg/internal.h"
#include "stepper/impacts.h"

#include <math.h>

/* --- memory ------------------------------------------------------------------------------------------------------- */

static picus_status check_laws(const stepper *s) {
  if (picus_system_laws_appear(s->system))
    return picus_fail(s->context, PICUS_ERROR_ARGUMENT,
                      "prox_r counts iterations of models whose contacts do not come and go; leave it out");
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    if (law->varies)
      return picus_fail(s->context, PICUS_ERROR_UNSUPPORTED,
                        "prox_r counts iterations of laws with constant coefficients, and those of '%s' vary; leave it "
                        "out",
                        law->name);
    if (law->kind == PICUS_BILATERAL || picus_law_can_open(law)) continue;
    return picus_fail(s->context, PICUS_ERROR_ARGUMENT,
                      "prox_r counts iterations of contacts and constraints, and '%s' is another law; leave it out",
                      law->name);
  }
  return PICUS_OK;
}

picus_status picus_rattle_prox_create(stepper *s) {
  rattle_prox *x = &rattle_of(s)->prox;
  x->r = s->options.prox_r;
  if (x->r == 0) return PICUS_OK;
  picus_status status = check_laws(s);
  if (status) return status;
  const size_t n = (size_t)s->set->row_count, nu = (size_t)s->system->nu;
  x->n = s->set->row_count;
  const size_t unit = sizeof(double);
  status = PICUS_FIXED(&s->arrays, unit, n * n, &x->G, &x->J);
  if (!status) status = PICUS_FIXED(&s->arrays, unit, n, &x->c, &x->xi, &x->P, &x->P1, &x->P2, &x->next);
  if (!status) status = PICUS_FIXED(&s->arrays, unit, n * nu, &x->X);
  if (!status) status = PICUS_FIXED(&s->arrays, unit, nu, &x->u, &x->guess, &x->half);
  return status ? status : PICUS_FIXED(&s->arrays, sizeof *x->pivots, n, &x->pivots);
}

/* --- where the iterations start ----------------------------------------------------------------------------------- */

/* P1 of a first step: the percussions of the forces at its start in dt/2. Forces that cannot be found count as zero. */
static picus_status find_first_percussions(stepper *s, double dt) {
  rattle_prox *x = &rattle_of(s)->prox;
  const picus_solver_options options = picus_default_solver_options();
  picus_mode *modes = picus_allocate(s->context, (size_t)s->set->law_count, sizeof *modes);
  picus_status status = modes ? picus_stepper_find_forces(s, &options, x->P1, modes) : PICUS_ERROR_MEMORY;
  picus_release(s->context, modes);
  for (int j = 0; j < x->n; j++) x->P1[j] *= status ? 0 : 0.5 * dt;
  return status == PICUS_ERROR_MEMORY ? status : PICUS_OK;
}

picus_status picus_rattle_prox_begin(stepper *s, double dt) {
  rattle_prox *x = &rattle_of(s)->prox;
  if (x->r == 0) return PICUS_OK;
  if (x->has_last) {
    picus_copy(x->n, s->law_memory, x->P1);
    picus_subtract(x->n, s->contacts.P, s->law_memory, x->P2);
    return PICUS_OK;
  }
  picus_copy(s->system->nu, s->u, x->half);
  picus_clear(x->n, x->P2);
  return find_first_percussions(s, dt);
}

void picus_rattle_prox_end(stepper *s) {
  rattle_prox *x = &rattle_of(s)->prox;
  if (x->r == 0) return;
  picus_copy(s->system->nu, rattle_of(s)->u, x->half);
  x->has_last = true;
}

void picus_rattle_prox_restart(stepper *s) { rattle_of(s)->prox.has_last = false; }

void picus_rattle_prox_archive(stepper *s, picus_archive *a) {
  rattle_prox *x = &rattle_of(s)->prox;
  if (x->r == 0) return;
  picus_archive_bool(a, &x->has_last);
  picus_archive_doubles(a, x->half, (size_t)s->system->nu);
}

/* --- the sets of an iterate --------------------------------------------------------------------------------------- */

/* A stage: where its rows come from. Rows of gaps are divided by dt in the first stage. */
typedef struct prox_stage {
  const double *slopes, *directions; /* rows of xi in u, and the directions of percussions */
  const double *offset;
  double gap_dt;          /* xi of a gap times this is the gap; 1: xi is a velocity */
  const double *left_out; /* of each law: > 0 if it takes no part; NULL: all do */
} prox_stage;

static const double *row_of(const system_law *law, const double *rows, int k) {
  return picus_law_row(law, rows, 0) + (size_t)k * (size_t)picus_law_row_size(law);
}

/* Whether the normal row of a contact is an equation for xi, not for P. */
static bool presses(const rattle_prox *x, const prox_stage *g, const picus_system_law *law, int i) {
  const int row = law->first_row;
  if (g->left_out && g->left_out[i] > 0) return false;
  return x->r * g->gap_dt * x->xi[row] <= x->P[row];
}

/* The direction of the prox argument of friction, and its size; returns whether the contact slips. */
static bool slips(const rattle_prox *x, const picus_system_law *law, double d[3], double *size) {
  *size = 0;
  for (int k = 0; k < law->slips; k++) {
    const int row = law->first_row + 1 + k;
    d[k] = x->r * x->xi[row] - x->P[row];
    *size += d[k] * d[k];
  }
  *size = sqrt(*size);
  for (int k = 0; k<law->slips && * size> 0; k++) d[k] /= *size;
  return *size >= law->mu * fmax(x->P[law->first_row], 0);
}

/* The largest equation of the laws at the present iterate. */
static double residual_of(const stepper *s, const rattle_prox *x, const prox_stage *g) {
  double most = 0, d[3], size;
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    const int row = law->first_row;
    const bool closed = law->kind == PICUS_BILATERAL || presses(x, g, law, i);
    const bool sliding = closed && law->slips > 0 && slips(x, law, d, &size);
    for (int k = 0; k < law->dim; k++) {
      const double factor = law->has_gap && k == 0 ? g->gap_dt : 1;
      double value = closed ? x->xi[row + k] * factor : x->P[row + k];
      if (k > 0 && sliding) value = x->P[row + k] + law->mu * fmax(x->P[row], 0) * d[k - 1];
      most = fmax(most, fabs(value));
    }
  }
  return most;
}

/* --- one iteration ------------------------------------------------------------------------------------------------ */

/* Row `row` of the linear system: the equation P = 0. */
static void write_percussion_row(rattle_prox *x, int row) {
  for (int j = 0; j < x->n; j++) x->J[(size_t)row * (size_t)x->n + (size_t)j] = j == row;
  x->next[row] = 0;
}

/* P_F + mu max(P_N, 0) d = 0, where d turns with the argument r xi - P_F. */
static void write_slip_rows(rattle_prox *x, const picus_system_law *law, const double d[3], double size) {
  const int normal = law->first_row, first = normal + 1;
  const double turn = x->P[normal] > 0 ? law->mu * x->P[normal] / size : 0;
  for (int a = 0; a < law->slips; a++) {
    double *J = x->J + (size_t)(first + a) * (size_t)x->n;
    write_percussion_row(x, first + a);
    if (x->P[normal] > 0) J[normal] += law->mu * d[a];
    for (int b = 0; b < law->slips && law->slips > 1; b++) {
      const double across = turn * ((a == b) - d[a] * d[b]);
      for (int j = 0; j < x->n; j++) J[j] += across * x->r * x->G[(size_t)(first + b) * (size_t)x->n + (size_t)j];
      J[first + b] -= across;
      x->next[first + a] -= across * x->r * x->c[first + b];
    }
  }
}

static void write_law(const stepper *s, rattle_prox *x, const prox_stage *g, int i) {
  const picus_system_law *law = &s->set->laws[i].data;
  const bool closed = law->kind == PICUS_BILATERAL || presses(x, g, law, i);
  double d[3], size;
  for (int k = 0; k < law->dim; k++) {
    const size_t row = (size_t)law->first_row + (size_t)k;
    write_percussion_row(x, law->first_row + k);
    if (!closed) continue;
    picus_copy(x->n, x->G + row * (size_t)x->n, x->J + row * (size_t)x->n); /* the equation xi = 0 */
    x->next[row] = -x->c[row];
  }
  if (closed && law->slips > 0 && slips(x, law, d, &size)) write_slip_rows(x, law, d, size);
}

static void find_velocities(const stepper *s, rattle_prox *x, const prox_stage *g, const double *u) {
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    for (int k = 0; k < law->data.dim; k++) {
      const int row = law->data.first_row + k;
      x->xi[row] = picus_law_row_dot(s->system, law, row_of(law, g->slopes, k), u) + g->offset[row];
    }
  }
}

/* G and c for u = u_free + A^-1 W P. */
static void fill_problem(const stepper *s, rattle_prox *x, const prox_stage *g, const system_matrix *A,
                         const double *u_free) {
  const int nu = s->system->nu;
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    for (int k = 0; k < law->data.dim; k++) {
      const int row = law->data.first_row + k;
      x->c[row] = picus_law_row_dot(s->system, law, row_of(law, g->slopes, k), u_free) + g->offset[row];
      double *column = x->X + (size_t)(law->data.first_row + k) * (size_t)nu;
      picus_clear(nu, column);
      picus_law_row_add(s->system, law, row_of(law, g->directions, k), 1, column);
      picus_system_matrix_solve(A, column);
    }
  }
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    for (int k = 0; k < law->data.dim; k++)
      for (int j = 0; j < x->n; j++)
        x->G[(size_t)(law->data.first_row + k) * (size_t)x->n + (size_t)j] =
            picus_law_row_dot(s->system, law, row_of(law, g->slopes, k), x->X + (size_t)j * (size_t)nu);
  }
}

/* The next percussions, and the velocity with them; false: the system of these sets is singular. x->xi and x->P are
 * those of the present iterate. */
static bool iterate(const stepper *s, rattle_prox *x, const prox_stage *g, const double *u_free, double *u) {
  for (int i = 0; i < s->set->law_count; i++) write_law(s, x, g, i);
  if (x->n > 0 && !picus_lu_factor(x->n, x->J, x->pivots)) return false;
  picus_lu_solve(x->n, x->J, x->pivots, x->next);
  picus_copy(x->n, x->next, x->P);
  picus_copy(s->system->nu, u_free, u);
  for (int j = 0; j < x->n; j++)
    picus_add_multiple(s->system->nu, u, x->P[j], x->X + (size_t)j * (size_t)s->system->nu, u);
  return true;
}

/* --- the stages --------------------------------------------------------------------------------------------------- */

/* The largest entry of v - W P. */
static double momentum_error(const stepper *s, const double *v, const double *W, const double *P, double *work) {
  double most = 0;
  picus_copy(s->system->nu, v, work);
  for (int i = 0; i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    for (int k = 0; k < law->data.dim; k++)
      picus_law_row_add(s->system, law, row_of(law, W, k), -P[law->data.first_row + k], work);
  }
  for (int i = 0; i < s->system->nu; i++) most = fmax(most, fabs(work[i]));
  return most;
}

/* The laws of the first iterate, linearized at q of the state and r->u. Positions are q + X u there, with the X of the
 * rows, so that gaps are g(q) for u = 0. */
static picus_status linearize_at_state(stepper *s) {
  rattle_step *r = rattle_of(s);
  rattle_prox *x = &r->prox;
  picus_copy(s->system->nq, s->q, r->q);
  picus_evaluation_set_point(r->end, r->t_end, r->q, r->u);
  picus_status status = picus_evaluate_gaps(r->end, r->gap);
  if (!status) status = picus_evaluation_update_directions(r->end);
  if (!status) status = picus_rattle_rows(s);
  for (int i = 0; !status && i < s->set->law_count; i++) {
    const system_law *law = &s->set->laws[i];
    for (int k = 0; k < law->data.dim; k++) {
      const int row = law->data.first_row + k;
      const bool is_gap = law->data.has_gap && k == 0;
      const double velocity = picus_law_row_dot(s->system, law, row_of(law, r->end->W, k), r->u) + r->end->chi[row];
      r->offset[row] = is_gap ? r->gap[i] / r->dt : r->end->chi[row];
      x->xi[row] = is_gap ? r->offset[row] : velocity;
    }
  }
  return status;
}

/* The iterate r->u and x->P: xi, and the largest equation. */
static picus_status look_at_iterate(stepper *s, const prox_stage *g, bool first, double *error) {
  rattle_step *r = rattle_of(s);
  rattle_prox *x = &r->prox;
  picus_status status = picus_rattle_look(s);
  double motion = 0; /* the first iterate has the positions of the state: what is missing to those of its velocity */
  for (int i = 0; first && i < s->system->nq; i++) motion = fmax(motion, fabs(r->q[i] - s->q[i]));
  if (!status) status = first ? linearize_at_state(s) : picus_rattle_linearize(s);
  if (status) return status;
  if (!first) find_velocities(s, x, g, r->u);
  *error = fmax(motion, residual_of(s, x, g));
  *error = fmax(*error, momentum_error(s, r->balance, s->evaluation->W, x->P, x->u));
  return PICUS_OK;
}

/* u_free, G and c at the present iterate, whose xi stays. */
static picus_status linear_problem(stepper *s, const prox_stage *g, bool first) {
  rattle_step *r = rattle_of(s);
  rattle_prox *x = &r->prox;
  picus_status status = picus_rattle_matrix(s, first);
  if (status) return status;
  picus_copy(s->system->nu, r->balance, r->u_free);
  picus_system_matrix_solve(&r->matrix, r->u_free);
  picus_subtract(s->system->nu, r->u, r->u_free, r->u_free);
  fill_problem(s, x, g, &r->matrix, r->u_free);
  return PICUS_OK;
}

/* Counts the iterations of the first stage from the guess of Breuling 2023; the solution of the step stays as it is. */
picus_status picus_rattle_prox_first(stepper *s, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  rattle_prox *x = &r->prox;
  if (x->r == 0) return PICUS_OK;
  const int nu = s->system->nu;
  const prox_stage g = {.slopes = r->rows_are_W ? r->end->W : r->rows,
                        .directions = s->evaluation->W,
                        .offset = r->offset,
                        .gap_dt = r->dt};
  picus_status status = PICUS_OK;
  picus_copy(nu, r->u, x->guess);
  picus_copy(nu, x->half, r->u);
  picus_copy(x->n, x->P1, x->P);
  for (int iteration = 0; !status; iteration++) {
    double error;
    status = look_at_iterate(s, &g, iteration == 0, &error);
    if (status || error <= s->options.newton_tolerance) break;
    status = linear_problem(s, &g, iteration == 0);
    if (status) break;
    if (iteration == s->options.newton_max || !iterate(s, x, &g, r->u_free, r->u)) {
      info->implicit.prox_failed++;
      break;
    }
    info->implicit.prox_first++;
  }
  picus_copy(nu, x->guess, r->u);
  picus_copy(s->system->nq, s->q, r->q);
  return status;
}

void picus_rattle_prox_second(stepper *s, picus_step_info *info) {
  rattle_step *r = rattle_of(s);
  rattle_prox *x = &r->prox;
  if (x->r == 0) return;
  const int nu = s->system->nu;
  const prox_stage g = {
      .slopes = r->end->W, .directions = r->end->W, .offset = r->offset, .gap_dt = 1, .left_out = r->forecast};
  double *impulse = s->h, *u_free = x->guess, *u = s->u_next;
  picus_subtract(nu, s->u, r->u, u_free);
  picus_system_matrix_multiply(&r->end->mass, u_free, impulse);
  picus_add_multiple(nu, impulse, -0.5 * r->dt, r->h, impulse);
  double error = momentum_error(s, impulse, r->end->W, x->P2, x->u); /* of u_n and P2 */
  for (int i = 0; i < nu; i++) impulse[i] = -0.5 * r->dt * r->h[i];
  for (int j = 0; j < x->n; j++) x->P[j] = -s->law_memory[j];
  (void)momentum_error(s, impulse, r->end->W, x->P, u_free); /* u_free: - (dt/2 h - W P1) */
  picus_evaluation_solve_mass(r->end, u_free);
  picus_subtract(nu, r->u, u_free, u_free);
  for (int j = 0; j < x->n; j++) x->P[j] = s->law_memory[j] + x->P2[j];
  picus_copy(nu, s->u, u);
  fill_problem(s, x, &g, &r->end->mass, u_free);
  for (int iteration = 0;; iteration++) {
    find_velocities(s, x, &g, u);
    if (fmax(error, residual_of(s, x, &g)) <= s->options.newton_tolerance) return;
    if (iteration == s->options.newton_max || !iterate(s, x, &g, u_free, u)) {
      info->implicit.prox_failed++;
      return;
    }
    error = 0;
    info->implicit.prox_second++;
  }
}
