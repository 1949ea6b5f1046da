/* Built instead of the files that need HDF5 (PICUS_WITH_HDF5=OFF): what would read or write such a file fails with a
 * message, so no result, comparison or problem ever exists, and functions of them return nothing of meaning. */
#include "base/internal.h"
#include "record/internal.h"
#include "table/table_file.h"

#include <math.h>
#include <picus/contact.h>
#include <picus/reference.h>
#include <picus/result.h>

static picus_status fail(picus_context *context, const char *what) {
  return picus_fail(context, PICUS_ERROR_UNSUPPORTED,
                    "this library was built without HDF5 and cannot %s; use memory or CSV, or a library with HDF5",
                    what);
}

/* --- results ---------------------------------------------------------------------------------------------------- */

picus_status picus_recorder_add_hdf5(picus_recorder *recorder, const char *path) {
  (void)path;
  return fail(picus_recorder_context(recorder), "write HDF5 files");
}

picus_status picus_result_open(picus_context *context, const char *path, picus_result **out) {
  (void)path;
  *out = NULL;
  return fail(context, "read HDF5 files");
}

picus_status picus_result_add_numbers(picus_context *context, const char *path, const char *group, int count,
                                      const char *const *names, const double *numbers) {
  (void)path, (void)group, (void)count, (void)names, (void)numbers;
  return fail(context, "change HDF5 files");
}

picus_status picus_table_save(picus_context *context, const char *path, const picus_table_content *content) {
  (void)path, (void)content;
  return fail(context, "write HDF5 files");
}

picus_status picus_table_load(picus_context *context, const char *path, const char *format, picus_table_content *out) {
  (void)path, (void)format;
  *out = (picus_table_content){0};
  return fail(context, "read HDF5 files");
}
void picus_table_release(picus_context *context, picus_table_content *content) { (void)context, (void)content; }
const picus_table_list *picus_table_find(const picus_table_content *content, const char *group, const char *name) {
  (void)content, (void)group, (void)name;
  return NULL;
}
const char *picus_table_text_of(const picus_table_content *content, const char *name) {
  (void)content, (void)name;
  return NULL;
}

/* X(result, name, arguments, value) */
#define WITHOUT_RESULT(X)                                                                                              \
  X(bool, is_cut, (const picus_result *r), false)                                                                      \
  X(bool, holds, (picus_result * r, picus_row_mark m), ((void)m, false))                                               \
  X(int, column_count, (const picus_result *r), 0)                                                                     \
  X(int, find, (const picus_result *r, const char *n), ((void)n, -1))                                                  \
  X(long, row_count, (const picus_result *r), 0)                                                                       \
  X(int, law_count, (const picus_result *r), 0)                                                                        \
  X(long, switching_count, (const picus_result *r), -1)                                                                \
  X(long, contact_rows, (const picus_result *r), -1)                                                                   \
  X(int, contact_count, (const picus_result *r, long k), ((void)k, 0))                                                 \
  X(int, body_count, (const picus_result *r), 0)                                                                       \
  X(const char *, body, (const picus_result *r, int k), ((void)k, ""))                                                 \
  X(int, node_table_count, (const picus_result *r), 0)                                                                 \
  X(int, find_node_table, (const picus_result *r, const char *n), ((void)n, -1))                                       \
  X(long, node_table_rows, (const picus_result *r, int k), ((void)k, 0))                                               \
  X(const char *, text, (const picus_result *r, const char *n), ((void)n, ""))                                         \
  X(double, number, (const picus_result *r, const char *n), ((void)n, NAN))                                            \
  X(const char *, key, (const picus_result *r, int k, bool *t), ((void)k, (void)t, NULL))                              \
  X(int, plot_count, (const picus_result *r), 0)                                                                       \
  X(picus_status, values, (picus_result * r, int k, const double **v), ((void)k, *v = NULL, PICUS_ERROR_UNSUPPORTED))  \
  X(picus_status, read, (picus_result * r, int k, double *v), ((void)k, (void)v, PICUS_ERROR_UNSUPPORTED))             \
  X(picus_status, switchings, (picus_result * r, const picus_switching **s), (*s = NULL, PICUS_ERROR_UNSUPPORTED))     \
  X(picus_status, export_switchings, (picus_result * r, int k, const char *p),                                         \
    ((void)k, (void)p, PICUS_ERROR_UNSUPPORTED))                                                                       \
  X(picus_status, switch_changes, (picus_result * r, long *n, const picus_switch_change **c),                          \
    (*n = 0, *c = NULL, PICUS_ERROR_UNSUPPORTED))                                                                      \
  X(picus_status, export_nodes, (picus_result * r, int k, const char *p), ((void)k, (void)p, PICUS_ERROR_UNSUPPORTED)) \
  X(picus_status, export_rows, (picus_result * r, const char *p), ((void)p, PICUS_ERROR_UNSUPPORTED))                  \
  X(picus_status, export_contacts, (picus_result * r, const char *p), ((void)p, PICUS_ERROR_UNSUPPORTED))              \
  X(picus_status, event_states, (picus_result * r, picus_event_states * s),                                            \
    (*s = (picus_event_states){0}, PICUS_ERROR_UNSUPPORTED))                                                           \
  X(picus_status, export_event_states, (picus_result * r, int k, const char *p),                                       \
    ((void)k, (void)p, PICUS_ERROR_UNSUPPORTED))                                                                       \
  X(picus_status, export_switch_changes, (picus_result * r, const char *p), ((void)p, PICUS_ERROR_UNSUPPORTED))        \
  X(picus_status, contacts, (picus_result * r, long k, const picus_contact_point **c),                                 \
    ((void)k, *c = NULL, PICUS_ERROR_UNSUPPORTED))                                                                     \
  X(picus_status, node_table_read, (picus_result * r, int k, long i, long n, double *const v[2]),                      \
    ((void)k, (void)i, (void)n, (void)v, PICUS_ERROR_UNSUPPORTED))                                                     \
  X(picus_status, drawing, (picus_result * r, const picus_drawing **d), (*d = NULL, PICUS_ERROR_UNSUPPORTED))          \
  X(picus_column, column, (const picus_result *r, int k), ((void)k, (picus_column){"", "", "", 0}))                    \
  X(picus_result_law, law_at, (const picus_result *r, int k), ((void)k, (picus_result_law){.name = "", .kind = ""}))   \
  X(picus_node_table, node_table_at, (const picus_result *r, int k), ((void)k, (picus_node_table){.name = ""}))        \
  X(picus_plot_panel, plot, (const picus_result *r, int k), ((void)k, (picus_plot_panel){.x = ""}))
