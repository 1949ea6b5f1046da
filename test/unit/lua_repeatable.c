/* A model file does the same in every run and in every host: no addresses, no order of addresses, nothing that depends
 * on the locale of the host or on the work of its other threads. */
#define _POSIX_C_SOURCE 200809L
#include "support/check.h"

#include <locale.h>
#include <picus/picus.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char notes[4096];

static void note(void *user, picus_log_level level, const char *message) {
  (void)user;
  (void)level;
  size_t used = strlen(notes);
  snprintf(notes + used, sizeof notes - used, "%s;", message);
}

/* Runs a text and returns what it printed; "" and the sentence on failure. */
static const char *printed(const char *text, char *sentence, size_t size) {
  picus_context_def def = picus_default_context_def();
  picus_context *context;
  picus_model *model = NULL;
  def.log = note;
  notes[0] = sentence[0] = '\0';
  if (!CHECK(picus_context_create(&def, &context) == PICUS_OK)) return "";
  if (picus_model_load_text(context, "text.lua", text, strlen(text), NULL, &model)) {
    snprintf(sentence, size, "%s", picus_last_error(context)->message);
    notes[0] = '\0';
  }
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  return notes;
}

static void addresses_are_not_shown(void) {
  static const struct {
    const char *text, *shown;
  } cases[] = {
      {"print({})", "table;"},
      {"print(print, function() end)", "function\tfunction;"},
      {"print(tostring({}) .. '!')", "table!;"},
      {"print(string.format('%s|%5s|%%|%d', {}, print, 3))", "table|function|%|3;"},
      {"print(('%s'):format({}))", "table;"},
      {"print(tostring(nil), tostring(true), tostring(2), tostring(0.1), tostring('x'))", "nil\ttrue\t2\t0.1\tx;"},
      {"local q = coordinates { { 'x', velocity = 'v' } } print(string.format('%s', q.x + 1))", "x + 1;"},
      {"local t = { [{}] = 1 } for k, v in pairs(t) do print(k, v) end", "table\t1;"},
      {"local t = { [true] = 1, [false] = 2, a = 3, [1] = 4 } for k, v in pairs(t) do print(k, v) end",
       "1\t4;a\t3;false\t2;true\t1;"},
      {"print((string.format('\\0%s', {}):sub(2)), (string.format('\\0%5s\\0%s', print, {}):sub(-5)))",
       "table\ttable;"},
      {"print((string.format('\\0%%%d', 3):sub(2)))", "%3;"},
  };
  char sentence[1024];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    CHECK_TEXT(printed(cases[k].text, sentence, sizeof sentence), cases[k].shown);
    CHECK_TEXT(sentence, "");
  }
}

/* Keys that agree up to a zero byte, keys that agree as doubles, and keys of several types have one order. Lua places
 * strings by a seed that differs from run to run, and tables by their addresses. */
static void the_order_of_keys_is_fixed(void) {
  static const struct {
    const char *text, *shown;
  } cases[] = {
      {"local t, s = {}, '' for i = 12, 1, -1 do t['k\\0' .. string.char(96 + i)] = i end"
       " for k, v in pairs(t) do s = s .. v .. ' ' end print(s)",
       "1 2 3 4 5 6 7 8 9 10 11 12 ;"},
      {"local t, s = {}, '' for i = 9, 0, -1 do t['k' .. ('\\0'):rep(i)] = i end"
       " for k, v in pairs(t) do s = s .. v .. ' ' end print(s)",
       "0 1 2 3 4 5 6 7 8 9 ;"},
      {"local t, s = { a = 1, b = 1, c = 1, d = 1, e = 1 }, '' for i = 9, 0, -1 do t[(1 << 62) + i] = i end"
       " for k, v in pairs(t) do s = s .. v .. ' ' end print(s)",
       "0 1 2 3 4 5 6 7 8 9 1 1 1 1 1 ;"},
      {"local t, s = { [math.maxinteger] = 1, [2.0^63] = 2, [math.huge] = 3, [-math.huge] = 0 }, ''"
       " for k, v in pairs(t) do s = s .. v .. ' ' end print(s)",
       "0 1 2 3 ;"},
      {"local s = '' for i = 1, 40 do for k in pairs { [false] = 1, [{}] = 2, [true] = 3 } do s = s .. "
       "tostring(k):sub(1, 1)"
       " end end print(s == ('ftt'):rep(40) and tostring(next { [{}] = 1, [false] = 2 }))",
       "false;"},
      {"local t, s = { ['k\\0b'] = 1, ['k\\0a'] = 2 }, '' local k = next(t) print(t[k], t[next(t, k)])", "2\t1;"},
  };
  char sentence[1024];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    CHECK_TEXT(printed(cases[k].text, sentence, sizeof sentence), cases[k].shown);
    CHECK_TEXT(sentence, "");
  }
}

