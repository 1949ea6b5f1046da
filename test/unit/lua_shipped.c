/* The shipped models: they load by name, have the names and defaults they promise, and start as the papers say. */
#include "model/internal.h"
#include "support/check.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <string.h>

typedef struct promise {
  const char *model, *coordinates, *velocities, *laws;
  const char *parameters; /* name=default, in the order they are shown */
} promise;

/* Names and defaults are part of the interface: results are recorded under them and --set changes them. Coordinates of
 * many bodies are not listed (NULL). */
static const promise promises[] = {
    {"bouncing-ball", "q", "v", "ground", "f=-2 e=0.5 m=1 q0=1 v0=0"},
    {"falling-mass", "z", "vz", "table", "m=1 g=9.81 e=0.7 z0=0.07"},
    {"sliding-mass", "x y", "vx vy", "table", "m=1 a=2 Fx=-2.5 Fy=-0.25 t_off=3 vx0=2 vy0=-0.2 e=0"},
    {"impact-oscillator", "x", "v", "stop", "m=0.1 c=20 e=0.6 x_free=-0.15 x0=-0.5 v0=0.2"},
    {"stribeck-belt", "x y", "v vy", "belt", "m=1 k=100 N=10 mu_s=0.4 mu_k=0.2 v_s=0.1 rise=0.02 v_b=0.2 x0=0 v0=0"},
    {"drawer", "x y phi", "vx vy omega", "rails_t rails_r rails_friction",
     "m=4 J=0.2 L=0.4 mu=0.5 e=0.3 d=0 F=20 Q=0.5 v0=0"},
    {"brake-squeal", "x y yp", "vx vy vyp", "pad",
     "m=0.1 m_p=0.001 k=4e+06 k_p=2.4e+06 c=800000 d=1 N=50 mu_s=0.55 mu_k=0.5 v_s=0.02 v_d=0.1 y0=1e-07"},
    {"linear-oscillator", "q", "v", "ground", "m=1 c=0 k=1 e=0.5 q0=1 v0=-1"},
    {"rocking-block", "x y theta", "vx vy omega", "A B",
     "L=1 l=1.5 m=1 e=0.5 g=9.81 x0=0 y0=1 theta0=0.2 vx0=0 vy0=0 omega0=0.2"},
    {"woodpecker", "y phiM phiS", "v omegaM omegaS", "beak lower upper",
     "rO=0.0025 rM=0.0031 hM=0.0058 lM=0.01 lG=0.015 hS=0.02 lS=0.0201 mM=0.0003 mS=0.0045 JM=5e-09 JS=7e-07 "
     "c=0.0056 g=9.81 eN1=0.5 eN2=0 eN3=0 eT=0 mu=0.3 y0=0 phiM0=-0.1036 phiS0=-0.2788 v0=-0.3411 omegaM0=0 "
     "omegaS0=-7.4583"},
    {"rotating-ball", "x y phi", "ux uy uphi", "ground", "R=0.1 m=1 g=9.81 mu=0.2 eN=0.5 eF=0 y0=1 omega=0"},
    {"ball-in-box", "x y", "vx vy", "left right bottom top",
     "a=4 b=4 R=1 m=1 g=9.81 e=0.3 angle=30 x0=2 y0=2 vx0=0 vy0=0"},
    {"slider-crank", "theta1 theta2 theta3", "omega1 omega2 omega3", "corner1 corner2 corner3 corner4",
     "l1=0.153 l2=0.306 a=0.05 b=0.025 c=0.001 m1=0.038 m2=0.038 m3=0.076 J1=7.4e-05 J2=0.00059 J3=2.7e-06 g=9.81 "
     "e=0.4 "
     "mu=0.01 theta10=0 theta20=0 theta30=0 omega10=150 omega20=-75 omega30=0"},
    {"slider-roller", "y phi", "vy omega", "roller", "R=0.1 m=1 J=0.01 torque=0.2 e=0.5 mu=0.3 g=9.81 y0=0.1"},
    {"elastic-bar", "", "", "wall", "L=1 S=0.000314159 rho=7800 E=2.1e+11 v0=0.1 N=1000 damping=0 e=0 gap0=0"},
    {"pendulum-in-ring", "x y psi phi", "vx vy omega Omega", "ring",
     "R=1 r=0.002 m1=1 m2=5 J1=0.8 J2=1 mu=0.3 e=0 g=9.81 gap0=0.01 omega0=10 l=1.54919"},
    {"slider-crank-bodies", "x1 y1 phi1 x2 y2 phi2 x3 y3 phi3", "vx1 vy1 omega1 vx2 vy2 omega2 vx3 vy3 omega3",
     "bearing_x bearing_y crankpin_x crankpin_y sliderpin_x sliderpin_y corner1 corner2 corner3 corner4",
     "l1=0.153 l2=0.306 a=0.05 b=0.025 d=0.052 m1=0.038 m2=0.038 m3=0.076 J1=7.4e-05 J2=0.00059 J3=2.7e-06 g=9.81 "
     "mu=0.01 eN=0.4 eF=0 omega10=150 omega20=-75 phi30=0.017"},
    {"slider-crank-clearance", "x1 y1 z1 p01 p11 p21 p31 x2 y2 z2 p02 p12 p22 p32 x3 y3 z3 p03 p13 p23 p33",
     "vx1 vy1 vz1 wx1 wy1 wz1 vx2 vy2 vz2 wx2 wy2 wz2 vx3 vy3 vz3 wx3 wy3 wz3",
     "bearing_x bearing_y bearing_z bearing_r1 bearing_r2 sliderpin_x sliderpin_y sliderpin_z sliderpin_r1 "
     "sliderpin_r2 pin1 pin2 rim1 rim2",
     "l1=0.153 l2=0.306 a=0.05 b=0.025 d=0.052 r=0.0005 r_pin=0.01 w=0.02 m1=0.038 m2=0.038 m3=0.076 J1=7.4e-05 "
     "J2=0.00089 J3=2.7e-06 J1x=1e-05 J2x=1e-05 J3x=5.4e-06 g=9.81 mu_pin=0.01 e_pin=0 mu=0.01 eN=0.4 omega10=150 "
     "omega20=-75 vz0=0"},
    {"circuit-breaker",
     "x_carrier y_carrier phi_carrier x_arm y_arm phi_arm x_hook y_hook phi_hook x_rod y_rod phi_rod x_handle "
     "y_handle phi_handle x_latch y_latch phi_latch x_plunger y_plunger phi_plunger",
     "vx_carrier vy_carrier omega_carrier vx_arm vy_arm omega_arm vx_hook vy_hook omega_hook vx_rod vy_rod "
     "omega_rod vx_handle vy_handle omega_handle vx_latch vy_latch omega_latch vx_plunger vy_plunger omega_plunger",
     "pin_carrier pin_arm pin_hook pin_rod pin_latch pin_handle pin_crank pad sear stop_handle stop_carrier trip "
     "guide_t guide_r",
     "clearance=5e-05 r_pin=0.0015 r_nose=0.0015 r_tip=0.0015 lean=0.1 mu=0.3 mu_pin=0.1 e=0 k_open=400 k_arm=0.5 "
     "preload=0.2 k_handle=0.02 k_hook=0.02 k_latch=0.01 k_plunger=100 F_trip=12 t_trip=0.02 pulse=0.0025 g=9.81"},
    {"quarter-car", "z zw", "v_body v_wheel", "stop",
     "v=15 m_body=300 m_wheel=40 k=18000 c=1200 k_tyre=180000 travel=0.05 e=0.2 rough=1 bump=0.08 hole=0.04 r=0.3 "
     "g=9.81"},
    {"raibert-hopper", "x y theta r phi", "vx vy omega_leg vr omega", "foot",
     "m=10 J=4 m_foot=0.3 J_leg=0.02 l=1 k=2500 d=25 thrust=0.04 v1=1 v2=-0.5 t_turn=6 k_v=0.06 k_hip=120 d_hip=12 "
     "mu=1 "
     "every=0.001 y0=0.3 g=9.81"},
    {"rimless-wheel", "theta", "omega", "ground", "n=8 l=1 m=1 slope=0.08 w0=1.5 g=9.81"},
    {"forced-impact-oscillator", "x", "v", "stop", "zeta=0.05 sigma=1 e=0.8 omega=1 phase=0.0759522 x0=1 v0=-1.35659"},
    {"simplest-walker", "theta phi", "omega psi", "ground", "slope=0.009 theta0=0.200311 omega0=-0.199832"},
    {"compass-walker", "theta phi", "omega psi", "ground",
     "m=5 m_hip=10 a=0.5 b=0.5 slope=3 theta0=0.218669 omega0=-1.09183 psi0=-0.377182 g=9.8"},
    {"rattleback", "x y z p0 p1 p2 p3", "vx vy vz wx wy wz", "",
     "a1=0.2 a2=0.03 a3=0.02 m=1 J1=0.0002 J2=0.0016 J3=0.0017 J12=-2e-05 mu=2 spin=-5 tilt=1 g=9.81"},
    {"tower", NULL, NULL, NULL, "n=20 a=0.2 m=1 mu=0.5 g=9.81"},
    {"wall", NULL, NULL, NULL, "rows=10 columns=10 mu=0.5 m=1 g=9.81"},
    {"kapla-tower", NULL, NULL, NULL,
     "floors=6 base=8 length=0.117 width=0.0234 height=0.0078 density=600 mu=0.5 g=9.81"},
    {"card-house", NULL, NULL, NULL, "levels=3 l=0.088 d=0.0004 lean=20 mass=0.002 mu=0.6 g=9.81"},
    {"dominoes", NULL, NULL, NULL,
     "n=100 h=0.048 w=0.024 d=0.0075 s=0.0225 mu=0.2 mu_floor=0.5 density=600 push=4 g=9.81"},
    {"billiard", NULL, NULL, NULL,
     "rows=5 r=0.02625 m=0.16 e=0.95 e_rail=0.75 mu=0.01 v0=5 offset=0 length=1.98 width=0.99 g=9.81"},
    {"turntable", NULL, NULL, "", "w=2 r=0.05 m=0.5 mu=0.5 x0=0.3 R=0.2 tilt=0 g=9.81"},
    {"newtons-cradle", NULL, NULL, NULL, "n=5 r=0.02 l=0.2 m=0.25 e=1 gap=0 angle=30 g=9.81"},
    {"gripper", NULL, NULL, NULL, "a=0.05 m=0.2 F=5 mu=0.25 lift=0.1 T=1 m_finger=0.1 g=9.81"},
    {"chain-over-edge", NULL, NULL, NULL, "n=100 hanging=40 l=0.01 r=0.003 m=0.005 mu=0.2 g=9.81"},
    {"disks", NULL, NULL, NULL,
     "n=1000 container=0 columns=0 r_min=0.008 r_max=0.012 density=1000 mu=0.3 e=0 omega=2 g=9.81"},
    {"spheres", NULL, NULL, NULL, "n=1000 columns=0 r_min=0.008 r_max=0.012 density=2500 mu=0.5 e=0 g=9.81"},
    {"chute", NULL, NULL, NULL, "angle=28 n=150 layers=5 r=0.01 density=1000 mu=0.5 e=0 g=9.81"},
    {"hopper", NULL, NULL, NULL, "n=400 columns=20 orifice=0.08 slope=45 r=0.005 density=1000 mu=0.3 e=0 g=9.81"},
    {"column-collapse", NULL, NULL, NULL, "n=200 columns=10 r=0.01 density=1000 mu=0.3 e=0 g=9.81"},
    {"rolling-box", NULL, NULL, NULL, "n=5 m=10 m_ball=1 r=0.5 a=20 h=0.5 F=150 mu=0.4 mu_ball=0.8 g=9.81"},
    {"elastic-balls", NULL, NULL, NULL, "n=7 m=10 r=0.5 h=5 e=1 g=9.81"},
    {"collapse", NULL, NULL, NULL, "n=6 m=10 r=0.5 gap=0.1 disorder=0.02 e=0 mu=0 g=9.81"},
    {"box-tumbling", "x_box y_box z_box p0_box p1_box p2_box p3_box", "vx_box vy_box vz_box wx_box wy_box wz_box", "",
     "m=1 a=0.3 b=0.2 c=0.1 g=9.81 mu=0.4 eN=0.2 z0=0.6"},
    {"tippedisk", "x y z p0 p1 p2 p3", "vx vy vz wx wy wz", "rim",
     "m=0.435 r=0.045 a=0.015 b=0.02 Jx=0.000249 Jy=0.00022972 Jz=0.00047072 g=9.81 mu=0.3 Rc=0.001 wx0=-60 wy0=0 "
     "wz0=1 e=0.0025"},
    {"cantilever-stop", "", "", "stop",
     "L=0.4 b=0.02 h=0.002 rho=7800 E=2.1e+11 alpha=2 beta=1e-05 F=0.2 f=12 gap0=0.002 e=0 N=16"},
    {"bouncing-rod", "", "", "left right",
     "L=1 r=0.01 rho=2700 E=7e+10 tilt=0.02 h0=0.05 vx0=0.2 beta=1e-06 mu=0.3 e=0 g=9.81 N=20"},
    {"rotor", "yB zB", "vyB vzB", "bearing",
     "lA=0.59 rA=0.0125 rho=7850 E=2.1e+11 G=8.1e+10 d1A=60 d2A=0.001 mF=4.98 JF=0.01 JT=0.00605 xF=0.18 ecc=0.0003 "
     "rJF=0.01 xJB=0.0095 rJB=0.0101 mJB=2.3 cJB=1e+06 dJB=10 mu=0.01 e=0 TD=100 tD=0.05 TF=10 cD=6e+06 dD=10 g=9.81 "
     "N=7"},
    {"slope", "x y", "ux uy", "slope", "m=3.14159 g=10 mu=0.3 eN=0 eF=0 case=1 x0=0 y0=1 ux0=0 uy0=0"},
};
/* Schemes of default runs other than moreau. */
static const char *const schemes[][2] = {{"stribeck-belt", "rattle"},
                                         {"brake-squeal", "rattle"},
                                         {"drawer", "rattle"},
                                         {"quarter-car", "rattle"},
                                         {"rimless-wheel", "rattle"},
                                         {"simplest-walker", "rattle"},
                                         {"compass-walker", "rattle"},
                                         {"rattleback", "rattle"},
                                         {"raibert-hopper", "moreau-jean"},
                                         {"bouncing-ball", "moreau-jean"},
                                         {"linear-oscillator", "moreau-jean"},
                                         {"rocking-block", "moreau-combined"},
                                         {"slider-crank", "moreau-jean"},
                                         {"slider-crank-bodies", "rattle"},
                                         {"tippedisk", "rattle"},
                                         {"rotating-ball", "rattle"},
                                         {"slope", "rattle"},
                                         {"elastic-bar", "moreau-jean"},
                                         {"slider-roller", "moreau-combined"},
                                         {"pendulum-in-ring", "moreau-combined"},
                                         {"cantilever-stop", "moreau-jean"},
                                         {"bouncing-rod", "moreau-jean"},
                                         {"rotor", "half-explicit"},
                                         {"slider-crank-clearance", "moreau-combined"},
                                         {"circuit-breaker", "moreau-combined"},
                                         {"dominoes", "rattle"},
                                         {"newtons-cradle", "rattle"},
                                         {"billiard", "rattle"},
                                         {"turntable", "rattle"},
                                         {"gripper", "rattle"},
                                         {"rolling-box", "rattle"},
                                         {"elastic-balls", "rattle"},
                                         {"collapse", "rattle"}};
