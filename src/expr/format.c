/* Expressions as text. A graph with shared parts may represent a text of astronomical length: lengths are computed node
 * by node, and writing stops at the end of the buffer. */
#include "expr/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int picus_format_number(double value, char text[PICUS_NUMBER_TEXT_SIZE]) {
  int length = 0;
  for (int digits = 15; digits <= 17; digits++) {
    length = snprintf(text, PICUS_NUMBER_TEXT_SIZE, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  for (char *c = text; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '+' && *c != '-')
      *c = '.'; /* regardless of the decimal mark of the locale */
  return length;
}

/* How tightly operations bind, loosest first. */
enum { BINDS_OR, BINDS_AND, BINDS_COMPARE, BINDS_ADD, BINDS_MULTIPLY, BINDS_UNARY, BINDS_POWER, BINDS_ATOM };

static int binding(const picus_node *node) {
  switch ((picus_op)node->op) {
  case PICUS_OR:
    return BINDS_OR;
  case PICUS_AND:
    return BINDS_AND;
  case PICUS_LESS:
  case PICUS_LESS_EQUAL:
  case PICUS_EQUAL:
    return BINDS_COMPARE;
  case PICUS_ADD:
  case PICUS_SUBTRACT:
    return BINDS_ADD;
  case PICUS_MULTIPLY:
  case PICUS_DIVIDE:
    return BINDS_MULTIPLY;
  case PICUS_NEGATE:
  case PICUS_NOT:
    return BINDS_UNARY;
  case PICUS_POWER:
    return BINDS_POWER;
  case PICUS_NUMBER:
    return node->value < 0 ? BINDS_UNARY : BINDS_ATOM;
  default:
    return BINDS_ATOM;
  }
}

/* Functions f(a, b) need no parentheses around their arguments. */
static bool is_infix_or_prefix(picus_op op) {
  return op == PICUS_NEGATE || op == PICUS_NOT || (op >= PICUS_ADD && op <= PICUS_POWER) ||
         (op >= PICUS_LESS && op <= PICUS_OR);
}

/* Whether argument k must be written in parentheses. On the right-hand side a + (b - c) may be written without, and so
 * may a * (b / c); nothing else may, and nothing that starts with a minus. */
static bool needs_parentheses(const picus_pool *pool, const picus_node *node, int k) {
  const picus_node *argument = picus_node_at(pool, node->argument[k]);
  picus_op op = (picus_op)node->op;
  int outer = binding(node), inner = binding(argument);
  if (!is_infix_or_prefix(op)) return false;
  if (op == PICUS_POWER) return k == 0 ? inner != BINDS_ATOM : inner < BINDS_UNARY || argument->op == PICUS_NEGATE;
  if (op == PICUS_NEGATE || op == PICUS_NOT) return inner <= BINDS_UNARY;
  if (outer == BINDS_COMPARE) return inner <= BINDS_COMPARE;
  if (k == 0) return inner < outer;
  if (op == PICUS_SUBTRACT || op == PICUS_DIVIDE) return inner <= outer || inner == BINDS_UNARY;
  return inner < outer || inner == BINDS_UNARY;
}

/* x + (-3) is written x - 3. */
static bool is_minus_number(const picus_pool *pool, const picus_node *node) {
  const picus_node *right = picus_node_at(pool, node->argument[1]);
  return node->op == PICUS_ADD && right->op == PICUS_NUMBER && right->value < 0;
}

/* The text of a node as pieces: literal text before, between and after its arguments. Of a table only x is shown. */
static int shown_arity(const picus_node *node) {
  return node->op == PICUS_TABLE ? 1 : picus_op_arity((picus_op)node->op);
}

static const char *opening(const picus_pool *pool, const picus_node *node) {
  static const char *const tables[] = {"table", "table'", "table''", "table'''"};
  picus_op op = (picus_op)node->op;
  const int order = op == PICUS_TABLE ? (int)pool->nodes[node->argument[2]].value % PICUS_TABLE_ORDERS : 0;
  if (op == PICUS_TABLE) return order < 4 ? tables[order] : "distance";
  if (op == PICUS_NEGATE) return "-";
  if (op == PICUS_NOT) return "not ";
  return is_infix_or_prefix(op) ? "" : picus_op_name(op);
}

static const char *separator(const picus_pool *pool, const picus_node *node) {
  if (!is_infix_or_prefix((picus_op)node->op)) return ", ";
  switch ((picus_op)node->op) {
  case PICUS_ADD:
    return is_minus_number(pool, node) ? " - " : " + ";
  case PICUS_SUBTRACT:
    return " - ";
  case PICUS_MULTIPLY:
    return "*";
  case PICUS_DIVIDE:
    return "/";
  case PICUS_POWER:
    return "^";
  case PICUS_LESS:
    return " < ";
  case PICUS_LESS_EQUAL:
    return " <= ";
  case PICUS_EQUAL:
    return " == ";
  case PICUS_AND:
    return " and ";
  default:
    return " or ";
  }
}

/* Number or name. */
static const char *leaf_text(const picus_pool *pool, const picus_node *node, char text[PICUS_NUMBER_TEXT_SIZE]) {
  if (node->op == PICUS_VARIABLE) return pool->variable_names[node->argument[0]];
  picus_format_number(node->value, text);
  return text;
}

static size_t saturated_sum(size_t a, size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }

/* Lengths of the texts of an expression and of all its parts. The other expressions of the pool are left out, which may
 * have many thousands of times their number. */
typedef struct text_lengths {
  picus_id_map places; /* of a node in lengths */
  picus_id_stack nodes;
  size_t *lengths;
} text_lengths;

static size_t length_of(const text_lengths *all, int32_t id) {
  return all->lengths[picus_id_map_get(&all->places, (uint64_t)id)];
}

static size_t text_length(const picus_pool *pool, const picus_node *node, const text_lengths *all) {
  char number[PICUS_NUMBER_TEXT_SIZE];
  int arity = shown_arity(node);
  if (arity == 0) return strlen(leaf_text(pool, node, number));
  size_t length = strlen(opening(pool, node)) + (is_infix_or_prefix((picus_op)node->op) ? 0 : 2);
  for (int k = 0; k < arity; k++) {
    length = saturated_sum(length, length_of(all, node->argument[k]));
    if (k > 0) length = saturated_sum(length, strlen(separator(pool, node)));
    if (k == 1 && is_minus_number(pool, node))
      length--;
    else if (needs_parentheses(pool, node, k))
      length = saturated_sum(length, 2);
  }
  return length;
}

static picus_status note_node(picus_context *context, text_lengths *all, int32_t id) {
  if (picus_id_map_get(&all->places, (uint64_t)id) >= 0) return PICUS_OK;
  picus_status status = picus_id_map_put(context, &all->places, (uint64_t)id, (int32_t)all->nodes.count);
  return status ? status : picus_id_stack_push(context, &all->nodes, id);
}

static picus_status list_nodes(const picus_pool *pool, int32_t id, text_lengths *all) {
  picus_status status = note_node(pool->context, all, id);
  for (size_t next = 0; !status && next < all->nodes.count; next++) {
    const picus_node *node = picus_node_at(pool, all->nodes.ids[next]);
    for (int k = 0; !status && k < shown_arity(node); k++) status = note_node(pool->context, all, node->argument[k]);
  }
  return status;
}

static int compare_ids(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* The length of the whole text; 0: no memory. Arguments have smaller ids than the nodes that use them. */
static size_t whole_length(const picus_pool *pool, int32_t id) {
  text_lengths all = {0};
  size_t length = 0;
  picus_status status = list_nodes(pool, id, &all);
  if (!status) all.lengths = picus_allocate(pool->context, all.nodes.count, sizeof *all.lengths);
  if (all.lengths && all.nodes.ids) {
    qsort(all.nodes.ids, all.nodes.count, sizeof *all.nodes.ids, compare_ids);
    for (size_t k = 0; k < all.nodes.count; k++) {
      const int32_t node = all.nodes.ids[k];
      length = text_length(pool, picus_node_at(pool, node), &all);
      all.lengths[picus_id_map_get(&all.places, (uint64_t)node)] = length;
    }
  }
  picus_release(pool->context, all.lengths);
  picus_release(pool->context, all.nodes.ids);
  picus_id_map_clear(pool->context, &all.places);
  return length;
}

/* ---- writing */

typedef struct writer {
  char *buffer;
  size_t size, length; /* length without the terminator, at most size - 1 */
} writer;

static void put(writer *to, const char *text) {
  while (*text && to->length + 1 < to->size) to->buffer[to->length++] = *text++;
}

/* Remaining work: from piece number `piece` of a node on. Piece k precedes argument k; the last piece closes. */
typedef struct open_node {
  int32_t id;
  int piece;
} open_node;

typedef struct open_stack {
  open_node *open;
  size_t count, capacity;
} open_stack;

static picus_status push(picus_context *context, open_stack *stack, int32_t id) {
  if (picus_grow(context, &stack->open, stack->count, &stack->capacity, sizeof *stack->open)) return PICUS_ERROR_MEMORY;
  stack->open[stack->count++] = (open_node){id, 0};
  return PICUS_OK;
}

/* Writes the next piece of the node on top of the stack. */
static picus_status write_piece(const picus_pool *pool, open_stack *stack, writer *to) {
  open_node *top = &stack->open[stack->count - 1];
  const picus_node *node = picus_node_at(pool, top->id);
  int arity = shown_arity(node), k = top->piece++;
  char number[PICUS_NUMBER_TEXT_SIZE];
  if (arity == 0) {
    put(to, leaf_text(pool, node, number));
    stack->count--;
    return PICUS_OK;
  }
  bool is_function = !is_infix_or_prefix((picus_op)node->op);
  /* before the k-th argument: close the one before, unless it was written as the number of a difference */
  if (k == 0) {
    put(to, opening(pool, node));
    if (is_function) put(to, "(");
  } else if (!(k == 2 && is_minus_number(pool, node)) && needs_parentheses(pool, node, k - 1)) {
    put(to, ")");
  }
  if (k == arity) {
    if (is_function) put(to, ")");
    stack->count--;
    return PICUS_OK;
  }
  if (k > 0) put(to, separator(pool, node));
  if (k == 1 && is_minus_number(pool, node)) { /* x + (-2) is written x - 2 */
    picus_format_number(-picus_node_at(pool, node->argument[1])->value, number);
    put(to, number);
    return PICUS_OK;
  }
  if (needs_parentheses(pool, node, k)) put(to, "(");
  return push(pool->context, stack, node->argument[k]);
}

static void write_text(const picus_pool *pool, int32_t id, writer *to) {
  open_stack stack = {0};
  picus_status status = push(pool->context, &stack, id);
  while (!status && stack.count > 0 && to->length + 1 < to->size) status = write_piece(pool, &stack, to);
  picus_release(pool->context, stack.open);
}

size_t picus_expr_format(const picus_pool *pool, picus_expr expr, char *buffer, size_t size) {
  writer to = {buffer, size, 0};
  if (size > 0) buffer[0] = '\0';
  if (expr.id <= 0 || expr.id >= pool->count) {
    put(&to, "invalid");
    if (size > 0) buffer[to.length] = '\0';
    return strlen("invalid");
  }
  const size_t length = whole_length(pool, expr.id);
  if (length == 0) return 0;
  if (size > 0) {
    write_text(pool, expr.id, &to);
    buffer[to.length] = '\0';
  }
  return length;
}
