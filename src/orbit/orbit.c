/* Periodic orbits by shooting: Newton's method for x = P(x), where P follows the motion along a sequence of switching
 * points from a section to the section.
 *
 * P maps all states near the section onto it, and those that violate constraints onto them, so that its derivative has
 * exact zeros; DP - 1 is regular unless a multiplier is 1. Coordinates that nothing depends on have the multiplier 1
 * and do not take part. */
#include "base/elementary.h"
#include "flow/conditions.h"
#include "orbit/cycle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CONVERGED 1e-12  /* of the size of a number: change by Newton's method */
#define INDEPENDENT 1e-9 /* of the size of numbers: a derivative that is round-off */
#define REPEATED 1e-7    /* of a period: forces that differ by less are the same */
enum { NEWTON_MOST = 30, HALVINGS_MOST = 6, SECTION_NAME = 128 };

struct picus_orbit {
  picus_context *context;
  const picus_system *system;
  int n;
  picus_orbit_data data;
  char section[SECTION_NAME];
  double *x, *shift, *monodromy; /* n; n; n x n */
  bool *grows;                   /* n: coordinates that do not take part */
  picus_multiplier *multipliers;
  int multiplier_count;
  picus_orbit_point *points;
  int point_count;
};

/* While it is sought. */
typedef struct shooting {
  picus_orbit *orbit;
  const picus_orbit_def *def;
  const flow_start *start;
  double period; /* of the forces; 0: the section counts */
  sequence found;
  flow f;
  flow_path path;
  flow_margins margins;
  double *gaps;                     /* laws */
  double *y, *step, *scaled, *work; /* n (1 + n); n; n x n; PICUS_EIGEN_WORK n x n */
  pivoted newton;
} shooting;

/* --- sections -------------------------------------------------------------------------------------------------------
 */

typedef struct section {
  int law, event; /* -1: not one */
  int change;     /* picus_orbit_change; -1: any */
} section;

/* The switching point behind a phase, as far as a section distinguishes it. */
static section section_of(const phase_end *e) {
  section s = {-1, e->event, -1};
  if (e->trigger_count < 1) return s;
  const trigger *g = &e->triggers[0];
  static const int changes[] = {[TRIGGER_GAP] = PICUS_CHANGE_IMPACT,
                                [TRIGGER_CLUTCH] = PICUS_CHANGE_CLOSES,
                                [TRIGGER_OPENS] = PICUS_CHANGE_OPENS,
                                [TRIGGER_SLIPS] = PICUS_CHANGE_SLIPS,
                                [TRIGGER_STICKS] = PICUS_CHANGE_STICKS};
  if (g->kind < TRIGGER_GAP || g->kind == TRIGGER_SIDE) return s;
  s.law = g->index;
  s.change = changes[g->kind];
  return s;
}

static bool matches(const section *wanted, const section *is) {
  if (wanted->event >= 0) return is->event == wanted->event;
  if (is->law < 0 || is->law != wanted->law) return false;
  return wanted->change < 0 || wanted->change == is->change ||
         (wanted->change == PICUS_CHANGE_CLOSES && is->change == PICUS_CHANGE_IMPACT);
}

static void name_section(picus_orbit *o, const section *s) {
  const picus_system *system = o->system;
  if (s->event >= 0)
    snprintf(o->section, sizeof o->section, "%s", system->controls->events[s->event].name);
  else
    snprintf(o->section, sizeof o->section, "%s%s%s", system->fixed.laws[s->law].data.name, s->change >= 0 ? ":" : "",
             s->change >= 0 ? picus_orbit_change_name(s->change) : "");
}

