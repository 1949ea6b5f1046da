/* Branches of orbits: lines whose style is the stability, and special orbits by name; and their multipliers. */
#include "plot_panels.h"

#include "base/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = PLOT_LABEL, MOST_KINDS = 32, FIRST_COLOUR = 1, GREY = 6, CORNERS = 360 };

typedef struct branch_data {
  const double *x, *y, *stable, *kind;
  const double *doublings; /* NULL: there is no such column */
  size_t count;
} branch_data;

static bool read_column(plot_source *source, const char *name, const double **values) {
  int column;
  return plot_source_find(source, name, &column) && plot_source_values(source, column, PLOT_PERCUSSION, values);
}

/* Does the line from row i to the next one belong to one branch? */
static bool is_joined(const branch_data *b, size_t i) {
  return i + 1 < b->count && b->kind[i + 1] != PICUS_ORBIT_START &&
         (!b->doublings || b->doublings[i] == b->doublings[i + 1]);
}

/* Stability is that of regular orbits: a special one may be the end of a stable and of an unstable part. */
static bool is_stable_between(const branch_data *b, size_t i) {
  bool all = true, regular = true, has_regular = false;
  for (size_t k = i; k <= i + 1; k++) {
    all = all && b->stable[k] != 0;
    if (b->kind[k] > PICUS_ORBIT_END) continue;
    has_regular = true;
    regular = regular && b->stable[k] != 0;
  }
  return has_regular ? regular : all;
}

/* The stable parts, or the others. */
static bool add_line(plot_drawing *d, const branch_data *b, bool is_stable, int panel) {
  double *x = plot_keep(d, 3 * b->count), *y = x ? plot_keep(d, 3 * b->count) : NULL;
  size_t used = 0;
  bool is_open = false;
  if (!y) return false;
  for (size_t i = 0; i + 1 < b->count; i++) {
    const bool is_wanted = is_joined(b, i) && is_stable_between(b, i) == is_stable;
    if (!is_wanted) {
      if (is_open) x[used] = y[used] = NAN, used++;
      is_open = false;
      continue;
    }
    if (!is_open) x[used] = b->x[i], y[used++] = b->y[i];
    x[used] = b->x[i + 1];
    y[used++] = b->y[i + 1];
    is_open = true;
  }
  if (used == 0) return true;
  picus_series_def line = picus_default_series_def();
  line.label = is_stable ? "stable" : "unstable";
  line.x = x;
  line.y = y;
  line.count = used;
  line.colour = 0;
  line.dashing = is_stable ? PICUS_DASHES_NONE : PICUS_DASHES_ALWAYS;
  return plot_report(d, picus_figure_add_series(d->figure, panel, &line));
}

/* The orbits of a kind, if there are any; *colour is that of the next one. */
static bool add_kind(plot_drawing *d, const branch_data *b, int kind, int *colour, int panel) {
  size_t used = 0, count = 0;
  for (size_t i = 0; i < b->count; i++) count += b->kind[i] == kind;
  if (count == 0) return true;
  double *x = plot_keep(d, count), *y = x ? plot_keep(d, count) : NULL;
  if (!y) return false;
  for (size_t i = 0; i < b->count; i++)
    if (b->kind[i] == kind) x[used] = b->x[i], y[used++] = b->y[i];
  picus_series_def points = picus_default_series_def();
  points.label = picus_orbit_kind_name(kind);
  points.x = x;
  points.y = y;
  points.count = count;
  points.style = PICUS_SERIES_POINTS;
  points.colour = (*colour)++;
  return plot_report(d, picus_figure_add_series(d->figure, panel, &points));
}

static bool add_branch(plot_drawing *d, plot_source *source, const char *x_name, const char *y_name, int panel) {
  branch_data b = {.count = source->count};
  int column, colour = FIRST_COLOUR;
  if (!read_column(source, x_name, &b.x) || !read_column(source, y_name, &b.y) ||
      !read_column(source, "stable", &b.stable) || !read_column(source, "kind", &b.kind))
    return false;
  for (column = 0; column < plot_source_column_count(source); column++)
    if (strcmp(plot_source_column(source, column).name, "doublings") == 0)
      (void)plot_source_values(source, column, PLOT_PERCUSSION, &b.doublings);
  bool fine = add_line(d, &b, true, panel) && add_line(d, &b, false, panel);
  for (int kind = PICUS_ORBIT_FOLD; fine && kind < MOST_KINDS && picus_orbit_kind_name(kind); kind++)
    fine = add_kind(d, &b, kind, &colour, panel);
  return fine;
}

