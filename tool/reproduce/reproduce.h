/* picus reproduce: the tables and figures of papers as data. An item is one table or figure: commands, quantities taken
 * from their outputs, and the values that the paper prints. docs/reproduce.md describes the files. */
#ifndef PICUS_CLI_REPRODUCE_H
#define PICUS_CLI_REPRODUCE_H

#include "cli/cli.h"

#include "base/output_file.h"
#include "platform/processes.h"

#include <stddef.h>

/* --- quantities --------------------------------------------------------------------------------------------------- */

typedef enum quantity_kind {
  QUANTITY_NUMBER,   /* number X */
  QUANTITY_ROW,      /* row FILE COLUMN K, from 1; negative: from the end */
  QUANTITY_LAST,     /* last FILE COLUMN */
  QUANTITY_MAX,      /* max FILE COLUMN [FROM TO], and so on; FROM and TO limit t */
  QUANTITY_MIN,      /* */
  QUANTITY_PEAK,     /* largest absolute value */
  QUANTITY_MEAN,     /* */
  QUANTITY_RMS,      /* of the deviation from the mean */
  QUANTITY_SUM,      /* */
  QUANTITY_TURNS,    /* changes of sign */
  QUANTITY_CLIMB,    /* the largest increase since any earlier row */
  QUANTITY_AT,       /* at FILE COLUMN T, interpolated */
  QUANTITY_COUNT,    /* count FILE COLUMN above|below X [FROM TO]: rows */
  QUANTITY_FIRST,    /* first FILE COLUMN above|below X [FROM TO]: time */
  QUANTITY_UNTIL,    /* until FILE COLUMN above|below X [FROM TO]: last time */
  QUANTITY_TOGETHER, /* together FILE COLUMN,... above|below X [FROM TO]: the most columns in one row */
  QUANTITY_ORDER,    /* order FILE X Y[,Y...] [FROM TO]: slope of log max Y over log X; FROM and TO limit X */
  QUANTITY_EVENT,    /* event FILE LAW FROM TO K: time of the K-th switching point from one mode to the other */
  QUANTITY_EVENTS,   /* events FILE LAW: number of its switching points */
  QUANTITY_DISTINCT, /* distinct FILE COLUMN,... [FROM TO]: number of different combinations of their values */
  QUANTITY_NORM,  /* norm uniform|l1|l2 FILE REFERENCE COLUMN[,COLUMN...]: of all rows at common times; the largest */
  QUANTITY_ERROR, /* error uniform|l1|l2 FILE REFERENCE COLUMN[,COLUMN...]: the largest */
  QUANTITY_SPECTRAL,  /* spectral FILE REFERENCE COLUMN[,...]: spectral norm of the matrix of differences */
  QUANTITY_STATISTIC, /* statistic FILE NAME: of the run, as 'picus info' lists them */
  QUANTITY_PRINTED,   /* printed N LABEL K: K-th number after LABEL in the output of the N-th command */
  QUANTITY_CPU,       /* cpu N: CPU time of the N-th command, s */
  QUANTITY_KINDS
} quantity_kind;

typedef struct quantity_term {
  quantity_kind kind;
  int count; /* of arguments */
  char **arguments;
} quantity_term;

/* A term, or two: first + second, first - second, first / second, first * second. */
typedef struct quantity {
  quantity_term first, second;
  char operation; /* 0: first only */
} quantity;

/* --- items -------------------------------------------------------------------------------------------------------- */

typedef enum expectation { EXPECT_NEAR, EXPECT_ABOVE, EXPECT_BELOW, EXPECT_BETWEEN, EXPECT_SHOWN } expectation;

/* What a value is compared with. */
typedef enum reproduce_against {
  AGAINST_NUMBER,    /* a number that the paper prints */
  AGAINST_STATEMENT, /* a statement that the paper prints; the limit is chosen here */
  AGAINST_REFERENCE, /* a closed form, or another program or method */
  AGAINST_OWN,       /* another run of Picus */
  AGAINST_BOUND,     /* a limit that the paper does not print */
  AGAINST_NOTHING,   /* shown only */
  AGAINST_KINDS
} reproduce_against;

