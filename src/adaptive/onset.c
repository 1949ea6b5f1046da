/* When a sticking contact starts to slip, or a closed one opens.
 *
 * Nothing jumps there: the force grows through its bound, and in a short step the percussion exceeds it by less than
 * its round-off, so that steps detect it late, the later the shorter they are. But the force of the state that ends is
 * smooth beyond its end, and long steps give it accurately: the sum C(t) of the percussions of earlier steps, a
 * polynomial through it, and the force lambda = C'(t). The time is where |lambda_F| reaches mu lambda_N, or the force
 * of a friction element, or where lambda_N comes to 0.
 *
 * The shorter the intervals, the larger the part of round-off in C'; the longer, the larger that of the polynomial. So
 * several lists of points are tried, and the one is used for which one point more or less matters least. */
#include "adaptive/internal.h"

#include "base/internal.h"

#include <math.h>
#include <string.h>

/* Rows: of a contact and its rolling law, or of the friction of a guide and the constraints that load it. */
enum { POINTS_LEAST = 4, POINTS_MOST = 8, NEWTON_MOST = 30, ROWS_MOST = 3 + PICUS_LAW_LOADS };
#define GROWTH 1.6 /* of the intervals from point to point */

static void forget_times(onset_watch *w) {
  for (int i = 0; i < w->stepper->set->law_count; i++) w->times[i] = NAN;
}

picus_status picus_onset_create(stepper *s, onset_watch *out) {
  *out = (onset_watch){.stepper = s};
  const law_array arrays[] = {picus_carried_by_row(&out->sums, ONSET_STEPS),
                              picus_carried_by_law(&out->times, sizeof(double), NAN)};
  picus_status status = picus_law_arrays_add(&s->arrays, sizeof arrays / sizeof arrays[0], arrays);
  const law_array radii = {
      .place = &out->radii, .unit = sizeof(double), .law_blocks = ONSET_STEPS, .extent = NULL, .missing = NAN};
  if (!status && s->system->varies) status = picus_law_arrays_add_one(&s->arrays, radii);
  if (!status) forget_times(out);
  return status;
}

/* Radii at the points, of laws that vary; NULL: none does. */
static double *radii_at(const onset_watch *w, int k) {
  return w->radii ? w->radii + (size_t)k * (size_t)w->stepper->set->law_count : NULL;
}

static double *sums_at(const onset_watch *w, int k) { return w->sums + (size_t)k * (size_t)w->stepper->set->row_count; }

/* At the state of point k. Without slip: they are asked for while a law sticks. */
static void note_radii(const onset_watch *w, const stepper_snapshot *at, int k) {
  const stepper *s = w->stepper;
  double *radii = radii_at(w, k);
  if (!radii) return;
  const bool known = !picus_varying_evaluate_still(&s->contacts, s->evaluation, at->t, at->q, at->u);
  for (int i = 0; i < s->set->law_count; i++) radii[i] = known ? s->contacts.coefficients[i].radius : NAN;
}

void picus_onset_begin(onset_watch *w, const stepper_snapshot *at) {
  w->count = 1;
  w->t[0] = at->t;
  memset(w->sums, 0, (size_t)w->stepper->set->row_count * sizeof *w->sums);
  note_radii(w, at, 0);
}

/* Makes space for one more: removes the entry that matters least for points at growing distances. Many short steps in a
 * row must not displace the long ones. */
static void thin_out(onset_watch *w) {
  int least = 1;
  double smallest = INFINITY;
  const double t = w->t[w->count - 1];
  for (int k = 1; k < w->count - 1; k++) {
    double ratio = (w->t[k + 1] - w->t[k - 1]) / (t - w->t[k - 1]);
    if (ratio >= smallest) continue;
    smallest = ratio;
    least = k;
  }
  const size_t behind = (size_t)(w->count - 1 - least);
  memmove(&w->t[least], &w->t[least + 1], behind * sizeof *w->t);
  memmove(sums_at(w, least), sums_at(w, least + 1), behind * (size_t)w->stepper->set->row_count * sizeof *w->sums);
  if (w->radii)
    memmove(radii_at(w, least), radii_at(w, least + 1), behind * (size_t)w->stepper->set->law_count * sizeof *w->radii);
  w->count--;
}

static void add_step(onset_watch *w, const stepper_snapshot *end) {
  const int rows = w->stepper->set->row_count;
  if (w->count == ONSET_STEPS) thin_out(w);
  const double *from = sums_at(w, w->count - 1);
  double *to = sums_at(w, w->count);
  w->t[w->count++] = end->t;
  for (int i = 0; i < rows; i++) to[i] = from[i] + end->P[i];
  note_radii(w, end, w->count - 1);
}

/* Points for a polynomial through the sums of a law: the last one, and points at growing distances of at least
 * `first`. */
typedef struct onset_points {
  int count, rows;
  int row[ROWS_MOST];                          /* of the set: those that the radius needs, then the slips */
  double t[POINTS_MOST];                       /* relative to the last one */
  double coefficients[POINTS_MOST][ROWS_MOST]; /* divided differences (Newton) */
  double radius[POINTS_MOST];                  /* the same of the radius of the law */
} onset_points;

/* The radius of law `law` at the points, or its constant one. */
static void choose_radii(const onset_watch *w, int law, const int *from, onset_points *p) {
  const double constant = picus_law_constants(&w->stepper->set->laws[law].data).radius;
  for (int k = 0; k < p->count; k++) p->radius[k] = w->radii ? radii_at(w, from[k])[law] : k == 0 ? constant : 0;
  if (!w->radii) return;
  for (int order = 1; order < p->count; order++)
    for (int k = p->count - 1; k >= order; k--)
      p->radius[k] = (p->radius[k] - p->radius[k - 1]) / (p->t[k] - p->t[k - order]);
}

