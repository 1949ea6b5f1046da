/* Passes over the laws of a body problem, colour by colour: sweeps, and velocities of given percussions. */
#include "sweep/body_problem.h"

#include "base/tasks.h"

#include <float.h>

enum { USUAL_COLUMNS = 12 };
enum { TASKS_MOST = 64 }; /* of a colour */

static inline void note(body_pass *pass, double change, double percussion) {
  if (change > pass->change || isnan(change)) pass->change = change; /* a NaN stays */
  if (percussion > pass->percussion) pass->percussion = percussion;
}

/* --- round contacts ------------------------------------------------------------------------------------------- */

static inline double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Adds a percussion to the velocities of the bodies. pair: two of them move; a constant for the compiler. */
static inline void push(const round_contact *k, bool pair, const double *p, double *velocity) {
  const double *n = k->normal;
  const double turn[3] = {n[1] * p[2] - n[2] * p[1], n[2] * p[0] - n[0] * p[2], n[0] * p[1] - n[1] * p[0]};
  double *a = velocity + k->body[0];
  const double a_turn = k->arm[0] * a[BODY_PER_INERTIA];
  for (int i = 0; i < 3; i++) {
    a[i] += a[BODY_PER_MASS] * p[i];
    a[BODY_SPIN + i] -= a_turn * turn[i];
  }
  if (!pair) return;
  double *b = velocity + k->body[1];
  const double b_turn = k->arm[1] * b[BODY_PER_INERTIA];
  for (int i = 0; i < 3; i++) {
    b[i] -= b[BODY_PER_MASS] * p[i];
    b[BODY_SPIN + i] -= b_turn * turn[i];
  }
}

/* xi at the contact. */
static inline void relative_velocity(const round_contact *k, bool pair, const double *velocity, double *u) {
  const double *n = k->normal, *a = velocity + k->body[0];
  double spin[3];
  for (int i = 0; i < 3; i++) {
    u[i] = k->c[i] + a[i];
    spin[i] = k->arm[0] * a[BODY_SPIN + i];
  }
  if (pair) {
    const double *b = velocity + k->body[1];
    for (int i = 0; i < 3; i++) {
      u[i] -= b[i];
      spin[i] += k->arm[1] * b[BODY_SPIN + i];
    }
  }
  u[0] -= spin[1] * n[2] - spin[2] * n[1];
  u[1] -= spin[2] * n[0] - spin[0] * n[2];
  u[2] -= spin[0] * n[1] - spin[1] * n[0];
}

/* The exact percussion for the velocity that the other contacts leave: G_ii is diagonal, so that P_N does not depend on
 * friction, and friction is projected on the circle that P_N allows. */
static inline void visit_round(const round_contact *k, bool pair, double *x, double *velocity, body_pass *pass) {
  const double *n = k->normal;
  double u[3], tangent[3], change[3];
  relative_velocity(k, pair, velocity, u);
  const double u_N = dot(n, u), x_N = dot(n, x);
  double p_N = x_N - k->normal_step * u_N;
  p_N = p_N < 0 ? 0 : p_N;
  for (int i = 0; i < 3; i++) tangent[i] = x[i] - n[i] * x_N - k->slip_step * (u[i] - n[i] * u_N);
  const double radius = k->mu * p_N, square = dot(tangent, tangent);
  const double factor = square > radius * radius ? radius / sqrt(square) : 1;
  double largest = 0;
  for (int i = 0; i < 3; i++) {
    const double value = n[i] * p_N + factor * tangent[i];
    change[i] = value - x[i];
    x[i] = value;
    const double size = fabs(change[i]);
    if (!(size <= largest)) largest = size;
  }
  note(pass, largest, p_N);
  if (largest != 0) push(k, pair, change, velocity);
}

/* Into the set of the contact. */
static inline void project_round(const round_contact *k, double *x) {
  const double *n = k->normal, x_N = dot(n, x), p_N = x_N < 0 ? 0 : x_N, radius = k->mu * p_N;
  double tangent[3];
  for (int i = 0; i < 3; i++) tangent[i] = x[i] - n[i] * x_N;
  const double square = dot(tangent, tangent);
  if (x_N >= 0 && square <= radius * radius) return;
  const double factor = square > radius * radius ? radius / sqrt(square) : 1;
  for (int i = 0; i < 3; i++) x[i] = n[i] * p_N + factor * tangent[i];
}

