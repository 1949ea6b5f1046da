/* The Lua state a model file runs in: limited memory, limited work, errors with file and line. */
#include "lua/internal.h"
#include "model/internal.h"
#include "platform/texts.h"
#include "platform/threads.h"

#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  HOOK_INTERVAL = 1000,       /* instructions between two checks of the limits, */
  CLOCK_INTERVAL = 64,        /* and of the clock, in calls that charge little */
  LONGEST_TEXT = 64 * 1024,   /* bytes of a text a file may build: Lua copies and compares texts without a hook */
  BYTES_PER_INSTRUCTION = 16, /* allocation counts as work */
  SENTENCE_SIZE = 1024
};
static const double seconds_per_instruction = 0.5e-6; /* about fifty times the time that Lua needs: a backstop only */
/* Lua's name of a text: that of the model file ends with 0, that of an included file with its number among the files
 * that the model keeps, from 1. */
static const char chunk_prefix[] = "model";
enum { CHUNK_NAME_SIZE = 32 };

static const char failure_marker = 0; /* its address is the error value of our own failures */

picus_lua *picus_lua_session(lua_State *L) { return *(picus_lua **)lua_getextraspace(L); }

/* A place by the number in the name of a text. */
static picus_lua_place place_in(const picus_lua *session, long number, int line) {
  const picus_model *model = session->model;
  if (number <= 0 || (size_t)number > model->kept_file_count)
    return (picus_lua_place){session->file, session->text, line};
  const picus_model_file *file = &model->kept_files[number - 1];
  return (picus_lua_place){file->name, (const char *)file->bytes, line};
}

picus_lua_place picus_lua_here(lua_State *L) {
  const picus_lua *session = picus_lua_session(L);
  lua_Debug frame;
  for (int level = 0; lua_getstack(L, level, &frame); level++)
    if (lua_getinfo(L, "Sl", &frame) && frame.currentline > 0)
      return place_in(session, strtol(frame.source + sizeof chunk_prefix, NULL, 10), frame.currentline);
  return place_in(session, 0, 0);
}

static int line_of(lua_State *L) { return picus_lua_here(L).line; }

static int raise_marker(lua_State *L, picus_status status) {
  picus_lua_session(L)->status = status;
  lua_pushlightuserdata(L, (void *)(uintptr_t)&failure_marker);
  return lua_error(L);
}

