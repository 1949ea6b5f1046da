/* What a model file cannot do: leave the sandbox, run for ever, take all memory, or bring the program down. */
#include "support/allocations.h"
#include "support/check.h"

#include <picus/picus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static picus_context *context;
static char message[1024];
static int line;

/* Loads with small limits; the sentence and line of a failure are kept. */
static picus_status try_limits(const char *text, size_t memory, uint64_t instructions) {
  if (!CHECK(picus_context_create(NULL, &context) == PICUS_OK)) return PICUS_OK;
  picus_load_options options = {.memory_limit = memory, .instruction_limit = instructions};
  picus_model *model;
  picus_status status = picus_model_load_text(context, "hostile.lua", text, strlen(text), &options, &model);
  CHECK((status == PICUS_OK) == (model != NULL));
  snprintf(message, sizeof message, "%s", picus_last_error(context)->message);
  line = picus_last_error(context)->line;
  if (status) CHECK_TEXT(picus_last_error(context)->file, "hostile.lua");
  picus_model_destroy(model);
  CHECK(picus_context_memory(context) == 0);
  picus_context_destroy(context);
  return status;
}

static picus_status try(const char *text) { return try_limits(text, (size_t)8 << 20, 2000000); }

static void nothing_dangerous_is_there(void) {
  static const char *const names[] = {"io",
                                      "os",
                                      "package",
                                      "debug",
                                      "require",
                                      "load",
                                      "loadfile",
                                      "dofile",
                                      "loadstring",
                                      "collectgarbage",
                                      "pcall",
                                      "xpcall",
                                      "coroutine",
                                      "setmetatable",
                                      "getmetatable",
                                      "rawset",
                                      "rawget",
                                      "rawequal",
                                      "rawlen",
                                      "utf8",
                                      "warn",
                                      "_G",
                                      "string.dump",
                                      "string.find",
                                      "string.match",
                                      "string.gmatch",
                                      "string.gsub",
                                      "string.pack",
                                      "string.unpack",
                                      "string.packsize"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char text[128];
    snprintf(text, sizeof text, "\nlocal a = %s\n", names[i]);
    CHECK(try(text) == PICUS_ERROR_NAME);
    if (!CHECK(strstr(message, "is not available in a model file") && line == 2)) printf("  %s\n", names[i]);
  }
  CHECK(try("local f = (\"x\").find") == PICUS_ERROR_NAME);
  CHECK(try("local f = _VERSION") == PICUS_ERROR_NAME);
  CHECK(try("local f = math.tan2") == PICUS_ERROR_NAME);
  CHECK(strstr(message, "'math.tan2' is not defined; did you mean 'math.tan'?") ||
        strstr(message, "did you mean 'tan'?"));
}

/* All that can be reached from the globals is on this list; nobody may add a door by accident. */
static void the_globals_are_these(void) {
  CHECK(
      try("local known = ' _POWER abs acos actuator all any asin assert atan atan2 ball_contact bar beam body_force "
          "box "
          "capsule"
          " clutch collide constraint contact coordinates cos cosh cylinder cylindrical disk dissipation distance"
          " draw ellipsoid eq error exp floor follower force force_vector frame framework friction gap ge gear gravity"
          " ground gt half_space hole_contact include inputs ipairs journal_contact kinetic le level_contact "
          "linear_motor "
          "log lt"
          " mass material math max mesh min mode model motor ne next next_values no notch_contact observe on pairs "
          "parameters"
          " particle pi planar_body plane plane_contact plot polygon polyhedron polyline potential preload print"
          " prismatic rates rectangle revolute rim_contact segment select sign simulate sin sinh slip_speed"
          " spatial_body sphere spherical spring sqrt state stop_time stop_when string structure t table tan tanh "
          "tonumber"
          " torsion_spring tostring type universal velocities weld when '\n"
          "local count = 0\n"
          "for name in pairs(_ENV) do\n"
          "  local found = false\n"
          "  for i = 1, #known do if known:sub(i, i + #name + 1) == ' ' .. name .. ' ' then found = true end end\n"
          "  if not found then error('unknown global ' .. name) end\n"
          "  count = count + 1\n"
          "end\n"
          "if count ~= 122 then error('globals: ' .. count) end\n") == PICUS_OK);
  if (*message) printf("  %s\n", message);
}

