/* One step of high order out of many base steps (Studer 2008, sections 7 and 8; Hairer, Norsett, Wanner, Solving
 * Ordinary Differential Equations I, II.9).
 *
 * Row i of the tableau is the step made of n_i base steps. With an error of c_0 (dt/n)^p + c_1 (dt/n)^(p+g) + ... the
 * combination T_kk of the first k rows that removes k - 1 terms is a sum with weights that depend on the n_i alone:
 *
 *   T_kk = sum_i w_i T_i1,   w_i = s n_i^(p-g) prod_{j != i} n_i^g / (n_i^g - n_j^g),   s such that sum_i w_i = 1.
 *
 * For p = g this is Neville's recursion T_{i,j+1} = T_ij + (T_ij - T_{i-1,j}) / ((n_i / n_{i-j})^g - 1) (Studer 2008,
 * (42) with g = 1), written out.
 *
 * Percussions and dissipated energies are extrapolated as q and u are, but take no part in the error test. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SIZE_SLACK 1e-9 /* sizes of steps that differ by so much are equal: they come out of divisions */

void picus_extrapolation_weights(int row, const int *substeps, int order, int power, double *weights) {
  double sum = 0;
  for (int i = 0; i <= row; i++) {
    double n = pow(substeps[i], power), product = pow(substeps[i], order - power);
    for (int j = 0; j <= row; j++)
      if (j != i) product *= n / (n - pow(substeps[j], power));
    weights[i] = product;
    sum += product;
  }
  for (int i = 0; i <= row; i++) weights[i] /= sum;
}

static int order_of_row(const scheme_ops *scheme, int row) { return scheme->order + row * scheme->power; }

static int rows_for_order(const scheme_ops *scheme, int order) {
  int rows = 1;
  while (rows < PICUS_ORDER_MOST && order_of_row(scheme, rows - 1) < order) rows++;
  return rows;
}

/* Of a row: those of a snapshot but for the scheme's memory. */
static size_t numbers(const extrapolation *e) {
  const picus_system *s = e->stepper->system;
  return 2 * (size_t)s->nq + (size_t)s->nu + (size_t)s->row_count + (size_t)s->law_count;
}

