/* picus plot: figures of results and tables. Without columns: the default figure of the model. */
#include "cli/cli.h"
#include "cli/paths.h"
#include "pictures.h"
#include "plot_panels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"x", "COLUMN", "column for the x axis; default t, for a table its first column", false},
    {"section", NULL, "of the HDF5 file of a study: the states of its section instead of its points", false},
    {"out", "F.png",
     "figure file: .png, .svg or .pdf; .html: a page with the numbers of each point, and the command of its run; "
     "default: name of the first result with .png",
     false},
    {"label", "TEXT", "legend text of a result, in the order of the results", true},
    {"from", "X", "start of the time axis in s", false},
    {"to", "X", "end of the time axis in s", false},
    {"together", NULL, "all columns in one panel, regardless of their units", false},
    {"apart", "WHAT", "one panel per column (columns) or per result (results)", true},
    {"log", "AXES", "logarithmic axes: x, y or xy", false},
    {"slope", "P", "with --log xy: dashed line proportional to x^P", false},
    {"points", NULL, "mark every row by a point; tables beside results: points alone, for their rows only", false},
    {"bars", NULL, "columns NAME.unilateral and NAME.friction as bars: black while the law is a constraint, else grey",
     false},
    {"dots", NULL, "points without lines, for sections and samples: the more there are, the smaller they are", false},
    {"density", NULL, "the same as a picture, darker where more points lie: for diagrams of 10^5 points and more",
     false},
    {"map", "Z", "with --x X and one column Y: column Z as the colour of cells over X and Y, such as basins", false},
    {"modes", NULL, "modes of laws over time as bars: black sticks or is closed, grey slips; without Y: all laws",
     false},
    {"branch", NULL, "orbits of picus branch: solid lines are stable, dashed ones unstable, special orbits have names",
     false},
    {"multipliers", NULL,
     "multipliers of the orbits of picus branch (columns re1, im1, ...) in the complex plane, with the unit circle",
     false},
    {"switches", NULL, "mark the switching points of the event log by black dots", false},
    {"forces", NULL, "mean forces: percussions divided by the time between rows", false},
    {"impacts", "WHAT",
     "joined (default) or separate: forces without the rows that have an impact, and the percussions of these rows in "
     "a panel of their own",
     false},
    {"events", "NAME", "vertical lines at the events of a law or of the model, or at all impacts", true},
    {"range", "Y=LOW:HIGH", "range of the y axis of the panels with this column; either end may be missing", true},
    {"at", "T", "the drawing of the model at this time, with contact points and forces coloured by mode", false},
    {"show", "WHAT",
     "with --at: arrows (default), chains (forces as lines between bodies), slope (of a pile) or distribution (of the "
     "forces)",
     false},
    {"columns", "N", "number of panels per row; default from their number", false},
    {"pixels", "N", "width of a PNG in pixels; default 1600", false},
    {"title", "TEXT", "title of the figure", false},
};

static const char *const examples[] = {
    "picus plot woodpecker.h5",
    "the default figure of the model",
    "picus plot woodpecker.h5 y phiM beak.gap",
    "time series, one panel per unit",
    "picus plot woodpecker.h5 omegaS --x phiS --out cycle.pdf",
    "a phase portrait for a paper",
    "picus plot coarse.h5 fine.h5 y --label 'dt = 1e-3' --label 'dt = 1e-5'",
    "two runs in one panel",
    "picus plot errors.csv jean combined --x dt --log xy --slope 1 --points",
    "a convergence study from a table",
    "picus plot woodpecker.h5 omegaS beak.unilateral beak.friction --bars --switches",
    "the modes of a contact as bars, and its switching points",
    "picus plot woodpecker.h5 lower.PN --impacts separate --events beak --range lower.PN=0:1",
    "forces and impulses of a contact, with the events of another one",
    "picus plot tower.h5 --at 0.5 --out tower.svg",
    "the scene at a time, with the forces of its contacts",
    "picus plot hopper.h5 --at 0.5 --show chains",
    "the chains of forces in a pile",
    "picus plot impacts.csv v --x omega --density",
    "a bifurcation diagram of very many points",
    "picus plot basins.csv omega0 --x theta0 --map impacts",
    "a map: which motion each initial state leads to",
    "picus plot sigma.csv period --x sigma --branch",
    "a branch of orbits, stable and unstable, with its special orbits",
    "picus plot sigma.csv --multipliers",
    "the multipliers of its orbits and the unit circle",
    "picus plot woodpecker.h5 --modes",
    "which contact is open, sticks or slips",
    "picus plot tower.h5 contacts.coordination contacts.overlap",
    "contacts per body, and the deepest overlap, over time",
    NULL};

