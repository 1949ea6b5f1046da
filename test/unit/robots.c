/* Robots in formats of others: masses, periods, falls, limits, springs, motors and loops against closed forms; the same
 * robot in both formats; hostile XML. */
#define _POSIX_C_SOURCE 200809L
#include "base/internal.h"
#include "support/check.h"
#include "support/tool.h"
#include "text_format/robot.h"

#include <math.h>
#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* --- a robot that moves ------------------------------------------------------------------------------------------- */

typedef struct machine {
  picus_context *context;
  char *text, *notes;
  picus_model *model;
  picus_system *system;
} machine;

typedef struct included {
  const char *name, *text;
} included;

static picus_context *used_context;

/* The only file that descriptions include here. */
static picus_status give_file(void *user, const char *name, unsigned char **bytes, size_t *size) {
  const included *file = user;
  if (!file || strcmp(file->name, name) != 0) return picus_fail(used_context, PICUS_ERROR_IO, "there is no '%s'", name);
  *size = strlen(file->text);
  *bytes = picus_allocate(used_context, *size + 1, 1);
  memcpy(*bytes, file->text, *size);
  return PICUS_OK;
}

static picus_status import_bytes(machine *m, const char *name, const void *bytes, size_t size, included *file,
                                 bool is_floating) {
  const robot_source source = {name, bytes, size, give_file, file, is_floating};
  *m = (machine){0};
  if (!CHECK(picus_context_create(NULL, &m->context) == PICUS_OK)) return PICUS_ERROR_MEMORY;
  used_context = m->context;
  return picus_robot_import(m->context, &source, &m->text, &m->notes);
}

static void release(machine *m) {
  picus_system_destroy(m->system);
  picus_model_destroy(m->model);
  picus_release(m->context, m->text);
  picus_release(m->context, m->notes);
  CHECK(picus_context_memory(m->context) == 0);
  picus_context_destroy(m->context);
  *m = (machine){0};
}

static bool build(machine *m, const char *name, const char *xml, included *file, bool is_floating) {
  picus_status status = import_bytes(m, name, xml, strlen(xml), file, is_floating);
  const picus_load_options load = {.folder = "."};
  if (!status) status = picus_model_load_text(m->context, "robot.lua", m->text, strlen(m->text), &load, &m->model);
  if (!status) status = picus_system_create(m->model, &m->system);
  if (status) fprintf(stderr, "%s\n%s\n", picus_last_error(m->context)->message, m->text ? m->text : "");
  return CHECK(status == PICUS_OK);
}

/* The last values of a run; the caller frees nothing. */
typedef struct last_row {
  picus_memory *memory;
  picus_summary summary;
} last_row;

static bool run(machine *m, double dt, double t_end, const char *input, double value, last_row *out) {
  picus_sim *sim = NULL;
  picus_recorder *recorder = NULL;
  picus_sim_options o = picus_model_sim_options(m->model);
  o.dt = dt;
  o.t_end = t_end;
  o.every = 100000000;
  *out = (last_row){0};
  picus_status status = picus_sim_create(m->context, m->system, &o, &sim);
  const picus_run_description description = {m->model, m->system, &o, ""};
  if (!status && input) status = picus_sim_set_input(sim, input, value, 0);
  if (!status) status = picus_recorder_create(m->context, &description, &recorder);
  if (!status) status = picus_memory_create(m->context, &out->memory);
  if (!status) status = picus_recorder_add_memory(recorder, out->memory, 0);
  if (!status) status = picus_sim_run(sim, recorder, NULL, &out->summary);
  if (status) fprintf(stderr, "%s\n", picus_last_error(m->context)->message);
  picus_recorder_destroy(recorder);
  picus_sim_destroy(sim);
  return CHECK(status == PICUS_OK);
}

static double last(const last_row *row, const char *name) {
  const int column = picus_memory_find(row->memory, name);
  if (!test_check(column >= 0, __FILE__, __LINE__, name)) return NAN;
  return picus_memory_values(row->memory, column)[picus_memory_row_count(row->memory) - 1];
}

/* The sum of the masses of all bodies. */
static double total_mass(machine *m) {
  const int nu = picus_system_nu(m->system), nq = picus_system_nq(m->system);
  double *M = calloc((size_t)(nu * nu), sizeof *M), *q = calloc((size_t)nq, sizeof *q),
         *u = calloc((size_t)nu, sizeof *u);
  double sum = 0;
  picus_evaluation *e = NULL;
  picus_system_start(m->system, q, u);
  if (CHECK(picus_evaluation_create(m->context, m->system, &e) == PICUS_OK)) {
    picus_evaluation_set_point(e, 0, q, u);
    CHECK(picus_evaluate_mass(e, M) == PICUS_OK);
    for (int k = 0; k < nu; k++)
      if (strncmp(picus_system_u_name(m->system, k), "vx_", 3) == 0) sum += M[k * nu + k];
  }
  picus_evaluation_destroy(e);
  free(M);
  free(q);
  free(u);
  return sum;
}

/* --- closed forms ------------------------------------------------------------------------------------------------- */

/* The complete elliptic integral K(k), by the arithmetic-geometric mean. */
static double elliptic(double k) {
  double a = 1, b = sqrt(1 - k * k);
  for (int i = 0; i < 20; i++) {
    const double next = (a + b) / 2;
    b = sqrt(a * b);
    a = next;
  }
  return PI / (2 * a);
}

