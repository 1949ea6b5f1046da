#define _POSIX_C_SOURCE 200809L
#include "base/reason.h"

#include <stdio.h>
#include <string.h>

void picus_system_reason(int error, char reason[PICUS_REASON_SIZE]) {
  if (strerror_r(error, reason, PICUS_REASON_SIZE) != 0) snprintf(reason, PICUS_REASON_SIZE, "error %d", error);
}
