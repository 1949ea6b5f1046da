/* Files and folders on Windows. Files are opened so that they can be renamed and removed while they are open, as on
 * other systems; a lock is one byte far behind the end of a file, because Windows lets nobody read bytes that are
 * locked. */
#include "platform/files.h"
#include "platform/windows_names.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* --- names and errors --------------------------------------------------------------------------------------------- */

int picus_windows_error(unsigned long code) {
  static const struct {
    unsigned long code;
    int error;
  } known[] = {{ERROR_SUCCESS, 0},
               {ERROR_FILE_NOT_FOUND, ENOENT},
               {ERROR_PATH_NOT_FOUND, ENOENT},
               {ERROR_INVALID_NAME, ENOENT},
               {ERROR_BAD_NETPATH, ENOENT},
               {ERROR_INVALID_DRIVE, ENOENT},
               {ERROR_NOT_READY, ENOENT},
               {ERROR_MOD_NOT_FOUND, ENOENT},
               {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
               {ERROR_ACCESS_DENIED, EACCES},
               {ERROR_WRITE_PROTECT, EROFS},
               {ERROR_SHARING_VIOLATION, EACCES},
               {ERROR_LOCK_VIOLATION, EAGAIN},
               {ERROR_IO_PENDING, EAGAIN},
               {ERROR_INVALID_HANDLE, EBADF},
               {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
               {ERROR_OUTOFMEMORY, ENOMEM},
               {ERROR_DISK_FULL, ENOSPC},
               {ERROR_HANDLE_DISK_FULL, ENOSPC},
               {ERROR_FILE_EXISTS, EEXIST},
               {ERROR_ALREADY_EXISTS, EEXIST},
               {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
               {ERROR_DIRECTORY, ENOTDIR},
               {ERROR_BROKEN_PIPE, EPIPE},
               {ERROR_NO_DATA, EPIPE},
               {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
               {ERROR_BAD_EXE_FORMAT, ENOEXEC},
               {ERROR_NOT_SUPPORTED, ENOSYS},
               {ERROR_INVALID_PARAMETER, EINVAL}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].code == code) return known[k].error;
  return EIO;
}

int picus_last_windows_error(void) {
  const int error = picus_windows_error(GetLastError());
  return error ? error : EIO;
}

int picus_wide_of(const char *text, picus_wide out) {
  if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, out, PICUS_WIDE_SIZE) > 0) return 0;
  return GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
}

int picus_text_of_wide(const wchar_t *text, char *out, size_t size) {
  if (WideCharToMultiByte(CP_UTF8, 0, text, -1, out, size > INT_MAX ? INT_MAX : (int)size, NULL, NULL) > 0) return 0;
  return GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
}

void *picus_windows_handle(int descriptor) { return (void *)_get_osfhandle(descriptor); }

/* --- what a name leads to ----------------------------------------------------------------------------------------- */

static int64_t since_1970(FILETIME time) {
  const int64_t ticks = (int64_t)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime);
  return (ticks - INT64_C(116444736000000000)) * 100;
}

static int facts_of_handle(HANDLE handle, picus_facts *out) {
  BY_HANDLE_FILE_INFORMATION found;
  *out = (picus_facts){0};
  const DWORD type = GetFileType(handle);
  if (type == FILE_TYPE_PIPE || type == FILE_TYPE_CHAR) {
    out->kind = PICUS_OTHER_FILE;
    return 0;
  }
  if (!GetFileInformationByHandle(handle, &found)) return picus_last_windows_error();
  const bool is_link = found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT;
  const bool is_folder = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
  *out = (picus_facts){.kind = is_link     ? PICUS_SYMBOLIC_LINK
                               : is_folder ? PICUS_FOLDER
                                           : PICUS_REGULAR_FILE,
                       .device = found.dwVolumeSerialNumber,
                       .inode = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow,
                       .size = (int64_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow),
                       .changed = since_1970(found.ftLastWriteTime),
                       .names = found.nNumberOfLinks,
                       .is_mine = true,
                       .is_private = true};
  return 0;
}

