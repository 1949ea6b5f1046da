/* picus export: a result, or with --fmu a model, as files of other programs. */
#include "cli/cli.h"
#include "cli/paths.h"
#include "cli/run_options.h"
#include "fmu_export.h"

#include "base/internal.h"
#include "base/output_file.h"
#include "platform/files.h"
#include "view/vtk.h"

#include <errno.h>
#include <string.h>

static const cli_option options[] = {
    {"vtk", "DIR", "write files of VTK to this folder: open DIR/motion.pvd in ParaView", false},
    {"table", "NAME", "write a table as CSV: rows, events, contacts or a flexible component; needs --csv", false},
    {"csv", "F.csv", "the file for --table; - is standard output", false},
    {"frames", "N", "number of times, equally spaced in rows; default: all rows, at most 500", false},
    {"fmu", "F.fmu", "write a model as an FMU, a part for programs of co-simulation", false},
    {"fmi", "N", "version of the FMI standard for --fmu: 2 (default) or 3", false},
    {"fmu-library", "PATH", "folder of the library of FMUs, picus_fmu.so; default: that of this installation", false},
    CLI_LOAD_OPTIONS,
    PICUS_RUN_OPTIONS(CLI_RUN_OPTION){"fixed", NULL, "fixed step size dt, even if the model is adaptive", false},
    {"quiet", NULL, "print nothing", false},
};

static const char *const examples[] = {"picus export woodpecker.h5 --vtk woodpecker-vtk",
                                       "the motion and the forces of the contacts for ParaView",
                                       "picus export tower.h5 --table contacts --csv contacts.csv",
                                       "a line for each contact of each row",
                                       "picus export rotor.h5 --table A --csv nodes.csv",
                                       "a line for each node of each row",
                                       "picus export woodpecker --fmu woodpecker.fmu",
                                       "the model as a part for co-simulation by FMI 2.0",
                                       "picus export ball.lua --fmu ball.fmu --fmi 3 --set e=0.7 --scheme rattle",
                                       "for FMI 3.0, with another parameter and scheme",
                                       NULL};

enum { MOST_FILES = 100000, USUAL_FILES = 500, PATH_SIZE = 4096 };

/* What is written at each time: the shapes, the contacts, or the nodes of a flexible component. */
typedef enum part_kind { SHAPES, CONTACTS, NODES } part_kind;
typedef struct export_job {
  picus_context *context;
  picus_result *result;
  picus_scene *scene; /* NULL: the result has no drawing */
  const double *t;
  const char *folder;
  long count, rows;
} export_job;
typedef struct export_part {
  part_kind kind;
  int table;     /* of nodes */
  char name[40]; /* of its files, without number and ending */
} export_part;

static const char *ending_of(const export_part *part) { return part->kind == NODES ? "vtu" : "vtp"; }

/* The files of a part have numbers; "": too long. */
static void name_file(const export_job *job, const export_part *part, long number, char path[PATH_SIZE]) {
  const int length = snprintf(path, PATH_SIZE, "%s/%s-%05ld.%s", job->folder, part->name, number, ending_of(part));
  if (length >= PATH_SIZE) path[0] = '\0';
}

static void name_list(const export_job *job, char path[PATH_SIZE]) {
  if (snprintf(path, PATH_SIZE, "%s/motion.pvd", job->folder) >= PATH_SIZE) path[0] = '\0';
}

static picus_status write_one(const export_job *job, const export_part *part, long number, long row) {
  char path[PATH_SIZE];
  picus_json file;
  name_file(job, part, number, path);
  picus_status status = picus_json_begin(job->context, &file);
  if (!status && part->kind == SHAPES) status = picus_vtk_shapes(job->scene, row, &file);
  if (!status && part->kind == CONTACTS) status = picus_vtk_contacts(job->scene, row, &file);
  if (!status && part->kind == NODES) status = picus_vtk_nodes(job->context, job->result, part->table, row, &file);
  if (!status) status = picus_output_save(job->context, path, file.bytes, file.size);
  picus_json_release(&file);
  return status;
}

/* A part at all times; lists its files with them. */
static picus_status write_part(const export_job *job, const export_part *part, int number, picus_json *list) {
  picus_status status = PICUS_OK;
  for (long k = 0; !status && k < job->count; k++) {
    const long row = job->count > 1 ? (long)((double)k * (double)(job->rows - 1) / (double)(job->count - 1)) : 0;
    status = write_one(job, part, k, row);
    picus_json_put(list, "<DataSet timestep=\"");
    picus_json_number(list, job->t[row]);
    picus_json_format(list, "\" part=\"%d\" file=\"%s-%05ld.%s\"/>\n", number, part->name, k, ending_of(part));
  }
  return status;
}

