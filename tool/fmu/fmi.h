/* The types and functions of FMI 2.0 and 3.0 for co-simulation, as the standards name them (fmi-standard.org). An FMU
 * of Picus has both interfaces; its modelDescription.xml tells which of them an importer uses. */
#ifndef PICUS_FMU_FMI_H
#define PICUS_FMU_FMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FMI_EXPORT __attribute__((visibility("default")))

/* --- FMI 2.0 ------------------------------------------------------------------------------------------------------ */

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef void (*fmi2CallbackLogger)(void *environment, const char *instance, fmi2Status status, const char *category,
                                   const char *message, ...);
typedef struct {
  fmi2CallbackLogger logger;
  void *(*allocateMemory)(size_t count, size_t size);
  void (*freeMemory)(void *block);
  void (*stepFinished)(void *environment, fmi2Status status);
  void *componentEnvironment;
} fmi2CallbackFunctions;

FMI_EXPORT const char *fmi2GetTypesPlatform(void);
FMI_EXPORT const char *fmi2GetVersion(void);
FMI_EXPORT fmi2Status fmi2SetDebugLogging(void *c, int on, size_t count, const char *const categories[]);
FMI_EXPORT void *fmi2Instantiate(const char *name, fmi2Type type, const char *guid, const char *resources,
                                 const fmi2CallbackFunctions *functions, int visible, int logs);
FMI_EXPORT void fmi2FreeInstance(void *c);
FMI_EXPORT fmi2Status fmi2SetupExperiment(void *c, int has_tolerance, double tolerance, double start, int has_stop,
                                          double stop);
FMI_EXPORT fmi2Status fmi2EnterInitializationMode(void *c);
FMI_EXPORT fmi2Status fmi2ExitInitializationMode(void *c);
FMI_EXPORT fmi2Status fmi2Terminate(void *c);
FMI_EXPORT fmi2Status fmi2Reset(void *c);
FMI_EXPORT fmi2Status fmi2GetReal(void *c, const unsigned *refs, size_t count, double *values);
FMI_EXPORT fmi2Status fmi2GetInteger(void *c, const unsigned *refs, size_t count, int *values);
FMI_EXPORT fmi2Status fmi2GetBoolean(void *c, const unsigned *refs, size_t count, int *values);
FMI_EXPORT fmi2Status fmi2GetString(void *c, const unsigned *refs, size_t count, const char **values);
FMI_EXPORT fmi2Status fmi2SetReal(void *c, const unsigned *refs, size_t count, const double *values);
FMI_EXPORT fmi2Status fmi2SetInteger(void *c, const unsigned *refs, size_t count, const int *values);
FMI_EXPORT fmi2Status fmi2SetBoolean(void *c, const unsigned *refs, size_t count, const int *values);
FMI_EXPORT fmi2Status fmi2SetString(void *c, const unsigned *refs, size_t count, const char *const *values);
FMI_EXPORT fmi2Status fmi2GetFMUstate(void *c, void **state);
FMI_EXPORT fmi2Status fmi2SetFMUstate(void *c, void *state);
FMI_EXPORT fmi2Status fmi2FreeFMUstate(void *c, void **state);
FMI_EXPORT fmi2Status fmi2SerializedFMUstateSize(void *c, void *state, size_t *size);
FMI_EXPORT fmi2Status fmi2SerializeFMUstate(void *c, void *state, char *bytes, size_t size);
FMI_EXPORT fmi2Status fmi2DeSerializeFMUstate(void *c, const char *bytes, size_t size, void **state);
FMI_EXPORT fmi2Status fmi2GetDirectionalDerivative(void *c, const unsigned *unknowns, size_t unknown_count,
                                                   const unsigned *knowns, size_t known_count, const double *seed,
                                                   double *derivatives);
FMI_EXPORT fmi2Status fmi2SetRealInputDerivatives(void *c, const unsigned *refs, size_t count, const int *orders,
                                                  const double *values);
FMI_EXPORT fmi2Status fmi2GetRealOutputDerivatives(void *c, const unsigned *refs, size_t count, const int *orders,
                                                   double *values);
FMI_EXPORT fmi2Status fmi2DoStep(void *c, double t, double h, int no_return);
FMI_EXPORT fmi2Status fmi2CancelStep(void *c);
FMI_EXPORT fmi2Status fmi2GetStatus(void *c, fmi2StatusKind kind, fmi2Status *value);
FMI_EXPORT fmi2Status fmi2GetRealStatus(void *c, fmi2StatusKind kind, double *value);
FMI_EXPORT fmi2Status fmi2GetIntegerStatus(void *c, fmi2StatusKind kind, int *value);
FMI_EXPORT fmi2Status fmi2GetBooleanStatus(void *c, fmi2StatusKind kind, int *value);
FMI_EXPORT fmi2Status fmi2GetStringStatus(void *c, fmi2StatusKind kind, const char **value);

