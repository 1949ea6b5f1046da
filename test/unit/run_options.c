#define _POSIX_C_SOURCE 200809L
/* The table of run options: every option that is set in a model file, on the command line or in the C struct arrives,
 * is stored in the result and in the checkpoint and read back; one that the run ignores gets a sentence; fields, help
 * and documents agree with the table. */
#include "cli/run_options.h"
#include "model/internal.h"
#include "record_fake.h"
#include "scheme/internal.h"
#include "support/check.h"
#include "support/simulate.h"

#include <ctype.h>

#define MODEL                                                                                                          \
  "local q, u = coordinates { {'y', velocity = 'v', start = 0.1} }\nkinetic(u.v^2 / 2)\nforce { v = -9.81 }\n"         \
  "contact { 'ground', gap = q.y, eN = 0.5 }\n"

enum { VALUE = 80, TEXT = 8000 };

static picus_context *context;
static bool begin(void) { return picus_context_create(NULL, &context) == PICUS_OK; }
static void end(void) { picus_context_destroy(context); }

/* --- a value that is allowed and no default ----------------------------------------------------------------------- */

static double other_number(int k) {
  const picus_option *o = &picus_option_table[k];
  if (o->words) return o->number == 0 ? 1 : 0;
  if (o->kind == PICUS_OPTION_FLAG) return 1;
  if (k == PICUS_OPTION_t_start) return 0.005;
  if (k == PICUS_OPTION_t_end) return 0.03;
  if (k == PICUS_OPTION_facets) return 6;
  if (k == PICUS_OPTION_dt_max) return 0.01;
  if (o->kind != PICUS_OPTION_NUMBER) return o->number == 3 ? 4 : 3;
  return isfinite(o->high) ? 0.75 * o->high : 1e-3 * (1 + k / 1000.0);
}

static const char *other_text(int k) {
  if (k == PICUS_OPTION_scheme) return "rattle";
  if (k == PICUS_OPTION_solver) return "gs";
  return k == PICUS_OPTION_tableau ? "BH5" : picus_option_word(k, (int)other_number(k));
}

static bool is_text(int k) { return picus_option_takes_text(k); }

/* As in a model file, or on the command line. */
static void write_value(int k, bool is_lua, char value[VALUE]) {
  if (is_text(k))
    snprintf(value, VALUE, is_lua ? "'%s'" : "%s", other_text(k));
  else if (picus_option_table[k].kind == PICUS_OPTION_FLAG)
    snprintf(value, VALUE, "true");
  else
    snprintf(value, VALUE, "%.17g", other_number(k));
}

static void set_other(picus_run_options *o, int k) {
  if (k == PICUS_OPTION_tableau)
    o->sim.half_explicit.tableau = *picus_tableau_named("BH5");
  else if (picus_option_table[k].kind == PICUS_OPTION_NAME)
    picus_option_set_name(o, k, other_text(k));
  else
    picus_option_set_number(o, k, other_number(k));
}

static bool has_other(const picus_run_options *o, int k) {
  if (k == PICUS_OPTION_tableau) return o->sim.half_explicit.tableau.stages == picus_tableau_named("BH5")->stages;
  if (is_text(k)) return strcmp(picus_option_text(o, k), other_text(k)) == 0;
  return picus_option_number(o, k) == other_number(k);
}

/* A run that heeds the option: the first scheme, solver or kind of steps of its list. */
static picus_run_options heeding(int k) {
  picus_run_options o = picus_option_defaults();
  o.sim.dt = 1e-3;
  o.sim.t_end = 0.02;
  for (int s = -1; !picus_option_applies(k, &o.sim) && (s < 0 || picus_scheme_at(s)); s++) {
    o.sim.scheme = s < 0 ? "moreau" : picus_scheme_at(s)->name;
    o.sim.adaptive = s < 0 && strcmp(picus_option_table[k].runs, PICUS_FOR_ADAPTIVE) == 0;
    o.sim.solver.solver = strcmp(picus_option_table[k].runs, PICUS_FOR_PYRAMIDS) == 0 ? "lemke" : "auto";
  }
  CHECK(picus_option_applies(k, &o.sim));
  return o;
}

