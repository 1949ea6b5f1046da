#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* kB of the process that are in memory, or -1 where the system does not say. */
static long resident_kilobytes(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = -1;
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "VmRSS:", 6) == 0) kilobytes = strtol(line + 6, NULL, 10);
  }
  if (file) (void)fclose(file);
  return kilobytes;
}

static bool steps(bench_run *run, long count) {
  for (long k = 0; k < count; k++) {
    if (picus_sim_step(run->sim, 0, NULL) != PICUS_OK) return bench_failed("woodpecker", run->context);
  }
  return true;
}

bool bench_memory(void) {
  const long count = 10000000;
  bench_run run;
  bool good = bench_open(&run, "woodpecker", 1e-6, 11) && steps(&run, 1000);
  if (good) {
    (void)resident_kilobytes(); /* reading it for the first time takes memory itself */
    const size_t held = picus_context_memory(run.context);
    const long resident = resident_kilobytes();
    good = steps(&run, count);
    const size_t held_after = picus_context_memory(run.context);
    const long resident_after = resident_kilobytes();
    printf("%-36s %12s %10s\n", "memory over 10^7 woodpecker steps", "before", "after");
    printf("  %-34s %12zu %10zu\n", "held by Picus, bytes", held, held_after);
    printf("  %-34s %12ld %10ld\n", "resident, kB", resident, resident_after);
    if (held_after > held || resident_after > resident + 64) {
      fprintf(stderr, "bench: memory grew\n");
      good = false;
    }
  }
  bench_close(&run);
  return good;
}
