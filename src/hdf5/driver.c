/* An HDF5 file driver over a staged file: raw data goes to the file at once, metadata waits for the commit.
 *
 * The nodes of chunk indices get a place of their own. When a root is full, HDF5 moves it to a new place, so that the
 * index of the first chunks would lie behind all of them, and a file that is cut before it would have lost everything.
 */
#include "base/internal.h"
#include "hdf5/support.h"

#include <errno.h>
#include <string.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* Space for nodes, taken from its start on. Nodes from `fresh` on are new since the last commit. */
typedef struct node_space {
  haddr_t fresh, next, end;
} node_space;

/* A file of HDF5: the part of HDF5 comes first. */
typedef struct driver_file {
  H5FD_t own;
  picus_staged_file *staged;
  picus_context *context;
  hid_t driver;             /* held until the file is closed: HDF5 gives its own hold away before it calls the driver */
  haddr_t allocated;        /* end of the space that is given away */
  hsize_t node_bytes;       /* of each space for nodes; 0: there is none */
  node_space nodes, before; /* the present one, and the one before it */
  uint64_t commits;         /* of which the spaces know */
} driver_file;

/* Travels in the file access property list. */
typedef struct driver_info {
  picus_staged_file *staged;
  picus_context *context;
} driver_info;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t largest) {
  (void)name;
  (void)flags;
  (void)largest;
  const driver_info *info = H5Pget_driver_info(access);
  if (!info) return NULL;
  driver_file *file = picus_allocate(info->context, 1, sizeof *file);
  if (!file) {
    picus_staged_fail(info->staged, ENOMEM);
    return NULL;
  }
  file->staged = info->staged;
  file->context = info->context;
  file->driver = H5Pget_driver(access);
  if (file->driver >= 0) H5Iinc_ref(file->driver);
  return &file->own;
}

static herr_t driver_close(H5FD_t *own) {
  driver_file *file = (driver_file *)own;
  const hid_t driver = file->driver;
  picus_release(file->context, file);
  if (driver >= 0) H5Idec_ref(driver);
  return 0;
}

static int driver_compare(const H5FD_t *a, const H5FD_t *b) {
  uintptr_t first = (uintptr_t)((const driver_file *)a)->staged, second = (uintptr_t)((const driver_file *)b)->staged;
  return (first > second) - (first < second);
}

static herr_t driver_query(const H5FD_t *own, unsigned long *flags) {
  (void)own;
  *flags =
      H5FD_FEAT_DEFAULT_VFD_COMPATIBLE; /* neither collects nor delays writes: each piece of metadata comes alone */
  return 0;
}

static haddr_t driver_get_allocated(const H5FD_t *own, H5FD_mem_t type) {
  (void)type;
  return ((const driver_file *)own)->allocated;
}

static herr_t driver_set_allocated(H5FD_t *own, H5FD_mem_t type, haddr_t address) {
  (void)type;
  driver_file *file = (driver_file *)own;
  file->allocated = address;
  picus_staged_set_length(file->staged, address);
  return 0;
}

/* Of the end of the file. HADDR_UNDEF: it would be too long. */
static haddr_t take_end(driver_file *file, hsize_t size) {
  const haddr_t address = file->allocated;
  if (size > INT64_MAX - address) return HADDR_UNDEF;
  driver_set_allocated(&file->own, H5FD_MEM_DEFAULT, address + size);
  return address;
}

/* Filled with zeros at once: a full disk is met before a commit, not within it. */
static bool open_nodes(driver_file *file, hsize_t least) {
  static const unsigned char zeros[8192];
  enum { SHARE = 32 }; /* of the file, which may become many times as long */
  hsize_t size = file->node_bytes > least ? file->node_bytes : least;
  if (file->nodes.end > 0 && size < file->allocated / SHARE) size = file->allocated / SHARE;
  const haddr_t start = take_end(file, size);
  if (start == HADDR_UNDEF) return false;
  for (hsize_t k = 0; k < size; k += sizeof zeros)
    picus_staged_write_data(file->staged, start + k, size - k < sizeof zeros ? (size_t)(size - k) : sizeof zeros,
                            zeros);
  file->before = file->nodes;
  file->nodes = (node_space){start, start, start + size};
  return true;
}

static void notice_commit(driver_file *file) {
  const uint64_t commits = picus_staged_commits(file->staged);
  if (commits == file->commits) return;
  file->commits = commits;
  file->nodes.fresh = file->nodes.next;
  file->before.fresh = file->before.next;
}

static haddr_t driver_allocate(H5FD_t *own, H5FD_mem_t type, hid_t transfer, hsize_t size) {
  (void)transfer;
  driver_file *file = (driver_file *)own;
  node_space *nodes = &file->nodes;
  notice_commit(file);
  if (file->node_bytes > 0 && nodes->end == 0 && !open_nodes(file, 0)) return HADDR_UNDEF;
  if (type != H5FD_MEM_BTREE || file->node_bytes == 0) return take_end(file, size);
  if (size > nodes->end - nodes->next && !open_nodes(file, size)) return HADDR_UNDEF;
  nodes->next += size;
  return nodes->next - size;
}

