/* Impact laws: what is known of the velocities gamma+ after an impact, from those before it, gamma-.
 *
 * A step solves    xi = gamma_E - gamma+   against   P   for the contacts that are struck,
 *                  xi = gamma_E            against   P   for the others,
 *
 * so that Newton's law gamma+ = - e gamma- is one of several, and schemes do not know which. gamma+ comes from an
 * impact of all active contacts with the velocities before the step, without forces: gamma+ = gamma- + G (P_1 + P_2 +
 * ...), with the percussions of one collision after the other.
 *
 * newton      one collision: gamma+ + e gamma- against P.
 * poisson     one collision in two phases (Glocker and Pfeiffer 1995; Glocker 2001, Set-Valued Force Laws, chapter 8).
 *             Compression: gamma_C against P_C, without restitution. Expansion: P_N >= (1 + eN) P_CN against gamma+_N;
 *             a share eN eF of the friction of the compression acts again, and as much more friction as the normal
 *             percussion of the expansion allows. The cone of the expansion begins at (eN P_CN, eN eF P_CF): it is the
 *             sum of the cone at 0 and of a ball, a friction element on the same rows, so that all solvers serve.
 * sequential  many collisions, as if all touching contacts had the same small gap: contacts that are approached collide
 *             at once, the others when their gap is used up; those that collide at the same time do so together, by
 *             Newton's law. The impact ends when no contact is approached.
 *
 * A collision may gain energy: by Newton's law with friction or with different e (Kane's example), by Poisson's with
 * different e. Then its percussions are those of the compression and a share of the rest, the largest one that gains no
 * energy: compression never gains any, energy is a parabola of the share, and cones and velocities in between are
 * admissible. */
#include "step_problem/impact_laws.h"

#include "base/elementary.h"
#include "contact/internal.h"
#include "linalg/internal.h"
#include "step_problem/step_problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FLIGHT_STEPS 2     /* of dt_min: shorter flights after an impact cannot be resolved */
#define FLIGHT_ROUNDINGS 8 /* of the gap: lower flights cannot be seen */

/* Inelastic balls in a row collide about n^3 times until they move alike: 20 of them with eN = 0.1 take 10 070
 * collisions, 60 take 221 920 in a second. A collision visits G once: the limit is ten seconds of such visits. */
enum { COLLISIONS_LEAST = 10000 };
#define VISITS_MOST 1e10
#define ROUNDINGS 64 /* an approach of so many units of round-off of its terms is none */
#define SLOWEST                                                                                                        \
  1e-12             /* share of the first approach below which the others end without restitution: solvers' tolerance */
#define ALIKE 1e-10 /* share of the first approach below which those of other laws are errors of solvers */
#define AT_ONCE 1e-9 /* times the small gap: virtual gaps up to it are closed at the same time */
#define GAIN 1e-13   /* share of the energies of a collision up to which a gain is round-off */

static picus_impact_law law_of(const impact_laws *m, const picus_system_law *law) {
  return law->impact == PICUS_IMPACT_OF_RUN ? m->of_run : law->impact;
}

/* A contact or a one-way clutch. */
static bool has_normal(const picus_system_law *law) {
  return law->kind == PICUS_UNILATERAL || law->kind == PICUS_COULOMB;
}

/* Friction elements have bounded forces, also those of guides, whose load is a force of the step. */
static bool takes_part(const picus_system_law *law) { return law->kind != PICUS_RESERVOIR; }

/* An impact whose rebound cannot be resolved has none: with the acceleration a at which the gap closes, e v leads to a
 * flight of 2 e v / a and of the height (e v)^2 / (2 a). In a persistent contact the approach velocity is an error of
 * O(dt), which restitution must not return. */
