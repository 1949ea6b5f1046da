/* Execution of tapes. */
#include "base/elementary.h"
#include "expr/tape.h"

#include <math.h>
#include <string.h>

int picus_tape_register_count(const picus_tape *tape) {
  return tape->first_result + tape->first_instruction[tape->stage_count];
}

int picus_tape_operation_count(const picus_tape *tape, int stage) {
  if (stage < 0 || stage >= tape->stage_count) return 0;
  return tape->first_instruction[stage + 1] - tape->first_instruction[stage];
}

void picus_tape_prepare(const picus_tape *tape, double *registers) {
  memcpy(registers + tape->variable_count, tape->constants, (size_t)tape->constant_count * sizeof *registers);
}

/* The operation of each opcode with one result, with A, B, C, D the values of its operands; and of all opcodes. */
#define TAPE_PLAIN_FORMULAS(X)                                                                                         \
  X(PICUS_NEGATE, -A)                                                                                                  \
  X(PICUS_SQRT, sqrt(A))                                                                                               \
  X(PICUS_EXP, picus_exp(A))                                                                                           \
  X(PICUS_LOG, picus_ln(A))                                                                                            \
  X(PICUS_SIN, picus_sin(A))                                                                                           \
  X(PICUS_COS, picus_cos(A))                                                                                           \
  X(PICUS_TAN, picus_tan(A))                                                                                           \
  X(PICUS_ASIN, picus_asin(A))                                                                                         \
  X(PICUS_ACOS, picus_acos(A))                                                                                         \
  X(PICUS_ATAN, picus_atan(A))                                                                                         \
  X(PICUS_SINH, picus_sinh(A))                                                                                         \
  X(PICUS_COSH, picus_cosh(A))                                                                                         \
  X(PICUS_TANH, picus_tanh(A))                                                                                         \
  X(PICUS_ABS, fabs(A))                                                                                                \
  X(PICUS_SIGN, (A > 0) - (A < 0))                                                                                     \
  X(PICUS_NOT, A == 0)                                                                                                 \
  X(PICUS_ADD, A + B)                                                                                                  \
  X(PICUS_SUBTRACT, A - B)                                                                                             \
  X(PICUS_MULTIPLY, (A * B))                                                                                           \
  X(PICUS_DIVIDE, A / B)                                                                                               \
  X(PICUS_POWER, picus_apply(PICUS_POWER, A, B, 0))                                                                    \
  X(PICUS_ATAN2, picus_atan2(A, B))                                                                                    \
  X(PICUS_MIN, B < A ? B : A)                                                                                          \
  X(PICUS_MAX, A < B ? B : A)                                                                                          \
  X(PICUS_LESS, A < B)                                                                                                 \
  X(PICUS_LESS_EQUAL, A <= B)                                                                                          \
  X(PICUS_EQUAL, A == B)                                                                                               \
  X(PICUS_AND, A != 0 && B != 0)                                                                                       \
  X(PICUS_OR, A != 0 || B != 0)                                                                                        \
  X(PICUS_WHEN, A != 0 ? B : C)                                                                                        \
  X(PICUS_TABLE, picus_table_at(TABLES, A, B, C))                                                                      \
  X(TAPE_INTEGER_POWER, picus_integer_power(A, IMMEDIATE))                                                             \
  X(TAPE_HALF_POWER, picus_integer_power(A, IMMEDIATE) * sqrt(A))                                                      \
  X(TAPE_CUBE, (A * A) * A)                                                                                            \
  X(TAPE_MULTIPLY_ADD, (A * B) + C)                                                                                    \
  X(TAPE_MULTIPLY_SUBTRACT, (A * B) - C)                                                                               \
  X(TAPE_SUBTRACT_MULTIPLY, C - A * B)                                                                                 \
  X(TAPE_MULTIPLY_MULTIPLY, (A * B) * C)                                                                               \
  X(TAPE_MULTIPLY_ADD_MULTIPLY, (A * B) + C * D)                                                                       \
  X(TAPE_MULTIPLY_SUBTRACT_MULTIPLY, (A * B) - C * D)                                                                  \
  X(TAPE_SUM_MULTIPLY, (A + B) * C)                                                                                    \
  X(TAPE_DIFFERENCE_MULTIPLY, (A - B) * C)                                                                             \
  X(TAPE_NEGATE_MULTIPLY, -(A * B))                                                                                    \
  X(TAPE_SUM_ADD, A + B + C)                                                                                           \
  X(TAPE_DIFFERENCE_ADD, A - B + C)                                                                                    \
  X(TAPE_SUM_SUBTRACT, A + B - C)                                                                                      \
  X(TAPE_DIFFERENCE_SUBTRACT, A - B - C)                                                                               \
  X(TAPE_PRODUCT_MULTIPLY_ADD, (A * B) * C + D)                                                                        \
  X(TAPE_PRODUCT_MULTIPLY_SUBTRACT, (A * B) * C - D)                                                                   \
  X(TAPE_SUBTRACT_PRODUCT_MULTIPLY, D - (A * B) * C)                                                                   \
  X(TAPE_PRODUCT_MULTIPLY_MULTIPLY, (A * B) * C * D)                                                                   \
  X(TAPE_SUM_MULTIPLY_ADD, (A + B) * C + D)                                                                            \
  X(TAPE_SUM_MULTIPLY_SUBTRACT, (A + B) * C - D)                                                                       \
  X(TAPE_SUBTRACT_SUM_MULTIPLY, D - (A + B) * C)                                                                       \
  X(TAPE_SUM_MULTIPLY_MULTIPLY, (A + B) * C * D)                                                                       \
  X(TAPE_DIFFERENCE_MULTIPLY_ADD, (A - B) * C + D)                                                                     \
  X(TAPE_DIFFERENCE_MULTIPLY_SUBTRACT, (A - B) * C - D)                                                                \
  X(TAPE_SUBTRACT_DIFFERENCE_MULTIPLY, D - (A - B) * C)                                                                \
  X(TAPE_DIFFERENCE_MULTIPLY_MULTIPLY, (A - B) * C * D)                                                                \
  X(TAPE_WHEN_LESS, A < B ? C : D)                                                                                     \
  X(TAPE_WHEN_LESS_EQUAL, A <= B ? C : D)
