/* The functions of an FMU as an importer calls them, in both versions of the standard, with models to export. */
#ifndef PICUS_TEST_FMU_CALLS_H
#define PICUS_TEST_FMU_CALLS_H

#include "fmu/fmi.h"
#include "support/fmu.h"

typedef struct fmi2 {
  void *(*Instantiate)(const char *, fmi2Type, const char *, const char *, const fmi2CallbackFunctions *, int, int);
  void (*FreeInstance)(void *);
  fmi2Status (*SetupExperiment)(void *, int, double, double, int, double);
  fmi2Status (*EnterInitializationMode)(void *);
  fmi2Status (*ExitInitializationMode)(void *);
  fmi2Status (*Terminate)(void *);
  fmi2Status (*Reset)(void *);
  fmi2Status (*GetReal)(void *, const unsigned *, size_t, double *);
  fmi2Status (*SetReal)(void *, const unsigned *, size_t, const double *);
  fmi2Status (*GetInteger)(void *, const unsigned *, size_t, int *);
  fmi2Status (*SetRealInputDerivatives)(void *, const unsigned *, size_t, const int *, const double *);
  fmi2Status (*DoStep)(void *, double, double, int);
  fmi2Status (*GetFMUstate)(void *, void **);
  fmi2Status (*SetFMUstate)(void *, void *);
  fmi2Status (*FreeFMUstate)(void *, void **);
  fmi2Status (*SerializedFMUstateSize)(void *, void *, size_t *);
  fmi2Status (*SerializeFMUstate)(void *, void *, char *, size_t);
  fmi2Status (*DeSerializeFMUstate)(void *, const char *, size_t, void **);
  fmi2Status (*GetRealStatus)(void *, fmi2StatusKind, double *);
  fmi2Status (*GetBooleanStatus)(void *, fmi2StatusKind, int *);
} fmi2;

typedef struct fmi3 {
  void *(*InstantiateCoSimulation)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *,
                                   size_t, void *, fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
  void (*FreeInstance)(void *);
  fmi3Status (*EnterInitializationMode)(void *, bool, double, double, bool, double);
  fmi3Status (*ExitInitializationMode)(void *);
  fmi3Status (*EnterEventMode)(void *);
  fmi3Status (*EnterStepMode)(void *);
  fmi3Status (*UpdateDiscreteStates)(void *, bool *, bool *, bool *, bool *, bool *, double *);
  fmi3Status (*GetFloat64)(void *, const uint32_t *, size_t, double *, size_t);
  fmi3Status (*SetFloat64)(void *, const uint32_t *, size_t, const double *, size_t);
  fmi3Status (*DoStep)(void *, double, double, bool, bool *, bool *, bool *, double *);
  fmi3Status (*GetFMUState)(void *, void **);
  fmi3Status (*SetFMUState)(void *, void *);
  fmi3Status (*FreeFMUState)(void *, void **);
  fmi3Status (*SerializedFMUStateSize)(void *, void *, size_t *);
  fmi3Status (*SerializeFMUState)(void *, void *, uint8_t *, size_t);
  fmi3Status (*DeserializeFMUState)(void *, const uint8_t *, size_t, void **);
  fmi3Status (*Terminate)(void *);
  fmi3Status (*Reset)(void *);
  fmi3Status (*GetInt32)(void *, const uint32_t *, size_t, int32_t *, size_t);
} fmi3;

/* false: the library lacks a function, said already. */
bool test_fmi2_find(const test_fmu *fmu, fmi2 *f);
bool test_fmi3_find(const test_fmu *fmu, fmi3 *f);

/* The errors that an instance has told its importer. */
typedef struct message_log {
  int count;
  char last[600];
} message_log;

/* NULL: refused. log may be NULL. */
void *test_fmi2_instantiate(const test_fmu *fmu, const fmi2 *f, message_log *log);
void *test_fmi3_instantiate(const test_fmu *fmu, const fmi3 *f, bool events, bool early, message_log *log);
/* An instance that is ready for its first step; NULL: said already. */
void *test_fmi2_begin(const test_fmu *fmu, const fmi2 *f, message_log *log);
void *test_fmi3_begin(const test_fmu *fmu, const fmi3 *f, bool events, bool early, message_log *log);

/* A model file with this text. */
void test_fmu_write(const char *path, const char *text);
extern const char
    test_fmu_ball[600]; /* dropped from 1 m, e = 0.7, as that of the reference FMUs (Modelica Association) */
extern const char test_fmu_cart[600]; /* a mass that two inputs push, one of them with a rate */
extern const char test_fmu_busy[900]; /* a ball that two inputs push; its third impact ends the run */

#endif
