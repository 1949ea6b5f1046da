/* The shipped models with an independent reference solution each: name, model, parameters, file, spacing of the
 * compared rows, rows of the file per sample, end, columns, steps per sample of the largest step, error allowed at the
 * finest.
 *
 * The symmetric contact of the slider's two corners is unstable; theta3 is compared where it is not yet. Over two
 * revolutions of the bilateral crank its phase gathers the energy that moreau loses by h(q_M, u_B): 0.09 % at 1e-6.
 * Larger steps sink so deep that they lose the ring, as Acary's (2012, Fig. 20) do; see test/unit/acary_models.c. */
#ifndef PICUS_TEST_MODEL_STUDIES_H
#define PICUS_TEST_MODEL_STUDIES_H
#define MODEL_STUDIES(X)                                                                                               \
  X(bouncing_ball, "bouncing-ball", "", "bouncing_ball_ballard.csv", 0.05, 1, 5, {{"q", "q"}}, 1, 5e-3)                \
  X(falling_mass, "falling-mass", "", "falling_point_mass.csv", 0.01, 10, 0.8, {{"z", "z"}}, 4, 1e-4)                  \
  X(sliding_mass, "sliding-mass", "", "sliding_point_mass.csv", 0.04, 1, 4, {{"x", "x"}, {"y", "y"}}, 1, 5e-3)         \
  X(impact_oscillator, "impact-oscillator", "", "impact_oscillator.csv", 0.005, 1, 2, {{"x", "x"}}, 1, 1e-3)           \
  X(rocking_block, "rocking-block", "", "rocking_block_paper.csv", 0.01, 1, 2,                                         \
    {{"x", "x"}, {"y", "y"}, {"theta", "th"}}, 4, 5e-3)                                                                \
  X(rotating_ball_1, "rotating-ball", "", "rotating_ball_case1.csv", 0.01, 1, 2, {{"y", "y"}}, 1, 5e-3)                \
  X(rotating_ball_2, "rotating-ball", "omega=50,eN=0", "rotating_ball_case2.csv", 0.01, 1, 2,                          \
    {{"x", "x"}, {"y", "y"}, {"phi", "phi"}}, 1, 5e-2)                                                                 \
  X(rotating_ball_3, "rotating-ball", "omega=10,eN=0", "rotating_ball_case3.csv", 0.01, 1, 2,                          \
    {{"x", "x"}, {"y", "y"}, {"phi", "phi"}}, 1, 5e-3)                                                                 \
  X(ball_in_box, "ball-in-box", "", "bouncing_ball_box_text.csv", 0.01, 1, 2, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)       \
  X(slope_1, "slope", "case=1", "mass_on_slope_case1.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)       \
  X(slope_2, "slope", "case=2", "mass_on_slope_case2.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)       \
  X(slope_3, "slope", "case=3", "mass_on_slope_case3.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)       \
  X(slope_4, "slope", "case=4", "mass_on_slope_case4.csv", 0.0128, 8, 3.2768, {{"x", "x"}, {"y", "y"}}, 1, 2e-3)       \
  X(slider_crank, "slider-crank", "", "slider_crank_H15.csv", 1e-3, 10, 0.04,                                          \
    {{"theta1", "th1"}, {"theta2", "th2"}, {"theta3", "th3"}}, 10, 2e-3)                                               \
  X(slider_crank_acary, "slider-crank", "J2=8.9e-4", "slider_crank_A12.csv", 1e-3, 1, 0.04,                            \
    {{"theta1", "th1"}, {"theta2", "th2"}, {"theta3", "th3"}}, 10, 2e-3)                                               \
  X(slider_crank_bilateral, "slider-crank", "c=0", "slider_crank_bilateral_J2_5.9e-4.csv", 1e-3, 1, 0.135,             \
    {{"theta1", "th1"}, {"theta2", "th2"}}, 10, 1e-2)                                                                  \
  X(slider_crank_bilateral_acary, "slider-crank", "c=0,J2=8.9e-4", "slider_crank_bilateral_J2_8.9e-4.csv", 1e-3, 1,    \
    0.135, {{"theta1", "th1"}, {"theta2", "th2"}}, 10, 1e-2)                                                           \
  X(pendulum_in_ring, "pendulum-in-ring", "", "pendulum_in_ring.csv", 0.01, 1, 1,                                      \
    {{"psi", "psi"}, {"phi", "thr"}, {"x", "X"}}, 80, 1e-4)

#endif
