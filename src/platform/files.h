/* Files and folders of the operating system. Every function that may fail returns 0, or an error number of <errno.h>;
 * interrupted calls are continued. Paths are UTF-8, on Windows as well. Nothing here reports or allocates: rooms above
 * say in messages what was to be done. */
#ifndef PICUS_PLATFORM_FILES_H
#define PICUS_PLATFORM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PICUS_PATH_SIZE = 4096 };

/* --- what a name leads to ----------------------------------------------------------------------------------------- */

typedef enum picus_file_kind {
  PICUS_REGULAR_FILE = 1,
  PICUS_FOLDER,
  PICUS_SYMBOLIC_LINK,
  PICUS_OTHER_FILE /* a pipe, a device */
} picus_file_kind;

typedef struct picus_facts {
  picus_file_kind kind;
  uint64_t device, inode;   /* two names with the same pair are one file */
  int64_t size;             /* bytes */
  int64_t changed;          /* ns since 1970 */
  int64_t names;            /* hard links */
  bool is_mine, is_private; /* it belongs to the user of the process; no other user can write it */
} picus_facts;

int picus_facts_of(const char *path, picus_facts *out);      /* links are followed */
int picus_facts_of_name(const char *path, picus_facts *out); /* links are not followed */
int picus_facts_of_open(int descriptor, picus_facts *out);
bool picus_path_exists(const char *path);
bool picus_same_facts(const picus_facts *a, const picus_facts *b); /* of one file */
int picus_check_writable(const char *path); /* may this user write it; in a folder, make files? */
int picus_read_link(const char *path, char text[PICUS_PATH_SIZE]);
int picus_real_path(const char *path, char out[PICUS_PATH_SIZE]); /* absolute, without links */
bool picus_is_separator(char c);                                  /* between folders in a path */
const char *picus_last_separator(const char *path);               /* NULL: none */
bool picus_is_absolute(const char *path);
bool picus_user_is_changed(void); /* the program runs for another user than the one who started it */

/* --- open files --------------------------------------------------------------------------------------------------- */

/* How a file is opened. Programs that are started do not get it. Without PICUS_OPEN_WAITS a pipe is not waited for. */
enum {
  PICUS_OPEN_READ = 1,
  PICUS_OPEN_WRITE = 2,
  PICUS_OPEN_CREATE = 4,
  PICUS_OPEN_NEW = 8,    /* fails if the file exists */
  PICUS_OPEN_EMPTY = 16, /* cuts it */
  PICUS_OPEN_APPEND = 32,
  PICUS_OPEN_NO_LINK = 64, /* fails if the name is a symbolic link */
  PICUS_OPEN_WAITS = 128,
  PICUS_OPEN_PRIVATE = 256 /* what is created is for this user alone */
};
int picus_file_open(const char *path, unsigned how, int *descriptor); /* on failure descriptor is -1 */
int picus_file_close(int descriptor);
/* Until size bytes are there or the file ends. */
int picus_file_read(int descriptor, void *bytes, size_t size, size_t *done);
int picus_file_read_at(int descriptor, uint64_t place, void *bytes, size_t size, size_t *done);
/* All bytes; done, which may be NULL, has how many were written before a failure. */
int picus_file_write(int descriptor, const void *bytes, size_t size, size_t *done);
int picus_file_write_at(int descriptor, uint64_t place, const void *bytes, size_t size);
int picus_file_seek(int descriptor, uint64_t place);
int picus_file_resize(int descriptor, uint64_t size);
int picus_file_sync(int descriptor); /* to the disk */
int picus_file_duplicate(int descriptor, int *copy);
void picus_file_copy_access(int descriptor, const char *path); /* owner and rights of another file, where possible */
int picus_file_make_private(int descriptor);
double picus_file_free_bytes(int descriptor); /* of its disk; INFINITY: unknown */
/* A lock lasts until the descriptor is closed, or its process ends in any way. EAGAIN: another one has it. Reading and
 * writing do not ask for it. */
int picus_file_lock(int descriptor);
bool picus_file_is_locked(int descriptor); /* by another one */

FILE *picus_stream_read(const char *path); /* bytes as they are; NULL: errno says why */
FILE *picus_stream_of(int descriptor); /* to write; takes the descriptor over, unless it fails: NULL, errno says why */

/* --- names and folders -------------------------------------------------------------------------------------------- */

int picus_rename(const char *from, const char *to);        /* replaces a file */
int picus_move_aside(const char *from, const char *to);    /* EEXIST: replaces nothing */
int picus_second_name(const char *path, const char *name); /* of the same file, where the file system has such names */
int picus_remove(const char *path);                        /* a file */
int picus_note_use(const char *path);                      /* sets its time of change to now */
int picus_folder_make(const char *path);                   /* EEXIST: something has the name */
int picus_folder_make_private(const char *path);
int picus_folder_make_unique(char *path);  /* its end, XXXXXX, is replaced */
int picus_folder_remove(const char *path); /* an empty one */
void picus_folder_sync(const char *path);  /* new names reach the disk, where the system supports it */
/* Calls visit with each name but . and .., in any order, until it returns false. */
typedef bool (*picus_name_fn)(void *user, const char *name);
int picus_folder_list(const char *path, picus_name_fn visit, void *user);
const char *picus_folder_for_temporary_files(void);

#endif
