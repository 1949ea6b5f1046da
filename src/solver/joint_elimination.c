/* The elimination of joints; see joint_elimination.h. */
#include "solver/joint_elimination.h"

#include "base/internal.h"

#include <string.h>

#define LEAST_PIVOT 1e-10 /* of the diagonal of G: below, joints depend on each other, and percussions on round-off */
#define HELD 1e-6 /* of the diagonal of G: where less is left of a contact, joints hold it, as levers of 1000 to 1 */
#define CROSSED                                                                                                        \
  1e3 /* times HELD, below zero: with less a contact has not just crossed its dead centre, and does not yield */

void picus_joints_release(picus_joints *j) {
  if (!j->context) return;
  void *const arrays[] = {j->first_row,
                          j->place,
                          j->row,
                          j->node,
                          j->node_first,
                          j->node_start,
                          j->own.start,
                          j->own.column,
                          j->own.value,
                          j->over.start,
                          j->over.column,
                          j->over.value,
                          j->pattern.column,
                          j->pattern.value,
                          j->kept_start,
                          j->kept_column,
                          j->target,
                          j->scratch,
                          j->pivots,
                          j->least,
                          j->x,
                          j->Y,
                          j->laws,
                          j->law,
                          j->numbers,
                          j->G,
                          j->c,
                          j->P,
                          j->rest,
                          j->yield,
                          j->c_yielding,
                          j->modes};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) picus_release(j->context, arrays[k]);
  picus_block_lu_release(&j->factor);
  *j = (picus_joints){.context = j->context};
}

/* An array of the context, allocated anew; previous numbers are lost. */
static bool renew(picus_context *context, void *array_pointer, size_t count, size_t size) {
  void **array = array_pointer;
  picus_release(context, *array);
  *array = picus_allocate(context, count, size);
  return *array != NULL;
}

static bool reserve_laws(picus_joints *j, int laws, int rows) {
  if (laws <= j->law_capacity && rows <= j->row_capacity) return true;
  picus_context *context = j->context;
  const size_t l = (size_t)laws + (size_t)laws / 2 + 1, r = (size_t)rows + (size_t)rows / 2 + 1;
  int **const by_law[] = {&j->first_row, &j->place, &j->law, &j->numbers};
  int **const by_row[] = {&j->row,    &j->node,      &j->node_first, &j->node_start,
                          &j->pivots, &j->own.start, &j->over.start, &j->kept_start};
  double **const numbers[] = {&j->x, &j->rest, &j->least, &j->c, &j->P, &j->yield, &j->c_yielding};
  bool done = renew(context, &j->laws, l, sizeof *j->laws) && renew(context, &j->modes, l, sizeof *j->modes);
  for (size_t k = 0; done && k < sizeof by_law / sizeof *by_law; k++) done = renew(context, by_law[k], l, sizeof(int));
  for (size_t k = 0; done && k < sizeof by_row / sizeof *by_row; k++) done = renew(context, by_row[k], r, sizeof(int));
  for (size_t k = 0; done && k < sizeof numbers / sizeof *numbers; k++)
    done = renew(context, numbers[k], r, sizeof(double));
  j->kept = 0;
  j->law_capacity = done ? (int)l - 1 : 0;
  j->row_capacity = done ? (int)r - 1 : 0;
  return done;
}

static bool reserve_scratch(picus_joints *j, size_t need) {
  if (need <= j->scratch_capacity) return true;
  j->scratch_capacity = 2 * need;
  if (!renew(j->context, &j->scratch, j->scratch_capacity, sizeof(double))) j->scratch_capacity = 0;
  return need <= j->scratch_capacity;
}

static bool grow_entries(picus_joints *j, picus_joint_entries *e) {
  size_t room = e->capacity;
  return !picus_grow(j->context, &e->column, e->capacity, &room, sizeof *e->column) &&
         !picus_grow(j->context, &e->value, e->capacity, &e->capacity, sizeof *e->value);
}

static bool add_entry(picus_joints *j, picus_joint_entries *e, int at, int column, double value) {
  if ((size_t)at == e->capacity && !grow_entries(j, e)) return false;
  e->column[at] = column;
  e->value[at] = value;
  return true;
}