double picus_step_acting_restitution(const contact_state *state, int law, int row, double e, double dt, double gamma) {
  const picus_system_law *data = &state->set->laws[law].data;
  if (state->restitution == PICUS_RESTITUTION_MODIFIED) return e > 0 ? picus_pow(e, dt / state->restitution_dt) : e;
  if (row != 0 || !picus_law_can_open(data)) return e;
  if (state->modes[law] != PICUS_OPEN) return 0;
  const double a = state->closing[law], rebound = e * -gamma;
  const bool is_lost = 2 * rebound <= FLIGHT_STEPS * a * state->restitution_dt ||
                       rebound * rebound <= 2 * FLIGHT_ROUNDINGS * a * state->gap_rounding[law];
  return is_lost ? 0 : e;
}

double picus_step_restitution_at(const contact_state *state, int law, int row, double dt, double gamma) {
  const double e = state->row_restitution[state->set->laws[law].data.first_row + row];
  return picus_step_acting_restitution(state, law, row, e, dt, gamma);
}

void picus_step_offset(const contact_state *state, double dt, const double *chi, const double *gamma, double *offset) {
  for (int i = 0, row = 0; i < state->set->law_count; i++)
    for (int k = 0; k < state->set->laws[i].data.dim; k++, row++)
      offset[row] = chi[row] + picus_step_restitution(state, i, k, dt, gamma[row]) * gamma[row];
}

void picus_impact_set_restitution(const contact_state *state, int law, double eN, double eF) {
  const picus_system_law *data = &state->set->laws[law].data;
  const bool meets = state->impacts && has_normal(data);
  for (int r = 0; r < data->dim; r++) {
    const double e = data->kind == PICUS_BILATERAL ? 0 : r == 0 && picus_normal_rows(data->kind) > 0 ? eN : eF;
    if (meets) state->impacts->e[data->first_row + r] = e;
    state->row_restitution[data->first_row + r] = meets ? 0 : e;
  }
}

static const char *name_of_law(picus_impact_law law) { return law == PICUS_IMPACT_POISSON ? "poisson" : "sequential"; }

/* A law other than Newton's, of the run or of a contact; the first contact that has it. */
static picus_impact_law other_law(const picus_system *system, picus_impact_law of_run, const char **name) {
  const impact_laws only_run = {.of_run = of_run};
  const bool of_shapes = system->impact_of_shapes != PICUS_IMPACT_OF_RUN;
  *name = NULL;
  for (int i = 0; i < system->fixed.law_count; i++) {
    const picus_system_law *law = &system->fixed.laws[i].data;
    if (!has_normal(law) || law_of(&only_run, law) == PICUS_IMPACT_NEWTON) continue;
    *name = law->name;
    return law_of(&only_run, law);
  }
  if (!system->appears) return PICUS_IMPACT_NEWTON;
  return of_shapes ? system->impact_of_shapes : of_run;
}

static picus_status refuse(const contact_state *state, picus_impact_law law, const char *name,
                           const picus_sim_options *o, const char *scheme) {
  const char *of = name ? "of the contact '" : "of the model", *end = name ? "'" : "";
  if (scheme)
    return picus_fail(state->context, PICUS_ERROR_UNSUPPORTED,
                      "the scheme '%s' has Newton's impact law only, but the impact law %s%s%s is '%s'; use moreau, "
                      "moreau-explicit, rattle or half-explicit, or impact = \"newton\"",
                      scheme, of, name ? name : "", end, name_of_law(law));
  if (o->gap_term)
    return picus_fail(state->context, PICUS_ERROR_UNSUPPORTED,
                      "the gap term has Newton's impact law only, but the impact law %s%s%s is '%s'; omit gap_term", of,
                      name ? name : "", end, name_of_law(law));
  return PICUS_OK;
}

