#define _XOPEN_SOURCE 700
#include "support/fmu.h"
#include "support/check.h"
#include "support/tool.h"

#include <dlfcn.h>
#include <ftw.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* --- the archive -------------------------------------------------------------------------------------------------- */

static unsigned char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!CHECK(file != NULL)) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*size + 1);
  const bool done = bytes && fread(bytes, 1, *size, file) == *size;
  fclose(file);
  if (CHECK(done)) {
    bytes[*size] = 0;
    return bytes;
  }
  free(bytes);
  return NULL;
}

static uint32_t number(const unsigned char *bytes, int size) {
  uint32_t value = 0;
  for (int k = size - 1; k >= 0; k--) value = value << 8 | bytes[k];
  return value;
}

static bool inflate_all(const unsigned char *from, size_t packed, unsigned char *to, size_t size) {
  z_stream stream = {0};
  if (inflateInit2(&stream, -15) != Z_OK) return false;
  stream.next_in = (unsigned char *)from;
  stream.avail_in = (uInt)packed;
  stream.next_out = to;
  stream.avail_out = (uInt)size;
  const bool done = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == size;
  inflateEnd(&stream);
  return done;
}

static bool write_file(const char *folder, const char *name, const unsigned char *bytes, size_t size) {
  char path[2 * FMU_PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    mkdir(path, 0777);
    *slash = '/';
  }
  FILE *file = fopen(path, "wb");
  if (!CHECK(file != NULL)) return false;
  const bool done = fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && done;
}

/* One file by its entry in the directory, with its local header. */
static bool unpack_one(const unsigned char *archive, const unsigned char *entry, const char *folder) {
  enum { METHOD = 10, SUM = 16, PACKED = 20, SIZE = 24, NAME = 28, PLACE = 42, HEAD = 46 };
  char name[FMU_PATH];
  const size_t size = number(entry + SIZE, 4), packed = number(entry + PACKED, 4), length = number(entry + NAME, 2);
  const unsigned char *local = archive + number(entry + PLACE, 4);
  if (!CHECK(length < sizeof name && number(local, 4) == 0x04034b50u)) return false;
  memcpy(name, entry + HEAD, length);
  name[length] = '\0';
  CHECK(memcmp(local + 30, name, length) == 0 && memcmp(local + 8, entry + METHOD, 20) == 0);
  const unsigned char *bytes = local + 30 + number(local + 26, 2) + number(local + 28, 2);
  unsigned char *content = malloc(size + 1);
  bool done = content != NULL;
  if (done && number(entry + METHOD, 2) == 0) {
    done = size == packed;
    memcpy(content, bytes, size);
  } else if (done)
    done = inflate_all(bytes, packed, content, size);
  done = CHECK(done) && CHECK(crc32(0, content, (uInt)size) == number(entry + SUM, 4)) &&
         write_file(folder, name, content, size);
  free(content);
  return done;
}

static bool unpack(const char *path, test_fmu *out) {
  enum { END = 22, HEAD = 46 };
  size_t size = 0;
  unsigned char *archive = read_file(path, &size);
  if (!archive) return false;
  const unsigned char *end = archive + size - END;
  bool done = CHECK(size > END && number(end, 4) == 0x06054b50u);
  out->file_count = done ? (int)number(end + 10, 2) : 0;
  const unsigned char *entry = done ? archive + number(end + 16, 4) : NULL;
  for (int k = 0; done && k < out->file_count; k++) {
    done = CHECK(number(entry, 4) == 0x02014b50u) && unpack_one(archive, entry, out->folder);
    entry += HEAD + number(entry + 28, 2) + number(entry + 30, 2) + number(entry + 32, 2);
  }
  if (done) CHECK(entry == end);
  free(archive);
  return done;
}

/* --- the description ---------------------------------------------------------------------------------------------- */

bool test_fmu_attribute(const char *element, const char *name, char *value, size_t size) {
  char pattern[FMU_NAME + 4];
  snprintf(pattern, sizeof pattern, " %s=\"", name);
  const char *end = strchr(element, '>'), *from = strstr(element, pattern);
  if (!from || from > end) return false;
  from += strlen(pattern);
  const size_t length = strcspn(from, "\"");
  snprintf(value, size, "%.*s", (int)length, from);
  return length < size;
}

