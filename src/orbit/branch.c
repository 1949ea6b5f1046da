/* Branches of periodic orbits over a parameter, by continuation along their length (Keller 1977). Each step predicts
 * along the tangent and corrects by Newton's method perpendicular to it. Where a condition of the sequence of switching
 * points no longer holds, the place is found, and the branch continues with the neighbouring sequence. */
#include "orbit/branch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEP 0.02       /* the longest, of the range of the parameter */
#define STEP_LEAST 1e-8 /* the shortest */
#define STRAIGHT 0.9    /* least cosine of the angle between tangents of neighbours */
#define ACROSS                                                                                                         \
  0.5               /* least cosine of the angle between a motion without switching points and the normal of its plane \
                     */
#define SHRUNK 1e-2 /* of its size: the way of an orbit that is about to become an equilibrium */
#define SAME_PLACE 1e-9 /* of the range: a fold at a change of the sequence is not another special orbit */
enum { ORBITS_MOST = 1000 };

/* --- points ------------------------------------------------------------------------------------------------------- */

picus_status picus_branch_point_create(branch_walk *w, const cycle *c, branch_point *out) {
  *out = (branch_point){0};
  picus_status status = picus_cycle_copy(c, &out->c);
  out->tangent = picus_allocate(w->b.context, (size_t)c->size, sizeof *out->tangent);
  out->multipliers = picus_allocate(w->b.context, (size_t)c->n, sizeof *out->multipliers);
  return status ? status : out->tangent && out->multipliers ? PICUS_OK : PICUS_ERROR_MEMORY;
}

void picus_branch_point_release(branch_walk *w, branch_point *p) {
  if (p->c.context) picus_cycle_release(&p->c);
  picus_release(w->b.context, p->tangent);
  picus_release(w->b.context, p->multipliers);
  *p = (branch_point){0};
}

picus_status picus_branch_complete(branch_walk *w, branch_point *p, const double *along) {
  picus_cycle_tangent(&w->b, &p->c, along, NULL, p->tangent);
  p->multiplier_count = picus_cycle_multipliers(&w->b, &p->c, p->multipliers);
  if (p->multiplier_count >= 0) return PICUS_OK;
  p->multiplier_count = 0; /* at a switching point that is reached with the velocity 0 */
  return PICUS_OK;
}

