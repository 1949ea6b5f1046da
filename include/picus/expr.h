/* Expressions: a pool of shared subexpressions, exact derivatives, and flat programs that evaluate them.
 *
 * Expressions live in a pool as a directed acyclic graph in which equal subexpressions are stored once. Building
 * simplifies and folds constants to numbers. An expression is a small value handle. If an argument is invalid or memory
 * runs out, the result is the invalid expression. It propagates, so a long expression needs only one check at its
 * end. A handle of zeros is no expression: a field of a definition that is left so is not given. */
#ifndef PICUS_EXPR_H
#define PICUS_EXPR_H

#include <picus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct picus_pool picus_pool;
typedef struct picus_expr {
  int32_t id; /* 0: no expression; negative: it could not be built; both are invalid */
} picus_expr; /* Lifetime: as long as its pool */

typedef enum picus_op {
  PICUS_NUMBER,
  PICUS_VARIABLE,
  /* unary */
  PICUS_NEGATE,
  PICUS_SQRT,
  PICUS_EXP,
  PICUS_LOG,
  PICUS_SIN,
  PICUS_COS,
  PICUS_TAN,
  PICUS_ASIN,
  PICUS_ACOS,
  PICUS_ATAN,
  PICUS_SINH,
  PICUS_COSH,
  PICUS_TANH,
  PICUS_ABS,
  PICUS_SIGN, /* -1, 0, 1; derivative 0 */
  PICUS_NOT,  /* 1 if the argument is 0, else 0 */
  /* binary */
  PICUS_ADD,
  PICUS_SUBTRACT,
  PICUS_MULTIPLY,
  PICUS_DIVIDE,
  PICUS_POWER,
  PICUS_ATAN2,
  PICUS_MIN,
  PICUS_MAX,
  PICUS_LESS,       /* a < b: 1 or 0 */
  PICUS_LESS_EQUAL, /* a <= b: 1 or 0 */
  PICUS_EQUAL,      /* a == b: 1 or 0 */
  PICUS_AND,        /* both nonzero: 1 or 0 */
  PICUS_OR,
  /* ternary */
  PICUS_WHEN,  /* when(condition, a, b): a if the condition is nonzero, else b */
  PICUS_TABLE, /* made by picus_expr_table; its second and third argument are numbers of the library */
  PICUS_OP_COUNT
} picus_op;

PICUS_API picus_status picus_pool_create(picus_context *context, picus_pool **out);
PICUS_API void picus_pool_destroy(picus_pool *pool);
/* PICUS_OK, or the first failure while building (memory, a number that is not finite, a handle of another pool). */
PICUS_API picus_status picus_pool_status(const picus_pool *pool);
PICUS_API int picus_pool_size(const picus_pool *pool); /* nodes stored; ids are less */

/* Leaves. Variables are numbered 0, 1, ... in the order of their creation; the name is for output only. */
PICUS_API picus_expr picus_number(picus_pool *pool, double value);
PICUS_API picus_expr picus_variable(picus_pool *pool, const char *name);
PICUS_API int picus_variable_count(const picus_pool *pool);
/* Lifetime: as long as the pool. */
PICUS_API const char *picus_variable_name(const picus_pool *pool, int variable); /* NULL: no such variable */

PICUS_API picus_expr picus_unary(picus_pool *pool, picus_op op, picus_expr a);
PICUS_API picus_expr picus_binary(picus_pool *pool, picus_op op, picus_expr a, picus_expr b);
PICUS_API picus_expr picus_when(picus_pool *pool, picus_expr condition, picus_expr a, picus_expr b);

/* A function of one number that is given by points, x increasing. */
typedef enum picus_table_kind {
  PICUS_TABLE_LINEAR, /* straight lines from point to point */
  PICUS_TABLE_CUBIC   /* monotone cubics with a continuous derivative, which do not overshoot */
} picus_table_kind;
typedef struct picus_table_def {
  int count;           /* of the points, at least 2 */
  const double *x, *y; /* x increases from point to point */
  picus_table_kind kind;
  bool fail_outside; /* false: the first and the last y continue beyond the ends; true: there is no value (NaN) */
  const char *name;  /* for messages; NULL: "a table" */
} picus_table_def;
/* The table at x. The pool copies the points; equal tables are stored once. The derivative is exact; at a knot that of
 * the piece on the right. A value takes one comparison if the points are equally spaced, else at most log2(count). */
