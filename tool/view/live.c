/* The page of picus live. */
#include "view/live.h"

#include "base/internal.h"
#include "view/page_frame.h"

#include <string.h>
#include <zlib.h>

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
