/* Parts of datasets that Picus decodes itself: sound ones of all formats, types and filters, and chunks that are not as
 * long as their dataset says. HDF5 1.10 reads beyond the end of such chunks; address sanitizers show it. */
#define _POSIX_C_SOURCE 200809L
#include "base/internal.h"
#include "hdf5/read.h"
#include "hdf5/staged.h"
#include "hdf5/support.h"
#include "record_fake.h"

#include <picus/base.h>
#include <stdint.h>
#include <sys/wait.h>

enum { CHANGES = 120, LONGEST = 1 << 20 };

/* A list of `count` values; filters: letters s (shuffle), z (deflate), f (fletcher32). */
typedef struct sample {
  H5F_libver_t low;
  H5D_layout_t layout;
  const char *filters;
  hid_t type;
  int count, chunk;
  bool grows, omits_at_edge;
} sample;

static double value_at(int k) { return k * 7 % 100; }

static bool set_filters(hid_t creation, const char *filters) {
  bool done = true;
  for (const char *f = filters; done && *f; f++)
    done = (*f == 's'   ? H5Pset_shuffle(creation)
            : *f == 'z' ? H5Pset_deflate(creation, 6)
                        : H5Pset_fletcher32(creation)) >= 0;
  return done;
}

static hid_t create_sample(hid_t file, const sample *s) {
  const hsize_t count = (hsize_t)s->count, chunk = (hsize_t)s->chunk, most = s->grows ? H5S_UNLIMITED : count;
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &count, &most);
  H5Pset_layout(creation, s->layout);
  if (s->layout == H5D_CHUNKED) {
    H5Pset_chunk(creation, 1, &chunk);
    if (s->omits_at_edge) H5Pset_chunk_opts(creation, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  }
  hid_t dataset = set_filters(creation, s->filters)
                      ? H5Dcreate2(file, "x", s->type, space, H5P_DEFAULT, creation, H5P_DEFAULT)
                      : -1;
  H5Sclose(space);
  H5Pclose(creation);
  return dataset;
}

static hid_t create_file(const char *path, const sample *s) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, s->low, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  return file;
}

static bool write_sample(const char *path, const sample *s) {
  hid_t file = create_file(path, s), dataset = create_sample(file, s);
  double *values = calloc((size_t)s->count, sizeof *values);
  for (int k = 0; values && k < s->count; k++) values[k] = value_at(k);
  const bool done =
      values && dataset >= 0 && H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  free(values);
  H5Dclose(dataset);
  return H5Fclose(file) >= 0 && done;
}

typedef struct open_file {
  picus_context *context;
  picus_staged_file *staged;
  picus_hdf5_quiet quiet;
  hid_t file;
} open_file;

static bool open_sample(const char *path, open_file *o) {
  int error;
  *o = (open_file){.file = -1};
  if (picus_context_create(NULL, &o->context)) return false;
  o->quiet = picus_hdf5_quiet_begin();
  o->staged = picus_staged_open(o->context, path, PICUS_STAGED_READ, &error);
  if (o->staged) o->file = picus_hdf5_open_staged(o->context, o->staged, path, H5F_ACC_RDONLY, NULL);
  return o->file >= 0;
}

/* Whether all memory was given back. */
static bool close_sample(open_file *o) {
  if (o->file >= 0) H5Fclose(o->file);
  picus_staged_close(o->staged);
  picus_hdf5_quiet_end(o->quiet);
  const bool is_clean = picus_context_memory(o->context) == 0;
  picus_context_destroy(o->context);
  return is_clean;
}

typedef enum reading { RIGHT, WRONG, REJECTED, FAILED } reading;

static reading read_sample(const char *path, int count) {
  open_file o;
  size_t found = 0;
  double *values = NULL;
  reading result = REJECTED;
  if (open_sample(path, &o) && picus_hdf5_read_numbers(o.context, o.file, "x", &found, &values) != PICUS_OK)
    result = FAILED;
  if (values) {
    result = found == (size_t)count ? RIGHT : WRONG;
    for (size_t k = 0; k < found && k < (size_t)count; k++)
      if (values[k] != value_at((int)k)) result = WRONG;
    picus_release(o.context, values);
  }
  return close_sample(&o) ? result : FAILED;
}