/* Part number k of the result, from 0; false: there are fewer. */
static bool part_at(const export_job *job, int k, export_part *out) {
  if (job->scene && k < 2) {
    *out = k == 0 ? (export_part){SHAPES, 0, "shapes"} : (export_part){CONTACTS, 0, "contacts"};
    return true;
  }
  k -= job->scene ? 2 : 0;
  for (int table = 0; table < picus_result_node_table_count(job->result); table++) {
    if (!picus_result_node_table_at(job->result, table).positions || k-- > 0) continue;
    *out = (export_part){.kind = NODES, .table = table};
    snprintf(out->name, sizeof out->name, "nodes-%d", table + 1); /* names of components may be anything */
    return true;
  }
  return false;
}

static picus_status write_parts(const export_job *job, picus_json *list) {
  picus_status status = PICUS_OK;
  export_part part;
  for (int number = 0; !status && part_at(job, number, &part); number++) status = write_part(job, &part, number, list);
  return status;
}

/* All files that will be written, before the first one is. */
static bool check_files(const cli_arguments *a, const export_job *job) {
  cli_paths paths = {0};
  char path[PATH_SIZE];
  export_part part;
  bool fits = true;
  cli_paths_list(&paths, a);
  name_list(job, path);
  cli_paths_write_member(&paths, "--vtk", path);
  for (int number = 0; fits && part_at(job, number, &part); number++)
    for (long k = 0; fits && k < job->count; k++) {
      name_file(job, &part, k, path);
      fits = path[0] != '\0';
      if (fits) cli_paths_write_member(&paths, "--vtk", path);
    }
  if (!fits) cli_complain("the name of the folder '%.60s...' is too long", job->folder);
  return cli_paths_check(&paths, job->context) && fits;
}

/* All files, and their list with the times. */
static picus_status write_all(const export_job *job) {
  char path[PATH_SIZE];
  picus_json list;
  picus_status status = picus_json_begin(job->context, &list);
  picus_json_put(&list, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                        "byte_order=\"LittleEndian\">\n<Collection>\n");
  if (!status) status = write_parts(job, &list);
  picus_json_put(&list, "</Collection>\n</VTKFile>\n");
  name_list(job, path);
  if (!status) status = list.status;
  if (!status) status = picus_output_save(job->context, path, list.bytes, list.size);
  picus_json_release(&list);
  return status;
}

/* The scene, unless the result has nodes and no drawing. */
static picus_status prepare(export_job *job) {
  const picus_drawing *drawing = NULL;
  picus_status status = picus_result_drawing(job->result, &drawing);
  job->rows = picus_result_row_count(job->result);
  bool has_nodes = false;
  for (int k = 0; !status && k < picus_result_node_table_count(job->result); k++)
    has_nodes = has_nodes || picus_result_node_table_at(job->result, k).positions;
  if (!status && (drawing || !has_nodes || job->rows < 1))
    status = picus_scene_create(job->context, job->result, &job->scene);
  return status ? status : picus_result_values(job->result, 0, &job->t);
}

static int export_vtk(const cli_arguments *a, export_job *job) {
  job->count = job->rows < USUAL_FILES ? job->rows : USUAL_FILES;
  if (!cli_integer(a, "frames", &job->count)) return EXIT_WRONG_INPUT;
  if (job->count < 1 || job->count > MOST_FILES) {
    cli_complain("--frames must be an integer from 1 to %d, not %s", MOST_FILES, cli_value(a, "frames", 0));
    return EXIT_WRONG_INPUT;
  }
  if (job->count > job->rows) job->count = job->rows;
  if (!check_files(a, job)) return EXIT_WRONG_INPUT;
  const int error = picus_folder_make(job->folder);
  if (error && error != EEXIST) {
    cli_complain("cannot create the folder '%s': %s", job->folder, strerror(error));
    return EXIT_WRONG_INPUT;
  }
  if (write_all(job)) return cli_report_error(job->context, EXIT_WRONG_INPUT);
  if (!cli_given(a, "quiet")) cli_print("%s/motion.pvd: %ld times; open it in ParaView\n", job->folder, job->count);
  return EXIT_DONE;
}

/* nodes/NAME, or NAME; -1: there is no such table. */
static int find_nodes(const picus_result *result, const char *table) {
  static const char group[] = "nodes/";
  const size_t length = sizeof group - 1;
  return picus_result_find_node_table(result, strncmp(table, group, length) == 0 ? table + length : table);
}

