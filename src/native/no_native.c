/* Built instead of the other files of this folder with PICUS_WITH_NATIVE=OFF: for programs that cannot load code, such
 * as static ones. Every tape is interpreted, with the same values; the note says why. */
#include "native/internal.h"

#include <stdio.h>

#include "expr/internal.h"

picus_status picus_native_create(picus_context *context, const picus_native_request *request,
                                 picus_native_outcome *outcome) {
  (void)context;
  *outcome = (picus_native_outcome){0};
  for (int t = 0; t < request->tape_count; t++) {
    const picus_tape *tape = request->tapes[t];
    if (tape) outcome->operations += tape->first_instruction[tape->stage_count];
  }
  if (outcome->operations > 0)
    (void)snprintf(outcome->note, sizeof outcome->note, "this picus was built without native code");
  return PICUS_OK;
}

void picus_native_destroy(picus_native *native) { (void)native; } /* there is none */
