/* Contacts that joints alone hold, or almost: links of a chain that lie folded on each other. Their percussions move
 * nothing, so they must stay of the size of the others, whatever the tolerance. */
#include "support/check.h"
#include "support/simulate.h"
#include "unit/solver_cases.h"

#include <math.h>
#include <stdio.h>

enum { JOINTS = 6, CONTACTS = 3, ROWS = JOINTS + CONTACTS, DOF = 12 };

/* Joints and contacts of a mechanism. The row of the last contact is a combination of the joints' rows, but for a part
 * of length `apart`, and so is its relative velocity, but for the approach `rounding`. */
static void held_contact(contact_case *x, test_random *random, double apart, double rounding) {
  double W[ROWS][DOF], *last = W[ROWS - 1];
  case_clear(x);
  for (int i = 0; i < ROWS; i++) case_add(x, i < JOINTS ? PICUS_BILATERAL : PICUS_UNILATERAL, 1, 0);
  case_random_c(x, random);
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < DOF; k++) W[i][k] = test_uniform(random, -1, 1);
  for (int k = 0; k < DOF; k++) last[k] *= apart;
  x->c[ROWS - 1] = -rounding;
  for (int i = 0; i < JOINTS; i++) {
    const double share = test_uniform(random, -1, 1);
    for (int k = 0; k < DOF; k++) last[k] += share * W[i][k];
    x->c[ROWS - 1] += share * x->c[i];
  }
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < ROWS; j++) {
      x->G[i * ROWS + j] = 0;
      for (int k = 0; k < DOF; k++) x->G[i * ROWS + j] += W[i][k] * W[j][k];
    }
  case_cold(x);
}

static double largest(const double *P, int count) {
  double most = 0;
  for (int k = 0; k < count; k++) most = fmax(most, fabs(P[k]));
  return most;
}

/* Where the contact is apart from the joints by less than a lever of 1000 to 1, its percussion stays of the size of the
 * others, and what it leaves is reported. */
static void percussions_stay_small(void) {
  static const double apart[] = {0, 1e-14, 1e-10, 1e-5}, tolerances[] = {1e-12, 1e-9, 1e-6, 1e-3};
  static const double approach[] = {1e-14, 1e-9, 1e-7};
  test_random random = {34};
  static contact_case x;
  picus_context *context;
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  double most = 0;
  for (int round = 0; round < 100; round++)
    for (int k = 0; k < 4 * 4 * 3; k++) {
      picus_solver_options options = picus_default_solver_options();
      options.tolerance = tolerances[k / 4 % 4];
      held_contact(&x, &random, apart[k % 4], approach[k / 16]);
      CHECK(case_solve(&x, context, options) == PICUS_OK);
      const double left = picus_contact_residual(&x.problem, x.P, NULL).relative;
      CHECK(left <= 1e-6);
      CHECK(x.info.accepted == (left > options.tolerance));
      most = fmax(most, fabs(x.P[ROWS - 1]) / (1 + largest(x.c, ROWS)));
    }
  printf("  largest percussion of a held contact over c: %.3g\n", most);
  CHECK(most < 10);
  picus_context_destroy(context);
}

/* Chains that fold reach their end with any tolerance of their contact problems, and their joints do no work. */
typedef struct chain {
  const char *parameters;
  double dt, t_end, radius;
} chain;

/* share: what constraints may do of what is dissipated; *did: the most they did. */
static void fold(const chain *c, double tolerance, double share, double *did) {
  simulation s;
  picus_sim_options options;
  picus_summary summary;
  REQUIRE(simulation_load(&s, TEST_DATA "/../../scenes/many/chain-on-cylinder.lua", c->parameters, &options));
  options.solver.tolerance = tolerance;
  options.dt = c->dt;
  options.t_end = c->t_end;
  REQUIRE(simulation_start(&s, &options));
  CHECK(picus_sim_run(s.sim, NULL, NULL, &summary) == PICUS_OK);
  printf("  %g: %ld steps, penetration %.3g m, %.3g of %.3g J by constraints\n", tolerance, summary.steps,
         summary.gaps.penetration, summary.energy.spurious, summary.energy.dissipated);
  CHECK_NEAR(summary.t_end, c->t_end, 1e-9);
  CHECK(summary.gaps.penetration < 1e-3 * c->radius);
  CHECK(fabs(summary.energy.spurious) < share * summary.energy.dissipated);
  simulation_close(&s);
  *did = fmax(*did, fabs(summary.energy.spurious) / summary.energy.dissipated);
}

static void chains_fold_with_any_tolerance(void) {
  static const double tolerances[] = {1e-4, 1e-12, 1e-3, 1e-8, 1e-5, 1e-6, 1e-7, 1e-9, 1e-10, 1e-11};
  static const chain wide = {"n=14,mu=1,R=0.031564839554245445,l=0.055249354356886216,r=0.008971283114929415,"
                             "offset=0.19071219508822987",
                             1e-3, 0.9, 0.008971},
                     /* its iterations keep their rows: they alternate, converge slowly, or grow */
      few = {"n=5,mu=0.21324336857752257,R=0.1694521060089652,l=0.03047876193102065,"
             "r=0.00467056485172783,offset=-0.01387759528555441",
             5e-4, 0.9, 0.0047};
  const long count = test_size(2, 2, 10);
  double most = 0;
  for (int k = 0; k < count; k++) {
    fold(&wide, tolerances[k], 0.02, &most);
    fold(&few, tolerances[k], 0.02, &most);
  }
}

/* Random chains, each with several tolerances: none fails, a looser one is no worse than a tighter one, and what the
 * scheme loses where the ends of a chain strike in the middle of a step stays small. */
static void random_chains_fold(void) {
  static const double tolerances[] = {1e-8, 1e-12, 1e-5, 1e-10};
  const long count = test_study(1, 1, 40);
  test_random random = {2026};
  char parameters[256];
  double most = 0;
  for (long k = 0; k < count; k++) {
    const double radius = test_uniform(&random, 0.003, 0.009);
    const chain c = {parameters, test_uniform(&random, 0, 1) < 0.5 ? 5e-4 : 1e-3, 1, radius};
    (void)snprintf(parameters, sizeof parameters, "n=%d,mu=%g,R=%g,l=%g,r=%g,offset=%g",
                   4 + (int)test_uniform(&random, 0, 21), test_uniform(&random, 0, 1), test_uniform(&random, 0.03, 0.2),
                   test_uniform(&random, 4, 8) * radius, radius, test_uniform(&random, -0.2, 0.2));
    printf("  %s, dt=%g\n", parameters, c.dt);
    for (int t = 0; t < 4; t++) fold(&c, tolerances[t], 0.1, &most);
  }
  printf("  work of constraints at most %.3g of what is dissipated\n", most);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"percussions_stay_small", percussions_stay_small},
      {"chains_fold_with_any_tolerance", chains_fold_with_any_tolerance},
      {"random_chains_fold", random_chains_fold},
  };
  return test_main(argc, argv, "held_contacts", cases, sizeof cases / sizeof *cases);
}
