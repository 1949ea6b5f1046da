/* Powers of numbers in model files. Lua computes a^b by the pow of the C library, whose last bit differs between
 * CPUs, and no metamethod of numbers can replace it. So the text that Lua reads has _POWER(a, b) instead, without
 * a change of lines. Where the text is no Lua, it is left as it is, and Lua reports the mistake. */
#include "base/elementary.h"
#include "lua/internal.h"

#include <ctype.h>
#include <string.h>

static const char call[] = "(_POWER(", call_end[] = "))"; /* enclosed: `return a^b` must not become a tail call */
/* Before a bracket that begins the next statement, which would call the result: pow(x, 1) is x everywhere. */
static const char statement_end[] = "^1";

typedef enum token_kind { TOKEN_NAME, TOKEN_KEYWORD, TOKEN_LITERAL, TOKEN_STRING, TOKEN_SIGN } token_kind;

typedef struct token {
  const char *begin, *end;
  size_t partner;    /* of brackets; the last token of the exponent of a power; NO_TOKEN: there is none */
  int opens, closes; /* calls that begin before it and end after it */
  token_kind kind;
  bool is_power; /* the sign ^ that becomes a comma */
} token;

#define NO_TOKEN ((size_t)-1)

/* --- tokens --------------------------------------------------------------------------------------------------------
 */

/* The end of [[...]] or [=[...]=] that begins at `at`; NULL: no such bracket begins here, or it has no end. */
static const char *after_long_bracket(const char *at, const char *end) {
  const char *next = at + 1;
  while (next < end && *next == '=') next++;
  if (next == end || *next != '[') return NULL;
  const size_t level = (size_t)(next - at - 1);
  for (next++; next < end && (next = memchr(next, ']', (size_t)(end - next))) != NULL; next++) {
    size_t equals = 0;
    while (next + 1 + equals < end && next[1 + equals] == '=') equals++;
    if (equals == level && next + 1 + level < end && next[1 + level] == ']') return next + 2 + level;
  }
  return NULL;
}

static const char *after_string(const char *at, const char *end) {
  for (const char *next = at + 1; next < end; next++) {
    if (*next == *at) return next + 1;
    if (*next == '\n') return NULL;
    if (*next == '\\' && ++next < end && *next == 'z')
      while (next + 1 < end && isspace((unsigned char)next[1])) next++;
  }
  return NULL;
}

static const char *after_number(const char *at, const char *end) {
  const bool hexadecimal = at + 1 < end && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  const char exponent = hexadecimal ? 'p' : 'e';
  const char *next = at;
  while (next < end && (isalnum((unsigned char)*next) || *next == '.')) {
    const bool has_sign = tolower((unsigned char)*next) == exponent && next + 1 < end;
    next += has_sign && (next[1] == '+' || next[1] == '-') ? 2 : 1;
  }
  return next;
}

static const char *after_sign(const char *at, const char *end) {
  static const char *const longer[] = {"...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"};
  if (end - at < 2 || !memchr(".=/:<>", at[1], 6)) return at + 1;
  for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
    const size_t length = strlen(longer[i]);
    if ((size_t)(end - at) >= length && memcmp(at, longer[i], length) == 0) return at + length;
  }
  return at + 1;
}

/* Blanks and comments; NULL: a comment has no end. */
static const char *after_space(const char *at, const char *end) {
  for (;;) {
    while (at < end && isspace((unsigned char)*at)) at++;
    if (end - at < 2 || at[0] != '-' || at[1] != '-') return at;
    const char *next = end - at > 2 && at[2] == '[' ? after_long_bracket(at + 2, end) : NULL;
    if (!next) next = memchr(at, '\n', (size_t)(end - at));
    at = next ? next : end;
  }
}

static bool is_word(const token *t, const char *const *words) {
  const size_t length = (size_t)(t->end - t->begin);
  for (; *words; words++)
    if (**words == *t->begin && strlen(*words) == length && memcmp(*words, t->begin, length) == 0) return true;
  return false;
}

static token_kind kind_of_word(const token *t) {
  static const char *const values[] = {"nil", "true", "false", NULL};
  static const char *const keywords[] = {"and",      "break",  "do",   "else",  "elseif", "end", "for",
                                         "function", "goto",   "if",   "in",    "local",  "not", "or",
                                         "repeat",   "return", "then", "until", "while",  NULL};
  if (is_word(t, values)) return TOKEN_LITERAL;
  return is_word(t, keywords) ? TOKEN_KEYWORD : TOKEN_NAME;
}