/* A capsule of density 1000 on a hinge, 1 rad from below: after its period it is there again. */
static void pendulum_period(void) {
  static const char xml[] = "<mujoco><worldbody><body pos='0 0 1' euler='0 32.70422048691 0'>"
                            "<joint name='h' axis='0 1 0'/>"
                            "<geom type='capsule' fromto='0 0 0 0.6 0 0' size='0.02'/></body></worldbody></mujoco>";
  const double r = 0.02, l = 0.6, g = 9.81, rod = 1000 * PI * r * r * l, ends = 1000 * 4.0 / 3 * PI * r * r * r;
  const double across = rod * (r * r / 4 + l * l / 12) + ends * (0.4 * r * r + l * l / 4 + 0.375 * l * r);
  const double mass = rod + ends, J = across + mass * 0.09;
  const double period = 4 * sqrt(J / (mass * g * 0.3)) * elliptic(sin(0.5));
  machine m;
  last_row row = {0};
  if (build(&m, "pendulum.xml", xml, NULL, false) && run(&m, period / 4000, period, NULL, 0, &row)) {
    CHECK_NEAR(total_mass(&m), mass, 1e-12);
    CHECK_NEAR(last(&row, "h_value"), 0, 1e-5);
    CHECK_NEAR(last(&row, "vx_body"), 0, 1e-3);
    CHECK_NEAR(row.summary.energy.end, row.summary.energy.start, 1e-6);
  }
  picus_memory_destroy(row.memory);
  row = (last_row){0};
  if (m.model && run(&m, period / 4000, period / 2, NULL, 0, &row)) /* at the other side, 2 rad away */
    CHECK_NEAR(last(&row, "h_value"), 2, 1e-5);
  picus_memory_destroy(row.memory);
  release(&m);
}

/* Masses of all shapes, in bodies that are nested without joints. */
static void masses_of_shapes(void) {
  static const char xml[] =
      "<mujoco><default><geom density='500' contype='0' conaffinity='0'/><default class='heavy'><geom density='2000'/>"
      "</default></default><worldbody><body pos='0 0 1'><freejoint/><geom type='sphere' size='0.1'/>"
      "<body pos='1 0 0' childclass='heavy'><geom type='box' size='0.1 0.2 0.3'/><geom type='cylinder' size='0.1 0.2'/>"
      "<body euler='90 0 0'><geom type='ellipsoid' size='0.1 0.2 0.3' mass='7'/>"
      "<geom class='main' type='capsule' size='0.1 0.2'/></body></body></body></worldbody></mujoco>";
  const double expected = 500 * 4.0 / 3 * PI * 1e-3 + 2000 * 0.2 * 0.4 * 0.6 + 2000 * PI * 0.01 * 0.4 + 7 +
                          500 * (4.0 / 3 * PI * 1e-3 + PI * 0.01 * 0.4);
  machine m;
  if (build(&m, "masses.xml", xml, NULL, false)) CHECK_NEAR(total_mass(&m), expected, 1e-9);
  release(&m);
}

/* A box that nothing holds. */
static void free_fall(void) {
  static const char xml[] = "<mujoco><option gravity='0 1 -10'/><worldbody><geom type='plane' size='1 1 1'/>"
                            "<body name='box' pos='0.1 0.2 9' quat='1 1 0 0'><joint type='free'/>"
                            "<geom type='box' size='.1 .2 .3' pos='0.05 0 0'/></body></worldbody></mujoco>";
  machine m;
  last_row row = {0};
  if (build(&m, "fall.xml", xml, NULL, false) && run(&m, 1e-2, 1, NULL, 0, &row)) {
    CHECK_NEAR(last(&row, "x_box"), 0.15, 1e-12);
    CHECK_NEAR(last(&row, "y_box"), 0.2 + 0.5, 1e-12);
    CHECK_NEAR(last(&row, "z_box"), 9 - 5, 1e-12);
    CHECK_NEAR(last(&row, "wx_box"), 0, 1e-12);
  }
  picus_memory_destroy(row.memory);
  release(&m);
}

/* A lever falls on its limit and lies there; another one starts within its limits. */
static void limits_hold(void) {
  static const char xml[] =
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='ja' axis='0 1 0' range='-180 30'/>"
      "<geom type='box' size='.2 .02 .02' pos='.2 0 0'/></body>"
      "<body name='b' pos='0 1 1'><joint name='jb' axis='0 1 0' range='-60 -20' limited='true'/>"
      "<geom type='box' size='.2 .02 .02' pos='.2 0 0'/></body>"
      "<body name='c' pos='0 2 1'><joint name='jc' type='slide' axis='0 0 1' range='-0.1 1'/>"
      "<geom type='box' size='.2 .02 .02'/></body></worldbody></mujoco>";
  machine m;
  last_row row = {0};
  if (build(&m, "limits.xml", xml, NULL, false) && run(&m, 1e-3, 2, NULL, 0, &row)) {
    CHECK_NEAR(last(&row, "ja_value"), 30 * PI / 180, 1e-9);
    CHECK_NEAR(last(&row, "jb_value"), -20 * PI / 180, 1e-9);
    CHECK_NEAR(last(&row, "jc_value"), -0.1, 1e-9);
    CHECK(strstr(m.notes, "joint 'jb' is at 0: it starts at -0.349066") != NULL);
  }
  picus_memory_destroy(row.memory);
  release(&m);
}

