/* Memory refused at the n-th allocation, for every n, from loading a model to its first steps and a recorded run: an
 * error each time, never a crash, and nothing is lost (run under AddressSanitizer to see leaks). */
#include "support/allocations.h"
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static picus_status drop_switchings(void *self, long count, const picus_switching *switchings) {
  (void)self;
  (void)count;
  (void)switchings;
  return PICUS_OK;
}
static picus_status drop_rows(void *self, long rows, int columns, const double *values) {
  (void)self, (void)rows, (void)columns, (void)values;
  return PICUS_OK;
}
static picus_status open_nothing(void *self, const picus_run_description *run, int count, const picus_column *columns) {
  (void)self, (void)run, (void)count, (void)columns;
  return PICUS_OK;
}
static picus_status close_nothing(void *self, const picus_summary *summary) {
  (void)self, (void)summary;
  return PICUS_OK;
}
static void destroy_nothing(void *self) { (void)self; }

static const char FLEXIBLE[] =
    "local q, u = coordinates {{'y', velocity = 'v', start = {1, -1}}}\n"
    "kinetic(u.v^2)\n"
    "local b = bar {'b', elements = 3, length = 1, area = 1, density = 1, young = 1, damping = 0.1, record = {0, 3}}\n"
    "local s = beam {'s', elements = 2, length = 1, circle = 0.1, density = 1, young = 1, spatial = true, spin = 1,\n"
    "  damping = {0.1, 0.1}, supports = {{0, 'clamped'}}, bodies = {{1, mass = 1}}, record = {1}}\n"
    "contact {'hit', gap = q.y - b.x[3], slip = u.v - b.v[1], mu = 0.1}\n"
    "contact {'stop', gap = s.uy[2] + 1}\n"
    "constraint {'held', position = b.x[0]}\n"
    "observe {'middle', b.x[2]}\n"
    "simulate {dt = 0.1, t_end = 1}\n";

static const char BODIES[] =
    "gravity {0, 0, -1}\n"
    "local a = spatial_body {'a', mass = 1, inertia = {1, 1, 1}, position = {0.1, 0, 0.5}, omega = {0, 1, 0}}\n"
    "spherical {'tip', ground, a, points = {{0, 0, 0}, {0, 0, -0.5}}}\n"
    "spring {ground, a, stiffness = 1, damping = 1, length = 0.1}\n"
    "plane_contact {'floor', ground, a, normal = {0, 0, 1}, radius = 0.2, mu = 0.1, spin_radius = 0.01}\n"
    "simulate {dt = 0.1, t_end = 1, assemble = true}\n";

/* The same with a scheme that needs Jacobians at two points. */
static const char RATTLE[] =
    "gravity {0, 0, -1}\n"
    "local a = spatial_body {'a', mass = 1, inertia = {1, 2, 3}, position = {0.1, 0, 0.5}, omega = {0, 1, 0}}\n"
    "spherical {'tip', ground, a, points = {{0, 0, 0}, {0, 0, -0.5}}}\n"
    "simulate {dt = 0.1, t_end = 1, scheme = 'rattle', assemble = true}\n";

/* Forces, joints and contacts at nodes: couplings between parts, in an implicit scheme. */
static const char NODES[] =
    "local q, u = coordinates {{'y', velocity = 'v'}}\n"
    "kinetic(u.v^2)\n"
    "local b = beam {'b', elements = 2, length = 1, circle = 0.1, density = 1, young = 1, motion = {0, 0.1 * t^2},\n"
    "  supports = {{0, 'clamped'}}, record = {2}}\n"
    "local f = follower {'f', position = {1, q.y}}\n"
    "local a = planar_body {'a', mass = 1, inertia = 1, position = {1.2, 0}}\n"
    "revolute {'hinge', b:node(2), a, at = {1, 0.1}}\n"
    "spring {f, b:node(1), stiffness = 1, damping = 1, length = 0.1}\n"
    "journal_contact {'journal', f, b:node(2), radius_a = 0.3, radius_b = 0.2, mu = 0.1}\n"
    "simulate {scheme = 'moreau-jean', dt = 0.01, t_end = 1}\n";

