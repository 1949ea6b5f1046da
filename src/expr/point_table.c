/* Tables: functions of one number that are given by points (x, y), joined by straight lines or by monotone cubics.
 *
 * A table belongs to the pools, packed pools and tapes that refer to it; the last of them releases it. Its pieces are
 * numbered from 0, the one below the first knot, to the number of its knots, the one above the last knot. A piece is
 * found in a uniform grid of bins, with bisection inside of a bin: equal distances take one comparison, any others at
 * most log2 n.
 *
 * Where the derivative jumps, an expression has a switching function (formulas/switch_formulas.c). One function serves
 * a whole table: the zones are what lies between two such knots, and the function of a zone is positive on even zones
 * and negative on odd ones, so that it changes its sign at every knot. A caller may hold a zone: then the table
 * continues smoothly beyond the ends of it.
 *
 * Slopes of monotone cubics: F. N. Fritsch, J. Butland, A method for constructing local monotone piecewise cubic
 * interpolants, SIAM J. Sci. Stat. Comput. 5 (1984); at the ends with three points, limited in the same way. */
#include "expr/internal.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST_KNOTS = 1 << 28 };

typedef struct table_knot {
  double x, y;
  double slope; /* of the line that begins here, or of the cubics here */
} table_knot;

struct picus_table {
  picus_context *context;
  atomic_int users;
  uint64_t sum; /* of its knots and its kind */
  picus_table_kind kind;
  bool fails; /* it has no value outside */
  int count;
  table_knot *knots;
  double bins_per_x; /* 0: one bin */
  int bin_count;
  int32_t *before; /* bin_count + 1: knots in earlier bins */
};

/* --- pieces and zones --------------------------------------------------------------------------------------------- */

/* Not decreasing in x, so that a bin has consecutive knots. x is not below the first knot. */
static int bin_of(const picus_table *t, double x) {
  const double place = (x - t->knots[0].x) * t->bins_per_x;
  return place < t->bin_count - 1 ? (int)place : t->bin_count - 1;
}

