/* A library for LD_PRELOAD that makes the system fail on purpose. It is built for tests only.
 *
 * PICUS_FAULTS lists faults, separated by commas: KIND:N:WHAT strikes at the N-th call of a kind, counted from 1, and
 * KIND:N+:WHAT at this and all later ones.
 *
 *   KIND  write (write, pwrite), sync (fsync, fdatasync), rename (rename, link), unlink (unlink, remove),
 *         truncate (ftruncate), open (open, openat, fopen), read (read, pread), memory (malloc, calloc, realloc and
 *         their like, called by the program itself), foreign (the same, called by shared libraries), time (the calendar
 *         clock: clock_gettime, gettimeofday, time), change (all that change files: write, sync, rename, unlink,
 *         truncate, open)
 *   WHAT  the name of an error, such as ENOSPC; SHORT: half of the bytes; DELAY: 2 ms later; SKIP:
 *         success without the call, for sync, whose effect no test on a running machine can see; KILL: SIGKILL before
 * the call, KILLED: after it, TORN: after half of its bytes; STOP: SIGSTOP before it; TERM, INT, HUP: that signal
 *         before it; for time a number of seconds, by which the clock jumps
 *
 * Only calls of the program itself count, apart from "foreign": what shared libraries do with files of their own, such
 * as fonts, is theirs. HDF5 counts as a shared library also where it is part of the program. Files are those with
 * descriptors beyond standard error. PICUS_FAULT_COUNTS names a file: at its end, the process adds a line to it for
 * each kind, with the number of calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef enum fault_kind {
  KIND_WRITE,
  KIND_SYNC,
  KIND_RENAME,
  KIND_UNLINK,
  KIND_TRUNCATE,
  KIND_OPEN,
  KIND_READ,
  KIND_MEMORY,
  KIND_FOREIGN,
  KIND_TIME,
  KIND_CHANGE,
  KIND_COUNT
} fault_kind;

static const char *const kind_names[KIND_COUNT] = {"write", "sync",   "rename",  "unlink", "truncate", "open",
                                                   "read",  "memory", "foreign", "time",   "change"};

/* An error number is positive. */
enum { WHAT_SHORT = -100, WHAT_DELAY, WHAT_KILL, WHAT_KILLED, WHAT_TORN, WHAT_SIGNAL, WHAT_SKIP, WHAT_JUMP };

typedef struct fault {
  fault_kind kind;
  long number;
  bool stays;
  int what;
  long value; /* signal, or seconds */
} fault;

enum { FAULTS_MOST = 8 };
static fault faults[FAULTS_MOST];
static int fault_count;
static atomic_long calls[KIND_COUNT];
static uintptr_t program_from, program_to; /* the code of the program */
static char counts_path[512];

/* --- what is asked for ------------------------------------------------------------------------------------------ */

typedef struct named_number {
  const char *name;
  int what;
  long value;
} named_number;

static const named_number whats[] = {{"ENOSPC", ENOSPC, 0},
                                     {"EIO", EIO, 0},
                                     {"EDQUOT", EDQUOT, 0},
                                     {"EROFS", EROFS, 0},
                                     {"EINTR", EINTR, 0},
                                     {"EACCES", EACCES, 0},
                                     {"EMFILE", EMFILE, 0},
                                     {"ENOMEM", ENOMEM, 0},
                                     {"EXDEV", EXDEV, 0},
                                     {"EPERM", EPERM, 0},
                                     {"SHORT", WHAT_SHORT, 0},
                                     {"DELAY", WHAT_DELAY, 0},
                                     {"KILL", WHAT_KILL, 0},
                                     {"KILLED", WHAT_KILLED, 0},
                                     {"TORN", WHAT_TORN, 0},
                                     {"SKIP", WHAT_SKIP, 0},
                                     {"STOP", WHAT_SIGNAL, SIGSTOP},
                                     {"TERM", WHAT_SIGNAL, SIGTERM},
                                     {"INT", WHAT_SIGNAL, SIGINT},
                                     {"HUP", WHAT_SIGNAL, SIGHUP}};

/* A test that asks for what is not known must not pass. */
static void give_up(const char *text) {
  static const char message[] = "faults: PICUS_FAULTS is wrong: ";
  (void)!syscall(SYS_write, STDERR_FILENO, message, sizeof message - 1);
  (void)!syscall(SYS_write, STDERR_FILENO, text, strlen(text));
  (void)!syscall(SYS_write, STDERR_FILENO, "\n", 1);
  _exit(99);
}

