/* Fuzz target: any bytes as a file of points; the first byte tells the columns and the kind of the table. What is read
 * must be finite and increasing, and has a table whose value and derivatives can be evaluated anywhere; what is refused
 * must be refused with a sentence. */
#include "fuzz.h"

#include "text_format/internal.h"

#include <math.h>

static void build(picus_context *context, const data_points *points, unsigned choice) {
  picus_pool *pool = NULL;
  const picus_table_def def = {.count = points->count,
                               .x = points->x,
                               .y = points->y,
                               .kind = choice & 4 ? PICUS_TABLE_CUBIC : PICUS_TABLE_LINEAR,
                               .fail_outside = choice & 8};
  if (picus_pool_create(context, &pool)) return;
  picus_expr table = picus_expr_table(pool, &def, picus_variable(pool, "x"));
  fuzz_accepted(context, picus_pool_status(pool));
  for (int order = 0; order < 4 && picus_expr_valid(table); order++) {
    for (int i = 0; i < points->count && i < 20; i++) {
      const double at[3] = {points->x[i], nextafter(points->x[i], INFINITY), 0.5 * points->x[i] + 1};
      for (int k = 0; k < 3; k++) {
        double value;
        fuzz_demand(picus_expr_evaluate(pool, table, &at[k], &value) == PICUS_OK);
      }
    }
    table = picus_derivative(pool, table, 0);
  }
  picus_pool_destroy(pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (!size) return 0;
  picus_context *context = NULL;
  if (picus_context_create(NULL, &context)) return 0;
  const unsigned choice = bytes[0];
  const data_column columns[2] = {{choice & 1 ? "t" : NULL, 1 + choice / 64}, {choice & 2 ? "y" : NULL, 2}};
  const picus_model_file file = {.name = "points.csv", .bytes = bytes + 1, .size = size - 1};
  data_points points;
  if (fuzz_accepted(context, picus_points_parse(context, "points.csv", &file, columns, 100000, &points))) {
    fuzz_demand(points.count >= 2);
    for (int i = 0; i < points.count; i++) {
      fuzz_demand(isfinite(points.x[i]) && isfinite(points.y[i]));
      fuzz_demand(i == 0 || points.x[i] > points.x[i - 1]);
    }
    build(context, &points, choice);
  }
  picus_points_release(context, &points);
  fuzz_end(context);
  return 0;
}
