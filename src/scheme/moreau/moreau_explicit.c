/* The classic explicit scheme of Moreau and Jean, as Schindler et al. 2015, eqs. (29) to (33), compare their schemes
 * with:
 *
 *   q_1 = q_0 + dt q'(q_0, u_0),     u_1 = u_0 + dt M_0^-1 h_0 + M_1^-1 W_1 P,
 *   gamma(q_1, u_1) + e gamma(q_0, u_0) against P for contacts with g(q_0) + dt/2 g'(q_0, u_0) <= 0. */
#include "scheme/internal.h"
#include "stepper/stepper_phases.h"

#include "base/internal.h"
#include "scheme/linear_motion.h"

typedef struct explicit_step {
  picus_evaluation *end; /* at (t_1, q_1); the stepper's own stays at the start of the step */
  double *offset;        /* row_count: chi_1 + e gamma_0 */
  double *gamma_begin;   /* row_count */
  double *forecast;      /* law_count */
  double *ahead;         /* law_count: gaps at q_1, for preloads */
} explicit_step;

static picus_status create(stepper *s) {
  picus_status status = PICUS_FIXED(&s->arrays, sizeof(explicit_step), 1, &s->own);
  if (status) return status;
  explicit_step *r = s->own;
  status = PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_row, &r->offset, &r->gamma_begin);
  if (!status) status = PICUS_SCRATCH(&s->arrays, sizeof(double), picus_by_law, &r->forecast, &r->ahead);
  if (!status) status = picus_stepper_add_evaluation(s, &r->end);
  if (status) return status;
  s->judged.directions = r->end;
  picus_evaluation_set_point(r->end, s->t, s->q, s->u);
  return picus_step_problem_fill_constant(&s->problem, r->end);
}

/* g + dt/2 g' at the start of the step. */
static void forecast_gaps(stepper *s, double dt) {
  explicit_step *r = s->own;
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    r->forecast[i] = picus_law_can_open(law) ? s->gap[i] + 0.5 * dt * r->gamma_begin[law->first_row] : 0;
  }
}

/* u_1 with the percussions of the laws that act. With the gap term, q_1 is reached with u_0, and the next step starts
 * there with u_1. */
static picus_status solve_active(stepper *s, double dt, double t_end, picus_step_info *info) {
  explicit_step *r = s->own;
  picus_evaluation *end = r->end;
  const bool with_gaps = s->gap_term.on, acts = s->problem.active_count > 0 || with_gaps;
  picus_status status = PICUS_OK;
  if (acts) {
    picus_evaluation_set_point(end, t_end, s->q_next, s->u);
    status = picus_evaluation_factor_mass(end);
    if (!status) status = picus_evaluation_update_directions(end);
    if (!status && s->has_preloads) status = picus_evaluate_gaps(end, r->ahead);
  }
  const gap_step gaps = {
      .dt = dt, .directions = end, .u_begin = s->u, .u_free = s->u_free, .gamma_begin = r->gamma_begin};
  const contact_request request = {.t = s->t,
                                   .dt = dt,
                                   .directions = end,
                                   .matrix = &end->mass,
                                   .symmetric = true,
                                   .u_begin = s->u,
                                   .u_free = s->u_free,
                                   .offset = with_gaps ? s->gap_term.offset : r->offset,
                                   .restores = true,
                                   .gamma_begin = r->gamma_begin,
                                   .ahead = s->has_preloads ? r->ahead : NULL,
                                   .friction.share = 0.5,
                                   .joining = {picus_step_join_solved, s}};
  if (!status && acts) status = picus_varying_evaluate(&s->contacts, &request);
  if (!status && acts && !with_gaps) picus_step_offset(&s->contacts, dt, end->chi, r->gamma_begin, r->offset);
  if (!status && with_gaps) status = picus_evaluate_gaps(end, s->gap_term.ahead);
  if (!status && with_gaps) status = picus_gap_term_begin(s, &gaps, s->gap_term.offset, info);
  s->joining.ahead = r->forecast;
  s->joining.middle = NULL;
  s->joining.gaps = with_gaps ? &gaps : NULL;
  return status ? status : picus_step_problem_solve(&s->problem, &request, s->u_next, info);
}

/* One step from (q_0, u_0) to (q_1, u_1). */
static picus_status step(stepper *s, double dt, picus_step_info *info) {
  explicit_step *r = s->own;
  picus_evaluation *begin = s->evaluation;
  double t_begin, t_end;
  picus_step_times(s, dt, &t_begin, &t_end);
  const moving_point at_0 = {t_begin, s->q, s->u};

  /* M, h and the gaps at (q_0, u_0); u_free = u_0 + dt M_0^-1 h_0 */
  picus_status status = picus_phase_evaluate(s, dt, &at_0, info);
  if (!status) status = picus_evaluate_velocities(begin, r->gamma_begin);
  if (!status) status = picus_evaluate_rate(begin, s->rate);
  if (status) return status;

  /* q_1 = q_0 + dt q'(q_0, u_0) */
  picus_step_advance(s, dt, s->rate);

  /* contacts with g(q_0) + dt/2 g'(q_0, u_0) <= 0 act: u_1 = u_free + M_1^-1 W_1 P, gamma_1 + e gamma_0 against P */
  forecast_gaps(s, dt);
  picus_step_problem_activate(&s->problem, r->forecast, info);
  if ((status = solve_active(s, dt, t_end, info))) return status;
  if (s->sleep.on) picus_sleep_settle(s, &begin->mass, s->u_next, info);
  picus_step_problem_accept(s, NULL, info);
  picus_phase_arrive(s);
  return PICUS_OK;
}

static void linear_step(const linear_motion *m, double dt, double *x, double *v) {
  picus_linear_acceleration(m, x, v, m->work);
  picus_add_multiple(m->n, x, dt, v, x);
  picus_add_multiple(m->n, v, dt, m->work, v);
}

const scheme_ops picus_moreau_explicit_scheme = {
    .description = {.name = "moreau-explicit",
                    .summary = "the classic explicit Moreau-Jean scheme: contacts at velocity level, order 1",
                    .reference = "Schindler, Rezaei, Kursawe, Acary 2015, eqs. (29) to (33)"},
    .has_impact_laws = true,
    .has_adhesion = true,
    .order = 1,
    .power = 1,
    .explicit_forces = true,
    .velocity_level = true,
    .has_gap_term = true,
    .has_sleep = true,
    .by_factors = true,
    .penetrates = PENETRATES_BY_APPROACH,
    .create = create,
    .linear_step = linear_step,
    .step = step};