/* --- arriving and storing ----------------------------------------------------------------------------------------- */

static void write_model(int k, const picus_run_options *o, bool with_option, char text[TEXT]) {
  static const int base[] = {PICUS_OPTION_scheme, PICUS_OPTION_solver,   PICUS_OPTION_dt,
                             PICUS_OPTION_t_end,  PICUS_OPTION_adaptive, PICUS_OPTION_TOTAL};
  char value[VALUE];
  size_t at = (size_t)snprintf(text, TEXT, "%ssimulate { ", MODEL);
  for (int i = 0; base[i] < PICUS_OPTION_TOTAL; i++) {
    const picus_option *option = &picus_option_table[base[i]];
    if (base[i] == k) continue;
    if (option->kind == PICUS_OPTION_NAME)
      snprintf(value, sizeof value, "'%s'", picus_option_text(o, base[i]));
    else if (option->kind == PICUS_OPTION_FLAG)
      snprintf(value, sizeof value, "%s", picus_option_number(o, base[i]) != 0 ? "true" : "false");
    else
      snprintf(value, sizeof value, "%.17g", picus_option_number(o, base[i]));
    at += (size_t)snprintf(text + at, TEXT - at, "%s = %s, ", option->name, value);
  }
  write_value(k, true, value);
  if (with_option)
    at += (size_t)snprintf(text + at, TEXT - at, "%s = %s", picus_option_table[k].name, value);
  else if (k == PICUS_OPTION_dt || k == PICUS_OPTION_t_end)
    at += (size_t)snprintf(text + at, TEXT - at, "%s = %.17g", picus_option_table[k].name, picus_option_number(o, k));
  snprintf(text + at, TEXT - at, " }\n");
}

static void check_stored(const char *path, int k, const char *way) {
  char key[64];
  picus_result *result;
  snprintf(key, sizeof key, "options.%s", picus_option_table[k].name);
  REQUIRE(picus_result_open(context, path, &result) == PICUS_OK);
  bool same = is_text(k) ? strcmp(picus_result_text(result, key), other_text(k)) == 0
                         : picus_result_number(result, key) == other_number(k);
  if (k == PICUS_OPTION_tableau) same = strncmp(picus_result_text(result, key), "0.29999999999999999; ", 21) == 0;
  if (!same) printf("  %s, %s: '%s', %g\n", key, way, picus_result_text(result, key), picus_result_number(result, key));
  CHECK(same);
  picus_result_close(result);
}

static void run_and_store(simulation *s, const picus_sim_options *o, int k, const char *way) {
  const char *path = scratch("options.h5");
  picus_recorder *recorder = NULL;
  REQUIRE(simulation_start(s, o));
  const picus_run_options kept = {.sim = *picus_sim_options_of(s->sim), .assemble = s->model->run.values.assemble};
  CHECK(has_other(&kept, k));
  picus_run_description run = {s->model, s->system, picus_sim_options_of(s->sim), way};
  picus_summary summary;
  CHECK(picus_recorder_create(s->context, &run, &recorder) == PICUS_OK);
  CHECK(picus_recorder_add_hdf5(recorder, path) == PICUS_OK);
  CHECK(picus_sim_run(s->sim, recorder, NULL, &summary) == PICUS_OK);
  picus_recorder_destroy(recorder);
  check_stored(path, k, way);
}

static void model_files_set_every_option(void) {
  REQUIRE(begin());
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    const picus_run_options o = heeding(k);
    char text[TEXT];
    simulation s;
    picus_sim_options options;
    write_model(k, &o, true, text);
    REQUIRE(simulation_load_text(&s, text, &options));
    const picus_run_options arrived = {.sim = options, .assemble = s.model->run.values.assemble};
    CHECK(has_other(&arrived, k) && s.model->run.given[k]);
    run_and_store(&s, &options, k, "simulate");
    simulation_close(&s);
  }
  scratch_remove("options.h5");
  end();
}

static void structs_set_every_option(void) {
  REQUIRE(begin());
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    picus_run_options o = heeding(k);
    simulation s;
    picus_sim_options unused;
    if (k == PICUS_OPTION_assemble) continue; /* of the model */
    set_other(&o, k);
    REQUIRE(simulation_load_text(&s, MODEL, &unused));
    run_and_store(&s, &o.sim, k, "struct");
    simulation_close(&s);
  }
  scratch_remove("options.h5");
  end();
}

