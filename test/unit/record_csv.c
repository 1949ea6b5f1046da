/* CSV files, and the shortest decimals in them. */
#define _POSIX_C_SOURCE 200809L
#include "base/decimal.h"
#include "record_fake.h"

#include <float.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

static picus_decimal_powers powers;

static const char *decimal(double value) {
  static char text[PICUS_DECIMAL_SIZE + 1];
  *picus_decimal_write(&powers, value, text) = '\0';
  return text;
}

static void decimals_look_right(void) {
  static const struct {
    double value;
    const char *text;
  } cases[] = {
      {0.0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {-1, "-1"},
      {100, "100"},
      {0.1, "0.1"},
      {0.3, "0.3"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1.0 / 3, "0.3333333333333333"},
      {1e-4, "0.0001"},
      {1e-5, "1e-05"},
      {-1.5e-7, "-1.5e-07"},
      {123456.789, "123456.789"},
      {9007199254740991.0, "9007199254740991"},
      {9007199254740993.0, "9007199254740992"},
      {1e16, "10000000000000000"},
      {1e17, "1e+17"},
      {1e22, "1e+22"},
      {1e23, "1e+23"},
      {9.81, "9.81"},
      {5e-324, "5e-324"},
      {DBL_MIN, "2.2250738585072014e-308"},
      {DBL_MAX, "1.7976931348623157e+308"},
      {-DBL_MAX, "-1.7976931348623157e+308"},
      {2.98023223876953125e-8, "2.9802322387695312e-08"}, /* a power of two: the gap below is half the gap above */
      {HUGE_VAL, "inf"},
      {-HUGE_VAL, "-inf"},
      {NAN, "nan"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) CHECK_TEXT(decimal(cases[k].value), cases[k].text);
}

/* Reads back as the same bits, and no decimal of fewer digits does. */
static bool is_shortest(double value) {
  char fewer[40];
  const char *text = decimal(value);
  if (strlen(text) > PICUS_DECIMAL_SIZE - 1) return false;
  double back = strtod(text, NULL);
  if (memcmp(&back, &value, sizeof value) != 0) return false;
  int digits = 0;
  for (const char *c = text; *c && *c != 'e'; c++)
    if (*c >= '0' && *c <= '9' && (digits > 0 || *c != '0')) digits++;
  if (strpbrk(text, ".e") == NULL) return true; /* a whole number has the digits it has */
  snprintf(fewer, sizeof fewer, "%.*e", digits > 1 ? digits - 2 : 0, value);
  return digits == 1 || strtod(fewer, NULL) != value;
}

static double random_bits(test_random *random) {
  uint64_t bits = 0;
  for (int k = 0; k < 4; k++) bits = bits << 16 | (uint64_t)test_integer(random, 0, 65535);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void decimals_are_shortest_and_exact(void) {
  test_random random = {20260104};
  for (int k = 0; k < 200000; k++) {
    double value = random_bits(&random);
    if (!isfinite(value) || value == 0) continue;
    if (!CHECK(is_shortest(value))) return;
  }
  for (int k = 0; k < 50000; k++)
    if (!CHECK(is_shortest(test_uniform(&random, -1, 1)))) return;
  for (int e = -1074; e < 1024; e++) { /* powers of two and their neighbours */
    double power = ldexp(1, e);
    if (!CHECK(is_shortest(power) && is_shortest(nextafter(power, HUGE_VAL)))) return;
    if (nextafter(power, 0) > 0 && !CHECK(is_shortest(nextafter(power, 0)))) return;
  }
  for (int e = -323; e <= 308; e++) { /* and powers of ten */
    char text[16];
    snprintf(text, sizeof text, "1e%d", e);
    double power = strtod(text, NULL);
    if (!CHECK(is_shortest(power) && is_shortest(nextafter(power, 1)))) return;
  }
}

/* The same for floats, which have up to nine digits. */
static bool is_shortest_single(float value) {
  char text[PICUS_DECIMAL_SIZE + 1], fewer[40];
  *picus_decimal_write_single(&powers, value, text) = '\0';
  float back = strtof(text, NULL);
  if (memcmp(&back, &value, sizeof value) != 0) return false;
  int digits = 0;
  for (const char *c = text; *c && *c != 'e'; c++)
    if (*c >= '0' && *c <= '9' && (digits > 0 || *c != '0')) digits++;
  if (strpbrk(text, ".e") == NULL) return true; /* a whole number has the digits it has */
  snprintf(fewer, sizeof fewer, "%.*e", digits > 1 ? digits - 2 : 0, (double)value);
  return digits <= 9 && (digits == 1 || strtof(fewer, NULL) != value);
}

static void singles_are_shortest_and_exact(void) {
  test_random random = {20260105};
  for (int k = 0; k < 200000; k++) {
    const uint32_t bits = (uint32_t)test_integer(&random, 0, 65535) << 16 | (uint32_t)test_integer(&random, 0, 65535);
    float value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value) && value != 0 && !CHECK(is_shortest_single(value))) return;
  }
  for (int e = -149; e < 128; e++) {
    const float power = ldexpf(1, e);
    if (!CHECK(is_shortest_single(power) && is_shortest_single(nextafterf(power, HUGE_VALF)))) return;
    if (nextafterf(power, 0) > 0 && !CHECK(is_shortest_single(nextafterf(power, 0)))) return;
  }
}

/* --- files --- */

static picus_status fill_simple(void *source, double *row) {
  double k = (*(double *)source)++;
  row[0] = 0.25 * k;
  row[1] = -0.1 - k;
  row[2] = 2 - k;
  row[3] = 1e-9 / (1 + 2 * k);
  return PICUS_OK;
}

static void text_of_a_file(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_column_list list = {0};
  static const char *const names[] = {"t", "phiS", "beak.mode", "a \"b\", c"};
  for (int k = 0; k < 4; k++)
    CHECK(picus_columns_add(context, &list, (picus_column){names[k], "", names[k], PICUS_COLUMN_COORDINATE}) == 0);
  picus_run_description run = {.command = ""};
  picus_recorder *recorder;
  REQUIRE(picus_recorder_create_core(context, &run, &list, &recorder) == PICUS_OK);
  CHECK(picus_recorder_add_csv(recorder, scratch("text.csv")) == PICUS_OK);
  CHECK(picus_recorder_begin(recorder) == PICUS_OK);
  double next = 0;
  for (int k = 0; k < 2; k++) CHECK(picus_recorder_add_row(recorder, fill_simple, &next) == PICUS_OK);
  picus_summary summary = fake_summary(PICUS_OK);
  CHECK(picus_recorder_end(recorder, &summary) == PICUS_OK);
  picus_recorder_destroy(recorder);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  size_t size = 0;
  char *text = read_whole(scratch("text.csv"), &size);
  CHECK_TEXT(text, "t,phiS,beak.mode,\"a \"\"b\"\", c\"\n0,-0.1,2,1e-09\n0.25,-1.1,1,3.3333333333333337e-10\n");
  free(text);
  scratch_remove("text.csv");
}

/* Rows of random bits, of not-a-numbers, infinities, denormals and both zeros. */
static picus_status fill_bits(void *source, double *row) {
  test_random *random = source;
  for (int k = 0; k < 8; k++) row[k] = random_bits(random);
  row[2] = 0.0;
  row[3] = -0.0;
  row[4] = test_integer(random, 0, 1) ? HUGE_VAL : -HUGE_VAL;
  row[5] = NAN;
  row[6] = ldexp(test_uniform(random, 0, 1), -1040);
  return PICUS_OK;
}

static void values_read_back_bit_for_bit(void) {
  enum { ROWS = 3000 };
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  fake f;
  REQUIRE(fake_open(&f, context, 8, ROWS) == PICUS_OK);
  CHECK(picus_recorder_add_csv(f.recorder, scratch("bits.csv")) == PICUS_OK);
  CHECK(picus_recorder_begin(f.recorder) == PICUS_OK);
  test_random random = {7};
  for (int k = 0; k < ROWS; k++) CHECK(picus_recorder_add_row(f.recorder, fill_bits, &random) == PICUS_OK);
  CHECK(fake_end(&f, PICUS_OK) == PICUS_OK);
  picus_recorder_destroy(f.recorder);
  picus_context_destroy(context);
  size_t size = 0;
  char *text = read_whole(scratch("bits.csv"), &size), *at = text;
  REQUIRE(text);
  at = strchr(at, '\n') + 1;
  test_random again = {7};
  for (int k = 0; k < ROWS; k++) {
    double row[8];
    fill_bits(&again, row);
    for (int i = 0; i < 8; i++, at++) {
      double value = strtod(at, &at);
      bool same = isnan(row[i]) ? isnan(value) : memcmp(&value, &row[i], sizeof value) == 0;
      REQUIRE(same && *at == (i < 7 ? ',' : '\n'));
    }
  }
  CHECK(at == text + size);
  free(text);
  scratch_remove("bits.csv");
}

static void a_decimal_comma_in_the_locale_changes_nothing(void) {
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_CH.UTF-8", "de_DE"};
  for (size_t k = 0; k < sizeof locales / sizeof locales[0]; k++) {
    if (!setlocale(LC_NUMERIC, locales[k]) || localeconv()->decimal_point[0] != ',') continue;
    CHECK_TEXT(decimal(0.5), "0.5");
    setlocale(LC_NUMERIC, "C");
    return;
  }
  setlocale(LC_NUMERIC, "C");
  test_skip("no locale with a decimal comma is installed");
}

static void a_full_device_is_reported(void) {
  if (access("/dev/full", W_OK) != 0) {
    test_skip("there is no /dev/full");
    return;
  }
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  fake f;
  REQUIRE(fake_open(&f, context, 5, 100) == PICUS_OK);
  CHECK(picus_recorder_add_csv(f.recorder, "/dev/full") == PICUS_OK);
  CHECK(picus_recorder_begin(f.recorder) == PICUS_ERROR_IO);
  CHECK_TEXT(picus_last_error(context)->message, "cannot write '/dev/full': No space left on device");
  picus_recorder_destroy(f.recorder);
  picus_context_destroy(context);
}

static void places_where_no_file_can_be(void) {
  static const char *const paths[] = {"no/such/folder/x.csv", "."};
  for (int k = 0; k < 2; k++) {
    picus_context *context;
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    fake f;
    REQUIRE(fake_open(&f, context, 5, 100) == PICUS_OK);
    CHECK(picus_recorder_add_csv(f.recorder, paths[k]) == PICUS_OK);
    CHECK(picus_recorder_begin(f.recorder) == PICUS_ERROR_IO);
    CHECK(strncmp(picus_last_error(context)->message, "cannot create '", 15) == 0);
    CHECK(strstr(picus_last_error(context)->message, paths[k]) != NULL);
    picus_recorder_destroy(f.recorder);
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
  }
}

/* In a process of its own, with files limited to so many bytes; exits with 0 where all went as it should. */
static void write_with_limit(const char *path, rlim_t bytes) {
  struct rlimit limit = {bytes, bytes};
  signal(SIGXFSZ, SIG_IGN);
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(3);
  picus_context *context;
  fake f;
  if (picus_context_create(NULL, &context) || fake_open(&f, context, 5, 9000)) _exit(4);
  if (picus_recorder_add_csv(f.recorder, path) || picus_recorder_begin(f.recorder)) _exit(5);
  if (fake_rows(&f, 9000) != PICUS_ERROR_IO) _exit(6);
  const char *message = picus_last_error(context)->message, *safe = strstr(message, "its first ");
  if (!strstr(message, "File too large") || !safe) _exit(7);
  long rows = strtol(safe + 10, NULL, 10);
  if (fake_end(&f, PICUS_ERROR_IO) != PICUS_ERROR_IO) _exit(8);
  picus_recorder_destroy(f.recorder);
  size_t size = 0;
  char *text = read_whole(path, &size), *at = text;
  if (!text || size > bytes || text[size - 1] != '\n') _exit(9);
  at = strchr(at, '\n') + 1;
  for (long row = 0; row < rows; row++)
    for (int k = 0; k < 5; k++, at++)
      if (strtod(at, &at) != fake_value(row, k)) _exit(10);
  _exit(*at == '\0' ? 0 : 11); /* nothing behind the rows that were said to be safe */
}

static void a_full_disk_leaves_whole_rows(void) {
  static const rlim_t limits[] = {1000, 4096, 65536, 65600, 100001, 200000};
  for (int k = 0; k < 6; k++) {
    fflush(stdout);
    const char *path = scratch("limit.csv");
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) write_with_limit(path, limits[k]);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  scratch_remove("limit.csv");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"decimals_look_right", decimals_look_right},
      {"decimals_are_shortest_and_exact", decimals_are_shortest_and_exact},
      {"singles_are_shortest_and_exact", singles_are_shortest_and_exact},
      {"text_of_a_file", text_of_a_file},
      {"values_read_back_bit_for_bit", values_read_back_bit_for_bit},
      {"a_decimal_comma_in_the_locale_changes_nothing", a_decimal_comma_in_the_locale_changes_nothing},
      {"a_full_device_is_reported", a_full_device_is_reported},
      {"places_where_no_file_can_be", places_where_no_file_can_be},
      {"a_full_disk_leaves_whole_rows", a_full_disk_leaves_whole_rows},
  };
  picus_decimal_prepare(&powers);
  int result = test_main(argc, argv, "record_csv", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