static void sound_lists(void) {
  static const char *const filters[] = {"", "z", "sz", "f", "szf", "fz", "s"};
  static const H5F_libver_t formats[] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_V18, H5F_LIBVER_LATEST};
  static const int chunks[] = {1, 7, 64, 1000};
  const hid_t types[] = {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_STD_I8LE, H5T_STD_I32BE, H5T_STD_U64LE};
  int wrong = 0, all = 0;
  for (size_t i = 0; i < 7 * 3 * 4 * 6; i++) {
    const sample s = {formats[i / 7 % 3],
                      H5D_CHUNKED,
                      filters[i % 7],
                      types[i / 84 % 6],
                      200,
                      chunks[i / 21 % 4],
                      i % 5 == 0 || i / 21 % 4 == 3,
                      i % 2 == 1};
    REQUIRE(write_sample(scratch("x.h5"), &s));
    const reading result = read_sample(scratch("x.h5"), s.count);
    if (result != RIGHT && !wrong++)
      printf("  list %zu: filters '%s', chunks of %d, reading %d\n", i, s.filters, s.chunk, (int)result);
    all++;
  }
  printf("  %d lists\n", all);
  CHECK(wrong == 0);
  scratch_remove("x.h5");
}

/* --- parts of tables --- */

static bool write_table(const char *path, int rank, const hsize_t *extent, const hsize_t *chunk, bool is_packed) {
  hsize_t count = 1;
  for (int k = 0; k < rank; k++) count *= extent[k];
  float *values = calloc((size_t)count, sizeof *values);
  for (hsize_t k = 0; values && k < count; k++) values[k] = (float)k;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), creation = H5Pcreate(H5P_DATASET_CREATE);
  hid_t space = H5Screate_simple(rank, extent, NULL);
  H5Pset_chunk(creation, rank, chunk);
  if (is_packed) set_filters(creation, "sz");
  hid_t dataset = H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  const bool done =
      values && dataset >= 0 && H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  free(values);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(creation);
  return H5Fclose(file) >= 0 && done;
}

/* Compared with HDF5 itself. */
static bool reads_part(hid_t dataset, const picus_hdf5_part *part, hid_t type, size_t size) {
  hsize_t count = 1;
  for (int k = 0; k < part->rank; k++) count *= part->count[k];
  unsigned char *own = calloc((size_t)count + 1, size), *other = calloc((size_t)count + 1, size);
  hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(part->rank, part->count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, part->first, NULL, part->count, NULL);
  const bool same = own && other && H5Dread(dataset, type, memory, space, H5P_DEFAULT, other) >= 0 &&
                    picus_hdf5_read_part(dataset, type, part, own, NULL) &&
                    memcmp(own, other, ((size_t)count + 1) * size) == 0;
  free(own);
  free(other);
  H5Sclose(memory);
  H5Sclose(space);
  return same;
}

static void parts_of_tables(void) {
  test_random random = {11};
  int wrong = 0;
  for (int i = 0; i < 60; i++) {
    hsize_t extent[PICUS_HDF5_MOST_RANK], chunk[PICUS_HDF5_MOST_RANK];
    const int rank = 1 + i % PICUS_HDF5_MOST_RANK;
    open_file o;
    for (int k = 0; k < rank; k++) {
      extent[k] = (hsize_t)test_integer(&random, 1, 12);
      chunk[k] = (hsize_t)test_integer(&random, 1, (int)extent[k]);
    }
    REQUIRE(write_table(scratch("x.h5"), rank, extent, chunk, i % 3 > 0));
    REQUIRE(open_sample(scratch("x.h5"), &o));
    hid_t dataset = picus_hdf5_open(o.file, "x");
    for (int n = 0; n < 20; n++) {
      picus_hdf5_part part = {.rank = rank};
      for (int k = 0; k < rank; k++) {
        part.first[k] = (hsize_t)test_integer(&random, 0, (int)extent[k] - 1);
        part.count[k] = (hsize_t)test_integer(&random, 1, (int)(extent[k] - part.first[k]));
      }
      wrong += !reads_part(dataset, &part, n % 2 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT,
                           n % 2 ? sizeof(double) : sizeof(float));
    }
    picus_hdf5_part beyond = {.rank = rank};
    memcpy(beyond.count, extent, sizeof extent);
    beyond.count[rank - 1]++;
    double *room = calloc(1 << 16, sizeof *room);
    wrong += !room || picus_hdf5_read_part(dataset, H5T_NATIVE_DOUBLE, &beyond, room, NULL);
    free(room);
    H5Oclose(dataset);
    CHECK(close_sample(&o));
  }
  CHECK(wrong == 0);
  scratch_remove("x.h5");
}