static bool read_fault(char *text, fault *out) {
  char *number = strchr(text, ':'), *what = number ? strchr(number + 1, ':') : NULL, *end;
  if (!what) return false;
  *number++ = '\0';
  *what++ = '\0';
  int kind = 0;
  while (kind < KIND_COUNT && strcmp(kind_names[kind], text) != 0) kind++;
  *out = (fault){.kind = (fault_kind)kind, .number = strtol(number, &end, 10)};
  out->stays = *end == '+';
  if (kind == KIND_COUNT || end == number || (*end && !out->stays)) return false;
  for (size_t k = 0; k < sizeof whats / sizeof whats[0]; k++)
    if (strcmp(whats[k].name, what) == 0) {
      out->what = whats[k].what;
      out->value = whats[k].value;
      return true;
    }
  out->what = WHAT_JUMP;
  out->value = strtol(what, &end, 10);
  return kind == KIND_TIME && end != what && !*end;
}

/* --- the code of the program, and of HDF5 in it ----------------------------------------------------------------- */

/* Functions of HDF5, if the program contains it: their calls are foreign. */
typedef struct code_range {
  uintptr_t from, to;
} code_range;
static code_range *hdf5_code;
static size_t hdf5_count;

static int compare_ranges(const void *a, const void *b) {
  const code_range *left = a, *right = b;
  return (left->from > right->from) - (left->from < right->from);
}

static bool is_hdf5(uintptr_t at) {
  size_t from = 0, to = hdf5_count;
  while (from < to) {
    const size_t middle = (from + to) / 2;
    if (at < hdf5_code[middle].from)
      to = middle;
    else if (at >= hdf5_code[middle].to)
      from = middle + 1;
    else
      return true;
  }
  return false;
}

/* From the symbols of the program, which all begin with H5 in HDF5. `base`: where the program is in memory. */
static void find_hdf5(const unsigned char *file, uintptr_t base) {
  const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(const void *)file;
  const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(const void *)(file + head->e_shoff);
  for (int k = 0; k < head->e_shnum; k++) {
    if (sections[k].sh_type != SHT_SYMTAB) continue;
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)(const void *)(file + sections[k].sh_offset);
    const char *names = (const char *)(file + sections[sections[k].sh_link].sh_offset);
    const size_t count = sections[k].sh_size / sizeof *symbols, size = (count + 1) * sizeof *hdf5_code;
    hdf5_code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; hdf5_code != MAP_FAILED && i < count; i++) {
      const uintptr_t from = base + symbols[i].st_value;
      if ((symbols[i].st_info & 0xF) == STT_FUNC && strncmp(names + symbols[i].st_name, "H5", 2) == 0)
        hdf5_code[hdf5_count++] = (code_range){from, from + symbols[i].st_size};
    }
    if (hdf5_count > 0) qsort(hdf5_code, hdf5_count, sizeof *hdf5_code, compare_ranges);
    return;
  }
}

static void read_symbols(uintptr_t base) {
  const int file = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/exe", O_RDONLY, 0);
  struct stat about;
  if (file < 0) return;
  if (fstat(file, &about) == 0) {
    unsigned char *all = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (all != MAP_FAILED) {
      find_hdf5(all, base);
      munmap(all, (size_t)about.st_size);
    }
  }
  syscall(SYS_close, file);
}

/* The first object is the program. */
static int find_program(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int k = 0; k < info->dlpi_phnum; k++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[k];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    program_from = info->dlpi_addr + part->p_vaddr;
    program_to = program_from + part->p_memsz;
  }
  read_symbols(info->dlpi_addr);
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  const char *wanted = getenv("PICUS_FAULTS"), *path = getenv("PICUS_FAULT_COUNTS");
  static char text[512];
  fault found[FAULTS_MOST];
  int count = 0;
  dl_iterate_phdr(find_program, NULL);
  if (path) snprintf(counts_path, sizeof counts_path, "%s", path);
  snprintf(text, sizeof text, "%s", wanted ? wanted : "");
  for (char *rest = text, *one; (one = strsep(&rest, ",")) && *one;) {
    if (count == FAULTS_MOST || !read_fault(one, &found[count])) give_up(wanted);
    count++;
  }
  memcpy(faults, found, sizeof faults);
  for (int k = 0; k < KIND_COUNT; k++) atomic_store(&calls[k], 0); /* what libraries did before main does not count */
  fault_count = count;
}

__attribute__((destructor)) static void end(void) {
  char text[512];
  int size = 0;
  if (!*counts_path) return;
  for (int k = 0; k < KIND_COUNT; k++)
    size += snprintf(text + size, sizeof text - (size_t)size, "%s %ld\n", kind_names[k], atomic_load(&calls[k]));
  int file = (int)syscall(SYS_openat, AT_FDCWD, counts_path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0) return;
  (void)!syscall(SYS_write, file, text, (size_t)size);
  syscall(SYS_close, file);
}