picus_status picus_branch_solve(branch_walk *w, const branch_point *from, double s, const double *guess,
                                branch_point *out, int *iterations) {
  const size_t size = (size_t)from->c.size;
  picus_status status = picus_cycle_reserve(&w->b, from->c.count);
  double *at = status ? NULL : picus_allocate(w->b.context, size, sizeof *at);
  if (!at) return PICUS_ERROR_MEMORY;
  picus_cycle_move(&w->b, &out->c, from->c.z, s, from->tangent);
  memcpy(at, out->c.z, size * sizeof *at);
  if (guess) memcpy(out->c.z, guess, size * sizeof *guess);
  status = picus_cycle_correct(&w->b, &out->c, (cycle_plane){from->tangent, at}, iterations);
  picus_release(w->b.context, at);
  return status ? status : picus_branch_complete(w, out, from->tangent);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static double parameter_of(const branch_point *p) { return *picus_cycle_parameter(&p->c); }

picus_status picus_branch_add_checked(branch_walk *w, const branch_point *p, picus_orbit_kind kind, int law,
                                      const char *note) {
  const picus_status status = picus_cycle_check(&w->b, &p->c, w->margins);
  return status ? status : picus_branch_add_row(w, p, kind, law, note);
}

picus_status picus_branch_end(branch_walk *w, const branch_point *p, const char *note) {
  return picus_branch_add_checked(w, p, PICUS_ORBIT_END, -1, note);
}

/* --- special orbits without a change of the sequence ----------------------------------------------------------------
 */

static const struct {
  picus_orbit_kind kind;
  const char *note;
} special[BRANCH_TESTS] = {{PICUS_ORBIT_FOLD, "the branch turns back: a stable and an unstable orbit meet"},
                           {PICUS_ORBIT_FLIP, "a multiplier is -1: orbits of twice the period begin"},
                           {PICUS_ORBIT_NEIMARK, "two complex multipliers have the modulus 1"},
                           {PICUS_ORBIT_CROSSING, "a multiplier is 1: another branch crosses"}};

typedef struct found_orbit {
  double s;
  branch_test test;
} found_orbit;

static bool changes_sign(const branch_point *a, const branch_point *b, branch_test test) {
  const double from = picus_branch_test(a, test), to = picus_branch_test(b, test);
  return isfinite(from) && isfinite(to) && (from > 0) != (to > 0);
}

/* Special orbits between two points in their order. *branches: the flip at which the branch of doubled orbits is
 * followed is in `flip`. */
static picus_status find_special(branch_walk *w, const branch_point *to, double s_to, bool is_change,
                                 branch_point *flip, bool *branches) {
  found_orbit found[BRANCH_TESTS];
  branch_point at[BRANCH_TESTS];
  int count = 0;
  const bool has_fold = changes_sign(&w->here, to, TEST_FOLD);
  picus_status status = PICUS_OK;
  *branches = false;
  memset(at, 0, sizeof at);
  for (int t = 0; !status && t < BRANCH_TESTS; t++) {
    double s = s_to;
    if (!changes_sign(&w->here, to, (branch_test)t) || (t == TEST_CROSSING && has_fold)) continue;
    status = picus_branch_point_create(w, &to->c, &at[t]);
    if (!status) status = picus_branch_locate(w, &w->here, to, (branch_goal){(branch_test)t, NULL}, &at[t], &s);
    const double place = status ? NAN : fabs(parameter_of(&at[t]) - parameter_of(to));
    if (is_change && t == TEST_FOLD && place < SAME_PLACE * w->b.range) continue;
    if (!status && picus_branch_is_special(&at[t], (branch_test)t)) {
      int k = count++;
      for (; k > 0 && found[k - 1].s > s; k--) found[k] = found[k - 1];
      found[k] = (found_orbit){s, (branch_test)t};
    }
  }
  for (int k = 0; !status && k < count && !*branches; k++) {
    const branch_test t = found[k].test;
    status = picus_branch_add_checked(w, &at[t], special[t].kind, -1, special[t].note);
    if (status || t != TEST_FLIP || w->doublings == 0) continue;
    *flip = at[t];
    at[t] = (branch_point){0};
    *branches = true;
  }
  for (int t = 0; t < BRANCH_TESTS; t++) picus_branch_point_release(w, &at[t]);
  return status;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static bool is_outside(const branch_walk *w, double p) {
  const double low = fmin(w->def->from, w->def->to), high = fmax(w->def->from, w->def->to);
  return p < low || p > high;
}

/* The bound of the range that is passed on the way to a point outside. */
static double find_bound(const branch_walk *w, const branch_point *outside) {
  const bool is_forwards = (parameter_of(outside) > parameter_of(&w->here)) == (w->def->to > w->def->from);
  return is_forwards ? w->def->to : w->def->from;
}

/* The orbit at the end of the range, between here and a point outside; *s: its distance along the tangent. */
static picus_status find_last(branch_walk *w, const branch_point *outside, branch_point *last, double *s) {
  const double from = parameter_of(&w->here), to = parameter_of(outside), bound = find_bound(w, outside);
  const double share = (bound - from) / (to - from);
  picus_status status = picus_branch_point_create(w, &outside->c, last);
  if (status) return status;
  for (int i = 0; i < last->c.size; i++) last->c.z[i] = w->here.c.z[i] + share * (outside->c.z[i] - w->here.c.z[i]);
  *picus_cycle_parameter(&last->c) = bound;
  status = picus_cycle_correct(&w->b, &last->c, (cycle_plane){0}, NULL);
  if (!status) status = picus_branch_complete(w, last, w->here.tangent);
  picus_cycle_scale(&w->b, &last->c);
  *s = 0;
  for (int i = 0; i < last->c.size; i++) *s += w->here.tangent[i] * (last->c.z[i] - w->here.c.z[i]) / w->b.scale[i];
  return status;
}

static double cosine(const branch_point *a, const branch_point *b) {
  double sum = 0;
  for (int i = 0; i < a->c.size; i++) sum += a->tangent[i] * b->tangent[i];
  return sum;
}

/* The next point, by a step that is halved until it succeeds; *s: its length. */
static picus_status advance(branch_walk *w, branch_point *next, double *s) {
  const double least = w->def->step_least > 0 ? w->def->step_least : STEP_LEAST;
  const double most = w->def->step > 0 ? w->def->step : STEP;
  picus_status status = PICUS_OK;
  for (;; w->step *= 0.5) {
    int iterations = 0;
    *s = w->step = fmin(w->step, most);
    status = picus_branch_solve(w, &w->here, *s, NULL, next, &iterations);
    const bool is_across = status || picus_cycle_across(&w->b) > ACROSS;
    if (!status && is_across && (cosine(&w->here, next) > STRAIGHT || *s < 1e3 * least)) {
      if (iterations <= 4) w->step *= 1.5;
      return status;
    }
    if (!picus_branch_is_answer(status) || 0.5 * w->step < least) return status ? status : PICUS_OK;
  }
}

static picus_status follow_doubled(branch_walk *w, branch_point *flip) {
  branch_point twice = {0};
  picus_status status = picus_branch_double(w, flip, &twice);
  if (!status) {
    w->doublings--;
    w->doubled++;
    branch_point old = w->here;
    w->here = twice;
    twice = old;
    twice.multiplier_count = 0;
    picus_cycle_keep(&w->b, &w->here.c);
    w->step = 0.1 * (w->def->step > 0 ? w->def->step : STEP);
    w->here.multiplier_count = picus_cycle_multipliers(&w->b, &w->here.c, w->here.multipliers);
  }
  picus_branch_point_release(w, &twice);
  return status;
}

static picus_status give_up(branch_walk *w, bool *ends) {
  char note[BRANCH_NOTE];
  bool is_lost = false;
  snprintf(note, sizeof note, "the branch cannot be followed further: %.200s", picus_last_error(w->b.context)->message);
  int shortest = 0;
  for (int k = 1; k < w->here.c.count; k++)
    if (*picus_cycle_duration(&w->here.c, k) < *picus_cycle_duration(&w->here.c, shortest)) shortest = k;
  picus_status status = w->here.c.count > 1 ? picus_branch_lose_phase(w, shortest, &is_lost) : PICUS_OK;
  if (status || is_lost) return status;
  *ends = true;
  return picus_branch_end(w, &w->here, note);
}

/* The next point or, if conditions fail there, the place where the first of them is zero. */
typedef struct branch_step {
  branch_point next, at;
  double s;
  bool is_violated, is_lost; /* a phase was lost: the walk is behind it */
  condition which;
} branch_step;

static int find_negative(const cycle *c) {
  for (int k = 0; k < c->count; k++)
    if (*picus_cycle_duration(c, k) < 0) return k;
  return -1;
}

static picus_status find_step(branch_walk *w, branch_step *t) {
  picus_status status = picus_branch_point_create(w, &w->here.c, &t->next);
  if (!status) status = advance(w, &t->next, &t->s);
  if (!status) status = picus_cycle_check(&w->b, &t->next.c, w->margins);
  t->is_violated = !status && picus_conditions_violated(w->margins) != NULL;
  if (t->is_violated) status = picus_branch_point_create(w, &t->next.c, &t->at);
  if (status || !t->is_violated) return status;
  status = picus_branch_find_change(w, &t->next, t->s, &t->at, &t->s, &t->which);
  const int negative = find_negative(&t->next.c);
  if (status && picus_branch_is_answer(status) && negative >= 0 && picus_branch_lose_phase(w, negative, &t->is_lost))
    t->is_lost = false;
  return t->is_lost ? PICUS_OK : status;
}

static void release_step(branch_walk *w, branch_step *t) {
  picus_branch_point_release(w, &t->next);
  picus_branch_point_release(w, &t->at);
}

/* The next orbit, which is in w->here. An orbit that shrinks to an equilibrium has an amplitude whose square is
 * proportional to the distance of the parameter. */
static picus_status accept(branch_walk *w, branch_point *before, bool *ends) {
  const double p = parameter_of(&w->here);
  char note[BRANCH_NOTE];
  picus_cycle_keep(&w->b, &w->here.c);
  const bool is_smooth = isfinite(picus_cycle_amplitude(&w->b, &w->here.c));
  picus_status status = is_smooth ? picus_cycle_assemble(&w->b, &w->here.c) : PICUS_OK; /* with the new plane */
  if (!status && is_smooth) {
    memcpy(before->tangent, w->here.tangent, (size_t)w->here.c.size * sizeof(double));
    picus_cycle_tangent(&w->b, &w->here.c, before->tangent, NULL, w->here.tangent);
  }
  const double amplitude = picus_cycle_amplitude(&w->b, &w->here.c), last = w->amplitude;
  w->amplitude = amplitude;
  *ends = !status && amplitude < SHRUNK && last < INFINITY && amplitude < last;
  if (!*ends) return status ? status : picus_branch_add_checked(w, &w->here, PICUS_ORBIT_REGULAR, -1, NULL);
  const double square = amplitude * amplitude / (last * last);
  snprintf(note, sizeof note, "the orbit shrinks to an equilibrium (Hopf), at %s = %.12g", w->b.parameter,
           p + (p - parameter_of(before)) * square / (1 - square));
  status = picus_branch_add_checked(w, &w->here, PICUS_ORBIT_HOPF, -1, note);
  return status ? status : picus_branch_end(w, &w->here, "the orbit is an equilibrium");
}

/* What a step came to. */
static picus_status use_step(branch_walk *w, branch_step *t, bool *ends) {
  branch_point flip = {0}, last = {0};
  bool branches = false;
  const branch_point *to = t->is_violated ? &t->at : &t->next;
  const bool is_last = is_outside(w, parameter_of(to));
  const double bound = is_last ? find_bound(w, to) : 0;
  picus_status status = is_last ? find_last(w, to, &last, &t->s) : PICUS_OK;
  if (!status) status = find_special(w, is_last ? &last : to, t->s, t->is_violated && !is_last, &flip, &branches);
  if (!status && branches) {
    status = follow_doubled(w, &flip);
  } else if (!status && is_last) {
    *ends = true;
    status = picus_branch_end(
        w, &last, bound == w->def->to ? "the end of the range" : "the branch returns to the start of the range");
  } else if (!status && t->is_violated) {
    status = picus_branch_change_sequence(w, &t->at, &t->next, &t->which, ends);
  } else if (!status) {
    branch_point old = w->here;
    w->here = t->next;
    t->next = old;
    w->multiplied = 0;
    status = accept(w, &t->next, ends);
  }
  picus_branch_point_release(w, &flip);
  picus_branch_point_release(w, &last);
  return status;
}

/* One step, with the special orbits that it passes; a shorter one if it fails. */
static picus_status take_step(branch_walk *w, bool *ends) {
  const double least = w->def->step_least > 0 ? w->def->step_least : STEP_LEAST;
  branch_step t = {0};
  const size_t rows = w->out->count;
  picus_status status = find_step(w, &t);
  if (!status && !t.is_lost) status = use_step(w, &t, ends);
  release_step(w, &t);
  if (!status || !picus_branch_is_answer(status)) return status;
  w->step *= 0.25;
  picus_cycle_keep(&w->b, &w->here.c);
  return w->step < least || w->out->count > rows ? give_up(w, ends) : PICUS_OK;
}

/* --- the start ---------------------------------------------------------------------------------------------------- */

/* The orbit at which the branch begins, as a cycle, with the sizes and periods of its coordinates. */
static picus_status find_first(branch_walk *w, picus_model *model, const picus_system *system) {
  picus_orbit_def def = w->def->orbit;
  picus_orbit *orbit = NULL;
  orbit_source source = {0};
  cycle c = {0};
  const size_t n = (size_t)w->b.n;
  double period = 0;
  def.model = model;
  def.system = system;
  picus_status status = picus_orbit_find(w->b.context, &def, &(flow_start){0}, &orbit, &source);
  if (!status) status = picus_orbit_period(w->b.context, model, &def, &period);
  if (!status) {
    memcpy(w->b.size, source.found.size, n * sizeof *w->b.size);
    memcpy(w->b.grows, source.grows, n * sizeof *w->b.grows);
    w->b.is_timed = period > 0;
    status = picus_cycle_load(&w->b, w->def->from);
  }
  if (!status) status = picus_cycle_from_orbit(&w->b, orbit, &source, &c);
  if (!status) {
    picus_cycle_keep(&w->b, &c);
    status = picus_cycle_correct(&w->b, &c, (cycle_plane){0}, NULL);
  }
  if (!status) status = picus_branch_point_create(w, &c, &w->here);
  if (!status) status = picus_branch_complete(w, &w->here, NULL);
  for (int i = 0; !status && i < w->here.c.size && w->def->to < w->def->from; i++)
    w->here.tangent[i] = -w->here.tangent[i];
  picus_cycle_release(&c);
  picus_orbit_destroy(orbit);
  picus_orbit_source_release(w->b.context, &source);
  return status;
}

static picus_status follow(branch_walk *w) {
  const long most = w->def->most > 0 ? w->def->most : ORBITS_MOST;
  bool ends = false;
  picus_status status = picus_cycle_check(&w->b, &w->here.c, w->margins);
  if (!status && picus_conditions_violated(w->margins))
    return picus_fail(
        w->b.context, PICUS_NO_SOLUTION,
        "the orbit at %s = %.9g is not a motion of this sequence: a contact, friction or comparison would "
        "switch in between; tighten the tolerances, or begin elsewhere",
        w->b.parameter, w->def->from);
  if (!status) status = picus_branch_add_row(w, &w->here, PICUS_ORBIT_START, -1, NULL);
  while (!status && !ends && (long)w->out->count < most) status = take_step(w, &ends);
  if (!status && !ends) status = picus_branch_end(w, &w->here, "as many orbits as were wanted");
  return status;
}

static picus_status check_def(picus_context *context, const picus_orbit_branch_def *def) {
  const picus_orbit_def *o = &def->orbit;
  if (!o->model || !o->system || !o->options || !def->parameter)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "a branch needs a model, its system, options and a parameter");
  if (!isfinite(def->from) || !isfinite(def->to) || def->from == def->to)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "a branch needs two different values of the parameter to go from one to the other");
  if (!(def->step >= 0 && def->step <= 1) || !(def->step_least >= 0 && def->step_least <= 1) || def->most < 0 ||
      def->doublings < 0)
    return picus_fail(context, PICUS_ERROR_ARGUMENT,
                      "the steps of a branch are parts of its range, from 0 to 1, and its numbers are not negative");
  for (int k = 0; k < picus_model_parameter_count(o->model); k++)
    if (strcmp(picus_model_parameter(o->model, k).name, def->parameter) == 0) {
      if (*picus_model_source(o->model)) return PICUS_OK;
      return picus_fail(context, PICUS_ERROR_UNSUPPORTED, "a branch needs a model with a source, which is read again");
    }
  return picus_fail(context, PICUS_ERROR_NAME, "the model has no parameter '%s'", def->parameter);
}

