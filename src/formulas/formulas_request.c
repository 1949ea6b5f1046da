/* Jacobians on request. Few schemes need all of them, some need none, so a set of Jacobians is derived when the first
 * evaluation requests it, and kept for all later ones. Each set starts from the equations alone: it does not depend on
 * the sets that were derived before it, nor on the thread that was first.
 *
 * The system is constant to all who use it. Only the list of sets grows, behind a lock, and a set that is in the list
 * does not change. The sets have a context of their own, because the context of the system belongs to one thread. */
#include "formulas/formulas.h"

#include "base/internal.h"
#include "base/tasks.h"
#include "expr/tape.h"

#include <string.h>

struct formula_later {
  picus_lock *lock;       /* of the context, and of the list of sets */
  picus_context *context; /* of the sets and of their derivation */
  formula_jacobians *first;
  /* constant: */
  picus_packed_pool *pool;
  equations eq; /* in it */
  picus_model_variable *variables;
  int variable_count;
  const picus_system *system;
  derivation_limits limits;
  char *model; /* its name */
};

/* --- what is kept ------------------------------------------------------------------------------------------------ */

static picus_status copy_variables(const picus_model *model, formula_later *later) {
  const int count = picus_variable_count(model->pool);
  later->variables = picus_allocate(model->context, (size_t)count, sizeof *later->variables);
  if (!later->variables) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < count; k++) later->variables[k] = picus_model_variable_of(model, k);
  later->variable_count = count;
  return PICUS_OK;
}

static void take_equations(picus_context *context, equations *eq, formula_later *later) {
  picus_expr_matrix_release(context, &eq->B); /* not needed any more */
  picus_release(context, eq->beta);
  picus_release(context, eq->works);
  eq->beta = NULL;
  eq->works = NULL;
  later->eq = *eq;
  *eq = (equations){0};
}

picus_status picus_formulas_keep(picus_model *model, equations *eq, const derivation_limits *limits,
                                 picus_system *system) {
  picus_context *context = model->context;
  formula_later *later = picus_allocate(context, 1, sizeof *later);
  if (!later) return PICUS_ERROR_MEMORY;
  ((formulas_source *)system->sources[0].self)->later = later;
  take_equations(context, eq, later);
  later->system = system;
  later->limits = *limits;
  later->limits.model = later->model = picus_copy_text(context, model->name);
  if (!later->model) return PICUS_ERROR_MEMORY;
  picus_status status = copy_variables(model, later);
  if (!status) status = picus_pool_pack(context, model->pool, &later->pool);
  if (!status) status = picus_lock_create(context, &later->lock);
  return status ? status : picus_context_create_within(context, &later->context);
}

void picus_formulas_release_later(picus_context *context, formulas_source *formulas) {
  formula_later *later = formulas->later;
  if (!later) return;
  for (formula_jacobians *set = later->first, *next; set; set = next) {
    next = set->next;
    picus_formula_jacobians_destroy(later->context, set);
  }
  picus_context_destroy(later->context);
  picus_lock_destroy(context, later->lock);
  picus_packed_pool_destroy(later->pool);
  picus_equations_release(context, &later->eq);
  picus_release(context, later->variables);
  picus_release(context, later->model);
  picus_release(context, later);
  formulas->later = NULL;
}

/* --- sets of Jacobians ------------------------------------------------------------------------------------------- */

static picus_status derive(const formulas_source *formulas, unsigned kinds, formula_jacobians **out) {
  const formula_later *later = formulas->later;
  jacobian_sources from = {.eq = &later->eq,
                           .variables = later->variables,
                           .variable_count = later->variable_count,
                           .system = later->system,
                           .formulas = formulas};
  picus_pool_watch watch;
  *out = NULL;
  picus_limits_begin(later->context, &later->limits, &watch);
  picus_status status = picus_pool_unpack(later->context, later->pool, &from.pool);
  if (!status) {
    picus_limits_watch(from.pool, &watch);
    status = picus_formulas_derive_jacobians(&from, kinds, out);
  }
  status = picus_limits_end(later->context, from.pool, &later->limits, &watch, status);
  picus_pool_destroy(from.pool);
  if (!status && *out) return PICUS_OK;
  picus_formula_jacobians_destroy(later->context, *out);
  *out = NULL;
  return status ? status : PICUS_ERROR_MEMORY;
}

