/* picus_bench PART...: prints the rows of the named parts. bench/run calls it and puts the table together. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  bool (*run)(void);
} parts[] = {{"models", bench_models},       {"schemes", bench_schemes}, {"woodpecker", bench_woodpecker},
             {"implicit", bench_implicit},   {"solvers", bench_solvers}, {"factors", bench_factors},
             {"recording", bench_recording}, {"memory", bench_memory}};
enum { part_count = sizeof parts / sizeof parts[0] };

static int usage(void) {
  fprintf(stderr, "usage: picus_bench PART...; parts:");
  for (int i = 0; i < part_count; i++) fprintf(stderr, " %s", parts[i].name);
  fprintf(stderr, "\n");
  return 2;
}

int main(int count, char **argument) {
#ifndef NDEBUG
  fprintf(stderr, "bench: this is not a Release build; the times mean little\n");
#endif
  if (count < 2) return usage();
  bool good = true;
  for (int k = 1; k < count; k++) {
    int part = 0;
    while (part < part_count && strcmp(parts[part].name, argument[k]) != 0) part++;
    if (part == part_count) return usage();
    good = parts[part].run() && good;
  }
  return good ? 0 : 1;
}
