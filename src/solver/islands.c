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

static size_t entries_of(const picus_contact_problem *p) {
  if (p->factors) return (size_t)p->factors->start[p->law_count];
  return p->blocks ? (size_t)p->blocks->row_start[p->law_count] : 0;
}

/* Arrays that end with each island have a number for each of them more, of which there are at most as many as laws. */
static picus_status reserve(picus_islands *x, const picus_contact_problem *p) {
  const size_t laws = (size_t)p->law_count, rows = (size_t)p->size, ends = 2 * laws + 1, entries = entries_of(p);
  const size_t unknowns = p->factors ? (size_t)p->factors->unknowns : 0, square = p->G ? rows * rows : 0;
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
                          {&x->column, entries, sizeof(int)},
                          {&x->offset, laws + entries, sizeof(size_t)},
                          {&x->trace, p->factors && p->factors->trace ? laws : 0, sizeof(double)},
                          {&x->velocity, laws + 1, sizeof(int)},
                          {&x->unknown, unknowns, sizeof(int)},
                          {&x->scratch, unknowns, sizeof(double)},
                          {&x->begin, laws + 1, sizeof(size_t)},
                          {&x->G, square, sizeof(double)}};
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

static int join_by_factors(picus_islands *x, const picus_factored_matrix *f) {
  int *owner = x->unknown, joined = 0; /* a law of each velocity */
  for (int k = 0; k < f->unknowns; k++) owner[k] = -1;
  for (int i = 0; i < x->problem->law_count; i++)
    for (int c = f->start[i], last = -1; c < f->start[i + 1];
         c++) { /* last: joined; all velocities of a body have it */
      int *own = &owner[f->column[c]];
      if (*own >= 0 && *own != last) joined += picus_sets_join(x->island, i, *own);
      last = *own;
      *own = i;
    }
  return joined;
}

static int join_by_blocks(picus_islands *x, const picus_block_matrix *b) {
  int joined = 0;
  for (int i = 0; i < x->problem->law_count; i++)
    for (int k = b->row_start[i]; k < b->row_start[i + 1]; k++) joined += picus_sets_join(x->island, i, b->column[k]);
  return joined;
}

static int join_by_rows(picus_islands *x, const double *G) {
  const int laws = x->problem->law_count, size = x->problem->size;
  int joined = 0;
  for (int i = 0; i < laws && joined < laws - 1; i++) /* most mechanisms are one island: the first rows show it */
    for (int row = x->problem_row[i]; row < x->problem_row[i + 1]; row++) {
      const double *numbers = G + (size_t)row * (size_t)size;
      for (int k = 0, j = 0; k < size; k++) {
        if (numbers[k] == 0) continue; /* NaN is not 0 */
        while (k >= x->problem_row[j + 1]) j++;
        if (x->island[i] != x->island[j]) joined += picus_sets_join(x->island, i, j);
      }
    }
  return joined;
}

/* The number of islands; island[law] refers to the first law of its island. */
static int connect(picus_islands *x) {
  const picus_contact_problem *p = x->problem;
  for (int i = 0; i < p->law_count; i++) x->island[i] = i;
  int joined = p->factors  ? join_by_factors(x, p->factors)
               : p->blocks ? join_by_blocks(x, p->blocks)
                           : join_by_rows(x, p->G);
  for (int i = 1; i < p->law_count; i++) /* a rolling law stays behind its contact */
    if (p->laws[i].kind == PICUS_ROLLING) joined += picus_sets_join(x->island, i, i - 1);
  return p->law_count - joined;
}

/* The rows of law i, from `row` on, in a dense G. */
static bool stands_apart(const picus_contact_problem *p, int row, int dim) {
  for (int r = row; r < row + dim; r++) {
    const double *G = p->G + (size_t)r * (size_t)p->size;
    for (int j = 0; j < row; j++)
      if (G[j] != 0) return false;
    for (int j = row + dim; j < p->size; j++)
      if (G[j] != 0) return false;
  }
  return true;
}

static bool has_own_block_only(const picus_block_matrix *b, int law) {
  return b->row_start[law + 1] - b->row_start[law] == 1 && b->column[b->row_start[law]] == law;
}

