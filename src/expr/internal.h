/* Inside of the formulas: the nodes of the graph, and the constructors that simplify.
 *
 * A node's arguments have smaller ids than the node itself, so a scan over ascending ids visits arguments first and no
 * traversal needs recursion. Inside the module an expression is its plain id; a negative id is the invalid
 * expression, and every constructor returns it when an argument has it. Node 0 stands for no expression: it belongs to
 * no formula and is never found, so that a handle of zeros is not taken for a number. */
#ifndef PICUS_EXPR_INTERNAL_H
#define PICUS_EXPR_INTERNAL_H

#include "base/internal.h"
#include <picus/expr.h>

/* Ids that every pool has from its creation on. */
enum { PICUS_ID_INVALID = -1, PICUS_ID_NONE, PICUS_ID_ZERO, PICUS_ID_ONE };

typedef struct picus_table picus_table;

typedef struct picus_node {
  int32_t op;          /* picus_op */
  int32_t argument[3]; /* ids, -1: none; a variable has its number in argument[0] */
  double value;        /* of a number */
  uint64_t variables;  /* bit k is set if a variable with number k mod 64 occurs */
  uint64_t product;    /* equal for products of the same powers, regardless of grouping and numeric factor */
} picus_node;

/* A hash map from 64-bit keys to ids. */
typedef struct picus_id_map {
  uint64_t *keys;
  int32_t *values; /* id + 1; 0: free */
  size_t capacity, count;
} picus_id_map;

/* A place in the hash table of all nodes. The hash decides most comparisons without reading the node. */
typedef struct picus_slot {
  uint32_t hash;
  int32_t stored; /* id + 1; 0: free */
} picus_slot;

/* Working space for questions, as large as the pool, so that asking needs no memory. */
typedef struct picus_visit {
  int32_t queued; /* ids in the order of the visit */
  bool seen;      /* of the node with this index; false between questions */
} picus_visit;

/* Limits the work on a pool, and checks occasionally for an interrupt. */
typedef struct picus_pool_watch {
  uint64_t nodes; /* created or looked up so far */
  uint64_t most;
  uint64_t next;                /* number of nodes at the next check */
  int (*interrupt)(void *user); /* may be NULL */
  void *user;
  bool exceeded, interrupted;
} picus_pool_watch;

struct picus_pool {
  picus_context *context;
  picus_pool_watch *watch; /* NULL: no limits */
  picus_status status;     /* the first failure, with its message */
  char message[256];
  bool used_invalid; /* that failure is the use of an invalid expression: the reason lies elsewhere */
  picus_node *nodes;
  picus_visit *visits;
  int32_t count;
  size_t node_capacity, visit_capacity;
  picus_slot *slots;
  size_t slot_count;
  char **variable_names;
  int32_t *variable_ids;
  size_t variable_name_capacity, variable_id_capacity;
  int32_t variable_count;
  picus_id_map derivatives; /* (node, variable) -> derivative */
  picus_table **tables;
  size_t table_capacity;
  int table_count;
};

/* ---- point_table.c */
/* The node of a table has three arguments: x; 1 + the zone that is held, 0: the one of x; and a code: the number of the
 * table in the pool times PICUS_TABLE_ORDERS plus the order of the derivative, or PICUS_TABLE_DISTANCE. */
enum { PICUS_TABLE_ORDERS = 8, PICUS_TABLE_DISTANCE = 4 };
/* The value by these arguments; any numbers are fine, as long as the code is one of a table. */
double picus_table_at(const picus_table *const *tables, double x, double zone, double code);
/* Lists that share their tables. */
picus_status picus_tables_copy(picus_context *context, int count, picus_table *const *tables, picus_table ***out);
void picus_tables_release(picus_context *context, int count, picus_table **tables);
int32_t picus_make_table(picus_pool *pool, int32_t x, int32_t zone, int32_t code);
int32_t picus_table_derived(picus_pool *pool, int32_t id, int32_t dx); /* the derivative of a node */
int picus_table_order_at(const picus_pool *pool, int32_t id);
const picus_table *picus_table_of(const picus_pool *pool, int32_t id);
int32_t picus_table_value_code(picus_pool *pool, int32_t id, int order); /* of the same table */
/* Zones lie between kinks, where the derivative jumps: at all knots of lines, at both ends of cubics. */
int picus_table_zone(const picus_table *table, double x);
/* The neighbour of a zone on the side of x; and whether x is at an end of the zone. */
int picus_table_zone_beside(const picus_table *table, int zone, double x);
bool picus_table_touches(const picus_table *table, int zone, double x);
int picus_table_kink_count(const picus_table *table);
double picus_table_kink(const picus_table *table, int index);
/* The node, with another x, as a sum of ramps, for those who cannot have tables; cubics become lines. Invalid: it has
 * too many points. */
int32_t picus_table_as_ramps(picus_pool *pool, int32_t id, int32_t x);
uint64_t picus_table_sum(const picus_table *table); /* of all its data */
int picus_table_degree(const picus_table *table);