typedef struct reproduce_value {
  const char *label, *text; /* text: the quantity as written */
  quantity what;
  expectation expected;
  reproduce_against against;
  double a, b; /* near: value and absolute tolerance; between: limits */
  const char *paper, *reason;
  const char *limit;   /* where the limit comes from; NULL: not said */
  const char *unmoved; /* why no control makes it disagree; NULL: one must */
  int line;
} reproduce_value;

typedef struct reproduce_cell {
  const char *heading;
  quantity what;
} reproduce_cell;

/* A command of picus, a model file that is written, or a row added to a table. */
typedef struct reproduce_step {
  char *text; /* as written, with loops unrolled */
  int word_count;
  char **words; /* of a command; word 0 is picus; else NULL */
  int output_count;
  char **outputs;          /* the files that it writes, in the folder of the item; folders end with / */
  const char *model, *lua; /* of a model: its file and its text; else NULL */
  const char *table;       /* of a row: the CSV file; else NULL */
  int cell_count;
  reproduce_cell *cells;
  int line;
} reproduce_step;

typedef enum shown_kind { SHOWN_FIGURE, SHOWN_TABLE, SHOWN_OUTPUT } shown_kind;
typedef struct reproduce_shown {
  shown_kind kind;
  const char *file, *caption; /* output: file is the number of the command */
} reproduce_shown;

/* A variation of an item that must make it disagree: `from` is replaced by `to` in its commands. */
typedef struct reproduce_control {
  const char *what, *from, *to;
  struct reproduce_item *varied; /* the item with other commands; its id has the number of the control at its end */
  int line;
} reproduce_control;

typedef struct reproduce_item {
  int paper; /* index */
  const char *id, *place, *what, *cannot;
  int step_count, value_count, shown_count, note_count, assumed_count, control_count;
  reproduce_control *controls;
  reproduce_step *steps;
  reproduce_value *values;
  reproduce_shown *shown;
  const char **notes, **assumed;
  int line;
} reproduce_item;

typedef struct reproduce_paper {
  const char *id, *title;
} reproduce_paper;

/* A piece of memory of a table, in a list: its time does not depend on how many there are. */
typedef struct reproduce_block {
  struct reproduce_block *next;
  max_align_t memory[];
} reproduce_block;

typedef struct reproduce_table {
  const cli_command *(*find)(const char *name); /* the commands that items may call */
  int paper_count, item_count;
  reproduce_paper *papers;
  reproduce_item *items;
  reproduce_block *blocks; /* all memory of the table */
  size_t block_bytes;
  bool failed; /* out of memory, or beyond the limit of a table */
  bool is_too_large;
} reproduce_table;

/* Reads a text. An error is reported as NAME:LINE: message, and false returned. */
bool reproduce_read(reproduce_table *table, const char *name, const char *text, size_t length);
bool reproduce_read_file(reproduce_table *table, const char *path);
void reproduce_release(reproduce_table *table);
/* Memory of the table, zeroed; NULL and table->failed: there is none, for the reason of reproduce_no_memory. */
const char *reproduce_no_memory(const reproduce_table *table);
void *reproduce_take(reproduce_table *table, size_t count, size_t size);

/* NULL, or what is wrong with a control: it changes nothing, or a number by more than a factor of two. */
const char *reproduce_check_control(const reproduce_control *control);
/* text with every `from` replaced; *found: there was one. NULL: out of memory. */
char *reproduce_vary(reproduce_table *table, const char *text, const reproduce_control *control, bool *found);

/* Splits a line into words as a shell does: quotes, and braces as in a{1,2}.h5. NULL and a message in *wrong: it cannot
 * be split. */
char **reproduce_split(reproduce_table *table, const char *text, int *count, const char **wrong);
/* Reads a quantity from words; NULL, or what is wrong with it. */
const char *reproduce_read_quantity(int count, char **words, quantity *out);

