/* The shipped models of many bodies: closed forms, thresholds, balances; and what granular mechanics asks of them. */
#include "support/check.h"
#include "support/trial.h"
#include "view/grains.h"

#include <math.h>
#include <stdio.h>

/* F - mu (m + n m_b) g = (m + 2/7 n m_b) a: balls that roll on the plate take part with 2/7 of their mass. */
static void plate_with_rolling_balls(void) {
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "rolling-box", .sample = 0.01}, &o));
  const double a = (150 - 0.4 * 35 * 9.81) / (10 + 2.0 / 7 * 25) / sqrt(2);
  double plate = 0, ball = 0;
  for (long row = 0; row < picus_result_row_count(o.result); row++) {
    const double v = a * trial_value(&o, "t", -1, row);
    plate = fmax(plate, fabs(trial_value(&o, "vx", -1, row) - v));
    ball = fmax(ball, fabs(trial_value(&o, "vy", 7, row) - 2.0 / 7 * v));
  }
  printf("  rolling-box: error of the velocity %.1e m/s (plate), %.1e m/s (ball)\n", plate, ball);
  CHECK(plate < 1e-11 && ball < 1e-11);
  trial_end(&o);
}

/* Without friction, at a coarse dt: rattle leaves no overlap. */
static void collapse_without_overlap(void) {
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "collapse", .overrides = "n=4"}, &o));
  printf("  collapse of 64 spheres, dt = 0.01 s: overlap %.1e m\n", o.summary.gaps.penetration);
  CHECK(o.summary.gaps.penetration < 1e-10);
  CHECK(o.summary.impacts > 60);
  trial_end(&o);
}

/* The relative change of the energy, over the number of impacts of a ball. */
static double energy_error(double dt, double dt_min, double t_end) {
  trial_outcome o;
  if (!CHECK(trial_run(
          (trial){.model = "elastic-balls", .overrides = "n=2", .dt = dt, .dt_min = dt_min, .t_end = t_end}, &o)))
    return NAN;
  const double start = trial_value(&o, "E.total", -1, 0), end = trial_value(&o, "E.total", -1, -1);
  const double impacts = (double)o.summary.impacts / 4;
  CHECK(impacts >= 1);
  trial_end(&o);
  return fabs(end - start) / start / impacts;
}

static void elastic_balls_keep_their_energy(void) {
  for (double dt_min = 1e-4; dt_min > 1e-8; dt_min /= 10) {
    const double error = energy_error(0, dt_min, 5);
    printf("  elastic-balls, adaptive, dt_min = %.0e s: %.1e of the energy an impact\n", dt_min, error);
    CHECK(error < 10 * dt_min);
  }
  /* Fixed steps: the impact lies anywhere in its step, so the error is a multiple of dt below a bound. */
  for (double dt = 1e-2; dt > 1e-4; dt /= 4) CHECK(energy_error(dt, 0, 5) < 2 * dt);
}

/* Grains come to rest on a gentle slope and flow on a steep one. */
static void chute_below_and_above_repose(void) {
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "chute", .overrides = "n=40,layers=3,angle=8", .t_end = 1}, &o));
  const double rest = trial_value(&o, "v_mean", -1, -1);
  trial_end(&o);
  REQUIRE(trial_run((trial){.model = "chute", .overrides = "n=40,layers=3,angle=35", .t_end = 0.5}, &o));
  const double flow = trial_value(&o, "v_mean", -1, -1);
  trial_end(&o);
  printf("  chute: mean velocity %.1e m/s at 8 deg, %.2f m/s at 35 deg\n", rest, flow);
  CHECK(fabs(rest) < 0.02);
  CHECK(flow > 0.3);
}

static void hopper_opens_for_grains_only(void) {
  trial_outcome o;
  double mass[2];
  for (int k = 0; k < 2; k++) { /* wide, and narrower than a grain */
    REQUIRE(trial_run((trial){.model = "hopper",
                              .overrides = k ? "n=60,columns=8,orifice=0.006" : "n=60,columns=8,orifice=0.06",
                              .t_end = 0.6},
                      &o));
    mass[k] = trial_value(&o, "discharged", -1, -1);
    CHECK(o.summary.gaps.penetration < 1e-9);
    trial_end(&o);
  }
  printf("  hopper: %.2f kg leave through 60 mm, %.2f kg through 6 mm\n", mass[0], mass[1]);
  CHECK(mass[0] > 2);
  CHECK(mass[1] == 0);
}

/* Balls on a plate that slides: in every step newton needs one factorization, and sweeps would be in vain. They are
 * tried now and then, not in each of the steps. */