static picus_status read_section(picus_orbit *o, const char *text, section *out) {
  const picus_system *system = o->system;
  const char *colon = strchr(text, ':');
  const size_t length = colon ? (size_t)(colon - text) : strlen(text);
  *out = (section){-1, -1, -1};
  for (int k = 0; system->controls && k < system->controls->event_count; k++)
    if (strcmp(system->controls->events[k].name, text) == 0) out->event = k;
  if (out->event >= 0) return PICUS_OK;
  for (int k = 0; k < system->fixed.law_count; k++) {
    const char *name = system->fixed.laws[k].data.name;
    if (strlen(name) == length && strncmp(name, text, length) == 0) out->law = k;
  }
  if (out->law < 0)
    return picus_fail(o->context, PICUS_ERROR_NAME, "the model has no event or law '%.*s' for a section", (int)length,
                      text);
  for (int k = PICUS_CHANGE_IMPACT; colon && k <= PICUS_CHANGE_STICKS; k++)
    if (strcmp(colon + 1, picus_orbit_change_name(k)) == 0) out->change = k;
  if (!colon || out->change >= 0) return PICUS_OK;
  return picus_fail(o->context, PICUS_ERROR_NAME,
                    "'%.100s': the changes of a law are :impact, :closes, :opens, :slips and :sticks", text);
}

/* The first switching points that occur again. */
static picus_status choose_section(const shooting *s, section *out) {
  for (int k = 0; k + 1 < s->found.count; k++) {
    *out = section_of(&s->found.phases[k].end);
    for (int i = k + 1; (out->law >= 0 || out->event >= 0) && i + 1 < s->found.count; i++) {
      const section other = section_of(&s->found.phases[i].end);
      if (matches(out, &other)) return PICUS_OK;
    }
  }
  return picus_fail(
      s->orbit->context, PICUS_NO_SOLUTION,
      "the run until t = %.9g has no switching point twice; make it longer (t_end), or give a section or a "
      "period",
      s->def->options->t_end);
}

/* --- the first guess
 * -------------------------------------------------------------------------------------------------- */

/* The motion between two passages of the section. */
static picus_status find_passages(shooting *s) {
  picus_orbit *o = s->orbit;
  section wanted = {-1, -1, -1};
  const int turns = s->def->turns > 0 ? s->def->turns : 1;
  int passages = 0, first = -1, last = -1;
  picus_status status = s->def->section ? read_section(o, s->def->section, &wanted) : choose_section(s, &wanted);
  if (status) return status;
  name_section(o, &wanted);
  for (int k = 0; k + 1 < s->found.count && last < 0; k++) {
    const section is = section_of(&s->found.phases[k].end);
    if (!matches(&wanted, &is)) continue;
    if (passages == s->def->skip) first = k;
    if (passages == s->def->skip + turns) last = k;
    passages++;
  }
  if (last < 0)
    return picus_fail(
        o->context, PICUS_NO_SOLUTION,
        "the run until t = %.9g passes the section '%s' %d times, and %d are needed; make it longer (t_end)",
        s->def->options->t_end, o->section, passages, s->def->skip + turns + 1);
  const phase *start = &s->found.phases[first + 1];
  s->path = (flow_path){.sequence = &s->found,
                        .first = first + 1,
                        .count = last - first,
                        .is_section = true,
                        .t = start->t_x,
                        .t_end = s->found.phases[last].t_end};
  memcpy(o->x, start->x, (size_t)o->n * sizeof *o->x);
  return PICUS_OK;
}

static int phase_at(const sequence *s, double t) {
  int k = 0;
  while (k + 1 < s->count && s->phases[k].t_end < t) k++;
  return k;
}