/* Y and the matrix of the contacts. */
static bool reserve_contacts(picus_joints *j, int rows) {
  const size_t need = (size_t)rows * (size_t)j->count;
  if (need > j->Y_capacity) {
    j->Y_capacity = need + need / 2;
    if (!renew(j->context, &j->Y, j->Y_capacity, sizeof(double))) j->Y_capacity = 0;
  }
  if (rows > j->contact_capacity) {
    j->contact_capacity = rows + rows / 2;
    if (!renew(j->context, &j->G, (size_t)j->contact_capacity * (size_t)j->contact_capacity, sizeof(double)))
      j->contact_capacity = 0;
  }
  if (j->whole && !reserve_scratch(j, (size_t)j->count * (size_t)j->count)) return false;
  return need <= j->Y_capacity && rows <= j->contact_capacity;
}

/* For any number of joints among so many rows. A list of entries grows with the first problems. */
bool picus_joints_reserve(picus_joints *j, int laws, int rows) {
  const int contacts = rows < PICUS_CONDENSED_ROWS ? rows : PICUS_CONDENSED_ROWS;
  if (rows > PICUS_RANK_ROWS) return true; /* when the first problem with joints comes */
  if (!reserve_laws(j, laws, rows)) return false;
  j->whole = true;
  j->count = rows;
  if (!reserve_contacts(j, contacts)) return false;
  const size_t most = (size_t)rows * (size_t)rows / 4 + 1;
  while (j->over.capacity < most)
    if (!grow_entries(j, &j->over)) return false;
  return true;
}

/* --- joints and contacts ------------------------------------------------------------------------------------------ */

static void list_laws(picus_joints *j, const picus_contact_problem *problem, const int *numbers, const double *P,
                      const picus_mode *modes) {
  int laws = 0, size = 0;
  j->count = 0;
  picus_contact_first_rows(problem, j->first_row);
  for (int i = 0; i < problem->law_count; i++) {
    const picus_law *law = &problem->laws[i];
    j->place[i] = law->kind == PICUS_BILATERAL ? j->count : -1;
    if (law->kind == PICUS_BILATERAL) {
      j->row[j->count++] = j->first_row[i];
      continue;
    }
    j->laws[laws] = *law;
    j->law[laws] = i;
    j->numbers[laws] = numbers ? numbers[i] : i;
    j->modes[laws++] = modes[i];
    for (int k = 0; k < law->dim; k++) j->P[size++] = P[j->first_row[i] + k];
  }
  j->contacts = (picus_contact_problem){.law_count = laws, .laws = j->laws, .size = size, .G = j->G, .c = j->c};
}

/* A row of a law: numbers in columns of joints are listed, those in columns of contacts go to Y (of a joint) or to the
 * matrix of the contacts. at: entries that are listed so far. */
static bool read_row(picus_joints *j, const picus_block_matrix *blocks, int law, int row, const int *contact_row,
                     int *at) {
  const int joint = j->place[law], size = j->contacts.size;
  picus_joint_entries *e = joint < 0 ? &j->over : &j->own;
  for (int b = blocks->row_start[law]; b < blocks->row_start[law + 1]; b++) {
    const int other = blocks->column[b], dim = j->first_row[other + 1] - j->first_row[other];
    const double *values = blocks->values + blocks->offset[b] + (size_t)row * (size_t)dim;
    if (j->place[other] >= 0) {
      if (other == law) j->least[joint] = LEAST_PIVOT * fabs(values[0]);
      if (!add_entry(j, e, *at, j->place[other], values[0])) return false;
      ++*at;
      continue;
    }
    const int column = contact_row[other];
    for (int l = 0; l < dim; l++)
      if (joint < 0)
        j->G[(ptrdiff_t)(contact_row[law] + row) * size + column + l] = values[l];
      else
        j->Y[(ptrdiff_t)(column + l) * j->count + joint] = values[l];
  }
  return true;
}

