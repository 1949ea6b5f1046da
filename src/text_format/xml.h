/* A small reader of XML 1.0 in UTF-8: elements and attributes. Character data, comments and processing instructions are
 * skipped; document types, and with them entities of the document, are rejected. Files may come from anybody. */
#ifndef PICUS_TEXT_FORMAT_XML_H
#define PICUS_TEXT_FORMAT_XML_H

#include <picus/base.h>

/* Elements and attributes are numbers in the lists of the document; -1: none. */
typedef struct xml_element {
  const char *name;
  int line, file; /* file: number in the list of files of the document */
  int parent, first_child, last_child, next;
  int first_attribute, attribute_count;
} xml_element;

typedef struct xml_attribute {
  const char *name, *value;
  bool is_used; /* somebody has asked for it */
} xml_attribute;

typedef struct xml_document {
  picus_context *context;
  xml_element *elements;
  size_t element_count, element_capacity;
  xml_attribute *attributes;
  size_t attribute_count, attribute_capacity;
  char **texts; /* of the files; names and values are parts of them */
  char **files; /* their names, for messages */
  size_t file_count, text_capacity, file_capacity;
} xml_document;

/* Adds a file to a document, which is zeroed but for its context before the first. bytes: copied. *root: its element.
 * PICUS_ERROR_IO: it is no XML, or too deep or too long; the message has its name and line. */
picus_status picus_xml_read(xml_document *document, const char *name, const void *bytes, size_t size, int *root);
void picus_xml_release(xml_document *document);

/* The value of an attribute, which counts as used; NULL: none. */
const char *picus_xml_value(const xml_document *document, int element, const char *name);
bool picus_xml_is(const xml_document *document, int element, const char *name);
/* The first child with this name; -1: none. */
int picus_xml_child(const xml_document *document, int element, const char *name);
/* Fails with file and line of the element. */
picus_status picus_xml_fail(const xml_document *document, int element, const char *format, ...) PICUS_PRINTF(3, 4);
/* Puts the children of `root` where the child `old` of its parent is. */
void picus_xml_splice(xml_document *document, int old, int root);

#endif