/* What kept the other tapes of the system from native code keeps these from it, too. */
static picus_status make_native(const formulas_source *formulas, formula_jacobians *set) {
  const formula_later *later = formulas->later;
  const picus_native_outcome *others = formulas->native;
  if (!others || !set->often) return PICUS_OK;
  if (!others->note[0])
    return picus_formulas_compile_native(later->context, &later->limits.most, JACOBIAN_GROUP_COUNT, set->tape,
                                         &set->native);
  memcpy(set->native.note, others->note, sizeof others->note);
  for (int g = 0; g < JACOBIAN_GROUP_COUNT; g++)
    for (int s = 0; set->tape[g] && s < set->tape[g]->stage_count; s++)
      set->native.operations += picus_tape_operation_count(set->tape[g], s);
  return PICUS_OK;
}

/* With the lock held. */
static picus_status find_or_derive(const formulas_source *formulas, unsigned kinds, bool often,
                                   formula_jacobians **out) {
  formula_later *later = formulas->later;
  const bool native = often && formulas->native;
  *out = later->first;
  while (*out && ((*out)->kinds != kinds || (native && !(*out)->often))) *out = (*out)->next;
  if (*out) return PICUS_OK;
  picus_status status = derive(formulas, kinds, out);
  if (status) return status;
  (*out)->often = often;
  status = make_native(formulas, *out);
  if (status) {
    picus_formula_jacobians_destroy(later->context, *out);
    *out = NULL;
    return status;
  }
  (*out)->next = later->first;
  later->first = *out;
  return PICUS_OK;
}

/* The set of exactly these kinds. A failure is reported on the given context, and the next request tries again. */
static picus_status find_set(const formulas_source *formulas, picus_context *context, unsigned kinds, bool often,
                             const formula_jacobians **out) {
  formula_later *later = formulas->later;
  formula_jacobians *set;
  picus_lock_take(later->lock);
  const formula_jacobians *newest = later->first;
  picus_status status = find_or_derive(formulas, kinds, often, &set);
  if (status) picus_fail(context, status, "%s", picus_last_error(later->context)->message);
  if (!status && later->first != newest && set->native.note[0] && !formulas->native->note[0])
    picus_log(context, PICUS_LOG_NOTE, "Jacobians are interpreted, not compiled: %s", set->native.note);
  picus_lock_give(later->lock);
  *out = set;
  return status;
}

void picus_formulas_report_native(const formulas_source *formulas, picus_native_report *report) {
  const formula_later *later = formulas->later;
  picus_lock_take(later->lock);
  for (const formula_jacobians *set = later->first; set; set = set->next)
    if (set->often) picus_native_report_add(&set->native, report);
  picus_lock_give(later->lock);
}

/* --- requests ---------------------------------------------------------------------------------------------------- */

/* Jacobians that are zero, or never asked for, because what they are derivatives of is simple. */
static unsigned trivial_kinds(const formulas_source *formulas) {
  const system_source *source = &formulas->later->system->sources[0];
  unsigned kinds = PICUS_JACOBIAN(JACOBIAN_MASS_Q);
  for (int p = 0; p < formulas->part_count; p++)
    if (!formulas->parts[p].mass_constant) kinds = 0;
  if (formulas->identity_rates) kinds |= PICUS_JACOBIANS_OF_RATES;
  if (source->directions_constant)
    kinds |= PICUS_JACOBIAN(JACOBIAN_VELOCITY_Q) | PICUS_JACOBIAN(JACOBIAN_VELOCITY_T) |
             PICUS_JACOBIAN(JACOBIAN_DIRECTION_Q);
  return kinds;
}

static picus_status allocate_registers(picus_context *context, jacobian_work *request) {
  for (int g = 0; g < JACOBIAN_GROUP_COUNT; g++) {
    const picus_tape *tape = request->jacobians->tape[g];
    request->stages_done[g] = -1;
    if (!tape) continue;
    request->registers[g] = picus_allocate(context, (size_t)picus_tape_register_count(tape), sizeof(double));
    if (!request->registers[g]) return PICUS_ERROR_MEMORY;
    picus_tape_prepare(tape, request->registers[g]);
  }
  return PICUS_OK;
}

static void release_request(picus_context *context, jacobian_work *request) {
  for (int g = 0; g < JACOBIAN_GROUP_COUNT; g++) picus_release(context, request->registers[g]);
  *request = (jacobian_work){0};
}

