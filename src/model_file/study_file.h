/* Study files: a study as the words of a command line.
 *
 *   study { "woodpecker", collect = {"y", "impacts"}, section = "beak:impact" }
 *   set { "mu", from = 0.1, to = 0.5, count = 20 }
 *   simulate { t_end = 0.5 }
 *
 * It runs in the sandbox of model files. What it says has the names of options of picus sweep, so that a study file and
 * a command line are the same study. */
#ifndef PICUS_MODEL_FILE_STUDY_FILE_H
#define PICUS_MODEL_FILE_STUDY_FILE_H

#include <picus/base.h>

typedef struct picus_study_word {
  char *option; /* without the dashes */
  char *value;  /* NULL: a flag */
} picus_study_word;

typedef struct picus_study_file {
  picus_context *context;
  char *model; /* name of a shipped model, or path: relative to the folder of the file in the file, not here */
  int count;
  picus_study_word *words; /* in the order of the file */
  size_t capacity;
} picus_study_file;

/* To be released in any case. */
picus_status picus_study_file_read(picus_context *context, const char *path, picus_study_file *out);
void picus_study_file_release(picus_study_file *file);

#endif
