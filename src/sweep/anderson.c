/* Anderson 1965; the form of Walker, Ni 2011, section 2, with the last few sweeps and a restart if changes grow. */
#include "sweep/anderson.h"

#include "base/tasks.h"
#include "sweep/method.h"

#include <string.h>

#define GROWTH 2.0      /* of the square of the change from sweep to sweep, beyond which the history is useless */
#define RUNAWAY 1e8     /* the same, beyond which the mixture was bad */
#define HOLD_BACK 1e-10 /* added to the diagonal of the least squares */

/* Sums are taken over pieces of this length and then added in order, so that the number of threads does not change
 * their bits. BLOCK: rows that stay in the cache. */
enum { PIECE = 4096, BLOCK = 256, PIECE_SUMS = 2 * PICUS_ANDERSON_DEPTH };

/* The passes are compiled twice where the processor may have wider vectors than the compiler is allowed to use. No
 * products are fused with sums, so that the bits are the same. */
#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_WIDE() (__builtin_cpu_supports("avx2") != 0)
#define WIDE __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline))
#else
#define HAS_WIDE() false
#define WIDE
#define INLINE static inline
#endif

static int piece_count(int size) { return size / PIECE + (size % PIECE != 0); }

size_t picus_anderson_need(int size) {
  return (size_t)(2 * PICUS_ANDERSON_DEPTH + 2) * (size_t)size + (size_t)piece_count(size) * PIECE_SUMS;
}

void picus_anderson_start(picus_anderson *a, int size, const double *weight, double *memory) {
  size_t n = (size_t)size;
  *a = (picus_anderson){.size = size, .weight = weight, .newest = -1, .square = -1, .wide = HAS_WIDE()};
  a->change = memory;
  a->after = memory + n;
  a->change_steps = memory + 2 * n;
  a->after_steps = a->change_steps + PICUS_ANDERSON_DEPTH * n;
  a->sums = a->after_steps + PICUS_ANDERSON_DEPTH * n;
}

void picus_anderson_forget(picus_anderson *a) {
  a->count = 0;
  a->newest = -1;
  a->square = -1;
}

static double *row_of(double *steps, const picus_anderson *a, int number) {
  return steps + (size_t)number * (size_t)a->size;
}

/* Four numbers side by side, in one register or in two. */
typedef double lanes __attribute__((vector_size(32)));
enum { LANES = 4 };

static double total(const lanes *sum) { return ((*sum)[0] + (*sum)[1]) + ((*sum)[2] + (*sum)[3]); }

/* Of a step: sums of its products with the newest step, and with the change. */
typedef struct sums {
  lanes own, of_change;
} sums;

/* Adds the products of two steps x with y and z, which have been multiplied by the weights. Two steps, because an
 * addition to a sum waits for the one before. */
INLINE void add_products(int n, const double *const x[2], const double *y, const double *z, sums *out) {
  sums first = out[0], second = out[1];
  int k = 0;
  for (; k + LANES <= n; k += LANES) {
    lanes a, b, of_y, of_z;
    memcpy(&a, x[0] + k, sizeof a);
    memcpy(&b, x[1] + k, sizeof b);
    memcpy(&of_y, y + k, sizeof of_y);
    memcpy(&of_z, z + k, sizeof of_z);
    first.own += a * of_y;
    first.of_change += a * of_z;
    second.own += b * of_y;
    second.of_change += b * of_z;
  }
  for (; k < n; k++) {
    first.own[0] += x[0][k] * y[k];
    first.of_change[0] += x[0][k] * z[k];
    second.own[0] += x[1][k] * y[k];
    second.of_change[0] += x[1][k] * z[k];
  }
  out[0] = first;
  out[1] = second;
}

/* P minus a share of a step. */
INLINE void subtract(int n, double share, const double *step, double *P) {
  int k = 0;
  for (; k + LANES <= n; k += LANES) {
    lanes of_step, of_P;
    memcpy(&of_step, step + k, sizeof of_step);
    memcpy(&of_P, P + k, sizeof of_P);
    of_P -= share * of_step;
    memcpy(P + k, &of_P, sizeof of_P);
  }
  for (; k < n; k++) P[k] -= share * step[k];
}