/* The number of knots that are not above x. */
static int piece_of(const picus_table *t, double x) {
  if (!(x >= t->knots[0].x)) return 0;
  if (x >= t->knots[t->count - 1].x) return t->fails && x == t->knots[t->count - 1].x ? t->count - 1 : t->count;
  const int bin = bin_of(t, x);
  int low = t->before[bin], high = t->before[bin + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (t->knots[middle].x <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int zone_count(const picus_table *t) { return t->kind == PICUS_TABLE_LINEAR ? t->count + 1 : 3; }

static int zone_of_piece(const picus_table *t, int piece) {
  if (t->kind == PICUS_TABLE_LINEAR || piece == 0) return piece;
  return piece < t->count ? 1 : 2;
}

/* The piece of a zone in which x is, or to which it is nearest. */
static int piece_in_zone(const picus_table *t, double zone, double x) {
  const int last = zone_count(t) - 1, at = zone < last ? (int)zone : last;
  if (t->kind == PICUS_TABLE_LINEAR || at == 0) return at;
  if (at == 2) return t->count;
  const int piece = piece_of(t, x);
  return piece < 1 ? 1 : piece > t->count - 1 ? t->count - 1 : piece;
}

/* The knots at both ends of a zone; -1, count: it has none there. */
static void ends_of_zone(const picus_table *t, int zone, int ends[2]) {
  ends[0] = zone - 1;
  ends[1] = zone;
  if (t->kind == PICUS_TABLE_LINEAR || zone == 0) return;
  ends[0] = zone == 1 ? 0 : t->count - 1;
  ends[1] = zone == 1 ? t->count - 1 : t->count;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Positive in even zones, with the slope 1 or -1 at both ends. */
static double distance(const picus_table *t, int zone, double x) {
  int ends[2];
  ends_of_zone(t, zone, ends);
  double inside;
  if (ends[0] < 0)
    inside = t->knots[0].x - x;
  else if (ends[1] >= t->count)
    inside = x - t->knots[t->count - 1].x;
  else {
    const double low = t->knots[ends[0]].x, high = t->knots[ends[1]].x;
    inside = (x - low) * ((high - x) / (high - low));
  }
  return zone % 2 == 0 ? inside : -inside;
}

static double on_line(const table_knot *knot, double x, int order) {
  if (order == 0) return knot->y + (x - knot->x) * knot->slope;
  return order == 1 ? knot->slope : 0;
}

static double on_cubic(const table_knot *knot, double x, int order) {
  const double width = knot[1].x - knot[0].x, rise = (knot[1].y - knot[0].y) / width, d = x - knot[0].x;
  const double second = (3 * rise - 2 * knot[0].slope - knot[1].slope) / width;
  const double third = (knot[0].slope + knot[1].slope - 2 * rise) / width / width;
  switch (order) {
  case 0:
    return knot[0].y + d * (knot[0].slope + d * (second + d * third));
  case 1:
    return knot[0].slope + d * (2 * second + 3 * d * third);
  case 2:
    return 2 * second + 6 * d * third;
  default:
    return 6 * third;
  }
}

double picus_table_at(const picus_table *const *tables, double x, double zone, double code) {
  const picus_table *t = tables[(int)code / PICUS_TABLE_ORDERS];
  const int order = (int)code % PICUS_TABLE_ORDERS;
  if (isnan(x)) return x;
  const int piece = zone > 0 ? piece_in_zone(t, zone - 1, x) : piece_of(t, x);
  if (order == PICUS_TABLE_DISTANCE) return distance(t, zone_of_piece(t, piece), x);
  if (piece == 0 || piece == t->count) {
    if (t->fails) return NAN;
    return order > 0 ? 0 : t->knots[piece == 0 ? 0 : t->count - 1].y;
  }
  const table_knot *knot = &t->knots[piece - 1];
  return t->kind == PICUS_TABLE_LINEAR ? on_line(knot, x, order) : on_cubic(knot, x, order);
}

int picus_table_zone(const picus_table *t, double x) { return zone_of_piece(t, piece_of(t, x)); }

int picus_table_zone_beside(const picus_table *t, int zone, double x) {
  int ends[2];
  ends_of_zone(t, zone, ends);
  if (ends[0] < 0) return zone + 1;
  if (ends[1] >= t->count) return zone - 1;
  return x - t->knots[ends[0]].x < t->knots[ends[1]].x - x ? zone - 1 : zone + 1;
}

bool picus_table_touches(const picus_table *t, int zone, double x) {
  int ends[2];
  ends_of_zone(t, zone, ends);
  return (ends[0] >= 0 && t->knots[ends[0]].x == x) || (ends[1] < t->count && t->knots[ends[1]].x == x);
}

int picus_table_kink_count(const picus_table *t) { return zone_count(t) - 1; }

double picus_table_kink(const picus_table *t, int index) {
  return t->knots[t->kind == PICUS_TABLE_LINEAR || index == 0 ? index : t->count - 1].x;
}

uint64_t picus_table_sum(const picus_table *t) { return t->sum; }
int picus_table_degree(const picus_table *t) { return t->kind == PICUS_TABLE_LINEAR ? 1 : 3; }

/* --- creation ----------------------------------------------------------------------------------------------------- */

static picus_status check(picus_context *context, const picus_table_def *def) {
  const char *name = def->name ? def->name : "a table";
  if (def->count < 2 || def->count > MOST_KNOTS || !def->x || !def->y)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "%s has %d points; it must have at least 2%s", name, def->count,
                      def->count > MOST_KNOTS ? " and at most 2^28" : "");
  if (def->kind != PICUS_TABLE_LINEAR && def->kind != PICUS_TABLE_CUBIC)
    return picus_fail(context, PICUS_ERROR_ARGUMENT, "%s has the unknown kind %d", name, (int)def->kind);
  for (int i = 0; i < def->count; i++) {
    if (!isfinite(def->x[i]) || !isfinite(def->y[i]))
      return picus_fail(context, PICUS_ERROR_NUMBER, "%s: point %d of %d, (%g, %g), is not finite", name, i + 1,
                        def->count, def->x[i], def->y[i]);
    if (i > 0 && !(def->x[i] > def->x[i - 1]))
      return picus_fail(context, PICUS_ERROR_ARGUMENT,
                        "%s: x must increase from point to point, but x = %.9g of point %d follows x = %.9g; sort the "
                        "points and remove double ones",
                        name, def->x[i], i + 1, def->x[i - 1]);
  }
  return PICUS_OK;
}

static double rise_of(const table_knot *k) { return (k[1].y - k[0].y) / (k[1].x - k[0].x); }

/* Of the cubics at an end, whose neighbours are `next` and `after` away. */
static double slope_at_end(const table_knot *first, const table_knot *second, double width, double width_after) {
  const double rise = rise_of(first), rise_after = rise_of(second);
  const double slope = ((2 * width + width_after) * rise - width * rise_after) / (width + width_after);
  if (slope * rise <= 0) return 0;
  return rise * rise_after <= 0 && fabs(slope) > 3 * fabs(rise) ? 3 * rise : slope;
}

static double slope_inside(const table_knot *k) {
  const double before = rise_of(k - 1), after = rise_of(k), left = k[0].x - k[-1].x, right = k[1].x - k[0].x;
  if (!(before * after > 0)) return 0;
  const double weight = 2 * right + left, other = right + 2 * left;
  return (weight + other) / (weight / before + other / after);
}

static void set_slopes(picus_table *t) {
  table_knot *k = t->knots;
  const int last = t->count - 1;
  for (int i = 0; i < last; i++) k[i].slope = rise_of(&k[i]);
  k[last].slope = t->kind == PICUS_TABLE_CUBIC ? k[last - 1].slope : 0;
  if (t->kind == PICUS_TABLE_LINEAR || last < 2) return;
  for (int i = 1; i < last; i++) k[i].slope = slope_inside(&k[i]);
  k[0].slope = slope_at_end(&k[0], &k[1], k[1].x - k[0].x, k[2].x - k[1].x);
  k[last].slope = slope_at_end(&k[last - 1], &k[last - 2], k[last].x - k[last - 1].x, k[last - 1].x - k[last - 2].x);
}

static void set_bins(picus_table *t) {
  t->bins_per_x = t->bin_count / (t->knots[t->count - 1].x - t->knots[0].x);
  if (!isfinite(t->bins_per_x)) t->bins_per_x = 0;
  for (int i = 0; i < t->count; i++) t->before[bin_of(t, t->knots[i].x) + 1]++;
  for (int b = 0; b < t->bin_count; b++) t->before[b + 1] += t->before[b];
}

static uint64_t sum_of(const picus_table *t) {
  uint64_t sum = picus_mix((uint64_t)t->kind * 2 + (t->fails ? 1 : 0) + 3);
  for (int i = 0; i < t->count; i++) {
    uint64_t bits[2];
    memcpy(&bits[0], &t->knots[i].x, sizeof bits[0]);
    memcpy(&bits[1], &t->knots[i].y, sizeof bits[1]);
    sum = picus_mix(sum + picus_mix(bits[0]) + UINT64_C(0x9E3779B97F4A7C15) * bits[1]);
  }
  return sum;
}

static picus_status fill(picus_table *t, const picus_table_def *def) {
  const size_t count = (size_t)def->count;
  t->knots = picus_allocate(t->context, count, sizeof *t->knots);
  t->before = picus_allocate(t->context, count + 1, sizeof *t->before);
  if (!t->knots || !t->before) return PICUS_ERROR_MEMORY;
  for (int i = 0; i < t->count; i++) t->knots[i] = (table_knot){.x = def->x[i] + 0.0, .y = def->y[i] + 0.0};
  set_slopes(t);
  for (int i = 0; i < t->count; i++)
    if (!isfinite(t->knots[i].slope))
      return picus_fail(t->context, PICUS_ERROR_NUMBER,
                        "%s: the slope at point %d, (%.9g, %.9g), is too large; use smaller numbers or wider intervals",
                        def->name ? def->name : "a table", i + 1, def->x[i], def->y[i]);
  set_bins(t);
  t->sum = sum_of(t);
  return PICUS_OK;
}

static void release(picus_table *t) {
  picus_release(t->context, t->knots);
  picus_release(t->context, t->before);
  picus_release(t->context, t);
}

static picus_status create(picus_context *context, const picus_table_def *def, picus_table **out) {
  *out = NULL;
  picus_status status = check(context, def);
  if (status) return status;
  picus_table *t = picus_allocate(context, 1, sizeof *t);
  if (!t) return PICUS_ERROR_MEMORY;
  *t = (picus_table){.context = context, .kind = def->kind, .fails = def->fail_outside, .count = def->count};
  t->bin_count = t->count;
  atomic_init(&t->users, 1);
  status = fill(t, def);
  if (status)
    release(t);
  else
    *out = t;
  return status;
}

/* --- lists of tables ---------------------------------------------------------------------------------------------- */

picus_status picus_tables_copy(picus_context *context, int count, picus_table *const *tables, picus_table ***out) {
  *out = NULL;
  if (count == 0) return PICUS_OK;
  *out = picus_allocate(context, (size_t)count, sizeof(picus_table *)); /* NOLINT(bugprone-sizeof-expression) */
  if (!*out) return PICUS_ERROR_MEMORY;
  for (int k = 0; k < count; k++) {
    (*out)[k] = tables[k];
    atomic_fetch_add(&tables[k]->users, 1);
  }
  return PICUS_OK;
}

void picus_tables_release(picus_context *context, int count, picus_table **tables) {
  for (int k = 0; k < count; k++)
    if (atomic_fetch_sub(&tables[k]->users, 1) == 1) release(tables[k]);
  picus_release(context, tables);
}

static bool is_same(const picus_table *a, const picus_table *b) {
  return a->sum == b->sum && a->kind == b->kind && a->fails == b->fails && a->count == b->count &&
         memcmp((const unsigned char *)a->knots, (const unsigned char *)b->knots,
                (size_t)a->count * sizeof *a->knots) == 0;
}

/* The number of the table in the pool, which takes it over: equal tables are stored once. */
static picus_status keep(picus_pool *pool, picus_table *table, int *number) {
  for (*number = 0; *number < pool->table_count; ++*number) {
    if (!is_same(pool->tables[*number], table)) continue;
    release(table);
    return PICUS_OK;
  }
  picus_status status =
      picus_grow(pool->context, &pool->tables, (size_t)pool->table_count, &pool->table_capacity, sizeof(void *));
  if (status)
    release(table);
  else
    pool->tables[pool->table_count++] = table;
  return status;
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

int32_t picus_make_table(picus_pool *pool, int32_t x, int32_t zone, int32_t code) {
  if (x < 0 || zone < 0 || code < 0) return PICUS_ID_INVALID;
  const double number = pool->nodes[code].value;
  const picus_table *table = pool->tables[(int)number / PICUS_TABLE_ORDERS];
  const int order = (int)number % PICUS_TABLE_ORDERS;
  if (order != PICUS_TABLE_DISTANCE && order > picus_table_degree(table)) return PICUS_ID_ZERO;
  if (!picus_is_number(pool, x) || !picus_is_number(pool, zone)) return picus_intern(pool, PICUS_TABLE, x, zone, code);
  const double at = pool->nodes[x].value;
  const double value = picus_table_at((const picus_table *const *)pool->tables, at, pool->nodes[zone].value, number);
  if (isfinite(value)) return picus_intern_number(pool, value);
  return picus_pool_fail(pool, PICUS_ERROR_NUMBER, "x = %.9g is outside of a table, which is defined from %.9g to %.9g",
                         at, table->knots[0].x, table->knots[table->count - 1].x);
}

int picus_table_order_at(const picus_pool *pool, int32_t id) {
  return (int)pool->nodes[picus_argument_at(pool, id, 2)].value % PICUS_TABLE_ORDERS;
}

const picus_table *picus_table_of(const picus_pool *pool, int32_t id) {
  return pool->tables[(int)pool->nodes[picus_argument_at(pool, id, 2)].value / PICUS_TABLE_ORDERS];
}

int32_t picus_table_derived(picus_pool *pool, int32_t id, int32_t dx) {
  const picus_node node = *picus_node_at(pool, id);
  if (dx == PICUS_ID_ZERO || picus_table_order_at(pool, id) >= picus_table_degree(picus_table_of(pool, id)))
    return PICUS_ID_ZERO;
  const int32_t code = picus_intern_number(pool, pool->nodes[node.argument[2]].value + 1);
  return picus_make_product(pool, picus_make_table(pool, node.argument[0], node.argument[1], code), dx);
}

int32_t picus_table_value_code(picus_pool *pool, int32_t id, int order) {
  const int code = (int)pool->nodes[picus_argument_at(pool, id, 2)].value;
  return picus_intern_number(pool, code - code % PICUS_TABLE_ORDERS + order);
}

picus_expr picus_expr_table(picus_pool *pool, const picus_table_def *table, picus_expr x) {
  picus_table *made;
  int number;
  if (!picus_pool_owns(pool, x.id)) return (picus_expr){PICUS_ID_INVALID};
  picus_status status = create(pool->context, table, &made);
  if (!status) status = keep(pool, made, &number);
  if (status == PICUS_ERROR_MEMORY) return (picus_expr){picus_pool_out_of_memory(pool)};
  if (status) {
    char reason[sizeof pool->message];
    const size_t length = strlen(picus_last_error(pool->context)->message);
    memcpy(reason, picus_last_error(pool->context)->message, length < sizeof reason ? length : sizeof reason - 1);
    reason[length < sizeof reason ? length : sizeof reason - 1] = '\0';
    return (picus_expr){picus_pool_fail(pool, status, "%s", reason)};
  }
  return (picus_expr){
      picus_make_table(pool, x.id, PICUS_ID_ZERO, picus_intern_number(pool, number * PICUS_TABLE_ORDERS))};
}

/* --- without tables ----------------------------------------------------------------------------------------------- */

enum { LINES_OF_CUBIC = 8, MOST_LINES = 4000 };

/* A ramp that begins at a place: max(0, x - place). */
static int32_t ramp(picus_pool *pool, int32_t x, double place) {
  const int32_t beyond = picus_make_sum(pool, x, -1, picus_make_number(pool, place));
  return picus_make_binary(pool, PICUS_MAX, PICUS_ID_ZERO, beyond);
}

int32_t picus_table_as_ramps(picus_pool *pool, int32_t id, int32_t x) {
  const picus_table *t = picus_table_of(pool, id);
  const double code = pool->nodes[picus_argument_at(pool, id, 2)].value;
  const picus_table *const *tables = (const picus_table *const *)pool->tables;
  const int parts = t->kind == PICUS_TABLE_LINEAR ? 1 : LINES_OF_CUBIC, lines = (t->count - 1) * parts;
  if (x < 0) return PICUS_ID_INVALID;
  if (lines > MOST_LINES)
    return picus_pool_fail(pool, PICUS_ERROR_UNSUPPORTED,
                           "a drawing contains a table of %d points, which is more than it can show", t->count);
  double before = t->knots[0].x, y = picus_table_at(tables, before, 0, code), slope = 0;
  int32_t sum = picus_make_number(pool, y);
  for (int k = 1; k <= lines && sum >= 0; k++) {
    const table_knot *knot = &t->knots[(k - 1) / parts];
    const double at = k % parts == 0 ? knot[1].x : knot[0].x + (k % parts) * ((knot[1].x - knot[0].x) / parts);
    const double next = picus_table_at(tables, at, 1 + (t->kind == PICUS_TABLE_LINEAR ? k : 1), code);
    const double rise = (next - y) / (at - before);
    sum = picus_make_sum(pool, sum, 1, picus_make_scaled(pool, rise - slope, ramp(pool, x, before)));
    slope = rise;
    before = at;
    y = next;
  }
  if (sum < 0) return sum;
  return picus_make_sum(pool, sum, -1, picus_make_scaled(pool, slope, ramp(pool, x, before)));
}
