/* A standalone contact problem: built from the entries of a file or copied, and converted back to entries. */
#include "base/internal.h"
#include "contact/internal.h"
#include "problem_file/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct picus_problem {
  picus_context *context;
  picus_problem_content content; /* without entries, once G is in blocks */
  picus_block_storage blocks;
  picus_factor_storage factors; /* instead of blocks, if requested */
  picus_contact_problem contacts;
  picus_problem_notes notes;
};

static void release_content(picus_context *context, picus_problem_content *content) {
  picus_release(context, content->laws);
  picus_release(context, content->c);
  picus_entries_release(context, &content->G);
  picus_entries_release(context, &content->W);
  picus_entries_release(context, &content->change);
  picus_release(context, content->title);
  picus_release(context, content->description);
  picus_release(context, content->math_info);
  picus_release(context, content->guess);
  picus_release(context, content->solution);
  *content = (picus_problem_content){0};
}

/* --- entries to blocks ----------------------------------------------------------------------------------------- */

typedef struct block_builder {
  const picus_problem_content *content;
  picus_entries_of_laws by_law; /* of G */
  int *seen;                    /* law_count: the last law that had a block with this one, plus 1 */
  int *columns;                 /* law_count: columns of the blocks of one law */
  size_t *place;                /* law_count: offset of the block in each column of the row at hand */
  picus_block_storage *blocks;  /* NULL while counting */
  size_t block_count, value_count;
} block_builder;

/* A contact with a rolling law behind it: both have the same blocks. The first and the last law of the pair of law i,
 * which are i itself without rolling friction. */
static int first_of_pair(const block_builder *b, int i) {
  return b->content->laws[i].kind == PICUS_ROLLING ? i - 1 : i;
}
static int last_of_pair(const block_builder *b, int i) {
  return i + 1 < b->content->law_count && b->content->laws[i + 1].kind == PICUS_ROLLING ? i + 1 : i;
}

static void add_columns(block_builder *b, int i, int j, int *count) {
  for (int other = first_of_pair(b, j); other <= last_of_pair(b, j); other++) {
    if (b->seen[other] == i + 1) continue;
    b->seen[other] = i + 1;
    b->columns[(*count)++] = other;
  }
}

/* The columns of the blocks of law i, sorted; the diagonal one is always there. */
static int find_columns(block_builder *b, int i) {
  int count = 0;
  add_columns(b, i, i, &count);
  for (int own = first_of_pair(b, i); own <= last_of_pair(b, i); own++)
    for (size_t k = b->by_law.start[own]; k < b->by_law.start[own + 1]; k++)
      add_columns(b, i, b->by_law.law_of_row[b->content->G.entries[b->by_law.list[k]].column], &count);
  qsort(b->columns, (size_t)count, sizeof *b->columns, picus_compare_integers);
  return count;
}

static void fill_values(block_builder *b, int i) {
  for (size_t k = b->by_law.start[i]; k < b->by_law.start[i + 1]; k++) {
    const picus_entry *e = &b->content->G.entries[b->by_law.list[k]];
    int j = b->by_law.law_of_row[e->column], row = e->row - b->by_law.first_row[i],
        column = e->column - b->by_law.first_row[j];
    double *value = &b->blocks->values[b->place[j] + (size_t)(row * b->content->laws[j].dim + column)];
    *value = *value == 0 ? e->value : *value + e->value; /* also a zero keeps its sign */
  }
}

/* One row of blocks after the other: counted first, then stored. */
static void build_blocks(block_builder *b) {
  const picus_law *laws = b->content->laws;
  b->block_count = b->value_count = 0;
  memset(b->seen, 0, (size_t)b->content->law_count * sizeof *b->seen);
  for (int i = 0; i < b->content->law_count; i++) {
    int count = find_columns(b, i);
    for (int n = 0; n < count; n++) {
      int j = b->columns[n];
      b->place[j] = b->value_count;
      if (b->blocks) {
        b->blocks->column[b->block_count] = j;
        b->blocks->offset[b->block_count] = b->value_count;
      }
      b->block_count++;
      b->value_count += (size_t)(laws[i].dim * laws[j].dim);
    }
    if (b->blocks) {
      b->blocks->row_start[i + 1] = (int)b->block_count;
      fill_values(b, i);
    }
  }
}

static picus_status store_blocks(picus_context *context, block_builder *b, picus_block_storage *out) {
  build_blocks(b);
  if (b->block_count > INT_MAX)
    return picus_fail(context, PICUS_ERROR_UNSUPPORTED, "G has %zu blocks, but at most %d are supported",
                      b->block_count, INT_MAX);
  picus_status status = picus_block_storage_create(context, b->content->law_count, b->block_count, b->value_count, out);
  if (status) return status;
  memset(out->values, 0, b->value_count * sizeof *out->values);
  memcpy(out->first_row, b->by_law.first_row, (size_t)(b->content->law_count + 1) * sizeof *out->first_row);
  out->row_start[0] = 0;
  b->blocks = out;
  build_blocks(b);
  return PICUS_OK;
}

