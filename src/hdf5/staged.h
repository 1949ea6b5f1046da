/* A file whose changes become visible together: the file layer of the HDF5 sink.
 *
 * HDF5 updates a file in place, in its own order, and a write that fails half way leaves a broken file. Here raw data
 * goes to the file at once, into space that nothing in the file refers to yet, while metadata is staged in memory. A
 * commit then writes the staged pieces in an order in which the file is readable after each of them:
 *   1. pieces behind the end of the last commit, which nothing refers to yet: only these can meet a full disk;
 *   2. pieces inside it, by their order number: nodes in space that was kept for them, which nothing refers to either;
 *      the superblock (where the file ends), the chunk indices from root to leaf (a parent may know more than its
 * children are asked for), last the dataset headers (how long a dataset is). If anything before step 2 fails, nothing
 * staged reaches the file, and what is on the disk is the last commit. A process killed at any moment leaves the last
 * commit, or in the middle of step 2 datasets of which some already have the rows of the new block. */
#ifndef PICUS_HDF5_STAGED_H
#define PICUS_HDF5_STAGED_H

#include <picus/base.h>

typedef struct picus_staged_file picus_staged_file;

typedef enum picus_staged_mode {
  PICUS_STAGED_CREATE, /* a new file, or an old one emptied */
  PICUS_STAGED_CHANGE, /* an existing file; its present length counts as committed */
  PICUS_STAGED_READ    /* an existing file that is left as it is */
} picus_staged_mode;
/* On failure NULL and the system's error number in *error. */
picus_staged_file *picus_staged_open(picus_context *context, const char *path, picus_staged_mode mode, int *error);
/* The same for a file that is open; the descriptor stays the caller's. */
picus_staged_file *picus_staged_attach(picus_context *context, int descriptor, picus_staged_mode mode, int *error);
/* Of a file that is only read: takes note that it has grown. */
void picus_staged_renew(picus_staged_file *file);
/* Closes the file; uncommitted pieces are dropped, and the file ends where the last commit ended. */
void picus_staged_close(picus_staged_file *file);

/* Reading includes staged pieces. false: the file cannot be read, see picus_staged_error. Beyond its end there are
 * zeros. */
bool picus_staged_read(picus_staged_file *file, uint64_t address, size_t size, void *bytes);
/* Writes never report failure to HDF5, which could then neither continue nor close the file: the file stores the first
 * error and rejects later commits. */
void picus_staged_write_data(picus_staged_file *file, uint64_t address, size_t size, const void *bytes);
void picus_staged_write_metadata(picus_staged_file *file, uint64_t address, size_t size, int order, const void *bytes);
/* A file that is only read and should be longer: it was cut. It then has that length; bytes that are missing are zeros,
 * and reading them is noted. */
void picus_staged_expect(picus_staged_file *file, uint64_t length);
bool picus_staged_is_cut(const picus_staged_file *file);
/* The bytes that the file really has. */
uint64_t picus_staged_size(const picus_staged_file *file);
/* Whether missing bytes were read since the last call; and takes note that they were. */
bool picus_staged_take_miss(picus_staged_file *file);
void picus_staged_miss(picus_staged_file *file);
/* While it is probed, data is not read, only looked for. */
void picus_staged_probe(picus_staged_file *file, bool probes);
bool picus_staged_look_for(picus_staged_file *file, uint64_t address, size_t size); /* false: read it */
/* The data that was looked for since the last call; false: none. */
bool picus_staged_take_place(picus_staged_file *file, uint64_t *address, size_t *size);
/* Memory ran out while it was read; and whether it did since the last call. */
void picus_staged_lack_memory(picus_staged_file *file);
bool picus_staged_take_lack(picus_staged_file *file);
picus_context *picus_staged_context(const picus_staged_file *file);
/* The length of the file after the next commit, and its current length including staged pieces. */
void picus_staged_set_length(picus_staged_file *file, uint64_t length);
uint64_t picus_staged_length(const picus_staged_file *file);

/* false: this or an earlier call failed, see picus_staged_error. */
bool picus_staged_commit(picus_staged_file *file);
uint64_t picus_staged_commits(const picus_staged_file *file); /* how many there were */
int picus_staged_error(const picus_staged_file *file);        /* 0, or the system's error number */
/* Makes the file fail as if a call of the system had. */
void picus_staged_fail(picus_staged_file *file, int error);

#endif
