/* All contact solvers on all problems: those of files and the generated families, at several tolerances. Every attempt
 * runs in a process of its own, so that one that crashes, prints or does not end harms nothing.
 *
 *   picus_solver_bench [--data FOLDER] [--csv FILE] [--plot NAME] [--limit SECONDS] [--only TEXT] [--tol X]
 *                      [--contender TEXT] [--files] [--no-siconos] [--profile] [--stages]
 *
 * --profile: what "auto" learns from. Without Siconos, with the problems that were looked at while its rules were made,
 * others that were not, and warm starts. First a table of the stages of "auto": how often each is tried and decides, on
 * short runs of the shipped models, the files and the families. --stages: this table alone. */
#include "commands/profile.h"
#include "scenes.h"
#include "solvers_attempt.h"
#include "solvers_benchmark.h"
#include "solvers_features.h"
#include "solvers_stages.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENDERS_MOST = 64, PROBLEMS_MOST = 256, TOLERANCES = 3 };

#define SHORTEST_LIMIT 0.3 /* seconds: the repetitions of an attempt take up to 50 ms */

static const double tolerances[TOLERANCES] = {1e-4, 1e-8, 1e-12};

static const scene_def families[] = {
    {"stack", 10, 2, 1},  {"stack", 60, 2, 1}, {"stack", 10, 3, 1}, {"stack", 40, 3, 1},
    {"tower", 10, 2, 1},  {"tower", 10, 3, 1}, {"arch", 15, 2, 1},  {"arch", 15, 3, 1},
    {"chain", 20, 2, 1},  {"chain", 20, 3, 1}, {"chute", 50, 2, 1}, {"chute", 400, 2, 1},
    {"chute", 200, 3, 1}, {"box", 100, 2, 1},  {"box", 900, 2, 1},  {"box", 125, 3, 1},
};

/* For the profile: sizes and a seed with which the rules of "auto" were made, like all files; and sizes and a seed that
 * nobody looked at then. Every family, planar and spatial, from zero and from a warm start. */
typedef struct family_sizes {
  const char *family;
  int seen[2], unseen[2];
} family_sizes;
static const family_sizes profiled[] = {
    {"stack", {6, 20}, {5, 26}}, {"tower", {5, 20}, {6, 16}},   {"arch", {6, 30}, {10, 20}},
    {"chain", {5, 60}, {7, 30}}, {"chute", {10, 30}, {12, 34}}, {"box", {9, 64}, {25, 36}},
};
enum { SEEN_SEED = 2, UNSEEN_SEED = 31 };

typedef struct settings {
  const char *data, *csv, *plot; /* plot: the profiles go to PLOT-1e-08.png and so on */
  const char *only, *contender;  /* a part of the name of a problem, of a contender */
  double limit;                  /* seconds for one attempt, with all its repetitions */
  double patience;               /* an attempt ends when it takes so many times the best one */
  double only_tolerance;
  bool siconos, profile, files; /* files: no scenes */
  bool stages;                  /* only them */
} settings;

/* A problem as it came, and in units in which the mean diagonal of G and the mean |c_k| are 1. The measure of the
 * benchmark adds percussions and velocities, and in other units may see one of them only: answers are judged in those
 * units. Picus does not notice units. Siconos does, and may use whatever suits it better. */
typedef struct bench_problem {
  char name[64];
  picus_problem *given, *scaled;
  double percussion; /* scaled P over given P */
  warm_start warm;   /* of the scaled problem */
  bool unseen;
  problem_features features;
  attempt attempts[TOLERANCES][CONTENDERS_MOST];
} bench_problem;

typedef struct bench {
  settings settings;
  contender contenders[CONTENDERS_MOST];
  int contender_count;
  bench_problem *problems;
  int problem_count, file_count; /* files first */
} bench;

/* --- who and what ---------------------------------------------------------------------------------------------- */

/* auto takes part always: the others are compared with it. */
static void add_contender(bench *b, const char *code, contender c) {
  static char names[CONTENDERS_MOST][48];
  char *name = names[b->contender_count];
  snprintf(name, sizeof names[0], "%s %s", code, c.name);
  if (b->contender_count > 0 && b->settings.contender && !strstr(name, b->settings.contender)) return;
  c.name = name;
  b->contenders[b->contender_count++] = c;
}