/* --- other laws ----------------------------------------------------------------------------------------------- */

/* dim and columns are arguments so that the compiler can make them constants. */
static inline void general_velocity(const picus_body_problem *b, const general_law *law, int dim, int columns,
                                    const double *velocity, double *u) {
  const double *W = b->rows + law->rows;
  const int *places = b->places + law->place;
  for (int k = 0; k < dim; k++) u[k] = law->c[k];
  for (int c = 0; c < columns; c++) {
    const double v = velocity[places[c]];
    for (int k = 0; k < dim; k++) u[k] += W[k * columns + c] * v;
  }
}

static inline void push_general(const picus_body_problem *b, const general_law *law, int dim, int columns,
                                const double *p, double *velocity) {
  const double *change = b->rows + law->rows + (size_t)(dim * columns);
  const int *places = b->places + law->place;
  for (int c = 0; c < columns; c++) {
    double sum = 0;
    for (int k = 0; k < dim; k++) sum += change[k * columns + c] * p[k];
    velocity[places[c]] += sum;
  }
}

static inline void visit_law(const picus_body_problem *b, general_law *law, int dim, int columns, double *velocity,
                             body_pass *pass) {
  double u[PICUS_LAW_ROWS] = {0}, value[PICUS_LAW_ROWS] = {0}, change[PICUS_LAW_ROWS], *x = b->x + law->x, largest = 0;
  general_velocity(b, law, dim, columns, velocity, u);
  for (int k = 0; k < dim; k++)
    for (int l = 0; l < dim; l++) u[k] -= law->local.own[k * dim + l] * x[l];
  picus_local_solve(&law->local, u, value);
  for (int k = 0; k < dim; k++) {
    change[k] = value[k] - x[k];
    x[k] = value[k];
    const double size = fabs(change[k]);
    if (!(size <= largest)) largest = size;
  }
  note(pass, largest, fabs(value[0]));
  if (largest != 0) push_general(b, law, dim, columns, change, velocity);
}

static void visit_general(const picus_body_problem *b, general_law *law, double *velocity, body_pass *pass) {
  const int dim = law->local.dim;
  if (dim == 3 && law->columns == USUAL_COLUMNS) /* of two spatial bodies */
    visit_law(b, law, 3, USUAL_COLUMNS, velocity, pass);
  else
    visit_law(b, law, dim, law->columns, velocity, pass);
}

/* --- colours -------------------------------------------------------------------------------------------------- */

static void sweep_rounds(picus_body_problem *b, int first, int end, body_pass *pass) {
  double *velocity = b->velocity;
  for (int k = first; k < end; k++) {
    const round_contact *contact = &b->rounds[k];
    if (contact->body[1] >= 0)
      visit_round(contact, true, b->x + 3 * k, velocity, pass);
    else
      visit_round(contact, false, b->x + 3 * k, velocity, pass);
  }
}

static void sweep_generals(picus_body_problem *b, int first, int end, body_pass *pass) {
  for (int k = first; k < end; k++) {
    general_law *law = &b->generals[k];
    visit_general(b, law, b->velocity, pass);
    if (!law->is_rolled) continue;
    general_law *rolling = &b->generals[++k]; /* with the P_N that its contact has now */
    rolling->local.radius = b->problem->laws[rolling->law].radius * b->x[law->x];
    visit_general(b, rolling, b->velocity, pass);
  }
}

/* The laws of one colour, divided among tasks. They share no velocity, so that the bits do not depend on the number of
 * tasks; nor do the largest numbers of a pass. */
typedef struct colour_work {
  picus_body_problem *b;
  const law_colour *colour;
  void (*visit)(picus_body_problem *b, const law_colour *part, body_pass *pass);
  int tasks;
  struct {
    body_pass pass;
    char filler[64 - sizeof(body_pass)]; /* a cache line for each task */
  } of_task[TASKS_MOST];
} colour_work;

