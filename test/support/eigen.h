/* Eigenvalues of small dense matrices, by Jacobi's rotations: independent of the library. */
#ifndef PICUS_TEST_EIGEN_H
#define PICUS_TEST_EIGEN_H

/* K x = lambda M x, both symmetric n x n and M positive definite: lambda in increasing order. Both matrices are
 * destroyed; columns of `vectors` (n x n, or NULL) become the eigenvectors with x^T M x = 1. Returns 0, or -1: M is not
 * positive definite. */
int test_eigenvalues(int n, double *K, double *M, double *lambda, double *vectors);

/* Frequencies of M q'' + G q' + K q = 0, G skew-symmetric, K positive definite: n of them, increasing. */
int test_whirl_frequencies(int n, const double *M, const double *G, const double *K, double *omega);

#endif