/* The comparison makes every partition of Lua's own sort as unequal as can be (McIlroy 1999); Lua then takes pivots
 * from the clock, and elements with equal keys have another order in each run. */
static void equal_elements_keep_their_order(void) {
  static const char text[] =
      "local n, key, solid, candidate = 4000, {}, 0, 0\n"
      "local list, pairs_of_keys = {}, {}\n"
      "for i = 1, n do key[i], list[i] = n, i end\n"
      "table.sort(list, function(x, y)\n"
      "  if key[x] == n and key[y] == n then key[x == candidate and x or y], solid = solid, solid + 1 end\n"
      "  if key[x] == n then candidate = x elseif key[y] == n then candidate = y end\n"
      "  return key[x] < key[y]\n"
      "end)\n"
      "for i = 1, n do pairs_of_keys[i] = { key = key[i] // 8, place = i } end\n"
      "table.sort(pairs_of_keys, function(x, y) return x.key < y.key end)\n"
      "for i = 2, n do\n"
      "  local a, b = pairs_of_keys[i - 1], pairs_of_keys[i]\n"
      "  assert(a.key < b.key or (a.key == b.key and a.place < b.place), 'order')\n"
      "end\n"
      "math.randomseed(7)\n"
      "for length = 0, 130 do\n"
      "  local a, sum = {}, 0\n"
      "  for i = 1, length do a[i] = math.random(1, 50) sum = sum + a[i] end\n"
      "  table.sort(a)\n"
      "  for i = 1, length do sum = sum - a[i] assert(i == 1 or a[i - 1] <= a[i]) end\n"
      "  assert(sum == 0 and #a == length)\n"
      "end\n"
      "print('sorted')";
  char sentence[1024];
  CHECK_TEXT(printed(text, sentence, sizeof sentence), "sorted;");
  CHECK_TEXT(sentence, "");
}

static void what_cannot_be_repeated_is_refused(void) {
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"print(string.format('%p', {}))", "prints an address"},
      {"print(string.format('%s %-20p', 1, {}))", "prints an address"},
      {"print(string.format('\\0%p', {}):sub(2))", "prints an address"},
      {"print(string.format('%s\\0\\0%%%-20p', 1, {}):sub(2))", "prints an address"},
      {"parameters { ['a\\0b'] = 1 }", "a key of parameters contains a zero byte"},
      {"simulate { ['dt\\0b'] = 1 }", "a key of simulate contains a zero byte"},
      {"contact { 'c', ['gap\\0'] = 1 }", "contains a zero byte"},
      {"contact { 'c', [{}] = 1 }", "unnamed entry (table)"},
      {"for k in pairs({ [{}] = 1, [{}] = 2 }) do end", "has no reproducible order"},
      {"next({ [print] = 1, [pairs] = 2 })", "has no reproducible order"},
      {"string.format('%d', {})", "number expected"},
      {"string.format('%s')", "bad argument #2"},
      {"string.format('%')", "no value"},
      {"table.sort({ 1, 'a' })", "attempt to compare"},
      {"table.sort({ 1, 2 }, 3)", "function expected"},
      {"table.sort(3)", "table expected"},
      {"string.format()", "bad argument #1"},
      {"tostring()", "bad argument #1"},
  };
  char sentence[1024];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    printed(cases[k].text, sentence, sizeof sentence);
    if (!CHECK(strstr(sentence, cases[k].says) != NULL)) printf("  %s: %s\n", cases[k].text, sentence);
  }
}

