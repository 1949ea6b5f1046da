/* Tick positions at 1, 2, 5 times powers of ten, and their labels.
 *
 * A tick is an integer multiple of a unit 10^exponent, and its label is written from that integer: no round-off is
 * visible. */
#include "plot/internal.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEWEST = 3 };

#define MINUS "\xE2\x88\x92" /* U+2212 */
#define TIMES "\xC3\x97"     /* U+00D7 */

/* Numbers with more digits than this are labelled relative to an offset. */
enum { MOST_DIGITS = 6 };

static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
enum { POWERS = sizeof powers / sizeof powers[0] };

static double times_power_of_ten(double value, int exponent) {
  if (exponent < 0 && exponent >= -300) return value / pow(10, -exponent); /* k/10 rounds correctly, k*0.1 does not */
  return value * pow(10, exponent);
}

/* ---- Labels ---- */

/* value * 10^-decimals as text. */
static void write_decimal(int64_t value, int decimals, size_t size, char *text) {
  char digits[40];
  int least = decimals < 0 ? 1 : decimals > 18 ? 19 : decimals + 1; /* one before the point */
  snprintf(digits, sizeof digits, "%0*" PRId64, least, value < 0 ? -value : value);
  int whole = (int)strlen(digits) - decimals;
  const char *sign = value < 0 ? MINUS : "";
  if (value == 0)
    snprintf(text, size, "0");
  else if (decimals <= 0 || whole <= 0)
    snprintf(text, size, "%s%s", sign, digits);
  else
    snprintf(text, size, "%s%.*s.%s", sign, whole, digits, digits + whole);
}

static void write_power(int exponent, size_t size, char *text) {
  snprintf(text, size, "10^{%s%d}", exponent < 0 ? MINUS : "", exponent < 0 ? -exponent : exponent);
}

static int digit_count(int64_t value) {
  int count = 1;
  for (uint64_t rest = (uint64_t)(value < 0 ? -value : value); rest >= 10; rest /= 10) count++;
  return count;
}

/* value * 10^exponent: plain if that is short, else with a power of ten. */
static void write_number(int64_t value, int exponent, size_t size, char *text) {
  while (value != 0 && value % 10 == 0) value /= 10, exponent++;
  int leading = digit_count(value) - 1 + exponent;
  if (exponent <= 0 && exponent >= -4) {
    write_decimal(value, -exponent, size, text);
  } else if (exponent > 0 && leading < MOST_DIGITS && exponent < POWERS) {
    write_decimal(value * powers[exponent], 0, size, text);
  } else {
    char mantissa[48], power[24];
    write_decimal(value, digit_count(value) - 1, sizeof mantissa, mantissa);
    write_power(leading, sizeof power, power);
    if (value == 1)
      snprintf(text, size, "%s", power);
    else if (value == -1)
      snprintf(text, size, MINUS "%s", power);
    else
      snprintf(text, size, "%s" TIMES "%s", mantissa, power);
  }
}

static int64_t magnitude(int64_t value) { return value < 0 ? -value : value; }

/* The common part of all labels: "x10^3 + 12000". */
static void note_common(int factor, int64_t offset, int exponent, picus_ticks *ticks) {
  char power[24] = "", addend[96] = "";
  if (factor != 0) write_power(factor, sizeof power, power);
  if (offset != 0) write_number(magnitude(offset), exponent, sizeof addend, addend);
  const char *sign = offset > 0 ? "+ " : offset < 0 ? MINUS " " : "";
  snprintf(ticks->note, sizeof ticks->note, "%s%s%s%s%s", factor ? TIMES : "", power, factor && offset ? " " : "", sign,
           addend);
}

/* Labels of first, first + step, ... in units of 10^exponent: plain numbers if they are short; a common factor if they
 * are tiny or huge; an offset if they agree in most of their digits. */