static picus_status add_request(const formulas_source *formulas, picus_context *context, formulas_work *work,
                                unsigned kinds, bool often) {
  jacobian_work *request = &work->requests[work->request_count];
  picus_status status = find_set(formulas, context, kinds, often, &request->jacobians);
  if (!status) status = allocate_registers(context, request);
  if (status) {
    release_request(context, request);
    return status;
  }
  work->request_count++;
  for (int k = 0; k < JACOBIAN_COUNT; k++)
    if (kinds & PICUS_JACOBIAN(k)) work->jacobian_of[k] = request;
  return PICUS_OK;
}

picus_status picus_formulas_request(const void *self, picus_context *context, const source_point *point, unsigned kinds,
                                    bool often) {
  const formulas_source *formulas = self;
  formulas_work *work = point->work;
  if (formulas->later->system->coupling_count > 0) {
    if (kinds & PICUS_JACOBIAN(JACOBIAN_FORCE_U)) kinds |= PICUS_JACOBIAN(JACOBIAN_COUPLING_U);
    if (kinds & PICUS_JACOBIAN(JACOBIAN_FORCE_Q)) kinds |= PICUS_JACOBIAN(JACOBIAN_COUPLING_Q);
  }
  if (formulas->later->system->turning_count > 0 && kinds & PICUS_JACOBIAN(JACOBIAN_DIRECTION_Q))
    kinds |= PICUS_JACOBIAN(JACOBIAN_TURNING_Q);
  const unsigned wanted = kinds & ~work->kinds & ~trivial_kinds(formulas);
  picus_status status = wanted ? add_request(formulas, context, work, wanted, often) : PICUS_OK;
  if (status) return status;
  if (wanted) picus_formulas_set_inputs(formulas, point);
  work->kinds |= kinds;
  return PICUS_OK;
}

void picus_formulas_release_requests(picus_context *context, formulas_work *work) {
  for (int k = 0; k < work->request_count; k++) release_request(context, &work->requests[k]);
}

/* --- native code -------------------------------------------------------------------------------------------------- */

/* Native code for the tapes of formulas. */

picus_status picus_formulas_compile_native(picus_context *context, const picus_derivation *options, int tape_count,
                                           picus_tape *const *tapes, picus_native_outcome *outcome) {
  const picus_native_request request = {.tape_count = tape_count,
                                        .tapes = tapes,
                                        .cache = options->native_cache,
                                        .compiler = options->native_compiler,
                                        .seconds = options->native_seconds,
                                        .interrupt = options->interrupt,
                                        .user = options->user};
  return picus_native_create(context, &request, outcome);
}

picus_status picus_formulas_make_native(picus_system *system, const derivation_limits *limits) {
  if (!limits->most.native) return PICUS_OK;
  formulas_source *formulas = system->sources[0].self;
  enum { TAPES = 3 };
  picus_tape *const tapes[TAPES] = {formulas->tape, formulas->law_tape, formulas->power_tape};
  formulas->native = picus_allocate(system->context, 1, sizeof *formulas->native);
  if (!formulas->native) return PICUS_ERROR_MEMORY;
  picus_status status = picus_formulas_compile_native(system->context, &limits->most, TAPES, tapes, formulas->native);
  if (!status && formulas->native->note[0])
    picus_log(system->context, PICUS_LOG_NOTE, "expressions are interpreted, not compiled: %s", formulas->native->note);
  return status;
}

void picus_native_report_add(const picus_native_outcome *outcome, picus_native_report *report) {
  *(outcome->code ? &report->operations : &report->interpreted) += outcome->operations;
  if (outcome->code) {
    report->objects++;
    report->compiled += outcome->compiled;
  }
  if (!report->note[0]) memcpy(report->note, outcome->note, sizeof report->note);
}

picus_native_report picus_system_native(const picus_system *system) {
  picus_native_report report = {0};
  if (system->source_count == 0 || system->sources[0].ops != &picus_formulas_ops) return report;
  const formulas_source *formulas = system->sources[0].self;
  if (!formulas->native) return report;
  picus_native_report_add(formulas->native, &report);
  picus_formulas_report_native(formulas, &report);
  return report;
}

void picus_formulas_release_native(picus_context *context, formulas_source *formulas) {
  if (formulas->native) picus_native_destroy(formulas->native->code);
  picus_release(context, formulas->native);
}
