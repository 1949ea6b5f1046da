/* Study files: a study in Lua, as the options of a command line.
 *
 *   study { "woodpecker", collect = {"y", "impacts"}, section = "beak:impact" }
 *   set { "mu", from = 0.1, to = 0.5, count = 20 }
 *   simulate { t_end = 0.5 }
 *
 * A file runs in the sandbox of model files. What it says has the names of options of `picus sweep`, so that a file and
 * a command line are the same study. */
#ifndef PICUS_STUDY_FILE_H
#define PICUS_STUDY_FILE_H

#include <picus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct picus_study_file picus_study_file;
/* Lifetime: `*out` until `picus_study_file_destroy`. */
PICUS_API picus_status picus_study_file_read(picus_context *context, const char *path, picus_study_file **out);
PICUS_API void picus_study_file_destroy(picus_study_file *file);
/* Name of a shipped model, or path of a model file. Lifetime: as long as the file. */
PICUS_API const char *picus_study_file_model(const picus_study_file *file);
PICUS_API int picus_study_file_count(const picus_study_file *file); /* options */
/* "set", without dashes; NULL: no such index. Lifetime: as long as the file. */
PICUS_API const char *picus_study_file_option(const picus_study_file *file, int index);
/* "mu=0.1:0.5:20"; NULL: it is a flag, or no such index. Lifetime: as long as the file. */
PICUS_API const char *picus_study_file_value(const picus_study_file *file, int index);

#ifdef __cplusplus
}
#endif

#endif
