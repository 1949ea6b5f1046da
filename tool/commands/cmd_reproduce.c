/* picus reproduce: regenerates tables and figures of papers. */
#include "cli/paths.h"
#include "cli/saved_text.h"
#include "reproduce/reproduce.h"
#include "shipped_texts.h"

#include "base/file_names.h"
#include "platform/files.h"
#include "platform/processes.h"
#include "platform/threads.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"item", "ID", "only the item with this id, such as fig4", true},
    {"list", NULL, "list the items and run nothing", false},
    {"controls", NULL, "run the controls of the items: variations that must disagree", false},
    {"out", "DIR", "folder for results and reports; default: reproduce, or reproduce-controls with --controls", false},
    {"jobs", "N", "items that run at the same time; default: the number of processors", false},
    {"items", "FILE", "read the items from this file instead of the shipped ones", false},
    {"quiet", NULL, "print nothing but errors", false},
};

static const char *const examples[] = {
    "picus reproduce R23",
    "all tables and figures of one paper, into reproduce/report.html",
    "picus reproduce G05 --item fig4 --out fig4",
    "one figure",
    "picus reproduce G05 --controls",
    "does every check of a paper fail where it must? Into reproduce-controls/controls.md",
    "picus reproduce --list",
    "all papers and items",
    NULL};

/* --- choosing items ----------------------------------------------------------------------------------------------- */

static bool read_items(const cli_arguments *a, reproduce_table *table) {
  if (cli_given(a, "items")) return reproduce_read_file(table, cli_value(a, "items", 0));
  for (int k = 0; k < cli_shipped_items_count; k++) {
    const cli_shipped_text *shipped = &cli_shipped_items[k];
    char name[64];
    snprintf(name, sizeof name, "%.50s.items", shipped->name);
    if (!reproduce_read(table, name, shipped->text, shipped->length)) return false;
  }
  return true;
}

static const char *paper_of(const reproduce_table *table, const reproduce_item *item) {
  return table->papers[item->paper].id;
}

/* Is the item of a paper that was asked for? Without operands: of any. */
static bool of_paper(const cli_arguments *a, const char *paper) {
  for (int k = 0; k < cli_operand_count(a); k++)
    if (strcmp(cli_operand(a, k), paper) == 0 || strcmp(cli_operand(a, k), "all") == 0) return true;
  return cli_operand_count(a) == 0;
}

static bool of_id(const cli_arguments *a, const char *id) {
  const char *wanted;
  for (int k = 0; (wanted = cli_value(a, "item", k)) != NULL; k++)
    if (strcmp(wanted, id) == 0) return true;
  return !cli_given(a, "item");
}

static bool check_operands(const cli_arguments *a, const reproduce_table *table) {
  for (int k = 0; k < cli_operand_count(a); k++) {
    bool known = strcmp(cli_operand(a, k), "all") == 0;
    for (int p = 0; p < table->paper_count; p++) known = known || strcmp(cli_operand(a, k), table->papers[p].id) == 0;
    if (known) continue;
    cli_complain("there is no paper '%s'; 'picus reproduce --list' lists them", cli_operand(a, k));
    return false;
  }
  const char *wanted;
  for (int k = 0; (wanted = cli_value(a, "item", k)) != NULL; k++) {
    bool known = false;
    for (int i = 0; i < table->item_count; i++)
      known = known || (strcmp(table->items[i].id, wanted) == 0 && of_paper(a, paper_of(table, &table->items[i])));
    if (known) continue;
    cli_complain("there is no item '%s' of these papers; 'picus reproduce --list' lists them", wanted);
    return false;
  }
  return true;
}

static void list_items(const cli_arguments *a, const reproduce_table *table) {
  for (int k = 0; k < table->item_count; k++) {
    const reproduce_item *item = &table->items[k];
    if (!of_paper(a, paper_of(table, item)) || !of_id(a, item->id)) continue;
    cli_print("%-4s %-12s %-16s %s%s\n", paper_of(table, item), item->id, item->place, item->what,
              item->value_count ? "" : " (cannot)");
  }
}

