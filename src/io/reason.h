/* Why the system refused, in words. */
#ifndef PICUS_IO_REASON_H
#define PICUS_IO_REASON_H

enum { PICUS_REASON_SIZE = 256 };
void picus_system_reason(int error, char reason[PICUS_REASON_SIZE]); /* text of a system error number */

#endif
