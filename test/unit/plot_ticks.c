/* Axis ranges, ticks and their labels. */
#include "plot/internal.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const picus_plot_axis automatic = {.scale = PICUS_AXIS_LINEAR, .low = NAN, .high = NAN};
static const picus_plot_axis automatic_log = {.scale = PICUS_AXIS_LOG, .low = NAN, .high = NAN};

static bool increasing_inside(const picus_ticks *ticks, picus_extent range) {
  for (int i = 0; i < ticks->count; i++) {
    if (!(ticks->value[i] >= range.low && ticks->value[i] <= range.high)) return false;
    if (i > 0 && !(ticks->value[i] > ticks->value[i - 1])) return false;
  }
  for (int i = 0; i < ticks->minor_count; i++)
    if (!(ticks->minor[i] >= range.low && ticks->minor[i] <= range.high)) return false;
  return true;
}

/* Reads a label written by the library: digits, U+2212, and "a×10^{b}". */
static double read_number(const char *label) {
  char plain[200] = "";
  for (const char *c = label; *c;) {
    if (strncmp(c, "\xE2\x88\x92", 3) == 0)
      strcat(plain, "-"), c += 3;
    else if (strncmp(c,
                     "\xC3\x97"
                     "10^{",
                     6) == 0)
      strcat(plain, "e"), c += 6;
    else if (strncmp(c, "10^{", 4) == 0)
      strcat(plain, "1e"), c += 4;
    else if (*c == '}')
      c++;
    else
      strncat(plain, c, 1), c++;
  }
  char *end;
  double value = strtod(plain, &end);
  return *end || !plain[0] ? NAN : value;
}

/* The number that label and note together stand for. */
static double read_label(const char *label, const char *note) {
  double factor = 1, offset = 0;
  char copy[200];
  snprintf(copy, sizeof copy, "%s", note);
  char *plus = strstr(copy, "+ "), *minus = strstr(copy, "\xE2\x88\x92 ");
  if (plus) offset = read_number(plus + 2), *plus = '\0';
  if (minus) offset = -read_number(minus + 4), *minus = '\0';
  char *space = strchr(copy, ' ');
  if (space) *space = '\0';
  if (copy[0]) factor = read_number(copy + 2); /* behind the × */
  return read_number(label) * factor + offset;
}

static bool labels_tell_values(const picus_ticks *ticks, double tolerance) {
  for (int i = 0; i < ticks->count; i++) {
    double said = read_label(ticks->label[i], ticks->note);
    if (fabs(said - ticks->value[i]) <= tolerance) continue;
    printf("  label \"%s\" with note \"%s\" for %.17g\n", ticks->label[i], ticks->note, ticks->value[i]);
    return false;
  }
  return true;
}

static bool is_nice_step(double step) {
  double mantissa = step / pow(10, floor(log10(step) + 1e-7));
  return fabs(mantissa - 1) < 1e-4 || fabs(mantissa - 2) < 1e-4 || fabs(mantissa - 5) < 1e-4;
}

static void linear_ticks_of_random_ranges(void) {
  test_random random = {1};
  for (int trial = 0; trial < 60000; trial++) {
    double width = pow(10, test_uniform(&random, -30, 30));
    double low = test_uniform(&random, -1, 1) * width * pow(10, test_uniform(&random, -3, 10));
    picus_extent range = picus_axis_range(&automatic, (picus_extent){low, low + width}, 0.05);
    picus_ticks ticks;
    picus_ticks_linear(range, test_integer(&random, 2, 10), &ticks);
    double step = ticks.value[1] - ticks.value[0], size = fmax(fabs(range.low), fabs(range.high));
    bool good = CHECK(ticks.count >= 3 && ticks.count <= 9) && CHECK(increasing_inside(&ticks, range));
    if (size < 1e6 * width) good = good && CHECK(is_nice_step(step));
    good = good && CHECK(labels_tell_values(&ticks, 1e-6 * step + 4e-16 * size));
    for (int i = 1; i < ticks.count; i++) good = good && CHECK(strcmp(ticks.label[i], ticks.label[i - 1]) != 0);
    if (!good) {
      printf("  range %.17g ... %.17g\n", range.low, range.high);
      return;
    }
  }
}

