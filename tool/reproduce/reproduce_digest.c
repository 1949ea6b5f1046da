/* The report without figures and commands, as Markdown. */
#include "reproduce.h"

#include <math.h>
#include <string.h>

/* Text in a cell of a table: characters that Markdown or HTML read are escaped. */
static void cell(FILE *file, const char *text) {
  for (; *text; text++) {
    if (strchr("|*_`\\<[", *text)) fputc('\\', file);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
  }
}

static void write_value(FILE *file, const reproduce_value *v, const reproduce_result *result, int k) {
  fputs("| ", file);
  cell(file, v->label);
  fprintf(file, " | %s | ", v->against == AGAINST_NOTHING ? "" : reproduce_against_text(v->against));
  cell(file, v->paper ? v->paper : "");
  fputs(" | ", file);
  if (v->expected != EXPECT_SHOWN) {
    char text[160];
    reproduce_expectation_text(v, sizeof text, text);
    cell(file, text);
  }
  if (v->limit) {
    fputs(": ", file);
    cell(file, v->limit);
  }
  if (isnan(result->values[k])) {
    fputs(" | | failed: ", file);
    cell(file, result->reasons[k]);
  } else {
    const bool shown = v->expected == EXPECT_SHOWN;
    fprintf(file, " | %.6g | %s", result->values[k],
            v->reason           ? "differs: "
            : shown             ? ""
            : result->within[k] ? "agrees"
                                : "**disagrees**");
    if (v->reason) cell(file, v->reason);
  }
  fputs(" |\n", file);
}

/* Figures are not in the digest, and notes about them neither. */
static void write_notes(FILE *file, const reproduce_item *item) {
  for (int k = 0; k < item->note_count; k++) {
    if (strncmp(item->notes[k], "Figure: ", 8) == 0) continue;
    fputs("\n", file);
    cell(file, item->notes[k]);
    fputs("\n", file);
  }
}

static void write_item(FILE *file, const reproduce_run *run, const reproduce_result *result) {
  const reproduce_item *item = run->item;
  fputs("\n### ", file);
  cell(file, item->place);
  fputs(": ", file);
  cell(file, item->what);
  fprintf(file, "\n\nVerdict: **%s**.", reproduce_verdict_text(result->verdict));
  if (run->reason[0] && run->state != ITEM_COMPLETE) {
    fputs(" ", file);
    cell(file, run->reason);
  }
  if (item->cannot) {
    fputs(item->value_count ? " Not reproduced: " : " Reason: ", file);
    cell(file, item->cannot);
  }
  for (int k = 0; k < item->assumed_count; k++) {
    fputs(" Assumed: ", file);
    cell(file, item->assumed[k]);
  }
  fputs("\n", file);
  if (!item->value_count || run->state != ITEM_COMPLETE) return;
  fputs("\n| quantity | compared with | paper | expected | Picus | verdict |\n|---|---|---|---|---|---|\n", file);
  for (int k = 0; k < item->value_count; k++) write_value(file, &item->values[k], result, k);
  write_notes(file, item);
}

/* At the top: what the values are worth. */
static void write_counts(FILE *file, const reproduce_session *s, const reproduce_result *results) {
  const reproduce_counts counts = reproduce_count(s, results);
  fputs("\n| values compared with | number | agree |\n|---|---|---|\n", file);
  for (int k = 0; k < AGAINST_NOTHING; k++)
    fprintf(file, "| %s | %d | %d |\n", reproduce_against_text((reproduce_against)k), counts.of[k], counts.agree[k]);
  fprintf(file,
          "\n%d of these values have a limit at one side only. Of the %d limits of statements and bounds, which no\n"
          "paper prints, %d say where they come from. %d more values are shown without a verdict.\n",
          counts.one_sided, counts.chosen, counts.explained, counts.of[AGAINST_NOTHING]);
}

void reproduce_write_digest(FILE *file, const reproduce_session *s, const reproduce_result *results) {
  int paper = -1;
  fprintf(
      file,
      "# Tables and figures of the papers: the digest\n\nWritten by `picus reproduce`, Picus %s. The complete report "
      "with figures and commands is\n`report.html`, which the same command writes.\n",
      PICUS_VERSION);
  write_counts(file, s, results);
  for (int k = 0; k < s->count; k++) {
    const reproduce_item *item = s->runs[k].item;
    if (item->paper != paper) {
      paper = item->paper;
      fprintf(file, "\n## %s: ", s->table->papers[paper].id);
      cell(file, s->table->papers[paper].title);
      fputs("\n", file);
    }
    write_item(file, &s->runs[k], &results[k]);
  }
}
