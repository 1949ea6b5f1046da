/* Texts as output files, written at once or growing. */
#include "saved_text.h"
#include "platform/files.h"
#include "platform/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool cli_save_text(picus_context *context, const char *path, cli_text_writer write, const void *user) {
  picus_text_stream text;
  bool done = picus_text_open(&text);
  if (done) {
    write(text.stream, user);
    done = picus_text_close(&text);
  }
  if (!done) {
    cli_complain("out of memory");
    return false;
  }
  done = !picus_output_save(context, path, text.text, text.size);
  if (!done) cli_report_error(context, EXIT_WRONG_INPUT);
  free(text.text);
  return done;
}

size_t cli_next_line(FILE *file, char **line, size_t *size) {
  size_t length = 0;
  for (int c; (c = fgetc(file)) != EOF;) {
    if (length + 1 >= *size) {
      const size_t more = *size ? 2 * *size : 256;
      char *longer = realloc(*line, more);
      if (!longer) return 0;
      *line = longer;
      *size = more;
    }
    (*line)[length++] = (char)c;
    (*line)[length] = '\0';
    if (c == '\n') break;
  }
  return length;
}

bool cli_growing_text_open(picus_context *context, const char *path, cli_growing_text *text) {
  *text = (cli_growing_text){.file = {.descriptor = -1}};
  if (picus_output_open(context, path, &text->file)) {
    cli_report_error(context, EXIT_WRONG_INPUT);
    return false;
  }
  int copy, error = picus_file_duplicate(text->file.descriptor, &copy);
  text->stream = error ? NULL : picus_stream_of(copy);
  if (text->stream) return true;
  cli_complain("cannot write '%s': %s", path, strerror(error ? error : errno));
  if (!error) (void)picus_file_close(copy);
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