static void list_contenders(bench *b) {
  for (int k = -1; b->contender_count < CONTENDERS_MOST; k++) { /* auto first, also where the table does not list it */
    const char *name = k < 0 ? "auto" : picus_solver_at(k) ? picus_solver_at(k)->name : NULL;
    if (!name) break;
    if (k >= 0 && strcmp(name, "auto") == 0) continue;
    add_contender(b, "picus", (contender){.name = name, .solver = name});
  }
  for (int k = 0; b->settings.siconos && siconos_solver_name(k) && b->contender_count < CONTENDERS_MOST; k++) {
    add_contender(b, "siconos", (contender){.name = siconos_solver_name(k), .number = k});
  }
}

/* Mean diagonal of G. */
static double mean_stiffness(const picus_contact_problem *p) {
  double sum = 0;
  for (int i = 0; i < p->law_count; i++)
    for (int n = p->blocks->row_start[i]; n < p->blocks->row_start[i + 1]; n++) {
      size_t dim = (size_t)p->laws[i].dim;
      for (size_t k = 0; p->blocks->column[n] == i && k < dim; k++)
        sum += fabs(p->blocks->values[p->blocks->offset[n] + k * (dim + 1)]);
    }
  return sum > 0 ? sum / p->size : 1;
}

static double mean_velocity(const picus_contact_problem *p) {
  double sum = 0;
  for (int k = 0; k < p->size; k++) sum += fabs(p->c[k]);
  return sum > 0 ? sum / p->size : 1;
}

/* A copy of a block problem that owns its numbers, with G and c divided. NULL: no memory. */
static picus_problem *divided(picus_context *context, const picus_contact_problem *p, double by_G, double by_c) {
  picus_problem *result = NULL;
  size_t rows = (size_t)p->size, last = (size_t)p->blocks->row_start[p->law_count], count = 0;
  for (int i = 0; i < p->law_count; i++)
    for (size_t n = (size_t)p->blocks->row_start[i]; n < last && n < (size_t)p->blocks->row_start[i + 1]; n++) {
      size_t end = p->blocks->offset[n] + (size_t)(p->laws[i].dim * p->laws[p->blocks->column[n]].dim);
      if (end > count) count = end;
    }
  double *values = malloc((count + rows + 1) * sizeof *values), *c = values + count;
  if (!values) return NULL;
  for (size_t k = 0; k < count; k++) values[k] = p->blocks->values[k] / by_G;
  for (size_t k = 0; k < rows; k++) c[k] = p->c[k] / by_c;
  picus_block_matrix blocks = *p->blocks;
  picus_contact_problem view = *p;
  blocks.values = values;
  view.blocks = &blocks;
  view.c = c;
  if (picus_problem_copy(context, &view, NULL, &result)) printf("left out: %s\n", picus_last_error(context)->message);
  free(values);
  return result;
}

/* Takes the problem over. */
static bench_problem *add_problem(bench *b, picus_context *context, const char *name, picus_problem *given) {
  const picus_contact_problem *contacts = picus_problem_contacts(given);
  double stiffness = mean_stiffness(contacts), velocity = mean_velocity(contacts);
  bool wanted = !b->settings.only || strstr(name, b->settings.only);
  picus_problem *scaled = NULL;
  if (wanted && b->problem_count < PROBLEMS_MOST) scaled = divided(context, contacts, stiffness, velocity);
  if (!scaled) {
    picus_problem_destroy(given);
    return NULL;
  }
  bench_problem *p = &b->problems[b->problem_count++];
  *p = (bench_problem){.given = given, .scaled = scaled, .percussion = stiffness / velocity};
  snprintf(p->name, sizeof p->name, "%.63s", name);
  p->features = features_of(contacts);
  return p;
}

static int is_problem_file(const struct dirent *entry) { return strstr(entry->d_name, ".hdf5") != NULL; }

/* How many files the folder has; negative: there is none. */
static int read_folder(bench *b, picus_context *context, const char *folder) {
  char path[1024];
  struct dirent **entries = NULL;
  const int count = scandir(folder, &entries, is_problem_file, alphasort);
  for (int k = 0; k < count; k++) {
    picus_problem *problem = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
    *strstr(entries[k]->d_name, ".hdf5") = '\0';
    if (picus_problem_read(context, path, &problem))
      printf("left out: %s\n", picus_last_error(context)->message);
    else
      add_problem(b, context, entries[k]->d_name, problem);
    free(entries[k]);
  }
  free(entries);
  return count;
}

