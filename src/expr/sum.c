/* Sums and differences. Like terms are collected: a*x + b*x = (a+b)*x for numbers a, b, also where they stand inside
 * longer sums, and sin(x)^2 + cos(x)^2 = 1. A sum without like terms keeps the grouping in which it was written: the
 * author may know which differences are small. */
#include "expr/internal.h"

#include <float.h>
#include <math.h>

enum { MOST_ENTRIES = 31 }; /* of each operand's tree that are searched for like terms */

/* A sum as the tree it is: entry k is either a term, or the sum of two later entries with the signs given. */
typedef struct sum_entry {
  int32_t id;
  int sign;                 /* of this entry within the whole sum */
  int left, right;          /* entries; 0: this is a term */
  picus_scaled_term scaled; /* of a term, with its sign within the whole sum */
} sum_entry;

typedef struct sum_tree {
  int count;
  bool changed;
  sum_entry entry[MOST_ENTRIES];
} sum_tree;

/* Breadth first; what exceeds the limit stays a term. */
static void gather(picus_pool *pool, sum_tree *tree, int32_t id, int sign) {
  tree->count = 0;
  tree->changed = false;
  tree->entry[tree->count++] = (sum_entry){.id = id, .sign = sign};
  for (int k = 0; k < tree->count; k++) {
    sum_entry *entry = &tree->entry[k];
    const picus_node *node = picus_node_at(pool, entry->id);
    bool is_sum = node->op == PICUS_ADD || node->op == PICUS_SUBTRACT;
    if (is_sum && tree->count + 2 <= MOST_ENTRIES) {
      int right_sign = node->op == PICUS_SUBTRACT ? -entry->sign : entry->sign;
      entry->left = tree->count;
      entry->right = tree->count + 1;
      tree->entry[tree->count++] = (sum_entry){.id = node->argument[0], .sign = entry->sign};
      tree->entry[tree->count++] = (sum_entry){.id = node->argument[1], .sign = right_sign};
    } else {
      entry->scaled = picus_split_factor(pool, entry->id);
      entry->scaled.factor *= entry->sign;
    }
  }
}

/* Puts a tree together again after terms have changed. */
static int32_t rebuild(picus_pool *pool, sum_tree *tree) {
  if (!tree->changed) return tree->entry[0].id;
  for (int k = tree->count - 1; k >= 0; k--) {
    sum_entry *entry = &tree->entry[k];
    if (entry->left == 0) {
      entry->id = picus_make_scaled(pool, entry->sign * entry->scaled.factor, entry->scaled.term);
    } else {
      const sum_entry *left = &tree->entry[entry->left], *right = &tree->entry[entry->right];
      entry->id = picus_add_two(pool, left->id, left->sign == right->sign ? 1 : -1, right->id);
    }
  }
  return tree->entry[0].id;
}

/* The factor of two like terms together. A remainder of rounding size (of 0.3*x - 0.1*3*x) counts as none. */
static double collected(picus_scaled_term a, picus_scaled_term b) {
  double sum = a.factor + b.factor;
  bool is_rounding = a.term != PICUS_ID_ONE && fabs(sum) <= 4 * DBL_EPSILON * fabs(a.factor);
  return is_rounding ? 0 : sum;
}

static bool is_trigonometric(picus_op op) { return op == PICUS_SIN || op == PICUS_COS; }

/* cos(x) for sin(x) and the reverse, if it is in use at all. */
static int32_t trigonometric_partner(const picus_pool *pool, int32_t id) {
  picus_op op = picus_op_at(pool, id) == PICUS_SIN ? PICUS_COS : PICUS_SIN;
  return picus_find_unary(pool, op, picus_argument_at(pool, id, 0));
}

/* The term of the tree that is the product given times the square of base, with the same numeric factor. */
static sum_entry *find_square(const picus_pool *pool, sum_tree *tree, const picus_monomial *rest, int32_t base,
                              uint64_t key, double factor) {
  picus_monomial expected = *rest;
  if (!picus_monomial_multiply(pool, &expected, base, 2)) return NULL;
  for (int k = 0; k < tree->count; k++) {
    sum_entry *entry = &tree->entry[k];
    if (entry->left || pool->nodes[entry->scaled.term].product != key) continue;
    picus_monomial product = {.coefficient = 1};
    if (fabs(entry->scaled.factor - factor) <= 4 * DBL_EPSILON * fabs(factor) &&
        picus_monomial_multiply(pool, &product, entry->scaled.term, 1) && picus_monomial_equal(&product, &expected))
      return entry;
  }
  return NULL;
}