picus_status picus_impact_laws_create(contact_state *state, const picus_sim_options *options, const char *scheme) {
  const picus_impact_law of_run = options->impact == PICUS_IMPACT_OF_RUN ? PICUS_IMPACT_NEWTON : options->impact;
  const char *name;
  const picus_impact_law other = other_law(state->set->system, of_run, &name);
  if (other == PICUS_IMPACT_NEWTON || other == PICUS_IMPACT_OF_RUN) return PICUS_OK;
  picus_status status = refuse(state, other, name, options, scheme);
  if (status) return status;
  status = PICUS_FIXED(state->arrays, sizeof *state->impacts, 1, &state->impacts);
  if (status) return status;
  *state->impacts = (impact_laws){.of_run = of_run};
  /* between steps as well, if coefficients vary */
  return picus_law_arrays_add_one(state->arrays, picus_carried_by_row(&state->impacts->e, 1));
}

/* --- memory --------------------------------------------------------------------------------------------------- */

/* Places of the arrays for n rows and m laws in a block, or NULL to count its bytes. */
static size_t lay_out(impact_scratch *x, size_t n, size_t m, char *block) {
  size_t at = 0;
  const struct {
    void *place;
    size_t count, unit;
  } list[] = {{&x->G, n * n, sizeof(double)},       {&x->some_G, 4 * n * n, sizeof(double)},
              {&x->gamma, n, sizeof(double)},       {&x->begin, n, sizeof(double)},
              {&x->P, n, sizeof(double)},           {&x->once, n, sizeof(double)},
              {&x->plastic, n, sizeof(double)},     {&x->c, n, sizeof(double)},
              {&x->given, n, sizeof(double)},       {&x->least, m, sizeof(double)},
              {&x->virtual_gap, m, sizeof(double)}, {&x->extra, m, sizeof(double)},
              {&x->some_c, 2 * n, sizeof(double)},  {&x->some_P, 2 * n, sizeof(double)},
              {&x->laws, 2 * m, sizeof(picus_law)}, {&x->modes, 2 * m, sizeof(picus_mode)},
              {&x->row_of, 2 * n, sizeof(int)},     {&x->law_of, 2 * m, sizeof(int)},
              {&x->takes, m, sizeof(bool)}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    void **place = list[k].place;
    if (block) *place = block + at;
    at += (list[k].count * list[k].unit + 15) / 16 * 16;
  }
  return at;
}

static picus_status reserve(const step_problem *p, double t) {
  picus_context *context = p->contacts->context;
  impact_scratch *x = &p->contacts->impacts->scratch;
  if (p->size > PICUS_IMPACT_ROWS)
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                      "the impact at t = %.9g has %d rows of contacts, but impact laws other than Newton's support at "
                      "most %d; use impact = \"newton\"",
                      t, p->size, (int)PICUS_IMPACT_ROWS);
  const size_t need = lay_out(x, (size_t)p->size, (size_t)p->active_count, NULL);
  if (need > x->size) {
    x->size = 0;
    picus_status status = picus_law_arrays_renew(p->contacts->arrays, 1, need, &x->block);
    if (status) return status;
    x->size = need;
  }
  lay_out(x, (size_t)p->size, (size_t)p->active_count, x->block);
  return PICUS_OK;
}

/* --- one collision -------------------------------------------------------------------------------------------- */

/* What all parts of an impact need. */
typedef struct impact {
  step_problem *p;
  const contact_request *request;
  const impact_laws *laws;
  impact_scratch *x;
  picus_step_info *info;
  bool limited; /* a collision would have gained energy */
} impact;

static const picus_system_law *data_of(const impact *m, int k) { return &m->p->set->laws[m->p->active[k]].data; }
static double e_of(const impact *m, int at) { return m->laws->e[m->p->rows[at].global]; }

static double product(const impact *m, int row, const double *P) {
  return picus_dot(m->p->size, m->x->G + (size_t)row * (size_t)m->p->size, P);
}

