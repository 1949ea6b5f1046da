/* The functions of FMI 2.0 and 3.0 that an FMU of Picus does not provide, as its description states: they fail with a
 * message to the importer. Calls about no variables at all are right. */
#include "fmu/not_provided.h"
#include "fmu/fmi.h"

// NOLINTBEGIN(readability-function-size): the standard fixes the parameters of its functions
#pragma GCC diagnostic ignored "-Wunused-parameter" /* for the same reason */

/* --- FMI 2.0 ------------------------------------------------------------------------------------------------------ */

static fmi2Status all_are_real(void *c, size_t count) {
  return c && count == 0 ? fmi2OK
                         : fmu_refuse2(c, "all variables of this FMU are real: use fmi2GetReal and fmi2SetReal");
}

fmi2Status fmi2GetInteger(void *c, const unsigned *refs, size_t count, int *values) { return all_are_real(c, count); }
fmi2Status fmi2GetBoolean(void *c, const unsigned *refs, size_t count, int *values) { return all_are_real(c, count); }
fmi2Status fmi2GetString(void *c, const unsigned *refs, size_t count, const char **values) {
  return all_are_real(c, count);
}
fmi2Status fmi2SetInteger(void *c, const unsigned *refs, size_t count, const int *values) {
  return all_are_real(c, count);
}
fmi2Status fmi2SetBoolean(void *c, const unsigned *refs, size_t count, const int *values) {
  return all_are_real(c, count);
}
fmi2Status fmi2SetString(void *c, const unsigned *refs, size_t count, const char *const *values) {
  return all_are_real(c, count);
}

fmi2Status fmi2GetRealOutputDerivatives(void *c, const unsigned *refs, size_t count, const int *orders,
                                        double *values) {
  return c && count == 0 ? fmi2OK : fmu_refuse2(c, "this FMU has no derivatives of outputs");
}

fmi2Status fmi2GetDirectionalDerivative(void *c, const unsigned *unknowns, size_t unknown_count, const unsigned *knowns,
                                        size_t known_count, const double *seed, double *derivatives) {
  return fmu_refuse2(c, "this FMU has no directional derivatives");
}

fmi2Status fmi2CancelStep(void *c) {
  return fmu_refuse2(c, "no step is under way: fmi2DoStep returns when it is done");
}

fmi2Status fmi2GetStatus(void *c, fmi2StatusKind kind, fmi2Status *value) {
  return fmu_refuse2(c, "no step is under way: fmi2DoStep returns when it is done");
}

fmi2Status fmi2GetIntegerStatus(void *c, fmi2StatusKind kind, int *value) {
  return fmu_refuse2(c, "there is no integer status");
}

fmi2Status fmi2GetStringStatus(void *c, fmi2StatusKind kind, const char **value) {
  return fmu_refuse2(c, "no step is under way: fmi2DoStep returns when it is done");
}

/* --- FMI 3.0 ------------------------------------------------------------------------------------------------------ */

static void *no_such_interface(void *environment, fmi3LogMessageCallback log) {
  if (log) log(environment, fmi3Error, "logStatusError", "this FMU is for co-simulation only");
  return NULL;
}

void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible, bool logs,
                                   void *environment, fmi3LogMessageCallback log) {
  return no_such_interface(environment, log);
}

void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources, bool visible,
                                        bool logs, void *environment, fmi3LogMessageCallback log,
                                        void (*clock)(void *environment), void (*lock)(void), void (*unlock)(void)) {
  return no_such_interface(environment, log);
}

fmi3Status fmi3EnterConfigurationMode(void *c) { return fmu_refuse3(c, "this FMU has no structural parameters"); }
fmi3Status fmi3ExitConfigurationMode(void *c) { return fmu_refuse3(c, "this FMU has no structural parameters"); }

static fmi3Status no_such_type(void *x, size_t count) {
  return x && count == 0 ? fmi3OK : fmu_refuse3(x, "all variables of this FMU are of the type Float64");
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type
#define FMI3_DEFINE(name, type)                                                                                        \
  fmi3Status fmi3Get##name(void *c, const uint32_t *refs, size_t count, type *values, size_t value_count) {            \
    return no_such_type(c, count);                                                                                     \
  }                                                                                                                    \
  fmi3Status fmi3Set##name(void *c, const uint32_t *refs, size_t count, const type *values, size_t value_count) {      \
    return no_such_type(c, count);                                                                                     \
  }
FMI3_OTHER_TYPES(FMI3_DEFINE)
#undef FMI3_DEFINE
// NOLINTEND(bugprone-macro-parentheses)

fmi3Status fmi3GetString(void *c, const uint32_t *refs, size_t count, const char **values, size_t value_count) {
  return no_such_type(c, count);
}
fmi3Status fmi3SetString(void *c, const uint32_t *refs, size_t count, const char *const *values, size_t value_count) {
  return no_such_type(c, count);
}
fmi3Status fmi3GetBinary(void *c, const uint32_t *refs, size_t count, size_t *sizes, const uint8_t **values,
                         size_t value_count) {
  return no_such_type(c, count);
}
fmi3Status fmi3SetBinary(void *c, const uint32_t *refs, size_t count, const size_t *sizes, const uint8_t *const *values,
                         size_t value_count) {
  return no_such_type(c, count);
}
fmi3Status fmi3GetClock(void *c, const uint32_t *refs, size_t count, bool *values) { return no_such_type(c, count); }
fmi3Status fmi3SetClock(void *c, const uint32_t *refs, size_t count, const bool *values) {
  return no_such_type(c, count);
}