/* Accelerations and gaps at one state must be the same after a period. */
static picus_status check_period(shooting *s, double t) {
  picus_orbit *o = s->orbit;
  field *f = &s->f.base;
  const double period = s->period;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < 4; k++) {
    const double at = t + 0.23 * k * period;
    status = picus_field_evaluate(f, at, o->x);
    if (!status) status = picus_evaluate_gaps(f->at, f->gaps);
    memcpy(s->step, f->rate, (size_t)o->n * sizeof *s->step);
    memcpy(s->gaps, f->gaps, (size_t)f->laws * sizeof *s->gaps);
    if (!status) status = picus_field_evaluate(f, at + period, o->x);
    if (!status) status = picus_evaluate_gaps(f->at, f->gaps);
    double most = 0;
    for (int i = 0; i < o->n; i++) most = picus_larger(most, fabs(f->rate[i] - s->step[i]) * period / s->found.size[i]);
    if (!status) status = picus_evaluate_gap_jacobian(f->at, s->f.gap_q);
    for (int i = 0; !status && i < f->laws; i++)
      most = picus_larger(most, fabs(f->gaps[i] - s->gaps[i]) / fmax(picus_gap_terms(&s->f, i), fabs(s->gaps[i])));
    if (!status && most > REPEATED)
      status =
          picus_fail(o->context, PICUS_ERROR_ARGUMENT,
                     "the forces or gaps of this model do not repeat after %.15g s: at one state they differ; give "
                     "their period with all digits",
                     period);
  }
  return status;
}

/* One period, from the middle of the longest phase on: there nothing switches. */
static picus_status find_period(shooting *s) {
  picus_orbit *o = s->orbit;
  const double period = s->period * (s->def->turns > 0 ? s->def->turns : 1);
  const double begin = s->def->options->t_start + s->def->skip * s->period, end = begin + period;
  double longest = 0, t = begin;
  for (int k = 0; k < s->found.count; k++) {
    const phase *p = &s->found.phases[k];
    const double from = fmax(p->t_begin, begin), to = fmin(p->t_end, end);
    if (to - from <= longest) continue;
    longest = to - from;
    t = 0.5 * (from + to);
  }
  const int first = phase_at(&s->found, t), last = phase_at(&s->found, t + period);
  const phase *p = &s->found.phases[first];
  if (t < p->t_x) t = p->t_x;
  memcpy(o->x, p->x, (size_t)o->n * sizeof *o->x);
  const flow_path to_start = {.sequence = &s->found, .first = first, .count = 1, .t = p->t_x, .t_end = t};
  s->path = (flow_path){.sequence = &s->found, .first = first, .count = last - first + 1, .t = t, .t_end = t + period};
  const picus_status status = picus_flow_follow_state(&s->f, &to_start, o->x);
  return status ? status : check_period(s, t);
}

/* Whether forces or gaps depend on time alone. */
static picus_status depends_on_time(shooting *s, bool *does) {
  field *f = &s->f.base;
  const phase *p = &s->found.phases[0];
  const size_t n = (size_t)f->n, laws = (size_t)f->laws;
  double *kept = picus_allocate(f->context, n + laws, sizeof *kept);
  picus_status status = kept ? PICUS_OK : PICUS_ERROR_MEMORY;
  *does = false;
  picus_field_set_modes(f, &p->modes);
  for (int k = 0; !status && k < 3; k++) {
    status = picus_field_evaluate(f, p->t_begin + 0.37 * k * (p->t_end - p->t_begin), p->x);
    if (!status) status = picus_evaluate_gaps(f->at, f->gaps);
    if (status) break;
    if (k > 0 && memcmp(kept, f->rate, n * sizeof *kept) != 0) *does = true;
    if (k > 0 && memcmp(kept + n, f->gaps, laws * sizeof *kept) != 0) *does = true;
    memcpy(kept, f->rate, n * sizeof *kept);
    memcpy(kept + n, f->gaps, laws * sizeof *kept);
  }
  picus_release(f->context, kept);
  return status;
}

static picus_status find_guess(shooting *s) {
  const picus_orbit_def *def = s->def;
  picus_sim_options o = *def->options;
  bool is_timed;
  const double periods = def->skip + 2.5 + (def->turns > 0 ? def->turns : 1);
  if (s->period > 0) o.t_end = o.t_start + periods * s->period;
  picus_status status = picus_sequence_record(s->orbit->context, def->system, &o, s->start, s->f.interrupt, &s->found);
  if (!status) status = depends_on_time(s, &is_timed);
  if (status) return status;
  if (is_timed && !(s->period > 0))
    return picus_fail(s->orbit->context, PICUS_ERROR_ARGUMENT,
                      "the forces of this model depend on time; give the period after which they repeat");
  return s->period > 0 ? find_period(s) : find_passages(s);
}

