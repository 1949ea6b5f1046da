/* Native code for the tapes of formulas. */
#include "formulas/formulas.h"

#include "base/internal.h"

#include <string.h>

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