/* --- what happens to a call ------------------------------------------------------------------------------------- */

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

/* The fault of a call that is number `number` of its kind, or NULL. */
static const fault *fault_of(fault_kind kind, long number) {
  for (int k = 0; k < fault_count; k++) {
    const fault *f = &faults[k];
    if (f->kind == kind && (number == f->number || (f->stays && number > f->number))) return f;
  }
  return NULL;
}

/* Whether the program itself called a function, and not HDF5 in it, which the address of return shows. */
#define IS_OWN() is_own(__builtin_return_address(0))
static bool is_own(const void *caller) {
  const uintptr_t at = (uintptr_t)caller;
  return at >= program_from && at < program_to && !is_hdf5(at);
}

static bool changes_files(fault_kind kind) { return kind <= KIND_OPEN; }

/* Counts a call; the fault that strikes it, or NULL. What can be done before the call is done here. */
static const fault *strike(fault_kind kind, bool own) {
  if (!own) return NULL;
  const fault *f = fault_of(kind, 1 + atomic_fetch_add(&calls[kind], 1));
  if (changes_files(kind)) {
    const fault *common = fault_of(KIND_CHANGE, 1 + atomic_fetch_add(&calls[KIND_CHANGE], 1));
    if (common) f = common;
  }
  if (!f) return NULL;
  if (f->what == WHAT_KILL) die();
  if (f->what == WHAT_DELAY) nanosleep(&(struct timespec){0, 2000000}, NULL);
  if (f->what == WHAT_SIGNAL) syscall(SYS_kill, getpid(), f->value);
  return f->what == WHAT_DELAY || f->what == WHAT_SIGNAL ? NULL : f;
}

static bool fails(const fault *f) {
  if (!f || f->what <= 0) return false;
  errno = f->what;
  return true;
}

static void after(const fault *f) {
  if (f && (f->what == WHAT_KILLED || f->what == WHAT_TORN)) die();
}

/* How many of the bytes are written or read. */
static size_t share(const fault *f, size_t size) {
  return f && (f->what == WHAT_SHORT || f->what == WHAT_TORN) && size > 1 ? size / 2 : size;
}

static bool is_file(int descriptor) { return descriptor > STDERR_FILENO; }

/* --- files ------------------------------------------------------------------------------------------------------ */

static ssize_t write_bytes(bool own, int descriptor, const void *bytes, size_t size, off64_t offset) {
  const fault *f = strike(KIND_WRITE, own && is_file(descriptor));
  if (fails(f)) return -1;
  const size_t part = share(f, size);
  ssize_t done =
      offset < 0 ? syscall(SYS_write, descriptor, bytes, part) : syscall(SYS_pwrite64, descriptor, bytes, part, offset);
  after(f);
  return done;
}
EXPORT ssize_t write(int descriptor, const void *bytes, size_t size) {
  return write_bytes(IS_OWN(), descriptor, bytes, size, -1);
}
EXPORT ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
  return write_bytes(IS_OWN(), descriptor, bytes, size, offset);
}
EXPORT ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  return write_bytes(IS_OWN(), descriptor, bytes, size, offset);
}

static ssize_t read_bytes(bool own, int descriptor, void *bytes, size_t size, off64_t offset) {
  const fault *f = strike(KIND_READ, own && is_file(descriptor));
  if (fails(f)) return -1;
  const size_t part = share(f, size);
  return offset < 0 ? syscall(SYS_read, descriptor, bytes, part)
                    : syscall(SYS_pread64, descriptor, bytes, part, offset);
}
EXPORT ssize_t read(int descriptor, void *bytes, size_t size) {
  return read_bytes(IS_OWN(), descriptor, bytes, size, -1);
}
EXPORT ssize_t pread64(int descriptor, void *bytes, size_t size, off64_t offset) {
  return read_bytes(IS_OWN(), descriptor, bytes, size, offset);
}
EXPORT ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
  return read_bytes(IS_OWN(), descriptor, bytes, size, offset);
}

/* A system call with numbers as its arguments. */
static int plain(const fault *f, long number, long first, long second) {
  if (fails(f)) return -1;
  int result = f && f->what == WHAT_SKIP ? 0 : (int)syscall(number, first, second);
  after(f);
  return result;
}
EXPORT int fsync(int descriptor) { return plain(strike(KIND_SYNC, IS_OWN()), SYS_fsync, descriptor, 0); }
EXPORT int fdatasync(int descriptor) { return plain(strike(KIND_SYNC, IS_OWN()), SYS_fdatasync, descriptor, 0); }
EXPORT int ftruncate64(int descriptor, off64_t size) {
  return plain(strike(KIND_TRUNCATE, IS_OWN()), SYS_ftruncate, descriptor, (long)size);
}
EXPORT int ftruncate(int descriptor, off_t size) {
  return plain(strike(KIND_TRUNCATE, IS_OWN()), SYS_ftruncate, descriptor, size);
}

