/* Context, errors, memory account, nearest names. */
#include "base/internal.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

static const char *const known[] = {"rM", "phiM", "phiS", "omegaS", "mu", NULL};
static const char *next_known(const void *user, int k) { return ((const char *const *)user)[k]; }

static void nearest_name(void) {
  CHECK_TEXT(picus_nearest_name("phis", next_known, known), "phiS");
  CHECK_TEXT(picus_nearest_name("omgaS", next_known, known), "omegaS");
  CHECK_TEXT(picus_nearest_name("um", next_known, known), "mu"); /* exchanged, rather than one letter wrong in rM */
  CHECK(picus_nearest_name("temperature", next_known, known) == NULL);
}

static void errors_carry_status_message_and_place(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  CHECK(picus_last_error(context)->status == PICUS_OK);
  CHECK(picus_fail_at(context, PICUS_ERROR_NAME, "a.lua", 7, "no %s", "x") == PICUS_ERROR_NAME);
  const picus_error *error = picus_last_error(context);
  CHECK(error->status == PICUS_ERROR_NAME);
  CHECK_TEXT(error->message, "no x");
  CHECK_TEXT(error->file, "a.lua");
  CHECK(error->line == 7);
  picus_clear_error(context);
  CHECK(error->status == PICUS_OK);
  CHECK_TEXT(picus_status_name(PICUS_ERROR_NAME), "PICUS_ERROR_NAME");
  picus_context_destroy(context);
}

static void *refuse(void *user, void *old, size_t old_size, size_t new_size) {
  (void)old_size;
  int *left = user;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  return (*left)-- > 0 ? realloc(old, new_size) : NULL;
}

static void memory_is_counted_and_refusal_is_an_error(void) {
  int left = 3;
  picus_context_def def = {.allocate = refuse, .allocate_user = &left};
  picus_context *context;
  REQUIRE(picus_context_create(&def, &context) == PICUS_OK);
  double *block = picus_allocate(context, 4, sizeof *block);
  REQUIRE(block);
  CHECK(block[3] == 0 && picus_context_memory(context) == 32);
  block[3] = 5;
  block = picus_reallocate(context, block, 8, sizeof *block);
  REQUIRE(block);
  CHECK(block[3] == 5 && block[7] == 0);
  CHECK(picus_allocate(context, 1, 1) == NULL);
  CHECK(picus_last_error(context)->status == PICUS_ERROR_MEMORY);
  CHECK(picus_allocate(context, SIZE_MAX / 2, 4) == NULL);
  picus_release(context, block);
  CHECK(picus_context_memory(context) == 0 && picus_context_memory_peak(context) == 64);
  picus_context_destroy(context);
}

static void memory_of_a_context_within_another_counts_on_both(void) {
  picus_context *outer, *inner;
  REQUIRE(picus_context_create(NULL, &outer) == PICUS_OK);
  REQUIRE(picus_context_create_within(outer, &inner) == PICUS_OK);
  char *a = picus_allocate(outer, 10, 1), *b = picus_allocate(inner, 30, 1);
  REQUIRE(a && b);
  CHECK(picus_context_memory(outer) == 40 && picus_context_memory(inner) == 30);
  picus_memory_limit(outer, 5); /* limits what is allocated on the context itself */
  REQUIRE((b = picus_reallocate(inner, b, 50, 1)));
  CHECK(!picus_reallocate(outer, a, 16, 1) && picus_memory_unlimit(outer));
  CHECK(picus_context_memory(outer) == 60);
  picus_release(inner, b);
  CHECK(picus_context_memory(outer) == 10 && picus_context_memory(inner) == 0);
  CHECK(picus_context_memory_peak(outer) == 60 && picus_context_memory_peak(inner) == 50);
  picus_fail(inner, PICUS_ERROR_NAME, "inside");
  CHECK(picus_last_error(outer)->status == PICUS_ERROR_MEMORY);
  picus_context_destroy(inner);
  picus_release(outer, a);
  CHECK(picus_context_memory(outer) == 0);
  picus_context_destroy(outer);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"nearest_name", nearest_name},
      {"errors_carry_status_message_and_place", errors_carry_status_message_and_place},
      {"memory_is_counted_and_refusal_is_an_error", memory_is_counted_and_refusal_is_an_error},
      {"memory_of_a_context_within_another_counts_on_both", memory_of_a_context_within_another_counts_on_both},
  };
  return test_main(argc, argv, "base", cases, sizeof cases / sizeof *cases);
}
