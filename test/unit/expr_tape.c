/* Tapes: same values as the plain evaluation, bit by bit; stages; sharing; no allocation while running. */
#include "expr_support.h"

#include <math.h>

static void stages_share_what_they_have_in_common(void) {
  formulas f = formulas_open("x y");
  picus_expr first[] = {read_formula(f.pool, "sin(x)*y"), read_formula(f.pool, "3"), read_formula(f.pool, "y")};
  picus_expr second[] = {read_formula(f.pool, "sin(x) + cos(y)"), read_formula(f.pool, "sin(x)*y")};
  picus_tape_stage stages[] = {{3, first}, {2, second}};
  picus_tape *tape;
  REQUIRE(picus_tape_create(f.pool, 2, stages, &tape) == PICUS_OK);
  CHECK(picus_tape_operation_count(tape, 0) == 2);
  CHECK(picus_tape_operation_count(tape, 1) == 2);
  double registers[16], values[3];
  REQUIRE(picus_tape_register_count(tape) == 2 + 1 + 4);
  picus_pool_destroy(f.pool);
  picus_tape_prepare(tape, registers);
  registers[0] = 0.3;
  registers[1] = 0.7;
  picus_tape_run(tape, 0, registers);
  picus_tape_read(tape, 0, registers, values);
  CHECK(values[0] == sin(0.3) * 0.7 && values[1] == 3 && values[2] == 0.7);
  picus_tape_run(tape, 1, registers);
  picus_tape_read(tape, 1, registers, values);
  CHECK(values[0] == sin(0.3) + cos(0.7) && values[1] == sin(0.3) * 0.7);
  picus_tape_destroy(tape);
  f.pool = NULL;
  formulas_close(f);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"stages_share_what_they_have_in_common", stages_share_what_they_have_in_common},
  };
  return test_main(argc, argv, "expr_tape", cases, sizeof cases / sizeof *cases);
}