/* A model by its text, which has more than one line, or by its name. */
static bool is_text(const char *name) { return strchr(name, '\n') != NULL; }

static picus_status whole_run(picus_context *context, const char *name) {
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_status status = is_text(name) ? picus_model_load_text(context, "text", name, strlen(name), NULL, &model)
                                      : picus_model_load(context, name, NULL, &model);
  if (status == PICUS_OK) status = picus_system_create(model, &system);
  if (status == PICUS_OK) {
    picus_sim_options options = picus_model_sim_options(model);
    options.t_end = 5 * options.dt;
    status = picus_sim_create(context, system, &options, &sim);
  }
  if (status == PICUS_OK) {
    picus_run_description run = {model, system, picus_sim_options_of(sim), ""};
    status = picus_recorder_create(context, &run, &recorder);
  }
  picus_sink sink = {.self = NULL,
                     .open = open_nothing,
                     .write = drop_rows,
                     .close = close_nothing,
                     .destroy = destroy_nothing,
                     .write_switchings = drop_switchings};
  if (status == PICUS_OK) status = picus_recorder_add_sink(recorder, sink);
  if (status == PICUS_OK) status = picus_sim_run(sim, recorder, NULL, NULL);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  picus_system_destroy(system);
  picus_model_destroy(model);
  return status;
}

/* All Jacobians, derived on their first use, after the model is gone. */
static picus_status all_jacobians(picus_context *context, const char *text) {
  enum { MOST = 8 };
  picus_model *model = NULL;
  picus_system *system = NULL;
  picus_evaluation *e = NULL;
  double q[MOST], u[MOST], v[MOST] = {1, 2, 3}, a[MOST * MOST], b[MOST * MOST];
  picus_status status = picus_model_load_text(context, "text", text, strlen(text), NULL, &model);
  if (status == PICUS_OK) status = picus_system_create(model, &system);
  picus_model_destroy(model);
  if (status == PICUS_OK) status = picus_evaluation_create(context, system, &e);
  if (status == PICUS_OK) {
    picus_system_start(system, q, u);
    picus_evaluation_set_point(e, 0, q, u);
    status = picus_evaluate_force_jacobian(e, a, b);
  }
  if (status == PICUS_OK) status = picus_evaluate_gap_jacobian(e, a);
  if (status == PICUS_OK) status = picus_evaluate_rate_jacobian(e, a, b);
  if (status == PICUS_OK) status = picus_evaluate_mass_jacobian(e, v, a);
  if (status == PICUS_OK) status = picus_evaluate_velocity_jacobian(e, a);
  if (status == PICUS_OK) status = picus_evaluate_direction_jacobian(e, v, a);
  picus_evaluation_destroy(e);
  picus_system_destroy(system);
  return status;
}

/* --- other parts of the library ------------------------------------------------------------------------------- */

/* Contacts that come and go. */
static const char DISKS[] = "gravity {0, -9.81}\n"
                            "material {'default', mu = 0.3, eN = 0.2}\n"
                            "disk {'a', radius = 0.5, density = 1, position = {0, 0.5}, velocity = {1, 0}}\n"
                            "disk {'b', radius = 0.5, density = 1, position = {0.1, 1.496}}\n"
                            "half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 2}\n"
                            "simulate {dt = 1e-3, t_end = 0.005}\n";

/* A ball above a floor, without friction: every scheme takes it. */
static const char BALL[] = "local q, u = coordinates {{'y', velocity = 'v', start = {0.001, -1}}}\n"
                           "kinetic(u.v^2 / 2)\n"
                           "potential(9.81 * q.y)\n"
                           "contact {'floor', gap = q.y, eN = 0.5}\n"
                           "simulate {dt = 1e-3, t_end = 0.005}\n";

/* A simulation of a text, with its owners. */
typedef struct text_run {
  picus_model *model;
  picus_system *system;
  picus_sim *sim;
  picus_recorder *recorder;
} text_run;

