/* Fuzz target: any text as an item file of picus reproduce. What is read is within its limits: names are those of
 * files and folders below that of the item, commands write nothing else, and everything takes at most 64 MiB. Nothing
 * is run. */
#define _POSIX_C_SOURCE 200809L
#include "cli/paths.h"
#include "fuzz.h"
#include "reproduce/reproduce.h"

#include <string.h>

enum { MOST_BYTES = 1 << 26 };

/* Below the folder where it is used, whatever it is: an oracle of its own, not cli_path_is_plain. */
static int stays_below(const char *path) {
  if (path[0] == '/' || !path[0]) return 0;
  for (const char *at = path; at;) {
    const char *end = strchr(at, '/');
    if (at[0] == '.' && at[1] != '/' && at[1] != '\0') return 0; /* hidden, or up */
    at = end ? end + 1 : NULL;
  }
  return 1;
}

static int is_name(const char *text) { return text[0] && text[0] != '.' && !strchr(text, '/'); }

static void check_item(const reproduce_table *table, const reproduce_item *item) {
  fuzz_demand(item->paper >= 0 && item->paper < table->paper_count);
  fuzz_demand(is_name(item->id) && is_name(table->papers[item->paper].id));
  for (int k = 0; k < item->step_count; k++) {
    const reproduce_step *step = &item->steps[k];
    fuzz_demand(step->table ? is_name(step->table) : step->word_count >= 2 && strcmp(step->words[0], "picus") == 0);
    for (int i = 0; i < step->output_count; i++) fuzz_demand(stays_below(step->outputs[i]));
  }
  for (int k = 0; k < item->shown_count; k++)
    fuzz_demand(item->shown[k].kind == SHOWN_OUTPUT || is_name(item->shown[k].file));
}

/* Controls are items with other commands, and hold to the same limits. */
static void check_controls(const reproduce_table *table, const reproduce_item *item) {
  for (int k = 0; k < item->control_count; k++) {
    const reproduce_item *varied = item->controls[k].varied;
    fuzz_demand(varied && varied->step_count == item->step_count && varied->control_count == 0);
    fuzz_demand(strncmp(varied->id, item->id, strlen(item->id)) == 0 && strcmp(varied->id, item->id) != 0);
    check_item(table, varied);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  reproduce_table table = {.find = cli_command_find};
  char *text = malloc(size + 1);
  fuzz_demand(text != NULL);
  memcpy(text, bytes, size);
  text[size] = '\0';
  const bool fine = reproduce_read(&table, "fuzz.items", text, size);
  fuzz_demand(table.block_bytes <= MOST_BYTES);
  for (int k = 0; fine && k < table.item_count; k++) {
    check_item(&table, &table.items[k]);
    check_controls(&table, &table.items[k]);
  }
  reproduce_release(&table);
  free(text);
  return 0;
}
