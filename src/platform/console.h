/* The terminal and the streams of a program, and requests to end it. For programs, not for the library. */
#ifndef PICUS_PLATFORM_CONSOLE_H
#define PICUS_PLATFORM_CONSOLE_H

#include <stdbool.h>
#include <stdio.h>

/* Called first in main. The words become UTF-8; standard streams that are closed are occupied, so that no file gets
 * their numbers; exceeding a limit of file sizes is an error of writing, like a full disk, and no signal. */
void picus_console_begin(int *argc, char ***argv);
bool picus_console_is_terminal(FILE *stream);

/* Ctrl-C, and requests to end by other programs, only set a flag; the second one ends the program at once. */
void picus_console_catch_ends(void);
bool picus_console_end_is_wanted(void);
/* Writing into a pipe without a reader is an error, no signal. */
void picus_console_ignore_broken_pipes(void);

/* From here on what is printed to standard output goes to standard error; the descriptor leads to where standard output
 * led. Returns 0 or an error number. */
int picus_console_divert_output(int *descriptor);

#endif
