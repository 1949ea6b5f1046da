/* Every wrong model file again, through the command line: exit code 2 and one line "picus: FILE:LINE: sentence". */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"
#include "support/wrong_models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool fine = fputs(text, file) >= 0;
  return fclose(file) == 0 && fine;
}

/* Runs a command and keeps what it says on standard error; -1: it did not exit by itself. */
static int run_command(const char *command, char *said, size_t size) {
  FILE *pipe = popen(command, "r");
  if (!pipe) return -1;
  size_t length = fread(said, 1, size - 1, pipe);
  said[length] = '\0';
  int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool as_expected(const wrong_model *wrong, int code, const char *said) {
  char place[64];
  snprintf(place, sizeof place, "wrong.lua:%d: ", wrong->line);
  bool right = code == 2 && strstr(said, wrong->fragment) != NULL;
  if (wrong->line > 0) right = right && strstr(said, place) != NULL;
  const char *complaint = strstr(said, "picus: ");
  right = right && complaint && strchr(complaint, '\n') == said + strlen(said) - 1; /* one line, the last one */
  if (!right) printf("  %s: exit code %d, said: %s\n", wrong->name, code, said);
  return right;
}

static void the_tool_refuses_every_wrong_model(void) {
  const char *picus = getenv("PICUS");
  if (!picus || access(picus, X_OK) != 0) {
    test_skip("PICUS does not name the tool");
    return;
  }
  char folder[] = "/tmp/picus-wrong-XXXXXX", path[64], command[512], said[8192];
  REQUIRE(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/wrong.lua", folder);
  snprintf(command, sizeof command, "'%s' run '%s' --quiet 2>&1 >/dev/null </dev/null", picus, path);
  const int stride = (int)test_size(9, 3, 1); /* lua_wrong_models has them all */
  for (int i = 0; i < wrong_model_count; i += stride) {
    REQUIRE(write_file(path, wrong_models[i].text));
    int code = run_command(command, said, sizeof said);
    CHECK(as_expected(&wrong_models[i], code, said));
  }
  remove(path);
  rmdir(folder);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"the_tool_refuses_every_wrong_model", the_tool_refuses_every_wrong_model}};
  return test_main(argc, argv, "cli_wrong_models", cases, sizeof cases / sizeof *cases);
}