/* The first of the general laws of a task: not between a contact and its rolling law. */
static int first_general(const colour_work *w, int task) {
  const law_colour *c = w->colour;
  const int first = c->first_general + picus_task_start(c->general_count, w->tasks, task);
  return first > c->first_general && w->b->generals[first - 1].is_rolled ? first + 1 : first;
}

static picus_status visit_part(void *work, int task) {
  colour_work *w = work;
  const law_colour *c = w->colour;
  const int first = picus_task_start(c->round_count, w->tasks, task), general = first_general(w, task);
  const law_colour part = {.first_round = c->first_round + first,
                           .round_count = picus_task_start(c->round_count, w->tasks, task + 1) - first,
                           .first_general = general,
                           .general_count = first_general(w, task + 1) - general};
  body_pass pass = {0, 0};
  w->visit(w->b, &part, &pass);
  w->of_task[task].pass = pass;
  return PICUS_OK;
}

/* Laws that found no colour of their own share the last one, and are visited in order. */
static int tasks_for(const picus_body_problem *b, int colour) {
  if (!b->context || !b->is_coloured || colour == PICUS_MOST_COLOURS - 1) return 1;
  const law_colour *c = &b->colours[colour];
  const int tasks = picus_tasks_for(b->context, c->round_count + c->general_count,
                                    b->task_laws ? b->task_laws : PICUS_TASK_OF_VISITS);
  return tasks < TASKS_MOST ? tasks : TASKS_MOST;
}

static body_pass visit_all(picus_body_problem *b,
                           void (*visit)(picus_body_problem *b, const law_colour *part, body_pass *pass)) {
  body_pass pass = {0, 0};
  colour_work work = {.b = b, .visit = visit};
  for (int i = 0; i < b->colour_count; i++) {
    work.colour = &b->colours[i];
    work.tasks = tasks_for(b, i);
    if (work.tasks == 1) {
      visit(b, work.colour, &pass);
      continue;
    }
    if (picus_tasks_run(b->context, work.tasks, visit_part, &work)) pass.change = NAN; /* a mistake of the host */
    for (int k = 0; k < work.tasks; k++) note(&pass, work.of_task[k].pass.change, work.of_task[k].pass.percussion);
  }
  return pass;
}

static void sweep_part(picus_body_problem *b, const law_colour *part, body_pass *pass) {
  sweep_rounds(b, part->first_round, part->first_round + part->round_count, pass);
  sweep_generals(b, part->first_general, part->first_general + part->general_count, pass);
}

body_pass picus_body_problem_sweep(picus_body_problem *b) { return visit_all(b, sweep_part); }

/* --- velocities of percussions -------------------------------------------------------------------------------- */

static void load_part(picus_body_problem *b, const law_colour *part, body_pass *pass) {
  double *velocity = b->velocity;
  (void)pass;
  for (int k = part->first_round; k < part->first_round + part->round_count; k++) {
    project_round(&b->rounds[k], b->x + 3 * k);
    if (b->rounds[k].body[1] >= 0)
      push(&b->rounds[k], true, b->x + 3 * k, velocity);
    else
      push(&b->rounds[k], false, b->x + 3 * k, velocity);
  }
  for (int k = part->first_general; k < part->first_general + part->general_count; k++) {
    const general_law *law = &b->generals[k];
    picus_law own = b->problem->laws[law->law];
    if (own.kind == PICUS_ROLLING) own = picus_law_with_normal(own, b->x[(law - 1)->x]);
    picus_contact_project(&(picus_contact_problem){.law_count = 1, .laws = &own, .size = own.dim}, b->x + law->x);
    push_general(b, law, law->local.dim, law->columns, b->x + law->x, velocity);
  }
}

void picus_body_problem_load(picus_body_problem *b) {
  double *velocity = b->velocity;
  for (int k = 0; k < b->body_count; k++)
    for (int i = 0; i < 3; i++) velocity[k * BODY_NUMBERS + i] = velocity[k * BODY_NUMBERS + BODY_SPIN + i] = 0;
  for (int k = b->body_count * BODY_NUMBERS; k < b->velocity_count; k++) velocity[k] = 0;
  visit_all(b, load_part);
}

