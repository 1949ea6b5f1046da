/* Moreau's midpoint rule (Moreau 1988; Glocker and Studer 2005, section 5; Studer, Leine and Glocker 2008, section 3).
 */
#include "scheme/linear_motion.h"
#include "stepper/stepper_phases.h"

static picus_status create(stepper *s) {
  picus_status status = s->gap_term.on ? picus_gap_drift_create(s) : PICUS_OK;
  return status ? status : picus_step_problem_fill_constant(&s->problem, s->evaluation);
}

/* One step from A to E: the steps 1 to 5 in section 5 of Glocker and Studer 2005, whose q' = u is q' = B u + beta here.
 * W and chi are their w and w^, P their Lambda; (n) are their equations. */
static picus_status step(stepper *s, double dt, picus_step_info *info) {
  /* 1, 2: t_M = t_A + dt/2, q_M = q_A + dt/2 (B u_A + beta), with B and beta at A */
  picus_status status = picus_phase_predict(s, 0.5 * dt);
  if (status) return status;
  const moving_point M = {s->t + 0.5 * dt, s->q_next, s->u};

  /* 3a: M, h and the gaps g at (t_M, q_M, u_A); then u_free = u_A + dt M^-1 h */
  if ((status = picus_phase_evaluate(s, dt, &M, info))) return status;

  /* 3b: H = {i | g_i <= 0}, 3c: W and chi at (t_M, q_M); 4: for all i in H
   *   (6), (9)    M (u_E - u_A) - h dt = W P
   *   (10), (11)  xi = gamma_E + e gamma_A, gamma = W^T u + chi
   *   (12)        the laws between P and xi */
  if ((status = picus_phase_contacts(s, dt, &M, info))) return status;

  /* 5: q_E = q_M + dt/2 (B u_E + beta), with B and beta at M */
  return picus_phase_finish(s, 0.5 * dt, &M, info);
}

static void linear_step(const linear_motion *m, double dt, double *x, double *v) {
  picus_add_multiple(m->n, x, 0.5 * dt, v, x);
  picus_linear_acceleration(m, x, v, m->work);
  picus_add_multiple(m->n, v, dt, m->work, v);
  picus_add_multiple(m->n, x, 0.5 * dt, v, x);
}

const scheme_ops picus_moreau_scheme = {
    .description = {.name = "moreau",
                    .summary = "Moreau's midpoint rule: explicit, contacts at velocity level, order 1",
                    .reference = "Glocker and Studer 2005, section 5; Studer, Leine and Glocker 2008, section 3"},
    .has_impact_laws = true,
    .has_adhesion = true,
    .order = 1,
    .power = 1,
    .even_at_rest = true,
    .laws_in_middle = true,
    .explicit_forces = true,
    .velocity_level = true,
    .penetrates = PENETRATES_BY_APPROACH,
    .looks_at_middle = true,
    .has_gap_term = true,
    .has_sleep = true,
    .by_factors = true,
    .create = create,
    .linear_step = linear_step,
    .step = step};
