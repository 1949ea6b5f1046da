/* The tool as a process, with faults of the system (support/shim/faults.c). */
#ifndef PICUS_TEST_TOOL_H
#define PICUS_TEST_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { TOOL_TEXT = 4000, TOOL_WORDS = 64 };

typedef struct tool_end {
  int code;   /* exit code; -1: ended by the signal */
  int signal; /* 0: none */
  char errors[TOOL_TEXT], output[TOOL_TEXT];
} tool_end;

/* The words of a command without its first, "picus": "run woodpecker --t-end 0.1". Words have no spaces. faults are
 * those of PICUS_FAULTS; NULL: none, and the shim is not loaded. */
tool_end tool_run(const char *command, const char *faults);
/* The same in two parts; tool_start returns the process. */
pid_t tool_start(const char *command, const char *faults);
tool_end tool_wait(pid_t process);
/* Where its standard output and error go; tool_wait reads them. */
const char *tool_errors_path(pid_t process);

/* How many calls of some kinds a command makes. false: it did not succeed; said already. */
bool tool_count(const char *command, int kind_count, const char *const *kinds, long *calls);

/* Faults need a program that is not built with sanitizers, whose functions stand in for the same ones. */
bool tool_takes_faults(void);
bool tool_skips_faults(void); /* it does not, and the case is skipped */

#endif
