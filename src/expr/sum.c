/* Sums and differences. Like terms are collected: a*x + b*x = (a+b)*x for numbers a, b, also inside longer sums, and
 * sin(x)^2 + cos(x)^2 = 1. A sum without like terms keeps its grouping: the author may have chosen it for small
 * differences. */
#include "expr/internal.h"

#include <float.h>
#include <math.h>

enum { MOST_ENTRIES = 31 }; /* of each operand's tree that are searched for like terms */

/* A sum as the tree it is. Entry k is a term, or the sum or difference of two later entries, or a number times one. */
typedef struct sum_entry {
  int32_t id;
  double scale;             /* factor of the entry within the complete sum */
  int left, right;          /* entries; both 0: this is a term; right 0: number times left */
  picus_scaled_term scaled; /* of a term; the factor is that within the complete sum */
  bool changed;
} sum_entry;

typedef struct sum_tree {
  int count;
  sum_entry entry[MOST_ENTRIES];
} sum_tree;

static bool is_sum(const picus_pool *pool, int32_t id) {
  return picus_op_at(pool, id) == PICUS_ADD || picus_op_at(pool, id) == PICUS_SUBTRACT;
}

static int append(sum_tree *tree, int32_t id, double scale) {
  tree->entry[tree->count] = (sum_entry){.id = id, .scale = scale};
  return tree->count++;
}

/* Opens up an entry that is a sum, or a number times a sum. */
static bool expand(picus_pool *pool, sum_tree *tree, sum_entry *entry) {
  if (tree->count + 2 > MOST_ENTRIES) return false;
  const picus_node *node = picus_node_at(pool, entry->id);
  if (is_sum(pool, entry->id)) {
    entry->left = append(tree, node->argument[0], entry->scale);
    entry->right = append(tree, node->argument[1], node->op == PICUS_SUBTRACT ? -entry->scale : entry->scale);
    return true;
  }
  if (node->op != PICUS_MULTIPLY && node->op != PICUS_NEGATE) return false;
  picus_scaled_term split = picus_split_factor(pool, entry->id);
  if (!is_sum(pool, split.term) || !isnormal(split.factor * entry->scale)) return false;
  entry->left = append(tree, split.term, split.factor * entry->scale);
  return true;
}

/* Breadth first; parts beyond the limit stay terms. */
static bool gather(picus_pool *pool, sum_tree *tree, int32_t id, double scale) {
  tree->count = 0;
  append(tree, id, scale);
  for (int k = 0; k < tree->count; k++) {
    sum_entry *entry = &tree->entry[k];
    if (expand(pool, tree, entry)) continue;
    entry->scaled = picus_split_factor(pool, entry->id);
    if (entry->scaled.term < 0) return false;
    entry->scaled.factor *= entry->scale;
    if (!isfinite(entry->scaled.factor)) entry->scaled = (picus_scaled_term){entry->scale, entry->id};
  }
  return true;
}

/* Puts a tree together again after terms have changed. */
static int32_t rebuild(picus_pool *pool, sum_tree *tree) {
  for (int k = tree->count - 1; k >= 0; k--) {
    sum_entry *entry = &tree->entry[k];
    const sum_entry *left = &tree->entry[entry->left], *right = &tree->entry[entry->right];
    if (entry->left == 0) {
      if (entry->changed) entry->id = picus_make_scaled(pool, entry->scaled.factor / entry->scale, entry->scaled.term);
    } else if (left->changed || (entry->right && right->changed)) {
      entry->changed = true;
      entry->id = entry->right ? picus_add_two(pool, left->id, left->scale == right->scale ? 1 : -1, right->id)
                               : picus_make_scaled(pool, left->scale / entry->scale, left->id);
    }
  }
  return tree->entry[0].id;
}

/* The factor of two like terms together. A remainder at round-off level (of 0.3*x - 0.1*3*x) counts as zero. */
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
    /* sums of hashes: that of the product with the partner's square in place of this one */
    uint64_t key =
        pool->nodes[first.term].product - 2 * pool->nodes[factor.base].product + 2 * pool->nodes[partner].product;
    sum_entry *found = find_square(pool, tree, rest, partner, key, first.factor);
    if (found) return found;
  }
  return NULL;
}

static void set_term(sum_entry *entry, double factor, int32_t term) {
  entry->scaled = (picus_scaled_term){factor, term};
  entry->changed = true;
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
      set_term(kept, factor, kept->scaled.term);
      set_term(moved, 0, PICUS_ID_ONE);
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
    set_term(kept, kept->scaled.factor, picus_monomial_build(pool, &rest));
    set_term(partner, 0, PICUS_ID_ONE);
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

static bool is_number_times(const picus_pool *pool, int32_t id) {
  return picus_op_at(pool, id) == PICUS_MULTIPLY && picus_is_number(pool, picus_argument_at(pool, id, 0));
}

/* c*x + c*y = c*(x + y), c*x - c*y = c*(x - y): one operation less, and a small difference keeps its digits. Factors
 * within x and y (too small or too large to be collected) are left alone, lest one step leads to the next for ever. */
static int32_t with_common_factor(picus_pool *pool, int32_t a, int sign, int32_t b) {
  if (!is_number_times(pool, a) || !is_number_times(pool, b)) return PICUS_ID_INVALID;
  picus_scaled_term split_a = picus_split_factor(pool, a), split_b = picus_split_factor(pool, b);
  if (fabs(split_a.factor) != fabs(split_b.factor)) return PICUS_ID_INVALID;
  if (picus_has_factor(pool, split_a.term) || picus_has_factor(pool, split_b.term)) return PICUS_ID_INVALID;
  int inner_sign = split_a.factor == split_b.factor ? sign : -sign;
  return picus_make_scaled(pool, split_a.factor, picus_add_two(pool, split_a.term, inner_sign, split_b.term));
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
  int32_t factored = with_common_factor(pool, a, sign, b);
  if (factored >= 0) return factored;
  if (sign > 0 && has_minus(pool, a)) return picus_intern(pool, PICUS_SUBTRACT, b, picus_make_scaled(pool, -1, a), -1);
  if (sign > 0) return add_ordered(pool, a, b);
  return a == b ? PICUS_ID_ZERO : picus_intern(pool, PICUS_SUBTRACT, a, b, -1);
}

int32_t picus_make_sum(picus_pool *pool, int32_t a, int sign, int32_t b) {
  sum_tree left, right;
  bool again = true;
  while (again) {
    if (a < 0 || b < 0) return PICUS_ID_INVALID;
    if (!gather(pool, &left, a, 1) || !gather(pool, &right, b, sign)) return PICUS_ID_INVALID;
    collect_like_terms(&left, &right);
    bool few_left = left.count < right.count; /* the search starts from the terms of the shorter sum */
    again = collect_pythagorean(pool, few_left ? &left : &right, few_left ? &right : &left);
    a = rebuild(pool, &left);
    b = rebuild(pool, &right);
  }
  return picus_add_two(pool, a, sign, b);
}
