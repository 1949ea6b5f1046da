/* picus view: a page that shows the motion of results. */
#include "base/internal.h"
#include "base/output_file.h"
#include "cli/cli.h"
#include "cli/paths.h"
#include "view/page.h"

#include <stdlib.h>
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

static const cli_option options[] = {
    {"out", "F.html", "write the page to this file; default: the name of the first result with the ending .html",
     false},
    {"quiet", NULL, "print nothing", false},
};

static const char *const examples[] = {"picus view woodpecker.h5", "woodpecker.html shows the motion",
                                       "picus view coarse.h5 reference.h5 --out compare.html",
                                       "two results, side by side or on top of each other", NULL};

/* RESULT.h5 becomes RESULT.html; NULL: out of memory. */
static char *default_page(const cli_arguments *a) {
  const char *result = cli_operand(a, 0);
  static const char ending[] = ".html";
  size_t length = strlen(result);
  if (length > 3 && strcmp(result + length - 3, ".h5") == 0) length -= 3;
  char *page = malloc(length + sizeof ending);
  if (!page) return NULL;
  memcpy(page, result, length);
  memcpy(page + length, ending, sizeof ending);
  return page;
}

static int write_page(const cli_arguments *a, picus_context *context, const char *page) {
  const int count = cli_operand_count(a);
  const char **results = malloc((size_t)count * sizeof *results);
  if (!results) {
    cli_complain("out of memory");
    return EXIT_RUN_FAILED;
  }
  for (int k = 0; k < count; k++) results[k] = cli_operand(a, k);
  int code = cli_write_page(context, count, results, page, cli_given(a, "quiet"));
  free(results);
  return code;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(cli_given(a, "quiet"));
  if (!context) return EXIT_RUN_FAILED;
  char *chosen = cli_given(a, "out") ? NULL : default_page(a);
  const char *page = cli_given(a, "out") ? cli_value(a, "out", 0) : chosen;
  int code = EXIT_RUN_FAILED;
  if (page)
    code = write_page(a, context, page);
  else
    cli_complain("out of memory");
  free(chosen);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_view = {
    .name = "view",
    .operands = "RESULT.h5...",
    .operands_least = 1,
    .operands_most = 8,
    .operand_kind = "result",
    .summary = "Write a page that shows the motion in a browser",
    .description =
        "The page is one HTML file without a server and without a network. It shows the shapes that the model draws,\n"
        "contacts with their forces, plots of columns and the energies. Play, scrub, go from event to event, zoom, "
        "select\n"
        "an object. Several results appear side by side or overlaid. Rows are omitted as long as the "
        "drawn\n"
        "points stay within an error bound, which the page states. Planar models are drawn in 2-D, spatial models in "
        "3-D.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run,
    .default_what = "the page",
    .default_path = default_page};