static haddr_t driver_get_end(const H5FD_t *own, H5FD_mem_t type) {
  (void)type;
  return picus_staged_length(((const driver_file *)own)->staged);
}

/* HDF5 1.10 cannot close a file, nor itself, after some reads that failed. It gets zeros, which it rejects like those
 * of a damaged file; picus_hdf5_read_status has the reason. */
static herr_t driver_read(H5FD_t *own, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *bytes) {
  (void)transfer;
  picus_staged_file *staged = ((driver_file *)own)->staged;
  /* nothing is stored then: in a hostile file, the size of a chunk need not be that of its buffer */
  if (type == H5FD_MEM_DRAW && picus_staged_look_for(staged, address, size)) return 0;
  if (!picus_staged_read(staged, address, size, bytes)) memset(bytes, 0, size);
  return 0;
}

static herr_t driver_get_handle(H5FD_t *own, hid_t access, void **handle) {
  (void)access;
  *handle = own;
  return 0;
}

static bool is_fresh(const node_space *nodes, haddr_t address) {
  return address >= nodes->fresh && address < nodes->next;
}

/* When a piece of metadata reaches the file in a commit: nodes that nothing refers to yet, superblock, chunk indices
 * from root to leaf, the rest. A node of a version 1 B-tree starts with "TREE", its type and its level (HDF5 file
 * format specification, III.A.1). */
static int commit_order(driver_file *file, H5FD_mem_t type, haddr_t address, size_t size, const void *bytes) {
  const unsigned char *node = bytes;
  notice_commit(file);
  if (is_fresh(&file->nodes, address) || is_fresh(&file->before, address)) return -1;
  if (type == H5FD_MEM_SUPER) return 0;
  if (type == H5FD_MEM_BTREE && size > 5 && memcmp(node, "TREE", 4) == 0) return 256 - node[5];
  return 257;
}

static herr_t driver_write(H5FD_t *own, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *bytes) {
  (void)transfer;
  driver_file *file = (driver_file *)own;
  if (type == H5FD_MEM_DRAW)
    picus_staged_write_data(file->staged, address, size, bytes);
  else
    picus_staged_write_metadata(file->staged, address, size, commit_order(file, type, address, size, bytes), bytes);
  return 0;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)511, /* in the range HDF5 leaves to drivers that are not registered with it */
#endif
    .name = "picus",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG, /* closing the file closes all its open objects */
    .fapl_size = sizeof(driver_info),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .alloc = driver_allocate,
    .get_eoa = driver_get_allocated,
    .set_eoa = driver_set_allocated,
    .get_eof = driver_get_end,
    .get_handle = driver_get_handle,
    .read = driver_read,
    .write = driver_write,
    .fl_map = H5FD_FLMAP_SINGLE,
};

/* Access properties that lead to the staged file. The driver stays registered as long as a file uses it. */
static hid_t staged_access(picus_context *context, picus_staged_file *staged) {
  hid_t driver = H5FDregister(&driver_class);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  driver_info info = {staged, context};
  bool done = driver >= 0 && access >= 0 && H5Pset_driver(access, driver, &info) >= 0;
  if (driver >= 0) H5FDunregister(driver);
  if (done) return access;
  if (access >= 0) H5Pclose(access);
  return -1;
}

hid_t picus_hdf5_create_staged(picus_context *context, picus_staged_file *staged, const char *name) {
  hid_t access = staged_access(context, staged);
  hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  hid_t file = -1;
  if (access >= 0 && creation >= 0 &&
      H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0)
    file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
  if (creation >= 0) H5Pclose(creation);
  if (access >= 0) H5Pclose(access);
  return file;
}

static driver_file *driver_file_of(hid_t object) {
  void *handle = NULL;
  hid_t file = H5Iget_file_id(object);
  if (file < 0) return NULL;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) handle = NULL;
  H5Fclose(file);
  return handle;
}

picus_staged_file *picus_hdf5_staged_of(hid_t object) {
  const driver_file *file = driver_file_of(object);
  return file ? file->staged : NULL;
}

bool picus_hdf5_keep_nodes_together(hid_t object, hsize_t bytes) {
  driver_file *file = driver_file_of(object);
  if (file && file->node_bytes == 0) file->node_bytes = bytes;
  return file != NULL;
}

picus_status picus_hdf5_read_status(picus_context *context, picus_staged_file *staged, const char *path,
                                    picus_status status) {
  const int error = staged ? picus_staged_error(staged) : 0;
  char reason[PICUS_REASON_SIZE];
  if (staged && picus_staged_take_lack(staged))
    return picus_fail(context, PICUS_ERROR_MEMORY, "cannot read '%s': out of memory", path);
  if (!error) return status;
  if (error == ENOMEM) return PICUS_ERROR_MEMORY;
  picus_system_reason(error, reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot read '%s': %s", path, reason);
}

hid_t picus_hdf5_open_staged(picus_context *context, picus_staged_file *staged, const char *name, unsigned flags,
                             char reason[PICUS_REASON_SIZE]) {
  hid_t access = staged_access(context, staged);
  hid_t file = access >= 0 ? H5Fopen(name, flags, access) : -1;
  if (file < 0 && reason) picus_hdf5_reason(reason);
  if (access >= 0) H5Pclose(access);
  return file;
}
