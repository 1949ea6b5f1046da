/* What surrounds the data of a page. Nothing is loaded, and only the scripts and styles of the page are used, by their
 * hashes: markup that a result or a model might bring into the page could not run. */
#include "view/page_frame.h"

#include "base/internal.h"
#include "view/page.h"

#include <string.h>
#include <zlib.h>

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

/* --- the page of a diagram ---------------------------------------------------------------------------------------- */

/* The page of a diagram. */

static void put_column(picus_json *out, const picus_diagram_column *column, long rows) {
  picus_json_put(out, "{\"name\":");
  picus_json_string(out, column->name);
  picus_json_put(out, ",\"unit\":");
  picus_json_string(out, column->unit);
  picus_json_put(out, ",\"word\":");
  picus_json_string(out, column->word);
  picus_json_put(out, ",\"values\":");
  picus_json_base64(out, column->values, rows > 0 ? (size_t)rows * sizeof *column->values : 0);
  picus_json_put(out, "}");
}

picus_status picus_diagram_write(picus_context *context, const picus_diagram *diagram, picus_json *out) {
  static const char *const styles[] = {"page.css", "diagram.css"}, *const scripts[] = {"draw.js", "diagram.js"};
  const picus_page_frame frame = {
      .body = "diagram-body.html", .styles = styles, .style_count = 2, .scripts = scripts, .script_count = 2};
  if ((double)diagram->rows * diagram->column_count > PICUS_DIAGRAM_NUMBERS)
    return picus_fail(context, PICUS_ERROR_DIMENSION,
                      "a page holds %d numbers, not %ld rows of %d columns; draw a PNG, or keep fewer states",
                      PICUS_DIAGRAM_NUMBERS, diagram->rows, diagram->column_count);
  picus_page_begin(&frame, out);
  picus_json_put(out, "<script type=\"application/json\" id=\"picus-data\">{\"title\":");
  picus_json_string(out, diagram->title);
  picus_json_put(out, ",\"command\":");
  picus_json_string(out, diagram->command);
  picus_json_format(out, ",\"x\":%d,\"y\":%d,\"columns\":[", diagram->x, diagram->y);
  for (int k = 0; k < diagram->column_count; k++) {
    if (k > 0) picus_json_put(out, ",");
    put_column(out, &diagram->columns[k], diagram->rows);
  }
  picus_json_put(out, "]}</script>\n");
  picus_page_end(&frame, out);
  return out->status;
}

/* --- the page of picus live --------------------------------------------------------------------------------------- */

/* The page of picus live. */

bool picus_live_is_built(void) { return picus_page_has("picus.js") && picus_page_has("picus.wasm"); }

static void put_model(picus_json *out, const picus_live_model *model) {
  picus_json_put(out, "{\"name\":");
  picus_json_string(out, model->name);
  picus_json_put(out, ",\"text\":");
  picus_json_string(out, model->text);
  picus_json_put(out, ",\"values\":{");
  for (int k = 0; k < model->value_count; k++) {
    if (k > 0) picus_json_put(out, ",");
    picus_json_string(out, model->values[k].name);
    picus_json_put(out, ":");
    picus_json_number(out, model->values[k].value);
  }
  picus_json_put(out, "}}");
}

/* The licences are a text; as JSON it cannot end the element that it is in. */
static picus_status put_licences(picus_context *context, picus_json *out) {
  size_t size;
  const char *bytes = picus_page_bytes("licences.txt", &size);
  char *text = picus_allocate(context, size + 1, 1);
  if (!text) return PICUS_ERROR_MEMORY;
  memcpy(text, bytes, size);
  picus_json_string(out, text);
  picus_release(context, text);
  return PICUS_OK;
}

/* The library, compressed: inflate.js unpacks it. */
static picus_status put_library(picus_context *context, picus_json *out) {
  size_t size;
  const char *wasm = picus_page_bytes("picus.wasm", &size);
  uLongf packed = compressBound((uLong)size);
  unsigned char *bytes = picus_allocate(context, packed, 1);
  if (!bytes) return PICUS_ERROR_MEMORY;
  picus_status status = PICUS_OK;
  if (compress2(bytes, &packed, (const unsigned char *)wasm, (uLong)size, Z_BEST_COMPRESSION) != Z_OK)
    status = picus_fail(context, PICUS_ERROR_MEMORY, "cannot compress the library of the page");
  picus_json_format(out, "<script type=\"application/octet-stream\" id=\"picus-wasm\" data-size=\"%zu\">", size);
  picus_json_letters(out, bytes, status ? 0 : packed);
  picus_json_put(out, "</script>\n");
  picus_release(context, bytes);
  return status;
}

picus_status picus_live_write(picus_context *context, int count, const picus_live_model *models, picus_json *out) {
  static const char *const spatial[] = {"draw.js",  "panel.js",       "plot.js",         "plane.js",
                                        "three.js", "space-stage.js", "space-shapes.js", "space-contacts.js",
                                        "space.js", "picus.js",       "inflate.js",      "live.js"};
  static const char *const planar[] = {"draw.js",  "panel.js",   "plot.js", "plane.js",
                                       "picus.js", "inflate.js", "live.js"};
  static const char *const styles[] = {"page.css", "live.css"};
  bool has_space = false;
  for (int k = 0; k < count; k++) has_space = has_space || models[k].has_space;
  const picus_page_frame frame = {.body = "live-body.html",
                                  .styles = styles,
                                  .style_count = 2,
                                  .runs_wasm = true,
                                  .scripts = has_space ? spatial : planar,
                                  .script_count =
                                      has_space ? sizeof spatial / sizeof *spatial : sizeof planar / sizeof *planar};
  picus_page_begin(&frame, out);
  picus_json_put(out, "<script type=\"application/json\" id=\"picus-data\">{\"models\":[");
  for (int k = 0; k < count; k++) {
    if (k > 0) picus_json_put(out, ",");
    put_model(out, &models[k]);
  }
  picus_json_put(out, "],\"licences\":");
  picus_status status = put_licences(context, out);
  picus_json_put(out, "}</script>\n");
  if (!status) status = put_library(context, out);
  picus_page_end(&frame, out);
  return status ? status : out->status;
}