/* RESULT.h5 -> RESULT.png, also for RESULT.h5.part */
static char *default_figure(const cli_arguments *a) {
  const char *result = cli_operand(a, 0);
  size_t length = plot_source_name_length(result);
  char *path = malloc(length + sizeof ".png");
  if (path) {
    memcpy(path, result, length);
    strcpy(path + length, ".png");
  }
  return path;
}

/* The number of operands that are results: the first, and the following ones with the name of a file. */
static int count_sources(const cli_arguments *a) {
  int count = 1;
  while (count < cli_operand_count(a) && plot_source_is_file(cli_operand(a, count))) count++;
  return count;
}

/* Does the command line name this column? */
static bool is_named(const void *user, const char *name, int column) {
  const cli_arguments *a = user;
  (void)column;
  if (cli_given(a, "x") && strcmp(cli_value(a, "x", 0), name) == 0) return true;
  if (cli_given(a, "map") && strcmp(cli_value(a, "map", 0), name) == 0) return true;
  if (cli_given(a, "branch") &&
      (strcmp(name, "stable") == 0 || strcmp(name, "kind") == 0 || strcmp(name, "doublings") == 0))
    return true;
  if (cli_given(a, "multipliers") && plot_is_multiplier(name)) return true;
  for (int k = 1; k < cli_operand_count(a); k++)
    if (strcmp(cli_operand(a, k), name) == 0) return true;
  return false;
}

static bool open_sources(plot_drawing *d) {
  const cli_arguments *a = d->arguments;
  int count = count_sources(a);
  double from = -INFINITY, to = INFINITY;
  if (cli_value(a, "label", count)) {
    cli_complain("more labels than results, starting with '%s'; give at most one --label per result",
                 cli_value(a, "label", count));
    return false;
  }
  if (cli_given(a, "x") && cli_operand_count(a) == count) {
    cli_complain("--x needs at least one column Y: picus plot RESULT.h5 Y --x X");
    return false;
  }
  if (!cli_number(a, "from", &from) || !cli_number(a, "to", &to)) return false;
  const cli_csv_filter named = {is_named, a};
  const bool is_page = cli_given(a, "out") && plot_is_page(cli_value(a, "out", 0)); /* shows all columns */
  d->sources = calloc((size_t)count, sizeof *d->sources);
  bool fine = d->sources != NULL;
  if (!fine) cli_complain("out of memory");
  for (int i = 0; fine && i < count; i++) {
    fine = plot_source_open(d->context, cli_operand(a, i), cli_value(a, "label", i), cli_given(a, "section"),
                            is_page ? NULL : &named, &d->sources[i]);
    d->source_count = i + 1;
    fine = fine && plot_source_choose_rows(&d->sources[i], from, to);
  }
  return fine;
}

static bool read_axes(plot_drawing *d) {
  const cli_arguments *a = d->arguments;
  const char *axes = cli_given(a, "log") ? cli_value(a, "log", 0) : "";
  d->log_x = strchr(axes, 'x') != NULL;
  d->log_y = strchr(axes, 'y') != NULL;
  if (strspn(axes, "xy") != strlen(axes) || (cli_given(a, "log") && !axes[0])) {
    cli_complain("--log takes x, y or xy, not '%s'", axes);
    return false;
  }
  if (cli_given(a, "slope") && !(d->log_x && d->log_y)) {
    cli_complain("--slope needs --log xy, as powers of x are straight lines on two logarithmic axes only");
    return false;
  }
  return cli_number(a, "slope", &d->slope);
}

