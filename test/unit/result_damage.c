/* Results with a byte that is not the one that was written: every command that reads it says what is damaged. */
#define _POSIX_C_SOURCE 200809L
#include "record_fake.h"
#include "support/tool.h"

#include <hdf5.h>

/* Changes a byte of the first chunk of a list; at: from its start, or if negative from the middle of the chunk. */
static bool damage(const char *path, const char *list, long at) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(file, list, H5P_DEFAULT);
  hid_t space = H5Dget_space(dataset);
  hsize_t offset[2], size = 0;
  haddr_t address = 0;
  unsigned mask;
  const bool found = H5Dget_chunk_info(dataset, space, 0, offset, &mask, &address, &size) >= 0;
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  FILE *bytes = found ? fopen(path, "r+b") : NULL;
  if (!bytes) return false;
  const long place = (long)address + (at < 0 ? (long)size / 2 : at);
  int byte = fseek(bytes, place, SEEK_SET) == 0 ? getc(bytes) : EOF;
  const bool done = byte != EOF && fseek(bytes, place, SEEK_SET) == 0 && putc(byte ^ 1, bytes) != EOF;
  return fclose(bytes) == 0 && done;
}

typedef struct damage_case {
  const char *run, *list;
  long at;
  const char *command; /* of the damaged file */
  const char *message;
} damage_case;

static const damage_case damages[] = {
    {"run woodpecker --dt 1e-4 --t-end 1", "picus/events/PN", 3, "events %s",
     "switching point 0 does not have its checksum"},
    {"run woodpecker --dt 1e-4 --t-end 1", "picus/events/t", 8, "events %s",
     "switching point 1 does not have its checksum"},
    {"run woodpecker --dt 1e-4 --t-end 1", "picus/events/sum", 0, "events %s", "switching point 0 does not have"},
    {"run woodpecker --dt 1e-4 --t-end 1", "phiM", -1, "plot %s phiM --out %s.svg", "column 'phiM'"},
    {"run woodpecker --dt 1e-4 --t-end 1", "phiM", -1, "info %s", "column 'phiM'"},
    {"run woodpecker --dt 1e-4 --t-end 1", "phiM", -1, "view %s --out %s.html", "column 'phiM'"},
    {"run woodpecker --dt 1e-4 --t-end 1 --uncompressed", "phiM", -1, "plot %s phiM --out %s.svg",
     "do not have their checksum"},
    {"run dominoes --set n=4 --t-end 0.1", "picus/contacts/count", 0, "info %s", "the table of contacts in"},
    {"run dominoes --set n=4 --t-end 0.1", "picus/contacts/gap", -1, "info %s", "the table of contacts in"},
};

static void every_reader_says_so(void) {
  for (size_t k = 0; k < sizeof damages / sizeof damages[0]; k++) {
    const damage_case *d = &damages[k];
    char words[600];
    snprintf(words, sizeof words, "%s --quiet --out %s", d->run, scratch("d.h5"));
    REQUIRE(tool_run(words, NULL).code == 0);
    snprintf(words, sizeof words, d->command, scratch("d.h5"), scratch("d.h5"));
    const tool_end before = tool_run(words, NULL);
    if (!CHECK(before.code == 0)) printf("  %s: %s\n", words, before.errors);
    REQUIRE(damage(scratch("d.h5"), d->list, d->at));
    const tool_end end = tool_run(words, NULL);
    if (!CHECK(end.code > 0 && end.signal == 0) || !CHECK(strstr(end.errors, d->message)) ||
        !CHECK(strstr(end.errors, "is damaged")) || !CHECK(!strstr(end.errors, "unknown")))
      printf("  %s, %s: %d %s\n", words, d->list, end.code, end.errors);
    scratch_remove("d.h5.svg");
    scratch_remove("d.h5.html");
    scratch_remove("d.h5");
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"every_reader_says_so", every_reader_says_so}};
  const int result = test_main(argc, argv, "result_damage", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
