/* picus live: a page in which a model runs, with sliders, a text to edit, and bodies to pull. */
#include "base/internal.h"
#include "base/output_file.h"
#include "cli/cli.h"
#include "cli/paths.h"
#include "view/page_frame.h"

#include <picus/bodies.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of the model without folders and without .lua, and -live.html; NULL: out of memory. */
static char *default_page(const cli_arguments *a) {
  const char *model = cli_given(a, "gallery") ? NULL : cli_operand(a, 0);
  static const char ending[] = "-live.html";
  const char *slash = model ? strrchr(model, '/') : NULL, *name = !model ? "gallery" : slash ? slash + 1 : model;
  size_t length = strlen(name);
  if (length > 4 && strcmp(name + length - 4, ".lua") == 0) length -= 4;
  char *page = malloc(length + sizeof ending);
  if (!page) return NULL;
  memcpy(page, name, length);
  memcpy(page + length, ending, sizeof ending);
  return page;
}

/* A model that the page can run: its text is all that it needs. */
static picus_status examine(picus_context *context, picus_model *model, picus_live_model *out) {
  if (picus_model_file_count(model) > 0)
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                      "'%s' names the file '%s'; a live page has the text of the model only, so give its data there",
                      picus_model_name(model), picus_model_file_at(model, 0).name);
  picus_drawing *drawing;
  picus_status status = picus_model_make_drawing(model, &drawing);
  if (status) return status;
  out->has_space = drawing && !drawing->planar;
  picus_drawing_destroy(drawing);
  const char *source = picus_model_source(model);
  out->name = picus_copy_text(context, picus_model_name(model));
  out->text = picus_copy_text(context, source);
  return out->name && out->text ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status read_model(picus_context *context, const char *path, picus_live_model *out) {
  picus_model *model;
  picus_status status = picus_model_load(context, path, NULL, &model);
  if (!status) status = examine(context, model, out);
  picus_model_destroy(model);
  return status;
}

static picus_status write_models(picus_context *context, int count, const picus_live_model *models, const char *page,
                                 bool quiet) {
  picus_json text = {0};
  picus_status status = picus_json_begin(context, &text);
  if (!status) status = picus_live_write(context, count, models, &text);
  if (!status) status = picus_output_save(context, page, text.bytes, text.size);
  if (!status && !quiet) cli_print("%s: %.2f MB; open it in any browser\n", page, (double)text.size / 1e6);
  if (text.powers) picus_json_release(&text);
  return status;
}

/* path: NULL for all shipped models. */
static picus_status write_page(picus_context *context, const char *path, const char *page, bool quiet) {
  const int count = path ? 1 : picus_shipped_model_count();
  picus_live_model *models = picus_allocate(context, (size_t)count, sizeof *models);
  picus_status status = models ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int k = 0; !status && k < count; k++)
    status = read_model(context, path ? path : picus_shipped_model_name(k), &models[k]);
  if (!status) status = write_models(context, count, models, page, quiet);
  for (int k = 0; models && k < count; k++) {
    picus_release(context, (void *)models[k].name);
    picus_release(context, (void *)models[k].text);
  }
  picus_release(context, models);
  return status;
}

static const cli_option options[] = {
    {"out", "F.html", "write the page to this file; default: the name of the model and -live.html", false},
    {"gallery", NULL, "one page with all shipped models, instead of MODEL", false},
    {"quiet", NULL, "print nothing", false},
};

static const char *const examples[] = {"picus live woodpecker", "woodpecker-live.html runs the woodpecker",
                                       "picus live --gallery --out all.html", "all shipped models in one page", NULL};

static int run(const cli_arguments *a) {
  const bool gallery = cli_given(a, "gallery");
  const char *model = gallery ? NULL : cli_operand(a, 0);
  if (gallery == (cli_operand_count(a) > 0)) {
    cli_complain("picus live takes a model, or --gallery for all shipped models");
    return EXIT_WRONG_INPUT;
  }
  if (!picus_live_is_built()) {
    cli_complain("this picus was built without the library for the browser; run 'make web' in the source folder (it "
                 "installs Debian's emscripten, 1.3 GB), then 'make'");
    return EXIT_RUN_FAILED;
  }
  picus_context *context = cli_context(cli_given(a, "quiet"));
  if (!context) return EXIT_RUN_FAILED;
  char *chosen = cli_given(a, "out") ? NULL : default_page(a);
  const char *page = cli_given(a, "out") ? cli_value(a, "out", 0) : chosen;
  int code = EXIT_RUN_FAILED;
  if (!page)
    cli_complain("out of memory");
  else
    code = write_page(context, model, page, cli_given(a, "quiet")) ? cli_report_error(context, EXIT_WRONG_INPUT)
                                                                   : EXIT_DONE;
  free(chosen);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_live = {
    .name = "live",
    .operands = "[MODEL]",
    .operands_least = 0,
    .operands_most = 1,
    .operand_kind = "model",
    .summary = "Write a page that runs a model in a browser",
    .description =
        "MODEL is a model file or the name of a shipped model. The page is one HTML file without a server "
        "and without a\n"
        "network; it contains the library. In the page you set parameters with sliders during the motion, "
        "pull bodies\n"
        "with the mouse, and edit the text of the model. 'make web' builds the files that this command needs.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run,
    .default_what = "the page",
    .default_path = default_page};