/* Those from outside; for the profile also those of the tests, seen from the root of the sources. */
static void read_problems(bench *b, picus_context *context) {
  char folder[512];
  snprintf(folder, sizeof folder, "%s/contact", b->settings.data ? b->settings.data : ".");
  if (!b->settings.data || read_folder(b, context, folder) <= 0)
    printf("No problems from outside: set PICUS_DATA to the folder that has contact/*.hdf5.\n");
  if (b->settings.profile || b->settings.stages) (void)read_folder(b, context, "test/data/problems");
}

static void make_problems(bench *b, picus_context *context) {
  for (size_t k = 0; k < sizeof families / sizeof families[0]; k++) {
    picus_problem *problem = NULL;
    if (scene_create(context, &families[k], &problem) == PICUS_OK)
      add_problem(b, context, picus_problem_notes_of(problem)->title, problem);
  }
}

static void add_scene(bench *b, picus_context *context, const scene_def *def, bool warm, bool unseen) {
  picus_problem *problem = NULL;
  char name[64];
  if (scene_create(context, def, &problem) != PICUS_OK) return;
  snprintf(name, sizeof name, "%.50s%s", picus_problem_notes_of(problem)->title, warm ? " warm" : "");
  bench_problem *added = add_problem(b, context, name, problem);
  if (!added) return;
  if (warm) added->warm = warm_start_of(context, picus_problem_contacts(added->scaled));
  added->unseen = unseen;
}

static void make_profiled(bench *b, picus_context *context) {
  for (size_t f = 0; f < sizeof profiled / sizeof profiled[0]; f++)
    for (int k = 0; k < 16; k++) { /* set, size, dimension, start */
      const bool unseen = k & 8, warm = k & 1;
      const int n = unseen ? profiled[f].unseen[k >> 2 & 1] : profiled[f].seen[k >> 2 & 1];
      const scene_def def = {profiled[f].family, n, k & 2 ? 3 : 2, unseen ? UNSEEN_SEED : SEEN_SEED};
      add_scene(b, context, &def, warm, unseen);
    }
}

/* --- the benchmark --------------------------------------------------------------------------------------------- */

static bool takes(const contender *c, const picus_contact_problem *p) {
  return c->solver || siconos_takes(c->number, p);
}

static const char *unit_of(double seconds, double *value) {
  *value = seconds < 1e-3 ? 1e6 * seconds : seconds < 1 ? 1e3 * seconds : seconds;
  return seconds < 1e-3 ? "us" : seconds < 1 ? "ms" : "s";
}

static void print_time(const attempt *a, const char *name) {
  double value;
  const char *unit = unit_of(a->seconds, &value);
  if (a->solved)
    printf(" %7.3g %-2s %-18s", value, unit, name);
  else
    printf(" %7s %-2s %-18s", "-", "", "");
}

static int best_of(const bench *b, const bench_problem *p, int t, bool picus) {
  int best = -1;
  for (int n = 0; n < b->contender_count; n++) {
    const attempt *a = &p->attempts[t][n];
    if ((b->contenders[n].solver != NULL) != picus || !a->solved) continue;
    if (best < 0 || a->seconds < p->attempts[t][best].seconds) best = n;
  }
  return best;
}

static void print_row(const bench *b, const bench_problem *p, int t) {
  const picus_contact_problem *problem = picus_problem_contacts(p->scaled);
  static const attempt none;
  int picus = best_of(b, p, t, true), siconos = best_of(b, p, t, false);
  const attempt *automatic = &p->attempts[t][0];
  printf("%-38s %5d", p->name, problem->law_count);
  print_time(automatic, "");
  print_time(picus >= 0 ? &p->attempts[t][picus] : &none, picus >= 0 ? b->contenders[picus].name : "");
  print_time(siconos >= 0 ? &p->attempts[t][siconos] : &none, siconos >= 0 ? b->contenders[siconos].name : "");
  if (siconos >= 0 && automatic->solved) printf(" %8.3g", p->attempts[t][siconos].seconds / automatic->seconds);
  if (siconos >= 0 && !automatic->solved) printf(" %8s", "lost");
  if (siconos < 0 && automatic->solved) printf(" %8s", "alone");
  printf("\n");
}

