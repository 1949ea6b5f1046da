#include "command_words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  return *word && word[strspn(word, plain)] == '\0';
}

/* A single quote within quotes: the quotes end, one follows behind a backslash, and they begin again. */
static char *append(char *to, const char *word) {
  const bool quotes = !is_plain(word);
  if (quotes) *to++ = '\'';
  for (; *word; word++) {
    if (*word == '\'') {
      memcpy(to, "'\\'", 3);
      to += 3;
    }
    *to++ = *word;
  }
  if (quotes) *to++ = '\'';
  return to;
}

char *cli_join_words(int count, const char *const *words) {
  size_t length = sizeof "picus";
  for (int i = 1; i < count; i++) length += 4 * strlen(words[i]) + 3;
  char *text = malloc(length), *end = text;
  if (!text) return NULL;
  end = append(end, "picus");
  for (int i = 1; i < count; i++) {
    *end++ = ' ';
    end = append(end, words[i]);
  }
  *end = '\0';
  return text;
}

/* Copies a word without its quotes; returns what follows it. */
static const char *take_word(const char *from, char **to) {
  bool is_quoted = false;
  for (; *from && (is_quoted || *from != ' '); from++) {
    if (*from == '\'')
      is_quoted = !is_quoted;
    else if (*from == '\\' && !is_quoted && from[1])
      *(*to)++ = *++from;
    else
      *(*to)++ = *from;
  }
  *(*to)++ = '\0';
  return from;
}

char **cli_split_words(const char *text, int *count) {
  const size_t length = strlen(text), most = length / 2 + 2; /* a word and its space, and NULL */
  char **words = calloc(most * sizeof *words + length + 1, 1);
  *count = 0;
  if (!words) return NULL;
  char *to = (char *)(words + most);
  for (const char *from = text + strspn(text, " "); *from; from += strspn(from, " ")) {
    words[(*count)++] = to;
    from = take_word(from, &to);
  }
  return words;
}
