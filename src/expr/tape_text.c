/* Tapes read backwards: from a register to the formula that fills it. */

#include "expr/tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How tightly an operation binds, loosest first. */
enum { BINDS_LOOSELY, BINDS_ADD, BINDS_MULTIPLY, BINDS_POWER, BINDS_ATOM };
enum { DEEPEST = 48 }; /* nesting depth; a deeper expression does not fit into a message */

typedef struct operation_text {
  int op, binds;
  const char *text;
} operation_text;

/* In a text, a digit and a letter denote an operand: the precedence it needs to appear without parentheses, and its
 * index. "#" is an immediate exponent, "%" one that is larger by a half. */
static const operation_text operations[] = {
    {PICUS_NEGATE, BINDS_ADD, "-2a"},
    {PICUS_SQRT, BINDS_ATOM, "sqrt(0a)"},
    {PICUS_EXP, BINDS_ATOM, "exp(0a)"},
    {PICUS_LOG, BINDS_ATOM, "log(0a)"},
    {PICUS_SIN, BINDS_ATOM, "sin(0a)"},
    {PICUS_COS, BINDS_ATOM, "cos(0a)"},
    {PICUS_TAN, BINDS_ATOM, "tan(0a)"},
    {PICUS_ASIN, BINDS_ATOM, "asin(0a)"},
    {PICUS_ACOS, BINDS_ATOM, "acos(0a)"},
    {PICUS_ATAN, BINDS_ATOM, "atan(0a)"},
    {PICUS_SINH, BINDS_ATOM, "sinh(0a)"},
    {PICUS_COSH, BINDS_ATOM, "cosh(0a)"},
    {PICUS_TANH, BINDS_ATOM, "tanh(0a)"},
    {PICUS_ABS, BINDS_ATOM, "abs(0a)"},
    {PICUS_SIGN, BINDS_ATOM, "sign(0a)"},
    {PICUS_NOT, BINDS_LOOSELY, "not 4a"},
    {PICUS_ADD, BINDS_ADD, "1a + 1b"},
    {PICUS_SUBTRACT, BINDS_ADD, "1a - 2b"},
    {PICUS_MULTIPLY, BINDS_MULTIPLY, "2a*3b"},
    {PICUS_DIVIDE, BINDS_MULTIPLY, "2a/3b"},
    {PICUS_POWER, BINDS_POWER, "4a^4b"},
    {PICUS_ATAN2, BINDS_ATOM, "atan2(0a, 0b)"},
    {PICUS_MIN, BINDS_ATOM, "min(0a, 0b)"},
    {PICUS_MAX, BINDS_ATOM, "max(0a, 0b)"},
    {PICUS_LESS, BINDS_LOOSELY, "1a < 1b"},
    {PICUS_LESS_EQUAL, BINDS_LOOSELY, "1a <= 1b"},
    {PICUS_EQUAL, BINDS_LOOSELY, "1a == 1b"},
    {PICUS_AND, BINDS_LOOSELY, "1a and 1b"},
    {PICUS_OR, BINDS_LOOSELY, "1a or 1b"},
    {PICUS_WHEN, BINDS_ATOM, "when(0a, 0b, 0c)"},
    {PICUS_TABLE, BINDS_ATOM, "table(0a)"},
    {TAPE_INTEGER_POWER, BINDS_POWER, "4a^#"},
    {TAPE_HALF_POWER, BINDS_POWER, "4a^%"},
    {TAPE_CUBE, BINDS_POWER, "4a^3"},
    {TAPE_MULTIPLY_ADD, BINDS_ADD, "2a*3b + 1c"},
    {TAPE_MULTIPLY_SUBTRACT, BINDS_ADD, "2a*3b - 2c"},
    {TAPE_SUBTRACT_MULTIPLY, BINDS_ADD, "1c - 2a*3b"},
    {TAPE_MULTIPLY_MULTIPLY, BINDS_MULTIPLY, "2a*3b*3c"},
    {TAPE_MULTIPLY_ADD_MULTIPLY, BINDS_ADD, "2a*3b + 2c*3d"},
    {TAPE_MULTIPLY_SUBTRACT_MULTIPLY, BINDS_ADD, "2a*3b - 2c*3d"},
    {TAPE_SUM_MULTIPLY, BINDS_MULTIPLY, "(1a + 1b)*3c"},
    {TAPE_DIFFERENCE_MULTIPLY, BINDS_MULTIPLY, "(1a - 2b)*3c"},
    {TAPE_NEGATE_MULTIPLY, BINDS_ADD, "-2a*3b"},
    {TAPE_SUM_ADD, BINDS_ADD, "1a + 1b + 1c"},
    {TAPE_DIFFERENCE_ADD, BINDS_ADD, "1a - 2b + 1c"},
    {TAPE_SUM_SUBTRACT, BINDS_ADD, "1a + 1b - 2c"},
    {TAPE_DIFFERENCE_SUBTRACT, BINDS_ADD, "1a - 2b - 2c"},
    {TAPE_PRODUCT_MULTIPLY_ADD, BINDS_ADD, "2a*3b*3c + 1d"},
    {TAPE_PRODUCT_MULTIPLY_SUBTRACT, BINDS_ADD, "2a*3b*3c - 2d"},
    {TAPE_SUBTRACT_PRODUCT_MULTIPLY, BINDS_ADD, "1d - 2a*3b*3c"},
    {TAPE_PRODUCT_MULTIPLY_MULTIPLY, BINDS_MULTIPLY, "2a*3b*3c*3d"},
    {TAPE_SUM_MULTIPLY_ADD, BINDS_ADD, "(1a + 1b)*3c + 1d"},
    {TAPE_SUM_MULTIPLY_SUBTRACT, BINDS_ADD, "(1a + 1b)*3c - 2d"},
    {TAPE_SUBTRACT_SUM_MULTIPLY, BINDS_ADD, "1d - (1a + 1b)*3c"},
    {TAPE_SUM_MULTIPLY_MULTIPLY, BINDS_MULTIPLY, "(1a + 1b)*3c*3d"},
    {TAPE_DIFFERENCE_MULTIPLY_ADD, BINDS_ADD, "(1a - 2b)*3c + 1d"},
    {TAPE_DIFFERENCE_MULTIPLY_SUBTRACT, BINDS_ADD, "(1a - 2b)*3c - 2d"},
    {TAPE_SUBTRACT_DIFFERENCE_MULTIPLY, BINDS_ADD, "1d - (1a - 2b)*3c"},
    {TAPE_DIFFERENCE_MULTIPLY_MULTIPLY, BINDS_MULTIPLY, "(1a - 2b)*3c*3d"},
    {TAPE_WHEN_LESS, BINDS_ATOM, "when(1a < 1b, 0c, 0d)"},
    {TAPE_WHEN_LESS_EQUAL, BINDS_ATOM, "when(1a <= 1b, 0c, 0d)"},
    {TAPE_SIN_COS, BINDS_ATOM, "sin(0a)"},
};