/* One more law of the problem of those that take part, with these rows of the active laws. */
static void add_law(impact_scratch *x, picus_contact_problem *some, int k, int first, picus_law law) {
  x->law_of[some->law_count] = k;
  x->modes[some->law_count] = PICUS_OPEN;
  x->laws[some->law_count++] = law;
  for (int r = 0; r < law.dim; r++) {
    x->some_c[some->size] = x->c[first + r];
    x->some_P[some->size] = 0;
    x->row_of[some->size++] = first + r;
  }
}

/* Percussions P of the laws that take part, with the right side c; those of friction elements with the radius `extra`
 * on the same rows, if any, included. */
static picus_status solve_some(const impact *m, const double *extra, double *P) {
  impact_scratch *x = m->x;
  const step_problem *p = m->p;
  picus_contact_problem some = {.laws = x->laws, .G = x->some_G, .c = x->some_c};
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim)
    if (x->takes[k]) add_law(x, &some, k, at, p->laws[k]);
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const int slips = data_of(m, k)->slips, first = at + p->laws[k].dim - slips;
    if (x->takes[k] && extra && extra[k] > 0)
      add_law(x, &some, k, first, (picus_law){.kind = PICUS_RESERVOIR, .dim = slips, .radius = extra[k]});
  }
  for (int i = 0; i < some.size; i++)
    for (int j = 0; j < some.size; j++)
      x->some_G[(size_t)i * (size_t)some.size + (size_t)j] =
          x->G[(size_t)x->row_of[i] * (size_t)p->size + (size_t)x->row_of[j]];
  picus_clear(p->size, P);
  if (some.law_count == 0) return PICUS_OK;
  picus_status status = picus_step_problem_call_solver(m->p, m->request->t,
                                                       &(solver_call){some, x->law_of, x->some_P, x->modes}, m->info);
  for (int i = 0; i < some.size; i++) P[x->row_of[i]] += x->some_P[i];
  return status;
}

/* Percussions without restitution. */
static picus_status compress(const impact *m) {
  picus_copy(m->p->size, m->x->gamma, m->x->c);
  return solve_some(m, NULL, m->x->plastic);
}

/* The percussions that the expansion of law k gives at least, and the friction that they allow besides. */
static void give_back(const impact *m, int k, int at) {
  impact_scratch *x = m->x;
  const picus_system_law *law = data_of(m, k);
  const int slips = law->slips, first = at + law->dim - slips;
  const bool rolls = law->kind == PICUS_ROLLING;
  const int normal = rolls ? at - m->p->laws[k - 1].dim : at;
  const double eN = e_of(m, normal), eF = rolls || slips == 0 ? 0 : e_of(m, first);
  if (!rolls) x->given[at] = (1 + eN) * x->plastic[at];
  for (int r = first; r < first + slips; r++) x->given[r] = (1 + eN * eF) * x->plastic[r];
  if (slips == 0) return;
  const double used = eN * eF * picus_length(slips, x->plastic + first);
  x->extra[k] = picus_larger(m->p->laws[k].radius * eN * picus_larger(x->plastic[normal], 0) - used, 0);
}

/* Percussions of a collision of the laws that take part, by the laws of their contacts. */
static picus_status collide_freely(const impact *m, bool has_phases) {
  impact_scratch *x = m->x;
  const step_problem *p = m->p;
  picus_clear(p->size, x->given);
  picus_clear(p->active_count, x->extra);
  for (int k = 0, at = 0; k < p->active_count && has_phases; at += p->laws[k++].dim) {
    const int contact = p->laws[k].kind == PICUS_ROLLING ? k - 1 : k;
    if (x->takes[k] && has_normal(data_of(m, contact)) && law_of(m->laws, data_of(m, contact)) == PICUS_IMPACT_POISSON)
      give_back(m, k, at);
  }
  for (int k = 0, at = 0; k < p->active_count; k++)
    for (int r = 0; r < p->laws[k].dim; r++, at++) {
      const bool by_newton = has_normal(data_of(m, k)) && law_of(m->laws, data_of(m, k)) != PICUS_IMPACT_POISSON;
      x->c[at] = x->gamma[at] + (by_newton ? e_of(m, at) * x->gamma[at] : 0);
      if (has_phases) x->c[at] += product(m, at, x->given);
    }
  picus_status status = solve_some(m, x->extra, x->once);
  picus_add_multiple(p->size, x->once, 1, x->given, x->once);
  return status;
}

/* Twice the energy that percussions add to the relative motion: P . (2 gamma + G P); *size: of its terms. */
static double gain_of(const impact *m, const double *P, double *size) {
  double sum = 0;
  *size = 0;
  for (int i = 0; i < m->p->size; i++) {
    const double term = P[i] * (2 * m->x->gamma[i] + product(m, i, P));
    sum += term;
    *size += fabs(P[i] * m->x->gamma[i]);
  }
  return sum;
}

/* The share s of P_C + s (P - P_C) that gains nothing: the positive root of (D G D) s^2 + 2 D (gamma + G P_C) s + f(0).
 */
static void limit_gain(impact *m, double compression) {
  impact_scratch *x = m->x;
  const int n = m->p->size;
  double a = 0, b = 0;
  for (int i = 0; i < n; i++) x->c[i] = x->once[i] - x->plastic[i];
  for (int i = 0; i < n; i++) {
    a += x->c[i] * product(m, i, x->c);
    b += x->c[i] * (x->gamma[i] + product(m, i, x->plastic));
  }
  const double root = sqrt(picus_larger(b * b - a * fmin(compression, 0), 0));
  const double share = b > 0 ? -fmin(compression, 0) / (b + root) : a > 0 ? (root - b) / a : 0;
  picus_add_multiple(n, x->plastic, share < 1 ? share : 1, x->c, x->once);
  m->limited = true;
}

/* One collision of the laws that take part: P, gamma and the energies of the laws change. */
static picus_status collide(impact *m) {
  impact_scratch *x = m->x;
  step_problem *p = m->p;
  bool has_phases = false;
  double size, size_C;
  for (int k = 0; k < p->active_count && !has_phases; k++)
    has_phases = x->takes[k] && has_normal(data_of(m, k)) && law_of(m->laws, data_of(m, k)) == PICUS_IMPACT_POISSON;
  picus_status status = has_phases ? compress(m) : PICUS_OK;
  if (!status) status = collide_freely(m, has_phases);
  if (status > 0) { /* with much friction there may be no solution with restitution: it is inelastic */
    status = compress(m);
    picus_copy(p->size, x->plastic, x->once);
    m->limited = true;
  }
  if (!status && gain_of(m, x->once, &size) > GAIN * size) {
    if (!has_phases) status = compress(m);
    if (!status) limit_gain(m, gain_of(m, x->plastic, &size_C));
  }
  if (status) return status;
  for (int i = 0; i < p->size; i++) x->c[i] = product(m, i, x->once);
  for (int i = 0; i < p->size; i++) {
    p->transfer[i] -= 0.5 * x->once[i] * (2 * x->gamma[i] + x->c[i]);
    x->gamma[i] += x->c[i];
    x->P[i] += x->once[i];
  }
  return PICUS_OK;
}

/* --- one collision after the other -------------------------------------------------------------------------------- */

static bool is_sequential(const impact *m, int k) {
  return has_normal(data_of(m, k)) && law_of(m->laws, data_of(m, k)) == PICUS_IMPACT_SEQUENTIAL;
}

/* Lets the time pass until contacts collide; false: none is approached. */
static bool pass_time(const impact *m) {
  impact_scratch *x = m->x;
  double time = INFINITY;
  for (int k = 0, at = 0; k < m->p->active_count; at += m->p->laws[k++].dim)
    if (is_sequential(m, k) && x->gamma[at] < -x->least[k]) time = fmin(time, x->virtual_gap[k] / -x->gamma[at]);
  if (isinf(time)) return false;
  for (int k = 0, at = 0; k < m->p->active_count; at += m->p->laws[k++].dim) {
    double *gap = &x->virtual_gap[k];
    *gap += time * x->gamma[at];
    if (*gap <= AT_ONCE) *gap = 0;
  }
  return true;
}