/* --- the session -------------------------------------------------------------------------------------------------- */

static bool add_run(reproduce_session *s, const reproduce_item *item) {
  reproduce_run *run = &s->runs[s->count++];
  const char *paper = paper_of(s->table, item);
  const size_t size = strlen(s->out) + strlen(paper) + strlen(item->id) + 3;
  *run = (reproduce_run){.item = item};
  run->folder = malloc(size);
  run->seconds = calloc((size_t)item->step_count + 1, sizeof *run->seconds);
  run->cpu = calloc((size_t)item->step_count + 1, sizeof *run->cpu);
  if (run->folder) snprintf(run->folder, size, "%s/%s/%s", s->out, paper, item->id);
  return run->folder && run->seconds && run->cpu;
}

/* Path, size and time of the tool: another build computes everything again. */
static bool find_tool(reproduce_session *s, char *path, size_t size) {
  picus_facts facts;
  int error = picus_own_program(path, size);
  if (!error) error = picus_facts_of(path, &facts);
  if (error) {
    cli_complain("the path of the tool is not known: %s", strerror(error));
    return false;
  }
  s->tool = path;
  snprintf(s->stamp, sizeof s->stamp, "picus %s, %lld bytes of %lld", PICUS_VERSION, (long long)facts.size,
           (long long)(facts.changed / 1000000000));
  return true;
}

static bool choose_runs(reproduce_session *s, const cli_arguments *a) {
  size_t most = (size_t)s->table->item_count + 1;
  for (int k = 0; k < s->table->item_count; k++) most += (size_t)s->table->items[k].control_count;
  s->runs = calloc(most, sizeof *s->runs);
  bool fine = s->runs != NULL;
  for (int k = 0; fine && k < s->table->item_count; k++) {
    const reproduce_item *item = &s->table->items[k];
    if (!of_paper(a, paper_of(s->table, item)) || !of_id(a, item->id)) continue;
    for (int c = 0; fine && s->controls && c < item->control_count; c++) fine = add_run(s, item->controls[c].varied);
    if (s->controls)
      s->without_control += !item->control_count && reproduce_needs_control(item);
    else
      fine = add_run(s, item);
  }
  if (!fine) cli_complain("out of memory");
  return fine;
}

static void print_verdicts(const reproduce_session *s, const reproduce_result *results, const char *report) {
  if (s->quiet) return;
  int counts[VERDICT_FAILED + 1] = {0};
  for (int k = 0; k < s->count; k++) {
    const reproduce_item *item = s->runs[k].item;
    counts[results[k].verdict]++;
    cli_print("%-4s %-12s %-16s %s\n", paper_of(s->table, item), item->id, item->place,
              reproduce_verdict_text(results[k].verdict));
    if (results[k].verdict != VERDICT_WRONG) continue;
    for (int v = 0; v < item->value_count; v++) {
      const reproduce_value *value = &item->values[v];
      char expected[160];
      reproduce_expectation_text(value, sizeof expected, expected);
      if (results[k].within[v] == (value->reason != NULL))
        cli_print("       %s: %.6g, expected %s%s\n", value->label, results[k].values[v], value->reason ? "not " : "",
                  expected);
    }
  }
  cli_print("\n%d items: %d agree, %d differ with a reason, %d cannot be reproduced, %d disagree, %d failed\n%s\n",
            s->count, counts[VERDICT_AGREES], counts[VERDICT_DIFFERS], counts[VERDICT_CANNOT], counts[VERDICT_WRONG],
            counts[VERDICT_FAILED], report);
}

