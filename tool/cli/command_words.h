/* The words of a command as one text, as a shell would read it. */
#ifndef PICUS_CLI_COMMAND_WORDS_H
#define PICUS_CLI_COMMAND_WORDS_H

/* "picus" and the words from the second on; those with other signs than letters, digits and _-+=.,:/@% are in single
 * quotes. To be freed; NULL: out of memory. */
char *cli_join_words(int count, const char *const *words);
/* The words of such a text, ended by NULL; they and the list are one block, to be freed. NULL: out of memory. */
char **cli_split_words(const char *text, int *count);

#endif
