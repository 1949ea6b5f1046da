/* Values of the laws of a set that come and go. */
#include "system/law_rows.h"
#include "system/law_set.h"

#include "base/internal.h"
#include "base/tasks.h"
#include "contact/internal.h"
#include "linalg/internal.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* The laws of one source, and what it is called with. */
typedef struct present_source {
  const system_source *source;
  const appearing_ops *ops;
  const source_point *point;
  present_laws laws;
} present_source;

/* The next source from *k on with laws that are present; false: there is none. */
static bool next_source(const picus_evaluation *e, int *k, present_source *out) {
  const law_set *set = e->set;
  for (; *k < e->system->source_count; ++*k) {
    const law_range range = set->present[*k];
    if (range.count == 0) continue;
    *out = (present_source){.source = &e->system->sources[*k],
                            .ops = e->system->sources[*k].ops->appearing,
                            .point = &e->points[*k],
                            .laws = {range.count, set->laws + range.first}};
    ++*k;
    return true;
  }
  return false;
}

static picus_status blame(picus_evaluation *e, const system_law *law, const char *what, double value) {
  return picus_fail(e->context, PICUS_ERROR_NUMBER,
                    "%s of '%s' is not a finite number (%s) at t = %.9g; check the source that computes it", what,
                    law->data.name, isnan(value) ? "nan" : "inf", e->t);
}

/* Whether count numbers of a law are finite. */
static picus_status check(picus_evaluation *e, const system_law *law, const char *what, const double *values,
                          size_t count) {
  for (size_t k = 0; k < count; k++)
    if (!isfinite(values[k])) return blame(e, law, what, values[k]);
  return PICUS_OK;
}

picus_status picus_present_gaps(picus_evaluation *e, double *gap) {
  present_source of;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && next_source(e, &k, &of);) {
    double *own = gap + (of.laws.laws - e->set->laws);
    status = of.ops->gaps(of.source->self, e->context, of.point, &of.laws, own);
    for (int i = 0; !status && i < of.laws.count; i++) status = check(e, &of.laws.laws[i], "the gap", &own[i], 1);
  }
  return status;
}

/* Rows of W and chi, in the memory of the evaluation. */
typedef struct row_work {
  const picus_evaluation *e;
  const system_law *laws;
  atomic_bool spoilt; /* a number is not finite */
} row_work;
/* The rows of laws that follow each other are in one piece. */
static void zero_rows(void *user, int first, int end) {
  const row_work *work = user;
  const system_law *from = &work->laws[first], *last = &work->laws[end - 1];
  const size_t size = last->W0 + (size_t)last->data.dim * (size_t)last->width - from->W0;
  memset(work->e->W + from->W0, 0, size * sizeof *work->e->W);
  picus_clear(last->data.first_row + last->data.dim - from->data.first_row, work->e->chi + from->data.first_row);
}

static void look_at_rows(void *user, int first, int end) {
  row_work *work = user;
  const system_law *from = &work->laws[first], *last = &work->laws[end - 1];
  const size_t size = last->W0 + (size_t)last->data.dim * (size_t)last->width - from->W0,
               rows = (size_t)(last->data.first_row + last->data.dim - from->data.first_row);
  if (!picus_all_finite(work->e->W + from->W0, size) || !picus_all_finite(work->e->chi + from->data.first_row, rows))
    atomic_store(&work->spoilt, true);
}

/* The first law with a number that is not finite. */
static picus_status blame_row(picus_evaluation *e, const present_laws *laws) {
  picus_status status = PICUS_OK;
  for (int i = 0; !status && i < laws->count; i++) {
    const system_law *law = &laws->laws[i];
    status = check(e, law, "the relative velocity", e->W + law->W0, (size_t)law->data.dim * (size_t)law->width);
    if (!status) status = check(e, law, "the relative velocity", e->chi + law->data.first_row, (size_t)law->data.dim);
  }
  return status;
}

picus_status picus_present_directions(picus_evaluation *e) {
  present_source of;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && next_source(e, &k, &of);) {
    const system_law *first = of.laws.laws;
    row_work work = {.e = e, .laws = first};
    atomic_init(&work.spoilt, false);
    status = picus_tasks_over(e->context, of.laws.count, PICUS_TASK_OF_NUMBERS, zero_rows, &work);
    if (!status)
      status = of.ops->directions(of.source->self, e->context, of.point, &of.laws, e->W + first->W0,
                                  e->chi + first->data.first_row);
    if (!status) status = picus_tasks_over(e->context, of.laws.count, PICUS_TASK_OF_NUMBERS, look_at_rows, &work);
    if (!status && atomic_load(&work.spoilt)) status = blame_row(e, &of.laws);
  }
  return status;
}