/* The next token from `at`; false: the text ends, or is no Lua. */
static bool read_token(const char *at, const char *end, token *t) {
  *t = (token){.begin = after_space(at, end), .partner = NO_TOKEN, .kind = TOKEN_SIGN};
  const char *next = t->end = t->begin;
  if (next >= end) return false;
  const unsigned char first = (unsigned char)*next;
  if (first == '"' || first == '\'') {
    t->kind = TOKEN_STRING;
    next = after_string(next, end);
    if (next) t->end = next;
  } else if (first == '[' && after_long_bracket(next, end)) {
    t->kind = TOKEN_STRING;
    next = after_long_bracket(next, end);
    if (next) t->end = next;
  } else if (isdigit(first) || (first == '.' && next + 1 < end && isdigit((unsigned char)next[1]))) {
    t->kind = TOKEN_LITERAL;
    t->end = after_number(next, end);
  } else if (isalpha(first) || first == '_') {
    while (next < end && (isalnum((unsigned char)*next) || *next == '_')) next++;
    t->end = next;
    t->kind = kind_of_word(t);
  } else {
    t->end = after_sign(next, end);
    if (t->end - t->begin == 3) t->kind = TOKEN_LITERAL; /* ... */
  }
  return t->end > t->begin;
}

static bool is_sign(const token *t, char sign) {
  return t->kind == TOKEN_SIGN && t->end - t->begin == 1 && *t->begin == sign;
}

/* One of several signs of one character. */
static bool is_one_of(const token *t, const char *signs) {
  return t->kind == TOKEN_SIGN && t->end - t->begin == 1 && strchr(signs, *t->begin);
}

/* Brackets and their partners; a stack within the tokens: partner of an open bracket is the one that encloses it. */
static void pair_brackets(token *tokens, size_t count) {
  size_t open = NO_TOKEN;
  for (size_t i = 0; i < count; i++) {
    if (is_one_of(&tokens[i], "([{")) {
      tokens[i].partner = open;
      open = i;
    } else if (is_one_of(&tokens[i], ")]}") && open != NO_TOKEN) {
      const size_t outer = tokens[open].partner;
      tokens[i].partner = open;
      tokens[open].partner = i;
      open = outer;
    }
  }
  while (open != NO_TOKEN) { /* without an end */
    const size_t outer = tokens[open].partner;
    tokens[open].partner = NO_TOKEN;
    open = outer;
  }
}

/* --- operands ------------------------------------------------------------------------------------------------------
 */

/* Whether brackets and strings that follow are arguments. */
static bool may_be_called(const token *t) {
  return t->kind == TOKEN_NAME || t->kind == TOKEN_STRING || is_one_of(t, ")]}");
}

static bool may_precede_operand(const token *t) {
  static const char *const words[] = {"and", "or", "not", "return", "if", "elseif", "while", "until", "in", NULL};
  if (t->kind == TOKEN_KEYWORD) return is_word(t, words);
  return t->kind == TOKEN_SIGN && !is_one_of(t, ")]}.:");
}

/* The first token of the operand that ends before token `power`: a value, or a name or bracket with all that is called
 * and indexed. */
static size_t operand_start(const token *tokens, size_t power) {
  for (size_t at = power; at > 0;) {
    const token *t = &tokens[--at];
    bool has_prefix = false;
    if (is_one_of(t, ")]}")) {
      at = t->partner;
      if (at == NO_TOKEN) return NO_TOKEN;
      has_prefix = is_sign(&tokens[at], '[') || (at > 0 && may_be_called(&tokens[at - 1]));
    } else if (t->kind == TOKEN_STRING) {
      has_prefix = at > 0 && may_be_called(&tokens[at - 1]);
    } else if (t->kind == TOKEN_NAME) {
      has_prefix = at > 0 && is_one_of(&tokens[at - 1], ".:");
      if (has_prefix) at--;
    } else if (t->kind != TOKEN_LITERAL) {
      return NO_TOKEN;
    }
    if (!has_prefix) return at > 0 && may_precede_operand(&tokens[at - 1]) ? at : NO_TOKEN;
  }
  return NO_TOKEN;
}

/* The last token of a call or index that follows `at`; `at`: there is none; NO_TOKEN: it is no Lua. */
static size_t after_suffix(const token *tokens, size_t count, size_t at) {
  if (at + 1 >= count) return at;
  const token *next = &tokens[at + 1];
  if (next->kind == TOKEN_STRING) return at + 1;
  if (is_one_of(next, "([{")) return next->partner;
  if (!is_one_of(next, ".:")) return at;
  return at + 2 < count && tokens[at + 2].kind == TOKEN_NAME ? at + 2 : NO_TOKEN;
}