/* x'' + 2 D w x' + w^2 (x - rest) = 0 on a slide; the same about a hinge. */
static void springs_and_dampers(void) {
  static const char xml[] =
      "<mujoco><option gravity='0 0 0'/><compiler angle='radian'/><default><geom contype='0' "
      "conaffinity='0'/></default>"
      "<worldbody><body name='s'><joint name='js' type='slide' axis='1 0 0' stiffness='50' damping='2' "
      "springref='0.3'/>"
      "<geom type='sphere' size='0.1' mass='2'/></body>"
      "<body name='h' pos='0 1 0'><joint name='jh' axis='0 0 1' stiffness='3' damping='0.5' springref='0.4'/>"
      "<geom type='sphere' size='0.2' mass='2' pos='1 0 0'/></body></worldbody></mujoco>";
  const double t = 1.25;
  machine m;
  last_row row = {0};
  if (build(&m, "springs.xml", xml, NULL, false) && run(&m, 2.5e-4, t, NULL, 0, &row)) {
    const double data[2][4] = {{2, 50, 2, 0.3}, {2 * (1 + 0.4 * 0.04), 3, 0.5, 0.4}}; /* inertia, c, d, rest */
    static const char *const names[] = {"js_value", "jh_value"};
    for (int k = 0; k < 2; k++) {
      const double w = sqrt(data[k][1] / data[k][0]), decay = data[k][2] / (2 * data[k][0]),
                   wd = sqrt(w * w - decay * decay);
      const double x = data[k][3] * (1 - exp(-decay * t) * (cos(wd * t) + decay / wd * sin(wd * t)));
      CHECK_NEAR(last(&row, names[k]), x, 1e-6);
    }
  }
  picus_memory_destroy(row.memory);
  release(&m);
}

/* A motor with a gear, a servo at rest, a speed drive. */
static void drives_act(void) {
  static const char xml[] =
      "<mujoco><option gravity='0 0 0'/><default><geom contype='0' conaffinity='0'/></default>"
      "<worldbody><body><joint name='a' axis='0 0 1'/><geom type='sphere' size='0.5' mass='2'/></body>"
      "<body><joint name='b' type='slide' axis='0 0 1'/><geom type='sphere' size='0.5' mass='2'/></body>"
      "<body><joint name='c' type='slide' axis='0 1 0'/><geom type='sphere' size='0.5' mass='2'/></body></worldbody>"
      "<actuator><motor name='push' joint='a' gear='3' ctrlrange='-1 0.5'/>"
      "<position name='hold' joint='b' kp='8' kv='2'/><velocity joint='c' kv='4'/></actuator></mujoco>";
  machine m;
  last_row row = {0};
  if (build(&m, "drives.xml", xml, NULL, false)) {
    if (run(&m, 2.5e-4, 0.5, "push", 0.4, &row))
      CHECK_NEAR(last(&row, "a_value"), 0.4 * 3 / (2 * 0.4 * 2 * 0.25) * 0.25, 1e-7);
    picus_memory_destroy(row.memory);
    if (run(&m, 2.5e-4, 0.5, "push", 2, &row)) /* beyond its range */
      CHECK_NEAR(last(&row, "a_value"), 0.5 * 3 / (2 * 0.4 * 2 * 0.25) * 0.25, 1e-7);
    picus_memory_destroy(row.memory);
    if (run(&m, 1e-3, 12, "hold", 0.7, &row)) CHECK_NEAR(last(&row, "b_value"), 0.7, 2e-3);
    picus_memory_destroy(row.memory);
    if (run(&m, 1e-3, 1, "c", 0.3, &row)) CHECK_NEAR(last(&row, "c_value"), 0.3 * (1 - (1 - exp(-2.0)) / 2), 1e-6);
    picus_memory_destroy(row.memory);
  }
  release(&m);
}

/* Four bars, closed by <connect>: one degree of freedom, which keeps its energy. */
static void closed_loop(void) {
  static const char xml[] =
      "<mujoco><default><geom contype='0' conaffinity='0' type='capsule' size='0.02'/><joint axis='0 1 0'/></default>"
      "<worldbody><body name='a'><joint/><geom fromto='0 0 0 0 0 0.3'/>"
      "<body name='b' pos='0 0 0.3'><joint/><geom fromto='0 0 0 0.5 0 0'/></body></body>"
      "<body name='c' pos='0.5 0 0'><joint/><geom fromto='0 0 0 0 0 0.3'/></body></worldbody>"
      "<equality><connect body1='c' body2='b' anchor='0 0 0.3'/></equality></mujoco>";
  machine m;
  last_row row = {0};
  if (build(&m, "loop.xml", xml, NULL, false) && run(&m, 1e-3, 1, NULL, 0, &row)) {
    CHECK_NEAR(row.summary.energy.end, row.summary.energy.start, 1e-6 * row.summary.energy.start);
    CHECK(row.summary.gaps.constraint < 1e-9);
  }
  picus_memory_destroy(row.memory);
  release(&m);
}

/* A rotor has the rate of its joint, relative to the link before it: M = {{2 I, I}, {I, I + A}} of two spheres on one
 * axis, and mass + A on a slide. */
static void rotors(void) {
  static const char xml[] =
      "<mujoco><option gravity='0 0 0'/><default><geom contype='0' conaffinity='0' type='sphere' size='0.5' mass='2'/>"
      "</default><worldbody><body><joint name='a' axis='0 0 1'/><geom/>"
      "<body><joint name='b' axis='0 0 1' armature='0.3'/><geom/></body></body>"
      "<body><joint name='c' type='slide' armature='0.5'/><geom/></body></worldbody>"
      "<actuator><motor name='turn' joint='b'/><motor name='push' joint='c'/></actuator></mujoco>";
  const double I = 0.4 * 2 * 0.25, A = 0.3, torque = 0.2, det = 2 * I * (I + A) - I * I;
  machine m;
  last_row row = {0};
  if (build(&m, "rotors.xml", xml, NULL, false)) {
    if (run(&m, 2.5e-4, 0.5, "turn", torque, &row)) {
      CHECK_NEAR(last(&row, "a_value"), -I * torque / det / 8, 1e-7);
      CHECK_NEAR(last(&row, "b_value"), 2 * I * torque / det / 8, 1e-7);
    }
    picus_memory_destroy(row.memory);
    if (run(&m, 2.5e-4, 0.5, "push", 3, &row)) CHECK_NEAR(last(&row, "c_value"), 3 / 2.5 / 8, 1e-7);
    picus_memory_destroy(row.memory);
  }
  release(&m);
}

