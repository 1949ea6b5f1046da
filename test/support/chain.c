#include "support/chain.h"

#include "base/internal.h"
#include "system/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct chain_part {
  int n;
  double k, c;
  bool sparse;
  part_pattern pattern;
  int *row_start, *column;
} chain_part;

static picus_status work_create(const void *self, picus_context *context, void **work) {
  (void)self, (void)context;
  *work = NULL;
  return PICUS_OK;
}
static void work_destroy(const void *self, picus_context *context, void *work) {
  (void)self, (void)context, (void)work;
}
static picus_status rate(const void *self, picus_context *context, const source_point *point, double *q_dot) {
  (void)context;
  memcpy(q_dot, point->u, (size_t)((const chain_part *)self)->n * sizeof *q_dot);
  return PICUS_OK;
}
static picus_status force(const void *self, picus_context *context, const source_point *point, double *h) {
  (void)context;
  const chain_part *chain = self;
  for (int i = 0; i < chain->n; i++) h[i] = 0;
  for (int i = 0; i + 1 < chain->n; i++) {
    double pull = chain->k * (point->q[i + 1] - point->q[i] - 1) + chain->c * (point->u[i + 1] - point->u[i]);
    h[i] += pull;
    h[i + 1] -= pull;
  }
  return PICUS_OK;
}
static picus_status gaps(const void *self, picus_context *context, const source_point *point, double *gap) {
  (void)self, (void)context;
  gap[0] = point->q[0];
  return PICUS_OK;
}

/* A tridiagonal matrix with diagonal `ends` in the corners, `inner` between, and `beside` next to it. */
static void fill(const chain_part *chain, double ends, double inner, double beside, double *values) {
  const int n = chain->n;
  for (int i = 0; i < n; i++) {
    double diagonal = i == 0 || i == n - 1 ? ends : inner;
    if (!chain->sparse) {
      double *row = values + (size_t)i * (size_t)n;
      row[i] = diagonal;
      if (i > 0) row[i - 1] = beside;
      if (i + 1 < n) row[i + 1] = beside;
      continue;
    }
    for (int k = chain->row_start[i]; k < chain->row_start[i + 1]; k++)
      values[k] = chain->column[k] == i ? diagonal : beside;
  }
}
static picus_status mass(const void *self, picus_context *context, const source_point *point, int part, double *M) {
  (void)context, (void)point, (void)part;
  fill(self, 1, 1, 0, M);
  return PICUS_OK;
}
static picus_status force_jacobian(const void *self, picus_context *context, const source_point *point, int part,
                                   double *dh_dq, double *dh_du) {
  (void)context, (void)point, (void)part;
  const chain_part *chain = self;
  fill(chain, -chain->k, -2 * chain->k, chain->k, dh_dq);
  fill(chain, -chain->c, -2 * chain->c, chain->c, dh_du);
  return PICUS_OK;
}
static picus_status directions(const void *self, picus_context *context, const source_point *point, double *W,
                               double *chi) {
  (void)context, (void)point;
  memset(W, 0, (size_t)((const chain_part *)self)->n * sizeof *W);
  W[0] = 1;
  chi[0] = 0;
  return PICUS_OK;
}
static picus_status energy(const void *self, picus_context *context, const source_point *point, double *T, double *V) {
  (void)context;
  const chain_part *chain = self;
  *T = *V = 0;
  for (int i = 0; i < chain->n; i++) *T += 0.5 * point->u[i] * point->u[i];
  for (int i = 0; i + 1 < chain->n; i++) *V += 0.5 * chain->k * pow(point->q[i + 1] - point->q[i] - 1, 2);
  return PICUS_OK;
}
static void destroy(void *self, picus_context *context) {
  chain_part *chain = self;
  picus_release(context, chain->row_start);
  picus_release(context, chain->column);
  picus_release(context, chain);
}

static const source_ops chain_ops = {.kind = "chain",
                                     .work_create = work_create,
                                     .work_destroy = work_destroy,
                                     .rate = rate,
                                     .force = force,
                                     .gaps = gaps,
                                     .mass = mass,
                                     .directions = directions,
                                     .energy = energy,
                                     .force_jacobian = force_jacobian,
                                     .destroy = destroy};

static bool make_pattern(picus_context *context, chain_part *chain) {
  chain->row_start = picus_allocate(context, (size_t)chain->n + 1, sizeof(int));
  chain->column = picus_allocate(context, 3 * (size_t)chain->n, sizeof(int));
  if (!chain->row_start || !chain->column) return false;
  int at = 0;
  for (int i = 0; i < chain->n; i++) {
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < chain->n; j++) chain->column[at++] = j;
    chain->row_start[i + 1] = at;
  }
  chain->pattern = (part_pattern){chain->row_start, chain->column, false};
  return true;
}

static void name_states(picus_context *context, picus_system *system, double start, double v0) {
  size_t n = (size_t)system->nq;
  system->q_names = picus_allocate(context, n, sizeof *system->q_names);
  system->u_names = picus_allocate(context, n, sizeof *system->u_names);
  system->q_start = picus_allocate(context, n, sizeof(double));
  system->u_start = picus_allocate(context, n, sizeof(double));
  for (size_t i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "q%zu", i);
    system->q_names[i].name = picus_copy_text(context, name);
    name[0] = 'u';
    system->u_names[i].name = picus_copy_text(context, name);
    system->q_start[i] = start + (double)i;
    system->u_start[i] = v0;
  }
}

picus_system *chain_system(picus_context *context, int n, double k, double c, double e, double start, double v0,
                           bool sparse) {
  picus_system *system = NULL;
  if (picus_system_allocate(context, 1, 1, &system) != PICUS_OK) return NULL;
  chain_part *self = picus_allocate(context, 1, sizeof *self);
  if (!self) return NULL;
  *self = (chain_part){.n = n, .k = k, .c = c, .sparse = sparse};
  if (!make_pattern(context, self)) return NULL;
  system->sources[0] =
      (system_source){.ops = &chain_ops, .self = self, .part_count = 1, .law_count = 1, .directions_constant = true};
  if (picus_system_allocate_parts(system) != PICUS_OK) return NULL;
  system->parts[0] = (system_part){.nq = n,
                                   .nu = n,
                                   .mass_constant = true,
                                   .identity_rates = true,
                                   .tangents_constant = true,
                                   .pattern = sparse ? &self->pattern : NULL};
  if (picus_system_layout_parts(system) != PICUS_OK) return NULL;
  system->fixed.laws[0].data = (picus_system_law){.kind = PICUS_UNILATERAL, .has_gap = true, .eN = e};
  system->fixed.laws[0].name = picus_copy_text(context, "wall");
  name_states(context, system, start, v0);
  return picus_system_layout_laws(system) == PICUS_OK ? system : NULL;
}
