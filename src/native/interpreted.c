/* Built instead of the other files of this module with PICUS_WITH_NATIVE=OFF, where no program can be started or
 * loaded: every tape is interpreted, and the note states why. */
#include "expr/tape.h"
#include "native/native.h"

#include <stdio.h>

picus_status picus_native_create(picus_context *context, const picus_native_request *request,
                                 picus_native_outcome *outcome) {
  (void)context;
  *outcome = (picus_native_outcome){0};
  for (int k = 0; k < request->tape_count; k++)
    if (request->tapes[k]) outcome->operations += request->tapes[k]->first_instruction[request->tapes[k]->stage_count];
  snprintf(outcome->note, sizeof outcome->note, "this library was built without native code");
  return PICUS_OK;
}

void picus_native_destroy(picus_native *native) { (void)native; }