/* Slides with b = 0.5 + 2 a and c = 0.25: the push of a moves its mass and four times that of b. */
static void joints_follow(void) {
  static const char xml[] =
      "<mujoco><option gravity='0 0 0'/><default><geom contype='0' conaffinity='0' type='sphere' size='0.5' mass='2'/>"
      "<joint type='slide'/></default><worldbody><body><joint name='a'/><geom/></body>"
      "<body><joint name='b'/><geom/></body><body><joint name='c'/><geom/></body></worldbody>"
      "<equality><joint joint1='b' joint2='a' polycoef='0.5 2 0 0 0'/><joint joint1='c' polycoef='0.25'/></equality>"
      "<actuator><motor name='push' joint='a'/></actuator></mujoco>";
  machine m;
  last_row row = {0};
  if (build(&m, "follow.xml", xml, NULL, false) && run(&m, 2.5e-4, 0.5, "push", 4, &row)) {
    CHECK_NEAR(last(&row, "a_value"), 4.0 / 10 / 8, 1e-9);
    CHECK_NEAR(last(&row, "b_value"), 0.5 + 2 * last(&row, "a_value"), 1e-12);
    CHECK_NEAR(last(&row, "c_value"), 0.25, 1e-12);
  }
  picus_memory_destroy(row.memory);
  release(&m);
}

/* Two slides, masses 2 and 3, on a tendon of length L = a - 2 b: a spring with a damper, a motor, a limit, an equality.
 * A pull F on the tendon gives a'' = F / 2, b'' = -2 F / 3, L'' = (1 / 2 + 4 / 3) F. */
static void build_tendon(machine *m, const char *tendon, const char *rest) {
  char xml[1500];
  snprintf(
      xml, sizeof xml,
      "<mujoco><option gravity='0 0 0'/><default><geom contype='0' conaffinity='0' type='sphere' size='0.5'/>"
      "<joint type='slide'/><tendon damping='1.5'/></default><worldbody>"
      "<body><joint name='a'/><geom mass='2'/></body><body><joint name='b'/><geom mass='3'/></body></worldbody>"
      "<tendon><fixed name='L' %s><joint joint='a' coef='1'/><joint joint='b' coef='-2'/></fixed></tendon>%s</mujoco>",
      tendon, rest);
  build(m, "tendon.xml", xml, NULL, false);
}

static void tendons_act(void) {
  static const char push[] =
      "<actuator><motor name='push' joint='a'/><motor name='pull' tendon='L' gear='2'/></actuator>";
  const double t = 0.75, k = 7, d = 1.5, inverse = 0.5 + 4.0 / 3;
  machine m;
  last_row row = {0};
  build_tendon(&m, "stiffness='7' springlength='0.3'", "");
  if (m.system && run(&m, 2.5e-4, t, NULL, 0, &row)) { /* L'' = -(k (L - 0.3) + d L') inverse */
    const double decay = d * inverse / 2, w = sqrt(k * inverse - decay * decay);
    const double L = 0.3 * (1 - exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t)));
    CHECK_NEAR(last(&row, "L_value"), L, 1e-6);
    CHECK_NEAR(last(&row, "a_value"), L / inverse / 2, 1e-6);
    CHECK_NEAR(last(&row, "b_value"), -L / inverse * 2 / 3, 1e-6);
  }
  picus_memory_destroy(row.memory);
  release(&m);
  build_tendon(&m, "damping='0'", push);
  if (m.system && run(&m, 2.5e-4, t, "pull", 0.4, &row)) {
    CHECK_NEAR(last(&row, "a_value"), 0.8 / 2 * t * t / 2, 1e-9);
    CHECK_NEAR(last(&row, "b_value"), -2 * 0.8 / 3 * t * t / 2, 1e-9);
  }
  picus_memory_destroy(row.memory);
  release(&m);
  build_tendon(&m, "damping='0' range='-1 0.05'", push);
  if (m.system && run(&m, 1e-3, t, "pull", 0.4, &row)) CHECK_NEAR(last(&row, "L_value"), 0.05, 1e-9);
  picus_memory_destroy(row.memory);
  release(&m);
  build_tendon(&m, "", push);
  CHECK(!m.notes || !strstr(m.notes, "tendon 'L'"));
  release(&m);
  build_tendon(&m, "damping='0' frictionloss='0.9'", push);
  if (m.system && run(&m, 1e-3, t, "pull", 0.4, &row)) CHECK_NEAR(last(&row, "L_value"), 0, 1e-12); /* 0.8 < 0.9 */
  picus_memory_destroy(row.memory);
  release(&m);
  build_tendon(&m, "", "<equality><tendon tendon1='L'/></equality><actuator><motor name='push' joint='a'/></actuator>");
  if (m.system && run(&m, 2.5e-4, t, "push", 4, &row)) { /* b = a / 2: the mass is 2 + 3 / 4 */
    CHECK_NEAR(last(&row, "a_value"), 4 / 2.75 * t * t / 2, 1e-9);
    CHECK_NEAR(last(&row, "b_value"), 4 / 2.75 * t * t / 4, 1e-9);
  }
  picus_memory_destroy(row.memory);
  release(&m);
}

