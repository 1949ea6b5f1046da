/* What surrounds the data of a page. Nothing is loaded, and only the scripts and styles of the page are used, by their
 * hashes: markup that a result or a model might bring into the page could not run. */
#include "view/page_frame.h"

#include "view/page.h"

#include <string.h>

static const picus_page_part *part_of(const char *name) {
  static const picus_page_part none = {"", "", 0, ""};
  for (int k = 0; k < picus_page_part_count; k++)
    if (strcmp(picus_page_parts[k].name, name) == 0) return &picus_page_parts[k];
  return &none;
}

bool picus_page_has(const char *part) { return part_of(part)->size > 0; }

const char *picus_page_bytes(const char *part, size_t *size) {
  *size = part_of(part)->size;
  return part_of(part)->bytes;
}

static void add_part(picus_json *out, const char *name) {
  picus_json_add(out, part_of(name)->bytes, part_of(name)->size);
}

/* An element with the bytes of a part and nothing else, so that its hash is that of the file. */
static void add_element(picus_json *out, const char *element, const char *name) {
  picus_json_format(out, "<%s>", element);
  add_part(out, name);
  picus_json_format(out, "</%s>\n", element);
}

static void add_hash(picus_json *out, const char *name) {
  picus_json_put(out, " 'sha256-");
  picus_json_letters(out, part_of(name)->hash, 32);
  picus_json_put(out, "'");
}

static void add_policy(const picus_page_frame *frame, picus_json *out) {
  picus_json_put(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src");
  for (int k = 0; k < frame->script_count; k++) add_hash(out, frame->scripts[k]);
  if (frame->runs_wasm) picus_json_put(out, " 'wasm-unsafe-eval'");
  picus_json_put(out, "; style-src");
  for (int k = 0; k < frame->style_count; k++) add_hash(out, frame->styles[k]);
  picus_json_put(out, "; base-uri 'none'; form-action 'none'\">\n");
}

void picus_page_begin(const picus_page_frame *frame, picus_json *out) {
  add_part(out, "head.html");
  add_policy(frame, out);
  for (int k = 0; k < frame->style_count; k++) add_element(out, "style", frame->styles[k]);
  picus_json_put(out, "</head>\n");
  add_part(out, frame->body);
}

void picus_page_end(const picus_page_frame *frame, picus_json *out) {
  for (int k = 0; k < frame->script_count; k++) add_element(out, "script", frame->scripts[k]);
  picus_json_put(out, "</body>\n</html>\n");
}