static int export_table(const cli_arguments *a, picus_context *context, picus_result *result) {
  const char *table = cli_value(a, "table", 0), *path = cli_value(a, "csv", 0);
  picus_status status;
  if (strcmp(table, "rows") == 0)
    status = picus_result_export_rows(result, path);
  else if (strcmp(table, "events") == 0)
    status = picus_result_export_switchings(result, -1, path);
  else if (strcmp(table, "contacts") == 0)
    status = picus_result_export_contacts(result, path);
  else if (find_nodes(result, table) >= 0)
    status = picus_result_export_nodes(result, find_nodes(result, table), path);
  else {
    cli_complain("--table is rows, events, contacts or a flexible component with a table of its nodes, not '%s'%s",
                 table, picus_result_node_table_count(result) > 0 ? "; 'picus info' lists them" : "");
    return EXIT_WRONG_INPUT;
  }
  return status ? cli_report_error(context, EXIT_WRONG_INPUT) : EXIT_DONE;
}

/* false, already reported: an option of models is given for a result, or one of results for a model. */
static bool check_kind(const cli_arguments *a) {
  static const char *const of_results[] = {"vtk", "table", "csv", "frames"};
  const bool is_model = cli_given(a, "fmu");
  for (int k = 0; k < cli_export.option_count; k++) {
    const char *name = options[k].name;
    bool fits = strcmp(name, "quiet") == 0 || is_model;
    for (size_t i = 0; i < sizeof of_results / sizeof *of_results; i++)
      if (strcmp(of_results[i], name) == 0) fits = !is_model;
    if (fits || !cli_given(a, name)) continue;
    cli_complain(
        is_model ? "--%s is for results, and --fmu exports a model" : "--%s is for models and needs --fmu F.fmu", name);
    return false;
  }
  return true;
}

/* false, already reported: the options do not fit together. */
static bool check_options(const cli_arguments *a) {
  const char *folder = cli_value(a, "vtk", 0);
  const bool vtk = folder && *folder;
  if (cli_given(a, "table") && !cli_given(a, "csv"))
    cli_complain("--table needs --csv FILE.csv, the file for the table");
  else if (cli_given(a, "csv") && !cli_given(a, "table"))
    cli_complain("--csv needs --table NAME: rows, events, contacts or a flexible component");
  else if (cli_given(a, "table") && vtk)
    cli_complain("--table and --vtk exclude each other");
  else if (!vtk && !cli_given(a, "table"))
    cli_complain("export needs --vtk DIR, the folder for the files, or --table NAME");
  else
    return true;
  return false;
}

static int run(const cli_arguments *a) {
  if (!check_kind(a)) return EXIT_WRONG_INPUT;
  if (cli_given(a, "fmu")) return cli_export_fmu(a);
  picus_context *context = cli_context(cli_given(a, "quiet"));
  if (!context) return EXIT_RUN_FAILED;
  export_job job = {.context = context, .folder = cli_value(a, "vtk", 0)};
  int code = EXIT_WRONG_INPUT;
  if (!check_options(a))
    code = EXIT_WRONG_INPUT;
  else if (picus_result_open(context, cli_operand(a, 0), &job.result) || (!cli_given(a, "table") && prepare(&job)))
    code = cli_report_error(context, EXIT_WRONG_INPUT);
  else
    code = cli_given(a, "table") ? export_table(a, context, job.result) : export_vtk(a, &job);
  picus_scene_destroy(job.scene);
  picus_result_close(job.result);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_export = {
    .name = "export",
    .operands = "RESULT.h5 | MODEL --fmu F.fmu",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "result",
    .summary = "Write a result, or a model as an FMU, for other programs",
    .description =
        "VTK files contain the shapes that the model draws, as polygons and lines with the number of their shape, and\n"
        "the contacts as points with their forces (percussion divided by the step size), modes and gaps. Flexible\n"
        "components are nodes and elements at rest, with displacements and velocities. The file motion.pvd lists all\n"
        "files with their times. Arrays are binary, compressed by zlib.\n"
        "--table writes CSV instead: the rows of all columns, the switching points (events), the\n"
        "detected contacts (contacts), or the nodes of a flexible component (its name, or nodes/NAME).\n"
        "--fmu writes a model instead of a result: a functional mock-up unit for co-simulation (FMI 2.0 or 3.0), "
        "which\n"
        "contains the library and needs no Picus. Its inputs are those of the model, its outputs the coordinates,\n"
        "velocities and observed values. It has the parameters, the scheme and the step size of picus run with\n"
        "the same options.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