static picus_status begin_text(picus_context *context, const char *text, const char *scheme, text_run *r) {
  *r = (text_run){.model = NULL};
  picus_status status = picus_model_load_text(context, "text", text, strlen(text), NULL, &r->model);
  if (!status) status = picus_system_create(r->model, &r->system);
  if (status) return status;
  picus_sim_options options = picus_model_sim_options(r->model);
  if (scheme && strcmp(scheme, "adaptive") == 0)
    options.adaptive = true;
  else if (scheme)
    options.scheme = scheme;
  return picus_sim_create(context, r->system, &options, &r->sim);
}

static void end_text(text_run *r) {
  picus_recorder_destroy(r->recorder);
  picus_sim_destroy(r->sim);
  picus_system_destroy(r->system);
  picus_model_destroy(r->model);
}

static const char *scheme_now; /* of with_scheme */

static picus_status with_scheme(picus_context *context, const char *text) {
  text_run r;
  picus_status status = begin_text(context, text, scheme_now, &r);
  if (!status) status = picus_sim_run(r.sim, NULL, NULL, NULL);
  end_text(&r);
  return status;
}

/* Saved, loaded into another simulation, and gone on. */
static picus_status save_and_load(picus_context *context, const char *text) {
  text_run r, other = {.model = NULL};
  size_t size = 0;
  picus_status status = begin_text(context, text, NULL, &r);
  for (int k = 0; !status && k < 3; k++) status = picus_sim_step(r.sim, 1e-3, NULL);
  if (!status) status = picus_sim_save(r.sim, NULL, 0, &size);
  void *data = status ? NULL : malloc(size);
  if (!status) status = picus_sim_save(r.sim, data, size, &size);
  if (!status) status = begin_text(context, text, NULL, &other);
  if (!status) status = picus_sim_load(other.sim, data, size, PICUS_LOAD_SAME_MODEL);
  if (!status) status = picus_sim_step(other.sim, 1e-3, NULL);
  free(data);
  end_text(&r);
  end_text(&other);
  return status;
}

static picus_status read_result(picus_context *context, const char *path) {
  picus_result *result = NULL;
  picus_status status = picus_result_open(context, path, &result);
  const double *values;
  const picus_switching *switchings;
  const picus_contact_point *contacts;
  for (int k = 0; !status && k < picus_result_column_count(result); k++)
    status = picus_result_values(result, k, &values);
  if (!status) status = picus_result_switchings(result, &switchings);
  for (long k = 0; !status && k < picus_result_contact_rows(result); k++)
    status = picus_result_contacts(result, k, &contacts);
  if (!status) status = picus_result_export_rows(result, "refused-rows.csv");
  picus_result_close(result);
  return status;
}

/* Written as HDF5 and as tables, and read. */
static picus_status record_and_read(picus_context *context, const char *text) {
  static const char *const names[] = {"refused.h5", "refused.csv", "refused-events.csv", "refused-contacts.csv"};
  text_run r;
  picus_status status = begin_text(context, text, NULL, &r);
  picus_run_description run = {r.model, r.system, r.sim ? picus_sim_options_of(r.sim) : NULL, ""};
  if (!status) status = picus_recorder_create(context, &run, &r.recorder);
  if (!status) status = picus_recorder_add_hdf5(r.recorder, names[0]);
  if (!status) status = picus_recorder_add_csv(r.recorder, names[1]);
  if (!status) status = picus_recorder_add_switching_csv(r.recorder, names[2]);
  if (!status) status = picus_recorder_add_contact_csv(r.recorder, names[3]);
  if (!status) status = picus_sim_run(r.sim, r.recorder, NULL, NULL);
  end_text(&r);
  if (!status) status = read_result(context, names[0]);
  for (int k = 0; k < 4; k++) remove(names[k]);
  remove("refused-rows.csv");
  return status;
}

