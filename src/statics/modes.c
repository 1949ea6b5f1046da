/* Natural modes by subspace iteration (Bathe 1971): X := (K + s M)^-1 M X with constraints held, then the best
 * combinations of X in the metrics of K and M. The shift s keeps motions without stiffness solvable. Gyroscopic terms
 * couple the modes found so far:
 *
 *   omega^2 y - omega i G y - L^2 y = 0,  L^2 = diag(lambda),  is  omega z = (i G, L; L, 0) z  with  z = (omega y, L
 * y),
 *
 * a Hermitian matrix, whose real form is (A -B; B A) with A = (0 L; L 0) and B = (G 0; 0 0). */
#include <picus/system.h>

#include "base/internal.h"
#include "statics/saddle.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 200 };
static const double converged_below = 1e-11;

struct picus_modes {
  picus_context *context;
  int count, nu;
  double resolution;
  double *q;
  double *omega, *damping;
  int *whirl;
  double *shape, *imaginary; /* count x nu; imaginary: NULL without gyroscopic terms */
};

typedef struct subspace {
  saddle *s;
  int wanted, size; /* size: vectors that are iterated */
  double shift, largest;
  double resolution;      /* eigenvalues below it are round-off */
  double *X, *Y;          /* size x nu: vectors are rows */
  double *MX, *MY;        /* size x nu */
  double *A, *B, *V;      /* size x size */
  double *lambda, *noise; /* size: eigenvalues, and how far round-off moves them */
  double *old;
} subspace;

picus_modes_options picus_default_modes_options(void) { return (picus_modes_options){.count = 10}; }

void picus_modes_destroy(picus_modes *modes) {
  if (!modes) return;
  void *const blocks[] = {modes->q, modes->omega, modes->damping, modes->whirl, modes->shape, modes->imaginary};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) picus_release(modes->context, blocks[i]);
  picus_release(modes->context, modes);
}

int picus_modes_count(const picus_modes *modes) { return modes->count; }
const double *picus_modes_state(const picus_modes *modes) { return modes->q; }
double picus_modes_resolution(const picus_modes *modes) { return modes->resolution; }
picus_natural_mode picus_modes_at(const picus_modes *modes, int index) {
  if (index < 0 || index >= modes->count) return (picus_natural_mode){0};
  const size_t at = (size_t)index * (size_t)modes->nu;
  return (picus_natural_mode){.omega = modes->omega[index],
                              .damping = modes->damping[index],
                              .whirl = modes->whirl[index],
                              .shape = modes->shape + at,
                              .shape_imaginary = modes->imaginary ? modes->imaginary + at : NULL};
}

static void release_subspace(subspace *b) {
  void *const blocks[] = {b->X, b->Y, b->MX, b->MY, b->A, b->B, b->V, b->lambda, b->noise, b->old};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) picus_release(b->s->context, blocks[i]);
}

static picus_status create_subspace(saddle *s, int wanted, int freedom, subspace *b) {
  *b = (subspace){.s = s, .wanted = wanted};
  b->size = wanted + (wanted < 20 ? wanted : 20) + 8;
  if (b->size > freedom) b->size = freedom;
  const size_t n = (size_t)b->size, nu = (size_t)s->nu;
  double **const arrays[] = {&b->X, &b->Y, &b->MX, &b->MY, &b->A, &b->B, &b->V, &b->lambda, &b->noise, &b->old};
  const size_t sizes[] = {n * nu, n * nu, n * nu, n * nu, n * n, n * n, n * n, n, n, n};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = picus_allocate(s->context, sizes[i], sizeof(double));
    if (!*arrays[i]) return PICUS_ERROR_MEMORY;
  }
  /* a fixed sequence of pseudo-random numbers: no mode is orthogonal to all vectors */
  unsigned long long state = 1;
  for (size_t i = 0; i < n * nu; i++) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    b->X[i] = (double)(state >> 11) / 9007199254740992.0 - 0.5;
  }
  return PICUS_OK;
}

