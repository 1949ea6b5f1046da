/* Tells the importer of an instance, which may be NULL, why a call fails. Returns the error. */
#ifndef PICUS_FMU_NOT_PROVIDED_H
#define PICUS_FMU_NOT_PROVIDED_H

#include "fmu/fmi.h"

fmi2Status fmu_refuse2(void *c, const char *message); /* fmi2.c */
fmi3Status fmu_refuse3(void *c, const char *message); /* fmi3.c */

#endif
