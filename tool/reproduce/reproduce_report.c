/* Verdicts, and the report as one HTML file. */
#include "platform/files.h"
#include "platform/texts.h"
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

/* --- verdicts ----------------------------------------------------------------------------------------------------- */

const char *reproduce_verdict_text(verdict v) {
  static const char *const texts[] = {[VERDICT_AGREES] = "agrees",
                                      [VERDICT_DIFFERS] = "differs",
                                      [VERDICT_CANNOT] = "cannot",
                                      [VERDICT_WRONG] = "disagrees",
                                      [VERDICT_FAILED] = "failed"};
  return texts[v];
}

static bool is_within(const reproduce_value *v, double value) {
  switch (v->expected) {
  case EXPECT_NEAR:
    return fabs(value - v->a) <= v->b;
  case EXPECT_ABOVE:
    return value > v->a;
  case EXPECT_BELOW:
    return value < v->a;
  case EXPECT_BETWEEN:
    return value >= v->a && value <= v->b;
  default:
    return true;
  }
}

void reproduce_expectation_text(const reproduce_value *v, size_t size, char *text) {
  switch (v->expected) {
  case EXPECT_NEAR:
    snprintf(text, size, "%.9g within %.3g", v->a, v->b);
    break;
  case EXPECT_ABOVE:
    snprintf(text, size, "above %.9g", v->a);
    break;
  case EXPECT_BELOW:
    snprintf(text, size, "below %.9g", v->a);
    break;
  case EXPECT_BETWEEN:
    snprintf(text, size, "between %.9g and %.9g", v->a, v->b);
    break;
  default:
    snprintf(text, size, "shown only");
  }
}

bool reproduce_judge(picus_context *context, const reproduce_run *run, reproduce_result *out) {
  const reproduce_item *item = run->item;
  const size_t count = (size_t)item->value_count + 1;
  *out = (reproduce_result){.values = calloc(count, sizeof *out->values),
                            .within = calloc(count, sizeof *out->within),
                            .reasons = calloc(count, sizeof *out->reasons),
                            .verdict = item->value_count ? VERDICT_AGREES : VERDICT_CANNOT};
  if (!out->values || !out->within || !out->reasons) return false;
  if (run->state != ITEM_COMPLETE) {
    out->verdict = VERDICT_FAILED;
    return true;
  }
  for (int k = 0; k < item->value_count; k++) {
    const reproduce_value *v = &item->values[k];
    out->values[k] = reproduce_evaluate(context, run, &v->what, out->reasons[k], sizeof out->reasons[k]);
    out->within[k] = is_within(v, out->values[k]);
    verdict found = out->within[k] ? VERDICT_AGREES : VERDICT_DIFFERS;
    if (out->within[k] == (v->reason != NULL)) found = VERDICT_WRONG; /* also a reason without a difference */
    if (v->expected == EXPECT_SHOWN) found = v->reason ? VERDICT_DIFFERS : VERDICT_AGREES;
    if (isnan(out->values[k])) found = VERDICT_FAILED;
    if (found > out->verdict) out->verdict = found;
  }
  return true;
}

void reproduce_result_release(reproduce_result *result) {
  free(result->values);
  free(result->within);
  free(result->reasons);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void escape_part(FILE *file, const char *text, size_t length) {
  for (; length-- && *text; text++) {
    if (*text == '&')
      fputs("&amp;", file);
    else if (*text == '<')
      fputs("&lt;", file);
    else if (*text == '>')
      fputs("&gt;", file);
    else if (*text == '"')
      fputs("&quot;", file);
    else if ((unsigned char)*text >= ' ' || strchr("\n\t", *text))
      fputc(*text, file);
  }
}

static void escape(FILE *file, const char *text) { escape_part(file, text, strlen(text)); }

static void element(FILE *file, const char *name, const char *text) {
  fprintf(file, "<%s>", name);
  escape(file, text);
  fprintf(file, "</%s>\n", name);
}

/* A whole file of a run, terminated; NULL: it cannot be read. */
static char *load(const reproduce_run *run, const char *name) {
  enum { MOST = 1 << 24 };
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "%s/%s", run->folder, name);
  FILE *file = picus_stream_read(path);
  char *text = file ? malloc(MOST + 1) : NULL;
  if (text) text[fread(text, 1, MOST, file)] = '\0';
  if (file) fclose(file);
  return text;
}

