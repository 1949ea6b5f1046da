#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { repetitions = 5, most_schemes = 32 };

typedef struct scene {
  const char *model;
  double dt, t_end;
} scene;

static const scene scenes[] = {
    {"woodpecker", 1e-5, 1}, {"slider-crank", 1e-5, 0.1}, {"slider-crank-bodies", 1e-5, 0.05}, {"slope", 1e-3, 3.2768}};

/* Microseconds per step of one run; infinite where the scheme refuses the model. */
static double microseconds(const scene *s, const char *scheme) {
  bench_run run;
  picus_summary summary = {0};
  double seconds = -1;
  if (bench_open_request(&run, &(bench_request){.model = s->model, .scheme = scheme, .dt = s->dt, .t_end = s->t_end}))
    seconds = bench_run_once(&run, &summary);
  bench_close(&run);
  return seconds > 0 && summary.steps > 0 ? 1e6 * seconds / (double)summary.steps : INFINITY;
}

static bool is_shipped(const char *model) {
  for (int i = 0; i < picus_shipped_model_count(); i++)
    if (strcmp(picus_shipped_model_name(i), model) == 0) return true;
  return false;
}

bool bench_schemes(void) {
  printf("%-36s %12s %10s\n", "schemes, same step size", "us/step", "/moreau");
  for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; k++) {
    double best[most_schemes];
    int count = 0;
    if (!is_shipped(scenes[k].model)) continue;
    while (picus_scheme_at(count) && count < most_schemes) best[count++] = INFINITY;
    for (int repetition = 0; repetition < repetitions; repetition++)
      for (int i = 0; i < count; i++) best[i] = fmin(best[i], microseconds(&scenes[k], picus_scheme_at(i)->name));
    for (int i = 0; i < count; i++) {
      char label[64];
      snprintf(label, sizeof label, "%s, %s", scenes[k].model, picus_scheme_at(i)->name);
      if (isfinite(best[i])) printf("  %-34s %12.3g %10.3g\n", label, best[i], best[i] / best[0]);
    }
  }
  return true;
}
