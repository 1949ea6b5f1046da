/* The markup of labels: stretches of text at the base line, as subscript or as superscript. */
#include "plot/internal.h"

#include <string.h>

/* Length of the valid UTF-8 sequence at text, 0 if there is none (RFC 3629: no overlong forms, no surrogates). */
static size_t valid_sequence(const unsigned char *text) {
  unsigned char lead = text[0];
  if (lead < 0x80) return lead ? 1 : 0;
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (size_t i = 1; i < length; i++)
    if ((text[i] & 0xC0) != 0x80) return 0;
  if ((lead == 0xE0 && text[1] < 0xA0) || (lead == 0xED && text[1] > 0x9F)) return 0;
  if ((lead == 0xF0 && text[1] < 0x90) || (lead == 0xF4 && text[1] > 0x8F)) return 0;
  return length;
}

size_t picus_label_character(const char *text, char character[5]) {
  const unsigned char *bytes = (const unsigned char *)text;
  memset(character, 0, 5);
  if (!bytes[0]) return 0;
  size_t length = valid_sequence(bytes);
  if (length == 0) {
    memcpy(character, "\xEF\xBF\xBD", 3); /* U+FFFD */
    return 1;
  }
  memcpy(character, text, length);
  if (bytes[0] < 0x20 || bytes[0] == 0x7F) character[0] = ' ';
  return length;
}

picus_label_reader picus_label_read(const char *label) {
  return (picus_label_reader){.next = label, .script = PICUS_LABEL_BASE, .previous = PICUS_LABEL_BASE, .first = true};
}

/* At a mark that opens a script: consumes it and returns true. A mark with nothing after it is an ordinary
 * character. */
static bool open_script(picus_label_reader *reader) {
  char mark = reader->next[0];
  if ((mark != '_' && mark != '^') || !reader->next[1]) return false;
  reader->previous = reader->script;
  reader->script = mark == '_' ? PICUS_LABEL_SUBSCRIPT : PICUS_LABEL_SUPERSCRIPT;
  reader->braced = reader->next[1] == '{';
  reader->next += reader->braced ? 2 : 1;
  reader->first = true;
  return true;
}

static void close_script(picus_label_reader *reader) {
  picus_label_script closed = reader->script;
  reader->script = PICUS_LABEL_BASE;
  reader->braced = false;
  reader->first = true;
  if (open_script(reader)) reader->previous = closed; /* x_1^2: the next script follows directly */
}

static bool is_escape(const char *text) { return text[0] == '\\' && text[1] && strchr("_^{}\\", text[1]); }

bool picus_label_next(picus_label_reader *reader, picus_label_run *run) {
  memset(run, 0, sizeof *run);
  size_t length = 0;
  while (reader->next[0]) {
    bool base = reader->script == PICUS_LABEL_BASE;
    if (reader->braced && reader->next[0] == '}') {
      reader->next++;
      bool done = length > 0;
      if (done) run->script = reader->script;
      close_script(reader);
      if (done) return true;
      continue;
    }
    /* a run ends where a script starts, and a script without braces ends after one character */
    if (base && (reader->next[0] == '_' || reader->next[0] == '^') && reader->next[1]) {
      if (length > 0) return true;
      open_script(reader);
      continue;
    }
    if (is_escape(reader->next)) reader->next++;
    char character[5];
    reader->next += picus_label_character(reader->next, character);
    if (length == 0) {
      run->script = reader->script;
      run->first = reader->first;
      run->stacked = reader->first && !base && reader->previous != PICUS_LABEL_BASE && reader->previous != run->script;
      reader->first = false;
    }
    strcpy(run->text + length, character);
    length += strlen(character);
    if (!base && !reader->braced) {
      close_script(reader);
      return true;
    }
    if (length + 5 > sizeof run->text) return true;
  }
  return length > 0;
}
