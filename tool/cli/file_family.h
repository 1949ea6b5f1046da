/* A file and those whose names Picus derives from its name: F, F.part, F.part.1, F.checkpoint, ... (file_names.h). */
#ifndef PICUS_CLI_FILE_FAMILY_H
#define PICUS_CLI_FILE_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_file_id {
  uint64_t device, inode;
} cli_file_id;

typedef enum cli_family_kind {
  CLI_FAMILY_ALL,   /* the file and all that is derived from its name */
  CLI_FAMILY_READ,  /* what a reader opens: the file, or its part if there is only that */
  CLI_FAMILY_MEMBER /* a file in an output folder, whose links are not followed, and its part */
} cli_family_kind;

typedef struct cli_family {
  bool has_folder;
  cli_file_id folder; /* of the file, after resolving links */
  char *name;         /* in that folder */
  int count, capacity;
  cli_file_id *files; /* the regular files that exist */
} cli_family;

/* false: out of memory. To be released in any case. */
bool cli_family_find(const char *path, cli_family_kind kind, cli_family *out);
void cli_family_release(cli_family *family);
bool cli_family_share(const cli_family *a, const cli_family *b); /* a file that exists */
/* Whether they will have the same name, or the name of one is derived from that of the other. */
bool cli_family_same_name(const cli_family *a, const cli_family *b);
bool cli_family_derived_name(const cli_family *a, const cli_family *b);

#endif