static bool read_impacts(plot_drawing *d) {
  const cli_arguments *a = d->arguments;
  const char *what = cli_given(a, "impacts") ? cli_value(a, "impacts", 0) : "joined";
  d->separate = strcmp(what, "separate") == 0;
  d->reading = d->separate ? PLOT_SMOOTH_FORCE : cli_given(a, "forces") ? PLOT_FORCE : PLOT_PERCUSSION;
  if (!d->separate && strcmp(what, "joined") != 0)
    cli_complain("--impacts takes joined or separate, not '%s'", what);
  else if (d->separate && cli_given(a, "x"))
    cli_complain("--impacts separate draws over time; leave out --x");
  else
    return true;
  return false;
}

/* One end of a range; nothing: from the data. */
static bool read_end(const plot_drawing *d, const char *text, double *end) {
  *end = NAN;
  if (!text[0]) return true;
  *end = cli_number_of(d->context, text);
  return isfinite(*end);
}

/* Y=LOW:HIGH */
static bool read_range(plot_drawing *d, const char *text) {
  char copy[PLOT_LABEL];
  plot_range *range = &d->ranges[d->range_count];
  const bool fits = snprintf(copy, sizeof copy, "%s", text) < (int)sizeof copy;
  char *equals = fits ? strchr(copy, '=') : NULL, *colon = equals ? strchr(equals, ':') : NULL;
  if (equals && colon) {
    *equals = *colon = '\0';
    snprintf(range->name, sizeof range->name, "%s", copy);
    d->range_count++;
    if (copy[0] && read_end(d, equals + 1, &range->low) && read_end(d, colon + 1, &range->high) &&
        !(range->low >= range->high) && !(d->log_y && (range->low <= 0 || range->high <= 0)))
      return true;
  }
  cli_complain("--range takes Y=LOW:HIGH with the name of a column and numbers LOW < HIGH%s, not '%s'",
               d->log_y ? ", both positive on a logarithmic axis" : "", text);
  return false;
}

static bool read_ranges(plot_drawing *d) {
  const char *text;
  for (int k = 0; (text = cli_value(d->arguments, "range", k)) != NULL; k++) {
    if (k == PLOT_MOST_RANGES) {
      cli_complain("--range can be given %d times", PLOT_MOST_RANGES);
      return false;
    }
    if (!read_range(d, text)) return false;
  }
  return true;
}

static bool used_all_ranges(const plot_drawing *d) {
  for (int i = 0; i < d->range_count; i++) {
    if (d->ranges[i].used) continue;
    cli_complain("--range: no panel of the figure has a column '%s'", d->ranges[i].name);
    return false;
  }
  return true;
}

static bool read_apart(plot_drawing *d) {
  const char *what;
  for (int k = 0; (what = cli_value(d->arguments, "apart", k)) != NULL; k++) {
    if (strcmp(what, "columns") == 0)
      d->columns_apart = true;
    else if (strcmp(what, "results") == 0)
      d->results_apart = true;
    else {
      cli_complain("--apart takes columns or results, not '%s'", what);
      return false;
    }
  }
  return true;
}

static bool create_figure(plot_drawing *d) {
  const cli_arguments *a = d->arguments;
  picus_figure_def def = picus_default_figure_def();
  long columns = 0, pixels = 0;
  if (!cli_integer(a, "columns", &columns) || !cli_integer(a, "pixels", &pixels)) return false;
  if (columns < 0 || columns > 10 || pixels < 0 || pixels > 20000) {
    cli_complain("--columns takes 1 to 10, --pixels at most 20000");
    return false;
  }
  def.title = cli_value(a, "title", 0);
  def.columns = (int)columns;
  def.pixels = (int)pixels;
  if (columns > 0) def.arrangement = PICUS_FIGURE_GRID;
  return plot_report(d, picus_figure_create(d->context, &def, &d->figure));
}

/* Rows are marked on request; where tables stand beside results, those of the tables. */
static bool choose_points(plot_drawing *d) {
  int results = 0;
  for (int i = 0; i < d->source_count; i++) results += d->sources[i].result != NULL;
  if (d->switches && results == 0) {
    cli_complain("--switches needs a result with an event log; '%s' is a table", d->sources[0].path);
    return false;
  }
  d->points = cli_given(d->arguments, "points");
  d->density = cli_given(d->arguments, "density");
  d->dots = cli_given(d->arguments, "dots") || d->density;
  if (d->points && d->dots) {
    cli_complain("--points adds points to lines, --dots draws no lines; give one of them");
    return false;
  }
  d->tables_only = results > 0 && results < d->source_count;
  return true;
}

