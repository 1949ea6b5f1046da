/* Dependencies of an expression: one traversal of its graph, without recursion, so that sums may have any length. */
#include "expr/internal.h"
#include "model/internal.h"

#include <math.h>

picus_status picus_model_check_finite(picus_model *model, double value, const char *what, const char *name) {
  if (isfinite(value)) return PICUS_OK;
  return picus_model_fail(model, PICUS_ERROR_NUMBER, "%s%s%s%s must be a finite number, not %s", what, name ? " '" : "",
                          name ? name : "", name ? "'" : "", isnan(value) ? "nan" : (value > 0 ? "inf" : "-inf"));
}

static picus_status fail_invalid(picus_model *model, picus_expr expr, const char *what, const char *name) {
  const picus_status status = picus_pool_status(model->pool);
  const char *open = name ? " '" : "", *close = name ? "'" : "";
  if (!name) name = "";
  if (!picus_expr_given(expr))
    return picus_model_fail(model, PICUS_ERROR_ARGUMENT, "%s%s%s%s is missing; give an expression or a number", what,
                            open, name, close);
  if (!picus_expr_valid(expr) && model->failed_text[0] && (!status || model->pool->used_invalid))
    return picus_model_fail(model, model->failed_status, "%s%s%s%s is not a valid expression: %s", what, open, name,
                            close, model->failed_text);
  if (picus_expr_valid(expr) || !status)
    return picus_model_fail(
        model, PICUS_ERROR_ARGUMENT,
        "%s%s%s%s is not an expression of this model; use its time, coordinates, velocities and inputs", what, open,
        name, close);
  return picus_model_fail(model, status, "%s%s%s%s is not a valid expression: %s", what, open, name, close,
                          model->pool->message);
}

static picus_status reserve_walk(picus_model *model) {
  size_t nodes = (size_t)picus_pool_size(model->pool);
  if (nodes > model->mark_count) {
    size_t count = nodes + nodes / 2;
    uint32_t *marks = picus_reallocate(model->context, model->marks, count, sizeof *marks);
    if (marks) model->marks = marks;
    int32_t *walk = picus_reallocate(model->context, model->walk, count, sizeof *walk);
    if (walk) model->walk = walk;
    if (!marks || !walk) return PICUS_ERROR_MEMORY;
    model->mark_count = count;
  }
  if (++model->mark == 0) { /* wrapped around: forget all old marks */
    for (size_t i = 0; i < model->mark_count; i++) model->marks[i] = 0;
    model->mark = 1;
  }
  return PICUS_OK;
}

static size_t push_unseen(picus_model *model, size_t count, picus_expr expr) {
  if (model->marks[expr.id] == model->mark) return count;
  model->marks[expr.id] = model->mark;
  model->walk[count] = expr.id;
  return count + 1;
}

picus_model_variable picus_model_variable_of(const picus_model *model, int index) {
  picus_model_variable variable = {PICUS_VARIABLE_FOREIGN, 0};
  if ((size_t)index < model->variable_count) variable = model->variables[index];
  return variable;
}

/* The next variable that the formula contains, or -1: none is left. *count: nodes still to be visited. */
static int next_variable(picus_model *model, size_t *count) {
  while (*count > 0) {
    picus_expr node = {model->walk[--*count]};
    picus_op op = picus_expr_op(model->pool, node);
    int arity = picus_op_arity(op);
    for (int k = 0; k < arity; k++) *count = push_unseen(model, *count, picus_expr_argument(model->pool, node, k));
    if (op == PICUS_VARIABLE) return picus_expr_variable_index(model->pool, node);
  }
  return -1;
}

picus_status picus_model_examine(picus_model *model, picus_expr expr, const char *what, const char *name,
                                 picus_dependencies *dependencies) {
  *dependencies = (picus_dependencies){-1, -1, -1, -1, -1, -1};
  if (!picus_expr_valid(expr) || expr.id >= picus_pool_size(model->pool)) return fail_invalid(model, expr, what, name);
  picus_status status = reserve_walk(model);
  if (status) return status;
  size_t count = push_unseen(model, 0, expr);
  for (int index = next_variable(model, &count); index >= 0; index = next_variable(model, &count)) {
    picus_model_variable variable = picus_model_variable_of(model, index);
    switch (variable.kind) {
    case PICUS_VARIABLE_TIME:
      break;
    case PICUS_VARIABLE_COORDINATE:
      dependencies->coordinate = variable.index;
      break;
    case PICUS_VARIABLE_VELOCITY:
      dependencies->velocity = variable.index;
      break;
    case PICUS_VARIABLE_DISPLACEMENT:
      dependencies->displacement = variable.index;
      break;
    case PICUS_VARIABLE_DISPLACEMENT_VELOCITY:
      dependencies->displacement_velocity = variable.index;
      break;
    case PICUS_VARIABLE_INPUT:
      if (model->inputs[variable.index].is_signal && !model->takes_signals)
        return picus_model_fail(
            model, PICUS_ERROR_UNSUPPORTED,
            "%s%s%s%s depends on '%s', a value of the last step, which only 'next' of sampled states and "
            "what events set may contain; take it into a state: state {\"s\", every = 1e-3, next = "
            "...}, and use this one",
            what, name ? " '" : "", name ? name : "", name ? "'" : "", model->inputs[variable.index].def.name);
      dependencies->input = variable.index;
      if (!model->inputs[variable.index].def.has_rate) dependencies->steady_input = variable.index;
      break;
    case PICUS_VARIABLE_SLIP_SPEED:
      return picus_model_fail(model, PICUS_ERROR_MODEL,
                              "%s%s%s%s depends on slip_speed(), which only mu, reservoir, rolling, eN and eF of a law "
                              "have",
                              what, name ? " '" : "", name ? name : "", name ? "'" : "");
    case PICUS_VARIABLE_FOREIGN:
      return picus_model_fail(model, PICUS_ERROR_NAME,
                              "%s%s%s%s depends on '%s', which is not time, a coordinate or a velocity of the model",
                              what, name ? " '" : "", name ? name : "", name ? "'" : "",
                              picus_variable_name(model->pool, index));
    }
  }
  return PICUS_OK;
}

picus_status picus_model_examine_rigid(picus_model *model, picus_expr expr, const char *what, const char *name,
                                       picus_dependencies *dependencies) {
  picus_status status = picus_model_examine(model, expr, what, name, dependencies);
  if (status || (dependencies->displacement < 0 && dependencies->displacement_velocity < 0)) return status;
  const char *symbol = dependencies->displacement >= 0 ? model->nodes[dependencies->displacement].x_name
                                                       : model->nodes[dependencies->displacement_velocity].v_name;
  return picus_model_fail(
      model, PICUS_ERROR_UNSUPPORTED,
      "%s%s%s%s depends on '%s' of a flexible component, but only potential energies, dissipation, forces, "
      "laws and observed values may",
      what, name ? " '" : "", name ? name : "", name ? "'" : "", symbol);
}