static picus_status find_reference(picus_context *context, const char *text) {
  text_run r;
  picus_status status = begin_text(context, text, "adaptive", &r);
  picus_run_description run = {r.model, r.system, r.sim ? picus_sim_options_of(r.sim) : NULL, ""};
  picus_reference_options options = picus_default_reference_options();
  picus_reference_report report;
  options.path = "refused-reference.h5";
  options.accuracy = 1e-3;
  if (!status) status = picus_reference_search(context, &run, &options, &report);
  end_text(&r);
  remove(options.path);
  return status;
}

static void refuse_each_of(picus_status (*work)(picus_context *context, const char *name), const char *name,
                           long stride) {
  for (long n = 0;; n += stride) {
    test_allocations b = test_grant_first(n);
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &b};
    picus_context *context;
    if (picus_context_create(&def, &context) != PICUS_OK) {
      CHECK(n == 0);
      continue;
    }
    picus_status status = work(context, name);
    if (status != PICUS_OK && (status != PICUS_ERROR_MEMORY || !picus_last_error(context)->message[0]))
      printf("  %s, allocation %ld: %s\n", is_text(name) ? "a text" : name, n, picus_last_error(context)->message);
    CHECK(status == PICUS_OK || (status == PICUS_ERROR_MEMORY && picus_last_error(context)->message[0]));
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
    CHECK(b.outstanding == 0);
    if (status == PICUS_OK) {
      printf("  %s: %ld allocations\n", is_text(name) ? "a text" : name, n);
      return;
    }
    REQUIRE(n < 1000000);
  }
}

/* More constraints than are treated as dense rows, four of them redundant. */
static const char LINKS[] =
    "local last = ground\n"
    "for i = 1, 26 do\n"
    "  local b = planar_body {'b' .. i, mass = 1, inertia = 0.1, position = {i - 0.5, 0}, velocity = {0, 1}}\n"
    "  revolute {'j' .. i, last, b, at = {i - 1, 0}}\n"
    "  if i % 10 == 0 then revolute {'again' .. i, last, b, at = {i - 1, 0}} end\n"
    "  last = b\n"
    "end\n"
    "simulate {dt = 0.1, t_end = 1}\n";

/* Rank, redundant constraints and assembly of them. */
static picus_status treat_constraints(picus_context *context, const picus_system *system) {
  enum { MOST = 128 };
  double q[MOST], u[MOST];
  bool redundant[MOST];
  picus_constraint_report report = {0};
  picus_evaluation *e = NULL;
  picus_system_start(system, q, u);
  q[4] += 0.01;
  picus_status status = picus_evaluation_create(context, system, &e);
  if (status == PICUS_OK) {
    picus_evaluation_set_point(e, 0, q, u);
    status = picus_system_examine_constraints(e, &report, redundant);
  }
  if (status == PICUS_OK) CHECK(report.constraints > 48 && report.rank < report.constraints);
  picus_evaluation_destroy(e);
  return status == PICUS_OK ? picus_system_assemble(context, system, 0, q, u) : status;
}

static void many_constraints(void) {
  test_allocations b = test_grant_all();
  picus_context_def def = {.allocate = test_allocate, .allocate_user = &b};
  picus_context *context;
  picus_model *model = NULL;
  picus_system *system = NULL;
  REQUIRE(picus_context_create(&def, &context) == PICUS_OK);
  REQUIRE(picus_model_load_text(context, "text", LINKS, strlen(LINKS), NULL, &model) == PICUS_OK);
  REQUIRE(picus_system_create(model, &system) == PICUS_OK);
  const size_t before = picus_context_memory(context);
  picus_status status = PICUS_ERROR_MEMORY;
  long n = 0;
  for (; status != PICUS_OK && n < 1000000; n++) {
    b = (test_allocations){.outstanding = b.outstanding, .granted = n, .refused = LONG_MAX - n};
    status = treat_constraints(context, system);
    CHECK(status == PICUS_OK || (status == PICUS_ERROR_MEMORY && picus_last_error(context)->message[0]));
    CHECK(picus_context_memory(context) == before);
  }
  CHECK(status == PICUS_OK && n > 20);
  printf("  many constraints: %ld allocations\n", n - 1);
  b = (test_allocations){.outstanding = b.outstanding};
  picus_system_destroy(system);
  picus_model_destroy(model);
  picus_context_destroy(context);
  CHECK(b.outstanding == 0);
}