/* scaled: in units of its own. */
static attempt measure(const contender *c, const bench_problem *p, bool scaled, double tolerance, double limit) {
  return measure_attempt(&(attempt_task){.contender = c,
                                         .posed = picus_problem_contacts(scaled ? p->scaled : p->given),
                                         .judged = picus_problem_contacts(p->scaled),
                                         .percussion = scaled ? 1 : p->percussion,
                                         .warm = p->warm.P ? &p->warm : NULL,
                                         .tolerance = tolerance,
                                         .limit = limit});
}

static void benchmark_problem(bench *b, bench_problem *p, int t) {
  const picus_contact_problem *problem = picus_problem_contacts(p->scaled);
  double best = INFINITY;
  for (int n = 0; n < b->contender_count; n++) {
    attempt *a = &p->attempts[t][n];
    bool hopeless = t > 0 && b->settings.only_tolerance == 0 && !p->attempts[t - 1][n].solved; /* looser was too much */
    *a = failed_attempt();
    if (!takes(&b->contenders[n], problem) || hopeless) continue;
    double limit = fmin(b->settings.limit, fmax(SHORTEST_LIMIT, b->settings.patience * best));
    *a = measure(&b->contenders[n], p, true, tolerances[t], limit);
    if (!b->contenders[n].solver) {
      attempt as_given = measure(&b->contenders[n], p, false, tolerances[t], limit);
      if (as_given.solved && (!a->solved || as_given.seconds < a->seconds)) *a = as_given;
    }
    if (a->solved && a->seconds < best) best = a->seconds;
  }
  print_row(b, p, t);
}

static bool is_asked(const bench *b, int t) {
  return b->settings.only_tolerance == 0 || b->settings.only_tolerance == tolerances[t];
}

/* --- stages of auto --------------------------------------------------------------------------------------------- */

/* Models of many bodies as they are have no contacts in their first steps, or very many: smaller ones as well. And
 * scenes for what no shipped model has: joints, rolling friction, masses in the ratio 1e9. */
static const struct {
  const char *model;
  int n;
} more_models[] = {{"disks", 20},
                   {"disks", 100},
                   {"disks", 400},
                   {"spheres", 10},
                   {"spheres", 50},
                   {"spheres", 200},
                   {"bench/scenes/links.lua", 100},
                   {"bench/scenes/grains.lua", 30},
                   {"bench/scenes/heavy.lua", 0}};

static void profile_stages(const bench *b, picus_context *context) {
  static stage_sums models, files, scenes;
  const stage_source sources[] = {{"models", &models}, {"problem files", &files}, {"families", &scenes}};
  for (int k = 0; k < picus_shipped_model_count(); k++)
    if (!b->settings.only || strstr(picus_shipped_model_name(k), b->settings.only))
      profile_model(picus_shipped_model_name(k), 0, &models);
  for (size_t k = 0; k < sizeof more_models / sizeof more_models[0]; k++)
    if (!b->settings.only || strstr(more_models[k].model, b->settings.only))
      profile_model(more_models[k].model, more_models[k].n, &models);
  for (int k = 0; k < b->problem_count; k++)
    for (int t = 0; t < TOLERANCES; t++)
      if (is_asked(b, t) && !b->problems[k].warm.P) /* both starts are tried */
        profile_problem(context,
                        &(stage_task){picus_problem_contacts(b->problems[k].given), tolerances[t], b->settings.limit},
                        k < b->file_count ? &files : &scenes);
  print_stages(3, sources);
}

