/* Recording a run and reading results back: includes all headers for both. */
#ifndef PICUS_RECORD_H
#define PICUS_RECORD_H

#include <picus/recorder.h>
#include <picus/result.h>
#include <picus/sim.h>

#endif
