/* The terminal and the streams of a program on Windows. */
#include "platform/console.h"
#include "platform/windows_names.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <windows.h>

/* Set by the thread that the system starts for Ctrl-C: the only state that cannot belong to an object. */
static atomic_bool end_is_wanted;

static BOOL WINAPI on_request(DWORD kind) {
  (void)kind;
  return !atomic_exchange(&end_is_wanted, true); /* FALSE: the second one ends the program */
}

/* The words of the command line as UTF-8, for the life of the program; those of main are in a code page. */
static void take_words(int *argc, char ***argv) {
  int count = 0;
  wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
  char **words = wide ? calloc((size_t)count + 1, sizeof *words) : NULL;
  bool fine = words != NULL;
  for (int k = 0; fine && k < count; k++) {
    const size_t size = 4 * wcslen(wide[k]) + 1;
    words[k] = malloc(size);
    fine = words[k] && !picus_text_of_wide(wide[k], words[k], size);
  }
  if (wide) LocalFree(wide);
  if (!fine) return;
  *argc = count;
  *argv = words;
}

void picus_console_begin(int *argc, char ***argv) {
  take_words(argc, argv);
  (void)SetConsoleOutputCP(CP_UTF8);
  (void)_setmode(_fileno(stdout), _O_BINARY); /* a table has the same bytes on all systems */
}

bool picus_console_is_terminal(FILE *stream) {
  DWORD mode;
  return GetConsoleMode(picus_windows_handle(_fileno(stream)), &mode);
}

void picus_console_catch_ends(void) { (void)SetConsoleCtrlHandler(on_request, TRUE); }
bool picus_console_end_is_wanted(void) { return atomic_load(&end_is_wanted); }
void picus_console_ignore_broken_pipes(void) {} /* they are errors */

int picus_console_divert_output(int *descriptor) {
  *descriptor = _dup(_fileno(stdout));
  return *descriptor < 0 || _dup2(_fileno(stderr), _fileno(stdout)) < 0 ? errno : 0;
}