static void command_lines_set_every_option(void) {
  REQUIRE(begin());
  const char *out = scratch("options.h5"), *path = scratch("options.lua");
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    const picus_run_options o = heeding(k);
    char text[TEXT], value[VALUE], flag[64];
    write_model(k, &o, false, text);
    FILE *file = fopen(path, "w");
    REQUIRE(file && fputs(text, file) >= 0);
    fclose(file);
    write_value(k, false, value);
    snprintf(flag, sizeof flag, "--%s", picus_option_table[k].flag);
    char *words[] = {
        (char *)"picus", (char *)"run", (char *)path, (char *)"--quiet", (char *)"--out", (char *)out, flag,
        value,           NULL};
    CHECK(cli_dispatch(picus_option_table[k].argument ? 8 : 7, words) == EXIT_DONE);
    check_stored(out, k, flag);
  }
  scratch_remove("options.h5");
  scratch_remove("options.lua");
  end();
}

static void checkpoints_have_every_option(void) {
  REQUIRE(begin());
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    picus_run_options o = heeding(k), plain = o;
    simulation s, other;
    picus_sim_options unused;
    size_t size = 0;
    if (k == PICUS_OPTION_assemble) continue; /* of the model: the state has it */
    set_other(&o, k);
    REQUIRE(simulation_load_text(&s, MODEL, &unused) && simulation_start(&s, &o.sim));
    REQUIRE(simulation_load_text(&other, MODEL, &unused) && simulation_start(&other, &plain.sim));
    CHECK(picus_sim_save(s.sim, NULL, 0, &size) == PICUS_OK);
    void *data = malloc(size);
    REQUIRE(data && picus_sim_save(s.sim, data, size, &size) == PICUS_OK);
    CHECK(picus_sim_load(s.sim, data, size, PICUS_LOAD_SAME_MODEL) == PICUS_OK);
    const picus_status status = picus_sim_load(other.sim, data, size, PICUS_LOAD_SAME_MODEL);
    const char *message = picus_last_error(other.context)->message;
    const bool named = status == PICUS_ERROR_ARGUMENT && strstr(message, picus_option_table[k].name) &&
                       strstr(message, "use the same options");
    if (named == picus_option_may_change(k)) printf("  %s: %s\n", picus_option_table[k].name, message);
    CHECK(named != picus_option_may_change(k));
    free(data);
    simulation_close(&s);
    simulation_close(&other);
  }
  end();
}

/* --- runs that ignore an option ----------------------------------------------------------------------------------- */

typedef struct warned {
  char text[4000];
} warned;

static void keep_warning(void *user, picus_log_level level, const char *message) {
  warned *w = user;
  const size_t at = strlen(w->text);
  if (level == PICUS_LOG_WARNING) snprintf(w->text + at, sizeof w->text - at, "%s\n", message);
}

/* The sentence about an option: a warning, or the error. false: there is none. */
static bool is_told(const picus_system *system, const picus_sim_options *o, const char *name, char text[4000]) {
  warned w = {""};
  picus_context_def def = picus_default_context_def();
  picus_context *own;
  picus_sim *sim = NULL;
  char sentence[100];
  def.log = keep_warning;
  def.log_user = &w;
  if (picus_context_create(&def, &own)) return false;
  const picus_status status = picus_sim_create(own, system, o, &sim);
  snprintf(text, 4000, "%s", status ? picus_last_error(own)->message : w.text);
  snprintf(sentence, sizeof sentence, "%s has no effect in this run: it is for ", name);
  picus_sim_destroy(sim);
  picus_context_destroy(own);
  return status ? strstr(text, name) != NULL : strstr(text, sentence) != NULL;
}

