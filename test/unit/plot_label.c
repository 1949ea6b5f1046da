/* Markup of labels, and names of columns as symbols. */
#include "plot/internal.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

/* Runs as text: base runs plain, subscripts <...>, superscripts (...), with | in front where stacked. */
static const char *runs_of(const char *label) {
  static char text[2000];
  text[0] = '\0';
  picus_label_run run;
  for (picus_label_reader reader = picus_label_read(label); picus_label_next(&reader, &run);) {
    static const char *const open[] = {"", "<", "("}, *const close[] = {"", ">", ")"};
    if (run.stacked) strcat(text, "|");
    strcat(text, open[run.script]);
    strcat(text, run.text);
    strcat(text, close[run.script]);
  }
  return text;
}

static void scripts(void) {
  CHECK_TEXT(runs_of("plain text"), "plain text");
  CHECK_TEXT(runs_of(""), "");
  CHECK_TEXT(runs_of("φ_S (rad)"), "φ<S> (rad)");
  CHECK_TEXT(runs_of("g_{beak} (m)"), "g<beak> (m)");
  CHECK_TEXT(runs_of("m/s^2"), "m/s(2)");
  CHECK_TEXT(runs_of("10^{−3}"), "10(−3)");
  CHECK_TEXT(runs_of("u_φ!"), "u<φ>!");
  CHECK_TEXT(runs_of("_a"), "<a>");
}

static void stacked_scripts(void) {
  CHECK_TEXT(runs_of("x_1^2"), "x<1>|(2)");
  CHECK_TEXT(runs_of("x^{ab}_{cd} e"), "x(ab)|<cd> e");
  CHECK_TEXT(runs_of("x_1_2"), "x<1><2>");
  CHECK_TEXT(runs_of("x_1 ^2"), "x<1> (2)");
}

static void escapes_and_leftovers(void) {
  CHECK_TEXT(runs_of("a\\_b\\^c\\{d\\}\\\\e"), "a_b^c{d}\\e");
  CHECK_TEXT(runs_of("a\\b"), "a\\b");
  CHECK_TEXT(runs_of("end\\"), "end\\");
  CHECK_TEXT(runs_of("end_"), "end_");
  CHECK_TEXT(runs_of("^"), "^");
  CHECK_TEXT(runs_of("x_{open"), "x<open>");
  CHECK_TEXT(runs_of("x_{}y"), "xy");
  CHECK_TEXT(runs_of("x_{"), "x");
  CHECK_TEXT(runs_of("{a}"), "{a}");
  CHECK_TEXT(runs_of("a_{b_c}"), "a<b_c>");
  CHECK_TEXT(runs_of("a_\\_b"), "a<_>b");
}

