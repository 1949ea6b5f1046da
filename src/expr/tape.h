/* The flat program, written by the compiler (tape_compile.c) and read by the interpreter (tape_run.c). */
#ifndef PICUS_EXPR_TAPE_H
#define PICUS_EXPR_TAPE_H

#include "expr/internal.h"

/* Opcodes. Those up to PICUS_WHEN are the operations themselves, with a, b, c as arguments. The others do two or three
 * operations at once, each rounded separately, so that the result is the same bit for bit. */
typedef enum tape_op {
  TAPE_INTEGER_POWER = PICUS_OP_COUNT, /* a^b, b immediate */
  TAPE_HALF_POWER,                     /* a^b sqrt(a), b >= 0 immediate */
  TAPE_CUBE,                           /* (a a) a */
  TAPE_MULTIPLY_ADD,                   /* a b + c */
  TAPE_MULTIPLY_SUBTRACT,              /* a b - c */
  TAPE_SUBTRACT_MULTIPLY,              /* c - a b */
  TAPE_MULTIPLY_MULTIPLY,              /* (a b) c */
  TAPE_MULTIPLY_ADD_MULTIPLY,          /* a b + c d */
  TAPE_MULTIPLY_SUBTRACT_MULTIPLY,     /* a b - c d */
  TAPE_SUM_MULTIPLY,                   /* (a + b) c */
  TAPE_DIFFERENCE_MULTIPLY,            /* (a - b) c */
  TAPE_NEGATE_MULTIPLY,                /* -(a b) */
  TAPE_SUM_ADD,                        /* (a + b) + c */
  TAPE_DIFFERENCE_ADD,                 /* (a - b) + c */
  TAPE_SUM_SUBTRACT,                   /* (a + b) - c */
  TAPE_DIFFERENCE_SUBTRACT,            /* (a - b) - c */
  TAPE_PRODUCT_MULTIPLY_ADD,           /* (a b) c + d */
  TAPE_PRODUCT_MULTIPLY_SUBTRACT,      /* (a b) c - d */
  TAPE_SUBTRACT_PRODUCT_MULTIPLY,      /* d - (a b) c */
  TAPE_PRODUCT_MULTIPLY_MULTIPLY,      /* ((a b) c) d */
  TAPE_SUM_MULTIPLY_ADD,               /* (a + b) c + d */
  TAPE_SUM_MULTIPLY_SUBTRACT,          /* (a + b) c - d */
  TAPE_SUBTRACT_SUM_MULTIPLY,          /* d - (a + b) c */
  TAPE_SUM_MULTIPLY_MULTIPLY,          /* ((a + b) c) d */
  TAPE_DIFFERENCE_MULTIPLY_ADD,        /* (a - b) c + d */
  TAPE_DIFFERENCE_MULTIPLY_SUBTRACT,   /* (a - b) c - d */
  TAPE_SUBTRACT_DIFFERENCE_MULTIPLY,   /* d - (a - b) c */
  TAPE_DIFFERENCE_MULTIPLY_MULTIPLY,   /* ((a - b) c) d */
  TAPE_WHEN_LESS,                      /* a < b ? c : d */
  TAPE_WHEN_LESS_EQUAL,                /* a <= b ? c : d */
} tape_op;

/* Instruction number k writes register first_result + k. */
typedef struct tape_instruction {
  int32_t op;
  int32_t a, b, c, d; /* registers */
} tape_instruction;

struct picus_tape {
  picus_context *context;
  int variable_count, constant_count, stage_count;
  int first_result;               /* variables and constants precede it */
  double *constants;              /* constant_count */
  tape_instruction *instructions; /* of all stages, one after the other */
  int32_t *first_instruction;     /* stage_count + 1 */
  int32_t *first_output;          /* stage_count + 1 */
  int32_t *output_register;       /* of all stages */
};

#endif