#define DEFINE(type, name, arguments, value)                                                                           \
  type picus_result_##name arguments {                                                                                 \
    (void)r;                                                                                                           \
    return value;                                                                                                      \
  }
WITHOUT_RESULT(DEFINE)

void picus_result_close(picus_result *result) { (void)result; }
void picus_result_skip_exit(void) {}
void picus_recorder_continue(picus_recorder *recorder, picus_result *result) { (void)recorder, (void)result; }
void picus_result_thin(picus_result *result, long most, long shown) { (void)result, (void)most, (void)shown; }

/* --- references ------------------------------------------------------------------------------------------------- */

picus_status picus_result_compare(picus_context *context, picus_result *result, picus_result *reference,
                                  int column_count, const char *const *columns, picus_comparison **out) {
  (void)result, (void)reference, (void)column_count, (void)columns;
  *out = NULL;
  return fail(context, "compare HDF5 files");
}
void picus_comparison_destroy(picus_context *context, picus_comparison *comparison) { (void)context, (void)comparison; }
picus_reference_options picus_default_reference_options(void) {
  return (picus_reference_options){.accuracy = 1e-10, .work_most = 20000000};
}
picus_status picus_reference_search(picus_context *context, const picus_run_description *run,
                                    const picus_reference_options *options, picus_reference_report *report) {
  (void)run, (void)options;
  *report = (picus_reference_report){.best = -1};
  return fail(context, "search for references");
}

/* --- contact problems ------------------------------------------------------------------------------------------- */

picus_status picus_problem_read(picus_context *context, const char *path, picus_problem **out) {
  (void)path;
  *out = NULL;
  return fail(context, "read contact problems");
}
picus_status picus_problem_read_factored(picus_context *context, const char *path, picus_problem **out) {
  return picus_problem_read(context, path, out);
}
picus_status picus_problem_copy(picus_context *context, const picus_contact_problem *source,
                                const picus_problem_notes *notes, picus_problem **out) {
  (void)source, (void)notes;
  *out = NULL;
  return fail(context, "keep contact problems for files");
}
picus_status picus_problem_write(picus_context *context, const char *path, const picus_contact_problem *problem,
                                 const picus_problem_notes *notes) {
  (void)path, (void)problem, (void)notes;
  return fail(context, "write contact problems");
}
void picus_problem_destroy(picus_problem *problem) { (void)problem; }
const picus_contact_problem *picus_problem_contacts(const picus_problem *problem) {
  (void)problem;
  return NULL;
}
const picus_problem_notes *picus_problem_notes_of(const picus_problem *problem) {
  (void)problem;
  return NULL;
}