/* All of G, into the lists and the two matrices. The first row of each contact replaces that of the law. */
static bool read_rows(picus_joints *j, const picus_contact_problem *problem) {
  int own = 0, over = 0, contact_row = 0, *const rows = j->pivots; /* free until they are found */
  const size_t size = (size_t)j->contacts.size;
  if (size > 0) {
    memset(j->Y, 0, size * (size_t)j->count * sizeof *j->Y);
    memset(j->G, 0, size * size * sizeof *j->G);
  }
  for (int i = 0, row = 0; i < problem->law_count; i++) {
    rows[i] = row;
    if (j->place[i] < 0) row += problem->laws[i].dim;
  }
  for (int i = 0; i < problem->law_count; i++) {
    const int joint = j->place[i];
    if (joint >= 0) {
      j->own.start[joint] = own;
      if (!read_row(j, problem->blocks, i, 0, rows, &own)) return false;
      j->x[joint] = problem->c[j->first_row[i]];
      continue;
    }
    for (int k = 0; k < problem->laws[i].dim; k++) {
      j->over.start[contact_row] = over;
      j->c[contact_row++] = problem->c[j->first_row[i] + k];
      if (!read_row(j, problem->blocks, i, k, rows, &over)) return false;
    }
  }
  j->own.start[j->count] = own;
  j->over.start[contact_row] = over;
  return true;
}

/* All of a dense G, into the matrix of joints, Y and the matrix of contacts. */
static bool read_whole(picus_joints *j, const picus_contact_problem *problem) {
  const int size = j->contacts.size, count = j->count, *const row = j->row;
  int *const contact = j->pivots, at = 0, over = 0; /* rows of contacts in the problem; free until they are found */
  for (int i = 0; i < j->contacts.law_count; i++)
    for (int k = 0; k < j->laws[i].dim; k++) contact[at++] = j->first_row[j->law[i]] + k;
  for (int k = 0; k < count; k++) {
    const double *G = problem->G + (size_t)row[k] * (size_t)problem->size;
    double *own = j->scratch + (ptrdiff_t)k * count;
    for (int l = 0; l < count; l++) own[l] = G[row[l]];
    for (int s = 0; s < size; s++) j->Y[(ptrdiff_t)s * count + k] = G[contact[s]];
    j->least[k] = LEAST_PIVOT * fabs(own[k]);
    j->x[k] = problem->c[row[k]];
  }
  for (int r = 0; r < size; r++) {
    const double *G = problem->G + (size_t)contact[r] * (size_t)problem->size;
    for (int s = 0; s < size; s++) j->G[(ptrdiff_t)r * size + s] = G[contact[s]];
    j->c[r] = problem->c[contact[r]];
    j->over.start[r] = over;
    for (int l = 0; l < count; l++)
      if (G[row[l]] != 0 && !add_entry(j, &j->over, over++, l, G[row[l]])) return false;
  }
  j->over.start[size] = over;
  return true;
}

/* --- the factorization -------------------------------------------------------------------------------------------- */

static bool has_same_columns(const picus_joint_entries *e, int a, int b) {
  const int count = e->start[a + 1] - e->start[a];
  if (count != e->start[b + 1] - e->start[b]) return false;
  return count == 0 || memcmp(e->column + e->start[a], e->column + e->start[b], (size_t)count * sizeof *e->column) == 0;
}

/* Joints with the same couplings, one after the other, become a node; then the nodes that each node is coupled with. */
static bool make_nodes(picus_joints *j) {
  const picus_joint_entries *e = &j->own;
  j->nodes = 0;
  for (int k = 0; k < j->count; k++) {
    const bool joins = k > 0 && k - j->node_first[j->nodes - 1] < PICUS_BLOCK_MOST && has_same_columns(e, k - 1, k);
    if (!joins) j->node_first[j->nodes++] = k;
    j->node[k] = j->nodes - 1;
  }
  j->node_first[j->nodes] = j->count;
  int at = 0;
  for (int n = 0; n < j->nodes; n++) {
    const int k = j->node_first[n];
    j->node_start[n] = at;
    for (int m = e->start[k], last = -1; m < e->start[k + 1]; m++) {
      if (j->node[e->column[m]] == last) continue;
      last = j->node[e->column[m]];
      if (!add_entry(j, &j->pattern, at++, last, 0)) return false;
    }
  }
  j->node_start[j->nodes] = at;
  return true;
}