/* Y := (K + s M)^-1 M X */
static void iterate(subspace *b) {
  saddle *s = b->s;
  for (int i = 0; i < b->size; i++) {
    const size_t at = (size_t)i * (size_t)s->nu;
    picus_saddle_multiply(s, s->M, b->X + at, b->MX + at);
    memset(s->x, 0, (size_t)(s->nu + s->rows) * sizeof *s->x);
    memcpy(s->x, b->MX + at, (size_t)s->nu * sizeof *s->x);
    picus_saddle_solve(s);
    memcpy(b->Y + at, s->x, (size_t)s->nu * sizeof *s->x);
    picus_saddle_multiply(s, s->M, b->Y + at, b->MY + at);
    const double length = sqrt(picus_dot(s->nu, b->Y + at, b->MY + at));
    for (int k = 0; length > 0 && k < s->nu; k++) b->Y[at + (size_t)k] /= length, b->MY[at + (size_t)k] /= length;
  }
}

/* L^-1 A L^-T with the Cholesky factor L of B, both in place; false: the vectors depend on each other. */
static bool reduce(int n, double *A, double *B) {
  if (picus_cholesky_factor(n, B, B) >= 0) return false;
  for (int half = 0; half < 2; half++) {
    for (int i = 0; i < n; i++) picus_cholesky_forward(n, B, A + (ptrdiff_t)i * n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        const double t = A[i * n + j];
        A[i * n + j] = A[j * n + i];
        A[j * n + i] = t;
      }
  }
  return true;
}

/* Gram-Schmidt in the metric of M: a vector that depends on earlier ones is replaced. */
static void separate(subspace *b) {
  const int nu = b->s->nu;
  for (int i = 0; i < b->size; i++) {
    double *y = b->Y + (size_t)i * (size_t)nu, *My = b->MY + (size_t)i * (size_t)nu;
    for (int pass = 0; pass < 2; pass++) {
      picus_remove_dual_rows(&(picus_dual_rows){nu, i, b->MY, b->Y}, My, y, NULL, 0);
      picus_saddle_multiply(b->s, b->s->M, y, My);
      const double length = sqrt(fmax(picus_dot(nu, y, My), 1e-300));
      for (int k = 0; k < nu; k++) y[k] /= length, My[k] /= length;
    }
  }
}

/* The best combinations of Y: eigenvalues lambda, increasing, and vectors X with X^T M X = 1. */
static bool combine(subspace *b) {
  saddle *s = b->s;
  const int n = b->size, nu = s->nu;
  separate(b);
  for (int i = 0; i < n; i++) {
    picus_saddle_multiply(s, s->K, b->Y + (size_t)i * (size_t)nu, b->MX + (size_t)i * (size_t)nu);
    for (int j = 0; j <= i; j++) {
      const double *yj = b->Y + (size_t)j * (size_t)nu;
      b->A[i * n + j] = picus_dot(nu, b->MX + (size_t)i * (size_t)nu, yj);
      b->B[i * n + j] = b->B[j * n + i] = picus_dot(nu, b->MY + (size_t)i * (size_t)nu, yj);
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) b->A[j * n + i] = b->A[i * n + j];
  if (!reduce(n, b->A, b->B)) return false;
  picus_symmetric_eigen(n, b->A, b->lambda, b->V);
  for (int i = 0; i < n; i++) { /* coefficients L^-T v, then X */
    double *v = b->V + (size_t)i * (size_t)n, *x = b->X + (size_t)i * (size_t)nu;
    picus_cholesky_backward(n, b->B, v);
    memset(x, 0, (size_t)nu * sizeof *x);
    for (int j = 0; j < n; j++) {
      const double *y = b->Y + (size_t)j * (size_t)nu;
      for (int k = 0; k < nu; k++) x[k] += v[j] * y[k];
    }
  }
  return true;
}

/* Round-off of x^T K x, for x^T M x = 1: terms are rounded independently of each other. Round-off of K itself, relative
 * to the largest eigenvalue, sets another limit; the factor 0.1 is from beams of up to 10^5 elements. */
static void find_noise(subspace *b) {
  const saddle *s = b->s;
  for (int m = 0; m < b->size; m++) {
    const double *x = b->X + (size_t)m * (size_t)s->nu;
    double sum = 0;
    for (int i = 0; i < s->nu; i++)
      for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++) {
        const double term = x[i] * s->K[k] * x[s->column[k]];
        sum += term * term;
      }
    b->noise[m] = fmax(2e-13 * sqrt(sum), b->resolution);
  }
}

