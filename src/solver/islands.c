/* The islands of a contact problem, by union-find over its laws: blocks of G or common velocities connect laws. */
#include "solver/islands.h"

#include "base/disjoint_sets.h"
#include "base/internal.h"

#include <stdint.h>
#include <string.h>

/* --- memory --------------------------------------------------------------------------------------------------- */

void picus_islands_release(picus_islands *x) {
  picus_release(x->context, x->block);
  *x = (picus_islands){.context = x->context};
}

typedef struct piece {
  void *array; /* address of a pointer */
  size_t count, size;
} piece;

enum { ALIGN = 64 };

static size_t carve(size_t count, const piece *pieces, char *block) {
  size_t at = 0;
  for (size_t k = 0; k < count; k++) {
    void *place = block ? block + at : NULL;
    if (block) memcpy(pieces[k].array, &place, sizeof place);
    at += (pieces[k].count * pieces[k].size + ALIGN - 1) / ALIGN * ALIGN;
  }
  return at;
}

/* Arrays that end with each island have a number for each of them more, of which there are at most as many as laws. */
static picus_status reserve(picus_islands *x, const picus_contact_problem *p) {
  const size_t laws = (size_t)p->law_count, rows = (size_t)p->size, ends = 2 * laws + 1;
  const picus_island_sizes sizes = picus_operator_of(p)->island_sizes(p);
  const piece pieces[] = {{&x->first_law, laws + 1, sizeof(int)},
                          {&x->first_row, laws + 1, sizeof(int)},
                          {&x->law, laws, sizeof(int)},
                          {&x->laws, laws, sizeof(picus_law)},
                          {&x->c, rows, sizeof(double)},
                          {&x->P, rows, sizeof(double)},
                          {&x->modes, laws, sizeof(picus_mode)},
                          {&x->island, laws, sizeof(int)},
                          {&x->place, laws, sizeof(int)},
                          {&x->problem_row, laws + 1, sizeof(int)},
                          {&x->row_of, ends, sizeof(int)},
                          {&x->start, ends, sizeof(int)},
                          {&x->column, sizes.columns, sizeof(int)},
                          {&x->offset, laws + sizes.columns, sizeof(size_t)},
                          {&x->trace, sizes.traces, sizeof(double)},
                          {&x->velocity, laws + 1, sizeof(int)},
                          {&x->unknown, sizes.unknowns, sizeof(int)},
                          {&x->scratch, sizes.unknowns, sizeof(double)},
                          {&x->begin, laws + 1, sizeof(size_t)},
                          {&x->G, sizes.numbers, sizeof(double)}};
  const size_t count = sizeof pieces / sizeof pieces[0], need = carve(count, pieces, NULL) + ALIGN;
  if (need > x->size) {
    const size_t size = x->size > 0 ? need + need / 2 : need;
    picus_release(x->context, x->block);
    x->size = 0;
    x->block = picus_allocate(x->context, size, 1);
    if (!x->block) return PICUS_ERROR_MEMORY;
    x->size = size;
  }
  carve(count, pieces, x->block + (ALIGN - (uintptr_t)x->block % ALIGN) % ALIGN);
  return PICUS_OK;
}

picus_status picus_islands_reserve(picus_islands *x, int law_count, int rows) {
  const double dense = 0;
  return reserve(x, &(picus_contact_problem){.law_count = law_count, .size = rows, .G = &dense});
}

/* --- union-find ----------------------------------------------------------------------------------------------- */

/* The number of islands; island[law] refers to the first law of its island. */
static int connect(picus_islands *x) {
  const picus_contact_problem *p = x->problem;
  for (int i = 0; i < p->law_count; i++) x->island[i] = i;
  int joined = picus_operator_of(p)->join(x);
  for (int i = 1; i < p->law_count; i++) /* a rolling law stays behind its contact */
    if (p->laws[i].kind == PICUS_ROLLING) joined += picus_sets_join(x->island, i, i - 1);
  return p->law_count - joined;
}

static bool are_coupled(const picus_contact_problem *problem, int row, int dim, int column, int width) {
  for (int k = 0; k < dim; k++)
    for (int l = 0; l < width; l++)
      if (problem->G[(size_t)(row + k) * (size_t)problem->size + (size_t)(column + l)] != 0) return true;
  return false;
}