/* Reports points that a logarithmic axis cannot show. */
static void tell_ignored(const plot_drawing *d) {
  picus_figure_ignored ignored = picus_figure_ignored_values(d->figure);
  if (ignored.not_positive > 0)
    cli_fprint(stderr, "picus: %zu values are not positive and cannot be drawn on the logarithmic axis\n",
               ignored.not_positive);
}

static bool draw_panels(plot_drawing *d) {
  const cli_arguments *a = d->arguments;
  if (cli_given(a, "map")) return plot_draw_map(d);
  if (cli_given(a, "modes")) return plot_draw_modes(d);
  if (cli_given(a, "branch")) return plot_draw_branch(d);
  if (cli_given(a, "multipliers")) return plot_draw_multipliers(d);
  return cli_operand_count(a) > d->source_count ? plot_draw_columns(d) : plot_draw_default(d);
}

static int draw(const cli_arguments *a, picus_context *context, const char *path) {
  plot_drawing d = {.context = context,
                    .arguments = a,
                    .bars = cli_given(a, "bars"),
                    .switches = cli_given(a, "switches"),
                    .slope = NAN};
  int code = EXIT_WRONG_INPUT;
  const bool is_page = plot_is_page(path);
  if ((is_page || plot_report(&d, picus_figure_check_path(context, path))) && read_axes(&d) && read_impacts(&d) &&
      read_ranges(&d) && read_apart(&d) && open_sources(&d) && choose_points(&d) && create_figure(&d) &&
      (is_page ? plot_write_page(&d, path)
               : draw_panels(&d) && used_all_ranges(&d) && plot_report(&d, picus_figure_save(d.figure, path)))) {
    code = EXIT_DONE;
    tell_ignored(&d);
    cli_print("%s\n", path);
  }
  picus_figure_destroy(d.figure);
  for (int i = 0; i < d.source_count; i++) plot_source_close(&d.sources[i]);
  free(d.sources);
  plot_release_kept(&d);
  return code;
}

static int run(const cli_arguments *a) {
  picus_context *context = cli_context(false);
  if (!context) return EXIT_RUN_FAILED;
  if (cli_given(a, "show") && !cli_given(a, "at")) {
    cli_complain("--show needs --at T, the time of the scene");
    picus_context_destroy(context);
    return EXIT_WRONG_INPUT;
  }
  char *made = cli_given(a, "out") ? NULL : default_figure(a);
  const char *path = cli_given(a, "out") ? cli_value(a, "out", 0) : made;
  int code = !path ? EXIT_RUN_FAILED : cli_given(a, "at") ? cli_plot_scene(a, context, path) : draw(a, context, path);
  free(made);
  picus_context_destroy(context);
  return code;
}

const cli_command cli_plot = {
    .name = "plot",
    .operands = "RESULT.h5... [Y]...",
    .operands_least = 1,
    .operands_most = -1,
    .operand_kind = "result",
    .summary = "Draw columns of results",
    .description =
        "Draws the columns Y over time, columns with the same unit in one panel; with --x, phase portraits.\n"
        "Without columns it draws the default figure of the model. 'picus info' lists the columns. Several results\n"
        "are drawn in the same panels. Operands that end in .h5, .hdf5 or .csv are results, the others are columns.\n"
        "A .csv file is a table of numbers with a line of headings, NAME or NAME (UNIT).\n"
        "Laws with a mode have two more columns, NAME.unilateral and NAME.friction: 0 while the law acts as a\n"
        "constraint (closed, sticking), 1 while its force is prescribed (open or sliding). --bars draws them as bars.\n"
        "Results with detected contacts have three more columns: contacts.number, contacts.coordination (closed\n"
        "contacts per body, the mean of all bodies) and contacts.overlap (the deepest). With --at, the figure is "
        "the\n"
        "drawing of the model at the row nearest to that time; arrows are the mean forces of its row. In piles,\n"
        "--show chains draws normal forces as lines between the centres of bodies; the line width grows with the "
        "force;\n"
        "--show slope fits lines to the flanks of the pile and prints their angles; --show distribution draws the\n"
        "density of the normal forces over their mean.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .run = run,
    .default_what = "the figure",
    .default_path = default_figure};
