/* One step of high order from many base steps (Studer 2008, sections 7 and 8; Hairer, Norsett, Wanner, Solving Ordinary
 * Differential Equations I, II.9).
 *
 * Row i of the tableau is the step made of n_i base steps. With an error of c_0 (dt/n)^p + c_1 (dt/n)^(p+g) + ... the
 * combination T_kk of the first k rows that removes k - 1 terms is a sum with weights that depend on the n_i alone:
 *
 *   T_kk = sum_i w_i T_i1,   w_i = s n_i^(p-g) prod_{j != i} n_i^g / (n_i^g - n_j^g),   s such that sum_i w_i = 1.
 *
 * For p = g this is Neville's recursion T_{i,j+1} = T_ij + (T_ij - T_{i-1,j}) / ((n_i / n_{i-j})^g - 1) (Studer 2008,
 * (42) with g = 1), written out.
 *
 * Percussions and dissipated energies are extrapolated as q and u are, but take no part in the error test.
 *
 * A row begins with velocities that obey the laws at its start. Where a scheme lets them hold in the middle of a step
 * (moreau), its first substep sees but half of what a curved or moving surface does to them, and a contact may seem to
 * open while it presses. So where modes differ, the rows are made again with the laws at the end of each substep. This
 * is less accurate, and not done elsewhere. */
#include "adaptive/internal.h"
#include "base/elementary.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DRIFT_ROUNDINGS 1e4  /* of the gap of a persistent contact */
#define DRIFT_TOLERANCES 1e3 /* the same, of the errors of steps */
#define SIZE_SLACK 1e-9      /* sizes of steps that differ by so much are equal: they come out of divisions */

void picus_extrapolation_weights(int row, const int *substeps, int order, int power, double *weights) {
  double sum = 0;
  for (int i = 0; i <= row; i++) {
    double n = picus_pow(substeps[i], power), product = picus_pow(substeps[i], order - power);
    for (int j = 0; j <= row; j++)
      if (j != i) product *= n / (n - picus_pow(substeps[j], power));
    weights[i] = product;
    sum += product;
  }
  for (int i = 0; i <= row; i++) weights[i] /= sum;
}

static int order_of_row(const expansion *x, int row) { return x->order + row * x->power; }

/* margin: orders that the last row adds for the estimate, beyond the one that every row adds. */
static void fill_expansion(const extrapolation *e, int order, int power, int margin, expansion *out) {
  const int wanted = e->options.order ? e->options.order : e->options.order_max + margin;
  *out = (expansion){.order = order, .power = power, .row_count = 1};
  while (out->row_count < PICUS_ORDER_MOST && order_of_row(out, out->row_count - 1) < wanted) out->row_count++;
  for (int i = 0; i < out->row_count; i++) picus_extrapolation_weights(i, e->substeps, order, power, out->weights[i]);
}

/* A law that keeps a symmetric scheme symmetric: its percussions are those of a force by positions alone. Friction
 * whose direction follows the slip is none, nor is restitution in a contact that stays closed. */
static bool is_even_law(const stepper *s, int i, picus_mode mode) {
  const picus_system_law *law = &s->set->laws[i].data;
  if (mode == PICUS_OPEN && (picus_law_can_open(law) || law->kind == PICUS_ROLLING)) return true; /* it does not act */
  if (!s->system->constants.directions || law->moves || law->displaced || law->kind == PICUS_ROLLING) return false;
  if (s->contacts.restitution != PICUS_RESTITUTION_IMPACTS && (law->eN > 0 || law->eF > 0 || law->varies)) return false;
  return mode != PICUS_SLIP || law->slips < 2;
}

/* The powers of dt in the error of the base steps from begin, as long as no law switches. */
static const expansion *powers_from(const extrapolation *e, const stepper_snapshot *begin) {
  bool is_even = e->may_be_even;
  for (int i = 0; i < e->stepper->set->law_count && is_even; i++) is_even = is_even_law(e->stepper, i, begin->modes[i]);
  return is_even ? &e->even : &e->any;
}