static void label_multiples(int64_t first, int64_t step, int exponent, picus_ticks *ticks) {
  int64_t last = first + step * (ticks->count - 1), offset = 0;
  int64_t largest = magnitude(first) > magnitude(last) ? magnitude(first) : magnitude(last);
  if (digit_count(largest) > MOST_DIGITS) {
    int64_t middle = first + (last - first) / 2; /* three digits are left beside the offset */
    offset = (middle + (middle < 0 ? -500 : 500)) / 1000 * 1000;
    first -= offset;
    last -= offset;
    largest = magnitude(first) > magnitude(last) ? magnitude(first) : magnitude(last);
  }
  int leading = digit_count(largest) - 1 + exponent, factor = 0;
  /* 12000 and 0.025 are plain, 120000 and 0.00025 get a power of ten */
  bool plain = largest == 0 || (leading < 5 && (exponent >= -3 || leading >= -2));
  if (!plain) factor = leading;
  int decimals = factor - exponent;
  for (int i = 0; i < ticks->count; i++) {
    int64_t value = first + step * i;
    if (decimals >= 0)
      write_decimal(value, decimals, sizeof ticks->label[i], ticks->label[i]);
    else
      write_decimal(value * powers[-decimals], 0, sizeof ticks->label[i], ticks->label[i]);
  }
  note_common(factor, offset, exponent, ticks);
}

/* ---- Linear axes ---- */

typedef struct multiples {
  int mantissa, exponent; /* the step: mantissa * 10^exponent */
  double first, last;     /* integers: the ticks are first ... last times the step */
  int count;
} multiples;

static multiples multiples_inside(picus_extent range, int mantissa, int exponent) {
  double step = times_power_of_ten(mantissa, exponent);
  const double slack = 1e-9; /* a tick that misses the end by round-off only belongs to the range */
  multiples found = {mantissa, exponent, ceil(range.low / step - slack), floor(range.high / step + slack), 0};
  double count = found.last - found.first + 1;
  found.count = count < 0 ? 0 : count > 1000 ? 1000 : (int)count;
  return found;
}

/* Steps grow by at most 2.5, counts from 3 to 9 allow a factor of at least 8/3: there always is a step. */
static multiples best_multiples(picus_extent range, int wanted) {
  static const int mantissas[] = {1, 2, 5};
  int exponent = (int)floor(log10(range.high - range.low));
  multiples best = {.count = 0};
  for (int e = exponent + 1; e >= exponent - 2; e--) {
    for (int i = 2; i >= 0; i--) {
      multiples candidate = multiples_inside(range, mantissas[i], e);
      if (candidate.count < FEWEST || candidate.count > PICUS_TICKS_MOST) continue;
      int distance = candidate.count > wanted ? candidate.count - wanted : wanted - candidate.count;
      int best_distance = best.count > wanted ? best.count - wanted : wanted - best.count;
      if (best.count == 0 || distance <= best_distance) best = candidate; /* if in doubt, more */
    }
  }
  return best;
}

static double inside(picus_extent range, double value) { return fmin(fmax(value, range.low), range.high); }

void picus_ticks_linear(picus_extent range, int wanted, picus_ticks *ticks) {
  memset(ticks, 0, sizeof *ticks);
  multiples chosen = best_multiples(range, wanted);
  ticks->count = chosen.count;
  for (int i = 0; i < chosen.count; i++)
    ticks->value[i] = inside(range, times_power_of_ten((chosen.first + i) * chosen.mantissa, chosen.exponent));
  label_multiples((int64_t)chosen.first * chosen.mantissa, chosen.mantissa, chosen.exponent, ticks);
  int parts = chosen.mantissa == 2 ? 4 : 5;
  for (int i = 0; i < (chosen.count + 1) * parts && ticks->minor_count < PICUS_TICKS_MINOR_MOST; i++) {
    if (i % parts == 0) continue;
    double value = times_power_of_ten((chosen.first - 1 + (double)i / parts) * chosen.mantissa, chosen.exponent);
    if (value > range.low && value < range.high) ticks->minor[ticks->minor_count++] = value;
  }
}

/* ---- Logarithmic axes ---- */

static void add_minor(picus_extent range, double value, picus_ticks *ticks) {
  if (value > range.low && value < range.high && ticks->minor_count < PICUS_TICKS_MINOR_MOST)
    ticks->minor[ticks->minor_count++] = value;
}

