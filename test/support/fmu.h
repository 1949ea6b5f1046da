/* An importer of FMUs for tests: unpacks an archive with its own reader, loads the library, finds variables by name. */
#ifndef PICUS_TEST_FMU_H
#define PICUS_TEST_FMU_H

#include <stdbool.h>
#include <stddef.h>

enum { FMU_PATH = 512, FMU_NAME = 80 };

typedef struct test_variable {
  char name[FMU_NAME], causality[16];
  unsigned reference;
  double start; /* NAN: none */
} test_variable;

typedef struct test_fmu {
  char folder[FMU_PATH], resources[FMU_PATH], identifier[FMU_NAME], token[FMU_NAME];
  char *description;
  int version, file_count, variable_count;
  test_variable *variables;
  void *library;
} test_fmu;

/* Exports with the tool, "woodpecker --dt 1e-4", and unpacks into a new folder. false: it failed, said already. */
bool test_fmu_export(const char *command, int version, test_fmu *out);
/* Unpacks and loads. */
bool test_fmu_open(const char *path, test_fmu *out);
void test_fmu_close(test_fmu *fmu);
/* A function of the library: a pointer to it in *function, a pointer to a function. */
bool test_fmu_find(const test_fmu *fmu, const char *name, void *function);
const test_variable *test_fmu_variable(const test_fmu *fmu, const char *name); /* NULL: none, said already */
/* The value of an attribute in the text of an element, into a buffer; false: it has none. */
bool test_fmu_attribute(const char *element, const char *name, char *value, size_t size);

#endif
