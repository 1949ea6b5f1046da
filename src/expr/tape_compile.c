/* From expressions to a flat program: every node that is needed is computed once, in the first stage that needs it. */
#include "expr/tape.h"

#include <string.h>

/* Compiler data of the nodes, arrays over ids. */
typedef struct compiler {
  const picus_pool *pool;
  picus_tape *tape;
  int32_t node_count;
  int32_t *stage;           /* the first stage that needs the node; stage_count: none does */
  int32_t *uses;            /* by other nodes; outputs count more than once, so that they are never absorbed */
  int32_t *place;           /* the register */
  bool *absorbed;           /* computed by the instruction of the only node that uses it */
  tape_instruction *chosen; /* with ids in place of registers */
} compiler;

static int arity_of(const picus_node *node) { return picus_op_arity((picus_op)node->op); }

/* ---- what is needed, and when */

static picus_status check_outputs(picus_pool *pool, int stage_count, const picus_tape_stage *stages, int32_t *outputs) {
  *outputs = 0;
  if (stage_count < 0)
    return picus_fail(pool->context, PICUS_ERROR_ARGUMENT, "a tape cannot have %d stages", stage_count);
  for (int k = 0; k < stage_count; k++) {
    if (stages[k].count < 0 || stages[k].count > INT32_MAX - *outputs)
      return picus_fail(pool->context, PICUS_ERROR_ARGUMENT, "stage %d of a tape cannot have %d outputs", k,
                        stages[k].count);
    *outputs += stages[k].count;
    for (int i = 0; i < stages[k].count; i++)
      if (!picus_pool_owns(pool, stages[k].outputs[i].id)) return picus_pool_report(pool);
  }
  return PICUS_OK;
}

static void mark_outputs(compiler *with, const picus_tape_stage *stages) {
  int stage_count = with->tape->stage_count;
  for (int32_t id = 0; id < with->node_count; id++) with->stage[id] = stage_count;
  for (int k = stage_count - 1; k >= 0; k--)
    for (int i = 0; i < stages[k].count; i++) {
      with->stage[stages[k].outputs[i].id] = k;
      with->uses[stages[k].outputs[i].id] = 2;
    }
}

static void mark_arguments(compiler *with) {
  for (int32_t id = with->node_count - 1; id >= 0; id--) {
    if (with->stage[id] == with->tape->stage_count) continue;
    const picus_node *node = picus_node_at(with->pool, id);
    for (int k = 0; k < arity_of(node); k++) {
      int32_t argument = node->argument[k];
      if (with->uses[argument] < INT32_MAX) with->uses[argument]++;
      if (with->stage[argument] > with->stage[id]) with->stage[argument] = with->stage[id];
    }
  }
}

/* ---- instructions that do two operations */

static bool is_op(const compiler *with, int32_t id, picus_op op) { return picus_op_at(with->pool, id) == op; }

/* A product, sum, difference or comparison that only one other node uses may be computed within that one. */
static bool may_absorb(const compiler *with, int32_t id, picus_op op) {
  return is_op(with, id, op) && with->uses[id] == 1 && !with->absorbed[id];
}

static tape_instruction combine(compiler *with, int op, int32_t inner, int32_t c, int32_t d) {
  const picus_node *node = picus_node_at(with->pool, inner);
  with->absorbed[inner] = true;
  return (tape_instruction){op, node->argument[0], node->argument[1], c, d};
}

static tape_instruction combine_both(compiler *with, int op, int32_t left, int32_t right) {
  const picus_node *node = picus_node_at(with->pool, right);
  with->absorbed[right] = true;
  return combine(with, op, left, node->argument[0], node->argument[1]);
}

static tape_instruction plain(const compiler *with, int32_t id) {
  const picus_node *node = picus_node_at(with->pool, id);
  return (tape_instruction){node->op, node->argument[0], node->argument[1], node->argument[2], -1};
}

/* Operations on a product: other + a b, a b - other, other - a b, other * a b. */
typedef enum product_use {
  PRODUCT_ADD,
  PRODUCT_SUBTRACT,
  SUBTRACT_PRODUCT,
  PRODUCT_MULTIPLY,
  PRODUCT_USES
} product_use;

