/* The test harness: a test program lists its cases and prints one line for each, "ok NAME" or "FAILED NAME ...", and
 * at its end how many passed and failed. Arguments: names of cases to run (default: all), --list. */
#ifndef PICUS_TEST_CHECK_H
#define PICUS_TEST_CHECK_H

#include <stdbool.h>

typedef struct test_case {
  const char *name;
  void (*run)(void);
} test_case;

/* Runs the cases; the return value is that of main. */
int test_main(int argc, char **argv, const char *suite, const test_case *cases, int count);

/* Checks record a failure with file and line, and the case goes on; REQUIRE leaves the function. */
bool test_check(bool condition, const char *file, int line, const char *text);
bool test_near(double value, double expected, double tolerance, const char *file, int line, const char *text);
bool test_text(const char *value, const char *expected, const char *file, int line, const char *text);
void test_skip(const char *why); /* the case cannot run here; counted and said */

/* Three lengths of a test: short under sanitizers (PICUS_TEST_REDUCED), usual in make test, whole in make test-long
 * (PICUS_TEST_LONG). */
bool test_is_reduced(void);
bool test_is_long(void);
long test_size(long reduced, long usual, long whole); /* one of the three */
long test_study(long reduced, long usual,
                long whole); /* the same for random systems; PICUS_TEST_STUDY is another number */

#define CHECK(condition) test_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_NEAR(value, expected, tolerance)                                                                         \
  test_near((value), (expected), (tolerance), __FILE__, __LINE__, #value " is " #expected)
#define CHECK_TEXT(value, expected) test_text((value), (expected), __FILE__, __LINE__, #value " is " #expected)
#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!test_check((condition), __FILE__, __LINE__, #condition)) return;                                              \
  } while (0)

/* A seeded generator (splitmix64), so that a property test's failure can be repeated. */
typedef struct test_random {
  unsigned long long state;
} test_random;
double test_uniform(test_random *random, double low, double high);
int test_integer(test_random *random, int low, int high); /* inclusive */

#endif