picus_status picus_orbit_branch_create(picus_context *context, const picus_orbit_branch_def *def,
                                       picus_orbit_branch **out) {
  *out = NULL;
  picus_status status = check_def(context, def);
  if (status) return status;
  picus_orbit_branch *b = picus_allocate(context, 1, sizeof *b);
  if (!b) return PICUS_ERROR_MEMORY;
  *b = (picus_orbit_branch){.context = context,
                            .system = def->orbit.system,
                            .parameter = picus_copy_text(context, def->parameter),
                            .n = def->orbit.system->nq + def->orbit.system->nu};
  branch_walk w = {.out = b, .def = def, .orbit = def->orbit, .doublings = def->doublings, .step = 0.002};
  picus_model *model = NULL;
  picus_system *system = NULL;
  w.margins = picus_allocate(context, 1, sizeof *w.margins);
  status = b->parameter && w.margins ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) status = picus_cycle_problem_create(context, &w.orbit, def->parameter, &w.b);
  w.b.range = fabs(def->to - def->from);
  if (!status)
    status = picus_flow_load(context, def->orbit.model, &(picus_override){def->parameter, def->from}, &model, &system);
  if (!status) status = find_first(&w, model, system);
  if (!status) status = follow(&w);
  picus_branch_point_release(&w, &w.here);
  picus_cycle_problem_release(&w.b);
  picus_release(context, w.margins);
  picus_system_destroy(system);
  picus_model_destroy(model);
  if (status && b->count == 0)
    picus_orbit_branch_destroy(b);
  else
    *out = b;
  return status;
}