/* Instructions for a product with another operand; one factor of the product may be an operation as well. */
static tape_instruction combine_product(compiler *with, product_use use, int32_t product, int32_t other) {
  static const int plain_op[PRODUCT_USES] = {TAPE_MULTIPLY_ADD, TAPE_MULTIPLY_SUBTRACT, TAPE_SUBTRACT_MULTIPLY,
                                             TAPE_MULTIPLY_MULTIPLY};
  static const struct {
    picus_op inner;
    int op[PRODUCT_USES];
  } nested[] = {
      {PICUS_MULTIPLY,
       {TAPE_PRODUCT_MULTIPLY_ADD, TAPE_PRODUCT_MULTIPLY_SUBTRACT, TAPE_SUBTRACT_PRODUCT_MULTIPLY,
        TAPE_PRODUCT_MULTIPLY_MULTIPLY}},
      {PICUS_ADD,
       {TAPE_SUM_MULTIPLY_ADD, TAPE_SUM_MULTIPLY_SUBTRACT, TAPE_SUBTRACT_SUM_MULTIPLY, TAPE_SUM_MULTIPLY_MULTIPLY}},
      {PICUS_SUBTRACT,
       {TAPE_DIFFERENCE_MULTIPLY_ADD, TAPE_DIFFERENCE_MULTIPLY_SUBTRACT, TAPE_SUBTRACT_DIFFERENCE_MULTIPLY,
        TAPE_DIFFERENCE_MULTIPLY_MULTIPLY}}};
  for (size_t n = 0; n < sizeof nested / sizeof *nested; n++)
    for (int k = 0; k < 2; k++) {
      int32_t factor = picus_argument_at(with->pool, product, k);
      if (!may_absorb(with, factor, nested[n].inner)) continue;
      with->absorbed[product] = true;
      return combine(with, nested[n].op[use], factor, picus_argument_at(with->pool, product, 1 - k), other);
    }
  return combine(with, plain_op[use], product, other, -1);
}

static tape_instruction choose_sum(compiler *with, int32_t id) {
  int32_t a = picus_argument_at(with->pool, id, 0), b = picus_argument_at(with->pool, id, 1);
  bool product_a = may_absorb(with, a, PICUS_MULTIPLY), product_b = may_absorb(with, b, PICUS_MULTIPLY);
  if (product_a && product_b) return combine_both(with, TAPE_MULTIPLY_ADD_MULTIPLY, a, b);
  if (product_a) return combine_product(with, PRODUCT_ADD, a, b);
  if (product_b) return combine_product(with, PRODUCT_ADD, b, a);
  if (may_absorb(with, a, PICUS_ADD)) return combine(with, TAPE_SUM_ADD, a, b, -1);
  if (may_absorb(with, b, PICUS_ADD)) return combine(with, TAPE_SUM_ADD, b, a, -1);
  if (may_absorb(with, a, PICUS_SUBTRACT)) return combine(with, TAPE_DIFFERENCE_ADD, a, b, -1);
  if (may_absorb(with, b, PICUS_SUBTRACT)) return combine(with, TAPE_DIFFERENCE_ADD, b, a, -1);
  return plain(with, id);
}

static tape_instruction choose_difference(compiler *with, int32_t id) {
  int32_t a = picus_argument_at(with->pool, id, 0), b = picus_argument_at(with->pool, id, 1);
  bool product_a = may_absorb(with, a, PICUS_MULTIPLY), product_b = may_absorb(with, b, PICUS_MULTIPLY);
  if (product_a && product_b) return combine_both(with, TAPE_MULTIPLY_SUBTRACT_MULTIPLY, a, b);
  if (product_a) return combine_product(with, PRODUCT_SUBTRACT, a, b);
  if (product_b) return combine_product(with, SUBTRACT_PRODUCT, b, a);
  if (may_absorb(with, a, PICUS_ADD)) return combine(with, TAPE_SUM_SUBTRACT, a, b, -1);
  if (may_absorb(with, a, PICUS_SUBTRACT)) return combine(with, TAPE_DIFFERENCE_SUBTRACT, a, b, -1);
  return plain(with, id);
}

