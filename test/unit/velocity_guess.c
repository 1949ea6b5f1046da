/* Guesses of the velocity at the end of a step: changes that follow a polynomial are continued exactly, and what does
 * not follow one costs no more than a guess without history. */
#include "scheme/implicit.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>

enum { NU = 3 };

static const double weight[NU] = {1, 2, 0.5};

typedef struct motion {
  double a[NU], b[NU], c[NU]; /* the change of step k is a + b k + c k^2 */
} motion;

static double change_of(const motion *m, int i, int k) { return m->a[i] + k * (m->b[i] + k * m->c[i]); }

/* Steps of the motion from u; the error of the guess for the last one. */
static double follow(velocity_guess *guess, const motion *m, int first, int last, double dt, double *u) {
  double end[NU], expected[NU], error = 0;
  for (int k = first; k <= last; k++) {
    picus_velocity_guess_find(guess, dt, u, expected);
    error = 0;
    for (int i = 0; i < NU; i++) {
      end[i] = u[i] + change_of(m, i, k);
      error = fmax(error, fabs(expected[i] - end[i]));
    }
    picus_velocity_guess_note(guess, dt, u, end, weight);
    for (int i = 0; i < NU; i++) u[i] = end[i];
  }
  return error;
}

static motion random_motion(test_random *random, int degree, double size) {
  motion m = {{0}, {0}, {0}};
  for (int i = 0; i < NU; i++) {
    m.a[i] = size * test_uniform(random, 0.5, 1);
    if (degree > 0) m.b[i] = size * test_uniform(random, -0.1, 0.1);
    if (degree > 1) m.c[i] = size * test_uniform(random, -0.01, 0.01);
  }
  return m;
}

static void polynomials_are_continued(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  test_random random = {3};
  for (int k = 0; k < 200; k++) {
    const int degree = k % 3;
    velocity_guess guess;
    double u[NU] = {1, -2, 3};
    const motion m = random_motion(&random, degree, 1), other = random_motion(&random, degree, 100);
    law_arrays arrays = {.context = context};
    REQUIRE(picus_velocity_guess_create(&arrays, NU, PICUS_GUESS_ORDER, &guess) == PICUS_OK);
    CHECK(follow(&guess, &m, 0, degree + 2, 1e-3, u) < 1e-13);
    CHECK(follow(&guess, &m, degree + 3, 9, 1e-3, u) < 1e-13);
    /* after a jump the guess misses no more than one without history, of changes up to 111; then it knows the motion */
    (void)follow(&guess, &other, 0, 0, 1e-3, u);
    CHECK(guess.order <= 1);
    CHECK(follow(&guess, &other, 1, 1, 1e-3, u) < 111);
    CHECK(follow(&guess, &other, 2, 6, 1e-3, u) < 1e-11);
    picus_law_arrays_release(&arrays);
  }
  picus_context_destroy(context);
}

/* A step of another size: the same acceleration. */
static void sizes_that_change(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  const motion m = {{1, 2, 3}, {0, 0, 0}, {0, 0, 0}};
  double u[NU] = {0, 0, 0}, expected[NU];
  velocity_guess guess;
  law_arrays arrays = {.context = context};
  REQUIRE(picus_velocity_guess_create(&arrays, NU, PICUS_GUESS_ORDER, &guess) == PICUS_OK);
  picus_velocity_guess_find(&guess, 1e-3, u, expected);
  for (int i = 0; i < NU; i++) CHECK(expected[i] == u[i]);
  (void)follow(&guess, &m, 0, 5, 1e-3, u);
  picus_velocity_guess_find(&guess, 5e-4, u, expected);
  for (int i = 0; i < NU; i++) CHECK_NEAR(expected[i] - u[i], 0.5 * m.a[i], 1e-14);
  (void)follow(&guess, &m, 0, 0, 5e-4, u);
  CHECK(guess.known == 1 && guess.order == 1);
  picus_law_arrays_release(&arrays);
  picus_context_destroy(context);
}

/* At rest the changes are round-off: mostly none is expected. By chance the last changes look alike in some steps. */
static void noise_is_not_continued(void) {
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  test_random random = {5};
  velocity_guess guess;
  double u[NU] = {0, 0, 0}, end[NU];
  int continued = 0;
  law_arrays arrays = {.context = context};
  REQUIRE(picus_velocity_guess_create(&arrays, NU, PICUS_GUESS_ORDER, &guess) == PICUS_OK);
  for (int k = 0; k < 1000; k++) {
    for (int i = 0; i < NU; i++) end[i] = test_uniform(&random, -1e-16, 1e-16);
    picus_velocity_guess_note(&guess, 1e-3, u, end, weight);
    continued += guess.order > 0;
    for (int i = 0; i < NU; i++) u[i] = end[i];
  }
  printf("  %d of 1000 guesses continue noise\n", continued);
  CHECK(continued < 333);
  picus_law_arrays_release(&arrays);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"polynomials_are_continued", polynomials_are_continued},
                                    {"sizes_that_change", sizes_that_change},
                                    {"noise_is_not_continued", noise_is_not_continued}};
  return test_main(argc, argv, "velocity_guess", cases, (int)(sizeof cases / sizeof *cases));
}