/* --- sums ------------------------------------------------------------------------------------------------------ */

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_sums(const bench *b, int t) {
  double ratios[PROBLEMS_MOST];
  int count = 0, twice = 0, solved = 0, alone = 0, lost = 0, none = 0;
  for (int k = 0; k < b->problem_count; k++) {
    const bench_problem *p = &b->problems[k];
    int siconos = best_of(b, p, t, false);
    bool done = p->attempts[t][0].solved;
    solved += done;
    alone += done && siconos < 0;
    lost += !done && siconos >= 0;
    none += !done && siconos < 0;
    if (!done || siconos < 0) continue;
    ratios[count] = p->attempts[t][siconos].seconds / p->attempts[t][0].seconds;
    twice += ratios[count++] >= 2;
  }
  qsort(ratios, (size_t)count, sizeof *ratios, compare_doubles);
  printf("auto solves %d of %d", solved, b->problem_count);
  if (b->settings.siconos)
    printf("; best Siconos over auto: %d compared, at least twice as fast on %d, ratio %.3g at worst, %.3g in the "
           "middle; auto alone %d, Siconos alone %d, neither %d",
           count, twice, count ? ratios[0] : NAN, count ? ratios[count / 2] : NAN, alone, lost, none);
  printf("\n\n");
}

/* Of the problems of one set that some solver of Picus solves: the time of auto over that of the fastest. */
static void print_choice(const bench *b, int t, bool unseen) {
  double ratios[PROBLEMS_MOST], worst = 0;
  const char *of_worst = "";
  int count = 0, within = 0, lost = 0;
  for (int k = 0; k < b->problem_count; k++) {
    const bench_problem *p = &b->problems[k];
    const int best = best_of(b, p, t, true);
    if (p->unseen != unseen || best < 0) continue;
    lost += !p->attempts[t][0].solved;
    if (!p->attempts[t][0].solved) continue;
    const double ratio = ratios[count++] = p->attempts[t][0].seconds / p->attempts[t][best].seconds;
    within += ratio <= 1.5;
    if (ratio > worst) of_worst = p->name;
    worst = fmax(worst, ratio);
  }
  qsort(ratios, (size_t)count, sizeof *ratios, compare_doubles);
  if (count > 0)
    printf("%s: auto within 1.5 of the fastest solver of Picus on %d of %d; median %.3g, ninth decile %.3g, worst %.3g "
           "(%s); lost %d\n",
           unseen ? "only tested" : "looked at", within, count, ratios[count / 2], ratios[count * 9 / 10], worst,
           of_worst, lost);
}

/* Classes of problems by what decides the order of the stages: for each solver, how many it solves and the median of
 * its time over the fastest. */
typedef struct problem_class {
  const char *name;
  int least_rows, most_rows;
  bool warm;
} problem_class;

static void print_class(const bench *b, int t, const problem_class *c) {
  printf("%-28s", c->name);
  for (int n = 0; n < b->contender_count && b->contenders[n].solver; n++) {
    double ratios[PROBLEMS_MOST];
    int count = 0, asked = 0;
    for (int k = 0; k < b->problem_count; k++) {
      const bench_problem *p = &b->problems[k];
      const int best = best_of(b, p, t, true), rows = p->features.rows;
      if (p->unseen || (p->warm.P != NULL) != c->warm || rows < c->least_rows || rows > c->most_rows || best < 0)
        continue;
      asked++;
      if (p->attempts[t][n].solved) ratios[count++] = p->attempts[t][n].seconds / p->attempts[t][best].seconds;
    }
    qsort(ratios, (size_t)count, sizeof *ratios, compare_doubles);
    printf(" %8.3g %2d/%-2d", count ? ratios[count / 2] : NAN, count, asked);
  }
  printf("\n");
}

static void print_classes(const bench *b, int t) {
  static const problem_class classes[] = {
      {"to 24 rows, cold", 1, 24, false},           {"to 24 rows, warm", 1, 24, true},
      {"25 to 160 rows, cold", 25, 160, false},     {"25 to 160 rows, warm", 25, 160, true},
      {"from 161 rows, cold", 161, 1 << 30, false}, {"from 161 rows, warm", 161, 1 << 30, true},
  };
  printf("%-28s", "median over fastest, solved");
  for (int n = 0; n < b->contender_count && b->contenders[n].solver; n++) printf(" %14s", b->contenders[n].solver);
  printf("\n");
  for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++) print_class(b, t, &classes[k]);
  printf("\n");
}

