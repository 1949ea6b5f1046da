/* Solver "admm": see solver_any_problem.h for what is asked. */
#include "unit/solver_any_problem.h"

static const solver_under_test solver = {
    .name = "admm", .tolerance = 1e-12, .redundant = 1e-10, .most_unsolved = 0, .most_warm = 90};

int main(int argc, char **argv) { return test_any_problem(argc, argv, "solver_admm", &solver); }