/* Decades, every stride-th of them if there are many; between them 2 ... 9, or the decades left out. */
static void decade_ticks(picus_extent range, int first, int last, int wanted, picus_ticks *ticks) {
  static const int strides[] = {1, 2, 3, 5, 10, 20, 50, 100, 200};
  int stride = 1, start = first, distance = INT_MAX;
  for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
    int from = (int)ceil((double)first / strides[i]) * strides[i];
    int count = last < from ? 0 : (last - from) / strides[i] + 1,
        off = count > wanted ? count - wanted : wanted - count;
    if (count < FEWEST || count > PICUS_TICKS_MOST || off >= distance) continue;
    stride = strides[i];
    start = from;
    distance = off;
  }
  for (int k = start; k <= last && ticks->count < PICUS_TICKS_MOST; k += stride) {
    ticks->value[ticks->count] = inside(range, times_power_of_ten(1, k));
    write_power(k, PICUS_TICK_LABEL_SIZE, ticks->label[ticks->count++]);
  }
  for (int k = first - 1; k <= last; k++) {
    for (int digit = 2; digit <= 9 && stride == 1; digit++) add_minor(range, times_power_of_ten(digit, k), ticks);
    if (stride > 1 && stride <= 10 && (k - start) % stride != 0) add_minor(range, times_power_of_ten(1, k), ticks);
  }
}

/* 1, 2, 5 times each power of ten, for ranges of one or two decades. Returns false if that gives too few. */
static bool few_decades_ticks(picus_extent range, int first, int last, picus_ticks *ticks) {
  static const int mantissas[] = {1, 2, 5};
  bool plain = first > -3 && last < 4;
  for (int k = first - 1; k <= last; k++) {
    for (int i = 0; i < 3; i++) {
      double value = times_power_of_ten(mantissas[i], k);
      if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9) || ticks->count == PICUS_TICKS_MOST)
        continue;
      ticks->value[ticks->count] = inside(range, value);
      char *label = ticks->label[ticks->count++], power[24];
      write_power(k, sizeof power, power);
      if (plain)
        write_number(mantissas[i], k, PICUS_TICK_LABEL_SIZE, label);
      else if (i == 0)
        snprintf(label, PICUS_TICK_LABEL_SIZE, "%s", power);
      else
        snprintf(label, PICUS_TICK_LABEL_SIZE, "%d" TIMES "%s", mantissas[i], power);
    }
    for (int digit = 3; digit <= 9; digit++)
      if (digit != 5) add_minor(range, times_power_of_ten(digit, k), ticks);
  }
  return ticks->count >= FEWEST;
}

void picus_ticks_log(picus_extent range, int wanted, picus_ticks *ticks) {
  memset(ticks, 0, sizeof *ticks);
  int first = (int)ceil(log10(range.low) - 1e-9), last = (int)floor(log10(range.high) + 1e-9);
  if (last - first + 1 >= FEWEST) {
    decade_ticks(range, first, last, wanted, ticks);
  } else if (!few_decades_ticks(range, first, last, ticks)) {
    picus_ticks_linear(range, wanted, ticks); /* less than a decade: evenly spaced numbers */
  }
}

/* ---- Names ---- */

static void copy_name(const char *name, char *label) {
  size_t length = 0;
  char character[5];
  for (size_t taken; (taken = picus_label_character(name, character)) > 0; name += taken) {
    if (length + strlen(character) >= PICUS_TICK_LABEL_SIZE) break;
    strcpy(label + length, character);
    length += strlen(character);
  }
}

void picus_ticks_named(picus_extent range, int name_count, char *const *names, picus_ticks *ticks) {
  memset(ticks, 0, sizeof *ticks);
  double low = ceil(fmax(range.low, 0)), high = floor(fmin(range.high, name_count - 1.0));
  if (!(low <= high)) return;
  int first = (int)low, last = (int)high, stride = (last - first) / PICUS_TICKS_MOST + 1;
  for (int k = first; k <= last; k += stride) {
    ticks->value[ticks->count] = k;
    copy_name(names[k], ticks->label[ticks->count++]);
  }
}