/* Of a row: the first ones of a snapshot, q, u, q_low, P, dissipated, driven and works. */
static size_t most_numbers(const law_sizes *n) { return 2 * n->nq + n->nu + n->rows + 2 * n->laws + n->works; }

static size_t numbers(const extrapolation *e) {
  const stepper *s = e->stepper;
  return 2 * (size_t)s->system->nq + (size_t)s->system->nu + (size_t)s->set->row_count + 2 * (size_t)s->set->law_count +
         (size_t)s->works.count;
}

picus_status picus_extrapolation_create(stepper *s, const extrapolation_options *options, extrapolation *out) {
  *out = (extrapolation){.context = s->context, .stepper = s, .options = *options};
  for (int i = 0; i < PICUS_ORDER_MOST; i++)
    out->substeps[i] = options->substeps == PICUS_SUBSTEPS_ODD ? 2 * i + 1 : i + 1;
  const picus_system_constants constants = s->system->constants;
  fill_expansion(out, s->scheme->order, s->scheme->power, 0, &out->any);
  fill_expansion(out, 2, 2, 1, &out->even); /* the same order in the row before, or the tolerance costs smaller steps */
  /* a fixed order has all its rows, and with order 1 nothing is estimated */
  out->may_be_even = s->scheme->even_at_rest && constants.identity_rates && constants.position_forces &&
                     !options->as_printed && options->order == 0 && out->any.row_count > 1;
  out->powers = &out->any;
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < (out->any.row_count > out->even.row_count ? out->any : out->even).row_count; i++)
    status = picus_law_arrays_add_one(&s->arrays, picus_scratch(&out->rows[i], sizeof(double), most_numbers));
  const law_array arrays[] = {picus_scratch(&out->last, sizeof(double), most_numbers),
                              picus_scratch(&out->best, sizeof(double), most_numbers),
                              picus_scratch(&out->kept, sizeof(double), most_numbers),
                              picus_scratch(&out->P_sum, sizeof(double), picus_by_row),
                              picus_scratch(&out->P_before, sizeof(double), picus_by_row),
                              picus_scratch(&out->velocities, sizeof(double), picus_by_row)};
  if (!status) status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  if (!status) status = picus_alternation_create(s, 0, &out->alternation);
  if (!status) status = picus_gaps_create(s, &out->gaps);
  return status ? status : picus_switches_create(s, options, &out->switches);
}

void picus_extrapolation_release(extrapolation *e) {
  if (!e->context) return;
  picus_gaps_release(&e->gaps);
  picus_alternation_release(&e->alternation);
  picus_switches_watch_release(&e->switches);
  *e = (extrapolation){0};
}

/* Friction that turned round from one step to the next: its direction changed by more than a right angle, in planar
 * friction its sign. The direction is relative to the normal percussion: where many contacts share a load in more than
 * one way, each row of a tableau has its own shares, and an extrapolated one may be negative. */
static bool slip_turned(const picus_system_law *law, const double *before, const double *after) {
  int row = law->first_row + (law->dim - law->slips);
  double product = 0;
  for (int k = 0; k < law->slips; k++) product += before[row + k] * after[row + k];
  if (picus_law_can_open(law) && before[law->first_row] * after[law->first_row] < 0) product = -product;
  /* a preload whose two halves of a step have opposite forces */
  if (law->displaced && law->reservoir > 0 &&
      fmin(fabs(before[row]), fabs(after[row])) <= 1e-9 * fmax(fabs(before[row]), fabs(after[row])))
    return true;
  return product < 0;
}

static bool modes_agree(const stepper *s, const picus_mode *modes, const double *P_before) {
  for (int i = 0; i < s->set->law_count; i++) {
    if (s->contacts.modes[i] != modes[i]) return false;
    if (modes[i] == PICUS_SLIP && slip_turned(&s->set->laws[i].data, P_before, s->contacts.P)) return false;
  }
  return true;
}

