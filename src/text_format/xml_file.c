/* Reading XML in one pass over a copy of the file, in which names and values end with zeros. */
#include "base/internal.h"
#include "base/printable.h"
#include "text_format/xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 200, ELEMENTS_MOST = 1 << 20, ATTRIBUTES_MOST = 1 << 22, FILE_MOST = 1 << 27 };

typedef struct xml_reader {
  xml_document *document;
  char *at;
  int line, file, depth;
  int open; /* the innermost element that is not closed; -1: none */
  int root;
} xml_reader;

static picus_status fail_at(const xml_document *d, int file, int line, const char *format, va_list list) {
  char text[400];
  vsnprintf(text, sizeof text, format, list);
  return picus_fail(d->context, PICUS_ERROR_IO, "'%s', line %d: %s", d->files[file], line, text);
}

static picus_status reject(const xml_reader *r, const char *format, ...) PICUS_PRINTF(2, 3);
static picus_status reject(const xml_reader *r, const char *format, ...) {
  va_list list;
  va_start(list, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the line above initializes it
  const picus_status status = fail_at(r->document, r->file, r->line, format, list);
  va_end(list);
  return status;
}

picus_status picus_xml_fail(const xml_document *document, int element, const char *format, ...) {
  va_list list;
  const xml_element *e = &document->elements[element];
  va_start(list, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the line above initializes it
  const picus_status status = fail_at(document, e->file, e->line, format, list);
  va_end(list);
  return status;
}

/* --- characters --------------------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void skip_blanks(xml_reader *r) {
  for (; is_blank(*r->at); r->at++) r->line += *r->at == '\n';
}

/* Letters, digits, _ - . : and all characters beyond ASCII. */
static bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_-.:", c) ||
         (unsigned char)c >= 0x80;
}

/* Every character is one of XML: UTF-8 without zeros and control characters. */
static picus_status check_characters(xml_reader *r, const char *text, size_t size) {
  for (size_t k = 0; k < size;) {
    uint32_t code = 0;
    const int length = picus_utf8_decode((const unsigned char *)text + k, &code);
    if (length == 0) return reject(r, "the file is not UTF-8 text");
    if ((code < ' ' && !is_blank(text[k])) || code == 0xfffe || code == 0xffff)
      return reject(r, "the file holds the character 0x%02x, which XML does not allow", (unsigned)code);
    if (code == '\n') r->line++;
    k += (size_t)length;
  }
  r->line = 1;
  return PICUS_OK;
}

/* Skips to what follows a mark such as "-->". */
static picus_status skip_to(xml_reader *r, const char *mark, const char *what) {
  char *end = strstr(r->at, mark);
  if (!end) return reject(r, "%s has no end: '%s' is missing", what, mark);
  for (; r->at < end; r->at++) r->line += *r->at == '\n';
  r->at += strlen(mark);
  return PICUS_OK;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static char *put_utf8(char *to, uint32_t code) {
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xc0 | code >> 6);
    *to++ = (char)(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    *to++ = (char)(0xe0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
  } else {
    *to++ = (char)(0xf0 | code >> 18);
    *to++ = (char)(0x80 | (code >> 12 & 0x3f));
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
  }
  return to;
}

static int digit_of(char c, int base) {
  const int value = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : 99;
  return value < base ? value : -1;
}

/* &#10; or &#xA; behind its "&#"; 0: it is none. */
static uint32_t read_code(const char **from) {
  const int base = **from == 'x' ? 16 : 10;
  uint32_t code = 0;
  if (base == 16) ++*from;
  if (digit_of(**from, base) < 0) return 0;
  for (; digit_of(**from, base) >= 0; ++*from) {
    code = code * (uint32_t)base + (uint32_t)digit_of(**from, base);
    if (code > 0x10ffff) return 0;
  }
  if (**from != ';' || (code >= 0xd800 && code < 0xe000) ||
      (code < ' ' && code != '\t' && code != '\n' && code != '\r'))
    return 0;
  ++*from;
  return code;
}

/* One reference; the text that stands for it is never longer. */
static picus_status decode_reference(xml_reader *r, const char **from, char **to) {
  static const struct {
    const char *name;
    char value;
  } own[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    if (strncmp(*from, own[k].name, strlen(own[k].name)) == 0) {
      *from += strlen(own[k].name);
      *(*to)++ = own[k].value;
      return PICUS_OK;
    }
  if ((*from)[1] != '#') return reject(r, "the entity '%.20s' is not one of the five of XML", *from);
  const char *start = *from;
  *from += 2;
  const uint32_t code = read_code(from);
  if (!code) return reject(r, "the character '%.12s' is none", start);
  *to = put_utf8(*to, code);
  return PICUS_OK;
}

/* The text between two quotes, decoded in place. */
static picus_status read_quoted(xml_reader *r, const char **value) {
  const char quote = *r->at;
  if (quote != '"' && quote != '\'') return reject(r, "the value of an attribute must be in quotes");
  char *to = r->at + 1;
  const char *from = to;
  *value = to;
  while (*from && *from != quote) {
    if (*from == '<') return reject(r, "the value of an attribute has no end, or holds a '<'");
    r->line += *from == '\n';
    if (*from == '&') {
      picus_status status = decode_reference(r, &from, &to);
      if (status) return status;
    } else
      *to++ = is_blank(*from) ? ' ' : *from, from++;
  }
  if (!*from) return reject(r, "the value of an attribute has no end");
  r->at = (char *)from + 1;
  *to = '\0';
  return PICUS_OK;
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

static picus_status add_attribute(xml_reader *r, int element, const char *name, const char *value) {
  xml_document *d = r->document;
  xml_element *e = &d->elements[element];
  for (int k = 0; k < e->attribute_count; k++)
    if (strcmp(d->attributes[e->first_attribute + k].name, name) == 0)
      return reject(r, "<%s> has the attribute '%s' twice", e->name, name);
  if (d->attribute_count >= ATTRIBUTES_MOST || e->attribute_count >= 1000)
    return reject(r, "the file has too many attributes");
  picus_status status =
      picus_grow(d->context, &d->attributes, d->attribute_count, &d->attribute_capacity, sizeof *d->attributes);
  if (status) return status;
  d->attributes[d->attribute_count++] = (xml_attribute){name, value, false};
  e->attribute_count++;
  return PICUS_OK;
}

static picus_status add_element(xml_reader *r, const char *name, int *out) {
  xml_document *d = r->document;
  if (r->open < 0 && r->root >= 0) return reject(r, "a second element '%s' follows the end of the first", name);
  if (++r->depth > DEPTH_MOST) return reject(r, "elements are nested more than %d deep", DEPTH_MOST);
  if (d->element_count >= ELEMENTS_MOST) return reject(r, "the file has more than %d elements", ELEMENTS_MOST);
  picus_status status =
      picus_grow(d->context, &d->elements, d->element_count, &d->element_capacity, sizeof *d->elements);
  if (status) return status;
  *out = (int)d->element_count++;
  d->elements[*out] = (xml_element){.name = name,
                                    .line = r->line,
                                    .file = r->file,
                                    .parent = r->open,
                                    .first_child = -1,
                                    .last_child = -1,
                                    .next = -1,
                                    .first_attribute = (int)d->attribute_count};
  if (r->open < 0) {
    r->root = *out;
    return PICUS_OK;
  }
  xml_element *parent = &d->elements[r->open];
  if (parent->last_child < 0)
    parent->first_child = *out;
  else
    d->elements[parent->last_child].next = *out;
  parent->last_child = *out;
  return PICUS_OK;
}

/* A name; the character behind it is returned, and a zero takes its place. */
static picus_status read_name(xml_reader *r, const char **name, char *behind) {
  *name = r->at;
  while (*r->at && is_of_name(*r->at)) r->at++;
  if (r->at == *name) return reject(r, "a name is missing before '%.10s'", r->at);
  *behind = *r->at;
  if (*behind) *r->at++ = '\0';
  r->line += *behind == '\n';
  return PICUS_OK;
}

static picus_status read_attribute(xml_reader *r, int element) {
  const char *name = "", *value = "";
  char behind = '\0';
  picus_status status = read_name(r, &name, &behind);
  if (status) return status;
  if (behind != '=') {
    if (is_blank(behind)) skip_blanks(r);
    if (!is_blank(behind) || *r->at != '=') return reject(r, "the attribute '%s' has no value", name);
    r->at++;
  }
  skip_blanks(r);
  status = read_quoted(r, &value);
  return status ? status : add_attribute(r, element, name, value);
}

/* From the character behind "<". */
static picus_status read_start(xml_reader *r) {
  const char *name;
  char behind = '\0';
  int element = -1;
  picus_status status = read_name(r, &name, &behind);
  if (!status) status = add_element(r, name, &element);
  if (status) return status;
  if (!is_blank(behind) && behind != '>' && behind != '/') return reject(r, "<%s has no end", name);
  while (is_blank(behind)) {
    skip_blanks(r);
    behind = *r->at;
    if (behind == '>' || behind == '/') r->at++;
    if (behind == '>' || behind == '/') break;
    status = read_attribute(r, element);
    if (status) return status;
    behind = *r->at;
    if (!is_blank(behind) && behind != '>' && behind != '/')
      return reject(r, "<%s has no end, or a blank between two attributes is missing", name);
    if (!is_blank(behind)) r->at++;
  }
  if (behind == '/') {
    if (*r->at++ != '>') return reject(r, "in <%s, '>' must follow '/'", name);
    r->depth--;
    return PICUS_OK;
  }
  r->open = element;
  return PICUS_OK;
}

/* From the character behind "</". */
static picus_status read_end(xml_reader *r) {
  const char *name;
  char behind = '\0';
  picus_status status = read_name(r, &name, &behind);
  if (status) return status;
  if (is_blank(behind)) {
    skip_blanks(r);
    behind = *r->at;
    if (behind) r->at++;
  }
  if (behind != '>') return reject(r, "</%s has no end", name);
  if (r->open < 0) return reject(r, "</%s> closes an element that is not open", name);
  const xml_element *open = &r->document->elements[r->open];
  if (strcmp(open->name, name) != 0) return reject(r, "</%s> closes <%s> of line %d", name, open->name, open->line);
  r->open = open->parent;
  r->depth--;
  return PICUS_OK;
}

static picus_status read_markup(xml_reader *r) {
  r->at++;
  if (strncmp(r->at, "!--", 3) == 0) return skip_to(r, "-->", "a comment");
  if (strncmp(r->at, "![CDATA[", 8) == 0) return skip_to(r, "]]>", "a section of characters");
  if (*r->at == '?') return skip_to(r, "?>", "a processing instruction");
  if (*r->at == '!') return reject(r, "document types and their entities are not read; remove <!%.10s", r->at + 1);
  if (*r->at != '/') return read_start(r);
  r->at++;
  return read_end(r);
}

static picus_status read_all(xml_reader *r) {
  picus_status status = PICUS_OK;
  while (!status) {
    for (; *r->at && *r->at != '<'; r->at++) {
      if (r->open < 0 && !is_blank(*r->at)) return reject(r, "text stands outside of all elements: '%.10s'", r->at);
      r->line += *r->at == '\n';
    }
    if (!*r->at) break;
    status = read_markup(r);
  }
  if (status) return status;
  if (r->open >= 0) {
    const xml_element *open = &r->document->elements[r->open];
    return reject(r, "the file ends inside of <%s> of line %d", open->name, open->line);
  }
  return r->root < 0 ? reject(r, "the file has no element") : PICUS_OK;
}

static picus_status add_file(xml_document *d, const char *name, const void *bytes, size_t size) {
  picus_status status = picus_grow(d->context, &d->texts, d->file_count, &d->text_capacity, sizeof *d->texts);
  if (!status) status = picus_grow(d->context, &d->files, d->file_count, &d->file_capacity, sizeof *d->files);
  if (status) return status;
  char *text = picus_allocate(d->context, size + 1, 1), *copy = picus_copy_text(d->context, name);
  if (text && size) memcpy(text, bytes, size);
  d->texts[d->file_count] = text;
  d->files[d->file_count++] = copy;
  return text && copy ? PICUS_OK : PICUS_ERROR_MEMORY;
}

picus_status picus_xml_read(xml_document *d, const char *name, const void *bytes, size_t size, int *root) {
  static const char mark[] = "\xef\xbb\xbf"; /* that some programs write before UTF-8 */
  if (size > FILE_MOST)
    return picus_fail(d->context, PICUS_ERROR_FILE_LIMIT, "'%s' has more than %d MB", name, FILE_MOST >> 20);
  picus_status status = add_file(d, name, bytes, size);
  if (status) return status;
  xml_reader r = {.document = d, .line = 1, .file = (int)d->file_count - 1, .open = -1, .root = -1};
  r.at = d->texts[r.file];
  status = check_characters(&r, r.at, size);
  if (!status && strncmp(r.at, mark, 3) == 0) r.at += 3;
  if (!status) status = read_all(&r);
  *root = r.root;
  return status;
}

void picus_xml_release(xml_document *d) {
  for (size_t k = 0; k < d->file_count; k++) {
    picus_release(d->context, d->texts[k]);
    picus_release(d->context, d->files[k]);
  }
  picus_release(d->context, d->texts);
  picus_release(d->context, d->files);
  picus_release(d->context, d->elements);
  picus_release(d->context, d->attributes);
  *d = (xml_document){.context = d->context};
}

/* --- what callers ask for ----------------------------------------------------------------------------------------- */

const char *picus_xml_value(const xml_document *d, int element, const char *name) {
  const xml_element *e = &d->elements[element];
  for (int k = 0; k < e->attribute_count; k++) {
    xml_attribute *a = &d->attributes[e->first_attribute + k];
    if (strcmp(a->name, name) != 0) continue;
    a->is_used = true;
    return a->value;
  }
  return NULL;
}

bool picus_xml_is(const xml_document *d, int element, const char *name) {
  return strcmp(d->elements[element].name, name) == 0;
}

int picus_xml_child(const xml_document *d, int element, const char *name) {
  for (int k = d->elements[element].first_child; k >= 0; k = d->elements[k].next)
    if (picus_xml_is(d, k, name)) return k;
  return -1;
}

void picus_xml_splice(xml_document *d, int old, int root) {
  xml_element *parent = &d->elements[d->elements[old].parent];
  const int first = d->elements[root].first_child, last = d->elements[root].last_child, next = d->elements[old].next;
  const int head = first < 0 ? next : first;
  int before = -1;
  for (int k = parent->first_child; k != old; k = d->elements[k].next) before = k;
  for (int k = first; k >= 0; k = d->elements[k].next) d->elements[k].parent = d->elements[old].parent;
  if (last >= 0) d->elements[last].next = next;
  if (before < 0)
    parent->first_child = head;
  else
    d->elements[before].next = head;
  if (next < 0) parent->last_child = last >= 0 ? last : before;
}
