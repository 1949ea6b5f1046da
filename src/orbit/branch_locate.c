/* Where a branch has a special orbit: the zero of a function along it. */
#include "orbit/branch.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

#define CLOSE 1e-12 /* of the range: distance along the branch */
#define AT_ONE 1e-3 /* a multiplier is on the unit circle */
enum { SEARCHES = 80 };

typedef struct complex_number {
  double re, im;
} complex_number;

static void multiply(complex_number *a, double re, double im) {
  *a = (complex_number){a->re * re - a->im * im, a->re * im + a->im * re};
}

/* Functions of the multipliers that change their sign where one of them is at s, or where a pair has the product 1. */
static double product_at(const branch_point *p, double s) {
  complex_number all = {1, 0};
  for (int k = 0; k < p->multiplier_count; k++) multiply(&all, p->multipliers[k].re - s, p->multipliers[k].im);
  return all.re;
}

static double product_of_pairs(const branch_point *p) {
  complex_number all = {1, 0};
  for (int i = 0; i < p->multiplier_count; i++)
    for (int k = 0; k < i; k++) {
      complex_number pair = {p->multipliers[i].re, p->multipliers[i].im};
      multiply(&pair, p->multipliers[k].re, p->multipliers[k].im);
      multiply(&all, 1 - pair.re, -pair.im);
    }
  return all.re;
}

double picus_branch_test(const branch_point *p, branch_test test) {
  switch (test) {
  case TEST_FOLD:
    return p->tangent[p->c.size - 1];
  case TEST_FLIP:
    return product_at(p, -1);
  case TEST_NEIMARK:
    return product_of_pairs(p);
  case TEST_CROSSING:
    return product_at(p, 1);
  default:
    return NAN;
  }
}

/* Functions of multipliers change their sign where one becomes infinite, too. */
bool picus_branch_is_special(const branch_point *p, branch_test test) {
  if (test == TEST_FOLD) return true;
  for (int k = 0; k < p->multiplier_count; k++) {
    const picus_multiplier m = p->multipliers[k];
    const bool is_real = fabs(m.im) < AT_ONE;
    if (test == TEST_FLIP && is_real && fabs(m.re + 1) < AT_ONE) return true;
    if (test == TEST_CROSSING && is_real && fabs(m.re - 1) < AT_ONE) return true;
    if (test == TEST_NEIMARK && !is_real && fabs(picus_hypot(m.re, m.im) - 1) < AT_ONE) return true;
  }
  return false;
}

typedef struct end {
  double s, value;
  const double *z;
} end;

static picus_status value_at(branch_walk *w, const branch_point *p, branch_test test, const condition *c, double *out) {
  if (test != TEST_CONDITION) {
    *out = picus_branch_test(p, test);
    return PICUS_OK;
  }
  const picus_status status = picus_cycle_check(&w->b, &p->c, w->margins);
  *out = picus_cycle_condition(w->margins, c);
  return status;
}

/* Between both ends: the secant method with halving, or halves where a value is not finite. */
static double choose(const end *a, const end *b) {
  const double middle = 0.5 * (a->s + b->s);
  if (!isfinite(a->value) || !isfinite(b->value) || fabs(b->value) == 1) return middle;
  const double s = a->s + (b->s - a->s) * a->value / (a->value - b->value);
  return s > a->s && s < b->s ? s : middle;
}

static void guess(const end *a, const end *b, double s, int size, double *z) {
  const double share = b->s > a->s ? (s - a->s) / (b->s - a->s) : 0;
  for (int i = 0; i < size; i++) z[i] = a->z[i] + share * (b->z[i] - a->z[i]);
}

/* A new end replaces one of both; the value of the other one counts half if it stays again (Illinois). Returns the side
 * that it has: 1, the far end, or -1. */
static int narrow(end *a, end *b, bool is_far, int side, end new_end) {
  if (is_far) {
    *b = new_end;
    if (side == 1) a->value *= 0.5;
    return 1;
  }
  *a = new_end;
  if (side == -1) b->value *= 0.5;
  return -1;
}

picus_status picus_branch_locate(branch_walk *w, const branch_point *from, const branch_point *to, branch_goal goal,
                                 branch_point *out, double *s) {
  const branch_test test = goal.test;
  const condition *which = goal.condition;
  const size_t size = (size_t)from->c.size;
  double *numbers = picus_allocate(w->b.context, 3 * size, sizeof *numbers);
  if (!numbers) return PICUS_ERROR_MEMORY;
  double *low = numbers, *high = low + size, *z = high + size;
  end a = {0, 0, low}, b = {*s, 0, high};
  int side = 0;
  memcpy(low, from->c.z, size * sizeof *low);
  memcpy(high, to->c.z, size * sizeof *high);
  picus_status status = value_at(w, from, test, which, &a.value);
  if (!status) status = value_at(w, to, test, which, &b.value);
  const bool rises = b.value > 0 && (test != TEST_CONDITION || a.value < 0);
  for (int k = 0; !status && k < SEARCHES && b.s - a.s > CLOSE; k++) {
    double value;
    *s = k % 8 == 7 ? 0.5 * (a.s + b.s) : choose(&a, &b);
    guess(&a, &b, *s, (int)size, z);
    status = picus_branch_solve(w, from, *s, z, out, NULL);
    if (!status) status = value_at(w, out, test, which, &value);
    if (status || fabs(value) < 1e-13) break;
    side = narrow(&a, &b, (value > 0) == rises, side, (end){*s, value, (value > 0) == rises ? high : low});
    memcpy(side > 0 ? high : low, out->c.z, size * sizeof *z);
  }
  if (!status) status = picus_branch_solve(w, from, *s, z, out, NULL);
  picus_release(w->b.context, numbers);
  return status;
}
