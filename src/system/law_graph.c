/* Which laws are coupled: those that act on a common part. */
#include "base/internal.h"
#include "system/delassus.h"
#include "system/internal.h"

#include <stdlib.h>
#include <string.h>

/* Memory for at least `count` elements; the old content is not kept. Sets that change need more from time to time, so
 * that memory grows by a factor then. */
static picus_status reserve(picus_context *context, void *array_pointer, size_t count, size_t capacity, size_t size) {
  void **array = array_pointer;
  if (*array && count <= capacity) return PICUS_OK;
  void *block = picus_allocate(context, count, size);
  if (!block) return PICUS_ERROR_MEMORY;
  picus_release(context, *array);
  *array = block;
  return PICUS_OK;
}

static picus_status reserve_laws(picus_context *context, const law_set *s, law_graph *graph) {
  const size_t laws = (size_t)s->law_count, parts = (size_t)s->system->part_count;
  size_t total = 0;
  for (int i = 0; i < s->law_count; i++) total += (size_t)s->laws[i].part_count;
  picus_status status = PICUS_OK;
  if (!graph->part_start) status = reserve(context, &graph->part_start, parts + 2, 0, sizeof *graph->part_start);
  if (!status && (!graph->start || laws > graph->law_capacity)) {
    const size_t more = picus_grown(laws, graph->law_capacity);
    status = reserve(context, &graph->start, more + 1, graph->law_capacity + 1, sizeof *graph->start);
    if (!status) status = reserve(context, &graph->mark, more, graph->law_capacity, sizeof *graph->mark);
    if (!status) graph->law_capacity = more;
  }
  if (!status && (!graph->law_of_part || total > graph->part_capacity)) {
    const size_t more = picus_grown(total, graph->part_capacity);
    status = reserve(context, &graph->law_of_part, more, graph->part_capacity, sizeof *graph->law_of_part);
    if (!status) graph->part_capacity = more;
  }
  return status;
}

/* The laws of each part, in increasing order: law_of_part[part_start[p]] ... law_of_part[part_start[p + 1] - 1]. */
static void list_laws(const law_set *s, law_graph *graph) {
  memset(graph->part_start, 0, ((size_t)s->system->part_count + 2) * sizeof *graph->part_start);
  size_t *next = graph->part_start + 1; /* counts, then positions; finally the starts of the next parts */
  for (int i = 0; i < s->law_count; i++)
    for (int b = 0; b < s->laws[i].part_count; b++) next[s->laws[i].parts[b] + 1]++;
  for (int p = 0; p < s->system->part_count; p++) next[p + 1] += next[p];
  for (int i = 0; i < s->law_count; i++)
    for (int b = 0; b < s->laws[i].part_count; b++) graph->law_of_part[next[s->laws[i].parts[b]]++] = i;
}

static int compare(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* The neighbours of law i, unsorted; mark: 1 + the last law that visited each one. NULL: only counts them. */
static size_t meet_neighbours(const law_set *s, const law_graph *graph, int i, int *neighbours) {
  size_t count = 0;
  int *mark = graph->mark;
  mark[i] = i + 1;
  if (neighbours) neighbours[count] = i;
  count++;
  for (int b = 0; b < s->laws[i].part_count; b++) {
    const int p = s->laws[i].parts[b];
    for (size_t k = graph->part_start[p]; k < graph->part_start[p + 1]; k++) {
      const int other = graph->law_of_part[k];
      if (mark[other] == i + 1) continue;
      mark[other] = i + 1;
      if (neighbours) neighbours[count] = other;
      count++;
    }
  }
  return count;
}

static void forget_marks(const law_set *s, law_graph *graph) {
  if (s->law_count > 0) memset(graph->mark, 0, (size_t)s->law_count * sizeof *graph->mark);
}

static picus_status find_neighbours(picus_context *context, const law_set *s, law_graph *graph) {
  forget_marks(s, graph);
  graph->start[0] = 0;
  for (int i = 0; i < s->law_count; i++) graph->start[i + 1] = graph->start[i] + meet_neighbours(s, graph, i, NULL);
  const size_t total = graph->start[s->law_count];
  if (!graph->neighbour || total > graph->neighbour_capacity) {
    const size_t more = picus_grown(total, graph->neighbour_capacity);
    picus_status status =
        reserve(context, &graph->neighbour, more, graph->neighbour_capacity, sizeof *graph->neighbour);
    if (status) return status;
    graph->neighbour_capacity = more;
  }
  if (!graph->neighbour) return PICUS_ERROR_MEMORY;
  forget_marks(s, graph);
  for (int i = 0; i < s->law_count; i++) {
    int *own = graph->neighbour + graph->start[i];
    qsort(own, meet_neighbours(s, graph, i, own), sizeof *own, compare);
  }
  return PICUS_OK;
}

bool picus_law_set_is_dense(const law_set *s) {
  if (s->row_count > PICUS_DENSE_ROWS) return false;
  bool joints = !s->present; /* no contacts will appear */
  for (int i = 0; joints && i < s->law_count; i++) joints = s->laws[i].data.kind == PICUS_BILATERAL;
  return !joints || s->row_count <= PICUS_DENSE_JOINTS;
}

picus_status picus_law_set_connect(picus_context *context, law_set *s) {
  if (picus_law_set_is_dense(s) || picus_law_set_is_factored(s)) return PICUS_OK;
  picus_status status = reserve_laws(context, s, &s->graph);
  if (status) return status;
  list_laws(s, &s->graph);
  return find_neighbours(context, s, &s->graph);
}

void picus_law_graph_release(picus_context *context, law_graph *graph) {
  void *blocks[] = {graph->start, graph->neighbour, graph->part_start, graph->law_of_part, graph->mark};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) picus_release(context, blocks[i]);
  *graph = (law_graph){0};
}