fmi3Status fmi3GetNumberOfVariableDependencies(void *c, uint32_t ref, size_t *count) {
  return fmu_refuse3(c, "this FMU has no dependencies by element");
}
fmi3Status fmi3GetVariableDependencies(void *c, uint32_t dependent, size_t *of_dependent, uint32_t *independents,
                                       size_t *of_independents, fmi3DependencyKind *kinds, size_t count) {
  return fmu_refuse3(c, "this FMU has no dependencies by element");
}
fmi3Status fmi3GetDirectionalDerivative(void *c, const uint32_t *unknowns, size_t unknown_count, const uint32_t *knowns,
                                        size_t known_count, const double *seed, size_t seed_count, double *sensitivity,
                                        size_t sensitivity_count) {
  return fmu_refuse3(c, "this FMU has no directional derivatives");
}
fmi3Status fmi3GetAdjointDerivative(void *c, const uint32_t *unknowns, size_t unknown_count, const uint32_t *knowns,
                                    size_t known_count, const double *seed, size_t seed_count, double *sensitivity,
                                    size_t sensitivity_count) {
  return fmu_refuse3(c, "this FMU has no adjoint derivatives");
}
fmi3Status fmi3GetOutputDerivatives(void *c, const uint32_t *refs, size_t count, const int32_t *orders, double *values,
                                    size_t value_count) {
  return c && count == 0 ? fmi3OK : fmu_refuse3(c, "this FMU has no derivatives of outputs");
}

static fmi3Status no_clocks(void *x, size_t count) {
  return x && count == 0 ? fmi3OK : fmu_refuse3(x, "this FMU has no clocks");
}

fmi3Status fmi3GetIntervalDecimal(void *c, const uint32_t *refs, size_t count, double *intervals,
                                  fmi3IntervalQualifier *qualifiers) {
  return no_clocks(c, count);
}
fmi3Status fmi3GetIntervalFraction(void *c, const uint32_t *refs, size_t count, uint64_t *counters,
                                   uint64_t *resolutions, fmi3IntervalQualifier *qualifiers) {
  return no_clocks(c, count);
}
fmi3Status fmi3GetShiftDecimal(void *c, const uint32_t *refs, size_t count, double *shifts) {
  return no_clocks(c, count);
}
fmi3Status fmi3GetShiftFraction(void *c, const uint32_t *refs, size_t count, uint64_t *counters,
                                uint64_t *resolutions) {
  return no_clocks(c, count);
}
fmi3Status fmi3SetIntervalDecimal(void *c, const uint32_t *refs, size_t count, const double *intervals) {
  return no_clocks(c, count);
}
fmi3Status fmi3SetIntervalFraction(void *c, const uint32_t *refs, size_t count, const uint64_t *counters,
                                   const uint64_t *resolutions) {
  return no_clocks(c, count);
}
fmi3Status fmi3SetShiftDecimal(void *c, const uint32_t *refs, size_t count, const double *shifts) {
  return no_clocks(c, count);
}
fmi3Status fmi3SetShiftFraction(void *c, const uint32_t *refs, size_t count, const uint64_t *counters,
                                const uint64_t *resolutions) {
  return no_clocks(c, count);
}

/* Of other kinds of FMUs. */

static fmi3Status not_here(void *x) { return fmu_refuse3(x, "this FMU is for co-simulation only"); }

fmi3Status fmi3EnterContinuousTimeMode(void *c) { return not_here(c); }
fmi3Status fmi3CompletedIntegratorStep(void *c, bool no_return, bool *enter_events, bool *terminates) {
  return not_here(c);
}
fmi3Status fmi3SetTime(void *c, double t) { return not_here(c); }
fmi3Status fmi3SetContinuousStates(void *c, const double *states, size_t count) { return not_here(c); }
fmi3Status fmi3GetContinuousStateDerivatives(void *c, double *derivatives, size_t count) { return not_here(c); }
fmi3Status fmi3GetEventIndicators(void *c, double *indicators, size_t count) { return not_here(c); }
fmi3Status fmi3GetContinuousStates(void *c, double *states, size_t count) { return not_here(c); }
fmi3Status fmi3GetNominalsOfContinuousStates(void *c, double *nominals, size_t count) { return not_here(c); }
fmi3Status fmi3GetNumberOfEventIndicators(void *c, size_t *count) { return not_here(c); }
fmi3Status fmi3GetNumberOfContinuousStates(void *c, size_t *count) { return not_here(c); }
fmi3Status fmi3ActivateModelPartition(void *c, uint32_t clock, double t) { return not_here(c); }
// NOLINTEND(readability-function-size)
