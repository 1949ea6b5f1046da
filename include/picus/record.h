/* Recording a run and reading results back: everything that is needed for both. */
#ifndef PICUS_RECORD_H
#define PICUS_RECORD_H

#include <picus/recorder.h>
#include <picus/result.h>
#include <picus/sim.h>

#endif