/* --- FMI 3.0 ------------------------------------------------------------------------------------------------------ */

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;
typedef int fmi3DependencyKind; /* an enum; no FMU of Picus has a value of it */

typedef void (*fmi3LogMessageCallback)(void *environment, fmi3Status status, const char *category, const char *message);
typedef void (*fmi3IntermediateUpdateCallback)(void *environment, double t, bool sets, bool gets, bool is_finished,
                                               bool can_return, bool *wants_return, double *return_time);

FMI_EXPORT const char *fmi3GetVersion(void);
FMI_EXPORT fmi3Status fmi3SetDebugLogging(void *c, bool on, size_t count, const char *const categories[]);
FMI_EXPORT void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                              bool logs, void *environment, fmi3LogMessageCallback log);
FMI_EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                             bool logs, bool event_mode, bool early_return, const uint32_t *required,
                                             size_t required_count, void *environment, fmi3LogMessageCallback log,
                                             fmi3IntermediateUpdateCallback update);
FMI_EXPORT void *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources,
                                                   bool visible, bool logs, void *environment,
                                                   fmi3LogMessageCallback log, void (*clock)(void *environment),
                                                   void (*lock)(void), void (*unlock)(void));
FMI_EXPORT void fmi3FreeInstance(void *c);
FMI_EXPORT fmi3Status fmi3EnterInitializationMode(void *c, bool has_tolerance, double tolerance, double start,
                                                  bool has_stop, double stop);
FMI_EXPORT fmi3Status fmi3ExitInitializationMode(void *c);
FMI_EXPORT fmi3Status fmi3EnterEventMode(void *c);
FMI_EXPORT fmi3Status fmi3EnterStepMode(void *c);
FMI_EXPORT fmi3Status fmi3EnterConfigurationMode(void *c);
FMI_EXPORT fmi3Status fmi3ExitConfigurationMode(void *c);
FMI_EXPORT fmi3Status fmi3Terminate(void *c);
FMI_EXPORT fmi3Status fmi3Reset(void *c);
FMI_EXPORT fmi3Status fmi3GetFloat64(void *c, const uint32_t *refs, size_t count, double *values, size_t value_count);
FMI_EXPORT fmi3Status fmi3SetFloat64(void *c, const uint32_t *refs, size_t count, const double *values,
                                     size_t value_count);

/* Types that no variable of Picus has: X(name in the standard, type). */
#define FMI3_OTHER_TYPES(X)                                                                                            \
  X(Float32, float)                                                                                                    \
  X(Int8, int8_t)                                                                                                      \
  X(UInt8, uint8_t)                                                                                                    \
  X(Int16, int16_t)                                                                                                    \
  X(UInt16, uint16_t)                                                                                                  \
  X(Int32, int32_t)                                                                                                    \
  X(UInt32, uint32_t)                                                                                                  \
  X(Int64, int64_t)                                                                                                    \
  X(UInt64, uint64_t)                                                                                                  \
  X(Boolean, bool)
#define FMI3_DECLARE(name, type)                                                                                       \
  FMI_EXPORT fmi3Status fmi3Get##name(void *c, const uint32_t *refs, size_t count, type *values, size_t value_count);  \
  FMI_EXPORT fmi3Status fmi3Set##name(void *c, const uint32_t *refs, size_t count, const type *values,                 \
                                      size_t value_count);
FMI3_OTHER_TYPES(FMI3_DECLARE)
#undef FMI3_DECLARE
FMI_EXPORT fmi3Status fmi3GetString(void *c, const uint32_t *refs, size_t count, const char **values,
                                    size_t value_count);
FMI_EXPORT fmi3Status fmi3SetString(void *c, const uint32_t *refs, size_t count, const char *const *values,
                                    size_t value_count);
FMI_EXPORT fmi3Status fmi3GetBinary(void *c, const uint32_t *refs, size_t count, size_t *sizes, const uint8_t **values,
                                    size_t value_count);
FMI_EXPORT fmi3Status fmi3SetBinary(void *c, const uint32_t *refs, size_t count, const size_t *sizes,
                                    const uint8_t *const *values, size_t value_count);
FMI_EXPORT fmi3Status fmi3GetClock(void *c, const uint32_t *refs, size_t count, bool *values);
FMI_EXPORT fmi3Status fmi3SetClock(void *c, const uint32_t *refs, size_t count, const bool *values);