/* Laws that are reached from the first one, until there are no more. */
bool picus_small_is_connected(const picus_contact_problem *problem) {
  int first[PICUS_SMALL_LAWS + 1] = {0}, reached = 1, left = problem->law_count;
  unsigned known = 1;
  if (left < 1 || left > PICUS_SMALL_LAWS || problem->size > PICUS_SMALL_ROWS) return false;
  if (!picus_operator_of(problem)->is_whole) return false;
  for (int i = 0; i < problem->law_count; i++) first[i + 1] = first[i] + problem->laws[i].dim;
  if (first[problem->law_count] != problem->size) return false;
  for (unsigned seen = 0; seen != known;) {
    int i = 0;
    while (!((known & ~seen) >> i & 1)) i++;
    seen |= 1U << i;
    for (int j = 0; j < problem->law_count && reached < problem->law_count; j++) {
      if (known >> j & 1) continue;
      const int rows = problem->laws[i].dim, columns = problem->laws[j].dim;
      if (!are_coupled(problem, first[i], rows, first[j], columns) &&
          !are_coupled(problem, first[j], columns, first[i], rows))
        continue;
      known |= 1U << j;
      reached++;
    }
  }
  return reached == problem->law_count;
}

bool picus_laws_are_decoupled(const picus_contact_problem *p) {
  const picus_operator *G = picus_operator_of(p);
  int row = 0;
  if (G->by_velocities || (G->check_pattern && G->check_pattern(NULL, p))) return false;
  for (int i = 0; i < p->law_count; row += p->laws[i++].dim) {
    const int dim = p->laws[i].dim;
    const bool rolls = p->laws[i].kind == PICUS_ROLLING; /* with its contact */
    if (rolls || dim < 1 || dim > p->size - row) return false;
    if (!G->is_alone(p, i, row)) return false;
  }
  return row == p->size;
}

/* --- laws by islands ------------------------------------------------------------------------------------------ */

/* From roots to numbers of islands: a law refers to one before it, whose number is known by then. */
static void number_islands(picus_islands *x) {
  int count = 0;
  memset(x->first_law, 0, ((size_t)x->count + 1) * sizeof *x->first_law);
  for (int i = 0; i < x->problem->law_count; i++) {
    x->island[i] = x->island[i] == i ? count++ : x->island[x->island[i]];
    x->place[i] = x->first_law[x->island[i] + 1]++;
  }
  for (int k = 0; k < x->count; k++) x->first_law[k + 1] += x->first_law[k];
}

static void order_laws(picus_islands *x) {
  const picus_contact_problem *p = x->problem;
  int row = 0;
  x->most_laws = x->most_rows = 0;
  for (int i = 0; i < p->law_count; i++) x->law[x->first_law[x->island[i]] + x->place[i]] = i;
  for (int k = 0; k < x->count; k++) {
    x->first_row[k] = row;
    for (int i = x->first_law[k]; i < x->first_law[k + 1]; i++) {
      const int law = x->law[i], dim = p->laws[law].dim;
      x->laws[i] = p->laws[law];
      x->row_of[i + k] = row - x->first_row[k];
      memcpy(x->c + row, p->c + x->problem_row[law], (size_t)dim * sizeof *x->c);
      row += dim;
    }
    x->row_of[x->first_law[k + 1] + k] = row - x->first_row[k];
    const int laws = x->first_law[k + 1] - x->first_law[k], rows = row - x->first_row[k];
    if (laws > x->most_laws) x->most_laws = laws;
    if (rows > x->most_rows) x->most_rows = rows;
  }
  x->first_row[x->count] = row;
}

picus_status picus_islands_find(picus_islands *x, const picus_contact_problem *problem) {
  picus_status status = reserve(x, problem);
  if (status) return status;
  x->problem = problem;
  picus_contact_first_rows(problem, x->problem_row);
  x->count = connect(x);
  if (x->count < 2) return PICUS_OK;
  number_islands(x);
  order_laws(x);
  picus_operator_of(problem)->divide(x);
  return PICUS_OK;
}

void picus_islands_take(picus_islands *x, const double *P, const picus_mode *modes) {
  for (int i = 0, row = 0; i < x->problem->law_count; row += x->laws[i++].dim) {
    memcpy(x->P + row, P + x->problem_row[x->law[i]], (size_t)x->laws[i].dim * sizeof *P);
    x->modes[i] = modes[x->law[i]];
  }
}

void picus_islands_give(const picus_islands *x, double *P, picus_mode *modes) {
  for (int i = 0, row = 0; i < x->problem->law_count; row += x->laws[i++].dim) {
    memcpy(P + x->problem_row[x->law[i]], x->P + row, (size_t)x->laws[i].dim * sizeof *P);
    modes[x->law[i]] = x->modes[i];
  }
}

void picus_islands_at(const picus_islands *x, int number, picus_island *out) {
  const int first = x->first_law[number], end = x->first_law[number + 1], row = x->first_row[number];
  *out = (picus_island){.law = x->law + first, .P = x->P + row, .modes = x->modes + first};
  out->problem = (picus_contact_problem){
      .law_count = end - first, .laws = x->laws + first, .size = x->first_row[number + 1] - row, .c = x->c + row};
  picus_operator_of(x->problem)->restrict_to(x, number, out);
}