/* --- figures and tables ------------------------------------------------------------------------------------------- */

/* A number with at most two decimals, which a page does not show; returns its end. */
static const char *write_short(FILE *file, const char *p) {
  char *end, text[64];
  const double value = strtod(p, &end);
  int used = snprintf(text, sizeof text, "%.2f", value);
  while (used > 1 && text[used - 1] == '0') text[--used] = '\0';
  if (used > 1 && text[used - 1] == '.') text[--used] = '\0';
  fputs(strcmp(text, "-0") == 0 ? "0" : text, file);
  return end;
}

/* Does a decimal fraction begin here? */
static bool is_fraction(const char *p) {
  if (!strchr(" \"(,", p[-1])) return false;
  const size_t digits = strspn(p + (*p == '-'), "0123456789");
  p += (*p == '-') + digits;
  return digits > 0 && *p == '.' && strspn(p + 1, "0123456789") > 2;
}

/* The bytes of an SVG with shorter numbers. */
static void shorten_svg(FILE *file, const char *svg) {
  for (const char *p = svg; *p;) {
    if (p > svg && is_fraction(p))
      p = write_short(file, p);
    else
      fputc(*p++, file);
  }
}

static void write_base64(FILE *file, const unsigned char *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t k = 0; k < size; k += 3) {
    const size_t left = size - k;
    const unsigned group = (unsigned)bytes[k] << 16 | (left > 1 ? (unsigned)bytes[k + 1] << 8 : 0) |
                           (left > 2 ? (unsigned)bytes[k + 2] : 0);
    fputc(digits[group >> 18 & 63], file);
    fputc(digits[group >> 12 & 63], file);
    fputc(left > 1 ? digits[group >> 6 & 63] : '=', file);
    fputc(left > 2 ? digits[group & 63] : '=', file);
  }
}

/* As a picture: browsers neither run scripts of a picture nor load what it names. The file may come from anybody. */
static void write_svg(FILE *file, const char *svg) {
  picus_text_stream shorter;
  bool fine = picus_text_open(&shorter);
  if (fine) {
    shorten_svg(shorter.stream, svg);
    fine = picus_text_close(&shorter);
  }
  if (fine) {
    fputs("<img alt=\"\" src=\"data:image/svg+xml;base64,", file);
    write_base64(file, (const unsigned char *)shorter.text, shorter.size);
    fputs("\">\n", file);
  } else
    element(file, "p", "out of memory");
  free(shorter.text);
}

static void write_cells(FILE *file, const char *line, const char *name) {
  const size_t length = strcspn(line, "\n");
  fputs("<tr>", file);
  for (const char *cell = line; cell <= line + length;) {
    const size_t used = strcspn(cell, ",\n");
    fprintf(file, "<%s>", name);
    escape_part(file, cell, used);
    fprintf(file, "</%s>", name);
    cell += used + 1;
  }
  fputs("</tr>\n", file);
}

static void write_csv(FILE *file, const char *text) {
  fputs("<table>\n", file);
  const char *name = "th";
  for (; *text; name = "td") {
    const size_t length = strcspn(text, "\n");
    if (length) write_cells(file, text, name);
    text += length + (text[length] == '\n');
  }
  fputs("</table>\n", file);
}

static void write_shown(FILE *file, const reproduce_run *run, const reproduce_shown *shown) {
  char name[64];
  snprintf(name, sizeof name, "command-%ld.out", strtol(shown->file, NULL, 10));
  char *text = load(run, shown->kind == SHOWN_OUTPUT ? name : shown->file);
  fputs("<figure>\n", file);
  if (!text)
    element(file, "p", "The file is missing.");
  else if (shown->kind == SHOWN_FIGURE)
    write_svg(file, text);
  else if (shown->kind == SHOWN_TABLE)
    write_csv(file, text);
  else
    element(file, "pre", text);
  element(file, "figcaption", shown->caption);
  fputs("</figure>\n", file);
  free(text);
}

