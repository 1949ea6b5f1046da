#include "view.h"

#include "base/internal.h"
#include "base/output_file.h"
#include "view/page.h"

#include <string.h>

/* The name of a file without its folders. */
static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

static picus_status open_all(picus_context *context, int count, const char *const *paths, picus_page_source *sources) {
  picus_status status = PICUS_OK;
  for (int k = 0; !status && k < count; k++) {
    sources[k].name = base_name(paths[k]);
    status = picus_result_open(context, paths[k], &sources[k].result);
    if (!status) cli_thin(sources[k].result);
  }
  return status;
}

int cli_write_page(picus_context *context, int count, const char *const *paths, const char *page, bool quiet) {
  picus_json text = {0};
  picus_page_source *sources = picus_allocate(context, (size_t)count, sizeof *sources);
  picus_status status = sources ? picus_json_begin(context, &text) : PICUS_ERROR_MEMORY;
  if (!status) status = open_all(context, count, paths, sources);
  if (!status) status = picus_page_write(context, count, sources, &text);
  if (!status) status = picus_output_save(context, page, text.bytes, text.size);
  if (!status && !quiet) cli_print("%s: %.1f kB; open it in any browser\n", page, (double)text.size / 1000);
  for (int k = 0; sources && k < count; k++) picus_result_close(sources[k].result);
  if (text.powers) picus_json_release(&text);
  picus_release(context, sources);
  return status ? cli_report_error(context, EXIT_WRONG_INPUT) : EXIT_DONE;
}