/* What is not read stands in the head by its name. */
static void what_is_left_out_is_named(void) {
  static const char *const left_out[] = {"the heightfield 'hills'",
                                         "the tendon 'rope', which is <spatial>",
                                         "equality constraints of spatial tendons",
                                         "the spring of the tendon 'L', which has a range without force",
                                         "limits of 'L', a tendon of hinges that turn without end",
                                         "the tendon 'L' is at 0: correct it, its limits are 0.5 and 1"};
  static const char xml[] =
      "<mujoco><worldbody><geom type='hfield' hfield='hills'/><body><joint name='a'/><geom "
      "size='1'/></body></worldbody>"
      "<tendon><spatial name='rope'/><fixed name='L' stiffness='3' springlength='0 1' range='0.5 1'>"
      "<joint joint='a' coef='2'/></fixed></tendon><equality><tendon tendon1='rope' tendon2='L'/></equality></mujoco>";
  machine m;
  if (build(&m, "left.xml", xml, NULL, false))
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
      if (!CHECK(strstr(m.notes, left_out[k]) && strstr(m.text, left_out[k]))) fprintf(stderr, "%s\n", left_out[k]);
  release(&m);
}

/* Parts of a robot of URDF lie in each other's way, and pass: what touches them is the floor alone. */
static void urdf_parts_pass_each_other(void) {
  static const char urdf[] =
      "<robot name='r'><link name='base'><collision><geometry><box size='1 1 0.2'/></geometry></collision></link>"
      "<link name='top'><inertial><mass value='3'/><inertia ixx='1' iyy='1' izz='1'/></inertial><collision><geometry>"
      "<sphere radius='0.1'/></geometry></collision></link><joint name='up' type='prismatic'><parent link='base'/>"
      "<child link='top'/><origin xyz='0 0 0.3'/><axis xyz='0 0 1'/></joint></robot>";
  machine m;
  last_row row = {0};
  if (build(&m, "pass.urdf", urdf, NULL, false)) {
    if (run(&m, 1e-3, 0.3, NULL, 0, &row)) CHECK_NEAR(last(&row, "up_value"), -9.81 * 0.045, 1e-9);
    CHECK(strstr(m.notes, "collisions of the robot with itself") != NULL);
    static const char line[] = "collide {groups = {\"group1\", \"group1\"}, on = false}";
    char *found = strstr(m.text, line);
    char *rule = found ? strstr(found + 1, line) : NULL; /* the first one is that of the head */
    picus_memory_destroy(row.memory);
    row = (last_row){0};
    picus_system_destroy(m.system);
    picus_model_destroy(m.model);
    m.system = NULL, m.model = NULL;
    if (CHECK(rule != NULL)) {
      memset(rule, ' ', sizeof line - 1); /* as the head says: now they touch */
      const picus_load_options load = {.folder = "."};
      CHECK(picus_model_load_text(m.context, "robot.lua", m.text, strlen(m.text), &load, &m.model) == PICUS_OK &&
            picus_system_create(m.model, &m.system) == PICUS_OK);
      if (m.system && run(&m, 1e-3, 0.6, NULL, 0, &row)) CHECK_NEAR(last(&row, "up_value"), -0.1, 1e-6);
    }
  }
  picus_memory_destroy(row.memory);
  release(&m);
}

/* Two fingers of a URDF, one the mirror image of the other, and a wheel without an end that turns thrice as fast. */
static void mimics_follow(void) {
  static const char xml[] =
      "<robot name='hand'><link name='palm'/><link name='l'><inertial><origin xyz='0.1 0 0'/><mass value='1'/>"
      "<inertia ixx='0.01' iyy='0.01' izz='0.01'/></inertial></link><link name='r'><inertial><origin xyz='0.1 0 0'/>"
      "<mass value='2'/><inertia ixx='0.01' iyy='0.01' izz='0.01'/></inertial></link><link name='w'><inertial>"
      "<mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01'/></inertial></link>"
      "<joint name='jr' type='revolute'><parent link='palm'/><child link='r'/><axis xyz='0 1 0'/>"
      "<limit lower='-1' upper='1'/><mimic joint='jl' multiplier='-1' offset='0.2'/></joint>"
      "<joint name='jl' type='revolute'><parent link='palm'/><child link='l'/><axis xyz='0 1 0'/>"
      "<limit lower='-1' upper='1'/></joint>"
      "<joint name='jw' type='continuous'><parent link='palm'/><child link='w'/><axis xyz='0 1 0'/>"
      "<mimic joint='jl' multiplier='3'/></joint></robot>";
  machine m;
  last_row row = {0};
  if (build(&m, "hand.urdf", xml, NULL, false) && run(&m, 2.5e-4, 0.3, NULL, 0, &row)) {
    CHECK(fabs(last(&row, "jl_value")) > 0.05);
    CHECK_NEAR(last(&row, "jr_value"), 0.2 - last(&row, "jl_value"), 1e-11);
    CHECK_NEAR(last(&row, "jw_value"), 3 * last(&row, "jl_value"), 1e-6);
    CHECK_NEAR(row.summary.energy.end, row.summary.energy.start, 1e-5);
  }
  picus_memory_destroy(row.memory);
  release(&m);
}

/* Three hinges of one link have light bodies between them: the mass is that of the link. */
static void several_joints(void) {
  static const char xml[] =
      "<mujoco><worldbody><body name='l' pos='0 0 1'><joint name='x' axis='1 0 0'/><joint name='y' axis='0 1 0'/>"
      "<joint name='z' axis='0 0 1' pos='0 0 .1'/><geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>";
  machine m;
  if (build(&m, "three.xml", xml, NULL, false)) {
    CHECK_NEAR(total_mass(&m), 1000 * 0.2 * 0.4 * 0.6, 1e-9);
    CHECK(picus_system_nu(m.system) == 18 && picus_system_row_count(m.system) == 15);
  }
  release(&m);
}

/* --- the same robot in other words -------------------------------------------------------------------------------- */

static void same_text(const char *one, const char *other, included *file) {
  machine a, b;
  const bool built = build(&a, "r.xml", one, NULL, false);
  if (build(&b, "r.xml", other, file, false) && built) CHECK_TEXT(a.text, b.text);
  release(&a);
  release(&b);
}