/* Performance profile (Dolan, More 2002): the part of the problems a solver solves within a factor of the fastest. */
static void print_profile(const bench *b, int t) {
  static const double factors[] = {1, 2, 5, 10, 100};
  printf("%-32s %6s", "solved within a factor of", "");
  for (int f = 0; f < 5; f++) printf(" %6g", factors[f]);
  printf("   of the fastest, in %%\n");
  for (int n = 0; n < b->contender_count; n++) {
    int within[5] = {0}, solved = 0, asked = 0;
    for (int k = 0; k < b->problem_count; k++) {
      const bench_problem *p = &b->problems[k];
      if (!takes(&b->contenders[n], picus_problem_contacts(p->scaled))) continue;
      asked++;
      if (!p->attempts[t][n].solved) continue;
      double best = INFINITY;
      for (int m = 0; m < b->contender_count; m++)
        if (p->attempts[t][m].solved) best = fmin(best, p->attempts[t][m].seconds);
      solved++;
      for (int f = 0; f < 5; f++) within[f] += p->attempts[t][n].seconds <= factors[f] * best;
    }
    if (asked == 0) continue;
    printf("%-32s %2d/%-3d", b->contenders[n].name, solved, asked);
    for (int f = 0; f < 5; f++) printf(" %6.0f", 100.0 * within[f] / asked);
    printf("\n");
  }
  printf("\n");
}

/* All of Picus' solvers and those of Siconos that are the fastest somewhere. */
static void plot_profile(const bench *b, picus_context *context, int t) {
  char path[1024], title[64];
  const char *names[CONTENDERS_MOST];
  int chosen[CONTENDERS_MOST], count = 0;
  double *seconds = calloc((size_t)b->problem_count * CONTENDERS_MOST + 1, sizeof *seconds);
  for (int n = 0; n < b->contender_count; n++) {
    bool wanted = b->contenders[n].solver != NULL;
    for (int k = 0; !wanted && k < b->problem_count; k++) wanted = best_of(b, &b->problems[k], t, false) == n;
    if (!wanted) continue;
    names[count] = b->contenders[n].name;
    chosen[count++] = n;
  }
  for (int k = 0; seconds && k < b->problem_count; k++)
    for (int n = 0; n < count; n++) {
      const attempt *a = &b->problems[k].attempts[t][chosen[n]];
      seconds[k * count + n] = a->solved ? a->seconds : INFINITY;
    }
  snprintf(path, sizeof path, "%s-%.0e.png", b->settings.plot, tolerances[t]);
  snprintf(title, sizeof title, "tolerance %.0e, %d problems", tolerances[t], b->problem_count);
  const cli_profile profile = {title, b->problem_count, count, names, seconds};
  if (!seconds || cli_plot_profile(context, path, &profile))
    printf("no plot: %s\n", picus_last_error(context)->message);
  else
    printf("performance profile: %s\n\n", path);
  free(seconds);
}

/* Solvers that said they were done and were not: by the measure of the benchmark, and by that of Picus. */
static void print_false_claims(const bench *b) {
  bool any = false;
  for (int t = 0; t < TOLERANCES; t++)
    for (int k = 0; k < b->problem_count; k++)
      for (int n = 0; n < b->contender_count; n++) {
        const attempt *a = &b->problems[k].attempts[t][n];
        bool wrong = b->contenders[n].solver ? a->relative > a->own_tolerance && a->relative > 1e-9
                                             : a->error > 1e3 * a->own_tolerance;
        if (!is_asked(b, t) || !a->claimed || !wrong) continue;
        if (!any) printf("said to be solved and was not:\n");
        any = true;
        printf("  %-26s %-38s tolerance %.0e: error %.2g, relative residual %.2g\n", b->contenders[n].name,
               b->problems[k].name, a->own_tolerance, a->error, a->relative);
      }
  if (!any) printf("No solver claimed a solution that was none.\n");
}

static bool write_csv(const bench *b) {
  FILE *file = fopen(b->settings.csv, "w");
  if (!file) return false;
  fprintf(file, "problem,set,start,laws,rows,dimension,couplings,redundancy,tolerance,contender,solved,claimed,seconds,"
                "iterations,error,relative,own_tolerance\n");
  for (int t = 0; t < TOLERANCES; t++)
    for (int k = 0; is_asked(b, t) && k < b->problem_count; k++)
      for (int n = 0; n < b->contender_count; n++) {
        const picus_contact_problem *p = picus_problem_contacts(b->problems[k].scaled);
        const attempt *a = &b->problems[k].attempts[t][n];
        if (!takes(&b->contenders[n], p)) continue;
        const bench_problem *problem = &b->problems[k];
        fprintf(file, "%s,%s,%s,%d,%d,%d,%.3g,%.3g,%g,%s,%d,%d,%.6g,%d,%.6g,%.6g,%g\n", problem->name,
                problem->unseen ? "tested" : "seen", problem->warm.P ? "warm" : "cold", p->law_count, p->size,
                problem->features.dimension, problem->features.couplings, problem->features.redundancy, tolerances[t],
                b->contenders[n].name, a->solved, a->claimed, a->seconds, a->iterations, a->error, a->relative,
                a->own_tolerance);
      }
  return fclose(file) == 0;
}