/* A pass over the vectors, piece by piece. */
typedef struct anderson_pass {
  picus_anderson *a;
  const double *before;
  double *P;
  double share[PICUS_ANDERSON_DEPTH]; /* of the steps in the mixture */
  int shares;
} anderson_pass;

typedef struct piece {
  int first, end;
} piece;

static piece piece_at(const picus_anderson *a, int number) {
  const int first = number * PIECE;
  return (piece){first, a->size - first < PIECE ? a->size : first + PIECE};
}

/* false: the threads of the host have failed. */
static bool run_pieces(anderson_pass *pass, task_fn task) {
  const int count = piece_count(pass->a->size);
  if (pass->a->context && count > 1) return !picus_tasks_run(pass->a->context, count, task, pass);
  for (int k = 0; k < count; k++) task(pass, k);
  return true;
}

/* Sums of all pieces, in order. */
static double sum_of_pieces(const picus_anderson *a, int number) {
  double sum = 0;
  for (int k = 0; k < piece_count(a->size); k++) sum += a->sums[k * PIECE_SUMS + number];
  return sum;
}

/* Puts the change and the end of a sweep into the history; with the products of the new change step with the others,
 * of all of them with the change, and its square. In blocks that stay in the cache: the history is read once. */
INLINE void record_in_piece(void *work, int number) {
  const anderson_pass *pass = work;
  picus_anderson *a = pass->a;
  const piece part = piece_at(a, number);
  const double *before = pass->before, *P = pass->P;
  sums of_step[PICUS_ANDERSON_DEPTH] = {0};
  double *change_steps = row_of(a->change_steps, a, a->newest), *after_steps = row_of(a->after_steps, a, a->newest);
  double step[BLOCK], change[BLOCK];
  for (int first = part.first; first < part.end; first += BLOCK) {
    const int count = part.end - first < BLOCK ? part.end - first : BLOCK;
    for (int k = 0; k < count; k++) {
      const int at = first + k;
      const double now = P[at] - before[at];
      change_steps[at] = now - a->change[at];
      after_steps[at] = P[at] - a->after[at];
      step[k] = a->weight[at] * change_steps[at];
      change[k] = a->weight[at] * now;
    }
    for (int i = 0; i < a->count; i += 2) { /* the second of the last two may be one that is not used */
      const double *const steps[2] = {row_of(a->change_steps, a, i) + first, row_of(a->change_steps, a, i + 1) + first};
      add_products(count, steps, step, change, of_step + i);
    }
  }
  for (int i = 0; i < a->count; i++) {
    a->sums[number * PIECE_SUMS + i] = total(&of_step[i].own);
    a->sums[number * PIECE_SUMS + PICUS_ANDERSON_DEPTH + i] = total(&of_step[i].of_change);
  }
}

static picus_status record_piece(void *work, int number) {
  record_in_piece(work, number);
  return PICUS_OK;
}

WIDE static picus_status record_piece_wide(void *work, int number) {
  record_in_piece(work, number);
  return PICUS_OK;
}

static bool record(anderson_pass *pass) {
  picus_anderson *a = pass->a;
  a->newest = (a->newest + 1) % PICUS_ANDERSON_DEPTH;
  if (a->count < PICUS_ANDERSON_DEPTH) a->count++;
  if (!run_pieces(pass, a->wide ? record_piece_wide : record_piece)) return false;
  for (int i = 0; i < a->count; i++) {
    a->products[i][a->newest] = a->products[a->newest][i] = sum_of_pieces(a, i);
    pass->share[i] = sum_of_pieces(a, PICUS_ANDERSON_DEPTH + i);
  }
  return true;
}