/* --- Newton's method
 * ----------------------------------------------------------------------------------------------------- */

/* P and DP at x, into y. */
static picus_status shoot(shooting *s, const double *x) {
  const size_t n = (size_t)s->orbit->n;
  memcpy(s->y, x, n * sizeof *x);
  for (size_t c = 0; c < n; c++)
    for (size_t i = 0; i < n; i++) s->y[(c + 1) * n + i] = i == c;
  picus_status status = picus_flow_project(&s->f, &s->found.phases[s->path.first].modes, s->path.t, s->y);
  return status ? status : picus_flow_follow(&s->f, &s->path, s->y);
}

/* Coordinates with a column of the unit matrix: nothing depends on them. */
static void find_growing(shooting *s) {
  const picus_orbit *o = s->orbit;
  const double *size = s->found.size;
  for (int c = 0; c < o->system->nq; c++) {
    double most = 0;
    for (int i = 0; i < o->n; i++)
      most = picus_larger(most, fabs(s->y[(c + 1) * o->n + i] - (i == c)) * size[c] / size[i]);
    o->grows[c] = most < INDEPENDENT;
  }
}

/* The Newton step of the numbers that take part; returns the largest difference, relative to the sizes. */
static double find_step(shooting *s, const double *x) {
  const picus_orbit *o = s->orbit;
  const double *size = s->found.size;
  double largest = 0;
  int m = 0;
  for (int i = 0; i < o->n; i++) {
    if (o->grows[i]) continue;
    int k = 0;
    for (int c = 0; c < o->n; c++)
      if (!o->grows[c]) s->scaled[m * o->n + k++] = ((i == c) - s->y[(c + 1) * o->n + i]) * size[c] / size[i];
    s->step[m] = (s->y[i] - x[i]) / size[i];
    largest = picus_larger(largest, fabs(s->step[m++]));
  }
  for (int i = 0; i < m; i++) memcpy(s->newton.A + i * m, s->scaled + i * o->n, (size_t)m * sizeof(double));
  picus_pivoted_factor(&s->newton, m, 1e-13);
  picus_pivoted_solve(&s->newton, s->step, s->work);
  for (int i = o->n - 1, k = m - 1; i >= 0; i--) s->step[i] = o->grows[i] ? 0 : s->step[k--] * size[i];
  return largest;
}

static double step_size(const shooting *s) {
  double largest = 0;
  for (int i = 0; i < s->orbit->n; i++) largest = picus_larger(largest, fabs(s->step[i]) / s->found.size[i]);
  return largest;
}

/* x + factor step, halved until the sequence is the same. */
static picus_status advance(shooting *s, double *next) {
  picus_orbit *o = s->orbit;
  picus_status status = PICUS_OK;
  double factor = 1;
  for (int k = 0; k <= HALVINGS_MOST; k++, factor *= 0.5) {
    for (int i = 0; i < o->n; i++) next[i] = o->x[i] + factor * s->step[i];
    status = shoot(s, next);
    if (!status) memcpy(o->x, next, (size_t)o->n * sizeof *next);
    if (!status || status == PICUS_ERROR_MEMORY || status == PICUS_INTERRUPTED) return status;
  }
  return status;
}

static picus_status iterate(shooting *s) {
  picus_orbit *o = s->orbit;
  double *next = s->work + o->n, least = INFINITY;
  picus_status status = shoot(s, o->x);
  if (!status) find_growing(s);
  for (int k = 0; !status && k < NEWTON_MOST; k++) {
    o->data.residual = find_step(s, o->x);
    o->data.iterations = k;
    const double size = step_size(s);
    if (s->newton.rank < s->newton.size && o->data.residual > 1e3 * CONVERGED)
      return picus_fail(
          o->context, PICUS_NO_SOLUTION,
          "a multiplier of the orbit is 1: Newton's method has no unique step; choose another section, or a "
          "model with damping");
    if (size <= CONVERGED || (size <= 1e3 * CONVERGED && size > 0.3 * least)) return PICUS_OK;
    least = fmin(least, size);
    status = advance(s, next);
  }
  if (status) return status;
  return picus_fail(o->context, PICUS_NO_SOLUTION,
                    "Newton's method does not converge: after %d steps the states still differ by %.3g of their size; "
                    "start nearer to the orbit, or skip more passages",
                    NEWTON_MOST, o->data.residual);
}