static tape_instruction choose_product(compiler *with, int32_t id) {
  int32_t a = picus_argument_at(with->pool, id, 0), b = picus_argument_at(with->pool, id, 1);
  if (may_absorb(with, a, PICUS_MULTIPLY)) return combine_product(with, PRODUCT_MULTIPLY, a, b);
  if (may_absorb(with, b, PICUS_MULTIPLY)) return combine_product(with, PRODUCT_MULTIPLY, b, a);
  if (may_absorb(with, a, PICUS_ADD)) return combine(with, TAPE_SUM_MULTIPLY, a, b, -1);
  if (may_absorb(with, b, PICUS_ADD)) return combine(with, TAPE_SUM_MULTIPLY, b, a, -1);
  if (may_absorb(with, a, PICUS_SUBTRACT)) return combine(with, TAPE_DIFFERENCE_MULTIPLY, a, b, -1);
  if (may_absorb(with, b, PICUS_SUBTRACT)) return combine(with, TAPE_DIFFERENCE_MULTIPLY, b, a, -1);
  return plain(with, id);
}

static tape_instruction choose_power(const compiler *with, int32_t id) {
  int32_t a = picus_argument_at(with->pool, id, 0), b = picus_argument_at(with->pool, id, 1);
  int whole;
  bool half;
  if (!picus_is_number(with->pool, b) || !picus_multiplied_power(picus_node_at(with->pool, b)->value, &whole, &half))
    return plain(with, id);
  if (half) return whole < 0 ? plain(with, id) : (tape_instruction){TAPE_HALF_POWER, a, whole, -1, -1};
  return (tape_instruction){whole == 3 ? TAPE_CUBE : TAPE_INTEGER_POWER, a, whole, -1, -1};
}

static tape_instruction choose_when(compiler *with, int32_t id) {
  const picus_node *node = picus_node_at(with->pool, id);
  int32_t condition = node->argument[0];
  if (may_absorb(with, condition, PICUS_LESS))
    return combine(with, TAPE_WHEN_LESS, condition, node->argument[1], node->argument[2]);
  if (may_absorb(with, condition, PICUS_LESS_EQUAL))
    return combine(with, TAPE_WHEN_LESS_EQUAL, condition, node->argument[1], node->argument[2]);
  return plain(with, id);
}

/* The instruction for a node, with ids in place of registers. Marks the nodes it absorbs. */
static tape_instruction choose_instruction(compiler *with, int32_t id) {
  switch (picus_op_at(with->pool, id)) {
  case PICUS_ADD:
    return choose_sum(with, id);
  case PICUS_SUBTRACT:
    return choose_difference(with, id);
  case PICUS_MULTIPLY:
    return choose_product(with, id);
  case PICUS_POWER:
    return choose_power(with, id);
  case PICUS_WHEN:
    return choose_when(with, id);
  case PICUS_NEGATE: {
    int32_t a = picus_argument_at(with->pool, id, 0);
    if (may_absorb(with, a, PICUS_MULTIPLY)) return combine(with, TAPE_NEGATE_MULTIPLY, a, -1, -1);
    return plain(with, id);
  }
  default:
    return plain(with, id);
  }
}

/* ---- the program */

enum { WANTED = -1 }; /* the place of a constant that is needed, before it has one */

static bool has_instruction(const compiler *with, int32_t id) {
  bool needed = with->stage[id] < with->tape->stage_count;
  return needed && arity_of(picus_node_at(with->pool, id)) > 0 && !with->absorbed[id];
}

/* Users before their operands, so that an absorbed node does not absorb in turn. */
static void absorb(compiler *with) {
  for (int32_t id = with->node_count - 1; id >= 0; id--)
    if (has_instruction(with, id)) with->chosen[id] = choose_instruction(with, id);
}

static void want_constant(compiler *with, int32_t id) {
  if (id >= 0 && picus_is_number(with->pool, id)) with->place[id] = WANTED;
}

static bool has_immediate(int32_t op) { return op == TAPE_INTEGER_POWER || op == TAPE_HALF_POWER || op == TAPE_CUBE; }

/* Constants that an instruction or an output refers to; an exponent within an instruction is none. */
static void mark_constants(compiler *with, const picus_tape_stage *stages) {
  for (int32_t id = 0; id < with->node_count; id++) {
    if (!has_instruction(with, id)) continue;
    const tape_instruction *chosen = &with->chosen[id];
    want_constant(with, chosen->a);
    if (!has_immediate(chosen->op)) want_constant(with, chosen->b);
    want_constant(with, chosen->c);
    want_constant(with, chosen->d);
  }
  for (int k = 0; k < with->tape->stage_count; k++)
    for (int i = 0; i < stages[k].count; i++) want_constant(with, stages[k].outputs[i].id);
}

