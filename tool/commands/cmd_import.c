/* picus import: a robot in a format of others (MJCF, URDF) as a model file. */
#include "base/file_names.h"
#include "base/input_file.h"
#include "base/internal.h"
#include "base/output_file.h"
#include "cli/cli.h"
#include "text_format/robot.h"

#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"out", "F.lua", "write the model to this file; default: standard output", false},
    {"floating", NULL, "URDF: the root of the robot moves freely; default: it is fixed", false},
    {"quiet", NULL, "do not print what is left out; the head of the model file has it, too", false},
};

static const char *const examples[] = {"picus import robot.xml > robot.lua", "a model of MuJoCo",
                                       "picus import arm.urdf --out arm.lua", "a robot of ROS, fixed at its root",
                                       NULL};

enum { TRIES_MOST = 400 };
static const size_t file_most = (size_t)128 << 20;

/* Included files are relative to the description. */
static picus_status read_beside(void *user, const char *name, unsigned char **bytes, size_t *size) {
  const cli_arguments *a = ((void **)user)[0];
  picus_context *context = ((void **)user)[1];
  char folder[PICUS_PATH_SIZE], path[PICUS_PATH_SIZE];
  picus_folder_name(cli_operand(a, 0), folder);
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path || *name == '/')
    return picus_fail(context, PICUS_ERROR_IO,
                      "the file '%.60s', which the description includes, is not below its folder", name);
  return picus_file_bytes(context, path, file_most, bytes, size);
}

/* --- bodies that overlap at the start ----------------------------------------------------------------------------- */

/* MuJoCo lets parts of a robot overlap; Picus rejects such a start. The pair that the message names, without what
 * follows the name of the body: "'torso:2' and 'arm' overlap by ...". false: it is another message. */
static bool find_pair(const char *message, char a[64], char b[64]) {
  return sscanf(message, "'%63[A-Za-z0-9_]%*[^']' and '%63[A-Za-z0-9_]", a, b) == 2 ||
         sscanf(message, "'%63[A-Za-z0-9_]' and '%63[A-Za-z0-9_]", a, b) == 2;
}

/* The name of a body in full: messages have its first letters. false: it is none. */
static bool complete(const char *text, char name[64]) {
  static const char head[] = "\nb.";
  char found[64] = "";
  for (const char *at = strstr(text, head); at; at = strstr(at + 1, head)) {
    char own[64] = "", equals[32] = "";
    if (sscanf(at + 3, "%63[A-Za-z0-9_] = %20s", own, equals) < 2 ||
        (strcmp(equals, "spatial_body") != 0 && strcmp(equals, "frame") != 0))
      continue;
    if (strcmp(own, name) == 0) return true;
    if (!found[0] && strlen(name) >= 18 && strncmp(own, name, strlen(name)) == 0) memcpy(found, own, sizeof own);
  }
  if (!found[0]) return false;
  memcpy(name, found, sizeof found);
  return true;
}

/* Adds a line before the last one, simulate { ... }. */
static picus_status add_line(picus_context *context, char **text, const char *line) {
  const size_t size = strlen(*text), more = strlen(line);
  char *larger = picus_reallocate(context, *text, size + more + 1, 1);
  if (!larger) return PICUS_ERROR_MEMORY;
  *text = larger;
  char *last = strstr(larger, "\nsimulate {");
  if (!last) return PICUS_OK;
  memmove(last + more, last, strlen(last) + 1);
  memcpy(last, line, more);
  return PICUS_OK;
}

/* Tries the model; pairs of bodies that overlap at the start get a line that switches their collision off. What else
 * is wrong with it, or that its meshes are missing, is for `picus check` to say. */
static picus_status settle_overlaps(picus_context *context, const char *folder, char **text, int *count) {
  picus_status status = PICUS_OK;
  for (*count = 0; !status && *count < TRIES_MOST; ++*count) {
    const picus_load_options load = {.folder = folder};
    picus_model *model = NULL;
    picus_system *system = NULL;
    char a[64], b[64], line[300];
    picus_status tried = picus_model_load_text(context, "robot.lua", *text, strlen(*text), &load, &model);
    if (!tried) tried = picus_system_create(model, &system);
    const char *message = tried ? picus_last_error(context)->message : "";
    const bool overlaps =
        strstr(message, "overlap by") && find_pair(message, a, b) && complete(*text, a) && complete(*text, b);
    if (overlaps)
      snprintf(line, sizeof line, "collide {bodies = {b.%s, b.%s}, on = false} -- they overlap at the start\n", a, b);
    picus_system_destroy(system);
    picus_model_destroy(model);
    if (!overlaps) break;
    status = add_line(context, text, line);
  }
  picus_clear_error(context);
  return status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static picus_status save(picus_context *context, const cli_arguments *a, const char *text) {
  const char *path = cli_value(a, "out", 0);
  if (path) return picus_output_save(context, path, text, strlen(text));
  cli_print_source(text);
  return PICUS_OK;
}

static void tell_notes(char *notes, int overlaps) {
  for (char *line = notes, *next; line && *line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    cli_fprint(stderr, "left out or changed: %s\n", line);
  }
  if (overlaps > 0)
    cli_fprint(stderr, "left out or changed: collisions of %d pairs of bodies that overlap at the start\n", overlaps);
}

static picus_status import(picus_context *context, const cli_arguments *a) {
  const char *path = cli_operand(a, 0);
  void *const user[2] = {(void *)a, context};
  unsigned char *bytes = NULL;
  char *text = NULL, *notes = NULL, folder[PICUS_PATH_SIZE];
  size_t size = 0;
  int overlaps = 0;
  picus_status status = picus_file_bytes(context, path, file_most, &bytes, &size);
  const robot_source source = {.name = path,
                               .bytes = bytes,
                               .size = size,
                               .read = read_beside,
                               .user = (void *)user,
                               .is_floating = cli_given(a, "floating")};
  picus_folder_name(path, folder);
  if (!status) status = picus_robot_import(context, &source, &text, &notes);
  if (!status) status = settle_overlaps(context, folder, &text, &overlaps);
  if (!status) status = save(context, a, text);
  if (!status && !cli_given(a, "quiet")) tell_notes(notes, overlaps);
  picus_release(context, bytes);
  picus_release(context, text);
  picus_release(context, notes);
  return status;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(true);
  if (!context) return EXIT_RUN_FAILED;
  const int code = import(context, a) ? cli_report_error(context, EXIT_WRONG_INPUT) : EXIT_DONE;
  picus_context_destroy(context);
  return code;
}

const cli_command cli_import = {
    .name = "import",
    .operands = "ROBOT.xml",
    .operands_least = 1,
    .operands_most = 1,
    .operand_kind = "robot",
    .summary = "Write a robot of MuJoCo (MJCF) or ROS (URDF) as a model file",
    .description =
        "Bodies, joints with limits, shapes, the floor, closed loops, springs, dampers and motors become lines of a "
        "model\n"
        "file that is to be read and changed. Motors are inputs. What is left out or changed is listed in its head and "
        "on\n"
        "standard error. Pairs of bodies that overlap at the start do not collide. Meshes (STL, OBJ) collide as their\n"
        "convex hulls; their files stay where they are, relative to the model file.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run};