/* The Turkish locale has a decimal comma, an order of words, and an i whose capital is no I. It is made here, if
 * localedef can, before the first setlocale, which remembers what it does not find. */
static bool set_turkish(char folder[]) {
  char command[512];
  if (!CHECK(mkdtemp(folder) != NULL)) return false;
  snprintf(
      command, sizeof command,
      "localedef --no-archive -c -i tr_TR -f UTF-8 %s/tr_TR.UTF-8 >/dev/null 2>&1; test -r %s/tr_TR.UTF-8/LC_NUMERIC",
      folder, folder);
  if (system(command) == 0) setenv("LOCPATH", folder, 1); /* NOLINT(cert-env33-c) */
  return setlocale(LC_ALL, "tr_TR.UTF-8") != NULL;
}

static const char locale_text[] =
    "local words = { 'b', 'B', 'a', '\\u{e4}' } table.sort(words)"
    " print(tonumber('0,5'), tonumber('0.5'), tostring(0.5), ('%.2f %g %a'):format(1.5, 2.5, 0.5), 0.25 .. '')"
    " print(table.concat(words), ('iI'):upper(), ('iI'):lower(), 'a' < 'B', '1.5' + 1)";
static const char locale_shown[] = "nil\t0.5\t0.5\t1.50 2.5 0x1p-1\t0.25;Bab\u00e4\tII\tii\tfalse\t2.5;";

static void the_locale_of_the_host_does_not_count(void) {
  char sentence[1024], command[128], folder[] = "/tmp/picus-locale-XXXXXX";
  CHECK_TEXT(printed(locale_text, sentence, sizeof sentence), locale_shown);
  if (set_turkish(folder)) {
    CHECK_TEXT(printed(locale_text, sentence, sizeof sentence), locale_shown);
    CHECK_TEXT(sentence, "");
    CHECK_TEXT(localeconv()->decimal_point, ","); /* the host has its own again */
    setlocale(LC_ALL, "C");
  } else {
    test_skip("there is no Turkish locale, and localedef cannot make one");
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0); /* NOLINT(cert-env33-c) */
}

static void *burn(void *user) {
  const double *seconds = user;
  struct timespec now;
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < *seconds);
  return NULL;
}

/* The log function of a host in which another thread works for longer than the time limit. */
static void burn_meanwhile(void *user, picus_log_level level, const char *message) {
  pthread_t thread;
  (void)level;
  (void)message;
  if (CHECK(pthread_create(&thread, NULL, burn, user) == 0)) pthread_join(thread, NULL);
}

static void other_threads_do_not_use_up_the_time_limit(void) {
  static const char text[] = "print('x') for i = 1, 1e4 do end";
  double seconds = 1.2;
  picus_context_def def = picus_default_context_def();
  picus_load_options options = {.instruction_limit = 200000}; /* the time limit is 1.1 s */
  picus_context *context;
  picus_model *model;
  def.log = burn_meanwhile;
  def.log_user = &seconds;
  REQUIRE(picus_context_create(&def, &context) == PICUS_OK);
  CHECK(picus_model_load_text(context, "text.lua", text, strlen(text), &options, &model) == PICUS_OK);
  CHECK_TEXT(picus_last_error(context)->message, "");
  picus_model_destroy(model);
  picus_context_destroy(context);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"addresses_are_not_shown", addresses_are_not_shown},
      {"the_order_of_keys_is_fixed", the_order_of_keys_is_fixed},
      {"equal_elements_keep_their_order", equal_elements_keep_their_order},
      {"what_cannot_be_repeated_is_refused", what_cannot_be_repeated_is_refused},
      {"the_locale_of_the_host_does_not_count", the_locale_of_the_host_does_not_count},
      {"other_threads_do_not_use_up_the_time_limit", other_threads_do_not_use_up_the_time_limit},
  };
  return test_main(argc, argv, "lua_repeatable", cases, sizeof cases / sizeof cases[0]);
}
