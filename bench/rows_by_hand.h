/* Files of rows as one writes them by hand: the peers of the recorder's own. They get the same numbers from it. */
#ifndef PICUS_BENCH_ROWS_BY_HAND_H
#define PICUS_BENCH_ROWS_BY_HAND_H

#include <picus/picus.h>

typedef enum rows_format {
  ROWS_NOWHERE,       /* the numbers are computed, and that is all */
  ROWS_RAW,           /* fwrite */
  ROWS_TEXT,          /* fprintf("%.17g") */
  ROWS_HDF5,          /* a table that grows by blocks */
  ROWS_HDF5_DEFLATED, /* the same with shuffle and deflate 1 */
} rows_format;

/* path outlives the recorder. */
picus_status rows_by_hand(picus_recorder *recorder, rows_format format, const char *path);

#endif
