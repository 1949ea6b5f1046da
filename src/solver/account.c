#include "solver/account.h"

#include "contact/internal.h"

#include <math.h>

#define STEP 25.0 /* sweeps that the other parts of a step take: detection, evaluation, assembly */
#define FACTORIZATION                                                                                                  \
  25.0 /* sweeps that one takes, with all else of a step of newton or homotopy; measured: 12 to 33 */
#define SMALL_PATH                                                                                                     \
  (FACTORIZATION * 50 * PICUS_PILE_ROWS) /* 50 factorizations: a path in every second or third step                    \
                                          */
enum { SAVED = 400 };                    /* factorizations that can be saved up, or owed */
enum { FILLED = 2000 };                  /* rows from which on a factorization takes twice as long for each of them */

/* A factorization of so many rows. */
static long long work_of(int rows) { return rows + (long long)rows * rows / FILLED; }

picus_account picus_account_new(void) { return (picus_account){.credit = INFINITY}; }

void picus_account_add_sweeps(picus_account *account, int sweeps, int rows) {
  account->swept += (long long)sweeps * rows;
}

void picus_account_add_factorizations(picus_account *account, int factorizations, int rows) {
  account->factored += factorizations * work_of(rows);
}

void picus_account_take(picus_account *account, picus_account *other) {
  account->swept += other->swept;
  account->factored += other->factored;
  other->swept = other->factored = 0;
}

/* Tens of bodies are solved exactly, as a rule: problems of this size may try a path in each step. Larger ones earn
 * less and less, without a jump. */
static double allowance(int rows) {
  const double size = (double)rows / PICUS_PILE_ROWS;
  return size > 1 ? SMALL_PATH / (size * size * size * size) : SMALL_PATH;
}

/* Heaps earn nothing: their factors fill up, and newton hardly ever arrives. */
void picus_account_settle(picus_account *account, int law_count, int rows) {
  const double earned =
      (1 - picus_heap_share(law_count)) * (fmax(STEP * rows, allowance(rows)) + (double)account->swept);
  const double most = FACTORIZATION * SAVED * (double)work_of(rows); /* to save up, or to owe */
  account->credit = fmin(account->credit + earned, most) - FACTORIZATION * (double)account->factored;
  account->credit = fmax(account->credit, -most);
  account->swept = account->factored = 0;
}