static bool has_converged(subspace *b) {
  bool converged = true;
  for (int i = 0; i < b->wanted; i++) {
    const double change = fabs(b->lambda[i] - b->old[i]);
    converged = converged && change <= converged_below * (fabs(b->lambda[i]) + b->shift) + b->noise[i];
    b->old[i] = b->lambda[i];
  }
  return converged;
}

static picus_status find_modes(subspace *b) {
  saddle *s = b->s;
  b->largest = picus_saddle_largest_quotient(s);
  b->shift = b->largest > 0 ? 1e-6 * b->largest : 1;
  b->resolution = 0.1 * 2.2e-16 * b->largest;
  picus_status status = picus_saddle_factor(s, 1, b->shift);
  for (int k = 0, since = 0; !status && k < ITERATIONS; k++, since++) {
    iterate(b);
    if (!combine(b))
      return picus_fail(s->context, PICUS_ERROR_MODEL,
                        "the modes cannot be separated; request fewer modes, or check the mass matrix");
    find_noise(b);
    const double last = fabs(b->lambda[b->wanted - 1]);
    const double noise = fmax(b->noise[b->wanted - 1], 1e-16 * b->largest);
    if (since >= 2 && b->shift > last && b->shift > 100 * noise) {
      b->shift = fmax(0.01 * b->shift, 0.1 * last); /* closer to the modes that are wanted */
      status = picus_saddle_factor(s, 1, b->shift);
      since = 0;
      has_converged(b);
      continue;
    }
    if (has_converged(b) && since >= 2) return PICUS_OK;
  }
  return status ? status
                : picus_fail(s->context, PICUS_ERROR_MODEL, "the %d lowest modes did not converge in %d iterations",
                             b->wanted, ITERATIONS);
}

/* y^T C x and its skew-symmetric part between two vectors. */
static double product(const subspace *b, int i, const double *Cx) {
  return picus_dot(b->s->nu, b->X + (size_t)i * (size_t)b->s->nu, Cx);
}

/* C in the space of the modes: size x size, into b->A. */
static void reduce_damping(subspace *b) {
  for (int j = 0; j < b->size; j++) {
    picus_saddle_multiply(b->s, b->s->C, b->X + (size_t)j * (size_t)b->s->nu, b->MX);
    for (int i = 0; i < b->size; i++) b->A[i * b->size + j] = product(b, i, b->MX);
  }
}

static bool is_gyroscopic(const subspace *b) {
  double skew = 0, size = 0;
  for (int i = 0; i < b->size; i++)
    for (int j = 0; j < b->size; j++) {
      skew = fmax(skew, fabs(b->A[i * b->size + j] - b->A[j * b->size + i]));
      size = fmax(size, fabs(b->A[i * b->size + j]));
    }
  return skew > 1e-12 * size && b->lambda[0] >= 0;
}

/* Gyroscopic terms have no power: what is below the round-off of the largest coefficient is none. */
static double estimate_damping(const subspace *b, const double *re, const double *im, double omega) {
  const int n = b->size;
  double power = 0, mass = 0, largest = 0;
  for (int i = 0; i < n; i++) {
    mass += re[i] * re[i] + (im ? im[i] * im[i] : 0);
    for (int j = 0; j < n; j++) {
      power += b->A[i * n + j] * (re[i] * re[j] + (im ? im[i] * im[j] : 0));
      largest = fmax(largest, fabs(b->A[i * n + j]));
    }
  }
  if (fabs(power) <= 1e-13 * largest * mass) power = 0;
  return omega > 0 && mass > 0 ? power / mass / (2 * omega) : 0;
}

/* The shape with coefficients y over the vectors. */
static void expand(const subspace *b, const double *y, double *shape) {
  const int nu = b->s->nu;
  memset(shape, 0, (size_t)nu * sizeof *shape);
  for (int i = 0; i < b->size; i++)
    for (int k = 0; k < nu; k++) shape[k] += y[i] * b->X[(size_t)i * (size_t)nu + (size_t)k];
}