static void ignored_options_get_a_sentence(void) {
  simulation s;
  picus_sim_options unused;
  int ignored = 0, heeded = 0;
  REQUIRE(simulation_load_text(&s, MODEL, &unused));
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++)
    for (int m = 0; picus_scheme_at(m); m++) {
      const picus_option *option = &picus_option_table[k];
      char text[4000];
      picus_run_options o = picus_option_defaults();
      o.sim.dt = 1e-3;
      o.sim.t_end = 0.02;
      o.sim.scheme = picus_scheme_at(m)->name;
      if (k == PICUS_OPTION_scheme || k == PICUS_OPTION_assemble || k == PICUS_OPTION_adaptive) continue;
      set_other(&o, k);
      const bool applies = picus_option_applies(k, &o.sim), told = is_told(s.system, &o.sim, option->name, text);
      if (told == applies) printf("  %s with %s: '%s'\n", option->name, o.sim.scheme, text);
      CHECK(told != applies);
      ignored += !applies;
      heeded += applies;
    }
  printf("  %d pairs of options and schemes heeded, %d ignored and told\n", heeded, ignored);
  CHECK(ignored > 100 && heeded > 100);
  simulation_close(&s);
}

/* The lists of the table are those of the schemes. */
static void schemes_agree_with_the_table(void) {
  for (int m = 0; picus_scheme_at(m); m++) {
    const scheme_ops *scheme = picus_scheme_find(picus_scheme_at(m)->name);
    const picus_sim_options o = {.scheme = picus_scheme_at(m)->name, .solver.solver = "auto"};
    CHECK(picus_option_applies(PICUS_OPTION_gap_term, &o) == scheme->has_gap_term);
    CHECK(picus_option_applies(PICUS_OPTION_sleep, &o) == scheme->has_sleep);
    CHECK(picus_option_applies(PICUS_OPTION_newton_max, &o) == scheme->description.implicit);
    CHECK(picus_option_applies(PICUS_OPTION_impact_substeps, &o) == scheme->description.forces);
  }
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++)
    for (const char *at = picus_option_table[k].runs; *at; at += strcspn(at, ",;:") + 2) {
      char name[40];
      snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ",;:"), at);
      CHECK(picus_scheme_find(name) || picus_solver_find(name) || strcmp(name, "adaptive steps") == 0 ||
            strcmp(name, "fixed steps") == 0);
    }
}

/* --- what others say about the options ---------------------------------------------------------------------------- */

/* A whole word. */
static const char *find_word(const char *text, const char *word) {
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !isalpha((unsigned char)at[-1])) && !isalpha((unsigned char)at[strlen(word)])) return at;
  return NULL;
}

/* "default 0.5" has the number of the table, and the default of several words is marked. */
static bool tells_default(const picus_option *o, const char *help) {
  const char *said = strstr(help, "default ");
  if (o->words) {
    const char *word = find_word(help, o->words[(int)o->number]), *mark = word ? strstr(word, "(default") : NULL;
    bool all = mark != NULL;
    for (int i = 0; all && o->words[i]; i++) {
      const char *found = find_word(help, o->words[i]);
      all = found && (i == (int)o->number || found > mark || found < word);
    }
    return all;
  }
  if (!said || !(isdigit((unsigned char)said[8])))
    return o->kind == PICUS_OPTION_FLAG || o->number <= 0 || strstr(help, "default:");
  return strtod(said + 8, NULL) == o->number;
}

static void help_has_every_option(void) {
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    const picus_option *o = &picus_option_table[k];
    char help[TEXT];
    int found = 0;
    snprintf(help, sizeof help, "%s%s", o->runs, o->help);
    for (int i = 0; i < cli_run.option_count; i++) {
      const cli_option *option = &cli_run.options[i];
      if (strcmp(option->name, o->flag) != 0) continue;
      found++;
      CHECK_TEXT(option->help, help);
      CHECK((option->argument == NULL) == (o->argument == NULL));
    }
    CHECK(found == 1);
    if (!tells_default(o, o->help)) printf("  default of %s: %s\n", o->name, o->help);
    CHECK(tells_default(o, o->help) || k == PICUS_OPTION_scheme || k == PICUS_OPTION_solver);
    CHECK(picus_option_find(o->name) == k);
  }
}

