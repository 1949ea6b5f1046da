/* Two result files bit by bit. */
#ifndef PICUS_TEST_SAME_RESULTS_H
#define PICUS_TEST_SAME_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

enum { SAME_RESULTS_WHY = 600 };

/* Whether both have the same columns, rows, switching points, contacts, nodes, texts and numbers. The time of the clock
 * and the command may differ. If not, `why` names the first difference. */
bool same_results(const char *path, const char *other, char why[SAME_RESULTS_WHY]);

#endif
