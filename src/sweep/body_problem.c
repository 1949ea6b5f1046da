/* From factors of G to bodies: round contacts, rows of the other laws, colours. */
#include "sweep/body_problem.h"

#include "base/internal.h"
#include "base/tasks.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#define ROUND 1e-12 /* a contact is round if its rows differ by no more from those of spheres, relative to them */

/* --- memory --------------------------------------------------------------------------------------------------- */

void picus_body_memory_release(picus_body_memory *memory) {
  picus_release(memory->context, memory->block);
  *memory = (picus_body_memory){.context = memory->context};
}

/* A body with round contacts. */
typedef struct round_body {
  int place;      /* of its numbers */
  bool planar;    /* velocities: x, y, angle */
  double turn[9]; /* from the axes of its angular velocity to the inertial frame, row-major */
} round_body;

/* Numbers that are needed while the problem is made. */
typedef struct builder {
  const picus_contact_problem *problem;
  const picus_factored_matrix *f;
  picus_body_problem *out;
  int *body_of;   /* for each velocity: the number of the round body that it belongs to; -1 */
  int *place_of;  /* for each velocity: its place, if it belongs to no round body; -1: none yet */
  uint64_t *used; /* for each velocity: the colours of its laws */
  round_body *bodies;
  round_contact *found; /* by laws */
  char *is_round;
  int *colour; /* by laws */
  int *order;  /* of laws: by bodies, if they are coloured */
  int *first;  /* for each velocity: scratch for it */
} builder;

typedef struct piece {
  void **array;
  size_t count, size;
} piece;

enum { LINE = 64 }; /* bytes of a cache line */

static size_t carve(int count, const piece *pieces, char *block) {
  size_t at = 0;
  for (int k = 0; k < count; k++) {
    if (block) *pieces[k].array = block + at;
    at += (pieces[k].count * pieces[k].size + LINE - 1) / LINE * LINE;
  }
  return at;
}

static bool take_memory(picus_body_memory *memory, int count, const piece *pieces) {
  size_t need = carve(count, pieces, NULL) + LINE;
  if (need > memory->size) {
    picus_release(memory->context, memory->block);
    size_t size = memory->size > 0 ? need + need / 2 : need;
    memory->size = 0;
    memory->block = picus_allocate(memory->context, size, 1);
    if (!memory->block) return false;
    memory->size = size;
  }
  carve(count, pieces, memory->block + (LINE - (uintptr_t)memory->block % LINE) % LINE);
  return true;
}

/* One block of memory for all arrays of the sweeps, carved in lines of the cache. */
static bool reserve(picus_body_memory *memory, int vectors, builder *b, double **vectors_start) {
  picus_body_problem *out = b->out;
  const picus_contact_problem *p = b->problem;
  size_t laws = (size_t)p->law_count, unknowns = (size_t)b->f->unknowns, columns = (size_t)b->f->start[p->law_count];
  size_t numbers = 0, x = 3 * laws > (size_t)p->size ? 3 * laws : (size_t)p->size;
  for (int i = 0; i < p->law_count; i++)
    numbers += 2 * (size_t)p->laws[i].dim * (size_t)(b->f->start[i + 1] - b->f->start[i]);
  const piece pieces[] = {{(void **)&b->body_of, unknowns, sizeof(int)},
                          {(void **)&b->place_of, unknowns, sizeof(int)},
                          {(void **)&b->used, unknowns, sizeof(uint64_t)},
                          {(void **)&b->bodies, unknowns / 3 + 1, sizeof(round_body)},
                          {(void **)&b->found, laws, sizeof(round_contact)},
                          {(void **)&b->is_round, laws, 1},
                          {(void **)&b->colour, laws, sizeof(int)},
                          {(void **)&b->order, laws, sizeof(int)},
                          {(void **)&b->first, unknowns + 1, sizeof(int)},
                          {(void **)&out->first_row, laws + 1, sizeof(int)},
                          {(void **)&out->rounds, laws, sizeof(round_contact)},
                          {(void **)&out->round_law, laws, sizeof(int)},
                          {(void **)&out->generals, laws, sizeof(general_law)},
                          {(void **)&out->rows, numbers, sizeof(double)},
                          {(void **)&out->places, columns, sizeof(int)},
                          {(void **)&out->velocity, (unknowns / 3 + 1) * BODY_NUMBERS + unknowns, sizeof(double)},
                          {(void **)&out->x, x, sizeof(double)},
                          {(void **)&out->weight, x, sizeof(double)},
                          {(void **)vectors_start, (size_t)vectors * x, sizeof(double)}};
  return take_memory(memory, sizeof pieces / sizeof pieces[0], pieces);
}

