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

/* Runs instructions first ... end - 1. */
void picus_tape_execute(const picus_tape *tape, int32_t first, int32_t end, double *registers);

/* Runs the stages from *done up to this one, which follow one another, and notes that they are done. */
static inline void picus_tape_run_to(const picus_tape *tape, int stage, int *done, double *registers) {
  if (*done > stage) return;
  const int32_t first = tape->first_instruction[*done], end = tape->first_instruction[stage + 1];
  if (first < end) picus_tape_execute(tape, first, end, registers);
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
  int i = 0;
  for (; i + 2 <= range.count; i += 2) {
    values[i] = registers[output[i]];
    values[i + 1] = registers[output[i + 1]];
  }
  if (i < range.count) values[i] = registers[output[i]];
}
/* Each output to its own place: values[at[k]], k counted from the first of the range. */
static inline void picus_tape_place(const picus_tape *tape, picus_tape_range range, const double *registers,
                                    const size_t *at, double *values) {
  const int32_t *output = picus_tape_outputs(tape, range);
  for (int k = 0; k < range.count; k++) values[at[k]] = registers[output[k]];
}

#endif
