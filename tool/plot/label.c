/* Labels: their markup, that is stretches of text at the base line, as subscript or as superscript; measured and
 * drawn with cairo's text interface. */
#include "plot/font.h"
#include "plot/internal.h"

#include <math.h>
#include <string.h>

/* --- markup ------------------------------------------------------------------------------------------------------- */

picus_label_reader picus_label_read(const char *label) {
  return (picus_label_reader){.next = label, .script = PICUS_LABEL_BASE, .previous = PICUS_LABEL_BASE, .first = true};
}

/* At a mark that opens a script: consumes it and returns true. A mark with nothing after it is an ordinary
 * character. */
static bool open_script(picus_label_reader *reader) {
  char mark = reader->next[0];
  if ((mark != '_' && mark != '^') || !reader->next[1]) return false;
  reader->previous = reader->script;
  reader->script = mark == '_' ? PICUS_LABEL_SUBSCRIPT : PICUS_LABEL_SUPERSCRIPT;
  reader->braced = reader->next[1] == '{';
  reader->next += reader->braced ? 2 : 1;
  reader->first = true;
  return true;
}

static void close_script(picus_label_reader *reader) {
  picus_label_script closed = reader->script;
  reader->script = PICUS_LABEL_BASE;
  reader->braced = false;
  reader->first = true;
  if (open_script(reader)) reader->previous = closed; /* x_1^2: the next script follows directly */
}

static bool is_escape(const char *text) { return text[0] == '\\' && text[1] && strchr("_^{}\\", text[1]); }

bool picus_label_next(picus_label_reader *reader, picus_label_run *run) {
  memset(run, 0, sizeof *run);
  size_t length = 0;
  while (reader->next[0]) {
    bool base = reader->script == PICUS_LABEL_BASE;
    if (reader->braced && reader->next[0] == '}') {
      reader->next++;
      bool done = length > 0;
      if (done) run->script = reader->script;
      close_script(reader);
      if (done) return true;
      continue;
    }
    /* a run ends where a script starts, and a script without braces ends after one character */
    if (base && (reader->next[0] == '_' || reader->next[0] == '^') && reader->next[1]) {
      if (length > 0) return true;
      open_script(reader);
      continue;
    }
    if (is_escape(reader->next)) reader->next++;
    char character[5];
    reader->next += picus_label_character(reader->next, character);
    if (length == 0) {
      run->script = reader->script;
      run->first = reader->first;
      run->stacked = reader->first && !base && reader->previous != PICUS_LABEL_BASE && reader->previous != run->script;
      reader->first = false;
    }
    strcpy(run->text + length, character);
    length += strlen(character);
    if (!base && !reader->braced) {
      close_script(reader);
      return true;
    }
    if (length + 5 > sizeof run->text) return true;
  }
  return length > 0;
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

/* Size of scripts, and how far their base line is moved, relative to the font size. */
#define SCRIPT_SIZE 0.72
#define SUBSCRIPT_DROP 0.20
#define SUPERSCRIPT_RISE 0.36

void picus_text_begin(cairo_t *cairo) {
  picus_select_font(cairo);
  cairo_font_options_t *options = cairo_font_options_create();
  /* No hinting: letters have the same widths in every format and at every resolution. */
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
}

/* Traverses the runs from x on the base line y; draws them if requested. */
static picus_text_size walk(cairo_t *cairo, const char *label, double font_size, bool draw) {
  picus_text_size size = {0, 0, 0};
  double x = 0, script_start = 0, base_end = 0;
  picus_label_run run;
  for (picus_label_reader reader = picus_label_read(label); picus_label_next(&reader, &run);) {
    double rise = 0, scale = 1;
    if (run.script == PICUS_LABEL_SUBSCRIPT) rise = -SUBSCRIPT_DROP;
    if (run.script == PICUS_LABEL_SUPERSCRIPT) rise = SUPERSCRIPT_RISE;
    if (run.script != PICUS_LABEL_BASE) scale = SCRIPT_SIZE;
    if (run.stacked) /* a subscript and a superscript of the same letter are set one above the other */
      x = script_start;
    else if (run.first)
      x = base_end;
    if (run.first) script_start = x;
    cairo_set_font_size(cairo, font_size * scale);
    cairo_text_extents_t ink;
    cairo_text_extents(cairo, run.text, &ink);
    double lift = rise * font_size;
    if (draw) {
      cairo_move_to(cairo, x, -lift);
      cairo_show_text(cairo, run.text);
    }
    x += ink.x_advance;
    base_end = fmax(base_end, x);
    size.width = fmax(size.width, fmax(x, x - ink.x_advance + ink.x_bearing + ink.width));
    size.ascent = fmax(size.ascent, lift - ink.y_bearing);
    size.descent = fmax(size.descent, ink.y_bearing + ink.height - lift);
  }
  return size;
}

picus_text_size picus_text_measure(cairo_t *cairo, const char *label, double font_size) {
  return walk(cairo, label, font_size, false);
}

void picus_text_draw(cairo_t *cairo, const char *label, double font_size, picus_text_spot spot) {
  if (!label[0]) return;
  double width = picus_text_measure(cairo, label, font_size).width;
  double shrink = width > spot.max_width ? spot.max_width / width : 1;
  if (!(shrink * font_size > 0.01)) return;
  cairo_save(cairo);
  cairo_translate(cairo, spot.x, spot.y);
  if (spot.upward) cairo_rotate(cairo, -acos(0.0));
  cairo_translate(cairo, -spot.align * width * shrink, 0);
  walk(cairo, label, font_size * shrink, true);
  cairo_restore(cairo);
}

picus_text_lines picus_text_split(cairo_t *cairo, const char *label, double font_size, double max_width) {
  picus_text_lines lines = {.count = 1};
  size_t length = strlen(label), best = 0;
  if (length >= sizeof lines.text[0]) length = sizeof lines.text[0] - 1;
  memcpy(lines.text[0], label, length);
  double width = picus_text_measure(cairo, lines.text[0], font_size).width, best_width = width;
  if (width <= max_width) return lines;
  bool braced = false;
  for (size_t i = 1; i + 1 < length; i++) { /* at the space that makes the wider of the two lines least wide */
    if (label[i] == '{') braced = true;
    if (label[i] == '}') braced = false;
    if (label[i] != ' ' || braced) continue;
    char first[sizeof lines.text[0]] = "";
    memcpy(first, label, i);
    double before = picus_text_measure(cairo, first, font_size).width;
    double wider = fmax(before, width - before);
    if (wider >= best_width) continue;
    best_width = wider;
    best = i;
  }
  if (best == 0) return lines;
  memset(lines.text[0] + best, 0, length - best);
  memcpy(lines.text[1], label + best + 1, length - best - 1);
  lines.count = 2;
  return lines;
}

/* For builds with the address sanitizer only: fontconfig, which finds the font for cairo, refers to its patterns by
 * offsets instead of pointers for the rest of the process, and the leak checker reports them. It looks up the two names
 * below. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LEAKS_ARE_CHECKED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LEAKS_ARE_CHECKED
#endif

#ifdef LEAKS_ARE_CHECKED
PICUS_API const char *__lsan_default_suppressions(void);
PICUS_API const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig\n"; }
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif
