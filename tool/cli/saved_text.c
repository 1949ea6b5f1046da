/* Texts as output files, written at once or growing. */
#define _POSIX_C_SOURCE 200809L
#include "saved_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_save_text(picus_context *context, const char *path, cli_text_writer write, const void *user) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (file) write(file, user);
  bool done = file && !ferror(file);
  if (file) done = fclose(file) == 0 && done;
  if (!done)
    cli_complain("out of memory");
  else if (picus_output_save(context, path, text, size)) {
    cli_report_error(context, EXIT_WRONG_INPUT);
    done = false;
  }
  free(text);
  return done;
}

bool cli_growing_text_open(picus_context *context, const char *path, cli_growing_text *text) {
  *text = (cli_growing_text){.file = {.descriptor = -1}};
  if (picus_output_open(context, path, &text->file)) {
    cli_report_error(context, EXIT_WRONG_INPUT);
    return false;
  }
  const int copy = fcntl(text->file.descriptor, F_DUPFD_CLOEXEC, 0);
  text->stream = copy >= 0 ? fdopen(copy, "w") : NULL;
  if (text->stream) return true;
  cli_complain("cannot write '%s': %s", path, strerror(errno));
  if (copy >= 0) close(copy);
  picus_output_discard(&text->file);
  return false;
}

void cli_growing_text_drop(cli_growing_text *text) {
  if (!text->stream) return;
  (void)fclose(text->stream);
  picus_output_discard(&text->file);
  *text = (cli_growing_text){.file = {.descriptor = -1}};
}

bool cli_growing_text_close(cli_growing_text *text) {
  if (!text->stream) return true;
  bool done = !ferror(text->stream);
  done = fclose(text->stream) == 0 && done;
  if (!done) cli_complain("cannot write '%s': %s", text->file.path, strerror(errno));
  picus_context *context = text->file.context;
  if (picus_output_publish(&text->file)) {
    cli_report_error(context, EXIT_RUN_FAILED);
    done = false;
  }
  *text = (cli_growing_text){.file = {.descriptor = -1}};
  return done;
}