/* Every control must disagree, every item that can disagree has one, and values that no control reaches say why. */
static bool print_controls(const reproduce_session *s, const reproduce_result *results, const char *path) {
  int disagree = 0, failed = 0;
  for (int k = 0; k < s->count; k++) {
    const reproduce_item *item = s->runs[k].item;
    const int values = reproduce_disagreeing(item, &results[k]);
    const bool done = s->runs[k].state == ITEM_COMPLETE;
    failed += !done;
    disagree += done && values > 0;
    if (s->quiet) continue;
    cli_print("%-4s %-12s %-16s ", paper_of(s->table, item), item->id, item->place);
    if (done)
      cli_print("%d of %d values disagree%s\n", values, item->value_count, values ? "" : ", but one must");
    else
      cli_print("failed\n");
  }
  const reproduce_coverage cover = reproduce_cover(s, results);
  if (!s->quiet)
    cli_print("\n%d controls: %d disagree as they must, %d do not, %d failed; %d items have none; %d of %d values were "
              "made to disagree, %d of the others say why not\n%s\n",
              s->count, disagree, s->count - disagree - failed, failed, s->without_control, cover.moved, cover.judged,
              cover.explained, path);
  return disagree == s->count && s->without_control == 0 && cover.moved + cover.explained == cover.judged;
}

typedef struct judged_session {
  const reproduce_session *session;
  const reproduce_result *results;
} judged_session;

static void write_digest(FILE *file, const void *user) {
  const judged_session *j = user;
  reproduce_write_digest(file, j->session, j->results);
}
static void write_controls(FILE *file, const void *user) {
  const judged_session *j = user;
  reproduce_write_controls(file, j->session, j->results);
}
static void write_report(FILE *file, const void *user) {
  const judged_session *j = user;
  reproduce_write_report(file, j->session, j->results);
}

