/* The reason of a failed system call, as text. */
#ifndef PICUS_BASE_REASON_H
#define PICUS_BASE_REASON_H

enum { PICUS_REASON_SIZE = 256 };
void picus_system_reason(int error, char reason[PICUS_REASON_SIZE]); /* text of a system error number */

#endif
