/* Every shipped model with Moreau's midpoint rule against its independent reference solution: the error of the
 * coordinates decays with order 1. */
#include "support/check.h"
#include "support/study.h"

static const study_variant moreau = {.scheme = "moreau"};

#define STUDY(name, ...)                                                                                               \
  static void name(void) {                                                                                             \
    static const study c = {__VA_ARGS__};                                                                              \
    study_run(&c, &moreau);                                                                                            \
  }

STUDY(bouncing_ball, "bouncing-ball", "", "bouncing_ball_ballard.csv", 0.05, 5, 5, {{"q", "q"}}, 1, 5e-3)
STUDY(falling_mass, "falling-mass", "", "falling_point_mass.csv", 0.01, 10, 0.8, {{"z", "z"}}, 4, 1e-4)
STUDY(sliding_mass, "sliding-mass", "", "sliding_point_mass.csv", 0.04, 1, 4, {{"x", "x"}, {"y", "y"}}, 1, 5e-3)
STUDY(impact_oscillator, "impact-oscillator", "", "impact_oscillator.csv", 0.005, 1, 2, {{"x", "x"}}, 1, 1e-3)
STUDY(rocking_block, "rocking-block", "", "rocking_block_paper.csv", 0.01, 1, 2,
      {{"x", "x"}, {"y", "y"}, {"theta", "th"}}, 4, 5e-3)
STUDY(rotating_ball_1, "rotating-ball", "", "rotating_ball_case1.csv", 0.01, 1, 2, {{"y", "y"}}, 1, 5e-3)
STUDY(rotating_ball_2, "rotating-ball", "omega=50,eN=0", "rotating_ball_case2.csv", 0.01, 1, 2,
      {{"x", "x"}, {"y", "y"}, {"phi", "phi"}}, 1, 5e-2)
STUDY(rotating_ball_3, "rotating-ball", "omega=10,eN=0", "rotating_ball_case3.csv", 0.01, 1, 2,
      {{"x", "x"}, {"y", "y"}, {"phi", "phi"}}, 1, 5e-3)
STUDY(ball_in_box, "ball-in-box", "", "bouncing_ball_box_text.csv", 0.01, 1, 2, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)
STUDY(slope_1, "slope", "case=1", "mass_on_slope_case1.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)
STUDY(slope_2, "slope", "case=2", "mass_on_slope_case2.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)
STUDY(slope_3, "slope", "case=3", "mass_on_slope_case3.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)
STUDY(slope_4, "slope", "case=4", "mass_on_slope_case4.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)

/* The symmetric contact of the slider's two corners is unstable; theta3 is compared where it is not yet. */
STUDY(slider_crank, "slider-crank", "", "slider_crank_H15.csv", 1e-3, 10, 0.04,
      {{"theta1", "th1"}, {"theta2", "th2"}, {"theta3", "th3"}}, 10, 2e-3)
STUDY(slider_crank_acary, "slider-crank", "J2=8.9e-4", "slider_crank_A12.csv", 1e-3, 10, 0.04,
      {{"theta1", "th1"}, {"theta2", "th2"}, {"theta3", "th3"}}, 10, 2e-3)
/* Over two revolutions the crank's phase gathers the energy that the scheme loses by h(q_M, u_B): 0.09 % at 1e-6. */
STUDY(slider_crank_bilateral, "slider-crank", "c=0", "slider_crank_bilateral_J2_5.9e-4.csv", 1e-3, 10, 0.135,
      {{"theta1", "th1"}, {"theta2", "th2"}}, 10, 1e-2)
STUDY(slider_crank_bilateral_acary, "slider-crank", "c=0,J2=8.9e-4", "slider_crank_bilateral_J2_8.9e-4.csv", 1e-3, 10,
      0.135, {{"theta1", "th1"}, {"theta2", "th2"}}, 10, 1e-2)
/* Larger steps sink so deep that they lose the ring, as Acary's (2012, Fig. 20) do; see test/unit/acary_models.c. */
STUDY(pendulum_in_ring, "pendulum-in-ring", "", "pendulum_in_ring.csv", 0.01, 1, 1,
      {{"psi", "psi"}, {"phi", "thr"}, {"x", "X"}}, 80, 1e-4)

static void linear_oscillator(void) { study_run_oscillator(&moreau); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"bouncing_ball", bouncing_ball},
      {"falling_mass", falling_mass},
      {"sliding_mass", sliding_mass},
      {"impact_oscillator", impact_oscillator},
      {"linear_oscillator", linear_oscillator},
      {"rocking_block", rocking_block},
      {"rotating_ball_1", rotating_ball_1},
      {"rotating_ball_2", rotating_ball_2},
      {"rotating_ball_3", rotating_ball_3},
      {"ball_in_box", ball_in_box},
      {"slope_1", slope_1},
      {"slope_2", slope_2},
      {"slope_3", slope_3},
      {"slope_4", slope_4},
      {"slider_crank", slider_crank},
      {"slider_crank_acary", slider_crank_acary},
      {"slider_crank_bilateral", slider_crank_bilateral},
      {"slider_crank_bilateral_acary", slider_crank_bilateral_acary},
      {"pendulum_in_ring", pendulum_in_ring},
  };
  return test_main(argc, argv, "order_models", cases, sizeof cases / sizeof cases[0]);
}