/* ---- dag.c */
/* Records a failure, the first one for good, and returns the invalid id. */
int32_t picus_pool_fail(picus_pool *pool, picus_status status, const char *format, ...) PICUS_PRINTF(3, 4);
int32_t picus_pool_out_of_memory(picus_pool *pool); /* the context already has the message */
/* Puts the pool's failure (or that an expression is invalid) into the context again and returns its status. */
picus_status picus_pool_report(picus_pool *pool);
/* True for ids of the pool; an id that is neither valid nor the trace of an earlier failure is reported. */
bool picus_pool_owns(picus_pool *pool, int32_t id);
/* The node with exactly these arguments, found or new; no simplification. */
int32_t picus_intern(picus_pool *pool, picus_op op, int32_t a, int32_t b, int32_t c);
/* The node if it exists already, else invalid. */
int32_t picus_find_unary(const picus_pool *pool, picus_op op, int32_t a);
int32_t picus_intern_number(picus_pool *pool, double value);
/* For copies: memory for so many nodes of an empty pool, and a node that the pool does not have yet, of which op,
 * arguments and value are given. */
picus_status picus_pool_reserve(picus_pool *pool, size_t count);
void picus_pool_append_none(picus_pool *pool); /* node 0, before all others; memory is there */
void picus_pool_append(picus_pool *pool, picus_node node);

static inline const picus_node *picus_node_at(const picus_pool *pool, int32_t id) { return &pool->nodes[id]; }
static inline picus_op picus_op_at(const picus_pool *pool, int32_t id) { return (picus_op)pool->nodes[id].op; }
static inline bool picus_is_number(const picus_pool *pool, int32_t id) { return pool->nodes[id].op == PICUS_NUMBER; }
static inline int32_t picus_argument_at(const picus_pool *pool, int32_t id, int k) {
  return pool->nodes[id].argument[k];
}
/* False is certain; true is certain in pools of at most 64 variables. */
static inline bool picus_may_depend_on(const picus_pool *pool, int32_t id, int variable) {
  return pool->nodes[id].variables >> (variable & 63) & 1;
}

static inline uint64_t picus_mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/* ---- pack.c */
/* Variables and expressions of a pool in a quarter of its memory, for later. They do not change: any number of threads
 * may unpack them at the same time. */
typedef struct picus_packed_pool picus_packed_pool;
picus_status picus_pool_pack(picus_context *context, const picus_pool *pool, picus_packed_pool **out);
void picus_packed_pool_destroy(picus_packed_pool *packed); /* NULL is fine */
/* A pool with the same variables and expressions under the same ids. */
picus_status picus_pool_unpack(picus_context *context, const picus_packed_pool *packed, picus_pool **out);

/* ---- dag.c: limits of the work */
/* The watch must live until picus_pool_unwatch, which forgets a failure that the watch or a limit of memory caused: the
 * pool can be used as before. */
void picus_pool_set_watch(picus_pool *pool, picus_pool_watch *watch);
void picus_pool_unwatch(picus_pool *pool, bool memory_was_limited);
bool picus_pool_look(picus_pool *pool); /* false: the work must end; the pool has the failure */
/* Call before an operation on this many nodes. */
static inline bool picus_pool_may_go_on(picus_pool *pool, uint64_t nodes) {
  if (!pool->watch) return true;
  pool->watch->nodes += nodes;
  return pool->watch->nodes < pool->watch->next || picus_pool_look(pool);
}

/* ---- dag.c: hash map and stack */
int32_t picus_id_map_get(const picus_id_map *map, uint64_t key); /* invalid: not there */
picus_status picus_id_map_put(picus_context *context, picus_id_map *map, uint64_t key, int32_t id);
void picus_id_map_clear(picus_context *context, picus_id_map *map);

/* A growing stack of ids for traversals. */
typedef struct picus_id_stack {
  int32_t *ids;
  size_t count, capacity;
} picus_id_stack;
picus_status picus_id_stack_push(picus_context *context, picus_id_stack *stack, int32_t id);

/* ---- diff.c */
/* The derivative of a node from those of its arguments. */
int32_t picus_derivative_rule(picus_pool *pool, int32_t id, const int32_t derivative[3]);
/* Replacements of many variables at once: for each variable of the pool an id; -1: it stays. */
typedef struct picus_replacements {
  const int32_t *list;
  uint64_t signature; /* of the variables that are replaced, as in picus_node */
} picus_replacements;
picus_replacements picus_replacements_of(const picus_pool *pool, const int32_t *list);
picus_expr picus_substitute_all(picus_pool *pool, picus_expr expr, const picus_replacements *all);

/* ---- gradient.c */
/* Exactly the variables that an expression contains, increasing. The list keeps its memory from call to call; release
 * its ids in the end. */
