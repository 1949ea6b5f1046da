/* Text made fit for a terminal. */
#include "base/printable.h"
#include "support/check.h"

#include <string.h>

static const char *shown(const char *text, bool keeps_lines) {
  static char out[256];
  size_t length = picus_printable(text, keeps_lines, out, sizeof out);
  CHECK(length == strlen(out));
  return out;
}

static void plain_text_stays(void) {
  static const char *const texts[] = {"",      "woodpecker",           "a\tb", "\xC3\xBC \xE2\x82\xAC \xF0\x9F\x90\xA6",
                                      "\\x1b", "\xEF\xBF\xBD \xC2\xA0"};
  for (int k = 0; k < 6; k++) CHECK_TEXT(shown(texts[k], false), texts[k]);
}

static void controls_are_shown(void) {
  CHECK_TEXT(shown("\x1b[31mred", false), "\\x1b[31mred");
  CHECK_TEXT(shown("\x07\x08\x7f\r", false), "\\x07\\x08\\x7f\\x0d");
  CHECK_TEXT(shown("a\nb", false), "a\\nb");
  CHECK_TEXT(shown("a\nb\tc\r", true), "a\nb\tc\\x0d");
  CHECK_TEXT(shown("\xC2\x9B"
                   "31m",
                   false),
             "\\xc2\\x9b31m"); /* CSI of C1 */
  CHECK_TEXT(shown("\xE2\x80\xAE"
                   "txt",
                   false),
             "\\xe2\\x80\\xaetxt"); /* right to left */
  CHECK_TEXT(shown("\xE2\x80\xA8\xEF\xBB\xBF", true), "\\xe2\\x80\\xa8\\xef\\xbb\\xbf");
}

static void bytes_that_are_no_characters_are_shown(void) {
  CHECK_TEXT(shown("\x9B"
                   "31m",
                   false),
             "\\x9b31m"); /* CSI of an 8-bit terminal */
  CHECK_TEXT(shown("\xC3", false), "\\xc3");
  CHECK_TEXT(shown("\xC0\x9B", false), "\\xc0\\x9b"); /* too long a form of ESC */
  CHECK_TEXT(shown("\xE0\x80\x9B", false), "\\xe0\\x80\\x9b");
  CHECK_TEXT(shown("\xED\xA0\x80", false), "\\xed\\xa0\\x80"); /* a surrogate */
  CHECK_TEXT(shown("\xF4\x90\x80\x80", false), "\\xf4\\x90\\x80\\x80");
  CHECK_TEXT(shown("\xE2\x82(", false), "\\xe2\\x82(");
  CHECK_TEXT(shown("\xFF\xFE", false), "\\xff\\xfe");
}

/* Whatever the room, the text ends, between characters, and no further byte is touched. */
static void room_is_respected(void) {
  const char *text = "\x1b\xC3\xBC\xE2\x82\xAC"
                     "abc\n";
  for (size_t size = 0; size < 24; size++) {
    char out[32];
    memset(out, '#', sizeof out);
    CHECK(picus_printable(text, false, out, size) == 4 + 2 + 3 + 3 + 2);
    for (size_t k = size; k < sizeof out; k++) CHECK(out[k] == '#');
    if (size > 0)
      CHECK(strlen(out) < size && strncmp(out,
                                          "\\x1b\xC3\xBC\xE2\x82\xAC"
                                          "abc\\n",
                                          strlen(out)) == 0);
    if (size == 6 || size == 9) CHECK(strlen(out) == (size == 6 ? 4 : 6));
  }
}

/* Random bytes: nothing is left that a terminal would act on. */
static void random_bytes(void) {
  test_random random = {7};
  for (int k = 0; k < 20000; k++) {
    char text[40], out[256];
    int length = test_integer(&random, 0, 38);
    for (int i = 0; i < length; i++) text[i] = (char)test_integer(&random, 1, 255);
    text[length] = '\0';
    picus_printable(text, false, out, sizeof out);
    for (const unsigned char *c = (const unsigned char *)out; *c; c++) {
      CHECK(*c >= 0x20 || *c == '\t');
      CHECK(*c != 0x7F && !(c[0] == 0xC2 && c[1] < 0xA0));
      if (*c >= 0x80 && *c < 0xA0) CHECK(c > (const unsigned char *)out && c[-1] >= 0x80); /* inside of a character */
    }
  }
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"plain_text_stays", plain_text_stays},
      {"controls_are_shown", controls_are_shown},
      {"bytes_that_are_no_characters_are_shown", bytes_that_are_no_characters_are_shown},
      {"room_is_respected", room_is_respected},
      {"random_bytes", random_bytes},
  };
  return test_main(argc, argv, "printable", cases, sizeof cases / sizeof cases[0]);
}