/* Whether a node of the pattern lists another one; columns increase. */
static bool lists(const picus_joints *j, int node, int other) {
  for (int k = j->node_start[node]; k < j->node_start[node + 1]; k++)
    if (j->pattern.column[k] == other) return true;
  return false;
}

static bool is_symmetric(const picus_joints *j) {
  for (int n = 0; n < j->nodes; n++) {
    if (!lists(j, n, n)) return false;
    for (int k = j->node_start[n]; k < j->node_start[n + 1]; k++)
      if (!lists(j, j->pattern.column[k], n)) return false;
  }
  return true;
}

static bool keeps_entries(const picus_joints *j) {
  if (j->kept != j->count || j->kept_start[j->count] != j->own.start[j->count]) return false;
  const size_t entries = (size_t)j->own.start[j->count];
  return memcmp(j->kept_start, j->own.start, (size_t)j->count * sizeof(int)) == 0 &&
         memcmp(j->kept_column, j->own.column, entries * sizeof(int)) == 0;
}

static bool reserve_kept(picus_joints *j, size_t entries) {
  if (entries <= j->kept_capacity) return true;
  j->kept_capacity = entries + entries / 2;
  if (renew(j->context, &j->kept_column, j->kept_capacity, sizeof(int)) &&
      renew(j->context, &j->target, j->kept_capacity, sizeof *j->target))
    return true;
  j->kept_capacity = 0;
  return false;
}

/* Where each entry of the joints is in the factors; all rows of a node have the same entries. */
static bool find_targets(picus_joints *j) {
  const picus_joint_entries *e = &j->own;
  for (int k = 0; k < j->count; k++) {
    const int node = j->node[k], first = j->node_first[node];
    if (e->start[k + 1] - e->start[k] != e->start[first + 1] - e->start[first]) return false;
    for (int m = e->start[k]; m < e->start[k + 1]; m++) {
      const int other = j->node[e->column[m]];
      j->target[m] = picus_block_lu_number(&j->factor, (picus_block_place){node, k - first},
                                           (picus_block_place){other, e->column[m] - j->node_first[other]});
    }
  }
  return true;
}

/* The order of elimination and the places of the entries follow from the pattern, which seldom changes. */
static bool analyse(picus_joints *j) {
  const size_t entries = (size_t)j->own.start[j->count];
  if (keeps_entries(j)) return true;
  j->kept = 0;
  if (!make_nodes(j) || !is_symmetric(j) || !reserve_kept(j, entries)) return false;
  const picus_block_pattern pattern = {j->nodes, j->node_first, j->node_start, j->pattern.column};
  j->factor.context = j->context;
  if (!picus_block_lu_analyse(&j->factor, &pattern) || !find_targets(j)) return false;
  memcpy(j->kept_start, j->own.start, ((size_t)j->count + 1) * sizeof(int));
  memcpy(j->kept_column, j->own.column, entries * sizeof(int));
  j->kept = j->count;
  return true;
}

static bool factor_blocks(picus_joints *j) {
  if (!analyse(j)) return false;
  picus_block_lu_clear(&j->factor);
  for (int m = 0; m < j->own.start[j->count]; m++) *j->target[m] = j->own.value[m];
  if (!picus_block_lu_factor(&j->factor)) return false;
  for (int k = 0; k < j->count; k++)
    if (!(picus_block_lu_pivot(&j->factor, j->node[k], k - j->node_first[j->node[k]]) >= j->least[k])) return false;
  return true;
}

/* The list of entries of joints as a complete matrix, in scratch. */
static void fill_whole(picus_joints *j) {
  picus_clear(j->count * j->count, j->scratch);
  for (int k = 0; k < j->count; k++)
    for (int m = j->own.start[k]; m < j->own.start[k + 1]; m++)
      j->scratch[(ptrdiff_t)k * j->count + j->own.column[m]] = j->own.value[m];
}

static bool factor_whole(picus_joints *j) {
  if (!picus_lu_factor(j->count, j->scratch, j->pivots)) return false;
  for (int k = 0; k < j->count; k++)
    if (!(fabs(j->scratch[(ptrdiff_t)k * (j->count + 1)]) >= j->least[k])) return false;
  return true;
}