/* --- running ------------------------------------------------------------------------------------------------------ */

typedef enum item_state { ITEM_WAITING, ITEM_RUNNING, ITEM_COMPLETE, ITEM_FAILED, ITEM_LEFT } item_state;
typedef struct reproduce_run {
  const reproduce_item *item;
  char *folder;
  item_state state;
  bool kept;       /* from an earlier call */
  int step;        /* being run, or where it failed */
  double *seconds; /* of each step */
  double *cpu;     /* of each step that is a command: CPU time, s */
  char reason[512];
  picus_process process;        /* of the command under way */
  picus_output_file streams[2]; /* its standard output and standard error */
  double begin;
} reproduce_run;

typedef struct reproduce_session {
  picus_context *context;
  const reproduce_table *table;
  const char *out, *tool; /* tool: path of the executable */
  char stamp[160];        /* version and build; results of another one are computed again */
  int jobs, count;
  reproduce_run *runs;
  bool quiet;
  bool controls;       /* the runs are those of controls */
  int without_control; /* items that can disagree and have none */
  cli_progress progress;
} reproduce_session;

enum { REPRODUCE_NAME_SIZE = 64 };
/* The file of an item for standard output (stream 0) or standard error (1) of its command `number`, from 1. */
void reproduce_stream_name(int number, int stream, char name[REPRODUCE_NAME_SIZE]);
/* Runs what is not complete. false: interrupted, or nothing can be run; already reported. */
bool reproduce_run_all(reproduce_session *session);

/* The value of a quantity from the files in the folder of a run; NAN and a message in reason: it has none. */
double reproduce_evaluate(picus_context *context, const reproduce_run *run, const quantity *what, char *reason,
                          size_t size);

/* --- verdicts and the report -------------------------------------------------------------------------------------- */

typedef enum verdict { VERDICT_AGREES, VERDICT_DIFFERS, VERDICT_CANNOT, VERDICT_WRONG, VERDICT_FAILED } verdict;
typedef struct reproduce_result {
  double *values; /* of the item */
  bool *within;
  char (*reasons)[512]; /* of values that are NAN */
  verdict verdict;
} reproduce_result;

const char *reproduce_verdict_text(verdict v);
/* Evaluates all values of a run. false: out of memory. Released by reproduce_result_release. */
bool reproduce_judge(picus_context *context, const reproduce_run *run, reproduce_result *out);
void reproduce_result_release(reproduce_result *result);
/* What a value is expected to be, as text. */
void reproduce_expectation_text(const reproduce_value *value, size_t size, char *text);
/* Values by what they are compared with, and how many of them have a limit at one side only. */
typedef struct reproduce_counts {
  int of[AGAINST_KINDS], agree[AGAINST_KINDS], one_sided;
  int chosen, explained; /* limits that the paper does not print: all, and those that say where they come from */
} reproduce_counts;
const char *reproduce_against_text(reproduce_against against);
reproduce_counts reproduce_count(const reproduce_session *session, const reproduce_result *results);
/* Is the item able to disagree? Without values that are judged it needs no control. */
bool reproduce_needs_control(const reproduce_item *item);
/* The number of values without a reason that are outside of their ranges. */
int reproduce_disagreeing(const reproduce_item *item, const reproduce_result *result);
/* Of the values that are judged and have no reason: how many there are in items with controls, how many of them a
 * control makes disagree, and how many of the others say why none does. */
typedef struct reproduce_coverage {
  int judged, moved, explained;
} reproduce_coverage;
reproduce_coverage reproduce_cover(const reproduce_session *session, const reproduce_result *results);
/* The controls and what they make disagree, as Markdown. */
void reproduce_write_controls(FILE *file, const reproduce_session *session, const reproduce_result *results);
/* The report as HTML, and its digest as Markdown. */
void reproduce_write_report(FILE *file, const reproduce_session *session, const reproduce_result *results);
void reproduce_write_digest(FILE *file, const reproduce_session *session, const reproduce_result *results);

#endif