static picus_status blocks_of_entries(picus_context *context, const picus_problem_content *content,
                                      picus_block_storage *out) {
  size_t laws = (size_t)content->law_count;
  block_builder b = {.content = content};
  b.seen = picus_allocate(context, laws, sizeof *b.seen);
  b.columns = picus_allocate(context, laws, sizeof *b.columns);
  b.place = picus_allocate(context, laws, sizeof *b.place);
  picus_status status = picus_entries_by_law(context, content, &content->G, &b.by_law);
  if (!b.seen || !b.columns || !b.place) status = PICUS_ERROR_MEMORY;
  if (!status) status = store_blocks(context, &b, out);
  picus_entries_of_laws_release(context, &b.by_law);
  picus_release(context, b.seen);
  picus_release(context, b.columns);
  picus_release(context, b.place);
  return status;
}

/* --- blocks to entries ----------------------------------------------------------------------------------------- */

/* Where the laws of a problem go: of each its first row there, and its number and first row in the content. */
typedef struct law_order {
  int *first_row, *new_law, *new_row;
} law_order;

static picus_status add_rows(picus_context *context, const picus_contact_problem *source, const law_order *order, int i,
                             picus_entries *G) {
  picus_status status = PICUS_OK;
  for (int n = 0; !status && n < picus_operator_of(source)->block_count(source, i); n++) {
    picus_block block = picus_operator_of(source)->block_at(source, order->first_row, i, n);
    for (int k = 0; !status && k < source->laws[i].dim; k++)
      for (int l = 0; !status && l < block.dim; l++)
        status = picus_entries_add(context, G, order->new_row[i] + k, order->new_row[block.law] + l,
                                   block.values[(size_t)k * block.stride + (size_t)l]);
  }
  return status;
}

static picus_status copy_percussions(picus_context *context, const picus_contact_problem *source,
                                     const law_order *order, const double *from, double **to) {
  if (!from) return PICUS_OK;
  *to = picus_allocate(context, (size_t)source->size, sizeof **to);
  if (!*to) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < source->law_count; i++)
    for (int k = 0; k < source->laws[i].dim; k++) (*to)[order->new_row[i] + k] = from[order->first_row[i] + k];
  return PICUS_OK;
}

static picus_status copy_note(picus_context *context, const char *from, char **to) {
  if (!from) return PICUS_OK;
  *to = picus_copy_text(context, from);
  return *to ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status fill_content(picus_context *context, const picus_contact_problem *source,
                                 const picus_problem_notes *notes, const law_order *order, picus_problem_content *out) {
  picus_status status = PICUS_OK;
  out->law_count = source->law_count;
  out->size = out->G.rows = out->G.columns = source->size;
  out->laws = picus_allocate(context, (size_t)source->law_count, sizeof *out->laws);
  if (!out->laws) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < source->law_count; i++) out->laws[order->new_law[i]] = source->laws[i];
  status = copy_percussions(context, source, order, source->c, &out->c);
  for (int i = 0; !status && i < source->law_count; i++) status = add_rows(context, source, order, i, &out->G);
  if (status || !notes) return status;
  status = copy_note(context, notes->title, &out->title);
  if (!status) status = copy_note(context, notes->description, &out->description);
  if (!status) status = copy_note(context, notes->math_info, &out->math_info);
  if (!status) status = copy_percussions(context, source, order, notes->guess, &out->guess);
  if (!status) status = copy_percussions(context, source, order, notes->solution, &out->solution);
  return status;
}

static void choose_order(const picus_contact_problem *source, bool bilateral_first, law_order *order) {
  picus_contact_first_rows(source, order->first_row);
  int law = 0, row = 0;
  for (int turn = 0; turn < 2; turn++) /* the first pass takes the leading laws, the second the others */
    for (int i = 0; i < source->law_count; i++) {
      bool first = !bilateral_first || source->laws[i].kind == PICUS_BILATERAL;
      if (first != (turn == 0)) continue;
      order->new_law[i] = law++;
      order->new_row[i] = row;
      row += source->laws[i].dim;
    }
}

