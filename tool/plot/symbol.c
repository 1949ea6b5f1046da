/* Names of columns as the symbols a paper would use. */
#include "plot/characters.h"
#include "plot/figure.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *letter;
} greek[] = {{"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},  {"epsilon", "ε"}, {"zeta", "ζ"},
             {"eta", "η"},    {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},      {"nu", "ν"},
             {"xi", "ξ"},     {"pi", "π"},    {"rho", "ρ"},   {"sigma", "σ"},  {"tau", "τ"},     {"phi", "φ"},
             {"chi", "χ"},    {"psi", "ψ"},   {"omega", "ω"}, {"Gamma", "Γ"},  {"Delta", "Δ"},   {"Theta", "Θ"},
             {"Lambda", "Λ"}, {"Xi", "Ξ"},    {"Pi", "Π"},    {"Sigma", "Σ"},  {"Phi", "Φ"},     {"Psi", "Ψ"},
             {"Omega", "Ω"}};

/* Quantities of a contact: recorded as NAME.KEY. */
static const struct {
  const char *key, *symbol;
} contact_quantities[] = {{"gap", "g"},      {"vN", "v_{N,"},   {"vF", "v_{F,"},   {"vF1", "v_{F1,"},
                          {"vF2", "v_{F2,"}, {"vF3", "v_{F3,"}, {"PN", "P_{N,"},   {"PF", "P_{F,"},
                          {"PF1", "P_{F1,"}, {"PF2", "P_{F2,"}, {"PF3", "P_{F3,"}, {"P", "P"}};

/* Text written piece by piece into a buffer of fixed size, cut between characters. */
typedef struct writer {
  char *next;
  size_t room; /* with the final 0 */
} writer;

static void put(writer *out, const char *text) {
  char character[5];
  for (size_t taken; (taken = picus_label_character(text, character)) > 0; text += taken) {
    size_t length = strlen(character);
    if (length >= out->room) {
      out->room = out->room ? 1 : 0; /* full: nothing shorter may follow a cut text */
      return;
    }
    memcpy(out->next, character, length + 1);
    out->next += length;
    out->room -= length;
  }
}

static void put_escaped(writer *out, const char *text, size_t length) {
  for (size_t i = 0; i < length && text[i];) {
    char character[5];
    i += picus_label_character(text + i, character);
    if (strchr("_^{}\\", character[0])) put(out, "\\");
    put(out, character);
  }
}

/* The Greek letter whose name text starts with; *length is that of the name. The longest name counts. */
static const char *greek_letter(const char *text, size_t *length) {
  const char *letter = NULL;
  *length = 0;
  for (size_t i = 0; i < sizeof greek / sizeof greek[0]; i++) {
    size_t n = strlen(greek[i].name);
    if (n <= *length || strncmp(text, greek[i].name, n) != 0) continue;
    letter = greek[i].letter;
    *length = n;
  }
  return letter;
}

static bool all_digits(const char *text) { return text[0] && text[strspn(text, "0123456789")] == '\0'; }

/* Possible indices directly after a letter: digits, an axis, the capital letter of a body with digits. */
static bool is_index(const char *text) {
  if (all_digits(text)) return strlen(text) <= 3;
  if (strchr("xyz", text[0]) && text[0]) return text[1] == '\0' || all_digits(text + 1);
  return isupper((unsigned char)text[0]) && strlen(text) <= 3 && (text[1] == '\0' || all_digits(text + 1));
}

static void put_with_index(writer *out, const char *letter, const char *index) {
  char character[5];
  put(out, letter);
  put(out, "_");
  bool single = picus_label_character(index, character) == strlen(index);
  if (!single) put(out, "{");
  put_escaped(out, index, strlen(index));
  if (!single) put(out, "}");
}

/* letter + rest, where letter is a symbol; false if the rest is not an index. */
static bool put_letter_and_rest(writer *out, const char *letter, const char *rest) {
  size_t length;
  const char *second = greek_letter(rest, &length);
  if (rest[0] == '\0')
    put(out, letter);
  else if (rest[0] == '_' && rest[1])
    put_with_index(out, letter, rest + 1);
  else if (is_index(rest))
    put_with_index(out, letter, rest);
  else if (second && rest[length] == '\0' && !strchr("dD", letter[0]))
    put_with_index(out, letter, second);
  else
    return false;
  return true;
}

/* Two capitals are an abbreviation, unless the first one is the letter of a mechanical quantity. */
static bool starts_with_symbol(const char *name) {
  if (!isalpha((unsigned char)name[0])) return false;
  return !(isupper((unsigned char)name[0]) && isupper((unsigned char)name[1])) || strchr("EFJMPRW", name[0]);
}

/* Forces and impulses of a law: wall.lambdaN+ -> λ^+_{N,wall}, also lambdaF1-, LambdaN, lambda+ and so on. */
static bool put_force(writer *out, const char *name, const char *dot) {
  const char *key = dot + 1;
  const bool is_force = strncmp(key, "lambda", 6) == 0;
  if (!is_force && strncmp(key, "Lambda", 6) != 0) return false;
  const char *row = key + 6;
  const size_t length = strcspn(row, "+-"), rest = strlen(row) - length;
  const bool is_row = length == 0 || strcmp(row, "N") == 0 || (is_force && row[0] == 'N') || row[0] == 'F';
  if (!is_row || length > 2 || rest != (is_force ? 1 : 0)) return false;
  put(out, is_force ? "λ^" : "Λ");
  if (is_force) put(out, row + length);
  put(out, "_{");
  put_escaped(out, row, length);
  if (length > 0) put(out, ",");
  put_escaped(out, name, (size_t)(dot - name));
  put(out, "}");
  return true;
}

/* Percussions of a stage of rattle: wall.P1N -> P^1_{N,wall}, also P2F1, P1 and so on. */
static bool put_stage(writer *out, const char *name, const char *dot) {
  const char *key = dot + 1, *row = key + 2;
  if (key[0] != 'P' || (key[1] != '1' && key[1] != '2') || strlen(row) > 2 || (row[0] && !strchr("NFR", row[0])))
    return false;
  const char stage[2] = {key[1], '\0'};
  put(out, "P^");
  put(out, stage);
  put(out, "_{");
  put_escaped(out, row, strlen(row));
  if (row[0]) put(out, ",");
  put_escaped(out, name, (size_t)(dot - name));
  put(out, "}");
  return true;
}

static bool put_contact_quantity(writer *out, const char *name) {
  const char *dot = strrchr(name, '.');
  if (!dot || dot == name || !dot[1]) return false;
  if (dot == name + 1 && name[0] == 'E') { /* energies: E.kin */
    put_with_index(out, "E", dot + 1);
    return true;
  }
  if (put_force(out, name, dot) || put_stage(out, name, dot)) return true;
  for (size_t i = 0; i < sizeof contact_quantities / sizeof contact_quantities[0]; i++) {
    if (strcmp(dot + 1, contact_quantities[i].key) != 0) continue;
    const char *symbol = contact_quantities[i].symbol;
    put(out, symbol);
    if (!strchr(symbol, '{')) put(out, "_{");
    put_escaped(out, name, (size_t)(dot - name));
    put(out, "}");
    return true;
  }
  return false;
}

static void put_symbol(writer *out, const char *name) {
  size_t length;
  const char *letter = greek_letter(name, &length);
  char first[2] = {name[0], '\0'};
  if (strcmp(name, "dt") == 0) {
    put(out, "Δt");
    return;
  }
  if (strchr(name, '.')) {
    if (put_contact_quantity(out, name)) return;
  } else {
    if (letter && put_letter_and_rest(out, letter, name + length)) return;
    if (starts_with_symbol(name) && put_letter_and_rest(out, first, name + 1)) return;
  }
  put_escaped(out, name, strlen(name));
}

void picus_figure_symbol(const char *name, size_t size, char *symbol) {
  picus_figure_symbol_with_unit(name, NULL, size, symbol);
}

void picus_figure_symbol_with_unit(const char *name, const char *unit, size_t size, char *label) {
  if (size == 0) return;
  label[0] = '\0';
  writer out = {label, size};
  put_symbol(&out, name);
  if (!unit || !unit[0]) return;
  put(&out, " (");
  put(&out, unit);
  put(&out, ")");
}