#define TAPE_FORMULAS(X) TAPE_PLAIN_FORMULAS(X) X(TAPE_SIN_COS, picus_sin(A))

#define A registers[next->a]
#define B registers[next->b]
#define C registers[next->c]
#define D registers[next->d]
#define IMMEDIATE next->b
#define TABLES ((const picus_table *const *)tape->tables)
#define EXECUTE(op, formula)                                                                                           \
  case op:                                                                                                             \
    *result = formula;                                                                                                 \
    break;

/* Spares the check of each opcode. */
#if defined __GNUC__
#define IS_NOT_REACHED __builtin_unreachable()
#else
#define IS_NOT_REACHED return
#endif

void picus_tape_execute(const picus_tape *tape, int32_t first, int32_t end, double *registers) {
  const tape_instruction *next = tape->instructions + first, *last = tape->instructions + end;
  double *result = registers + tape->first_result + first;
  for (; next < last; next++, result++) {
    switch (next->op) {
      TAPE_PLAIN_FORMULAS(EXECUTE)
    case TAPE_SIN_COS: /* the bits of sine and cosine */
      picus_sin_cos(A, &result[0], &result[1]);
      next++;
      result++;
      break;
    default:
      IS_NOT_REACHED; /* the compiler of tapes writes no other operation */
    }
  }
}

void picus_tape_fill(const picus_tape *tape, double *registers) {
  picus_tape_execute(tape, 0, tape->first_instruction[tape->stage_count], registers);
}

#define FORMULA(op, formula)                                                                                           \
  case op:                                                                                                             \
    return #formula;

const char *picus_tape_formula(int op) {
  switch (op) { TAPE_FORMULAS(FORMULA) }
  return "";
}

void picus_tape_run(const picus_tape *tape, int stage, double *registers) {
  if (stage >= 0 && stage < tape->stage_count) picus_tape_run_stages(tape, stage, stage, registers);
}

void picus_tape_read(const picus_tape *tape, int stage, const double *registers, double *values) {
  if (stage < 0 || stage >= tape->stage_count) return;
  const picus_tape_range all = {stage, 0, tape->first_output[stage + 1] - tape->first_output[stage]};
  picus_tape_read_range(tape, all, registers, values);
}