/* Newton's method again while flights are found that the run has missed. */
static picus_status find_orbit(shooting *s) {
  picus_status status = PICUS_OK;
  for (int before = 0; !status && before != s->path.count;) {
    before = s->path.count;
    status = iterate(s);
    if (!status) status = picus_flow_admit(&s->f, &s->found, &s->path, s->orbit->x, &s->margins);
  }
  return status;
}

/* --- results
 * --------------------------------------------------------------------------------------------------------------- */

static picus_status find_multipliers(shooting *s) {
  picus_orbit *o = s->orbit;
  const double *size = s->found.size;
  int m = 0, kept = 0;
  for (int i = 0; i < o->n; i++) kept += !o->grows[i];
  for (int i = 0; i < o->n; i++) {
    for (int c = 0; c < o->n; c++) o->monodromy[i * o->n + c] = s->y[(c + 1) * o->n + i];
    o->shift[i] = o->grows[i] ? s->y[i] - o->x[i] : 0;
    int k = 0;
    for (int c = 0; !o->grows[i] && c < o->n; c++)
      if (!o->grows[c]) s->scaled[m * kept + k++] = s->y[(c + 1) * o->n + i] * size[c] / size[i];
    m += !o->grows[i];
  }
  o->multiplier_count = m;
  if (!picus_eigenvalues(m, s->scaled, o->multipliers, s->work))
    return picus_fail(o->context, PICUS_NO_SOLUTION, "the multipliers of the orbit cannot be computed");
  o->data.is_stable = m == 0 || picus_hypot(o->multipliers[0].re, o->multipliers[0].im) < 1;
  return PICUS_OK;
}

static picus_status keep_results(shooting *s) {
  picus_orbit *o = s->orbit;
  const flow_margins *m = &s->margins;
  o->data.t = s->path.t;
  o->data.period = s->f.t - s->path.t;
  o->data.velocity = m->velocity;
  o->data.velocity_law = m->velocity_law;
  o->data.reserve = m->reserve;
  o->data.reserve_law = m->reserve_law;
  o->data.gap = m->gap;
  o->data.gap_law = m->gap_law;
  o->points = s->f.points;
  o->point_count = (int)s->f.point_count;
  s->f.points = NULL;
  s->f.point_count = s->f.point_capacity = 0;
  return find_multipliers(s);
}

/* --- an independent check -------------------------------------------------------------------------------------------
 */

/* A state of the orbit inside its longest phase, and its time. */
static picus_status find_middle(shooting *s, double *t, double *x) {
  const picus_orbit *o = s->orbit;
  double from = o->data.t, longest = 0;
  int phases = 0;
  for (int k = 0; k <= o->point_count; k++) {
    const double to = k < o->point_count ? o->points[k].t : o->data.t + o->data.period;
    if (to - from > longest) {
      longest = to - from;
      *t = 0.5 * (from + to);
      phases = k;
    }
    from = to;
  }
  const flow_path path = {
      .sequence = &s->found, .first = s->path.first, .count = phases + 1, .t = o->data.t, .t_end = *t};
  memcpy(x, o->x, (size_t)o->n * sizeof *x);
  return picus_flow_follow_state(&s->f, &path, x);
}

