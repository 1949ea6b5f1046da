/* One second of the woodpecker, seven periods with 84 switching points, to a known accuracy; by both bases. */
#define _POSIX_C_SOURCE 200809L
#include "reference_truth.h"

static const truth woodpecker = {
    .model = "woodpecker",
    .overrides = "",
    .table = "woodpecker_A_1ms.csv",
    .pairs = {{"y", "y"}, {"phiM", "phiM"}, {"phiS", "phiS"}, {"v", "v"}, {"omegaM", "omM"}, {"omegaS", "omS"}},
    .t_end = 1,
    .sample = 1e-3,
    .table_accuracy = 1e-11,
    .time_table = "woodpecker_A_switching.csv"};

/* Differences fall by 10 from attempt to attempt, as dt_min does, down to 5e-15 s. There the rounding of t takes over:
 * the estimate is 2.4e-10, the true error 1.1e-10. Less than that cannot be promised, so that 2e-10 would be luck. */
static void woodpecker_to_ten_digits(void) {
  truth is = woodpecker;
  is.accuracy = 1e-8;
  truth_check(&is);
  is.accuracy = 5e-10;
  truth_check(&is);
}

/* From a start without penetration, as rattle corrects that of the paper. */
static void woodpecker_by_rattle(void) {
  truth is = woodpecker;
  is.overrides = "phiM0=-0.10344827586206896";
  is.scheme = "rattle";
  is.table = "woodpecker_B_1ms.csv";
  is.time_table = NULL;
  is.accuracy = 1e-9;
  truth_check(&is);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"woodpecker_to_ten_digits", woodpecker_to_ten_digits},
      {"woodpecker_by_rattle", woodpecker_by_rattle},
  };
  int code = test_main(argc, argv, "slow_reference", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