static void wrong_bytes_become_replacement_characters(void) {
  CHECK_TEXT(runs_of("a\xFF"
                     "b"),
             "a\xEF\xBF\xBD"
             "b");
  CHECK_TEXT(runs_of("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                 /* overlong */
  CHECK_TEXT(runs_of("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); /* surrogate */
  CHECK_TEXT(runs_of("\xE2\x88"), "\xEF\xBF\xBD\xEF\xBF\xBD");                 /* cut off */
  CHECK_TEXT(runs_of("\xF4\x90\x80\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK_TEXT(runs_of("a\nb\tc"), "a b c");
}

/* Whatever the bytes: runs are valid UTF-8, never empty, and the reader ends. */
static void random_bytes(void) {
  test_random random = {3};
  for (int trial = 0; trial < 50000; trial++) {
    char label[40];
    int length = test_integer(&random, 0, 39);
    for (int i = 0; i < length; i++) {
      static const char likely[] = "_^{}\\ab";
      bool mark = test_integer(&random, 0, 1);
      label[i] = mark ? likely[test_integer(&random, 0, 6)] : (char)test_integer(&random, 1, 255);
    }
    label[length] = '\0';
    picus_label_run run;
    int runs = 0;
    for (picus_label_reader reader = picus_label_read(label); picus_label_next(&reader, &run); runs++) {
      REQUIRE(runs < 50);
      REQUIRE(run.text[0]);
      REQUIRE(strlen(run.text) < sizeof run.text);
      char character[5];
      size_t taken;
      for (const char *c = run.text; (taken = picus_label_character(c, character)) > 0; c += taken)
        REQUIRE(taken == strlen(character) && strncmp(c, character, taken) == 0);
    }
  }
}

static void long_stretches_come_in_several_runs(void) {
  char label[1001] = "";
  for (int i = 0; i < 500; i++) strcat(label, "φ");
  CHECK_TEXT(runs_of(label), label);
  picus_label_run run;
  picus_label_reader reader = picus_label_read(label);
  CHECK(picus_label_next(&reader, &run) && run.first);
  CHECK(picus_label_next(&reader, &run) && !run.first);
}

static void symbols(void) {
  static const char *const table[][2] = {{"phiS", "φ_S"},
                                         {"omegaM", "ω_M"},
                                         {"theta1", "θ_1"},
                                         {"vx", "v_x"},
                                         {"uphi", "u_φ"},
                                         {"beak.gap", "g_{beak}"},
                                         {"beak.vN", "v_{N,beak}"},
                                         {"lower.PN", "P_{N,lower}"},
                                         {"lower.lambdaN+", "λ^+_{N,lower}"},
                                         {"rod.lambda-", "λ^-_{rod}"},
                                         {"wall.LambdaF1", "Λ_{F1,wall}"},
                                         {"a.PF2", "P_{F2,a}"},
                                         {"E.kin", "E_{kin}"},
                                         {"dt", "Δt"},
                                         {"t", "t"},
                                         {"y", "y"},
                                         {"omega", "ω"},
                                         {"gamma", "γ"},
                                         {"q12", "q_{12}"},
                                         {"phiM0", "φ_{M0}"},
                                         {"x_free", "x_{free}"},
                                         {"eN1", "e_{N1}"},
                                         {"JM", "J_M"},
                                         {"theta_max", "θ_{max}"},
                                         {"beta", "β"},
                                         {"Omega2", "Ω_2"},
                                         {"vz0", "v_{z0}"},
                                         {"p0", "p_0"},
                                         {"wx", "w_x"},
                                         {"lambda", "λ"},
                                         {"phi3", "φ_3"}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    char symbol[64];
    picus_figure_symbol(table[i][0], sizeof symbol, symbol);
    CHECK_TEXT(symbol, table[i][1]);
  }
}

static void unknown_names_stay(void) {
  static const char *const table[][2] = {{"height", "height"},
                                         {"pitch", "pitch"},
                                         {"number", "number"},
                                         {"energy", "energy"},
                                         {"order", "order"},
                                         {"beak.mode", "beak.mode"},
                                         {"", ""},
                                         {"my_speed", "my\\_speed"},
                                         {".gap", ".gap"},
                                         {"a.b.c", "a.b.c"},
                                         {"ID", "ID"},
                                         {"dphi", "dphi"},
                                         {"step size", "step size"},
                                         {"1st", "1st"},
                                         {"Weg", "Weg"},
                                         {"a{b}^c", "a\\{b\\}\\^c"}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    char symbol[64];
    picus_figure_symbol(table[i][0], sizeof symbol, symbol);
    CHECK_TEXT(symbol, table[i][1]);
  }
}

static void units_and_small_buffers(void) {
  char label[64];
  picus_figure_symbol_with_unit("phiS", "rad", sizeof label, label);
  CHECK_TEXT(label, "φ_S (rad)");
  picus_figure_symbol_with_unit("vx", "", sizeof label, label);
  CHECK_TEXT(label, "v_x");
  picus_figure_symbol_with_unit("vx", NULL, sizeof label, label);
  CHECK_TEXT(label, "v_x");
  picus_figure_symbol_with_unit("ax", "m/s^2", sizeof label, label);
  CHECK_TEXT(label, "a_x (m/s^2)");
  for (size_t size = 0; size < 16; size++) {
    char guarded[20];
    memset(guarded, '#', sizeof guarded);
    picus_figure_symbol_with_unit("phiS", "rad", size, guarded);
    for (size_t i = size; i < sizeof guarded; i++) CHECK(guarded[i] == '#');
    if (size == 0) continue;
    CHECK(strlen(guarded) < size);
    CHECK(strncmp(guarded, "φ_S (rad)", strlen(guarded)) == 0);
    CHECK(!strstr(guarded, "\xCF") || strstr(guarded, "φ")); /* no half letter */
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"scripts", scripts},
      {"stacked_scripts", stacked_scripts},
      {"escapes_and_leftovers", escapes_and_leftovers},
      {"wrong_bytes_become_replacement_characters", wrong_bytes_become_replacement_characters},
      {"random_bytes", random_bytes},
      {"long_stretches_come_in_several_runs", long_stretches_come_in_several_runs},
      {"symbols", symbols},
      {"unknown_names_stay", unknown_names_stay},
      {"units_and_small_buffers", units_and_small_buffers},
  };
  return test_main(argc, argv, "plot_label", cases, sizeof cases / sizeof cases[0]);
}