/* Whether a run from the time t passes the switching points of the orbit. */
static bool has_same_points(const picus_orbit *o, const sequence *run, double t) {
  if (run->count - 1 != o->point_count) return false;
  int first = 0;
  while (first < o->point_count && o->points[first].t < t) first++;
  for (int k = 0; k < o->point_count; k++) {
    const picus_orbit_point *p = &o->points[(first + k) % o->point_count];
    const phase_end *e = &run->phases[k].end;
    const bool reverses = p->change == PICUS_CHANGE_REVERSES;
    bool is_found = false;
    for (int i = 0; i < e->trigger_count; i++)
      is_found =
          is_found || (picus_flow_change_of(e, &e->triggers[i]) == (reverses ? PICUS_CHANGE_STICKS : p->change) &&
                       (p->law < 0 || e->triggers[i].index == p->law));
    if (!is_found) return false;
  }
  return true;
}

/* A period by an adaptive run. Its own failures say something about the run, not about the orbit. */
static picus_status recheck(shooting *s) {
  picus_orbit *o = s->orbit;
  picus_sim_options options = *s->def->options;
  sequence run = {0};
  double t = o->data.t, *before = s->work, largest = 0;
  picus_status status = find_middle(s, &t, before);
  options.t_start = t;
  options.t_end = t + o->data.period;
  if (!status)
    status = picus_sequence_record(o->context, o->system, &options, &(flow_start){t, before}, s->f.interrupt, &run);
  for (int i = 0; !status && i < o->n; i++)
    largest = picus_larger(largest, fabs(run.x_end[i] - before[i] - o->shift[i]) / s->found.size[i]);
  o->data.recheck = status ? NAN : largest;
  o->data.recheck_agrees = !status && has_same_points(o, &run, t);
  if (run.context) picus_sequence_release(&run);
  return status == PICUS_ERROR_MEMORY || status == PICUS_INTERRUPTED ? status : PICUS_OK;
}

/* --- creation
 * ---------------------------------------------------------------------------------------------------------------- */

static picus_status allocate(shooting *s) {
  picus_orbit *o = s->orbit;
  const size_t n = (size_t)o->n;
  o->x = picus_allocate(o->context, n, sizeof *o->x);
  o->shift = picus_allocate(o->context, n, sizeof *o->shift);
  o->monodromy = picus_allocate(o->context, n * n, sizeof *o->monodromy);
  o->grows = picus_allocate(o->context, n, sizeof *o->grows);
  o->multipliers = picus_allocate(o->context, n, sizeof *o->multipliers);
  s->y = picus_allocate(o->context, n * (1 + n), sizeof *s->y);
  s->step = picus_allocate(o->context, n, sizeof *s->step);
  s->gaps = picus_allocate(o->context, (size_t)o->system->fixed.law_count, sizeof *s->gaps);
  s->scaled = picus_allocate(o->context, n * n, sizeof *s->scaled);
  s->work = picus_allocate(o->context, PICUS_EIGEN_WORK * n * n + 2 * n, sizeof *s->work);
  s->newton.A = picus_allocate(o->context, n * n, sizeof *s->newton.A);
  s->newton.row = picus_allocate(o->context, n, sizeof *s->newton.row);
  s->newton.column = picus_allocate(o->context, n, sizeof *s->newton.column);
  const bool fine = o->x && o->shift && o->monodromy && o->grows && o->multipliers && s->y && s->step && s->scaled &&
                    s->gaps && s->work && s->newton.A && s->newton.row && s->newton.column;
  return fine ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static void release(shooting *s) {
  picus_context *context = s->orbit->context;
  if (s->f.context) picus_flow_release(&s->f);
  if (s->found.context) picus_sequence_release(&s->found);
  void *const blocks[] = {s->y, s->gaps, s->step, s->scaled, s->work, s->newton.A, s->newton.row, s->newton.column};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) picus_release(context, blocks[k]);
}

void picus_orbit_source_release(picus_context *context, orbit_source *s) {
  if (s->found.context) picus_sequence_release(&s->found);
  picus_release(context, s->grows);
  *s = (orbit_source){0};
}