static void words_of_mjcf(void) {
  static const char plain[] =
      "<mujoco model='r'><worldbody><body name='a' pos='1 2 3' quat='0.7071067811865476 0 0 0.7071067811865476'>"
      "<joint name='j' axis='0 1 0' damping='2'/><geom type='box' size='1 2 3' "
      "friction='0.5'/></body></worldbody></mujoco>";
  included file = {"part.xml", "<mujocoinclude><body name='a' pos='0 2 3' euler='0 0 90'><joint name='j'/><geom "
                               "size='1 2 3'/></body></mujocoinclude>"};
  same_text(plain,
            "<mujoco model='r'><default><joint axis='0 1 0' damping='2'/><geom type='box' friction='0.5'/></default>"
            "<worldbody><frame pos='1 0 0'><include file='part.xml'/></frame></worldbody></mujoco>",
            &file);
  same_text(
      plain,
      "<mujoco model='r'><compiler angle='radian' eulerseq='XYZ'/><default><default class='k'><joint axis='0 3 0'/>"
      "<default class='m'><geom type='box' friction='0.5'/></default></default></default><worldbody>"
      "<body name='a' pos='1 2 3' euler='0 0 1.5707963267948966' childclass='m'><joint class='k' name='j' damping='2'/>"
      "<geom size='1 2 3'/></body></worldbody></mujoco>",
      NULL);
  same_text(plain,
            "<?xml version='1.0'?><!-- a robot --><mujoco model='&#x72;'>\n<worldbody>text<body name='a' pos='1 2 3' "
            "xyaxes='0 1 0 -1 0 0'><geom type='box' size='1 2 3' friction='0.5 1 1'/><joint name='j' axis='0 1 0' "
            "damping='2'/></body><![CDATA[<x>]]></worldbody></mujoco>",
            NULL);
}

/* A double pendulum in both formats moves in the same way. */
static void urdf_is_mjcf(void) {
  static const char mjcf[] =
      "<mujoco><option timestep='0.001'/><worldbody><body name='a'><joint name='ja' axis='0 1 0' damping='0.1'/>"
      "<inertial mass='2' pos='0.2 0 0' diaginertia='0.01 0.02 0.03'/>"
      "<body name='b' pos='0.4 0 0'><joint name='jb' axis='0 1 0' range='-60 60'/><inertial mass='1' pos='0.1 0 0' "
      "euler='0 0 90' diaginertia='0.02 0.01 0.02'/></body></body></worldbody></mujoco>";
  static const char urdf[] =
      "<robot name='r'><link name='base'/><link name='b'><inertial><origin xyz='0.1 0 0' rpy='0 0 1.5707963267948966'/>"
      "<mass value='1'/><inertia ixx='0.02' iyy='0.01' izz='0.02'/></inertial></link>"
      "<joint name='jb' type='revolute'><parent link='a'/><child link='b'/><origin xyz='0.4 0 0'/><axis xyz='0 1 0'/>"
      "<limit lower='-1.0471975511965976' upper='1.0471975511965976' effort='1' velocity='1'/></joint>"
      "<joint name='ja' type='continuous'><parent link='base'/><child link='a'/><axis xyz='0 1 0'/>"
      "<dynamics damping='0.1'/></joint><link name='a'><inertial><origin xyz='0.2 0 0'/><mass value='2'/>"
      "<inertia ixx='0.01' iyy='0.02' izz='0.03'/></inertial></link></robot>";
  machine a, b;
  last_row one = {0}, other = {0};
  const bool built = build(&a, "a.xml", mjcf, NULL, false);
  if (build(&b, "b.urdf", urdf, NULL, false) && built && run(&a, 1e-3, 1, NULL, 0, &one) &&
      run(&b, 1e-3, 1, NULL, 0, &other)) {
    CHECK_NEAR(last(&one, "ja_value"), last(&other, "ja_value"), 1e-9);
    CHECK_NEAR(last(&one, "jb_value"), last(&other, "jb_value"), 1e-9);
    CHECK(fabs(last(&one, "ja_value")) > 0.1 && one.summary.impacts == other.summary.impacts);
    CHECK_NEAR(total_mass(&b), 3, 1e-12);
  }
  picus_memory_destroy(one.memory);
  picus_memory_destroy(other.memory);
  release(&a);
  release(&b);
}

/* The root of a URDF stands or floats; shapes and a mesh collide with a slide. */
static void urdf_shapes(void) {
  static const char urdf[] =
      "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
      "<collision><geometry><box size='1 1 0.2'/></geometry></collision></link>"
      "<joint name='up' type='prismatic'><parent link='base'/><child link='top'/><origin xyz='0 0 1'/><axis xyz='0 0 "
      "2'/>"
      "<limit lower='-2' upper='2'/></joint><link name='tip'/><joint name='f' type='fixed'><parent link='top'/>"
      "<child link='tip'/></joint><link name='top'><inertial><mass value='3'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial>"
      "<collision><origin xyz='-0.1 -0.1 -0.1'/><geometry><mesh filename='file://robot-cube.obj' scale='0.2 0.2 0.2'/>"
      "</geometry></collision></link></robot>";
  FILE *file = fopen("robot-cube.obj", "w");
  REQUIRE(file != NULL);
  fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\nv 1 0 1\nv 0 1 1\nv 1 1 1\nf 1 3 5 2\n", file);
  fclose(file);
  machine m, n;
  last_row row = {0};
  if (build(&m, "r.urdf", urdf, NULL, false)) {
    CHECK_NEAR(total_mass(&m), 3, 1e-12);
    if (run(&m, 1e-3, 0.4, NULL, 0, &row)) CHECK_NEAR(last(&row, "up_value"), -9.81 * 0.08, 1e-9);
  }
  picus_memory_destroy(row.memory);
  if (build(&n, "r.urdf", urdf, NULL, true)) CHECK_NEAR(total_mass(&n), 4, 1e-12);
  release(&m);
  release(&n);
}