PICUS_API picus_expr picus_expr_table(picus_pool *pool, const picus_table_def *table, picus_expr x);

static inline picus_expr picus_add(picus_pool *pool, picus_expr a, picus_expr b) {
  return picus_binary(pool, PICUS_ADD, a, b);
}
static inline picus_expr picus_sub(picus_pool *pool, picus_expr a, picus_expr b) {
  return picus_binary(pool, PICUS_SUBTRACT, a, b);
}
static inline picus_expr picus_mul(picus_pool *pool, picus_expr a, picus_expr b) {
  return picus_binary(pool, PICUS_MULTIPLY, a, b);
}
static inline picus_expr picus_div(picus_pool *pool, picus_expr a, picus_expr b) {
  return picus_binary(pool, PICUS_DIVIDE, a, b);
}
static inline picus_expr picus_neg(picus_pool *pool, picus_expr a) { return picus_unary(pool, PICUS_NEGATE, a); }

/* Queries. */
PICUS_API bool picus_expr_valid(picus_expr expr);
PICUS_API bool picus_expr_is_number(const picus_pool *pool, picus_expr expr, double *value); /* value may be NULL */
PICUS_API int picus_expr_variable_index(const picus_pool *pool, picus_expr expr); /* -1: expr is not a variable */
PICUS_API bool picus_expr_depends_on(const picus_pool *pool, picus_expr expr, int variable);
PICUS_API picus_op picus_expr_op(const picus_pool *pool, picus_expr expr);
PICUS_API int picus_op_arity(picus_op op);
/* Lifetime: static. */
PICUS_API const char *picus_op_name(picus_op op); /* "sin", "+", "when"; never NULL */
/* The k-th argument (k < arity) of an operation. */
PICUS_API picus_expr picus_expr_argument(const picus_pool *pool, picus_expr expr, int k);

/* Writes the expression as text into buffer (always terminated); returns the length needed without the terminator. */
PICUS_API size_t picus_expr_format(const picus_pool *pool, picus_expr expr, char *buffer, size_t size);

/* Value of one expression for given values of all variables; slow and simple, for checks and messages. */
PICUS_API picus_status picus_expr_evaluate(picus_pool *pool, picus_expr expr, const double *variables, double *value);

/* d expr / d variable, exact. At a kink of abs, min, max or when: the derivative of the branch evaluated there. */
PICUS_API picus_expr picus_derivative(picus_pool *pool, picus_expr expr, int variable);
/* expr with variable replaced. */
PICUS_API picus_expr picus_substitute(picus_pool *pool, picus_expr expr, int variable, picus_expr replacement);

/* A tape is a flat register program that evaluates lists of expressions together, in stages: stage k may use results of
 * earlier stages for the same values of the variables. It holds no values itself: the registers belong to the caller,
 * one array per thread, so evaluation allocates nothing and a tape can be shared. Registers 0 ...
 * picus_variable_count-1 are the variables. */
typedef struct picus_tape picus_tape;

typedef struct picus_tape_stage {
  int count;                 /* number of outputs */
  const picus_expr *outputs; /* count expressions */
} picus_tape_stage;

PICUS_API picus_status picus_tape_create(picus_pool *pool, int stage_count, const picus_tape_stage *stages,
                                         picus_tape **out);
PICUS_API void picus_tape_destroy(picus_tape *tape);
PICUS_API int picus_tape_register_count(const picus_tape *tape);
/* Number of operations of a stage; 0: all its outputs are constants or variables. */
PICUS_API int picus_tape_operation_count(const picus_tape *tape, int stage);
/* Loads the constants into an array of picus_tape_register_count doubles; once, before the first run. */
PICUS_API void picus_tape_prepare(const picus_tape *tape, double *registers);
/* Executes one stage on the registers. All earlier stages must have run since the variables last changed. */
PICUS_API void picus_tape_run(const picus_tape *tape, int stage, double *registers);
/* Copies the outputs of a stage from the registers to values[count]. */
PICUS_API void picus_tape_read(const picus_tape *tape, int stage, const double *registers, double *values);

#ifdef __cplusplus
}
#endif

#endif