static void bytecode_is_refused(void) {
  CHECK(try("\x1bLua\x54") == PICUS_ERROR_FILE_SYNTAX);
  CHECK(strstr(message, "compiled") != NULL);
  REQUIRE(picus_context_create(NULL, &context) == PICUS_OK);
  picus_model *model;
  CHECK(picus_model_load_text(context, "a.lua", "x = 1\n\0y", 8, NULL, &model) == PICUS_ERROR_FILE_SYNTAX);
  CHECK(picus_last_error(context)->line == 2 && model == NULL);
  picus_context_destroy(context);
}

typedef struct hostile {
  const char *name, *text, *fragment;
} hostile;

/* Under sanitizers the limit of time may come before the one that a file is written for. */
static void try_all(const hostile *files, size_t count) {
  for (size_t i = 0; i < count; i++) {
    clock_t start = clock();
    picus_status status = try(files[i].text);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    bool right = CHECK(status == PICUS_ERROR_FILE_LIMIT) &&
                 CHECK(strstr(message, files[i].fragment) || strstr(message, "time limit")) && CHECK(seconds < 5) &&
                 CHECK(line > 0);
    if (!right)
      printf("  %s: %s, line %d, %.2f s: %s\n", files[i].name, picus_status_name(status), line, seconds, message);
  }
}

static void endless_work_ends(void) {
  static const hostile files[] = {
      {"while", "while true do end", "instructions"},
      {"goto", "::a:: goto a", "instructions"},
      {"for", "for i = 1, math.huge do end", "instructions"},
      {"repeat", "local a = 0 repeat a = a + 1 until a < 0", "instructions"},
      {"tail calls", "local function f() return f() end f()", "instructions"},
      {"mutual", "local f, g f = function() return g() end g = function() return f() end f()", "instructions"},
      {"iterator", "for k in function() return 1 end do end", "instructions"},
      {"sort order",
       "local a = {} for i = 1, 100 do a[i] = i end\nwhile true do table.sort(a, function(x, y) return x > y end) end",
       "instructions"},
      {"index metamethod", "local q = coordinates { {'x', velocity = 'v'} }\nwhile true do local a = q.x end",
       "instructions"},
      {"string.rep of nothing", "string.rep('', 1e18)", "instructions"},
      {"string.rep", "while true do local a = string.rep('x', 60000) end", "instructions"},
      {"concat copies", "local a = string.rep('x', 60000)\nwhile true do local b = a .. 'y' end", "instructions"},
      {"upper", "local a = string.rep('x', 60000)\nwhile true do local b = a:upper() end", "instructions"},
      {"table.move", "table.move({}, 1, 1e18, 2)", "instructions"},
      {"table.insert", "local a = {} for i = 1, 20000 do a[i] = i end\nwhile true do table.insert(a, 1, 0) end",
       "instructions"},
      {"table.remove", "local a = {} for i = 1, 90000 do a[i] = i end\nfor i = 1, 90000 do table.remove(a, 1) end",
       "instructions"},
      {"table.sort", "local a = {} for i = 1, 100000 do a[i] = -i end\nwhile true do table.sort(a) end",
       "instructions"},
      {"table.concat", "local a = {} for i = 1, 50000 do a[i] = '' end\nwhile true do local b = table.concat(a) end",
       "instructions"},
      {"table.unpack", "local a = {} for i = 1, 50000 do a[i] = i end\nwhile true do local b = table.unpack(a) end",
       "instructions"},
      {"next", "local a = {} for i = 1, 50000 do a[i] = i end\nwhile true do local b = next(a) end", "instructions"},
      {"pairs", "local a = {} for i = 1, 50000 do a[i] = i end\nwhile true do local b = pairs(a) end", "instructions"},
      {"tostring",
       "local q = coordinates { {'x', velocity = 'v'} } local e = q.x\nfor i = 1, 10000 do e = sin(e) + i end\n"
       "while true do local a = tostring(e) end",
       "instructions"},
      {"definitions", "for i = 1, 1e9 do parameters { ['p' .. i] = 1 } end", "exceeds its"},
      {"print", "while true do print('x') end", "instructions"},
  };
  try_all(files, sizeof files / sizeof *files);
}