/* --- hostile files ------------------------------------------------------------------------------------------------ */

static void refuse(const char *xml, size_t size, const char *message) {
  machine m;
  const picus_status status = import_bytes(&m, "bad.xml", xml, size, NULL, false);
  const char *said = picus_last_error(m.context)->message;
  CHECK(status != PICUS_OK && !m.text);
  if (!CHECK(strstr(said, message) != NULL)) fprintf(stderr, "%.60s: %s\n", xml, said);
  picus_clear_error(m.context);
  release(&m);
}

static void broken_xml(void) {
  static const char *const cases[][2] = {
      {"", "the file has no element"},
      {"hello", "text stands outside of all elements"},
      {"<a>\n<b>\n</a>", "line 3: </a> closes <b> of line 2"},
      {"<a>\n<b", "line 2: <b has no end"},
      {"<a><b/>", "the file ends inside of <a> of line 1"},
      {"<a/><b/>", "a second element 'b' follows"},
      {"</a>", "closes an element that is not open"},
      {"<a b></a>", "has no value"},
      {"<a b=1></a>", "must be in quotes"},
      {"<a b='1></a>", "has no end, or holds a '<'"},
      {"<a b='1' b='2'/>", "has the attribute 'b' twice"},
      {"<a b='1'c='2'/>", "a blank between two attributes is missing"},
      {"<a b='&lol;'/>", "the entity '&lol;"},
      {"<a b='&#0;'/>", "the character '&#0;"},
      {"<a b='&#99999999999999;'/>", "the character '&#999999999"},
      {"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "document types and their entities are not read"},
      {"<a><!-- b", "a comment has no end"},
      {"<a b='\xff'/>", "not UTF-8"},
      {"<a b='\x01'/>", "the character 0x01"},
      {"<scene/>", "neither <mujoco> (MJCF) nor <robot> (URDF)"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) refuse(cases[k][0], strlen(cases[k][0]), cases[k][1]);
  refuse("<a>\0</a>", 8, "the character 0x00");
  char *deep = malloc(3 * 100000 + 1);
  for (int k = 0; k < 100000; k++) memcpy(deep + 3 * (size_t)k, "<a>", 4);
  refuse(deep, 300000, "nested more than 200 deep");
  free(deep);
}

static void broken_robots(void) {
  static const char *const cases[][2] = {
      {"<mujoco><worldbody><body><joint/><geom size='0'/></body></worldbody></mujoco>", "must be positive"},
      {"<mujoco><worldbody><body><joint/><geom size='1e300'/></body></worldbody></mujoco>", "beyond 1e+15"},
      {"<mujoco><worldbody><body><joint/><geom size='nan'/></body></worldbody></mujoco>", "beyond 1e+15"},
      {"<mujoco><worldbody><body><joint/><geom size='1 2 3 4'/></body></worldbody></mujoco>", "more than 3 numbers"},
      {"<mujoco><worldbody><body><joint axis='0 0 0'/><geom size='1'/></body></worldbody></mujoco>",
       "has no direction"},
      {"<mujoco><worldbody><body quat='0 0 0 0'/></worldbody></mujoco>", "has no direction"},
      {"<mujoco><worldbody><body name='x'><joint/></body></worldbody></mujoco>", "the link 'x' moves and has no mass"},
      {"<mujoco><worldbody><joint/></worldbody></mujoco>", "the world cannot have a joint"},
      {"<mujoco><worldbody><body><joint range='2 1'/><geom size='1'/></body></worldbody></mujoco>", "is empty"},
      {"<mujoco><worldbody><body><joint type='screw'/></body></worldbody></mujoco>", "no joint of the type 'screw'"},
      {"<mujoco><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>", "there is no mesh 'm'"},
      {"<mujoco><equality><weld body1='x'/></equality></mujoco>", "there is no body 'x'"},
      {"<mujoco><equality><joint joint1='x'/></equality></mujoco>", "two hinges or slides"},
      {"<mujoco><worldbody><body><joint name='a'/><geom size='1'/></body></worldbody><equality><joint joint1='a' "
       "joint2='a'/></equality></mujoco>",
       "two hinges or slides"},
      {"<mujoco><tendon><fixed name='t'/></tendon></mujoco>", "the tendon has no joints"},
      {"<mujoco><tendon><fixed><joint joint='x'/></fixed></tendon></mujoco>", "of hinges and slides"},
      {"<mujoco><tendon><fixed><geom/></fixed></tendon></mujoco>", "of hinges and slides"},
      {"<mujoco><equality><tendon tendon1='x'/></equality></mujoco>", "<tendon> needs 'tendon1'"},
      {"<mujoco><worldbody><body><joint name='a'/><geom size='1'/></body></worldbody><tendon><fixed stiffness='-1'>"
       "<joint joint='a'/></fixed></tendon></mujoco>",
       "must not be negative"},
      {"<mujoco><worldbody><body><joint name='a'/><geom size='1'/></body></worldbody><tendon><fixed>"
       "<joint joint='a' coef='1e300'/></fixed></tendon></mujoco>",
       "beyond 1e+15"},
      {"<mujoco><worldbody><body><joint armature='-1'/><geom size='1'/></body></worldbody></mujoco>",
       "must not be negative"},
      {"<robot><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
       "<mimic joint='j'/></joint></robot>",
       "<mimic> needs the name of another joint"},
      {"<mujoco><include file='x.xml'/></mujoco>", "there is no 'x.xml'"},
      {"<mujoco><option timestep='0'/></mujoco>", "the time step must be positive"},
      {"<robot/>", "the robot has no links"},
      {"<robot><link/></robot>", "a link has no name"},
      {"<robot><link name='a'/><link name='a'/></robot>", "two links have the name 'a'"},
      {"<robot><link name='a'/><link name='b'/></robot>", "are not connected"},
      {"<robot><link name='a'/><joint type='fixed'><parent link='a'/><child link='a'/></joint></robot>",
       "form a cycle"},
      {"<robot><link name='r'/><link name='a'/><link name='b'/><joint type='fixed'><parent link='a'/><child link='b'/>"
       "</joint><joint type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
       "the link 'a' hangs on a cycle"},
      {"<robot><link name='a'/><joint><parent link='a'/><child link='c'/></joint></robot>", "there is no link 'c'"},
      {"<robot><link name='a'/><link name='b'/><joint type='fixed'><parent link='a'/><child link='b'/></joint>"
       "<joint type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
       "the child of two joints"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) refuse(cases[k][0], strlen(cases[k][0]), cases[k][1]);
  included file = {"x.xml", "<mujoco><include file='x.xml'/></mujoco>"};
  machine m;
  CHECK(import_bytes(&m, "x.xml", file.text, strlen(file.text), &file, false) != PICUS_OK);
  CHECK(strstr(picus_last_error(m.context)->message, "does one include itself?") != NULL);
  picus_clear_error(m.context);
  release(&m);
}

/* Bytes changed, removed and doubled in good files: a model or a sentence. */
static void random_changes(void) {
  static const char good[] =
      "<mujoco model='r'><compiler angle='radian'/><default><geom type='box' friction='0.5'/></default><worldbody>"
      "<geom type='plane' size='1 1 1'/><body name='a' pos='1 2 3' euler='0 0 1.5' childclass='m'><joint name='j' "
      "damping='2' range='-1 1'/><geom size='1 2 3'/><body name='b' pos='0 0 1'><joint type='slide' axis='1 0 0'/>"
      "<geom type='capsule' fromto='0 0 0 1 0 0' size='.1'/></body></body></worldbody><equality><weld body1='a' "
      "body2='b'/></equality><tendon><fixed name='t' range='0 1'><joint joint='j' coef='2'/></fixed></tendon><actuator>"
      "<motor joint='j' gear='3' ctrlrange='0 1'/><position tendon='t' kp='2'/></actuator></mujoco>";
  test_random random = {7};
  const long rounds = test_study(300, 3000, 100000);
  long accepted = 0;
  for (long k = 0; k < rounds; k++) {
    char text[sizeof good];
    size_t size = sizeof good - 1;
    memcpy(text, good, sizeof good);
    for (int changes = test_integer(&random, 1, 4); changes > 0; changes--) {
      const size_t at = (size_t)test_integer(&random, 0, (int)size - 1);
      if (test_integer(&random, 0, 2) == 0)
        memmove(text + at, text + at + 1, size - at - 1), size--;
      else
        text[at] = good[test_integer(&random, 0, (int)sizeof good - 2)];
    }
    machine m;
    const picus_status status = import_bytes(&m, "r.xml", text, size, NULL, false);
    accepted += !status;
    CHECK(status ? picus_last_error(m.context)->message[0] != '\0' : m.text != NULL);
    picus_clear_error(m.context);
    release(&m);
  }
  CHECK(accepted > 0 && accepted < rounds);
}

/* --- the tool ----------------------------------------------------------------------------------------------------- */

static void tool_imports(void) {
  FILE *file = fopen("two.xml", "w");
  REQUIRE(file != NULL);
  fputs("<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='a' pos='0 0 1'><freejoint/><geom size='.2'/>"
        "<body name='b' pos='.2 0 0'><joint/><geom size='.2'/><body name='c' pos='.1 0 0'><joint/><geom size='.2'/>"
        "</body></body></body></worldbody><sensor/></mujoco>",
        file);
  fclose(file);
  tool_end end = tool_run("import two.xml --out two.lua", NULL);
  CHECK(end.code == 0 && strstr(end.errors, "left out or changed: <sensor>") &&
        strstr(end.errors, "collisions of 1 pairs of bodies that overlap"));
  end = tool_run("run two.lua --t-end 0.1 --quiet", NULL);
  if (!CHECK(end.code == 0)) fprintf(stderr, "%s\n", end.errors);
  end = tool_run("import two.xml --quiet", NULL);
  CHECK(end.code == 0 && !end.errors[0] && strncmp(end.output, "-- two.xml, as picus import has read it.", 40) == 0);
  end = tool_run("import nowhere.xml", NULL);
  CHECK(end.code == 2 && strstr(end.errors, "nowhere.xml"));
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"pendulum_period", pendulum_period},
                                    {"masses_of_shapes", masses_of_shapes},
                                    {"free_fall", free_fall},
                                    {"limits_hold", limits_hold},
                                    {"springs_and_dampers", springs_and_dampers},
                                    {"drives_act", drives_act},
                                    {"closed_loop", closed_loop},
                                    {"rotors", rotors},
                                    {"joints_follow", joints_follow},
                                    {"tendons_act", tendons_act},
                                    {"what_is_left_out_is_named", what_is_left_out_is_named},
                                    {"urdf_parts_pass_each_other", urdf_parts_pass_each_other},
                                    {"mimics_follow", mimics_follow},
                                    {"several_joints", several_joints},
                                    {"words_of_mjcf", words_of_mjcf},
                                    {"urdf_is_mjcf", urdf_is_mjcf},
                                    {"urdf_shapes", urdf_shapes},
                                    {"broken_xml", broken_xml},
                                    {"broken_robots", broken_robots},
                                    {"random_changes", random_changes},
                                    {"tool_imports", tool_imports}};
  return test_main(argc, argv, "robots", cases, sizeof cases / sizeof cases[0]);
}