static int facts_of_path(const char *path, DWORD flags, picus_facts *out) {
  picus_wide name;
  *out = (picus_facts){0};
  const int error = picus_wide_of(path, name);
  if (error) return error;
  HANDLE handle = CreateFileW(name, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
  if (handle == INVALID_HANDLE_VALUE) return picus_last_windows_error();
  const int reason = facts_of_handle(handle, out);
  CloseHandle(handle);
  return reason;
}

int picus_facts_of(const char *path, picus_facts *out) { return facts_of_path(path, 0, out); }

int picus_facts_of_name(const char *path, picus_facts *out) {
  return facts_of_path(path, FILE_FLAG_OPEN_REPARSE_POINT, out);
}

int picus_facts_of_open(int descriptor, picus_facts *out) {
  HANDLE handle = picus_windows_handle(descriptor);
  *out = (picus_facts){0};
  return handle == INVALID_HANDLE_VALUE ? EBADF : facts_of_handle(handle, out);
}

bool picus_path_exists(const char *path) {
  picus_facts facts;
  return !picus_facts_of(path, &facts);
}

bool picus_same_facts(const picus_facts *a, const picus_facts *b) {
  return a->device == b->device && a->inode == b->inode;
}

/* Rights are lists; what they forbid shows when the file is opened. */
int picus_check_writable(const char *path) {
  picus_wide name;
  const int error = picus_wide_of(path, name);
  if (error) return error;
  const DWORD attributes = GetFileAttributesW(name);
  if (attributes == INVALID_FILE_ATTRIBUTES) return picus_last_windows_error();
  return attributes & FILE_ATTRIBUTE_READONLY && !(attributes & FILE_ATTRIBUTE_DIRECTORY) ? EACCES : 0;
}

/* Links are followed by the system: for Picus no name is a link. */
int picus_read_link(const char *path, char text[PICUS_PATH_SIZE]) {
  (void)path;
  text[0] = '\0';
  return EINVAL;
}

int picus_real_path(const char *path, char out[PICUS_PATH_SIZE]) {
  picus_wide name, whole;
  const int error = picus_wide_of(path, name);
  if (error) return error;
  HANDLE handle = CreateFileW(name, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (handle == INVALID_HANDLE_VALUE) return picus_last_windows_error();
  const DWORD length = GetFinalPathNameByHandleW(handle, whole, PICUS_WIDE_SIZE, FILE_NAME_NORMALIZED);
  const int reason = length == 0 ? picus_last_windows_error() : length >= PICUS_WIDE_SIZE ? ENAMETOOLONG : 0;
  CloseHandle(handle);
  return reason ? reason : picus_text_of_wide(whole, out, PICUS_PATH_SIZE);
}

bool picus_is_separator(char c) { return c == '/' || c == '\\'; }

/* The colon of a drive ends its name, too: c:model.lua */
const char *picus_last_separator(const char *path) {
  const char *last = NULL;
  for (const char *at = path; *at; at++)
    if (picus_is_separator(*at)) last = at;
  return last;
}

bool picus_is_absolute(const char *path) {
  const bool has_drive = ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) && path[1] == ':';
  return picus_is_separator(path[0]) || has_drive;
}

bool picus_user_is_changed(void) { return false; }

/* --- open files --------------------------------------------------------------------------------------------------- */

static DWORD disposition_of(unsigned how) {
  if (how & PICUS_OPEN_NEW) return CREATE_NEW;
  if (how & PICUS_OPEN_EMPTY) return how & PICUS_OPEN_CREATE ? CREATE_ALWAYS : TRUNCATE_EXISTING;
  return how & PICUS_OPEN_CREATE ? OPEN_ALWAYS : OPEN_EXISTING;
}

/* A descriptor of the C library for the handle, which it takes over in any case. */
static int make_descriptor(HANDLE handle, int flags, int *descriptor) {
  *descriptor = _open_osfhandle((intptr_t)handle, flags | _O_BINARY | _O_NOINHERIT);
  if (*descriptor >= 0) return 0;
  const int error = errno;
  CloseHandle(handle);
  return error;
}

int picus_file_open(const char *path, unsigned how, int *descriptor) {
  picus_wide name;
  picus_facts facts;
  *descriptor = -1;
  const int error = picus_wide_of(path, name);
  if (error) return error;
  if (!picus_facts_of_name(path, &facts)) {
    if (facts.kind == PICUS_FOLDER) return EISDIR;
    if (how & PICUS_OPEN_NO_LINK && facts.kind == PICUS_SYMBOLIC_LINK) return ELOOP;
  }
  const DWORD access = (how & PICUS_OPEN_READ ? GENERIC_READ : 0) | (how & PICUS_OPEN_WRITE ? GENERIC_WRITE : 0);
  HANDLE handle = CreateFileW(name, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              disposition_of(how), FILE_ATTRIBUTE_NORMAL, NULL);
  if (handle == INVALID_HANDLE_VALUE) return picus_last_windows_error();
  const int reading = how & PICUS_OPEN_WRITE ? (how & PICUS_OPEN_READ ? _O_RDWR : _O_WRONLY) : _O_RDONLY;
  return make_descriptor(handle, reading | (how & PICUS_OPEN_APPEND ? _O_APPEND : 0), descriptor);
}

int picus_file_close(int descriptor) { return _close(descriptor) == 0 ? 0 : errno; }

static unsigned piece_of(size_t left) { return left > 1 << 30 ? 1u << 30 : (unsigned)left; }

int picus_file_read(int descriptor, void *bytes, size_t size, size_t *done) {
  for (*done = 0; *done < size;) {
    const int count = _read(descriptor, (char *)bytes + *done, piece_of(size - *done));
    if (count < 0) return errno;
    if (count == 0) break;
    *done += (size_t)count;
  }
  return 0;
}

int picus_file_read_at(int descriptor, uint64_t place, void *bytes, size_t size, size_t *done) {
  *done = 0;
  const int error = picus_file_seek(descriptor, place);
  return error ? error : picus_file_read(descriptor, bytes, size, done);
}

int picus_file_write(int descriptor, const void *bytes, size_t size, size_t *done) {
  size_t written = 0;
  int error = 0;
  while (written < size && !error) {
    const int count = _write(descriptor, (const char *)bytes + written, piece_of(size - written));
    if (count > 0)
      written += (size_t)count;
    else
      error = count == 0 ? ENOSPC : errno;
  }
  if (done) *done = written;
  return error;
}

int picus_file_write_at(int descriptor, uint64_t place, const void *bytes, size_t size) {
  const int error = picus_file_seek(descriptor, place);
  return error ? error : picus_file_write(descriptor, bytes, size, NULL);
}

int picus_file_seek(int descriptor, uint64_t place) {
  return _lseeki64(descriptor, (int64_t)place, SEEK_SET) == (int64_t)place ? 0 : errno;
}

int picus_file_resize(int descriptor, uint64_t size) { return _chsize_s(descriptor, (int64_t)size); }

int picus_file_sync(int descriptor) { return _commit(descriptor) == 0 || errno == EBADF ? 0 : errno; }

int picus_file_duplicate(int descriptor, int *copy) {
  HANDLE handle = picus_windows_handle(descriptor), other;
  *copy = -1;
  if (handle == INVALID_HANDLE_VALUE) return EBADF;
  if (!DuplicateHandle(GetCurrentProcess(), handle, GetCurrentProcess(), &other, 0, FALSE, DUPLICATE_SAME_ACCESS))
    return picus_last_windows_error();
  return make_descriptor(other, _O_RDWR, copy);
}

/* A new file has the rights of its folder. */
void picus_file_copy_access(int descriptor, const char *path) { (void)descriptor, (void)path; }
int picus_file_make_private(int descriptor) { return (void)descriptor, 0; }

double picus_file_free_bytes(int descriptor) {
  picus_wide path;
  ULARGE_INTEGER bytes;
  HANDLE handle = picus_windows_handle(descriptor);
  const DWORD length = GetFinalPathNameByHandleW(handle, path, PICUS_WIDE_SIZE, FILE_NAME_NORMALIZED);
  if (length == 0 || length >= PICUS_WIDE_SIZE) return INFINITY;
  wchar_t *last = wcsrchr(path, L'\\');
  if (last) last[1] = L'\0';
  return GetDiskFreeSpaceExW(path, &bytes, NULL, NULL) ? (double)bytes.QuadPart : INFINITY;
}

static OVERLAPPED far_behind(void) { return (OVERLAPPED){.OffsetHigh = 0x40000000}; }

int picus_file_lock(int descriptor) {
  OVERLAPPED place = far_behind();
  HANDLE handle = picus_windows_handle(descriptor);
  const DWORD how = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  return LockFileEx(handle, how, 0, 1, 0, &place) ? 0 : picus_last_windows_error();
}

bool picus_file_is_locked(int descriptor) {
  OVERLAPPED place = far_behind();
  HANDLE handle = picus_windows_handle(descriptor);
  if (!LockFileEx(handle, LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place)) return picus_last_windows_error() == EAGAIN;
  place = far_behind();
  (void)UnlockFileEx(handle, 0, 1, 0, &place);
  return false;
}

FILE *picus_stream_read(const char *path) {
  int descriptor;
  const int error = picus_file_open(path, PICUS_OPEN_READ, &descriptor);
  FILE *file = error ? NULL : _fdopen(descriptor, "rb");
  if (!file && !error) _close(descriptor);
  if (error) errno = error;
  return file;
}

FILE *picus_stream_of(int descriptor) { return _fdopen(descriptor, "wb"); }

/* --- names and folders -------------------------------------------------------------------------------------------- */

static int move(const char *from, const char *to, DWORD how) {
  picus_wide old, new;
  int error = picus_wide_of(from, old);
  if (!error) error = picus_wide_of(to, new);
  if (error) return error;
  return MoveFileExW(old, new, how) ? 0 : picus_last_windows_error();
}

int picus_rename(const char *from, const char *to) {
  return move(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
}

int picus_move_aside(const char *from, const char *to) { return move(from, to, 0); }

int picus_second_name(const char *path, const char *name) {
  picus_wide old, new;
  int error = picus_wide_of(path, old);
  if (!error) error = picus_wide_of(name, new);
  if (error) return error;
  return CreateHardLinkW(new, old, NULL) ? 0 : picus_last_windows_error();
}

int picus_remove(const char *path) {
  picus_wide name;
  const int error = picus_wide_of(path, name);
  if (error) return error;
  return DeleteFileW(name) ? 0 : picus_last_windows_error();
}

int picus_note_use(const char *path) {
  picus_wide name;
  FILETIME now;
  int error = picus_wide_of(path, name);
  if (error) return error;
  HANDLE handle = CreateFileW(name, FILE_WRITE_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, 0, NULL);
  if (handle == INVALID_HANDLE_VALUE) return picus_last_windows_error();
  GetSystemTimeAsFileTime(&now);
  error = SetFileTime(handle, NULL, NULL, &now) ? 0 : picus_last_windows_error();
  CloseHandle(handle);
  return error;
}

int picus_folder_make(const char *path) {
  picus_wide name;
  const int error = picus_wide_of(path, name);
  if (error) return error;
  return CreateDirectoryW(name, NULL) ? 0 : picus_last_windows_error();
}

int picus_folder_make_private(const char *path) { return picus_folder_make(path); }

/* The end of the name counts from a number that other processes hardly have. */
int picus_folder_make_unique(char *path) {
  const size_t length = strlen(path);
  if (length < 6 || strcmp(path + length - 6, "XXXXXX") != 0) return EINVAL;
  unsigned number = (unsigned)GetCurrentProcessId() * 7919u ^ (unsigned)GetTickCount();
  int error = EEXIST;
  for (int k = 0; k < 1000 && error == EEXIST; k++) {
    snprintf(path + length - 6, 7, "%06x", (number += 101) & 0xffffff);
    error = picus_folder_make(path);
  }
  return error;
}

int picus_folder_remove(const char *path) {
  picus_wide name;
  const int error = picus_wide_of(path, name);
  if (error) return error;
  return RemoveDirectoryW(name) ? 0 : picus_last_windows_error();
}

void picus_folder_sync(const char *path) { (void)path; } /* MOVEFILE_WRITE_THROUGH has done it */

int picus_folder_list(const char *path, picus_name_fn visit, void *user) {
  char pattern[PICUS_PATH_SIZE], name[PICUS_PATH_SIZE];
  picus_wide wide;
  WIN32_FIND_DATAW found;
  if (snprintf(pattern, sizeof pattern, "%s/*", path) >= (int)sizeof pattern) return ENAMETOOLONG;
  const int error = picus_wide_of(pattern, wide);
  if (error) return error;
  HANDLE search = FindFirstFileW(wide, &found);
  if (search == INVALID_HANDLE_VALUE) return picus_last_windows_error();
  bool more = true;
  do
    if (!picus_text_of_wide(found.cFileName, name, sizeof name) && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
      more = visit(user, name);
  while (more && FindNextFileW(search, &found));
  FindClose(search);
  return 0;
}

const char *picus_folder_for_temporary_files(void) {
  const char *folder = getenv("TEMP");
  return folder && *folder ? folder : ".";
}