static void sweeps_in_vain_are_left_out(void) {
  trial_outcome o;
  REQUIRE(trial_run((trial){.model = "rolling-box", .t_end = 1}, &o));
  printf("  rolling-box: %ld fallbacks in %ld steps, %.3g iterations on average\n", o.summary.solver.fallbacks,
         o.summary.steps, (double)o.summary.solver.iterations / (double)o.summary.contact_steps);
  CHECK(o.summary.solver.fallbacks < o.summary.steps / 8);
  CHECK(o.summary.solver.worst_residual <= 1e-12 && o.summary.solver.accepted == 0);
  trial_end(&o);
}

/* ---- what is measured in heaps */

/* The forces on the floor carry the weight; a link ends in the centres of its bodies. */
static void chains_carry_the_weight(void) {
  trial_outcome o;
  picus_scene *scene = NULL;
  picus_force_links links = {0};
  REQUIRE(trial_run((trial){.model = "tower", .overrides = "n=5", .t_end = 0.1}, &o));
  REQUIRE(!picus_scene_create(o.context, o.result, &scene));
  REQUIRE(!picus_scene_force_links(scene, picus_result_row_count(o.result) - 1, &links));
  double level[5] = {0};
  for (size_t k = 0; k < links.count; k++) {
    const picus_force_link *link = &links.links[k];
    const double low = fmin(link->ends[0][2], link->ends[1][2]);
    const int below = low < 0.05 ? 0 : (int)lround(low / 0.2 + 0.5); /* cubes below the contact */
    if (CHECK(below >= 0 && below < 5)) level[below] += link->force;
  }
  for (int k = 0; k < 5; k++) CHECK_NEAR(level[k], (5 - k) * 9.81, 1e-9);
  const picus_force_distribution d = picus_force_distribution_of(&links);
  double sum = 0;
  for (int k = 0; k < PICUS_FORCE_CLASSES; k++) sum += d.density[k] * (d.ratio[1] - d.ratio[0]);
  CHECK_NEAR(sum, 1, 1e-12);
  picus_force_links_release(o.context, &links);
  picus_scene_destroy(scene);
  trial_end(&o);
}

/* A heap of known slopes: disks on a lattice below a roof, of which only the first row is looked at. */
static void slopes_of_a_heap(void) {
  static const char text[] = "model 'roof'\n"
                             "for i = -60, 60 do\n"
                             "  local top = (60 - (i > 0 and 2 or 1) * abs(i)) * 0.5\n"
                             "  for k = 0, top do disk {'d' .. i + 60 .. '_' .. k, radius = 0.01, density = 1, "
                             "position = {0.02 * i, 0.02 * k}} end\n"
                             "end\n"
                             "simulate {scheme = 'moreau', dt = 1e-3, t_end = 1e-3}\n";
  FILE *file = fopen("roof.lua", "w");
  REQUIRE(file && fputs(text, file) >= 0 && fclose(file) == 0);
  trial_outcome o;
  picus_scene *scene = NULL;
  picus_heap heap;
  const bool ran = trial_run((trial){.model = "roof.lua"}, &o);
  remove("roof.lua");
  REQUIRE(ran);
  REQUIRE(!picus_scene_create(o.context, o.result, &scene));
  REQUIRE(!picus_scene_heap(scene, 0, &heap));
  printf("  slopes of a roof: tan %.3f and %.3f\n", tan(heap.flank[0].angle), tan(heap.flank[1].angle));
  CHECK(heap.flank[0].found && heap.flank[1].found);
  CHECK_NEAR(tan(heap.flank[0].angle), 0.5, 0.03);
  CHECK_NEAR(tan(heap.flank[1].angle), 1, 0.1);
  picus_scene_destroy(scene);
  trial_end(&o);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"plate_with_rolling_balls", plate_with_rolling_balls},
                                    {"collapse_without_overlap", collapse_without_overlap},
                                    {"elastic_balls_keep_their_energy", elastic_balls_keep_their_energy},
                                    {"chute_below_and_above_repose", chute_below_and_above_repose},
                                    {"hopper_opens_for_grains_only", hopper_opens_for_grains_only},
                                    {"sweeps_in_vain_are_left_out", sweeps_in_vain_are_left_out},
                                    {"chains_carry_the_weight", chains_carry_the_weight},
                                    {"slopes_of_a_heap", slopes_of_a_heap}};
  return test_main(argc, argv, "grain_models", cases, sizeof cases / sizeof cases[0]);
}
