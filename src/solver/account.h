/* What the contact problems of a run may spend on factorizations.
 *
 * newton and homotopy solve nearly every problem of a few hundred rows on which sweeps stagnate, but take 20 to 400
 * times as long as a step. Where such a problem is rare, that is a good bargain. A heap that settles has one in every
 * step: there a run would take longer with a hundred bodies than with a thousand. So problems earn credit by the sweeps
 * that they take, and factorizations use it up; a run without credit does with sweeps. Everything is counted, nothing
 * is timed: the same run decides alike on every machine and with any number of threads. */
#ifndef PICUS_SOLVER_ACCOUNT_H
#define PICUS_SOLVER_ACCOUNT_H

#include <stdbool.h>

/* The unit is a sweep over one row. */
typedef struct picus_account {
  double credit;
  long long swept, factored; /* rows times iterations, those of large factors times more, in the present problem */
} picus_account;

picus_account picus_account_new(void);     /* with as much as can be saved up */
enum { PICUS_PILE_ROWS = 256 };            /* up to here, tens of bodies, problems are solved whatever it takes */
enum { PICUS_FACTORIZATIONS_MOST = 1000 }; /* of a stage; paths of several hundred rows take 100 to 400 */
void picus_account_add_sweeps(picus_account *account, int sweeps, int rows);
void picus_account_add_factorizations(picus_account *account, int factorizations, int rows);
/* What another one has noted of the same problem, which forgets it. */
void picus_account_take(picus_account *account, picus_account *other);
/* After each problem. */
void picus_account_settle(picus_account *account, int law_count, int rows);
static inline bool picus_account_is_overdrawn(const picus_account *account) { return account->credit < 0; }

#endif