static const char *scheme_of(const char *model) {
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
    if (strcmp(schemes[i][0], model) == 0) return schemes[i][1];
  return "moreau";
}
enum { PROMISES = sizeof promises / sizeof *promises };

static picus_context *context;

static picus_model *load(const char *name, int count, const picus_override *overrides) {
  picus_load_options options = {.override_count = count, .overrides = overrides};
  if (!CHECK(picus_context_create(NULL, &context) == PICUS_OK)) return NULL;
  picus_model *model;
  picus_status status = picus_model_load(context, name, &options, &model);
  const picus_error *error = picus_last_error(context);
  if (!CHECK(status == PICUS_OK)) printf("  %s:%d: %s\n", error->file, error->line, error->message);
  return model;
}

static void end(picus_model *model) {
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static void append(char *list, size_t size, const char *word) {
  size_t length = strlen(list);
  snprintf(list + length, size - length, "%s%s", length ? " " : "", word);
}

static void names_and_defaults(void) {
  for (int i = 0; i < PROMISES; i++) {
    enum { LIST = 500 };
    char coordinates[LIST] = "", velocities[LIST] = "", laws[LIST] = "", parameters[1000] = "", word[100];
    picus_model *model = load(promises[i].model, 0, NULL);
    REQUIRE(model);
    CHECK_TEXT(picus_model_name(model), promises[i].model);
    CHECK(*picus_model_description(model));
    for (int k = 0; k < model->coordinate_count; k++) append(coordinates, LIST, model->coordinates[k].name);
    for (int k = 0; k < model->velocity_count; k++) append(velocities, LIST, model->velocities[k].name);
    for (int k = 0; k < model->law_count; k++) append(laws, LIST, model->laws[k].name);
    for (int k = 0; k < model->parameter_count; k++) {
      picus_parameter parameter = picus_model_parameter(model, k);
      snprintf(word, sizeof word, "%s=%g", parameter.name, parameter.default_value);
      append(parameters, sizeof parameters, word);
      CHECK(*parameter.description);
    }
    if (promises[i].coordinates) {
      CHECK_TEXT(coordinates, promises[i].coordinates);
      CHECK_TEXT(velocities, promises[i].velocities);
      CHECK_TEXT(laws, promises[i].laws);
    }
    CHECK_TEXT(parameters, promises[i].parameters);
    CHECK(model->plot_count > 0);
    end(model);
  }
}

static void all_of_them_are_promised(void) {
  CHECK(picus_shipped_model_count() >= PROMISES);
  for (int i = 1; i < picus_shipped_model_count(); i++)
    CHECK(strcmp(picus_shipped_model_name(i - 1), picus_shipped_model_name(i)) < 0);
  for (int i = 0; i < PROMISES; i++) {
    size_t length = 0;
    const char *text = picus_shipped_model_text(promises[i].model, &length);
    REQUIRE(text);
    CHECK(strlen(text) == length);
  }
  CHECK(picus_shipped_model_text("no-such-model", NULL) == NULL);
  CHECK(picus_shipped_model_name(-1) == NULL && picus_shipped_model_name(1000) == NULL);
}

/* Every model is accepted as a system, and runs its first steps. */
static void they_run(void) {
  for (int i = 0; i < PROMISES; i++) {
    picus_model *model = load(promises[i].model, 0, NULL);
    REQUIRE(model);
    picus_system *system = NULL;
    picus_sim *sim = NULL;
    picus_sim_options options = picus_model_sim_options(model);
    CHECK(options.dt > 0 && options.t_end > options.t_start);
    CHECK_TEXT(options.scheme, scheme_of(promises[i].model));
    REQUIRE(picus_system_create(model, &system) == PICUS_OK);
    REQUIRE(picus_sim_create(context, system, &options, &sim) == PICUS_OK);
    const int steps = promises[i].coordinates ? 200 : 3; /* steps of many bodies are long */
    for (int k = 0; k < steps; k++) CHECK(picus_sim_step(sim, 0, NULL) == PICUS_OK);
    picus_state state = picus_sim_state(sim);
    for (int k = 0; k < state.nq; k++) CHECK(isfinite(state.q[k]));
    picus_sim_destroy(sim);
    picus_system_destroy(system);
    end(model);
  }
}

static double start_gap(picus_model *model, int law) {
  double values[16] = {0}, gap = NAN;
  for (int k = 0; k < model->coordinate_count; k++)
    values[model->coordinates[k].variable] = model->coordinates[k].start;
  CHECK(picus_expr_evaluate(model->pool, model->laws[law].gap, values, &gap) == PICUS_OK);
  return gap;
}

static void gaps_at_the_start(void) {
  picus_model *model = load("woodpecker", 0, NULL);
  REQUIRE(model);
  CHECK_NEAR(start_gap(model, 0), 0.0024 + 0.02 * 0.2788, 1e-15);
  CHECK_NEAR(start_gap(model, 1), -8.8e-7, 1e-15); /* the paper's rounded data */
  CHECK_NEAR(start_gap(model, 2), 0.0006 + 0.0058 * 0.1036, 1e-15);
  end(model);
  model = load("rocking-block", 0, NULL);
  REQUIRE(model);
  CHECK_NEAR(start_gap(model, 0), 0.36428473201659933, 1e-15);
  CHECK_NEAR(start_gap(model, 1), 0.16561540122153812, 1e-15);
  end(model);
  model = load("impact-oscillator", 0, NULL);
  REQUIRE(model);
  CHECK_NEAR(start_gap(model, 0), 0.5, 0);
  end(model);
}

static void cases_of_the_slope(void) {
  const double r = 1 / sqrt(2);
  const double starts[4][4] = {{0, 1, 0, 0}, {0, 1, r, -r}, {0, 1, -r, r}, {0, 1.5, 0, 0}};
  for (int i = 0; i < 4; i++) {
    picus_override override = {"case", i + 1};
    picus_model *model = load("slope", 1, &override);
    REQUIRE(model);
    CHECK_NEAR(model->coordinates[0].start, starts[i][0], 0);
    CHECK_NEAR(model->coordinates[1].start, starts[i][1], 0);
    CHECK_NEAR(model->velocities[0].start, starts[i][2], 1e-16);
    CHECK_NEAR(model->velocities[1].start, starts[i][3], 1e-16);
    CHECK_NEAR(start_gap(model, 0), i == 3 ? 0.5 * r : 0, 1e-16);
    end(model);
  }
  picus_override overrides[] = {{"case", 2}, {"x0", 0.5}, {"y0", 2}, {"ux0", 3}};
  picus_model *model = load("slope", 4, overrides);
  REQUIRE(model);
  CHECK(model->coordinates[0].start == 0.5 && model->coordinates[1].start == 2 && model->velocities[0].start == 3);
  CHECK_NEAR(model->velocities[1].start, -r, 1e-16);
  end(model);
  static const double wrong[] = {0, 5, 1.5, -1};
  for (int i = 0; i < 4; i++) {
    picus_override override = {"case", wrong[i]};
    picus_load_options options = {.override_count = 1, .overrides = &override};
    REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
    CHECK(picus_model_load(context, "slope", &options, &model) < 0);
    CHECK(strstr(picus_last_error(context)->message, "must be 1, 2, 3 or 4") != NULL);
    picus_context_destroy(context);
  }
}

static picus_status try_path(const char *path) {
  picus_model *model;
  picus_status status = picus_model_load(context, path, NULL, &model);
  picus_model_destroy(model);
  return status;
}

static void paths_and_names(void) {
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  CHECK(try_path("woodpecker") == PICUS_OK);
  CHECK(try_path("woodpeker") == PICUS_ERROR_IO);
  CHECK(strstr(picus_last_error(context)->message, "did you mean 'woodpecker'?") != NULL);
  CHECK(try_path("woodpecker.lua") == PICUS_ERROR_IO); /* a file of that name would be meant */
  CHECK(strstr(picus_last_error(context)->message, "did you mean 'woodpecker'?") != NULL);
  CHECK(try_path("./woodpecker") == PICUS_ERROR_IO);
  CHECK(try_path("qqqqqqqq") == PICUS_ERROR_IO);
  CHECK(strstr(picus_last_error(context)->message, "did you mean") == NULL);
  CHECK(try_path("") == PICUS_ERROR_IO);
  CHECK(try_path("/") == PICUS_ERROR_IO); /* a directory */
  picus_load_options options = {.memory_limit = 1 << 20};
  picus_model *model;
  CHECK(picus_model_load(context, "/dev/zero", &options, &model) == PICUS_ERROR_FILE_LIMIT); /* no end */
  const char *path = "picus_test_shipped_model.lua";
  FILE *file = fopen(path, "wb");
  REQUIRE(file);
  fputs("model 'from a file'\nlocal a = \n", file);
  fclose(file);
  CHECK(try_path(path) == PICUS_ERROR_FILE_SYNTAX);
  CHECK_TEXT(picus_last_error(context)->file, path);
  file = fopen(path, "wb");
  REQUIRE(file);
  fputs("model 'from a file'\n", file);
  for (int i = 0; i < 3000; i++) fputs("-- a long comment, so that the file needs several blocks\n", file);
  fclose(file);
  CHECK(try_path(path) == PICUS_OK);
  remove(path);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
}

static void unknown_override_is_refused(void) {
  picus_override override = {"mue", 0.1};
  picus_model *model = load("woodpecker", 1, &override);
  REQUIRE(model);
  picus_system *system;
  CHECK(picus_system_create(model, &system) == PICUS_ERROR_NAME);
  CHECK(strstr(picus_last_error(context)->message, "no parameter 'mue'; did you mean 'mu'?") != NULL);
  end(model);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"names_and_defaults", names_and_defaults},
      {"all_of_them_are_promised", all_of_them_are_promised},
      {"they_run", they_run},
      {"gaps_at_the_start", gaps_at_the_start},
      {"cases_of_the_slope", cases_of_the_slope},
      {"paths_and_names", paths_and_names},
      {"unknown_override_is_refused", unknown_override_is_refused},
  };
  return test_main(argc, argv, "lua_shipped", cases, (int)(sizeof cases / sizeof *cases));
}