FMI_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(void *c, uint32_t ref, size_t *count);
FMI_EXPORT fmi3Status fmi3GetVariableDependencies(void *c, uint32_t dependent, size_t *of_dependent,
                                                  uint32_t *independents, size_t *of_independents,
                                                  fmi3DependencyKind *kinds, size_t count);
FMI_EXPORT fmi3Status fmi3GetFMUState(void *c, void **state);
FMI_EXPORT fmi3Status fmi3SetFMUState(void *c, void *state);
FMI_EXPORT fmi3Status fmi3FreeFMUState(void *c, void **state);
FMI_EXPORT fmi3Status fmi3SerializedFMUStateSize(void *c, void *state, size_t *size);
FMI_EXPORT fmi3Status fmi3SerializeFMUState(void *c, void *state, uint8_t *bytes, size_t size);
FMI_EXPORT fmi3Status fmi3DeserializeFMUState(void *c, const uint8_t *bytes, size_t size, void **state);
FMI_EXPORT fmi3Status fmi3GetDirectionalDerivative(void *c, const uint32_t *unknowns, size_t unknown_count,
                                                   const uint32_t *knowns, size_t known_count, const double *seed,
                                                   size_t seed_count, double *sensitivity, size_t sensitivity_count);
FMI_EXPORT fmi3Status fmi3GetAdjointDerivative(void *c, const uint32_t *unknowns, size_t unknown_count,
                                               const uint32_t *knowns, size_t known_count, const double *seed,
                                               size_t seed_count, double *sensitivity, size_t sensitivity_count);
FMI_EXPORT fmi3Status fmi3GetIntervalDecimal(void *c, const uint32_t *refs, size_t count, double *intervals,
                                             fmi3IntervalQualifier *qualifiers);
FMI_EXPORT fmi3Status fmi3GetIntervalFraction(void *c, const uint32_t *refs, size_t count, uint64_t *counters,
                                              uint64_t *resolutions, fmi3IntervalQualifier *qualifiers);
FMI_EXPORT fmi3Status fmi3GetShiftDecimal(void *c, const uint32_t *refs, size_t count, double *shifts);
FMI_EXPORT fmi3Status fmi3GetShiftFraction(void *c, const uint32_t *refs, size_t count, uint64_t *counters,
                                           uint64_t *resolutions);
FMI_EXPORT fmi3Status fmi3SetIntervalDecimal(void *c, const uint32_t *refs, size_t count, const double *intervals);
FMI_EXPORT fmi3Status fmi3SetIntervalFraction(void *c, const uint32_t *refs, size_t count, const uint64_t *counters,
                                              const uint64_t *resolutions);
FMI_EXPORT fmi3Status fmi3SetShiftDecimal(void *c, const uint32_t *refs, size_t count, const double *shifts);
FMI_EXPORT fmi3Status fmi3SetShiftFraction(void *c, const uint32_t *refs, size_t count, const uint64_t *counters,
                                           const uint64_t *resolutions);
FMI_EXPORT fmi3Status fmi3EvaluateDiscreteStates(void *c);
FMI_EXPORT fmi3Status fmi3UpdateDiscreteStates(void *c, bool *needs_update, bool *terminates, bool *nominals_changed,
                                               bool *values_changed, bool *has_next_event, double *next_event);
FMI_EXPORT fmi3Status fmi3GetOutputDerivatives(void *c, const uint32_t *refs, size_t count, const int32_t *orders,
                                               double *values, size_t value_count);
FMI_EXPORT fmi3Status fmi3DoStep(void *c, double t, double h, bool no_return, bool *needs_events, bool *terminates,
                                 bool *returned_early, double *last_time);

/* Of the other kinds of FMUs: importers look for them, and they fail. */
FMI_EXPORT fmi3Status fmi3EnterContinuousTimeMode(void *c);
FMI_EXPORT fmi3Status fmi3CompletedIntegratorStep(void *c, bool no_return, bool *enter_events, bool *terminates);
FMI_EXPORT fmi3Status fmi3SetTime(void *c, double t);
FMI_EXPORT fmi3Status fmi3SetContinuousStates(void *c, const double *states, size_t count);
FMI_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(void *c, double *derivatives, size_t count);
FMI_EXPORT fmi3Status fmi3GetEventIndicators(void *c, double *indicators, size_t count);
FMI_EXPORT fmi3Status fmi3GetContinuousStates(void *c, double *states, size_t count);
FMI_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(void *c, double *nominals, size_t count);
FMI_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(void *c, size_t *count);
FMI_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(void *c, size_t *count);
FMI_EXPORT fmi3Status fmi3ActivateModelPartition(void *c, uint32_t clock, double t);

#endif