/* --- items -------------------------------------------------------------------------------------------------------- */

/* The table of compared values of an item, with their verdicts. */
static void write_values(FILE *file, const reproduce_item *item, const reproduce_result *result) {
  if (!item->value_count) return;
  fputs("<table>\n<tr><th>quantity</th><th>compared "
        "with</th><th>paper</th><th>expected</th><th>Picus</th><th>verdict</th></tr>\n",
        file);
  for (int k = 0; k < item->value_count; k++) {
    const reproduce_value *v = &item->values[k];
    const double value = result->values[k];
    char text[160];
    reproduce_expectation_text(v, sizeof text, text);
    fputs("<tr><td>", file);
    escape(file, v->label);
    fprintf(file, "</td><td>%s</td><td>", v->against == AGAINST_NOTHING ? "" : reproduce_against_text(v->against));
    escape(file, v->paper ? v->paper : "");
    fprintf(file, "</td><td>%s", text);
    if (v->limit) {
      fputs("<br><small>", file);
      escape(file, v->limit);
      fputs("</small>", file);
    }
    fputs("</td><td>", file);
    if (isnan(value))
      escape(file, result->reasons[k]);
    else
      fprintf(file, "%.6g", value);
    fputs("</td><td>", file);
    if (isnan(value))
      fputs("failed", file);
    else if (v->reason) {
      fputs(result->within[k] && v->expected != EXPECT_SHOWN ? "agrees, but should differ: " : "differs: ", file);
      escape(file, v->reason);
    } else
      fputs(v->expected == EXPECT_SHOWN ? "" : result->within[k] ? "agrees" : "<b>disagrees</b>", file);
    fputs("</td></tr>\n", file);
  }
  fputs("</table>\n", file);
}

static void write_texts(FILE *file, const char *title, int count, const char *const *texts) {
  for (int k = 0; k < count; k++) {
    fprintf(file, "<p>%s", title);
    escape(file, texts[k]);
    fputs("</p>\n", file);
  }
}

static double seconds_of(const reproduce_run *run) {
  double sum = 0;
  for (int k = 0; k < run->item->step_count; k++) sum += run->seconds[k];
  return sum;
}

static void write_steps(FILE *file, const reproduce_run *run) {
  const reproduce_item *item = run->item;
  if (!item->step_count) return;
  fprintf(file, "<details><summary>%d steps, %.1f s</summary>\n<pre>", item->step_count, seconds_of(run));
  for (int k = 0; k < item->step_count; k++) {
    escape(file, item->steps[k].text);
    fprintf(file, "  # %.2f s\n", run->seconds[k]);
  }
  fputs("</pre></details>\n", file);
}

static void write_item(FILE *file, const reproduce_session *s, int k, const reproduce_result *result) {
  const reproduce_run *run = &s->runs[k];
  const reproduce_item *item = run->item;
  const char *judged = reproduce_verdict_text(result->verdict);
  fprintf(file, "<section id=\"%s-%s\">\n<h3><span class=\"%s\">%s</span> %s, ", s->table->papers[item->paper].id,
          item->id, judged, judged, s->table->papers[item->paper].id);
  escape(file, item->place);
  fputs(": ", file);
  escape(file, item->what);
  fputs("</h3>\n", file);
  if (run->state != ITEM_COMPLETE) element(file, "p", run->reason[0] ? run->reason : "not run");
  if (item->cannot)
    write_texts(file, item->value_count ? "<b>Not reproduced:</b> " : "<b>Cannot:</b> ", 1, &item->cannot);
  write_texts(file, "<b>Assumed:</b> ", item->assumed_count, item->assumed);
  if (run->state == ITEM_COMPLETE) {
    write_values(file, item, result);
    for (int f = 0; f < item->shown_count; f++) write_shown(file, run, &item->shown[f]);
  }
  write_texts(file, "", item->note_count, item->notes);
  write_steps(file, run);
  fputs("</section>\n", file);
}