static void memory_is_bounded(void) {
  static const hostile files[] = {
      {"tables", "local a = {} for i = 1, 1e9 do a[i] = {} end", "memory"},
      {"numbers", "local a = {} for i = 1, 1e9 do a[i] = i end", "memory"},
      {"doubling", "local s = 'x' while true do s = s .. s end", "string longer"},
      {"string.rep", "local s = ('x'):rep(1000000)", "string longer"},
      {"string.rep of much", "local s = ('x'):rep(1900000)", "string longer"},
      {"texts", "local a = {} for i = 1, 1e9 do a[i] = ('x'):rep(1000) .. i end", "exceeds its"},
      {"concat", "local a = {} for i = 1, 300 do a[i] = ('x'):rep(1000) end local b = table.concat(a)",
       "string longer"},
      {"closures", "local a = {} for i = 1, 1e9 do a[i] = function() return i end end", "memory"},
      {"formulas",
       "local q = coordinates { {'x', velocity = 'v'} } local e = q.x\nfor i = 1, 1e9 do e = sin(e) + i end", "memory"},
      {"kept formulas",
       "local q = coordinates { {'x', velocity = 'v'} } local a = {}\nfor i = 1, 1e9 do a[i] = q.x + i end", "memory"},
      {"coordinates", "for i = 1, 1e9 do coordinates { {'x' .. i, velocity = 'v' .. i} } end", "memory"},
      {"contacts",
       "local q = coordinates { {'x', velocity = 'v'} }\nfor i = 1, 1e9 do contact { 'c' .. i, gap = q.x } end",
       "memory"},
      {"events", "for i = 1, 1e9 do stop_time(i) end", "exceeds its"},
      {"recursion", "local function f(n) return 1 + f(n + 1) end f(1)", ""},
      {"recursion with memory", "local function f(a) local b = {a} return 1 + f(b) end f(1)", ""},
      {"unpack", "local a = {} for i = 1, 1e9 do a[i] = {table.unpack({}, 1, 1000)} end", "exceeds its"},
  };
  try_all(files, sizeof files / sizeof *files);
}

/* Copying a hundred thousand arguments is one instruction: here only the clock helps. */
static void slow_instructions_end(void) {
  const char *text = "local function f(...) return f(1, ...) end f()";
  CHECK(try_limits(text, (size_t)64 << 20, 1000000) == PICUS_ERROR_FILE_LIMIT);
  CHECK(strstr(message, "time limit of 1.5 s") != NULL);
}

static void deep_nesting_is_refused(void) {
  static char text[40000];
  strcpy(text, "local a = ");
  memset(text + strlen(text), '(', 15000);
  strcat(text, "1");
  memset(text + strlen(text), ')', 15000);
  CHECK(try(text) < 0);
  strcpy(text, "local a = ");
  memset(text + strlen(text), '{', 15000);
  CHECK(try(text) < 0);
  memset(text, 0, sizeof text);
  strcpy(text, "local a = ");
  for (int i = 0; i < 10000; i++) strcat(text + 10 + 2 * i, "- ");
  strcat(text, "1");
  CHECK(try(text) < 0);
}