static picus_status take_plain(subspace *b, picus_modes *modes) {
  const size_t nu = (size_t)modes->nu;
  double *unit = b->old;
  for (int m = 0; m < modes->count; m++) {
    const double lambda = b->lambda[m];
    modes->omega[m] = lambda < 0 ? -sqrt(-lambda) : sqrt(lambda);
    memcpy(modes->shape + (size_t)m * nu, b->X + (size_t)m * nu, nu * sizeof(double));
    memset(unit, 0, (size_t)b->size * sizeof *unit);
    unit[m] = 1;
    modes->damping[m] = estimate_damping(b, unit, NULL, modes->omega[m]);
  }
  return PICUS_OK;
}

/* The real form of the Hermitian matrix, 4 size x 4 size. */
static void fill_hermitian(const subspace *b, double *H) {
  const size_t n = (size_t)b->size, w = 4 * n;
  for (size_t i = 0; i < n; i++) {
    const double L = sqrt(fmax(b->lambda[i], 0));
    for (size_t half = 0; half < 2; half++) {
      const size_t o = 2 * n * half;
      H[(o + i) * w + o + n + i] = H[(o + n + i) * w + o + i] = L;
    }
    for (size_t j = 0; j < n; j++) {
      const double G = 0.5 * (b->A[i * n + j] - b->A[j * n + i]);
      H[i * w + 2 * n + j] = -G;
      H[(2 * n + i) * w + j] = G;
    }
  }
}

/* omega^2 = k + g omega with k = y^H L^2 y and the gyroscopic part g, for y^H y = 1. */
static int whirl_of(const subspace *b, const double *re, const double *im, double omega) {
  double mass = 0, k = 0;
  for (int i = 0; i < b->size; i++) {
    const double square = re[i] * re[i] + im[i] * im[i];
    mass += square;
    k += fmax(b->lambda[i], 0) * square;
  }
  const double g = mass > 0 ? omega * omega - k / mass : 0;
  return fabs(g) <= 1e-9 * omega * omega ? 0 : g > 0 ? 1 : -1;
}

/* Positive frequencies, each twice: every second one. Zeros of motions without stiffness come first. */
static void take_hermitian(subspace *b, const double *values, const double *V, picus_modes *modes) {
  const size_t n = (size_t)b->size, w = 4 * n, nu = (size_t)modes->nu;
  for (int m = 0; m < modes->count; m++) {
    const size_t at = 2 * n + 2 * (size_t)m; /* half of the 4 n values are negative or their zeros */
    const double *re = V + at * w, *im = re + 2 * n, omega = fmax(values[at], 0);
    double mass = 0;
    modes->omega[m] = omega * omega <= b->noise[0] ? 0 : omega;
    modes->damping[m] = estimate_damping(b, re, im, modes->omega[m]);
    modes->whirl[m] = whirl_of(b, re, im, modes->omega[m]);
    for (size_t i = 0; i < n; i++) mass += re[i] * re[i] + im[i] * im[i];
    expand(b, re, modes->shape + (size_t)m * nu);
    expand(b, im, modes->imaginary + (size_t)m * nu);
    const double factor = mass > 0 ? 1 / sqrt(mass) : 1;
    for (size_t k = 0; k < nu; k++) modes->shape[(size_t)m * nu + k] *= factor;
    for (size_t k = 0; k < nu; k++) modes->imaginary[(size_t)m * nu + k] *= factor;
  }
}

static picus_status take_gyroscopic(subspace *b, picus_modes *modes) {
  picus_context *context = b->s->context;
  const size_t w = 4 * (size_t)b->size;
  double *H = picus_allocate(context, w * w, sizeof *H), *V = picus_allocate(context, w * w, sizeof *V);
  double *values = picus_allocate(context, w, sizeof *values);
  modes->imaginary = picus_allocate(context, (size_t)modes->count * (size_t)modes->nu, sizeof(double));
  picus_status status = H && V && values && modes->imaginary ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    fill_hermitian(b, H);
    picus_symmetric_eigen((int)w, H, values, V);
    take_hermitian(b, values, V, modes);
  }
  picus_release(context, H);
  picus_release(context, V);
  picus_release(context, values);
  return status;
}

