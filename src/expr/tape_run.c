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

void picus_tape_run(const picus_tape *tape, int stage, double *registers) {
  const tape_instruction *next = tape->instructions + tape->first_instruction[stage];
  const tape_instruction *end = tape->instructions + tape->first_instruction[stage + 1];
  double *result = registers + tape->first_result + tape->first_instruction[stage];
  const double *r = registers;
  for (; next < end; next++, result++) {
    const tape_instruction i = *next;
    switch (i.op) {
    case PICUS_NEGATE:
      *result = -r[i.a];
      break;
    case PICUS_SQRT:
      *result = sqrt(r[i.a]);
      break;
    case PICUS_EXP:
      *result = exp(r[i.a]);
      break;
    case PICUS_LOG:
      *result = log(r[i.a]);
      break;
    case PICUS_SIN:
      *result = sin(r[i.a]);
      break;
    case PICUS_COS:
      *result = cos(r[i.a]);
      break;
    case PICUS_TAN:
      *result = tan(r[i.a]);
      break;
    case PICUS_ASIN:
      *result = asin(r[i.a]);
      break;
    case PICUS_ACOS:
      *result = acos(r[i.a]);
      break;
    case PICUS_ATAN:
      *result = atan(r[i.a]);
      break;
    case PICUS_SINH:
      *result = sinh(r[i.a]);
      break;
    case PICUS_COSH:
      *result = cosh(r[i.a]);
      break;
    case PICUS_TANH:
      *result = tanh(r[i.a]);
      break;
    case PICUS_ABS:
      *result = fabs(r[i.a]);
      break;
    case PICUS_SIGN:
      *result = (r[i.a] > 0) - (r[i.a] < 0);
      break;
    case PICUS_NOT:
      *result = r[i.a] == 0;
      break;
    case PICUS_ADD:
      *result = r[i.a] + r[i.b];
      break;
    case PICUS_SUBTRACT:
      *result = r[i.a] - r[i.b];
      break;
    case PICUS_MULTIPLY:
      *result = r[i.a] * r[i.b];
      break;
    case PICUS_DIVIDE:
      *result = r[i.a] / r[i.b];
      break;
    case PICUS_POWER:
      *result = picus_apply(PICUS_POWER, r[i.a], r[i.b], 0);
      break;
    case PICUS_ATAN2:
      *result = atan2(r[i.a], r[i.b]);
      break;
    case PICUS_MIN:
      *result = r[i.b] < r[i.a] ? r[i.b] : r[i.a];
      break;
    case PICUS_MAX:
      *result = r[i.a] < r[i.b] ? r[i.b] : r[i.a];
      break;
    case PICUS_LESS:
      *result = r[i.a] < r[i.b];
      break;
    case PICUS_LESS_EQUAL:
      *result = r[i.a] <= r[i.b];
      break;
    case PICUS_EQUAL:
      *result = r[i.a] == r[i.b];
      break;
    case PICUS_AND:
      *result = r[i.a] != 0 && r[i.b] != 0;
      break;
    case PICUS_OR:
      *result = r[i.a] != 0 || r[i.b] != 0;
      break;
    case PICUS_WHEN:
      *result = r[i.a] != 0 ? r[i.b] : r[i.c];
      break;
    case TAPE_INTEGER_POWER:
      *result = picus_integer_power(r[i.a], i.b);
      break;
    case TAPE_HALF_POWER:
      *result = picus_integer_power(r[i.a], i.b) * sqrt(r[i.a]);
      break;
    case TAPE_CUBE:
      *result = r[i.a] * (r[i.a] * r[i.a]);
      break;
    case TAPE_MULTIPLY_ADD:
      *result = r[i.a] * r[i.b] + r[i.c];
      break;
    case TAPE_MULTIPLY_SUBTRACT:
      *result = r[i.a] * r[i.b] - r[i.c];
      break;
    case TAPE_SUBTRACT_MULTIPLY:
      *result = r[i.c] - r[i.a] * r[i.b];
      break;
    case TAPE_MULTIPLY_ADD_MULTIPLY:
      *result = r[i.a] * r[i.b] + r[i.c] * r[i.d];
      break;
    case TAPE_MULTIPLY_SUBTRACT_MULTIPLY:
      *result = r[i.a] * r[i.b] - r[i.c] * r[i.d];
      break;
    case TAPE_MULTIPLY_MULTIPLY:
      *result = r[i.a] * r[i.b] * r[i.c];
      break;
    case TAPE_ADD_MULTIPLY:
      *result = (r[i.a] + r[i.b]) * r[i.c];
      break;
    case TAPE_DIFFERENCE_MULTIPLY:
      *result = (r[i.a] - r[i.b]) * r[i.c];
      break;
    case TAPE_NEGATE_MULTIPLY:
      *result = -(r[i.a] * r[i.b]);
      break;
    case TAPE_ADD_ADD:
      *result = r[i.a] + r[i.b] + r[i.c];
      break;
    case TAPE_DIFFERENCE_ADD:
      *result = r[i.a] - r[i.b] + r[i.c];
      break;
    case TAPE_ADD_SUBTRACT:
      *result = r[i.a] + r[i.b] - r[i.c];
      break;
    case TAPE_DIFFERENCE_SUBTRACT:
      *result = r[i.a] - r[i.b] - r[i.c];
      break;
    case TAPE_WHEN_LESS:
      *result = r[i.a] < r[i.b] ? r[i.c] : r[i.d];
      break;
    case TAPE_WHEN_LESS_EQUAL:
      *result = r[i.a] <= r[i.b] ? r[i.c] : r[i.d];
      break;
    default:
      break;
    }
  }
}

void picus_tape_read(const picus_tape *tape, int stage, const double *registers, double *values) {
  const int32_t *output = tape->output_register + tape->first_output[stage];
  const int32_t *end = tape->output_register + tape->first_output[stage + 1];
  while (output < end) *values++ = registers[*output++];
}