static bool read_settings(int argc, char **argv, settings *s) {
  *s =
      (settings){.data = getenv("PICUS_DATA"), .limit = 10, .patience = 100, .siconos = siconos_solver_name(0) != NULL};
  for (int k = 1; k < argc; k++) {
    const char *value = k + 1 < argc ? argv[k + 1] : NULL;
    const bool profile = strcmp(argv[k], "--profile") == 0;
    if (strcmp(argv[k], "--files") == 0) {
      s->files = true;
      continue;
    }
    const bool stages = strcmp(argv[k], "--stages") == 0;
    if (profile || stages || strcmp(argv[k], "--no-siconos") == 0) {
      s->siconos = false;
      s->profile = s->profile || profile || stages;
      s->stages = s->stages || stages;
      continue;
    }
    if (value && strcmp(argv[k], "--data") == 0)
      s->data = value;
    else if (value && strcmp(argv[k], "--csv") == 0)
      s->csv = value;
    else if (value && strcmp(argv[k], "--plot") == 0)
      s->plot = value;
    else if (value && strcmp(argv[k], "--only") == 0)
      s->only = value;
    else if (value && strcmp(argv[k], "--contender") == 0)
      s->contender = value;
    else if (value && strcmp(argv[k], "--limit") == 0)
      s->limit = atof(value);
    else if (value && strcmp(argv[k], "--patience") == 0)
      s->patience = atof(value);
    else if (value && strcmp(argv[k], "--tol") == 0)
      s->only_tolerance = atof(value);
    else {
      fprintf(stderr, "picus_solver_bench: what is '%s'?\n", argv[k]);
      return false;
    }
    k++;
  }
  return true;
}

int main(int argc, char **argv) {
  static bench b;
  picus_context *context;
  b.problems = calloc(PROBLEMS_MOST, sizeof *b.problems);
  if (!b.problems || !read_settings(argc, argv, &b.settings) || picus_context_create(NULL, &context)) return 2;
  list_contenders(&b);
  read_problems(&b, context);
  b.file_count = b.problem_count;
  if (!b.settings.files) make_problems(&b, context);
  if (b.settings.profile) make_profiled(&b, context);
  if (b.settings.profile) profile_stages(&b, context);
  if (siconos_solver_name(0) == NULL) printf("Siconos is not installed here: not compared.\n");
  for (int t = 0; t < TOLERANCES && !b.settings.stages; t++) {
    if (!is_asked(&b, t)) continue;
    printf("%-38s %5s %-10s %-29s %-29s %s\n", "", "laws", " auto", " fastest of Picus", "fastest of Siconos",
           "Siconos / auto");
    printf("tolerance %.0e\n", tolerances[t]);
    for (int k = 0; k < b.problem_count; k++) benchmark_problem(&b, &b.problems[k], t);
    print_sums(&b, t);
    print_choice(&b, t, false);
    print_choice(&b, t, true);
    if (b.settings.profile) print_classes(&b, t);
    print_profile(&b, t);
    if (b.settings.plot) plot_profile(&b, context, t);
  }
  if (!b.settings.stages) print_false_claims(&b);
  if (b.settings.csv && !b.settings.stages && !write_csv(&b))
    fprintf(stderr, "picus_solver_bench: cannot write '%s'\n", b.settings.csv);
  for (int k = 0; k < b.problem_count; k++) {
    warm_start_release(&b.problems[k].warm);
    picus_problem_destroy(b.problems[k].given);
    picus_problem_destroy(b.problems[k].scaled);
  }
  free(b.problems);
  picus_context_destroy(context);
  return 0;
}