static bool read_variable(const char *element, int version, test_variable *v) {
  char text[FMU_NAME];
  const char *type = version == 2 ? strstr(element, "<Real") : element;
  if (!test_fmu_attribute(element, "name", v->name, sizeof v->name)) return false;
  if (!test_fmu_attribute(element, "causality", v->causality, sizeof v->causality)) return false;
  if (!test_fmu_attribute(element, "valueReference", text, sizeof text)) return false;
  v->reference = (unsigned)strtoul(text, NULL, 10);
  v->start = test_fmu_attribute(type, "start", text, sizeof text) ? strtod(text, NULL) : NAN;
  return true;
}

static bool read_description(test_fmu *out) {
  char path[2 * FMU_PATH], version[8];
  size_t size;
  snprintf(path, sizeof path, "%s/modelDescription.xml", out->folder);
  out->description = (char *)read_file(path, &size);
  const char *root = out->description ? strstr(out->description, "<fmiModelDescription") : NULL;
  const char *interface = root ? strstr(root, "<CoSimulation") : NULL;
  if (!CHECK(interface && test_fmu_attribute(root, "fmiVersion", version, sizeof version))) return false;
  out->version = version[0] - '0';
  const char *tag = out->version == 2 ? "<ScalarVariable " : "<Float64 ";
  bool fine = test_fmu_attribute(root, out->version == 2 ? "guid" : "instantiationToken", out->token, FMU_NAME) &&
              test_fmu_attribute(interface, "modelIdentifier", out->identifier, FMU_NAME);
  for (const char *at = root; (at = strstr(at, tag)); at++) out->variable_count++;
  out->variables = calloc((size_t)out->variable_count + 1, sizeof *out->variables);
  int k = 0;
  for (const char *at = root; fine && out->variables && (at = strstr(at, tag)); at++, k++)
    fine = read_variable(at, out->version, &out->variables[k]);
  return CHECK(fine && out->variables);
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static bool load(test_fmu *out) {
  char path[3 * FMU_PATH];
  const char *platform = out->version == 2 ? "linux64" : "x86_64-linux";
#ifdef __aarch64__
  platform = "aarch64-linux";
#endif
  snprintf(path, sizeof path, "%s/binaries/%s/%s.so", out->folder, platform, out->identifier);
  out->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!out->library) fprintf(stderr, "%s\n", dlerror());
  return CHECK(out->library != NULL);
}

bool test_fmu_open(const char *path, test_fmu *out) {
  *out = (test_fmu){0};
  char pattern[] = "fmu-XXXXXX", here[FMU_PATH / 2];
  if (!CHECK(mkdtemp(pattern) && getcwd(here, sizeof here))) return false;
  snprintf(out->folder, sizeof out->folder, "%s/%s", here, pattern);
  snprintf(out->resources, sizeof out->resources, "%.400s/resources", out->folder);
  return unpack(path, out) && read_description(out) && load(out);
}

bool test_fmu_export(const char *command, int version, test_fmu *out) {
  char line[1000];
  *out = (test_fmu){0};
  snprintf(line, sizeof line, "export %s --fmu test.fmu --fmi %d --quiet", command, version);
  const tool_end end = tool_run(line, NULL);
  if (end.code) fprintf(stderr, "%s", end.errors);
  return CHECK(end.code == 0) && test_fmu_open("test.fmu", out);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where) {
  (void)status;
  (void)kind;
  (void)where;
  return remove(path);
}

static void remove_tree(const char *path) { CHECK(nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0); }

void test_fmu_close(test_fmu *fmu) {
  if (fmu->library) dlclose(fmu->library);
  if (fmu->folder[0]) remove_tree(fmu->folder);
  free(fmu->description);
  free(fmu->variables);
  *fmu = (test_fmu){0};
}

bool test_fmu_find(const test_fmu *fmu, const char *name, void *function) {
  void *symbol = fmu->library ? dlsym(fmu->library, name) : NULL;
  memcpy(function, &symbol, sizeof symbol);
  return test_check(symbol != NULL, __FILE__, __LINE__, name);
}

const test_variable *test_fmu_variable(const test_fmu *fmu, const char *name) {
  for (int k = 0; k < fmu->variable_count; k++)
    if (strcmp(fmu->variables[k].name, name) == 0) return &fmu->variables[k];
  test_check(false, __FILE__, __LINE__, name);
  return NULL;
}