/* Other commands take some of them, with the same kind of value and without a promise for schemes that ignore it. */
static void other_commands_take_the_same_options(void) {
  const cli_command *const commands[] = {&cli_resume, &cli_reference, &cli_compare, &cli_solve, &cli_check};
  int shared = 0;
  for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++)
    for (int i = 0; i < commands[c]->option_count; i++)
      for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
        const cli_option *option = &commands[c]->options[i];
        const picus_option *o = &picus_option_table[k];
        if (strcmp(option->name, o->flag) != 0) continue;
        shared++;
        CHECK((option->argument == NULL) == (o->argument == NULL));
        const char *said = strstr(option->help, "default ");
        CHECK(!said || !isdigit((unsigned char)said[8]) || !picus_option_allows(k, o->number) ||
              tells_default(o, option->help));
      }
  CHECK(shared >= 15);
}

static char *text_of(const char *path) {
  size_t size;
  return read_whole(path, &size);
}

static void documents_have_every_option(void) {
  char *page = text_of(TEST_DATA "/../../docs/model-format.md"), name[64];
  REQUIRE(page);
  for (int k = 0; k < PICUS_OPTION_TOTAL; k++) {
    snprintf(name, sizeof name, "`%s`", picus_option_table[k].name);
    if (!strstr(page, name)) printf("  %s is not in docs/model-format.md\n", name);
    CHECK(strstr(page, name) != NULL);
  }
  free(page);
}

/* --- fields of the public structs --------------------------------------------------------------------------------- */

#define FIELD(name, field, kind, flag, argument, by_default, form, numbers, unit, runs, help) #field,
static const char *const fields[] = {PICUS_RUN_OPTIONS(FIELD)};

static bool is_in_table(const char *name) {
  for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++)
    for (const char *at = fields[k]; *at; at += strcspn(at, ".") + (at[strcspn(at, ".")] == '.'))
      if (strcspn(at, ".") == strlen(name) && strncmp(at, name, strlen(name)) == 0) return true;
  return false;
}

static void blank_comments(char *text) {
  for (char *at = strstr(text, "/*"); at; at = strstr(at, "/*")) {
    char *end = strstr(at, "*/");
    memset(at, ' ', end ? (size_t)(end + 2 - at) : strlen(at));
  }
}

/* The names that a struct declares: each before a comma or a semicolon. */
static int check_struct(const char *header, const char *name) {
  char path[400], begin_text[80];
  int count = 0;
  snprintf(path, sizeof path, "%s/../../include/picus/%s", TEST_DATA, header);
  snprintf(begin_text, sizeof begin_text, "typedef struct %s {", name);
  char *text = text_of(path);
  if (!CHECK(text != NULL)) return 0;
  blank_comments(text);
  char *at = strstr(text, begin_text), *end = at ? strchr(at, '}') : NULL;
  CHECK(end != NULL);
  if (at) at += strlen(begin_text);
  for (; end && (at += strcspn(at, ",;")) < end; at++) {
    char *last = at, field[64];
    while (isalnum((unsigned char)last[-1]) || last[-1] == '_') last--;
    snprintf(field, sizeof field, "%.*s", (int)(at - last), last);
    if (!is_in_table(field)) printf("  %s of %s is no run option\n", field, name);
    CHECK(is_in_table(field));
    count++;
  }
  free(text);
  return count;
}

static void every_field_is_an_option(void) {
  CHECK(check_struct("options.h", "picus_sim_options") >= 20);
  CHECK(check_struct("options.h", "picus_implicit_options") >= 8);
  CHECK(check_struct("options.h", "picus_half_explicit_options") >= 3);
  CHECK(check_struct("contact.h", "picus_solver_options") >= 9);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"model_files_set_every_option", model_files_set_every_option},
      {"structs_set_every_option", structs_set_every_option},
      {"command_lines_set_every_option", command_lines_set_every_option},
      {"checkpoints_have_every_option", checkpoints_have_every_option},
      {"ignored_options_get_a_sentence", ignored_options_get_a_sentence},
      {"schemes_agree_with_the_table", schemes_agree_with_the_table},
      {"help_has_every_option", help_has_every_option},
      {"other_commands_take_the_same_options", other_commands_take_the_same_options},
      {"documents_have_every_option", documents_have_every_option},
      {"every_field_is_an_option", every_field_is_an_option},
  };
  const int code = test_main(argc, argv, "run_options", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return code;
}
