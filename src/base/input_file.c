/* Files that are read: whether a file can be read, all its bytes, and the reason why a system call failed. The
 * messages name the file and the reason, so every reader reports a missing or unreadable file in the same words. */
#include "base/input_file.h"
#include "base/internal.h"
#include "platform/files.h"
#include "platform/texts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void picus_system_reason(int error, char reason[PICUS_REASON_SIZE]) {
  picus_error_text(error, reason, PICUS_REASON_SIZE);
}

/* And its size, which is 0 for files that the system makes as they are read. */
static picus_status look_at(picus_context *context, const char *path, size_t *size) {
  char reason[PICUS_REASON_SIZE];
  picus_facts facts = {0};
  int descriptor, error = picus_file_open(path, PICUS_OPEN_READ, &descriptor);
  if (!error) {
    error = picus_facts_of_open(descriptor, &facts);
    (void)picus_file_close(descriptor);
  }
  if (!error && facts.kind == PICUS_FOLDER) error = EISDIR;
  *size = facts.size > 0 ? (size_t)facts.size : 0;
  if (!error && facts.kind == PICUS_REGULAR_FILE) return PICUS_OK;
  if (!error) return picus_fail(context, PICUS_ERROR_IO, "cannot read '%s': it is not a regular file", path);
  picus_system_reason(error, reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot read '%s': %s", path, reason);
}

picus_status picus_check_readable(picus_context *context, const char *path) {
  size_t size;
  return look_at(context, path, &size);
}

static picus_status fail(picus_context *context, const char *path) {
  char reason[PICUS_REASON_SIZE];
  picus_system_reason(errno, reason);
  return picus_fail(context, PICUS_ERROR_IO, "cannot read '%s': %s", path, reason);
}

static picus_status fail_size(picus_context *context, const char *path, size_t most) {
  return picus_fail(context, PICUS_ERROR_FILE_LIMIT, "'%s' is larger than the limit of %zu MB", path, most >> 20);
}

/* Contents of a file while they are read; expected: their size, if the file does not grow. */
typedef struct contents {
  unsigned char *bytes;
  size_t size, expected;
} contents;

static picus_status read_all(picus_context *context, FILE *file, const char *path, size_t most, contents *c) {
  size_t capacity = 0;
  while (!feof(file)) {
    if (c->size + 1 >= capacity) {
      const size_t wanted = capacity ? 2 * capacity : c->expected ? c->expected + 2 : 1 << 16;
      if (c->size > most) return fail_size(context, path, most);
      unsigned char *grown = picus_reallocate(context, c->bytes, wanted, 1);
      if (!grown) return PICUS_ERROR_MEMORY;
      c->bytes = grown;
      capacity = wanted;
    }
    errno = 0;
    c->size += fread(c->bytes + c->size, 1, capacity - c->size - 1, file);
    if (ferror(file)) return fail(context, path);
  }
  if (c->bytes) c->bytes[c->size] = 0;
  return PICUS_OK;
}

picus_status picus_file_bytes(picus_context *context, const char *path, size_t most, unsigned char **bytes,
                              size_t *size) {
  *bytes = NULL;
  *size = 0;
  contents c = {0};
  picus_status status = look_at(context, path, &c.expected);
  if (!status && c.expected > most) status = fail_size(context, path, most);
  if (status) return status;
  errno = 0;
  FILE *file = picus_stream_read(path);
  if (!file) return fail(context, path);
  status = read_all(context, file, path, most, &c);
  fclose(file);
  if (status) {
    picus_release(context, c.bytes);
    return status;
  }
  *bytes = c.bytes;
  *size = c.size;
  return PICUS_OK;
}