static void log_ticks_of_random_ranges(void) {
  test_random random = {2};
  for (int trial = 0; trial < 40000; trial++) {
    double exponent = test_uniform(&random, -200, 200), decades = pow(10, test_uniform(&random, -4, 2.4));
    double high = fmin(exponent + decades, 299);
    picus_extent data = {pow(10, exponent), pow(10, high)};
    picus_extent range = picus_axis_range(&automatic_log, data, 0.05);
    picus_ticks ticks;
    picus_ticks_log(range, test_integer(&random, 2, 10), &ticks);
    bool good = CHECK(ticks.count >= 3 && ticks.count <= 9) && CHECK(increasing_inside(&ticks, range));
    for (int i = 0; i < ticks.count && good; i++) {
      double said = read_label(ticks.label[i], ticks.note);
      good = CHECK(fabs(said / ticks.value[i] - 1) < 1e-6);
    }
    if (!good) {
      printf("  range %.17g ... %.17g\n", range.low, range.high);
      return;
    }
  }
}

static void linear(double low, double high, int wanted, picus_ticks *ticks) {
  picus_ticks_linear((picus_extent){low, high}, wanted, ticks);
}

static void labels_read_well(void) {
  picus_ticks ticks;
  linear(0, 1, 6, &ticks);
  CHECK(ticks.count == 6);
  CHECK_TEXT(ticks.label[0], "0");
  CHECK_TEXT(ticks.label[1], "0.2");
  CHECK_TEXT(ticks.label[5], "1.0");
  CHECK(ticks.value[3] == 0.6); /* 3 * 0.2 is not */
  CHECK_TEXT(ticks.note, "");
  linear(-0.12, 0.11, 5, &ticks);
  CHECK_TEXT(ticks.label[0], "\xE2\x88\x92"
                             "0.10");
  CHECK_TEXT(ticks.label[1], "\xE2\x88\x92"
                             "0.05");
  linear(0, 2.1e-4, 5, &ticks);
  CHECK_TEXT(ticks.label[1], "0.5");
  CHECK_TEXT(ticks.note, "\xC3\x97"
                         "10^{\xE2\x88\x92"
                         "4}");
  linear(0, 40000, 5, &ticks);
  CHECK_TEXT(ticks.label[1], "10000");
  CHECK_TEXT(ticks.note, "");
  linear(0, 4e7, 5, &ticks);
  CHECK_TEXT(ticks.label[1], "1");
  CHECK_TEXT(ticks.note, "\xC3\x97"
                         "10^{7}");
}

static void offsets_are_split_off(void) {
  picus_ticks ticks;
  linear(1e6 - 0.01, 1e6 + 0.01, 5, &ticks);
  CHECK(ticks.count == 5);
  CHECK_TEXT(ticks.label[2], "0");
  CHECK_TEXT(ticks.label[3], "0.005");
  CHECK_TEXT(ticks.note, "+ 10^{6}");
  linear(-1e6 - 1.2e-5, -1e6 + 1.2e-5, 5, &ticks);
  CHECK_TEXT(ticks.label[4], "1.0");
  CHECK_TEXT(ticks.note, "\xC3\x97"
                         "10^{\xE2\x88\x92"
                         "5} \xE2\x88\x92 10^{6}");
  linear(1234567.8, 1234567.9, 5, &ticks);
  CHECK_TEXT(ticks.note, "+ 1.23457\xC3\x97"
                         "10^{6}");
  CHECK(labels_tell_values(&ticks, 1e-6));
}

static void decades_have_minor_ticks(void) {
  picus_ticks ticks;
  picus_ticks_log((picus_extent){1e-6, 1e-1}, 6, &ticks);
  CHECK(ticks.count == 6 && ticks.minor_count == 5 * 8);
  CHECK_TEXT(ticks.label[0], "10^{\xE2\x88\x92"
                             "6}");
  CHECK_NEAR(ticks.value[5], 0.1, 0);
  picus_ticks_log((picus_extent){1e-30, 1}, 6, &ticks);
  CHECK(ticks.count == 7 && ticks.minor_count > 0); /* every fifth decade, the others between them */
  picus_ticks_log((picus_extent){0.9, 60}, 6, &ticks);
  CHECK(ticks.count == 6); /* 1 2 5 10 20 50 */
  CHECK_TEXT(ticks.label[4], "20");
  picus_ticks_log((picus_extent){2e-7, 6e-6}, 6, &ticks);
  CHECK_TEXT(ticks.label[0], "2\xC3\x97"
                             "10^{\xE2\x88\x92"
                             "7}");
  picus_ticks_log((picus_extent){3, 4}, 6, &ticks);
  CHECK(ticks.count >= 3);
  CHECK_TEXT(ticks.label[0], "3.0");
}