/* The data of a step: sums and extremes over all its base steps. */
static void gather(picus_step_info *sum, const picus_step_info *base) {
  if (base->active > sum->active) sum->active = base->active;
  sum->implicit.newton_iterations += base->implicit.newton_iterations;
  sum->implicit.projection_iterations += base->implicit.projection_iterations;
  sum->implicit.set_iterations += base->implicit.set_iterations;
  sum->implicit.prox_first += base->implicit.prox_first;
  sum->implicit.prox_second += base->implicit.prox_second;
  sum->implicit.prox_failed += base->implicit.prox_failed;
  sum->implicit.projection = fmax(sum->implicit.projection, base->implicit.projection);
  if (base->active == 0) return;
  if (sum->paradox.kind == PICUS_PARADOX_NONE) sum->paradox = base->paradox;
  if (base->solver.worst.above > 0 && (sum->solver.worst.above == 0 || base->solver.residual > sum->solver.residual))
    sum->solver.worst = base->solver.worst;
  sum->solver.residual = fmax(sum->solver.residual, base->solver.residual);
  int iterations = sum->solver.last.iterations + base->solver.last.iterations,
      fallbacks = sum->solver.last.fallbacks + base->solver.last.fallbacks;
  if (!sum->solver.last.solver || base->solver.last.residual.relative > sum->solver.last.residual.relative)
    sum->solver.last = base->solver.last;
  sum->solver.last.iterations = iterations;
  sum->solver.last.fallbacks = fallbacks;
}

static void keep_row(const stepper *s, const double *P_sum, double *row) {
  const picus_system *system = s->system;
  for (int i = 0; i < system->nq; i++) *row++ = s->q[i];
  for (int i = 0; i < system->nu; i++) *row++ = s->u[i];
  for (int i = 0; i < system->nq; i++) *row++ = s->q_low[i];
  for (int i = 0; i < s->set->row_count; i++) *row++ = P_sum[i];
  for (int i = 0; i < s->set->law_count; i++) *row++ = s->contacts.dissipated[i];
  for (int i = 0; i < s->set->law_count; i++) *row++ = s->contacts.driven[i];
  for (int i = 0; i < s->works.count; i++) *row++ = s->works.work[i];
}

/* The base steps of a row of the tableau. */
typedef struct row_steps {
  double dt;      /* of all of them together */
  int n;          /* how many */
  bool any_modes; /* else the row ends early if their modes differ from those at its start */
} row_steps;

/* A row from begin. *agree: all steps in the modes of begin. */
static picus_status make_row(extrapolation *e, const stepper_snapshot *begin, row_steps steps, picus_step_info *info,
                             bool *agree, double *row) {
  stepper *s = e->stepper;
  const size_t P_size = (size_t)s->set->row_count * sizeof(double);
  const double dt = steps.dt / steps.n;
  picus_snapshot_restore(begin, s);
  picus_alternation_begin(&e->alternation);
  memset(e->P_sum, 0, P_size);
  *agree = true;
  for (int k = 0; k < steps.n; k++) {
    picus_step_info base;
    picus_step_info_begin(&base, s->t, dt);
    memcpy(e->P_before, s->contacts.P, P_size);
    e->base_steps++;
    picus_status status = picus_stepper_step(s, dt, &base);
    if (status) return status;
    gather(info, &base);
    picus_alternation_note(&e->alternation);
    picus_gaps_note_state(&e->gaps, k + 1);
    picus_switches_note_state(&e->switches, k + 1);
    s->t = begin->t + (k + 1) * dt; /* not a sum: its round-off would grow with n */
    for (int i = 0; i < s->set->row_count; i++) e->P_sum[i] += s->contacts.P[i];
    *agree = *agree && modes_agree(s, begin->modes, e->P_before);
    if (!*agree && !steps.any_modes) return PICUS_OK;
  }
  keep_row(s, e->P_sum, row);
  return PICUS_OK;
}

/* T_kk of the first k = row + 1 rows. Differences from the finest row keep round-off small if the rows agree;
 * coordinates include their round-off errors. */