/* --- round contacts ------------------------------------------------------------------------------------------- */

static inline double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void cross3(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline bool near3(const double *a, const double *b, double tolerance) {
  return fabs(a[0] - b[0]) <= tolerance && fabs(a[1] - b[1]) <= tolerance && fabs(a[2] - b[2]) <= tolerance;
}

/* The rows of a law on one of its bodies, as vectors of space: directions and angular parts, the latter in the axes of
 * the body, and what M^-1 makes of them. */
typedef struct side_rows {
  const double *direction[3], *angular[3], *moved[3], *turned[3];
  double planar[4][2][3]; /* of planar bodies, whose rows have no zeros for the third axis */
} side_rows;

/* dim is an argument of this and of the next functions so that the compiler can make it a constant. */
static inline void read_side(const builder *b, int law, int side, int dim, side_rows *out) {
  const int count = b->f->start[law + 1] - b->f->start[law], nu = dim == 2 ? 3 : 6;
  for (int k = 0; k < dim; k++) {
    const size_t at = b->f->offset[law] + (size_t)(k * count + side * nu);
    const double *W = b->f->W + at, *change = b->f->change + at;
    out->direction[k] = dim == 2 ? out->planar[0][k] : W;
    out->angular[k] = dim == 2 ? out->planar[1][k] : W + 3;
    out->moved[k] = dim == 2 ? out->planar[2][k] : change;
    out->turned[k] = dim == 2 ? out->planar[3][k] : change + 3;
    for (int i = 0; dim == 2 && i < 3; i++) {
      out->planar[0][k][i] = i < 2 ? W[i] : 0;
      out->planar[1][k][i] = i < 2 ? 0 : W[i];
      out->planar[2][k][i] = i < 2 ? change[i] : 0;
      out->planar[3][k][i] = i < 2 ? 0 : change[i];
    }
  }
}

/* f_0 x f_k times the arm, with the minus sign of a contact behind the centre, seen along the percussion. */
static inline void expected_angular(const side_rows *rows, int k, double arm, double *out) {
  cross3(rows->direction[0], rows->direction[k], out);
  for (int i = 0; i < 3; i++) out[i] *= -arm;
}

/* Whether M^-1 treats all directions and all axes alike. */
static inline bool is_isotropic(const side_rows *rows, int dim, double arm, double *per_mass, double *per_inertia) {
  *per_mass = dot3(rows->moved[0], rows->direction[0]);
  *per_inertia = dot3(rows->turned[1], rows->angular[1]) / (arm * arm);
  if (!(*per_mass > 0 && *per_inertia > 0 && *per_mass < DBL_MAX && *per_inertia < DBL_MAX)) return false;
  for (int k = 0; k < dim; k++) {
    double moved[3], turned[3];
    for (int i = 0; i < 3; i++) {
      moved[i] = *per_mass * rows->direction[k][i];
      turned[i] = *per_inertia * rows->angular[k][i];
    }
    if (!near3(moved, rows->moved[k], ROUND * *per_mass)) return false;
    if (!near3(turned, rows->turned[k], ROUND * *per_inertia * arm)) return false;
  }
  return true;
}

static inline bool is_orthonormal(const side_rows *rows, int dim) {
  for (int k = 0; k < dim; k++)
    for (int l = 0; l <= k; l++)
      if (!(fabs(dot3(rows->direction[k], rows->direction[l]) - (k == l)) <= ROUND)) return false;
  return true;
}

/* The rotation that takes the angular parts to where spheres have them. */
static void find_turn(const side_rows *rows, double arm, double *turn) {
  double from[3][3], to[3][3];
  for (int k = 1; k < 3; k++) {
    expected_angular(rows, k, arm, to[k - 1]);
    for (int i = 0; i < 3; i++) {
      to[k - 1][i] /= arm;
      from[k - 1][i] = rows->angular[k][i] / arm;
    }
  }
  cross3(from[0], from[1], from[2]);
  cross3(to[0], to[1], to[2]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) turn[3 * i + j] = to[0][i] * from[0][j] + to[1][i] * from[1][j] + to[2][i] * from[2][j];
}

static inline void apply_turn(const double *turn, const double *a, double *out) {
  for (int i = 0; i < 3; i++) out[i] = dot3(turn + 3 * i, a);
}

static bool columns_belong_together(const int *column, int nu) {
  for (int i = 1; i < nu; i++)
    if (column[i] != column[0] + i) return false;
  return true;
}

/* The body of these columns, a new one if there is none; -1: its velocities belong to another one in part. */
static int body_at(builder *b, const int *column, int nu, bool planar) {
  int known = b->body_of[column[0]];
  for (int i = 0; i < nu; i++)
    if (b->body_of[column[i]] != known) return -1;
  if (known >= 0) {
    const bool starts_here = column[0] == 0 || b->body_of[column[0] - 1] != known;
    return starts_here && b->bodies[known].planar == planar ? known : -1;
  }
  return b->out->body_count;
}

static void add_body(builder *b, const int *column, int nu, const round_body *body, double per_mass,
                     double per_inertia) {
  const int number = b->out->body_count++;
  double *numbers = b->out->velocity + (size_t)number * BODY_NUMBERS;
  b->bodies[number] = *body;
  b->bodies[number].place = number * BODY_NUMBERS;
  numbers[BODY_PER_MASS] = per_mass;
  numbers[BODY_PER_INERTIA] = per_inertia;
  for (int i = 0; i < nu; i++) b->body_of[column[i]] = number;
}

/* One body of a contact that may be round; fills its place and arm. *per_mass and *per_inertia grow by its share. */
static inline bool is_round_on(builder *b, int law, int side, int dim, const side_rows *rows, round_contact *contact) {
  const int nu = dim == 2 ? 3 : 6;
  const int *column = b->f->column + b->f->start[law] + side * nu;
  const double arm = sqrt(dot3(rows->angular[1], rows->angular[1])), zero[3] = {0, 0, 0};
  double per_mass, per_inertia;
  if (!(arm > 0 && arm < DBL_MAX) || !near3(rows->angular[0], zero, ROUND * arm)) return false;
  if (!is_isotropic(rows, dim, arm, &per_mass, &per_inertia)) return false;
  const int number = body_at(b, column, nu, dim == 2);
  if (number < 0) return false;
  const bool is_new = number == b->out->body_count;
  round_body body = {.planar = dim == 2, .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (!is_new)
    body = b->bodies[number];
  else if (dim == 3)
    find_turn(rows, arm, body.turn);
  for (int k = 1; k < dim; k++) {
    double turned[3], expected[3];
    apply_turn(body.turn, rows->angular[k], turned);
    expected_angular(rows, k, arm, expected);
    if (!near3(turned, expected, ROUND * arm)) return false;
  }
  if (is_new) add_body(b, column, nu, &body, per_mass, per_inertia);
  const double *numbers = b->out->velocity + b->bodies[number].place;
  if (fabs(numbers[BODY_PER_MASS] - per_mass) > ROUND * per_mass ||
      fabs(numbers[BODY_PER_INERTIA] - per_inertia) > ROUND * per_inertia)
    return false;
  contact->body[side] = number * BODY_NUMBERS;
  contact->arm[side] = arm;
  return true;
}

/* Whether a contact is one of spheres or disks: its rows are an orthonormal frame, opposite on both bodies, and a
 * percussion turns each body as if it acted at the end of an arm along the normal. Then steps of the projections and
 * arms describe it. */
static inline bool find_round_of(builder *b, int law, int dim, round_contact *out) {
  const picus_law *l = &b->problem->laws[law];
  const int nu = dim == 2 ? 3 : 6, count = b->f->start[law + 1] - b->f->start[law], sides = count / nu;
  if (count != nu && count != 2 * nu) return false;
  if (picus_law_is_rolled(b->problem, law)) return false;
  *out = (round_contact){.mu = l->radius, .body = {-1, -1}};
  side_rows rows[2];
  const double *c = b->problem->c + b->out->first_row[law];
  for (int side = 0; side < sides; side++) {
    if (!columns_belong_together(b->f->column + b->f->start[law] + side * nu, nu)) return false;
    read_side(b, law, side, dim, &rows[side]);
  }
  if (!is_orthonormal(rows, dim)) return false;
  for (int k = 0; sides == 2 && k < dim; k++) {
    const double *e = rows[0].direction[k], opposite[3] = {-e[0], -e[1], -e[2]};
    if (!near3(rows[1].direction[k], opposite, ROUND)) return false;
  }
  double stiffness = 0, turning = 0;
  for (int side = 0; side < sides; side++) {
    if (!is_round_on(b, law, side, dim, &rows[side], out)) return false;
    const double *numbers = b->out->velocity + out->body[side];
    stiffness += numbers[BODY_PER_MASS];
    turning += out->arm[side] * out->arm[side] * numbers[BODY_PER_INERTIA];
  }
  memcpy(out->normal, rows[0].direction[0], sizeof out->normal);
  for (int k = 0; k < dim; k++)
    for (int i = 0; i < 3; i++) out->c[i] += c[k] * rows[0].direction[k][i];
  out->normal_step = 1 / stiffness;
  out->slip_step = 1 / (stiffness + turning);
  return true;
}

/* --- colours -------------------------------------------------------------------------------------------------- */

/* The first colour that none of its velocities has. The last one is for all that find none; its laws are not visited
 * side by side. */
static int choose_colour(builder *b, int law) {
  uint64_t used = 0;
  for (int c = b->f->start[law]; c < b->f->start[law + 1]; c++) used |= b->used[b->f->column[c]];
  int colour = 0;
  while (colour < PICUS_MOST_COLOURS - 1 && (used >> colour & 1)) colour++;
  for (int c = b->f->start[law]; c < b->f->start[law + 1]; c++) b->used[b->f->column[c]] |= (uint64_t)1 << colour;
  return colour;
}

static void count_colours(builder *b) {
  picus_body_problem *out = b->out;
  for (int i = 0; i < b->problem->law_count; i++) {
    const bool follows = b->problem->laws[i].kind == PICUS_ROLLING;
    b->colour[i] = !out->is_coloured ? 0 : follows ? b->colour[i - 1] : choose_colour(b, i);
    law_colour *colour = &out->colours[b->colour[i]];
    if (b->colour[i] >= out->colour_count) out->colour_count = b->colour[i] + 1;
    colour->general_count += !b->is_round[i];
    colour->round_count += b->is_round[i];
  }
  for (int k = 0; k < out->colour_count; k++) {
    out->colours[k].first_round = out->round_count;
    out->colours[k].first_general = out->general_count;
    out->round_count += out->colours[k].round_count;
    out->general_count += out->colours[k].general_count;
  }
}

/* --- other laws ----------------------------------------------------------------------------------------------- */

/* The places of the velocities of a law; false: it takes a part of a round body only. */
static bool find_places(builder *b, int law, int *places) {
  picus_body_problem *out = b->out;
  const int *column = b->f->column + b->f->start[law], count = b->f->start[law + 1] - b->f->start[law];
  for (int c = 0; c < count; c++) {
    const int number = b->body_of[column[c]];
    if (number < 0) {
      int *place = &b->place_of[column[c]];
      if (*place < 0) {
        *place = out->velocity_count++;
        out->velocity[*place] = 0;
      }
      places[c] = *place;
      continue;
    }
    const round_body *body = &b->bodies[number];
    const int nu = body->planar ? 3 : 6, first = column[c];
    if (c + nu > count || !columns_belong_together(column + c, nu)) return false;
    if ((first > 0 && b->body_of[first - 1] == number) || b->body_of[column[c + nu - 1]] != number) return false;
    for (int i = 0; i < nu; i++)
      places[c + i] = body->place + (body->planar ? (i < 2 ? i : BODY_SPIN + 2) : i < 3 ? i : BODY_SPIN + i - 3);
    c += nu - 1;
  }
  return true;
}

/* A row in the axes that the bodies have here. */
static void turn_row(const builder *b, int law, double *row) {
  const int *column = b->f->column + b->f->start[law], count = b->f->start[law + 1] - b->f->start[law];
  for (int c = 0; c < count; c++) {
    const int number = b->body_of[column[c]];
    if (number < 0 || b->bodies[number].planar) continue;
    const double own[3] = {row[c + 3], row[c + 4], row[c + 5]};
    apply_turn(b->bodies[number].turn, own, row + c + 3);
    c += 5;
  }
}

/* Copies the rows of a law that is not round, W and M^-1 W, to where the sweeps read them, turned into the frames in
 * which round contacts have the velocities. */
static bool add_general(builder *b, int law, size_t *rows, int *places, general_law *out) {
  const picus_factored_matrix *f = b->f;
  const picus_law *l = &b->problem->laws[law];
  const int count = f->start[law + 1] - f->start[law];
  const size_t numbers = (size_t)l->dim * (size_t)count;
  if (!find_places(b, law, b->out->places + *places)) return false;
  double own[PICUS_OWN_BLOCK] = {0}, *to = b->out->rows + *rows;
  size_t stride;
  const double *block = picus_operator_of(b->problem)->own_block(b->problem, law, b->out->first_row[law], own, &stride);
  *out = (general_law){
      .columns = count, .place = *places, .rows = *rows, .law = law, .is_rolled = picus_law_is_rolled(b->problem, law)};
  picus_local_prepare(l, block, stride, &out->local);
  memcpy(out->c, b->problem->c + b->out->first_row[law], (size_t)l->dim * sizeof(double));
  memcpy(to, f->W + f->offset[law], numbers * sizeof *to);
  memcpy(to + numbers, f->change + f->offset[law], numbers * sizeof *to);
  for (int k = 0; k < 2 * l->dim; k++) turn_row(b, law, to + (size_t)k * (size_t)count);
  *rows += 2 * numbers;
  *places += count;
  return true;
}

/* --- all of it ------------------------------------------------------------------------------------------------ */

static void note_free(picus_body_problem *out, double rho, int dim, const double *c) {
  out->free_percussion = fmax(out->free_percussion, rho * picus_length(dim, c));
}

/* Laws that are coloured are placed by their first bodies, in the order of the system: then the bodies of one thread
 * are, for the most part, the same in all colours, and stay in its cache. Within a colour the order does not matter. */
static void order_laws(builder *b) {
  const int laws = b->problem->law_count, *start = b->f->start, *column = b->f->column;
  for (int i = 0; i < laws; i++) b->order[i] = i;
  if (!b->out->is_coloured) return;
  memset(b->first, 0, ((size_t)b->f->unknowns + 1) * sizeof *b->first);
  for (int i = 0; i < laws; i++) b->first[start[i] < start[i + 1] ? column[start[i]] + 1 : 0]++;
  for (int k = 0; k < b->f->unknowns; k++) b->first[k + 1] += b->first[k];
  for (int i = laws - 1; i >= 0; i--) b->order[--b->first[start[i] < start[i + 1] ? column[start[i]] + 1 : 0]] = i;
}

static void place_rounds(builder *b) {
  picus_body_problem *out = b->out;
  int next[PICUS_MOST_COLOURS];
  for (int k = 0; k < out->colour_count; k++) next[k] = out->colours[k].first_round;
  for (int n = 0; n < b->problem->law_count; n++) {
    const int i = b->order[n];
    if (!b->is_round[i]) continue;
    const round_contact *contact = &b->found[i];
    const int dim = b->problem->laws[i].dim, at = next[b->colour[i]]++;
    const double mean = (1 / contact->normal_step + (dim - 1) / contact->slip_step) / dim;
    out->rounds[at] = *contact;
    out->round_law[at] = i;
    for (int k = 0; k < 3; k++) out->weight[3 * at + k] = mean;
    note_free(out, 1 / mean, 3, contact->c);
  }
}

static bool place_generals(builder *b) {
  picus_body_problem *out = b->out;
  int next[PICUS_MOST_COLOURS], places = 0;
  size_t rows = 0;
  for (int k = 0; k < out->colour_count; k++) next[k] = out->colours[k].first_general;
  for (int i = 0; i < b->problem->law_count; i++)
    if (!b->is_round[i] && !add_general(b, i, &rows, &places, &out->generals[next[b->colour[i]]++])) return false;
  for (int k = 0, x = 3 * out->round_count; k < out->general_count; k++) {
    general_law *law = &out->generals[k];
    const int dim = b->problem->laws[law->law].dim;
    double mean = 0;
    for (int m = 0; m < dim; m++) mean += fabs(law->local.own[m * (dim + 1)]) / dim;
    law->x = x;
    for (int m = 0; m < dim; m++) out->weight[x++] = mean;
    if (mean > DBL_MIN) note_free(out, 1 / mean, dim, law->c);
    out->x_count = x;
  }
  return true;
}

bool picus_body_problem_create(picus_body_memory *memory, int vectors, picus_body_problem *out,
                               double **vectors_start) {
  const picus_contact_problem *problem = out->problem;
  builder b = {.problem = problem, .f = problem->factors, .out = out};
  if (!b.f || !memory->context || !reserve(memory, vectors, &b, vectors_start)) return false;
  for (int k = 0; k < b.f->unknowns; k++) {
    b.body_of[k] = b.place_of[k] = -1;
    b.used[k] = 0;
  }
  picus_contact_first_rows(problem, out->first_row);
  order_laws(&b);
  for (int n = 0; n < problem->law_count; n++) {
    const int i = b.order[n];
    const int dim = problem->laws[i].kind == PICUS_COULOMB ? problem->laws[i].dim : 0;
    b.is_round[i] = dim == 3 ? find_round_of(&b, i, 3, &b.found[i]) : dim == 2 && find_round_of(&b, i, 2, &b.found[i]);
  }
  out->velocity_count = out->body_count * BODY_NUMBERS;
  count_colours(&b);
  place_rounds(&b);
  out->x_count = 3 * out->round_count;
  return place_generals(&b);
}

/* --- percussions ---------------------------------------------------------------------------------------------- */

/* The k-th direction of a round contact: its row on the first body. */
static const double *direction_of(const picus_body_problem *b, int law, int k) {
  const picus_factored_matrix *f = b->problem->factors;
  return f->W + f->offset[law] + (size_t)(k * (f->start[law + 1] - f->start[law]));
}

typedef struct copy_work {
  const picus_body_problem *b;
  const double *from;
  double *to;
} copy_work;
/* A mistake of the host leaves numbers as they were, and shows in the residual. */
static void copy_rounds(const picus_body_problem *b, range_fn range, copy_work *work) {
  if (b->is_coloured && b->context)
    (void)picus_tasks_over(b->context, b->round_count, PICUS_TASK_OF_NUMBERS, range, work);
  else
    range(work, 0, b->round_count);
}

static void put_rounds(void *user, int first, int end) {
  const copy_work *work = user;
  const picus_body_problem *b = work->b;
  const double *P = work->from;
  for (int r = first; r < end; r++) {
    const int law = b->round_law[r], dim = b->problem->laws[law].dim;
    double *x = b->x + 3 * r;
    x[0] = x[1] = x[2] = 0;
    for (int k = 0; k < dim; k++)
      for (int i = 0; i < dim; i++) x[i] += P[b->first_row[law] + k] * direction_of(b, law, k)[i];
  }
}

void picus_body_problem_put(picus_body_problem *b, const double *P) {
  copy_rounds(b, put_rounds, &(copy_work){.b = b, .from = P});
  for (int g = 0; g < b->general_count; g++) {
    const general_law *law = &b->generals[g];
    memcpy(b->x + law->x, P + b->first_row[law->law], (size_t)law->local.dim * sizeof *P);
  }
}

static void get_rounds(void *user, int first, int end) {
  const copy_work *work = user;
  const picus_body_problem *b = work->b;
  const double *x = work->from;
  for (int r = first; r < end; r++) {
    const int law = b->round_law[r], dim = b->problem->laws[law].dim;
    for (int k = 0; k < dim; k++) {
      double sum = 0;
      for (int i = 0; i < dim; i++) sum += x[3 * r + i] * direction_of(b, law, k)[i];
      work->to[b->first_row[law] + k] = sum;
    }
  }
}

void picus_body_problem_get(const picus_body_problem *b, const double *x, double *P) {
  copy_rounds(b, get_rounds, &(copy_work){.b = b, .from = x, .to = P});
  for (int g = 0; g < b->general_count; g++) {
    const general_law *law = &b->generals[g];
    memcpy(P + b->first_row[law->law], x + law->x, (size_t)law->local.dim * sizeof *P);
  }
}
