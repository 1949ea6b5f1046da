/* picus_cholesky_bench [LIBRARY...]: Cholesky factors and solves of Picus beside those of LAPACK libraries, which are
 * loaded from the given files: what loading costs in time and address space, and the time of factor and solve for
 * several sizes. Best of many runs; the processor time of the calling thread, which flatters libraries that
 * start threads of their own. */
#include "clock.h"
#include "linalg/internal.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The two subroutines of LAPACK, as Fortran calls them. */
typedef void (*factor_fn)(const char *uplo, const int *n, double *A, const int *lda, int *info);
typedef void (*solve_fn)(const char *uplo, const int *n, const int *columns, const double *A, const int *lda, double *B,
                         const int *ldb, int *info);

typedef struct candidate {
  const char *name;
  factor_fn factor; /* NULL: Picus */
  solve_fn solve;
} candidate;

/* kB of address space of the process. */
static long address_space(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = 0;
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "VmSize:", 7) == 0) kilobytes = strtol(line + 7, NULL, 10);
  if (file) (void)fclose(file);
  return kilobytes;
}

static bool load(const char *path, candidate *out) {
  const long before = address_space();
  const double begin = seconds_now();
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "cholesky: %s\n", dlerror());
    return false;
  }
  void *factor = dlsym(library, "dpotrf_"), *solve = dlsym(library, "dpotrs_");
  const double seconds = seconds_now() - begin;
  if (!factor || !solve) {
    fprintf(stderr, "cholesky: %s has no dpotrf or dpotrs\n", path);
    return false;
  }
  out->name = path;
  memcpy(&out->factor, &factor, sizeof factor); /* C knows no cast from data to functions */
  memcpy(&out->solve, &solve, sizeof solve);
  printf("%s: loaded in %.1f ms, %ld MB of address space\n", path, 1e3 * seconds, (address_space() - before) / 1024);
  return true;
}

static void fill(int n, double *A) {
  uint64_t state = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      double value = (double)(state >> 11) * 0x1p-52 - 1;
      A[(size_t)i * (size_t)n + (size_t)j] = A[(size_t)j * (size_t)n + (size_t)i] = i == j ? n : value;
    }
}

/* As src/linalg called LAPACK: the lower triangle by rows is the upper one by columns. */
static bool factor_once(const candidate *r, int n, const double *A, double *L) {
  if (!r->factor) return picus_cholesky_factor(n, A, L) < 0;
  int info = 0;
  memcpy(L, A, (size_t)n * (size_t)n * sizeof *L);
  r->factor("U", &n, L, &n, &info);
  return info == 0;
}

static void solve_once(const candidate *r, int n, const double *L, double *x) {
  const int one = 1;
  int info = 0;
  if (r->factor)
    r->solve("U", &n, &one, L, &n, x, &n, &info);
  else
    picus_cholesky_solve(n, L, x);
}

static bool measure(const candidate *r, int n, const double *A, double *L, double *x) {
  double factor = INFINITY, solve = INFINITY, begin = seconds_now();
  for (int k = 0; k < 3 || seconds_now() - begin < 0.3; k++) {
    stop_watch watch = stop_watch_start();
    if (!factor_once(r, n, A, L)) return false;
    factor = fmin(factor, stop_watch_read(watch));
    for (int i = 0; i < n; i++) x[i] = 1;
    watch = stop_watch_start();
    solve_once(r, n, L, x);
    solve = fmin(solve, stop_watch_read(watch));
  }
  double rest = 0;
  for (int i = 0; i < n; i++) rest = fmax(rest, fabs(picus_dot(n, A + (size_t)i * (size_t)n, x) - 1));
  printf("  %-5d %12.2f %12.2f %10.2f   %s\n", n, 1e6 * factor, 1e6 * solve, 1e-9 * n * n / 3 * n / factor,
         rest < 1e-9 ? r->name : "WRONG");
  return rest < 1e-9;
}

int main(int count, char **argument) {
  enum { MOST = 8, LARGEST = 2000 };
  static const int sizes[] = {4, 8, 12, 16, 20, 24, 25, 32, 50, 100, 200, 500, 1000, LARGEST};
  candidate candidates[MOST] = {{.name = "picus"}};
  int candidate_count = 1;
  bool good = count < MOST;
  for (int k = 1; good && k < count; k++) good = load(argument[k], &candidates[candidate_count++]);
  double *A = malloc(sizeof(double[LARGEST]) * LARGEST), *L = malloc(sizeof(double[LARGEST]) * LARGEST);
  double *x = malloc(sizeof(double[LARGEST]));
  good = good && A && L && x;
  if (good) printf("  %-5s %12s %12s %10s\n", "n", "factor, us", "solve, us", "GFlop/s");
  for (size_t s = 0; good && s < sizeof sizes / sizeof *sizes; s++) {
    fill(sizes[s], A);
    for (int r = 0; good && r < candidate_count; r++) good = measure(&candidates[r], sizes[s], A, L, x);
  }
  free(A);
  free(L);
  free(x);
  return good ? 0 : 1;
}