static void strange_ranges_end(void) {
  static const double values[] = {0,      -0.0,  1,     -1,   5e-324,    -5e-324, 1e-310,  1e-300,
                                  -1e300, 1e300, 1e299, 1e16, 1 + 1e-15, 1e-290,  -1e-290, 123456789.125};
  enum { COUNT = sizeof values / sizeof values[0] };
  for (int i = 0; i < COUNT; i++) {
    for (int j = 0; j < COUNT; j++) {
      for (int fixed = 0; fixed < 4; fixed++) {
        picus_plot_axis axis = automatic;
        if (fixed & 1) axis.low = values[i];
        if (fixed & 2) axis.high = values[j];
        if (axis.low >= axis.high) continue;
        picus_extent data = {fmin(values[i], values[j]), fmax(values[i], values[j])};
        picus_extent range = picus_axis_range(&axis, data, 0.05);
        picus_ticks ticks;
        picus_ticks_linear(range, 6, &ticks);
        bool good = CHECK(isfinite(range.low) && isfinite(range.high) && range.low < range.high);
        good = good && CHECK(ticks.count >= 3 && ticks.count <= 9 && increasing_inside(&ticks, range));
        if (!good)
          printf("  data %g %g fixed %d: range %.17g %.17g\n", data.low, data.high, fixed, range.low, range.high);
        if (!(data.low >= PICUS_PLOT_SMALLEST) || (fixed & 1 && axis.low <= 0)) continue;
        axis.scale = PICUS_AXIS_LOG;
        range = picus_axis_range(&axis, data, 0.05);
        picus_ticks_log(range, 6, &ticks);
        good = CHECK(isfinite(range.high) && range.low > 0 && range.low < range.high);
        good = good && CHECK(ticks.count >= 3 && ticks.count <= 9 && increasing_inside(&ticks, range));
        if (!good)
          printf("  log data %g %g fixed %d: %.17g %.17g\n", data.low, data.high, fixed, range.low, range.high);
      }
    }
  }
}

static void ranges_follow_data_and_fixed_ends(void) {
  picus_extent range = picus_axis_range(&automatic, (picus_extent){0, 10}, 0.05);
  CHECK_NEAR(range.low, -0.5, 1e-12);
  CHECK_NEAR(range.high, 10.5, 1e-12);
  picus_plot_axis axis = automatic;
  axis.low = 2;
  range = picus_axis_range(&axis, (picus_extent){0, 10}, 0.05);
  CHECK(range.low == 2);
  CHECK_NEAR(range.high, 10.4, 1e-12);
  range = picus_axis_range(&axis, (picus_extent){0, 1}, 0.05); /* all data on the wrong side */
  CHECK(range.low == 2 && range.high > 2);
  range = picus_axis_range(&automatic, picus_extent_of_nothing(), 0);
  CHECK(range.low == 0 && range.high == 1);
  range = picus_axis_range(&automatic, (picus_extent){7, 7}, 0.05);
  CHECK(range.low < 7 && range.high > 7);
  range = picus_axis_range(&automatic_log, (picus_extent){1, 100}, 0.05);
  CHECK_NEAR(log10(range.low), -0.1, 1e-12);
  CHECK_NEAR(log10(range.high), 2.1, 1e-12);
  range = picus_axis_range(&automatic_log, (picus_extent){1e-300, 1e300}, 0.05);
  CHECK(range.low > 0 && isfinite(range.high));
  axis = automatic_log;
  axis.high = 0.3;
  range = picus_axis_range(&axis, picus_extent_of_nothing(), 0.05);
  CHECK(range.high == 0.3 && range.low > 0 && range.low < 0.3);
}

static void names_are_thinned_out(void) {
  char text[40][20], *names[40];
  for (int i = 0; i < 40; i++) {
    snprintf(text[i], sizeof text[i], "mode %d", i);
    names[i] = text[i];
  }
  picus_ticks ticks;
  picus_ticks_named((picus_extent){-0.4, 2.4}, 3, names, &ticks);
  CHECK(ticks.count == 3);
  CHECK_TEXT(ticks.label[2], "mode 2");
  picus_ticks_named((picus_extent){-0.4, 39.4}, 40, names, &ticks);
  CHECK(ticks.count >= 3 && ticks.count <= 9);
  picus_ticks_named((picus_extent){50, 60}, 40, names, &ticks);
  CHECK(ticks.count == 0);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"linear_ticks_of_random_ranges", linear_ticks_of_random_ranges},
      {"log_ticks_of_random_ranges", log_ticks_of_random_ranges},
      {"labels_read_well", labels_read_well},
      {"offsets_are_split_off", offsets_are_split_off},
      {"decades_have_minor_ticks", decades_have_minor_ticks},
      {"strange_ranges_end", strange_ranges_end},
      {"ranges_follow_data_and_fixed_ends", ranges_follow_data_and_fixed_ends},
      {"names_are_thinned_out", names_are_thinned_out},
  };
  return test_main(argc, argv, "plot_ticks", cases, sizeof cases / sizeof cases[0]);
}