static picus_status place_constants(compiler *with) {
  picus_tape *tape = with->tape;
  int32_t count = 0;
  for (int32_t id = 0; id < with->node_count; id++) count += with->place[id] == WANTED;
  tape->constants = picus_allocate(tape->context, (size_t)count, sizeof *tape->constants);
  if (!tape->constants) return PICUS_ERROR_MEMORY;
  for (int32_t id = 0; id < with->node_count; id++) {
    if (with->place[id] != WANTED) continue;
    tape->constants[tape->constant_count] = picus_node_at(with->pool, id)->value;
    with->place[id] = tape->variable_count + tape->constant_count++;
  }
  tape->first_result = tape->variable_count + tape->constant_count;
  return PICUS_OK;
}

static int32_t place_of(const compiler *with, int32_t id) { return id < 0 ? 0 : with->place[id]; }

static tape_instruction with_registers(const compiler *with, tape_instruction chosen) {
  return (tape_instruction){chosen.op, place_of(with, chosen.a),
                            has_immediate(chosen.op) ? chosen.b : place_of(with, chosen.b), place_of(with, chosen.c),
                            place_of(with, chosen.d)};
}

/* The cosine of a sine's argument, or the sine of a cosine's, if the tape computes it; -1: none. */
static int32_t partner_of(const compiler *with, int32_t id) {
  const picus_op op = picus_op_at(with->pool, id);
  if (op != PICUS_SIN && op != PICUS_COS) return -1;
  const int32_t argument = picus_argument_at(with->pool, id, 0);
  const int32_t other = picus_find_unary(with->pool, op == PICUS_SIN ? PICUS_COS : PICUS_SIN, argument);
  return other >= 0 && has_instruction(with, other) ? other : -1;
}

/* Both are computed in the first stage that needs one of them: together they cost little more than one alone. */
static void join_pairs(compiler *with) {
  for (int32_t id = 0; id < with->node_count; id++) {
    if (!has_instruction(with, id)) continue;
    const int32_t partner = partner_of(with, id);
    if (partner >= 0 && with->stage[partner] < with->stage[id]) with->stage[id] = with->stage[partner];
  }
}

static void place_instruction(compiler *with, int32_t id, int32_t k) {
  with->place[id] = with->tape->first_result + k;
  with->tape->instructions[k] = with_registers(with, with->chosen[id]);
}

/* The node, unless it is there already; of a pair of sine and cosine both, one after the other. */
static void place_next(compiler *with, int32_t id, int32_t *next) {
  const int32_t partner = partner_of(with, id);
  if (partner < 0) {
    place_instruction(with, id, (*next)++);
    return;
  }
  if (partner < id) return;
  const bool sine_first = picus_op_at(with->pool, id) == PICUS_SIN;
  place_instruction(with, sine_first ? id : partner, *next);
  with->tape->instructions[*next].op = TAPE_SIN_COS;
  place_instruction(with, sine_first ? partner : id, *next + 1);
  *next += 2;
}

static picus_status place_instructions(compiler *with) {
  picus_tape *tape = with->tape;
  int32_t *first = tape->first_instruction;
  /* counting sort by stages; within a stage ids keep their order, so that arguments precede their use */
  for (int32_t id = 0; id < with->node_count; id++)
    if (has_instruction(with, id)) first[with->stage[id] + 1]++;
  for (int k = 0; k < tape->stage_count; k++) first[k + 1] += first[k];
  tape->instructions = picus_allocate(tape->context, (size_t)first[tape->stage_count], sizeof *tape->instructions);
  int32_t *next = picus_allocate(tape->context, (size_t)tape->stage_count + 1, sizeof *next);
  if (tape->instructions && next) {
    memcpy(next, first, ((size_t)tape->stage_count + 1) * sizeof *next);
    for (int32_t id = 0; id < with->node_count; id++) {
      const picus_node *node = picus_node_at(with->pool, id);
      if (node->op == PICUS_VARIABLE) with->place[id] = node->argument[0];
      if (has_instruction(with, id)) place_next(with, id, &next[with->stage[id]]);
    }
  }
  picus_status status = tape->instructions && next ? PICUS_OK : PICUS_ERROR_MEMORY;
  picus_release(tape->context, next);
  return status;
}