bool plot_draw_branch(plot_drawing *d) {
  const cli_arguments *a = d->arguments;
  const char *x = cli_value(a, "x", 0);
  bool fine = true;
  if (!x || cli_operand_count(a) == d->source_count) {
    cli_complain("--branch takes --x and columns: picus plot BRANCH.csv Y --x PARAMETER --branch");
    return false;
  }
  for (int k = d->source_count; fine && k < cli_operand_count(a); k++) {
    char labels[2][LABEL];
    const char *names[2] = {x, cli_operand(a, k)};
    int column = 0, panel = 0;
    for (int i = 0; i < 2; i++) {
      if (!plot_source_find(&d->sources[0], names[i], &column)) return false;
      const picus_column found = plot_source_column(&d->sources[0], column);
      plot_axis_label(d, &found, labels[i], LABEL);
    }
    picus_panel_def def = picus_default_panel_def();
    def.x.label = labels[0];
    def.y.label = labels[1];
    fine = plot_report(d, picus_figure_add_panel(d->figure, &def, &panel));
    for (int s = 0; fine && s < d->source_count; s++) fine = add_branch(d, &d->sources[s], x, names[1], panel);
  }
  return fine;
}

/* --- multipliers -------------------------------------------------------------------------------------------------- */

/* re1, im1, re2, ... */
bool plot_is_multiplier(const char *name) {
  return (strncmp(name, "re", 2) == 0 || strncmp(name, "im", 2) == 0) && name[2] != '\0' &&
         strspn(name + 2, "0123456789") == strlen(name + 2);
}

static const double *find_values(plot_source *source, const char *name) {
  const double *values;
  for (int column = 0; column < plot_source_column_count(source); column++)
    if (strcmp(plot_source_column(source, column).name, name) == 0)
      return plot_source_values(source, column, PLOT_PERCUSSION, &values) ? values : NULL;
  return NULL;
}

/* Multipliers inside of the circle or on it, and those outside, which are of unstable orbits. */
typedef struct multiplier_list {
  double *x[2], *y[2];
  size_t used[2];
  double largest; /* size of a part */
} multiplier_list;

static bool take_multipliers(plot_drawing *d, plot_source *source, multiplier_list *list) {
  const double on_circle = 1 + 1e-6, most = 5; /* larger ones are left out: those of a grazing orbit are infinite */
  const size_t room = (size_t)plot_source_column_count(source) / 2 * source->count;
  *list = (multiplier_list){.largest = 0};
  for (int side = 0; side < 2; side++)
    if (!(list->x[side] = plot_keep(d, room)) || !(list->y[side] = plot_keep(d, room))) return false;
  for (int k = 1;; k++) {
    char names[2][16];
    snprintf(names[0], sizeof names[0], "re%d", k);
    snprintf(names[1], sizeof names[1], "im%d", k);
    const double *re = find_values(source, names[0]), *im = find_values(source, names[1]);
    if (!re || !im) break;
    for (size_t i = 0; i < source->count; i++) {
      const double size = fmax(fabs(re[i]), fabs(im[i]));
      const int side = !(hypot(re[i], im[i]) <= on_circle);
      if (!(size < most)) continue;
      list->x[side][list->used[side]] = re[i];
      list->y[side][list->used[side]++] = im[i];
      list->largest = fmax(list->largest, size);
    }
  }
  if (list->used[0] + list->used[1] > 0) return true;
  cli_complain("'%s' has no multipliers, which are columns re1, im1, re2, ... of a branch", source->path);
  return false;
}

static bool add_circle(plot_drawing *d, int panel) {
  double *x = plot_keep(d, CORNERS + 1), *y = x ? plot_keep(d, CORNERS + 1) : NULL;
  if (!y) return false;
  for (int k = 0; k <= CORNERS; k++) {
    x[k] = cos(k * 6.283185307179586 / CORNERS);
    y[k] = sin(k * 6.283185307179586 / CORNERS);
  }
  picus_series_def circle = picus_default_series_def();
  circle.x = x;
  circle.y = y;
  circle.count = CORNERS + 1;
  circle.colour = GREY;
  circle.dashing = PICUS_DASHES_NONE;
  return plot_report(d, picus_figure_add_series(d->figure, panel, &circle));
}

static bool draw_multipliers_of(plot_drawing *d, plot_source *source) {
  static const char *const labels[] = {"inside or on the circle", "outside"};
  multiplier_list list;
  int panel = 0;
  if (!take_multipliers(d, source, &list)) return false;
  picus_panel_def def = picus_default_panel_def();
  def.x.label = "real part";
  def.y.label = "imaginary part";
  def.equal_aspect = true;
  def.x.high = def.y.high = fmax(1.15, 1.05 * list.largest);
  def.x.low = def.y.low = -def.x.high;
  bool fine = plot_report(d, picus_figure_add_panel(d->figure, &def, &panel)) && add_circle(d, panel);
  for (int side = 0; fine && side < 2; side++) {
    if (list.used[side] == 0) continue;
    picus_series_def points = picus_default_series_def();
    points.label = labels[side];
    points.x = list.x[side];
    points.y = list.y[side];
    points.count = list.used[side];
    points.style = PICUS_SERIES_POINTS;
    points.colour = side;
    fine = plot_report(d, picus_figure_add_series(d->figure, panel, &points));
  }
  return fine;
}

bool plot_draw_multipliers(plot_drawing *d) {
  bool fine = true;
  if (cli_operand_count(d->arguments) > d->source_count) {
    cli_complain("--multipliers takes no columns: picus plot BRANCH.csv --multipliers");
    return false;
  }
  for (int s = 0; fine && s < d->source_count; s++) fine = draw_multipliers_of(d, &d->sources[s]);
  return fine;
}