static void combine(const extrapolation *e, int row, double *out) {
  const picus_system *system = e->stepper->system;
  const double *finest = e->rows[row], *weights = e->powers->weights[row];
  const size_t nq = (size_t)system->nq, low = nq + (size_t)system->nu, count = numbers(e);
  for (size_t i = 0; i < count; i++) {
    if (i == low) i += nq; /* with q */
    if (i == count) break;
    double sum = 0;
    for (int k = 0; k < row; k++) sum += weights[k] * (e->rows[k][i] - finest[i]);
    if (i >= nq) {
      out[i] = finest[i] + sum;
      continue;
    }
    for (int k = 0; k < row; k++) sum += weights[k] * (e->rows[k][low + i] - finest[low + i]);
    out[i] = picus_two_sum(finest[i], finest[low + i] + sum, &out[low + i]);
  }
}

static double amplification_of(const extrapolation *e, int row) {
  double sum = 0;
  for (int k = 0; k <= row; k++) sum += fabs(e->powers->weights[row][k]);
  return sum;
}

/* Largest |T_kk - T_{k-1,k-1}| / (atol + rtol |T_kk|) of count numbers; *change: the largest difference itself;
 * *roundings: at least as large as this difference over the round-off of T_kk. That round-off, the sum of the weights
 * times the largest number, is not an error that smaller steps could reduce. */
static double error_of(const extrapolation *e, int row, size_t first, size_t count, double *change, double *roundings) {
  const double *best = e->best + first, *last = e->last + first;
  double worst = 0, largest = 0;
  *change = 0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(best[i]));
  const double rounding = DBL_EPSILON * amplification_of(e, row) * largest;
  for (size_t i = 0; i < count; i++) {
    double difference = fabs(best[i] - last[i]);
    double error = difference / (e->options.atol + e->options.rtol * fabs(best[i]) + rounding);
    if (!(error <= worst)) worst = error; /* also where it is not a number */
    if (!(difference <= *change)) *change = difference;
  }
  if (*change > 0) *roundings = fmax(*roundings, *change / rounding);
  return worst;
}

/* The amplitudes of velocities that alternate in the last row, over the same tolerance: no row distinguishes them from
 * a motion. */
static void note_alternation(const extrapolation *e, int row, step_error *error) {
  const size_t nq = (size_t)e->stepper->system->nq;
  const double *u = e->best + nq;
  const int nu = e->stepper->system->nu;
  double largest = 0;
  for (int i = 0; i < nu; i++) largest = fmax(largest, fabs(u[i]));
  const double rounding = DBL_EPSILON * amplification_of(e, row) * largest;
  for (int i = 0; i < nu; i++) {
    const double amplitude = picus_alternation_amplitude(&e->alternation, i);
    const double relative = amplitude / (e->options.atol + e->options.rtol * fabs(u[i]) + rounding);
    if (!(relative > error->relative)) continue;
    error->relative = relative;
    error->u = fmax(error->u, amplitude);
    error->roundings = INFINITY;
    error->alternates = true;
    error->velocity = i;
  }
}

/* The same of the work of moving surfaces and motors, relative to that work and to its part in this step. Where a
 * surface prescribes the motion, the state is exact whatever the step, and only this tells how accurate forces are. */