static void refuse_each(const char *name, long stride) { refuse_each_of(whole_run, name, stride); }

static void woodpecker(void) { refuse_each("woodpecker", test_is_reduced() ? 13 : 1); }
static void friction_that_varies(void) { refuse_each("stribeck-belt", test_is_reduced() ? 13 : 1); }
static void friction_of_a_joint(void) { refuse_each("drawer", test_is_reduced() ? 13 : 1); }
static void sliding_mass(void) { refuse_each("sliding-mass", test_is_reduced() ? 7 : 1); }

/* A mass and a bar of three elements, by a text: the words of flexible components. */
static void flexible(void) { refuse_each(FLEXIBLE, test_is_reduced() ? 7 : 1); }

/* A body in a joint, assembled, with a spring and a contact: the words of rigid bodies. */
static void bodies(void) { refuse_each(BODIES, test_is_reduced() ? 17 : 3); }

static void rocking_block(void) { refuse_each("rocking-block", test_is_reduced() ? 7 : 1); } /* implicit */

static void rattle(void) { refuse_each(RATTLE, test_is_reduced() ? 17 : 3); }

static void nodes(void) { refuse_each(NODES, test_is_reduced() ? 17 : 1); }

static void jacobians(void) { refuse_each_of(all_jacobians, RATTLE, test_is_reduced() ? 17 : 1); }

/* All in long tests, else about `wanted` of them, and a fifth of those under sanitizers. */
static void refuse_some_of(picus_status (*work)(picus_context *context, const char *name), const char *text,
                           long wanted) {
  test_allocations all = test_grant_all();
  picus_context_def def = {.allocate = test_allocate, .allocate_user = &all};
  picus_context *context;
  REQUIRE(picus_context_create(&def, &context) == PICUS_OK);
  const picus_status status = work(context, text);
  if (!CHECK(status == PICUS_OK)) printf("  %s\n", picus_last_error(context)->message);
  picus_context_destroy(context);
  if (status) return;
  const long stride = test_is_long() ? 1 : 1 + all.calls / test_size(1 + wanted / 5, wanted, wanted);
  refuse_each_of(work, text, stride);
}

static void schemes(void) {
  for (int k = 0; picus_scheme_at(k); k++) {
    scheme_now = picus_scheme_at(k)->name;
    printf("  %s\n", scheme_now);
    refuse_some_of(with_scheme, BALL, 50);
  }
}
static void adaptive(void) {
  scheme_now = "adaptive";
  refuse_some_of(with_scheme, BALL, 100);
}
static void shapes(void) {
  static const char *const names[] = {"moreau", "rattle", "moreau-jean", "adaptive"};
  for (int k = 0; k < 4; k++) {
    scheme_now = names[k];
    refuse_some_of(with_scheme, DISKS, 60);
  }
}
static void checkpoints(void) {
  refuse_some_of(save_and_load, DISKS, 100);
  refuse_some_of(save_and_load, BALL, 60);
}
static void results(void) { refuse_some_of(record_and_read, DISKS, 80); }
static void references(void) { refuse_some_of(find_reference, BALL, 60); }

int main(int argc, char **argv) {
  static const test_case cases[] = {{"woodpecker", woodpecker},
                                    {"friction_that_varies", friction_that_varies},
                                    {"friction_of_a_joint", friction_of_a_joint},
                                    {"sliding_mass", sliding_mass},
                                    {"flexible", flexible},
                                    {"bodies", bodies},
                                    {"rocking_block", rocking_block},
                                    {"rattle", rattle},
                                    {"jacobians", jacobians},
                                    {"many_constraints", many_constraints},
                                    {"nodes", nodes},
                                    {"schemes", schemes},
                                    {"adaptive", adaptive},
                                    {"shapes", shapes},
                                    {"checkpoints", checkpoints},
                                    {"results", results},
                                    {"references", references}};
  return test_main(argc, argv, "refused_memory", cases, sizeof cases / sizeof *cases);
}