bool picus_laws_are_apart(const picus_contact_problem *p) {
  int row = 0;
  if (p->factors || (p->blocks && !picus_contact_problem_fits(p))) return false;
  for (int i = 0; i < p->law_count; row += p->laws[i++].dim) {
    const int dim = p->laws[i].dim;
    const bool rolls = p->laws[i].kind == PICUS_ROLLING; /* with its contact */
    if (rolls || dim < 1 || dim > p->size - row) return false;
    if (p->blocks ? !has_own_block_only(p->blocks, i) : !stands_apart(p, row, dim)) return false;
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

/* --- G by islands --------------------------------------------------------------------------------------------- */

/* The columns of each law, renumbered; those of an island stand together. start of each law within its island. */
static void copy_columns(picus_islands *x, const int *start, const int *column, const int *number) {
  int at = 0;
  for (int k = 0; k < x->count; k++) {
    const int begin = at;
    x->begin[k] = (size_t)at;
    for (int i = x->first_law[k]; i < x->first_law[k + 1]; i++) {
      const int law = x->law[i];
      x->start[i + k] = at - begin;
      for (int c = start[law]; c < start[law + 1]; c++) x->column[at++] = number[column[c]];
    }
    x->start[x->first_law[k + 1] + k] = at - begin;
  }
}

/* Velocities get numbers within their island, in their own order. */
static void number_velocities(picus_islands *x, const picus_factored_matrix *f) {
  int *first = x->velocity;
  memset(first, 0, ((size_t)x->count + 1) * sizeof *first);
  for (int u = 0; u < f->unknowns; u++) { /* unknown: a law that acts on it */
    const int island = x->unknown[u] >= 0 ? x->island[x->unknown[u]] : -1;
    x->unknown[u] = island >= 0 ? first[island + 1]++ : -1;
  }
  for (int k = 0; k < x->count; k++) first[k + 1] += first[k];
}

static void copy_factors(picus_islands *x, const picus_factored_matrix *f) {
  number_velocities(x, f);
  copy_columns(x, f->start, f->column, x->unknown);
  for (int i = 0; i < x->problem->law_count; i++) {
    x->offset[i] = f->offset[x->law[i]];
    if (f->trace) x->trace[i] = f->trace[x->law[i]];
  }
}

static void copy_blocks(picus_islands *x, const picus_block_matrix *b) {
  size_t at = 0;
  copy_columns(x, b->row_start, b->column, x->place);
  for (int i = 0; i < x->problem->law_count; i++)
    for (int k = b->row_start[x->law[i]]; k < b->row_start[x->law[i] + 1]; k++) x->offset[at++] = b->offset[k];
}

static void copy_rows(picus_islands *x, const double *G) {
  const size_t size = (size_t)x->problem->size;
  size_t at = 0;
  for (int k = 0; k < x->count; k++) {
    x->begin[k] = at;
    for (int i = x->first_law[k]; i < x->first_law[k + 1]; i++)
      for (int row = x->problem_row[x->law[i]]; row < x->problem_row[x->law[i] + 1]; row++)
        for (int j = x->first_law[k]; j < x->first_law[k + 1]; j++) {
          const size_t dim = (size_t)x->laws[j].dim;
          memcpy(x->G + at, G + (size_t)row * size + (size_t)x->problem_row[x->law[j]], dim * sizeof *G);
          at += dim;
        }
  }
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
  if (problem->factors)
    copy_factors(x, problem->factors);
  else if (problem->blocks)
    copy_blocks(x, problem->blocks);
  else
    copy_rows(x, problem->G);
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
  const size_t begin = x->begin[number];
  const picus_contact_problem *p = x->problem;
  *out = (picus_island){.law = x->law + first, .P = x->P + row, .modes = x->modes + first};
  out->problem = (picus_contact_problem){
      .law_count = end - first, .laws = x->laws + first, .size = x->first_row[number + 1] - row, .c = x->c + row};
  if (p->factors) {
    const int velocity = x->velocity[number];
    out->factors = (picus_factored_matrix){.unknowns = x->velocity[number + 1] - velocity,
                                           .start = x->start + first + number,
                                           .column = x->column + begin,
                                           .offset = x->offset + first,
                                           .W = p->factors->W,
                                           .change = p->factors->change,
                                           .scratch = x->scratch + velocity,
                                           .trace = p->factors->trace ? x->trace + first : NULL};
    out->problem.factors = &out->factors;
  } else if (p->blocks) {
    out->blocks = (picus_block_matrix){.first_row = x->row_of + first + number,
                                       .row_start = x->start + first + number,
                                       .column = x->column + begin,
                                       .offset = x->offset + begin,
                                       .values = p->blocks->values};
    out->problem.blocks = &out->blocks;
  } else
    out->problem.G = x->G + begin;
}