/* --- residual --------------------------------------------------------------------------------------------------- */

/* The natural map of a round contact, with the velocity u: see contact/residual.c. */
static double natural_of_round(const round_contact *k, double rho, const double *x, const double *u) {
  const double *n = k->normal, x_N = dot(n, x), u_N = dot(n, u), radius = k->mu * (x_N > 0 ? x_N : 0);
  const double normal = x_N - rho * u_N > 0 ? rho * u_N : x_N;
  double x_T[3], slip[3], argument[3], defect[3];
  for (int i = 0; i < 3; i++) {
    x_T[i] = x[i] - n[i] * x_N;
    slip[i] = rho * (u[i] - n[i] * u_N);
    argument[i] = x_T[i] - slip[i];
  }
  const double length = sqrt(dot(argument, argument)), factor = length > 0 ? radius / length : 0;
  for (int i = 0; i < 3; i++) defect[i] = length < radius ? slip[i] : x_T[i] - factor * argument[i];
  return sqrt(normal * normal + dot(defect, defect));
}

static double natural_of_law(const picus_body_problem *b, const general_law *law, double rho) {
  const picus_law *own = &b->problem->laws[law->law];
  double u[PICUS_LAW_ROWS] = {0};
  general_velocity(b, law, own->dim, law->columns, b->velocity, u);
  const double normal = own->kind == PICUS_ROLLING ? b->x[(law - 1)->x] : 0;
  return picus_law_natural(own, rho, normal, b->x + law->x, u).length;
}

static void judge_part(picus_body_problem *b, const law_colour *part, body_pass *pass) {
  double square = 0;
  for (int k = part->first_round; k < part->first_round + part->round_count; k++) {
    const round_contact *contact = &b->rounds[k];
    const double *x = b->x + 3 * k;
    double u[3];
    relative_velocity(contact, contact->body[1] >= 0, b->velocity, u);
    note(pass, natural_of_round(contact, 1 / b->weight[3 * k], x, u), 0);
    square = fmax(square, dot(x, x));
  }
  note(pass, 0, sqrt(square));
  for (int k = part->first_general; k < part->first_general + part->general_count; k++) {
    const general_law *law = &b->generals[k];
    const double weight = b->weight[law->x];
    note(pass, weight > DBL_MIN * 4 ? natural_of_law(b, law, 1 / weight) : NAN,
         picus_length(law->local.dim, b->x + law->x));
  }
}

double picus_body_problem_residual(picus_body_problem *b) {
  const body_pass pass = visit_all(b, judge_part); /* of natural maps, in place of changes */
  if (isnan(pass.change)) return NAN;
  return picus_residual_from(pass.change, pass.percussion, b->free_percussion, 0).relative;
}

/* --- multiples ------------------------------------------------------------------------------------------------ */

/* (s P)^T G (s P) / 2 + s P^T c is least for s = -P^T c / P^T G P. */
double picus_body_problem_best_multiple(const picus_body_problem *b) {
  double along = 0, square = 0; /* P^T c, and P^T G P from the velocities u = G P + c */
  for (int k = 0; k < b->round_count; k++) {
    const round_contact *contact = &b->rounds[k];
    const double *x = b->x + 3 * k, of_c = dot(contact->c, x);
    double u[3];
    relative_velocity(contact, contact->body[1] >= 0, b->velocity, u);
    along += of_c;
    square += dot(u, x) - of_c;
  }
  for (int k = 0; k < b->general_count; k++) {
    const general_law *law = &b->generals[k];
    double u[PICUS_LAW_ROWS] = {0};
    general_velocity(b, law, law->local.dim, law->columns, b->velocity, u);
    for (int i = 0; i < law->local.dim; i++) {
      along += law->c[i] * b->x[law->x + i];
      square += (u[i] - law->c[i]) * b->x[law->x + i];
    }
  }
  const double multiple = -along / square;
  return square > 0 && isfinite(multiple) ? (multiple > 0 ? multiple : 0) : 1;
}