/* The content of a block-sparse problem, in its order or with the bilateral laws first. */
static picus_status content_of_blocks(picus_context *context, const picus_contact_problem *source,
                                      const picus_problem_notes *notes, bool bilateral_first,
                                      picus_problem_content *out) {
  size_t laws = (size_t)source->law_count;
  law_order order = {.first_row = picus_allocate(context, laws + 1, sizeof(int)),
                     .new_law = picus_allocate(context, laws, sizeof(int)),
                     .new_row = picus_allocate(context, laws, sizeof(int))};
  picus_status status = order.first_row && order.new_law && order.new_row ? PICUS_OK : PICUS_ERROR_MEMORY;
  if (!status) {
    choose_order(source, bilateral_first, &order);
    status = fill_content(context, source, notes, &order, out);
  }
  picus_release(context, order.first_row);
  picus_release(context, order.new_law);
  picus_release(context, order.new_row);
  return status;
}

static picus_status content_of(picus_context *context, const picus_contact_problem *source,
                               const picus_problem_notes *notes, bool bilateral_first, picus_problem_content *out) {
  picus_status status = picus_contact_problem_check(context, source);
  if (status) return status;
  picus_block_storage blocks;
  picus_contact_problem by_blocks;
  status = picus_contact_to_blocks(context, source, &blocks, &by_blocks);
  if (status) return status;
  status = content_of_blocks(context, &by_blocks, notes, bilateral_first, out);
  picus_block_storage_destroy(&blocks);
  return status;
}

/* --- the problem ----------------------------------------------------------------------------------------------- */

static const char *text_or_nothing(const char *text) { return text ? text : ""; }

/* Takes the content over, also on failure. */
static picus_status adopt(picus_context *context, picus_problem_content *content, picus_problem **out) {
  picus_problem *problem = picus_allocate(context, 1, sizeof *problem);
  if (!problem) {
    release_content(context, content);
    return PICUS_ERROR_MEMORY;
  }
  problem->context = context;
  problem->content = *content;
  problem->blocks.context = context;
  picus_status status = content->has_factors ? picus_factor_storage_from_content(context, content, &problem->factors)
                                             : blocks_of_entries(context, content, &problem->blocks);
  if (status) {
    picus_problem_destroy(problem);
    return status;
  }
  /* the entries have become blocks or factors */
  picus_entries_release(context, &problem->content.G);
  picus_entries_release(context, &problem->content.W);
  picus_entries_release(context, &problem->content.change);
  problem->contacts = (picus_contact_problem){.law_count = content->law_count,
                                              .laws = content->laws,
                                              .size = content->size,
                                              .c = content->c,
                                              .blocks = content->has_factors ? NULL : &problem->blocks.matrix,
                                              .factors = content->has_factors ? &problem->factors.matrix : NULL};
  problem->notes = (picus_problem_notes){.title = text_or_nothing(content->title),
                                         .description = text_or_nothing(content->description),
                                         .math_info = text_or_nothing(content->math_info),
                                         .guess = content->guess,
                                         .solution = content->solution};
  *out = problem;
  return PICUS_OK;
}

static picus_status finish(picus_context *context, picus_status status, picus_problem_content *content,
                           picus_problem **out) {
  if (!status) return adopt(context, content, out);
  release_content(context, content);
  return status;
}

picus_status picus_problem_read(picus_context *context, const char *path, picus_problem **out) {
  picus_problem_content content = {0};
  *out = NULL;
  picus_status status = picus_hdf5_read_problem(context, path, &content);
  return finish(context, status, &content, out);
}

picus_status picus_problem_read_factored(picus_context *context, const char *path, picus_problem **out) {
  picus_problem_content content = {.keeps_factors = true};
  *out = NULL;
  picus_status status = picus_hdf5_read_problem(context, path, &content);
  return finish(context, status, &content, out);
}

picus_status picus_problem_copy(picus_context *context, const picus_contact_problem *source,
                                const picus_problem_notes *notes, picus_problem **out) {
  picus_problem_content content = {0};
  *out = NULL;
  picus_status status = content_of(context, source, notes, false, &content);
  return finish(context, status, &content, out);
}

void picus_problem_destroy(picus_problem *problem) {
  if (!problem) return;
  picus_context *context = problem->context;
  release_content(context, &problem->content);
  picus_block_storage_destroy(&problem->blocks);
  picus_factor_storage_destroy(&problem->factors);
  picus_release(context, problem);
}

const picus_contact_problem *picus_problem_contacts(const picus_problem *problem) { return &problem->contacts; }
const picus_problem_notes *picus_problem_notes_of(const picus_problem *problem) { return &problem->notes; }

picus_status picus_problem_write(picus_context *context, const char *path, const picus_contact_problem *problem,
                                 const picus_problem_notes *notes) {
  picus_problem_content content = {0};
  picus_status status = content_of(context, problem, notes, true, &content);
  if (!status) status = picus_hdf5_write_problem(context, path, &content);
  release_content(context, &content);
  return status;
}
