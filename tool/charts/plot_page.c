/* picus plot --out F.html: the points of a table on a page, with their numbers and the commands of their runs. */
#include "plot_panels.h"

#include "base/internal.h"
#include "base/output_file.h"
#include "view/page_frame.h"

#include <string.h>

enum { WORD = 160 };

bool plot_is_page(const char *path) {
  const size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".html") == 0;
}

static bool save(plot_drawing *d, const picus_diagram *diagram, const char *path) {
  picus_json text = {0};
  picus_status status = picus_json_begin(d->context, &text);
  if (!status) status = picus_diagram_write(d->context, diagram, &text);
  if (!status) status = picus_output_save(d->context, path, text.bytes, text.size);
  if (text.powers) picus_json_release(&text);
  return plot_report(d, status);
}

/* All columns of numbers of the table. */
static bool fill(plot_drawing *d, const int wanted[2], picus_diagram *diagram, picus_diagram_column *columns,
                 char (*words)[WORD]) {
  plot_source *source = &d->sources[0];
  for (int k = 0; k < plot_source_column_count(source); k++) {
    const cli_csv_column *of_table = &source->table.columns[k];
    if (!of_table->is_read || of_table->text_line || (!of_table->values && source->count > 0)) continue;
    picus_diagram_column *column = &columns[diagram->column_count];
    if (source->study) picus_study_table_word(source->study, k, WORD, words[diagram->column_count]);
    *column = (picus_diagram_column){of_table->name, of_table->unit, words[diagram->column_count],
                                     of_table->values + source->first};
    if (k == wanted[0]) diagram->x = diagram->column_count;
    if (k == wanted[1]) diagram->y = diagram->column_count;
    diagram->column_count++;
  }
  return true;
}

bool plot_write_page(plot_drawing *d, const char *path) {
  const cli_arguments *a = d->arguments;
  plot_source *source = &d->sources[0];
  const size_t count = (size_t)plot_source_column_count(source);
  int wanted[2] = {0, 0};
  if (source->result || d->source_count != 1 || !cli_given(a, "x") || cli_operand_count(a) != 2) {
    cli_complain(
        "a page shows one column of one table over another: picus plot TABLE Y --x X --out F.html; the page of a "
        "result is made by picus view");
    return false;
  }
  if (!plot_source_find(source, cli_value(a, "x", 0), &wanted[0]) ||
      !plot_source_find(source, cli_operand(a, 1), &wanted[1]))
    return false;
  picus_diagram_column *columns = picus_allocate(d->context, count, sizeof *columns);
  char(*words)[WORD] = picus_allocate(d->context, count, sizeof *words);
  picus_diagram diagram = {.title = cli_given(a, "title") ? cli_value(a, "title", 0) : source->path,
                           .command = source->study ? picus_study_table_command(source->study) : "",
                           .columns = columns,
                           .rows = (long)source->count};
  const bool fine = columns && words && fill(d, wanted, &diagram, columns, words) && save(d, &diagram, path);
  if (!columns || !words) cli_complain("out of memory");
  picus_release(d->context, columns);
  picus_release(d->context, words);
  return fine;
}
