/* A chain of masses and springs on a line as a part with a sparsity pattern, built for tests: mass 1 each and springs
 * of stiffness k between neighbours; a wall at 0 below the first mass. */
#ifndef PICUS_TEST_CHAIN_H
#define PICUS_TEST_CHAIN_H

#include <picus/system.h>

/* n masses at heights start + i, moving with v0; c: damping of the springs, e: restitution at the wall. sparse false:
 * the same part without a pattern. NULL: not enough memory. */
picus_system *chain_system(picus_context *context, int n, double k, double c, double e, double start, double v0,
                           bool sparse);

#endif