/* The last token of the operand after token `power`: a^-b^c is a^(-(b^c)). Partners of later powers are known. */
static size_t operand_end(const token *tokens, size_t count, size_t power) {
  static const char *const no[] = {"not", NULL};
  size_t at = power + 1;
  while (at < count &&
         (is_one_of(&tokens[at], "-#~") || (tokens[at].kind == TOKEN_KEYWORD && is_word(&tokens[at], no))))
    at++;
  if (at >= count) return NO_TOKEN;
  const token *t = &tokens[at];
  const bool is_prefix = t->kind == TOKEN_NAME || is_sign(t, '(');
  if (is_one_of(t, "({"))
    at = t->partner;
  else if (t->kind == TOKEN_KEYWORD || t->kind == TOKEN_SIGN)
    return NO_TOKEN;
  const bool is_followed = at != NO_TOKEN && at + 1 < count;
  if (!is_prefix && is_followed && (tokens[at + 1].kind == TOKEN_STRING || is_one_of(&tokens[at + 1], "[{.:")))
    return NO_TOKEN; /* the result could be called or indexed, a number cannot */
  for (bool more = is_prefix; more && at != NO_TOKEN;) {
    const size_t next = after_suffix(tokens, count, at);
    more = next != at;
    at = next;
  }
  return at != NO_TOKEN && at + 1 < count && is_sign(&tokens[at + 1], '^') ? tokens[at + 1].partner : at;
}

/* Marks all powers; returns their number. */
static size_t mark_powers(token *tokens, size_t count) {
  size_t powers = 0;
  for (size_t i = count; i-- > 0;) {
    if (!is_sign(&tokens[i], '^')) continue;
    const size_t first = operand_start(tokens, i), last = operand_end(tokens, count, i);
    tokens[i].partner = last;
    if (first == NO_TOKEN || last == NO_TOKEN) continue;
    tokens[first].opens++;
    tokens[last].closes++;
    tokens[i].is_power = true;
    powers++;
  }
  return powers;
}

/* --- the text ------------------------------------------------------------------------------------------------------
 */

static size_t count_tokens(const char *text, const char *end) {
  token t;
  size_t count = 0;
  for (const char *at = text; read_token(at, end, &t); at = t.end) count++;
  return count;
}

static char *put(char *to, const char *text, size_t length) {
  memcpy(to, text, length);
  return to + length;
}

static size_t write_text(const char *text, const char *end, const token *tokens, size_t count, char *out) {
  const char *copied = text;
  char *to = out;
  for (size_t i = 0; i < count; i++) {
    const token *t = &tokens[i];
    to = put(to, copied, (size_t)(t->begin - copied));
    for (int k = 0; k < t->opens; k++) to = put(to, call, sizeof call - 1);
    to = t->is_power ? put(to, ",", 1) : put(to, t->begin, (size_t)(t->end - t->begin));
    for (int k = 0; k < t->closes; k++) to = put(to, call_end, sizeof call_end - 1);
    if (t->closes && i + 1 < count && is_sign(&tokens[i + 1], '('))
      to = put(to, statement_end, sizeof statement_end - 1);
    copied = t->end;
  }
  to = put(to, copied, (size_t)(end - copied));
  return (size_t)(to - out);
}

const char *picus_lua_own_powers(lua_State *L, const char *text, size_t *length) {
  const char *end = text + *length;
  lua_pushnil(L); /* holds the new text */
  if (!memchr(text, '^', *length)) return text;
  const size_t count = count_tokens(text, end);
  token *tokens = lua_newuserdatauv(L, (count + 1) * sizeof *tokens, 0);
  const char *at = text;
  for (size_t i = 0; i < count && read_token(at, end, &tokens[i]); i++) at = tokens[i].end;
  pair_brackets(tokens, count);
  const size_t powers = mark_powers(tokens, count);
  char *out = lua_newuserdatauv(L, *length + powers * (sizeof call + sizeof call_end + sizeof statement_end) + 1, 0);
  *length = write_text(text, end, tokens, count, out);
  lua_replace(L, -3);
  lua_pop(L, 1);
  return out;
}

/* _POWER(a, b): a^b of numbers and of what metamethods know. Squares are products, as in Lua. */
static int power(lua_State *L) {
  lua_settop(L, 2);
  if (lua_type(L, 1) == LUA_TNUMBER && lua_type(L, 2) == LUA_TNUMBER) {
    const double a = lua_tonumber(L, 1), b = lua_tonumber(L, 2);
    lua_pushnumber(L, b == 2 ? a * a : picus_pow(a, b));
  } else {
    lua_arith(L, LUA_OPPOW);
  }
  return 1;
}

void picus_lua_open_powers(lua_State *L) { lua_register(L, "_POWER", power); }