/* Those whose gap is used up: approached ones, and those without restitution that have collided before. Constraints,
 * and contacts of other laws, take part in all collisions. */
static void choose(const impact *m) {
  impact_scratch *x = m->x;
  for (int k = 0, at = 0; k < m->p->active_count; at += m->p->laws[k++].dim) {
    const picus_system_law *law = data_of(m, k);
    x->takes[k] = law->kind == PICUS_ROLLING ? x->takes[k - 1] : takes_part(law);
    if (is_sequential(m, k)) x->takes[k] = x->virtual_gap[k] == 0 && (x->gamma[at] < -x->least[k] || e_of(m, at) == 0);
  }
}

static void choose_all(const impact *m) {
  for (int k = 0; k < m->p->active_count; k++) m->x->takes[k] = takes_part(data_of(m, k));
}

/* What is approached more slowly than all that matters keeps its place. */
static picus_status come_to_rest(impact *m) {
  choose_all(m);
  picus_status status = compress(m);
  for (int i = 0; i < m->p->size && !status; i++) m->x->c[i] = product(m, i, m->x->plastic);
  for (int i = 0; i < m->p->size && !status; i++) {
    m->p->transfer[i] -= 0.5 * m->x->plastic[i] * (2 * m->x->gamma[i] + m->x->c[i]);
    m->x->gamma[i] += m->x->c[i];
    m->x->P[i] += m->x->plastic[i];
  }
  return status;
}

static double fastest_approach(const impact *m, bool of_sequential) {
  double most = 0;
  for (int k = 0, at = 0; k < m->p->active_count; at += m->p->laws[k++].dim)
    if (of_sequential ? is_sequential(m, k) : has_normal(data_of(m, k))) most = picus_larger(most, -m->x->gamma[at]);
  return most;
}

/* Whether contacts of other laws are approached: by Newton's law a contact that parts may approach after a collision.
 */
static bool others_are_approached(const impact *m, double least) {
  for (int k = 0, at = 0; k < m->p->active_count; at += m->p->laws[k++].dim)
    if (has_normal(data_of(m, k)) && !is_sequential(m, k) && m->x->gamma[at] < -picus_larger(least, m->x->least[k]))
      return true;
  return false;
}

/* Collisions in sequence: time passes until the next virtual gap is closed, then all that are closed collide. Contacts
 * of other laws take part in all collisions, and collide until they are not approached. */
static picus_status collide_in_turn(impact *m, double first) {
  impact_scratch *x = m->x;
  for (int k = 0, at = 0; k < m->p->active_count; at += m->p->laws[k++].dim) {
    x->virtual_gap[k] = x->gamma[at] < -x->least[k] ? 0 : 1;
    x->least[k] = picus_larger(x->least[k], SLOWEST * first);
  }
  picus_status status = PICUS_OK;
  const double most = picus_larger(VISITS_MOST / ((double)m->p->size * m->p->size), COLLISIONS_LEAST);
  for (int count = 0; !status && (pass_time(m) || others_are_approached(m, ALIKE * first)); count++) {
    if (count >= most)
      return picus_fail(m->p->contacts->context, PICUS_ERROR_UNSUPPORTED,
                        "the impact at t = %.9g has not ended after %.0f collisions in sequence; use eN = 0, or "
                        "impact = \"poisson\"",
                        m->request->t, most);
    choose(m);
    status = collide(m);
  }
  return status || fastest_approach(m, true) == 0 ? status : come_to_rest(m);
}

/* --- the impact ----------------------------------------------------------------------------------------------- */

