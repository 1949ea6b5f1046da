/* Contacts of bodies at rest keep their features: round-off does not exchange them. */
#include "support/check.h"
#include "support/simulate.h"

#include <stdio.h>

enum { MOST = 4000 };
typedef struct key_list {
  int count;
  uint64_t key[MOST];
  char name[MOST][PICUS_SUMMARY_NAME];
} key_list;

static bool list_keys(simulation *s, key_list *out) {
  out->count = picus_sim_present_count(s->sim);
  if (!CHECK(out->count <= MOST)) return false;
  for (int k = 0; k < out->count; k++) {
    const picus_present_law law = picus_sim_present_law(s->sim, k);
    out->key[k] = law.key;
    snprintf(out->name[k], sizeof out->name[k], "%s", law.law.name);
  }
  return true;
}

/* Keys of the first list that are not in the second one; both are sorted. */
static int missing(const key_list *a, const key_list *b, bool say) {
  int count = 0;
  for (int i = 0, j = 0; i < a->count; i++) {
    while (j < b->count && b->key[j] < a->key[i]) j++;
    if (j < b->count && b->key[j] == a->key[i]) continue;
    count++;
    if (say) printf("    %s\n", a->name[i]);
  }
  return count;
}

/* Steps of a model whose bodies are at rest; NULL: its own scheme. */
static void keep_keys(const char *model, const char *overrides, const char *scheme, int steps) {
  static key_list before, now;
  simulation s;
  picus_sim_options options;
  int changes = 0;
  REQUIRE(simulation_load(&s, model, overrides, &options));
  if (scheme) options.scheme = scheme;
  REQUIRE(simulation_start(&s, &options));
  for (int k = 0; k < steps; k++) {
    if (!CHECK(picus_sim_step(s.sim, 0, NULL) == PICUS_OK) || !list_keys(&s, &now)) break;
    if (k > 0) changes += missing(&before, &now, changes < 20) + missing(&now, &before, false);
    before = now;
  }
  printf("  %s: %d contacts, %d changes of keys in %d steps\n", model, now.count, changes, steps);
  CHECK(changes == 0);
  simulation_close(&s);
}

static void wall(void) { keep_keys("wall", "rows=5,columns=5", NULL, 100); }
static void tower(void) { keep_keys("tower", "", NULL, 100); }
static void planks(void) { keep_keys("kapla-tower", "", NULL, 100); }
static void cards(void) { keep_keys("card-house", "", NULL, 100); }
static void large_wall(void) { keep_keys("wall", "", NULL, 30); }
static void rattled(void) { keep_keys("wall", "rows=3,columns=3", "rattle", 50); }

int main(int argc, char **argv) {
  static const test_case cases[] = {{"wall", wall},   {"tower", tower},           {"planks", planks},
                                    {"cards", cards}, {"large_wall", large_wall}, {"rattled", rattled}};
  return test_main(argc, argv, "shape_keys", cases, sizeof cases / sizeof cases[0]);
}
