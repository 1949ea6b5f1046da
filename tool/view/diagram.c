/* The page of a diagram. */
#include "view/diagram.h"

#include "base/internal.h"
#include "view/page_frame.h"

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