static double error_of_surfaces(const extrapolation *e, const stepper_snapshot *begin) {
  const stepper *s = e->stepper;
  const size_t laws = (size_t)s->set->law_count;
  const size_t first = 2 * (size_t)s->system->nq + (size_t)s->system->nu + (size_t)s->set->row_count + laws;
  double worst = 0;
  for (size_t i = 0; i < laws; i++) {
    const double best = e->best[first + i], difference = fabs(best - e->last[first + i]);
    const double size = fabs(best) + fabs(best - begin->driven[i]);
    if (difference == 0) continue;
    const double error = difference / (e->options.atol + e->options.rtol * size);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

/* The result: numbers from the tableau; modes and the scheme's memory from the last base step. */
static void note_result(extrapolation *e, const double *values, double t_end, stepper_snapshot *end) {
  picus_snapshot_save(e->stepper, end);
  memcpy(end->values, values, numbers(e) * sizeof *values);
  picus_system_normalise(e->stepper->system, end->q);
  end->t = t_end;
  picus_switches_note_time(&e->switches, end);
}

/* Of the row that counts, which was the last. */
static void count_impacts(const stepper *s, const stepper_snapshot *begin, const stepper_snapshot *end,
                          picus_step_info *info) {
  double sums[2] = {0, 0};
  for (int i = 0; i < s->set->law_count; i++) {
    sums[0] += end->impacts[i] - begin->impacts[i];
    sums[1] += end->chatter[i] - begin->chatter[i];
  }
  info->impacts = (int)sums[0];
  info->chatter = (int)sums[1];
}

static double energy_lost(const stepper *s, const stepper_snapshot *begin, const stepper_snapshot *end) {
  double sum = 0;
  for (int i = 0; i < s->set->law_count; i++) sum += end->dissipated[i] - begin->dissipated[i];
  return sum;
}

/* A closed contact opens by its law. If its gap is far beyond the accumulated errors of steps, its surface has moved
 * away. */
static bool is_gone(const extrapolation *e, const stepper_snapshot *end, int law) {
  const stepper *s = e->stepper;
  double drift =
      DRIFT_ROUNDINGS * s->contacts.gap_rounding[law] + DRIFT_TOLERANCES * (e->options.atol + e->options.rtol);
  return picus_law_can_open(&s->set->laws[law].data) && end->modes[law] != PICUS_OPEN && s->gap[law] > drift;
}

static picus_status evaluate_gaps(stepper *s, double t, const stepper_snapshot *end) {
  picus_evaluation_set_point(s->evaluation, t, end->q, end->u);
  return picus_evaluate_gaps(s->evaluation, s->gap);
}

/* The time at which values before a stop time are evaluated, or after it. Expressions have them by the sides of their
 * switching functions; functions of a program know the time only. */
static double one_sided(const stepper *s, double t, int direction) {
  return s->system->has_sides || !picus_system_stops_at(s->system, t) ? t : t + direction * 4 * DBL_EPSILON * fabs(t);
}

/* The gaps at the end of a step: the substeps evaluate them with low order only. *gone: a closed contact lost its
 * surface in the step. */
static picus_status note_gaps(const extrapolation *e, const stepper_snapshot *end, picus_step_info *info, bool *gone) {
  stepper *s = e->stepper;
  *gone = false;
  picus_status status = evaluate_gaps(s, one_sided(s, end->t, -1), end);
  if (status) return status;
  picus_step_note_gaps(s, s->gap, info);
  for (int i = 0; i < s->set->law_count; i++) *gone = *gone || is_gone(e, end, i);
  return PICUS_OK;
}

/* A closed contact whose surface has another velocity after a stop time: an impact, which an open contact has. */
static bool is_hit(const extrapolation *e, const stepper_snapshot *end, int law) {
  const picus_system_law *data = &e->stepper->set->laws[law].data;
  double allowed = DRIFT_TOLERANCES * (e->options.atol + e->options.rtol);
  return picus_law_can_open(data) && end->modes[law] != PICUS_OPEN && e->velocities[data->first_row] < -allowed;
}

picus_status picus_extrapolation_open_hit(extrapolation *e, stepper_snapshot *end) {
  stepper *s = e->stepper;
  if (s->holds_sides) picus_evaluation_hold(s->evaluation, end->sides);
  picus_status status = evaluate_gaps(s, one_sided(s, end->t, 1), end);
  if (!status) status = picus_evaluate_velocities(s->evaluation, e->velocities);
  if (s->holds_sides) picus_evaluation_hold(s->evaluation, s->sides);
  for (int i = 0; !status && i < s->set->law_count; i++)
    if (is_gone(e, end, i) || is_hit(e, end, i)) end->modes[i] = PICUS_OPEN;
  return status;
}

/* After the end of the step, contacts whose surfaces have moved away count as open, or have an impact. */
static picus_status open_lost_contacts(extrapolation *e, stepper_snapshot *end) {
  const stepper *s = e->stepper;
  if (picus_system_stops_at(s->system, end->t)) return picus_extrapolation_open_hit(e, end);
  for (int i = 0; i < s->set->law_count; i++)
    if (is_gone(e, end, i)) end->modes[i] = PICUS_OPEN;
  return PICUS_OK;
}

/* A contact that was open in all substeps, with a gap that is not negative at the start but is at the end. */
static bool ends_behind_a_contact(const extrapolation *e, const stepper_snapshot *end) {
  const stepper *s = e->stepper;
  for (int i = 0; e->gaps.has_contacts && i < s->set->law_count; i++) {
    bool is_open = picus_law_can_open(&s->set->laws[i].data) && end->modes[i] == PICUS_OPEN;
    if (is_open && e->gaps.gap[i] >= 0 && s->gap[i] < -s->contacts.gap_rounding[i]) return true;
  }
  return false;
}

/* Row number `row` has been made: T_kk, and the estimate of its error. Of rows that miss the tolerance the one with
 * the least estimate is kept. */
static void add_row(extrapolation *e, const stepper_snapshot *begin, int row, extrapolated_step *step) {
  const size_t nq = (size_t)e->stepper->system->nq, nu = (size_t)e->stepper->system->nu;
  memcpy(e->last, e->best, numbers(e) * sizeof *e->last);
  combine(e, row, e->best);
  step_error error = {.relative = INFINITY, .q = INFINITY, .u = INFINITY, .roundings = row > 0 ? 0 : INFINITY};
  if (row > 0)
    error.relative =
        fmax(error_of(e, row, 0, nq, &error.q, &error.roundings), error_of(e, row, nq, nu, &error.u, &error.roundings));
  if (row > 0 && error.relative <= 1) {
    error.relative = fmax(error.relative, error_of_surfaces(e, begin));
    if (error.relative > 1) error.roundings = INFINITY; /* those of the state tell nothing about the work */
  }
  if (row > 0) note_alternation(e, row, &error);
  bool is_asked_for = e->options.order != 0 || row == 0;
  if (!is_asked_for && error.relative > step->error.relative) return; /* not so for NAN */
  memcpy(e->kept, e->best, numbers(e) * sizeof *e->kept);
  step->error = error;
  step->rows = row + 1;
}

/* A step of size dt_min with a switching point: the row that detected it, with any modes. That is the single base step
 * (Studer 2008, 9.2), unless only finer rows detect it. If restitution acts in substeps, they cannot resolve an impact,
 * and the base step is used: the next step detects what it missed. */
static picus_status resolve(extrapolation *e, const stepper_snapshot *begin, double dt, int row,
                            extrapolated_step *step) {
  bool agree, is_base_step = row > 0 && e->stepper->contacts.restitution != PICUS_RESTITUTION_IMPACTS;
  if (is_base_step) {
    picus_status status = make_row(e, begin, (row_steps){dt, 1, true}, &step->info, &agree, e->rows[row]);
    if (status) return status;
  }
  memcpy(e->kept, e->rows[row], numbers(e) * sizeof *e->kept);
  step->outcome = modes_agree(e->stepper, begin->modes, begin->P) ? STEP_SMOOTH : STEP_RESOLVED;
  step->rows = 1;
  step->error = (step_error){0};
  return PICUS_OK;
}

/* Whether forces stay continuous in a row from begin to the present modes: slip sets in, contacts open, and contacts
 * that were open have no percussions P. If slip ends or reverses, or in an impact, forces jump, and two rows may agree
 * and both be wrong: each applies the force at the end of the substep with the switching point to the complete substep,
 * and in the middle of a step this happens at the same time for all odd rows. */
static bool forces_stay_continuous(const stepper *s, const stepper_snapshot *begin, const double *P) {
  for (int i = 0; i < s->set->law_count; i++) {
    const picus_system_law *law = &s->set->laws[i].data;
    const picus_mode from = begin->modes[i], to = s->contacts.modes[i];
    const bool stays = from == to && !(from == PICUS_SLIP && slip_turned(law, begin->P, s->contacts.P));
    if (!stays && !(from == PICUS_STICK && to == PICUS_SLIP) && to != PICUS_OPEN) return false;
    if (picus_law_can_open(law) && from == PICUS_OPEN && P[law->first_row] != 0) return false;
  }
  return true;
}

/* A longer step whose switching point shorter steps do not see, because it is lost in their round-off: the row that saw
 * it, if forces stay continuous and a finer row is the same within the tolerance. */
static picus_status resolve_longer(extrapolation *e, const stepper_snapshot *begin, double dt, int row,
                                   extrapolated_step *step) {
  const size_t nq = (size_t)e->stepper->system->nq, nu = (size_t)e->stepper->system->nu;
  if (row + 1 >= PICUS_ORDER_MOST) return PICUS_OK;
  bool agree;
  double unread, roundings = 0;
  picus_status status = make_row(e, begin, (row_steps){dt, e->substeps[row], true}, &step->info, &agree, e->last);
  if (!status) status = make_row(e, begin, (row_steps){dt, e->substeps[row + 1], true}, &step->info, &agree, e->best);
  if (status) return status;
  if (!forces_stay_continuous(e->stepper, begin, e->best + 2 * nq + nu)) return PICUS_OK;
  if (!(fmax(error_of(e, 0, 0, nq, &unread, &roundings), error_of(e, 0, nq, nu, &unread, &roundings)) <= 1))
    return PICUS_OK;
  memcpy(e->kept, e->best, numbers(e) * sizeof *e->kept);
  step->outcome = modes_agree(e->stepper, begin->modes, begin->P) ? STEP_SMOOTH : STEP_RESOLVED;
  step->rows = 1;
  step->error = (step_error){0};
  return PICUS_OK;
}

/* No shorter one is allowed. */
static bool is_least_step(const extrapolation *e, double dt) { return dt <= e->options.dt_min * (1 + SIZE_SLACK); }

/* Rows that the size allows. */
static int count_rows(const extrapolation *e, double dt) {
  const double most = e->options.as_printed ? dt / e->options.dt_min * (1 + SIZE_SLACK) : INFINITY;
  int count = 1;
  while (count < e->powers->row_count && e->substeps[count] <= most) count++;
  return count;
}

/* The rows, until the error is small enough, all rows are done, or a substep has other modes. */
static picus_status make_tableau(extrapolation *e, const stepper_snapshot *begin, double dt, extrapolated_step *step,
                                 bool *agree, int *last_row) {
  const bool any_modes = is_least_step(e, dt); /* the row that sees a switching point is needed whole: see resolve */
  const int row_count = count_rows(e, dt);
  const bool by_error = e->options.order == 0 && row_count > 1;
  step->error = (step_error){.relative = INFINITY, .q = INFINITY, .u = INFINITY, .roundings = INFINITY};
  *agree = true;
  for (int row = 0; row < row_count && !(by_error && step->error.relative <= 1); row++) {
    *last_row = row;
    picus_status status =
        make_row(e, begin, (row_steps){dt, e->substeps[row], any_modes}, &step->info, agree, e->rows[row]);
    if (status || !*agree) return status;
    add_row(e, begin, row, step);
  }
  if (!by_error) step->error = (step_error){0};
  step->outcome = step->error.relative <= 1 ? STEP_SMOOTH : STEP_INACCURATE;
  return PICUS_OK;
}

picus_status picus_extrapolation_step(extrapolation *e, const stepper_snapshot *begin, double dt, double t_end,
                                      stepper_snapshot *end, extrapolated_step *step) {
  const bool is_least = is_least_step(e, dt);
  *step = (extrapolated_step){.outcome = STEP_DETECTED};
  picus_step_info_begin(&step->info, t_end, dt);
  bool agree;
  int row = 0;
  e->stepper->contacts.laws_at_end = false;
  e->powers = powers_from(e, begin);
  picus_status status = make_tableau(e, begin, dt, step, &agree, &row);
  if (!status && !agree && e->stepper->contacts.turning) {
    step->laws_at_end = e->stepper->contacts.laws_at_end = true;
    e->powers = &e->any;
    status = make_tableau(e, begin, dt, step, &agree, &row);
  }
  if (!status && !agree && is_least) status = resolve(e, begin, dt, row, step);
  if (!status && !agree && !is_least && dt <= e->dt_resolve * (1 + SIZE_SLACK))
    status = resolve_longer(e, begin, dt, row, step);
  if (status || step->outcome == STEP_DETECTED) return status;
  /* a result: in a smooth step T_kk, at a switching point the row that saw it */
  step->is_even = e->powers == &e->even;
  step->order = step->outcome == STEP_RESOLVED ? e->any.order : order_of_row(e->powers, step->rows - 1);
  note_result(e, e->kept, t_end, end);
  step->info.order = step->order;
  step->info.dissipated = energy_lost(e->stepper, begin, end);
  count_impacts(e->stepper, begin, end, &step->info);
  /* of all rows so far; that of the result is no more than the step gained */
  step->info.gained = fmin(step->info.gained, fmax(-step->info.dissipated, 0));
  step->info.impact_limits = step->info.impacts > 0 && step->info.impact_limits > 0;
  /* if a closed contact is far from its surface at the end, the step has skipped a switching point */
  bool gone;
  status = note_gaps(e, end, &step->info, &gone);
  if (status) return status;
  if (gone && !is_least) step->outcome = STEP_DETECTED;
  return gone && !is_least ? PICUS_OK : open_lost_contacts(e, end);
}

picus_status picus_extrapolation_look(extrapolation *e, const stepper_snapshot *begin, double dt,
                                      const stepper_snapshot *end, bool *missed) {
  const bool is_least = is_least_step(e, dt);
  picus_status status = picus_gaps_look(&e->gaps, begin, end, dt, is_least, missed);
  if (!status && !is_least) *missed = *missed || ends_behind_a_contact(e, end);
  return status;
}

picus_status picus_extrapolation_halves(extrapolation *e, const stepper_snapshot *begin, double dt) {
  picus_step_info unread = {0};
  bool agree;
  const long base_steps = e->base_steps; /* the work and the contact problems of a check are not those of the run */
  const picus_contact_watch_fn watch = e->stepper->contacts.watch;
  e->stepper->contacts.watch = NULL;
  picus_status status = make_row(e, begin, (row_steps){dt, 2, true}, &unread, &agree, e->rows[0]);
  e->stepper->contacts.watch = watch;
  e->base_steps = base_steps;
  return status;
}

picus_status picus_extrapolation_probe(extrapolation *e, const stepper_snapshot *begin, double dt,
                                       picus_step_info *info, bool *agree) {
  picus_step_info_begin(info, begin->t, dt);
  e->stepper->contacts.laws_at_end = e->stepper->contacts.turning != NULL;
  return make_row(e, begin, (row_steps){dt, 1, true}, info, agree, e->rows[0]);
}

picus_status picus_extrapolation_state(extrapolation *e, const stepper_snapshot *begin, double dt,
                                       const extrapolated_step *step, double *q, double *u) {
  const size_t nq = (size_t)e->stepper->system->nq, nu = (size_t)e->stepper->system->nu;
  const long base_steps = e->base_steps;
  picus_step_info unread = {0};
  picus_status status = PICUS_OK;
  bool agree;
  e->stepper->contacts.laws_at_end = step->laws_at_end;
  e->powers = step->is_even ? &e->even : &e->any;
  for (int i = 0; i < step->rows && !status; i++)
    status = make_row(e, begin, (row_steps){dt, e->substeps[i], true}, &unread, &agree, e->rows[i]);
  e->base_steps = base_steps; /* the work of the run, without that of interpolation */
  if (status) return status;
  combine(e, step->rows - 1, e->best);
  memcpy(q, e->best, nq * sizeof *q);
  picus_system_normalise(e->stepper->system, q);
  memcpy(u, e->best + nq, nu * sizeof *u);
  return PICUS_OK;
}