static void odd_values_do_no_harm(void) {
  static const char *const texts[] = {"contact(nil)",
                                      "contact { {} }",
                                      "contact { 'a', gap = {} }",
                                      "contact { 'a', gap = function() end }",
                                      "coordinates { 1, 2 }",
                                      "coordinates { {} }",
                                      "coordinates { {'a', start = {}} }",
                                      "coordinates { {'a', start = {1, 2, 3}} }",
                                      "coordinates { {'a', start = 'x'} }",
                                      "coordinates { a = {} }",
                                      "coordinates(1, 2)",
                                      "parameters { a = {} }",
                                      "parameters { a = {1, 2} }",
                                      "parameters { a = {1, 'm', 'd', 4} }",
                                      "parameters { [{}] = 1 }",
                                      "parameters { ['a b'] = 1 }",
                                      "parameters { a = true }",
                                      "mass { 1, 2 }",
                                      "mass {}",
                                      "mass { {} }",
                                      "force_vector {}",
                                      "force { 1 }",
                                      "force { x = 'a' }",
                                      "rates { 1 }",
                                      "observe { 'a' }",
                                      "observe { 'a', 'b' }",
                                      "observe { 1, 2 }",
                                      "stop_time()",
                                      "stop_time('x')",
                                      "plot {}",
                                      "plot { y = {} }",
                                      "plot { y = {1} }",
                                      "plot { y = 3 }",
                                      "plot { 'x', 'y' }",
                                      "simulate { 1 }",
                                      "simulate { dt = {} }",
                                      "simulate { dt = true }",
                                      "simulate { scheme = 3 }",
                                      "simulate(3)",
                                      "model()",
                                      "model(3)",
                                      "model('a', 3)",
                                      "model('a\\0b')",
                                      "kinetic(1, 2)",
                                      "kinetic('x')",
                                      "potential(nil)",
                                      "sin()",
                                      "sin(1, 2)",
                                      "sin('x')",
                                      "min()",
                                      "atan2(1)",
                                      "when(true)",
                                      "when(1, 2, 3)",
                                      "all(1)",
                                      "lt(1)",
                                      "no()",
                                      "local a = t.x",
                                      "t.x = 3",
                                      "t()",
                                      "local a = t .. nil",
                                      "local a = #t",
                                      "local a = t // 2",
                                      "local a = -lt(t, 1)",
                                      "local a = lt(t, 1) == lt(t, 2)",
                                      "local a = t == t + 1",
                                      "next(3)",
                                      "next({}, 1)",
                                      "pairs(3)",
                                      "pairs()",
                                      "ipairs()",
                                      "math.randomseed()",
                                      "math.floor(t)",
                                      "string.rep(t, 3)",
                                      "table.concat({t})",
                                      "table.insert(t, 1)",
                                      "for i = 1, t do end",
                                      "error(t)",
                                      "error()",
                                      "error(nil)",
                                      "error(setup)",
                                      "tostring()",
                                      "velocities { {'w', strat = 3} }",
                                      "velocities { {'w', start = t} }",
                                      "constraint { 'c', position = t, velocity = t }",
                                      "friction { 'f', slip = {} }",
                                      "friction { 'f', slip = {t, t, t, t} }",
                                      "local p = parameters { a = 1 } p[1] = 2",
                                      "local p = parameters {} local x = p[{}]",
                                      "print(setmetatable)",
                                      "string.format('%d', t)",
                                      "string.format('%y', 1)",
                                      "select(-5)",
                                      "return t.a.b",
                                      "local a <close> = t",
                                      "local a <const> = 1 a = 2",
                                      "break",
                                      "goto nowhere"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    picus_status status = try(texts[i]);
    if (!CHECK(status < 0 && *message)) printf("  accepted: %s\n", texts[i]);
    CHECK(line == 1);
    CHECK(status != PICUS_ERROR_MEMORY && status != PICUS_ERROR_FILE_LIMIT);
  }
}

/* Texts made of words of the language in random order: whatever happens, it is an answer, and nothing leaks. */
static void random_texts_are_answered(void) {
  static const char *const words[] = {"q",   "u",     "t",       ".x",       ".v",          "(",          ")",   "{",
                                      "}",   ",",     "=",       "+",        "*",           "^",          "-",   "1",
                                      "0",   "'a'",   "contact", "kinetic",  "coordinates", "parameters", "gap", "slip",
                                      "sin", "when",  "lt",      "local",    "function",    "end",        "for", "do",
                                      "in",  "pairs", "if",      "then",     "return",      "\n",         "..",  "[",
                                      "]",   "nil",   "true",    "simulate", "dt"};
  test_random random = {7};
  int accepted = 0;
  for (int i = 0; i < 2000; i++) {
    char text[512] = "local q, u = coordinates { {'x', velocity = 'v'} }\n";
    int count = test_integer(&random, 1, 12);
    for (int k = 0; k < count; k++) {
      strcat(text, words[test_integer(&random, 0, (int)(sizeof words / sizeof *words) - 1)]);
      strcat(text, " ");
    }
    picus_status status = try_limits(text, (size_t)4 << 20, 100000);
    accepted += status == PICUS_OK;
    CHECK(status == PICUS_OK || *message);
  }
  CHECK(accepted < 2000);
}

