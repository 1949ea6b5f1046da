/* Tapes as C. Values that only the same function reads are variables; all others are in the registers. Constants stay
 * in the registers too: the text, and so the shared object, is the same for all values of parameters. */
#include "native/internal.h"

#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 512 };

void picus_native_write(native_text *text, const char *format, ...) {
  va_list arguments;
  if (text->capacity - text->length < LINE_SIZE && !text->failed) {
    const size_t larger = text->capacity ? 2 * text->capacity : 1 << 16;
    char *bytes = picus_reallocate(text->context, text->bytes, larger, 1);
    text->failed = !bytes;
    if (bytes) {
      text->bytes = bytes;
      text->capacity = larger;
    }
  }
  if (text->failed) return;
  va_start(arguments, format);
  const int length = vsnprintf(text->bytes + text->length, LINE_SIZE, format, arguments);
  va_end(arguments);
  if (length < 0 || length >= LINE_SIZE)
    text->failed = true;
  else
    text->length += (size_t)length;
}

int picus_native_function_count(const picus_tape *tape, int stage) {
  const int count = tape->first_instruction[stage + 1] - tape->first_instruction[stage];
  return (count + NATIVE_FUNCTION_LENGTH - 1) / NATIVE_FUNCTION_LENGTH;
}

/* The functions that the code calls, in the order of native_calls (native.c); a square root and an absolute value are
 * instructions. A power by multiplications is that of expr/operations.c. */
static void write_head(native_text *text) {
  picus_native_write(text, "#if defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0\n"
                           "#error \"numbers are rounded differently\"\n#endif\n"
                           "typedef double one(double);\ntypedef double two(double, double);\n"
                           "struct calls { one *exp, *ln, *sin, *cos, *tan, *asin, *acos, *atan, *sinh, *cosh, *tanh; "
                           "two *atan2, *power; double (*table)(const void *, double, double, double); "
                           "const void *tables; };\n");
  static const char *const names[] = {"exp", "ln", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    picus_native_write(text, "#define picus_%s(x) f->%s(x)\n", names[i], names[i]);
  picus_native_write(text, "#define picus_atan2(x, y) f->atan2(x, y)\n#define picus_apply(op, a, b, c) f->power(a, b)\n"
                           "#define picus_table_at(t, x, zone, code) f->table(f->tables, x, zone, code)\n"
                           "#define sqrt(x) __builtin_sqrt(x)\n#define fabs(x) __builtin_fabs(x)\n");
  picus_native_write(text, "static inline double picus_integer_power(double base, int exponent) {\n"
                           "  double square = base, result = 1;\n"
                           "  for (unsigned left = exponent < 0 ? -exponent : exponent; left; left >>= 1) {\n"
                           "    if (left & 1) result *= square;\n    if (left > 1) square *= square;\n  }\n"
                           "  return exponent < 0 ? 1 / result : result;\n}\n");
}

static void write_operations(native_text *text, int tape_count, picus_tape *const *tapes) {
  bool used[TAPE_OP_COUNT] = {false};
  for (int t = 0; t < tape_count; t++)
    for (int32_t k = 0; tapes[t] && k < tapes[t]->first_instruction[tapes[t]->stage_count]; k++)
      used[tapes[t]->instructions[k].op] = true;
  for (int op = 0; op < TAPE_OP_COUNT; op++)
    if (used[op]) picus_native_write(text, "#define P%d(A, B, C, D, IMMEDIATE) (%s)\n", op, picus_tape_formula(op));
}

/* --- one tape ---------------------------------------------------------------------------------------------------- */

typedef struct native_tape {
  native_text *text;
  const picus_tape *tape;
  bool *stored;       /* of each instruction: somebody else reads its result */
  int32_t first, end; /* instructions of the function */
} native_tape;

static void note_operand(native_tape *with, int32_t at) {
  const int32_t k = at - with->tape->first_result;
  if (k >= 0 && k < with->first) with->stored[k] = true;
}

/* Calls what for each function of the tape. */
static void for_functions(native_tape *with, void (*what)(native_tape *with)) {
  const picus_tape *tape = with->tape;
  for (int s = 0; s < tape->stage_count; s++)
    for (int c = 0; c < picus_native_function_count(tape, s); c++) {
      const int32_t last = tape->first_instruction[s + 1];
      with->first = tape->first_instruction[s] + c * NATIVE_FUNCTION_LENGTH;
      with->end = last - with->first > NATIVE_FUNCTION_LENGTH ? with->first + NATIVE_FUNCTION_LENGTH : last;
      what(with);
    }
}

static void note_operands(native_tape *with) {
  for (int32_t k = with->first; k < with->end; k++) {
    const tape_instruction *next = &with->tape->instructions[k];
    note_operand(with, next->a);
    note_operand(with, next->b);
    note_operand(with, next->c);
    note_operand(with, next->d);
  }
}

static void note_outputs(native_tape *with) {
  const picus_tape *tape = with->tape;
  for (int32_t i = 0; i < tape->first_output[tape->stage_count]; i++) {
    const int32_t k = tape->output_register[i] - tape->first_result;
    if (k >= 0) with->stored[k] = true;
  }
}

static void write_operand(const native_tape *with, int32_t at) {
  const int32_t k = at - with->tape->first_result;
  if (k >= with->first && k < with->end)
    picus_native_write(with->text, "t%d, ", (int)k);
  else
    picus_native_write(with->text, "r[%d], ", (int)at);
}

static void write_function(native_tape *with) {
  native_text *text = with->text;
  picus_native_write(text, "static void f%zu(double *restrict r, const struct calls *f) {\n", text->functions++);
  for (int32_t k = with->first; k < with->end; k++) {
    const tape_instruction *next = &with->tape->instructions[k];
    picus_native_write(text, "double t%d = P%d(", (int)k, (int)next->op);
    write_operand(with, next->a);
    write_operand(with, next->b);
    write_operand(with, next->c);
    write_operand(with, next->d);
    picus_native_write(text, "%d);", (int)next->b);
    if (with->stored[k]) picus_native_write(text, " r[%d] = t%d;", (int)(with->tape->first_result + k), (int)k);
    picus_native_write(text, "\n");
  }
  picus_native_write(text, "}\n");
}

static void write_tape(native_text *text, const picus_tape *tape) {
  const size_t count = (size_t)tape->first_instruction[tape->stage_count];
  native_tape with = {.text = text, .tape = tape, .stored = picus_allocate(text->context, count, sizeof(bool))};
  if (with.stored) {
    note_outputs(&with);
    for_functions(&with, note_operands);
    for_functions(&with, write_function);
  } else
    text->failed = true;
  picus_release(text->context, with.stored);
}

void picus_native_write_tapes(native_text *text, int tape_count, picus_tape *const *tapes) {
  write_head(text);
  write_operations(text, tape_count, tapes);
  for (int t = 0; t < tape_count; t++)
    if (tapes[t]) write_tape(text, tapes[t]);
  picus_native_write(text, "typedef void function(double *restrict, const struct calls *);\n"
                           "function *const picus_native_functions[] = {\n");
  for (size_t k = 0; k < text->functions; k++) picus_native_write(text, "f%zu,\n", k);
  picus_native_write(text, "0};\n");
}