static const operation_text *find_operation(int op) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (operations[i].op == op) return &operations[i];
  return NULL;
}

static const tape_instruction *instruction_at(const picus_tape *tape, int at) {
  return at < tape->first_result ? NULL : &tape->instructions[at - tape->first_result];
}

static bool is_operand(const char *text) {
  return text[0] >= '0' && text[0] <= '4' && text[1] >= 'a' && text[1] <= 'd';
}

static int operand(const tape_instruction *instruction, char letter) {
  switch (letter) {
  case 'a':
    return instruction->a;
  case 'b':
    return instruction->b;
  case 'c':
    return instruction->c;
  default:
    return instruction->d;
  }
}

int picus_tape_output(const picus_tape *tape, int stage, int output) {
  return tape->output_register[tape->first_output[stage] + output];
}

/* --- the culprit -------------------------------------------------------------------------------------------------- */

/* The branch that a choice has taken; -1: the operation is not a choice. */
static int taken_branch(const tape_instruction *i, const double *registers) {
  switch (i->op) {
  case PICUS_WHEN:
    return registers[i->a] != 0 ? i->b : i->c;
  case TAPE_WHEN_LESS:
    return registers[i->a] < registers[i->b] ? i->c : i->d;
  case TAPE_WHEN_LESS_EQUAL:
    return registers[i->a] <= registers[i->b] ? i->c : i->d;
  default:
    return -1;
  }
}