/* The same with names of files. */
static int named(const fault *f, int (*call)(const char *first, const char *second), const char *first,
                 const char *second) {
  if (fails(f)) return -1;
  int result = call(first, second);
  after(f);
  return result;
}
static int call_rename(const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
static int call_link(const char *from, const char *to) {
  return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
static int call_unlink(const char *path, const char *unused) {
  (void)unused;
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
EXPORT int rename(const char *from, const char *to) {
  return named(strike(KIND_RENAME, IS_OWN()), call_rename, from, to);
}
EXPORT int link(const char *from, const char *to) { return named(strike(KIND_RENAME, IS_OWN()), call_link, from, to); }
EXPORT int unlink(const char *path) { return named(strike(KIND_UNLINK, IS_OWN()), call_unlink, path, NULL); }
EXPORT int remove(const char *path) { return named(strike(KIND_UNLINK, IS_OWN()), call_unlink, path, NULL); }

static int call_open(const fault *f, int folder, const char *path, int flags, mode_t mode) {
  if (fails(f)) return -1;
  int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
  after(f);
  return descriptor;
}

#define OPEN_FUNCTION(name, parameters, folder)                                                                        \
  EXPORT int name parameters {                                                                                         \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    const bool creates = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;                                        \
    const mode_t mode = creates ? va_arg(list, mode_t) : 0;                                                            \
    va_end(list);                                                                                                      \
    return call_open(strike(KIND_OPEN, IS_OWN()), folder, file, flags, mode);                                          \
  }
OPEN_FUNCTION(open, (const char *file, int flags, ...), AT_FDCWD)
OPEN_FUNCTION(open64, (const char *file, int flags, ...), AT_FDCWD)
OPEN_FUNCTION(openat, (int folder, const char *file, int flags, ...), folder)
OPEN_FUNCTION(openat64, (int folder, const char *file, int flags, ...), folder)

static FILE *call_fopen(const fault *f, const char *name, const char *path, const char *mode) {
  FILE *(*next)(const char *, const char *);
  *(void **)&next = dlsym(RTLD_NEXT, name);
  if (fails(f)) return NULL;
  FILE *file = next(path, mode);
  after(f);
  return file;
}
EXPORT FILE *fopen(const char *path, const char *mode) {
  return call_fopen(strike(KIND_OPEN, IS_OWN()), "fopen", path, mode);
}
EXPORT FILE *fopen64(const char *path, const char *mode) {
  return call_fopen(strike(KIND_OPEN, IS_OWN()), "fopen64", path, mode);
}

/* --- memory ----------------------------------------------------------------------------------------------------- */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static bool refused(bool own) {
  if (!strike(own ? KIND_MEMORY : KIND_FOREIGN, true)) return false;
  errno = ENOMEM;
  return true;
}

EXPORT void *malloc(size_t size) { return refused(IS_OWN()) ? NULL : __libc_malloc(size); }
EXPORT void *calloc(size_t count, size_t size) { return refused(IS_OWN()) ? NULL : __libc_calloc(count, size); }
EXPORT void *realloc(void *old, size_t size) {
  return size > 0 && refused(IS_OWN()) ? NULL : __libc_realloc(old, size);
}
EXPORT void *memalign(size_t alignment, size_t size);
EXPORT void *memalign(size_t alignment, size_t size) {
  return refused(IS_OWN()) ? NULL : __libc_memalign(alignment, size);
}
EXPORT void *aligned_alloc(size_t alignment, size_t size) {
  return refused(IS_OWN()) ? NULL : __libc_memalign(alignment, size);
}
EXPORT int posix_memalign(void **out, size_t alignment, size_t size) {
  if (refused(IS_OWN())) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

/* --- the calendar clock ----------------------------------------------------------------------------------------- */

/* Monotonic clocks never jump: that is what they are for. */
EXPORT int clock_gettime(clockid_t clock, struct timespec *out) {
  int result = (int)syscall(SYS_clock_gettime, clock, out);
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return result;
  const fault *f = strike(KIND_TIME, true);
  if (f && f->what == WHAT_JUMP && result == 0) out->tv_sec += f->value;
  return result;
}

EXPORT time_t time(time_t *out) {
  struct timespec now;
  time_t seconds = clock_gettime(CLOCK_REALTIME, &now) == 0 ? now.tv_sec : (time_t)-1;
  if (out) *out = seconds;
  return seconds;
}

EXPORT int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
