/* Execution of tapes. */
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

/* The values that the instruction refers to. */
#define A registers[next->a]
#define B registers[next->b]
#define C registers[next->c]
#define D registers[next->d]

void picus_tape_run(const picus_tape *tape, int stage, double *registers) {
  const tape_instruction *next = tape->instructions + tape->first_instruction[stage];
  const tape_instruction *end = tape->instructions + tape->first_instruction[stage + 1];
  double *result = registers + tape->first_result + tape->first_instruction[stage];
  for (; next < end; next++, result++) {
    switch (next->op) {
    case PICUS_NEGATE:
      *result = -A;
      break;
    case PICUS_SQRT:
      *result = sqrt(A);
      break;
    case PICUS_EXP:
      *result = exp(A);
      break;
    case PICUS_LOG:
      *result = log(A);
      break;
    case PICUS_SIN:
      *result = sin(A);
      break;
    case PICUS_COS:
      *result = cos(A);
      break;
    case PICUS_TAN:
      *result = tan(A);
      break;
    case PICUS_ASIN:
      *result = asin(A);
      break;
    case PICUS_ACOS:
      *result = acos(A);
      break;
    case PICUS_ATAN:
      *result = atan(A);
      break;
    case PICUS_SINH:
      *result = sinh(A);
      break;
    case PICUS_COSH:
      *result = cosh(A);
      break;
    case PICUS_TANH:
      *result = tanh(A);
      break;
    case PICUS_ABS:
      *result = fabs(A);
      break;
    case PICUS_SIGN:
      *result = (A > 0) - (A < 0);
      break;
    case PICUS_NOT:
      *result = A == 0;
      break;
    case PICUS_ADD:
      *result = A + B;
      break;
    case PICUS_SUBTRACT:
      *result = A - B;
      break;
    case PICUS_MULTIPLY:
      *result = A * B;
      break;
    case PICUS_DIVIDE:
      *result = A / B;
      break;
    case PICUS_POWER:
      *result = picus_apply(PICUS_POWER, A, B, 0);
      break;
    case PICUS_ATAN2:
      *result = atan2(A, B);
      break;
    case PICUS_MIN:
      *result = B < A ? B : A;
      break;
    case PICUS_MAX:
      *result = A < B ? B : A;
      break;
    case PICUS_LESS:
      *result = A < B;
      break;
    case PICUS_LESS_EQUAL:
      *result = A <= B;
      break;
    case PICUS_EQUAL:
      *result = A == B;
      break;
    case PICUS_AND:
      *result = A != 0 && B != 0;
      break;
    case PICUS_OR:
      *result = A != 0 || B != 0;
      break;
    case PICUS_WHEN:
      *result = A != 0 ? B : C;
      break;
    case TAPE_INTEGER_POWER:
      *result = picus_integer_power(A, next->b);
      break;
    case TAPE_HALF_POWER:
      *result = picus_integer_power(A, next->b) * sqrt(A);
      break;
    case TAPE_CUBE:
      *result = A * (A * A);
      break;
    case TAPE_MULTIPLY_ADD:
      *result = A * B + C;
      break;
    case TAPE_MULTIPLY_SUBTRACT:
      *result = A * B - C;
      break;
    case TAPE_SUBTRACT_MULTIPLY:
      *result = C - A * B;
      break;
    case TAPE_MULTIPLY_MULTIPLY:
      *result = A * B * C;
      break;
    case TAPE_MULTIPLY_ADD_MULTIPLY:
      *result = A * B + C * D;
      break;
    case TAPE_MULTIPLY_SUBTRACT_MULTIPLY:
      *result = A * B - C * D;
      break;
    case TAPE_SUM_MULTIPLY:
      *result = (A + B) * C;
      break;
    case TAPE_DIFFERENCE_MULTIPLY:
      *result = (A - B) * C;
      break;
    case TAPE_NEGATE_MULTIPLY:
      *result = -(A * B);
      break;
    case TAPE_SUM_ADD:
      *result = A + B + C;
      break;
    case TAPE_DIFFERENCE_ADD:
      *result = A - B + C;
      break;
    case TAPE_SUM_SUBTRACT:
      *result = A + B - C;
      break;
    case TAPE_DIFFERENCE_SUBTRACT:
      *result = A - B - C;
      break;
    case TAPE_PRODUCT_MULTIPLY_ADD:
      *result = A * B * C + D;
      break;
    case TAPE_PRODUCT_MULTIPLY_SUBTRACT:
      *result = A * B * C - D;
      break;
    case TAPE_SUBTRACT_PRODUCT_MULTIPLY:
      *result = D - A * B * C;
      break;
    case TAPE_PRODUCT_MULTIPLY_MULTIPLY:
      *result = A * B * C * D;
      break;
    case TAPE_SUM_MULTIPLY_ADD:
      *result = (A + B) * C + D;
      break;
    case TAPE_SUM_MULTIPLY_SUBTRACT:
      *result = (A + B) * C - D;
      break;
    case TAPE_SUBTRACT_SUM_MULTIPLY:
      *result = D - (A + B) * C;
      break;
    case TAPE_SUM_MULTIPLY_MULTIPLY:
      *result = (A + B) * C * D;
      break;
    case TAPE_DIFFERENCE_MULTIPLY_ADD:
      *result = (A - B) * C + D;
      break;
    case TAPE_DIFFERENCE_MULTIPLY_SUBTRACT:
      *result = (A - B) * C - D;
      break;
    case TAPE_SUBTRACT_DIFFERENCE_MULTIPLY:
      *result = D - (A - B) * C;
      break;
    case TAPE_DIFFERENCE_MULTIPLY_MULTIPLY:
      *result = (A - B) * C * D;
      break;
    case TAPE_WHEN_LESS:
      *result = A < B ? C : D;
      break;
    case TAPE_WHEN_LESS_EQUAL:
      *result = A <= B ? C : D;
      break;
    default:
      break;
    }
  }
}

#undef A
#undef B
#undef C
#undef D

void picus_tape_read(const picus_tape *tape, int stage, const double *registers, double *values) {
  const int32_t *output = tape->output_register + tape->first_output[stage];
  const int32_t *end = tape->output_register + tape->first_output[stage + 1];
  while (output < end) *values++ = registers[*output++];
}