int picus_lua_fail(lua_State *L, picus_status status, const char *format, ...) {
  picus_lua *session = picus_lua_session(L);
  char sentence[SENTENCE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  const picus_lua_place here = picus_lua_here(L);
  picus_fail_at(session->context, status, here.file, here.line, "%s", sentence);
  return raise_marker(L, status);
}

void picus_lua_require(lua_State *L, picus_status status) {
  if (!status) return;
  picus_lua *session = picus_lua_session(L);
  const picus_error *error = picus_last_error(session->context);
  if (!*error->file) { /* the error was found below the model: report the calling line */
    char sentence[SENTENCE_SIZE];
    snprintf(sentence, sizeof sentence, "%s", error->message);
    const picus_lua_place here = picus_lua_here(L);
    picus_fail_at(session->context, status, here.file, here.line, "%s", sentence);
  }
  raise_marker(L, status);
}

picus_model *picus_lua_model_here(lua_State *L) {
  picus_lua *session = picus_lua_session(L);
  const picus_lua_place here = picus_lua_here(L);
  picus_model_set_place(session->model, (picus_place){here.file, here.line});
  return session->model;
}

static size_t memory_held(const picus_lua *session) {
  size_t now = picus_context_memory(session->context);
  return now > session->memory_start ? now - session->memory_start : 0;
}

static void fail_memory(picus_lua *session, int line) {
  picus_fail_at(session->context, PICUS_ERROR_FILE_LIMIT, session->file, line,
                "the %s exceeds its memory limit of %zu kB; increase it (--model-memory), or make the model "
                "smaller",
                session->kind, session->memory_limit / 1024);
}

void picus_lua_check_memory(lua_State *L) {
  picus_lua *session = picus_lua_session(L);
  if (memory_held(session) <= session->memory_limit) return;
  fail_memory(session, line_of(L));
  raise_marker(L, PICUS_ERROR_FILE_LIMIT);
}

static void check_work(lua_State *L, uint64_t instructions) {
  picus_lua *session = picus_lua_session(L);
  if (session->instructions > session->instruction_limit)
    picus_lua_fail(L, PICUS_ERROR_FILE_LIMIT,
                   "the %s exceeds its limit of %llu instructions; is there an endless loop?", session->kind,
                   (unsigned long long)session->instruction_limit);
  session->unclocked += 1 + (instructions < HOOK_INTERVAL ? instructions : HOOK_INTERVAL);
  if (session->unclocked < CLOCK_INTERVAL) return;
  session->unclocked = 0;
  double allowed = 1 + seconds_per_instruction * (double)session->instruction_limit;
  if (picus_clock_thread() - session->seconds_start > allowed)
    picus_lua_fail(L, PICUS_ERROR_FILE_LIMIT, "the %s exceeds its time limit of %g s", session->kind, allowed);
}

void picus_lua_charge(lua_State *L, uint64_t instructions) {
  picus_lua *session = picus_lua_session(L);
  uint64_t left = UINT64_MAX - session->instructions;
  session->instructions += instructions < left ? instructions : left;
  check_work(L, instructions);
}

static void count_hook(lua_State *L, lua_Debug *frame) {
  (void)frame;
  picus_lua_check_memory(L);
  picus_lua_charge(L, HOOK_INTERVAL);
}

static void *refuse(picus_lua *session, picus_lua_refusal refusal) {
  int line = session->running ? line_of(session->running) : 0;
  if (line == 0 && session->refusal != REFUSED_NOTHING) return NULL; /* already unwinding from the one that counts */
  session->refusal = refusal;
  session->refusal_line = line;
  return NULL;
}

/* Lua's allocator: every block is counted on the context. For a new block, old_size is the kind of its object. */
static void *allocate(void *user, void *old, size_t old_size, size_t new_size) {
  picus_lua *session = user;
  if (new_size == 0) {
    picus_release(session->context, old);
    return NULL;
  }
  bool text = !old && old_size == LUA_TSTRING;
  if (text && new_size > LONGEST_TEXT) return refuse(session, REFUSED_TEXT);
  size_t growth = !old ? new_size : (new_size > old_size ? new_size - old_size : 0);
  if (growth > session->memory_limit || memory_held(session) > session->memory_limit - growth) {
    if (growth) return refuse(session, REFUSED_MEMORY);
  }
  session->instructions += growth / BYTES_PER_INSTRUCTION;
  void *block = picus_reallocate_unset(session->context, old, new_size, 1);
  if (block) return block;
  return growth ? refuse(session, REFUSED_BY_SYSTEM) : old; /* Lua relies on shrinking: keep the larger block */
}

/* Message handler: passes the error on unchanged; only here its place is known. */
static int note_line(lua_State *L) {
  picus_lua_session(L)->error_place = picus_lua_here(L);
  return 1;
}

/* Removes "model0:12: " from Lua's message; the place, or line 0 if there is none. */
static picus_lua_place strip_prefix(const picus_lua *session, const char **message) {
  const size_t length = sizeof chunk_prefix - 1;
  char *end;
  if (strncmp(*message, chunk_prefix, length) != 0) return place_in(session, 0, 0);
  const long number = strtol(*message + length, &end, 10);
  if (end == *message + length || *end != ':') return place_in(session, 0, 0);
  const char *start = end + 1;
  const long line = strtol(start, &end, 10);
  if (end == start || strncmp(end, ": ", 2) != 0) return place_in(session, 0, 0);
  *message = end + 2;
  return place_in(session, number, (int)line);
}

picus_status picus_lua_check_text(picus_context *context, const char *name, const char *text, size_t length) {
  if (length > 0 && text[0] == '\x1b')
    return picus_fail_at(context, PICUS_ERROR_FILE_SYNTAX, name, 0, "the file is compiled Lua; use its source text");
  const char *zero = length ? memchr(text, 0, length) : NULL;
  if (!zero) return PICUS_OK;
  int line = 1;
  for (const char *c = text; c < zero; c++) line += *c == '\n';
  return picus_fail_at(context, PICUS_ERROR_FILE_SYNTAX, name, line, "the file contains a zero byte: it is not text");
}

/* Pushes a text as a function. number: as in its name. */
static int load_text(lua_State *L, const char *text, size_t length, long number) {
  static const char mark[] = "\xEF\xBB\xBF"; /* byte order mark */
  char name[CHUNK_NAME_SIZE];
  snprintf(name, sizeof name, "=%s%ld", chunk_prefix, number);
  if (strncmp(text, mark, sizeof mark - 1) == 0) text += sizeof mark - 1, length -= sizeof mark - 1;
  const size_t skipped = *text == '#' ? strcspn(text, "\n") : 0;
  text += skipped, length -= skipped;
  text = picus_lua_own_powers(L, text, &length);
  const int status = luaL_loadbufferx(L, text, length, name, "t");
  lua_remove(L, -2);
  return status;
}

/* Makes a coroutine of the text, so that it can pause where it reads a parameter. */
static int compile_text(lua_State *L) {
  picus_lua *session = picus_lua_session(L);
  lua_State *thread = lua_newthread(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &session->thread); /* holds it */
  if (load_text(L, session->text, strlen(session->text), 0) != LUA_OK) return lua_error(L);
  lua_xmove(L, thread, 1);
  lua_sethook(thread, count_hook, LUA_MASKCOUNT, HOOK_INTERVAL);
  session->thread = thread;
  return 0;
}

/* --- include ------------------------------------------------------------------------------------------------------ */

/* Pushes the text of a kept file as a function. */
static int load_included(lua_State *L, const picus_model_file *file, long number) {
  const picus_lua *session = picus_lua_session(L);
  const char *text = (const char *)file->bytes;
  picus_lua_require(L, picus_lua_check_text(session->context, file->name, text, file->size));
  picus_lua_charge(L, file->size / BYTES_PER_INSTRUCTION);
  const int status = load_text(L, text, file->size, number);
  if (status == LUA_OK) return 0;
  if (status != LUA_ERRSYNTAX) return lua_error(L);
  const char *message = lua_tostring(L, -1);
  const picus_lua_place place = strip_prefix(session, &message);
  picus_fail_at(session->context, PICUS_ERROR_FILE_SYNTAX, place.file, place.line, "%s", message);
  return raise_marker(L, PICUS_ERROR_FILE_SYNTAX);
}

static int end_include(lua_State *L, int status, lua_KContext ignored) {
  (void)status, (void)ignored;
  picus_lua_session(L)->include_count--;
  return lua_gettop(L) - 1;
}

/* include "parts.lua": runs the file as if its text stood in a function here, and returns what it returns. */
static int include(lua_State *L) {
  picus_lua *session = picus_lua_session(L);
  const picus_lua_table caller = {L, 0, "include"};
  char path[PICUS_PATH_SIZE];
  const char *name = picus_lua_to_text(L, 1, "the file of include");
  lua_settop(L, 1);
  const picus_model_file file = picus_lua_read_file(&caller, name, path);
  long number = 1;
  while (strcmp(session->model->kept_files[number - 1].name, name) != 0) number++;
  for (int k = 0; k < session->include_count; k++)
    if (session->includes[k] == number)
      return picus_lua_fail(L, PICUS_ERROR_ARGUMENT,
                            "'%.200s' includes itself, directly or by the files that it includes", name);
  if (session->include_count == PICUS_INCLUDES_MOST)
    return picus_lua_fail(L, PICUS_ERROR_FILE_LIMIT, "files include each other to a depth of more than %d",
                          PICUS_INCLUDES_MOST);
  load_included(L, &file, number);
  session->includes[session->include_count++] = number;
  lua_callk(L, 0, LUA_MULTRET, 0, end_include);
  return end_include(L, LUA_OK, 0);
}

void picus_lua_open_include(lua_State *L) { lua_register(L, "include", include); }

/* --- reports ------------------------------------------------------------------------------------------------------ */

static picus_status report_lua_error(picus_lua *session) {
  lua_State *L = session->running;
  const picus_lua_place noted = session->error_place;
  if (lua_type(L, -1) != LUA_TSTRING)
    return picus_fail_at(session->context, PICUS_ERROR_FILE_SYNTAX, noted.file ? noted.file : session->file, noted.line,
                         "the %s raises an error that is not a string", session->kind);
  const char *message = lua_tostring(L, -1);
  picus_lua_place place = strip_prefix(session, &message);
  if (noted.line) place = noted;
  bool overflow = strstr(message, "stack overflow") != NULL;
  if (overflow && noted.line)
    return picus_fail_at(session->context, PICUS_ERROR_FILE_LIMIT, place.file, place.line,
                         "stack overflow; is there an endless recursion?");
  return picus_fail_at(session->context, overflow ? PICUS_ERROR_FILE_LIMIT : PICUS_ERROR_FILE_SYNTAX, place.file,
                       place.line, "%s", message);
}

static picus_status report(picus_lua *session, int lua_status) {
  lua_State *L = session->running;
  if (lua_status == LUA_OK) return PICUS_OK;
  if (lua_status != LUA_ERRMEM) {
    if (lua_touserdata(L, -1) == (const void *)&failure_marker) return session->status;
    return report_lua_error(session);
  }
  switch (session->refusal) {
  case REFUSED_MEMORY:
    fail_memory(session, session->refusal_line);
    return PICUS_ERROR_FILE_LIMIT;
  case REFUSED_TEXT:
    return picus_fail_at(session->context, PICUS_ERROR_FILE_LIMIT, session->file, session->refusal_line,
                         "the %s builds a string longer than the limit of %d kB", session->kind, LONGEST_TEXT / 1024);
  case REFUSED_BY_SYSTEM:
  case REFUSED_NOTHING:
    break;
  }
  return picus_fail_at(session->context, PICUS_ERROR_MEMORY, session->file, session->refusal_line,
                       "out of memory while the %s runs", session->kind);
}

/* Calls a function of this file with the state that runs, in the C locale, whatever the host has set: numbers have
 * decimal points, strings are ordered by their bytes, and only the letters of ASCII have another case. The locale of
 * other threads does not change. */
static picus_status in_plain_locale(picus_lua *session, lua_State *L, picus_status (*call)(picus_lua *session)) {
  picus_plain_locale plain;
  if (!picus_locale_create(&plain))
    return picus_fail(session->context, PICUS_ERROR_MEMORY, "out of memory: cannot run the %s", session->kind);
  session->running = L;
  picus_locale_enter(&plain);
  const picus_status status = call(session);
  picus_locale_leave(&plain);
  picus_locale_destroy(&plain);
  session->running = NULL;
  return status;
}

/* Calls the function on the stack, which has no arguments and results. */
static picus_status call_protected(picus_lua *session) {
  lua_State *L = session->running;
  const picus_status status = report(session, lua_pcall(L, 0, 0, 1));
  lua_settop(L, 0);
  return status;
}

static picus_status protect(picus_lua *session, lua_CFunction function) {
  lua_pushcfunction(session->state, note_line); /* light C functions need no memory: these two pushes cannot fail */
  lua_pushcfunction(session->state, function);
  return in_plain_locale(session, session->state, call_protected);
}

/* Starts the coroutine, or continues where it paused. A failure leaves its stack as it was, so that its place is known.
 */
static picus_status resume(picus_lua *session) {
  int results;
  const int status = lua_resume(session->running, NULL, 0, &results);
  session->is_paused = status == LUA_YIELD;
  if (session->is_paused) return PICUS_OK;
  if (status != LUA_OK) session->error_place = picus_lua_here(session->running);
  return report(session, status);
}

picus_status picus_lua_open(picus_lua *session) {
  session->memory_start = picus_context_memory(session->context);
  session->seconds_start = picus_clock_thread();
  lua_State *L = lua_newstate(allocate, session);
  if (!L) {
    if (session->refusal != REFUSED_MEMORY)
      return picus_fail(session->context, PICUS_ERROR_MEMORY, "out of memory: cannot run the %s", session->kind);
    fail_memory(session, 0);
    return PICUS_ERROR_FILE_LIMIT;
  }
  *(picus_lua **)lua_getextraspace(L) = session;
  session->state = L;
  return protect(session, session->prepare);
}

picus_status picus_lua_compile(picus_lua *session) {
  session->seconds_start = picus_clock_thread();
  return protect(session, compile_text);
}

picus_status picus_lua_continue(picus_lua *session) {
  session->seconds_start = picus_clock_thread();
  return in_plain_locale(session, session->thread, resume);
}

picus_status picus_lua_run(picus_lua *session) {
  const picus_status status = picus_lua_compile(session);
  return status ? status : picus_lua_continue(session);
}

void picus_lua_close(picus_lua *session) {
  lua_State *L = session->state;
  session->state = NULL;
  if (L) lua_close(L); /* what it still does is no line of the file */
}