/* chi is kept: who calls may still need that of another point. */
picus_status picus_present_velocity(picus_evaluation *e, int law, double *gamma) {
  enum { WIDEST = 12 }; /* velocities of two bodies */
  const system_law *own = &e->set->laws[law];
  const system_source *source = &e->system->sources[own->source];
  const present_laws alone = {1, own};
  const int dim = own->data.dim;
  double rows[PICUS_LAW_ROWS * WIDEST] = {0}, chi[PICUS_LAW_ROWS] = {0};
  if (e->directions_ready || own->width > WIDEST) {
    picus_status status = picus_evaluation_update_directions(e);
    for (int r = 0; !status && r < dim; r++) gamma[r] = picus_law_velocity(e, own, r, e->u);
    return status;
  }
  picus_status status =
      source->ops->appearing->directions(source->self, e->context, &e->points[own->source], &alone, rows, chi);
  if (status) return status;
  for (int r = 0; r < dim; r++)
    gamma[r] = picus_law_W_dots(e->system, own, rows + (ptrdiff_t)r * own->width, e->u, e->u).u + chi[r];
  return check(e, own, "the relative velocity", gamma, (size_t)dim);
}

picus_status picus_present_gap_slopes(picus_evaluation *e, double *dg_dq) {
  present_source of;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && next_source(e, &k, &of);) {
    const system_law *first = of.laws.laws;
    status = of.ops->gap_jacobian(of.source->self, e->context, of.point, &of.laws, dg_dq + first->gap_q0);
    for (int i = 0; !status && i < of.laws.count; i++)
      status = check(e, &first[i], "the derivative of the gap", dg_dq + first[i].gap_q0, (size_t)first[i].q_width);
  }
  return status;
}

picus_status picus_present_velocity_slopes(picus_evaluation *e, double *dgamma_dq) {
  present_source of;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && next_source(e, &k, &of);) {
    const system_law *first = of.laws.laws;
    if (!of.ops->velocity_jacobian) continue;
    status = of.ops->velocity_jacobian(of.source->self, e->context, of.point, &of.laws, dgamma_dq + first->Q0);
    for (int i = 0; !status && i < of.laws.count; i++)
      status = check(e, &first[i], "the derivative of the relative velocity", dgamma_dq + first[i].Q0,
                     (size_t)first[i].data.dim * (size_t)first[i].q_width);
  }
  return status;
}

picus_status picus_present_velocity_drift(picus_evaluation *e, double *dgamma_dt) {
  present_source of;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && next_source(e, &k, &of);)
    if (of.ops->velocity_drift)
      status = of.ops->velocity_drift(of.source->self, e->context, of.point, &of.laws,
                                      dgamma_dt + of.laws.laws->data.first_row);
  return status;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static int bodies_of(const system_source *source) {
  const appearing_ops *ops = source->ops->appearing;
  return ops && ops->place && ops->body_count ? ops->body_count(source->self) : 0;
}

bool picus_system_laws_appear(const picus_system *system) { return system->appears; }

int picus_system_body_count(const picus_system *system) {
  int count = 0;
  for (int k = 0; k < system->source_count; k++) count += bodies_of(&system->sources[k]);
  return count;
}

const char *picus_system_body_name(const picus_system *system, int body) {
  for (int k = 0; k < system->source_count; k++) {
    const system_source *source = &system->sources[k];
    const int count = bodies_of(source);
    if (body < count) return source->ops->appearing->body_name(source->self, body);
    body -= count;
  }
  return "";
}

static void forget_places(int count, law_place *places) {
  for (int i = 0; i < count; i++) {
    places[i] = (law_place){.body = {-1, -1}};
    for (int k = 0; k < 3; k++) places[i].point[k] = places[i].normal[k] = places[i].tangent[k] = NAN;
  }
}

/* The places of one source, whose bodies follow `first_body` others. */
static picus_status find_places(picus_evaluation *e, const present_source *of, int first_body, law_place *places) {
  const int bodies = bodies_of(of->source);
  picus_status status = of->ops->place(of->source->self, e->context, of->point, &of->laws, places);
  for (int i = 0; !status && i < of->laws.count; i++) {
    law_place *place = &places[i];
    status = check(e, &of->laws.laws[i], "the point", place->point, 3);
    if (!status) status = check(e, &of->laws.laws[i], "the normal", place->normal, 3);
    if (!status) status = check(e, &of->laws.laws[i], "the tangent", place->tangent, 3);
    for (int k = 0; k < 2; k++)
      place->body[k] = place->body[k] >= 0 && place->body[k] < bodies ? place->body[k] + first_body : -1;
  }
  return status;
}

picus_status picus_present_places(picus_evaluation *e, law_place *places) {
  present_source of;
  picus_status status = PICUS_OK;
  for (int k = 0; !status && next_source(e, &k, &of);) {
    law_place *own = places + (of.laws.laws - e->set->laws) - e->set->fixed_count;
    int first_body = 0;
    for (const system_source *before = e->system->sources; before < of.source; before++)
      first_body += bodies_of(before);
    if (of.ops->place)
      status = find_places(e, &of, first_body, own);
    else
      forget_places(of.laws.count, own);
  }
  return status;
}