/* Velocities before the step, with the directions in which the laws hold, and approaches that are none. */
static void look(const impact *m) {
  const step_problem *p = m->p;
  const contact_state *state = p->contacts;
  impact_scratch *x = m->x;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const system_law *law = &p->set->laws[p->active[k]];
    for (int r = 0; r < p->laws[k].dim; r++) {
      const int global = p->rows[at + r].global;
      x->begin[at + r] = m->request->gamma_begin ? m->request->gamma_begin[global] : p->gamma_begin[at + r];
      if (state->laws_at_end && !m->request->offset) x->begin[at + r] -= state->turning[global];
    }
    const double *row = picus_law_row(law, m->request->directions->W, 0);
    x->least[k] = ROUNDINGS * DBL_EPSILON *
                  (picus_law_row_terms(p->set->system, law, row, m->request->u_begin) + fabs(x->begin[at]));
  }
}

/* Whether law k has an impact before anything else: in adaptive runs a persistent contact has none. */
static bool is_struck_first(const impact *m, int k, int at) {
  const contact_state *state = m->p->contacts;
  const double gamma = m->x->begin[at];
  if (!has_normal(data_of(m, k)) || !(gamma < -m->x->least[k])) return false;
  if (state->restitution == PICUS_RESTITUTION_ALWAYS || m->request->is_impact) return true;
  return picus_step_acting_restitution(state, m->p->active[k], 0, e_of(m, at), m->request->dt, gamma) > 0;
}

/* Contacts with a percussion end the step with their velocity after the impact; so do the rolling laws of these. */
static void keep_velocities(const impact *m) {
  step_problem *p = m->p;
  const impact_scratch *x = m->x;
  bool struck = false;
  for (int k = 0, at = 0; k < p->active_count; at += p->laws[k++].dim) {
    const picus_system_law *law = data_of(m, k);
    if (law->kind != PICUS_ROLLING) struck = has_normal(law) && x->P[at] > 0;
    for (int r = at; r < at + p->laws[k].dim; r++) {
      p->transfer[r] += 0.5 * x->P[r] * (x->begin[r] + x->gamma[r]);
      if (!struck || !takes_part(law)) continue;
      p->c[r] -= x->gamma[r];
      p->P[r] = x->P[r];
    }
    if (struck) p->modes[k] = PICUS_STICK;
  }
}

bool picus_impact_strikes(step_problem *p, const contact_request *request, picus_status *status) {
  const impact m = {.p = p, .request = request, .laws = p->contacts->impacts, .x = &p->contacts->impacts->scratch};
  bool strikes = false;
  if (!request->restores) return false;
  *status = reserve(p, request->t);
  if (*status) return false;
  look(&m);
  for (int k = 0, at = 0; k < p->active_count && !strikes; at += p->laws[k++].dim) strikes = is_struck_first(&m, k, at);
  return strikes;
}

/* gamma+ of the struck contacts of a prepared problem, and the energy of the collisions; nothing if none is struck. */
picus_status picus_impact_find(step_problem *p, const contact_request *request, picus_step_info *info) {
  impact_scratch *x = &p->contacts->impacts->scratch;
  impact m = {.p = p, .request = request, .laws = p->contacts->impacts, .x = x, .info = info};
  picus_status status = PICUS_OK;
  if (!picus_impact_strikes(p, request, &status)) return status;
  const picus_contact_problem problem = picus_delassus_problem(&p->G, p->laws, p->c);
  if (p->G.G)
    memcpy(x->G, p->G.G, (size_t)p->size * (size_t)p->size * sizeof *x->G);
  else
    picus_operator_of(&problem)->expand(&problem, x->G);
  picus_copy(p->size, x->begin, x->gamma);
  picus_clear(p->size, x->P);
  choose_all(&m);
  status = collide_in_turn(&m, fastest_approach(&m, false));
  if (status) return status;
  info->impact_limits += m.limited;
  keep_velocities(&m);
  return PICUS_OK;
}
