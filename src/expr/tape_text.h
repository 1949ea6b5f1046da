/* The expressions of a tape as text, for messages about a value that is not finite. Nothing is allocated, and the pool
 * of the tape need not exist any more. */
#ifndef PICUS_EXPR_TAPE_TEXT_H
#define PICUS_EXPR_TAPE_TEXT_H

#include <picus/expr.h>

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
