/* Words of a command become one text, as a shell reads it, and words again. */
#include "cli/cli.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool returns(int count, const char *const *words, const char *text) {
  int found = 0;
  char *joined = cli_join_words(count, words), **back = joined ? cli_split_words(joined, &found) : NULL;
  bool same = back && found == count && !back[found] && (!text || strcmp(joined, text) == 0);
  for (int k = 1; same && k < count; k++) same = strcmp(back[k], words[k]) == 0;
  if (!same) printf("  %s\n", joined ? joined : "out of memory");
  free(back);
  free(joined);
  return same;
}

static void words_are_quoted_if_they_must(void) {
  const char *plain[] = {"/usr/bin/picus", "run", "a_b-c.lua", "--set=x=1.5e-3"};
  const char *others[] = {"picus", "run", "my model.lua", "--columns", "y *", "it's", "", "a\\b"};
  CHECK(returns(4, plain, "picus run a_b-c.lua --set=x=1.5e-3"));
  CHECK(returns(8, others, "picus run 'my model.lua' --columns 'y *' 'it'\\''s' '' 'a\\b'"));
}

static void all_words_return(void) {
  test_random random = {3};
  for (int turn = 0; turn < 2000; turn++) {
    char texts[8][12];
    const char *words[8] = {"picus"};
    const int count = test_integer(&random, 1, 8);
    for (int k = 1; k < count; k++) {
      const int length = test_integer(&random, 0, 11);
      for (int i = 0; i < length; i++) texts[k][i] = " '\\\"$*\nab-="[test_integer(&random, 0, 10)];
      texts[k][length] = '\0';
      words[k] = texts[k];
    }
    if (!CHECK(returns(count, words, NULL))) return;
  }
}

/* Results of earlier versions have no quotes; an end within quotes is an end. */
static void other_texts_have_words(void) {
  int count = 0;
  char **words = cli_split_words("  picus run  a 'b c", &count);
  REQUIRE(words != NULL);
  CHECK(count == 4 && strcmp(words[2], "a") == 0 && strcmp(words[3], "b c") == 0);
  free(words);
  words = cli_split_words("", &count);
  CHECK(words && count == 0 && !words[0]);
  free(words);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {{"words_are_quoted_if_they_must", words_are_quoted_if_they_must},
                                    {"all_words_return", all_words_return},
                                    {"other_texts_have_words", other_texts_have_words}};
  return test_main(argc, argv, "command_words", cases, sizeof cases / sizeof *cases);
}