/* Closed contacts at the state hold, and stick if they have friction. */
static picus_status close_contacts(saddle *s) {
  double *gap = picus_allocate(s->context, (size_t)s->system->fixed.law_count + 1, sizeof *gap);
  if (!gap) return PICUS_ERROR_MEMORY;
  picus_status status = picus_evaluate_gaps(s->evaluation, gap);
  for (int r = 0; !status && r < s->rows; r++) {
    const picus_system_law *law = &s->system->fixed.laws[s->row_law[r]].data;
    if (law->kind == PICUS_BILATERAL) continue;
    s->holds[r] = gap[s->row_law[r]] <= 1e-9 && (s->row_of_law[r] == 0 || law->mu > 0);
  }
  picus_release(s->context, gap);
  return status;
}

static picus_status prepare(saddle *s, const picus_modes_options *options, picus_modes *modes, double *P) {
  const picus_system *system = s->system;
  const double t = system->t_start;
  memcpy(modes->q, options->q ? options->q : system->q_start, (size_t)system->nq * sizeof(double));
  picus_status status = PICUS_OK;
  if (options->equilibrium) status = picus_saddle_find_equilibrium(s, t, modes->q, P);
  if (!status) status = picus_saddle_set_state(s, t, modes->q, NULL);
  if (!status && options->contacts) status = close_contacts(s);
  for (int r = 0; !status && !options->contacts && r < s->rows; r++)
    s->holds[r] = system->fixed.laws[s->row_law[r]].data.kind == PICUS_BILATERAL;
  if (!status) status = picus_saddle_find_forces(s, t, modes->q, P);
  return status ? status : picus_saddle_set_state(s, t, modes->q, P);
}

/* Velocities less the rows that hold, redundant ones counted as well: a lower bound of the degrees of freedom. */
static int count_freedom(const saddle *s) {
  int freedom = s->nu;
  for (int r = 0; r < s->rows; r++) freedom -= s->holds[r];
  return freedom;
}

static picus_status compute(saddle *s, const picus_modes_options *options, picus_modes *modes) {
  subspace b = {.s = s};
  double *P = picus_allocate(s->context, (size_t)s->system->fixed.row_count + 1, sizeof *P);
  picus_status status = P ? prepare(s, options, modes, P) : PICUS_ERROR_MEMORY;
  const int freedom = count_freedom(s);
  modes->count = options->count < freedom ? options->count : freedom;
  if (!status && modes->count < 1)
    status = picus_fail(s->context, PICUS_ERROR_MODEL, "the system has no degree of freedom left for modes");
  const size_t count = (size_t)(modes->count > 0 ? modes->count : 1);
  if (!status) {
    modes->omega = picus_allocate(s->context, count, sizeof(double));
    modes->damping = picus_allocate(s->context, count, sizeof(double));
    modes->whirl = picus_allocate(s->context, count, sizeof(int));
    modes->shape = picus_allocate(s->context, count * (size_t)s->nu, sizeof(double));
    status = modes->omega && modes->damping && modes->whirl && modes->shape ? PICUS_OK : PICUS_ERROR_MEMORY;
  }
  if (!status) status = create_subspace(s, modes->count, freedom, &b);
  if (!status) status = find_modes(&b);
  if (!status) {
    for (int i = 0; i < b.size; i++)
      if (fabs(b.lambda[i]) <= b.noise[i]) b.lambda[i] = 0;
    modes->resolution = sqrt(b.resolution);
    reduce_damping(&b);
    status = is_gyroscopic(&b) ? take_gyroscopic(&b, modes) : take_plain(&b, modes);
  }
  release_subspace(&b);
  picus_release(s->context, P);
  return status;
}

picus_status picus_modes_create(picus_context *context, const picus_system *system, const picus_modes_options *options,
                                picus_modes **out) {
  *out = NULL;
  if (options->count < 1)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "the number of modes is %d; it must be at least 1",
                      options->count);
  saddle s;
  picus_status status = picus_saddle_create(context, system, &s);
  if (status) return status;
  picus_modes *modes = picus_allocate(context, 1, sizeof *modes);
  if (modes) {
    *modes = (picus_modes){.context = context, .nu = system->nu};
    modes->q = picus_allocate(context, (size_t)system->nq, sizeof(double));
  }
  status = modes && modes->q ? compute(&s, options, modes) : PICUS_ERROR_MEMORY;
  picus_saddle_release(&s);
  if (status)
    picus_modes_destroy(modes);
  else
    *out = modes;
  return status;
}