static int operand_that_is_not_finite(const tape_instruction *instruction, const double *registers) {
  int taken = taken_branch(instruction, registers);
  if (taken >= 0) return isfinite(registers[taken]) ? -1 : taken;
  const operation_text *operation = find_operation(instruction->op);
  for (const char *c = operation ? operation->text : ""; *c; c++)
    if (is_operand(c) && !isfinite(registers[operand(instruction, c[1])])) return operand(instruction, c[1]);
  return -1;
}

int picus_tape_culprit(const picus_tape_view *view, int at) {
  for (const tape_instruction *i; (i = instruction_at(view->tape, at));) {
    int next = operand_that_is_not_finite(i, view->registers);
    if (next < 0) break;
    at = next;
  }
  return at;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

typedef struct writer {
  char *buffer;
  size_t size, length;
  bool full;
} writer;

static void put(writer *to, const char *text, size_t count) {
  for (size_t i = 0; i < count; i++) {
    to->full = to->full || to->length + 1 >= to->size;
    if (to->full) return;
    to->buffer[to->length++] = text[i];
  }
}

static void put_number(writer *to, double value) {
  char text[PICUS_NUMBER_TEXT_SIZE];
  snprintf(text, sizeof text, "%.6g", value);
  put(to, text, strlen(text));
}

/* A constant: x + -3 is written x - 3. */
static void put_constant(writer *to, double value, int binds) {
  const bool after_plus = to->length >= 2 && memcmp(to->buffer + to->length - 2, "+ ", 2) == 0;
  const bool enclose = value < 0 && binds > BINDS_ADD;
  if (value < 0 && after_plus && !enclose) {
    to->buffer[to->length - 2] = '-';
    value = -value;
  }
  if (enclose) put(to, "(", 1);
  put_number(to, value);
  if (enclose) put(to, ")", 1);
}

static void finish(writer *to) {
  if (to->size == 0) return;
  to->buffer[to->length] = '\0';
  if (to->full && to->size > 4) memcpy(to->buffer + to->size - 4, "...", 4);
}

static void put_register(const picus_tape_view *view, int at, int binds, int depth, writer *to);

/* An operation; values: its operands as numbers instead of formulas. */
static void put_operation(const picus_tape_view *view, const tape_instruction *instruction, bool values, int depth,
                          writer *to) {
  const operation_text *operation = find_operation(instruction->op);
  for (const char *c = operation ? operation->text : "?"; *c; c++) {
    if (is_operand(c)) {
      int at = operand(instruction, c[1]);
      if (values)
        put_number(to, view->registers[at]);
      else
        put_register(view, at, *c - '0', depth, to);
      c++;
    } else if (*c == '#' || *c == '%') {
      put_number(to, instruction->b + (*c == '%' ? 0.5 : 0));
    } else {
      put(to, c, 1);
    }
  }
}

static bool is_hidden(const picus_tape_view *view, int at) {
  return at < view->tape->variable_count && !view->name(view->user, at);
}

static void put_register(const picus_tape_view *view, int at, int binds, int depth, writer *to) {
  const picus_tape *tape = view->tape;
  const tape_instruction *instruction = instruction_at(tape, at);
  if (to->full) return;
  if (at < tape->variable_count) {
    const char *name = view->name(view->user, at);
    put(to, name ? name : "...", strlen(name ? name : "..."));
  } else if (instruction && instruction->op == PICUS_WHEN && is_hidden(view, instruction->a)) {
    put_register(view, instruction->c, binds, depth, to);
  } else if (!instruction) {
    put_constant(to, view->registers[at], binds);
  } else if (depth >= DEEPEST) {
    put(to, "...", 3);
  } else {
    const operation_text *operation = find_operation(instruction->op);
    bool enclose = operation && operation->binds < binds;
    if (enclose) put(to, "(", 1);
    put_operation(view, instruction, false, depth + 1, to);
    if (enclose) put(to, ")", 1);
  }
}

void picus_tape_text(const picus_tape_view *view, int at, char *buffer, size_t size) {
  writer to = {.buffer = buffer, .size = size};
  put_register(view, at, BINDS_LOOSELY, 0, &to);
  finish(&to);
}

void picus_tape_operation_text(const picus_tape_view *view, int at, char *buffer, size_t size) {
  writer to = {.buffer = buffer, .size = size};
  const tape_instruction *instruction = instruction_at(view->tape, at);
  if (instruction) put_operation(view, instruction, true, 0, &to);
  finish(&to);
}
