/* The flat program, written by the compiler (tape_compile.c) and read by the interpreter (tape_run.c). */
#ifndef PICUS_EXPR_TAPE_H
#define PICUS_EXPR_TAPE_H

#include "expr/internal.h"

#include <picus/expr.h>

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
  TAPE_SIN_COS,                        /* sin a, and cos a for the next instruction, which is that cosine */
  TAPE_OP_COUNT
} tape_op;

/* Instruction number k writes register first_result + k. */
typedef struct tape_instruction {
  int32_t op;
  int32_t a, b, c, d; /* registers */
} tape_instruction;

/* A function of native code (src/native) that runs some of the instructions; calls: the functions that it calls. */
typedef void (*picus_tape_code)(double *registers, const void *calls);

struct picus_tape {
  picus_context *context;
  int variable_count, constant_count, stage_count;
  int first_result;               /* variables and constants precede it */
  double *constants;              /* constant_count */
  tape_instruction *instructions; /* of all stages, one after the other */
  int32_t *first_instruction;     /* stage_count + 1 */
  int32_t *first_output;          /* stage_count + 1 */
  int32_t *output_register;       /* of all stages */
  const picus_tape_code *code;    /* of all stages; NULL: the tape is interpreted */
  const void *code_calls;
  int32_t *first_code; /* stage_count + 1 */
  void *own_calls;     /* code_calls of a tape with tables; NULL: they are static */
  int table_count;
  picus_table **tables; /* all tables of the pool, if the tape needs one */
};

/* Interprets instructions first ... end - 1. */
void picus_tape_execute(const picus_tape *tape, int32_t first, int32_t end, double *registers);
/* Native code leaves only registers that others read; this fills those of all instructions. */
void picus_tape_fill(const picus_tape *tape, double *registers);
/* The operation of an opcode as C, with A, B, C, D for the operands and IMMEDIATE for b itself. */
const char *picus_tape_formula(int op);

/* Runs stages first ... last, by native code if there is some. */
static inline void picus_tape_run_stages(const picus_tape *tape, int first, int last, double *registers) {
  if (tape->code) {
    for (int32_t k = tape->first_code[first]; k < tape->first_code[last + 1]; k++)
      tape->code[k](registers, tape->code_calls);
    return;
  }
  const int32_t from = tape->first_instruction[first], end = tape->first_instruction[last + 1];
  if (from < end) picus_tape_execute(tape, from, end, registers);
}

/* Runs the stages from *done up to this one, which follow one another, and notes that they are done. */
static inline void picus_tape_run_to(const picus_tape *tape, int stage, int *done, double *registers) {
  if (*done > stage) return;
  picus_tape_run_stages(tape, *done, stage, registers);
  *done = stage + 1;
}

/* Some of the outputs of a stage. */
typedef struct picus_tape_range {
  int stage, first, count;
} picus_tape_range;

/* The registers that hold them. */
static inline const int32_t *picus_tape_outputs(const picus_tape *tape, picus_tape_range range) {
  return tape->output_register + tape->first_output[range.stage] + range.first;
}
static inline void picus_tape_read_range(const picus_tape *tape, picus_tape_range range, const double *registers,
                                         double *values) {
  const int32_t *output = picus_tape_outputs(tape, range);
  for (int i = 0; i < range.count; i++) values[i] = registers[output[i]];
}
/* Each output to its own place: values[at[k]], k counted from the first of the range. */
static inline void picus_tape_place(const picus_tape *tape, picus_tape_range range, const double *registers,
                                    const size_t *at, double *values) {
  const int32_t *output = picus_tape_outputs(tape, range);
  for (int k = 0; k < range.count; k++) values[at[k]] = registers[output[k]];
}

/* --- tapes as text ------------------------------------------------------------------------------------------------ */

/* The expressions of a tape as text, for messages about a value that is not finite. Nothing is allocated, and the pool
 * of the tape need not exist any more. */

/* The name of a variable for the text. NULL: it is not part of the expression that a user wrote, and a choice by it
 * stands for its last operand. */
typedef const char *(*picus_variable_name_fn)(const void *user, int variable);

typedef struct picus_tape_view {
  const picus_tape *tape;
  const double *registers; /* after the stages of interest have run */
  picus_variable_name_fn name;
  const void *user;
} picus_tape_view;

/* The register of an output of a stage. */
int picus_tape_output(const picus_tape *tape, int stage, int output);
/* Follows a value that is not finite to the operation that made it from finite ones, or to the variable that is not
 * finite. Branches that are not taken are left aside. */
int picus_tape_culprit(const picus_tape_view *view, int at);
/* The expression of a register; a text that does not fit ends with "...". */
void picus_tape_text(const picus_tape_view *view, int at, char *buffer, size_t size);
/* The last operation alone, with the numbers that it was given, as in log(-0.005). Empty: a variable or a constant. */
void picus_tape_operation_text(const picus_tape_view *view, int at, char *buffer, size_t size);

#endif