INLINE void square_in_piece(void *work, int number) {
  const anderson_pass *pass = work;
  const picus_anderson *a = pass->a;
  const piece part = piece_at(a, number);
  const double *before = pass->before, *P = pass->P;
  lanes square = {0};
  int k = part.first;
  for (; k + LANES <= part.end; k += LANES) {
    lanes change, start, weight;
    memcpy(&change, P + k, sizeof change);
    memcpy(&start, before + k, sizeof start);
    memcpy(&weight, a->weight + k, sizeof weight);
    change -= start;
    square += weight * change * change;
  }
  for (; k < part.end; k++) square[0] += a->weight[k] * (P[k] - before[k]) * (P[k] - before[k]);
  a->sums[number * PIECE_SUMS] = total(&square);
}

static picus_status square_piece(void *work, int number) {
  square_in_piece(work, number);
  return PICUS_OK;
}

WIDE static picus_status square_piece_wide(void *work, int number) {
  square_in_piece(work, number);
  return PICUS_OK;
}

/* Least squares: the combination of the steps closest to the last change. Steps are scaled to length 1, and almost
 * dependent ones are damped. share: products of the steps with the change on entry. */
static void find_shares(const picus_anderson *a, double *share) {
  double A[PICUS_ANDERSON_DEPTH * PICUS_ANDERSON_DEPTH], scale[PICUS_ANDERSON_DEPTH];
  double scratch[PICUS_ANDERSON_DEPTH];
  int order[PICUS_ANDERSON_DEPTH], m = a->count;
  for (int i = 0; i < m; i++) {
    scale[i] = a->products[i][i] > 0 ? 1 / sqrt(a->products[i][i]) : 0;
    share[i] *= scale[i];
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) A[i * m + j] = scale[i] * scale[j] * a->products[i][j] + (i == j ? HOLD_BACK : 0);
  picus_solve_dense(m, A, share, scratch, order);
  for (int i = 0; i < m; i++) share[i] *= scale[i];
}

/* Keeps the sweep, from which the next one differs; then P minus the shares of the steps. */
INLINE void finish_in_piece(void *work, int number) {
  const anderson_pass *pass = work;
  const picus_anderson *a = pass->a;
  const piece part = piece_at(a, number);
  double *P = pass->P;
  for (int first = part.first; first < part.end; first += BLOCK) {
    const int end = part.end - first < BLOCK ? part.end : first + BLOCK;
    for (int k = first; k < end; k++) {
      a->change[k] = P[k] - pass->before[k];
      a->after[k] = P[k];
    }
    for (int i = 0; i < pass->shares; i++)
      subtract(end - first, pass->share[i], row_of(a->after_steps, a, i) + first, P + first);
  }
}

static picus_status finish_piece(void *work, int number) {
  finish_in_piece(work, number);
  return PICUS_OK;
}

WIDE static picus_status finish_piece_wide(void *work, int number) {
  finish_in_piece(work, number);
  return PICUS_OK;
}

/* false: there is no history any more. */
static bool mix(anderson_pass *pass, double square, double previous) {
  picus_anderson *a = pass->a;
  if (previous >= 0 && square > GROWTH * previous) { /* some laws have changed their mode: the history is useless */
    a->count = 0;
    a->newest = -1;
  } else if (previous >= 0) { /* else the first sweep: no difference to mix yet */
    if (!record(pass)) return false;
    find_shares(a, pass->share); /* least squares over the changes of the last sweeps */
    pass->shares = a->count;
  }
  return run_pieces(pass, a->wide ? finish_piece_wide : finish_piece);
}

void picus_anderson_mix(picus_anderson *a, const double *before, double *P) {
  anderson_pass pass = {.a = a, .before = before, .P = P};
  const bool done = run_pieces(&pass, a->wide ? square_piece_wide : square_piece);
  const double square = done ? sum_of_pieces(a, 0) : -1, previous = a->square;
  if (previous >= 0 &&
      !(square <= RUNAWAY * previous)) { /* the last mixture was bad: back to the end of the sweep before it */
    memcpy(P, a->after, (size_t)a->size * sizeof *P);
    picus_anderson_forget(a);
    return;
  }
  a->square = square;
  if (square < 0 || !mix(&pass, square, previous)) picus_anderson_forget(a);
}
