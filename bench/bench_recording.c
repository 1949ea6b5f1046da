#include "bench.h"
#include "clock.h"
#include "rows_by_hand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { repetitions = 5, no_recorder = 0 };

/* A way to record: by a sink of Picus, or by hand. by_hand: the peer of a sink, by its place in the table. */
typedef struct record_kind {
  const char *name;
  bool is_csv, is_compressed, is_single, is_by_hand;
  rows_format format; /* by hand */
  int by_hand;
} record_kind;
enum { values = 5, hand_deflated, hand_hdf5, hand_text, hand_raw, kind_count };
static const record_kind kinds[kind_count] = {
    {.name = "no recorder"},
    {.name = "HDF5", .is_compressed = true, .by_hand = hand_deflated},
    {.name = "HDF5, uncompressed", .by_hand = hand_hdf5},
    {.name = "HDF5, single precision", .is_compressed = true, .is_single = true, .by_hand = hand_deflated},
    {.name = "CSV", .is_csv = true, .by_hand = hand_text},
    [values] = {.name = "values, not written", .is_by_hand = true, .format = ROWS_NOWHERE},
    [hand_deflated] = {.name = "by hand, HDF5, deflate 1", .is_by_hand = true, .format = ROWS_HDF5_DEFLATED},
    [hand_hdf5] = {.name = "by hand, HDF5", .is_by_hand = true, .format = ROWS_HDF5},
    [hand_text] = {.name = "by hand, fprintf %.17g", .is_by_hand = true, .format = ROWS_TEXT},
    [hand_raw] = {.name = "by hand, fwrite", .is_by_hand = true, .format = ROWS_RAW}};

static picus_status add_sink(picus_recorder *recorder, const record_kind *kind, const char *path) {
  if (kind->is_by_hand) return rows_by_hand(recorder, kind->format, path);
  return kind->is_csv ? picus_recorder_add_csv(recorder, path) : picus_recorder_add_hdf5(recorder, path);
}

/* One run of the woodpecker that records every step; the seconds it took, or a negative number. */
static double run_recorded(bench_run *run, int kind, const char *path, picus_summary *summary) {
  if (kind == no_recorder) {
    const double begin = processor_seconds_now();
    return bench_run_once(run, summary) < 0 ? -1 : processor_seconds_now() - begin;
  }
  const picus_run_description description = {run->model, run->system, &run->options, "bench"};
  picus_recorder *recorder = NULL;
  picus_status status = picus_recorder_create(run->context, &description, &recorder);
  if (status == PICUS_OK) status = picus_recorder_set_compressed(recorder, kinds[kind].is_compressed);
  if (status == PICUS_OK) status = picus_recorder_set_single(recorder, kinds[kind].is_single);
  if (status == PICUS_OK) status = add_sink(recorder, &kinds[kind], path);
  const double start = processor_seconds_now();
  if (status == PICUS_OK) status = picus_sim_run(run->sim, recorder, NULL, summary);
  const double seconds = processor_seconds_now() - start;
  picus_recorder_destroy(recorder);
  if (status != PICUS_OK) bench_failed(kinds[kind].name, run->context);
  return status == PICUS_OK ? seconds : -1;
}

/* Bytes of a file. */
static double size_of(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0 ? (double)facts.st_size : 0;
}

static bool measure(const char *path, double best[kind_count], long rows[kind_count], double bytes[kind_count]) {
  for (int repetition = 0; repetition < repetitions; repetition++) {
    for (int kind = 0; kind < kind_count; kind++) {
      bench_run run;
      picus_summary summary = {0};
      double seconds = -1;
      if (bench_open(&run, "woodpecker", 1e-5, 1)) {
        run.options.every = kind == 0 ? 0 : 1;
        picus_sim_destroy(run.sim);
        run.sim = NULL;
        if (picus_sim_create(run.context, run.system, &run.options, &run.sim) == PICUS_OK) {
          seconds = run_recorded(&run, kind, path, &summary);
        }
      }
      bench_close(&run);
      bytes[kind] = size_of(path);
      (void)remove(path);
      if (seconds < 0) return false;
      best[kind] = fmin(best[kind], seconds);
      rows[kind] = kind == 0 ? summary.steps : summary.rows;
    }
  }
  return true;
}

static picus_status count_switchings(void *self, long count, const picus_switching *switchings) {
  (void)switchings;
  *(long *)self += count;
  return PICUS_OK;
}

/* The woodpecker's run with an event log and no rows; the seconds it took, or a negative number. */
static double run_with_event_log(bench_run *run, long *count) {
  const picus_run_description description = {run->model, run->system, &run->options, "bench"};
  picus_recorder *recorder = NULL;
  picus_status status = picus_recorder_create(run->context, &description, &recorder);
  const picus_sink sink = {.self = count, .write_switchings = count_switchings};
  if (status == PICUS_OK) status = picus_recorder_add_sink(recorder, sink);
  const double start = seconds_now();
  if (status == PICUS_OK) status = picus_sim_run(run->sim, recorder, NULL, NULL);
  const double seconds = seconds_now() - start;
  picus_recorder_destroy(recorder);
  if (status != PICUS_OK) bench_failed("event log", run->context);
  return status == PICUS_OK ? seconds : -1;
}

static bool bench_event_log(void) {
  enum { event_log_repetitions = 25 };
  double best[2] = {INFINITY, INFINITY};
  long count = 0;
  for (int repetition = 0; repetition < 2 * event_log_repetitions; repetition++) {
    const int kind = repetition % 2;
    bench_run run;
    picus_summary summary = {0};
    double seconds = -1;
    count = 0;
    if (bench_open(&run, "woodpecker", 1e-6, 1))
      seconds = kind == 0 ? bench_run_once(&run, &summary) : run_with_event_log(&run, &count);
    bench_close(&run);
    if (seconds < 0) return false;
    best[kind] = fmin(best[kind], seconds);
  }
  printf("%-36s %12s %10s\n", "event log", "switches", "of a run");
  printf("  %-34s %12ld %9.1f%%\n", "woodpecker, dt = 1e-6", count, 100 * (best[1] / best[0] - 1));
  return true;
}

bool bench_recording(void) {
  const char *folder = getenv("TMPDIR");
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/picus-bench-%ld", folder ? folder : "/tmp", (long)getpid());
  double best[kind_count], bytes[kind_count] = {0};
  long rows[kind_count] = {0};
  for (int kind = 0; kind < kind_count; kind++) best[kind] = INFINITY;
  const bool good = measure(path, best, rows, bytes);
  printf("%-36s %12s %10s %10s %10s\n", "recording every step (woodpecker)", "rows/s", "ns/row", "bytes/row",
         "by hand");
  for (int kind = 1; good && kind < kind_count; kind++) {
    const double beyond_stepping = (best[kind] - best[0]) / (double)rows[kind];
    printf("  %-34s %12.4g %10.1f %10.1f", kinds[kind].name, 1 / beyond_stepping, 1e9 * beyond_stepping,
           bytes[kind] / (double)rows[kind]);
    if (kinds[kind].by_hand)
      printf(" %10.3f", beyond_stepping * (double)rows[kind] / (best[kinds[kind].by_hand] - best[0]));
    printf("\n");
  }
  return good && bench_event_log();
}