/* c*sin(x)^2*r + c*cos(x)^2*r = c*r, with the first term given and the second one searched in the tree. */
static sum_entry *find_pythagorean(const picus_pool *pool, picus_scaled_term first, sum_tree *tree,
                                   picus_monomial *rest) {
  picus_op op = picus_op_at(pool, first.term);
  picus_monomial product = {.coefficient = 1};
  if ((op != PICUS_MULTIPLY && op != PICUS_DIVIDE && op != PICUS_POWER) || first.factor == 0 ||
      !picus_monomial_multiply(pool, &product, first.term, 1) || product.coefficient != 1)
    return NULL;
  for (int k = 0; k < product.count; k++) {
    picus_factor factor = product.factor[k];
    if (factor.exponent < 2 || !is_trigonometric(picus_op_at(pool, factor.base))) continue;
    int32_t partner = trigonometric_partner(pool, factor.base);
    if (partner < 0) continue;
    *rest = product;
    if (factor.exponent > 2)
      rest->factor[k].exponent -= 2;
    else
      rest->factor[k] = rest->factor[--rest->count];
    uint64_t key =
        pool->nodes[first.term].product - 2 * pool->nodes[factor.base].product + 2 * pool->nodes[partner].product;
    sum_entry *found = find_square(pool, tree, rest, partner, key, first.factor);
    if (found) return found;
  }
  return NULL;
}

static void drop_term(sum_tree *tree, sum_entry *entry) {
  entry->scaled = (picus_scaled_term){0, PICUS_ID_ONE};
  tree->changed = true;
}

/* Moves the terms of b that a also has into a. */
static void collect_like_terms(sum_tree *a, sum_tree *b) {
  for (int i = 0; i < a->count; i++) {
    sum_entry *kept = &a->entry[i];
    if (kept->left) continue;
    for (int k = 0; k < b->count; k++) {
      sum_entry *moved = &b->entry[k];
      if (moved->left || kept->scaled.term != moved->scaled.term || moved->scaled.factor == 0) continue;
      double factor = collected(kept->scaled, moved->scaled);
      if (!isfinite(factor)) continue;
      kept->scaled.factor = factor;
      a->changed = true;
      drop_term(b, moved);
    }
  }
}

/* Replaces one pair of squares of sine and cosine; true: done, and the term that is left may have like terms. */
static bool collect_pythagorean(picus_pool *pool, sum_tree *a, sum_tree *b) {
  for (int i = 0; i < a->count; i++) {
    sum_entry *kept = &a->entry[i];
    picus_monomial rest;
    sum_entry *partner = kept->left ? NULL : find_pythagorean(pool, kept->scaled, b, &rest);
    if (!partner) continue;
    kept->scaled.term = picus_monomial_build(pool, &rest);
    a->changed = true;
    drop_term(b, partner);
    return true;
  }
  return false;
}

/* True for terms that are better subtracted with the other sign: -x, -3*x, -3/x. */
static bool has_minus(const picus_pool *pool, int32_t id) {
  picus_op op = picus_op_at(pool, id);
  return op != PICUS_SUBTRACT && op != PICUS_NUMBER && picus_is_negative(pool, id);
}

static int32_t add_ordered(picus_pool *pool, int32_t a, int32_t b) {
  bool swap = picus_is_number(pool, a) || (!picus_is_number(pool, b) && b < a);
  return swap ? picus_intern(pool, PICUS_ADD, b, a, -1) : picus_intern(pool, PICUS_ADD, a, b, -1);
}

int32_t picus_add_two(picus_pool *pool, int32_t a, int sign, int32_t b) {
  if (a < 0 || b < 0) return PICUS_ID_INVALID;
  double value_b = pool->nodes[b].value;
  if (picus_is_number(pool, a) && picus_is_number(pool, b))
    return picus_fold(pool, sign > 0 ? PICUS_ADD : PICUS_SUBTRACT, pool->nodes[a].value, value_b);
  if (b == PICUS_ID_ZERO) return a;
  if (a == PICUS_ID_ZERO) return picus_make_scaled(pool, sign, b);
  if (picus_is_number(pool, b)) return picus_intern(pool, PICUS_ADD, a, picus_make_number(pool, sign * value_b), -1);
  if (has_minus(pool, b)) {
    b = picus_make_scaled(pool, -1, b);
    if (b < 0) return b;
    sign = -sign;
  }
  if (sign > 0 && has_minus(pool, a)) return picus_intern(pool, PICUS_SUBTRACT, b, picus_make_scaled(pool, -1, a), -1);
  if (sign > 0) return add_ordered(pool, a, b);
  return a == b ? PICUS_ID_ZERO : picus_intern(pool, PICUS_SUBTRACT, a, b, -1);
}

int32_t picus_make_sum(picus_pool *pool, int32_t a, int sign, int32_t b) {
  sum_tree left, right;
  bool again = true;
  while (again) {
    if (a < 0 || b < 0) return PICUS_ID_INVALID;
    gather(pool, &left, a, 1);
    gather(pool, &right, b, sign);
    collect_like_terms(&left, &right);
    again = collect_pythagorean(pool, &left, &right);
    a = rebuild(pool, &left);
    b = rebuild(pool, &right);
  }
  return picus_add_two(pool, a, sign, b);
}
