/* The work of forces, booked by name: the energy audit of a run needs the power of everything that is neither a
 * potential nor a law. */
#include "model/internal.h"

#include <stdio.h>
#include <string.h>

/* The account of a name; once there are many, the rest share one, so that rows and steps stay small. */
static picus_model_work *find_account(picus_model *model, const char *name) {
  for (int i = 0; i < model->work_count; i++)
    if (strcmp(model->works[i].name, name) == 0) return &model->works[i];
  if (model->work_count == PICUS_WORKS_MOST) return &model->works[PICUS_WORKS_MOST - 1];
  if (model->work_count == PICUS_WORKS_MOST - 1) name = PICUS_WORK_OTHER;
  picus_model_work *account = &model->works[model->work_count];
  account->name = picus_model_keep_text(model, name);
  account->power = picus_number(model->pool, 0);
  if (!account->name) return NULL;
  model->work_count++;
  return account;
}

picus_status picus_model_book(picus_model *model, const char *name, picus_expr power) {
  picus_model_work *account = find_account(model, name);
  if (!account) return PICUS_ERROR_MEMORY;
  picus_expr sum = picus_add(model->pool, account->power, power);
  if (!picus_expr_valid(sum)) return picus_pool_status(model->pool);
  account->power = sum;
  return PICUS_OK;
}

picus_status picus_model_book_force(picus_model *model, const char *name, picus_expr force, picus_expr velocity) {
  if (model->books_itself) return PICUS_OK;
  char own[PICUS_WORK_NAME];
  snprintf(own, sizeof own, "force.%s", name);
  return picus_model_book(model, model->account ? model->account : own, picus_mul(model->pool, force, velocity));
}