picus_status picus_extrapolation_create(stepper *s, const scheme_ops *scheme, const extrapolation_options *options,
                                        extrapolation *out) {
  *out = (extrapolation){.context = s->context, .stepper = s, .scheme = scheme, .options = *options};
  out->row_count = rows_for_order(scheme, options->order ? options->order : options->order_max);
  for (int i = 0; i < PICUS_ORDER_MOST; i++)
    out->substeps[i] = options->substeps == PICUS_SUBSTEPS_ODD ? 2 * i + 1 : i + 1;
  for (int i = 0; i < out->row_count; i++)
    picus_extrapolation_weights(i, out->substeps, scheme->order, scheme->power, out->weights[i]);
  size_t rows = (size_t)s->system->row_count;
  size_t count = numbers(out);
  bool all = true;
  for (int i = 0; i < out->row_count; i++)
    all = (out->rows[i] = picus_allocate(s->context, count, sizeof(double))) && all;
  out->last = picus_allocate(s->context, count, sizeof(double));
  out->best = picus_allocate(s->context, count, sizeof(double));
  out->P_sum = picus_allocate(s->context, rows, sizeof(double));
  out->P_before = picus_allocate(s->context, rows, sizeof(double));
  out->gap_begin = picus_allocate(s->context, (size_t)s->system->law_count, sizeof(double));
  all = all && out->last && out->best && out->P_sum && out->P_before && out->gap_begin;
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

void picus_extrapolation_release(extrapolation *e) {
  if (!e->context) return;
  for (int i = 0; i < PICUS_ORDER_MOST; i++) picus_release(e->context, e->rows[i]);
  void *blocks[] = {e->last, e->best, e->P_sum, e->P_before, e->gap_begin};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(e->context, blocks[i]);
  *e = (extrapolation){0};
}

/* Friction that turned round from one step to the next: its direction changed by more than a right angle, in planar
 * friction its sign. */
static bool slip_turned(const picus_system_law *law, const double *before, const double *after) {
  int row = law->first_row + (law->dim - law->slips);
  double product = 0;
  for (int k = 0; k < law->slips; k++) product += before[row + k] * after[row + k];
  return product < 0;
}

static bool modes_agree(const stepper *s, const picus_mode *modes, const double *P_before) {
  for (int i = 0; i < s->system->law_count; i++) {
    if (s->modes[i] != modes[i]) return false;
    if (modes[i] == PICUS_SLIP && slip_turned(&s->system->laws[i].data, P_before, s->P)) return false;
  }
  return true;
}

/* What is told about a step: sums and extremes over all base steps made for it. */
static void gather(picus_step_info *sum, const picus_step_info *base) {
  if (base->active > sum->active) sum->active = base->active;
  sum->newton_iterations += base->newton_iterations;
  sum->projection_iterations += base->projection_iterations;
  sum->set_iterations += base->set_iterations;
  sum->projection = fmax(sum->projection, base->projection);
  if (base->active == 0) return;
  int iterations = sum->solve.iterations + base->solve.iterations,
      fallbacks = sum->solve.fallbacks + base->solve.fallbacks;
  if (!sum->solve.solver || base->solve.residual.relative > sum->solve.residual.relative) sum->solve = base->solve;
  sum->solve.iterations = iterations;
  sum->solve.fallbacks = fallbacks;
}

static void keep_row(const stepper *s, const double *P_sum, double *row) {
  const picus_system *system = s->system;
  for (int i = 0; i < system->nq; i++) *row++ = s->q[i];
  for (int i = 0; i < system->nu; i++) *row++ = s->u[i];
  for (int i = 0; i < system->row_count; i++) *row++ = P_sum[i];
  for (int i = 0; i < system->law_count; i++) *row++ = s->dissipated[i];
  for (int i = 0; i < system->nq; i++) *row++ = s->q_low[i];
}

/* n base steps from begin. *agree: all of them in the modes of begin; without that the row ends early, unless anything
 * is allowed. */
static picus_status make_row(extrapolation *e, const stepper_snapshot *begin, double dt, int n, bool any_modes,
                             picus_step_info *info, bool *agree, double *row) {
  stepper *s = e->stepper;
  const size_t P_size = (size_t)s->system->row_count * sizeof(double);
  picus_snapshot_restore(begin, s);
  memset(e->P_sum, 0, P_size);
  *agree = true;
  for (int k = 0; k < n; k++) {
    picus_step_info base = {.lowest_gap = INFINITY, .lowest_gap_law = -1, .constraint_error_law = -1};
    memcpy(e->P_before, s->P, P_size);
    e->base_steps++;
    picus_status status = picus_stepper_step(e->scheme, s, dt / n, &base);
    if (status != PICUS_OK) return status;
    gather(info, &base);
    s->t = begin->t + (k + 1) * (dt / n);
    for (int i = 0; i < s->system->row_count; i++) e->P_sum[i] += s->P[i];
    *agree = *agree && modes_agree(s, begin->modes, e->P_before);
    if (!*agree && !any_modes) return PICUS_OK;
  }
  keep_row(s, e->P_sum, row);
  return PICUS_OK;
}

/* T_kk of the first k = row + 1 rows. Differences to the finest row keep rounding small where the rows agree;
 * coordinates with what rounding cut off them. */
static void combine(const extrapolation *e, int row, double *out) {
  const picus_system *system = e->stepper->system;
  const double *finest = e->rows[row], *weights = e->weights[row];
  const size_t nq = (size_t)system->nq, low = numbers(e) - nq;
  for (size_t i = 0; i < low; i++) {
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

/* Largest |T_kk - T_{k-1,k-1}| / (atol + rtol |T_kk|) of count numbers. What rounding of the rows makes of T_kk, the
 * sum of the weights times the largest number, is no error that smaller steps could mend. */
static double error_of(const extrapolation *e, int row, size_t first, size_t count) {
  const double *best = e->best + first, *last = e->last + first;
  double worst = 0, largest = 0, amplification = 0;
  for (int k = 0; k <= row; k++) amplification += fabs(e->weights[row][k]);
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(best[i]));
  const double rounding = DBL_EPSILON * amplification * largest;
  for (size_t i = 0; i < count; i++) {
    double error = fabs(best[i] - last[i]) / (e->options.atol + e->options.rtol * fabs(best[i]) + rounding);
    if (!(error <= worst)) worst = error; /* also where it is no number */
  }
  return worst;
}

/* The result: numbers from the tableau; modes and the scheme's memory from the last base step. */
static void note_result(extrapolation *e, const double *values, double t_end, stepper_snapshot *end) {
  picus_snapshot_save(e->stepper, end);
  memcpy(end->values, values, numbers(e) * sizeof *values);
  picus_system_normalise(e->stepper->system, end->q);
  end->t = t_end;
}

/* Of the row that counts, which was the last. */
static void count_impacts(const stepper *s, const stepper_snapshot *begin, const stepper_snapshot *end,
                          picus_step_info *info) {
  const size_t laws = (size_t)s->system->law_count;
  const size_t impacts = (size_t)(s->history.impacts - s->history.values), chatter = impacts + laws;
  double sums[2] = {0, 0};
  for (size_t i = 0; i < laws; i++) {
    sums[0] += end->history[impacts + i] - begin->history[impacts + i];
    sums[1] += end->history[chatter + i] - begin->history[chatter + i];
  }
  info->impacts = (int)sums[0];
  info->chatter = (int)sums[1];
}

static double energy_lost(const stepper *s, const stepper_snapshot *begin, const stepper_snapshot *end) {
  double sum = 0;
  for (int i = 0; i < s->system->law_count; i++) sum += end->dissipated[i] - begin->dissipated[i];
  return sum;
}

/* The gaps at the end of a step: those at which the substeps looked are those of steps of low order. */
static picus_status note_gaps(stepper *s, const stepper_snapshot *end, picus_step_info *info) {
  picus_evaluation_set_point(s->evaluation, end->t, end->q, end->u);
  picus_status status = picus_evaluate_gaps(s->evaluation, s->gap);
  if (status == PICUS_OK) picus_step_note_gaps(s, s->gap, info);
  return status;
}

static picus_status gaps_at(stepper *s, const stepper_snapshot *at, double *gap) {
  picus_evaluation_set_point(s->evaluation, at->t, at->q, at->u);
  return picus_evaluate_gaps(s->evaluation, gap);
}

/* A contact that was open in all substeps, with a gap that was not negative at the begin and is at the end: it closed
 * where the substeps did not look. Without this a body could be behind a thin obstacle before the next look. */
static picus_status look_for_missed_closing(extrapolation *e, const stepper_snapshot *begin,
                                            const stepper_snapshot *end, bool *missed) {
  stepper *s = e->stepper;
  *missed = false;
  picus_status status = gaps_at(s, end, s->gap);
  if (status == PICUS_OK) status = gaps_at(s, begin, e->gap_begin);
  for (int i = 0; status == PICUS_OK && i < s->system->law_count; i++) {
    bool is_open = picus_law_can_open(&s->system->laws[i].data) && end->modes[i] == PICUS_OPEN;
    *missed = *missed || (is_open && e->gap_begin[i] >= 0 && s->gap[i] < -s->gap_rounding[i]);
  }
  return status;
}

static void swap(double **a, double **b) {
  double *kept = *a;
  *a = *b;
  *b = kept;
}

picus_status picus_extrapolation_step(extrapolation *e, const stepper_snapshot *begin, double dt, double t_end,
                                      bool any_modes, stepper_snapshot *end, extrapolated_step *step) {
  const stepper *s = e->stepper;
  const extrapolation_options *o = &e->options;
  const size_t nq = (size_t)s->system->nq, nu = (size_t)s->system->nu;
  const bool is_least = dt <= o->dt_min * (1 + SIZE_SLACK);
  *step = (extrapolated_step){
      .outcome = STEP_SMOOTH,
      .info = {.t = t_end, .dt = dt, .lowest_gap = INFINITY, .lowest_gap_law = -1, .constraint_error_law = -1}};
  int rows = 0;
  double error = INFINITY, error_before;
  bool agree = true, accurate = false, may_refine = true, converging = true;
  while (agree && !accurate && may_refine) {
    picus_status status = make_row(e, begin, dt, e->substeps[rows], any_modes, &step->info, &agree, e->rows[rows]);
    if (status != PICUS_OK) return status;
    if (!agree && !is_least && !any_modes) {
      step->outcome = STEP_DETECTED;
      return PICUS_OK;
    }
    if (!agree && !any_modes) keep_row(s, e->P_sum, e->rows[0]); /* the single base step of a step of size dt_min */
    swap(&e->last, &e->best);
    combine(e, rows, e->best);
    rows++;
    may_refine = rows < e->row_count && dt / e->substeps[rows] >= o->dt_min * (1 - SIZE_SLACK);
    error_before = error;
    error = rows > 1 ? fmax(error_of(e, rows - 1, 0, nq), error_of(e, rows - 1, nq, nu)) : INFINITY;
    converging = error <= error_before;
    accurate = o->order == 0 && error <= 1;
  }
  /* Where dt_min forbids finer rows, what the rows give is still better than steps of dt_min, which are not tested. */
  bool tested = o->order == 0 && rows > 1 && (rows == e->row_count || !converging);
  if (!agree && !any_modes)
    step->outcome = STEP_RESOLVED;
  else if (tested && !accurate)
    step->outcome = STEP_INACCURATE;
  step->rows = rows;
  step->order = order_of_row(e->scheme, rows - 1);
  note_result(e, e->best, t_end, end);
  step->info.order = step->order;
  step->info.dissipated = energy_lost(s, begin, end);
  count_impacts(s, begin, end, &step->info);
  if (!is_least && !any_modes) {
    bool missed;
    picus_status status = look_for_missed_closing(e, begin, end, &missed);
    if (status != PICUS_OK) return status;
    if (missed) step->outcome = STEP_DETECTED;
  }
  return note_gaps(e->stepper, end, &step->info);
}

picus_status picus_extrapolation_state(extrapolation *e, const stepper_snapshot *begin, double dt, int rows, double *q,
                                       double *u) {
  const size_t nq = (size_t)e->stepper->system->nq, nu = (size_t)e->stepper->system->nu;
  const long base_steps = e->base_steps;
  picus_step_info unread = {0};
  picus_status status = PICUS_OK;
  bool agree;
  for (int i = 0; i < rows && status == PICUS_OK; i++)
    status = make_row(e, begin, dt, e->substeps[i], true, &unread, &agree, e->rows[i]);
  e->base_steps = base_steps; /* the work of the run, not of those who look at it */
  if (status != PICUS_OK) return status;
  combine(e, rows - 1, e->best);
  memcpy(q, e->best, nq * sizeof *q);
  picus_system_normalise(e->stepper->system, q);
  memcpy(u, e->best + nq, nu * sizeof *u);
  return PICUS_OK;
}