/* The rows of a law: of a rolling law those of its contact come first, of a guide those of its constraints. */
static void choose_rows(const law_set *set, int index, onset_points *p) {
  const system_law *law = &set->laws[index];
  const int before = law->data.kind == PICUS_ROLLING ? set->laws[index - 1].data.dim : 0;
  p->rows = 0;
  for (int j = 0; j < law->load_count; j++) p->row[p->rows++] = set->laws[law->load[j]].data.first_row;
  for (int r = -before; r < law->data.dim; r++) p->row[p->rows++] = law->data.first_row + r;
}

static void choose_points(const onset_watch *w, int law, double first, onset_points *p) {
  int from[POINTS_MOST] = {w->count - 1};
  double next = first;
  const double *last = sums_at(w, w->count - 1), t_last = w->t[w->count - 1];
  *p = (onset_points){.count = 1};
  choose_rows(w->stepper->set, law, p);
  for (int k = w->count - 2; k >= 0 && p->count < POINTS_MOST; k--) {
    double distance = t_last - w->t[k];
    if (distance < next) continue;
    p->t[p->count] = -distance;
    from[p->count] = k;
    for (int r = 0; r < p->rows; r++) p->coefficients[p->count][r] = sums_at(w, k)[p->row[r]] - last[p->row[r]];
    p->count++;
    next = GROWTH * distance;
  }
  for (int order = 1; order < p->count; order++)
    for (int k = p->count - 1; k >= order; k--)
      for (int r = 0; r < p->rows; r++)
        p->coefficients[k][r] = (p->coefficients[k][r] - p->coefficients[k - 1][r]) / (p->t[k] - p->t[k - order]);
  choose_radii(w, law, from, p);
}

/* The derivative of the polynomial through the first `count` points. */
static void force_at(const onset_points *p, int count, double t, double *lambda) {
  for (int r = 0; r < p->rows; r++) {
    double value = 0, slope = 0;
    for (int k = count - 1; k >= 0; k--) {
      slope = slope * (t - p->t[k]) + value;
      value = value * (t - p->t[k]) + p->coefficients[k][r];
    }
    lambda[r] = slope;
  }
}

/* The distance to the end of the state. */
static double margin(const onset_points *p, int count, const system_law *law, bool opens, double t) {
  double lambda[ROWS_MOST] = {0};
  force_at(p, count, t, lambda);
  if (opens) return lambda[0];
  double radius = 0, square = 0;
  for (int k = count - 1; k >= 0; k--) radius = radius * (t - p->t[k]) + p->radius[k];
  if (law->data.loaded)
    radius *= picus_law_load(law, lambda);
  else if (law->data.kind != PICUS_RESERVOIR)
    radius *= lambda[0]; /* of a rolling law: the rows of its contact come first */
  for (int r = p->rows - law->data.slips; r < p->rows; r++) square += lambda[r] * lambda[r];
  return radius - sqrt(square);
}

/* The zero of the margin near the last point, from there by secants. NAN: none within the points. */
static double zero_of(const onset_points *p, int count, const system_law *law, bool opens) {
  const double span = -p->t[count - 1];
  double a = -1e-3 * span, b = 0, at_a = margin(p, count, law, opens, a), at_b = margin(p, count, law, opens, b);
  for (int k = 0; k < NEWTON_MOST && at_b != at_a; k++) {
    double next = b - at_b * (b - a) / (at_b - at_a);
    if (!(fabs(next) <= span)) return NAN;
    a = b;
    at_a = at_b;
    b = next;
    at_b = margin(p, count, law, opens, b);
    if (fabs(b - a) <= 1e-12 * span) return b;
  }
  return NAN;
}

/* The time, relative to the last point, and its error bound. */
static double locate(const onset_watch *w, int index, bool opens, double *error) {
  const system_law *law = &w->stepper->set->laws[index];
  double best = NAN;
  *error = INFINITY;
  for (int k = w->count - 2; k >= 0; k--) {
    onset_points p;
    choose_points(w, index, w->t[w->count - 1] - w->t[k], &p);
    if (p.count < POINTS_LEAST) continue;
    double zero = zero_of(&p, p.count, law, opens), other = zero_of(&p, p.count - 1, law, opens);
    if (!(fabs(zero - other) < *error)) continue;
    *error = fabs(zero - other);
    best = zero;
  }
  return best;
}

static void find_times(onset_watch *w, const stepper_snapshot *before, const stepper_snapshot *end) {
  const law_set *set = w->stepper->set;
  for (int i = 0; i < set->law_count; i++) {
    const picus_system_law *law = &set->laws[i].data;
    const picus_mode from = before->modes[i], to = end->modes[i];
    bool opens = (picus_law_can_open(law) || picus_law_is_clutch(law)) && from != PICUS_OPEN && to == PICUS_OPEN;
    bool slips = from == PICUS_STICK && to == PICUS_SLIP;
    if (!opens && !slips) continue;
    double error, t = w->t[w->count - 1] + locate(w, i, opens, &error);
    if (error < 0.1 * fabs(end->t - t) && t <= end->t) w->times[i] = t;
  }
}

void picus_onset_note(onset_watch *w, const stepper_snapshot *before, const stepper_snapshot *end, step_outcome outcome,
                      bool at_stop) {
  forget_times(w);
  if (outcome == STEP_RESOLVED) find_times(w, before, end);
  if (outcome == STEP_RESOLVED || at_stop)
    picus_onset_begin(w, end);
  else
    add_step(w, end);
}
