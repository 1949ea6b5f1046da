/* Programs on Windows. Code is not loaded there: Picus is built without native code. */
#include "platform/files.h"
#include "platform/processes.h"
#include "platform/windows_names.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* --- the command line --------------------------------------------------------------------------------------------- */

typedef struct command_line {
  char text[8 * PICUS_PATH_SIZE];
  size_t length;
  bool is_full;
} command_line;

static void put(command_line *line, char c) {
  if (line->length + 1 >= sizeof line->text)
    line->is_full = true;
  else
    line->text[line->length++] = c;
  line->text[line->length] = '\0';
}

/* A word in quotes, as the C library of the other program reads it: backslashes before a quote count twice. */
static void put_word(command_line *line, const char *word) {
  if (line->length) put(line, ' ');
  put(line, '"');
  for (size_t slashes; *word; word++) {
    for (slashes = 0; *word == '\\'; word++) slashes++;
    const bool twice = *word == '"' || *word == '\0';
    for (size_t k = 0; k < (twice ? 2 * slashes : slashes); k++) put(line, '\\');
    if (*word == '\0') break;
    if (*word == '"') put(line, '\\');
    put(line, *word);
  }
  put(line, '"');
}

/* --- starting a program ------------------------------------------------------------------------------------------- */

/* A handle that the other program inherits; wants: GENERIC_READ or GENERIC_WRITE. */
static HANDLE inherited(int descriptor, DWORD standard, DWORD wants) {
  HANDLE from = descriptor >= 0 ? picus_windows_handle(descriptor) : GetStdHandle(standard), copy = NULL;
  SECURITY_ATTRIBUTES inherits = {.nLength = sizeof inherits, .bInheritHandle = TRUE};
  if (descriptor < 0 && standard == STD_INPUT_HANDLE)
    return CreateFileW(L"NUL", wants, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherits, OPEN_EXISTING, 0, NULL);
  HANDLE own = GetCurrentProcess();
  if (!DuplicateHandle(own, from, own, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS)) return INVALID_HANDLE_VALUE;
  return copy;
}

static int create(const picus_program *p, wchar_t *path, wchar_t *words, wchar_t *folder, picus_process *out) {
  PROCESS_INFORMATION made;
  STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
  start.hStdInput = inherited(p->input, STD_INPUT_HANDLE, GENERIC_READ);
  start.hStdOutput = inherited(p->output, STD_OUTPUT_HANDLE, GENERIC_WRITE);
  start.hStdError = inherited(p->errors, STD_ERROR_HANDLE, GENERIC_WRITE);
  const DWORD how = p->is_group ? CREATE_NEW_PROCESS_GROUP : 0;
  const BOOL fine = CreateProcessW(path, words, NULL, NULL, TRUE, how, NULL, folder, &start, &made);
  const int error = fine ? 0 : picus_last_windows_error();
  HANDLE streams[] = {start.hStdInput, start.hStdOutput, start.hStdError};
  for (int k = 0; k < 3; k++)
    if (streams[k] && streams[k] != INVALID_HANDLE_VALUE) CloseHandle(streams[k]);
  if (error) return error;
  CloseHandle(made.hThread);
  *out = (picus_process){.own = (intptr_t)made.hProcess, .is_group = p->is_group};
  return 0;
}

int picus_process_start(const picus_program *p, picus_process *out) {
  *out = (picus_process){0};
  command_line *line = calloc(1, sizeof *line);
  wchar_t *words = calloc(sizeof line->text, sizeof *words);
  picus_wide path, folder;
  int error = line && words ? 0 : ENOMEM;
  for (int k = 0; !error && p->words[k]; k++) put_word(line, p->words[k]);
  if (!error && line->is_full) error = E2BIG;
  if (!error && MultiByteToWideChar(CP_UTF8, 0, line->text, -1, words, sizeof line->text) <= 0) error = EILSEQ;
  if (!error && p->path) error = picus_wide_of(p->path, path);
  if (!error && p->folder) error = picus_wide_of(p->folder, folder);
  if (!error) error = create(p, p->path ? path : NULL, words, p->folder ? folder : NULL, out);
  free(words);
  free(line);
  return error;
}

picus_process_state picus_process_look(picus_process *process, bool waits, int *code) {
  HANDLE handle = (HANDLE)process->own;
  DWORD left = 0;
  *code = 0;
  if (WaitForSingleObject(handle, waits ? INFINITE : 0) == WAIT_TIMEOUT) return PICUS_PROCESS_RUNS;
  const bool is_known = GetExitCodeProcess(handle, &left);
  CloseHandle(handle);
  *process = (picus_process){0};
  *code = (int)left;
  return is_known ? PICUS_PROCESS_ENDED : PICUS_PROCESS_UNKNOWN;
}

void picus_process_kill(const picus_process *process) {
  if (process->own) (void)TerminateProcess((HANDLE)process->own, 1);
}

/* A program without a window cannot be asked. */
void picus_process_ask_to_end(const picus_process *process) { picus_process_kill(process); }

int picus_process_become(const char *path, const char *const *words) {
  picus_process process;
  int code;
  const int error = picus_process_start(
      &(picus_program){.words = words, .path = path, .input = 0, .output = -1, .errors = -1}, &process);
  if (error) return error;
  (void)picus_process_look(&process, true, &code);
  (void)fflush(NULL);
  ExitProcess((UINT)code);
}

/* --- pipes -------------------------------------------------------------------------------------------------------- */

int picus_pipe(int ends[2]) { return _pipe(ends, 1 << 16, _O_BINARY | _O_NOINHERIT) == 0 ? 0 : errno; }

int picus_pipe_read(int descriptor, int milliseconds, void *bytes, size_t *size) {
  HANDLE handle = picus_windows_handle(descriptor);
  const size_t room = *size;
  DWORD ready = 0;
  *size = 0;
  for (int k = 0; k <= milliseconds; k++) {
    if (!PeekNamedPipe(handle, NULL, 0, NULL, &ready, NULL))
      return GetLastError() == ERROR_BROKEN_PIPE ? 0 : picus_last_windows_error();
    if (ready > 0) break;
    Sleep(1);
  }
  if (ready == 0) return EAGAIN;
  const int got = _read(descriptor, bytes, (unsigned)(room < ready ? room : ready));
  if (got < 0) return errno;
  *size = (size_t)got;
  return 0;
}

/* --- files of programs -------------------------------------------------------------------------------------------- */

bool picus_find_program(const char *name, char *path, size_t size) {
  picus_wide wide, found;
  if (picus_wide_of(name, wide)) return false;
  const DWORD length = SearchPathW(NULL, wide, L".exe", PICUS_WIDE_SIZE, found, NULL);
  return length > 0 && length < PICUS_WIDE_SIZE && !picus_text_of_wide(found, path, size);
}

int picus_own_program(char *path, size_t size) {
  picus_wide wide;
  const DWORD length = GetModuleFileNameW(NULL, wide, PICUS_WIDE_SIZE);
  if (length == 0) return picus_last_windows_error();
  return length >= PICUS_WIDE_SIZE ? ENAMETOOLONG : picus_text_of_wide(wide, path, size);
}