/* --- chunks of a false length: HDF5 writes them itself, with all check sums --- */

/* In a process of its own: HDF5 complains at its exit about what such files have made of it. */
static void apart(int (*work)(void)) {
  int status = 0;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int failures = work();
    fflush(stdout);
    _exit(failures > 0);
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static bool write_short(const char *path, const sample *s, size_t size, uint32_t omitted) {
  static unsigned char bytes[1 << 13];
  for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (unsigned char)(7 + 31 * k);
  hid_t file = create_file(path, s), dataset = create_sample(file, s);
  bool done = dataset >= 0;
  for (hsize_t k = 0; done && k < (hsize_t)s->count; k += (hsize_t)s->chunk)
    done = H5Dwrite_chunk(dataset, H5P_DEFAULT, omitted, &k, size, bytes) >= 0;
  H5Dclose(dataset);
  return H5Fclose(file) >= 0 && done;
}

static int read_short(void) {
  static const char *const filters[] = {"", "z", "sz", "f", "szf", "s"};
  static const size_t sizes[] = {1, 3, 4, 8, 100, 511, 513, 515, 516, 8000};
  int failures = 0, all = 0;
  for (int i = 0; i < 6 * 10 * 2 * 2 * 2; i++) {
    const sample s = {i / 60 % 2 ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST,
                      H5D_CHUNKED,
                      filters[i % 6],
                      H5T_IEEE_F64LE,
                      200,
                      64,
                      i / 240 % 2 == 0,
                      false};
    picus_hdf5_quiet quiet = picus_hdf5_quiet_begin();
    const bool is_written = write_short(scratch("x.h5"), &s, sizes[i / 6 % 10], i / 120 % 2 ? 0xFF : 0);
    picus_hdf5_quiet_end(quiet);
    if (!is_written) continue; /* HDF5 did not want to */
    const reading result = read_sample(scratch("x.h5"), s.count);
    all++;
    if (result == REJECTED || (!*s.filters && sizes[i / 6 % 10] >= 512)) continue; /* HDF5 may store 512 of them */
    failures++;
    printf("  filters '%s', chunks of %zu bytes: reading %d\n", s.filters, sizes[i / 6 % 10], (int)result);
  }
  printf("  %d files\n", all);
  return failures + (all < 200);
}

static void short_chunks(void) {
  apart(read_short);
  scratch_remove("x.h5");
}

/* --- damaged files --- */

/* The check sum of the metadata of HDF5 (Jenkins, lookup3). */
static uint32_t turn(uint32_t x, int k) { return x << k | x >> (32 - k); }

static uint32_t check_sum(const unsigned char *bytes, size_t size) {
  static const int turns[6] = {4, 6, 8, 16, 19, 4}, ends[7] = {14, 11, 25, 16, 4, 14, 24};
  uint32_t w[3];
  w[0] = w[1] = w[2] = 0xdeadbeefu + (uint32_t)size;
  for (;;) {
    const size_t part = size < 12 ? size : 12;
    for (size_t k = 0; k < part; k++) w[k / 4] += (uint32_t)bytes[k] << 8 * (k % 4);
    if (size <= 12) break;
    for (int k = 0; k < 6; k++) { /* a -= c, a ^= turn(c), c += b, and so on in turn */
      const int a = k % 3, b = (k + 1) % 3, c = (k + 2) % 3;
      w[a] = (w[a] - w[c]) ^ turn(w[c], turns[k]);
      w[c] += w[b];
    }
    bytes += 12;
    size -= 12;
  }
  if (size == 0) return w[2];
  for (int k = 0; k < 7; k++) { /* c ^= b, c -= turn(b), then a by c, b by a */
    const int to = (k + 2) % 3, from = (k + 1) % 3;
    w[to] = (w[to] ^ w[from]) - turn(w[from], ends[k]);
  }
  return w[2];
}

/* The first piece of a header of the second version: its end, or 0. */
static size_t header_end(const unsigned char *bytes, size_t size, size_t at) {
  if (at + 16 > size || memcmp(bytes + at, "OHDR", 4) != 0) return 0;
  const size_t front = 6 + (bytes[at + 5] & 0x20 ? 16u : 0u) + (bytes[at + 5] & 0x10 ? 4u : 0u);
  const size_t width = (size_t)1 << (bytes[at + 5] & 3);
  size_t length = 0;
  for (size_t k = width < 8 ? width : 0; k-- > 0;) length = length << 8 | bytes[at + front + k];
  const size_t end = at + front + width + length;
  return length < size && end + 4 <= size ? end : 0;
}

/* Makes the sums right that headers of the second version have. */
static int mend_sums(unsigned char *bytes, size_t size) {
  int count = 0;
  for (size_t at = 0; at + 64 < size; at++) {
    const size_t end = header_end(bytes, size, at);
    if (end == 0) continue;
    const uint32_t sum = check_sum(bytes + at, end - at);
    for (int k = 0; k < 4; k++) bytes[end + (size_t)k] = (unsigned char)(sum >> 8 * k);
    count++;
  }
  return count;
}

static const sample stored[] = {
    {H5F_LIBVER_EARLIEST, H5D_CHUNKED, "", 0, 200, 64, true, false},
    {H5F_LIBVER_EARLIEST, H5D_CHUNKED, "sz", 0, 200, 64, true, false},
    {H5F_LIBVER_EARLIEST, H5D_CHUNKED, "szf", 0, 200, 64, false, false},
    {H5F_LIBVER_EARLIEST, H5D_CONTIGUOUS, "", 0, 200, 0, false, false},
    {H5F_LIBVER_EARLIEST, H5D_COMPACT, "", 0, 200, 0, false, false},
    {H5F_LIBVER_V18, H5D_CHUNKED, "sz", 0, 200, 64, true, false},
    {H5F_LIBVER_LATEST, H5D_CHUNKED, "", 0, 200, 64, true, false},
    {H5F_LIBVER_LATEST, H5D_CHUNKED, "sz", 0, 200, 64, true, true},
    {H5F_LIBVER_LATEST, H5D_CHUNKED, "sz", 0, 200, 64, false, false},
    {H5F_LIBVER_LATEST, H5D_CHUNKED, "sz", 0, 200, 200, false, false},
    {H5F_LIBVER_LATEST, H5D_CONTIGUOUS, "", 0, 200, 0, false, false},
    {H5F_LIBVER_LATEST, H5D_COMPACT, "", 0, 200, 0, false, false},
};

static int damage_one(const sample *s, int number, int changes) {
  size_t size = 0;
  int count[4] = {0};
  if (!write_sample(scratch("x.h5"), s)) return 1;
  unsigned char *bytes = (unsigned char *)read_whole(scratch("x.h5"), &size), *good = malloc(size + 1);
  if (!bytes || !good) return 1;
  memcpy(good, bytes, size);
  const int sums = mend_sums(bytes, size);
  int failures = memcmp(good, bytes, size) != 0 || (s->low != H5F_LIBVER_EARLIEST && sums == 0);
  test_random random = {1000ull + (unsigned long long)number};
  for (int i = 0; i < changes; i++) {
    const int times = test_integer(&random, 1, 3);
    for (int k = 0; k < times; k++) {
      /* mostly where the file has something else than zeros */
      size_t at = (size_t)test_integer(&random, 0, (int)size - 1);
      for (int n = 0; n < 50 && !good[at]; n++) at = (size_t)test_integer(&random, 0, (int)size - 1);
      bytes[at] =
          (unsigned char)(i % 3 == 0 ? good[at] ^ 1 << test_integer(&random, 0, 7) : test_integer(&random, 0, 255));
    }
    mend_sums(bytes, size);
    if (!write_whole(scratch("x.h5"), bytes, size)) failures++;
    const reading result = read_sample(scratch("x.h5"), s->count);
    count[result]++;
    memcpy(bytes, good, size);
  }
  free(good);
  free(bytes);
  if (count[FAILED] > 0) printf("  storage %d: %d failed\n", number, count[FAILED]);
  return failures + count[FAILED];
}

static int damaged_ones(void) {
  const int changes = (int)test_study(CHANGES, CHANGES, 1500);
  int failures = 0;
  for (int k = 0; k < (int)(sizeof stored / sizeof stored[0]); k++) {
    sample s = stored[k];
    s.type = H5T_IEEE_F64LE;
    failures += damage_one(&s, k, changes);
  }
  return failures;
}

static void damaged_files(void) {
  apart(damaged_ones);
  scratch_remove("x.h5");
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"sound_lists", sound_lists},
                                    {"parts_of_tables", parts_of_tables},
                                    {"short_chunks", short_chunks},
                                    {"damaged_files", damaged_files}};
  const int result = test_main(argc, argv, "result_chunks", cases, sizeof cases / sizeof cases[0]);
  scratch_end();
  return result;
}
