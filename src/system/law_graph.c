/* Which laws are coupled: those that act on a common part. */
#include "base/internal.h"
#include "system/internal.h"

#include <stdlib.h>
#include <string.h>

/* The laws of each part, in increasing order: law[start[p]] ... law[start[p + 1] - 1]. */
typedef struct laws_of_parts {
  size_t *start;
  int *law;
} laws_of_parts;

static picus_status list_laws(picus_context *context, const law_set *s, laws_of_parts *out) {
  size_t total = 0;
  for (int i = 0; i < s->law_count; i++) total += (size_t)s->laws[i].part_count;
  out->start = picus_allocate(context, (size_t)s->system->part_count + 2, sizeof *out->start);
  out->law = picus_allocate(context, total, sizeof *out->law);
  if (!out->start || !out->law) return PICUS_ERROR_MEMORY;
  size_t *next = out->start + 1; /* counts, then positions; finally the starts of the next parts */
  for (int i = 0; i < s->law_count; i++)
    for (int b = 0; b < s->laws[i].part_count; b++) next[s->laws[i].parts[b] + 1]++;
  for (int p = 0; p < s->system->part_count; p++) next[p + 1] += next[p];
  for (int i = 0; i < s->law_count; i++)
    for (int b = 0; b < s->laws[i].part_count; b++) out->law[next[s->laws[i].parts[b]]++] = i;
  return PICUS_OK;
}

static int compare(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Appends the neighbours of law i after the first count ones, unsorted; mark: 1 + the last law that visited each one.
 * NULL neighbours: only counts them. */
static size_t meet_neighbours(const law_set *s, const laws_of_parts *by_part, int i, int *mark, int *neighbours) {
  size_t count = 0;
  mark[i] = i + 1;
  if (neighbours) neighbours[count] = i;
  count++;
  for (int b = 0; b < s->laws[i].part_count; b++) {
    const int p = s->laws[i].parts[b];
    for (size_t k = by_part->start[p]; k < by_part->start[p + 1]; k++) {
      const int other = by_part->law[k];
      if (mark[other] == i + 1) continue;
      mark[other] = i + 1;
      if (neighbours) neighbours[count] = other;
      count++;
    }
  }
  return count;
}

static picus_status find_neighbours(picus_context *context, const law_set *s, const laws_of_parts *by_part,
                                    law_graph *graph) {
  const size_t laws = (size_t)s->law_count;
  int *mark = picus_allocate(context, laws, sizeof *mark);
  graph->start = picus_allocate(context, laws + 1, sizeof *graph->start);
  picus_status status = mark && graph->start ? PICUS_OK : PICUS_ERROR_MEMORY;
  for (int i = 0; !status && i < s->law_count; i++)
    graph->start[i + 1] = graph->start[i] + meet_neighbours(s, by_part, i, mark, NULL);
  if (!status) graph->neighbour = picus_allocate(context, graph->start[laws], sizeof *graph->neighbour);
  if (!status && !graph->neighbour) status = PICUS_ERROR_MEMORY;
  if (!status) memset(mark, 0, laws * sizeof *mark);
  for (int i = 0; !status && i < s->law_count; i++) {
    int *own = graph->neighbour + graph->start[i];
    qsort(own, meet_neighbours(s, by_part, i, mark, own), sizeof *own, compare);
  }
  picus_release(context, mark);
  return status;
}

picus_status picus_law_graph_create(picus_context *context, const law_set *s, law_graph *graph) {
  laws_of_parts by_part = {0};
  picus_status status = list_laws(context, s, &by_part);
  if (!status) status = find_neighbours(context, s, &by_part, graph);
  picus_release(context, by_part.start);
  picus_release(context, by_part.law);
  return status;
}

void picus_law_graph_release(picus_context *context, law_graph *graph) {
  picus_release(context, graph->start);
  picus_release(context, graph->neighbour);
  *graph = (law_graph){0};
}