static void place_outputs(compiler *with, const picus_tape_stage *stages) {
  picus_tape *tape = with->tape;
  int32_t count = 0;
  for (int k = 0; k < tape->stage_count; k++) {
    for (int i = 0; i < stages[k].count; i++) tape->output_register[count++] = with->place[stages[k].outputs[i].id];
    tape->first_output[k + 1] = count;
  }
}

/* ---- creation */

static picus_status allocate_tape(picus_pool *pool, int stage_count, int32_t outputs, picus_tape **out) {
  picus_tape *tape = picus_allocate(pool->context, 1, sizeof *tape);
  if (!tape) return PICUS_ERROR_MEMORY;
  *out = tape;
  tape->context = pool->context;
  tape->variable_count = pool->variable_count;
  tape->stage_count = stage_count;
  size_t stages = (size_t)stage_count + 1;
  tape->first_instruction = picus_allocate(pool->context, stages, sizeof *tape->first_instruction);
  tape->first_output = picus_allocate(pool->context, stages, sizeof *tape->first_output);
  tape->output_register = picus_allocate(pool->context, (size_t)outputs, sizeof *tape->output_register);
  return tape->first_instruction && tape->first_output && tape->output_register ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static picus_status allocate_compiler(compiler *with) {
  picus_context *context = with->pool->context;
  size_t count = (size_t)with->node_count;
  with->stage = picus_allocate(context, count, sizeof *with->stage);
  with->uses = picus_allocate(context, count, sizeof *with->uses);
  with->place = picus_allocate(context, count, sizeof *with->place);
  with->absorbed = picus_allocate(context, count, sizeof *with->absorbed);
  with->chosen = picus_allocate(context, count, sizeof *with->chosen);
  bool all = with->stage && with->uses && with->place && with->absorbed && with->chosen;
  return all ? PICUS_OK : PICUS_ERROR_MEMORY;
}

static void release_compiler(compiler *with) {
  picus_context *context = with->pool->context;
  picus_release(context, with->stage);
  picus_release(context, with->uses);
  picus_release(context, with->place);
  picus_release(context, with->absorbed);
  picus_release(context, with->chosen);
}

/* All tables of the pool, if an instruction needs one. */
static picus_status keep_tables(compiler *with) {
  picus_tape *tape = with->tape;
  const picus_pool *pool = with->pool;
  for (int32_t k = 0; pool->table_count > 0 && k < tape->first_instruction[tape->stage_count]; k++) {
    if (tape->instructions[k].op != PICUS_TABLE) continue;
    picus_status status = picus_tables_copy(tape->context, pool->table_count, pool->tables, &tape->tables);
    if (!status) tape->table_count = pool->table_count;
    return status;
  }
  return PICUS_OK;
}

static picus_status compile(compiler *with, const picus_tape_stage *stages) {
  picus_status status = allocate_compiler(with);
  if (status) return status;
  mark_outputs(with, stages);
  mark_arguments(with);
  absorb(with);
  join_pairs(with);
  mark_constants(with, stages);
  status = place_constants(with);
  if (!status) status = place_instructions(with);
  if (!status) place_outputs(with, stages);
  return status ? status : keep_tables(with);
}

picus_status picus_tape_create(picus_pool *pool, int stage_count, const picus_tape_stage *stages, picus_tape **out) {
  *out = NULL;
  int32_t outputs;
  picus_status status = check_outputs(pool, stage_count, stages, &outputs);
  if (status) return status;
  picus_tape *tape = NULL;
  status = allocate_tape(pool, stage_count, outputs, &tape);
  if (!status) {
    compiler with = {.pool = pool, .tape = tape, .node_count = pool->count};
    status = compile(&with, stages);
    release_compiler(&with);
  }
  if (status) {
    picus_tape_destroy(tape);
    return status;
  }
  *out = tape;
  return PICUS_OK;
}

void picus_tape_destroy(picus_tape *tape) {
  if (!tape) return;
  picus_context *context = tape->context;
  picus_release(context, tape->constants);
  picus_release(context, tape->instructions);
  picus_release(context, tape->first_instruction);
  picus_release(context, tape->first_output);
  picus_release(context, tape->output_register);
  picus_release(context, tape->first_code);
  picus_release(context, tape->own_calls);
  picus_tables_release(context, tape->table_count, tape->tables);
  picus_release(context, tape);
}