static void write_overview(FILE *file, const reproduce_session *s, const reproduce_result *results) {
  fputs("<table>\n<tr><th>paper</th><th>item</th><th>content</th><th>verdict</th><th>time, s</th></tr>\n", file);
  for (int k = 0; k < s->count; k++) {
    const reproduce_item *item = s->runs[k].item;
    const char *judged = reproduce_verdict_text(results[k].verdict), *paper = s->table->papers[item->paper].id;
    fprintf(file, "<tr><td>%s</td><td><a href=\"#%s-%s\">", paper, paper, item->id);
    escape(file, item->place);
    fputs("</a></td><td>", file);
    escape(file, item->what);
    fprintf(file, "</td><td class=\"%s\">%s</td><td>%.1f</td></tr>\n", judged, judged, seconds_of(&s->runs[k]));
  }
  fputs("</table>\n", file);
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
    "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<title>picus reproduce</title>\n<style>\n"
    "body{font:15px/1.45 sans-serif;max-width:62em;margin:1em auto;padding:0 1em;color:#222}\n"
    "table{border-collapse:collapse;margin:.6em 0}td,th{border:1px solid #ccc;padding:.15em .5em;text-align:left;"
    "vertical-align:top}\n"
    "pre{background:#f4f4f4;padding:.5em;overflow-x:auto;font-size:12px}figure{margin:1em 0}img{max-width:100%;"
    "height:auto}\n"
    "h3 span,td.agrees,td.differs,td.cannot,td.disagrees,td.failed{border-radius:3px;padding:0 .4em}\n"
    ".agrees{background:#cfe8cf}.differs{background:#f6e3b4}.cannot{background:#ddd}.disagrees,.failed{background:"
    "#f3bcbc}\n</style></head><body>\n<h1>Tables and figures of the papers</h1>\n";

static void write_counts(FILE *file, const reproduce_session *s, const reproduce_result *results) {
  const reproduce_counts counts = reproduce_count(s, results);
  fputs("<table>\n<tr><th>values compared with</th><th>number</th><th>agree</th></tr>\n", file);
  for (int k = 0; k < AGAINST_NOTHING; k++)
    fprintf(file, "<tr><td>%s</td><td>%d</td><td>%d</td></tr>\n", reproduce_against_text((reproduce_against)k),
            counts.of[k], counts.agree[k]);
  fprintf(file,
          "</table>\n<p>%d of these values have a limit at one side only. Of the %d limits of statements and bounds, "
          "which no paper prints, %d say where they come from. %d more values are shown without a verdict.</p>\n",
          counts.one_sided, counts.chosen, counts.explained, counts.of[AGAINST_NOTHING]);
}

void reproduce_write_report(FILE *file, const reproduce_session *s, const reproduce_result *results) {
  double seconds = 0;
  int paper = -1;
  for (int k = 0; k < s->count; k++) seconds += seconds_of(&s->runs[k]);
  fputs(head, file);
  fprintf(file,
          "<p>Picus %s; %d items, %.0f s of commands. A paper's number agrees if Picus' number is within the "
          "stated range. Data that a paper does not print are marked as assumed.</p>\n",
          PICUS_VERSION, s->count, seconds);
  write_counts(file, s, results);
  write_overview(file, s, results);
  for (int k = 0; k < s->count; k++) {
    const reproduce_item *item = s->runs[k].item;
    if (item->paper != paper) {
      paper = item->paper;
      fputs("<h2>", file);
      escape(file, s->table->papers[paper].id);
      fputs(": ", file);
      escape(file, s->table->papers[paper].title);
      fputs("</h2>\n", file);
    }
    write_item(file, s, k, &results[k]);
  }
  fputs("</body></html>\n", file);
}