/* x := G_jj^-1 x */
static void solve(const picus_joints *j, double *x) {
  if (j->whole)
    picus_lu_solve(j->count, j->scratch, j->pivots, x);
  else
    picus_block_lu_solve(&j->factor, x);
}

/* --- the contacts ------------------------------------------------------------------------------------------------- */

/* The matrix and c of the contacts without joints. Where joints alone hold a contact, as near a dead centre, almost
 * nothing of its diagonal is left: its percussion is a quotient of round-off, or that of a lever longer than any rigid
 * mechanism has, and the percussions of contact and joints cancel. Such contacts yield, so that HELD of the diagonal
 * is left. */
static void condense(picus_joints *j) {
  const int size = j->contacts.size;
  j->yields = false;
  for (int r = 0; r < size; r++) {
    double *G = j->G + (ptrdiff_t)r * size;
    const double least = HELD * fabs(G[r]);
    for (int k = j->over.start[r]; k < j->over.start[r + 1]; k++) {
      const int joint = j->over.column[k];
      const double value = j->over.value[k];
      j->c[r] -= value * j->x[joint];
      for (int s = 0; s < size; s++) G[s] -= value * j->Y[(ptrdiff_t)s * j->count + joint];
    }
    j->yield[r] = G[r] < least && G[r] > -CROSSED * least ? least - G[r] : 0;
    G[r] += j->yield[r];
    j->yields = j->yields || j->yield[r] > 0;
  }
}

bool picus_joints_eliminate(picus_joints *j, const picus_contact_problem *problem, const int *numbers, const double *P,
                            const picus_mode *modes) {
  if (picus_operator_of(problem)->by_velocities || !reserve_laws(j, problem->law_count, problem->size)) return false;
  list_laws(j, problem, numbers, P, modes);
  const int size = j->contacts.size;
  const bool dense = picus_operator_of(problem)->is_whole;
  j->whole = dense || j->count <= PICUS_WHOLE_JOINTS;
  if (!reserve_contacts(j, size) || !(dense ? read_whole(j, problem) : read_rows(j, problem))) return false;
  if (j->whole && !dense) fill_whole(j);
  if (!(j->whole ? factor_whole(j) : factor_blocks(j))) return false;
  j->contacts.G = j->G;
  solve(j, j->x);
  for (int s = 0; s < size; s++) solve(j, j->Y + (ptrdiff_t)s * j->count);
  condense(j);
  return true;
}

void picus_joints_expand(const picus_joints *j, double *P) {
  for (int k = 0; k < j->count; k++) P[j->row[k]] = -j->x[k];
  for (int i = 0, row = 0; i < j->contacts.law_count; i++)
    for (int r = 0; r < j->laws[i].dim; r++, row++) {
      const double *y = j->Y + (ptrdiff_t)row * j->count, percussion = j->P[row];
      P[j->first_row[j->law[i]] + r] = percussion;
      if (percussion == 0) continue;
      for (int k = 0; k < j->count; k++) P[j->row[k]] -= y[k] * percussion;
    }
}

picus_contact_problem picus_joints_yielding(const picus_joints *j, const picus_contact_problem *problem) {
  picus_contact_problem yielding = *problem;
  picus_copy(problem->size, problem->c, j->c_yielding);
  for (int i = 0, row = 0; i < j->contacts.law_count; i++)
    for (int r = 0; r < j->laws[i].dim; r++, row++)
      j->c_yielding[j->first_row[j->law[i]] + r] += j->yield[row] * j->P[row];
  yielding.c = j->c_yielding;
  return yielding;
}

void picus_joints_refine(const picus_joints *j, const picus_contact_problem *problem, double *P) {
  const picus_operator *G = picus_operator_of(problem);
  for (int i = 0; i < problem->law_count; i++)
    if (j->place[i] >= 0) j->rest[j->place[i]] = G->row_velocity(problem, i, j->first_row[i], 0, P);
  solve(j, j->rest);
  for (int k = 0; k < j->count; k++) P[j->row[k]] -= j->rest[k];
}
