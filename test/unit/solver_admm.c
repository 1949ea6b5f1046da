/* Solver "admm": see solver_any_problem.h for what is asked. */
#include "unit/solver_any_problem.h"

static const solver_under_test solver = {
    .name = "admm", .tolerance = 1e-12, .redundant = 1e-10, .most_unsolved = 0, .most_warm = 90};

static void test_one_contact(void) { one_contact(&solver); }
static void test_block_on_incline(void) { block_on_incline(&solver); }
static void test_laws_without_friction_cone(void) { laws_without_friction_cone(&solver); }
static void test_regular_problems(void) { agrees_on_regular_problems(&solver, 500); }
static void test_unsymmetric_matrices(void) { takes_unsymmetric_matrices(&solver, 200); }
static void test_redundant_contacts(void) { redundant_contacts(&solver, 40); }
static void test_strong_friction(void) { strong_friction(&solver, 300); }
static void test_units(void) { units_do_not_matter(&solver); }
static void test_warm_starts(void) { warm_starts_help(&solver, 200); }
static void test_long_chain(void) { long_chain(&solver); }
static void test_memory(void) { allocates_nothing_after_reserve(&solver); }
static void test_hostile_problems(void) { hostile_problems(&solver); }
static void test_friction_none_and_huge(void) { friction_none_and_huge(&solver); }
static void test_no_solution(void) { no_solution_is_not_solved(&solver); }
static void test_spoilt_starts(void) { spoilt_starts(&solver); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"one_contact", test_one_contact},
      {"block_on_incline", test_block_on_incline},
      {"laws_without_friction_cone", test_laws_without_friction_cone},
      {"regular_problems", test_regular_problems},
      {"unsymmetric_matrices", test_unsymmetric_matrices},
      {"redundant_contacts", test_redundant_contacts},
      {"strong_friction", test_strong_friction},
      {"units", test_units},
      {"warm_starts", test_warm_starts},
      {"long_chain", test_long_chain},
      {"memory", test_memory},
      {"hostile_problems", test_hostile_problems},
      {"friction_none_and_huge", test_friction_none_and_huge},
      {"no_solution", test_no_solution},
      {"spoilt_starts", test_spoilt_starts},
  };
  if (picus_context_create(NULL, &context) != PICUS_OK) return 1;
  int result = test_main(argc, argv, "solver_admm", cases, (int)(sizeof cases / sizeof *cases));
  picus_context_destroy(context);
  return result;
}
