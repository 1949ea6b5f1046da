/* Lua in a sandbox: one session per file that runs, its values and tables. src/model_file gives it the words of model
 * files and of study files. Nothing else in Picus uses Lua.
 *
 * All these functions run inside one lua_pcall. A failure stores its message on the context, with file and line, and
 * unwinds to that call with a marker instead of a text; memory that must survive an error belongs to the model, memory
 * that must not belongs to Lua. Model files have no pcall, so nothing can catch a failure on the way. */
#ifndef PICUS_LUA_INTERNAL_H
#define PICUS_LUA_INTERNAL_H

#include "base/file_names.h"
#include "base/internal.h"
#include "platform/files.h"

#include <lauxlib.h>
#include <lua.h>
#include <picus/model.h>

typedef enum picus_lua_refusal { REFUSED_NOTHING, REFUSED_MEMORY, REFUSED_TEXT, REFUSED_BY_SYSTEM } picus_lua_refusal;

enum { PICUS_INCLUDES_MOST = 16 }; /* files that include each other */

/* A line of the model file or of an included one. */
typedef struct picus_lua_place {
  const char *file, *text;
  int line; /* 0: unknown */
} picus_lua_place;

/* A parameter that varies from load to load. */
typedef struct picus_lua_varied {
  const char *name;
  bool is_integer; /* as an integer of Lua, where its value is one */
} picus_lua_varied;

typedef struct picus_lua {
  picus_context *context;
  picus_model *model;
  lua_State *state;
  lua_State *thread;  /* the coroutine of the text */
  lua_State *running; /* one of the two, or NULL */
  int varied_count;
  picus_lua_varied *varied;
  bool has_read;  /* the file has read one of them, or is about to, */
  bool is_paused; /* and waits before it */
  const char *file;
  const char *kind;                  /* "model file", for messages */
  lua_CFunction prepare;             /* gives the state its words */
  struct picus_study_file *study;    /* NULL: this is a model file */
  const char *text;                  /* of the file, or of the piece of it that runs */
  const char *folder;                /* of the file, for the files that it names; NULL: there is no file */
  const picus_load_options *options; /* NULL: none */

  size_t memory_limit, memory_start; /* bytes; held by the context before */
  uint64_t instruction_limit, instructions;
  uint64_t unclocked;        /* instructions since the clock was read */
  double seconds_start;      /* CPU time of the calling thread */
  picus_lua_refusal refusal; /* why the last allocation failed, and at which line */
  int refusal_line;
  picus_status status;                /* of our own failure */
  picus_lua_place error_place;        /* of Lua's last error; line 0: unknown */
  long includes[PICUS_INCLUDES_MOST]; /* numbers of the files that are being included, among those that the model keeps
                                       */
  int include_count;
  bool named;     /* model "..." was given */
  int stop_count; /* of stop_when */

  /* Tables in Lua's registry: [i] = name, [name] = value, in the order of definition. */
  int parameters, coordinates, velocities, inputs;
  int coordinate_view, velocity_view; /* the views of the file: q and u */
  int bodies;                         /* bodies and frames, as above */
  bool has_gravity;                   /* gravity { ... } was given: also for later bodies */
  int gravity_count;                  /* its entries: 2 or 3 */
  double gravity[3];
} picus_lua;

/* sandbox.c: the state with its limits. */
picus_lua *picus_lua_session(lua_State *L);
/* Creates the state; runs the text in it; ends it, also after a failure. PICUS_OK or the failure, with its message on
 * the context. */
picus_status picus_lua_open(picus_lua *session);
picus_status picus_lua_run(picus_lua *session);
/* The two halves of a run. The second one may pause where the file first reads a parameter that varies: then it is
 * called again. */
picus_status picus_lua_compile(picus_lua *session);
picus_status picus_lua_continue(picus_lua *session);
void picus_lua_close(picus_lua *session);
/* Fails at the line of the file that is running. Never returns; the int is for "return picus_lua_fail(...)". */
int picus_lua_fail(lua_State *L, picus_status status, const char *format, ...) PICUS_PRINTF(3, 4);
/* Raises the failure of a builder function unless status is PICUS_OK. */
void picus_lua_require(lua_State *L, picus_status status);
/* Gives the line that is running to the model, for all that is defined next. */
picus_model *picus_lua_model_here(lua_State *L);
/* Counts work that C code does for the file as instructions. */
void picus_lua_charge(lua_State *L, uint64_t instructions);
/* Fails if the context exceeds the memory limit of the file. */
void picus_lua_check_memory(lua_State *L);
/* That it is text, of the file `name`. */
picus_status picus_lua_check_text(picus_context *context, const char *name, const char *text, size_t length);
picus_lua_place picus_lua_here(lua_State *L); /* what is running */
void picus_lua_open_include(lua_State *L);