picus_status picus_expr_variables(picus_pool *pool, picus_expr expr, picus_id_stack *out);
/* A derivative that is not the number 0. */
typedef struct picus_slope {
  int variable;
  picus_expr value;
} picus_slope;
typedef struct picus_gradient {
  picus_slope *slopes; /* by increasing variable */
  size_t count, capacity;
  /* scratch, kept from call to call */
  picus_id_stack spine, variables;
  uint64_t *uses;
  size_t use_count, use_capacity;
} picus_gradient;
/* All derivatives of an expression. A sum of many terms takes time in proportion to its length, not to its length times
 * the number of variables. Initialize a gradient with zeros. */
picus_status picus_gradient_find(picus_pool *pool, picus_expr expr, picus_gradient *gradient);
void picus_gradient_release(picus_context *context, picus_gradient *gradient);

/* ---- linear_terms.c */
/* A node of an expression, and the factor with which it enters. */
typedef struct picus_linear_term {
  int32_t id, factor;
  int32_t operand[3]; /* where its operands are in the list; -1: none, or not there */
  bool depends;       /* on the variables */
} picus_linear_term;
typedef struct picus_linear {
  bool is_linear; /* in the variables, found by its form; false: unknown */
  bool has_rest;  /* there are terms without the variables */
  /* scratch, kept from call to call */
  picus_linear_term *terms;
  size_t count, capacity;
} picus_linear;
/* If an expression is linear in the variables that have a replacement: its derivatives by them, free of them, in time
 * in proportion to its length. Initialize with zeros. */
picus_status picus_linear_find(picus_pool *pool, picus_expr expr, const picus_replacements *of, picus_linear *linear,
                               picus_gradient *out);
void picus_linear_release(picus_context *context, picus_linear *linear);

/* ---- operations.c: what the operations do with numbers */
double picus_apply(picus_op op, double a, double b, double c);
double picus_integer_power(double base, int exponent); /* by repeated multiplication */
/* Exponents that are computed by multiplications (and one square root): *half: 1/2 is to be added. */
enum { PICUS_LARGEST_MULTIPLIED_POWER = 16 };
bool picus_multiplied_power(double exponent, int *whole, bool *half);
bool picus_is_boolean_op(picus_op op); /* gives 0 or 1 only */

/* ---- simplify.c, sum.c, product.c: constructors; all simplify, none needs a deep stack */
int32_t picus_make_unary(picus_pool *pool, picus_op op, int32_t a);
int32_t picus_make_binary(picus_pool *pool, picus_op op, int32_t a, int32_t b);
int32_t picus_make_when(picus_pool *pool, int32_t condition, int32_t a, int32_t b);
int32_t picus_make_operation(picus_pool *pool, picus_op op, const int32_t argument[3]);
int32_t picus_make_number(picus_pool *pool, double value);
int32_t picus_make_sum(picus_pool *pool, int32_t a, int sign, int32_t b); /* a + sign b, sign = 1 or -1 */
int32_t picus_add_two(picus_pool *pool, int32_t a, int sign, int32_t b);  /* the same, without looking inside a, b */
int32_t picus_make_scaled(picus_pool *pool, double factor, int32_t a);
int32_t picus_make_product(picus_pool *pool, int32_t a, int32_t b);
int32_t picus_make_quotient(picus_pool *pool, int32_t a, int32_t b);
int32_t picus_make_power(picus_pool *pool, int32_t a, int32_t b);
/* Folds an operation on one or two numbers; fails if the result is not finite. */
int32_t picus_fold(picus_pool *pool, picus_op op, double a, double b);

/* expr = factor * term, where term has no numeric factor of its own; a number is value * 1. */
typedef struct picus_scaled_term {
  double factor;
  int32_t term;
} picus_scaled_term;
picus_scaled_term picus_split_factor(picus_pool *pool, int32_t id);
bool picus_has_factor(const picus_pool *pool, int32_t id); /* id is a negation or a number times something */
/* True if the term is better written as minus another one: -x, -3*x, and one of the pair a-b, b-a. */
bool picus_is_negative(const picus_pool *pool, int32_t id);

/* ---- product.c: products as lists of powers */
enum { PICUS_MOST_FACTORS = 16, PICUS_LARGEST_EXPONENT = 1 << 20 };
typedef struct picus_factor {
  int32_t base;
  int32_t exponent; /* never 0 */
} picus_factor;
typedef struct picus_monomial {
  double coefficient;
  int count;
  picus_factor factor[PICUS_MOST_FACTORS];
} picus_monomial;
/* Multiplies the monomial by id^exponent; false: it would become too large. */
bool picus_monomial_multiply(const picus_pool *pool, picus_monomial *monomial, int32_t id, int exponent);
bool picus_monomial_equal(const picus_monomial *a, const picus_monomial *b); /* coefficients aside */
int32_t picus_monomial_build(picus_pool *pool, const picus_monomial *monomial);
/* True for nodes that are products, quotients or integer powers without a numeric factor. */
bool picus_is_pure_product(const picus_pool *pool, picus_op op, int32_t a, int32_t b);

/* ---- format.c */
enum { PICUS_NUMBER_TEXT_SIZE = 32 };
/* The shortest text that reads back as the same number; returns its length. */
int picus_format_number(double value, char text[PICUS_NUMBER_TEXT_SIZE]);

#endif