/* The sequence that was found leaves with the source, if this is wanted. */
static picus_status keep_source(shooting *s, orbit_source *source) {
  const picus_orbit *o = s->orbit;
  if (!source) return PICUS_OK;
  source->grows = picus_allocate(o->context, (size_t)o->n, sizeof *source->grows);
  if (!source->grows) return PICUS_ERROR_MEMORY;
  memcpy(source->grows, o->grows, (size_t)o->n * sizeof *o->grows);
  source->found = s->found;
  source->path = s->path;
  s->found = (sequence){0};
  return PICUS_OK;
}

picus_status picus_orbit_period(picus_context *context, picus_model *model, const picus_orbit_def *def, double *out) {
  *out = def->period;
  if (!def->period_text) return PICUS_OK;
  const picus_expr e = picus_expr_parse(model, def->period_text);
  if (picus_expr_is_number(picus_model_pool(model), e, out) && *out > 0 && isfinite(*out)) return PICUS_OK;
  return picus_fail(context, PICUS_ERROR_ARGUMENT,
                    "the period '%.100s' must be a time above 0, of numbers and parameters of the model",
                    def->period_text);
}

picus_status picus_orbit_find(picus_context *context, const picus_orbit_def *def, const flow_start *start,
                              picus_orbit **out, orbit_source *source) {
  *out = NULL;
  if (!def->model || !def->system || !def->options)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "an orbit needs a model, its system and options");
  const bool has_period = def->period > 0 || def->period_text;
  if (def->skip < 0 || def->turns < 0 || !(def->period >= 0) || (has_period && def->section))
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "an orbit has a section or a period above 0, and numbers of passages that are not negative");
  picus_orbit *o = picus_allocate(context, 1, sizeof *o);
  if (!o) return PICUS_ERROR_MEMORY;
  *o = (picus_orbit){.context = context, .system = def->system, .n = def->system->nq + def->system->nu};
  shooting s = {.orbit = o, .def = def, .start = start};
  const flow_def of = {.model = def->model, .system = def->system, .columns = o->n};
  picus_status status = picus_orbit_period(context, def->model, def, &s.period);
  if (!status) status = allocate(&s);
  if (!status) status = picus_flow_create(context, &of, &s.f);
  s.f.interrupt = (flow_interrupt){def->interrupt, def->user};
  if (!status) status = find_guess(&s);
  if (!status) status = find_orbit(&s);
  if (!status) status = keep_results(&s);
  if (!status && !source) status = recheck(&s);
  if (!status) status = keep_source(&s, source);
  release(&s);
  status = picus_flow_explain(context, status);
  if (status)
    picus_orbit_destroy(o);
  else
    *out = o;
  return status;
}

picus_status picus_orbit_create(picus_context *context, const picus_orbit_def *def, picus_orbit **out) {
  return picus_orbit_find(context, def, &(flow_start){0}, out, NULL);
}

void picus_orbit_destroy(picus_orbit *o) {
  if (!o) return;
  void *const blocks[] = {o->x, o->shift, o->monodromy, o->grows, o->multipliers, o->points};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) picus_release(o->context, blocks[k]);
  picus_release(o->context, o);
}

picus_orbit_data picus_orbit_data_of(const picus_orbit *o) { return o->data; }
const char *picus_orbit_section(const picus_orbit *o) { return o->section; }
int picus_orbit_state_count(const picus_orbit *o) { return o->n; }
const double *picus_orbit_state(const picus_orbit *o) { return o->x; }
const double *picus_orbit_shift(const picus_orbit *o) { return o->shift; }
const double *picus_orbit_monodromy(const picus_orbit *o) { return o->monodromy; }
int picus_orbit_multiplier_count(const picus_orbit *o) { return o->multiplier_count; }
picus_multiplier picus_orbit_multiplier(const picus_orbit *o, int index) {
  return index >= 0 && index < o->multiplier_count ? o->multipliers[index] : (picus_multiplier){NAN, NAN};
}
int picus_orbit_point_count(const picus_orbit *o) { return o->point_count; }
picus_orbit_point picus_orbit_point_at(const picus_orbit *o, int index) {
  return index >= 0 && index < o->point_count ? o->points[index] : picus_no_point;
}