/* powers.c: pushes a value that holds the text, and returns it with a^b written as a call of a function of Picus, which
 * computes the same on all machines. */
const char *picus_lua_own_powers(lua_State *L, const char *text, size_t *length);
void picus_lua_open_powers(lua_State *L);

/* libraries.c: the permitted part of Lua's libraries. */
void picus_lua_open_libraries(lua_State *L);
/* Pushes a sequence of the keys of the table at index: numbers rising, then strings in the order of their bytes, so
 * that a file does the same in every run (Lua's own order changes from run to run). Returns their count. */
int picus_lua_sorted_keys(lua_State *L, int index);
/* Pushes a value as text. Lua shows tables, functions and the like by their addresses, which differ from run to run;
 * this shows their type alone. */
const char *picus_lua_push_text(lua_State *L, int index);
/* "; did you mean 'x'?" (or "") after a name that is not in the sequence of texts at index; at most size bytes. */
void picus_lua_suggest(lua_State *L, int index, const char *name, char *sentence, size_t size);

/* expressions.c: symbolic values and their functions, t, pi. */
void picus_lua_open_expressions(lua_State *L);
void picus_lua_push_expr(lua_State *L, picus_expr expr);
/* The number or expression at index as an expression; what: its name in the message, "'gap' of contact 'beak'". */
picus_expr picus_lua_to_expr(lua_State *L, int index, const char *what);
double picus_lua_to_number(lua_State *L, int index, const char *what);
const char *picus_lua_to_text(lua_State *L, int index, const char *what);
/* Bodies as values, which the words of model files make. */
extern const char picus_lua_body_type[];
bool picus_lua_is_body(lua_State *L, int index);
/* "a number", "a text", "a formula", "nil", ... */
const char *picus_lua_type_text(lua_State *L, int index);

/* fields.c: reading the tables that definitions are given in. */
typedef struct picus_lua_table {
  lua_State *L;
  int index;
  char title[96]; /* "contact 'beak'" */
} picus_lua_table;
/* The table that is the only argument of a definition; word is its name in the file. */
picus_lua_table picus_lua_argument_table(lua_State *L, const char *word, const char *usage);
/* The keyword KEYWORD { coordinate = expression, ... }: hands each expression to the model, in the order of the names.
 * subject: "the force on", for messages. */
typedef picus_status (*picus_lua_set_fn)(picus_model *model, const char *coordinate, picus_expr value);
int picus_lua_set_each(lua_State *L, const char *keyword, const char *subject, picus_lua_set_fn set);
/* The table at index inside another definition. */
picus_lua_table picus_lua_inner_table(lua_State *L, int index, const char *title);
/* The text at position 1 becomes part of the title: "contact 'beak'". */
const char *picus_lua_table_name(picus_lua_table *table);
/* Fails for a key that is not among known (ended by NULL) or a position beyond positions. */
void picus_lua_check_keys(const picus_lua_table *table, int positions, const char *const *known);
/* Optional entries: false or NULL if the table has none. */
bool picus_lua_has(const picus_lua_table *table, const char *key);
bool picus_lua_get_number(const picus_lua_table *table, const char *key, double *value);
/* A text, or a list of 1 to limit texts, which the table holds; returns their number. */
int picus_lua_get_texts(const picus_lua_table *table, const char *key, int limit, const char **texts);
/* A number, or an expression in its place. */
bool picus_lua_get_coefficient(const picus_lua_table *table, const char *key, double *value, picus_expr *formula);
bool picus_lua_get_expr(const picus_lua_table *table, const char *key, picus_expr *expr);
/* impact = "poisson" */
void picus_lua_get_impact(const picus_lua_table *table, picus_impact_law *impact);
const char *picus_lua_get_text(const picus_lua_table *table, const char *key);
/* A formula or a list of formulas; returns their number, at most limit. */
int picus_lua_get_exprs(const picus_lua_table *table, const char *key, int limit, picus_expr *exprs);

/* A list of numbers of at most `most` entries; returns their number, 0: there is none. */
int picus_lua_get_numbers(const picus_lua_table *table, const char *key, int least, int most, double *numbers);

/* The path of a file that a definition names, which must be in the folder of the model file or below it, links
 * followed. */
void picus_lua_find_file(const picus_lua_table *table, const char *name, char found[PICUS_PATH_SIZE]);
/* The bytes of a file, from the folder of the model file or as they were given, and its path for messages. The model
 * keeps them. */
picus_model_file picus_lua_read_file(const picus_lua_table *table, const char *name, char path[PICUS_PATH_SIZE]);

#endif
