#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  int failures; /* of the running case */
  const char *skipped;
} current;

bool test_check(bool condition, const char *file, int line, const char *text) {
  if (condition) return true;
  if (++current.failures <= 10) printf("  %s:%d: not true: %s\n", file, line, text);
  return false;
}

bool test_near(double value, double expected, double tolerance, const char *file, int line, const char *text) {
  if (fabs(value - expected) <= tolerance) return true;
  if (++current.failures <= 10)
    printf("  %s:%d: %s: %.17g differs from %.17g by %.3g, allowed %.3g\n", file, line, text, value, expected,
           fabs(value - expected), tolerance);
  return false;
}

bool test_text(const char *value, const char *expected, const char *file, int line, const char *text) {
  if (value && strcmp(value, expected) == 0) return true;
  if (++current.failures <= 10)
    printf("  %s:%d: %s: \"%s\" instead of \"%s\"\n", file, line, text, value ? value : "(null)", expected);
  return false;
}

bool test_is_reduced(void) { return getenv("PICUS_TEST_REDUCED") != NULL; }
bool test_is_long(void) { return getenv("PICUS_TEST_LONG") != NULL; }

long test_size(long reduced, long usual, long whole) {
  return test_is_reduced() ? reduced : test_is_long() ? whole : usual;
}

long test_study(long reduced, long usual, long whole) {
  const char *text = getenv("PICUS_TEST_STUDY");
  const long given = text ? strtol(text, NULL, 10) : 0;
  return given > 0 && given < 1000000 ? given : test_size(reduced, usual, whole);
}

void test_skip(const char *why) { current.skipped = why; }

static bool wanted(const char *name, int argc, char **argv) {
  if (argc < 2) return true;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0) return true;
  return false;
}

int test_main(int argc, char **argv, const char *suite, const test_case *cases, int count) {
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    for (int i = 0; i < count; i++) printf("%s\n", cases[i].name);
    return 0;
  }
  int passed = 0, failed = 0, skipped = 0;
  for (int i = 0; i < count; i++) {
    if (!wanted(cases[i].name, argc, argv)) continue;
    current.failures = 0;
    current.skipped = NULL;
    cases[i].run();
    if (current.failures) {
      printf("FAILED %s/%s: %d checks\n", suite, cases[i].name, current.failures);
      failed++;
    } else if (current.skipped) {
      printf("skipped %s/%s: %s\n", suite, cases[i].name, current.skipped);
      skipped++;
    } else {
      printf("ok %s/%s\n", suite, cases[i].name);
      passed++;
    }
    fflush(stdout);
  }
  printf("%s: %d passed, %d failed, %d skipped\n", suite, passed, failed, skipped);
  return failed || passed + skipped == 0;
}

static unsigned long long next_bits(test_random *random) {
  unsigned long long z = (random->state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

double test_uniform(test_random *random, double low, double high) {
  return low + (high - low) * ((double)(next_bits(random) >> 11) * 0x1.0p-53);
}

int test_integer(test_random *random, int low, int high) {
  return low + (int)(next_bits(random) % (unsigned long long)(high - low + 1));
}