static void limits_can_be_chosen(void) {
  const char *text = "local a = 0\nfor i = 1, 100000 do a = a + 1 end\n";
  CHECK(try_limits(text, 0, 0) == PICUS_OK);
  CHECK(try_limits(text, 0, 100000) == PICUS_ERROR_FILE_LIMIT);
  CHECK(line == 2 && strstr(message, "100000 instructions"));
  text = "local a = {}\nfor i = 1, 100000 do a[i] = i end\n";
  CHECK(try_limits(text, 0, 0) == PICUS_OK);
  CHECK(try_limits(text, 1 << 20, 0) == PICUS_ERROR_FILE_LIMIT);
  CHECK(line == 2 && strstr(message, "1024 kB"));
  CHECK(try_limits(text, 1000, 0) == PICUS_ERROR_FILE_LIMIT); /* not even the state fits */
}

/* Memory that refuses its n-th block: loading fails cleanly, whatever it was doing. */
static void every_refused_allocation_is_survived(void) {
  const char *text = "local p = parameters { a = {1, 'm', 'x'}, b = 2 }\n"
                     "local q, u = coordinates { {'x', velocity = 'v', start = {1, 2}}, {'y', velocity = 'w'} }\n"
                     "for i = 1, 20 do kinetic(i * u.v^2 / 2 + u.w^2) end\n"
                     "potential(sin(q.x) * p.a)\n"
                     "contact { 'c', gap = q.x + 2, slip = {u.v, u.w}, mu = 0.1 }\n"
                     "observe { 'o', when(lt(q.x, 0), 1, max(q.x, q.y, 3)) }\n"
                     "print(tostring(q.x + 1) .. string.rep('x', 100))\n"
                     "for k, v in pairs(q) do print(k, v) end\n"
                     "plot { y = {'x', 'y'} }\n"
                     "simulate { dt = 1e-3, t_end = 1 }\n";
  long tries = 0;
  bool done = false;
  for (long refused = 1; !done && refused < 100000; refused += 1 + refused / 60, tries++) {
    test_allocations memory = test_grant_first(refused);
    picus_context_def def = {.allocate = test_allocate, .allocate_user = &memory};
    REQUIRE(picus_context_create(&def, &context) == PICUS_OK);
    picus_model *model;
    picus_status status = picus_model_load_text(context, "a.lua", text, strlen(text), NULL, &model);
    done = status == PICUS_OK;
    if (!done) {
      CHECK(status == PICUS_ERROR_MEMORY && model == NULL);
      CHECK(picus_last_error(context)->status == PICUS_ERROR_MEMORY);
    }
    picus_model_destroy(model);
    CHECK(picus_context_memory(context) == 0);
    picus_context_destroy(context);
    CHECK(memory.outstanding == 0);
  }
  CHECK(done && tries > 100);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      {"nothing_dangerous_is_there", nothing_dangerous_is_there},
      {"the_globals_are_these", the_globals_are_these},
      {"bytecode_is_refused", bytecode_is_refused},
      {"endless_work_ends", endless_work_ends},
      {"memory_is_bounded", memory_is_bounded},
      {"slow_instructions_end", slow_instructions_end},
      {"deep_nesting_is_refused", deep_nesting_is_refused},
      {"odd_values_do_no_harm", odd_values_do_no_harm},
      {"random_texts_are_answered", random_texts_are_answered},
      {"limits_can_be_chosen", limits_can_be_chosen},
      {"every_refused_allocation_is_survived", every_refused_allocation_is_survived},
  };
  return test_main(argc, argv, "lua_sandbox", cases, (int)(sizeof cases / sizeof *cases));
}