/* Judges every item and writes the report; returns the exit code. */
static int report(const reproduce_session *s) {
  reproduce_result *results = calloc((size_t)s->count + 1, sizeof *results);
  const size_t size = strlen(s->out) + sizeof "/controls.md.";
  char *path = malloc(size);
  bool fine = results && path;
  for (int k = 0; fine && k < s->count; k++) fine = reproduce_judge(s->context, &s->runs[k], &results[k]);
  if (!fine)
    cli_complain("out of memory");
  else if (s->controls) {
    snprintf(path, size, "%s/controls.md", s->out);
    fine = cli_save_text(s->context, path, write_controls, &(judged_session){s, results});
    fine = fine && print_controls(s, results, path);
  } else {
    snprintf(path, size, "%s/report.md", s->out);
    fine = cli_save_text(s->context, path, write_digest, &(judged_session){s, results});
    snprintf(path, size, "%s/report.html", s->out);
    fine = cli_save_text(s->context, path, write_report, &(judged_session){s, results}) && fine;
    if (fine) print_verdicts(s, results, path);
    for (int k = 0; k < s->count; k++) fine = fine && results[k].verdict < VERDICT_WRONG;
  }
  for (int k = 0; results && k < s->count; k++) reproduce_result_release(&results[k]);
  free(results);
  free(path);
  return fine ? EXIT_DONE : EXIT_RUN_FAILED;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void list_member(cli_paths *paths, const char *folder, const char *name) {
  char path[PICUS_PATH_SIZE];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
    cli_paths_write_member(paths, "--out", path);
}

/* What the steps of an item write to its folder. */
static void list_item(cli_paths *paths, const reproduce_run *run) {
  const reproduce_item *item = run->item;
  char name[REPRODUCE_NAME_SIZE];
  int number = 0;
  list_member(paths, run->folder, "complete");
  for (int k = 0; k < item->step_count; k++) {
    const reproduce_step *step = &item->steps[k];
    if (!step->words) {
      list_member(paths, run->folder, step->model ? step->model : step->table);
      continue;
    }
    number++;
    for (int i = 0; i < step->output_count; i++) {
      const char *output = step->outputs[i];
      if (output[strlen(output) - 1] != '/') list_member(paths, run->folder, output);
    }
    for (int stream = 0; stream < 2; stream++) {
      reproduce_stream_name(number, stream, name);
      list_member(paths, run->folder, name);
    }
  }
}

/* A folder of the output folder, or nothing: no link. */
static bool is_plain_folder(const char *path) {
  picus_facts facts;
  if (picus_facts_of_name(path, &facts) || facts.kind == PICUS_FOLDER) return true;
  cli_complain("'%s' is not a folder, or a link to one: remove it, or choose another --out", path);
  return false;
}

static bool check_folders(const reproduce_session *s, const reproduce_run *run) {
  char paper[PICUS_PATH_SIZE];
  picus_folder_name(run->folder, paper);
  if (run->folder && strlen(run->folder) + 100 < PICUS_PATH_SIZE)
    return is_plain_folder(paper) && is_plain_folder(run->folder);
  cli_complain("the name of the folder '%.60s...' is too long", s->out);
  return false;
}

/* All files that will be written, before the first one is. */
static bool check_paths(const reproduce_session *s, const cli_arguments *a) {
  cli_paths paths = {0};
  for (int k = 0; k < s->count; k++)
    if (!check_folders(s, &s->runs[k])) return false;
  cli_paths_list(&paths, a);
  list_member(&paths, s->out, s->controls ? "controls.md" : "report.md");
  if (!s->controls) list_member(&paths, s->out, "report.html");
  for (int k = 0; k < s->count; k++) list_item(&paths, &s->runs[k]);
  return cli_paths_check(&paths, s->context);
}

static int reproduce(reproduce_session *s, const cli_arguments *a) {
  char tool[4096];
  long jobs = picus_cores();
  if (!cli_integer(a, "jobs", &jobs)) return EXIT_WRONG_INPUT;
  if (jobs < 1 || jobs > 1000) {
    cli_complain("--jobs takes 1 to 1000");
    return EXIT_WRONG_INPUT;
  }
  s->jobs = (int)jobs;
  if (!find_tool(s, tool, sizeof tool) || !choose_runs(s, a)) return EXIT_RUN_FAILED;
  if (!check_paths(s, a)) return EXIT_WRONG_INPUT;
  const int error = picus_folder_make(s->out);
  if (error && error != EEXIST) {
    cli_complain("cannot create the folder '%s': %s", s->out, strerror(error));
    return EXIT_WRONG_INPUT;
  }
  cli_catch_interrupts();
  return reproduce_run_all(s) ? report(s) : EXIT_RUN_FAILED;
}

static int run(const cli_arguments *a) {
  reproduce_table table = {.find = cli_command_find};
  reproduce_session s = {.table = &table, .quiet = cli_given(a, "quiet"), .context = cli_context(true)};
  s.controls = cli_given(a, "controls");
  s.out = cli_given(a, "out") ? cli_value(a, "out", 0) : s.controls ? "reproduce-controls" : "reproduce";
  int code = EXIT_WRONG_INPUT;
  if (s.context && read_items(a, &table) && check_operands(a, &table)) {
    code = EXIT_DONE;
    if (cli_given(a, "list"))
      list_items(a, &table);
    else
      code = reproduce(&s, a);
  }
  for (int k = 0; k < s.count; k++) {
    free(s.runs[k].folder);
    free(s.runs[k].seconds);
    free(s.runs[k].cpu);
  }
  free(s.runs);
  reproduce_release(&table);
  picus_context_destroy(s.context);
  return code;
}

const cli_command cli_reproduce = {
    .name = "reproduce",
    .operands = "[G05|S08|A12|H15|R23|all]...",
    .operands_least = 0,
    .operands_most = -1,
    .operand_kind = "",
    .summary = "Reproduce the tables and figures of the papers",
    .description =
        "Runs the commands of every item (a table or figure of a paper), takes numbers from their results and "
        "compares\n"
        "them with the printed numbers. The report DIR/report.html shows figures, tables, commands, times and a "
        "verdict\n"
        "per item: agrees, differs (with the reason), or cannot be reproduced (with the reason). Items run at the "
        "same\n"
        "time. Complete items are kept: after an interruption the same command continues. Papers: G05 Glocker, Studer\n"
        "2005; S08 Studer, Leine, Glocker 2008; A12 Acary 2012; H15 Schindler, Rezaei, Kursawe, Acary 2015; R23\n"
        "Breuling, Capobianco, Eugster, Leine 2023. Exit code 1: an item failed, or a value disagrees without a "
        "reason.\n"
        "--controls runs variations of the items that must disagree, and writes DIR/controls.md. Exit code 1: one does "
        "not,\n"
        "or no variation reaches a value and its item does not say why.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
