/* Programs that are started, pipes to them, and code that is loaded. Functions that may fail return 0, or an error
 * number of <errno.h>. */
#ifndef PICUS_PLATFORM_PROCESSES_H
#define PICUS_PLATFORM_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct picus_process {
  intptr_t own;  /* 0: none */
  bool is_group; /* it ends with all that it has started */
} picus_process;

typedef struct picus_program {
  const char *const *words;  /* ended by NULL; no shell reads them */
  const char *path;          /* NULL: words[0] is looked for in PATH */
  const char *folder;        /* it works there; NULL: in that of this process */
  int input, output, errors; /* descriptors; -1: input is empty, output and errors are those of this process */
  bool is_group;
} picus_program;

typedef enum picus_process_state {
  PICUS_PROCESS_RUNS,
  PICUS_PROCESS_ENDED,  /* code */
  PICUS_PROCESS_KILLED, /* by a signal: code */
  PICUS_PROCESS_UNKNOWN /* this program does not learn how its processes end */
} picus_process_state;

int picus_process_start(const picus_program *program, picus_process *out);
/* waits: until it has ended. A process that has ended is forgotten. */
picus_process_state picus_process_look(picus_process *process, bool waits, int *code);
void picus_process_ask_to_end(const picus_process *process);
void picus_process_kill(const picus_process *process);

/* The program at the path takes the place of this one; returns only if that fails. */
int picus_process_become(const char *path, const char *const *words);

int picus_pipe(int ends[2]); /* to read, to write; programs that are started get neither but as their streams */
/* The next bytes of a pipe, or EAGAIN after some milliseconds without any; *size 0: its end. */
int picus_pipe_read(int descriptor, int milliseconds, void *bytes, size_t *size);

/* A program of the folders of PATH. */
bool picus_find_program(const char *name, char *path, size_t size);
int picus_own_program(char *path, size_t size); /* the file of this program */

/* --- code that is loaded ------------------------------------------------------------------------------------------ */

void *picus_code_load(const char *path, const char **reason); /* NULL: it cannot be loaded */
void *picus_code_find(void *code, const char *name);
void picus_code_unload(void *code);
const char *picus_machine_name(char *name, size_t size); /* the kind of CPU, such as x86_64 */

#endif
